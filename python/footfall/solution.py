"""Reference solutions: runs with very short steps and the controller in the loop; compare.h.

solution = ff.reference(trial, "expo", 64)
solution.verify(trial, "rk4", 256)
solution.q, solution.tolerance
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall import _callbacks
from footfall._native import NULL, Array, ArrayLike, Native, Turn, array, call, create, ffi, lib, owned, pointer
from footfall._structs import word
from footfall.compare import Trial, open_trial, schemes_of
from footfall.scene import Scene
from footfall.whole_body import copied


class Solution(Native):
    """The full state at every control instant, and the torques of every period. Made by reference().

    states [periods + 1, state size], q [periods + 1, nq], v [periods + 1, nv], tau [periods, nv], tolerance [periods]:
    copies; the tolerance is 0 unless it was verified.
    """

    def __init__(self, made: Any, of: Scene | Trial) -> None:
        self._turn = Turn()
        self.model = of.model
        self._c = owned(made, lib.ff_solution_destroy, self.model._c)
        n, self.substeps, self.nv = made.periods, int(made.substeps), int(made.nv)
        self.periods: int = n
        self.scheme: str = word("ff_stepper", made.scheme.stepper)
        self.states = copied(made.states, (n + 1, made.state_size))
        self.q = copied(made.q, (n + 1, made.nq))
        self.v = copied(made.v, (n + 1, made.nv))
        self.tau = copied(made.tau, (n, made.nv))

    @property
    def tolerance(self) -> Array:
        """Distance to a second method, for each period [periods]."""
        return copied(self._c.tolerance, (self.periods,))

    @property
    def tolerance_mean(self) -> float:
        """Mean over the measured periods."""
        return float(self._c.tolerance_mean)

    @property
    def tolerance_worst(self) -> float:
        """Largest over the measured periods."""
        return float(self._c.tolerance_worst)

    def verify(self, what: Scene | Trial, scheme: str, substeps: int, refinements: int = 0) -> None:
        """Compute the tolerance with a second method."""
        check = ffi.new("ff_solution_check *")
        chosen = schemes_of([scheme])
        check.scheme, check.substeps, check.refinements = chosen[0], int(substeps), int(refinements)
        with self._turn, open_trial(what) as trial:
            call(lib.ff_solution_verify, self._c, trial, check, NULL)

    def changes(self, what: Scene | Trial) -> npt.NDArray[np.bool_]:
        """Periods whose contacts differ between start and end [periods]."""
        out = ffi.new("char[]", self.periods)
        with self._turn, open_trial(what) as trial:
            call(lib.ff_solution_changes, self._c, trial, out)
        return np.frombuffer(ffi.buffer(out), np.int8).astype(bool)

    def distance(self, k: int, q: ArrayLike, v: ArrayLike) -> tuple[float, float]:
        """Largest component and 2-norm of the difference of a state from instant k."""
        at, speed = array(q, (self.model.nq,), "q"), array(v, (self.model.nv,), "v")
        work, out = np.empty(self.nv), np.empty(2)
        if not 0 <= k <= self.periods:
            raise IndexError(f"there is no instant {k}: there are {self.periods + 1}")
        lib.ff_solution_distance(self._c, int(k), pointer(at), pointer(speed), pointer(work), pointer(out))
        return float(out[0]), float(out[1])

    def __repr__(self) -> str:
        if self.closed:
            return "<footfall.Solution, closed>"
        return f"<footfall.Solution by {self.scheme}: {self.periods} periods of {self.substeps} steps>"


def reference(
    what: Scene | Trial,
    scheme: str = "expo",
    substeps: int = 64,
    *,
    progress: Callable[[str, float], object] | None = None,
) -> Solution:
    """Compute a reference solution of a motion with so many steps per period."""
    with _callbacks.Handle(what, progress or _callbacks.go_on) as watcher, open_trial(what) as trial:
        watch, chosen = ffi.new("ff_progress *"), schemes_of([scheme])
        watch.call, watch.user = lib.ffp_progress, watcher.pointer
        try:
            made = create(
                lib.ff_solution_create,
                "ff_solution",
                trial,
                chosen,
                int(substeps),
                watch,
            )
        finally:
            watcher.reraise()
    return Solution(made, what)
