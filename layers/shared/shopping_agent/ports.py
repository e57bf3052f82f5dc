"""What the use cases need from the outside, named by role. One contract suite runs on every adapter of a port.

Every call takes a `Deadline` and answers, or raises a `DependencyError` (or `LanguageModelError`), before it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, BinaryIO, Literal, Protocol

from shopping_agent.domain.cart import Cart
from shopping_agent.domain.catalog import Gender, LiveFacts, Product
from shopping_agent.domain.checkout import CompletedOrder, Completion, HandOff
from shopping_agent.domain.conversation import (
    Conversation,
    JsonObject,
    ModelReply,
    ModelRequest,
    Shopper,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.feed import FeedRow, InventoryRow, RejectedRow
from shopping_agent.domain.limits import Charge
from shopping_agent.domain.operation import FinishedTurn, Operation, TurnClaim, TurnRecord
from shopping_agent.domain.progress import TurnStep
from shopping_agent.domain.values import frozen

# --- state -----------------------------------------------------------------------------------


class CartStore(Protocol):
    """Carts. Every change is one atomic script and returns the cart at live prices.

    Raises `CartRefusedError` (nothing changed) or `StateUnavailableError` (never a silent success).
    `expected_version` makes the change conditional (`version_conflict`). `operation` names it: an operation that was
    carried out already changes nothing and answers the cart; without one, every call is a change of its own.
    """

    def read(self, shopper: Shopper, deadline: Deadline, *, charges: Sequence[Charge] = ()) -> Cart:
        """The cart; in the same round trip `charges` are counted.

        Raises:
            TooManyRequestsError: one of the limits that they count towards is reached.
        """
        ...

    def add(
        self,
        shopper: Shopper,
        product_id: str,
        quantity: int,
        deadline: Deadline,
        *,
        expected_version: int | None = None,
        operation: Operation | None = None,
    ) -> Cart: ...

    def set_quantity(
        self,
        shopper: Shopper,
        product_id: str,
        quantity: int,
        deadline: Deadline,
        *,
        expected_version: int | None = None,
        operation: Operation | None = None,
    ) -> Cart:
        """0 removes; an absent line with 0 is no error, with more it is `unknown_product`."""
        ...

    def clear(
        self,
        shopper: Shopper,
        deadline: Deadline,
        *,
        expected_version: int | None = None,
        operation: Operation | None = None,
    ) -> Cart: ...

    def undo(
        self,
        shopper: Shopper,
        deadline: Deadline,
        *,
        expected_version: int | None = None,
        operation: Operation | None = None,
    ) -> Cart:
        """The cart before the last change; a second undo has `nothing_to_undo`."""
        ...

    def merge(
        self,
        user: Shopper,
        guest: Shopper,
        deadline: Deadline,
        *,
        expected_version: int | None = None,
        operation: Operation | None = None,
    ) -> Cart:
        """The guest's lines moved into the user's cart, once, within the caps and the stock.

        The guest's cart is empty afterwards. What did not come over is in the reply's `left_out`. A user's undo takes
        back what came; the guest's cart has nothing to undo.
        """
        ...


class HandOffStore(Protocol):
    """Carts that were handed over to the shop's checkout."""

    def keep(self, shopper: Shopper, given: HandOff, deadline: Deadline) -> None:
        """Remember a hand-off. Raises `CartRefusedError` when the cart has another version by now."""
        ...

    def find(self, reference: str, deadline: Deadline) -> HandOff | None: ...

    def complete(self, order: CompletedOrder, deadline: Deadline) -> Completion:
        """Take what was handed over out of the cart, and count the order; atomic, and once for an order.

        What was added since the hand-off stays. What was ordered cannot be brought back by an undo.
        """
        ...


class LiveCatalog(Protocol):
    """Live product facts: price, stock, name. The only source of what may be sold."""

    def get(self, ids: Sequence[str], deadline: Deadline) -> dict[str, LiveFacts]:
        """Facts of the ids that exist; one round trip."""
        ...

    def on_sale(self, now: float, deadline: Deadline) -> list[LiveFacts]:
        """Facts of the products with a sale price at `now` (seconds since the epoch), a bounded number; one round trip."""
        ...

    def put(
        self,
        facts: Sequence[LiveFacts],
        deadline: Deadline,
        *,
        source: str = "",
        uncounted: Collection[str] = (),
    ) -> list[str]:
        """Facts of a catalog file; an older file of the same source changes nothing.

        Args:
            source: the file's object key; the facts' revision is its age.
            uncounted: ids of which the file does not say the stock.

        Returns:
            The ids whose price or stock a newer inventory file decides: their facts are not those given.
        """
        ...

    def remove(self, ids: Sequence[str], deadline: Deadline) -> None: ...


