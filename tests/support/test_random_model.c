// The random forests contain what the tests that use them rely on.

#include "model/model.h"
#include "support/random_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { FORESTS = 200 }; // as many as are compared with MuJoCo

static void every_kind_of_joint_comes_up(void **state)
{
  int kinds[FFI_KIND_FREE + 1] = {0}, inner[FFI_KIND_FREE + 1] = {0}, loaded[FFI_KIND_FREE + 1] = {0};
  (void)state;
  for (int i = 0; i < FORESTS; ++i) {
    ffi_forest forest;
    ffi_forest_number(i, 0, &forest);
    for (int b = 1; b < forest.model->body_count; ++b) {
      const ffi_body *body = &forest.model->bodies[b];
      kinds[body->kind]++;
      inner[body->kind] += body->subtree_end > b + 1 && (body->parent > 0 || body->kind == FFI_KIND_FREE);
      loaded[body->kind] += forest.model->dof_armature[body->v] > 0 && forest.model->dof_damping[body->v] > 0;
    }
    ffi_forest_free(&forest);
  }
  for (int k = FFI_KIND_REVOLUTE_X; k <= FFI_KIND_FREE; ++k) {
    print_message("  kind %2d: %d, %d inside, %d loaded\n", k, kinds[k], inner[k], loaded[k]);
    assert_true(kinds[k] >= 10);
    assert_true(inner[k] >= 3);  // between a parent and children
    assert_true(loaded[k] >= 1); // with armature and damping
  }
}

static void forests_differ_in_size_and_features(void **state)
{
  int largest = 0, smallest = FFI_FOREST_LINKS, many_roots = 0, anchored = 0, massless = 0,
      frames_on_world = 0;
  (void)state;
  for (int i = 0; i < FORESTS; ++i) {
    ffi_forest forest;
    ffi_forest_number(i, 1, &forest);
    const ff_model *m = forest.model;
    largest = m->size.links > largest ? m->size.links : largest;
    smallest = m->size.links < smallest ? m->size.links : smallest;
    many_roots += m->size.roots > 2;
    for (int k = 0; k < m->size.links; ++k)
      anchored += m->links[k].joint < 0;
    for (int b = 1; b < m->body_count; ++b)
      massless += m->bodies[b].mass == 0;
    for (int f = 0; f < forest.frame_count; ++f)
      frames_on_world += forest.frame_links[f] == FF_WORLD;
    ffi_forest_free(&forest);
  }
  assert_int_equal(smallest, 1);
  assert_int_equal(largest, FFI_FOREST_LINKS);
  assert_true(many_roots > 10);
  assert_true(anchored > 10);
  assert_true(massless > 20);
  assert_true(frames_on_world > 3);
}

static void a_seed_gives_the_same_forest_again(void **state)
{
  ffi_forest one, other;
  (void)state;
  ffi_forest_number(13, 1, &one);
  ffi_forest_number(13, 1, &other);
  assert_int_equal(one.model->body_count, other.model->body_count);
  assert_memory_equal(one.model->bodies, other.model->bodies,
                      (size_t)one.model->body_count * sizeof(ffi_body));
  ffi_forest_free(&one);
  ffi_forest_free(&other);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_of_joint_comes_up),
      cmocka_unit_test(forests_differ_in_size_and_features),
      cmocka_unit_test(a_seed_gives_the_same_forest_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
