// Error of one step with each approximation of the exponential, over dt |A|.
//
// Solo12 in random states near its standing posture, its feet tied to the world by springs and dampers (12 rows,
// bilateral, so that no friction cone hides an error). One step of expo-paper with each Pade order and with the fast
// path is compared with the same step with the exact exponential: the change of velocity, which depends on x_int, and
// the displacement beyond dt v, which depends on x_int2 (Expo paper eqs. 23 and 29).
#include "micro/expo.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYSTEMS = 100, FEET = 4, ROWS = 3 * FEET, MOST = 32, METHODS = 6, SIZES = 9 };

static const ff_exponential methods[METHODS] = {FF_EXPONENTIAL_ORDER_1, FF_EXPONENTIAL_ORDER_2,
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
  double error[2][METHODS][SYSTEMS];   // of the velocity, of the displacement
  double figure[2][SIZES][METHODS][2]; // median, worst
  int capped
      [SIZES]; // states in which auto reported that it reached its largest number of substeps; not part of its figures
  double capped_worst[2][SIZES]; // the worst of those
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

// Of one step: the change of velocity, and the displacement beyond dt v.
typedef struct outcome {
  double part[2][MOST];
  int is_capped;
} outcome;

static ff_status step(study *s, const state *x, ff_exponential exponential, double dt, outcome *out,
                      ff_error *error)
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
    ff_model_difference(s->model, x->q, ff_sim_q(sim), out->part[1]);
    for (int i = 0; i < s->size.nv; ++i) {
      out->part[0][i] = ff_sim_v(sim)[i] - x->v[i];
      out->part[1][i] -= dt * x->v[i];
    }
    out->is_capped = ff_sim_info(sim)->capped;
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
  outcome exact, other = {0};
  ff_status status = FF_OK;
  s->seed = 88172645463325252u; // the same systems for every size
  for (int k = 0; k < systems && status == FF_OK; ++k) {
    state x;
    status = draw(s, k, &x, error);
    if (status == FF_OK)
      status = step(s, &x, FF_EXPONENTIAL_EXACT, size / x.norm, &exact, error);
    for (int w = 0; w < METHODS && status == FF_OK; ++w) {
      status = step(s, &x, methods[w], size / x.norm, &other, error);
      for (int what = 0; what < 2; ++what)
        s->error[what][w][k] = relative(s->size.nv, other.part[what], exact.part[what]);
    }
    s->is_capped[k] = other.is_capped; // of the last method, auto
  }
  return status;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// States in which auto is capped are reported separately: their errors are moved to the end.
static int set_capped_apart(study *s, int what, int i, int systems)
{
  double kept[SYSTEMS], *all = s->error[what][METHODS - 1];
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
    for (int w = 0; w < METHODS; ++w) {
      double *all = s->error[what][w];
      const int count = methods[w] == FF_EXPONENTIAL_AUTO ? set_capped_apart(s, what, i, systems) : systems;
      qsort(all, (size_t)count, sizeof *all, by_size);
      s->figure[what][i][w][0] = count > 0 ? all[count / 2] : NAN;
      s->figure[what][i][w][1] = count > 0 ? all[count - 1] : NAN;
    }
}

static void put_size(const bench_expo *b, const study *s, int what, int i, int systems)
{
  static const char *const names[2] = {"velocity", "displacement"}, *const which[2] = {"median", "worst"};
  char text[96];
  snprintf(text, sizeof text, "%g", sizes[i]);
  bench_table_row(&b->table, text);
  for (int w = 0; w < METHODS; ++w) {
    const double *figure = s->figure[what][i][w];
    snprintf(text, sizeof text, "%.0e, %.0e", figure[0], figure[1]);
    bench_table_text(&b->table, text);
    for (int k = 0; k < 2; ++k) {
      snprintf(text, sizeof text, "%s:%s:%s:dtA=%g", names[what], ff_exponential_name(methods[w]), which[k],
               sizes[i]);
      bench_expo_row(b, "orders", text, figure[k], "relative");
    }
  }
  snprintf(text, sizeof text, "%d of %d", s->capped[i], systems);
  if (s->capped[i] > 0)
    snprintf(text, sizeof text, "%d: %.0e", s->capped[i], s->capped_worst[what][i]);
  bench_table_text(&b->table, text);
  bench_table_end(&b->table);
}

static void report(const bench_expo *b, const study *s, int systems)
{
  char titles[METHODS + 1][24], text[64];
  for (int w = 0; w < METHODS; ++w)
    snprintf(titles[w], sizeof titles[w], "%s", ff_exponential_name(methods[w]));
  snprintf(titles[METHODS], sizeof titles[METHODS], "capped");
  for (int what = 0; what < 2; ++what) {
    bench_table_say(
        &b->table,
        "orders: one step of solo12 on springs, error of the %s; median, worst of %d states; "
        "auto without the states in which it reported being capped; their number and worst error beside it",
        what ? "displacement beyond dt v" : "change of velocity", systems);
    bench_table_titles(&b->table, b->table.is_markdown ? "dt‖A‖" : "dt |A|", METHODS + 1, titles);
    for (int i = 0; i < SIZES; ++i)
      put_size(b, s, what, i, systems);
  }
  for (int i = 0; i < SIZES; ++i) {
    snprintf(text, sizeof text, "capped:auto:dtA=%g", sizes[i]);
    bench_expo_row(b, "orders", text, 100.0 * s->capped[i] / systems, "%");
  }
}

ff_status bench_expo_orders(const bench_expo *b, ff_error *error)
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
