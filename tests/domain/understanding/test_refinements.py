"""A refinement goes on with the request before it and keeps its wishes; a new request starts fresh."""

import pytest
from shopping_agent.domain.understanding.refinements import refined


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("and without vanilla", "also"),
        ("for a man then", "instead"),
        ("actually under 450", "instead"),
        ("rather woody", "instead"),
        ("ok but no rose and under 300", "instead"),
        ("something cheaper", "instead"),
        ("et sans vanille", "also"),
        ("plutôt boisé", "instead"),
        ("pour homme ?", "instead"),
        ("moins de 350", "instead"),
        ("وبدون فانيلا", "also"),
        ("ولكن بأقل من 300", "instead"),
        ("للرجال", "instead"),
        ("w bla ward", "also"),
        ("b9al mn 250 dh", "instead"),
    ],
)
def test_a_fragment_refines_the_request_before_it(reading, text, how):
    assert reading(text).query.refines == how


@pytest.mark.parametrize(
    "text",
    [
        "show me woody perfumes",
        "something for the evening instead",
        "a floral perfume for my sister under 600",
        "I want oud",
        "candles under 200",
        "un parfum boisé",
        "je cherche un cadeau pour ma mère",
        "أريد عطرا شتويا",
        "بغيت شي ريحة ديال العود",
        "bghit parfum dyal rajel",
        "is it good for the summer?",
        "is the delivery under 50 dh?",
        "add the woody one",
        "hello",
    ],
)
def test_a_request_or_a_question_of_its_own_refines_nothing(reading, text):
    assert reading(text).query.refines == ""


def _after(reading, first, *then):
    query = reading(first).query
    for text in then:
        query = refined(query, reading(text).query)
    return query


def test_what_was_wished_before_is_kept_through_several_refinements(reading):
    query = _after(
        reading, "a summer perfume under 500", "and without rose", "for a man then", "no vanilla"
    )
    assert (query.season, query.max_price, query.gender) == ("summer", 50000, "men")
    assert query.exclude_notes == ("rose", "vanilla")


def test_a_new_limit_or_taste_takes_the_place_of_the_one_before(reading):
    query = _after(reading, "a rose perfume under 500", "actually under 300", "rather woody")
    assert (query.max_price, query.notes, query.families) == (30000, (), ("woody",))


def test_a_taste_that_is_joined_stands_beside_the_one_before(reading):
    query = _after(reading, "a rose perfume", "and with vanilla")
    assert query.notes == ("rose", "vanilla")


def test_what_is_refused_now_is_no_longer_wished_for_and_the_other_way_round(reading):
    assert _after(reading, "a perfume with rose and vanilla", "but without rose").notes == (
        "vanilla",
    )
    assert _after(reading, "a perfume without rose", "and with rose").exclude_notes == ()


def test_limits_that_leave_no_room_for_each_other_do_not_both_hold(reading):
    query = _after(reading, "a perfume over 400", "under 300 please")
    assert (query.min_price, query.max_price) == (None, 30000)
    query = _after(reading, "a perfume over 200", "under 300 please")
    assert (query.min_price, query.max_price) == (20000, 30000)
