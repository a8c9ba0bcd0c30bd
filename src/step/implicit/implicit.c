// Backward Euler, Expo paper appendix A: Newton with analytic derivatives, contacts that switch solved inside each
// iteration, and a line search on the norm of the residual. implicit.h has the equations.
#include "step/implicit/implicit.h"

#include "dynamics/one_lane.h"
#include "step/implicit/implicit_points.h"
#include "step/step_kernels.h"
#include "step/system/phase.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

// A Newton step is too long when something turns by more than this in it [rad]: the tangent says little beyond.
static const double longest = 0.5;

// Inertia is added to the model, in shares of its own, until the step is short enough and reduces the norm. In the
// limit this is many small steps in place of one.
static const double first_share = 0.3, share_factor = 5;
enum { SHARES = 6, MEMORY = 5 };

// In the first iterations, until forces and accelerations in the tangent are about right, the norm may rise by this
// factor.
static const double patience = 10;
enum { PATIENT = 3 };

// The norm has to fall by this factor within so many iterations. It may wander for a while. But where one feature
// takes over from another (two nearly parallel edges) forces can jump, and then there may be no solution.
static const double better = 0.999;
enum { STALE = 10 };

static void layout_newton(const ffi_system *s, ffi_block *block, ffi_implicit *m)
{
  const size_t nv = (size_t)s->model->size.nv, stride = (size_t)m->stride;
  double **vectors[] = {&m->residual, &m->base, &m->kept,  &m->step, &m->g,
                        &m->G,        &m->d,    &m->tried, &m->best, &m->weight};
  double **square[] = {&m->M, &m->by_q, &m->by_v}, **wide[] = {&m->A, &m->LU};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k)
    *vectors[k] = ffi_block_take(block, stride, sizeof(double));
  for (size_t k = 0; k < sizeof square / sizeof *square; ++k)
    *square[k] = ffi_block_take(block, nv * nv, sizeof(double));
  for (size_t k = 0; k < sizeof wide / sizeof *wide; ++k)
    *wide[k] = ffi_block_take(block, nv * stride, sizeof(double));
  m->Q = ffi_block_take(block, nv, sizeof *m->Q);
  m->pivot = ffi_block_take(block, nv, sizeof *m->pivot);
  m->joint = ffi_block_take(block, (size_t)s->law_count + 1, sizeof *m->joint);
}

static void layout_contacts(const ffi_system *s, ffi_block *block, ffi_implicit *m)
{
  const size_t contacts = (size_t)s->max_contacts, constraints = 2 * (size_t)s->element_count;
  m->contact = ffi_block_keep(block, contacts + 1, sizeof *m->contact);
  double *P = ffi_block_take(block, contacts * 3 * (size_t)m->stride, sizeof *P);
  double *Y = ffi_block_take(block, contacts * 3 * (size_t)s->model->size.nv, sizeof *Y);
  m->slopes = ffi_block_take(block, ffi_implicit_points_size(ffi_evaluation_stride(s)), sizeof *m->slopes);
  m->moment = ffi_block_take(block, s->turning ? 2 * contacts + 2 : 1, sizeof *m->moment);
  m->force = ffi_block_take(block, 2 * (contacts + constraints) + 1, sizeof *m->force);
  for (ptrdiff_t i = 0; block->base && i < s->max_contacts; ++i) {
    m->contact[i].P = P + i * 3 * m->stride;
    m->contact[i].Y = Y + i * 3 * s->model->size.nv;
  }
}

static void *layout(const ffi_system *s, ffi_block *block)
{
  ffi_implicit *root = ffi_block_keep(block, 1, sizeof *root);
  ffi_implicit m = {.k = s->step_k->newton, .stride = ffi_newton_kernels_stride(s->model->size.nv)};
  m.x = ffi_state_layout(s, block);
  layout_newton(s, block, &m);
  layout_contacts(s, block, &m);
  m.body_frame = ffi_block_keep(block, (size_t)s->model->body_count, sizeof *m.body_frame);
  if (!root)
    return NULL;
  for (int f = s->model->size.frames - 1; f >= 0; --f)
    m.body_frame[s->model->frames[f].body] = f;
  *root = m;
  return root;
}

// The largest angle that something turns by in the model's step [rad].
static double turning(const ffi_system *s, const ffi_implicit *m)
{
  double most = 0;
  for (int b = 1; b < s->model->body_count; ++b) {
    const ffi_body *body = &s->model->bodies[b];
    const int turns = body->kind <= FFI_KIND_REVOLUTE_G ? 1
                      : body->kind < FFI_KIND_PLANAR    ? 0
                      : body->kind == FFI_KIND_PLANAR   ? 1
                                                        : 3;
    for (int k = body->nv - turns; k < body->nv; ++k)
      most = fmax(most, fabs(m->step[body->v + k]));
  }
  return m->dt * most;
}

