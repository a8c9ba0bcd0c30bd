// What the MJCF reader does not use: listed, and turned into warnings of the model.
#include "io/mjcf/mjcf.h"

#include "base/grow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ffi_mjcf_ignored *find(ffi_mjcf *m, const char *what)
{
  for (int i = 0; i < m->ignored_count; ++i) {
    if (strcmp(m->ignored[i].what, what) == 0)
      return &m->ignored[i];
  }
  return NULL;
}

void ffi_mjcf_ignored_add(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_fate fate, const char *format, ...)
{
  char what[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  ffi_mjcf_ignored *known = find(m, what);
  if (!known && m->ignored_count >= FFI_MJCF_MAX_IGNORED) {
    strcpy(what, "more kinds of things");
    known = find(m, what);
  }
  if (known) {
    ++known->count;
    return;
  }
  ffi_mjcf_ignored *grown = ffi_grow(m->ignored, m->ignored_count, &m->ignored_capacity, sizeof *grown);
  const char *copy = ffi_arena_string(&m->arena, what);
  if (grown)
    m->ignored = grown;
  if (!grown || !copy) {
    ffi_mjcf_no_memory(m);
    return;
  }
  m->ignored[m->ignored_count++] = (ffi_mjcf_ignored){
      .what = copy, .fate = fate, .file = ffi_mjcf_file_of(node), .line = ffi_xml_line(node), .count = 1};
}

static const ffi_mjcf_word *find_word(const ffi_mjcf_word *words, const char *name)
{
  while (words->name && strcmp(words->name, name) != 0)
    ++words;
  return words->name ? words : NULL;
}

void ffi_mjcf_ignored_check(ffi_mjcf *m, const xmlNode *node, const ffi_mjcf_word *words)
{
  for (const xmlAttr *a = node->properties; a; a = a->next) {
    const char *name = (const char *)a->name;
    const ffi_mjcf_word *word = find_word(words, name);
    const ffi_mjcf_fate fate = word ? word->fate : FFI_MJCF_UNKNOWN;
    const char *value = ffi_xml_get(node, name);
    const int is_neutral = word && word->neutral && value && ffi_xml_is_same(value, word->neutral);
    if (fate != FFI_MJCF_READ && fate != FFI_MJCF_QUIET && !is_neutral)
      ffi_mjcf_ignored_add(m, node, fate, "attribute '%.60s' of <%.40s>", name, (const char *)node->name);
  }
}

// One line of text, whatever was in the file.
void ffi_mjcf_ignored_warn_at(ffi_mjcf *m, const char *file, int line, char *text)
{
  for (char *c = text; *c; ++c) {
    if ((unsigned char)*c < ' ' || *c == 127)
      *c = '?';
  }
  ff_builder_set_source(m->builder, file, line);
  if (!ffi_mjcf_failed(m))
    m->xml->status = ff_builder_add_warning(m->builder, text, m->xml->error);
}

// One kind that changes the motion, with what that means.
static void warn_of_ignored(ffi_mjcf *m, const ffi_mjcf_ignored *i)
{
  char text[512];
  int rank;
  const char *meaning = ffi_mjcf_consequence_of(i, &rank);
  if (i->count == 1)
    snprintf(text, sizeof text, "ignored %s: %s", i->what, meaning);
  else
    snprintf(text, sizeof text, "ignored %s, %d times, first here: %s", i->what, i->count, meaning);
  ffi_mjcf_ignored_warn_at(m, i->file, i->line, text);
}

// All kinds of one fate that do not, in one line.
static void warn_of_harmless(ffi_mjcf *m, ffi_mjcf_fate fate, const char *intro)
{
  const ffi_mjcf_ignored *first = NULL;
  char text[512];
  size_t used = (size_t)snprintf(text, sizeof text, "%s: ", intro);
  int left = 0;
  for (int k = 0; k < m->ignored_count; ++k) {
    const ffi_mjcf_ignored *i = &m->ignored[k];
    if (i->fate != fate)
      continue;
    if (used + strlen(i->what) + 60 > sizeof text) {
      ++left;
      continue;
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", first ? ", " : "", i->what);
    if (i->count > 1)
      used += (size_t)snprintf(text + used, sizeof text - used, " (%d)", i->count);
    first = first ? first : i;
  }
  if (left)
    snprintf(text + used, sizeof text - used, " and %d more kinds", left);
  if (first)
    ffi_mjcf_ignored_warn_at(m, first->file, first->line, text);
}

static void warn_of_lost_meshes(ffi_mjcf *m)
{
  const char *file = m->lost_mesh ? ffi_xml_get(m->lost_mesh, "file") : "";
  char text[512];
  if (m->lost_mesh_count == 1)
    snprintf(text, sizeof text,
             "the mesh '%.200s' was not found; only its name is kept, so it touches nothing", file);
  else
    snprintf(
        text, sizeof text,
        "%d meshes were not found, the first is '%.200s'; only their names are kept, so they touch nothing",
        m->lost_mesh_count, file);
  if (m->lost_mesh_count)
    ffi_mjcf_ignored_warn_at(m, ffi_mjcf_file_of(m->lost_mesh), ffi_xml_line(m->lost_mesh), text);
}

// The worst first, in the order of mjcf_consequence.c, then in that of the file.
static int compare(const void *a, const void *b)
{
  const ffi_mjcf_ignored *x = *(const ffi_mjcf_ignored *const *)a, *y = *(const ffi_mjcf_ignored *const *)b;
  int of_x, of_y;
  ffi_mjcf_consequence_of(x, &of_x);
  ffi_mjcf_consequence_of(y, &of_y);
  return of_x != of_y ? of_x - of_y : (x > y) - (x < y);
}

void ffi_mjcf_ignored_warn(ffi_mjcf *m)
{
  const ffi_mjcf_ignored *worse[FFI_MJCF_MAX_IGNORED + 1];
  int count = 0;
  warn_of_lost_meshes(m);
  for (int i = 0; i < m->ignored_count; ++i)
    if (m->ignored[i].fate == FFI_MJCF_PHYSICS || m->ignored[i].fate == FFI_MJCF_UNKNOWN)
      worse[count++] = &m->ignored[i];
  if (count > 0)
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what is sorted
    qsort(worse, (size_t)count, sizeof *worse, compare);
  for (int i = 0; i < count; ++i)
    warn_of_ignored(m, worse[i]);
  warn_of_harmless(m, FFI_MJCF_SETTING, "ignored settings of a simulator, not of the robot");
  warn_of_harmless(m, FFI_MJCF_LOOKS, "ignored without effect on the motion");
}
