"""What the C library reports of steps, runs and solves: copies of its structs, read when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from footfall._native import ffi
from footfall._structs import _value


class Report:
    """A copy of a struct of C. Its fields are attributes; as_dict() has all of them."""

    __slots__ = ("_struct",)
    _kind: ClassVar[str] = ""
    _flags: ClassVar[tuple[str, ...]] = ()  # ints that are booleans
    _struct: Any

    def __init__(self, struct: Any) -> None:
        own = ffi.new(f"{self._kind} *")
        ffi.memmove(own, struct if ffi.typeof(struct).kind == "pointer" else ffi.addressof(struct), ffi.sizeof(own[0]))
        self._struct = own

    @classmethod
    def fields(cls) -> list[str]:
        """The names of its fields."""
        return [name for name, _ in ffi.typeof(cls._kind).fields]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        members = dict(ffi.typeof(self._kind).fields)
        if name not in members:
            raise AttributeError(f"a {type(self).__name__} has no field '{name}'; there are {', '.join(members)}")
        given = getattr(self._struct, name)
        return bool(given) if name in self._flags else _value(given, members[name].type, dict)

    def as_dict(self) -> dict[str, Any]:
        """All fields."""
        return {name: getattr(self, name) for name in self.fields()}

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.fields()]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and repr(other.as_dict()) == repr(self.as_dict())

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), bytes(ffi.buffer(self._struct)))

    @classmethod
    def _from_bytes(cls, data: bytes) -> Self:
        made = ffi.new(f"{cls._kind} *")
        if len(data) != ffi.sizeof(made[0]):
            raise ValueError(f"{cls.__name__}: another version of Footfall wrote it")
        ffi.memmove(made, data, len(data))
        return cls(made)

    def __repr__(self) -> str:
        told = {name: value for name, value in self.as_dict().items() if value not in (0, 0.0, "", False)}
        return f"{type(self).__name__}({', '.join(f'{name}={_short(value)}' for name, value in told.items())})"


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else repr(value)


def _again(kind: type[Report], data: bytes) -> Report:
    return kind._from_bytes(data)


class StepInfo(Report):
    """Report of the last step; ff_step_info in sim.h. What the stepper does not use is 0."""

    __slots__ = ()
    _kind = "ff_step_info"
    _flags = ("events_capped", "capped", "converged", "gained")
    contacts: int  #: contacts at the end of the step
    slipping: int  #: how many of these slip
    passed: int  #: with watch_passing: pairs of shapes that tunnelled
    penetration: float  #: deepest overlap at the last evaluation in the step [m]
    pieces: int  #: expo: substeps between two contact events
    touchdowns: int
    liftoffs: int
    slips: int
    sticks: int
    events_capped: bool
    factorisations: int
    substeps: int
    capped: bool
    force_error: float
    integrator_steps: int
    rejected: int
    shortest: float
    longest: float
    inaccurate: int
    projections: int
    located: int
    iterations: int
    converged: bool
    residual: float
    alpha: float
    fallbacks: int
    drift: float
    drift_angle: float
    tries: tuple[int, ...]
    energy_error: float
    energy_share: float
    looks: int
    seconds: tuple[float, ...]  #: with timing: of each phase
    judging: float  #: with timing: of the last phase, the judgement of the step's energy [s]
    gained: bool  #: the energy has grown beyond the work put in
    gain: float  #: energy that the step added beyond the work put in [J]
    work: int


class Passing(Report):
    """Two shapes that tunnelled through each other within a step; ff_passing in sim.h."""

    __slots__ = ()
    _kind = "ff_passing"
    time: float
    shape_a: int
    shape_b: int
    ground: int
    link_a: int
    link_b: int


class Totals(Report):
    """Totals since creation or the last reset; ff_sim_totals in sim.h."""

    __slots__ = ()
    _kind = "ff_sim_totals"
    steps: int
    pieces: int
    touchdowns: int
    liftoffs: int
    slips: int
    sticks: int
    integrator_steps: int
    rejected: int
    projections: int
    located: int
    shortest: float
    longest: float
    tries: tuple[int, ...]
    energy_error: float
    energy_share: float
    inaccurate: int
    unconverged: int
    capped: int
    worst_penetration: float
    worst_drift: float
    passed: int
    gained: int

    @property
    def first_passing(self) -> Passing | None:
        """The first tunnelling, None if there was none."""
        return Passing(self._struct.first_passing) if self._struct.passed else None


class Energy(Report):
    """Energy [J] and power [W] at the present state, work [J] since the last reset; ff_energy in sim.h."""

    __slots__ = ()
    _kind = "ff_energy"
    kinetic: float
    potential: float  #: of gravity, zero at the world's origin
    elastic: float  #: in contact springs and elements
    total: float
    control_power: float  #: tau v of the last tau
    control_work: float  #: of tau, pushes and torque controls


class JointFriction(Report):
    """Dry friction at one velocity of the model; ff_joint_friction in sim.h."""

    __slots__ = ()
    _kind = "ff_joint_friction"
    limit: float  #: largest force [N m] or [N]
    stiffness: float
    damping: float
    spring: float  #: force in the spring


class SceneResult(Report):
    """Observations of a scene since its start; ff_scene_result in scene.h. nan: not applicable."""

    __slots__ = ()
    _kind = "ff_scene_result"
    _flags = ("is_upright",)
    com_error: float
    steps: int
    flight: float
    advance: float
    speed: float
    final_speed: float
    tilt_most: float
    height: float
    is_upright: bool
    penetration: float
    drift: float
    unconverged: float
    contacts: int
    fallen: int
    moved: float
    rise: float
    passed: int
    passing: str
    expected: int
    missed: int
    misses: str


class OdeInfo(Report):
    """Counts of an integration; ff_ode_info in ode.h."""

    __slots__ = ()
    _kind = "ff_ode_info"
    steps: int
    rejected: int
    evaluations: int
    guard_evaluations: int
    events: int
    last_step: float


class EssInfo(Report):
    """Counts of an event-selected integration; ff_ess_info in ess.h."""

    __slots__ = ()
    _kind = "ff_ess_info"
    steps: int
    rejected: int
    evaluations: int
    crossings: int
    projections: int
    located: int
    turned: int
    wide: int
    hasty: int
    slowest: float
    fastest: float


class WholeBodyInfo(Report):
    """Report of the last solve of whole-body control; whole_body.h."""

    __slots__ = ()
    _kind = "ff_whole_body_info"
    status: str
    iterations: int
    limits: int
    unmoved: float
    com: float
    contacts: float
    frames: float
    posture: float
    momentum: float


@dataclass(frozen=True)
class BatchMemory:
    """Sizes in bytes."""

    robot: int  #: per robot: state, inputs, reports
    thread: int  #: per thread: workspace and evaluation
    total: int


@dataclass(frozen=True)
class BatchCounts:
    """How steps were taken since the batch was created."""

    steps: int  #: of all robots
    in_lanes: int  #: of these, those in lanes
    lanes: int  #: lanes of all passes through the vectors, with a robot or without
    useful: int  #: of these lanes, those whose result was kept
    alone: dict[str, int]  #: steps taken one by one, by the reason (ff_batch_alone in batch.h)
    why: str | None  #: why this world has no steps in lanes; None: it has some
