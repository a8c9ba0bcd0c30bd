// Bounds of speeds and accelerations along straight paths hold at every moment of any path of any robot. Velocities
// come from the dynamics, accelerations from differences of them.
#include "contact/advance/motion_bounds.h"
#include "dynamics/kernels.h"
#include "dynamics/one_lane.h"
#include "dynamics/straight_path.h"
#include "math/mat3.h"
#include "support/random_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX = 7 * FFI_FOREST_LINKS, BODIES = FFI_FOREST_LINKS + 1, MOMENTS = 60 };

typedef struct view {
  ffi_pose pose[BODIES];
  double velocity[BODIES][6];
} view;

typedef struct robot {
  ffi_forest forest;
  const ffi_kernels *k;
  ffi_work *work;
  void *memory;
} robot;

static void robot_begin(int index, robot *r)
{
  ffi_forest_number(index, 0, &r->forest);
  r->k = ffi_isa_kernels(FF_ISA_AUTO, 1);
  const size_t arrays = r->k->layout(r->forest.model, 1, NULL, NULL);
  const size_t head = (r->k->work_size + 63) / 64 * 64;
  r->memory = aligned_alloc(64, (head + arrays + 63) / 64 * 64);
  assert_non_null(r->memory);
  r->work = r->memory;
  r->k->layout(r->forest.model, 1, (char *)r->memory + head, r->work);
}

static void robot_end(robot *r)
{
  free(r->memory);
  ffi_forest_free(&r->forest);
}

static void look(const robot *r, const double *q, const double *v, double t, view *out)
{
  const ff_model *model = r->forest.model;
  double way[MAX], to[MAX], turned[MAX];
  for (int i = 0; i < model->size.nv; ++i)
    way[i] = t * v[i];
  ffi_straight_path_move(model, q, way, v, to, turned);
  r->k->transforms(r->work, to);
  r->k->kinematics(r->work, turned, NULL);
  memset(out, 0, sizeof *out);
  ffi_m3_identity(out->pose[0].R);
  for (int i = 1; i < model->body_count; ++i) {
    memcpy(&out->pose[i], &r->work->pose[i], sizeof out->pose[i]);
    ffi_m3_mulv(out->pose[i].R, r->work->vel[i].lin, out->velocity[i]);
    ffi_m3_mulv(out->pose[i].R, r->work->vel[i].ang, out->velocity[i] + 3);
  }
}

static double rate(const double a[3], const double b[3], double h)
{
  double d[3];
  ffi_v3_sub(b, a, d);
  return ffi_v3_norm(d) / h;
}

static void assert_below(double value, double bound, double rounding, const char *what, int index, int body)
{
  if (!(value <= bound * (1 + 1e-7) + rounding))
    fail_msg("forest %d, body %d: %s is %.9g, bounded by %.9g", index, body, what, value, bound);
}

static void nothing_moves_beyond_its_bounds(void **state)
{
  (void)state;
  double ratio = 0;
  int count = 0;
  for (int index = 0; index < 60; ++index) {
    static robot r;
    robot_begin(index, &r);
    const ff_model *model = r.forest.model;
    ffi_random random = ffi_random_seed((uint64_t)index * 3 + 1);
    double q[MAX], v[MAX], most[BODIES] = {0};
    ffi_random_q(&random, model, q);
    ffi_random_vector(&random, model->size.nv, pow(10, ffi_random_between(&random, -1, 1)), v);
    const double T = pow(10, ffi_random_between(&random, -3, 0.3)), h = 1e-6 * T;
    view start, now, then;
    ffi_motion_bound bound[BODIES];
    look(&r, q, v, 0, &start);
    ffi_motion_bounds(model, &(ffi_motion_start){start.pose, (const double(*)[6])start.velocity, NULL, 0}, T,
                      bound);
    for (int m = 0; m <= MOMENTS; ++m) {
      const double t = (T - h) * m / MOMENTS;
      look(&r, q, v, t, &now);
      look(&r, q, v, t + h, &then);
      for (int i = 1; i < model->body_count; ++i) {
        const double *a = now.velocity[i], *b = then.velocity[i];
        const double size = ffi_v3_norm(a) + ffi_v3_norm(a + 3) + ffi_v3_norm(now.pose[i].p);
        const double rounding = 4000 * 2.2e-16 * size * (1 + ffi_v3_norm(a + 3)) / h;
        assert_below(ffi_v3_norm(a), bound[i].speed, 1e-12 * size, "speed", index, i);
        assert_below(ffi_v3_norm(a + 3), bound[i].turn, 1e-12 * size, "angular velocity", index, i);
        assert_below(rate(a, b, h), bound[i].accel, rounding, "acceleration", index, i);
        assert_below(rate(a + 3, b + 3, h), bound[i].alpha, rounding, "angular acceleration", index, i);
        most[i] = fmax(most[i], rate(a, b, h));
      }
    }
    for (int i = 1; i < model->body_count; ++i)
      if (most[i] > 1e-3 * bound[i].accel && bound[i].accel > 1e-3) {
        ++count;
        ratio += log(bound[i].accel / most[i]);
      }
    robot_end(&r);
  }
  print_message("acceleration bound / most on the way: %.2f in the mean of %d bodies\n", exp(ratio / count),
                count);
  assert_true(exp(ratio / count) < 10);
}

