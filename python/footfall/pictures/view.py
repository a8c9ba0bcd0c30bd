"""Pictures that move, in notebooks and files: the page of `footfall view` for whatever Python has in memory."""

from __future__ import annotations

import html
import os
import tempfile
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np

from footfall import errors
from footfall._native import NULL, Array, StrPath, array, create, ffi, lib, numbers, owned
from footfall._robot import Robot
from footfall.batch import Batch
from footfall.log import Log
from footfall.model import Model
from footfall.pictures.live import Control, LiveView
from footfall.pictures.page import MOST_CROWD_BYTES, About, Crowd, Run, page, run_of
from footfall.record import Recording
from footfall.scene import Scene, SceneForce
from footfall.sim import Sim
from footfall.world import World

FRAMES = 100.0  # per second of a crowd, at most


class View:
    """The viewer's page: a notebook shows it, save() writes it, open() shows it in the browser.

    It is one HTML text that needs no network: JupyterLab, VS Code and a browser without one show it.
    """

    def __init__(self, runs: list[Run], *, width: str = "100%", height: int = 600) -> None:
        self.width, self.height = width, int(height)
        self._titles = [str(run.header["title"]) for run in runs]
        self.html: str = page(runs)  #: the whole page

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts" '
            f'style="width: {html.escape(self.width)}; height: {self.height}px; border: 0"></iframe>'
        )

    def save(self, path: StrPath) -> Path:
        """Write the page to a file, and return its path."""
        target = Path(path)
        try:
            target.write_text(self.html, encoding="utf-8")
        except OSError as error:
            raise errors.FileError(f"{os.fspath(path)}: {error.strerror}", file=os.fspath(path)) from None
        return target

    def open(self, path: StrPath | None = None) -> bool:
        """Open the page in the browser, from this file or a temporary one; false if there is no browser."""
        if path is None:
            handle, path = tempfile.mkstemp(".html", "footfall-")
            os.close(handle)
        return webbrowser.open(self.save(path).resolve().as_uri())

    def __repr__(self) -> str:
        return f"<footfall.View of {', '.join(self._titles)}: {1e-6 * len(self.html):.1f} MB>"


@overload
def view(
    *what: Any,
    model: Model | World | StrPath | None = ...,
    dt: float | None = ...,
    duration: float = ...,
    apart: float = ...,
    title: str | None = ...,
    width: str = ...,
    height: int = ...,
    live: Literal[False] = ...,
) -> View: ...
@overload
def view(
    *what: Sim,
    live: Literal[True],
    control: Control | None = ...,
    title: str | None = ...,
    width: str = ...,
    height: int = ...,
) -> LiveView: ...
def view(
    *what: Any,
    model: Model | World | StrPath | None = None,
    dt: float | None = None,
    duration: float = 0.0,
    apart: float = 0.0,
    title: str | None = None,
    width: str = "100%",
    height: int = 600,
    live: bool = False,
    control: Control | None = None,
) -> View | LiveView:
    """The viewer's page of one run, or of several of one robot: the first is solid, the others are ghosts.

    A run is one of these:

    a log            a Log, or the path of an HDF5 file
    a scene          a Scene, or the path of a YAML file: a copy of it runs from its start to its end
    a sim            as it is now; with `duration`, what a copy of it does for so long without new controls [s]
    a batch          the same: the first robot, and the others as a crowd
    a robot          a World, a Model, or the path of its file: where it starts
    a Recording      as it is
    arrays           q [T, nq], or [n, T, nq] of many robots, of `model`, each `dt` seconds; or what Batch.rollout()
                     returned, a dict with "q" and perhaps "time"

    model: whose coordinates q has; of a World its ground is shown
    apart: many robots stand so far from each other, in a square [m]; 0: all in one place, as they are
    width, height: in a notebook, as CSS and in pixels
    live: of one Sim: it runs in real time while it is looked at, with control(sim) if given; LiveView
    """
    if not what:
        raise TypeError("view() needs something to show: view(sim)")
    if live or control is not None:
        if len(what) != 1 or not isinstance(what[0], Sim) or not live:
            raise TypeError("live is of one Sim: view(sim, live=True), with control=... or without")
        return LiveView(what[0], control, title=title or "", width=width, height=height)
    given = _Given(model, dt, float(duration), float(apart), title)
    runs = [_run_of(thing, given) for thing in what]
    first = _robot(runs[0])
    for run in runs[1:]:
        if _robot(run) != first:
            raise errors.ArgumentError("runs on one page must be of the same robot: these have different links")
    return View(runs, width=width, height=height)


def _robot(run: Run) -> list[str]:
    return [link["name"] for link in run.header["links"]]


