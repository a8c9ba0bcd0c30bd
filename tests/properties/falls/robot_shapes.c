// Adds collision shapes to the URDF files of the shipped robots.
#include "properties/falls/robot_shapes.h"

#include <footfall/load.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A shape, for all links whose names end like this; `mirror` where the right side is the left one with y negated.
typedef struct plate {
  const char *link;
  const char *origin;
  const char *geometry;
} plate;

static const plate solo12[] = {
    {"base_link", "xyz='0 0 0'", "<box size='0.42 0.2 0.05'/>"},
    {"L_UPPER_LEG", "xyz='0 0.019 -0.08'", "<capsule radius='0.023' length='0.16'/>"},
    {"R_UPPER_LEG", "xyz='0 -0.019 -0.08'", "<capsule radius='0.023' length='0.16'/>"},
    {"L_LOWER_LEG", "xyz='0 0.008 -0.0725'", "<capsule radius='0.0075' length='0.145'/>"},
    {"R_LOWER_LEG", "xyz='0 -0.008 -0.0725'", "<capsule radius='0.0075' length='0.145'/>"},
    {NULL, NULL, NULL},
};

static const plate romeo[] = {
    {"body", "xyz='0 0 -0.15'", "<box size='0.15 0.2 0.2'/>"},
    {"torso", "xyz='-0.01 0 -0.05'", "<box size='0.2 0.26 0.26'/>"},
    {"HeadRollLink", "xyz='0.01 0 0.06'", "<sphere radius='0.095'/>"},
    {"HipPitchLink", "xyz='0 0 -0.16'", "<capsule radius='0.05' length='0.32'/>"},
    {"KneePitchLink", "xyz='0 0 -0.15'", "<capsule radius='0.045' length='0.2'/>"},
    {"_ankle", "xyz='0.05 0 -0.045'", "<box size='0.22 0.1 0.04'/>"},
    {"ShoulderPitchLink", "xyz='0 0 0'", "<sphere radius='0.052'/>"},
    {"ShoulderYawLink", "xyz='0.1025 0 0' rpy='0 1.5707963267948966 0'",
     "<capsule radius='0.04' length='0.205'/>"},
    {"ElbowYawLink", "xyz='0.09 0 0' rpy='0 1.5707963267948966 0'",
     "<capsule radius='0.034' length='0.18'/>"},
    {"_wrist", "xyz='0.08 0 0'", "<box size='0.13 0.032 0.07'/>"},
    {NULL, NULL, NULL},
};

static const plate starleth[] = {
    {"BASE", "xyz='0 0 0.015'", "<box size='0.51 0.37 0.13'/>"},
    {"_THIGH", "xyz='0 0 -0.1'", "<capsule radius='0.03' length='0.2'/>"},
    {"_SHANK", "xyz='0 0 -0.1'", "<capsule radius='0.015' length='0.2'/>"},
    {NULL, NULL, NULL},
};

static const struct {
  const char *name;
  const plate *plates;
} robots[FFI_ROBOT_SHAPES_ROBOTS] = {{"solo12", solo12}, {"romeo", romeo}, {"starleth", starleth}};

const char *ffi_robot_shapes_name(int robot)
{
  return robots[robot].name;
}

static char *read_all(const char *path)
{
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  enum { MOST = 1 << 20 };
  char *text = malloc(MOST);
  assert_non_null(text);
  text[fread(text, 1, MOST - 1, file)] = 0;
  fclose(file);
  return text;
}

static const plate *plate_of(const plate *p, const char *name, size_t length)
{
  for (; p->link; ++p) {
    const size_t end = strlen(p->link);
    if (length >= end && memcmp(name + length - end, p->link, end) == 0)
      return p;
  }
  return NULL;
}

// The text of the file with a <collision> after the opening tag of each link that gets one.
static char *put_on(const char *text, const plate *plates)
{
  char *out = malloc(strlen(text) + 40 * 256), *to = out;
  assert_non_null(out);
  static const char opening[] = "<link name=\"";
  while (*text) {
    const char *tag = strstr(text, opening);
    if (!tag) {
      strcpy(to, text);
      break;
    }
    const char *name = tag + sizeof opening - 1, *end = strchr(name, '"'), *close = strchr(name, '>') + 1;
    memcpy(to, text, (size_t)(close - text));
    to += close - text;
    const plate *p = plate_of(plates, name, (size_t)(end - name));
    if (p)
      to += sprintf(to, "<collision><origin %s/><geometry>%s</geometry></collision>", p->origin, p->geometry);
    text = close;
  }
  return out;
}

ff_model *ffi_robot_shapes_load(int robot)
{
  char path[1024];
  ff_model *model = NULL;
  ff_error error;
  snprintf(path, sizeof path, "%s/models/%s.urdf", FFI_TEST_SOURCE_DIR, robots[robot].name);
  char *plain = read_all(path), *text = put_on(plain, robots[robot].plates);
  if (ff_model_load_memory(text, strlen(text), path, NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  free(plain);
  free(text);
  return model;
}
