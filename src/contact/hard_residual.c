// How far a pair (xi, Lambda) is from the laws, whoever found it.
#include "contact/hard.h"

#include <math.h>

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

static double part_of(const ffi_hard_block *block, const double *diagonal, const double *xi,
                      const double *Lambda)
{
  switch (block->law) {
  case FFI_HARD_LAW_CONTACT: {
    const double normal = diagonal[2] > 0 ? fabs(fmin(Lambda[2], xi[2] / diagonal[2])) : 0;
    return fmax(normal, friction_part(block, diagonal, xi, Lambda));
  }
  case FFI_HARD_LAW_STOP: return diagonal[0] > 0 ? fabs(fmin(Lambda[0], xi[0] / diagonal[0])) : 0;
  case FFI_HARD_LAW_DRY: {
    const double x = Lambda[0] - inverse(diagonal[0]) * xi[0];
    return fabs(Lambda[0] - fmin(fmax(x, -block->bound), block->bound));
  }
  case FFI_HARD_LAW_BILATERAL: {
    double largest = 0;
    for (int i = 0; i < block->rows; ++i)
      largest = fmax(largest, fabs(inverse(diagonal[i]) * xi[i]));
    return largest;
  }
  }
  return 0;
}

// One block's part and its largest |Lambda|; comparisons would drop what is not a number, so that is looked for.
static double measure(const ffi_hard *problem, const double *diagonal, int block, double *size)
{
  const ffi_hard_block *b = &problem->block[block];
  const double *xi = problem->xi + b->row, *Lambda = problem->impulse + b->row;
  double sum = 0, largest = 0;
  for (int i = 0; i < b->rows; ++i) {
    const double magnitude = fabs(Lambda[i]);
    largest = magnitude > largest ? magnitude : largest;
    sum += xi[i] + Lambda[i];
  }
  const int is_number = isfinite(sum);
  *size = is_number ? largest : 0;
  return is_number ? part_of(b, diagonal + b->row, xi, Lambda) : (double)INFINITY;
}

int ffi_hard_judge(const ffi_hard *problem, const double *diagonal, double relative, double absolute,
                   double *residual)
{
  int is_within = 1;
  double worst = 0;
  for (int i = 0; i < problem->block_count; ++i) {
    double size;
    const double part = measure(problem, diagonal, i, &size);
    is_within = is_within && part <= absolute + relative * size;
    const double share = part / (1 + size);
    worst = share > worst ? share : worst;
  }
  *residual = worst;
  return is_within;
}

double ffi_hard_residual(const ffi_hard *problem, const double *diagonal)
{
  double residual;
  (void)ffi_hard_judge(problem, diagonal, 0, 0, &residual);
  return residual;
}
