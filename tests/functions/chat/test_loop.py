"""The tool loop through the real handler: models that misbehave, and what the shopper gets all the same."""

from collections.abc import Callable, Generator
from itertools import count
from typing import Any

import pytest
from shopping_agent import bootstrap
from shopping_agent.adapters.llm.offline import OfflineModel
from shopping_agent.adapters.llm.scripted import Script, ScriptedModel, proposes, says
from shopping_agent.domain.conversation import (
    AssistantMessage,
    ModelReply,
    ModelRequest,
    ModelUsage,
    TokenUsage,
    ToolCall,
    ToolResult,
    UserMessage,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import LanguageModelError
from shopping_agent.ports import LanguageModel

FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."
DELIVERY = "do you deliver to Agadir?"
NUITS = "nuit-de-cannelle"
ADD_NUITS = "add Nuit de Cannelle to my cart"

Play = Callable[..., ScriptedModel]


@pytest.fixture
def play(settings: Any, use: Any, monkeypatch: pytest.MonkeyPatch) -> Generator[Play]:
    """Makes the handler's model follow a script, under these settings."""

    def follow(script: Script, **changed: Any) -> ScriptedModel:
        model = ScriptedModel(script)
        use(settings.model_copy(update=changed))
        monkeypatch.setattr(bootstrap, "language_model", lambda settings: model)
        bootstrap.assistant.cache_clear()
        return model

    yield follow
    bootstrap.assistant.cache_clear()


@pytest.fixture
def client(new_shopper: Any) -> Any:
    return new_shopper()


def best_of(request: ModelRequest) -> str:
    """The top of the search that came with the message."""
    for message in request.messages:
        if isinstance(message, UserMessage):
            for block in message.data:
                if block.name == "search_products":
                    return block.content["best"]
    raise AssertionError("no search in the request")


def added(request: ModelRequest) -> bool:
    return any(isinstance(m, ToolResult) and m.content.get("ok") for m in request.messages)


def obeys(request: ModelRequest) -> ModelReply:
    """A model that adds the best product and then says so."""
    if added(request):
        return says("Done, it is in your cart.")
    return proposes(("add_to_cart", {"productId": best_of(request)}))


def adds(product_id: str, then: ModelReply | Exception) -> list[ModelReply | Exception]:
    return [proposes(("add_to_cart", {"productId": product_id})), then]


# --- bounds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [1, 4, 30])
def test_a_model_that_calls_tools_for_ever_ends_with_what_was_found(play, client, batch):
    numbers = count()
    model = play(
        lambda request: proposes(
            *(("search_products", {"query": f"fresh {next(numbers)}"}) for _ in range(batch))
        )
    )
    answer = client("something fresh for summer")
    assert (answer.status, answer.json["finish"]) == (200, "step_limit")
    assert len(model.requests) <= 11
    results = [m for m in model.requests[-1].messages if isinstance(m, ToolResult)]
    refused = [r for r in results if r.content.get("error", {}).get("code") == "step_limit"]
    assert len(results) - len(refused) <= 10
    # Every proposal has a result: those beyond the limit that they were not run.
    assert bool(refused) == (batch > 1)
    assert answer.json["products"]
    assert answer.json["products"][0]["name"] in answer.json["answer"]


def test_a_model_that_repeats_a_call_is_told_so_and_then_must_answer(play, client):
    again = proposes(("search_products", {"query": "oud"}))
    model = play([again, again, again, says("I have found some perfumes for you.")])
    answer = client("something with oud")
    assert answer.json["finish"] == "answered"
    assert [r.tool_choice for r in model.requests] == ["auto", "auto", "auto", "none"]
    assert all(r.tools for r in model.requests)
    notes = [m.content for m in model.requests[-1].messages if isinstance(m, ToolResult)]
    assert ["note" in note for note in notes] == [False, True, True]


def test_a_model_that_goes_on_repeating_is_answered_for(play, client):
    model = play(lambda request: proposes(("get_cart", {})))
    answer = client("something with oud")
    assert (answer.json["finish"], len(model.requests)) == ("step_limit", 4)
    assert answer.json["products"]


def test_the_same_addition_over_and_over_adds_once(play, client):
    play(lambda request: proposes(("add_to_cart", {"productId": NUITS, "quantity": 1})))
    answer = client(ADD_NUITS)
    assert answer.cart == {NUITS: 1}
    assert answer.json["finish"] == "step_limit"
    assert "Nuit de Cannelle" in answer.json["answer"]
    assert "420 MAD" in answer.json["answer"]


def test_unknown_tools_and_calls_that_cannot_run_are_bounded_and_named_to_the_model(play, client):
    def script(request: ModelRequest) -> ModelReply:
        if request.tool_choice == "none":
            return says("I could not do that.")
        calls = (
            ToolCall("", "", {}),
            ToolCall("", "repo_browser.open_file", {"path": "x"}),
            ToolCall("", "add_to_cart", {}, fault="The arguments are no JSON object."),
        )
        return ModelReply(tool_calls=calls, finish="tool_calls")

    model = play(script)
    answer = client(ADD_NUITS)
    assert (answer.status, answer.cart) == (200, {})
    assert len(model.requests) == 4
    results = [m for m in model.requests[1].messages if isinstance(m, ToolResult)]
    errors = [r.content["error"] for r in results]
    assert [e["code"] for e in errors] == ["unknown_tool", "unknown_tool", "invalid_arguments"]
    assert "add_to_cart" not in errors[0]["message"]
    assert "add_to_cart" in errors[1]["message"]
    assert errors[2]["message"] == "The arguments are no JSON object."
    [proposal] = [m for m in model.requests[1].messages if isinstance(m, AssistantMessage)]
    names = [call.name for call in proposal.tool_calls]
    assert all(name and name.replace("_", "").isalnum() for name in names)
    assert names == [r.name for r in results]


@pytest.mark.parametrize(
    ("limits", "usage"),
    [
        ({"max_turn_tokens": 5_000}, TokenUsage(1, 3_000, 200)),
        ({"max_turn_spend": 0.001}, TokenUsage(1, 10, 10)),
    ],
)
def test_a_turn_that_has_used_its_tokens_or_money_ends_with_the_facts(play, client, limits, usage):
    numbers = count()

    def script(request: ModelRequest) -> ModelReply:
        call = ToolCall("", "search_products", {"query": f"oud {next(numbers)}"})
        spent = (ModelUsage("scripted", "scripted", usage, cost_micros=600),)
        return ModelReply(tool_calls=(call,), finish="tool_calls", usage=usage, spent=spent)

    play(script, **limits)
    answer = client("something with oud")
    assert answer.json["finish"] == "step_limit"
    assert next(numbers) == 2
    assert answer.json["products"]


# --- words that are no answer, and claims that are none --------------------------------------------


@pytest.mark.parametrize(
    ("message", "lie", "said"),
    [
        (ADD_NUITS, "I added Nuit de Cannelle to your cart.", "Your cart has not changed."),
        (ADD_NUITS, "It is already in your cart!", "Your cart has not changed."),
        (ADD_NUITS, "Nuit de Cannelle is already in your cart.", "Your cart has not changed."),
        (
            "ajoute Nuit de Cannelle à mon panier",
            "C'est fait, j'ai ajouté Nuit de Cannelle.",
            "Votre panier n'a pas changé.",
        ),
        (
            "ajoute Nuit de Cannelle à mon panier",
            "Nuit de Cannelle est déjà dans votre panier.",
            "Votre panier n'a pas changé.",
        ),
        ("أضف Nuit de Cannelle إلى سلتي", "أضفت المنتج إلى سلتك.", "لم تتغير سلتك."),
        ("أضف Nuit de Cannelle إلى سلتي", "المنتج موجود بالفعل في سلتك.", "لم تتغير سلتك."),
        ("زيد Nuit de Cannelle فالسلة ديالي", "زدت ليك العطر.", "السلة ديالك ما تبدلاتش."),
        ("زيد Nuit de Cannelle فالسلة ديالي", "راه فالسلة ديالك.", "السلة ديالك ما تبدلاتش."),
        ("zid Nuit de Cannelle f panier dyali", "Zedt lik l3tr.", "Panier dyalek ma tbeddelch."),
        (
            "zid Nuit de Cannelle f panier dyali",
            "Rah deja f panier.",
            "Panier dyalek ma tbeddelch.",
        ),
    ],
)
def test_success_that_was_not_had_is_never_told(play, client, message, lie, said):
    play([says(lie)])
    answer = client(message)
    assert (answer.cart, answer.json["actions"]) == ({}, [])
    assert lie not in answer.json["answer"]
    assert said in answer.json["answer"]


def test_what_is_in_the_cart_may_be_said(play, client):
    play([*adds(NUITS, says("Done: Nuit de Cannelle is now in your cart at 420 MAD.")), says("")])
    answer = client(ADD_NUITS)
    assert answer.json["answer"] == "Done: Nuit de Cannelle is now in your cart at 420 MAD."
    truth = "Nuit de Cannelle is already in your cart. Shall I add another one?"
    play([says(truth)])
    assert client(ADD_NUITS).json["answer"] == truth


def test_a_model_that_never_calls_changes_nothing_and_is_not_asked_twice(play, client):
    text = "You can put it into the cart with the button under its picture."
    model = play([says(text)])
    answer = client(ADD_NUITS)
    assert (answer.json["answer"], answer.cart) == (text, {})
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("message", "announced"),
    [
        (ADD_NUITS, "Sure! Let me check that for you."),
        (ADD_NUITS, "I'll add it to your cart now."),
        ("ajoute Nuit de Cannelle à mon panier", "D'accord, je vérifie tout de suite."),
        ("ajoute Nuit de Cannelle à mon panier", "Un instant, je regarde..."),
        ("أضف Nuit de Cannelle إلى سلتي", "حسناً، سأتحقق من ذلك الآن."),
        ("زيد Nuit de Cannelle فالسلة ديالي", "واخا، غادي نشوف."),
        ("zid Nuit de Cannelle f panier dyali", "Wakha, ghadi nchouf daba."),
    ],
)
def test_a_model_that_only_announces_is_asked_once_to_act(play, client, message, announced):
    model = play([says(announced), *adds(NUITS, says("420 MAD."))])
    assert client(message).cart == {NUITS: 1}
    assert len(model.requests) == 3


