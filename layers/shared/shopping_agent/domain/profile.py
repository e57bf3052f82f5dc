"""What is known of a shopper that rules of recommendation look at: climate, occasion, tastes, sensitivities, ...

Which keys there are, their values and words is data of the store pack (`profile.json`); no code knows what the store sells.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from shopping_agent.domain.profile_keys import BUDGET, NO, YES, ProfileKey, read_key
from shopping_agent.domain.stated_profile import Profile
from shopping_agent.domain.store import FALLBACKS
from shopping_agent.domain.values import frozen_by_identity
from shopping_agent.errors import InvalidFieldError

__all__ = ["BUDGET", "NO", "YES", "Profile", "ProfileKey", "ProfileSchema"]

_LONGEST: Final = 60
_MOST: Final = 12


@frozen_by_identity
class ProfileSchema:
    """The keys that profiles of a store may have. Their order is that of strength: see `recommendation.advise`."""

    keys: Mapping[str, ProfileKey]

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "ProfileSchema":
        """A schema from `{key: {label, many?, adds?, private?: [value], ask?, called?, values: {value: ...}}}`.

        A value is `{label, also?: "word, word", said?: {languages: "phrase, phrase"}, refuses?: "term, term"}`.

        Raises:
            ValueError: naming the place and what would work.
        """
        return cls({name: read_key(name, given) for name, given in document.items()})

    def parse(self, document: Mapping[str, Any], *, field: str = "profile") -> Profile:
        """A profile from JSON: each key holds a value or a list of values; null and [] say nothing.

        Raises:
            InvalidFieldError: naming the field, and the keys or values that there are.
        """
        unknown = [key for key in document if key not in self.keys]
        if unknown:
            raise InvalidFieldError(
                f"{field}.{unknown[0][:_LONGEST]} is unknown; a profile has {', '.join(self.keys)}",
                field=f"{field}.{unknown[0][:_LONGEST]}",
            )
        return self.of({key: self._values(key, given, field) for key, given in document.items()})

    def of(self, values: Mapping[str, Iterable[str]]) -> Profile:
        """A profile of canonical values, in the schema's order, without repeats."""
        stated = ((key, tuple(dict.fromkeys(values.get(key, ())))) for key in self.keys)
        return Profile(tuple((key, found) for key, found in stated if found))

    def merge(self, known: Profile, said: Profile) -> Profile:
        """What was known and what is said now: a key stated anew replaces itself, a sensitivity is never lost by it."""
        before, now = dict(known.stated), dict(said.stated)
        joined = {
            key: (*before.get(key, ()), *now.get(key, ()))
            if spec.adds or key not in now
            else now[key]
            for key, spec in self.keys.items()
        }
        return self.of(joined)

    def keepable(self, profile: Profile) -> Profile:
        """The profile without what tells of the shopper's health: that lives for the turn only."""
        return self.of(
            {
                key: [v for v in values if v not in self.keys[key].private]
                for key, values in profile.stated
                if key in self.keys
            }
        )

    def is_private(self, key: str, value: str) -> bool:
        """Whether a value tells of the shopper's health."""
        return key in self.keys and value in self.keys[key].private

    def label(self, key: str, value: str, language: str) -> str:
        """A value in the shopper's words ("hot climate"); the value itself where the data has none."""
        spec = self.keys.get(key)
        labels: Mapping[str, str] = spec.labels.get(value, {}) if spec else {}
        return next((labels[c] for c in FALLBACKS.get(language, ("en",)) if c in labels), value)

    def question(self, key: str, language: str) -> str:
        """What to ask for a key; its label where the data has no question."""
        spec = self.keys[key]
        texts = spec.ask or spec.label
        return next((texts[c] for c in FALLBACKS.get(language, ("en",)) if c in texts), key)

    def labels(self, profile: Profile, language: str) -> list[str]:
        """The profile in the shopper's words, in the schema's order."""
        return [
            self.label(key, value, language) for key, values in profile.stated for value in values
        ]

    def _values(self, key: str, given: object, field: str) -> list[str]:
        spec = self.keys[key]
        listed = cast("list[object]", given) if isinstance(given, list) else [given]
        listed = [value for value in listed if value is not None and value != ""]
        if len(listed) > (_MOST if spec.many else 1):
            most = f"at most {_MOST} values" if spec.many else "one value"
            raise InvalidFieldError(f"{field}.{key} takes {most}", field=f"{field}.{key}")
        found: list[str] = []
        for value in listed:
            canonical = spec.canonical(value)
            if canonical is None:
                raise InvalidFieldError(
                    f"{field}.{key} cannot be {_shown(value)}: it is one of {', '.join(spec.values)}",
                    field=f"{field}.{key}",
                )
            found.append(canonical)
        return found


def _shown(value: object) -> str:
    """A wrong value as a message names it; a number may have too many digits to be written."""
    return repr(value[:_LONGEST]) if isinstance(value, str) else f"a {type(value).__name__}"
