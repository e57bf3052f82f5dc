"""Price bounds: limits, ranges, words, corrections, and the numbers that are no price."""

import pytest

# text -> (min, max) in dirhams
BOUNDS = [
    ("perfumes below 350 dirhams", None, 350),
    ("I don't want to spend more than 700", None, 700),
    ("not under 200 and not above 500 dh", 200, 500),
    ("from 150 to 400 MAD please", 150, 400),
    ("something floral, 250-300 dhs", 250, 300),
    ("between two hundred and four hundred dirhams", 200, 400),
    ("my budget is 1,500 dh", None, 1500),
    ("anything under 1.200 MAD with amber", None, 1200),
    ("at least a thousand", 1000, None),
    ("vanilla, 2k max", None, 2000),
    ("under 500, no wait, under 650 dh", None, 650),
    ("un parfum à moins de 420 dh", None, 420),
    ("je ne veux pas dépasser 600 dirhams", None, 600),
    ("entre cent cinquante et trois cents dirhams", 150, 300),
    ("de 200 à 380 dh", 200, 380),
    ("minimum 900 dh", 900, None),
    ("mille deux cents dirhams maximum", None, 1200),
    ("j'ai 350 dh, du jasmin", None, 350),
    ("jusqu'à 1 800 dh", None, 1800),
    ("quatre-vingt-dix dirhams max", None, 90),
    ("عطر لا يتجاوز سعره ٦٠٠ درهم", None, 600),
    ("بين 250 و500 درهم", 250, 500),
    ("ميزانيتي ثلاثمائة وخمسون درهما", None, 350),
    ("أكثر من ألف ومئتين درهم", 1200, None),
    ("قل من 450 درهم", None, 450),
    ("ما يفوتش 700 درهم", None, 700),
    ("عندي غير ربعمية درهم", None, 400),
    ("من 200 ل 350 درهم", 200, 350),
    ("9al mn 550 dh", None, 550),
    ("budget dyali khmsmya dh", None, 500),
    ("bin 300 w 450 dh", 300, 450),
    ("matfoutch 800dh", None, 800),
    ("ktar mn alf dh", 1000, None),
    ("chi parfum b 6000 ryal", None, 300),
    ("ta7t 12000 ryal", None, 600),
    ("from 700 up, with saffron", 700, None),
    ("between three and four hundred, woody", 300, 400),
    ("entre deux et trois cents dirhams", 200, 300),
    ("two to three thousand dirhams", 2000, 3000),
    ("at least 250 but no more than 450", 250, 450),
    ("معي ألفا درهم فقط", None, 2000),
    ("أبدأ من ألفاً وخمسمئة درهم فما فوق", 1500, None),
    ("150... no, make it 220", None, 220),
    ("150 لا لا خليها 220", None, 220),
    ("thought 900, then again 750 is plenty", None, 750),
    ("six fifty max, vanilla", None, 650),
    ("mille cinq max", None, 1500),
    ("between 3 and 5 hundred dh", 300, 500),
    ("500~800 dh floral", 500, 800),
    ("500/800 dh jasmin", 500, 800),
    ("من ٥٠٠ – ٨٠٠ درهم", 500, 800),
    ("سبعمئة وخمسة وسبعون درهما", None, 775),
    ("ألف و500 درهم", None, 1500),
    ("alf w 500 dh", None, 1500),
    ("kont kan9ol 700 walakin 550 kafya", None, 550),
    ("150.. la la khliha 220", None, 220),
]


@pytest.mark.parametrize(("text", "low", "high"), BOUNDS)
def test_a_stated_bound_is_the_price_bound(reading, text, low, high):
    query = reading(text).query
    assert (query.min_price, query.max_price) == (low and low * 100, high and high * 100)


@pytest.mark.parametrize(
    "text",
    [
        "do you have it in 100 ml",
        "does it last 12 hours",
        "for my son, he's 19 years old",
        "my order 48213 has not arrived",
        "is there 30% off today",
        "a perfume launched in 2019",
        "I ordered on 12/04, where is it",
        "un cadeau pour 3 personnes",
        "ça fait 10 jours que j'attends la commande 77120",
        "le flacon de 75 ml tient 6 heures ?",
        "j'ai 28 ans, que me conseillez-vous",
        "عمري ٤٠ سنة",
        "طلبي رقم 90211 تأخر",
        "هل يدوم ٩ ساعات",
        "عندي 22 عام",
        "واش كاين 200 مل",
        "3ndi 30 3am w bghit chi ri7a",
        "wach kayb9a 7 sway3",
        "la commande 55120 majatch",
        "call me at 06 12 34 56 78",
    ],
)
def test_sizes_ages_hours_orders_and_discounts_are_no_price(reading, text):
    query = reading(text).query
    assert query.min_price is None
    assert query.max_price is None


def test_a_number_inside_a_product_name_is_no_price(reading):
    query = reading("Opus 650 for women?", names=["Opus 650"]).query
    assert query.max_price is None
    assert query.product_name == "Opus 650"


def test_the_currency_is_kept_when_it_is_named(reading):
    euro = reading("less than 45 euros").query
    assert (euro.currency, euro.max_price) == ("EUR", 4500)
    assert reading("less than 450").query.currency is None


def test_cents_are_kept(reading):
    assert reading("sous 249,90 dh").query.max_price == 24990
    assert reading("under 1,049.50 MAD").query.max_price == 104950


def test_what_a_named_product_costs_is_no_bound(reading):
    query = reading("Minuit Argan à 650 dh, ajoutez-le", names=["Minuit Argan"]).query
    assert query.max_price is None
    assert query.action == "add"
