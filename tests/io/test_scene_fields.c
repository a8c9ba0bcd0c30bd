// The fields of scenes: all are in the guide, and they can be listed.
#include "scene_text.h"

#include "io/scene/scene_schema.h"

static char *read_page(void)
{
  FILE *file = fopen(FFI_TEST_SOURCE_DIR "/docs/guide/scenes.md", "rb");
  char *text = calloc(1, 1 << 20);
  assert_true(file && text && fread(text, 1, (1 << 20) - 1, file) > 1000);
  fclose(file);
  return text;
}

static void look_up(const char *page, const ffi_scene_schema_map *map, int *count)
{
  const char *word;
  for (const ffi_scene_schema_field *field = map->fields; field->key; ++field, ++*count) {
    if (!strstr(page, field->key))
      fail_msg("scenes.md does not mention '%s'", field->key);
    for (int i = 0; field->value.type == FF_VALUE_WORD && (word = field->value.word(i)) != NULL; ++i)
      if (!strstr(page, word))
        fail_msg("scenes.md does not mention the word '%s'", word);
    if (field->map)
      look_up(page, field->map, count);
  }
}

static void every_field_is_in_the_guide(void **state)
{
  (void)state;
  char *page = read_page();
  int count = 0;
  look_up(page, &ffi_scene_schema, &count);
  assert_true(count > 80);
  free(page);
}

// A list has each field once, and the words of fields that take words.
static void fields_can_be_listed(void **state)
{
  (void)state;
  char path[FF_SCENE_FIELD_SIZE], other[FF_SCENE_FIELD_SIZE];
  int count = 0, has_type = 0, has_push = 0;
  for (; ff_scene_field(count, path); ++count) {
    has_type += strcmp(path, "controller.tasks.com.weight") == 0;
    has_push += strncmp(path, "pushes.list", 11) == 0;
    for (int k = 0; k < count && ff_scene_field(k, other); ++k)
      assert_string_not_equal(path, other);
  }
  assert_true(count > 80);
  assert_int_equal(has_type, 1);
  assert_int_equal(has_push, 0); // in a list
  for (int k = 0; k < FF_STEPPER_COUNT; ++k)
    assert_string_equal(ff_scene_field_word("stepper.type", k), ff_stepper_name((ff_stepper)k));
  assert_null(ff_scene_field_word("stepper.type", FF_STEPPER_COUNT));
  assert_string_equal(ff_scene_field_word("load.fixed_base", 1), "false");
  assert_null(ff_scene_field_word("dt", 0));
  assert_null(ff_scene_field_word("nowhere", 0));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_field_is_in_the_guide),
      cmocka_unit_test(fields_can_be_listed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
