"""A robot of a batch, with all functions of a sim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from footfall._native import Array, ArrayLike, array, call, lib, pointer
from footfall._robot import Robot

if TYPE_CHECKING:
    from footfall.batch import Batch
    from footfall.parameters import Parameters


class BatchRobot(Robot):
    """A robot of a batch, with all functions of a sim."""

    def __init__(self, batch: Batch, index: int) -> None:
        self.batch, self.index = batch, index
        self.world, self.model = batch.world, batch.model
        self._turn = batch._turn

    @property
    def _c(self) -> Any:
        return lib.ff_batch_sim(self.batch._c, self.index)

    def _changed(self) -> None:
        lib.ff_batch_q(self.batch._c)  # what was changed shows in the batch's arrays

    @property
    def parameters(self) -> Parameters:
        """A copy of its parameters. Assign to change them; the state stays."""
        return Robot.parameters.fget(self)  # type: ignore[attr-defined,no-any-return,unused-ignore]

    @parameters.setter
    def parameters(self, parameters: Parameters) -> None:
        self.batch.set_parameters(self.index, parameters)

    @property
    def q(self) -> Array:
        """Configuration [nq]: live, read-only."""
        return self.batch.q[self.index]  # type: ignore[no-any-return,unused-ignore]

    @property
    def v(self) -> Array:
        """Velocity [nv]: live, read-only."""
        return self.batch.v[self.index]  # type: ignore[no-any-return,unused-ignore]

    def step(self, u: ArrayLike | None = None, *, tau: ArrayLike | None = None) -> None:
        """Take one step with this robot alone; Sim.step()."""
        forces = None if tau is None else array(tau, (self.world.nv,), "tau")
        with self._turn:
            if u is not None:
                self.set_controls(u)
            try:
                call(lib.ff_sim_step, self._c, pointer(forces))
            finally:
                self._changed()

    def __repr__(self) -> str:
        return f"<robot {self.index} of {self.batch!r}: t = {self.time:g} s>"
