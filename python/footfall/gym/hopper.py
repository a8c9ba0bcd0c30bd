"""A hopper in one dimension: a body on a springy leg that it can make longer and shorter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from footfall._native import Array, ArrayLike
from footfall.gym.task import Task

if TYPE_CHECKING:
    from footfall.gym.state import State
    from footfall.world import World

BODY, FOOT = 1.0, 0.05  #: masses [kg]
LEG, STROKE = 0.5, 0.1  #: length of the leg and how far the action changes it [m]
SPRING, DAMPER = 400.0, 1.0  #: of the leg [N/m, N s/m]


class Hopper(Task):
    """Hop so that the body's highest point is at `apex` [m]: one action, the leg's rest length.

    Observed are the height of the body above a standing leg, its velocity, the leg's compression and rate, the last
    action. The reward is 1 where the energy of the body's flight is that of the apex, and decays with the distance.
    """

    apex: float = 0.8
    frame_skip = 10
    max_episode_steps = 500
    action_scale: ArrayLike = STROKE

    def make(self) -> tuple[World, Array, Array]:
        from footfall import Builder, Element, Inertia, Material, Shape, World

        b = Builder("hopper")
        moments = (0.004, 0.0, 0.0, 0.004, 0.0, 0.004)
        body = b.add_link(
            "body", joint="height", type="prismatic", axis=(0, 0, 1), effort=0.0, inertia=Inertia(BODY, matrix=moments)
        )
        b.add_shape(body, Shape("sphere", (0.1,), collision=False))
        foot = b.add_link(
            "foot", body, joint="leg", type="prismatic", axis=(0, 0, -1), inertia=Inertia(FOOT, matrix=moments)
        )
        b.add_shape(foot, Shape("point", material=Material(stiffness=2e4, damping=60)))
        model = b.finish()
        leg = Element(
            "joint_pd", "leg", joint=model.joint("leg").index, stiffness=SPRING, damping=DAMPER, reference=LEG
        )
        world = World(model, elements=[leg], dt=1e-3)
        return world, np.array([LEG + 0.2, LEG]), np.zeros(2)

    def reset(self, state: State, robots: npt.NDArray[np.int64]) -> tuple[Array, Array]:
        q = np.tile(state.start_q, (len(robots), 1))
        q[:, 0] += state.random.uniform(-0.1, 0.1, len(robots))
        return q, np.zeros((len(robots), 2))

    def observe(self, state: State) -> Array:
        height, leg = state.joints.T
        rise, rate = state.joint_rates.T
        return np.stack([height - LEG, rise, leg - LEG, rate, state.action[:, 0]], -1)

    def reward(self, state: State) -> Array:
        height, leg = state.joints.T
        spring = 0.5 * SPRING * np.square(leg - LEG) / BODY
        apex = height + (0.5 * np.square(state.joint_rates[:, 0]) + spring) / 9.81
        return np.exp(-np.square((apex - self.apex) / 0.1)) - 0.01 * np.square(state.action[:, 0])  # type: ignore[no-any-return,unused-ignore]

    def terminated(self, state: State) -> npt.NDArray[np.bool_]:
        return np.less(state.joints[:, 0], 0.15)
