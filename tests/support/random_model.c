// Draws random forests through the builder.
#include "support/random_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// A matrix R diag(d) R' as xx xy xz yy yz zz.
static void turn_diagonal(const double R[9], const double d[3], double out[6])
{
  int at = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      out[at] = 0;
      for (int k = 0; k < 3; ++k)
        out[at] += R[3 * i + k] * d[k] * R[3 * j + k];
      ++at;
    }
}

ff_inertia ffi_random_inertia(ffi_random *random)
{
  double edge[3], R[9];
  ff_inertia out = ff_inertia_zero();
  out.mass = exp(ffi_random_between(random, log(0.1), log(5)));
  for (int k = 0; k < 3; ++k)
    edge[k] = ffi_random_between(random, 0.05, 0.4);
  if (ffi_random_chance(random, 0.8))
    ffi_random_vector(random, 3, 0.2, out.com);
  ff_pose turn = ff_pose_identity();
  if (ffi_random_chance(random, 0.8))
    ffi_random_quaternion(random, turn.quaternion);
  ff_pose_rotation(&turn, R);
  const double xx = edge[0] * edge[0], yy = edge[1] * edge[1], zz = edge[2] * edge[2], k = out.mass / 12;
  turn_diagonal(R, (double[3]){k * (yy + zz), k * (xx + zz), k * (xx + yy)}, out.matrix);
  return out;
}

ff_pose ffi_random_pose(ffi_random *random)
{
  ff_pose pose = ff_pose_identity();
  const int kind = ffi_random_below(random, 4);
  if (kind == 0)
    return pose;
  ffi_random_vector(random, 3, 0.5, pose.position);
  if (kind == 2) { // three quarter turns about x, y, z
    double rpy[3];
    for (int k = 0; k < 3; ++k)
      rpy[k] = 1.5707963267948966 * (ffi_random_below(random, 4) - 1);
    pose = ff_pose_from_rpy(pose.position, rpy);
  }
  if (kind == 3)
    ffi_random_quaternion(random, pose.quaternion);
  return pose;
}

static void random_axis(ffi_random *random, int is_aligned, double axis[3])
{
  memset(axis, 0, 3 * sizeof *axis);
  if (is_aligned || ffi_random_chance(random, 0.5))
    axis[ffi_random_below(random, 3)] = ffi_random_chance(random, 0.8) ? 1 : -1;
  else {
    ffi_random_direction(random, axis);
    for (int k = 0; k < 3; ++k)
      axis[k] *= 3; // need not be of unit length
  }
}

// Does the pose turn by anything but quarter turns?
static int is_tilted(const ff_pose *pose)
{
  double R[9];
  ff_pose_rotation(pose, R);
  for (int k = 0; k < 9; ++k)
    if (fabs(R[k]) > 1e-9 && fabs(fabs(R[k]) - 1) > 1e-9)
      return 1;
  return 0;
}

// Is the link fixed to the world?
static int is_anchored(const ffi_forest *forest, int link)
{
  while (link != FF_WORLD && forest->links[link].joint.type == FF_JOINT_FIXED)
    link = forest->links[link].parent;
  return link == FF_WORLD;
}

static ff_joint_type any_type(ffi_random *random, int may_be_free)
{
  static const ff_joint_type likely[] = {
      FF_JOINT_REVOLUTE,  FF_JOINT_REVOLUTE,  FF_JOINT_REVOLUTE, FF_JOINT_CONTINUOUS, FF_JOINT_PRISMATIC,
      FF_JOINT_PRISMATIC, FF_JOINT_SPHERICAL, FF_JOINT_PLANAR,   FF_JOINT_FIXED,      FF_JOINT_FIXED,
  };
  if (may_be_free && ffi_random_chance(random, 0.5))
    return FF_JOINT_FREE;
  return likely[ffi_random_below(random, (int)(sizeof likely / sizeof likely[0]))];
}

// Behind a joint that moves nothing but what comes behind it, the next joint must move otherwise in every
// configuration, or the two could do the same thing and their accelerations would be undefined.
static ff_joint_type type_behind(ffi_random *random, ff_joint_type before)
{
  if (before == FF_JOINT_REVOLUTE)
    return FF_JOINT_PRISMATIC;
  return ffi_random_chance(random, 0.5) ? FF_JOINT_REVOLUTE : FF_JOINT_SPHERICAL;
}

static int choose_parent(ffi_random *random, const ffi_forest_def *def, int i)
{
  if (i == 0 || (!def->has_one_root && ffi_random_chance(random, 0.12)))
    return FF_WORLD;
  return ffi_random_chance(random, 0.5) ? i - 1 : ffi_random_below(random, i);
}

static void load_joint(ffi_random *random, const ffi_forest_def *def, ff_joint_def *joint)
{
  if (def->is_unloaded || joint->type == FF_JOINT_FIXED)
    return;
  if (ffi_random_chance(random, 0.4))
    joint->armature = ffi_random_between(random, 0.001, 0.1);
  if (ffi_random_chance(random, 0.4))
    joint->damping = ffi_random_between(random, 0.01, 1);
  if (def->has_one_root && joint->type == FF_JOINT_FREE)
    joint->armature = joint->damping = 0; // nothing that holds it from outside
}

