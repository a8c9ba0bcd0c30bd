// Conservative advancement against closed forms: when things meet, and what may go on for whole steps.
#include "base/clock.h"
#include "contact/flight.h"
#include "math/vec3.h"
#include "model/model.h"
#include "support/alloc_counter.h"
#include "support/robots.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double shortest = 1e-9;

static void assert_time(const char *what, double t, double expected, const ffi_advance_report *r,
                        int most_looks)
{
  print_message("%-34s %.12g s, late by %.1e s, %d evaluations\n", what, t, t - expected, r->evaluations);
  if (!(t <= expected + 1e-13 && t >= expected - 1.001 * shortest))
    fail_msg("%s: free for %.15g, contact after %.15g", what, t, expected);
  if (r->evaluations > most_looks)
    fail_msg("%s: %d evaluations", what, r->evaluations);
  assert_int_equal(r->was_cut, 0);
}

// ---- First contacts ----------------------------------------------------------------------------------------

// A ball of 1 cm at 100 m/s and a wall of 1 mm: two evaluations, though the path is a hundred times longer than the
// wall is thick.
static void a_bullet_meets_paper(void **state)
{
  (void)state;
  ff_model *model = flight_thing(FF_SHAPE_SPHERE, 0.005, 0, 0);
  const ff_ground_def wall =
      collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_BOX, .size = {0.001, 1, 1}});
  flight f;
  flight_begin_over(model, &wall, &f);
  const double q[7] = {-1, 0.1, 0.2, 0, 0, 0, 1}, v[6] = {100, 0, 0, 300, -200, 500};
  ffi_advance_report r;
  const double t = flight_free(&f, q, v, (flight_query){1, shortest, 0}, &r);
  assert_time("ball and wall", t, (1 - 0.0005 - 0.005) / 100, &r, 3);
  assert_int_equal(r.pair, 0);
  const double beside[7] = {-1, 0.5051, 0.2, 0, 0, 0, 1};
  const double past = flight_free(&f, beside, v, (flight_query){1, shortest, 0}, &r); // by 0.1 mm
  assert_true(past == 1 && r.pair == -1);
  print_message("beside it: %d evaluations\n", r.evaluations);
  flight_end(&f);
  ff_model_destroy(model);
}

// The end of a rod that turns about its middle over a plane.
static void a_spinning_rod_meets_the_floor(void **state)
{
  (void)state;
  ff_model *model = flight_thing(FF_SHAPE_CAPSULE, 0.02, 1, 0);
  const ff_ground_def floor = collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_PLANE});
  flight f;
  flight_begin_over(model, &floor, &f);
  const double lying = sqrt(0.5); // its axis along x
  const double q[7] = {0, 0, 0.4, 0, lying, 0, lying}, v[6] = {0, 0, 0, 0, 7, 0};
  ffi_advance_report r;
  assert_time("spinning rod", flight_free(&f, q, v, (flight_query){1, shortest, 0}, &r), asin(0.38 / 0.5) / 7,
              &r, 20);
  flight_end(&f);
  ff_model_destroy(model);
}

// A lying capsule comes along the top of a box, 0.6 of its radius above: it meets the edge 0.8 of the radius before.
static void a_capsule_meets_an_edge(void **state)
{
  (void)state;
  ff_model *model = flight_thing(FF_SHAPE_CAPSULE, 0.1, 0.4, 0);
  const ff_ground_def box =
      collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_BOX, .size = {1, 2, 1}});
  flight f;
  flight_begin_over(model, &box, &f);
  const double half = sqrt(0.5); // its axis along y
  const double q[7] = {-3, 0.1, 0.56, half, 0, 0, half}, v[6] = {2, 0, 0, 0, 0, 40};
  ffi_advance_report r;
  assert_time("capsule and edge", flight_free(&f, q, v, (flight_query){2, shortest, 0}, &r),
              (3 - 0.5 - 0.08) / 2, &r, 12);
  flight_end(&f);
  ff_model_destroy(model);
}

