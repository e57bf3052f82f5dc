"""The bounded tool loop, on a scripted model and a toolbox that counts."""

import io
import json
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter
from shopping_agent.adapters.llm.scripted import Hang, ScriptedModel, proposes, says
from shopping_agent.application.agent import Agent, Task
from shopping_agent.application.loop_limits import LoopLimits
from shopping_agent.application.turn import Outcome
from shopping_agent.domain.conversation import (
    AssistantMessage,
    Choice,
    JsonObject,
    ModelReply,
    ModelRequest,
    ModelUsage,
    TokenUsage,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.errors import LanguageModelError, StateUnavailableError
from shopping_agent.ports import LanguageModel


class Toolbox:
    """`look` reads, `put` writes; both record when they ran."""

    def __init__(self, run: Callable[[ToolCall], JsonObject] | None = None) -> None:
        self.specs = (ToolSpec("look", "", {}), ToolSpec("put", "", {}))
        self.calls: list[ToolCall] = []
        self._run = run or (lambda call: {"ok": True, "n": len(self.calls)})

    def writes(self, name: str) -> bool:
        return name == "put"

    def canonical(self, call: ToolCall) -> JsonObject:
        return {k: v for k, v in call.arguments.items() if v is not None}

    def run(self, call: ToolCall, deadline: Deadline) -> JsonObject:
        self.calls.append(call)
        return self._run(call)


def run(
    model: LanguageModel,
    tools: Toolbox | None = None,
    *,
    limit: int = 10,
    seconds: float = 5.0,
    **limits: int,
) -> Outcome:
    task = Task("be kind", [UserMessage("hello")], ShopperQuery("hello", "en"), "t1")
    return Agent(model=model, limits=LoopLimits(limit, **limits)).run(
        task, tools or Toolbox(), Deadline.after(seconds)
    )


def results(model: ScriptedModel) -> list[ToolResult]:
    return [m for m in model.requests[-1].messages if isinstance(m, ToolResult)]


def look(**arguments: object) -> tuple[str, Mapping[str, object]]:
    return "look", arguments


def put(**arguments: object) -> tuple[str, Mapping[str, object]]:
    return "put", arguments


def test_a_text_ends_the_loop():
    outcome = run(ScriptedModel([says("Done.")]))
    assert (outcome.text, outcome.finish, outcome.usage.calls) == ("Done.", "answered", 1)


def test_a_question_of_the_model_ends_as_clarify_with_its_choices():
    asked = ModelReply("Which one?", asks=True, choices=(Choice("A", "a"),))
    outcome = run(ScriptedModel([asked]))
    assert (outcome.finish, outcome.choices) == ("clarify", (Choice("A", "a"),))


def test_every_call_gets_its_result_in_call_order_with_a_unique_id():
    model = ScriptedModel([proposes(look(q=1), put(q=2), look(q=3)), says("ok")])
    run(model)
    [proposal] = [m for m in model.requests[-1].messages if isinstance(m, AssistantMessage)]
    ids = [call.id for call in proposal.tool_calls]
    assert len(set(ids)) == 3
    assert all(ids)
    assert [r.call_id for r in results(model)] == ids
    assert [r.name for r in results(model)] == ["look", "put", "look"]


def test_ids_that_a_provider_repeats_are_made_unique():
    twice = ModelReply(tool_calls=(ToolCall("x", "look", {"q": 1}),), finish="tool_calls")
    again = ModelReply(tool_calls=(ToolCall("x", "look", {"q": 2}),), finish="tool_calls")
    model = ScriptedModel([twice, again, says("ok")])
    run(model)
    ids = [r.call_id for r in results(model)]
    assert ids[0] == "x"
    assert ids[1] != "x"


def test_what_the_adapter_attached_to_a_reply_is_echoed_unchanged():
    opaque = object()
    call = ModelReply(tool_calls=(ToolCall("x", "look", {}),), opaque=opaque)
    model = ScriptedModel([call, says("ok")])
    run(model)
    [proposal] = [m for m in model.requests[-1].messages if isinstance(m, AssistantMessage)]
    assert proposal.opaque is opaque


def test_reads_of_one_step_run_side_by_side():
    both = threading.Barrier(2, timeout=2)

    def meet(call: ToolCall) -> JsonObject:
        both.wait()
        return {"q": call.arguments["q"]}

    model = ScriptedModel([proposes(look(q=1), look(q=2)), says("ok")])
    assert run(model, Toolbox(meet)).finish == "answered"
    assert [r.content for r in results(model)] == [{"q": 1}, {"q": 2}]


def test_writes_run_one_by_one_in_order_between_the_reads_round_them():
    order: list[tuple[str, object]] = []

    def note(call: ToolCall) -> JsonObject:
        order.append((call.name, call.arguments["q"]))
        return {"ok": True, "q": call.arguments["q"]}

    model = ScriptedModel([proposes(put(q=1), put(q=2), look(q=3), put(q=4)), says("ok")])
    run(model, Toolbox(note))
    assert order == [("put", 1), ("put", 2), ("look", 3), ("put", 4)]


@pytest.mark.parametrize("batch", [1, 3, 25])
def test_no_more_than_the_limit_of_calls_runs_however_they_are_batched(batch: int):
    numbers = iter(range(1000))
    model = ScriptedModel(lambda request: proposes(*(look(q=next(numbers)) for _ in range(batch))))
    tools = Toolbox()
    outcome = run(model, tools, limit=10)
    assert len(tools.calls) == 10
    assert (outcome.finish, outcome.text) == ("step_limit", "")
    assert outcome.usage.calls <= 11


def test_a_step_of_more_calls_than_are_left_is_carried_out_so_far_and_then_answered_without_tools():
    model = ScriptedModel(
        [proposes(put(q=1), put(q=2), put(q=3)), says("Two are in, the third is not.")]
    )
    tools = Toolbox()
    outcome = run(model, tools, limit=2)
    assert [call.arguments["q"] for call in tools.calls] == [1, 2]
    assert (outcome.text, outcome.finish) == ("Two are in, the third is not.", "step_limit")
    last_is_asked_without_calls(model)
    assert [r.content.get("ok") for r in results(model)] == [True, True, False]
    told = model.requests[-1].messages[-1]
    assert isinstance(told, UserMessage)
    assert "not run" in told.text


def test_a_last_answer_that_nobody_gives_ends_with_the_step_limit_all_the_same():
    many = proposes(look(q=1), look(q=2))
    outcome = run(ScriptedModel([many, LanguageModelError("overloaded", "x")]), limit=1)
    assert (outcome.text, outcome.finish, outcome.failure) == ("", "step_limit", None)
    outcome = run(ScriptedModel([many]), limit=1, tokens=1)
    assert outcome.finish == "step_limit"


def test_a_last_answer_that_is_refused_is_refused():
    many = proposes(look(q=1), look(q=2))
    outcome = run(ScriptedModel([many, ModelReply(finish="refused")]), limit=1)
    assert (outcome.text, outcome.finish) == ("", "refused")


def test_an_answer_after_exactly_the_limit_of_calls_is_an_answer():
    model = ScriptedModel([proposes(look(q=1), look(q=2)), says("There.")])
    outcome = run(model, limit=2)
    assert (outcome.text, outcome.finish) == ("There.", "answered")
    last_is_asked_without_calls(model)


def last_is_asked_without_calls(model: ScriptedModel) -> None:
    """The tools stay declared: a provider refuses a history of calls beside none."""
    assert [r.tool_choice for r in model.requests] == ["auto"] * (len(model.requests) - 1) + [
        "none"
    ]
    assert all(len(r.tools) == 2 for r in model.requests)


def test_a_repeated_read_is_not_run_again_and_twice_repeated_it_must_be_answered():
    again = proposes(look(q=1))
    model = ScriptedModel([again, again, again, says("There.")])
    tools = Toolbox()
    outcome = run(model, tools)
    assert outcome.text == "There."
    assert len(tools.calls) == 1
    assert all("note" in r.content for r in results(model)[1:])
    last_is_asked_without_calls(model)


def test_arguments_in_another_order_or_with_nulls_are_the_same_call():
    first, again = proposes(look(q=1, r="x")), proposes(look(r="x", q=1, s=None))
    model = ScriptedModel([first, again, says("There.")])
    tools = Toolbox()
    run(model, tools)
    assert len(tools.calls) == 1


def test_a_read_that_failed_may_be_asked_again():
    failed: JsonObject = {"ok": False, "error": {"code": "tool_unavailable"}}
    answers = iter([failed, {"n": 1}])
    model = ScriptedModel([proposes(look(q=1)), proposes(look(q=1)), says("There.")])
    run(model, Toolbox(lambda call: next(answers)))
    assert [r.content for r in results(model)] == [failed, {"n": 1}]
    assert model.requests[-1].tool_choice == "auto"


def test_a_model_that_never_stops_repeating_ends_with_the_step_limit():
    model = ScriptedModel(lambda request: proposes(look(q=1)))
    tools = Toolbox()
    outcome = run(model, tools)
    assert (outcome.finish, len(tools.calls), outcome.usage.calls) == ("step_limit", 1, 4)


def test_a_read_after_a_write_is_a_new_question():
    model = ScriptedModel(
        [proposes(look(q=1)), proposes(put(q=1)), proposes(look(q=1)), says("ok")]
    )
    tools = Toolbox()
    run(model, tools)
    assert [c.name for c in tools.calls] == ["look", "put", "look"]


def test_a_write_that_succeeded_is_not_made_twice():
    model = ScriptedModel([proposes(put(q=1)), proposes(put(q=1)), says("ok")])
    tools = Toolbox()
    run(model, tools)
    assert len(tools.calls) == 1
    assert "note" in results(model)[1].content


def test_two_identical_writes_in_one_step_count_once():
    model = ScriptedModel([proposes(put(q=1), put(q=1)), says("ok")])
    tools = Toolbox()
    run(model, tools)
    assert len(tools.calls) == 1


def test_a_refused_write_may_be_tried_again_and_then_the_model_must_answer():
    refused: JsonObject = {"ok": False, "error": {"code": "out_of_stock"}}
    model = ScriptedModel([*[proposes(put(q=1))] * 3, says("Sorry.")])
    tools = Toolbox(lambda call: refused)
    assert run(model, tools).text == "Sorry."
    assert len(tools.calls) == 3
    last_is_asked_without_calls(model)


def test_an_empty_reply_is_asked_once_more_and_then_given_up():
    outcome = run(ScriptedModel([says(""), says("Here I am.")]))
    assert (outcome.text, outcome.finish) == ("Here I am.", "answered")
    outcome = run(ScriptedModel([says(""), says(" ")]))
    assert (outcome.text, outcome.finish) == ("", "provider_unavailable")


@pytest.mark.parametrize(
    "markup",
    [
        '<function=look>{"q": 1}</function>',
        '<tool_call>{"name": "look"}</tool_call>',
        "<xai:function_call name='look'>",
        "Malformed function call: look(q=1)",
    ],
)
def test_markup_of_a_call_is_never_an_answer(markup: str):
    assert run(ScriptedModel([says(markup), says("Clean.")])).text == "Clean."


def test_a_refusal_of_the_provider_ends_as_refused():
    assert run(ScriptedModel([ModelReply(finish="refused")])).finish == "refused"
    error = LanguageModelError("content_refused", "blocked")
    assert run(ScriptedModel([error])).finish == "refused"


def test_a_failing_provider_keeps_what_was_used_before():
    model = ScriptedModel([proposes(look(q=1)), LanguageModelError("overloaded", "busy")])
    outcome = run(model)
    assert (outcome.finish, outcome.text, outcome.usage.calls) == ("provider_unavailable", "", 1)


def test_a_model_that_ignores_its_deadline_is_left_behind_in_time():
    started = time.monotonic()
    outcome = run(ScriptedModel([Hang(30.0, "too late")]), seconds=0.3)
    assert (outcome.finish, outcome.text) == ("deadline", "")
    assert time.monotonic() - started < 1.0


def test_a_read_that_hangs_is_an_observation_and_ends_the_turn_in_time():
    def hang(call: ToolCall) -> JsonObject:
        threading.Event().wait(30.0)
        return {}

    started = time.monotonic()
    outcome = run(ScriptedModel([proposes(look(q=1))]), Toolbox(hang), seconds=0.3)
    assert outcome.finish == "deadline"
    assert time.monotonic() - started < 1.0


def test_no_tool_runs_after_the_deadline():
    def slow(call: ToolCall) -> JsonObject:
        time.sleep(0.25)
        return {"ok": True}

    tools = Toolbox(slow)
    model = ScriptedModel([proposes(put(q=1), put(q=2), put(q=3))])
    assert run(model, tools, seconds=0.3).finish == "deadline"
    assert [c.arguments["q"] for c in tools.calls] == [1, 2]


def test_redis_going_down_in_a_tool_is_not_an_observation():
    def down(call: ToolCall) -> JsonObject:
        raise StateUnavailableError("down")

    for call in (look(q=1), put(q=1)):
        with pytest.raises(StateUnavailableError):
            run(ScriptedModel([proposes(call)]), Toolbox(down))


# --- budgets ----------------------------------------------------------------------------------------


def used(tokens: int, micros: int | None, model: str = "m", text: str = "") -> ModelReply:
    """A reply that looks at something new, or says `text`, for so many tokens and so much money."""
    usage = TokenUsage(1, tokens, 0)
    calls = () if text else (ToolCall("", "look", {"q": next(_NUMBERS)}),)
    spent = (ModelUsage("p", model, usage, micros),)
    return ModelReply(text, calls, usage=usage, provider="p", model=model, spent=spent)


_NUMBERS = count()


@pytest.mark.parametrize(("tokens", "calls"), [(0, 4), (1_000, 1), (1_001, 2), (2_500, 3)])
def test_no_further_call_is_begun_once_the_tokens_are_used(tokens: int, calls: int):
    model = ScriptedModel([used(1_000, None)] * 3 + [says("done")])
    outcome = run(model, tokens=tokens)
    assert len(model.requests) == calls
    assert outcome.finish == ("answered" if calls == 4 else "step_limit")


@pytest.mark.parametrize(("micros", "calls"), [(0, 3), (400, 1), (401, 2), (10_000, 3)])
def test_no_further_call_is_begun_once_the_money_is_spent(micros: int, calls: int):
    model = ScriptedModel([used(1, 400), used(1, 400), says("done")])
    assert len(model.requests) == 0
    run(model, micros=micros)
    assert len(model.requests) == calls


def test_what_was_spent_is_summed_by_provider_and_model_with_the_failed_attempts():
    failed = ModelUsage("q", "n", TokenUsage(1, 7, 0), 3)
    first, second = used(10, 5), used(20, 6)
    second = replace(second, spent=(failed, *second.spent))
    model = ScriptedModel([first, second, used(30, None, "other", text="done")])
    outcome = run(model)
    assert outcome.spent == (
        ModelUsage("p", "m", TokenUsage(2, 30, 0), 11),
        failed,
        ModelUsage("p", "other", TokenUsage(1, 30, 0), None),
    )
    assert outcome.usage == TokenUsage(4, 67, 0)
    assert outcome.model == "other"


def test_a_failure_that_was_billed_is_counted():
    error = LanguageModelError("malformed", "x", input_tokens=100, output_tokens=5)
    outcome = run(ScriptedModel([error]))
    assert outcome.failure is error
    assert outcome.usage == TokenUsage(1, 100, 5)
    assert outcome.spent == (ModelUsage("scripted", "scripted", TokenUsage(1, 100, 5)),)


def test_no_further_call_is_begun_with_too_little_time():
    def slow(call: ToolCall) -> JsonObject:
        time.sleep(1.9)
        return {"ok": True}

    model = ScriptedModel([proposes(put(q=1)), says("Too late to begin.")])
    assert run(model, Toolbox(slow), seconds=2.0).finish == "deadline"
    assert len(model.requests) == 1


# --- faults of calls --------------------------------------------------------------------------------


def test_steps_without_one_call_that_can_be_run_are_bounded():
    error: JsonObject = {"ok": False, "error": {"code": "invalid_arguments", "message": "x"}}
    numbers = iter(range(100))
    model = ScriptedModel(lambda r: proposes(look(q=next(numbers))))
    outcome = run(model, Toolbox(lambda call: error))
    assert (outcome.finish, len(model.requests)) == ("step_limit", 4)
    last_is_asked_without_calls(model)


def test_a_step_with_one_good_call_begins_the_count_of_faulty_steps_again():
    error: JsonObject = {"ok": False, "error": {"code": "unknown_tool", "message": "x"}}
    answers = iter([error, error, {"n": 1}, error, error, {"n": 2}])
    script = [proposes(look(q=n)) for n in range(6)]
    model = ScriptedModel([*script, says("There.")])
    assert run(model, Toolbox(lambda call: next(answers))).text == "There."
    assert {r.tool_choice for r in model.requests} == {"auto"}


def test_a_call_without_a_name_is_answered_under_one_and_the_providers_record_is_dropped():
    nameless = ModelReply(tool_calls=(ToolCall("x", " ", {"a": 1}),), opaque=("p", object()))
    model = ScriptedModel([nameless, says("ok")])
    tools = Toolbox()
    run(model, tools)
    [call] = tools.calls
    assert call.fault
    [proposal] = [m for m in model.requests[-1].messages if isinstance(m, AssistantMessage)]
    assert (proposal.opaque, proposal.tool_calls[0].name) == (None, "unnamed")
    assert results(model)[0].name == "unnamed"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("default_api.look", "look"),
        ("default_api:look", "look"),
        (" functions.look ", "look"),
        ("repo_browser.open_file", "repo_browser_open_file"),
        ("x" * 300, "x" * 64),
    ],
)
def test_names_are_kept_as_every_provider_takes_them(said: str, name: str):
    model = ScriptedModel([proposes((said, {})), says("ok")])
    tools = Toolbox()
    run(model, tools)
    assert [c.name for c in tools.calls] == [name]
    assert results(model)[0].name == name


