// Cut models: the state of a robot spread over its pieces and gathered again.
#include "model/cut_cases.h"
#include "support/alloc_counter.h"
#include "support/cut_constraints.h"
#include "support/must.h"
#include "support/near.h"
#include "support/random_model.h"
#include "support/robots.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct margins {
  ffi_margin place, energy, momentum, gap, rate, back_q, back_v, power;
} margins;

// Sums of up to forty links, positions within tens of metres, velocities up to tens per second: thousands of roundings
// of their size.
static margins new_margins(void)
{
  const double tolerance = 1e-12;
  return (margins){
      .place = {.what = "frames", .tolerance = tolerance},
      .energy = {.what = "energies", .tolerance = tolerance},
      .momentum = {.what = "momentum", .tolerance = tolerance},
      .gap = {.what = "gaps", .tolerance = tolerance},
      .rate = {.what = "rates of gaps", .tolerance = tolerance},
      .back_q = {.what = "q again", .tolerance = tolerance},
      .back_v = {.what = "v again", .tolerance = tolerance},
      .power = {.what = "power", .tolerance = tolerance},
  };
}

static void check_margins(const margins *m)
{
  const ffi_margin *all[] = {&m->place, &m->energy, &m->momentum, &m->gap,
                             &m->rate,  &m->back_q, &m->back_v,   &m->power};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
    ffi_margin_check(all[i]);
}

// One state of the robot, and the same of its pieces.
typedef struct both_states {
  const double *q, *v, *q_cut, *v_cut;
} both_states;

static void compare_motion(const ff_cut *cut, const both_states *s, margins *m, int where)
{
  ff_dynamics *d[2] = {ffi_cut_dynamics(ff_cut_source(cut)), ffi_cut_dynamics(ff_cut_model(cut))};
  double kinetic[2], potential[2], momentum[2][6];
  ff_dynamics_kinematics(d[0], s->q, s->v, NULL);
  ff_dynamics_kinematics(d[1], s->q_cut, s->v_cut, NULL);
  for (int i = 0; i < 2; ++i) {
    ff_dynamics_kinetic_energy(d[i], &kinetic[i]);
    ff_dynamics_potential_energy(d[i], &potential[i]);
    ff_dynamics_momentum(d[i], momentum[i]);
    ff_dynamics_destroy(d[i]);
  }
  ffi_margin_add(&m->energy, fabs(kinetic[1] - kinetic[0]) / (1 + kinetic[0]), where);
  ffi_margin_add(&m->energy, fabs(potential[1] - potential[0]) / (1 + fabs(potential[0])), where);
  ffi_margin_add(&m->momentum, ffi_gap(6, momentum[1], momentum[0]) / (1 + ffi_size(6, momentum[0])), where);
}

static void compare_rows(const ff_model *pieces, const double *q_cut, const double *v_cut, margins *m,
                         int where)
{
  const int rows = ffi_cut_constraints_count(pieces), nv = ff_model_get_size(pieces).nv;
  double *J = ffi_cut_numbers(rows * nv), *gap = ffi_cut_numbers(rows), scale = 1 + ffi_size(nv, v_cut);
  ff_dynamics *d = ffi_cut_dynamics(pieces);
  ffi_cut_constraints_place(d, pieces, q_cut, J, gap);
  ffi_margin_add(&m->gap, ffi_size(rows, gap) / (1 + ffi_size(ff_model_get_size(pieces).nq, q_cut)), where);
  for (int r = 0; r < rows; ++r) {
    double u = 0;
    for (int k = 0; k < nv; ++k)
      u += J[r * nv + k] * v_cut[k];
    ffi_margin_add(&m->rate, fabs(u) / scale, where);
  }
  ff_dynamics_destroy(d);
  free(J);
  free(gap);
}

