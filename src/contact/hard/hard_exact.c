// "exact": Newton's method, and a globalisation by proximal steps where it fails. docs/theory/hard-solvers.md, section
// 6
//
//   1. Newton on the problem as it is, from the impulses of the last step.
//   2. If that does not converge soon: a few exact Gauss-Seidel sweeps, then proximal steps. Each solves, by Newton,
//      the problem with rho D (Lambda - centre) added to xi, D the diagonal of G: well-conditioned and regular for a
//      large rho. Its solution is the next centre, and rho falls. A step that fails goes back to its centre with a
//      larger rho. If this fails too, other starting points are tried.
//   3. Problems of many contacts begin in hard_large.c; those that it leaves unsolved, and that are small enough, come
//      here.
#include "contact/hard/hard_newton.h"

#include <math.h>
#include <string.h>

enum {
  FIRST_STEPS = 12, // of Newton on the problem as it is: it needs 2 to 6 when it converges
  CENTRES = 200,    // problems that converge need twenty; the rest is for failed steps
  LARGE = 200,      // rows: above, sweeps are tried first, a factorisation costing as much as 100 of them
  LARGE_SWEEPS = 200,
};
static const double least_rho = 1e-12, largest_rho = 10;
static const double within = 0.1; // of the tolerances: stops Newton, so that the residual meets them

// The schedule of rho: its first value, its factor after a centre that was found, and after one that was not found
// within `steps` of Newton.
typedef struct schedule {
  double rho, lower, higher;
  int steps;
} schedule;

// The starting points. r of the natural map decides which contact modes Newton tries next, so another r takes another
// path, and so does another schedule of rho. A light body under heavy ones has impulses far above its own mass times a
// velocity, so r is mostly too small rather than too large, and slow changes of rho, given up soon, converge more often
// than fast ones; but not always.
typedef struct start {
  int is_warm;  // from the given impulses; else from zero
  int sweeps;   // that bring modes near the right ones
  double scale; // of r
  double share; // of the def's iterations: Newton steps allowed; all shares together are 2
  schedule rho;
} start;
enum { ATTEMPTS = 6 };
static const start attempts[ATTEMPTS] = {
    {1, 5, 3, 0.5, {1e-2, 1. / 3, 5, 16}},    // solves all but 1 in 1,000 with mu <= 1
    {0, 200, 30, 0.4, {1e-2, 1. / 3, 5, 16}}, // half of the others
    {0, 1000, 10, 0.3, {1e-1, 0.1, 30, 40}},  // each from here: a tenth to a quarter of the rest, mu = 10
    {0, 20, 1000, 0.3, {1e-5, 0.1, 30, 40}},  {0, 200, 300, 0.3, {1e-6, 0.5, 4, 20}},
    {0, 50, 0.3, 0.2, {1e-2, 1. / 3, 5, 16}},
};

// ---- Proximal steps ---------------------------------------------------------------------------------------

// Adds rho D (Lambda - centre) to xi: G and c of the subproblem. remove_prox() restores both bit for bit.
static void add_prox(ffi_hard_memory *m, double rho)
{
  ffi_hard_newton *w = &m->newton;
  for (int i = 0; i < m->n; ++i) {
    double *G = m->G + (size_t)i * (size_t)(m->stride + 1);
    w->kept_c[i] = m->c[i];
    w->kept_G[i] = *G;
    *G += rho * m->weight[i];
    m->c[i] -= rho * m->weight[i] * w->centre[i];
  }
}

static void remove_prox(ffi_hard_memory *m)
{
  for (int i = 0; i < m->n; ++i) {
    m->c[i] = m->newton.kept_c[i];
    m->G[(size_t)i * (size_t)(m->stride + 1)] = m->newton.kept_G[i];
  }
}

static int run_proximal(ffi_hard_memory *m, const schedule *plan, int most, ffi_hard_result *result)
{
  ffi_hard_newton *w = &m->newton;
  const size_t bytes = (size_t)m->n * sizeof *w->centre;
  double rho = plan->rho;
  for (int k = 0; k < CENTRES && result->iterations < most && isfinite(m->work) &&
                  !ffi_early_stop_found(m->problem->interrupt);
       ++k) {
    const int left = most - result->iterations;
    memcpy(w->centre, m->Lambda, bytes);
    add_prox(m, rho);
    const int is_solved =
        ffi_hard_newton_solve(m, left < plan->steps ? left : plan->steps, within, &result->iterations);
    remove_prox(m);
    if (is_solved) {
      if (ffi_hard_verify(m, result))
        return 1;
      rho = fmax(plan->lower * rho, least_rho);
    } else {
      memcpy(m->Lambda, w->centre, bytes);
      rho = fmin(plan->higher * rho, largest_rho);
    }
  }
  return 0;
}

static int attempt(ffi_hard_memory *m, const start *s, int most, ffi_hard_result *result)
{
  const int end = result->iterations + (int)(s->share * most);
  if (s->is_warm)
    memcpy(m->Lambda, m->kept, (size_t)m->n * sizeof *m->kept);
  else
    memset(m->Lambda, 0, (size_t)m->n * sizeof *m->kept);
  for (int k = 0; k < s->sweeps && k < m->def->max_iterations; ++k)
    ffi_hard_sweep(m);
  for (int i = 0; i < m->n; ++i)
    m->inverse[i] *= s->scale;
  const int is_solved = run_proximal(m, &s->rho, end, result);
  for (int i = 0; i < m->n; ++i)
    m->inverse[i] /= s->scale;
  return is_solved;
}

// Newton steps allowed: the def's, and at most a few seconds of factorisations.
static int most_steps(const ffi_hard_memory *m)
{
  const double affordable = 4e9 / ((double)m->n * m->n * m->n + 1);
  return affordable < m->def->max_iterations ? (int)affordable : m->def->max_iterations;
}

int ffi_hard_exact_to_dense(ffi_hard_memory *m)
{
  if (m->def->form != FF_HARD_FORM_AUTO || m->direct > 0 || m->n > m->dense_rows)
    return 0;
  m->form = FF_HARD_FORM_IMPULSE;
  ffi_hard_delassus_rest(m);
  ffi_hard_delassus(m, 0);
  return 1;
}

void ffi_hard_exact(ffi_hard_memory *m, ffi_hard_result *result)
{
  int most = m->def->max_iterations;
  const int is_large = m->form == FF_HARD_FORM_VELOCITY;
  if (is_large && (ffi_hard_large(m, result) || !ffi_hard_exact_to_dense(m)))
    return;
  if (!is_large && m->n > LARGE &&
      ffi_hard_sweep_repeat(m, most < LARGE_SWEEPS ? most : LARGE_SWEEPS, result))
    return;
  result->iterations = 0;
  most = most_steps(m);
  memcpy(m->kept, m->Lambda, (size_t)m->n * sizeof *m->kept);
  if (ffi_hard_newton_solve(m, most < FIRST_STEPS ? most : FIRST_STEPS, within, &result->iterations) &&
      ffi_hard_verify(m, result))
    return;
  for (int k = 0; k < ATTEMPTS && isfinite(m->work) && !ffi_early_stop_found(m->problem->interrupt); ++k) {
    ++result->fallbacks;
    if (attempt(m, &attempts[k], most, result))
      return;
  }
  ffi_hard_verify(m, result);
}
