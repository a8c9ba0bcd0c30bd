"""The viewer's page, and runs as it reads them: viewer/FORMAT.md says what is where."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall import errors
from footfall._native import NULL, Array, encoded, ffi, lib, name_or_none, text
from footfall.mesh import Mesh
from footfall.record import Recording

MARKER = "<!-- runs -->"
MOST_MESH_BYTES = 16 << 20  # of one mesh file in the page; larger ones are left out
ALL_MESH_BYTES = 6 << 20  # of all together; beyond it meshes lose triangles
LEAST_TRIANGLES = 1000  # that a mesh keeps
MOST_CROWD_BYTES = 12 << 20  # of the poses of a crowd, before they are deflated


@dataclass
class Run:
    """A run as the page reads it."""

    header: dict[str, Any]
    arrays: bytes  #: what is drawn
    rows: bytes  #: what is plotted


@dataclass
class About:
    """What a recording does not know about its run."""

    title: str = ""  #: "": the model's name
    file: str = ""  #: log, scene or model
    stepper: str = ""
    dt: float = 0.0  #: [s]
    failure: str | None = None  #: why it ended early
    warning: str | None = None  #: of a run that came to its end
    pushes: Sequence[Any] = ()  #: SceneForce
    files: Any = NULL  #: ff_files that hold the meshes; NULL: the disk
    crowd: Crowd | None = None


@dataclass
class Crowd:
    """Further robots: poses of their drawn links [F, n, L, 7] at times [F], and where each stands aside [n, 2]."""

    times: Array
    poses: npt.NDArray[np.float32]
    offsets: Array
    is_apart: bool = False


# ---- Bytes ----------------------------------------------------------------------------------------------------------


class _Arrays:
    """Growing bytes; what is added is told as a range [begin, count]."""

    def __init__(self) -> None:
        self.data = bytearray()

    def add(self, piece: bytes) -> list[int]:
        """As they are."""
        begin = len(self.data)
        self.data += piece
        return [begin, len(piece)]

    def floats(self, values: Any) -> list[int]:
        """32-bit numbers, in their order."""
        return self.add(np.asarray(values, "<f4").tobytes())

    def columns(self, values: Any) -> list[int]:
        """[rows, width] by columns: of each first all first bytes, then all second ones, ..."""
        rows = np.ascontiguousarray(values, "<f4")
        rows = rows.reshape(len(rows), -1) if rows.size else rows.reshape(0, 1)
        return self.add(rows.view(np.uint8).reshape(*rows.shape, 4).transpose(1, 2, 0).tobytes())


# ---- Shapes ---------------------------------------------------------------------------------------------------------


class _Meshes:
    """Mesh files in the arrays, each once."""

    def __init__(self, arrays: _Arrays, files: Any) -> None:
        self.arrays, self.files = arrays, files
        self.share = 1.0
        self.found: dict[str, tuple[list[int], bool]] = {}

    def read(self, path: str) -> bytes:
        """A file's content; nothing if it cannot be read."""
        if self.files != NULL:
            kept = lib.ff_files_at(self.files, encoded(path))
            return b"" if kept == NULL else bytes(ffi.buffer(kept.data, kept.size))
        try:
            return Path(path).read_bytes()
        except OSError:
            return b""

    def measure(self, paths: set[str]) -> None:
        """Decide which share of their triangles big meshes keep."""
        self.share = ALL_MESH_BYTES / max(sum(len(self.read(path)) for path in paths), 1)

    def add(self, path: str | None) -> tuple[list[int], bool]:
        """The range of a file, and whether it lost triangles."""
        if path is None:
            return [len(self.arrays.data), 0], False
        if path not in self.found:
            content = decimated(path, self.files, self.share) if self.share < 1 else b""
            is_decimated = bool(content)
            content = content or self.read(path)
            piece = self.arrays.add(content if len(content) <= MOST_MESH_BYTES else b"")
            self.arrays.add(bytes(-len(self.arrays.data) % 4))
            self.found[path] = piece, is_decimated
        return self.found[path]


