// <tendon> of MJCF: fixed tendons become tendons of the model, their springs, dampers, limits and friction its
// elements.
#include "io/mjcf/mjcf.h"

#include "base/grow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ffi_mjcf_word tendon_words[] = {
    {"name", FFI_MJCF_READ, NULL},
    {"class", FFI_MJCF_READ, NULL},
    {"limited", FFI_MJCF_READ, NULL},
    {"range", FFI_MJCF_READ, NULL},
    {"stiffness", FFI_MJCF_READ, NULL},
    {"damping", FFI_MJCF_READ, NULL},
    {"frictionloss", FFI_MJCF_READ, NULL},
    {"springlength", FFI_MJCF_READ, NULL},
    {"margin", FFI_MJCF_PHYSICS, "0"},
    {"armature", FFI_MJCF_PHYSICS, "0"},
    {"actuatorfrclimited", FFI_MJCF_PHYSICS, "false"},
    {"actuatorfrcrange", FFI_MJCF_PHYSICS, "0 0"},
    {"solreflimit", FFI_MJCF_PHYSICS, "0.02 1"},
    {"solimplimit", FFI_MJCF_PHYSICS, "0.9 0.95 0.001 0.5 2"},
    {"solreffriction", FFI_MJCF_PHYSICS, "0.02 1"},
    {"solimpfriction", FFI_MJCF_PHYSICS, "0.9 0.95 0.001 0.5 2"},
    {"group", FFI_MJCF_QUIET, NULL},
    {"width", FFI_MJCF_QUIET, NULL},
    {"rgba", FFI_MJCF_QUIET, NULL},
    {"material", FFI_MJCF_QUIET, NULL},
    {"user", FFI_MJCF_QUIET, NULL},
    {NULL, FFI_MJCF_READ, NULL},
};

void ffi_mjcf_tendon_attributes(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_tendon *tendon)
{
  ffi_mjcf_ignored_check(m, node, tendon_words);
  ffi_mjcf_value_limit(m, node, "limited", &tendon->limited);
  ffi_mjcf_value_numbers(m, node, "range", 2, 2, tendon->range);
  ffi_mjcf_value_nonnegative(m, node, "stiffness", &tendon->stiffness);
  ffi_mjcf_value_nonnegative(m, node, "damping", &tendon->damping);
  ffi_mjcf_value_nonnegative(m, node, "frictionloss", &tendon->frictionloss);
  const int given = ffi_mjcf_value_numbers(m, node, "springlength", 1, 2, tendon->springlength);
  if (given == 1)
    tendon->springlength[1] = tendon->springlength[0];
}

// ---- Joints -------------------------------------------------------------------------------------------------

// The joint named by an attribute, with one coordinate; -1 after a failure.
int ffi_mjcf_tendon_joint(ffi_mjcf *m, const xmlNode *node, const char *attribute)
{
  const char *name = ffi_mjcf_value_text(node, attribute);
  const int id = name ? ffi_names_find(&m->joint_names, name) : -1;
  if (!name)
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "has no attribute '%s'", attribute);
  else if (id < 0)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "there is no joint '%.100s'", name);
  else if (m->joints[id].type == FFI_MJCF_FREE || m->joints[id].type == FFI_MJCF_BALL)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "joint '%.100s' has more than one coordinate", name);
  else
    return id;
  return -1;
}

// The joints of a fixed tendon and their coefficients; a joint that is named twice counts with the sum.
static void read_joints(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_tendon *t, int *links,
                        double *coefficients)
{
  if (!ffi_mjcf_include_enter(m, node))
    return;
  const xmlNode *child = ffi_mjcf_include_child(m, node);
  for (; child && !ffi_mjcf_failed(m); child = ffi_mjcf_include_next(m, child)) {
    double coef = 0;
    if (!ffi_xml_is(child, "joint"))
      ffi_mjcf_fail(m, FF_ERROR_PARSE, child, "is not an element of <fixed>");
    else if (!ffi_mjcf_value_number(m, child, "coef", &coef) && !ffi_mjcf_failed(m))
      ffi_mjcf_fail(m, FF_ERROR_PARSE, child, "has no attribute 'coef'");
    const int joint = ffi_mjcf_failed(m) ? -1 : ffi_mjcf_tendon_joint(m, child, "joint");
    if (joint < 0)
      break;
    int at = 0;
    while (at < t->count && links[at] != m->joints[joint].link)
      ++at;
    if (at == FF_MAX_TENDON_JOINTS) {
      ffi_mjcf_fail(m, FF_ERROR_LIMIT, child, "more than %d joints in a tendon", (int)FF_MAX_TENDON_JOINTS);
      break;
    }
    links[at] = m->joints[joint].link;
    coefficients[at] = (at < t->count ? coefficients[at] : 0) + coef;
    t->count += at == t->count;
    t->reference += coef * m->joints[joint].ref;
    t->slack += coef * m->joints[joint].springref;
  }
  ffi_mjcf_include_leave(m);
}

// ---- Elements -----------------------------------------------------------------------------------------------

static void add(ffi_mjcf *m, const ffi_mjcf_tendon *t, ff_element_def *def, const char *what)
{
  char name[FF_MAX_NAME + 16];
  snprintf(name, sizeof name, "%.*s_%s", (int)FF_MAX_NAME - 16, t->name, what);
  def->name = name;
  def->tendon = t->id;
  if (!ffi_mjcf_failed(m))
    m->xml->status = ff_builder_add_element(m->builder, def, NULL, NULL, m->xml->error);
  def->name = NULL; // the builder has copied it
}

