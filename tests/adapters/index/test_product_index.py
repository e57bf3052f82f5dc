"""The contract of `ProductIndex` and `IndexWriter`, on every adapter."""

from dataclasses import replace

import pytest
from shopping_agent.domain.catalog import Notes, PriceTag, Product
from shopping_agent.domain.sparse import document_vector, query_vector
from shopping_agent.errors import IndexUnavailableError, InvalidFieldError
from shopping_agent.ports import Chunk, ChunkKind, IndexedChunk, IndexFilter

ROSE = Product(
    id="rose",
    name="Rose Zahra",
    brand="Zahra",
    description="Une rose fraîche.",
    price=PriceTag(regular=50_000, currency="MAD"),
    stock=3,
    gender="women",
    families=("floral",),
    notes=Notes(("lemon",), ("rose",), ("musk",)),
    seasons=("spring",),
    size_ml=50,
    variant_of="rose-zahra",
    options={"size": "50 ml"},
)
OUD = Product(
    id="oud",
    name="Oud Nuit",
    price=PriceTag(regular=120_000, currency="MAD", sale=90_000, sale_until=4_000_000_000),
    stock=0,
    gender="men",
    families=("woody",),
    notes=Notes(base=("oud",)),
)
SEA = Product(
    id="sea", name="Sea Salt", price=PriceTag(regular=7_000, currency="EUR"), gender="unisex"
)
ANYONE = Product(id="plain", name="Plain Water", price=PriceTag(regular=10_000, currency="MAD"))

VECTORS = {
    "rose": [1.0, 0.0, 0.0, 0.0],
    "oud": [0.0, 1.0, 0.0, 0.0],
    "sea": [0.0, 0.0, 1.0, 0.0],
    "plain": [0.0, 0.0, 0.0, 1.0],
}
TERMS = {"rose": ("rose", "musk", "lemon", "floral", "spring"), "oud": ("oud", "woody")}


def chunk(
    product: Product, kind: ChunkKind = "description", text="", language="en"
) -> IndexedChunk:
    text = text or f"{product.name}. {product.description}"
    terms = TERMS.get(product.id, ())
    return IndexedChunk(
        Chunk(
            id=f"{product.id}/{kind}/{language}",
            kind=kind,
            text=text,
            language=language,
            source="catalog/catalog.jsonl",
            product=product,
            terms=terms,
        ),
        dense=VECTORS[product.id],
        sparse=document_vector(text, terms),
    )


def guide(language: str) -> IndexedChunk:
    text = {"en": "Delivery takes two days.", "fr": "La livraison prend deux jours."}[language]
    return IndexedChunk(
        Chunk(
            id=f"delivery/{language}",
            kind="guide",
            text=text,
            language=language,
            source=f"guides/delivery.{language}.md",
            guide="delivery",
            heading="Delays",
        ),
        dense=[0.5, 0.5, 0.5, 0.5],
        sparse=document_vector(text),
    )


@pytest.fixture
def filled(indexed, deadline):
    products = [
        chunk(ROSE),
        chunk(ROSE, "notes", "rose musk lemon"),
        chunk(OUD),
        chunk(SEA),
        chunk(ANYONE),
    ]
    indexed.writer.upsert([*products, guide("en"), guide("fr")], deadline)
    return indexed


def found(indexed, deadline, *, dense=None, text="", where=None, limit=10):
    hits = indexed.reader.search(
        dense=dense,
        sparse=query_vector(text),
        where=where or IndexFilter(),
        limit=limit,
        deadline=deadline,
    )
    return [hit.chunk.id for hit in hits]


def ids(indexed, deadline, where):
    page = indexed.reader.browse(where, limit=50, cursor=None, deadline=deadline)
    return {product.id for product in page.products}


def test_a_search_by_words_finds_the_text_that_has_them(filled, deadline):
    assert found(filled, deadline, text="salt")[0] == "sea/description/en"


