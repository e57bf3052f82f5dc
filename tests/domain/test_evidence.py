"""Evidence: answerable questions are answered from the right section, others are not answered at all."""

from typing import Any

import pytest
from shopping_agent.domain.evidence import assess
from shopping_agent.domain.excerpts import split_sentences
from shopping_agent.domain.passage import Passage
from shopping_agent.domain.query import ProductReference, ShopperQuery
from shopping_agent.domain.vocabulary import Vocabulary

WORDS = {
    "topic": {
        "delivery": {
            "en": "delivery, deliver, shipping, ship",
            "fr": "livraison, livrer, livrons, livrez, frais de port",
            "ar ary": "توصيل, نوصل, توصلون, الشحن, كتوصلو",
            "ary-latn": "livraison, katwesslo, tawsil",
        },
        "returns": {
            "en": "return, returns, returned, refund",
            "fr": "retour, retourner, rembourser",
            "ar ary": "إرجاع, ترجيع, نرجع",
            "ary-latn": "retour, nrje3",
        },
        "payment": {
            "en": "payment, pay by, cash",
            "fr": "paiement, especes",
            "ar ary": "الدفع, الخلاص",
            "ary-latn": "lkhlas",
        },
        "vegan": {"en": "vegan", "fr": "vegan, vegane", "ar ary": "نباتي", "ary-latn": "vegan"},
        "ingredients": {
            "en": "ingredients, alcohol, contain, contains",
            "fr": "ingrédients, alcool",
            "ar ary": "مكونات, كحول",
            "ary-latn": "alcool",
        },
        "refill": {
            "en": "refillable, refill",
            "fr": "rechargeable",
            "ar ary": "قابل للتعبئة",
            "ary-latn": "rechargeable",
        },
        "price": {
            "en": "cost, price, how much",
            "fr": "combien, coute, prix",
            "ar ary": "تكلفة, شحال, بكم",
            "ary-latn": "ch7al",
        },
    },
    "city": {
        "city": {
            "en fr": "agadir, oujda, casablanca, tafraout",
            "ar ary": "أكادير, وجدة, الدار البيضاء, تافراوت",
        }
    },
    "note": {"oud": {"*": "oud, عود"}, "rose": {"*": "rose, ورد"}},
    "action": {"add": {"en": "add"}},
    "season": {"summer": {"*": "summer, été, صيف"}},
}
GUIDES = {
    "en": {
        "Casablanca": "In Casablanca we deliver in 1 day. Delivery costs 20 MAD.",
        "Agadir and the south": "In Agadir we deliver in 2 to 3 working days. Delivery costs 30 MAD. The courier calls before he comes.",
        "How to return": "You can return a sealed product within 14 days. Opened bottles cannot be returned.",
        "Ways to pay": "You pay in cash on delivery or by card.",
        "Sensitive noses": "Avoid oud in summer. Ask us for the full list of ingredients.",
    },
    "fr": {
        "Casablanca": "À Casablanca nous livrons en 1 jour. La livraison coûte 20 MAD.",
        "Agadir et le sud": "À Agadir nous livrons en 2 à 3 jours ouvrables. La livraison coûte 30 MAD. Le livreur appelle avant de passer.",
        "Faire un retour": "Vous pouvez retourner un produit scellé sous 14 jours. Un flacon ouvert n'est pas repris.",
        "Moyens de paiement": "Le paiement se fait en espèces à la livraison ou par carte.",
        "Nez sensibles": "Évitez l'oud en été. Demandez-nous la liste complète des ingrédients.",
    },
    "ar": {
        "الدار البيضاء": "في الدار البيضاء نوصل خلال يوم. تكلفة التوصيل 20 درهماً.",
        "أكادير والجنوب": "في أكادير نوصل خلال 2 إلى 3 أيام عمل. تكلفة التوصيل 30 درهماً. يتصل بك الموزع قبل المجيء.",
        "كيفية الإرجاع": "يمكنك إرجاع منتج مغلق خلال 14 يوماً. لا نقبل إرجاع قارورة مفتوحة.",
        "طرق الدفع": "الدفع نقداً عند الاستلام أو بالبطاقة.",
        "الأنوف الحساسة": "تجنب العود في الصيف. اطلب منا القائمة الكاملة لمكونات المنتج.",
    },
}
SOURCES = ("delivery", "delivery", "returns", "payment", "choosing")


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.from_document(WORDS)