class _Given:
    """The keywords of view()."""

    def __init__(self, model: Any, dt: float | None, duration: float, apart: float, title: str | None) -> None:
        self.model = World(model) if isinstance(model, (str, os.PathLike)) else model
        self.dt, self.duration, self.apart, self.title = dt, duration, apart, title
        if not duration >= 0 or not np.isfinite(duration):
            raise errors.ArgumentError("duration: a time from 0 on is expected [s]", thing="duration")
        if not apart >= 0 or not np.isfinite(apart):
            raise errors.ArgumentError("apart: a length from 0 on is expected [m]", thing="apart")

    def about(self, world: World | None = None, **more: Any) -> About:
        """What the page says of a run."""
        if self.title is not None:
            more["title"] = self.title
        if world is not None:
            more |= {"stepper": world.stepper, "dt": world.dt}
        return About(**more)


def _run_of(thing: Any, given: _Given) -> Run:
    if isinstance(thing, (str, os.PathLike)):
        name = os.fspath(thing)
        if name.endswith((".h5", ".hdf5")):
            with Log(thing) as log:
                return _of_log(log, given)
        thing = Scene(thing) if name.endswith((".yaml", ".yml")) else World(thing)
    if isinstance(thing, Model):
        thing = World(thing)
    if isinstance(thing, World):
        postures = list(thing.model.postures)
        thing = thing.sim(posture=postures[0] if postures else None)
    makers: tuple[tuple[Any, Any], ...] = (
        (Log, _of_log), (Scene, _of_scene), (Robot, _of_robot), (Batch, _of_batch), (Recording, _of_recording),
        (Mapping, _of_rollout), (View, _refuse),
    )  # fmt: skip
    for kind, make in makers:
        if isinstance(thing, kind):
            run: Run = make(thing, given)
            return run
    return _of_arrays(numbers(thing, "view()"), None, given)


def _refuse(thing: Any, given: _Given) -> Run:
    raise errors.ArgumentError("a View is not shown in another one: give view() what it was made of")


# ---- Runs of one robot ----------------------------------------------------------------------------------------------


def _of_recording(recording: Recording, given: _Given) -> Run:
    return run_of(recording, given.about())


def _of_log(log: Log, given: _Given) -> Run:
    if len(log) == 0:
        raise errors.ArgumentError(f"{log.path}: this log has no rows")
    told = log.about
    failure, warning = None, None
    why = told["reason"]
    if not told["is_whole"]:
        failure = "the log is incomplete: the program was killed or is still running"
    elif told["outcome"] == "missed":
        warning = f"task not met: {why}"
    elif told["outcome"] == "finished":
        warning = why or None
    else:
        failure = f"{told['outcome']} at {told['ended']:.6g} s{': ' if why else ''}{why}"
    about = given.about(title=told["title"], file=told["path"], stepper=told["stepper"], dt=told["dt"],
                        failure=failure, warning=warning, files=lib.ff_log_files(log._c),
                        pushes=_pushes(log))  # fmt: skip
    return run_of(log.recording(), about)


def _pushes(log: Log) -> list[SceneForce]:
    """Those of the log's scene."""
    files = lib.ff_log_files(log._c)
    file = lib.ff_files_find(files, lib.FF_FILE_SCENE, NULL)
    if file == NULL or b"pushes" not in bytes(ffi.buffer(file.data, file.size)):
        return []
    try:
        made = create(lib.ff_scene_load_files, "ff_scene", file.name, NULL, 0, NULL, files)
    except errors.Error:
        return []
    scene = owned(made, lib.ff_scene_destroy)
    return [SceneForce(lib.ff_scene_push_force(scene, i)) for i in range(lib.ff_scene_push_count(scene))]


def _of_scene(scene: Scene, given: _Given) -> Run:
    scene = Scene(scene._source, scene._change)
    sim, steps, failure = scene.sim, scene.steps, None
    recording = Recording(scene.model, ground=sim.world.ground, spacing=sim.dt, duration=scene.duration)
    recording.add_scene(scene, last=steps == 0)
    for k in range(1, steps + 1):
        try:
            scene.step()
        except errors.Error as error:
            failure = str(error)
        if k == steps or failure or recording.wants:
            recording.add_scene(scene, last=bool(k == steps or failure))
        else:
            recording.skip()
        if failure:
            break
    about = given.about(
        sim.world, title=scene.title, file=scene.file or "", failure=failure, warning=sim.passing or None,
        pushes=scene.pushes,
    )  # fmt: skip
    return run_of(recording, about)


