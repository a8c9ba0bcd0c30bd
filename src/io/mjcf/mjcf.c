// A model from an open MJCF document: its sections in the order in which they depend on each other.
#include "io/mjcf/mjcf.h"

#include "io/mjcf/mjcf_attach.h"

#include "base/fail.h"
#include "base/grow.h"

#include "io/points/load_points.h"

#include <stdlib.h>
#include <string.h>

// Every open document's _private is its ffi_mjcf_file.
const char *ffi_mjcf_file_of(const xmlNode *node)
{
  return ((const ffi_mjcf_file *)node->doc->_private)->xml.file;
}

ffi_xml *ffi_mjcf_at(ffi_mjcf *m, const xmlNode *node)
{
  m->xml->file = ffi_mjcf_file_of(node);
  return m->xml;
}

int ffi_mjcf_failed(const ffi_mjcf *m)
{
  return m->xml->status != FF_OK;
}

void ffi_mjcf_no_memory(ffi_mjcf *m)
{
  if (!ffi_mjcf_failed(m))
    m->xml->status =
        ffi_fail(m->xml->error, FF_ERROR_MEMORY, m->main_file.xml.file, 0, NULL, "no memory for the model");
}

// ---- Sections -----------------------------------------------------------------------------------------------

typedef void section_reader(ffi_mjcf *m, const xmlNode *section);

// Every section of one name, in document order.
static void each(ffi_mjcf *m, const char *name, section_reader *read)
{
  const xmlNode *root = xmlDocGetRootElement(m->xml->doc);
  const xmlNode *section = ffi_mjcf_include_child(m, root);
  for (; section && !ffi_mjcf_failed(m); section = ffi_mjcf_include_next(m, section)) {
    if (ffi_xml_is(section, name))
      read(m, section);
  }
}

// The elements of a section that has no counterpart, each kind by itself.
static void ignore_elements(ffi_mjcf *m, const xmlNode *section, ffi_mjcf_fate fate)
{
  const xmlNode *node = ffi_mjcf_include_child(m, section);
  for (; node; node = ffi_mjcf_include_next(m, node))
    ffi_mjcf_ignored_add(m, node, fate, "<%.40s> in <%.40s>", (const char *)node->name,
                         (const char *)section->name);
}

static void check_section(ffi_mjcf *m, const xmlNode *section)
{
  static const char *const read[] = {"compiler", "option",   "default",  "asset",    "worldbody", "contact",
                                     "tendon",   "equality", "actuator", "keyframe", NULL};
  static const struct {
    const char *name;
    ffi_mjcf_fate fate;
    int is_listed_whole;
  } unread[] = {
      {"deformable", FFI_MJCF_PHYSICS, 0}, {"extension", FFI_MJCF_PHYSICS, 1},
      {"sensor", FFI_MJCF_LOOKS, 1},       {"custom", FFI_MJCF_LOOKS, 1},
      {"visual", FFI_MJCF_LOOKS, 1},       {"statistic", FFI_MJCF_LOOKS, 1},
      {"size", FFI_MJCF_QUIET, 1},
  };
  for (int i = 0; read[i]; ++i) {
    if (ffi_xml_is(section, read[i]))
      return;
  }
  for (size_t i = 0; i < sizeof unread / sizeof *unread; ++i) {
    if (!ffi_xml_is(section, unread[i].name))
      continue;
    if (!unread[i].is_listed_whole)
      ignore_elements(m, section, unread[i].fate);
    else if (unread[i].fate != FFI_MJCF_QUIET)
      ffi_mjcf_ignored_add(m, section, unread[i].fate, "<%s>", unread[i].name);
    return;
  }
  ffi_mjcf_fail(m, FF_ERROR_PARSE, section, "is no section of MJCF");
}

static void check_sections(ffi_mjcf *m)
{
  const xmlNode *section = ffi_mjcf_include_child(m, xmlDocGetRootElement(m->xml->doc));
  for (; section && !ffi_mjcf_failed(m); section = ffi_mjcf_include_next(m, section))
    check_section(m, section);
}

