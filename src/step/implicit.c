// Backward Euler, Expo paper appendix A: Newton with analytic derivatives, a line search on the residual's norm, and
// regularisation where that fails. implicit.h has the equations.
#include "step/implicit.h"

#include "dynamics/one_robot.h"
#include "math/dense.h"
#include "step/implicit_sides.h"
#include "step/phase.h"
#include "step/stage.h"

#include <string.h>

// A step is accepted when the norm falls by this part of what a linear residual would; the usual small number.
static const double sufficient = 1e-4;
enum { HALVINGS = 8 };

// Where no part of Newton's step makes the norm smaller, the mass matrix's share in Newton's matrix is raised by these factors: in the
// limit the step is along -r.
static const double inertia_shares[] = {0, 1, 10, 100};
enum { REGULARISATIONS = sizeof inertia_shares / sizeof *inertia_shares };

static void layout_newton(const ffi_system *s, ffi_block *block, ffi_implicit *m)
{
  const size_t nv = (size_t)s->model->size.nv, holds = 2 * (size_t)s->element_count;
  double **vectors[] = {&m->residual, &m->best, &m->step, &m->g};
  double **matrices[] = {&m->M, &m->by_q, &m->A, &m->LU};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k)
    *vectors[k] = ffi_block_take(block, nv, sizeof(double));
  for (size_t k = 0; k < sizeof matrices / sizeof *matrices; ++k)
    *matrices[k] = ffi_block_take(block, nv * nv, sizeof(double));
  m->pivot = ffi_block_take(block, nv, sizeof *m->pivot);
  m->slopes = ffi_block_take(block, ffi_sides_size(m->at.stride), sizeof *m->slopes);
  m->force = ffi_block_take(block, 2 * ((size_t)s->max_contacts + holds) + 1, sizeof *m->force);
}

static void *layout(const ffi_system *s, ffi_block *block)
{
  ffi_implicit *root = ffi_block_take(block, 1, sizeof *root);
  ffi_implicit m = {0};
  ffi_stage_layout(s, block, &m.x);
  m.contact = ffi_block_take(block, (size_t)s->max_contacts + 1, sizeof *m.contact);
  ffi_instant_layout(s, block, &m.at);
  layout_newton(s, block, &m);
  m.body_frame = ffi_block_take(block, (size_t)s->model->body_count, sizeof *m.body_frame);
  if (!root)
    return NULL;
  for (int f = s->model->size.frames - 1; f >= 0; --f)
    m.body_frame[s->model->frames[f].body] = f;
  *root = m;
  return root;
}

// Newton's step with the mass matrix's share raised; 0 if the matrix is singular.
static int solve(const ffi_system *s, ffi_implicit *m, double share)
{
  const int nv = s->model->size.nv;
  for (ptrdiff_t k = 0; k < (ptrdiff_t)nv * nv; ++k)
    m->LU[k] = m->A[k] + share / m->dt * m->M[k];
  if (ffi_lu(nv, nv, m->LU, m->pivot) != FFI_FACTORED)
    return 0;
  ffi_lu_solve(nv, nv, m->LU, m->pivot, m->g, m->step);
  return 1;
}

// The longest part of the step, halved and halved again, that makes the norm smaller; 0 if there is none.
static ff_status search(ffi_system *s, ffi_implicit *m, int *found, ff_error *error)
{
  const int nv = s->model->size.nv;
  const double before = m->norm;
  double part = 1;
  *found = 0;
  for (int k = 0; k <= HALVINGS; ++k, part *= 0.5) {
    for (int i = 0; i < nv; ++i)
      m->x.v[i] = m->best[i] - part * m->step[i];
    const ff_status status = ffi_implicit_evaluate(s, m, error);
    if (status != FF_OK)
      return status;
    if (m->norm <= (1 - sufficient * part) * before) {
      *found = 1;
      return FF_OK;
    }
  }
  m->norm = before;
  return FF_OK;
}

// One iteration; *found 0: no way down was found, and the trial is where it was.
static ff_status iterate(ffi_system *s, ffi_implicit *m, int *found, ff_error *error)
{
  const size_t bytes = (size_t)s->model->size.nv * sizeof *m->best;
  *found = 0;
  memcpy(m->best, m->x.v, bytes);
  ffi_implicit_jacobian(s, m);
  for (int k = 0; k < REGULARISATIONS && !*found; ++k) {
    if (!solve(s, m, inertia_shares[k]))
      continue;
    const ff_status status = search(s, m, found, error);
    if (status != FF_OK)
      return status;
  }
  if (*found)
    return FF_OK;
  memcpy(m->x.v, m->best, bytes);
  return ffi_implicit_evaluate(s, m, error);
}

// Evaluate the trial again for as long as it shows new contacts.
static ff_status take_overlaps(ffi_system *s, ffi_implicit *m, ff_error *error)
{
  ff_status status;
  while (ffi_implicit_add_overlaps(s, m, &status, error) > 0 && status == FF_OK) {
    status = ffi_implicit_evaluate(s, m, error);
    if (status != FF_OK)
      return status;
  }
  return status;
}

static ff_status step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error)
{
  ffi_implicit *m = s->memory;
  const ff_implicit_def *def = &s->def->implicit;
  double mark = ffi_phase_begin(s);
  m->from = from;
  m->dt = dt;
  ff_status status = ffi_implicit_begin(s, m, error);
  if (status != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_CONTACT, &mark);
  status = ffi_implicit_evaluate(s, m, error);
  if (status == FF_OK)
    status = take_overlaps(s, m, error);
  int found = 1;
  while (status == FF_OK && found && s->info->iterations < def->max_iterations &&
         (m->norm > def->tolerance || s->info->iterations == 0)) {
    s->info->iterations += 1;
    status = iterate(s, m, &found, error);
    if (status == FF_OK)
      status = take_overlaps(s, m, error);
  }
  if (status != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_INTEGRAL, &mark);
  s->info->residual = m->norm;
  s->info->converged = m->norm <= def->tolerance;
  ffi_implicit_finish(s, m, to);
  ffi_phase_end(s, FF_PHASE_UPDATE, &mark);
  return FF_OK;
}

const ffi_stepper ffi_stepper_implicit = {.layout = layout, .step = step};
