// Poses of frames and of drawn links as positions and quaternions.
#include "glue.h"

#include <stdlib.h>
#include <string.h>

void ffp_frame_poses(const ff_dynamics *dynamics, const int *frames, int count, double *out)
{
  for (int i = 0; i < count; ++i) {
    double position[3], R[9];
    ff_dynamics_frame_pose(dynamics, frames[i], position, R);
    const ff_pose pose = ff_pose_from_rotation(position, R);
    memcpy(out + 7 * i, pose.position, sizeof pose.position);
    memcpy(out + 7 * i + 3, pose.quaternion, sizeof pose.quaternion);
  }
}

ff_status ffp_record_poses(ff_record *record, const ff_model *model, long long count, const double *q,
                           float *out, ff_error *error)
{
  const ff_record_data *data = ff_record_get(record);
  const ff_model_size size = ff_model_get_size(model);
  const size_t width = (size_t)data->link_count * FF_RECORD_POSE;
  double *rest = calloc((size_t)size.nv + 1, sizeof *rest);
  float *row = malloc(((size_t)data->signal_count + 1) * sizeof *row);
  const int has_room = rest && row;
  for (long long k = 0; has_room && k < count; ++k) {
    const ff_record_state state = {.q = q + k * size.nq, .v = rest};
    ff_record_snapshot(record, &state, out + (size_t)k * width, row, NULL);
  }
  free(rest);
  free(row);
  if (has_room)
    return FF_OK;
  if (error) {
    error->status = FF_ERROR_MEMORY;
    strcpy(error->message, "out of memory");
  }
  return FF_ERROR_MEMORY;
}
