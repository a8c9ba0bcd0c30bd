"""Describe a robot in Python, without any file; builder.h.

b = ff.Builder("pendulum")
rod = b.add_link("rod", joint="hinge", type="revolute", axis=(0, 1, 0), inertia=ff.Inertia(1, (0, 0, -0.5)))
b.add_shape(rod, ff.Shape("sphere", (0.1,)))
model = b.finish()
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

import numpy as np

from footfall._native import (
    NULL,
    ArrayLike,
    Native,
    Turn,
    array,
    call,
    create,
    encoded,
    ffi,
    lib,
    numbers,
    owned,
    pointer,
)  # fmt: skip
from footfall._structs import fill, value_of
from footfall.elements import Element
from footfall.model import Model
from footfall.pose import Pose
from footfall.shapes import Inertia, Shape

#: The parent of a root, and the link of shapes and frames that do not move.
WORLD = int(lib.FF_WORLD)


class Builder(Native):
    """Collects links, each with the joint to its parent. A failed call leaves it unchanged.

    Links are meant by the ids that add_link() returns, WORLD (-1) is the world.
    """

    def __init__(self, name: str) -> None:
        self._turn = Turn()
        self._c = owned(create(lib.ff_builder_create, "ff_builder", encoded(name)), lib.ff_builder_destroy)

    def add_link(
        self,
        name: str,
        parent: int = WORLD,
        *,
        joint: str | None = None,
        type: str = "fixed",
        pose: Pose | None = None,
        axis: Sequence[float] = (0, 0, 0),
        inertia: Inertia | None = None,
        limits: tuple[float, float] | None = None,
        effort: float = inf,
        velocity: float = inf,
        damping: float = 0.0,
        friction: float = 0.0,
        armature: float = 0.0,
        stiffness: float = 0.0,
        spring_reference: float = 0.0,
        gravity_compensation: float = 0.0,
    ) -> int:
        """Add a link and the joint to its parent; returns its id.

        joint: its name, None: the link's; type: free, planar, spherical, revolute, continuous, prismatic, fixed
        pose: of the joint in the parent link's frame; axis: direction, or normal of a planar joint
        """
        keep: list[Any] = []
        definition = ffi.new("ff_link_def *", lib.ff_link_def_default())
        lower, upper = limits or (0.0, 0.0)
        joint_def = {
            "name": joint, "type": type, "pose": pose or Pose(), "axis": axis, "has_limits": limits is not None,
            "lower": lower, "upper": upper, "effort": effort, "velocity": velocity, "damping": damping,
            "friction": friction, "armature": armature, "stiffness": stiffness, "spring_reference": spring_reference,
        }  # fmt: skip
        fill(definition, {"name": name, "parent": parent, "joint": joint_def, "inertia": inertia or Inertia(),
                          "gravity_compensation": gravity_compensation}, "", keep)  # fmt: skip
        out = ffi.new("int *")
        with self._turn:
            call(lib.ff_builder_add_link, self._c, definition, out)
        return int(out[0])

    def add_frame(self, link: int, name: str, pose: Pose | None = None) -> None:
        """Add a named frame fixed in a link."""
        with self._turn:
            call(lib.ff_builder_add_frame, self._c, int(link), encoded(name), (pose or Pose())._struct())

    def add_shape(self, link: int, shape: Shape) -> None:
        """Add a shape to a link, or to the world, such as the ground."""
        keep: list[Any] = []
        with self._turn:
            call(lib.ff_builder_add_shape, self._c, int(link), shape.struct(keep))

    def add_actuator(
        self,
        link: int = WORLD,
        type: str = "motor",
        *,
        name: str | None = None,
        gear: float = 1.0,
        kp: float = 0.0,
        kv: float = 0.0,
        control_range: tuple[float, float] = (-inf, inf),
        force_range: tuple[float, float] = (-inf, inf),
        tendon: int = -1,
        frame: str | None = None,
        wrench: Sequence[float] = (0, 0, 0, 0, 0, 0),
    ) -> None:
        """Add a motor, position or velocity servo to the joint of a link, a tendon or a frame."""
        keep: list[Any] = []
        definition = ffi.new("ff_actuator_def *", lib.ff_actuator_def_default())
        fill(definition, {"name": name, "type": type, "link": link, "gear": gear, "kp": kp, "kv": kv,
                          "control_range": control_range, "force_range": force_range, "tendon": tendon,
                          "frame": frame, "wrench": wrench}, "", keep)  # fmt: skip
        with self._turn:
            call(lib.ff_builder_add_actuator, self._c, definition)

    def add_tendon(self, name: str, coefficients: Mapping[int, float]) -> int:
        """Add a tendon: position = sum of coefficients[link] times the coordinate of the link's joint."""
        links = np.array(list(coefficients), np.int32)
        weights = numbers(list(coefficients.values()), "coefficients")
        out = ffi.new("int *")
        with self._turn:
            call(lib.ff_builder_add_tendon, self._c, encoded(name), len(links), pointer(links, "int"),
                 pointer(weights), out)  # fmt: skip
        return int(out[0])

    def add_element(self, element: Element, on: str | None, to: str | None = None) -> None:
        """Add a spring, stop, loop or weld that every world of the model has; `on` and `to` are names (builder.h)."""
        keep: list[Any] = []
        definition = ffi.new("ff_element_def *", lib.ff_element_def_default())
        fill(definition, element, "element", keep)
        names = [NULL if x is None else encoded(x) for x in (on, to)]
        with self._turn:
            call(lib.ff_builder_add_element, self._c, definition, *names)

    def exclude(self, a: int, b: int) -> None:
        """The shapes of two links never collide."""
        with self._turn:
            call(lib.ff_builder_exclude, self._c, int(a), int(b))

    def add_pair(self, a: int, b: int, *, friction: float = -1, stiffness: float = -1, damping: float = -1) -> None:
        """Two shapes collide, whatever other rules say; shapes count in the order of add_shape()."""
        pair = ffi.new("ff_shape_pair *", {"a": a, "b": b, "friction": friction, "stiffness": stiffness,
                                           "damping": damping})  # fmt: skip
        with self._turn:
            call(lib.ff_builder_add_pair, self._c, pair)

    def set_parent_rule(self, rule: str) -> None:
        """Which parents collide: spared, fixed, collides."""
        with self._turn:
            call(lib.ff_builder_set_parent_rule, self._c, value_of("ff_parent_rule", rule, "rule"))

    def set_posture(self, posture: str, link: int, q: ArrayLike) -> None:
        """Set the coordinates of one link's joint in a named posture."""
        given = np.atleast_1d(numbers(q, "q"))
        with self._turn:
            call(lib.ff_builder_set_posture, self._c, encoded(posture), int(link), pointer(given), len(given))

    def set_gravity(self, gravity: ArrayLike) -> None:
        """World axes [m/s^2]."""
        with self._turn:
            call(lib.ff_builder_set_gravity, self._c, pointer(array(gravity, (3,), "gravity")))

    def add_warning(self, warning: str) -> None:
        """Add a warning for the user, see Model.warnings."""
        with self._turn:
            call(lib.ff_builder_add_warning, self._c, encoded(warning))

    def set_source(self, file: str | None, line: int = 0) -> None:
        """Set the source of what is added next, for messages."""
        with self._turn:
            lib.ff_builder_set_source(self._c, NULL if file is None else encoded(file), int(line))

    def fill_massless(self) -> int:
        """Give links that move no mass the least inertia; returns how many."""
        out = ffi.new("int *")
        with self._turn:
            call(lib.ff_builder_fill_massless, self._c, out)
        return int(out[0])

    def finish(self) -> Model:
        """Check and compile it. The builder can be extended further."""
        with self._turn:
            return Model._of(create(lib.ff_builder_finish, "ff_model", self._c))

    def __repr__(self) -> str:
        return "<footfall.Builder, closed>" if self.closed else "<footfall.Builder>"
