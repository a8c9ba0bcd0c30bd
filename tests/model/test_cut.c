// Cut models: what they keep, and where their joints go.
#include "model/cut_cases.h"
#include "support/cut_constraints.h"
#include "support/must.h"
#include "support/near.h"
#include "support/random_state.h"
#include "support/robots.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void starleth_has_the_sizes_of_the_paper(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("starleth.urdf");
  ff_cut_def def = ff_cut_def_default();
  static const int nv[3] = {18, 38, 78}, rows[3] = {0, 20, 60}; // Moreau paper, section on coordinates
  for (ff_cut_set set = FF_CUT_MINIMAL; set <= FF_CUT_MAXIMAL; ++set) {
    ff_cut *cut;
    ff_error error;
    def.set = set; // without any drop: nothing of it is lost
    ffi_must(ff_cut_create(model, &def, &cut, &error), &error);
    const ff_model *pieces = ff_cut_model(cut);
    assert_int_equal(ff_model_get_size(pieces).nv, nv[set]);
    assert_int_equal(ffi_cut_constraints_count(pieces), rows[set]);
    assert_int_equal(ff_cut_count(cut), rows[set] / 5);
    assert_ptr_equal(ff_cut_source(cut), model);
    ff_cut_destroy(cut);
  }
  ff_model_destroy(model);
}

// Pieces float with their centres of mass: the mass matrix of the maximal set has blocks (m 1, I) and is the same
// everywhere.
static void the_mass_matrix_of_the_maximal_set_is_constant(void **state)
{
  enum { NV = 78 };
  (void)state;
  ff_model *model = ffi_robot("starleth.urdf");
  ff_cut *cut = ffi_cut_constraints_cut(model, FF_CUT_MAXIMAL);
  ff_dynamics *d = ffi_cut_dynamics(ff_cut_model(cut));
  static double M[2][NV * NV], q[NV / 6 * 7];
  ffi_random random = ffi_random_seed(9);
  for (int n = 0; n < 2; ++n) {
    ffi_random_q(&random, ff_cut_model(cut), q);
    ff_dynamics_crba(d, q);
    ff_dynamics_mass_matrix(d, M[n]);
  }
  ffi_check_near("M at two places", ffi_gap(NV * NV, M[0], M[1]), 0,
                 1e-14); // 17 kg of trunk, tenths of others
  for (int i = 0; i < NV; ++i)
    for (int k = 0; k < NV; ++k) {
      const int is_apart = i / 6 != k / 6, is_crossed = i / 3 != k / 3, is_shift = i % 6 < 3 && i != k;
      if (is_apart || is_crossed || is_shift)
        ffi_check_near("M", M[0][i * NV + k], 0, 1e-15); // kg m
    }
  ff_dynamics_destroy(d);
  ff_cut_destroy(cut);
  ff_model_destroy(model);
}

// What a cut joint becomes: a free joint, and an element between the frames of the link and of its seat.
typedef struct joint_cut {
  const char *joint, *free_joint, *element;
  ff_element_type type;
  const char *link, *seat;
} joint_cut;

static void expect_held(const ff_cut *cut, const joint_cut *want)
{
  const ff_model *pieces = ff_cut_model(cut);
  ff_cut_joint at;
  ff_joint_info info;
  ff_element_def def;
  ff_frame_info a, b;
  assert_int_equal(ff_cut_get_joint(cut, ff_model_find_joint(ff_cut_source(cut), want->joint), &at), FF_OK);
  assert_true(at.is_cut);
  ff_model_joint(pieces, at.joint, &info);
  assert_string_equal(info.name, want->free_joint);
  assert_int_equal(info.type, FF_JOINT_FREE);
  assert_int_equal(ff_model_element(pieces, at.element, &def), FF_OK);
  assert_string_equal(def.name, want->element);
  assert_int_equal(def.type, want->type);
  assert_true(def.is_rigid);
  ff_model_frame(pieces, def.a.frame, &a);
  ff_model_frame(pieces, def.b.frame, &b);
  assert_string_equal(a.name, want->link);
  assert_string_equal(b.name, want->seat);
}

