// Models to cut, and the error of the pieces against the model.
#include "model/cut_cases.h"

#include "support/must.h"
#include "support/near.h"
#include "support/random_model.h"

#include <math.h>
#include <stdlib.h>

double *ffi_cut_numbers(int count)
{
  return calloc((size_t)count + 1, sizeof(double));
}

ff_dynamics *ffi_cut_dynamics(const ff_model *model)
{
  ff_dynamics *d;
  ff_error error;
  ffi_must(ff_dynamics_create(model, NULL, &d, &error), &error);
  return d;
}

// All types of joints, things on them, and names that are in the way.
ff_model *ffi_cut_workshop(void)
{
  ff_builder *b = ffi_must_begin("workshop");
  ff_error error;
  static const struct {
    const char *name, *joint;
    ff_joint_type type;
    int parent;
  } links[] = {
      {"bench", "bench_bolt", FF_JOINT_FIXED, FF_WORLD},
      {"crane", "turn", FF_JOINT_CONTINUOUS, 0},
      {"trolley", "run", FF_JOINT_PRISMATIC, 1},
      {"hook", "sling", FF_JOINT_SPHERICAL, 2},
      {"tip", "glue", FF_JOINT_FIXED, 3},
      {"needle", "pin", FF_JOINT_REVOLUTE, 4},
      {"puck", "glide", FF_JOINT_PLANAR, FF_WORLD},
      {"boat", "hook_free", FF_JOINT_FREE, FF_WORLD},
      {"oar", "rowlock", FF_JOINT_REVOLUTE, 7},
  };
  ffi_random random = ffi_random_seed(5);
  for (size_t i = 0; i < sizeof links / sizeof links[0]; ++i) {
    ff_link_def link = ff_link_def_default();
    link.name = links[i].name;
    link.parent = links[i].parent;
    link.joint.name = links[i].joint;
    link.joint.type = links[i].type;
    link.joint.pose = ffi_random_pose(&random);
    ffi_random_direction(&random, link.joint.axis);
    link.inertia = ffi_random_inertia(&random);
    const int id = ffi_must_add_link(b, &link);
    ff_shape_def shape = ff_shape_def_default();
    shape.size[0] = 0.1;
    ffi_must_add_shape(b, id, &shape);
  }
  const ff_pose pose = ffi_random_pose(&random);
  ffi_must(ff_builder_add_frame(b, 3, "eye", &pose, &error), &error);
  ffi_must(ff_builder_add_frame(b, FF_WORLD, "pin_frame", &pose, &error), &error);
  ff_element_def rope = ff_element_def_default();
  rope.name = "run";
  rope.type = FF_ELEMENT_POINT;
  rope.stiffness = 7;
  ffi_must(ff_builder_add_element(b, &rope, "eye", "boat", &error), &error);
  ff_actuator_def motor = ff_actuator_def_default();
  motor.name = "motor";
  motor.link = 8;
  ffi_must(ff_builder_add_actuator(b, &motor, &error), &error);
  const double turned = 0.5, gravity[3] = {1, 2, 3};
  ffi_must(ff_builder_set_posture(b, "ready", 1, &turned, 1, &error), &error);
  ffi_must(ff_builder_set_gravity(b, gravity, &error), &error);
  ffi_must(ff_builder_add_warning(b, "mind the oar", &error), &error);
  return ffi_must_finish(b);
}

ff_cut *ffi_cut_of_workshop(const ff_model *model)
{
  static const char *const joints[] = {"pin", "glide", "turn", "run", "sling"};
  ff_cut_def def = ff_cut_def_default();
  ff_error error;
  ff_cut *cut;
  def.set = FF_CUT_LISTED;
  def.joints = joints;
  def.joint_count = 5;
  def.place = FF_CUT_AT_CENTRES; // which makes the most of it: a link more for each piece
  ffi_must(ff_cut_create(model, &def, &cut, &error), &error);
  return cut;
}

// Every frame of the source, in pieces that come from a q of the source. Places are within 10 m or so.
double ffi_cut_frames_apart(const ff_cut *cut, const double *q, const double *q_cut)
{
  const ff_model *source = ff_cut_source(cut), *pieces = ff_cut_model(cut);
  ff_dynamics *d = ffi_cut_dynamics(source), *d_cut = ffi_cut_dynamics(pieces);
  double worst = 0;
  ff_dynamics_kinematics(d, q, NULL, NULL);
  ff_dynamics_kinematics(d_cut, q_cut, NULL, NULL);
  for (int f = 0; f < ff_model_get_size(source).frames; ++f) {
    ff_frame_info info;
    double p[2][3], R[2][9];
    ff_model_frame(source, f, &info);
    ff_dynamics_frame_pose(d, f, p[0], R[0]);
    ff_dynamics_frame_pose(d_cut, ff_model_find_frame(pieces, info.name), p[1], R[1]);
    worst = fmax(worst, fmax(ffi_gap(3, p[0], p[1]), ffi_gap(9, R[0], R[1])));
  }
  ff_dynamics_destroy(d);
  ff_dynamics_destroy(d_cut);
  return worst;
}