// The bob of a pendulum, and of a double one whose links turn against each other: the bob stays level with the wall's
// middle.
static void a_pendulum_meets_a_wall(void **state)
{
  (void)state;
  ff_builder *b = collider_case_builder();
  ff_link_def def = ff_link_def_default();
  def.name = "arm";
  def.joint.type = FF_JOINT_CONTINUOUS;
  def.joint.axis[1] = 1;
  def.joint.axis[2] = 0;
  def.inertia.mass = 1;
  def.inertia.matrix[0] = def.inertia.matrix[3] = def.inertia.matrix[5] = 0.01;
  int arm;
  ff_error error;
  assert_int_equal(ff_builder_add_link(b, &def, &arm, &error), FF_OK);
  collider_case_shape(b, arm,
                      &(collider_case_solid){.type = FF_SHAPE_SPHERE, .size = {0.05}, .at = {0, 0, -1}});
  ff_model *model = collider_case_finish(b);
  const ff_ground_def wall = collider_case_ground(
      &(collider_case_solid){.type = FF_SHAPE_BOX, .size = {0.2, 4, 4}, .at = {0.8, 0, 0}});
  flight f;
  flight_begin_over(model, &wall, &f);
  const double q[1] = {0.2}, v[1] = {-3}; // about y: the bob is at x = -sin q
  ffi_advance_report r;
  assert_time("pendulum and wall", flight_free(&f, q, v, (flight_query){1, shortest, 0}, &r),
              (asin(0.65) + 0.2) / 3, &r, 16);
  flight_end(&f);
  ff_model_destroy(model);
}

// The lowest corner of a cube that falls and turns about a horizontal axis, by its own formula.
static double corner_height(double t)
{
  return 2 - 1.5 * t - 0.2 * (fabs(cos(11 * t)) + fabs(sin(11 * t)));
}

static void a_tumbling_cube_meets_the_floor(void **state)
{
  (void)state;
  ff_model *model = flight_thing(FF_SHAPE_BOX, 0.4, 0.4, 0.4);
  const ff_ground_def floor = collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_PLANE});
  flight f;
  flight_begin_over(model, &floor, &f);
  const double q[7] = {0, 0, 2, 0, 0, 0, 1}, v[6] = {0.3, 0, -1.5, 0, 11, 0};
  double lo = 0, hi = 1e-5;
  while (corner_height(hi) > 0) // steps in which no corner moves more than 4e-5 m
    lo = hi, hi += 1e-5;
  for (int i = 0; i < 60; ++i)
    *(corner_height(0.5 * (lo + hi)) > 0 ? &lo : &hi) = 0.5 * (lo + hi);
  ffi_advance_report r;
  assert_time("tumbling cube", flight_free(&f, q, v, (flight_query){3, shortest, 0}, &r), lo, &r, 60);
  flight_end(&f);
  ff_model_destroy(model);
}

// A floor that rises and one that turns: a point at 2 m from the axis, 0.5 m above it.
static void ground_that_moves_meets_what_rests(void **state)
{
  (void)state;
  ff_model *model = flight_thing(FF_SHAPE_SPHERE, 0.1, 0, 0);
  ff_ground_def floor = collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_PLANE});
  flight f;
  flight_begin_over(model, &floor, &f);
  const double q[7] = {2, 0, 0.5, 0, 0, 0, 1}, v[6] = {0};
  ffi_advance_report r;
  f.ground_velocity[0][2] = 0.25;
  assert_time("rising floor", flight_free(&f, q, v, (flight_query){3, shortest, 0}, &r), 0.4 / 0.25, &r, 4);
  f.ground_velocity[0][2] = 0;
  f.ground_velocity[0][4] = -0.7; // towards +x it comes up: height 0.5 cos - 2 sin
  const double expected = (atan(0.25) - asin(0.1 / hypot(2, 0.5))) / 0.7;
  assert_time("turning floor", flight_free(&f, q, v, (flight_query){3, shortest, 0}, &r), expected, &r, 16);
  f.ground_velocity[0][4] = 0;
  f.ground_velocity[0][5] = 300; // in its own plane
  assert_true(flight_free(&f, q, v, (flight_query){3, shortest, 0}, &r) == 3 && r.evaluations == 1);
  flight_end(&f);
  ff_model_destroy(model);
}

