"""The expert in the chat: a profile out of words, reasons in the shopper's language, why not another, and nothing of health kept."""

import json
from typing import Any

import pytest
from shopping_agent import bootstrap
from shopping_agent.adapters.llm.scripted import ScriptedModel, proposes, says
from shopping_agent.domain.conversation import ModelReply, ModelRequest, ToolResult, UserMessage

WISH = {
    "en": "I live in Marrakech, I get migraines, something for the office under 700 dh",
    "fr": "J'habite à Marrakech, j'ai des migraines, quelque chose pour le bureau à moins de 700 dh",
    "ar": "أسكن في مراكش وعندي الشقيقة، أريد شيئاً للعمل بأقل من 700 درهم",
    "ary": "ساكن فمراكش وعندي الشقيقة، بغيت شي حاجة للخدمة قل من 700 درهم",
    "ary-latn": "saken f mrakch, 3endi chqi9a, bghit chi 7aja l lkhdma b 9el mn 700 dh",
}
WHY_NOT = {
    "en": "why not Oud Marjana?",
    "fr": "pourquoi tu n'as pas proposé Oud Marjana ?",
    "ar": "لماذا ليس عود الحرير؟",
    "ary": "علاش ماشي عود الحرير؟",
    "ary-latn": "3lach machi Oud Marjana?",
}
EXCLUDED = ("oud", "amber", "incense", "castoreum", "leather")


@pytest.fixture(scope="module")
def expert(settings: Any) -> Any:
    return bootstrap.expert_files(settings).current()


def block(request: ModelRequest, name: str) -> Any:
    for message in request.messages:
        if isinstance(message, UserMessage):
            for one in message.data:
                if one.name == name:
                    return one.content
    return None


@pytest.mark.parametrize("language", WISH)
def test_a_climate_a_migraine_an_office_and_a_budget_in_one_message(say, expert, language) -> None:
    reply = say(WISH[language]).json
    products = reply["products"]
    assert len(products) == 3
    migraine = expert.rule("migraine")
    masks = [expert.glossary.terms[term].mask for term in migraine.exclude]
    for product in products:
        assert product["inStock"]
        assert product["price"] <= 700
        assert "oud" not in product["families"]
        assert "oud" not in [note for notes in product["notes"].values() for note in notes]
    found = bootstrap.search_service(bootstrap.settings())
    full = found.get([p["id"] for p in products], _deadline())
    for product in full:
        assert not any(expert.glossary.traits(product).bits & mask for mask in masks)
    reasons = [text for product in products for text in product["reasons"]]
    own = {rule.reason[language] for rule in expert.rules}
    assert reasons
    assert all(any(text.endswith(reason) for reason in own) for text in reasons)
    labels = [
        expert.schema.label("climate", "hot", language),
        expert.schema.label("occasion", "work", language),
    ]
    assert all(label in reply["answer"] for label in labels)
    assert migraine.reason[language] in reply["answer"]


@pytest.mark.parametrize("language", WHY_NOT)
def test_why_not_names_the_rule_that_leaves_it_out(say, expert, language) -> None:
    say(WISH[language])
    answer = say(WHY_NOT[language], locale=language).json["answer"]
    assert "migraine" in answer
    assert expert.rule("migraine").reason[language] in answer


def test_why_not_in_the_message_that_tells_it_excludes(say) -> None:
    answer = say("I get migraines. Why not Oud Marjana?").json["answer"]
    assert "left out" in answer
    assert "I do not keep" not in answer


def test_why_not_tells_what_lowers_a_product_that_nothing_excludes(say, expert) -> None:
    say("I live in Marrakech, something for the office")
    answer = say("why not Oud Marjana?").json["answer"]
    named = [rule for rule in expert.rules if f"“{rule.name}”" in answer]
    assert named
    assert named[0].reason["en"] in answer


def test_why_not_tells_the_wish_that_a_product_breaks(say) -> None:
    say("something for the evening under 300 dh")
    assert "the budget" in say("why not Oud Marjana?").json["answer"]


def test_what_was_said_of_health_is_nowhere_after_the_turn(say) -> None:
    first = say(WISH["en"], turnId="t-1").json
    assert "gets migraines" in first["answer"]
    kept = say.at_store("GET", "/api/v1/sessions/current/export").text
    assert "migraine" not in kept.lower()
    assert '\\"climate\\"' in kept or '"climate"' in kept
    again = say("something for the evening").json
    assert "migraine" not in again["answer"]


def test_a_shopper_who_agrees_is_remembered_until_they_take_it_back(say) -> None:
    first = say(WISH["en"]).json
    chip = next(text for text in first["suggestions"] if text.startswith("Remember"))
    second = say(chip).json
    assert "gets migraines" in second["answer"]
    assert not any(text.startswith("Remember") for text in second["suggestions"])
    third = say("something for a wedding").json
    assert "gets migraines" in third["answer"]
    assert not any("oud" in product["families"] for product in third["products"])
    last = say("forget the sensitivities").json
    assert "migraine" not in last["answer"]
    assert "migraine" not in say.at_store("GET", "/api/v1/sessions/current/export").text.lower()


