"""The programs in examples/python/ run in a short form, and judge their own results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import footfall as ff
from footfall.pictures import page

EXAMPLES = Path(__file__).resolve().parents[2] / "examples/python"
PROGRAMS = ["identify.py", "steppers.py", "thousand.py"]


def run(program: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(ff.__file__).resolve().parents[1])}
    return subprocess.run(
        [sys.executable, str(program), *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )


def test_no_example_is_left_out() -> None:
    assert sorted(p.name for p in EXAMPLES.glob("*.py")) == PROGRAMS


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_example_runs(name: str, tmp_path: Path) -> None:
    if name == "thousand.py":
        try:
            page.viewer()
        except ff.UnsupportedError:
            pytest.skip("the viewer was not built")
    done = run(EXAMPLES / name, tmp_path, "--short")
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr
    if name == "thousand.py":
        assert '"robots": 23' in (tmp_path / "thousand.html").read_text()


def test_identify_notices_another_foot(tmp_path: Path) -> None:
    """A check that cannot fail is none."""
    text = (EXAMPLES / "identify.py").read_text()
    wrong = text.replace("world_with(TRUE).sim()", 'world_with({**TRUE, "stiffness": 2.2e4}).sim()')
    assert wrong != text
    (tmp_path / "wrong.py").write_text(wrong)
    done = run(tmp_path / "wrong.py", tmp_path, "--short")
    assert done.returncode == 1 and "stiffness" in done.stdout, done.stderr
