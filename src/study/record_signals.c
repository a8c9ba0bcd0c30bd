// What can be plotted. A signal has a group, a name in it and a unit; names and values are made by one walk
// each, in the same order: floating bodies, joints, the centre of mass, energies, contacts, and the force of
// all contacts on each link that can touch.
#include "study/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Where a walk writes to: names if there is a list for them, values if there is an array, and the count in any case.
typedef struct walk {
  ff_record *record;
  const ff_model *model;
  const ff_record_state *state; // NULL: values do not matter
  ff_record_signal *signals;
  double *values;
  int count;
  int is_short; // there was no memory for a name
} walk;

// A signal that belongs to a link of the model, -1: to none. Groups and units are constants, or names of the model.
static void put(walk *w, const char *group, const char *name, const char *unit, int link, double value)
{
  if (w->signals) {
    const char *own = ffi_arena_string(&w->record->arena, name);
    w->is_short |= !own;
    w->signals[w->count] = (ff_record_signal){group, own, unit, link >= 0 ? w->record->index[link] : -1};
  }
  if (w->values)
    w->values[w->count] = value;
  ++w->count;
}

static const double *part(const double *all, int first)
{
  return all ? all + first : NULL;
}

static double at(const double *values, int k)
{
  return values ? values[k] : 0;
}

// Roll, pitch and yaw of a quaternion x y z w, R = Rz(yaw) Ry(pitch) Rx(roll).
static void to_rpy(const double *quaternion, double rpy[3])
{
  ff_pose pose = ff_pose_identity();
  double R[9];
  if (quaternion)
    memcpy(pose.quaternion, quaternion, sizeof pose.quaternion);
  ff_pose_rotation(&pose, R);
  rpy[0] = atan2(R[7], R[8]);
  rpy[1] = asin(fmax(-1, fmin(1, -R[6])));
  rpy[2] = atan2(R[3], R[0]);
}

