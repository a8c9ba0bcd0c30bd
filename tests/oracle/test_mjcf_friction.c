// Friction between geoms against MuJoCo's contacts: random bodies on floors, with
// priorities and every condim. Where the friction of a pair is not MuJoCo's, a warning says so.
#include "mjcf_text.h"
#include "support/must.h"

#include <footfall/save.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 11;

static int below(int n)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((seed >> 33) % (uint64_t)n);
}

static const ff_material *material_of(const ff_model *model, const char *name)
{
  static ff_shape_info shape;
  for (int i = 0; ff_model_shape(model, i, &shape) == FF_OK; ++i)
    if (shape.def.name && strcmp(shape.def.name, name) == 0)
      return &shape.def.material;
  fail_msg("no shape %s", name);
  return NULL;
}

// The friction of the pair by the rule of a sim: how many of the three numbers differ from MuJoCo's?
static int differing(const ff_model *model, const mjModel *mj, const mjContact *c)
{
  const ff_material a = *material_of(model, mj_id2name(mj, mjOBJ_GEOM, c->geom1)),
                    b = *material_of(model, mj_id2name(mj, mjOBJ_GEOM, c->geom2));
  const double got[3] = {fmin(a.friction, b.friction), fmax(a.torsional_friction, b.torsional_friction),
                         fmax(a.rolling_friction, b.rolling_friction)};
  const double want[3] = {c->dim > 1 ? c->friction[0] : 0, c->dim >= 4 ? c->friction[2] : 0,
                          c->dim == 6 ? c->friction[3] : 0};
  int count = 0;
  for (int k = 0; k < 3; ++k)
    count += fabs(got[k] - want[k]) > 1.1e-5; // MuJoCo's least number is 1e-5
  return count;
}

// Of few kinds, or of many.
static int put_friction(char *text, size_t room, int few)
{
  if (few)
    return snprintf(text, room, " friction='0.%d' condim='%d' priority='%d'", 4 + 2 * below(2),
                    1 + 2 * below(2), below(4) == 0);
  static const int dims[] = {1, 3, 3, 4, 6};
  int n = snprintf(text, room, " condim='%d' friction='0.%d 0.0%d 0.00%d'", dims[below(5)], 1 + below(9),
                   1 + below(9), 1 + below(9));
  if (below(3) == 0)
    n += snprintf(text + n, room - (size_t)n, " priority='%d'", below(4) - 1);
  return n;
}

static int has_warning(const ff_model *model, const char *words)
{
  const char *warning;
  for (int i = 0; (warning = ff_model_warning(model, i)); ++i)
    if (strstr(warning, words))
      return 1;
  return 0;
}

// One floor and many bodies: exact.
static void bodies_on_a_floor_have_mujocos_friction(void **state)
{
  (void)state;
  int contacts = 0;
  for (int trial = 0; trial < 200; ++trial) {
    char text[6000];
    int n = snprintf(text, sizeof text, "<mujoco><worldbody><geom name='floor' type='plane' size='9 9 1'");
    n += put_friction(text + n, sizeof text - (size_t)n, 0);
    n += snprintf(text + n, sizeof text - (size_t)n, "/>");
    for (int i = 0; i < 12; ++i) {
      n += snprintf(text + n, sizeof text - (size_t)n,
                    "<body pos='%d 0 0.09'><freejoint/><geom name='g%d' size='0.1'", i, i);
      n += put_friction(text + n, sizeof text - (size_t)n, 0);
      n += snprintf(text + n, sizeof text - (size_t)n, "/></body>");
    }
    snprintf(text + n, sizeof text - (size_t)n, "</worldbody></mujoco>");
    const ffi_mjcf_text t = ffi_mjcf_text_load(text);
    mj_forward(t.mj, t.data);
    assert_int_equal(t.data->ncon, 12);
    for (int c = 0; c < t.data->ncon; ++c) {
      if (differing(t.ff, t.mj, &t.data->contact[c]))
        fail_msg("contact %d differs:\n%s", c, text);
      ++contacts;
    }
    ffi_mjcf_text_free(&t);
  }
  assert_int_equal(contacts, 2400);
}

