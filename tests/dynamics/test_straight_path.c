// Straight paths: many small steps of the joints' own groups, with linear velocities turned so that they stay where they point, end at the same place.
#include "dynamics/straight_path.h"
#include "math/quaternion.h"
#include "model/model.h"
#include "support/must.h"
#include "support/random_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MAX = 7 * FFI_FOREST_LINKS };

// The linear parts, in body axes, of velocities that are constant in fixed axes: those at the start seen from where the body is now.
static void turn_linear(const ff_model *model, const double *q0, const double *v0, const double *q, double *v)
{
  memcpy(v, v0, (size_t)model->size.nv * sizeof *v);
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *b = &model->bodies[i];
    if (b->kind == FFI_KIND_FREE) {
      double fixed[3], back[4];
      ffi_quat_rotate(q0 + b->q + 3, v0 + b->v, fixed);
      ffi_quat_conjugate(q + b->q + 3, back);
      ffi_quat_rotate(back, fixed, v + b->v);
    } else if (b->kind == FFI_KIND_PLANAR) {
      const double turn = q0[b->q + 2] - q[b->q + 2], x = v0[b->v], y = v0[b->v + 1];
      v[b->v] = cos(turn) * x - sin(turn) * y;
      v[b->v + 1] = sin(turn) * x + cos(turn) * y;
    }
  }
}

static void go(const ff_model *model, const double *q, const double *v, double h, double *to)
{
  double way[MAX];
  for (int i = 0; i < model->size.nv; ++i)
    way[i] = h * v[i];
  ff_model_integrate(model, q, way, to);
}

// A step of the group with the velocity at its middle is wrong by the cube of its length.
static void small_steps_end_at_the_same_place(void **state)
{
  (void)state;
  for (int index = 0; index < 20; ++index) {
    static ffi_forest forest;
    ffi_forest_number(index, 0, &forest);
    const ff_model *model = forest.model;
    ffi_random r = ffi_random_seed((uint64_t)index + 5);
    double q0[MAX], q[MAX], half[MAX], v0[MAX], v[MAX], way[MAX], to[MAX], end[MAX];
    ffi_random_q(&r, model, q0);
    ffi_random_vector(&r, model->size.nv, 2, v0);
    enum { STEPS = 400 };
    const double h = 0.5 / STEPS;
    memcpy(q, q0, sizeof q);
    for (int step = 0; step < STEPS; ++step) {
      turn_linear(model, q0, v0, q, v);
      go(model, q, v, 0.5 * h, half);
      turn_linear(model, q0, v0, half, v);
      go(model, q, v, h, to);
      memcpy(q, to, sizeof q);
    }
    for (int i = 0; i < model->size.nv; ++i)
      way[i] = 0.5 * v0[i];
    ffi_straight_path_move(model, q0, way, v0, to, end);
    turn_linear(model, q0, v0, q, v);
    for (int i = 0; i < model->size.nq; ++i)
      if (!(fabs(to[i] - q[i]) < 1e-5))
        fail_msg("forest %d: q[%d] is %.15g by steps, %.15g by the path", index, i, q[i], to[i]);
    for (int i = 0; i < model->size.nv; ++i)
      assert_true(fabs(end[i] - v[i]) < 1e-5);
    ffi_forest_free(&forest);
  }
}

static void the_way_between_two_is_the_way_moved(void **state)
{
  (void)state;
  for (int index = 0; index < 20; ++index) {
    static ffi_forest forest;
    ffi_forest_number(index, 0, &forest);
    const ff_model *model = forest.model;
    ffi_random r = ffi_random_seed((uint64_t)index + 50);
    double q[MAX], way[MAX], to[MAX], v[MAX], again[MAX];
    ffi_random_q(&r, model, q);
    ffi_random_vector(&r, model->size.nv, 1.7, way); // turns below pi: sqrt(3) times 1.7
    ffi_straight_path_move(model, q, way, way, to, v);
    ffi_straight_path_between(model, q, to, again);
    for (int i = 0; i < model->size.nv; ++i)
      if (!(fabs(way[i] - again[i]) < 1e-13))
        fail_msg("forest %d: way[%d] is %.16g, comes back as %.16g", index, i, way[i], again[i]);
    ffi_forest_free(&forest);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_steps_end_at_the_same_place),
      cmocka_unit_test(the_way_between_two_is_the_way_moved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
