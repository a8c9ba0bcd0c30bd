"""Controllers: whole-body control, reference motions, gaits, feedback along trajectories, planning; control.h."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from footfall import _callbacks, errors
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
    numbers,
    owned,
    pointer,
    text,
)  # fmt: skip
from footfall._structs import fill, value_of
from footfall.model import Model
from footfall.whole_body import copied

Vector = tuple[float, float, float]


# ---- Gaits ----------------------------------------------------------------------------------------------------------


def _gait(made: Any, model: Model, base: int | str, feet: Sequence[int | str], options: Mapping[str, Any]) -> list[Any]:
    """Base, feet and options of a trot, jump or plan."""
    keep: list[Any] = []
    if len(feet) != 4:
        raise errors.ArgumentError(f"feet: four are needed, not {len(feet)}", thing="feet")
    fill(made, options, "", keep)
    made.base, made.feet = model.frame(base), [model.frame(foot) for foot in feet]
    return keep


class Trot(Native):
    """Diagonal pairs of feet step in turn while the base moves along x; control/gait.h.

    feet: frames: fore left, fore right, hind left, hind right
    q: the robot stands there, with its feet under its legs
    options: speed, start_time, ramp_time, step_time, both_time, step_height, sink, placement, friction, torque_limit,
    hold: ff_trot_def
    """

    def __init__(
        self, model: Model, base: int | str, feet: Sequence[int | str], q: ArrayLike, **options: float
    ) -> None:
        made = ffi.new("ff_trot_def *", lib.ff_trot_def_default())
        _gait(made, model, base, feet, options)
        self._turn, self.model = Turn(), model
        at = array(q, (model.nq,), "q")
        self._c = owned(create(lib.ff_trot_create, "ff_trot", model._c, made, pointer(at)),
                        lib.ff_trot_destroy, model._c)  # fmt: skip

    def tau(self, time: float, q: ArrayLike, v: ArrayLike) -> Array:
        """Torques [nv] at a time and a state."""
        return _torques(self, lib.ff_trot_tau, time, q, v)

    @property
    def state(self) -> Array:
        """What tau() depends on beside its arguments. Assign to repeat a past call."""
        out = np.empty(lib.FF_TROT_STATE)
        with self._turn:
            lib.ff_trot_get_state(self._c, pointer(out))
        return out

    @state.setter
    def state(self, state: ArrayLike) -> None:
        given = array(state, (lib.FF_TROT_STATE,), "state")
        with self._turn:
            lib.ff_trot_set_state(self._c, pointer(given))


class Jump(Native):
    """Crouch, push off, fly, land on four feet, stand up; control/gait.h.

    options: flight, start_time, crouch_time, crouch, stroke, lowest, friction, torque_limit, hold: ff_jump_def;
    landing: joints during the flight [nq]
    """

    def __init__(
        self,
        model: Model,
        base: int | str,
        feet: Sequence[int | str],
        q: ArrayLike,
        *,
        landing: ArrayLike | None = None,
        **options: float,
    ) -> None:
        made = ffi.new("ff_jump_def *", lib.ff_jump_def_default())
        _gait(made, model, base, feet, options)
        legs = None if landing is None else array(landing, (model.nq,), "landing")
        made.landing = pointer(legs)
        self._turn, self.model = Turn(), model
        at = array(q, (model.nq,), "q")
        self._c = owned(create(lib.ff_jump_create, "ff_jump", model._c, made, pointer(at)),
                        lib.ff_jump_destroy, model._c)  # fmt: skip

    def tau(self, time: float, q: ArrayLike, v: ArrayLike) -> Array:
        """Torques [nv] at a time and a state."""
        return _torques(self, lib.ff_jump_tau, time, q, v)

    @property
    def takeoff(self) -> float:
        """Planned time of lift-off [s]."""
        return float(lib.ff_jump_takeoff(self._c))


def _torques(self: Any, function: Any, time: float, q: ArrayLike, v: ArrayLike) -> Array:
    at, speed, out = array(q, (self.model.nq,), "q"), array(v, (self.model.nv,), "v"), np.zeros(self.model.nv)
    with self._turn:
        call(function, self._c, float(time), pointer(at), pointer(speed), pointer(out))
    return out


# ---- Feedback along trajectories ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Trajectory:
    """States at equal time intervals, with a control and a gain for each interval; control/feedback.h, trajectory.h."""

    q: Array  #: [states, nq]
    v: Array  #: [states, nv]
    interval: float  #: [s]
    control: Array | None = None  #: [states - 1, nu]; None: zero
    gain: Array | None = None  #: [states - 1, nu, 2 nv]; None: zero
    torque_limits: Array | None = None  #: [nv]
    repeat_from: int | None = None  #: after the last state continue from this one
    notes: str = ""  #: on the origin of the numbers

    @classmethod
    def load(cls, path: StrPath, model: Model) -> Trajectory:
        """Read a file."""
        made = create(lib.ff_trajectory_load, "ff_trajectory", encoded(path), model._c)
        try:
            return cls._from_def(lib.ff_trajectory_feedback(made), model, text(lib.ff_trajectory_notes(made)))
        finally:
            lib.ff_trajectory_destroy(made)

    @classmethod
    def _from_def(cls, given: Any, model: Model, notes: str = "") -> Trajectory:
        n, nv = given.states, model.nv
        joints = [j for j in model.joints if j.type != "free"]
        nu = sum(j.nv for j in joints)

        def copy(p: Any, shape: tuple[int, ...]) -> Array | None:
            return None if p == NULL else copied(p, shape)

        return cls(copied(given.q, (n, model.nq)), copied(given.v, (n, nv)), given.interval,
                   copy(given.control, (n - 1, nu)), copy(given.gain, (n - 1, nu, 2 * nv)),
                   copy(given.torque_limits, (nv,)), given.repeat_from if given.repeats else None, notes)  # fmt: skip

    def _def(self, model: Model, keep: list[Any]) -> Any:
        made = ffi.new("ff_feedback_def *", lib.ff_feedback_def_default())
        q = numbers(self.q, "q")
        n, nu = len(q), sum(j.nv for j in model.joints if j.type != "free")
        shapes = {"q": (n, model.nq), "v": (n, model.nv), "control": (n - 1, nu),
                  "gain": (n - 1, nu, 2 * model.nv), "torque_limits": (model.nv,)}  # fmt: skip
        for name, shape in shapes.items():
            if getattr(self, name) is not None:
                keep.append(array(getattr(self, name), shape, name))
                setattr(made, name, pointer(keep[-1]))
        made.states, made.interval = n, self.interval
        made.repeats, made.repeat_from = self.repeat_from is not None, self.repeat_from or 0
        return made

    def save(self, path: StrPath, model: Model) -> None:
        """Write a file. States and controls keep 12 digits, gains 5."""
        keep: list[Any] = []
        call(lib.ff_trajectory_save, encoded(path), model._c, self._def(model, keep), encoded(self.notes))


class Feedback(Native):
    """tau = u_k + K_k (x_ref(t) (-) x) along a trajectory; control/feedback.h."""

    def __init__(self, model: Model, trajectory: Trajectory) -> None:
        keep: list[Any] = []
        self._turn, self.model = Turn(), model
        made = create(lib.ff_feedback_create, "ff_feedback", model._c, trajectory._def(model, keep))
        self._c = owned(made, lib.ff_feedback_destroy, model._c)

    @property
    def controls(self) -> int:
        """Number of controls."""
        return int(lib.ff_feedback_controls(self._c))

    @property
    def duration(self) -> float:
        """Of the trajectory [s]."""
        return float(lib.ff_feedback_duration(self._c))

    def reference(self, time: float) -> tuple[Array, Array]:
        """The reference q, v at a time."""
        q, v = np.empty(self.model.nq), np.empty(self.model.nv)
        with self._turn:
            lib.ff_feedback_reference(self._c, float(time), pointer(q), pointer(v))
        return q, v

    def tau(self, time: float, q: ArrayLike, v: ArrayLike) -> Array:
        """Torques [nv] at a time and a state."""
        at, speed, out = array(q, (self.model.nq,), "q"), array(v, (self.model.nv,), "v"), np.empty(self.model.nv)
        with self._turn:
            lib.ff_feedback_tau(self._c, float(time), pointer(at), pointer(speed), pointer(out))
        return out


# ---- Controllers by name --------------------------------------------------------------------------------------------


class Controller(Native):
    """Torques as a function of time and state alone; control/controller.h.

    type: none, posture-pd, squat, walk, feedback, posture, trot
    q0: the start
    options: fields of ff_controller_def, as in scenes: kp, kd, squat={...}, walk={...}, trot={...}, tasks={...};
    trajectory: a Trajectory, for feedback
    """

    def __init__(
        self,
        model: Model,
        type: str,
        q0: ArrayLike,
        *,
        period: float,
        trajectory: Trajectory | None = None,
        feet: Sequence[str] = (),
        **options: Any,
    ) -> None:
        keep: list[Any] = []
        made = ffi.new("ff_controller_def *", lib.ff_controller_def_default())
        made.type, made.period = value_of("ff_controller_type", type, "type"), period
        for part in ("squat", "trot"):
            if "feet" in options.get(part, {}):
                options[part] = dict(options[part])
                names = [ffi.new("char[]", encoded(name)) for name in options[part].pop("feet")]
                listed = ffi.new("char *[]", names)
                keep += [names, listed]
                getattr(made, part).feet = ffi.cast("const char **", listed)
                getattr(made, part).feet_count = len(names)
        fill(made, options, "", keep)
        if feet:
            names = [ffi.new("char[]", encoded(name)) for name in feet]
            listed = ffi.new("char *[]", names)
            made.feet, made.feet_count = ffi.cast("const char *const *", listed), len(names)
            keep += [names, listed]
        if trajectory is not None:
            made.feedback = trajectory._def(model, keep)
            keep.append(made.feedback)
        start = array(q0, (model.nq,), "q0")
        self._turn, self.model, self.type = Turn(), model, type
        self._c = owned(create(lib.ff_controller_create, "ff_controller", model._c, made, pointer(start)),
                        lib.ff_controller_destroy, model._c)  # fmt: skip

    def tau(self, time: float, q: ArrayLike, v: ArrayLike) -> Array:
        """Torques [nv] for the period that begins at `time` in a state."""
        return _torques(self, lib.ff_controller_tau, time, q, v)

    def com(self, time: float) -> Array | None:
        """The reference of the centre of mass at a time; None: there is none."""
        out = np.empty(3)
        with self._turn:
            return out if lib.ff_controller_com(self._c, float(time), pointer(out)) else None


# ---- Planning -------------------------------------------------------------------------------------------------------


def plan(
    model: Model,
    motion: str,
    base: int | str,
    feet: Sequence[int | str],
    q: ArrayLike,
    *,
    progress: Callable[[str, float], object] | None = None,
    cost: Mapping[str, float] | None = None,
    **options: float,
) -> Trajectory:
    """Plan a trot or a jump of a four-legged robot that stands at q, with feedback gains; control/plan.h.

    progress(what, share) returns False to stop; options: interval, steps, answer_steps.
    """
    made = ffi.new("ff_plan_def *", lib.ff_plan_def_default(value_of("ff_plan_motion", motion, "motion")))
    keep = _gait(made, model, base, feet, {**options, "cost": cost})
    start = array(q, (model.nq,), "q")
    with _callbacks.Handle(model, progress or _callbacks.go_on) as handle:
        made.progress, made.user = lib.ffp_plan_progress, handle.pointer
        try:
            found = create(lib.ff_plan_create, "ff_plan", model._c, made, pointer(start))
        finally:
            handle.reraise()
            del keep
    try:
        return Trajectory._from_def(lib.ff_plan_feedback(found), model)
    finally:
        lib.ff_plan_destroy(found)
