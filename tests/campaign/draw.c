// Draws links with their joints, masses and starts; the order of calls is part of what a seed means.
#include "campaign/draw.h"

#include <math.h>
#include <string.h>

double ffi_draw_log(ffi_random *random, double low, double high)
{
  return exp(ffi_random_between(random, log(low), log(high)));
}

// ---- Masses -------------------------------------------------------------------------------------------------

// R diag(d) R' as xx xy xz yy yz zz.
static void turn_diagonal(const double R[9], const double d[3], double out[6])
{
  int at = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j, ++at) {
      out[at] = 0;
      for (int k = 0; k < 3; ++k)
        out[at] += R[3 * i + k] * d[k] * R[3 * j + k];
    }
}

// A solid box: 0.03 .. 30 kg, or 1e-4 .. 1e4 kg and as small as 2 mm.
static ff_inertia draw_inertia(ffi_random *random, int is_wild)
{
  ff_inertia out = ff_inertia_zero();
  ff_pose turn = ff_pose_identity();
  double edge[3], R[9];
  out.mass = is_wild ? ffi_draw_log(random, 1e-4, 1e4) : ffi_draw_log(random, 0.03, 30);
  for (int k = 0; k < 3; ++k)
    edge[k] = is_wild ? ffi_draw_log(random, 0.002, 1) : ffi_random_between(random, 0.05, 0.4);
  if (ffi_random_chance(random, 0.5))
    ffi_random_vector(random, 3, 0.1, out.com);
  if (ffi_random_chance(random, 0.5))
    ffi_random_quaternion(random, turn.quaternion);
  ff_pose_rotation(&turn, R);
  const double xx = edge[0] * edge[0], yy = edge[1] * edge[1], zz = edge[2] * edge[2], k = out.mass / 12;
  turn_diagonal(R, (double[3]){k * (yy + zz), k * (xx + zz), k * (xx + yy)}, out.matrix);
  return out;
}

// ---- Joints -------------------------------------------------------------------------------------------------

static ff_joint_type draw_type(ffi_random *random, int is_root)
{
  static const ff_joint_type types[] = {FF_JOINT_REVOLUTE,  FF_JOINT_REVOLUTE,  FF_JOINT_CONTINUOUS,
                                        FF_JOINT_PRISMATIC, FF_JOINT_SPHERICAL, FF_JOINT_PLANAR,
                                        FF_JOINT_FIXED};
  const ff_joint_type drawn = types[ffi_random_below(random, 7)];
  return is_root && ffi_random_chance(random, 0.75) ? FF_JOINT_FREE : drawn;
}

static void draw_axis(ffi_random *random, double axis[3])
{
  memset(axis, 0, 3 * sizeof *axis);
  if (ffi_random_chance(random, 0.5))
    axis[ffi_random_below(random, 3)] = 1;
  else
    ffi_random_direction(random, axis);
}

// Roots stand beside each other, up to a metre above the ground, or a little in it.
static void draw_pose(ffi_random *random, int is_root, ff_pose *pose)
{
  *pose = ff_pose_identity();
  ffi_random_vector(random, 3, is_root ? 0.5 : 0.3, pose->position);
  if (is_root)
    pose->position[2] = ffi_random_between(random, -0.02, ffi_random_chance(random, 0.5) ? 0.3 : 1);
  if (ffi_random_chance(random, 0.5))
    ffi_random_quaternion(random, pose->quaternion);
}

static void draw_servo(ffi_random *random, int is_wild, ffi_recipe_link *link)
{
  link->has_servo = 1;
  link->gear = ffi_random_chance(random, 0.5) ? 1 : ffi_random_between(random, 0.2, 20);
  link->kp = ffi_draw_log(random, 0.1, is_wild ? 1e6 : 1e3) / (link->gear * link->gear);
  link->kv = ffi_random_chance(random, 0.3) ? 0 : link->kp * ffi_draw_log(random, 1e-3, 1);
  link->force_range = ffi_random_chance(random, 0.5) ? (double)INFINITY : ffi_draw_log(random, 1, 1e4);
}

// Armature, damping, dry friction; and of joints with one coordinate springs, limits and servos.
static void load_joint(ffi_random *random, int is_wild, ffi_recipe_link *link)
{
  if (link->type == FF_JOINT_FIXED)
    return;
  const int has_one = ffi_recipe_nv(link->type) == 1;
  if (ffi_random_chance(random, 0.2))
    link->armature = ffi_draw_log(random, 1e-3, is_wild ? 1e3 : 0.1);
  if (ffi_random_chance(random, 0.3))
    link->damping = ffi_draw_log(random, 1e-3, is_wild ? 1e4 : 1);
  if (ffi_random_chance(random, 0.15))
    link->friction = ffi_draw_log(random, 1e-2, is_wild ? 1e3 : 1);
  if (has_one && ffi_random_chance(random, 0.2)) {
    link->stiffness = ffi_draw_log(random, 1, is_wild ? 1e6 : 1e3);
    link->spring_reference = ffi_random_between(random, -0.5, 0.5);
  }
  if (has_one && ffi_random_chance(random, 0.3)) {
    link->has_limits = 1;
    link->lower = ffi_random_between(random, -1.5, 0.2);
    link->upper = link->lower + ffi_random_between(random, 0, 2);
  }
  if (has_one && ffi_random_chance(random, 0.15))
    draw_servo(random, is_wild, link);
}

