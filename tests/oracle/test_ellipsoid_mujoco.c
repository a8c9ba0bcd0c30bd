// Ellipsoids against MuJoCo: contact with a plane, which both have in closed form, and with a ball, which MuJoCo finds
// by a search to 1e-6.
#include "support/must.h"
#include "support/near.h"
#include "support/random_state.h"

#include <footfall/footfall.h>

#include <mujoco/mujoco.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static mjModel *load_mujoco(const char *text)
{
  char message[1000] = "";
  mjVFS *vfs = malloc(sizeof *vfs);
  assert_non_null(vfs);
  mj_defaultVFS(vfs);
  mj_makeEmptyFileVFS(vfs, "egg.xml", (int)strlen(text));
  memcpy(vfs->filedata[0], text, strlen(text));
  mjModel *model = mj_loadXML("egg.xml", vfs, message, sizeof message);
  if (!model)
    fail_msg("MuJoCo: %s", message);
  mj_deleteVFS(vfs);
  free(vfs);
  return model;
}

// An ellipsoid of random size and orientation that overlaps `other` by up to 2 mm or so. Depths of both.
static int compare(ffi_random *random, const char *other, double reach, double tolerance)
{
  char text[2000];
  double size[3], q[7] = {0, 0, 0, 0, 0, 0, 1};
  for (int k = 0; k < 3; ++k)
    size[k] = ffi_random_between(random, 0.05, 0.2);
  snprintf(
      text, sizeof text,
      "<mujoco><worldbody>%s<body name='egg'><freejoint/><geom type='ellipsoid' size='%.17g %.17g %.17g' "
      "mass='1'/></body></worldbody></mujoco>",
      other, size[0], size[1], size[2]);
  mjModel *mj = load_mujoco(text);
  mjData *data = mj_makeData(mj);
  ff_model *model;
  ff_error error;
  ffi_must(ff_model_load_memory(text, strlen(text), "egg.xml", NULL, &model, &error), &error);
  ff_sim *sim = ffi_must_sim(model, NULL);
  double R[9], square = 0;
  ffi_random_quaternion(random, q + 3);
  mju_quat2Mat(R, (const double[4]){q[6], q[3], q[4], q[5]});
  for (int k = 0; k < 3; ++k)
    square += R[6 + k] * size[k] * R[6 + k] * size[k];
  q[2] = sqrt(square) + reach - ffi_random_between(random, 1e-4, 2e-3);
  const double mj_q[7] = {q[0], q[1], q[2], q[6], q[3], q[4], q[5]};
  memcpy(data->qpos, mj_q, sizeof mj_q);
  mj_forward(mj, data);
  ffi_must_reset(sim, q, NULL);
  int count;
  const ff_contact *contact = ff_sim_contacts(sim, &count);
  const int compared = data->ncon == 1 && count == 1;
  assert_int_equal(data->ncon, count);
  if (compared) {
    const mjContact *theirs = &data->contact[0];
    const double sign = theirs->frame[2] * contact[0].normal[2] > 0 ? 1 : -1;
    ffi_check_near("gap", -contact[0].penetration, theirs->dist, tolerance);
    for (int k = 0; k < 3; ++k) // an error of the place of e changes the depth by e^2 / 2 r
      ffi_check_near("normal", contact[0].normal[k], sign * theirs->frame[k], sqrt(tolerance));
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  mj_deleteData(data);
  mj_deleteModel(mj);
  return compared;
}

static void depths_are_mujocos(void **state)
{
  (void)state;
  ffi_random random = ffi_random_seed(1);
  int planes = 0, balls = 0;
  for (int i = 0; i < 50; ++i) {
    planes += compare(&random, "<geom type='plane' size='1 1 1'/>", 0, 1e-10);
    balls += compare(&random, "<geom type='sphere' size='0.1'/>", 0.1, 1e-5);
  }
  assert_true(planes == 50 && balls > 10); // one beside the other's top may miss it
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(depths_are_mujocos)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
