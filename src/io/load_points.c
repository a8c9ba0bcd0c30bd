#include "io/load_points.h"

#include "base/fail.h"

#include <stdio.h>
#include <string.h>

ff_status ffi_load_points(ff_builder *builder, const ff_load_def *def, const char *file,
                          ffi_load_points_find find, const void *reader, ff_error *error)
{
  for (int i = 0; i < def->contact_point_count; ++i) {
    const ff_load_point *point = &def->contact_points[i];
    ff_shape_def shape = ff_shape_def_default();
    char field[48];
    int is_found = 0;
    snprintf(field, sizeof field, "contact_points[%d].link", i);
    const int link = point->link ? find(reader, point->link, &is_found) : FF_WORLD;
    if (!is_found)
      return ffi_fail(error, FF_ERROR_MODEL, file, 0, field, "there is no link '%.80s'",
                      point->link ? point->link : "");
    shape.type = FF_SHAPE_POINT;
    shape.purpose = FF_SHAPE_COLLISION;
    shape.name = point->name;
    memcpy(shape.pose.position, point->at, sizeof point->at);
    const ff_status status = ff_builder_add_shape(builder, link, &shape, error);
    if (status != FF_OK)
      return status;
  }
  return FF_OK;
}
