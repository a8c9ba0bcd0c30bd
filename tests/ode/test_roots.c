// Roots of functions whose roots are known: steep, flat, in pairs, in crowds, and at both ends.
#include "ode/roots.h"

#include "math/near.h"

// A guard of a form, with its root at a. `size` is how far off, how steep, or how deep.
enum { LINE, CUBE, STEEP, GROWTH, WAVE, PARABOLA, BLUNT, CORNER, TWICE, NOTHING, LOST };

typedef struct guard {
  int form;
  double a, size;
} guard;

static double value_of(const guard *g, double t)
{
  const double d = t - g->a;
  switch (g->form) {
  case LINE: return g->size * d;
  case CUBE: return g->size * d * d * d;
  case STEEP: return atan(g->size * d);
  case GROWTH: // rounds to either sign around its root
    return g->size * (exp(t) - exp(g->a));
  case WAVE: return sin(g->size * d);
  case PARABOLA: // zero at a -+ sqrt(size)
    return d * d - g->size;
  case BLUNT: // zero at a -+ size^(1/4)
    return d * d * d * d - g->size;
  case CORNER: // zero at a -+ size
    return fabs(d) - g->size;
  case TWICE: // zero at a and at size
    return d * (t - g->size);
  case LOST: return d > 0 ? (double)NAN : -1;
  default: return 0;
  }
}

enum { MOST = 64 };

typedef struct search {
  ffi_roots roots;
  guard guard[MOST];
  signed char direction[MOST];
  char memory[64 * 1024];
} search;

static void evaluate(double t, double *value, void *user)
{
  const search *s = user;
  for (int k = 0; k < s->roots.guards; ++k)
    value[k] = value_of(&s->guard[k], t);
}

static void begin(search *s, int guards, double t)
{
  s->roots = (ffi_roots){.guards = guards, .at = evaluate, .user = s, .direction = s->direction};
  ffi_block measure = {0};
  ffi_roots_layout(&s->roots, &measure);
  assert_true(measure.used <= sizeof s->memory);
  ffi_block memory = {.base = s->memory};
  ffi_roots_layout(&s->roots, &memory);
  evaluate(t, s->roots.value, s);
  ffi_roots_begin(&s->roots);
}

// The only root of one guard from `from` to `to`, or NaN.
static double root_of(guard g, int direction, double from, double to)
{
  static search s;
  s.guard[0] = g;
  s.direction[0] = (signed char)direction;
  begin(&s, 1, from);
  double t;
  const int found = ffi_roots_find(&s.roots, from, to, &t);
  assert_int_equal(ffi_roots_take(&s.roots), found ? 0 : -1);
  assert_int_equal(ffi_roots_take(&s.roots), -1);
  if (!found)
    assert_true(t == to);
  return found ? t : (double)NAN;
}

// Times are multiples of eps times their size, and enclosures are two of them.
static double rounding(double from, double to)
{
  return 3 * EPS * fmax(fabs(from), fabs(to));
}

static void single_roots_are_located_to_rounding(void **state)
{
  (void)state;
  rng r = {1};
  for (int i = 0; i < 20000; ++i) {
    const double from = random_in(&r, -3, 3), to = from + random_in(&r, -2, 2);
    const double part = i % 3 == 0 ? exp(random_in(&r, -30, 0)) : random_in(&r, 0, 1);
    const double a = from + (to - from) * (i % 2 ? part : 1 - part);
    const double size = exp(random_in(&r, -20, 20)) * (random_below(&r, 2) ? 1 : -1);
    const guard g = {.form = i / 6 % 3, .a = a, .size = size};
    if (a == from)
      continue;
    assert_near(root_of(g, 0, from, to), a, rounding(from, to));
    const int rises = (size > 0) == (to > from); // as it is travelled
    assert_near(root_of(g, rises ? 1 : -1, from, to), a, rounding(from, to));
    assert_true(isnan(root_of(g, rises ? -1 : 1, from, to)));
    assert_true(isnan(root_of(g, FFI_ROOTS_IGNORE, from, to)));
  }
}

// The result is beyond the root, and one enclosure before it is not.
static void the_guard_has_passed_where_it_is_told(void **state)
{
  (void)state;
  rng r = {2};
  for (int i = 0; i < 1000; ++i) {
    const double from = random_in(&r, -1, 1), to = from + random_in(&r, 0.1, 2);
    const guard g = {.form = i % 3, .a = random_in(&r, from, to), .size = 3};
    const double t = root_of(g, 0, from, to);
    assert_true(value_of(&g, t) >= 0);
    assert_true(value_of(&g, t - rounding(from, to)) < 0);
  }
}

