"""A small shop in memory: every port a fake that can fail, the real store pack, the real understanding."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

import pytest
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.llm.offline import OfflineModel
from shopping_agent.adapters.llm.scripted import Script, ScriptedModel
from shopping_agent.application.assistant import Assistant
from shopping_agent.application.chunking import guide_chunks, passage, product_chunks
from shopping_agent.application.hearing import Hearing
from shopping_agent.application.search import SearchService
from shopping_agent.application.turn import Turn
from shopping_agent.domain.cart import Cart
from shopping_agent.domain.catalog import LiveFacts, Notes, PriceTag, Product
from shopping_agent.domain.conversation import Conversation, Shopper, ToolResult, UserMessage
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.operation import FinishedTurn, Operation, TurnClaim, TurnRecord
from shopping_agent.domain.privacy import Privacy
from shopping_agent.domain.query import ShownProduct
from shopping_agent.domain.quoting import MAX_PER_LINE, StoredLine, quote
from shopping_agent.domain.sparse import document_vector
from shopping_agent.domain.statistics import Tally
from shopping_agent.domain.store import StorePack
from shopping_agent.domain.text import name_key
from shopping_agent.domain.understanding import understand
from shopping_agent.errors import (
    CartRefusedError,
    IndexUnavailableError,
    StateUnavailableError,
)
from shopping_agent.ports import (
    Chunk,
    IndexFilter,
    LanguageModel,
    ProductPage,
    ScoredChunk,
    TurnState,
)

NOW = 1_000.0


def product(product_id: str, name: str, price: int, **facts: Any) -> Product:
    notes = Notes(heart=tuple(facts.pop("notes", ())))
    defaults: dict[str, Any] = {
        "stock": 9,
        "gender": "unisex",
        "description": f"{name} is a perfume of the house.",
        "url": f"https://shop.example/p/{product_id}",
        "longevity": "long",
    }
    return Product(
        id=product_id,
        name=name,
        price=PriceTag(price * 100, facts.pop("currency", "MAD")),
        notes=notes,
        **(defaults | facts),
    )


CATALOG = (
    product(
        "cap-vert", "Cap Vert", 640, families=("fresh",), seasons=("summer",), notes=("lemon",)
    ),
    product("brise", "Brise d'Asilah", 480, families=("fresh",), notes=("mint",)),
    product(
        "grand-bleu", "Grand Bleu", 950, families=("fresh",), seasons=("summer",), notes=("lemon",)
    ),
    product("oud-nuit", "Oud Nuit", 1200, families=("woody",), notes=("oud",), seasons=("winter",)),
    product("sold-out", "Lune Absente", 300, stock=0, families=("woody",), notes=("cedar",)),
    product("last-one", "Dernier Souffle", 420, stock=1, families=("woody",), notes=("cedar",)),
    product("dahab", "Dahab", 560, families=("amber",), notes=("saffron",)),
    product(
        "dahab-intense", "Dahab Intense", 780, families=("amber",), notes=("saffron", "leather")
    ),
    *(
        product(
            f"jardin-{size}",
            f"Jardin Secret - {size} ml",
            price,
            families=("floral",),
            notes=("jasmine",),
            size_ml=size,
            variant_of="jardin",
            gender="women",
        )
        for size, price in ((30, 250), (50, 390), (100, 620))
    ),
    product("euro", "Valise", 90, currency="EUR", families=("woody",), notes=("cedar",)),
)
DELIVERY = """# Delivery
## Delivery times
Orders to Casablanca arrive in 24 hours. Delivery to Agadir takes 2 to 3 working days.
## Delivery fees
Delivery costs 35 MAD. It is free from 600 MAD.
"""


class FakeIndex:
    """`ProductIndex`: filters as Qdrant would, scores by shared words."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = list(chunks)
        self._vectors = {c.id: document_vector(passage(c), c.terms) for c in chunks}
        self.down = False
        self.slow = 0.0
        self.searches = 0

    def _check(self, deadline: Deadline) -> None:
        if self.down:
            raise IndexUnavailableError("down")
        if self.slow:
            threading.Event().wait(self.slow)

    def search(self, *, dense, sparse, where, limit, deadline):
        self._check(deadline)
        self.searches += 1
        scored = [
            ScoredChunk(
                chunk, sum(w * self._vectors[chunk.id].get(t, 0.0) for t, w in sparse.items())
            )
            for chunk in self.chunks
            if _admits(where, chunk)
        ]
        hits = [hit for hit in scored if hit.score > 0]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk.id))[:limit]

    def products(self, ids: Sequence[str], deadline: Deadline) -> dict[str, Product]:
        self._check(deadline)
        found = {c.product.id: c.product for c in self.chunks if c.product}
        return {i: found[i] for i in ids if i in found}

    def chunks_of(self, product_ids: Sequence[str], deadline: Deadline) -> list[Chunk]:
        self._check(deadline)
        return [c for c in self.chunks if c.product and c.product.id in product_ids]

    def browse(self, where, *, limit, cursor, deadline) -> ProductPage:
        self._check(deadline)
        found = {c.product.id: c.product for c in self.chunks if c.product and _admits(where, c)}
        return ProductPage(tuple(found.values())[:limit])

    def ready(self, deadline: Deadline) -> None:
        self._check(deadline)


