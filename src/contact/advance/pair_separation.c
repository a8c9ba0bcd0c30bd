// One pair: its separation along a direction, and how far ahead it is known.
#include "contact/advance/advance_memory.h"

#include "geometry/convex.h"
#include "math/mat3.h"

static const ffi_solid *solid_of(const ffi_colliders *scene, int party)
{
  return &scene->parties[party].solid;
}

double ffi_pair_separation_core_low(const ffi_solid *solid, const ffi_pose *place, const double n[3])
{
  ffi_convex core;
  double down[3], lowest[3];
  ffi_convex_set(solid, place->p, place->R, &core);
  ffi_v3_scale(-1, n, down);
  ffi_convex_support(&core, down, lowest);
  return ffi_v3_dot(n, lowest);
}

static double rinds(const ffi_colliders *scene, const ffi_pair_separation *w)
{
  const double x = ffi_convex_rind(solid_of(scene, w->x));
  return w->kind == FFI_PAIR_SEPARATION_CONVEX ? x + ffi_convex_rind(solid_of(scene, w->y)) : x;
}

// The separation along n at one moment: how far x lies beyond y. The normal of a plane is its own.
static double separation(const ffi_colliders *scene, const ffi_pair_separation *w,
                         const ffi_advance_moment *m, const double n[3])
{
  const ffi_pose *x = &m->course[w->x].place, *y = &m->course[w->y].place;
  if (w->kind == FFI_PAIR_SEPARATION_PLANE) {
    const double up[3] = {y->R[2], y->R[5], y->R[8]};
    return ffi_pair_separation_core_low(solid_of(scene, w->x), x, up) - ffi_v3_dot(up, y->p) -
           rinds(scene, w);
  }
  double back[3];
  ffi_v3_scale(-1, n, back);
  return ffi_pair_separation_core_low(solid_of(scene, w->x), x, n) +
         ffi_pair_separation_core_low(solid_of(scene, w->y), y, back) - rinds(scene, w);
}

int ffi_pair_separation_measure(const ffi_colliders *scene, ffi_pair_separation *w,
                                const ffi_advance_moment *m, ffi_distance *out)
{
  const ffi_pose *x = &m->course[w->x].place, *y = &m->course[w->y].place;
  return ffi_distance_measure(solid_of(scene, w->x), x->p, x->R, solid_of(scene, w->y), y->p, y->R,
                              &w->memory, out);
}

// ---- Rates -------------------------------------------------------------------------------------------------

double ffi_pair_separation_pace(const ffi_advance *a, const ffi_pair_separation *w, double h, double *away)
{
  const ffi_advance_course *x = &a->now.course[w->x], *y = &a->now.course[w->y];
  double apart[3];
  ffi_v3_sub(x->place.p, y->place.p, apart);
  *away = ffi_v3_norm(apart) + a->extent[w->x].core + (x->pace + y->frame.speed) * h;
  return x->pace + y->frame.speed + (y->frame.turn > 0 ? y->frame.turn * *away : 0);
}

// In the frame of y a point accelerates with  a_x - a_y - alpha x r - w x (w x r) - 2 w x u,  r and u its place and velocity there. Along n, fixed in y,
// the last three are  (r x n) alpha,  (n x w)(w x r)  and  2 (n x w) u.
static double bend_of(const ffi_advance *a, const ffi_pair_separation *w, const double *n, double h)
{
  const ffi_advance_course *x = &a->now.course[w->x], *y = &a->now.course[w->y];
  if (w->kind == FFI_PAIR_SEPARATION_CONVEX)
    return x->bend + y->bend;
  const ffi_motion_bound *f = &y->frame;
  double away, across[3], bend = x->bend + f->bend;
  if (!(f->turn > 0 || f->twist > 0))
    return bend;
  const double pace = ffi_pair_separation_pace(a, w, h, &away);
  double lean = f->turn;
  if (n) {
    ffi_v3_cross(n, y->w, across);
    lean = fmin(lean, ffi_v3_norm(across) + f->twist * h);
  }
  return bend + f->twist * away + lean * (f->turn * away + 2 * pace);
}

static double doubt_of(const ffi_advance *a, const ffi_pair_separation *w, double T)
{
  const ffi_advance_course *x = &a->now.course[w->x], *y = &a->now.course[w->y];
  if (w->kind == FFI_PAIR_SEPARATION_CONVEX || !(y->frame.doubt_turn > 0))
    return x->doubt + y->doubt;
  double away;
  ffi_pair_separation_pace(a, w, T, &away);
  return x->doubt + y->frame.doubt + y->frame.doubt_turn * (away + (x->doubt + y->frame.doubt) * T);
}

