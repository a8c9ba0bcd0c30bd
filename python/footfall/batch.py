"""Batches: many robots of one world, stepped together on all processors; batch.h."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from footfall import errors
from footfall._hot import Steps
from footfall._native import (
    Array,
    ArrayLike,
    IntArray,
    Native,
    StrPath,
    Turn,
    array,
    call,
    create,
    failure,
    ffi,
    lib,
    mask,
    numbers,
    owned,
    pointer,
    portions,
    position,
    text,
    view,
    writable,
)  # fmt: skip
from footfall._structs import read, value_of
from footfall.batch_robot import BatchRobot
from footfall.model import Model
from footfall.reports import BatchCounts, BatchMemory, StepInfo, Totals
from footfall.sim import address
from footfall.world import World

if TYPE_CHECKING:
    from footfall.dlpack import Tensor
    from footfall.parameters import Parameters


# Batches with threads, which a fork leaves behind.
_THREADED: weakref.WeakSet[Batch]


class Batch(Native, Steps):
    """n robots of a world. Their states are rows of q [n, nq] and v [n, nv]: live arrays that cannot be written to.

    of: a World, or a model or file with World's defaults
    threads: 0: one for each processor
    pinned: each thread stays on one processor
    seed: of `random`, a numpy Generator for starts and parameters
    posture, q, v: where all robots start; q [nq] or [n, nq]

    step(u) steps all, with u [n, nu]; a robot that fails stops alone (status, error()) until it is reset. batch[i] is
    a robot with all functions of a sim. A robot's bits depend neither on its index, nor on its neighbours, nor on the
    number of threads. begin(u) returns at once: whatever is asked then waits for the steps, but arrays of states that
    were taken before show numbers on their way.
    """

    def __init__(
        self,
        of: World | Model | StrPath,
        robots: int = 1,
        *,
        threads: int = 0,
        pinned: bool = False,
        seed: int | None = None,
        posture: str | None = None,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
    ) -> None:
        world = of if isinstance(of, World) else World(of)
        definition = ffi.new("ff_batch_def *")
        lib.ff_batch_def_init(definition, ffi.sizeof("ff_batch_def"))
        definition.robots, definition.threads, definition.pinned = _whole(robots, "robots"), threads, pinned
        made = create(lib.ff_batch_create, "ff_batch", world._c, definition)
        process = os.getpid()
        begun: list[Any] = []  # arrays of the steps begun, until these are taken

        def destroy(p: Any) -> None:
            if os.getpid() == process:  # after a fork its threads are not there to be ended
                lib.ff_batch_destroy(p)
            begun.clear()

        self._c = owned(made, destroy, world._c)
        self._turn = Turn()
        self._error = ffi.new("ff_error *")
        self._begun: list[Any] = begun
        self._under_way = False  # steps have been begun
        #: robots that do not have the world's parameters, and what was given to them; None: by vary()
        self._own: dict[int, Parameters | None] = {}
        self.world = world
        self.model = world.model
        self.random = np.random.default_rng(seed)
        self._n = int(lib.ff_batch_count(self._c))
        self._q: Array = view(lib.ff_batch_q(self._c), (self._n, world.nq), self._c)
        self._v: Array = view(lib.ff_batch_v(self._c), (self._n, world.nv), self._c)
        self._time: Array = view(lib.ff_batch_time(self._c), (self._n,), self._c)
        self._status: IntArray = view(lib.ff_batch_status(self._c), (self._n,), self._c, np.int32)
        self._ready(
            self._turn, int(ffi.cast("uintptr_t", self._c)), address("ff_batch_set_controls"),
            address("ff_batch_step"), int(ffi.cast("uintptr_t", self._error)), self._n, world.nu, world.nv,
        )  # fmt: skip
        if self.threads > 1:
            _THREADED.add(self)
        if posture is not None or q is not None or v is not None:
            self.reset(posture=posture, q=q, v=v)

    # ---- What step() calls ------------------------------------------------------------------------------------------

    def _convert(self, name: str, given: Any, width: int) -> npt.NDArray[Any]:
        return array(given, (self._n, width), name)

    def _refuse(self) -> None:
        _ = self._c  # raises ClosedError

    def _fail(self) -> None:
        raise failure(self._error)

    def _closing(self) -> None:
        self._forget()

    # ---- States -----------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self._n

    @property
    def threads(self) -> int:
        """Number of threads in use."""
        return int(lib.ff_batch_threads(self._c))

    @property
    def q(self) -> Array:
        """Configurations [n, nq]: live, read-only."""
        if self._under_way:
            self.wait()
        return self._q

    @property
    def v(self) -> Array:
        """Velocities [n, nv]: live, read-only."""
        if self._under_way:
            self.wait()
        return self._v

    @property
    def time(self) -> Array:
        """Times since the last reset [n] [s]: live, read-only."""
        if self._under_way:
            self.wait()
        return self._time

    def tensor(self, name: str = "q", *, share: bool = False) -> Tensor:
        """q, v or time for another library: torch.from_dlpack(batch.tensor("v")).

        It is the live memory, read-only, for libraries that know version 1 of DLPack; others get a copy, or with
        `share` the memory, which they must not write to.
        """
        from footfall.dlpack import Tensor

        if name not in ("q", "v", "time"):
            raise errors.ArgumentError(f"there is no tensor '{name}'; there are q, v, time", thing="tensor")
        return Tensor(getattr(self, name), share=share)

    def reset(
        self,
        robots: npt.ArrayLike | None = None,
        *,
        posture: str | None = None,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
    ) -> None:
        """Reset robots to time 0: all, those of a mask [n], or those of a list of indices.

        They start in a posture, or at q and v, of one robot or [n, ...]; without them neutral and at rest. Robots that
        failed go on.
        """
        if posture is not None:
            if q is not None:
                raise TypeError("a start is a posture or q, not both")
            q = self.model.postures[posture]
        chosen = mask(robots, self._n)
        start, speed = self._rows(q, self.world.nq, "q"), self._rows(v, self.world.nv, "v")
        with self._turn:
            call(lib.ff_batch_reset, self._c, pointer(chosen, "unsigned char"), pointer(start), pointer(speed))

    def _rows(self, given: ArrayLike | None, width: int, what: str) -> Array | None:
        """Rows for all robots: one row is for all of them."""
        if given is None:
            return None
        found = numbers(given, what)
        if found.shape == (width,):
            return np.ascontiguousarray(np.broadcast_to(found, (self._n, width)))
        return array(found, (self._n, width), what)

    @property
    def states(self) -> Array:
        """A copy of all full states [n, state size]. Assign to restore them, to the bit."""
        with self._turn:
            out = np.empty((self._n, lib.ff_batch_state_size(self._c)))
            call(lib.ff_batch_get_states, self._c, pointer(out))
        return out

    @states.setter
    def states(self, states: ArrayLike) -> None:
        self.set_states(states)

    def set_states(self, states: ArrayLike, robots: npt.ArrayLike | None = None) -> None:
        """Set full states [n, state size], or one for all, of all robots or of those of a mask or list."""
        chosen = mask(robots, self._n)
        with self._turn:
            given = self._rows(states, lib.ff_batch_state_size(self._c), "states")
            call(lib.ff_batch_set_states, self._c, pointer(chosen, "unsigned char"), pointer(given))

    def set_parameters(self, robot: int, parameters: Parameters) -> None:
        """Give a robot parameters of its own; its state stays."""
        index = position(robot, self._n, "robot")
        with self._turn:
            call(lib.ff_batch_set_parameters, self._c, index, parameters._c)
            self._own[index] = parameters.copy()

    def parameters(self, robot: int) -> Parameters:
        """A copy of the parameters of a robot."""
        return self[robot].parameters

    def vary(
        self,
        robots: npt.ArrayLike | None = None,
        *,
        mass: ArrayLike = 1.0,
        friction: ArrayLike = 1.0,
        stiffness: ArrayLike = 1.0,
        damping: ArrayLike = 1.0,
        gains: ArrayLike = 1.0,
    ) -> None:
        """Give robots the world's parameters times factors: one, or one for each of them.

        mass: of masses and inertias of all links; friction, stiffness, damping: of all collision shapes; gains: of
        stiffness and damping of all motors. The states stay.
        """
        chosen = np.arange(self._n) if robots is None else np.flatnonzero(np.asarray(mask(robots, self._n)))
        chosen = np.ascontiguousarray(chosen, np.int32)
        factors = np.ones((len(chosen), 5))
        for i, (name, given) in enumerate({"mass": mass, "friction": friction, "stiffness": stiffness,
                                           "damping": damping, "gains": gains}.items()):  # fmt: skip
            found = numbers(given, name)
            if found.shape not in ((), (len(chosen),)):
                raise errors.ArgumentError(f"{name}: one factor or {len(chosen)} are expected", thing=name)
            factors[:, i] = found
        with self._turn:
            call(lib.ffp_batch_vary, self._c, len(chosen), pointer(chosen, "int"),
                 ffi.cast("ffp_variation *", pointer(factors)))  # fmt: skip
            self._own.update({int(i): None for i in chosen})

    def __getitem__(self, robot: int) -> BatchRobot:
        """A robot, with all functions of a sim."""
        if not -self._n <= robot < self._n:
            raise IndexError(f"there is no robot {robot}: there are {self._n}")
        return BatchRobot(self, int(robot) % self._n)

    def __iter__(self) -> Iterator[BatchRobot]:
        return (BatchRobot(self, i) for i in range(self._n))

    # ---- Steps ------------------------------------------------------------------------------------------------------

    def set_controls(self, u: ArrayLike) -> None:
        """Set the controls u [n, nu] of all robots. A robot whose controls are refused fails."""
        given = array(u, (self._n, self.world.nu), "u")
        with self._turn:
            call(lib.ff_batch_set_controls, self._c, pointer(given))

    def push(
        self,
        link: int | str,
        force: ArrayLike | None = None,
        torque: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        robots: npt.ArrayLike | None = None,
    ) -> None:
        """Push a link of all robots, or of some, during their next step; force, torque [3] or [n, 3], at [3]."""
        index = self.model._index("link", link)
        place = None if at is None else array(at, (3,), "at")
        chosen = mask(robots, self._n)
        pushes = [self._rows(x, 3, name) for x, name in ((force, "force"), (torque, "torque"))]
        with self._turn:
            call(
                lib.ffp_batch_push, self._c, index, pointer(place), pointer(chosen, "unsigned char"),
                *(pointer(x) for x in pushes),
            )  # fmt: skip

    def _inputs(self, u: ArrayLike | None, tau: ArrayLike | None, keep: list[Any]) -> Any:
        made = ffi.new("ff_batch_inputs *")
        for name, given, width in (("u", u, self.world.nu), ("tau", tau, self.world.nv)):
            if given is not None:
                rows = array(given, (self._n, width), name)
                keep.append(rows)
                setattr(made, name, pointer(rows))
        return made

    def step_many(self, steps: int, u: ArrayLike | None = None, *, tau: ArrayLike | None = None) -> None:
        """Take several steps; u [n, nu] and tau [n, nv] are given before each."""
        keep: list[Any] = []
        inputs = self._inputs(u, tau, keep)
        with self._turn:
            for portion in portions(_whole(steps, "steps"), max(1, 20000 // self._n)):
                call(lib.ff_batch_step_many, self._c, portion, inputs)

    def begin(self, steps: int = 1, u: ArrayLike | None = None, *, tau: ArrayLike | None = None) -> None:
        """Begin step_many() and return at once.

        Whatever else the batch is asked for, q, v and time too, waits for these steps. Arrays that were taken before
        show numbers on their way until then.
        """
        keep: list[Any] = []
        inputs = self._inputs(None if u is None else np.array(u), None if tau is None else np.array(tau), keep)
        with self._turn:
            call(lib.ff_batch_begin, self._c, _whole(steps, "steps"), inputs)
            self._begun[:] = keep
            self._under_way = True
            _THREADED.add(self)  # it has a thread for it now

    def wait(self) -> None:
        """Until the steps begun are taken."""
        with self._turn:
            lib.ff_batch_wait(self._c)
            self._begun.clear()
            self._under_way = False

    def rollout(
        self,
        u: ArrayLike | None = None,
        *,
        tau: ArrayLike | None = None,
        frames: int | None = None,
        hold: int = 1,
        record: Sequence[str] = ("q", "v"),
        out: Mapping[str, Array] | None = None,
    ) -> dict[str, Array]:
        """From the present states, controls that are given beforehand; records after each frame.

        u: [n, frames, nu], tau: [n, frames, nv]; `frames` is needed without them
        hold: steps in each frame, during which its control is given anew
        record: q, v, time, status, energy, contacts, contact_force, slip, penetration (ff_batch_signal)

        Returns arrays [n, frames, width], [n, frames, links, 3] of contact_force; those of `out` are written to. A
        robot that fails repeats its last frame, with its status.
        """
        given = {"u": u, "tau": tau}
        for name, x in given.items():
            if x is not None and frames is None:
                found = numbers(x, name)
                frames = found.shape[1] if found.ndim == 3 else -1
        if frames is None or frames < 0:
            raise errors.ArgumentError("frames: their number, or u or tau [n, frames, ...], is needed", thing="frames")
        definition = ffi.new("ff_batch_rollout_def *")
        lib.ff_batch_rollout_def_init(definition, ffi.sizeof("ff_batch_rollout_def"))
        definition.frames, definition.hold = frames, _whole(hold, "hold")
        keep: list[Any] = []
        for name, width in (("u", self.world.nu), ("tau", self.world.nv)):
            if given[name] is not None:
                rows = array(given[name], (self._n, frames, width), name)  # type: ignore[arg-type,unused-ignore]
                keep.append(rows)
                setattr(definition, name, pointer(rows))
        results = self._recordings(record, frames, definition, dict(out or {}), keep)
        with self._turn:
            call(lib.ff_batch_rollout, self._c, definition)
        return results

    def _recordings(
        self, record: Sequence[str], frames: int, definition: Any, out: dict[str, Array], keep: list[Any]
    ) -> dict[str, Array]:
        made = ffi.new("ff_batch_recording[]", len(record))
        results: dict[str, Array] = {}
        for i, name in enumerate(record):
            signal = value_of("ff_batch_signal", name, "record")
            width = lib.ff_batch_signal_width(self.world._c, signal)
            shape = (self._n, frames, width // 3, 3) if name == "contact_force" else (self._n, frames, width)
            results[name] = writable(out.get(name), shape, f"out['{name}']")
            made[i].signal, made[i].out = signal, pointer(results[name])
        definition.recordings, definition.recording_count = made, len(record)
        keep.append(made)
        return results

    # ---- What happened ----------------------------------------------------------------------------------------------

    @property
    def status(self) -> IntArray:
        """Status of each robot [n]: 0, or the ff_status of what failed: live, read-only."""
        with self._turn:
            lib.ff_batch_status(self._c)
        return self._status

    @property
    def failed(self) -> npt.NDArray[np.int64]:
        """The robots that have failed."""
        return np.flatnonzero(self.status)

    def error(self, robot: int) -> errors.Error | None:
        """The failure of a robot, which is not raised; None if it has not failed."""
        found = ffi.new("ff_error *")
        with self._turn:
            status = lib.ff_batch_error(self._c, position(robot, self._n, "robot"), found)
        return failure(found) if status else None

    def raise_failed(self) -> None:
        """Raise the first robot's failure, if there is one."""
        for robot in self.failed:
            found = self.error(int(robot))
            if found is not None:
                raise found

    def info(self, robot: int) -> StepInfo:
        """Report of the last step of a robot."""
        with self._turn:
            return StepInfo(lib.ff_batch_info(self._c, position(robot, self._n, "robot")))

    def totals(self, robot: int) -> Totals:
        """Totals of a robot since its last reset."""
        with self._turn:
            return Totals(lib.ff_batch_get_totals(self._c, position(robot, self._n, "robot")))

    @property
    def counts(self) -> BatchCounts:
        """How many steps were taken, how many of them in lanes, and why the others were not."""
        with self._turn:
            counts = lib.ff_batch_get_counts(self._c)
        alone = {text(lib.ff_batch_alone_name(i)): int(n) for i, n in enumerate(counts.alone)}
        return read(BatchCounts, counts, alone=alone)

    @property
    def memory(self) -> BatchMemory:
        """Memory of this batch."""
        return read(BatchMemory, lib.ff_batch_get_memory(self._c))

    def copy(self) -> Batch:
        """Another batch with the same states and parameters."""
        other = Batch(self.world, self._n, threads=self.threads)
        for i, own in self._parameters().items():
            other.set_parameters(i, own)
        other.states = self.states
        return other

    def _parameters(self) -> dict[int, Parameters]:
        """Those of robots that do not have the world's."""
        return {i: self[i].parameters if own is None else own for i, own in self._own.items()}

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Batch:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.world, self._n, self.threads, self._parameters(), self.states)

    def __repr__(self) -> str:
        if self.closed:
            return "<footfall.Batch, closed>"
        failed = len(self.failed)
        told = f", {failed} failed" if failed else ""
        return f"<footfall.Batch: {self._n} x '{self.model.name}', {self.world.stepper}, {self.threads} threads{told}>"


def _again(world: World, robots: int, threads: int, own: dict[int, Parameters], states: Array) -> Batch:
    batch = Batch(world, robots, threads=threads)
    for i, parameters in own.items():
        batch.set_parameters(i, parameters)
    batch.states = states
    return batch


def _whole(number: int, what: str) -> int:
    try:
        return int(number.__index__())
    except AttributeError:
        raise errors.ArgumentError(f"{what}: a whole number is expected, not {number!r}", thing=what) from None


def _after_fork() -> None:
    """In the child: what has threads can no longer be used; a call would wait for ever."""
    for batch in list(_THREADED):
        batch._forget()
        batch.__dict__.clear()
        batch.__dict__["_forked"] = True


_THREADED = weakref.WeakSet()
os.register_at_fork(after_in_child=_after_fork)