def test_a_model_that_announces_again_is_answered_for(play, client):
    model = play(lambda request: says("One moment, I'll check."))
    answer = client("something with oud")
    assert (answer.json["finish"], len(model.requests)) == ("provider_unavailable", 2)
    assert "I'll check" not in answer.json["answer"]
    assert answer.json["products"]


def test_a_question_is_not_answered_by_an_announcement_either(play, client):
    model = play([says("Let me check that for you."), says("Yes, we deliver to Agadir.")])
    assert client(DELIVERY).json["answer"].startswith("Yes, we deliver to Agadir.")
    assert len(model.requests) == 2


def test_an_empty_text_after_a_result_is_asked_for_once_and_then_told_from_the_facts(play, client):
    model = play([*adds(NUITS, says("")), says("Added for 420 MAD.")])
    assert client(ADD_NUITS).json["answer"] == "Added for 420 MAD."
    assert not [m for m in model.requests[-1].messages if m == AssistantMessage("")]
    play([*adds(NUITS, says("")), says("")])
    answer = client(ADD_NUITS)
    assert "Added to your cart: 1 × Nuit de Cannelle" in answer.json["answer"]
    assert "Cart total: 840 MAD" in answer.json["answer"]


@pytest.mark.parametrize("question", [ADD_NUITS, DELIVERY])
@pytest.mark.parametrize(
    "markup",
    [
        '<function=search_guides>{"query": "Agadir"}</function>',
        "<think>The shopper wants delivery.</think> Yes.",
        'search_guides{"query": "Agadir"}',
        "<|start|>assistant<|channel|>commentary to=functions.search_guides",
        '{"name": "search_guides", "arguments": {"query": "Agadir"}}',
    ],
)
def test_markup_and_reasoning_are_never_shown(play, client, markup, question):
    model = play(lambda request: says(markup))
    answer = client(question)
    assert (answer.json["finish"], len(model.requests)) == ("provider_unavailable", 2)
    assert "<" not in answer.json["answer"]
    assert "search_guides" not in answer.json["answer"]


