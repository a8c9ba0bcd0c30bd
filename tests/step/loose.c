// Builds scenes of loose bodies.
#include "step/loose.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

ff_model *ffi_loose_create(int count, const ffi_loose *bodies, double K, double B, double mu)
{
  ff_error error;
  ff_builder *builder = NULL;
  ff_model *model = NULL;
  assert_int_equal(ff_builder_create("loose", &builder, &error), FF_OK);
  for (int i = 0; i < count; ++i) {
    char name[16];
    int id;
    snprintf(name, sizeof name, "b%d", i);
    ff_link_def link = ff_link_def_default();
    link.name = name;
    link.joint.type = bodies[i].joint == FF_JOINT_FIXED ? FF_JOINT_FREE : bodies[i].joint;
    link.joint.axis[2] = 1;
    const double m = bodies[i].mass;
    link.inertia = (ff_inertia){.mass = m,
                                .com = {0.01, -0.02, 0.015},
                                .matrix = {0.02 * m, 0.001 * m, 0, 0.025 * m, 0.002 * m, 0.03 * m}};
    assert_int_equal(ff_builder_add_link(builder, &link, &id, &error), FF_OK);
    ff_shape_def shape = ff_shape_def_default();
    shape.type = bodies[i].shape;
    for (int k = 0; k < 3; ++k)
      shape.size[k] = bodies[i].size[k];
    shape.pose.position[0] = bodies[i].offset;
    shape.material = (ff_material){.stiffness = K, .damping = B, .friction = mu, .restitution = 0};
    assert_int_equal(ff_builder_add_shape(builder, id, &shape, &error), FF_OK);
  }
  assert_int_equal(ff_builder_finish(builder, &model, &error), FF_OK);
  ff_builder_destroy(builder);
  return model;
}