def _admits(where: IndexFilter, chunk: Chunk) -> bool:
    if where.kinds and chunk.kind not in where.kinds:
        return False
    if where.language and chunk.language != where.language:
        return False
    item = chunk.product
    if item is None:
        return not (where.variant_of or where.currency or where.gender or where.one_of)
    price, terms = item.price.at(NOW), set(chunk.terms)
    return (
        (not where.variant_of or item.variant_of in where.variant_of)
        and (where.currency in (None, item.price.currency))
        and (where.min_price is None or price >= where.min_price)
        and (where.max_price is None or price <= where.max_price)
        and (where.gender is None or item.gender in (where.gender, "unisex"))
        and (where.in_stock is None or item.in_stock == where.in_stock)
        and all(terms & set(group) for group in where.one_of)
        and not terms & set(where.exclude_terms)
    )


class FakeLive:
    """`LiveCatalog`."""

    def __init__(self, products: Sequence[Product]) -> None:
        self.facts = {p.id: p.live_facts() for p in products}
        self.down = False
        self.reads = 0

    def get(self, ids: Sequence[str], deadline: Deadline) -> dict[str, LiveFacts]:
        if self.down:
            raise StateUnavailableError("down")
        self.reads += 1
        return {i: self.facts[i] for i in ids if i in self.facts}

    def on_sale(self, now: float, deadline: Deadline) -> list[LiveFacts]:
        return [f for f in self.facts.values() if f.price.compare_at(now) is not None]

    def put(self, facts: Sequence[LiveFacts], deadline: Deadline, **rest: Any) -> list[str]:
        self.facts |= {f.id: f for f in facts}
        return []

    def remove(self, ids: Sequence[str], deadline: Deadline) -> None:
        for product_id in ids:
            self.facts.pop(product_id, None)


