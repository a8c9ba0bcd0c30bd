// "exact": Newton where that works at once, and a way that leads there from anywhere else.    docs/theory/hard-solvers.md
//
//   1. Newton on the problem as it is, from the impulses of the last step.
//   2. If that does not end soon: a few exact Gauss-Seidel sweeps, then proximal steps. Each solves, by Newton, the problem with rho D (Lambda - centre) added
//      to xi, D the diagonal of G: well-conditioned and regular for a large rho. Its solution is the next centre, and rho falls. A step that fails
//      goes back to its centre with a larger rho. What does not end that way is tried from other starts.
//   3. Problems of many contacts begin in hard_large.c; what that leaves, and is not too large for it, comes here.
#include "contact/hard/hard_newton.h"

#include <string.h>

enum {
  FIRST_STEPS = 12, // of Newton on the problem as it is: it needs 2 to 6 when it ends at all
  CENTRES = 200,    // those that end need twenty; the rest is for those that fail
  LARGE = 200,      // rows: above, sweeps are tried first, a factorisation costing as much as 100 of them
  LARGE_SWEEPS = 200,
};
static const double least_rho = 1e-12, largest_rho = 10;
static const double within = 0.1; // of the tolerances: Newton's own end, so that the residual's are met

// How rho goes: where it begins, its factor after a centre that was found, and after one that was not within `steps` of Newton.
typedef struct schedule {
  double rho, lower, higher;
  int steps;
} schedule;

// The starting points: where the def began, and others. r of the natural map decides which modes Newton tries next, so another r takes another path, and so
// does another way of rho: what one path misses another finds. A light body under heavy ones has impulses far above its own mass times a velocity, so r is
// rather too small than too large, and slow changes of rho, given up soon, end more often than bold ones; but not always.
typedef struct start {
  int is_warm;  // from the impulses that were given; else from none
  int sweeps;   // that bring modes near the right ones
  double scale; // of r
  double share; // of the def's iterations: Newton steps that it may take; together twice as many
  schedule way;
} start;
enum { ATTEMPTS = 6 };
static const start attempts[ATTEMPTS] = {
    {1, 5, 3, 0.5, {1e-2, 1. / 3, 5, 16}}, // all but 1 in 1,000 of what comes here with mu <= 1 ends in this one
    {0, 200, 30, 0.4, {1e-2, 1. / 3, 5, 16}}, // and half of the others in this
    {0, 1000, 10, 0.3, {1e-1, 0.1, 30, 40}}, // each of these: a tenth to a quarter of what is left, with mu = 10
    {0, 20, 1000, 0.3, {1e-5, 0.1, 30, 40}},  {0, 200, 300, 0.3, {1e-6, 0.5, 4, 20}},
    {0, 50, 0.3, 0.2, {1e-2, 1. / 3, 5, 16}},
};

// ---- Proximal steps ---------------------------------------------------------------------------------------

// xi gets rho D (Lambda - centre): G and c of the subproblem. Both come back bit for bit from what is kept.
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

static int run_proximal(ffi_hard_memory *m, const schedule *way, int most, ffi_hard_result *result)
{
  ffi_hard_newton *w = &m->newton;
  const size_t bytes = (size_t)m->n * sizeof *w->centre;
  double rho = way->rho;
  for (int k = 0; k < CENTRES && result->iterations < most; ++k) {
    const int left = most - result->iterations;
    memcpy(w->centre, m->Lambda, bytes);
    add_prox(m, rho);
    const int is_solved =
        ffi_hard_newton_solve(m, left < way->steps ? left : way->steps, within, &result->iterations);
    remove_prox(m);
    if (is_solved) {
      if (ffi_hard_verify(m, result))
        return 1;
      rho = fmax(way->lower * rho, least_rho);
    } else {
      memcpy(m->Lambda, w->centre, bytes);
      rho = fmin(way->higher * rho, largest_rho);
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
  for (int k = 0; k < s->sweeps; ++k)
    ffi_hard_sweep(m);
  for (int i = 0; i < m->n; ++i)
    m->inverse[i] *= s->scale;
  const int is_solved = run_proximal(m, &s->way, end, result);
  for (int i = 0; i < m->n; ++i)
    m->inverse[i] /= s->scale;
  return is_solved;
}

// Newton steps that a problem may take: the def's, and not more than a few seconds' worth of factorisations.
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
  for (int k = 0; k < ATTEMPTS; ++k) {
    ++result->fallbacks;
    if (attempt(m, &attempts[k], most, result))
      return;
  }
  ffi_hard_verify(m, result);
}
