"""Replies of recommendations as they are documented; like those of `replies.py` no request loads them."""

from typing import Literal

from pydantic import ConfigDict, Field

from shopping_agent.http.models import Wire
from shopping_agent.http.replies import ProductReply


class ReasonReply(Wire):
    """A part of a score: what a rule, a stated wish or the search gives of what it could give."""

    model_config = ConfigDict(title="Reason")

    effect: Literal["prefer", "avoid", "within", "wish", "relevance"]
    name: str = Field(description="The rule's, the wish's, or `relevance`.")
    speaks: Literal["for", "against", "neutral"]
    points: float
    possible: float = Field(description="All possible points of a product sum to 100.")
    terms: list[str] = Field(description="What of the product it is about.")
    text: str = Field(description="Why; of a rule only.")


class RecommendedProductReply(ProductReply):
    """A product with its score and the account of it."""

    model_config = ConfigDict(title="RecommendedProduct")

    score: float = Field(description="0 to 100; the points of `reasons` sum to it.")
    reasons: list[ReasonReply]


class ExcludingRuleReply(Wire):
    model_config = ConfigDict(title="ExcludingRule")

    rule: str
    terms: list[str] = Field(description="What of the product it excludes.")
    text: str


class ExcludedProductReply(Wire):
    """A product that a rule excludes, whatever else speaks for it."""

    model_config = ConfigDict(title="ExcludedProduct")

    product_id: str
    name: str
    rules: list[ExcludingRuleReply]


class DroppedReply(Wire):
    """A wish of one rule that gave way to others."""

    model_config = ConfigDict(title="DroppedWish")

    rule: str
    what: str
    to: list[str] = Field(description="The stronger rules.")
    text: str


class AnswerReply(Wire):
    model_config = ConfigDict(title="Answer")

    value: str
    label: str


class QuestionReply(Wire):
    """A key of the profile whose value would change what comes first."""

    model_config = ConfigDict(title="Question")

    key: str
    text: str
    answers: list[AnswerReply] = Field(description="The first few; any value of the key will do.")


class RecommendationsReply(Wire):
    """Products best first, one size of each."""

    model_config = ConfigDict(title="Recommendations")

    products: list[RecommendedProductReply]
    excluded: list[ExcludedProductReply] = Field(
        description="The best of those that a rule excludes."
    )
    relaxed: list[DroppedReply] = Field(description="Bounds of a scale that gave way.")
    overruled: list[DroppedReply] = Field(
        description="Preferred terms that a sensitivity excludes."
    )
    blocked: list[Literal["notes", "price", "gender", "inStock", "kind"]] = Field(
        description="Without products: the constraints that stand in the way."
    )
    profile: dict[str, list[str]] = Field(description="What was judged by, in the store's values.")
    profile_labels: list[str] = Field(description="The same in words.")
    questions: list[QuestionReply] = Field(description="At most two that are worth asking.")