// A ball flies level over a field that rises like a wedge, slope 1: centre and slope meet at the radius times sqrt 2.
static void a_ball_meets_a_slope_of_a_field(void **state)
{
  (void)state;
  double heights[5 * 21];
  for (int i = 0; i < 5 * 21; ++i)
    heights[i] = fmax(0, (i % 21 - 10) * 0.1);
  ff_model *model = flight_thing(FF_SHAPE_SPHERE, 0.05, 0, 0);
  ff_ground_def field =
      collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_HEIGHTFIELD, .size = {2, 1}});
  field.shape.heights = heights;
  field.shape.rows = 5;
  field.shape.columns = 21;
  flight f;
  flight_begin_over(model, &field, &f);
  const double q[7] = {-0.9, 0.03, 0.3, 0, 0, 0, 1}, v[6] = {4, 0, 0, 0, 90, 0};
  ffi_advance_report r;
  assert_time("ball and slope", flight_free(&f, q, v, (flight_query){1, shortest, 0}, &r),
              (0.9 + 0.3 - 0.05 * sqrt(2)) / 4, &r, 30);
  flight_end(&f);
  ff_model_destroy(model);
}

// ---- What may go on ----------------------------------------------------------------------------------------

static void goes_on(const char *what, flight *f, const double *q, const double *v, int most_looks)
{
  ffi_advance_report r;
  const double t = flight_free(f, q, v, (flight_query){0.005, 1e-5, 5e-5}, &r);
  print_message("%-34s %d evaluations\n", what, r.evaluations);
  if (!(t == 0.005 && r.pair == -1 && r.evaluations <= most_looks))
    fail_msg("%s: free for %g, stopped by pair %d, %d evaluations", what, t, r.pair, r.evaluations);
}

static void thing_goes_on(const char *what, const collider_case_solid *thing, const double q[7],
                          const double v[6])
{
  double flat[49] = {0};
  ff_model *model = flight_thing(thing->type, thing->size[0], thing->size[1], thing->size[2]);
  ff_ground_def grounds[3] = {
      collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_PLANE}),
      collider_case_ground(
          &(collider_case_solid){.type = FF_SHAPE_BOX, .size = {20, 20, 1}, .at = {0, 0, -0.5}}),
      collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_HEIGHTFIELD, .size = {6, 6}})};
  grounds[2].shape.heights = flat;
  grounds[2].shape.rows = grounds[2].shape.columns = 7;
  for (int g = 0; g < 3; ++g) {
    flight f;
    flight_begin_over(model, &grounds[g], &f);
    goes_on(what, &f, q, v, 3);
    flight_end(&f);
  }
  ff_model_destroy(model);
}

// Over a plane, a box and a field of cells of 1 m, in steps of 5 ms; contacts have a gap of 0.1 mm, or overlap by 1 um.
static void resting_and_rolling_go_on_for_whole_steps(void **state)
{
  (void)state;
  static const collider_case_solid brick = {.type = FF_SHAPE_BOX, .size = {0.3, 0.2, 0.1}},
                                   ball = {.type = FF_SHAPE_SPHERE, .size = {0.05}},
                                   cylinder = {.type = FF_SHAPE_CYLINDER, .size = {0.05, 0.3}},
                                   capsule = {.type = FF_SHAPE_CAPSULE, .size = {0.05, 0.3}},
                                   disk = {.type = FF_SHAPE_DISK, .size = {0.05}};
  const double gap = 1e-4, h = sqrt(0.5), still[6] = {0};
  const double box[7] = {0.3, 0.2, 0.05 + gap, 0, 0, 0, 1}, sunk[7] = {0.3, 0.2, 0.05 - 1e-6, 0, 0, 0, 1};
  thing_goes_on("box at rest", &brick, box, still);
  thing_goes_on("box at rest, overlapping", &brick, sunk, still);
  thing_goes_on("box sliding", &brick, sunk, (double[6]){2, 1, 0, 0, 0, 0});
  thing_goes_on("box sliding and turning", &brick, sunk, (double[6]){2, 1, 0, 0, 0, 5});
  // on its edge at x = 0.15: v = w x r, r from the edge to the middle
  thing_goes_on("box tipping over its edge", &brick, box, (double[6]){0.05, 0, 0.15, 0, 1, 0});
  thing_goes_on("ball rolling", &ball, sunk, (double[6]){3, 0, 0, 0, 60, 0});
  const double wheel[7] = {0.3, 0.2, 0.05 + gap, h, 0, 0, h}; // its axis along y
  thing_goes_on("cylinder rolling", &cylinder, wheel, (double[6]){3, 0, 0, 0, 0, -60});
  thing_goes_on("capsule rolling", &capsule, wheel, (double[6]){3, 0, 0, 0, 0, -60});
  thing_goes_on("disk rolling", &disk, wheel, (double[6]){3, 0, 0, 0, 0, -60});
}

