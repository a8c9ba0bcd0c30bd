// Robots of a batch through ff_batch_sim(): what the batch shows of them afterwards, and what becomes of requests.
#include "support/must.h"
#include "support/robots.h"

#include <footfall/batch.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ROBOTS = 20 };

typedef struct setting {
  ff_model *model;
  ff_world *world;
  ff_batch *batch;
} setting;

static setting begin(void)
{
  setting s = {.model = ffi_robot("solo12.urdf")};
  ff_error error;
  ff_batch_def def = ff_batch_def_default();
  def.robots = ROBOTS;
  def.threads = 2;
  ffi_must(ff_world_create(s.model, NULL, &s.world, &error), &error);
  ffi_must(ff_batch_create(s.world, &def, &s.batch, &error), &error);
  return s;
}

static void end(setting *s)
{
  ff_batch_destroy(s->batch);
  ff_world_destroy(s->world);
  ff_model_destroy(s->model);
}

// The last change by ff_batch_sim() is seen by each query that comes next.
static void test_queries_see_changes(void **state)
{
  (void)state;
  setting s = begin();
  ff_error error;
  const size_t nq = (size_t)ff_model_get_size(s.model).nq, nv = (size_t)ff_model_get_size(s.model).nv;
  const double *standing = ffi_robot_posture(s.model, "standing");
  double v[64] = {1, 2, 3};
  assert_true(nv <= 64);
  ffi_must_reset(ff_batch_sim(s.batch, 5), standing, v);
  assert_memory_equal(ff_batch_q(s.batch) + 5 * nq, standing, nq * sizeof *standing);
  ffi_must_reset(ff_batch_sim(s.batch, 6), standing, v);
  assert_memory_equal(ff_batch_v(s.batch) + 6 * nv, v, nv * sizeof *v);
  ffi_must_step(ff_batch_sim(s.batch, 6), NULL);
  assert_true(ff_batch_time(s.batch)[6] > 0);
  ffi_must_step(ff_batch_sim(s.batch, 6), NULL);
  assert_int_equal(ff_batch_get_totals(s.batch, 6).steps, 2);
  ffi_must_step(ff_batch_sim(s.batch, 7), NULL);
  assert_true(ff_batch_info(s.batch, 7)->pieces > 0);

  double tau[ROBOTS * 64] = {0};
  tau[9 * nv + 1] = (double)INFINITY;
  for (int query = 0; query < 3; ++query) {
    ffi_must(ff_batch_step(s.batch, tau, &error), &error);
    assert_int_equal(ff_batch_failed(s.batch), 1);
    ffi_must_reset(ff_batch_sim(s.batch, 9), standing, NULL);
    if (query == 0)
      assert_int_equal(ff_batch_failed(s.batch), 0);
    else if (query == 1)
      assert_int_equal(ff_batch_status(s.batch)[9], FF_OK);
    else
      assert_int_equal(ff_batch_error(s.batch, 9, &error), FF_OK);
  }
  end(&s);
}

// An interruption is for steps of that sim, not for the robot that its thread steps next.
static void test_interrupt_is_for_one_robot(void **state)
{
  (void)state;
  setting s = begin();
  ff_error error;
  ff_sim *sim = ff_batch_sim(s.batch, 3);
  ff_sim_interrupt(sim);
  assert_int_equal(ff_sim_step(sim, NULL, &error), FF_ERROR_INTERRUPTED);
  ff_sim_interrupt(sim);
  ffi_must(ff_batch_step(s.batch, NULL, &error), &error);
  assert_int_equal(ff_batch_failed(s.batch), 0);
  end(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_queries_see_changes),
      cmocka_unit_test(test_interrupt_is_for_one_robot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
