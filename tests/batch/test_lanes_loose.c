// Steps in lanes of loose bodies against sims: many contacts, sliding, substeps.
#include "batch/same_step.h"
#include "support/must.h"

#include <footfall/batch.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

// Steps of `count` robots in a batch and, from the same states, in a sim: the state and the report. Returns how many
// of them have the property.
static int count_steps(ff_world *world, int count, int steps, double *q, double *v,
                       int (*has_property)(const ff_step_info *))
{
  ff_batch *batch;
  ff_sim *sim;
  ff_error error;
  ff_batch_def def = ff_batch_def_default();
  int found = 0;
  def.robots = count;
  ffi_must(ff_batch_create(world, &def, &batch, &error), &error);
  ffi_must(ff_sim_create_in(world, &sim, &error), &error);
  ffi_must(ff_batch_reset(batch, NULL, q, v, &error), &error);
  const size_t size = (size_t)ff_batch_state_size(batch);
  double *before = same_step_numbers((size_t)count * size), *x = same_step_numbers(size),
         *y = same_step_numbers(size), worst = 0;
  for (int k = 0; k < steps; ++k) {
    ffi_must(ff_batch_get_states(batch, before, &error), &error);
    ffi_must(ff_batch_step(batch, NULL, &error), &error);
    for (int i = 0; i < count; ++i) {
      ffi_must(ff_sim_set_state(sim, before + (size_t)i * size, &error), &error);
      ffi_must_step(sim, NULL);
      ff_sim_get_state(sim, x);
      ff_sim_get_state(ff_batch_sim(batch, i), y);
      for (size_t n = 0; n < size; ++n)
        worst = fmax(worst, fabs(x[n] - y[n]) / (1 + fabs(x[n])));
      same_step_reports(ff_batch_info(batch, i), ff_sim_info(sim));
      found += has_property(ff_sim_info(sim));
    }
  }
  const ff_batch_counts counts = ff_batch_get_counts(batch);
  print_message("%lld of %lld steps in lanes, %d with the property, differ by %.2g\n", counts.in_lanes,
                counts.steps, found, worst);
  assert_true(worst < SAME_STEP_ROUNDING);
  assert_true(2 * counts.in_lanes > counts.steps);
  ff_sim_destroy(sim);
  ff_batch_destroy(batch);
  free(before);
  free(x);
  free(y);
  return found;
}

static int has_many_contacts(const ff_step_info *info)
{
  return info->contacts == 32;
}

// Loose bodies of one shape, 2 kg each.
static ff_model *loose_bodies(int count, ff_shape_type type, double size, double friction)
{
  static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  ff_builder *builder = ffi_must_begin("bodies");
  for (int i = 0; i < count; ++i) {
    ff_link_def link = ff_link_def_default();
    ff_shape_def shape = ff_shape_def_default();
    link.name = names[i];
    link.joint.type = FF_JOINT_FREE;
    link.inertia.mass = 2;
    link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 0.0133;
    shape.type = type;
    shape.size[0] = shape.size[1] = shape.size[2] = size;
    shape.material.friction = friction;
    ffi_must_add_shape(builder, ffi_must_add_link(builder, &link), &shape);
  }
  return ffi_must_finish(builder);
}

// As many contacts as lanes have room for: eight loose boxes that rest on their faces.
static void test_many_contacts_fit(void **state)
{
  (void)state;
  enum { BOXES = 8, ROBOTS = 9 };
  double q[ROBOTS * 7 * BOXES] = {0}, v[ROBOTS * 6 * BOXES] = {0};
  ff_model *model = loose_bodies(BOXES, FF_SHAPE_BOX, 0.2, 1);
  for (int i = 0; i < ROBOTS * BOXES; ++i) {
    q[7 * i] = i % BOXES;
    q[7 * i + 2] = 0.1 - 1e-5 * (1 + i % 5);
    q[7 * i + 6] = 1;
    v[6 * i] = 1e-4 * i;
  }
  ff_world *world;
  ff_error error;
  ffi_must(ff_world_create(model, NULL, &world, &error), &error);
  assert_true(count_steps(world, ROBOTS, 40, q, v, has_many_contacts) > ROBOTS * 20);
  ff_world_destroy(world);
  ff_model_destroy(model);
}

