"""One message, one order: in the chat, for "the best one" in the next turn and in the same, and in the two routes."""

from typing import Any

import pytest

# A message, the choice left to us in a next turn, and in the message itself.
MESSAGES = [
    ("something for the office in Marrakech", "add the best one", "{}, add the best one"),
    ("something fresh for summer", "add the best one", "{}, add the best one"),
    ("a gift for a birthday", "add the best one", "{}, add the best one"),
    ("quelque chose de frais pour l'été", "ajoute le meilleur", "{}, ajoute le meilleur"),
    ("quelque chose pour le bureau à Marrakech", "ajoute le meilleur", "{}, ajoute le meilleur"),
    ("quelque chose de boisé pour l'hiver", "ajoute le meilleur", "{}, ajoute le meilleur"),
    ("أريد شيئا للعمل في مراكش", "أضف الأفضل إلى السلة", "{}، أضف الأفضل إلى السلة"),
    ("بغيت شي حاجة للصيف", "زيد الأحسن للسلة", "{}، زيد الأحسن للسلة"),
    ("bghit chi haja fresh l sif", "zid l7sen f panier", "{}, zid l7sen f panier"),
]


@pytest.mark.parametrize(("message", "then", "at_once"), MESSAGES)
def test_a_message_has_one_order_everywhere(
    say: Any, new_shopper: Any, message: str, then: str, at_once: str
) -> None:
    shown = [product["id"] for product in say(message).json["products"]]
    assert len(shown) == 3
    assert list(say(then).cart) == shown[:1]
    assert list(new_shopper()(at_once.format(message)).cart) == shown[:1]
    page = say.at_store("GET", "/api/v1/products", query={"query": message, "limit": "3"}).json
    assert [product["id"] for product in page["products"]] == shown
    body = {"profile": {}, "query": message, "limit": 3}
    recommended = say.at_store("POST", "/api/v1/recommendations", body).json
    assert [product["id"] for product in recommended["products"]] == shown


@pytest.mark.parametrize(
    "message",
    [
        "add the cheapest vanilla perfume and the cheapest oud perfume to my cart",
        "ajoute le moins cher à la vanille et le moins cher au oud",
    ],
)
def test_two_choices_that_are_left_to_us_are_shown_and_not_made_one(say: Any, message: str) -> None:
    answer = say(message)
    assert answer.cart == {}
    assert answer.json["products"]
