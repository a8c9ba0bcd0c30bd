// "dissipation": Newton where that works at once, else from the interior.    docs/theory/impact.md section 3
#include "contact/hard/hard_newton.h"
#include "contact/impact/impact_memory.h"

#include <string.h>

enum {
  FIRST_STEPS = 20, // of Newton: it needs 2 to 8 when it ends at all
  SMALL = 160,      // rows: dense factors cost less than sweeps and sparse ones
};
static const double within = 0.1; // of the tolerances, as in hard_exact.c

static int run_newton(ffi_hard_memory *m, ffi_hard_result *result)
{
  const int most = m->def->max_iterations;
  return ffi_hard_newton_solve(m, most < FIRST_STEPS ? most : FIRST_STEPS, within, &result->iterations) &&
         ffi_hard_verify(m, result);
}

void ffi_impact_convex(ffi_hard_memory *m, ffi_hard_result *result)
{
  if (m->form == FF_HARD_FORM_VELOCITY && !(m->n <= SMALL && ffi_hard_exact_to_dense(m)) &&
      (ffi_hard_large(m, result) || !ffi_hard_exact_to_dense(m)))
    return;
  result->iterations = 0;
  memcpy(m->kept, m->Lambda, (size_t)m->n * sizeof *m->kept);
  if (run_newton(m, result))
    return;
  ++result->fallbacks;
  if (ffi_interior_point_solve(m, &ffi_impact_of(m)->interior, NULL, ffi_hard_verify, result) ||
      run_newton(m, result)) // the last digits
    return;
  ++result->fallbacks;
  memcpy(m->Lambda, m->kept, (size_t)m->n * sizeof *m->kept);
  ffi_hard_exact(m, result);
}
