"""The renderer against a caster of rays in numpy, which knows no triangles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import footfall as ff
from footfall.pictures import render, solids
from footfall.shapes import Shape

# A red ball before a green box, and a blue capsule, all fixed to a slide along x, on the plane z = 0.
SCENE = """<mujoco model="three"><worldbody><geom type="plane" size="9 9 1"/>
<body name="all" pos="0 0 0"><joint name="rail" type="slide" axis="1 0 0"/>
<geom type="sphere" size="0.25" pos="0.2 -0.6 0.4" rgba="0.9 0.1 0.1 1"/>
<geom type="box" size="0.3 0.2 0.4" pos="0.3 0.1 0.5" euler="0 0 30" rgba="0.1 0.8 0.1 1"/>
<geom type="capsule" fromto="-0.6 0 0.3 -0.6 0 0.9" size="0.12" rgba="0.1 0.1 0.9 1"/>
</body></worldbody></mujoco>"""
BALL = np.array([0.2, -0.6, 0.4])


def rays(r: ff.Renderer, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The eye, and the directions [H, W, 3] through the middle of all pixels."""
    eye, axes, focal = r.camera(q)
    column, row = np.meshgrid(np.arange(r.width) + 0.5, np.arange(r.height) + 0.5)
    a = (2 * column / r.width - 1) * r.width / r.height / focal
    b = (1 - 2 * row / r.height) / focal
    return eye, a[..., None] * axes[0] + b[..., None] * axes[1] - axes[2]


def hit_ball(eye: np.ndarray, ray: np.ndarray, centre: np.ndarray, radius: float) -> np.ndarray:
    x = eye - centre
    a, b, c = (ray * ray).sum(-1), ray @ x, x @ x - radius**2
    inner = b * b - a * c
    return np.where(inner > 0, (-b - np.sqrt(np.maximum(inner, 0))) / a, np.inf)


def hit_box(eye: np.ndarray, ray: np.ndarray, half: np.ndarray, centre: np.ndarray, R: np.ndarray) -> np.ndarray:
    x, d = R.T @ (eye - centre), ray @ R
    with np.errstate(divide="ignore"):
        first, second = (-half - x) / d, (half - x) / d
    near, far = np.minimum(first, second).max(-1), np.maximum(first, second).min(-1)
    return np.where(near < far, near, np.inf)


def hit_capsule(eye: np.ndarray, ray: np.ndarray, low: np.ndarray, high: np.ndarray, radius: float) -> np.ndarray:
    """By many balls along it: an upper bound that is close."""
    places = low + np.linspace(0, 1, 200)[:, None] * (high - low)
    return np.min([hit_ball(eye, ray, place, radius) for place in places], axis=0)


@pytest.fixture(scope="module")
def three() -> ff.World:
    return ff.World(ff.Model.from_text(SCENE))


def seen(image: np.ndarray) -> np.ndarray:
    """0: ground or sky, 1: red, 2: green, 3: blue."""
    strong = image.astype(int)
    which = strong.argmax(-1) + 1
    others = np.sort(strong, -1)[..., 1]
    return np.where(strong.max(-1) > 1.9 * others, which, 0)


def edges(of: np.ndarray) -> np.ndarray:
    """Pixels with another neighbour."""
    found = np.zeros(of.shape, bool)
    for axis in (0, 1):
        for shift in (1, -1):
            found |= of != np.roll(of, shift, axis)
    return found


