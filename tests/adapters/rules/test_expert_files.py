"""The expert's files: as spreadsheets save them, file by file from a pack, and the last good version kept."""

import csv
import io
import time

import pytest
from shopping_agent.adapters.catalog.store_pack import DEFAULT, load_store_pack
from shopping_agent.adapters.rules import ExpertFiles, expert_files, load_expert
from shopping_agent.adapters.rules.expert_files import REFRESH_SECONDS
from shopping_agent.errors import ConfigurationError

VOCABULARY = load_store_pack().vocabulary
TABLE = (DEFAULT / "rules.csv").read_text("utf-8-sig")
ONE = "rule,when,prefer,en,ar\nheat,climate=hot,citrus 3,Because it is hot,لأن الجو حار\n"


@pytest.fixture
def pack(tmp_path):
    def write(table, name="rules.csv"):
        content = table if isinstance(table, bytes) else table.encode()
        (tmp_path / name).write_bytes(content)
        return str(tmp_path)

    return write


def rules(location):
    return load_expert(location, VOCABULARY).rules


def with_delimiter(delimiter):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(csv.reader(io.StringIO(TABLE)))
    return out.getvalue()


def test_a_pack_without_rules_has_the_default_ones(tmp_path):
    assert rules(str(tmp_path)) == rules("")
    assert len(rules("")) > 40


def test_a_pack_may_replace_one_file(pack):
    expert = load_expert(pack(ONE), VOCABULARY)
    assert [(rule.name, rule.prefer) for rule in expert.rules] == [("heat", (("citrus", 3),))]
    assert expert.glossary.terms.keys() == load_expert("", VOCABULARY).glossary.terms.keys()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_table_is_read_as_any_spreadsheet_saves_it(pack, delimiter, encoding):
    assert rules(pack(with_delimiter(delimiter).encode(encoding))) == rules("")


def test_lines_end_as_on_any_system(pack):
    assert rules(pack(TABLE.replace("\n", "\r\n"))) == rules("")


@pytest.mark.parametrize(
    ("table", "tells"),
    [
        (
            ONE.replace("citrus", "citrsu"),
            r"store pack: rules.csv: row 2 \(heat\), prefer: unknown",
        ),
        ("", "rules.csv: the table is empty"),
        ("\n\n", "rules.csv: the table needs one column 'rule'"),
        (ONE.encode("utf-16-le")[:-1] + b"\xff", "rules.csv: "),
        (ONE.replace("Because", '"Because'), "rules.csv: row 2: .*quote"),
        ("é".join(ONE.split("e")).encode("latin-1", "ignore"), "CSV UTF-8"),
    ],
)
def test_a_wrong_table_is_refused_with_its_row(pack, table, tells):
    with pytest.raises(ConfigurationError, match=tells):
        rules(pack(table))


def test_a_row_of_several_lines_keeps_the_number_of_the_line_it_starts_on(pack):
    table = (
        ONE.replace("Because it is hot", '"Because\nit is hot"') + "x,climate=cold,nothing,No,\n"
    )
    with pytest.raises(ConfigurationError, match=r"row 4 \(x\)"):
        rules(pack(table))


@pytest.mark.parametrize("name", ["profile.json", "glossary.json"])
def test_a_wrong_file_is_named(pack, name):
    for content, tells in (("{", "is no JSON"), ("[]", "must be an object"), ('{"x": 1}', "x")):
        with pytest.raises(ConfigurationError, match=f"{name}.*{tells}"):
            rules(pack(content, name))


def test_rules_that_name_what_the_packs_own_glossary_lacks_are_refused(pack):
    terms = '{"scales": {}, "terms": {"only": {"is": [{"note": "rose"}]}}}'
    with pytest.raises(ConfigurationError, match=r"rules.csv: .*sillage"):
        rules(pack(terms, "glossary.json"))


class TestLastGood:
    @pytest.fixture
    def clock(self):
        class Clock:
            now = 0.0

            def __call__(self):
                return self.now

        return Clock()

    def test_an_edited_table_holds_within_a_minute(self, pack, clock):
        files = ExpertFiles(pack(ONE), VOCABULARY, clock=clock)
        assert files.current().rules[0].prefer == (("citrus", 3),)
        pack(ONE.replace("citrus 3", "citrus 5"))
        assert files.current().rules[0].prefer == (("citrus", 3),)
        clock.now += REFRESH_SECONDS
        assert files.current().rules[0].prefer == (("citrus", 5),)

    def test_a_wrong_table_changes_nothing_until_it_is_mended(self, pack, clock, caplog):
        files = ExpertFiles(pack(ONE), VOCABULARY, clock=clock)
        good = files.current()
        pack(ONE.replace("citrus", "citrsu"))
        clock.now += REFRESH_SECONDS
        assert files.current() is good
        pack(ONE.replace("citrus 3", "woody 1"))
        clock.now += REFRESH_SECONDS
        assert files.current().rules[0].prefer == (("woody", 1),)

    def test_a_place_that_is_gone_changes_nothing(self, pack, clock, tmp_path):
        files = ExpertFiles(pack(ONE), VOCABULARY, clock=clock)
        good = files.current()
        (tmp_path / "rules.csv").unlink()
        tmp_path.rename(tmp_path.with_name("elsewhere"))
        clock.now += REFRESH_SECONDS
        assert files.current() is good

    def test_what_did_not_change_is_not_read_anew(self, pack, clock):
        files = ExpertFiles(pack(ONE), VOCABULARY, clock=clock)
        good = files.current()
        clock.now += REFRESH_SECONDS
        assert files.current() is good

    def test_without_a_good_one_the_first_use_says_why(self, pack, clock):
        files = ExpertFiles(pack("rule\n"), VOCABULARY, clock=clock)
        with pytest.raises(ConfigurationError, match="column 'when'"):
            files.current()

    def test_a_process_that_starts_with_a_wrong_table_of_a_bucket_goes_on_with_its_good_rows(
        self, pack, clock, monkeypatch, tmp_path
    ):
        real = expert_files.pack_reader
        monkeypatch.setattr(
            expert_files,
            "pack_reader",
            lambda location, url: real(location and str(tmp_path), url),
        )
        pack(ONE + "cold,climate=cold,nothing 3,It is cold.,\n")
        files = ExpertFiles("s3://bucket/pack", VOCABULARY, clock=clock)
        assert [rule.name for rule in files.current().rules] == ["heat"]
        pack(ONE + "cold,climate=cold,woody 3,It is cold.,\n")
        clock.now += REFRESH_SECONDS
        # No request waits for the bucket: it is read beside them.
        assert [rule.name for rule in files.current().rules] == ["heat"]
        until = time.monotonic() + 10
        while len(files.current().rules) < 2 and time.monotonic() < until:
            time.sleep(0.01)
        assert [rule.name for rule in files.current().rules] == ["heat", "cold"]
