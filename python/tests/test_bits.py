"""C and Python give the same bits, with every stepper."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import footfall as ff

PACKAGE = Path(__file__).resolve().parents[1]


def c_program(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """bits.c, with the library that FOOTFALL_BUILD names or the package was built with."""
    monkeypatch.syspath_prepend(PACKAGE)
    from make import library

    built = [Path(os.environ.get("FOOTFALL_BUILD", "")), *PACKAGE.glob("build/temp*/c"), library.ROOT / "build"]
    made = next((b for b in built if (b / "src/libfootfall_io.a").exists()), None)
    compiler = shutil.which("cc") or shutil.which("gcc")
    if made is None or compiler is None:
        pytest.skip("there is no C library or no compiler to compare with")
    program = folder / "bits"
    source = str(PACKAGE / "tests/bits.c")
    subprocess.run(
        [compiler, "-O1", f"-I{library.ROOT / 'include'}", source, "-o", str(program), *library.libraries(made), "-lm",
         "-lpthread"], check=True,
    )  # fmt: skip
    return [str(program)]


def python_states(model: ff.Model, stepper: str) -> list[np.ndarray]:
    dt = 1e-4 if stepper in ("euler", "symplectic", "rk4") else 1e-3
    sim = ff.Sim(model, posture="standing", stepper=stepper, dt=dt, model_elements=False)  # type: ignore[arg-type]
    tau = np.zeros(18)
    for k in range(40):
        tau[2] = 0.25 * k
        sim.step([0.5 * math.sin(0.1 * k + i) for i in range(12)], tau=tau)
    return [sim.q, sim.v]


def test_the_same_bits_as_in_c(tmp_path: Path, solo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = subprocess.run([*c_program(tmp_path, monkeypatch), solo], check=True, capture_output=True, text=True).stdout
    there: dict[str, list[np.ndarray]] = {}
    for line in said.splitlines():
        name, *numbers = line.split()
        there.setdefault(name, []).append(np.array([float.fromhex(x) for x in numbers]))
    assert list(there) == list(ff.STEPPERS)
    model = ff.Model(solo)
    for stepper, states in there.items():
        for ours, theirs in zip(python_states(model, stepper), states, strict=True):
            np.testing.assert_array_equal(ours, theirs, err_msg=stepper)


@pytest.mark.parametrize("stepper", list(ff.STEPPERS))
def test_states_copies_and_pickles_go_on_alike(solo: str, stepper: str) -> None:
    import pickle

    dt = 1e-4 if stepper in ("euler", "symplectic", "rk4") else 1e-3
    sim = ff.Sim(solo, posture="standing", stepper=stepper, dt=dt)  # type: ignore[arg-type]
    u = np.full(12, 0.3)
    for _ in range(20):
        sim.step(u)
    others = [sim.copy(), pickle.loads(pickle.dumps(sim)), sim.world.sim()]
    others[2].state = sim.state
    for _ in range(20):
        for s in (sim, *others):
            s.step(u)
    for other in others:
        np.testing.assert_array_equal(other.state, sim.state)
