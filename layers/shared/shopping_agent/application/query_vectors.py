"""A shopper's words as the two vectors of a search, the canonical terms found in them included."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Final

from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.sparse import is_telling, query_vector
from shopping_agent.domain.text import words
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.errors import DeadlineExceededError, EmbeddingUnavailableError
from shopping_agent.observability import count, logger
from shopping_agent.ports import Embedder

_REMEMBERED: Final = 32


@frozen
class QueryVectors:
    """`dense` is None without embeddings: the search goes on with words alone."""

    dense: Sequence[float] | None
    sparse: Mapping[int, float]


class QueryVectorizer:
    """Makes query vectors. The last few dense ones are kept: products and guides are searched with the same message."""

    def __init__(self, *, embedder: Embedder | None, vocabulary: Vocabulary) -> None:
        self._embedder = embedder
        self._vocabulary = vocabulary
        self._kept: OrderedDict[int, list[float]] = OrderedDict()
        self._lock = Lock()

    def facets(
        self, text: str, wanted: Sequence[str] = (), refused: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """Canonical terms wished for or named in the text, without those that are refused."""
        covered = {term for word in refused for term in self._vocabulary.expand(word)}
        named = (*wanted, *self._vocabulary.canonical_terms(text))
        return tuple(dict.fromkeys(term for term in named if term not in covered))

    def vectors(
        self, text: str, facets: Sequence[str], deadline: Deadline, *, refusing: bool = False
    ) -> QueryVectors:
        """Both vectors of a text; the canonical English terms help where the text is in another language.

        Args:
            refusing: what `query_vector` says: for products, not for texts that answer questions.
        """
        said = f"{text}\n{', '.join(facets)}".strip()
        return QueryVectors(
            dense=self._embed(said, deadline) if said else None,
            sparse=query_vector(text, facets, self.unknown(text), refusing=refusing),
        )

    def unknown(self, text: str) -> tuple[str, ...]:
        """The folded words of a text that the store's vocabulary does not know: names, maybe misspelt ones."""
        known = self._vocabulary.words
        return tuple(
            dict.fromkeys(
                word
                for word in words(text)
                if is_telling(word)
                and not any(form in known for form in self._vocabulary.forms_of(word))
            )
        )

    def _embed(self, text: str, deadline: Deadline) -> list[float] | None:
        if self._embedder is None:
            return None
        key = hash(text)
        known = self._kept.get(key)
        if known is not None:
            return known
        try:
            vector = self._embedder.embed_query(text, deadline)
        except (EmbeddingUnavailableError, DeadlineExceededError) as error:
            count("EmbeddingFailuresTolerated")
            logger.warning("no embedding, searching by words", error=type(error).__name__)
            return None
        with self._lock:  # a turn searches products and guides at the same time
            self._kept[key] = vector
            while len(self._kept) > _REMEMBERED:
                self._kept.popitem(last=False)
        return vector
