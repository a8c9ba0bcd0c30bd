// Links, joints and shapes as URDF. The root is the robot's own if it floats as a root of URDF does; else it is a link
// "world", which carries fixed shapes and all roots.
#include "io/save/save.h"

#include "math/vec3.h"

#include <footfall/files.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Roll, pitch and yaw with R = Rz Ry Rx. The roll is that of (Rz Ry)' R, so the three angles together are right even at
// a pitch of 90 degrees, where the yaw is lost in rounding.
static void put_origin(ffi_save *s, const ff_pose *pose)
{
  double R[9], rpy[3];
  ff_pose_rotation(pose, R);
  rpy[2] = atan2(R[3], R[0]);
  rpy[1] = atan2(-R[6], hypot(R[0], R[3]));
  rpy[0] = atan2(sin(rpy[2]) * R[2] - cos(rpy[2]) * R[5], cos(rpy[2]) * R[4] - sin(rpy[2]) * R[1]);
  fputs("<origin", s->out);
  ffi_save_numbers(s, "xyz", pose->position, 3);
  if (rpy[0] != 0 || rpy[1] != 0 || rpy[2] != 0)
    ffi_save_numbers(s, "rpy", rpy, 3);
  fputs("/>", s->out);
}

// ---- Links ----------------------------------------------------------------------------------------------------------

static void put_inertial(ffi_save *s, const ff_inertia *x)
{
  static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  int is_zero = x->mass == 0;
  for (int i = 0; i < 6; ++i)
    is_zero &= x->matrix[i] == 0;
  if (is_zero)
    return;
  fputs("    <inertial><origin", s->out);
  ffi_save_numbers(s, "xyz", x->com, 3);
  fputs("/><mass", s->out);
  ffi_save_number(s, "value", x->mass);
  fputs("/><inertia", s->out);
  for (int i = 0; i < 6; ++i)
    ffi_save_number(s, names[i], x->matrix[i]);
  fputs("/></inertial>\n", s->out);
}

static void put_mesh(ffi_save *s, const ff_shape_def *shape)
{
  const char *mesh = shape->mesh_file ? shape->mesh_file : ffi_save_hull(s, shape);
  char *file = mesh ? ff_path_between(s->path, mesh) : NULL;
  fputs("<mesh", s->out);
  ffi_save_text(s, "filename", file ? file : mesh);
  if (shape->scale[0] != 1 || shape->scale[1] != 1 || shape->scale[2] != 1)
    ffi_save_numbers(s, "scale", shape->scale, 3);
  fputs("/>", s->out);
  free(file);
}

static void put_round(ffi_save *s, const char *kind, const ff_shape_def *shape, int has_length)
{
  fprintf(s->out, "<%s", kind);
  ffi_save_number(s, "radius", shape->size[0]);
  if (has_length)
    ffi_save_number(s, "length", shape->size[1]);
  fputs("/>", s->out);
}

static void put_geometry(ffi_save *s, const ff_shape_def *shape)
{
  fputs("<geometry>", s->out);
  switch (shape->type) {
  case FF_SHAPE_SPHERE: put_round(s, "sphere", shape, 0); break;
  case FF_SHAPE_DISK: put_round(s, "disk", shape, 0); break;
  case FF_SHAPE_CAPSULE: put_round(s, "capsule", shape, 1); break;
  case FF_SHAPE_CYLINDER: put_round(s, "cylinder", shape, 1); break;
  case FF_SHAPE_PLANE: fputs("<plane normal=\"0 0 1\"/>", s->out); break;
  case FF_SHAPE_BOX:
    fputs("<box", s->out);
    ffi_save_numbers(s, "size", shape->size, 3);
    fputs("/>", s->out);
    break;
  case FF_SHAPE_ELLIPSOID:
    fputs("<ellipsoid", s->out);
    ffi_save_numbers(s, "radii", shape->size, 3);
    fputs("/>", s->out);
    break;
  default: put_mesh(s, shape); break;
  }
  fputs("</geometry>", s->out);
}

