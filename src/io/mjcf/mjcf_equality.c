// <equality> of MJCF: connect and weld become elements of the model; mjcf_coupling.c reads couplings of joints.
#include "io/mjcf/mjcf.h"

#include "math/vec3.h"

#include <string.h>

// <connect> and <weld> close loops. In MuJoCo they are constraints that are soft in proportion to the masses they join;
// here they are springs and dampers between two frames, FF_ELEMENT_POINT and FF_ELEMENT_WELD:
//
//     solref="-k -b"    k N/m and b N s/m: MuJoCo's numbers are per unit of mass, taken here as for 1 kg
//     otherwise         those of ff_material_default(), as contacts have
//     torquescale="s"   a weld's angular stiffness and damping are s^2 times the others: a turn of 1 rad counts as s
//                       metres
//
// Between bodies the two ends coincide where the model stands as written (qpos0), unless relpose says where.

static const ffi_mjcf_word equality_words[] = {
    {"name", FFI_MJCF_READ, NULL},        {"class", FFI_MJCF_READ, NULL},
    {"active", FFI_MJCF_READ, NULL},      {"solref", FFI_MJCF_READ, NULL},
    {"body1", FFI_MJCF_READ, NULL},       {"body2", FFI_MJCF_READ, NULL},
    {"anchor", FFI_MJCF_READ, NULL},      {"site1", FFI_MJCF_READ, NULL},
    {"site2", FFI_MJCF_READ, NULL},       {"relpose", FFI_MJCF_READ, NULL},
    {"torquescale", FFI_MJCF_READ, NULL}, {"solimp", FFI_MJCF_PHYSICS, "0.9 0.95 0.001 0.5 2"},
    {NULL, FFI_MJCF_READ, NULL},
};

static const double default_solref[2] = {0.02, 1};

void ffi_mjcf_equality_attributes(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_equality *equality)
{
  double solref[2];
  ffi_mjcf_ignored_check(m, node, equality_words);
  ffi_mjcf_value_flag(m, node, "active", &equality->active);
  if (!ffi_mjcf_value_numbers(m, node, "solref", 2, 2, solref))
    return;
  equality->is_direct = solref[0] <= 0 && solref[1] <= 0;
  equality->stiffness = -solref[0];
  equality->damping = -solref[1];
  const int is_default = solref[0] == default_solref[0] && solref[1] == default_solref[1];
  if (!equality->is_direct && !is_default)
    ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS, "attribute 'solref' of <%.40s>",
                         (const char *)node->name);
}

// ---- Ends ---------------------------------------------------------------------------------------------------

// The number of what an attribute names, or -1 after a failure.
static int find(ffi_mjcf *m, const xmlNode *node, const char *attribute, const ffi_names *names)
{
  const char *name = ffi_mjcf_value_text(node, attribute);
  const int id = name ? ffi_names_find(names, name) : -1;
  if (!name)
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "has no attribute '%s'", attribute);
  else if (id < 0)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "there is no %.4s '%.100s'", attribute, name);
  return id;
}

// body1 or body2; the world if `is_optional` and absent.
static int find_body(ffi_mjcf *m, const xmlNode *node, const char *attribute, int is_optional)
{
  const char *name = ffi_mjcf_value_text(node, attribute);
  if (name ? strcmp(name, "world") == 0 : is_optional)
    return 0;
  return find(m, node, attribute, &m->body_names);
}

static const char *link_of(const ffi_mjcf *m, int body)
{
  return body ? m->bodies[body].name : NULL;
}

static void add(ffi_mjcf *m, const xmlNode *node, const ff_element_def *def, const char *on, const char *to)
{
  if (ffi_mjcf_failed(m))
    return;
  ffi_mjcf_build_source(m, node);
  m->xml->status = ff_builder_add_element(m->builder, def, on, to, m->xml->error);
}

static void join_sites(ffi_mjcf *m, const xmlNode *node, const ff_element_def *def)
{
  static const char *const others[] = {"body1", "body2", "anchor", "relpose", NULL};
  for (int i = 0; others[i]; ++i) {
    if (ffi_xml_get(node, others[i]))
      ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "has sites and '%s'; keep one of them", others[i]);
  }
  const int one = find(m, node, "site1", &m->site_names), two = find(m, node, "site2", &m->site_names);
  if (one >= 0 && two >= 0)
    add(m, node, def, m->sites[one].name, m->sites[two].name);
}

// The pose of body `two` in body `one`, as written.
static ff_pose between(const ffi_mjcf *m, int one, int two)
{
  const ff_pose back = ff_pose_inverse(&m->bodies[one].world);
  return ff_pose_compose(&back, &m->bodies[two].world);
}

// Where a point given in a frame is, seen from outside.
static void put_point(const ff_pose *frame, const double point[3], double out[3])
{
  ff_pose at = ff_pose_identity();
  ffi_v3_copy(point, at.position);
  at = ff_pose_compose(frame, &at);
  ffi_v3_copy(at.position, out);
}

