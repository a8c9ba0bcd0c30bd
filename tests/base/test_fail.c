// Messages: what they contain, how they are cut, and that nothing is written past the end.
#include "base/fail.h"

#include <footfall/version.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void parts_make_a_message(void **state)
{
  (void)state;
  const struct {
    const char *file;
    int line;
    const char *thing, *message;
  } rows[] = {
      {"a.urdf", 12, "joint 'x'", "a.urdf:12: joint 'x': no 7"},
      {"a.urdf", 0, "joint 'x'", "a.urdf: joint 'x': no 7"},
      {"a.urdf", 12, NULL, "a.urdf:12: no 7"},
      {"a.urdf", -3, "", "a.urdf: no 7"},
      {NULL, 12, "joint 'x'", "joint 'x': no 7"},
      {"", 0, NULL, "no 7"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    ff_error e;
    memset(&e, 0x7e, sizeof e);
    assert_int_equal(ffi_fail(&e, FF_ERROR_MODEL, rows[i].file, rows[i].line, rows[i].thing, "no %d", 7),
                     FF_ERROR_MODEL);
    assert_int_equal(e.status, FF_ERROR_MODEL);
    assert_int_equal(e.line, rows[i].line > 0 ? rows[i].line : 0);
    assert_string_equal(e.file, rows[i].file ? rows[i].file : "");
    assert_string_equal(e.thing, rows[i].thing ? rows[i].thing : "");
    assert_string_equal(e.message, rows[i].message);
  }
}

static void no_error_is_fine(void **state)
{
  (void)state;
  assert_int_equal(ffi_fail(NULL, FF_ERROR_FILE, "f", 1, "t", "x %s", "y"), FF_ERROR_FILE);
}

static void long_files_keep_their_tail(void **state)
{
  (void)state;
  char path[1000];
  for (size_t length = 250; length < 999; ++length) {
    ff_error e;
    memset(path, 'a', length);
    memcpy(path + length - 9, "/arm.urdf", 10);
    ffi_fail(&e, FF_ERROR_PARSE, path, 3, "", "bad");
    assert_non_null(memchr(e.file, 0, sizeof e.file));
    assert_string_equal(e.file + strlen(e.file) - 9, "/arm.urdf");
    assert_non_null(strstr(e.message, "/arm.urdf:3: bad"));
    assert_int_equal(strlen(e.file), length < 256 ? length : 255);
    assert_int_equal(strncmp(e.file, "...", 3) == 0, length >= 256);
  }
}

static void long_texts_are_cut_at_characters(void **state)
{
  (void)state;
  char text[4000];
  for (size_t shift = 0; shift < 4; ++shift) {
    ff_error e;
    memset(text, 'x', shift);
    for (size_t i = shift; i + 4 < sizeof text; i += 3)
      memcpy(text + i, "\xe2\x82\xac", 4); // a character of three bytes
    struct {
      ff_error error;
      char guard[64];
    } box;
    memset(&box, 0x55, sizeof box);
    ffi_fail(&box.error, FF_ERROR_MODEL, text, 1, text, "%s", text);
    for (size_t i = 0; i < sizeof box.guard; ++i)
      assert_int_equal(box.guard[i], 0x55);
    e = box.error;
    const char *parts[3] = {e.file, e.thing, e.message};
    const size_t rooms[3] = {sizeof e.file, sizeof e.thing, sizeof e.message};
    for (int p = 0; p < 3; ++p) {
      assert_non_null(memchr(parts[p], 0, rooms[p]));
      assert_true(strlen(parts[p]) > rooms[p] - 8); // no more is lost than must be
      for (const char *c = parts[p]; *c;) {         // whole characters only
        if (*c == '.' || *c == 'x' || *c == ':' || *c == ' ' || (*c >= '0' && *c <= '9')) {
          ++c;
          continue;
        }
        assert_int_equal(memcmp(c, "\xe2\x82\xac", 3), 0);
        c += 3;
      }
    }
    assert_string_equal(e.message + strlen(e.message) - 3, "...");
  }
}

static void a_message_is_one_line(void **state)
{
  (void)state;
  ff_error e;
  ffi_fail(&e, FF_ERROR_MODEL, "f\n", 1, "a\tb", "%s", "one\ntwo\r\x7f\x01");
  for (const char *c = e.message; *c; ++c)
    assert_true((unsigned char)*c >= 0x20 && *c != 0x7f);
}

// Words of a damaged file, and words that were cut within a character, are shown as text all the same.
static void what_is_no_text_becomes_question_marks(void **state)
{
  (void)state;
  static const struct {
    const char *text, *shown;
  } rows[] = {
      {"caf\xc3\xa9", "caf\xc3\xa9"},
      {"\xf0\x9f\xa4\x96", "\xf0\x9f\xa4\x96"},
      {"caf\xc3", "caf?"},          // cut
      {"(\xe2\x82 x", "(?? x"},     // cut, and text behind it
      {"a\xff\x80z", "a??z"},       // never text
      {"\xc2\x9bm", "??m"},         // a terminal's control sequence
      {"\xed\xa0\x80", "???"},      // half of a pair of UTF-16
      {"\xc0\xaf", "??"},           // longer than it need be
      {"\xf4\x90\x80\x80", "????"}, // beyond Unicode
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    ff_error e;
    ffi_fail(&e, FF_ERROR_MODEL, NULL, 0, rows[i].text, "%s", rows[i].text);
    assert_string_equal(e.thing, rows[i].shown);
    assert_string_equal(e.message + strlen(e.thing) + 2, rows[i].shown);
  }
}

static void every_status_has_its_own_name(void **state)
{
  (void)state;
  for (int a = FF_OK; a <= FF_ERROR_NUMERIC; ++a) {
    assert_true(strlen(ff_status_name((ff_status)a)) > 1);
    assert_string_not_equal(ff_status_name((ff_status)a), "unknown status");
    for (int b = FF_OK; b < a; ++b)
      assert_string_not_equal(ff_status_name((ff_status)a), ff_status_name((ff_status)b));
  }
  assert_string_equal(ff_status_name(FF_OK), "ok");
  assert_string_equal(ff_status_name(FF_ERROR_ARGUMENT), "bad argument");
  assert_string_equal(ff_status_name((ff_status)99), "unknown status");
}

static void the_version_is_its_three_numbers(void **state)
{
  (void)state;
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", FF_VERSION_MAJOR, FF_VERSION_MINOR, FF_VERSION_PATCH);
  assert_string_equal(ff_version(), text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_make_a_message),
      cmocka_unit_test(no_error_is_fine),
      cmocka_unit_test(long_files_keep_their_tail),
      cmocka_unit_test(long_texts_are_cut_at_characters),
      cmocka_unit_test(a_message_is_one_line),
      cmocka_unit_test(what_is_no_text_becomes_question_marks),
      cmocka_unit_test(every_status_has_its_own_name),
      cmocka_unit_test(the_version_is_its_three_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
