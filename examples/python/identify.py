"""Stiffness, damping and friction of feet from a log of one landing.

    python identify.py

A Solo lands on its feet while it drifts forwards, so that its feet first press into the ground and then slip. A log of
that is what there is to go by: the positions in it carry noise, as if they were measured. Gauss and Newton's method
finds the three numbers for which a simulation repeats the log best. It needs the motion for seven sets of them at once,
which are seven robots of one batch.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

import footfall as ff

TRUE = {"stiffness": 2.5e4, "damping": 120.0, "friction": 0.35}  # [N/m], [N s/m], -
GUESS = {"stiffness": 1e5, "damping": 300.0, "friction": 0.8}
NOISE = 2e-4  # of positions [m] and angles [rad]
DT, EVERY = 1e-3, 4  # step [s], steps between two rows of the log


def world_with(material: dict[str, float]) -> ff.World:
    """Solo with motors, on a plane that gives the pair its material."""
    model = ff.Model(ff.share("models/solo12.urdf"))
    motors = ff.motors(model, model.posture("standing"), kp=10, kd=0.2)
    return ff.World(model, ground=ff.Ground.plane(material=ff.Material(**material)), elements=motors, dt=DT)


def start(world: ff.World) -> tuple[np.ndarray, np.ndarray]:
    """5 cm above the ground, forwards at 0.6 m/s."""
    q, v = world.model.posture("standing"), np.zeros(world.nv)
    q[2] += 0.05
    v[0] = 0.6
    return q, v


def record(path: Path, seconds: float) -> None:
    """The landing that somebody has measured."""
    sim = world_with(TRUE).sim()
    sim.reset(*start(sim.world))
    with ff.LogWriter(path, sim) as log:
        for _ in range(round(seconds / (EVERY * DT))):
            log.write()
            for _ in range(EVERY):
                sim.step()


def measured(log: ff.Log, seed: int) -> np.ndarray:
    """Differences of all rows to the first one [rows, nv], with noise: body coordinates, where noise is the same."""
    q = log.q
    return log.model.difference(q[0], q) + NOISE * np.random.default_rng(seed).standard_normal((len(q), log.model.nv))


def simulated(numbers: np.ndarray, rows: int) -> np.ndarray:
    """The same of robots with these numbers [n, 3]: their logarithms."""
    base = world_with(GUESS)
    batch = base.batch(len(numbers))
    q, v = start(base)
    batch.reset(q=q, v=v)
    for robot, logs in enumerate(numbers):
        parameters = batch.parameters(robot)
        stiffness, damping, friction = np.exp(logs)
        parameters.set_ground_material(0, ff.Material(stiffness=stiffness, damping=damping, friction=friction))
        batch.set_parameters(robot, parameters)
    found = batch.rollout(frames=rows - 1, hold=EVERY)["q"]
    return np.concatenate([np.zeros((len(numbers), 1, base.nv)), base.model.difference(q, found)], 1)


def fit(target: np.ndarray, steps: int) -> tuple[np.ndarray, np.ndarray, list[float]]:
    """The numbers, their standard deviations (both of logarithms), and the error of each step."""
    at, damp, errors = np.log(list(GUESS.values())), 1e-3, []
    shifts = 1e-4 * np.concatenate([np.zeros((1, 3)), np.eye(3), -np.eye(3)])
    covariance = np.zeros((3, 3))
    for _ in range(steps):
        runs = simulated(at + shifts, len(target)).reshape(7, -1)
        residual = target.ravel() - runs[0]
        J = (runs[1:4] - runs[4:]).T / 2e-4
        errors.append(float(np.sqrt(np.mean(residual**2))))
        H = J.T @ J
        covariance = NOISE**2 * np.linalg.inv(H)
        tries = [np.linalg.solve(H + d * np.diag(np.diag(H)), J.T @ residual) for d in (damp, 30 * damp, 1e3 * damp)]
        tries = [np.clip(x, -1, 1) for x in tries]
        ends = simulated(at + np.array(tries), len(target)).reshape(3, -1)
        best = int(np.argmin(((target.ravel() - ends) ** 2).sum(1)))
        if ((target.ravel() - ends[best]) ** 2).sum() > (residual**2).sum():
            damp *= 100
            continue
        at, damp = at + tries[best], damp / 3
        if np.abs(tries[best]).max() < 1e-4:
            break
    return at, np.sqrt(np.diag(covariance)), errors


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.4, help="of the log")
    parser.add_argument("--seed", type=int, default=0, help="of the noise")
    parser.add_argument("--short", action="store_true", help="a shorter log, for a test")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "landing.h5"
        record(path, 0.25 if asked.short else asked.seconds)
        with ff.Log(path) as log:
            target = measured(log, asked.seed)
    found, deviation, errors = fit(target, 15)
    print("error of each step: " + ", ".join(f"{e:.2g}" for e in errors) + f"; the noise is {NOISE:g}")
    is_right = True
    for (name, true), logarithm, spread in zip(TRUE.items(), found, deviation, strict=True):
        off = np.exp(logarithm) / true - 1
        print(f"{name:10} {np.exp(logarithm):10.4g}  true {true:8.4g}  off {off:+.2%}, expected {spread:.2%}")
        is_right &= abs(logarithm - np.log(true)) < 4 * spread + 1e-4
    return 0 if is_right and errors[-1] < 1.2 * NOISE else 1


if __name__ == "__main__":
    raise SystemExit(main())
