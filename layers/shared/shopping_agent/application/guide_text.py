"""Markdown of a guide as sections of plain text: what may be quoted to a shopper, each with the heading it is cited by."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

MAX_HEADING: Final = 200
_FRONT_MATTER_LINES: Final = 100
_INDENT: Final = re.compile(r" {0,3}")
_HEADING: Final = re.compile(r"(#{1,6})\s+(\S.*?)(?:\s+#+)?\s*$")
_FENCE: Final = re.compile(r"(`{3,}|~{3,})")
_TITLE: Final = re.compile(r"title\s*:\s*(.*)", re.IGNORECASE)
_RULE: Final = re.compile(r"(?:-\s*){3,}$|(?:\*\s*){3,}$|(?:_\s*){3,}$")
_UNDERLINE: Final = re.compile(r"=+\s*$|-{2,}\s*$")
_DELIMITER: Final = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_CELL: Final = re.compile(r"(?<!\\)\|")
_QUOTE: Final = re.compile(r"(?:>\s?)+")
_BULLET: Final = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s")
_EMPHASIS: Final = re.compile(r"(\*\*|__|`)(?=\S)(.{1,400}?)(?<=\S)\1")
_LINK: Final = re.compile(
    r"(!?)\[([^\[\]]{0,400})\]\(([^()\s]{1,2000})(?:\s+\"[^\"()]{0,400}\")?\)"
)
_BLANK_LINES: Final = re.compile(r"\n{3,}")
_ESCAPED: Final = re.compile(r"\\([\\`*_{}\[\]()#+.!|>~-])")


class Section(NamedTuple):
    """A section: `parts` are its own text and that of each heading below it, with that heading."""

    heading: str
    parts: tuple[tuple[str, str], ...]


class _Line(NamedTuple):
    """A line: `level` is 0 for text; what is `fenced` is no Markdown."""

    text: str
    level: int = 0
    fenced: bool = False


def sections(text: str) -> Iterator[Section]:
    """The sections of a guide; what stands before the first one has the title as its heading."""
    title, lines = _without_front_matter(_without_comments(text).splitlines())
    read = list(_tables(_headings(lines)))
    split_at = _split_level([line.level for line in read if line.level])
    heading, below, body = title, "", list[str]()
    parts = list[tuple[str, str]]()
    for line in read:
        if not line.level:
            body.append(line.text if line.fenced else plain(line.text))
            continue
        parts.append((below, _joined(body)))
        body = []
        if line.level <= split_at:
            yield Section(heading, _filled(parts))
            heading, below, parts = line.text[:MAX_HEADING], "", []
        else:
            below = line.text[:MAX_HEADING]
    parts.append((below, _joined(body)))
    yield Section(heading, _filled(parts))


def plain(line: str) -> str:
    """Markdown of one line (emphasis, links, pictures, escapes, quotation marks) as plain text."""
    line = _QUOTE.sub("", line, count=1) if line.lstrip().startswith(">") else line
    line = _LINK.sub(_named, _EMPHASIS.sub(r"\2", line))
    return _ESCAPED.sub(r"\1", line).rstrip()


def _joined(lines: Sequence[str]) -> str:
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()


def _named(link: re.Match[str]) -> str:
    picture, words, address = link.groups()
    return words if picture or words == address else f"{words} ({address})"


def _filled(parts: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((below, body) for below, body in parts if below or body)


def _split_level(levels: Sequence[int]) -> int:
    """Down to which level headings begin sections: title and sections, whichever levels the writer took for them."""
    if not levels:
        return 1
    first = min(levels)
    title_alone = levels[0] == 1 and levels.count(1) == 1
    below = [level for level in levels if level > first]
    return max(2, min(below)) if title_alone and below else max(2, first)


def _without_comments(text: str) -> str:
    """Without HTML comments; one that is not closed is text."""
    kept, start = list[str](), 0
    while (begin := text.find("<!--", start)) >= 0:
        end = text.find("-->", begin + 4)
        if end < 0:
            break
        kept.append(text[start:begin])
        start = end + 3
    return "".join(kept) + text[start:]


def _without_front_matter(lines: list[str]) -> tuple[str, list[str]]:
    """(title, the rest) of lines that may begin with `---`, settings, `---`."""
    if not lines or lines[0].strip() != "---":
        return "", lines
    for number, line in enumerate(lines[1:_FRONT_MATTER_LINES], start=1):
        if line.strip() in ("---", "..."):
            named = (_TITLE.match(setting) for setting in lines[1:number])
            title = next((found.group(1).strip("'\" ") for found in named if found), "")
            return title[:MAX_HEADING], lines[number + 1 :]
    return "", lines


def _headings(lines: Sequence[str]) -> Iterator[_Line]:
    """Headings with their level, text as it is; what is fenced is text, whatever it looks like."""
    fence = ""
    for number, line in enumerate(lines):
        bare = line[_INDENT.match(line).end() :]  # pyright: ignore[reportOptionalMemberAccess]
        opening = _FENCE.match(bare)
        if fence:
            if opening and opening.group(1).startswith(fence) and bare.strip() == opening.group(1):
                fence = ""
            else:
                yield _Line(line.rstrip(), fenced=True)
        elif opening:
            fence = opening.group(1)
        elif found := _HEADING.match(bare):
            yield _Line(plain(found.group(2)), len(found.group(1)))
        elif _is_underline(lines, number):
            continue
        elif number + 1 < len(lines) and _is_underline(lines, number + 1):
            yield _Line(plain(bare.strip()), 1 if lines[number + 1].lstrip().startswith("=") else 2)
        elif not _RULE.match(bare):
            yield _Line(line.rstrip())


def _is_underline(lines: Sequence[str], number: int) -> bool:
    """Whether a line makes a heading of the one above it: a single line of text between others that are not."""
    if number == 0 or not _UNDERLINE.fullmatch(lines[number].strip() or " "):
        return False
    above = lines[number - 1].strip()
    before = lines[number - 2].strip() if number > 1 else ""
    return bool(above) and not before and not _is_marked(above)


def _is_marked(line: str) -> bool:
    """Whether a line begins something other than a paragraph."""
    return line.startswith(("#", ">", "|", "```", "~~~")) or bool(_BULLET.match(line))


def _tables(lines: Iterator[_Line]) -> Iterator[_Line]:
    """Each row of a table as a line of its own that names its columns: it is understood wherever it is cut."""
    above: _Line | None = None
    columns: list[str] | None = None
    for line in lines:
        if columns is not None and _may_be_row(line):
            yield _Line(_row(columns, _cells(line.text)))
            continue
        columns = None
        if above and _begins_table(above, line):
            columns, above = _cells(above.text), None
            continue
        if above:
            yield above
        above = line
    if above:
        yield above


def _begins_table(head: _Line, line: _Line) -> bool:
    if not _may_be_row(head) or not _may_be_row(line) or not _DELIMITER.match(line.text):
        return False
    return len(_cells(head.text)) == len(_cells(line.text))


def _may_be_row(line: _Line) -> bool:
    return not line.level and not line.fenced and "|" in line.text


def _cells(row: str) -> list[str]:
    inner = row.strip()
    inner = inner.removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [cell.strip() for cell in _CELL.split(inner)]


def _row(columns: Sequence[str], cells: Sequence[str]) -> str:
    named = zip(columns, cells, strict=False)
    told = "; ".join(f"{column}: {cell}" if column else cell for column, cell in named if cell)
    return f"{told}." if told else ""
