"""A turn that is sent again: answered before, or died halfway; nothing it did is done twice, whatever a model decides."""

import pytest
from shopping_agent.adapters.llm.scripted import proposes, says
from shopping_agent.application.turn import Turn, TurnRepeated
from shopping_agent.errors import IndexUnavailableError, LanguageModelError

TWO = "add Cap Vert and Brise d'Asilah to my cart"
ONE = "add Cap Vert to my cart"
CAP_VERT = ("add_to_cart", {"productId": "cap-vert"})
BRISE = ("add_to_cart", {"productId": "brise"})
DONE = says("")


class Killed(BaseException):
    """The process ends here."""


def keep(turn: Turn) -> str:
    return turn.answer


def dies(shop, message: str, *steps) -> None:
    def script(request):
        step = next(left, None)
        if step is None:
            raise Killed
        return step

    left = iter(steps)
    with pytest.raises(Killed):
        shop.say(message, script, keep=keep)


def test_a_turn_that_was_answered_is_answered_the_same_and_not_run(shop):
    turn = shop.say(ONE, [proposes(CAP_VERT), DONE], keep=keep)
    with pytest.raises(TurnRepeated) as repeated:
        shop.say(ONE, [proposes(CAP_VERT), DONE], keep=keep)
    assert repeated.value.reply == turn.answer
    assert shop.cart() == {"cap-vert": 1}
    assert shop.model.requests == []


def test_a_turn_that_nobody_can_send_again_keeps_no_journal(shop):
    shop.say(ONE, [proposes(CAP_VERT), DONE])
    shop.say(ONE, [proposes(CAP_VERT), DONE])
    assert shop.cart() == {"cap-vert": 2}
    assert shop.carts.journals == {}


@pytest.mark.parametrize(
    "second",
    [
        [proposes(CAP_VERT), DONE],
        [proposes(BRISE), DONE],
        [proposes(("add_to_cart", {"productId": "cap-vert", "quantity": 3})), DONE],
        [proposes(CAP_VERT), proposes(("get_cart", {})), DONE],
        [proposes(("clear_cart", {})), DONE],
        [proposes(("update_cart_item", {"productId": "cap-vert", "quantity": 4})), DONE],
        [says("I added Cap Vert to your cart.")],
        [LanguageModelError("overloaded", "busy")],
    ],
)
def test_a_change_made_before_the_turn_died_is_not_made_again(shop, second):
    dies(shop, ONE, proposes(CAP_VERT))
    assert shop.cart() == {"cap-vert": 1}
    turn = shop.say(ONE, second, keep=keep)
    assert shop.cart() == {"cap-vert": 1}
    assert [(a.type, a.product_id, a.quantity) for a in turn.actions] == [("add", "cap-vert", 1)]
    assert "Cap Vert" in turn.answer


def test_what_the_dead_turn_had_not_reached_is_done_by_the_next(shop):
    dies(shop, TWO, proposes(CAP_VERT))
    turn = shop.say(TWO, [proposes(CAP_VERT, BRISE), DONE], keep=keep)
    assert shop.cart() == {"cap-vert": 1, "brise": 1}
    assert [a.product_id for a in turn.actions] == ["cap-vert", "brise"]


def test_another_order_of_the_same_changes_makes_none_twice(shop):
    dies(shop, TWO, proposes(CAP_VERT, BRISE))
    shop.say(TWO, [proposes(BRISE, CAP_VERT), proposes(CAP_VERT), DONE], keep=keep)
    assert shop.cart() == {"cap-vert": 1, "brise": 1}


def test_a_turn_may_die_as_often_as_it_likes(shop):
    for _ in range(3):
        dies(shop, TWO, proposes(CAP_VERT, BRISE))
    shop.say(TWO, [proposes(BRISE), DONE], keep=keep)
    assert shop.cart() == {"cap-vert": 1, "brise": 1}


def test_another_turn_with_the_same_words_is_another_turn(shop):
    dies(shop, ONE, proposes(CAP_VERT))
    shop.say(ONE, [proposes(CAP_VERT), DONE], keep=keep, turn_id="t2")
    assert shop.cart() == {"cap-vert": 2}


def test_a_turn_that_failed_is_given_up_so_that_it_can_be_tried_at_once(shop):
    shop.index.down = True
    with pytest.raises(IndexUnavailableError):
        shop.say("something fresh for summer", [says("x")], keep=keep)
    assert shop.turns.released == ["t1"]


# --- what is kept of it ------------------------------------------------------------------------


def test_contact_details_reach_no_model_and_health_words_do_but_are_not_kept(shop):
    shop.say(
        "I get migraines, call me on 0612345678 or a.b@example.com: something fresh",
        [says("Cap Vert is light. I hope your migraines stay away. Cap Vert costs 640 MAD.")],
    )
    sent = str(shop.model.requests)
    assert "migraines" in sent
    assert "0612345678" not in sent
    assert "a.b@example.com" not in sent
    [exchange] = shop.turns.kept["ana"].exchanges
    assert exchange.user == "I get [private], call me on [phone] or [email]: something fresh"
    assert "migraine" not in exchange.assistant


def test_an_order_beside_a_contact_detail_is_still_done(shop):
    shop.say("my phone is 0612345678, add Cap Vert", [proposes(CAP_VERT), DONE])
    assert shop.cart() == {"cap-vert": 1}
