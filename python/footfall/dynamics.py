"""Rigid-body kinematics and dynamics of a model, for one configuration or many; dynamics.h.

    tau = M(q) vdot + h(q, v)

M includes the joints' armature; h Coriolis, centrifugal and gravity forces and the joints' viscous damping. Dry
friction, joint limits, springs and actuators are not part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from footfall import errors
from footfall._native import (
    NULL,
    Array,
    ArrayLike,
    Turn,
    array,
    call,
    create,
    ffi,
    lib,
    numbers,
    owned,
    pointer,
)  # fmt: skip
from footfall._structs import value_of, word
from footfall.elements import Point
from footfall.model import Model

Axes = str


def _needed(given: ArrayLike, name: str) -> ArrayLike:
    if given is None:
        raise errors.ArgumentError(f"{name}: numbers are expected, not None", thing=name)
    return given


class Dynamics:
    """Working memory for one model. Threads take turns; make one for each thread that is to be fast.

    Every function takes q [nq], v [nv], ... or rows of them, q [n, nq], v [n, nv]: rows are computed several at once,
    one in each lane of the processor's vectors, and the result has n rows too. One row and many may differ by
    rounding.

    isa: auto, base, avx2, avx512
    max_points: most points in one call of minv_jt or delassus
    """

    def __init__(self, model: Model, *, isa: str = "auto", max_points: int = 64) -> None:
        self.model = model
        self._turn = Turn()
        self._isa, self._points = value_of("ff_isa", isa, "isa"), max_points
        self._one = self._make(1)
        self._wide: Any = None

    def _make(self, lanes: int) -> Any:
        definition = ffi.new("ff_dynamics_def *", lib.ff_dynamics_def_default())
        definition.lanes, definition.isa, definition.max_points = lanes, self._isa, self._points
        made = create(lib.ff_dynamics_create, "ff_dynamics", self.model._c, definition)
        return owned(made, lib.ff_dynamics_destroy, self.model._c)

    @property
    def isa(self) -> str:
        """The instruction set in use."""
        return word("ff_isa", lib.ff_dynamics_isa(self._one))

    @property
    def lanes(self) -> int:
        """How many rows are computed at once."""
        if self._wide is None:
            self._wide = self._make(lib.FF_LANES_WIDE)
        return int(lib.ff_dynamics_lanes(self._wide))

    # ---- The way through C ------------------------------------------------------------------------------------------

    def _run(
        self,
        inputs: Sequence[tuple[str, ArrayLike | None, int]],
        shapes: Sequence[tuple[int, ...]],
        work: Callable[[Any, list[Any], list[Any]], None],
    ) -> list[Array]:
        """Call `work(dynamics, inputs, outputs)` with pointers, for one row or for all in groups of lanes."""
        given = [None if x is None else numbers(x, name) for name, x, _ in inputs]
        rows = {x.shape[0] for x in given if x is not None and x.ndim == 2}
        if not rows:
            plain = [None if x is None else array(x, (inputs[i][2],), inputs[i][0]) for i, x in enumerate(given)]
            outs = [np.empty(shape) for shape in shapes]
            with self._turn:
                work(self._one, [pointer(x) for x in plain], [pointer(out) for out in outs])
            return outs
        if len(rows) > 1:
            raise errors.ArgumentError(f"rows: {' and '.join(map(str, sorted(rows)))} of them do not go together")
        return self._run_rows(rows.pop(), inputs, given, shapes, work)

    def _run_rows(self, n: int, inputs: Any, given: list[Any], shapes: Any, work: Any) -> list[Array]:
        lanes = self.lanes
        groups = -(-n // lanes)

        def interleaved(x: Array | None, name: str, width: int) -> Array | None:
            if x is None:
                return None
            x = np.broadcast_to(x, (n, width)) if x.shape == (width,) else array(x, (n, width), name)
            if n < groups * lanes:  # the last lanes repeat the last row
                x = np.concatenate([x, np.broadcast_to(x[-1:], (groups * lanes - n, width))])
            return np.ascontiguousarray(x.reshape(groups, lanes, width).transpose(0, 2, 1))

        wide = [interleaved(x, name, width) for x, (name, _, width) in zip(given, inputs, strict=True)]
        sizes = [int(np.prod(shape, dtype=np.int64)) for shape in shapes]
        outs = [np.empty((groups, size, lanes)) for size in sizes]
        into, out_of = [pointer(x) for x in wide], [pointer(out) for out in outs]
        strides = [(x.shape[1] * lanes if x is not None else 0) for x in wide]
        with self._turn:
            for g in range(groups):
                work(
                    self._wide,
                    [NULL if p == NULL else p + g * stride for p, stride in zip(into, strides, strict=True)],
                    [p + g * size * lanes for p, size in zip(out_of, sizes, strict=True)],
                )
        return [
            np.ascontiguousarray(out.transpose(0, 2, 1)).reshape(groups * lanes, *shape)[:n]
            for out, shape in zip(outs, shapes, strict=True)
        ]

    def _q(self, q: ArrayLike) -> tuple[str, ArrayLike, int]:
        return "q", _needed(q, "q"), self.model.nq

    def _v(self, v: ArrayLike, name: str = "v") -> tuple[str, ArrayLike | None, int]:
        return name, _needed(v, name), self.model.nv

    # ---- Dynamics ---------------------------------------------------------------------------------------------------

    def mass_matrix(self, q: ArrayLike) -> Array:
        """M(q) [nv, nv]."""

        def work(d: Any, x: list[Any], out: list[Any]) -> None:
            lib.ff_dynamics_crba(d, x[0])
            lib.ff_dynamics_mass_matrix(d, out[0])

        return self._run([self._q(q)], [(self.model.nv, self.model.nv)], work)[0]

    def rnea(self, q: ArrayLike, v: ArrayLike, vdot: ArrayLike) -> Array:
        """Inverse dynamics: tau = M(q) vdot + h(q, v) [nv]."""
        inputs = [self._q(q), self._v(v), self._v(vdot, "vdot")]
        return self._run(inputs, [(self.model.nv,)], lambda d, x, o: lib.ff_dynamics_rnea(d, *x, o[0]))[0]

    def bias(self, q: ArrayLike, v: ArrayLike) -> Array:
        """h(q, v) [nv]: Coriolis, centrifugal, gravity and damping forces."""
        inputs = [self._q(q), self._v(v)]
        return self._run(inputs, [(self.model.nv,)], lambda d, x, o: lib.ff_dynamics_bias(d, *x, o[0]))[0]

    def gravity(self, q: ArrayLike) -> Array:
        """h(q, 0) [nv]."""
        return self._run([self._q(q)], [(self.model.nv,)], lambda d, x, o: lib.ff_dynamics_gravity(d, *x, o[0]))[0]

    def aba(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> Array:
        """Forward dynamics: vdot = M(q)^-1 (tau - h(q, v)) [nv]."""
        inputs = [self._q(q), self._v(v), self._v(tau, "tau")]
        return self._run(inputs, [(self.model.nv,)], lambda d, x, o: lib.ff_dynamics_aba(d, *x, o[0]))[0]

    def solve(self, q: ArrayLike, x: ArrayLike) -> Array:
        """M(q)^-1 x [nv]. NumericError if M is singular."""
        nv = self.model.nv

        def work(d: Any, given: list[Any], out: list[Any]) -> None:
            lib.ff_dynamics_crba(d, given[0])
            call(lib.ff_dynamics_factor, d)
            ffi.memmove(out[0], given[1], 8 * nv * lib.ff_dynamics_lanes(d))
            lib.ff_dynamics_solve(d, out[0])

        return self._run([self._q(q), self._v(x, "x")], [(nv,)], work)[0]

    # ---- Kinematics -------------------------------------------------------------------------------------------------

    def _kinematics(
        self,
        q: ArrayLike,
        v: ArrayLike | None,
        vdot: ArrayLike | None,
        shapes: Sequence[tuple[int, ...]],
        result: Callable[..., None],
    ) -> list[Array]:
        def work(d: Any, x: list[Any], out: list[Any]) -> None:
            lib.ff_dynamics_kinematics(d, *x)
            result(d, *out)

        nv = self.model.nv
        return self._run([self._q(q), ("v", v, nv), ("vdot", vdot, nv)], shapes, work)

    def frame_pose(self, q: ArrayLike, frame: int | str) -> tuple[Array, Array]:
        """Pose of a frame in the world: position [3], R [3, 3]."""
        index = self.model.frame(frame)
        position, rotation = self._kinematics(
            q, None, None, [(3,), (3, 3)], lambda d, p, R: lib.ff_dynamics_frame_pose(d, index, p, R)
        )
        return position, rotation

    def frame_velocity(self, q: ArrayLike, v: ArrayLike, frame: int | str, axes: Axes = "local-aligned") -> Array:
        """Velocity of a frame [6], linear then angular. axes: world, local, local-aligned (dynamics.h)."""
        index, kind = self.model.frame(frame), value_of("ff_axes", axes, "axes")
        return self._kinematics(
            q, _needed(v, "v"), None, [(6,)], lambda d, o: lib.ff_dynamics_frame_velocity(d, index, kind, o)
        )[0]

    def frame_acceleration(
        self, q: ArrayLike, v: ArrayLike, vdot: ArrayLike, frame: int | str, axes: Axes = "local-aligned"
    ) -> Array:
        """Acceleration of a frame, J vdot + Jdot v [6]."""
        index, kind = self.model.frame(frame), value_of("ff_axes", axes, "axes")
        return self._kinematics(
            q,
            _needed(v, "v"),
            _needed(vdot, "vdot"),
            [(6,)],
            lambda d, o: lib.ff_dynamics_frame_acceleration(d, index, kind, o),
        )[0]

    def frame_bias(self, q: ArrayLike, v: ArrayLike, frame: int | str, axes: Axes = "local-aligned") -> Array:
        """Jdot v of a frame [6]."""
        index, kind = self.model.frame(frame), value_of("ff_axes", axes, "axes")
        return self._kinematics(
            q, _needed(v, "v"), None, [(6,)], lambda d, o: lib.ff_dynamics_frame_bias(d, index, kind, o)
        )[0]

    def jacobian(self, q: ArrayLike, frame: int | str, axes: Axes = "local-aligned") -> Array:
        """J [6, nv] of a frame: velocity = J v."""
        index, kind = self.model.frame(frame), value_of("ff_axes", axes, "axes")
        return self._kinematics(
            q, None, None, [(6, self.model.nv)], lambda d, o: lib.ff_dynamics_frame_jacobian(d, index, kind, o)
        )[0]

    def com(self, q: ArrayLike) -> Array:
        """Centre of mass of all moving bodies [3]."""
        return self._kinematics(q, None, None, [(3,)], lib.ff_dynamics_com)[0]

    def com_jacobian(self, q: ArrayLike) -> Array:
        """J [3, nv]: velocity of the centre of mass = J v."""
        return self._kinematics(q, None, None, [(3, self.model.nv)], lib.ff_dynamics_com_jacobian)[0]

    def momentum(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Linear, then angular momentum about the centre of mass [6], world axes."""
        return self._kinematics(q, _needed(v, "v"), None, [(6,)], lib.ff_dynamics_momentum)[0]

    def momentum_bias(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Its time derivative at vdot = 0 [6]."""
        return self._kinematics(q, _needed(v, "v"), None, [(6,)], lib.ff_dynamics_momentum_bias)[0]

    def kinetic_energy(self, q: ArrayLike, v: ArrayLike) -> Array:
        """1/2 v' M v [J]; 0-dimensional for one row."""
        return self._kinematics(q, _needed(v, "v"), None, [()], lib.ff_dynamics_kinetic_energy)[0]

    def potential_energy(self, q: ArrayLike) -> Array:
        """Of gravity, zero at the world's origin [J]; 0-dimensional for one row."""
        return self._kinematics(q, None, None, [()], lib.ff_dynamics_potential_energy)[0]

    # ---- Points -----------------------------------------------------------------------------------------------------

    def _point_array(self, points: Sequence[Point | tuple[int | str, ArrayLike]]) -> tuple[Any, int]:
        made = ffi.new("ff_point[]", len(points))
        for i, point in enumerate(points):
            frame, offset = (point.frame, point.offset) if isinstance(point, Point) else point
            made[i].frame = self.model.frame(frame)
            made[i].offset = array(offset, (3,), f"points[{i}]").tolist()
        return made, len(points)

    def point_jacobian(self, q: ArrayLike, points: Sequence[Point | tuple[int | str, ArrayLike]]) -> Array:
        """J [3 count, nv] of the velocities of points (frame, offset), world axes."""
        made, count = self._point_array(points)
        return self._kinematics(
            q, None, None, [(3 * count, self.model.nv)],
            lambda d, o: lib.ff_dynamics_point_jacobian(d, count, made, o),
        )[0]  # fmt: skip

    def _factored(self, q: ArrayLike, points: Any, shape: Callable[[int], tuple[int, ...]], function: Any) -> Array:
        made, count = self._point_array(points)
        if count > self._points:
            raise errors.ArgumentError(f"points: {count} are more than max_points, {self._points}", thing="points")

        def work(d: Any, x: list[Any], out: list[Any]) -> None:
            lib.ff_dynamics_kinematics(d, x[0], NULL, NULL)
            lib.ff_dynamics_crba(d, NULL)
            call(lib.ff_dynamics_factor, d)
            function(d, count, made, out[0])

        return self._run([self._q(q)], [shape(count)], work)[0]

    def minv_jt(self, q: ArrayLike, points: Sequence[Point | tuple[int | str, ArrayLike]]) -> Array:
        """M^-1 J' of points [nv, 3 count]."""
        return self._factored(q, points, lambda count: (self.model.nv, 3 * count), lib.ff_dynamics_minv_jt)

    def delassus(self, q: ArrayLike, points: Sequence[Point | tuple[int | str, ArrayLike]]) -> Array:
        """J M^-1 J' of points [3 count, 3 count], world axes."""
        return self._factored(q, points, lambda count: (3 * count, 3 * count), lib.ff_dynamics_delassus)

    # ---- Derivatives ------------------------------------------------------------------------------------------------

    def _forces(self, forces: Sequence[tuple[Any, ArrayLike]], lanes: int) -> Any:
        made = ffi.new("ff_point_force[]", len(forces) * lanes)
        points, count = self._point_array([point for point, _ in forces])
        for i in range(count):
            force = array(forces[i][1], (3,), f"forces[{i}]").tolist()
            for lane in range(lanes):
                made[i * lanes + lane].point = points[i]
                made[i * lanes + lane].force = force
        return made

    def rnea_derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike,
        vdot: ArrayLike,
        forces: Sequence[tuple[Point | tuple[int | str, ArrayLike], ArrayLike]] = (),
    ) -> tuple[Array, Array]:
        """dtau/dq and dtau/dv [nv, nv], in the tangent space; dtau/dvdot is M. Given forces are (point, force [3])."""
        nv = self.model.nv

        def work(d: Any, x: list[Any], out: list[Any]) -> None:
            made = self._forces(forces, lib.ff_dynamics_lanes(d))
            lib.ff_dynamics_rnea_derivatives(d, *x, made, len(forces), *out)

        inputs = [self._q(q), self._v(v), self._v(vdot, "vdot")]
        dq, dv = self._run(inputs, [(nv, nv)] * 2, work)
        return dq, dv

    def aba_derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        forces: Sequence[tuple[Point | tuple[int | str, ArrayLike], ArrayLike]] = (),
    ) -> tuple[Array, Array, Array]:
        """dvdot/dq, dvdot/dv and dvdot/dtau = M^-1 [nv, nv], in the tangent space."""
        nv = self.model.nv

        def work(d: Any, x: list[Any], out: list[Any]) -> None:
            made = self._forces(forces, lib.ff_dynamics_lanes(d))
            lib.ff_dynamics_aba_derivatives(d, *x, made, len(forces), *out)

        inputs = [self._q(q), self._v(v), self._v(tau, "tau")]
        dq, dv, inverse = self._run(inputs, [(nv, nv)] * 3, work)
        return dq, dv, inverse

    def __repr__(self) -> str:
        return f"<footfall.Dynamics of '{self.model.name}': nv {self.model.nv}, {self.isa}>"
