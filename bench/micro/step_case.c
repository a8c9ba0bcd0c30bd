// Builds the cases, lets those that stand settle and computes their control.
#include "micro/step_case.h"

#include "common/shipped_file.h"

#include <footfall/load.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double settle_dt = 1e-3;
static const double stiff_kp = 1e4, stiff_kd = 100; // almost rigid joints, even for romeo
static const double weak_frequency = 5;             // [Hz]

// ---- The robots -------------------------------------------------------------------------------------------

static const struct {
  const char *name, *file;
  int contacts;
  double settle;
  double lift; // legs of one diagonal bent by this factor
} robots[] = {
    {"solo12-stand4", "solo12.urdf", 4, 1, 1},
    {"solo12-stand2", "solo12.urdf", 2, 0.03, 1.25}, // the lifted feet are 5 cm up
    {"solo12-trot", "solo-trot.yaml", 0, 0, 1},
    {"romeo-stand8", "romeo.urdf", 8, 1, 1},
};
enum { ROBOTS = sizeof robots / sizeof *robots };

void bench_step_case_name(int i, char name[32])
{
  if (i < ROBOTS)
    snprintf(name, 32, "%s", robots[i].name);
  else
    snprintf(name, 32, "box-%d", bench_step_box_points[i - ROBOTS]);
}

static ff_status load(const char *models, const char *file, ff_model **model, ff_error *error)
{
  char path[4096];
  if (bench_shipped_file_model(models, file, path, sizeof path))
    return ff_model_load(path, NULL, model, error);
  snprintf(error->message, sizeof error->message,
           "%.500s: cannot be read; --models DIR says where the models are", path);
  return error->status = FF_ERROR_FILE;
}

static ff_status load_scene(const char *scenes, const char *file, ff_scene **scene, ff_error *error)
{
  char path[4096];
  if (bench_shipped_file_scene(scenes, file, path, sizeof path))
    return ff_scene_load(path, NULL, 0, scene, error);
  snprintf(error->message, sizeof error->message,
           "%.500s: cannot be read; --scenes DIR says where the scenes are", path);
  return error->status = FF_ERROR_FILE;
}

static void scale_joint(const ff_model *model, const char *name, double factor, double *q)
{
  ff_joint_info joint;
  if (ff_model_joint(model, ff_model_find_joint(model, name), &joint) == FF_OK)
    q[joint.q] *= factor;
}

// The standing posture; for two feet, one diagonal pair of legs is lifted as in a trot.
static void take_posture(bench_step_case *c, double lift)
{
  static const char *const drawn_up[] = {"FR_HFE", "FR_KFE", "HL_HFE", "HL_KFE"};
  const double *standing = ff_model_posture(c->model, ff_model_find_posture(c->model, "standing"));
  if (standing)
    memcpy(c->posture, standing, (size_t)ff_model_get_size(c->model).nq * sizeof *c->posture);
  else
    ff_model_neutral(c->model, c->posture);
  for (int k = 0; k < 4 && lift != 1; ++k)
    scale_joint(c->model, drawn_up[k], lift, c->posture);
}

// ---- Holding it -------------------------------------------------------------------------------------------

int bench_step_case_motors(const bench_step_case *c, ff_element_def *elements)
{
  const int joints = ff_model_get_size(c->model).joints;
  int count = 0;
  for (int j = 0; j < joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(c->model, j, &joint);
    if (joint.nv != 1)
      continue;
    ff_element_def *e = &elements[count++];
    *e = ff_element_def_default();
    e->name = joint.name;
    e->joint = j;
    e->stiffness = stiff_kp;
    e->damping = stiff_kd;
    e->reference = c->posture[joint.q];
  }
  return count;
}

void bench_step_case_control(const bench_step_case *c, const double *q, const double *v, double *tau)
{
  const int nv = ff_model_get_size(c->model).nv;
  for (int i = 0; i < nv; ++i)
    tau[i] = c->coordinate[i] < 0
                 ? 0
                 : c->held[i] + c->kp[i] * (c->q[c->coordinate[i]] - q[c->coordinate[i]]) - c->kd[i] * v[i];
}

// Let it settle, and keep state and forces.
static ff_status settle(bench_step_case *c, ff_isa isa, ff_element_def *elements, ff_error *error)
{
  const ff_model_size size = ff_model_get_size(c->model);
  ff_sim_def def = ff_sim_def_default();
  ff_sim *sim = NULL;
  def.dt = settle_dt;
  def.isa = isa;
  def.elements = elements;
  def.element_count = bench_step_case_motors(c, elements);
  ff_status status = ff_sim_create(c->model, &def, &sim, error);
  if (status == FF_OK)
    status = ff_sim_reset(sim, c->posture, NULL, error);
  if (status == FF_OK)
    status = ff_sim_run(sim, (int)lround(c->settle / settle_dt), NULL, NULL, NULL, error);
  for (int j = 0; j < size.joints && status == FF_OK; ++j) {
    ff_joint_info joint;
    ff_model_joint(c->model, j, &joint);
    if (joint.nv == 1)
      status = ff_sim_element_force(sim, ff_sim_find_motor(sim, j), &c->held[joint.v]);
  }
  if (status == FF_OK) {
    memcpy(c->q, ff_sim_q(sim), (size_t)size.nq * sizeof *c->q);
    memcpy(c->v, ff_sim_v(sim), (size_t)size.nv * sizeof *c->v);
  }
  ff_sim_destroy(sim);
  return status;
}

