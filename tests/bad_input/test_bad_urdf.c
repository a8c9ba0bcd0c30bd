// Malformed URDF: every file of tests/bad_input/urdf is refused as its table says, giants are refused
// quickly, and no truncation or flipped byte of a good file does harm.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <footfall/builder.h>
#include <footfall/load.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FOLDER FFI_TEST_SOURCE_DIR "/tests/bad_input/urdf"

// ---- The table --------------------------------------------------------------------------------------------

typedef struct expectation {
  char file[128];
  ff_status status;
  int line;
  char fragment[256];
} expectation;

static ff_status status_named(const char *name)
{
  static const struct {
    const char *name;
    ff_status status;
  } names[] = {{"file", FF_ERROR_FILE},
               {"parse", FF_ERROR_PARSE},
               {"model", FF_ERROR_MODEL},
               {"unsupported", FF_ERROR_UNSUPPORTED},
               {"limit", FF_ERROR_LIMIT}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    if (strcmp(names[i].name, name) == 0)
      return names[i].status;
  }
  fail_msg("the table has an unknown status '%s'", name);
  return FF_OK;
}

// Next row of the table; returns 0 at its end.
static int next_row(FILE *table, expectation *row)
{
  char line[600];
  while (fgets(line, sizeof line, table)) {
    char status[32];
    int at = 0;
    line[strcspn(line, "\r\n")] = 0;
    if (line[0] == '#' || line[0] == 0)
      continue;
    assert_int_equal(sscanf(line, "%127s %31s %d %n", row->file, status, &row->line, &at), 3);
    row->status = status_named(status);
    snprintf(row->fragment, sizeof row->fragment, "%s", line + at);
    return 1;
  }
  return 0;
}

static FILE *open_table(void)
{
  FILE *table = fopen(FOLDER "/expected.txt", "r");
  assert_non_null(table);
  return table;
}

// Is the failure the one expected? Prints what differs.
static int agrees(const expectation *row, ff_status status, const ff_model *model, const ff_error *error)
{
  const int is_right = status == row->status && error->status == status && error->line == row->line &&
                       !model && strstr(error->message, row->fragment) && !strchr(error->message, '\n');
  if (!is_right)
    print_error("%s: expected status %d, line %d, '%s'\n    got status %d, line %d, model %p, '%s'\n",
                row->file, (int)row->status, row->line, row->fragment, (int)status, error->line,
                (const void *)model, error->message);
  return is_right;
}

static void every_file_is_refused_as_its_table_says(void **state)
{
  (void)state;
  FILE *table = open_table();
  expectation row;
  int count = 0;
  int wrong = 0;
  while (next_row(table, &row)) {
    char path[512];
    char start[600];
    ff_error error = {0};
    ff_model *model = (ff_model *)(uintptr_t)1; // must become NULL
    snprintf(path, sizeof path, FOLDER "/%s", row.file);
    ff_status status = ff_model_load(path, NULL, &model, &error);
    wrong += !agrees(&row, status, model, &error);
    snprintf(start, sizeof start, row.line ? "%s:%d: " : "%s: ", error.file, row.line);
    if (strncmp(error.message, start, strlen(start)) != 0 || !strstr(error.file, row.file)) {
      print_error("%s: the message does not start with file and line: '%s'\n", row.file, error.message);
      ++wrong;
    }
    model = NULL;
    assert_int_equal(ff_model_load(path, NULL, &model, NULL), row.status); // without an ff_error
    assert_null(model);
    ++count;
  }
  fclose(table);
  print_message("%d malformed files\n", count);
  assert_int_equal(wrong, 0);
  assert_true(count >= 90);
}

static int is_in_table(const char *file)
{
  FILE *table = open_table();
  expectation row;
  int is_found = 0;
  while (!is_found && next_row(table, &row))
    is_found = strcmp(row.file, file) == 0;
  fclose(table);
  return is_found;
}

static void no_file_is_left_out_of_the_table(void **state)
{
  (void)state;
  DIR *folder = opendir(FOLDER);
  assert_non_null(folder);
  for (const struct dirent *entry; (entry = readdir(folder));) {
    const char *ending = strrchr(entry->d_name, '.');
    if (ending && strcmp(ending, ".urdf") == 0 && !is_in_table(entry->d_name))
      fail_msg("%s is not in expected.txt", entry->d_name);
  }
  closedir(folder);
}