class FakeCarts:
    """`CartStore` with the shop's rules."""

    def __init__(self, live: FakeLive) -> None:
        self._live = live
        self._lines: dict[str, dict[str, StoredLine]] = {}
        self._versions: dict[str, int] = {}
        self.down = False
        self.writes = 0
        self.journals: dict[tuple[str, str], dict[int, str]] = {}

    def read(self, shopper: Shopper, deadline: Deadline, **_: Any) -> Cart:
        lines = tuple(self._lines.get(shopper.id, {}).values())
        version = self._versions.get(shopper.id, 0)
        return quote(lines, self._live.facts, currency="MAD", version=version, now=NOW)

    def add(self, shopper, product_id, quantity, deadline, *, operation=None, **_) -> Cart:
        held = self._lines.get(shopper.id, {}).get(product_id)
        cart = self._set(shopper, product_id, quantity + (held.quantity if held else 0), deadline)
        return self._written_down(shopper, operation, cart)

    def set_quantity(self, shopper, product_id, quantity, deadline, *, operation=None, **_) -> Cart:
        cart = self._set(shopper, product_id, quantity, deadline)
        return self._written_down(shopper, operation, cart)

    def clear(self, shopper, deadline, *, operation=None, **_) -> Cart:
        self._lines[shopper.id] = {}
        return self._written_down(shopper, operation, self._wrote(shopper, deadline))

    def undo(self, shopper: Shopper, deadline: Deadline, **_: Any) -> Cart:
        raise NotImplementedError

    def merge(self, user: Shopper, guest: Shopper, deadline: Deadline, **_: Any) -> Any:
        raise NotImplementedError

    def _written_down(self, shopper: Shopper, operation: Operation | None, cart: Cart) -> Cart:
        entry = operation and operation.entry
        if entry is not None:
            journal = self.journals.setdefault((shopper.id, entry.turn_id), {})
            journal[entry.ordinal] = entry.text
        return cart

    def _set(self, shopper: Shopper, product_id: str, quantity: int, deadline: Deadline) -> Cart:
        if self.down:
            raise StateUnavailableError("down")
        facts = self._live.facts.get(product_id)
        lines = self._lines.setdefault(shopper.id, {})
        if quantity == 0:
            lines.pop(product_id, None)
            return self._wrote(shopper, deadline)
        if facts is None:
            raise CartRefusedError("unknown_product", "no such product")
        if facts.price.currency != "MAD":
            raise CartRefusedError("currency_mismatch", "sold in another currency")
        if quantity > MAX_PER_LINE:
            raise CartRefusedError("cart_limit", "too many", limit=MAX_PER_LINE)
        if facts.stock is not None and quantity > facts.stock:
            raise CartRefusedError("out_of_stock", "not enough", limit=facts.stock)
        lines[product_id] = StoredLine(product_id, quantity, facts.price.at(NOW), facts.name)
        return self._wrote(shopper, deadline)

    def _wrote(self, shopper: Shopper, deadline: Deadline) -> Cart:
        self.writes += 1
        self._versions[shopper.id] = self._versions.get(shopper.id, 0) + 1
        return self.read(shopper, deadline)


class FakeTurns:
    """`TurnStore`."""

    def __init__(self, carts: FakeCarts, live: FakeLive) -> None:
        self._carts = carts
        self._live = live
        self.kept: dict[str, Conversation] = {}
        self.replies: dict[tuple[str, str], str] = {}
        self.released: list[str] = []
        self.down = False
        self.save_fails = False
        self.tallies: list[Tally] = []

    def load(
        self, shopper, name_keys, deadline, *, charges=(), claim: TurnClaim | None = None
    ) -> TurnState:
        if self.down:
            raise StateUnavailableError("down")
        names: dict[str, list[str]] = {}
        for facts in self._live.facts.values():
            names.setdefault(name_key(facts.name), []).append(facts.id)
        found = {k: names[k] for k in name_keys if k in names}
        kept = self.kept.get(shopper.session_id, Conversation())
        record = None
        if claim is not None:
            key = (shopper.id, claim.turn_id)
            record = TurnRecord(1, self._carts.journals.get(key, {}), self.replies.get(key))
        return TurnState(self._carts.read(shopper, deadline), kept, found, record)

    def save(
        self,
        shopper: Shopper,
        before: Conversation,
        after: Conversation,
        deadline: Deadline,
        *,
        finished: FinishedTurn | None = None,
        tally: Tally | None = None,
    ) -> None:
        if self.save_fails:
            raise StateUnavailableError("down")
        self.kept[shopper.session_id] = after
        if tally is not None:
            self.tallies.append(tally)
        if finished is not None:
            self.replies[(shopper.id, finished.turn_id)] = finished.reply

    def release(self, shopper: Shopper, claim: TurnClaim, deadline: Deadline) -> None:
        self.released.append(claim.turn_id)


@cache
def pack() -> StorePack:
    return load_store_pack("")


