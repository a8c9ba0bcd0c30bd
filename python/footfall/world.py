"""Worlds: what many robots share: a model, its ground, elements and all options; world.h, controls.h."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, Unpack

from footfall import _table
from footfall._native import ArrayLike, StrPath, create, ffi, lib, owned, text
from footfall._structs import read
from footfall.elements import Element, element_array
from footfall.infos import ControlInfo, Named
from footfall.model import Model, as_model
from footfall.options import Options
from footfall.shapes import Ground, ground_array

if TYPE_CHECKING:
    from footfall.batch import Batch
    from footfall.parameters import Parameters
    from footfall.sim import Sim

Grounds = Ground | Iterable[Ground] | None

_ABOUT = """A model with ground, elements and options, checked and prepared once; const, for any number of threads.

model: a Model, or the path of a URDF or MJCF file
ground: a Ground or several; None: the plane z = 0, or none if the model has a ground of its own; (): none
elements: motors, stops, springs, welds, added to those of the model; Model.motor() makes a motor

Numbers may be texts with a unit: dt="2ms". Options of the stepper that is used may be given without its name:
World(model, stepper="expo", order=1)."""


@dataclass(frozen=True)
class WorldMemory:
    """Sizes in bytes."""

    world: int  #: once for all robots
    parameters: int  #: per robot
    state: int  #: per robot
    evaluation: int  #: per sim
    workspace: int  #: per thread


class World:
    __doc__ = _ABOUT

    _c: Any

    def __init__(
        self,
        model: Model | StrPath,
        *,
        ground: Grounds = None,
        elements: Iterable[Element] = (),
        **options: Unpack[Options],
    ) -> None:
        keep: list[Any] = []
        self._is_borrowed = False  # its ground and elements are known here
        self.model: Model = as_model(model)
        self._ground = None if ground is None else [ground] if isinstance(ground, Ground) else list(ground)
        self._elements = list(elements)
        stepper = str(options.get("stepper", "expo"))
        self._given: dict[str, Any] = {_table.find(n, stepper).name: value for n, value in dict(options).items()}
        definition = _table.definition(self._given)
        if self._ground is not None:
            definition.ground, definition.ground_count = ground_array(self._ground, keep), len(self._ground)
        definition.elements, definition.element_count = element_array(self._elements, keep), len(self._elements)
        made = create(lib.ff_world_create, "ff_world", self.model._c, definition)
        self._adopt(owned(made, lib.ff_world_destroy, self.model._c))

    def _adopt(self, pointer: Any) -> None:
        self._c = pointer
        definition = lib.ff_world_def(pointer)
        self.nq: int = self.model.nq
        self.nv: int = self.model.nv
        self.nu: int = lib.ff_world_control_count(pointer)
        self.dt: float = definition.dt
        self.stepper: str = text(lib.ff_stepper_name(definition.stepper))

    @classmethod
    def _borrowed(cls, pointer: Any, model: Model, owner: Any, ground: list[Ground]) -> Self:
        """The world of a sim or scene that has made its own."""
        self = cls.__new__(cls)
        self.model, self._ground, self._elements, self._is_borrowed = model, ground, [], True
        self._given = {}
        self._adopt(ffi.gc(pointer, lambda _pointer, _owner=owner: None))
        return self

    @property
    def options(self) -> dict[str, float | int | bool | str]:
        """All options as this world uses them, by keyword."""
        return _table.as_dict(lib.ff_world_def(self._c))

    @property
    def ground(self) -> list[Ground]:
        """Ground shapes as at time 0."""
        return [Ground() for _ in range(self.ground_count)] if self._ground is None else list(self._ground)

    @property
    def ground_count(self) -> int:
        """Number of ground shapes."""
        return int(lib.ff_world_def(self._c).ground_count)

    @property
    def controls(self) -> Named[ControlInfo]:
        """What each number of u is."""

        def get(index: int) -> ControlInfo:
            out = ffi.new("ff_control_info *")
            lib.ff_world_control(self._c, index, out)
            return read(ControlInfo, out, index=index)

        return Named("control", self.nu, get, lambda i: get(i).name)

    @property
    def memory(self) -> WorldMemory:
        """How much memory robots of this world take."""
        return read(WorldMemory, lib.ff_world_get_memory(self._c))

    def sim(self, *, posture: str | None = None, q: ArrayLike | None = None, v: ArrayLike | None = None) -> Sim:
        """A robot: in a posture, at q and v, or neutral and at rest."""
        from footfall.sim import Sim

        return Sim(self, posture=posture, q=q, v=v)

    def batch(
        self,
        robots: int = 1,
        *,
        threads: int = 0,
        pinned: bool = False,
        seed: int | None = None,
        posture: str | None = None,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
    ) -> Batch:
        """Many robots, stepped together on all processors; the arguments are those of Batch."""
        from footfall.batch import Batch

        return Batch(self, robots, threads=threads, pinned=pinned, seed=seed, posture=posture, q=q, v=v)

    def parameters(self) -> Parameters:
        """Masses, materials, gains, gravity and ground poses, with this world's values."""
        from footfall.parameters import Parameters

        return Parameters(self)

    def replace(self, **changes: Any) -> World:
        """A world with other options, ground or elements."""
        ground, elements = changes.pop("ground", self._ground), changes.pop("elements", self._elements)
        model = changes.pop("model", self.model)
        stepper = str(changes.get("stepper", self.stepper))
        changed = {_table.find(name, stepper).name: value for name, value in changes.items()}
        return World(model, ground=ground, elements=elements, **{**self._given, **changed})

    def copy(self) -> World:
        """The world itself: it never changes."""
        return self

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> World:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        if self._is_borrowed:
            raise TypeError("the world of a scene is not pickled: pickle the scene")
        return _again, (self.model, self._ground, self._elements, self._given)

    def __repr__(self) -> str:
        ground = self.ground_count
        parts = [f"{self.stepper}", f"dt {self.dt:g} s", f"nq {self.nq}, nv {self.nv}, nu {self.nu}",
                 f"{ground} ground shape{'s' * (ground != 1)}"]  # fmt: skip
        if self._elements:
            parts.append(f"{len(self._elements)} elements added")
        return f"<footfall.World '{self.model.name}': {', '.join(parts)}>"


def _again(model: Model, ground: Any, elements: Any, options: Any) -> World:
    return World(model, ground=ground, elements=elements, **options)


_table.sign(World.__init__, _ABOUT)
World.__doc__ = World.__init__.__doc__
