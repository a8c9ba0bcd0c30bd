// Reading XML: lines, names, numbers, messages, and good manners (nothing printed, threads, the caller's
// handlers).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/xml/xml.h"
#include "support/comma_locale.h"

#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlmemory.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ff_error error;

// Parse a text that must be good.
static ffi_xml open_text(const char *text)
{
  ffi_xml xml;
  error = (ff_error){0};
  if (ffi_xml_open("text", text, strlen(text), &error, &xml) != FF_OK)
    fail_msg("%s", error.message);
  return xml;
}

static const xmlNode *root_of(const ffi_xml *xml)
{
  return xmlDocGetRootElement(xml->doc);
}

// ---- Elements ---------------------------------------------------------------------------------------------

static void lines_are_where_tags_start(void **state)
{
  (void)state;
  ffi_xml xml = open_text("<?xml version='1.0'?>\n"
                          "<!-- a\n comment -->\n"
                          "<a\n"
                          "  x='1'\n"
                          "  y='a > b\n2'>\n"
                          "<![CDATA[ <no>\n</no> ]]>text\r\n"
                          "  <b/><c\n/>\r\n"
                          "  <d></d></a>");
  const xmlNode *a = root_of(&xml);
  assert_int_equal(ffi_xml_line(a), 4);
  assert_int_equal(ffi_xml_line(ffi_xml_child(a, "b")), 10);
  assert_int_equal(ffi_xml_line(ffi_xml_child(a, "c")), 10);
  assert_int_equal(ffi_xml_line(ffi_xml_child(a, "d")), 12);
  ffi_xml_close(&xml);
}

static void lines_beyond_65535_are_exact(void **state)
{
  (void)state;
  enum { LINES = 200000 };
  char *text = malloc(LINES + 64);
  assert_non_null(text);
  strcpy(text, "<a>");
  memset(text + 3, '\n', LINES);
  strcpy(text + 3 + LINES, "<b\n/></a>");
  ffi_xml xml = open_text(text);
  assert_int_equal(ffi_xml_line(ffi_xml_child(root_of(&xml), "b")), LINES + 1);
  ffi_xml_close(&xml);
  free(text);
}

static void children_are_found_by_name(void **state)
{
  (void)state;
  ffi_xml xml = open_text("<a>t<!--c--><b i='1'/>t<c/><?p i?><b i='2'><b i='3'/></b></a>");
  const xmlNode *first = ffi_xml_child(root_of(&xml), "b");
  const xmlNode *second = ffi_xml_next(first, "b");
  assert_string_equal(ffi_xml_get(first, "i"), "1");
  assert_string_equal(ffi_xml_get(second, "i"), "2");
  assert_null(ffi_xml_next(second, "b"));
  assert_true(ffi_xml_is(ffi_xml_next(first, NULL), "c"));
  assert_true(ffi_xml_child(root_of(&xml), NULL) == first);
  assert_null(ffi_xml_child(first, NULL));
  assert_null(ffi_xml_child(NULL, NULL));
  assert_null(ffi_xml_next(NULL, "b"));
  assert_false(ffi_xml_is(NULL, "b"));
  ffi_xml_close(&xml);
}

static void prefixed_names_are_other_names(void **state)
{
  (void)state;
  ffi_xml xml =
      open_text("<a xmlns='urn:default' xmlns:p='urn:p'><p:b x='1'/><q:b x='2'/><b x='3' p:y='4'/></a>");
  assert_true(ffi_xml_is(root_of(&xml), "a")); // a default name space has no prefix
  const xmlNode *b = ffi_xml_child(root_of(&xml), "b");
  assert_string_equal(ffi_xml_get(b, "x"), "3");
  assert_null(ffi_xml_get(b, "y"));
  ffi_xml_close(&xml);
}

// ---- Attributes -------------------------------------------------------------------------------------------

static void attributes_are_text(void **state)
{
  (void)state;
  ffi_xml xml = open_text("<a empty='' amp='&amp;&lt;&#65;' two='x\ny' utf='\xc3\xa4'/>");
  const xmlNode *a = root_of(&xml);
  assert_string_equal(ffi_xml_get(a, "empty"), "");
  assert_string_equal(ffi_xml_get(a, "amp"), "&<A");
  assert_string_equal(ffi_xml_get(a, "two"), "x y"); // XML makes a line break in an attribute a space
  assert_string_equal(ffi_xml_get(a, "utf"), "\xc3\xa4");
  assert_null(ffi_xml_get(a, "absent"));
  assert_null(ffi_xml_get(NULL, "absent"));
  ffi_xml_close(&xml);
}

