"""The operator's replies as they are documented; see `replies`."""

from typing import Literal

from pydantic import ConfigDict, Field

from shopping_agent.http.models import Wire


class DurationsReply(Wire):
    """Milliseconds of turns, told from classes; null where there were none."""

    model_config = ConfigDict(title="Durations")

    p50: int | None
    p95: int | None
    p99: int | None


class RevenueReply(Wire):
    """Orders that came of carts which the assistant handed over."""

    model_config = ConfigDict(title="Revenue")

    currency: str
    amount: float
    orders: int


class FiguresReply(Wire):
    model_config = ConfigDict(title="Figures")

    turns: int
    unanswered: int = Field(description="Questions that the store's texts do not answer.")
    fruitless_searches: int = Field(description="Searches that nothing met, of chat and page.")
    tokens: int
    cost: float = Field(description="Dollars, of the models whose price is known.")
    durations: DurationsReply
    revenue: list[RevenueReply]


class DayReply(FiguresReply):
    model_config = ConfigDict(title="Day")

    date: str = Field(description="UTC.")


class ModelUseReply(Wire):
    model_config = ConfigDict(title="ModelUse")

    model: str = Field(description="Provider and model.")
    calls: int
    tokens: int
    cost: float | None = Field(description="Dollars; null where a price is not known.")


class TotalsReply(FiguresReply):
    """Of the whole time; the groups count by value."""

    model_config = ConfigDict(title="Totals")

    intents: dict[str, int]
    routes: dict[str, int]
    languages: dict[str, int]
    finishes: dict[str, int]
    actions: dict[str, int] = Field(description="What turns did to carts.")
    refusals: dict[str, int] = Field(description="Changes that a model proposed and we refused.")
    verdicts: dict[str, int] = Field(
        description="Of models' texts: `sound`, `repaired`, `cut` (sentences removed), `replaced`."
    )
    failures: dict[str, int] = Field(description="Of calls of models.")
    hours: dict[str, int] = Field(description="Turns by hour of the day, UTC.")
    models: list[ModelUseReply]


class FrequentTextReply(Wire):
    model_config = ConfigDict(title="FrequentText")

    text: str = Field(description="As it was written, without contact details and words of health.")
    count: int


class FileErrorReply(Wire):
    model_config = ConfigDict(title="FileError")

    code: str
    message: str


class FileReply(Wire):
    """What became of a catalog, guide or inventory file last."""

    model_config = ConfigDict(title="File")

    source: str = Field(description="Its key in the bucket.")
    status: Literal["applied", "refused", "ignored", "planned", "failed"]
    error: FileErrorReply | None
    started_at: str
    duration_ms: int
    counts: dict[str, int] = Field(description="Products and texts by what was done with them.")
    key: str = Field(description="Where the whole report is in the bucket.")


class StatisticsReply(Wire):
    model_config = ConfigDict(title="Statistics")

    since: str = Field(alias="from")
    until: str
    days: list[DayReply]
    totals: TotalsReply
    searches: list[FrequentTextReply]
    questions: list[FrequentTextReply]
    files: list[FileReply]
