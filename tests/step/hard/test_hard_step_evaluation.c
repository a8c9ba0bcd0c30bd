// A look of a hard step is a value: impulses, corrections and energies at it leave it alone. Its solver is what the
// request says, wherever the options lie.
#include "model/model.h"
#include "step/hard/c2a.h"
#include "step/rig.h"
#include "support/robots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ff_stepper steppers[3] = {FF_STEPPER_MOREAU, FF_STEPPER_CA, FF_STEPPER_C2A};
static const double dt = 2e-3;

// A robot that has been dropped, with a turn, and slides.
static ffi_rig *landing(const ff_model *model, ff_stepper stepper)
{
  const ff_model_size size = ff_model_get_size(model);
  ffi_rig *rig = ffi_rig_create(model, &(ffi_rig_def){.stepper = stepper,
                                                      .K = 1e5,
                                                      .B = 300,
                                                      .mu = 0.3,
                                                      .stabilise = 1,
                                                      .impact = FF_IMPACT_DISSIPATION});
  double *q = calloc((size_t)size.nq, sizeof *q), *v = calloc((size_t)size.nv, sizeof *v);
  assert_true(q && v);
  memcpy(q, ffi_robot_posture(model, "standing"), (size_t)size.nq * sizeof *q);
  v[0] = 0.5;
  v[2] = -0.5;
  v[5] = 1;
  ffi_rig_reset(rig, q, v);
  ffi_rig_run(rig, dt, 20);
  free(q);
  free(v);
  return rig;
}

static ffi_hard_step *memory_of(const ffi_rig *rig)
{
  return rig->def.stepper == FF_STEPPER_MOREAU ? rig->system.memory : ((ffi_c2a *)rig->system.memory)->piece;
}

// What the middle of a step of `moreau` asks for, or the end of one of `ca`.
static ffi_hard_step_request request_of(const ffi_rig *rig)
{
  if (rig->def.stepper != FF_STEPPER_MOREAU)
    return ffi_c2a_substep_request(&rig->system, rig->now, dt, dt);
  return (ffi_hard_step_request){.from = rig->now,
                                 .dt = dt,
                                 .span = dt,
                                 .ahead = dt / 2,
                                 .after = dt / 2,
                                 .horizon = dt / 2,
                                 .restitution = 1,
                                 .solver = {.method = FFI_HARD_STEP_REQUEST_LAWS, .hard = &rig->def.moreau}};
}

// The look at the present state.
static void look_now(ffi_rig *rig, ffi_hard_step_request *request)
{
  ffi_hard_step *m = memory_of(rig);
  ff_error error;
  request->reach = ffi_hard_step_contacts_reach(request, 0);
  ffi_state_copy(&rig->system, rig->now, m->look.state);
  assert_int_equal(ffi_hard_step_evaluation_at(&rig->system, request, &m->look, &error), FF_OK);
}

static void find_impulses(ffi_rig *rig, const ffi_hard_step_request *request)
{
  ffi_hard_step *m = memory_of(rig);
  ff_error error;
  double mark = 0;
  ffi_hard_step_problem_result result;
  ffi_hard_step_contacts_begin(&rig->system, &m->look, &m->problem);
  assert_int_equal(ffi_hard_step_impulses(&rig->system, request, &m->problem, &mark, &result, &error), FF_OK);
  assert_true(result.converged);
}

// All numbers of a look, one after the other; free() it.
static char *bytes_of(const ffi_rig *rig, const ffi_hard_step_evaluation *look, size_t *count)
{
  const ff_model_size size = ff_model_get_size(rig->model);
  const size_t near = (size_t)look->near_count, bodies = (size_t)rig->model->body_count;
  const struct {
    const void *data;
    size_t bytes;
  } part[] = {{ffi_hard_step_evaluation_poses(look) + 1, (bodies - 1) * sizeof(ffi_pose)},
              {look->state->q, (size_t)size.nq * sizeof(double)},
              {look->state->v, (size_t)size.nv * sizeof(double)},
              {look->h, (size_t)size.nv * sizeof(double)},
              {look->near, near * sizeof *look->near},
              {look->role, near * sizeof *look->role},
              {&look->seen, sizeof look->seen}};
  *count = 0;
  for (size_t i = 0; i < sizeof part / sizeof *part; ++i)
    *count += part[i].bytes;
  char *out = malloc(*count), *to = out;
  assert_non_null(out);
  for (size_t i = 0; i < sizeof part / sizeof *part; to += part[i++].bytes)
    memcpy(to, part[i].data, part[i].bytes);
  return out;
}

