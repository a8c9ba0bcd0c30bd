"""Shapes, materials, inertias and ground: what bodies carry and stand on; shape.h, contact.h, sim.h."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from footfall._native import Array, ArrayLike, array, call, ffi, lib, numbers, pointer, text
from footfall._structs import fill, read
from footfall.pose import Pose

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Material:
    """A surface. A contact combines two: stiffness and damping in series, the smaller friction, the larger others."""

    stiffness: float = 1e5  #: K [N/m], > 0
    damping: float = 300.0  #: B [N s/m], >= 0
    friction: float = 1.0  #: mu, >= 0
    restitution: float = 0.0  #: 0..1, hard contact only
    tangential_restitution: float = 0.0  #: 0..1, hard contact only
    torsional_friction: float = 0.0  #: [m], >= 0
    rolling_friction: float = 0.0  #: [m], >= 0

    def replace(self, **changes: float) -> Material:
        """A material with other values."""
        return dataclasses.replace(self, **changes)


@dataclass(frozen=True)
class Inertia:
    """Mass distribution of a rigid body, in its link's frame."""

    mass: float = 0.0  #: [kg], >= 0
    com: Vector = (0.0, 0.0, 0.0)  #: centre of mass [m]
    #: about the centre of mass: xx xy xz yy yz zz [kg m^2]
    matrix: tuple[float, float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    @classmethod
    def of_shape(cls, shape: Shape, density: float) -> Inertia:
        """Of a solid shape of the given density [kg/m^3], its pose applied."""
        keep: list[Any] = []
        out = ffi.new("ff_inertia *")
        call(lib.ff_inertia_from_shape, shape.struct(keep), float(density), out)
        return read(cls, out)

    def _struct(self) -> Any:
        made = ffi.new("ff_inertia *")
        fill(made, self, "inertia", [])
        return made

    def __add__(self, other: Inertia) -> Inertia:
        """Of two bodies joined rigidly, both in one frame."""
        return read(Inertia, lib.ff_inertia_add(self._struct(), other._struct()))

    def transform(self, pose: Pose) -> Inertia:
        """In another frame: `pose` places the frame of this inertia in that of the result."""
        return read(Inertia, lib.ff_inertia_transform(pose._struct(), self._struct()))

    def scaled(self, factor: float) -> Inertia:
        """The same body with another density: mass and inertia times `factor`."""
        matrix = tuple(factor * x for x in self.matrix)
        return Inertia(factor * self.mass, self.com, matrix)  # type: ignore[arg-type,unused-ignore]


@dataclass(frozen=True, eq=False)
class Shape:
    """A primitive in its own frame, placed in a link by its pose.

    type     size [m]
    point    none
    sphere   radius
    capsule  radius, length of the cylindrical part along z
    box      full edge lengths
    cylinder radius, full length along z
    disk     radius; infinitely thin, normal along z
    plane    none; solid below its xy plane
    hull     none; vertices [n, 3]
    mesh     none; mesh_file, visual only
    heightfield  full extents along x and y; heights [rows, columns]
    ellipsoid    half lengths along x, y, z
    """

    type: str = "sphere"
    size: tuple[float, ...] = ()
    pose: Pose = field(default_factory=Pose)
    name: str | None = None
    material: Material = field(default_factory=Material)
    visual: bool = True  #: it is drawn
    collision: bool = True  #: it collides
    rgba: tuple[float, float, float, float] = (0.7, 0.7, 0.7, 1.0)
    vertices: ArrayLike | None = None  #: hull: [n, 3] [m]
    mesh_file: str | None = None
    scale: Vector = (1.0, 1.0, 1.0)  #: of the mesh file
    heights: ArrayLike | None = None  #: height field: [rows, columns] [m]
    contype: int = 1
    conaffinity: int = 1

    def struct(self, keep: list[Any]) -> Any:
        """An ff_shape_def; `keep` gets what it points to."""
        made = ffi.new("ff_shape_def *", lib.ff_shape_def_default())
        self.to_c(made, keep)
        keep.append(made)
        return made

    def to_c(self, made: Any, keep: list[Any]) -> None:
        plain = {
            "type": self.type, "pose": self.pose, "name": self.name, "material": self.material, "rgba": self.rgba,
            "mesh_file": self.mesh_file, "scale": self.scale, "contype": self.contype,
            "conaffinity": self.conaffinity, "size": (*self.size, 0.0, 0.0, 0.0)[:3],
        }  # fmt: skip
        fill(made, plain, "shape", keep)
        made.purpose = lib.FF_SHAPE_VISUAL * self.visual | lib.FF_SHAPE_COLLISION * self.collision
        if self.vertices is not None:
            points = numbers(self.vertices, "vertices")
            points = array(points, (len(points), 3), "vertices")
            made.vertices, made.vertex_count = pointer(points), len(points)
            keep.append(points)
        if self.heights is not None:
            grid = numbers(self.heights, "heights")
            grid = array(grid, (grid.shape[0], grid.shape[1]) if grid.ndim == 2 else (0, 0), "heights")
            made.heights, (made.rows, made.columns) = pointer(grid), grid.shape
            keep.append(grid)

    @classmethod
    def from_c(cls, struct: Any) -> Shape:
        counts = {"hull": 0, "point": 0, "plane": 0, "mesh": 0, "sphere": 1, "disk": 1, "capsule": 2, "cylinder": 2,
                  "heightfield": 2}  # fmt: skip
        kind = text(lib.ff_shape_type_name(struct.type))
        points, grid = None, None
        if kind == "hull":
            points = _copy(struct.vertices, (struct.vertex_count, 3))
        if kind == "heightfield":
            grid = _copy(struct.heights, (struct.rows, struct.columns))
        return read(cls, struct, type=kind, size=tuple(struct.size)[: counts.get(kind, 3)], vertices=points,
                    heights=grid, visual=bool(struct.purpose & lib.FF_SHAPE_VISUAL),
                    collision=bool(struct.purpose & lib.FF_SHAPE_COLLISION))  # fmt: skip


def _copy(values: Any, shape: tuple[int, int]) -> Array:
    count = shape[0] * shape[1]
    return np.frombuffer(ffi.buffer(values, 8 * count)).reshape(shape).copy() if count else np.zeros(shape)


# The plane z = 0 of ff_ground_def_default(): the pair has the robot's material.
_ANY = Material(stiffness=np.inf, damping=np.inf, friction=np.inf)


@dataclass(frozen=True, eq=False)
class Ground:
    """A plane, box or height field that robots touch; it is fixed, or moves with a constant velocity."""

    shape: Shape = field(default_factory=lambda: Shape("plane", material=_ANY))
    #: linear at the shape's origin [m/s], then angular [rad/s], world axes
    velocity: tuple[float, float, float, float, float, float] = (0.0,) * 6
    gives_pair: bool = False  #: the pair takes this shape's material; else it is combined with the robot's

    @classmethod
    def plane(cls, *, slope: float = 0.0, height: float = 0.0, material: Material | None = None) -> Ground:
        """A plane through (0, 0, height). With a slope [rad] x points downhill. With a material, pairs take it."""
        pose = Pose.from_rpy((0, 0, height), (0, slope, 0))
        shape = Shape("plane", pose=pose, material=material or _ANY)
        return cls(shape, gives_pair=material is not None)

    @classmethod
    def heightfield(cls, heights: ArrayLike, size: tuple[float, float], *, material: Material | None = None) -> Ground:
        """Terrain over a grid: heights [rows, columns] [m] over full extents size along x and y, centred."""
        shape = Shape("heightfield", size=size, heights=heights, material=material or _ANY)
        return cls(shape, gives_pair=material is not None)

    @classmethod
    def box(cls, size: Vector, pose: Pose | None = None, *, material: Material | None = None) -> Ground:
        """A box with full edge lengths."""
        shape = Shape("box", size=size, pose=pose or Pose(), material=material or _ANY)
        return cls(shape, gives_pair=material is not None)

    @classmethod
    def from_c(cls, struct: Any) -> Ground:
        return cls(Shape.from_c(struct.shape), tuple(struct.velocity), bool(struct.gives_pair))

    def to_c(self, made: Any, keep: list[Any]) -> None:
        self.shape.to_c(ffi.addressof(made, "shape"), keep)
        fill(made, {"velocity": self.velocity, "gives_pair": self.gives_pair}, "ground", keep)


def ground_array(grounds: list[Ground], keep: list[Any]) -> Any:
    """An array of ff_ground_def; NULL if it is empty."""
    if not grounds:
        return ffi.NULL
    made = ffi.new("ff_ground_def[]", [lib.ff_ground_def_default() for _ in grounds])
    keep.append(made)
    for i, ground in enumerate(grounds):
        ground.to_c(made[i], keep)
    return made