int ffi_pair_separation_begin(const ffi_advance *a, const ffi_colliders *scene, double T,
                              ffi_pair_separation *w)
{
  if (!ffi_pair_separation_measure(scene, w, &a->now, &w->at))
    return 0;
  if (w->kind == FFI_PAIR_SEPARATION_FIELD && w->at.value < 0)
    w->at.value = ffi_pair_separation_field_depth(a, scene, w);
  const double left = T - a->now.time;
  w->bend = bend_of(a, w, w->kind == FFI_PAIR_SEPARATION_PLANE ? w->at.normal : NULL, left);
  w->doubt = doubt_of(a, w, T);
  return 1;
}

// ---- From one end ------------------------------------------------------------------------------------------

// The least of n p + s n dp/dt over the core: points p move with v + w x (p - c), so it is that of (n + s n x w)(p - c), the core's reach in a direction that leans.
static double low_after(const ffi_solid *solid, const ffi_pose *place, const double v[3], const double w[3],
                        const double n[3], double s)
{
  double lean[3], way = ffi_v3_dot(n, place->p) + s * ffi_v3_dot(n, v);
  ffi_v3_cross(n, w, lean);
  if (lean[0] == 0 && lean[1] == 0 && lean[2] == 0)
    return ffi_pair_separation_core_low(solid, place, n) + s * ffi_v3_dot(n, v);
  ffi_v3_scale(s, lean, lean);
  ffi_v3_add(n, lean, lean);
  return ffi_pair_separation_core_low(solid, place, lean) - ffi_v3_dot(lean, place->p) + way;
}

// Velocities of x relative to the frame of a plane.
static void seen_from_plane(const ffi_advance_course *x, const ffi_advance_course *y, double v[3],
                            double w[3])
{
  double arm[3], carried[3];
  ffi_v3_sub(x->place.p, y->place.p, arm);
  ffi_v3_cross(y->w, arm, carried);
  ffi_v3_add(carried, y->v, carried);
  ffi_v3_sub(x->v, carried, v);
  ffi_v3_sub(x->w, y->w, w);
}

// The separation along w->at.normal after s if all velocities stayed as they are now; concave in s, being the least of many straight lines.
static double foreseen(const ffi_advance *a, const ffi_colliders *scene, const ffi_pair_separation *w,
                       double s)
{
  const ffi_advance_course *x = &a->now.course[w->x], *y = &a->now.course[w->y];
  const double *n = w->at.normal;
  if (w->kind == FFI_PAIR_SEPARATION_PLANE) {
    double v[3], turn[3];
    seen_from_plane(x, y, v, turn);
    return low_after(solid_of(scene, w->x), &x->place, v, turn, n, s) - ffi_v3_dot(n, y->place.p) -
           rinds(scene, w);
  }
  double back[3];
  ffi_v3_scale(-1, n, back);
  return low_after(solid_of(scene, w->x), &x->place, x->v, x->w, n, s) +
         low_after(solid_of(scene, w->y), &y->place, y->v, y->w, back, s) - rinds(scene, w);
}

// What is left above the floor after s, at least.
static double margin_after(const ffi_advance *a, const ffi_colliders *scene, const ffi_pair_separation *w,
                           double s)
{
  return foreseen(a, scene, w, s) - w->doubt * (a->now.time + s) - 0.5 * w->bend * s * s - w->floor;
}

// Against a field no direction holds for all of its prisms; the distance falls no faster than any point moves.
static double hold_field(const ffi_advance *a, const ffi_pair_separation *w, double h)
{
  double away;
  const double pace = ffi_pair_separation_pace(a, w, h, &away) + w->doubt;
  const double left = w->at.value - w->doubt * a->now.time - w->floor;
  return !(left > 0) ? 0 : left >= pace * h ? h : left / pace;
}

// A concave function that is positive at 0 and negative at h: chords from the left lie below it, their crossing before its own; the same chords
// drawn out cross after it.
double ffi_pair_separation_hold(const ffi_advance *a, const ffi_colliders *scene,
                                const ffi_pair_separation *w, double h)
{
  if (w->kind == FFI_PAIR_SEPARATION_FIELD)
    return hold_field(a, w, h);
  double lo = 0, at_lo = margin_after(a, scene, w, 0), hi = h;
  if (!(at_lo > 0))
    return 0;
  double at_hi = margin_after(a, scene, w, h);
  for (int round = 0; round < 4 && at_hi < 0; ++round) {
    const double before = lo, at_before = at_lo;
    lo += (hi - lo) * at_lo / (at_lo - at_hi);
    at_lo = margin_after(a, scene, w, lo);
    if (!(at_lo > 0) || !(at_before > at_lo))
      return at_lo >= 0 ? lo : before;
    const double out = lo + at_lo * (lo - before) / (at_before - at_lo);
    if (out - lo < 0.01 * lo || out >= hi)
      return lo;
    hi = out;
    at_hi = margin_after(a, scene, w, hi);
  }
  return at_hi < 0 ? lo : hi;
}

