"""A long ingestion does not keep its requests: their bodies are large."""

import gc

import httpx
import pytest
from shopping_agent.adapters.index.qdrant import QdrantIndex
from shopping_agent.domain.deadline import Deadline
from shopping_agent.ports import Chunk, IndexedChunk

from functions.local.qdrant_server import build_app
from functions.local.qdrant_standin import QdrantStandIn
from functions.local.serving import serving

pytestmark = pytest.mark.slow


@pytest.fixture
def index():
    stand_in = QdrantStandIn(api_key="")
    with serving(build_app(stand_in)) as url:
        index = QdrantIndex(
            url=url, path="", api_key="", collection="memory", model="none", dimensions=0
        )
        yield index
        index.close()
    stand_in.close()


def test_a_request_is_let_go_with_its_answer_without_a_search_for_circles(index):
    def write(number):
        chunk = Chunk(f"g/{number}", "guide", "Text.", "en", "guides/a.md", guide="a", heading="A")
        index.upsert([IndexedChunk(chunk, None, {number: 1.0})], Deadline.after(20))

    def alive():
        return sum(isinstance(each, httpx.Request) for each in gc.get_objects())

    index.prepare(Deadline.after(20))
    gc.collect()
    before = alive()  # others' of the same process
    gc.disable()
    try:
        for number in range(1, 21):
            write(number)
        left = alive() - before
    finally:
        gc.enable()
    assert left <= 5
