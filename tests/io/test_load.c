// Loading: which reader, from where, and what callers get wrong.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <footfall/load.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char urdf[] = "<robot name='u'><link name='a'><inertial><mass value='1'/>"
                           "<inertia ixx='1' iyy='1' izz='1'/></inertial></link></robot>";
static const char mjcf[] = "<mujoco model='m'><worldbody><body name='a'><freejoint/>"
                           "<geom type='sphere' size='0.1'/></body></worldbody></mujoco>";

static void write_file(const char *path, const char *text)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void the_default_asks_for_nothing(void **state)
{
  (void)state;
  const ff_load_def def = ff_load_def_default();
  assert_int_equal(def.fixed_base, 0);
  assert_int_equal(def.mimic, FF_MIMIC_COUPLE);
  assert_int_equal(def.contact_parameters, FF_CONTACT_PARAMETERS_STATED);
  assert_null(def.mesh_paths);
}

static void the_root_element_decides(void **state)
{
  (void)state;
  static const struct {
    const char *text, *name;
  } rows[] = {{urdf, "u"}, {mjcf, "m"}};
  char path[] = "/tmp/footfall_load_XXXXXX.xml"; // an ending that says nothing
  const int file = mkstemps(path, 4);
  assert_true(file >= 0);
  close(file);
  for (int i = 0; i < 2; ++i) {
    ff_error error = {0};
    ff_model *model = NULL;
    write_file(path, rows[i].text);
    if (ff_model_load(path, NULL, &model, &error) != FF_OK)
      fail_msg("%s", error.message);
    assert_string_equal(ff_model_name(model), rows[i].name);
    ff_model_destroy(model);
    model = NULL;
    assert_int_equal(ff_model_load_memory(rows[i].text, strlen(rows[i].text), NULL, NULL, &model, &error),
                     FF_OK);
    assert_string_equal(ff_model_name(model), rows[i].name);
    ff_model_destroy(model);
    assert_int_equal(error.message[0], 0);
  }
  unlink(path);
}

