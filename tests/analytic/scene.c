#include "analytic/scene.h"

static void must(ff_status status, const ff_error *error)
{
  if (status != FF_OK)
    fail_msg("%s: %s", ff_status_name(status), error->message);
}

static ff_builder *begin(const char *name)
{
  ff_builder *b;
  ff_error error;
  must(ff_builder_create(name, &b, &error), &error);
  return b;
}

static ff_model *finish(ff_builder *b)
{
  ff_model *model;
  ff_error error;
  must(ff_builder_finish(b, &model, &error), &error);
  ff_builder_destroy(b);
  return model;
}

static int add(ff_builder *b, const ff_link_def *def)
{
  ff_error error;
  int id;
  must(ff_builder_add_link(b, def, &id, &error), &error);
  return id;
}

static void add_point(ff_builder *b, int link, double x, double y, double z, const ff_material *material)
{
  ff_error error;
  ff_shape_def shape = ff_shape_def_default();
  shape.type = FF_SHAPE_POINT;
  shape.pose.position[0] = x;
  shape.pose.position[1] = y;
  shape.pose.position[2] = z;
  shape.material = *material;
  must(ff_builder_add_shape(b, link, &shape, &error), &error);
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
  ff_builder *b = begin("mass");
  ff_link_def link = link_of("mass", FF_JOINT_PRISMATIC, mass, 0.01);
  link.joint.axis[2] = 1;
  add_point(b, add(b, &link), 0, 0, 0, material);
  return finish(b);
}

ff_model *scene_cart(double cart, double mass, const ff_material *material)
{
  ff_builder *b = begin("cart");
  ff_link_def rail = link_of("cart", FF_JOINT_PRISMATIC, cart, 1);
  rail.joint.axis[0] = 1;
  ff_link_def link = link_of("mass", FF_JOINT_PRISMATIC, mass, 0.01);
  link.parent = add(b, &rail);
  link.joint.axis[2] = 1;
  add_point(b, add(b, &link), 0, 0, 0, material);
  return finish(b);
}

ff_model *scene_block(double mass, double height, const ff_material *material)
{
  ff_builder *b = begin("block");
  const ff_link_def link = link_of("block", FF_JOINT_FREE, mass, mass * 0.04 / 6);
  const int id = add(b, &link);
  for (int i = 0; i < 4; ++i)
    add_point(b, id, i & 1 ? 0.1 : -0.1, i & 2 ? 0.1 : -0.1, -height, material);
  return finish(b);
}

ff_model *scene_pendulum(double mass)
{
  ff_builder *b = begin("pendulum");
  ff_link_def link = link_of("rod", FF_JOINT_REVOLUTE, mass, 0.01);
  link.joint.axis[1] = 1;
  link.inertia.com[2] = -0.5;
  add(b, &link);
  return finish(b);
}

ff_model *scene_wheel(double inertia)
{
  ff_builder *b = begin("wheel");
  ff_link_def link = link_of("wheel", FF_JOINT_REVOLUTE, 1, inertia);
  link.joint.axis[2] = 1;
  add(b, &link);
  return finish(b);
}

ff_sim *scene_sim(const ff_model *model, const ff_sim_def *def)
{
  ff_sim *sim;
  ff_error error;
  must(ff_sim_create(model, def, &sim, &error), &error);
  return sim;
}

void scene_reset(ff_sim *sim, const double *q, const double *v)
{
  ff_error error;
  must(ff_sim_reset(sim, q, v, &error), &error);
}

void scene_run(ff_sim *sim, int steps)
{
  ff_error error;
  for (int i = 0; i < steps; ++i)
    must(ff_sim_step(sim, NULL, &error), &error);
}

ff_ground_def scene_slope(double angle)
{
  ff_ground_def ground = ff_ground_def_default();
  const double origin[3] = {0, 0, 0}, rpy[3] = {0, angle, 0};
  ground.shape.pose = ff_pose_from_rpy(origin, rpy);
  return ground;
}

void scene_near(const char *what, double got, double want, double tolerance)
{
  if (!(fabs(got - want) <= tolerance))
    fail_msg("%s is %.17g, not %.17g: off by %.3g, allowed is %.3g", what, got, want, got - want, tolerance);
}
