// A centre of mass that goes down and up.
#include "control/smooth.h"

#include <footfall/control/reference.h>

#include <math.h>

void ff_squat_at(const ff_squat *squat, double time, double position[3], double velocity[3],
                 double acceleration[3])
{
  double grow[3] = {1, 0, 0};
  const double t = fmax(0, time), rise = squat->rise;
  if (rise > 0) {
    ffi_smooth_step(t / rise, grow);
    grow[1] /= rise;
    grow[2] /= rise * rise;
  }
  for (int k = 0; k < 3; ++k) {
    const double w = squat->rate[k], A = squat->amplitude[k];
    const double s = A * sin(w * t), c = A * w * cos(w * t);
    if (position)
      position[k] = squat->centre[k] + grow[0] * s;
    if (velocity)
      velocity[k] = grow[1] * s + grow[0] * c;
    if (acceleration)
      acceleration[k] = grow[2] * s + 2 * grow[1] * c - grow[0] * w * w * s;
  }
}
