// Bodies pressed deep into a height field whose cells are far smaller than they are: hundreds of cells touch each. The
// work of a step is bounded all the same, where a stepper counts it, and its time is printed for all.
// docs/performance.md, worst-case work per step
#include "base/clock.h"
#include "support/must.h"

#include <footfall/builder.h>
#include <footfall/sim.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINES = 101, BODIES = 3, STEPS = 2, MAX_STEPS = 1000 };

// Units of work that a trial of `expo` may add after its bound is reached: it then takes the rest of the step.
enum { EXPO_WORK = 60000, LAST_TRIAL = 300000 };

static const ff_shape_type types[] = {FF_SHAPE_SPHERE, FF_SHAPE_CAPSULE, FF_SHAPE_BOX,      FF_SHAPE_CYLINDER,
                                      FF_SHAPE_DISK,   FF_SHAPE_HULL,    FF_SHAPE_ELLIPSOID};
enum { TYPES = sizeof types / sizeof types[0] };

static const double corners[8][3] = {{-.3, -.2, -.1}, {.3, -.2, -.1}, {-.3, .2, -.1}, {.3, .2, -.1},
                                     {-.2, -.1, .1},  {.2, -.1, .1},  {-.2, .1, .1},  {.2, .1, .1}};

static ff_model *make_bodies(ff_shape_type type)
{
  ff_builder *builder;
  ff_model *model;
  ff_error error;
  ffi_must(ff_builder_create("bodies", &builder, &error), &error);
  for (int i = 0; i < BODIES; ++i) {
    char name[8];
    ff_link_def link = ff_link_def_default();
    ff_shape_def shape = ff_shape_def_default();
    snprintf(name, sizeof name, "B%d", i);
    link.name = name;
    link.joint.type = FF_JOINT_FREE;
    link.inertia.mass = 5;
    link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 0.2;
    int id;
    ffi_must(ff_builder_add_link(builder, &link, &id, &error), &error);
    shape.type = type;
    shape.size[0] = 0.3, shape.size[1] = 0.25, shape.size[2] = 0.2;
    if (type == FF_SHAPE_HULL) {
      shape.vertices = corners[0];
      shape.vertex_count = 8;
    }
    ffi_must(ff_builder_add_shape(builder, id, &shape, &error), &error);
  }
  ffi_must(ff_builder_finish(builder, &model, &error), &error);
  ff_builder_destroy(builder);
  return model;
}

// Waves of 3 cm over 2 m x 2 m, in cells of two centimetres.
static ff_ground_def make_field(double *heights)
{
  ff_ground_def ground = ff_ground_def_default();
  for (int row = 0; row < LINES; ++row)
    for (int column = 0; column < LINES; ++column)
      heights[row * LINES + column] = 0.03 * sin(0.26 * column) * cos(0.34 * row);
  ground.shape.type = FF_SHAPE_HEIGHTFIELD;
  ground.shape.size[0] = ground.shape.size[1] = 2;
  ground.shape.rows = ground.shape.columns = LINES;
  ground.shape.heights = heights;
  return ground;
}

// The longest of some steps from deep in the field [s]; *work: the most.
static double longest_step(ff_shape_type type, ff_stepper stepper, double accuracy, int *work)
{
  static double heights[LINES * LINES];
  const ff_ground_def ground = make_field(heights);
  ff_model *model = make_bodies(type);
  ff_sim_def def = ff_sim_def_default();
  ff_sim *sim;
  ff_error error;
  double q[7 * BODIES] = {0}, v[6 * BODIES] = {0}, longest = 0;
  def.stepper = stepper;
  def.dt = 2e-3;
  def.accuracy = accuracy;
  def.ess.max_steps = MAX_STEPS;
  def.ground = &ground;
  def.ground_count = 1;
  for (int i = 0; i < BODIES; ++i) {
    q[7 * i] = 0.65 * (i - 1), q[7 * i + 2] = 0.08, q[7 * i + 6] = 1;
    v[6 * i + 2] = -1, v[6 * i + 3] = 3;
  }
  ffi_must(ff_sim_create(model, &def, &sim, &error), &error);
  ffi_must(ff_sim_reset(sim, q, v, &error), &error);
  *work = 0;
  for (int k = 0; k < STEPS; ++k) {
    const double start = ffi_clock_thread_seconds();
    const ff_status status = ff_sim_step(sim, NULL, &error);
    longest = fmax(longest, ffi_clock_thread_seconds() - start);
    *work = ff_sim_info(sim)->work > *work ? ff_sim_info(sim)->work : *work;
    if (status != FF_OK) {
      assert_non_null(strstr(error.message, "ess.max_steps"));
      break;
    }
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return longest;
}

// What a stepper may count in a step.
static int most_work(ff_stepper stepper, double accuracy, const ff_sim_def *def)
{
  if (stepper == FF_STEPPER_ESS)
    return 100 * (MAX_STEPS + 100) + 10000; // and the evaluation that is too much
  return stepper == FF_STEPPER_EXPO ? (accuracy > 0 ? EXPO_WORK + LAST_TRIAL : 0) : (int)def->c2a_max_work;
}

static void steps_on_fine_fields_end_soon(void **state)
{
  (void)state;
  static const ff_stepper steppers[] = {FF_STEPPER_EXPO, FF_STEPPER_EXPO, FF_STEPPER_ESS, FF_STEPPER_MOREAU,
                                        FF_STEPPER_C2A};
  const ff_sim_def def = ff_sim_def_default();
  int reached = 0;
  for (int i = 0; i < TYPES; ++i)
    for (int k = 0; k < 5; ++k) {
      const double accuracy = k == 1 ? 1e-6 : 0;
      int work;
      const double seconds = longest_step(types[i], steppers[k], accuracy, &work);
      print_message("%-10s %-7s%s %9.3g ms, work %d\n", ff_shape_type_name(types[i]),
                    ff_stepper_name(steppers[k]), k == 1 ? "1e-6" : "    ", 1e3 * seconds, work);
      assert_true(work <= most_work(steppers[k], accuracy, &def));
      reached += k == 1 && 4 * work > 3 * EXPO_WORK;
    }
  assert_true(reached > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_on_fine_fields_end_soon),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