// A model of one's own, in place of a forest's.
static void robot_of(ff_builder *b, robot *r)
{
  ff_error error;
  assert_int_equal(ff_builder_finish(b, &r->forest.model, &error), FF_OK);
  ff_builder_destroy(b);
  r->k = ffi_isa_kernels(FF_ISA_AUTO, 1);
  const size_t head = (r->k->work_size + 63) / 64 * 64, arrays = r->k->layout(r->forest.model, 1, NULL, NULL);
  r->memory = aligned_alloc(64, (head + arrays + 63) / 64 * 64);
  assert_non_null(r->memory);
  r->work = r->memory;
  r->k->layout(r->forest.model, 1, (char *)r->memory + head, r->work);
}

// A planar mechanism, all axes parallel: angular accelerations are zero and known to be.
static void parallel_axes_have_no_angular_acceleration(void **state)
{
  (void)state;
  ff_builder *b;
  ff_error error;
  assert_int_equal(ff_builder_create("arm", &b, &error), FF_OK);
  int parent = FF_WORLD;
  for (int i = 0; i < 4; ++i) {
    ff_link_def def = ff_link_def_default();
    char name[8];
    snprintf(name, sizeof name, "l%d", i);
    def.name = name;
    def.parent = parent;
    def.joint.type = FF_JOINT_CONTINUOUS;
    def.joint.axis[1] = 1;
    def.joint.axis[2] = 0;
    def.joint.pose.position[0] = 0.5;
    def.inertia.mass = 1;
    def.inertia.matrix[0] = def.inertia.matrix[3] = def.inertia.matrix[5] = 0.01;
    assert_int_equal(ff_builder_add_link(b, &def, &parent, &error), FF_OK);
  }
  static robot r;
  robot_of(b, &r);
  const double q[4] = {0.3, -1, 0.4, 2}, v[4] = {3, -2, 5, 1};
  view start;
  ffi_motion_bound bound[5];
  look(&r, q, v, 0, &start);
  ffi_motion_bounds(r.forest.model,
                    &(ffi_motion_start){start.pose, (const double(*)[6])start.velocity, NULL, 0}, 1, bound);
  double sum = 0;
  for (int i = 1; i < 5; ++i) {
    sum += v[i - 1];
    assert_true(bound[i].alpha < 1e-12);
    assert_true(fabs(bound[i].turn - fabs(sum)) < 1e-12);
  }
  // the fourth joint: 0.5 (w1^2 + w2^2 + w3^2) with all links in one line, the most there can be
  assert_true(fabs(bound[4].accel - 0.5 * (3 * 3 + 1 * 1 + 6 * 6)) < 1e-12);
  free(r.memory);
  ff_model_destroy(r.forest.model);
}