def _passages(*languages: str) -> list[Passage]:
    return [
        Passage(text, source, heading, language)
        for language in languages or GUIDES
        for source, (heading, text) in zip(SOURCES, GUIDES[language].items(), strict=True)
    ]


def _question(text: str, language: Any = "en", *names: str) -> ShopperQuery:
    references = tuple(ProductReference(n, text.index(n), text.index(n) + len(n)) for n in names)
    return ShopperQuery(text=text, language=language, references=references)


ANSWERABLE = [
    ("en", "How long does delivery to Agadir take?", "Agadir and the south", "2 to 3"),
    ("en", "do u ship to agadir n how many days", "Agadir and the south", "2 to 3"),
    ("en", "can i retrun a bottle", "How to return", "14 days"),
    (
        "en",
        "don't add it yet, how long does delivery to Agadir take?",
        "Agadir and the south",
        "2 to 3",
    ),
    ("en", "is oud ok in summer?", "Sensitive noses", "Avoid oud"),
    ("fr", "Combien de temps pour une livraison à Agadir ?", "Agadir et le sud", "2 à 3"),
    ("fr", "on peut payer en espèces ?", "Moyens de paiement", "espèces"),
    ("fr", "je peux retourner un flacon déjà ouvert ?", "Faire un retour", "ouvert"),
    ("ar", "كم يستغرق التوصيل إلى أكادير؟", "أكادير والجنوب", "2 إلى 3"),
    ("ar", "كم تكلفة الشحن إلى أكادير", "أكادير والجنوب", "30"),
    ("ary", "كتوصلو لأكادير؟ و شحال د الوقت", "أكادير والجنوب", "2 إلى 3"),
    ("ary", "واش نقدر نرجع قرعة محلولة", "كيفية الإرجاع", "14"),
    ("ary-latn", "ch7al d lwe9t livraison l Agadir?", "Agadir et le sud", "2 à 3"),
    ("ary-latn", "kifach lkhlas b la carte", "Moyens de paiement", "carte"),
]


@pytest.mark.parametrize(("language", "text", "heading", "quoted"), ANSWERABLE)
def test_a_question_is_answered_from_its_section_in_the_shoppers_language(
    vocabulary, language, text, heading, quoted
):
    evidence = assess(_question(text, language), _passages(), vocabulary)
    assert evidence.answers
    assert {s.heading for s in evidence.sentences} == {heading}
    assert any(quoted in s.text for s in evidence.sentences)


UNANSWERABLE = [
    ("en", "is it vegan?"),
    ("en", "Is there alcohol in it?"),
    ("en", "is the bottle refillable"),
    ("en", "How long does delivery to Tafraout take?"),
    ("en", "do you deliver to Lisbon?"),
    ("en", "does it contain nuts, I have an allergy"),
    ("en", "who won the match yesterday"),
    ("en", "and how much?"),
    ("en", "where is my bottle 4532?"),
    ("en", "can I park near your office"),
    ("fr", "c'est vegan ?"),
    ("fr", "il y a de l'alcool dedans ?"),
    ("fr", "le flacon est rechargeable ?"),
    ("fr", "combien coûte la livraison à Tafraout ?"),
    ("fr", "vous avez une carte de fidélité ?"),
    ("ar", "هل هو نباتي؟"),
    ("ar", "هل فيه كحول"),
    ("ar", "كم يستغرق التوصيل إلى تافراوت؟"),
    ("ar", "هل القارورة قابلة لإعادة التدوير"),
    ("ary", "واش فيه الكحول"),
    ("ary", "شحال كيدير التوصيل ل زاكورة"),
    ("ary", "واش كتخدمو نهار العيد"),
    ("ary-latn", "wach vegan"),
    ("ary-latn", "wach fih alcool"),
    ("ary-latn", "livraison l Zagora ch7al"),
]


