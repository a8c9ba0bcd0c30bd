// Which shapes can touch, in which order and with which ids; the default ground; everything that is refused.
#include "contact/collider_cases.h"

#include "support/alloc_counter.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- By hand ----------------------------------------------------------------------------------------------

// Two spheres on a floating base and its arm, a ball apart.
static ff_model *arm_and_ball(void)
{
  ff_builder *b = scene_builder();
  int base = scene_link(b, "base", FF_WORLD, FF_JOINT_FREE);
  int arm = scene_link(b, "arm", base, FF_JOINT_REVOLUTE);
  int hand = scene_link(b, "hand", arm, FF_JOINT_REVOLUTE);
  int ball = scene_link(b, "zball", FF_WORLD, FF_JOINT_FREE);
  scene_shape(b, base, FF_SHAPE_BOX, 0.2, 0.2, 0.2, 0, 0, 0);  // 0
  scene_shape(b, arm, FF_SHAPE_CAPSULE, 0.1, 0.3, 0, 0, 0, 0); // 1
  scene_shape(b, hand, FF_SHAPE_SPHERE, 0.1, 0, 0, 0, 0, 0);   // 2
  scene_shape(b, ball, FF_SHAPE_SPHERE, 0.25, 0, 0, 0, 0, 0);  // 3
  scene_shape(b, hand, FF_SHAPE_POINT, 0, 0, 0, 0, 0, -0.1);   // 4
  return scene_finish(b);
}

static void assert_pair(const ffi_colliders *scene, int i, int shape_a, int shape_b, int ground, int first_id,
                        int most)
{
  const ffi_collider_pair *p = &scene->pairs[i];
  if (p->shape_a != shape_a || p->shape_b != shape_b || p->ground != ground || p->first_id != first_id ||
      p->most != most)
    fail_msg("pair %d is (%d, %d, ground %d, ids %d + %d)", i, p->shape_a, p->shape_b, p->ground, p->first_id,
             p->most);
}

static void robots_and_loose_bodies(void **state)
{
  (void)state;
  ff_model *model = arm_and_ball();
  ff_sim_def def = scene_def(NULL, -1, 0);
  ffi_colliders scene = scene_create(model, &def);
  assert_int_equal(scene.ground_count, 1);
  assert_int_equal(scene.pair_count, 8);
  assert_pair(&scene, 0, 0, 3, -1, 0, 1); // box, ball
  assert_pair(&scene, 1, 0, -1, 0, 1, 8); // box, ground
  assert_pair(&scene, 2, 1, 3, -1, 9, 1);
  assert_pair(&scene, 3, 1, -1, 0, 10, 2);
  assert_pair(&scene, 4, 2, 3, -1, 12, 1);
  assert_pair(&scene, 5, 2, -1, 0, 13, 1);
  assert_pair(&scene, 6, 3, -1, 0, 14, 1);
  assert_pair(&scene, 7, 4, -1, 0, 15, 1); // a point and a ball: not supported
  assert_int_equal(scene.id_count, 16);
  assert_true(scene.most_near >= 16);
  ffi_colliders_free(&scene);
  ff_model_destroy(model);
}

static void self_collision_spares_neighbours(void **state)
{
  (void)state;
  ff_model *model = arm_and_ball();
  ff_sim_def def = scene_def(NULL, 0, 1);
  ffi_colliders scene = scene_create(model, &def);
  assert_int_equal(scene.ground_count, 0);
  assert_int_equal(scene.pair_count, 5);
  assert_pair(&scene, 0, 0, 2, -1, 0, 1); // base and hand: two joints apart
  assert_pair(&scene, 1, 0, 3, -1, 1, 1);
  assert_pair(&scene, 2, 1, 3, -1, 2, 1);
  assert_pair(&scene, 3, 2, 3, -1, 3, 1);
  assert_pair(&scene, 4, 4, 0, -1, 4, 1); // the hand's point and the base: a point comes first
  ffi_colliders_free(&scene);
  ff_model_destroy(model);
}