// A hub turns about z with a, on it an arm about x with b, and at the arm's end l a wheel. At the start l is along the
// arm's angular velocity w = a z + b x, so w x l = 0; but w turns in the arm by its acceleration, a b. After t the
// arm's end accelerates by a b l along y and, as |w x l| = a b l t has grown by then, by |w| a b l t across it.
static void what_is_parallel_at_the_start_does_not_stay_so(void **state)
{
  (void)state;
  static const double a = 3, b = 2, l = 0.5, T = 0.4;
  ff_builder *builder;
  ff_error error;
  int parent = FF_WORLD;
  assert_int_equal(ff_builder_create("whirl", &builder, &error), FF_OK);
  for (int i = 0; i < 3; ++i) {
    static const char *const names[] = {"hub", "arm", "wheel"};
    ff_link_def def = ff_link_def_default();
    def.name = names[i];
    def.parent = parent;
    def.joint.type = FF_JOINT_CONTINUOUS;
    def.joint.axis[0] = i == 1, def.joint.axis[2] = i != 1;
    if (i == 2)
      def.joint.pose.position[0] = l * b / hypot(a, b), def.joint.pose.position[2] = l * a / hypot(a, b);
    def.inertia.mass = 1;
    def.inertia.matrix[0] = def.inertia.matrix[3] = def.inertia.matrix[5] = 0.01;
    assert_int_equal(ff_builder_add_link(builder, &def, &parent, &error), FF_OK);
  }
  static robot r;
  robot_of(builder, &r);
  const double q[3] = {0}, v[3] = {a, b, 0};
  view start;
  ffi_motion_bound bound[4];
  look(&r, q, v, 0, &start);
  ffi_motion_bounds(r.forest.model,
                    &(ffi_motion_start){start.pose, (const double(*)[6])start.velocity, NULL, 0}, T, bound);
  // w in the arm's axes is (b, a sin bt, a cos bt), l there is fixed; the wheel's origin accelerates by
  // alpha x l + w x (w x l), alpha = a b (0, cos bt, -sin bt)
  const double t = T, w[3] = {b, a * sin(b * t), a * cos(b * t)};
  const double alpha[3] = {0, a * b * cos(b * t), -a * b * sin(b * t)};
  const double arm[3] = {l * b / hypot(a, b), 0, l * a / hypot(a, b)};
  double turning[3], carried[3], inward[3];
  ffi_v3_cross(alpha, arm, turning);
  ffi_v3_cross(w, arm, carried);
  ffi_v3_cross(w, carried, inward);
  ffi_v3_add(turning, inward, turning);
  const double most = ffi_v3_norm(turning);
  print_message("accelerates by %.4g, bounded by %.4g; by %.4g at the start\n", most, bound[3].accel,
                a * b * l);
  assert_true(most > 1.2 * a * b * l);
  assert_below(most, bound[3].accel, 1e-12, "acceleration", 0, 3);
  assert_true(bound[3].accel < 3 * most);
  free(r.memory);
  ff_model_destroy(r.forest.model);
}

// Any velocity within the error is at most t * doubt away.
static void what_is_doubted_is_not_farther_away(void **state)
{
  (void)state;
  for (int index = 0; index < 40; ++index) {
    static robot r;
    robot_begin(index, &r);
    const ff_model *model = r.forest.model;
    ffi_random random = ffi_random_seed((uint64_t)index * 7 + 2);
    double q[MAX], v[MAX], error[MAX], other[MAX];
    ffi_random_q(&random, model, q);
    ffi_random_vector(&random, model->size.nv, 3, v);
    ffi_random_vector(&random, model->size.nv, pow(10, ffi_random_between(&random, -2, 0.5)), error);
    const double T = ffi_random_between(&random, 0.01, 1);
    view start, now, wrong;
    ffi_motion_bound bound[BODIES];
    look(&r, q, v, 0, &start);
    ffi_motion_bounds(model, &(ffi_motion_start){start.pose, (const double(*)[6])start.velocity, error, 0}, T,
                      bound);
    for (int go = 0; go < 40; ++go) {
      for (int i = 0; i < model->size.nv; ++i)
        other[i] = v[i] + error[i] * (go % 2 ? ffi_random_between(&random, -1, 1)
                                             : (ffi_random_chance(&random, 0.5) ? 1 : -1));
      const double t = ffi_random_between(&random, 0, T);
      look(&r, q, v, t, &now);
      look(&r, q, other, t, &wrong);
      for (int i = 1; i < model->body_count; ++i) {
        double point[3], a[3], b[3];
        ffi_random_vector(&random, 3, 0.5, point);
        ffi_m3_mulv(now.pose[i].R, point, a);
        ffi_v3_add(a, now.pose[i].p, a);
        ffi_m3_mulv(wrong.pose[i].R, point, b);
        ffi_v3_add(b, wrong.pose[i].p, b);
        assert_below(rate(now.pose[i].p, wrong.pose[i].p, 1), t * bound[i].error_rate, 1e-13, "an origin",
                     index, i);
        assert_below(rate(a, b, 1), t * (bound[i].error_rate + bound[i].angular_error * ffi_v3_norm(point)),
                     1e-13, "a point", index, i);
      }
    }
    robot_end(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_moves_beyond_its_bounds),
      cmocka_unit_test(parallel_axes_have_no_angular_acceleration),
      cmocka_unit_test(what_is_parallel_at_the_start_does_not_stay_so),
      cmocka_unit_test(what_is_doubted_is_not_farther_away),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
