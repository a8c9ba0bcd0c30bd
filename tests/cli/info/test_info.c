// footfall info on every shipped model: the text for people and the JSON for programs, both compared with the model itself.
#include "cli/json_value.h"
#include "cli/run_command.h"

#include <footfall/load.h>
#include <footfall/version.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/shipped_models.h"

#define UTF8 "NO_COLOR= LC_ALL=C.UTF-8"

static ffi_output run_well(const char *prefix, const char *options, const char *path)
{
  ffi_output output = ffi_run(prefix, "info %s '%s'", options, path);
  if (output.status != 0)
    fail_msg("info %s %s: exit status %d, %s", options, path, output.status, output.err);
  assert_string_equal(output.err, "");
  return output;
}

static void need(const ffi_output *output, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void need(const ffi_output *output, const char *path, const char *format, ...)
{
  char text[256];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (!strstr(output->out, text))
    fail_msg("info %s does not show '%s':\n%s", path, text, output->out);
}

// ---- Text -------------------------------------------------------------------------------------------------

// Lines of at most 100 characters, no spaces at their ends, no control characters.
static void check_lines(const char *path, const char *text)
{
  int width = 0;
  for (const char *at = text; *at; ++at) {
    const unsigned char c = (unsigned char)*at;
    if (c == '\n') {
      if (width > 100)
        fail_msg("info %s: a line has %d columns", path, width);
      if (at > text && at[-1] == ' ')
        fail_msg("info %s: a line ends with a space", path);
      width = 0;
    } else if (c < 0x20 || c == 0x7f) {
      fail_msg("info %s: control character %d", path, c);
    } else {
      width += (c & 0xc0) != 0x80;
    }
  }
  assert_int_equal(width, 0); // the last line has an end
}

// A line that holds both words, with nothing but spaces and letters of the drawing before the first.
static int has_line_with(const char *text, const char *first, const char *second)
{
  char line[512];
  while (*text) {
    const size_t length = strcspn(text, "\n");
    snprintf(line, sizeof line, "%.*s", (int)length, text);
    const char *found = strstr(line, first);
    if (found && strstr(found + strlen(first), second))
      return 1;
    text += length + (text[length] == '\n');
  }
  return 0;
}

static void text_shows_links_joints_and_totals(void **state)
{
  (void)state;
  for (int m = 0; m < ffi_shipped_count(); ++m) {
    char path[FFI_SHIPPED_PATH];
    ffi_shipped_path(m, path);
    ff_model *model = ffi_shipped_load(m);
    const ff_model_size size = ff_model_get_size(model);
    ffi_output output = run_well(UTF8, "", path);
    check_lines(path, output.out);
    for (int i = 0; i < size.links; ++i) {
      ff_link_info link;
      ff_model_link(model, i, &link);
      if (!has_line_with(output.out, link.name, link.joint_name))
        fail_msg("info %s: no line with link %s and joint %s", path, link.name, link.joint_name);
    }
    need(&output, path, ff_model_mass(model) < 0.1 ? "%.4g kg\n" : "%.3f kg\n", ff_model_mass(model));
    need(&output, path, "%d velocit%s (nv), %d coordinate%s (nq), %d moving tree", size.nv,
         size.nv == 1 ? "y" : "ies", size.nq, size.nq == 1 ? "" : "s", size.roots);
    need(&output, path, "%d actuated joint%s,", size.actuated, size.actuated == 1 ? "" : "s");
    need(&output, path, "%d link%s, %d frames", size.links, size.links == 1 ? "" : "s", size.frames);
    for (int i = 0; i < size.elements; ++i) {
      ff_element_def element;
      ff_model_element(model, i, &element);
      need(&output, path, "%s '%s' of ", ff_element_type_name(element.type), element.name);
    }
    need(&output, path, "postures    %d: %s", size.postures, ff_model_posture_name(model, 0));
    if (size.warnings > 0)
      need(&output, path, "\n%d warning%s\n! ", size.warnings, size.warnings == 1 ? "" : "s");
    ffi_output_free(&output);
    ff_model_destroy(model);
  }
}

static void romeo_shows_what_is_known_of_it(void **state)
{
  (void)state;
  const char *path = FFI_TEST_SOURCE_DIR "/models/romeo.urdf";
  ffi_output output = run_well(UTF8, "", path);
  need(&output, path, "37 velocities");
  need(&output, path, "31 actuated joints");
  need(&output, path, "40.529 kg");
  need(&output, path, "8 contact points");
  need(&output, path, "2 warnings");
  const char *warnings = strstr(output.out, "2 warnings");
  assert_non_null(strstr(warnings, "RShoulderYawLink"));
  assert_non_null(strstr(warnings, "RElbowYawLink"));
  assert_true(has_line_with(output.out, "LKneePitchLink", "rev y"));
  assert_true(has_line_with(output.out, "LKneePitchLink", "0..2.01"));
  assert_true(has_line_with(output.out, "LKneePitchLink", "38.17"));
  assert_true(has_line_with(output.out, "l_ankle", "4 points"));
  ffi_output_free(&output);
}

static int is_ascii(const char *text)
{
  for (; *text; ++text) {
    if ((unsigned char)*text >= 0x80)
      return 0;
  }
  return 1;
}

static void drawing_follows_the_locale(void **state)
{
  static const struct {
    const char *prefix, *options;
    int is_ascii;
  } cases[] = {
      {"LC_ALL=C.UTF-8", "", 0},
      {"LC_ALL=en_US.utf8", "", 0},
      {"LC_ALL=C", "", 1},
      {"LC_ALL= LC_CTYPE= LANG=", "", 1},
      {"LC_ALL= LC_CTYPE= LANG=de_DE.UTF-8", "", 0},
      {"LC_ALL=C.UTF-8", "--ascii", 1},
      {"LC_ALL=POSIX LANG=C.UTF-8", "", 1},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ffi_output output =
        run_well(cases[i].prefix, cases[i].options, FFI_TEST_SOURCE_DIR "/models/solo12.urdf");
    if (is_ascii(output.out) != cases[i].is_ascii)
      fail_msg("%s info %s: ASCII is %d", cases[i].prefix, cases[i].options, !cases[i].is_ascii);
    assert_true(has_line_with(output.out,
                              cases[i].is_ascii ? "|-FL_SHOULDER"
                                                : "\u251c\u2574"
                                                  "FL_SHOULDER",
                              "FL_HAA"));
    assert_true(has_line_with(output.out,
                              cases[i].is_ascii ? "`-HR_SHOULDER"
                                                : "\u2514\u2574"
                                                  "HR_SHOULDER",
                              "HR_HAA"));
    ffi_output_free(&output);
  }
}

static void options_reach_the_reader(void **state)
{
  static const char mimic[] =
      "<robot name='m'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
      "<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
      "<link name='c'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
      "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='1 0 0'/></joint>"
      "<joint name='k' type='continuous'><parent link='b'/><child link='c'/><axis xyz='1 0 0'/><mimic joint='j'/></joint>"
      "</robot>";
  (void)state;
  const char *path = ffi_write_file("mimic.urdf", mimic, (int)sizeof mimic - 1);
  ffi_output output = ffi_run(UTF8, "info '%s'", path);
  assert_int_equal(output.status, 1);
  assert_non_null(strstr(output.err, "'k'"));
  ffi_output_free(&output);

  output = run_well(UTF8, "--mimic free", path);
  need(&output, path, "8 velocities");
  ffi_output_free(&output);
  output = run_well(UTF8, "--mimic=fix", path);
  need(&output, path, "7 velocities");
  ffi_output_free(&output);
  output = run_well(UTF8, "--fixed-base --mimic fix", path);
  need(&output, path, "1 velocity");
  need(&output, path, "world\n");
  ffi_output_free(&output);
  output = run_well(UTF8, "--mimic fix --", path);
  need(&output, path, "7 velocities");
  ffi_output_free(&output);
}

// ---- JSON -------------------------------------------------------------------------------------------------

static void same_text(const ffi_json_value *got, const char *expected)
{
  if (!expected) {
    assert_int_equal(got->type, FFI_JSON_NULL);
    return;
  }
  assert_int_equal(got->type, FFI_JSON_STRING);
  assert_string_equal(got->text, expected);
}

// Numbers are written so that they are read back with the same bits; what is not finite is null.
static void same_number(const ffi_json_value *got, double expected)
{
  if (!isfinite(expected)) {
    assert_int_equal(got->type, FFI_JSON_NULL);
    return;
  }
  assert_int_equal(got->type, FFI_JSON_NUMBER);
  if (got->number != expected)
    fail_msg("%s is %.17g, expected %.17g", got->key ? got->key : "an item", got->number, expected);
}

static void same_numbers(const ffi_json_value *got, const double *expected, int count)
{
  assert_int_equal(got->type, FFI_JSON_ARRAY);
  assert_int_equal(got->count, count);
  const ffi_json_value *item = got->first;
  for (int i = 0; i < count; ++i, item = item->next)
    same_number(item, expected[i]);
}

static void same_flag(const ffi_json_value *got, int expected)
{
  assert_int_equal(got->type, expected ? FFI_JSON_TRUE : FFI_JSON_FALSE);
}

static const char *link_name(const ff_model *model, int link)
{
  ff_link_info info;
  return ff_model_link(model, link, &info) == FF_OK ? info.name : NULL;
}

static const char *joint_name(const ff_model *model, int joint)
{
  ff_joint_info info;
  return ff_model_joint(model, joint, &info) == FF_OK ? info.name : NULL;
}

static void check_joint(const ff_model *model, int i, const ffi_json_value *got)
{
  ff_joint_info j;
  ff_model_joint(model, i, &j);
  same_text(ffi_json_get(got, "name"), j.name);
  same_text(ffi_json_get(got, "type"), ff_joint_type_name(j.type));
  same_text(ffi_json_get(got, "parent"), joint_name(model, j.parent));
  same_text(ffi_json_get(got, "link"), link_name(model, j.link));
  same_number(ffi_json_get(got, "q"), j.q);
  same_number(ffi_json_get(got, "nq"), j.nq);
  same_number(ffi_json_get(got, "v"), j.v);
  same_number(ffi_json_get(got, "nv"), j.nv);
  same_numbers(ffi_json_get(got, "axis"), j.axis, 3);
  if (j.has_limits)
    same_numbers(ffi_json_get(got, "limits"), (double[]){j.lower, j.upper}, 2);
  else
    same_text(ffi_json_get(got, "limits"), NULL);
  same_number(ffi_json_get(got, "effort"), j.effort);
  same_number(ffi_json_get(got, "velocity"), j.velocity);
  same_number(ffi_json_get(got, "damping"), j.damping);
  same_number(ffi_json_get(got, "friction"), j.friction);
  same_number(ffi_json_get(got, "armature"), j.armature);
  same_number(ffi_json_get(got, "stiffness"), j.stiffness);
  same_number(ffi_json_get(got, "spring_reference"), j.spring_reference);
}

static void check_link(const ff_model *model, int i, const ffi_json_value *got)
{
  ff_link_info l;
  ff_model_link(model, i, &l);
  same_text(ffi_json_get(got, "name"), l.name);
  same_text(ffi_json_get(got, "parent"), link_name(model, l.parent));
  same_text(ffi_json_get(got, "joint"), l.joint_name);
  same_text(ffi_json_get(got, "joint_type"), ff_joint_type_name(l.joint_type));
  same_text(ffi_json_get(got, "moved_by"), joint_name(model, l.joint));
  same_numbers(ffi_json_get(got, "position"), l.pose.position, 3);
  same_numbers(ffi_json_get(got, "quaternion"), l.pose.quaternion, 4);
  same_number(ffi_json_get(got, "mass"), l.inertia.mass);
  same_numbers(ffi_json_get(got, "com"), l.inertia.com, 3);
  same_numbers(ffi_json_get(got, "inertia"), l.inertia.matrix, 6);
}

static void check_frame(const ff_model *model, int i, const ffi_json_value *got)
{
  ff_frame_info f;
  ff_model_frame(model, i, &f);
  same_text(ffi_json_get(got, "name"), f.name);
  same_text(ffi_json_get(got, "link"), link_name(model, f.link));
  same_text(ffi_json_get(got, "moved_by"), joint_name(model, f.joint));
}

static void check_shape(const ff_model *model, int i, const ffi_json_value *got)
{
  ff_shape_info s;
  ff_model_shape(model, i, &s);
  const ffi_json_value *size = ffi_json_get(got, "size");
  same_text(ffi_json_get(got, "name"), s.def.name);
  same_text(ffi_json_get(got, "link"), link_name(model, s.link));
  same_text(ffi_json_get(got, "type"), ff_shape_type_name(s.def.type));
  assert_true(size->type == FFI_JSON_ARRAY && size->count <= 3);
  same_numbers(size, s.def.size, size->count);
  for (int k = size->count; k < 3; ++k) // what is left out means nothing
    assert_true(s.def.size[k] == 0 || s.def.type == FF_SHAPE_POINT || s.def.type == FF_SHAPE_PLANE);
  same_numbers(ffi_json_get(got, "position"), s.def.pose.position, 3);
  same_numbers(ffi_json_get(got, "quaternion"), s.def.pose.quaternion, 4);
  same_flag(ffi_json_get(got, "visual"), s.def.purpose & FF_SHAPE_VISUAL);
  same_flag(ffi_json_get(got, "collision"), s.def.purpose & FF_SHAPE_COLLISION);
  same_number(ffi_json_get(got, "stiffness"), s.def.material.stiffness);
  same_number(ffi_json_get(got, "damping"), s.def.material.damping);
  same_number(ffi_json_get(got, "friction"), s.def.material.friction);
  same_number(ffi_json_get(got, "restitution"), s.def.material.restitution);
  same_number(ffi_json_get(got, "tangential_restitution"), s.def.material.tangential_restitution);
  same_numbers(ffi_json_get(got, "rgba"), s.def.rgba, 4);
}

static void check_actuator(const ff_model *model, int i, const ffi_json_value *got)
{
  static const char *const types[] = {"motor", "position", "velocity"};
  ff_actuator_info a;
  ff_model_actuator(model, i, &a);
  same_text(ffi_json_get(got, "name"), a.name);
  same_text(ffi_json_get(got, "type"), types[a.type]);
  same_text(ffi_json_get(got, "joint"), joint_name(model, a.joint));
  same_number(ffi_json_get(got, "gear"), a.gear);
  same_number(ffi_json_get(got, "kp"), a.kp);
  same_number(ffi_json_get(got, "kv"), a.kv);
  same_numbers(ffi_json_get(got, "control_range"), a.control_range, 2);
  same_numbers(ffi_json_get(got, "force_range"), a.force_range, 2);
}

static void check_end(const ff_model *model, const ff_point *end, const ffi_json_value *got)
{
  ff_frame_info frame;
  ff_model_frame(model, end->frame, &frame);
  same_text(ffi_json_get(got, "frame"), frame.name);
  same_numbers(ffi_json_get(got, "offset"), end->offset, 3);
}

static void check_element(const ff_model *model, int i, const ffi_json_value *got)
{
  ff_element_def e;
  ff_model_element(model, i, &e);
  same_text(ffi_json_get(got, "name"), e.name);
  same_text(ffi_json_get(got, "type"), ff_element_type_name(e.type));
  same_number(ffi_json_get(got, "stiffness"), e.stiffness);
  same_number(ffi_json_get(got, "damping"), e.damping);
  if (e.joint >= 0) {
    same_text(ffi_json_get(got, "joint"), joint_name(model, e.joint));
    return;
  }
  check_end(model, &e.a, ffi_json_get(got, "a"));
  check_end(model, &e.b, ffi_json_get(got, "b"));
  if (e.type != FF_ELEMENT_WELD)
    return;
  same_number(ffi_json_get(got, "angular_stiffness"), e.angular_stiffness);
  same_number(ffi_json_get(got, "angular_damping"), e.angular_damping);
}

static void check_posture(const ff_model *model, int i, const ffi_json_value *got)
{
  same_text(ffi_json_get(got, "name"), ff_model_posture_name(model, i));
  same_numbers(ffi_json_get(got, "q"), ff_model_posture(model, i), ff_model_get_size(model).nq);
}

static void check_warning(const ff_model *model, int i, const ffi_json_value *got)
{
  same_text(got, ff_model_warning(model, i));
}

static void check_list(const ff_model *model, const ffi_json_value *root, const char *key, int count,
                       void (*check)(const ff_model *, int, const ffi_json_value *))
{
  const ffi_json_value *list = ffi_json_get(root, key);
  assert_int_equal(list->type, FFI_JSON_ARRAY);
  assert_int_equal(list->count, count);
  same_number(ffi_json_get(ffi_json_get(root, "size"), key), count);
  const ffi_json_value *item = list->first;
  for (int i = 0; i < count; ++i, item = item->next)
    check(model, i, item);
}

static ffi_json_value *parse(const char *path, const char *text)
{
  char why[200];
  ffi_json_value *value = ffi_json_parse(text, why);
  if (!value)
    fail_msg("info --json %s: %s", path, why);
  return value;
}

static void check_json(const ff_model *model, const char *path, const ffi_json_value *root)
{
  const ff_model_size size = ff_model_get_size(model);
  const ffi_json_value *sizes = ffi_json_get(root, "size");
  double gravity[3];
  ff_model_gravity(model, gravity);
  same_text(ffi_json_get(root, "footfall"), FF_VERSION);
  same_text(ffi_json_get(root, "file"), path);
  same_text(ffi_json_get(root, "name"), ff_model_name(model));
  same_number(ffi_json_get(root, "mass"), ff_model_mass(model));
  same_numbers(ffi_json_get(root, "gravity"), gravity, 3);
  same_number(ffi_json_get(sizes, "nq"), size.nq);
  same_number(ffi_json_get(sizes, "nv"), size.nv);
  same_number(ffi_json_get(sizes, "actuated"), size.actuated);
  same_number(ffi_json_get(sizes, "roots"), size.roots);
  check_list(model, root, "joints", size.joints, check_joint);
  check_list(model, root, "links", size.links, check_link);
  check_list(model, root, "frames", size.frames, check_frame);
  check_list(model, root, "shapes", size.shapes, check_shape);
  check_list(model, root, "actuators", size.actuators, check_actuator);
  check_list(model, root, "elements", size.elements, check_element);
  check_list(model, root, "postures", size.postures, check_posture);
  check_list(model, root, "warnings", size.warnings, check_warning);
}

static void json_holds_the_whole_model(void **state)
{
  (void)state;
  for (int m = 0; m < ffi_shipped_count(); ++m) {
    char path[FFI_SHIPPED_PATH];
    ffi_shipped_path(m, path);
    ff_model *model = ffi_shipped_load(m);
    ffi_output output = run_well(UTF8, "--json", path);
    ffi_json_value *root = parse(path, output.out);
    check_json(model, path, root);
    ffi_json_free(root);
    ffi_output_free(&output);
    ff_model_destroy(model);
  }
}

static void json_counts_contact_points(void **state)
{
  (void)state;
  const char *path = FFI_TEST_SOURCE_DIR "/models/romeo.urdf";
  ffi_output output = run_well(UTF8, "--json", path);
  ffi_json_value *root = parse(path, output.out);
  same_number(ffi_json_get(ffi_json_get(root, "size"), "contact_points"), 8);
  ffi_json_free(root);
  ffi_output_free(&output);
}

// Names may hold quotes, backslashes and letters of any script; file names may hold bytes that are no text at all.
static void odd_names_are_escaped(void **state)
{
  static const char robot[] =
      "<robot name='a\"b\\c &#xe4;&#x1F680;'><link name='li\"nk\\'><inertial><mass value='1'/>"
      "<inertia ixx='1' iyy='1' izz='1'/></inertial></link></robot>";
  (void)state;
  const char *path = ffi_write_file("odd \xff\x01 na\"me.urdf", robot, (int)sizeof robot - 1);
  ffi_output output = run_well(UTF8, "--json", path);
  ffi_json_value *root = parse(path, output.out);
  same_text(ffi_json_get(root, "name"), "a\"b\\c \u00e4\U0001F680");
  same_text(ffi_json_get(ffi_json_at(ffi_json_get(root, "links"), 0), "name"), "li\"nk\\");
  assert_non_null(strstr(ffi_json_get(root, "file")->text, "odd \ufffd\x01 na\"me.urdf"));
  ffi_json_free(root);
  ffi_output_free(&output);

  output = run_well(UTF8, "", path);
  check_lines(path, output.out);
  need(&output, path, "a\"b\\c \u00e4\U0001F680");
  need(&output, path, "li\"nk\\");
  ffi_output_free(&output);
  output = run_well("LC_ALL=C", "", path);
  assert_true(is_ascii(output.out));
  need(&output, path, "a\"b\\c ??");
  ffi_output_free(&output);
}

// A model far deeper and with longer names than a line can hold still gives lines that fit.
static void deep_models_fit_the_line(void **state)
{
  enum { DEPTH = 60, SIZE = 100000 };
  char *text = malloc(SIZE);
  int used = 0;
  (void)state;
  assert_non_null(text);
  used += snprintf(text + used, (size_t)(SIZE - used), "<robot name='deep'>");
  for (int i = 0; i < DEPTH; ++i)
    used += snprintf(
        text + used, (size_t)(SIZE - used),
        "<link name='a_link_with_a_long_name_that_goes_on_and_on_and_has_number_%d'><inertial><mass value='1'/>"
        "<inertia ixx='1' iyy='1' izz='1'/></inertial></link>",
        i);
  for (int i = 1; i < DEPTH; ++i)
    used += snprintf(
        text + used, (size_t)(SIZE - used),
        "<joint name='a_joint_with_a_name_that_is_no_shorter_than_the_link_%d' type='revolute'>"
        "<parent link='a_link_with_a_long_name_that_goes_on_and_on_and_has_number_%d'/>"
        "<child link='a_link_with_a_long_name_that_goes_on_and_on_and_has_number_%d'/><axis xyz='1 2 3'/>"
        "<limit lower='-1' upper='2.5' effort='10' velocity='1'/></joint>",
        i, i - 1, i);
  used += snprintf(text + used, (size_t)(SIZE - used), "</robot>");
  assert_true(used < SIZE - 1);
  const char *path = ffi_write_file("deep.urdf", text, used);
  for (int ascii = 0; ascii < 2; ++ascii) {
    ffi_output output = run_well(UTF8, ascii ? "--ascii" : "", path);
    check_lines(path, output.out);
    need(&output, path, "65 velocities");
    ffi_output_free(&output);
  }
  free(text);
}

// The reader of JSON used above refuses what is none.
static void the_checker_can_fail(void **state)
{
  static const char *const wrong[] = {
      "",      "{",     "[1,]", "{\"a\":1,}", "{\"a\" 1}", "[01]",    "[1.]",
      "[inf]", "[nan]", "[+1]", "[1] 2",      "\"a\nb\"",  "\"\\x\"", "{\"a\":1,\"a\":2}",
      "[1 2]", "['a']", "[-]",  "[1e]",       "tru",       "{a:1}"};
  char why[200];
  (void)state;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
    ffi_json_value *value = ffi_json_parse(wrong[i], why);
    if (value)
      fail_msg("accepted: %s", wrong[i]);
    assert_true(strlen(why) > 0);
  }
  ffi_json_value *value = ffi_json_parse(" {\"a\": [-0.5e+3, null, true, \"\\u00e4\\n\"], \"b\": {}} ", why);
  assert_non_null(value);
  assert_true(ffi_json_at(ffi_json_get(value, "a"), 0)->number == -500);
  assert_string_equal(ffi_json_at(ffi_json_get(value, "a"), 3)->text, "\u00e4\n");
  ffi_json_free(value);
}