def decimated(path: str, files: Any, share: float) -> bytes:
    """A mesh with so many of its triangles as a binary STL; nothing if it has few, or cannot be read.

    All points in a cube of a grid become one, their mean. The finest grid that leaves few enough triangles is taken.
    """
    try:
        mesh = Mesh._load(path, files)
    except errors.Error:
        return b""
    most = max(LEAST_TRIANGLES, int(share * len(mesh.triangles)))
    if len(mesh.triangles) <= most:
        return b""
    coarse, fine = 1.0, 4096.0  # cells along the box
    best = clustered(mesh, coarse)
    while fine > 1.05 * coarse:
        cells = float(np.sqrt(coarse * fine))
        found = clustered(mesh, cells)
        if len(found) <= most:
            coarse, best = cells, found
        else:
            fine = cells
    record = np.zeros(len(best), np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")]))
    record["corners"] = best
    return bytes(80) + len(best).to_bytes(4, "little") + record.tobytes()


def clustered(mesh: Mesh, cells: float) -> Array:
    """The triangles [n, 3, 3] that are left when all points in a cell become one."""
    low = mesh.points.min(0)
    edge = max(float(np.ptp(mesh.points, axis=0).max()) / cells, 1e-300)
    keys = ((mesh.points - low) / edge).astype(np.int64)
    _, cell = np.unique(keys @ [1 << 42, 1 << 21, 1], return_inverse=True)
    count = np.bincount(cell)
    means = np.stack([np.bincount(cell, mesh.points[:, k]) / count for k in range(3)], -1)
    a, b, c = cell[mesh.triangles].T
    left = cell[mesh.triangles][(a != b) & (b != c) & (c != a)]
    return means[left]  # type: ignore[no-any-return,unused-ignore]


def _shape(struct: Any, pose: Any, arrays: _Arrays, meshes: _Meshes) -> dict[str, Any]:
    kind = text(lib.ff_shape_type_name(struct.type))
    found: dict[str, Any] = {
        "type": kind, "position": list(pose.position), "quaternion": list(pose.quaternion),
        "size": list(struct.size), "rgba": list(struct.rgba),
        "visual": bool(struct.purpose & lib.FF_SHAPE_VISUAL),
        "collision": bool(struct.purpose & lib.FF_SHAPE_COLLISION),
    }  # fmt: skip
    if struct.type == lib.FF_SHAPE_HULL:
        found["vertices"] = arrays.floats(_doubles(struct.vertices, 3 * struct.vertex_count))
    if struct.type == lib.FF_SHAPE_MESH:
        piece, is_decimated = meshes.add(name_or_none(struct.mesh_file))
        found["mesh_file"] = name_or_none(struct.mesh_file)
        if is_decimated:
            found["decimated"] = True
        found |= {"scale": list(struct.scale), "mesh": piece}
    if struct.type == lib.FF_SHAPE_HEIGHTFIELD:
        heights = _doubles(struct.heights, struct.rows * struct.columns)
        found |= {"rows": struct.rows, "columns": struct.columns, "heights": arrays.floats(heights)}
    return found


def _doubles(values: Any, count: int) -> Array:
    return np.frombuffer(ffi.buffer(values, 8 * count)) if count else np.zeros(0)


# ---- The header -----------------------------------------------------------------------------------------------------


def run_of(recording: Recording, about: About) -> Run:
    """A recording as the page reads it."""
    arrays, rows = _Arrays(), _Arrays()
    with recording._turn:
        data = lib.ff_record_get(recording._c)
        header: dict[str, Any] = {
            "format": 2, "title": about.title or recording.model.name, "file": about.file, "stepper": about.stepper,
            "dt": about.dt, "end": data.last, "failure": about.failure, "warning": about.warning,
            "model": recording.model.name, "mass": recording.model.mass,
        }  # fmt: skip
        header |= _bodies(recording, data, about, arrays)
    header["signals"] = recording.signal_list
    frames, contacts = recording.frame_times, recording.contacts
    starts = np.cumsum([0, *(len(c) for c in contacts)])
    header["arrays"] = {
        "frame_times": arrays.columns(frames), "poses": arrays.columns(recording.poses),
        "contact_starts": arrays.columns(starts),
        "contacts": arrays.columns(np.concatenate(contacts) if contacts else np.zeros((0, 12))),
        "row_times": rows.columns(recording.row_times), "rows": rows.columns(recording.rows),
    }  # fmt: skip
    if about.crowd is not None:
        header["crowd"] = _crowd(about.crowd, arrays)
    return Run(header, bytes(arrays.data), bytes(rows.data))


def _bodies(recording: Recording, data: Any, about: About, arrays: _Arrays) -> dict[str, Any]:
    """Links with their shapes, what does not move, the ground, pushes."""
    model, meshes = recording.model, _Meshes(arrays, about.files)
    shapes = []
    for i in range(data.shape_count):
        info = ffi.new("ff_shape_info *")
        lib.ff_model_shape(model._c, data.shapes[i].shape, info)
        shapes.append((data.shapes[i], info, getattr(info, "def")))
    meshes.measure({text(s.mesh_file) for _, _, s in shapes if s.type == lib.FF_SHAPE_MESH and s.mesh_file != NULL})
    infos = model.links
    links = [infos[data.links[i].link] for i in range(data.link_count)]
    number = {link.index: i for i, link in enumerate(links)}
    drawn = [
        {
            "name": link.name, "joint": link.joint_name, "parent": data.links[i].parent,
            "shapes": [_shape(s, at.pose, arrays, meshes) for at, _, s in shapes if at.link == i],
        }
        for i, link in enumerate(links)
    ]  # fmt: skip
    scenery = [
        _shape(s, at.pose, arrays, meshes) | ({"link": info.link} if info.link >= 0 else {})
        for at, info, s in shapes
        if at.link < 0
    ]
    ground = []
    for one in recording.ground:
        keep: list[Any] = []
        struct = one.shape.struct(keep)
        ground.append(_shape(struct, struct.pose, arrays, meshes) | {"velocity": list(one.velocity)})
    pushes = [
        {"link": number[p.link], "at": list(p.at), "force": list(p.force), "from": p.start, "duration": p.duration}
        for p in about.pushes
        if p.link in number
    ]
    return {"links": drawn, "scenery": scenery, "ground": ground, "pushes": pushes}


def _crowd(crowd: Crowd, arrays: _Arrays) -> dict[str, Any]:
    """Poses as 16-bit numbers: differences of a frame to that before it, all first bytes, then all second ones."""
    low = crowd.poses[..., :3].min((0, 1, 2)) if crowd.poses.size else np.zeros(3)
    high = crowd.poses[..., :3].max((0, 1, 2)) if crowd.poses.size else np.zeros(3)
    step = np.maximum((high - low).astype(float) / 65535, 1e-12)
    places = np.round((crowd.poses[..., :3] - low) / step) - 32768
    turns = np.round(32767 * np.clip(crowd.poses[..., 3:], -1, 1))
    numbers = np.concatenate([places, turns], -1).astype(np.int16)
    steps = np.diff(numbers, axis=0, prepend=np.zeros_like(numbers[:1]))
    planes = np.ascontiguousarray(steps, "<i2").view(np.uint8).reshape(-1, 2).T
    times, offsets = arrays.columns(crowd.times), arrays.columns(crowd.offsets)
    return {
        "robots": crowd.poses.shape[1], "is_apart": crowd.is_apart, "times": times, "offsets": offsets,
        "low": [float(x) for x in low], "step": [float(x) for x in step], "poses": arrays.add(planes.tobytes()),
    }  # fmt: skip


# ---- The page -------------------------------------------------------------------------------------------------------


def viewer() -> str:
    """The page without a run."""
    here = Path(__file__).resolve().parents[1]
    for path in (here / "share/viewer.html", here.parent.parent / "build/viewer/viewer.html"):
        if path.exists():
            content = path.read_text(encoding="utf-8")
            if MARKER in content:
                return content
    raise errors.UnsupportedError(
        "this footfall was built without its viewer, because Node.js or npm was missing; install both and build it "
        "again",
        thing="viewer",
    )


def page(runs: Sequence[Run], *, is_live: bool = False) -> str:
    """The page with these runs; a live one may connect to where it came from, others to nothing."""
    parts = []
    for run in runs:
        header = json.dumps(run.header, allow_nan=False).replace("<", "\\u003c")
        parts.append(f'<script type="application/json" class="run-header">\n{header}\n</script>\n')
        parts.append(_element("run-arrays", run.arrays))
    parts += [_element("run-rows", run.rows) for run in runs]
    before, _, behind = viewer().partition(MARKER)
    if is_live:
        parts.append('<script type="application/json" id="live">{}</script>\n')
        before = before.replace("default-src 'none';", "default-src 'none'; connect-src 'self';", 1)
    return before + "".join(parts) + behind


def _element(name: str, content: bytes) -> str:
    packed = base64.b64encode(zlib.compress(content, 6)).decode()
    return f'<script type="text/plain" class="{name}">{packed}</script>\n'
