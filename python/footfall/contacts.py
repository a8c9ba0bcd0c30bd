"""Contacts of a sim as arrays; ff_contact in sim.h."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall._native import Array, IntArray, ffi, lib
from footfall._structs import word


def _dtype() -> np.dtype[Any]:
    """The layout of ff_contact, as the compiler has it."""
    kinds = {"double": np.float64, "int": np.int32, "enum ff_contact_mode": np.int32, "ff_contact_mode": np.int32}
    names, formats, offsets = [], [], []
    for name, member in ffi.typeof("ff_contact").fields:
        shape: tuple[int, ...] = ()
        kind = member.type
        while kind.kind == "array":
            shape, kind = (*shape, kind.length), kind.item
        names.append(name)
        formats.append((kinds[kind.cname], shape))
        offsets.append(member.offset)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": ffi.sizeof("ff_contact")})


DTYPE = _dtype()


class Contacts:
    """Contact points at one moment: a copy, with an array for each field; world axes, forces on `a`.

    `len(contacts)`, `contacts[i]` and `contacts[mask]` are contacts again; `contacts.array` is the structured array.
    """

    __slots__ = ("array",)

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self.array = array

    @classmethod
    def from_c(cls, pointer: Any, count: int) -> Contacts:
        if count <= 0:
            return cls(np.zeros(0, DTYPE))
        return cls(np.frombuffer(ffi.buffer(pointer, count * DTYPE.itemsize), DTYPE).copy())

    @property
    def id(self) -> IntArray:
        """The same from step to step for the same pair of features [n]."""
        return self.array["id"]

    @property
    def shape_a(self) -> IntArray:
        """Shape of the model [n]."""
        return self.array["shape_a"]

    @property
    def shape_b(self) -> IntArray:
        """Shape of the model, -1: ground [n]."""
        return self.array["shape_b"]

    @property
    def ground(self) -> IntArray:
        """Index of the ground, -1: shape_b [n]."""
        return self.array["ground"]

    @property
    def link_a(self) -> IntArray:
        """Link that carries shape_a [n]."""
        return self.array["link_a"]

    @property
    def link_b(self) -> IntArray:
        """Link that carries shape_b, -1: the world [n]."""
        return self.array["link_b"]

    @property
    def point(self) -> Array:
        """[n, 3] [m]."""
        return self.array["point"]

    @property
    def normal(self) -> Array:
        """Unit vectors from b to a [n, 3]."""
        return self.array["normal"]

    @property
    def anchor(self) -> Array:
        """Other end of the tangential spring [n, 3] [m]."""
        return self.array["anchor"]

    @property
    def force(self) -> Array:
        """At the present state; of hard contacts, the mean over the last step [n, 3] [N]."""
        return self.array["force"]

    @property
    def mean_force(self) -> Array:
        """Over the last step [n, 3] [N]."""
        return self.array["mean_force"]

    @property
    def penetration(self) -> Array:
        """> 0 when shapes overlap [n] [m]."""
        return self.array["penetration"]

    @property
    def slip(self) -> Array:
        """Sliding velocity of a over b along the tangents [n, 2] [m/s]."""
        return self.array["slip"]

    @property
    def tangent(self) -> Array:
        """Two tangents [n, 2, 3]."""
        return self.array["tangent"]

    @property
    def mode(self) -> IntArray:
        """0: released, 1: stick, 2: slip [n]."""
        return self.array["mode"]

    @property
    def modes(self) -> list[str]:
        """The modes as words."""
        return [word("ff_contact_mode", int(m)) for m in self.mode]

    @property
    def slipping(self) -> npt.NDArray[np.bool_]:
        """Which contacts slide [n]."""
        return np.equal(self.mode, int(lib.FF_CONTACT_SLIP))

    def of_link(self, link: int) -> Contacts:
        """Those of a link, as a or b."""
        return self[(self.link_a == link) | (self.link_b == link)]

    def force_on(self, link: int) -> Array:
        """Sum of the forces on a link [3] [N]."""
        pushed = self.force[self.link_a == link].sum(0) - self.force[self.link_b == link].sum(0)
        return np.asarray(pushed, np.float64)

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, key: Any) -> Contacts:
        return Contacts(np.atleast_1d(self.array[key]))

    def __iter__(self) -> Iterator[Contacts]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Contacts) and bool(np.array_equal(self.array, other.array))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return Contacts, (self.array,)

    def __repr__(self) -> str:
        total = np.linalg.norm(self.force, axis=-1)
        parts = [f"{len(self)} contacts"]
        if len(self):
            parts.append(f"{int(self.slipping.sum())} slip, largest force {total.max():.4g} N")
        return f"<{', '.join(parts)}>"
