"""Days of the week: what a text names, and which the store's hours bear out."""

import pytest
from shopping_agent import bootstrap
from shopping_agent.application.verification.days import days_in
from shopping_agent.domain.text import fold
from shopping_agent.settings import Settings

WORKDAYS = {0, 1, 2, 3, 4, 5}


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Monday to Saturday, 9:30 to 19:30", WORKDAYS),
        ("du lundi au samedi, de 9 h 30", WORKDAYS),
        ("من الاثنين إلى السبت", WORKDAYS),
        ("من التنين حتى للسبت", WORKDAYS),
        ("mn tnin 7ta l sebt", WORKDAYS),
        ("from Friday to Monday", {4, 5, 6, 0}),
        ("Tuesday and Thursday", {1, 3}),
        ("le dimanche", {6}),
        ("وكل نهار الحد", {6}),
        ("l7ed", {6}),
        ("one day, some month", set()),
        ("نهار واحد د الخدمة، ربع ساعة، شي حد", set()),
    ],
)
def test_the_days_that_a_text_names(text: str, days: set[int]) -> None:
    assert days_in(fold(text)) == days


def test_the_stores_hours_name_the_same_days_in_every_language() -> None:
    hours = bootstrap.store_pack(Settings.from_mapping({})).contacts.hours
    assert len(hours) == 5
    assert {frozenset(days_in(fold(text))) for text in hours.values()} == {frozenset(WORKDAYS)}
