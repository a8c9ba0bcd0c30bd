// The residual: how far (xi, Lambda) is from the laws.  docs/theory/hard-solvers.md, section 3
#include "contact/hard/hard_prox.h"

#include <string.h>

static double inverse(double diagonal)
{
  return diagonal > 0 ? 1 / diagonal : 0;
}

// The natural map of friction: Lambda_t - P(Lambda_t - r xi_t). r = 0: neither tangent can be moved.
static double friction_part(const ffi_hard_block *block, const double *diagonal, const double *xi,
                            const double *Lambda)
{
  const double r = inverse(fmax(diagonal[0], diagonal[1]));
  const double radius = block->mu * fmax(Lambda[2], 0);
  const double x = Lambda[0] - r * xi[0], y = Lambda[1] - r * xi[1], squared = x * x + y * y;
  const double shorter = squared > radius * radius ? radius / sqrt(squared) : 1;
  const double dx = Lambda[0] - shorter * x, dy = Lambda[1] - shorter * y;
  return sqrt(dx * dx + dy * dy);
}

// The same of moments, about the tangents and about the normal.
static double moment_part(const ffi_hard_block *block, const double *diagonal, const double *xi,
                          const double *Lambda, double out[2])
{
  const double largest = fmax(diagonal[3], diagonal[4]);
  const double r[3] = {inverse(largest), inverse(largest), inverse(diagonal[5])};
  double x[3], to[3];
  for (int i = 0; i < 3; ++i)
    x[i] = Lambda[3 + i] - r[i] * xi[3 + i];
  ffi_hard_prox_moments(block->turning * fmax(Lambda[2], 0), x, to);
  out[0] = hypot(Lambda[3] - to[0], Lambda[4] - to[1]);
  out[1] = fabs(Lambda[5] - to[2]);
  return largest;
}

// Impulses can grow without end where the laws contradict each other (a ball between two plates that close), and
// T_rel |Lambda| with them. So once T_rel |Lambda| G_ll exceeds `slow`, it counts as at most this share of the greatest
// velocity that impulses have to change.
static const double share_of_approach = 0.2, slow = 1e-3; // [-], [m/s] or [rad/s]

// The greatest velocity that impulses have to change: the largest |xi| without impulses.
static double approach_speed(const ffi_hard *problem)
{
  double largest = 0;
  for (int i = 0; i < problem->block_count; ++i) {
    const ffi_hard_block *b = &problem->block[i];
    for (int r = 0; r < b->rows; ++r)
      largest = fmax(largest, fabs(ffi_hard_rest_row(problem, b, r)));
  }
  return largest;
}

// The tolerances of a block, and the largest violation so far.
typedef struct tolerances {
  const ffi_hard *problem;
  double *approach; // of the problem; < 0: not yet computed
  double absolute, relative;
  const double *give; // [rows of the block]; NULL: none
  double part;        // the largest so far
  double excess;      // the largest part / tolerance so far
} tolerances;

// `row`, with this diagonal, violates its law by `part` [N s].
static void add(tolerances *j, double part, int row, double diagonal)
{
  double allowed = j->absolute, relative = j->relative;
  if (j->give && diagonal > 0)
    allowed = fmin(allowed, j->give[row] / diagonal);
  if (relative * diagonal > slow) {
    if (*j->approach < 0)
      *j->approach = approach_speed(j->problem);
    relative = fmin(relative, fmax(slow, share_of_approach * *j->approach) / diagonal);
  }
  j->part = fmax(j->part, part);
  if (part > 0)
    j->excess = fmax(j->excess, part / (allowed + relative));
}

static void measure_cone(const ffi_hard_block *block, const double *diagonal, const double *xi,
                         const double *Lambda, tolerances *j)
{
  const double largest = fmax(diagonal[0], diagonal[1]);
  const double r[3] = {inverse(largest), inverse(largest), inverse(diagonal[2])};
  const double x[3] = {Lambda[0] - r[0] * xi[0], Lambda[1] - r[1] * xi[1], Lambda[2] - r[2] * xi[2]};
  double to[3];
  ffi_friction_cone_nearest(block->mu, block->faces, r, x, to);
  const double dx = Lambda[0] - to[0], dy = Lambda[1] - to[1];
  add(j, fabs(Lambda[2] - to[2]), 2, diagonal[2]);
  add(j, sqrt(dx * dx + dy * dy), 0, largest);
}

