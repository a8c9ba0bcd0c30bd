"""Logs: results of runs in HDF5 files, as arrays by name; log.h.

log = ff.Log("out/solo-trot.h5")
log["base.z"], log.time, log.q, log.frame()
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from footfall import errors
from footfall._native import (
    NULL,
    Array,
    ArrayLike,
    Native,
    StrPath,
    Turn,
    array,
    call,
    create,
    encoded,
    ffi,
    lib,
    owned,
    pointer,
    position,
    text,
    unknown,
)  # fmt: skip
from footfall.contacts import DTYPE, Contacts
from footfall.load import files_of
from footfall.model import Model
from footfall.pose import Pose
from footfall.reports import StepInfo
from footfall.shapes import Ground, ground_array

if TYPE_CHECKING:
    from types import TracebackType

    from footfall.record import Recording
    from footfall.sim import Sim

_ENERGY = [name for name, _ in ffi.typeof("ff_energy").fields]


class Log(Native):
    """A log open for reading. Columns are arrays [rows] by name: log["base.z"], log["FL_KFE"], log["energy.total"].

    Columns are coordinates by their names, velocities with "v:" before them, torques "tau:", motors "motor:", energies
    "energy.", fields of the step's report "info."; "base." is the floating base. q, v, tau, motor are whole arrays. All
    are read once, when first asked for.
    """

    def __init__(self, path: StrPath) -> None:
        self._turn = Turn()
        self._c = owned(create(lib.ff_log_open, "ff_log", encoded(path)), lib.ff_log_close)
        self.path = os.fspath(path)
        self._about = lib.ff_log_get_info(self._c)
        self._arrays: dict[str, npt.NDArray[Any]] = {}

    # ---- What it is -------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Number of rows."""
        return int(self._about.rows)

    @property
    def about(self) -> dict[str, Any]:
        """Title, file, stepper, dt, outcome, ...: ff_log_info in log.h."""
        found: dict[str, Any] = {}
        for name, member in ffi.typeof("ff_log_info").fields:
            value = getattr(self._about, name)
            found[name] = text(value) if member.type.kind == "pointer" else value
        found["is_whole"], found["has_sums"] = bool(found["is_whole"]), bool(found["has_sums"])
        return found

    @property
    def model(self) -> Model:
        """The robot, read from the log."""
        out = ffi.new("ff_model **")
        with self._turn:
            call(lib.ff_log_model, self._c, ffi.cast("const ff_model **", out))
        return Model._of(out[0], owner=self._c)

    @property
    def files(self) -> dict[str, bytes]:
        """Scene, model, meshes: the files of the run by name."""
        files = lib.ff_log_files(self._c)
        found = {}
        for i in range(lib.ff_files_count(files)):
            file = lib.ff_files_get(files, i)
            found[text(file.name)] = bytes(ffi.buffer(file.data, file.size))
        return found

    @property
    def arguments(self) -> list[str]:
        """Arguments of the program that wrote it."""
        count = ffi.new("int *")
        found = lib.ff_log_arguments(self._c, count)
        return [text(found[i]) for i in range(count[0])]

    @property
    def ground(self) -> list[Ground]:
        """Ground shapes that are not part of the model, as at time 0."""
        count = ffi.new("int *")
        with self._turn:
            found = lib.ff_log_ground(self._c, count)
            return [Ground.from_c(found[i]) for i in range(count[0])]

    def ground_pose(self, ground: int, time: float) -> Pose:
        """Pose of a ground shape at a time."""
        count = ffi.new("int *")
        with self._turn:
            lib.ff_log_ground(self._c, count)
            at = position(ground, count[0], "ground")
            return Pose.from_c(lib.ff_log_ground_pose(self._c, at, float(time)))

    # ---- Rows -------------------------------------------------------------------------------------------------------

    def _read(self) -> dict[str, npt.NDArray[Any]]:
        if self._arrays:
            return self._arrays
        n, nq, nv = len(self), int(self._about.nq), int(self._about.nv)
        size = ffi.sizeof("ff_step_info")
        with self._turn:
            made = {
                "time": np.empty(n), "step": np.empty(n, np.int64), "q": np.empty((n, nq)), "v": np.empty((n, nv)),
                "tau": np.empty((n, nv)), "motor": np.empty((n, nv)), "energy": np.empty((n, len(_ENERGY))),
                "info": np.zeros(n * size, np.uint8), "contact_starts": np.zeros(n + 1, np.int64),
                "contacts": np.zeros(int(self._about.contacts), DTYPE),
            }  # fmt: skip
            out = ffi.new("ffp_log_arrays *")
            for name, values in made.items():
                setattr(
                    out,
                    name,
                    ffi.cast(ffi.typeof(getattr(out, name)), ffi.from_buffer(values)) if values.size else NULL,
                )
            call(lib.ffp_log_read, self._c, 0, n, out)
        for values in made.values():
            values.flags.writeable = False
        self._arrays = made
        return made

    @property
    def time(self) -> Array:
        """[rows] [s]"""
        return self._read()["time"]

    @property
    def step(self) -> npt.NDArray[np.int64]:
        """Steps taken since the start [rows]."""
        return self._read()["step"]

    @property
    def q(self) -> Array:
        """[rows, nq], in the model's coordinates."""
        return self._read()["q"]

    @property
    def v(self) -> Array:
        """[rows, nv]"""
        return self._read()["v"]

    @property
    def tau(self) -> Array:
        """Forces of controller and pushes over the last step [rows, nv]."""
        return self._read()["tau"]

    @property
    def motor(self) -> Array:
        """Forces of motors [rows, nv]."""
        return self._read()["motor"]

    def contacts(self, row: int) -> Contacts:
        """Contacts of a row."""
        found, at = self._read(), position(row, len(self), "row")
        first, end = found["contact_starts"][at : at + 2]
        return Contacts(found["contacts"][first:end].copy())

    def info(self, row: int) -> StepInfo:
        """Report of the step before a row."""
        size, at = ffi.sizeof("ff_step_info"), position(row, len(self), "row")
        return StepInfo._from_bytes(self._read()["info"][at * size : (at + 1) * size].tobytes())

    # ---- Columns ----------------------------------------------------------------------------------------------------

    def _columns(self) -> dict[str, tuple[str, int]]:
        """Where each name is: an array and its column."""
        model, room, unit = self.model, ffi.new("char[256]"), ffi.new("const char **")
        found: dict[str, tuple[str, int]] = {"time": ("time", 0), "step": ("step", 0)}
        for which, prefixes, count in (
            (0, (("", "q"),), model.nq),
            (1, (("v:", "v"), ("tau:", "tau"), ("motor:", "motor")), model.nv),
        ):
            for i in range(count):
                lib.ff_log_column(model._c, which, i, room, 256, unit)
                for prefix, array_name in prefixes:
                    found[prefix + text(room)] = (array_name, i)
        for i, name in enumerate(_ENERGY):
            found[f"energy.{name}"] = ("energy", i)
        return found

    @property
    def names(self) -> list[str]:
        """All columns."""
        return [*self._columns(), *(f"info.{name}" for name in StepInfo.fields())]

    def unit(self, name: str) -> str:
        """Unit of a column: "rad", "m/s", "J", ..."""
        if name.startswith("energy."):
            return "W" if name.endswith("power") else "J"
        where = self._columns().get(name)
        if where is None or where[0] in ("time", "step"):
            return "s" if name == "time" else ""
        if where[0] in ("tau", "motor"):
            return "N m or N"
        unit = ffi.new("const char **")
        lib.ff_log_column(self.model._c, int(where[0] == "v"), where[1], ffi.new("char[256]"), 256, unit)
        return text(unit[0])

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        """A column [rows]."""
        if name.startswith("info.") and name[5:] in StepInfo.fields():
            return np.array([getattr(self.info(i), name[5:]) for i in range(len(self))])
        where = self._columns().get(name) or self._columns().get(self._of_base(name))
        if where is None:
            raise unknown("column", name, self.names)
        values = self._read()[where[0]]
        return values if values.ndim == 1 else values[:, where[1]]

    def _of_base(self, name: str) -> str:
        """ "base.z" is that of the floating base, whatever its joint is called."""
        before, _, rest = name.partition("base.")
        base = self.model.base
        return f"{before}{self.model.joints[base].name}.{rest}" if rest and base >= 0 else name

    def __contains__(self, name: object) -> bool:
        return name in self.names or (isinstance(name, str) and self._of_base(name) in self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def frame(self, names: Sequence[str] | None = None) -> Any:
        """A pandas DataFrame of columns, None: of all coordinates, velocities and energies, with time as its index."""
        import pandas  # type: ignore[import-untyped,unused-ignore]

        chosen = names or [n for n, (array_name, _) in self._columns().items() if array_name in ("q", "v", "energy")]
        return pandas.DataFrame({n: self[n] for n in chosen}, index=pandas.Index(self.time, name="time"))

    # ---- Full states ------------------------------------------------------------------------------------------------

    @property
    def states(self) -> int:
        """Number of full states, from which a run can be resumed."""
        return int(self._about.states)

    def state(self, index: int = -1) -> tuple[float, Array]:
        """Time and full state, the last one if it is not said which: `sim.state = log.state()[1]`."""
        out = ffi.new("ff_log_state *")
        with self._turn:
            call(lib.ff_log_read_state, self._c, position(index, self.states, "state"), out)
            return float(out.time), np.frombuffer(ffi.buffer(out.state, 8 * out.state_size)).copy()

    def check(self) -> dict[str, Any]:
        """What is damaged: ff_log_damage in log.h; {} if nothing is."""
        out = ffi.new("ff_log_damage *")
        with self._turn:
            call(lib.ff_log_check, self._c, out)
        found = {name: getattr(out, name) for name, _ in ffi.typeof("ff_log_damage").fields}
        found["list"] = text(out.list)
        return found if found["rows"] or found["states"] or found["list"] else {}

    def recording(self, **options: Any) -> Recording:
        """Frames for drawing and signals for plotting; options as of Recording()."""
        from footfall.record import Recording

        return Recording._of_log(self, options)

    def __repr__(self) -> str:
        if self.closed:
            return "<footfall.Log, closed>"
        told = self.about
        return (
            f"<footfall.Log '{self.path}': {told['title']}, {told['stepper']}, {len(self)} rows from "
            f"{told['from']:g} to {told['to']:g} s, {told['outcome']}>"
        )


class LogWriter(Native):
    """A log open for writing: write() adds the present state of a sim. `with` finishes it.

    An existing file of that name is replaced. Threads take turns; after a fork only the parent writes.
    """

    def __init__(
        self,
        path: StrPath,
        sim: Sim,
        *,
        title: str | None = None,
        ground: Sequence[Ground] = (),
        rows: int = 0,
        state_interval: float = 1.0,
    ) -> None:
        keep: list[Any] = []
        made = ffi.new("ff_log_def *")
        lib.ff_log_def_init(made, ffi.sizeof("ff_log_def"))
        made.model, made.sim, made.rows, made.state_interval = sim.model._c, sim._c, int(rows), float(state_interval)
        if title is not None:
            keep.append(ffi.new("char[]", encoded(title)))
            made.title = keep[-1]
        made.ground, made.ground_count = ground_array(list(ground), keep), len(ground)
        made.files, made.load, name = files_of(sim.model, keep)
        keep.append(ffi.new("char[]", encoded(name)))
        made.file = keep[-1]
        process = os.getpid()

        def finish(p: Any) -> None:
            if os.getpid() == process:
                lib.ff_log_finish(p, NULL)

        self._turn = Turn()
        with sim._turn:
            self._c = owned(create(lib.ff_log_create, "ff_log_writer", encoded(path), made), finish, sim._c)
        self._sim, self._process = sim, process

    def write(self, tau: ArrayLike | None = None) -> None:
        """Add a row: the sim's present state; tau [nv] are the forces over the last step."""
        if os.getpid() != self._process:
            raise errors.ClosedError("this LogWriter was made before the process forked: the parent writes")
        sim = self._sim
        forces = None if tau is None else array(tau, (sim.model.nv,), "tau")
        row, count = ffi.new("ff_log_row *"), ffi.new("int *")
        with self._turn, sim._turn:
            row.time, row.step = lib.ff_sim_time(sim._c), lib.ff_sim_get_totals(sim._c).steps
            row.q, row.v, row.tau = lib.ff_sim_q(sim._c), lib.ff_sim_v(sim._c), pointer(forces)
            row.energy, row.info = lib.ff_sim_energy(sim._c), lib.ff_sim_info(sim._c)[0]
            row.contacts = lib.ff_sim_contacts(sim._c, count)
            row.contact_count = count[0]
            call(lib.ff_log_write, self._c, row)

    def set_end(self, outcome: str, reason: str = "") -> None:
        """Say how the run ended, before close()."""
        with self._turn:
            lib.ff_log_set_end(self._c, encoded(outcome), encoded(reason))

    def __len__(self) -> int:
        """Rows written to the file so far."""
        return int(lib.ff_log_written(self._c))

    def close(self) -> None:
        """Write what is left and close the file. FileError if that fails."""
        if self.closed:
            return
        with self._turn:
            finished = self.__dict__.pop("_c")
            ffi.gc(finished, None)  # this call finishes it, not the garbage collector
            if os.getpid() == self._process:
                call(lib.ff_log_finish, finished)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and not self.closed:
            self.set_end("failed", str(error))
        self.close()

    def __repr__(self) -> str:
        return "<footfall.LogWriter, closed>" if self.closed else f"<footfall.LogWriter: {len(self)} rows written>"
