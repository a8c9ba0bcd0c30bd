"""Scenes: whole experiments from files: robot, ground, start, controller, stepper, expectations; scene.h."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from footfall import _table, errors
from footfall._native import (
    NULL,
    Array,
    ArrayLike,
    Native,
    StrPath,
    Turn,
    array,
    call,
    create,
    encoded,
    ffi,
    lib,
    name_or_none,
    owned,
    pointer,
    portions,
    text,
)  # fmt: skip
from footfall.contacts import Contacts
from footfall.model import Model
from footfall.reports import Report, SceneResult
from footfall.shapes import Ground
from footfall.sim import Sim
from footfall.world import World

if TYPE_CHECKING:
    from footfall.batch import Batch
    from footfall.compare import Comparison

Value = Any  # of a field: a number, a text with a unit, a list, ...


class SceneForce(Report):
    """A push as applied: that of the file, varied if there is a seed; ff_scene_force in scene.h."""

    __slots__ = ()
    _kind = "ff_scene_force"
    link: int  #: of the model
    at: tuple[float, ...]  #: in the link's frame [m]
    force: tuple[float, ...]  #: world axes [N]
    duration: float  #: [s]

    @property
    def start(self) -> float:
        """Start time [s]."""
        return float(getattr(self, "from"))


class Scene(Native):
    """An experiment with its controller and sim.

    source: a YAML file, or a mapping with the same fields: {"model": "solo12.urdf", "duration": 2, ...}
    change: new values of fields, by path: {"stepper.type": "rk4", "ground[0].friction": 0.5}

    step() takes a step with the controller; run() all of them. `sim` is the scene's sim, in its coordinates; `q`, `v`
    are copies of the state in the model's coordinates.
    """

    def __init__(self, source: StrPath | Mapping[str, Value], change: Mapping[str, Value] | None = None) -> None:
        self._source: Any = dict(source) if isinstance(source, Mapping) else os.fspath(source)
        self._change = dict(change or {})
        self._turn = Turn()
        if isinstance(source, Mapping):
            with tempfile.TemporaryDirectory(prefix="footfall-") as folder:
                path = _written(source, Path(folder))
                try:
                    self._load(path)
                except errors.Error as error:  # the mapping has neither file nor lines
                    raise type(error)(error.message.replace(f"{path}:1", "scene"), thing=error.thing) from None
        else:
            self._load(source)

    def _load(self, path: StrPath) -> None:
        keep: list[Any] = []
        changes = ffi.new("ff_scene_override[]", max(len(self._change), 1))
        for i, (field, value) in enumerate(self._change.items()):
            content = value if isinstance(value, str) else json.dumps(_plain(value))
            keep += [ffi.new("char[]", encoded(field)), ffi.new("char[]", encoded(content))]
            changes[i].path, changes[i].value = keep[-2], keep[-1]
        made = create(lib.ff_scene_load, "ff_scene", encoded(path), changes, len(self._change))
        self._c = owned(made, lib.ff_scene_destroy)
        self.model = Model._of(ffi.cast("ff_model *", lib.ff_scene_model(self._c)), owner=self._c)
        sim = lib.ff_scene_sim(self._c)
        parts = self.model
        if lib.ff_scene_cut(self._c) != NULL:
            parts = Model._of(ffi.cast("ff_model *", lib.ff_sim_model(sim)), owner=self._c)
        definition = ffi.new("ff_sim_def *")
        lib.ff_sim_def_init(definition, ffi.sizeof("ff_sim_def"))
        lib.ff_scene_get_sim_def(self._c, definition)
        ground = [Ground.from_c(definition.ground[i]) for i in range(definition.ground_count)]
        self._world = World._borrowed(lib.ff_sim_world(sim), parts, self._c, ground)
        self.sim: Sim = Sim._borrowed(sim, self._world, self._c, self._turn)

    def _closing(self) -> None:
        self.sim.close()

    # ---- What it is -------------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """For people; "" if there is none."""
        return text(lib.ff_scene_get_def(self._c).title)

    @property
    def duration(self) -> float:
        """[s]"""
        return float(lib.ff_scene_get_def(self._c).duration)

    @property
    def period(self) -> float:
        """Control period [s]."""
        return float(lib.ff_scene_period(self._c))

    @property
    def steps(self) -> int:
        """Number of steps of the whole run."""
        return int(lib.ff_scene_steps(self._c))

    @property
    def step_count(self) -> int:
        """Steps taken since the start."""
        return int(lib.ff_scene_step_count(self._c))

    @property
    def file(self) -> str | None:
        """Path of the file."""
        return None if isinstance(self._source, dict) else name_or_none(lib.ff_scene_file(self._c))

    @property
    def model_file(self) -> str | None:
        """Path of the model's file."""
        return name_or_none(lib.ff_scene_model_file(self._c))

    @property
    def trajectory_file(self) -> str | None:
        """Path of the feedback trajectory, None: there is none."""
        return name_or_none(lib.ff_scene_trajectory_file(self._c))

    @property
    def posture(self) -> str | None:
        """Posture of the start."""
        return name_or_none(lib.ff_scene_posture(self._c))

    @property
    def warnings(self) -> list[str]:
        """Of the file, such as obsolete keys."""
        return [text(lib.ff_scene_warning(self._c, i)) for i in range(lib.ff_scene_warning_count(self._c))]

    @property
    def options(self) -> dict[str, float | int | bool | str]:
        """The options of its stepper, by keyword."""
        return _table.as_dict(ffi.addressof(lib.ff_scene_get_def(self._c), "sim"))

    @property
    def start(self) -> tuple[Array, Array]:
        """q and v at the start."""
        return self._copy(lib.ff_scene_q(self._c), self.model.nq), self._copy(lib.ff_scene_v(self._c), self.model.nv)

    @property
    def pushes(self) -> list[SceneForce]:
        """Pushes as applied."""
        count = lib.ff_scene_push_count(self._c)
        return [SceneForce(lib.ff_scene_push_force(self._c, i)) for i in range(count)]

    @staticmethod
    def fields() -> list[str]:
        """The paths of all fields; those inside lists are omitted."""
        found: list[str] = []
        room = ffi.new("char[]", lib.FF_SCENE_FIELD_SIZE)
        while lib.ff_scene_field(len(found), room):
            found.append(text(room))
        return found

    @staticmethod
    def words(field: str) -> list[str]:
        """The words that a field accepts."""
        found: list[str] = []
        while (known := lib.ff_scene_field_word(encoded(field), len(found))) != NULL:
            found.append(text(known))
        return found

    # ---- Running ----------------------------------------------------------------------------------------------------

    @staticmethod
    def _copy(p: Any, count: int) -> Array:
        return np.frombuffer(ffi.buffer(p, 8 * count)).copy() if count else np.zeros(0)

    @property
    def time(self) -> float:
        """Since the start [s]."""
        return self.sim.time

    @property
    def q(self) -> Array:
        """A copy of the present configuration, in the model's coordinates [nq]."""
        with self._turn:
            return self._copy(lib.ff_scene_now_q(self._c), self.model.nq)

    @property
    def v(self) -> Array:
        """A copy of the present velocity, in the model's coordinates [nv]."""
        with self._turn:
            return self._copy(lib.ff_scene_now_v(self._c), self.model.nv)

    @property
    def tau(self) -> Array:
        """A copy of the torques of controller and pushes in the last step [nv]."""
        with self._turn:
            return self._copy(lib.ff_scene_tau(self._c), self.model.nv)

    @property
    def contacts(self) -> Contacts:
        """Contacts at the present state, with links of the scene's model: a copy."""
        with self._turn:
            count = ffi.new("int *")
            found = lib.ff_scene_contacts(self._c, count)
            return Contacts.from_c(found, count[0])

    def step(self) -> None:
        """Take one step, and observe it for `result`."""
        with self._turn:
            call(lib.ff_scene_step, self._c)
            lib.ff_scene_watch(self._c)

    def run(self, steps: int | None = None) -> SceneResult:
        """Take all steps that are left, or so many, and return what was observed."""
        left = self.steps - self.step_count if steps is None else int(steps)
        for portion in portions(max(left, 0), 100):
            with self._turn:
                call(lib.ffp_scene_run, self._c, portion)
        return self.result

    def __iter__(self) -> Iterator[Scene]:
        """Each step until the end: `for _ in scene: ...`."""
        while self.step_count < self.steps:
            self.step()
            yield self

    @property
    def result(self) -> SceneResult:
        """Observations so far, and the expectations that the present state misses."""
        out = ffi.new("ff_scene_result *")
        with self._turn:
            lib.ff_scene_get_result(self._c, out)
        return SceneResult(out)

    def control(self, time: float, q: ArrayLike, v: ArrayLike) -> Array:
        """Torques [nv] of controller, pushes and controls for the period that begins at `time` in the state q, v."""
        at, speed = array(q, (self.model.nq,), "q"), array(v, (self.model.nv,), "v")
        out = np.empty(self.model.nv)
        with self._turn:
            call(lib.ff_scene_control, self._c, float(time), pointer(at), pointer(speed), pointer(out))
        return out

    @property
    def control_seconds(self) -> float:
        """Computation time of the controller so far [s]."""
        return float(lib.ff_scene_control_seconds(self._c))

    def create_sim(self, **options: Any) -> Sim:
        """Another sim at the scene's start, in its coordinates, with other options of the stepper."""
        definition = ffi.new("ff_sim_def *")
        lib.ff_sim_def_init(definition, ffi.sizeof("ff_sim_def"))
        lib.ff_scene_get_sim_def(self._c, definition)
        stepper = str(options.get("stepper", self.sim.world.stepper))
        for name, value in options.items():
            option = _table.find(name, stepper)
            call(lib.ff_sim_def_set, definition, option.key.encode(), _table.written(option, value))
        made = owned(create(lib.ff_scene_create_sim, "ff_sim", self._c, definition), lib.ff_sim_destroy, self._c)
        world = World._borrowed(lib.ff_sim_world(made), self._world.model, made, self._world.ground)
        return Sim._borrowed(made, world, made)

    def world(self, **options: Any) -> World:
        """The scene's world, with ground and motors, for sims and batches; with other options of the stepper."""
        return self.create_sim(**options).world

    def batch(self, robots: int = 1, *, threads: int = 0, seed: int | None = None, **options: Any) -> Batch:
        """Many robots at the scene's start, without its controller; options of the stepper."""
        from footfall.batch import Batch

        sim = self.create_sim(**options)
        made = Batch(sim.world, robots, threads=threads, seed=seed)
        made.states = sim.state
        return made

    def reset_sim(self, sim: Sim) -> None:
        """Set a sim of create_sim() back to the scene's start."""
        with self._turn, sim._turn:
            call(lib.ff_scene_reset_sim, self._c, sim._c)

    def save_state(self) -> dict[str, Any]:
        """Everything that the next steps and the result depend on, for resume()."""
        with self._turn:
            memory = np.empty(lib.ff_scene_memory_size(self._c))
            lib.ff_scene_get_memory(self._c, pointer(memory))
            return {"step": self.step_count, "state": self.sim.state, "q": self.q, "tau": self.tau, "memory": memory}

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Go on from save_state() of the same scene, to the bit."""
        state, memory = array(saved["state"], (len(self.sim.state),), "state"), np.asarray(saved["memory"], float)
        q, tau = array(saved["q"], (self.model.nq,), "q"), array(saved["tau"], (self.model.nv,), "tau")
        with self._turn:
            call(lib.ff_scene_resume, self._c, int(saved["step"]), pointer(state), pointer(q), pointer(tau))
            call(lib.ff_scene_set_memory, self._c, pointer(np.ascontiguousarray(memory)), len(memory))

    def compare(self, **options: Any) -> Comparison:
        """Measure steppers on its motion; options as of compare()."""
        from footfall.compare import compare

        return compare(self, **options)

    def copy(self) -> Scene:
        """Another scene of the same source, in the same state."""
        other = Scene(self._source, self._change)
        other.resume(self.save_state())
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Scene:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        source = self._source if isinstance(self._source, dict) else os.path.abspath(self._source)
        return _again, (source, self._change, self.save_state())

    def __repr__(self) -> str:
        if self.closed:
            return "<footfall.Scene, closed>"
        name = self.title or self.file or self.model.name
        return f"<footfall.Scene '{name}': {self.sim.world.stepper}, t = {self.time:g} of {self.duration:g} s>"


def _again(source: Any, change: Any, saved: Any) -> Scene:
    scene = Scene(source, change)
    scene.resume(saved)
    return scene


def _plain(value: Any) -> Any:
    """A value as JSON, which is YAML."""
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(v) for v in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise errors.ArgumentError(f"a scene holds numbers, texts, lists and mappings, not {value!r}")


def _written(source: Mapping[str, Value], folder: Path) -> Path:
    """A mapping as a file; the paths in it are relative to the working folder."""
    content = _plain(source)
    for holder, name in ((content, "model"), (content.get("controller"), "trajectory"), (content.get("load"), "srdf")):
        if isinstance(holder, dict) and isinstance(holder.get(name), str):
            holder[name] = os.path.abspath(holder[name])
    path = folder / "scene.yaml"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path