static void a_smooth_root_takes_few_looks(void **state)
{
  (void)state;
  static search s;
  rng r = {3};
  for (int i = 0; i < 1000; ++i) {
    s.guard[0] = (guard){.form = i % 2 ? WAVE : GROWTH, .a = random_in(&r, 1.1, 1.9), .size = 1};
    s.direction[0] = 0;
    begin(&s, 1, 1);
    double t;
    assert_true(ffi_roots_find(&s.roots, 1, 2, &t));
    assert_true(s.roots.evaluations <= FFI_ROOTS_SAMPLES + 12);
  }
}

// ---- Dips -------------------------------------------------------------------------------------------------

// Twice through zero in one step, however shallow: first down, then up. The roots of a parabola of depth d are as
// exact as sqrt(rounding of its values) allows, eps / (2 sqrt(d)), if d is small.
static void a_dip_inside_one_step_is_found(void **state)
{
  (void)state;
  rng r = {4};
  for (int i = 0; i < 20000; ++i) {
    const double depth = exp(random_in(&r, -30, 0)), from = i % 4 < 2 ? 0 : 1, to = 1 - from;
    const double half = i % 3 == 0 ? sqrt(depth) : i % 3 == 1 ? sqrt(sqrt(depth)) : depth;
    const guard g = {.form = PARABOLA + i % 3, .a = random_in(&r, 0.01, 0.99), .size = depth};
    const double way = to - from, first = g.a - way * half, second = g.a + way * half;
    if (!(first > 0 && first < 1) || half < 2e-9) // narrower ones may be taken for a touch
      continue;
    const double slope = i % 3 == 0 ? 2 * half : i % 3 == 1 ? 4 * half * half * half : 1;
    const double allowed = 3 * EPS + 2 * EPS * (depth + EPS) / slope;
    assert_near(root_of(g, 0, from, to), first, allowed);
    assert_near(root_of(g, -1, from, to), first, allowed);
    const double up = root_of(g, 1, from, to);
    if (second > 0 && second < 1)
      assert_near(up, second, allowed);
    else
      assert_true(isnan(up));
  }
}

static void a_dip_that_does_not_reach_zero_is_none(void **state)
{
  (void)state;
  rng r = {5};
  static search s;
  for (int i = 0; i < 5000; ++i) {
    const double height = exp(random_in(&r, -25, 0));
    s.guard[0] = (guard){.form = PARABOLA + i % 3, .a = random_in(&r, -0.1, 1.1), .size = -height};
    s.direction[0] = 0;
    begin(&s, 1, 0);
    double t;
    assert_false(ffi_roots_find(&s.roots, 0, 1, &t));
    assert_true(s.roots.evaluations <= 100);
  }
}

// ---- Quartics ---------------------------------------------------------------------------------------------

static double polynomial(int degree, const double *c, double t)
{
  double value = 0;
  for (int i = degree; i >= 0; --i)
    value = value * t + c[i];
  return value;
}

// The roots in (0, 1), in order: between the roots of the derivative there is one where the sign changes.
static int true_roots(int degree, const double *c, double *root)
{
  if (degree == 0)
    return 0;
  double slope[4], turn[6] = {0};
  for (int i = 0; i < degree; ++i)
    slope[i] = (i + 1) * c[i + 1];
  const int turns = true_roots(degree - 1, slope, turn + 1);
  turn[turns + 1] = 1;
  int count = 0;
  for (int i = 0; i <= turns; ++i) {
    double low = turn[i], high = turn[i + 1];
    const int sign = polynomial(degree, c, low) > 0 ? 1 : -1;
    if (sign * polynomial(degree, c, high) > 0)
      continue;
    for (int n = 0; n < 200; ++n) {
      const double middle = 0.5 * (low + high);
      *(sign * polynomial(degree, c, middle) > 0 ? &low : &high) = middle;
    }
    root[count++] = high;
  }
  return count;
}

typedef struct quartic {
  double c[5];
} quartic;

static void quartic_at(double t, double *value, void *user)
{
  value[0] = polynomial(4, ((quartic *)user)->c, t);
}