// ---- Giants -----------------------------------------------------------------------------------------------

typedef struct text {
  char *data;
  size_t length, room;
} text;

static void append(text *t, const char *format, ...)
{
  va_list arguments;
  if (t->room - t->length < 4096) {
    t->room = 2 * t->room + 8192;
    t->data = realloc(t->data, t->room);
    assert_non_null(t->data);
  }
  va_start(arguments, format);
  t->length += (size_t)vsnprintf(t->data + t->length, 4096, format, arguments);
  va_end(arguments);
}

static void append_times(text *t, int count, const char *piece)
{
  const size_t length = strlen(piece);
  t->room = t->length + (size_t)count * length + 8192;
  t->data = realloc(t->data, t->room);
  assert_non_null(t->data);
  for (int i = 0; i < count; ++i, t->length += length)
    memcpy(t->data + t->length, piece, length);
}

// Refused with this status, in a time that no attacker enjoys: 120 s is far above what it takes (about 1 s),
// to hold under valgrind and sanitizers; quadratic work on these sizes would take hours.
static void refuse(text *t, ff_status expected, const char *fragment)
{
  ff_error error = {0};
  ff_model *model = NULL;
  struct timespec begin, end;
  timespec_get(&begin, TIME_UTC);
  ff_status status = ff_model_load_memory(t->data, t->length, "giant", NULL, &model, &error);
  timespec_get(&end, TIME_UTC);
  free(t->data);
  if (status != expected || !strstr(error.message, fragment))
    fail_msg("expected %d with '%s', got %d: %s", (int)expected, fragment, (int)status, error.message);
  assert_null(model);
  assert_true(end.tv_sec - begin.tv_sec < 120);
}

static void twenty_megabytes_of_nesting_are_refused(void **state)
{
  (void)state;
  text open = {0};
  append(&open, "<robot name='bomb'>");
  append_times(&open, 3 << 20, "<link>\n");
  refuse(&open, FF_ERROR_LIMIT, "nested more than 250 deep");
}

static void a_nesting_bomb_with_its_end_is_refused(void **state)
{
  (void)state;
  text whole = {0};
  append(&whole, "<robot name='bomb'>");
  append_times(&whole, 100000, "<a>");
  append_times(&whole, 100000, "</a>");
  append(&whole, "</robot>");
  refuse(&whole, FF_ERROR_LIMIT, "nested more than 250 deep");
}

static void a_million_attributes_are_refused(void **state)
{
  (void)state;
  text wide = {0};
  append(&wide, "<robot name='bomb'");
  for (int i = 0; i < 1000000; ++i)
    append(&wide, " a%d='>'", i);
  append(&wide, "/>");
  refuse(&wide, FF_ERROR_LIMIT, "more than 256 attributes");
}

static void a_giant_attribute_is_refused(void **state)
{
  (void)state;
  text name = {0};
  append(&name, "<robot name='bomb'>\n<link name='");
  append_times(&name, 1 << 20, "0123456789");
  append(&name, "'/></robot>");
  refuse(&name, FF_ERROR_LIMIT, "longer than 8 MiB");
}

static void millions_of_numbers_are_refused(void **state)
{
  (void)state;
  text numbers = {0};
  append(&numbers, "<robot name='bomb'><link name='a'><inertial><origin xyz='");
  append_times(&numbers, 3000000, "0 ");
  append(&numbers, "'/><mass value='1'/></inertial></link></robot>");
  refuse(&numbers, FF_ERROR_PARSE, "'xyz' must have 3 numbers");
}

static void millions_of_digits_are_refused(void **state)
{
  (void)state;
  text digits = {0};
  append(&digits, "<robot name='bomb'><link name='a'><inertial><mass value='");
  append_times(&digits, 200000, "9999999999");
  append(&digits, "'/></inertial></link></robot>");
  refuse(&digits, FF_ERROR_PARSE, "is not finite");
}

static void too_many_elements_are_refused(void **state)
{
  (void)state;
  text elements = {0};
  append(&elements, "<robot name='bomb'>");
  append_times(&elements, 4000001, "<a/>");
  append(&elements, "</robot>");
  refuse(&elements, FF_ERROR_LIMIT, "more than 4 million elements");
}

