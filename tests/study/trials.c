// Trials that studies are tested with.
#include "trials.h"

#include "support/robots.h"

static const double gravity = 9.81;

// ---- Mass -------------------------------------------------------------------------------------------------

static ff_status push_mass(double time, const double *q, const double *v, double *tau, void *user,
                           ff_error *error)
{
  const mass_trial *m = user;
  (void)q, (void)v, (void)error;
  tau[0] = m->push[lround(time / m->trial.period) % 2];
  return FF_OK;
}

void mass_trial_make(mass_trial *m, const mass_trial_def *def)
{
  const double mass = def->mass, stiffness = def->stiffness, damping = def->damping;
  ff_builder *b = ffi_must_begin("mass");
  ff_link_def link = ff_link_def_default();
  link.name = "mass";
  link.joint.type = FF_JOINT_PRISMATIC;
  link.joint.axis[0] = link.joint.axis[1] = 0;
  link.joint.axis[2] = 1;
  link.inertia.mass = mass;
  link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 0.01;
  ff_shape_def point = ff_shape_def_default();
  point.type = FF_SHAPE_POINT;
  point.material = (ff_material){.stiffness = stiffness, .damping = damping, .friction = 1};
  ffi_must_add_shape(b, ffi_must_add_link(b, &link), &point);
  *m = (mass_trial){.model = ffi_must_finish(b), .mass = mass, .stiffness = stiffness, .damping = damping};
  m->q[0] = def->z, m->v[0] = def->v;
  m->push[0] = 0.2 * mass * gravity, m->push[1] = -0.3 * mass * gravity;
  m->sim = ff_sim_def_default();
  m->trial = ff_trial_default();
  m->trial.name = "mass";
  m->trial.model = m->model;
  m->trial.sim = &m->sim;
  m->trial.q = m->q;
  m->trial.v = m->v;
  m->trial.period = def->period;
  m->trial.periods = def->periods;
  m->trial.control = push_mass;
  m->trial.user = m;
}

void mass_trial_free(mass_trial *m)
{
  ff_model_destroy(m->model);
}

// From (z, v) in contact: an oscillation about the rest, below critical damping.
static void oscillate(const mass_trial *m, double rest, double time, double *z, double *v)
{
  const double decay = m->damping / (2 * m->mass), w = sqrt(m->stiffness / m->mass - decay * decay);
  const double x = *z - rest, c = cos(w * time), s = sin(w * time), e = exp(-decay * time);
  const double a = (*v + decay * x) / w;
  *z = rest + e * (x * c + a * s);
  *v = e * (*v * c - (w * x + decay * a) * s);
}

void mass_exact(const mass_trial *m, double push, double time, double *z, double *v)
{
  const double g = gravity - push / m->mass, rest = -m->mass * g / m->stiffness;
  double fall = 0; // until it touches
  if (*z > 0) {
    fall = (*v + sqrt(*v * *v + 2 * g * *z)) / g;
    if (fall > time)
      fall = time;
    *z = fall < time ? 0 : *z + *v * fall - 0.5 * g * fall * fall;
    *v -= g * fall;
  }
  if (fall < time)
    oscillate(m, rest, time - fall, z, v);
}

// ---- Squat ------------------------------------------------------------------------------------------------

static ff_status squat_control(double time, const double *q, const double *v, double *tau, void *user,
                               ff_error *error)
{
  squat_trial *s = user;
  double position[3], velocity[3], acceleration[3];
  ff_squat_at(&s->reference, time, position, velocity, acceleration);
  ff_whole_body_set_com(s->body, position, velocity, acceleration);
  const ff_status status = ff_whole_body_solve(s->body, q, v, error);
  memcpy(tau, ff_whole_body_tau(s->body), (size_t)ff_model_get_size(s->model).nv * sizeof *tau);
  return status;
}

void squat_trial_make(squat_trial *s, int periods)
{
  ff_error error;
  ff_dynamics *dynamics = NULL;
  ff_contact_task feet[4];
  *s = (squat_trial){.reference = {.amplitude = {0, 0, 0.03}, .rate = {0, 0, 2}}};
  s->model = ffi_robot("solo12.urdf");
  const double *q = ffi_robot_posture(s->model, "squat");
  const ff_whole_body_def def = ffi_squat_def(s->model, feet);
  s->body = ffi_must_whole_body(s->model, &def);
  ff_whole_body_hold(s->body, q);
  ffi_must(ff_dynamics_create(s->model, NULL, &dynamics, &error), &error);
  ff_dynamics_kinematics(dynamics, q, NULL, NULL);
  ff_dynamics_com(dynamics, s->reference.centre);
  ff_dynamics_destroy(dynamics);
  s->trial = ff_trial_default();
  s->trial.name = "squat";
  s->trial.model = s->model;
  s->trial.q = q;
  s->trial.period = 0.04;
  s->trial.periods = periods;
  s->trial.control = squat_control;
  s->trial.user = s;
}

void squat_trial_free(squat_trial *s)
{
  ff_whole_body_destroy(s->body);
  ff_model_destroy(s->model);
}

// ---- Both -------------------------------------------------------------------------------------------------

ff_solution *must_truth(const ff_trial *trial, const ff_scheme *scheme, int substeps)
{
  ff_solution *truth = NULL;
  ff_error error;
  ffi_must(ff_solution_create(trial, scheme, substeps, NULL, &truth, &error), &error);
  return truth;
}

void must_measure(const ff_trial *trial, ff_local_error *list, int count, int rounds)
{
  ff_error error;
  ffi_must(ff_local_error_measure(trial, list, count, rounds, NULL, &error), &error);
}