// A plane is always last, whatever moves and whatever comes first.
static void a_plane_comes_last(void **state)
{
  (void)state;
  ff_builder *b = scene_builder();
  int plate = scene_link(b, "plate", FF_WORLD, FF_JOINT_PRISMATIC);
  scene_shape(b, plate, FF_SHAPE_PLANE, 0, 0, 0, 0, 0, 0);
  scene_shape(b, FF_WORLD, FF_SHAPE_SPHERE, 0.1, 0, 0, 0, 0, 1);
  int ball = scene_link(b, "zball", FF_WORLD, FF_JOINT_FREE);
  scene_shape(b, ball, FF_SHAPE_SPHERE, 0.25, 0, 0, 0, 0, 0);
  ff_model *model = scene_finish(b);
  ff_sim_def def = scene_def(NULL, -1, 0);
  ffi_colliders scene = scene_create(model, &def);
  assert_int_equal(scene.ground_count, 0); // the sphere in the world is scenery
  assert_int_equal(scene.pair_count, 3);
  assert_pair(&scene, 0, 1, 0, -1, 0, 1); // the world's sphere on the moving plane
  assert_pair(&scene, 1, 2, 0, -1, 1, 1); // the ball on the plane
  assert_pair(&scene, 2, 2, 1, -1, 2, 1); // the ball and the world's sphere: what moves is first
  assert_int_equal(scene.pairs[0].body_a, 0);
  assert_int_equal(scene.pairs[0].body_b, 1);
  assert_int_equal(scene.pairs[2].body_b, 0);
  ffi_colliders_free(&scene);
  ff_model_destroy(model);
}

// ---- Default ground ---------------------------------------------------------------------------------------

static int default_grounds(int link_is_fixed, int purpose)
{
  ff_builder *b = scene_builder();
  ff_shape_def shape = ff_shape_def_default();
  ff_error error;
  shape.type = FF_SHAPE_BOX;
  shape.size[0] = shape.size[1] = shape.size[2] = 1;
  shape.purpose = purpose;
  int ball = scene_link(b, "ball", FF_WORLD, FF_JOINT_FREE);
  scene_shape(b, ball, FF_SHAPE_SPHERE, 0.25, 0, 0, 0, 0, 0);
  int table = scene_link(b, "table", FF_WORLD, link_is_fixed ? FF_JOINT_FIXED : FF_JOINT_FREE);
  int top = scene_link(b, "top", table, FF_JOINT_FIXED);
  assert_int_equal(ff_builder_add_shape(b, top, &shape, &error), FF_OK);
  ff_model *model = scene_finish(b);
  ff_sim_def def = scene_def(NULL, -1, 0);
  ffi_colliders scene = scene_create(model, &def);
  int count = scene.ground_count;
  if (count == 1) {
    const ffi_pose here = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    assert_int_equal(scene.grounds[0].def.shape.type, FF_SHAPE_PLANE);
    assert_memory_equal(&scene.grounds[0].start, &here, sizeof here);
    const int last = scene.pair_count - 1; // with the ground
    ff_material made[8];
    assert_in_range(last, 0, 7);
    assert_int_equal(scene_materials(&scene, made, &error), FF_OK);
    assert_true(scene.pairs[last].ground == 0 && made[last].stiffness == 1e5 && made[last].damping == 300 &&
                made[last].friction == 1);
  }
  ffi_colliders_free(&scene);
  ff_model_destroy(model);
  return count;
}

static void there_is_a_plane_unless_there_is_scenery(void **state)
{
  (void)state;
  assert_int_equal(default_grounds(0, FF_SHAPE_COLLISION), 1);
  assert_int_equal(default_grounds(1, FF_SHAPE_VISUAL), 1);
  assert_int_equal(default_grounds(1, FF_SHAPE_COLLISION), 0);
  assert_int_equal(default_grounds(1, FF_SHAPE_VISUAL | FF_SHAPE_COLLISION), 0);
}

