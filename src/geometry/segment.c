// Nearest points of a segment and a point, and of two segments.
#include "geometry/segment.h"

#include "geometry/narrow_phase.h"

// Within -half .. half; 0 for NaN, which gives no touch anyway.
static double clamp(double x, double half)
{
  return x > half ? half : x < -half ? -half : x == x ? x : 0;
}

void ffi_segment_point(const ffi_segment *s, double at, double out[3])
{
  for (int k = 0; k < 3; ++k)
    out[k] = s->middle[k] + at * s->axis[k];
}

double ffi_segment_nearest(const ffi_segment *s, const double x[3])
{
  double r[3];
  ffi_v3_sub(x, s->middle, r);
  return clamp(ffi_v3_dot(s->axis, r), s->half);
}

// The weight of a squared distance from the middle against the squared distance between the segments: directions
// within about sqrt(1e-4) = 0.6 degrees count as parallel. For other segments the place is corrected
// afterwards.
static const double towards_middle = 1e-4;

// The least of |a(s) - b(t)|^2 + towards_middle (s^2 + t^2) over the rectangle: without bounds, then along the
// side that the solution is beyond, then along the other.
void ffi_segment_segment(const ffi_segment *a, const ffi_segment *b, double *on_a, double *on_b)
{
  double r[3], x[3];
  ffi_v3_sub(a->middle, b->middle, r);
  const double c = ffi_v3_dot(a->axis, b->axis), e = 1 + towards_middle;
  const double ar = ffi_v3_dot(a->axis, r), br = ffi_v3_dot(b->axis, r);
  double s = clamp((c * br - e * ar) / (e * e - c * c), a->half);
  double t = (br + s * c) / e;
  if (fabs(t) > b->half) {
    t = clamp(t, b->half);
    s = clamp((t * c - ar) / e, a->half);
  }
  ffi_segment_point(a, s, x);
  *on_b = ffi_segment_nearest(b, x);
  ffi_segment_point(b, *on_b, x);
  *on_a = ffi_segment_nearest(a, x);
}
