// Romeo walks with dry friction in all its joints: it still takes four steps, with few substeps more.
#define _GNU_SOURCE // mkstemps

#include "io/scene_text.h"

#include <footfall/model.h>
#include <footfall/sim.h>

#include <unistd.h>

static const double part = 0.02; // of each motor's torque

// Romeo's file with <dynamics friction> behind every <limit>, as a new file. Returns the number of joints.
static int write_robot(char *path)
{
  FILE *from = fopen(MODELS "romeo.urdf", "r"), *to = fdopen(mkstemps(path, 5), "w");
  char line[1000];
  int count = 0;
  assert_true(from && to);
  while (fgets(line, sizeof line, from)) {
    const char *effort = strstr(line, "effort=\"");
    fputs(line, to);
    if (!effort || !strstr(line, "<limit"))
      continue;
    fprintf(to, "<dynamics friction=\"%.9g\"/>\n", part * atof(effort + 8));
    ++count;
  }
  fclose(from);
  fclose(to);
  return count;
}

static double substeps_of(const char *model, const char *dt)
{
  const ff_scene_override changes[] = {{"model", model, NULL}, {"dt", dt, NULL}};
  ff_scene *scene = ffi_scene_of_file(SCENES "romeo-walk.yaml", changes, 2);
  ff_error error;
  ff_scene_result result;
  for (long long k = 0; k < ff_scene_steps(scene); ++k) {
    ffi_must(ff_scene_step(scene, &error), &error);
    ff_scene_watch(scene);
  }
  const ff_sim_totals totals = ff_sim_get_totals(ff_scene_sim(scene));
  ff_scene_get_result(scene, &result);
  assert_int_equal(result.steps, 4);
  ff_scene_destroy(scene);
  return (double)totals.pieces / (double)totals.steps;
}

// Events of friction come inside the step, and most steps have none.
static void it_takes_few_substeps(void **state)
{
  (void)state;
  char path[] = "/tmp/footfall-romeo-XXXXXX.urdf";
  assert_true(write_robot(path) >= 30);
  static const char *const dt[] = {"2ms", "1ms"};
  for (int i = 0; i < 2; ++i) {
    const double substeps = substeps_of(path, dt[i]);
    if (!(substeps <= 1.5))
      fail_msg("in steps of %s it takes %g substeps a step", dt[i], substeps);
  }
  remove(path);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(it_takes_few_substeps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
