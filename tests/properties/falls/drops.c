// Limits of a fall, and the campaign of one robot.
#include "properties/falls/drops.h"

#include "properties/falls/falls.h"
#include "properties/falls/robot_shapes.h"
#include "support/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// What a fall may come to, on a flat floor and on stairs. The energy of the start, E, zero on the floor, is all there
// is:
//
// - total energy does not exceed E by 1 %;
// - no spring is pressed deeper than sqrt(2 E / K), and no link's centre of mass gets lower than that.
static void check(const ffi_falls_scene *scene, const char *robot, int index, const ffi_falls_result *r)
{
  const double allowed = 0.01, depth = sqrt(2 * r->start / scene->stiffness);
  const char *where = scene->is_stairs ? "stairs" : "the floor";
  if (!(r->worst_gain <= allowed))
    fail_msg("%s, start %d, on %s: energy exceeds its start by %g, allowed is %g", robot, index, where,
             r->worst_gain, allowed);
  if (!(r->worst_penetration <= depth))
    fail_msg("%s, start %d, on %s: %g m deep, which takes more energy than there is (%g m)", robot, index,
             where, r->worst_penetration, depth);
  if (!(r->lowest >= -depth))
    fail_msg("%s, start %d, on %s: a link is at z = %g", robot, index, where, r->lowest);
  // The default of max_pieces. A piece is predicted at most 5 x 10 times to an event (shortenings, changes of modes),
  // once as published, 8 times in its search, 4 x 9 times with its correction and 4 x 3 times when it is absorbed, and
  // each prediction factors for 1, 2, 4 and 8 sub-steps: 32 x 428 can be. Falls take far less.
  if (!(r->most_pieces <= 32 && r->most_factorisations <= 32 * 60))
    fail_msg("%s, start %d, on %s: %d pieces, %d factorisations in one step", robot, index, where,
             r->most_pieces, r->most_factorisations);
}

void ffi_drops_throw_all(void **state)
{
  const ffi_drops_cast *c = *state;
  const int robot = c->robot;
  const double stiffness = c->stiffness;
  const double dt = 0.002;
  ff_model *model = ffi_robot_shapes_load(robot);
  ffi_falls_scene scenes[2];
  ffi_falls_result all[2] = {{.lowest = (double)INFINITY}, {.lowest = (double)INFINITY}};
  for (int i = 0; i < 2; ++i) {
    const ffi_falls_def falls = {
        .stepper = FF_STEPPER_EXPO, .law = c->contact_law, .stiffness = stiffness, .dt = dt, .is_stairs = i};
    ffi_falls_open(&scenes[i], model, &falls);
  }
  const int starts = ffi_samples(c->starts > 0 ? c->starts : 200);
  for (int index = 0; index < starts; ++index) {
    ffi_random random = ffi_random_seed((uint64_t)index * 7919 + (uint64_t)robot);
    const int is_stairs = ffi_random_below(&random, 2);
    ffi_falls_result one;
    ffi_falls_start(&scenes[is_stairs], &random);
    const char *failure = ffi_falls_run(&scenes[is_stairs], 500, &one);
    if (failure)
      fail_msg("%s, start %d: %s", ffi_robot_shapes_name(robot), index, failure);
    check(&scenes[is_stairs], ffi_robot_shapes_name(robot), index, &one);
    ffi_falls_add(&all[is_stairs], &one);
  }
  for (int i = 0; i < 2; ++i) {
    const ffi_falls_result *r = &all[i];
    print_message(
        "%s, K %g, %s: %d falls, %.2f pieces a step, most %d, %d factorisations, %d contacts; capped: "
        "pieces %lld, sub-steps %lld; depth %.3g mm, gain %.2g, lowest %.3g m; %.1f us a step\n",
        ffi_robot_shapes_name(robot), stiffness, i ? "stairs" : "floor", r->falls,
        (double)r->pieces / (double)r->steps, r->most_pieces, r->most_factorisations, r->most_contacts,
        r->capped_events, r->capped_substeps, 1e3 * r->worst_penetration, r->worst_gain, r->lowest,
        1e6 * r->seconds / (double)r->steps);
    ffi_falls_close(&scenes[i]);
  }
  ffi_samples_tried(starts, "falls");
  ff_model_destroy(model);
}
