// Models as bytes: what comes back is the same to the bit, and damaged bytes are refused.
#include <footfall/dynamics.h>

#include "model/forest.h"
#include "support/alloc_counter.h"

#include <stdlib.h>
#include <string.h>

static const char *text(const char *given)
{
  return given ? given : "";
}

// A robot with everything that a model can hold.
static ff_model *whole_robot(void)
{
  ff_builder *b = new_builder();
  ff_error error;
  ff_link_def trunk = solid_link("trunk", FF_WORLD, "trunk", FF_JOINT_FREE);
  const int base = add_link(b, &trunk);
  ff_link_def thigh = solid_link("thigh", base, "hip", FF_JOINT_REVOLUTE);
  thigh.joint.stiffness = 3, thigh.joint.damping = 0.5, thigh.gravity_compensation = 0.25;
  const int upper = add_link(b, &thigh);
  ff_link_def shank = solid_link("shank", upper, "knee", FF_JOINT_REVOLUTE);
  const int lower = add_link(b, &shank);
  const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, heights[6] = {0, 1, 2, 3, 4, 5}, q = 0.7;
  const double coefficients[2] = {1, -2};
  ff_shape_def hull = ff_shape_def_default(), field = ff_shape_def_default();
  hull.type = FF_SHAPE_HULL, hull.vertices = corners, hull.vertex_count = 4, hull.mesh_file = "hull.obj";
  field.type = FF_SHAPE_HEIGHTFIELD, field.size[0] = field.size[1] = 2, field.name = "hills";
  field.heights = heights, field.rows = 2, field.columns = 3;
  assert_int_equal(ff_builder_add_shape(b, lower, &hull, &error), FF_OK);
  assert_int_equal(ff_builder_add_shape(b, FF_WORLD, &field, &error), FF_OK);
  const ff_pose pose = ff_pose_identity();
  assert_int_equal(ff_builder_add_frame(b, lower, "toe", &pose, &error), FF_OK);
  ff_actuator_def servo = ff_actuator_def_default();
  servo.name = "servo", servo.link = upper, servo.type = FF_ACTUATOR_POSITION, servo.kp = 9;
  assert_int_equal(ff_builder_add_actuator(b, &servo, &error), FF_OK);
  assert_int_equal(
      ff_builder_add_tendon(b, "cord", 2, (const int[]){upper, lower}, coefficients, NULL, &error), FF_OK);
  ff_element_def spring = ff_element_def_default();
  spring.name = "spring", spring.type = FF_ELEMENT_POINT, spring.stiffness = 10;
  assert_int_equal(ff_builder_add_element(b, &spring, "shank", "trunk", &error), FF_OK);
  assert_int_equal(ff_builder_exclude(b, base, lower, &error), FF_OK);
  assert_int_equal(ff_builder_set_posture(b, "bent", lower, &q, 1, &error), FF_OK);
  assert_int_equal(ff_builder_add_warning(b, "take care", &error), FF_OK);
  return finish(b);
}

static ff_model *there_and_back(const ff_model *model)
{
  ff_error error;
  void *bytes;
  size_t size;
  ff_model *again;
  assert_int_equal(ff_model_pack(model, &bytes, &size, &error), FF_OK);
  assert_int_equal(ff_model_unpack(bytes, size, &again, &error), FF_OK);
  free(bytes);
  return again;
}

static void everything_comes_back(void **state)
{
  (void)state;
  ff_model *model = whole_robot(), *again = there_and_back(model);
  const ff_model_size a = ff_model_get_size(model), b = ff_model_get_size(again);
  ff_joint_info joint[2];
  ff_link_info link[2];
  ff_shape_info shape[2];
  ff_actuator_info actuator;
  ff_element_def element;
  ff_tendon_info tendon;
  assert_memory_equal(&a, &b, sizeof a);
  assert_string_equal(ff_model_name(model), ff_model_name(again));
  for (int i = 0; i < a.joints; ++i) {
    assert_true(ff_model_joint(model, i, &joint[0]) == FF_OK && ff_model_joint(again, i, &joint[1]) == FF_OK);
    assert_string_equal(joint[0].name, joint[1].name);
    assert_ptr_not_equal(joint[0].name, joint[1].name);
    assert_true(joint[0].damping == joint[1].damping && joint[0].stiffness == joint[1].stiffness);
    assert_int_equal(ff_model_find_joint(again, joint[0].name), i);
  }
  for (int i = 0; i < a.links; ++i) {
    assert_true(ff_model_link(model, i, &link[0]) == FF_OK && ff_model_link(again, i, &link[1]) == FF_OK);
    assert_string_equal(link[0].name, link[1].name);
    assert_string_equal(link[0].joint_name, link[1].joint_name);
    assert_memory_equal(&link[0].inertia, &link[1].inertia, sizeof link[0].inertia);
    assert_int_equal(ff_model_find_frame(again, link[0].name), link[0].frame);
  }
  for (int i = 0; i < a.shapes; ++i) {
    assert_true(ff_model_shape(model, i, &shape[0]) == FF_OK && ff_model_shape(again, i, &shape[1]) == FF_OK);
    const ff_shape_def *x = &shape[0].def, *y = &shape[1].def;
    assert_string_equal(text(x->name), text(y->name));
    assert_string_equal(text(x->mesh_file), text(y->mesh_file));
    if (x->vertex_count > 0)
      assert_memory_equal(x->vertices, y->vertices, 3 * (size_t)x->vertex_count * sizeof(double));
    if (x->rows > 0)
      assert_memory_equal(x->heights, y->heights, (size_t)(x->rows * x->columns) * sizeof(double));
  }
  assert_int_equal(ff_model_actuator(again, 0, &actuator), FF_OK);
  assert_string_equal(actuator.name, "servo");
  assert_int_equal(ff_model_element(again, 0, &element), FF_OK);
  assert_string_equal(element.name, "spring");
  assert_int_equal(ff_model_tendon(again, ff_model_find_tendon(again, "cord"), &tendon), FF_OK);
  assert_true(tendon.count == 2 && tendon.coefficients[0] + tendon.coefficients[1] == -1);
  assert_memory_equal(ff_model_posture(model, 0),
                      ff_model_posture(again, ff_model_find_posture(again, "bent")),
                      (size_t)a.nq * sizeof(double));
  assert_string_equal(ff_model_warning(again, 0), ff_model_warning(model, 0));
  ff_model_destroy(model);
  ff_model_destroy(again);
}

