"""`shopping-agent reindex` and `upload` against the ingest function: another model, a lost index, inventory, progress."""

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from io import StringIO

import pytest
from shopping_agent import bootstrap
from shopping_agent.adapters.index.qdrant_rest import QdrantRestIndex
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.sparse import query_vector
from shopping_agent.ports import IndexFilter
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from functions.local.cli import main
from functions.local.qdrant_server import build_app
from functions.local.qdrant_standin import QdrantStandIn
from functions.local.reports import CatalogBucket, PendingReport
from functions.local.serving import serving

CATALOG = "catalog/shop.jsonl"
DIMENSIONS = 4


def product(number: int, **more) -> dict[str, object]:
    return {
        "id": f"p{number}",
        "name": f"Testine {number}",
        "description": "A fresh citrus water.",
        "price": 100 + number,
        "currency": "MAD",
        "stock": 5,
        **more,
    }


def lines(*products) -> str:
    return "\n".join(map(json.dumps, products))


@pytest.fixture
def embeddings() -> Generator[str]:
    """A model served: vectors of nothing but the text's length."""

    async def embed(request: Request) -> JSONResponse:
        texts = (await request.json())["input"]
        data = [
            {"index": n, "embedding": [1.0, len(text) / 1000, 0.0, 0.0]}
            for n, text in enumerate(texts)
        ]
        return JSONResponse({"data": data})

    with serving(Starlette(routes=[Route("/v1/embeddings", embed, methods=["POST"])])) as url:
        yield f"{url}/v1"


class Shop:
    """A bucket of its own, worked off while a command waits."""

    def __init__(self, function, monkeypatch) -> None:
        self.function = function
        self._monkeypatch = monkeypatch
        for key in function.keys(""):
            function.delete(key)
        function.receive()

    def deploy(self, **variables: str) -> None:
        """The functions with other settings."""
        for name, value in variables.items():
            self._monkeypatch.setenv(name, value)
        bootstrap.settings.cache_clear()
        self.function._settings = bootstrap.settings()

    def fill(self) -> None:
        self.function.put(CATALOG, lines(*(product(n) for n in range(5))))
        self.function.put("guides/delivery.en.md", "# Delivery\n## Delays\nTwo days.\n")
        assert self.function.work_off() == []

    @contextmanager
    def working(self) -> Generator[None]:
        done = threading.Event()

        def work() -> None:
            while not done.wait(0.1):
                self.function.work_off()

        thread = threading.Thread(target=work)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def command(self, *arguments: str) -> int:
        with self.working():
            return main([*arguments, "--bucket", "catalog", "--timeout", "20"])

    def search(self, *, dense=None, text="citrus") -> set[str]:
        hits = bootstrap.product_index(bootstrap.settings()).search(
            dense=dense,
            sparse=query_vector(text),
            where=IndexFilter(),
            limit=50,
            deadline=Deadline.after(10),
        )
        return {hit.chunk.product.id for hit in hits if hit.chunk.product}


@pytest.fixture
def shop(function, monkeypatch, tmp_path) -> Shop:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "local")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    monkeypatch.setenv("DATA", str(tmp_path))
    return Shop(function, monkeypatch)


@pytest.fixture
def change_model(shop, embeddings) -> Callable[[], None]:
    return lambda: shop.deploy(
        EMBEDDING_PROVIDER="openai",
        EMBEDDING_BASE_URL=embeddings,
        EMBEDDING_MODEL="length/1",
        EMBEDDING_DIMENSIONS=str(DIMENSIONS),
    )


ALL = {f"p{n}" for n in range(5)}
SOMEWHERE = [1.0, 0.0, 0.0, 0.0]


def by_meaning(url: str) -> set[str]:
    """What a new process finds without any word."""
    index = QdrantRestIndex(
        url=url, api_key="", collection="products", model="length/1", dimensions=DIMENSIONS
    )
    try:
        hits = index.search(
            dense=SOMEWHERE, sparse={}, where=IndexFilter(), limit=50, deadline=Deadline.after(10)
        )
        return {hit.chunk.product.id for hit in hits if hit.chunk.product}
    finally:
        index.close()


def test_another_model_never_empties_search_and_reindex_brings_its_vectors(
    shop, change_model, capsys
):
    shop.fill()
    change_model()
    assert shop.search(dense=SOMEWHERE) == ALL
    assert shop.command("reindex") == 0
    said = capsys.readouterr().out
    assert "2 files ingested anew, " in said
    assert " 0 texts embedded" not in said
    assert by_meaning(bootstrap.settings().qdrant_url) == ALL
    assert main(["index"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] == "*" for line in listed] == [True, False]
    assert "length-1-4" in listed[0]