@pytest.mark.parametrize(("azimuth", "elevation", "at"), [(-0.9, 0.3, 0.0), (-1.6, 0.05, 0.4), (2.1, 1.2, -0.3)])
def test_pixels_of_a_known_pose(three: ff.World, azimuth: float, elevation: float, at: float) -> None:
    r = ff.Renderer(three, width=300, height=200, samples=1, azimuth=azimuth, elevation=elevation, distance=3.0)
    q = np.array([at])
    image = r.draw(q)
    assert image.shape == (200, 300, 3) and image.dtype == np.uint8
    eye, ray = rays(r, q)
    aside = np.array([at, 0, 0])
    turn = ff.Pose.from_rpy((0, 0, 0), (0, 0, np.pi / 6)).R
    with np.errstate(divide="ignore"):
        plane = np.where(ray[..., 2] < 0, -eye[2] / ray[..., 2], 1e9)
    far = np.stack([
        plane,
        hit_ball(eye, ray, BALL + aside, 0.25),
        hit_box(eye, ray, np.array([0.3, 0.2, 0.4]), np.array([0.3, 0.1, 0.5]) + aside, turn),
        hit_capsule(eye, ray, np.array([-0.6, 0, 0.3]) + aside, np.array([-0.6, 0, 0.9]) + aside, 0.12),
    ])  # fmt: skip
    expected = far.argmin(0)
    differ = seen(image) != expected
    assert all((expected == k).sum() > 300 for k in (0, 1, 2, 3))
    # A ball of 32 faces around is at most 1 - cos(pi / 32) = 0.5 % smaller, a fraction of a pixel here.
    near = edges(expected)
    assert differ.sum() <= near.sum() and not (differ & ~near).any()


def test_light_falls_by_the_cosine(three: ff.World) -> None:
    r = ff.Renderer(three, width=300, height=200, samples=1, azimuth=-0.9, elevation=0.5, distance=3.0)
    q = np.zeros(1)
    image, (eye, ray) = r.draw(q), rays(r, q)
    turn = ff.Pose.from_rpy((0, 0, 0), (0, 0, np.pi / 6)).R
    half, centre = np.array([0.3, 0.2, 0.4]), np.array([0.3, 0.1, 0.5])
    far = hit_box(eye, ray, half, centre, turn)
    inside = np.isfinite(far) & (seen(image) == 2)
    local = (eye + np.where(inside, far, 0)[..., None] * ray - centre) @ turn / half
    checked = 0
    for axis in range(3):
        for side in (1.0, -1.0):
            face = inside & (np.abs(local[..., axis] - side) < 1e-9) & (np.abs(local).max(-1) < 1 + 1e-9)
            face &= ~edges(face)
            if face.sum() < 100:
                continue
            light = render.AMBIENT + (1 - render.AMBIENT) * max(0.0, side * turn[:, axis] @ render.LIGHT)
            expected = np.round(255 * light * np.array([0.1, 0.8, 0.1]))
            assert np.abs(image[face].astype(int) - expected).max() <= 1
            checked += 1
    assert checked >= 2


def test_shadows() -> None:
    """The ground is dark where a ball stands between it and the light, and only there."""
    ball = ff.World(
        ff.Model.from_text("\n".join(line for line in SCENE.splitlines() if "box" not in line and "caps" not in line))
    )
    r = ff.Renderer(ball, width=300, height=200, samples=1, azimuth=0.8, elevation=1.0, distance=3.0)
    q = np.zeros(1)
    image, (eye, ray) = r.draw(q), rays(r, q)
    x = eye - (eye[2] / ray[..., 2])[..., None] * ray - BALL  # from the ball to the ground behind a pixel
    expected = np.sqrt((x * x).sum(-1) - (x @ render.LIGHT) ** 2) < 0.25
    # Squares are 0.77 and 0.83 bright at most, shadows take 28 % of that.
    light = render.AMBIENT + (1 - render.AMBIENT) * render.LIGHT[2]
    dark = image.max(-1) < 255 * light * 0.69
    differ = (dark != expected) & ~edges(expected) & (hit_ball(eye, ray, BALL, 0.26) == np.inf)
    assert not differ.any() and (expected & dark).sum() > 300


def test_the_same_bits_and_what_follows(world: ff.World) -> None:
    q = world.model.posture("standing").copy()
    r = ff.Renderer(world, width=120, height=90)
    first = r.draw(q)
    np.testing.assert_array_equal(first, r.draw(q))
    np.testing.assert_array_equal(first, ff.Renderer(world, width=120, height=90).draw(q))
    # The camera goes along: eight tiles further the picture is the same.
    tile = float(r._camera(r.camera(q)).tile)
    moved = q.copy()
    moved[0] += 8 * tile
    differ = np.abs(r.draw(moved).astype(int) - first).max(-1) > 2
    assert differ.mean() < 1e-3  # samples on an edge, by rounding
    stays = ff.Renderer(world, width=120, height=90, follow=False)
    np.testing.assert_array_equal(stays.draw(q), first)
    assert np.abs(stays.draw(moved).astype(int) - first).max() > 50
    assert "120 x 90" in repr(r)


