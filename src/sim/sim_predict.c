// The contact forces that the frozen system predicts. All but the rows of contacts and elements is constant, and
// these rows move linearly: x'' = b + Y lambda, lambda = -(K x + B x'), Expo paper eqs 10-12. Motors, stops and
// constraints are among the rows, so that their response counts; only the forces of contacts are reported. This may
// be slow and may allocate: it is for reports, not for steps.
#include "base/fail.h"
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"
#include "step/frozen/frozen_exact.h"
#include "step/frozen/frozen_forces.h"

#include <stdint.h>
#include <stdlib.h>

// The frozen system of the present evaluation: contacts first, in threes.
typedef struct frozen {
  int count; // of times
  ffi_frozen rows;
  ffi_frozen_exact dense;
  double *force;          // [nv] of all that is constant
  double *no_control;     // [nv] zeros
  double *times, *lambda; // [count], [count][rows]
} frozen;

// At most: a joint may have damping beside its elements.
static int most_rows(const ff_sim *sim)
{
  const ffi_evaluation *report = &sim->present;
  return 3 * (report->count + report->constraint_count) + report->joint_row_count +
         sim->system->model->size.nv;
}

static void layout(const ff_sim *sim, ffi_block *block, frozen *f)
{
  const size_t nv = (size_t)sim->system->model->size.nv, count = (size_t)f->count;
  const int rows = most_rows(sim);
  ffi_frozen_layout(sim->system, block, &f->rows);
  ffi_frozen_exact_arrays(rows, (int)nv, block, &f->dense);
  f->force = ffi_block_take(block, nv, sizeof *f->force);
  f->no_control = ffi_block_take(block, nv, sizeof *f->no_control);
  f->times = ffi_block_take(block, count, sizeof *f->times);
  f->lambda = ffi_block_take(block, count * (size_t)rows, sizeof *f->lambda);
}

// All contacts stick.
static ff_status freeze(ff_sim *sim, const double *tau, frozen *f, ffi_exact_system *out, ff_error *error)
{
  ffi_system s = *sim->system;
  const ffi_evaluation *now = &sim->present;
  s.tau = tau ? tau : f->no_control;
  ffi_frozen_begin(&f->rows);
  for (int i = 0; i < now->count; ++i) {
    const ffi_contact *c = &now->contact[i];
    ffi_frozen_add(&f->rows, &(ffi_frozen_spring){&c->rows, c->K, c->B, c->x, c->u, c->c});
  }
  ffi_frozen_forces_add_elements(&s, sim->state, now, &f->rows, f->force);
  f->rows.at = &sim->present.at;
  return ffi_frozen_exact_assemble(&s, &f->dense, &f->rows, out, error);
}

static ff_status solve(const ffi_exact_system *system, double duration, frozen *f, ff_error *error)
{
  for (int k = 0; k < f->count; ++k)
    f->times[k] = f->count > 1 ? duration * k / (f->count - 1) : 0;
  if (ffi_exact_system_forces(system, f->count, f->times, FFI_EXPM_EXACT, f->dense.work, f->lambda) !=
      FFI_EXPM_DONE)
    return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ff_sim_predict_forces",
                    "the exponential of the contacts' motion over %g s is not finite; ask for a shorter time",
                    duration);
  return FF_OK;
}

// Forces of contacts on body a of their pairs.
static void give_forces(const ff_sim *sim, const frozen *f, int rows, double *force)
{
  const ffi_evaluation *r = &sim->present;
  for (int k = 0; k < f->count; ++k)
    for (int i = 0; i < r->count; ++i, force += 3)
      ffi_v3_scale(r->contact[i].near.flipped ? -1 : 1, f->lambda + (size_t)k * (size_t)rows + 3 * (size_t)i,
                   force);
}

static ff_status predict(ff_sim *sim, const double *tau, double duration, frozen *f, double *force,
                         ff_error *error)
{
  ffi_block measure = {0};
  layout(sim, &measure, f);
  char *memory = calloc(1, ffi_block_bytes(&measure));
  if (!memory)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_sim_predict_forces",
                    "no memory for a frozen system of %d rows (%zu bytes)", most_rows(sim),
                    ffi_block_bytes(&measure));
  ffi_block block = ffi_block_in(memory, &measure);
  layout(sim, &block, f);
  ffi_exact_system system;
  ff_status status = freeze(sim, tau, f, &system, error);
  if (status == FF_OK)
    status = solve(&system, duration, f, error);
  if (status == FF_OK)
    give_forces(sim, f, system.n, force);
  free(memory);
  return status;
}

ff_status ff_sim_predict_forces(ff_sim *sim, const double *tau, double duration, int count, double *force,
                                int *contacts, ff_error *error)
{
  if (!sim)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_predict_forces", "the sim is NULL");
  if (!isfinite(duration) || duration < 0 || count < 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_predict_forces",
                    "duration is %g and count is %d; both must be >= 0", duration, count);
  if (tau && !ffi_all_finite(tau, sim->system->model->size.nv))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_predict_forces", "tau is not finite");
  if (ff_stepper_is_hard(sim->world->def.stepper))
    return ffi_fail(error, FF_ERROR_UNSUPPORTED, NULL, 0, "ff_sim_predict_forces",
                    "'%s' has no springs whose forces could be predicted",
                    ff_stepper_name(sim->world->def.stepper));
  const ffi_evaluation *report = ffi_sim_state_present(sim);
  if (contacts)
    *contacts = report->count;
  frozen f = {.count = count};
  if (!force || count == 0 || report->count == 0)
    return FF_OK;
  return predict(sim, tau, duration, &f, force, error);
}
