"""Environments for Gymnasium, on batches of robots. Needs gymnasium: pip install "footfall[gym]".

    import footfall.gym
    import gymnasium

    envs = gymnasium.make_vec("footfall/Solo12Trot-v0", num_envs=4096)
    observations, info = envs.reset(seed=0)

Task is the class to make one's own. docs/guide/python.md#environments has one in twenty lines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    import gymnasium
except ImportError as _error:  # pragma: no cover
    raise ImportError('footfall.gym needs gymnasium: pip install "footfall[gym]"') from _error

from footfall.gym.hopper import Hopper
from footfall.gym.romeo import RomeoStand
from footfall.gym.single import Env
from footfall.gym.solo import Solo12Stand, Solo12Trot
from footfall.gym.state import State
from footfall.gym.task import Task
from footfall.gym.vary import Pushes, Randomisation
from footfall.gym.vector import VectorEnv

# What belongs to the environment; all else changes the task's attributes.
_OF_VECTOR = ("max_episode_steps", "autoreset_mode", "threads", "render_mode")


class _Maker:
    """Makes environments of a task; picklable, so that other processes can make them too."""

    def __init__(self, task: Callable[..., Task]) -> None:
        self.task = task

    def single(self, *, render_mode: str | None = None, **changes: Any) -> Env:
        """For gymnasium.make()."""
        return Env(self.task(**changes), render_mode=render_mode)

    def vector(self, num_envs: int = 1, **changes: Any) -> VectorEnv:
        """For gymnasium.make_vec()."""
        own = {name: changes.pop(name) for name in _OF_VECTOR if name in changes}
        return VectorEnv(self.task(**changes), num_envs, **own)


def register(id: str, task: type[Task], *, max_episode_steps: int | None = None) -> None:
    """Make a task known to gymnasium.make() and make_vec(). Keywords of these change attributes of the task."""
    maker = _Maker(task)
    gymnasium.register(
        id,
        entry_point=maker.single,
        vector_entry_point=maker.vector,
        max_episode_steps=max_episode_steps if max_episode_steps is not None else task.max_episode_steps,
    )


for _id, _task in {"Solo12Stand": Solo12Stand, "Solo12Trot": Solo12Trot, "Hopper": Hopper,
                   "RomeoStand": RomeoStand}.items():  # fmt: skip
    if f"footfall/{_id}-v0" not in gymnasium.registry:
        register(f"footfall/{_id}-v0", _task)

__all__ = ["Env", "Hopper", "Pushes", "Randomisation", "RomeoStand", "Solo12Stand", "Solo12Trot", "State", "Task",
           "VectorEnv", "register"]  # fmt: skip
