"""Choosing a stepper for a motion: how wrong is each, and how fast?

    python steppers.py                                # a trot of Solo
    python steppers.py --scene scenes/romeo-walk.yaml --seconds 0.5

The error is that of one control period: every scheme starts from the same states of the motion, and its end is compared
with a reference solution that two methods agree on. So errors do not add up, and a fall of one of them tells nothing
about the others. docs/guide/choosing.md has the reasons behind what this prints.
"""

from __future__ import annotations

import argparse

import footfall as ff


def advice(found: ff.Comparison, speeds: list[float]) -> list[str]:
    """The most accurate scheme of all that are at least so fast."""
    lines = []
    for speed in speeds:
        best = found.best(speed)
        if best is not None:
            lines.append(f"{speed:5g}x real time: {best.name} at {1e3 * best.dt:g} ms, error {best.max_norm.mean:.1e}")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scene", default=ff.share("scenes/solo-trot.yaml"))
    parser.add_argument("--seconds", type=float, default=1.0, help="of the motion")
    parser.add_argument("--short", action="store_true", help="a short motion and few schemes, for a test")
    asked = parser.parse_args()
    scene = ff.Scene(asked.scene, {"duration": f"{0.1 if asked.short else asked.seconds}s"})
    schemes = ["expo", "implicit", "euler"] if asked.short else ["expo", "expo-paper", "implicit", "rk4", "euler"]
    substeps = [1, 4] if asked.short else [1, 2, 4, 8, 16]
    found = ff.compare(scene, schemes=schemes, substeps=substeps, own=False, rounds=1 if asked.short else 3)
    print(found)
    print(f"\n* nothing else is both faster and more accurate; errors below {found.tolerance_mean:.0e} mean nothing\n")
    print("\n".join(advice(found, [1, 10, 30, 100, 300])))
    by_name = {(r.name, r.substeps): r for r in found}
    error, other = by_name["expo", 1].max_norm.mean, by_name["implicit", 1].max_norm.mean
    print(f"\nAt the control period expo's error is {other / error:.0f} times below implicit's.")
    return 0 if error < other else 1


if __name__ == "__main__":
    raise SystemExit(main())
