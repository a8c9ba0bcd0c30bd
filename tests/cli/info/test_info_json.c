// footfall info --json on every shipped model: the JSON for programs, compared with the model itself.
#include "cli/info/run_info.h"
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
    ffi_output output = ffi_run_info(UTF8, "--json", path);
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
  ffi_output output = ffi_run_info(UTF8, "--json", path);
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
  ffi_output output = ffi_run_info(UTF8, "--json", path);
  ffi_json_value *root = parse(path, output.out);
  same_text(ffi_json_get(root, "name"), "a\"b\\c \u00e4\U0001F680");
  same_text(ffi_json_get(ffi_json_at(ffi_json_get(root, "links"), 0), "name"), "li\"nk\\");
  assert_non_null(strstr(ffi_json_get(root, "file")->text, "odd \ufffd\x01 na\"me.urdf"));
  ffi_json_free(root);
  ffi_output_free(&output);
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(json_holds_the_whole_model),
      cmocka_unit_test(json_counts_contact_points),
      cmocka_unit_test(odd_names_are_escaped),
      cmocka_unit_test(the_checker_can_fail),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
