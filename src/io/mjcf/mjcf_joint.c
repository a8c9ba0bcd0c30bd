// <joint> and <freejoint> of MJCF.
#include "io/mjcf/mjcf.h"
#include "io/mjcf/mjcf_attach.h"

#include "base/grow.h"
#include "math/vec3.h"

#include <math.h>

static const ffi_mjcf_word joint_words[] = {
    {"name", FFI_MJCF_READ, NULL},
    {"class", FFI_MJCF_READ, NULL},
    {"type", FFI_MJCF_READ, NULL},
    {"pos", FFI_MJCF_READ, NULL},
    {"axis", FFI_MJCF_READ, NULL},
    {"limited", FFI_MJCF_READ, NULL},
    {"range", FFI_MJCF_READ, NULL},
    {"ref", FFI_MJCF_READ, NULL},
    {"springref", FFI_MJCF_READ, NULL},
    {"stiffness", FFI_MJCF_READ, NULL},
    {"damping", FFI_MJCF_READ, NULL},
    {"frictionloss", FFI_MJCF_READ, NULL},
    {"armature", FFI_MJCF_READ, NULL},
    {"actuatorfrclimited", FFI_MJCF_READ, NULL},
    {"actuatorfrcrange", FFI_MJCF_READ, NULL},
    {"springdamper", FFI_MJCF_READ, NULL},
    {"actuatorgravcomp", FFI_MJCF_PHYSICS, "false"},
    {"margin", FFI_MJCF_PHYSICS, "0"},
    {"solreflimit", FFI_MJCF_PHYSICS, NULL},
    {"solimplimit", FFI_MJCF_PHYSICS, NULL},
    {"solreffriction", FFI_MJCF_PHYSICS, NULL},
    {"solimpfriction", FFI_MJCF_PHYSICS, NULL},
    {"group", FFI_MJCF_QUIET, NULL},
    {"user", FFI_MJCF_QUIET, NULL},
    {NULL, FFI_MJCF_READ, NULL},
};

static const ffi_mjcf_word freejoint_words[] = {
    {"name", FFI_MJCF_READ, NULL},
    {"group", FFI_MJCF_QUIET, NULL},
    {"align", FFI_MJCF_PHYSICS, "false"},
    {NULL, FFI_MJCF_READ, NULL},
};

void ffi_mjcf_joint_attributes(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_joint *joint)
{
  static const char *const types[] = {"free", "ball", "slide", "hinge", NULL};
  int type = (int)joint->type;
  ffi_mjcf_ignored_check(m, node, joint_words);
  ffi_mjcf_value_keyword(m, node, "type", types, &type);
  joint->type = (ffi_mjcf_joint_type)type;
  ffi_mjcf_value_numbers(m, node, "pos", 3, 3, joint->pos);
  ffi_mjcf_value_numbers(m, node, "axis", 3, 3, joint->axis);
  ffi_mjcf_value_limit(m, node, "limited", &joint->limited);
  ffi_mjcf_value_numbers(m, node, "range", 2, 2, joint->range);
  ffi_mjcf_value_number(m, node, "ref", &joint->ref);
  ffi_mjcf_value_number(m, node, "springref", &joint->springref);
  ffi_mjcf_value_nonnegative(m, node, "stiffness", &joint->stiffness);
  ffi_mjcf_value_nonnegative(m, node, "damping", &joint->damping);
  if (ffi_mjcf_value_numbers(m, node, "springdamper", 2, 2, joint->springdamper) &&
      (joint->springdamper[0] < 0 || joint->springdamper[1] < 0))
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "attribute 'springdamper' is negative (%g %g)",
                  joint->springdamper[0], joint->springdamper[1]);
  ffi_mjcf_value_nonnegative(m, node, "frictionloss", &joint->frictionloss);
  ffi_mjcf_value_nonnegative(m, node, "armature", &joint->armature);
  ffi_mjcf_value_limit(m, node, "actuatorfrclimited", &joint->force_limited);
  ffi_mjcf_value_numbers(m, node, "actuatorfrcrange", 2, 2, joint->force_range);
}

