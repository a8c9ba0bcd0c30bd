"""Models, builders, cuts, meshes, poses."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import footfall as ff
from footfall._native import ffi


def test_lists_by_index_and_name(solo: str) -> None:
    model = ff.Model(solo)
    assert model.name == "solo" and (model.nq, model.nv) == (19, 18)
    assert len(model.joints) == 13 and model.joints["FL_KFE"].index == model.joint("FL_KFE").index
    assert model.joints[-1] == list(model.joints)[-1] == model.joints[len(model.joints) - 1]
    assert [j.name for j in model.joints[1:4]] == model.joints.names[1:4]
    assert "FL_KFE" in model.joints and "nobody" not in model.joints
    assert model.link("base_link").frame == model.frames.index("base_link") == model.frame("base_link")
    assert sum(link.inertia.mass for link in model.links) == pytest.approx(model.mass)
    assert repr(model.joints).startswith("<13 joints")
    assert model.base == 0 and model.robots == 1 and model.roots == 1 and model.actuated == 12
    assert not model.has_ground and model.common_material is not None
    assert model.parent_rule == "spared" and model.pairs == [] and isinstance(model.exclusions, list)
    assert model.actuators.names == [] and model.tendons.names == [] and model.elements.names == []
    assert model.drive("FL_KFE") == "motor" and model.drive("root_joint") == "none"
    assert model.motor("FL_KFE", 0.1, 3, 0.2).reference == 0.1
    assert all(shape.shape.type in ("sphere", "box", "cylinder", "point", "capsule") for shape in model.shapes)
    assert model.collision(0, 1) in ("self", "parent", "drawn", "one body") and sum(model.collisions().values()) >= 0
    np.testing.assert_array_equal(model.gravity, [0, 0, -9.81])
    with pytest.raises(IndexError):
        model.joints[13]
    with pytest.raises(ff.UnknownName, match="FL_KFE"):
        model.joint("FL_KFEE")
    with pytest.raises(KeyError):
        model.joints["nobody"]


def test_postures_are_read_only_and_outlive_the_model(solo: str) -> None:
    model = ff.Model(solo)
    stand = model.postures["standing"]
    assert set(model.postures) == {"standing", "straight_standing", "squat"} and len(model.postures) == 3
    with pytest.raises(ValueError):
        stand[0] = 1
    before = stand.copy()
    del model
    np.testing.assert_array_equal(stand, before)
    with pytest.raises(ff.UnknownName, match="standing"):
        ff.Model(solo).posture("standin")
    assert "standing" in repr(ff.Model(solo).postures)


def test_configurations(solo: str) -> None:
    model = ff.Model(solo)
    rng = np.random.default_rng(3)
    q0, dv = model.posture("standing"), rng.standard_normal(18)
    q1 = model.integrate(q0, dv)
    np.testing.assert_allclose(model.difference(q0, q1), dv, atol=1e-13)
    rows = model.integrate(np.tile(q0, (7, 1)), rng.standard_normal((7, 18)))
    assert rows.shape == (7, 19)
    assert model.integrate(q0, np.zeros((3, 2, 18))).shape == (3, 2, 19)
    for k in range(7):  # each row is what one gives
        np.testing.assert_array_equal(model.difference(q0, rows)[k], model.difference(q0, rows[k]))
    out = np.empty(19)
    assert model.integrate(q0, dv, out=out) is out
    np.testing.assert_array_equal(out, q1)
    # Jacobians by central differences, of second order in the step
    step, (dq, ddv) = 1e-6, model.integrate_jacobians(q0, dv)
    for k in range(0, 18, 5):
        e = np.zeros(18)
        e[k] = step
        change = model.difference(model.integrate(q0, dv - e), model.integrate(q0, dv + e)) / (2 * step)
        np.testing.assert_allclose(ddv[:, k], change, atol=1e-8)
        change = model.difference(
            model.integrate(model.integrate(q0, -e), dv), model.integrate(model.integrate(q0, e), dv)
        )
        np.testing.assert_allclose(dq[:, k], change / (2 * step), atol=1e-8)
    d0, d1 = model.difference_jacobians(q0, q1)
    e = np.zeros(18)
    e[4] = step
    np.testing.assert_allclose(
        d1[:, 4],
        (model.difference(q0, model.integrate(q1, e)) - model.difference(q0, model.integrate(q1, -e))) / (2 * step),
        atol=1e-7,
    )
    assert d0.shape == (18, 18)
    long = q0.copy()
    long[3:7] *= 2
    np.testing.assert_allclose(model.normalize(long), q0, atol=1e-15)
    np.testing.assert_array_equal(model.place_followers(q0), q0)
    assert model.neutral()[6] == 1


def test_pickles_are_the_same_to_the_bit(solo: str, root: Path) -> None:
    for file in [solo, *map(str, sorted((root / "models").glob("*.xml")))]:
        model = ff.Model(file)
        again = pickle.loads(pickle.dumps(model))
        assert again.joints.names == model.joints.names and again.warnings == model.warnings
        q, v = again.neutral(), np.linspace(-1, 1, model.nv)
        np.testing.assert_array_equal(again.dynamics().bias(q, v), model.dynamics().bias(q, v))
        assert pickle.dumps(again) == pickle.dumps(model)
    assert model.copy() is model


def test_text_and_files(solo: str, tmp_path: Path) -> None:
    model = ff.Model(solo)
    text = model.to_text("urdf")
    again = ff.Model.from_text(text, "again.urdf")
    assert again.joints.names == model.joints.names
    notes = model.save(tmp_path / "solo.xml")
    assert isinstance(notes, list) and ff.Model(tmp_path / "solo.xml").nv == 18
    fixed = ff.Model(solo, fixed_base=True, contact_points=[("base_link", (0, 0, 0.1), "top"), ("FL_FOOT", [0, 0, 0])])
    assert fixed.nv == 12 and len(fixed.shapes) == len(model.shapes) + 2
    with pytest.raises(ff.FileError):
        model.save(tmp_path / "no/such/folder/solo.urdf")
    assert repr(model).startswith("<footfall.Model 'solo': 13 joints")


def test_a_builder_says_what_a_file_says() -> None:
    b = ff.Builder("pendulum")
    rod = b.add_link(
        "rod",
        joint="hinge",
        type="revolute",
        axis=(0, 1, 0),
        inertia=ff.Inertia(2, (0, 0, -0.5)),
        limits=(-1, 1),
        damping=0.1,
        effort=5,
    )
    tip = b.add_link(
        "tip",
        rod,
        type="revolute",
        axis=(0, 1, 0),
        pose=ff.Pose((0, 0, -1)),
        inertia=ff.Inertia(1, (0, 0, -0.2), (0.1, 0, 0, 0.1, 0, 0.1)),
    )
    b.add_frame(tip, "end", ff.Pose((0, 0, -0.3)))
    b.add_shape(tip, ff.Shape("sphere", (0.1,), name="ball", material=ff.Material(friction=0.5)))
    b.add_shape(rod, ff.Shape("hull", vertices=[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]))
    b.add_shape(-1, ff.Shape("heightfield", (2, 2), heights=[[0, 0], [0, 0.1]]))
    b.add_actuator(rod, "position", name="servo", kp=10, kv=1)
    cord = b.add_tendon("cord", {rod: 1.0, tip: -0.5})
    b.add_element(ff.Element("joint_pd", "pull", tendon=cord, stiffness=3), None)
    b.add_element(ff.Element("point", "tie", stiffness=10), "tip", "world")
    b.exclude(rod, tip)
    b.add_pair(0, 1, friction=0.3)
    b.set_parent_rule("collides")
    b.set_posture("bent", tip, 0.4)
    b.set_gravity((0, 0, -1.6))
    b.set_source("robot.py", 3)
    b.add_warning("take care")
    assert b.fill_massless() == 0
    model = b.finish()
    assert model.joints.names == ["hinge", "tip"] and model.joint("hinge").has_limits
    assert model.tendons["cord"].coefficients == (1.0, -0.5) and model.elements["tie"].stiffness == 10
    assert model.actuators["servo"].type == "position" and model.postures["bent"][1] == 0.4
    assert model.shapes["ball"].shape.material.friction == 0.5 and model.has_ground
    assert model.shapes[1].shape.vertices.shape == (4, 3) and model.shapes[2].shape.heights.shape == (2, 2)
    assert model.warnings[-1] == "robot.py:3: take care" and model.parent_rule == "collides"
    assert model.pairs[0].friction == 0.3 and model.exclusions == [(0, 1)]
    # the pendulum's period, for a small angle: theta'' = -g/l theta at the mass's distance
    with pytest.raises(ff.ModelError):
        b.add_link("rod")
    assert "Builder" in repr(b)
    b.close()
    assert "closed" in repr(b)


def test_inertias_and_poses() -> None:
    ball = ff.Inertia.of_shape(ff.Shape("sphere", (0.1,)), 1000)
    assert ball.mass == pytest.approx(4 / 3 * np.pi * 1e-3 * 1000)
    assert ball.matrix[0] == pytest.approx(0.4 * ball.mass * 0.01)
    pair = ball.transform(ff.Pose((1, 0, 0))) + ball.transform(ff.Pose((-1, 0, 0)))
    assert pair.com == pytest.approx((0, 0, 0)) and pair.matrix[3] == pytest.approx(2 * (ball.matrix[0] + ball.mass))
    assert ball.scaled(2).mass == 2 * ball.mass
    a, b = ff.Pose.from_rpy((1, 2, 3), (0.1, 0.2, 0.3)), ff.Pose((0, 0, 1))
    np.testing.assert_allclose((a @ b).matrix, a.matrix @ b.matrix, atol=1e-15)
    np.testing.assert_allclose(a.inverse().matrix, np.linalg.inv(a.matrix), atol=1e-14)
    np.testing.assert_allclose(a @ [[0, 0, 1], [1, 0, 0]], [a.R[:, 2] + a.position, a.R[:, 0] + a.position], atol=1e-15)
    np.testing.assert_allclose(ff.Pose.from_rotation((1, 2, 3), a.R).matrix, a.matrix, atol=1e-15)
    assert pickle.loads(pickle.dumps(a)) == a and hash(a) == hash(pickle.loads(pickle.dumps(a))) and a != b
    assert a != "pose" and repr(b) == "Pose(position=[0, 0, 1], quaternion=[0, 0, 0, 1])"
    with pytest.raises(ValueError):
        a.position[0] = 1
    assert ff.Material().replace(friction=0.2).friction == 0.2


def test_cuts(solo: str) -> None:
    model = ff.Model(solo)
    cut = model.cut("extended", drop_limits=True, drop_damping=True, drop_armature=True, drop_friction=True)
    assert len(cut) == 4 and cut.model.nv == 38 and cut.source is model
    rng = np.random.default_rng(1)
    q, v = model.posture("standing"), rng.standard_normal(18)
    q_cut, v_cut = cut.spread(q, v)
    back_q, back_v = cut.gather(q_cut, v_cut, near=q)
    np.testing.assert_allclose(back_q, q, atol=1e-12)
    np.testing.assert_allclose(back_v, v, atol=1e-12)
    tau = np.zeros(18)
    tau[6:] = rng.standard_normal(12)
    assert "4 joints cut" in repr(cut)
    assert cut.tau(q_cut, tau) @ v_cut == pytest.approx(tau @ v, rel=1e-10)  # power is conserved
    is_cut, joint, element = cut.joint("FL_HAA")
    assert is_cut and cut.model.joints[joint].type == "free" and element >= 0
    sim = ff.World(cut.model, stepper="moreau", dt=1e-3).sim(q=q_cut)
    model_again = cut.model
    del cut
    sim.step()
    assert pickle.loads(pickle.dumps(model_again)).nv == 38
    with pytest.raises(ff.UnsupportedError):
        ff.Model(ff.share("models/links.urdf")).cut("maximal")
    assert len(model.cut(["FL_HAA"], drop_limits=True, drop_damping=True, drop_armature=True, drop_friction=True)) == 1


def test_meshes(tmp_path: Path) -> None:
    (tmp_path / "t.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    mesh = ff.Mesh.load(tmp_path / "t.obj")
    np.testing.assert_array_equal(mesh.points, [[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    np.testing.assert_array_equal(mesh.triangles, [[0, 1, 2]])
    assert "3 points" in repr(mesh)
    with pytest.raises(ff.UnsupportedError):
        ff.Mesh.load(tmp_path / "t.ply")


def test_shapes_of_every_type_come_back() -> None:
    sizes = {
        "point": (),
        "sphere": (1,),
        "capsule": (1, 2),
        "box": (1, 2, 3),
        "cylinder": (1, 2),
        "disk": (1,),
        "plane": (),
        "ellipsoid": (1, 2, 3),
    }
    for kind, size in sizes.items():
        keep: list[object] = []
        made = ff.Shape(kind, size, collision=False).struct(keep)
        again = ff.Shape.from_c(ffi.addressof(made[0]))
        assert (again.type, again.size, again.collision) == (kind, tuple(map(float, size)), False)
    with pytest.raises(ff.ArgumentError, match="none of"):
        ff.Shape("cube").struct([])
