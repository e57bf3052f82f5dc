"""Product search and retrieval over an index and a live catalog in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from shopping_agent.application.chunking import guide_chunks, product_chunks
from shopping_agent.application.index_batches import chunk_words
from shopping_agent.application.search import SearchService
from shopping_agent.domain.catalog import LiveFacts, Notes, PriceTag, Product
from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.glossary import Glossary
from shopping_agent.domain.intent import Language
from shopping_agent.domain.profile import Profile, ProfileSchema
from shopping_agent.domain.recommendation import Expert
from shopping_agent.domain.rules_table import read_rules
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.errors import (
    EmbeddingUnavailableError,
    IndexUnavailableError,
    InvalidFieldError,
    StateUnavailableError,
)
from shopping_agent.observability import metrics
from shopping_agent.ports import Chunk, IndexFilter, ProductPage, ScoredChunk

NOW = 1_000.0
VOCABULARY = Vocabulary.from_document(
    {
        "note": {
            "rose": {"en fr": "rose", "ar ary": "ورد", "ary-latn": "lward"},
            "oud": {"en fr": "oud", "ar": "عود"},
            "incense": {"en": "incense", "fr": "encens"},
            "vanilla": {"en": "vanilla", "fr": "vanille"},
            "lemon": {"en": "lemon", "fr": "citron"},
        },
        "family": {
            "fresh": {"en": "fresh", "fr": "frais, fraîche", "ary-latn": "fresh"},
            "woody": {"en": "woody", "fr": "boisé"},
        },
        "season": {"summer": {"en": "summer", "fr": "été", "ar ary": "صيف", "ary-latn": "sif"}},
        "longevity": {"long": {"en": "long lasting", "fr": "longue tenue"}},
        "implies": {"sweet": "vanilla", "fresh": "lemon", "oud": "incense"},
    }
)


def product(key: str, price: int = 500, currency: str = "MAD", **fields) -> Product:
    name = fields.pop("name", key.replace("-", " ").title())
    notes = Notes(base=tuple(fields.pop("notes", ())))
    defaults: dict[str, Any] = {"stock": 9, "gender": "unisex", "description": name}
    return Product(
        id=key,
        name=name,
        price=PriceTag(price * 100, currency),
        notes=notes,
        **(defaults | fields),
    )


CATALOG = [
    product("lime-breeze", 400, families=("fresh",), seasons=("summer",), notes=("lemon",)),
    product("winter-oud", 900, families=("woody",), notes=("oud",), gender="men"),
    product("church", 300, families=("woody",), notes=("incense",)),
    product("rose-garden", 600, notes=("rose",), gender="women", longevity="longue tenue"),
    product("sugar", 350, notes=("vanilla",), gender="women"),
    product("euro-rose", 90, "EUR", notes=("rose",)),
]


class Index:
    """`ProductIndex`: filters as Qdrant would, scores by shared words."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = list(chunks)
        self.searches: list[Mapping[str, object]] = []
        self.down = False

    def search(self, *, dense, sparse, where, limit, deadline):
        if self.down:
            raise IndexUnavailableError("down")
        self.searches.append({"dense": dense, "sparse": sparse, "where": where})
        hits = [
            ScoredChunk(chunk, self._score(chunk, sparse))
            for chunk in self.chunks
            if self._passes(chunk, where)
        ]
        # A dense query finds everything, however far; words find only what has them.
        found = [hit for hit in hits if hit.score > 0 or dense is not None]
        return sorted(found, key=lambda hit: -hit.score)[:limit]

    def _score(self, chunk, sparse) -> float:
        there = chunk_words(chunk)
        return sum(weight * there.get(term, 0.0) for term, weight in sparse.items())

    def _passes(self, chunk: Chunk, where: IndexFilter) -> bool:
        one, terms = chunk.product, set(chunk.terms)
        if one is None:
            bare = replace(where, kinds=(), language=None) == IndexFilter()
            return (
                bare
                and chunk.kind in (where.kinds or ("guide",))
                and (where.language in (None, chunk.language))
            )
        prices = [one.price.regular, one.price.sale or one.price.regular]
        checks = (
            not where.kinds or chunk.kind in where.kinds,
            where.language in (None, chunk.language),
            where.currency in (None, one.price.currency),
            where.max_price is None or min(prices) <= where.max_price,
            where.min_price is None or max(prices) >= where.min_price,
            where.gender is None or one.gender in (where.gender, "unisex"),
            all(terms & set(group) for group in where.one_of),
            not terms & set(where.exclude_terms),
            where.in_stock is None or one.in_stock == where.in_stock,
            not where.variant_of or one.variant_of in where.variant_of,
        )
        return all(checks)

    def products(self, ids, deadline):
        return {p.id: p for p in self._products(IndexFilter()) if p.id in ids}

    def chunks_of(self, product_ids, deadline):
        return [c for c in self.chunks if c.product is not None and c.product.id in product_ids]

    def browse(self, where, *, limit, cursor, deadline):
        if cursor is not None and not cursor.isdigit():
            raise InvalidFieldError("not ours", field="cursor")
        found, start = self._products(replace(where, kinds=())), int(cursor or 0)
        after = str(start + limit) if start + limit < len(found) else None
        return ProductPage(tuple(found[start : start + limit]), after)

    def ready(self, deadline):
        return None

    def _products(self, where: IndexFilter) -> list[Product]:
        found = [c.product for c in self.chunks if c.product and self._passes(c, where)]
        return list({p.id: p for p in found}.values())


