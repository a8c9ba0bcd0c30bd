"""Recordings: frames for drawing and signals for plotting, decimated as they grow; record.h."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from footfall._native import (
    NULL,
    Array,
    ArrayLike,
    Native,
    Turn,
    array,
    call,
    create,
    ffi,
    lib,
    numbers,
    owned,
    pointer,
    text,
)  # fmt: skip
from footfall.model import Model
from footfall.pose import Pose
from footfall.shapes import Ground, ground_array
from footfall.world import World

if TYPE_CHECKING:
    from footfall._robot import Robot
    from footfall.log import Log
    from footfall.scene import Scene


class Recording(Native):
    """What a page of the viewer shows: poses of all links a hundred times a second, and rows of signals.

    add(sim) adds the present state of a sim, add_scene() of a scene, add_state() any state. When there are too many
    frames or rows, every second one is dropped. view() shows it, with `ground`: that of a World by default.
    """

    def __init__(
        self,
        model: Model | World,
        *,
        ground: Iterable[Ground] | None = None,
        spacing: float = 0.0,
        duration: float = 0.0,
        frame_spacing: float = 0.01,
        least_frames: int = 50,
        most_bytes: int = 1600000,
    ) -> None:
        made = ffi.new("ff_record_def *")
        lib.ff_record_def_init(made, ffi.sizeof("ff_record_def"))
        robot = model.model if isinstance(model, World) else model
        made.model, made.spacing, made.duration, made.frame_spacing = robot._c, spacing, duration, frame_spacing
        made.least_frames, made.most_bytes = least_frames, most_bytes
        keep: list[Any] = []
        grounds = model.ground if ground is None and isinstance(model, World) else list(ground or ())
        made.ground, made.ground_count = ground_array(grounds, keep), len(grounds)
        self._create(made, robot)

    def _create(self, made: Any, model: Model) -> None:
        self._turn = Turn()
        self.model = model
        self.ground = [Ground.from_c(made.ground[i]) for i in range(made.ground_count)]  #: that is drawn
        self._c = owned(create(lib.ff_record_create, "ff_record", made), lib.ff_record_destroy, model._c)

    @classmethod
    def _of_log(cls, log: Log, options: dict[str, Any]) -> Recording:
        made = ffi.new("ff_record_def *")
        lib.ff_record_def_init(made, ffi.sizeof("ff_record_def"))
        model = log.model
        with log._turn:
            call(lib.ff_log_record_def, log._c, made)
            for name, value in options.items():
                setattr(made, name, value)
            self = cls.__new__(cls)
            self._create(made, model)
            call(lib.ff_log_record, log._c, self._c)
        return self

    @property
    def wants(self) -> bool:
        """It needs the next state; else skip() is enough."""
        return bool(lib.ff_record_wants(self._c))

    def skip(self) -> None:
        """Count a state without recording it."""
        with self._turn:
            lib.ff_record_skip(self._c)

    def add(self, sim: Robot, tau: ArrayLike | None = None, *, last: bool = False) -> None:
        """Add the present state of a sim of the model, or of a batch's robot, with its contacts and energies."""
        state, count = ffi.new("ff_record_state *"), ffi.new("int *")
        forces = None if tau is None else array(tau, (self.model.nv,), "tau")
        with self._turn, sim._turn:
            state.time, state.q, state.v = lib.ff_sim_time(sim._c), lib.ff_sim_q(sim._c), lib.ff_sim_v(sim._c)
            state.tau, state.energy = pointer(forces), lib.ff_sim_energy(sim._c)
            state.contacts = lib.ff_sim_contacts(sim._c, count)
            state.contact_count = count[0]
            call(lib.ff_record_add, self._c, state, last)

    def add_scene(self, scene: Scene, *, last: bool = False) -> None:
        """Add the present state of a scene of the model, with its contacts, energies and torques."""
        state, count = ffi.new("ff_record_state *"), ffi.new("int *")
        with self._turn, scene._turn:
            sim = scene.sim._c
            state.time, state.energy = lib.ff_sim_time(sim), lib.ff_sim_energy(sim)
            state.q, state.v = lib.ff_scene_now_q(scene._c), lib.ff_scene_now_v(scene._c)
            state.tau = lib.ff_scene_tau(scene._c)
            state.contacts = lib.ff_scene_contacts(scene._c, count)
            state.contact_count = count[0]
            call(lib.ff_record_add, self._c, state, last)

    def add_state(self, time: float, q: ArrayLike, v: ArrayLike | None = None, *, last: bool = False) -> None:
        """Add a state without contacts: of a trajectory in memory, a robot of a batch, ..."""
        at = array(q, (self.model.nq,), "q")
        speed = array(np.zeros(self.model.nv) if v is None else v, (self.model.nv,), "v")
        state = ffi.new("ff_record_state *")
        state.time, state.q, state.v, state.tau = float(time), pointer(at), pointer(speed), NULL
        with self._turn:
            call(lib.ff_record_add, self._c, state, last)

    def snapshot(self, sim: Robot) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Poses [L, 7], row of signals [S] and contacts [n, 12] of a sim now, without recording them."""
        state, count = ffi.new("ff_record_state *"), ffi.new("int *")
        with self._turn, sim._turn:
            state.time, state.q, state.v = lib.ff_sim_time(sim._c), lib.ff_sim_q(sim._c), lib.ff_sim_v(sim._c)
            state.energy, state.contacts = lib.ff_sim_energy(sim._c), lib.ff_sim_contacts(sim._c, count)
            state.contact_count = count[0]
            data = lib.ff_record_get(self._c)
            shapes = ((data.link_count, 7), (data.signal_count,), (count[0], 12))
            made = [np.empty(shape, np.float32) for shape in shapes]
            lib.ff_record_snapshot(self._c, state, *(pointer(x, "float") if x.size else NULL for x in made))
        return made[0], made[1], made[2]

    def poses_of(self, q: ArrayLike) -> npt.NDArray[np.float32]:
        """Poses of the drawn links [..., L, 7] at configurations q [..., nq], without recording them."""
        given = numbers(q, "q")
        rows = array(given, (*given.shape[:-1], self.model.nq), "q").reshape(-1, self.model.nq)
        with self._turn:
            out = np.empty((len(rows), int(lib.ff_record_get(self._c).link_count), 7), np.float32)
            call(lib.ffp_record_poses, self._c, self.model._c, len(rows), pointer(rows), pointer(out, "float"))
        return out.reshape(*given.shape[:-1], *out.shape[1:])

    def _copy(self, values: Any, shape: tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        count = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        return (
            np.frombuffer(ffi.buffer(values, count), dtype).reshape(shape).copy() if count else np.zeros(shape, dtype)
        )

    @property
    def frame_times(self) -> Array:
        """[F] [s]"""
        with self._turn:
            data = lib.ff_record_get(self._c)
            return self._copy(data.frame_times, (data.frame_count,), np.float64)

    @property
    def poses(self) -> npt.NDArray[np.float32]:
        """Of the drawn links, position and quaternion x y z w [F, L, 7]."""
        with self._turn:
            data = lib.ff_record_get(self._c)
            return self._copy(data.poses, (data.frame_count, data.link_count, 7), np.float32)

    @property
    def contacts(self) -> list[npt.NDArray[np.float32]]:
        """For each frame [n, 12]: link, mode, point [3], normal [3], force [3], friction; record.h."""
        with self._turn:
            data = lib.ff_record_get(self._c)
            starts = self._copy(data.contact_starts, (data.frame_count + 1 if data.frame_count else 0,), np.uintp)
            whole = self._copy(data.contacts, (int(starts[-1]) if len(starts) else 0, 12), np.float32)
        return [whole[int(a) : int(b)] for a, b in zip(starts, starts[1:], strict=False)]

    @property
    def links(self) -> list[str]:
        """Names of the drawn links."""
        with self._turn:
            data = lib.ff_record_get(self._c)
            return [self.model.links[data.links[i].link].name for i in range(data.link_count)]

    @property
    def shapes(self) -> list[tuple[int, int]]:
        """Shapes of the model, and the drawn link of each; -1: it does not move."""
        with self._turn:
            data = lib.ff_record_get(self._c)
            return [(data.shapes[i].shape, data.shapes[i].link) for i in range(data.shape_count)]

    @property
    def shape_poses(self) -> list[Pose]:
        """Of the shapes, in the frame of their drawn link or in the world."""
        with self._turn:
            data = lib.ff_record_get(self._c)
            return [Pose.from_c(data.shapes[i].pose) for i in range(data.shape_count)]

    @property
    def signals(self) -> list[str]:
        """Names of the signals: "energy/total", "joint positions/FL_KFE", ..."""
        with self._turn:
            data = lib.ff_record_get(self._c)
            return [f"{text(data.signals[i].group)}/{text(data.signals[i].name)}" for i in range(data.signal_count)]

    @property
    def signal_list(self) -> list[dict[str, Any]]:
        """The signals: group, name, unit, and link: an index in `links`, or -1."""
        with self._turn:
            data = lib.ff_record_get(self._c)
            found = [data.signals[i] for i in range(data.signal_count)]
            return [
                {"group": text(s.group), "name": text(s.name), "unit": text(s.unit), "link": int(s.link)} for s in found
            ]

    @property
    def row_times(self) -> Array:
        """[R] [s]"""
        with self._turn:
            data = lib.ff_record_get(self._c)
            return self._copy(data.row_times, (data.row_count,), np.float64)

    @property
    def rows(self) -> npt.NDArray[np.float32]:
        """[R, S]"""
        with self._turn:
            data = lib.ff_record_get(self._c)
            return self._copy(data.rows, (data.row_count, data.signal_count), np.float32)

    def __len__(self) -> int:
        """Number of frames."""
        return int(lib.ff_record_get(self._c).frame_count)

    def __repr__(self) -> str:
        return "<footfall.Recording, closed>" if self.closed else f"<footfall.Recording: {len(self)} frames>"
