"""footfall.measure: its rows, with few robots and rounds. How fast things are is not judged here."""

from __future__ import annotations

import sys

import pytest

from footfall import measure


def test_rows(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(measure, "ROBOTS", 32)
    monkeypatch.setattr(sys, "argv", ["measure", "--quick"])
    quick = measure.rows

    def rows(is_quick: bool) -> object:
        assert is_quick
        world = measure.robot()
        yield from measure.steps(world, 2)
        yield from measure.batches(world, 1)
        try:
            yield from measure.environments(1, 8)
        except ImportError as error:
            assert error.name in ("gymnasium", None) and "gymnasium" in str(error)

    monkeypatch.setattr(measure, "rows", rows)
    measure.main()
    found = {}
    for line in capsys.readouterr().out.splitlines():
        case, metric, value, unit = line.split("\t")
        found[metric] = float(value)
        assert case == "python" and unit in ("us", "1/s", "%")
    assert found["step:overhead"] < 1000 and found["step:c"] > 0.1 and found["batch:32:c"] > 0
    assert found.get("env:Solo12Trot:steps", 2) > 1
    assert next(iter(quick(True)))[0] == "step:c"


def test_mujoco_has_the_same_robot() -> None:
    mujoco = pytest.importorskip("mujoco")
    world = measure.robot()
    model = measure.mujoco_model(world)
    assert model.nq == world.nq and model.nu == world.nu and model.opt.timestep == measure.DT
    assert sum(model.body_mass) == pytest.approx(world.model.mass)
    rows = dict((name, value) for name, value, _ in measure.beside_mujoco(world, 1, 4))
    assert rows["mujoco:rollout:steps"] > 0 and mujoco.__version__
