// The collected MJCF document goes to the builder: bodies, joints, shapes and sites.
#include "io/mjcf/mjcf.h"
#include "io/mjcf/mjcf_draft.h"

#include "math/vec3.h"

#include <math.h>
#include <stdio.h>

// The pose of a body B of MuJoCo with joints 1..n, in its parent, is
//
//     P  T(a1) J1(q1) T(-a1)  ...  T(an) Jn(qn) T(-an)
//
// with P its pose as written and ai the anchor of joint i, in the body's axes. Each Ji gets a link of its own whose
// frame is at the anchor: "<body>:<joint>", without mass, but for the last one, which is the body itself if its anchor
// is the body's origin. Otherwise the body hangs on the last one as a fixed link, T(-an) away.
//
// A joint is not displaced at q = ref in MuJoCo, at q = 0 here; so its frame is displaced by -ref along or about the
// axis, and q, ranges, springs and controls keep MuJoCo's numbers.

void ffi_mjcf_build_source(ffi_mjcf *m, const xmlNode *node)
{
  ff_builder_set_source(m->builder, ffi_mjcf_file_of(node), ffi_xml_line(node));
}

static void check(ffi_mjcf *m, ff_status status)
{
  if (status != FF_OK && !ffi_mjcf_failed(m))
    m->xml->status = status;
}

static ff_pose shift(const double by[3], double factor)
{
  ff_pose pose = ff_pose_identity();
  ffi_v3_scale(factor, by, pose.position);
  return pose;
}

// The displacement of a joint by -ref.
static ff_pose displaced(const ffi_mjcf_joint *joint)
{
  ff_pose pose = ff_pose_identity();
  double axis[3];
  if (joint->ref == 0)
    return pose;
  ffi_v3_scale(1 / ffi_v3_norm(joint->axis), joint->axis, axis);
  if (joint->type == FFI_MJCF_SLIDE)
    return shift(axis, -joint->ref);
  ffi_v3_scale(sin(-joint->ref / 2), axis, pose.quaternion);
  pose.quaternion[3] = cos(joint->ref / 2);
  return pose;
}

// `at` is the pose of the body, as it would be without this and later joints, in the link that carries the joint.
static ff_joint_def joint_def(const ffi_mjcf_joint *joint, const ff_pose *at)
{
  static const ff_joint_type types[] = {FF_JOINT_FREE, FF_JOINT_SPHERICAL, FF_JOINT_PRISMATIC,
                                        FF_JOINT_REVOLUTE};
  const ff_pose anchor = shift(joint->pos, 1), reference = displaced(joint);
  ff_joint_def def = ff_joint_def_default();
  def.name = joint->name;
  def.type = types[joint->type];
  if (joint->type == FFI_MJCF_HINGE && !joint->limited)
    def.type = FF_JOINT_CONTINUOUS;
  def.pose = ff_pose_compose(at, &anchor);
  def.pose = ff_pose_compose(&def.pose, &reference);
  if (joint->type == FFI_MJCF_SLIDE || joint->type == FFI_MJCF_HINGE)
    ffi_v3_copy(joint->axis, def.axis);
  def.has_limits = joint->limited;
  def.lower = joint->range[0];
  def.upper = joint->range[1];
  if (joint->force_limited)
    def.effort = fmax(fabs(joint->force_range[0]), fabs(joint->force_range[1]));
  def.damping = joint->damping;
  def.friction = joint->frictionloss;
  def.armature = joint->armature;
  def.stiffness = joint->stiffness;
  def.spring_reference = joint->springref;
  return def;
}

// One link for one joint. `at` becomes the pose of the body in the new link.
static void add_joint_link(ffi_mjcf *m, ffi_mjcf_body *body, ffi_mjcf_joint *joint, int is_last, ff_pose *at)
{
  const int is_body = is_last && ffi_v3_norm(joint->pos) == 0;
  ff_link_def link = ff_link_def_default();
  char draft_name[64];
  snprintf(draft_name, sizeof draft_name, "draft %d", (int)(joint - m->joints));
  link.name = is_body       ? body->name
              : m->is_draft ? draft_name
                            : ffi_mjcf_name_unique(m, &m->frame_names, "%s:%s", body->name, joint->name);
  link.parent = body->link;
  link.joint = joint_def(joint, at);
  if (is_body) {
    link.inertia = body->inertia;
    link.gravity_compensation = body->gravcomp;
  }
  if (!m->is_draft && joint->force_limited && joint->force_range[0] != -joint->force_range[1])
    ffi_mjcf_ignored_add(m, joint->node, FFI_MJCF_PHYSICS,
                         "that actuatorfrcrange is not symmetric: the larger side is used");
  ffi_mjcf_build_source(m, joint->node);
  if (!ffi_mjcf_failed(m))
    check(m, ff_builder_add_link(m->builder, &link, &joint->link, m->xml->error));
  body->link = joint->link;
  *at = shift(joint->pos, -1);
}

