import io
import json

import pytest
from shopping_agent.adapters.catalog.readers import CatalogFileReader
from shopping_agent.domain.feed import ProductRow


class Read:
    """What a file yields: the products by id (the last row wins) and the rejected rows."""

    def __init__(self, content, currency="MAD"):
        data = content if isinstance(content, bytes) else content.encode()
        rows = list(CatalogFileReader(currency=currency).read(io.BytesIO(data)))
        self.products = {r.product.id: r.product for r in rows if isinstance(r, ProductRow)}
        self.lines = [r.line for r in rows if isinstance(r, ProductRow)]
        self.rejected = [(r.line, r.reason_code) for r in rows if not isinstance(r, ProductRow)]

    @property
    def only(self):
        (product,) = self.products.values()
        return product


@pytest.fixture
def read():
    """Reads the text or bytes of a file."""
    return Read


@pytest.fixture
def read_one():
    """The product of one JSON object with an id, a name and a price unless given."""

    def read_fields(currency="MAD", **fields):
        row = {"id": "a", "name": "A", "price": 10, **fields}
        return Read(json.dumps(row), currency).only

    return read_fields
