"""docs/guide/python-reference.md, from the docstrings:

python3 -m make.reference --write
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
import sys
from typing import Any

from make.library import PACKAGE

PAGE = PACKAGE.parent / "docs/guide/python-reference.md"

# Headings and what is below them, in the order in which one meets it.
CHAPTERS: dict[str, list[str]] = {
    "Simulate": ["World", "Sim", "Batch", "BatchRobot", "Parameters", "Contacts", "JointHandle", "LinkHandle"],
    "Robots": ["Model", "Builder", "Cut", "Mesh", "Dynamics"],
    "Parts": ["Element", "Point", "Shape", "Material", "Inertia", "Ground", "Pose"],
    "What a model consists of": [
        "Named",
        "JointInfo",
        "LinkInfo",
        "FrameInfo",
        "ShapeInfo",
        "ActuatorInfo",
        "TendonInfo",
        "ShapePair",
        "ControlInfo",
    ],
    "Files": [
        "Scene",
        "Log",
        "LogWriter",
        "Recording",
        "new",
        "Proposal",
        "gap",
        "put_on_ground",
        "tilt",
        "motors",
        "share",
    ],
    "Pictures": ["view", "View", "LiveView", "Renderer"],
    "Control": [
        "WholeBody",
        "Task",
        "ContactTask",
        "FrameTask",
        "Trot",
        "Jump",
        "Controller",
        "Trajectory",
        "Feedback",
        "plan",
        "Squat",
        "Walk",
        "Motion",
    ],
    "Equations": ["Ode", "Ess"],
    "Errors of steppers": ["compare", "Comparison", "LocalError", "Trial", "reference", "Solution"],
    "Reports": ["StepInfo", "Totals", "Energy"],
    "Environments": [
        "gym.Task",
        "gym.State",
        "gym.VectorEnv",
        "gym.Env",
        "gym.Randomisation",
        "gym.Pushes",
        "gym.register",
    ],
    "Words": ["Option", "is_hard", "quantity", "instruction_set"],
    "Exceptions": [
        "Error",
        "ArgumentError",
        "UnknownName",
        "ClosedError",
        "OutOfMemory",
        "FileError",
        "ParseError",
        "ModelError",
        "UnsupportedError",
        "LimitError",
        "NumericError",
        "StoppedError",
        "InterruptedStep",
    ],
}


def find(name: str) -> Any:
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module(f"footfall.{module}" if module else "footfall"), last)


def cell(text: str) -> str:
    """A docstring's first paragraph in a table."""
    first = inspect.cleandoc(text or "").split("\n\n")[0]
    return " ".join(first.split()).replace("|", "\\|")


def signature(function: Any) -> str:
    """Without types and self; World's and Sim's options are in the table of options."""
    try:
        told = inspect.signature(inspect.unwrap(function))
    except (TypeError, ValueError):
        return "(...)"
    parameters = [p.replace(annotation=inspect.Parameter.empty) for p in told.parameters.values() if p.name != "self"]
    if len(parameters) > 40:
        parameters = [p for p in parameters if p.name in ("of", "model", "posture", "q", "v", "ground", "elements")]
        parameters.append(inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD))
    text = str(told.replace(parameters=parameters, return_annotation=inspect.Signature.empty))
    return re.sub(r"<(?:function|class|object)[^>]*>|<footfall[^>]*>", "...", text)


def members(kind: type) -> list[tuple[str, str]]:
    """Public functions and properties, also those of bases that are not public themselves."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if not base.__module__.startswith("footfall"):
            continue
        for name, thing in vars(base).items():
            if name.startswith("_"):
                continue
            if isinstance(thing, property) or hasattr(thing, "func"):
                found[f"`.{name}`"] = cell(thing.__doc__ or "")
            elif isinstance(thing, (classmethod, staticmethod)):
                found[f"`.{name}{signature(thing.__func__).replace('(cls, ', '(').replace('(cls)', '()')}`"] = cell(
                    thing.__func__.__doc__ or ""
                )
            elif callable(thing) and not isinstance(thing, type):
                found = {key: text for key, text in found.items() if not key.startswith((f"`.{name}(", f"`.{name}`"))}
                found[f"`.{name}{signature(thing)}`"] = cell(thing.__doc__ or "")
    return [(name, text) for name, text in found.items() if text]


def fields(kind: type) -> list[tuple[str, str]]:
    """Fields of a dataclass or report with the comment behind or before them."""
    source = inspect.getsource(kind)
    names = (
        [f.name for f in dataclasses.fields(kind)]
        if dataclasses.is_dataclass(kind)
        else list({n: 0 for n in getattr(kind, "__annotations__", {}) if not n.startswith("_")})
    )
    found = []
    for name in names:
        match = re.search(
            rf"((?:^ +#: [^\n]*\n)*)^ +{name}: [^\n#]*?(?:= ([^\n#]*?))?(?: +#: ?([^\n]*))?$", source, re.M
        )
        if match is None:
            continue
        before = " ".join(line.strip()[2:].strip() for line in match[1].splitlines())
        default = f" = {match[2].strip()}" if match[2] and "field(" not in match[2] else ""
        found.append((f"`.{name}{default.replace('|', chr(92) + '|')}`", cell(match[3] or before)))
    return found


def entry(name: str) -> list[str]:
    thing = find(name)
    lines = []
    if inspect.isclass(thing):
        is_plain = dataclasses.is_dataclass(thing) or issubclass(thing, Exception) or "Info" in name
        lines += [f"### {name}", "", f"`footfall.{name}{'' if is_plain else signature(thing.__init__)}`", ""]
        about = inspect.cleandoc(thing.__doc__ or "").split("\n\nOptions of steppers")[0]
        lines += [literal(about), ""]
        rows = fields(thing) + ([] if issubclass(thing, Exception) else members(thing))
        if rows:
            lines += ["| | |", "|---|---|", *(f"| {left} | {right} |" for left, right in rows), ""]
    else:
        lines += [
            f"### {name}()",
            "",
            f"`footfall.{name}{signature(thing)}`",
            "",
            literal(inspect.cleandoc(thing.__doc__)),
            "",
        ]
    return lines


def literal(text: str) -> str:
    """A docstring as Markdown: its first paragraph as text, the rest as it is laid out."""
    first, _, rest = text.partition("\n\n")
    return first if not rest else f"{first}\n\n```text\n{rest}\n```"


def page() -> str:
    """The whole page."""
    lines = [
        "# The Python package, class by class",
        "",
        "Made from the docstrings by `python3 -m make.reference --write` in `python/`, where the package is "
        "installed. [Footfall in Python](python.md) is the page to begin with.",
        "",
    ]
    for chapter, names in CHAPTERS.items():
        lines += [f"## {chapter}", ""]
        for name in names:
            lines += entry(name)
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page())
