"""Scenes, logs, recordings, proposals."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import footfall as ff


@pytest.fixture
def trot(root: Path) -> ff.Scene:
    return ff.Scene(root / "scenes/solo-trot.yaml", {"duration": "0.3s"})


def test_a_scene_runs_with_its_controller(trot: ff.Scene) -> None:
    assert trot.steps == 150 and trot.duration == 0.3 and trot.title == "Solo trots" and trot.period > 0
    assert trot.model.name == "solo" and trot.model_file.endswith("solo12.urdf") and trot.file.endswith("trot.yaml")
    assert trot.trajectory_file is None or trot.trajectory_file
    assert trot.warnings == [] and trot.posture and trot.options["stepper"] == "expo" and "Solo trots" in repr(trot)
    q, v = trot.start
    np.testing.assert_array_equal(trot.q, q)
    tau = trot.control(0.0, q, v)
    trot.step()
    np.testing.assert_allclose(trot.tau, tau)
    assert trot.step_count == 1 and trot.time == pytest.approx(0.002) and len(trot.contacts) == 4
    for _ in trot:
        if trot.step_count == 50:
            break
    result = trot.run()
    assert trot.step_count == 150 and result.is_upright and result.expected == 2 and trot.control_seconds > 0
    np.testing.assert_array_equal(trot.sim.q, trot.q)
    np.testing.assert_array_equal(trot.sim.v, trot.v)
    assert "stepper.type" in ff.Scene.fields() and "rk4" in ff.Scene.words("stepper.type")


def test_scenes_go_on_from_copies_and_pickles(trot: ff.Scene) -> None:
    trot.run(60)
    others = [trot.copy(), copy.deepcopy(trot), pickle.loads(pickle.dumps(trot))]
    trot.run(40)
    for other in others:
        other.run(40)
        np.testing.assert_array_equal(other.sim.state, trot.sim.state)
        assert other.result == trot.result
    with pytest.raises(TypeError):
        pickle.dumps(trot.sim)


def test_scenes_of_mappings_and_worlds_of_scenes(solo: str) -> None:
    scene = ff.Scene(
        {"model": solo, "start": {"posture": "standing"}, "controller": {"type": "posture-pd", "kp": 10, "kd": 0.3},
         "dt": "2ms", "duration": 0.1, "ground": [{"type": "plane", "slope": 0.05, "friction": np.float64(0.7)}],
         "pushes": {"list": [{"link": "base_link", "force": np.array([1, 0, 0]), "from": 0.01, "duration": 0.02}]}}
    )  # fmt: skip
    assert scene.file is None and scene.run().is_upright and scene.pushes[0].force == (1, 0, 0)
    assert scene.pushes[0].start == 0.01
    other = scene.create_sim(stepper="implicit")
    other.step()
    scene.reset_sim(other)
    assert other.time == 0 and other.world.stepper == "implicit"
    batch = scene.batch(3, seed=1)
    batch.step()
    assert batch.counts.why is None and scene.world().controls[0].kind == "reference"
    np.testing.assert_array_equal(batch.q[0], batch.q[2])
    for bad in (
        {"model": solo, "duratoin": 1},
        {"model": "nobody.urdf"},
        {"model": solo, "dt": "2 m"},
        {},
        {"model": solo, "dt": object()},
    ):
        with pytest.raises(ff.Error):
            ff.Scene(bad)
    with pytest.raises(ff.ParseError, match="^scene: .*duratoin"):
        ff.Scene({"model": solo, "duratoin": 1})
    with pytest.raises(ff.Error, match="stepper.typ"):
        ff.Scene({"model": solo}, {"stepper.typ": "rk4"})


def test_scenes_that_are_cut_have_coordinates_of_their_own(root: Path) -> None:
    scene = ff.Scene(root / "scenes/starleth-stand.yaml", {"coordinates.type": "extended", "duration": "20ms"})
    assert scene.sim.model.nv > scene.model.nv
    scene.run()
    assert len(scene.q) == scene.model.nq and len(scene.sim.q) == scene.sim.model.nq
    scene.close()
    with pytest.raises(ff.ClosedError):
        scene.step()


def test_logs_hold_what_was_written(solo: str, tmp_path: Path) -> None:
    model = ff.Model(solo)
    path = tmp_path / "run.h5"
    sim = ff.Sim(model, posture="standing", dt=2e-3)
    states, forces = [], []
    with ff.LogWriter(path, sim, title="A run", rows=51) as log:
        for k in range(50):
            log.write(tau=np.full(18, 0.01 * k))
            states.append(sim.q.copy())
            forces.append(sim.contacts.force[:, 2].sum())
            sim.step()
        log.set_end("finished", "as told")
        assert len(log) <= 50 and "LogWriter" in repr(log)
    log.close()
    found = ff.Log(path)
    assert len(found) == 50 and found.about["title"] == "A run" and found.about["reason"] == "as told"
    np.testing.assert_array_equal(found.q, states)
    np.testing.assert_array_equal(found["base.z"], [q[2] for q in states])
    np.testing.assert_array_equal(found["FL_KFE"], found.q[:, 9])
    np.testing.assert_array_equal(found["tau:FL_KFE"], found.tau[:, 8])
    np.testing.assert_allclose(found.tau[:, 0], 0.01 * np.arange(50))
    np.testing.assert_allclose(found.time, 2e-3 * np.arange(50), atol=1e-12)
    assert found.step.tolist() == list(range(50)) and (found.motor == 0).all() and found.v.shape == (50, 18)
    assert found["energy.total"][0] == pytest.approx(2.5 * 9.81 * 0.2, rel=0.5) and found.unit("energy.total") == "J"
    assert found.unit("FL_KFE") == "rad" and found.unit("v:FL_KFE") == "rad/s" and found.unit("time") == "s"
    assert found.unit("tau:FL_KFE") and found.unit("energy.control_power") == "W"
    np.testing.assert_allclose([found.contacts(k).force[:, 2].sum() for k in range(50)], forces, rtol=1e-6)
    assert found.info(3).contacts == 4 and (found["info.contacts"][1:] == 4).all() and "info.contacts" in found.names
    assert "FL_KFE" in found and "nobody" not in found and len(list(found)) == len(found.names)
    assert found.model.joints.names == model.joints.names and any(n.endswith(".urdf") for n in found.files)
    assert (
        found.states >= 1 and len(found.state()[1]) == len(sim.state) and found.check() == {} and found.arguments == []
    )
    again = sim.world.sim()
    again.state = found.state(0)[1]
    np.testing.assert_array_equal(again.q, states[0])
    assert found.ground == [] and "50 rows" in repr(found)
    with pytest.raises(ff.UnknownName, match="FL_KFE"):
        found["FL_KFF"]
    with pytest.raises(ValueError):
        found.q[0, 0] = 1
    recording = found.recording()
    assert len(recording) == 50 and recording.poses.shape[0] == 50 and recording.contacts[5].shape[1] == 12
    try:
        frame = found.frame()
        assert frame["FL_KFE"].iloc[-1] == found["FL_KFE"][-1] and frame.index.name == "time"
    except ImportError as error:
        assert error.name == "pandas"
    found.close()
    assert "closed" in repr(found)
    with pytest.raises(ff.ClosedError):
        _ = found.time


def test_logs_of_models_without_a_file_and_of_moving_ground(tmp_path: Path) -> None:
    b = ff.Builder("ball")
    ball = b.add_link("ball", type="free", inertia=ff.Inertia.of_shape(ff.Shape("sphere", (0.1,)), 1000))
    b.add_shape(ball, ff.Shape("sphere", (0.1,)))
    ground = ff.Ground(ff.Shape("plane"), velocity=(0.1, 0, 0, 0, 0, 0))
    sim = ff.Sim(b.finish(), ground=ground, q=[0, 0, 0.1, 0, 0, 0, 1])
    with pytest.raises(ZeroDivisionError), ff.LogWriter(tmp_path / "ball.h5", sim, ground=[ground]) as log:
        log.write()
        sim.step()
        log.write()
        raise ZeroDivisionError("stop")
    found = ff.Log(tmp_path / "ball.h5")
    assert found.model.name == "ball" and found.about["outcome"] == "failed" and found.ground[0].velocity[0] == 0.1
    assert found.ground_pose(0, 2.0).position[0] == pytest.approx(0.2)
    (tmp_path / "not.h5").write_text("nothing")
    for bad in ("not.h5", "none.h5"):
        with pytest.raises(ff.Error):
            ff.Log(tmp_path / bad)
    with pytest.raises(ff.FileError):
        ff.LogWriter(tmp_path / "no/folder/x.h5", sim)


def test_recordings(sim: ff.Sim) -> None:
    recording = ff.Recording(sim.model, spacing=2e-3, duration=0.1, most_bytes=20000)
    for k in range(51):
        if recording.wants or k == 50:
            recording.add(sim, last=k == 50)
        else:
            recording.skip()
        sim.step()
    assert len(recording) > 5 and recording.poses.shape == (len(recording), len(recording.links), 7)
    assert "base_link" in recording.links and recording.frame_times[-1] == pytest.approx(0.1) and recording.shapes
    assert recording.rows.shape == (len(recording.row_times), len(recording.signals))
    other = ff.Recording(sim.model)
    for k in range(3):
        other.add_state(0.1 * k, sim.q, sim.v)
    other.skip()
    assert len(other) == 3 and "3 frames" in repr(other) and all(len(c) == 0 for c in other.contacts)
    with pytest.raises(ff.ArgumentError):
        other.add_state(0.5, sim.q[:-1])


def test_proposals_and_places(root: Path, tmp_path: Path, solo: str) -> None:
    told: list[str] = []
    proposal = ff.new(
        root / "models/links.urdf", scene=tmp_path / "links.yaml", progress=lambda what, share: told.append(what)
    )
    assert proposal.state == "stands" and proposal.is_stable and told and "links" in repr(proposal)
    scene = ff.Scene(proposal.save())
    assert scene.run(10).is_upright and len(proposal.motors) > 0
    with pytest.raises(ff.StoppedError):
        ff.new(root / "models/links.urdf", progress=lambda what, share: False)
    with pytest.raises(ZeroDivisionError):
        ff.new(root / "models/links.urdf", progress=lambda what, share: 1 / 0)
    with pytest.raises(ff.ArgumentError):
        proposal.save("/tmp-elsewhere/links.yaml")
    with pytest.raises(ff.ArgumentError):
        ff.new(root / "models/links.urdf", posture="nobody")
    model = ff.Model(solo)
    high = model.posture("standing")
    high[2] += 0.3
    placed = ff.put_on_ground(model, high)
    assert ff.gap(model, high) == pytest.approx(0.3, abs=1e-3) and ff.gap(model, placed) == pytest.approx(0, abs=1e-12)
    slope = ff.Pose.from_rpy(rpy=(0, 0.1, 0))
    assert ff.gap(model, ff.tilt(model, placed, slope), slope) == pytest.approx(0, abs=1e-12)
    assert len(ff.motors(model, placed)) == 12 and ff.motors(model, placed, bounded=True)[0].stiffness > 0
    with pytest.raises(ff.FileError):
        ff.share("models/nobody.urdf")
