// Which shapes can touch does not depend on the coordinates: a cut robot is still one robot.
#include "contact/collider_cases.h"
#include "support/cut_constraints.h"
#include "support/must.h"

#include <footfall/load.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Pairs, their order, ids and material; by shapes, whose numbers a cut keeps. Returns how many.
static int same_pairs(const ff_model *model, const ff_model *pieces, int self_collision)
{
  ff_sim_def def = ff_sim_def_default();
  def.self_collision = self_collision;
  ffi_colliders a = collider_case_create(model, &def), b = collider_case_create(pieces, &def);
  assert_int_equal(a.pair_count, b.pair_count);
  assert_int_equal(a.ground_count, b.ground_count);
  ff_material *made = calloc(2 * (size_t)a.pair_count + 1, sizeof *made), *remade = made + a.pair_count;
  ff_error error;
  assert_non_null(made);
  ffi_must(collider_case_materials(&a, made, &error), &error);
  ffi_must(collider_case_materials(&b, remade, &error), &error);
  for (int i = 0; i < a.pair_count; ++i) {
    const ffi_collider_pair *p = &a.pairs[i], *r = &b.pairs[i];
    if (p->shape_a != r->shape_a || p->shape_b != r->shape_b || p->ground != r->ground ||
        p->first_id != r->first_id || p->most != r->most || made[i].stiffness != remade[i].stiffness ||
        made[i].friction != remade[i].friction)
      fail_msg("pair %d of shapes %d, %d is now of %d, %d", i, p->shape_a, p->shape_b, r->shape_a,
               r->shape_b);
  }
  const int count = a.pair_count;
  free(made);
  ffi_colliders_free(&a);
  ffi_colliders_free(&b);
  return count;
}

static void compare(const ff_model *model)
{
  int seen[2] = {0, 0};
  for (ff_cut_set set = FF_CUT_MINIMAL; set <= FF_CUT_MAXIMAL; ++set) {
    ff_cut *cuts[2] = {ffi_cut_constraints_cut(model, set), ffi_cut_constraints_cut_at_joints(model, set)};
    for (int n = 0; n < 4; ++n)
      seen[n % 2] = same_pairs(model, ff_cut_model(cuts[n / 2]), n % 2);
    ff_cut_destroy(cuts[0]);
    ff_cut_destroy(cuts[1]);
  }
  assert_true(seen[0] > 0 && seen[1] > seen[0]); // so that there was something to lose
}

// A robot on a bench with a hand of two fingers, a loose robot of three links beside it, and a ball; a sphere on
// everything.
static void a_workshop(void **state)
{
  (void)state;
  ff_builder *b = collider_case_builder();
  static const struct {
    const char *name;
    int parent;
    ff_joint_type type;
  } links[] = {
      {"bench", FF_WORLD, FF_JOINT_FIXED}, {"arm", 0, FF_JOINT_REVOLUTE},   {"hand", 1, FF_JOINT_SPHERICAL},
      {"thumb", 2, FF_JOINT_PRISMATIC},    {"palm", 2, FF_JOINT_FIXED},     {"finger", 4, FF_JOINT_REVOLUTE},
      {"trunk", FF_WORLD, FF_JOINT_FREE},  {"thigh", 6, FF_JOINT_REVOLUTE}, {"shank", 7, FF_JOINT_REVOLUTE},
      {"zball", FF_WORLD, FF_JOINT_FREE},
  };
  for (size_t i = 0; i < sizeof links / sizeof links[0]; ++i) {
    const int id = collider_case_link(b, links[i].name, links[i].parent, links[i].type);
    collider_case_shape(b, id, &(collider_case_solid){.type = FF_SHAPE_SPHERE, .size = {0.1}});
  }
  ff_model *model = collider_case_finish(b);
  compare(model);
  ff_model_destroy(model);
}

static void robots(void **state)
{
  static const char *const files[] = {"solo12.urdf", "simple_biped.urdf"};
  (void)state;
  for (int i = 0; i < 2; ++i) {
    char path[512];
    ff_model *model;
    ff_error error;
    snprintf(path, sizeof path, "%s/models/%s", FFI_TEST_SOURCE_DIR, files[i]);
    ffi_must(ff_model_load(path, NULL, &model, &error), &error);
    for (ff_cut_set set = FF_CUT_EXTENDED; set <= FF_CUT_MAXIMAL; ++set) {
      ff_cut *cut = ffi_cut_constraints_cut(model, set);
      for (int self = 0; self < 2; ++self)
        assert_true(same_pairs(model, ff_cut_model(cut), self) > 0);
      ff_cut_destroy(cut);
    }
    ff_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_workshop),
      cmocka_unit_test(robots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