def test_a_text_that_was_cut_off_ends_with_its_last_whole_sentence(play, client):
    cut = "Yes, we deliver to Agadir. Delivery takes 2 to 3 working da"
    play([ModelReply(cut, finish="length")])
    answer = client(DELIVERY).json["answer"]
    assert answer.startswith("Yes, we deliver to Agadir.")
    assert "working da" not in answer
    play(lambda request: ModelReply("Delivery to Agadir usually takes", finish="length"))
    answer = client(DELIVERY)
    assert "usually takes" not in answer.json["answer"]
    assert "Agadir" in answer.json["answer"]


# --- failures of providers ------------------------------------------------------------------------


def test_what_a_provider_blocks_is_declined_and_never_sent_again(play, client):
    play([says("Hello.")])
    client("bonjour, quelque chose de boisé ?")
    for blocked in (LanguageModelError("content_refused", "x"), ModelReply(finish="refused")):
        model = play([blocked])
        answer = client("quelque chose de très spécial et boisé")
        assert (answer.status, answer.json["finish"]) == (200, "refused")
        assert answer.json["answer"].startswith("Je ne peux pas vous aider sur ce point")
        assert len(model.requests) == 1
    model = play([says("Voici.")])
    client("quelque chose de boisé ?")
    sent = [m.text for m in model.requests[0].messages if not isinstance(m, ToolResult)]
    assert not [text for text in sent if "très spécial" in text or "sur ce point" in text]


