"""The viewer's page of what is in memory: its numbers, those of the command, and what a browser draws."""

from __future__ import annotations

import base64
import html
import json
import os
import re
import shutil
import subprocess
import sys
import webbrowser
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import footfall as ff
from footfall.pictures import page as pages

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("FOOTFALL_BUILD", HERE.parents[1] / "build"))

try:
    pages.viewer()
except ff.UnsupportedError:
    pytest.skip("the viewer was not built", allow_module_level=True)

# A red box on a slide, on the plane z = 0.
BOX = """<mujoco model="box"><worldbody><geom type="plane" size="9 9 1"/><body name="box" pos="0 0 0.3">
<joint name="rail" type="slide" axis="1 0 0"/><geom type="box" size="0.2 0.2 0.3" rgba="0.9 0.05 0.05 1"/>
</body></worldbody></mujoco>"""


class Parsed:
    """The runs of a page."""

    def __init__(self, text: str) -> None:
        def packed(name: str) -> list[bytes]:
            found = re.findall(rf'<script type="text/plain" class="{name}">(.*?)</script>', text)
            return [zlib.decompress(base64.b64decode(x)) for x in found]

        heads = re.findall(r'<script type="application/json" class="run-header">\n(.*?)</script>', text, re.S)
        self.headers: list[dict[str, Any]] = [json.loads(x) for x in heads]
        self.arrays, self.rows = packed("run-arrays"), packed("run-rows")

    def array(self, name: str, width: int, run: int = 0) -> np.ndarray:
        begin, count = self.headers[run]["arrays"][name]
        data = self.rows if name in ("rows", "row_times") else self.arrays
        return columns(data[run][begin : begin + count], width)


def columns(data: bytes, width: int) -> np.ndarray:
    planes = np.frombuffer(data, np.uint8).reshape(width, 4, -1)
    return np.ascontiguousarray(planes.transpose(2, 0, 1)).view("<f4")[..., 0]


@pytest.fixture(scope="module")
def box() -> ff.World:
    return ff.World(ff.Model.from_text(BOX))


@pytest.mark.parametrize("name", ["starleth-push", "ball-pit", "gripper"])
def test_pages_are_those_of_the_command(name: str, root: Path, tmp_path: Path) -> None:
    """A log by both writers: the same header and, before they are deflated, the same bytes."""
    command = BUILD / "footfall"
    if not command.exists():
        pytest.skip("the command was not built")
    log, out = tmp_path / "run.h5", tmp_path / "run.html"
    scene = root / f"scenes/{name}.yaml"
    subprocess.run([command, "run", scene, "--duration", "0.1s", "--quiet", "--log", log], capture_output=True)
    done = subprocess.run([command, "view", log, "--no-open", "-o", out], capture_output=True, text=True)
    if "without its viewer" in done.stderr:
        pytest.skip("the command has no viewer")
    theirs, ours = Parsed(out.read_text()), Parsed(ff.view(log).html)
    assert ours.headers == theirs.headers and ours.arrays == theirs.arrays and ours.rows == theirs.rows
    assert len(ours.arrays[0]) > 1000 and bool(ours.headers[0]["pushes"]) == (name == "starleth-push")


def test_a_scene_is_shown_from_its_start(tmp_path: Path) -> None:
    scene = ff.Scene(ff.share("scenes/solo-trot.yaml"), {"duration": "0.2s", "title": "</script><b>"})
    scene.step()
    saved = scene.save_state()
    text = ff.view(scene).html
    found = Parsed(text)
    assert scene.step_count == 1 and np.array_equal(scene.save_state()["state"], saved["state"])
    assert (
        found.headers[0]["title"] == "</script><b>" and "<b>" not in text.split("run-arrays")[0].split("run-header")[1]
    )
    assert found.headers[0]["end"] == pytest.approx(0.2) and found.headers[0]["failure"] is None
    times, rows = found.array("row_times", 1), found.array("rows", len(found.headers[0]["signals"]))
    scene.run()
    total = [f"{s['group']}/{s['name']}" for s in found.headers[0]["signals"]].index("energy/total")
    assert times[-1, 0] == pytest.approx(0.2) and rows[-1, total] == pytest.approx(scene.sim.energy().total, rel=1e-6)
    stiff = {"stepper.type": "euler", "material.stiffness": 1e7, "duration": "1s"}
    bad = Parsed(ff.view(ff.Scene(ff.share("scenes/solo-trot.yaml"), stiff)).html).headers[0]
    assert bad["end"] < 1 and bad["failure"]


