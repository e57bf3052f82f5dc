"""A turn watched while it runs, over HTTP to the running stack: chat writes its steps, store answers them."""

import secrets
from typing import Any

import pytest

FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."


@pytest.fixture
def token(stack: Any) -> str:
    return stack.post("/api/v1/sessions").json()["token"]


@pytest.fixture
def steps(stack: Any):
    def of(turn: str, token: str | None, after: int = 0):
        return stack.get(f"/api/v1/ai/turns/{turn}/steps?after={after}", token=token)

    return of


def test_a_turn_tells_what_it_did_in_the_shoppers_language(stack, token, steps) -> None:
    turn = secrets.token_hex(8)
    message = "Quelque chose de frais pour l'été, moins de 800 MAD, ajoute le meilleur au panier"
    stack.post("/api/v1/ai/cart", {"message": message, "turnId": turn}, token)
    told = steps(turn, token).json()
    assert told["done"]
    assert [step["kind"] for step in told["steps"]][:2] == ["search", "think"]
    assert "cart" in [step["kind"] for step in told["steps"]]
    assert told["steps"][0]["label"] == "Je cherche dans la boutique…"
    assert [s["seq"] for s in told["steps"]] == list(range(1, len(told["steps"]) + 1))
    last = told["steps"][-1]["seq"]
    assert steps(turn, token, last).json() == {"steps": [], "done": True}


def test_only_the_shopper_of_a_turn_sees_its_steps(stack, token, steps) -> None:
    turn = secrets.token_hex(8)
    stack.post("/api/v1/ai/cart", {"message": FLAGSHIP, "turnId": turn}, token)
    other = stack.post("/api/v1/sessions").json()["token"]
    assert steps(turn, other).json() == {"steps": [], "done": False}
    assert steps(turn, None).status == 401


def test_a_turn_without_an_id_of_its_client_leaves_no_steps(stack, token) -> None:
    stack.post("/api/v1/ai/cart", {"message": FLAGSHIP}, token)
    records = stack.get("/api/v1/sessions/current/export", token=token).json()["records"]
    assert "steps" not in [record["kind"] for record in records]


def test_a_number_that_is_none_is_refused_by_name(stack, token) -> None:
    answer = stack.get("/api/v1/ai/turns/t/steps?after=x", token=token)
    assert answer.status == 422
    assert answer.json()["field"] == "after"


def test_a_person_can_be_reached_by_a_button(stack, token) -> None:
    reply = stack.post("/api/v1/ai/cart", {"message": "I want to talk to a human"}, token).json()
    urls = [action["url"] for action in reply["actions"] if action["type"] == "contact"]
    assert [url.partition(":")[0] for url in urls] == ["https", "tel", "mailto"]


def test_the_store_says_who_it_is_in_the_language_of_the_page(stack) -> None:
    store = stack.get("/api/v1/store?locale=fr-MA").json()
    assert store["language"] == "fr"
    assert store["values"]["family.citrus"] == "hespéridé"
    assert len(store["suggestions"]) >= 3
    assert stack.get("/api/v1/store?locale=xx").json()["language"] == "en"
