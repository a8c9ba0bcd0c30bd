// Bodies, joints and shapes as MJCF. Links become bodies; angles are radians, and inertias are given, never inferred
// from geoms.
#include "io/save/save.h"

#include "math/quaternion.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

// MuJoCo has no points and no disks: they are small spheres and thin cylinders [m].
static const double point_radius = 1e-3, disk_half = 1e-4;

static void put_place(ffi_save *s, const ff_pose *pose)
{
  const double *q = pose->quaternion, wxyz[4] = {q[3], q[0], q[1], q[2]};
  if (ffi_v3_norm(pose->position) > 0)
    ffi_save_numbers(s, "pos", pose->position, 3);
  if (q[0] != 0 || q[1] != 0 || q[2] != 0)
    ffi_save_numbers(s, "quat", wxyz, 4);
}

// ---- Joints ---------------------------------------------------------------------------------------------------------

static void put_joint_numbers(ffi_save *s, const ff_joint_info *joint)
{
  const double range[2] = {fmax(joint->lower, -1e10), fmin(joint->upper, 1e10)},
               force[2] = {-joint->effort, joint->effort};
  ffi_save_unless(s, "damping", joint->damping, 0);
  ffi_save_unless(s, "frictionloss", joint->friction, 0);
  ffi_save_unless(s, "armature", joint->armature, 0);
  ffi_save_unless(s, "stiffness", joint->stiffness, 0);
  if (joint->nq != 1)
    return;
  ffi_save_unless(s, "springref", joint->spring_reference, 0);
  if (joint->has_limits && joint->lower < joint->upper)
    ffi_save_numbers(s, "range", range, 2);
  else if (joint->has_limits)
    ffi_save_note(s, "joint '%s': limits that leave it no room are left out; MJCF has none", joint->name);
  if (joint->effort > 0 && isfinite(joint->effort))
    ffi_save_numbers(s, "actuatorfrcrange", force, 2);
  else if (joint->effort == 0)
    ffi_save_note(
        s, "joint '%s': the mark that it has no motor is left out; in MJCF the list of actuators shows it",
        joint->name);
}

// `after` is the pose of the body in the link that the joint moves.
static void put_joint(ffi_save *s, const char *type, const char *name, const double *axis,
                      const ff_joint_info *joint, const ff_pose *after)
{
  const ff_pose back = ff_pose_inverse(after);
  double turned[3];
  fputs("<joint", s->out);
  ffi_save_text(s, "name", name);
  ffi_save_text(s, "type", type);
  if (ffi_v3_norm(back.position) > 0 && strcmp(type, "slide") != 0 && strcmp(type, "free") != 0)
    ffi_save_numbers(s, "pos", back.position, 3);
  if (axis) {
    ffi_quat_rotate(back.quaternion, axis, turned);
    ffi_save_numbers(s, "axis", turned, 3);
  }
  put_joint_numbers(s, joint);
  fputs("/>", s->out);
}

// The directions x' and y' of a planar joint with normal n, as model.h has them.
static void plane_axes(const double n[3], double x[3], double y[3])
{
  int straight = -1, smallest = 0;
  for (int k = 0; k < 3; ++k) {
    if (fabs(n[k]) == 1)
      straight = k;
    if (fabs(n[k]) < fabs(n[smallest]))
      smallest = k;
  }
  double e[3] = {0, 0, 0};
  if (straight >= 0) {
    e[(straight + 1) % 3] = 1;
    ffi_v3_copy(e, x);
  } else {
    e[smallest] = 1;
    ffi_v3_cross(e, n, x);
    ffi_v3_scale(1 / ffi_v3_norm(x), x, x);
  }
  ffi_v3_cross(n, x, y);
}

// Two slides and a hinge: the same pose at the same coordinates, but rates along fixed axes.
static void put_planar(ffi_save *s, const ff_joint_info *joint, const ff_pose *after)
{
  char name[2][1100];
  double x[3], y[3];
  plane_axes(joint->axis, x, y);
  snprintf(name[0], sizeof name[0], "%s_x", joint->name);
  snprintf(name[1], sizeof name[1], "%s_y", joint->name);
  put_joint(s, "slide", name[0], x, joint, after);
  put_joint(s, "slide", name[1], y, joint, after);
  put_joint(s, "hinge", joint->name, joint->axis, joint, after);
  ffi_save_note(
      s,
      "joint '%s': planar is two slides '%s', '%s' and a hinge in MJCF: the same coordinates, but velocities "
      "along axes that do not turn with it",
      joint->name, name[0], name[1]);
}

