// Fig. 7's parts that our steps do not have apart: the mass matrix, its factors, and its inverse as a matrix, which the
// paper forms and we do not. Timed alone, in the state at the end of a trot, in each set of coordinates.
#include "common/timer.h"
#include "papers/moreau/moreau_paper.h"

#include <footfall/dynamics.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 500, ROUNDS = 20 };

typedef struct kernel {
  ff_dynamics *dynamics;
  const double *q;
  double *column;
  int nv;
} kernel;

static void mass(const kernel *k)
{
  ff_dynamics_crba(k->dynamics, k->q);
}

static void factors(const kernel *k)
{
  ff_error ignored;
  mass(k);
  ff_dynamics_factor(k->dynamics, &ignored);
}

static void inverse(const kernel *k)
{
  factors(k);
  for (int i = 0; i < k->nv; ++i) {
    memset(k->column, 0, (size_t)k->nv * sizeof *k->column);
    k->column[i] = 1;
    ff_dynamics_solve(k->dynamics, k->column);
  }
}

// Minimum time of a call [us].
static double us_of(const kernel *k, void (*call)(const kernel *))
{
  double least = INFINITY;
  for (int round = 0; round < ROUNDS; ++round) {
    const double from = bench_timer_thread_seconds();
    for (int i = 0; i < CALLS; ++i)
      call(k);
    least = fmin(least, bench_timer_thread_seconds() - from);
  }
  return 1e6 * least / CALLS;
}

ff_status bench_moreau_paper_inverse_measure(const ff_sim *sim, bench_moreau_paper_inverse *out,
                                             ff_error *error)
{
  const ff_model *model = ff_sim_model(sim);
  kernel k = {.q = ff_sim_q(sim), .nv = ff_model_get_size(model).nv};
  ff_status status = ff_dynamics_create(model, NULL, &k.dynamics, error);
  if (status != FF_OK)
    return status;
  k.column = calloc((size_t)k.nv, sizeof *k.column);
  if (k.column) {
    const double all = us_of(&k, inverse), factored = us_of(&k, factors);
    out->mass = us_of(&k, mass);
    out->factors = factored - out->mass;
    out->inverse = all - factored;
    out->is_measured = 1;
  }
  free(k.column);
  ff_dynamics_destroy(k.dynamics);
  return out->is_measured ? FF_OK : (error->status = FF_ERROR_MEMORY);
}