static void try_state(const ff_cut *cut, ffi_random *random, margins *m, int where)
{
  const ff_model *source = ff_cut_source(cut), *pieces = ff_cut_model(cut);
  const ff_model_size s = ff_model_get_size(source), c = ff_model_get_size(pieces);
  double *q = ffi_cut_numbers(s.nq), *v = ffi_cut_numbers(s.nv), *q2 = ffi_cut_numbers(s.nq),
         *v2 = ffi_cut_numbers(s.nv), *dv = ffi_cut_numbers(s.nv);
  double *q_cut = ffi_cut_numbers(c.nq), *v_cut = ffi_cut_numbers(c.nv), *tau = ffi_cut_numbers(s.nv),
         *tau_cut = ffi_cut_numbers(c.nv);
  ffi_random_q(random, source, q);
  ffi_random_vector(random, s.nv, 2, v);
  ffi_random_vector(random, s.nv, 3, tau);
  const long before = ffi_test_alloc_count();
  ff_cut_spread(cut, q, v, q_cut, v_cut);
  ff_cut_gather(cut, q_cut, v_cut, q, q2, v2);
  ff_cut_tau(cut, q_cut, tau, tau_cut);
  assert_int_equal(ffi_test_alloc_count(), before);

  ffi_margin_add(&m->place, ffi_cut_frames_apart(cut, q, q_cut) / (1 + ffi_size(c.nq, q_cut)), where);
  compare_motion(cut, &(both_states){q, v, q_cut, v_cut}, m, where);
  compare_rows(pieces, q_cut, v_cut, m, where);
  ff_model_difference(source, q, q2, dv);
  const double scale = 1 + ffi_size(c.nv, v_cut);
  ffi_margin_add(&m->back_q, ffi_size(s.nv, dv) / (1 + ffi_size(c.nq, q_cut)), where);
  ffi_margin_add(&m->back_v, ffi_gap(s.nv, v2, v) / scale, where);
  double power[2] = {0, 0};
  for (int k = 0; k < s.nv; ++k)
    power[0] += tau[k] * v[k];
  for (int k = 0; k < c.nv; ++k)
    power[1] += tau_cut[k] * v_cut[k];
  ffi_margin_add(&m->power, fabs(power[1] - power[0]) / ((1 + ffi_size(c.nv, tau_cut)) * scale), where);

  // Without rates, and without knowing the turns: angles within half a turn, the same place.
  double *q3 = ffi_cut_numbers(c.nq);
  ff_cut_spread(cut, q, NULL, q3, NULL);
  assert_memory_equal(q3, q_cut, (size_t)c.nq * sizeof *q3);
  ff_cut_gather(cut, q_cut, NULL, NULL, q2, NULL);
  ff_joint_info joint;
  ff_cut_joint at;
  for (int j = 0; ff_model_joint(source, j, &joint) == FF_OK && ff_cut_get_joint(cut, j, &at) == FF_OK; ++j)
    if (at.is_cut && (joint.type == FF_JOINT_REVOLUTE || joint.type == FF_JOINT_CONTINUOUS))
      assert_true(fabs(q2[joint.q]) <= 3.1416 &&
                  fabs(remainder(q2[joint.q] - q[joint.q], 2 * acos(-1))) < 1e-12);
  ffi_margin_add(&m->place, ffi_cut_frames_apart(cut, q2, q_cut) / (1 + ffi_size(c.nq, q_cut)), where);
  double *arrays[] = {q, v, q2, v2, dv, q_cut, v_cut, tau, tau_cut, q3};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
    free(arrays[i]);
}

static void robots_come_back_from_their_pieces(void **state)
{
  static const char *const files[] = {"starleth.urdf", "solo12.urdf", "romeo.urdf"};
  (void)state;
  margins m = new_margins();
  for (int i = 0; i < 3; ++i) {
    ff_model *model = ffi_robot(files[i]);
    ffi_random random = ffi_random_seed((uint64_t)i + 7);
    for (ff_cut_set set = FF_CUT_MINIMAL; set <= FF_CUT_MAXIMAL; ++set) {
      for (int at_joints = 0; at_joints < 2; ++at_joints) {
        ff_cut *cut =
            at_joints ? ffi_cut_constraints_cut_at_joints(model, set) : ffi_cut_constraints_cut(model, set);
        for (int n = 0; n < 10; ++n)
          try_state(cut, &random, &m, i);
        ff_cut_destroy(cut);
      }
    }
    ff_model_destroy(model);
  }
  check_margins(&m);
}

