// Small models, and sims of them.
#include "analytic/scene.h"

static void add_point(ff_builder *b, int link, double x, double y, double z, const ff_material *material)
{
  ff_shape_def shape = ff_shape_def_default();
  shape.type = FF_SHAPE_POINT;
  shape.pose.position[0] = x;
  shape.pose.position[1] = y;
  shape.pose.position[2] = z;
  shape.material = *material;
  ffi_must_add_shape(b, link, &shape);
}

static ff_link_def link_of(const char *name, ff_joint_type type, double mass, double moment)
{
  ff_link_def def = ff_link_def_default();
  def.name = name;
  def.joint.type = type;
  def.inertia.mass = mass;
  def.inertia.matrix[0] = def.inertia.matrix[3] = def.inertia.matrix[5] = moment;
  return def;
}

ff_model *scene_mass(double mass, const ff_material *material)
{
  ff_builder *b = ffi_must_begin("mass");
  ff_link_def link = link_of("mass", FF_JOINT_PRISMATIC, mass, 0.01);
  link.joint.axis[2] = 1;
  add_point(b, ffi_must_add_link(b, &link), 0, 0, 0, material);
  return ffi_must_finish(b);
}

ff_model *scene_cart(double cart, double mass, const ff_material *material)
{
  ff_builder *b = ffi_must_begin("cart");
  ff_link_def rail = link_of("cart", FF_JOINT_PRISMATIC, cart, 1);
  rail.joint.axis[0] = 1;
  ff_link_def link = link_of("mass", FF_JOINT_PRISMATIC, mass, 0.01);
  link.parent = ffi_must_add_link(b, &rail);
  link.joint.axis[2] = 1;
  add_point(b, ffi_must_add_link(b, &link), 0, 0, 0, material);
  return ffi_must_finish(b);
}

ff_model *scene_block(double mass, double height, const ff_material *material)
{
  ff_builder *b = ffi_must_begin("block");
  const ff_link_def link = link_of("block", FF_JOINT_FREE, mass, mass * 0.04 / 6);
  const int id = ffi_must_add_link(b, &link);
  for (int i = 0; i < 4; ++i)
    add_point(b, id, i & 1 ? 0.1 : -0.1, i & 2 ? 0.1 : -0.1, -height, material);
  return ffi_must_finish(b);
}

ff_model *scene_pendulum(double mass)
{
  ff_builder *b = ffi_must_begin("pendulum");
  ff_link_def link = link_of("rod", FF_JOINT_REVOLUTE, mass, 0.01);
  link.joint.axis[1] = 1;
  link.inertia.com[2] = -0.5;
  ffi_must_add_link(b, &link);
  return ffi_must_finish(b);
}

ff_model *scene_wheel(double inertia)
{
  ff_builder *b = ffi_must_begin("wheel");
  ff_link_def link = link_of("wheel", FF_JOINT_REVOLUTE, 1, inertia);
  link.joint.axis[2] = 1;
  ffi_must_add_link(b, &link);
  return ffi_must_finish(b);
}

ff_ground_def scene_slope(double angle)
{
  ff_ground_def ground = ff_ground_def_default();
  const double origin[3] = {0, 0, 0}, rpy[3] = {0, angle, 0};
  ground.shape.pose = ff_pose_from_rpy(origin, rpy);
  return ground;
}
