// Random trees of MJCF, with every kind of joint, geom and orientation, read by MuJoCo's own reader and by ours, must
// be one and the same robot.
#include "mjcf_compare.h"

#include <footfall/load.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct text {
  char *data;
  size_t length, capacity;
} text;

static void put(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(text *t, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  t->length += (size_t)vsnprintf(t->data + t->length, t->capacity - t->length, format, arguments);
  va_end(arguments);
  assert_true(t->length < t->capacity);
}

static int chance(double probability)
{
  return ffi_mjcf_compare_uniform(0, 1) < probability;
}

static void put_numbers(text *t, const char *attribute, int count, double low, double high)
{
  put(t, " %s=\"", attribute);
  for (int i = 0; i < count; ++i)
    put(t, "%s%.6g", i ? " " : "", ffi_mjcf_compare_uniform(low, high));
  put(t, "\"");
}

static void put_orientation(text *t)
{
  switch ((int)ffi_mjcf_compare_uniform(0, 7)) {
  case 0: put_numbers(t, "quat", 4, -1, 1); break;
  case 1: put_numbers(t, "axisangle", 4, -1, 1); break;
  case 2: put_numbers(t, "euler", 3, -2, 2); break;
  case 3: put_numbers(t, "zaxis", 3, -1, 1); break;
  case 4: put_numbers(t, "xyaxes", 6, -1, 1); break;
  default: break;
  }
}

// Returns the number of velocities. Nothing may turn after a ball joint.
static int put_joint(text *t, int *id, int *has_ball)
{
  static const char *const types[] = {"slide", "hinge", "ball"};
  const int type = *has_ball ? 0 : (int)ffi_mjcf_compare_uniform(0, 3);
  put(t, "<joint name=\"%c%d\" type=\"%s\"", 'a' + (int)ffi_mjcf_compare_uniform(0, 26), (*id)++,
      types[type]);
  if (type < 2)
    put_numbers(t, "axis", 3, -1, 1);
  if (chance(0.5))
    put_numbers(t, "pos", 3, -0.3, 0.3);
  if (type < 2 && chance(0.3))
    put_numbers(t, "ref", 1, -1, 1);
  if (type < 2 && chance(0.3))
    put(t, " range=\"%.6g %.6g\"", ffi_mjcf_compare_uniform(-2, 0), ffi_mjcf_compare_uniform(0.1, 2));
  put_numbers(t, "armature", 1, 0, 0.2); // keeps M regular whatever the axes
  if (chance(0.3))
    put_numbers(t, "damping", 1, 0, 2);
  put(t, "/>\n");
  *has_ball |= type == 2;
  return type == 2 ? 3 : 1;
}

static void put_joints(text *t, int *id)
{
  int has_ball = 0, velocities = 0;
  for (int n = (int)ffi_mjcf_compare_uniform(0, 4); n > 0 && velocities <= 3; --n)
    velocities += put_joint(t, id, &has_ball);
}

static void put_geom(text *t)
{
  static const char *const types[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
  put(t, "<geom type=\"%s\"", types[(int)ffi_mjcf_compare_uniform(0, 5)]);
  put_numbers(t, "size", 3, 0.05, 0.3);
  put_numbers(t, "pos", 3, -0.2, 0.2);
  put_orientation(t);
  if (chance(0.3))
    put_numbers(t, "mass", 1, 0.1, 3);
  put(t, "/>\n");
}

static void put_body(text *t, int depth, int *bodies, int *joints)
{
  const int id = (*bodies)++;
  put(t, "<body");
  if (chance(0.7))
    put(t, " name=\"%c%d\"", 'a' + (int)ffi_mjcf_compare_uniform(0, 26), id);
  put_numbers(t, "pos", 3, -0.5, 0.5);
  put_orientation(t);
  put(t, ">\n");
  if (depth == 0 && chance(0.5))
    put(t, "<freejoint name=\"%c%d\"/>\n", 'a' + (int)ffi_mjcf_compare_uniform(0, 26), (*joints)++);
  else
    put_joints(t, joints);
  for (int n = (int)ffi_mjcf_compare_uniform(1, 4); n > 0; --n)
    put_geom(t);
  put(t, "<site name=\"site%d\"", id);
  put_numbers(t, "pos", 3, -0.3, 0.3);
  put_orientation(t);
  put(t, "/>\n");
  for (int n = depth < 5 ? (int)ffi_mjcf_compare_uniform(0, 3) : 0; n > 0 && *bodies < 25; --n)
    put_body(t, depth + 1, bodies, joints);
  put(t, "</body>\n");
}

// Motors on some of the sites.
static void put_actuators(text *t, int sites)
{
  put(t, "<actuator>\n");
  for (int i = 0; i < sites; ++i) {
    if (chance(0.6))
      continue;
    put(t, "<%s name=\"motor%d\" site=\"site%d\"", chance(0.5) ? "motor" : "general gainprm=\"-2.5\"", i, i);
    put_numbers(t, "gear", chance(0.7) ? 6 : 3, -2, 2);
    if (chance(0.3))
      put(t, " ctrlrange=\"-1 2\"");
    if (chance(0.3))
      put(t, " forcerange=\"-2 1.5\"");
    put(t, "/>\n");
  }
  put(t, "</actuator>\n");
}

static void random_trees_are_the_same_robot(void **unused)
{
  enum { TREES = 200, ROOM = 1 << 17 };
  (void)unused;
  text t = {.data = malloc(ROOM), .capacity = ROOM};
  mjVFS *vfs = malloc(sizeof *vfs);
  for (int k = 0; k < TREES; ++k) {
    char name[40], message[1000] = "";
    ff_error error;
    ff_model *ff = NULL;
    int bodies = 0, joints = 0;
    snprintf(name, sizeof name, "random tree %d", k);
    t.length = 0;
    put(&t, "<mujoco><compiler angle=\"radian\" autolimits=\"true\"/><worldbody>\n");
    for (int roots = (int)ffi_mjcf_compare_uniform(1, 4); roots > 0; --roots)
      put_body(&t, 0, &bodies, &joints);
    put(&t, "</worldbody>\n");
    put_actuators(&t, bodies);
    put(&t, "</mujoco>\n");
    mj_defaultVFS(vfs);
    mj_makeEmptyFileVFS(vfs, "tree.xml", (int)t.length);
    memcpy(vfs->filedata[0], t.data, t.length);
    mjModel *mj = mj_loadXML("tree.xml", vfs, message, sizeof message);
    if (!mj)
      fail_msg("%s: MuJoCo: %s", name, message);
    if (ff_model_load_memory(t.data, t.length, name, NULL, &ff, &error) != FF_OK)
      fail_msg("%s", error.message);
    ffi_mjcf_compare(name, mj, ff);
    mj_deleteVFS(vfs);
  }
  free(vfs);
  free(t.data);
}

// Without this MuJoCo writes its warnings to a file in the working folder.
static void say_nothing(const char *message)
{
  (void)message;
}

int main(void)
{
  mju_user_warning = say_nothing;
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_trees_are_the_same_robot)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
