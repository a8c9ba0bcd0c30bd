// Which colliders may touch, in which order and with which ids; the default ground; all errors.
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
  ff_builder *b = collider_case_builder();
  int base = collider_case_link(b, "base", FF_WORLD, FF_JOINT_FREE);
  int arm = collider_case_link(b, "arm", base, FF_JOINT_REVOLUTE);
  int hand = collider_case_link(b, "hand", arm, FF_JOINT_REVOLUTE);
  int ball = collider_case_link(b, "zball", FF_WORLD, FF_JOINT_FREE);
  collider_case_shape(b, base, &(collider_case_solid){.type = FF_SHAPE_BOX, .size = {0.2, 0.2, 0.2}}); // 0
  collider_case_shape(b, arm, &(collider_case_solid){.type = FF_SHAPE_CAPSULE, .size = {0.1, 0.3}});   // 1
  collider_case_shape(b, hand, &(collider_case_solid){.type = FF_SHAPE_SPHERE, .size = {0.1}});        // 2
  collider_case_shape(b, ball, &(collider_case_solid){.type = FF_SHAPE_SPHERE, .size = {0.25}});       // 3
  collider_case_shape(b, hand, &(collider_case_solid){.type = FF_SHAPE_POINT, .at = {0, 0, -0.1}});    // 4
  return collider_case_finish(b);
}

typedef struct pair_wanted {
  int shape_a, shape_b, ground, first_id, most;
} pair_wanted;

static void assert_pair(const ffi_colliders *colliders, int i, pair_wanted want)
{
  const ffi_collider_pair *p = &colliders->pairs[i];
  if (p->shape_a != want.shape_a || p->shape_b != want.shape_b || p->ground != want.ground ||
      p->first_id != want.first_id || p->most != want.most)
    fail_msg("pair %d is (%d, %d, ground %d, ids %d + %d)", i, p->shape_a, p->shape_b, p->ground, p->first_id,
             p->most);
}

static void robots_and_loose_bodies(void **state)
{
  (void)state;
  ff_model *model = arm_and_ball();
  ff_sim_def def = collider_case_def(NULL, -1, 0);
  ffi_colliders colliders = collider_case_create(model, &def);
  assert_int_equal(colliders.ground_count, 1);
  assert_int_equal(colliders.pair_count, 8);
  assert_pair(&colliders, 0, (pair_wanted){0, 3, -1, 0, 1}); // box, ball
  assert_pair(&colliders, 1, (pair_wanted){0, -1, 0, 1, 8}); // box, ground
  assert_pair(&colliders, 2, (pair_wanted){1, 3, -1, 9, 1});
  assert_pair(&colliders, 3, (pair_wanted){1, -1, 0, 10, 2});
  assert_pair(&colliders, 4, (pair_wanted){2, 3, -1, 12, 1});
  assert_pair(&colliders, 5, (pair_wanted){2, -1, 0, 13, 1});
  assert_pair(&colliders, 6, (pair_wanted){3, -1, 0, 14, 1});
  assert_pair(&colliders, 7, (pair_wanted){4, -1, 0, 15, 1}); // a point and a ball: not supported
  assert_int_equal(colliders.id_count, 16);
  assert_true(colliders.max_candidates >= 16);
  ffi_colliders_free(&colliders);
  ff_model_destroy(model);
}

static void self_collision_spares_neighbours(void **state)
{
  (void)state;
  ff_model *model = arm_and_ball();
  ff_sim_def def = collider_case_def(NULL, 0, 1);
  ffi_colliders colliders = collider_case_create(model, &def);
  assert_int_equal(colliders.ground_count, 0);
  assert_int_equal(colliders.pair_count, 5);
  assert_pair(&colliders, 0, (pair_wanted){0, 2, -1, 0, 1}); // base and hand: two joints apart
  assert_pair(&colliders, 1, (pair_wanted){0, 3, -1, 1, 1});
  assert_pair(&colliders, 2, (pair_wanted){1, 3, -1, 2, 1});
  assert_pair(&colliders, 3, (pair_wanted){2, 3, -1, 3, 1});
  // the hand's point and the base: a point comes first
  assert_pair(&colliders, 4, (pair_wanted){4, 0, -1, 4, 1});
  ffi_colliders_free(&colliders);
  ff_model_destroy(model);
}

