// SRDF, the file of semantics beside a URDF: links that do not collide, and postures.
#include "io/urdf/urdf.h"

#include "base/fail.h"
#include "base/grow.h"
#include "io/file/files.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Read are
//
//     <disable_collisions link1 link2 reason/>   the two links do not collide, whatever the reason
//     <group_state name group><joint name value/></group_state>   a posture
//
// States of several groups under one name are one posture, as long as they agree about the joints that they share;
// else the later one is called NAME_GROUP. What names links or joints that the robot does not have is left out with a
// warning: such files are often older than the robot. Everything else in the file says nothing about the motion.

// A joint's value in a posture.
typedef struct entry {
  const char *posture;
  int joint, count;
  double q[7];
} entry;

// An element that is skipped: how many, and the first.
typedef struct skipped {
  const char *what;
  const xmlNode *first;
  int count;
} skipped;

enum { LOST_LINKS, LOST_JOINTS, WRONG_VALUES, OWN_POSTURES, DEFAULTS, LOSSES };

typedef struct srdf {
  ffi_urdf *u;
  ffi_xml xml;
  entry *entries;
  int entry_count, entry_capacity;
  int exclusions, postures;
  skipped losses[LOSSES];
  char others[200]; // names of the elements that say nothing
} srdf;

static void lose(srdf *s, int kind, const xmlNode *node)
{
  if (s->losses[kind].count++ == 0)
    s->losses[kind].first = node;
}

static void no_memory(srdf *s)
{
  ffi_xml_fail(&s->xml, FF_ERROR_MEMORY, NULL, "there is not enough memory");
}

static void take(srdf *s, ff_status status)
{
  if (s->xml.status == FF_OK)
    s->xml.status = status;
}