def _of_robot(robot: Robot, given: _Given) -> Run:
    if isinstance(robot, Sim):
        sim: Sim = robot.copy() if given.duration else robot
    else:
        sim = robot.world.sim()
        sim.parameters, sim.state = robot.parameters, robot.state
    steps, failure = round(given.duration / sim.dt), None
    recording = Recording(sim.world, spacing=sim.dt, duration=given.duration)
    recording.add(sim, last=steps == 0)
    for k in range(1, steps + 1):
        try:
            sim.step()
        except errors.Error as error:
            failure = str(error)
            break
        if k == steps or recording.wants:
            recording.add(sim, last=k == steps)
        else:
            recording.skip()
    if failure:
        recording.add(sim, last=True)
    return run_of(recording, given.about(sim.world, failure=failure))


# ---- Many robots ----------------------------------------------------------------------------------------------------


def _of_batch(batch: Batch, given: _Given) -> Run:
    dt, steps = batch.world.dt, round(given.duration / batch.world.dt)
    hold = max(1, round(1 / (FRAMES * dt)))
    recording = Recording(batch.world, spacing=hold * dt, duration=given.duration)
    batch = batch.copy() if steps else batch
    q, times = [batch.q.copy()], [0.0]
    recording.add(batch[0], last=steps == 0)
    for taken in range(0, steps, hold):
        batch.step_many(min(hold, steps - taken))
        q.append(batch.q.copy())
        times.append(dt * min(taken + hold, steps))
        recording.add(batch[0], last=taken + hold >= steps)
    failed = batch.error(0)
    crowd = _crowd(recording, np.stack(q, 1)[1:], np.array(times), given.apart) if len(batch) > 1 else None
    return run_of(recording, given.about(batch.world, crowd=crowd, failure=str(failed) if failed else None))


def _of_rollout(found: Mapping[str, Any], given: _Given) -> Run:
    if "q" not in found:
        raise errors.ArgumentError('a rollout is shown if it has recorded "q"')
    q = numbers(found["q"], "q")
    times = None
    if "time" in found and given.dt is None and q.ndim == 3:
        times = array(found["time"], (*q.shape[:2], 1), "time")[0, :, 0]
    return _of_arrays(q, times, given)


def _of_arrays(q: Array, times: Array | None, given: _Given) -> Run:
    """q [nq], [T, nq] or [n, T, nq]."""
    of = given.model
    if of is None:
        raise TypeError("q alone does not say whose it is: view(q, model=...)")
    model = of.model if isinstance(of, World) else of
    many = q.reshape((1,) * (3 - q.ndim) + q.shape) if q.ndim in (1, 2) else q
    if many.ndim != 3 or many.shape[-1] != model.nq or 0 in many.shape:
        raise errors.ArgumentError(f"q: [{model.nq}], [T, {model.nq}] or [n, T, {model.nq}] is expected, its shape is "
                                   f"{q.shape}", thing="q")  # fmt: skip
    if not np.isfinite(many).all():
        raise errors.ArgumentError("q: there are numbers that are not finite", thing="q")
    spacing = given.dt if given.dt is not None else 10 * of.dt if isinstance(of, World) else 0.01
    at: Array = float(spacing) * np.arange(float(many.shape[1])) if times is None else times
    recording = Recording(of)
    for k, time in enumerate(at):
        recording.add_state(time, many[0, k], last=k == len(at) - 1)
    crowd = _crowd(recording, many[1:], at, given.apart) if len(many) > 1 else None
    about = given.about(of if isinstance(of, World) else None, crowd=crowd)
    return run_of(recording, about)


def _crowd(recording: Recording, q: Array, times: Array, apart: float) -> Crowd:
    """All robots but the first."""
    if apart and not all(_is_level(ground) for ground in recording.ground):
        raise errors.ArgumentError("apart: on this ground robots cannot be moved aside", thing="apart")
    size = max(1, len(q) * len(recording.links) * 14)
    span = float(times[-1] - times[0])
    count = int(min(len(times), max(1, MOST_CROWD_BYTES // size), max(2, FRAMES * span + 1)))
    chosen = np.unique(np.round(np.linspace(0, len(times) - 1, count)).astype(int))
    poses = np.stack([recording.poses_of(q[:, k]) for k in chosen])
    offsets = apart * _square(len(q) + 1)[1:]
    return Crowd(np.asarray(times)[chosen], poses, offsets, is_apart=apart > 0)


def _is_level(ground: Any) -> bool:
    pose = ground.shape.pose
    return bool(ground.shape.type == "plane" and np.allclose(pose.R[:, 2], [0, 0, 1]))


def _square(count: int) -> Array:
    """Places on a square grid, those near the middle first [count, 2]."""
    half = int(np.ceil(np.sqrt(count))) // 2 + 1
    grid = np.stack(np.meshgrid(np.arange(-half, half + 1), np.arange(-half, half + 1)), -1).reshape(-1, 2)
    far = np.abs(grid).max(-1)
    return grid[np.lexsort((grid[:, 1], grid[:, 0], far))][:count].astype(float)
