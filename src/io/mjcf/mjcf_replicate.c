// <replicate> of MJCF: its contents several times, each in a <frame> and with a number behind all names.
#include "io/mjcf/mjcf.h"
#include "io/mjcf/mjcf_attach.h"
#include "io/mjcf/mjcf_reference.h"

#include "math/quaternion.h"

#include <stdio.h>
#include <string.h>

// The document itself is changed, before anything else is read: a <replicate> becomes <frame>s, so that the readers of
// bodies know nothing of it. Inner ones come first. As in MuJoCo, what refers to one of the copied elements from
// another section (actuators, tendons, equalities, pairs) is copied as often, at the end of its section.
//
// Copy i stands at p_i with the angles i `euler`, where p_0 = 0 and p_(i+1) = p_i + R_i `offset`.

static const ffi_mjcf_word replicate_words[] = {
    {"count", FFI_MJCF_READ, NULL}, {"offset", FFI_MJCF_READ, NULL}, {"euler", FFI_MJCF_READ, NULL},
    {"sep", FFI_MJCF_READ, NULL},   {NULL, FFI_MJCF_READ, NULL},
};

enum { MOST_COPIES = 1000000 }; // elements that are made

// ---- Names ----------------------------------------------------------------------------------------------------------

enum {
  REFERENCES = FFI_MJCF_REFERENCES,
  KINDS = FFI_MJCF_REFERENCE_KINDS,
  TENDON = FFI_MJCF_REFERENCE_TENDON
};
static const ffi_mjcf_reference *const references = ffi_mjcf_reference_list;

typedef struct work {
  ffi_mjcf *m;
  xmlNode *node; // <replicate>
  int count;
  char suffix[FF_MAX_NAME]; // of the copy that is made
  ffi_names names[KINDS];   // of what is copied
} work;

static void remember(work *w, ffi_mjcf_reference_kind kind, const xmlNode *node)
{
  const char *name = ffi_mjcf_value_text(node, "name");
  if (!name || ffi_names_find(&w->names[kind], name) >= 0)
    return;
  name = ffi_arena_string(&w->m->arena, name); // its element may go before others that refer to it are read
  if (!name || !ffi_names_reserve(&w->names[kind]))
    ffi_mjcf_no_memory(w->m);
  else
    ffi_names_put(&w->names[kind], name, 0);
}

// Names in a subtree; returns the number of its elements.
static long collect(work *w, const xmlNode *node)
{
  const ffi_mjcf_reference_kind kind = ffi_mjcf_reference_kind_of((const char *)node->name);
  long count = 1;
  if (kind < FFI_MJCF_REFERENCE_KINDS)
    remember(w, kind, node);
  if (ffi_xml_is(node, "include"))
    ffi_mjcf_fail(w->m, FF_ERROR_UNSUPPORTED, node,
                  "inside a <replicate> is not supported, nor is <attach>: write out what it brings");
  for (const xmlNode *child = ffi_xml_child(node, NULL); child; child = ffi_xml_next(child, NULL))
    count += collect(w, child);
  return count;
}

static int refers(const work *w, const xmlNode *node)
{
  for (int i = 0; i < REFERENCES; ++i) {
    const char *name = ffi_mjcf_value_text(node, references[i].attribute);
    if (name && ffi_names_find(&w->names[references[i].kind], name) >= 0)
      return 1;
  }
  for (const xmlNode *child = ffi_xml_child(node, NULL); child; child = ffi_xml_next(child, NULL))
    if (refers(w, child))
      return 1;
  return 0;
}

// ---- Copies ---------------------------------------------------------------------------------------------------------

static void put_attribute(work *w, xmlNode *node, const char *name, const char *text)
{
  if (!xmlSetProp(node, (const xmlChar *)name, (const xmlChar *)text))
    ffi_mjcf_no_memory(w->m);
}

