"""A program as a user types it: mypy --strict must know all of its types. Not run, but checked by test_typing.py."""

from __future__ import annotations

from typing import assert_type

import numpy as np
import numpy.typing as npt

import footfall as ff
import footfall.gym
from footfall.errors import Error

Array = npt.NDArray[np.float64]


def simulate(path: str) -> float:
    world = ff.World(path, stepper="expo", dt="2ms", expo_order=1)
    sim = world.sim(posture="standing")
    assert_type(sim.q, Array)
    assert_type(sim.contacts.force, Array)
    assert_type(sim.joint("knee").q, Array)
    assert_type(sim.link("base").pose, ff.Pose)
    assert_type(sim.info.contacts, int)
    assert_type(sim.energy().total, float)
    assert_type(world.model.joints["knee"], ff.JointInfo)
    assert_type(world.model.joints[1:3], list[ff.JointInfo])
    try:
        sim.step([0.0] * world.nu, tau=np.zeros(world.nv))
    except Error as error:
        assert_type(error.line, int)
    with world.batch(8, seed=0) as batch:
        batch.step(np.zeros((8, world.nu)))
        assert_type(batch.rollout(frames=3), dict[str, Array])
    return sim.time


class Stand(footfall.gym.Task):
    max_episode_steps = 100

    def observe(self, state: footfall.gym.State) -> Array:
        return np.hstack([state.gravity, state.joints])

    def reward(self, state: footfall.gym.State) -> Array:
        return state.up


footfall.gym.register("typed/Stand-v0", Stand)
