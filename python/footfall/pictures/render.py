"""Pictures without a window: a small renderer of the shapes of a robot, in C; glue/draw.c."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall import errors
from footfall._native import Array, ArrayLike, array, call, ffi, lib, pointer
from footfall.model import Model
from footfall.pictures.solids import triangles
from footfall.pose import Pose
from footfall.record import Recording
from footfall.world import World

Image = npt.NDArray[np.uint8]

OPENING = np.radians(38.0)  # of the camera, upwards
LIGHT = np.array([0.35, -0.45, 0.82]) / np.linalg.norm([0.35, -0.45, 0.82])
AMBIENT = 0.42
MOST_PIXELS = 64_000_000  # samples of a picture


class Renderer:
    """Draws a robot and its ground as an image, without a window or a graphics card.

    of: a World, or a Model on the plane z = 0
    width, height: of the images in pixels; samples: along each side of a pixel
    azimuth: where the camera stands, from the x axis towards y; elevation: above the horizon [rad]
    distance: from the robot [m]; None: so that it fills the picture
    follow: the camera moves along with the floating base, if there is one
    q: the configuration that says how big the robot is; None: its first posture, or neutral

    The same configuration gives the same bits.
    """

    def __init__(
        self,
        of: World | Model,
        *,
        width: int = 480,
        height: int = 360,
        samples: int = 2,
        azimuth: float = -0.9,
        elevation: float = 0.3,
        distance: float | None = None,
        follow: bool = True,
        q: ArrayLike | None = None,
    ) -> None:
        world = of if isinstance(of, World) else World(of)
        self.model = world.model
        self.width, self.height, self.samples = int(width), int(height), int(samples)
        if min(width, height, samples) < 1 or width * height * samples * samples > MOST_PIXELS:
            raise errors.ArgumentError(f"a picture of {width} x {height} pixels cannot be drawn", thing="width")
        self.azimuth, self.elevation, self.follow = float(azimuth), float(elevation), follow
        self._recording = Recording(world)
        self._collect(world)
        start = self._start() if q is None else array(q, (self.model.nq,), "q")
        low, high = self._box(start)
        self._centre, size = 0.5 * (low + high), float(np.linalg.norm(high - low))
        self._size = size if size > 0 else 1.0
        self.distance = float(distance) if distance is not None else 0.62 * self._size / np.tan(0.5 * OPENING)
        if not self.distance > 0 or not np.isfinite([self.distance, azimuth, elevation]).all():
            raise errors.ArgumentError("the camera is nowhere: distance > 0 and finite angles are expected")
        base = self.model.base
        self._base = self.model.joints[base].q if follow and base >= 0 else -1
        self._from = start[self._base : self._base + 3].copy() if self._base >= 0 else np.zeros(3)

    def _start(self) -> Array:
        postures = list(self.model.postures)
        return np.array(self.model.postures[postures[0]]) if postures else self.model.neutral()

    def _collect(self, world: World) -> None:
        """Triangles of all that is drawn, and planes."""
        corners, carriers, colours, planes = [], [], [], []
        shapes = self.model.shapes
        found = [(shapes[i].shape, link, shapes[i].link) for i, link in self._recording.shapes]
        visual = {link for shape, _, link in found if shape.visual}
        poses = self._recording.shape_poses
        placed = [(s, pose, drawn) for (s, drawn, link), pose in zip(found, poses, strict=True)
                  if s.visual or link not in visual]  # fmt: skip
        for shape, pose, carrier in placed + [(g.shape, g.shape.pose, -1) for g in self._recording.ground]:
            if shape.type == "plane":
                normal = pose.R[:, 2]
                planes.append([*normal, normal @ pose.position])
                continue
            faces = triangles(shape)
            if shape.rgba[3] > 0 and len(faces):
                corners.append(faces @ pose.R.T + np.asarray(pose.position))
                carriers.append(np.full(len(faces), carrier, np.int32))
                colours.append(np.tile(shape.rgba[:3], (len(faces), 1)).astype(float))
        self._corners = np.ascontiguousarray(np.concatenate(corners) if corners else np.zeros((0, 3, 3)))
        self._carriers = np.concatenate(carriers) if carriers else np.zeros(0, np.int32)
        self._colours = np.ascontiguousarray(np.concatenate(colours) if colours else np.zeros((0, 3)))
        self._planes = np.array(planes, float).reshape(-1, 4)

    def _box(self, q: Array) -> tuple[Array, Array]:
        """Of the robot, without what does not move."""
        poses = self._recording.poses_of(q).astype(float)
        points = [np.zeros((0, 3))]
        for i, row in enumerate(poses):
            chosen = self._corners[self._carriers == i].reshape(-1, 3)
            points.append(chosen @ Pose(row[:3], row[3:]).R.T + row[:3])
        whole = np.concatenate(points)
        return (whole.min(0), whole.max(0)) if len(whole) else (np.full(3, -0.5), np.full(3, 0.5))

    def draw(self, q: ArrayLike) -> Image:
        """The image [height, width, 3] of a configuration q [nq]."""
        given = array(q, (self.model.nq,), "q")
        if not np.isfinite(given).all():
            raise errors.ArgumentError("q: there are numbers that are not finite", thing="q")
        poses = np.ascontiguousarray(self._recording.poses_of(given))
        camera, faces = self._camera(self.camera(given)), ffi.new("ffp_triangles *")
        faces.count, faces.corners = len(self._corners), pointer(self._corners)
        faces.carriers, faces.colours = pointer(self._carriers, "int"), pointer(self._colours)
        out: Image = np.empty((self.height, self.width, 3), np.uint8)
        call(lib.ffp_draw, camera, faces, pointer(poses, "float"), pointer(out, "unsigned char"))
        return out

    def camera(self, q: ArrayLike) -> tuple[Array, Array, float]:
        """Where a picture of q is taken from: eye [3], axes [3, 3] (rows: right, up, back), and the focal length.

        A point x is seen at column (1 + f a / (w c)) W / 2 and row (1 - f b / c) H / 2, where (a, b, -c) is
        axes (x - eye) and w = W / H.
        """
        given, target = array(q, (self.model.nq,), "q"), self._centre.copy()
        if self._base >= 0:  # it does not bob with the robot
            target[:2] += (given[self._base : self._base + 3] - self._from)[:2]
        flat = np.array([np.cos(self.azimuth), np.sin(self.azimuth), 0.0])
        back = np.cos(self.elevation) * flat + np.sin(self.elevation) * np.array([0.0, 0.0, 1.0])
        right = np.array([-flat[1], flat[0], 0.0])
        axes = np.stack([right, np.cross(back, right), back])
        return target + self.distance * back, axes, float(1 / np.tan(0.5 * OPENING))

    def _camera(self, seen: tuple[Array, Array, float]) -> Any:
        made, (eye, axes, focal) = ffi.new("ffp_camera *"), seen
        made.width, made.height, made.samples = self.width, self.height, self.samples
        made.eye, (made.right, made.up, made.back) = list(eye), [list(row) for row in axes]
        made.focal, made.near_plane, made.ambient = focal, 1e-3 * self.distance, AMBIENT
        made.tile = 2.0 ** np.round(np.log2(0.5 * self._size))
        made.planes, made.plane_count, made.light = pointer(self._planes), len(self._planes), pointer(LIGHT)
        return made

    def __repr__(self) -> str:
        return (
            f"<footfall.Renderer of '{self.model.name}': {self.width} x {self.height}, {len(self._corners)} triangles>"
        )