// Springlength -1: the length where all joints are at their springref. A range: nothing inside, a spring outside.
static void add_spring(ffi_mjcf *m, const ffi_mjcf_tendon *t)
{
  const int is_by_joints = t->springlength[0] == -1 && t->springlength[1] == -1;
  const double lower = is_by_joints ? t->slack : t->springlength[0],
               upper = is_by_joints ? t->slack : t->springlength[1];
  ff_element_def def = ff_element_def_default();
  if (t->stiffness > 0 && lower < upper) {
    def.type = FF_ELEMENT_JOINT_LIMIT;
    def.stiffness = t->stiffness;
    def.lower = lower;
    def.upper = upper;
    add(m, t, &def, "spring");
    def = ff_element_def_default();
    def.damping = t->damping;
    if (t->damping > 0)
      add(m, t, &def, "damper");
  } else if (t->stiffness > 0 || t->damping > 0) {
    def.stiffness = t->stiffness;
    def.damping = t->damping;
    def.reference = lower;
    add(m, t, &def, "spring");
  }
}

static void add_elements(ffi_mjcf *m, const ffi_mjcf_tendon *t, const xmlNode *node)
{
  add_spring(m, t);
  if (ffi_mjcf_value_limited(m, node, "range", t->limited, t->range)) {
    ff_element_def def = ff_element_def_default();
    def.type = FF_ELEMENT_JOINT_LIMIT; // its stiffness is that of joints' limits
    def.lower = t->range[0];
    def.upper = t->range[1];
    add(m, t, &def, "limit");
  }
  if (t->frictionloss > 0) {
    ff_element_def def = ff_element_def_default();
    def.type = FF_ELEMENT_JOINT_FRICTION;
    def.effort = t->frictionloss;
    add(m, t, &def, "friction");
  }
}

// ---- <tendon> -----------------------------------------------------------------------------------------------

static void remember(ffi_mjcf *m, const ffi_mjcf_tendon *tendon)
{
  ffi_mjcf_tendon *grown = ffi_grow(m->tendons, m->tendon_count, &m->tendon_capacity, sizeof *grown);
  if (!grown) {
    ffi_mjcf_no_memory(m);
    return;
  }
  m->tendons = grown;
  m->tendons[m->tendon_count++] = *tendon;
}

static void read_fixed(ffi_mjcf *m, const xmlNode *node)
{
  static const int no_joints = 0;
  ffi_mjcf_tendon t = m->classes[ffi_mjcf_class_of(m, node, "class", 0)].tendon;
  int *links = ffi_arena_take(&m->arena, FF_MAX_TENDON_JOINTS + 1, sizeof *links);
  double *coefficients = ffi_arena_take(&m->arena, FF_MAX_TENDON_JOINTS + 1, sizeof *coefficients);
  if (!links || !coefficients) {
    ffi_mjcf_no_memory(m);
    return;
  }
  t.count = no_joints;
  t.name = ffi_mjcf_value_text(node, "name");
  ffi_mjcf_name_remember(m, &m->tendon_names, node, t.name, m->tendon_count);
  if (!t.name)
    t.name = ffi_mjcf_name_unique(m, &m->tendon_names, "tendon%d", m->tendon_count);
  ffi_mjcf_tendon_attributes(m, node, &t);
  if (!ffi_mjcf_failed(m))
    read_joints(m, node, &t, links, coefficients);
  if (ffi_mjcf_failed(m))
    return;
  int used = 0; // coefficients that are zero, or cancel, say nothing
  for (int k = 0; k < t.count; ++k)
    if (coefficients[k] != 0) {
      links[used] = links[k];
      coefficients[used++] = coefficients[k];
    }
  t.id = -1;
  t.count = used;
  t.links = links;
  t.coefficients = coefficients;
  ffi_mjcf_build_source(m, node);
  if (used > 0)
    m->xml->status =
        ff_builder_add_tendon(m->builder, t.name, used, links, coefficients, &t.id, m->xml->error);
  remember(m, &t);
  if (t.id >= 0 && !ffi_mjcf_failed(m))
    add_elements(m, &t, node);
}

// Their names are known, so that actuators on them can be listed as ignored.
static void ignore_spatial(ffi_mjcf *m, const xmlNode *node)
{
  ffi_mjcf_tendon t = {.id = -1, .is_spatial = 1, .name = ffi_mjcf_value_text(node, "name")};
  ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS, "<spatial> in <tendon>");
  ffi_mjcf_name_remember(m, &m->tendon_names, node, t.name, m->tendon_count);
  remember(m, &t);
}

void ffi_mjcf_tendon_read(ffi_mjcf *m, const xmlNode *section)
{
  const xmlNode *node = m->body_count ? ffi_mjcf_include_child(m, section) : NULL;
  for (; node && !ffi_mjcf_failed(m); node = ffi_mjcf_include_next(m, node)) {
    if (ffi_xml_is(node, "fixed"))
      read_fixed(m, node);
    else if (ffi_xml_is(node, "spatial"))
      ignore_spatial(m, node);
    else
      ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "is not an element of <tendon>");
  }
}

int ffi_mjcf_tendon_find(ffi_mjcf *m, const xmlNode *node, const char *attribute)
{
  const char *name = ffi_mjcf_value_text(node, attribute);
  const int id = name ? ffi_names_find(&m->tendon_names, name) : -1;
  if (!name)
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "has no attribute '%s'", attribute);
  else if (id < 0)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "there is no tendon '%.100s'", name);
  return id;
}
