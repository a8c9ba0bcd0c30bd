// Rows of points, welds, hinges, sliders and planar ones: their velocities are the rates of their gaps, a rigid motion of everything has none, and what a joint may do is
// no gap.
#include "support/held.h"
#include "support/must.h"
#include "support/near.h"
#include "support/random_model.h"

#include "contact/element/element_rows.h"
#include "math/quaternion.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BODIES = 6, ELEMENTS = 5, ROWS = 3 + 6 + 5 + 5 + 3, NV = 6 * BODIES, NQ = 7 * BODIES };

static const ff_element_type types[ELEMENTS] = {FF_ELEMENT_POINT, FF_ELEMENT_WELD, FF_ELEMENT_HINGE,
                                                FF_ELEMENT_SLIDER, FF_ELEMENT_PLANAR};

// Six loose bodies, each held to the next, by frames and points anywhere in them. Joint ends first.
static ff_model *string_of_bodies(uint64_t seed)
{
  static const char *const names[BODIES] = {"a", "b", "c", "d", "e", "f"}, *const ends[BODIES] = {"fa", "fb",
                                                                                                  "fc", "fd",
                                                                                                  "fe", "ff"};
  ffi_random random = ffi_random_seed(seed);
  ff_builder *b = ffi_must_begin("string");
  ff_error error;
  for (int i = 0; i < BODIES; ++i) {
    ff_link_def link = ff_link_def_default();
    link.name = names[i];
    link.joint.type = FF_JOINT_FREE;
    link.inertia = ffi_random_inertia(&random);
    const int id = ffi_must_add_link(b, &link);
    const ff_pose pose = ffi_random_pose(&random);
    ffi_must(ff_builder_add_frame(b, id, ends[i], &pose, &error), &error);
  }
  for (int i = 0; i < ELEMENTS; ++i) {
    ff_element_def def = ff_element_def_default();
    def.type = types[i];
    def.is_rigid = 1;
    ffi_random_vector(&random, 3, 5, def.axis); // of any length
    ffi_must(ff_builder_add_element(b, &def, ends[i], ends[i + 1], &error), &error);
  }
  return ffi_must_finish(b);
}

static ff_dynamics *dynamics_of(const ff_model *model)
{
  ff_dynamics *d;
  ff_error error;
  ffi_must(ff_dynamics_create(model, NULL, &d, &error), &error);
  return d;
}

// d(gap)/dt along v by differences of order 6; h^6 times the seventh derivative, about 3^7, and eps / h: 1e-11.
static void gap_rates(ff_dynamics *d, const ff_model *model, const double *q, const double *v,
                      double rate[ROWS])
{
  static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  const double h = 2e-3;
  double gap[ROWS], dv[NV], at[NQ];
  for (int r = 0; r < ROWS; ++r)
    rate[r] = 0;
  for (int n = 1; n <= 3; ++n)
    for (int sign = -1; sign <= 1; sign += 2) {
      for (int k = 0; k < NV; ++k)
        dv[k] = sign * n * h * v[k];
      ff_model_integrate(model, q, dv, at);
      ffi_held_place(d, model, at, NULL, gap);
      for (int r = 0; r < ROWS; ++r)
        rate[r] += sign * weight[n - 1] * gap[r] / h;
    }
}

static double row_velocity(const double *J, const double *v, int row)
{
  double u = 0;
  for (int k = 0; k < NV; ++k)
    u += J[row * NV + k] * v[k];
  return u;
}

// Rows: point 0..2; weld 3..5 linear, 6..8 angular; hinge 9..11, 12..13; slider 14..15, 16..18; planar 19, 20..21.
static int is_linear(int row)
{
  return row < 6 || (row >= 9 && row < 12) || row == 14 || row == 15 || row == 19;
}