@pytest.mark.parametrize(("language", "text"), UNANSWERABLE)
def test_a_question_whose_key_is_nowhere_in_the_texts_has_no_evidence(vocabulary, language, text):
    evidence = assess(_question(text, language), _passages(), vocabulary)
    assert not evidence.answers
    assert evidence.sentences == ()


def test_what_is_missing_is_named(vocabulary):
    evidence = assess(_question("is it vegan?"), _passages("en"), vocabulary)
    assert evidence.missing == ("vegan",)


def test_without_a_passage_or_a_question_there_is_no_evidence(vocabulary):
    assert not assess(_question("delivery to Agadir?"), [], vocabulary).answers
    assert not assess(_question("and so?"), _passages("en"), vocabulary).answers


def test_topics_that_understanding_found_count_as_asked(vocabulary):
    question = ShopperQuery(text="et pour ça ?", language="fr", topics=("returns",))
    evidence = assess(question, _passages("fr"), vocabulary)
    assert [s.heading for s in evidence.sentences][:1] == ["Faire un retour"]


def test_sentences_are_quoted_word_for_word_and_at_most_three(vocabulary):
    question = _question("How long does delivery to Agadir take and what does it cost?")
    evidence = assess(question, _passages("en"), vocabulary)
    assert 1 <= len(evidence.sentences) <= 3
    assert all(s.text in GUIDES["en"][s.heading] for s in evidence.sentences)
    assert all(s.source == "delivery" for s in evidence.sentences)


def test_a_text_in_another_language_answers_when_there_is_no_own(vocabulary):
    evidence = assess(_question("كم يستغرق التوصيل إلى أكادير؟", "ar"), _passages("fr"), vocabulary)
    assert evidence.answers
    assert evidence.sentences[0].language == "fr"


def test_a_products_name_is_not_what_is_asked(vocabulary):
    passage = Passage(
        "Rose and musk. Contains no alcohol at all.", product_id="p1", name="Rose Sahel"
    )
    question = _question("is there alcohol in Rose Sahel?", "en", "Rose Sahel")
    assert assess(question, [passage], vocabulary).answers
    other = Passage("Rose and musk on a summer evening.", product_id="p1", name="Rose Sahel")
    assert not assess(question, [other], vocabulary).answers


def test_the_guide_that_a_text_is_from_is_no_evidence_by_itself(vocabulary):
    invoice = Passage(
        "For an invoice write your number in the comment.", "payment", "Invoice", "en"
    )
    assert not assess(_question("can I pay by card?"), [invoice], vocabulary).answers


def test_a_text_that_contains_something_else_does_not_say_what_is_in_the_bottle(vocabulary):
    invoice = Passage("Every parcel contains a receipt.", "payment", "Invoice", "en")
    assert not assess(_question("does it contain alcohol?"), [invoice], vocabulary).answers


def test_a_town_in_a_text_is_no_discount():
    words = {"topic": {"discount": {"en": "sale, on sale"}}, "city": {"city": {"en fr": "sale"}}}
    town = Passage("In Salé we deliver in 1 day.", "delivery", "Rabat and Salé", "en")
    known = Vocabulary.from_document(words)
    assert not assess(_question("what is on sale?"), [town], known).answers


def test_an_observation_becomes_a_passage():
    guide = Passage.from_observation(
        {"source": "delivery", "heading": "H", "language": "fr", "text": "T"}
    )
    assert guide == Passage("T", "delivery", "H", "fr")
    product = Passage.from_observation(
        {"productId": "p", "name": "N", "kind": "notes", "text": "T"}
    )
    assert (product.product_id, product.name, product.text) == ("p", "N", "T")


def test_sentences_lose_bullets_but_no_words():
    assert split_sentences("- One day. Two!\n* Three?\n\n## Head\n1. Four؟ Five") == [
        "One day.",
        "Two!",
        "Three?",
        "Four؟",
        "Five",
    ]