static void put_shape(ffi_save *s, const ff_shape_def *shape, const char *element, int has_colour)
{
  fprintf(s->out, "    <%s", element);
  ffi_save_text(s, "name", shape->name && *shape->name ? shape->name : NULL);
  fputs(">", s->out);
  put_origin(s, &shape->pose);
  put_geometry(s, shape);
  if (has_colour) {
    fputs("<material name=\"\"><color", s->out);
    ffi_save_numbers(s, "rgba", shape->rgba, 4);
    fputs("/></material>", s->out);
  }
  fprintf(s->out, "</%s>\n", element);
}

static int can_write(ffi_save *s, const ff_shape_def *shape, const char *link)
{
  const int is_lost = shape->type == FF_SHAPE_HEIGHTFIELD;
  if (is_lost)
    ffi_save_note(s, "link '%s': a height field is left out; URDF has none", link);
  return !is_lost && shape->type != FF_SHAPE_POINT; // points are our own
}

static int is_same_material(const ff_material *a, const ff_material *b)
{
  return a->stiffness == b->stiffness && a->damping == b->damping && a->friction == b->friction &&
         a->restitution == b->restitution && a->tangential_restitution == b->tangential_restitution &&
         a->torsional_friction == b->torsional_friction && a->rolling_friction == b->rolling_friction;
}

// Bullet's element; one for all shapes of a link.
static void put_contact(ffi_save *s, int link, const char *name)
{
  const ff_material usual = ff_material_default();
  ff_material m = usual;
  ff_shape_info shape;
  int count = 0, differ = 0;
  for (int i = 0; ff_model_shape(s->model, i, &shape) == FF_OK; ++i) {
    if (shape.link != link || !(shape.def.purpose & FF_SHAPE_COLLISION))
      continue;
    if (count++ == 0)
      m = shape.def.material;
    differ |= !is_same_material(&m, &shape.def.material);
  }
  if (differ)
    ffi_save_note(s, "link '%s': its shapes differ in material; all have that of the first", name);
  if (is_same_material(&m, &usual))
    return;
  const struct {
    const char *element;
    double value;
  } parts[] = {{"lateral_friction", m.friction},
               {"stiffness", m.stiffness},
               {"damping", m.damping},
               {"restitution", m.restitution},
               {"tangential_restitution", m.tangential_restitution},
               {"spinning_friction", m.torsional_friction},
               {"rolling_friction", m.rolling_friction}};
  fputs("    <contact>", s->out);
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
    if (i > 4 && parts[i].value == 0)
      continue;
    fprintf(s->out, "<%s", parts[i].element);
    ffi_save_number(s, "value", parts[i].value);
    fputs("/>", s->out);
  }
  fputs("</contact>\n", s->out);
}

static void put_link(ffi_save *s, int link, const char *name, const ff_inertia *inertia)
{
  ff_shape_info shape;
  fputs("  <link", s->out);
  ffi_save_text(s, "name", name);
  fputs(">\n", s->out);
  if (inertia)
    put_inertial(s, inertia);
  for (int i = 0; ff_model_shape(s->model, i, &shape) == FF_OK; ++i) {
    if (shape.link != link || !can_write(s, &shape.def, name))
      continue;
    if (shape.def.purpose & FF_SHAPE_VISUAL)
      put_shape(s, &shape.def, "visual", 1);
    if (shape.def.purpose & FF_SHAPE_COLLISION)
      put_shape(s, &shape.def, "collision", 0);
  }
  put_contact(s, link, name);
  fputs("  </link>\n", s->out);
}

// ---- Joints ---------------------------------------------------------------------------------------------------------

static const char *type_of(ffi_save *s, const ff_link_info *link, const ff_joint_info *joint)
{
  switch (link->joint_type) {
  case FF_JOINT_FIXED: return "fixed";
  case FF_JOINT_FREE: return "floating";
  case FF_JOINT_PLANAR: return "planar";
  case FF_JOINT_PRISMATIC: return "prismatic";
  case FF_JOINT_SPHERICAL:
    ffi_save_note(s, "joint '%s': type \"spherical\" is read by few programs beside Footfall",
                  link->joint_name);
    return "spherical";
  default: return joint->has_limits ? "revolute" : "continuous";
  }
}

static void put_bound(ffi_save *s, const char *name, double x)
{
  if (isinf(x))
    fprintf(s->out, " %s=\"%s\"", name, x < 0 ? "-inf" : "inf");
  else
    ffi_save_number(s, name, x);
}