// A += share M / dt
static void add_inertia(const ffi_system *s, ffi_implicit *m, double share)
{
  const ptrdiff_t nv = s->model->size.nv;
  for (ptrdiff_t i = 0; i < nv; ++i)
    for (ptrdiff_t k = 0; k < nv; ++k)
      m->A[i * m->stride + k] += share / m->dt * m->M[i * nv + k];
}

// One iteration: tangent, model, and the step of the model if it brings the norm below `limit`; else again with more
// inertia. *found 0: no step does, and the trial is where it was.
static ff_status iterate(ffi_system *s, ffi_implicit *m, double limit, int *found, ff_error *error)
{
  const int nv = s->model->size.nv;
  double share = first_share;
  ffi_phase_end(s, FF_PHASE_CONTACT, &m->mark);
  ffi_implicit_jacobian(s, m);
  ffi_phase_end(s, FF_PHASE_PREPARE, &m->mark);
  memcpy(m->base, m->x->v, (size_t)nv * sizeof *m->base);
  *found = 0;
  for (int k = 0; k <= SHARES; ++k, share *= share_factor) {
    if (ffi_system_is_interrupted(s))
      return FF_ERROR_INTERRUPTED;
    ffi_implicit_model_solve(s, m);
    ffi_phase_end(s, FF_PHASE_INTEGRAL, &m->mark);
    if (turning(s, m) <= longest || k == SHARES) {
      for (int i = 0; i < nv; ++i)
        m->x->v[i] = m->base[i] + m->step[i];
      const ff_status status = ffi_implicit_trial_evaluate(s, m, error);
      ffi_phase_end(s, FF_PHASE_CONTACT, &m->mark);
      if (status != FF_OK)
        return status;
      *found = m->norm < limit;
      if (*found)
        return FF_OK;
    }
    add_inertia(s, m, share);
  }
  memcpy(m->x->v, m->base, (size_t)nv * sizeof *m->base);
  return ffi_implicit_trial_evaluate(s, m, error);
}

// History of the norm since the set of contacts last changed.
typedef struct progress {
  double norms[MEMORY]; // the last ones, in turn
  int count;
  double best;
  int stale; // iterations since it was the best, or nearly
} progress;

static double largest(const progress *p)
{
  double most = 0;
  for (int k = 0; k < MEMORY && k < p->count; ++k)
    most = fmax(most, p->norms[k]);
  return most;
}

static void note(const ffi_system *s, ffi_implicit *m, progress *p)
{
  p->stale = m->norm < better * p->best ? 0 : p->stale + 1;
  if (p->count == 0 || m->norm < p->best) {
    p->best = m->norm;
    memcpy(m->kept, m->x->v, (size_t)s->model->size.nv * sizeof *m->kept);
  }
  p->norms[p->count++ % MEMORY] = m->norm;
}

// From the first trial to the last. The norm need not fall every time, only below the largest of the last few: the
// path from one side of a surface to the other may lead over a ridge. If Newton does not converge, the best trial is
// the result.
static ff_status newton(ffi_system *s, ffi_implicit *m, ff_error *error)
{
  const ff_implicit_def *def = &s->def->implicit;
  progress p = {.count = 0, .best = INFINITY};
  int found = 1, *iterations = &s->info->iterations;
  ff_status status = ffi_implicit_trial_evaluate(s, m, error);
  while (status == FF_OK) {
    const int contacts = m->x->touching_count;
    status = ffi_implicit_trial_take_overlaps(s, m, error);
    if (status != FF_OK)
      return status;
    if (contacts != m->x->touching_count) // another residual: old norms do not compare
      p = (progress){.count = 0, .best = INFINITY};
    note(s, m, &p);
    const int is_done = m->norm <= def->tolerance && *iterations > 0;
    if (is_done || !found || p.stale > STALE || *iterations == def->max_iterations)
      break;
    *iterations += 1;
    status = iterate(s, m, largest(&p) * (*iterations <= PATIENT ? patience : 1), &found, error);
  }
  if (status != FF_OK || m->norm <= p.best)
    return status;
  memcpy(m->x->v, m->kept, (size_t)s->model->size.nv * sizeof *m->kept);
  return ffi_implicit_trial_evaluate(s, m, error);
}

static ff_status step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error)
{
  ffi_implicit *m = s->memory;
  m->mark = ffi_phase_begin(s);
  m->at = s->present;
  m->from = from;
  m->dt = dt;
  ff_status status = ffi_implicit_trial_begin(s, m, error);
  if (status != FF_OK)
    return status;
  status = newton(s, m, error);
  if (status != FF_OK)
    return status;
  ffi_phase_end(s, FF_PHASE_CONTACT, &m->mark);
  s->info->penetration = m->at->deepest;
  s->info->residual = fmin(m->norm, DBL_MAX); // what is not finite is refused after the step
  s->info->converged = m->norm <= s->def->implicit.tolerance;
  ffi_implicit_trial_finish(s, m, to);
  ffi_phase_end(s, FF_PHASE_UPDATE, &m->mark);
  return FF_OK;
}

const ffi_stepper ffi_implicit_stepper = {.layout = layout, .step = step};
