"""Solo, the quadruped of 2.5 kg: standing against pushes, and trotting at a commanded speed."""

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

FEET = ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT")
UPRIGHT = 0.7  #: cosine of the base's tilt below which it has fallen


def _model() -> str:
    from footfall import share

    return share("models/solo12.urdf")


class Solo12(Task):
    """What both tasks share: motors of 4 N m/rad hold 12 joints, actions move their references at 100 Hz.

    Observed are the direction of gravity, the angular and linear velocity of the base, joints, their rates, and the
    last action: 12 + 12 + 12 + 9 numbers.
    """

    scene: ClassVar[Mapping[str, Any]] = {
        "start": {"posture": "standing"},
        "ground": "plane",
        "material": {"stiffness": 1e5, "damping": 300, "friction": 0.8},
        "controller": {"type": "posture-pd", "kp": 4, "kd": 0.1},
        "dt": "2ms",
    }
    options: ClassVar[Mapping[str, Any]] = {"model_elements": False}
    frame_skip = 5
    action_scale: ArrayLike = 0.4
    contact_forces = False

    def make(self) -> Any:
        self.scene = {**self.scene, "model": _model()}  # type: ignore[misc,unused-ignore]
        return super().make()

    def observe(self, state: State) -> Array:
        joints = state.joints - state.start_joints
        return np.hstack([state.gravity, state.angular_velocity, state.linear_velocity, joints,
                          0.1 * state.joint_rates, state.action])  # fmt: skip

    def effort(self, state: State) -> Array:
        """Cost of rates and of actions that change [n]."""
        change = state.action - state.last_action
        return 1e-3 * np.square(state.joint_rates).mean(-1) + 0.05 * np.square(change).mean(-1)  # type: ignore[no-any-return,unused-ignore]

    def terminated(self, state: State) -> npt.NDArray[np.bool_]:
        return np.logical_or(state.up < UPRIGHT, state.height < 0.1)


class Solo12Stand(Solo12):
    """Stand on four feet, at the height and place of the start, against pushes of up to 0.5 N s.

    The reward is at most 1 for each step: less for height, tilt, speed and effort.
    """

    randomisation = Randomisation(pushes=Pushes("base_link", impulse=(0.0, 0.5)))

    def reward(self, state: State) -> Array:
        height = np.square((state.height - state.start_q[2]) / 0.05)
        speed = np.square(state.linear_velocity).sum(-1) + 0.1 * np.square(state.angular_velocity).sum(-1)
        return np.exp(-height - speed) * state.up - self.effort(state)  # type: ignore[no-any-return,unused-ignore]


class Solo12Trot(Solo12):
    """Trot along x at a commanded speed, drawn at each reset from `speed` [m/s].

    Observed are, beside those of Solo12, the command and the phase of a gait of `frequency` [Hz]. The reward is at
    most 1 for each step: for the speed along the heading, less for sideways and turning motion, height and effort; and
    for feet that stand when the phase of their diagonal pair says so.
    """

    speed: tuple[float, float] = (0.3, 0.3)
    frequency: float = 2.5
    contact_forces = True

    def begin(self, state: State) -> None:
        state.memory["command"] = np.zeros(state.n)
        state.memory["phase"] = np.zeros(state.n)

    def reset(self, state: State, robots: npt.NDArray[np.int64]) -> tuple[Array, Array]:
        state.memory["command"][robots] = state.random.uniform(*self.speed, len(robots))
        state.memory["phase"][robots] = state.random.uniform(0, 1, len(robots))
        return super().reset(state, robots)

    def phase(self, state: State) -> Array:
        """Phase of the gait, 0..1 [n]: the first pair swings in its first half."""
        return (state.memory["phase"] + self.frequency * state.time) % 1.0  # type: ignore[no-any-return,unused-ignore]

    def observe(self, state: State) -> Array:
        angle = 2 * np.pi * self.phase(state)
        more = np.stack([state.memory["command"], np.sin(angle), np.cos(angle)], -1)
        return np.hstack([super().observe(state), more])

    def reward(self, state: State) -> Array:
        forward, left, up = state.heading_velocity.T
        speed = np.square(forward - state.memory["command"]) / 0.02
        aside = np.square(left) / 0.02 + np.square(state.angular_velocity[:, 2]) / 0.25 + np.square(up) / 0.25
        height = np.square((state.height - state.start_q[2]) / 0.05)
        first = self.phase(state) < 0.5
        swings = np.stack([first, ~first, ~first, first], -1)  # fore left and hind right, then the others
        stands = state.touches(*FEET)
        gait = (stands != swings).mean(-1)
        tracked = np.exp(-speed) * (0.6 + 0.2 * np.exp(-aside) + 0.2 * np.exp(-height))
        return 0.8 * tracked + 0.2 * gait - self.effort(state)  # type: ignore[no-any-return,unused-ignore]
