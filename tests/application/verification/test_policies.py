import pytest
from shopping_agent.application.verification.policies import about, topics_at, topics_of
from shopping_agent.application.verification.topics import tells
from shopping_agent.domain.text import fold


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("You may send it back within 14 days.", "return"),
        ("Vous avez 14 jours pour nous renvoyer le flacon.", "return"),
        ("يمكنك إرجاع القارورة خلال 14 يوماً.", "return"),
        ("عندك 14 يوم باش ترجع القرعة", "return"),
        ("3ndek 14 yom bach trje3 l9er3a", "return"),
        ("The money is refunded within 7 days.", "refund"),
        ("Le colis attend 5 jours au point relais.", "waits"),
        ("نحجز المنتجات لمدة 3 أيام", "reserve"),
    ],
)
def test_what_a_statement_of_policy_is_about_is_read_in_five_language_codes(text, topic) -> None:
    assert topics_of(fold(text)) == {topic}


def test_money_that_comes_back_is_no_product_that_goes_back() -> None:
    assert topics_of("after a return we refund you") == {"refund"}


def test_a_figure_is_tied_to_the_matter_of_its_own_clause() -> None:
    text = "the courier picks it up within 3 days, and we refund within 7 days"
    assert topics_at(text, text.index("3")) == {"collect"}
    assert topics_at(text, text.index("7")) == {"refund"}


def test_a_sentence_of_a_guide_is_about_what_the_one_before_was_about() -> None:
    guide = "You can return a product within 14 days. The 14 days start on the first day."
    assert about(frozenset({"waits"}), [guide]) == []
    assert len(about(frozenset({"return"}), [guide])) == 2


@pytest.mark.parametrize(
    "text",
    [
        "twice the price of the other",
        "deux fois plus cher",
        "le double de l'autre",
        "ضعف ثمن الآخر",
        "doubl dyal lakhor",
    ],
)
def test_a_ratio_of_prices_is_read(text) -> None:
    assert tells("twice", fold(text))


@pytest.mark.parametrize("text", ["spray twice a day", "deux fois par jour", "مرتين في اليوم"])
def test_how_often_something_is_done_is_no_ratio_of_prices(text) -> None:
    assert not tells("twice", fold(text))
