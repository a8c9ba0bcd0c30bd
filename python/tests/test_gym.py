"""Environments: what Gymnasium asks for, and that the same seeds give the same bits."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

import footfall as ff  # noqa: E402
import footfall.gym  # noqa: E402
from footfall.gym import Pushes, Randomisation  # noqa: E402

IDS = ["Solo12Stand", "Solo12Trot", "Hopper", "RomeoStand"]


class Balance(footfall.gym.Task):
    scene = {
        "model": ff.share("models/solo12.urdf"),
        "dt": "2ms",
        "start": {"posture": "standing"},
        "controller": {"type": "posture-pd", "kp": 4, "kd": 0.1},
    }
    options = {"model_elements": False}
    max_episode_steps = 20

    def observe(self, s: footfall.gym.State) -> np.ndarray:
        return np.hstack([s.gravity, s.angular_velocity, s.joints - s.start_joints, s.joint_rates])

    def reward(self, s: footfall.gym.State) -> np.ndarray:
        return s.up

    def terminated(self, s: footfall.gym.State) -> np.ndarray:
        return s.up < 0.5

    def info(self, s: footfall.gym.State) -> dict[str, np.ndarray]:
        return {"height": s.height.copy()}


@pytest.mark.parametrize("id", IDS)
def test_gymnasiums_own_check(id: str) -> None:
    env = gymnasium.make(f"footfall/{id}-v0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a Box is infinite
        check_env(env.unwrapped)
    env.reset(seed=1)
    for _ in range(5):
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        assert env.observation_space.contains(observation) and isinstance(reward, float)
    env.close()


@pytest.mark.parametrize("id", IDS)
def test_the_same_seed_gives_the_same_bits(id: str) -> None:
    runs = []
    for threads in (1, 2, 1):
        envs = gymnasium.make_vec(f"footfall/{id}-v0", num_envs=19, threads=threads)
        observations, _ = envs.reset(seed=3)
        random, seen = np.random.default_rng(0), [observations]
        for _ in range(30):
            observations, rewards, ended, cut, _ = envs.step(random.uniform(-1, 1, envs.action_space.shape))
            seen += [observations, rewards, ended, cut]
        runs.append(np.concatenate([np.ravel(x) for x in seen]))
        envs.close()
    np.testing.assert_array_equal(runs[1], runs[0])
    np.testing.assert_array_equal(runs[2], runs[0])
    other = gymnasium.make_vec(f"footfall/{id}-v0", num_envs=19)
    assert not np.array_equal(other.reset(seed=4)[0], runs[0][: other.observation_space.shape[1] * 19].reshape(19, -1))


def vector(mode: str = "next_step", **changes: Any) -> footfall.gym.VectorEnv:
    return footfall.gym.VectorEnv(Balance(**changes), 3, autoreset_mode=mode, threads=1)


def test_episodes_end_and_begin_in_the_next_step() -> None:
    envs = vector()
    envs.reset(seed=0)
    zero = np.zeros((3, 12))
    for k in range(20):
        _, rewards, terminated, truncated, info = envs.step(zero)
        assert not terminated.any() and truncated.all() == (k == 19) and info["height"].shape == (3,)
    before = envs.state.time.copy()
    observations, rewards, terminated, truncated, _ = envs.step(np.ones((3, 12)))  # the action is not used
    assert (before > 0.1).all() and (envs.state.time == 0).all() and (rewards == 0).all()
    assert not (terminated | truncated).any() and (envs.state.step == 0).all()
    np.testing.assert_array_equal(observations, Balance.observe(envs.task, envs.state).astype(np.float32))
    envs.step(zero)
    assert (envs.state.step == 1).all()


def test_episodes_end_and_begin_in_the_same_step() -> None:
    envs = vector("same_step")
    envs.reset(seed=0)
    for _ in range(20):
        observations, _, _, truncated, info = envs.step(np.zeros((3, 12)))
    assert truncated.all() and (envs.state.time == 0).all() and info["_final_obs"].all()
    assert info["final_obs"][1].shape == observations[1].shape and not np.array_equal(
        info["final_obs"][1], observations[1]
    )
    assert info["final_info"]["height"].shape == (3,)


def test_episodes_that_the_caller_begins() -> None:
    envs = vector("disabled")
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(np.zeros((3, 12)))
    envs.reset(seed=0)
    for _ in range(20):
        envs.step(np.zeros((3, 12)))
    with pytest.raises(ff.ArgumentError, match="reset_mask"):
        envs.step(np.zeros((3, 12)))
    kept = envs.state.q[2].copy()
    envs.reset(options={"reset_mask": np.array([True, True, False])})
    np.testing.assert_array_equal(envs.state.q[2], kept)
    with pytest.raises(ff.ArgumentError):
        envs.step(np.zeros((3, 12)))
    envs.reset(options={"reset_mask": np.array([False, False, True])})
    envs.step(np.zeros((3, 12)))


def test_falls_terminate_and_failures_too() -> None:
    envs = vector(max_episode_steps=None, action_scale=2.0, start_noise=(0.3, 0.3))
    envs.reset(seed=0)
    ended = np.zeros(3, bool)
    for _ in range(200):
        envs.batch.push("base_link", (0, 60, 0))
        _, _, terminated, truncated, _ = envs.step(np.zeros((3, 12)))
        ended |= terminated
        assert not truncated.any()
    assert ended.all()
    bad = envs.batch.q.copy()
    envs.reset()
    envs.batch[1].push("base_link", (1e9, 0, 0))
    _, _, terminated, _, _ = envs.step(np.zeros((3, 12)))
    assert terminated[1] and bad.shape == (3, 19)


def test_randomisation() -> None:
    what = Randomisation(
        mass=(0.8, 1.2),
        friction=(0.5, 1.0),
        stiffness=(0.9, 1.1),
        damping=(0.9, 1.1),
        gains=(0.9, 1.1),
        latency=(0.0, 0.01),
        pushes=Pushes("base_link", (0.5, 0.5), (0.02, 0.05), 0.01),
    )
    ends = []
    for threads in (1, 2):
        envs = footfall.gym.VectorEnv(Balance(randomisation=what), 20, threads=threads)
        envs.reset(seed=[7, 8])
        masses = [envs.batch.parameters(i).inertia("base_link").mass for i in range(20)]
        for _ in range(15):
            envs.step(np.full((20, 12), 0.1))
        ends.append(envs.batch.states)
        assert envs._vary.latency.max() > envs._vary.latency.min() >= 0
    np.testing.assert_array_equal(*ends)
    base = ff.Model(ff.share("models/solo12.urdf")).link("base_link").inertia.mass
    assert np.ptp(masses) > 0.1 * base and min(masses) >= 0.8 * base and max(masses) <= 1.2 * base
    plain = footfall.gym.VectorEnv(Balance(), 20)
    plain.reset(seed=[7, 8])
    for _ in range(15):
        plain.step(np.full((20, 12), 0.1))
    assert (
        np.abs(envs.state.world_velocity[:, :2]).max() > 3 * np.abs(plain.state.world_velocity[:, :2]).max()
    )  # pushed
    assert plain._vary.is_plain and not envs._vary.is_plain


def test_latency_delays_actions_by_physics_steps() -> None:
    late = footfall.gym.VectorEnv(
        Balance(randomisation=Randomisation(latency=(0.004, 0.004)), start_noise=(0.0, 0.0)), 1
    )
    prompt = footfall.gym.VectorEnv(Balance(start_noise=(0.0, 0.0)), 1)
    for envs in (late, prompt):
        envs.reset(seed=0)
    action = np.full((1, 12), 0.5)
    late.step(action)
    sim = prompt.batch[0]
    hold = prompt.state.start_u
    for k in range(5):  # 4 ms are two steps
        sim.step(hold if k < 2 else hold + 0.3 * 0.5)
    np.testing.assert_allclose(late.batch.q, prompt.batch.q, atol=1e-12)  # in lanes: up to rounding
    prompt.reset(seed=0)
    prompt.step(action)
    assert np.abs(late.batch.q - prompt.batch.q).max() > 1e-4


def test_what_a_task_sees() -> None:
    envs = footfall.gym.VectorEnv(Balance(), 2)
    envs.reset(seed=0)
    envs.step(np.zeros((2, 12)))
    s = envs.state
    sim = envs.batch[1]
    assert s.n == 2 and s.dt == pytest.approx(0.01) and s.touches("FL_FOOT").shape == (2, 1)
    np.testing.assert_allclose(s.R[1], sim.link("base_link").pose.R, atol=1e-12)
    np.testing.assert_allclose(s.world_velocity[1], sim.link("base_link").velocity[:3], atol=1e-12)
    np.testing.assert_allclose(s.gravity[1], s.R[1].T @ [0, 0, -1], atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(s.heading_velocity, axis=1), np.linalg.norm(s.world_velocity, axis=1))
    np.testing.assert_array_equal(s.joints[1], sim.q[7:])
    assert s.up[1] == pytest.approx(1, abs=0.01) and s.quaternion.shape == (2, 4) and s.position.shape == (2, 3)
    np.testing.assert_allclose(s.contact_force[1].sum(0), sim.contacts.mean_force.sum(0), atol=1e-6)
    with pytest.raises(ff.UnknownName):
        s.touches("nose")
    hopper = gymnasium.make_vec("footfall/Hopper-v0", num_envs=2)
    with pytest.raises(AttributeError, match="floating base"):
        hopper.unwrapped.state.position  # noqa: B018


def test_registered_tasks_and_bad_input() -> None:
    footfall.gym.register("test/Balance-v0", Balance)
    envs = gymnasium.make_vec("test/Balance-v0", num_envs=2, frame_skip=2, autoreset_mode="same_step")
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP and envs.task.frame_skip == 2
    assert envs.metadata["render_fps"] == 250
    envs.reset(seed=None)
    for bad in (np.zeros((2, 11)), np.zeros(12), np.zeros((3, 12))):
        with pytest.raises(ff.ArgumentError):
            envs.step(bad)
    envs.step(np.full((2, 12), 1e9))  # actions are clipped
    np.testing.assert_array_equal(envs.state.action, 1.0)
    single = gymnasium.make("test/Balance-v0", action_scale=0.1)
    assert single.unwrapped.vector.task.action_scale == 0.1 and single.unwrapped.state.n == 1
    with pytest.raises(TypeError, match="frame_skp"):
        gymnasium.make_vec("test/Balance-v0", frame_skp=2)
    with pytest.raises(ff.ArgumentError, match="autoreset_mode"):
        vector("sometimes")
    with pytest.raises(ff.UnsupportedError, match="render_mode"):
        footfall.gym.VectorEnv(Balance(), 1, render_mode="ansi")
    with pytest.warns(UserWarning, match="rgb_array"):
        assert envs.render() is None
    nothing = footfall.gym.Task(scene=Balance.scene)
    with pytest.raises(NotImplementedError):
        footfall.gym.VectorEnv(nothing, 1)
    with pytest.raises(NotImplementedError):
        nothing.reward(envs.state)
    assert not nothing.terminated(envs.state).any()
    assert pickle.loads(pickle.dumps(Balance(frame_skip=3))).frame_skip == 3
    envs.close()
    with pytest.raises(ff.ClosedError):
        _ = envs.batch.q


@pytest.mark.parametrize("id", ["Solo12Trot", "Hopper", "RomeoStand"])
def test_images(id: str) -> None:
    """What Gymnasium asks of render_mode rgb_array; the same state gives the same image, wherever it is."""
    env = gymnasium.make(f"footfall/{id}-v0", render_mode="rgb_array", picture=(160, 120))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*(infinity|-inf).*")
        check_env(env.unwrapped)
    env.reset(seed=0)
    first = env.render()
    assert first.shape == (120, 160, 3) and first.dtype == np.uint8 and first.std() > 5
    np.testing.assert_array_equal(first, env.render())
    for _ in range(20):
        env.step(env.action_space.sample())
    assert np.abs(env.render().astype(int) - first).max() > 20
    envs = gymnasium.make_vec(f"footfall/{id}-v0", num_envs=3, render_mode="rgb_array", picture=(160, 120))
    assert envs.metadata["render_modes"] == ["rgb_array"] and envs.metadata["render_fps"] in (50, 100)
    envs.reset(seed=0)
    images = envs.render()
    assert isinstance(images, tuple) and len(images) == 3 and not np.array_equal(images[0], images[1])
    one = ff.Renderer(envs.batch.world, width=160, height=120, q=envs.state.start_q)
    np.testing.assert_array_equal(images[2], one.draw(envs.batch.q[2]))


def test_videos(tmp_path: Any) -> None:
    env = gymnasium.make("footfall/Hopper-v0", render_mode="rgb_array", picture=(64, 48))
    with gymnasium.wrappers.RenderCollection(env) as collected:
        collected.reset(seed=0)
        for _ in range(5):
            collected.step(collected.action_space.sample())
        frames = collected.render()
    assert len(frames) == 6 and all(frame.shape == (48, 64, 3) for frame in frames)
    pytest.importorskip("moviepy")
    envs = gymnasium.make_vec("footfall/Hopper-v0", num_envs=2, render_mode="rgb_array", picture=(64, 48))
    recorded = gymnasium.wrappers.vector.RecordVideo(envs, str(tmp_path), video_length=10)
    recorded.reset(seed=0)
    for _ in range(12):
        recorded.step(recorded.action_space.sample())
    recorded.close()
    (video,) = tmp_path.glob("*.mp4")
    assert video.stat().st_size > 1000


def test_environments_in_other_processes() -> None:
    envs = gymnasium.make_vec("footfall/Solo12Stand-v0", num_envs=2, vectorization_mode="async")
    observations, _ = envs.reset(seed=0)
    envs.step(np.zeros(envs.action_space.shape))
    assert observations.shape == (2, 45)
    envs.close()
