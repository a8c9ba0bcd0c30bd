// Models of loose bodies, plates and chains.
#include "properties/contact/many_bodies.h"

#include "support/must.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

ff_model *ffi_many_bodies_loose(const ffi_many_bodies_body *bodies, int count, const ff_material *material)
{
  ff_builder *b = ffi_must_begin("crowd");
  ff_error error;
  for (int i = 0; i < count; ++i) {
    char link_name[32], joint_name[32];
    snprintf(link_name, sizeof link_name, "body_%d", i);
    snprintf(joint_name, sizeof joint_name, "free_%d", i);
    ff_shape_def shape = ff_shape_def_default();
    shape.type = bodies[i].shape;
    for (int k = 0; k < 3; ++k)
      shape.size[k] = bodies[i].size[k];
    shape.material = *material;
    ff_inertia unit;
    ffi_must(ff_inertia_from_shape(&shape, 1, &unit, &error), &error);
    ff_link_def link = ff_link_def_default();
    link.name = link_name;
    link.joint.name = joint_name;
    link.joint.type = FF_JOINT_FREE;
    ffi_must(ff_inertia_from_shape(&shape, bodies[i].mass / unit.mass, &link.inertia, &error), &error);
    ffi_must_add_shape(b, ffi_must_add_link(b, &link), &shape);
  }
  return ffi_must_finish(b);
}

ff_model *ffi_many_bodies_plate(int side, const ff_material *material)
{
  ff_builder *b = ffi_must_begin("plate");
  ff_link_def link = ff_link_def_default();
  link.name = "plate";
  link.joint.name = "free";
  link.joint.type = FF_JOINT_FREE;
  link.inertia.mass = 5;
  link.inertia.matrix[0] = link.inertia.matrix[3] = 5 * (0.25 + 0.01) / 12;
  link.inertia.matrix[5] = 5 * 0.5 / 12;
  const int id = ffi_must_add_link(b, &link);
  for (int i = 0; i < side * side; ++i) {
    ff_shape_def point = ff_shape_def_default();
    point.type = FF_SHAPE_POINT;
    point.material = *material;
    point.pose.position[0] = 0.5 * (i % side) / (side - 1) - 0.25;
    point.pose.position[1] = 0.5 * (i / side) / (side - 1) - 0.25; // NOLINT: rows are whole numbers
    point.pose.position[2] = -0.05;
    ffi_must_add_shape(b, id, &point);
  }
  return ffi_must_finish(b);
}

ff_model *ffi_many_bodies_chain(int links, double last, const ff_material *material)
{
  ff_builder *b = ffi_must_begin("chain");
  int id = -1;
  for (int i = 0; i < links; ++i) {
    char link_name[32], joint_name[32];
    snprintf(link_name, sizeof link_name, "link_%d", i);
    snprintf(joint_name, sizeof joint_name, "hinge_%d", i);
    const double mass = i == links - 1 ? last : 1;
    ff_link_def link = ff_link_def_default();
    link.parent = id;
    link.name = link_name;
    link.joint.name = joint_name;
    link.joint.type = FF_JOINT_REVOLUTE;
    link.joint.axis[0] = link.joint.axis[2] = 0;
    link.joint.axis[1] = 1;
    link.joint.pose.position[2] = i == 0 ? 0.2 * links - 0.05 : -0.2;
    link.inertia.mass = mass;
    link.inertia.com[2] = -0.1;
    link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = mass * 0.04 / 12;
    id = ffi_must_add_link(b, &link);
    ff_shape_def tip = ff_shape_def_default();
    tip.type = FF_SHAPE_POINT;
    tip.material = *material;
    tip.pose.position[2] = -0.2;
    ffi_must_add_shape(b, id, &tip);
  }
  return ffi_must_finish(b);
}

int ffi_many_bodies_run(ff_sim *sim, int steps, const double *tau)
{
  int most = 0;
  for (int i = 0; i < steps; ++i) {
    ffi_must_step(sim, tau);
    most = ff_sim_info(sim)->pieces > most ? ff_sim_info(sim)->pieces : most;
  }
  assert_true(most <= 32); // the default of max_pieces
  return most;
}

double ffi_many_bodies_speed(const ff_sim *sim)
{
  double most = 0;
  for (int i = 0; i < ff_model_get_size(ff_sim_model(sim)).nv; ++i)
    most = fmax(most, fabs(ff_sim_v(sim)[i]));
  return most;
}
