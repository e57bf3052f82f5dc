"""What the words of a question or a text name: topics, facets, places, aspects and hints, and the rest of them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from shopping_agent.domain.subjects import COUNTRY, broader, subjects_in
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import FACETS, Match, Vocabulary, phrase_words
from shopping_agent.domain.word_forms import content_words, is_common

_TALK: Final = frozenset({"courtesy", "answer", "pronoun", "question", "modality", "language"})
_ANY_TOWN: Final = "city"
_CART_TALK: Final = frozenset({"add", "put", "cart", "swap"})


@frozen
class Named:
    """A text by what its words name: topics with the words behind them; `rest` names nothing known.

    Of a town that the vocabulary knows by several names `places` has the one that it goes by, and so has `towns`.
    """

    topics: Mapping[str, tuple[str, ...]]
    facets: tuple[str, ...]
    places: tuple[str, ...]
    rest: tuple[str, ...]
    mentions: Mapping[str, int]
    aspects: Mapping[str, tuple[str, ...]]
    hints: tuple[str, ...]
    towns: frozenset[str] = frozenset()


def name_all(text: str, vocabulary: Vocabulary, *, written: bool = False) -> Named:
    """What a text names. `written` by the store: there "Salé" is the town; in a question "sale" is the discount."""
    tokens = phrase_words(text)
    matches = vocabulary.find([vocabulary.forms_of(token) for token in tokens])
    # One phrase may say the same in several languages: it is one mention.
    found = list({(m.kind, m.concept, m.start): m for m in matches}.values())
    towns = {m.start for m in found if m.kind == "city"} if written else set[int]()
    found = [m for m in found if m.kind != "topic" or m.end - m.start > 1 or m.start not in towns]
    topics: dict[str, tuple[str, ...]] = {}
    for match in found:
        if match.kind == "topic":
            said = content_words(" ".join(tokens[match.start : match.end]))
            words = [word for word in said if not is_common(word)]
            topics[match.concept] = (*topics.get(match.concept, ()), *words)
    subjects = [
        m for m in subjects_in(tokens, vocabulary) if m.end - m.start > 1 or m.start not in towns
    ]
    aspects: dict[str, tuple[str, ...]] = {}
    for match in subjects:
        # A text that names a country speaks of that one, not of all that lies abroad.
        if match.kind == "aspect" and not (written and match.concept == COUNTRY):
            said = tuple(tokens[match.start : match.end]) if match.concept == COUNTRY else ()
            value = _subject_key(match)
            aspects[value] = (*aspects.get(value, ()), *said)
    # "frais de port" is no wish for something fresh.
    inside = {
        i
        for m in (*found, *subjects)
        if m.kind in ("topic", "aspect", "hint") and m.end - m.start > 1
        for i in range(m.start, m.end)
    }
    facets = [m for m in found if m.kind in FACETS and m.start not in inside]
    known = {i for m in found if m.kind == "topic" for i in range(m.start, m.end)}
    known |= {i for m in facets for i in range(m.start, m.end)}
    known |= {i for m in found if _is_talk(m) for i in range(m.start, m.end)}
    known |= {i for m in subjects for i in range(m.start, m.end)}
    # A word may be a place and a topic ("sale"): the topic is what is asked.
    cities = [m for m in found if m.kind == "city"]
    places = {i for m in cities for i in range(m.start, m.end)} - known
    called = {i: m.concept for m in cities for i in range(m.start, m.end) if m.concept != _ANY_TOWN}
    return Named(
        topics=topics,
        facets=tuple(match.concept for match in facets),
        places=tuple(dict.fromkeys(called.get(i, tokens[i]) for i in sorted(places))),
        rest=tuple(t for i, t in enumerate(tokens) if i not in known | places),
        mentions=Counter(m.concept for m in found if m.kind == "topic" or m in facets)
        + Counter(_mentioned(subjects)),
        aspects=aspects,
        hints=tuple(dict.fromkeys(_subject_key(m) for m in subjects if m.kind == "hint")),
        towns=frozenset(called.values()),
    )


def _mentioned(subjects: Sequence[Match]) -> list[str]:
    return [_subject_key(m) for m in subjects if m.concept != COUNTRY]


def _subject_key(match: Match) -> str:
    """A subject's name among the terms: topics may have the same."""
    return f"{match.kind}:{broader(match.concept)}"


def _is_talk(match: Match) -> bool:
    """Words that carry the conversation, not the subject: politeness, yes and no, pronouns, cart verbs."""
    return match.kind in _TALK or (match.kind == "action" and match.concept in _CART_TALK)
