"""A Gymnasium Env: the vector environment of one robot."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from footfall.gym.task import Task
from footfall.gym.vector import Observation, VectorEnv
from footfall.pictures.render import Image


class Env(gymnasium.Env[Observation, npt.NDArray[Any]]):
    """One robot with a task. gymnasium.make() adds the time limit."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"]}

    def __init__(self, task: Task, *, render_mode: str | None = None) -> None:
        self.vector = VectorEnv(task, 1, autoreset_mode=AutoresetMode.DISABLED, threads=1, render_mode=render_mode)
        self.vector.max_episode_steps = None
        self.render_mode = render_mode
        self.observation_space = self.vector.single_observation_space
        self.action_space = self.vector.single_action_space
        self.metadata = {**self.metadata, "render_fps": self.vector.metadata["render_fps"]}

    @property
    def state(self) -> Any:
        """The arrays that the task sees, of one robot."""
        return self.vector.state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode."""
        super().reset(seed=seed)
        self.vector.np_random = self.np_random
        observation, info = self.vector.reset()
        return observation[0], info

    def step(self, action: npt.NDArray[Any]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Advance by frame_skip physics steps."""
        self.vector._ended[:] = False  # Gymnasium lets an episode go on after its end, with a warning of its own
        observation, reward, terminated, truncated, info = self.vector.step(np.asarray(action)[None])
        plain = {name: values[0] for name, values in info.items()}
        return observation[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), plain

    def render(self) -> Image | None:  # type: ignore[override,unused-ignore]
        """With render_mode "rgb_array" an image [height, width, 3]."""
        images = self.vector.render()
        return None if images is None else images[0]

    def close(self) -> None:
        """Give back the robot."""
        self.vector.close()