// ---- Starts -------------------------------------------------------------------------------------------------

static void draw_start(ffi_random *random, int is_wild, double speed, ffi_recipe_link *link)
{
  const double angle = is_wild ? 5 : 1, length = is_wild ? 1 : 0.2;
  switch (link->type) {
  case FF_JOINT_FREE:
    memcpy(link->q, link->pose.position, sizeof link->pose.position);
    memcpy(link->q + 3, link->pose.quaternion, sizeof link->pose.quaternion);
    break;
  case FF_JOINT_PLANAR:
    ffi_random_vector(random, 2, length, link->q);
    ffi_random_vector(random, 1, angle, link->q + 2);
    break;
  case FF_JOINT_SPHERICAL: ffi_random_quaternion(random, link->q); break;
  case FF_JOINT_PRISMATIC: ffi_random_vector(random, 1, length, link->q); break;
  case FF_JOINT_FIXED: break;
  default: ffi_random_vector(random, 1, angle, link->q); break;
  }
  ffi_random_vector(random, 6, speed, link->v);
  for (int k = ffi_recipe_nv(link->type); k < 6; ++k)
    link->v[k] = 0;
}

// ---- All ----------------------------------------------------------------------------------------------------

static void draw_link(ffi_random *random, ffi_recipe *r, int i, double speed)
{
  ffi_recipe_link *link = &r->links[i];
  link->parent = FF_WORLD;
  link->gear = 1;
  link->force_range = (double)INFINITY;
  const int is_root = i == 0 || ffi_random_chance(random, 0.35);
  if (!is_root)
    link->parent = ffi_random_chance(random, 0.6) ? i - 1 : ffi_random_below(random, i);
  link->type = draw_type(random, is_root);
  if (i == 0 && link->type == FF_JOINT_FIXED)
    link->type = FF_JOINT_FREE; // something must move
  draw_pose(random, is_root, &link->pose);
  draw_axis(random, link->axis);
  load_joint(random, r->is_wild, link);
  link->inertia = draw_inertia(random, r->is_wild);
  draw_start(random, r->is_wild, speed, link);
  if (!r->is_passive && ffi_random_chance(random, 0.5))
    link->tau = ffi_draw_log(random, 0.01, 1e6);
}

static void draw_times(ffi_random *random, ffi_recipe *r)
{
  r->dt = r->is_wild ? ffi_draw_log(random, 1e-5, 0.1) : ffi_draw_log(random, 1e-4, 5e-3);
  r->steps = (int)ffi_draw_log(random, 20, 200);
  r->torque_period = 1 + ffi_random_below(random, 20);
}

static void draw_gravity(ffi_random *random, ffi_recipe *r)
{
  r->gravity[2] = -9.81;
  if (r->is_wild && ffi_random_chance(random, 0.2)) {
    const double size = ffi_random_chance(random, 0.3) ? 0 : ffi_draw_log(random, 0.1, 100);
    ffi_random_direction(random, r->gravity);
    for (int k = 0; k < 3; ++k)
      r->gravity[k] *= size;
  }
}

void ffi_draw(uint64_t seed, ffi_draw_class which, int stepper, ffi_recipe *out)
{
  ffi_random random = {.state = seed * 0xd1342543de82ef95u + 0x632be59bd9b4e019u};
  ffi_random_bits(&random);
  memset(out, 0, sizeof *out);
  out->seed = seed;
  const int is_wild = ffi_random_chance(&random, 0.5);
  out->is_wild = which == FFI_DRAW_ANY ? is_wild : which == FFI_DRAW_WILD;
  const int drawn = ffi_random_below(&random, FF_STEPPER_COUNT);
  out->stepper = (ff_stepper)(stepper == FFI_DRAW_ANY_STEPPER ? drawn : stepper);
  const int is_driven = ffi_random_chance(&random, 0.4);
  out->is_passive = !out->is_wild || !is_driven;
  draw_times(&random, out);
  draw_gravity(&random, out);
  out->link_count = 1 + ffi_random_below(&random, out->is_wild ? FFI_RECIPE_LINKS : 6);
  const double fast = out->is_wild ? ffi_draw_log(&random, 0.1, 100) : ffi_random_between(&random, 0.1, 4);
  const double speed = ffi_random_chance(&random, 0.3) ? 0 : fast;
  for (int i = 0; i < out->link_count; ++i)
    draw_link(&random, out, i, speed);
  ffi_draw_things(&random, out);
  ffi_draw_options(&random, out);
  ffi_draw_lines(&random, out);
}
