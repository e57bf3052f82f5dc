"""The composition root."""

from shopping_agent import bootstrap
from shopping_agent.settings import Settings


def test_texts_are_in_the_currency_of_the_cart() -> None:
    settings = Settings.from_mapping({"STORE_CURRENCY": "TND"})
    assert bootstrap.store_pack(settings).currency == "TND"
    assert bootstrap.store_pack(Settings()).currency == Settings().store_currency
