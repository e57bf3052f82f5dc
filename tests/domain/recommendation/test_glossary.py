"""The glossary: predicates over attributes in any language of a catalog, and what a wrong one says."""

import pytest
from shopping_agent.domain.catalog import Notes
from shopping_agent.domain.glossary import Glossary


@pytest.fixture
def met(expert):
    return lambda product: expert.glossary.named(expert.glossary.traits(product).bits)


@pytest.mark.parametrize(
    ("facts", "term"),
    [
        ({"families": ("hespéridé",)}, "citrus"),
        ({"families": ("Oriental",)}, "amber"),
        ({"families": ("شرقي",), "sillage": "heavy"}, "heavy oriental"),
        ({"notes": ("عود",)}, "oud"),
        ({"notes": ("Vanille",)}, "vanilla"),
        ({"accords": ("boisé",)}, "woody"),
        ({"accords": ("Clean",)}, "clean"),
        ({"notes": Notes(base=("Fève tonka",))}, "sweet base notes"),
        ({"sillage": "Strong"}, "heavy sillage"),
        ({"longevity": "longue tenue"}, "long lasting"),
        ({"name": "Rose des Sables"}, "rose"),
        ({"concentration": "Extrait de Parfum", "families": ("amber",)}, "heavy oriental"),
    ],
)
def test_a_catalogs_own_words_meet_a_term(met, product, facts, term):
    assert term in met(product(**facts))


@pytest.mark.parametrize(
    ("facts", "term"),
    [
        ({"notes": ("bergamot",)}, "citrus"),  # one such note is in nearly every perfume
        ({"notes": Notes(top=("vanilla",))}, "sweet base notes"),
        ({"families": ("amber",), "sillage": "moderate", "longevity": "long"}, "heavy oriental"),
        ({"notes": ("vanilla", "caramel", "praline")}, "moderately sweet"),
        ({"notes": ("orange blossom",)}, "citrus"),
        ({}, "heavy amber"),
    ],
)
def test_a_trace_is_not_the_thing(met, product, facts, term):
    assert term not in met(product(**facts))


def test_traits_are_remembered_without_mixing_products_up(met, product):
    first, second = product("a", notes=("oud",)), product("a", notes=("rose",))
    assert ("oud" in met(first), "oud" in met(second), "oud" in met(first)) == (True, False, True)


@pytest.mark.parametrize(
    ("description", "tells"),
    [
        ({"famly": "citrus"}, "unknown 'famly'.*did you mean 'family'"),
        ({"sillage": "heavvy.."}, "'heavvy' is no step of sillage: intimate < moderate.*did you mean 'heavy'"),
        ({"sillage": "heavy..moderate"}, "runs backwards"),
        ({"term": "later"}, "'later' is no term defined above"),
        ({"not": "itself"}, "'itself' is no term defined above"),
        ({"season": "monsoon"}, "'monsoon' is no season: summer"),
        ({"note": "rose", "atLeast": 0}, "atLeast must be a whole number"),
        ({"sillage": "heavy..", "atLeast": 2}, "atLeast counts the values of one attribute"),
        ({"note": ["rose"]}, "note must be a text"),
        ({"note": " "}, "note must name a value"),
        ({"sizeMl": "small"}, "sizeMl must be an interval"),
        ({}, "is empty"),
        ("rose", "must be an object"),
    ],
)  # fmt: skip
def test_a_wrong_description_names_its_term_and_what_would_work(expert, description, tells):
    document = {
        "scales": {"sillage": {"steps": ["intimate", "moderate", "heavy"]}},
        "terms": {"fine": {"is": [{"note": "rose"}]}, "itself": {"is": [description]}},
    }
    with pytest.raises(ValueError, match=f"itself.is, description 1.*{tells}"):
        Glossary.from_document(document, expert.glossary.vocabulary)


@pytest.mark.parametrize(
    ("document", "tells"),
    [
        ({"scales": {}, "terms": {}, "term": {}}, "unknown 'term'"),
        ({"scales": {"x": {"steps": ["one"]}}, "terms": {}}, r"scales\.x\.steps"),
        ({"scales": {"x": {"steps": ["a", "b"]}}, "terms": {}}, r"scales\.x\.attribute must be"),
        ({"scales": {"sillage": {"steps": ["a", "b"], "also": {"c": "d"}}}, "terms": {}}, "also.c"),
        ({"scales": {}, "terms": {"a": {"is": []}}}, "a.is must be a list"),
        ({"scales": {}, "terms": {"a": {"ist": []}}}, "a: unknown 'ist'"),
    ],
)
def test_a_wrong_glossary_names_the_place(expert, document, tells):
    with pytest.raises(ValueError, match=tells):
        Glossary.from_document(document, expert.glossary.vocabulary)
