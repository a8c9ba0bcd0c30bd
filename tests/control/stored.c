// Stored motions of scenes/data, for tests.
#include "stored.h"

#include <stdio.h>

void ffi_stored_open(ffi_stored *s, const char *file, ff_stepper stepper, double period, int steps)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  ffi_stored_open_with(s, file, &def, period, steps);
}

void ffi_stored_open_with(ffi_stored *s, const char *file, const ff_sim_def *sim, double period, int steps)
{
  char path[512];
  ff_error error;
  *s = (ffi_stored){.model = ffi_robot("solo12.urdf"), .period = period, .steps = steps};
  snprintf(path, sizeof path, "%s/scenes/data/%s", FFI_TEST_SOURCE_DIR, file);
  ffi_must(ff_trajectory_load(path, s->model, &s->trajectory, &error), &error);
  const ff_feedback_def *def = ff_trajectory_feedback(s->trajectory);
  ffi_must(ff_feedback_create(s->model, def, &s->feedback, &error), &error);
  ff_sim_def sim_def = *sim;
  sim_def.dt = period / steps;
  s->sim = ffi_must_sim(s->model, &sim_def);
  ffi_must_reset(s->sim, def->q, def->v);
}

void ffi_stored_close(ffi_stored *s)
{
  ff_sim_destroy(s->sim);
  ff_feedback_destroy(s->feedback);
  ff_trajectory_destroy(s->trajectory);
  ff_model_destroy(s->model);
}

// Angle of the trunk from upright: a rotation's z z is 1 - 2 (x^2 + y^2).
static double tilt_of(const double *q)
{
  return acos(fmax(-1, fmin(1, 1 - 2 * (q[3] * q[3] + q[4] * q[4]))));
}

static double distance_from_reference(ffi_stored *s, double time)
{
  double q[19], v[18], way[18];
  ff_feedback_reference(s->feedback, time, q, v);
  ff_model_difference(s->model, ff_sim_q(s->sim), q, way);
  return ffi_size(18, way);
}

void ffi_stored_follow(ffi_stored *s, double until, ffi_seen *seen)
{
  double tau[18], aloft = 0;
  const long long first = llround(ff_sim_time(s->sim) / s->period), last = llround(until / s->period);
  *seen = (ffi_seen){.low = INFINITY};
  for (long long k = first; k < last; ++k) {
    const double time = (double)k * s->period;
    seen->off = fmax(seen->off, distance_from_reference(s, time));
    ff_feedback_tau(s->feedback, time, ff_sim_q(s->sim), ff_sim_v(s->sim), tau);
    seen->torque = fmax(seen->torque, ffi_size(18, tau));
    for (int i = 0; i < s->steps; ++i) {
      ffi_must_step(s->sim, tau);
      const double *q = ff_sim_q(s->sim);
      ff_sim_contacts(s->sim, &seen->feet);
      aloft = seen->feet ? 0 : aloft + ff_sim_dt(s->sim);
      seen->flight = fmax(seen->flight, aloft);
      seen->tilt = fmax(seen->tilt, tilt_of(q));
      seen->low = fmin(seen->low, q[2]);
      seen->high = fmax(seen->high, q[2]);
    }
  }
  seen->speed = ffi_size(18, ff_sim_v(s->sim));
}

// The state vector holds q and v one after the other; where, is found by looking.
void ffi_stored_hit(ffi_stored *s, const double change[3])
{
  ff_error error;
  const int size = ff_sim_state_size(s->sim);
  double *state = malloc((size_t)size * sizeof *state);
  int at = 0;
  assert_non_null(state);
  ff_sim_get_state(s->sim, state);
  while (at + 37 <= size && memcmp(state + at, ff_sim_q(s->sim), 19 * sizeof *state) != 0)
    ++at;
  assert_int_equal(memcmp(state + at + 19, ff_sim_v(s->sim), 18 * sizeof *state), 0);
  for (int k = 0; k < 3; ++k)
    state[at + 19 + k] += change[k];
  ffi_must(ff_sim_set_state(s->sim, state, &error), &error);
  free(state);
}
