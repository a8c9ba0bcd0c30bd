// Inertias: adding and moving against point masses, shapes against quadrature, suspicious ones against known
// cases.
#include "model/inertia.h"

#include "model/forest.h"
#include "support/alloc_counter.h"

// ---- Bodies made of point masses: everything follows from sums --------------------------------------------

enum { POINTS = 6 };

typedef struct cloud {
  double m[POINTS], x[POINTS][3];
} cloud;

static cloud random_cloud(rng *r)
{
  cloud c;
  for (int i = 0; i < POINTS; ++i) {
    c.m[i] = random_in(r, 0.1, 1);
    random_vector(r, 3, 1, c.x[i]);
  }
  return c;
}

static ff_inertia sum_of(const cloud *clouds, int count)
{
  ff_inertia out = {0};
  long double com[3] = {0}, m = 0, I[6] = {0};
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < POINTS; ++i) {
      m += clouds[k].m[i];
      for (int j = 0; j < 3; ++j)
        com[j] += clouds[k].m[i] * clouds[k].x[i][j];
    }
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < POINTS; ++i) {
      long double x = clouds[k].x[i][0] - com[0] / m, y = clouds[k].x[i][1] - com[1] / m,
                  z = clouds[k].x[i][2] - com[2] / m, mi = clouds[k].m[i];
      I[0] += mi * (y * y + z * z), I[3] += mi * (x * x + z * z), I[5] += mi * (x * x + y * y);
      I[1] -= mi * x * y, I[2] -= mi * x * z, I[4] -= mi * y * z;
    }
  out.mass = (double)m;
  for (int j = 0; j < 3; ++j)
    out.com[j] = (double)(com[j] / m);
  for (int j = 0; j < 6; ++j)
    out.matrix[j] = (double)I[j];
  return out;
}

static void check_equal(const ff_inertia *a, const ff_inertia *b, double tolerance)
{
  assert_near(a->mass, b->mass, tolerance);
  for (int i = 0; i < 3; ++i)
    assert_near(a->com[i], b->com[i], tolerance);
  for (int i = 0; i < 6; ++i)
    assert_near(a->matrix[i], b->matrix[i], tolerance);
}

static void glued_bodies_are_one_cloud(void **state)
{
  (void)state;
  rng r = {1};
  for (int t = 0; t < 200; ++t) {
    const cloud both[2] = {random_cloud(&r), random_cloud(&r)};
    const ff_inertia a = sum_of(both, 1), b = sum_of(both + 1, 1), want = sum_of(both, 2);
    const ff_inertia got = ff_inertia_add(&a, &b);
    check_equal(&got, &want, 64 * EPS * 12);
  }
  const ff_inertia nothing = ff_inertia_zero();
  const cloud c = random_cloud(&r);
  const ff_inertia a = sum_of(&c, 1), same = ff_inertia_add(&a, &nothing),
                   swapped = ff_inertia_add(&nothing, &a);
  check_equal(&same, &a, 0);
  check_equal(&swapped, &a, 4 * EPS);
  const ff_inertia none = ff_inertia_add(&nothing, &nothing);
  assert_memory_equal(&none, &nothing, sizeof none);
}

static void moved_bodies_are_moved_clouds(void **state)
{
  (void)state;
  rng r = {2};
  for (int t = 0; t < 200; ++t) {
    const cloud c = random_cloud(&r);
    cloud moved = c;
    const ff_pose pose = random_pose(&r);
    double R[9];
    ff_pose_rotation(&pose, R);
    for (int i = 0; i < POINTS; ++i)
      for (int j = 0; j < 3; ++j)
        moved.x[i][j] =
            pose.position[j] + R[3 * j] * c.x[i][0] + R[3 * j + 1] * c.x[i][1] + R[3 * j + 2] * c.x[i][2];
    const ff_inertia a = sum_of(&c, 1), want = sum_of(&moved, 1), got = ff_inertia_transform(&pose, &a);
    check_equal(&got, &want, 64 * EPS * 6);
    // and about an origin: place, then move on
    const double zero[3] = {0, 0, 0}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const ffi_inertia_moments at = ffi_inertia_moments_place(zero, one, &a),
                              there = ffi_inertia_moments_move(pose.position, R, &at),
                              direct = ffi_inertia_moments_place(zero, one, &want);
    assert_near(there.mass, direct.mass, 8 * EPS * 6);
    for (int i = 0; i < 3; ++i)
      assert_near(there.mc[i], direct.mc[i], 64 * EPS * 12);
    for (int i = 0; i < 6; ++i)
      assert_near(there.I[i], direct.I[i], 64 * EPS * 60);
  }
}

