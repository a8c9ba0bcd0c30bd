"""What a model consists of: joints, links, frames, shapes, actuators, tendons; model.h."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, overload

from footfall._native import position, unknown
from footfall.pose import Pose
from footfall.shapes import Inertia, Shape

T = TypeVar("T")


class Named(Sequence[T], Generic[T]):
    """A list whose items are found by index and by name: `model.joints["FL_KFE"]`."""

    def __init__(self, what: str, count: int, get: Callable[[int], T], name: Callable[[int], str]) -> None:
        self._what, self._count, self._get, self._name = what, count, get, name

    def __len__(self) -> int:
        return self._count

    @property
    def names(self) -> list[str]:
        """All names, in order; "" where there is none."""
        return [self._name(i) for i in range(self._count)]

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """The index of a name."""
        names = self.names
        if value not in names:
            raise unknown(self._what, value, names)
        return names.index(str(value))

    @overload
    def __getitem__(self, key: int | str) -> T: ...
    @overload
    def __getitem__(self, key: slice) -> list[T]: ...
    def __getitem__(self, key: int | str | slice) -> T | list[T]:
        if isinstance(key, slice):
            return [self._get(i) for i in range(*key.indices(self._count))]
        return self._get(self.index(key) if isinstance(key, str) else _at(key, self._count, self._what))

    def __contains__(self, key: object) -> bool:
        return key in self.names

    def __iter__(self) -> Iterator[T]:
        return (self._get(i) for i in range(self._count))

    def __repr__(self) -> str:
        return f"<{self._count} {self._what}s: {', '.join(name or '-' for name in self.names)}>"


def _at(index: int, count: int, what: str) -> int:
    if not -count <= index < count:
        raise IndexError(f"there is no {what} {index}: there are {count}")
    return position(index, count, what)


@dataclass(frozen=True)
class JointInfo:
    """A moving joint, in the order of q."""

    index: int  #: of the joint
    name: str
    type: str  #: free, planar, spherical, revolute, continuous, prismatic
    parent: int  #: parent joint, -1: the world
    link: int  #: link that it moves
    q: int  #: index of its first coordinate in q
    nq: int  #: number of coordinates
    v: int  #: index of its first velocity in v
    nv: int  #: number of velocities
    axis: tuple[float, float, float]  #: unit vector in the joint's frame; zero for free and spherical joints
    has_limits: bool
    lower: float  #: [rad] or [m]
    upper: float  #: [rad] or [m]
    effort: float  #: largest force [N m] or [N]
    velocity: float  #: largest speed [rad/s] or [m/s]; not enforced
    damping: float  #: [N m s/rad] or [N s/m]
    friction: float  #: dry friction [N m] or [N]
    armature: float  #: reflected rotor inertia [kg m^2] or [kg]
    stiffness: float  #: of its spring [N m/rad] or [N/m]
    spring_reference: float  #: rest position of the spring [rad] or [m]


@dataclass(frozen=True)
class LinkInfo:
    """A link as described, before fixed links are merged into bodies."""

    index: int  #: of the link
    name: str
    parent: int  #: parent link, -1: the world
    joint: int  #: moving joint whose body it belongs to, -1: the world
    frame: int  #: its frame
    joint_type: str  #: of the joint to its parent link, which may be fixed
    joint_name: str
    pose: Pose  #: in the parent link's frame at q = 0
    inertia: Inertia  #: of this link alone, in its own frame
    gravity_compensation: float  #: share of its weight that is carried
    robot: int  #: robot that it belongs to


@dataclass(frozen=True)
class FrameInfo:
    """A frame, which moves with a body."""

    index: int
    name: str
    joint: int  #: moving joint whose body it is fixed to, -1: the world
    link: int  #: link it was attached to, -1: the world


@dataclass(frozen=True)
class ShapeInfo:
    """A shape and the link that carries it."""

    index: int
    link: int  #: -1: the world
    frame: int  #: of that link
    shape: Shape  #: with its pose in the link's frame


@dataclass(frozen=True)
class ActuatorInfo:
    """An actuator as declared."""

    index: int
    name: str | None
    type: str  #: motor, position, velocity
    joint: int  #: moving joint that it drives, -1: a tendon or a frame
    gear: float
    kp: float
    kv: float
    control_range: tuple[float, float]
    force_range: tuple[float, float]
    tendon: int  #: -1: a joint or a frame
    frame: int  #: frame that it pushes, -1: none
    wrench: tuple[float, ...]  #: on that frame, per unit of control


@dataclass(frozen=True)
class TendonInfo:
    """position = sum of coefficients[k] times the coordinate of joints[k]."""

    index: int
    name: str
    joints: tuple[int, ...]
    coefficients: tuple[float, ...]


@dataclass(frozen=True)
class ShapePair:
    """Two shapes that the description lists to collide; -1: combined from the two shapes."""

    a: int
    b: int
    friction: float = -1.0
    stiffness: float = -1.0
    damping: float = -1.0


@dataclass(frozen=True)
class ControlInfo:
    """One number of the control vector u; controls.h."""

    index: int
    name: str  #: of the joint or tendon, or of a motor on a frame
    kind: str  #: torque, reference (target position) or rate (target velocity)
    joint: int  #: -1: none
    v: int  #: index of its velocity in v, -1: none
    element: int  #: its motor, -1: none
    lower: float  #: not enforced
    upper: float  #: not enforced
    tendon: int  #: -1: none
    actuator: int  #: a motor on a frame, -1: none
