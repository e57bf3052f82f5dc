"""The planner's phrases and the check of replies: only a phrase about a change says that one was made."""

import pytest
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.llm.offline.situation import Item
from shopping_agent.adapters.llm.offline.wording import Wording
from shopping_agent.application.claims import changes_claimed, sentences
from shopping_agent.domain.query import ShopperQuery

CLAIMS = {"turn.added", "turn.updated", "turn.removed"}


@pytest.mark.parametrize("language", ["en", "fr", "ar", "ary", "ary-latn"])
def test_no_other_phrase_claims_a_change(phrases, language):
    claiming = {
        key
        for key, phrase in phrases[language].items()
        if key not in CLAIMS and any(changes_claimed(s) for s in sentences(phrase))
    }
    assert claiming == set()


@pytest.mark.parametrize(
    ("language", "wish", "label"),
    [
        ("en", "women", "for a woman"),
        ("fr", "women", "pour une femme"),
        ("ar", "women", "لامرأة"),
        ("ary", "women", "لمرا"),
        ("ary-latn", "women", "l mra"),
        ("en", "men", "for a man"),
        ("fr", "men", "pour un homme"),
    ],
)
def test_who_a_product_is_for_is_not_said_again_beside_a_profile_that_says_it(
    language, wish, label
):
    wording = Wording(load_store_pack(), ShopperQuery("", language, gender=wish))
    facts = {"gender": wish, "fits": [label]}
    assert wording.reasons(Item("p", "Bahja", facts)) == [wording.say("fit.profile", profile=label)]
    other = {"gender": wish, "fits": ["x"]}
    assert len(wording.reasons(Item("p", "Bahja", other))) == 2