// A plane is always last, whatever moves and whatever comes first.
static void a_plane_comes_last(void **state)
{
  (void)state;
  ff_builder *b = collider_case_builder();
  int plate = collider_case_link(b, "plate", FF_WORLD, FF_JOINT_PRISMATIC);
  collider_case_shape(b, plate, &(collider_case_solid){.type = FF_SHAPE_PLANE});
  collider_case_shape(b, FF_WORLD,
                      &(collider_case_solid){.type = FF_SHAPE_SPHERE, .size = {0.1}, .at = {0, 0, 1}});
  int ball = collider_case_link(b, "zball", FF_WORLD, FF_JOINT_FREE);
  collider_case_shape(b, ball, &(collider_case_solid){.type = FF_SHAPE_SPHERE, .size = {0.25}});
  ff_model *model = collider_case_finish(b);
  ff_sim_def def = collider_case_def(NULL, -1, 0);
  ffi_colliders colliders = collider_case_create(model, &def);
  assert_int_equal(colliders.ground_count, 0); // the sphere in the world is scenery
  assert_int_equal(colliders.pair_count, 3);
  assert_pair(&colliders, 0, (pair_wanted){1, 0, -1, 0, 1}); // the world's sphere on the moving plane
  assert_pair(&colliders, 1, (pair_wanted){2, 0, -1, 1, 1}); // the ball on the plane
  // the ball and the world's sphere: what moves is first
  assert_pair(&colliders, 2, (pair_wanted){2, 1, -1, 2, 1});
  assert_int_equal(colliders.pairs[0].body_a, 0);
  assert_int_equal(colliders.pairs[0].body_b, 1);
  assert_int_equal(colliders.pairs[2].body_b, 0);
  ffi_colliders_free(&colliders);
  ff_model_destroy(model);
}

// ---- Default ground ---------------------------------------------------------------------------------------

static int default_grounds(int link_is_fixed, int purpose)
{
  ff_builder *b = collider_case_builder();
  ff_shape_def shape = ff_shape_def_default();
  ff_error error;
  shape.type = FF_SHAPE_BOX;
  shape.size[0] = shape.size[1] = shape.size[2] = 1;
  shape.purpose = purpose;
  int ball = collider_case_link(b, "ball", FF_WORLD, FF_JOINT_FREE);
  collider_case_shape(b, ball, &(collider_case_solid){.type = FF_SHAPE_SPHERE, .size = {0.25}});
  int table = collider_case_link(b, "table", FF_WORLD, link_is_fixed ? FF_JOINT_FIXED : FF_JOINT_FREE);
  int top = collider_case_link(b, "top", table, FF_JOINT_FIXED);
  assert_int_equal(ff_builder_add_shape(b, top, &shape, &error), FF_OK);
  ff_model *model = collider_case_finish(b);
  ff_sim_def def = collider_case_def(NULL, -1, 0);
  ffi_colliders colliders = collider_case_create(model, &def);
  int count = colliders.ground_count;
  if (count == 1) {
    const ffi_pose here = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    assert_int_equal(colliders.grounds[0].def.shape.type, FF_SHAPE_PLANE);
    assert_memory_equal(&colliders.grounds[0].start, &here, sizeof here);
    const int last = colliders.pair_count - 1; // with the ground
    ff_material made[8];
    assert_in_range(last, 0, 7);
    assert_int_equal(collider_case_materials(&colliders, made, &error), FF_OK);
    assert_true(colliders.pairs[last].ground == 0 && made[last].stiffness == 1e5 &&
                made[last].damping == 300 && made[last].friction == 1);
  }
  ffi_colliders_free(&colliders);
  ff_model_destroy(model);
  return count;
}