class Live:
    """`LiveCatalog` in a dictionary."""

    def __init__(self, products: Sequence[Product]) -> None:
        self.facts = {p.id: p.live_facts() for p in products}
        self.reads = 0

    def get(self, ids, deadline):
        self.reads += 1
        return {i: self.facts[i] for i in ids if i in self.facts}

    def change(self, key: str, **facts) -> None:
        self.facts[key] = replace(self.facts[key], **facts)

    def on_sale(self, now, deadline):
        return [f for f in self.facts.values() if f.price.compare_at(now) is not None]

    def put(self, facts: Sequence[LiveFacts], deadline, **rest) -> list[str]:
        self.facts |= {f.id: f for f in facts}
        return []

    def remove(self, ids, deadline):
        for i in ids:
            self.facts.pop(i, None)


class Embedder:
    """`Embedder` whose vectors mean nothing; it remembers what it was asked."""

    model, dimensions = "none", 2

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.down = False

    def embed_query(self, text, deadline):
        if self.down:
            raise EmbeddingUnavailableError("down")
        self.texts.append(text)
        return [1.0, 0.0]

    def embed_passages(self, texts, deadline):
        return [[1.0, 0.0] for _ in texts]


class Shop:
    """A search service and the fakes under it."""

    def __init__(
        self, products=CATALOG, guides: Mapping[str, str] | None = None, embed=True
    ) -> None:
        chunks = [c for p in products for c in product_chunks(p, "catalog/c.jsonl", VOCABULARY)]
        chunks += [c for key, text in (guides or {}).items() for c in guide_chunks(key, text)]
        self.index, self.live, self.embedder = Index(chunks), Live(products), Embedder()
        self.search = SearchService(
            index=self.index,
            embedder=self.embedder if embed else None,
            live=self.live,
            vocabulary=VOCABULARY,
            currency="MAD",
        )

    def find(self, text="perfume", limit=5, **constraints):
        return self.search.find_products(
            text, Constraints(**constraints), limit=limit, deadline=Deadline.after(5), now=NOW
        )

    def ids(self, text="perfume", limit=5, **constraints) -> list[str]:
        return [p.id for p in self.find(text, limit, **constraints).products]

    def passages(self, text, language: Language = "en", **options):
        return self.search.find_passages(
            text, language=language, deadline=Deadline.after(5), **options
        )


# --- hard constraints and live facts ------------------------------------------------------------


def test_the_best_is_in_budget_in_stock_and_meets_the_wishes():
    found = Shop().find("something fresh for summer", max_price=80_000, families=("fresh",))
    assert found.best == "lime-breeze"
    assert found.products[0].id == "lime-breeze"
    assert found.relaxed == ()