def test_a_result_that_is_too_long_reaches_the_model_shortened():
    model = ScriptedModel([proposes(look(q=1)), says("ok")])
    run(model, Toolbox(lambda call: {"products": ["oud"] * 100_000}))
    assert len(str(results(model)[0].content)) < 8_000


# --- one turn, several providers ------------------------------------------------------------------


class Relay:
    """Each call goes to the next of the models, as after a fail-over in the middle of a turn."""

    def __init__(self, *models: ScriptedModel) -> None:
        self.name = self.model = "relay"
        self._models = iter(models)

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        return next(self._models).complete(request, deadline)


def test_another_provider_goes_on_with_every_call_and_result_in_order():
    mark = ("first", object())
    step = replace(proposes(look(q=1), put(q=2), text="Looking."), opaque=mark)
    first = ScriptedModel([step], name="first")
    second = ScriptedModel([proposes(look(q=3), put(q=4))], name="second")
    third = ScriptedModel([says("Done.")], name="third")
    tools = Toolbox(lambda call: {"ok": True, "q": call.arguments["q"]})
    outcome = run(Relay(first, second, third), tools)
    assert outcome.text == "Done."
    [request] = third.requests
    assert request.messages == outcome.messages[:-1]
    shape = [
        [c.arguments["q"] for c in m.tool_calls]
        if isinstance(m, AssistantMessage)
        else m.content["q"]
        if isinstance(m, ToolResult)
        else m.text
        for m in request.messages
    ]
    assert shape == ["hello", [1, 2], 1, 2, [3, 4], 3, 4]
    proposals = [m for m in request.messages if isinstance(m, AssistantMessage)]
    assert [p.opaque for p in proposals] == [mark, None]
    ids = [c.id for p in proposals for c in p.tool_calls]
    assert ids == [m.call_id for m in request.messages if isinstance(m, ToolResult)]
    assert len(set(ids)) == 4
    assert [u.provider for u in outcome.spent] == ["first", "second", "third"]
    assert [r.step for m in (first, second, third) for r in m.requests] == [1, 2, 3]
    assert request.turn_id == "t1"