static void measure_moments(const ffi_hard_block *block, const double *diagonal, const double *xi,
                            const double *Lambda, tolerances *j)
{
  double part[2];
  const double largest = moment_part(block, diagonal, xi, Lambda, part);
  add(j, part[0], 3, largest);
  add(j, part[1], 5, diagonal[5]);
}

static void measure_turning_cone(const ffi_hard_block *block, const double *diagonal, const double *xi,
                                 const double *Lambda, tolerances *j)
{
  enum { ROWS = FFI_TURNING_CONE_ROWS };
  const double limit[] = {block->mu, block->turning, block->turning};
  double r[ROWS], x[ROWS], to[ROWS], largest[ROWS];
  memcpy(largest, diagonal, sizeof largest);
  largest[0] = largest[1] = fmax(diagonal[0], diagonal[1]);
  largest[3] = largest[4] = fmax(diagonal[3], diagonal[4]);
  for (int i = 0; i < ROWS; ++i) {
    r[i] = inverse(largest[i]);
    x[i] = Lambda[i] - r[i] * xi[i];
  }
  ffi_turning_cone_nearest(limit, r, x, to);
  add(j, fabs(Lambda[2] - to[2]), 2, diagonal[2]);
  add(j, hypot(Lambda[0] - to[0], Lambda[1] - to[1]), 0, largest[0]);
  add(j, hypot(Lambda[3] - to[3], Lambda[4] - to[4]), 3, largest[3]);
  add(j, fabs(Lambda[5] - to[5]), 5, largest[5]);
}

static void measure_laws(const ffi_hard_block *block, const double *diagonal, const double *xi,
                         const double *Lambda, tolerances *j)
{
  switch (block->law) {
  case FFI_HARD_LAW_CONTACT:
    if (diagonal[2] > 0)
      add(j, fabs(fmin(Lambda[2], xi[2] / diagonal[2])), 2, diagonal[2]);
    add(j, friction_part(block, diagonal, xi, Lambda), 0, fmax(diagonal[0], diagonal[1]));
    if (ffi_hard_turns(block->law, block->rows))
      measure_moments(block, diagonal, xi, Lambda, j);
    return;
  case FFI_HARD_LAW_CONE:
    if (ffi_hard_turns(block->law, block->rows))
      measure_turning_cone(block, diagonal, xi, Lambda, j);
    else
      measure_cone(block, diagonal, xi, Lambda, j);
    return;
  case FFI_HARD_LAW_STOP:
    if (diagonal[0] > 0)
      add(j, fabs(fmin(Lambda[0], xi[0] / diagonal[0])), 0, diagonal[0]);
    return;
  case FFI_HARD_LAW_DRY: {
    const double x = Lambda[0] - inverse(diagonal[0]) * xi[0];
    add(j, fabs(Lambda[0] - fmin(fmax(x, -block->bound), block->bound)), 0, diagonal[0]);
    return;
  }
  case FFI_HARD_LAW_BILATERAL:
    for (int i = 0; i < block->rows; ++i)
      add(j, fabs(inverse(diagonal[i]) * xi[i]), i, diagonal[i]);
  }
}

// One block, by T_abs and T_rel in `j`. NaN, which comparisons would drop, is tested for. Returns its part of the
// residual.
static double measure(tolerances j, const double *diagonal, int block, double *excess)
{
  const ffi_hard *problem = j.problem;
  const ffi_hard_block *b = &problem->block[block];
  const double *xi = problem->xi + b->row, *Lambda = problem->impulse + b->row;
  double sum = 0, largest = 0;
  for (int i = 0; i < b->rows; ++i) {
    const double magnitude = fabs(Lambda[i]);
    largest = magnitude > largest ? magnitude : largest;
    sum += xi[i] + Lambda[i];
  }
  if (!isfinite(sum))
    return *excess = (double)INFINITY;
  j.relative *= largest;
  j.give = problem->give ? problem->give + b->row : NULL;
  measure_laws(b, diagonal + b->row, xi, Lambda, &j);
  *excess = j.excess;
  return j.part / (1 + largest);
}

void ffi_hard_residual_evaluate(const ffi_hard *problem, const double *diagonal, double relative,
                                double absolute, ffi_hard_result *result)
{
  double approach = -1;
  const tolerances j = {
      .problem = problem, .approach = &approach, .absolute = absolute, .relative = relative};
  result->residual = result->excess = 0;
  for (int i = 0; i < problem->block_count; ++i) {
    double excess;
    const double share = measure(j, diagonal, i, &excess);
    result->residual = fmax(result->residual, share);
    result->excess = fmax(result->excess, excess);
  }
  result->converged = result->excess <= 1;
}