@pytest.mark.parametrize("text", ["un parfum frais pour l'été", "chi 7aja fresh l sif", "صيف"])
def test_words_of_any_language_find_the_english_catalog(text):
    assert Shop(embed=False).ids(text)[0] == "lime-breeze"


def test_a_price_bound_holds_and_a_foreign_currency_is_out():
    assert set(Shop().ids(max_price=60_000)) == {"lime-breeze", "church", "rose-garden", "sugar"}
    assert "euro-rose" in Shop().ids(limit=10)


def test_what_cannot_be_bought_with_the_rest_is_shown_last_and_is_never_the_best():
    found = Shop().find("euro rose", cheapest=True, limit=10)
    assert found.products[-1].id == "euro-rose"
    assert found.best == "church"
    alone = Shop([CATALOG[5]]).find("euro rose")
    assert [p.id for p in alone.products] == ["euro-rose"]
    assert alone.best is None


def test_a_stated_currency_is_the_one_that_is_searched():
    assert Shop().ids(max_price=10_000, currency="EUR") == ["euro-rose"]


def test_gender_is_the_one_asked_for_or_unisex():
    assert set(Shop().ids(gender="men")) == {"winter-oud", "lime-breeze", "church", "euro-rose"}


def test_a_refused_note_and_all_that_it_covers_stay_out():
    assert "sugar" not in Shop().ids("not too sweet", limit=10, exclude_notes=("sweet",))


def test_a_wished_note_is_met_literally_where_it_is_sold():
    assert Shop().ids(notes=("oud",)) == ["winter-oud"]
    without = [p for p in CATALOG if p.id != "winter-oud"]
    assert Shop(without).ids(notes=("oud",)) == ["church"]


def test_notes_may_come_in_the_words_of_any_language():
    assert Shop().ids(notes=("Encens",)) == ["church"]
    assert "church" not in Shop().ids(exclude_notes=("encens",), limit=10)


def test_the_live_price_decides_and_not_the_indexed_one():
    shop = Shop()
    shop.live.change("lime-breeze", price=PriceTag(99_900, "MAD"))
    shop.live.change("church", price=PriceTag(90_000, "MAD", sale=20_000, sale_until=900))
    found = shop.find(max_price=60_000)
    assert {p.id for p in found.products} == {"rose-garden", "sugar"}
    assert found.relaxed == ()


def test_a_sale_that_holds_brings_a_product_into_the_budget():
    sale = replace(CATALOG[1], price=PriceTag(90_000, "MAD", sale=50_000, sale_until=2_000))
    assert "winter-oud" in Shop([*CATALOG[2:], sale]).ids(max_price=60_000)


def test_a_price_in_another_currency_than_indexed_is_out():
    shop = Shop()
    shop.live.change("sugar", price=PriceTag(100, "USD"))
    assert "sugar" not in shop.ids(max_price=60_000)


def test_a_product_without_live_facts_is_never_shown():
    shop = Shop()
    shop.live.remove(["lime-breeze"], Deadline.after(1))
    assert "lime-breeze" not in shop.ids("fresh lime", limit=10)
    assert shop.search.get(["lime-breeze"], Deadline.after(1)) == ()


def test_what_is_sold_out_comes_last_and_is_never_the_best():
    shop = Shop()
    shop.live.change("lime-breeze", stock=0)
    found = shop.find("fresh lime breeze", limit=10, families=("fresh",))
    assert found.products[-1].id == "lime-breeze"
    assert found.best not in (None, "lime-breeze")


def test_in_stock_asks_the_live_stock():
    shop = Shop()
    shop.live.change("sugar", stock=0)
    assert "sugar" not in shop.ids(limit=10, in_stock=True)


def test_the_cheapest_leads_when_it_is_asked_for():
    assert Shop().find(cheapest=True, max_price=90_000).best == "church"


def test_the_cheapest_meets_the_wish_before_it_is_cheap():
    found = Shop().find("the cheapest woody", families=("woody",), cheapest=True)
    assert (found.best, found.unmet) == ("church", 0)
    below = Shop().find("the cheapest woody", families=("woody",), cheapest=True, max_price=29_900)
    assert (below.best, below.relaxed) == (None, ("price",))


