"""Store packs: the default one, a folder's with fallbacks, and what a wrong one says."""

import json

import pytest
from shopping_agent.adapters.catalog.store_pack import DEFAULT, load_store_pack
from shopping_agent.errors import ConfigurationError


@pytest.fixture
def store():
    return json.loads((DEFAULT / "store.json").read_text(encoding="utf-8"))


@pytest.fixture
def write(tmp_path):
    def write_file(name, document):
        text = document if isinstance(document, str) else json.dumps(document)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path)

    return write_file


def test_the_default_pack_is_whole(store):
    pack = load_store_pack()
    assert pack.name == store["name"]
    assert pack.contacts.phone == store["contacts"]["phone"]
    assert pack.vocabulary.canonical("note", ["citron"]) == ("lemon",)
    assert {"en", "fr", "ar", "ary", "ary-latn"} <= set(pack.phrases.by_language)
    assert pack.prompts
    assert pack.suggestions["en"]


def test_files_that_a_folder_lacks_are_the_default_packs(store, write):
    folder = write("store.json", {**store, "name": "Other Shop", "currency": "TND"})
    pack = load_store_pack(folder)
    assert (pack.name, pack.currency) == ("Other Shop", "TND")
    assert pack.prompts == load_store_pack().prompts


def test_a_vocabulary_of_ones_own_replaces_the_kinds_it_has(write):
    folder = write("vocabulary.json", {"note": {"bean": {"en": "bean, beans"}}})
    vocabulary = load_store_pack(folder).vocabulary
    assert vocabulary.canonical("note", ["Beans", "lemon"]) == ("bean", "lemon")
    assert vocabulary.canonical("season", ["été"]) == ("summer",)


def test_phrases_and_prompts_that_a_file_lacks_are_the_default_packs(write):
    default = load_store_pack()
    folder = write("phrases.json", {"en": {"turn.thanks": "Tea?"}})
    write("prompts.json", {"cart": "Sell tea."})
    pack = load_store_pack(folder)
    assert pack.phrases.say("en", "turn.thanks") == "Tea?"
    assert {
        key for key in default.phrases.by_language["fr"] if not pack.phrases.has("fr", key)
    } == set()
    assert pack.prompts == {**default.prompts, "cart": "Sell tea."}


@pytest.mark.parametrize("text", ["{nobody} comes", "{", "{0}"])
def test_a_phrase_that_could_not_be_filled_in_is_named(write, text):
    key = next(k for k, said in load_store_pack().phrases.by_language["en"].items() if "{" in said)
    with pytest.raises(
        ConfigurationError, match=rf"phrases.json: fr\.{key} must be a text with {{"
    ):
        load_store_pack(write("phrases.json", {"fr": {key: text}}))


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("store.json", {"currency": "dirham"}, "store.json: currency"),
        ("store.json", {"name": 7}, "store.json: name"),
        ("store.json", {"contacts": {}}, "store.json: contacts.whatsapp"),
        ("store.json", {"suggestions": {"en": [1]}}, "store.json: suggestions.en"),
        ("store.json", {"aiNotice": {"en": 1}}, "store.json: aiNotice"),
    ],
)
def test_a_wrong_field_is_named_with_its_file(store, write, name, change, said):
    folder = write(name, {**store, **change})
    with pytest.raises(ConfigurationError, match=said):
        load_store_pack(folder)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("phrases.json", "{"),
        ("prompts.json", "[]"),
        ("phrases.json", '{"en": 3}'),
        ("vocabulary.json", '{"note": 3}'),
    ],
)
def test_a_file_of_another_shape_is_named(write, name, text):
    with pytest.raises(ConfigurationError, match=name):
        load_store_pack(write(name, text))


def test_a_folder_that_is_not_there_is_said_to_be_missing(tmp_path):
    with pytest.raises(ConfigurationError, match="no folder"):
        load_store_pack(str(tmp_path / "nowhere"))
