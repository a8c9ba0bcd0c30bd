// <actuator> of MJCF: motors and servos on joints and tendons, motors on sites.
#include "io/mjcf/mjcf.h"
#include "io/mjcf/mjcf_draft.h"

#include <math.h>
#include <string.h>

// MuJoCo has one actuator with many settings; <motor>, <position> and <velocity> are <general> with some of them set.
// Footfall has the three. So all four elements are read into the general form, which is then recognised:
//
//     force = gain control + b0 + b1 length + b2 velocity,  clamped;  joint force = gear force,  length = gear q

static const ffi_mjcf_word actuator_words[] = {
    {"name", FFI_MJCF_READ, NULL},         {"class", FFI_MJCF_READ, NULL},
    {"joint", FFI_MJCF_READ, NULL},        {"jointinparent", FFI_MJCF_READ, NULL},
    {"gear", FFI_MJCF_READ, NULL},         {"kp", FFI_MJCF_READ, NULL},
    {"kv", FFI_MJCF_READ, NULL},           {"ctrllimited", FFI_MJCF_READ, NULL},
    {"ctrlrange", FFI_MJCF_READ, NULL},    {"forcelimited", FFI_MJCF_READ, NULL},
    {"forcerange", FFI_MJCF_READ, NULL},   {"inheritrange", FFI_MJCF_READ, NULL},
    {"timeconst", FFI_MJCF_READ, NULL},    {"dyntype", FFI_MJCF_READ, NULL},
    {"gaintype", FFI_MJCF_READ, NULL},     {"biastype", FFI_MJCF_READ, NULL},
    {"gainprm", FFI_MJCF_READ, NULL},      {"biasprm", FFI_MJCF_READ, NULL},
    {"dampratio", FFI_MJCF_READ, NULL},    {"dynprm", FFI_MJCF_QUIET, NULL},
    {"actdim", FFI_MJCF_QUIET, NULL},      {"actearly", FFI_MJCF_QUIET, NULL},
    {"actlimited", FFI_MJCF_QUIET, NULL},  {"actrange", FFI_MJCF_QUIET, NULL},
    {"lengthrange", FFI_MJCF_QUIET, NULL}, {"group", FFI_MJCF_QUIET, NULL},
    {"user", FFI_MJCF_QUIET, NULL},        {"tendon", FFI_MJCF_READ, NULL},
    {"site", FFI_MJCF_READ, NULL},         {"body", FFI_MJCF_READ, NULL},
    {"slidersite", FFI_MJCF_READ, NULL},   {"cranksite", FFI_MJCF_READ, NULL},
    {"refsite", FFI_MJCF_READ, NULL},      {"cranklength", FFI_MJCF_QUIET, NULL},
    {NULL, FFI_MJCF_READ, NULL},
};

int ffi_mjcf_actuator_is_known(const xmlNode *node)
{
  return ffi_xml_is(node, "motor") || ffi_xml_is(node, "position") || ffi_xml_is(node, "velocity") ||
         ffi_xml_is(node, "general");
}

// ---- The general form ---------------------------------------------------------------------------------------

static void read_general(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_actuator *a)
{
  static const char *const dyn[] = {"none",   "integrator", "filter",  "filterexact",
                                    "muscle", "user",       "dcmotor", NULL};
  static const char *const gain[] = {"fixed", "affine", "muscle", "user", "dcmotor", NULL};
  static const char *const bias[] = {"none", "affine", "muscle", "user", "dcmotor", NULL};
  double prm[10];
  int found;
  if (ffi_mjcf_value_keyword(m, node, "dyntype", dyn, &found))
    a->dyn = found == 0                 ? FFI_MJCF_DYN_NONE
             : found == 2 || found == 3 ? FFI_MJCF_DYN_FILTER
                                        : FFI_MJCF_DYN_OTHER;
  if (ffi_mjcf_value_keyword(m, node, "gaintype", gain, &found))
    a->gain = found ? FFI_MJCF_GAIN_OTHER : FFI_MJCF_GAIN_FIXED;
  if (ffi_mjcf_value_keyword(m, node, "biastype", bias, &found))
    a->bias = found > 1 ? FFI_MJCF_BIAS_OTHER : found ? FFI_MJCF_BIAS_AFFINE : FFI_MJCF_BIAS_NONE;
  const int gains = ffi_mjcf_value_numbers(m, node, "gainprm", 1, 10, prm);
  memcpy(a->gainprm, prm, sizeof *prm * (size_t)(gains < 3 ? gains : 3));
  const int biases = ffi_mjcf_value_numbers(m, node, "biasprm", 1, 10, prm);
  memcpy(a->biasprm, prm, sizeof *prm * (size_t)(biases < 3 ? biases : 3));
}

