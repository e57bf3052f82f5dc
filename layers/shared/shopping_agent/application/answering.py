"""Knowledge questions: evidence first, judged in code, then one model call without tools; without evidence, an honest no."""

from collections.abc import Sequence
from dataclasses import replace

from shopping_agent.application.agent import Agent, NoTools, Task
from shopping_agent.application.blocks import data_blocks
from shopping_agent.application.checking import Checking
from shopping_agent.application.context import TurnContext
from shopping_agent.application.gathering import Gathered
from shopping_agent.application.needs import FACTS, concerned
from shopping_agent.application.observations import Observations
from shopping_agent.application.prompts import history, system_prompt
from shopping_agent.application.summary import Summary
from shopping_agent.application.turn import Outcome
from shopping_agent.application.work import Draft, Work
from shopping_agent.domain.conversation import DataBlock, UserMessage
from shopping_agent.domain.evidence import ASPECTS_OF_PRODUCTS, Evidence, assess, meant
from shopping_agent.domain.passage import Passage
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.store import StorePack
from shopping_agent.domain.subjects import FREE_DELIVERY
from shopping_agent.domain.text import fold
from shopping_agent.observability import count, logger


class Answering:
    """Retrieval-augmented answers."""

    def __init__(self, *, agent: Agent, pack: StorePack, checking: Checking) -> None:
        self._agent = agent
        self._checking = checking
        self._pack = pack

    def answer(self, work: Work, gathered: Gathered) -> Draft:
        """Answer from the store's texts and live facts."""
        context, observed = work.context, work.observed
        observed.passages = meant(observed.passages, set(concerned(context)))
        gathered = replace(gathered, passages=list(observed.passages))
        evidence = assess(context.query, observed.passages, self._pack.vocabulary)
        by_facts = self._facts_answer(context, observed, gathered, evidence)
        if not evidence.answers and not by_facts:
            return self._without_evidence(context, observed)
        facts = data_blocks(context, observed, gathered)
        # What is missing until delivery is free is a question about the cart.
        wanted = FREE_DELIVERY in evidence.asked
        told = [b for b in facts if b.name != "cart" or wanted]
        outcome = self._ask(work, told)
        quoted = set[tuple[str, str]]()
        if not by_facts:
            quoted = {(s.source, s.heading) for s in evidence.sentences}
        used = [p for p in observed.passages if (p.source, p.heading) in quoted]
        return Draft(outcome, sources=_unnamed(used, outcome.text))

    def _without_evidence(self, context: TurnContext, observed: Observations) -> Draft:
        """Ask what "it" is when nothing was spoken of; else say that we do not know. No model is called."""
        summary = Summary(self._pack, context, observed)
        if context.query.pronoun and not concerned(context):
            return Draft(Outcome(summary.which_product(), "clarify"), fixed=True)
        if "hours" in context.query.topics:
            return Draft(Outcome(summary.contact(), "answered"), fixed=True)
        count("Unanswered")
        logger.info("unanswered", turn=context.turn_id, topics=list(context.query.topics))
        return Draft(Outcome(summary.dont_know(), "answered"), fixed=True, unanswered=True)

    def _facts_answer(
        self, context: TurnContext, observed: Observations, gathered: Gathered, evidence: Evidence
    ) -> bool:
        """Whether every topic of the question is a fact that the products asked about, or found for it, state."""
        about = concerned(context) or (observed.found if gathered.found else ())
        products = [p for i in about if (p := observed.products.get(i))]
        topics = context.query.topics or _told_by_facts(context.query)
        if not topics and context.named_ids and not (evidence.missing or evidence.asked):
            topics = ("details",)  # "do you have X?"
        # "Is there a student discount?" is not answered by what happens to be on sale.
        if not concerned(context) and set(evidence.asked) - ASPECTS_OF_PRODUCTS:
            return False
        return bool(products and topics) and all(
            topic in FACTS and any(FACTS[topic](p) for p in products) for topic in topics
        )

    def _ask(self, work: Work, facts: Sequence[DataBlock]) -> Outcome:
        context = work.context
        task = Task(
            system=system_prompt(self._pack, "rag", context.language),
            messages=(
                *history(context.conversation.exchanges),
                UserMessage(context.query.text, tuple(facts)),
            ),
            query=context.query,
            turn_id=context.turn_id,
            check=self._checking.faults_of(work),
        )
        outcome = self._agent.run(task, NoTools(), work.deadline)
        # Nothing is about to be written: a question of the model is part of its answer.
        asked = outcome.finish == "clarify"
        return replace(outcome, finish="answered", asks=False) if asked else outcome


def _told_by_facts(query: ShopperQuery) -> tuple[str, ...]:
    """What a question without a topic asks of products: how they compare, which is the first by price, "50 ml?"."""
    if query.compare or query.cheapest or query.dearest:
        return ("comparison",)
    return ("size",) if query.size_ml is not None and not query.wishes() else ()


def _unnamed(passages: Sequence[Passage], text: str) -> tuple[str, ...]:
    """Headings of guides that the text does not name itself."""
    said = fold(text)
    named = (p.heading or p.source for p in passages if p.product_id is None)
    return tuple(dict.fromkeys(name for name in named if name and fold(name) not in said))