def test_a_sim_as_it_is_and_what_it_does_next(world: ff.World) -> None:
    sim = world.sim(posture="standing")
    sim.step()
    before = sim.state
    still = Parsed(ff.view(sim).html)
    links = [link["name"] for link in still.headers[0]["links"]]
    poses = still.array("poses", 7 * len(links)).reshape(-1, len(links), 7)
    assert poses.shape[0] == 1 and still.array("contacts", 12).shape == (len(sim.contacts), 12)
    for name, row in zip(links, poses[0], strict=True):
        np.testing.assert_allclose(row[:3], sim.link(name).position, atol=1e-6)
    moving = Parsed(ff.view(sim, duration=0.1, title="falls").html)
    assert np.array_equal(sim.state, before) and moving.headers[0]["title"] == "falls"
    for _ in range(50):
        sim.step()
    last = moving.array("poses", 7 * len(links)).reshape(-1, len(links), 7)[-1]
    np.testing.assert_allclose(last[0, :3], sim.link(links[0]).position, atol=1e-6)
    robot = world.batch(2, posture="standing")[1]
    assert Parsed(ff.view(robot, duration=0.01).html).array("frame_times", 1)[-1, 0] == pytest.approx(0.01)
    sim.push("base_link", (1e12, 0, 0))
    assert Parsed(ff.view(sim, duration=0.5).html).headers[0]["failure"]


def crowd_of(found: Parsed) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Times, poses [F, n, L, 7], offsets and the step of positions of a page's crowd, as FORMAT.md says."""
    header, data = found.headers[0], found.arrays[0]
    crowd = header["crowd"]
    times = columns(piece(data, crowd["times"]), 1)[:, 0]
    planes = np.frombuffer(piece(data, crowd["poses"]), np.uint8).reshape(2, -1)
    steps = np.ascontiguousarray(planes.T).view("<i2").reshape(len(times), crowd["robots"], len(header["links"]), 7)
    numbers = np.cumsum(steps, 0, dtype=np.int16).astype(float)
    numbers[..., :3] = crowd["low"] + np.array(crowd["step"]) * (32768 + numbers[..., :3])
    numbers[..., 3:] /= 32767
    return times, numbers, columns(piece(data, crowd["offsets"]), 2), np.array(crowd["step"])


def piece(data: bytes, where: list[int]) -> bytes:
    return data[where[0] : where[0] + where[1]]


def test_many_robots(world: ff.World) -> None:
    random = np.random.default_rng(0)
    q = np.tile(world.model.posture("standing"), (5, 1))
    q[:, :3] += random.uniform(0, 1, (5, 3))
    q[:, 7:] += random.uniform(-0.5, 0.5, (5, 12))
    batch = world.batch(5, q=q)
    before = batch.states
    found = Parsed(ff.view(batch, duration=0.1, apart=2.0).html)
    np.testing.assert_array_equal(batch.states, before)
    times, poses, offsets, step = crowd_of(found)
    assert times[0] == 0 and times[-1] == pytest.approx(0.1) and len(times) == 11 and poses.shape[1] == 4
    assert found.headers[0]["crowd"]["is_apart"] and found.headers[0]["stepper"] == "expo"
    places = {tuple(x) for x in offsets.tolist()} | {(0.0, 0.0)}
    assert len(places) == 5 and all(x % 2 == 0 and y % 2 == 0 for x, y in places)
    batch.step_many(50)
    for robot in range(4):
        base = batch[robot + 1].link("base_link").pose
        np.testing.assert_allclose(poses[-1, robot, 0, :3], base.position, atol=0.51 * step.max() + 1e-6)
        np.testing.assert_allclose(poses[-1, robot, 0, 3:], base.quaternion, atol=1 / 32767)
    assert Parsed(ff.view(batch).html).headers[0]["crowd"]["robots"] == 4
    assert "crowd" not in Parsed(ff.view(world.batch(1)).html).headers[0]


