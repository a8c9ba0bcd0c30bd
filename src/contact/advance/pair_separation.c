// The separation of one pair, and bounds of it from one end and from two.  docs/theory/advancement.md, sections 3 to 6
#include "contact/advance/advance_memory.h"

#include "geometry/convex.h"
#include "geometry/height_field.h"
#include "math/mat3.h"

static const ffi_solid *solid_of(const ffi_colliders *colliders, int collider)
{
  return &colliders->items[collider].solid;
}

double ffi_pair_separation_core_low(const ffi_solid *solid, const ffi_pose *pose, const double n[3])
{
  ffi_convex core;
  double down[3], lowest[3];
  ffi_convex_set(solid, pose->p, pose->R, &core);
  ffi_v3_scale(-1, n, down);
  ffi_convex_support(&core, down, lowest);
  return ffi_v3_dot(n, lowest);
}

static double swept_radii(const ffi_colliders *colliders, const ffi_pair_separation *w)
{
  const double x = ffi_convex_swept_radius(solid_of(colliders, w->x));
  return w->kind == FFI_PAIR_SEPARATION_CONVEX ? x + ffi_convex_swept_radius(solid_of(colliders, w->y)) : x;
}

// The separation along n at one moment, eq. 1. For a plane n is its own normal.
static double separation(const ffi_colliders *colliders, const ffi_pair_separation *w,
                         const ffi_advance_moment *m, const double n[3])
{
  const ffi_pose *x = &m->course[w->x].pose, *y = &m->course[w->y].pose;
  if (w->kind == FFI_PAIR_SEPARATION_PLANE) {
    const double up[3] = {y->R[2], y->R[5], y->R[8]};
    return ffi_pair_separation_core_low(solid_of(colliders, w->x), x, up) - ffi_v3_dot(up, y->p) -
           swept_radii(colliders, w);
  }
  double back[3];
  ffi_v3_scale(-1, n, back);
  return ffi_pair_separation_core_low(solid_of(colliders, w->x), x, n) +
         ffi_pair_separation_core_low(solid_of(colliders, w->y), y, back) - swept_radii(colliders, w);
}

// Some triangles in each cell need a look at their planes alone, a few of all their distances.
static void count_field(const ffi_advance *a, const ffi_colliders *colliders, const ffi_pair_separation *w)
{
  const ffi_solid *x = solid_of(colliders, w->x), *y = solid_of(colliders, w->y);
  *a->work += 0.04 * ffi_height_field_cells_under(y->field, x->radius);
  ffi_pair_separation_count(a, colliders, w, 4);
}

void ffi_pair_separation_count(const ffi_advance *a, const ffi_colliders *colliders,
                               const ffi_pair_separation *w, int distances)
{
  const int is_smooth = solid_of(colliders, w->x)->type == FF_SHAPE_ELLIPSOID ||
                        solid_of(colliders, w->y)->type == FF_SHAPE_ELLIPSOID;
  *a->work += distances * (is_smooth ? 2 : 0.5);
}

int ffi_pair_separation_measure(const ffi_advance *a, const ffi_colliders *colliders, ffi_pair_separation *w,
                                const ffi_advance_moment *m, ffi_distance *out)
{
  if (w->kind == FFI_PAIR_SEPARATION_CONVEX)
    ffi_pair_separation_count(a, colliders, w, 1);
  else if (w->kind == FFI_PAIR_SEPARATION_FIELD)
    count_field(a, colliders, w);
  const ffi_pose *x = &m->course[w->x].pose, *y = &m->course[w->y].pose;
  return ffi_distance_measure(&(ffi_solid_at){solid_of(colliders, w->x), x->p, x->R},
                              &(ffi_solid_at){solid_of(colliders, w->y), y->p, y->R}, &w->memory, out);
}

// ---- Rates -------------------------------------------------------------------------------------------------