// ---- Shapes: integrals over a solid by Gauss-Legendre quadrature in coordinates of the shape --------------

enum { NODES = 8 };
static const double GAUSS_X[NODES] = {-0.9602898564975363, -0.7966664774136267, -0.5255324099163290,
                                      -0.1834346424956498, 0.1834346424956498,  0.5255324099163290,
                                      0.7966664774136267,  0.9602898564975363};
static const double GAUSS_W[NODES] = {0.1012285362903763, 0.2223810344533745, 0.3137066458778873,
                                      0.3626837833783620, 0.3626837833783620, 0.3137066458778873,
                                      0.2223810344533745, 0.1012285362903763};

typedef struct integral {
  double m, xx, yy, zz; // integrals of 1, x^2, y^2, z^2
} integral;

static void accumulate(integral *s, double w, double x2, double y2, double z2)
{
  s->m += w;
  s->xx += w * x2;
  s->yy += w * y2;
  s->zz += w * z2;
}

// A solid of revolution: radius r(z) for z in [low, high]. Over a disk of radius r: area pi r^2, x^2 gives pi
// r^4 / 4.
static void revolve(integral *s, double low, double high,
                    double (*radius_squared)(double z, const double *size), const double *size)
{
  for (int i = 0; i < NODES; ++i) {
    double z = (low + high) / 2 + (high - low) / 2 * GAUSS_X[i], w = (high - low) / 2 * GAUSS_W[i];
    double r2 = radius_squared(z, size);
    s->m += w * PI * r2;
    s->xx += w * PI * r2 * r2 / 4;
    s->yy += w * PI * r2 * r2 / 4;
    s->zz += w * PI * r2 * z * z;
  }
}

static double of_sphere(double z, const double *size)
{
  return size[0] * size[0] - z * z;
}

static double of_cylinder(double z, const double *size)
{
  (void)z;
  return size[0] * size[0];
}

static double of_capsule(double z, const double *size)
{
  double over = fabs(z) - size[1] / 2;
  return size[0] * size[0] - (over > 0 ? over * over : 0);
}

static integral integrate(ff_shape_type type, const double a[3])
{
  integral s = {0};
  switch (type) {
  case FF_SHAPE_SPHERE: revolve(&s, -a[0], a[0], of_sphere, a); break;
  case FF_SHAPE_CYLINDER: revolve(&s, -a[1] / 2, a[1] / 2, of_cylinder, a); break;
  case FF_SHAPE_CAPSULE:
    revolve(&s, -a[1] / 2 - a[0], -a[1] / 2, of_capsule, a);
    revolve(&s, -a[1] / 2, a[1] / 2, of_capsule, a);
    revolve(&s, a[1] / 2, a[1] / 2 + a[0], of_capsule, a);
    break;
  case FF_SHAPE_BOX:
    for (int i = 0; i < NODES * NODES * NODES; ++i) {
      int k[3] = {i % NODES, i / NODES % NODES, i / NODES / NODES};
      double x[3], w = 1;
      for (int j = 0; j < 3; ++j) {
        x[j] = a[j] / 2 * GAUSS_X[k[j]];
        w *= a[j] / 2 * GAUSS_W[k[j]];
      }
      accumulate(&s, w, x[0] * x[0], x[1] * x[1], x[2] * x[2]);
    }
    break;
  case FF_SHAPE_ELLIPSOID: // slices across z, ellipses: x^2 averages (half axis)^2 / 4
    for (int i = 0; i < NODES; ++i) {
      double z = a[2] * GAUSS_X[i], share = 1 - GAUSS_X[i] * GAUSS_X[i];
      accumulate(&s, a[2] * GAUSS_W[i] * PI * a[0] * a[1] * share, a[0] * a[0] * share / 4,
                 a[1] * a[1] * share / 4, z * z);
    }
    break;
  case FF_SHAPE_DISK:
    for (int i = 0; i < NODES; ++i) { // rings: 2 pi r dr, x^2 averages r^2 / 2
      double r = a[0] / 2 * (1 + GAUSS_X[i]), w = a[0] / 2 * GAUSS_W[i] * 2 * PI * r;
      accumulate(&s, w, r * r / 2, r * r / 2, 0);
    }
    break;
  default: break;
  }
  return s;
}