// ---- Start and end ------------------------------------------------------------------------------------------

// Where the main file is, with its final '/'; "" for the working folder.
static const char *folder_of(ffi_mjcf *m)
{
  const char *slash = m->xml->is_memory ? NULL : strrchr(m->xml->file, '/');
  char *folder = slash ? ffi_arena_string(&m->arena, m->xml->file) : NULL;
  if (slash && !folder)
    ffi_mjcf_no_memory(m);
  if (!folder)
    return "";
  folder[slash - m->xml->file + 1] = 0;
  return folder;
}

static void start(ffi_mjcf *m, ffi_xml *xml, const ff_load_def *def)
{
  const char *name = ffi_mjcf_value_text(xmlDocGetRootElement(xml->doc), "model");
  m->xml = xml;
  m->def = def;
  m->main_file.xml = *xml;
  xml->doc->_private = &m->main_file;
  m->compiler = (ffi_mjcf_compiler){.degrees = 1,
                                    .eulerseq = "xyz",
                                    .autolimits = 1,
                                    .inertia_from_geom = FFI_MJCF_AUTO,
                                    .inertia_groups = {0, 5}};
  m->has_gravity = m->has_equality = m->has_filterparent = m->has_refsafe = 1;
  m->impratio = 1;
  m->least_time = 2 * 0.002;
  m->gravity[2] = -9.81;
  m->folder = folder_of(m);
  ffi_mjcf_class_start(m);
  if (!ffi_mjcf_failed(m) && name && strlen(name) > FF_MAX_NAME)
    ffi_mjcf_fail(m, FF_ERROR_LIMIT, xmlDocGetRootElement(xml->doc),
                  "attribute 'model' is longer than %d bytes", FF_MAX_NAME);
  if (!ffi_mjcf_failed(m))
    m->xml->status = ff_builder_create(name ? name : "mujoco", &m->builder, xml->error);
}

// What was read, without the builder and the main file's document. May be called twice.
static void release_read(ffi_mjcf *m)
{
  ffi_names *const tables[] = {&m->class_names,      &m->mesh_names,
                               &m->material_names,   &m->body_names,
                               &m->joint_names,      &m->geom_names,
                               &m->site_names,       &m->actuator_names,
                               &m->key_names,        &m->frame_names,
                               &m->link_joint_names, &m->tendon_names,
                               &m->hfield_names,     NULL};
  for (ffi_names *const *table = tables; *table; ++table)
    ffi_names_free(*table);
  free(m->classes);
  free(m->meshes);
  free(m->materials);
  free(m->hfields);
  free(m->bodies);
  free(m->joints);
  free(m->geoms);
  free(m->sites);
  free(m->tendons);
  free(m->ignored);
  m->classes = NULL;
  m->meshes = NULL;
  m->materials = NULL;
  m->hfields = NULL;
  m->bodies = NULL;
  m->joints = NULL;
  m->geoms = NULL;
  m->sites = NULL;
  m->tendons = NULL;
  m->ignored = NULL;
  ffi_mjcf_include_close(m);
  m->main_file.next = NULL;
  m->xml->file = m->main_file.xml.file;
  if (m->xml->doc)
    m->xml->doc->_private = NULL;
  ffi_arena_free(&m->arena);
}

static void release(ffi_mjcf *m)
{
  ff_builder_destroy(m->builder);
  release_read(m);
}

// Bodies, joints and geoms are all known: give back the room for more.
static void trim(ffi_mjcf *m)
{
  void *bodies = ffi_grow_trim(m->bodies, m->body_count, &m->body_capacity, sizeof *m->bodies);
  void *joints = ffi_grow_trim(m->joints, m->joint_count, &m->joint_capacity, sizeof *m->joints);
  void *geoms = ffi_grow_trim(m->geoms, m->geom_count, &m->geom_capacity, sizeof *m->geoms);
  if ((!bodies && m->bodies) || (!joints && m->joints) || (!geoms && m->geoms))
    ffi_mjcf_no_memory(m);
  m->bodies = bodies ? bodies : m->bodies;
  m->joints = joints ? joints : m->joints;
  m->geoms = geoms ? geoms : m->geoms;
}

