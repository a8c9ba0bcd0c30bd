// How far a pair (xi, Lambda) is from the laws, whoever found it.
#include "contact/hard/hard_prox.h"

static double inverse(double diagonal)
{
  return diagonal > 0 ? 1 / diagonal : 0;
}

// The natural map of friction: Lambda_t - P(Lambda_t - r xi_t). r = 0: both tangents cannot be moved.
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

// Impulses can grow without end where the laws contradict each other (a ball between two plates that close), and T_rel |Lambda| with them. So that part
// may be a velocity of at most this share of the fastest that impulses have to change, once it is above what matters to nobody.
static const double share_of_rush = 0.2, slow = 1e-3; // [-], [m/s] or [rad/s]

// The largest |xi| without impulses.
static double rush_of(const ffi_hard *problem)
{
  double largest = 0;
  for (int i = 0; i < problem->block_count; ++i) {
    const ffi_hard_block *b = &problem->block[i];
    for (int r = 0; r < b->rows; ++r)
      largest = fmax(largest, fabs(ffi_hard_rest_row(problem, b, r)));
  }
  return largest;
}

// What a block is judged by: T_abs, T_rel * (its largest |Lambda|), and velocities that its rows may be off.
typedef struct judge {
  const ffi_hard *problem;
  double *rush; // of the problem; < 0: nobody has asked yet
  double absolute, relative;
  const double *give; // [rows of the block]; NULL: none
  double part;        // the largest so far
  double excess;      // the largest part / tolerance so far
} judge;

// `row`, with this diagonal, is off by `part` [N s].
static void add(judge *j, double part, int row, double diagonal)
{
  double allowed = j->absolute, relative = j->relative;
  if (j->give && diagonal > 0)
    allowed = fmin(allowed, j->give[row] / diagonal);
  if (relative * diagonal > slow) {
    if (*j->rush < 0)
      *j->rush = rush_of(j->problem);
    relative = fmin(relative, fmax(slow, share_of_rush * *j->rush) / diagonal);
  }
  j->part = fmax(j->part, part);
  if (part > 0)
    j->excess = fmax(j->excess, part / (allowed + relative));
}

static void measure_cone(const ffi_hard_block *block, const double *diagonal, const double *xi,
                         const double *Lambda, judge *j)
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

static void measure_laws(const ffi_hard_block *block, const double *diagonal, const double *xi,
                         const double *Lambda, judge *j)
{
  switch (block->law) {
  case FFI_HARD_LAW_CONTACT:
    if (diagonal[2] > 0)
      add(j, fabs(fmin(Lambda[2], xi[2] / diagonal[2])), 2, diagonal[2]);
    add(j, friction_part(block, diagonal, xi, Lambda), 0, fmax(diagonal[0], diagonal[1]));
    return;
  case FFI_HARD_LAW_CONE: measure_cone(block, diagonal, xi, Lambda, j); return;
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

// One block, by T_abs and T_rel in `j`; comparisons would drop what is not a number, so that is looked for. Returns its part of the residual.
static double measure(judge j, const double *diagonal, int block, double *excess)
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
  double rush = -1;
  const judge j = {.problem = problem, .rush = &rush, .absolute = absolute, .relative = relative};
  result->residual = result->excess = 0;
  for (int i = 0; i < problem->block_count; ++i) {
    double excess;
    const double share = measure(j, diagonal, i, &excess);
    result->residual = fmax(result->residual, share);
    result->excess = fmax(result->excess, excess);
  }
  result->converged = result->excess <= 1;
}

double ffi_hard_residual(const ffi_hard *problem, const double *diagonal)
{
  ffi_hard_result result;
  ffi_hard_residual_evaluate(problem, diagonal, 0, 0, &result);
  return result.residual;
}
