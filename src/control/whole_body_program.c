// The quadratic program of a state: costs of the tasks, then its rows: what must be equal, then what has a limit.
//
// A strict task is a set of equalities and a cost of weight 1 as well. The cost is zero wherever the equalities hold, so it changes no solution; but it
// gives the accelerations that only strict tasks decide a size in H, which would otherwise be `acceleration_weight`.
#include "control/whole_body.h"
#include "math/vec3.h"

#include <string.h>

int ffi_whole_body_program_most_rows(const ff_whole_body *body)
{
  int rows = 3 + 3 + 4 * body->nv; // centre of mass, momentum; posture or no motor, two limits of torque
  for (int i = 0; i < body->def.frame_count; ++i)
    rows += 6;
  for (int i = 0; i < body->def.contact_count; ++i)
    rows += 6 + 4 * body->def.contacts[i].point_count + 2;
  return rows;
}

// ---- Costs ------------------------------------------------------------------------------------------------------

// H += weight J'J, g -= weight J'a; the lower triangle.
static void add_cost(ff_whole_body *body, const ffi_whole_body_rows *rows, double weight)
{
  const int nv = body->nv, n = body->program.n;
  for (int r = 0; r < rows->count; ++r) {
    const double *J = rows->J + r * nv;
    for (int i = 0; i < nv; ++i) {
      const double part = weight * J[i];
      if (part == 0)
        continue;
      body->g[i] -= part * rows->a[r];
      for (int j = 0; j <= i; ++j)
        body->H[i * n + j] += part * J[j];
    }
  }
}

static void add_task_cost(ff_whole_body *body, const ff_task *task, const ffi_whole_body_rows *rows)
{
  add_cost(body, rows, task->is_strict ? 1 : task->weight);
}

static void make_costs(ff_whole_body *body)
{
  const ff_whole_body_def *def = &body->def;
  const int n = body->program.n, nv = body->nv;
  const double stiff = def->posture.is_strict ? 1 : def->posture.weight;
  memset(body->H, 0, (size_t)n * (size_t)n * sizeof *body->H);
  memset(body->g, 0, (size_t)n * sizeof *body->g);
  for (int i = 0; i < n; ++i)
    body->H[i * n + i] = i < nv ? def->acceleration_weight : def->force_weight;
  for (int i = 0; i < nv; ++i)
    if (body->is_driven[i]) {
      body->H[i * n + i] += stiff;
      body->g[i] -= stiff * body->posture_a[i];
    }
  add_task_cost(body, &def->com, &body->com);
  add_task_cost(body, &def->momentum, &body->momentum);
  for (int i = 0; i < def->frame_count; ++i)
    add_task_cost(body, &body->aims[i].task.task, &body->aims[i].rows);
  for (int i = 0; i < def->contact_count; ++i)
    if (body->stands[i].task.is_on)
      add_task_cost(body, &body->stands[i].task.task, &body->stands[i].rows);
}

// ---- Rows -------------------------------------------------------------------------------------------------------

// A new row a'x (= or >=) b, all zero.
static double *new_row(ff_whole_body *body, double b)
{
  ffi_qp *program = &body->program;
  double *row = body->A + (size_t)program->constraints * (size_t)program->n;
  memset(row, 0, (size_t)program->n * sizeof *row);
  body->b[program->constraints++] = b;
  return row;
}

static void add_strict(ff_whole_body *body, const ff_task *task, const ffi_whole_body_rows *rows)
{
  for (int r = 0; r < rows->count && task->is_strict; ++r)
    memcpy(new_row(body, rows->a[r]), rows->J + r * body->nv, (size_t)body->nv * sizeof(double));
}

// Row i of M vdot - sum J' f, which is tau - h, times sign.
static void add_force_row(ff_whole_body *body, int i, double sign, double b)
{
  const int nv = body->nv;
  double *row = new_row(body, b);
  for (int k = 0; k < nv; ++k)
    row[k] = sign * body->M[i * nv + k];
  for (int p = 0; p < 3 * body->point_count; ++p)
    row[nv + p] = -sign * body->point_J[p * nv + i];
}

static void make_equalities(ff_whole_body *body)
{
  const ff_whole_body_def *def = &body->def;
  for (int i = 0; i < body->nv; ++i)
    if (!body->is_driven[i])
      add_force_row(body, i, 1, -body->h[i]);
  for (int i = 0; i < def->contact_count; ++i)
    if (body->stands[i].task.is_on)
      add_strict(body, &body->stands[i].task.task, &body->stands[i].rows);
  add_strict(body, &def->com, &body->com);
  add_strict(body, &def->momentum, &body->momentum);
  for (int i = 0; i < def->frame_count; ++i)
    add_strict(body, &body->aims[i].task.task, &body->aims[i].rows);
  for (int i = 0; i < body->nv && def->posture.is_strict; ++i)
    if (body->is_driven[i])
      new_row(body, body->posture_a[i])[i] = 1;
  body->program.equalities = body->program.constraints;
}

// |t f| <= mu/sqrt(2) n f for two tangents: a square whose corners are on the cone. With mu > 0 it also says n f >= 0.
static void add_pyramid(ff_whole_body *body, const ffi_whole_body_contact *stand, int point)
{
  const double slope = stand->task.friction / sqrt(2.0);
  for (int side = 0; side < 4; ++side) {
    double *row = new_row(body, 0) + body->nv + 3 * point;
    ffi_v3_scale(slope, stand->task.normal, row);
    ffi_v3_add_scaled(side % 2 ? 1 : -1, stand->tangent[side / 2], row);
  }
}

static void add_stand_limits(ff_whole_body *body, const ffi_whole_body_contact *stand)
{
  const ff_contact_task *task = &stand->task;
  for (int p = 0; p < task->point_count; ++p)
    add_pyramid(body, stand, stand->first + p);
  const double limit[2] = {task->min_force, -task->max_force};
  for (int side = 0; side < 2; ++side) {
    if (side == 0 ? !(task->min_force > 0) : !isfinite(task->max_force))
      continue;
    double *row = new_row(body, limit[side]) + body->nv + 3 * stand->first;
    for (int p = 0; p < task->point_count; ++p)
      ffi_v3_scale(side == 0 ? 1 : -1, task->normal, row + 3 * p);
  }
}

static void make_limits(ff_whole_body *body)
{
  for (int i = 0; i < body->def.contact_count; ++i)
    if (body->stands[i].task.is_on)
      add_stand_limits(body, &body->stands[i]);
  for (int i = 0; i < body->nv; ++i) {
    const double most = body->torque_limits[i];
    if (!body->is_driven[i] || !isfinite(most))
      continue;
    add_force_row(body, i, 1, -most - body->h[i]);
    add_force_row(body, i, -1, -most + body->h[i]);
  }
}

void ffi_whole_body_program(ff_whole_body *body)
{
  ffi_qp *program = &body->program;
  *program =
      (ffi_qp){.n = body->nv + 3 * body->point_count, .H = body->H, .g = body->g, .A = body->A, .b = body->b};
  make_costs(body);
  make_equalities(body);
  make_limits(body);
}
