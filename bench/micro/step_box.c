// A box on many contact points, which shows how the cost of a step grows with them.
#include "micro/step_case.h"

#include <footfall/builder.h>

#include <math.h>
#include <stdio.h>

const int bench_step_box_points[BENCH_STEP_BOXES] = {1, 2, 4, 8, 16, 32, 64, 100};

static const double width = 0.4, height = 0.1; // [m]

// A square grid whose last row may be incomplete; a single point is in the middle.
static void place_point(int i, int count, double position[3])
{
  const int columns = (int)ceil(sqrt((double)count)), rows = (count + columns - 1) / columns;
  const int row = i / columns, in_row = row + 1 < rows ? columns : count - columns * (rows - 1);
  position[0] = in_row > 1 ? width * ((double)(i % columns) / (in_row - 1) - 0.5) : 0;
  position[1] = rows > 1 ? width * ((double)row / (rows - 1) - 0.5) : 0;
  position[2] = -0.5 * height;
}

static ff_status describe(ff_builder *b, int count, ff_error *error)
{
  ff_link_def box = ff_link_def_default();
  const double mass = count;
  int id;
  box.name = "box";
  box.joint.name = "box_free";
  box.joint.type = FF_JOINT_FREE;
  box.joint.pose.position[2] = 0.5 * height;
  box.inertia.mass = mass;
  box.inertia.matrix[0] = box.inertia.matrix[3] = mass * (width * width + height * height) / 12;
  box.inertia.matrix[5] = mass * 2 * width * width / 12;
  ff_status status = ff_builder_add_link(b, &box, &id, error);
  for (int i = 0; i < count && status == FF_OK; ++i) {
    ff_shape_def point = ff_shape_def_default();
    point.type = FF_SHAPE_POINT;
    point.purpose = FF_SHAPE_COLLISION;
    place_point(i, count, point.pose.position);
    status = ff_builder_add_shape(b, id, &point, error);
  }
  return status;
}

ff_model *bench_step_box(int count, ff_error *error)
{
  ff_builder *b = NULL;
  ff_model *model = NULL;
  char name[32];
  snprintf(name, sizeof name, "box-%d", count);
  if (ff_builder_create(name, &b, error) == FF_OK && describe(b, count, error) == FF_OK)
    ff_builder_finish(b, &model, error);
  ff_builder_destroy(b);
  return model;
}
