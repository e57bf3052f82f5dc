"""Every row of the table of judgements that the rules were made from: what it prefers, avoids, excludes and bounds."""

from typing import Any

import pytest

Row = tuple[dict[str, Any], str, str, str, str, str]

# profile | prefer | avoid | exclude | sillage | longevity, in the words of the judgement; several rules may speak at once.
ROWS: list[Row] = [
    ({"climate": "hot"}, "citrus, aquatic, green, light musk", "heavy oriental, heavy gourmand, very sweet", "", "intimate..moderate", "moderate.."),
    ({"climate": "cold"}, "oriental, amber, gourmand, smoky, woody", "", "", "moderate..", "long.."),
    ({"climate": "humid"}, "aromatic, woody, iso e super", "", "", "", ""),
    ({"season": "all-year"}, "woody, aromatic, musk", "", "", "", ""),
    ({"occasion": "office"}, "woody, musk, aromatic, clean", "very sweet", "", "..moderate", "..moderate"),
    ({"occasion": "formal"}, "chypre, woody, elegant floral", "", "", "", ""),
    ({"occasion": "date"}, "warm, intimate, sexy, moderately sweet, vanilla, amber", "", "", "", ""),
    ({"occasion": "nightlife"}, "gourmand, oriental, very sweet", "", "", "moderate..", "long.."),
    ({"occasion": "sport"}, "fresh, citrus, aquatic", "", "", "", ""),
    ({"occasion": "daily"}, "versatile, woody, musk, citrus", "", "", "", ""),
    ({"occasion": "gym"}, "very light, citrus", "sweet", "", "", ""),
    ({"persona": "corporate"}, "woody, aromatic, musk", "", "", "", ""),
    ({"persona": "sexy"}, "oriental, gourmand, amber", "", "", "", ""),
    ({"persona": "sporty"}, "fresh, citrus, aquatic", "", "", "", ""),
    ({"persona": "artistic"}, "chypre, leather, incense, niche", "", "", "", ""),
    ({"persona": "minimalist"}, "iso e super, musk, vetiver, cedar", "", "", "", ""),
    ({"persona": "rebellious"}, "leather, smoky, animalic", "", "", "", ""),
    ({"persona": "elegant"}, "chypre, floral, musk, amber", "", "", "", ""),
    ({"persona": "youthful"}, "sweet, fruity, gourmand", "", "", "", ""),
    ({"persona": "mature"}, "woody, amber, fougere", "", "", "", ""),
    ({"persona": "mysterious"}, "incense, resinous, oud", "", "", "", ""),
    ({"compliments": "yes"}, "", "intimate only", "", "", ""),
    ({"compliments": "yes", "occasion": "office"}, "clean", "intimate only", "", "moderate", ""),
    ({"compliments": "yes", "occasion": "date"}, "warm, intimate, vanilla", "intimate only", "", "", ""),
    ({"compliments": "yes", "occasion": "nightlife"}, "sweet, strong, long lasting", "intimate only", "", "moderate..", "long.."),
    ({"compliments": "no"}, "", "heavy sillage", "", "", ""),
    ({"sensitivities": "migraine"}, "", "", "oud, heavy amber, animalic, heavy incense", "", ""),
    ({"sensitivities": "hates-sweet"}, "", "", "vanilla, tonka, benzoin", "", ""),
    ({"sensitivities": "hates-spice"}, "", "", "cardamom, cinnamon, pepper", "", ""),
    ({"sensitivities": "hates-floral"}, "", "", "rose, jasmine, lily", "", ""),
    ({"sensitivities": "hates-fresh"}, "", "", "citrus, aquatic", "", ""),
    ({"sensitivities": "prefers-minimal"}, "iso e super, musk", "", "", "", ""),
    ({"wantsLongPerformance": True}, "", "", "", "", "moderate.."),
    ({"skinType": "dry"}, "sweet base notes, strong", "", "", "", ""),
    ({"skinType": "oily"}, "citrus", "", "", "", ""),
    # Not in that table: the four seasons, gender and budget.
    ({"season": "spring"}, "floral, green, fresh", "heavy oriental", "", "", ""),
    ({"season": "summer"}, "citrus, aquatic, fresh", "heavy oriental, very sweet", "", "..moderate", ""),
    ({"season": "fall"}, "woody, spicy, amber, leather", "", "", "", ""),
    ({"season": "winter"}, "oriental, gourmand, spicy", "", "", "", "long.."),
    ({"gender": "women"}, "for women", "for men", "", "", ""),
    ({"gender": "men"}, "for men", "for women", "", "", ""),
    ({"gender": "unisex"}, "for everyone", "", "", "", ""),
]  # fmt: skip
NAMES = ["+".join(f"{k}={v}" for k, v in row[0].items()) for row in ROWS]


