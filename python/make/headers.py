"""Declarations of the public headers, as text that cffi reads.

The headers are regular: one declaration begins in the first column and ends with a semicolon, comments are // alone,
and the only bodies are those of `static inline` functions, which are left out: Python calls the `_init` functions that
they call.
"""

from __future__ import annotations

import re
from pathlib import Path

# Macros with a whole number: for cffi `#define NAME ...`, and the compiler finds the value.
MACRO = re.compile(r"^#define (FF_[A-Z_]+) \(?-?[0-9]+\)?(?: ///<.*)?$", re.M)


def names(include: Path) -> list[str]:
    """The headers that footfall.h includes, in an order in which each comes after those that it includes."""
    order: list[str] = []

    def visit(name: str) -> None:
        if name in order:
            return
        text = (include / name).read_text(encoding="utf-8")
        for other in re.findall(r"^#include <(footfall/[^>]+)>", text, re.M):
            visit(other)
        order.append(name)

    visit("footfall/footfall.h")
    return order


def strip(text: str) -> str:
    """A header without comments, directives, extern "C" and the bodies of inline functions."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", text, flags=re.S)
    text = re.sub(r"^#(?:[^\n]*\\\n)*[^\n]*\n", "", text, flags=re.M)
    text = re.sub(r"^static inline [^;{]*\{.*?^\}\n", "", text, flags=re.S | re.M)
    return text


def split(text: str) -> list[str]:
    """The declarations of a stripped header, each on one line."""
    found, depth, begin = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if letter == ";" and depth == 0:
            found.append(" ".join(text[begin : at + 1].split()))
            begin = at + 1
    if text[begin:].strip():
        raise ValueError(f"no semicolon ends: {text[begin:].strip()[:200]}")
    return found


def declarations(include: Path) -> list[str]:
    """All declarations of the public headers, in order."""
    found: list[str] = []
    for name in names(include):
        text = (include / name).read_text(encoding="utf-8")
        found += [f"#define {macro} ..." for macro in MACRO.findall(text)]
        found += split(strip(text))
    return found