def test_a_search_by_meaning_finds_the_nearest_vector(filled, deadline):
    assert found(filled, deadline, dense=VECTORS["oud"])[0] == "oud/description/en"


def test_words_and_meaning_are_fused(filled, deadline):
    first_two = found(filled, deadline, dense=VECTORS["oud"], text="salt", limit=2)
    assert set(first_two) == {"sea/description/en", "oud/description/en"}


def test_a_search_without_words_and_vector_finds_nothing(filled, deadline):
    assert found(filled, deadline, text="...") == []


def test_a_hit_carries_the_whole_product_and_its_text(filled, deadline):
    hits = filled.reader.search(
        dense=None,
        sparse=query_vector("zahra"),
        where=IndexFilter(kinds=("description",)),
        limit=1,
        deadline=deadline,
    )
    assert hits[0].chunk == chunk(ROSE).chunk


def test_a_guide_hit_has_its_section_and_no_product(filled, deadline):
    hits = filled.reader.search(
        dense=None,
        sparse=query_vector("livraison"),
        where=IndexFilter(kinds=("guide",), language="fr"),
        limit=3,
        deadline=deadline,
    )
    assert [hit.chunk for hit in hits] == [guide("fr").chunk]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (IndexFilter(max_price=60_000, currency="MAD"), {"rose", "plain"}),
        (IndexFilter(min_price=60_000, currency="MAD"), {"oud"}),
        (IndexFilter(max_price=100_000, currency="MAD"), {"rose", "oud", "plain"}),
        (IndexFilter(currency="EUR"), {"sea"}),
        (IndexFilter(gender="women"), {"rose", "sea"}),
        (IndexFilter(gender="unisex"), {"sea"}),
        (IndexFilter(terms=("rose", "musk")), {"rose"}),
        (IndexFilter(terms=("rose", "oud")), set()),
        (IndexFilter(one_of=(("rose", "oud"),)), {"rose", "oud"}),
        (IndexFilter(one_of=(("rose", "oud"), ("woody",))), {"oud"}),
        (IndexFilter(exclude_terms=("musk", "leather")), {"oud", "sea", "plain"}),
        (IndexFilter(in_stock=True), {"rose", "sea", "plain"}),
        (IndexFilter(product_ids=("oud", "nothing")), {"oud"}),
        (IndexFilter(variant_of=("rose-zahra",)), {"rose"}),
    ],
)
def test_hard_constraints_hold_in_lists_and_in_searches(filled, deadline, where, expected):
    assert ids(filled, deadline, where) == expected
    hits = found(filled, deadline, dense=[0.5] * 4, where=where)
    assert {hit.split("/")[0] for hit in hits} - {"delivery"} == expected


def test_products_are_listed_once_each_page_by_page(filled, deadline):
    first = filled.reader.browse(IndexFilter(), limit=3, cursor=None, deadline=deadline)
    assert first.next_cursor is not None
    second = filled.reader.browse(
        IndexFilter(), limit=3, cursor=first.next_cursor, deadline=deadline
    )
    assert second.next_cursor is None
    listed = [p.id for p in first.products + second.products]
    assert sorted(listed) == ["oud", "plain", "rose", "sea"]


def test_a_cursor_that_is_not_ours_is_refused(indexed, deadline):
    with pytest.raises(InvalidFieldError) as refused:
        indexed.reader.browse(IndexFilter(), limit=3, cursor="'; drop", deadline=deadline)
    assert refused.value.field == "cursor"


def test_products_are_found_by_id_exactly_as_they_were_written(filled, deadline):
    assert filled.reader.products(["oud", "gone", "rose"], deadline) == {"oud": OUD, "rose": ROSE}
    assert filled.reader.products([], deadline) == {}


def test_all_chunks_of_a_product_are_found(filled, deadline):
    chunks = filled.reader.chunks_of(["rose"], deadline)
    assert {c.id for c in chunks} == {"rose/description/en", "rose/notes/en"}
    assert filled.reader.chunks_of([], deadline) == []


