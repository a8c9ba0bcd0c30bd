"""All that one robot can be asked and told, whether it is a sim of its own or one of a batch; sim.h."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from footfall import errors
from footfall._native import (
    NULL,
    Array,
    ArrayLike,
    Turn,
    array,
    call,
    encoded,
    ffi,
    lib,
    numbers,
    pointer,
    portions,
    text,
)  # fmt: skip
from footfall._structs import word
from footfall.contacts import Contacts
from footfall.dynamics import Dynamics
from footfall.elements import Element, read_element
from footfall.infos import Named
from footfall.pose import Pose
from footfall.reports import Energy, JointFriction, StepInfo, Totals

if TYPE_CHECKING:
    from footfall.handles import JointHandle, LinkHandle
    from footfall.model import Model
    from footfall.parameters import Parameters
    from footfall.world import World


class Robot:
    """One robot: `_c` is its ff_sim, `_turn` is for one thread at a time."""

    _c: Any
    _turn: Turn
    world: World
    model: Model
    _dynamics: Dynamics | None = None

    def _changed(self) -> None:
        """Called when something other than a step has changed the state."""

    @property
    def q(self) -> Array:
        """Configuration [nq]: live, read-only."""
        raise NotImplementedError

    @property
    def v(self) -> Array:
        """Velocity [nv]: live, read-only."""
        raise NotImplementedError

    # ---- State ------------------------------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Since the last reset [s]."""
        with self._turn:
            return float(lib.ff_sim_time(self._c))

    @property
    def dt(self) -> float:
        """Duration of a step [s]."""
        return self.world.dt

    def reset(self, q: ArrayLike | None = None, v: ArrayLike | None = None) -> None:
        """Reset to time 0 at q [nq], v [nv]. None: neutral, at rest."""
        start = None if q is None else array(q, (self.model.nq,), "q")
        speed = None if v is None else array(v, (self.model.nv,), "v")
        with self._turn:
            call(lib.ff_sim_reset, self._c, pointer(start), pointer(speed))
            self._changed()

    def set_posture(self, posture: str) -> None:
        """Reset to a posture of the model, at rest."""
        with self._turn:
            call(lib.ff_sim_set_posture, self._c, encoded(posture))
            self._changed()

    @property
    def state(self) -> Array:
        """A copy of the full state: everything that the next step depends on. Assign to restore it, to the bit."""
        with self._turn:
            out = np.empty(lib.ff_sim_state_size(self._c))
            lib.ff_sim_get_state(self._c, pointer(out))
        return out

    @state.setter
    def state(self, state: ArrayLike) -> None:
        with self._turn:
            given = array(state, (lib.ff_sim_state_size(self._c),), "state")
            call(lib.ff_sim_set_state, self._c, pointer(given))
            self._changed()

    @property
    def parameters(self) -> Parameters:
        """A copy of masses, materials, gains, gravity, ground poses. Assign to change them; the state stays."""
        out = self.world.parameters()
        with self._turn:
            call(lib.ff_sim_get_parameters, self._c, out._c)
        return out

    @parameters.setter
    def parameters(self, parameters: Parameters) -> None:
        with self._turn:
            call(lib.ff_sim_set_parameters, self._c, parameters._c)
            self._changed()

    # ---- Inputs -----------------------------------------------------------------------------------------------------

    def set_controls(self, u: ArrayLike) -> None:
        """Set the controls u [nu]: references from now on, torques for the next step."""
        given = array(u, (self.world.nu,), "u")
        with self._turn:
            call(lib.ff_sim_set_controls, self._c, pointer(given))

    def push(
        self,
        link: int | str,
        force: ArrayLike | None = None,
        torque: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
    ) -> None:
        """Apply a force [N] and a torque [N m] to a link during the next step, world axes.

        The force acts at the point `at` of the link's frame [m], None: its origin. Pushes add up until a step.
        """
        index = self.model._index("link", link)
        given = [
            None if x is None else array(x, (3,), name)
            for x, name in ((at, "at"), (force, "force"), (torque, "torque"))
        ]
        with self._turn:
            call(lib.ff_sim_push, self._c, index, *(pointer(x) for x in given))

    def set_reference(self, element: int | str, reference: float, velocity: float = 0.0) -> None:
        """Set the reference of a motor (PD element), by its name or index, and its velocity, from now on."""
        with self._turn:
            index = self._element(element)
            status = lib.ff_sim_set_reference(self._c, index, float(reference), float(velocity))
            if status == lib.FF_ERROR_LIMIT:
                raise errors.LimitError("more references wait for the motor's delay than there is room for")
            if status != 0:
                raise errors.ArgumentError(f"element {element!r} takes no reference {reference!r}", thing="element")
            self._changed()

    def move_ground(self, ground: int, pose: Pose | None = None, velocity: ArrayLike | None = None) -> None:
        """Set pose and velocity [6] of a ground shape; anchors of contacts move along. None: as it is."""
        speed = None if velocity is None else array(velocity, (6,), "velocity")
        with self._turn:
            if lib.ff_sim_move_ground(self._c, int(ground), pose._struct() if pose else NULL, pointer(speed)) != 0:
                raise errors.ArgumentError(f"ground {ground} cannot be moved to {pose!r}, {velocity!r}", thing="ground")
            self._changed()

    # ---- What happens -----------------------------------------------------------------------------------------------

    @property
    def contacts(self) -> Contacts:
        """Contacts at the present state: a copy."""
        with self._turn:
            count = ffi.new("int *")
            found = lib.ff_sim_contacts(self._c, count)
            return Contacts.from_c(found, count[0])

    @property
    def info(self) -> StepInfo:
        """Report of the last step: a copy."""
        with self._turn:
            return StepInfo(lib.ff_sim_info(self._c))

    @property
    def totals(self) -> Totals:
        """Totals since creation or the last reset: a copy."""
        with self._turn:
            return Totals(lib.ff_sim_get_totals(self._c))

    @property
    def history(self) -> list[tuple[float, str]]:
        """ca, c2a: lengths [s] and outcomes of the attempted integrator steps of the last step."""
        with self._turn:
            count = ffi.new("int *")
            tries = lib.ff_sim_history(self._c, count)
            return [(tries[i].length, word("ff_c2a_reason", tries[i].reason)) for i in range(count[0])]

    @property
    def passing(self) -> str:
        """The first tunnelling in words, "" if there was none; with watch_passing."""
        room = ffi.new("char[]", lib.FF_PASSING_TEXT)
        with self._turn:
            lib.ff_sim_describe_passing(self._c, room)
        return text(room)

    def energy(self) -> Energy:
        """Energy at the present state."""
        with self._turn:
            return Energy(lib.ff_sim_energy(self._c))

    def predict_forces(self, duration: float, count: int, tau: ArrayLike | None = None) -> Array:
        """Forces of the present contacts at `count` times from 0 to `duration`, from the frozen system.

        [count, contacts, 3], world axes, without friction cones.
        """
        forces = None if tau is None else array(tau, (self.model.nv,), "tau")
        contacts = ffi.new("int *")
        with self._turn:
            arguments = (self._c, pointer(forces), float(duration), int(count))
            call(lib.ff_sim_predict_forces, *arguments, NULL, contacts)
            out = np.zeros((int(count), contacts[0], 3))
            if out.size:
                call(lib.ff_sim_predict_forces, *arguments, pointer(out), contacts)
        return out

    # ---- Elements ---------------------------------------------------------------------------------------------------

    def _element(self, element: int | str) -> int:
        count = int(lib.ff_sim_element_count(self._c))
        if isinstance(element, str):
            index = int(lib.ff_sim_find_element(self._c, encoded(element)))
            if index < 0:
                joint = int(lib.ff_model_find_joint(self.model._c, encoded(element)))
                index = int(lib.ff_sim_find_motor(self._c, joint)) if joint >= 0 else -1
            if index < 0:
                raise errors.UnknownName(
                    f"there is no element '{element}', and no motor of such a joint", thing="element"
                )
            return index
        if not isinstance(element, (int, np.integer)) or not -count <= element < count:
            raise errors.ArgumentError(f"there is no element {element!r}: there are {count}", thing="element")
        return int(element) % count

    @property
    def elements(self) -> Named[Element]:
        """Elements in their present state: the model's first, then those of the world."""

        def get(index: int) -> Element:
            with self._turn:
                return read_element(lib.ff_sim_element, self._c, index)

        with self._turn:
            count = int(lib.ff_sim_element_count(self._c))
        return Named("element", count, get, lambda i: get(i).name or "")

    def element_force(self, element: int | str) -> Array:
        """Force of an element on `a`, world axes: [1] for joint elements and couplings, [3] for points, [6]."""
        with self._turn:
            index = self._element(element)
            kind = self.elements[index].type
            out = np.zeros(6)
            if lib.ff_sim_element_force(self._c, index, pointer(out)) != 0:
                raise errors.ArgumentError(f"there is no force of element {element!r}", thing="element")
        width = 1 if kind.startswith("joint_") or kind == "coupling" else 3 if kind == "point" else 6
        return out[:width].copy()

    def find_motor(self, joint: int | str) -> int:
        """The element that is the motor of a joint; -1: it has none."""
        with self._turn:
            return int(lib.ff_sim_find_motor(self._c, self.model._index("joint", joint)))

    def joint_friction(self, v: int) -> JointFriction:
        """Dry friction at velocity v of the model; all 0 if there is none."""
        out = ffi.new("ff_joint_friction *")
        with self._turn:
            if lib.ff_sim_joint_friction(self._c, int(v), out) != 0:
                raise errors.ArgumentError(f"there is no velocity {v}: there are {self.model.nv}", thing="v")
        return JointFriction(out)

    # ---- By name ----------------------------------------------------------------------------------------------------

    def joint(self, joint: int | str) -> JointHandle:
        """A joint by name: `.q`, `.v` live, `.motor`, `.info`."""
        from footfall.handles import JointHandle

        return JointHandle(self, self.model.joint(joint))

    def link(self, link: int | str) -> LinkHandle:
        """A link by name: `.pose`, `.velocity`, `.contacts`, `.force`, push()."""
        from footfall.handles import LinkHandle

        return LinkHandle(self, self.model.link(link))

    @property
    def dynamics(self) -> Dynamics:
        """Working memory of its own for M, Jacobians, ... of the model: `sim.dynamics.mass_matrix(sim.q)`."""
        if self._dynamics is None:
            self._dynamics = Dynamics(self.model)
        return self._dynamics

    def poses(self, frames: list[int] | None = None) -> Array:
        """Poses of frames, None: of all links: [count, 7], position and quaternion x y z w."""
        if frames is None:
            frames = [self.model.links[i].frame for i in range(len(self.model.links))]
        chosen = np.array([self.model.frame(f) for f in frames], np.int32)
        out = np.empty((len(chosen), 7))
        worker = self.dynamics
        with worker._turn:
            lib.ff_dynamics_kinematics(worker._one, pointer(numbers(self.q, "q")), NULL, NULL)
            lib.ffp_frame_poses(worker._one, pointer(chosen, "int"), len(chosen), pointer(out))
        return out

    def run(self, steps: int, control: Callable[[Any, Array], object] | None = None) -> int:
        """Take `steps` steps; returns how many were taken.

        control(sim, tau) is called before each: it writes tau [nv] (zero at entry), or sets controls, and returns
        False to stop. What it raises ends the run and is raised here.
        """
        from footfall import _callbacks

        done, taken = ffi.new("int *"), 0
        function = lib.ffp_sim_control if control else NULL
        with self._turn, _callbacks.Handle(self, control) as handle:
            try:
                for portion in portions(int(steps), 1000):
                    call(lib.ff_sim_run, self._c, portion, function, handle.pointer, done)
                    taken += int(done[0])
                    if done[0] < portion:
                        break
            finally:
                self._changed()
                handle.reraise()
        return taken

    def interrupt(self) -> None:
        """End the step under way in another thread, which then raises InterruptedStep; if there is none, the next."""
        lib.ff_sim_interrupt(self._c)