def test_a_refusal_after_a_change_tells_what_was_changed(play, client):
    play(adds(NUITS, LanguageModelError("content_refused", "x")))
    answer = client(ADD_NUITS)
    assert (answer.cart, answer.json["finish"]) == ({NUITS: 1}, "refused")
    assert "Added to your cart: 1 × Nuit de Cannelle" in answer.json["answer"]


@pytest.mark.parametrize("kind", ["overloaded", "timeout", "auth", "malformed", "connection"])
def test_without_any_provider_the_answer_is_what_was_found(play, client, kind):
    play([LanguageModelError(kind, "x")])
    answer = client("something with oud")
    assert (answer.status, answer.json["finish"]) == (200, "provider_unavailable")
    assert answer.json["products"]


@pytest.mark.parametrize(
    ("kind", "asked", "told"),
    [
        ("rate_limited", 20.0, 20),
        ("rate_limited", 0.2, 1),
        ("rate_limited", 1.01, 2),
        ("rate_limited", None, 2),
        ("quota_exhausted", 3_600.0, 3_600),
        ("quota_exhausted", None, 60),
    ],
)
@pytest.mark.parametrize("message", [ADD_NUITS, DELIVERY])
def test_a_providers_limit_is_a_429_with_its_wait(play, client, kind, asked, told, message):
    model = play([LanguageModelError(kind, "x", retry_after=asked)])
    answer = client(message)
    assert (answer.status, answer.code) == (429, "rate_limited")
    assert answer.headers["Retry-After"] == str(told)
    assert len(model.requests) == 1


def test_a_request_that_met_a_limit_may_be_sent_again_at_once(play, client):
    play([says("Hello.")])
    client("something with oud")
    limit = LanguageModelError("rate_limited", "x", retry_after=2.0)
    play([limit, limit, *adds(NUITS, says("420 MAD.")), *adds(NUITS, says("420 MAD."))])
    keyed = {"headers": {"authorization": f"Bearer {client.token}", "idempotency-key": "k-1"}}
    body = '{"message": "add Nuit de Cannelle to my cart"}'
    assert client.send(body, **keyed).status == 429
    assert client(ADD_NUITS, turnId="t-1").status == 429
    assert client.send(body, **keyed).cart == {NUITS: 1}
    assert client(ADD_NUITS, turnId="t-1").cart == {NUITS: 2}


def test_a_limit_after_a_change_is_told_with_the_change(play, client):
    play(adds(NUITS, LanguageModelError("rate_limited", "x", retry_after=20.0)))
    answer = client(ADD_NUITS)
    assert (answer.status, answer.json["finish"]) == (200, "provider_unavailable")
    assert answer.cart == {NUITS: 1}
    assert "Added to your cart: 1 × Nuit de Cannelle" in answer.json["answer"]


class TakenOver:
    """The first model makes one step, then it is down and the offline one goes on, as in a chain."""

    def __init__(self, step: ModelReply, then: LanguageModel) -> None:
        self.name = self.model = "chain"
        self._step: ModelReply | None = step
        self._then = then

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        step, self._step = self._step, None
        return step or self._then.complete(request, deadline)


RAS = "ras-el-nuit"


