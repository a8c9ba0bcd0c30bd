"""Every public function and property of the package was called by some test. Runs last, and only with all tests."""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
from typing import Any

import pytest
from conftest import CALLED

import footfall

# What needs a file of another kind, a minute, or another library.
NOT_CALLED = {"write", "beside_mujoco", "mujoco_model"}


def public_functions() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for info in pkgutil.walk_packages(footfall.__path__, "footfall."):
        if info.name.split(".")[-1].startswith("_c") or info.name.endswith("_hot"):
            continue
        try:
            module = importlib.import_module(info.name)
        except ImportError:
            continue  # footfall.gym without gymnasium
        for name, thing in vars(module).items():
            if getattr(thing, "__module__", None) != info.name:
                continue
            if inspect.isfunction(thing) and not name.startswith("_"):
                found[f"{info.name}.{name}"] = inspect.unwrap(thing).__code__
            if inspect.isclass(thing):
                found |= members(f"{info.name}.{name}", thing)
    return found


def members(prefix: str, kind: type) -> dict[str, Any]:
    found = {}
    for name, thing in vars(kind).items():
        if name.startswith("_") and name != "__init__" and name != "__repr__":
            continue
        functions = {"": getattr(thing, "func", thing)}
        if isinstance(thing, property):
            functions = {"": thing.fget, " setter": thing.fset}
        for what, function in functions.items():
            function = getattr(function, "__func__", function)
            code = getattr(function, "__code__", None)
            if code is not None and code.co_filename != "<string>" and "footfall" in code.co_filename:
                found[f"{prefix}.{name}{what}"] = code
    return found


@pytest.mark.skipif(os.environ.get("FOOTFALL_COVERAGE", "1") == "0", reason="not recorded")
def test_every_public_function_was_called(request: pytest.FixtureRequest) -> None:
    if len({item.nodeid.split("::")[0] for item in request.session.items}) < 10 or request.config.option.keyword:
        pytest.skip("only with all tests")
    wanted = public_functions()
    assert len(wanted) > 300
    abstract = {"footfall._robot.Robot.q", "footfall._robot.Robot.v"}
    left = [name for name, code in wanted.items() if code not in CALLED and name.split(".")[-1] not in NOT_CALLED]
    left = sorted(set(left) - abstract)
    assert not left, "\n".join(left)
