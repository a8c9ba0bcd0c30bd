"""Whole-body control by inverse dynamics; control/whole_body.h."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from footfall import errors
from footfall._native import Array, ArrayLike, Native, Turn, array, call, create, ffi, lib, owned, pointer
from footfall._structs import fill
from footfall.model import Model
from footfall.pose import Pose
from footfall.reports import WholeBodyInfo

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Task:
    """Weight and gains of a task."""

    weight: float = 0.0  #: 0: ignored, unless it is strict
    is_strict: bool = False  #: an equality constraint
    kp: float = 10.0  #: [1/s^2]
    kd: float = -1.0  #: [1/s]; -1: critical damping


@dataclass(frozen=True)
class ContactTask:
    """A link in contact, with one point or more."""

    frame: int | str
    points: Sequence[Sequence[float]] = ((0.0, 0.0, 0.0),)  #: in the frame [m]
    normal: Vector = (0.0, 0.0, 1.0)  #: of the ground, world axes
    friction: float = 1.0
    min_force: float = 0.0  #: of the sum of the normal forces [N]
    max_force: float = inf
    task: Task = field(default_factory=lambda: Task(is_strict=True))
    is_on: bool = True  #: active at creation


@dataclass(frozen=True)
class FrameTask:
    """Pose task of a frame."""

    frame: int | str
    mask: tuple[int, int, int, int, int, int] = (1, 1, 1, 1, 1, 1)  #: active rows: linear, angular, world axes
    task: Task = field(default_factory=lambda: Task(weight=1.0))


class WholeBody(Native):
    """Joint torques that best fulfil several tasks at once, by a quadratic program; control/whole_body.h.

    References are those of the neutral configuration until hold() or the set functions change them.
    """

    def __init__(
        self,
        model: Model,
        *,
        contacts: Sequence[ContactTask] = (),
        frames: Sequence[FrameTask] = (),
        com: Task | None = None,
        posture: Task | None = None,
        momentum: Task | None = None,
        force_weight: float = 1e-7,
        acceleration_weight: float = 1e-8,
        torque_limits: ArrayLike | None = None,
        hold: float = 0.0,
        warm_start: bool = False,
        max_iterations: int = 1000,
    ) -> None:
        keep: list[Any] = []
        self._turn, self.model = Turn(), model
        made = ffi.new("ff_whole_body_def *", lib.ff_whole_body_def_default())
        plain = {"com": com, "posture": posture, "momentum": momentum, "force_weight": force_weight,
                 "acceleration_weight": acceleration_weight, "hold": hold, "warm_start": warm_start,
                 "max_iterations": max_iterations}  # fmt: skip
        fill(made, plain, "", keep)
        self._points = [len(contact.points) for contact in contacts]
        self._frames = len(frames)
        touching = ffi.new("ff_contact_task[]", [lib.ff_contact_task_default() for _ in contacts])
        for i, contact in enumerate(contacts):
            self._put_contact(ffi.addressof(touching, i), contact, f"contacts[{i}]", keep)
        posed = ffi.new("ff_frame_task[]", [lib.ff_frame_task_default() for _ in frames])
        for i, frame in enumerate(frames):
            values = {"frame": model.frame(frame.frame), "mask": frame.mask, "task": frame.task}
            fill(ffi.addressof(posed, i), values, f"frames[{i}]", keep)
        made.contacts, made.contact_count = touching, len(contacts)
        made.frames, made.frame_count = posed, len(frames)
        limits = None if torque_limits is None else array(torque_limits, (model.nv,), "torque_limits")
        made.torque_limits = pointer(limits)
        self._c = owned(create(lib.ff_whole_body_create, "ff_whole_body", model._c, made),
                        lib.ff_whole_body_destroy, model._c)  # fmt: skip

    def _put_contact(self, made: Any, contact: ContactTask, what: str, keep: list[Any]) -> None:
        points = array(contact.points, (len(contact.points), 3), f"{what}.points")
        values = {"frame": self.model.frame(contact.frame), "normal": contact.normal, "friction": contact.friction,
                  "min_force": contact.min_force, "max_force": contact.max_force, "task": contact.task,
                  "is_on": contact.is_on}  # fmt: skip
        fill(made, values, what, keep)
        made.points, made.point_count = pointer(points), len(points)
        keep.append(points)

    def _contact(self, contact: int) -> int:
        if not 0 <= contact < len(self._points):
            raise errors.ArgumentError(f"there is no contact {contact}: there are {len(self._points)}", thing="contact")
        return contact

    def _frame_task(self, task: int) -> int:
        if not 0 <= task < self._frames:
            raise errors.ArgumentError(f"there is no frame task {task}: there are {self._frames}", thing="frame task")
        return task

    def hold(self, q: ArrayLike) -> None:
        """Set all references to a configuration, at rest."""
        given = array(q, (self.model.nq,), "q")
        with self._turn:
            lib.ff_whole_body_hold(self._c, pointer(given))

    def set_com(
        self, position: ArrayLike, velocity: ArrayLike | None = None, acceleration: ArrayLike | None = None
    ) -> None:
        """Set the reference of the centre of mass, world axes."""
        given = [None if x is None else array(x, (3,), "com") for x in (position, velocity, acceleration)]
        with self._turn:
            lib.ff_whole_body_set_com(self._c, *(pointer(x) for x in given))

    def set_posture(self, q: ArrayLike) -> None:
        """Set the reference of the joints; free joints are ignored."""
        given = array(q, (self.model.nq,), "q")
        with self._turn:
            lib.ff_whole_body_set_posture(self._c, pointer(given))

    def set_frame(
        self, task: int, pose: Pose, velocity: ArrayLike | None = None, acceleration: ArrayLike | None = None
    ) -> None:
        """Set the reference of a frame task; velocity, acceleration [6], linear then angular, world axes."""
        given = [None if x is None else array(x, (6,), "frame") for x in (velocity, acceleration)]
        with self._turn:
            lib.ff_whole_body_set_frame(self._c, self._frame_task(task), pose._struct(), *(pointer(x) for x in given))

    def set_frame_weight(self, task: int, weight: float) -> None:
        """Set the weight of a frame task that is not strict."""
        with self._turn:
            lib.ff_whole_body_set_frame_weight(self._c, self._frame_task(task), float(weight))

    def set_contact(self, contact: int, is_on: bool, q: ArrayLike | None = None) -> None:
        """Switch a contact on or off; switched on, it takes its pose at q as its reference."""
        given = None if q is None else array(q, (self.model.nq,), "q")
        with self._turn:
            lib.ff_whole_body_set_contact(self._c, self._contact(contact), is_on, pointer(given))

    def contact_is_on(self, contact: int) -> bool:
        """Is the contact on?"""
        return bool(lib.ff_whole_body_contact_is_on(self._c, self._contact(contact)))

    def solve(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Torques [nv] for a state. NumericError with the reason if there is no solution."""
        at, speed = array(q, (self.model.nq,), "q"), array(v, (self.model.nv,), "v")
        with self._turn:
            call(lib.ff_whole_body_solve, self._c, pointer(at), pointer(speed))
            return copied(lib.ff_whole_body_tau(self._c), (self.model.nv,))

    @property
    def tau(self) -> Array:
        """Torques of the last solve [nv]."""
        with self._turn:
            return copied(lib.ff_whole_body_tau(self._c), (self.model.nv,))

    @property
    def vdot(self) -> Array:
        """Accelerations of the last solve [nv]."""
        with self._turn:
            return copied(lib.ff_whole_body_vdot(self._c), (self.model.nv,))

    def force(self, contact: int) -> Array:
        """Forces at the contact's points [points, 3], world axes; zero while it is off."""
        with self._turn:
            index = self._contact(contact)
            return copied(lib.ff_whole_body_force(self._c, index), (self._points[index], 3))

    @property
    def info(self) -> WholeBodyInfo:
        """Report of the last solve."""
        with self._turn:
            return WholeBodyInfo(lib.ff_whole_body_get_info(self._c))

    def __repr__(self) -> str:
        if self.closed:
            return "<footfall.WholeBody, closed>"
        return f"<footfall.WholeBody of '{self.model.name}': {len(self._points)} contacts, {self._frames} frame tasks>"


def copied(p: Any, shape: tuple[int, ...]) -> Array:
    """A copy of C's numbers."""
    count = int(np.prod(shape, dtype=np.int64))
    return np.frombuffer(ffi.buffer(p, 8 * count)).reshape(shape).copy() if count else np.zeros(shape)
