"""Language by script and by words."""

import pytest


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("do you have anything woody", "en"),
        ("avez-vous quelque chose de boisé", "fr"),
        ("هل لديكم عطور خشبية", "ar"),
        ("واش عندكم شي حاجة ديال الخشب", "ary"),
        ("wach 3ndkom chi 7aja d lkhcheb", "ary-latn"),
        ("salam bghit chi parfum", "ary-latn"),
        ("شحال هاد البرفان", "ary"),
        ("كم سعر هذا العطر", "ar"),
        ("ça coûte combien", "fr"),
        ("chhal had lparfum", "ary-latn"),
        ("زيد ليا Dahab Intense", "ary"),
    ],
)
def test_the_language_of_a_message(reading, text, language):
    assert reading(text).query.language == language


def test_a_product_name_does_not_decide_the_language(reading):
    assert reading("أريد Minuit Argan", names=["Minuit Argan"]).query.language == "ar"
    assert reading("how much is Sel de Mogador", names=["Sel de Mogador"]).query.language == "en"


def test_the_page_decides_where_words_do_not(reading):
    assert reading("Minuit Argan", names=["Minuit Argan"], locale="fr-MA").query.language == "fr"
    assert reading("Minuit Argan", names=["Minuit Argan"]).query.language == "en"


@pytest.mark.parametrize(
    "text", ["", " ", "?!", "😀😀", "....", "x" * 4000, "١٢٣", "\u200f\u200f", "a'b’c", "﷽"]
)
def test_odd_messages_are_understood_as_something(reading, text):
    understood = reading(text)
    assert understood.query.text == text
    assert understood.query.action == "none"
    assert understood.route in {"agent", "greeting"}
