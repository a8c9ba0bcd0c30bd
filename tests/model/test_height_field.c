// Height fields in a model: what is refused, what is copied, what they do not have.
#include "model/forest.h"

#include "support/alloc_counter.h"

static double HEIGHTS[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

static ff_shape_def field(void)
{
  ff_shape_def def = ff_shape_def_default();
  def.type = FF_SHAPE_HEIGHTFIELD;
  def.name = "hills";
  def.size[0] = 4;
  def.size[1] = 3;
  def.rows = 3;
  def.columns = 4;
  def.heights = HEIGHTS;
  return def;
}

static ff_builder *started(void)
{
  ff_builder *b = new_builder();
  const ff_link_def base = solid_link("base", FF_WORLD, "root", FF_JOINT_FREE);
  add_link(b, &base);
  return b;
}

static void refused(const ff_shape_def *def, ff_status status, const char *words)
{
  ff_builder *b = started();
  ff_error error = {0};
  assert_int_equal(ff_builder_add_shape(b, FF_WORLD, def, &error), status);
  if (!strstr(error.message, words) || !strstr(error.message, "shape 'hills'"))
    fail_msg("the message is '%s'", error.message);
  ff_builder_destroy(b);
}

static void bad_fields_are_refused(void **state)
{
  (void)state;
  ff_shape_def def = field();
  refused((def.size[1] = 0, &def), FF_ERROR_MODEL, "size 1 of a heightfield must be finite and > 0");
  def = field();
  refused((def.rows = 1, &def), FF_ERROR_MODEL, "at least 2 rows and 2 columns (it has 1 and 4)");
  def = field();
  refused((def.columns = -7, &def), FF_ERROR_MODEL, "(it has 3 and -7)");
  def = field();
  refused((def.heights = NULL, &def), FF_ERROR_MODEL, "(it has 0 and 0)");
  def = field();
  refused((def.rows = FF_MAX_FIELD + 1, &def), FF_ERROR_LIMIT, "4097 rows and 4 columns is too large");
  def = field();
  refused((def.columns = 2000000000, &def), FF_ERROR_LIMIT, "the limit is 4096 each");
  for (int i = 0; i < 12; ++i) {
    const double was = HEIGHTS[i];
    HEIGHTS[i] = i % 2 ? (double)NAN : (double)INFINITY;
    def = field();
    refused(&def, FF_ERROR_MODEL, "a height of the height field is not finite");
    HEIGHTS[i] = was;
  }
}

static void heights_are_copied(void **state)
{
  (void)state;
  double heights[12];
  memcpy(heights, HEIGHTS, sizeof heights);
  ff_builder *b = started();
  ff_shape_def def = field(), ball = ff_shape_def_default();
  def.heights = heights;
  def.vertices = heights; // not used by a height field, so not kept
  def.vertex_count = 4;
  ball.size[0] = 1;
  ball.heights = heights; // and not by a ball
  ball.rows = ball.columns = 3;
  assert_int_equal(ff_builder_add_shape(b, FF_WORLD, &def, NULL), FF_OK);
  assert_int_equal(ff_builder_add_shape(b, 0, &ball, NULL), FF_OK);
  memset(heights, 0xff, sizeof heights);
  ff_model *model = finish(b);
  ff_shape_info s;
  ff_model_shape(model, 0, &s);
  assert_true(s.def.type == FF_SHAPE_HEIGHTFIELD && s.def.rows == 3 && s.def.columns == 4);
  assert_true(s.def.size[0] == 4 && s.def.size[1] == 3);
  assert_memory_equal(s.def.heights, HEIGHTS, sizeof HEIGHTS);
  assert_null(s.def.vertices);
  assert_int_equal(s.def.vertex_count, 0);
  ff_model_shape(model, 1, &s);
  assert_null(s.def.heights);
  assert_true(s.def.rows == 0 && s.def.columns == 0);
  ff_model_destroy(model);
}

static ff_status build(void)
{
  ff_builder *b = NULL;
  ff_model *model = NULL;
  const ff_link_def base = solid_link("base", FF_WORLD, "root", FF_JOINT_FREE);
  const ff_shape_def def = field();
  ff_error error = {0};
  ff_status status = ff_builder_create("m", &b, &error);
  if (status == FF_OK)
    status = ff_builder_add_link(b, &base, NULL, &error);
  if (status == FF_OK)
    status = ff_builder_add_shape(b, FF_WORLD, &def, &error);
  if (status == FF_OK)
    status = ff_builder_finish(b, &model, &error);
  ff_builder_destroy(b);
  ff_model_destroy(model);
  return status;
}

static void running_out_of_memory_is_an_error(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  for (int i = 1;; ++i) {
    ffi_test_alloc_fail_at(i);
    const ff_status status = build();
    if (!ffi_test_alloc_failed()) {
      assert_int_equal(status, FF_OK);
      break;
    }
    assert_int_equal(status, FF_ERROR_MEMORY);
  }
}

static void a_field_has_a_name_and_no_inertia(void **state)
{
  (void)state;
  const ff_shape_def def = field();
  ff_inertia out;
  ff_error error = {0};
  assert_string_equal(ff_shape_type_name(FF_SHAPE_HEIGHTFIELD), "heightfield");
  assert_int_equal(ff_inertia_from_shape(&def, 1, &out, &error), FF_ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "no bottom"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_fields_are_refused),
      cmocka_unit_test(heights_are_copied),
      cmocka_unit_test(running_out_of_memory_is_an_error),
      cmocka_unit_test(a_field_has_a_name_and_no_inertia),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
