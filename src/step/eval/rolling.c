// Rolling of ellipsoids: radii of curvature of both solids, and the creep that follows.
#include "step/eval/rolling.h"

#include "geometry/convex.h"
#include "geometry/ellipsoid/ellipsoid.h"
#include "math/mat3.h"

#include <math.h>
#include <string.h>

// Half the turn over which the radii of another solid are measured [rad]: above the error of normals, 1e-7.
static const double turn = 1e-4;

// A support point that goes farther than this share of the solid's size for that turn has crossed a face or an edge.
static const double crossed = 0.02;

static void pose_of(const ffi_state_kinematics *at, const ffi_collider *collider, ffi_pose *out)
{
  if (collider->ground >= 0)
    *out = at->ground[collider->ground];
  else if (collider->body == 0)
    *out = collider->in;
  else
    ffi_pose_compose(&at->body[collider->body], &collider->in, out);
}

// 0: flat
static int is_curved(const ffi_solid *solid)
{
  return solid->type != FF_SHAPE_PLANE && solid->type != FF_SHAPE_HEIGHTFIELD;
}

// What is known of b: its radii in the basis t across n, and along which of the two it is straight.
typedef struct radii {
  double t[2][3], H[2][2];
  int is_straight[2];
} radii;

// t[0] along a, t[1] across it; a need not be across n.
static void set_basis(const double n[3], const double a[3], double t[2][3])
{
  const double along = ffi_v3_dot(n, a);
  for (int k = 0; k < 3; ++k)
    t[0][k] = a[k] - along * n[k];
  ffi_v3_scale(1 / ffi_v3_norm(t[0]), t[0], t[0]);
  ffi_v3_cross(n, t[0], t[1]);
}

static void set_any_basis(const double n[3], double t[2][3])
{
  const double x[3] = {fabs(n[0]) < 0.7, !(fabs(n[0]) < 0.7), 0};
  set_basis(n, x, t);
}

// The way of b's support point as the normal turns towards t, from `turn` before n to `turn` behind it.
static void find_way(const ffi_convex *b, const double n[3], const double t[3], double way[3])
{
  double ahead[3], behind[3];
  ffi_v3_copy(n, ahead);
  ffi_v3_copy(n, behind);
  ffi_v3_add_scaled(turn, t, ahead);
  ffi_v3_add_scaled(-turn, t, behind);
  ffi_convex_support(b, ahead, ahead);
  ffi_convex_support(b, behind, behind);
  ffi_v3_sub(ahead, behind, way);
}

// Of a solid of this size; a straight direction becomes t[0], so that an edge has its own basis.
static void measure(const ffi_convex *b, double size, const double n[3], radii *out)
{
  double way[2][3];
  set_any_basis(n, out->t);
  for (int c = 0; c < 2; ++c) {
    find_way(b, n, out->t[c], way[c]);
    if (ffi_v3_norm(way[c]) > crossed * size) {
      set_basis(n, way[c], out->t);
      break;
    }
  }
  for (int c = 0; c < 2; ++c) {
    find_way(b, n, out->t[c], way[c]);
    out->is_straight[c] = ffi_v3_norm(way[c]) > crossed * size;
  }
  for (int c = 0; c < 2; ++c)
    for (int r = 0; r < 2; ++r)
      out->H[r][c] = ffi_v3_dot(out->t[r], way[c]) / (2 * turn) + (r == c ? b->swept_radius : 0);
}

static void across(const double A[9], const double t[2][3], double out[2][2])
{
  double x[3];
  for (int c = 0; c < 2; ++c) {
    ffi_m3_mulv(A, t[c], x);
    for (int r = 0; r < 2; ++r)
      out[r][c] = ffi_v3_dot(t[r], x);
  }
}

// (A + B)^-1 where b bends, 0 where it is straight: the normal does not turn towards there.
static void invert_sum(const double A[2][2], const radii *b, double out[2][2])
{
  const double off = A[0][1] + 0.5 * (b->H[0][1] + b->H[1][0]), x = A[0][0] + b->H[0][0],
               y = A[1][1] + b->H[1][1];
  const int i = b->is_straight[0] || b->is_straight[1] ? 0 : 1;
  const double det = x * y - off * off;
  out[0][0] = b->is_straight[0] ? 0 : i ? y / det : 1 / x;
  out[1][1] = b->is_straight[1] ? 0 : i ? x / det : 1 / y;
  out[0][1] = out[1][0] = i ? -off / det : 0;
}

// creep = H_a (omega x n) - P (u + H_a (omega x n)),    P = H_a (H_a + H_b)^-1
static void subtract_turn_of_normal(const double H[9], const radii *b, ffi_rolling *out)
{
  double A[2][2], inverse[2][2], full[9] = {0}, P[9], back[9];
  across(H, b->t, A);
  invert_sum((const double(*)[2])A, b, inverse);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 9; ++k)
        full[k] += b->t[i][k / 3] * inverse[i][j] * b->t[j][k % 3];
  ffi_m3_mul(H, full, P);
  ffi_m3_mul(P, H, back);
  for (int k = 0; k < 9; ++k) {
    out->by_turn[k] -= back[k];
    out->by_slide[k] = -P[k];
  }
}

// The radii of b, whose outward normal is n.
static void find_radii(const ffi_solid *b, const ffi_pose *pose, const double n[3], radii *out)
{
  *out = (radii){.is_straight = {0}};
  if (b->type == FF_SHAPE_ELLIPSOID) {
    double H[9];
    ffi_ellipsoid_radii(b->size, pose->R, n, H);
    set_any_basis(n, out->t);
    across(H, (const double(*)[3])out->t, out->H);
    return;
  }
  ffi_convex convex;
  ffi_convex_set(b, pose->p, pose->R, &convex);
  measure(&convex, b->radius, n, out);
}

void ffi_rolling_set(const ffi_system *s, const ffi_state_kinematics *at, const ffi_detect_candidate *near,
                     ffi_rolling *out)
{
  const ffi_collider_pair *pair = &s->colliders->pairs[near->pair];
  const ffi_collider *own = near->flipped ? pair->b : pair->a, *other = near->flipped ? pair->a : pair->b;
  double outward[3], H[9];
  radii b;
  ffi_pose pose;
  pose_of(at, own, &pose);
  ffi_v3_scale(-1, near->normal, outward);
  ffi_ellipsoid_radii(own->solid.size, pose.R, outward, out->by_turn);
  memset(out->by_slide, 0, sizeof out->by_slide);
  if (!is_curved(&other->solid))
    return;
  pose_of(at, other, &pose);
  find_radii(&other->solid, &pose, near->normal, &b);
  ffi_m3_copy(out->by_turn, H);
  subtract_turn_of_normal(H, &b, out);
}

void ffi_rolling_creep(const ffi_rolling *over, const double n[3], const double omega[3], const double u[3],
                       double creep[3])
{
  double sweep[3], part[3];
  ffi_v3_cross(omega, n, sweep);
  ffi_m3_mulv(over->by_turn, sweep, creep);
  ffi_m3_mulv(over->by_slide, u, part);
  ffi_v3_add(creep, part, creep);
}
