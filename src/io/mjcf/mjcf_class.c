// <default> of MJCF: classes, whose settings elements start from.
#include "io/mjcf/mjcf.h"
#include "io/mjcf/mjcf_attach.h"

#include "base/grow.h"

#include <string.h>

// A class is a full set of settings: it starts as a copy of the class around it and changes what its elements say.
// So an element takes its settings from one class, and later changes of the outer class do not reach it.

static const ffi_mjcf_joint first_joint = {
    .type = FFI_MJCF_HINGE, .axis = {0, 0, 1}, .limited = FFI_MJCF_AUTO, .force_limited = FFI_MJCF_AUTO};

static const ffi_mjcf_geom first_geom = {.type = FFI_MJCF_SPHERE,
                                         .place.pose.quaternion = {0, 0, 0, 1},
                                         .density = 1000,
                                         .fit_scale = 1,
                                         .friction = 1,
                                         .turning = {0.005, 0.0001},
                                         .contype = 1,
                                         .conaffinity = 1,
                                         .condim = 3,
                                         .softness = {{0.02, 1}, {0.9, 0.95, 0.001, 0.5, 2}, 1, 0},
                                         .rgba = {0.5, 0.5, 0.5, 1},
                                         .mesh_id = -1};

static const ffi_mjcf_actuator first_actuator = {.joint = -1,
                                                 .gear = {1},
                                                 .gainprm = {1, 0, 0},
                                                 .control_limited = FFI_MJCF_AUTO,
                                                 .force_limited = FFI_MJCF_AUTO};

static int add_class(ffi_mjcf *m, const ffi_mjcf_class *class)
{
  ffi_mjcf_class *grown = ffi_grow(m->classes, m->class_count, &m->class_capacity, sizeof *grown);
  if (!grown) {
    ffi_mjcf_no_memory(m);
    return 0;
  }
  m->classes = grown;
  m->classes[m->class_count] = *class;
  return m->class_count++;
}

// MuJoCo's own settings.
static int add_first_class(ffi_mjcf *m, const char *name)
{
  const ffi_mjcf_class main_class = {.name = name,
                                     .joint = first_joint,
                                     .geom = first_geom,
                                     .site.pose.quaternion = {0, 0, 0, 1},
                                     .actuator = first_actuator,
                                     .equality.active = 1,
                                     .tendon = {.limited = FFI_MJCF_AUTO, .springlength = {-1, -1}},
                                     .pair.friction = -1,
                                     .mesh_scale = {1, 1, 1},
                                     .mesh_mass = -1,
                                     .material_rgba = {1, 1, 1, 1}};
  return add_class(m, &main_class);
}

void ffi_mjcf_class_start(ffi_mjcf *m)
{
  add_first_class(m, "main");
  ffi_mjcf_name_remember(m, &m->class_names, NULL, "main", 0);
}

int ffi_mjcf_class_of(ffi_mjcf *m, const xmlNode *node, const char *attribute, int inherited)
{
  const char *name = ffi_mjcf_value_text(node, attribute);
  if (!name)
    return inherited;
  const int found = ffi_names_find(&m->class_names, name);
  if (found < 0)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "%s '%.100s' is not defined in <default>", attribute, name);
  return found < 0 ? 0 : found;
}

// ---- <default> ----------------------------------------------------------------------------------------------

static void read_setting(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_class *class)
{
  static const char *const unused[] = {"camera", "light",    "skin",        "material", "adhesion", "muscle",
                                       "damper", "cylinder", "intvelocity", "plugin",   "dcmotor",  NULL};
  if (ffi_xml_is(node, "joint"))
    ffi_mjcf_joint_attributes(m, node, &class->joint);
  else if (ffi_xml_is(node, "geom"))
    ffi_mjcf_geom_attributes(m, node, &class->geom);
  else if (ffi_xml_is(node, "site"))
    ffi_mjcf_site_attributes(m, node, &class->site);
  else if (ffi_xml_is(node, "mesh"))
    ffi_mjcf_asset_mesh(m, node, class->mesh_scale, &class->mesh_mass);
  else if (ffi_xml_is(node, "material"))
    ffi_mjcf_asset_material(m, node, class->material_rgba);
  else if (ffi_xml_is(node, "equality"))
    ffi_mjcf_equality_attributes(m, node, &class->equality);
  else if (ffi_xml_is(node, "tendon"))
    ffi_mjcf_tendon_attributes(m, node, &class->tendon);
  else if (ffi_xml_is(node, "pair"))
    ffi_mjcf_contact_attributes(m, node, &class->pair);
  else if (ffi_mjcf_actuator_is_known(node))
    ffi_mjcf_actuator_attributes(m, node, &class->actuator);
  else {
    for (int i = 0; unused[i]; ++i) {
      if (ffi_xml_is(node, unused[i]))
        return; // its elements are listed where they are used
    }
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "is not an element of <default>");
  }
}

// A named class inside another; returns its number.
static int start_class(ffi_mjcf *m, const xmlNode *node, int parent)
{
  const char *name = ffi_xml_require(ffi_mjcf_at(m, node), node, "class");
  ffi_mjcf_name_remember(m, &m->class_names, node, name, m->class_count);
  if (m->class_count >= FFI_MJCF_MAX_CLASSES)
    ffi_mjcf_fail(m, FF_ERROR_LIMIT, node, "more than %d classes", FFI_MJCF_MAX_CLASSES);
  if (ffi_mjcf_failed(m))
    return 0;
  ffi_mjcf_class class = m->classes[parent];
  class.name = name;
  return add_class(m, &class);
}

static void read_class(ffi_mjcf *m, const xmlNode *node, int id)
{
  if (!ffi_mjcf_include_enter(m, node))
    return;
  // Its own settings first, wherever they stand, then the classes that start from them.
  const xmlNode *child = ffi_mjcf_include_child(m, node);
  for (; child && !ffi_mjcf_failed(m); child = ffi_mjcf_include_next(m, child)) {
    if (!ffi_xml_is(child, "default"))
      read_setting(m, child, &m->classes[id]);
  }
  child = ffi_mjcf_include_child(m, node);
  for (; child && !ffi_mjcf_failed(m); child = ffi_mjcf_include_next(m, child)) {
    if (ffi_xml_is(child, "default"))
      read_class(m, child, start_class(m, child, id));
  }
  ffi_mjcf_include_leave(m);
}

// The outermost class of an attached model has a name, and starts from MuJoCo's own settings.
static void read_attached(ffi_mjcf *m, const xmlNode *section, const char *name)
{
  int id = ffi_names_find(&m->class_names, name);
  if (id < 0) {
    ffi_mjcf_name_remember(m, &m->class_names, section, name, m->class_count);
    id = ffi_mjcf_failed(m) ? 0 : add_first_class(m, name);
  }
  if (!ffi_mjcf_failed(m))
    read_class(m, section, id);
}

void ffi_mjcf_class_read(ffi_mjcf *m, const xmlNode *section)
{
  const char *name = ffi_mjcf_value_text(section, "class");
  if (name && ffi_mjcf_attach_is_part(section)) {
    read_attached(m, section, name);
    return;
  }
  // The outermost class is "main", which a file may call otherwise.
  if (name && ffi_names_find(&m->class_names, name) != 0)
    ffi_mjcf_name_remember(m, &m->class_names, section, name, 0);
  if (!ffi_mjcf_failed(m))
    read_class(m, section, 0);
}
