"""Batches: against sims, against themselves with other threads, with robots that fail."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import footfall as ff


def test_a_robot_moves_as_a_sim_does(world: ff.World) -> None:
    batch = world.batch(5, posture="standing", seed=1)
    sim = world.sim(posture="standing")
    u = 0.05 * batch.random.standard_normal((5, 12))
    for _ in range(20):
        batch.step(u)
        sim.step(u[3])
    # steps in lanes differ from a sim's by rounding, 1e-10 relative to 1 + the number in each (docs/guide/batch.md)
    np.testing.assert_allclose(batch.q[3], sim.q, atol=1e-9)
    counts = batch.counts
    assert counts.steps == 100 and counts.why is None and batch.memory.total > 0
    assert sum(counts.alone.values()) == counts.steps - counts.in_lanes and counts.alone["state"] >= 5
    assert len(batch) == 5 and batch.time.tolist() == [pytest.approx(0.04)] * 5 and "5 x 'solo'" in repr(batch)
    assert batch.info(0).contacts >= 0 and batch.totals(0).steps == 20


def test_threads_neighbours_and_inputs_change_no_bit(world: ff.World) -> None:
    rng = np.random.default_rng(0)
    u = 0.1 * rng.standard_normal((37, 12))
    ends = []
    for threads in (1, 2, 3):
        batch = world.batch(37, posture="standing", threads=threads)
        for k in range(10):
            batch.step(u if k % 2 else u.tolist())
        assert batch.threads == threads
        ends.append(batch.states)
    batch = world.batch(2, posture="standing")
    batch.step_many(4, u[5:7])
    batch.begin(6, u[5:7])
    batch.wait()
    for end in (*ends[1:], None):
        if end is not None:
            np.testing.assert_array_equal(end, ends[0])
    np.testing.assert_array_equal(batch.states, ends[0][5:7])
    wide = np.zeros((37, 24))
    wide[:, ::2] = u
    a, b = world.batch(37, posture="standing"), world.batch(37, posture="standing")
    a.step(u)
    b.step(wide[:, ::2])
    np.testing.assert_array_equal(a.states, b.states)
    tau = np.zeros((37, 18))
    tau[:, 6:] = u
    c = world.batch(37, posture="standing")
    c.step(tau=tau)
    np.testing.assert_allclose(c.q, a.q, atol=1e-12)


def test_a_batch_may_be_forgotten_while_it_steps(world: ff.World) -> None:
    for end in ("close", "del", "wait"):
        batch = world.batch(64, posture="standing")
        q = batch.q
        batch.begin(20, np.zeros((64, 12)), tau=np.zeros((64, 18)))
        if end == "del":
            del batch
        else:
            getattr(batch, end)()
        garbage = [np.full((64, 18), np.nan) for _ in range(20)]  # where its arrays were, if they were freed
        assert len(garbage) == 20 and q.shape == (64, 19)
    assert np.isfinite(q).all()


def test_views_are_live_and_outlive_the_batch(world: ff.World) -> None:
    batch = world.batch(3, posture="standing")
    q, v, time, status = batch.q, batch.v, batch.time, batch.status
    before = q.copy()
    batch.step()
    assert not np.array_equal(q, before) and (time == 2e-3).all() and (status == 0).all()
    for array in (q, v, time, status, batch[1].q):
        with pytest.raises(ValueError):
            array[...] = 1
    batch[1].reset()  # a robot that is changed alone shows at once
    assert q[1, 2] == 0 and batch[1].q[2] == 0 and time[1] == 0 and (batch[1].v == 0).all()
    batch[2].step(np.zeros(12))
    assert time[2] == pytest.approx(4e-3)
    batch[0].set_posture("squat")
    np.testing.assert_array_equal(q[0], world.model.postures["squat"])
    kept = q.copy()
    batch.close()
    np.testing.assert_array_equal(q, kept)
    for use in (lambda: batch.q, lambda: batch.step(), lambda: batch.states, lambda: batch[0].time):
        with pytest.raises(ff.ClosedError):
            use()


def test_resets_and_states(world: ff.World) -> None:
    batch = world.batch(6)
    squat = world.model.postures["squat"]
    batch.reset(posture="standing")
    batch.reset([0, -1], q=squat)
    np.testing.assert_array_equal(batch.q[5], squat)
    assert not np.array_equal(batch.q[1], squat)
    q = np.tile(squat, (6, 1))
    q[:, 2] += np.arange(6)
    batch.reset(np.arange(6) > 3, q=q, v=np.ones(18))
    assert batch.q[5, 2] == q[5, 2] and (batch.v[5] == 1).all() and (batch.v[0] == 0).all()
    states = batch.states
    batch.step()
    batch.set_states(states, [2])
    np.testing.assert_array_equal(batch.states[2], states[2])
    batch.states = states
    np.testing.assert_array_equal(batch.states, states)
    sim = world.sim(posture="standing")
    batch.states = sim.state
    np.testing.assert_array_equal(batch[4].state, sim.state)
    batch[4].state = states[4]
    np.testing.assert_array_equal(batch.states[4], states[4])
    for bad in (
        lambda: batch.reset([9]),
        lambda: batch.reset(np.zeros(5, bool)),
        lambda: batch.reset([0.5]),
        lambda: batch.reset(q=q[:5]),
        lambda: batch.reset(q=q * np.nan),
        lambda: batch.set_states(states[:, :-1]),
        lambda: batch.set_states(states * np.nan),
        lambda: batch.reset(v=np.zeros(17)),
        lambda: batch.reset(posture="x"),
    ):
        with pytest.raises(ff.ArgumentError):
            bad()
    with pytest.raises(TypeError):
        batch.reset(posture="standing", q=q)
    with pytest.raises(IndexError):
        batch[6]
    assert len(list(batch)) == 6 and "robot 2" in repr(batch[2])


def test_robots_that_fail_stop_alone(world: ff.World) -> None:
    batch = world.batch(4, posture="standing")
    u = np.zeros((4, 12))
    u[2, 5] = np.nan
    batch.step(u)
    assert batch.failed.tolist() == [2] and batch.status[2] != 0 and "1 failed" in repr(batch)
    assert "robot 2" in str(batch.error(2)) and batch.error(1) is None
    with pytest.raises(ff.ArgumentError, match="robot 2"):
        batch.raise_failed()
    batch.reset([2], posture="standing")
    batch.raise_failed()
    assert len(batch.failed) == 0


def test_rollouts_are_steps(world: ff.World) -> None:
    rng = np.random.default_rng(2)
    u = 0.05 * rng.standard_normal((3, 5, 12))
    a, b = world.batch(3, posture="standing"), world.batch(3, posture="standing")
    record = ("q", "v", "time", "status", "energy", "contacts", "contact_force", "slip", "penetration")
    found = a.rollout(u, hold=2, record=record)
    for k in range(5):
        for _ in range(2):
            b.step(u[:, k])
        np.testing.assert_array_equal(found["q"][:, k], b.q)
        np.testing.assert_array_equal(found["v"][:, k], b.v)
        assert found["energy"][1, k, 0] == pytest.approx(b[1].energy().kinetic, rel=1e-9)
        assert found["contacts"][1, k, 0] == len(b[1].contacts)
    assert found["contact_force"].shape == (3, 5, 17, 3) and found["status"].sum() == 0
    np.testing.assert_array_equal(a.states, b.states)
    out = {"q": np.empty((3, 2, 19))}
    again = a.rollout(frames=2, record=["q"], out=out)
    assert again["q"] is out["q"]
    tau = a.rollout(tau=np.zeros((3, 2, 18)), record=["time"])
    assert tau["time"].shape == (3, 2, 1)
    for bad in (
        lambda: a.rollout(),
        lambda: a.rollout(u[:2]),
        lambda: a.rollout(u[0]),
        lambda: a.rollout(u, record=["x"]),
        lambda: a.rollout(u, hold=0),
        lambda: a.rollout(u, hold=1.5),
        lambda: a.rollout(frames=-1),
        lambda: a.rollout(frames=2, record=["q"], out={"q": np.empty((3, 2, 18))}),
        lambda: a.rollout(frames=2, record=["q"], out={"q": np.empty((3, 2, 38))[..., ::2]}),
    ):
        with pytest.raises(ff.Error):
            bad()


def test_bad_input(world: ff.World) -> None:
    batch = world.batch(3, posture="standing")
    u = np.zeros((3, 12))
    before = batch.states
    for bad in (u[:2], u[0], u.T, "u", u + 1j, u > 1, [[1]], np.zeros((3, 12), object)):
        with pytest.raises(ff.ArgumentError):
            batch.step(bad)
        with pytest.raises(ff.ArgumentError):
            batch.set_controls(bad)
    np.testing.assert_array_equal(batch.states, before)
    for bad in (0, -1, 2**40, "3", 2.5):
        with pytest.raises((ff.Error, OverflowError, TypeError)):
            world.batch(bad)  # type: ignore[arg-type]
    for call in (
        lambda: batch.error(3),
        lambda: batch.info(-4),
        lambda: batch.set_parameters(5, world.parameters()),
        lambda: batch.step_many(-1),
        lambda: batch.step_many(1.5),
        lambda: batch.tensor("x"),
        lambda: batch.push("base_link", np.zeros((2, 3))),
        lambda: batch.vary(mass=[1, 2]),
    ):
        with pytest.raises(ff.ArgumentError):
            call()
    other = ff.World(ff.share("models/ball.urdf"))
    with pytest.raises(ff.ArgumentError, match="worlds"):
        batch.set_parameters(0, other.parameters())


def test_parameters_variations_and_pushes(world: ff.World) -> None:
    batch = world.batch(4, posture="standing")
    heavy = world.parameters()
    heavy.scale_masses(1.5)
    batch.set_parameters(1, heavy)
    batch.vary([2, 3], mass=[1.5, 1.0], friction=[1.0, 0.5])
    assert batch.parameters(2).inertia("base_link").mass == pytest.approx(heavy.inertia("base_link").mass)
    shape = next(i for i, s in enumerate(world.model.shapes) if s.shape.collision)
    assert batch[3].parameters.material(shape).friction == pytest.approx(0.5 * heavy.material(shape).friction)
    u = np.zeros((4, 12))
    for _ in range(10):
        batch.step(u)
    np.testing.assert_array_equal(batch.q[1], batch.q[2])
    assert not np.array_equal(batch.q[3], batch.q[0])
    batch[0].parameters = heavy
    again, twin, third = pickle.loads(pickle.dumps(batch)), batch.copy(), copy.deepcopy(batch)
    for b in (batch, again, twin, third):
        b.push("base_link", [[0, 0, 10 * k] for k in range(4)], robots=[False, True, True, True])
        b.push("base_link", torque=(0, 0, 0.01), at=(0, 0, 0))
        b.step(u)
    for b in (again, twin, third):
        np.testing.assert_array_equal(b.states, batch.states)
    twin.vary(stiffness=1.1, damping=0.9)
    motors = ff.World(
        world.model, elements=ff.motors(world.model, world.model.postures["standing"], kp=5, kd=0.1), dt=2e-3
    )
    pair = motors.batch(2)
    pair.vary([1], gains=2.0)
    index = pair[1].find_motor("FL_KFE")
    assert pair.parameters(1).gains(index)[0] == 10 and pair.parameters(0).gains(index)[0] == 5


def test_what_is_asked_of_a_batch_waits_for_its_steps(world: ff.World) -> None:
    start = world.model.posture("standing")
    twin = world.batch(64, q=start)
    twin.step_many(200)
    for ask in (lambda b: b.q, lambda b: b.v, lambda b: b.time, lambda b: np.asarray(b.tensor("q"))):
        batch = world.batch(64, q=start, threads=1)
        batch.begin(200)
        found = ask(batch).copy()  # of finished steps, not of some on their way
        np.testing.assert_array_equal(found, ask(twin))
        batch.close()


class OfBefore:
    """What a library asks that knows no version 1 of DLPack."""

    def __init__(self, tensor: Any, copy: bool | None = None) -> None:
        self.tensor, self.copy = tensor, copy

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.tensor.__dlpack_device__()

    def __dlpack__(self, **asked: Any) -> Any:
        return self.tensor.__dlpack__(copy=self.copy)


def test_nobody_else_writes_to_states(world: ff.World) -> None:
    batch = world.batch(2, posture="standing")
    before = batch.q.copy()
    legacy = np.from_dlpack(OfBefore(batch.tensor("q")))
    shared = np.from_dlpack(OfBefore(batch.tensor("q", share=True)))
    modern = np.from_dlpack(batch.tensor("q"))
    batch.step()
    np.testing.assert_array_equal(legacy, before)  # a copy
    np.testing.assert_array_equal(shared, batch.q)
    with pytest.raises(BufferError, match="version 1"):
        np.from_dlpack(OfBefore(batch.tensor("q"), copy=False))
    batch.tensor().__dlpack__(max_version=(1, 0))  # a capsule that nobody takes
    if np.lib.NumpyVersion(np.__version__) >= "2.1.0":  # it knows version 1
        np.testing.assert_array_equal(modern, batch.q)
        assert not modern.flags.writeable
        copied = np.from_dlpack(batch.tensor("q"), copy=True)
        assert not np.shares_memory(copied, batch.q)
    else:
        np.testing.assert_array_equal(modern, before)


def test_dlpack_shares_memory(world: ff.World) -> None:
    import gc

    from footfall import dlpack

    batch = world.batch(3, posture="standing")
    shared = np.from_dlpack(batch.tensor("q", share=True))
    batch.step(np.full((3, 12), 0.1))
    np.testing.assert_array_equal(shared, batch.q)  # live
    assert batch.tensor("v").shape == (3, 18) and np.asarray(batch.tensor("time")).shape == (3,)
    assert batch.tensor().__dlpack_device__() == (1, 0)
    held = len(dlpack._HELD)
    batch.tensor().__dlpack__()  # a capsule that nobody takes
    copied = np.from_dlpack(batch.tensor("v"), copy=True) if np.lib.NumpyVersion(np.__version__) >= "2.1.0" else None
    del copied
    gc.collect()
    assert len(dlpack._HELD) == held == 1
    q = batch.q.copy()
    batch.close()
    del batch
    gc.collect()
    np.testing.assert_array_equal(shared, q)
    del shared
    gc.collect()
    assert not dlpack._HELD
    with pytest.raises(BufferError):
        dlpack.Tensor(q).__dlpack__(dl_device=(2, 0))