@pytest.fixture
def log() -> Iterator[Callable[[], list[Mapping[str, Any]]]]:
    """What the structured logger has written."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(LambdaPowertoolsFormatter())
    underlying = logging.getLogger("shopping-agent")
    underlying.addHandler(handler)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    underlying.removeHandler(handler)


def test_every_step_is_one_line_of_the_log_with_the_keys_of_arguments_only(log):
    failed: JsonObject = {"ok": False, "error": {"code": "out_of_stock", "message": "x"}}
    model = ScriptedModel([proposes(put(q="secret")), LanguageModelError("overloaded", "x")])
    run(model, Toolbox(lambda call: failed))
    lines = [line for line in log() if line["message"] == "step"]
    assert [(x["turn"], x["step"], x["kind"], x["ok"]) for x in lines] == [
        ("t1", 1, "model", True),
        ("t1", 1, "tool", False),
        ("t1", 2, "model", False),
    ]
    assert lines[0]["provider"] == lines[0]["answered"] == "scripted"
    assert (lines[1]["tool"], lines[1]["argument_keys"], lines[1]["error"]) == (
        "put",
        ["q"],
        "out_of_stock",
    )
    assert lines[2]["error"] == "overloaded"
    assert "secret" not in str(lines)


def test_a_tool_that_was_never_declared_is_not_logged_as_the_model_wrote_it(log):
    run(ScriptedModel([proposes(("call +212 600 000 000", {}), look(q=1)), says("ok")]))
    assert [x["tool"] for x in log() if x.get("kind") == "tool"] == ["unknown", "look"]
    assert "212" not in str([x for x in log() if x["message"] == "step"])


def test_a_step_names_the_model_that_was_asked_at_the_provider_that_answered(log):
    reply = ModelReply("ok", provider="xai", model="grok-4.3-0901", asked="grok-4.3")
    run(ScriptedModel([reply]))
    [line] = [x for x in log() if x["message"] == "step"]
    assert (line["provider"], line["model"], line["answered"]) == (
        "xai",
        "grok-4.3",
        "grok-4.3-0901",
    )