@pytest.mark.parametrize(
    ("held", "message", "made", "cart", "said"),
    [
        ({}, ADD_NUITS, ("add_to_cart", {"productId": NUITS}), {NUITS: 1}, "1 × Nuit"),
        (
            {},
            ADD_NUITS,
            ("add_to_cart", {"productId": NUITS, "quantity": 1}),
            {NUITS: 1},
            "1 × Nuit",
        ),
        (
            {NUITS: 1},
            "add one Nuit de Cannelle to my cart",
            ("update_cart_item", {"productId": NUITS, "quantity": 2}),
            {NUITS: 2},
            "Quantity of Nuit",
        ),
        (
            {NUITS: 2},
            "set Nuit de Cannelle to 3",
            ("add_to_cart", {"productId": NUITS}),
            {NUITS: 3},
            "Nuit",
        ),
        (
            {NUITS: 2},
            "remove Nuit de Cannelle from my cart",
            ("update_cart_item", {"productId": NUITS, "quantity": 0}),
            {},
            "Removed from your cart: Nuit",
        ),
        (
            {},
            "add Nuit de Cannelle and Ras el Nuit to my cart",
            ("add_to_cart", {"productId": NUITS}),
            {NUITS: 1, RAS: 1},
            "1 × Ras",
        ),
    ],
)
def test_what_a_model_changed_before_it_failed_is_not_done_again_by_the_next(
    play, client, settings, monkeypatch, held, message, made, cart, said
):
    play([])
    client("hello")
    carts = bootstrap.cart_store(settings)
    shopper = bootstrap.identities(settings).guest_of(client.token)
    for product_id, quantity in held.items():
        carts.add(shopper, product_id, quantity, Deadline.after(5))
    bootstrap.assistant.cache_clear()
    chain = TakenOver(proposes(made), OfflineModel(pack=bootstrap.store_pack(settings)))
    monkeypatch.setattr(bootstrap, "language_model", lambda settings: chain)
    answer = client(message)
    assert answer.cart == cart
    assert said in answer.json["answer"]
    assert answer.json["finish"] == "answered"


def test_the_best_that_a_model_took_before_it_failed_is_the_choice_of_the_turn(
    play, client, settings, monkeypatch
):
    play(lambda request: says(best_of(request)))
    best = client(FLAGSHIP).json["answer"]
    bootstrap.assistant.cache_clear()
    chain = TakenOver(
        proposes(("add_to_cart", {"productId": best})),
        OfflineModel(pack=bootstrap.store_pack(settings)),
    )
    monkeypatch.setattr(bootstrap, "language_model", lambda settings: chain)
    assert client(FLAGSHIP).cart == {best: 1}


def test_a_tool_that_crashes_costs_its_call_and_not_the_turn(play, client, monkeypatch):
    from shopping_agent.application.tools.catalog import CatalogTools

    def crash(*_: Any) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(CatalogTools, "search", crash)
    model = play(
        [
            proposes(("search_products", {"query": "oud"}), ("get_cart", {})),
            says("I could not look that up."),
        ]
    )
    assert client("something with oud").status == 200
    results = [m for m in model.requests[-1].messages if isinstance(m, ToolResult)]
    assert [r.content.get("ok") for r in results] == [False, True]
    assert results[0].content["error"]["code"] == "tool_unavailable"
    assert "bug" not in str(results[0].content)


# --- FAST_CONFIRMATION ---------------------------------------------------------------------------

FLAGSHIPS = [
    (FLAGSHIP, "Added to your cart: 1 × ", "Cart total: "),
    (
        "Quelque chose de frais pour l'été, à moins de 800 MAD, et ajoute le meilleur à mon panier.",
        "Ajouté à votre panier : 1 × ",
        "Total du panier : ",
    ),
    (
        "أريد شيئاً منعشاً للصيف بأقل من 800 درهم، وأضف الأفضل إلى سلتي.",
        "أضيف إلى سلتك: 1 × ",
        "مجموع السلة: ",
    ),
    (
        "بغيت شي حاجة منعشة للصيف تحت 800 درهم، وزيد الأحسن فالسلة ديالي",
        "تزاد فالسلة ديالك: 1 × ",
        "المجموع ديال السلة: ",
    ),
    (
        "bghit chi 7aja fresh l sif t7t 800 dh, w zid l7sen f panier dyali",
        "Tzad f panier dyalek: 1 × ",
        "Total dyal panier: ",
    ),
]


