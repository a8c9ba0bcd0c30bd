// Rolling of round solids over each other: curvatures of both, and the creep that follows.
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
    // way may by rounding go along an edge that t is square to
    out->is_straight[c] = ffi_v3_dot(out->t[c], way[c]) > crossed * size;
  }
  for (int c = 0; c < 2; ++c)
    for (int r = 0; r < 2; ++r)
      out->H[r][c] = ffi_v3_dot(out->t[r], way[c]) / (2 * turn) + (r == c ? b->swept_radius : 0);
}

// Smaller radii count as this [m]: corners, and across edges.
static const double sharp = 1e-9;

static double curvature(double radius)
{
  return 1 / (fabs(radius) > sharp ? radius : sharp);
}

// 2 x 2 part of a tensor in a basis.
static void across(const double A[9], const double t[2][3], double out[2][2])
{
  double x[3];
  for (int c = 0; c < 2; ++c) {
    ffi_m3_mulv(A, t[c], x);
    for (int r = 0; r < 2; ++r)
      out[r][c] = ffi_v3_dot(t[r], x);
  }
}

static void to_world(const double A[2][2], const double t[2][3], double out[9])
{
  memset(out, 0, 9 * sizeof *out);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 9; ++k)
        out[k] += t[i][k / 3] * A[i][j] * t[j][k % 3];
}

static double determinant(const double A[2][2])
{
  return A[0][0] * A[1][1] - A[0][1] * A[1][0];
}

// 0 where A is singular
static void invert(const double A[2][2], double out[2][2])
{
  const double det = determinant(A), scale = det != 0 ? 1 / det : 0;
  out[0][0] = scale * A[1][1];
  out[1][1] = scale * A[0][0];
  out[0][1] = -scale * A[0][1];
  out[1][0] = -scale * A[1][0];
}

// Curvature of b's parallel surface through the witness on a, which is `gap` outside b; 0 where it is straight.
static void curvature_of_b(const radii *b, double gap, double out[2][2])
{
  memset(out, 0, 4 * sizeof(double));
  if (b->is_straight[0] || b->is_straight[1]) {
    for (int i = 0; i < 2; ++i)
      out[i][i] = b->is_straight[i] ? 0 : curvature(b->H[i][i] + gap);
    return;
  }
  const double off = 0.5 * (b->H[0][1] + b->H[1][0]);
  const double H[2][2] = {{b->H[0][0] + gap, off}, {off, b->H[1][1] + gap}};
  if (fabs(determinant(H)) > sharp * (fabs(H[0][0]) + fabs(H[1][1])))
    invert(H, out);
  else
    for (int i = 0; i < 2; ++i)
      out[i][i] = curvature(H[i][i]);
}

// Two lines nearer to parallel than this have no crossing that creeps: along a's line, curvature relative to that
// across it.
static const double parallel = 1e-3;

// (K_a + K_b)^-1. For a line of a that b is straight along, too, only across it.
static void invert_sum(const double K_a[2][2], const double K_b[2][2], const double (*line)[2],
                       double out[2][2])
{
  const double S[2][2] = {{K_a[0][0] + K_b[0][0], K_a[0][1] + K_b[0][1]},
                          {K_a[1][0] + K_b[1][0], K_a[1][1] + K_b[1][1]}};
  invert(S, out);
  if (!line)
    return;
  const double x = -(*line)[1], y = (*line)[0], own = K_a[0][0] + K_a[1][1];
  const double across_it = x * x * S[0][0] + 2 * x * y * S[0][1] + y * y * S[1][1];
  if (fabs(determinant(S)) > parallel * own * fabs(across_it))
    return;
  const double scale = across_it != 0 ? 1 / across_it : 0;
  out[0][0] = scale * x * x;
  out[0][1] = out[1][0] = scale * x * y;
  out[1][1] = scale * y * y;
}

