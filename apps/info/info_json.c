// footfall info --json: everything that the public headers have of a model. Links, joints and frames are referred to by
// name, null being the world. Lists have the model's order, so an index is a position in its list.
#include "cli/text/json.h"
#include "info/info.h"

#include <footfall/builder.h>
#include <footfall/version.h>

// NULL for the world.
static const char *joint_name(const ff_model *model, int joint)
{
  ff_joint_info info;
  return ff_model_joint(model, joint, &info) == FF_OK ? info.name : NULL;
}

static const char *link_name(const ff_model *model, int link)
{
  ff_link_info info;
  return ff_model_link(model, link, &info) == FF_OK ? info.name : NULL;
}

static void put_pose(ffi_json *json, const ff_pose *pose)
{
  ffi_json_put_numbers(json, "position", pose->position, 3);
  ffi_json_put_numbers(json, "quaternion", pose->quaternion, 4);
}

static void put_size(ffi_json *json, const ff_model *model)
{
  const ff_model_size s = ff_model_get_size(model);
  ffi_json_put_open(json, "size", '{');
  ffi_json_put_integer(json, "nq", s.nq);
  ffi_json_put_integer(json, "nv", s.nv);
  ffi_json_put_integer(json, "joints", s.joints);
  ffi_json_put_integer(json, "actuated", s.actuated);
  ffi_json_put_integer(json, "links", s.links);
  ffi_json_put_integer(json, "frames", s.frames);
  ffi_json_put_integer(json, "shapes", s.shapes);
  ffi_json_put_integer(json, "contact_points", ffi_info_text_contact_points(model));
  ffi_json_put_integer(json, "actuators", s.actuators);
  ffi_json_put_integer(json, "elements", s.elements);
  ffi_json_put_integer(json, "postures", s.postures);
  ffi_json_put_integer(json, "warnings", s.warnings);
  ffi_json_put_integer(json, "roots", s.roots);
  ffi_json_put_integer(json, "robots", s.robots);
  ffi_json_close(json, '}');
}

static void put_joints(ffi_json *json, const ff_model *model)
{
  const int count = ff_model_get_size(model).joints;
  ffi_json_put_open(json, "joints", '[');
  for (int i = 0; i < count; ++i) {
    ff_joint_info j;
    ff_model_joint(model, i, &j);
    ffi_json_open(json, '{', 1);
    ffi_json_put_text(json, "name", j.name);
    ffi_json_put_text(json, "type", ff_joint_type_name(j.type));
    ffi_json_put_text(json, "parent", joint_name(model, j.parent));
    ffi_json_put_text(json, "link", link_name(model, j.link));
    ffi_json_put_integer(json, "q", j.q);
    ffi_json_put_integer(json, "nq", j.nq);
    ffi_json_put_integer(json, "v", j.v);
    ffi_json_put_integer(json, "nv", j.nv);
    ffi_json_put_numbers(json, "axis", j.axis, 3);
    ffi_json_key(json, "limits");
    if (j.has_limits)
      ffi_json_numbers(json, (const double[]){j.lower, j.upper}, 2);
    else
      ffi_json_text(json, NULL);
    ffi_json_put_number(json, "effort", j.effort);
    ffi_json_put_number(json, "velocity", j.velocity);
    ffi_json_put_number(json, "damping", j.damping);
    ffi_json_put_number(json, "friction", j.friction);
    ffi_json_put_number(json, "armature", j.armature);
    ffi_json_put_number(json, "stiffness", j.stiffness);
    ffi_json_put_number(json, "spring_reference", j.spring_reference);
    ffi_json_close(json, '}');
  }
  ffi_json_close(json, ']');
}

static void put_links(ffi_json *json, const ff_model *model)
{
  const int count = ff_model_get_size(model).links;
  ffi_json_put_open(json, "links", '[');
  for (int i = 0; i < count; ++i) {
    ff_link_info l;
    ff_model_link(model, i, &l);
    ffi_json_open(json, '{', 1);
    ffi_json_put_text(json, "name", l.name);
    ffi_json_put_text(json, "parent", link_name(model, l.parent));
    ffi_json_put_text(json, "joint", l.joint_name);
    ffi_json_put_text(json, "joint_type", ff_joint_type_name(l.joint_type));
    ffi_json_put_text(json, "moved_by", joint_name(model, l.joint));
    ffi_json_put_integer(json, "robot", l.robot);
    put_pose(json, &l.pose);
    ffi_json_put_number(json, "mass", l.inertia.mass);
    ffi_json_put_numbers(json, "com", l.inertia.com, 3);
    ffi_json_put_numbers(json, "inertia", l.inertia.matrix, 6);
    ffi_json_close(json, '}');
  }
  ffi_json_close(json, ']');
}

