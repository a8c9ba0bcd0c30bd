// A trajectory that repeats: each round begins where the last one ended, turned and moved along the ground, and nothing
// else.
#include "robots.h"

#include <footfall/control/feedback.h>

enum { NQ = 19, NV = 18, STATES = 4 };

typedef struct path {
  ff_model *model;
  ff_feedback *feedback;
  double q[STATES][NQ], v[STATES][NV], control[STATES - 1][12];
  double angle, shift[2];
} path;

// Three intervals of 0.5 s; the last two repeat. A round turns by `angle` and moves by `shift` in the first round's
// axes.
static void make(path *p, double angle, double dx, double dy)
{
  ffi_random random = ffi_random_seed(7);
  *p = (path){.model = ffi_robot("solo12.urdf"), .angle = angle, .shift = {dx, dy}};
  for (int k = 0; k < STATES - 1; ++k) {
    ffi_random_q(&random, p->model, p->q[k]);
    ffi_random_vector(&random, NV, 1, p->v[k]);
    ffi_random_vector(&random, 12, 1, p->control[k]);
  }
  const double c = cos(angle), s = sin(angle), *a = p->q[1];
  const double turn[4] = {0, 0, sin(angle / 2), cos(angle / 2)};
  memcpy(p->q[3], a, sizeof p->q[3]);
  memcpy(p->v[3], p->v[1], sizeof p->v[3]);
  p->q[3][0] = c * a[0] - s * a[1] + dx;
  p->q[3][1] = s * a[0] + c * a[1] + dy;
  // turn times a's quaternion, with turn about z alone
  p->q[3][3] = turn[3] * a[3] - turn[2] * a[4];
  p->q[3][4] = turn[3] * a[4] + turn[2] * a[3];
  p->q[3][5] = turn[3] * a[5] + turn[2] * a[6];
  p->q[3][6] = turn[3] * a[6] - turn[2] * a[5];
  ff_feedback_def def = ff_feedback_def_default();
  def.states = STATES;
  def.interval = 0.5;
  def.q = p->q[0];
  def.v = p->v[0];
  def.control = p->control[0];
  def.repeats = 1;
  def.repeat_from = 1;
  ff_error error;
  ffi_must(ff_feedback_create(p->model, &def, &p->feedback, &error), &error);
}

static void drop(path *p)
{
  ff_feedback_destroy(p->feedback);
  ff_model_destroy(p->model);
}

// A point that the base carries, where it is at a time.
static void carried(path *p, double time, double out[3])
{
  double q[NQ], v[NV], R[9];
  ff_feedback_reference(p->feedback, time, q, v);
  ff_pose pose = {.position = {q[0], q[1], q[2]}, .quaternion = {q[3], q[4], q[5], q[6]}};
  ff_pose_rotation(&pose, R);
  for (int i = 0; i < 3; ++i)
    out[i] = q[i] + 0.3 * R[3 * i] - 0.2 * R[3 * i + 1] + 0.5 * R[3 * i + 2];
}

// Round after round, by turning and moving the same point one round at a time.
static void rounds_are_moves_one_after_the_other(void **state)
{
  (void)state;
  const double moves[][3] = {{0, 0.08, 0}, {0.3, 0.1, -0.2}, {-1.5707963267948966, 1, 2}, {1e-9, 0.08, 0.01}};
  for (int i = 0; i < 4; ++i) {
    path p;
    make(&p, moves[i][0], moves[i][1], moves[i][2]);
    for (double t = 0.5; t < 1.5; t += 0.125) { // within the first round, from its begin on
      double want[3], got[3];
      carried(&p, t, want);
      for (int round = 1; round <= 50; ++round) {
        const double x = want[0], y = want[1];
        want[0] = cos(p.angle) * x - sin(p.angle) * y + p.shift[0];
        want[1] = sin(p.angle) * x + cos(p.angle) * y + p.shift[1];
        carried(&p, t + round, got);
        // 50 moves of some m add up some 50 roundings; an angle of 1e-9 is known to 1e-16, so its arc to 1e-16 50^2.
        for (int k = 0; k < 3; ++k)
          ffi_check_near("carried point", got[k], want[k], 1e-12);
      }
    }
    drop(&p);
  }
}

// Joints, velocities and controls are those of the first round.
static void all_else_comes_again(void **state)
{
  (void)state;
  path p;
  double q[2][NQ], v[2][NV], tau[2][NV];
  make(&p, 0.3, 0.1, 0.2);
  for (double t = 0.5; t < 1.5; t += 0.125) {
    for (int i = 0; i < 2; ++i) {
      ff_feedback_reference(p.feedback, t + 1000 * i, q[i], v[i]);
      ff_feedback_tau(p.feedback, t + 1000 * i, q[i], v[i], tau[i]);
    }
    ffi_check_near("height", q[1][2], q[0][2], 1e-12);
    ffi_check_near("joints", ffi_gap(12, q[1] + 7, q[0] + 7), 0,
                   1e-9); // a time of 1000 s is known to 1e-13 s
    ffi_check_near("velocities", ffi_gap(NV, v[1], v[0]), 0, 1e-9);
    ffi_check_near("torques", ffi_gap(NV, tau[1], tau[0]), 0, 0);
  }
  // The seam: the end of one round is the begin of the next, also a hair before.
  ff_feedback_reference(p.feedback, 2.5 - 1e-12, q[0], v[0]);
  ff_feedback_reference(p.feedback, 2.5, q[1], v[1]);
  ffi_check_near("seam", ffi_gap(NQ, q[1], q[0]), 0, 1e-10);
  drop(&p);
}

static void where_it_repeats_from_must_be_there(void **state)
{
  (void)state;
  path p;
  make(&p, 0, 1, 0);
  ff_error error;
  ff_feedback *feedback;
  ff_feedback_def def = ff_feedback_def_default();
  def.states = STATES;
  def.q = p.q[0];
  def.v = p.v[0];
  def.repeats = 1;
  for (int from = -1; from <= 3; from += 4) {
    def.repeat_from = from;
    assert_int_equal(ff_feedback_create(p.model, &def, &feedback, &error), FF_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "repeat_from must be 0..2"));
  }
  drop(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rounds_are_moves_one_after_the_other),
      cmocka_unit_test(all_else_comes_again),
      cmocka_unit_test(where_it_repeats_from_must_be_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
