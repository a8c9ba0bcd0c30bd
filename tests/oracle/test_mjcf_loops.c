// Closed loops of MJCF against MuJoCo: at random configurations the gap of every <connect> and <weld> is MuJoCo's
// residual, and a linkage at rest has MuJoCo's force in its pin.
#include "support/four_bar.h"

#include <footfall/footfall.h>

#include <mujoco/mujoco.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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
  mj_makeEmptyFileVFS(vfs, "loop.xml", (int)strlen(text));
  memcpy(vfs->filedata[0], text, strlen(text));
  mjModel *mj = mj_loadXML("loop.xml", vfs, message, sizeof message);
  if (!mj)
    fail_msg("MuJoCo: %s", message);
  mj_deleteVFS(vfs);
  free(vfs);
  return mj;
}

static ff_model *load_ours(const char *text)
{
  ff_model *model;
  ff_error error;
  if (ff_model_load_memory(text, strlen(text), "loop", NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  return model;
}

// ---- Gaps -------------------------------------------------------------------------------------------------

// Bodies that are turned, nested and displaced, with anchors of joints, references, and a fixed one.
static const char scene[] =
    "<mujoco><compiler angle='radian'/><worldbody>"
    "<body name='a' pos='0.3 -0.2 0.5' euler='0.4 -0.3 0.8'><joint name='ja' axis='1 2 3' pos='0.1 0 0.2' ref='0.3'/>"
    "<geom size='0.1'/><body name='b' pos='-0.1 0.4 0.2' quat='0.5 0.1 -0.7 0.2'><joint name='jb' type='slide' "
    "axis='0 1 1'/>"
    "<joint name='jb2' axis='1 0 0' ref='-0.6'/><geom size='0.1'/></body></body>"
    "<body name='c' pos='1 0 0.1' euler='-1 0.2 0.1'><joint name='jc' axis='0 1 0' pos='0 0.3 0'/><geom size='0.1'/>"
    "<body name='d' pos='0 0 0.2' euler='0.1 0.2 0.3'><geom size='0.1'/></body></body></worldbody><equality>"
    "<connect name='c1' body1='a' body2='c' anchor='0.1 0.2 0.3'/>"
    "<connect name='c2' body1='b' anchor='-0.4 0.2 0.3'/>"
    "<connect name='c3' body1='d' body2='b' anchor='0 0.2 0.7'/>"
    "<weld name='w1' body1='a' body2='c'/>"
    "<weld name='w2' body1='c' body2='b' anchor='0.3 -0.1 0.2'/>"
    "<weld name='w3' body1='d' body2='a' relpose='0.3 0.2 0.1 0.6 0.4 -0.2 0.5' anchor='0.1 0.1 0'/>"
    "<weld name='w4' body1='b'/>"
    "</equality></mujoco>";

static const char *const joints[] = {"ja", "jb", "jb2", "jc"};
enum { JOINTS = sizeof joints / sizeof joints[0] };

// Where an end is, and the axes of its frame, in the world.
static void end_of(const ff_dynamics *d, const ff_point *end, double p[3], double R[9])
{
  ff_dynamics_frame_pose(d, end->frame, p, R);
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l)
      p[k] += R[3 * k + l] * end->offset[l];
}

// The angle between two frames, from |Ra - Rb|^2 = 8 sin^2(angle / 2), squares summed over all entries.
static double half_sine(const double Ra[9], const double Rb[9])
{
  double sum = 0;
  for (int i = 0; i < 9; ++i)
    sum += (Ra[i] - Rb[i]) * (Ra[i] - Rb[i]);
  return sqrt(sum / 8);
}

// MuJoCo's rows of an equality are the gap in world axes, and for a weld sin(angle / 2) along the axis. Whether
// torquescale is in these numbers differs between its versions, so there is none here.
static void compare(const ff_model *ff, const ff_dynamics *d, const mjModel *mj, const mjData *data)
{
  int row = 0;
  for (int i = 0; i < mj->neq; ++i) {
    const char *name = mj_id2name(mj, mjOBJ_EQUALITY, i);
    ff_element_def e;
    double p[2][3], R[2][9];
    assert_int_equal(ff_model_element(ff, ff_model_find_element(ff, name), &e), FF_OK);
    end_of(d, &e.a, p[0], R[0]);
    end_of(d, &e.b, p[1], R[1]);
    // A few roundings of sums of lengths of 1 m.
    for (int k = 0; k < 3; ++k)
      if (!(fabs(p[0][k] - p[1][k] - data->efc_pos[row + k]) < 1e-13))
        fail_msg("%s: gap %d is %.17g, MuJoCo's %.17g", name, k, p[0][k] - p[1][k], data->efc_pos[row + k]);
    row += 3;
    if (e.type != FF_ELEMENT_WELD)
      continue;
    const double *turn = data->efc_pos + row;
    const double theirs = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
    const double ours = half_sine(R[0], R[1]);
    // A half sine near 0 is the root of rounding.
    if (!(fabs(theirs - ours) < 1e-7 && fabs(theirs * theirs - ours * ours) < 1e-13))
      fail_msg("%s: turn %.17g, MuJoCo's %.17g", name, ours, theirs);
    row += 3;
  }
  assert_int_equal(row, data->ne);
}

static void gaps_are_mujocos(void **state)
{
  (void)state;
  mjModel *mj = load_mujoco(scene);
  ff_model *ff = load_ours(scene);
  mjData *data = mj_makeData(mj);
  ff_dynamics *d;
  double q[JOINTS];
  assert_int_equal(ff_model_get_size(ff).elements, mj->neq);
  assert_int_equal(ff_dynamics_create(ff, NULL, &d, NULL), FF_OK);
  unsigned seed = 1;
  for (int k = 0; k < 100; ++k) {
    for (int j = 0; j < JOINTS; ++j) {
      ff_joint_info joint;
      seed = seed * 1664525u + 1013904223u;
      const int adr = mj->jnt_qposadr[mj_name2id(mj, mjOBJ_JOINT, joints[j])];
      // The first is as written: there all gaps are closed, but for the weld with a pose of its own.
      const double value = k ? 4.0 * (seed >> 8) / (1 << 24) - 2 : mj->qpos0[adr];
      ff_model_joint(ff, ff_model_find_joint(ff, joints[j]), &joint);
      q[joint.q] = data->qpos[adr] = value;
    }
    mj_fwdPosition(mj, data);
    ff_dynamics_kinematics(d, q, NULL, NULL);
    compare(ff, d, mj, data);
  }
  ff_dynamics_destroy(d);
  ff_model_destroy(ff);
  mj_deleteData(data);
  mj_deleteModel(mj);
}

// ---- Forces -----------------------------------------------------------------------------------------------

// The linkage hangs as written, where the ideal one is at rest. MuJoCo at its stiffest, impedance 0.9999, lets the pin
// yield by 1e-4 of what acts on it; ours at 1e7 N/m by 1e-5 of its size. So forces agree to a few 1e-4 of the weight.
static void a_pin_at_rest_carries_mujocos_force(void **state)
{
  static const ffi_four_bar l = {.frame = 1,
                                 .reach = 0.3,
                                 .drop = 0.4,
                                 .bar = 0.5,
                                 .rod = 0.8,
                                 .joint_damping = 0.5,
                                 .stiffness = 1e7,
                                 .damping = 1e3};
  char text[8192], stiff[9000];
  double force[3];
  (void)state;
  ffi_four_bar_text(&l, FFI_FOUR_BAR_MJCF, text, (int)sizeof text);
  const char *at = strstr(text, "solref=");
  assert_non_null(at);
  snprintf(stiff, sizeof stiff, "%.*ssolimp='0.9999 0.9999 0.001' %s", (int)(at - text), text, at);
  mjModel *mj = load_mujoco(stiff);
  mjData *data = mj_makeData(mj);
  mj_forward(mj, data);
  assert_int_equal(data->ne, 3);

  ff_model *ff = load_ours(text);
  ff_sim_def def = ff_sim_def_default();
  ff_sim *sim;
  assert_int_equal(ff_sim_create(ff, &def, &sim, NULL), FF_OK);
  assert_int_equal(ff_sim_run(sim, 10000, NULL, NULL, NULL, NULL), FF_OK);
  assert_int_equal(ff_sim_element_force(sim, 0, force), FF_OK);
  print_message("             ours %.5f %.5f %.5f N, MuJoCo's %.5f %.5f %.5f N\n", force[0], force[1],
                force[2], data->efc_force[0], data->efc_force[1], data->efc_force[2]);
  for (int k = 0; k < 3; ++k)
    assert_true(fabs(force[k] - data->efc_force[k]) < 5e-4 * l.rod * 9.81);
  assert_true(force[2] > 0.49 * l.rod * 9.81); // it holds half of the rod
  ff_sim_destroy(sim);
  ff_model_destroy(ff);
  mj_deleteData(data);
  mj_deleteModel(mj);
}

// Without this MuJoCo writes its warnings to a file in the working folder.
static void say_nothing(const char *message)
{
  (void)message;
}

int main(void)
{
  mju_user_warning = say_nothing;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gaps_are_mujocos),
      cmocka_unit_test(a_pin_at_rest_carries_mujocos_force),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
