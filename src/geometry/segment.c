#include "geometry/segment.h"

#include "geometry/narrow_phase.h"
#include "geometry/surface.h"

// ---- Points and segments ----------------------------------------------------------------------------------

// Within -half .. half; 0 for what is no number, which ends up in no touch anyway.
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

// How much a place off the middle costs, in squared distance, against squared distance between the segments: directions within
// about sqrt(1e-4) = 0.6 degrees count as parallel. The place that is found for segments that are not is put right afterwards.
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

// ---- Segment and box --------------------------------------------------------------------------------------

// The slope, per length, that pulls the crossing from an end to the middle. Where the segment is parallel to a face the
// crossing is not unique without it; with it, tilting by this much moves the crossing across the whole segment. So the segment
// feels a face that is crowned by 1/800 of its length.
static const double towards_centre = 1e-2;

// A crossing counts in full if it is deeper by this part of the segment's length than the line between the two ends'
// distances. Small against the overlaps that carry, so that a corner a hair outside is replaced at once; large against rounding.
static const double enough_sag = 1e-4;

// A face runs along the segment if the sine of the angle between them is less than this.
static const double along = 0.05;

// The distance from the box along the segment, x = 0 .. length, and its slope. Convex, as the signed distance
// from any convex solid is along any line.
typedef struct sample {
  double x, distance, slope, pulled, normal[3]; // pulled: the slope with the pull to the middle
} sample;

typedef struct line {
  const double *from;
  double axis[3], length;
  double low[3], high[3]; // the box, without the faces that are no way out
} line;

static sample look(const line *l, double x)
{
  sample s = {.x = x};
  double p[3];
  for (int k = 0; k < 3; ++k)
    p[k] = l->from[k] + x * l->axis[k];
  s.distance = ffi_box_distance_bounds(l->low, l->high, p, s.normal);
  s.slope = ffi_v3_dot(s.normal, l->axis);
  s.pulled = s.slope + towards_centre * (x / l->length - 0.5);
  return s;
}

// Take face k, side s, off the box, and the part of the segment, `reach` [2], that is outside of it. Returns 0 if nothing is left.
static int take_off(line *l, const double half[3], int k, double s, double reach[2])
{
  const double start = s * l->from[k] - half[k], slope = s * l->axis[k]; // height over the face
  if (s > 0)
    l->high[k] = (double)INFINITY;
  else
    l->low[k] = -(double)INFINITY;
  if (start > 0 && start + slope * l->length > 0)
    return 0;
  if (start > 0)
    reach[0] = ffi_larger(reach[0], -start / slope);
  else if (start + slope * l->length > 0)
    reach[1] = ffi_smaller(reach[1], -start / slope);
  return reach[0] < reach[1];
}

// The box that the edge sees, and the part of the edge that sees it. An edge wholly outside of a face sees all of the box.
static void face_box(const double half[3], const ffi_edge_crossing_edge *edge, line *l, double reach[2])
{
  ffi_v3_scale(-1, half, l->low);
  ffi_v3_copy(half, l->high);
  reach[0] = 0;
  reach[1] = l->length;
  for (int i = 0; edge->centre && i < 6; ++i) {
    const int k = i / 2;
    const double s = i % 2 ? -1 : 1, inwards = edge->centre[k] - 0.5 * (edge->from[k] + edge->to[k]);
    if (fabs(l->axis[k]) < along && s * inwards < 0 && !take_off(l, half, k, s, reach)) {
      const ffi_edge_crossing_edge axis = {edge->from, edge->to, {0, 0}, NULL};
      face_box(half, &axis, l, reach);
      return;
    }
  }
}

// Where the tangents at both ends of a bracket meet: no place between them is lower. For a kink between straight pieces
// it is the place.
static double tangents_meet(const sample *low, const sample *high)
{
  const double width = high->x - low->x;
  return low->x + (high->distance - low->distance - high->slope * width) / (low->slope - high->slope);
}

// Between the ends' own distances.
static double between_ends(const ffi_edge_crossing_edge *edge, const line *l, double x)
{
  return edge->ends[0] + x / l->length * (edge->ends[1] - edge->ends[0]);
}

