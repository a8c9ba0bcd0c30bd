"""The programs of the guide run, and its reference is that of the docstrings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["docs/guide/python.md", "docs/guide/from-mujoco.md"]


def blocks(page: Path) -> list[tuple[str, str]]:
    """Programs of a page: what is said behind ```python, and the program."""
    return re.findall(r"^```python *(\w*)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("page", PAGES)
def test_the_programs_of_a_page_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "page"}
    found = blocks(ROOT / page)
    assert len(found) >= 2
    for needs, program in found:
        if needs == "gym":
            try:
                import gymnasium  # noqa: F401
            except ImportError:
                continue
        exec(compile(program, page, "exec"), names)  # one after the other, as a reader would


def test_the_reference_is_that_of_the_docstrings(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gymnasium")
    monkeypatch.syspath_prepend(ROOT / "python")
    from make import reference

    assert (ROOT / "docs/guide/python-reference.md").read_text(encoding="utf-8") == reference.page()


def test_everything_public_has_a_docstring() -> None:
    from test_zz_coverage import public_functions

    import footfall as ff

    for name in ff.__all__:
        thing = getattr(ff, name)
        if isinstance(thing, type) and not issubclass(thing, dict):
            assert thing.__doc__ and len(thing.__doc__) > 10, name
    left = [name for name, code in public_functions().items() if not _documented(name, code)]
    assert left == [], left


def _documented(name: str, code: Any) -> bool:
    last = name.rpartition(".")[2]
    if name.endswith(" setter") or (name.split(".")[1].startswith("_") and "_robot." not in name):
        return True
    told = code.co_consts and isinstance(code.co_consts[0], str)
    # what the class says, what overrides a documented function, what cffi calls
    return bool(told) or last in ("__init__", "__repr__") or name.split(".")[1] in ("gym", "ode", "ess", "measure") \
        or last in ("to_c", "from_c", "shape", "close")  # fmt: skip
