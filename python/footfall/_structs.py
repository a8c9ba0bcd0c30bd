"""Structs of C as dataclasses, by the names of their fields: read() and fill().

A dataclass has the fields of its struct that mean something in Python. Enumerations are words: FF_JOINT_REVOLUTE is
"revolute". An int that is a flag is a bool, where the dataclass says so; arrays of numbers are tuples.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import typing
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from footfall import errors
from footfall._native import encoded, ffi, name_or_none, text

T = TypeVar("T")


# ---- Words ----------------------------------------------------------------------------------------------------------

# Words that C's functions write otherwise than the names of the constants.
_UNDERSCORE = ("ff_element_type", "ff_batch_signal")
_OTHERWISE = {"ff_collision": " "}


@functools.cache
def words(kind: str) -> dict[int, str]:
    """The words of an enumeration by value, in order."""
    elements = ffi.typeof(kind).elements
    prefix = os.path.commonprefix(list(elements.values())) if len(elements) > 1 else "FF_"
    prefix = prefix[: prefix.rfind("_") + 1]
    between = "_" if kind in _UNDERSCORE else _OTHERWISE.get(kind, "-")
    return {value: name[len(prefix) :].lower().replace("_", between) for value, name in sorted(elements.items())}


def word(kind: str, value: int) -> str:
    return words(kind).get(int(value), str(int(value)))


def value_of(kind: str, name: object, what: str) -> int:
    """The value of a word; ArgumentError lists the words that there are."""
    table = words(kind)
    if isinstance(name, (int, np.integer)) and not isinstance(name, bool) and int(name) in table:
        return int(name)
    for value, known in table.items():
        if isinstance(name, str) and name.replace("_", "-").replace(" ", "-") == known.replace("_", "-").replace(
            " ", "-"
        ):
            return value
    raise errors.ArgumentError(f"{what}: {name!r} is none of {', '.join(table.values())}", thing=what)


# ---- Reading --------------------------------------------------------------------------------------------------------


@functools.cache
def _plan(kind: type[Any]) -> list[tuple[str, Any]]:
    hints = typing.get_type_hints(kind)
    return [(f.name, hints[f.name]) for f in dataclasses.fields(kind) if f.metadata.get("c", True)]


def read(kind: type[T], struct: Any, **more: Any) -> T:
    """A dataclass with what a struct holds; `more` are fields that the struct does not have."""
    members = ffi.typeof(struct)
    members = dict((members.item if members.kind == "pointer" else members).fields)
    found = {
        name: _value(getattr(struct, name), members[name].type, hint)
        for name, hint in _plan(kind)  # type: ignore[arg-type,unused-ignore]
        if name in members and name not in more
    }
    return kind(**found, **more)


def _value(given: Any, ctype: Any, hint: Any) -> Any:
    if ctype.kind == "enum":
        return word(ctype.cname.removeprefix("enum "), int(given))
    if ctype.kind == "pointer":
        return name_or_none(given)
    if ctype.kind == "array":
        if ctype.item.cname == "char":
            return text(given)
        return tuple(given)
    if ctype.kind == "struct":
        return hint.from_c(given) if hasattr(hint, "from_c") else read(hint, given)
    if hint is bool:
        return bool(given)
    return given


# ---- Filling --------------------------------------------------------------------------------------------------------


def fill(struct: Any, given: Any, what: str, keep: list[Any]) -> None:
    """Write a dataclass or a mapping into a struct. None leaves a field as it is. `keep` gets what C points to."""
    members = ffi.typeof(struct)
    members = dict((members.item if members.kind == "pointer" else members).fields)
    if dataclasses.is_dataclass(given) and not isinstance(given, type):
        items = {name: getattr(given, name) for name, _ in _plan(type(given))}
    elif isinstance(given, Mapping):
        items = dict(given)
    else:
        raise errors.ArgumentError(f"{what}: fields with names are expected, not {given!r}", thing=what)
    for name, value in items.items():
        if name not in members:
            raise errors.ArgumentError(
                f"{what}: there is no field '{name}'; there are {', '.join(members)}", thing=what
            )
        if value is not None:
            _put(struct, name, value, members[name].type, (f"{what}.{name}" if what else name), keep)


def _put(struct: Any, name: str, value: Any, ctype: Any, what: str, keep: list[Any]) -> None:
    if ctype.kind == "struct":
        member = ffi.addressof(struct, name) if ffi.typeof(struct).kind == "struct" else ffi.addressof(struct[0], name)
        if hasattr(value, "to_c"):
            value.to_c(member)
        else:
            fill(member, value, what, keep)
    elif ctype.kind == "enum":
        setattr(struct, name, value_of(ctype.cname.removeprefix("enum "), value, what))
    elif ctype.kind == "pointer":
        setattr(struct, name, _pointer(value, ctype, what, keep))
    elif ctype.kind == "array":
        _put_array(getattr(struct, name), value, ctype, what)
    else:
        setattr(struct, name, _number(value, ctype, what))


def _pointer(value: Any, ctype: Any, what: str, keep: list[Any]) -> Any:
    if ctype.item.cname == "char":
        if not isinstance(value, (str, os.PathLike)):
            raise errors.ArgumentError(f"{what}: a text is expected, not {value!r}", thing=what)
        made = ffi.new("char[]", encoded(value))
    elif isinstance(value, ffi.CData):
        made = value
    else:
        try:
            numbers = np.ascontiguousarray(value, np.float64 if ctype.item.cname == "double" else np.int32)
        except (TypeError, ValueError) as error:
            raise errors.ArgumentError(f"{what}: {error}", thing=what) from None
        made = ffi.from_buffer(f"{ctype.item.cname}[]", numbers)
    keep.append(made)
    return made


def _put_array(target: Any, value: Any, ctype: Any, what: str) -> None:
    if not isinstance(value, (Sequence, np.ndarray)) or isinstance(value, str) or len(value) != ctype.length:
        raise errors.ArgumentError(f"{what}: {ctype.length} numbers are expected, not {value!r}", thing=what)
    for i, number in enumerate(value):
        target[i] = _number(number, ctype.item, f"{what}[{i}]")


def _number(value: Any, ctype: Any, what: str) -> Any:
    try:
        if ctype.cname in ("double", "float"):
            if isinstance(value, (str, bytes)):
                raise TypeError
            return float(value)
        if isinstance(value, (float, np.floating)) and not float(value).is_integer():
            raise TypeError
        return int(value)
    except (TypeError, ValueError, OverflowError):
        kind = "a number" if ctype.cname == "double" else "a whole number"
        raise errors.ArgumentError(f"{what}: {kind} is expected, not {value!r}", thing=what) from None