// May there be a crossing with a gap up to `most`? No, if not even where the tangents at both ends meet.
static int is_possible(const ffi_edge_crossing_edge *edge, const line *l, const sample *low,
                       const sample *high, double most)
{
  if (!(low->pulled < 0 && high->pulled > 0)) // all downhill: an end
    return 0;
  double least = ffi_smaller(low->distance, high->distance), sag = 0;
  double x[3] = {low->x, high->x, low->x};
  if (low->slope < high->slope)
    x[2] = ffi_smaller(ffi_larger(tangents_meet(low, high), low->x), high->x);
  for (int i = 0; i < 3; ++i) {
    const double bottom = ffi_larger(low->distance + low->slope * (x[i] - low->x),
                                     high->distance + high->slope * (x[i] - high->x));
    least = i == 2 ? ffi_smaller(least, bottom) : least;
    sag = ffi_larger(sag, between_ends(edge, l, x[i]) - bottom);
  }
  if (least < 0) { // to an edge it may be farther than to its faces, by up to sqrt 2
    sag -= 0.5 * least;
    least *= 1.5;
  }
  return least + ffi_raise(sag, enough_sag * l->length) <= most;
}

// Narrow [low, high] down to a place where the pulled slope changes its sign. Tangents find kinks, the secant finds the
// smooth ones, and every third place is the middle: at most three looks for each halving, ten or so in all.
static void narrow(const line *l, sample *low, sample *high)
{
  const double tolerance = 1e-13 * l->length; // above the rounding of a place, below any length that matters
  for (int i = 0; i < 150 && high->x - low->x > 2 * tolerance; ++i) {
    double x = 0.5 * (low->x + high->x);
    if (i % 3 == 0 && low->slope < high->slope)
      x = tangents_meet(low, high);
    else if (i % 3 == 1)
      x = low->x + (high->x - low->x) * low->pulled / (low->pulled - high->pulled);
    x = ffi_smaller(ffi_larger(x, low->x + tolerance), high->x - tolerance);
    const sample s = look(l, x);
    if (s.pulled < 0)
      *low = s;
    else
      *high = s;
  }
}

// The normal at a crossing. Outside the box it is the direction to the segment. Inside, the crossing is a kink: one face is the way
// out on one side and another on the other, and the normal is the mixture of both that is normal to the segment and to
// their common edge. Returns by how much the depth to the faces must be stretched to be the depth to that edge.
static double mix_normals(const sample *low, const sample *high, double normal[3])
{
  const double a = ffi_larger(high->slope, 0), b = ffi_larger(-low->slope, 0);
  double mixed[3];
  for (int k = 0; k < 3; ++k)
    mixed[k] = a * low->normal[k] + b * high->normal[k];
  const double length = sqrt(ffi_v3_dot(mixed, mixed));
  ffi_v3_copy(low->normal, normal);
  if (!(length > 1e-9 * (a + b))) // two opposite faces: a thin plate, pierced
    return 1;
  ffi_v3_scale(1 / length, mixed, normal);
  return (a + b) / length;
}

int ffi_edge_crossing_find(const double half[3], const ffi_edge_crossing_edge *edge, double most,
                           ffi_crossing *out)
{
  line l = {.from = edge->from};
  double reach[2];
  ffi_v3_sub(edge->to, edge->from, l.axis);
  l.length = ffi_direction(l.axis, l.axis);
  if (!(l.length > 0) || 0.5 * (edge->ends[0] + edge->ends[1] - l.length) > most) // no place can be as near
    return 0;
  face_box(half, edge, &l, reach);
  sample low = look(&l, reach[0]), high = look(&l, reach[1]);
  if (!is_possible(edge, &l, &low, &high, most))
    return 0;
  narrow(&l, &low, &high);
  const double stretch = mix_normals(&low, &high, out->normal);
  out->gap = low.distance < 0 ? low.distance * stretch : low.distance;
  out->gap += ffi_raise(between_ends(edge, &l, low.x) - out->gap, enough_sag * l.length);
  for (int k = 0; k < 3; ++k)
    out->point[k] = edge->from[k] + low.x * l.axis[k];
  ffi_v3_copy(l.axis, out->axis);
  return out->gap <= most;
}