static void required_attributes_are_required(void **state)
{
  (void)state;
  static const char *const absent[] = {"absent", "empty"};
  for (int i = 0; i < 2; ++i) {
    ffi_xml xml = open_text("<r name='r'><a\nempty='' there='x'/></r>");
    const xmlNode *a = ffi_xml_child(root_of(&xml), "a");
    assert_string_equal(ffi_xml_require(&xml, a, "there"), "x");
    assert_int_equal(xml.status, FF_OK);
    assert_null(ffi_xml_require(&xml, a, absent[i]));
    assert_int_equal(xml.status, FF_ERROR_PARSE);
    assert_int_equal(error.line, 1);
    assert_non_null(strstr(error.message, absent[i]));
    assert_string_equal(error.thing, "<a>");
    ffi_xml_close(&xml);
  }
}

static void numbers_are_read(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    double value;
  } good[] = {
      {"0", 0},
      {"1", 1},
      {"+1", 1},
      {"-1.5", -1.5},
      {".5", 0.5},
      {"5.", 5},
      {"1e3", 1000},
      {"1E-3", 0.001},
      {"-2.5e+2", -250},
      {"  7  ", 7},
      {"\t7\n", 7},
      {"007", 7},
      {"1e-400", 0},
      {"-0", 0},
      {"1e308", 1e308},
      {"4.9e-324", 4.9e-324},
      {"0.1", 0.1},
      {"3.141592653589793", 3.141592653589793},
      {"0.1000000000000000055511151231257827021181583404541015625", 0.1},
  };
  for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i) {
    char text[200];
    double value = NAN;
    snprintf(text, sizeof text, "<a x='%s'/>", good[i].text);
    ffi_xml xml = open_text(text);
    if (ffi_xml_number(&xml, root_of(&xml), "x", &value) != 1 || value != good[i].value)
      fail_msg("'%s' was read as %.17g: %s", good[i].text, value, error.message);
    ffi_xml_close(&xml);
  }
}

static void other_words_are_no_numbers(void **state)
{
  (void)state;
  static const char *const bad[] = {"one",      "0x10", "1,5",       "1.2.3",    "1e",     "e5",    "-",
                                    "+",        ".",    "1-1",       "--1",      "1f",     "1d0",   "inf",
                                    "-inf",     "nan",  "NAN",       "INFINITY", "nan(1)", "1e999", "1_0",
                                    "\xc2\xb2", "1;",   "1\xc2\xa0", "infinit",  "1e5.5"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
    char text[200];
    double value = 42;
    snprintf(text, sizeof text, "<a x='%s'/>", bad[i]);
    ffi_xml xml = open_text(text);
    if (ffi_xml_number(&xml, root_of(&xml), "x", &value) != 0 || value != 42 || xml.status != FF_ERROR_PARSE)
      fail_msg("'%s' was read as %.17g", bad[i], value);
    assert_non_null(strstr(error.message, bad[i]));
    ffi_xml_close(&xml);
  }
}

static void counts_of_numbers_are_checked(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    int least, most, read; // read 0: refused
  } rows[] = {{"1 2 3", 3, 3, 3}, {"1 2", 3, 3, 0},    {"1 2 3 4", 3, 3, 0}, {"1 2 3", 3, 4, 3},
              {"1", 1, 1, 1},     {"", 1, 1, 0},       {" \n\t", 1, 3, 0},   {"1 2 3 4 5", 1, 4, 0},
              {"1 x", 1, 1, 0},   {"1\t2\n3", 3, 3, 3}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    char text[200];
    double value[5] = {0, 0, 0, 0, 99};
    snprintf(text, sizeof text, "<a x='%s'/>", rows[i].text);
    ffi_xml xml = open_text(text);
    assert_int_equal(ffi_xml_numbers(&xml, root_of(&xml), "x", rows[i].least, rows[i].most, value),
                     rows[i].read);
    assert_int_equal(xml.status, rows[i].read ? FF_OK : FF_ERROR_PARSE);
    for (int k = 0; k < rows[i].read; ++k)
      assert_true(value[k] == k + 1);
    assert_true(value[4] == 99);
    ffi_xml_close(&xml);
  }
}

static void absent_numbers_change_nothing(void **state)
{
  (void)state;
  ffi_xml xml = open_text("<a/>");
  double value[2] = {3, 4};
  assert_int_equal(ffi_xml_numbers(&xml, root_of(&xml), "x", 2, 2, value), 0);
  assert_int_equal(ffi_xml_number(&xml, NULL, "x", value), 0);
  assert_int_equal(ffi_xml_bound(&xml, root_of(&xml), "x", value), 0);
  assert_true(value[0] == 3 && value[1] == 4);
  assert_int_equal(xml.status, FF_OK);
  ffi_xml_close(&xml);
}