static void warn(srdf *s, const xmlNode *node, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void warn(srdf *s, const xmlNode *node, const char *format, ...)
{
  char text[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  for (char *c = text; *c; ++c) {
    if ((unsigned char)*c < ' ' || *c == 127)
      *c = '?';
  }
  ff_builder_set_source(s->u->builder, s->xml.file, node ? ffi_xml_line(node) : 0);
  if (s->xml.status == FF_OK)
    take(s, ff_builder_add_warning(s->u->builder, text, s->xml.error));
}

// ---- Links that do not collide ------------------------------------------------------------------------------

// The builder's link; `*is_known` 0 if the robot has none of that name.
static int find_link(srdf *s, const xmlNode *node, const char *attribute, int *is_known)
{
  const char *name = ffi_xml_require(&s->xml, node, attribute);
  const int index = name ? ffi_names_find(&s->u->link_names, name) : -1;
  *is_known &= index >= 0;
  return index >= 0 ? s->u->links[index].id : FF_WORLD;
}

static void read_disabled(srdf *s, const xmlNode *node)
{
  int is_known = 1;
  const int a = find_link(s, node, "link1", &is_known), b = find_link(s, node, "link2", &is_known);
  if (s->xml.status != FF_OK)
    return;
  if (!is_known) {
    lose(s, LOST_LINKS, node);
    return;
  }
  ff_builder_set_source(s->u->builder, s->xml.file, ffi_xml_line(node));
  take(s, ff_builder_exclude(s->u->builder, a, b, s->xml.error));
  ++s->exclusions;
}

// ---- Postures -----------------------------------------------------------------------------------------------

// One joint of a state; 0 if it has no value here.
static int read_value(srdf *s, const xmlNode *node, entry *out)
{
  const char *name = ffi_xml_require(&s->xml, node, "name");
  out->joint = name ? ffi_names_find(&s->u->joint_names, name) : -1;
  if (!name || !ffi_xml_require(&s->xml, node, "value"))
    return 0;
  const int given = ffi_xml_numbers(&s->xml, node, "value", 1, 7, out->q);
  if (s->xml.status != FF_OK)
    return 0;
  if (out->joint < 0) {
    lose(s, LOST_JOINTS, node);
    return 0;
  }
  out->count = ffi_urdf_value_coordinates(s->u->joints[out->joint].type);
  if (out->count == 0 || given != out->count) {
    if (out->count > 0)
      lose(s, WRONG_VALUES, node);
    return 0;
  }
  return 1;
}

// Does an earlier state of that name say otherwise about one of the joints from `first` on?
static int disagrees(const srdf *s, const char *posture, int first)
{
  for (int i = 0; i < first; ++i) {
    const entry *a = &s->entries[i];
    if (strcmp(a->posture, posture) != 0)
      continue;
    for (int k = first; k < s->entry_count; ++k) {
      const entry *b = &s->entries[k];
      for (int c = 0; a->joint == b->joint && c < a->count; ++c)
        if (a->q[c] != b->q[c])
          return 1;
    }
  }
  return 0;
}

static const char *name_state(srdf *s, const xmlNode *node, const char *name, int first)
{
  const char *group = ffi_xml_get(node, "group");
  if (!group || !disagrees(s, name, first))
    return name;
  const size_t size = strlen(name) + strlen(group) + 2;
  char *longer = ffi_arena_take(&s->u->arena, size, 1);
  if (!longer) {
    no_memory(s);
    return name;
  }
  snprintf(longer, size, "%s_%s", name, group);
  return longer;
}

static void read_state(srdf *s, const xmlNode *node)
{
  const char *name = ffi_xml_require(&s->xml, node, "name");
  const int first = s->entry_count, before = s->entry_count;
  const xmlNode *child = ffi_xml_child(node, "joint");
  if (!name)
    return;
  if (ffi_names_find(&s->u->posture_names, name) >= 0) {
    lose(s, OWN_POSTURES, node);
    return;
  }
  for (; child && s->xml.status == FF_OK; child = ffi_xml_next(child, "joint")) {
    entry e = {.posture = name};
    if (!read_value(s, child, &e))
      continue;
    entry *grown = ffi_grow(s->entries, s->entry_count, &s->entry_capacity, sizeof *grown);
    if (!grown) {
      no_memory(s);
      return;
    }
    s->entries = grown;
    s->entries[s->entry_count++] = e;
  }
  if (s->xml.status != FF_OK)
    return;
  name = name_state(s, node, name, first);
  ff_builder_set_source(s->u->builder, s->xml.file, ffi_xml_line(node));
  for (int i = first; i < s->entry_count && s->xml.status == FF_OK; ++i) {
    entry *e = &s->entries[i];
    e->posture = name;
    take(s, ff_builder_set_posture(s->u->builder, name, s->u->links[s->u->joints[e->joint].child].id, e->q,
                                   e->count, s->xml.error));
  }
  s->postures += s->entry_count > before;
}

// ---- The file -----------------------------------------------------------------------------------------------

// Elements without meaning for the motion, each once, for one warning.
static void note_other(srdf *s, const xmlNode *node)
{
  char name[48];
  snprintf(name, sizeof name, "<%.40s>", (const char *)node->name);
  const size_t used = strlen(s->others);
  if (!strstr(s->others, name) && used + strlen(name) + 3 < sizeof s->others)
    snprintf(s->others + used, sizeof s->others - used, "%s%s", used ? ", " : "", name);
}

static void read_all(srdf *s)
{
  const xmlNode *node = ffi_xml_child(xmlDocGetRootElement(s->xml.doc), NULL);
  for (; node && s->xml.status == FF_OK; node = ffi_xml_next(node, NULL)) {
    if (ffi_xml_is(node, "disable_collisions"))
      read_disabled(s, node);
    else if (ffi_xml_is(node, "group_state"))
      read_state(s, node);
    else if (ffi_xml_is(node, "disable_default_collisions") || ffi_xml_is(node, "enable_collisions"))
      lose(s, DEFAULTS, node);
    else
      note_other(s, node);
  }
}

static void say_what_was_read(srdf *s)
{
  static const char *const texts[LOSSES] = {
      [LOST_LINKS] =
          "%d pairs of links that do not collide name links that the robot does not have, the first "
          "is here; they are left out",
      [LOST_JOINTS] =
          "%d values of postures name joints that the robot does not have, the first is here; they "
          "are left out",
      [WRONG_VALUES] =
          "%d values of postures have more or fewer numbers than their joint has coordinates, the "
          "first is here; they are left out",
      [OWN_POSTURES] =
          "%d postures have the name of one in the robot's own file, which counts; the first is here",
      [DEFAULTS] =
          "%d <disable_default_collisions> and <enable_collisions> are ignored, the first is here: more "
          "links may collide",
  };
  const char *self = s->exclusions ? "; what remains collides with 'self_collision: true'" : "";
  warn(s, NULL, "read beside the URDF: %d pairs of links that do not collide%s; %d postures%s%s",
       s->exclusions, self, s->postures, s->others[0] ? "; ignored, as they do not change the motion: " : "",
       s->others);
  for (int i = 0; i < LOSSES; ++i) {
    const skipped *lost = &s->losses[i];
    if (lost->count > 0) {
      char text[300];
      // NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): one of the texts above, each with one %d
      snprintf(text, sizeof text, texts[i], lost->count);
      warn(s, lost->first, "%s", text);
    }
  }
}

static void read_text(ffi_urdf *u, const char *path, const char *text, size_t length)
{
  srdf s = {.u = u};
  ff_status status = ffi_xml_open(path, text, length, u->xml->error, &s.xml);
  s.xml.error = u->xml->error;
  if (status == FF_OK && !ffi_xml_is(xmlDocGetRootElement(s.xml.doc), "robot"))
    status = ffi_xml_fail(&s.xml, FF_ERROR_PARSE, xmlDocGetRootElement(s.xml.doc),
                          "is no SRDF: the root element must be <robot>");
  if (status == FF_OK) {
    read_all(&s);
    say_what_was_read(&s);
    status = s.xml.status;
  }
  ffi_xml_close(&s.xml);
  free(s.entries);
  ffi_urdf_take(u, status);
}

// NAME.srdf for NAME.urdf, in the arena; NULL if the robot's file is called otherwise, or has none beside it.
static const char *neighbour(ffi_urdf *u)
{
  const char *file = u->xml->is_memory ? NULL : u->xml->file, *dot = file ? strrchr(file, '.') : NULL;
  if (!dot || strcmp(dot, ".urdf") != 0)
    return NULL;
  char *path = ffi_arena_string(&u->arena, file);
  if (!path) {
    ffi_urdf_no_memory(u);
    return NULL;
  }
  memcpy(path + (dot - file), ".srdf", 5);
  return access(path, R_OK) == 0 ? path : NULL;
}

// The user did not name the file: tell of it, and how to go without it.
static void name_neighbour(ffi_urdf *u)
{
  char *message = u->xml->error ? u->xml->error->message : NULL;
  const size_t used = message ? strlen(message) : 0;
  if (message && u->xml->status != FF_OK && u->xml->status != FF_ERROR_MEMORY)
    snprintf(
        message + used, sizeof u->xml->error->message - used,
        "; this SRDF is read because it lies beside the URDF: mend it, or leave it out by --srdf '' (in a scene "
        "load.srdf: '')");
}

void ffi_urdf_srdf_read(ffi_urdf *u)
{
  const ff_load_def *def = u->def;
  const ff_file *kept = def->from ? ff_files_find(def->from, FF_FILE_INCLUDE, NULL) : NULL;
  const char *path = def->srdf && *def->srdf ? def->srdf : NULL;
  if (u->xml->status != FF_OK || (def->srdf && !path))
    return;
  if (def->from) {
    if (kept)
      read_text(u, kept->path, kept->data, kept->size);
    else if (path)
      ffi_urdf_take(
          u, ffi_fail(u->xml->error, FF_ERROR_FILE, path, 0, NULL, "is not among the files that were kept"));
    return;
  }
  if (!path)
    path = neighbour(u);
  if (!path)
    return;
  char *text = NULL;
  size_t length = 0;
  const ffi_files_request request = {def->keep, NULL, FF_FILE_INCLUDE, path, path};
  if (ffi_urdf_take(u, ffi_files_read(&request, &text, &length, u->xml->error)) == FF_OK)
    read_text(u, path, text, length);
  if (!def->srdf)
    name_neighbour(u);
  free(text);
}