static void too_many_links_are_refused(void **state)
{
  (void)state;
  text links = {0};
  append(&links, "<robot name='bomb'>");
  for (int i = 0; i <= FF_MAX_LINKS; ++i)
    append(&links, "<link name='l%d'/>\n", i);
  append(&links, "</robot>");
  refuse(&links, FF_ERROR_LIMIT, "there are more than 100000 links");
}

static void too_many_joints_are_refused(void **state)
{
  (void)state;
  text joints = {0};
  append(&joints, "<robot name='bomb'><link name='a'/><link name='b'/>");
  for (int i = 0; i <= FF_MAX_LINKS; ++i)
    append(&joints, "<joint name='j%d' type='fixed'/>\n", i);
  append(&joints, "</robot>");
  refuse(&joints, FF_ERROR_LIMIT, "there are more than 100000 joints");
}

// Each would take as much memory as the robot has coordinates.
static void too_many_postures_are_refused(void **state)
{
  (void)state;
  text postures = {0};
  append(&postures,
         "<robot name='bomb'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
         "</inertial></link><footfall>");
  for (int i = 0; i <= 1000; ++i)
    append(&postures, "<posture name='p%d'/>", i);
  append(&postures, "</footfall></robot>");
  refuse(&postures, FF_ERROR_LIMIT, "there are more than 1000 postures");
}

// 99,999 points on a link with a million things in it: time must not be their product.
static void many_points_on_a_full_link_are_quick(void **state)
{
  (void)state;
  text points = {0};
  append(&points, "<robot name='bomb'><link name='a'>");
  append_times(&points, 1000000, "<x/>");
  append(&points, "</link><footfall>");
  append_times(&points, 99999, "<point link='a'/>");
  append(&points, "</footfall></robot>");
  refuse(&points, FF_ERROR_MODEL, "inertia"); // it is massless, found out last
}

static void append_chain(text *t, int count)
{
  append(t, "<robot name='chain'>");
  for (int i = 0; i < count; ++i)
    append(t, "<link name='l%d'/>\n", i);
  for (int i = 1; i < count; ++i)
    append(t, "<joint name='j%d' type='fixed'><parent link='l%d'/><child link='l%d'/></joint>\n", i, i - 1,
           i);
  append(t, "</robot>");
}

static void too_deep_a_chain_is_refused(void **state)
{
  (void)state;
  text chain = {0};
  append_chain(&chain, FF_MAX_DEPTH + 2);
  refuse(&chain, FF_ERROR_LIMIT, "10000");
}

static void a_large_cycle_is_refused(void **state)
{
  (void)state;
  text cycle = {0};
  append_chain(&cycle, 50000);
  cycle.length -= strlen("</robot>");
  append(&cycle,
         "<joint name='close' type='fixed'><parent link='l49999'/><child link='l0'/></joint></robot>");
  refuse(&cycle, FF_ERROR_MODEL, "cycle");
}

static void too_large_a_file_is_refused(void **state)
{
  (void)state;
  text file = {.length = (64u << 20) + 1};
  file.data = malloc(file.length);
  assert_non_null(file.data);
  memset(file.data, ' ', file.length);
  refuse(&file, FF_ERROR_LIMIT, "larger than 64 MiB");
}

// ---- Damage -----------------------------------------------------------------------------------------------

static const char good[] =
    "<?xml version='1.0'?>\n"
    "<robot name='good'>\n"
    "  <material name='red'><color rgba='1 0 0 1'/></material>\n"
    "  <link name='base'>\n"
    "    <inertial><origin xyz='0 0 0.1' rpy='0 0 1'/><mass value='2'/>"
    "<inertia ixx='0.1' ixy='0' iyy='0.2' izz='0.2'/></inertial>\n"
    "    <visual><geometry><mesh filename='package://good/base.stl' scale='1 1 1'/></geometry><material name='red'/>"
    "</visual>\n"
    "    <contact><lateral_friction value='0.9'/><stiffness value='1e4'/></contact>\n"
    "    <collision name='c'><origin xyz='0 0 1'/><geometry><box size='1 2 3'/></geometry></collision>\n"
    "  </link>\n"
    "  <link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>\n"
    "  <joint name='hinge' type='revolute'>\n"
    "    <origin xyz='0 0 1' rpy='0 1 0'/><parent link='base'/><child link='arm'/><axis xyz='0 1 0'/>\n"
    "    <limit lower='-1' upper='1' effort='5' velocity='2'/><dynamics damping='0.1' friction='0.2'/>\n"
    "  </joint>\n"
    "  <footfall><point link='arm' xyz='0 0 -1' name='tip'/><frame link='arm' name='grip' xyz='0 0 1'/>\n"
    "    <posture name='up'><root xyz='0 0 1'/><joint name='hinge' value='0.5'/></posture>\n"
    "    <actuator joint='hinge' type='position' kp='10' kv='1'/></footfall>\n"
    "</robot>\n";

