// The use of touches: bodies that are dropped come to rest on what is below, with springs at their touches. A body of 1
// kg, damped springs along the normals, drag across them, small steps; no list of expected touches.
#include "geometry/solids.h"

#include "support/samples.h"

static const double K = 2e4, B = 60, DRAG = 15, DT = 4e-4, G = 9.81;

typedef struct world {
  body moving, fixed[8];
  int fixed_count;
  double v[3], w[3], inertia[3]; // world axes; own axes
  double deepest;                // of all gaps at the last step
  int carriers;
} world;

static void set_moving(world *s, const body *b)
{
  const double *a = b->solid.size, r = b->solid.radius;
  s->moving = *b;
  if (b->solid.type == FF_SHAPE_HULL)
    s->moving.solid.vertices = s->moving.vertices;
  for (int k = 0; k < 3; ++k)
    s->inertia[k] = 0.2 * r * r;
  if (b->solid.type == FF_SHAPE_BOX)
    for (int k = 0; k < 3; ++k)
      s->inertia[k] = (a[(k + 1) % 3] * a[(k + 1) % 3] + a[(k + 2) % 3] * a[(k + 2) % 3]) / 12;
}

static void push(const world *s, const ffi_touch *t, double f[3], double m[3])
{
  double arm[3], u[3], force[3], moment[3];
  ffi_v3_sub(t->point, s->moving.p, arm);
  ffi_v3_cross(s->w, arm, u);
  ffi_v3_add(u, s->v, u);
  const double un = ffi_v3_dot(u, t->normal), fn = fmax(0, -K * t->gap - B * un);
  for (int k = 0; k < 3; ++k)
    force[k] = fn * t->normal[k] - DRAG * (u[k] - un * t->normal[k]);
  ffi_v3_cross(arm, force, moment);
  ffi_v3_add(f, force, f);
  ffi_v3_add(m, moment, m);
}

static void step(world *s)
{
  double f[3] = {0, 0, -G}, m[3] = {0}, l[3], turned[9], T[9], w[3];
  s->deepest = 0;
  s->carriers = 0;
  for (int i = 0; i < s->fixed_count; ++i) {
    ffi_touch list[MOST];
    const int count = touches(&s->moving, &s->fixed[i], 0, list);
    for (int k = 0; k < count; ++k)
      push(s, &list[k], f, m);
    s->deepest = fmin(s->deepest, count ? least_gap(list, count) : 0);
    s->carriers += count;
  }
  ffi_v3_add_scaled(DT, f, s->v);
  ffi_m3_tmulv(s->moving.R, m, l); // no gyroscopic term: things here turn slowly when it matters
  for (int k = 0; k < 3; ++k)
    l[k] /= s->inertia[k];
  ffi_m3_mulv(s->moving.R, l, l);
  ffi_v3_add_scaled(DT, l, s->w);
  ffi_v3_add_scaled(DT, s->v, s->moving.p);
  ffi_v3_scale(DT, s->w, w);
  turn(w, T);
  ffi_m3_mul(T, s->moving.R, turned);
  ffi_m3_polish(turned);
  ffi_m3_copy(turned, s->moving.R);
}

static double speed(const world *s)
{
  return ffi_v3_norm(s->v) + ffi_v3_norm(s->w) * 0.3;
}

// After a fall by `height`, if nothing of its energy is lost: all of it in one of the two.
static double most_speed(const world *s, double height)
{
  const double least = fmin(s->inertia[0], fmin(s->inertia[1], s->inertia[2])),
               energy = 9.81 * fmax(height, 0) + 0.01;
  return sqrt(2 * energy) + 0.3 * sqrt(2 * energy / least);
}

static void run(world *s, double duration)
{
  for (int i = 0; i < duration / DT; ++i)
    step(s);
}

// ---- Ground of three kinds --------------------------------------------------------------------------------

