// Random frozen systems on random forests. See frozen_case.h.
#include "step/frozen/frozen_case.h"

#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "model/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void layout(ffi_frozen_rig *r, ffi_block *block)
{
  ffi_frozen_layout(&r->system, block, &r->frozen);
  ffi_frozen_exact_layout(&r->system, block, &r->exact);
  ffi_state_kinematics_layout(&r->system, block, &r->at);
}

// One element between frames of two bodies: the frozen system must know beforehand that a row can join them.
static void allow_joining(ffi_frozen_rig *r)
{
  const ff_model *m = r->system.model;
  int frame[2], count = 0;
  for (int f = 1; f < m->size.frames && count < 2; ++f)
    if (m->frames[f].body > 0 && (count == 0 || m->frames[f].body != m->frames[frame[0]].body))
      frame[count++] = f;
  if (count < 2)
    return;
  ff_element_def *def = &r->elements[FFI_CASE_JOINTS].def;
  def->type = FF_ELEMENT_POINT;
  def->a.frame = frame[0];
  def->b.frame = frame[1];
}

ffi_frozen_rig *ffi_frozen_rig_create(int forest, ff_exponential exponential, double tolerance,
                                      int max_subintervals)
{
  ffi_frozen_rig *r = calloc(1, sizeof *r);
  assert_non_null(r);
  const ffi_forest_def def = {.seed = 1000u + (uint64_t)forest,
                              .links = 1 + forest % 12,
                              .has_one_root = forest % 2,
                              .is_aligned = forest % 3 == 0};
  ffi_forest_make(&def, &r->forest);
  assert_true(r->forest.model->size.nv <= FFI_CASE_NV);
  r->rig = ffi_rig_create(r->forest.model, &(ffi_rig_def){.stepper = FF_STEPPER_EULER});
  r->rig->def.expo.exponential = exponential;
  r->rig->def.expo.force_tolerance = tolerance;
  r->rig->def.expo.max_substeps = max_subintervals;
  r->system = r->rig->system;
  r->system.max_contacts = FFI_CASE_BLOCKS;
  for (int i = 0; i <= FFI_CASE_JOINTS; ++i) {
    r->elements[i].def = ff_element_def_default();
    r->elements[i].is_path = 1;
  }
  r->system.elements = r->elements;
  r->system.element_count = r->system.law_count = FFI_CASE_JOINTS + 1;
  allow_joining(r);
  ffi_block measure = {0};
  layout(r, &measure);
  ffi_block block = ffi_rig_memory(&measure, &r->memory);
  layout(r, &block);
  return r;
}

void ffi_frozen_rig_destroy(ffi_frozen_rig *r)
{
  ffi_rig_destroy(r->rig);
  ffi_forest_free(&r->forest);
  free(r->memory);
  free(r);
}

// ---- A random system --------------------------------------------------------------------------------------

static double power_of_ten(ffi_random *random, double low, double high)
{
  return pow(10, ffi_random_between(random, low, high));
}

static int add_path(const ff_model *m, int body, int *dof, int count)
{
  for (int v = m->bodies[body].v + m->bodies[body].nv - 1; v >= 0; v = m->dof_parent[v]) {
    int at = 0;
    while (at < count && dof[at] < v)
      ++at;
    if (at < count && dof[at] == v)
      continue;
    memmove(dof + at + 1, dof + at, (size_t)(count - at) * sizeof *dof);
    dof[at] = v;
    ++count;
  }
  return count;
}

// Rows of a body, or between two bodies, or the same as another block's, or with a row that is no new one.
static void random_rows(ffi_random *random, const ffi_frozen_rig *r, ffi_frozen_case *c, int i)
{
  const ff_model *m = r->system.model;
  const int stride = r->frozen.stride, can_join = r->elements[FFI_CASE_JOINTS].def.type == FF_ELEMENT_POINT;
  ffi_rows3 *rows = &c->rows[i];
  if (i > 0 && ffi_random_chance(random, 0.25)) {
    const int other = ffi_random_below(random, i);
    *rows = c->rows[other];
    return;
  }
  const int a = 1 + ffi_random_below(random, m->body_count - 1),
            b = 1 + ffi_random_below(random, m->body_count - 1);
  rows->dof = c->dof[i];
  rows->J = c->J[i];
  rows->columns = add_path(m, a, c->dof[i], 0);
  rows->is_path = 1;
  if (can_join && a != b && ffi_random_chance(random, 0.1)) {
    rows->columns = add_path(m, b, c->dof[i], rows->columns);
    rows->is_path = 0;
  }
  assert_true(rows->columns <= stride && stride <= FFI_CASE_STRIDE);
  memset(rows->J, 0, 3 * (size_t)stride * sizeof *rows->J);
  for (int k = 0; k < rows->columns; ++k)
    for (int w = 0; w < 3; ++w)
      rows->J[w * stride + k] = ffi_random_between(random, -1, 1);
  if (ffi_random_chance(random, 0.2))
    for (int k = 0; k < rows->columns; ++k)
      rows->J[2 * stride + k] = rows->J[k] - 2 * rows->J[stride + k];
  if (ffi_random_chance(random, 0.05))
    memset(rows->J, 0, 3 * (size_t)stride * sizeof *rows->J);
}

