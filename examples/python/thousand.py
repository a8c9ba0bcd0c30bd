"""A thousand robots fall, and one page shows them all.

    python thousand.py                       # out: thousand.html
    python thousand.py --robots 4096 --seconds 1

Each Solo starts at another height and tilt, with motors that hold its joints, on ground of another friction. They are
one batch, so all processors step them; the page has the first one in full, and the others as a crowd around it.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import footfall as ff


def drop(robots: int, seed: int = 0) -> ff.Batch:
    """Solos above the ground, each in a tilt of its own."""
    model = ff.Model(ff.share("models/solo12.urdf"))
    standing = model.posture("standing")
    world = ff.World(model, elements=ff.motors(model, standing, kp=8, kd=0.2), dt=2e-3)
    random = np.random.default_rng(seed)
    q = np.tile(standing, (robots, 1))
    q[:, 2] += random.uniform(0.05, 0.3, robots)
    tilt = np.column_stack([0.25 * random.standard_normal((robots, 3)), np.ones(robots)])
    q[:, 3:7] = tilt / np.linalg.norm(tilt, axis=1, keepdims=True)
    batch = world.batch(robots, q=q)
    batch.vary(friction=random.uniform(0.3, 1.0, robots))
    return batch


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--robots", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--out", default="thousand.html")
    parser.add_argument("--short", action="store_true", help="few robots, for a test")
    asked = parser.parse_args()
    if asked.short:
        asked.robots, asked.seconds = 24, 1.0
    batch = drop(asked.robots)
    begun = time.perf_counter()
    ff.view(batch, duration=asked.seconds, apart=0.8, title=f"{asked.robots} Solos fall").save(asked.out)
    print(f"{asked.out}: {asked.robots} robots for {asked.seconds} s, in {time.perf_counter() - begun:.1f} s")

    batch.step_many(round(asked.seconds / batch.world.dt))
    x, y = batch.q[:, 3], batch.q[:, 4]  # of the quaternion: 1 - 2 (x^2 + y^2) is the cosine of the tilt
    upright = 1 - 2 * (x**2 + y**2) > 0.7
    counts = batch.counts
    print(f"{upright.mean():.0%} stand; {counts.in_lanes / counts.steps:.0%} of the steps were taken in lanes")
    return 0 if len(batch.failed) == 0 and upright.mean() > 0.5 else 1


if __name__ == "__main__":
    raise SystemExit(main())
