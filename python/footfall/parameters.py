"""What may differ between robots of one world: masses, materials, gains, gravity, ground poses; parameters.h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from footfall import errors
from footfall._native import Array, ArrayLike, Native, Turn, array, call, create, ffi, lib, owned, pointer  # fmt: skip
from footfall._structs import fill, read
from footfall.pose import Pose
from footfall.shapes import Inertia, Material

if TYPE_CHECKING:
    from footfall.world import World


class Parameters(Native):
    """Parameters of a robot. A sim or batch copies them: `sim.parameters = p`, `batch.set_parameters(i, p)`."""

    def __init__(self, world: World) -> None:
        made = create(lib.ff_parameters_create, "ff_parameters", world._c)
        self._turn = Turn()
        self.world = world
        self._c = owned(made, lib.ff_parameters_destroy, world._c)

    # ---- Gravity ----------------------------------------------------------------------------------------------------

    @property
    def gravity(self) -> Array:
        """World axes [m/s^2]. Assign to change it."""
        out = np.empty(3)
        lib.ff_parameters_gravity(self._c, pointer(out))
        out.flags.writeable = False
        return out

    @gravity.setter
    def gravity(self, gravity: ArrayLike) -> None:
        call(lib.ff_parameters_set_gravity, self._c, pointer(array(gravity, (3,), "gravity")))

    # ---- Masses -----------------------------------------------------------------------------------------------------

    def inertia(self, link: int | str) -> Inertia:
        """Mass, centre of mass and inertia of a link, in its own frame."""
        out = ffi.new("ff_inertia *")
        lib.ff_parameters_inertia(self._c, self.world.model._index("link", link), out)
        return read(Inertia, out)

    def set_inertia(self, link: int | str, inertia: Inertia) -> None:
        """Set the inertia of a link. If a joint then moves none, the next step fails and names it."""
        call(lib.ff_parameters_set_inertia, self._c, self.world.model._index("link", link), inertia._struct())

    def scale_masses(self, factor: float, link: int | str | None = None) -> None:
        """Multiply mass and inertia of a link, or of all, as they are now."""
        links = range(len(self.world.model.links)) if link is None else [self.world.model._index("link", link)]
        for index in links:
            self.set_inertia(index, self.inertia(index).scaled(factor))

    def add_mass(self, link: int | str, mass: float, at: ArrayLike = (0, 0, 0)) -> None:
        """Fix a point mass [kg] to a link, at a place in its frame [m]."""
        place = array(at, (3,), "at")
        self.set_inertia(link, self.inertia(link) + Inertia(float(mass), tuple(place.tolist())))

    # ---- Materials --------------------------------------------------------------------------------------------------

    def material(self, shape: int | str) -> Material:
        """Material of a collision shape."""
        return self._material(lib.ff_parameters_material, self._shape(shape), "shape")

    def set_material(self, shape: int | str, material: Material) -> None:
        """Set the material of a collision shape."""
        self._set_material(lib.ff_parameters_set_material, self._shape(shape), material)

    def ground_material(self, ground: int = 0) -> Material:
        """Material of a ground shape."""
        return self._material(lib.ff_parameters_ground_material, ground, "ground")

    def set_ground_material(self, ground: int, material: Material) -> None:
        """Set the material of a ground shape."""
        self._set_material(lib.ff_parameters_set_ground_material, ground, material)

    def change_materials(self, **changes: float) -> None:
        """Change stiffness, damping, friction, ... of all collision shapes."""
        for index, shape in enumerate(self.world.model.shapes):
            if shape.shape.collision:
                self.set_material(index, self.material(index).replace(**changes))

    def _shape(self, shape: int | str) -> int:
        return self.world.model.shapes.index(shape) if isinstance(shape, str) else int(shape)

    def _material(self, function: Any, index: int, what: str) -> Material:
        out = ffi.new("ff_material *")
        if function(self._c, int(index), out) != 0:
            raise errors.ArgumentError(f"there is no {what} {index} with a material", thing=what)
        return read(Material, out)

    def _set_material(self, function: Any, index: int, material: Material) -> None:
        made = ffi.new("ff_material *")
        fill(made, material, "material", [])
        call(function, self._c, int(index), made)

    # ---- Ground -----------------------------------------------------------------------------------------------------

    def ground(self, ground: int = 0) -> tuple[Pose, Array]:
        """The pose that a reset gives to a ground shape, and its velocity [6]."""
        pose, velocity = ffi.new("ff_pose *"), np.empty(6)
        if lib.ff_parameters_ground(self._c, int(ground), pose, pointer(velocity)) != 0:
            raise errors.ArgumentError(f"there is no ground {ground}", thing="ground")
        return Pose.from_c(pose), velocity

    def set_ground(self, ground: int, pose: Pose | None = None, velocity: ArrayLike | None = None) -> None:
        """Set the pose that a reset gives to a ground shape, and its velocity from there on. None: as it is."""
        now, moving = self.ground(ground)
        speed = moving if velocity is None else array(velocity, (6,), "velocity")
        call(lib.ff_parameters_set_ground, self._c, int(ground), (pose or now)._struct(), pointer(speed))

    # ---- Elements ---------------------------------------------------------------------------------------------------

    def gains(self, element: int) -> tuple[float, float, float]:
        """Stiffness, damping and largest effort of an element, by its index in Sim.elements."""
        out = np.empty(3)
        p = pointer(out)
        if lib.ff_parameters_gains(self._c, int(element), p, p + 1, p + 2) != 0:
            raise errors.ArgumentError(f"there is no element {element}", thing="element")
        stiffness, damping, effort = out.tolist()
        return stiffness, damping, effort

    def set_gains(
        self,
        element: int,
        *,
        stiffness: float | None = None,
        damping: float | None = None,
        effort: float | None = None,
    ) -> None:
        """Set the gains of an element. None: as they are."""
        now = self.gains(element)
        given = [a if b is None else float(b) for a, b in zip(now, (stiffness, damping, effort), strict=True)]
        call(lib.ff_parameters_set_gains, self._c, int(element), *given)

    def set_joint_friction(self, v: int, limit: float) -> None:
        """Set the dry friction at velocity v [N m] or [N], > 0; the joint has some in the model."""
        call(lib.ff_parameters_set_joint_friction, self._c, int(v), float(limit))

    # ---- Copies -----------------------------------------------------------------------------------------------------

    def copy(self) -> Parameters:
        """Parameters of their own, with these values."""
        other = Parameters(self.world)
        call(lib.ff_parameters_copy, self._c, other._c)
        return other

    __copy__ = copy

    def of(self, world: World) -> Parameters:
        """The same values for another world that has the same model, ground and elements, such as one of a pickle."""
        other = Parameters.__new__(Parameters)
        other.__setstate__({**self.__getstate__(), "world": world})
        return other

    def __deepcopy__(self, memo: object) -> Parameters:
        return self.copy()

    def _frictions(self) -> list[float]:
        """The dry friction at each velocity: a sim knows it."""
        with self.world.sim() as sim:
            sim.parameters = self
            return [sim.joint_friction(v).limit for v in range(self.world.nv)]

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.__getstate__(),)

    def __getstate__(self) -> dict[str, Any]:
        world, probe = self.world, self.world.sim()
        shapes = [i for i, s in enumerate(world.model.shapes) if s.shape.collision]
        return {
            "world": world,
            "gravity": self.gravity.tolist(),
            "inertias": [self.inertia(i) for i in range(len(world.model.links))],
            "materials": {i: self.material(i) for i in shapes},
            "ground": [(self.ground_material(i), *self.ground(i)) for i in range(world.ground_count)],
            "gains": [self.gains(i) for i in range(len(probe.elements))],
            "frictions": self._frictions(),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["world"])  # type: ignore[misc,unused-ignore]
        standard = self.copy()
        self.gravity = state["gravity"]
        for i, inertia in enumerate(state["inertias"]):
            if inertia != standard.inertia(i):
                self.set_inertia(i, inertia)
        for i, material in state["materials"].items():
            if material != standard.material(i):
                self.set_material(i, material)
        for i, (material, pose, velocity) in enumerate(state["ground"]):
            if material != standard.ground_material(i):
                self.set_ground_material(i, material)
            if (pose, *velocity) != (standard.ground(i)[0], *standard.ground(i)[1]):
                self.set_ground(i, pose, velocity)
        for i, gains in enumerate(state["gains"]):
            if gains != standard.gains(i):
                self.set_gains(i, stiffness=gains[0], damping=gains[1], effort=gains[2])
        for v, (limit, before) in enumerate(zip(state["frictions"], standard._frictions(), strict=True)):
            if limit != before:
                self.set_joint_friction(v, limit)

    def __repr__(self) -> str:
        mass = sum(self.inertia(i).mass for i in range(len(self.world.model.links)))
        return f"<footfall.Parameters of '{self.world.model.name}': {mass:.4g} kg, gravity {self.gravity.tolist()}>"


def _again(state: dict[str, Any]) -> Parameters:
    made = Parameters.__new__(Parameters)
    made.__setstate__(state)
    return made
