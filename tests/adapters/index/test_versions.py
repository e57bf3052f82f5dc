"""A collection for each embedding model, built beside the one that is served: on every way to reach Qdrant."""

from dataclasses import replace

import pytest
from shopping_agent.adapters.index import payload
from shopping_agent.adapters.index.qdrant_versions import Versions
from shopping_agent.adapters.index.served_model import REMEMBERED_SECONDS, RefusedError, ServedModel
from shopping_agent.domain.catalog import PriceTag, Product
from shopping_agent.errors import MalformedRequestError
from shopping_agent.ports import Chunk, IndexedChunk, IndexFilter

A, B = ("model a", 2), ("model b", 3)
FILE = "catalog/a.csv"
ROSE, SEA = 1, 2


def product(product_id: str, price: int = 100) -> Product:
    return Product(id=product_id, name=f"P {product_id}", price=PriceTag(price, "MAD"))


def chunk(product_id: str, word: int, dense=None, *, text="A text", source=FILE) -> IndexedChunk:
    return IndexedChunk(
        Chunk(
            id=f"product/{product_id}/0",
            kind="description",
            text=text,
            language="en",
            source=source,
            product=product(product_id),
        ),
        dense=dense,
        sparse={word: 1.0},
    )


def found(index, deadline, *, dense=None, word=ROSE) -> list[str]:
    hits = index.reader.search(
        dense=dense, sparse={word: 1.0}, where=IndexFilter(), limit=5, deadline=deadline
    )
    return [hit.chunk.product.id for hit in hits]


@pytest.fixture
def older(deploy, deadline):
    """A shop of model a with one product, held whole."""
    index = deploy(*A)
    index.writer.prepare(deadline)
    index.writer.upsert([chunk("rose", ROSE, [1.0, 0.0])], deadline)
    index.writer.complete(FILE, {"rose"}, deadline)
    return index


def rebuilt(deploy, deadline):
    """A deployment of model b that has written everything."""
    index = deploy(*B)
    index.writer.prepare(deadline)
    index.writer.upsert([chunk("rose", ROSE, [0.0, 1.0, 0.0])], deadline)
    index.writer.complete(FILE, {"rose"}, deadline)
    index.writer.publish(deadline)
    return index


def test_two_workers_may_create_a_collection_at_the_same_time(deploy, deadline, monkeypatch):
    writer = deploy(*A).writer
    writer.prepare(deadline)
    seen = iter([False, True])
    monkeypatch.setattr(writer, "_exists", lambda _: next(seen))
    writer.prepare(deadline)
    assert next(seen, None) is None
    assert writer.is_served(deadline)


def test_the_first_collection_is_served_at_once(older, deadline):
    assert older.writer.is_served(deadline)
    assert found(older, deadline, dense=[1.0, 0.0]) == ["rose"]


def test_with_a_new_model_search_goes_on_by_words_until_everything_is_in(older, deploy, deadline):
    newer = deploy(*B)
    assert found(newer, deadline, dense=[1.0, 0.0, 0.0]) == ["rose"]
    newer.writer.prepare(deadline)
    assert not newer.writer.is_served(deadline)
    assert found(newer, deadline, dense=[1.0, 0.0, 0.0]) == ["rose"]
    assert set(newer.reader.products(["rose"], deadline)) == {"rose"}


def test_words_alone_that_say_nothing_find_nothing_in_another_models_collection(
    older, deploy, deadline
):
    newer = deploy(*B)
    hits = newer.reader.search(
        dense=[1.0, 0.0, 0.0], sparse={}, where=IndexFilter(), limit=5, deadline=deadline
    )
    assert hits == []


def test_once_published_both_words_and_meaning_are_searched(older, deploy, deadline):
    newer = rebuilt(deploy, deadline)
    assert newer.writer.is_served(deadline)
    nowhere = 77
    assert found(newer, deadline, dense=[0.0, 1.0, 0.0], word=nowhere) == ["rose"]


def test_what_comes_in_while_the_new_collection_is_built_is_found_at_once_and_afterwards(
    older, deploy, deadline
):
    newer = deploy(*B)
    newer.writer.prepare(deadline)
    newer.writer.upsert([chunk("sea", SEA, [0.0, 0.0, 1.0])], deadline)
    assert found(newer, deadline, word=SEA) == ["sea"]
    newer.writer.refresh([product("sea", price=55)], deadline)
    assert newer.reader.products(["sea"], deadline)["sea"].price.regular == 55
    newer.writer.publish(deadline)
    assert newer.reader.products(["sea"], deadline)["sea"].price.regular == 55
    newer.writer.remove_products(["sea"], deadline)
    assert newer.reader.products(["sea"], deadline) == {}


def test_what_is_removed_while_the_new_collection_is_built_goes_at_once(older, deploy, deadline):
    newer = deploy(*B)
    newer.writer.remove_products(["rose"], deadline)
    newer.writer.refresh([product("rose")], deadline)
    newer.writer.remove_chunks(["product/rose/0"], deadline)
    assert found(newer, deadline) == []


def test_the_collection_left_behind_keeps_its_vectors_where_the_words_are_the_same(
    older, deploy, deadline
):
    rebuilt(deploy, deadline).writer.publish(deadline)
    back = deploy(*A)
    versions = Versions(back.writer._connection, alias="products")
    versions.serve(payload.collection_name("products", *A), deadline)
    nowhere = 77
    assert found(back, deadline, dense=[1.0, 0.0], word=nowhere) == ["rose"]