static void put_motion(ffi_save *s, const ff_link_info *link, const ff_pose *after)
{
  ff_joint_info joint;
  if (link->joint_type == FF_JOINT_FIXED)
    return;
  ff_model_joint(s->model, link->joint, &joint);
  fputs("      ", s->out);
  switch (link->joint_type) {
  case FF_JOINT_FREE: put_joint(s, "free", joint.name, NULL, &joint, after); break;
  case FF_JOINT_SPHERICAL: put_joint(s, "ball", joint.name, NULL, &joint, after); break;
  case FF_JOINT_PRISMATIC: put_joint(s, "slide", joint.name, joint.axis, &joint, after); break;
  case FF_JOINT_PLANAR: put_planar(s, &joint, after); break;
  default: put_joint(s, "hinge", joint.name, joint.axis, &joint, after); break;
  }
  fputs("\n", s->out);
}

// ---- Geoms ----------------------------------------------------------------------------------------------------------

static const char *geom_type(const ff_shape_def *shape, double size[3], int *count)
{
  size[0] = shape->size[0];
  size[1] = shape->size[1] / 2;
  *count = 2;
  switch (shape->type) {
  case FF_SHAPE_POINT: size[0] = point_radius, *count = 1; return "sphere";
  case FF_SHAPE_SPHERE: *count = 1; return "sphere";
  case FF_SHAPE_CAPSULE: return "capsule";
  case FF_SHAPE_CYLINDER: return "cylinder";
  case FF_SHAPE_DISK: size[1] = disk_half; return "cylinder";
  case FF_SHAPE_PLANE: size[0] = size[1] = 0, size[2] = 1, *count = 3; return "plane";
  case FF_SHAPE_BOX: size[0] /= 2, size[2] = shape->size[2] / 2, *count = 3; return "box";
  case FF_SHAPE_ELLIPSOID: size[1] *= 2, size[2] = shape->size[2], *count = 3; return "ellipsoid";
  default: *count = 0; return "mesh";
  }
}

static void put_geom(ffi_save *s, int id, const ff_shape_def *shape)
{
  double size[3];
  int count;
  const char *type = geom_type(shape, size, &count);
  const int touches = shape->purpose & FF_SHAPE_COLLISION;
  char mesh[32], name[64];
  fputs("      <geom", s->out);
  ffi_save_text(s, "name", ffi_save_mjcf_contact_geom(s, id, shape->name, name));
  ffi_save_text(s, "type", type);
  if (count > 0) {
    ffi_save_numbers(s, "size", size, count);
  } else {
    snprintf(mesh, sizeof mesh, "mesh%d", id);
    ffi_save_text(s, "mesh", mesh);
  }
  put_place(s, &shape->pose);
  ffi_save_numbers(s, "rgba", shape->rgba, 4);
  if (touches)
    ffi_save_mjcf_friction(s, &shape->material);
  if (!touches || shape->contype != 1 || shape->conaffinity != 1)
    fprintf(s->out, " contype=\"%d\" conaffinity=\"%d\"", touches ? shape->contype : 0,
            touches ? shape->conaffinity : 0);
  if (!(shape->purpose & FF_SHAPE_VISUAL))
    fputs(" group=\"3\"", s->out);
  fputs("/>\n", s->out);
}

static void put_geoms(ffi_save *s, int link)
{
  ff_shape_info shape;
  for (int i = 0; ff_model_shape(s->model, i, &shape) == FF_OK; ++i)
    if (shape.link == link && shape.def.type != FF_SHAPE_HEIGHTFIELD)
      put_geom(s, i, &shape.def);
}

// ---- Bodies ---------------------------------------------------------------------------------------------------------

