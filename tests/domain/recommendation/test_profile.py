"""Profiles: words become canonical values, wrong ones are named, later words correct earlier ones."""

import pytest
from shopping_agent.domain.profile import Profile, ProfileSchema
from shopping_agent.errors import InvalidFieldError


@pytest.fixture
def schema(expert):
    return expert.schema


@pytest.mark.parametrize(
    ("given", "key", "values"),
    [
        ({"season": "fall"}, "season", ("autumn",)),
        ({"season": ["Summer", "SPRING"]}, "season", ("summer", "spring")),
        ({"season": "all year"}, "season", ("all-year",)),
        ({"occasion": "office"}, "occasion", ("work",)),
        ({"occasion": ["daily", "nightlife"]}, "occasion", ("everyday", "party")),
        ({"wantsLongPerformance": True}, "wantsLongPerformance", ("yes",)),
        ({"compliments": False}, "compliments", ("no",)),
        ({"sensitivities": ["hates sweet", "hates_floral"]}, "sensitivities", ("hates-sweet", "hates-floral")),
        ({"climate": ["hot", "hot"]}, "climate", ("hot",)),
        ({"gender": "men"}, "gender", ("men",)),
        ({"climate": None, "persona": []}, "climate", ()),
    ],
)  # fmt: skip
def test_words_become_canonical_values(schema, given, key, values):
    assert schema.parse(given).get(key) == values


@pytest.mark.parametrize(
    ("given", "field", "tells"),
    [
        ({"climate": "tropical"}, "profile.climate", "hot, cold, humid, mixed"),
        ({"weather": "hot"}, "profile.weather", "climate"),
        ({"skinType": ["dry", "oily"]}, "profile.skinType", "one value"),
        ({"climate": 3}, "profile.climate", "hot, cold"),
        ({"climate": {"hot": 1}}, "profile.climate", "hot, cold"),
        ({"occasion": ["work"] * 40}, "profile.occasion", "at most"),
        ({"climate": "x" * 5000}, "profile.climate", "hot, cold"),
    ],
)
def test_what_cannot_be_is_named_with_what_could(schema, given, field, tells):
    with pytest.raises(InvalidFieldError, match=tells) as wrong:
        schema.parse(given)
    assert wrong.value.field == field
    assert len(str(wrong.value)) < 500


def test_what_is_said_later_replaces_but_a_sensitivity_stays(schema):
    known = schema.parse({"occasion": "work", "sensitivities": "migraine", "climate": "hot"})
    said = schema.parse({"occasion": "date", "sensitivities": "hates-sweet"})
    assert schema.merge(known, said).view() == {
        "sensitivities": ["migraine", "hates-sweet"],
        "occasion": ["date"],
        "climate": ["hot"],
    }


def test_a_shopper_can_take_back_a_value_or_a_key(schema):
    profile = schema.parse({"sensitivities": ["migraine", "hates-sweet"], "climate": "hot"})
    assert profile.without("sensitivities", "migraine").get("sensitivities") == ("hates-sweet",)
    assert profile.without("climate").view() == {"sensitivities": ["migraine", "hates-sweet"]}
    assert not Profile().without("climate")


def test_what_tells_of_health_is_not_kept(schema):
    profile = schema.parse({"sensitivities": ["migraine", "hates-sweet"], "climate": "hot"})
    assert schema.keepable(profile).view() == {"sensitivities": ["hates-sweet"], "climate": ["hot"]}
    assert schema.is_private("sensitivities", "migraine")
    assert not schema.is_private("sensitivities", "hates-sweet")
    assert not schema.is_private("unheard of", "migraine")


@pytest.mark.parametrize(
    ("language", "labels"),
    [
        ("en", ["hates sweet", "office", "hot climate"]),
        ("fr", ["n’aime pas le sucré", "bureau", "climat chaud"]),
        ("ar", ["لا يحب الحلو", "العمل", "مناخ حار"]),
        ("ary-latn", ["ma kay7melch l7lou", "lkhdma", "jaw skhoun"]),
    ],
)
def test_a_profile_is_shown_in_the_shoppers_words(schema, language, labels):
    profile = schema.parse({"climate": "hot", "occasion": "office", "sensitivities": "hates-sweet"})
    assert schema.labels(profile, language) == labels


@pytest.mark.parametrize(
    ("document", "tells"),
    [
        ({"a": []}, "a must be an object"),
        ({"a": {"values": {}}}, "a.values"),
        ({"a": {"values": {"x": {}}, "mny": True}}, "unknown 'mny'"),
        ({"a": {"values": {"x": {}}, "many": "yes"}}, "a.many must be true or false"),
        ({"a": {"values": {"x": {}}, "private": ["y"]}}, "'y' is none of its values"),
        (
            {"a": {"values": {"x": {"also": "same"}, "y": {"also": "same"}}}},
            "'same' already means x",
        ),
        ({"a": {"values": {"x": {"label": {"xx": "no"}}}}}, r"a\.x\.label\.xx"),
        ({"budget": {"values": {"x": {}}}}, "taken"),
    ],
)
def test_a_wrong_schema_names_the_place(document, tells):
    with pytest.raises(ValueError, match=tells):
        ProfileSchema.from_document(document)
