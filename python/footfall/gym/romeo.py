"""Romeo, the humanoid of 40 kg: standing against pushes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from footfall._native import Array, ArrayLike
from footfall.gym.task import Task
from footfall.gym.vary import Pushes, Randomisation

if TYPE_CHECKING:
    from footfall.gym.state import State

LEGS = tuple(f"{side}{joint}" for side in "LR" for joint in
             ("HipYaw", "HipRoll", "HipPitch", "KneePitch", "AnklePitch", "AnkleRoll"))  # fmt: skip


class RomeoStand(Task):
    """Stand on two feet against pushes of up to 4 N s: 12 actions move the references of the legs' motors at 50 Hz.

    The arms, the trunk and the head are held by motors. Observed are the direction of gravity, the velocities of the
    base, the joints and rates of the legs, and the last action: 45 numbers.
    """

    scene: ClassVar[Mapping[str, Any]] = {
        "start": {"posture": "standing"},
        "ground": "plane",
        "material": {"stiffness": 1e5, "damping": 300, "friction": 1},
        "controller": {"type": "posture-pd", "kp": 1000, "kd": 30},
        "dt": "2ms",
    }
    options: ClassVar[Mapping[str, Any]] = {"model_elements": False}
    frame_skip = 10
    max_episode_steps = 500
    actions = len(LEGS)
    action_scale: ArrayLike = 0.2
    start_noise = (0.005, 0.005)
    contact_forces = False
    randomisation = Randomisation(pushes=Pushes("torso", impulse=(0.0, 4.0)))

    def make(self) -> Any:
        from footfall import share

        self.scene = {**self.scene, "model": share("models/romeo.urdf")}  # type: ignore[misc,unused-ignore]
        return super().make()

    def begin(self, state: State) -> None:
        names = state.batch.world.controls.names
        state.memory["legs"] = np.array([names.index(name) for name in LEGS])
        state.memory["leg_q"] = np.array([state.model.joint(name).q for name in LEGS])
        state.memory["leg_v"] = np.array([state.model.joint(name).v for name in LEGS])

    def controls(self, state: State, action: Array) -> Array:
        u = np.tile(state.start_u, (state.n, 1))
        u[:, state.memory["legs"]] += np.asarray(self.action_scale) * action
        return u

    def observe(self, state: State) -> Array:
        columns = state.memory["leg_q"]
        joints = state.q[:, columns] - state.start_q[columns]
        rates = 0.1 * state.v[:, state.memory["leg_v"]]
        return np.hstack([state.gravity, state.angular_velocity, state.linear_velocity, joints, rates, state.action])

    def reward(self, state: State) -> Array:
        height = np.square((state.height - state.start_q[2]) / 0.1)
        speed = np.square(state.linear_velocity).sum(-1) + 0.1 * np.square(state.angular_velocity).sum(-1)
        change = np.square(state.action - state.last_action).mean(-1)
        return np.exp(-height - speed) * state.up - 0.05 * change  # type: ignore[no-any-return,unused-ignore]

    def terminated(self, state: State) -> npt.NDArray[np.bool_]:
        return np.asarray((state.up < 0.7) | (state.height < 0.6 * state.start_q[2]), bool)