def test_one_search_reads_live_facts_once():
    shop = Shop()
    shop.find("rose")
    assert shop.live.reads == 1
    assert len(shop.index.searches) == 1


# --- nothing matches ----------------------------------------------------------------------------


def test_when_nothing_is_cheap_enough_the_nearest_prices_are_shown():
    found = Shop().find(max_price=10_000)
    assert [p.id for p in found.products][:2] == ["church", "sugar"]
    assert found.relaxed == ("price",)
    assert found.best is None


def test_each_of_the_nearest_says_what_it_misses_and_by_how_much():
    found = Shop().find(max_price=28_000, gender="women")
    [sugar] = [p for p in found.products if p.id == "sugar"]
    [short] = found.shortfalls[sugar.id]
    assert short.view("MAD") == {"constraint": "maxPrice", "wanted": 280, "by": 70}
    assert found.shortfalls.keys() == {p.id for p in (*found.products, *found.variants)}


def test_what_meets_everything_misses_nothing():
    assert Shop().find("rose", notes=("rose",)).shortfalls == {}


@pytest.mark.parametrize(
    ("wanted", "missed"),
    [
        ({"notes": ("rose", "oud")}, {"constraint": "notes", "wanted": ["rose"]}),
        ({"notes": ("vanilla",), "gender": "men"}, {"constraint": "notes", "wanted": ["vanilla"]}),
        ({"min_price": 100_000}, {"constraint": "minPrice", "wanted": 1000, "by": 100}),
        ({"max_price": 100, "currency": "EUR"}, {"constraint": "currency", "wanted": "EUR"}),
    ],
)
def test_a_shortfall_is_told_in_major_units_and_plain_words(wanted, missed):
    found = Shop().find("winter oud", limit=10, **wanted)
    assert missed in [s.view("MAD") for s in found.shortfalls["winter-oud"]]


def many(count: int, **fields) -> list[Product]:
    return [product(f"many-{i:03}", 2_000 + i, **fields) for i in range(count)]


def test_in_a_large_shop_the_nearest_is_found_behind_all_that_is_far():
    shop = Shop([*many(300, gender="women"), product("close", 310, gender="men")])
    found = shop.find("something", limit=3, max_price=30_000, gender="men")
    assert [p.id for p in found.products] == ["close"]
    assert found.relaxed == ("price",)


def test_in_a_large_shop_the_least_important_constraint_goes_first():
    rows = [
        *many(300, gender="women"),
        product("with-rose", 900, gender="women", notes=("rose",)),
        product("for-him", 250, gender="men"),
    ]
    found = Shop(rows).find("x", limit=3, max_price=30_000, gender="men", notes=("rose",))
    assert [p.id for p in found.products] == ["for-him"]
    assert found.relaxed == ("notes",)


def test_however_much_is_asked_for_the_nearest_costs_a_bounded_number_of_searches():
    shop = Shop(many(300, gender="women"))
    shop.find("x", max_price=1, gender="men", notes=("rose",), in_stock=True, kind="candle")
    assert len(shop.index.searches) <= 8


def test_a_choice_left_to_us_never_leaves_the_budget_in_a_large_shop_either():
    shop = Shop([*many(300, gender="men"), product("other", 250, gender="women")])
    found = shop.find("x", max_price=30_000, gender="men", delegated=True)
    assert [p.id for p in found.products] == ["other"]
    assert (found.relaxed, found.best) == (("gender",), None)


def test_a_missing_note_is_relaxed_before_the_price():
    found = Shop().find(notes=("rose",), max_price=40_000)
    assert found.relaxed == ("notes",)
    assert all(p.price.regular <= 40_000 for p in found.products)


def test_a_delegated_choice_never_leaves_the_budget():
    assert Shop().find(max_price=10_000, delegated=True).products == ()
    found = Shop().find(notes=("rose",), max_price=40_000, delegated=True)
    assert found.relaxed == ("notes",)
    assert found.best is None


def test_a_refused_note_is_never_relaxed():
    found = Shop([CATALOG[4]]).find(exclude_notes=("vanilla",))
    assert found.products == ()