static double top_speed_within(const ffi_advance *a, const ffi_pair_separation *w, double h, double *away)
{
  const ffi_advance_course *x = &a->now.course[w->x], *y = &a->now.course[w->y];
  double apart[3];
  ffi_v3_sub(x->pose.p, y->pose.p, apart);
  *away = ffi_v3_norm(apart) + a->extent[w->x].core + (x->top_speed + y->frame.speed) * h;
  return x->top_speed + y->frame.speed + (y->frame.turn > 0 ? y->frame.turn * *away : 0);
}

// Eq. 12: in the frame of y a point accelerates with a_x - a_y - alpha x r - w x (w x r) - 2 w x u, r and u its
// position and velocity there. Along n, fixed in y, the last three are (r x n) alpha, (n x w)(w x r) and 2 (n x w) u.
static double accel_of(const ffi_advance *a, const ffi_pair_separation *w, const double *n, double h)
{
  const ffi_advance_course *x = &a->now.course[w->x], *y = &a->now.course[w->y];
  if (w->kind == FFI_PAIR_SEPARATION_CONVEX)
    return x->accel + y->accel;
  const ffi_motion_bound *f = &y->frame;
  double away, across[3], accel = x->accel + f->accel;
  if (!(f->turn > 0 || f->alpha > 0))
    return accel;
  const double top_speed = top_speed_within(a, w, h, &away);
  double lean = f->turn;
  if (n) {
    ffi_v3_cross(n, y->w, across);
    lean = fmin(lean, ffi_v3_norm(across) + f->alpha * h);
  }
  return accel + f->alpha * away + lean * (f->turn * away + 2 * top_speed);
}

static double error_rate(const ffi_advance *a, const ffi_pair_separation *w, double T)
{
  const ffi_advance_course *x = &a->now.course[w->x], *y = &a->now.course[w->y];
  if (w->kind == FFI_PAIR_SEPARATION_CONVEX || !(y->frame.angular_error > 0))
    return x->error_rate + y->error_rate;
  double away;
  top_speed_within(a, w, T, &away);
  return x->error_rate + y->frame.error_rate +
         y->frame.angular_error * (away + (x->error_rate + y->frame.error_rate) * T);
}

int ffi_pair_separation_begin(const ffi_advance *a, const ffi_colliders *colliders, double T,
                              ffi_pair_separation *w)
{
  if (!ffi_pair_separation_measure(a, colliders, w, &a->now, &w->at))
    return 0;
  if (w->kind == FFI_PAIR_SEPARATION_FIELD && w->at.value < 0)
    w->at.value = ffi_pair_separation_field_depth(a, colliders, w);
  const double left = T - a->now.time;
  w->accel = accel_of(a, w, w->kind == FFI_PAIR_SEPARATION_PLANE ? w->at.normal : NULL, left);
  w->error_rate = error_rate(a, w, T);
  return 1;
}

// ---- From one end, eqs 8 and 9
// ------------------------------------------------------------------------------------------

// The least of n p + s n dp/dt over the core: points p move with v + w x (p - c), so it is the least of
// (n + s n x w)(p - c), a support point along a tilted direction.
static double low_after(const ffi_solid *solid, const ffi_pose *pose, const double v[3], const double w[3],
                        const double n[3], double s)
{
  double lean[3], way = ffi_v3_dot(n, pose->p) + s * ffi_v3_dot(n, v);
  ffi_v3_cross(n, w, lean);
  if (lean[0] == 0 && lean[1] == 0 && lean[2] == 0)
    return ffi_pair_separation_core_low(solid, pose, n) + s * ffi_v3_dot(n, v);
  ffi_v3_scale(s, lean, lean);
  ffi_v3_add(n, lean, lean);
  return ffi_pair_separation_core_low(solid, pose, lean) - ffi_v3_dot(lean, pose->p) + way;
}

// Velocities of x relative to the frame of a plane.
static void relative_to_plane(const ffi_advance_course *x, const ffi_advance_course *y, double v[3],
                              double w[3])
{
  double arm[3], carried[3];
  ffi_v3_sub(x->pose.p, y->pose.p, arm);
  ffi_v3_cross(y->w, arm, carried);
  ffi_v3_add(carried, y->v, carried);
  ffi_v3_sub(x->v, carried, v);
  ffi_v3_sub(x->w, y->w, w);
}

