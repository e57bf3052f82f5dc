"""What the use cases need from the outside, named by role. One contract suite runs on every adapter of a port.

Every call takes a `Deadline` and answers, or raises a `DependencyError` (or `LanguageModelError`), before it.
"""

from shopping_agent.ports.access import (
    Attempt,
    IdempotencyStore,
    RateLimiter,
    RequestKey,
    StoredReply,
    TokenVerifier,
)
from shopping_agent.ports.carts import (
    CartStore,
    HandOffStore,
)
from shopping_agent.ports.catalog import (
    CatalogManifest,
    IngestionPlan,
    Inventory,
    LiveCatalog,
    Overtaken,
    PartLedger,
    Restocked,
    SourceState,
)
from shopping_agent.ports.files import (
    CatalogReader,
    ObjectStore,
    StoredObject,
    WorkQueue,
)
from shopping_agent.ports.models import (
    KeepsTime,
    LanguageModel,
)
from shopping_agent.ports.search import (
    Chunk,
    ChunkKind,
    Embedder,
    IndexedChunk,
    IndexFilter,
    IndexWriter,
    ProductIndex,
    ProductPage,
    ScoredChunk,
)
from shopping_agent.ports.statistics import Statistics
from shopping_agent.ports.turns import (
    KeptPage,
    KeptRecord,
    Recordings,
    ShopperRecords,
    StepsSoFar,
    TurnState,
    TurnSteps,
    TurnStore,
)

__all__ = [
    "Attempt",
    "CartStore",
    "CatalogManifest",
    "CatalogReader",
    "Chunk",
    "ChunkKind",
    "Embedder",
    "HandOffStore",
    "IdempotencyStore",
    "IndexFilter",
    "IndexWriter",
    "IndexedChunk",
    "IngestionPlan",
    "Inventory",
    "KeepsTime",
    "KeptPage",
    "KeptRecord",
    "LanguageModel",
    "LiveCatalog",
    "ObjectStore",
    "Overtaken",
    "PartLedger",
    "ProductIndex",
    "ProductPage",
    "RateLimiter",
    "Recordings",
    "RequestKey",
    "Restocked",
    "ScoredChunk",
    "ShopperRecords",
    "SourceState",
    "Statistics",
    "StepsSoFar",
    "StoredObject",
    "StoredReply",
    "TokenVerifier",
    "TurnState",
    "TurnSteps",
    "TurnStore",
    "WorkQueue",
]