// Two floors and bodies that touch each other: exact, or there is a warning; and no warning if all is exact.
static void what_is_not_mujocos_is_said(void **state)
{
  (void)state;
  int said = 0, exact = 0;
  for (int trial = 0; trial < 300; ++trial) {
    char text[3000];
    int n = snprintf(text, sizeof text, "<mujoco><worldbody>"), differ = 0;
    for (int i = 0; i < 2; ++i) {
      n += snprintf(text + n, sizeof text - (size_t)n, "<geom name='floor%d' type='plane' size='9 9 1'", i);
      n += put_friction(text + n, sizeof text - (size_t)n, trial % 2);
      n += snprintf(text + n, sizeof text - (size_t)n, "/>");
    }
    for (int i = 0; i < 2; ++i) {
      n += snprintf(text + n, sizeof text - (size_t)n,
                    "<body pos='0.0%d 0 0.09'><freejoint/><geom name='g%d' size='0.1'", i, i);
      n += put_friction(text + n, sizeof text - (size_t)n, trial % 2);
      n += snprintf(text + n, sizeof text - (size_t)n, "/></body>");
    }
    snprintf(text + n, sizeof text - (size_t)n, "</worldbody></mujoco>");
    const ffi_mjcf_text t = ffi_mjcf_text_load(text);
    mj_forward(t.mj, t.data);
    assert_int_equal(t.data->ncon, 5);
    for (int c = 0; c < t.data->ncon; ++c)
      differ += differing(t.ff, t.mj, &t.data->contact[c]);
    if ((differ > 0) != has_warning(t.ff, "the friction of MuJoCo between"))
      fail_msg("%d numbers differ:\n%s", differ, text);
    said += differ > 0;
    exact += differ == 0;
    ffi_mjcf_text_free(&t);
  }
  assert_true(said > 20 && exact > 20);
}

// Parts of one robot do not touch by default: nothing to say.
static void one_robot_has_no_warning(void **state)
{
  (void)state;
  static const char text[] =
      "<mujoco><worldbody><geom name='floor' type='plane' size='9 9 1'/><body><freejoint/>"
      "<geom name='trunk' size='0.1'/>"
      "<body pos='0 0 -1'><joint/><geom name='foot' size='0.1' friction='0.4' priority='1' condim='4'/></body></body>"
      "</worldbody></mujoco>";
  const ffi_mjcf_text t = ffi_mjcf_text_load(text);
  assert_int_equal(ff_model_get_size(t.ff).warnings, 0);
  assert_true(material_of(t.ff, "foot")->friction == 0.4);
  assert_true(material_of(t.ff, "foot")->torsional_friction == 0.005);
  assert_true(material_of(t.ff, "trunk")->friction == 1);
  ffi_mjcf_text_free(&t);
}

// A saved model has in MuJoCo the friction that it has here.
static void saved_friction_is_the_same_in_mujoco(void **state)
{
  (void)state;
  static const char text[] =
      "<mujoco><worldbody><body name='a' pos='0 0 1'><freejoint/><geom name='a' size='0.1' friction='0.9'/></body>"
      "<body name='b' pos='0.1 0 1'><freejoint/><geom name='b' size='0.1' friction='0.4'/></body>"
      "<body name='c' pos='0 0.1 1'><freejoint/><geom name='c' size='0.1' friction='0.6'/></body></worldbody></mujoco>";
  const ffi_mjcf_text t = ffi_mjcf_text_load(text);
  ff_saved saved;
  ff_error error;
  ffi_must(ff_model_save_text(t.ff, FF_MODEL_MJCF, "saved", &saved, &error), &error);
  const ffi_mjcf_text again = ffi_mjcf_text_load(saved.text);
  mj_forward(again.mj, again.data);
  assert_int_equal(again.data->ncon, 3);
  for (int c = 0; c < 3; ++c)
    assert_int_equal(differing(t.ff, again.mj, &again.data->contact[c]), 0);
  ff_saved_free(&saved);
  ffi_mjcf_text_free(&t);
  ffi_mjcf_text_free(&again);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_on_a_floor_have_mujocos_friction),
      cmocka_unit_test(what_is_not_mujocos_is_said),
      cmocka_unit_test(one_robot_has_no_warning),
      cmocka_unit_test(saved_friction_is_the_same_in_mujoco),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
