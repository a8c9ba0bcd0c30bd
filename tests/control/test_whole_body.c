// What a whole-body controller finds: the equations of motion hold, and it is the minimum that one dense linear system
// finds where no limit is reached.
#include "robots.h"

#include "support/random_state.h"

#include <float.h>
#include <lapacke.h>

// ---- The equations of motion --------------------------------------------------------------------------------------

// M vdot + h - tau - sum J' f at the solution, over the sizes that are added in it.
static double imbalance(ffi_bench *b, const ff_whole_body *body, const ff_contact_task *contacts, int count)
{
  double left[FFI_MOST_NV], J[3 * FFI_MOST_NV], worst = 0, size = 0;
  ff_dynamics_rnea(b->dynamics, b->q, b->v, ff_whole_body_vdot(body), left);
  ff_dynamics_kinematics(b->dynamics, NULL, NULL, NULL);
  size = ffi_size(b->nv, left);
  for (int i = 0; i < b->nv; ++i)
    left[i] -= ff_whole_body_tau(body)[i];
  for (int c = 0; c < count; ++c)
    for (int p = 0; p < contacts[c].point_count; ++p) {
      const double *f = ff_whole_body_force(body, c) + 3 * p;
      ff_point point = {.frame = contacts[c].frame};
      memcpy(point.offset, contacts[c].points + 3 * p, sizeof point.offset);
      ff_dynamics_point_jacobian(b->dynamics, 1, &point, J);
      for (int i = 0; i < b->nv; ++i)
        for (int r = 0; r < 3; ++r) {
          left[i] -= J[r * b->nv + i] * f[r];
          size = fmax(size, fabs(J[r * b->nv + i] * f[r]));
        }
    }
  worst = ffi_size(b->nv, left);
  return worst / fmax(1, size);
}

static void solo_moves_as_it_must(void **state)
{
  (void)state;
  // The rows without a motor are equalities of a program of 30 unknowns, solved by rotations: some hundred roundings.
  ffi_margin m = {.what = "equations of motion", .tolerance = 2000 * DBL_EPSILON};
  ffi_bench b = ffi_bench_make("solo12.urdf");
  ff_contact_task feet[4];
  ff_whole_body_def def = ffi_squat_def(b.model, feet);
  int limited = 0;
  for (int strict = 0; strict < 2; ++strict) {
    for (int i = 0; i < 4; ++i)
      feet[i].task.is_strict = strict;
    ff_whole_body *body = ffi_must_whole_body(b.model, &def);
    for (int i = 0; i < 300; ++i) {
      ffi_random random = ffi_random_seed((uint64_t)i);
      ffi_bench_shake(&b, &random, "squat", 0.2, i % 3 == 0 ? 0 : 1);
      ff_whole_body_hold(body, ffi_robot_posture(b.model, "squat"));
      for (int c = 0; c < 4; ++c)
        ff_whole_body_set_contact(body, c, ffi_random_chance(&random, 0.8), b.q);
      ffi_must_solve(body, b.q, b.v);
      limited += ff_whole_body_get_info(body)->limits > 0;
      ffi_margin_add(&m, imbalance(&b, body, feet, 4), i);
      for (int k = 0; k < 6; ++k)
        assert_true(ff_whole_body_tau(body)[k] == 0);
    }
    ff_whole_body_destroy(body);
  }
  ffi_margin_check(&m);
  assert_true(limited > 50); // with limits too
  ffi_bench_free(&b);
}

// ---- The minimum, by one linear system ----------------------------------------------------------------------------

// Unknowns (vdot, f, tau of motors) and a multiplier for each equality; dense.
typedef struct kkt {
  int unknowns, size;
  double *K, *rhs;
} kkt;

static kkt make_kkt(int unknowns, int equalities)
{
  const int size = unknowns + equalities;
  kkt s = {unknowns, size, calloc((size_t)size * (size_t)size, sizeof(double)),
           calloc((size_t)size, sizeof(double))};
  assert_true(s.K && s.rhs);
  return s;
}

static void add_cost(kkt *s, double weight, int columns, const double *row, double a)
{
  for (int i = 0; i < columns; ++i) {
    s->rhs[i] += weight * row[i] * a;
    for (int j = 0; j < columns; ++j)
      s->K[i * s->size + j] += weight * row[i] * row[j];
  }
}

static void set_equality(kkt *s, int number, int column, double value)
{
  s->K[(s->unknowns + number) * s->size + column] = value;
  s->K[column * s->size + s->unknowns + number] = value;
}

