"""Sims: one robot, one state, a step function; sim.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy.typing as npt

from footfall import _table
from footfall._hot import Steps
from footfall._native import (
    Array,
    ArrayLike,
    Native,
    StrPath,
    Turn,
    array,
    create,
    failure,
    ffi,
    lib,
    owned,
    view,
)  # fmt: skip
from footfall._robot import Robot
from footfall.model import Model
from footfall.options import Options
from footfall.world import Grounds, World

if TYPE_CHECKING:
    from collections.abc import Iterable

    from footfall.elements import Element

_ABOUT = """One robot, or one set of robots and loose bodies, in a world.

of: a World, or what World() takes: a model or a file, with ground, elements and options
posture, q, v: where it starts; without them neutral and at rest, at time 0

step(u) takes one step. q and v are live arrays that cannot be written to; reset(), state and set_posture() change
them. Threads take turns. `with` closes it at its end."""


def address(function: str) -> int:
    """Of a C function, for Steps."""
    return int(ffi.cast("uintptr_t", ffi.addressof(lib, function)))


class Sim(Native, Steps, Robot):
    __doc__ = _ABOUT

    def __init__(
        self,
        of: World | Model | StrPath,
        *,
        posture: str | None = None,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        ground: Grounds = None,
        elements: Iterable[Element] = (),
        **options: Unpack[Options],
    ) -> None:
        if isinstance(of, World):
            if ground is not None or tuple(elements) or options:
                raise TypeError("a world has its ground, elements and options: world.replace(...) changes them")
            world = of
        else:
            world = World(of, ground=ground, elements=elements, **options)
        made = create(lib.ff_sim_create_in, "ff_sim", world._c)
        self._adopt(owned(made, lib.ff_sim_destroy, world._c), world)
        if posture is not None:
            if q is not None:
                raise TypeError("a start is a posture or q, not both")
            self.set_posture(posture)
            q = self.q.copy() if v is not None else None
        if q is not None or v is not None:
            self.reset(q, v)

    def _adopt(self, pointer: Any, world: World, turn: Turn | None = None) -> None:
        self._c = pointer
        self._turn = turn or Turn()
        self.world = world
        self.model = world.model
        self._error = ffi.new("ff_error *")
        self._q: Array = view(lib.ff_sim_q(pointer), (world.nq,), pointer)
        self._v: Array = view(lib.ff_sim_v(pointer), (world.nv,), pointer)
        self._ready(
            self._turn, int(ffi.cast("uintptr_t", pointer)), address("ff_sim_set_controls"), address("ff_sim_step"),
            int(ffi.cast("uintptr_t", self._error)), 0, world.nu, world.nv,
        )  # fmt: skip

    @classmethod
    def _borrowed(cls, pointer: Any, world: World, owner: Any, turn: Turn | None = None) -> Sim:
        """A sim that belongs to something else, such as a scene, whose turn it shares."""
        self = cls.__new__(cls)
        self._adopt(ffi.gc(pointer, lambda _pointer, _owner=owner: None), world, turn)
        return self

    # ---- What step() calls ------------------------------------------------------------------------------------------

    def _convert(self, name: str, given: Any, width: int) -> npt.NDArray[Any]:
        return array(given, (width,), name)

    def _refuse(self) -> None:
        _ = self._c  # raises ClosedError

    def _fail(self) -> None:
        raise failure(self._error)

    def _closing(self) -> None:
        self._forget()

    # ---- State ------------------------------------------------------------------------------------------------------

    @property
    def q(self) -> Array:
        """Configuration [nq]: live, read-only."""
        return self._q

    @property
    def v(self) -> Array:
        """Velocity [nv]: live, read-only."""
        return self._v

    def copy(self) -> Sim:
        """Another sim of the same world with the same parameters and state; both continue bit for bit alike."""
        with self._turn:
            made = create(lib.ff_sim_clone, "ff_sim", self._c)
            other = Sim.__new__(Sim)
            other._adopt(owned(made, lib.ff_sim_destroy, self.world._c), self.world)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Sim:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.world, self.parameters, self.state)

    def __repr__(self) -> str:
        if self.closed:
            return f"<footfall.{type(self).__name__}, closed>"
        return (
            f"<footfall.{type(self).__name__} '{self.model.name}': {self.world.stepper}, dt {self.dt:g} s, "
            f"t = {self.time:g} s, {len(self.contacts)} contacts>"
        )


def _again(world: World, parameters: Any, state: Any) -> Sim:
    sim = Sim(world)
    sim.parameters = parameters
    sim.state = state
    return sim


_table.sign(Sim.__init__, _ABOUT)
Sim.__doc__ = Sim.__init__.__doc__
