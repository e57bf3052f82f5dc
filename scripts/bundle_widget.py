"""Joins the widget's modules into the one script that shops embed: `functions/store/static/widget.js`.

The modules use a small part of the language's module syntax (`import { a } from "./b.js"` on a line of its own, and `export`
before a declaration), so joining them in order of their imports inside one function is all that bundling has to do; what goes
beyond that part is refused. `--check` says whether the committed script is the modules'.
"""

import re
import sys
from pathlib import Path
from typing import Final

STORE: Final = Path(__file__).parent.parent / "functions" / "store"
ENTRY: Final = STORE / "widget" / "main.js"
BUNDLE: Final = STORE / "static" / "widget.js"

_IMPORT: Final = re.compile(r'^import \{[^}]*\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const)\b)", re.MULTILINE)
_REFUSED: Final = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_DECLARED: Final = re.compile(r"^(?:async )?(?:function|class|const|let)\s+(\w+)", re.MULTILINE)
_COMMENT: Final = re.compile(r"^\s*(?://.*|/\*\*[^\n]*\*/)\n", re.MULTILINE)


def modules(path: Path, found: dict[Path, str]) -> dict[Path, str]:
    """The module and all that it imports, each after what it needs."""
    path = path.resolve()
    if path not in found:
        source = path.read_text(encoding="utf-8")
        for needed in _IMPORT.findall(source):
            modules(path.parent / needed, found)
        found[path] = source
    return found


def bundle() -> str:
    """The script.

    Raises:
        ValueError: a module uses syntax that is not joined, or a name that another one uses.
    """
    owners: dict[str, Path] = {}
    parts: list[str] = []
    for path, source in modules(ENTRY, {}).items():
        code = _EXPORT.sub("", _IMPORT.sub("", source))
        if refused := _REFUSED.search(code):
            raise ValueError(f"{path.name}: cannot be joined: {refused.group()}")
        for name in _DECLARED.findall(code):
            if name in owners:
                raise ValueError(f"{path.name} and {owners[name].name} both declare {name}")
            owners[name] = path
        parts.append(_COMMENT.sub("", code).strip())
    return "(() => {\n" + "\n".join(parts) + "\n})();\n"


def main() -> int:
    script = bundle()
    if "--check" in sys.argv[1:]:
        same = BUNDLE.exists() and BUNDLE.read_text(encoding="utf-8") == script
        print("" if same else "functions/store/static/widget.js is not its modules': make widget")
        return 0 if same else 1
    BUNDLE.write_text(script, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
