"""Maximal coordinates: a model cut at some of its joints into floating parts that constraints connect; cut.h."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from footfall import errors
from footfall._native import NULL, Array, ArrayLike, array, create, encoded, ffi, lib, owned, pointer
from footfall._structs import value_of
from footfall.model import Model


class Cut:
    """`cut.model` is the cut model, for a World with a hard stepper; `cut.source` the one that was cut.

    joints: minimal (none), extended, maximal (all but free ones), or a list of joints' names
    place: joints, centres: where parts float
    drop_...: allow that cut joints lose such a property; else they are refused
    """

    def __init__(
        self,
        model: Model,
        joints: str | Sequence[str] = "maximal",
        *,
        place: str = "joints",
        drop_armature: bool = False,
        drop_limits: bool = False,
        drop_damping: bool = False,
        drop_friction: bool = False,
        drop_springs: bool = False,
        drop_servos: bool = False,
    ) -> None:
        definition = ffi.new("ff_cut_def *", lib.ff_cut_def_default())
        definition.place = value_of("ff_cut_place", place, "place")
        definition.drop_armature, definition.drop_limits = drop_armature, drop_limits
        definition.drop_damping, definition.drop_friction = drop_damping, drop_friction
        definition.drop_springs, definition.drop_servos = drop_springs, drop_servos
        if isinstance(joints, str):
            definition.set = value_of("ff_cut_set", joints, "joints")
            names: list[Any] = []
        else:
            definition.set = lib.FF_CUT_LISTED
            names = [ffi.new("char[]", encoded(name)) for name in joints]
        listed = ffi.new("char *[]", names) if names else NULL
        definition.joints, definition.joint_count = ffi.cast("const char *const *", listed), len(names)
        self.source = model
        made = create(lib.ff_cut_create, "ff_cut", model._c, definition)
        self._c = owned(made, lib.ff_cut_destroy, model._c)
        self.model = Model._of(ffi.cast("ff_model *", lib.ff_cut_model(self._c)), owner=self._c)

    def __len__(self) -> int:
        """Number of cut joints."""
        return int(lib.ff_cut_count(self._c))

    def joint(self, joint: int | str) -> tuple[bool, int, int]:
        """What a joint of the source became: is it cut, its joint in the cut model, its constraint (-1: none)."""
        out = ffi.new("ff_cut_joint *")
        if lib.ff_cut_get_joint(self._c, self.source._index("joint", joint), out) != 0:
            raise errors.ArgumentError(f"there is no joint {joint}", thing="joint")
        return bool(out.is_cut), int(out.joint), int(out.element)

    def spread(self, q: ArrayLike, v: ArrayLike | None = None) -> tuple[Array, Array]:
        """A state of the source as one of the cut model; v None: at rest."""
        start = array(q, (self.source.nq,), "q")
        speed = array(np.zeros(self.source.nv) if v is None else v, (self.source.nv,), "v")
        q_cut, v_cut = np.empty(self.model.nq), np.empty(self.model.nv)
        lib.ff_cut_spread(self._c, pointer(start), pointer(speed), pointer(q_cut), pointer(v_cut))
        return q_cut, v_cut

    def gather(
        self, q_cut: ArrayLike, v_cut: ArrayLike | None = None, near: ArrayLike | None = None
    ) -> tuple[Array, Array]:
        """A state of the cut model as one of the source; revolute angles are those nearest to `near` [nq]."""
        start = array(q_cut, (self.model.nq,), "q_cut")
        speed = array(np.zeros(self.model.nv) if v_cut is None else v_cut, (self.model.nv,), "v_cut")
        close = None if near is None else array(near, (self.source.nq,), "near")
        q, v = np.empty(self.source.nq), np.empty(self.source.nv)
        lib.ff_cut_gather(self._c, pointer(start), pointer(speed), pointer(close), pointer(q), pointer(v))
        return q, v

    def tau(self, q_cut: ArrayLike, tau: ArrayLike) -> Array:
        """Generalised forces of the source on the cut model; power is conserved."""
        start, forces = array(q_cut, (self.model.nq,), "q_cut"), array(tau, (self.source.nv,), "tau")
        out = np.empty(self.model.nv)
        lib.ff_cut_tau(self._c, pointer(start), pointer(forces), pointer(out))
        return out

    def __repr__(self) -> str:
        return f"<footfall.Cut of '{self.source.name}': {len(self)} joints cut, nv {self.model.nv}>"