static void shapes_weigh_what_they_enclose(void **state)
{
  (void)state;
  rng r = {3};
  const ff_shape_type types[] = {FF_SHAPE_SPHERE, FF_SHAPE_CYLINDER, FF_SHAPE_CAPSULE, FF_SHAPE_BOX,
                                 FF_SHAPE_DISK,   FF_SHAPE_POINT,    FF_SHAPE_PLANE,   FF_SHAPE_ELLIPSOID};
  for (int t = 0; t < 100; ++t)
    for (size_t k = 0; k < sizeof types / sizeof *types; ++k) {
      ff_shape_def shape = ff_shape_def_default();
      ff_inertia got;
      shape.type = types[k];
      for (int i = 0; i < 3; ++i)
        shape.size[i] = random_in(&r, 0.1, 2);
      const integral s = integrate(shape.type, shape.size);
      assert_int_equal(ff_inertia_from_shape(&shape, 10, &got, NULL), FF_OK);
      // 8 nodes are exact for these polynomials; their 16 digits and some hundred sums are not.
      const double tolerance = 1e-13 * 10 * (s.m + s.xx + s.yy + s.zz);
      assert_near(got.mass, 10 * s.m, tolerance);
      assert_near(got.matrix[0], 10 * (s.yy + s.zz), tolerance);
      assert_near(got.matrix[3], 10 * (s.xx + s.zz), tolerance);
      assert_near(got.matrix[5], 10 * (s.xx + s.yy), tolerance);
      assert_true(got.matrix[1] == 0 && got.matrix[2] == 0 && got.matrix[4] == 0 && got.com[0] == 0);

      ff_inertia placed; // the pose is applied
      shape.pose = random_pose(&r);
      assert_int_equal(ff_inertia_from_shape(&shape, 10, &placed, NULL), FF_OK);
      for (int i = 0; i < 3; ++i)
        assert_near(placed.com[i], shape.pose.position[i], 4 * EPS);
      assert_near(placed.matrix[0] + placed.matrix[3] + placed.matrix[5],
                  got.matrix[0] + got.matrix[3] + got.matrix[5], tolerance);
    }
}

static void a_hull_of_corners_is_a_box(void **state)
{
  (void)state;
  ff_shape_def box = ff_shape_def_default(), hull = ff_shape_def_default();
  double corners[24];
  box.type = FF_SHAPE_BOX;
  box.size[0] = 0.3, box.size[1] = 0.4, box.size[2] = 0.5;
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 3; ++k)
      corners[3 * i + k] = box.size[k] / 2 * (i >> k & 1 ? 1 : -1);
  hull.type = FF_SHAPE_HULL;
  hull.vertices = corners;
  hull.vertex_count = 8;
  rng r = {4};
  box.pose = hull.pose = random_pose(&r);
  ff_inertia a, b;
  assert_int_equal(ff_inertia_from_shape(&box, 1000, &a, NULL), FF_OK);
  assert_int_equal(ff_inertia_from_shape(&hull, 1000, &b, NULL), FF_OK);
  check_equal(&b, &a, 64 * EPS * 60);
}

