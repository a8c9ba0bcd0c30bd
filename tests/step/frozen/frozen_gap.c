// How far the fast path is from what a random frozen system does, and what rounding may do to both. See frozen_case.h.
#include "math/poles.h"
#include "step/frozen/frozen_case.h"

#include <float.h>
#include <math.h>

static void widen(double *most, double x)
{
  if (!(x <= *most)) // not a number: the largest of all
    *most = isfinite(x) ? x : INFINITY;
}

static double times_row(const ffi_frozen *z, const ffi_rows3 *rows, int w, const double *v)
{
  double sum = 0;
  for (int k = 0; k < rows->columns; ++k)
    sum += rows->J[w * z->stride + k] * v[rows->dof[k]];
  return sum;
}

// One row: what it was, what it is said to become, what it becomes.
typedef struct row_gap {
  double size, error;           // of velocity
  double mean, twice, force;    // errors of forces; the largest force
  double way, x_error, u_error; // of the end
} row_gap;

static ffi_frozen_gap relative(const row_gap *b, const row_gap *j)
{
  ffi_frozen_gap g = {0};
  widen(&g.velocity, b->error / b->size);
  widen(&g.velocity, j->error / j->size);
  widen(&g.mean, fmax(b->mean, j->mean) / fmax(b->force, 1e-3));
  widen(&g.double_mean, fmax(b->twice, j->twice) / fmax(b->force, 1e-3));
  widen(&g.end, b->x_error / b->way);
  widen(&g.end, b->u_error / b->size);
  return g;
}

// What rounding may do to velocities, over their size, and to mean forces, over the largest.
//
// Fast path: factor and solve of M + kappa J'J at a pole, kappa = (K + sB)/s^2, are those of a matrix and a right-hand side that are wrong by n eps of the sizes
// summed in them, n velocities; the sum over poles has terms 2 |c/z| as large as what it gives; and sub-steps add up. Forces come without M^-1, but a damper's is B times the difference of two positions.
// Oracle: an exponential is right to 10 eps (1 + h omega), omega its fastest rate (docs/theory/exponential.md).
// Reference path: as the oracle; and rows' accelerations come through another factor of M, which is wrong by n eps of the sizes summed in it.
typedef struct row_floor {
  double speed, size;   // largest velocity, its terms not cancelling; what velocities are compared with
  double damper, force; // largest B times position over h; what forces are compared with
} row_floor;

static void find_floors(const ffi_frozen *z, double h, const ffi_frozen_truth *truth, const row_floor *row,
                        ffi_frozen_gap *g)
{
  double terms = 0, least = INFINITY;
  for (int k = 0; k < FFI_POLES; ++k) {
    const double s = hypot(ffi_poles_z[k], ffi_poles_z[4 + k]);
    terms += 2 * hypot(ffi_poles_c[k], ffi_poles_c[4 + k]) / s;
    least = fmin(least, s);
  }
  const double r = h / z->substeps / least; // 1/|s|
  const double sums = z->n * z->substeps * terms, oracle = 10 * (1 + h * truth->fastest);
  const double wrong = truth->by_mass + r * (r * truth->by_K + truth->by_B + truth->by_x);
  g->floor_velocity = DBL_EPSILON * (sums * wrong + oracle * row->speed) / row->size;
  g->floor_exact =
      DBL_EPSILON * (z->n * truth->by_mass + oracle * (truth->by_force + row->speed)) / row->size;
  g->floor_forces =
      DBL_EPSILON * (oracle * (2 + z->n * truth->by_mass / row->size) + row->damper / row->force);
  g->floor_mean = DBL_EPSILON * (sums + oracle + z->substeps * row->damper / row->force);
}

static double row_speed(const ffi_frozen *z, const ffi_rows3 *rows, int w)
{
  double sum = 0;
  for (int k = 0; k < rows->columns; ++k)
    sum += fabs(rows->J[w * z->stride + k] * z->delta_v[rows->dof[k]]);
  return sum;
}