// The i-th link. Returns 1 if it moves and weighs nothing, so that something heavy must follow it.
static int describe_link(ffi_random *random, const ffi_forest_def *def, int i, int is_behind,
                         ffi_forest *forest)
{
  ff_link_def *link = &forest->links[i];
  *link = ff_link_def_default();
  link->name = forest->link_names[i];
  link->joint.name = forest->joint_names[i];
  link->parent = is_behind ? i - 1 : choose_parent(random, def, i);
  link->joint.type = is_behind ? type_behind(random, forest->links[i - 1].joint.type)
                     : i == 0 && def->has_one_root
                         ? FF_JOINT_FREE
                         : any_type(random, !def->has_one_root && is_anchored(forest, link->parent));
  if (i == 0 && def->links == 1 && link->joint.type == FF_JOINT_FIXED)
    link->joint.type = FF_JOINT_REVOLUTE;
  do
    link->joint.pose = ffi_random_pose(random);
  while (def->is_aligned && is_tilted(&link->joint.pose));
  random_axis(random, def->is_aligned, link->joint.axis);
  load_joint(random, def, &link->joint);

  const int is_massless =
      def->has_massless && !is_behind && i > 0 && i + 1 < def->links && ffi_random_chance(random, 0.2);
  if (is_massless) {
    link->joint.type = ffi_random_chance(random, 0.5) ? FF_JOINT_REVOLUTE : FF_JOINT_PRISMATIC;
    return 1;
  }
  if (link->joint.type != FF_JOINT_FIXED || ffi_random_chance(random, 0.5))
    link->inertia = ffi_random_inertia(random);
  return 0;
}

static void describe_frames(ffi_random *random, ffi_forest *forest)
{
  forest->frame_count = ffi_random_below(random, FFI_FOREST_FRAMES + 1);
  for (int f = 0; f < forest->frame_count; ++f) {
    forest->frame_links[f] = ffi_random_below(random, forest->link_count + 1) - 1;
    forest->frame_poses[f] = ffi_random_pose(random);
    snprintf(forest->frame_names[f], FFI_FOREST_NAME, "frame%d", f);
  }
}

static void describe(const ffi_forest_def *def, ffi_forest *forest)
{
  ffi_random random = ffi_random_seed(def->seed);
  int is_behind = 0;
  memset(forest, 0, sizeof *forest);
  forest->link_count = def->links;
  for (int i = 0; i < def->links; ++i) {
    snprintf(forest->link_names[i], FFI_FOREST_NAME, "link%d", i);
    snprintf(forest->joint_names[i], FFI_FOREST_NAME, "%03d_%d", ffi_random_below(&random, 1000), i);
    is_behind = describe_link(&random, def, i, is_behind, forest);
  }
  int moving = 0;
  for (int i = 0; i < def->links; ++i)
    moving += forest->links[i].joint.type != FF_JOINT_FIXED;
  if (!moving) { // something must
    forest->links[def->links - 1].joint.type = FF_JOINT_SPHERICAL;
    forest->links[def->links - 1].inertia = ffi_random_inertia(&random);
  }
  describe_frames(&random, forest);
  if (!def->has_no_gravity) {
    ffi_random_direction(&random, forest->gravity);
    for (int k = 0; k < 3; ++k)
      forest->gravity[k] *= 9.81;
  }
}

static void must(ff_status status, const ff_error *error, uint64_t seed)
{
  if (status != FF_OK)
    fail_msg("forest %llu: %s", (unsigned long long)seed, error->message);
}

void ffi_forest_make(const ffi_forest_def *def, ffi_forest *out)
{
  ff_builder *builder = NULL;
  ff_error error;
  describe(def, out);
  must(ff_builder_create("forest", &builder, &error), &error, def->seed);
  for (int i = 0, id; i < out->link_count; ++i) {
    must(ff_builder_add_link(builder, &out->links[i], &id, &error), &error, def->seed);
    assert_int_equal(id, i);
  }
  for (int f = 0; f < out->frame_count; ++f)
    must(
        ff_builder_add_frame(builder, out->frame_links[f], out->frame_names[f], &out->frame_poses[f], &error),
        &error, def->seed);
  must(ff_builder_set_gravity(builder, out->gravity, &error), &error, def->seed);
  must(ff_builder_finish(builder, &out->model, &error), &error, def->seed);
  ff_builder_destroy(builder);
}

void ffi_forest_free(ffi_forest *forest)
{
  ff_model_destroy(forest->model);
  forest->model = NULL;
}

void ffi_forest_number(int index, int has_massless, ffi_forest *out)
{
  const ffi_forest_def def = {
      .seed = (uint64_t)index,
      .links = 1 + index * 7 % FFI_FOREST_LINKS, // 7 and 40 have no common factor: every size comes up
      .has_massless = has_massless,
      .is_aligned = index % 2,
      .is_unloaded = index % 5 == 1,
      .has_one_root = index % 5 == 2,
      .has_no_gravity = index % 9 == 4,
  };
  ffi_forest_make(&def, out);
}
