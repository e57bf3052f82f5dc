"""Frozen values are what `@dataclass(frozen=True, slots=True)` makes."""

import copy
import pickle
from collections.abc import Sequence
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from threading import Barrier, Thread

import pytest
from shopping_agent.domain.values import frozen, frozen_by_identity


@frozen
class Bottle:
    """A bottle."""

    name: str
    size: int = 50
    notes: Sequence[str] = field(default_factory=list[str])
    seen: int = field(default=0, compare=False, repr=False)
    label: str = field(default="", kw_only=True)

    @property
    def large(self) -> bool:
        return self.size > 75


@dataclass(frozen=True, slots=True)
class Standard:
    """A bottle."""

    name: str
    size: int = 50
    notes: Sequence[str] = field(default_factory=list[str])
    seen: int = field(default=0, compare=False, repr=False)
    label: str = field(default="", kw_only=True)


@frozen
class Pair:
    left: int
    right: int


@frozen
class Nothing: ...


@frozen
class Checked:
    size: int

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("a size below zero")

    def __repr__(self) -> str:
        return f"<{self.size}>"


def test_it_is_made_from_positions_names_and_defaults() -> None:
    assert Bottle("Oud").size == 50
    assert Bottle("Oud", 100).large
    assert Bottle(name="Oud", label="new").label == "new"
    first, second = Bottle("a"), Bottle("b")
    assert first.notes == []
    assert first.notes is not second.notes
    assert isinstance(Nothing(), Nothing)


@pytest.mark.parametrize(
    ("positional", "named"),
    [((), {}), (("a", 1, (), 0, "label"), {}), (("a",), {"name": "b"}), (("a",), {"colour": 1})],
)
def test_wrong_arguments_are_refused(positional, named) -> None:
    for kind in (Bottle, Standard):
        with pytest.raises(TypeError, match=r"__init__\(\)"):
            kind(*positional, **named)


def test_it_shows_itself_as_a_dataclass_does() -> None:
    shown = repr(Bottle("Oud", notes=("amber",)))
    assert shown == repr(Standard("Oud", notes=("amber",))).replace("Standard", "Bottle")
    assert repr(Nothing()) == "Nothing()"
    assert repr(Checked(3)) == "<3>"


def test_equal_fields_are_equal_values_of_one_hash() -> None:
    a, b = Bottle("Oud", notes=("amber",), seen=1), Bottle("Oud", notes=("amber",), seen=2)
    assert a == b
    assert hash(a) == hash(b)
    assert a != Bottle("Oud")
    assert a != Standard("Oud", notes=("amber",))
    assert Checked(1) == Checked(1) != Checked(2)
    assert {Nothing(), Nothing()} == {Nothing()}
    with pytest.raises(TypeError, match="unhashable"):
        hash(Bottle("Oud"))


def test_nothing_can_be_set_deleted_or_added() -> None:
    bottle = Bottle("Oud")
    for name in ("name", "colour"):
        with pytest.raises(FrozenInstanceError):
            setattr(bottle, name, "x")
        with pytest.raises(FrozenInstanceError):
            delattr(bottle, name)
    assert not hasattr(bottle, "__dict__")


def test_dataclasses_replaces_and_lists_it() -> None:
    assert replace(Bottle("Oud", 100), name="Rose") == Bottle("Rose", 100)
    assert [f.name for f in fields(Bottle)] == [f.name for f in fields(Standard)]
    assert Pair.__match_args__ == ("left", "right")


def test_it_can_be_copied_and_pickled() -> None:
    bottle = Bottle("Oud", 100, ["amber"], seen=3)
    for twin in (copy.copy(bottle), copy.deepcopy(bottle), pickle.loads(pickle.dumps(bottle))):
        assert (twin, twin.seen) == (bottle, 3)


def test_what_is_checked_after_it_is_made_is_checked_each_time() -> None:
    assert Checked(1).size == 1
    for _ in range(2):
        with pytest.raises(ValueError, match="below zero"):
            Checked(-1)


def test_the_first_ones_may_be_made_by_many_threads_at_once() -> None:
    @frozen
    class Fresh:
        number: int

    barrier, made = Barrier(8), list[Fresh]()

    def make(number: int) -> None:
        barrier.wait()
        made.append(Fresh(number))

    threads = [Thread(target=make, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one.number for one in made) == list(range(8))


def test_what_is_told_apart_by_identity_equals_itself_alone_and_shows_no_fields() -> None:
    @frozen_by_identity
    class Book:
        pages: dict[str, str]

    one, other = Book({"a": "b"}), Book({"a": "b"})
    assert one == one
    assert one != other
    assert {one: 1, other: 2}[one] == 1
    assert "pages" not in repr(one)
    with pytest.raises(FrozenInstanceError):
        one.pages = {}  # type: ignore[misc]