// However far apart the ends are.
static void linear_gaps_change_as_their_rows_say(void **state)
{
  (void)state;
  ffi_margin margin = {.what = "linear rows", .tolerance = 1e-9};
  for (int n = 0; n < 20; ++n) {
    ff_model *model = string_of_bodies((uint64_t)n);
    ff_dynamics *d = dynamics_of(model);
    ffi_random random = ffi_random_seed((uint64_t)n + 1000);
    double q[NQ], v[NV], J[ROWS * NV], rate[ROWS];
    assert_int_equal(ffi_held_count(model), ROWS);
    ffi_random_q(&random, model, q);
    ffi_random_vector(&random, NV, 1, v);
    ffi_held_place(d, model, q, J, NULL);
    gap_rates(d, model, q, v, rate);
    for (int r = 0; r < ROWS; ++r)
      if (is_linear(r))
        ffi_margin_add(&margin, fabs(row_velocity(J, v, r) - rate[r]), n);
    ff_dynamics_destroy(d);
    ff_model_destroy(model);
  }
  ffi_margin_check(&margin);
}

// The frame that the string holds body k by, in the body.
static ff_pose frame_in_body(const ff_model *model, int k)
{
  ff_dynamics *d = dynamics_of(model);
  ff_pose pose;
  double q[NQ] = {0}, R[9];
  for (int i = 0; i < BODIES; ++i)
    q[7 * i + 6] = 1;
  ff_dynamics_kinematics(d, q, NULL, NULL);
  ff_dynamics_frame_pose(d, 1 + BODIES + k, pose.position, R);
  ffi_quat_from_matrix(R, pose.quaternion);
  ff_dynamics_destroy(d);
  return pose;
}

// A state in which all hold, with the hinge turned and the slider pushed out: from the last body to the first.
static void place_without_gaps(const ff_model *model, ffi_random *random, double q[NQ])
{
  ff_pose frame = ffi_random_pose(random); // of end k, in the world
  for (int k = BODIES - 1; k >= 0; --k) {
    ff_pose in_body = frame_in_body(model, k), back = ff_pose_inverse(&in_body);
    const ff_pose body = ff_pose_compose(&frame, &back);
    for (int i = 0; i < 3; ++i)
      q[7 * k + i] = body.position[i];
    for (int i = 0; i < 4; ++i)
      q[7 * k + 3 + i] = body.quaternion[i];
    if (k == 0)
      break;
    ff_element_def def;
    ff_model_element(model, k - 1, &def);
    ff_pose move = ff_pose_identity();
    const double length =
        sqrt(def.axis[0] * def.axis[0] + def.axis[1] * def.axis[1] + def.axis[2] * def.axis[2]);
    const double amount = ffi_random_between(random, -1, 1);
    for (int i = 0; i < 3; ++i)
      if (def.type == FF_ELEMENT_HINGE || def.type == FF_ELEMENT_PLANAR)
        move.quaternion[i] = sin(amount / 2) * def.axis[i] / length;
      else if (def.type == FF_ELEMENT_SLIDER)
        move.position[i] = amount * def.axis[i] / length;
    if (def.type == FF_ELEMENT_HINGE || def.type == FF_ELEMENT_PLANAR)
      move.quaternion[3] = cos(amount / 2);
    if (def.type == FF_ELEMENT_PLANAR) { // anywhere in the plane: across the axis from a random vector
      double w[3];
      ffi_random_vector(random, 3, 1, w);
      ffi_v3_cross(def.axis, w, move.position);
    }
    if (def.type == FF_ELEMENT_POINT)
      ffi_random_quaternion(random, move.quaternion);
    frame = ff_pose_compose(&frame, &move);
  }
}