static void there_is_a_plane_unless_the_model_has_ground(void **state)
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
  ff_builder *b = collider_case_builder();
  collider_case_link(b, "bob", FF_WORLD, FF_JOINT_REVOLUTE);
  ff_model *model = collider_case_finish(b);
  ff_sim_def def = collider_case_def(NULL, -1, 1);
  ffi_colliders colliders = collider_case_create(model, &def);
  assert_int_equal(colliders.pair_count, 0);
  assert_int_equal(colliders.id_count, 0);
  assert_int_equal(colliders.ground_count, 1);
  const ffi_pose poses[2] = {{.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
  ffi_detect_candidate none;
  collider_room room = collider_case_room_create(&colliders);
  assert_int_equal(collider_case_detect(&colliders, &room, poses, 1, &none), 0);
  collider_case_room_free(&room);
  ffi_colliders_free(&colliders);
  ff_model_destroy(model);
}

// ---- Memory -----------------------------------------------------------------------------------------------

static void ground_is_copied(void **state)
{
  (void)state;
  ff_model *model = arm_and_ball();
  double heights[4] = {1, 2, 3, 4};
  char name[] = "meadow";
  ff_ground_def ground = collider_case_ground(
      &(collider_case_solid){.type = FF_SHAPE_HEIGHTFIELD, .size = {10, 10}, .at = {1, 2, 3}});
  ground.shape.heights = heights;
  ground.shape.rows = ground.shape.columns = 2;
  ground.shape.name = name;
  ground.shape.pose.quaternion[3] = 2; // any length
  ground.velocity[4] = 5;
  ff_sim_def def = collider_case_def(&ground, 1, 0);
  ffi_colliders colliders = collider_case_create(model, &def);
  memset(heights, 0, sizeof heights);
  memset(name, 'x', sizeof name - 1);
  ground = (ff_ground_def){0};
  const ffi_ground *got = &colliders.grounds[0];
  assert_string_equal(got->def.shape.name, "meadow");
  assert_true(got->start.p[0] == 1 && got->start.p[1] == 2 && got->start.p[2] == 3 && got->start.R[0] == 1);
  assert_true(got->def.shape.pose.quaternion[3] == 1 && got->def.velocity[4] == 5);
  int fields = 0;
  for (int i = 0; i < colliders.pair_count; ++i)
    if (colliders.pairs[i].ground == 0) {
      const ffi_height_field *field = colliders.pairs[i].b->solid.field;
      ++fields;
      assert_true(field->heights[0] == 1 && field->heights[3] == 4 && field->high == 4 && field->rows == 2);
    }
  assert_int_equal(fields, 5);
  ffi_colliders_free(&colliders);
  ff_model_destroy(model);
}

static void materials_of_pairs(void **state)
{
  (void)state;
  ff_model *model = arm_and_ball();
  ff_ground_def grounds[2] = {
      collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_PLANE}),
      collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_PLANE, .at = {0, 0, -1}})};
  grounds[0].shape.material = (ff_material){.stiffness = 1e5, .damping = 300, .friction = 0.5};
  grounds[1].shape.material = (ff_material){.stiffness = 7, .damping = 0, .friction = 3};
  grounds[1].gives_pair = 1;
  ff_sim_def def = collider_case_def(grounds, 2, 0);
  ffi_colliders colliders = collider_case_create(model, &def);
  ff_material made[32];
  ff_error error;
  assert_in_range(colliders.pair_count, 1, 32);
  assert_int_equal(collider_case_materials(&colliders, made, &error), FF_OK);
  for (int i = 0; i < colliders.pair_count; ++i) {
    const ffi_collider_pair *p = &colliders.pairs[i];
    const double want[3][3] = {{5e4, 150, 1}, {5e4, 150, 0.5}, {7, 0, 3}}; // ball, ground 0, ground 1
    const double got[3] = {made[i].stiffness, made[i].damping, made[i].friction};
    assert_memory_equal(got, want[p->ground + 1], sizeof got);
  }
  ffi_colliders_free(&colliders);
  ff_model_destroy(model);
}

