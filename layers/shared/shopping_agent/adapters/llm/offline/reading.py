"""What a message wants to know or see, besides cart changes: products, facts, a comparison, the store's texts, a person."""

from collections.abc import Sequence
from dataclasses import field
from typing import Final, Literal

from shopping_agent.adapters.llm.offline import sizes
from shopping_agent.adapters.llm.offline.fact_topics import FACTS
from shopping_agent.adapters.llm.offline.requests import asks, candidates, searches, service_of
from shopping_agent.adapters.llm.offline.situation import Item, Situation
from shopping_agent.adapters.llm.offline.steps import Plan, Step, observed, search
from shopping_agent.adapters.llm.offline.subject import known_in, subject_of, talked_about
from shopping_agent.adapters.llm.offline.superlatives import asks_which_of_the_shown
from shopping_agent.adapters.llm.offline.unsold import Unsold, unsold
from shopping_agent.domain.evidence import ASPECTS_OF_PRODUCTS, Evidence, assess, meant
from shopping_agent.domain.passage import Passage
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.subjects import hints_in
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Vocabulary

Kind = Literal[
    "nothing",
    "cart",
    "checkout",
    "compare",
    "facts",
    "discover",
    "texts",
    "hours",
    "person",
    "about",
    "thanks",
    "unsold",
]

_MOST_COMPARED: Final = 4


@frozen
class Reading:
    """What to tell.

    Attributes:
        items: the products it is about; variants of one product count each.
        steps: look-ups to make first.
        evidence: what the store's texts say about the question.
        asked: there was a question that the texts should have answered.
    """

    kind: Kind = "nothing"
    items: tuple[Item, ...] = ()
    steps: tuple[Step, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)
    asked: bool = False
    unsold: Unsold | None = None


def read_message(situation: Situation, plan: Plan, vocabulary: Vocabulary) -> Reading:
    """What the message wants to know, given what is planned for the cart."""
    query = situation.query
    evidence = assess(query, _passages(situation), vocabulary)
    if plan.steps or plan.doubts or plan.denied:
        return _beside(situation, plan, evidence)
    if query.action == "view":
        return Reading("cart", steps=_cart_steps(situation), evidence=evidence)
    if query.action == "checkout":
        return Reading("checkout", evidence=evidence)
    if asks_which_of_the_shown(situation, vocabulary):
        return _compared(situation, situation.shown)
    subject = subject_of(situation)
    served = evidence.on_heading or service_of(query, vocabulary) == "trouble"
    if query.compare and (subject or not served):
        return _comparison(situation)
    if subject:
        return _about(situation, subject, evidence)
    told = evidence.answers and bool(query.topics or evidence.asked)
    service = service_of(query, vocabulary)
    if service in ("trouble", "person"):
        # Whoever asks for a person gets one, and a text only on what they ask beside that.
        quoted = evidence if told and (service == "trouble" or query.topics) else Evidence()
        contact = Step("contact_store", {"reason": query.text[:200]})
        return Reading("person", steps=_offered(situation, contact), evidence=quoted)
    if "hours" in query.topics and not evidence.answers:
        return Reading("hours")
    reading = _open(situation, evidence, vocabulary)
    unanswered = reading.kind == "nothing" or (reading.kind == "texts" and not evidence.answers)
    if service in ("about", "thanks") and unanswered:
        return Reading(service)
    return _without_unsold(situation, reading, evidence, vocabulary, unanswered=unanswered)


def _without_unsold(
    situation: Situation,
    reading: Reading,
    evidence: Evidence,
    vocabulary: Vocabulary,
    *,
    unanswered: bool,
) -> Reading:
    """The reading; where a name is asked for that is not sold here, that first, and what comes near by the rest."""
    if reading.steps or not (unanswered or reading.kind == "discover"):
        return reading
    name = unsold(situation, evidence, vocabulary)
    if name is None or not (unanswered or name.certain):
        return reading
    near = candidates(situation, vocabulary) if situation.query.wishes() else ()
    return Reading("unsold", near, unsold=name)


def _beside(situation: Situation, plan: Plan, evidence: Evidence) -> Reading:
    """After an action a question is answered too, from what is at hand: nothing is looked up for it."""
    topics = set(situation.query.topics)
    if topics and topics <= set(FACTS):
        items = tuple(step.item for step in plan.changes if step.item is not None)
        # The change itself says these.
        told = topics - {"price", "stock", *(("size",) if situation.query.size_ml else ())}
        return Reading("facts", items) if items and told and not plan.doubts else Reading()
    return Reading("texts", evidence=evidence) if evidence.answers else Reading()


def _passages(situation: Situation) -> list[Passage]:
    """The texts that may answer: "Is it vegan?" is not answered by the text of a product that was never meant."""
    items = (*subject_of(situation), *talked_about(situation), *situation.shown)
    return meant(situation.passages, {item.id for item in items})


