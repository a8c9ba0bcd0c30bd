// Compiles MJCF text in memory and converts states to MuJoCo's coordinates.
#include "peers/mujoco_model.h"

#ifdef FF_HAVE_MUJOCO
#include "peers/mjcf_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mjModel *bench_mujoco_model_compile_text(const char *text, char *why, size_t size)
{
  mjModel *m = NULL;
  mjVFS *files = malloc(sizeof *files);
  if (!files) {
    snprintf(why, size, "no memory");
    return NULL;
  }
  mj_defaultVFS(files);
  const int length = (int)strlen(text);
  if (mj_makeEmptyFileVFS(files, "robot.xml", length) == 0) {
    memcpy(files->filedata[mj_findFileVFS(files, "robot.xml")], text, (size_t)length);
    m = mj_loadXML("robot.xml", files, why, (int)size);
  }
  mj_deleteVFS(files);
  free(files);
  return m;
}

mjModel *bench_mujoco_model_compile(const ff_model *model, int has_contacts, char *why, size_t size)
{
  mjModel *m = NULL;
  for (int balance = 0; balance < 2 && !m; ++balance) {
    char *text = bench_mjcf_text(model, balance, has_contacts);
    if (text)
      m = bench_mujoco_model_compile_text(text, why, size);
    else
      snprintf(why, size, "the model cannot be written as MJCF");
    free(text);
  }
  return m;
}

static void quaternion_in(const double *ours, double *theirs)
{
  theirs[0] = ours[3];
  for (int k = 0; k < 3; ++k)
    theirs[1 + k] = ours[k];
}

void bench_mujoco_model_convert(const ff_model *model, const double *q, const double *v, double *qpos,
                                double *qvel)
{
  const ff_model_size size = ff_model_get_size(model);
  memcpy(qpos, q, (size_t)size.nq * sizeof *q);
  memcpy(qvel, v, (size_t)size.nv * sizeof *v);
  for (int j = 0; j < size.joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(model, j, &joint);
    if (joint.type == FF_JOINT_SPHERICAL)
      quaternion_in(q + joint.q, qpos + joint.q);
    if (joint.type != FF_JOINT_FREE)
      continue;
    quaternion_in(q + joint.q + 3, qpos + joint.q + 3);
    mju_rotVecQuat(qvel + joint.v, v + joint.v, qpos + joint.q + 3);
  }
}

void bench_mujoco_model_free(mjModel *m, mjData *d)
{
  if (d)
    mj_deleteData(d);
  if (m)
    mj_deleteModel(m);
}

#else
typedef int bench_mujoco_model_is_empty; // ISO C forbids an empty file
#endif
