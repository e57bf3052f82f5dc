"""What happens where two judgements contradict each other: a sensitivity excludes, a taste lowers, an empty interval gives way."""

import pytest


def scale_line(advice, scale):
    return next(line for line in advice.lines if line.what == scale)


def test_a_sensitivity_beats_the_style_that_likes_it(expert, choose, made_for):
    profile = {"persona": "mysterious", "sensitivities": "migraine"}
    oud, resin = made_for("oud"), made_for("resinous")
    chosen = choose([oud, resin], profile)
    assert [one.product for one in chosen.shown] == [resin]
    assert [one.product for one in chosen.excluded] == [oud]
    advice = expert.advise(expert.schema.parse(profile))
    assert [(d.rule.name, d.what, d.to[0].name) for d in advice.overruled] == [
        ("mysterious style", "oud", "migraine")
    ]


def test_what_is_overruled_costs_no_product_points(expert, made_for):
    advice = expert.advise(
        expert.schema.parse({"occasion": "sport", "sensitivities": "hates-fresh"})
    )
    preferring = [line for line in advice.lines if line.effect == "prefer"]
    assert {t for line in preferring for _, t, _ in line.terms} == {"fresh", "made for sport"}


def test_two_tastes_that_contradict_both_count_and_both_are_told(expert, made_for):
    """A night out likes it very sweet, heat does not: what pleases both comes first, what is sweet is not excluded."""
    advice = expert.advise(expert.schema.parse({"climate": "hot", "occasion": "nightlife"}))
    sweet = expert.glossary.traits(made_for("very sweet"))
    assert not advice.excludes(sweet)
    said = {line.rules[0].name: line for line in advice.lines if "very sweet" in line.found(sweet)}
    assert said["nightlife"].effect == "prefer"
    assert said["nightlife"].given(sweet) > 0
    assert said["hot climate"].effect == "avoid"
    assert said["hot climate"].given(sweet) < said["hot climate"].worth


def test_for_a_hot_night_out_a_rich_scent_that_is_not_heavy_beats_a_very_sweet_one(
    choose, made_for
):
    both = made_for("amber", sillage="moderate", longevity="long")
    heavy = made_for("very sweet", families=("gourmand",), sillage="heavy", longevity="long")
    chosen = choose([heavy, both], {"climate": "hot", "occasion": "nightlife"})
    assert [one.product for one in chosen.shown] == [both, heavy]


def test_intervals_of_one_scale_intersect(expert):
    advice = expert.advise(expert.schema.parse({"climate": "hot", "occasion": "nightlife"}))
    moderate = (0, 1, 1)
    assert scale_line(advice, "sillage").interval == moderate
    assert advice.relaxed == ()


def test_the_weaker_bound_of_an_empty_intersection_gives_way_and_is_told(expert):
    """The cold wants it to last, the office does not: the occasion is the stronger one."""
    advice = expert.advise(expert.schema.parse({"climate": "cold", "occasion": "office"}))
    assert scale_line(advice, "longevity").interval == (1, 0, 0)
    assert [(d.rule.name, d.what, [r.name for r in d.to]) for d in advice.relaxed] == [
        ("cold climate", "longevity", ["office"])
    ]


def test_more_conditions_are_stronger_than_fewer_of_the_same_key(expert):
    profile = {"occasion": ["office", "nightlife"], "compliments": "yes"}
    advice = expert.advise(expert.schema.parse(profile))
    # "compliments at work" and "compliments at night" hold their bounds; then the table's order decides.
    assert scale_line(advice, "sillage").interval == (0, 1, 1)
    assert scale_line(advice, "longevity").interval == (1, 1, 2)
    assert [(d.rule.name, d.what) for d in advice.relaxed] == [("office", "longevity")]


def test_which_bound_gives_way_does_not_depend_on_what_was_said_first(expert):
    said = [{"occasion": [a, b]} for a, b in (("work", "party"), ("party", "work"))]
    told = [expert.advise(expert.schema.parse(one)) for one in said]
    assert told[0].relaxed == told[1].relaxed
    assert told[0].lines == told[1].lines


def test_wanting_compliments_does_not_forbid_an_intimate_scent_on_a_date(expert, made_for):
    advice = expert.advise(expert.schema.parse({"compliments": "yes", "occasion": "date"}))
    close = expert.glossary.traits(made_for("intimate", sillage="intimate"))
    assert not advice.excludes(close)
    assert {line.effect for line in advice.lines if line.found(close)} == {"prefer", "avoid"}


@pytest.mark.parametrize(
    ("profile", "term"),
    [
        ({"occasion": "date", "sensitivities": "hates-sweet"}, "vanilla"),
        ({"climate": "hot", "sensitivities": "hates-fresh"}, "citrus"),
        ({"occasion": "eid", "sensitivities": ["migraine", "hates-floral"]}, "rose"),
        ({"persona": "rebellious", "sensitivities": "migraine"}, "animalic"),
        ({"occasion": "nightlife", "sensitivities": "hates-sweet"}, "very sweet"),
    ],
)
def test_nothing_that_a_sensitivity_excludes_is_ever_shown(
    choose, made_for, product, profile, term
):
    chosen = choose([made_for(term), product("plain")], profile)
    assert [one.product.id for one in chosen.shown] == ["plain"]


def test_a_name_that_tells_of_oud_excludes_as_its_notes_would(choose, product):
    """Many feeds have no notes."""
    chosen = choose([product("a", name="Oud Royal"), product("b")], {"sensitivities": "migraine"})
    assert [one.product.id for one in chosen.shown] == ["b"]


@pytest.mark.parametrize("told", ["Un bois profond, oud et encens.", "عطر عميق من العود والبخور"])
def test_of_a_product_without_notes_the_description_is_read(choose, product, told):
    told_of = [product("a", description=told), product("c", description=told, families=("woody",))]
    chosen = choose([*told_of, product("b")], {"sensitivities": "migraine"})
    assert [one.product.id for one in chosen.shown] == ["b"]


def test_where_the_catalog_lists_notes_a_description_adds_none(choose, product):
    told = product(
        "a", description="Ideal beside our oud candle.", notes=("cedar",), families=("woody",)
    )
    assert choose([told], {"sensitivities": "migraine"}).shown


def test_amber_of_which_the_trail_is_not_told_counts_as_heavy_for_a_migraine(choose, made_for):
    light = made_for("amber", sillage="moderate", longevity="long")
    assert choose([light], {"sensitivities": "migraine"}).shown
    assert not choose([made_for("amber")], {"sensitivities": "migraine"}).shown