Restocked = Literal["unknown", "changed", "unchanged"]
"""What an inventory row did: nothing is live under its id, its facts changed, or they are as they were."""


@frozen
class Overtaken:
    """Which of a product's inventory facts are older than some revision."""

    price: bool
    stock: bool


class Inventory(Protocol):
    """Prices and stocks of inventory files, laid over those of the catalogs: of each the newer upload holds.

    Revisions are as those of live facts. What is said of a product that is not live is kept for when it becomes so.
    """

    def restock(
        self, rows: Sequence[InventoryRow], revision: int, deadline: Deadline
    ) -> list[Restocked]:
        """Apply rows of a file of this age; one word a row. Repeating it changes nothing."""
        ...

    def overtaken(self, revision: int, deadline: Deadline) -> dict[str, Overtaken]:
        """Products with inventory facts older than a catalog file of this age."""
        ...

    def advance(self, source: str, revision: int, deadline: Deadline) -> None:
        """From now on inventory files that are older than this one of a catalog lose against it, whatever it changes."""
        ...


@frozen
class SourceState:
    """What the last ingestion of one catalog source left behind.

    Attributes:
        sequencer: the S3 sequencer of the event that was applied last: the fencing token.
        latest: the newest event that began to write, finished or not, when the reading began.
        hashes: product (or guide) id -> (hash of the embedded text, hash of price and stock).
    """

    sequencer: str = ""
    etag: str = ""
    hashes: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    latest: str = ""


class CatalogManifest(Protocol):
    """Per source (object key): what is live and which event made it so."""

    def read(self, source: str, deadline: Deadline) -> SourceState: ...

    def begin(
        self, source: str, sequencer: str, deadline: Deadline, *, seen: str | None = None
    ) -> bool:
        """Take the source for this event; False when a newer (or this very, finished) event was applied.

        Args:
            seen: `SourceState.latest`; False also when another event began since then.
        """
        ...

    def entries(
        self, source: str, ids: Sequence[str], deadline: Deadline
    ) -> dict[str, tuple[str, str]]:
        """The hashes of those of the ids that the source has."""
        ...

    def doubt(self, source: str, ids: Sequence[str], deadline: Deadline) -> None:
        """What is live of these products of the source may be another file's: its next upload writes them anew."""
        ...

    def record(
        self,
        source: str,
        sequencer: str,
        changed: Mapping[str, tuple[str, str]],
        removed: Sequence[str],
        deadline: Deadline,
        *,
        embedded: int = 0,
    ) -> bool:
        """Record changed and removed ids of an event that goes on; False when it lost the source.

        Args:
            embedded: texts that were embedded for them, added to the plan's.
        """
        ...

    def commit(
        self,
        source: str,
        sequencer: str,
        etag: str,
        changed: Mapping[str, tuple[str, str]],
        removed: Sequence[str],
        deadline: Deadline,
    ) -> None:
        """Record the changed and removed ids and finish the event, if it still holds the source."""
        ...


@frozen
class IngestionPlan:
    """What the event that holds a source set out to do.

    Attributes:
        token: of the attempt that does it.
        parts: into how many messages the work was split; 0: it is done where it was planned.
        folder: prefix of the keys of their objects.
        counts: of the report, as far as planning knows them.
        embedded: texts that were embedded so far, by all attempts.
        sent: whether all parts are in the queue.
        done: how many of them are finished.
    """

    sequencer: str
    token: str
    started_at: float
    parts: int = 0
    folder: str = ""
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    embedded: int = 0
    sent: bool = False
    done: int = 0


class PartLedger(Protocol):
    """The plan of the event that holds a source, or held it last."""

    def open(self, source: str, token: str, plan: IngestionPlan, deadline: Deadline) -> bool:
        """Write the plan down, no part of it done; False when the attempt lost the source."""
        ...

    def sent(self, source: str, token: str, deadline: Deadline) -> bool:
        """All parts are in the queue."""
        ...

    def done(self, source: str, token: str, number: int, deadline: Deadline) -> int | None:
        """One part is finished, however often that is said: how many are; None when the attempt lost the source."""
        ...

    def find(self, source: str, deadline: Deadline) -> IngestionPlan | None: ...


