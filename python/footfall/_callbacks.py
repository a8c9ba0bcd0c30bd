"""Functions of Python that C calls. What they raise is kept, C is told to stop, and it is raised where C returns."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

import numpy as np

from footfall import errors
from footfall._native import NULL, Array, ArrayLike, IntArray, ffi, lib


class Handle:
    """An object for C's `user` pointer, alive within a `with`. `function` is what a single callback calls."""

    def __init__(self, owner: Any, function: Callable[..., Any] | None = None) -> None:
        self.owner, self.function = owner, function
        self.raised: BaseException | None = None
        self.pointer: Any = NULL

    def __enter__(self) -> Handle:
        self.pointer = ffi.new_handle(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.pointer = NULL

    def keep(self) -> Any:
        """The pointer, for an object that lives as long as this one."""
        self.pointer = ffi.new_handle(self)
        return self.pointer

    def reraise(self) -> None:
        """Raise what a callback raised."""
        raised, self.raised = self.raised, None
        if raised is not None:
            raise raised


def go_on(what: str, share: float) -> None:
    """Progress that nobody asked for: while it runs, Python hears of Ctrl-C."""


def _failed(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Keep what a callback raised in its handle, which its frame calls `user`."""
    frames = trace.tb_frame.f_locals if trace else {}
    user = frames.get("user")
    if user is not None:
        handle = ffi.from_handle(user)
        if handle.raised is None:
            handle.raised = error


# Python may keep what it is given, so it gets copies.


def frozen(p: Any, count: int) -> Array:
    """A copy of C's numbers, read-only, so that nobody takes it for C's."""
    array = np.frombuffer(ffi.buffer(p, 8 * count), np.float64).copy() if count else np.zeros(0)
    array.flags.writeable = False
    return array


def put(out: Any, count: int, given: ArrayLike, what: str) -> None:
    """What Python returns, into C's array."""
    found = np.asarray(given, np.float64)
    if found.size != count:
        raise errors.ArgumentError(f"{what}: {count} numbers are expected, its shape is {found.shape}", thing=what)
    if count:
        np.frombuffer(ffi.buffer(out, 8 * count), np.float64)[:] = found.reshape(count)


def signs(p: Any, count: int) -> IntArray:
    """Sides of guards: -1, +1."""
    return np.frombuffer(ffi.buffer(p, count), np.int8).astype(np.int32) if count else np.zeros(0, np.int32)


F = TypeVar("F", bound=Callable[..., Any])


def extern(error: int | None = None) -> Callable[[F], F]:
    """A function of glue.h; if it raises, C gets `error`, which makes it stop."""

    def register(function: F) -> F:
        ffi.def_extern(error=error, onerror=_failed)(function)
        return function

    return register


@extern(0)
def ffp_sim_control(sim: Any, tau: Any, user: Any) -> int:
    handle = ffi.from_handle(user)
    forces = np.zeros(handle.owner.model.nv)
    answer = handle.function(handle.owner, forces)
    put(tau, len(forces), forces, "tau")
    return 0 if answer is False else 1


@extern(1)
def ffp_progress(user: Any, what: Any, share: float) -> int:
    handle = ffi.from_handle(user)
    return 1 if handle.function(ffi.string(what).decode() if what else "", share) is False else 0


@extern(1)
def ffp_proposal_progress(user: Any, start: int, share: float) -> int:
    return 1 if ffi.from_handle(user).function(f"start {start}", share) is False else 0


@extern(0)
def ffp_plan_progress(share: float, user: Any) -> int:
    return 0 if ffi.from_handle(user).function("plan", share) is False else 1


@extern(lib.FF_ERROR_STOPPED)
def ffp_trial_control(time: float, q: Any, v: Any, tau: Any, user: Any, error: Any) -> int:
    handle = ffi.from_handle(user)
    model = handle.owner.model
    put(tau, model.nv, handle.function(time, frozen(q, model.nq), frozen(v, model.nv)), "control")
    return 0


@extern()
def ffp_trial_begin(user: Any) -> None:
    ffi.from_handle(user).owner.begin()
