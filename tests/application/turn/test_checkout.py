"""The checkout tool: the shopper gets the link from our code; no model ever sees it."""

import json
from dataclasses import replace
from typing import Any

import pytest
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.llm.offline import OfflineModel
from shopping_agent.adapters.llm.scripted import proposes, says
from shopping_agent.application.checkout import Checkout
from shopping_agent.domain.checkout import CompletedOrder, Completion, HandOff
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.store import StorePack
from shopping_agent.errors import CartRefusedError

PAY = "take me to the checkout please"
CHECKOUT = ("checkout", {})


class FakeHandOffs:
    """`HandOffStore`. `conflicts`: how many times the cart is said to have changed in between."""

    def __init__(self) -> None:
        self.kept: list[HandOff] = []
        self.conflicts = 0

    def keep(self, shopper: Shopper, given: HandOff, deadline: Deadline) -> None:
        if self.conflicts:
            self.conflicts -= 1
            raise CartRefusedError("version_conflict", "changed")
        self.kept.append(given)

    def find(self, reference: str, deadline: Deadline) -> HandOff | None:
        return next((given for given in self.kept if given.reference == reference), None)

    def complete(self, order: CompletedOrder, deadline: Deadline) -> Completion:
        raise NotImplementedError


@pytest.fixture(scope="module")
def pack() -> StorePack:
    return load_store_pack("")


@pytest.fixture
def handoffs() -> FakeHandOffs:
    return FakeHandOffs()


@pytest.fixture(autouse=True)
def open_checkout(shop, handoffs) -> None:
    shop.checkout = Checkout(
        carts=shop.carts,
        handoffs=handoffs,
        kind="signed",
        url="https://secret-page.example/pay",
        secret="shared",
    )


def ready(pack, language: str = "en") -> str:
    return pack.phrases.say(language, "turn.checkout_ready")


def seen_by_the_model(shop) -> str:
    return json.dumps([repr(request) for request in shop.model.requests])


def test_the_model_is_told_that_it_is_ready_and_the_shopper_gets_the_link(shop, pack) -> None:
    shop.put_in_cart("dahab", 2)
    turn = shop.say(PAY, [proposes(CHECKOUT), says("Your total is 1120 MAD.")])
    assert shop.results() == [{"ok": True, "checkout": "ready", "cartTotal": 1120}]
    [action] = turn.actions
    assert (action.type, action.undo) == ("checkout", False)
    assert action.url.startswith("https://secret-page.example/pay?handoff=")
    assert action.expires_at > 0
    assert turn.answer == f"Your total is 1120 MAD.\n{ready(pack)}"
    assert "secret-page" not in seen_by_the_model(shop) + turn.answer
    assert "secret-page" not in repr(shop.turns.kept)


def test_a_link_of_the_models_own_making_is_taken_out(shop, pack) -> None:
    shop.put_in_cart("dahab")
    made_up = "Pay here: https://evil.example/pay"
    turn = shop.say(PAY, [proposes(CHECKOUT), says(made_up)])
    assert "evil.example" not in turn.answer
    assert ready(pack) in turn.answer


def test_the_tool_is_offered_for_the_cart_and_only_where_there_is_a_checkout(shop) -> None:
    shop.put_in_cart("dahab")
    shop.say(PAY, [says("ok")])
    offered = {tool.name: tool for tool in shop.model.requests[0].tools}
    assert offered["checkout"].parameters == {"type": "object", "properties": {}}
    shop.checkout = None
    shop.say(PAY, [says("ok")])
    assert "checkout" not in {tool.name for tool in shop.model.requests[0].tools}
    shop.say(PAY, [proposes(CHECKOUT), says("ok")])
    assert shop.errors() == ["unknown_tool"]


def test_what_is_added_in_the_same_step_is_in_the_link(shop, handoffs) -> None:
    shop.show("dahab")
    add = ("add_to_cart", {"productId": "dahab"})
    turn = shop.say("add Dahab and check out", [proposes(add, CHECKOUT), says("Done.")])
    assert [line.product_id for line in handoffs.kept[0].lines] == ["dahab"]
    assert [action.type for action in turn.actions] == ["add", "checkout"]
    assert turn.actions[0].undo


def test_a_change_after_the_link_was_made_takes_it_back(shop, pack) -> None:
    shop.show("dahab")
    shop.put_in_cart("brise")
    add = ("add_to_cart", {"productId": "dahab"})
    turn = shop.say("check out, and add Dahab", [proposes(CHECKOUT, add), says("Added Dahab.")])
    assert [action.type for action in turn.actions] == ["add"]
    assert ready(pack) not in turn.answer


def test_an_empty_cart_is_refused_in_the_shoppers_words(shop, pack) -> None:
    turn = shop.say("je veux payer", [proposes(CHECKOUT), says("")])
    assert shop.errors() == ["empty_cart"]
    assert turn.actions == ()
    assert pack.phrases.say("fr", "turn.refusal.empty_cart") in turn.answer


def test_what_is_no_longer_there_is_refused(shop, pack) -> None:
    shop.put_in_cart("last-one")
    facts = shop.live.facts["last-one"]
    shop.live.facts["last-one"] = replace(facts, stock=0)
    turn = shop.say(PAY, [proposes(CHECKOUT), says(""), says("")])
    assert shop.errors() == ["lines_unavailable"]
    assert pack.phrases.say("en", "turn.refusal.lines_unavailable") in turn.answer


@pytest.mark.parametrize("message", ["don't check out yet", "not now, I'll pay later"])
def test_a_model_does_not_check_out_what_the_shopper_puts_off(shop, message: str) -> None:
    shop.put_in_cart("dahab")
    turn = shop.say(message, [proposes(CHECKOUT), says("All right.")])
    assert shop.errors() == ["negated"]
    assert turn.actions == ()


def test_a_cart_that_changes_in_between_is_read_again(shop, handoffs) -> None:
    shop.put_in_cart("dahab")
    handoffs.conflicts = 2
    assert shop.say(PAY, [proposes(CHECKOUT), says("Ready.")]).actions
    handoffs.conflicts = 3
    turn = shop.say(PAY, [proposes(CHECKOUT), says("Try again.")])
    assert (shop.errors(), turn.actions) == (["version_conflict"], ())


def test_without_words_of_a_model_the_total_and_the_button_are_told(shop, pack) -> None:
    shop.put_in_cart("dahab")
    turn = shop.say(PAY, [proposes(CHECKOUT), says(""), says("")])
    assert "560 MAD" in turn.answer
    assert ready(pack) in turn.answer
    assert turn.actions[0].url


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("I'd like to check out", "en"),
        ("je veux passer commande", "fr"),
        ("أريد إتمام الطلب", "ar"),
        ("بغيت نخلص", "ary"),
        ("bghit nkhles daba", "ary-latn"),
    ],
)
def test_the_offline_model_checks_out_in_every_language(
    shop, pack, message: str, language: str
) -> None:
    model: Any = OfflineModel(pack=pack)
    empty = shop.say(message, model)
    assert empty.actions == ()
    shop.put_in_cart("dahab")
    turn = shop.say(message, model)
    assert [action.type for action in turn.actions] == ["checkout"]
    assert turn.answer.count(ready(pack, language)) == 1
    assert "560 MAD" in turn.answer
