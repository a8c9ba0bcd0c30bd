// Advancement over random robots, shapes, ground and velocities: time that it calls free is free at every sampled
// moment, and the contact that ends it is there.
// soak: throws
#include "contact/flight.h"
#include "math/mat3.h"
#include "model/model.h"

#include "support/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MAX = 200, MOMENTS = 60 };

typedef struct throw
{
  uint64_t seed;
  double q[MAX], v[MAX], T, shortest, slack;
}
throw;

// Ground at rest, moving or turning; speeds of 0.1 to 20, times of 1 ms to 1 s.
static void draw(ffi_random *r, flight *f, throw *out)
{
  ffi_random_q(r, f->model, out->q);
  ffi_random_vector(r, f->model->size.nv, pow(10, ffi_random_between(r, -1, 1.3)), out->v);
  out->T = pow(10, ffi_random_between(r, -3, 0));
  out->shortest = 1e-6 * out->T;
  out->slack = 1e-4;
  for (int g = 0; g < f->colliders.ground_count; ++g)
    ffi_random_vector(r, 6, ffi_random_chance(r, 0.5) ? 2 : 0, f->ground_velocity[g]);
}

static double bound(const flight *f, const double *q, const double *v, const double *error, double T,
                    int *pair)
{
  const ffi_advance_path path = flight_path(f, q, v, error, T);
  return ffi_advance_bound(f->advance, &path, pair);
}

static const char *type_name(const ffi_collider *p)
{
  return ff_shape_type_name((ff_shape_type)p->solid.type);
}

// No pair below its floor, up to what distances can be wrong by. Returns how near the nearest comes to it.
static void is_free_at_all_moments(flight *f, const throw *x, double t)
{
  for (int p = 0; p < f->colliders.pair_count; ++p) {
    const double start = flight_distance(f, x->q, x->v, 0, p, NULL), floor = fmin(0, start - x->slack);
    for (int i = 1; i <= MOMENTS && !isinf(start); ++i) {
      const double at = t * i / MOMENTS, d = flight_distance(f, x->q, x->v, at, p, NULL);
      if (d < floor - 1e-10)
        fail_msg("seed %d: %s and %s, %g apart at the start, are %g apart after %g of %g s that are free",
                 (int)x->seed, type_name(f->colliders.pairs[p].a), type_name(f->colliders.pairs[p].b), start,
                 d, at, t);
    }
  }
}

// How far a collider gets in the shortest time.
static double motion(flight *f, const throw *x, double t, const ffi_collider *collider)
{
  ffi_pose before[COLLIDER_CASE_SHAPES], after[COLLIDER_CASE_SHAPES];
  const int i = (int)(collider - f->colliders.items);
  flight_places(f, x->q, x->v, t, before);
  flight_places(f, x->q, x->v, t + x->shortest, after);
  double shift[3], turn = 0;
  ffi_v3_sub(after[i].p, before[i].p, shift);
  for (int k = 0; k < 9; ++k)
    turn = fmax(turn, fabs(after[i].R[k] - before[i].R[k]));
  return ffi_v3_norm(shift) + 3 * turn * (isinf(collider->solid.radius) ? 10 : collider->solid.radius);
}

// The least distance at the start.
static double nearest(flight *f, const throw *x)
{
  double least = (double)INFINITY;
  for (int p = 0; p < f->colliders.pair_count; ++p)
    least = fmin(least, flight_distance(f, x->q, x->v, 0, p, NULL));
  return least;
}

static void what_is_free_is_free_and_what_stops_is_there(void **state)
{
  (void)state;
  int stops = 0, prompt = 0, cut = 0, count = 0;
  long evaluations = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)ffi_samples(60); ++seed) {
    collider_case c;
    collider_case_random(seed, &c);
    flight f;
    flight_begin(c.model, &c.def, &f);
    ffi_random r = ffi_random_seed(seed * 77);
    for (int go = 0; go < 4; ++go, ++count) {
      throw x = {.seed = seed};
      draw(&r, &f, &x);
      ffi_advance_report out;
      const double t = flight_free(&f, x.q, x.v, (flight_query){x.T, x.shortest, x.slack}, &out);
      assert_true(t >= 0 && t <= x.T && (out.pair >= 0) == (t < x.T));
      const double first = bound(&f, x.q, x.v, NULL, x.T, NULL);
      if (!(first <= t + x.shortest ||
            nearest(&f, &x) < x.slack)) // what overlaps is not free by r, but by its slack
        fail_msg("seed %d: r is %g, but contact comes after %g s", (int)seed, first, t);
      is_free_at_all_moments(&f, &x, t);
      evaluations += out.evaluations;
      cut += out.was_cut;
      if (out.pair < 0 || out.was_cut)
        continue;
      ++stops;
      const ffi_collider_pair *pair = &f.colliders.pairs[out.pair];
      const double start = flight_distance(&f, x.q, x.v, 0, out.pair, NULL);
      const double left =
          flight_distance(&f, x.q, x.v, t + x.shortest, out.pair, NULL) - fmin(0, start - x.slack);
      prompt += left < 1e-10;
      if (left > 1e-10 + motion(&f, &x, t, pair->a) + motion(&f, &x, t, pair->b))
        fail_msg("seed %d: %s and %s stop it after %g of %g s, but are %g from it", (int)seed,
                 type_name(pair->a), type_name(pair->b), t, x.T, left);
    }
    flight_end(&f);
    ff_model_destroy(c.model);
  }
  print_message(
      "%d of %d stopped, %d of them within the shortest time; %.1f evaluations in the mean, %d cut\n", stops,
      count, prompt, (double)evaluations / count, cut);
  ffi_samples_tried(count, "flights of random robots");
  assert_true((prompt > 0.95 * stops && cut <= count / 100) || !ffi_samples_are_usual());
}

// r is never longer than what is free; s, with errors, holds for every velocity within them.
static void the_first_bounds_are_true(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= (uint64_t)ffi_samples(25); ++seed) {
    collider_case c;
    collider_case_random(seed + 500, &c);
    flight f;
    flight_begin(c.model, &c.def, &f);
    ffi_random r = ffi_random_seed(seed * 99);
    throw x = {.seed = seed};
    draw(&r, &f, &x);
    double error[MAX], other[MAX];
    ffi_random_vector(&r, f.model->size.nv, 0.5, error);
    const double none = bound(&f, x.q, x.v, NULL, x.T, NULL);
    const double s = bound(&f, x.q, x.v, error, x.T, NULL);
    ffi_advance_report out;
    const ffi_advance_path path = flight_path(&f, x.q, x.v, error, x.T);
    const double t = ffi_advance_free(f.advance, &path, x.shortest, x.slack, &out);
    assert_true(s <= none);
    for (int go = 0; go < 6; ++go) {
      throw y = x;
      for (int i = 0; i < f.model->size.nv; ++i)
        other[i] = x.v[i] + error[i] * (go == 0 ? 0 : ffi_random_chance(&r, 0.5) ? 1 : -1);
      for (int i = 0; i < f.model->size.nv; ++i)
        y.v[i] = other[i];
      is_free_at_all_moments(&f, &y, t);
      y.slack = 1e-12;
      if (s < x.T)
        is_free_at_all_moments(&f, &y, s);
    }
    flight_end(&f);
    ff_model_destroy(c.model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_free_is_free_and_what_stops_is_there),
      cmocka_unit_test(the_first_bounds_are_true),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
