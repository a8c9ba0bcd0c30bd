// How wrong one step is with each exponential, over how far it goes.
//
// Solo12 in random states near its standing posture, its feet held to the world by springs and dampers (12 rows, two-sided, so that no cone hides an error).
// One step of expo-paper with each order and with the fast path, against the same step with the exact exponential: what is compared
// is the change of velocity, which is the mean force's, and the displacement beyond dt v, which is the double mean's.
#include "micro/expo.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYSTEMS = 100, FEET = 4, ROWS = 3 * FEET, MOST = 32, WAYS = 6, SIZES = 9 };

static const ff_exponential ways[WAYS] = {FF_EXPONENTIAL_ORDER_1, FF_EXPONENTIAL_ORDER_2,
                                          FF_EXPONENTIAL_ORDER_3, FF_EXPONENTIAL_ORDER_5,
                                          FF_EXPONENTIAL_ORDER_7, FF_EXPONENTIAL_AUTO};
static const double sizes[SIZES] = {0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000}; // dt |A|
static const double stiffness = 1e5;

typedef struct state {
  double q[MOST], v[MOST];
  ff_element_def feet[FEET];
  double norm; // |A| [1/s]
} state;

typedef struct study {
  const ff_model *model;
  ff_model_size size;
  ff_dynamics *dynamics;
  uint64_t seed;
  double error[2][WAYS][SYSTEMS];   // of the velocity, of the displacement
  double figure[2][SIZES][WAYS][2]; // median, worst
  int capped
      [SIZES]; // states in which auto said that it reached its most sub-steps; they are not in its figures
  double capped_worst[2][SIZES]; // but here
  int is_capped[SYSTEMS];
} study;

// xorshift, in [low, high)
static double random_in(study *s, double low, double high)
{
  s->seed ^= s->seed << 13;
  s->seed ^= s->seed >> 7;
  s->seed ^= s->seed << 17;
  return low + (high - low) * (double)(s->seed >> 11) * 0x1p-53;
}

// |A| = sqrt(|Y K|) + |Y B| in the 1-norm: that of A = [[0, 1], [-Y K, -Y B]] with velocities in units of sqrt(|Y K|).
static double norm_of(const study *s, const state *x, double damping)
{
  ff_point feet[FEET];
  double Y[ROWS * ROWS], largest = 0;
  for (int i = 0; i < FEET; ++i)
    feet[i] = x->feet[i].a;
  ff_dynamics_delassus(s->dynamics, FEET, feet, Y);
  for (int j = 0; j < ROWS; ++j) {
    double sum = 0;
    for (int i = 0; i < ROWS; ++i)
      sum += fabs(Y[i * ROWS + j]);
    largest = fmax(largest, sum);
  }
  return sqrt(stiffness * largest) + damping * largest;
}

// One in eight without damping.
static ff_status draw(study *s, int index, state *x, ff_error *error)
{
  static const char *const names[FEET] = {"FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"};
  const double *standing = ff_model_posture(s->model, ff_model_find_posture(s->model, "standing"));
  memcpy(x->q, standing, (size_t)s->size.nq * sizeof *x->q);
  for (int i = 7; i < s->size.nq; ++i)
    x->q[i] += random_in(s, -0.3, 0.3);
  for (int i = 0; i < s->size.nv; ++i)
    x->v[i] = random_in(s, -1, 1);
  const double damping = index % 8 == 0 ? 0 : pow(10, random_in(s, 1, 3));
  ff_dynamics_kinematics(s->dynamics, x->q, x->v, NULL);
  for (int i = 0; i < FEET; ++i) {
    double R[9];
    ff_element_def *e = &x->feet[i];
    *e = ff_element_def_default();
    e->type = FF_ELEMENT_POINT;
    e->stiffness = stiffness;
    e->damping = damping;
    e->a.frame = ff_model_find_frame(s->model, names[i]);
    ff_dynamics_frame_pose(s->dynamics, e->a.frame, e->b.offset, R);
    for (int k = 0; k < 3; ++k)
      e->b.offset[k] += random_in(s, -1e-3, 1e-3);
  }
  ff_dynamics_crba(s->dynamics, x->q);
  const ff_status status = ff_dynamics_factor(s->dynamics, error);
  if (status == FF_OK)
    x->norm = norm_of(s, x, damping);
  return status;
}

// Change of velocity and displacement beyond dt v of one step.
static ff_status step(study *s, const state *x, ff_exponential exponential, double dt, double change[MOST],
                      double way[MOST], int *is_capped, ff_error *error)
{
  ff_sim_def def = ff_sim_def_default();
  ff_sim *sim = NULL;
  def.stepper = FF_STEPPER_EXPO_PAPER;
  def.dt = dt;
  def.ground_count = 0;
  def.elements = x->feet;
  def.element_count = FEET;
  def.model_elements = 0;
  def.max_speed = 1e300;
  def.expo.exponential = exponential;
  ff_status status = ff_sim_create(s->model, &def, &sim, error);
  if (status == FF_OK)
    status = ff_sim_reset(sim, x->q, x->v, error);
  if (status == FF_OK)
    status = ff_sim_step(sim, NULL, error);
  if (status == FF_OK) {
    ff_model_difference(s->model, x->q, ff_sim_q(sim), way);
    for (int i = 0; i < s->size.nv; ++i) {
      change[i] = ff_sim_v(sim)[i] - x->v[i];
      way[i] -= dt * x->v[i];
    }
    *is_capped = ff_sim_info(sim)->capped;
  }
  ff_sim_destroy(sim);
  return status;
}

