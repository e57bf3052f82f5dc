"""qdrant-client's local mode with indexes: it looks at every payload and every sparse vector for each search.

`install` puts two functions in the place of its own, with the same results: filters on plain fields are answered from
positions by value, sparse scores from postings. What was indexed is known by identity: local mode puts a new object
in the place of whatever changes. Anything else than plain fields goes to its own functions.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np
from qdrant_client import models
from qdrant_client.local import local_collection
from qdrant_client.local.payload_filters import calculate_payload_mask
from qdrant_client.local.sparse_distances import calculate_distance_sparse

_MOST: Final = 8
"""Collections whose indexes are kept."""
_OWN_MASK: Final = calculate_payload_mask
_OWN_SPARSE: Final = calculate_distance_sparse
_lock = threading.Lock()
_payloads: "OrderedDict[int, PayloadIndex]" = OrderedDict()
_sparse: "OrderedDict[int, SparseIndex]" = OrderedDict()


def install() -> None:
    """From now on local mode searches by index, in this process."""
    replaced: Any = local_collection
    replaced.calculate_payload_mask = payload_mask
    replaced.calculate_distance_sparse = sparse_scores


class UnindexedError(Exception):
    """A filter of a kind that is not answered here."""


class _Tracked:
    """Keeps up with a list whose objects are replaced, never changed."""

    def __init__(self) -> None:
        self.known: list[Any] = []

    def follow(self, current: Sequence[Any]) -> None:
        if len(current) < len(self.known):
            self.forget()
            self.known = []
        for place, (old, new) in enumerate(zip(self.known, current, strict=False)):
            if old is not new:
                self.take(place, old, -1)
                self.take(place, new, 1)
                self.known[place] = new
        for place in range(len(self.known), len(current)):
            self.take(place, current[place], 1)
            self.known.append(current[place])

    def forget(self) -> None:
        raise NotImplementedError

    def take(self, place: int, one: Any, sign: int) -> None:
        """Take an object's place into the index (1) or out of it (-1)."""
        raise NotImplementedError


class PayloadIndex(_Tracked):
    """Positions by field and value; numbers of a field by position."""

    def __init__(self) -> None:
        super().__init__()
        self.forget()

    def forget(self) -> None:
        self._places: dict[tuple[str, Any], set[int]] = {}
        self._numbers: dict[str, dict[int, list[float]]] = {}
        self._columns: dict[str, tuple[Any, Any]] = {}

    def take(self, place: int, one: Any, sign: int) -> None:
        for field, value in one.items():
            for single in value if isinstance(value, list) else (value,):
                if isinstance(single, str | int):
                    places = self._places.setdefault((field, _key(single)), set())
                    (places.add if sign > 0 else places.discard)(place)
                if isinstance(single, int | float) and not isinstance(single, bool):
                    self._columns.pop(field, None)
                    numbers = self._numbers.setdefault(field, {})
                    numbers.setdefault(place, []).append(float(single))
            if sign < 0:
                self._columns.pop(field, None)
                self._numbers.get(field, {}).pop(place, None)

    def mask(self, where: models.Filter) -> Any:
        if where.min_should is not None:
            raise UnindexedError
        mask = np.ones(len(self.known), dtype=bool)
        for condition in _listed(where.must):
            mask &= self._condition(condition)
        for condition in _listed(where.must_not):
            mask &= ~self._condition(condition)
        if should := _listed(where.should):
            mask &= np.logical_or.reduce([self._condition(one) for one in should])
        return mask

    def _condition(self, condition: Any) -> Any:
        if isinstance(condition, models.Filter):
            return self.mask(condition)
        if not isinstance(condition, models.FieldCondition) or not condition.key.isidentifier():
            raise UnindexedError
        match condition.match, condition.range:
            case models.MatchValue(value=value), None:
                return self._any(condition.key, [value])
            case models.MatchAny(any=values), None:
                return self._any(condition.key, values)
            case None, models.Range() as bounds:
                return self._within(condition.key, bounds)
            case _:
                raise UnindexedError

    def _any(self, field: str, values: Iterable[Any]) -> Any:
        mask = np.zeros(len(self.known), dtype=bool)
        for value in values:
            places = self._places.get((field, _key(value)), ())
            mask[np.fromiter(places, dtype=np.int64, count=len(places))] = True
        return mask

    def _within(self, field: str, bounds: models.Range) -> Any:
        places, numbers = self._column(field)
        inside = np.ones(len(numbers), dtype=bool)
        if bounds.gte is not None:
            inside &= numbers >= bounds.gte
        if bounds.gt is not None:
            inside &= numbers > bounds.gt
        if bounds.lte is not None:
            inside &= numbers <= bounds.lte
        if bounds.lt is not None:
            inside &= numbers < bounds.lt
        mask = np.zeros(len(self.known), dtype=bool)
        mask[places[inside]] = True
        return mask

    def _column(self, field: str) -> tuple[Any, Any]:
        """All numbers of a field beside the positions they stand at."""
        if field not in self._columns:
            pairs = [(i, n) for i, held in self._numbers.get(field, {}).items() for n in held]
            self._columns[field] = (
                np.array([place for place, _ in pairs], dtype=np.int64),
                np.array([number for _, number in pairs], dtype=np.float64),
            )
        return self._columns[field]


