// A point held by springs and dampers in all directions, in its own coordinates by CVODE's stiff method (BDF), and as
// a frozen contact system by the matrix exponential.
//
// CVODE knows nothing of rows and exponentials: it integrates the point's position and velocity, and beside them the
// forces of all springs, once and twice. Five springs on one point: the rows are redundant, J M^-1 J' has rank 3.
#include "math/exact_system.h"

#include "math/near.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

enum { SPRINGS = 5, STATES = 6 + 2 * SPRINGS };

typedef struct held_point {
  double mass, push[3], push_rate[3]; // a force on it, and its slope
  double axis[SPRINGS][3];            // unit vectors
  double stiffness[SPRINGS], damping[SPRINGS];
  double position[3], velocity[3]; // at the start; springs are at rest at 0
} held_point;

static double along(const double *axis, const double *x)
{
  return axis[0] * x[0] + axis[1] * x[1] + axis[2] * x[2];
}

static double spring_force(const held_point *p, int i, const double *position, const double *velocity)
{
  return -p->stiffness[i] * along(p->axis[i], position) - p->damping[i] * along(p->axis[i], velocity);
}

// y = (position, velocity, integrals of the forces, integrals of those)
static int rates(realtype t, N_Vector y_vector, N_Vector rate_vector, void *user)
{
  const held_point *p = user;
  const double *y = N_VGetArrayPointer(y_vector);
  double *rate = N_VGetArrayPointer(rate_vector);
  for (int k = 0; k < 3; ++k) {
    rate[k] = y[3 + k];
    rate[3 + k] = (p->push[k] + p->push_rate[k] * t) / p->mass;
  }
  for (int i = 0; i < SPRINGS; ++i) {
    const double force = spring_force(p, i, y, y + 3);
    for (int k = 0; k < 3; ++k)
      rate[3 + k] += p->axis[i][k] * force / p->mass;
    rate[6 + i] = force;
    rate[6 + SPRINGS + i] = y[6 + i];
  }
  return 0;
}

