// Short ways to build links, and random forests that remember what went into them.
#include "model/forest.h"

#include "model/model.h"

ff_link_def solid_link(const char *name, int parent, const char *joint, ff_joint_type type)
{
  ff_link_def def = ff_link_def_default();
  def.name = name;
  def.parent = parent;
  def.joint.name = joint;
  def.joint.type = type;
  def.joint.axis[2] = 1;
  def.inertia = (ff_inertia){.mass = 1, .com = {0.1, 0, 0}, .matrix = {0.1, 0, 0, 0.1, 0, 0.1}};
  return def;
}

int add_link(ff_builder *b, const ff_link_def *def)
{
  ff_error error = {0};
  int id = -1;
  ff_status status = ff_builder_add_link(b, def, &id, &error);
  if (status != FF_OK)
    fail_msg("%s", error.message);
  return id;
}

ff_builder *new_builder(void)
{
  ff_builder *b = NULL;
  assert_int_equal(ff_builder_create("test", &b, NULL), FF_OK);
  return b;
}

ff_model *finish(ff_builder *b)
{
  ff_error error = {0};
  ff_model *model = NULL;
  ff_status status = ff_builder_finish(b, &model, &error);
  ff_builder_destroy(b);
  if (status != FF_OK)
    fail_msg("%s", error.message);
  return model;
}

ff_pose random_pose(rng *r)
{
  ff_pose pose = ff_pose_identity();
  if (random_below(r, 4))
    random_vector(r, 3, 1, pose.position);
  const int kind = random_below(r, 3);
  if (kind == 1) {
    double rpy[3];
    for (int i = 0; i < 3; ++i)
      rpy[i] = (random_below(r, 5) - 2) * PI / 2;
    pose = ff_pose_from_rpy(pose.position, rpy);
  } else if (kind == 2) {
    random_unit(r, 4, pose.quaternion);
  }
  return pose;
}

static void random_inertia(rng *r, ff_inertia *out)
{
  // Six point masses on axes of a random frame: always a possible body.
  ff_inertia own = {.mass = random_in(r, 0.1, 3)};
  double s[3];
  for (int i = 0; i < 3; ++i)
    s[i] = random_in(r, 0.01, 0.2) * own.mass;
  own.matrix[0] = s[1] + s[2];
  own.matrix[3] = s[0] + s[2];
  own.matrix[5] = s[0] + s[1];
  ff_pose pose = ff_pose_identity();
  random_vector(r, 3, 0.5, pose.position);
  random_unit(r, 4, pose.quaternion);
  *out = ff_inertia_transform(&pose, &own);
}

static int is_anchored(const forest *f, int link)
{
  while (link >= 0 && f->links[link].joint.type == FF_JOINT_FIXED)
    link = f->links[link].parent;
  return link < 0;
}

void random_forest(rng *r, int count, forest *out)
{
  static const ff_joint_type types[] = {FF_JOINT_FIXED,    FF_JOINT_FIXED,      FF_JOINT_FIXED,
                                        FF_JOINT_FREE,     FF_JOINT_PLANAR,     FF_JOINT_SPHERICAL,
                                        FF_JOINT_REVOLUTE, FF_JOINT_CONTINUOUS, FF_JOINT_PRISMATIC};
  *out = (forest){.count = count};
  for (int i = 0; i < count; ++i) {
    ff_link_def *def = &out->links[i];
    *def = ff_link_def_default();
    snprintf(out->names[i], sizeof out->names[i], "l%d", i);
    snprintf(out->joints[i], sizeof out->joints[i], "%c%d", 'A' + random_below(r, 50), i);
    def->name = out->names[i];
    def->joint.name = out->joints[i];
    def->parent = random_below(r, i + 2) - 1 < i ? random_below(r, i + 1) - 1 : FF_WORLD;
    def->joint.type = types[random_below(r, sizeof types / sizeof *types)];
    if (def->joint.type == FF_JOINT_FREE && !is_anchored(out, def->parent))
      def->joint.type = FF_JOINT_REVOLUTE;
    def->joint.pose = random_pose(r);
    if (def->joint.type == FF_JOINT_PLANAR)
      def->joint.axis[2] = 1;
    else if (random_below(r, 2))
      def->joint.axis[random_below(r, 3)] = random_below(r, 2) ? 1 : -1;
    else
      random_vector(r, 3, 3, def->joint.axis);
    def->joint.armature = random_below(r, 2) ? random_in(r, 0, 1) : 0;
    def->joint.damping = random_below(r, 2) ? random_in(r, 0, 1) : 0;
    if (def->joint.type != FF_JOINT_FIXED || random_below(r, 2))
      random_inertia(r, &def->inertia);
  }
  out->frame_count = count / 3;
  for (int i = 0; i < out->frame_count; ++i) {
    snprintf(out->frame_names[i], sizeof out->frame_names[i], "f%d", i);
    out->frame_link[i] = random_below(r, count + 1) - 1;
    out->frame_pose[i] = random_pose(r);
  }
}

ff_model *build_forest(const forest *f)
{
  ff_builder *b = new_builder();
  for (int i = 0; i < f->count; ++i)
    assert_int_equal(add_link(b, &f->links[i]), i);
  for (int i = 0; i < f->frame_count; ++i)
    assert_int_equal(ff_builder_add_frame(b, f->frame_link[i], f->frame_names[i], &f->frame_pose[i], NULL),
                     FF_OK);
  return finish(b);
}

void random_q(rng *r, const ff_model *model, double *q)
{
  random_vector(r, model->size.nq, 2, q);
  ff_model_normalize(model, q);
}

ff_builder *started_builder(void)
{
  ff_builder *b = new_builder();
  const ff_link_def base = solid_link("base", FF_WORLD, "root", FF_JOINT_FREE);
  const ff_pose one = ff_pose_identity();
  add_link(b, &base);
  assert_int_equal(ff_builder_add_frame(b, 0, "tip", &one, NULL), FF_OK);
  ff_builder_set_source(b, "robot.xml", 17);
  return b;
}