def _open(situation: Situation, evidence: Evidence, vocabulary: Vocabulary) -> Reading:
    """A message that names no product: a question to the texts, or products to find."""
    query = situation.query
    looks_for = query.wishes() or query.delegated or query.cheaper or query.dearer
    looks_for = looks_for or (query.dearest and situation.searched)
    talked = talked_about(situation)
    of_size = query.size_ml is not None and not looks_for  # "in 50 ml?"
    on_facts = (bool(query.topics) or of_size) and set(query.topics) <= set(FACTS)
    of_it = not looks_for or (query.asks_whom() and not searches(query, vocabulary))
    if talked and on_facts and of_it and not _of_the_store(query, evidence):
        return _about(situation, talked, evidence)
    if query.on_sale and situation.found and _only_sales(evidence):
        return Reading("discover", candidates(situation, vocabulary))
    picks = looks_for and "which product" in hints_in(query.text, vocabulary)
    asked = query.topics or not looks_for or _asks_texts(situation, evidence, vocabulary)
    if evidence.answers and asked and not picks:
        return Reading("texts", evidence=evidence, asked=True)
    # What was found for a message that may be a question is no answer to it.
    known = not (evidence.missing and asks(query, vocabulary) and not searches(query, vocabulary))
    shows = situation.found and known and not query.topics and not situation.looked_up
    if looks_for or shows or _wants_sales(situation, evidence):
        look = () if situation.searched else _offered(situation, search(situation))
        return Reading("discover", candidates(situation, vocabulary), look)
    if query.topics and talked:
        return _about(situation, talked, evidence)
    if on_facts and situation.shown:
        return _about_the_cards(situation, evidence)
    if known and not (query.topics or situation.looked_up):
        return Reading()
    look = (
        ()
        if situation.looked_up
        else _offered(situation, Step("search_guides", {"query": query.text[:400]}))
    )
    return Reading("texts", steps=look, evidence=evidence, asked=True)


def _of_the_store(query: ShopperQuery, evidence: Evidence) -> bool:
    """ "What is on sale?", "how much is delivery to Casablanca?": not about the product last talked about."""
    told = evidence.answers and bool(set(evidence.asked) - ASPECTS_OF_PRODUCTS)
    return not query.pronoun and (query.on_sale or told)


def _asks_texts(situation: Situation, evidence: Evidence, vocabulary: Vocabulary) -> bool:
    """Whether what sounds like a wish ("when does a gift card expire") is a question that a section is about."""
    if not evidence.on_heading or situation.query.delegated:
        return False
    return not situation.searched or asks(situation.query, vocabulary)


def _wants_sales(situation: Situation, evidence: Evidence) -> bool:
    """ "What is on sale?" asks for products where there are some to show; "a student discount" does not."""
    topics = situation.query.topics
    return "discount" in topics and bool(situation.found) and _only_sales(evidence)


def _only_sales(evidence: Evidence) -> bool:
    return set(evidence.asked) <= {"sale"}


def _about(situation: Situation, subject: Sequence[Item], evidence: Evidence) -> Reading:
    """A question about certain products: their facts first, then their texts."""
    ordered = set(situation.query.topics) & {"longevity", "sillage"}
    if ordered and len({sizes.base_key(item.name) for item in subject}) > 1:
        return _comparison(situation)
    thin = [i for i in subject if "families" not in i.facts and "notes" not in i.facts]
    steps = [
        s for i in thin for s in _offered(situation, Step("get_product", {"productId": i.id}, i))
    ]
    steps += _other_sizes(situation, subject)
    asked = situation.looked_up or any(t not in FACTS for t in situation.query.topics)
    if "size" in situation.query.topics or situation.query.size_ml is not None:
        subject = _all_sizes(situation, subject)
    return Reading("facts", tuple(subject), tuple(steps), evidence, asked)


def _all_sizes(situation: Situation, subject: Sequence[Item]) -> list[Item]:
    """The products with every observed size of them."""
    keys = {sizes.base_key(item.name) for item in subject}
    return [item for item in situation.known() if sizes.base_key(item.name) in keys]


def _other_sizes(situation: Situation, subject: Sequence[Item]) -> list[Step]:
    """A search for the size asked about, where the sizes of its product were not all observed."""
    size = situation.query.size_ml
    family = _all_sizes(situation, subject[:1])
    if size is None or sizes.sizes_known(family) or situation.called("search_products"):
        return []
    wanted = f"{sizes.bare_name(subject[0].name)} {size} ml"
    return list(_offered(situation, search(situation, wanted)))


def _about_the_cards(situation: Situation, evidence: Evidence) -> Reading:
    """A question about the products shown, which of them or all of them."""
    if set(situation.query.topics) & {"longevity", "sillage", "comparison"}:
        return _comparison(situation)
    return _about(situation, known_in(situation, situation.shown), evidence)


def _comparison(situation: Situation) -> Reading:
    subject = subject_of(situation)
    # Sizes of one product are one side of a comparison.
    sold = sorted(subject, key=lambda item: not item.in_stock)
    first = {sizes.base_key(item.name): item for item in reversed(sold)}
    sides = tuple(first[key] for key in dict.fromkeys(sizes.base_key(i.name) for i in subject))
    named = len(sides) > 1 or situation.query.references
    return _compared(situation, sides if named else situation.shown)


def _compared(situation: Situation, items: Sequence[Item]) -> Reading:
    sides = known_in(situation, items)[:_MOST_COMPARED]
    if len(sides) < 2:
        return Reading("compare", sides)
    compare = Step("compare_products", {"productIds": [item.id for item in sides]})
    return Reading("compare", sides, _offered(situation, compare))


def _cart_steps(situation: Situation) -> tuple[Step, ...]:
    return () if situation.cart else _offered(situation, Step("get_cart", {}))


def _offered(situation: Situation, step: Step) -> tuple[Step, ...]:
    """The step, if its tool is offered and it was not made yet."""
    made = step.tool not in situation.tools or observed(step, situation) is not None
    return () if made else (step,)