// The squat's program at a state, from the def alone: four feet that are weighted or strict, a centre of mass, a
// posture.
static void solve_kkt(ffi_bench *b, const ff_whole_body_def *def, double want[3][3], double *x)
{
  const int nv = b->nv, driven = nv - 6, strict = def->contacts[0].task.is_strict ? 12 : 0;
  const double *q0 = ffi_robot_posture(b->model, "squat");
  double M[FFI_MOST_NV * FFI_MOST_NV], h[FFI_MOST_NV], J[6 * FFI_MOST_NV], bias[6], dv[FFI_MOST_NV], com[3],
      at[4][3], now[3], u[6];
  kkt s = make_kkt(nv + 12 + driven, nv + strict);
  ff_dynamics_kinematics(b->dynamics, q0, NULL, NULL);
  for (int c = 0; c < 4; ++c)
    ff_dynamics_frame_pose(b->dynamics, def->contacts[c].frame, at[c], NULL);
  ff_dynamics_bias(b->dynamics, b->q, b->v, h);
  ff_dynamics_crba(b->dynamics, NULL);
  ff_dynamics_mass_matrix(b->dynamics, M);
  ff_dynamics_kinematics(b->dynamics, NULL, b->v, NULL);
  for (int i = 0; i < nv; ++i) {
    for (int k = 0; k < nv; ++k)
      set_equality(&s, i, k, M[i * nv + k]);
    if (i >= 6)
      set_equality(&s, i, nv + 12 + i - 6, -1);
    s.rhs[s.unknowns + i] = -h[i];
    s.K[i * s.size + i] += def->acceleration_weight;
  }
  for (int c = 0; c < 4; ++c) {
    const ff_task *task = &def->contacts[c].task;
    ff_dynamics_frame_jacobian(b->dynamics, def->contacts[c].frame, FF_AXES_LOCAL_ALIGNED, J);
    ff_dynamics_frame_bias(b->dynamics, def->contacts[c].frame, FF_AXES_LOCAL_ALIGNED, bias);
    ff_dynamics_frame_velocity(b->dynamics, def->contacts[c].frame, FF_AXES_LOCAL_ALIGNED, u);
    ff_dynamics_frame_pose(b->dynamics, def->contacts[c].frame, now, NULL);
    for (int r = 0; r < 3; ++r) {
      const double a = task->kp * (at[c][r] - now[r]) - 2 * sqrt(task->kp) * u[r] - bias[r];
      for (int i = 0; i < nv; ++i)
        set_equality(&s, i, nv + 3 * c + r, -J[r * nv + i]);
      s.K[(nv + 3 * c + r) * s.size + nv + 3 * c + r] += def->force_weight;
      if (!strict) {
        add_cost(&s, task->weight, nv, J + r * nv, a);
        continue;
      }
      for (int i = 0; i < nv; ++i)
        set_equality(&s, nv + 3 * c + r, i, J[r * nv + i]);
      s.rhs[s.unknowns + nv + 3 * c + r] = a;
    }
  }
  ff_dynamics_com(b->dynamics, com);
  ff_dynamics_com_jacobian(b->dynamics, J);
  ff_dynamics_momentum_bias(b->dynamics, bias);
  for (int r = 0; r < 3; ++r) {
    double rate = 0;
    for (int i = 0; i < nv; ++i)
      rate += J[r * nv + i] * b->v[i];
    add_cost(&s, def->com.weight, nv, J + r * nv,
             want[2][r] + def->com.kp * (want[0][r] - com[r]) + 2 * sqrt(def->com.kp) * (want[1][r] - rate) -
                 bias[r] / ff_model_mass(b->model));
  }
  ff_model_difference(b->model, b->q, q0, dv);
  for (int i = 6; i < nv; ++i) {
    s.K[i * s.size + i] += def->posture.weight;
    s.rhs[i] += def->posture.weight * (def->posture.kp * dv[i] - 2 * sqrt(def->posture.kp) * b->v[i]);
  }
  lapack_int *pivot = calloc((size_t)s.size, sizeof *pivot);
  assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, s.size, 1, s.K, s.size, pivot, s.rhs, 1), 0);
  memcpy(x, s.rhs, (size_t)s.unknowns * sizeof *x);
  free(pivot);
  free(s.K);
  free(s.rhs);
}

static void without_limits_it_is_the_minimum(void **state)
{
  (void)state;
  // Two ways of eliminating; costs from 1e-6 to 1 and their roots in the factors: conditions of 1e4 or so, a thousand
  // roundings.
  ffi_margin m[3] = {{.what = "vdot over its size", .tolerance = 2e-9},
                     {.what = "forces over their size", .tolerance = 2e-9},
                     {.what = "torques over their size", .tolerance = 2e-9}};
  ffi_bench b = ffi_bench_make("solo12.urdf");
  ff_contact_task feet[4];
  ff_whole_body_def def = ffi_squat_def(b.model, feet);
  int compared = 0;
  for (int i = 0; i < 200; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)i);
    double want[3][3], x[2 * FFI_MOST_NV + 12];
    for (int c = 0; c < 4; ++c)
      feet[c].task.is_strict = i % 2;
    ff_whole_body *body = ffi_must_whole_body(b.model, &def);
    ff_whole_body_hold(body, ffi_robot_posture(b.model, "squat"));
    ffi_bench_shake(&b, &random, "squat", 0.05, 0.2);
    ffi_random_vector(&random, 9, 0.1, want[0]);
    want[0][2] += 0.2;
    ff_whole_body_set_com(body, want[0], want[1], want[2]);
    ffi_must_solve(body, b.q, b.v);
    if (ff_whole_body_get_info(body)->limits == 0) {
      ++compared;
      solve_kkt(&b, &def, want, x);
      ffi_margin_add(&m[0], ffi_gap(b.nv, ff_whole_body_vdot(body), x) / ffi_size(b.nv, x), i);
      for (int c = 0; c < 4; ++c)
        ffi_margin_add(
            &m[1], ffi_gap(3, ff_whole_body_force(body, c), x + b.nv + 3 * c) / ffi_size(12, x + b.nv), i);
      ffi_margin_add(&m[2],
                     ffi_gap(b.nv - 6, ff_whole_body_tau(body) + 6, x + b.nv + 12) /
                         ffi_size(b.nv - 6, x + b.nv + 12),
                     i);
    }
    ff_whole_body_destroy(body);
  }
  for (int k = 0; k < 3; ++k)
    ffi_margin_check(&m[k]);
  print_message("  %d of 200 without a limit reached\n", compared);
  assert_true(compared > 50);
  ffi_bench_free(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solo_moves_as_it_must),
      cmocka_unit_test(without_limits_it_is_the_minimum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
