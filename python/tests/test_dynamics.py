"""Rigid-body dynamics: one row and many, against each other and against what must hold."""

from __future__ import annotations

import numpy as np
import pytest

import footfall as ff


@pytest.fixture(scope="module")
def rows(solo: str) -> tuple[ff.Model, ff.Dynamics, np.ndarray, np.ndarray, np.ndarray]:
    model = ff.Model(solo)
    rng = np.random.default_rng(0)
    q = model.integrate(model.posture("standing"), 0.5 * rng.standard_normal((11, 18)))
    return model, model.dynamics(), q, rng.standard_normal((11, 18)), rng.standard_normal((11, 18))


def test_inverse_and_forward_dynamics_agree(rows: tuple) -> None:
    model, d, q, v, a = rows
    tau = d.rnea(q, v, a)
    np.testing.assert_allclose(d.aba(q, v, tau), a, rtol=1e-8, atol=1e-8)
    M, h = d.mass_matrix(q), d.bias(q, v)
    np.testing.assert_allclose(np.einsum("nij,nj->ni", M, a) + h, tau, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(np.einsum("nij,nj->ni", M, d.solve(q, a)), a, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(M, M.transpose(0, 2, 1))
    np.testing.assert_allclose(d.gravity(q), d.bias(q, np.zeros(18)), atol=1e-12)
    np.testing.assert_allclose(d.kinetic_energy(q, v), 0.5 * np.einsum("ni,nij,nj->n", v, M, v), rtol=1e-10)


def test_one_row_is_as_many(rows: tuple) -> None:
    model, d, q, v, a = rows
    foot = [("FL_FOOT", (0, 0, 0)), ff.Point(model.frame("HR_FOOT"), (0.01, 0, 0))]
    calls = [
        lambda q, v, a: d.mass_matrix(q), lambda q, v, a: d.bias(q, v), lambda q, v, a: d.aba(q, v, a),
        lambda q, v, a: d.frame_pose(q, "FL_FOOT")[0], lambda q, v, a: d.frame_velocity(q, v, "FL_FOOT"),
        lambda q, v, a: d.frame_acceleration(q, v, a, "FL_FOOT", "local"), lambda q, v, a: d.com(q),
        lambda q, v, a: d.frame_bias(q, v, "FL_FOOT"), lambda q, v, a: d.jacobian(q, "FL_FOOT", "world"),
        lambda q, v, a: d.com_jacobian(q), lambda q, v, a: d.momentum(q, v), lambda q, v, a: d.momentum_bias(q, v),
        lambda q, v, a: d.potential_energy(q), lambda q, v, a: d.point_jacobian(q, foot),
        lambda q, v, a: d.minv_jt(q, foot), lambda q, v, a: d.delassus(q, foot), lambda q, v, a: d.solve(q, a),
        lambda q, v, a: d.aba_derivatives(q, v, a, [(foot[0], (1, 2, 3))])[0],
        lambda q, v, a: d.rnea_derivatives(q, v, a, [(foot[1], (1, 2, 3))])[1],
    ]  # fmt: skip
    for k, function in enumerate(calls):
        whole = function(q, v, a)
        assert whole.shape[0] == 11
        for i in (0, 7, 10):
            one = function(q[i], v[i], a[i])
            scale = 1 + np.abs(one).max()
            np.testing.assert_allclose(whole[i], one, atol=1e-11 * scale, err_msg=f"call {k}")
    assert d.lanes in (2, 4, 8) and d.isa in ("base", "avx2", "avx512") and "solo" in repr(d)


def test_jacobians_are_rates(rows: tuple) -> None:
    model, d, q, v, a = rows
    J = d.jacobian(q[0], "FL_FOOT")
    np.testing.assert_allclose(J @ v[0], d.frame_velocity(q[0], v[0], "FL_FOOT"), atol=1e-12)
    np.testing.assert_allclose(d.com_jacobian(q[0]) @ v[0] * model.mass, d.momentum(q[0], v[0])[:3], atol=1e-12)
    step = 1e-6
    ahead, behind = (d.frame_pose(model.integrate(q[0], s * step * v[0]), "FL_FOOT")[0] for s in (1, -1))
    np.testing.assert_allclose(J[:3] @ v[0], (ahead - behind) / (2 * step), atol=1e-7)
    P = d.point_jacobian(q[0], [("FL_FOOT", (0, 0, 0))])
    np.testing.assert_allclose(P, J[:3], atol=1e-12)
    U = d.delassus(q[0], [("FL_FOOT", (0, 0, 0))])
    np.testing.assert_allclose(U, P @ d.minv_jt(q[0], [("FL_FOOT", (0, 0, 0))]), atol=1e-9)
    _, R = d.frame_pose(q[0], 0)
    np.testing.assert_array_equal(R, np.eye(3))


def test_derivatives_are_differences(rows: tuple) -> None:
    model, d, q, v, tau = rows
    dq, dv, Minv = d.aba_derivatives(q[0], v[0], tau[0])
    step = 1e-6
    for k in (0, 4, 9):
        e = np.zeros(18)
        e[k] = step
        change = (d.aba(model.integrate(q[0], e), v[0], tau[0]) - d.aba(model.integrate(q[0], -e), v[0], tau[0])) / (
            2 * step
        )
        np.testing.assert_allclose(dq[:, k], change, rtol=1e-5, atol=1e-4 * np.abs(dq).max())
        change = (d.aba(q[0], v[0] + e, tau[0]) - d.aba(q[0], v[0] - e, tau[0])) / (2 * step)
        np.testing.assert_allclose(dv[:, k], change, rtol=1e-5, atol=1e-4 * np.abs(dv).max())
    np.testing.assert_allclose(Minv @ d.mass_matrix(q[0]), np.eye(18), atol=1e-8)
    rq, rv = d.rnea_derivatives(q[0], v[0], d.aba(q[0], v[0], tau[0]))
    np.testing.assert_allclose(-Minv @ rv, dv, atol=1e-8 * (1 + np.abs(dv).max()))
    np.testing.assert_allclose(-Minv @ rq, dq, atol=1e-7 * (1 + np.abs(dq).max()))


def test_bad_input(rows: tuple) -> None:
    model, d, q, v, a = rows
    for bad in (q[0][:-1], "text", [[1.0, 2.0]], None, q[0] + 1j, np.zeros((2, 3, 19))):
        with pytest.raises(ff.ArgumentError):
            d.mass_matrix(bad)
    with pytest.raises(ff.ArgumentError, match="rows"):
        d.bias(q, v[:3])
    with pytest.raises(ff.UnknownName):
        d.jacobian(q[0], "FL_FOT")
    with pytest.raises(ff.ArgumentError):
        d.jacobian(q[0], 99)
    with pytest.raises(ff.ArgumentError, match="none of"):
        d.jacobian(q[0], "FL_FOOT", "sideways")
    with pytest.raises(ff.ArgumentError, match="max_points"):
        ff.Dynamics(model, max_points=1).delassus(q[0], [("FL_FOOT", (0, 0, 0))] * 2)
    with pytest.raises(ff.ArgumentError, match="none of"):
        ff.Dynamics(model, isa="sse9")
    np.testing.assert_array_equal(d.bias(q[::2], v[::2]), d.bias(q[::2].copy(), v[::2].copy()))  # strides are followed
    np.testing.assert_array_equal(d.com(q.astype(np.float32)), d.com(q.astype(np.float32).astype(float)))
    assert d.mass_matrix(np.zeros((0, 19))).shape == (0, 18, 18)