static void shapes_without_inertia_say_so(void **state)
{
  (void)state;
  const double flat[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  ff_shape_def shape = ff_shape_def_default();
  ff_inertia out;
  ff_error e = {0};
  assert_int_equal(ff_inertia_from_shape(&shape, 1, &out, &e), FF_ERROR_MODEL); // radius 0
  assert_non_null(strstr(e.message, "size 0 of a sphere"));
  shape.size[0] = 1;
  assert_int_equal(ff_inertia_from_shape(&shape, -1, &out, &e), FF_ERROR_MODEL);
  assert_non_null(strstr(e.message, "density"));
  assert_int_equal(ff_inertia_from_shape(&shape, (double)NAN, &out, &e), FF_ERROR_MODEL);
  assert_int_equal(ff_inertia_from_shape(NULL, 1, &out, &e), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_inertia_from_shape(&shape, 1, NULL, &e), FF_ERROR_ARGUMENT);
  shape.type = FF_SHAPE_MESH;
  shape.mesh_file = "m.stl";
  assert_int_equal(ff_inertia_from_shape(&shape, 1, &out, &e), FF_ERROR_UNSUPPORTED);
  shape.type = FF_SHAPE_HULL;
  shape.vertices = flat;
  shape.vertex_count = 4;
  assert_int_equal(ff_inertia_from_shape(&shape, 1, &out, &e), FF_ERROR_MODEL);
  assert_non_null(strstr(e.message, "no volume"));
  double *many = calloc(3 * 30000, sizeof *many);
  shape.vertices = many;
  shape.vertex_count = 30000;
  assert_int_equal(ff_inertia_from_shape(&shape, 1, &out, &e), FF_ERROR_LIMIT);
  free(many);
  if (ffi_test_alloc_works()) {
    const double simplex[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    shape.vertices = simplex;
    shape.vertex_count = 4;
    ffi_test_alloc_fail_at(1);
    assert_int_equal(ff_inertia_from_shape(&shape, 1, &out, &e), FF_ERROR_MEMORY);
    assert_true(ffi_test_alloc_failed());
  }
}

// ---- Suspicious -------------------------------------------------------------------------------------------

// R diag(a, b, c) R'
static ff_inertia turned(rng *r, double a, double b, double c)
{
  const ff_inertia own = {.mass = 1, .matrix = {a, 0, 0, b, 0, c}};
  ff_pose pose = ff_pose_identity();
  random_unit(r, 4, pose.quaternion);
  return ff_inertia_transform(&pose, &own);
}

static void bodies_that_can_exist_pass(void **state)
{
  (void)state;
  rng r = {5};
  char text[400];
  for (int t = 0; t < 500; ++t) {
    const cloud c = random_cloud(&r);
    const ff_inertia a = sum_of(&c, 1);
    assert_false(ffi_inertia_suspicious(&a, text, sizeof text));
    // the edge: rods, disks, points, turned at random
    const double s = pow(10, random_in(&r, -9, 9)), u = random_in(&r, 0, 1) * s;
    const ff_inertia rod = turned(&r, 0, s, s), disk = turned(&r, s, s, 2 * s),
                     plate = turned(&r, u, s, u + s);
    assert_false(ffi_inertia_suspicious(&rod, text, sizeof text));
    assert_false(ffi_inertia_suspicious(&disk, text, sizeof text));
    assert_false(ffi_inertia_suspicious(&plate, text, sizeof text));
  }
  const ff_inertia point = {.mass = 1};
  assert_false(ffi_inertia_suspicious(&point, text, sizeof text));
}

static void impossible_bodies_are_named_with_their_numbers(void **state)
{
  (void)state;
  rng r = {6};
  char text[400];
  for (int t = 0; t < 500; ++t) {
    const double s = pow(10, random_in(&r, -9, 9));
    const ff_inertia broken = turned(&r, s, s, 2 * s * (1 + 1e-12)), negative = turned(&r, -1e-12 * s, s, s);
    assert_true(ffi_inertia_suspicious(&broken, text, sizeof text));
    assert_non_null(strstr(text, "breaks the triangle inequality"));
    assert_true(ffi_inertia_suspicious(&negative, text, sizeof text));
    assert_non_null(strstr(text, "not positive definite"));
  }
  const ff_inertia odd = {.mass = 1, .matrix = {5, 0, 0, 1, 0, 2}};
  assert_true(ffi_inertia_suspicious(&odd, text, sizeof text));
  assert_string_equal(text,
                      "its inertia breaks the triangle inequality: principal moments 1, 2, 5 kg m^2 with "
                      "1 + 2 < 5 by 2");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(glued_bodies_are_one_cloud),
      cmocka_unit_test(moved_bodies_are_moved_clouds),
      cmocka_unit_test(shapes_weigh_what_they_enclose),
      cmocka_unit_test(a_hull_of_corners_is_a_box),
      cmocka_unit_test(shapes_without_inertia_say_so),
      cmocka_unit_test(bodies_that_can_exist_pass),
      cmocka_unit_test(impossible_bodies_are_named_with_their_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