static void append_suffix(work *w, xmlNode *node, const char *attribute)
{
  const char *old = ffi_mjcf_value_text(node, attribute);
  char text[2 * FF_MAX_NAME + 1];
  if (!old)
    return;
  if (strlen(old) + strlen(w->suffix) > FF_MAX_NAME) {
    ffi_mjcf_fail(w->m, FF_ERROR_LIMIT, node, "attribute '%s' is longer than %d bytes with its number",
                  attribute, FF_MAX_NAME);
    return;
  }
  snprintf(text, sizeof text, "%s%s", old, w->suffix);
  put_attribute(w, node, attribute, text);
}

// Give a copy the line of its original, and its names and references their number.
static void finish_copy(work *w, const xmlNode *from, xmlNode *copy)
{
  copy->_private = from->_private;
  if (!ffi_mjcf_failed(w->m))
    append_suffix(w, copy, "name");
  for (int i = 0; i < REFERENCES && !ffi_mjcf_failed(w->m); ++i) {
    const char *name = ffi_mjcf_value_text(from, references[i].attribute);
    if (name && ffi_names_find(&w->names[references[i].kind], name) >= 0)
      append_suffix(w, copy, references[i].attribute);
  }
  const xmlNode *child = ffi_xml_child(from, NULL);
  for (xmlNode *twin = ffi_xml_child(copy, NULL); child && twin && !ffi_mjcf_failed(w->m);
       child = ffi_xml_next(child, NULL), twin = ffi_xml_next(twin, NULL))
    finish_copy(w, child, twin);
}

static void add_copy(work *w, xmlNode *from, xmlNode *to)
{
  xmlNode *copy = xmlDocCopyNode(from, to->doc, 1);
  if (!copy) {
    ffi_mjcf_no_memory(w->m);
    return;
  }
  xmlAddChild(to, copy);
  finish_copy(w, from, copy);
}

// The number of a copy, with as many digits as the count. 0: it is too long.
static int make_suffix(work *w, int i)
{
  char all[16];
  const int digits = snprintf(all, sizeof all, "%d", w->count);
  const char *separator = ffi_xml_get(w->node, "sep");
  return snprintf(w->suffix, sizeof w->suffix, "%s%0*d", separator ? separator : "", digits, i) <
         (int)sizeof w->suffix;
}

// The frame of a copy before the <replicate>; moves the position on to the next.
static void add_frame(work *w, int i, double position[3])
{
  double euler[3] = {0}, offset[3] = {0}, step[3];
  char text[128];
  ff_pose pose = ff_pose_identity();
  xmlNode *frame = xmlNewDocNode(w->node->doc, NULL, (const xmlChar *)"frame", NULL);
  if (!frame) {
    ffi_mjcf_no_memory(w->m);
    return;
  }
  xmlAddPrevSibling(w->node, frame);
  frame->_private = w->node->_private;
  ffi_mjcf_value_numbers(w->m, w->node, "euler", 3, 3, euler);
  ffi_mjcf_value_numbers(w->m, w->node, "offset", 3, 3, offset);
  snprintf(text, sizeof text, "%.17g %.17g %.17g", position[0], position[1], position[2]);
  put_attribute(w, frame, "pos", text);
  snprintf(text, sizeof text, "%.17g %.17g %.17g", i * euler[0], i * euler[1], i * euler[2]);
  put_attribute(w, frame, "euler", text);
  for (xmlNode *child = ffi_xml_child(w->node, NULL); child && !ffi_mjcf_failed(w->m);
       child = ffi_xml_next(child, NULL))
    add_copy(w, child, frame);
  ffi_mjcf_value_pose(w->m, frame, &pose);
  ffi_quat_rotate(pose.quaternion, offset, step);
  for (int k = 0; k < 3; ++k)
    position[k] += step[k];
}

// ---- What refers to them --------------------------------------------------------------------------------------------

