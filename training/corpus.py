"""Training messages: read from JSON lines, varied (slips, spellings, names), and turned into the signals of the package."""

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

from shopping_agent.domain.intent import Intent
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.understanding import intents, understand
from shopping_agent.domain.understanding.actions import Acts
from shopping_agent.domain.understanding.classifier import INTENTS
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.understanding.signals import Signals, signals
from shopping_agent.domain.vocabulary import Vocabulary

ROOT = Path(__file__).resolve().parent
PACK = ROOT.parent / "layers/shared/shopping_agent/store_pack/vocabulary.json"
# Names that stand in for those of the messages, known to the store or not.
_NAMES = (
    "Amber Road", "Bleu Majorelle", "Cèdre Royal", "Dar Lila", "Encens 9", "Fleur Rare", "Hiba", "Iris Sauvage",
    "Jasmin Nocturne", "Kasbah", "Luna Rossa", "Mirage", "Noor Intense", "Opale", "Perle Noire", "Rituel", "Sirocco",
    "Tabac Blond", "Ultra Marine", "Vanille Absolue", "White Linen", "Ylang Extrême", "Zeste", "Le Premier Soir",
    "Medina Gold", "Ocean Drive", "Black Saffron", "Terre d'Ocre", "Sahar", "Nejma",
)  # fmt: skip
_OPENINGS = {
    "en": ("hi, ", "hello ", "hey ", "ok ", "so ", "please, ", "well "),
    "fr": ("bonjour, ", "salut ", "svp ", "bon ", "alors ", "ok ", "dites, "),
    "ary-latn": ("salam, ", "slm ", "afak ", "khouya ", "wakha ", "ok ", "aji "),
    "ary": ("السلام، ", "سلام ", "عافاك ", "خويا ", "واخا "),
    "ar": ("مرحبا، ", "السلام عليكم، ", "من فضلك ", "حسنا "),
}
_ENDINGS = {
    "en": (" please", " pls", " thanks", " thank you", " :)", "!!", "..."),
    "fr": (" svp", " stp", " merci", " s'il vous plaît", " :)", "!!", "..."),
    "ary-latn": (" 3afak", " afak", " 3afakom", " svp", " chokran", "..."),
    "ary": (" عافاك", " عفاك", " الله يحفظك", "..."),
    "ar": (" من فضلك", " لو سمحت", " شكرا", "..."),
}
_SPELLINGS = (
    ("3", "a"), ("3", "e"), ("7", "h"), ("h", "7"), ("9", "k"), ("9", "q"), ("q", "9"), ("kh", "5"), ("kh", "x"),
    ("gh", "8"), ("ch", "sh"), ("ch", "x"), ("ou", "o"), ("ou", "u"), ("o", "ou"), ("w", "ou"), ("i", "e"), ("e", "i"),
    ("a", "e"), ("y", "i"), ("dyal", "d"), ("wach", "wesh"), ("bghit", "bghyt"), ("chno", "chnou"), ("chnou", "ach"),
    ("ch7al", "chhal"), ("3afak", "afak"), ("kay", "tay"), ("kan", "tan"), ("kat", "tat"),
)  # fmt: skip
_LETTERS = {"ar": "ابتدرسلمنيو", "ary": "ابتدرسلمنيو"}
_LONG_ENOUGH = 4  # letters of a word that a slip leaves readable


@dataclass(frozen=True)
class Message:
    """One labelled message.

    Attributes:
        previous, pending: the conversation before it: the intent of the last turn, and whether we asked something.
        names: product names in it that the store knows.
        hand: who wrote it, in which style; whole hands are kept apart for calibration.
    """

    text: str
    language: str
    intent: Intent
    hand: str
    previous: Intent | None = None
    pending: bool = False
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Heard:
    """A message as the classifier gets it.

    Attributes:
        scores: what the rules give each intent.
        courteous: a greeting or thanks and nothing else, which needs no classifier.
        free: no rule forbids to answer it without tools.
    """

    signals: Signals
    scores: Mapping[Intent, float]
    courteous: bool
    free: bool


def read_messages(folder: Path, pattern: str = "*.jsonl") -> list[Message]:
    """Every message of the JSON lines of a folder, as training lines or as lines of a labelled test set."""
    return [
        _message(json.loads(line), path.stem)
        for path in sorted(folder.glob(pattern))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line
    ]