@frozen
class TurnState:
    """All that a turn needs from Redis, loaded in one round trip.

    Attributes:
        record: of a turn that was claimed.
        history_lost: what was stored of the conversation is, in part or whole, not readable.
    """

    cart: Cart
    conversation: Conversation
    names: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    record: TurnRecord | None = None
    history_lost: bool = False


class TurnStore(Protocol):
    """Conversation state of a session."""

    def load(
        self,
        shopper: Shopper,
        name_keys: Sequence[str],
        deadline: Deadline,
        *,
        charges: Sequence[Charge] = (),
        claim: TurnClaim | None = None,
    ) -> TurnState:
        """Cart, conversation and, of the normalised `name_keys`, those that are product names -> ids.

        Args:
            claim: makes the turn this attempt's, so that its changes can be written down.

        Raises:
            InProgressError: another attempt at the turn still runs.
            InvalidFieldError: the turn's id was used for another message.
            TooManyRequestsError: one of the limits that `charges` count towards is reached.
        """
        ...

    def save(
        self,
        shopper: Shopper,
        before: Conversation,
        after: Conversation,
        deadline: Deadline,
        *,
        finished: FinishedTurn | None = None,
    ) -> None:
        """Add to the conversation what a turn changed of it, beside what other turns do at the same time.

        Args:
            before: as the turn loaded it; if it was erased since, nothing is added.
            finished: keeps the reply of a turn that was claimed, unless another attempt took it over.
        """
        ...

    def release(self, shopper: Shopper, claim: TurnClaim, deadline: Deadline) -> None:
        """Let a turn that failed be tried again at once."""
        ...


@frozen
class StepsSoFar:
    """Steps of a turn, in order. `done`: the turn has its answer."""

    steps: tuple[TurnStep, ...] = ()
    done: bool = False


class TurnSteps(Protocol):
    """What running turns are doing, for some minutes."""

    def add(
        self,
        shopper: Shopper,
        turn_id: str,
        steps: Sequence[TurnStep],
        *,
        done: bool,
        deadline: Deadline,
    ) -> None:
        """Add steps; the first one of a turn replaces what an earlier attempt at it left."""
        ...

    def read(
        self,
        shopper: Shopper,
        turn_id: str,
        after: int,
        deadline: Deadline,
        *,
        charges: Sequence[Charge] = (),
    ) -> StepsSoFar:
        """The steps with a number above `after`; nothing of a turn that is unknown, or another shopper's.

        Raises:
            TooManyRequestsError: one of the limits that `charges` count towards is reached.
        """
        ...


class Recordings(Protocol):
    """What was said in turns, for some hours."""

    def keep(
        self,
        shopper: Shopper,
        turn_id: str,
        document: JsonObject,
        *,
        known: str,
        seconds: int,
        deadline: Deadline,
    ) -> None:
        """Keep a turn's recording, unless the shopper's conversation was erased since.

        Args:
            known: generation of the conversation as the turn loaded it.
        """
        ...


@frozen
class KeptRecord:
    """One thing kept of a shopper.

    Attributes:
        kind: of what sort; `holds` says it in words.
        seconds_left: until it is forgotten, at most.
        data: what is kept, as JSON.
    """

    key: str
    kind: str
    holds: str
    seconds_left: int | None
    data: Any


@frozen
class KeptPage:
    """A part of what is kept; the last page has no cursor."""

    records: tuple[KeptRecord, ...]
    next_cursor: str | None = None


class ShopperRecords(Protocol):
    """All that is kept of one shopper, whoever keeps it."""

    def export(self, shopper: Shopper, cursor: str, deadline: Deadline) -> KeptPage:
        """A page of it, after the cursor of the page before ("" for the first)."""
        ...

    def erase(self, shopper: Shopper, deadline: Deadline) -> None:
        """All of it goes, and no turn that still runs brings a part of it back. May be repeated."""
        ...


# --- who asks, how often, and once only --------------------------------------------------------


class TokenVerifier(Protocol):
    """The shop's own users, by the tokens of their identity provider."""

    def verify(self, token: str, deadline: Deadline) -> Shopper:
        """The user of a token.

        Raises:
            UnauthorizedError: not one of the provider's for us, altered, or out of its time.
            IdentityUnavailableError: the provider's keys cannot be had.
        """
        ...


