// Many runs of a scene: the same bits whatever the number of runs and threads, each field acts as it says, and a block
// slides on a slope where its friction is below the slope's, as often as the closed form says.
#include <footfall/builder.h>
#include <footfall/scene/scene_batch.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double GRAVITY = 9.81;

static int add_link(ff_builder *builder, const char *name, int parent, ff_joint_type type, double mass)
{
  ff_link_def def = ff_link_def_default();
  char joint[32];
  ff_error error;
  int id;
  snprintf(joint, sizeof joint, "%s_joint", name);
  def.name = name;
  def.parent = parent;
  def.joint.name = joint;
  def.joint.type = type;
  def.joint.axis[1] = type == FF_JOINT_REVOLUTE;
  def.inertia = (ff_inertia){.mass = mass, .matrix = {0.01, 0, 0, 0.01, 0, 0.01}};
  if (ff_builder_add_link(builder, &def, &id, &error) != FF_OK)
    fail_msg("%s", error.message);
  return id;
}

// A flat block; with an arm on a hinge.
static ff_model *make_block(int has_arm)
{
  ff_builder *builder;
  ff_model *model = NULL;
  ff_error error;
  ff_shape_def box = ff_shape_def_default();
  assert_int_equal(ff_builder_create("block", &builder, &error), FF_OK);
  const int body = add_link(builder, "block", FF_WORLD, FF_JOINT_FREE, 1);
  if (has_arm)
    add_link(builder, "arm", body, FF_JOINT_REVOLUTE, 0.5);
  box.type = FF_SHAPE_BOX;
  box.size[0] = box.size[1] = 0.4;
  box.size[2] = 0.1;
  assert_int_equal(ff_builder_add_shape(builder, body, &box, &error), FF_OK);
  if (ff_builder_finish(builder, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  ff_builder_destroy(builder);
  return model;
}

static ff_scene_def block_def(ff_stepper stepper, double duration)
{
  ff_scene_def def = ff_scene_def_default();
  def.sim.stepper = stepper;
  def.sim.dt = 2e-3;
  def.start.on_ground = 1;
  def.material.friction = 0.5;
  def.duration = duration;
  return def;
}

static ff_scene *scene_of(const ff_model *model, const ff_scene_def *def)
{
  ff_scene *scene;
  ff_error error;
  if (ff_scene_create(model, def, &scene, &error) != FF_OK)
    fail_msg("%s", error.message);
  return scene;
}

typedef struct wish {
  int runs, first, threads;
  long long seed;
  const char *vary[4];
} wish;

static ff_scene_batch *run_all(ff_scene *scene, const wish *w)
{
  ff_scene_batch_def def = ff_scene_batch_def_default();
  ff_scene_batch *batch;
  ff_error error;
  def.runs = w->runs;
  def.first = w->first;
  def.threads = w->threads;
  def.seed = w->seed;
  def.vary = w->vary;
  while (def.vary_count < 4 && w->vary[def.vary_count])
    ++def.vary_count;
  if (ff_scene_batch_create(scene, &def, &batch, &error) != FF_OK)
    fail_msg("%s", error.message);
  while (!ff_scene_batch_is_done(batch))
    if (ff_scene_batch_advance(batch, 17, &error) != FF_OK)
      fail_msg("%s", error.message);
  assert_int_equal(ff_scene_batch_ended(batch), w->runs);
  assert_true(ff_scene_batch_progress(batch) == 1);
  return batch;
}

// All numbers of a run, bit for bit.
static void assert_same_run(const ff_scene_run *a, const ff_scene_run *b)
{
  const double x[] = {a->time,  a->position[0], a->position[1], a->position[2], a->tilt,
                      a->speed, a->final_speed, a->energy,      a->penetration};
  const double y[] = {b->time,  b->position[0], b->position[1], b->position[2], b->tilt,
                      b->speed, b->final_speed, b->energy,      b->penetration};
  assert_int_equal(a->outcome, b->outcome);
  assert_string_equal(a->why, b->why);
  assert_memory_equal(x, y, sizeof x);
}

// ---- Same bits ------------------------------------------------------------------------------------------------------

// Whatever the number of threads and runs; a run alone, and what else varies.
static void a_run_is_the_same_in_every_batch(void **state)
{
  (void)state;
  ff_model *model = make_block(1);
  ff_scene_def def = block_def(FF_STEPPER_EXPO, 0.2);
  def.controller.type = FF_CONTROLLER_POSTURE_PD;
  def.controller.kp = 50, def.controller.kd = 1;
  ff_scene *scene = scene_of(model, &def);
  const char *one = "material.friction=0.1..0.9", *two = "start.vx=1m/s", *three = "motors.kp=0.5";
  ff_scene_batch *all = run_all(scene, &(wish){100, 0, 1, 1, {one, two, three}});
  for (int threads = 2; threads <= 8; threads *= 2) {
    ff_scene_batch *other = run_all(scene, &(wish){100, 0, threads, 1, {three, one, two}});
    for (int i = 0; i < 100; ++i)
      assert_same_run(ff_scene_batch_run(all, i), ff_scene_batch_run(other, i));
    ff_scene_batch_destroy(other);
  }
  for (int i = 3; i < 100; i += 31) {
    ff_scene_batch *alone = run_all(scene, &(wish){1, i, 1, 1, {one, two, three}});
    assert_same_run(ff_scene_batch_run(all, i), ff_scene_batch_run(alone, 0));
    assert_true(ff_scene_batch_drawn(all, i, 0) == ff_scene_batch_drawn(alone, 0, 0));
    ff_scene_batch_destroy(alone);
  }
  ff_scene_batch *less = run_all(scene, &(wish){4, 0, 1, 1, {one}}),
                 *seed = run_all(scene, &(wish){4, 0, 1, 2, {one}});
  for (int i = 0; i < 4; ++i) {
    assert_true(ff_scene_batch_drawn(all, i, 0) == ff_scene_batch_drawn(less, i, 0));
    assert_true(ff_scene_batch_drawn(seed, i, 0) != ff_scene_batch_drawn(less, i, 0));
  }
  ff_scene_batch_destroy(less);
  ff_scene_batch_destroy(seed);
  ff_scene_batch_destroy(all);
  ff_scene_destroy(scene);
  ff_model_destroy(model);
}

// More runs than are under way at once.
static void runs_come_in_waves(void **state)
{
  (void)state;
  ff_model *model = make_block(0);
  ff_scene_def def = block_def(FF_STEPPER_EULER, 0.01);
  ff_scene *scene = scene_of(model, &def);
  ff_scene_batch *all = run_all(scene, &(wish){1100, 0, 2, 1, {"start.vx=1"}});
  ff_scene_batch *last = run_all(scene, &(wish){10, 1090, 2, 1, {"start.vx=1"}});
  for (int i = 0; i < 10; ++i)
    assert_same_run(ff_scene_batch_run(all, 1090 + i), ff_scene_batch_run(last, i));
  assert_null(ff_scene_batch_run(all, 1100));
  assert_null(ff_scene_batch_run(all, -1));
  ff_scene_batch_destroy(last);
  ff_scene_batch_destroy(all);
  ff_scene_destroy(scene);
  ff_model_destroy(model);
}

// A stepper without lanes takes the steps that a sim of its own takes: with nothing varied the run is that of the
// scene, observations included.
static void a_run_is_that_of_the_scene(void **state)
{
  (void)state;
  ff_model *model = make_block(1);
  const ff_scene_push push = {
      .link = "block", .force = {4, 1, 2}, .impulse = {NAN, NAN, NAN}, .from = 0.05, .duration = 0.1};
  ff_scene_def def = block_def(FF_STEPPER_MOREAU, 0.3);
  def.pushes.list = &push, def.pushes.list_count = 1;
  def.controller.type = FF_CONTROLLER_POSTURE;
  def.controller.kp = 5, def.controller.kd = 0.1, def.controller.period = 4e-3;
  def.expect.advance = 100;
  ff_scene *scene = scene_of(model, &def);
  ff_scene_batch *batch = run_all(scene, &(wish){20, 0, 2, 1, {NULL}});
  ff_scene_result result;
  ff_error error;
  for (long long k = 0; k < ff_scene_steps(scene); ++k) {
    assert_int_equal(ff_scene_step(scene, &error), FF_OK);
    ff_scene_watch(scene);
  }
  ff_scene_get_result(scene, &result);
  for (int i = 0; i < 20; ++i) {
    const ff_scene_run *run = ff_scene_batch_run(batch, i);
    assert_int_equal(run->outcome, FF_SCENE_MISSED);
    assert_string_equal(run->why, result.misses);
    assert_memory_equal(run->position, ff_scene_now_q(scene), sizeof run->position);
    assert_true(run->tilt == result.tilt_most && run->speed == result.speed &&
                run->penetration == result.penetration && run->final_speed == result.final_speed);
  }
  ff_scene_batch_destroy(batch);
  ff_scene_destroy(scene);
  ff_model_destroy(model);
}

// What the scene says varies, unless the def has the field; a single run is as written.
static void the_scene_says_what_varies(void **state)
{
  (void)state;
  ff_model *model = make_block(0);
  ff_scene_def def = block_def(FF_STEPPER_EULER, 0.01);
  const ff_scene_varied vary[] = {{"start.vx", "1..2m/s"}, {"mass", "0.2"}};
  def.vary = vary, def.vary_count = 2;
  ff_scene *scene = scene_of(model, &def);
  assert_true(ff_scene_v(scene)[0] == 0);
  ff_scene_batch *batch = run_all(scene, &(wish){50, 0, 1, 1, {"mass=2,3"}});
  double low, high;
  assert_int_equal(ff_scene_batch_varied_count(batch), 2);
  assert_string_equal(ff_scene_batch_varied(batch, 0, &low, &high).name, "mass");
  assert_true(low == 2 && high == 3);
  assert_string_equal(ff_scene_batch_varied(batch, 1, &low, &high).name, "start.vx");
  for (int i = 0; i < 50; ++i)
    assert_true(ff_scene_batch_run(batch, i)->position[0] > 0.0099 && ff_scene_batch_drawn(batch, i, 0) >= 2);
  ff_scene_batch_destroy(batch);
  ff_scene_destroy(scene);
  ff_model_destroy(model);
}

// ---- Each field acts ------------------------------------------------------------------------------------------------

static double end_of(ff_scene *scene, const char *vary, int which)
{
  ff_scene_batch *batch = run_all(scene, &(wish){1, 0, 1, 1, {vary}});
  const ff_scene_run *run = ff_scene_batch_run(batch, 0);
  const double figures[] = {run->position[0], run->position[1], run->position[2],
                            run->energy,      run->tilt,        run->final_speed};
  ff_scene_batch_destroy(batch);
  return figures[which];
}

static void assert_is(double got, double want, double tolerance)
{
  if (!(fabs(got - want) <= tolerance))
    fail_msg("%.17g where %.17g should be", got, want);
}

// A list of one value sets it. In free flight for T = 0.2 s, from rest at the height 0, by a stepper whose flight is
// exact but for rounding.
static void starts_and_gravity_act(void **state)
{
  (void)state;
  ff_model *model = make_block(0);
  ff_scene_def def = block_def(FF_STEPPER_RK4, 0.2);
  const double T = 0.2, fall = GRAVITY * T * T / 2, close = 1e-12;
  def.ground_count = 0;
  def.material.friction = NAN;
  def.start.on_ground = 0;
  ff_scene *scene = scene_of(model, &def);
  assert_is(end_of(scene, "start.x=0.3,0.3", 0), 0.3, close);
  assert_is(end_of(scene, "start.y=0.3,0.3", 1), 0.3, close);
  assert_is(end_of(scene, "start.z=0.3,0.3", 2), 0.3 - fall, close);
  assert_is(end_of(scene, "start.vx=2,2", 0), 2 * T, close);
  assert_is(end_of(scene, "start.vy=2,2", 1), 2 * T, close);
  assert_is(end_of(scene, "start.vz=2,2", 2), 2 * T - fall, close);
  assert_is(end_of(scene, "gravity=2,2", 2), -2 * T * T / 2, close);
  assert_is(end_of(scene, "start.roll=0.3,0.3rad", 4), 0.3, close);
  assert_is(end_of(scene, "start.pitch=0.3,0.3rad", 4), 0.3, close);
  assert_is(end_of(scene, "start.yaw=0.3,0.3rad", 4), 0, 2e-8); // acos of 1 - eps
  assert_is(end_of(scene, "start.wx=1,1rad/s", 4), T, 1e-9);
  assert_is(end_of(scene, "mass=3,3", 3), 0, 1e-10); // energy is kept; its zero is at the start
  assert_is(end_of(scene, "start.vx=2,2", 3), 2, 1e-10);
  ff_scene_batch *heavy = run_all(scene, &(wish){1, 0, 1, 1, {"mass=3,3", "start.vx=2,2"}});
  assert_is(ff_scene_batch_run(heavy, 0)->energy, 6, 1e-10);
  ff_scene_batch_destroy(heavy);
  ff_scene_destroy(scene);
  ff_model_destroy(model);
}

// A push of 3 N for 0.1 s on 1 kg is 0.3 m/s; turned, enlarged.
static void pushes_act(void **state)
{
  (void)state;
  ff_model *model = make_block(0);
  const ff_scene_push push = {.link = "block",
                              .force = {3, 0, 0},
                              .impulse = {NAN, NAN, NAN},
                              .duration = 0.1,
                              .vary = {.magnitude = 0.5}};
  ff_scene_def def = block_def(FF_STEPPER_RK4, 0.1);
  def.ground_count = 0;
  def.material.friction = NAN;
  def.start.on_ground = 0;
  def.pushes.list = &push, def.pushes.list_count = 1;
  ff_scene *scene = scene_of(model, &def);
  assert_is(end_of(scene, "pushes.magnitude=2,2", 0), 2 * 0.3 * 0.1 / 2, 1e-12);
  ff_scene_batch *turned =
      run_all(scene, &(wish){1, 0, 1, 1, {"pushes.magnitude=1,1", "pushes.angle=90,90deg"}});
  assert_is(ff_scene_batch_run(turned, 0)->position[1], 0.3 * 0.1 / 2, 1e-12);
  ff_scene_batch_destroy(turned);
  enum { RUNS = 400 };
  ff_scene_batch *own = run_all(scene, &(wish){RUNS, 0, 1, 1, {NULL}}); // the scene's own `vary`: 0.5..1.5
  double least = INFINITY, most = 0, sum = 0;
  for (int i = 0; i < RUNS; ++i) {
    const double size = ff_scene_batch_run(own, i)->position[0] / (0.3 * 0.1 / 2);
    least = fmin(least, size), most = fmax(most, size), sum += size;
  }
  assert_true(least >= 0.5 && least < 0.52 && most <= 1.5 && most > 1.48);
  assert_true(fabs(sum / RUNS - 1) < 4 * sqrt(1.0 / 12 / RUNS));
  ff_scene_batch_destroy(own);
  ff_scene_destroy(scene);
  ff_model_destroy(model);
}

// The depth at rest is m g / (4 K); ground that is higher lifts a robot that is placed on it.
static void materials_and_ground_act(void **state)
{
  (void)state;
  ff_model *model = make_block(0);
  ff_scene_def def = block_def(FF_STEPPER_EXPO, 0.5);
  ff_scene *scene = scene_of(model, &def);
  const double half = 0.05;
  assert_is(end_of(scene, "material.stiffness=1e4,1e4", 2), half - GRAVITY / 4e4, 1e-9);
  assert_is(end_of(scene, "material.stiffness=1e5,1e5", 2), half - GRAVITY / 4e5, 1e-9);
  assert_is(end_of(scene, "ground.height=0.2,0.2", 2), 0.2 + half - GRAVITY / 4e5, 1e-9);
  assert_is(end_of(scene, "mass=2,2", 2), half - 2 * GRAVITY / 4e5, 1e-9);
  ff_scene_destroy(scene);
  ff_model_destroy(model);
}

// ---- A known answer -------------------------------------------------------------------------------------------------

// Friction mu in 0..1 and slope in 0..30 degrees: mu is below tan(slope) with the probability -ln(cos 30) / 30 (in
// radians). Rigid contact: the block slides in exactly these runs, at g (sin - mu cos) t, to the solver's tolerance. It
// begins a micrometre deep, so that rounding does not make the first step one without contact.
static void a_block_slides_where_friction_is_below_the_slope(void **state)
{
  (void)state;
  enum { RUNS = 2000 };
  const double widest = 30 * 0.017453292519943295, share = -log(cos(widest)) / widest, T = 0.2;
  ff_model *model = make_block(0);
  ff_scene_def def = block_def(FF_STEPPER_MOREAU, T);
  ff_scene *scene = scene_of(model, &def);
  ff_scene_batch *batch = run_all(
      scene,
      &(wish){RUNS, 0, 0, 1, {"material.friction=0..1", "ground.slope=0..30deg", "start.z=-1e-6,-1e-6"}});
  int slid = 0;
  for (int i = 0; i < RUNS; ++i) {
    const double mu = ff_scene_batch_drawn(batch, i, 0), slope = ff_scene_batch_drawn(batch, i, 1);
    const double speed = ff_scene_batch_run(batch, i)->final_speed;
    const double want = fmax(0, GRAVITY * (sin(slope) - mu * cos(slope)) * T);
    slid += mu < tan(slope);
    if (fabs(speed - want) > 1e-5)
      fail_msg("run %d: mu %g on tan %g: %g m/s, not %g", i, mu, tan(slope), speed, want);
  }
  if (fabs(slid - share * RUNS) > 4 * sqrt(share * (1 - share) * RUNS)) // four standard deviations
    fail_msg("%d of %d slid, expected %g", slid, RUNS, share * RUNS);
  ff_scene_batch_destroy(batch);
  ff_scene_destroy(scene);
  ff_model_destroy(model);
}

// The same with compliant contact, which creeps while it settles: where friction and slope differ by 2 % or more.
static void a_compliant_block_slides_there_too(void **state)
{
  (void)state;
  enum { RUNS = 300 };
  ff_model *model = make_block(0);
  ff_scene_def def = block_def(FF_STEPPER_EXPO, 0.5);
  ff_scene *scene = scene_of(model, &def);
  ff_scene_batch *batch =
      run_all(scene, &(wish){RUNS, 0, 0, 1, {"material.friction=0..1", "ground.slope=0..30deg"}});
  int judged = 0;
  for (int i = 0; i < RUNS; ++i) {
    const double mu = ff_scene_batch_drawn(batch, i, 0), slope = ff_scene_batch_drawn(batch, i, 1);
    const double speed = ff_scene_batch_run(batch, i)->final_speed;
    const double want = fmax(0, GRAVITY * (sin(slope) - mu * cos(slope)) * 0.5);
    if (fabs(mu - tan(slope)) < 0.02)
      continue;
    ++judged;
    if (fabs(speed - want) > 0.02 * (want > 0) + 1e-4)
      fail_msg("run %d: mu %g on tan %g: %g m/s, not %g", i, mu, tan(slope), speed, want);
  }
  assert_true(judged > RUNS * 9 / 10);
  ff_scene_batch_destroy(batch);
  ff_scene_destroy(scene);
  ff_model_destroy(model);
}

// ---- Refusals -------------------------------------------------------------------------------------------------------

static void refuse(ff_scene *scene, const char *vary, const char *words)
{
  ff_scene_batch_def def = ff_scene_batch_def_default();
  ff_scene_batch *batch = (ff_scene_batch *)1;
  ff_error error = {0};
  def.vary = &vary, def.vary_count = 1;
  assert_int_not_equal(ff_scene_batch_create(scene, &def, &batch, &error), FF_OK);
  assert_null(batch);
  if (!strstr(error.message, words))
    fail_msg("%s: '%s' where '%s' should be", vary, error.message, words);
}

static void what_the_scene_lacks_cannot_vary(void **state)
{
  (void)state;
  ff_model *model = make_block(0);
  ff_scene_def def = block_def(FF_STEPPER_EXPO, 0.1);
  ff_scene *scene = scene_of(model, &def);
  refuse(scene, "motors.kp=0.5", "has motors with gains");
  refuse(scene, "start.joints=1deg", "no such joints");
  refuse(scene, "pushes.time=1s", "no pushes");
  refuse(scene, "material.restitution=0..1", "compliant");
  refuse(scene, "friction=0..1", "cannot vary");
  const char *twice[] = {"mass=0.1", "mass=0.2"};
  ff_scene_batch_def batch = ff_scene_batch_def_default();
  ff_scene_batch *out;
  ff_error error;
  batch.vary = twice, batch.vary_count = 2;
  assert_int_equal(ff_scene_batch_create(scene, &batch, &out, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "twice"));
  batch.vary_count = 0, batch.runs = 0;
  assert_int_equal(ff_scene_batch_create(scene, &batch, &out, &error), FF_ERROR_ARGUMENT);
  ff_scene_destroy(scene);
  def.ground_count = 0;
  def.material.friction = NAN;
  def.start.on_ground = 0;
  scene = scene_of(model, &def);
  refuse(scene, "material.friction=0..1", "no ground");
  refuse(scene, "ground.slope=1deg", "no ground");
  ff_scene_destroy(scene);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_is_the_same_in_every_batch),
      cmocka_unit_test(runs_come_in_waves),
      cmocka_unit_test(the_scene_says_what_varies),
      cmocka_unit_test(a_run_is_that_of_the_scene),
      cmocka_unit_test(starts_and_gravity_act),
      cmocka_unit_test(pushes_act),
      cmocka_unit_test(materials_and_ground_act),
      cmocka_unit_test(a_block_slides_where_friction_is_below_the_slope),
      cmocka_unit_test(a_compliant_block_slides_there_too),
      cmocka_unit_test(what_the_scene_lacks_cannot_vary),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
