"""What a recording holds of the state before a turn, and of a model's replies, comes back as it was."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shopping_agent.application.recorded_state import (
    conversation_document,
    conversation_of,
    heard_document,
    heard_of,
)
from shopping_agent.domain.conversation import (
    Choice,
    Conversation,
    Exchange,
    ModelReply,
    ToolCall,
)
from shopping_agent.domain.query import ShownProduct
from shopping_agent.domain.stated_profile import Profile

words = st.text(max_size=20)
ids = st.lists(words, max_size=3).map(tuple)
shown = st.builds(
    ShownProduct, words, words, st.integers(0, 10**6), st.none() | st.integers(1, 500)
)
conversations = st.builds(
    Conversation,
    exchanges=st.lists(st.builds(Exchange, words, words, words, words), max_size=3).map(tuple),
    shown=st.lists(shown, max_size=3).map(tuple),
    seen=ids,
    focus=st.none() | shown,
    pending=st.none() | st.dictionaries(words, words, max_size=2),
    added=ids,
    profile=st.dictionaries(
        words, st.lists(words, min_size=1, max_size=2).map(tuple), max_size=2
    ).map(lambda stated: Profile(tuple(stated.items()))),
    asked=ids,
)
replies = st.builds(
    ModelReply,
    text=words,
    tool_calls=st.lists(
        st.builds(ToolCall, words, words, st.dictionaries(words, words, max_size=2), words),
        max_size=2,
    ).map(tuple),
    finish=st.sampled_from(["stop", "tool_calls", "length", "refused"]),
    asks=st.booleans(),
    choices=st.lists(st.builds(Choice, words, st.none() | words), max_size=2).map(tuple),
    provider=words,
    model=words,
)


def through_json(document: Any) -> Any:
    return json.loads(json.dumps(document, ensure_ascii=False))


@given(conversations)
def test_a_conversation_comes_back_as_it_was(conversation: Conversation) -> None:
    assert conversation_of(through_json(conversation_document(conversation))) == conversation


@given(replies | st.sampled_from(["timeout", "deadline", "auth"]))
def test_what_was_heard_comes_back_as_it_was(heard: ModelReply | str) -> None:
    assert heard_of(through_json(heard_document(heard))) == heard


@pytest.mark.parametrize("document", [{}, {"said": "x"}, {"calls": 1, "said": ""}])
def test_what_is_no_reply_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        heard_of(document)
