#include "io/mjcf/mjcf_reader.h"

#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ffi_mjcf_no_memory(ffi_mjcf *m)
{
  if (!ffi_mjcf_failed(m))
    m->xml->status =
        ffi_fail(m->xml->error, FF_ERROR_MEMORY, m->main_file.xml.file, 0, NULL, "no memory for the model");
}

static void take(ffi_mjcf *m, ffi_names *table, const char *name, int value)
{
  if (ffi_names_reserve(table))
    ffi_names_put(table, name, value);
  else
    ffi_mjcf_no_memory(m);
}

void ffi_mjcf_name_remember(ffi_mjcf *m, ffi_names *table, const xmlNode *node, const char *name, int value)
{
  if (!name || ffi_mjcf_failed(m))
    return;
  if (ffi_names_find(table, name) >= 0)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "the name '%.100s' is used twice", name);
  else
    take(m, table, name, value);
}

const char *ffi_mjcf_name_unique(ffi_mjcf *m, ffi_names *table, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  const size_t size = (size_t)(length < 0 ? 0 : length) + 16; // and room for a number
  char *name = ffi_arena_take(&m->arena, size, 1);
  if (!name) {
    ffi_mjcf_no_memory(m);
    return "";
  }
  va_start(arguments, format);
  vsnprintf(name, size, format, arguments);
  va_end(arguments);
  for (int i = 2; ffi_names_find(table, name) >= 0; ++i)
    snprintf(name + length, size - (size_t)length, "-%d", i);
  take(m, table, name, 0);
  return name;
}

// Given names come first, so that no made one can take theirs.
static void make_body_names(ffi_mjcf *m)
{
  take(m, &m->frame_names, "world", 0);
  for (int i = 1; i < m->body_count && !ffi_mjcf_failed(m); ++i) {
    if (m->bodies[i].name)
      ffi_mjcf_name_remember(m, &m->frame_names, m->bodies[i].node, m->bodies[i].name, i);
  }
  for (int i = 1; i < m->body_count && !ffi_mjcf_failed(m); ++i) {
    if (!m->bodies[i].name)
      m->bodies[i].name = ffi_mjcf_name_unique(m, &m->frame_names, "body%d", i);
  }
}

static void make_joint_names(ffi_mjcf *m)
{
  for (int i = 0; i < m->joint_count && !ffi_mjcf_failed(m); ++i) {
    if (m->joints[i].name)
      take(m, &m->link_joint_names, m->joints[i].name, i);
  }
  for (int i = 0; i < m->joint_count && !ffi_mjcf_failed(m); ++i) {
    if (!m->joints[i].name)
      m->joints[i].name = ffi_mjcf_name_unique(m, &m->link_joint_names, "joint%d", i);
  }
}

void ffi_mjcf_name_all(ffi_mjcf *m)
{
  make_body_names(m);
  make_joint_names(m);
}
