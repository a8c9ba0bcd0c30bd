"""What the package says of C is so: functions, words, defaults, options."""

from __future__ import annotations

import dataclasses
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import footfall as ff
from footfall import _structs, _table, infos, reports, shapes
from footfall._c import ffi, lib
from footfall.control import Trajectory
from footfall.whole_body import ContactTask, FrameTask, Task

PACKAGE = Path(__file__).resolve().parents[1]

# Public functions that Python does not call, and why.
NOT_CALLED = {
    r"_(name|find)$": "words are the constants' names (test_words)",
    r"ff_(element_type_is_joint|material_default|status_name|inertia_zero|pose_identity)$": "a field or default here",
    r"ff_(impact|joint|scene|task|shape_pair)_def(ault)?(_default|_init)?$": "defaults are written in Python",
    r"ff_(joint_def_default|shape_pair_default|task_default|impact_def_default|scene_def_init)$": "the same",
    r"ff_model_(joint|link|frame|find_link|find_frame|find_element|find_tendon)$": "called by composed names",
    r"ff_nearest_try$": "difflib does it",
    r"ff_isa_best$": "instruction_set()",
    r"ff_sim_(create|dt|stepper)$": "a World is made first, and knows them",
    r"ff_world_find_control$": "World.controls",
    r"ff_batch_failed$": "Batch.failed",
    r"ff_trial_(next|substeps|sim)$|ff_scheme_of$|ff_solution_substeps$|ff_spread_of$": "numpy, or World",
    r"ff_local_error_|ff_comparison_(work|timed)$": "parts of ff_comparison_run()",
    r"ff_cut_source$": "Cut.source",
    r"ff_files_(find|at)$|ff_path_between$": "dictionaries and os.path",
    r"ff_scene_(load_files|create)$": "a mapping is written to a file",
    r"ff_scene_batch_|ff_scene_variable_at$": "footfall run --batch; Batch.vary takes numbers of numpy",
    r"ff_batch_group_sim$": "controllers in Python get arrays",
    r"ff_(controller_get_feedback|feedback_get_def)$": "the file of the trajectory is read again",
    r"ff_quantity_unit$|ff_option_(find|name|of_stepper|owners)$": "the table is in Python",
}


def source() -> str:
    files = [*PACKAGE.glob("footfall/**/*.py"), *PACKAGE.glob("glue/*")]
    return "\n".join(f.read_text(encoding="utf-8") for f in files)


def functions() -> list[str]:
    text = (PACKAGE / "interface.txt").read_text(encoding="utf-8")
    return re.findall(r"^(ff_\w+)$", text, re.M)


def test_every_public_function_is_called_or_not_for_a_reason() -> None:
    called = set(re.findall(r"\bff_\w+", source()))
    left = [f for f in functions() if f not in called and not any(re.search(p, f) for p in NOT_CALLED)]
    assert len(functions()) > 300
    assert left == []


def test_words_are_those_of_c() -> None:
    checked = 0
    for line in (PACKAGE / "interface.txt").read_text(encoding="utf-8").splitlines():
        kind = line.removeprefix("enum ")
        name = getattr(lib, f"{kind}_name", None) if line.startswith("enum ff_") else None
        if name is None or kind in ("ff_status", "ff_quantity"):
            continue
        for value, known in _structs.words(kind).items():
            if known != "count":
                assert ffi.string(name(value)).decode() == known
                checked += 1
    assert checked > 60


def test_errors_are_those_of_c() -> None:
    from footfall import errors

    for status, kind in enumerate(errors.OF_STATUS[1:], 1):
        assert kind.status == ffi.string(lib.ff_status_name(status)).decode()
    assert len(errors.OF_STATUS) == len(ffi.typeof("ff_status").elements)


@pytest.mark.parametrize(
    ("kind", "struct"),
    [
        (shapes.Material, lib.ff_material_default()),
        (shapes.Inertia, lib.ff_inertia_zero()),
        (ff.Element, lib.ff_element_def_default()),
        (infos.ShapePair, lib.ff_shape_pair_default()),
        (Task, lib.ff_task_default()),
    ],
)
def test_defaults_are_those_of_c(kind: Any, struct: Any) -> None:
    here = kind(0, 0) if kind is infos.ShapePair else kind()
    there = _structs.read(kind, struct)
    ours = {f.name: getattr(here, f.name) for f in dataclasses.fields(here) if f.name not in ("a", "b")}
    theirs = {name: getattr(there, name) for name in ours}
    assert ours == theirs


def test_defaults_of_tasks_and_shapes_are_those_of_c() -> None:
    contact, frame = lib.ff_contact_task_default(), lib.ff_frame_task_default()
    ours = ContactTask("x")
    assert (ours.normal, ours.friction, ours.min_force) == (tuple(contact.normal), contact.friction, contact.min_force)
    assert (ours.max_force, ours.is_on) == (contact.max_force, bool(contact.is_on))
    assert ours.task == _structs.read(Task, contact.task)
    assert FrameTask("x").task == _structs.read(Task, frame.task)
    assert FrameTask("x").mask == tuple(frame.mask)
    shape = shapes.Shape.from_c(lib.ff_shape_def_default())
    standard = shapes.Shape(size=(0.0,))
    for f in dataclasses.fields(shape):
        if f.name != "size":
            assert getattr(shape, f.name) == getattr(standard, f.name), f.name
    ground, made = lib.ff_ground_def_default(), shapes.Ground()
    assert made.shape.material == _structs.read(shapes.Material, ground.shape.material)
    assert made.shape.type == "plane" and tuple(ground.velocity) == made.velocity


