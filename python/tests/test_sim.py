"""Worlds, sims, parameters."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import footfall as ff


def test_the_example_of_the_guide(solo: str) -> None:
    world = ff.World(solo, stepper="expo", dt=2e-3)
    sim = world.sim(posture="standing")
    kp, kd, q_ref = 10, 0.3, sim.q[7:].copy()
    for _ in range(100):
        sim.step(kp * (q_ref - sim.q[7:]) - kd * sim.v[6:])
    weight = sim.contacts.force[:, 2].sum()
    assert weight == pytest.approx(world.model.mass * 9.81, rel=0.05)
    assert sim.time == pytest.approx(0.2) and sim.totals.steps == 100 and sim.dt == 2e-3


def test_worlds(solo: str, world: ff.World) -> None:
    assert world.nu == 12 and world.controls["FL_KFE"].kind == "torque" and world.controls[0].v == 6
    assert world.ground_count == 1 and world.memory.state > 0
    other = world.replace(stepper="rk4", dt="0.1ms")
    assert other.stepper == "rk4" and other.dt == 1e-4 and other.options["model_elements"] is False
    again = pickle.loads(pickle.dumps(other))
    assert again.options == other.options and "rk4" in repr(again)
    assert world.copy() is world and copy.copy(world) is world and copy.deepcopy(world) is world
    hill = ff.World(
        solo,
        ground=ff.Ground.heightfield(np.zeros((3, 4)), (10, 10)),
        elements=[ff.Model(solo).motor("FL_KFE", 0, 5, 1)],
    )
    hill2 = pickle.loads(pickle.dumps(hill))
    assert hill2.ground_count == 1 and hill2.controls["FL_KFE"].kind == "reference"
    none = ff.World(solo, ground=())
    assert (
        none.ground_count == 0
        and ff.World(solo, ground=[ff.Ground.plane(), ff.Ground.box((1, 1, 1))]).ground_count == 2
    )
    for bad in (
        {"dt": 0},
        {"dt": -1},
        {"dt": "2 parsecs"},
        {"stepper": "expoo"},
        {"order": 3},
        {"max_contacts": 1.5},
        {"expo_order": "two"},
        {"accuracy": np.nan},
        {"self_collision": "perhaps"},
        {"dt": [1]},
        {"dt": None},
    ):
        with pytest.raises(ff.Error):
            ff.World(solo, **bad)
    assert ff.World(solo, order=1).options["expo_order"] == 1
    with pytest.raises(TypeError):
        ff.Sim(world, dt=1e-3)


def test_views_are_live_and_read_only(sim: ff.Sim) -> None:
    q, v = sim.q, sim.v
    assert q is sim.q and not q.flags.writeable and not q.flags.owndata
    before = q.copy()
    sim.step(np.full(12, 0.2))
    assert not np.array_equal(q, before)
    for view in (q, v, sim.joint("FL_KFE").q, q[7:], q[3:7]):
        with pytest.raises(ValueError):
            view[...] = 0
        with pytest.raises(ValueError):
            view.flags.writeable = True
    joint = sim.joint("FL_KFE")
    knee = joint.q
    assert knee.shape == () and float(knee) == q[joint.info.q] and sim.joint("root_joint").q.shape == (7,)
    sim.reset()
    assert float(knee) == q[joint.info.q] == 0.0


def test_views_outlive_everything(solo: str) -> None:
    import gc

    sim = ff.Sim(solo, posture="standing")
    q, expected = sim.q, sim.q.copy()
    part = sim.joint("FL_KFE").q
    del sim
    gc.collect()
    np.testing.assert_array_equal(q, expected)
    with ff.Sim(solo, posture="standing") as other:
        kept = other.q
    np.testing.assert_array_equal(kept, expected)
    assert other.closed and float(part) == expected[9]
    other.close()
    for use in (
        lambda: other.q,
        lambda: other.time,
        lambda: other.step(),
        lambda: other.contacts,
        lambda: other.reset(),
    ):
        with pytest.raises(ff.ClosedError, match="closed"):
            use()
    assert repr(other) == "<footfall.Sim, closed>"


def test_inputs(sim: ff.Sim) -> None:
    start = sim.state
    u = np.linspace(-0.1, 0.1, 12)
    wide = np.zeros((12, 2))
    wide[:, 0] = u
    results = []
    for given in (u, list(u), wide[:, 0], u[::-1][::-1], np.asarray(u, order="F"), memoryview(u), u.astype(">f8")):
        sim.state = start
        sim.step(given)
        results.append(sim.state)
    for other in results[1:]:
        np.testing.assert_array_equal(other, results[0])
    sim.state = start
    sim.step(u=u, tau=np.zeros(18))
    np.testing.assert_array_equal(sim.state, results[0])
    tau = np.zeros(18)
    tau[6:] = u
    sim.state = start
    sim.step(tau=tau)
    assert np.isfinite(sim.q).all()
    for bad in (
        u[:-1],
        np.zeros((12, 1)),
        "text",
        1.0,
        u + 1j,
        [None] * 12,
        np.zeros(12, object),
        u > 0,
        {},
        np.full(12, np.nan),
        np.full(12, np.inf),
    ):
        before = sim.state
        with pytest.raises(ff.ArgumentError):
            sim.step(bad)
        np.testing.assert_array_equal(sim.state, before)
    with pytest.raises(ff.ArgumentError):
        sim.step(tau=np.full(18, np.nan))
    for wrong in (lambda: sim.step(u, u), lambda: sim.step(v=u), lambda: sim.step(u, u=u)):
        with pytest.raises(TypeError):
            wrong()


def test_resets_and_states(sim: ff.Sim, world: ff.World) -> None:
    sim.step()
    q, v = sim.q.copy(), sim.v.copy()
    sim.reset(q, v)
    np.testing.assert_array_equal(sim.q, q)
    assert sim.time == 0
    sim.set_posture("squat")
    np.testing.assert_array_equal(sim.q, world.model.postures["squat"])
    np.testing.assert_array_equal(world.sim(q=q, v=v).v, v)
    np.testing.assert_array_equal(world.sim(posture="squat", v=v).v, v)
    with pytest.raises(ff.ArgumentError, match="standing"):
        sim.set_posture("sitting")
    with pytest.raises(TypeError):
        world.sim(posture="squat", q=q)
    for bad in (q[:-1], q * np.nan, "q", q * 0):
        with pytest.raises(ff.ArgumentError):
            sim.reset(bad)
    with pytest.raises(ff.ArgumentError):
        sim.reset(q, v[:-1])
    for bad in (sim.state[:-1], sim.state * np.nan, np.zeros(len(sim.state))):
        before = sim.state
        with pytest.raises(ff.ArgumentError):
            sim.state = bad
        np.testing.assert_array_equal(sim.state, before)
    other = ff.Sim(ff.share("models/ball.urdf"))
    with pytest.raises(ff.ArgumentError):
        other.state = sim.state
    with pytest.raises(ff.ArgumentError):
        other.parameters = sim.parameters


def test_contacts_links_and_pushes(sim: ff.Sim) -> None:
    for _ in range(5):
        sim.step()
    contacts = sim.contacts
    assert len(contacts) == 4 and contacts.force.shape == (4, 3) and contacts.array.dtype.itemsize > 200
    assert set(contacts.modes) <= {"released", "stick", "slip"} and contacts.mode.dtype == np.int32
    assert (contacts.ground == 0).all() and (contacts.shape_b == -1).all() and (contacts.link_b == -1).all()
    np.testing.assert_allclose(np.linalg.norm(contacts.normal, axis=1), 1)
    assert contacts.tangent.shape == (4, 2, 3) and contacts.slip.shape == (4, 2) and (contacts.shape_a >= 0).all()
    assert contacts.point.shape == contacts.anchor.shape == contacts.mean_force.shape == (4, 3)
    assert (
        len(contacts[contacts.penetration > 0]) <= 4
        and len(list(contacts)) == 4
        and len(set(contacts.id.tolist())) == 4
    )
    assert pickle.loads(pickle.dumps(contacts)) == contacts and contacts != 3 and "4 contacts" in repr(contacts)
    foot = sim.link("FL_FOOT")
    index = foot.info.index
    carrier = int(contacts.link_a[0])
    np.testing.assert_allclose(contacts.of_link(carrier).force[0], contacts.force_on(carrier))
    np.testing.assert_allclose(foot.pose.position, foot.position)
    assert foot.jacobian.shape == (6, 18) and foot.velocity.shape == (6,) and foot.info.index == index
    np.testing.assert_allclose(foot.jacobian @ sim.v, foot.velocity, atol=1e-12)
    assert sim.poses([0]).tolist() == [[0, 0, 0, 0, 0, 0, 1]] and sim.poses().shape == (17, 7)
    np.testing.assert_allclose(sim.poses()[sim.model.links.index("base_link")][:3], sim.q[:3])
    assert len(sim.link(carrier).contacts) >= 1 and sim.link(carrier).force.shape == (3,) and "link" in repr(foot)
    other, free = sim.copy(), sim.copy()
    sim.push("base_link", force=(0, 0, 50), torque=(0, 0, 0.1), at=(0, 0, 0.01))
    other.link("base_link").push((0, 0, 50), (0, 0, 0.1), at=(0, 0, 0.01))
    sim.step()
    other.step()
    np.testing.assert_array_equal(sim.q, other.q)
    free.step()
    lifted = sim.link("base_link").velocity[2] - free.link("base_link").velocity[2]
    assert 0.01 < lifted < 50 * 2e-3 / 0.5  # 50 N upwards over 2 ms, on the base and some of the legs
    with pytest.raises(ff.UnknownName):
        sim.push("nose", (0, 0, 1))
    for bad in ((1, 2), (np.nan, 0, 0), "force"):
        with pytest.raises(ff.ArgumentError):
            sim.push("base_link", bad)
    forces = sim.predict_forces(0.01, 5)
    assert forces.shape == (5, len(sim.contacts), 3)


def test_reports(sim: ff.Sim) -> None:
    sim.step()
    info, energy, totals = sim.info, sim.energy(), sim.totals
    assert info.contacts == 4 and info.pieces >= 1 and info.converged is True and "contacts=4" in repr(info)
    assert energy.total == pytest.approx(energy.kinetic + energy.potential + energy.elastic)
    assert totals.steps == 1 and totals.first_passing is None and set(totals.as_dict()) >= {"steps", "pieces"}
    assert pickle.loads(pickle.dumps(info)) == info and info != energy and "contacts" in dir(info)
    with pytest.raises(AttributeError, match="no field"):
        _ = info.contact
    with pytest.raises(TypeError):
        hash(info)
    kept = sim.info
    sim.step()
    assert kept == info  # a copy
    assert sim.history == [] and sim.passing == ""


def test_tunnelling_is_told() -> None:
    b = ff.Builder("ball")
    ball = b.add_link("ball", type="free", inertia=ff.Inertia.of_shape(ff.Shape("sphere", (0.01,)), 1000))
    b.add_shape(ball, ff.Shape("sphere", (0.01,), name="shot"))
    wall = ff.Ground.box((1, 1, 0.001), ff.Pose((0, 0, 0)))
    sim = ff.Sim(
        b.finish(),
        ground=wall,
        stepper="euler",
        dt=1e-2,
        watch_passing=True,
        q=[0, 0, 0.5, 0, 0, 0, 1],
        v=[0, 0, -100, 0, 0, 0],
    )
    sim.step()
    assert sim.info.passed == 1 and "shot" in sim.passing and sim.totals.first_passing.time > 0
    tries = ff.Sim(sim.model, ground=wall, stepper="c2a", dt=1e-2, q=[0, 0, 0.5, 0, 0, 0, 1], v=[0, 0, -100, 0, 0, 0])
    tries.step()
    assert tries.history and tries.history[0][1] in ("taken", "forced", "energy", "halfway", "doubt", "path")


def test_motors_and_elements(solo: str) -> None:
    model = ff.Model(solo)
    stand = model.postures["standing"]
    world = ff.World(model, elements=ff.motors(model, stand, kp=10, kd=0.3), dt=2e-3)
    sim = world.sim(posture="standing")
    assert sim.elements["FL_KFE_limit"].type == "joint_limit" and len(sim.elements) == 24
    assert world.controls["FL_KFE"].kind == "reference" and sim.joint("FL_KFE").motor.stiffness == 10
    sim.set_reference("FL_KFE", -1.0, 0.1)
    assert sim.joint("FL_KFE").motor.reference == -1.0
    sim.joint("FL_KFE").set_reference(float(stand[9]))
    told = sim.elements["FL_KFE"].replace(delay=0.1)
    assert told.delay == 0.1 and repr(told).startswith("Element(type='joint_pd', name='FL_KFE', joint=3")
    assert float(sim.joint("FL_KFE").v) == 0.0 and sim.joint("root_joint").v.shape == (6,)
    force = sim.joint("FL_KFE").motor_force
    assert force == pytest.approx(sim.element_force("FL_KFE")[0]) and sim.element_force(0).shape == (1,)
    sim.set_controls(stand[7:])
    sim.step()
    assert sim.joint("root_joint").motor is None and sim.joint("root_joint").motor_force == 0.0
    assert sim.find_motor("FL_KFE") >= 12 and "revolute" in repr(sim.joint("FL_KFE"))
    assert sim.joint_friction(7).limit == 0
    for bad in (
        lambda: sim.set_reference("nobody", 1),
        lambda: sim.set_reference(99, 1),
        lambda: sim.element_force(-99),
        lambda: sim.set_reference("FL_KFE", np.nan),
        lambda: sim.joint_friction(99),
        lambda: sim.elements[99],
    ):
        with pytest.raises((ff.ArgumentError, IndexError)):
            bad()
    delayed = world.replace(motor_delay=0.01, dt=1e-5).sim(posture="standing")
    with pytest.raises(ff.LimitError):  # more than 2000 references in a second
        for _ in range(400):
            delayed.set_reference("FL_KFE", 0.0)
            delayed.step()


def test_moving_ground(solo: str) -> None:
    sim = ff.Sim(solo, posture="standing", ground=ff.Ground.plane(slope=0.01, material=ff.Material(friction=0.5)))
    sim.move_ground(0, ff.Pose((0, 0, 0.001)), (0, 0, 0.1, 0, 0, 0))
    sim.step()
    assert sim.contacts.penetration.max() > 0.0005
    with pytest.raises(ff.ArgumentError):
        sim.move_ground(1, ff.Pose())
    with pytest.raises(ff.ArgumentError):
        sim.move_ground(0, velocity=(1, 2))


def test_parameters(sim: ff.Sim, world: ff.World) -> None:
    p = world.parameters()
    assert (
        p.gravity.tolist() == [0, 0, -9.81]
        and p.material(int(np.flatnonzero([s.shape.collision for s in world.model.shapes])[0])).stiffness > 0
    )
    p.gravity = (0, 0, -1.62)
    p.scale_masses(2.0)
    p.scale_masses(0.5, "base_link")
    p.add_mass("base_link", 1.0, (0, 0, 0.1))
    p.change_materials(friction=0.3, stiffness=5e4)
    p.set_ground(0, ff.Pose((0, 0, -0.01)), (0, 0, 0, 0, 0, 0))
    p.set_ground_material(0, ff.Material(friction=0.4))
    assert p.ground_material().friction == 0.4 and p.ground()[0].position[2] == -0.01
    q = p.copy()
    assert q.inertia("base_link") == p.inertia("base_link") and "Parameters" in repr(p)
    r = pickle.loads(pickle.dumps(p))
    a, b, c = (world.sim(posture="standing") for _ in range(3))
    for s, own in ((a, p), (b, q), (c, r.of(world))):
        s.parameters = own
        s.step()
    np.testing.assert_array_equal(a.state, b.state)
    np.testing.assert_array_equal(a.state, c.state)
    sim.step()
    assert not np.array_equal(sim.q, a.q)
    assert a.parameters.gravity[2] == -1.62
    with pytest.raises(ValueError):
        p.gravity[0] = 1
    for bad in (
        lambda: p.set_inertia("base_link", ff.Inertia(-1)),
        lambda: p.material(999),
        lambda: p.ground(3),
        lambda: p.set_material(0, ff.Material(friction=-1)),
        lambda: setattr(p, "gravity", (1, 2)),
        lambda: setattr(p, "gravity", (np.nan, 0, 0)),
        lambda: p.gains(99),
        lambda: p.set_gains(99, stiffness=1),
        lambda: p.ground_material(9),
        lambda: p.set_joint_friction(0, 1.0),
        lambda: p.inertia("nobody"),
    ):
        with pytest.raises(ff.Error):
            bad()
    p.close()
    with pytest.raises(ff.ClosedError):
        _ = p.gravity
    motors = ff.World(world.model, elements=ff.motors(world.model, world.model.postures["standing"]))
    gains = motors.parameters()
    gains.set_gains(12, stiffness=7.0, damping=0.7)
    assert gains.gains(12)[:2] == (7.0, 0.7)
    assert pickle.loads(pickle.dumps(gains)).gains(12)[:2] == (7.0, 0.7)
    b2 = ff.Builder("slider")
    link = b2.add_link(
        "box", type="prismatic", axis=(1, 0, 0), friction=2.0, inertia=ff.Inertia(1, matrix=(1, 0, 0, 1, 0, 1))
    )
    assert link == 0
    dry = ff.World(b2.finish()).parameters()
    dry.set_joint_friction(0, 3.0)
    again = pickle.loads(pickle.dumps(dry))
    with ff.Sim(again.world) as s2:
        s2.parameters = again
        assert s2.joint_friction(0).limit == 3.0


def test_failed_steps_keep_the_state(solo: str) -> None:
    sim = ff.Sim(solo, posture="standing", stepper="euler", dt=0.1, model_elements=False)
    with pytest.raises(ff.NumericError, match="t = ") as caught:
        for _ in range(1000):
            before = sim.state
            sim.step()
    np.testing.assert_array_equal(sim.state, before)
    assert isinstance(caught.value, ArithmeticError) and caught.value.status == "numerical failure"
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and type(again) is ff.NumericError
    sim.interrupt()
    with pytest.raises(ff.InterruptedStep):
        sim.step()
    sim.reset()


def test_run_with_control(sim: ff.Sim) -> None:
    other = sim.copy()
    calls = []

    def control(robot: ff.Sim, tau: np.ndarray) -> None:
        calls.append((robot.time, tau))
        tau[6:] = -0.1 * robot.v[6:]

    assert sim.run(10, control) == 10 and len(calls) == 10
    for _ in range(10):
        tau = np.zeros(18)
        tau[6:] = -0.1 * other.v[6:]
        other.step(tau=tau)
    np.testing.assert_array_equal(sim.state, other.state)
    calls[0][1][:] = 1e9  # kept by a callback: a copy
    assert sim.run(3) == 3 and sim.run(5, lambda robot, tau: False) == 0
    with pytest.raises(ZeroDivisionError):
        sim.run(5, lambda robot, tau: 1 / 0)
    with pytest.raises(ff.ArgumentError):
        sim.run(5, lambda robot, tau: tau.fill(np.nan))
    with pytest.raises(ff.ArgumentError):
        sim.run(-1)
    assert sim.dynamics.mass_matrix(sim.q).shape == (18, 18)
