"""Forms of one word have one stem; different words keep theirs."""

import pytest
from shopping_agent.domain.stemming import stem, without_preposition
from shopping_agent.domain.text import words


def stems(text: str) -> set[str]:
    return {stem(word.rstrip("'")) for word in words(text)}


@pytest.mark.parametrize(
    "forms",
    [
        "woman women womens",
        "man men",
        "child children",
        "leaf leaves",
        "shelf shelves",
        "knife knives",
        "fresh freshness freshly",
        "sweet sweetness",
        "candle candles",
        "body bodies",
        "delivery deliveries",
        "layer layers layering layered",
        "wrap wrapped wrapping",
        "refill refills refillable",
        "box boxes",
        "dress dresses",
    ],
)
def test_english_forms(forms):
    assert len(stems(forms)) == 1


@pytest.mark.parametrize(
    "forms",
    [
        "boisé boisée boisés boisées",
        "frais fraîche fraîches",
        "doux douce douces",
        "sec sèche sèches",
        "blanc blanche blanches",
        "long longue longues",
        "naturel naturelle naturels naturelles",
        "heureux heureuse heureuses",
        "actif active actifs actives",
        "oriental orientale orientaux orientales",
        "nouveau nouveaux nouvelle nouvelles",
        "cheveu cheveux",
        "bijou bijoux",
        "jeu jeux",
        "fleuri fleurie fleuries",
        "bougie bougies",
        "rafraîchissant rafraîchissante",
    ],
)
def test_french_forms(forms):
    assert len(stems(forms)) == 1


@pytest.mark.parametrize(
    "forms",
    [
        "عطر العطر عطور العطور والعطور عطري عطرية",
        "زهري زهرية الزهور زهور",
        "وردة ورد الورد ورود للورود",
        "نسائي نسائية نساء للنساء",
        "رجالي رجالية رجال للرجال",
        "هدية هدايا الهدية للهدايا",
        "توصيل التوصيل توصيلكم توصيلنا",
        "سعر أسعار الأسعار",
        "زيت زيوت الزيوت",
        "رائحة روائح الروائح",
        "فاكهة فواكه الفواكه",
        "مدينة مدن المدن",
        "قوي قوية",
        "منعش منعشة المنعشة",
    ],
)
def test_arabic_forms(forms):
    assert len(stems(forms)) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("rose", "rosemary"),
        ("iris", "iron"),
        ("party", "part"),
        ("bottle", "bottom"),
        ("عود", "عيد"),
        ("مسك", "سمك"),
        ("دواء", "داء"),
    ],
)
def test_different_words_stay_apart(one, other):
    assert stems(one) != stems(other)


@pytest.mark.parametrize(
    ("word", "bare"),
    [
        ("لصيف", "صيف"),
        ("بعطر", "عطر"),
        ("lward", "ward"),
        ("l3oud", "3oud"),
        ("للصيف", None),
        ("lavande", None),
        ("بحر", None),
    ],
)
def test_what_may_be_written_to_a_word_is_taken_off_as_a_guess(word, bare):
    assert without_preposition(word) == bare


def test_digits_and_mixtures_are_no_words():
    assert stems("50 3oud n5") == {"50", "3oud", "n5"}