// The short forms have fixed values for the other settings.
static void read_short(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_actuator *a)
{
  const int is_motor = ffi_xml_is(node, "motor");
  a->dyn = FFI_MJCF_DYN_NONE;
  a->gain = FFI_MJCF_GAIN_FIXED;
  a->bias = is_motor ? FFI_MJCF_BIAS_NONE : FFI_MJCF_BIAS_AFFINE;
  if (is_motor) {
    a->gainprm[0] = 1;
    return;
  }
  memset(a->biasprm, 0, sizeof a->biasprm);
  if (ffi_xml_is(node, "velocity")) {
    ffi_mjcf_value_nonnegative(m, node, "kv", &a->gainprm[0]);
    a->biasprm[2] = -a->gainprm[0];
    return;
  }
  ffi_mjcf_value_nonnegative(m, node, "kp", &a->gainprm[0]);
  const int has_kv = ffi_mjcf_value_nonnegative(m, node, "kv", &a->position_kv),
            has_ratio = ffi_mjcf_value_nonnegative(m, node, "dampratio", &a->damping_ratio);
  if (has_kv && has_ratio)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "both 'kv' and 'dampratio' give its damping: keep one");
  if (has_kv)
    a->damping_ratio = 0;
  ffi_mjcf_value_nonnegative(m, node, "timeconst", &a->time_constant);
  ffi_mjcf_value_nonnegative(m, node, "inheritrange", &a->inherit_range);
  a->biasprm[1] = -a->gainprm[0];
  a->biasprm[2] = a->damping_ratio > 0 ? a->damping_ratio : -a->position_kv;
  a->dyn = a->time_constant > 0 ? FFI_MJCF_DYN_FILTER : FFI_MJCF_DYN_NONE;
}

void ffi_mjcf_actuator_attributes(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_actuator *actuator)
{
  double gear[6];
  ffi_mjcf_ignored_check(m, node, actuator_words);
  const int gears = ffi_mjcf_value_numbers(m, node, "gear", 1, 6, gear);
  memcpy(actuator->gear, gear, sizeof *gear * (size_t)gears); // the others stay as in the class
  ffi_mjcf_value_limit(m, node, "ctrllimited", &actuator->control_limited);
  ffi_mjcf_value_numbers(m, node, "ctrlrange", 2, 2, actuator->control_range);
  ffi_mjcf_value_limit(m, node, "forcelimited", &actuator->force_limited);
  ffi_mjcf_value_numbers(m, node, "forcerange", 2, 2, actuator->force_range);
  if (ffi_xml_is(node, "general"))
    read_general(m, node, actuator);
  else
    read_short(m, node, actuator);
}

// ---- Recognising --------------------------------------------------------------------------------------------

static double inertia_of(const ffi_mjcf *m, int link)
{
  for (int i = 0; i < m->joint_count; ++i)
    if (m->joints[i].link == link)
      return m->joints[i].inertia;
  return 0;
}

// In MuJoCo a servo's bias of velocity above zero is a damping ratio, of the inertia at its length in the pose of the
// file: M of each joint over the square of what it moves the length by.
static void finish_damping(ffi_mjcf *m, const ffi_mjcf_tendon *tendon, ffi_mjcf_actuator *a)
{
  double *b = a->biasprm, mass = 0;
  if (a->bias != FFI_MJCF_BIAS_AFFINE || !(b[2] > 0) || b[1] != -a->gainprm[0])
    return;
  ffi_mjcf_draft_inertias(m);
  for (int i = 0; i < (tendon ? tendon->count : 1); ++i) {
    const int link = tendon ? tendon->links[i] : m->joints[a->joint].link;
    const double moment = a->gear[0] * (tendon ? tendon->coefficients[i] : 1);
    if (moment * moment > 1e-15)
      mass += inertia_of(m, link) / (moment * moment);
  }
  b[2] = -2 * b[2] * sqrt(a->gainprm[0] * mass);
}

