// The robot's bodies and joints as a model of their own, for settings that depend on its masses.
#include "io/mjcf/mjcf_draft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Springs, dampers, shapes and servos may depend on the inertia that they move, in the pose of the file. So the bodies
// are built twice: first without any of these, to ask for the masses. The ids of the links are the same both times.

enum { MOST_VELOCITIES = 10000 }; // each body's mass takes a time that grows with them

// Coordinates of MuJoCo as the model's.
static void set_q(const ffi_mjcf *m, ffi_mjcf_draft *d)
{
  const double *qpos = d->qpos;
  for (int i = 0; i < m->joint_count; ++i) {
    ff_joint_info joint;
    double q[7];
    const int count = ffi_mjcf_keyframe_convert(&m->joints[i], qpos, q);
    qpos += count;
    if (ff_model_joint(d->model, ff_model_find_joint(d->model, m->joints[i].name), &joint) == FF_OK &&
        joint.nq == count)
      memcpy(d->q + joint.q, q, sizeof *q * (size_t)count);
  }
  ff_model_normalize(d->model, d->q);
}

void ffi_mjcf_draft_place(const ffi_mjcf *m, ffi_mjcf_draft *d)
{
  set_q(m, d);
  ff_dynamics_kinematics(d->dynamics, d->q, NULL, NULL);
}

int ffi_mjcf_draft_frame(const ffi_mjcf *m, const ffi_mjcf_draft *d, int body)
{
  return ff_model_find_frame(d->model, m->bodies[body].name);
}

// Faults of the model are left to the real one, which has the same.
static void build(ffi_mjcf *m, ffi_mjcf_draft *d)
{
  ff_error error, *given = m->xml->error;
  ff_builder *real = m->builder, *draft = NULL;
  if (ff_builder_create("draft", &draft, &error) != FF_OK) {
    ffi_mjcf_no_memory(m);
    return;
  }
  m->builder = draft;
  m->xml->error = &error;
  m->is_draft = 1;
  ffi_mjcf_build_bodies(m);
  m->is_draft = 0;
  m->xml->error = given;
  m->builder = real;
  const int is_good = !ffi_mjcf_failed(m);
  m->xml->status = FF_OK;
  if (is_good && ff_builder_finish(draft, &d->model, &error) != FF_OK)
    d->model = NULL;
  ff_builder_destroy(draft);
}

int ffi_mjcf_draft_open(ffi_mjcf *m, ffi_mjcf_draft *d)
{
  ff_error error;
  *d = (ffi_mjcf_draft){0};
  build(m, d);
  if (!d->model)
    return 0;
  const ff_model_size size = ff_model_get_size(d->model);
  if (size.nv > MOST_VELOCITIES || ff_dynamics_create(d->model, NULL, &d->dynamics, &error) != FF_OK)
    return 0;
  d->qpos = calloc((size_t)m->nq + 1, sizeof *d->qpos);
  d->q = calloc((size_t)size.nq + 1, sizeof *d->q);
  if (!d->qpos || !d->q) {
    ffi_mjcf_no_memory(m);
    return 0;
  }
  ff_model_neutral(d->model, d->q);
  ffi_mjcf_keyframe_reference(m, d->qpos);
  ffi_mjcf_draft_place(m, d);
  ff_dynamics_crba(d->dynamics, d->q);
  return 1;
}

void ffi_mjcf_draft_close(ffi_mjcf_draft *d)
{
  free(d->qpos);
  free(d->q);
  ff_dynamics_destroy(d->dynamics);
  ff_model_destroy(d->model);
  *d = (ffi_mjcf_draft){0};
}

int ffi_mjcf_draft_factor(ffi_mjcf_draft *d)
{
  ff_error error;
  return ff_dynamics_factor(d->dynamics, &error) == FF_OK;
}

// ---- Joints -------------------------------------------------------------------------------------------------

// springdamper: the spring and damper of this time constant and damping ratio, for the inertia that the joint moves
// when all others are free, the mean over its directions.
static void make_spring(ffi_mjcf_draft *d, ffi_mjcf_joint *joint, const ff_joint_info *info, double *column,
                        int nv)
{
  const double time = joint->springdamper[0], ratio = joint->springdamper[1];
  double mobility = 0;
  for (int k = 0; k < info->nv; ++k) {
    memset(column, 0, sizeof *column * (size_t)nv);
    column[info->v + k] = 1;
    ff_dynamics_solve(d->dynamics, column);
    mobility += column[info->v + k] / info->nv;
  }
  if (!(mobility > 0) || !isfinite(mobility))
    return;
  joint->stiffness = 1 / (mobility * time * time * ratio * ratio);
  joint->damping = 2 / (mobility * time);
}

static int has_springdamper(const ffi_mjcf_joint *joint)
{
  return joint->springdamper[0] > 0 && joint->springdamper[1] > 0;
}

static void make_springs(ffi_mjcf *m, ffi_mjcf_draft *d)
{
  const int nv = ff_model_get_size(d->model).nv;
  double *column = malloc(sizeof *column * ((size_t)nv + 1));
  if (!column)
    ffi_mjcf_no_memory(m);
  for (int i = 0; column && i < m->joint_count; ++i) {
    ff_joint_info info;
    ffi_mjcf_joint *joint = &m->joints[i];
    if (has_springdamper(joint) &&
        ff_model_joint(d->model, ff_model_find_joint(d->model, joint->name), &info) == FF_OK)
      make_spring(d, joint, &info, column, nv);
  }
  free(column);
}

void ffi_mjcf_draft_springs(ffi_mjcf *m)
{
  ffi_mjcf_draft d;
  int count = 0;
  for (int i = 0; i < m->joint_count; ++i)
    count += has_springdamper(&m->joints[i]);
  if (count == 0)
    return;
  if (ffi_mjcf_draft_open(m, &d) && ffi_mjcf_draft_factor(&d))
    make_springs(m, &d);
  ffi_mjcf_draft_close(&d);
}

// The diagonal of M.
static void find_inertias(ffi_mjcf *m, ffi_mjcf_draft *d)
{
  const int nv = ff_model_get_size(d->model).nv;
  double *M = calloc((size_t)nv * (size_t)nv + 1, sizeof *M);
  if (!M) {
    ffi_mjcf_no_memory(m);
    return;
  }
  ff_dynamics_mass_matrix(d->dynamics, M);
  for (int i = 0; i < m->joint_count; ++i) {
    ff_joint_info info;
    if (ff_model_joint(d->model, ff_model_find_joint(d->model, m->joints[i].name), &info) == FF_OK)
      m->joints[i].inertia = M[(size_t)info.v * (size_t)nv + (size_t)info.v];
  }
  free(M);
}

void ffi_mjcf_draft_inertias(ffi_mjcf *m)
{
  ffi_mjcf_draft d;
  if (m->has_inertias)
    return;
  m->has_inertias = 1;
  if (ffi_mjcf_draft_open(m, &d))
    find_inertias(m, &d);
  ffi_mjcf_draft_close(&d);
}