def test_relaxing_a_foreign_budget_shows_the_stores_own_currency():
    found = Shop().find(max_price=100, currency="EUR")
    assert found.relaxed == ("price",)
    assert {p.price.currency for p in found.products} == {"MAD"}


def test_an_empty_index_finds_nothing():
    assert Shop([]).find("rose", max_price=1, notes=("rose",)).products == ()


# --- sizes ----------------------------------------------------------------------------------------


def sizes(*stocks: int) -> list[Product]:
    return [
        product(
            f"rose-{ml}",
            price,
            name=f"Rose Zahra - {ml} ml",
            variant_of="rose",
            size_ml=ml,
            notes=("rose",),
            stock=stock,
        )
        for (ml, price), stock in zip(((30, 300), (50, 450), (100, 800)), stocks, strict=False)
    ]


def test_sizes_of_one_product_take_one_place_and_stay_reachable():
    found = Shop([*sizes(5, 5, 5), *CATALOG]).find("rose", notes=("rose",))
    assert "rose-30" in [p.id for p in found.products]
    assert len([p for p in found.products if p.variant_of]) == 1
    assert {p.id for p in found.variants} == {"rose-50", "rose-100"}


def test_sizes_that_no_parent_ties_together_are_one_product_by_their_name():
    loose = [replace(p, variant_of=None, brand="Zahra") for p in sizes(5, 5, 5)]
    found = Shop(loose).find("rose zahra", limit=10)
    assert len(found.products) == 1
    assert len({p.id for p in (*found.products, *found.variants)}) == 3


def test_the_same_name_of_another_house_is_another_product():
    houses = [replace(p, variant_of=None, brand=p.id) for p in sizes(5, 5)]
    assert len(Shop(houses).find("rose zahra", limit=10).products) == 2


def test_the_size_shown_is_one_in_stock_and_in_the_budget():
    assert Shop(sizes(0, 5, 5)).ids("rose", max_price=50_000) == ["rose-50"]


def test_the_size_asked_for_is_the_one_shown():
    assert Shop(sizes(5, 5, 5)).ids("rose", size_ml=100) == ["rose-100"]


def test_all_sizes_of_a_product_are_listed_smallest_first():
    shop = Shop([*sizes(5, 0, 5), *CATALOG])
    [shown] = shop.find("rose zahra", max_price=35_000, notes=("rose",)).products
    every = shop.search.variants([shown], deadline=Deadline.after(1), now=NOW)
    assert [p.id for p in every] == ["rose-30", "rose-50", "rose-100"]
    assert shop.search.variants(CATALOG, deadline=Deadline.after(1), now=NOW) == ()


def test_a_product_that_is_named_leads():
    shop = Shop([*sizes(5, 5, 5), *CATALOG])
    assert shop.ids("do you have Rose Zahra?")[0] == "rose-30"
    assert shop.ids("Rose Zahra 50 ml")[0] == "rose-50"


@pytest.mark.parametrize(
    "typed", ["velmorra solvan", "vellmora slovane", "فيلمورا سولفان", "velmora solvane"]
)
def test_a_name_is_found_misspelt_and_in_another_script(typed):
    rows = [
        product("far", name="Marjana Tilwan"),
        product("meant", name="Velmora Solvane - 50 ml"),
        product("half", name="Velmora Marjana"),
        *CATALOG,
    ]
    found = Shop(rows, embed=False).find(f"avez-vous {typed}")
    assert found.products[0].id == "meant"


def test_a_name_in_arabic_letters_is_found_in_latin_ones():
    rows = [product("far", name="مرجانة تيلوان"), product("meant", name="فيلمورا سولفان"), *CATALOG]
    assert Shop(rows, embed=False).ids("wach 3ndkom velmora solvan")[0] == "meant"


# --- vectors ----------------------------------------------------------------------------------------


def test_without_embeddings_words_still_find():
    shop = Shop()
    shop.embedder.down = True
    assert shop.ids("lime breeze") == ["lime-breeze"]
    assert shop.index.searches[0]["dense"] is None


def test_a_search_without_its_embedding_is_counted():
    shop = Shop()
    shop.embedder.down = True
    metrics.clear_metrics()
    shop.find("lime breeze")
    assert "EmbeddingFailuresTolerated" in metrics.metric_set
    metrics.clear_metrics()


