// Scenes without files that are refused: the error names the field, as for scenes of files.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <footfall/builder.h>
#include <footfall/scene.h>

#include <limits.h>
#include <math.h>
#include <string.h>

// A ball that floats: nq = 7, nv = 6.
static ff_model *make_ball(void)
{
  ff_builder *builder;
  ff_model *model = NULL;
  ff_error error;
  int id;
  ff_link_def link = ff_link_def_default();
  ff_shape_def ball = ff_shape_def_default();
  link.name = "ball";
  link.parent = FF_WORLD;
  link.joint.name = "root";
  link.joint.type = FF_JOINT_FREE;
  link.inertia = (ff_inertia){.mass = 1, .matrix = {0.01, 0, 0, 0.01, 0, 0.01}};
  ball.type = FF_SHAPE_SPHERE;
  ball.size[0] = 0.1;
  assert_int_equal(ff_builder_create("ball", &builder, &error), FF_OK);
  assert_int_equal(ff_builder_add_link(builder, &link, &id, &error), FF_OK);
  assert_int_equal(ff_builder_add_shape(builder, id, &ball, &error), FF_OK);
  assert_int_equal(ff_builder_finish(builder, &model, &error), FF_OK);
  ff_builder_destroy(builder);
  return model;
}

// The message begins with the thing.
static void refuse(const ff_model *model, const ff_scene_def *def, const char *thing, const char *message)
{
  ff_scene *scene = (ff_scene *)1;
  ff_error error = {0};
  assert_int_equal(ff_scene_create(model, def, &scene, &error), FF_ERROR_ARGUMENT);
  assert_null(scene);
  assert_string_equal(error.thing, thing);
  if (!strstr(error.message, message))
    fail_msg("'%s' where '%s' should be", error.message, message);
}

static void accept(const ff_model *model, const ff_scene_def *def)
{
  ff_scene *scene;
  ff_error error = {0};
  if (ff_scene_create(model, def, &scene, &error) != FF_OK)
    fail_msg("%s", error.message);
  ff_scene_destroy(scene);
}

static const ff_scene_push plain_push = {
    .link = "ball", .force = {1, 0, 0}, .impulse = {NAN, NAN, NAN}, .duration = 0.1};
static const ff_scene_ground plain_ground = {
    .type = FF_SHAPE_PLANE, .size = {NAN, NAN, NAN}, .material = {NAN, NAN, NAN, NAN, NAN, NAN, NAN}};

static ff_scene_def with_push(const ff_scene_push *push)
{
  ff_scene_def def = ff_scene_def_default();
  def.pushes.list = push;
  def.pushes.list_count = 1;
  return def;
}

static ff_scene_def with_ground(const ff_scene_ground *ground)
{
  ff_scene_def def = ff_scene_def_default();
  def.ground = ground;
  def.ground_count = 1;
  return def;
}

// ---- Times and lists ------------------------------------------------------------------------------------------------

static void times_are_refused(void **state)
{
  (void)state;
  ff_model *model = make_ball();
  const double steps[] = {0, (double)NAN, -1, (double)INFINITY};
  ff_scene_def def = ff_scene_def_default();
  for (int i = 0; i < 4; ++i) {
    def.sim.dt = steps[i];
    refuse(model, &def, "dt", "s must be > 0 and at most 1000");
  }
  def = ff_scene_def_default(), def.duration = (double)NAN;
  refuse(model, &def, "duration", "nan s must be finite and >= 0");
  def.duration = -1;
  refuse(model, &def, "duration", "-1 s must be finite and >= 0");
  def = ff_scene_def_default(), def.controller.period = 0;
  refuse(model, &def, "controller.period", "0 s must be > 0 and at most 1000");
  def = ff_scene_def_default(), def.log.every = 0;
  refuse(model, &def, "log.every", "0 must be within 1..1000000000");
  ff_model_destroy(model);
}