static void drop_on(ff_shape_type ground, ff_shape_type type, rng *r)
{
  static const double origin[3] = {0}, up[3] = {0, 0, 1};
  static world s;
  body b;
  memset(&s, 0, sizeof s);
  random_body(r, type, &b);
  for (int k = 0; k < 3; ++k)
    b.solid.size[k] = 0.1 + 0.3 * b.solid.size[k];
  if (type != FF_SHAPE_HULL)
    b.solid.radius = ffi_solid_radius(&b.solid);
  random_rotation(r, b.R);
  random_vector(r, 2, 0.3, b.p);
  b.p[2] = 0.05 + random_in(r, 0, 0.1) - lowest(&b, origin, up);
  set_moving(&s, &b);
  s.fixed_count = 1;
  if (ground == FF_SHAPE_HEIGHTFIELD) {
    random_body(r, ground, &s.fixed[0]);
    memset(s.fixed[0].heights, 0, sizeof s.fixed[0].heights);
  } else {
    make_body(ground, 4, 4, 2, &s.fixed[0]);
    s.fixed[0].p[2] = ground == FF_SHAPE_BOX ? -1 : 0;
  }
  const double height = s.moving.p[2];
  run(&s, 3);
  const double under = lowest(&s.moving, origin, up);
  // At rest three springs carry 1 kg, or one of them does: 0.5 mm. Bodies that roll keep the speed of their fall; in
  // the usual cases that is slow.
  const double fast = ffi_samples_are_usual() ? 0.3 : most_speed(&s, height - s.moving.p[2]);
  if (!(under < 0 && under > -1e-3 && s.deepest > -1e-3 && s.carriers > 0 && speed(&s) < fast))
    fail_msg("a %s on a %s: lowest point %g, deepest touch %g of %d, speed %g", ff_shape_type_name(type),
             ff_shape_type_name(ground), under, s.deepest, s.carriers, speed(&s));
  if (type == FF_SHAPE_BOX || type == FF_SHAPE_HULL)
    assert_true(speed(&s) < 0.02);
}

static void everything_comes_to_rest_on_the_ground(void **state)
{
  (void)state;
  static const ff_shape_type grounds[] = {FF_SHAPE_PLANE, FF_SHAPE_BOX, FF_SHAPE_HEIGHTFIELD};
  rng r = {1};
  for (int g = 0; g < 3; ++g)
    for (int i = 0; i < ffi_samples(21); ++i)
      drop_on(grounds[g], (ff_shape_type)(FF_SHAPE_SPHERE + i % 5), &r);
  for (int g = 0; g < 3; ++g)
    drop_on(grounds[g], FF_SHAPE_HULL, &r);
}

// ---- Stairs -----------------------------------------------------------------------------------------------

static void make_stairs(world *s)
{
  s->fixed_count = 6;
  for (int i = 0; i < 5; ++i) {
    make_body(FF_SHAPE_BOX, 0.3, 2, 1, &s->fixed[i]);
    ffi_v3_set(0.3 * i, 0, 0.15 * i - 0.5, s->fixed[i].p);
  }
  make_body(FF_SHAPE_PLANE, 0, 0, 0, &s->fixed[5]);
  s->fixed[5].p[2] = -0.15;
}

static void nothing_falls_through_stairs(void **state)
{
  (void)state;
  static const ff_shape_type types[] = {FF_SHAPE_BOX, FF_SHAPE_CAPSULE, FF_SHAPE_CYLINDER, FF_SHAPE_SPHERE,
                                        FF_SHAPE_DISK};
  static world s;
  rng r = {2};
  for (int i = 0; i < ffi_samples(25); ++i) {
    body b;
    memset(&s, 0, sizeof s);
    const double thick = random_in(&r, 0.03, 0.08), length = random_in(&r, 0.2, 0.6);
    make_body(types[i % 5], types[i % 5] == FF_SHAPE_BOX ? length : thick,
              types[i % 5] == FF_SHAPE_BOX ? thick : length, thick, &b);
    random_rotation(&r, b.R);
    ffi_v3_set(random_in(&r, 0.3, 0.9), random_in(&r, -0.3, 0.3), 1.2, b.p);
    set_moving(&s, &b);
    make_stairs(&s);
    double deepest = 0;
    for (int k = 0; k < 2.5 / DT; ++k) {
      step(&s);
      deepest = fmin(deepest, s.deepest);
    }
    // Falling 1 m it arrives with 4.4 m/s: a spring of 2e4 N/m stops 1 kg within 31 mm. At rest there is 0.5 mm.
    if (!(deepest > -0.04 && s.deepest > -2e-3 && s.moving.p[2] > -0.15))
      fail_msg("%s %d: once %g deep, %g in the end, at %g %g %g", ff_shape_type_name(types[i % 5]), i,
               deepest, s.deepest, s.moving.p[0], s.moving.p[1], s.moving.p[2]);
  }
}

// ---- Things that must stay where they are -----------------------------------------------------------------

static void stays(world *s, const char *what)
{
  const body start = s->moving;
  double apart[3], T[9];
  run(s, 2);
  ffi_v3_sub(s->moving.p, start.p, apart);
  ffi_m3_tmul(start.R, s->moving.R, T);
  const double turned = acos(fmin(1, 0.5 * (T[0] + T[4] + T[8] - 1)));
  if (!(ffi_v3_norm(apart) < 2e-3 && turned < 0.01 && speed(s) < 1e-3))
    fail_msg("%s: moved by %g, turned by %g, speed %g", what, ffi_v3_norm(apart), turned, speed(s));
}