def test_the_embedded_text_holds_the_canonical_terms():
    shop = Shop()
    shop.find("chi 7aja l sif", families=("fresh",))
    assert shop.embedder.texts == ["chi 7aja l sif\nfresh, summer"]


def test_a_choice_left_to_us_is_searched_by_the_wishes_in_whatever_words():
    shop = Shop()
    wishes: dict[str, Any] = {"families": ("fresh",), "season": "summer", "by_wishes": True}
    english = shop.find("something fresh for summer, the best one", **wishes)
    darija = shop.find("bghit chi haja fresh l sif, zidha", **wishes)
    assert shop.embedder.texts == ["fresh, summer"]
    assert (english.best, english.scores) == (darija.best, darija.scores)


def test_refused_terms_are_not_searched_for():
    shop = Shop()
    shop.find("no vanilla please", exclude_notes=("sweet",))
    assert shop.embedder.texts == ["no vanilla please"]


def test_the_same_message_is_embedded_once():
    shop = Shop()
    shop.find("rose")
    shop.passages("rose")
    assert len(shop.embedder.texts) == 1


@pytest.mark.parametrize("text", ["", "...", "the of"])
def test_without_a_word_to_search_by_everything_allowed_is_ranked(text):
    assert Shop(embed=False).ids(text, max_price=40_000) == ["church", "sugar", "lime-breeze"]


def test_without_embeddings_a_bound_alone_is_answered_whatever_words_are_around_it():
    shop = Shop(embed=False)
    assert shop.ids("anything under 400 MAD?", max_price=40_000) == [
        "church",
        "sugar",
        "lime-breeze",
    ]
    assert "winter-oud" in shop.ids("whatever you recommend for him", gender="men")
    assert shop.ids("laptops") == []


def test_when_the_index_is_down_search_says_so():
    shop = Shop()
    shop.index.down = True
    with pytest.raises(IndexUnavailableError):
        shop.find("rose")


def test_when_live_facts_are_down_nothing_is_shown():
    shop = Shop()

    def down(ids, deadline):
        raise StateUnavailableError("down")

    shop.live.get = down
    with pytest.raises(StateUnavailableError):
        shop.find("rose")


# --- look-ups and lists -------------------------------------------------------------------------


def test_products_are_looked_up_in_the_order_asked_at_live_prices():
    shop = Shop()
    shop.live.change("sugar", price=PriceTag(111, "MAD"), stock=0)
    found = shop.search.get(["sugar", "nobody", "church", "sugar"], Deadline.after(1))
    assert [p.id for p in found] == ["sugar", "church"]
    assert (found[0].price.regular, found[0].stock) == (111, 0)


def browse(shop, limit=10, cursor=None, **constraints):
    return shop.search.browse(
        Constraints(**constraints), limit=limit, cursor=cursor, deadline=Deadline.after(5), now=NOW
    )


def test_a_list_goes_page_by_page_through_everything_sold():
    shop = Shop()
    seen, cursor = [], None
    for _ in range(3):
        page = browse(shop, limit=2, cursor=cursor)
        seen += [p.id for p in page.products]
        cursor = page.next_cursor
    assert cursor is None
    assert sorted(seen) == sorted(p.id for p in CATALOG)


def test_a_list_fills_its_page_past_what_is_no_longer_sold():
    shop = Shop()
    shop.live.remove(["lime-breeze", "winter-oud"], Deadline.after(1))
    assert [p.id for p in browse(shop, limit=2).products] == ["church", "rose-garden"]


def test_a_list_keeps_its_bounds_at_live_prices():
    shop = Shop()
    shop.live.change("church", price=PriceTag(99_900, "MAD"))
    assert {p.id for p in browse(shop, max_price=50_000).products} == {"lime-breeze", "sugar"}


def test_a_list_fills_its_page_when_much_is_no_longer_sold():
    shop = Shop(many(40))
    shop.live.remove([f"many-{i:03}" for i in range(5, 35)], Deadline.after(1))
    page = browse(shop, limit=8)
    assert [p.id for p in page.products] == [*(f"many-{i:03}" for i in (0, 1, 2, 3, 4, 35, 36, 37))]