// Each list with a count but no entries, then with a count below 0.
static void lists_are_refused_by_name(void **state)
{
  (void)state;
  ff_model *model = make_ball();
  ff_scene_def def = ff_scene_def_default();
  const struct {
    const char *path;
    int *count;
  } lists[] = {
      {"load.mesh_paths", &def.load.mesh_paths_count},
      {"ground", &def.ground_count},
      {"coordinates.joints", &def.coordinates.joints_count},
      {"start.joints", &def.start.joints_count},
      {"pushes.list", &def.pushes.list_count},
      {"controller.joints", &def.controller.joints_count},
      {"controller.squat.feet", &def.controller.squat.feet_count},
      {"controller.trot.feet", &def.controller.trot.feet_count},
  };
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
    def = ff_scene_def_default();
    *lists[i].count = 3;
    refuse(model, &def, lists[i].path, "is NULL, but its count is 3");
    *lists[i].count = -2;
    refuse(model, &def, lists[i].path, "its count, -2, is below 0");
    *lists[i].count = INT_MIN;
    refuse(model, &def, lists[i].path, "is below 0");
  }
  def = ff_scene_def_default(), def.contact_points_count = -1;
  refuse(model, &def, "contact_points", "its count, -1, is below 0");
  ff_scene_ground field = plain_ground;
  field.type = FF_SHAPE_HEIGHTFIELD, field.rows = field.columns = 2, field.heights_count = 4;
  def = with_ground(&field);
  refuse(model, &def, "ground[0].heights", "is NULL, but its count is 4");
  static ff_scene_push many[1001];
  for (int i = 0; i < 1001; ++i)
    many[i] = plain_push;
  def = with_push(many), def.pushes.list_count = 1001;
  refuse(model, &def, "pushes.list", "has 1001 entries; at most 1000 are allowed");
  ff_model_destroy(model);
}

// ---- Ranges ---------------------------------------------------------------------------------------------------------

static void ground_is_refused(void **state)
{
  (void)state;
  ff_model *model = make_ball();
  ff_scene_ground g = plain_ground;
  ff_scene_def def = with_ground(&g);
  accept(model, &def);
  g.slope = 1.6;
  refuse(model, &def, "ground[0].slope", "1.6 rad must be within -1.55334..1.55334");
  g = plain_ground, g.position[2] = 2e7;
  refuse(model, &def, "ground[0].position[2]", "20000000 m must be within -1e+07..1e+07");
  g = plain_ground, g.velocity[3] = (double)INFINITY;
  refuse(model, &def, "ground[0].velocity[3]", "inf must be finite");
  g = plain_ground, g.material.restitution = 2;
  refuse(model, &def, "ground[0].restitution", "2 must be within 0..1");
  g = plain_ground, g.type = (ff_shape_type)99;
  refuse(model, &def, "ground[0].type", "99 is not FF_SHAPE_PLANE, FF_SHAPE_BOX or FF_SHAPE_HEIGHTFIELD");
  g = plain_ground, g.type = FF_SHAPE_BOX, g.size[0] = g.size[1] = 1, g.size[2] = 0;
  refuse(model, &def, "ground[0].size[2]", "0 m must be finite and > 0");
  const double heights[4] = {0, 0, (double)NAN, 0};
  g.type = FF_SHAPE_HEIGHTFIELD, g.rows = g.columns = 2, g.heights = heights, g.heights_count = 4;
  refuse(model, &def, "ground[0].heights[2]", "nan m must be within -1e+07..1e+07");
  g.rows = 1;
  refuse(model, &def, "ground[0].rows", "1 must be within 2..4096");
  def = ff_scene_def_default(), def.material.stiffness = 0;
  refuse(model, &def, "material.stiffness", "0 N/m must be finite and > 0");
  ff_model_destroy(model);
}

static void pushes_are_refused(void **state)
{
  (void)state;
  ff_model *model = make_ball();
  ff_scene_push p = plain_push;
  ff_scene_def def = with_push(&p);
  accept(model, &def);
  p.duration = 0;
  refuse(model, &def, "pushes.list[0].duration", "0 s must be finite and > 0");
  p = plain_push, p.from = -1;
  refuse(model, &def, "pushes.list[0].from", "-1 s must be finite and >= 0");
  p = plain_push, p.from = (double)INFINITY;
  refuse(model, &def, "pushes.list[0].from", "inf s must be finite and >= 0");
  p = plain_push, p.at[1] = (double)NAN;
  refuse(model, &def, "pushes.list[0].at[1]", "nan m must be within");
  p = plain_push, p.force[2] = (double)NAN;
  refuse(model, &def, "pushes.list[0].force[2]", "nan N must be finite");
  p = plain_push, p.vary.magnitude = 1.5;
  refuse(model, &def, "pushes.list[0].vary.magnitude", "1.5 must be within 0..1");
  p = plain_push, p.vary.time = (double)INFINITY;
  refuse(model, &def, "pushes.list[0].vary.time", "inf s must be finite and >= 0");
  p = plain_push, def.pushes.seed = -1;
  refuse(model, &def, "pushes.seed", "-1 must be within 0..2000000000");
  def.pushes.seed = 2000000001;
  refuse(model, &def, "pushes.seed", "2000000001 must be within 0..2000000000");
  ff_model_destroy(model);
}

