"""Points and triangles of a mesh file: STL, OBJ, COLLADA; mesh.h."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from footfall._native import NULL, Array, IntArray, StrPath, create, encoded, ffi, lib


@dataclass(frozen=True, eq=False)
class Mesh:
    """Points and triangles of a mesh file."""

    points: Array  #: [n, 3] [m]
    triangles: IntArray  #: [m, 3] points of each, from 0

    @classmethod
    def load(cls, path: StrPath) -> Mesh:
        """Read a file; the format follows from its ending."""
        return cls._load(path, NULL)

    @classmethod
    def _load(cls, path: StrPath, files: Any) -> Mesh:
        """A file of an ff_files, NULL: of the disk."""
        made = create(lib.ff_mesh_load, "ff_mesh", encoded(path), files)
        try:
            points = np.frombuffer(ffi.buffer(made.points, 24 * made.point_count)).reshape(-1, 3).copy()
            if made.triangle_count == 0:
                return cls(points, np.zeros((0, 3), np.int32))
            corners = np.frombuffer(ffi.buffer(made.corners, 12 * made.triangle_count), np.int32)
            return cls(points, corners.reshape(-1, 3).copy())
        finally:
            lib.ff_mesh_destroy(made)

    def __repr__(self) -> str:
        return f"<footfall.Mesh: {len(self.points)} points, {len(self.triangles)} triangles>"