// What a motion without friction reaches, in velocity and mean force: sqrt(J M^-1 J') |y|, sqrt(K) |y| (1 + 2 B/(K h)), or with a damper alone B times the velocity.
static void find_limits(const ffi_frozen *z, const ffi_frozen_case *c, const ffi_frozen_truth *truth,
                        ffi_frozen_gap *g)
{
  const double falling = z->gravity * c->h;
  double known[3] = {falling, falling, fmax(1e-3, truth->force_start)};
  double reach[3] = {falling, falling, 1e-3};
  const int rows = 3 * c->blocks + c->joints;
  for (int i = 0; i < rows; ++i) {
    const ffi_frozen_block *b = i < 3 * c->blocks ? &z->block[i / 3] : NULL;
    const ffi_frozen_joint *j = b ? NULL : &z->joint[i - 3 * c->blocks];
    const double K = b ? b->K : j->K, B = b ? b->B : j->B;
    const double start = b ? fabs(b->u[i % 3]) + fabs(b->c[i % 3]) * c->h : fabs(j->u);
    const double bent = b ? fabs(b->c1[i % 3]) * c->h * c->h / 2 : 0;
    const double speed = sqrt(fmax(truth->mobility[i], 0)) * truth->norm;
    const double force =
        K > 0 ? sqrt(K) * truth->norm * (1 + 2 * B / (K * c->h)) : B * (start + bent + speed);
    widen(&known[b ? 0 : 1], start);
    widen(&reach[b ? 0 : 1], speed);
    widen(&reach[2], force);
    widen(&g->reached, fabs(truth->mean[i]) / force);
    if (fabs(truth->impulse[i]) > 1e-9 * (start + falling)) // rows that move nothing: rounding
      widen(&g->reached, fabs(truth->impulse[i]) / speed);
  }
  for (int k = 0; k < 3; ++k)
    widen(&g->limit, 1 + 30 * reach[k] / known[k]);
}

ffi_frozen_gap ffi_frozen_case_gap(const ffi_frozen_rig *r, const ffi_frozen_case *c,
                                   const ffi_frozen_truth *truth)
{
  const ffi_frozen *z = &r->frozen;
  const double falling = z->gravity * c->h;
  double speed = falling, damper = 0;
  row_gap b = {.size = falling, .force = truth->force, .way = falling * c->h}, j = b;
  for (int i = 0; i < 3 * c->blocks; ++i) {
    const ffi_frozen_block *block = &z->block[i / 3];
    const int w = i % 3;
    widen(&b.size, fabs(truth->impulse[i]) + fabs(block->u[w]) + fabs(block->c[w]) * c->h);
    widen(&b.error, fabs(times_row(z, block->rows, w, z->delta_v) - truth->impulse[i]));
    widen(&speed, row_speed(z, block->rows, w) + fabs(block->u[w]) + fabs(block->c[w]) * c->h);
    widen(&b.force, fabs(truth->mean[i]));
    widen(&b.mean, fabs(block->mean[w] - truth->mean[i]));
    widen(&b.twice, fabs(block->double_mean[w] - truth->double_mean[i]));
    widen(&damper, block->B * (fabs(block->x[w]) + fabs(truth->x_end[i])) / c->h);
    if (block->slides)
      continue;
    widen(&b.way, fabs(block->x[w]) + fabs(truth->x_end[i]));
    widen(&b.x_error, fabs(block->x_end[w] - truth->x_end[i]));
    widen(&b.u_error, fabs(block->u_end[w] - truth->u_end[i]));
  }
  for (int i = 0; i < c->joints; ++i) {
    const ffi_frozen_joint *joint = &z->joint[i];
    const int row = 3 * c->blocks + i;
    widen(&j.size, fabs(truth->impulse[row]) + fabs(joint->u));
    widen(&j.error, fabs(z->delta_v[joint->v] - truth->impulse[row]));
    widen(&speed, fabs(z->delta_v[joint->v]) + fabs(joint->u));
    widen(&damper, joint->B * (fabs(joint->x) + fabs(truth->x_end[row])) / c->h);
    widen(&b.force, fabs(truth->mean[row]));
    widen(&j.mean, fabs(joint->mean - truth->mean[row]));
    widen(&j.twice, fabs(joint->double_mean - truth->double_mean[row]));
  }
  ffi_frozen_gap gap = relative(&b, &j);
  const double size = c->joints > 0 ? fmin(b.size, j.size) : b.size;
  find_floors(z, c->h, truth, &(row_floor){speed, size, damper, fmax(b.force, 1e-3)}, &gap);
  find_limits(z, c, truth, &gap);
  return gap;
}