static double speed_at(const ffi_advance_course *c, const double x[3], const double n[3])
{
  double arm[3], turning[3];
  ffi_v3_sub(x, c->place.p, arm);
  ffi_v3_cross(c->w, arm, turning);
  return ffi_v3_dot(n, c->v) + ffi_v3_dot(n, turning);
}

double ffi_pair_separation_guess(const ffi_advance *a, const ffi_pair_separation *w)
{
  const double *n = w->at.normal;
  const double closing = speed_at(&a->now.course[w->y], w->at.on_b, n) -
                         speed_at(&a->now.course[w->x], w->at.on_a, n) + w->doubt;
  const double left = w->at.value - w->doubt * a->now.time - w->floor;
  return closing > 0 ? fmax(left, 0) / closing : (double)INFINITY;
}

// The fastest closing speed of any two points, C2A paper eq. 3 with a support function for |d x w| r_max.
static double closing_speed(const ffi_advance *a, const ffi_colliders *scene, const ffi_pair_separation *w)
{
  const ffi_advance_course *x = &a->now.course[w->x], *y = &a->now.course[w->y];
  double v[3], turn[3], lean[3], speed;
  const double *n = w->at.normal;
  ffi_v3_copy(x->w, turn);
  ffi_v3_sub(x->v, y->v, v);
  if (w->kind == FFI_PAIR_SEPARATION_PLANE)
    seen_from_plane(x, y, v, turn);
  ffi_v3_cross(n, turn, lean);
  speed = -ffi_v3_dot(n, v) - ffi_pair_separation_core_low(solid_of(scene, w->x), &x->place, lean) +
          ffi_v3_dot(lean, x->place.p);
  if (w->kind == FFI_PAIR_SEPARATION_PLANE)
    return speed;
  ffi_v3_cross(y->w, n, lean);
  return speed - ffi_pair_separation_core_low(solid_of(scene, w->y), &y->place, lean) +
         ffi_v3_dot(lean, y->place.p);
}

// d - (mu + doubt) t - A t^2 / 2 = 0, the smallest t > 0.
double ffi_pair_separation_bound(const ffi_advance *a, const ffi_colliders *scene,
                                 const ffi_pair_separation *w, double h)
{
  if (w->kind == FFI_PAIR_SEPARATION_FIELD) {
    ffi_pair_separation touching = *w;
    touching.floor = 0;
    return hold_field(a, &touching, h);
  }
  const double d = fmax(w->at.value, 0), mu = closing_speed(a, scene, w) + w->doubt;
  if (mu * h + 0.5 * w->bend * h * h <= d)
    return h; // concave in t, and not below 0 at either end
  const double root = sqrt(mu * mu + 2 * w->bend * d);
  return fmin(h, mu > 0 ? 2 * d / (mu + root) : (root - mu) / w->bend);
}

// ---- From two ends -----------------------------------------------------------------------------------------

// (1 - s) a + s b - K s (1 - s), K = bend h^2 / 2, is least at an end unless |b - a| < K.
double ffi_pair_separation_least_between(double a, double b, double bend, double h)
{
  const double K = 0.5 * bend * h * h, d = b - a;
  return fabs(d) >= K ? fmin(a, b) : 0.5 * (a + b) - 0.25 * K - 0.25 * d * d / K;
}

static double least_along(const ffi_advance *a, const ffi_colliders *scene, const ffi_pair_separation *w,
                          const double n[3], double *end)
{
  const double t0 = a->now.time, t1 = a->next.time;
  const double start = separation(scene, w, &a->now, n) - w->doubt * t0;
  *end = separation(scene, w, &a->next, n) - w->doubt * t1;
  return ffi_pair_separation_least_between(start, *end, w->bend, t1 - t0);
}

int ffi_pair_separation_between(const ffi_advance *a, const ffi_colliders *scene, ffi_pair_separation *w,
                                double shortest, double *shorter)
{
  const double h = a->next.time - a->now.time;
  double start = w->at.value - w->doubt * a->now.time, end;
  ffi_distance there;
  *shorter = 0.5 * h;
  if (w->kind == FFI_PAIR_SEPARATION_FIELD) {
    if (ffi_pair_separation_field_between(a, scene, w))
      return 1;
    if (!ffi_pair_separation_measure(scene, w, &a->next, &there))
      return 0;
    end = there.value - w->doubt * a->next.time;
  } else {
    if (least_along(a, scene, w, w->at.normal, &end) >= w->floor)
      return 1;
    if (w->kind == FFI_PAIR_SEPARATION_CONVEX && ffi_pair_separation_measure(scene, w, &a->next, &there) &&
        there.value - w->doubt * a->next.time >= w->floor) {
      double along;
      if (least_along(a, scene, w, there.normal, &along) >= w->floor)
        return 1;
    }
  }
  if (end < w->floor && end < start) // where the chord comes down to the floor, and a little before
    *shorter = h * fmax(start - w->floor, 0) / (start - end) - 0.5 * shortest;
  return 0;
}
