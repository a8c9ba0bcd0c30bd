// "exact" for many contacts: sweeps, which solve what hardly changes from step to step, then proximal steps by Newton
// on sparse blocks. docs/theory/hard-solvers.md, section 7
//
// Each proximal step solves the problem with rho D (Lambda - centre) added to xi, as hard_exact.c does, but only to a
// share of the present residual, and not at any price: a step that takes more than a few Newton steps is given up, and
// rho is raised. rho falls while steps are easy.
#include "contact/hard/hard_newton.h"

#include <string.h>

enum {
  FIRST_SWEEPS = 4, // bodies at rest need one or two
  FIRST_STEPS = 6,  // of Newton on the problem as it is
  FIRST_ROWS = 600, // above, in pits, it did not converge
  SWEEPS = 30,      // cost as much as one factorisation
  NEWTON_STEPS = 5, // for one centre: those that converge need 2 to 4, and giving up is cheap
  EASY = 3,         // Newton steps after which rho falls by `lower`
  FAIR = 6,         // by `lower_a_little`
  MOST_STEPS = 250, // of a problem: half a second for 500 contacts
};
static const double first_rho = 0.1, least_rho = 1e-9, largest_rho = 10;
static const double lower = 0.3, lower_a_little = 0.6, raise = 4;
static const double within = 0.1; // of the tolerances, as in hard_exact.c
static const double share = 0.4;  // of the residual that is left: the accuracy that a proximal step needs

static double next_rho(double rho, int steps)
{
  const double next = steps <= EASY ? lower * rho : steps <= FAIR ? lower_a_little * rho : rho;
  return next > least_rho ? next : least_rho;
}

// The accuracy of the next proximal step, in units of the tolerances.
static double exactness(double excess)
{
  return fmax(within, share * excess);
}

static int run_newton(ffi_hard_memory *m, int most, ffi_hard_result *result)
{
  ffi_hard_newton *w = &m->newton;
  const size_t bytes = (size_t)m->n * sizeof *w->centre;
  double rho = first_rho;
  memcpy(w->centre, m->Lambda, bytes);
  for (int left = most; left > 0 && isfinite(m->work) && !ffi_early_stop_found(m->problem->interrupt);) {
    int steps = 0;
    w->rho = rho;
    const int is_solved = ffi_hard_newton_solve(m, left < NEWTON_STEPS ? left : NEWTON_STEPS,
                                                exactness(result->excess), &steps);
    w->rho = 0;
    left -= steps > 0 ? steps : 1;
    result->iterations += steps;
    if (!is_solved) {
      memcpy(m->Lambda, w->centre, bytes);
      rho = fmin(raise * rho, largest_rho);
      continue;
    }
    memcpy(w->centre, m->Lambda, bytes);
    if (ffi_hard_verify(m, result))
      return 1;
    rho = next_rho(rho, steps);
  }
  ffi_hard_velocity(m);
  return 0;
}

// Newton on the problem as it is; restores Lambda if it fails.
static int try_newton(ffi_hard_memory *m, int most, ffi_hard_result *result)
{
  const size_t bytes = (size_t)m->n * sizeof *m->kept;
  memcpy(m->kept, m->Lambda, bytes);
  m->newton.rho = 0;
  if (ffi_hard_newton_solve(m, most < FIRST_STEPS ? most : FIRST_STEPS, within, &result->iterations) &&
      ffi_hard_verify(m, result))
    return 1;
  memcpy(m->Lambda, m->kept, bytes);
  ffi_hard_velocity(m);
  return 0;
}

static int sweeps(ffi_hard_memory *m, int count, ffi_hard_result *result)
{
  const int left = m->def->max_iterations - result->iterations;
  return ffi_hard_sweep_repeat(m, left < count ? left : count, result);
}

static int has_moments(const ffi_hard_memory *m)
{
  for (int p = 0; p < m->iterated; ++p)
    if (ffi_hard_turns(m->part[p].law, m->part[p].rows))
      return 1;
  return 0;
}

int ffi_hard_large(ffi_hard_memory *m, ffi_hard_result *result)
{
  const int most = m->def->max_iterations;
  ffi_hard_sweep_begin(m);
  if (sweeps(m, FIRST_SWEEPS, result))
    return 1;
  if (has_moments(m)) { // sparse factors have blocks of three rows
    ffi_prox_sor(m, result);
    return result->converged;
  }
  const int is_sparse = m->direct == 0 && ffi_hard_sparse_prepare(m);
  if (is_sparse && m->n <= FIRST_ROWS && try_newton(m, most - result->iterations, result))
    return 1;
  if (sweeps(m, SWEEPS, result))
    return 1;
  ffi_hard_verify(m, result);
  const int left = most - result->iterations;
  if (is_sparse && left > 0) {
    ++result->fallbacks;
    return run_newton(m, left < MOST_STEPS ? left : MOST_STEPS, result);
  }
  return sweeps(m, most, result) || ffi_hard_verify(m, result);
}
