"""Errors and speeds of steppers on a motion; compare.h.

result = ff.compare(ff.Scene("solo-trot.yaml"), schemes=["expo", "implicit"], rounds=1)
for r in result: print(r.name, r.dt, r.max_norm.mean, r.speed)
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from footfall import _callbacks, _table, errors
from footfall._native import (
    NULL,
    Array,
    ArrayLike,
    StrPath,
    array,
    create,
    encoded,
    ffi,
    lib,
    pointer,
    text,
    unknown,
)  # fmt: skip
from footfall._structs import read, word
from footfall.elements import Element, element_array
from footfall.model import Model, as_model
from footfall.scene import Scene
from footfall.shapes import Ground, ground_array
from footfall.world import Grounds

Control = Callable[[float, Array, Array], ArrayLike]


class Trial:
    """A motion on which steppers are measured: a robot, a start, a ground, a controller.

    control: control(time, q, v) returns torques [nv] for the period that begins at `time`; it depends on its arguments
    alone, or, with `begin`, which is called before time 0, on the calls since
    every: measure only every n-th period; 0: all
    ground, elements, options: as of World; the stepper, its options and dt are those of the schemes
    """

    def __init__(
        self,
        model: Model | StrPath,
        q: ArrayLike,
        v: ArrayLike | None = None,
        *,
        period: float = 0.01,
        periods: int = 100,
        every: int = 0,
        control: Control | None = None,
        begin: Callable[[], object] | None = None,
        name: str = "",
        ground: Grounds = None,
        elements: Sequence[Element] = (),
        **options: Any,
    ) -> None:
        self.model = as_model(model)
        self.q = array(q, (self.model.nq,), "q").copy()
        self.v = None if v is None else array(v, (self.model.nv,), "v").copy()
        self.period, self.periods, self.every, self.name = period, periods, every, name
        self.control, self.begin = control, begin or (lambda: None)
        self._has_begin = begin is not None
        self.ground = None if ground is None else [ground] if isinstance(ground, Ground) else list(ground)
        self.elements, self.options = list(elements), options

    def _struct(self, handle: _callbacks.Handle, keep: list[Any]) -> Any:
        made = ffi.new("ff_trial *")
        lib.ff_trial_init(made, ffi.sizeof("ff_trial"))
        definition = _table.definition(self.options)
        if self.ground is not None:
            definition.ground, definition.ground_count = ground_array(self.ground, keep), len(self.ground)
        definition.elements, definition.element_count = element_array(self.elements, keep), len(self.elements)
        title = ffi.new("char[]", encoded(self.name))
        keep += [definition, title]
        made.name, made.model, made.sim = title, self.model._c, definition
        made.q, made.v = pointer(self.q), pointer(self.v)
        made.period, made.periods, made.every = self.period, self.periods, self.every
        if self.control is not None:
            made.control, made.user = lib.ffp_trial_control, handle.pointer
            made.begin = lib.ffp_trial_begin if self._has_begin else NULL
        return made


@dataclass(frozen=True)
class Spread:
    """Statistics of several numbers; nan if there are none."""

    mean: float
    median: float
    largest: float


@dataclass(frozen=True, eq=False)
class LocalError:
    """A scheme with a number of steps per period, and its results."""

    name: str  #: of the scheme: "expo", "expo-paper:order-3"
    stepper: str
    dt: float  #: [s]
    substeps: int  #: steps per period
    max_norm: Spread  #: of the largest component of the error, over the periods without failure
    two_norm: Spread  #: of its 2-norm
    failures: int  #: periods with a failed step
    unconverged: int
    below: int  #: periods whose error is not above the solution's tolerance
    step_us: float  #: mean computation time of a step [us]
    speed: float  #: real-time factor
    slower: float  #: the same by the second shortest times
    on_frontier: bool  #: no other is both faster and more accurate
    error: Array  #: largest component of each period; nan where a step failed
    seconds: Array  #: of each period, in steps alone


@dataclass(frozen=True, eq=False)
class Comparison:
    """Results against the common reference solution, and against each stepper's own."""

    common: list[LocalError]  #: [] if it was not asked for
    own: list[LocalError]
    tolerance_mean: float  #: of the common solution: errors below it are meaningless
    tolerance_worst: float
    own_failures: dict[str, str]  #: why a stepper's own solution failed

    def __iter__(self) -> Iterator[LocalError]:
        return iter(self.common or self.own)

    def __len__(self) -> int:
        return len(self.common or self.own)

    def best(self, speed: float) -> LocalError | None:
        """The smallest mean error of all that are at least so fast."""
        fast = [r for r in self if r.speed >= speed and not np.isnan(r.max_norm.mean) and not r.failures]
        return min(fast, key=lambda r: r.max_norm.mean, default=None)

    def __repr__(self) -> str:
        lines = [f"{'scheme':20} {'dt [s]':>10} {'mean error':>11} {'worst':>10} {'real time':>10}"]
        for r in self:
            lines.append(
                f"{r.name:20} {r.dt:10.3g} {r.max_norm.mean:11.3g} {r.max_norm.largest:10.3g} {r.speed:9.1f}x"
                + (" *" if r.on_frontier else "")
            )
        return "\n".join(lines)