def test_an_upload_while_the_new_index_is_incomplete_is_found_at_once(shop, change_model):
    shop.fill()
    change_model()
    shop.function.put("catalog/more.jsonl", lines(product(9, description="Smoky leather.")))
    assert shop.function.work_off() == []
    assert shop.search(text="leather") == {"p9"}
    assert shop.search() == ALL
    assert shop.command("reindex") == 0
    assert shop.search(text="leather") == {"p9"}
    assert shop.search() == ALL


def test_a_lost_index_beside_a_kept_manifest_is_rebuilt(shop):
    shop.fill()
    empty = QdrantStandIn(api_key="")
    with serving(build_app(empty)) as url:
        shop.deploy(QDRANT_URL=url)
        assert shop.search() == set()
        assert shop.command("reindex") == 0
        assert shop.search() == ALL
        assert len(shop.function.guides()) <= 1
    empty.close()


def test_prices_and_stocks_of_inventory_files_outlive_a_reindex(shop, change_model):
    shop.fill()
    shop.function.put("inventory/today.csv", "id,price,stock\np1,7,3\n")
    assert shop.function.work_off() == []
    change_model()
    assert shop.command("reindex") == 0
    live, indexed = shop.function.live("p1")["p1"], shop.function.indexed("p1")["p1"]
    assert (live.price.regular, live.stock) == (700, 3)
    assert (indexed.price.regular, indexed.stock) == (700, 3)
    assert shop.command("reindex", "--only", "inventory", "--json") == 0
    assert shop.function.live("p1")["p1"].price.regular == 700


def test_a_catalog_in_parts_is_reindexed_too(shop, change_model):
    shop.function.put(CATALOG, lines(*(product(n) for n in range(130))))
    assert shop.function.work_off() == []
    change_model()
    assert shop.command("reindex") == 0
    assert len(shop.function.indexed(*(f"p{n}" for n in range(130)))) == 130
    report = shop.function.reports(CATALOG)[-1]
    assert report["counts"]["updated"] == 130
    assert report["counts"]["embedded"] > 0


def test_an_empty_bucket_has_nothing_to_reindex(shop, capsys):
    assert main(["reindex", "--bucket", "catalog"]) == 1
    assert "holds no catalog, guide or inventory" in capsys.readouterr().err


def test_a_file_that_is_refused_again_ends_reindex_with_1(shop, capsys):
    shop.fill()
    shop.function.put("catalog/bad.csv", "PK\x03\x04")
    shop.function.work_off()
    assert shop.command("reindex") == 1
    said = capsys.readouterr().out
    assert "catalog/bad.csv: refused" in said
    assert "2 of 3 files ingested anew" in said.splitlines()[-1]
    assert said.endswith(", 1 refused: catalog/bad.csv\n")


def test_an_upload_shows_counts_and_rejected_rows_with_line_reason_and_hint(shop, tmp_path, capsys):
    file = tmp_path / "shop.jsonl"
    file.write_text(lines(product(1), product(2, price="free")))
    assert shop.command("upload", str(file)) == 0
    said = capsys.readouterr().out
    assert "catalog/shop.jsonl: applied" in said
    assert "added 1" in said
    assert "line 2 p2: invalid_price" in said


def test_a_refused_upload_ends_with_1_until_it_is_forced(shop, tmp_path, capsys):
    shop.fill()
    file = tmp_path / "shop.jsonl"
    file.write_text(lines(product(1)))
    assert shop.command("upload", str(file)) == 1
    assert "mass_deletion" in capsys.readouterr().out
    assert shop.command("upload", str(file), "--force") == 0
    assert set(shop.function.live(*ALL)) == {"p1"}


def test_the_kind_of_an_upload_may_be_said(shop, tmp_path):
    file = tmp_path / "faq.txt.md"
    file.write_text("# Questions\n## Where\nIn Rabat.\n")
    assert shop.command("upload", str(file), "--kind", "guide") == 0
    stocks = tmp_path / "levels.csv"
    stocks.write_text("id,stock\np1,2\n")
    assert shop.command("upload", str(stocks), "--kind", "inventory", "--json") == 0
    assert shop.function.keys("inventory/") == ["inventory/levels.csv"]


def test_when_no_report_comes_it_says_where_to_look(shop, tmp_path, capsys):
    file = tmp_path / "shop.jsonl"
    file.write_text(lines(product(1)))
    assert main(["upload", str(file), "--bucket", "catalog", "--timeout", "0.3"]) == 1
    said = capsys.readouterr().err
    assert "no report of catalog/shop.jsonl" in said
    assert "dead-letter queue" in said
    assert main(["reindex", "--bucket", "catalog", "--timeout", "0.3"]) == 1
    assert "1 of 1 files" in capsys.readouterr().err


