"""Poses: position and orientation of a frame in another, as in pose.h."""

from __future__ import annotations

from typing import Any

import numpy as np

from footfall._native import Array, ArrayLike, array, ffi, lib, pointer


class Pose:
    """Position [m] and orientation of a frame B in a frame A: x in A = R x in B + position.

    Quaternions are (x, y, z, w), as in q of a free joint. `a @ b` is the pose of C in A from B in A and C in B;
    `pose @ points` moves points [..., 3].
    """

    __slots__ = ("position", "quaternion")
    position: Array
    quaternion: Array

    def __init__(self, position: ArrayLike = (0, 0, 0), quaternion: ArrayLike = (0, 0, 0, 1)) -> None:
        self.position = array(position, (3,), "position").copy()
        self.quaternion = array(quaternion, (4,), "quaternion").copy()
        self.position.flags.writeable = self.quaternion.flags.writeable = False

    @classmethod
    def from_c(cls, struct: Any) -> Pose:
        return cls(list(struct.position), list(struct.quaternion))

    def to_c(self, struct: Any) -> None:
        struct.position = self.position.tolist()
        struct.quaternion = self.quaternion.tolist()

    def _struct(self) -> Any:
        made = ffi.new("ff_pose *")
        self.to_c(made)
        return made

    @classmethod
    def from_rpy(cls, position: ArrayLike = (0, 0, 0), rpy: ArrayLike = (0, 0, 0)) -> Pose:
        """From roll, pitch, yaw [rad]: R = Rz(yaw) Ry(pitch) Rx(roll), as in URDF."""
        at, angles = array(position, (3,), "position"), array(rpy, (3,), "rpy")
        return cls.from_c(lib.ff_pose_from_rpy(pointer(at), pointer(angles)))

    @classmethod
    def from_rotation(cls, position: ArrayLike, R: ArrayLike) -> Pose:
        """From a rotation matrix R [3, 3]."""
        at, rotation = array(position, (3,), "position"), array(R, (3, 3), "R")
        return cls.from_c(lib.ff_pose_from_rotation(pointer(at), pointer(rotation)))

    @property
    def R(self) -> Array:
        """The rotation matrix [3, 3]."""
        out = np.empty((3, 3))
        lib.ff_pose_rotation(self._struct(), pointer(out))
        return out

    @property
    def matrix(self) -> Array:
        """The homogeneous matrix [4, 4]."""
        out = np.eye(4)
        out[:3, :3], out[:3, 3] = self.R, self.position
        return out

    def inverse(self) -> Pose:
        """The pose of A in B."""
        return Pose.from_c(lib.ff_pose_inverse(self._struct()))

    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, Pose):
            return Pose.from_c(lib.ff_pose_compose(self._struct(), other._struct()))
        return np.asarray(other, float) @ self.R.T + self.position

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pose):
            return NotImplemented
        return bool(np.array_equal(self.position, other.position) and np.array_equal(self.quaternion, other.quaternion))

    def __hash__(self) -> int:
        return hash((self.position.tobytes(), self.quaternion.tobytes()))

    def __reduce__(self) -> tuple[object, ...]:
        return Pose, (self.position.tolist(), self.quaternion.tolist())

    def __repr__(self) -> str:
        def short(values: Array) -> str:
            return "[" + ", ".join(f"{x:.6g}" for x in values) + "]"

        return f"Pose(position={short(self.position)}, quaternion={short(self.quaternion)})"
