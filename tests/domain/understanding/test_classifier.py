"""The trained classifier: loaded light, the same everywhere, decided over by certain rules and by the conversation."""

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from shopping_agent.domain.intent import Intent
from shopping_agent.domain.understanding.classifier import (
    INTENTS,
    WEIGHTS,
    Classifier,
    trained,
)
from shopping_agent.domain.understanding.intents import decide
from shopping_agent.domain.understanding.signals import BUCKETS, Signals

IN_A_FRESH_PROCESS = """
import json, sys
from pathlib import Path
import shopping_agent
from shopping_agent.domain.understanding import understand
from shopping_agent.domain.vocabulary import Vocabulary
pack = Path(shopping_agent.__file__).parent / "store_pack" / "vocabulary.json"
vocabulary = Vocabulary.from_document(json.loads(pack.read_text(encoding="utf-8")))
for text in ("my sister talks of nothing but lilac", "je me laisserais tenter", "wach kayn chi wa7ed"):
    understood = understand(text, vocabulary=vocabulary, currency="MAD")
    print(understood.intent, understood.confidence, understood.route)
print([m for m in ("numpy", "scipy", "pydantic", "httpx") if m in sys.modules])
"""


def _document(**weights: dict[int, int]) -> dict[str, object]:
    table = bytearray(BUCKETS * len(INTENTS))
    for intent, by_bucket in weights.items():
        for bucket, weight in by_bucket.items():
            table[INTENTS.index(intent) * BUCKETS + bucket] = weight & 0xFF  # type: ignore[arg-type]
    packed = base64.b64encode(bytes(table)).decode("ascii")
    return {
        "buckets": BUCKETS,
        "scale": 0.1,
        "bias": [0, 0, 0, 0],
        "certain": 0.8,
        "weights": packed,
    }


ODDS: dict[Intent, float] = {
    "knowledge": 0.9,
    "cart": 0.05,
    "recommendation": 0.03,
    "general": 0.02,
}


def _scores(*, cart: float) -> dict[Intent, float]:
    return {"knowledge": 0.0, "cart": cart, "recommendation": 0.0, "general": 0.0}


def _run(seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", IN_A_FRESH_PROCESS]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True, timeout=60
    ).stdout


def test_understanding_needs_no_numpy_and_is_the_same_in_every_process():
    first = _run("1")
    assert first.splitlines()[-1] == "[]"
    assert _run("2") == first


def test_weights_are_small():
    assert Path(WEIGHTS).stat().st_size < 200_000


def test_weights_of_another_size_are_refused():
    document = json.loads(Path(WEIGHTS).read_text(encoding="ascii"))
    with pytest.raises(ValueError, match="train_intents"):
        Classifier.from_document({**document, "buckets": BUCKETS * 2})
    with pytest.raises(ValueError, match="train_intents"):
        Classifier.from_document({**document, "weights": document["weights"][:-8]})


def test_probabilities_add_up_to_one():
    given = trained().probabilities(Signals((1, 2, 3), (4, 5), (6,)))
    assert set(given) == set(INTENTS)
    assert sum(given.values()) == pytest.approx(1)


def test_a_message_without_any_signal_has_the_odds_of_the_bias():
    given = Classifier.from_document(_document()).probabilities(Signals((), (), ()))
    assert list(given.values()) == [pytest.approx(0.25)] * len(INTENTS)


def test_weights_speak_for_and_against_an_intent():
    classifier = Classifier.from_document(_document(cart={7: 100}, general={7: -100}))
    given = classifier.probabilities(Signals((7,), (), ()))
    assert given["cart"] > given["knowledge"] == given["recommendation"] > given["general"]


def test_a_group_weighs_the_same_however_many_signals_it_holds():
    classifier = Classifier.from_document(_document(cart=dict.fromkeys(range(4), 10)))
    one, four = (classifier.probabilities(Signals(tuple(range(n)), (), ())) for n in (1, 4))
    # Four signals that agree say twice what one says: the square root of their number.
    assert four["cart"] / four["general"] == pytest.approx((one["cart"] / one["general"]) ** 2)


def test_rules_that_are_certain_decide_alone():
    assert decide(_scores(cart=6.0), ODDS)[0] == "cart"
    assert decide(_scores(cart=1.0), ODDS) == ("knowledge", 0.9)


def test_a_guess_gives_way_to_what_the_rules_find_if_that_is_plausible():
    guess: dict[Intent, float] = {**ODDS, "knowledge": 0.45, "cart": 0.35, "recommendation": 0.18}
    assert decide(_scores(cart=1.0), guess) == ("cart", 0.35)
    assert decide(_scores(cart=1.0), {**guess, "cart": 0.2, "general": 0.17})[0] == "knowledge"


def test_what_the_conversation_decides_is_left_to_the_rules():
    assert decide(_scores(cart=1.0), ODDS, by_rules=True)[0] == "cart"


@pytest.mark.parametrize("text", ["ok", "yup", "ouais", "iyeh", "👍", "parfait"])
def test_a_yes_to_our_question_is_about_the_cart(reading, text):
    assert reading(text, pending=True, previous_intent="cart").intent == "cart"


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("do your couriers ring the bell or just leave it outside", "knowledge"),
        ("I gave in, one bottle of the cedar thing is coming home with me", "cart"),
        ("her whole wardrobe is linen, which scent belongs to that", "recommendation"),
        ("this is the third parcel you people have lost", "general"),
        ("le bouchon se visse ou se clipse ?", "knowledge"),
        ("je craque, celui au cèdre vient avec moi, un flacon", "cart"),
        ("elle jardine du matin au soir, quelle senteur lui irait", "recommendation"),
        ("troisième colis que vous égarez", "general"),
        ("wach l9er3a katji m3a boîte wla bla", "knowledge"),
        ("safi ghleb 3liya l3oud, hat wa7da", "cart"),
        ("mra kat7eb jnan, ina ri7a tji m3aha", "recommendation"),
        ("hada talet colis li tla3 likom", "general"),
    ],
)
def test_every_intent_is_told_in_words_that_no_rule_was_written_for(reading, text, intent):
    assert reading(text).intent == intent


def test_a_guess_that_is_not_sure_keeps_the_tools(reading):
    understood = reading("hmm the cap though")
    assert understood.confidence < trained().certain
    assert understood.route == "agent"
