"""Ordinary differential equations with events; ode.h.

ode = ff.Ode(lambda t, x: [x[1], -9.81], [1.0, 0.0], guards=lambda t, x: [x[0]])
ode.advance(10)          # 0: guard 0 stopped it
ode.time, ode.state
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from footfall import _callbacks, errors
from footfall._callbacks import extern, frozen, put
from footfall._native import (
    NULL,
    Array,
    ArrayLike,
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
from footfall.reports import OdeInfo

Rate = Callable[[float, Array], ArrayLike | None]
Guards = Callable[[float, Array], ArrayLike]


class Ode(Native):
    """dx/dt = rate(t, x), integrated by Dormand and Prince's method of order 5 with error control.

    rate: returns dx/dt [tangent], or None if there is none at this state: the step is then shortened
    x: the state at time t
    guards: returns values [n]; the integration stops where one passes zero
    direction: for each guard +1: where it rises, -1: where it falls, 0: both
    retract, pull: for states on manifolds (ode.h): retract(x, d) is x moved by d [tangent]; pull(x, d, velocity) the
    rate of d; `tangent` is then the number of components of a velocity
    """

    def __init__(
        self,
        rate: Rate,
        x: ArrayLike,
        t: float = 0.0,
        *,
        guards: Guards | None = None,
        direction: Sequence[int] | None = None,
        retract: Callable[[Array, Array], ArrayLike] | None = None,
        pull: Callable[[Array, Array, Array], ArrayLike] | None = None,
        tangent: int = 0,
        relative_tolerance: float = 1e-6,
        absolute_tolerance: float = 1e-9,
        first_step: float = 0.0,
        max_step: float = 0.0,
        fixed_step: float = 0.0,
        max_steps: int = 1000000,
    ) -> None:
        start = np.atleast_1d(numbers(x, "x"))
        self._turn = Turn()
        self._rate, self._guards, self._retract, self._pull = rate, guards, retract, pull
        self.size, self.tangent = len(start), tangent or len(start)
        self.guards = 0 if guards is None else len(np.atleast_1d(numbers(guards(t, start.copy()), "guards")))
        self._handle = _callbacks.Handle(self)
        made = ffi.new("ff_ode_def *", lib.ff_ode_def_default())
        made.size, made.tangent, made.guards, made.user = self.size, self.tangent, self.guards, self._handle.keep()
        made.rate = lib.ffp_ode_rate
        made.guard = lib.ffp_ode_guard if guards else NULL
        made.retract = lib.ffp_ode_retract if retract else NULL
        made.pull = lib.ffp_ode_pull if pull else NULL
        made.relative_tolerance, made.absolute_tolerance = relative_tolerance, absolute_tolerance
        made.first_step, made.max_step, made.fixed_step = first_step, max_step, fixed_step
        made.max_steps = max_steps
        if direction is not None:
            if len(direction) != self.guards:
                raise errors.ArgumentError(f"direction: {len(direction)} for {self.guards} guards", thing="direction")
            self._direction = ffi.new("signed char[]", [int(d) for d in direction])
            made.direction = self._direction
        self._c = owned(create(lib.ff_ode_create, "ff_ode", made), lib.ff_ode_destroy)
        self.start(start, t)

    def _run(self, function: Any, *args: Any) -> None:
        with self._turn:
            try:
                call(function, *args)
            finally:
                self._handle.reraise()

    def start(self, x: ArrayLike, t: float = 0.0) -> None:
        """Start anew at time t in state x."""
        given = np.atleast_1d(numbers(x, "x"))
        self._run(lib.ff_ode_start, self._c, float(t), pointer(array(given, (self.size,), "x")))

    def advance(self, t_end: float) -> int:
        """Integrate to t_end, or to where a guard passes zero: the guard's index, else -1."""
        guard = ffi.new("int *")
        self._run(lib.ff_ode_advance, self._c, float(t_end), guard)
        return int(guard[0])

    def step(self, t_end: float) -> None:
        """Take one accepted step, not beyond t_end; guards are not evaluated."""
        self._run(lib.ff_ode_step, self._c, float(t_end))

    @property
    def time(self) -> float:
        """Present time."""
        return float(lib.ff_ode_time(self._c))

    @property
    def state(self) -> Array:
        """A copy of the present state."""
        with self._turn:
            return frozen(lib.ff_ode_state(self._c), self.size).copy()

    def at(self, t: float) -> Array:
        """The state at a time inside the last step, by interpolation."""
        out = np.empty(self.size)
        with self._turn:
            lib.ff_ode_at(self._c, float(t), pointer(out))
            self._handle.reraise()
        return out

    @property
    def last_step(self) -> tuple[float, float]:
        """Start and end time of the last step."""
        both = ffi.new("double[2]")
        lib.ff_ode_last_step(self._c, both, both + 1)
        return both[0], both[1]

    @property
    def info(self) -> OdeInfo:
        """Counts since the start."""
        return OdeInfo(lib.ff_ode_get_info(self._c))

    def __repr__(self) -> str:
        return f"<footfall.Ode: {self.size} numbers, t = {self.time:g}>"


@extern(1)
def ffp_ode_rate(t: float, x: Any, rate: Any, user: Any) -> int:
    owner = ffi.from_handle(user).owner
    found = owner._rate(t, frozen(x, owner.size))
    if found is None:
        return 1
    put(rate, owner.tangent, found, "rate")
    return 0


@extern()
def ffp_ode_guard(t: float, x: Any, value: Any, user: Any) -> None:
    owner = ffi.from_handle(user).owner
    put(value, owner.guards, owner._guards(t, frozen(x, owner.size)), "guards")


@extern()
def ffp_ode_retract(x: Any, d: Any, out: Any, user: Any) -> None:
    owner = ffi.from_handle(user).owner
    put(out, owner.size, owner._retract(frozen(x, owner.size), frozen(d, owner.tangent)), "retract")


@extern()
def ffp_ode_pull(x: Any, d: Any, velocity: Any, rate: Any, user: Any) -> None:
    owner = ffi.from_handle(user).owner
    given = frozen(x, owner.size), frozen(d, owner.tangent), frozen(velocity, owner.tangent)
    put(rate, owner.tangent, owner._pull(*given), "pull")