// solo12 standing, its feet still while its trunk sways: v is such that no foot moves, to first order.
static void a_robot_stands(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  const ff_ground_def floor = collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_PLANE});
  flight f;
  flight_begin_over(model, &floor, &f);
  double q[64], v[64] = {0};
  memcpy(q, ffi_robot_posture(model, "standing"), (size_t)model->size.nq * sizeof *q);
  double lowest = 1;
  for (int p = 0; p < f.colliders.pair_count; ++p)
    lowest = fmin(lowest, flight_distance(&f, q, v, 0, p, NULL));
  q[2] -= lowest - 1e-4;
  goes_on("solo12 standing", &f, q, v, 2);
  v[0] = 0.5;
  goes_on("solo12 carried along", &f, q, v, 2);
  v[4] = 0.3; // pitching about its middle: front feet go down by 0.1 mm and more
  ffi_advance_report r;
  double t = flight_free(&f, q, v, (flight_query){0.005, 1e-5, 5e-5}, &r);
  assert_true(r.pair >= 0 && t < 0.005);
  v[4] = 0;
  enum { CALLS = 5000 };
  const double start = ffi_clock_seconds();
  for (int i = 0; i < CALLS; ++i)
    t += flight_free(&f, q, v, (flight_query){0.005, 1e-5, 5e-5}, &r);
  print_message("%.2f us a call with %d pairs, %d evaluations\n", (ffi_clock_seconds() - start) / CALLS * 1e6,
                f.colliders.pair_count, r.evaluations);
  assert_true(t > 0);
  flight_end(&f);
  ff_model_destroy(model);
}

// The velocity of a pair's first shape, by differences.
static void shape_velocity(const flight *f, const double *q, const double *v, int pair, double out[3])
{
  ffi_pose places[COLLIDER_CASE_SHAPES];
  const double h = 1e-6;
  const ptrdiff_t collider = f->colliders.pairs[pair].a - f->colliders.items;
  flight_places(f, q, v, h, places);
  ffi_v3_copy(places[collider].p, out);
  flight_places(f, q, v, -h, places);
  ffi_v3_sub(out, places[collider].p, out);
  ffi_v3_scale(0.5 / h, out, out);
}

// Rates of a leg's three joints that keep its foot where it is: Cramer's rule.
static void hold_foot(const flight *f, const double *q, double *v, int pair, int first)
{
  double J[3][3], free[3], across[3], unit[64];
  shape_velocity(f, q, v, pair, free);
  for (int k = 0; k < 3; ++k) {
    memset(unit, 0, sizeof unit);
    unit[first + k] = 1;
    shape_velocity(f, q, unit, pair, J[k]);
  }
  ffi_v3_cross(J[1], J[2], across);
  const double volume = ffi_v3_dot(J[0], across);
  for (int k = 0; k < 3; ++k) {
    ffi_v3_cross(J[(k + 1) % 3], J[(k + 2) % 3], across);
    v[first + k] = -ffi_v3_dot(free, across) / volume;
  }
}

// solo12 sways on feet that are at rest at the start of the step: its legs move on curves, and the bounds cover that.
static void a_robot_sways(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  const ff_ground_def floor = collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_PLANE});
  flight f;
  flight_begin_over(model, &floor, &f);
  double q[64], v[64] = {0};
  memcpy(q, ffi_robot_posture(model, "standing"), (size_t)model->size.nq * sizeof *q);
  assert_int_equal(f.colliders.pair_count, 4);
  q[2] -= flight_distance(&f, q, v, 0, 0, NULL) - 1e-4;
  const double sway[6] = {0.3, 0.2, -0.1, 0.4, -0.5, 0.3};
  memcpy(v, sway, sizeof sway);
  for (int p = 0; p < 4; ++p)
    hold_foot(&f, q, v, p, model->bodies[f.colliders.pairs[p].body_a].v - 2);
  double fastest = 0;
  for (int i = 6; i < 18; ++i)
    fastest = fmax(fastest, fabs(v[i]));
  print_message("joints turn with up to %.1f rad/s\n", fastest);
  assert_true(fastest > 0.5);
  goes_on("solo12 swaying", &f, q, v, 3);
  flight_end(&f);
  ff_model_destroy(model);
}