static void put_free(walk *w, const ff_joint_info *joint, const double *q, const double *v)
{
  static const char *const place[] = {"x", "y", "z"};
  static const char *const angle[] = {"roll", "pitch", "yaw"};
  static const char *const rate[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  ff_link_info link;
  double rpy[3];
  ff_model_link(w->model, joint->link, &link);
  to_rpy(part(q, 3), rpy);
  for (int k = 0; k < 3; ++k)
    put(w, link.name, place[k], "m", joint->link, at(q, k));
  for (int k = 0; k < 3; ++k)
    put(w, link.name, angle[k], "rad", joint->link, rpy[k]);
  for (int k = 0; k < 6; ++k)
    put(w, link.name, rate[k], k < 3 ? "m/s" : "rad/s", joint->link, at(v, k));
}

// A joint of several coordinates that does not float.
static void put_others(walk *w, const ff_joint_info *joint, const double *q, const double *v)
{
  static const char *const planar[] = {"x", "y", "angle"};
  static const char *const ball[] = {"qx", "qy", "qz", "qw"};
  static const char *const planar_rate[] = {"vx", "vy", "w"};
  static const char *const ball_rate[] = {"wx", "wy", "wz"};
  const int is_planar = joint->type == FF_JOINT_PLANAR;
  for (int k = 0; k < joint->nq; ++k)
    put(w, joint->name, is_planar ? planar[k % 3] : ball[k % 4],
        !is_planar ? "1"
        : k < 2    ? "m"
                   : "rad",
        joint->link, at(q, k));
  for (int k = 0; k < joint->nv; ++k)
    put(w, joint->name, is_planar ? planar_rate[k % 3] : ball_rate[k % 3],
        is_planar && k < 2 ? "m/s" : "rad/s", joint->link, at(v, k));
}

// Joints of one coordinate: all positions, then all rates, then all torques, as one compares them.
typedef enum simple { POSITION, VELOCITY, TORQUE } simple;

// A joint's torque is that of the controller and of the motor that holds it, whichever there is.
static double simple_value(const ff_record_state *state, const ff_joint_info *joint, simple what)
{
  if (!state)
    return 0;
  switch (what) {
  case POSITION: return state->q[joint->q];
  case VELOCITY: return state->v[joint->v];
  default: return at(state->tau, joint->v) + at(state->motor, joint->v);
  }
}

static void put_simple(walk *w, simple what)
{
  static const char *const groups[] = {"joint positions", "joint velocities", "joint torques"};
  static const char *const units[][2] = {{"rad", "m"}, {"rad/s", "m/s"}, {"N m", "N"}};
  const int joints = ff_model_get_size(w->model).joints;
  for (int j = 0; j < joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(w->model, j, &joint);
    if (joint.nv != 1)
      continue;
    put(w, groups[what], joint.name, units[what][joint.type == FF_JOINT_PRISMATIC], joint.link,
        simple_value(w->state, &joint, what));
  }
}

static void put_joints(walk *w)
{
  const int joints = ff_model_get_size(w->model).joints;
  for (int j = 0; j < joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(w->model, j, &joint);
    const double *q = w->state ? w->state->q + joint.q : NULL, *v = w->state ? w->state->v + joint.v : NULL;
    if (joint.type == FF_JOINT_FREE)
      put_free(w, &joint, q, v);
    else if (joint.nv > 1)
      put_others(w, &joint, q, v);
  }
  put_simple(w, POSITION);
  put_simple(w, VELOCITY);
  put_simple(w, TORQUE);
}

static void put_mass(walk *w, const double com[3], const double momentum[6])
{
  static const char *const place[] = {"x", "y", "z"};
  static const char *const rate[] = {"vx", "vy", "vz"};
  const double mass = ff_model_mass(w->model);
  for (int k = 0; k < 3; ++k)
    put(w, "centre of mass", place[k], "m", -1, com[k]);
  for (int k = 0; k < 3; ++k)
    put(w, "centre of mass", rate[k], "m/s", -1, mass > 0 ? momentum[k] / mass : 0);
}

static void put_energy(walk *w)
{
  const ff_energy e = w->state ? w->state->energy : (ff_energy){0};
  put(w, "energy", "total", "J", -1, e.total);
  put(w, "energy", "kinetic", "J", -1, e.kinetic);
  put(w, "energy", "potential", "J", -1, e.potential);
  put(w, "energy", "elastic", "J", -1, e.elastic);
  put(w, "energy", "control work", "J", -1, e.control_work);
}

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void put_contacts(walk *w)
{
  const int count = w->state ? w->state->contact_count : 0;
  double slipping = 0, normal = 0, deepest = 0, fastest = 0;
  for (int i = 0; i < count; ++i) {
    const ff_contact *c = &w->state->contacts[i];
    slipping += c->mode == FF_CONTACT_SLIP;
    normal += dot(c->force, c->normal);
    deepest = fmax(deepest, c->penetration);
    if (c->mode == FF_CONTACT_SLIP)
      fastest = fmax(fastest, hypot(c->slip[0], c->slip[1]));
  }
  put(w, "contacts", "touching", "1", -1, count);
  put(w, "contacts", "slipping", "1", -1, slipping);
  put(w, "contacts", "normal force", "N", -1, normal);
  put(w, "contacts", "penetration", "m", -1, deepest);
  put(w, "contacts", "fastest slip", "m/s", -1, fastest);
}

// The force of all its contacts on a link.
static void force_on(const ff_record_state *state, int link, double force[3])
{
  for (int i = 0; state && i < state->contact_count; ++i) {
    const ff_contact *c = &state->contacts[i];
    const double sign = (c->link_a == link) - (c->link_b == link);
    for (int k = 0; k < 3; ++k)
      force[k] += sign * c->force[k];
  }
}

static void put_forces(walk *w)
{
  static const char *const axes[] = {"x", "y", "z"};
  const ff_record_data *data = &w->record->data;
  for (int i = 0; i < data->link_count; ++i) {
    const int l = data->links[i].link;
    ff_link_info link;
    char name[1100];
    double force[3] = {0};
    if (!data->links[i].can_touch)
      continue;
    ff_model_link(w->model, l, &link);
    force_on(w->state, l, force);
    for (int k = 0; k < 3; ++k) {
      snprintf(name, sizeof name, "%.1024s %s", link.name, axes[k]);
      put(w, "contact forces", name, "N", l, force[k]);
    }
  }
}

static void walk_all(walk *w)
{
  double com[3] = {0}, momentum[6] = {0};
  if (w->state) {
    ff_dynamics_com(w->record->dynamics, com);
    ff_dynamics_momentum(w->record->dynamics, momentum);
  }
  put_joints(w);
  put_mass(w, com, momentum);
  put_energy(w);
  put_contacts(w);
  put_forces(w);
}

int ffi_record_signals_name(ff_record *r)
{
  walk w = {.record = r, .model = r->def.model};
  walk_all(&w);
  r->data.signal_count = w.count;
  w.signals = ffi_arena_take(&r->arena, (size_t)w.count + 1, sizeof *w.signals);
  r->values = ffi_arena_take(&r->arena, (size_t)w.count + 1, sizeof *r->values);
  r->data.signals = w.signals;
  if (!w.signals || !r->values)
    return 0;
  w.count = 0;
  walk_all(&w);
  return !w.is_short;
}

void ffi_record_signals_values(ff_record *r, const ff_record_state *state, double *values)
{
  walk w = {.record = r, .model = r->def.model, .state = state, .values = values};
  walk_all(&w);
}
