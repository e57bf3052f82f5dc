"""What the perfume shall be like, and what it must not be."""

import pytest


@pytest.mark.parametrize(
    ("text", "notes", "families"),
    [
        ("a sandalwood and cardamom scent", {"sandalwood", "cardamom"}, set()),
        ("something citrusy and green", set(), {"citrus", "green"}),
        ("un parfum boisé au vétiver", {"vetiver"}, {"woody"}),
        ("une eau fraîche à la fleur d'oranger", {"orange blossom"}, {"fresh"}),
        ("عطر خشبي بالقرفة", {"cinnamon"}, {"woody"}),
        ("أريد رائحة الياسمين والمسك", {"jasmine", "musk"}, set()),
        ("بغيت ريحة فيها القهوة", {"coffee"}, set()),
        ("bghit chi 7aja fiha l3oud w lward", {"oud", "rose"}, set()),
        ("chi 7aja fresh w floral", set(), {"fresh", "floral"}),
        ("patchoulli and vetivr", {"patchouli", "vetiver"}, set()),
        ("un parfum poudréééé", set(), {"powdery"}),
    ],
)
def test_notes_and_families_are_canonical_english(reading, text, notes, families):
    query = reading(text).query
    assert (set(query.notes), set(query.families)) == (notes, families)
    assert query.exclude_notes == ()


@pytest.mark.parametrize(
    ("text", "refused", "wished"),
    [
        ("no jasmine please, I like cedar", {"jasmine"}, {"cedar"}),
        ("without vanilla, tonka or honey", {"vanilla", "tonka bean", "honey"}, set()),
        ("nothing sweet", {"sweet"}, set()),
        ("he hates patchouli", {"patchouli"}, set()),
        ("musk gives me headaches", {"musk"}, set()),
        ("no problem with rose", set(), {"rose"}),
        ("pas de musc ni d'oud", {"musk", "oud"}, set()),
        ("sans alcool mais avec du jasmin", set(), {"jasmine"}),
        ("je suis allergique à la lavande", {"lavender"}, set()),
        ("pas trop sucré, plutôt de l'iris", {"sweet"}, {"iris"}),
        ("je n'aime pas la vanille", {"vanilla"}, set()),
        ("بدون عود ولا مسك", {"oud", "musk"}, set()),
        ("لا أحب الفانيليا، أفضل الورد", {"vanilla"}, {"rose"}),
        ("بلا مسك عافاك", {"musk"}, set()),
        ("ما بغيتش الفانيليا", {"vanilla"}, set()),
        ("bla vanille 3afak", {"vanilla"}, set()),
        ("mabghitch lmsk, bghit l3anbar", {"musk"}, {"amber"}),
        ("lavande wla vanille", set(), {"lavender", "vanilla"}),
    ],
)
def test_a_refusal_reaches_through_its_clause(reading, text, refused, wished):
    query = reading(text).query
    assert (set(query.exclude_notes), set(query.notes)) == (refused, wished)


@pytest.mark.parametrize(
    ("text", "gender"),
    [
        ("a gift for my brother", "men"),
        ("my grandmother's birthday", "women"),
        ("for both of us", "unisex"),
        ("pour mon mari", "men"),
        ("un parfum mixte", "unisex"),
        ("لزوجتي", "women"),
        ("للرجال", "men"),
        ("لمراتي", "women"),
        ("l khouya", "men"),
        ("l mama", "women"),
    ],
)
def test_gender_also_comes_from_kinship(reading, text, gender):
    assert reading(text).query.gender == gender


@pytest.mark.parametrize(
    ("text", "season", "occasion"),
    [
        ("for cold winter evenings", "winter", "evening"),
        ("an autumn wedding", "autumn", "wedding"),
        ("a gift for her birthday", None, "birthday"),
        ("pour l'été, au bureau", "summer", "work"),
        ("cadeau de mariage", None, "wedding"),
        ("للصيف وللسفر", "summer", "travel"),
        ("هدية العيد", None, "eid"),
        ("للشتا و الخدمة", "winter", "work"),
        ("l sif w l gym", "summer", "sport"),
        ("kado l 3id milad dyalha", None, "birthday"),
    ],
)
def test_season_and_occasion(reading, text, season, occasion):
    query = reading(text).query
    assert (query.season, query.occasion) == (season, occasion)


def test_a_products_name_is_no_wish(reading):
    query = reading("add Rose Zagora", names=["Rose Zagora"]).query
    assert query.notes == ()
    assert reading("something with rose", names=["Rose Zagora"]).query.notes == ("rose",)
    assert reading("something with rose", names=["Rose Zagora"]).query.product_name is None


def test_available_now_is_a_constraint_of_a_search(reading):
    assert reading("a vanilla perfume available now").query.in_stock is True
    assert reading("is Dune Claire in stock?", names=["Dune Claire"]).query.in_stock is None


@pytest.mark.parametrize(
    ("text", "gender"),
    [
        ("هو لا يطيق اللافندر", "men"),
        ("هي ما كتحملش المسك", "women"),
        ("huwa makay7melch lavande", "men"),
        ("خوتي بجوج ما كيحملوش المسك", "men"),
    ],
)
def test_who_dislikes_a_note_is_who_it_is_for(reading, text, gender):
    query = reading(text).query
    assert query.gender == gender
    assert query.exclude_notes


def test_a_refusal_goes_on_through_all_that_is(reading):
    query = reading("elle déteste la lavande et tout ce qui est fruité").query
    assert set(query.exclude_notes) == {"lavender", "fruity"}


@pytest.mark.parametrize("text", ["what is the expiry date of a perfume", "do you gift wrap?"])
def test_a_word_within_a_topic_is_no_occasion(reading, text):
    assert reading(text).query.occasion is None
