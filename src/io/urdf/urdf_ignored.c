// What the URDF reader does not use: one warning for each kind, with its count and what it means, worst first.
#include "io/urdf/urdf.h"

#include <stdio.h>
#include <string.h>

// Where an element stands.
typedef enum place { IN_ROBOT, IN_LINK, IN_JOINT } place;

// Elements that are read have no meaning here; those that do not change the motion begin with '-'.
static const struct {
  place place;
  const char *name, *meaning;
} kinds[] = {
    {IN_JOINT, "safety_controller", "joints stop at their <limit>, not at a soft limit before it"},
    {IN_ROBOT, "transmission",
     "motors act on the joints directly; gears and couplings of motors are missing"},
    {IN_ROBOT, "ros2_control", "no controller of ROS runs"},
    {IN_ROBOT, "gazebo", "the friction, damping and plugins that it sets do not act"},
    {IN_ROBOT, "sensor", "-"},
    {IN_ROBOT, "mujoco", "-"},
    {IN_ROBOT, "safety_controller", "-"},
    {IN_JOINT, "calibration", "-"},
    {IN_LINK, "sensor", "-"},
    {IN_ROBOT, "link", NULL},
    {IN_ROBOT, "joint", NULL},
    {IN_ROBOT, "material", NULL},
    {IN_ROBOT, "footfall", NULL},
    {IN_LINK, "inertial", NULL},
    {IN_LINK, "visual", NULL},
    {IN_LINK, "collision", NULL},
    {IN_LINK, "contact", NULL},
    {IN_JOINT, "origin", NULL},
    {IN_JOINT, "parent", NULL},
    {IN_JOINT, "child", NULL},
    {IN_JOINT, "axis", NULL},
    {IN_JOINT, "limit", NULL},
    {IN_JOINT, "dynamics", NULL},
    {IN_JOINT, "mimic", NULL},
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0], NAMED = 8 };

typedef struct tally {
  const xmlNode *first[KIND_COUNT];
  int count[KIND_COUNT];
  const xmlNode *unknown; // the first
  int unknown_count;
  const char *names[NAMED]; // of unknown ones, each once
} tally;

static void note_unknown(tally *t, const xmlNode *node)
{
  const char *name = (const char *)node->name;
  if (!t->unknown)
    t->unknown = node;
  for (int i = 0; i < t->unknown_count; ++i) {
    if (strcmp(t->names[i], name) == 0)
      return;
  }
  if (t->unknown_count < NAMED)
    t->names[t->unknown_count++] = name;
}

static void note(tally *t, place where, const xmlNode *node)
{
  for (int i = 0; i < KIND_COUNT; ++i) {
    if (kinds[i].place != where || !ffi_xml_is(node, kinds[i].name))
      continue;
    t->first[i] = t->count[i]++ ? t->first[i] : node;
    return;
  }
  note_unknown(t, node);
}

static void note_children(tally *t, place where, const xmlNode *parent)
{
  for (const xmlNode *node = ffi_xml_child(parent, NULL); node; node = ffi_xml_next(node, NULL)) {
    note(t, where, node);
    if (where == IN_ROBOT && ffi_xml_is(node, "link"))
      note_children(t, IN_LINK, node);
    else if (where == IN_ROBOT && ffi_xml_is(node, "joint"))
      note_children(t, IN_JOINT, node);
  }
}

static void warn(ffi_urdf *u, const xmlNode *node, const char *text)
{
  if (u->xml->status != FF_OK)
    return;
  ffi_urdf_at(u, node);
  ffi_urdf_take(u, ff_builder_add_warning(u->builder, text, u->xml->error));
}

static void warn_of_kind(ffi_urdf *u, const tally *t, int kind)
{
  static const char *const places[] = {"", " in <link>", " in <joint>"};
  char text[300];
  if (t->count[kind] == 1)
    snprintf(text, sizeof text, "ignored <%s>%s: %s", kinds[kind].name, places[kinds[kind].place],
             kinds[kind].meaning);
  else
    snprintf(text, sizeof text, "ignored <%s>%s, %d times, first here: %s", kinds[kind].name,
             places[kinds[kind].place], t->count[kind], kinds[kind].meaning);
  warn(u, t->first[kind], text);
}

static void warn_of_unknown(ffi_urdf *u, const tally *t)
{
  char text[400] = "";
  size_t used = 0;
  if (!t->unknown)
    return;
  for (int i = 0; i < t->unknown_count; ++i)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s<%.30s>", i ? ", " : "", t->names[i]);
  ffi_urdf_warn(u, u->robot, "unknown elements are ignored: %s (the first is at line %d)", text,
                ffi_xml_line(t->unknown));
}

static void warn_of_harmless(ffi_urdf *u, const tally *t)
{
  const xmlNode *first = NULL;
  char text[300];
  size_t used = (size_t)snprintf(text, sizeof text, "ignored without effect on the motion: ");
  for (int i = 0; i < KIND_COUNT; ++i) {
    if (!t->count[i] || !kinds[i].meaning || kinds[i].meaning[0] != '-')
      continue;
    used += (size_t)snprintf(text + used, sizeof text - used, "%s<%s>", first ? ", " : "", kinds[i].name);
    if (t->count[i] > 1)
      used += (size_t)snprintf(text + used, sizeof text - used, " (%d)", t->count[i]);
    first = first ? first : t->first[i];
  }
  if (first)
    warn(u, first, text);
}

void ffi_urdf_ignored_warn(ffi_urdf *u)
{
  tally t = {.unknown_count = 0};
  note_children(&t, IN_ROBOT, u->robot);
  for (int i = 0; i < KIND_COUNT; ++i) {
    if (t.count[i] && kinds[i].meaning && kinds[i].meaning[0] != '-')
      warn_of_kind(u, &t, i);
  }
  warn_of_unknown(u, &t);
  warn_of_harmless(u, &t);
}