static void put_frames(ffi_json *json, const ff_model *model)
{
  const int count = ff_model_get_size(model).frames;
  ffi_json_put_open(json, "frames", '[');
  for (int i = 0; i < count; ++i) {
    ff_frame_info f;
    ff_model_frame(model, i, &f);
    ffi_json_open(json, '{', 1);
    ffi_json_put_text(json, "name", f.name);
    ffi_json_put_text(json, "link", link_name(model, f.link));
    ffi_json_put_text(json, "moved_by", joint_name(model, f.joint));
    ffi_json_close(json, '}');
  }
  ffi_json_close(json, ']');
}

// How many of the sizes in ff_shape_def mean something.
static int size_count(ff_shape_type type)
{
  switch (type) {
  case FF_SHAPE_SPHERE:
  case FF_SHAPE_DISK: return 1;
  case FF_SHAPE_CAPSULE:
  case FF_SHAPE_CYLINDER:
  case FF_SHAPE_HEIGHTFIELD: return 2;
  case FF_SHAPE_BOX:
  case FF_SHAPE_ELLIPSOID: return 3;
  default: return 0;
  }
}

static void put_shape(ffi_json *json, const ff_model *model, const ff_shape_info *shape)
{
  const ff_shape_def *d = &shape->def;
  ffi_json_open(json, '{', 1);
  ffi_json_put_text(json, "name", d->name);
  ffi_json_put_text(json, "link", link_name(model, shape->link));
  ffi_json_put_text(json, "type", ff_shape_type_name(d->type));
  ffi_json_put_numbers(json, "size", d->size, size_count(d->type));
  put_pose(json, &d->pose);
  ffi_json_put_boolean(json, "visual", d->purpose & FF_SHAPE_VISUAL);
  ffi_json_put_boolean(json, "collision", d->purpose & FF_SHAPE_COLLISION);
  ffi_json_put_number(json, "stiffness", d->material.stiffness);
  ffi_json_put_number(json, "damping", d->material.damping);
  ffi_json_put_number(json, "friction", d->material.friction);
  ffi_json_put_number(json, "restitution", d->material.restitution);
  ffi_json_put_number(json, "tangential_restitution", d->material.tangential_restitution);
  ffi_json_put_number(json, "torsional_friction", d->material.torsional_friction);
  ffi_json_put_number(json, "rolling_friction", d->material.rolling_friction);
  ffi_json_put_numbers(json, "rgba", d->rgba, 4);
  if (d->type == FF_SHAPE_HULL)
    ffi_json_put_integer(json, "vertices", d->vertex_count);
  if (d->type == FF_SHAPE_HEIGHTFIELD) {
    ffi_json_put_integer(json, "rows", d->rows);
    ffi_json_put_integer(json, "columns", d->columns);
  }
  if (d->mesh_file) {
    ffi_json_put_text(json, "mesh", d->mesh_file);
    ffi_json_put_numbers(json, "scale", d->scale, 3);
  }
  ffi_json_close(json, '}');
}

static void put_shapes(ffi_json *json, const ff_model *model)
{
  const int count = ff_model_get_size(model).shapes;
  ffi_json_put_open(json, "shapes", '[');
  for (int i = 0; i < count; ++i) {
    ff_shape_info shape;
    ff_model_shape(model, i, &shape);
    put_shape(json, model, &shape);
  }
  ffi_json_close(json, ']');
}

// The joint or the tendon that something acts on.
static void put_line(ffi_json *json, const ff_model *model, const char *joint_key, int joint,
                     const char *tendon_key, int tendon)
{
  ff_tendon_info t;
  if (ff_model_tendon(model, tendon, &t) == FF_OK)
    ffi_json_put_text(json, tendon_key, t.name);
  else if (joint >= 0)
    ffi_json_put_text(json, joint_key, joint_name(model, joint));
}

static void put_tendons(ffi_json *json, const ff_model *model)
{
  ff_tendon_info t;
  ffi_json_put_open(json, "tendons", '[');
  for (int i = 0; ff_model_tendon(model, i, &t) == FF_OK; ++i) {
    ffi_json_open(json, '{', 1);
    ffi_json_put_text(json, "name", t.name);
    ffi_json_put_open(json, "joints", '[');
    for (int k = 0; k < t.count; ++k)
      ffi_json_text(json, joint_name(model, t.joints[k]));
    ffi_json_close(json, ']');
    ffi_json_put_numbers(json, "coefficients", t.coefficients, t.count);
    ffi_json_close(json, '}');
  }
  ffi_json_close(json, ']');
}

static void put_actuators(ffi_json *json, const ff_model *model)
{
  static const char *const types[] = {[FF_ACTUATOR_MOTOR] = "motor",
                                      [FF_ACTUATOR_POSITION] = "position",
                                      [FF_ACTUATOR_VELOCITY] = "velocity"};
  const int count = ff_model_get_size(model).actuators;
  ffi_json_put_open(json, "actuators", '[');
  for (int i = 0; i < count; ++i) {
    ff_actuator_info a;
    ff_frame_info frame;
    ff_model_actuator(model, i, &a);
    ffi_json_open(json, '{', 1);
    ffi_json_put_text(json, "name", a.name);
    ffi_json_put_text(json, "type", types[a.type]);
    put_line(json, model, "joint", a.joint, "tendon", a.tendon);
    ffi_json_put_text(json, "frame", ff_model_frame(model, a.frame, &frame) == FF_OK ? frame.name : NULL);
    ffi_json_put_numbers(json, "wrench", a.wrench, 6);
    ffi_json_put_number(json, "gear", a.gear);
    ffi_json_put_number(json, "kp", a.kp);
    ffi_json_put_number(json, "kv", a.kv);
    ffi_json_put_numbers(json, "control_range", a.control_range, 2);
    ffi_json_put_numbers(json, "force_range", a.force_range, 2);
    ffi_json_close(json, '}');
  }
  ffi_json_close(json, ']');
}