// Guards along an interpolant are often so. The first root is found, except for pairs between neighbouring samples,
// most of which are found too.
static void first_roots_of_quartics_are_told(void **state)
{
  (void)state;
  rng r = {8};
  int pairs = 0, missed = 0;
  for (int n = 0; n < 60000; ++n) {
    quartic q;
    char memory[2048];
    random_vector(&r, 5, 1, q.c);
    q.c[0] *= 0.1; // near zero at the start: more roots
    for (int i = 2; i < 5; ++i)
      q.c[i] *= 5;
    double want[4], t;
    const int count = true_roots(4, q.c, want);
    ffi_roots roots = {.guards = 1, .at = quartic_at, .user = &q};
    ffi_block block = {.base = memory};
    ffi_roots_layout(&roots, &block);
    assert_true(block.used <= sizeof memory);
    quartic_at(0, roots.value, &q);
    ffi_roots_begin(&roots);
    const int found = ffi_roots_find(&roots, 0, 1, &t);
    const double gaps[] = {0, 1e-3, 0.25, 0.5, 0.75, 1 - 1e-3, 1};
    int gap = 0;
    while (count > 0 && want[0] > gaps[gap + 1])
      ++gap;
    const int is_pair = count > 1 && want[1] <= gaps[gap + 1];
    pairs += is_pair;
    if (is_pair && (!found || fabs(t - want[0]) > 1e-6)) {
      ++missed;
      continue;
    }
    assert_int_equal(found, count > 0);
    if (found) {
      const double slope =
          fabs(polynomial(4, q.c, want[0] + 1e-6) - polynomial(4, q.c, want[0] - 1e-6)) / 2e-6;
      assert_near(t, want[0], 4 * EPS + 40 * EPS / fmax(slope, 1e-5)); // values of 16 round to that
    }
  }
  print_message("%d pairs between samples, %d missed\n", pairs, missed);
  assert_true(pairs > 1000 && missed < pairs / 500);
}

// ---- Crowds -----------------------------------------------------------------------------------------------

static void the_first_of_many_is_told(void **state)
{
  (void)state;
  static search s;
  rng r = {6};
  for (int i = 0; i < 2000; ++i) {
    double first = 2;
    int which = -1;
    for (int k = 0; k < MOST; ++k) {
      const int form = random_below(&r, 3);
      s.guard[k] = (guard){.form = form, .a = random_in(&r, 0.01, 3), .size = exp(random_in(&r, -5, 5))};
      s.direction[k] = (signed char)random_below(&r, 2);
      if (s.guard[k].a < first) {
        first = s.guard[k].a;
        which = k;
      }
    }
    begin(&s, MOST, 0);
    double t;
    assert_int_equal(ffi_roots_find(&s.roots, 0, 2, &t), which >= 0);
    assert_near(t, first, rounding(0, 2));
    assert_int_equal(ffi_roots_take(&s.roots), which);
  }
}

// Go from `from` to `to`, take what passes on the way, and count it. How far the worst was from its guard's a.
static double take_all(search *s, double from, double to, int *count)
{
  double worst = 0;
  memset(count, 0, MOST * sizeof *count);
  for (double t = from; t != to;) {
    if (!ffi_roots_find(&s->roots, t, to, &t))
      break;
    int k = ffi_roots_take(&s->roots);
    assert_true(k >= 0);
    for (; k >= 0; k = ffi_roots_take(&s->roots)) {
      ++count[k];
      worst = fmax(worst, fabs(t - s->guard[k].a));
    }
  }
  return worst;
}

// Roots at one instant, of functions that round differently there: each is told once, though the sign of some
// flickers around it.
static void guards_at_one_instant_are_told_once_each(void **state)
{
  (void)state;
  static search s;
  rng r = {7};
  for (int i = 0; i < 1000; ++i) {
    const double a = random_in(&r, 0.1, 1.9);
    const int is_back = i % 2;
    for (int k = 0; k < MOST; ++k) {
      const double size = exp(random_in(&r, -5, 5)) * (is_back ? -1 : 1);
      s.guard[k] = (guard){.form = k % 4, .a = a, .size = size};
      s.direction[k] = 1; // rising as it is travelled; what flickers falls in between
    }
    begin(&s, MOST, is_back ? 2 : 0);
    int count[MOST];
    // exp's flicker: half a unit in its last place, e^2 / e^0.1 of it at most in t.
    assert_true(take_all(&s, is_back ? 2 : 0, is_back ? 0 : 2, count) <= 8 * EPS);
    for (int k = 0; k < MOST; ++k)
      assert_true(k % 4 == GROWTH ? count[k] >= 1 && count[k] <= 3 : count[k] == 1);
  }
}

static void copies_are_told_at_the_same_time(void **state)
{
  (void)state;
  static search s;
  for (int k = 0; k < MOST; ++k) {
    s.guard[k] = (guard){.form = GROWTH, .a = 0.7, .size = ldexp(1, k)};
    s.direction[k] = 0;
  }
  begin(&s, MOST, 0);
  double t;
  assert_true(ffi_roots_find(&s.roots, 0, 1, &t));
  for (int k = 0; k < MOST; ++k)
    assert_int_equal(ffi_roots_take(&s.roots), k);
  assert_int_equal(ffi_roots_take(&s.roots), -1);
}

