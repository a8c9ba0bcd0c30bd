// What moves by itself between two states: time, references, ground.
#include "step/system/stepper.h"

#include "model/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// A state of two elements, two pieces of ground and three contacts, q and v of two.
typedef struct room {
  double memory[128];
  ffi_state *state;
} room;

static ff_model model = {.size = {.nq = 2, .nv = 2}};
static ffi_element elements[2];
static ff_world world;

static ffi_system system_of(void)
{
  for (int i = 0; i < 2; ++i)
    elements[i].def = ff_element_def_default();
  world = (ff_world){.model = &model,
                     .elements = elements,
                     .element_count = 2,
                     .scene = {.ground_count = 2},
                     .max_contacts = 3};
  world.shape = ffi_state_shape_of(&world);
  return (ffi_system){.world = &world, .model = &model, .element_count = 2, .scene = &world.scene};
}

static void furnish(room *r)
{
  memset(r->memory, 0xff, sizeof r->memory); // nothing is left of it
  assert_true(world.shape.bytes <= sizeof r->memory);
  r->state = ffi_state_in(&world.shape, r->memory);
}

static void fill(room *r)
{
  furnish(r);
  double *numbers[] = {r->state->q, r->state->v, r->state->reference, r->state->reference_velocity};
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 2; ++k)
      numbers[i][k] = 1 + i + 0.1 * k;
  for (int g = 0; g < 2; ++g) {
    const double R[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}; // a quarter turn about z
    memcpy(r->state->ground[g].R, R, sizeof R);
    r->state->ground[g].p[g] = 2;
  }
  r->state->ground_velocity[0] = 0.5;
  for (int k = 0; k < 3; ++k) {
    r->state->ground_velocity[6 + k] = 0.1 * (k + 1);
    r->state->ground_velocity[9 + k] = 0.3 * (k - 1) + 0.2;
  }
  r->state->time = 5;
  r->state->control_work = 7;
  r->state->touching_count = 2;
  r->state->touching[1] =
      (ffi_state_contact){.id = 4, .anchor = {1, 2, 3}, .rest = -1, .mean_force = {4, 5, 6}};
}

// All arrays, up to the second contact.
static void expect_same(const ffi_state *a, const ffi_state *b)
{
  const size_t from = world.shape.q, to = world.shape.touching + 2 * sizeof *a->touching;
  assert_memory_equal((const char *)a + from, (const char *)b + from, to - from);
}

static void a_copy_is_the_same(void **state)
{
  (void)state;
  const ffi_system s = system_of();
  room a, b;
  fill(&a);
  furnish(&b);
  ffi_state_copy(&s, a.state, b.state);
  expect_same(a.state, b.state);
  assert_int_equal(b.state->touching_count, 2);
  assert_true(b.state->time == 5 && b.state->control_work == 7);
  ffi_state_copy(&s, b.state, b.state); // onto itself
  expect_same(a.state, b.state);
}

// R(t) = exp(w t) R(0) by its power series.
static void turned(const double w[3], double t, const double R[9], double out[9])
{
  double term[9], next[9];
  memcpy(term, R, sizeof term);
  memcpy(out, R, 9 * sizeof *out);
  for (int n = 1; n < 30; ++n) {
    for (int k = 0; k < 3; ++k) { // column by column: w x column t / n
      const double x = term[k], y = term[3 + k], z = term[6 + k];
      next[k] = (w[1] * z - w[2] * y) * t / n;
      next[3 + k] = (w[2] * x - w[0] * z) * t / n;
      next[6 + k] = (w[0] * y - w[1] * x) * t / n;
    }
    memcpy(term, next, sizeof term);
    for (int k = 0; k < 9; ++k)
      out[k] += term[k];
  }
}

static void ground_and_references_move(void **state)
{
  (void)state;
  const ffi_system s = system_of();
  room a, b;
  fill(&a);
  furnish(&b);
  const double dt = 0.7;
  ffi_state_advance(&s, a.state, dt, b.state);
  assert_true(b.state->time == 5 + dt && b.state->control_work == 7);
  for (int i = 0; i < 2; ++i) {
    assert_true(b.state->reference[i] == a.state->reference[i] + dt * a.state->reference_velocity[i]);
    assert_true(b.state->reference_velocity[i] == a.state->reference_velocity[i]);
  }
  assert_memory_equal(b.state->ground_velocity, a.state->ground_velocity, 12 * sizeof(double));
  assert_memory_equal(b.state->ground[0].R, a.state->ground[0].R,
                      sizeof a.state->ground[0].R); // it does not turn: the same bits
  double want[9];
  turned(a.state->ground_velocity + 9, dt, a.state->ground[1].R, want);
  for (int k = 0; k < 9; ++k)
    assert_true(fabs(b.state->ground[1].R[k] - want[k]) < 1e-15);
  for (int g = 0; g < 2; ++g)
    for (int k = 0; k < 3; ++k)
      assert_true(fabs(b.state->ground[g].p[k] - a.state->ground[g].p[k] -
                       dt * a.state->ground_velocity[6 * g + k]) < 1e-15);
  assert_true(b.state->q[0] == 0 && b.state->v[0] == 0 && b.state->touching_count == 0); // not these

  // In place, and many small steps lead to where a long one does: the twist is constant.
  for (int i = 0; i < 1000; ++i)
    ffi_state_advance(&s, a.state, dt / 1000, a.state);
  for (int k = 0; k < 9; ++k)
    assert_true(fabs(a.state->ground[1].R[k] - want[k]) < 1e-13);
  for (int k = 0; k < 3; ++k)
    assert_true(fabs(a.state->ground[1].p[k] - b.state->ground[1].p[k]) < 1e-13);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_copy_is_the_same),
      cmocka_unit_test(ground_and_references_move),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
