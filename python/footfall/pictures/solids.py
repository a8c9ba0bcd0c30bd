"""Triangles of shapes, for pictures."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from footfall import errors
from footfall._native import Array
from footfall.mesh import Mesh
from footfall.shapes import Shape

AROUND, ALONG = 32, 16  # faces of what is round


def triangles(shape: Shape) -> Array:
    """Triangles of a shape in its own frame [n, 3, 3]; none of points, planes, and meshes that cannot be read."""
    size = shape.size
    if shape.type == "box":
        return _lids(*_prism(_corners(size[0], size[1]), size[2]))
    if shape.type == "cylinder":
        return _lids(*_prism(size[0] * _circle(), size[1]))
    if shape.type == "disk":
        return _fan(_lifted(size[0] * _circle(), 0.0))
    if shape.type in ("sphere", "capsule", "ellipsoid"):
        return _round(shape)
    if shape.type == "hull":
        points = np.asarray(shape.vertices, float)
        return points[hull(points)]
    if shape.type == "heightfield":
        return _terrain(np.asarray(shape.heights, float), size)
    if shape.type == "mesh" and shape.mesh_file:
        try:
            mesh = Mesh.load(shape.mesh_file)
        except errors.Error:
            return np.zeros((0, 3, 3))
        return np.asarray(mesh.points[mesh.triangles] * np.asarray(shape.scale), float)
    return np.zeros((0, 3, 3))


def _circle() -> Array:
    turn = 2 * np.pi * np.arange(AROUND) / AROUND
    return np.stack([np.cos(turn), np.sin(turn)], -1)


def _corners(x: float, y: float) -> Array:
    return 0.5 * np.array([[x, y], [-x, y], [-x, -y], [x, -y]])


def _lifted(ring: Array, z: float) -> Array:
    return np.column_stack([ring, np.full(len(ring), z)])


def _prism(ring: Array, height: float) -> tuple[Array, Array]:
    return _lifted(ring, -0.5 * height), _lifted(ring, 0.5 * height)


def _fan(ring: Array) -> Array:
    first = np.broadcast_to(ring[0], (len(ring) - 2, 3))
    return np.stack([first, ring[1:-1], ring[2:]], 1)


def _belt(low: Array, high: Array) -> Array:
    """Between two rings."""
    a, b, c, d = low, np.roll(low, -1, 0), np.roll(high, -1, 0), high
    return np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def _lids(low: Array, high: Array) -> Array:
    return np.concatenate([_belt(low, high), _fan(low), _fan(high)])


def _round(shape: Shape) -> Array:
    """Rings from pole to pole; those of a capsule are apart by its cylinder."""
    rise = np.linspace(-np.pi / 2, np.pi / 2, ALONG + 1)
    rings = [_lifted(np.cos(r) * _circle(), np.sin(r)) for r in rise]
    if shape.type == "ellipsoid":
        rings = [ring * np.asarray(shape.size) for ring in rings]
    else:
        half = 0.5 * shape.size[1] if shape.type == "capsule" else 0.0
        middle = ALONG // 2
        rings = [*rings[: middle + 1], *rings[middle:]]  # the equator twice
        sides = [-half] * (middle + 1) + [half] * (middle + 1)
        rings = [shape.size[0] * ring + [0, 0, side] for ring, side in zip(rings, sides, strict=True)]
    return np.concatenate([_belt(a, b) for a, b in zip(rings, rings[1:], strict=False)])


def _terrain(heights: Array, size: tuple[float, ...]) -> Array:
    rows, columns = heights.shape
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, columns) * size[0], np.linspace(-0.5, 0.5, rows) * size[1])
    p = np.stack([x, y, heights], -1)
    a, b, c, d = p[:-1, :-1], p[:-1, 1:], p[1:, 1:], p[1:, :-1]
    return np.concatenate([np.stack(t, -2).reshape(-1, 3, 3) for t in ((a, b, c), (a, c, d))])


def hull(points: Array) -> npt.NDArray[np.int64]:
    """Triangles [n, 3] of the convex hull of points [m, 3], seen from outside against the clock.

    One point after the other: the faces that it sees go, and their rim is joined to it.
    """
    size = float(np.ptp(points, axis=0).max())
    start = _tetrahedron(points, size)
    if start is None:
        return np.zeros((0, 3), np.int64)
    inside = points[start].mean(0)
    faces = np.array([[start[i] for i in range(4) if i != k] for k in range(4)])
    faces = np.array([_outwards(points, face, inside) for face in faces])
    for at in range(len(points)):
        a, b, c = points[faces].transpose(1, 0, 2)
        normal = np.cross(b - a, c - a)
        length = np.maximum(np.linalg.norm(normal, axis=1), 1e-300)
        is_seen = ((points[at] - a) * normal).sum(1) > 1e-9 * size * length
        if not is_seen.any():
            continue
        edges = {(int(f[i]), int(f[(i + 1) % 3])) for f in faces[is_seen] for i in range(3)}
        rim = [(p, q) for p, q in edges if (q, p) not in edges]
        faces = np.concatenate([faces[~is_seen], np.array([[p, q, at] for p, q in sorted(rim)])])
    return faces.astype(np.int64)


def _tetrahedron(points: Array, size: float) -> list[int] | None:
    """Four points that are not in one plane, None: there are none."""
    a = int(points[:, 0].argmin())
    b = int(np.linalg.norm(points - points[a], axis=1).argmax())
    along = points[b] - points[a]
    area = np.linalg.norm(np.cross(points - points[a], along), axis=1)
    c = int(area.argmax())
    volume = np.abs((points - points[a]) @ np.cross(along, points[c] - points[a]))
    d = int(volume.argmax())
    return [a, b, c, d] if volume[d] > 1e-9 * size**3 else None


def _outwards(points: Array, face: Array, inside: Array) -> Array:
    a, b, c = points[face]
    return face if np.cross(b - a, c - a) @ (a - inside) > 0 else face[::-1]