def test_a_file_in_parts_tells_what_was_read_while_it_is_written(shop):
    shop.function.put(CATALOG, lines(*(product(n) for n in range(130)), product(999, price="?")))
    bucket = CatalogBucket.of_account("catalog")
    pending = PendingReport(bucket, CATALOG, after="")
    pending.etag = bucket.etag(CATALOG)
    assert pending.progress() == ""
    (planning,) = shop.function.receive()
    shop.function.invoke({"Records": [planning]})
    assert pending.progress() == "131 rows read, 1 rejected, writing 130 products in 4 parts"
    shop.function.work_off()
    assert pending.progress() == ""
    told: list[str] = []
    assert pending.wait(5, told.append)
    assert told == []


def test_the_collection_that_is_served_cannot_be_dropped(shop, change_model, capsys):
    shop.fill()
    change_model()
    assert shop.command("reindex") == 0
    capsys.readouterr()
    assert main(["index", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    served, former = sorted(listed, key=lambda version: not version["served"])
    assert main(["index", "--drop", served["name"]]) == 1
    assert "serve another one first" in capsys.readouterr().err
    assert main(["index", "--serve", former["name"]]) == 0
    assert shop.search() == ALL
    assert main(["index", "--drop", served["name"]]) == 0
    assert served["name"] not in capsys.readouterr().out.splitlines()[-1]


def test_without_a_stack_or_an_address_there_is_no_index_to_list(shop, monkeypatch, capsys):
    monkeypatch.delenv("QDRANT_URL")
    assert main(["index"]) == 1
    assert "QDRANT_URL" in capsys.readouterr().err


def test_a_refused_upload_gives_way_to_what_was_applied_when_the_lost_index_is_rebuilt(
    shop, tmp_path, capsys
):
    shop.fill()
    good = tmp_path / "shop.jsonl"
    good.write_text(lines(product(1)))
    assert shop.command("upload", str(good)) == 1
    said = capsys.readouterr()
    assert "--force" in said.out.replace("\n", " ")
    assert f"shopping-agent remove {CATALOG}" in said.err
    empty = QdrantStandIn(api_key="")
    with serving(build_app(empty)) as url:
        shop.deploy(QDRANT_URL=url)
        assert shop.command("reindex") == 0
        assert (
            "was refused; what was applied before takes its place again" in capsys.readouterr().err
        )
        assert shop.search() == ALL
        assert shop.command("reindex") == 0
        assert "refused" not in capsys.readouterr().err
    empty.close()


def test_an_upload_that_is_still_to_be_read_is_not_taken_back(shop, tmp_path, capsys):
    shop.fill()
    shop.function.put(CATALOG, lines(product(1)))
    shop.function.work_off()
    shop.function.put(CATALOG, lines(product(1)), Metadata={"force": "true"})
    assert shop.command("reindex") == 0
    assert "refused" not in capsys.readouterr().err
    assert set(shop.function.live(*ALL)) == {"p1"}


def test_a_refused_file_that_nothing_was_applied_before_is_named_with_what_to_do(
    shop, tmp_path, capsys, monkeypatch
):
    shop.fill()
    shop.function.put("catalog/bad.csv", "id,stock,shelf\np1,1,2\n")
    shop.function.work_off()
    assert shop.command("reindex") == 1
    assert "shopping-agent remove catalog/bad.csv" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", StringIO("n\n"))
    assert shop.command("remove", "catalog/bad.csv") == 1
    assert "nothing was deleted" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", StringIO("y\n"))
    assert shop.command("remove", "catalog/bad.csv") == 0
    assert "catalog/bad.csv is deleted" in capsys.readouterr().err
    assert shop.command("reindex") == 0


def test_the_products_of_a_removed_file_leave_and_one_that_is_not_there_is_told(shop, capsys):
    shop.fill()
    assert shop.command("remove", CATALOG, "--yes") == 0
    assert shop.function.live(*ALL) == {}
    assert shop.command("remove", CATALOG, "--yes") == 1
    assert f"holds no {CATALOG}" in capsys.readouterr().err
    assert shop.command("remove", "reports/x", "--yes") == 1


def test_what_a_removed_inventory_file_said_stays(shop, capsys):
    shop.fill()
    shop.function.put("inventory/today.csv", "id,price,stock\np1,7,3\n")
    assert shop.function.work_off() == []
    assert shop.command("remove", "inventory/today.csv", "--yes") == 0
    assert "holds until another file" in capsys.readouterr().err
    assert shop.function.keys("inventory/") == []
    assert shop.function.live("p1")["p1"].stock == 3


def test_upload_tells_the_kind_it_took_and_suggests_an_inventory_for_a_table_without_names(
    shop, tmp_path, capsys
):
    shop.fill()
    levels = tmp_path / "monday.csv"
    levels.write_text("id,stock\np1,2\n")
    assert shop.command("upload", str(levels)) == 0
    assert "taken for inventory: its header" in capsys.readouterr().err
    levels.write_text("id,stock,shelf\np1,2,A\n")
    assert shop.command("upload", str(levels)) == 1
    said = capsys.readouterr().err
    assert "taken for catalog" in said
    assert "--kind inventory" in said.splitlines()[-1]
