"""The planner's phrases and the check of replies: only a phrase about a change says that one was made."""

import pytest
from shopping_agent.application.claims import changes_claimed, sentences

CLAIMS = {"turn.added", "turn.updated", "turn.removed"}


@pytest.mark.parametrize("language", ["en", "fr", "ar", "ary", "ary-latn"])
def test_no_other_phrase_claims_a_change(phrases, language):
    claiming = {
        key
        for key, phrase in phrases[language].items()
        if key not in CLAIMS and any(changes_claimed(s) for s in sentences(phrase))
    }
    assert claiming == set()