static ff_status load(const char *data, size_t length, ff_error *error)
{
  ff_model *model = NULL;
  const ff_status status = ff_model_load_memory(data, length, "damaged", NULL, &model, error);
  assert_true((status == FF_OK) == (model != NULL));
  ff_model_destroy(model);
  return status;
}

static void the_good_file_is_good(void **state)
{
  (void)state;
  ff_error error = {0};
  if (load(good, sizeof good - 1, &error) != FF_OK)
    fail_msg("%s", error.message);
}

static void every_truncation_is_refused(void **state)
{
  (void)state;
  const size_t whole = sizeof good - 1 - strlen(">\n"); // without the very last '>' it is not a document yet
  for (size_t n = 0; n <= whole; ++n) {
    ff_error error = {0};
    char *copy = malloc(n ? n : 1); // no byte more, so that reading beyond the end is seen
    assert_non_null(copy);
    memcpy(copy, good, n);
    const ff_status status = load(copy, n, &error);
    free(copy);
    if (status != FF_ERROR_PARSE)
      fail_msg("the first %zu bytes: status %d, %s", n, (int)status, error.message);
  }
}

static void no_single_wrong_byte_does_harm(void **state)
{
  (void)state;
  static const char wrong[] = {'\0', '<', '"', '-', '9', 'e', '\xff', ' '};
  char copy[sizeof good];
  for (size_t at = 0; at + 1 < sizeof good; ++at) {
    memcpy(copy, good, sizeof good);
    copy[at] = wrong[at % sizeof wrong];
    ff_error error = {0};
    const ff_status status = load(copy, sizeof good - 1, &error);
    assert_in_range(status, FF_OK, FF_ERROR_NUMERIC);
    assert_true(status == FF_OK || error.message[0]);
  }
}

static void no_missing_piece_does_harm(void **state)
{
  (void)state;
  char copy[sizeof good];
  for (size_t at = 0; at + 20 < sizeof good; at += 3) {
    const size_t cut = 1 + at % 17;
    memcpy(copy, good, at);
    memcpy(copy + at, good + at + cut, sizeof good - at - cut);
    ff_error error = {0};
    load(copy, sizeof good - 1 - cut, &error);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_file_is_refused_as_its_table_says),
      cmocka_unit_test(no_file_is_left_out_of_the_table),
      cmocka_unit_test(twenty_megabytes_of_nesting_are_refused),
      cmocka_unit_test(a_nesting_bomb_with_its_end_is_refused),
      cmocka_unit_test(a_million_attributes_are_refused),
      cmocka_unit_test(a_giant_attribute_is_refused),
      cmocka_unit_test(millions_of_numbers_are_refused),
      cmocka_unit_test(millions_of_digits_are_refused),
      cmocka_unit_test(too_many_elements_are_refused),
      cmocka_unit_test(too_many_links_are_refused),
      cmocka_unit_test(too_many_joints_are_refused),
      cmocka_unit_test(too_many_postures_are_refused),
      cmocka_unit_test(many_points_on_a_full_link_are_quick),
      cmocka_unit_test(too_deep_a_chain_is_refused),
      cmocka_unit_test(a_large_cycle_is_refused),
      cmocka_unit_test(too_large_a_file_is_refused),
      cmocka_unit_test(the_good_file_is_good),
      cmocka_unit_test(every_truncation_is_refused),
      cmocka_unit_test(no_single_wrong_byte_does_harm),
      cmocka_unit_test(no_missing_piece_does_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