// The anchor is given in body1.
static void connect_bodies(ffi_mjcf *m, const xmlNode *node, ff_element_def *def, int one, int two)
{
  if (!ffi_mjcf_value_numbers(m, node, "anchor", 3, 3, def->a.offset)) {
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "has no attribute 'anchor'");
    return;
  }
  const ff_pose pose = between(m, two, one);
  put_point(&pose, def->a.offset, def->b.offset);
  add(m, node, def, link_of(m, one), link_of(m, two));
}

// The anchor is given in body2. As written it is held where it is; relpose says where else in body1, and how body2 is
// turned there. Unless the axes are parallel, body1 gets a frame that has body2's.
static void weld_bodies(ffi_mjcf *m, const xmlNode *node, ff_element_def *def, int one, int two)
{
  ff_pose pose = between(m, one, two);
  double relpose[7] = {0}, *anchor = def->b.offset;
  ffi_mjcf_value_numbers(m, node, "anchor", 3, 3, anchor);
  ffi_mjcf_value_numbers(m, node, "relpose", 7, 7, relpose);
  put_point(&pose, anchor, pose.position);
  if (relpose[3] != 0 || relpose[4] != 0 || relpose[5] != 0 || relpose[6] != 0)
    pose = (ff_pose){{relpose[0], relpose[1], relpose[2]}, {relpose[4], relpose[5], relpose[6], relpose[3]}};
  const double *q = pose.quaternion;
  const char *on = link_of(m, one);
  if (q[0] == 0 && q[1] == 0 && q[2] == 0) {
    ffi_v3_copy(pose.position, def->a.offset);
  } else if (!ffi_mjcf_failed(m)) {
    on = ffi_mjcf_name_unique(m, &m->frame_names, "%s:%s", one ? m->bodies[one].name : "world",
                              def->name ? def->name : "weld");
    ffi_mjcf_build_source(m, node);
    if (!ffi_mjcf_failed(m))
      m->xml->status = ff_builder_add_frame(m->builder, m->bodies[one].link, on, &pose, m->xml->error);
  }
  add(m, node, def, on, link_of(m, two));
}

// ---- <equality> ---------------------------------------------------------------------------------------------

// Of a <connect> these two say nothing.
static void list_weld_only(ffi_mjcf *m, const xmlNode *node, int is_weld)
{
  static const char *const words[] = {"relpose", "torquescale", NULL};
  for (int i = 0; !is_weld && words[i]; ++i) {
    if (ffi_xml_get(node, words[i]))
      ffi_mjcf_ignored_add(m, node, FFI_MJCF_UNKNOWN, "attribute '%s' of <connect>", words[i]);
  }
}

static void read_loop(ffi_mjcf *m, const xmlNode *node)
{
  ffi_mjcf_equality e = m->classes[ffi_mjcf_class_of(m, node, "class", 0)].equality;
  const ff_material usual = ff_material_default();
  const int is_weld = ffi_xml_is(node, "weld");
  ff_element_def def = ff_element_def_default();
  double scale = 1;
  ffi_mjcf_equality_attributes(m, node, &e);
  list_weld_only(m, node, is_weld);
  ffi_mjcf_value_nonnegative(m, node, "torquescale", &scale);
  def.name = ffi_mjcf_value_text(node, "name");
  def.type = is_weld ? FF_ELEMENT_WELD : FF_ELEMENT_POINT;
  def.stiffness = e.is_direct ? e.stiffness : usual.stiffness;
  def.damping = e.is_direct ? e.damping : usual.damping;
  def.angular_stiffness = is_weld ? scale * scale * def.stiffness : 0;
  def.angular_damping = is_weld ? scale * scale * def.damping : 0;
  if (ffi_mjcf_failed(m))
    return;
  if (!e.active || !m->has_equality) {
    ffi_mjcf_ignored_add(m, node, FFI_MJCF_LOOKS, "<%s> that is switched off", (const char *)node->name);
  } else if (ffi_xml_get(node, "site1") || ffi_xml_get(node, "site2")) {
    join_sites(m, node, &def);
  } else {
    const int one = find_body(m, node, "body1", 0), two = find_body(m, node, "body2", 1);
    if (ffi_mjcf_failed(m))
      return;
    if (is_weld)
      weld_bodies(m, node, &def, one, two);
    else
      connect_bodies(m, node, &def, one, two);
  }
}

void ffi_mjcf_equality_read(ffi_mjcf *m, const xmlNode *section)
{
  static const char *const others[] = {"flex", "flexvert", "flexstrain", "distance", NULL};
  const xmlNode *node =
      m->body_count ? ffi_mjcf_include_child(m, section) : NULL; // no <body> at all is refused later
  for (; node && !ffi_mjcf_failed(m); node = ffi_mjcf_include_next(m, node)) {
    const int is_loop = ffi_xml_is(node, "connect") || ffi_xml_is(node, "weld"),
              is_coupling = ffi_xml_is(node, "joint") || ffi_xml_is(node, "tendon");
    int is_known = is_loop || is_coupling;
    if (is_loop)
      read_loop(m, node);
    else if (is_coupling)
      ffi_mjcf_coupling_read(m, node);
    for (int i = 0; !is_known && others[i]; ++i) {
      if (ffi_xml_is(node, others[i])) {
        ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS, "<%s> in <equality>", others[i]);
        is_known = 1;
      }
    }
    if (!is_known)
      ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "is not an element of <equality>");
  }
}