// Gains from the diagonal of the mass matrix.
static ff_status choose_gains(bench_step_case *c, ff_error *error)
{
  const ff_model_size size = ff_model_get_size(c->model);
  const double omega = 2 * 3.141592653589793 * weak_frequency;
  ff_dynamics *dynamics = NULL;
  const ff_status status = ff_dynamics_create(c->model, NULL, &dynamics, error);
  double *M = malloc((size_t)size.nv * (size_t)size.nv * sizeof *M);
  if (status == FF_OK && M) {
    ff_dynamics_crba(dynamics, c->q);
    ff_dynamics_mass_matrix(dynamics, M);
  }
  for (int i = 0; i < size.nv; ++i)
    c->coordinate[i] = -1;
  for (int j = 0; j < size.joints && status == FF_OK && M; ++j) {
    ff_joint_info joint;
    ff_model_joint(c->model, j, &joint);
    if (joint.nv != 1)
      continue;
    const double inertia = M[joint.v * size.nv + joint.v];
    c->coordinate[joint.v] = joint.q;
    c->kp[joint.v] = inertia * omega * omega;
    c->kd[joint.v] = 2 * inertia * omega;
  }
  free(M);
  ff_dynamics_destroy(dynamics);
  return status == FF_OK && !M ? FF_ERROR_MEMORY : status;
}

// ---- The whole --------------------------------------------------------------------------------------------

static ff_status make_standing(int i, const char *models, ff_isa isa, bench_step_case *c, ff_error *error)
{
  c->is_box = i >= ROBOTS;
  c->contacts = c->is_box ? bench_step_box_points[i - ROBOTS] : robots[i].contacts;
  c->settle = c->is_box ? 0.1 : robots[i].settle;
  c->is_steady = c->settle > 0.5 || c->contacts >= 4;
  if (c->is_box)
    c->own = bench_step_box(c->contacts, error);
  else if (load(models, robots[i].file, &c->own, error) != FF_OK)
    c->own = NULL;
  if (!c->own)
    return error->status != FF_OK ? error->status : FF_ERROR_MODEL;
  c->model = c->own;
  const ff_model_size size = ff_model_get_size(c->model);
  const size_t nv = (size_t)size.nv;
  c->posture = calloc((size_t)size.nq, sizeof *c->posture);
  c->q = calloc((size_t)size.nq, sizeof *c->q);
  c->v = calloc(nv, sizeof *c->v);
  c->held = calloc(nv, sizeof *c->held);
  c->kp = calloc(nv, sizeof *c->kp);
  c->kd = calloc(nv, sizeof *c->kd);
  c->coordinate = calloc(nv, sizeof *c->coordinate);
  ff_element_def *elements = calloc((size_t)size.joints, sizeof *elements);
  ff_status status = FF_ERROR_MEMORY;
  if (c->posture && c->q && c->v && c->held && c->kp && c->kd && c->coordinate && elements) {
    take_posture(c, c->is_box ? 1 : robots[i].lift);
    status = settle(c, isa, elements, error);
    if (status == FF_OK)
      status = choose_gains(c, error);
  }
  free(elements);
  return status;
}

static ff_status make_moving(int i, const char *scenes, bench_step_case *c, ff_error *error)
{
  const ff_status status = load_scene(scenes, robots[i].file, &c->scene, error);
  if (status == FF_OK)
    c->model = ff_scene_model(c->scene);
  return status;
}

ff_status bench_step_case_open(int i, const bench_step_folders *folders, ff_isa isa, bench_step_case *out,
                               ff_error *error)
{
  memset(out, 0, sizeof *out);
  memset(error, 0, sizeof *error);
  bench_step_case_name(i, out->name);
  const ff_status status = i < ROBOTS && robots[i].contacts == 0
                               ? make_moving(i, folders->scenes, out, error)
                               : make_standing(i, folders->models, isa, out, error);
  if (status != FF_OK)
    bench_step_case_close(out);
  if (status == FF_ERROR_MEMORY && !error->message[0])
    snprintf(error->message, sizeof error->message, "no memory");
  return status;
}

void bench_step_case_close(bench_step_case *c)
{
  ff_scene_destroy(c->scene);
  ff_model_destroy(c->own);
  free(c->posture);
  free(c->q);
  free(c->v);
  free(c->held);
  free(c->kp);
  free(c->kd);
  free(c->coordinate);
  memset(c, 0, sizeof *c);
}