static void bounds_may_be_infinite(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    double value; // NAN: refused
  } rows[] = {{"inf", (double)INFINITY},
              {" -INF ", -(double)INFINITY},
              {"+Infinity", (double)INFINITY},
              {"2.5", 2.5},
              {"nan", (double)NAN},
              {"inf inf", (double)NAN},
              {"1 inf", (double)NAN},
              {"infin", (double)NAN},
              {"1e999", (double)NAN}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    char text[200];
    double value = 0;
    snprintf(text, sizeof text, "<a x='%s'/>", rows[i].text);
    ffi_xml xml = open_text(text);
    const int read = ffi_xml_bound(&xml, root_of(&xml), "x", &value);
    assert_int_equal(read, !isnan(rows[i].value));
    assert_true(read ? value == rows[i].value : xml.status == FF_ERROR_PARSE);
    ffi_xml_close(&xml);
  }
}

// Half of Europe writes 1,5; files do not.
static void the_locale_does_not_matter(void **state)
{
  (void)state;
  if (!ffi_comma_locale_begin())
    skip();
  ffi_xml xml = open_text("<a x='1.5' y='1,5'/>");
  double value = 0;
  assert_int_equal(ffi_xml_number(&xml, root_of(&xml), "x", &value), 1);
  assert_true(value == 1.5);
  assert_int_equal(ffi_xml_number(&xml, root_of(&xml), "y", &value), 0);
  ffi_xml_close(&xml);
  ffi_comma_locale_end();
}

// ---- Messages ---------------------------------------------------------------------------------------------

static void the_first_failure_is_kept(void **state)
{
  (void)state;
  ffi_xml xml = open_text("<r name='r'>\n<joint name='hip'>\n<axis xyz='x'/></joint></r>");
  const xmlNode *joint = ffi_xml_child(root_of(&xml), "joint");
  double value[3];
  ffi_xml_numbers(&xml, ffi_xml_child(joint, "axis"), "xyz", 3, 3, value);
  assert_int_equal(ffi_xml_fail(&xml, FF_ERROR_MODEL, joint, "second"), FF_ERROR_PARSE);
  assert_string_equal(error.message, "text:3: <axis> in <joint> 'hip': attribute 'xyz': 'x' is not a number");
  assert_string_equal(error.thing, "<axis> in <joint> 'hip'");
  assert_string_equal(error.file, "text");
  assert_int_equal(error.line, 3);
  ffi_xml_close(&xml);
}

static void messages_stay_one_line_and_in_their_buffer(void **state)
{
  (void)state;
  char text[6000];
  char name[5000];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = 0;
  snprintf(text, sizeof text, "<r><link name='a&#10;b%s' x='&#13;'/></r>", name);
  ffi_xml xml = open_text(text);
  double value;
  ffi_xml_number(&xml, ffi_xml_child(root_of(&xml), "link"), "x", &value);
  ffi_xml_fail(&xml, FF_ERROR_MODEL, ffi_xml_child(root_of(&xml), "link"), "%s", name);
  assert_int_not_equal(xml.status, FF_OK);
  assert_null(strpbrk(error.message, "\r\n"));
  assert_true(strlen(error.message) < sizeof error.message);
  ffi_xml_close(&xml);
}

static const char *const broken[] = {"<a><b></a>",
                                     "<a",
                                     "<a>&x;</a>",
                                     "<!DOCTYPE a [<!ENTITY x 'y'>]><a/>",
                                     "<p:a/><b",
                                     "<a b='\xff'/>",
                                     "<?xml version='1.0' encoding='nonsense'?><a b='\xff'/>"};

static void nothing_is_printed(void **state)
{
  (void)state;
  FILE *file = tmpfile();
  assert_non_null(file);
  fflush(stderr);
  const int old = dup(2);
  dup2(fileno(file), 2);
  for (size_t i = 0; i < sizeof broken / sizeof broken[0]; ++i) {
    ffi_xml xml;
    ff_error e;
    ffi_xml_open("broken", broken[i], strlen(broken[i]), &e, &xml);
    ffi_xml_close(&xml); // harmless after a failure
  }
  fflush(stderr);
  dup2(old, 2);
  close(old);
  fseek(file, 0, SEEK_END);
  assert_int_equal(ftell(file), 0);
  fclose(file);
}

static int calls;

#if LIBXML_VERSION >= 21200
static void handler(void *data, const xmlError *e)
#else
static void handler(void *data, xmlError *e)
#endif
{
  (void)e;
  calls += *(int *)data;
}

static void the_callers_handler_is_left_alone(void **state)
{
  (void)state;
  int one = 1;
  ffi_xml xml;
  xmlSetStructuredErrorFunc(&one, handler);
  ffi_xml_open("broken", broken[0], strlen(broken[0]), NULL, &xml);
  assert_int_equal(calls, 0);
  xmlFreeDoc(xmlReadMemory("<a>", 3, NULL, NULL, 0));
  assert_true(calls > 0);
  xmlSetStructuredErrorFunc(NULL, NULL);
}

