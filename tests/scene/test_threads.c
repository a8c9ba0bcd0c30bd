// Many runs of a scene on several threads, each with a controller of its own, get the bits of one thread. Run under
// ThreadSanitizer too (preset tsan).
#include "support/must.h"
#include "support/robots.h"

#include <footfall/scene/scene_batch.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { RUNS = 70 };

static ff_scene_batch *run_all(ff_scene *scene, int threads)
{
  static const char *const vary[] = {"material.friction=0.1..1", "start.joints=1deg", "mass=0.1",
                                     "pushes.angle=180deg"};
  ff_scene_batch_def def = ff_scene_batch_def_default();
  ff_scene_batch *batch;
  ff_error error;
  def.runs = RUNS;
  def.threads = threads;
  def.vary = vary;
  def.vary_count = 4;
  ffi_must(ff_scene_batch_create(scene, &def, &batch, &error), &error);
  while (!ff_scene_batch_is_done(batch))
    ffi_must(ff_scene_batch_advance(batch, 4, &error), &error);
  return batch;
}

static void threads_share_a_scene(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  static const char *feet[] = {"HL_FOOT", "HR_FOOT", "FL_FOOT", "FR_FOOT"};
  const ff_scene_push push = {.link = "base_link",
                              .force = {20, 0, 0},
                              .impulse = {NAN, NAN, NAN},
                              .duration = 0.01,
                              .vary = {.time = 0.01}};
  const ff_controller_type kinds[] = {FF_CONTROLLER_POSTURE, FF_CONTROLLER_SQUAT};
  for (int i = 0; i < 2; ++i) {
    ff_scene_def def = ff_scene_def_default();
    ff_scene *scene;
    ff_error error;
    def.start.posture = "standing";
    def.start.on_ground = 1;
    def.controller.type = kinds[i];
    def.controller.kp = 5, def.controller.kd = 0.1, def.controller.period = 2e-3;
    def.controller.squat.feet = feet, def.controller.squat.feet_count = 4;
    def.pushes.list = &push, def.pushes.list_count = 1;
    def.duration = 0.012;
    def.expect.upright = 1, def.expect.penetration = 1e-3;
    ffi_must(ff_scene_create(model, &def, &scene, &error), &error);
    ff_scene_batch *one = run_all(scene, 1), *three = run_all(scene, 3);
    for (int run = 0; run < RUNS; ++run) {
      const ff_scene_run *a = ff_scene_batch_run(one, run), *b = ff_scene_batch_run(three, run);
      assert_int_equal(a->outcome, b->outcome);
      assert_memory_equal(a->position, b->position, sizeof a->position);
      assert_true(a->energy == b->energy && a->tilt == b->tilt && a->penetration == b->penetration);
    }
    ff_scene_batch_destroy(one);
    ff_scene_batch_destroy(three);
    ff_scene_destroy(scene);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_share_a_scene)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