static int has_any(const ff_step_info *info)
{
  return info->contacts > 0;
}

// Every body has another material: eight stiffnesses and dampings in one world.
static void test_many_materials_fit(void **state)
{
  (void)state;
  enum { BALLS = 8, ROBOTS = 5 };
  double q[ROBOTS * 7 * BALLS] = {0}, v[ROBOTS * 6 * BALLS] = {0};
  ff_builder *builder = ffi_must_begin("balls");
  static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  for (int i = 0; i < BALLS; ++i) {
    ff_link_def link = ff_link_def_default();
    ff_shape_def shape = ff_shape_def_default();
    link.name = names[i];
    link.joint.type = FF_JOINT_FREE;
    link.inertia.mass = 2;
    link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 0.0133;
    shape.type = FF_SHAPE_SPHERE;
    shape.size[0] = 0.1;
    shape.material.stiffness = 1e5 - 1e4 * i;
    shape.material.damping = 100 + 50 * i;
    ffi_must_add_shape(builder, ffi_must_add_link(builder, &link), &shape);
  }
  ff_model *model = ffi_must_finish(builder);
  for (int i = 0; i < ROBOTS * BALLS; ++i) {
    q[7 * i] = i % BALLS;
    q[7 * i + 2] = 0.1 - 1e-5 * (1 + i % 5);
    q[7 * i + 6] = 1;
    v[6 * i] = 1e-4 * i;
  }
  for (int k = 0; k < 2; ++k) {
    ff_world *world;
    ff_error error;
    ff_sim_def def = ff_sim_def_default();
    def.stepper = k == 0 ? FF_STEPPER_EXPO : FF_STEPPER_EXPO_PAPER;
    def.dt = 2e-3;
    ffi_must(ff_world_create(model, &def, &world, &error), &error);
    assert_true(count_steps(world, ROBOTS, 40, q, v, has_any) > 0);
    ff_world_destroy(world);
  }
  ff_model_destroy(model);
}

static int is_capped(const ff_step_info *info)
{
  assert_int_equal(info->substeps, 1);
  return info->capped;
}

static int slips(const ff_step_info *info)
{
  return info->slipping > 0 && info->pieces == 1;
}

// Balls that bounce a little and roll, some of them near the rim of their friction cones.
static int count_steps_of_balls(const ff_sim_def *def, int (*has_property)(const ff_step_info *))
{
  enum { ROBOTS = 40 };
  double q[ROBOTS * 7] = {0}, v[ROBOTS * 6] = {0};
  ff_model *model = loose_bodies(1, FF_SHAPE_SPHERE, 0.1, 0.3);
  for (int i = 0; i < ROBOTS; ++i) {
    q[7 * i + 2] = 0.1 - 1e-5 * (1 + i % 9);
    q[7 * i + 6] = 1;
    v[6 * i] = 2e-3 * i;
  }
  ff_world *world;
  ff_error error;
  ffi_must(ff_world_create(model, def, &world, &error), &error);
  const int found = count_steps(world, ROBOTS, 60, q, v, has_property);
  ff_world_destroy(world);
  ff_model_destroy(model);
  return found;
}

// `max_substeps` bounds the steps in lanes too.
static void test_lanes_keep_to_max_substeps(void **state)
{
  (void)state;
  ff_sim_def def = ff_sim_def_default();
  def.dt = 1e-2;
  def.expo.force_tolerance = 1e-8;
  def.expo.max_substeps = 1;
  assert_true(count_steps_of_balls(&def, is_capped) > 0);
}

// Contacts that stick through the step and are beyond their cones at its end are reported as slipping.
static void test_lanes_report_slipping(void **state)
{
  (void)state;
  ff_sim_def def = ff_sim_def_default();
  def.dt = 4e-3;
  assert_true(count_steps_of_balls(&def, slips) > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_many_contacts_fit),
      cmocka_unit_test(test_many_materials_fit),
      cmocka_unit_test(test_lanes_keep_to_max_substeps),
      cmocka_unit_test(test_lanes_report_slipping),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