def test_the_profile_is_shown_back_and_can_be_corrected(say) -> None:
    first = say("I live in Marrakech, something for the office").json["answer"]
    assert "I kept in mind: office, hot climate." in first
    assert "I kept in mind: hot climate." in say("no, not for the office").json["answer"]
    last = say("forget the climate").json
    assert "hot climate" not in last["answer"]
    assert last["products"]


def test_more_of_the_shopper_goes_on_with_what_was_wished_for(say) -> None:
    say("something for the office under 300 dh")
    reply = say("my skin is dry").json
    assert "office" in reply["answer"]
    assert "dry skin" in reply["answer"]
    assert all(product["price"] <= 300 for product in reply["products"])


def test_at_most_two_questions_beside_products_and_none_twice(say) -> None:
    seen: list[str] = []
    for message in ("something for the office", "I live in Ifrane", "dry skin", "anything else?"):
        reply = say(message).json
        assert reply["products"]
        seen += [text for text in reply["suggestions"] if not text.startswith("Remember")]
        assert len(reply["suggestions"]) <= 8
    assert len(seen) == len(set(seen))


def test_an_answer_chip_is_understood_as_the_answer(say) -> None:
    first = say("something for the office under 500 dh").json
    assert first["suggestions"]
    reply = say(first["suggestions"][0]).json
    assert first["suggestions"][0] in reply["answer"]
    assert "office" in reply["answer"]
    assert all(product["price"] <= 500 for product in reply["products"])


def test_where_nothing_is_recommended_nothing_is_asked(say) -> None:
    for message in ("do you deliver to Agadir?", "add Nuit de Cannelle to my cart", "hello"):
        reply = say(message).json
        assert not any("reasons" in product for product in reply["products"])
        assert "climate" not in json.dumps(reply["suggestions"])


def test_the_tool_the_search_and_the_cards_agree_on_the_first(
    say, settings, use, monkeypatch
) -> None:
    def recommends(request: ModelRequest) -> ModelReply:
        results = [m for m in request.messages if isinstance(m, ToolResult)]
        if results:
            first = results[-1].content["products"][0]
            return says(f"{first['name']} is the one.")
        return proposes(("recommend_products", {"profile": {}}))

    model = ScriptedModel(recommends)
    offline = say(WISH["en"]).json["products"][0]["id"]
    use(settings)
    monkeypatch.setattr(bootstrap, "language_model", lambda settings: model)
    bootstrap.assistant.cache_clear()
    try:
        reply = say(WISH["en"]).json
    finally:
        bootstrap.assistant.cache_clear()
    searched = block(model.requests[0], "search_products")
    told = next(m for m in model.requests[-1].messages if isinstance(m, ToolResult)).content
    assert told["products"][0]["id"] == told["best"] == searched["best"] == offline
    assert told["products"][0]["reasons"]
    assert {rule["rule"] for one in told["excluded"] for rule in one["rules"]} == {"migraine"}
    assert len(block(model.requests[0], "advice").get("questions", ())) <= 2
    assert reply["products"][0]["id"] == offline


def test_a_wrong_profile_goes_back_to_the_model_with_what_is_allowed(
    say, settings, use, monkeypatch
) -> None:
    def wrong(request: ModelRequest) -> ModelReply:
        if any(isinstance(m, ToolResult) for m in request.messages):
            return says("Let me see.")
        return proposes(("recommend_products", {"profile": {"climate": "lukewarm"}}))

    model = ScriptedModel(wrong)
    use(settings)
    monkeypatch.setattr(bootstrap, "language_model", lambda settings: model)
    bootstrap.assistant.cache_clear()
    try:
        say("something for the office")
    finally:
        bootstrap.assistant.cache_clear()
    result = next(m for m in model.requests[1].messages if isinstance(m, ToolResult)).content
    assert result["error"]["code"] == "invalid_arguments"
    assert "hot, cold, humid, mixed" in result["error"]["message"]


def test_the_best_of_a_delegated_choice_is_the_first_that_is_shown(
    new_shopper, settings, use
) -> None:
    use(settings)
    shown = new_shopper()(
        "I live in Marrakech, something for the office under 700 dh, the best"
    ).json
    added = new_shopper()(
        "I live in Marrakech, add the best for the office under 700 dh to my cart"
    )
    assert [*added.cart] == [shown["products"][0]["id"]]


def _deadline() -> Any:
    from shopping_agent.domain.deadline import Deadline

    return Deadline.after(10)


@pytest.mark.parametrize(
    "words",
    [
        "something fresh for summer",
        "un parfum boisé pour le bureau",
        "cadeau floral pour ma mère",
        "عطر منعش للصيف",
        "chi parfum l lkhdma",
        "something long lasting for the evening",
        "oud for a wedding",
        "I live in Ifrane, something for the office",
    ],
)
def test_the_page_of_a_search_begins_with_what_the_assistant_recommends(say, words) -> None:
    recommended = say(words).json["products"][0]["id"]
    query = {"query": words, "inStock": "true"}
    page = say.at_store("GET", "/api/v1/products", query=query).json["products"]
    assert page[0]["id"] == recommended
