"""Event-selected systems: vector fields that switch at guards, and their derivatives; ess.h.

def field(t, x, side):
    stands = side[0] > 0
    return [x[1], -9.81 + (400 * (1 - x[0]) if stands else 0)]

ess = ff.Ess(field, lambda x: [1 - x[0], x[0] - 1], [2.0, 0.0], rearm=[(0, 1), (1, 0)], epsilon=1e-3)
ess.advance(2)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

import footfall.ode  # noqa: F401  (retract and pull are its callbacks)
from footfall import _callbacks, errors
from footfall._callbacks import extern, frozen, put, signs
from footfall._native import (
    NULL,
    Array,
    ArrayLike,
    IntArray,
    Native,
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
from footfall._structs import value_of
from footfall.reports import EssInfo

Field = Callable[[float, Array, IntArray], ArrayLike | None]


class Ess(Native):
    """dx/dt = field(t, x, side), where side[k] is -1 until guard k rises through zero, and +1 from then on.

    field: returns dx/dt, or None if there is none
    guards: guards(x) returns h [n]
    guard_slope, guard_rate, field_slope: Dh(x), Dh dx (x, dx), Df(t, x, side); None: by differences
    reset: reset(guard, t, x, side) returns the state after crossing a guard; None: states do not jump
    reset_slope: DR(guard, t, x, side)
    retract, pull, difference: for states on manifolds, `tangent` numbers in a velocity
    method: project (from within epsilon), locate (roots inside steps)
    epsilons: one half width for each guard, in place of epsilon
    rearm: pairs (crossed, armed); None: the paper's rule
    record: record(t, x, guard) at the start, after every step (guard -1) and crossing
    """

    def __init__(
        self,
        field: Field,
        guards: Callable[[Array], ArrayLike],
        x: ArrayLike,
        t: float = 0.0,
        *,
        side: Sequence[int] | None = None,
        guard_slope: Callable[[Array], ArrayLike] | None = None,
        guard_rate: Callable[[Array, Array], ArrayLike] | None = None,
        field_slope: Callable[[float, Array, IntArray], ArrayLike] | None = None,
        reset: Callable[[int, float, Array, IntArray], ArrayLike] | None = None,
        reset_slope: Callable[[int, float, Array, IntArray], ArrayLike] | None = None,
        retract: Callable[[Array, Array], ArrayLike] | None = None,
        pull: Callable[[Array, Array, Array], ArrayLike] | None = None,
        difference: Callable[[Array, Array], ArrayLike] | None = None,
        record: Callable[[float, Array, int], object] | None = None,
        tangent: int = 0,
        method: str = "project",
        epsilon: float = 1e-3,
        epsilons: ArrayLike | None = None,
        band_time: float = 0.0,
        rearm: Sequence[tuple[int, int]] | None = None,
        liveness: float = 1e-9,
        chatter_time: float = 1e-9,
        max_crossings: int = 0,
        relative_tolerance: float = 1e-6,
        absolute_tolerance: float = 1e-9,
        max_step: float = 0.0,
        fixed_step: float = 0.0,
        max_steps: int = 10000000,
    ) -> None:
        start = np.atleast_1d(numbers(x, "x"))
        self._turn = Turn()
        self.size, self.tangent = len(start), tangent or len(start)
        self.guards = len(np.atleast_1d(numbers(guards(start.copy()), "guards")))
        self._field, self._guards, self._retract, self._pull, self._record = field, guards, retract, pull, record
        self._guard_slope, self._guard_rate, self._field_slope = guard_slope, guard_rate, field_slope
        self._reset, self._reset_slope, self._difference = reset, reset_slope, difference
        self._handle = _callbacks.Handle(self)
        made = ffi.new("ff_ess_def *", lib.ff_ess_def_default())
        self._describe(made.system)
        made.record = lib.ffp_ess_record if record else NULL
        made.method = value_of("ff_ess_method", method, "method")
        made.epsilon, made.band_time, made.liveness, made.chatter_time = epsilon, band_time, liveness, chatter_time
        made.max_crossings, made.max_step, made.fixed_step = max_crossings, max_step, fixed_step
        made.relative_tolerance, made.absolute_tolerance = relative_tolerance, absolute_tolerance
        made.max_steps = max_steps
        widths = None if epsilons is None else array(epsilons, (self.guards,), "epsilons")
        made.epsilons = pointer(widths)
        pairs = ffi.new("ff_ess_rearm[]", [(int(a), int(b)) for a, b in rearm]) if rearm is not None else NULL
        if rearm is not None:
            made.rearm, made.rearm_count = pairs, len(rearm)
        self._c = owned(create(lib.ff_ess_create, "ff_ess", made), lib.ff_ess_destroy)
        self.start(start, t, side)

    def _describe(self, system: Any) -> None:
        system.size, system.tangent, system.guards = self.size, self.tangent, self.guards
        system.user = self._handle.keep()
        system.field, system.guard = lib.ffp_ess_field, lib.ffp_ess_guard
        for name in ("guard_slope", "guard_rate", "field_slope", "reset", "reset_slope", "difference"):
            if getattr(self, f"_{name}") is not None:
                setattr(system, name, getattr(lib, f"ffp_ess_{name}"))
        system.retract = lib.ffp_ode_retract if self._retract else NULL
        system.pull = lib.ffp_ode_pull if self._pull else NULL

    def _run(self, function: Any, *args: Any) -> None:
        with self._turn:
            try:
                call(function, *args)
            finally:
                self._handle.reraise()

    def _sides(self, side: Sequence[int] | npt.NDArray[Any] | None) -> Any:
        if side is None:
            return NULL
        if len(side) != self.guards:
            raise errors.ArgumentError(f"side: {len(side)} for {self.guards} guards", thing="side")
        return ffi.new("signed char[]", [int(s) for s in side])

    def _point(self, x: ArrayLike) -> Array:
        return array(np.atleast_1d(numbers(x, "x")), (self.size,), "x")

    def start(self, x: ArrayLike, t: float = 0.0, side: Sequence[int] | None = None) -> None:
        """Start anew; side None: by the sign of the guards."""
        given = self._point(x)
        self._run(lib.ff_ess_start, self._c, float(t), pointer(given), self._sides(side))

    def advance(self, t_end: float) -> None:
        """Integrate exactly to t_end."""
        self._run(lib.ff_ess_advance, self._c, float(t_end))

    def next(self, t_end: float) -> int:
        """Integrate to t_end or through the next crossing: the crossed guard, or -1."""
        guard = ffi.new("int *")
        self._run(lib.ff_ess_next, self._c, float(t_end), guard)
        return int(guard[0])

    @property
    def time(self) -> float:
        """Present time."""
        return float(lib.ff_ess_time(self._c))

    @property
    def state(self) -> Array:
        """A copy of the present state."""
        with self._turn:
            return frozen(lib.ff_ess_state(self._c), self.size).copy()

    @property
    def side(self) -> IntArray:
        """A copy of the present sides [guards]: -1: to be crossed, +1: crossed."""
        with self._turn:
            return signs(lib.ff_ess_side(self._c), self.guards)

    @property
    def info(self) -> EssInfo:
        """Counts since the start."""
        return EssInfo(lib.ff_ess_get_info(self._c))

    def derivative(
        self,
        x0: ArrayLike,
        t1: float,
        directions: ArrayLike | None = None,
        *,
        t0: float = 0.0,
        side0: Sequence[int] | None = None,
        together: float = 0.0,
    ) -> tuple[Array, Array]:
        """x(t1), and the one-sided change of it as x0 moves along directions [count, tangent], None: unit vectors.

        Guards crossed within `together` seconds count as simultaneous.
        """
        given = np.eye(self.tangent) if directions is None else np.atleast_2d(numbers(directions, "directions"))
        given = array(given, (len(given), self.tangent), "directions")
        end, out, start = np.empty(self.size), np.empty((len(given), self.tangent)), self._point(x0)
        self._run(lib.ff_ess_derivative, self._c, float(t0), pointer(start), self._sides(side0), float(t1),
                  float(together), len(given), pointer(given), pointer(end), pointer(out))  # fmt: skip
        return end, out

    def return_map(
        self,
        x0: ArrayLike,
        section: int,
        max_time: float,
        *,
        t0: float = 0.0,
        side0: Sequence[int] | None = None,
    ) -> tuple[Array, float, Array]:
        """The state just after the next crossing of a guard, the time until then, and the derivative of the state."""
        end, period, start = np.empty(self.size), ffi.new("double *"), self._point(x0)
        D = np.empty((self.tangent, self.tangent))
        self._run(lib.ff_ess_return_map, self._c, float(t0), pointer(start), self._sides(side0), int(section),
                  float(max_time), pointer(end), period, pointer(D))  # fmt: skip
        return end, float(period[0]), D

    def monodromy(self, x0: ArrayLike, period: float, *, t0: float = 0.0, side0: Sequence[int] | None = None) -> Array:
        """The derivative of the flow over a known period."""
        D, start = np.empty((self.tangent, self.tangent)), self._point(x0)
        self._run(lib.ff_ess_monodromy, self._c, float(t0), pointer(start), self._sides(side0), float(period),
                  pointer(D))  # fmt: skip
        return D

    def __repr__(self) -> str:
        return f"<footfall.Ess: {self.size} numbers, {self.guards} guards, t = {self.time:g}>"


@extern(1)
def ffp_ess_field(t: float, x: Any, side: Any, dx: Any, user: Any) -> int:
    owner = ffi.from_handle(user).owner
    found = owner._field(t, frozen(x, owner.size), signs(side, owner.guards))
    if found is None:
        return 1
    put(dx, owner.tangent, found, "field")
    return 0


@extern()
def ffp_ess_guard(x: Any, h: Any, user: Any) -> None:
    owner = ffi.from_handle(user).owner
    put(h, owner.guards, owner._guards(frozen(x, owner.size)), "guards")


@extern()
def ffp_ess_guard_slope(x: Any, Dh: Any, user: Any) -> None:
    owner = ffi.from_handle(user).owner
    put(Dh, owner.guards * owner.tangent, owner._guard_slope(frozen(x, owner.size)), "guard_slope")


@extern()
def ffp_ess_guard_rate(x: Any, dx: Any, rate: Any, user: Any) -> None:
    owner = ffi.from_handle(user).owner
    put(rate, owner.guards, owner._guard_rate(frozen(x, owner.size), frozen(dx, owner.tangent)), "guard_rate")


@extern(1)
def ffp_ess_field_slope(t: float, x: Any, side: Any, Df: Any, user: Any) -> int:
    owner = ffi.from_handle(user).owner
    found = owner._field_slope(t, frozen(x, owner.size), signs(side, owner.guards))
    put(Df, owner.tangent**2, found, "field_slope")
    return 0


@extern(1)
def ffp_ess_reset(guard: int, t: float, x: Any, side: Any, out: Any, user: Any) -> int:
    owner = ffi.from_handle(user).owner
    found = owner._reset(guard, t, frozen(x, owner.size), signs(side, owner.guards))
    put(out, owner.size, found, "reset")
    return 0


@extern(1)
def ffp_ess_reset_slope(guard: int, t: float, x: Any, side: Any, DR: Any, user: Any) -> int:
    owner = ffi.from_handle(user).owner
    found = owner._reset_slope(guard, t, frozen(x, owner.size), signs(side, owner.guards))
    put(DR, owner.tangent**2, found, "reset_slope")
    return 0


@extern()
def ffp_ess_difference(x: Any, y: Any, d: Any, user: Any) -> None:
    owner = ffi.from_handle(user).owner
    put(d, owner.tangent, owner._difference(frozen(x, owner.size), frozen(y, owner.size)), "difference")


@extern()
def ffp_ess_record(t: float, x: Any, guard: int, user: Any) -> None:
    owner = ffi.from_handle(user).owner
    owner._record(t, frozen(x, owner.size).copy(), guard)