static void put_inertial(ffi_save *s, const ff_inertia *x)
{
  const double *I = x->matrix, full[6] = {I[0], I[3], I[5], I[1], I[2], I[4]};
  int is_zero = x->mass == 0;
  for (int i = 0; i < 6; ++i)
    is_zero &= I[i] == 0;
  if (is_zero)
    return;
  fputs("      <inertial", s->out);
  ffi_save_numbers(s, "pos", x->com, 3);
  ffi_save_number(s, "mass", x->mass);
  if (I[1] == 0 && I[2] == 0 && I[4] == 0)
    ffi_save_numbers(s, "diaginertia", full, 3);
  else
    ffi_save_numbers(s, "fullinertia", full, 6);
  fputs("/>\n", s->out);
}

// MuJoCo refuses bodies that move and have no mass. A link without mass, shapes and frames that carries one other is
// not needed: MJCF puts its joint into that one's body. Such links are passed on, at most five in a row, as a body may
// have six velocities.
static int has_things(const ffi_save *s, int link)
{
  ff_shape_info shape;
  ff_frame_info frame;
  ff_element_def e;
  for (int i = 0; ff_model_shape(s->model, i, &shape) == FF_OK; ++i)
    if (shape.link == link)
      return 1;
  for (int i = 0; ff_model_frame(s->model, i, &frame) == FF_OK; ++i)
    if (frame.link == link && ffi_save_is_frame(s, i))
      return 1;
  for (int i = 0; ff_model_element(s->model, i, &e) == FF_OK; ++i)
    for (int side = 0; side < 2 && (e.type == FF_ELEMENT_POINT || e.type == FF_ELEMENT_WELD); ++side)
      if (ff_model_frame(s->model, side ? e.b.frame : e.a.frame, &frame) == FF_OK && frame.link == link)
        return 1;
  return 0;
}

static int is_massless(const ff_link_info *link)
{
  int is_zero = link->inertia.mass == 0;
  for (int k = 0; k < 6; ++k)
    is_zero &= link->inertia.matrix[k] == 0;
  return is_zero;
}

// After a ball nothing may turn, and its coordinates are in the axes of the body.
static int may_follow_ball(const ff_link_info *child)
{
  const double *q = child->pose.quaternion;
  return q[0] == 0 && q[1] == 0 && q[2] == 0 &&
         (child->joint_type == FF_JOINT_FIXED ||
          (child->joint_type == FF_JOINT_PRISMATIC && !is_massless(child)));
}

static int is_needless(const ffi_save *s, int id)
{
  ff_link_info link, other, child = {0};
  int children = 0;
  if (ff_model_link(s->model, id, &link) != FF_OK || !is_massless(&link) ||
      link.joint_type == FF_JOINT_FIXED || link.joint_type == FF_JOINT_FREE ||
      link.joint_type == FF_JOINT_PLANAR)
    return 0;
  for (int i = id + 1; ff_model_link(s->model, i, &other) == FF_OK; ++i) {
    if (other.parent != id)
      continue;
    ++children;
    child = other;
  }
  return children == 1 && !has_things(s, id) &&
         (link.joint_type != FF_JOINT_SPHERICAL || may_follow_ball(&child));
}

int ffi_save_mjcf_is_passed_on(const ffi_save *s, int id)
{
  ff_link_info link;
  int before = 0;
  if (!is_needless(s, id))
    return 0;
  for (int at = id; ff_model_link(s->model, at, &link) == FF_OK && is_needless(s, link.parent);
       at = link.parent)
    ++before;
  return before % 6 < 5;
}

// The body of a link, with the joints that were passed on to it: pose = P1 J1 P2 J2 P3 J3 is (P1 P2 P3) times each J
// seen from the body.
static void open_body(ffi_save *s, int id)
{
  enum { MOST = 6 };
  ff_link_info links[MOST];
  ff_pose after[MOST], pose = ff_pose_identity();
  int count = 0;
  for (int at = id; count < MOST && (at == id || ffi_save_mjcf_is_passed_on(s, at));
       at = links[count++].parent) {
    ff_model_link(s->model, at, &links[count]);
    after[count] = pose;
    pose = ff_pose_compose(&links[count].pose, &pose);
  }
  fputs("    <body", s->out);
  ffi_save_text(s, "name", links[0].name);
  put_place(s, &pose);
  ffi_save_unless(s, "gravcomp", links[0].gravity_compensation, 0);
  fputs(">\n", s->out);
  for (int k = count; k-- > 0;)
    put_motion(s, &links[k], &after[k]);
  put_inertial(s, &links[0].inertia);
  put_geoms(s, id);
  ffi_save_mjcf_sections_sites(s, id);
}