static void files_that_cannot_be_read_are_said(void **state)
{
  (void)state;
  static const struct {
    const char *path;
    ff_status status;
    const char *fragment;
  } rows[] = {{"/nowhere/robot.urdf", FF_ERROR_FILE,
               "/nowhere/robot.urdf: cannot be opened: No such file or directory"},
              {"", FF_ERROR_FILE, "cannot be opened"},
              {"/tmp", FF_ERROR_FILE, "/tmp: cannot be read: Is a directory"},
              {"/dev/null", FF_ERROR_PARSE, "the file is empty"},
              {"/dev/zero", FF_ERROR_LIMIT, "larger than 64 MiB"},
              {"/dev/null/x", FF_ERROR_FILE, "Not a directory"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    ff_error error = {0};
    ff_model *model = (ff_model *)(uintptr_t)1;
    assert_int_equal(ff_model_load(rows[i].path, NULL, &model, &error), rows[i].status);
    assert_null(model);
    assert_int_equal(error.status, rows[i].status);
    assert_int_equal(error.line, 0);
    assert_string_equal(error.file, rows[i].path);
    if (!strstr(error.message, rows[i].fragment))
      fail_msg("expected '%s', got '%s'", rows[i].fragment, error.message);
  }
}

static void *write_pipe(void *path)
{
  FILE *pipe = fopen(path, "wb");
  if (pipe) {
    for (const char *c = urdf; *c; ++c) {
      fputc(*c, pipe);
      fflush(pipe);
    }
    fclose(pipe);
  }
  return NULL;
}

static void pipes_are_files_too(void **state)
{
  (void)state;
  char path[64];
  pthread_t writer;
  ff_model *model = NULL;
  ff_error error = {0};
  snprintf(path, sizeof path, "/tmp/footfall_pipe_%ld", (long)getpid());
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_int_equal(pthread_create(&writer, NULL, write_pipe, path), 0);
  if (ff_model_load(path, NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  pthread_join(writer, NULL);
  unlink(path);
  ff_model_destroy(model);
}

static void memory_needs_no_final_zero(void **state)
{
  (void)state;
  const size_t length = strlen(urdf);
  char *copy = malloc(length);
  ff_model *model = NULL;
  assert_non_null(copy);
  memcpy(copy, urdf, length);
  assert_int_equal(ff_model_load_memory(copy, length, "copy", NULL, &model, NULL), FF_OK);
  free(copy);
  ff_model_destroy(model);
}

static void names_stand_for_files_in_messages(void **state)
{
  (void)state;
  static const char bad[] = "<robot name='u'>\n<link/></robot>";
  ff_model *model = NULL;
  ff_error error = {0};
  assert_int_equal(ff_model_load_memory(bad, strlen(bad), "here.urdf", NULL, &model, &error), FF_ERROR_PARSE);
  assert_string_equal(error.message, "here.urdf:2: <link>: has no attribute 'name'");
  assert_string_equal(error.file, "here.urdf");
  assert_int_equal(error.line, 2);
  assert_int_equal(ff_model_load_memory(bad, strlen(bad), NULL, NULL, &model, &error), FF_ERROR_PARSE);
  assert_string_equal(error.message, "memory:2: <link>: has no attribute 'name'");
}

static void wrong_arguments_are_refused(void **state)
{
  (void)state;
  ff_model *model = (ff_model *)(uintptr_t)1;
  ff_error error = {0};
  assert_int_equal(ff_model_load(NULL, NULL, &model, &error), FF_ERROR_ARGUMENT);
  assert_null(model);
  assert_int_equal(error.status, FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_load("x", NULL, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_load_memory(NULL, 0, NULL, NULL, &model, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_load_memory(urdf, strlen(urdf), NULL, NULL, NULL, NULL), FF_ERROR_ARGUMENT);
  ff_load_def def = ff_load_def_default();
  def.mimic = (ff_mimic_policy)7;
  assert_int_equal(ff_model_load_memory(urdf, strlen(urdf), NULL, &def, &model, &error), FF_ERROR_ARGUMENT);
  def = ff_load_def_default();
  def.massless = (ff_massless_policy)3;
  assert_int_equal(ff_model_load_memory(urdf, strlen(urdf), NULL, &def, &model, &error), FF_ERROR_ARGUMENT);
  def = ff_load_def_default();
  def.contact_parameters = (ff_contact_parameters)3;
  assert_int_equal(ff_model_load_memory(urdf, strlen(urdf), NULL, &def, &model, &error), FF_ERROR_ARGUMENT);
  assert_null(model);
}

// The same text in four threads at once; each has its own model.
static void *load_often(void *unused)
{
  (void)unused;
  intptr_t wrong = 0;
  for (int i = 0; i < 50; ++i) {
    ff_model *model = NULL;
    const char *text = i % 2 ? urdf : mjcf;
    wrong += ff_model_load_memory(text, strlen(text), NULL, NULL, &model, NULL) != FF_OK;
    wrong += model && ff_model_get_size(model).nv != 6;
    ff_model_destroy(model);
  }
  return (void *)wrong;
}

static void threads_can_load_at_once(void **state)
{
  (void)state;
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, load_often, NULL), 0);
  for (int i = 0; i < 4; ++i) {
    void *wrong;
    pthread_join(threads[i], &wrong);
    assert_null(wrong);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_can_load_at_once),
      cmocka_unit_test(the_default_asks_for_nothing),
      cmocka_unit_test(the_root_element_decides),
      cmocka_unit_test(files_that_cannot_be_read_are_said),
      cmocka_unit_test(pipes_are_files_too),
      cmocka_unit_test(memory_needs_no_final_zero),
      cmocka_unit_test(names_stand_for_files_in_messages),
      cmocka_unit_test(wrong_arguments_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
