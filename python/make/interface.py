"""The interface that Python is written against, interface.txt, and what has changed in the headers since.

Without it a changed C function would still build, and Python would fail when somebody calls it. A declaration that is
new, and a field or constant added behind the others, change nothing for Python. Everything else stops the build:

    python3 -m make.interface           what has changed
    python3 -m make.interface --accept  write interface.txt, after the callers in footfall/ follow
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from make import headers

PACKAGE = Path(__file__).resolve().parent.parent
LIST = PACKAGE / "interface.txt"


def without_names(text: str) -> str:
    """A function's declaration without the names of its parameters, which callers do not use."""
    head, _, rest = text.partition("(")
    parameters = rest.rsplit(")", 1)[0]
    types = [re.sub(r"^(.*[\s*])\w+((?:\[\w*\])*)$", r"\1\2", p.strip()).strip() for p in parameters.split(",")]
    return f"{head}({', '.join(' '.join(t.split()) for t in types)});"


def entry(text: str) -> tuple[str, list[str]]:
    """The name of a declaration, and its parts: fields, constants, or itself."""
    struct = re.match(r"typedef struct (\w+) \{(.*)\} \w+;$", text)
    if struct:
        return f"struct {struct[1]}", [f.strip() for f in struct[2].split(";") if f.strip()]
    enum = re.match(r"(?:typedef )?enum(?: \w+)? \{(.*?),? *\} *(\w*);$", text)
    if enum:
        constants = [c.strip() for c in enum[1].split(",")]
        if not enum[2]:  # sizes and limits: the compiler finds their values
            constants = [c.split()[0] for c in constants]
        return f"enum {enum[2] or constants[0]}", constants
    if "(*" in text or not text.rstrip(";").endswith(")"):
        return text.rstrip(";"), []
    text = without_names(text)
    return re.search(r"(\w+)\(", text)[1], [text]  # type: ignore[index]


def read(text: str) -> dict[str, list[str]]:
    """The entries of a list: a name, and below it its parts, indented."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith("  "):
            found[name].append(line.strip())
        else:
            name = line
            found[name] = []
    return found


def current(include: Path) -> dict[str, list[str]]:
    return dict(entry(text) for text in headers.declarations(include))


def changes(accepted: dict[str, list[str]], now: dict[str, list[str]]) -> list[str]:
    """What Python cannot know of, in words."""
    found = []
    for name, parts in accepted.items():
        if name not in now:
            found.append(f"{name} is gone")
        elif name.startswith("enum "):
            if now[name][: len(parts)] != parts:
                found.append(f"{name} has other constants: {', '.join(now[name])}")
        else:
            found += [f"{name} has no longer: {part}" for part in parts if part not in now[name]]
    return found


def check(include: Path) -> None:
    """Stop the build if a declaration has changed."""
    found = changes(read(LIST.read_text(encoding="utf-8")), current(include))
    if found:
        raise SystemExit(
            "The C interface is no longer the one that the Python package is written against:\n\n  "
            + "\n  ".join(found)
            + "\n\nFollow in python/footfall/, then: cd python && python3 -m make.interface --accept"
        )


def accept(include: Path) -> None:
    lines = ["# The C interface that footfall/ is written against. Made by: python3 -m make.interface --accept"]
    for name, parts in current(include).items():
        lines += [name, *(f"  {part}" for part in parts)]
    LIST.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    folder = PACKAGE.parent / "include"
    if sys.argv[1:] == ["--accept"]:
        accept(folder)
    else:
        check(folder)
