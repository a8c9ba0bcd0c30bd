"""Models: compiled, immutable robots; model.h, load.h, save.h, collision.h."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from footfall import errors
from footfall._native import (
    NULL,
    Array,
    ArrayLike,
    StrPath,
    array,
    call,
    create,
    encoded,
    ffi,
    lib,
    numbers,
    owned,
    pointer,
    text,
    unknown,
    view,
    writable,
)  # fmt: skip
from footfall._structs import read, value_of, word
from footfall.elements import Element, read_element
from footfall.infos import (
    ActuatorInfo,
    FrameInfo,
    JointInfo,
    LinkInfo,
    Named,
    ShapeInfo,
    ShapePair,
    TendonInfo,
)  # fmt: skip
from footfall.load import ContactPoint, load_def
from footfall.shapes import Material, Shape

if TYPE_CHECKING:
    from footfall.cut import Cut
    from footfall.dynamics import Dynamics


class Model:
    """A robot, or several robots and loose bodies, from a URDF or MJCF file or a Builder.

    It never changes and any number of threads can share it. q and v are ordered as in model.h: joints depth first,
    siblings by name; a free joint has q = (x y z, qx qy qz qw), v = (linear, angular) in the body's frame.

    fixed_base: URDF: fix the root to the world; else it floats, unless it is called "world"
    mimic: URDF: couple, free, fix, refuse
    mesh_paths: folders with meshes, searched after the file's own and ROS_PACKAGE_PATH
    contact_points: contact points that the file does not have: (link, (x, y, z)) or (link, (x, y, z), name)
    contact_parameters: MJCF: stated, mujoco, footfall: which shapes take MuJoCo's softness
    srdf: URDF: its SRDF file; None: NAME.srdf beside NAME.urdf, "": none
    massless: least, fix, refuse: links that move without mass
    """

    _c: Any
    _source: tuple[str, dict[str, Any], Any, Any] | None = None  # file and options

    def __init__(
        self,
        path: StrPath,
        *,
        fixed_base: bool = False,
        mimic: str = "couple",
        mesh_paths: Sequence[StrPath] = (),
        contact_points: Sequence[ContactPoint] = (),
        contact_parameters: str = "stated",
        srdf: StrPath | None = None,
        massless: str = "least",
    ) -> None:
        keep: list[Any] = []
        options = {"fixed_base": fixed_base, "mimic": mimic, "contact_parameters": contact_parameters,
                   "massless": massless, "srdf": srdf}  # fmt: skip
        definition = load_def(options, mesh_paths, contact_points, keep)
        self._adopt(create(lib.ff_model_load, "ff_model", encoded(path), definition))
        self._source = os.path.abspath(path), options, mesh_paths, contact_points

    @classmethod
    def from_text(cls, content: str | bytes, name: str = "model", **options: Any) -> Self:
        """Read a robot from text, URDF or MJCF. `name` stands for the file in messages; options as of Model()."""
        keep: list[Any] = []
        mesh_paths, points = options.pop("mesh_paths", ()), options.pop("contact_points", ())
        definition = load_def(options, mesh_paths, points, keep)
        data = content.encode() if isinstance(content, str) else bytes(content)
        return cls._of(create(lib.ff_model_load_memory, "ff_model", data, len(data), encoded(name), definition))

    @classmethod
    def _of(cls, made: Any, owner: Any = None) -> Self:
        """A model of a pointer, which it owns, unless it belongs to `owner`."""
        self = cls.__new__(cls)
        self._adopt(made, owner)
        return self

    def _adopt(self, made: Any, owner: Any = None) -> None:
        if owner is None:
            self._c = owned(made, lib.ff_model_destroy)
        else:
            self._c = ffi.gc(made, lambda _pointer, _owner=owner: None)  # keeps the owner
        self._size = lib.ff_model_get_size(self._c)
        self.name: str = text(lib.ff_model_name(self._c))
        self.nq: int = self._size.nq
        self.nv: int = self._size.nv

    # ---- What it consists of ----------------------------------------------------------------------------------------

    def _list(self, what: str, count: int, kind: type[Any], name: str = "name") -> Named[Any]:
        function, struct = getattr(lib, f"ff_model_{what}"), ffi.typeof(f"ff_{what}_info *")

        def get(index: int) -> Any:
            out = ffi.new(struct)
            function(self._c, index, out)
            return read(kind, out, index=index)

        return Named(what, count, get, lambda i: getattr(get(i), name) or "")

    @property
    def joints(self) -> Named[JointInfo]:
        """Moving joints, in the order of q."""
        return self._list("joint", self._size.joints, JointInfo)

    @property
    def links(self) -> Named[LinkInfo]:
        """Links, fixed ones included."""
        return self._list("link", self._size.links, LinkInfo)

    @property
    def frames(self) -> Named[FrameInfo]:
        """Frames; 0 is the world. Every link has one of its name."""
        return self._list("frame", self._size.frames, FrameInfo)

    @property
    def shapes(self) -> Named[ShapeInfo]:
        """Visual and collision shapes."""

        def get(index: int) -> ShapeInfo:
            out = ffi.new("ff_shape_info *")
            lib.ff_model_shape(self._c, index, out)
            return ShapeInfo(index, out.link, out.frame, Shape.from_c(getattr(out, "def")))

        return Named("shape", self._size.shapes, get, lambda i: get(i).shape.name or "")

    @property
    def actuators(self) -> Named[ActuatorInfo]:
        """Declared actuators."""

        def get(index: int) -> ActuatorInfo:
            out = ffi.new("ff_actuator_info *")
            lib.ff_model_actuator(self._c, index, out)
            return read(ActuatorInfo, out, index=index, type=word("ff_actuator_type", out.type))

        return Named("actuator", self._size.actuators, get, lambda i: get(i).name or "")

    @property
    def tendons(self) -> Named[TendonInfo]:
        """Weighted sums of joints' coordinates."""

        def get(index: int) -> TendonInfo:
            out = ffi.new("ff_tendon_info *")
            lib.ff_model_tendon(self._c, index, out)
            return TendonInfo(
                index, text(out.name), tuple(out.joints[0 : out.count]), tuple(out.coefficients[0 : out.count])
            )

        return Named("tendon", self._size.tendons, get, lambda i: get(i).name)

    @property
    def elements(self) -> Named[Element]:
        """The model's own springs, stops, loops and welds."""

        def get(index: int) -> Element:
            return read_element(lib.ff_model_element, self._c, index)

        return Named("element", self._size.elements, get, lambda i: get(i).name or "")

    @property
    def postures(self) -> Mapping[str, Array]:
        """Named configurations."""
        return Postures(self)

    @property
    def pairs(self) -> list[ShapePair]:
        """Pairs of shapes that the description lists to collide."""
        out, found = ffi.new("ff_shape_pair *"), []
        for i in range(self._size.pairs):
            lib.ff_model_pair(self._c, i, out)
            found.append(read(ShapePair, out))
        return found

    @property
    def exclusions(self) -> list[tuple[int, int]]:
        """Pairs of links that do not collide; -1: the world."""
        out, found = ffi.new("int[2]"), []
        for i in range(self._size.exclusions):
            lib.ff_model_exclusion(self._c, i, out)
            found.append((out[0], out[1]))
        return found

    @property
    def parent_rule(self) -> str:
        """Do links collide with the link that carries them: spared, fixed, collides."""
        return word("ff_parent_rule", lib.ff_model_parent_rule(self._c))

    @property
    def robots(self) -> int:
        """Links that the world carries, each with all that it carries."""
        return int(self._size.robots)

    @property
    def roots(self) -> int:
        """Moving trees."""
        return int(self._size.roots)

    @property
    def actuated(self) -> int:
        """Joints that a motor can drive: all moving joints except free ones."""
        return int(self._size.actuated)

    @property
    def warnings(self) -> list[str]:
        """What is suspicious but readable in the description."""
        return [text(lib.ff_model_warning(self._c, i)) for i in range(self._size.warnings)]

    @property
    def mass(self) -> float:
        """Total mass of all moving bodies [kg]."""
        return float(lib.ff_model_mass(self._c))

    @property
    def gravity(self) -> Array:
        """World axes [m/s^2]."""
        out = np.empty(3)
        lib.ff_model_gravity(self._c, pointer(out))
        return out

    @property
    def base(self) -> int:
        """The joint of the robot's floating base; -1: none, or several."""
        return int(lib.ff_model_base(self._c, NULL))

    @property
    def has_ground(self) -> bool:
        """The model has a collision shape that does not move."""
        return bool(lib.ff_model_has_ground(self._c))

    @property
    def common_material(self) -> Material | None:
        """The material that all moving collision shapes share; None if they differ."""
        out = ffi.new("ff_material *")
        return read(Material, out) if lib.ff_model_common_material(self._c, out) else None

    def joint(self, joint: int | str) -> JointInfo:
        """A joint by index or name."""
        return self.joints[self._index("joint", joint)]

    def link(self, link: int | str) -> LinkInfo:
        """A link by index or name."""
        return self.links[self._index("link", link)]

    def frame(self, frame: int | str) -> int:
        """The index of a frame by index or name."""
        return self._index("frame", frame)

    def _index(self, what: str, given: int | str) -> int:
        """The index of a joint, link, frame, element or tendon."""
        count = int(getattr(self._size, f"{what}s"))
        if isinstance(given, str):
            found = int(getattr(lib, f"ff_model_find_{what}")(self._c, encoded(given)))
            if found < 0:
                raise unknown(what, given, getattr(self, f"{what}s").names)
            return found
        if not isinstance(given, (int, np.integer)) or not -count <= given < count:
            raise errors.ArgumentError(f"there is no {what} {given!r}: there are {count}", thing=what)
        return int(given) % count

    def drive(self, joint: int | str) -> str:
        """What drives a joint: none, motor (torques), servo."""
        return word("ff_drive", lib.ff_model_drive(self._c, self._index("joint", joint)))

    def motor(self, joint: int | str, reference: float, kp: float, kd: float) -> Element:
        """A motor that pulls a joint to `reference` [rad, m], for World(elements=...)."""
        return read(Element, lib.ff_model_motor(self._c, self._index("joint", joint), reference, kp, kd))

    def collision(self, a: int | str, b: int | str, *, self_collision: bool = False) -> str:
        """Do two shapes collide: "yes", or the rule by which they do not (collision.h)."""
        i, j = (s if isinstance(s, int) else self.shapes.index(s) for s in (a, b))
        return text(lib.ff_collision_name(lib.ff_model_collision(self._c, i, j, self_collision)))

    def collisions(self, *, self_collision: bool = False) -> dict[str, int]:
        """The number of pairs of collision shapes by rule."""
        counts = ffi.new("long long[]", lib.FF_COLLISION_COUNT)
        lib.ff_model_collisions(self._c, self_collision, counts)
        return {text(lib.ff_collision_name(i)): int(counts[i]) for i in range(lib.FF_COLLISION_COUNT)}

    # ---- Configurations ---------------------------------------------------------------------------------------------

    def neutral(self) -> Array:
        """Every joint at zero, unit quaternions; a free joint at the pose of its description."""
        out = np.empty(self.nq)
        lib.ff_model_neutral(self._c, pointer(out))
        return out

    def posture(self, name: str) -> Array:
        """A copy of a posture's configuration [nq]."""
        return self.postures[name].copy()

    def integrate(self, q: ArrayLike, dv: ArrayLike, *, out: Array | None = None) -> Array:
        """q (+) dv: move with the constant body velocity dv for one unit of time. q [..., nq], dv [..., nv]."""
        start, move, count = self._rows(q, self.nq, dv, self.nv)
        result = writable(out, start.shape)
        lib.ffp_integrate(self._c, count, pointer(start), pointer(move), pointer(result))
        return result

    def difference(self, q0: ArrayLike, q1: ArrayLike, *, out: Array | None = None) -> Array:
        """q1 (-) q0: the velocity [..., nv] that leads from q0 to q1 in one unit of time."""
        start, end, count = self._rows(q0, self.nq, q1, self.nq)
        result = writable(out, (*start.shape[:-1], self.nv))
        lib.ffp_difference(self._c, count, pointer(start), pointer(end), pointer(result))
        return result

    def _rows(self, a: ArrayLike, na: int, b: ArrayLike, nb: int) -> tuple[Array, Array, int]:
        first, second = numbers(a, "q"), numbers(b, "dv" if nb == self.nv else "q1")
        shape = np.broadcast_shapes(first.shape[:-1], second.shape[:-1])
        first = np.ascontiguousarray(np.broadcast_to(first, (*shape, na)) if first.shape[-1:] == (na,) else first)
        second = np.ascontiguousarray(np.broadcast_to(second, (*shape, nb)) if second.shape[-1:] == (nb,) else second)
        array(first, (*shape, na), "q")
        array(second, (*shape, nb), "dv" if nb == self.nv else "q1")
        return first, second, int(np.prod(shape, dtype=np.int64))

    def integrate_jacobians(self, q: ArrayLike, dv: ArrayLike) -> tuple[Array, Array]:
        """d(q (+) dv)/dq and /d(dv) in tangent spaces, [nv, nv] each."""
        start, move = array(q, (self.nq,), "q"), array(dv, (self.nv,), "dv")
        dq, ddv = np.empty((self.nv, self.nv)), np.empty((self.nv, self.nv))
        lib.ff_model_integrate_jacobians(self._c, pointer(start), pointer(move), pointer(dq), pointer(ddv))
        return dq, ddv

    def difference_jacobians(self, q0: ArrayLike, q1: ArrayLike) -> tuple[Array, Array]:
        """d(q1 (-) q0)/dq0 and /dq1 in tangent spaces, [nv, nv] each."""
        start, end = array(q0, (self.nq,), "q0"), array(q1, (self.nq,), "q1")
        dq0, dq1 = np.empty((self.nv, self.nv)), np.empty((self.nv, self.nv))
        lib.ff_model_difference_jacobians(self._c, pointer(start), pointer(end), pointer(dq0), pointer(dq1))
        return dq0, dq1

    def normalize(self, q: ArrayLike) -> Array:
        """q with quaternions of unit length."""
        out = array(q, (self.nq,), "q").copy()
        lib.ff_model_normalize(self._c, pointer(out))
        return out

    def place_followers(self, q: ArrayLike) -> Array:
        """q with joints that follow others where their leaders want them."""
        out = array(q, (self.nq,), "q").copy()
        lib.ff_model_place_followers(self._c, pointer(out))
        return out

    # ---- Other objects ----------------------------------------------------------------------------------------------

    def dynamics(self, **options: Any) -> Dynamics:
        """Rigid-body kinematics and dynamics; options as of Dynamics()."""
        from footfall.dynamics import Dynamics

        return Dynamics(self, **options)

    def cut(self, joints: str | Sequence[str] = "maximal", **options: Any) -> Cut:
        """Cut it at joints into floating parts that constraints connect; options as of Cut()."""
        from footfall.cut import Cut

        return Cut(self, joints, **options)

    def to_text(self, format: str = "urdf", path: StrPath = "model") -> str:
        """As URDF or MJCF. `path` is where it will be stored: meshes are named relative to it."""
        return self._saved(format, path)[0]

    def _saved(self, format: str, path: StrPath) -> tuple[str, list[str], list[tuple[str, bytes]]]:
        saved = ffi.new("ff_saved *")
        call(lib.ff_model_save_text, self._c, value_of("ff_model_format", format, "format"), encoded(path), saved)
        try:
            meshes = [
                (text(saved.meshes[i].path), bytes(ffi.buffer(saved.meshes[i].text, saved.meshes[i].length)))
                for i in range(saved.mesh_count)
            ]
            content = bytes(ffi.buffer(saved.text, saved.length)).decode()
            return content, text(saved.notes).splitlines(), meshes
        finally:
            lib.ff_saved_free(saved)

    def save(self, path: StrPath) -> list[str]:
        """Write it to a file: URDF, or MJCF if it ends in .xml. Returns what the format cannot represent."""
        content, notes, meshes = self._saved("mjcf" if os.fspath(path).endswith(".xml") else "urdf", path)
        try:
            Path(path).write_text(content, encoding="utf-8")
            for place, data in meshes:
                Path(place).write_bytes(data)
        except OSError as error:
            raise errors.FileError(f"{os.fspath(path)}: {error.strerror}", file=os.fspath(path)) from None
        return notes

    def _bytes(self) -> bytes:
        size, out = ffi.new("size_t *"), ffi.new("void **")
        call(lib.ff_model_pack, self._c, out, size)
        try:
            return bytes(ffi.buffer(out[0], size[0]))
        finally:
            lib.free(out[0])

    def __reduce__(self) -> tuple[object, ...]:
        return _unpacked, (self._bytes(), self._source)

    def copy(self) -> Model:
        """The model itself: it never changes."""
        return self

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Model:
        return self

    def __repr__(self) -> str:
        parts = [f"{self._size.joints} joints", f"{self._size.links} links", f"nq {self.nq}, nv {self.nv}",
                 f"{self.mass:.4g} kg"]  # fmt: skip
        if self._size.postures:
            parts.append("postures " + ", ".join(self.postures))
        if self._size.warnings:
            parts.append(f"{self._size.warnings} warnings")
        return f"<footfall.Model '{self.name}': {', '.join(parts)}>"


def _unpacked(data: bytes, source: Any) -> Model:
    model = Model._of(create(lib.ff_model_unpack, "ff_model", data, len(data)))
    model._source = source
    return model


class Postures(Mapping[str, Array]):
    """The named configurations of a model, read-only."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def __len__(self) -> int:
        return int(self._model._size.postures)

    def __iter__(self) -> Iterator[str]:
        return (text(lib.ff_model_posture_name(self._model._c, i)) for i in range(len(self)))

    def __getitem__(self, name: str) -> Array:
        index = lib.ff_model_find_posture(self._model._c, encoded(name))
        if index < 0:
            raise unknown("posture", name, list(self))
        return view(lib.ff_model_posture(self._model._c, index), (self._model.nq,), self._model._c)

    def __repr__(self) -> str:
        return f"<postures: {', '.join(self)}>"


def as_model(given: Model | StrPath) -> Model:
    """A model, or the model of a file."""
    return given if isinstance(given, Model) else Model(given)
