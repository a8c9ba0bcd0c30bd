"""mypy --strict finds nothing in the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]


@pytest.mark.long
def test_types() -> None:
    pytest.importorskip("mypy", minversion="1.8")
    pytest.importorskip("gymnasium")
    done = subprocess.run([sys.executable, "-m", "mypy"], cwd=PACKAGE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