class RateLimiter(Protocol):
    """Counters of what was asked; they expire by themselves."""

    def admit(self, charges: Sequence[Charge], deadline: Deadline) -> None:
        """Count all the charges, or none.

        Raises:
            TooManyRequestsError: a limit is reached; `code` names it.
        """
        ...


@frozen
class RequestKey:
    """One Idempotency-Key.

    Attributes:
        name: of the key with its method and route.
        fingerprint: of what is asked: a key may not be used for something else.
    """

    shopper_id: str
    name: str
    fingerprint: str


@frozen
class StoredReply:
    """A reply as it was first given."""

    status: int
    headers: Mapping[str, str]
    body: str


@frozen
class Attempt:
    """What is known of a key: `started` means that it is now ours to run.

    Attributes:
        seconds_left: of the lease of the request that runs.
    """

    state: Literal["started", "running", "finished", "other"]
    reply: StoredReply | None = None
    seconds_left: float = 0.0


class IdempotencyStore(Protocol):
    """Requests that are to happen once. A lease that is over may be taken by the next one who asks."""

    def begin(
        self,
        key: RequestKey,
        owner: str,
        lease_seconds: float,
        deadline: Deadline,
        *,
        charges: Sequence[Charge] = (),
    ) -> Attempt:
        """Take the key for `owner`; `charges` are counted if, and only if, it starts.

        Raises:
            TooManyRequestsError: a limit is reached; nothing was started.
        """
        ...

    def finish(
        self, key: RequestKey, owner: str, reply: StoredReply | None, deadline: Deadline
    ) -> None:
        """Keep the reply, or with None (or one too large) forget the attempt; nothing if another owner took over."""
        ...


# --- search ----------------------------------------------------------------------------------

ChunkKind = Literal["description", "notes", "usage", "guide"]


@frozen
class Chunk:
    """One indexed text. `id` is deterministic; a guide chunk has no product.

    Attributes:
        terms: canonical English facets (notes, families, accords, seasons, occasions) used as filters.
        source: object key of the file it came from.
    """

    id: str
    kind: ChunkKind
    text: str
    language: str
    source: str
    product: Product | None = None
    terms: tuple[str, ...] = ()
    guide: str = ""
    heading: str = ""


@frozen
class IndexedChunk:
    """A chunk with its vectors: dense (None without embeddings) and sparse (term id -> weight)."""

    chunk: Chunk
    dense: Sequence[float] | None
    sparse: Mapping[int, float]


@frozen
class IndexFilter:
    """Hard constraints, applied inside the index. Prices in minor units of `currency`.

    Attributes:
        terms: all of them; `one_of`: of each group at least one; `exclude_terms`: none.
        gender: this one or unisex.
    """

    kinds: tuple[ChunkKind, ...] = ()
    language: str | None = None
    product_ids: tuple[str, ...] = ()
    variant_of: tuple[str, ...] = ()
    min_price: int | None = None
    max_price: int | None = None
    currency: str | None = None
    gender: Gender | None = None
    terms: tuple[str, ...] = ()
    one_of: tuple[tuple[str, ...], ...] = ()
    exclude_terms: tuple[str, ...] = ()
    in_stock: bool | None = None


@frozen
class ScoredChunk:
    """A hit. `score` orders hits of one search only; `similarity` is the cosine of the dense vectors, if any."""

    chunk: Chunk
    score: float


@frozen
class ProductPage:
    products: tuple[Product, ...]
    next_cursor: str | None = None


class ProductIndex(Protocol):
    """The query side of the index: chat and store."""

    def search(
        self,
        *,
        dense: Sequence[float] | None,
        sparse: Mapping[int, float],
        where: IndexFilter,
        limit: int,
        deadline: Deadline,
    ) -> list[ScoredChunk]:
        """Dense and sparse retrieval fused by reciprocal rank; sparse alone when `dense` is None."""
        ...

    def products(self, ids: Sequence[str], deadline: Deadline) -> dict[str, Product]:
        """The indexed products of the ids that exist (price and stock as indexed: re-check them)."""
        ...

    def chunks_of(self, product_ids: Sequence[str], deadline: Deadline) -> list[Chunk]:
        """All chunks of some products."""
        ...

    def browse(
        self, where: IndexFilter, *, limit: int, cursor: str | None, deadline: Deadline
    ) -> ProductPage:
        """Products in a stable order, page by page.

        Raises:
            InvalidFieldError: when the cursor is not one of ours.
        """
        ...

    def ready(self, deadline: Deadline) -> None:
        """Raises `IndexUnavailableError` when a search could not be answered."""
        ...