// ---- Velocities known up to an error -----------------------------------------------------------------------

static double bound(const flight *f, const double *q, const double *v, const double *error, double T,
                    int *pair)
{
  const ffi_advance_path path = flight_path(f, q, v, error, T);
  return ffi_advance_bound(f->advance, &path, pair);
}

// r and s of solo12 that falls all ways from 2 cm above the floor, beside the time that it has; sampled every 0.01 ms.
static void the_first_bound_of_a_robot(void **state)
{
  (void)state;
  enum { FALLS = 200 };
  ff_model *model = ffi_robot("solo12.urdf");
  const ff_ground_def floor = collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_PLANE});
  flight f;
  flight_begin_over(model, &floor, &f);
  ffi_random random = ffi_random_seed(12);
  double q[64], v[64], error[64], ratio = 0, ratio_s = 0;
  memcpy(q, ffi_robot_posture(model, "standing"), (size_t)model->size.nq * sizeof *q);
  q[2] -= flight_distance(&f, q, q, 0, 0, NULL) - 0.02;
  for (int i = 0; i < FALLS; ++i) {
    ffi_random_vector(&random, 18, 3, v);
    v[2] = -1;
    for (int k = 0; k < 18; ++k)
      error[k] = 0.05 * v[k];
    const double r = bound(&f, q, v, NULL, 1, NULL);
    const double s = bound(&f, q, v, error, 1, NULL);
    double t = 0, lowest = 1;
    for (; lowest > 0; t += 1e-5) {
      lowest = 1;
      for (int p = 0; p < f.colliders.pair_count; ++p)
        lowest = fmin(lowest, flight_distance(&f, q, v, t, p, NULL));
    }
    assert_true(s <= r && r <= t);
    ratio += log(t / r) / FALLS;
    ratio_s += log(t / s) / FALLS;
  }
  print_message("time to contact of solo12 / r: %.2f, / s with 5 %% of error: %.2f\n", exp(ratio),
                exp(ratio_s));
  assert_true(exp(ratio) < 2);
  flight_end(&f);
  ff_model_destroy(model);
}

// s(q, v, 0) = r(q, v); a ball with an error of its speed towards the wall, and an angular error, which does not matter
// for a ball about its own centre.
static void errors_of_velocity_count(void **state)
{
  (void)state;
  ff_model *model = flight_thing(FF_SHAPE_SPHERE, 0.1, 0, 0);
  const ff_ground_def floor = collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_PLANE});
  flight f;
  flight_begin_over(model, &floor, &f);
  const double q[7] = {0, 0, 1.1, 0, 0, 0, 1}, v[6] = {0, 0, -2, 3, 0, 0};
  const double none[6] = {0}, some[6] = {0, 0, 0.5, 0, 0, 0}, turn[6] = {0, 0, 0, 9, 9, 9};
  int pair = -2;
  const double r = bound(&f, q, v, NULL, 10, &pair);
  assert_true(fabs(r - 0.5) < 1e-14 && pair == 0);
  assert_true(bound(&f, q, v, none, 10, NULL) == r);
  assert_true(bound(&f, q, v, turn, 10, NULL) == r);
  assert_true(fabs(bound(&f, q, v, some, 10, NULL) - 0.4) < 1e-14);
  ffi_advance_report report;
  const ffi_advance_path doubtful = flight_path(&f, q, v, some, 10);
  const double t = ffi_advance_free(f.advance, &doubtful, shortest, 0, &report);
  assert_time("ball of doubtful speed", t, 0.4, &report, 4);
  const double up[6] = {0, 0, 2, 0, 0, 0};
  assert_true(bound(&f, q, up, some, 10, &pair) == 10 && pair == -1);
  flight_end(&f);
  ff_model_destroy(model);
}

