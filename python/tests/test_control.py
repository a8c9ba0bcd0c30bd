"""Controllers, comparisons, reference solutions."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import footfall as ff

FEET = ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT")


@pytest.fixture(scope="module")
def model(root: Path) -> ff.Model:
    return ff.Model(root / "models/solo12.urdf")


def test_whole_body_control_carries_the_robot(model: ff.Model) -> None:
    q, v = model.posture("standing"), np.zeros(18)
    body = ff.WholeBody(
        model,
        contacts=[ff.ContactTask(foot) for foot in FEET],
        frames=[ff.FrameTask("base_link", task=ff.Task(weight=0.1))],
        com=ff.Task(1.0),
        torque_limits=np.full(18, 10.0),
        posture=ff.Task(1e-3),
        momentum=ff.Task(1e-4),
    )
    body.hold(q)
    tau = body.solve(q, v)
    total = sum(body.force(i).sum(0) for i in range(4))
    np.testing.assert_allclose(total, [0, 0, model.mass * 9.81], atol=1e-3)
    d = model.dynamics()
    J = np.vstack([d.point_jacobian(q, [(foot, (0, 0, 0))]) for foot in FEET])
    forces = np.concatenate([body.force(i)[0] for i in range(4)])
    np.testing.assert_allclose(d.rnea(q, v, body.vdot), tau + J.T @ forces, atol=1e-8)
    assert body.info.status == "solved" and body.contact_is_on(0) and "4 contacts" in repr(body)
    com = d.com(q)
    body.set_com(com + [0, 0, 0.01], (0, 0, 0), (0, 0, 0))
    assert body.solve(q, v) is not None and body.force(0).shape == (1, 3)
    pose = ff.Pose(q[:3], q[3:7])
    body.set_frame(0, pose, np.zeros(6), np.zeros(6))
    body.set_frame_weight(0, 0.2)
    body.set_posture(q)
    body.set_contact(3, False)
    body.solve(q, v)
    np.testing.assert_array_equal(body.force(3), 0)
    np.testing.assert_array_equal(body.tau[:6], 0)
    body.set_contact(3, True, q)
    for bad in (
        lambda: body.force(4),
        lambda: body.set_contact(-1, True),
        lambda: body.set_frame(1, pose),
        lambda: body.set_frame_weight(2, 1),
        lambda: body.solve(q[:-1], v),
        lambda: body.set_com((1, 2)),
        lambda: ff.WholeBody(model, contacts=[ff.ContactTask("nose")]),
        lambda: body.contact_is_on(9),
        lambda: ff.WholeBody(model, contacts=[ff.ContactTask("FL_FOOT", points=((0, 0),))]),
        lambda: body.hold("q"),
    ):
        with pytest.raises(ff.ArgumentError):
            bad()
    with pytest.raises(ff.ArgumentError, match="finite"):
        body.solve(q * np.nan, v)


def test_a_trot_walks(model: ff.Model) -> None:
    world = ff.World(model, dt=2e-3, model_elements=False)
    sim = world.sim(posture="standing")
    trot = ff.Trot(model, "base_link", FEET, sim.q, start_time=0.1, speed=0.2)
    state = trot.state
    first = trot.tau(0.0, sim.q, sim.v)
    trot.state = state
    np.testing.assert_array_equal(trot.tau(0.0, sim.q, sim.v), first)
    for _ in range(500):
        sim.step(tau=trot.tau(sim.time, sim.q, sim.v))
    assert sim.q[0] > 0.05
    with pytest.raises(ff.ArgumentError):
        ff.Trot(model, "base_link", FEET[:3], sim.q)
    with pytest.raises(ff.ArgumentError, match="no field"):
        ff.Trot(model, "base_link", FEET, sim.q, sped=1.0)


def test_a_jump_begins_and_motions(model: ff.Model) -> None:
    q = model.posture("standing")
    jump = ff.Jump(model, "base_link", FEET, q, landing=q, flight=0.3)
    assert jump.takeoff > 0.5 and jump.tau(0, q, np.zeros(18)).shape == (18,)
    moment = ff.Squat((0, 0, 1), (0, 0, 0.1), (0, 0, 2.0)).at(0.3)
    assert moment.position[2] == pytest.approx(1 + 0.1 * math.sin(0.6)) and moment.velocity[2] == pytest.approx(
        0.2 * math.cos(0.6)
    )
    walk = ff.Walk([[0, -0.1, 0], [0, 0.1, 0]], (0, 0, 0.6), steps=2, sole=(-0.05, 0.1, -0.05, 0.05))
    assert walk.duration > 2 and walk.at(0).is_standing == (True, True)
    assert walk.at(walk.duration).steps_taken == 2 and walk.at(1.0).com.position[2] == pytest.approx(0.6)
    with pytest.raises(ff.Error):
        ff.Walk([[0, -0.1, 0], [0, 0.1, 0]], (5, 0, 0.6))


def test_controllers_by_name(model: ff.Model, root: Path) -> None:
    q, v = model.posture("standing"), np.zeros(18)
    squat = ff.Controller(
        model, "squat", q, period=0.01, squat={"feet": FEET, "amplitude": (0, 0, 0.02), "rate": (0, 0, 6)}
    )
    assert squat.com(0.0) is not None and squat.tau(0.1, q, v).shape == (18,)
    hold = ff.Controller(model, "posture", q, period=0.01, kp=5.0, kd=0.1)
    moved = q.copy()
    moved[9] += 0.1
    assert hold.tau(0, moved, v)[8] == pytest.approx(-0.5) and hold.com(0) is None
    trajectory = ff.Trajectory.load(root / "scenes/data/solo-jump.txt", model)
    ours = ff.Controller(model, "feedback", q, period=0.01, trajectory=trajectory)
    feedback = ff.Feedback(model, trajectory)
    np.testing.assert_array_equal(ours.tau(0.2, q, v), feedback.tau(0.2, q, v))
    stand = ff.Controller(model, "posture-pd", q, period=0.01, kp=10.0, kd=0.1, gravity=True, feet=FEET)
    assert np.abs(stand.tau(0, q, v)[6:]).max() > 0.1
    for bad in (
        lambda: ff.Controller(model, "dance", q, period=0.01),
        lambda: ff.Controller(model, "squat", q, period=0.01),
        lambda: ff.Controller(model, "posture", q, period=-1),
        lambda: hold.tau(0, q[:-1], v),
    ):
        with pytest.raises(ff.ArgumentError):
            bad()


def test_trajectories_and_feedback(model: ff.Model, root: Path, tmp_path: Path) -> None:
    trajectory = ff.Trajectory.load(root / "scenes/data/solo-jump.txt", model)
    trajectory.save(tmp_path / "again.txt", model)
    again = ff.Trajectory.load(tmp_path / "again.txt", model)
    np.testing.assert_allclose(again.q, trajectory.q, rtol=1e-11)
    feedback = ff.Feedback(model, again)
    assert feedback.controls == 12 and feedback.duration == pytest.approx(again.interval * (len(again.q) - 1))
    q, v = feedback.reference(0.0)
    np.testing.assert_array_equal(q, again.q[0])
    assert again.control is not None
    np.testing.assert_allclose(feedback.tau(0.0, q, v)[6:], again.control[0], atol=1e-12)
    with pytest.raises(ff.ArgumentError):
        ff.Feedback(model, ff.Trajectory(again.q[:, :-1], again.v, 0.01))
    with pytest.raises(ff.FileError):
        ff.Trajectory.load(tmp_path / "none.txt", model)


def test_planning_can_be_stopped(model: ff.Model) -> None:
    told: list[float] = []

    def progress(what: str, share: float) -> bool:
        told.append(share)
        return len(told) < 3

    with pytest.raises(ff.Error):
        ff.plan(model, "jump", "base_link", FEET, model.posture("standing"), progress=progress, steps=4)
    assert len(told) == 3
    with pytest.raises(ff.ArgumentError):
        ff.plan(model, "dance", "base_link", FEET, model.posture("standing"))


def pendulum() -> ff.Trial:
    model = ff.Model(ff.share("models/pendulum.urdf"))
    q = model.neutral()
    q[0] = 1.0
    return ff.Trial(model, q, period=0.02, periods=10, control=lambda time, q, v: -0.01 * v, name="pendulum")


def test_comparisons_of_trials(root: Path) -> None:
    told: list[str] = []
    found = ff.compare(
        pendulum(),
        schemes=["rk4", "euler"],
        substeps=[1, 2],
        own=False,
        rounds=1,
        finest=1e-4,
        progress=lambda what, share: told.append(what),
    )
    assert len(found) == 4 and [r.stepper for r in found] == ["rk4", "rk4", "euler", "euler"] and told
    rk4, euler = found.common[1], found.common[3]
    assert rk4.max_norm.mean < 1e-3 * euler.max_norm.mean and euler.speed > 0 and euler.dt == 0.01
    # twice as many steps: half the error by euler, of first order
    assert found.common[2].max_norm.mean / euler.max_norm.mean == pytest.approx(2, rel=0.2)
    assert found.best(0.0) is not None and "real time" in repr(found) and len(rk4.error) == len(rk4.seconds) == 10
    assert found.tolerance_mean < 1e-3 * euler.max_norm.mean and found.own == [] and found.own_failures == {}
    scene = ff.Scene(root / "scenes/solo-squat.yaml", {"duration": "0.04s"})
    own = scene.compare(schemes=["expo:order-1"], substeps=[1], common=False, rounds=1, spread=2)
    assert len(own) == 1 and own.common == []
    with pytest.raises(ff.UnknownName):
        ff.compare(pendulum(), schemes=["expoo"])
    with pytest.raises(ff.StoppedError):
        ff.compare(pendulum(), schemes=["rk4"], progress=lambda what, share: False)
    bad = pendulum()
    bad.control = lambda time, q, v: 1 / 0  # type: ignore[assignment]
    with pytest.raises(ZeroDivisionError):
        ff.compare(bad, schemes=["rk4"], substeps=[1], rounds=1)
    with pytest.raises(ff.ArgumentError):
        ff.compare("scene")  # type: ignore[arg-type]


def test_reference_solutions() -> None:
    trial = pendulum()
    begun: list[int] = []
    trial.begin, trial._has_begin = lambda: begun.append(1), True
    solution = ff.reference(trial, "rk4", 8, progress=lambda what, share: None)
    assert begun and solution.periods == 10 and solution.q.shape == (11, 1) and solution.tau.shape == (10, 1)
    np.testing.assert_array_equal(solution.q[0], trial.q)
    assert (solution.tolerance == 0).all()
    solution.verify(trial, "rk4", 16)
    assert 0 < solution.tolerance.max() < 1e-6 and solution.tolerance_worst >= solution.tolerance_mean > 0
    assert not solution.changes(trial).any() and solution.states.shape[0] == 11 and "rk4" in repr(solution)
    assert solution.distance(3, solution.q[3], solution.v[3]) == (0.0, 0.0)
    assert solution.distance(3, solution.q[3] + 0.1, solution.v[3])[0] == pytest.approx(0.1)
    with pytest.raises(IndexError):
        solution.distance(11, solution.q[0], solution.v[0])