// In one section: copies of what refers to the names, at its end; then what was copied goes.
static void copy_section(work *w, xmlNode *section)
{
  const xmlNode *last = NULL;
  int found = 0;
  for (xmlNode *node = ffi_xml_child(section, NULL); node; node = ffi_xml_next(node, NULL)) {
    last = node;
    if (!refers(w, node))
      continue;
    ++found;
    if (ffi_xml_is(section, "tendon")) // those who refer to it come in a later section
      remember(w, FFI_MJCF_REFERENCE_TENDON, node);
  }
  if ((w->m->copies += (long)found * w->count) > MOST_COPIES)
    ffi_mjcf_fail(w->m, FF_ERROR_LIMIT, w->node, "makes more than %d elements", MOST_COPIES);
  for (int i = 0; i < w->count && found > 0; ++i) {
    make_suffix(w, i);
    for (xmlNode *node = ffi_xml_child(section, NULL); node && !ffi_mjcf_failed(w->m);
         node = ffi_xml_next(node, NULL)) {
      if (refers(w, node))
        add_copy(w, node, section);
      if (node == last)
        break;
    }
  }
  for (xmlNode *node = ffi_xml_child(section, NULL), *next; found > 0 && node && !ffi_mjcf_failed(w->m);
       node = next) {
    const int is_last = node == last;
    next = is_last ? NULL : ffi_xml_next(node, NULL);
    if (refers(w, node)) {
      xmlUnlinkNode(node);
      xmlFreeNode(node);
    }
  }
}

static void copy_references(work *w)
{
  static const char *const sections[] = {"tendon", "contact", "equality", "actuator"};
  for (size_t i = 0; i < sizeof sections / sizeof *sections; ++i) {
    const xmlNode *root = xmlDocGetRootElement(w->m->main_file.xml.doc);
    const xmlNode *section = ffi_mjcf_include_child(w->m, root);
    for (; section && !ffi_mjcf_failed(w->m); section = ffi_mjcf_include_next(w->m, section))
      if (ffi_xml_is(section, sections[i]))
        copy_section(w, (xmlNode *)section);
  }
}

// ---- <replicate> ----------------------------------------------------------------------------------------------------

static void expand(work *w)
{
  double position[3] = {0};
  const long size = collect(w, w->node);
  if (w->count < 0)
    ffi_mjcf_fail(w->m, FF_ERROR_MODEL, w->node, "attribute 'count' is negative (%d)", w->count);
  if (w->count > MOST_COPIES || (w->m->copies += size * w->count) > MOST_COPIES)
    ffi_mjcf_fail(w->m, FF_ERROR_LIMIT, w->node, "makes more than %d elements", MOST_COPIES);
  if (!make_suffix(w, 0))
    ffi_mjcf_fail(w->m, FF_ERROR_LIMIT, w->node, "attribute 'sep' is longer than %d bytes", FF_MAX_NAME);
  for (int i = 0; i < w->count && !ffi_mjcf_failed(w->m); ++i) {
    make_suffix(w, i);
    add_frame(w, i, position);
  }
  if (!ffi_mjcf_failed(w->m) && w->count > 0)
    copy_references(w);
  if (ffi_mjcf_failed(w->m))
    return;
  xmlUnlinkNode(w->node);
  xmlFreeNode(w->node);
}

// Inner ones first.
static void expand_inside(ffi_mjcf *m, xmlNode *parent)
{
  xmlNode *next;
  for (xmlNode *node = ffi_xml_child(parent, NULL); node && !ffi_mjcf_failed(m); node = next) {
    next = ffi_xml_next(node, NULL);
    expand_inside(m, node);
    if (ffi_mjcf_failed(m) || !ffi_xml_is(node, "replicate"))
      continue;
    work w = {.m = m, .node = node};
    ffi_mjcf_ignored_check(m, node, replicate_words);
    if (ffi_xml_require(ffi_mjcf_at(m, node), node, "count"))
      ffi_mjcf_value_integer(m, node, "count", &w.count);
    if (!ffi_mjcf_failed(m))
      expand(&w);
    for (int kind = 0; kind < KINDS; ++kind)
      ffi_names_free(&w.names[kind]);
  }
}

void ffi_mjcf_replicate_expand(ffi_mjcf *m)
{
  for (ffi_mjcf_file *f = &m->main_file; f && !ffi_mjcf_failed(m); f = f->next)
    if (!ffi_mjcf_attach_is_source(f))
      expand_inside(m, xmlDocGetRootElement(f->xml.doc));
}