static void expectations_are_refused(void **state)
{
  (void)state;
  ff_model *model = make_ball();
  ff_scene_def def = ff_scene_def_default();
  def.expect.unconverged = 1.5;
  refuse(model, &def, "expect.unconverged", "1.5 must be within 0..1");
  def = ff_scene_def_default(), def.expect.penetration = -1;
  refuse(model, &def, "expect.penetration", "-1 m must be finite and >= 0");
  def = ff_scene_def_default(), def.expect.speed[0] = 1;
  refuse(model, &def, "expect.speed[1]", "nan m/s must be finite");
  def = ff_scene_def_default(), def.expect.rise = (double)INFINITY;
  refuse(model, &def, "expect.rise", "inf m must be finite");
  ff_model_destroy(model);
}

static void types_are_refused(void **state)
{
  (void)state;
  ff_model *model = make_ball();
  ff_scene_def def = ff_scene_def_default();
  def.load.mimic = (ff_mimic_policy)4;
  refuse(model, &def, "load.mimic", "4 is not one of the values 0..3");
  def = ff_scene_def_default(), def.coordinates.type = (ff_cut_set)4;
  refuse(model, &def, "coordinates.type", "4 is not one of the values 0..3");
  def = ff_scene_def_default(), def.coordinates.place = (ff_cut_place)2;
  refuse(model, &def, "coordinates.place", "2 is not one of the values 0..1");
  def = ff_scene_def_default(), def.controller.type = (ff_controller_type)50;
  refuse(model, &def, "controller.type", "50 is not one of the values 0..6");
  ff_model_destroy(model);
}

// ---- Start ----------------------------------------------------------------------------------------------------------

static void starts_are_refused(void **state)
{
  (void)state;
  ff_model *model = make_ball();
  const double q[7] = {0, 0, 1, 0, 0, (double)NAN, 1};
  ff_scene_def def = ff_scene_def_default();
  def.start.q = q;
  refuse(model, &def, "start.q[5]", "nan must be finite");
  def = ff_scene_def_default(), def.start.position[0] = def.start.position[1] = 0;
  refuse(model, &def, "start.position[2]", "nan m must be within");
  def = ff_scene_def_default(), memset(def.start.quaternion, 0, sizeof def.start.quaternion);
  refuse(model, &def, "start.quaternion", "its length must be within 1e-6..1e6, not 0");
  def.start.quaternion[3] = 5; // any length in that range
  accept(model, &def);
  const double good[7] = {0, 0, 1, 0, 0, 0, 1}; // a posture must exist, even where q overrides it
  def = ff_scene_def_default(), def.start.q = good, def.start.posture = "asleep";
  refuse(model, &def, "start.posture", "the model has no posture 'asleep'");
  ff_model_destroy(model);
}

// A trajectory without states is not read, and one of another controller is no start.
static void trajectories_are_checked_before_they_start_a_scene(void **state)
{
  (void)state;
  ff_model *model = make_ball();
  const double q[14] = {0, 0, 3, 0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 1}, v[12] = {0}, one = 0;
  ff_feedback_def feedback = ff_feedback_def_default();
  ff_scene_def def = ff_scene_def_default();
  ff_scene *scene;
  ff_error error;
  def.controller.feedback = &feedback;
  def.controller.type = FF_CONTROLLER_FEEDBACK;
  feedback.q = feedback.v = &one; // fewer numbers than a state has
  refuse(model, &def, "controller.feedback", "needs q and v of at least two states");
  feedback.q = q, feedback.v = v, feedback.states = 2, feedback.interval = -1;
  refuse(model, &def, "controller.feedback", "the interval must be positive");
  feedback.interval = 0.1;
  assert_int_equal(ff_scene_create(model, &def, &scene, &error), FF_OK);
  assert_true(ff_scene_q(scene)[2] == 3);
  ff_scene_destroy(scene);
  def.controller.type = FF_CONTROLLER_NONE;
  assert_int_equal(ff_scene_create(model, &def, &scene, &error), FF_OK);
  assert_true(ff_scene_q(scene)[2] == 0);
  ff_scene_destroy(scene);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(times_are_refused),
      cmocka_unit_test(lists_are_refused_by_name),
      cmocka_unit_test(ground_is_refused),
      cmocka_unit_test(pushes_are_refused),
      cmocka_unit_test(expectations_are_refused),
      cmocka_unit_test(types_are_refused),
      cmocka_unit_test(starts_are_refused),
      cmocka_unit_test(trajectories_are_checked_before_they_start_a_scene),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
