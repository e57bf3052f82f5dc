"""The last part of a turn: check the text against the facts, choose cards and chips, and say what to remember."""

import re
from collections.abc import Sequence
from dataclasses import replace

from shopping_agent.application.cards import (
    choices_of,
    products_of,
    refused_with_question,
    remembered,
    with_undo,
)
from shopping_agent.application.checking import Checking
from shopping_agent.application.observations import Observations
from shopping_agent.application.summary import Summary
from shopping_agent.application.turn import CartAction, Outcome, Turn
from shopping_agent.application.work import Draft, Work
from shopping_agent.domain.conversation import Choice, Conversation, JsonObject
from shopping_agent.domain.intent import Finish
from shopping_agent.domain.store import Contacts, StorePack
from shopping_agent.observability import count, logger


class Closing:
    """Turns a draft into what the shopper sees and the session keeps."""

    def __init__(self, *, pack: StorePack, checking: Checking) -> None:
        self._pack = pack
        self._checking = checking

    def close(self, work: Work, draft: Draft) -> tuple[Turn, Conversation]:
        """The turn, and the conversation after it."""
        context, observed = work.context, work.observed
        finish = _finish(work, draft)
        outcome = replace(draft.outcome, finish=finish)
        answer = self._with_checkout(work, self._answer(work, draft, finish))
        choices = self._choices(work, outcome)
        products = products_of(answer, choices, observed, asked=finish == "clarify")
        with_undo(observed)
        questions = _questions(observed, outcome, draft)
        conversation = remembered(
            answer,
            outcome=outcome,
            products=products,
            choices=choices,
            context=context,
            observed=observed,
            asked=tuple(str(question["key"]) for question in questions),
        )
        turn = Turn(
            answer=answer,
            intent=context.understanding.intent,
            route=context.understanding.route,
            language=context.language,
            cart=observed.cart,
            products=products,
            choices=choices,
            suggestions=draft.suggestions or _chips(questions, observed),
            reasons=dict(observed.counsel.reasons) if observed.counsel else {},
            actions=(
                *observed.actions,
                *_checkout(observed),
                *_contacts(answer, self._pack.contacts),
            ),
            sources=draft.sources,
            finish=finish,
            usage=outcome.usage,
            model=outcome.model,
            unanswered=draft.unanswered or self._says_unknown(work, answer),
            spent=outcome.spent,
            messages=outcome.messages,
            heard=outcome.heard,
        )
        return turn, conversation

    def _answer(self, work: Work, draft: Draft, finish: Finish) -> str:
        """The model's text when it holds, else one built from the facts."""
        summary = Summary(self._pack, work.context, work.observed)
        if finish == "refused":
            # What was done before the refusal is done.
            return summary.answer() if work.observed.actions else summary.refused()
        if draft.fixed:
            return draft.outcome.text
        if not draft.outcome.text:
            count("AnswersFromFacts")
            return summary.answer(finish)
        text = self._checked(work, draft.outcome)
        if not text:  # how the turn ended stays true
            return summary.answer("step_limit" if finish == "step_limit" else "answered")
        return f"{text}\n{summary.sources(draft.sources)}" if draft.sources else text

    def _checked(self, work: Work, outcome: Outcome) -> str:
        """Of the model's text what holds; "" when that is too little to answer with."""
        verdict = self._checking.verdict(work, outcome.text)
        if not verdict.faults and verdict.text.strip():
            work.checked = "repaired" if outcome.sent_back else "sound"
            count("RepliesRepaired" if outcome.sent_back else "RepliesSound")
            return verdict.text
        work.checked = "cut" if verdict.kept else "replaced"
        became = "SentencesRemoved" if verdict.kept else "RepliesReplaced"
        count(became)
        faults = list(verdict.faults)
        logger.warning("reply corrected", turn=work.context.turn_id, became=became, faults=faults)
        return verdict.kept

    def _says_unknown(self, work: Work, answer: str) -> bool:
        """Whether the answer is our own "I don't know", which a model may give too."""
        phrases, language = self._pack.phrases, work.context.language
        if phrases.say(language, "turn.dont_know") in answer:
            return True
        around = phrases.say(language, "found.not_sold", name="\n").split("\n")
        return all(part in answer for part in around)

    def _with_checkout(self, work: Work, answer: str) -> str:
        """The answer with where the checkout is, said by us: a model has not seen the link."""
        if work.observed.checkout is None:
            return answer
        ready = self._pack.phrases.say(work.context.language, "turn.checkout_ready")
        return answer if ready in answer else f"{answer}\n{ready}"

    def _choices(self, work: Work, outcome: Outcome) -> tuple[Choice, ...]:
        choices = choices_of(outcome, work.observed)
        refusal = work.observed.refusal or {}
        if outcome.choices or refusal.get("code") != "over_budget_confirm":
            return choices
        label = self._pack.phrases.say(work.context.language, "turn.choice.add_anyway")
        return tuple(replace(choice, label=label) for choice in choices)


def _questions(observed: Observations, outcome: Outcome, draft: Draft) -> Sequence[JsonObject]:
    """What is asked beside products that are shown: never before a change of the cart, nor after one."""
    if observed.counsel is None or observed.actions or outcome.asks or draft.fixed:
        return ()
    return observed.counsel.questions if outcome.finish == "answered" else ()


def _chips(questions: Sequence[JsonObject], observed: Observations) -> tuple[str, ...]:
    """The answers to what is asked, and what lets us remember what was said of the shopper's health."""
    labels = dict.fromkeys(str(a["label"]) for q in questions for a in q["answers"])
    remember = observed.counsel.remember if observed.counsel and not observed.actions else ""
    return (*labels, remember) if remember else tuple(labels)


def _checkout(observed: Observations) -> tuple[CartAction, ...]:
    link = observed.checkout
    if link is None:
        return ()
    return (CartAction("checkout", url=link.url, expires_at=link.expires_at),)


def _contacts(answer: str, contacts: Contacts) -> tuple[CartAction, ...]:
    """Links to those ways to a person that the answer names."""
    links = (
        (contacts.whatsapp, contacts.whatsapp),
        (contacts.phone, f"tel:{re.sub(r'[^0-9+]', '', contacts.phone)}"),
        (contacts.email, f"mailto:{contacts.email}"),
    )
    return tuple(CartAction("contact", url=url) for text, url in links if text and text in answer)


def _finish(work: Work, draft: Draft) -> Finish:
    """A turn that ends with our question before a write is a clarification, whoever worded it."""
    if draft.outcome.finish == "answered" and refused_with_question(work.observed):
        return "clarify"
    return draft.outcome.finish
