"""One index per way to reach Qdrant, filled by the writer: local mode, the server by qdrant-client, the server by REST."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path

import pytest
from shopping_agent.adapters.index.qdrant import QdrantIndex
from shopping_agent.adapters.index.qdrant_rest import QdrantRestIndex
from shopping_agent.domain.deadline import Deadline
from shopping_agent.ports import IndexWriter, ProductIndex

from functions.local.qdrant_server import build_app
from functions.local.qdrant_standin import QdrantStandIn
from functions.local.serving import serving

DIMENSIONS = 4
API_KEY = "a-key"


@dataclass
class Server:
    """The stand-in, running."""

    url: str
    stand_in: QdrantStandIn


@dataclass
class Indexed:
    """Both sides of one index."""

    reader: ProductIndex
    writer: IndexWriter


@pytest.fixture
def deadline() -> Deadline:
    return Deadline.after(20)


@pytest.fixture
def server() -> Generator[Server]:
    stand_in = QdrantStandIn(api_key=API_KEY)
    with serving(build_app(stand_in)) as url:
        yield Server(url, stand_in)
    stand_in.close()


def qdrant_client_index(
    url: str = "", path: str = "", model: str = "a model/v1", dimensions: int = DIMENSIONS
) -> QdrantIndex:
    return QdrantIndex(
        url=url,
        path=path,
        api_key=API_KEY if url else "",
        collection="products",
        model=model,
        dimensions=dimensions,
    )


WAYS = ("local mode", "qdrant-client to a server", "REST to a server")
Deploy = Callable[[str, int], Indexed]


@pytest.fixture(params=WAYS)
def deploy(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Deploy]:
    """Replaces what runs by a deployment with another embedding model, over the same data."""
    running: list[QdrantIndex | QdrantRestIndex] = []

    def stop() -> None:
        while running:
            running.pop().close()

    def start(model: str, dimensions: int = DIMENSIONS) -> Indexed:
        stop()
        if request.param == "local mode":
            index = qdrant_client_index(path=str(tmp_path), model=model, dimensions=dimensions)
            running.append(index)
            return Indexed(index, index)
        url = request.getfixturevalue("server").url
        writer = qdrant_client_index(url, model=model, dimensions=dimensions)
        running.append(writer)
        if request.param == "qdrant-client to a server":
            return Indexed(writer, writer)
        reader = QdrantRestIndex(
            url=url, api_key=API_KEY, collection="products", model=model, dimensions=dimensions
        )
        running.append(reader)
        return Indexed(reader, writer)

    yield start
    stop()


@pytest.fixture(params=WAYS)
def unprepared(request: pytest.FixtureRequest) -> Generator[Indexed]:
    if request.param == "local mode":
        index = qdrant_client_index()
        yield Indexed(index, index)
        index.close()
        return
    server: Server = request.getfixturevalue("server")
    writer = qdrant_client_index(server.url)
    if request.param == "qdrant-client to a server":
        yield Indexed(writer, writer)
    else:
        reader = QdrantRestIndex(
            url=server.url,
            api_key=API_KEY,
            collection="products",
            model="a model/v1",
            dimensions=DIMENSIONS,
        )
        yield Indexed(reader, writer)
        reader.close()
    writer.close()


@pytest.fixture
def indexed(unprepared: Indexed, deadline: Deadline) -> Indexed:
    unprepared.writer.prepare(deadline)
    return unprepared