// The order matters: what numbers mean, then what elements start from, then the elements.
static void read_all(ffi_mjcf *m)
{
  ffi_mjcf_include_open(m);
  if (!ffi_mjcf_failed(m))
    ffi_mjcf_attach_expand(m);
  check_sections(m);
  each(m, "compiler", ffi_mjcf_compiler_read);
  if (!ffi_mjcf_failed(m))
    ffi_mjcf_replicate_expand(m);
  each(m, "option", ffi_mjcf_compiler_read_option);
  each(m, "default", ffi_mjcf_class_read);
  each(m, "asset", ffi_mjcf_asset_read);
  each(m, "worldbody", ffi_mjcf_body_read_world);
  each(m, "contact", ffi_mjcf_contact_remember);
  if (!ffi_mjcf_failed(m))
    trim(m);
  if (!ffi_mjcf_failed(m))
    ffi_mjcf_inertia_finish(m);
  if (!ffi_mjcf_failed(m))
    ffi_mjcf_name_all(m);
  if (!ffi_mjcf_failed(m))
    ffi_mjcf_build(m);
  if (!ffi_mjcf_failed(m))
    ffi_mjcf_contact_set_parents(m);
  each(m, "contact", ffi_mjcf_contact_read);
  each(m, "tendon", ffi_mjcf_tendon_read);
  each(m, "equality", ffi_mjcf_equality_read);
  each(m, "actuator", ffi_mjcf_actuator_read);
  each(m, "keyframe", ffi_mjcf_keyframe_remember);
  each(m, "keyframe", ffi_mjcf_keyframe_read);
  if (!ffi_mjcf_failed(m))
    ffi_mjcf_keyframe_add_reference(m);
}

static int find_link(const void *reader, const char *name, int *is_found)
{
  const ffi_mjcf *m = reader;
  *is_found = 0;
  for (int i = 1; i < m->body_count; ++i)
    if (m->bodies[i].name && strcmp(m->bodies[i].name, name) == 0)
      return *is_found = 1, m->bodies[i].link;
  return FF_WORLD;
}

static void finish(ffi_mjcf *m, ff_model **out)
{
  static const double no_gravity[3] = {0, 0, 0};
  const xmlNode *root = xmlDocGetRootElement(m->xml->doc);
  ffi_mjcf_ignored_warn(m);
  ffi_mjcf_mesh_warn(m);
  ffi_mjcf_build_source(m, root);
  if (m->body_count <= 1)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, root, "has no <body>");
  if (!ffi_mjcf_failed(m))
    m->xml->status =
        ff_builder_set_gravity(m->builder, m->has_gravity ? m->gravity : no_gravity, m->xml->error);
  if (!ffi_mjcf_failed(m))
    m->xml->status = ffi_load_points(m->builder, m->def, m->xml->file, find_link, m, m->xml->error);
  if (ffi_mjcf_failed(m))
    return;
  release_read(m); // the model is as large as what it is made of: not both at once
  ffi_xml_close(m->xml);
  if (m->def->massless == FF_MASSLESS_LEAST)
    m->xml->status = ff_builder_fill_massless(m->builder, NULL, m->xml->error);
  if (!ffi_mjcf_failed(m))
    m->xml->status = ff_builder_finish(m->builder, out, m->xml->error);
}

ff_status ffi_mjcf_read(ffi_xml *xml, const ff_load_def *def, ff_model **out, ff_error *error)
{
  ffi_mjcf m = {0};
  xml->error = error;
  start(&m, xml, def);
  if (!ffi_mjcf_failed(&m))
    read_all(&m);
  if (!ffi_mjcf_failed(&m))
    finish(&m, out);
  release(&m);
  return xml->status;
}
