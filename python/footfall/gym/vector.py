"""A Gymnasium VectorEnv on a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from footfall import errors
from footfall._native import Array
from footfall.batch import Batch
from footfall.gym.state import State
from footfall.gym.task import Task
from footfall.gym.vary import Vary
from footfall.pictures.render import Image, Renderer

Observation = npt.NDArray[np.float32]


class VectorEnv(gymnasium.vector.VectorEnv[Observation, npt.NDArray[Any], npt.NDArray[Any]]):
    """Many robots with one task: observations, rewards and ends over the whole batch.

    autoreset_mode: next_step (default): the step after an end resets, same_step: `final_obs` and `final_info` are in
    info, disabled: reset(options={"reset_mask": mask})
    threads: of the batch, 0: one for each processor
    render_mode: "rgb_array": render() draws

    The same seed gives the same bits whatever the number of threads.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        task: Task,
        num_envs: int = 1,
        *,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 0,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise errors.UnsupportedError(f"there is no render_mode '{render_mode}'", thing="render_mode")
        self.task = task
        self.render_mode = render_mode
        self._renderer: Renderer | None = None
        self.autoreset_mode = _mode(autoreset_mode)
        self.max_episode_steps = max_episode_steps if max_episode_steps is not None else task.max_episode_steps
        world, q, v = task.make()
        self.num_envs = num_envs
        self.batch = Batch(world, num_envs, threads=threads)
        actions = task.actions if task.actions is not None else world.nu
        self._state = State(self.batch, q, v, actions, self.np_random)
        self._vary = Vary(self.batch, task.randomisation, task.frame_skip)
        self._state.dt = task.frame_skip * world.dt
        self._record = ("contact_force",) if task.contact_forces else ()
        self._ended = np.zeros(num_envs, bool)
        self._begun = False
        self._last_u = np.zeros((num_envs, world.nu))
        self._state.start_u = np.asarray(task.start_controls(self._state), float)
        task.begin(self._state)
        self._restart(np.arange(num_envs))
        self._spaces(actions)
        rate = round(1 / self._state.dt)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode, "render_fps": rate}

    def _spaces(self, actions: int) -> None:
        width = self._observe().shape[1]
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (width,), np.float32)
        self.single_action_space = gymnasium.spaces.Box(-1.0, 1.0, (actions,), np.float32)
        batched = gymnasium.vector.utils.batch_space
        self.observation_space = batched(self.single_observation_space, self.num_envs)
        self.action_space = batched(self.single_action_space, self.num_envs)

    @property
    def state(self) -> State:
        """The arrays that the task sees."""
        return self._state

    # ---- Episodes ---------------------------------------------------------------------------------------------------

    def _restart(self, robots: npt.NDArray[np.int64]) -> None:
        """Begin episodes."""
        s = self._state
        s.random = self.np_random
        q, v = np.zeros((s.n, s.model.nq)), np.zeros((s.n, s.model.nv))
        q[robots], v[robots] = self.task.reset(s, robots)
        self._vary.reset(robots, s.random)
        self.batch.reset(robots, q=q, v=v)
        for array in (s.action, s.last_action, s.contact_force):
            array[robots] = 0
        s.u[robots] = self._last_u[robots] = s.start_u
        s.step[robots] = 0
        s.forget()

    def _observe(self) -> Observation:
        found = np.asarray(self.task.observe(self._state))
        if found.ndim != 2 or found.shape[0] != self.num_envs:
            raise errors.ArgumentError(f"observe(): [{self.num_envs}, k] is expected, its shape is {found.shape}")
        return found.astype(np.float32)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin new episodes, all or those of options["reset_mask"] [num_envs]."""
        if seed is not None and not isinstance(seed, (int, np.integer)):
            numbers = [s for s in seed if s is not None]  # one generator serves all: it is seeded by all of them
            seed = int(np.random.SeedSequence(numbers).generate_state(1)[0]) if numbers else None
        super().reset(seed=seed, options=options)
        mask = (options or {}).get("reset_mask")
        robots = np.arange(self.num_envs) if mask is None else np.flatnonzero(np.asarray(mask, bool))
        self._restart(robots)
        self._ended[robots] = False
        self._begun = True
        return self._observe(), {}

    # ---- Steps ------------------------------------------------------------------------------------------------------

    def _advance(self, u: Array) -> None:
        """One control step of physics."""
        vary, s, skip = self._vary, self._state, self.task.frame_skip
        pushed = vary.plan(s.random)
        if vary.what.latency == (0.0, 0.0) and not pushed:
            self._roll(u, skip, self._record)
            return
        for k in range(skip):
            now = np.where((k < vary.latency)[:, None], self._last_u, u)
            vary.push()
            self._roll(now, 1, self._record if k == skip - 1 else ())

    def _roll(self, u: Array, hold: int, record: tuple[str, ...]) -> None:
        out = {name: self._state.contact_force[:, None] for name in record}
        self.batch.rollout(np.ascontiguousarray(u)[:, None], hold=hold, record=record, out=out)

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Advance all robots by frame_skip physics steps."""
        if not self._begun:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            raise errors.ArgumentError(
                f"{int(self._ended.sum())} episodes have ended: reset them, reset(options={{'reset_mask': mask}})"
            )
        s, task = self._state, self.task
        given = np.asarray(actions, float)
        if given.shape != s.action.shape:
            raise errors.ArgumentError(f"actions: {s.action.shape} is expected, their shape is {given.shape}")
        s.last_action, s.action = s.action, np.clip(given, -1.0, 1.0)
        s.u = np.array(np.broadcast_to(task.controls(s, s.action), s.u.shape), float)
        self._advance(s.u)
        self._last_u = s.u.copy()
        s.step += 1
        s.forget()
        return self._judge()

    def _judge(self) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        s, task = self._state, self.task
        rewards = np.array(task.reward(s), float)
        terminations = np.array(task.terminated(s), bool) | s.failed
        limit = self.max_episode_steps
        truncations = np.zeros(s.n, bool) if limit is None else (s.step >= limit) & ~terminations
        info: dict[str, Any] = dict(task.info(s))
        if self.autoreset_mode is AutoresetMode.NEXT_STEP and self._ended.any():
            self._restart(np.flatnonzero(self._ended))  # their action was not used
            rewards[self._ended] = 0.0
            terminations[self._ended] = truncations[self._ended] = False
        ended = terminations | truncations
        observations = self._observe()
        if self.autoreset_mode is AutoresetMode.SAME_STEP and ended.any():
            info = {**info, **self._finals(observations, info, ended)}
            self._restart(np.flatnonzero(ended))
            observations = self._observe()
        self._ended = ended
        return observations, rewards, terminations, truncations, info

    def _finals(self, observations: Observation, info: dict[str, Any], ended: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """What Gymnasium puts into info where episodes ended in this step."""
        final = np.full(self.num_envs, None, object)
        for robot in np.flatnonzero(ended):
            final[robot] = observations[robot].copy()
        kept = {name: np.array(values) for name, values in info.items()}
        return {"final_obs": final, "_final_obs": ended.copy(), "final_info": kept, "_final_info": ended.copy()}

    def close_extras(self, **keywords: Any) -> None:
        """Give back the batch."""
        self.batch.close()

    def render(self) -> tuple[Image, ...] | None:
        """With render_mode "rgb_array" an image [height, width, 3] of each robot."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() draws nothing: the environment was made without render_mode='rgb_array'")
            return None
        return tuple(self.picture(robot) for robot in range(self.num_envs))

    def picture(self, robot: int = 0) -> Image:
        """The image [height, width, 3] of one robot, of the task's `picture` size."""
        if self._renderer is None:
            width, height = self.task.picture
            start = self._state.start_q
            self._renderer = Renderer(self.batch.world, width=width, height=height, q=start, **self.task.camera)
        return self._renderer.draw(self.batch.q[robot])


def _mode(mode: AutoresetMode | str) -> AutoresetMode:
    if isinstance(mode, AutoresetMode):
        return mode
    for known in AutoresetMode:
        if mode.replace("_", "").lower() in (known.name.replace("_", "").lower(), known.value.lower()):
            return known
    raise errors.ArgumentError(f"autoreset_mode: '{mode}' is none of next_step, same_step, disabled")