def list_found(shop, text, *, limit=10, cursor=None, **constraints):
    return shop.search.list_found(
        text,
        Constraints(**constraints),
        limit=limit,
        cursor=cursor,
        deadline=Deadline.after(5),
        now=NOW,
    )


def pages(shop, text, *, limit, **constraints) -> list[list[str]]:
    found, cursor = [], None
    for _ in range(100):
        page = list_found(shop, text, limit=limit, cursor=cursor, **constraints)
        found.append([p.id for p in page.products])
        cursor = page.next_cursor
        if cursor is None:
            return found
    raise AssertionError("the list does not end")


@pytest.mark.parametrize("limit", [3, 7, 60])
def test_what_a_text_finds_is_listed_page_by_page_each_once_and_all_of_it(limit):
    shop = Shop(many(150))
    got = pages(shop, "many", limit=limit)
    assert {len(page) for page in got[:-1]} <= {limit}
    listed = [i for page in got for i in page]
    assert len(listed) == len(set(listed)) == 150
    assert listed == [i for page in pages(shop, "many", limit=11) for i in page]


def test_pages_of_a_search_hold_what_its_filters_let_through_and_nothing_else():
    shop = Shop(many(150))
    listed = [i for page in pages(shop, "many", limit=9, max_price=205_000) for i in page]
    assert listed == sorted(f"many-{i:03}" for i in range(51))


def test_a_page_begins_behind_the_last_product_shown_though_others_are_gone():
    shop = Shop(many(30))
    first = list_found(shop, "many", limit=10)
    shop.live.remove([first.products[0].id, first.products[3].id], Deadline.after(1))
    then = list_found(shop, "many", limit=10, cursor=first.next_cursor)
    assert [p.id for p in then.products] == [f"many-{i:03}" for i in range(10, 20)]


def test_the_last_page_of_a_search_has_no_cursor():
    assert list_found(Shop(many(10)), "many", limit=10).next_cursor is None


@pytest.mark.parametrize("cursor", ["x", "r.1.2.3", "r.zz.0.0", "0" * 40, ""])
def test_a_cursor_of_another_search_is_refused(cursor):
    with pytest.raises(InvalidFieldError):
        list_found(Shop(), "rose", cursor=cursor)


def test_a_cursor_is_good_for_the_same_filters_only():
    shop = Shop(many(30))
    cursor = list_found(shop, "many", limit=5).next_cursor
    with pytest.raises(InvalidFieldError):
        list_found(shop, "many", limit=5, cursor=cursor, max_price=1)


def test_a_cursor_of_someone_else_is_refused():
    with pytest.raises(InvalidFieldError):
        browse(Shop(), cursor="x")


# --- texts ----------------------------------------------------------------------------------------

GUIDES = {
    "guides/delivery.en.md": "# Delivery\n## Delays\nDelivery takes two days.\n## Price\nFree delivery over 600.",
    "guides/delivery.fr.md": "# Livraison\n## Délais\nLa livraison prend deux jours.\n## Prix\nLivraison offerte dès 600.",
    "guides/delivery.ar.md": "# التوصيل\n## المدة\nالتوصيل خلال يومين.\n## السعر\nالتوصيل مجاني فوق 600.",
    "guides/returns.en.md": "# Returns\n## How\nSend it back within fourteen days.",
}


def headings(found) -> list[tuple[str, str]]:
    return [(p.source, p.heading) for p in found]


def test_a_question_is_answered_by_the_guide_that_speaks_of_it():
    found = Shop(guides=GUIDES).passages("how long does delivery take")
    assert headings(found)[0] == ("delivery", "Delays")
    assert found[0].language == "en"


@pytest.mark.parametrize(
    ("language", "reads"), [("fr", "fr"), ("ar", "ar"), ("ary", "ar"), ("ary-latn", "fr")]
)
def test_a_section_is_given_in_a_language_the_shopper_reads(language, reads):
    found = Shop(guides=GUIDES).passages("delivery takes two days", language)
    assert found[0].source == "delivery"
    assert found[0].language == reads
    sections = [one for one in headings(found) if one[1]]
    assert len(sections) == len(set(sections)) == 3