static void forests_come_back_from_their_pieces(void **state)
{
  (void)state;
  margins m = new_margins();
  for (int i = 0; i < 60; ++i) {
    ffi_forest forest;
    ffi_random random = ffi_random_seed((uint64_t)i + 50);
    ffi_forest_number(i, 0, &forest);
    for (int n = 0; n < 3; ++n) {
      ff_cut *cut = ffi_cut_constraints_cut_some(forest.model, &random, n == 0 ? 1 : 0.4, 1);
      if (cut)
        try_state(cut, &random, &m, i);
      ff_cut_destroy(cut);
    }
    ffi_forest_free(&forest);
  }
  check_margins(&m);
}

// Pieces that have drifted: what the joints cannot do is left out, what they can do is kept.
static void gathering_leaves_drift_out(void **state)
{
  enum { ROPE = 3, HELD = 5 + 5 + 3 + 5 + 3 }; // rows; the rope is a spring, and long
  (void)state;
  ff_model *model = ffi_cut_workshop();
  ff_cut *cut = ffi_cut_of_workshop(model);
  const ff_model *pieces = ff_cut_model(cut);
  const ff_model_size s = ff_model_get_size(model), c = ff_model_get_size(pieces);
  double *q = ffi_cut_numbers(s.nq), *q2 = ffi_cut_numbers(s.nq), *q_cut = ffi_cut_numbers(c.nq),
         *dv = ffi_cut_numbers(c.nv), *gap = ffi_cut_numbers(50);
  ffi_random random = ffi_random_seed(3);
  ff_dynamics *d = ffi_cut_dynamics(pieces);
  ffi_random_q(&random, model, q);
  ff_cut_spread(cut, q, NULL, q_cut, NULL);
  ffi_random_vector(&random, c.nv, 1e-3, dv);
  ff_model_integrate(pieces, q_cut, dv, q_cut);
  ffi_cut_constraints_place(d, pieces, q_cut, NULL, gap);
  assert_true(ffi_size(HELD, gap + ROPE) > 1e-4);
  ff_cut_gather(cut, q_cut, NULL, q, q2, NULL);
  double *change = ffi_cut_numbers(s.nv);
  ff_model_difference(model, q, q2, change);
  assert_true(ffi_size(s.nv, change) > 1e-5 && ffi_size(s.nv, change) < 0.02); // arms of a few metres
  ff_cut_spread(cut, q2, NULL, q_cut, NULL);
  ffi_cut_constraints_place(d, pieces, q_cut, NULL, gap);
  ffi_check_near("gap after gather and spread", ffi_size(HELD, gap + ROPE), 0, 1e-13);
  ff_dynamics_destroy(d);
  double *arrays[] = {q, q2, q_cut, dv, gap, change};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
    free(arrays[i]);
  ff_cut_destroy(cut);
  ff_model_destroy(model);
}

// What was cut can be cut again, and means the same.
static void a_cut_model_can_be_cut(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("starleth.urdf");
  ff_cut *legs = ffi_cut_constraints_cut(model, FF_CUT_EXTENDED),
         *all = ffi_cut_constraints_cut(ff_cut_model(legs), FF_CUT_MAXIMAL);
  assert_int_equal(ff_model_get_size(ff_cut_model(all)).nv, 78);
  assert_int_equal(ffi_cut_constraints_count(ff_cut_model(all)), 60);
  double q[64], middle[128], q_cut[128];
  ffi_random random = ffi_random_seed(1);
  ffi_random_q(&random, model, q);
  ff_cut_spread(legs, q, NULL, middle, NULL);
  ff_cut_spread(all, middle, NULL, q_cut, NULL);
  ff_dynamics *d = ffi_cut_dynamics(ff_cut_model(all));
  double gap[60];
  ffi_cut_constraints_place(d, ff_cut_model(all), q_cut, NULL, gap);
  ffi_check_near("gaps", ffi_size(60, gap), 0, 1e-13);
  ff_dynamics_destroy(d);
  ff_cut_destroy(all);
  ff_cut_destroy(legs);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robots_come_back_from_their_pieces),
      cmocka_unit_test(forests_come_back_from_their_pieces),
      cmocka_unit_test(gathering_leaves_drift_out),
      cmocka_unit_test(a_cut_model_can_be_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