@dataclass
class Shop:
    """The shop and its one assistant. `say` is a turn; `model` is what answered last; `checkout` where there is one."""

    catalog: Sequence[Product] = CATALOG
    checkout: Any = None
    index: FakeIndex = field(init=False)
    live: FakeLive = field(init=False)
    carts: FakeCarts = field(init=False)
    turns: FakeTurns = field(init=False)
    model: Any = None

    def __post_init__(self) -> None:
        vocabulary = pack().vocabulary
        chunks = [c for p in self.catalog for c in product_chunks(p, "catalog/c.jsonl", vocabulary)]
        self.index = FakeIndex([*chunks, *guide_chunks("guides/delivery.en.md", DELIVERY)])
        self.live = FakeLive(self.catalog)
        self.carts = FakeCarts(self.live)
        self.turns = FakeTurns(self.carts, self.live)

    def say(
        self,
        message: str,
        script: Script | OfflineModel,
        *,
        shopper: str = "ana",
        page: str | None = None,
        seconds: float = 10.0,
        max_tool_calls: int = 10,
        turn_id: str = "t1",
        keep: Callable[[Turn], str] | None = None,
    ) -> Turn:
        """One message, answered by a scripted model, or by the offline one."""
        self.model = script if isinstance(script, OfflineModel) else ScriptedModel(script)
        assistant = self._assistant(self.model, max_tool_calls)
        return assistant.reply(
            message,
            shopper=self.shopper(shopper),
            turn_id=turn_id,
            keep=keep,
            page_product_id=page,
            deadline=Deadline.after(seconds),
        )

    def shopper(self, name: str = "ana") -> Shopper:
        return Shopper(name, name)

    def cart(self, shopper: str = "ana") -> dict[str, int]:
        cart = self.carts.read(self.shopper(shopper), Deadline.after(1))
        return {line.product_id: line.quantity for line in cart.items}

    def put_in_cart(self, product_id: str, quantity: int = 1, shopper: str = "ana") -> None:
        self.carts.add(self.shopper(shopper), product_id, quantity, Deadline.after(1))

    def show(self, *ids: str, focus: str | None = None, shopper: str = "ana") -> None:
        """As if an earlier reply had shown these products."""
        cards = {p.id: ShownProduct(p.id, p.name, p.price.regular, p.size_ml) for p in self.catalog}
        kept = self.turns.kept.get(shopper, Conversation())
        self.turns.kept[shopper] = replace(
            kept,
            shown=tuple(cards[i] for i in ids),
            seen=tuple(ids),
            focus=cards[focus] if focus else None,
        )

    def blocks(self, request: int = 0) -> Mapping[str, Any]:
        """The data blocks of a request of the last turn."""
        messages = self.model.requests[request].messages
        last = next(m for m in reversed(messages) if isinstance(m, UserMessage))
        return {block.name: block.content for block in last.data}

    def results(self) -> list[Mapping[str, Any]]:
        """The observations of the last turn, in call order, as its last request holds them."""
        return [m.content for m in self.model.requests[-1].messages if isinstance(m, ToolResult)]

    def errors(self) -> list[str]:
        """The error codes among them."""
        return [r["error"]["code"] for r in self.results() if "error" in r]

    def _assistant(self, model: LanguageModel, max_tool_calls: int) -> Assistant:
        store = pack()
        search = SearchService(
            index=self.index,
            embedder=None,
            live=self.live,
            vocabulary=store.vocabulary,
            currency="MAD",
        )
        hearing = Hearing(
            understand=partial(understand, vocabulary=store.vocabulary, currency="MAD"),
            turns=self.turns,
            live=self.live,
            index=self.index,
            search=search,
            privacy=Privacy.of(store.vocabulary, store.contacts),
            clock=lambda: NOW,
        )
        return Assistant(
            model=model,
            hearing=hearing,
            turns=self.turns,
            carts=self.carts,
            search=search,
            pack=store,
            privacy=Privacy.of(store.vocabulary, store.contacts),
            max_tool_calls=max_tool_calls,
            checkout=self.checkout,
        )


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def catalog() -> Sequence[Product]:
    return CATALOG


@pytest.fixture
def open_shop() -> Callable[[Sequence[Product]], Shop]:
    """A shop with a catalog of its own."""
    return Shop
