// Torsional and rolling friction of a ball against MuJoCo with condim 6 and short steps, whose friction is soft: the
// way and the turn after a while.
#include "support/must.h"
#include "support/near.h"

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

static const char text[] =
    "<mujoco><option timestep='1e-4' cone='elliptic' impratio='100' solver='Newton' tolerance='1e-12'/>"
    "<worldbody><geom type='plane' size='9 9 1' friction='1 0 0'/><body name='ball' pos='0 0 0.1'><freejoint/>"
    "<geom type='sphere' size='0.1' mass='2' condim='6' friction='1 0.004 0.002'/></body></worldbody></mujoco>";

static mjModel *load_mujoco(void)
{
  char message[1000] = "";
  mjVFS *vfs = malloc(sizeof *vfs);
  assert_non_null(vfs);
  mj_defaultVFS(vfs);
  mj_makeEmptyFileVFS(vfs, "ball.xml", (int)strlen(text));
  memcpy(vfs->filedata[0], text, strlen(text));
  mjModel *model = mj_loadXML("ball.xml", vfs, message, sizeof message);
  if (!model)
    fail_msg("MuJoCo: %s", message);
  mj_deleteVFS(vfs);
  free(vfs);
  return model;
}

// Half a second, in which the motion does not end. One at a time: in MuJoCo sliding, torsional and rolling friction
// share one cone.
static void compare(const double v[6], double way, double spin)
{
  static const ff_stepper steppers[] = {FF_STEPPER_EXPO, FF_STEPPER_ESS, FF_STEPPER_MOREAU, FF_STEPPER_CA,
                                        FF_STEPPER_C2A};
  mjModel *mj = load_mujoco();
  mjData *data = mj_makeData(mj);
  ff_model *model;
  ff_error error;
  ffi_must(ff_model_load_memory(text, strlen(text), "ball.xml", NULL, &model, &error), &error);
  memcpy(data->qvel, v, 6 * sizeof *v);
  for (int i = 0; i < 5000; ++i)
    mj_step(mj, data);
  for (size_t k = 0; k < sizeof steppers / sizeof *steppers; ++k) {
    ff_sim_def def = ff_sim_def_default();
    def.stepper = steppers[k];
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_must_reset(sim, (const double[7]){0, 0, 0.1, 0, 0, 0, 1}, v);
    ffi_must_run(sim, 500, NULL);
    const double *q = ff_sim_q(sim), *p = data->qpos;
    ffi_check_near(ff_stepper_name(steppers[k]), q[0], p[0], way);
    ffi_check_near(ff_stepper_name(steppers[k]), 2 * atan2(q[5], q[6]), 2 * atan2(p[6], p[3]), spin);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
  mj_deleteData(data);
  mj_deleteModel(mj);
}

// Friction takes 12 % of the way and 40 % of the turn; they agree to 0.2 % of both. MuJoCo's contact gives more, so
// that its first steps differ.
static void a_ball_loses_as_much(void **state)
{
  (void)state;
  compare((const double[6]){0.3, 0, 0, 0, 3, 0}, 3e-4, 1e-6);
  compare((const double[6]){0, 0, 0, 0, 0, 6}, 1e-6, 4e-3);
}

// Of two geoms the larger condim counts, so 1 means something only if the floor has it too; and the larger friction.
static void condim_is_friction_of_three_kinds(void **state)
{
  (void)state;
  static const struct {
    const char *floor, *geom;
    double want[3];
  } cases[] = {{"<geom type='plane' size='1 1 1' condim='1'/>", "condim='1' friction='0.5'", {0, 0, 0}},
               {"<geom type='plane' size='1 1 1'/>", "condim='1' friction='0.5'", {1, 0, 0}},
               {"", "condim='1' friction='0.5'", {0.5, 0, 0}},
               {"", "condim='3' friction='0.5 0.25 0.125'", {0.5, 0, 0}},
               {"", "condim='4' friction='0.5 0.25 0.125'", {0.5, 0.25, 0}},
               {"", "condim='6' friction='0.5 0.25 0.125'", {0.5, 0.25, 0.125}},
               {"", "condim='6'", {1, 0.005, 0.0001}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char file[500];
    ff_shape_info shape;
    snprintf(
        file, sizeof file,
        "<mujoco><worldbody>%s<body name='a'><freejoint/><geom name='g' size='0.1' %s/></body></worldbody>"
        "</mujoco>",
        cases[i].floor, cases[i].geom);
    ff_model *model;
    ff_error error;
    ffi_must(ff_model_load_memory(file, strlen(file), "geom.xml", NULL, &model, &error), &error);
    ff_model_shape(model, ff_model_get_size(model).shapes - 1, &shape);
    const ff_material *m = &shape.def.material;
    const double got[3] = {m->friction, m->torsional_friction, m->rolling_friction};
    ffi_check_near(cases[i].geom, ffi_gap(3, got, cases[i].want), 0, 0);
    ff_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_ball_loses_as_much),
                                     cmocka_unit_test(condim_is_friction_of_three_kinds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