def test_a_guide_that_is_not_translated_is_given_as_it_is():
    found = Shop(guides=GUIDES).passages("send back fourteen days", "fr")
    assert (found[0].source, found[0].language) == ("returns", "en")


def test_the_texts_of_the_products_asked_about_come_first():
    found = Shop(guides=GUIDES).passages(
        "which has rose, delivery?", product_ids=["church", "rose-garden"]
    )
    owners = [p.product_id for p in found]
    assert owners.index("church") == 0
    assert set(owners) == {"church", "rose-garden", None}
    assert owners == sorted(owners, key=["church", "rose-garden", None].index)
    assert found[0].name == "Church"


def test_no_more_than_asked_for_is_given():
    assert len(Shop(guides=GUIDES).passages("delivery", limit=1)) == 1


def test_texts_of_products_that_are_not_sold_are_left_out():
    shop = Shop(guides=GUIDES)
    shop.live.remove(["rose-garden"], Deadline.after(1))
    assert "rose-garden" not in {p.product_id for p in shop.passages("rose garden")}


def test_a_product_of_three_sizes_speaks_once():
    found = Shop(sizes(5, 5, 5)).passages("rose zahra")
    assert len(found) == 1


# --- the store's rules are a part of the ranking ---------------------------------------------------


def ruled(products=CATALOG) -> Shop:
    """The shop with two rules: summer likes lemon more than vanilla, and who gets migraines has no oud."""
    glossary = Glossary.from_document(
        {
            "scales": {},
            "terms": {
                "lemon": {"is": [{"note": "lemon"}]},
                "vanilla": {"is": [{"note": "vanilla"}]},
                "oud": {"is": [{"note": "oud"}]},
            },
        },
        VOCABULARY,
    )
    schema = ProfileSchema.from_document(
        {
            "season": {"values": {"summer": {}}},
            "sensitivities": {"many": True, "values": {"migraine": {}}},
        }
    )
    header = ("rule", "when", "prefer", "avoid", "exclude", "en")
    rows = [
        (2, ("heat", "season=summer", "lemon 4", "vanilla 4", "", "It is hot.")),
        (3, ("head", "sensitivities=migraine", "", "", "oud", "It hurts.")),
    ]
    expert = Expert(schema, glossary, read_rules(header, rows, schema, glossary))
    shop = Shop(products, embed=False)
    shop.search = SearchService(
        index=shop.index,
        embedder=None,
        live=shop.live,
        vocabulary=VOCABULARY,
        currency="MAD",
        expert=lambda: expert,
    )
    return shop


def found_by(shop: Shop, text: str, profile=None, **constraints):
    return shop.search.find_products(
        text,
        Constraints(**constraints),
        limit=10,
        deadline=Deadline.after(5),
        now=NOW,
        profile=Profile(tuple((k, (v,)) for k, v in (profile or {}).items())),
    )


def test_the_rules_of_a_stated_wish_decide_what_is_best():
    twins = [
        product("a-sweet", 300, notes=("vanilla",), seasons=("summer",), name="One"),
        product("b-fresh", 300, notes=("lemon",), seasons=("summer",), name="Two"),
    ]
    assert found_by(Shop(twins, embed=False), "summer", season="summer").best == "a-sweet"
    assert found_by(ruled(twins), "summer", season="summer").best == "b-fresh"


def test_what_a_rule_excludes_for_this_shopper_is_not_found_but_by_its_name():
    shop, migraine = ruled(), {"sensitivities": "migraine"}
    asked = (("woody", None), ("woody", migraine), ("is Winter Oud woody?", migraine))
    found = [{p.id for p in found_by(shop, text, who).products} for text, who in asked]
    assert ["winter-oud" in ids for ids in found] == [True, False, True]


def test_without_a_wish_that_a_rule_knows_the_ranking_is_what_it_was():
    for text in ("rose", "woody incense", "perfume"):
        plain, with_rules = found_by(Shop(embed=False), text), found_by(ruled(), text)
        assert plain == with_rules
