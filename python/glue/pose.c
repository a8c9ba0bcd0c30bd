// Poses of frames as positions and quaternions.
#include "glue.h"

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