static void one_block_given_back(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  for (uint64_t seed = 0; seed < 20; ++seed) {
    collider_case c;
    collider_case_random(seed, &c);
    ffi_colliders colliders;
    ff_error error;
    for (long n = 1;; ++n) { // every allocation fails once
      const long before = ffi_test_alloc_count() - ffi_test_free_count();
      ffi_test_alloc_fail_at(n);
      ff_status status = ffi_colliders_create(c.model, &c.def, &colliders, &error);
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
    ffi_colliders_free(&colliders);
    assert_null(colliders.memory);
    ffi_colliders_free(&colliders); // twice is fine
    ff_model_destroy(c.model);
  }
}

// ---- Errors -----------------------------------------------------------------------------------------------

static void bad_ground_is_named(void **state)
{
  (void)state;
  const double inf = (double)INFINITY, nan = (double)NAN;
  ff_model *model = arm_and_ball();
  ff_ground_def grounds[3];
  for (int i = 0; i < 3; ++i)
    grounds[i] = collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_PLANE, .size = {1, 1, 1}});
  ff_sim_def def = collider_case_def(grounds, 3, 0);
  ff_ground_def *bad = &grounds[2], good = grounds[2];
#define REFUSED(change, status, text)                                                                        \
  do {                                                                                                       \
    change;                                                                                                  \
    const char *message = collider_case_refused(model, &def, status);                                        \
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
  collider_case_refused(model, &def, FF_ERROR_ARGUMENT);
  def.ground_count = INT32_MAX;
  collider_case_refused(model, &def, FF_ERROR_ARGUMENT);
  def = collider_case_def(NULL, 1, 0);
  collider_case_refused(model, &def, FF_ERROR_ARGUMENT);
  ff_model_destroy(model);
}

// Springs in series so soft that their stiffness underflows: the message names both.
static void a_pair_that_cannot_be_is_named(void **state)
{
  (void)state;
  ff_builder *b = collider_case_builder();
  ff_shape_def shape = ff_shape_def_default();
  ff_error error;
  shape.name = "toe";
  shape.size[0] = 0.1;
  shape.material.stiffness = 5e-324;
  int foot = collider_case_link(b, "foot", FF_WORLD, FF_JOINT_FREE);
  assert_int_equal(ff_builder_add_shape(b, foot, &shape, &error), FF_OK);
  shape.name = NULL;
  assert_int_equal(ff_builder_add_shape(b, FF_WORLD, &shape, &error), FF_OK);
  ff_model *model = collider_case_finish(b);
  ff_sim_def def = collider_case_def(NULL, 0, 0);
  ffi_colliders colliders = collider_case_create(model, &def);
  ff_material made[1];
  const char *message = error.message;
  assert_int_equal(colliders.pair_count, 1);
  assert_int_equal(collider_case_materials(&colliders, made, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(error.status, FF_ERROR_ARGUMENT);
  assert_non_null(strstr(message, "shape 0 'toe' of link 'foot'"));
  assert_non_null(strstr(message, "shape 1 of the world"));
  assert_non_null(strstr(message, "stiffness"));
  ffi_colliders_free(&colliders);
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
  ff_builder *b = collider_case_builder();
  ff_error error;
  ff_shape_def shape = ff_shape_def_default();
  shape.type = FF_SHAPE_HULL;
  shape.vertices = vertices;
  shape.vertex_count = VERTICES;
  int rock = collider_case_link(b, "rock", FF_WORLD, FF_JOINT_FREE);
  assert_int_equal(ff_builder_add_shape(b, rock, &shape, &error), FF_OK);
  ff_model *model = collider_case_finish(b);
  const ff_ground_def grounds[2] = {ff_ground_def_default(), ff_ground_def_default()};
  ff_sim_def def = collider_case_def(grounds, 2, 0);
  collider_case_refused(model, &def, FF_ERROR_LIMIT);
  def.ground_count = 1;
  ffi_colliders colliders = collider_case_create(model, &def);
  assert_int_equal(colliders.id_count, VERTICES);
  ffi_colliders_free(&colliders);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robots_and_loose_bodies),
      cmocka_unit_test(self_collision_spares_neighbours),
      cmocka_unit_test(a_plane_comes_last),
      cmocka_unit_test(there_is_a_plane_unless_the_model_has_ground),
      cmocka_unit_test(a_model_without_shapes),
      cmocka_unit_test(ground_is_copied),
      cmocka_unit_test(materials_of_pairs),
      cmocka_unit_test(one_block_given_back),
      cmocka_unit_test(bad_ground_is_named),
      cmocka_unit_test(a_pair_that_cannot_be_is_named),
      cmocka_unit_test(too_many_points_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
