"""Questions: only those whose answer would change what is shown first, never about health, never twice."""

import pytest
from shopping_agent.domain.recommendation_questions import open_questions
from shopping_agent.domain.recommendation_score import Option


@pytest.fixture
def ask(expert):
    def keys(products, profile=None, **asked):
        options = [Option(one, expert.glossary.traits(one)) for one in products]
        return open_questions(expert, expert.schema.parse(profile or {}), options, **asked)

    return keys


@pytest.fixture
def shelf(made_for):
    terms = ("citrus", "aquatic", "oriental", "gourmand", "chypre", "leather", "clean", "floral")
    return [made_for(term) for term in (*terms, "for men", "for women", "heavy oriental", "woody")]


def test_at_most_two_questions_and_none_about_health(ask, shelf, expert):
    keys = ask(shelf)
    assert len(keys) == 2
    assert not any(expert.schema.keys[key].private for key in keys)


def test_nothing_is_asked_twice_or_that_is_known(ask, shelf):
    first, second = ask(shelf)
    assert not {first, second} & set(ask(shelf, asked=(first, second)))
    assert "occasion" not in ask(shelf, {"occasion": "work"})


def test_where_no_answer_changes_anything_nothing_is_asked(ask, product):
    assert ask([product("a"), product("b")]) == ()
    assert ask([]) == ()


def test_an_answer_that_is_asked_for_changes_what_comes_first(ask, shelf, expert, choose):
    for key in ask(shelf):
        firsts = {
            choose(shelf, {key: value}).shown[0].product.id
            for value in expert.schema.keys[key].values
        }
        assert len(firsts) > 1
