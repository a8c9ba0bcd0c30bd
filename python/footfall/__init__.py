"""Footfall: simulate articulated robots in stiff frictional contact.

    import footfall as ff

    world = ff.World("solo12.urdf", stepper="expo", dt=2e-3)
    sim = world.sim(posture="standing")
    for _ in range(1000):
        sim.step(kp * (q_ref - sim.q[7:]) - kd * sim.v[6:])
    sim.contacts.force

World, Sim and Batch simulate; Model, Builder and Dynamics are the robot; Scene and Log are files; Ode and Ess are
equations of your own. docs/guide/python.md leads through all of it.
"""

from pathlib import Path as _Path

from footfall._native import lib as _lib
from footfall._native import text as _text
from footfall._table import TABLE as OPTIONS
from footfall._table import Option
from footfall.batch import Batch
from footfall.batch_robot import BatchRobot
from footfall.builder import Builder
from footfall.compare import Comparison, LocalError, Trial, compare
from footfall.contacts import Contacts
from footfall.control import Controller, Feedback, Jump, Trajectory, Trot, plan
from footfall.cut import Cut
from footfall.dynamics import Dynamics
from footfall.elements import Element, Point
from footfall.errors import (
    ArgumentError,
    ClosedError,
    Error,
    FileError,
    InterruptedStep,
    LimitError,
    ModelError,
    NumericError,
    OutOfMemory,
    ParseError,
    StoppedError,
    UnknownName,
    UnsupportedError,
)  # fmt: skip
from footfall.ess import Ess
from footfall.handles import JointHandle, LinkHandle
from footfall.infos import (
    ActuatorInfo,
    ControlInfo,
    FrameInfo,
    JointInfo,
    LinkInfo,
    Named,
    ShapeInfo,
    ShapePair,
    TendonInfo,
)  # fmt: skip
from footfall.log import Log, LogWriter
from footfall.mesh import Mesh
from footfall.model import Model
from footfall.motions import Motion, Squat, Walk
from footfall.ode import Ode
from footfall.options import Options
from footfall.parameters import Parameters
from footfall.pictures.live import LiveView
from footfall.pictures.render import Renderer
from footfall.pictures.view import View, view
from footfall.pose import Pose
from footfall.propose import Proposal, gap, motors, new, put_on_ground, tilt
from footfall.record import Recording
from footfall.reports import Energy, StepInfo, Totals
from footfall.scene import Scene
from footfall.shapes import Ground, Inertia, Material, Shape
from footfall.sim import Sim
from footfall.solution import Solution, reference
from footfall.whole_body import ContactTask, FrameTask, Task, WholeBody
from footfall.words import STEPPERS, instruction_set, is_hard, quantity
from footfall.world import World

__version__ = _text(_lib.ff_version())


def share(name: str = "") -> str:
    """The path of a model or scene that comes with Footfall: share("models/solo12.urdf")."""
    here = _Path(__file__).resolve().parent
    for folder in (here / "share", here.parent.parent):
        if (folder / "models/solo12.urdf").exists():
            if not (folder / name).exists():
                raise FileError(f"{folder / name}: there is no such model or scene", file=str(folder / name))
            return str(folder / name)
    raise FileError(f"{here / 'share'}: models and scenes are missing", file=str(here))


__all__ = [
    "ActuatorInfo",
    "ArgumentError",
    "Batch",
    "BatchRobot",
    "Builder",
    "ClosedError",
    "Comparison",
    "ContactTask",
    "Contacts",
    "ControlInfo",
    "Controller",
    "Cut",
    "Dynamics",
    "Element",
    "Energy",
    "Error",
    "Ess",
    "Feedback",
    "FileError",
    "FrameInfo",
    "FrameTask",
    "Ground",
    "Inertia",
    "InterruptedStep",
    "JointHandle",
    "JointInfo",
    "Jump",
    "LimitError",
    "LinkHandle",
    "LinkInfo",
    "LiveView",
    "LocalError",
    "Log",
    "LogWriter",
    "Material",
    "Mesh",
    "Model",
    "ModelError",
    "Motion",
    "Named",
    "NumericError",
    "Ode",
    "Option",
    "Options",
    "OutOfMemory",
    "Parameters",
    "ParseError",
    "Point",
    "Pose",
    "Proposal",
    "Recording",
    "Renderer",
    "Scene",
    "Shape",
    "ShapeInfo",
    "ShapePair",
    "Sim",
    "Solution",
    "Squat",
    "StepInfo",
    "StoppedError",
    "Task",
    "TendonInfo",
    "Totals",
    "Trajectory",
    "Trial",
    "Trot",
    "UnknownName",
    "UnsupportedError",
    "View",
    "Walk",
    "WholeBody",
    "World",
    "__version__",
    "compare",
    "gap",
    "instruction_set",
    "is_hard",
    "motors",
    "new",
    "OPTIONS",
    "plan",
    "put_on_ground",
    "quantity",
    "reference",
    "share",
    "STEPPERS",
    "tilt",
    "view",
]
