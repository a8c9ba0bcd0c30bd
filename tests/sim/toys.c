// Builds small models for tests of simulations.
#include "sim/toys.h"

static void add_shape(ff_builder *b, int link, ff_shape_def shape, const ff_material *material)
{
  if (material)
    shape.material = *material;
  ffi_must_add_shape(b, link, &shape);
}

static ff_link_def link_of(const char *name, const char *joint, ff_joint_type type, double mass,
                           double moment)
{
  ff_link_def def = ff_link_def_default();
  def.name = name;
  def.joint.name = joint;
  def.joint.type = type;
  def.inertia.mass = mass;
  def.inertia.matrix[0] = def.inertia.matrix[3] = def.inertia.matrix[5] = moment;
  return def;
}

static ff_shape_def shape_of(ff_shape_type type, double x, double y, double z)
{
  ff_shape_def shape = ff_shape_def_default();
  shape.type = type;
  shape.size[0] = x;
  shape.size[1] = y;
  shape.size[2] = z;
  return shape;
}

ff_model *toy_mass(double mass, const ff_material *material)
{
  ff_builder *b = ffi_must_begin("mass");
  ff_link_def link = link_of("mass", "slide", FF_JOINT_PRISMATIC, mass, 0.01);
  link.joint.axis[2] = 1;
  add_shape(b, ffi_must_add_link(b, &link), shape_of(FF_SHAPE_POINT, 0, 0, 0), material);
  return ffi_must_finish(b);
}

static void add_cube(ff_builder *b, const ff_material *material)
{
  const ff_link_def link = link_of("cube", "cube_free", FF_JOINT_FREE, 2, 2 * 0.04 / 6);
  add_shape(b, ffi_must_add_link(b, &link), shape_of(FF_SHAPE_BOX, 0.2, 0.2, 0.2), material);
}

static void add_ball(ff_builder *b, const ff_material *material)
{
  const ff_link_def link = link_of("ball", "ball_free", FF_JOINT_FREE, 0.5, 0.4 * 0.5 * 0.01);
  add_shape(b, ffi_must_add_link(b, &link), shape_of(FF_SHAPE_SPHERE, 0.1, 0, 0), material);
}

ff_model *toy_cube(const ff_material *material)
{
  ff_builder *b = ffi_must_begin("cube");
  add_cube(b, material);
  return ffi_must_finish(b);
}

ff_model *toy_ball(const ff_material *material)
{
  ff_builder *b = ffi_must_begin("ball");
  add_ball(b, material);
  return ffi_must_finish(b);
}

ff_model *toy_wheel(double inertia, int is_limited)
{
  ff_builder *b = ffi_must_begin("wheel");
  ff_link_def link = link_of("wheel", "hinge", FF_JOINT_REVOLUTE, 1, inertia);
  link.joint.axis[2] = 1;
  link.joint.has_limits = is_limited;
  link.joint.lower = -1;
  link.joint.upper = 1;
  ffi_must_add_link(b, &link);
  return ffi_must_finish(b);
}

ff_model *toy_fair(void)
{
  ff_builder *b = ffi_must_begin("fair");
  ff_error error;
  const ff_material slippery = {.stiffness = 2e4, .damping = 50, .friction = 0.3};
  add_cube(b, &slippery);
  add_ball(b, NULL);
  ff_link_def upper = link_of("upper", "shoulder", FF_JOINT_REVOLUTE, 1, 0.02);
  upper.joint.axis[1] = 1;
  upper.joint.pose.position[0] = 2;
  upper.joint.pose.position[2] = 0.7;
  upper.joint.damping = 0.05;
  upper.inertia.com[2] = -0.2;
  const int upper_id = ffi_must_add_link(b, &upper);
  ff_link_def lower = link_of("lower", "elbow", FF_JOINT_REVOLUTE, 0.5, 0.01);
  lower.parent = upper_id;
  lower.joint.axis[0] = 1;
  lower.joint.pose.position[2] = -0.4;
  lower.joint.has_limits = 1;
  lower.joint.lower = -0.5;
  lower.joint.upper = 0.5;
  lower.inertia.com[2] = -0.2;
  const int lower_id = ffi_must_add_link(b, &lower);
  ff_shape_def tip = shape_of(FF_SHAPE_POINT, 0, 0, 0);
  tip.pose.position[2] = -0.4;
  add_shape(b, lower_id, tip, NULL);
  ff_actuator_def motor = ff_actuator_def_default();
  motor.name = "shoulder_servo";
  motor.type = FF_ACTUATOR_POSITION;
  motor.link = upper_id;
  motor.kp = 20;
  motor.kv = 0.5;
  motor.force_range[0] = -4;
  motor.force_range[1] = 4;
  ffi_must(ff_builder_add_actuator(b, &motor, &error), &error);
  const double cube[7] = {0, 0, 0.15, 0.1, 0.2, 0.05, 0.97}, ball[7] = {-1, 0, 0.12, 0, 0, 0, 1}, up = 0.3,
               down = 0.2;
  ffi_must(ff_builder_set_posture(b, "start", 0, cube, 7, &error), &error);
  ffi_must(ff_builder_set_posture(b, "start", 1, ball, 7, &error), &error);
  ffi_must(ff_builder_set_posture(b, "start", upper_id, &up, 1, &error), &error);
  ffi_must(ff_builder_set_posture(b, "start", lower_id, &down, 1, &error), &error);
  ffi_must(ff_builder_set_posture(b, "flat", lower_id, &down, 1, &error), &error);
  return ffi_must_finish(b);
}