// MuJoCo's rules for the joints of one body, which are also ours: a free joint is alone, on a child of the world; no
// rotation after a ball joint; at most six velocities.
static void check_company(ffi_mjcf *m, const xmlNode *node, const ffi_mjcf_joint *joint)
{
  const ffi_mjcf_body *body = &m->bodies[joint->body];
  const int is_free = joint->type == FFI_MJCF_FREE, turns = joint->type != FFI_MJCF_SLIDE;
  int velocities = joint->type == FFI_MJCF_BALL ? 3 : 1;
  if (is_free && body->parent != 0)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "a free joint is for bodies directly in the world only");
  for (int i = 0; i < body->joint_count; ++i) {
    const ffi_mjcf_joint_type other = m->joints[body->first_joint + i].type;
    velocities += other == FFI_MJCF_BALL ? 3 : 1;
    if (is_free || other == FFI_MJCF_FREE)
      ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "a body with a free joint can have no other joint");
    else if (turns && other == FFI_MJCF_BALL)
      ffi_mjcf_fail(m, FF_ERROR_MODEL, node,
                    "a joint that turns cannot follow a ball joint of the same body");
  }
  if (velocities > 6)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "the joints of its body have more than 6 velocities");
}

static void check_axis(ffi_mjcf *m, const xmlNode *node, const ffi_mjcf_joint *joint)
{
  const int has_axis = joint->type == FFI_MJCF_SLIDE || joint->type == FFI_MJCF_HINGE;
  if (has_axis && ffi_v3_norm(joint->axis) < 1e-14) // MuJoCo's bound
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "its axis is zero: it gives no direction");
}

// Final values: angles in radians, limits that apply.
static void finish(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_joint *joint)
{
  const double unit = ffi_mjcf_attach_compiler(m, node)->degrees ? 3.14159265358979323846 / 180 : 1;
  const int is_hinge = joint->type == FFI_MJCF_HINGE;
  check_company(m, node, joint);
  check_axis(m, node, joint);
  if (joint->type == FFI_MJCF_FREE || joint->type == FFI_MJCF_SLIDE)
    ffi_v3_set(0, 0, 0, joint->pos); // no effect on these
  if (joint->type == FFI_MJCF_FREE)
    joint->limited = FFI_MJCF_FALSE;
  if (!is_hinge && joint->type != FFI_MJCF_SLIDE) {
    joint->ref = joint->springref = 0;
    joint->force_limited = FFI_MJCF_FALSE;
  }
  joint->limited = ffi_mjcf_value_limited(m, node, "range", joint->limited, joint->range);
  joint->force_limited =
      ffi_mjcf_value_limited(m, node, "actuatorfrcrange", joint->force_limited, joint->force_range);
  if (joint->type == FFI_MJCF_BALL && joint->limited) {
    ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS, "the range of a ball joint");
    joint->limited = 0;
  }
  for (int i = 0; i < 2; ++i)
    joint->range[i] *= is_hinge ? unit : 1;
  joint->ref *= is_hinge ? unit : 1;
  joint->springref *= is_hinge ? unit : 1;
}

static int coordinates(ffi_mjcf_joint_type type)
{
  return type == FFI_MJCF_FREE ? 7 : type == FFI_MJCF_BALL ? 4 : 1;
}

void ffi_mjcf_joint_read(ffi_mjcf *m, const xmlNode *node, int body, int class_id)
{
  ffi_mjcf_joint joint;
  if (ffi_xml_is(node, "freejoint")) {
    joint = (ffi_mjcf_joint){.type = FFI_MJCF_FREE}; // without the classes' settings of joints
    ffi_mjcf_ignored_check(m, node, freejoint_words);
  } else {
    joint = m->classes[ffi_mjcf_class_of(m, node, "class", class_id)].joint;
    ffi_mjcf_joint_attributes(m, node, &joint);
  }
  joint.node = node;
  joint.body = body;
  joint.link = -1;
  joint.name = ffi_mjcf_value_text(node, "name");
  finish(m, node, &joint);
  ffi_mjcf_name_remember(m, &m->joint_names, node, joint.name, m->joint_count);
  if (m->joint_count >= FF_MAX_LINKS)
    ffi_mjcf_fail(m, FF_ERROR_LIMIT, node, "more than %d joints", FF_MAX_LINKS);
  if (ffi_mjcf_failed(m))
    return;
  ffi_mjcf_joint *grown = ffi_grow(m->joints, m->joint_count, &m->joint_capacity, sizeof *grown);
  if (!grown) {
    ffi_mjcf_no_memory(m);
    return;
  }
  m->joints = grown;
  m->joints[m->joint_count++] = joint;
  m->bodies[body].joint_count++;
  m->nq += coordinates(joint.type);
}