// ---- Passing through ---------------------------------------------------------------------------------------

// In 0.01 s, to 1e-6 s.
static int breaches(const flight *f, const double *q, const double *to, ffi_advance_tunnelled_pair *first)
{
  double v[6];
  const ffi_advance_path path = flight_path(f, q, NULL, NULL, 0.01);
  return ffi_advance_tunnelling(f->advance, &path, to, 1e-6, v, first);
}

static void passing_through_is_seen(void **state)
{
  (void)state;
  ff_model *model = flight_thing(FF_SHAPE_SPHERE, 0.005, 0, 0);
  const ff_ground_def wall =
      collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_BOX, .size = {0.1, 1, 1}});
  flight f;
  flight_begin_over(model, &wall, &f);
  ffi_advance_tunnelled_pair p;
  const double here[7] = {-1, 0, 0, 0, 0, 0, 1}, beyond[7] = {1, 0, 0, 0, 0.6, 0, 0.8};
  const double low[7] = {-0.3, 0, 0.3, 0, 0, 0, 1};
  assert_int_equal(breaches(&f, here, beyond, &p), 1);
  assert_true(p.pair == 0 && fabs(p.time - 0.01 * (1 - 0.055) / 2) < 1.1e-6);
  const double above[7] = {0, 0, 1, 0, 0, 0, 1}; // it clears it: at x = -0.05 it is at 0.883
  assert_int_equal(breaches(&f, low, above, &p), 0);
  const double over[7] = {0.2, 0, 0.65, 0, 0, 0, 1}; // at x = -0.05 it is at 0.475, below the edge
  assert_int_equal(breaches(&f, low, over, &p), 1);
  const double at[7] = {-0.052, 0, 0, 0, 0, 0, 1}; // it ends in contact: not apart at both ends
  assert_int_equal(breaches(&f, here, at, &p), 0);
  flight_end(&f);
  ff_model_destroy(model);
}

// ---- A function of its arguments ---------------------------------------------------------------------------

static void answers_depend_on_nothing_else(void **state)
{
  (void)state;
  collider_case c;
  collider_case_random(20, &c);
  flight f;
  flight_begin(c.model, &c.def, &f);
  ffi_random random = ffi_random_seed(4);
  double q[2][200], v[2][200];
  for (int i = 0; i < 2; ++i) {
    ffi_random_q(&random, c.model, q[i]);
    ffi_random_vector(&random, f.model->size.nv, 2, v[i]);
  }
  ffi_advance_report first, again;
  const double t = flight_free(&f, q[0], v[0], (flight_query){0.3, 1e-6, 1e-3}, &first);
  flight_free(&f, q[1], v[1], (flight_query){0.2, 1e-6, 1e-3}, &again);
  const long before = ffi_test_alloc_count();
  const double t2 = flight_free(&f, q[0], v[0], (flight_query){0.3, 1e-6, 1e-3}, &again);
  assert_int_equal(ffi_test_alloc_count(), before);
  assert_true(t == t2 && first.pair == again.pair && first.evaluations == again.evaluations &&
              first.distance == again.distance);
  v[0][0] = (double)NAN;
  const double t3 = flight_free(&f, q[0], v[0], (flight_query){0.3, 1e-6, 1e-3}, &again);
  assert_true(t3 <= 0.3); // and comes to an end
  flight_end(&f);
  ff_model_destroy(c.model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bullet_meets_paper),
      cmocka_unit_test(a_spinning_rod_meets_the_floor),
      cmocka_unit_test(a_capsule_meets_an_edge),
      cmocka_unit_test(a_pendulum_meets_a_wall),
      cmocka_unit_test(a_tumbling_cube_meets_the_floor),
      cmocka_unit_test(ground_that_moves_meets_what_rests),
      cmocka_unit_test(a_ball_meets_a_slope_of_a_field),
      cmocka_unit_test(resting_and_rolling_go_on_for_whole_steps),
      cmocka_unit_test(a_robot_stands),
      cmocka_unit_test(a_robot_sways),
      cmocka_unit_test(the_first_bound_of_a_robot),
      cmocka_unit_test(errors_of_velocity_count),
      cmocka_unit_test(passing_through_is_seen),
      cmocka_unit_test(answers_depend_on_nothing_else),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
