"""Reference motions: a squat and a walk; control/reference.h."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from footfall._native import ArrayLike, array, create, ffi, lib, owned, pointer
from footfall._structs import fill


@dataclass(frozen=True)
class Motion:
    """Motion of a point, world axes."""

    position: tuple[float, ...]  #: [m]
    velocity: tuple[float, ...]  #: [m/s]
    acceleration: tuple[float, ...]  #: [m/s^2]


def _motion(struct: Any) -> Motion:
    return Motion(tuple(struct.position), tuple(struct.velocity), tuple(struct.acceleration))


@dataclass(frozen=True)
class Squat:
    """A sinusoidal motion of the centre of mass: centre + amplitude sin(rate t)."""

    centre: tuple[float, float, float]  #: [m]
    amplitude: tuple[float, float, float]  #: [m]
    rate: tuple[float, float, float]  #: [rad/s]
    rise: float = 0.0  #: the amplitude grows from 0 over this time [s]

    def at(self, time: float) -> Motion:
        """The reference at a time [s]."""
        made = ffi.new("ff_squat *")
        fill(made, self, "squat", [])
        out = np.empty((3, 3))
        p = pointer(out)
        lib.ff_squat_at(made, float(time), p, p + 3, p + 6)
        return Motion(*(tuple(row) for row in out.tolist()))


@dataclass(frozen=True)
class WalkMoment:
    """All references of a walk at one time."""

    com: Motion
    feet: tuple[Motion, Motion]  #: frames of the feet, right and left
    is_standing: tuple[bool, bool]  #: right and left, on the ground
    pressure: tuple[float, float]  #: the centre of pressure, x and y [m]
    steps_taken: int


class Walk:
    """A planned walk. feet [2, 3]: right and left at the start; com [3]; options: fields of ff_walk_def."""

    def __init__(self, feet: ArrayLike, com: ArrayLike, *, sole: Sequence[float] | None = None, **options: Any) -> None:
        made = ffi.new("ff_walk_def *", lib.ff_walk_def_default())
        fill(made, {**options, "sole": sole}, "", [])
        for i, foot in enumerate(array(feet, (2, 3), "feet").tolist()):
            made.feet[i] = foot
        made.com = array(com, (3,), "com").tolist()
        self._c = owned(create(lib.ff_walk_create, "ff_walk", made), lib.ff_walk_destroy)

    @property
    def duration(self) -> float:
        """Until it is at rest [s]."""
        return float(lib.ff_walk_duration(self._c))

    def at(self, time: float) -> WalkMoment:
        """The references at a time [s]; before its start and after its end they are at rest."""
        out = ffi.new("ff_walk_moment *")
        lib.ff_walk_at(self._c, float(time), out)
        standing, pressure = (bool(out.is_standing[0]), bool(out.is_standing[1])), (out.pressure[0], out.pressure[1])
        return WalkMoment(_motion(out.com), (_motion(out.feet[0]), _motion(out.feet[1])), standing, pressure,
                          int(out.steps_taken))  # fmt: skip