// The separation along w->at.normal after s with all velocities as they are now; concave in s, as a minimum of straight
// lines.
static double separation_after(const ffi_advance *a, const ffi_colliders *colliders,
                               const ffi_pair_separation *w, double s)
{
  const ffi_advance_course *x = &a->now.course[w->x], *y = &a->now.course[w->y];
  const double *n = w->at.normal;
  if (w->kind == FFI_PAIR_SEPARATION_PLANE) {
    double v[3], turn[3];
    relative_to_plane(x, y, v, turn);
    return low_after(solid_of(colliders, w->x), &x->pose, v, turn, n, s) - ffi_v3_dot(n, y->pose.p) -
           swept_radii(colliders, w);
  }
  double back[3];
  ffi_v3_scale(-1, n, back);
  return low_after(solid_of(colliders, w->x), &x->pose, x->v, x->w, n, s) +
         low_after(solid_of(colliders, w->y), &y->pose, y->v, y->w, back, s) - swept_radii(colliders, w);
}

// Lower bound of the separation above the floor after s.
static double margin_after(const ffi_advance *a, const ffi_colliders *colliders, const ffi_pair_separation *w,
                           double s)
{
  return separation_after(a, colliders, w, s) - w->error_rate * (a->now.time + s) - 0.5 * w->accel * s * s -
         w->floor;
}

// Against a field no direction serves for all of its prisms; the distance falls no faster than any point moves.
static double free_time_field(const ffi_advance *a, const ffi_pair_separation *w, double h)
{
  double away;
  const double top_speed = top_speed_within(a, w, h, &away) + w->error_rate;
  const double left = w->at.value - w->error_rate * a->now.time - w->floor;
  return !(left > 0) ? 0 : left >= top_speed * h ? h : left / top_speed;
}

// The root of a concave function that is positive at 0 and negative at h: a chord from the left lies below it and has
// its root before; the same chord extended has its root after it.
double ffi_pair_separation_free_time(const ffi_advance *a, const ffi_colliders *colliders,
                                     const ffi_pair_separation *w, double h)
{
  if (w->kind == FFI_PAIR_SEPARATION_FIELD)
    return free_time_field(a, w, h);
  double lo = 0, at_lo = margin_after(a, colliders, w, 0), hi = h;
  if (!(at_lo > 0))
    return 0;
  double at_hi = margin_after(a, colliders, w, h);
  for (int round = 0; round < 4 && at_hi < 0; ++round) {
    const double before = lo, at_before = at_lo;
    lo += (hi - lo) * at_lo / (at_lo - at_hi);
    at_lo = margin_after(a, colliders, w, lo);
    if (!(at_lo > 0) || !(at_before > at_lo))
      return at_lo >= 0 ? lo : before;
    const double out = lo + at_lo * (lo - before) / (at_before - at_lo);
    if (out - lo < 0.01 * lo || out >= hi)
      return lo;
    hi = out;
    at_hi = margin_after(a, colliders, w, hi);
  }
  return at_hi < 0 ? lo : hi;
}

static double speed_at(const ffi_advance_course *c, const double x[3], const double n[3])
{
  double arm[3], turning[3];
  ffi_v3_sub(x, c->pose.p, arm);
  ffi_v3_cross(c->w, arm, turning);
  return ffi_v3_dot(n, c->v) + ffi_v3_dot(n, turning);
}

double ffi_pair_separation_guess(const ffi_advance *a, const ffi_pair_separation *w)
{
  const double *n = w->at.normal;
  const double closing = speed_at(&a->now.course[w->y], w->at.on_b, n) -
                         speed_at(&a->now.course[w->x], w->at.on_a, n) + w->error_rate;
  const double left = w->at.value - w->error_rate * a->now.time - w->floor;
  return closing > 0 ? fmax(left, 0) / closing : (double)INFINITY;
}