// Waves over many steps: every root once, in its direction, and the end.
static void waves_are_counted_over_many_steps(void **state)
{
  (void)state;
  static search s;
  for (int k = 0; k < 6; ++k) {
    s.guard[k] = (guard){.form = WAVE, .a = 0.1 * k, .size = 1 + k};
    s.direction[k] = (signed char)(k % 3 - 1);
  }
  begin(&s, 6, 0.05);
  int count[6] = {0};
  double t = 0.05;
  for (int i = 0; t < 40; ++i) {
    const double to = fmin(t + 0.2 + 0.01 * (i % 7), 40);
    if (!ffi_roots_find(&s.roots, t, to, &t))
      continue;
    for (int k = ffi_roots_take(&s.roots); k >= 0; k = ffi_roots_take(&s.roots)) {
      ++count[k];
      const double phase = s.guard[k].size * (t - s.guard[k].a) / PI;
      assert_near(phase, round(phase), 100 * EPS * 40);
      if (s.direction[k] != 0)
        assert_int_equal(fmod(round(phase), 2) == 0, s.direction[k] > 0);
    }
  }
  for (int k = 0; k < 6; ++k) {
    int want = 0;
    for (int n = -1; n < 400; ++n) {
      const double root = s.guard[k].a + n * PI / s.guard[k].size;
      want += root > 0.05 && root < 40 && (s.direction[k] == 0 || (n % 2 == 0) == (s.direction[k] > 0));
    }
    assert_int_equal(count[k], want);
  }
}

// ---- Ends -------------------------------------------------------------------------------------------------

static void a_guard_that_is_zero_at_the_start_has_to_leave_first(void **state)
{
  (void)state;
  assert_near(root_of((guard){.form = TWICE, .a = 0, .size = 0.6}, 0, 0, 1), 0.6, 2 * EPS);
  assert_near(root_of((guard){.form = TWICE, .a = 0, .size = 0.6}, 1, 0, 1), 0.6, 2 * EPS);
  assert_true(isnan(root_of((guard){.form = TWICE, .a = 0, .size = 0.6}, -1, 0, 1)));
  assert_true(isnan(root_of((guard){.form = LINE, .a = 0, .size = 1}, 0, 0, 1)));
  assert_true(isnan(root_of((guard){.form = NOTHING}, 0, 0, 1)));
}

// It is reported once, stays zero, and has a side again once it has left.
static void a_root_at_the_very_end_is_told_once(void **state)
{
  (void)state;
  static search s;
  s.guard[0] = (guard){.form = LINE, .a = 1, .size = 1};
  s.direction[0] = 0;
  begin(&s, 1, 0);
  double t;
  assert_true(ffi_roots_find(&s.roots, 0, 1, &t));
  assert_true(t == 1);
  assert_int_equal(ffi_roots_take(&s.roots), 0);
  assert_int_equal(s.roots.side[0], 0);
  assert_false(ffi_roots_find(&s.roots, 1, 2, &t));
  assert_int_equal(s.roots.side[0], 1);
  assert_true(ffi_roots_find(&s.roots, 2, 0, &t)); // and back
  assert_near(t, 1, 4 * EPS);
  assert_int_equal(ffi_roots_take(&s.roots), 0);
}

static void what_is_no_number_is_seen_and_does_not_pass(void **state)
{
  (void)state;
  static search s;
  s.guard[0] = (guard){.form = LINE, .a = 5, .size = 1};
  s.guard[1] = (guard){.form = LOST, .a = 0.3};
  s.direction[0] = s.direction[1] = 0;
  begin(&s, 2, 0);
  assert_int_equal(ffi_roots_lost(&s.roots), -1);
  double t;
  assert_false(ffi_roots_find(&s.roots, 0, 1, &t));
  assert_int_equal(ffi_roots_lost(&s.roots), 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(single_roots_are_located_to_rounding),
      cmocka_unit_test(the_guard_has_passed_where_it_is_told),
      cmocka_unit_test(a_smooth_root_takes_few_looks),
      cmocka_unit_test(a_dip_inside_one_step_is_found),
      cmocka_unit_test(a_dip_that_does_not_reach_zero_is_none),
      cmocka_unit_test(first_roots_of_quartics_are_told),
      cmocka_unit_test(the_first_of_many_is_told),
      cmocka_unit_test(guards_at_one_instant_are_told_once_each),
      cmocka_unit_test(copies_are_told_at_the_same_time),
      cmocka_unit_test(waves_are_counted_over_many_steps),
      cmocka_unit_test(a_guard_that_is_zero_at_the_start_has_to_leave_first),
      cmocka_unit_test(a_root_at_the_very_end_is_told_once),
      cmocka_unit_test(what_is_no_number_is_seen_and_does_not_pass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
