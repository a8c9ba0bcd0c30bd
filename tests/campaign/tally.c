// Adds up energies, term by term.
#include "campaign/tally.h"

#include "campaign/recipe_lines.h"

#include <math.h>
#include <string.h>

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void turn(const double R[9], const double a[3], double out[3])
{
  for (int i = 0; i < 3; ++i)
    out[i] = dot(R + 3 * i, a);
}

static void turn_back(const double R[9], const double a[3], double out[3])
{
  for (int i = 0; i < 3; ++i)
    out[i] = R[i] * a[0] + R[3 + i] * a[1] + R[6 + i] * a[2];
}

// ---- Links --------------------------------------------------------------------------------------------------

// 1/2 m |v_com|^2 + 1/2 w' I w, in the link's axes, and -m g' com. Links that are fixed to the world have none.
static void add_link(const ffi_recipe *r, int i, const ffi_recipe_made *made, const ff_dynamics *dynamics,
                     ffi_tally *sum)
{
  char name[16];
  ff_link_info info;
  double velocity[6], position[3], R[9], arm[3];
  const ff_inertia *inertia = &r->links[i].inertia;
  ffi_recipe_link_name(i, name);
  if (ff_model_link(made->model, ff_model_find_link(made->model, name), &info) != FF_OK || info.joint < 0)
    return;
  ff_dynamics_frame_velocity(dynamics, info.frame, FF_AXES_LOCAL, velocity);
  ff_dynamics_frame_pose(dynamics, info.frame, position, R);
  const double *w = velocity + 3, *c = inertia->com, *I = inertia->matrix;
  const double v[3] = {velocity[0] + w[1] * c[2] - w[2] * c[1], velocity[1] + w[2] * c[0] - w[0] * c[2],
                       velocity[2] + w[0] * c[1] - w[1] * c[0]};
  const double Iw[3] = {I[0] * w[0] + I[1] * w[1] + I[2] * w[2], I[1] * w[0] + I[3] * w[1] + I[4] * w[2],
                        I[2] * w[0] + I[4] * w[1] + I[5] * w[2]};
  sum->kinetic += 0.5 * inertia->mass * dot(v, v) + 0.5 * dot(w, Iw);
  turn(R, c, arm);
  for (int k = 0; k < 3; ++k) {
    const double term = -inertia->mass * r->gravity[k] * (position[k] + arm[k]);
    sum->potential += term;
    sum->size += fabs(term);
  }
}

static void add_armature(const ffi_recipe *r, int i, const ffi_recipe_made *made, const double *v,
                         ffi_tally *sum)
{
  ff_joint_info joint;
  if (ff_model_joint(made->model, made->joint_of[i], &joint) != FF_OK)
    return;
  for (int k = 0; k < joint.nv; ++k)
    sum->kinetic += 0.5 * r->links[i].armature * v[joint.v + k] * v[joint.v + k];
}

// ---- Elements -----------------------------------------------------------------------------------------------

// Beyond its effort a motor's spring is a constant force.
static double motor_energy(const ff_element_def *e, double q)
{
  const double x = fabs(q - e->reference);
  return e->stiffness * x <= e->effort ? 0.5 * e->stiffness * x * x
                                       : e->effort * (x - 0.5 * e->effort / e->stiffness);
}

static double limit_energy(const ff_element_def *e, double q)
{
  const double x = q > e->upper ? q - e->upper : q < e->lower ? e->lower - q : 0;
  return 0.5 * e->stiffness * x * x;
}

// The angle of R_b' R_a, from its axis-angle vector's sine part and its trace.
static double angle_between(const double A[9], const double B[9])
{
  double trace = 0, column[3], turned[3], M[9];
  for (int j = 0; j < 3; ++j) {
    for (int k = 0; k < 3; ++k)
      column[k] = A[3 * k + j];
    turn_back(B, column, turned);
    for (int k = 0; k < 3; ++k)
      M[3 * k + j] = turned[k];
    trace += turned[j];
  }
  const double s[3] = {M[7] - M[5], M[2] - M[6], M[3] - M[1]};
  return atan2(0.5 * sqrt(dot(s, s)), 0.5 * (trace - 1));
}

static double loop_energy(const ff_element_def *e, const ff_dynamics *dynamics)
{
  double pa[3], pb[3], A[9], B[9], a[3], b[3], x[3];
  ff_dynamics_frame_pose(dynamics, e->a.frame, pa, A);
  ff_dynamics_frame_pose(dynamics, e->b.frame, pb, B);
  turn(A, e->a.offset, a);
  turn(B, e->b.offset, b);
  for (int k = 0; k < 3; ++k)
    x[k] = pa[k] + a[k] - pb[k] - b[k];
  const double angle = e->type == FF_ELEMENT_WELD ? angle_between(A, B) : 0;
  return 0.5 * e->stiffness * dot(x, x) + 0.5 * e->angular_stiffness * angle * angle;
}