// Rows that move nothing. A contact with them slides by itself, and no velocity tells how well.
static int is_nothing(const ffi_rows3 *rows, int stride)
{
  double sum = 0;
  for (int k = 0; k < 3 * stride; ++k)
    sum += fabs(rows->J[k]);
  return sum == 0;
}

static void random_slide(ffi_random *random, ffi_frozen *z, ffi_frozen_block *b)
{
  double n[3], across[3];
  ffi_contact_law_result law = {.mode = FF_CONTACT_SLIP};
  ffi_random_direction(random, n);
  ffi_random_direction(random, across);
  ffi_v3_cross(n, across, law.trial);
  const double mu = ffi_random_between(random, 0.05, 0.8);
  const double norm = ffi_v3_norm(law.trial);
  law.normal_force = ffi_random_between(random, 1, 100);
  law.trial_norm = mu * law.normal_force * ffi_random_between(random, 1, 5);
  ffi_v3_scale(law.trial_norm / norm, law.trial, law.trial);
  ffi_frozen_slide(z, b, n, &law, mu);
}

// Stiffness and damping that several blocks share, as contacts of one material do, or of each its own.
typedef struct materials {
  double K, B;
  int is_shared, damping; // 0: none, 1: below critical, 2: any
} materials;

static void random_material(ffi_random *random, const materials *shared, double *K, double *B)
{
  *K = power_of_ten(random, 2, 9);
  const double critical = 2 * sqrt(*K * power_of_ten(random, -2, 1));
  *B = shared->damping == 0 ? 0 : critical * power_of_ten(random, -2, shared->damping == 1 ? 0 : 2);
  if (shared->is_shared && shared->K > 0) {
    *K = shared->K;
    *B = shared->B;
  }
}

static void random_joint(ffi_random *random, ffi_frozen_rig *r, const materials *shared)
{
  ffi_joint_law_row row = {.v = ffi_random_below(random, r->system.model->size.nv)};
  random_material(random, &(materials){.damping = shared->damping}, &row.K, &row.B);
  row.K = fmin(row.K, 1e6);
  row.x = ffi_random_between(random, -20, 20) / row.K;
  row.u = ffi_random_between(random, -1, 1);
  ffi_frozen_add_joint(&r->frozen, &row);
}

void ffi_frozen_case_random(ffi_frozen_rig *r, uint64_t seed, ffi_frozen_case *c)
{
  const ff_model *m = r->system.model;
  ffi_frozen *z = &r->frozen;
  ffi_random random = ffi_random_seed(seed);
  memset(c, 0, sizeof *c);
  ffi_random_q(&random, m, r->rig->now->q);
  ffi_state_kinematics_at(&r->system, r->rig->now, &r->at);

  c->h = power_of_ten(&random, -4, -1.5);
  c->blocks =
      ffi_random_chance(&random, 0.9) ? 1 + ffi_random_below(&random, 4) : ffi_random_below(&random, 9);
  c->joints = ffi_random_chance(&random, 0.7) ? 0 : ffi_random_below(&random, FFI_CASE_JOINTS + 1);
  materials shared = {.is_shared = ffi_random_chance(&random, 0.7), .damping = ffi_random_below(&random, 3)};
  const int can_slide = ffi_random_chance(&random, 0.5);
  ffi_frozen_begin(z);
  for (int i = 0; i < c->blocks; ++i) {
    double K, B, x[3], u[3], accel[3];
    random_rows(&random, r, c, i);
    random_material(&random, &shared, &K, &B);
    shared.K = K;
    shared.B = B;
    ffi_random_vector(&random, 3, power_of_ten(&random, 0, 2.5) / K, x);
    ffi_random_vector(&random, 3, power_of_ten(&random, -3, 0), u);
    ffi_random_vector(&random, 3, 2, accel);
    ffi_random_vector(&random, 3, 100, c->c1[i]);
    ffi_frozen_block *b = ffi_frozen_add(z, &(ffi_frozen_spring){&c->rows[i], K, B, x, u, accel});
    if (can_slide && ffi_random_chance(&random, 0.5) && !is_nothing(&c->rows[i], z->stride)) {
      random_slide(&random, z, b);
      ++c->slides;
    }
  }
  for (int i = 0; i < c->joints; ++i)
    random_joint(&random, r, &shared);
  ffi_random_vector(&random, m->size.nv, 20, c->f);
  ffi_random_vector(&random, m->size.nv, 500, c->f1);
  z->f = c->f;
  z->wants_double_mean = 1;
  ffi_frozen_prepare(&r->system, z, &r->at);
}
