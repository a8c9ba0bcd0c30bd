// <footfall>: the parts of a model that URDF cannot express. Other programs skip it.
#include "io/save/save.h"

#include <footfall/builder.h>

#include <math.h>
#include <string.h>

static const char *link_name(const ffi_save *s, int link)
{
  ff_link_info info;
  return ff_model_link(s->model, link, &info) == FF_OK ? info.name : "world";
}

static void put_gravity(ffi_save *s)
{
  double gravity[3];
  ff_model_gravity(s->model, gravity);
  fputs("    <gravity", s->out);
  ffi_save_numbers(s, "xyz", gravity, 3);
  fputs("/>\n", s->out);
}

static void put_points(ffi_save *s)
{
  ff_shape_info shape;
  for (int i = 0; ff_model_shape(s->model, i, &shape) == FF_OK; ++i) {
    if (shape.def.type != FF_SHAPE_POINT)
      continue;
    fputs("    <point", s->out);
    ffi_save_text(s, "name", shape.def.name && *shape.def.name ? shape.def.name : NULL);
    ffi_save_text(s, "link", link_name(s, shape.link));
    ffi_save_numbers(s, "xyz", shape.def.pose.position, 3);
    fputs("/>\n", s->out);
  }
}

static void put_frames(ffi_save *s)
{
  ff_frame_info frame;
  for (int i = 0; i < s->size.frames; ++i) {
    if (!ffi_save_is_frame(s, i))
      continue;
    const ff_pose pose = ffi_save_frame(s, i);
    ff_model_frame(s->model, i, &frame);
    fputs("    <frame", s->out);
    ffi_save_text(s, "name", frame.name);
    ffi_save_text(s, "link", link_name(s, frame.link));
    ffi_save_numbers(s, "xyz", pose.position, 3);
    ffi_save_numbers(s, "quaternion", pose.quaternion, 4);
    fputs("/>\n", s->out);
  }
}

// A missing bound is infinite.
static void put_range(ffi_save *s, const char *name, const double range[2])
{
  const double bounds[2] = {fmax(range[0], -1e300), fmin(range[1], 1e300)};
  if (!isinf(range[0]) || !isinf(range[1]))
    ffi_save_numbers(s, name, bounds, 2);
}

// The joint or the tendon that something acts on.
static void put_line(ffi_save *s, const char *joint_attribute, int joint, const char *tendon_attribute,
                     int tendon)
{
  ff_joint_info info;
  ff_tendon_info t;
  if (ff_model_tendon(s->model, tendon, &t) == FF_OK)
    ffi_save_text(s, tendon_attribute, t.name);
  else if (ff_model_joint(s->model, joint, &info) == FF_OK)
    ffi_save_text(s, joint_attribute, info.name);
}

static void put_tendons(ffi_save *s)
{
  ff_tendon_info t;
  ff_joint_info joint;
  for (int i = 0; ff_model_tendon(s->model, i, &t) == FF_OK; ++i) {
    fputs("    <tendon", s->out);
    ffi_save_text(s, "name", t.name);
    fputs(">", s->out);
    for (int k = 0; k < t.count; ++k) {
      ff_model_joint(s->model, t.joints[k], &joint);
      fputs("<joint", s->out);
      ffi_save_text(s, "name", joint.name);
      ffi_save_number(s, "coefficient", t.coefficients[k]);
      fputs("/>", s->out);
    }
    fputs("</tendon>\n", s->out);
  }
}

static void put_actuators(ffi_save *s)
{
  static const char *const types[] = {[FF_ACTUATOR_MOTOR] = "motor",
                                      [FF_ACTUATOR_POSITION] = "position",
                                      [FF_ACTUATOR_VELOCITY] = "velocity"};
  ff_actuator_info a;
  ff_frame_info frame;
  for (int i = 0; ff_model_actuator(s->model, i, &a) == FF_OK; ++i) {
    fputs("    <actuator", s->out);
    ffi_save_text(s, "name", a.name && *a.name ? a.name : NULL);
    ffi_save_text(s, "type", types[a.type]);
    put_line(s, "joint", a.joint, "tendon", a.tendon);
    if (ff_model_frame(s->model, a.frame, &frame) == FF_OK) {
      ffi_save_text(s, "frame", frame.name);
      ffi_save_numbers(s, "wrench", a.wrench, 6);
    }
    ffi_save_unless(s, "gear", a.gear, 1);
    ffi_save_unless(s, "kp", a.kp, 0);
    ffi_save_unless(s, "kv", a.kv, 0);
    put_range(s, "control_range", a.control_range);
    put_range(s, "force_range", a.force_range);
    fputs("/>\n", s->out);
  }
}

// ---- Elements -------------------------------------------------------------------------------------------------------