def test_writing_a_chunk_again_replaces_it(filled, deadline):
    filled.writer.upsert([chunk(ROSE, text="A tulip, now.")], deadline)
    assert len(filled.reader.chunks_of(["rose"], deadline)) == 2
    assert "rose/description/en" in found(filled, deadline, text="tulip")


def test_a_new_price_and_stock_change_filters_without_touching_texts(filled, deadline):
    before = {c.id: c.text for c in filled.reader.chunks_of(["rose"], deadline)}
    cheaper = replace(ROSE, price=PriceTag(regular=5_000, currency="MAD"), stock=0)
    filled.writer.refresh([cheaper], deadline)
    assert ids(filled, deadline, IndexFilter(max_price=6_000, currency="MAD")) == {"rose"}
    assert "rose" not in ids(filled, deadline, IndexFilter(in_stock=True))
    after = filled.reader.chunks_of(["rose"], deadline)
    assert {c.id: c.text for c in after} == before
    assert all(c.product == cheaper for c in after)
    assert found(filled, deadline, dense=VECTORS["rose"])[0].startswith("rose/")


def test_refreshing_an_unknown_product_changes_nothing(filled, deadline):
    filled.writer.refresh([replace(ROSE, id="nobody")], deadline)
    assert filled.reader.products(["nobody"], deadline) == {}


def test_a_removed_product_leaves_no_trace(filled, deadline):
    filled.writer.remove_products(["rose"], deadline)
    assert filled.reader.products(["rose"], deadline) == {}
    assert filled.reader.chunks_of(["rose"], deadline) == []
    assert "rose" not in ids(filled, deadline, IndexFilter())


def test_a_removed_chunk_leaves_the_others(filled, deadline):
    filled.writer.remove_chunks(["delivery/en", "rose/notes/en"], deadline)
    hits = found(filled, deadline, dense=[0.5] * 4, where=IndexFilter(kinds=("guide",)))
    assert hits == ["delivery/fr"]
    assert len(filled.reader.chunks_of(["rose"], deadline)) == 1


def test_preparing_twice_keeps_what_is_there(filled, deadline):
    filled.writer.prepare(deadline)
    assert set(filled.reader.products(["oud", "rose"], deadline)) == {"oud", "rose"}


def test_more_than_one_batch_is_written_and_removed(indexed, deadline):
    many = [replace(ANYONE, id=f"p{i}") for i in range(150)]
    chunks = [
        replace(chunk(ANYONE), chunk=replace(chunk(ANYONE).chunk, id=p.id, product=p)) for p in many
    ]
    indexed.writer.upsert(chunks, deadline)
    assert len(ids(indexed, deadline, IndexFilter())) == 50
    assert len(indexed.reader.products([p.id for p in many], deadline)) == 150
    indexed.writer.remove_products([p.id for p in many], deadline)
    assert ids(indexed, deadline, IndexFilter()) == set()


def test_a_vector_of_the_wrong_length_is_refused(indexed, deadline):
    with pytest.raises(IndexUnavailableError):
        indexed.writer.upsert([replace(chunk(ROSE), dense=[1.0])], deadline)


def test_chunks_without_a_dense_vector_are_found_by_words(indexed, deadline):
    indexed.writer.upsert([replace(chunk(SEA), dense=None)], deadline)
    assert found(indexed, deadline, text="salt", dense=VECTORS["sea"]) == ["sea/description/en"]


def test_before_the_first_ingestion_everything_is_empty_and_not_ready(unprepared, deadline):
    assert found(unprepared, deadline, text="rose", dense=VECTORS["rose"]) == []
    assert unprepared.reader.products(["rose"], deadline) == {}
    assert unprepared.reader.chunks_of(["rose"], deadline) == []
    assert ids(unprepared, deadline, IndexFilter()) == set()
    with pytest.raises(IndexUnavailableError):
        unprepared.reader.ready(deadline)


def test_a_prepared_index_is_ready(indexed, deadline):
    indexed.reader.ready(deadline)
