"""The bounded tool loop: the model proposes, the toolbox decides, every proposal gets a result, and it ends in time."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from shopping_agent.application.call_names import CallNames
from shopping_agent.application.loop_limits import LoopLimits, least_seconds
from shopping_agent.application.model_calls import ModelCalls
from shopping_agent.application.reply_guard import announces, reveals, shown_text
from shopping_agent.application.tool_runner import Toolbox, ToolRunner
from shopping_agent.application.turn import Outcome
from shopping_agent.domain.conversation import (
    AssistantMessage,
    JsonObject,
    Message,
    ModelReply,
    ModelRequest,
    ToolCall,
    ToolSpec,
    UserMessage,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.intent import Finish
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.values import frozen
from shopping_agent.errors import DeadlineExceededError, LanguageModelError
from shopping_agent.observability import count
from shopping_agent.ports import LanguageModel

_ANSWER: Final = UserMessage(
    "Answer the shopper now, in plain words, only from the facts and results above."
)
OFFLINE: Final = "offline"
"""Our own planner: it words facts, and reads no corrections."""
_MOST_FAULTS: Final = 6
_MEND: Final = (
    "Parts of that answer do not follow from the facts. Write the whole answer again, in the shopper's language, "
    "without what is wrong and without mentioning this correction. Wrong, and what is true:\n"
)
_LIMIT: Final = UserMessage(
    "No tool call is left in this turn, and some of your last calls were not run. Answer the shopper now, in plain "
    "words, only from the facts and results above; say what was not done, and claim nothing of it."
)
_ACT: Final = UserMessage(
    "The shopper sees only your answer, and nothing was done yet. Call the tools that you need now, "
    "or answer from the facts above."
)


@frozen
class Task:
    """What the loop works on: the prompt, the messages up to the shopper's, and the message as understood.

    Attributes:
        check: what does not hold in an answer, one line each: it is sent back with them, once.
        confirm: asked after a step whose changes were all made: the text that ends the turn, or "" to go on.
    """

    system: str
    messages: Sequence[Message]
    query: ShopperQuery
    turn_id: str = ""
    confirm: Callable[[], str] | None = None
    check: Callable[[str], Sequence[str]] | None = None


class NoTools:
    """The toolbox of a question that is answered from what stands in the request."""

    specs: Sequence[ToolSpec] = ()

    def writes(self, name: str) -> bool:
        del name
        return False

    def canonical(self, call: ToolCall) -> JsonObject:
        return call.arguments

    def run(self, call: ToolCall, deadline: Deadline) -> JsonObject:
        raise NotImplementedError  # a loop without tools runs no call


class Agent:
    """The loop. What it may take in a turn is in `limits`."""

    def __init__(self, *, model: LanguageModel, limits: LoopLimits) -> None:
        self._model = model
        self._limits = limits

    def run(self, task: Task, tools: Toolbox, deadline: Deadline) -> Outcome:
        """Call the model and run what it proposes until it answers or a bound is reached."""
        run = _Run(self._model, self._limits, task, tools, deadline)
        outcome = run.ended() or run.step()
        while outcome is None:
            outcome = run.ended() or run.step()
        if run.draft and not outcome.text and outcome.finish != "refused":
            outcome = replace(outcome, text=run.draft, finish="answered")
        if run.over and outcome.finish not in ("refused", "clarify"):
            outcome = replace(outcome, finish="step_limit", failure=None)
        return replace(
            outcome,
            sent_back=bool(run.draft),
            usage=run.model.tally.tokens,
            model=run.model.tally.model,
            spent=run.model.tally.spent,
            messages=tuple(run.messages),
            heard=tuple(run.model.heard),
        )


class _Run:
    """One loop at work: its messages and how far it is.

    Attributes:
        draft: a text that did not hold and went back.
        over: more calls were asked for than were left: what is still to come is the last answer.
    """

    def __init__(
        self,
        model: LanguageModel,
        limits: LoopLimits,
        task: Task,
        tools: Toolbox,
        deadline: Deadline,
    ) -> None:
        self.model = ModelCalls(model)
        self.messages = list(task.messages)
        self._limits = limits
        self._task = task
        self._tools = tools
        self._runner = ToolRunner(tools, limits.tool_calls, deadline, task.turn_id)
        self._names = CallNames()
        self._deadline = deadline
        self._least_seconds = least_seconds(deadline)
        self._last = False
        self._nudged = False
        self.draft = ""
        self.over = False

    def ended(self) -> Outcome | None:
        """The outcome when no further model call may be begun."""
        if self._deadline.remaining() <= self._least_seconds:
            return Outcome("", "deadline")
        if self._limits.used_up(self.model.tally):
            count("TurnBudgetsUsedUp")
            return Outcome("", "step_limit")
        return None

    def step(self) -> Outcome | None:
        """One model call and what follows from it; None when the loop goes on."""
        try:
            reply = self._receive()
        except DeadlineExceededError:
            return Outcome("", "deadline")
        except LanguageModelError as error:
            refused = error.kind == "content_refused"
            finish: Finish = "refused" if refused else "provider_unavailable"
            return Outcome("", finish, failure=error)
        return self._settle(reply)

    def _receive(self) -> ModelReply:
        """The model's next reply; the last one is asked for without calls."""
        request = ModelRequest(
            system=self._task.system,
            messages=tuple(self.messages),
            tools=self._tools.specs,
            query=self._task.query,
            max_tokens=self._limits.reply_tokens,
            # The tools stay declared: a history of calls beside none is refused, or answered with nothing.
            tool_choice="none" if self._last else "auto",
            turn_id=self._task.turn_id,
            step=self.model.calls + 1,
        )
        return self.model.ask(request, self._deadline)

    def _settle(self, reply: ModelReply) -> Outcome | None:
        """The outcome that a reply means, or None when the loop goes on."""
        if reply.finish == "refused":
            return Outcome("", "refused")
        if reply.tool_calls and self._tools.specs:
            return Outcome("", "step_limit") if self._last else self._act(reply)
        text = shown_text(reply.text, cut_off=reply.finish == "length")
        if not text:
            return self._nudge(_ANSWER)
        if reveals(text, self._task.system, self._tools.specs):
            count("RepliesWithheld")
            return Outcome("", "refused")
        idle = not self._last and not self._runner.ran and not reply.asks
        if idle and announces(text):
            act = _ACT if self._tools.specs else _ANSWER
            return self._nudge(AssistantMessage(text, opaque=reply.opaque), act)
        if self._sent_back(text, reply):
            return None
        self.messages.append(AssistantMessage(text, opaque=reply.opaque))
        finish: Finish = "clarify" if reply.asks else "answered"
        return Outcome(text, finish, choices=reply.choices, asks=reply.asks)

    def _sent_back(self, text: str, reply: ModelReply) -> bool:
        """Whether a text that does not hold went back to its model, which is asked once and gets no tools for it."""
        if self._task.check is None or self.draft or (reply.provider or self.model.name) == OFFLINE:
            return False
        wrong = self._task.check(text)
        if not wrong:
            return False
        self.draft, self._last = text, True
        told = "\n".join(f"- {line}" for line in wrong[:_MOST_FAULTS])
        self.messages += [AssistantMessage(text, opaque=reply.opaque), UserMessage(_MEND + told)]
        return True

    def _nudge(self, *messages: Message) -> Outcome | None:
        """Ask once more; a model that needs it twice is not asked again."""
        if self._nudged:
            return Outcome("", "provider_unavailable")
        self._nudged = True
        self.messages += messages
        return None

    def _act(self, reply: ModelReply) -> Outcome | None:
        runner = self._runner
        calls = self._names.named(reply.tool_calls)
        # A provider would not take a call without a name back, nor its own record of one.
        opaque = reply.opaque if all(call.name.strip() for call in reply.tool_calls) else None
        self.messages.append(AssistantMessage(reply.text, tuple(calls), opaque))
        self.messages += runner.run(calls, self.model.calls)
        confirmed = self._task.confirm() if self._task.confirm and runner.wrote else ""
        if confirmed:
            return Outcome(confirmed, "answered")
        if runner.cut:
            self.over = not self._deadline.expired()
            self.messages.append(_LIMIT)
        self._last = runner.spent
        return None