def words(cell: str) -> list[str]:
    return [word.strip() for word in cell.split(",") if word.strip()]


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_a_judgement_is_what_the_table_says(expert, row):
    profile, prefer, avoid, exclude, *intervals = row
    advice = expert.advise(expert.schema.parse(profile))
    said = {
        effect: {
            term for line in advice.lines if line.effect == effect for _, term, _ in line.terms
        }
        for effect in ("prefer", "avoid")
    }
    assert set(words(prefer)) <= said["prefer"]
    assert set(words(avoid)) <= said["avoid"]
    assert set(words(exclude)) <= {term for rule in advice.fired for term in rule.exclude}
    bounds = {line.what: line.interval[1:] for line in advice.lines if line.effect == "within"}
    for scale, interval in zip(expert.glossary.scales, intervals, strict=True):
        wanted = scale.interval(interval) if interval else (0, len(scale.steps) - 1)
        low, high = bounds.get(scale.name, (0, len(scale.steps) - 1))
        assert wanted[0] <= low
        assert high <= wanted[1]


CASES = [
    (row[0], term, effect)
    for row in ROWS
    for effect, cell in (("prefer", row[1]), ("avoid", row[2]), ("exclude", row[3]))
    for term in words(cell)
]


@pytest.mark.parametrize(("profile", "term", "effect"), CASES)
def test_a_product_of_a_term_gains_loses_or_goes(
    expert, choose, made_for, product, profile, term, effect
):
    one, plain = made_for(term), product("plain")
    chosen = choose([one, plain], profile)
    if effect == "exclude":
        assert [x.product.id for x in chosen.shown] == ["plain"]
        named = expert.advise(expert.schema.parse(profile)).excluded_by(expert.glossary.traits(one))
        assert any(term in terms for _, terms in named)
        return
    scoring_lines = {
        (line.effect, name): line
        for line in expert.advise(expert.schema.parse(profile)).lines
        for name in (term,)
        if term in (t for _, t, _ in line.terms)
    }
    line = scoring_lines[(effect, term)]
    traits, none = expert.glossary.traits(one), expert.glossary.traits(plain)
    if effect == "prefer":
        assert line.given(traits) > line.given(none)
    else:
        assert line.given(traits) < line.given(none)


@pytest.mark.parametrize("row", [r for r in ROWS if r[4] or r[5]], ids=lambda r: str(r[0]))
def test_a_trail_or_a_lasting_outside_the_wish_costs_points(expert, product, row):
    advice = expert.advise(expert.schema.parse(row[0]))
    for line in advice.lines:
        if line.effect != "within":
            continue
        position, low, high = line.interval
        scale = expert.glossary.scales[position]
        for level, step in enumerate(scale.steps):
            given = line.given(expert.glossary.traits(product(**{scale.name: step})))
            away = max(low - level, level - high, 0)
            assert given == (line.worth, line.worth // 2, 0, 0)[away]


def test_a_small_budget_prefers_what_gives_more_for_it_and_a_large_one_what_is_rare(
    choose, made_for
):
    light, rare = made_for("light concentration"), made_for("niche", concentration="extrait")
    assert choose([rare, light], {}, budget=250).shown[0].product == light
    assert choose([light, rare], {}, budget=1500).shown[0].product == rare


@pytest.mark.parametrize("season", ["spring", "summer", "autumn", "winter"])
def test_every_season_prefers_what_is_made_for_it(choose, made_for, season):
    four = [made_for(f"made for {one}") for one in ("winter", "autumn", "summer", "spring")]
    assert choose(four, {"season": season}).shown[0].product.seasons == (season,)
