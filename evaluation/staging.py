"""The real handlers on a shop of their own, with a model that can be exchanged between turns."""

import contextlib
import tempfile
from collections.abc import Generator
from pathlib import Path
from unittest.mock import Mock, patch

from shopping_agent import bootstrap
from shopping_agent.domain.conversation import ModelReply, ModelRequest
from shopping_agent.domain.deadline import Deadline
from shopping_agent.ports import LanguageModel
from shopping_agent.settings import Settings

from evaluation.client import ROOT
from evaluation.shop import shop


class Understudy:
    """A model that another one plays for: first the real one, then whom `played_by` names."""

    def __init__(self, real: LanguageModel) -> None:
        self._real = real
        self._cast(real)

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        return self._playing.complete(request, deadline)

    @contextlib.contextmanager
    def played_by(self, other: LanguageModel) -> Generator[None]:
        self._cast(other)
        try:
            yield
        finally:
            self._cast(self._real)

    def _cast(self, playing: LanguageModel) -> None:
        self._playing = playing
        self.name, self.model = playing.name, playing.model


def demo_files() -> dict[str, Path]:
    """The demo store as objects of its bucket."""
    files = {"catalog/catalog.jsonl": ROOT / "demo/catalog.jsonl"}
    return files | {f"guides/{g.name}": g for g in sorted(ROOT.glob("demo/guides/*.md"))}


@contextlib.contextmanager
def demo_shop(**variables: str) -> Generator[Settings]:
    """Settings of a running shop that sells the demo store's products; `variables` come before its own."""
    with tempfile.TemporaryDirectory() as folder, shop(Path(folder), demo_files()) as own:
        yield Settings.from_mapping({**own, **variables})


@contextlib.contextmanager
def handlers_with(settings: Settings) -> Generator[Understudy]:
    """Makes the handlers of this process read these settings, and their model exchangeable."""
    understudy = Understudy(bootstrap.language_model(settings))
    with (
        patch.object(bootstrap, "settings", lambda: settings),
        patch.object(bootstrap, "language_model", Mock(return_value=understudy)),
    ):
        bootstrap.assistant.cache_clear()
        try:
            yield understudy
        finally:
            bootstrap.assistant.cache_clear()
