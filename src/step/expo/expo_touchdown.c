// Touch-downs by interpolation of gaps: a secant, then parabolas. See expo_touchdown.h.
#include "step/expo/expo_touchdown.h"

#include "math/vec3.h"
#include "step/eval/contact_jacobian.h"
#include "step/expo/expo_substep.h"

#include <math.h>

// The gap of features that are too far away to be listed: the margin of the list.
static const double far = FFI_EVALUATION_NEAR_MARGIN;

// Iterations before the search stops: a secant and three parabolas reach rounding where the motion is smooth.
enum { MAX_ITERATIONS = 8 };

// A feature that was not listed at the start, or begins at a depth, may touch down before the one that is searched for.
// If its share of the substep is below this, the search continues with it.
static const double earlier = 0.99;

static int find_near(const ffi_evaluation *at, int id)
{
  int low = 0, high = at->near_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (at->near[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < at->near_count && at->near[low].id == id ? low : -1;
}

double ffi_expo_touchdown_gap_at_start(const ffi_expo *e, int id, double otherwise)
{
  const int n = find_near(e->start, id);
  return n >= 0 ? e->start->near[n].gap : otherwise;
}

// Of the features that overlap at the end of the substep without being in contact: the first to get there, by linear
// interpolation; -1: none.
static int first_touchdown(const ffi_expo *e, double tolerance, double *fraction)
{
  int first = -1, t = 0;
  *fraction = INFINITY;
  for (int n = 0; n < e->end.near_count; ++n) {
    const ffi_detect_candidate *near = &e->end.near[n];
    while (t < e->end_state->touching_count && e->end_state->touching[t].id < near->id)
      ++t;
    if (near->gap >= -tolerance ||
        (t < e->end_state->touching_count && e->end_state->touching[t].id == near->id))
      continue;
    const double before = ffi_expo_touchdown_gap_at_start(e, near->id, far);
    const double share = before > 0 ? before / (before - near->gap) : 0;
    if (share < *fraction) {
      *fraction = share;
      first = near->id;
    }
  }
  return first;
}

double ffi_expo_touchdown_missed(const ffi_system *s, ffi_expo *e, double h, double min_length)
{
  const ffi_frozen *z = &e->frozen;
  // the evaluation has room for one more block of rows
  const size_t used = (size_t)(e->end.count + e->end.constraint_count) * (size_t)e->end.stride;
  const ffi_rows3_room room = {e->end.J + 3 * used, e->end.dofs + used, e->end.stride};
  double *dx = e->scratch, first = h;
  for (int k = 0; k < z->n; ++k)
    dx[k] = z->delta_x[k] - e->predicted[k];
  for (int n = 0, t = 0; n < e->end.near_count; ++n) {
    const ffi_detect_candidate *near = &e->end.near[n];
    while (t < e->end_state->touching_count && e->end_state->touching[t].id < near->id)
      ++t;
    if (t < e->end_state->touching_count && e->end_state->touching[t].id == near->id)
      continue;
    double moved[3];
    ffi_contact_jacobian_displacement(s, &e->end.at, near, dx, &room, moved);
    const double gap = near->gap + ffi_v3_dot(near->normal, moved);
    const double before = ffi_expo_touchdown_gap_at_start(e, near->id, far);
    if (gap >= 0 || before <= 0)
      continue;
    const double time = h * before / (before - gap);
    if (time < h - min_length && time < first)
      first = time;
  }
  return first;
}

// Root in (low, high) of the parabola through three points of a function that changes sign there.
static double parabola_root(const double t[3], const double g[3], double low, double high)
{
  const double d1 = (g[1] - g[0]) / (t[1] - t[0]), d2 = ((g[2] - g[1]) / (t[2] - t[1]) - d1) / (t[2] - t[0]);
  const double b = d1 + d2 * (t[1] - t[0]), root = b * b - 4 * d2 * g[1]; // g1 + b x + d2 x^2, x from t1
  if (root >= 0) {
    const double x = -2 * g[1] / (b + copysign(sqrt(root), b));
    if (t[1] + x > low && t[1] + x < high)
      return t[1] + x;
  }
  return 0.5 * (low + high);
}

ff_status ffi_expo_touchdown_search(ffi_system *s, ffi_expo *e, double *h, ff_error *error)
{
  double fraction, low = 0, high = *h, t[3], g[3];
  ff_status status = FF_OK;
  int id = first_touchdown(e, 0, &fraction);
  for (int search = 0, tracked = -1; id >= 0 && status == FF_OK && search < MAX_ITERATIONS; ++search) {
    const double before = ffi_expo_touchdown_gap_at_start(e, id, far);
    const int at = find_near(&e->end, id);
    const double gap = at >= 0 ? e->end.near[at].gap : far;
    if (id != tracked) { // a new feature: two points of it are known
      tracked = id;
      t[0] = 0, g[0] = before, t[2] = *h, g[2] = gap;
      low = 0, high = *h;
      t[1] = *h * fmax(fraction, 1e-6), g[1] = NAN; // a substep has a positive length
    } else {
      // of the distance it moved; 1e-13 m is the rounding of positions
      const double enough = 1e-7 * (fabs(before) + fabs(g[2])) + 1e-13;
      if (fabs(gap) <= enough)
        break;
      if (gap > 0)
        low = *h;
      else
        high = *h;
      if (isnan(g[1])) {
        t[1] = *h, g[1] = gap;
      } else {
        const int keep = gap > 0 ? 0 : 2; // the newest point in place of the farther one on its side
        t[keep] = t[1], g[keep] = g[1];
        t[1] = *h, g[1] = gap;
      }
    }
    *h = isnan(g[1]) ? t[1] : parabola_root(t, g, low, high);
    status = ffi_expo_substep_predict(s, e, *h, 0, error);
    if (status == FF_OK)
      status = ffi_expo_substep_evaluate(s, e, *h, error);
    const int other = status == FF_OK ? first_touchdown(e, 1e-9, &fraction) : -1;
    const int own = find_near(&e->end, id);
    if (other >= 0 && other != id && ((own >= 0 && e->end.near[own].gap > 0) || fraction < earlier))
      id = other;
  }
  return status;
}
