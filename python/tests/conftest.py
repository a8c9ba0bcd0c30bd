"""Fixtures, and the record of which public functions were called: test_zz_coverage.py asks for it."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
CALLED: set[Any] = set()  # code objects


def _note(frame: Any, event: str, argument: object) -> None:
    if event == "call" and CALLED is not None:
        CALLED.add(frame.f_code)


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("FOOTFALL_COVERAGE", "1") != "0":
        sys.setprofile(_note)
        threading.setprofile(_note)


def pytest_unconfigure(config: pytest.Config) -> None:
    sys.setprofile(None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long tests run with -m long, or when FOOTFALL_LONG is set; the coverage is asked for at the end."""
    if not os.environ.get("FOOTFALL_LONG") and "long" not in (config.option.markexpr or ""):
        skip = pytest.mark.skip(reason="long: FOOTFALL_LONG=1 runs it")
        for item in items:
            if "long" in item.keywords:
                item.add_marker(skip)
    items.sort(key=lambda item: "test_zz" in item.nodeid)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def solo() -> str:
    return str(ROOT / "models/solo12.urdf")


@pytest.fixture(scope="session")
def world(solo: str) -> Any:
    import footfall as ff

    return ff.World(solo, dt=2e-3, model_elements=False)


@pytest.fixture
def sim(world: Any) -> Any:
    return world.sim(posture="standing")