def test_dataclasses_have_the_fields_of_their_structs() -> None:
    pairs = {
        infos.JointInfo: "ff_joint_info",
        infos.LinkInfo: "ff_link_info",
        infos.FrameInfo: "ff_frame_info",
        infos.ActuatorInfo: "ff_actuator_info",
        infos.ControlInfo: "ff_control_info",
        infos.ShapePair: "ff_shape_pair",
        shapes.Material: "ff_material",
        shapes.Inertia: "ff_inertia",
        ff.Element: "ff_element_def",
    }
    for kind, struct in pairs.items():
        assert {f.name for f in dataclasses.fields(kind)} - {"index"} == {n for n, _ in ffi.typeof(struct).fields}
    for report in reports.Report.__subclasses__():
        told = {name for name in report.__annotations__ if not name.startswith("_")}
        told |= {name for name, value in vars(report).items() if isinstance(value, property)}
        missing = set(report.fields()) - told - {"from"}
        assert not missing, (report, missing)


def test_the_options_are_those_of_the_table() -> None:
    assert Path(_table.__file__).with_name("options.py").read_text(encoding="utf-8") == _table.source()
    assert {o.name for o in ff.OPTIONS} == set(ff.Options.__annotations__)
    world = ff.World(ff.share("models/ball.urdf"))
    chosen = {"isa": ff.instruction_set(), "max_contacts": 1}  # by the machine, and by the model
    assert world.options == {o.name: o.default for o in ff.OPTIONS} | chosen
    for option in ff.OPTIONS:  # each can be given its own value back
        text = _table.written(option, world.options[option.name])
        assert ff.World(world.model, **{option.name: text.decode()}).options == world.options
    assert "expo_force_tolerance" in (ff.World.__doc__ or "")


def test_a_changed_signature_stops_the_build(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(PACKAGE)
    from make import interface

    include = tmp_path / "include"
    shutil.copytree(root / "include", include)
    interface.check(include)
    changes = {
        (
            "sim.h",
            "ff_status ff_sim_step(ff_sim *sim, const double *tau",
        ): "ff_status ff_sim_step(ff_sim *sim, const float *tau",
        ("sim.h", "void ff_sim_destroy(ff_sim *sim);"): "int ff_sim_destroy(ff_sim *sim);",
        ("batch.h", "int ff_batch_threads(const ff_batch *batch);"): "",
        ("contact.h", "double friction;"): "float friction;",
        ("sim.h", "FF_STEPPER_RK4,"): "",
    }
    for (name, before), after in changes.items():
        header = include / "footfall" / name
        text = header.read_text(encoding="utf-8")
        assert before in text
        header.write_text(text.replace(before, after, 1), encoding="utf-8")
        with pytest.raises(SystemExit, match="no longer the one"):
            interface.check(include)
        header.write_text(text, encoding="utf-8")
    header = include / "footfall/contact.h"  # what is added changes nothing for Python
    text = header.read_text(encoding="utf-8")
    header.write_text(
        text.replace("} ff_material;", "double more; } ff_material;\nint ff_more(void);"), encoding="utf-8"
    )
    interface.check(include)


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(PACKAGE)
    from make import library

    monkeypatch.setattr(library, "is_there", lambda probe, package: package not in ("libhdf5-dev", "cmake"))
    told = library.explain("cmake failed")
    assert "apt-get install cmake libhdf5-dev" in told and "logs of runs" in told and "cmake failed" in told
    monkeypatch.setattr(library, "is_there", lambda probe, package: True)
    assert library.explain("cmake failed") == "cmake failed"
    monkeypatch.setenv("FOOTFALL_BUILD", "/nowhere")
    with pytest.raises(SystemExit, match="libfootfall_io.a"):
        library.build(PACKAGE)
    with pytest.raises(SystemExit, match="there is no no-such-program"):
        library.run("no-such-program")


def test_quantities_steppers_and_instruction_sets() -> None:
    assert ff.quantity("2ms", "time") == 0.002
    assert ff.quantity("10deg", "angle") == pytest.approx(np.pi / 18, rel=1e-15)
    with pytest.raises(ff.ParseError):
        ff.quantity("2 parsecs", "length")
    assert list(ff.STEPPERS)[:2] == ["expo", "expo-paper"] and all(ff.STEPPERS.values())
    assert ff.is_hard("moreau") and not ff.is_hard("rk4")
    assert ff.instruction_set() in ("base", "avx2", "avx512") and ff.instruction_set("base") == "base"
    assert ff.__version__ == ffi.string(lib.ff_version()).decode()
    assert Trajectory.__doc__


def test_what_a_build_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess
    import sys
    import sysconfig

    monkeypatch.syspath_prepend(PACKAGE)
    from make import needs

    monkeypatch.setattr(sysconfig, "get_paths", lambda: {"include": "/nowhere"})
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    packages = [package for package, _ in needs.missing()]
    assert packages == ["python3-setuptools", "python3-cffi", "python3-dev"]
    assert "apt-get install python3-setuptools python3-cffi python3-dev" in needs.told(needs.missing())
    with pytest.raises(SystemExit, match="Python.h"):
        needs.check()
    # Without site-packages, as on a machine that has neither.
    done = subprocess.run([sys.executable, "-S", "setup.py", "build"], cwd=PACKAGE, capture_output=True, text=True)
    assert done.returncode == 1 and "apt-get install python3-setuptools python3-cffi" in done.stderr
    assert "Traceback" not in done.stderr
