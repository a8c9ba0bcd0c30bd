// The rim of a cap against the six faces of a box.
//
// The rolling witness (round.c) looks for the lowest point of the rim as seen from the cap's centre. Where the centre is not over the face that the rim
// touches, that is another point. So each face has its own: feature 2 k for the side of greatest coordinate k, 2 k + 1 for the least. It counts over
// that face, where the face is the way out, and by a raise only where it is not the rolling witness itself.
#include "geometry/collide_caps_box.h"

// Part of the radius over which a touch hands over to the next.
static const double hair = 1e-3;

// Part of the radius by which it must be away from the rolling witness. Larger: two that close are as good as one.
static const double apart = 0.02;

// How far x, a point of a body about `middle`, is over face (k, sign), or by how much that is a better way out than the best other one, (1) of the theory
// page; whichever is less.
static double how_well_over(const double half[3], const double x[3], const double middle[3], int k,
                            double sign)
{
  double own = 0, other = -(double)INFINITY, beside = -(double)INFINITY;
  for (int i = 0; i < 6; ++i) {
    const int j = i / 2;
    const double s = i % 2 ? -1 : 1, height = s * x[j] - half[j];
    const double score = ffi_smaller(height, 0) + 0.5 * ffi_smaller(0, s * (middle[j] - x[j]));
    if (j == k && s * sign > 0)
      own = score;
    else
      other = ffi_larger(other, score);
    if (j != k)
      beside = ffi_larger(beside, height);
  }
  return ffi_smaller(own - other, -beside);
}

void ffi_collide_rim_box(ffi_narrow_phase *meeting, const ffi_collide_caps_box_rim *rim,
                         const double middle[3], int first)
{
  const double *size = meeting->b->size, half[3] = {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]};
  for (int i = 0; i < 6; ++i) {
    const int k = i / 2;
    const double s = i % 2 ? -1 : 1, height = s * rim->centre[k] - half[k];
    const double tilt = sqrt(ffi_larger(1 - rim->axis[k] * rim->axis[k], 0));
    const double gap = height - rim->radius * tilt;
    if (!(tilt > rim->flat && ffi_is_near(gap, meeting->margin)))
      continue;
    ffi_touch touch = {.feature = first + i, .gap = gap, .roll = FFI_ROLL_AXIS};
    double r[3];
    touch.normal[k] = s;
    for (int j = 0; j < 3; ++j) // down the face's normal, within the cap
      touch.point[j] = rim->centre[j] + rim->radius / tilt * s * (rim->axis[k] * rim->axis[j] - (j == k));
    ffi_v3_sub(touch.point, rim->rolling, r);
    const double need =
        ffi_smaller(how_well_over(half, touch.point, middle, k, s), ffi_v3_norm(r) * hair / apart);
    touch.gap += ffi_raise(ffi_smaller(need, (tilt - rim->flat) * rim->radius), hair * rim->radius);
    ffi_v3_copy(rim->centre, touch.centre);
    ffi_v3_copy(rim->axis, touch.axis);
    ffi_narrow_phase_put(meeting, &touch);
  }
}