@pytest.mark.parametrize(("message", "opening", "total"), FLAGSHIPS)
def test_a_plain_order_is_confirmed_with_one_model_call(play, client, message, opening, total):
    model = play(obeys, fast_confirmation=True)
    answer = client(message)
    assert (len(model.requests), answer.json["usage"]["calls"]) == (1, 1)
    assert answer.json["finish"] == "answered"
    [line] = answer.json["cart"]["items"]
    said = answer.json["answer"]
    assert said.startswith(opening)
    assert line["name"] in said
    assert total in said
    [card] = answer.json["products"]
    assert str(card["sizeMl"]) in said.split("\n")[0]
    assert said.count(str(line["unitPrice"])) == 2


@pytest.mark.parametrize(("message", "opening", "total"), FLAGSHIPS)
def test_without_the_setting_the_model_words_it(play, client, message, opening, total):
    model = play(obeys)
    answer = client(message)
    assert (len(model.requests), answer.json["answer"]) == (2, "Done, it is in your cart.")


@pytest.mark.parametrize(
    "message",
    [
        "add Nuit de Cannelle and tell me how long it lasts",
        "add Nuit de Cannelle to my cart. What does it smell of?",
        "add Nuit de Cannelle and write a poem about it",
        "add Nuit de Cannelle and recommend something for my wife",
        "add Nuit de Cannelle and show me my cart",
        "add Nuit de Cannelle and compare it with Ras el Nuit",
        "ajoute Nuit de Cannelle et dis-moi combien de temps il tient",
        "ajoute Nuit de Cannelle et conseille-moi autre chose",
        "أضف Nuit de Cannelle وأخبرني كم يدوم",
        "زيد Nuit de Cannelle وقول ليا شحال كيدوم",
        "zid Nuit de Cannelle w goul liya ch7al kaydoum",
    ],
)
def test_whoever_asks_for_more_than_the_order_is_answered_by_the_model(play, client, message):
    model = play(adds(NUITS, says("It is in your cart.")), fast_confirmation=True)
    answer = client(message)
    assert (len(model.requests), answer.cart) == (2, {NUITS: 1})
    assert answer.json["answer"] == "It is in your cart."


def test_an_order_is_confirmed_only_when_all_of_it_was_carried_out(play, client):
    both = "add Nuit de Cannelle and Ras el Nuit to my cart"
    one = proposes(("add_to_cart", {"productId": NUITS}))
    other = proposes(("add_to_cart", {"productId": "ras-el-nuit"}))
    model = play([one, other, says("no")], fast_confirmation=True)
    answer = client(both)
    assert (len(model.requests), answer.cart) == (2, {NUITS: 1, "ras-el-nuit": 1})
    assert "Ras el Nuit" in answer.json["answer"]
    assert "Cart total: 1330 MAD" in answer.json["answer"]
    model = play([one, says("One of the two is in your cart.")], fast_confirmation=True)
    assert client("add two Nuit de Cannelle to my cart").json["answer"].startswith("One of")
    assert len(model.requests) == 2


def test_removals_and_quantities_are_confirmed_too(play, client):
    play(adds(NUITS, says("x")), fast_confirmation=True)
    client(ADD_NUITS)
    change = proposes(("update_cart_item", {"productId": NUITS, "quantity": 3}))
    play([change], fast_confirmation=True)
    said = client("set Nuit de Cannelle to 3").json["answer"]
    assert "3" in said.split("\n")[0]
    assert "Cart total: 1260 MAD" in said
    play([proposes(("remove_from_cart", {"productId": NUITS}))], fast_confirmation=True)
    answer = client("remove Nuit de Cannelle from my cart")
    assert answer.json["answer"].startswith("Removed from your cart: Nuit de Cannelle")
    assert (answer.cart, answer.json["usage"]["calls"]) == ({}, 1)


def test_a_wish_that_was_not_met_is_told_by_the_model(play, client):
    # No aquatic one of the shop is for winter evenings.
    wish = (
        "An aquatic perfume for winter with an enormous sillage, and add the best one to my cart."
    )
    model = play(obeys, fast_confirmation=True)
    answer = client(wish)
    assert len(answer.cart) == 1
    assert len(model.requests) == 2