class SparseIndex(_Tracked):
    """Postings: which vectors have a term, and with what weight."""

    def __init__(self) -> None:
        super().__init__()
        self.forget()

    def forget(self) -> None:
        self._postings: dict[int, dict[int, float]] = {}

    def take(self, place: int, one: Any, sign: int) -> None:
        for term, value in zip(one.indices, one.values, strict=True):
            if sign > 0:
                self._postings.setdefault(term, {})[place] = value
            else:
                self._postings.get(term, {}).pop(place, None)

    def scores(self, query: models.SparseVector, empty: float) -> Any:
        scores = np.zeros(len(self.known), dtype=np.float32)
        met = np.zeros(len(self.known), dtype=bool)
        for term, weight in zip(query.indices, query.values, strict=True):
            found = self._postings.get(term)
            if found:
                places = np.fromiter(found, dtype=np.int64, count=len(found))
                values = np.fromiter(found.values(), dtype=np.float32, count=len(found))
                scores[places] += np.float32(weight) * values
                met[places] = True
        scores[~met] = empty
        return scores


def payload_mask(
    payloads: list[Any],
    payload_filter: models.Filter | None,
    ids_inv: list[Any],
    deleted_per_vector: dict[str, Any],
) -> Any:
    """As `qdrant_client.local.payload_filters.calculate_payload_mask`."""
    if payload_filter is None or not payloads:
        return _OWN_MASK(payloads, payload_filter, ids_inv, deleted_per_vector)
    with _lock:
        index = _kept(_payloads, id(payloads), PayloadIndex)
        try:
            index.follow(payloads)
            return index.mask(payload_filter)
        except UnindexedError:
            return _OWN_MASK(payloads, payload_filter, ids_inv, deleted_per_vector)


def sparse_scores(
    query: models.SparseVector, vectors: list[Any], empty_is_zero: bool = False
) -> Any:
    """As `qdrant_client.local.sparse_distances.calculate_distance_sparse`."""
    if not vectors:
        return _OWN_SPARSE(query, vectors, empty_is_zero)
    with _lock:
        # The list is another one each time, what stands first in it is not.
        index = _kept(_sparse, id(vectors[0]), SparseIndex)
        index.follow(vectors)
        return index.scores(query, 0.0 if empty_is_zero else float("-inf"))


def _kept(kept: "OrderedDict[int, Any]", key: int, make: Callable[[], Any]) -> Any:
    index = kept.pop(key, None) or make()
    kept[key] = index
    while len(kept) > _MOST:
        kept.popitem(last=False)
    return index


def _listed(conditions: Any) -> list[Any]:
    if conditions is None:
        return []
    return list(conditions) if isinstance(conditions, list) else [conditions]


def _key(value: Any) -> tuple[bool, Any]:
    """Values by which a match tells them apart: `True` is not 1."""
    return isinstance(value, bool), value
