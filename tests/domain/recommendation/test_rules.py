"""Reading the table: every mistake names its row, its column and what would work."""

import pytest
from shopping_agent.domain.rules_table import read_rules

HEADER = ("rule", "when", "prefer", "avoid", "exclude", "sillage", "longevity", "en")
GOOD = {"rule": "new", "when": "climate=hot", "prefer": "citrus 3", "en": "Because."}


@pytest.fixture
def read(expert):
    def read_rows(*rows, header=HEADER):
        cells = [(n, [row.get(c, "") for c in header]) for n, row in enumerate(rows, start=2)]
        return read_rules(header, cells, expert.schema, expert.glossary)

    return read_rows


def test_a_row_is_read_as_it_is_written(read):
    (rule,) = read(
        {
            **GOOD,
            "when": "climate = hot | COLD ; season=fall; budget=100..300",
            "prefer": "citrus 3, iso e super, light musk 1",
            "avoid": "very sweet; sweet 5",
            "exclude": "oud",
            "sillage": "..moderate",
            "longevity": "medium",
        }
    )
    assert rule.prefer == (("citrus", 3), ("iso e super", 2), ("light musk", 1))
    assert rule.avoid == (("very sweet", 2), ("sweet", 5))
    assert rule.exclude == ("oud",)
    assert rule.within == ((0, 0, 1), (1, 0, 0))
    assert [c.values for c in rule.when][:2] == [{"hot", "cold"}, {"autumn"}]
    assert (rule.when[2].low, rule.when[2].high) == (100, 300)


def test_a_rule_fires_when_all_its_conditions_hold(read, expert):
    (rule,) = read({**GOOD, "when": "climate=hot|cold; budget=..300"})
    hot = expert.schema.parse({"climate": ["humid", "hot"]})
    assert rule.fires(hot, 300)
    assert not rule.fires(hot, 301)
    assert not rule.fires(hot, None)
    assert not rule.fires(expert.schema.parse({"season": "summer"}), 100)


def test_empty_rows_and_a_column_less_are_fine(read):
    header = ("rule", "when", "prefer", "en")
    assert len(read(GOOD, {}, header=header)) == 1


@pytest.mark.parametrize(
    ("cells", "tells"),
    [
        ({"prefer": "citrsu 3"}, r"row 2 \(new\), prefer: unknown term 'citrsu'; did you mean 'citrus'"),
        ({"avoid": "citrus 9"}, "avoid: the weight of 'citrus' must be 1 to 5"),
        ({"prefer": "citrus 0"}, "prefer: the weight of 'citrus' must be 1 to 5"),
        ({"exclude": "oudh"}, "exclude: unknown term 'oudh'; did you mean 'oud'"),
        ({"exclude": "oud 3"}, "exclude: unknown term 'oud 3'"),
        ({"prefer": "citrus", "avoid": "citrus"}, "'citrus' is named twice"),
        ({"sillage": "hevy.."}, "sillage: 'hevy' is no step of sillage.*did you mean 'heavy'"),
        ({"longevity": "long..moderate"}, "longevity: .*backwards"),
        ({"when": ""}, "when: a rule needs a condition"),
        ({"when": "hot"}, "when: 'hot' is no condition; one looks like climate=hot"),
        ({"when": "climat=hot"}, "when: unknown 'climat'.*did you mean 'climate'"),
        ({"when": "climate=warmish"}, "when: climate cannot be 'warmish': it is one of hot, cold"),
        ({"when": "climate="}, "when: climate cannot be ''"),
        ({"when": "climate=hot; climate=cold"}, "climate is there twice: write climate=one|other"),
        ({"when": "budget=cheap"}, r"when: budget must be an interval such as \.\.300"),
        ({"when": "budget=nan.."}, "when: budget must be an interval"),
        ({"when": "budget=300..100"}, "when: budget must be an interval"),
        ({"prefer": ""}, "the rule has no effect"),
        ({"rule": ""}, "row 2, rule: a rule needs a name"),
        ({"en": ""}, "en: a rule needs its reason"),
    ],
)  # fmt: skip
def test_a_mistake_names_its_row_its_column_and_what_would_work(read, cells, tells):
    with pytest.raises(ValueError, match=tells):
        read({**GOOD, **cells})


def test_a_name_that_is_taken_is_refused(read):
    with pytest.raises(ValueError, match=r"row 3, rule: 'new' is the name of row 2 already"):
        read(GOOD, {**GOOD, "when": "climate=cold"})


def test_a_condition_that_is_there_already_is_refused_in_whatever_order(read):
    one, two = "climate=hot; season=summer|fall", "season=autumn|summer; climate=warm"
    with pytest.raises(ValueError, match=r"row 3 \(other\), when: row 2 \(new\) has the same"):
        read({**GOOD, "when": one}, {**GOOD, "rule": "other", "when": two})


@pytest.mark.parametrize(
    ("header", "tells"),
    [
        ((*HEADER, "prefers"), "unknown column 'prefers'.*did you mean 'prefer'"),
        (HEADER[1:], "the table needs one column 'rule'"),
        ((*HEADER, "en"), "the table needs one column 'en'"),
    ],
)
def test_a_wrong_header_is_told(read, header, tells):
    with pytest.raises(ValueError, match=tells):
        read(GOOD, header=header)


def test_cells_beyond_the_header_are_refused(expert):
    row = ["new", "climate=hot", "citrus", "", "", "", "", "Because", " of a comma"]
    with pytest.raises(ValueError, match="row 2: more cells than the header"):
        read_rules(HEADER, [(2, row)], expert.schema, expert.glossary)


def test_every_wrong_row_is_told_at_once(read):
    rows = [
        {**GOOD, "prefer": "citrsu"},
        GOOD,
        {**GOOD, "rule": "b", "when": "climate=warmish"},
        {"rule": "c"},
    ]
    with pytest.raises(ValueError, match="citrsu") as wrong:
        read(*rows)
    assert [line.split(",")[0] for line in str(wrong.value).splitlines()] == [
        "row 2 (new)",
        "row 4 (b)",
        *["row 5 (c)"] * 3,
    ]


def test_every_wrong_cell_of_a_row_is_told(read):
    row = {"rule": "c", "when": "climate=icy", "prefer": "citrsu", "exclude": "oud 3"}
    with pytest.raises(ValueError, match="citrsu") as wrong:
        read({**row, "sillage": "hevy.."}, {"rule": "d"})
    told = [line.split(":")[0] for line in str(wrong.value).splitlines()]
    columns = ("when", "prefer", "exclude", "sillage", "en")
    assert told[:5] == [f"row 2 (c), {column}" for column in columns]
    assert told[5:] == [f"row 3 (d), {column}" for column in ("when", "en", "prefer")]


def test_a_table_that_is_all_wrong_is_told_in_twenty_lines(read):
    rows = [{**GOOD, "rule": f"r{n}", "prefer": "nothing"} for n in range(50)]
    with pytest.raises(ValueError, match="and 30 more"):
        read(*rows)