static void place(world *s, double x, double y, double z, double px, double pz)
{
  body b;
  memset(s, 0, sizeof *s);
  make_body(FF_SHAPE_BOX, x, y, z, &b);
  ffi_v3_set(px, 0, pz, b.p);
  set_moving(s, &b);
  s->fixed_count = 1;
}

static void boxes_stay_on_boxes(void **state)
{
  (void)state;
  static world s;
  rng r = {3};
  for (int i = 0; i < 6; ++i) { // one size, one above the other, to a hair or a millimetre
    place(&s, 0.2, 0.2, 0.2, i ? pow(10, -2 - i * 2) * random_in(&r, -1, 1) : 0, 0.2);
    s.moving.p[1] = s.moving.p[0] * random_in(&r, -1, 1);
    make_body(FF_SHAPE_BOX, 0.2, 0.2, 0.2, &s.fixed[0]);
    stays(&s, "a cube on a cube");
  }
  for (int i = 0; i < 5; ++i) { // over an edge by almost half
    place(&s, 0.3, 0.1, 0.02, 0.5 - 0.15 + 0.03 * i, 0.26);
    make_body(FF_SHAPE_BOX, 1, 1, 0.5, &s.fixed[0]);
    stays(&s, "a foot over an edge");
  }
  place(&s, 1, 0.1, 0.04, 0, 0.04);
  make_body(FF_SHAPE_BOX, 0.1, 2, 0.04, &s.fixed[0]);
  stays(&s, "a plank across a plank");
  place(&s, 0.4, 0.4, 0.02, 0, 0.51);
  make_body(FF_SHAPE_BOX, 0.05, 0.05, 1, &s.fixed[0]);
  stays(&s, "a plate on a post");
}

static void cylinders_stand(void **state)
{
  (void)state;
  static world s;
  rng r = {4};
  for (int i = 0; i < 6; ++i) {
    body b;
    memset(&s, 0, sizeof s);
    make_body(FF_SHAPE_CYLINDER, 0.05, 0.3, 0, &b);
    const double w[3] = {random_in(&r, -5e-3, 5e-3), random_in(&r, -5e-3, 5e-3), 0};
    turn(w, b.R);
    b.p[2] = 0.15;
    set_moving(&s, &b);
    make_body(i % 2 ? FF_SHAPE_BOX : FF_SHAPE_PLANE, 1, 1, 1, &s.fixed[0]);
    s.fixed[0].p[2] = i % 2 ? -0.5 : 0;
    s.fixed_count = 1;
    run(&s, 2);
    assert_true(s.moving.R[8] > 1 - 1e-6); // upright
    assert_true(speed(&s) < 1e-3);
  }
}

// ---- Things of all kinds on each other --------------------------------------------------------------------

// A box as the hull of its corners.
static void make_hull(double x, double y, double z, body *out)
{
  memset(out, 0, sizeof *out);
  ffi_m3_identity(out->R);
  for (int i = 0; i < 8; ++i)
    ffi_v3_set((i & 1 ? 0.5 : -0.5) * x, (i & 2 ? 0.5 : -0.5) * y, (i & 4 ? 0.5 : -0.5) * z,
               out->vertices + 3 * i);
  out->solid = (ffi_solid){.type = FF_SHAPE_HULL, .vertices = out->vertices, .vertex_count = 8};
  out->solid.radius = ffi_solid_radius(&out->solid);
}

static void own_vertices(body *b)
{
  if (b->solid.type == FF_SHAPE_HULL)
    b->solid.vertices = b->vertices;
}

static void put_on(world *s, const body *upper, const double *inertia, const body *lower, double x, double z)
{
  memset(s, 0, sizeof *s);
  set_moving(s, upper);
  if (inertia)
    ffi_v3_copy(inertia, s->inertia);
  ffi_v3_set(x, 0, z, s->moving.p);
  s->fixed[0] = *lower;
  own_vertices(&s->fixed[0]);
  s->fixed_count = 1;
}

