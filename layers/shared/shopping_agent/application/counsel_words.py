"""What the store's rules say, as sentences of the store's phrases: under a list of products, and why not another one."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.intent import Language
from shopping_agent.domain.store import Phrases


class CounselWords:
    """Words advice; adds nothing to it."""

    def __init__(self, phrases: Phrases, language: Language) -> None:
        self._phrases = phrases
        self._language: Language = language

    def kept_in_mind(self, profile: Sequence[str]) -> str:
        return self._say("recommend.profile", profile=self._listed(profile))

    def why(self, name: str, reason: str) -> str:
        return self._say("recommend.why", name=name, reason=reason)

    def left_out(self, excluded: Sequence[JsonObject]) -> list[str]:
        """Which products a rule excludes, and why the first."""
        if not excluded:
            return []
        names = self._listed(dict.fromkeys(str(one["name"]) for one in excluded))
        reason = _objects(excluded[0]["rules"])[0]["text"]
        return [self._say("recommend.left_out", names=names, reason=reason)]

    def relaxed(self, gave_way: Sequence[JsonObject]) -> list[str]:
        return [
            self._say("recommend.relaxed", what=one["what"], reason=one["text"])
            for one in gave_way[:1]
        ]

    def remember(self, facts: Sequence[str]) -> str:
        """A chip with which a shopper lets us keep what tells of their health."""
        return self._say("recommend.remember", facts=self._listed(facts))

    def why_not(self, asked: JsonObject) -> list[str]:
        """Why a product was not recommended: the rules that exclude it, and what it breaks; else what lowers it."""
        name = str(asked["name"])
        broken = self._broken(name, [str(wish) for wish in asked["broken"]])
        for key in ("excluded", "unless"):
            rules = _objects(asked[key])
            if rules:
                return [*broken, *(self._rule(f"why_not.{key}", name, rule) for rule in rules)]
        for key in ("against", "missing"):
            rules = _objects(asked[key])
            if rules:
                return [*broken, self._rule(f"why_not.{key}", name, rules[0])]
        return broken or [self._say("why_not.nothing", name=name)]

    def _broken(self, name: str, wishes: Sequence[str]) -> list[str]:
        words = [
            self._say(key) if self._phrases.has(self._language, key) else wish
            for wish in wishes
            for key in (f"value.wish.{wish}",)
        ]
        return [self._say("why_not.broken", name=name, wishes=self._listed(words))] if words else []

    def _rule(self, key: str, name: str, rule: JsonObject) -> str:
        terms = self._listed([str(term) for term in rule["terms"]])
        # Without a term of the product there is nothing to name but the rule.
        terms = terms or str(rule["rule"])
        return self._say(key, name=name, terms=terms, rule=rule["rule"], text=rule["text"])

    def _listed(self, words: Iterable[str]) -> str:
        return self._say("list.separator").join(words)

    def _say(self, key: str, **values: object) -> str:
        return self._phrases.say(self._language, key, **values)


def _objects(value: Any) -> list[JsonObject]:
    return cast("list[JsonObject]", list(value))