def test_arrays_and_rollouts(world: ff.World, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = world.batch(3, posture="standing")
    found = batch.rollout(frames=20, hold=5, record=("q", "time"))
    rolled = Parsed(ff.view(found, model=world).html)
    np.testing.assert_allclose(rolled.array("frame_times", 1)[:, 0], found["time"][0, :, 0], rtol=1e-6)
    for shown in (found["q"], {"q": found["q"]}):
        assert crowd_of(Parsed(ff.view(shown, model=world.model, dt=0.01).html))[1].shape[:2] == (20, 2)
    one = Parsed(ff.view(found["q"][0], model=ff.share("models/solo12.urdf"), dt=0.25).html)
    assert one.array("frame_times", 1)[-1, 0] == pytest.approx(4.75) and len(one.headers[0]["ground"]) == 1
    assert Parsed(ff.view(world.model.posture("standing"), model=world).html).array("frame_times", 1).shape == (1, 1)
    monkeypatch.setattr(
        sys.modules["footfall.pictures.view"], "MOST_CROWD_BYTES", 2 * 14 * 5 * len(one.headers[0]["links"])
    )
    few = crowd_of(Parsed(ff.view(found["q"], model=world).html))[0]
    assert len(few) == 5 and few[-1] == pytest.approx(19 * 0.02)  # of a world: every ten steps


def test_recordings_robots_and_several_runs(world: ff.World, tmp_path: Path) -> None:
    sim = world.sim(posture="standing")
    recording = ff.Recording(world, spacing=2e-3)
    recording.add(sim)
    sim.step()
    recording.add(sim, last=True)
    assert recording.poses_of(sim.q).shape == (len(recording.links), 7)
    assert recording.signal_list[0].keys() == {"group", "name", "unit", "link"} and len(recording.ground) == 1
    with ff.LogWriter(tmp_path / "a.h5", sim) as log:
        log.write()
    runs = Parsed(ff.view(recording, sim, world, world.model, ff.Log(tmp_path / "a.h5"), model=world).html)
    assert len(runs.headers) == 5 and [h["model"] for h in runs.headers] == ["solo"] * 5
    assert Parsed(ff.view(ff.share("scenes/plate.yaml")).html).headers[0]["title"]
    assert Parsed(ff.view(ff.share("models/ball.urdf")).html).headers[0]["model"] == "ball"


def test_shapes_with_points(solo: str) -> None:
    heights, corners = np.arange(12.0).reshape(3, 4) / 100, np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    b = ff.Builder("one")
    link = b.add_link("link", type="free", inertia=ff.Inertia(1.0, matrix=(1, 0, 0, 1, 0, 1)))
    b.add_shape(link, ff.Shape("hull", vertices=corners))
    found = Parsed(ff.view(ff.World(b.finish(), ground=ff.Ground.heightfield(heights, (2.0, 3.0)))).html)
    (ground,), (hull,) = found.headers[0]["ground"], found.headers[0]["links"][0]["shapes"]
    assert (ground["rows"], ground["columns"], ground["size"][:2]) == (3, 4, [2, 3])
    for where, expected in ((ground["heights"], heights), (hull["vertices"], corners)):
        values = np.frombuffer(piece(found.arrays[0], where), "<f4")
        np.testing.assert_allclose(np.sort(values), np.sort(expected.ravel()), rtol=1e-6)


def test_what_cannot_be_shown(world: ff.World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    q = world.model.posture("standing")
    slope = ff.World(world.model, ground=ff.Ground.plane(slope=0.1))
    with pytest.raises(TypeError, match="something to show"):
        ff.view()
    with pytest.raises(TypeError, match="model="):
        ff.view(q)
    with pytest.raises(ff.ArgumentError, match="different links"):
        ff.view(world, ff.World(ff.share("models/ball.urdf")))
    with pytest.raises(ff.ArgumentError, match="recorded"):
        ff.view({"v": q}, model=world)
    with pytest.raises(ff.ArgumentError, match="moved aside"):
        ff.view(slope.batch(2), apart=1)
    for bad in (q[1:], np.zeros((1, 2, 3, 19)), np.full(19, np.nan), np.zeros((2, 0, 19)), "x.csv", ff.view(world)):
        with pytest.raises(ff.Error):
            ff.view(bad, model=world)
    for wrong in ({"duration": -1}, {"duration": np.inf}, {"apart": -1}, {"apart": np.nan}):
        with pytest.raises(ff.ArgumentError):
            ff.view(world.batch(2), **wrong)
    with pytest.raises(ff.FileError):
        ff.view(world).save(tmp_path / "no/such/page.html")
    empty = tmp_path / "empty.h5"
    ff.LogWriter(empty, world.sim()).close()
    with pytest.raises(ff.ArgumentError, match="no rows"):
        ff.view(empty)
    monkeypatch.setattr(pages, "MARKER", "not there")
    with pytest.raises(ff.UnsupportedError, match="without its viewer"):
        ff.view(world)


def test_big_meshes_lose_triangles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turn, rise = np.meshgrid(np.linspace(0, 2 * np.pi, 81), np.linspace(0, np.pi, 41))
    ball = np.stack([np.cos(turn) * np.sin(rise), np.sin(turn) * np.sin(rise), np.cos(rise)], -1)
    a, b, c, d = ball[:-1, :-1], ball[1:, :-1], ball[1:, 1:], ball[:-1, 1:]
    faces = np.concatenate([np.stack(t, -2).reshape(-1, 3, 3) for t in ((a, b, c), (a, c, d))])
    record = np.zeros(len(faces), np.dtype([("n", "<f4", 3), ("x", "<f4", (3, 3)), ("rest", "<u2")]))
    record["x"] = faces
    (tmp_path / "ball.stl").write_bytes(bytes(80) + len(faces).to_bytes(4, "little") + record.tobytes())
    (tmp_path / "one.urdf").write_text(
        '<robot name="one"><link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" '
        'izz="1"/></inertial><visual><geometry><mesh filename="ball.stl"/></geometry></visual></link></robot>'
    )
    model = ff.Model(tmp_path / "one.urdf")
    whole = Parsed(ff.view(model).html)
    (shape,) = whole.headers[0]["links"][0]["shapes"]
    assert piece(whole.arrays[0], shape["mesh"]) == (tmp_path / "ball.stl").read_bytes() and "decimated" not in shape
    monkeypatch.setattr(pages, "ALL_MESH_BYTES", 84 + 50 * len(faces) // 3)
    less = Parsed(ff.view(model).html)
    (shape,) = less.headers[0]["links"][0]["shapes"]
    out = tmp_path / "less.stl"
    out.write_bytes(piece(less.arrays[0], shape["mesh"]))
    mesh = ff.Mesh.load(out)
    assert shape["decimated"] and 0.5 * len(faces) / 3 < len(mesh.triangles) <= max(1000, len(faces) / 3)
    # A mean of points of the unit sphere within a cube of the grid: less than its diagonal inside of the sphere.
    far = np.linalg.norm(mesh.points, axis=1)
    assert far.max() <= 1 + 1e-6 and far.min() > 1 - np.sqrt(3) * 2 / np.sqrt(len(mesh.triangles) / 8)
    (tmp_path / "ball.stl").unlink()
    (shape,) = Parsed(ff.view(model).html).headers[0]["links"][0]["shapes"]
    assert shape["mesh"][1] == 0


# ---- In a browser ---------------------------------------------------------------------------------------------------


def look(path: Path, live: str = "") -> dict[str, Any]:
    browser = next((b for b in ("chromium", "chromium-browser", "google-chrome") if shutil.which(b)), None)
    if browser is None or not shutil.which("node") or not (HERE.parents[1] / "tests/viewer/browser.mjs").exists():
        pytest.skip("there is no chromium, or no node")
    kept = BUILD / "viewer/pages" if (BUILD / "viewer").is_dir() else path.parent
    kept.mkdir(exist_ok=True)
    words = ["node", HERE / "look.mjs", browser, path, kept / f"python-{path.stem}.png"]
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["complaints"] == [] and all(url.startswith(live) for url in found["asked"] if live), found["asked"]
    assert live or found["asked"] == []
    return found


def blobs(columns: list[int]) -> int:
    """Groups of neighbouring columns that have red pixels."""
    is_red = np.array([0, *columns]) > 2
    return int((np.diff(is_red.astype(int)) == 1).sum())


def test_a_browser_draws_it(box: ff.World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = ff.view(box.sim())
    assert "box" in repr(alone) and "MB" in repr(alone)
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda url: opened.append(url) or True)
    assert alone.open(tmp_path / "alone.html") and alone.open()
    assert opened[0] == (tmp_path / "alone.html").as_uri() and opened[1].endswith(".html")
    Path(opened[1].removeprefix("file://")).unlink()
    one = look(tmp_path / "alone.html")
    assert one["red"] > 2000 and blobs(one["columns"]) == 1
    # Beside the first box ghosts of a crowd, which are not red.
    q = np.array([[0.0], [0.4], [-0.4]])[:, None]
    ghosts = look(ff.view(q, model=box).save(tmp_path / "ghosts.html"))
    assert blobs(ghosts["columns"]) == 1 and ghosts["green"] > one["green"] + 1000


def test_a_crowd_stands_apart(box: ff.World, tmp_path: Path) -> None:
    found = look(ff.view(box.batch(9), apart=3.0).save(tmp_path / "apart.html"))
    assert found["red"] > 500 and 4 <= blobs(found["columns"]) <= 9  # seen obliquely, some stand before others


def test_a_notebook_shows_it_in_a_frame(box: ff.World, tmp_path: Path) -> None:
    shown = ff.view(box.sim(), width="90%", height=500)
    cell = shown._repr_html_()
    source = re.search(r'srcdoc="([^"]*)"', cell)
    assert source and html.unescape(source[1]) == shown.html and "height: 500px" in cell and "width: 90%" in cell
    path = tmp_path / "cell.html"
    path.write_text(f"<!doctype html><meta charset='utf-8'><p>In [1]: ff.view(sim)</p>{cell}")
    found = look(path)
    assert found["red"] > 1500 and blobs(found["columns"]) == 1
