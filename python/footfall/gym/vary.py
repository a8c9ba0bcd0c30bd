"""Domain randomisation: what differs from robot to robot and from episode to episode."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from footfall._native import Array

if TYPE_CHECKING:
    from footfall.batch import Batch

Range = tuple[float, float]


@dataclass(frozen=True)
class Pushes:
    """Horizontal pushes of a link in random directions."""

    link: str  #: that is pushed, at its origin
    impulse: Range = (0.0, 0.5)  #: magnitude [N s], uniform
    every: Range = (2.0, 4.0)  #: time between two pushes [s], uniform
    duration: float = 0.1  #: of a push [s]


@dataclass(frozen=True)
class Randomisation:
    """Ranges from which each robot draws at its reset, uniformly; (1, 1) of a factor: as in the world."""

    mass: Range = (1.0, 1.0)  #: factor of masses and inertias
    friction: Range = (1.0, 1.0)  #: factor of mu of all collision shapes
    stiffness: Range = (1.0, 1.0)  #: factor of K of all collision shapes
    damping: Range = (1.0, 1.0)  #: factor of B of all collision shapes
    gains: Range = (1.0, 1.0)  #: factor of the motors' gains
    latency: Range = (0.0, 0.0)  #: of actions [s], rounded to physics steps; below a control step
    pushes: Pushes | None = None

    @property
    def changes_parameters(self) -> bool:
        """Does any robot need parameters of its own?"""
        return any(r != (1.0, 1.0) for r in (self.mass, self.friction, self.stiffness, self.damping, self.gains))


@dataclass
class Vary:
    """A randomisation at work for the robots of a batch."""

    batch: Batch
    what: Randomisation
    skip: int  #: physics steps in a control step
    latency: npt.NDArray[np.int64] = field(init=False)  #: [n] physics steps
    _next: Array = field(init=False)  #: [n] time of the next push
    _end: Array = field(init=False)  #: [n] end of the push under way
    _force: Array = field(init=False)  #: [n, 3]

    def __post_init__(self) -> None:
        n = len(self.batch)
        self.latency = np.zeros(n, np.int64)
        self._next, self._end, self._force = np.full(n, np.inf), np.full(n, -np.inf), np.zeros((n, 3))

    def reset(self, robots: npt.NDArray[np.int64], random: np.random.Generator) -> None:
        """Draw anew for robots that begin an episode."""
        count = len(robots)
        if count and self.what.changes_parameters:
            names = ("mass", "friction", "stiffness", "damping", "gains")
            ranges: dict[str, Range] = {name: getattr(self.what, name) for name in names}
            drawn = {name: random.uniform(low, high, count) for name, (low, high) in ranges.items()}
            self.batch.vary(robots, **drawn)
        if self.what.latency != (0.0, 0.0):
            drawn_latency = random.uniform(*self.what.latency, count) / self.batch.world.dt
            self.latency[robots] = np.minimum(np.rint(drawn_latency).astype(np.int64), self.skip)
        if self.what.pushes is not None:
            self._next[robots] = random.uniform(*self.what.pushes.every, count)
            self._end[robots] = -np.inf

    @property
    def is_plain(self) -> bool:
        """No robot has latency, and none is pushed."""
        return self.what.latency == (0.0, 0.0) and self.what.pushes is None

    def plan(self, random: np.random.Generator) -> bool:
        """Begin pushes that are due in this control step. True if any robot is pushed in it."""
        pushes = self.what.pushes
        if pushes is None:
            return False
        time, length = self.batch.time, self.skip * self.batch.world.dt
        due = np.flatnonzero(self._next < time + length)
        if len(due):
            angle, size = random.uniform(0, 2 * np.pi, len(due)), random.uniform(*pushes.impulse, len(due))
            force = (size / pushes.duration)[:, None] * np.stack([np.cos(angle), np.sin(angle), 0 * angle], -1)
            self._force[due], self._end[due] = force, self._next[due] + pushes.duration
            self._next[due] += pushes.duration + random.uniform(*pushes.every, len(due))
        return bool((self._end > time).any())

    def push(self) -> None:
        """Push for the next physics step those whose push is under way."""
        pushes = self.what.pushes
        if pushes is None:
            return
        chosen = self._end > self.batch.time + self.batch.world.dt / 2
        if chosen.any():
            self.batch.push(pushes.link, self._force, robots=chosen)
