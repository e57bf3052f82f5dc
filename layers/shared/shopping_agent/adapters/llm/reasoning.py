"""A model's reasoning inside its text, in the tags and channels of many model families: taken out."""

import re
from typing import Final

from shopping_agent.domain.patterns import late

_THOUGHT: Final = (
    r"(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad)"
)
_THOUGHTS: Final = late(rf"<({_THOUGHT})(?:\s[^<>]*)?>.*?(?:</\1\s*>|\Z)", re.I | re.S)
_ENDED_THOUGHT: Final = late(rf"\A.*</{_THOUGHT}\s*>", re.I | re.S)
_OTHER_THOUGHTS: Final = (
    (
        late(r"\[THINK\].*?(?:\[/THINK\]|\Z)", re.I | re.S),
        late(r"\A.*\[/THINK\]", re.I | re.S),
    ),
    (late(r"◁think▷.*?(?:◁/think▷|\Z)", re.S), late(r"\A.*◁/think▷", re.S)),
)
_CHANNEL: Final = late(
    r"(?:<\|start\|>\s*\w+\s*)?<\|channel\|>\s*(\w+)[^<]*(?:<\|constrain\|>[^<]*)?(?:<\|message\|>)?"
)
_CHANNEL_END: Final = late(r"<\|(?:end|return|call)\|>")
# Channels whose tokens were lost on the way.
_BARE_CHANNELS: Final = late(r"\A\s*(?:analysis|commentary).*?assistantfinal(?![a-z])", re.S)


def spoken_text(text: str) -> str:
    """The text without the model's reasoning; a call that it only thought about is none."""
    text = _final_channel(text)
    text = _ENDED_THOUGHT().sub("", _THOUGHTS().sub("", text))
    for whole, ended in _OTHER_THOUGHTS:
        text = ended().sub("", whole().sub("", text))
    return text


def _final_channel(text: str) -> str:
    """Of a text in channels, what comes before them, the final one and calls; else the text."""
    text = _BARE_CHANNELS().sub("", text)
    starts = list(_CHANNEL().finditer(text))
    if not starts:
        return text
    kept = [text[: starts[0].start()]]
    for start, after in zip(starts, [*starts[1:], None], strict=True):
        until = after.start() if after else len(text)
        end = _CHANNEL_END().search(text, start.end(), until)
        content = text[start.end() : end.start() if end else until]
        if "to=" in start.group(0):
            kept.append(text[text.index("<|channel|>", start.start()) : until])
        elif start.group(1).lower() == "final":
            kept.append(content)
    return "".join(kept)