// Which of the three it is, with its gains and its gear; 0 if none. share: what one unit of MuJoCo's control is in
// ours, which are positions and velocities.
static int recognise(const ffi_mjcf_actuator *a, ff_actuator_def *def, double *share)
{
  const double gain = a->gainprm[0], *b = a->biasprm;
  def->gear = a->gear[0];
  *share = 1;
  if (a->dyn == FFI_MJCF_DYN_OTHER || a->gain != FFI_MJCF_GAIN_FIXED)
    return 0;
  if (a->bias == FFI_MJCF_BIAS_NONE ||
      (a->bias == FFI_MJCF_BIAS_AFFINE && b[0] == 0 && b[1] == 0 && b[2] == 0)) {
    def->type = FF_ACTUATOR_MOTOR;
    def->gear *= gain;
    return 1;
  }
  if (a->bias != FFI_MJCF_BIAS_AFFINE || b[0] != 0 || gain < 0 || b[2] > 0)
    return 0;
  if (b[1] == 0 && b[2] == -gain) {
    def->type = FF_ACTUATOR_VELOCITY;
    def->kv = gain;
    return 1;
  }
  if (b[1] > 0 || (b[1] == 0 && b[2] == 0))
    return 0;
  // gain u + b1 x + b2 v = kp (share u - x) - kv v; without b1 likewise a velocity
  def->type = b[1] < 0 ? FF_ACTUATOR_POSITION : FF_ACTUATOR_VELOCITY;
  def->kp = -b[1];
  def->kv = -b[2];
  *share = gain / (b[1] < 0 ? def->kp : def->kv);
  return 1;
}

// inheritrange: controls over a part of the joint's range, about its middle.
static void inherit_range(ffi_mjcf *m, const ffi_mjcf_actuator *a, const ffi_mjcf_joint *joint,
                          double range[2])
{
  if (!joint->limited) {
    ffi_mjcf_fail(m, FF_ERROR_MODEL, a->node, "inheritrange: joint '%.100s' has no range", joint->name);
    return;
  }
  const double middle = (joint->range[0] + joint->range[1]) / 2;
  const double half = (joint->range[1] - joint->range[0]) / 2 * a->inherit_range;
  range[0] = middle - half;
  range[1] = middle + half;
}

// joint: NULL for a tendon.
static void set_ranges(ffi_mjcf *m, const ffi_mjcf_actuator *a, const ffi_mjcf_joint *joint, double share,
                       ff_actuator_def *def)
{
  if (ffi_mjcf_value_limited(m, a->node, "ctrlrange", a->control_limited, a->control_range))
    for (int k = 0; k < 2; ++k)
      def->control_range[k] = share * a->control_range[k];
  else if (a->inherit_range > 0 && def->type == FF_ACTUATOR_POSITION && joint)
    inherit_range(m, a, joint, def->control_range);
  if (ffi_mjcf_value_limited(m, a->node, "forcerange", a->force_limited, a->force_range)) {
    // MuJoCo's range is before the gear, ours is the joint's.
    const double lower = a->gear[0] * a->force_range[0], upper = a->gear[0] * a->force_range[1];
    def->force_range[0] = fmin(lower, upper);
    def->force_range[1] = fmax(lower, upper);
  }
}

// ---- <actuator> ---------------------------------------------------------------------------------------------

// The joint it drives, or -1. Other transmissions of MuJoCo are listed as ignored; none at all is an error.
static int find_joint(ffi_mjcf *m, const xmlNode *node)
{
  static const char *const others[] = {"body", "slidersite", "cranksite", NULL};
  const char *name = ffi_mjcf_value_text(node, "joint");
  name = name ? name : ffi_mjcf_value_text(node, "jointinparent");
  for (int i = 0; !name && others[i]; ++i) {
    if (ffi_mjcf_value_text(node, others[i])) {
      ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS, "actuators on a %s", others[i]);
      return -1;
    }
  }
  if (!name) {
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "has no attribute 'joint'");
    return -1;
  }
  const int id = ffi_names_find(&m->joint_names, name);
  if (id < 0)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "there is no joint '%.100s'", name);
  return id;
}

static void add(ffi_mjcf *m, const ffi_mjcf_actuator *a, ff_actuator_def *def)
{
  if (a->dyn == FFI_MJCF_DYN_FILTER)
    ffi_mjcf_ignored_add(m, a->node, FFI_MJCF_PHYSICS, "the filter ('timeconst') of an actuator");
  def->name = a->name;
  ffi_mjcf_build_source(m, a->node);
  const ff_status status =
      ffi_mjcf_failed(m) ? FF_OK : ff_builder_add_actuator(m->builder, def, m->xml->error);
  if (status != FF_OK)
    m->xml->status = status;
}

static void refuse_law(ffi_mjcf *m, const xmlNode *node)
{
  ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS,
                       "actuators that are neither motor nor position nor velocity");
}

