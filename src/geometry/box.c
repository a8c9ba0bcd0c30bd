// The distance of a point from a box.
#include "geometry/surface.h"

#include "geometry/meeting.h"

// Outside in one or more of the axes: to the nearest point of the box.
static double outside(const double half[3], const double x[3], double normal[3])
{
  double away[3];
  for (int k = 0; k < 3; ++k)
    away[k] = x[k] > half[k] ? x[k] - half[k] : x[k] < -half[k] ? x[k] + half[k] : 0 * x[k]; // NaN stays NaN
  return ffi_direction(away, normal);
}

double ffi_box_distance(const double half[3], const double x[3], const double *centre, double normal[3])
{
  static const int order[3] = {2, 0, 1};
  if (!(fabs(x[0]) <= half[0] && fabs(x[1]) <= half[1] && fabs(x[2]) <= half[2])) {
    ffi_v3_set(0, 0, 1, normal);
    const double distance = outside(half, x, normal);
    return distance > 0 ? distance : (double)NAN; // 0 is where x is no number
  }
  int axis = 2;
  double sign = 1, best = -(double)INFINITY, distance = 0;
  for (int i = 0; i < 6; ++i) {
    const int k = order[i / 2];
    const double s = i % 2 ? -1 : 1, height = s * x[k] - half[k];
    const double score = centre ? height + 0.5 * fmin(0, s * (centre[k] - x[k])) : height;
    if (score > best)
      axis = k, sign = s, best = score, distance = height;
  }
  ffi_v3_set(0, 0, 0, normal);
  normal[axis] = sign;
  return distance;
}
