// Loads shipped robots and sets up the controller of the squat.
#include "support/robots.h"

#include "support/must.h"

#include <footfall/load.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

ff_model *ffi_robot(const char *file)
{
  char path[512];
  ff_error error;
  ff_model *model = NULL;
  snprintf(path, sizeof path, "%s/models/%s", FFI_TEST_SOURCE_DIR, file);
  ffi_must(ff_model_load(path, NULL, &model, &error), &error);
  return model;
}

const double *ffi_robot_posture(const ff_model *model, const char *posture)
{
  const int index = ff_model_find_posture(model, posture);
  assert_true(index >= 0);
  return ff_model_posture(model, index);
}

int ffi_robot_frame(const ff_model *model, const char *name)
{
  const int frame = ff_model_find_frame(model, name);
  if (frame < 0)
    fail_msg("there is no frame '%s'", name);
  return frame;
}

ff_whole_body_def ffi_squat_def(const ff_model *model, ff_contact_task feet[4])
{
  static const char *const names[4] = {"HL_FOOT", "HR_FOOT", "FL_FOOT", "FR_FOOT"};
  static const double origin[3] = {0, 0, 0};
  for (int i = 0; i < 4; ++i) {
    feet[i] = ff_contact_task_default();
    feet[i].frame = ffi_robot_frame(model, names[i]);
    feet[i].points = origin;
    feet[i].point_count = 1;
    feet[i].min_force = 1;
    feet[i].max_force = 1e4;
    feet[i].task = (ff_task){.weight = 1, .kp = 1, .kd = -1};
  }
  ff_whole_body_def def = ff_whole_body_def_default();
  def.contacts = feet;
  def.contact_count = 4;
  def.com = (ff_task){.weight = 1, .kp = 2, .kd = -1};
  def.posture = (ff_task){.weight = 1e-3, .kp = 2, .kd = -1};
  def.force_weight = 1e-6;
  return def;
}

ff_whole_body *ffi_must_whole_body(const ff_model *model, const ff_whole_body_def *def)
{
  ff_error error;
  ff_whole_body *body = NULL;
  ffi_must(ff_whole_body_create(model, def, &body, &error), &error);
  return body;
}
