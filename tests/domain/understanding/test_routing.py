"""No wrong door: only certain questions go to the answer without tools."""

import pytest


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("How long does delivery to Agadir take?", "delivery"),
        ("Can I return a perfume I already opened?", "returns"),
        ("are your perfumes authentic?", "authenticity"),
        ("do you accept cash on delivery?", "payment"),
        ("Quels sont les délais de livraison ?", "delivery"),
        ("est-ce que vos parfums sont authentiques ?", "authenticity"),
        ("quelle est la différence entre eau de toilette et eau de parfum ?", "concentration"),
        ("هل التوصيل مجاني؟", "delivery"),
        ("هل يمكنني الدفع عند الاستلام؟", "payment"),
        ("واش كتوصلو لطنجة؟", "delivery"),
        ("wach katwaslo l tanja?", "delivery"),
        ("wach lparfum original?", "authenticity"),
    ],
)
def test_a_clear_question_about_the_stores_texts_goes_to_rag(reading, text, topic):
    understood = reading(text)
    assert (understood.intent, understood.route) == ("knowledge", "rag")
    assert topic in understood.query.topics


@pytest.mark.parametrize(
    "text",
    [
        "is it in stock? if so add it",
        "how long does it last? ok I'll take it",
        "do you deliver to Fes? put two in my cart",
        "il tient longtemps ? alors je le prends",
        "vous livrez à Fès ? ajoutez-le",
        "هل هو أصلي؟ إذن أضفه إلى السلة",
        "واش أصلي؟ زيدو ليا",
        "wach kaychd? ila ah zido lia",
        "can I pay now?",
        "could you remove it from my cart?",
    ],
)
def test_an_action_hidden_in_a_question_never_goes_to_rag(reading, shown, text):
    understood = reading(text, shown=shown[:1])
    assert understood.route == "agent"


def test_a_question_about_the_product_in_focus_is_knowledge(reading, shown):
    understood = reading("Is it vegan?", shown=shown[:1])
    assert understood.intent == "knowledge"
    assert "vegan" in understood.query.topics
    assert understood.query.action == "none"


@pytest.mark.parametrize(
    "text",
    ["hello", "Bonjour !", "السلام عليكم", "salam", "thank you so much", "merci beaucoup", "شكرا", "hi, how are you?", "bslama 👋"],
)  # fmt: skip
def test_pure_courtesy_is_a_greeting(reading, text):
    understood = reading(text)
    assert (understood.intent, understood.route) == ("general", "greeting")


def test_courtesy_while_a_question_is_open_is_for_the_agent(reading):
    assert reading("thanks", pending=True).route == "agent"


@pytest.mark.parametrize(
    "text",
    ["hello, something woody please", "salam, bghit chi 7aja fresh", "bonjour, un parfum pour ma mère", "what do you recommend for a date?"],
)  # fmt: skip
def test_a_wish_is_a_recommendation_for_the_agent(reading, text):
    understood = reading(text)
    assert (understood.intent, understood.route) == ("recommendation", "agent")


@pytest.mark.parametrize(
    "text",
    ["I want to talk to a human", "where is my order?", "ma commande n'est pas arrivée", "أريد التحدث مع موظف", "bghit nhder m3a chi wa7ed"],
)  # fmt: skip
def test_people_and_orders_go_to_the_agent(reading, text):
    understood = reading(text)
    assert (understood.intent, understood.route) == ("general", "agent")


def test_confidence_is_a_probability(reading):
    for text in ("add it", "hello", "do you deliver?", "something fresh"):
        assert 0.25 < reading(text).confidence <= 1.0
