"""Ode and Ess with callbacks in Python, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import footfall as ff

G = 9.81


def test_a_falling_stone_stops_at_the_ground() -> None:
    ode = ff.Ode(lambda t, x: [x[1], -G], [1.0, 0.0], guards=lambda t, x: [x[0], x[1] + 100], direction=[-1, 0])
    assert ode.advance(10) == 0
    assert ode.time == pytest.approx(np.sqrt(2 / G), rel=1e-9)
    np.testing.assert_allclose(ode.state, [0, -np.sqrt(2 * G)], atol=1e-8)
    begin, end = ode.last_step
    assert begin < end and ode.at(end).shape == (2,) and ode.info.events == 1 and "2 numbers" in repr(ode)
    ode.start([0.0, 1.0], t=1.0)
    ode.step(1.01)
    assert 1 < ode.time <= 1.01
    assert ff.Ode(lambda t, x: -x, 1.0).advance(1) == -1


def test_rotations_by_retract_and_pull() -> None:
    """A rotation about z at 1 rad/s as a unit complex number: the displacement is the angle."""
    ode = ff.Ode(
        lambda t, x: [1.0],
        [1.0, 0.0],
        tangent=1,
        pull=lambda x, d, velocity: velocity,
        retract=lambda x, d: [x[0] * np.cos(d[0]) - x[1] * np.sin(d[0]), x[0] * np.sin(d[0]) + x[1] * np.cos(d[0])],
    )
    ode.advance(1.0)
    np.testing.assert_allclose(ode.state, [np.cos(1), np.sin(1)], atol=1e-9)


def test_what_callbacks_raise_is_raised() -> None:
    class Mine(Exception):
        pass

    def bad(t: float, x: np.ndarray) -> list[float]:
        raise Mine("here")

    ode = ff.Ode(lambda t, x: [1.0] if t < 0.5 else bad(t, x), [0.0])
    with pytest.raises(Mine, match="here"):
        ode.advance(1)
    kept: list[np.ndarray] = []
    ff.Ode(lambda t, x: kept.append(x) or -x, [1.0]).advance(1)
    assert np.ptp([float(x[0]) for x in kept]) > 0.1  # what a callback keeps is its own
    with pytest.raises(ValueError):
        kept[0][0] = 1
    for rate in (lambda t, x: [1.0, 2.0], lambda t, x: "text"):
        with pytest.raises((ff.ArgumentError, ValueError, TypeError)):
            ff.Ode(rate, [0.0]).advance(1)
    with pytest.raises(ff.NumericError):  # no rate anywhere beyond
        ff.Ode(lambda t, x: None if t > 0.5 else [1.0], [0.0]).advance(1)
    with pytest.raises(ZeroDivisionError):
        ff.Ode(lambda t, x: [1.0], [0.0], guards=lambda t, x: [1 / (0 if x[0] > 0.5 else 1)]).advance(1)
    for wrong in ({"relative_tolerance": -1}, {"direction": [1]}, {"max_steps": 0}):
        with pytest.raises(ff.ArgumentError):
            ff.Ode(lambda t, x: x, [1.0], **wrong)  # type: ignore[arg-type]
    with pytest.raises(ff.ArgumentError):
        ff.Ode(lambda t, x: x, [np.nan])
    with pytest.raises(ff.ArgumentError):
        ode.start([1.0, 2.0])


def hopper(**options: object) -> ff.Ess:
    def field(t: float, x: np.ndarray, side: np.ndarray) -> list[float]:
        return [x[1], -G + (400 * (1 - x[0]) if side[0] > 0 else 0)]

    return ff.Ess(field, lambda x: [1 - x[0], x[0] - 1], [2.0, 0.0], rearm=[(0, 1), (1, 0)], **options)  # type: ignore[arg-type]


def period() -> float:
    """Flight down and up, and the arc of the spring in between: of the closed solution."""
    flight, w = np.sqrt(2 / G), 20.0
    speed = np.sqrt(2 * G)
    return 2 * flight + (2 * np.pi - 2 * np.arctan2(speed / w, G / w**2)) / w


def test_a_hopper_returns() -> None:
    told: list[int] = []
    ess = hopper(
        epsilon=1e-5, relative_tolerance=1e-10, absolute_tolerance=1e-12, record=lambda t, x, guard: told.append(guard)
    )
    assert ess.next(5) == 0 and ess.side.tolist() == [1, -1]
    assert ess.next(5) == 1
    assert ess.next(0.1 + ess.time) == -1
    ess.start([2.0, 0.0])
    ess.advance(period())
    np.testing.assert_allclose(ess.state, [2, 0], atol=1e-5)
    assert (
        ess.info.crossings == 2
        and ess.time == pytest.approx(period())
        and told.count(0) == 2
        and "2 guards" in repr(ess)
    )


def test_derivatives_through_guards_are_differences() -> None:
    ess = hopper(method="locate", relative_tolerance=1e-11, absolute_tolerance=1e-13)
    end, D = ess.derivative([2.0, 0.0], 1.2)
    for k, e in enumerate(np.eye(2) * 1e-6):
        ends = []
        for s in (1, -1):
            ess.start(np.array([2.0, 0.0]) + s * e)
            ess.advance(1.2)
            ends.append(ess.state)
        np.testing.assert_allclose(D[k], (ends[0] - ends[1]) / 2e-6, rtol=1e-5, atol=1e-5)
    one = ess.derivative([2.0, 0.0], 1.2, [[1.0, 2.0]])[1]
    np.testing.assert_allclose(one[0], D[0] + 2 * D[1], rtol=1e-6)
    cycle = ess.monodromy([2.0, 0.0], period())
    np.testing.assert_allclose(np.linalg.det(cycle), 1, rtol=1e-6)  # no energy is lost
    after, time, map_ = ess.return_map([1.0, np.sqrt(2 * G)], 1, 5.0, side0=[-1, 1])
    assert time == pytest.approx(period(), rel=1e-6) and map_.shape == (2, 2)
    np.testing.assert_allclose(after, [1.0, np.sqrt(2 * G)], atol=1e-6)


def test_all_callbacks_of_an_event_selected_system() -> None:
    """A ball that bounces with e = 0.5, with every slope given and on a 'manifold' that is flat."""
    used: set[str] = set()

    def note(name: str, value: object) -> object:
        used.add(name)
        return value

    ess = ff.Ess(
        lambda t, x, side: [x[1], -1.0],
        lambda x: [-x[0]],
        [1.0, 0.0],
        rearm=[(0, 0)],
        relative_tolerance=1e-10,
        guard_slope=lambda x: note("guard_slope", [[-1.0, 0.0]]),
        guard_rate=lambda x, dx: note("guard_rate", [-dx[0]]),
        field_slope=lambda t, x, side: note("field_slope", [[0.0, 1.0], [0.0, 0.0]]),
        reset=lambda guard, t, x, side: note("reset", [x[0], -0.5 * x[1]]),
        reset_slope=lambda guard, t, x, side: note("reset_slope", [[1.0, 0.0], [0.0, -0.5]]),
        retract=lambda x, d: note("retract", x + d),
        pull=lambda x, d, velocity: note("pull", velocity),
        difference=lambda x, y: note("difference", y - x),
        epsilons=[1e-6],
    )
    ess.advance(np.sqrt(2) + 0.1)
    v = 0.5 * np.sqrt(2)
    np.testing.assert_allclose(ess.state, [v * 0.1 - 0.005, v - 0.1], atol=1e-5)
    ess.derivative([1.0, 0.0], 1.5)
    assert used >= {"guard_rate", "field_slope", "reset", "reset_slope", "retract"}
    ff.Ess(
        lambda t, x, side: [x[1], -1.0],
        lambda x: [-x[0]],
        [1.0, 0.0],
        guard_slope=lambda x: note("guard_slope", [[-1.0, 0.0]]),
    ).advance(2)
    assert "guard_slope" in used
    for bad in ({"side": [1, 1, 1]}, {"epsilons": [1, 2]}, {"method": "guess"}, {"epsilon": -1}):
        with pytest.raises(ff.ArgumentError):
            ff.Ess(lambda t, x, side: [1.0], lambda x: [x[0]], [0.5], **bad)  # type: ignore[arg-type]
    for field in (lambda t, x, side: 1 / 0, lambda t, x, side: [1, 2, 3]):
        with pytest.raises((ZeroDivisionError, ff.ArgumentError)):
            ff.Ess(field, lambda x: [x[0] - 1], [0.0]).advance(1)
    with pytest.raises(ff.Error):
        ff.Ess(lambda t, x, side: None, lambda x: [x[0] - 1], [0.0]).advance(1)
