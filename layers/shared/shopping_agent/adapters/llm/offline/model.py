"""The offline model: a planner over tool schemas and observations. It proposes calls like any model, and guesses nothing."""

from dataclasses import replace
from typing import Final

from shopping_agent.adapters.llm.offline.acts import Acts
from shopping_agent.adapters.llm.offline.answers import Answers
from shopping_agent.adapters.llm.offline.basket import Basket
from shopping_agent.adapters.llm.offline.plan import make_plan
from shopping_agent.adapters.llm.offline.reading import Reading, read_message
from shopping_agent.adapters.llm.offline.situation import Situation, read
from shopping_agent.adapters.llm.offline.steps import Plan, Step, corrected, next_steps
from shopping_agent.adapters.llm.offline.taken_over import taken_over
from shopping_agent.adapters.llm.offline.wording import Wording
from shopping_agent.domain.conversation import ModelReply, ModelRequest, TokenUsage, ToolCall
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.kinds import kind_of
from shopping_agent.domain.store import StorePack
from shopping_agent.ports import KeepsTime

_ONE_CALL: Final = TokenUsage(calls=1)


class OfflineModel(KeepsTime):
    """A `LanguageModel` without a model: rules over what our code understood and the tools answered.

    It proposes only tools that are offered, states only what was observed, and asks where a change is not certain.
    """

    name = model = "offline"

    def __init__(self, *, pack: StorePack) -> None:
        self._pack = pack

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        """The next tool calls of the plan, or the reply once nothing is left to do.

        Raises:
            DeadlineExceededError: when no time is left.
        """
        deadline.check()
        situation = self._read(request)
        if situation.why_not:
            return self._why_not(situation)
        plan = taken_over(make_plan(situation), situation)
        instead = corrected(plan, situation)
        if instead is not None:
            plan = Plan((instead,), plan.doubts)
        reading = read_message(situation, plan, self._pack.vocabulary)
        steps = [*next_steps(plan, situation), *reading.steps]
        if steps:
            return self._propose(steps, situation)
        return self._reply(situation, plan, reading)

    def _read(self, request: ModelRequest) -> Situation:
        situation = self._with_traits(read(request, self._pack.currency))
        if situation.query.kind is None:
            return situation
        sorts = {x.id: kind_of(x.name, self._pack.vocabulary) for x in situation.cart_items()}
        return replace(situation, kinds={i: sort for i, sort in sorts.items() if sort})

    def _with_traits(self, situation: Situation) -> Situation:
        """What the lines of the cart smell of, where a change describes one: `remove the honey one`."""
        query, vocabulary = situation.query, self._pack.vocabulary
        if not query.orders or not (query.notes or query.families):
            return situation
        items = [situation.item(x.id) or x for x in situation.cart_items()]
        traits = {
            i.id: frozenset(
                (*i.values("families"), *vocabulary.canonical("note", i.values("notes")))
            )
            for i in items
        }
        return replace(situation, traits=traits)

    def _why_not(self, situation: Situation) -> ModelReply:
        text = "\n".join(map(str, situation.why_not["lines"]))
        return ModelReply(text=text, usage=_ONE_CALL, provider=self.name, model=self.model)

    def _propose(self, steps: list[Step], situation: Situation) -> ModelReply:
        made = len(situation.outcomes)
        calls = tuple(
            ToolCall(f"offline_{made + i}", step.tool, step.arguments)
            for i, step in enumerate(steps, start=1)
        )
        return ModelReply(
            tool_calls=calls,
            finish="tool_calls",
            usage=_ONE_CALL,
            provider=self.name,
            model=self.model,
        )

    def _reply(self, situation: Situation, plan: Plan, reading: Reading) -> ModelReply:
        wording = Wording(self._pack, situation.query)
        if situation.query.foreign and not plan.changes:
            text = wording.say("help.languages")
            return ModelReply(text=text, usage=_ONE_CALL, provider=self.name, model=self.model)
        acts, answers = Acts(situation, wording), Answers(situation, wording)
        lines = acts.tell(plan)
        if reading.kind == "cart":
            lines += Basket(situation, wording).lines()
        if reading.kind == "checkout":
            lines += Basket(situation, wording).checkout()
        told = answers.tell(reading)
        nothing = "turn.cart_unchanged" if situation.query.denies else "help.general"
        text = "\n".join([*lines, *told]) or wording.say(nothing)
        return ModelReply(
            text=text,
            choices=acts.choices or answers.choices,
            asks=acts.asks,
            usage=_ONE_CALL,
            provider=self.name,
            model=self.model,
        )