def _message(row: dict, file: str) -> Message:
    if "label" in row:  # a test set: {id, text, lang, label}, the half of the set behind the id
        half = row["id"].rpartition("-")[2]
        hand = f"{file}-{half}" if half in ("a", "b") else file
        return Message(row["text"], row["lang"], row["label"], hand)
    context = row.get("context", {})
    return Message(
        row["text"],
        row["language"],
        row["intent"],
        row["hand"],
        context.get("previous"),
        bool(context.get("pending")),
        tuple(row.get("names", ())),
    )


def varied(message: Message, copies: int, chance: random.Random) -> Iterator[Message]:
    """Copies as other shoppers would type them. The words stay: what is learned is wording, not templates."""
    for _ in range(copies):
        copy = _other_names(message, chance)
        text = copy.text
        if chance.random() < 0.35:
            text = chance.choice(_OPENINGS[copy.language]) + text
        if chance.random() < 0.3:
            text = text.rstrip("?!. ") + chance.choice(_ENDINGS[copy.language])
        if chance.random() < 0.35:
            text = re.sub(r"[?؟]", "", text)
        if chance.random() < 0.2:
            text = re.sub(r"[,.;:'’-]", " ", text)
        if copy.language == "ary-latn":
            for _ in range(chance.randrange(4)):
                one, other = chance.choice(_SPELLINGS)
                text = text.replace(one, other, chance.randint(1, 2))
        for _ in range(chance.choice((0, 0, 1, 1, 2))):
            text = _slip(text, copy, chance)
        if copy.previous is None and chance.random() < 0.6:
            copy = replace(copy, previous=chance.choice(INTENTS))
        yield replace(copy, text=text)


def _other_names(message: Message, chance: random.Random) -> Message:
    """Other names in the place of those of the message; some the store does not know."""
    text = message.text
    known: list[str] = []
    for name in message.names:
        other = chance.choice(_NAMES) if chance.random() < 0.7 else name
        if chance.random() < 0.3:
            other = other.lower()
        text = text.replace(name, other)
        if chance.random() < 0.6:
            known.append(other)
    return replace(message, text=text, names=tuple(known))


def _slip(text: str, message: Message, chance: random.Random) -> str:
    """One slip of the finger in one word that is no name."""
    named = " ".join(message.names).split()
    words = text.split(" ")
    longer = [
        i
        for i, word in enumerate(words)
        if len(word) >= _LONG_ENOUGH and word.isalpha() and word not in named
    ]
    if not longer:
        return text
    index = chance.choice(longer)
    word = words[index]
    at = chance.randrange(1, len(word) - 1)
    kind = chance.randrange(4)
    if kind == 0:
        word = word[:at] + word[at + 1 :]
    elif kind == 1:
        word = word[:at] + word[at] + word[at:]
    elif kind == 2:
        word = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    else:
        letters = _LETTERS.get(message.language, "aeiosrtnl")
        word = word[:at] + chance.choice(letters) + word[at + 1 :]
    words[index] = word
    return " ".join(words)


def hear(messages: Sequence[Message]) -> list[Heard]:
    """What `understand` hands to the intent decision, for each message."""
    vocabulary = Vocabulary.from_document(json.loads(PACK.read_text(encoding="utf-8")))
    heard: list[Heard] = []

    def record(
        reading: Reading,
        query: ShopperQuery,
        done: Acts,
        *,
        previous: Intent | None,
        pending: bool,
    ) -> tuple[Intent, str, float]:
        scores = intents.rule_scores(reading, query, done, previous=previous, pending=pending)
        seen = signals(reading, query, done, scores, previous=previous, pending=pending)
        courteous = not pending and intents.is_courtesy(reading)
        free = intents.is_free_of_acts(reading, query, pending=pending)
        heard.append(Heard(seen, scores, courteous, free))
        return "general", "agent", 1.0

    # `classify` is where the reading of a message ends up: recorded here instead of decided.
    with patch(f"{understand.__module__}.classify", record):
        for message in messages:
            understand(
                message.text,
                vocabulary=vocabulary,
                currency="MAD",
                names=message.names,
                previous_intent=message.previous,
                pending=message.pending,
            )
    return heard
