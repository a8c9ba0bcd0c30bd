// The distance of a point from a box.
#include "geometry/surface.h"

#include "geometry/narrow_phase.h"

static const int order[3] = {2, 0, 1}; // which axis of equal ones comes first

// Outside in one or more of the axes: to the nearest point of the box. 0 only for what is no number.
static double outside(const double low[3], const double high[3], const double x[3], double normal[3])
{
  double away[3];
  for (int k = 0; k < 3; ++k)
    away[k] = x[k] > high[k] ? x[k] - high[k] : x[k] < low[k] ? x[k] - low[k] : 0 * x[k]; // NaN stays NaN
  ffi_v3_set(0, 0, 1, normal);
  const double distance = ffi_direction(away, normal);
  return distance > 0 ? distance : (double)NAN;
}

static int is_inside(const double low[3], const double high[3], const double x[3])
{
  return x[0] >= low[0] && x[0] <= high[0] && x[1] >= low[1] && x[1] <= high[1] && x[2] >= low[2] &&
         x[2] <= high[2];
}

double ffi_box_distance_bounds(const double low[3], const double high[3], const double x[3], double normal[3])
{
  if (!is_inside(low, high, x))
    return outside(low, high, x, normal);
  int axis = 2;
  double sign = 1, best = -(double)INFINITY;
  for (int i = 0; i < 3; ++i) {
    const int k = order[i];
    if (x[k] - high[k] > best)
      axis = k, sign = 1, best = x[k] - high[k];
    if (low[k] - x[k] > best)
      axis = k, sign = -1, best = low[k] - x[k];
  }
  ffi_v3_set(0, 0, 0, normal);
  normal[axis] = sign;
  return best;
}

// A corner may be outside of a face that its body's middle is behind by this part of its distance from the middle, and still
// rest on another face. So boxes that stand flush on each other keep their corners when rounding moves them by a hair.
static const double hair = 1e-3;

// Bring x, a corner of a body about `centre`, back inside if it is a hair outside. Returns what that costs: 0 if nothing, an infinite
// raise if it is more than a hair.
static double bring_back(const double half[3], const double centre[3], double x[3], int is_back[3])
{
  double raise = 0;
  for (int k = 0; k < 3; ++k) {
    const double s = x[k] > 0 ? 1 : -1, over = s * x[k] - half[k], reach = hair * s * (x[k] - centre[k]);
    is_back[k] = over > 0;
    if (!is_back[k])
      continue;
    raise += ffi_raise(reach - over, reach);
    x[k] = s * half[k];
  }
  return raise;
}

// The way out of a corner at y, inside; x is where it is.
static double way_out(const double half[3], const double x[3], const double y[3], const double centre[3],
                      int *axis, double *sign)
{
  double best = -(double)INFINITY, distance = (double)NAN;
  for (int i = 0; i < 6; ++i) {
    const int k = order[i / 2];
    const double s = i % 2 ? -1 : 1, height = s * y[k] - half[k];
    const double score = height + 0.5 * ffi_smaller(0, s * (centre[k] - x[k]));
    if (score > best)
      *axis = k, *sign = s, best = score, distance = height;
  }
  return distance;
}

double ffi_box_distance(const double half[3], const double x[3], const double *centre, double normal[3])
{
  const double low[3] = {-half[0], -half[1], -half[2]};
  if (!centre)
    return ffi_box_distance_bounds(low, half, x, normal);
  double y[3] = {x[0], x[1], x[2]}, sign = 1;
  int axis = 2, is_back[3];
  const double raise = bring_back(half, centre, y, is_back);
  const int is_out = is_back[0] || is_back[1] || is_back[2] || !is_inside(low, half, y);
  const double nearest = is_out ? ffi_box_distance_bounds(low, half, x, normal) : (double)INFINITY;
  if (!(raise < (double)INFINITY) || !is_inside(low, half, y))
    return nearest;
  const double distance = way_out(half, x, y, centre, &axis, &sign) + raise;
  if (is_back[axis] || !(distance < nearest)) // out by that face after all, or far enough
    return nearest;
  ffi_v3_set(0, 0, 0, normal);
  normal[axis] = sign;
  return distance;
}