static void hulls_stay_on_hulls(void **state)
{
  (void)state;
  static const double cube[3] = {0.04 / 6, 0.04 / 6, 0.04 / 6}, plank[3] = {0.001, 0.084, 0.084};
  static world s;
  body a, b;
  rng r = {5};
  for (int i = 0; i < 6; ++i) { // one size, one above the other, to a hair or a millimetre
    make_hull(0.2, 0.2, 0.2, &a);
    make_hull(0.2, 0.2, 0.2, &b);
    put_on(&s, &a, cube, &b, i ? pow(10, -1 - i * 2) * random_in(&r, -1, 1) : 0, 0.2);
    s.moving.p[1] = s.moving.p[0] * random_in(&r, -1, 1);
    stays(&s, "a hull on a hull");
  }
  for (int i = 0; i < 5; ++i) { // turned
    const double w[3] = {0, 0, i == 0 ? PI / 4 : random_in(&r, 0, PI)};
    make_hull(0.2, 0.2, 0.2, &a);
    make_hull(0.2, 0.2, 0.2, &b);
    put_on(&s, &a, cube, &b, 0.02, 0.2);
    turn(w, s.moving.R);
    stays(&s, "a hull turned on a hull");
  }
  make_hull(1, 0.1, 0.04, &a);
  make_hull(0.1, 2, 0.04, &b);
  put_on(&s, &a, plank, &b, 0, 0.04);
  stays(&s, "a hull across a hull");
  for (int i = 0; i < 3; ++i) { // over an edge by almost half
    make_hull(0.3, 0.1, 0.02, &a);
    make_hull(1, 1, 0.5, &b);
    put_on(&s, &a, (const double[]){0.001, 0.0075, 0.0083}, &b, 0.5 - 0.15 + 0.05 * i, 0.26);
    stays(&s, "a hull over an edge of a hull");
  }
}

static void hulls_stay_on_boxes(void **state)
{
  (void)state;
  static world s;
  body a, b;
  make_hull(1, 0.1, 0.04, &a);
  make_body(FF_SHAPE_BOX, 0.1, 2, 0.04, &b);
  put_on(&s, &a, (const double[]){0.001, 0.084, 0.084}, &b, 0, 0.04);
  stays(&s, "a hull across a box");
  make_hull(0.4, 0.4, 0.02, &a);
  make_body(FF_SHAPE_BOX, 0.05, 0.05, 1, &b);
  put_on(&s, &a, (const double[]){0.013, 0.013, 0.027}, &b, 0, 0.51);
  stays(&s, "a hull on a post");
  make_hull(0.3, 0.1, 0.02, &a);
  make_body(FF_SHAPE_BOX, 1, 1, 0.5, &b);
  put_on(&s, &a, (const double[]){0.001, 0.0075, 0.0083}, &b, 0.47, 0.26);
  stays(&s, "a hull over an edge of a box");
}

static void round_things_stay_on_each_other(void **state)
{
  (void)state;
  static const double y[3] = {0, PI / 2, 0}, x[3] = {PI / 2, 0, 0};
  static const ff_shape_type lower[] = {FF_SHAPE_CYLINDER, FF_SHAPE_CAPSULE, FF_SHAPE_HULL};
  static world s;
  body a, b;
  for (int i = 0; i < 3; ++i) // lying across two that lie
    for (int k = 0; k < 2; ++k) {
      make_body(k ? FF_SHAPE_CAPSULE : FF_SHAPE_CYLINDER, 0.05, 0.6, 0, &a);
      if (k == 1 && lower[i] == FF_SHAPE_CAPSULE)
        continue;
      make_body(lower[i], 0.06, 0.5, 0, &b);
      if (lower[i] == FF_SHAPE_HULL)
        make_hull(0.12, 0.12, 0.5, &b);
      put_on(&s, &a, NULL, &b, 0.01, 0.11);
      turn(y, s.moving.R);
      turn(x, s.fixed[0].R);
      s.fixed[1] = s.fixed[0];
      own_vertices(&s.fixed[1]);
      s.fixed_count = 2;
      s.fixed[0].p[0] = -0.2;
      s.fixed[1].p[0] = 0.2;
      stays(&s, ff_shape_type_name(lower[i]));
    }
  for (int i = 0; i < 3; ++i) { // standing, and a disk that lies
    make_body(i == 2 ? FF_SHAPE_DISK : FF_SHAPE_CYLINDER, 0.1, 0.2, 0, &a);
    make_body(FF_SHAPE_CYLINDER, i ? 0.12 : 0.1, 0.2, 0, &b);
    put_on(&s, &a, NULL, &b, 0.03 * i, i == 2 ? 0.1 : 0.2);
    stays(&s, "on a cylinder");
    make_hull(0.2, 0.2, 0.2, &b);
    put_on(&s, &a, NULL, &b, 0.03 * i, i == 2 ? 0.1 : 0.2);
    stays(&s, "on a hull");
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_comes_to_rest_on_the_ground),
      cmocka_unit_test(nothing_falls_through_stairs),
      cmocka_unit_test(boxes_stay_on_boxes),
      cmocka_unit_test(cylinders_stand),
      cmocka_unit_test(hulls_stay_on_hulls),
      cmocka_unit_test(hulls_stay_on_boxes),
      cmocka_unit_test(round_things_stay_on_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
