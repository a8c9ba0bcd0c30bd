// Default definitions, and the names of types.
#include <footfall/builder.h>

#include <math.h>

ff_material ff_material_default(void)
{
  return (ff_material){.stiffness = 1e5, .damping = 300, .friction = 1, .restitution = 0};
}

ff_shape_def ff_shape_def_default(void)
{
  return (ff_shape_def){
      .type = FF_SHAPE_SPHERE,
      .pose = ff_pose_identity(),
      .purpose = FF_SHAPE_VISUAL | FF_SHAPE_COLLISION,
      .material = ff_material_default(),
      .rgba = {0.7, 0.7, 0.7, 1},
      .scale = {1, 1, 1},
      .contype = 1,
      .conaffinity = 1,
  };
}

ff_shape_pair ff_shape_pair_default(void)
{
  return (ff_shape_pair){.a = -1, .b = -1, .friction = -1, .stiffness = -1, .damping = -1};
}

ff_joint_def ff_joint_def_default(void)
{
  return (ff_joint_def){
      .type = FF_JOINT_FIXED,
      .pose = ff_pose_identity(),
      .effort = (double)INFINITY,
      .velocity = (double)INFINITY,
  };
}

ff_link_def ff_link_def_default(void)
{
  return (ff_link_def){.parent = FF_WORLD, .joint = ff_joint_def_default(), .inertia = ff_inertia_zero()};
}

ff_actuator_def ff_actuator_def_default(void)
{
  const double inf = (double)INFINITY;
  return (ff_actuator_def){
      .type = FF_ACTUATOR_MOTOR,
      .gear = 1,
      .control_range = {-inf, inf},
      .force_range = {-inf, inf},
      .tendon = -1,
  };
}

ff_element_def ff_element_def_default(void)
{
  return (ff_element_def){
      .type = FF_ELEMENT_JOINT_PD,
      .joint = -1,
      .effort = (double)INFINITY,
      .lower = -(double)INFINITY,
      .upper = (double)INFINITY,
      .tendon = -1,
      .leader = -1,
      .leader_tendon = -1,
      .polynomial = {0, 1, 0, 0, 0},
  };
}

const char *ff_joint_type_name(ff_joint_type type)
{
  switch (type) {
  case FF_JOINT_FIXED: return "fixed";
  case FF_JOINT_FREE: return "free";
  case FF_JOINT_PLANAR: return "planar";
  case FF_JOINT_SPHERICAL: return "spherical";
  case FF_JOINT_REVOLUTE: return "revolute";
  case FF_JOINT_CONTINUOUS: return "continuous";
  case FF_JOINT_PRISMATIC: return "prismatic";
  }
  return "unknown";
}

const char *ff_shape_type_name(ff_shape_type type)
{
  switch (type) {
  case FF_SHAPE_POINT: return "point";
  case FF_SHAPE_SPHERE: return "sphere";
  case FF_SHAPE_CAPSULE: return "capsule";
  case FF_SHAPE_BOX: return "box";
  case FF_SHAPE_CYLINDER: return "cylinder";
  case FF_SHAPE_DISK: return "disk";
  case FF_SHAPE_PLANE: return "plane";
  case FF_SHAPE_HULL: return "hull";
  case FF_SHAPE_MESH: return "mesh";
  case FF_SHAPE_HEIGHTFIELD: return "heightfield";
  case FF_SHAPE_ELLIPSOID: return "ellipsoid";
  }
  return "unknown";
}

int ff_element_type_is_joint(ff_element_type type)
{
  return type == FF_ELEMENT_JOINT_PD || type == FF_ELEMENT_JOINT_LIMIT || type == FF_ELEMENT_JOINT_FRICTION;
}

const char *ff_element_type_name(ff_element_type type)
{
  switch (type) {
  case FF_ELEMENT_JOINT_PD: return "joint_pd";
  case FF_ELEMENT_JOINT_LIMIT: return "joint_limit";
  case FF_ELEMENT_POINT: return "point";
  case FF_ELEMENT_WELD: return "weld";
  case FF_ELEMENT_HINGE: return "hinge";
  case FF_ELEMENT_SLIDER: return "slider";
  case FF_ELEMENT_PLANAR: return "planar";
  case FF_ELEMENT_JOINT_FRICTION: return "joint_friction";
  case FF_ELEMENT_COUPLING: return "coupling";
  }
  return "unknown";
}