// Of a scene: what it simulates, and the memory of each part. The state of solo12 on a plane has to stay small: a batch
// has thousands.
static void scenes_tell_their_memory(void **state)
{
  (void)state;
  ffi_output text = ffi_run("", "info '" FFI_TEST_SOURCE_DIR "/scenes/solo-trot.yaml'");
  assert_int_equal(text.status, 0);
  const char *const lines[] = {"Solo trots",    "12 joint torques", "\nworld ",
                               "\nparameters ", "\nstate ",         "\nworkspace "};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i)
    if (!strstr(text.out, lines[i]))
      fail_msg("no '%s' in\n%s", lines[i], text.out);
  ffi_output_free(&text);
  ffi_output json = ffi_run("", "info --json '" FFI_TEST_SOURCE_DIR "/scenes/solo-trot.yaml'");
  assert_int_equal(json.status, 0);
  const char *at = strstr(json.out, "\"state\": ");
  assert_non_null(at);
  const double bytes = strtod(at + strlen("\"state\": "), NULL);
  assert_true(bytes >= 8 * (19 + 18) && bytes <= 1536);
  ffi_output_free(&json);
  ffi_output bad = ffi_run("", "info '" FFI_TEST_SOURCE_DIR "/tests/bad_input/none.yaml'");
  assert_int_equal(bad.status, 1);
  ffi_output_free(&bad);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scenes_tell_their_memory),        cmocka_unit_test(text_shows_links_joints_and_totals),
      cmocka_unit_test(romeo_shows_what_is_known_of_it), cmocka_unit_test(drawing_follows_the_locale),
      cmocka_unit_test(options_reach_the_reader),        cmocka_unit_test(json_holds_the_whole_model),
      cmocka_unit_test(json_counts_contact_points),      cmocka_unit_test(odd_names_are_escaped),
      cmocka_unit_test(deep_models_fit_the_line),        cmocka_unit_test(the_checker_can_fail),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
