"""The measures of `make eval-search`, and that its judgements follow from what is true of the products."""

import gzip
import json
import random
from collections import Counter
from pathlib import Path

import pytest

from evaluation.retrieval import held_out, table
from evaluation.retrieval_metrics import interval, ndcg, recall
from evaluation.retrieval_perfumes import LANGUAGES, perfume_set
from evaluation.retrieval_sets import JudgedQuery, JudgedSet, esci
from evaluation.retrieval_systems import systems
from evaluation.retrieval_typing import misspelt

QUERY = JudgedQuery(id="q", text="x", kind="k", gains={"a": 1.0, "b": 1.0, "c": 0.3})


@pytest.fixture(scope="module")
def perfumes() -> JudgedSet:
    return perfume_set()


def test_the_best_order_is_worth_one_and_a_worse_one_less() -> None:
    assert ndcg(QUERY, ["a", "b", "c"]) == pytest.approx(1.0)
    assert 0 < ndcg(QUERY, ["c", "x", "a"]) < ndcg(QUERY, ["a", "c", "b"]) < 1
    assert ndcg(QUERY, ["x", "y"]) == 0


def test_recall_is_of_what_answers_in_full() -> None:
    assert QUERY.relevant == {"a", "b"}
    assert recall(QUERY, ["c", "a"]) == 0.5
    many = JudgedQuery(id="m", text="x", kind="k", gains={str(i): 1.0 for i in range(50)})
    assert recall(many, [str(i) for i in range(10)]) == 1.0


def test_only_ten_answers_count() -> None:
    assert ndcg(QUERY, [*map(str, range(10)), "a", "b"]) == 0
    assert recall(QUERY, [*map(str, range(10)), "a", "b"]) == 0


def test_an_interval_holds_its_mean_and_is_the_same_each_time() -> None:
    values = [0.0, 0.2, 0.4, 0.9, 1.0] * 10
    one = interval(values)
    assert one.low < one.value < one.high
    assert interval(values) == one


def test_the_table_says_who_leads_beyond_noise() -> None:
    queries = [
        JudgedQuery(id=f"q{i}", text="x", kind="k", gains={"a": 1.0, "b": 0.5}) for i in range(30)
    ]
    right, wrong = ({q.id: [key] for q in queries} for key in ("a", "x"))
    leads = list(table("s", queries, {"BM25": wrong, "dense": wrong, "ours": right}))
    behind = list(table("s", queries, {"BM25": right, "dense": wrong, "ours": wrong}))
    equal = list(table("s", queries, {"BM25": right, "dense": wrong, "ours": right}))
    assert leads[1].endswith(" leads")
    assert behind[1].endswith(" behind")
    assert equal[1].endswith(" no clear lead")


def test_every_language_and_kind_is_asked_in_both_halves(perfumes: JudgedSet) -> None:
    counted = Counter((q.language, q.kind, held_out(q)) for q in perfumes.queries)
    assert len(counted) == len(LANGUAGES) * 4 * 2
    assert min(counted.values()) >= 10


def test_each_search_has_answers_and_they_are_sold(perfumes: JudgedSet) -> None:
    sold = {p.variant_of or p.id for p in perfumes.products}
    for query in perfumes.queries:
        assert query.relevant, query.text
        assert query.gains.keys() <= sold


def test_a_price_in_a_search_is_kept_by_all_that_answer_it(perfumes: JudgedSet) -> None:
    cheapest: dict[str, int] = {}
    for one in perfumes.products:
        key = one.variant_of or one.id
        cheapest[key] = min(cheapest.get(key, one.price.regular), one.price.regular)
    asked = [q for q in perfumes.queries if q.kind == "price" and q.language == "en"]
    for query in asked:
        limit = max(int(word) for word in query.text.split() if word.isdigit())
        assert all(cheapest[key] <= limit * 100 for key in query.gains), query.text


def test_a_slip_changes_one_word_and_not_all_of_it() -> None:
    draw = random.Random(4)
    for _ in range(200):
        first, second = misspelt("velmora solvane", draw).split(" ")
        assert (first == "velmora") or (second == "solvane")
        assert len(first) + len(second) >= len("velmorasolvane") - 1


def test_the_public_set_is_read_with_its_gains(tmp_path: Path) -> None:
    row = {"_id": "p1", "title": "Red shoes", "brand": None, "color": "Red", "bullet_points": ""}
    with gzip.open(tmp_path / "products.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.write(json.dumps(row | {"description": "Leather."}) + "\n")
    (tmp_path / "queries.tsv").write_text("q1\tred shoes\nq2\tnot judged\n", "utf-8")
    (tmp_path / "qrels.tsv").write_text("q1\t0\tp1\t100\n", "utf-8")
    read = esci(tmp_path)
    assert [(q.id, dict(q.gains)) for q in read.queries] == [("q1", {"p1": 1.0})]
    assert read.products[0].description == "Red\nLeather."


class Letters:
    """`Embedder` by the letters of a text: near is what is spelt alike."""

    model = "letters"
    dimensions = 26

    def embed_query(self, text, deadline):
        counted = Counter(text.lower())
        vector = [float(counted[chr(97 + i)]) for i in range(26)]
        norm = sum(x * x for x in vector) ** 0.5 or 1.0
        return [x / norm for x in vector] if any(vector) else [1.0, *[0.0] * 25]

    def embed_passages(self, texts, deadline):
        return [self.embed_query(text, deadline) for text in texts]


def test_all_three_rank_product_families_and_ours_keeps_a_budget(perfumes: JudgedSet) -> None:
    few = JudgedSet(
        name="few", products=perfumes.products[:60], queries=perfumes.queries, understood=True
    )
    ranks = systems(few, Letters())
    families = {p.variant_of or p.id for p in few.products}
    dear = {p.variant_of or p.id for p in few.products} - {
        p.variant_of or p.id for p in few.products if p.price.regular <= 40_000
    }
    query = JudgedQuery(id="q", text="a woody perfume under 400 MAD", kind="price")
    for name, rank in ranks.items():
        found = rank(query)
        assert found, name
        assert set(found) <= families
        assert len(found) == len(set(found)) <= 10
    assert not dear & set(ranks["ours"](query))