static void put_joint_element(ffi_save *s, const ff_element_def *e)
{
  put_line(s, "joint", e->joint, "tendon", e->tendon);
  if (e->type == FF_ELEMENT_COUPLING) {
    put_line(s, "leader", e->leader, "leader_tendon", e->leader_tendon);
    ffi_save_numbers(s, "polynomial", e->polynomial, 5);
  } else if (e->type == FF_ELEMENT_JOINT_FRICTION) {
    ffi_save_number(s, "effort", e->effort);
  } else if (e->type == FF_ELEMENT_JOINT_PD) {
    ffi_save_unless(s, "reference", e->reference, 0);
    ffi_save_unless(s, "reference_velocity", e->reference_velocity, 0);
    ffi_save_unless(s, "effort", e->effort, (double)INFINITY);
  } else {
    if (isfinite(e->lower))
      ffi_save_number(s, "lower", e->lower);
    if (isfinite(e->upper))
      ffi_save_number(s, "upper", e->upper);
  }
}

static void put_element(ffi_save *s, const ff_element_def *e)
{
  const int is_joint =
      (ff_element_type_is_joint(e->type) && e->component == 0) || e->type == FF_ELEMENT_COUPLING;
  const int may_choose = e->type == FF_ELEMENT_JOINT_FRICTION || e->type == FF_ELEMENT_COUPLING;
  const int is_between = (e->type == FF_ELEMENT_POINT || e->type == FF_ELEMENT_WELD) && !e->is_rigid;
  if (!is_joint && !is_between) {
    ffi_save_note(s, "element '%s' of type %s is left out; URDF cannot express it", e->name ? e->name : "",
                  ff_element_type_name(e->type));
    return;
  }
  fputs("    <element", s->out);
  ffi_save_text(s, "name", e->name && *e->name ? e->name : NULL);
  ffi_save_text(s, "type", ff_element_type_name(e->type));
  if (is_joint) {
    put_joint_element(s, e);
  } else {
    ffi_save_text(s, "a", ffi_save_frame_name(s, e->a.frame));
    ffi_save_text(s, "b", ffi_save_frame_name(s, e->b.frame));
    ffi_save_numbers(s, "a_xyz", e->a.offset, 3);
    ffi_save_numbers(s, "b_xyz", e->b.offset, 3);
  }
  if (!may_choose || e->stiffness != 0)
    ffi_save_number(s, "stiffness", e->stiffness);
  ffi_save_unless(s, "damping", e->damping, 0);
  if (e->type == FF_ELEMENT_WELD) {
    ffi_save_number(s, "angular_stiffness", e->angular_stiffness);
    ffi_save_unless(s, "angular_damping", e->angular_damping, 0);
  }
  fputs("/>\n", s->out);
}

// A joint's spring is a motor with a constant reference.
static void put_springs(ffi_save *s)
{
  ff_joint_info joint;
  for (int j = 0; ff_model_joint(s->model, j, &joint) == FF_OK; ++j) {
    if (joint.stiffness == 0)
      continue;
    if (joint.nq != 1) {
      ffi_save_note(s, "joint '%s': its spring is left out; URDF has none", joint.name);
      continue;
    }
    fputs("    <element type=\"joint_pd\"", s->out);
    ffi_save_text(s, "joint", joint.name);
    ffi_save_number(s, "stiffness", joint.stiffness);
    ffi_save_unless(s, "reference", joint.spring_reference, 0);
    fputs("/>\n", s->out);
    ffi_save_note(s, "joint '%s': its spring is an element of type joint_pd; URDF has none", joint.name);
  }
}

// ---- Postures -------------------------------------------------------------------------------------------------------

static void put_posture_joint(ffi_save *s, const ff_joint_info *joint, const double *q)
{
  if (joint->type == FF_JOINT_FREE && !s->has_world) {
    fputs("<root", s->out);
    ffi_save_numbers(s, "xyz", q + joint->q, 3);
    ffi_save_numbers(s, "quaternion", q + joint->q + 3, 4);
  } else {
    fputs("<joint", s->out);
    ffi_save_text(s, "name", joint->name);
    ffi_save_numbers(s, "value", q + joint->q, joint->nq);
  }
  fputs("/>", s->out);
}

static void put_postures(ffi_save *s)
{
  ff_joint_info joint;
  const double *q;
  for (int i = 0; (q = ff_model_posture(s->model, i)); ++i) {
    fputs("    <posture", s->out);
    ffi_save_text(s, "name", ff_model_posture_name(s->model, i));
    fputs(">", s->out);
    for (int j = 0; ff_model_joint(s->model, j, &joint) == FF_OK; ++j)
      put_posture_joint(s, &joint, q);
    fputs("</posture>\n", s->out);
  }
}

void ffi_save_urdf_footfall(ffi_save *s)
{
  ff_element_def element;
  fputs("  <footfall>\n", s->out);
  put_gravity(s);
  put_points(s);
  put_frames(s);
  put_tendons(s);
  put_actuators(s);
  put_springs(s);
  for (int i = 0; ff_model_element(s->model, i, &element) == FF_OK; ++i)
    put_element(s, &element);
  put_postures(s);
  ffi_save_urdf_collision(s);
  fputs("  </footfall>\n", s->out);
}
