"""What a provider is sent: prompts and history."""

import re

from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.application.prompts import history, system_prompt
from shopping_agent.domain.conversation import AssistantMessage, Exchange, UserMessage

PACK = load_store_pack("")


def test_every_prompt_names_the_store_and_the_language_and_leaves_no_place_open():
    for task in ("cart", "recommendation", "knowledge", "general", "rag"):
        prompt = system_prompt(PACK, task, "ary-latn")
        assert "Dar Nismal" in prompt
        assert "Moroccan Darija in Latin script" in prompt
        assert not re.search(r"\{\w+\}", prompt)
        assert len(prompt) < 1500


def test_history_skips_what_has_no_text_on_both_sides_and_is_bounded():
    exchanges = [
        Exchange("a", ""),
        Exchange(" ", "b"),
        *(Exchange(f"q{i}", f"a{i}") for i in range(9)),
    ]
    messages = history(exchanges)
    assert messages[0] == UserMessage("q3")
    assert messages[-1] == AssistantMessage("a8")
    assert len(messages) == 12
