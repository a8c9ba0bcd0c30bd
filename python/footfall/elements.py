"""Compliant elements: motors, stops, springs, welds; element.h."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from math import inf
from typing import Any

from footfall._native import ffi, lib
from footfall._structs import fill, read

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Point:
    """A point fixed to a frame of a model; frame 0 is the world."""

    frame: int = 0
    offset: Vector = (0.0, 0.0, 0.0)  #: in the frame [m]


@dataclass(frozen=True, repr=False)
class Element:
    """force = clip(-stiffness (position - reference) - damping (velocity - reference velocity)).

    Fields that its type does not name are ignored; Model.motor() makes the motor of a joint.

    joint_pd        a joint's motor: saturates at `effort`
    joint_limit     a joint's stop: pushes back below `lower` and above `upper`
    joint_friction  dry friction: holds with at most `effort`
    coupling        a joint follows another: position = polynomial of the leader's
    point, weld     a point of one frame on a point of another; also the orientations
    hinge, slider, planar   rigid, for hard steppers
    """

    type: str = "joint_pd"
    name: str | None = None
    joint: int = -1  #: a joint with one coordinate; coupling: the follower
    stiffness: float = 0.0  #: [N/m] or [N m/rad], >= 0
    damping: float = 0.0  #: [N s/m] or [N m s/rad], >= 0
    angular_stiffness: float = 0.0  #: weld [N m/rad]
    angular_damping: float = 0.0  #: weld [N m s/rad]
    reference: float = 0.0  #: target position [rad] or [m]
    reference_velocity: float = 0.0  #: [rad/s] or [m/s]
    effort: float = inf  #: largest force [N m] or [N], > 0
    lower: float = -inf  #: limit [rad] or [m]
    upper: float = inf  #: limit [rad] or [m]
    a: Point = field(default_factory=Point)  #: one end
    b: Point = field(default_factory=Point)  #: the other end
    axis: Vector = (0.0, 0.0, 0.0)  #: hinge, slider, planar
    delay: float = 0.0  #: PD: of its references [s], 0..10
    is_rigid: bool = False  #: point, weld: exact, hard steppers only
    tendon: int = -1  #: in place of `joint`
    component: int = 0  #: friction of a joint with several velocities: which
    leader: int = -1  #: coupling
    leader_tendon: int = -1  #: coupling
    #: coupling: of the leader's position
    polynomial: tuple[float, float, float, float, float] = (0.0, 1.0, 0.0, 0.0, 0.0)

    def replace(self, **changes: Any) -> Element:
        """An element with other values."""
        return dataclasses.replace(self, **changes)

    def __repr__(self) -> str:
        standard = Element()
        told = [f.name for f in dataclasses.fields(self) if getattr(self, f.name) != getattr(standard, f.name)]
        return f"Element({', '.join(f'{name}={getattr(self, name)!r}' for name in dict.fromkeys(['type', *told]))})"


def element_array(elements: list[Element], keep: list[Any]) -> Any:
    """An array of ff_element_def; NULL if it is empty."""
    if not elements:
        return ffi.NULL
    made = ffi.new("ff_element_def[]", [lib.ff_element_def_default() for _ in elements])
    keep.append(made)
    for i, element in enumerate(elements):
        fill(ffi.addressof(made, i), element, f"elements[{i}]", keep)
    return made


def read_element(function: Any, *args: Any) -> Element:
    """An element from a C function that fills an ff_element_def and fails for an index that is not there."""
    out = ffi.new("ff_element_def *")
    if function(*args, out) != 0:
        raise IndexError(f"there is no element {args[-1]}")
    return read(Element, out)