// The wrench of a site is gear times the force, and that is gain times control: so a range of forces is one of
// controls.
static void read_on_site(ffi_mjcf *m, const ffi_mjcf_actuator *a)
{
  const char *name = ffi_mjcf_value_text(a->node, "site");
  const int site = ffi_names_find(&m->site_names, name);
  ff_actuator_def def = ff_actuator_def_default();
  double share;
  if (site < 0) {
    ffi_mjcf_fail(m, FF_ERROR_MODEL, a->node, "there is no site '%.100s'", name);
    return;
  }
  if (ffi_mjcf_value_text(a->node, "refsite")) {
    ffi_mjcf_ignored_add(m, a->node, FFI_MJCF_PHYSICS, "actuators between two sites ('refsite')");
    return;
  }
  if (!recognise(a, &def, &share)) {
    refuse_law(m, a->node);
    return;
  }
  if (def.type != FF_ACTUATOR_MOTOR) {
    ffi_mjcf_ignored_add(m, a->node, FFI_MJCF_PHYSICS, "actuators on a site that are servos");
    return;
  }
  const double gain = a->gainprm[0];
  def.frame = m->sites[site].name;
  for (int k = 0; k < 6; ++k)
    def.wrench[k] = gain * a->gear[k];
  if (ffi_mjcf_value_limited(m, a->node, "ctrlrange", a->control_limited, a->control_range))
    memcpy(def.control_range, a->control_range, sizeof def.control_range);
  if (ffi_mjcf_value_limited(m, a->node, "forcerange", a->force_limited, a->force_range) && gain != 0) {
    const double ends[2] = {a->force_range[0] / gain, a->force_range[1] / gain};
    def.control_range[0] = fmax(def.control_range[0], fmin(ends[0], ends[1]));
    def.control_range[1] = fmax(def.control_range[0], fmin(def.control_range[1], fmax(ends[0], ends[1])));
  }
  def.gear = 1;
  add(m, a, &def);
}

// On a joint or a tendon.
static void read_on_line(ffi_mjcf *m, ffi_mjcf_actuator *a)
{
  const xmlNode *node = a->node;
  const int is_on_tendon = ffi_mjcf_value_text(node, "tendon") != NULL;
  const int tendon = is_on_tendon ? ffi_mjcf_tendon_find(m, node, "tendon") : -1;
  ff_actuator_def def = ff_actuator_def_default();
  double share;
  a->joint = is_on_tendon ? -1 : find_joint(m, node);
  if (tendon < 0 && a->joint < 0)
    return;
  const ffi_mjcf_joint *joint = is_on_tendon ? NULL : &m->joints[a->joint];
  finish_damping(m, is_on_tendon ? &m->tendons[tendon] : NULL, a);
  if (is_on_tendon && m->tendons[tendon].id < 0) {
    ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS, "actuators on a spatial tendon");
  } else if (joint && (joint->type == FFI_MJCF_FREE || joint->type == FFI_MJCF_BALL)) {
    ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS, "actuators on joints with more than one coordinate");
  } else if (!recognise(a, &def, &share)) {
    refuse_law(m, node);
  } else {
    def.link = joint ? joint->link : FF_WORLD;
    def.tendon = is_on_tendon ? m->tendons[tendon].id : -1;
    set_ranges(m, a, joint, share, &def);
    add(m, a, &def);
  }
}

static void read_actuator(ffi_mjcf *m, const xmlNode *node, int index)
{
  ffi_mjcf_actuator a = m->classes[ffi_mjcf_class_of(m, node, "class", 0)].actuator;
  a.node = node;
  a.name = ffi_mjcf_value_text(node, "name");
  ffi_mjcf_actuator_attributes(m, node, &a);
  ffi_mjcf_name_remember(m, &m->actuator_names, node, a.name, index);
  if (ffi_mjcf_failed(m))
    return;
  if (ffi_mjcf_value_text(node, "site"))
    read_on_site(m, &a);
  else
    read_on_line(m, &a);
}

void ffi_mjcf_actuator_read(ffi_mjcf *m, const xmlNode *section)
{
  static const char *const others[] = {"intvelocity", "damper", "cylinder", "muscle",
                                       "adhesion",    "plugin", "dcmotor",  NULL};
  int index = 0;
  const xmlNode *node = ffi_mjcf_include_child(m, section);
  for (; node && !ffi_mjcf_failed(m); node = ffi_mjcf_include_next(m, node), ++index) {
    int is_known = ffi_mjcf_actuator_is_known(node);
    if (is_known)
      read_actuator(m, node, index);
    for (int i = 0; !is_known && others[i]; ++i) {
      if (ffi_xml_is(node, others[i])) {
        ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS, "<%s> in <actuator>", others[i]);
        is_known = 1;
      }
    }
    if (!is_known)
      ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "is not an element of <actuator>");
  }
}
