"""The default pack's phrases: whole in every language, with the same places, in the right script."""

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from string import Formatter

import pytest
from shopping_agent.domain.intent import LANGUAGES

PHRASES: Mapping[str, Mapping[str, str]] = json.loads(
    files("shopping_agent").joinpath("store_pack/phrases.json").read_text("utf-8")
)
KEYS = sorted({key for phrases in PHRASES.values() for key in phrases})
ARABIC = re.compile("[\u0600-\u06ff]")


def _places(phrase: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(phrase) if name is not None}


def test_every_language_of_the_shop_has_phrases_and_no_other():
    assert set(PHRASES) == set(LANGUAGES)


@pytest.mark.parametrize("key", KEYS)
def test_a_phrase_is_in_every_language_with_the_same_places(key):
    missing = [language for language in LANGUAGES if not PHRASES[language].get(key, "").strip()]
    assert missing == []
    places = {language: _places(PHRASES[language][key]) for language in LANGUAGES}
    assert all(found == places["en"] for found in places.values()), places


@pytest.mark.parametrize("language", LANGUAGES)
def test_phrases_are_written_in_the_script_of_their_language(language):
    arabic = language in ("ar", "ary")
    for key, phrase in PHRASES[language].items():
        words = re.sub(r"[\W\d_]", "", re.sub(r"\{\w+\}", "", phrase))
        if words:
            assert bool(ARABIC.search(words)) == arabic, key