// ---- Threads ----------------------------------------------------------------------------------------------

static void *parse_many(void *argument)
{
  const int id = *(const int *)argument;
  intptr_t wrong = 0;
  for (int i = 0; i < 200; ++i) {
    char text[100];
    char expected[100];
    ff_error e = {0};
    ffi_xml xml;
    snprintf(text, sizeof text, i % 2 ? "<a x='%d'/>" : "<a>\n<b%d></a>", id);
    const ff_status status = ffi_xml_open("thread", text, strlen(text), &e, &xml);
    snprintf(expected, sizeof expected, "b%d line 2 and a", id);
    double value = -1;
    if (i % 2)
      wrong += status != FF_OK || ffi_xml_number(&xml, root_of(&xml), "x", &value) != 1 || value != id;
    else
      wrong += status != FF_ERROR_PARSE || !strstr(e.message, expected);
    ffi_xml_close(&xml);
  }
  return (void *)wrong;
}

static void threads_do_not_mix(void **state)
{
  (void)state;
  pthread_t threads[4];
  int ids[4];
  for (int i = 0; i < 4; ++i) {
    ids[i] = 100 + i;
    assert_int_equal(pthread_create(&threads[i], NULL, parse_many, &ids[i]), 0);
  }
  for (int i = 0; i < 4; ++i) {
    void *wrong;
    pthread_join(threads[i], &wrong);
    assert_null(wrong);
  }
}

// ---- Memory -----------------------------------------------------------------------------------------------

static long countdown; // to the allocation that fails; 0 or less: none

static void *failing_malloc(size_t size)
{
  return --countdown == 0 ? NULL : malloc(size);
}

static void *failing_realloc(void *old, size_t size)
{
  return --countdown == 0 ? NULL : realloc(old, size);
}

static char *failing_strdup(const char *text)
{
  char *copy = failing_malloc(strlen(text) + 1);
  return copy ? strcpy(copy, text) : NULL;
}

// Is the document below complete?
static int is_whole(const ffi_xml *xml)
{
  const xmlNode *b = ffi_xml_child(root_of(xml), "b");
  const char *name = ffi_xml_get(b, "name");
  const char *xyz = ffi_xml_get(b, "xyz");
  const char *e = ffi_xml_get(ffi_xml_child(ffi_xml_next(b, NULL), "d"), "e");
  return name && !strcmp(name, "A&") && xyz && !strcmp(xyz, "1 2 3") && e && !strcmp(e, "f");
}

// Allocations inside libxml2, one after the other. Some it can do without (checking that a name space is a
// good URI).
static void every_failed_allocation_is_an_error_or_harmless(void **state)
{
  (void)state;
  static const char text[] = "<?xml version='1.0'?><!DOCTYPE a SYSTEM 'b'><a xmlns='u' xmlns:p='v' q:x='1'>"
                             "<b name='&#65;&amp;' xyz='1 2 3'/><p:c><d e='f' p:g='h'/></p:c></a>";
  assert_int_equal(xmlMemSetup(free, failing_malloc, failing_realloc, failing_strdup), 0);
  long n = 0;
  long errors = 0;
  for (int has_failed = 1; has_failed;) {
    ffi_xml xml;
    ff_error e = {0};
    countdown = ++n;
    const ff_status status = ffi_xml_open("text", text, sizeof text - 1, &e, &xml);
    has_failed = countdown <= 0;
    countdown = 0;
    if (status != (has_failed ? FF_ERROR_MEMORY : FF_OK) && !(status == FF_OK && is_whole(&xml)))
      fail_msg("allocation %ld: status %d, %s", n, (int)status, e.message);
    errors += status != FF_OK;
    ffi_xml_close(&xml);
  }
  assert_true(errors > 20);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_do_not_mix), // first, while libxml2 is not yet started
      cmocka_unit_test(lines_are_where_tags_start),
      cmocka_unit_test(lines_beyond_65535_are_exact),
      cmocka_unit_test(children_are_found_by_name),
      cmocka_unit_test(prefixed_names_are_other_names),
      cmocka_unit_test(attributes_are_text),
      cmocka_unit_test(required_attributes_are_required),
      cmocka_unit_test(numbers_are_read),
      cmocka_unit_test(other_words_are_no_numbers),
      cmocka_unit_test(counts_of_numbers_are_checked),
      cmocka_unit_test(absent_numbers_change_nothing),
      cmocka_unit_test(bounds_may_be_infinite),
      cmocka_unit_test(the_locale_does_not_matter),
      cmocka_unit_test(the_first_failure_is_kept),
      cmocka_unit_test(messages_stay_one_line_and_in_their_buffer),
      cmocka_unit_test(nothing_is_printed),
      cmocka_unit_test(the_callers_handler_is_left_alone),
      cmocka_unit_test(every_failed_allocation_is_an_error_or_harmless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