static void where_all_hold_there_is_no_gap_and_all_rates_are_right(void **state)
{
  (void)state;
  ffi_margin gaps = {.what = "gaps", .tolerance = 1e-12}, rates = {.what = "rates", .tolerance = 1e-9};
  for (int n = 0; n < 20; ++n) {
    ff_model *model = string_of_bodies((uint64_t)n);
    ff_dynamics *d = dynamics_of(model);
    ffi_random random = ffi_random_seed((uint64_t)n + 2000);
    double q[NQ], v[NV], J[ROWS * NV], gap[ROWS], rate[ROWS];
    place_without_gaps(model, &random, q);
    ffi_random_vector(&random, NV, 1, v);
    ffi_held_place(d, model, q, J, gap);
    ffi_margin_add(&gaps, ffi_size(ROWS, gap), n);
    gap_rates(d, model, q, v, rate);
    for (int r = 0; r < ROWS; ++r)
      ffi_margin_add(&rates, fabs(row_velocity(J, v, r) - rate[r]), n);
    ff_dynamics_destroy(d);
    ff_model_destroy(model);
  }
  ffi_margin_check(&gaps);
  ffi_margin_check(&rates);
}

// Everything turns and moves as one, with the ends anywhere: so impulses on the rows change neither momentum.
static void a_rigid_motion_has_no_row_velocity(void **state)
{
  (void)state;
  ffi_margin margin = {.what = "rigid motion",
                       .tolerance = 1e-13}; // hundreds of roundings of metres per second
  for (int n = 0; n < 20; ++n) {
    ff_model *model = string_of_bodies((uint64_t)n);
    ff_dynamics *d = dynamics_of(model);
    ffi_random random = ffi_random_seed((uint64_t)n + 3000);
    double q[NQ], v[NV], J[ROWS * NV], w[3], u[3];
    ffi_random_q(&random, model, q);
    ffi_random_vector(&random, 3, 1, w);
    ffi_random_vector(&random, 3, 1, u);
    for (int k = 0; k < BODIES; ++k) {
      ff_pose pose = ff_pose_identity();
      double R[9];
      for (int i = 0; i < 4; ++i)
        pose.quaternion[i] = q[7 * k + 3 + i];
      ff_pose_rotation(&pose, R);
      const double *p = q + 7 * k;
      const double at[3] = {u[0] + w[1] * p[2] - w[2] * p[1], u[1] + w[2] * p[0] - w[0] * p[2],
                            u[2] + w[0] * p[1] - w[1] * p[0]};
      for (int i = 0; i < 3; ++i) {
        v[6 * k + i] = R[i] * at[0] + R[3 + i] * at[1] + R[6 + i] * at[2];
        v[6 * k + 3 + i] = R[i] * w[0] + R[3 + i] * w[1] + R[6 + i] * w[2];
      }
    }
    ffi_held_place(d, model, q, J, NULL);
    for (int r = 0; r < ROWS; ++r)
      ffi_margin_add(&margin, fabs(row_velocity(J, v, r)), n);
    ff_dynamics_destroy(d);
    ff_model_destroy(model);
  }
  ffi_margin_check(&margin);
}

static void counts_and_drift(void **state)
{
  (void)state;
  assert_int_equal(ffi_element_rows_count(FF_ELEMENT_JOINT_PD), 0);
  assert_int_equal(ffi_element_rows_count(FF_ELEMENT_JOINT_LIMIT), 0);
  assert_int_equal(ffi_element_rows_count(FF_ELEMENT_HINGE), 5);
  assert_int_equal(ffi_element_rows_count(FF_ELEMENT_SLIDER), 5);
  assert_int_equal(ffi_element_rows_count(FF_ELEMENT_PLANAR), 3);
  const ffi_element_rows rows = {.count = 5, .linear = 2, .gap = {3, -4, 100, 100, 100}};
  assert_true(ffi_element_rows_drift(&rows) == 5); // turns are no metres
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_gaps_change_as_their_rows_say),
      cmocka_unit_test(where_all_hold_there_is_no_gap_and_all_rates_are_right),
      cmocka_unit_test(a_rigid_motion_has_no_row_velocity),
      cmocka_unit_test(counts_and_drift),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