// The same forward dynamics to the bit, for random robots.
static void robots_move_alike(void **state)
{
  (void)state;
  rng r = {11};
  for (int k = 0; k < 20; ++k) {
    forest f;
    random_forest(&r, 1 + k, &f);
    ff_model *model = build_forest(&f), *again = there_and_back(model);
    const ff_model_size size = ff_model_get_size(model);
    double q[8 * FOREST_MAX], v[6 * FOREST_MAX] = {0}, tau[6 * FOREST_MAX] = {0};
    double a[2][6 * FOREST_MAX] = {{0}};
    ff_dynamics *dynamics[2];
    random_q(&r, model, q);
    for (int i = 0; i < size.nv; ++i)
      v[i] = random_in(&r, -1, 1);
    for (int i = 0; i < 2; ++i) {
      assert_int_equal(ff_dynamics_create(i ? again : model, NULL, &dynamics[i], NULL), FF_OK);
      ff_dynamics_bias(dynamics[i], q, v, a[i]);
      ff_dynamics_aba(dynamics[i], q, v, tau, a[i]);
      ff_dynamics_destroy(dynamics[i]);
    }
    assert_memory_equal(a[0], a[1], (size_t)size.nv * sizeof(double));
    ff_model_destroy(model);
    ff_model_destroy(again);
  }
}

static void damage_is_refused(void **state)
{
  (void)state;
  ff_model *model = whole_robot(), *again;
  ff_error error;
  void *bytes;
  size_t size;
  assert_int_equal(ff_model_pack(model, &bytes, &size, &error), FF_OK);
  char *copy = malloc(size);
  for (size_t at = 0; at < size;
       at += at < 64 ? 1 : 37) { // every byte of the header that is used, and others
    if (at >= 32 && at < 64)
      continue;
    memcpy(copy, bytes, size);
    copy[at] ^= 4;
    const ff_status status = ff_model_unpack(copy, size, &again, &error);
    assert_true(status == FF_ERROR_PARSE || status == FF_ERROR_UNSUPPORTED);
    assert_null(again);
    assert_non_null(strstr(error.message, "packed model"));
  }
  for (size_t length = 0; length < size; length += 61)
    assert_int_equal(ff_model_unpack(bytes, length, &again, &error), FF_ERROR_PARSE);
  assert_int_equal(ff_model_unpack(NULL, size, &again, &error), FF_ERROR_ARGUMENT);
  free(bytes);
  assert_int_equal(ff_model_pack(NULL, &bytes, &size, &error), FF_ERROR_ARGUMENT);
  assert_null(bytes);
  free(copy);
  ff_model_destroy(model);
}

static void lack_of_memory_is_reported(void **state)
{
  (void)state;
  ff_model *model = whole_robot(), *again;
  ff_error error;
  void *bytes, *none;
  size_t size;
  assert_int_equal(ff_model_pack(model, &bytes, &size, &error), FF_OK);
  ffi_test_alloc_fail_at(1);
  assert_int_equal(ff_model_pack(model, &none, &size, &error), FF_ERROR_MEMORY);
  assert_null(none);
  ffi_test_alloc_fail_at(1);
  assert_int_equal(ff_model_unpack(bytes, size, &again, &error), FF_ERROR_MEMORY);
  ffi_test_alloc_fail_at(0);
  free(bytes);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_comes_back),
      cmocka_unit_test(robots_move_alike),
      cmocka_unit_test(damage_is_refused),
      cmocka_unit_test(lack_of_memory_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
