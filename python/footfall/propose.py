"""A first scene for an unknown robot: what `footfall new` does; propose.h.

proposal = ff.new("robot.urdf")
proposal.state                       # "stands"
scene = ff.Scene(proposal.save("robot.yaml"))
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from footfall import _callbacks, errors
from footfall._native import Array, ArrayLike, StrPath, array, create, encoded, ffi, lib, pointer, text
from footfall._structs import read, word
from footfall.dynamics import Dynamics
from footfall.elements import Element
from footfall.load import ContactPoint, load_def
from footfall.model import Model
from footfall.pose import Pose


@dataclass(frozen=True, eq=False)
class Proposal:
    """A scene in which a robot stays at rest, as far as there is one."""

    text: str  #: the scene, YAML with comments
    path: str  #: where its model and meshes are named relative to
    log: str  #: log that a run of the scene writes
    state: str  #: outcome: stands, lies, held, moves, many
    is_stable: bool  #: the robot stayed at its start
    tries: int  #: number of starts tried
    q: Array  #: the start [nq]
    dt: float  #: [s]
    duration: float  #: [s]
    stepper: str
    floating: int  #: number of floating joints
    fixes_base: bool  #: the scene fixes the root to the world
    fixed_because: str | None  #: why
    motors: tuple[Element, ...]  #: that hold the start
    feet: tuple[int, ...]  #: links that touch something at the end
    moved: float  #: farthest the base was from its start [m]

    def save(self, path: StrPath | None = None) -> str:
        """Write the scene to the path that it was made for; returns that path."""
        place = self.path if path is None else os.fspath(path)
        if os.path.abspath(os.path.dirname(place)) != os.path.abspath(os.path.dirname(self.path)):
            raise errors.ArgumentError(
                f"{place}: the scene names its model relative to {os.path.dirname(self.path) or '.'}: "
                "new(..., scene=path) makes it for another folder"
            )
        Path(place).write_text(self.text, encoding="utf-8")
        return place

    def __repr__(self) -> str:
        return (
            f"<footfall.Proposal for '{self.path}': {self.state}, {self.stepper}, dt {self.dt:g} s, {self.tries} tries>"
        )


def new(
    model: StrPath,
    *,
    scene: StrPath | None = None,
    posture: str | None = None,
    floating: bool = False,
    mesh_paths: Sequence[StrPath] = (),
    contact_points: Sequence[ContactPoint] = (),
    progress: Callable[[str, float], object] | None = None,
    **load: Any,
) -> Proposal:
    """Read a model and search for a scene in which it stays at rest.

    scene: path of the scene, whose folder exists; None: in the working folder, with the model's name
    posture: start in it; None: any that stays
    floating: the root floats, whatever the rules say
    load: options of Model()
    progress(what, share) returns False to stop: StoppedError
    """
    keep: list[Any] = []
    definition = ffi.new("ff_proposal_def *")
    lib.ff_proposal_def_init(definition, ffi.sizeof("ff_proposal_def"))
    place = os.fspath(scene) if scene is not None else Path(os.fspath(model)).with_suffix(".yaml").name
    for name, value in (("scene", place), ("posture", posture)):
        if value is not None:
            keep.append(ffi.new("char[]", encoded(value)))
            setattr(definition, name, keep[-1])
    definition.base_rule = lib.FF_PROPOSAL_BASE_FLOATING if floating else lib.FF_PROPOSAL_BASE_BY_RULE
    keep.append(load_def(load, mesh_paths, contact_points, keep))
    definition.load = keep[-1]
    with _callbacks.Handle(model, progress or _callbacks.go_on) as handle:
        definition.progress, definition.user = lib.ffp_proposal_progress, handle.pointer
        try:
            found = create(lib.ff_scene_propose, "ff_proposal", encoded(model), definition)
        finally:
            handle.reraise()
    try:
        return _read(found, place)
    finally:
        lib.ff_proposal_destroy(found)


def _read(found: Any, place: str) -> Proposal:
    nq = lib.ff_model_get_size(found.model).nq
    return read(
        Proposal, found, text=bytes(ffi.buffer(found.text, found.text_size)).decode(), path=place,
        state=word("ff_proposal_state", found.state), stepper=word("ff_stepper", found.stepper),
        q=np.frombuffer(ffi.buffer(found.q, 8 * nq)).copy(), feet=tuple(found.feet[0 : min(found.foot_count, 8)]),
        motors=tuple(read(Element, ffi.addressof(found.motors, i)[0]) for i in range(found.motor_count)),
        log=text(found.log),
    )  # fmt: skip


# ---- Placing ; place.h ----------------------------------------------------------------------------------------------


def gap(model: Model, q: ArrayLike, plane: Pose | None = None) -> float:
    """Distance from a plane (z is its normal) to the lowest point of all moving collision shapes [m]; nan: none."""
    worker, at = Dynamics(model), array(q, (model.nq,), "q")
    return float(lib.ff_place_gap(model._c, worker._one, pointer(at), (plane or Pose())._struct()))


def put_on_ground(model: Model, q: ArrayLike, plane: Pose | None = None) -> Array:
    """q with all floating joints moved along the plane's normal until the lowest point touches it."""
    at = array(q, (model.nq,), "q").copy()
    distance = gap(model, at, plane)
    if not np.isfinite(distance):
        raise errors.ArgumentError("no shape of the model has a lowest point")
    lib.ff_place_lift(model._c, (plane or Pose())._struct(), -distance, pointer(at))
    return at


def tilt(model: Model, q: ArrayLike, plane: Pose) -> Array:
    """q with all floating joints moved from z = 0 to the plane, so that poses relative to the ground stay."""
    at = array(q, (model.nq,), "q").copy()
    lib.ff_place_tilt(model._c, plane._struct(), pointer(at))
    return at


def motors(
    model: Model, q: ArrayLike, *, kp: float | None = None, kd: float | None = None, bounded: bool = False
) -> list[Element]:
    """Motors that hold the joints at q, for World(elements=...). Gains that are None follow from the inertia.

    bounded: gains that one would begin with on a machine
    """
    worker, at = Dynamics(model), array(q, (model.nq,), "q")
    made = ffi.new("ff_element_def[]", max(len(model.joints), 1))
    if bounded:
        count = lib.ff_place_bounded_motors(model._c, worker._one, pointer(at), made)
    else:
        gains = [np.nan if gain is None else float(gain) for gain in (kp, kd)]
        count = lib.ff_place_motors(model._c, worker._one, pointer(at), *gains, made)
    return [read(Element, ffi.addressof(made, i)[0]) for i in range(count)]
