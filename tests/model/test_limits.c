// Large models, the stated limits, and memory that runs out.
#include "model/forest.h"
#include "model/model.h"

#include "support/alloc_counter.h"

#include <time.h>

static void add_numbered(ff_builder *b, int i, int parent, ff_joint_type type)
{
  char name[24];
  snprintf(name, sizeof name, "l%d", i);
  const ff_link_def def = solid_link(name, parent, NULL, type);
  add_link(b, &def);
}

// Of the processor, so that what else runs on the machine does not count.
static double cpu_seconds(void)
{
  return (double)clock() / CLOCKS_PER_SEC;
}

// Sanitizers, valgrind and emulated processors slow everything by an order of magnitude: the time is then said, not
// judged.
static void check_time(double seconds, double allowed)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  allowed *= 20;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  allowed *= 20;
#endif
#endif
  if (FFI_TEST_EMULATED || getenv("VALGRIND_LAUNCHER") || getenv("LD_PRELOAD"))
    allowed *= 100;
  print_message("             %.2f s\n", seconds);
  assert_true(seconds < allowed);
}

static void a_wide_forest_is_quick(void **state)
{
  (void)state;
  const double start = cpu_seconds();
  ff_builder *b = new_builder();
  for (int i = 0; i < FF_MAX_LINKS; ++i)
    add_numbered(b, i, i % 10 ? i - i % 10 : FF_WORLD, i % 10 == 0 ? FF_JOINT_FREE : FF_JOINT_REVOLUTE);
  const ff_link_def more = solid_link("more", FF_WORLD, NULL, FF_JOINT_FREE);
  ff_error e = {0};
  assert_int_equal(ff_builder_add_link(b, &more, NULL, &e), FF_ERROR_LIMIT);
  assert_non_null(strstr(e.message, "more than 100000 links"));
  ff_model *model = finish(b);
  for (int i = 0; i < FF_MAX_LINKS; ++i) {
    char name[24];
    snprintf(name, sizeof name, "l%d", i);
    const int link = ff_model_find_link(model, name);
    assert_string_equal(model->links[link].name, name);
  }
  check_time(cpu_seconds() - start, 2);
  assert_int_equal(ff_model_get_size(model).roots, FF_MAX_LINKS / 10);
  ff_model_destroy(model);
}

static void chains_of_the_greatest_depth(void **state)
{
  (void)state;
  const double start = cpu_seconds();
  ff_builder *b = new_builder();
  for (int i = 0; i < FF_MAX_LINKS; ++i)
    add_numbered(b, i, i % FF_MAX_DEPTH ? i - 1 : FF_WORLD, FF_JOINT_REVOLUTE);
  ff_model *model = finish(b);
  check_time(cpu_seconds() - start, 2);
  assert_int_equal(model->max_level, FF_MAX_DEPTH);
  assert_int_equal(model->dof_row[FF_MAX_LINKS], 10 * (FF_MAX_DEPTH * (FF_MAX_DEPTH + 1) / 2));
  ff_model_destroy(model);
}

static void deeper_is_refused(void **state)
{
  (void)state;
  ff_builder *b = new_builder();
  ff_error e = {0};
  for (int i = 0; i < FF_MAX_DEPTH; ++i)
    add_numbered(b, i, i - 1, i % 2 ? FF_JOINT_FIXED : FF_JOINT_REVOLUTE);
  const ff_link_def deeper = solid_link("deeper", FF_MAX_DEPTH - 1, NULL, FF_JOINT_FIXED);
  assert_int_equal(ff_builder_add_link(b, &deeper, NULL, &e), FF_ERROR_LIMIT);
  assert_non_null(strstr(e.message, "link 'deeper'"));
  ff_model *model = finish(b);
  assert_int_equal(model->max_level, FF_MAX_DEPTH / 2);
  ff_model_destroy(model);
}

static void a_mass_matrix_beyond_counting_is_refused(void **state)
{
  (void)state;
  ff_builder *b = new_builder();
  ff_model *model = NULL;
  ff_error e = {0};
  for (int i = 0; i < FF_MAX_LINKS; ++i) // ten chains of 30000 velocities: 4.5e9 entries
    add_numbered(b, i, i % FF_MAX_DEPTH ? i - 1 : FF_WORLD, FF_JOINT_SPHERICAL);
  assert_int_equal(ff_builder_finish(b, &model, &e), FF_ERROR_LIMIT);
  assert_non_null(strstr(e.message, "mass matrix"));
  assert_null(model);
  ff_builder_destroy(b);
}

