// Equations without closed forms, and where their guards pass, by ff_ode and by CVODE.
#include <footfall/ode.h>

#include "math/near.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

enum { GUARDS = 2, MOST_EVENTS = 200 };

typedef struct problem {
  int size;
  double start[3], end;
  ff_ode_rate rate;
  double stretch; // how far an error of one at the start grows, about
} problem;

static int lorenz(double t, const double *x, double *rate, void *user)
{
  (void)t;
  (void)user;
  rate[0] = 10 * (x[1] - x[0]);
  rate[1] = x[0] * (28 - x[2]) - x[1];
  rate[2] = x[0] * x[1] - 8. / 3 * x[2];
  return 0;
}

// Van der Pol's oscillator, damping 5, driven.
static int van_der_pol(double t, const double *x, double *rate, void *user)
{
  (void)user;
  rate[0] = x[1];
  rate[1] = 5 * (1 - x[0] * x[0]) * x[1] - x[0] + sin(t);
  return 0;
}

static int pendulum(double t, const double *x, double *rate, void *user)
{
  (void)t;
  (void)user;
  rate[0] = x[1];
  rate[1] = -sin(x[0]);
  return 0;
}

static void guards(double t, const double *x, double *value, void *user)
{
  (void)t;
  (void)user;
  value[0] = x[0] - 0.5;
  value[1] = x[0] * x[1] + 0.1;
}

static const problem problems[] = {
    {3, {1, 2, 20}, 6, lorenz, 1e4}, {2, {2, 0}, 30, van_der_pol, 1e3}, {2, {3, 0}, 40, pendulum, 1e3}};

typedef struct events {
  int count, guard[MOST_EVENTS];
  double t[MOST_EVENTS], x[3];
} events;

static int cvode_rate(sunrealtype t, N_Vector y, N_Vector ydot, void *user)
{
  const problem *p = user;
  return p->rate(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot), NULL);
}

static int cvode_guards(sunrealtype t, N_Vector y, sunrealtype *value, void *user)
{
  (void)user;
  guards(t, N_VGetArrayPointer(y), value, NULL);
  return 0;
}

static void note(events *e, double t, int guard)
{
  assert_true(e->count < MOST_EVENTS);
  e->t[e->count] = t;
  e->guard[e->count++] = guard;
}

static events by_cvode(problem *p)
{
  events e = {0};
  SUNContext context;
  assert_int_equal(SUNContext_Create(NULL, &context), 0);
  memcpy(e.x, p->start, sizeof e.x);
  N_Vector y = N_VMake_Serial(p->size, e.x, context);
  SUNMatrix matrix = SUNDenseMatrix(p->size, p->size, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
  void *cvode = CVodeCreate(CV_BDF, context);
  assert_int_equal(CVodeInit(cvode, cvode_rate, 0, y), CV_SUCCESS);
  assert_int_equal(CVodeSStolerances(cvode, 1e-13, 1e-14), CV_SUCCESS);
  assert_int_equal(CVodeSetUserData(cvode, p), CV_SUCCESS);
  assert_int_equal(CVodeSetLinearSolver(cvode, solver, matrix), CV_SUCCESS);
  assert_int_equal(CVodeSetMaxNumSteps(cvode, 1000000), CV_SUCCESS);
  assert_int_equal(CVodeRootInit(cvode, GUARDS, cvode_guards), CV_SUCCESS);
  assert_int_equal(CVodeSetStopTime(cvode, p->end), CV_SUCCESS);
  for (sunrealtype t = 0; t < p->end;) {
    int found[GUARDS];
    const int flag = CVode(cvode, p->end, y, &t, CV_NORMAL);
    assert_true(flag >= 0);
    if (flag != CV_ROOT_RETURN)
      continue;
    assert_int_equal(CVodeGetRootInfo(cvode, found), CV_SUCCESS);
    for (int k = 0; k < GUARDS; ++k)
      if (found[k])
        note(&e, t, k);
  }
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return e;
}

static events by_ode(const problem *p, double tolerance)
{
  events e = {0};
  ff_ode_def def = ff_ode_def_default();
  def.size = p->size;
  def.rate = p->rate;
  def.guards = GUARDS;
  def.guard = guards;
  def.relative_tolerance = def.absolute_tolerance = tolerance;
  ff_ode *ode;
  assert_int_equal(ff_ode_create(&def, &ode, NULL), FF_OK);
  assert_int_equal(ff_ode_start(ode, 0, p->start, NULL), FF_OK);
  for (;;) {
    int guard;
    assert_int_equal(ff_ode_advance(ode, p->end, &guard, NULL), FF_OK);
    if (guard < 0)
      break;
    note(&e, ff_ode_time(ode), guard);
  }
  memcpy(e.x, ff_ode_state(ode), (size_t)p->size * sizeof *e.x);
  ff_ode_destroy(ode);
  return e;
}

static void states_and_events_agree(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof problems / sizeof *problems; ++i) {
    problem p = problems[i];
    const events want = by_cvode(&p), got = by_ode(&p, 1e-11);
    assert_true(want.count >= 10);
    assert_int_equal(got.count, want.count);
    double worst = 0, off = 0;
    for (int n = 0; n < want.count; ++n) {
      assert_int_equal(got.guard[n], want.guard[n]);
      worst = fmax(worst, fabs(got.t[n] - want.t[n]));
    }
    for (int j = 0; j < p.size; ++j)
      off = fmax(off, fabs(got.x[j] - want.x[j]));
    print_message("problem %zu: %d events, times off by %.2g, end by %.2g\n", i, want.count, worst, off);
    assert_true(worst <= 1e-11 * p.stretch);
    assert_true(off <= 1e-11 * 100 * p.stretch); // states are up to 40 and move at up to 100
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(states_and_events_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