static double relative(int n, const double *got, const double *want)
{
  double most = 0, largest = 0;
  for (int i = 0; i < n; ++i) {
    most = fmax(most, fabs(got[i] - want[i]));
    largest = fmax(largest, fabs(want[i]));
  }
  return most / largest;
}

static ff_status fill(study *s, double size, int systems, ff_error *error)
{
  double exact[2][MOST], other[2][MOST];
  ff_status status = FF_OK;
  int is_capped = 0;
  s->seed = 88172645463325252u; // the same systems for every size
  for (int k = 0; k < systems && status == FF_OK; ++k) {
    state x;
    status = draw(s, k, &x, error);
    if (status == FF_OK)
      status = step(s, &x, FF_EXPONENTIAL_EXACT, size / x.norm, exact[0], exact[1], &is_capped, error);
    for (int w = 0; w < WAYS && status == FF_OK; ++w) {
      status = step(s, &x, ways[w], size / x.norm, other[0], other[1], &is_capped, error);
      for (int what = 0; what < 2; ++what)
        s->error[what][w][k] = relative(s->size.nv, other[what], exact[what]);
    }
    s->is_capped[k] = is_capped; // of the last way, auto
  }
  return status;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Errors of auto where it is capped are told apart: they are moved to the end.
static int set_capped_apart(study *s, int what, int i, int systems)
{
  double kept[SYSTEMS], *all = s->error[what][WAYS - 1];
  int count = 0;
  s->capped_worst[what][i] = 0;
  for (int k = 0; k < systems; ++k)
    if (s->is_capped[k])
      s->capped_worst[what][i] = fmax(s->capped_worst[what][i], all[k]);
    else
      kept[count++] = all[k];
  memcpy(all, kept, (size_t)count * sizeof *all);
  s->capped[i] = systems - count;
  return count;
}

static void summarise(study *s, int i, int systems)
{
  for (int what = 0; what < 2; ++what)
    for (int w = 0; w < WAYS; ++w) {
      double *all = s->error[what][w];
      const int count = ways[w] == FF_EXPONENTIAL_AUTO ? set_capped_apart(s, what, i, systems) : systems;
      qsort(all, (size_t)count, sizeof *all, by_size);
      s->figure[what][i][w][0] = count > 0 ? all[count / 2] : NAN;
      s->figure[what][i][w][1] = count > 0 ? all[count - 1] : NAN;
    }
}

static void put_size(const bench_expo_run *b, const study *s, int what, int i, int systems)
{
  static const char *const names[2] = {"velocity", "displacement"}, *const which[2] = {"median", "worst"};
  char text[96];
  snprintf(text, sizeof text, "%g", sizes[i]);
  bench_sheet_row(&b->sheet, text);
  for (int w = 0; w < WAYS; ++w) {
    const double *figure = s->figure[what][i][w];
    snprintf(text, sizeof text, "%.0e, %.0e", figure[0], figure[1]);
    bench_sheet_text(&b->sheet, text);
    for (int k = 0; k < 2; ++k) {
      snprintf(text, sizeof text, "%s:%s:%s:dtA=%g", names[what], ff_exponential_name(ways[w]), which[k],
               sizes[i]);
      bench_expo_row(b, "orders", text, figure[k], "relative");
    }
  }
  snprintf(text, sizeof text, "%d of %d", s->capped[i], systems);
  if (s->capped[i] > 0)
    snprintf(text, sizeof text, "%d: %.0e", s->capped[i], s->capped_worst[what][i]);
  bench_sheet_text(&b->sheet, text);
  bench_sheet_end(&b->sheet);
}

static void report(const bench_expo_run *b, const study *s, int systems)
{
  char titles[WAYS + 1][24], text[64];
  for (int w = 0; w < WAYS; ++w)
    snprintf(titles[w], sizeof titles[w], "%s", ff_exponential_name(ways[w]));
  snprintf(titles[WAYS], sizeof titles[WAYS], "capped");
  for (int what = 0; what < 2; ++what) {
    bench_sheet_say(
        &b->sheet,
        "orders: one step of solo12 on springs, error of the %s; median, worst of %d states; "
        "of auto without those in which it said that it was capped, their number and worst error beside it",
        what ? "displacement beyond dt v" : "change of velocity", systems);
    bench_sheet_titles(&b->sheet, b->sheet.is_markdown ? "dt‖A‖" : "dt |A|", WAYS + 1, titles);
    for (int i = 0; i < SIZES; ++i)
      put_size(b, s, what, i, systems);
  }
  for (int i = 0; i < SIZES; ++i) {
    snprintf(text, sizeof text, "capped:auto:dtA=%g", sizes[i]);
    bench_expo_row(b, "orders", text, 100.0 * s->capped[i] / systems, "%");
  }
}

ff_status bench_expo_orders(const bench_expo_run *b, ff_error *error)
{
  const int systems = b->is_quick ? 10 : SYSTEMS;
  ff_model *model = NULL;
  study *s = calloc(1, sizeof *s);
  ff_status status = s ? bench_expo_solo12(b, &model, error) : FF_ERROR_MEMORY;
  if (status == FF_OK) {
    s->model = model;
    s->size = ff_model_get_size(model);
    status = ff_dynamics_create(model, NULL, &s->dynamics, error);
  }
  for (int i = 0; i < SIZES && status == FF_OK; ++i) {
    status = fill(s, sizes[i], systems, error);
    summarise(s, i, systems);
  }
  if (status == FF_OK)
    report(b, s, systems);
  if (s)
    ff_dynamics_destroy(s->dynamics);
  free(s);
  ff_model_destroy(model);
  return status;
}