static void rotations_stay_rotations_down_a_long_chain(void **state)
{
  enum { N = 5000 };
  (void)state;
  rng r = {1};
  ff_builder *b = new_builder();
  for (int i = 0; i < N; ++i) { // fixed: all land in one body, 5000 rotations multiplied
    char name[24];
    snprintf(name, sizeof name, "l%d", i);
    ff_link_def def = solid_link(name, i - 1, NULL, i ? FF_JOINT_FIXED : FF_JOINT_FREE);
    random_unit(&r, 4, def.joint.pose.quaternion);
    add_link(b, &def);
  }
  ff_model *model = finish(b);
  const double *R = model->frames[ff_model_find_frame(model, "l4999")].R;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      assert_near(R[i] * R[j] + R[3 + i] * R[3 + j] + R[6 + i] * R[6 + j], i == j, 8 * EPS);
  ff_model_destroy(model);
}

// ---- Memory that runs out ---------------------------------------------------------------------------------

// A builder with one of everything, and its model. The status of the first call that fails; nothing must
// leak.
static ff_status build_everything(int count)
{
  ff_builder *b = NULL;
  ff_model *model = NULL;
  ff_error e = {0};
  ff_status status = ff_builder_create("m", &b, &e);
  for (int i = 0; status == FF_OK && i < count; ++i) {
    char name[24], frame[24], posture[24];
    snprintf(name, sizeof name, "link%d", i);
    snprintf(frame, sizeof frame, "frame%d", i);
    snprintf(posture, sizeof posture, "posture%d", i);
    const double q[1] = {1}, vertices[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    ff_link_def def = solid_link(name, i - 1, NULL, FF_JOINT_REVOLUTE);
    def.inertia.matrix[5] = 1; // suspicious: makes a warning
    const ff_pose one = ff_pose_identity();
    ff_shape_def hull = ff_shape_def_default(), mesh = ff_shape_def_default();
    hull.type = FF_SHAPE_HULL;
    hull.name = "hull";
    hull.vertices = vertices;
    hull.vertex_count = 4;
    mesh.type = FF_SHAPE_MESH;
    mesh.mesh_file = "mesh.stl";
    ff_actuator_def motor = ff_actuator_def_default();
    motor.name = "motor";
    motor.link = i;
    ff_builder_set_source(b, i % 2 ? "a.xml" : "b.xml", i);
    status = ff_builder_add_link(b, &def, NULL, &e);
    if (status == FF_OK)
      status = ff_builder_add_frame(b, i, frame, &one, &e);
    if (status == FF_OK)
      status = ff_builder_add_shape(b, i, &hull, &e);
    if (status == FF_OK)
      status = ff_builder_add_shape(b, i, &mesh, &e);
    if (status == FF_OK)
      status = ff_builder_add_actuator(b, &motor, &e);
    if (status == FF_OK)
      status = ff_builder_set_posture(b, posture, i, q, 1, &e);
    if (status == FF_OK)
      status = ff_builder_add_warning(b, "careful", &e);
  }
  if (status == FF_OK)
    status = ff_builder_finish(b, &model, &e);
  if (status == FF_ERROR_MEMORY)
    assert_non_null(strstr(e.message, "memory"));
  ff_builder_destroy(b);
  ff_model_destroy(model);
  return status;
}

// Links that come after the postures count too.
static void coordinates_of_postures_are_limited(void **state)
{
  (void)state;
  ff_builder *b = new_builder();
  ff_model *model = NULL;
  ff_error e = {0};
  const double q[1] = {0};
  char name[16];
  for (int i = 0; i < 1000; ++i) {
    snprintf(name, sizeof name, "l%d", i);
    const ff_link_def def = solid_link(name, FF_WORLD, NULL, FF_JOINT_REVOLUTE);
    add_link(b, &def);
  }
  for (int i = 0; i < FF_MAX_POSTURE_COORDINATES / 1000; ++i) {
    snprintf(name, sizeof name, "p%d", i);
    assert_int_equal(ff_builder_set_posture(b, name, 0, q, 1, NULL), FF_OK);
  }
  assert_int_equal(ff_builder_set_posture(b, "more", 0, q, 1, &e), FF_ERROR_LIMIT);
  assert_non_null(strstr(e.message, "1001 of 1000 each"));
  assert_int_equal(ff_builder_set_posture(b, "p7", 1, q, 1, NULL), FF_OK); // one that is there already
  assert_int_equal(ff_builder_finish(b, &model, NULL), FF_OK);
  ff_model_destroy(model);
  const ff_link_def last = solid_link("last", FF_WORLD, NULL, FF_JOINT_REVOLUTE);
  add_link(b, &last);
  assert_int_equal(ff_builder_finish(b, &model, &e), FF_ERROR_LIMIT);
  assert_non_null(strstr(e.message, "1000 of 1001 each"));
  ff_builder_destroy(b);
}

static void every_failing_allocation_is_reported(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  long reported = 0;
  for (long n = 1;; ++n) {
    ffi_test_alloc_fail_at(n);
    const ff_status status = build_everything(60);
    if (!ffi_test_alloc_failed()) {
      assert_int_equal(status, FF_OK);
      print_message("             %ld allocations failed in turn\n", n - 1);
      break;
    }
    // Only the name of a source may be lost without a word: ff_builder_set_source() cannot fail.
    if (status != FF_ERROR_MEMORY)
      assert_int_equal(status, FF_OK);
    reported += status == FF_ERROR_MEMORY;
  }
  assert_true(reported > 30);
}

static void a_failed_call_can_be_repeated(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  ff_builder *b = new_builder();
  int failures = 0;
  assert_int_equal(ff_builder_add_warning(b, "an odd one", NULL), FF_OK);
  for (int i = 0; i < 300; ++i) {
    char name[24];
    snprintf(name, sizeof name, "l%d", i);
    ff_link_def def = solid_link(name, i - 1, NULL, FF_JOINT_CONTINUOUS);
    def.inertia.matrix[5] = 1; // two warnings: growing between them fails too, thanks to the odd one
    def.joint.has_limits = 1;
    for (long n = 1;; ++n) {
      int id = -1;
      ffi_test_alloc_fail_at(n);
      ff_status status = ff_builder_add_link(b, &def, &id, NULL);
      if (!ffi_test_alloc_failed()) {
        assert_int_equal(status, FF_OK);
        assert_int_equal(id, i);
        break;
      }
      assert_int_equal(status, FF_ERROR_MEMORY);
      ++failures;
    }
  }
  assert_true(failures > 10);
  ff_model *model = finish(b);
  assert_int_equal(ff_model_get_size(model).links, 300);
  assert_int_equal(ff_model_get_size(model).warnings, 601);
  ff_model_destroy(model);
}

static void a_model_is_one_block(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  rng r = {2};
  forest f;
  random_forest(&r, 40, &f);
  ff_model *model = build_forest(&f);
  const long freed = ffi_test_free_count();
  ff_model_destroy(model);
  assert_int_equal(ffi_test_free_count(), freed + 1);
}

// The same description gives the same bits, wherever its memory lies.
static void compiling_twice_gives_the_same_bits(void **state)
{
  (void)state;
  rng r = {3};
  for (int t = 0; t < 20; ++t) {
    forest f;
    random_forest(&r, 50, &f);
    ff_model *a = build_forest(&f), *b = build_forest(&f);
    assert_memory_equal(a->bodies, b->bodies, (size_t)a->body_count * sizeof *a->bodies);
    assert_memory_equal(a->dof_row, b->dof_row, (size_t)(a->size.nv + 1) * sizeof *a->dof_row);
    for (int i = 0; i < a->size.frames; ++i) {
      assert_memory_equal(a->frames[i].R, b->frames[i].R, sizeof a->frames[i].R);
      assert_memory_equal(a->frames[i].p, b->frames[i].p, sizeof a->frames[i].p);
    }
    ff_model_destroy(a);
    ff_model_destroy(b);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wide_forest_is_quick),
      cmocka_unit_test(chains_of_the_greatest_depth),
      cmocka_unit_test(deeper_is_refused),
      cmocka_unit_test(a_mass_matrix_beyond_counting_is_refused),
      cmocka_unit_test(rotations_stay_rotations_down_a_long_chain),
      cmocka_unit_test(coordinates_of_postures_are_limited),
      cmocka_unit_test(every_failing_allocation_is_reported),
      cmocka_unit_test(a_failed_call_can_be_repeated),
      cmocka_unit_test(a_model_is_one_block),
      cmocka_unit_test(compiling_twice_gives_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