// The tree is walked by the list of links, not by recursion, so its depth does not matter: from one link to the next in
// the order of the text; bodies that do not carry that link end before it.
static void put_bodies(ffi_save *s)
{
  ff_link_info link;
  int next;
  for (int i = ffi_save_next_link(s, -1); i >= 0; i = next) {
    if (!ffi_save_mjcf_is_passed_on(s, i))
      open_body(s, i);
    next = ffi_save_next_link(s, i);
    const int carrier = next >= 0 && ff_model_link(s->model, next, &link) == FF_OK ? link.parent : -1;
    for (int open = i; open != carrier; open = link.parent) {
      ff_model_link(s->model, open, &link);
      if (!ffi_save_mjcf_is_passed_on(s, open))
        fputs("    </body>\n", s->out);
    }
  }
}

// ---- The whole ------------------------------------------------------------------------------------------------------

static void note_shapes(ffi_save *s)
{
  const ff_material usual = ff_material_default();
  int points = 0, disks = 0, fields = 0, materials = 0;
  ff_shape_info shape;
  for (int i = 0; ff_model_shape(s->model, i, &shape) == FF_OK; ++i) {
    const ff_material *m = &shape.def.material;
    points += shape.def.type == FF_SHAPE_POINT;
    disks += shape.def.type == FF_SHAPE_DISK;
    fields += shape.def.type == FF_SHAPE_HEIGHTFIELD;
    materials +=
        (shape.def.purpose & FF_SHAPE_COLLISION) &&
        (m->stiffness != usual.stiffness || m->damping != usual.damping ||
         m->restitution != usual.restitution || m->tangential_restitution != usual.tangential_restitution);
  }
  if (points > 0)
    ffi_save_note(s, "%d contact points are spheres of 1 mm; MJCF has no points", points);
  if (disks > 0)
    ffi_save_note(s, "%d disks are cylinders of 0.2 mm; MJCF has no disks", disks);
  if (fields > 0)
    ffi_save_note(s, "%d height fields are left out", fields);
  if (materials > 0)
    ffi_save_note(
        s,
        "stiffness, damping and restitution of %d shapes are left out: MJCF's contacts are relative to masses",
        materials);
}

static void note_joints(ffi_save *s)
{
  ff_joint_info joint;
  int limits = 0;
  for (int j = 0; ff_model_joint(s->model, j, &joint) == FF_OK; ++j)
    limits += isfinite(joint.velocity);
  if (limits > 0)
    ffi_save_note(s, "largest speeds of %d joints are left out; MJCF has none", limits);
}

void ffi_save_mjcf(ffi_save *s)
{
  double gravity[3];
  ff_model_gravity(s->model, gravity);
  ffi_save_mjcf_friction_begin(s);
  fputs("<mujoco", s->out);
  ffi_save_text(s, "model", ff_model_name(s->model));
  fputs(">\n  <compiler angle=\"radian\" autolimits=\"true\" inertiafromgeom=\"false\"/>\n  <option", s->out);
  ffi_save_numbers(s, "gravity", gravity, 3);
  fputs(ff_model_parent_rule(s->model) == FF_PARENT_COLLIDES ? "><flag filterparent=\"disable\"/></option>\n"
                                                             : "/>\n",
        s->out);
  ffi_save_mjcf_sections_meshes(s);
  fputs("  <worldbody>\n", s->out);
  put_geoms(s, -1);
  ffi_save_mjcf_sections_sites(s, -1);
  put_bodies(s);
  fputs("  </worldbody>\n", s->out);
  ffi_save_mjcf_contact(s);
  ffi_save_mjcf_sections(s);
  fputs("</mujoco>\n", s->out);
  ffi_save_mjcf_friction_end(s);
  note_shapes(s);
  note_joints(s);
}
