"""What tasks see of a batch: arrays over all robots, computed when they are first asked for in a step."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from footfall._native import Array
from footfall.infos import JointInfo

if TYPE_CHECKING:
    from footfall.batch import Batch

# What does not change from step to step.
_LASTING = frozenset({
    "batch", "model", "n", "start_q", "start_v", "start_u",
    "action", "last_action", "u", "memory", "random", "dt", "step",
    "_force", "_joints", "_base",
})  # fmt: skip


class State:
    """The robots of a vector environment after a control step; n robots in all arrays.

    q, v, time: as of Batch: live, read-only
    action, last_action: of this step and the one before [n, actions]
    u: controls of this step [n, nu]
    step: control steps since the reset [n]
    memory: the task's own arrays: memory["command"] = ... [n, ...]
    random: the environment's generator
    start_q, start_v, start_u: the start of the scene [nq], [nv], and the controls that hold it [nu]

    Of the floating base, if there is one: position, quaternion (x y z w), R [n, 3, 3], linear_velocity and
    angular_velocity in its own axes, gravity: the direction of gravity in its own axes; `up` is -gravity's z.
    Of the joints with one coordinate: joints, joint_rates [n, joints], and start_joints.
    """

    def __init__(self, batch: Batch, start_q: Array, start_v: Array, actions: int, random: np.random.Generator) -> None:
        self.batch, self.model, self.n = batch, batch.model, len(batch)
        self.start_q, self.start_v, self.random = start_q, start_v, random
        self.action = np.zeros((self.n, actions))
        self.last_action = np.zeros((self.n, actions))
        self.u = np.zeros((self.n, batch.world.nu))
        self.start_u = np.zeros(batch.world.nu)
        self.step = np.zeros(self.n, np.int64)
        self.dt = 0.0  # of a control step [s]
        self.memory: dict[str, npt.NDArray[Any]] = {}
        self._force: Array | None = None
        infos = list(batch.model.joints)
        self._joints: list[JointInfo] = [j for j in infos if j.nq == 1]
        base = batch.model.base
        self._base = infos[base].q if base >= 0 else -1, infos[base].v if base >= 0 else -1

    def forget(self) -> None:
        """The batch has changed: compute anew."""
        for name in [name for name in self.__dict__ if name not in _LASTING]:
            del self.__dict__[name]

    @property
    def q(self) -> Array:
        """Configurations [n, nq]."""
        return self.batch.q

    @property
    def v(self) -> Array:
        """Velocities [n, nv]."""
        return self.batch.v

    @property
    def time(self) -> Array:
        """Since the reset [n] [s]."""
        return self.batch.time

    @cached_property
    def failed(self) -> npt.NDArray[np.bool_]:
        """Robots whose step failed [n]."""
        return np.not_equal(self.batch.status, 0)

    # ---- The base ---------------------------------------------------------------------------------------------------

    def _of_base(self, which: int, first: int, end: int) -> Array:
        at = self._base[which]
        if at < 0:
            raise AttributeError("the model has no floating base, or several")
        return (self.q if which == 0 else self.v)[:, at + first : at + end]

    @property
    def position(self) -> Array:
        """Of the base [n, 3] [m]."""
        return self._of_base(0, 0, 3)

    @property
    def height(self) -> Array:
        """z of the base [n] [m]."""
        return self.position[:, 2]  # type: ignore[no-any-return,unused-ignore]

    @property
    def quaternion(self) -> Array:
        """Of the base, x y z w [n, 4]."""
        return self._of_base(0, 3, 7)

    @property
    def linear_velocity(self) -> Array:
        """Of the base, its own axes [n, 3] [m/s]."""
        return self._of_base(1, 0, 3)

    @property
    def angular_velocity(self) -> Array:
        """Of the base, its own axes [n, 3] [rad/s]."""
        return self._of_base(1, 3, 6)

    @cached_property
    def R(self) -> Array:
        """Rotation matrices of the base [n, 3, 3]."""
        x, y, z, w = self.quaternion.T
        out = np.empty((self.n, 3, 3))
        out[:, 0, 0], out[:, 0, 1], out[:, 0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)
        out[:, 1, 0], out[:, 1, 1], out[:, 1, 2] = 2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)
        out[:, 2, 0], out[:, 2, 1], out[:, 2, 2] = 2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)
        return out

    @cached_property
    def world_velocity(self) -> Array:
        """Linear velocity of the base, world axes [n, 3] [m/s]."""
        return np.matmul(self.R, self.linear_velocity[:, :, None])[:, :, 0]  # type: ignore[no-any-return,unused-ignore]

    @cached_property
    def heading_velocity(self) -> Array:
        """Linear velocity of the base, axes turned with its heading: forward, left, up [n, 3] [m/s]."""
        yaw = np.arctan2(self.R[:, 1, 0], self.R[:, 0, 0])
        c, s, v = np.cos(yaw), np.sin(yaw), self.world_velocity
        return np.stack([c * v[:, 0] + s * v[:, 1], c * v[:, 1] - s * v[:, 0], v[:, 2]], -1)

    @cached_property
    def gravity(self) -> Array:
        """Direction of gravity in the base's axes [n, 3]."""
        return -self.R[:, 2, :]

    @property
    def up(self) -> Array:
        """Cosine of the base's tilt: 1 upright, 0 on its side [n]."""
        return self.R[:, 2, 2]  # type: ignore[no-any-return,unused-ignore]

    # ---- Joints and contacts ----------------------------------------------------------------------------------------

    @cached_property
    def joints(self) -> Array:
        """Positions of the joints with one coordinate [n, joints]."""
        return self.q[:, [j.q for j in self._joints]]

    @cached_property
    def joint_rates(self) -> Array:
        """Their velocities [n, joints]."""
        return self.v[:, [j.v for j in self._joints]]

    @property
    def start_joints(self) -> Array:
        """Their positions at the start [joints]."""
        return self.start_q[[j.q for j in self._joints]]

    @property
    def contact_force(self) -> Array:
        """Sum of the mean forces on each link over the last physics step, world axes [n, links, 3] [N]."""
        if self._force is None:
            self._force = np.zeros((self.n, len(self.model.links), 3))
        return self._force

    def touches(self, *links: str) -> npt.NDArray[np.bool_]:
        """Do these links touch something [n, len(links)]?"""
        chosen = [self.model._index("link", name) for name in links]
        return np.asarray((self.contact_force[:, chosen] != 0).any(-1), bool)
