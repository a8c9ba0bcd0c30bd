"""Joints and links of a robot by name: `sim.joint("FL_KFE").q`, `sim.link("base_link").pose`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from footfall._native import Array, ArrayLike
from footfall.contacts import Contacts
from footfall.elements import Element
from footfall.infos import JointInfo, LinkInfo
from footfall.pose import Pose

if TYPE_CHECKING:
    from footfall._robot import Robot


def _part(whole: Array, first: int, count: int) -> Any:
    """A live view of some numbers: without dimensions if it is one, so that it counts as a number."""
    part = whole[first : first + count]
    return part.reshape(()) if count == 1 else part


class JointHandle:
    """A joint of a robot. q and v are live, read-only arrays, without dimensions where the joint has one coordinate."""

    def __init__(self, robot: Robot, info: JointInfo) -> None:
        self._robot = robot
        self.info = info
        self.name = info.name

    @property
    def q(self) -> Array:
        """Its coordinates."""
        return _part(self._robot.q, self.info.q, self.info.nq)  # type: ignore[no-any-return,unused-ignore]

    @property
    def v(self) -> Array:
        """Its velocities."""
        return _part(self._robot.v, self.info.v, self.info.nv)  # type: ignore[no-any-return,unused-ignore]

    @property
    def motor(self) -> Element | None:
        """Its motor in the present state; None: it has none."""
        index = self._robot.find_motor(self.info.index)
        return None if index < 0 else self._robot.elements[index]

    @property
    def motor_force(self) -> float:
        """Force of its motor [N m] or [N]; 0 if it has none."""
        index = self._robot.find_motor(self.info.index)
        return 0.0 if index < 0 else float(self._robot.element_force(index)[0])

    def set_reference(self, reference: float, velocity: float = 0.0) -> None:
        """Set the reference of its motor."""
        self._robot.set_reference(self.name, reference, velocity)

    def __repr__(self) -> str:
        return f"<joint '{self.name}' ({self.info.type}): q {np.array2string(np.asarray(self.q), precision=6)}>"


class LinkHandle:
    """A link of a robot. What it returns is of the present state; poses and forces are copies."""

    def __init__(self, robot: Robot, info: LinkInfo) -> None:
        self._robot = robot
        self.info = info
        self.name = info.name

    @property
    def pose(self) -> Pose:
        """In the world."""
        row = self._robot.poses([self.info.frame])[0]
        return Pose(row[:3], row[3:])

    @property
    def position(self) -> Array:
        """Of its origin, in the world [3]."""
        return self._robot.poses([self.info.frame])[0, :3].copy()

    @property
    def velocity(self) -> Array:
        """Of its origin, linear then angular, world axes [6]."""
        robot = self._robot
        return robot.dynamics.frame_velocity(robot.q, robot.v, self.info.frame)

    @property
    def jacobian(self) -> Array:
        """J [6, nv] of its origin, world axes: velocity = J v."""
        return self._robot.dynamics.jacobian(self._robot.q, self.info.frame)

    @property
    def contacts(self) -> Contacts:
        """Its contacts."""
        return self._robot.contacts.of_link(self.info.index)

    @property
    def force(self) -> Array:
        """Sum of the contact forces on it [3] [N]."""
        return self._robot.contacts.force_on(self.info.index)

    def push(
        self, force: ArrayLike | None = None, torque: ArrayLike | None = None, *, at: ArrayLike | None = None
    ) -> None:
        """Push it during the next step; Sim.push()."""
        self._robot.push(self.info.index, force, torque, at=at)

    def __repr__(self) -> str:
        return f"<link '{self.name}': {self.pose!r}>"
