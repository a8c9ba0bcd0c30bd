// Two worlds, one model, eight threads: each steps robots of its own, and gets the bits of a serial run. Run under
// ThreadSanitizer too (preset tsan).
#include "sim/toys.h"
#include "support/robots.h"

#include <footfall/parameters.h>

#include <pthread.h>
#include <time.h>

enum { STEPPERS = FF_STEPPER_COUNT };
enum { THREADS = 8, WORLDS = 2, ROBOTS = 2 };

// What one thread does, or the main thread in its place.
typedef struct worker {
  ff_world *world[WORLDS];
  const double *start; ///< q [nq], shared, only read
  int number, steps;
  double *out; ///< [WORLDS][ROBOTS][state] where its robots end
  int failed;  ///< calls that did not succeed
} worker;

// Asserts are not for threads: it counts, the main thread judges.
static void check(worker *w, ff_status status)
{
  w->failed += status != FF_OK;
}

// Robots of a thread have a gravity of their own.
static void make_different(worker *w, ff_sim *sim)
{
  ff_parameters *p;
  ff_error error;
  const double gravity[3] = {0.1 * w->number, 0, -9 - 0.1 * w->number};
  check(w, ff_parameters_create(ff_sim_world(sim), &p, &error));
  check(w, ff_parameters_set_gravity(p, gravity, &error));
  check(w, ff_sim_set_parameters(sim, p, &error));
  ff_parameters_destroy(p);
}

static void run(worker *w, ff_sim *sim, int steps)
{
  ff_error error;
  for (int k = 0; k < steps; ++k) {
    int count;
    check(w, ff_sim_step(sim, NULL, &error));
    if (k % 3 == w->number % 3)
      (void)ff_sim_contacts(sim, &count);
    if (k % 4 == w->number % 4)
      (void)ff_sim_energy(sim);
  }
}

// A robot in each world, stepped in turns; each goes on as its clone too.
static void *work(void *data)
{
  worker *w = data;
  ff_sim *sim[WORLDS], *clone;
  ff_error error;
  double *out = w->out;
  for (int i = 0; i < WORLDS; ++i) {
    check(w, ff_sim_create_in(w->world[i], &sim[i], &error));
    if (w->failed)
      return NULL;
    make_different(w, sim[i]);
    check(w, ff_sim_reset(sim[i], w->start, NULL, &error));
  }
  for (int half = 0; half < 2; ++half)
    for (int i = 0; i < WORLDS; ++i)
      run(w, sim[i], w->steps / 2);
  for (int i = 0; i < WORLDS; ++i) {
    check(w, ff_sim_clone(sim[i], &clone, &error));
    if (w->failed)
      return NULL;
    ff_sim *both[ROBOTS] = {sim[i], clone};
    const int size = ff_sim_state_size(clone);
    for (int r = 0; r < ROBOTS; ++r, out += size) {
      run(w, both[r], w->steps / 2);
      ff_sim_get_state(both[r], out);
      ff_sim_destroy(both[r]);
    }
  }
  return NULL;
}

static ff_world *world_of(const ff_model *model, int stepper)
{
  ff_world *world;
  ff_error error;
  ff_sim_def def = ff_sim_def_default();
  def.stepper = (ff_stepper)(stepper % STEPPERS);
  def.dt = 2e-4;
  def.watch_passing = stepper % 2;
  ffi_must(ff_world_create(model, &def, &world, &error), &error);
  return world;
}

// Largest state of both worlds, times all that a thread leaves.
static size_t room_of(ff_world *const world[WORLDS], size_t each[WORLDS])
{
  size_t sum = 0;
  for (int i = 0; i < WORLDS; ++i) {
    ff_sim *sim;
    ff_error error;
    ffi_must(ff_sim_create_in(world[i], &sim, &error), &error);
    each[i] = (size_t)ff_sim_state_size(sim);
    sum += ROBOTS * each[i];
    ff_sim_destroy(sim);
  }
  return sum;
}

static void share(const ff_model *model, const double *start, int stepper, int steps)
{
  ff_world *world[WORLDS] = {world_of(model, stepper), world_of(model, stepper + 1)};
  size_t each[WORLDS];
  const size_t size = room_of(world, each);
  double *room = calloc((THREADS + 1) * size, sizeof *room), *expected = room + THREADS * size;
  pthread_t threads[THREADS];
  worker workers[THREADS];
  assert_non_null(room);
  for (int t = 0; t < THREADS; ++t) {
    workers[t] = (worker){{world[0], world[1]}, start, t, steps, room + (size_t)t * size, 0};
    assert_int_equal(pthread_create(&threads[t], NULL, work, &workers[t]), 0);
  }
  for (int t = 0; t < THREADS; ++t)
    assert_int_equal(pthread_join(threads[t], NULL), 0);
  for (int t = 0; t < THREADS; ++t) {
    worker serial = {{world[0], world[1]}, start, t, steps, expected, 0};
    work(&serial);
    assert_int_equal(serial.failed, 0);
    assert_int_equal(workers[t].failed, 0);
    assert_memory_equal(workers[t].out, expected, size * sizeof *expected);
    for (int i = 0, at = 0; i < WORLDS; at += ROBOTS * (int)each[i], ++i) // a clone is where its original is
      assert_memory_equal(expected + at, expected + at + each[i], each[i] * sizeof *expected);
  }
  free(room);
  for (int i = 0; i < WORLDS; ++i)
    ff_world_destroy(world[i]);
}

static void threads_share_two_worlds(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  const double *start = ffi_robot_posture(model, "start");
  for (int stepper = 0; stepper < STEPPERS; ++stepper)
    share(model, start, stepper, 60);
  ff_model_destroy(model);
}

static void threads_share_a_robot(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  const double *start = ffi_robot_posture(model, "standing");
  for (int stepper = 0; stepper < STEPPERS; stepper += 2)
    share(model, start, stepper, 8);
  ff_model_destroy(model);
}

// Another thread ends a step that would take hours. If the request comes before the step it ends that one, too.
static void *interrupt_soon(void *sim)
{
  const struct timespec pause = {.tv_nsec = 5000000};
  nanosleep(&pause, NULL);
  ff_sim_interrupt(sim);
  return NULL;
}

static void a_thread_interrupts_another(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_C2A;
  def.dt = 1;
  def.c2a.h_min = 1e-9;
  def.c2a.relative_error = def.c2a.absolute_error = 0;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_must_reset(sim, ffi_robot_posture(model, "start"), NULL);
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    ff_error error;
    assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, sim), 0);
    assert_int_equal(ff_sim_step(sim, NULL, &error), FF_ERROR_INTERRUPTED);
    assert_int_equal(pthread_join(thread, NULL), 0);
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_share_two_worlds),
      cmocka_unit_test(threads_share_a_robot),
      cmocka_unit_test(a_thread_interrupts_another),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