def schemes_of(names: Sequence[str]) -> Any:
    """An array of ff_scheme: a stepper, "expo:order-1", "expo-paper:order-3", ..."""
    made = ffi.new("ff_scheme[]", len(names))
    for i, name in enumerate(names):
        if not lib.ff_scheme_find(encoded(name), ffi.addressof(made, i)):
            raise unknown("scheme", name, [text(lib.ff_stepper_name(s)) for s in range(lib.FF_STEPPER_COUNT)])
    return made


def compare(
    what: Scene | Trial,
    *,
    schemes: Sequence[str] | None = None,
    substeps: Sequence[int] | None = None,
    common: bool = True,
    own: bool = True,
    finest: float | None = None,
    check_finer: int | None = None,
    check_refinements: int | None = None,
    rounds: int = 5,
    spread: int | None = None,
    progress: Callable[[str, float], object] | None = None,
) -> Comparison:
    """Measure local errors and speeds of steppers on a motion.

    schemes: steppers, "expo:order-1", "expo-paper:order-3", ...; None: all with compliant contact, except ess
    substeps: steps per period, of all schemes; None: 1, 2, 4, ... as in the exponential paper
    common, own: which reference solutions to compare with
    finest: approximate step of reference solutions [s]
    spread: measure about so many periods, spread over all
    progress(what, share) returns False to stop: StoppedError
    """
    keep: list[Any] = []
    definition = ffi.new("ff_comparison_def *")
    lib.ff_comparison_def_init(definition, ffi.sizeof("ff_comparison_def"))
    if schemes is not None:
        keep.append(schemes_of(schemes))
        definition.schemes, definition.scheme_count = keep[-1], len(schemes)
    if substeps is not None:
        keep.append(ffi.new("int[]", [int(n) for n in substeps]))
        definition.substeps, definition.substeps_count = keep[-1], len(substeps)
    definition.has_common, definition.has_own, definition.rounds = common, own, rounds
    for name, value in (("finest", finest), ("check_finer", check_finer), ("check_refinements", check_refinements)):
        if value is not None:
            setattr(definition, name, value)
    with _callbacks.Handle(what, progress or _callbacks.go_on) as watcher, open_trial(what) as trial:
        definition.progress.call, definition.progress.user = lib.ffp_progress, watcher.pointer
        if spread is not None:
            lib.ff_trial_spread(trial, int(spread))
        try:
            found = create(lib.ff_comparison_run, "ff_comparison", trial, definition)
        finally:
            watcher.reraise()
    try:
        return _read(found)
    finally:
        lib.ff_comparison_destroy(found)


@contextlib.contextmanager
def open_trial(what: Scene | Trial) -> Iterator[Any]:
    """An ff_trial, for the time of a call; what its control raises is raised at the end."""
    keep: list[Any] = []
    if isinstance(what, Trial):
        with _callbacks.Handle(what, what.control) as handle:
            try:
                yield what._struct(handle, keep)
            finally:
                handle.reraise()
    elif isinstance(what, Scene):
        with what._turn:
            made = create(lib.ff_scene_trial_create, "ff_trial", what._c)
            try:
                yield made
            finally:
                lib.ff_scene_trial_destroy(made)
    else:
        raise errors.ArgumentError(f"a Scene or a Trial is expected, not {what!r}")


def _read(found: Any) -> Comparison:
    periods = found.trial.periods

    def results(list_: Any) -> list[LocalError]:
        if list_ == NULL:
            return []
        return [_local_error(list_[i], periods, bool(found.on_frontier[i])) for i in range(found.count)]

    solution = found.common_solution
    own = found.own_of_stepper
    failures = {}
    for s in range(found.stepper_count if own != NULL else 0):
        if text(own[s].failure):
            failures[text(lib.ff_stepper_name(s))] = text(own[s].failure)
    nan = float("nan")
    return Comparison(results(found.common), results(found.own), solution.tolerance_mean if solution != NULL else nan,
                      solution.tolerance_worst if solution != NULL else nan, failures)  # fmt: skip


def _local_error(c: Any, periods: int, on_frontier: bool) -> LocalError:
    def copy(p: Any) -> Array:
        if p == NULL:
            return np.full(periods, np.nan)
        return np.frombuffer(ffi.buffer(p, 8 * periods)).copy()

    return read(LocalError, c, name=text(c.scheme.name), stepper=word("ff_stepper", c.scheme.stepper),
                on_frontier=on_frontier, error=copy(c.error), seconds=copy(c.seconds))  # fmt: skip