static void add_body(ffi_mjcf *m, ffi_mjcf_body *body)
{
  const ffi_mjcf_joint *last =
      body->joint_count ? &m->joints[body->first_joint + body->joint_count - 1] : NULL;
  ff_pose at = body->pose;
  body->link = m->bodies[body->parent].link;
  for (int i = 0; i < body->joint_count && !ffi_mjcf_failed(m); ++i)
    add_joint_link(m, body, &m->joints[body->first_joint + i], i == body->joint_count - 1, &at);
  if (ffi_mjcf_failed(m) || (last && ffi_v3_norm(last->pos) == 0))
    return;
  ff_link_def link = ff_link_def_default();
  link.name = body->name;
  link.parent = body->link;
  char draft_name[64];
  snprintf(draft_name, sizeof draft_name, "draft %d:fixed", (int)(body - m->bodies));
  link.joint.name =
      m->is_draft ? draft_name : ffi_mjcf_name_unique(m, &m->link_joint_names, "%s:fixed", body->name);
  link.joint.pose = at;
  link.inertia = body->inertia;
  link.gravity_compensation = body->gravcomp;
  ffi_mjcf_build_source(m, body->node);
  if (!ffi_mjcf_failed(m))
    check(m, ff_builder_add_link(m->builder, &link, &body->link, m->xml->error));
}

static void add_geom(ffi_mjcf *m, ffi_mjcf_geom *geom, long *vertices)
{
  const ffi_mjcf_body *body = &m->bodies[geom->body];
  ff_shape_def shape;
  const int has_shape = ffi_mjcf_geom_shape(m, geom, &shape);
  geom->shape = -1;
  if (body->moves && (geom->type == FFI_MJCF_PLANE || geom->type == FFI_MJCF_HFIELD)) {
    ffi_mjcf_fail(m, FF_ERROR_MODEL, geom->node, "planes and height fields are for bodies that do not move");
    return;
  }
  if (!has_shape) {
    ffi_mjcf_ignored_add(m, geom->node, FFI_MJCF_PHYSICS, "height fields as shapes");
    return;
  }
  *vertices += shape.vertex_count;
  if (*vertices > FFI_MJCF_MAX_COPIES) {
    ffi_mjcf_fail(m, FF_ERROR_LIMIT, geom->node, "more than %d vertices in all geoms", FFI_MJCF_MAX_COPIES);
    return;
  }
  ffi_mjcf_build_source(m, geom->node);
  check(m, ff_builder_add_shape(m->builder, body->link, &shape, m->xml->error));
  geom->shape = m->shape_count++;
}

// A body and a site may share a name in MuJoCo; the body keeps it. This comes before names are generated, so that given
// names take precedence.
static void make_site_names(ffi_mjcf *m)
{
  for (int i = 0; i < m->site_count && !ffi_mjcf_failed(m); ++i) {
    ffi_mjcf_site *site = &m->sites[i];
    if (ffi_names_find(&m->frame_names, site->name) < 0)
      ffi_mjcf_name_remember(m, &m->frame_names, site->node, site->name, i);
    else
      site->name = ffi_mjcf_name_unique(m, &m->frame_names, "%s:site", site->name);
  }
}

static void add_site(ffi_mjcf *m, const ffi_mjcf_site *site)
{
  ffi_mjcf_build_source(m, site->node);
  check(m, ff_builder_add_frame(m->builder, m->bodies[site->body].link, site->name, &site->place.pose,
                                m->xml->error));
}

void ffi_mjcf_build_bodies(ffi_mjcf *m)
{
  for (int i = 1; i < m->body_count && !ffi_mjcf_failed(m); ++i)
    add_body(m, &m->bodies[i]);
}

void ffi_mjcf_build(ffi_mjcf *m)
{
  long vertices = 0;
  make_site_names(m);
  ffi_mjcf_draft_springs(m);
  ffi_mjcf_build_bodies(m);
  if (!ffi_mjcf_failed(m))
    ffi_mjcf_softness_finish(m);
  for (int i = 0; i < m->geom_count && !ffi_mjcf_failed(m); ++i)
    add_geom(m, &m->geoms[i], &vertices);
  for (int i = 0; i < m->site_count && !ffi_mjcf_failed(m); ++i)
    add_site(m, &m->sites[i]);
}
