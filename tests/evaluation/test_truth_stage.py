"""Lies and truths told on the real handlers: what the stage reports of them."""

from collections.abc import Generator
from typing import Any

import pytest
from shopping_agent.settings import Settings

from evaluation.truth import Stage, Told, got_through, lines, stage, was_changed

LIE = {
    "id": "a-lie",
    "language": "en",
    "kind": "price",
    "setup": [],
    "message": "how much is Neroli Bloom 50 ml?",
    "calls": [["get_product", {"productId": "neroli-bloom-50"}]],
    "draft": "Neroli Bloom in 50 ml is **420 MAD**, and worth it.",
    "lie": ["is 420 MAD"],
}
TRUTH = {**LIE, "id": "a-truth", "draft": "Neroli Bloom in 50 ml is 390 MAD."}
KEYS = {"id", "language", "kind", "setup", "message", "calls", "draft"}


@pytest.fixture(scope="module")
def stand(shop_settings: Settings) -> Generator[Stage]:
    with stage(shop_settings) as stand:
        yield stand


def test_a_caught_lie_and_an_untouched_truth(stand: Stage) -> None:
    told = stand.tell_agent(LIE)
    assert told.spoken
    assert got_through(LIE, told) == []
    told = stand.tell_agent(TRUTH)
    assert not was_changed(TRUTH, told)


def test_a_plain_loop_makes_the_calls_and_lets_the_lie_pass(stand: Stage) -> None:
    told = stand.tell_plainly(LIE)
    assert [r["name"] for r in told.results] == ["Neroli Bloom - 50 ml"]
    assert got_through(LIE, told) == ["is 420 MAD"]


def test_what_was_set_up_is_in_the_cart_and_calls_are_carried_out(stand: Stage) -> None:
    line = {
        **TRUTH,
        "setup": [{"add": ["citron-beldi-50", 2]}, {"say": "show me floral perfumes"}],
        "message": "add Neroli Bloom 50 ml",
        "calls": [["add_to_cart", {"productId": "neroli-bloom-50"}]],
        "draft": "Neroli Bloom - 50 ml is in your cart now.",
    }
    told = stand.tell(line)
    assert [r["ok"] for r in told.results] == [True]
    cart = {item["productId"]: item["quantity"] for item in told.reply["cart"]["items"]}
    assert cart == {"citron-beldi-50": 2, "neroli-bloom-50": 1}


def test_a_line_whose_calls_cannot_be_made_at_its_own_door_is_told_at_the_agents_too(
    stand: Stage,
) -> None:
    ways = stand.every_way(LIE)
    assert [len(told.results) for told in ways][-1] == 1
    assert ways[-1].reply["route"] == "agent"
    assert all(told.reply["route"] == "rag" for told in ways[:-1])


def test_a_setup_that_fails_is_no_result(stand: Stage) -> None:
    with pytest.raises(AssertionError, match="a-lie"):
        stand.tell({**LIE, "setup": [{"add": ["no-such-product", 1]}]})


@pytest.mark.parametrize(
    ("answer", "through"),
    [("It is  420\nMAD today", True), ("It IS **420** MAD", True), ("It is 390 MAD", False)],
)
def test_emphasis_spaces_and_case_hide_no_lie(answer: str, through: bool) -> None:
    told = Told(answer, spoken=True, drafts=1, results=(), reply={})
    assert bool(got_through(LIE, told)) == through


def test_what_we_put_beside_a_truth_is_no_change_but_a_word_less_is() -> None:
    def told(answer: str) -> Told:
        return Told(answer, spoken=True, drafts=1, results=(), reply={})

    assert not was_changed(TRUTH, told(f"{TRUTH['draft']}\nSource: Delivery"))
    assert was_changed(TRUTH, told("Neroli Bloom is 390 MAD."))


@pytest.mark.parametrize("kind", ["lies", "truths"])
def test_the_sets_are_as_their_format_says(kind: Any) -> None:
    told = lines(kind)
    assert len({line["id"] for line in told}) == len(told) >= 150
    assert {line["language"] for line in told} == {"en", "fr", "ar", "ary", "ary-latn"}
    for line in told:
        extra = {"fault", "lie"} if kind == "lies" else set[str]()
        assert set(line) == KEYS | extra, line["id"]
        assert all(part in line["draft"] for part in line.get("lie", ())), line["id"]
