"""Frozen, slotted dataclasses whose `__init__` is compiled when the first one is made, and whose other methods are shared.

A cold start defines some two hundred of them. `dataclasses` compiles six methods for each, 0.3 ms a class, of which most are
never called; and a frozen one sets every field through `object.__setattr__`. For `replace`, `fields`, `match`, `copy` and
a reader of the code these are dataclasses like any other.
"""

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, Final, TypeVar, cast, dataclass_transform

_T = TypeVar("_T")

_MADE: Final = object()
"""Stands for the value of a default factory in a signature."""


@dataclass_transform(frozen_default=True, field_specifiers=(field, Field))
def frozen(cls: type[_T]) -> type[_T]:
    """A class decorator: `@dataclass(frozen=True, slots=True)`, cheaper to define and to make.

    Fields of `init=False` and inheritance from another dataclass are not supported.
    """
    return _defined(cls, _METHODS)


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field, Field))
def frozen_by_identity(cls: type[_T]) -> type[_T]:
    """As `frozen`, for what is large and made once: equal to itself alone, and shown without its fields."""
    return _defined(cls, _METHODS_BY_IDENTITY)


def _defined(cls: type[_T], methods: dict[str, Any]) -> type[_T]:
    own = {name: cls.__dict__[name] for name in methods if name in cls.__dict__}
    # Else CPython 3.13 makes one of the signature, at the cost of ten fields.
    cls.__doc__ = cls.__doc__ or f"{cls.__name__}()"
    made = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    for name, method in methods.items():
        setattr(made, name, own.get(name, method))
    setattr(made, "__init__", _first_init(made))  # noqa: B010
    return made


def _first_init(cls: type[Any]) -> Callable[..., None]:
    """An `__init__` that puts the real one in its place."""

    def init(self: Any, *positional: Any, **named: Any) -> None:
        real = _init(cls)
        cls.__init__ = real
        real(self, *positional, **named)

    return init


def _init(cls: type[Any]) -> Callable[..., None]:
    known: dict[str, Any] = {"_MADE": _MADE}
    signature: list[str] = []
    body: list[str] = []
    for one in sorted(fields(cls), key=lambda f: bool(f.kw_only)):
        name = one.name
        known[f"_set_{name}"] = getattr(cls, name).__set__
        if one.kw_only and "*" not in signature:
            signature.append("*")
        if one.default is not MISSING:
            known[f"_is_{name}"] = one.default
            signature.append(f"{name}=_is_{name}")
        elif one.default_factory is not MISSING:
            known[f"_make_{name}"] = one.default_factory
            signature.append(f"{name}=_MADE")
            body.append(f"if {name} is _MADE: {name} = _make_{name}()")
        else:
            signature.append(name)
        body.append(f"_set_{name}(self, {name})")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    lines = "\n ".join(body or ["pass"])
    exec(f"def __init__(self, {', '.join(signature)}):\n {lines}", known)  # noqa: S102  (as dataclasses does)
    init = cast(Callable[..., None], known["__init__"])
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


# --- what all of them share -----------------------------------------------------------------------

_getters: dict[type[Any], Callable[[Any], Any]] = {}


def _values(one: Any) -> Any:
    """The fields that count for comparison."""
    cls = cast(type[Any], type(one))
    getter = _getters.get(cls)
    if getter is None:
        names = [f.name for f in fields(cls) if f.compare]
        getter = _getters[cls] = attrgetter(*names) if names else _nothing
    return getter(one)


def _nothing(one: Any) -> Any:
    del one


def _eq(self: Any, other: object) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return _values(self) == _values(other)


def _hash(self: Any) -> int:
    return hash(_values(self))


def _repr(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr)
    return f"{type(self).__qualname__}({shown})"


def _setattr(self: Any, name: str, value: object) -> None:
    del self, value
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: Any, name: str) -> None:
    del self
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for f, held in zip(fields(self), state, strict=True):
        object.__setattr__(self, f.name, held)


_METHODS: Final[dict[str, Any]] = {
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _setattr,
    "__delattr__": _delattr,
    "__getstate__": _getstate,
    "__setstate__": _setstate,
}
_METHODS_BY_IDENTITY: Final[dict[str, Any]] = {
    **_METHODS,
    "__eq__": object.__eq__,
    "__hash__": object.__hash__,
    "__repr__": object.__repr__,
}