// The radii of b, whose outward normal is n.
static void find_radii(const ffi_solid *b, const ffi_pose *pose, const double n[3], radii *out)
{
  *out = (radii){.is_straight = {0}};
  if (b->type == FF_SHAPE_SPHERE) {
    set_any_basis(n, out->t);
    out->H[0][0] = out->H[1][1] = b->size[0];
    return;
  }
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

// H_a where it is finite: of an ellipsoid, or of a ball (a line counts as one on faces).
static void radii_of_a(const ffi_state_kinematics *at, const ffi_collider *own,
                       const ffi_detect_candidate *near, double radius, double H[9])
{
  const double *n = near->normal;
  if (near->roll == FFI_ROLL_SURFACE) {
    double outward[3];
    ffi_pose pose;
    pose_of(at, own, &pose);
    ffi_v3_scale(-1, n, outward);
    ffi_ellipsoid_radii(own->solid.size, pose.R, outward, H);
    return;
  }
  for (int k = 0; k < 9; ++k)
    H[k] = radius * ((k % 4 == 0) - n[k / 3] * n[k % 3]);
}

// K_a in a basis; line: the direction that a is straight along, if it is.
static void curvature_of_a(const ffi_detect_candidate *near, const double H[9], const double t[2][3],
                           double line[2], double out[2][2])
{
  double own[2][2];
  across(H, t, own);
  invert((const double(*)[2])own, out);
  if (near->roll != FFI_ROLL_LINE)
    return;
  for (int i = 0; i < 2; ++i)
    line[i] = ffi_v3_dot(near->axis, t[i]);
  const double length = hypot(line[0], line[1]), bend = sqrt(fabs(determinant((const double(*)[2])out)));
  for (int i = 0; i < 2; ++i)
    line[i] /= length > 0 ? length : 1;
  out[0][0] = bend * line[1] * line[1];
  out[0][1] = out[1][0] = -bend * line[0] * line[1];
  out[1][1] = bend * line[0] * line[0];
}

int ffi_rolling_set(const ffi_system *s, const ffi_state_kinematics *at, const ffi_detect_candidate *near,
                    ffi_rolling *out)
{
  const ffi_collider_pair *pair = &s->colliders->pairs[near->pair];
  const ffi_collider *own = near->flipped ? pair->b : pair->a, *other = near->flipped ? pair->a : pair->b;
  double arm[3], H[9], K_a[2][2], K_b[2][2], inverse[2][2], P[9], line[2];
  radii b;
  ffi_pose pose;
  memset(out, 0, sizeof *out);
  ffi_v3_sub(near->point, near->centre, arm);
  const double radius = ffi_v3_norm(arm);
  if (near->roll != FFI_ROLL_SURFACE && !(radius > 0)) // an edge: not followed
    return 0;
  radii_of_a(at, own, near, radius, H);
  ffi_m3_copy(H, out->by_turn);
  if (!is_curved(&other->solid))
    return 0;
  pose_of(at, other, &pose);
  find_radii(&other->solid, &pose, near->normal, &b);
  if (b.is_straight[0] && b.is_straight[1])
    return 0;
  const double(*t)[3] = (const double(*)[3])b.t;
  curvature_of_a(near, H, t, line, K_a);
  curvature_of_b(&b, near->gap, K_b);
  invert_sum((const double(*)[2])K_a, (const double(*)[2])K_b,
             near->roll == FFI_ROLL_LINE ? (const double(*)[2]) & line : NULL, inverse);
  to_world((const double(*)[2])inverse, t, out->by_turn);
  to_world((const double(*)[2])K_b, t, out->curvature);
  ffi_m3_mul(out->by_turn, out->curvature, P);
  for (int k = 0; k < 9; ++k)
    out->by_slide[k] = -P[k];
  return 1;
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

void ffi_rolling_turn_of_normal(const ffi_rolling *over, const double u[3], const double creep[3],
                                double ndot[3])
{
  double way[3];
  ffi_v3_add(u, creep, way);
  ffi_m3_mulv(over->curvature, way, ndot);
}