static void a_look_stays_as_it_was(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("starleth.urdf");
  for (int k = 0; k < 3; ++k) {
    ffi_rig *rig = landing(model, steppers[k]);
    const ffi_system *s = &rig->system;
    ffi_hard_step *m = memory_of(rig);
    ffi_hard_step_request request = request_of(rig);
    size_t before_count, after_count;
    double kinetic;
    look_now(rig, &request);
    char *before = bytes_of(rig, &m->look, &before_count);
    find_impulses(rig, &request);
    assert_true(m->problem.count > 0 && m->problem.hard.rows > 0);
    // Energies of another pose, and a correction.
    const double *u = m->problem.hard.u;
    ffi_hard_step_energy(s, rig->next->q, u, rig->now->reference, &kinetic);
    assert_true(kinetic > 0);
    ffi_state_copy(s, rig->now, rig->next);
    memcpy(rig->next->v, u, (size_t)m->problem.hard.nv * sizeof *u);
    ffi_hard_step_stabilise(s, &request, m, rig->next);
    char *after = bytes_of(rig, &m->look, &after_count);
    assert_int_equal(before_count, after_count);
    assert_memory_equal(before, after, before_count);
    free(before);
    free(after);
    ffi_rig_destroy(rig);
  }
  ff_model_destroy(model);
}

// A correction has laws of its own: the impulses of the step are still there after it.
static void a_correction_leaves_the_impulses(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("starleth.urdf");
  ffi_rig *rig = landing(model, FF_STEPPER_MOREAU);
  ffi_hard_step *m = memory_of(rig);
  ffi_hard_step_request request = request_of(rig);
  look_now(rig, &request);
  find_impulses(rig, &request);
  const ffi_hard *hard = &m->problem.hard;
  const size_t bytes = (size_t)hard->rows * sizeof(double);
  double *impulse = malloc(bytes);
  assert_non_null(impulse);
  memcpy(impulse, hard->impulse, bytes);
  const double taken = ffi_hard_step_energy_taken(&rig->system, &m->problem), mu = hard->block[0].mu;
  m->problem.contact[0].near.gap -= 1e-3; // deeper than what is left alone
  ffi_state_copy(&rig->system, rig->now, rig->next);
  assert_true(ffi_hard_step_stabilise(&rig->system, &request, m, rig->next).iterations > 0);
  assert_memory_equal(impulse, hard->impulse, bytes);
  assert_true(hard->block[0].mu == mu && mu > 0);
  assert_true(ffi_hard_step_energy_taken(&rig->system, &m->problem) == taken);
  free(impulse);
  ffi_rig_destroy(rig);
  ff_model_destroy(model);
}

// Velocities after the impulses of a request, to out [nv].
static void velocities(ffi_rig *rig, const ffi_hard_step_request *request, double *out)
{
  const ffi_hard *hard = &memory_of(rig)->problem.hard;
  find_impulses(rig, request);
  memcpy(out, hard->u, (size_t)hard->nv * sizeof *out);
}

// One look, by the impact map and by the laws: feet that slide are lifted by the one and not by the other. Options that
// are equal give the same bits wherever they lie.
static void the_request_says_who_solves(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("starleth.urdf");
  ffi_rig *rig = landing(model, FF_STEPPER_CA);
  const size_t bytes = (size_t)ff_model_get_size(model).nv * sizeof(double);
  double *u[3];
  for (int i = 0; i < 3; ++i)
    assert_non_null(u[i] = malloc(bytes));
  ffi_hard_step_request request = request_of(rig);
  look_now(rig, &request);
  velocities(rig, &request, u[0]);
  const ff_moreau_def hard = *request.solver.hard;
  const ff_impact_def impact = *request.solver.impact;
  request.solver.hard = &hard;
  request.solver.impact = &impact;
  velocities(rig, &request, u[1]);
  assert_memory_equal(u[0], u[1], bytes);
  request.solver.method = FFI_HARD_STEP_REQUEST_LAWS;
  velocities(rig, &request, u[2]);
  assert_memory_not_equal(u[0], u[2], bytes);
  for (int i = 0; i < 3; ++i)
    free(u[i]);
  ffi_rig_destroy(rig);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_look_stays_as_it_was),
      cmocka_unit_test(a_correction_leaves_the_impulses),
      cmocka_unit_test(the_request_says_who_solves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
