"""What is known of one shopper, as keys and values of the store's schema of profiles (`domain.profile`)."""

from shopping_agent.domain.values import frozen


@frozen
class Profile:
    """What a shopper said or a client sent; hashable, keys in the schema's order.

    Attributes:
        stated: `(key, values)`; every key has at least one value.
    """

    stated: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def get(self, key: str) -> tuple[str, ...]:
        """The values of a key, () when it is not known."""
        return dict(self.stated).get(key, ())

    def view(self) -> dict[str, list[str]]:
        """The profile as JSON: `{"climate": ["hot"], "sensitivities": ["migraine"]}`."""
        return {key: list(values) for key, values in self.stated}

    def without(self, key: str, value: str | None = None) -> "Profile":
        """The profile without a key, or without one of its values: how a shopper corrects it."""
        kept = (
            (k, tuple(v for v in values if k != key or (value is not None and v != value)))
            for k, values in self.stated
        )
        return Profile(tuple((k, values) for k, values in kept if values))

    def __bool__(self) -> bool:
        return bool(self.stated)