// Of the line that an element acts on.
static double position_of(const ff_sim *sim, const ff_element_def *e)
{
  return ffi_recipe_lines_position(ff_sim_model(sim), e->joint, e->tendon, ff_sim_q(sim));
}

// Explicit steppers and `ess` keep couplings without a spring exactly; the others have one for each.
static double coupling_energy(const ff_sim *sim, const ff_element_def *e)
{
  const ff_stepper stepper = ff_sim_stepper(sim);
  const int has_spring =
      stepper == FF_STEPPER_EXPO || stepper == FF_STEPPER_EXPO_PAPER || stepper == FF_STEPPER_IMPLICIT;
  double slope;
  if (e->is_rigid && !has_spring)
    return 0;
  const double leader =
      ffi_recipe_lines_position(ff_sim_model(sim), e->leader, e->leader_tendon, ff_sim_q(sim));
  const double x = position_of(sim, e) - ffi_recipe_lines_polynomial(e->polynomial, leader, &slope);
  return 0.5 * e->stiffness * x * x;
}

// Of a tendon: how far its spring is stretched is not to be read, but no farther than friction holds.
static double friction_energy(const ff_element_def *e)
{
  return e->stiffness > 0 ? 0.5 * e->effort * e->effort / e->stiffness : 0;
}

// Rigid ones store nothing.
static void add_element(const ff_sim *sim, int i, const ff_dynamics *dynamics, ffi_tally *sum)
{
  ff_element_def e;
  const int is_hard = ff_stepper_is_hard(ff_sim_stepper(sim));
  if (ff_sim_element(sim, i, &e) != FF_OK || (is_hard && e.type != FF_ELEMENT_JOINT_PD))
    return;
  if (e.type == FF_ELEMENT_POINT || e.type == FF_ELEMENT_WELD)
    sum->elements += loop_energy(&e, dynamics);
  else if (e.type == FF_ELEMENT_COUPLING)
    sum->elements += coupling_energy(sim, &e);
  else if (e.type == FF_ELEMENT_JOINT_FRICTION)
    sum->pushers += friction_energy(&e);
  else if (e.type == FF_ELEMENT_JOINT_PD)
    sum->elements += motor_energy(&e, position_of(sim, &e));
  else
    sum->pushers += limit_energy(&e, position_of(sim, &e)); // a stop that is left too fast has no force
}

// The springs by which joints with dry friction stick.
static void add_friction(const ff_sim *sim, ffi_tally *sum)
{
  ff_joint_friction f;
  for (int v = 0; ff_sim_joint_friction(sim, v, &f) == FF_OK; ++v)
    if (f.stiffness > 0 && !ff_stepper_is_hard(ff_sim_stepper(sim)))
      sum->elements += 0.5 * f.spring * f.spring / f.stiffness;
}

// ---- Contacts -----------------------------------------------------------------------------------------------

static double stiffness_of(const ff_model *model, int shape)
{
  ff_shape_info info;
  return ff_model_shape(model, shape, &info) == FF_OK ? info.def.material.stiffness : (double)INFINITY;
}

static double pair_stiffness(const ffi_recipe *r, const ff_model *model, const ff_contact *c)
{
  const double a = stiffness_of(model, c->shape_a);
  double b = (double)INFINITY; // the default ground
  if (c->ground >= 0 && r->ground_count > 0) {
    const ffi_recipe_ground *ground = &r->grounds[c->ground];
    b = ground->shape.material.stiffness;
    if (ground->gives_pair)
      return b;
  } else if (c->ground < 0)
    b = stiffness_of(model, c->shape_b);
  return 1 / (1 / a + 1 / b);
}

static void add_contact(const ffi_recipe *r, const ff_model *model, const ff_contact *c, ffi_tally *sum)
{
  double e[3];
  for (int k = 0; k < 3; ++k)
    e[k] = c->anchor[k] - c->point[k];
  const double along = dot(e, c->normal), depth = fmax(c->penetration, 0);
  const double tangential = fmax(dot(e, e) - along * along, 0);
  sum->pushers += 0.5 * pair_stiffness(r, model, c) * (depth * depth + tangential);
}

ffi_tally ffi_tally_energy(const ffi_recipe *r, const ffi_recipe_made *made, ff_dynamics *dynamics,
                           ff_sim *sim)
{
  ffi_tally sum = {0};
  int count;
  ff_dynamics_kinematics(dynamics, ff_sim_q(sim), ff_sim_v(sim), NULL);
  for (int i = 0; i < r->link_count; ++i) {
    add_link(r, i, made, dynamics, &sum);
    add_armature(r, i, made, ff_sim_v(sim), &sum);
  }
  for (int i = 0; i < ff_sim_element_count(sim); ++i)
    add_element(sim, i, dynamics, &sum);
  add_friction(sim, &sum);
  const ff_contact *contacts = ff_sim_contacts(sim, &count);
  for (int i = 0; i < count; ++i)
    add_contact(r, made->model, &contacts[i], &sum);
  sum.size += sum.kinetic + sum.elements + sum.pushers;
  return sum;
}
