// footfall info on every shipped model: the text for people, compared with the model itself.
#include "cli/info/run_info.h"
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
    ffi_output output = ffi_run_info(UTF8, "", path);
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
  ffi_output output = ffi_run_info(UTF8, "", path);
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
        ffi_run_info(cases[i].prefix, cases[i].options, FFI_TEST_SOURCE_DIR "/models/solo12.urdf");
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
      "<joint name='k' type='continuous'><parent link='b'/><child link='c'/><axis xyz='1 0 0'/><mimic "
      "joint='j'/></joint>"
      "</robot>";
  (void)state;
  const char *path = ffi_write_file("mimic.urdf", mimic, (int)sizeof mimic - 1);
  ffi_output output = ffi_run(UTF8, "info --mimic refuse '%s'", path);
  assert_int_equal(output.status, 1);
  assert_non_null(strstr(output.err, "'k'"));
  ffi_output_free(&output);

  output = ffi_run_info(UTF8, "", path);
  need(&output, path, "coupling 'k_mimic' of joint 'k' to joint 'j': 0 +1 x");
  ffi_output_free(&output);
  output = ffi_run_info(UTF8, "--mimic free", path);
  need(&output, path, "8 velocities");
  ffi_output_free(&output);
  output = ffi_run_info(UTF8, "--mimic=fix", path);
  need(&output, path, "7 velocities");
  ffi_output_free(&output);
  output = ffi_run_info(UTF8, "--fixed-base --mimic fix", path);
  need(&output, path, "1 velocity");
  need(&output, path, "world\n");
  ffi_output_free(&output);
  output = ffi_run_info(UTF8, "--mimic fix --", path);
  need(&output, path, "7 velocities");
  ffi_output_free(&output);
}

// Names may hold quotes, backslashes and letters of any script; file names may hold bytes that are not text.
static void odd_names_are_shown(void **state)
{
  static const char robot[] =
      "<robot name='a\"b\\c &#xe4;&#x1F680;'><link name='li\"nk\\'><inertial><mass value='1'/>"
      "<inertia ixx='1' iyy='1' izz='1'/></inertial></link></robot>";
  (void)state;
  const char *path = ffi_write_file("odd \xff\x01 na\"me.urdf", robot, (int)sizeof robot - 1);
  ffi_output output = ffi_run_info(UTF8, "", path);
  check_lines(path, output.out);
  need(&output, path, "a\"b\\c \u00e4\U0001F680");
  need(&output, path, "li\"nk\\");
  ffi_output_free(&output);
  output = ffi_run_info("LC_ALL=C", "", path);
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
    ffi_output output = ffi_run_info(UTF8, ascii ? "--ascii" : "", path);
    check_lines(path, output.out);
    need(&output, path, "65 velocities");
    ffi_output_free(&output);
  }
  free(text);
}

// What joints resist by, which a URDF states and nobody sees in a picture.
static void it_says_what_joints_resist_by(void **state)
{
  (void)state;
  static const char robot[] =
      "<mujoco><worldbody><body><joint frictionloss='0.1' damping='2'/><geom mass='3' size='0.1'/><body>"
      "<joint frictionloss='0.5' armature='0.02'/><geom size='0.1'/></body></body></worldbody></mujoco>";
  const char *path = ffi_write_file("resisting.xml", robot, (int)sizeof robot - 1);
  ffi_output output = ffi_run_info("", "", path);
  need(&output, path, "friction    2 joints, 0.1 to 0.5 N m or N, dry");
  need(&output, path, "damping     1 joint, 2 N m s/rad or N s/m");
  need(&output, path, "armature    1 joint, 0.02 kg m^2 or kg");
  ffi_output_free(&output);
}

// What does not matter is counted, and listed on request.
static void what_does_not_matter_is_listed_on_request(void **state)
{
  (void)state;
  static const char robot[] =
      "<mujoco><option timestep='0.001'/><worldbody><camera/><body gravcomp='0.5'><joint/>"
      "<geom mass='3' size='0.1'/></body></worldbody></mujoco>";
  const char *path = ffi_write_file("quiet.xml", robot, (int)sizeof robot - 1);
  ffi_output output = ffi_run_info("", "", path);
  need(&output, path, "gravcomp    the weight of 1.5 kg is carried, of 1 link");
  need(&output, path, "2 warnings without effect on the motion: --verbose shows them");
  if (strstr(output.out, "timestep"))
    fail_msg("%s", output.out);
  ffi_output_free(&output);
  output = ffi_run_info("", "--verbose", path);
  need(&output, path, "ignored settings of a simulator, not of the robot: attribute");
  need(&output, path, "ignored without effect on the motion: <camera>");
  ffi_output_free(&output);
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
      cmocka_unit_test(it_says_what_joints_resist_by),
      cmocka_unit_test(what_does_not_matter_is_listed_on_request),
      cmocka_unit_test(scenes_tell_their_memory),
      cmocka_unit_test(text_shows_links_joints_and_totals),
      cmocka_unit_test(romeo_shows_what_is_known_of_it),
      cmocka_unit_test(drawing_follows_the_locale),
      cmocka_unit_test(odd_names_are_shown),
      cmocka_unit_test(options_reach_the_reader),
      cmocka_unit_test(deep_models_fit_the_line),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