static void put_end(ffi_json *json, const ff_model *model, const char *key, const ff_point *end)
{
  ff_frame_info frame;
  ff_model_frame(model, end->frame, &frame);
  ffi_json_put_open(json, key, '{');
  ffi_json_put_text(json, "frame", frame.name);
  ffi_json_put_numbers(json, "offset", end->offset, 3);
  ffi_json_close(json, '}');
}

// What its type has no use for is left out.
static void put_element(ffi_json *json, const ff_model *model, const ff_element_def *e)
{
  ffi_json_open(json, '{', 1);
  ffi_json_put_text(json, "name", e->name);
  ffi_json_put_text(json, "type", ff_element_type_name(e->type));
  put_line(json, model, "joint", e->joint, "tendon", e->tendon);
  ffi_json_put_number(json, "stiffness", e->stiffness);
  ffi_json_put_number(json, "damping", e->damping);
  if (e->type == FF_ELEMENT_JOINT_PD) {
    ffi_json_put_number(json, "reference", e->reference);
    ffi_json_put_number(json, "reference_velocity", e->reference_velocity);
    ffi_json_put_number(json, "effort", e->effort);
  } else if (e->type == FF_ELEMENT_JOINT_LIMIT) {
    ffi_json_put_numbers(json, "limits", (const double[]){e->lower, e->upper}, 2);
  } else if (e->type == FF_ELEMENT_JOINT_FRICTION) {
    ffi_json_put_number(json, "effort", e->effort);
  } else if (e->type == FF_ELEMENT_COUPLING) {
    put_line(json, model, "leader", e->leader, "leader_tendon", e->leader_tendon);
    ffi_json_put_numbers(json, "polynomial", e->polynomial, 5);
  } else {
    if (e->type == FF_ELEMENT_WELD) {
      ffi_json_put_number(json, "angular_stiffness", e->angular_stiffness);
      ffi_json_put_number(json, "angular_damping", e->angular_damping);
    }
    put_end(json, model, "a", &e->a);
    put_end(json, model, "b", &e->b);
  }
  ffi_json_close(json, '}');
}

static void put_elements(ffi_json *json, const ff_model *model)
{
  const int count = ff_model_get_size(model).elements;
  ffi_json_put_open(json, "elements", '[');
  for (int i = 0; i < count; ++i) {
    ff_element_def element;
    ff_model_element(model, i, &element);
    put_element(json, model, &element);
  }
  ffi_json_close(json, ']');
}

static void put_postures(ffi_json *json, const ff_model *model)
{
  const ff_model_size s = ff_model_get_size(model);
  ffi_json_put_open(json, "postures", '[');
  for (int i = 0; i < s.postures; ++i) {
    ffi_json_open(json, '{', 1);
    ffi_json_put_text(json, "name", ff_model_posture_name(model, i));
    ffi_json_put_numbers(json, "q", ff_model_posture(model, i), s.nq);
    ffi_json_close(json, '}');
  }
  ffi_json_close(json, ']');
}

static void put_warnings(ffi_json *json, const ff_model *model)
{
  const int count = ff_model_get_size(model).warnings;
  ffi_json_put_open(json, "warnings", '[');
  for (int i = 0; i < count; ++i)
    ffi_json_text(json, ff_model_warning(model, i));
  ffi_json_close(json, ']');
}

void ffi_info_json(const ff_model *model, const char *path, FILE *out)
{
  ffi_json json;
  double gravity[3];
  ff_model_gravity(model, gravity);
  ffi_json_begin(&json, out);
  ffi_json_open(&json, '{', 0);
  ffi_json_put_text(&json, "footfall", ff_version());
  ffi_json_put_text(&json, "file", path);
  ffi_json_put_text(&json, "name", ff_model_name(model));
  ffi_json_put_number(&json, "mass", ff_model_mass(model));
  ffi_json_put_numbers(&json, "gravity", gravity, 3);
  put_size(&json, model);
  put_joints(&json, model);
  put_links(&json, model);
  put_frames(&json, model);
  put_shapes(&json, model);
  ffi_info_collisions_json(&json, model);
  put_tendons(&json, model);
  put_actuators(&json, model);
  put_elements(&json, model);
  put_postures(&json, model);
  put_warnings(&json, model);
  ffi_json_close(&json, '}');
  ffi_json_end(&json);
}