// y [STATES] at time t, with local errors of `local`, relative.
static void integrate_with_cvode(held_point *p, double t, double force, double local, double *y_out)
{
  SUNContext context;
  assert_int_equal(SUNContext_Create(NULL, &context), 0);
  N_Vector y = N_VNew_Serial(STATES, context), tolerance = N_VNew_Serial(STATES, context);
  double *start = N_VGetArrayPointer(y), *absolute = N_VGetArrayPointer(tolerance);
  for (int k = 0; k < STATES; ++k) {
    start[k] = k < 3 ? p->position[k] : k < 6 ? p->velocity[k - 3] : 0;
    absolute[k] = local / 10 * (k < 3 ? 1e-3 : k < 6 ? 1 : k < 6 + SPRINGS ? force * t : force * t * t);
  }
  void *cvode = CVodeCreate(CV_BDF, context);
  SUNMatrix matrix = SUNDenseMatrix(STATES, STATES, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
  double reached = 0;
  assert_int_equal(CVodeInit(cvode, rates, 0, y), CV_SUCCESS);
  assert_int_equal(CVodeSVtolerances(cvode, local, tolerance), CV_SUCCESS);
  assert_int_equal(CVodeSetUserData(cvode, p), CV_SUCCESS);
  assert_int_equal(CVodeSetLinearSolver(cvode, solver, matrix), CV_SUCCESS);
  assert_int_equal(CVodeSetMaxNumSteps(cvode, 10000000), CV_SUCCESS);
  assert_int_equal(CVodeSetStopTime(cvode, t), CV_SUCCESS);
  assert_true(CVode(cvode, t, y, &reached, CV_NORMAL) >= 0);
  assert_true(reached == t);
  memcpy(y_out, start, STATES * sizeof *y_out);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  CVodeFree(&cvode);
  N_VDestroy(tolerance);
  N_VDestroy(y);
  SUNContext_Free(&context);
}

typedef struct row_results {
  double mean[SPRINGS], double_mean[SPRINGS], dp[SPRINGS], dpdot[SPRINGS];
} row_results;

// The same as rows: row i is the point's way along axis i.
static void step_as_rows(const held_point *p, double t, row_results *out)
{
  double Y[SPRINGS * SPRINGS], K[SPRINGS * SPRINGS] = {0}, B[SPRINGS * SPRINGS] = {0};
  double b0[SPRINGS], b1[SPRINGS], dp[SPRINGS], dpdot[SPRINGS];
  for (int i = 0; i < SPRINGS; ++i) {
    for (int j = 0; j < SPRINGS; ++j)
      Y[i * SPRINGS + j] = along(p->axis[i], p->axis[j]) / p->mass;
    K[i * SPRINGS + i] = p->stiffness[i];
    B[i * SPRINGS + i] = p->damping[i];
    b0[i] = along(p->axis[i], p->push) / p->mass;
    b1[i] = along(p->axis[i], p->push_rate) / p->mass;
    dp[i] = along(p->axis[i], p->position);
    dpdot[i] = along(p->axis[i], p->velocity);
  }
  const ffi_exact_system system = {SPRINGS, Y, K, B, b0, b1, dp, dpdot, NULL, NULL};
  const ffi_exact_system_result result = {out->mean, out->double_mean, out->dp, out->dpdot};
  void *work = malloc(ffi_exact_system_size(SPRINGS));
  assert_int_equal(ffi_exact_system_step(&system, t, FFI_EXPM_EXACT, work, &result, NULL), FFI_EXPM_DONE);
  free(work);
}

static held_point random_point(rng *r, double stiffness, double damping)
{
  held_point p = {.mass = random_in(r, 0.5, 4), .push_rate = {30, -20, 100}};
  p.push[2] = -9.81 * p.mass;
  for (int i = 0; i < SPRINGS; ++i) {
    random_unit(r, 3, p.axis[i]);
    p.stiffness[i] = stiffness * random_in(r, 0.3, 1);
    p.damping[i] = i == 1 ? 0 : damping * random_in(r, 0.3, 1);
  }
  random_vector(r, 3, 20 / stiffness, p.position);
  random_vector(r, 3, 0.2, p.velocity);
  return p;
}

// The worst difference, relative to the largest force, or to the state that such a force makes.
static double disagreement(held_point *p, double t, double local)
{
  double y[STATES], worst = 0, K = 0, B = 0;
  row_results rows;
  for (int i = 0; i < SPRINGS; ++i) {
    K = fmax(K, p->stiffness[i]);
    B = fmax(B, p->damping[i]);
  }
  const double speed = 0.2 + 20 / sqrt(K * p->mass), way = 20 / K + speed * sqrt(p->mass / K);
  const double force = K * way + B * speed;
  integrate_with_cvode(p, t, force, local, y);
  step_as_rows(p, t, &rows);
  for (int i = 0; i < SPRINGS; ++i) {
    worst = fmax(worst, fabs(rows.mean[i] - y[6 + i] / t) / force);
    worst = fmax(worst, fabs(rows.double_mean[i] - 2 * y[6 + SPRINGS + i] / (t * t)) / force);
    worst = fmax(worst, fabs(rows.dp[i] - along(p->axis[i], y)) / way);
    worst = fmax(worst, fabs(rows.dpdot[i] - along(p->axis[i], y + 3)) / speed);
  }
  return worst;
}

// The worst of many points.
static double worst_disagreement(double local)
{
  rng r = {1};
  double worst = 0;
  for (double stiffness = 1e3; stiffness < 2e7; stiffness *= 100)
    for (int damped = 0; damped < 3; ++damped)
      for (double t = 1e-3; t < 0.2; t *= 10) {
        // Light, as in robots' feet, and overdamped: the stiff case that BDF is made for.
        const double damping = (double[]){0.05, 1, 30}[damped] * sqrt(stiffness);
        held_point p = random_point(&r, stiffness, damping);
        worst = fmax(worst, disagreement(&p, t, local));
      }
  print_message("CVODE at %.0e differs by at most %.2g of the largest force\n", local, worst);
  return worst;
}

static void a_point_held_by_springs_moves_as_cvode_says(void **state)
{
  (void)state;
  // Local errors add up over some thousand steps, and it is CVODE's error that is seen: it falls with its tolerance.
  const double coarse = worst_disagreement(1e-10), fine = worst_disagreement(1e-13);
  assert_true(fine < 1e-9);
  assert_true(fine < coarse / 30);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_point_held_by_springs_moves_as_cvode_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