static void put_limit(ffi_save *s, const ff_joint_info *joint)
{
  const int has_range = joint->has_limits || joint->type == FF_JOINT_PRISMATIC;
  if (joint->nq != 1 || (!has_range && isinf(joint->effort) && isinf(joint->velocity)))
    return;
  fputs("<limit", s->out);
  if (has_range) {
    put_bound(s, "lower", joint->lower);
    put_bound(s, "upper", joint->upper);
  }
  put_bound(s, "effort", joint->effort);
  put_bound(s, "velocity", joint->velocity);
  fputs("/>", s->out);
}

static void put_dynamics(ffi_save *s, const ff_joint_info *joint)
{
  if (joint->damping == 0 && joint->friction == 0 && joint->armature == 0)
    return;
  fputs("<dynamics", s->out);
  ffi_save_unless(s, "damping", joint->damping, 0);
  ffi_save_unless(s, "friction", joint->friction, 0);
  ffi_save_unless(s, "armature", joint->armature, 0);
  fputs("/>", s->out);
}

static void put_joint(ffi_save *s, const ff_link_info *link)
{
  ff_joint_info joint = {0};
  ff_link_info parent;
  const int moves = link->joint_type != FF_JOINT_FIXED;
  if (moves)
    ff_model_joint(s->model, link->joint, &joint);
  const int has_parent = ff_model_link(s->model, link->parent, &parent) == FF_OK;
  fputs("  <joint", s->out);
  ffi_save_text(s, "name", link->joint_name);
  ffi_save_text(s, "type", type_of(s, link, &joint));
  fputs("><parent", s->out);
  ffi_save_text(s, "link", has_parent ? parent.name : "world");
  fputs("/><child", s->out);
  ffi_save_text(s, "link", link->name);
  fputs("/>", s->out);
  put_origin(s, &link->pose);
  if (moves && ffi_v3_norm(joint.axis) > 0) {
    fputs("<axis", s->out);
    ffi_save_numbers(s, "xyz", joint.axis, 3);
    fputs("/>", s->out);
  }
  if (moves) {
    put_limit(s, &joint);
    put_dynamics(s, &joint);
  }
  fputs("</joint>\n", s->out);
}

// ---- The whole ------------------------------------------------------------------------------------------------------

static int is_origin(const ff_pose *pose)
{
  const double *q = pose->quaternion;
  return ffi_v3_norm(pose->position) == 0 && q[0] == 0 && q[1] == 0 && q[2] == 0;
}

// One root that floats from the origin under URDF's name for it, and nothing in the world.
static int has_plain_root(const ffi_save *s)
{
  ff_link_info link;
  ff_shape_info shape;
  ff_joint_info joint;
  int roots = 0, is_plain = 1;
  for (int i = 0; ff_model_shape(s->model, i, &shape) == FF_OK; ++i)
    is_plain &= shape.link >= 0;
  for (int i = 0; ff_model_link(s->model, i, &link) == FF_OK; ++i) {
    if (link.parent >= 0)
      continue;
    ++roots;
    is_plain &= link.joint_type == FF_JOINT_FREE && strcmp(link.joint_name, "root_joint") == 0 &&
                is_origin(&link.pose) && ff_model_joint(s->model, link.joint, &joint) == FF_OK &&
                joint.damping == 0 && joint.armature == 0 && joint.friction == 0;
  }
  return is_plain && roots == 1;
}

void ffi_save_urdf(ffi_save *s)
{
  ff_link_info link;
  s->has_world = !has_plain_root(s);
  fputs("<?xml version=\"1.0\"?>\n<robot", s->out);
  ffi_save_text(s, "name", ff_model_name(s->model));
  fputs(">\n", s->out);
  if (s->has_world)
    put_link(s, -1, "world", NULL);
  for (int i = 0; ff_model_link(s->model, i, &link) == FF_OK; ++i) {
    put_link(s, i, link.name, &link.inertia);
    if (link.gravity_compensation != 0)
      ffi_save_note(s, "the gravity compensation of link '%s' is left out; URDF cannot express it",
                    link.name);
  }
  for (int i = 0; ff_model_link(s->model, i, &link) == FF_OK; ++i)
    if (s->has_world || link.parent >= 0)
      put_joint(s, &link);
  ffi_save_urdf_footfall(s);
  fputs("</robot>\n", s->out);
}
