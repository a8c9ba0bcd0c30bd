"""Tasks: what an environment asks of a robot, as functions over a batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from footfall._native import Array, ArrayLike, StrPath
from footfall.gym.vary import Randomisation
from footfall.scene import Scene

if TYPE_CHECKING:
    from footfall.gym.state import State
    from footfall.world import World


class Task:
    """An environment from a scene: a subclass says where it starts, what is observed, and what is good.

        class Balance(footfall.gym.Task):
            scene = {"model": footfall.share("models/solo12.urdf"), "dt": "2ms", "start": {"posture": "standing"},
                     "controller": {"type": "posture-pd", "kp": 4, "kd": 0.1}}
            frame_skip = 5
            max_episode_steps = 500
            action_scale = 0.5

            def observe(self, s):
                return np.hstack([s.gravity, s.angular_velocity, s.joints - s.start_joints, s.joint_rates])

            def reward(self, s):
                return s.up - 0.01 * (s.action - s.last_action).__pow__(2).sum(-1)

            def terminated(self, s):
                return s.up < 0.5

        footfall.gym.register("me/Balance-v0", Balance)
        envs = gymnasium.make_vec("me/Balance-v0", num_envs=4096)

    Every function gets a State with arrays over all n robots and returns an array [n, ...]. Actions are within -1..1,
    one for each control of the world, unless `actions` says otherwise.
    """

    #: a scene's file, or a mapping with its fields; its controller, if it is not posture-pd, is not used
    scene: ClassVar[StrPath | Mapping[str, Any]] = ""
    #: changes of the scene's fields by path
    change: ClassVar[Mapping[str, Any]] = {}
    #: options of the stepper
    options: ClassVar[Mapping[str, Any]] = {}
    #: physics steps in a control step, during which an action holds
    frame_skip: int = 5
    #: control steps after which an episode is truncated, None: never
    max_episode_steps: int | None = 1000
    #: number of actions, None: one for each control
    actions: int | None = None
    #: a control is its value at the start plus this times the action: [rad], [N m], ...; one number or [nu]
    action_scale: ArrayLike = 0.3
    #: standard deviation of the joints [rad, m] and of all velocities at the start
    start_noise: tuple[float, float] = (0.02, 0.02)
    #: what differs from robot to robot
    randomisation: Randomisation = Randomisation()
    #: width and height of images, with render_mode="rgb_array"
    picture: tuple[int, int] = (480, 360)
    #: where they are taken from: keywords of Renderer, such as azimuth, elevation, distance
    camera: ClassVar[Mapping[str, Any]] = {}
    #: record contact forces, for State.contact_force
    contact_forces: bool = True

    def __init__(self, **changes: Any) -> None:
        for name, value in changes.items():
            if not hasattr(type(self), name) or name.startswith("_"):
                raise TypeError(f"{type(self).__name__} has no attribute '{name}'")
            setattr(self, name, value)

    def make(self) -> tuple[World, Array, Array]:
        """The world, and q, v of the start. The default takes both from the scene."""
        scene = Scene(self.scene, self.change)
        q, v = scene.start
        return scene.world(**self.options), q, v

    def begin(self, state: State) -> None:
        """Called once, when the environment is made: for arrays of the task's own in state.memory."""

    def reset(self, state: State, robots: npt.NDArray[np.int64]) -> tuple[Array, Array]:
        """q [len(robots), nq] and v of robots that begin an episode; draw from state.random alone.

        The default is the scene's start with `start_noise` on joints and velocities.
        """
        count, (joint, speed) = len(robots), self.start_noise
        q = np.tile(state.start_q, (count, 1))
        v = state.start_v + speed * state.random.standard_normal((count, state.model.nv))
        columns = [j.q for j in state._joints]
        q[:, columns] += joint * state.random.standard_normal((count, len(columns)))
        return q, v

    def controls(self, state: State, action: Array) -> Array:
        """Controls u [n, nu] of actions [n, actions]: those of the start plus `action_scale` times the action."""
        return state.start_u + np.asarray(self.action_scale) * action

    def start_controls(self, state: State) -> Array:
        """Controls that hold the start [nu], for State.start_u: positions of servos, else 0."""
        controls = list(state.batch.world.controls)
        joints = {j.index: j.q for j in state.model.joints}
        return np.array([state.start_q[joints[c.joint]] if c.kind == "reference" and c.joint >= 0 else 0.0
                         for c in controls])  # fmt: skip

    def observe(self, state: State) -> Array:
        """Observations [n, k]."""
        raise NotImplementedError

    def reward(self, state: State) -> Array:
        """Rewards [n]."""
        raise NotImplementedError

    def terminated(self, state: State) -> npt.NDArray[np.bool_]:
        """Which episodes end here [n]. Robots whose step fails end in any case. The default: none."""
        return np.zeros(state.n, bool)

    def info(self, state: State) -> dict[str, npt.NDArray[Any]]:
        """Further arrays [n, ...] for `info`."""
        return {}