def test_a_text_that_changed_meanwhile_loses_the_older_models_vector(older, deploy, deadline):
    newer = deploy(*B)
    newer.writer.prepare(deadline)
    newer.writer.upsert([chunk("rose", SEA, [0.0, 1.0, 0.0], text="Another text")], deadline)
    assert found(newer, deadline, word=SEA) == ["rose"]
    back = deploy(*A)
    assert found(back, deadline, dense=[1.0, 0.0], word=77) == []


def test_a_source_is_held_by_the_collection_that_it_was_written_into_whole(older, deploy, deadline):
    assert older.writer.held([FILE, "guides/x.en.md"], deadline) == {FILE}
    newer = deploy(*B)
    assert newer.writer.held([FILE], deadline) == set()


def test_going_back_to_an_older_model_is_a_rebuild_too(older, deploy, deadline):
    rebuilt(deploy, deadline)
    back = deploy(*A)
    assert back.writer.held([FILE], deadline) == set()
    assert found(back, deadline, dense=[1.0, 0.0]) == ["rose"]
    back.writer.prepare(deadline)
    back.writer.upsert([chunk("sea", SEA, [0.0, 1.0])], deadline)
    back.writer.complete(FILE, {"sea"}, deadline)
    back.writer.publish(deadline)
    assert found(back, deadline, word=ROSE) == []
    assert found(back, deadline, word=SEA) == ["sea"]


def test_what_a_source_no_longer_has_is_swept_and_other_sources_stay(older, deadline):
    older.writer.upsert([chunk("sea", SEA), chunk("other", ROSE, source="catalog/b.csv")], deadline)
    older.writer.complete(FILE, {"sea"}, deadline)
    assert set(older.reader.products(["rose", "sea", "other"], deadline)) == {"sea", "other"}
    assert older.writer.held([FILE], deadline) == {FILE}


def test_marks_are_no_products_and_no_texts(older, deadline):
    page = older.reader.browse(IndexFilter(), limit=9, cursor=None, deadline=deadline)
    assert [p.id for p in page.products] == ["rose"]
    assert len(older.reader.chunks_of(["rose"], deadline)) == 1


def test_another_length_of_the_same_models_vectors_is_another_collection(older, deploy, deadline):
    longer = deploy(A[0], 4)
    longer.writer.prepare(deadline)
    assert not longer.writer.is_served(deadline)
    assert found(longer, deadline, dense=[1.0, 0.0, 0.0, 0.0]) == ["rose"]


def test_collections_are_listed_served_and_dropped_by_name(older, deploy, deadline):
    newer = rebuilt(deploy, deadline)
    names = [payload.collection_name("products", *model) for model in (A, B)]
    versions = Versions(newer.writer._connection, alias="products")
    assert [(v.name, v.served) for v in versions.all(deadline)] == [
        (names[0], False),
        (names[1], True),
    ]
    with pytest.raises(MalformedRequestError, match="serve another one first"):
        versions.drop(names[1], deadline)
    with pytest.raises(MalformedRequestError, match="no collection of products"):
        versions.serve("elsewhere", deadline)
    versions.drop(names[0], deadline)
    assert [v.name for v in versions.all(deadline)] == [names[1]]


def test_a_roll_back_by_name_lasts_until_everything_is_written_again(older, deploy, deadline):
    newer = rebuilt(deploy, deadline)
    versions = Versions(newer.writer._connection, alias="products")
    versions.serve(payload.collection_name("products", *A), deadline)
    assert newer.writer.held([FILE], deadline) == set()


@pytest.mark.parametrize(
    ("name", "is_ours"),
    [
        ("products__multi-e5-384_2", True),
        ("products__none_1", True),
        ("products__eu__multi-e5-384_2", False),
        ("products", False),
        ("products__eu", False),
        ("productsx__none_1", False),
    ],
)
def test_another_alias_collections_are_not_ours(name, is_ours):
    assert payload.is_version_of("products", name) is is_ours


def test_collections_are_named_by_model_length_and_schema():
    name = payload.collection_name("products", "Multi E5/small:v2", 384)
    assert name == f"products__multi-e5-small-v2-384_{payload.SCHEMA_VERSION}"
    assert payload.collection_name("products", "none", 0).startswith("products__none_")


class Collection:
    """Refuses dense vectors while it is of another model."""

    def __init__(self) -> None:
        self.refuses, self.seen = True, []

    def __call__(self, body):
        dense = "prefetch" in body or isinstance(body["query"], list)
        self.seen.append("dense" if dense else "words")
        if dense and self.refuses:
            raise RefusedError("400")
        return []


def test_another_models_collection_costs_one_more_call_a_minute():
    now, collection = [0.0], Collection()
    served = ServedModel("m", clock=lambda: now[0])

    def search():
        served.search(collection, dense=[1.0], sparse={1: 1.0}, where=IndexFilter(), limit=3)

    search()
    search()
    assert collection.seen == ["dense", "words", "words"]
    collection.refuses, now[0] = False, REMEMBERED_SECONDS
    search()
    search()
    assert collection.seen[3:] == ["dense", "dense"]


def test_a_refusal_that_is_not_about_the_model_is_an_error():
    def refuse(_):
        raise RefusedError("400")

    served = ServedModel("m")
    for dense in ([1.0], None):
        with pytest.raises(RefusedError):
            served.search(refuse, dense=dense, sparse={1: 1.0}, where=IndexFilter(), limit=3)


def test_a_chunk_of_the_same_words_is_told_by_what_its_vector_is_made_of():
    there = chunk("rose", ROSE).chunk
    other_price = replace(there, product=product("rose", price=7))
    assert payload.same_words(payload.chunk_payload(there), other_price)
    assert not payload.same_words(payload.chunk_payload(there), replace(there, text="other"))
    assert not payload.same_words({"kind": "of an older schema"}, there)
