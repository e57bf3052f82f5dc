"""The shopper's profile in a conversation: what was known, what this message says or takes back, and what may be kept."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from shopping_agent.application.advising import implied_profile
from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.conversation import Conversation
from shopping_agent.domain.profile import Profile, ProfileSchema
from shopping_agent.domain.query import ShopperQuery, Understanding
from shopping_agent.domain.understanding.profiles import (
    ProfileWords,
    Told,
    asks_why_not,
    told_of_shopper,
)
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Vocabulary

# For whom one request is says nothing of the next.
_OF_THE_REQUEST: Final = ("gender",)
# What a request that describes something new leaves behind.
_OF_THE_WISH: Final = ("season", "occasion")


@frozen
class Known:
    """What is known of the shopper in one turn.

    Attributes:
        profile: all of it, health included: for this turn.
        kept: what the conversation keeps.
        told: what this message says.
        private: what of it tells of the shopper's health and is not kept.
        alone: the message tells of the shopper and asks for nothing by itself: there are no words to search by.
    """

    profile: Profile = Profile()
    kept: Profile = Profile()
    told: Told = Told()
    private: Profile = Profile()
    alone: bool = False


class Profiling:
    """Reads profiles by the store's words.

    Args:
        schema: of the profiles in use; asked once a turn, since the store may change it.
    """

    def __init__(self, *, schema: Callable[[], ProfileSchema], vocabulary: Vocabulary) -> None:
        self._schema = schema
        self._vocabulary = vocabulary
        self._words: ProfileWords | None = None

    def told(self, understanding: Understanding) -> Told:
        """What a message tells, where it is one that may: a question about delivery to Agadir tells no climate."""
        query = understanding.query
        told = told_of_shopper(query, self._vocabulary, self._known_words(), understanding.reading)
        why_not = told.why_not and not (query.topics or query.orders or query.action != "none")
        if not (why_not or told.agreed or self._may_tell(understanding)):
            return Told()
        return replace(told, why_not=why_not)

    def tells_wishes(self, message: str) -> bool:
        """Whether an earlier message may tell what is wished for; `why not Oud Royal?` wishes for no oud."""
        return not asks_why_not(message, self._vocabulary)

    def holds(self, profile: Profile, key: str, value: str) -> bool:
        """Whether a profile has a value, or none of its store's words for it."""
        spec = self._schema().keys.get(key)
        canonical = spec.canonical(value) if spec else None
        return canonical is None or canonical in profile.get(key)

    def known(
        self,
        told: Told,
        query: ShopperQuery,
        own: ShopperQuery,
        before: Conversation,
        *,
        answers: bool = False,
    ) -> Known:
        """What is known now: said before, said in this message, without what is taken back.

        Args:
            query: the message with the wishes that it goes on with; `own`: as it stands.
            answers: it answers what we asked.
        """
        schema = self._schema()
        earlier = self._earlier(schema, own, before.profile, anew=not answers)
        implied = implied_profile(Constraints.of(query), schema)
        profile = schema.merge(earlier, schema.merge(implied, told.profile))
        for key, value in told.taken_back:
            profile = profile.without(key, value or None)
        # What was agreed to before was kept, and is no news; without it nothing of health is.
        agreed = schema.merge(earlier, told.profile) if told.agreed else earlier
        kept = _with_agreed(schema, profile, agreed)
        for key in _OF_THE_REQUEST:
            kept = kept.without(key)
        private = schema.of(
            {
                key: [v for v in values if schema.is_private(key, v) and v not in kept.get(key)]
                for key, values in profile.stated
            }
        )
        return Known(profile, kept, told, private)

    def _known_words(self) -> ProfileWords:
        schema = self._schema()
        if self._words is None or self._words.schema is not schema:
            self._words = ProfileWords.of(schema)
        return self._words

    def _may_tell(self, understanding: Understanding) -> bool:
        query = understanding.query
        if understanding.intent == "recommendation" or query.delegated:
            return True
        if query.wishes() and understanding.intent != "knowledge":
            return True
        marked = "?" in query.text or "؟" in query.text
        asks = marked or "ask" in self._vocabulary.concepts_in(query.text, ("question",))
        return not (query.topics or asks or query.orders or query.action != "none")

    def _earlier(
        self, schema: ProfileSchema, query: ShopperQuery, kept: Profile, *, anew: bool
    ) -> Profile:
        """What was kept, as far as the store still knows it, without the wishes that a new request replaces."""
        anew = anew and bool(
            query.notes or query.families or query.season or query.occasion or query.gender
        )
        return schema.of(
            {
                key: [v for v in values if v in schema.keys[key].values]
                for key, values in kept.stated
                if key in schema.keys and not (anew and key in _OF_THE_WISH)
            }
        )


def _with_agreed(schema: ProfileSchema, profile: Profile, agreed: Profile) -> Profile:
    """What may be kept: all but what tells of the shopper's health, and of that what they agreed to."""
    return schema.of(
        {
            key: [
                value
                for value in values
                if not schema.is_private(key, value) or value in agreed.get(key)
            ]
            for key, values in profile.stated
        }
    )


def without_taken_back(query: ShopperQuery, told: Told) -> ShopperQuery:
    """The wishes of earlier messages without the season or occasion that this one takes back."""
    for key, value in told.taken_back:
        if key in _OF_THE_WISH and value in ("", getattr(query, key)):
            query = replace(query, **{key: None})
    return query