static void a_cut_model_keeps_everything(void **state)
{
  (void)state;
  ff_model *model = ffi_cut_workshop();
  ff_cut *cut = ffi_cut_of_workshop(model);
  const ff_model *pieces = ff_cut_model(cut);
  const ff_model_size s = ff_model_get_size(model), c = ff_model_get_size(pieces);
  expect_held(cut, &(joint_cut){"turn", "crane_free", "turn", FF_ELEMENT_HINGE, "crane", "turn_frame"});
  expect_held(cut, &(joint_cut){"run", "trolley_free", "run_", FF_ELEMENT_SLIDER, "trolley", "run_frame"});
  expect_held(cut, &(joint_cut){"sling", "hook_free_", "sling", FF_ELEMENT_POINT, "hook", "sling_frame"});
  expect_held(cut, &(joint_cut){"pin", "needle_free", "pin", FF_ELEMENT_HINGE, "needle", "pin_frame_"});
  expect_held(cut, &(joint_cut){"glide", "puck_free", "glide", FF_ELEMENT_PLANAR, "puck", "glide_frame"});
  assert_true(c.links == s.links + 5 && c.shapes == s.shapes && c.joints == s.joints &&
              c.actuators == s.actuators);
  assert_true(c.frames == s.frames + 10 && c.elements == s.elements + 5 && c.postures == s.postures);
  assert_int_equal(c.warnings, 1);
  assert_non_null(strstr(ff_model_warning(pieces, 0), "mind the oar"));
  assert_string_equal(ff_model_name(pieces), "workshop");
  double gravity[3];
  ff_model_gravity(pieces, gravity);
  assert_true(gravity[0] == 1 && gravity[1] == 2 && gravity[2] == 3);
  ffi_check_near("mass", ff_model_mass(pieces), ff_model_mass(model),
                 16 * DBL_EPSILON * ff_model_mass(model));
  for (int i = 0; i < s.shapes; ++i) { // the same numbers
    ff_shape_info a, b;
    ff_link_info la, lb;
    ff_model_shape(model, i, &a);
    ff_model_shape(pieces, i, &b);
    ff_model_link(model, a.link, &la);
    ff_model_link(pieces, b.link, &lb);
    assert_string_equal(la.name, lb.name);
  }
  ff_cut_joint rowlock;
  ff_actuator_info motor;
  assert_int_equal(ff_cut_get_joint(cut, ff_model_find_joint(model, "rowlock"), &rowlock), FF_OK);
  assert_true(!rowlock.is_cut && rowlock.element == -1);
  ff_model_actuator(pieces, 0, &motor);
  assert_int_equal(motor.joint, rowlock.joint);
  assert_int_equal(ff_cut_get_joint(cut, s.joints, &rowlock), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_cut_get_joint(cut, -1, &rowlock), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_cut_get_joint(cut, 0, NULL), FF_ERROR_ARGUMENT);
  ff_cut_destroy(cut);
  ff_model_destroy(model);
}

static void postures_and_the_neutral_place_are_the_same(void **state)
{
  (void)state;
  ff_model *models[] = {ffi_cut_workshop(), ffi_robot("starleth.urdf"), ffi_robot("solo12.urdf"),
                        ffi_robot("romeo.urdf")};
  ffi_margin margin = {.what = "postures", .tolerance = 1e-13}; // 500 eps: chains of ten joints, metres
  for (int i = 0; i < 4; ++i) {
    ff_cut *cut = i == 0   ? ffi_cut_of_workshop(models[i])
                  : i == 1 ? ffi_cut_constraints_cut_at_joints(models[i], FF_CUT_MAXIMAL)
                           : ffi_cut_constraints_cut(models[i], FF_CUT_MAXIMAL);
    const ff_model *pieces = ff_cut_model(cut);
    const int count = ff_model_get_size(models[i]).postures;
    double *q = ffi_cut_numbers(ff_model_get_size(models[i]).nq),
           *q_cut = ffi_cut_numbers(ff_model_get_size(pieces).nq);
    ff_model_neutral(models[i], q);
    ff_model_neutral(pieces, q_cut);
    ffi_margin_add(&margin, ffi_cut_frames_apart(cut, q, q_cut), i);
    for (int p = 0; p < count; ++p) {
      assert_string_equal(ff_model_posture_name(pieces, p), ff_model_posture_name(models[i], p));
      ffi_margin_add(
          &margin, ffi_cut_frames_apart(cut, ff_model_posture(models[i], p), ff_model_posture(pieces, p)), i);
    }
    free(q);
    free(q_cut);
    ff_cut_destroy(cut);
    ff_model_destroy(models[i]);
  }
  ffi_margin_check(&margin);
}

static void names_of_sets(void **state)
{
  (void)state;
  for (ff_cut_set set = FF_CUT_MINIMAL; set <= FF_CUT_LISTED; ++set) {
    ff_cut_set found;
    assert_int_equal(ff_cut_set_find(ff_cut_set_name(set), &found), 1);
    assert_int_equal(found, set);
  }
  ff_cut_set found = FF_CUT_LISTED;
  assert_int_equal(ff_cut_set_find("most", &found), 0);
  assert_int_equal(ff_cut_set_find(NULL, &found), 0);
  assert_string_equal(ff_cut_set_name((ff_cut_set)-1), "unknown");
  assert_string_equal(ff_cut_set_name(FF_CUT_EXTENDED), "extended");
  ff_cut_destroy(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starleth_has_the_sizes_of_the_paper),
      cmocka_unit_test(the_mass_matrix_of_the_maximal_set_is_constant),
      cmocka_unit_test(a_cut_model_keeps_everything),
      cmocka_unit_test(postures_and_the_neutral_place_are_the_same),
      cmocka_unit_test(names_of_sets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