static void a_model_without_shapes(void **state)
{
  (void)state;
  ff_builder *b = scene_builder();
  scene_link(b, "bob", FF_WORLD, FF_JOINT_REVOLUTE);
  ff_model *model = scene_finish(b);
  ff_sim_def def = scene_def(NULL, -1, 1);
  ffi_colliders scene = scene_create(model, &def);
  assert_int_equal(scene.pair_count, 0);
  assert_int_equal(scene.id_count, 0);
  assert_int_equal(scene.ground_count, 1);
  const ffi_pose poses[2] = {{.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
  ffi_detect_candidate none;
  scene_room room = scene_room_create(&scene);
  assert_int_equal(scene_detect(&scene, &room, poses, 1, &none), 0);
  scene_room_free(&room);
  ffi_colliders_free(&scene);
  ff_model_destroy(model);
}

// ---- What a scene owns ------------------------------------------------------------------------------------

static void ground_is_copied(void **state)
{
  (void)state;
  ff_model *model = arm_and_ball();
  double heights[4] = {1, 2, 3, 4};
  char name[] = "meadow";
  ff_ground_def ground = scene_ground(FF_SHAPE_HEIGHTFIELD, 10, 10, 0, 1, 2, 3);
  ground.shape.heights = heights;
  ground.shape.rows = ground.shape.columns = 2;
  ground.shape.name = name;
  ground.shape.pose.quaternion[3] = 2; // any length
  ground.velocity[4] = 5;
  ff_sim_def def = scene_def(&ground, 1, 0);
  ffi_colliders scene = scene_create(model, &def);
  memset(heights, 0, sizeof heights);
  memset(name, 'x', sizeof name - 1);
  ground = (ff_ground_def){0};
  const ffi_ground *got = &scene.grounds[0];
  assert_string_equal(got->def.shape.name, "meadow");
  assert_true(got->start.p[0] == 1 && got->start.p[1] == 2 && got->start.p[2] == 3 && got->start.R[0] == 1);
  assert_true(got->def.shape.pose.quaternion[3] == 1 && got->def.velocity[4] == 5);
  int fields = 0;
  for (int i = 0; i < scene.pair_count; ++i)
    if (scene.pairs[i].ground == 0) {
      const ffi_height_field *field = scene.pairs[i].b->solid.field;
      ++fields;
      assert_true(field->heights[0] == 1 && field->heights[3] == 4 && field->high == 4 && field->rows == 2);
    }
  assert_int_equal(fields, 5);
  ffi_colliders_free(&scene);
  ff_model_destroy(model);
}

static void materials_of_pairs(void **state)
{
  (void)state;
  ff_model *model = arm_and_ball();
  ff_ground_def grounds[2] = {scene_ground(FF_SHAPE_PLANE, 0, 0, 0, 0, 0, 0),
                              scene_ground(FF_SHAPE_PLANE, 0, 0, 0, 0, 0, -1)};
  grounds[0].shape.material = (ff_material){.stiffness = 1e5, .damping = 300, .friction = 0.5};
  grounds[1].shape.material = (ff_material){.stiffness = 7, .damping = 0, .friction = 3};
  grounds[1].gives_pair = 1;
  ff_sim_def def = scene_def(grounds, 2, 0);
  ffi_colliders scene = scene_create(model, &def);
  ff_material made[32];
  ff_error error;
  assert_in_range(scene.pair_count, 1, 32);
  assert_int_equal(scene_materials(&scene, made, &error), FF_OK);
  for (int i = 0; i < scene.pair_count; ++i) {
    const ffi_collider_pair *p = &scene.pairs[i];
    const double want[3][3] = {{5e4, 150, 1}, {5e4, 150, 0.5}, {7, 0, 3}}; // ball, ground 0, ground 1
    const double got[3] = {made[i].stiffness, made[i].damping, made[i].friction};
    assert_memory_equal(got, want[p->ground + 1], sizeof got);
  }
  ffi_colliders_free(&scene);
  ff_model_destroy(model);
}

static void one_block_given_back(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  for (uint64_t seed = 0; seed < 20; ++seed) {
    scene_case c;
    scene_random(seed, &c);
    ffi_colliders scene;
    ff_error error;
    for (long n = 1;; ++n) { // every allocation fails once
      const long before = ffi_test_alloc_count() - ffi_test_free_count();
      ffi_test_alloc_fail_at(n);
      ff_status status = ffi_colliders_create(c.model, &c.def, &scene, &error);
      const int failed = ffi_test_alloc_failed();
      if (!failed) {
        assert_int_equal(status, FF_OK);
        assert_int_equal(ffi_test_alloc_count() - ffi_test_free_count(), before + 1);
        break;
      }
      assert_int_equal(status, FF_ERROR_MEMORY);
      assert_int_equal(ffi_test_alloc_count() - 1 - ffi_test_free_count(),
                       before); // the failed one was counted
    }
    ffi_colliders_free(&scene);
    assert_null(scene.memory);
    ffi_colliders_free(&scene); // twice is fine
    ff_model_destroy(c.model);
  }
}

// ---- What is refused --------------------------------------------------------------------------------------

static void bad_ground_is_named(void **state)
{
  (void)state;
  const double inf = (double)INFINITY, nan = (double)NAN;
  ff_model *model = arm_and_ball();
  ff_ground_def grounds[3];
  for (int i = 0; i < 3; ++i)
    grounds[i] = scene_ground(FF_SHAPE_PLANE, 1, 1, 1, 0, 0, 0);
  ff_sim_def def = scene_def(grounds, 3, 0);
  ff_ground_def *bad = &grounds[2], good = grounds[2];
#define REFUSED(change, status, text)                                                                        \
  do {                                                                                                       \
    change;                                                                                                  \
    const char *message = scene_refused(model, &def, status);                                                \
    if (!strstr(message, text))                                                                              \
      fail_msg("'%s' does not say '%s'", message, text);                                                     \
    *bad = good;                                                                                             \
  } while (0)
  REFUSED(bad->shape.type = FF_SHAPE_SPHERE, FF_ERROR_ARGUMENT,
          "ground 2: its shape is a sphere; ground can be a plane, a box or a height field");
  REFUSED(bad->shape.type = (ff_shape_type)99, FF_ERROR_ARGUMENT, "ground 2: its shape is a");
  REFUSED((bad->shape.type = FF_SHAPE_BOX, bad->shape.size[1] = -1), FF_ERROR_MODEL, "ground 2: ");
  REFUSED((bad->shape.type = FF_SHAPE_HEIGHTFIELD), FF_ERROR_MODEL, "ground 2: ");
  REFUSED(bad->shape.pose.position[0] = nan, FF_ERROR_MODEL, "ground 2: ");
  REFUSED(memset(bad->shape.pose.quaternion, 0, 4 * sizeof(double)), FF_ERROR_MODEL, "ground 2: ");
  REFUSED(bad->shape.material.stiffness = 0, FF_ERROR_ARGUMENT, "ground 2: the stiffness");
  REFUSED(bad->shape.material.stiffness = nan, FF_ERROR_ARGUMENT, "ground 2: the stiffness");
  REFUSED(bad->shape.material.damping = -1, FF_ERROR_ARGUMENT, "ground 2: the damping");
  REFUSED(bad->shape.material.friction = -0.5, FF_ERROR_ARGUMENT, "ground 2: the friction");
  REFUSED(bad->shape.material.restitution = 2, FF_ERROR_ARGUMENT, "ground 2: the restitution");
  REFUSED(bad->shape.material.tangential_restitution = 2, FF_ERROR_ARGUMENT,
          "ground 2: the tangential restitution");
  REFUSED(bad->velocity[5] = inf, FF_ERROR_ARGUMENT, "ground 2: its velocity");
  REFUSED(bad->gives_pair = 1, FF_ERROR_ARGUMENT, "ground 2: it gives the pair's material, so its stiffness");
  REFUSED((bad->gives_pair = 1, bad->shape.material.stiffness = 1), FF_ERROR_ARGUMENT, "so its damping");
  REFUSED((bad->gives_pair = 1, bad->shape.material.stiffness = bad->shape.material.damping = 1),
          FF_ERROR_ARGUMENT, "so its friction");
#undef REFUSED
  def.ground_count = -2;
  scene_refused(model, &def, FF_ERROR_ARGUMENT);
  def.ground_count = INT32_MAX;
  scene_refused(model, &def, FF_ERROR_ARGUMENT);
  def = scene_def(NULL, 1, 0);
  scene_refused(model, &def, FF_ERROR_ARGUMENT);
  ff_model_destroy(model);
}

// Springs in series so soft that their stiffness underflows: the message names both.
static void a_pair_that_cannot_be_is_named(void **state)
{
  (void)state;
  ff_builder *b = scene_builder();
  ff_shape_def shape = ff_shape_def_default();
  ff_error error;
  shape.name = "toe";
  shape.size[0] = 0.1;
  shape.material.stiffness = 5e-324;
  int foot = scene_link(b, "foot", FF_WORLD, FF_JOINT_FREE);
  assert_int_equal(ff_builder_add_shape(b, foot, &shape, &error), FF_OK);
  shape.name = NULL;
  assert_int_equal(ff_builder_add_shape(b, FF_WORLD, &shape, &error), FF_OK);
  ff_model *model = scene_finish(b);
  ff_sim_def def = scene_def(NULL, 0, 0);
  ffi_colliders scene = scene_create(model, &def);
  ff_material made[1];
  const char *message = error.message;
  assert_int_equal(scene.pair_count, 1);
  assert_int_equal(scene_materials(&scene, made, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(error.status, FF_ERROR_ARGUMENT);
  assert_non_null(strstr(message, "shape 0 'toe' of link 'foot'"));
  assert_non_null(strstr(message, "shape 1 of the world"));
  assert_non_null(strstr(message, "stiffness"));
  ffi_colliders_free(&scene);
  ff_sim *sim; // and there is no sim with it
  memset(&error, 0, sizeof error);
  def = ff_sim_def_default();
  assert_int_equal(ff_sim_create(model, &def, &sim, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(message, "shape 0 'toe' of link 'foot'"));
  ff_model_destroy(model);
}

static void too_many_points_are_refused(void **state)
{
  (void)state;
  enum { VERTICES = 500001 };
  static double vertices[3 * VERTICES];
  for (int i = 0; i < 3 * VERTICES; ++i)
    vertices[i] = sin(i);
  ff_builder *b = scene_builder();
  ff_error error;
  ff_shape_def shape = ff_shape_def_default();
  shape.type = FF_SHAPE_HULL;
  shape.vertices = vertices;
  shape.vertex_count = VERTICES;
  int rock = scene_link(b, "rock", FF_WORLD, FF_JOINT_FREE);
  assert_int_equal(ff_builder_add_shape(b, rock, &shape, &error), FF_OK);
  ff_model *model = scene_finish(b);
  const ff_ground_def grounds[2] = {ff_ground_def_default(), ff_ground_def_default()};
  ff_sim_def def = scene_def(grounds, 2, 0);
  scene_refused(model, &def, FF_ERROR_LIMIT);
  def.ground_count = 1;
  ffi_colliders scene = scene_create(model, &def);
  assert_int_equal(scene.id_count, VERTICES);
  ffi_colliders_free(&scene);
  ff_model_destroy(model);
}

// ---- Random scenes against the rule, by links and joints ---------------------------------------------------

// The moving joint that a shape hangs on, -1: the world; and the first one of its tree.
static int joint_of(const ff_model *model, int shape)
{
  ff_shape_info s;
  ff_link_info l;
  ff_model_shape(model, shape, &s);
  if (s.link < 0)
    return -1;
  ff_model_link(model, s.link, &l);
  return l.joint;
}

static int parent_joint(const ff_model *model, int joint)
{
  ff_joint_info j;
  ff_model_joint(model, joint, &j);
  return j.parent;
}

static int tree_of(const ff_model *model, int joint)
{
  while (joint >= 0 && parent_joint(model, joint) >= 0)
    joint = parent_joint(model, joint);
  return joint;
}

// Is shape s on a link that is fixed in the world and carries, through any number of joints, the link of shape t?
static int is_base(const ff_model *model, int s, int t)
{
  ff_shape_info fixed, moving;
  ff_link_info link;
  ff_model_shape(model, s, &fixed);
  ff_model_shape(model, t, &moving);
  if (fixed.link < 0 || joint_of(model, s) >= 0)
    return 0;
  int at = moving.link;
  while (at >= 0 && at != fixed.link) {
    ff_model_link(model, at, &link);
    at = link.parent;
  }
  return at >= 0;
}

static int allowed(const ff_model *model, int self_collision, int s, int t)
{
  const int a = joint_of(model, s), b = joint_of(model, t);
  if (a == b)
    return 0;
  if (is_base(model, s, t))
    return self_collision && parent_joint(model, b) >= 0;
  if (is_base(model, t, s))
    return self_collision && parent_joint(model, a) >= 0;
  if (a < 0 || b < 0 || tree_of(model, a) != tree_of(model, b))
    return 1;
  return self_collision && parent_joint(model, a) != b && parent_joint(model, b) != a;
}

static ffi_solid solid_of(const ff_model *model, int shape, ffi_height_field *field, int *is_collision)
{
  ff_shape_info info;
  ffi_solid solid;
  ff_model_shape(model, shape, &info);
  ffi_solid_set(&info.def, field, &solid);
  *is_collision = (info.def.purpose & FF_SHAPE_COLLISION) != 0;
  return solid;
}

static int times_listed(const ffi_colliders *scene, int a, int b, int ground)
{
  int times = 0;
  for (int i = 0; i < scene->pair_count; ++i)
    times += scene->pairs[i].shape_a == a && scene->pairs[i].shape_b == b && scene->pairs[i].ground == ground;
  return times;
}

// One shape against one other; which of the two orders it is.
static int check_two_shapes(const scene_case *c, const ffi_colliders *scene, int s, int t)
{
  ffi_height_field fs, ft;
  int sc, tc;
  const ffi_solid a = solid_of(c->model, s, &fs, &sc), b = solid_of(c->model, t, &ft, &tc);
  const int forth = times_listed(scene, s, t, -1), back = times_listed(scene, t, s, -1);
  const int can_forth = ffi_collide_most(&a, &b) > 0, can_back = ffi_collide_most(&b, &a) > 0;
  if (!sc || !tc || !allowed(c->model, c->def.self_collision, s, t) || (!can_forth && !can_back)) {
    assert_int_equal(forth + back, 0);
    return 0;
  }
  assert_int_equal(forth + back, 1);
  const int s_moves = joint_of(c->model, s) >= 0, t_moves = joint_of(c->model, t) >= 0;
  const int prefers_forth = s_moves == t_moves ? s < t : s_moves;
  assert_int_equal(forth, can_forth && (prefers_forth || !can_back));
  return 1;
}

static int check_ground(const scene_case *c, const ffi_colliders *scene, int s, int ground)
{
  ffi_height_field fs, fg;
  int is_collision;
  ffi_solid b;
  const ffi_solid a = solid_of(c->model, s, &fs, &is_collision);
  ffi_solid_set(&scene->grounds[ground].def.shape, &fg, &b);
  int want = is_collision && joint_of(c->model, s) >= 0 && ffi_collide_most(&a, &b) > 0;
  assert_int_equal(times_listed(scene, s, -1, ground), want);
  return want;
}

static void check_order(const scene_case *c, const ffi_colliders *scene)
{
  int next = 0;
  ff_error error;
  ff_material *made = calloc((size_t)scene->pair_count + 1, sizeof *made);
  assert_non_null(made);
  assert_int_equal(scene_materials(scene, made, &error), FF_OK);
  for (int i = 0; i < scene->pair_count; ++i) {
    const ffi_collider_pair *p = &scene->pairs[i];
    assert_int_equal(p->first_id, next);
    assert_int_equal(p->most, ffi_collide_most(&p->a->solid, &p->b->solid));
    next += p->most;
    assert_int_equal(p->body_a, joint_of(c->model, p->shape_a) + 1);
    assert_int_equal(p->body_b, p->ground >= 0 ? 0 : joint_of(c->model, p->shape_b) + 1);
    assert_true(made[i].stiffness > 0 && isfinite(made[i].stiffness) && made[i].damping >= 0 &&
                isfinite(made[i].damping));
    if (i == 0)
      continue;
    const ffi_collider_pair *q = p - 1; // shapes before ground
    const int here = p->ground >= 0 ? SCENE_SHAPES + p->ground : p->shape_b;
    const int before = q->ground >= 0 ? SCENE_SHAPES + q->ground : q->shape_b;
    assert_true(q->shape_a < p->shape_a || (q->shape_a == p->shape_a && before < here));
  }
  free(made);
  assert_int_equal(scene->id_count, next);
  assert_true(scene->most_near >= next);
}

static void random_scenes_follow_the_rule(void **state)
{
  (void)state;
  long pairs = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    scene_case c;
    scene_random(seed, &c);
    ffi_colliders scene = scene_create(c.model, &c.def), again = scene_create(c.model, &c.def);
    const int shapes = ff_model_get_size(c.model).shapes;
    int count = 0;
    for (int s = 0; s < shapes; ++s) {
      for (int t = s + 1; t < shapes; ++t)
        count += check_two_shapes(&c, &scene, s, t);
      for (int g = 0; g < scene.ground_count; ++g)
        count += check_ground(&c, &scene, s, g);
    }
    assert_int_equal(scene.pair_count, count);
    check_order(&c, &scene);
    assert_int_equal(again.pair_count, count);
    for (int i = 0; i < count; ++i)
      assert_true(again.pairs[i].first_id == scene.pairs[i].first_id &&
                  again.pairs[i].shape_a == scene.pairs[i].shape_a);
    pairs += count;
    ffi_colliders_free(&scene);
    ffi_colliders_free(&again);
    ff_model_destroy(c.model);
  }
  assert_true(pairs > 4000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robots_and_loose_bodies),
      cmocka_unit_test(self_collision_spares_neighbours),
      cmocka_unit_test(a_plane_comes_last),
      cmocka_unit_test(there_is_a_plane_unless_there_is_scenery),
      cmocka_unit_test(a_model_without_shapes),
      cmocka_unit_test(ground_is_copied),
      cmocka_unit_test(materials_of_pairs),
      cmocka_unit_test(one_block_given_back),
      cmocka_unit_test(bad_ground_is_named),
      cmocka_unit_test(a_pair_that_cannot_be_is_named),
      cmocka_unit_test(too_many_points_are_refused),
      cmocka_unit_test(random_scenes_follow_the_rule),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