// The greatest closing speed of any two points, mu of eq. 8: C2A paper eq. 3 with a support function for |d x w| r_max.
static double closing_speed(const ffi_advance *a, const ffi_colliders *colliders,
                            const ffi_pair_separation *w)
{
  const ffi_advance_course *x = &a->now.course[w->x], *y = &a->now.course[w->y];
  double v[3], turn[3], lean[3], speed;
  const double *n = w->at.normal;
  ffi_v3_copy(x->w, turn);
  ffi_v3_sub(x->v, y->v, v);
  if (w->kind == FFI_PAIR_SEPARATION_PLANE)
    relative_to_plane(x, y, v, turn);
  ffi_v3_cross(n, turn, lean);
  speed = -ffi_v3_dot(n, v) - ffi_pair_separation_core_low(solid_of(colliders, w->x), &x->pose, lean) +
          ffi_v3_dot(lean, x->pose.p);
  if (w->kind == FFI_PAIR_SEPARATION_PLANE)
    return speed;
  ffi_v3_cross(y->w, n, lean);
  return speed - ffi_pair_separation_core_low(solid_of(colliders, w->y), &y->pose, lean) +
         ffi_v3_dot(lean, y->pose.p);
}

// The smallest t > 0 with d - (mu + error_rate) t - A t^2 / 2 = 0.
double ffi_pair_separation_bound(const ffi_advance *a, const ffi_colliders *colliders,
                                 const ffi_pair_separation *w, double h)
{
  if (w->kind == FFI_PAIR_SEPARATION_FIELD) {
    ffi_pair_separation touching = *w;
    touching.floor = 0;
    return free_time_field(a, &touching, h);
  }
  const double d = fmax(w->at.value, 0), mu = closing_speed(a, colliders, w) + w->error_rate;
  if (mu * h + 0.5 * w->accel * h * h <= d)
    return h; // concave in t, and not below 0 at either end
  const double root = sqrt(mu * mu + 2 * w->accel * d);
  return fmin(h, mu > 0 ? 2 * d / (mu + root) : (root - mu) / w->accel);
}

// ---- From two ends, eq. 10 -----------------------------------------------------------------------------------------

// (1 - s) a + s b - K s (1 - s) with K = accel h^2 / 2 is least at an end unless |b - a| < K.
double ffi_pair_separation_least_between(double a, double b, double accel, double h)
{
  const double K = 0.5 * accel * h * h, d = b - a;
  return fabs(d) >= K ? fmin(a, b) : 0.5 * (a + b) - 0.25 * K - 0.25 * d * d / K;
}

static double least_along(const ffi_advance *a, const ffi_colliders *colliders, const ffi_pair_separation *w,
                          const double n[3], double *end)
{
  const double t0 = a->now.time, t1 = a->next.time;
  const double start = separation(colliders, w, &a->now, n) - w->error_rate * t0;
  *end = separation(colliders, w, &a->next, n) - w->error_rate * t1;
  return ffi_pair_separation_least_between(start, *end, w->accel, t1 - t0);
}

int ffi_pair_separation_between(const ffi_advance *a, const ffi_colliders *colliders, ffi_pair_separation *w,
                                double shortest, double *shorter)
{
  const double h = a->next.time - a->now.time;
  double start = w->at.value - w->error_rate * a->now.time, end;
  ffi_distance there;
  *shorter = 0.5 * h;
  if (w->kind == FFI_PAIR_SEPARATION_FIELD) {
    if (ffi_pair_separation_field_between(a, colliders, w))
      return 1;
    if (!ffi_pair_separation_measure(a, colliders, w, &a->next, &there))
      return 0;
    end = there.value - w->error_rate * a->next.time;
  } else {
    if (least_along(a, colliders, w, w->at.normal, &end) >= w->floor)
      return 1;
    if (w->kind == FFI_PAIR_SEPARATION_CONVEX &&
        ffi_pair_separation_measure(a, colliders, w, &a->next, &there) &&
        there.value - w->error_rate * a->next.time >= w->floor) {
      double along;
      if (least_along(a, colliders, w, there.normal, &along) >= w->floor)
        return 1;
    }
  }
  if (end < w->floor && end < start) // where the chord comes down to the floor, and a little before
    *shorter = h * fmax(start - w->floor, 0) / (start - end) - 0.5 * shortest;
  return 0;
}