class IndexWriter(Protocol):
    """The write side of the index: ingestion only.

    What is written (the index of the present embedding model) may not be what is served yet: `publish`. Until then
    every change reaches both.
    """

    def prepare(self, deadline: Deadline) -> None:
        """Create what is written where it is missing, and serve it where nothing is."""
        ...

    def upsert(self, chunks: Sequence[IndexedChunk], deadline: Deadline) -> None: ...

    def refresh(self, products: Sequence[Product], deadline: Deadline) -> None:
        """New price and stock in the payload of all chunks of these products; no vector changes."""
        ...

    def remove_products(self, ids: Sequence[str], deadline: Deadline) -> None: ...

    def remove_chunks(self, ids: Sequence[str], deadline: Deadline) -> None: ...

    def held(self, sources: Sequence[str], deadline: Deadline) -> set[str]:
        """Those of some sources of which everything is in what is written (`complete`)."""
        ...

    def complete(self, source: str, kept: Collection[str], deadline: Deadline) -> None:
        """Everything of a source is written: from now on it is held.

        Args:
            kept: its products, or its chunks where it is a guide; what else came from it is removed.
        """
        ...

    def is_served(self, deadline: Deadline) -> bool:
        """Whether searches read what is written."""
        ...

    def publish(self, deadline: Deadline) -> None:
        """Let searches read what is written; what they read before is kept, as it is, and holds no source any more."""
        ...


class Embedder(Protocol):
    """Dense vectors for texts, L2-normalised.

    Attributes:
        model: name and version of the model; part of the collection's name.
        dimensions: length of a vector.
    """

    model: str
    dimensions: int

    def embed_query(self, text: str, deadline: Deadline) -> list[float]: ...

    def embed_passages(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]: ...


# --- models and files --------------------------------------------------------------------------


class LanguageModel(Protocol):
    """A language model that may propose tool calls. Raises `LanguageModelError`.

    Attributes:
        name: the provider, as `LLM_PROVIDER` names it.
        model: the model that is asked for.
    """

    name: str
    model: str

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply: ...


class KeepsTime:
    """Marks a model whose `complete` ends by its deadline whatever happens: it needs no net of ours below it."""

    __slots__ = ()


@frozen
class StoredObject:
    """An object opened for reading. The caller closes `body`.

    Attributes:
        metadata: what its writer said of it (`x-amz-meta-...`), by lower-case name.
    """

    body: BinaryIO
    etag: str
    size: int
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


class CatalogReader(Protocol):
    """Catalog and guide files as rows and text. Raises `CatalogFileError` for a file it cannot read."""

    def read(self, body: BinaryIO) -> Iterator[FeedRow]:
        """The rows in file order; memory does not grow with the texts.

        When a valid row repeats an id, the earlier line comes as `duplicate_id` before the row that replaces it.
        """
        ...

    def read_inventory(self, body: BinaryIO) -> Iterator[InventoryRow | RejectedRow]:
        """The rows of an inventory file (id, price, stock) in file order."""
        ...

    def read_text(self, body: BinaryIO) -> str:
        """A whole text in any encoding that catalog files have."""
        ...


class ObjectStore(Protocol):
    """The catalog bucket."""

    def open(
        self, bucket: str, key: str, deadline: Deadline, *, version: str | None = None
    ) -> StoredObject | None:
        """None when the object is gone."""
        ...

    def put(
        self, bucket: str, key: str, body: bytes, deadline: Deadline, *, content_type: str
    ) -> None: ...

    def delete(self, bucket: str, keys: Sequence[str], deadline: Deadline) -> None:
        """Delete objects; those that are gone already are no error."""
        ...

    def keys(self, bucket: str, prefix: str, deadline: Deadline) -> Iterable[str]: ...


class WorkQueue(Protocol):
    """The queue that the ingest function takes its work from."""

    def send(self, bodies: Sequence[str], deadline: Deadline, *, delay_seconds: int = 0) -> None:
        """Put messages into it; each will be delivered at least once."""
        ...
