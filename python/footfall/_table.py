"""The table of options: keys, defaults, ranges; option.h. It makes options.py and the signature of World."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np

from footfall import errors
from footfall._native import call, encoded, ffi, lib, text, unknown
from footfall._structs import word


@dataclass(frozen=True)
class Option:
    """One option of World, Sim and Scene."""

    key: str  #: "expo.force_tolerance"
    name: str  #: as a keyword: "expo_force_tolerance"
    type: str  #: number, whole, flag, word
    default: float | int | bool | str
    unit: str
    least: float
    most: float
    words: tuple[str, ...]  #: that a word can be
    steppers: tuple[str, ...]  #: that have it
    about: str


def _words(rule: Any) -> tuple[str, ...]:
    found: list[str] = []
    while rule.word and rule.word(len(found)) != ffi.NULL:
        found.append(text(rule.word(len(found))))
    return tuple(found)


def _read(index: int) -> Option:
    row = lib.ff_option_at(index)
    kind = word("ff_value_type", row.value.type)
    words = _words(row.value) if kind == "word" else ()
    standard: float | int | bool | str = float(row.standard)
    if kind == "word":
        standard = words[int(row.standard)]
    elif kind == "flag":
        standard = bool(row.standard)
    elif kind == "whole":
        standard = int(row.standard)
    steppers = tuple(text(lib.ff_stepper_name(s)) for s in range(lib.FF_STEPPER_COUNT) if lib.ff_option_is_of(row, s))
    key = text(row.key)
    return Option(key, key.replace(".", "_"), kind, standard, text(row.unit), row.value.least, row.value.most, words,
                  steppers, text(row.about))  # fmt: skip


#: All options, in the order of the table.
TABLE: tuple[Option, ...] = tuple(_read(i) for i in range(lib.ff_option_count()))
_BY_NAME = {option.name: option for option in TABLE}


def find(name: str, stepper: str) -> Option:
    """An option by its keyword or key; for the options of the stepper, the last part of the key is enough."""
    found = _BY_NAME.get(name.replace(".", "_"))
    if found:
        return found
    for option in TABLE:
        if option.key.rpartition(".")[2] == name and stepper in option.steppers:
            return option
    raise unknown("option", name, list(_BY_NAME))


def written(option: Option, value: Any) -> bytes:
    """A value as ff_sim_def_set() reads it, to the same bits."""
    if isinstance(value, str):
        return encoded(value)
    if isinstance(value, (bool, np.bool_)):
        return b"true" if value else b"false"
    if isinstance(value, (int, float, np.integer, np.floating)):
        number = float(value)
        if option.type in ("whole", "flag") and number.is_integer():
            return str(int(number)).encode() if option.type == "whole" else (b"true" if number else b"false")
        return repr(number).encode()
    raise errors.ArgumentError(f"{option.name}: a number or text is expected, not {value!r}", thing=option.key)


def definition(options: dict[str, Any]) -> Any:
    """An ff_sim_def with these options."""
    made = ffi.new("ff_sim_def *")
    lib.ff_sim_def_init(made, ffi.sizeof("ff_sim_def"))
    stepper = str(options.get("stepper", TABLE[0].default))
    for name, value in options.items():
        option = find(name, stepper)
        call(lib.ff_sim_def_set, made, option.key.encode(), written(option, value))
    return made


def as_dict(definition: Any) -> dict[str, float | int | bool | str]:
    """All options of an ff_sim_def, by keyword."""
    found: dict[str, float | int | bool | str] = {}
    room = ffi.new("char[256]")
    for option in TABLE:
        call(lib.ff_sim_def_get, definition, option.key.encode(), room, 256)
        value = text(room)
        if option.type == "flag":
            found[option.name] = value in ("true", "1", "on", "yes")
        elif option.type == "word":
            found[option.name] = value
        else:
            found[option.name] = int(value) if option.type == "whole" else float(value)
    return found


def describe(option: Option) -> str:
    """One line for help()."""
    unit = f" [{option.unit}]" if option.unit else ""
    words = f" ({', '.join(option.words)})" if option.words else ""
    return f"{option.name}{unit}: {option.about}{words}; default {option.default}"


def sign(function: Any, before: str) -> None:
    """Put all options into a function's signature and docstring, in place of **options."""
    signature = inspect.signature(function)
    plain = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    plain += [inspect.Parameter(o.name, inspect.Parameter.KEYWORD_ONLY, default=o.default) for o in TABLE]
    function.__signature__ = signature.replace(parameters=plain)
    function.__doc__ = before + "\n\nOptions of steppers (docs/guide/options.md):\n\n" + "\n".join(map(describe, TABLE))


def source() -> str:
    """The text of options.py."""
    lines = [
        '"""Options of World, Sim and Scene as keywords. Made from the table of option.h by _table.write()."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Literal, TypedDict",
        "",
        "",
        "class Options(TypedDict, total=False):",
        '    """Numbers may be texts with a unit: dt="2ms"."""',
        "",
    ]
    for option in TABLE:
        kind = {"number": "float | str", "whole": "int", "flag": "bool"}.get(option.type)
        if kind is None:
            kind = f"Literal[{', '.join(repr(w) for w in option.words)}]".replace("'", '"')
        line = f"    {option.name}: {kind}"
        if len(line) > 116:
            line = f"    {option.name}: Literal[\n" + "".join(f'        "{w}",\n' for w in option.words) + "    ]"
        lines.append(line)
    return "\n".join(lines) + "\n"


def write() -> None:
    from pathlib import Path

    Path(__file__).with_name("options.py").write_text(source(), encoding="utf-8")