def volume(faces: np.ndarray) -> float:
    a, b, c = faces.transpose(1, 0, 2)
    return float((np.cross(a, b) * c).sum() / 6)


def test_triangles_of_shapes() -> None:
    random = np.random.default_rng(0)
    points = random.standard_normal((60, 3))
    box = np.array([[x, y, z] for x in (0, 1.0) for y in (0, 2.0) for z in (0, 3.0)])
    assert volume(box[solids.hull(box)]) == pytest.approx(6, rel=1e-12)  # closed, outwards, also with flat sides
    faces = solids.hull(points)
    a, b, c = points[faces].transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    above = np.einsum("fk,pfk->pf", normal, points[:, None] - a)
    assert above.max() <= 1e-12 and len(faces) == 2 * len(np.unique(faces)) - 4  # Euler
    assert len(solids.hull(np.zeros((5, 3)))) == 0
    sizes: dict[str, tuple[tuple[float, ...], np.ndarray]] = {
        "box": ((1, 2, 3), np.array([0.5, 1, 1.5])), "sphere": ((0.5,), np.array([0.5] * 3)),
        "ellipsoid": ((1, 2, 3), np.array([1, 2, 3])), "capsule": ((0.5, 2.0), np.array([0.5, 0.5, 1.5])),
        "cylinder": ((0.5, 2.0), np.array([0.5, 0.5, 1.0])), "disk": ((0.5,), np.array([0.5, 0.5, 0.0])),
    }  # fmt: skip
    for kind, (size, half) in sizes.items():
        found = solids.triangles(Shape(kind, size))
        np.testing.assert_allclose(found.reshape(-1, 3).max(0), half, atol=1e-12)
        np.testing.assert_allclose(found.reshape(-1, 3).min(0), -half, atol=1e-12)
    heights = random.uniform(size=(4, 5))
    field = solids.triangles(Shape("heightfield", (2.0, 3.0), heights=heights))
    assert len(field) == 2 * 3 * 4 and field[..., 2].max() == heights.max()
    assert len(solids.triangles(Shape("point"))) == len(solids.triangles(Shape("mesh", mesh_file="/no.stl"))) == 0
    assert len(solids.triangles(Shape("hull", vertices=box))) == 12


def test_grounds_and_near_triangles(solo: str) -> None:
    hills = ff.Ground.heightfield(np.zeros((3, 3)), (20.0, 20.0))
    world = ff.World(solo, ground=[hills, ff.Ground.box((1, 1, 0.1), ff.Pose((0, 2, 0)))])
    q = world.model.posture("standing")
    image = ff.Renderer(world, width=80, height=60, distance=0.2).draw(q)  # from within: the near plane cuts
    assert image.std() > 1
    none = ff.Renderer(ff.World(solo, ground=()), width=80, height=60).draw(q)
    assert none.std() > 1
    slope = ff.Renderer(ff.World(solo, ground=ff.Ground.plane(slope=1.2)), width=80, height=60).draw(q)
    assert np.abs(slope.astype(int) - none).max() > 20


def test_what_cannot_be_drawn(world: ff.World) -> None:
    wrong: list[dict[str, Any]] = [
        {"width": 0}, {"height": -1}, {"samples": 0}, {"width": 10**5, "height": 10**5}, {"distance": 0.0},
        {"azimuth": np.nan}, {"q": np.zeros(3)},
    ]  # fmt: skip
    for keywords in wrong:
        with pytest.raises(ff.ArgumentError):
            ff.Renderer(world, **keywords)
    r = ff.Renderer(world.model, width=20, height=20)
    for q in (np.zeros(3), np.full(19, np.inf), "text"):
        with pytest.raises(ff.ArgumentError):
            r.draw(q)
