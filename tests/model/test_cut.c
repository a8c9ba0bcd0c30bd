// Cut models: what they keep, where their joints go, and the state of a robot spread over its pieces and gathered again.
#include "support/alloc_counter.h"
#include "support/held.h"
#include "support/must.h"
#include "support/near.h"
#include "support/random_model.h"

#include <footfall/load.h>

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double *numbers(int count)
{
  return calloc((size_t)count + 1, sizeof(double));
}

static ff_model *load(const char *file)
{
  char path[512];
  ff_model *model;
  ff_error error;
  snprintf(path, sizeof path, "%s/models/%s", FFI_TEST_SOURCE_DIR, file);
  ffi_must(ff_model_load(path, NULL, &model, &error), &error);
  return model;
}

static ff_dynamics *dynamics_of(const ff_model *model)
{
  ff_dynamics *d;
  ff_error error;
  ffi_must(ff_dynamics_create(model, NULL, &d, &error), &error);
  return d;
}

// Every joint of a forest that an element can hold, with a chance.
static ff_cut *cut_forest(const ff_model *model, ffi_random *random, double probability)
{
  const char *names[FFI_FOREST_LINKS];
  ff_cut_def def = ff_cut_def_default();
  ff_joint_info joint;
  ff_error error;
  ff_cut *cut;
  def.set = FF_CUT_LISTED;
  def.joints = names;
  def.drop_limits = def.drop_friction = def.drop_springs = def.drop_damping =
      1; // armature is part of the energy
  for (int j = 0; ff_model_joint(model, j, &joint) == FF_OK; ++j)
    if (joint.type != FF_JOINT_FREE && joint.armature == 0 && ffi_random_chance(random, probability))
      names[def.joint_count++] = joint.name;
  if (def.joint_count == 0)
    return NULL;
  ffi_must(ff_cut_create(model, &def, &cut, &error), &error);
  return cut;
}

// ---- What a cut model is --------------------------------------------------------------------------------------------

static void starleth_has_the_sizes_of_the_paper(void **state)
{
  (void)state;
  ff_model *model = load("starleth.urdf");
  ff_cut_def def = ff_cut_def_default();
  static const int nv[3] = {18, 38, 78}, rows[3] = {0, 20, 60}; // Moreau paper, section on coordinates
  for (ff_cut_set set = FF_CUT_MINIMAL; set <= FF_CUT_MAXIMAL; ++set) {
    ff_cut *cut;
    ff_error error;
    def.set = set; // without any drop: nothing of it is lost
    ffi_must(ff_cut_create(model, &def, &cut, &error), &error);
    const ff_model *pieces = ff_cut_model(cut);
    assert_int_equal(ff_model_get_size(pieces).nv, nv[set]);
    assert_int_equal(ffi_held_count(pieces), rows[set]);
    assert_int_equal(ff_cut_count(cut), rows[set] / 5);
    assert_ptr_equal(ff_cut_source(cut), model);
    ff_cut_destroy(cut);
  }
  ff_model_destroy(model);
}

// Pieces float with their centres of mass: the mass matrix of the maximal set has blocks (m 1, I) and is the same everywhere.
static void the_mass_matrix_of_the_maximal_set_is_constant(void **state)
{
  enum { NV = 78 };
  (void)state;
  ff_model *model = load("starleth.urdf");
  ff_cut *cut = ffi_held_cut(model, FF_CUT_MAXIMAL);
  ff_dynamics *d = dynamics_of(ff_cut_model(cut));
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

// All types of joints, things on them, and names that are in the way.
static ff_model *workshop(void)
{
  ff_builder *b = ffi_must_begin("workshop");
  ff_error error;
  static const struct {
    const char *name, *joint;
    ff_joint_type type;
    int parent;
  } links[] = {
      {"bench", "bench_bolt", FF_JOINT_FIXED, FF_WORLD},
      {"crane", "turn", FF_JOINT_CONTINUOUS, 0},
      {"trolley", "run", FF_JOINT_PRISMATIC, 1},
      {"hook", "sling", FF_JOINT_SPHERICAL, 2},
      {"tip", "glue", FF_JOINT_FIXED, 3},
      {"needle", "pin", FF_JOINT_REVOLUTE, 4},
      {"puck", "glide", FF_JOINT_PLANAR, FF_WORLD},
      {"boat", "hook_free", FF_JOINT_FREE, FF_WORLD},
      {"oar", "rowlock", FF_JOINT_REVOLUTE, 7},
  };
  ffi_random random = ffi_random_seed(5);
  for (size_t i = 0; i < sizeof links / sizeof links[0]; ++i) {
    ff_link_def link = ff_link_def_default();
    link.name = links[i].name;
    link.parent = links[i].parent;
    link.joint.name = links[i].joint;
    link.joint.type = links[i].type;
    link.joint.pose = ffi_random_pose(&random);
    ffi_random_direction(&random, link.joint.axis);
    link.inertia = ffi_random_inertia(&random);
    const int id = ffi_must_add_link(b, &link);
    ff_shape_def shape = ff_shape_def_default();
    shape.size[0] = 0.1;
    ffi_must_add_shape(b, id, &shape);
  }
  const ff_pose pose = ffi_random_pose(&random);
  ffi_must(ff_builder_add_frame(b, 3, "eye", &pose, &error), &error);
  ffi_must(ff_builder_add_frame(b, FF_WORLD, "pin_frame", &pose, &error), &error);
  ff_element_def rope = ff_element_def_default();
  rope.name = "run";
  rope.type = FF_ELEMENT_POINT;
  rope.stiffness = 7;
  ffi_must(ff_builder_add_element(b, &rope, "eye", "boat", &error), &error);
  ff_actuator_def motor = ff_actuator_def_default();
  motor.name = "motor";
  motor.link = 8;
  ffi_must(ff_builder_add_actuator(b, &motor, &error), &error);
  const double turned = 0.5, gravity[3] = {1, 2, 3};
  ffi_must(ff_builder_set_posture(b, "ready", 1, &turned, 1, &error), &error);
  ffi_must(ff_builder_set_gravity(b, gravity, &error), &error);
  ffi_must(ff_builder_add_warning(b, "mind the oar", &error), &error);
  return ffi_must_finish(b);
}

static ff_cut *cut_workshop(const ff_model *model)
{
  static const char *const joints[] = {"pin", "glide", "turn", "run", "sling"};
  ff_cut_def def = ff_cut_def_default();
  ff_error error;
  ff_cut *cut;
  def.set = FF_CUT_LISTED;
  def.joints = joints;
  def.joint_count = 5;
  def.place = FF_CUT_AT_CENTRES; // which makes the most of it: a link more for each piece
  ffi_must(ff_cut_create(model, &def, &cut, &error), &error);
  return cut;
}

static void expect_held(const ff_cut *cut, const char *joint, const char *free_joint, const char *element,
                        ff_element_type type, const char *link, const char *seat)
{
  const ff_model *pieces = ff_cut_model(cut);
  ff_cut_joint at;
  ff_joint_info info;
  ff_element_def def;
  ff_frame_info a, b;
  assert_int_equal(ff_cut_get_joint(cut, ff_model_find_joint(ff_cut_source(cut), joint), &at), FF_OK);
  assert_true(at.is_cut);
  ff_model_joint(pieces, at.joint, &info);
  assert_string_equal(info.name, free_joint);
  assert_int_equal(info.type, FF_JOINT_FREE);
  assert_int_equal(ff_model_element(pieces, at.element, &def), FF_OK);
  assert_string_equal(def.name, element);
  assert_int_equal(def.type, type);
  assert_true(def.is_rigid);
  ff_model_frame(pieces, def.a.frame, &a);
  ff_model_frame(pieces, def.b.frame, &b);
  assert_string_equal(a.name, link);
  assert_string_equal(b.name, seat);
}

static void a_cut_model_keeps_everything(void **state)
{
  (void)state;
  ff_model *model = workshop();
  ff_cut *cut = cut_workshop(model);
  const ff_model *pieces = ff_cut_model(cut);
  const ff_model_size s = ff_model_get_size(model), c = ff_model_get_size(pieces);
  expect_held(cut, "turn", "crane_free", "turn", FF_ELEMENT_HINGE, "crane", "turn_frame");
  expect_held(cut, "run", "trolley_free", "run_", FF_ELEMENT_SLIDER, "trolley", "run_frame");
  expect_held(cut, "sling", "hook_free_", "sling", FF_ELEMENT_POINT, "hook", "sling_frame");
  expect_held(cut, "pin", "needle_free", "pin", FF_ELEMENT_HINGE, "needle", "pin_frame_");
  expect_held(cut, "glide", "puck_free", "glide", FF_ELEMENT_PLANAR, "puck", "glide_frame");
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

// Every frame of the source, in pieces that come from a q of the source. Places are within 10 m or so.
static double frames_apart(const ff_cut *cut, const double *q, const double *q_cut)
{
  const ff_model *source = ff_cut_source(cut), *pieces = ff_cut_model(cut);
  ff_dynamics *d = dynamics_of(source), *d_cut = dynamics_of(pieces);
  double worst = 0;
  ff_dynamics_kinematics(d, q, NULL, NULL);
  ff_dynamics_kinematics(d_cut, q_cut, NULL, NULL);
  for (int f = 0; f < ff_model_get_size(source).frames; ++f) {
    ff_frame_info info;
    double p[2][3], R[2][9];
    ff_model_frame(source, f, &info);
    ff_dynamics_frame_pose(d, f, p[0], R[0]);
    ff_dynamics_frame_pose(d_cut, ff_model_find_frame(pieces, info.name), p[1], R[1]);
    worst = fmax(worst, fmax(ffi_gap(3, p[0], p[1]), ffi_gap(9, R[0], R[1])));
  }
  ff_dynamics_destroy(d);
  ff_dynamics_destroy(d_cut);
  return worst;
}

static void postures_and_the_neutral_place_are_the_same(void **state)
{
  (void)state;
  ff_model *models[] = {workshop(), load("starleth.urdf"), load("solo12.urdf"), load("romeo.urdf")};
  ffi_margin margin = {.what = "postures", .tolerance = 1e-13}; // 500 eps: chains of ten joints, metres
  for (int i = 0; i < 4; ++i) {
    ff_cut *cut = i == 0   ? cut_workshop(models[i])
                  : i == 1 ? ffi_held_cut_at_joints(models[i], FF_CUT_MAXIMAL)
                           : ffi_held_cut(models[i], FF_CUT_MAXIMAL);
    const ff_model *pieces = ff_cut_model(cut);
    const int count = ff_model_get_size(models[i]).postures;
    double *q = numbers(ff_model_get_size(models[i]).nq), *q_cut = numbers(ff_model_get_size(pieces).nq);
    ff_model_neutral(models[i], q);
    ff_model_neutral(pieces, q_cut);
    ffi_margin_add(&margin, frames_apart(cut, q, q_cut), i);
    for (int p = 0; p < count; ++p) {
      assert_string_equal(ff_model_posture_name(pieces, p), ff_model_posture_name(models[i], p));
      ffi_margin_add(&margin, frames_apart(cut, ff_model_posture(models[i], p), ff_model_posture(pieces, p)),
                     i);
    }
    free(q);
    free(q_cut);
    ff_cut_destroy(cut);
    ff_model_destroy(models[i]);
  }
  ffi_margin_check(&margin);
}

// ---- State ----------------------------------------------------------------------------------------------------------

typedef struct margins {
  ffi_margin place, energy, momentum, gap, rate, back_q, back_v, power;
} margins;

// Sums of up to forty links, places within tens of metres, velocities up to tens per second: thousands of roundings of their size.
static margins new_margins(void)
{
  const double tolerance = 1e-12;
  return (margins){
      .place = {.what = "frames", .tolerance = tolerance},
      .energy = {.what = "energies", .tolerance = tolerance},
      .momentum = {.what = "momentum", .tolerance = tolerance},
      .gap = {.what = "gaps", .tolerance = tolerance},
      .rate = {.what = "rates of gaps", .tolerance = tolerance},
      .back_q = {.what = "q again", .tolerance = tolerance},
      .back_v = {.what = "v again", .tolerance = tolerance},
      .power = {.what = "power", .tolerance = tolerance},
  };
}

static void check_margins(const margins *m)
{
  const ffi_margin *all[] = {&m->place, &m->energy, &m->momentum, &m->gap,
                             &m->rate,  &m->back_q, &m->back_v,   &m->power};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
    ffi_margin_check(all[i]);
}

static void compare_motion(const ff_cut *cut, const double *q, const double *v, const double *q_cut,
                           const double *v_cut, margins *m, int where)
{
  ff_dynamics *d[2] = {dynamics_of(ff_cut_source(cut)), dynamics_of(ff_cut_model(cut))};
  double kinetic[2], potential[2], momentum[2][6];
  ff_dynamics_kinematics(d[0], q, v, NULL);
  ff_dynamics_kinematics(d[1], q_cut, v_cut, NULL);
  for (int i = 0; i < 2; ++i) {
    ff_dynamics_kinetic_energy(d[i], &kinetic[i]);
    ff_dynamics_potential_energy(d[i], &potential[i]);
    ff_dynamics_momentum(d[i], momentum[i]);
    ff_dynamics_destroy(d[i]);
  }
  ffi_margin_add(&m->energy, fabs(kinetic[1] - kinetic[0]) / (1 + kinetic[0]), where);
  ffi_margin_add(&m->energy, fabs(potential[1] - potential[0]) / (1 + fabs(potential[0])), where);
  ffi_margin_add(&m->momentum, ffi_gap(6, momentum[1], momentum[0]) / (1 + ffi_size(6, momentum[0])), where);
}

static void compare_rows(const ff_model *pieces, const double *q_cut, const double *v_cut, margins *m,
                         int where)
{
  const int rows = ffi_held_count(pieces), nv = ff_model_get_size(pieces).nv;
  double *J = numbers(rows * nv), *gap = numbers(rows), scale = 1 + ffi_size(nv, v_cut);
  ff_dynamics *d = dynamics_of(pieces);
  ffi_held_place(d, pieces, q_cut, J, gap);
  ffi_margin_add(&m->gap, ffi_size(rows, gap) / (1 + ffi_size(ff_model_get_size(pieces).nq, q_cut)), where);
  for (int r = 0; r < rows; ++r) {
    double u = 0;
    for (int k = 0; k < nv; ++k)
      u += J[r * nv + k] * v_cut[k];
    ffi_margin_add(&m->rate, fabs(u) / scale, where);
  }
  ff_dynamics_destroy(d);
  free(J);
  free(gap);
}

static void try_state(const ff_cut *cut, ffi_random *random, margins *m, int where)
{
  const ff_model *source = ff_cut_source(cut), *pieces = ff_cut_model(cut);
  const ff_model_size s = ff_model_get_size(source), c = ff_model_get_size(pieces);
  double *q = numbers(s.nq), *v = numbers(s.nv), *q2 = numbers(s.nq), *v2 = numbers(s.nv),
         *dv = numbers(s.nv);
  double *q_cut = numbers(c.nq), *v_cut = numbers(c.nv), *tau = numbers(s.nv), *tau_cut = numbers(c.nv);
  ffi_random_q(random, source, q);
  ffi_random_vector(random, s.nv, 2, v);
  ffi_random_vector(random, s.nv, 3, tau);
  const long before = ffi_test_alloc_count();
  ff_cut_spread(cut, q, v, q_cut, v_cut);
  ff_cut_gather(cut, q_cut, v_cut, q, q2, v2);
  ff_cut_tau(cut, q_cut, tau, tau_cut);
  assert_int_equal(ffi_test_alloc_count(), before);

  ffi_margin_add(&m->place, frames_apart(cut, q, q_cut) / (1 + ffi_size(c.nq, q_cut)), where);
  compare_motion(cut, q, v, q_cut, v_cut, m, where);
  compare_rows(pieces, q_cut, v_cut, m, where);
  ff_model_difference(source, q, q2, dv);
  const double scale = 1 + ffi_size(c.nv, v_cut);
  ffi_margin_add(&m->back_q, ffi_size(s.nv, dv) / (1 + ffi_size(c.nq, q_cut)), where);
  ffi_margin_add(&m->back_v, ffi_gap(s.nv, v2, v) / scale, where);
  double power[2] = {0, 0};
  for (int k = 0; k < s.nv; ++k)
    power[0] += tau[k] * v[k];
  for (int k = 0; k < c.nv; ++k)
    power[1] += tau_cut[k] * v_cut[k];
  ffi_margin_add(&m->power, fabs(power[1] - power[0]) / ((1 + ffi_size(c.nv, tau_cut)) * scale), where);

  // Without rates, and without knowing the turns: angles within half a turn, the same place.
  double *q3 = numbers(c.nq);
  ff_cut_spread(cut, q, NULL, q3, NULL);
  assert_memory_equal(q3, q_cut, (size_t)c.nq * sizeof *q3);
  ff_cut_gather(cut, q_cut, NULL, NULL, q2, NULL);
  ff_joint_info joint;
  ff_cut_joint at;
  for (int j = 0; ff_model_joint(source, j, &joint) == FF_OK && ff_cut_get_joint(cut, j, &at) == FF_OK; ++j)
    if (at.is_cut && (joint.type == FF_JOINT_REVOLUTE || joint.type == FF_JOINT_CONTINUOUS))
      assert_true(fabs(q2[joint.q]) <= 3.1416 &&
                  fabs(remainder(q2[joint.q] - q[joint.q], 2 * acos(-1))) < 1e-12);
  ffi_margin_add(&m->place, frames_apart(cut, q2, q_cut) / (1 + ffi_size(c.nq, q_cut)), where);
  double *arrays[] = {q, v, q2, v2, dv, q_cut, v_cut, tau, tau_cut, q3};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
    free(arrays[i]);
}

static void robots_come_back_from_their_pieces(void **state)
{
  static const char *const files[] = {"starleth.urdf", "solo12.urdf", "romeo.urdf"};
  (void)state;
  margins m = new_margins();
  for (int i = 0; i < 3; ++i) {
    ff_model *model = load(files[i]);
    ffi_random random = ffi_random_seed((uint64_t)i + 7);
    for (ff_cut_set set = FF_CUT_MINIMAL; set <= FF_CUT_MAXIMAL; ++set) {
      for (int at_joints = 0; at_joints < 2; ++at_joints) {
        ff_cut *cut = at_joints ? ffi_held_cut_at_joints(model, set) : ffi_held_cut(model, set);
        for (int n = 0; n < 10; ++n)
          try_state(cut, &random, &m, i);
        ff_cut_destroy(cut);
      }
    }
    ff_model_destroy(model);
  }
  check_margins(&m);
}

static void forests_come_back_from_their_pieces(void **state)
{
  (void)state;
  margins m = new_margins();
  for (int i = 0; i < 60; ++i) {
    ffi_forest forest;
    ffi_random random = ffi_random_seed((uint64_t)i + 50);
    ffi_forest_number(i, 0, &forest);
    for (int n = 0; n < 3; ++n) {
      ff_cut *cut = cut_forest(forest.model, &random, n == 0 ? 1 : 0.4);
      if (cut)
        try_state(cut, &random, &m, i);
      ff_cut_destroy(cut);
    }
    ffi_forest_free(&forest);
  }
  check_margins(&m);
}

// Pieces that have drifted: what the joints cannot do is left out, what they can do is kept.
static void gathering_leaves_drift_out(void **state)
{
  enum { ROPE = 3, HELD = 5 + 5 + 3 + 5 + 3 }; // rows; the rope is a spring, and long
  (void)state;
  ff_model *model = workshop();
  ff_cut *cut = cut_workshop(model);
  const ff_model *pieces = ff_cut_model(cut);
  const ff_model_size s = ff_model_get_size(model), c = ff_model_get_size(pieces);
  double *q = numbers(s.nq), *q2 = numbers(s.nq), *q_cut = numbers(c.nq), *dv = numbers(c.nv),
         *gap = numbers(50);
  ffi_random random = ffi_random_seed(3);
  ff_dynamics *d = dynamics_of(pieces);
  ffi_random_q(&random, model, q);
  ff_cut_spread(cut, q, NULL, q_cut, NULL);
  ffi_random_vector(&random, c.nv, 1e-3, dv);
  ff_model_integrate(pieces, q_cut, dv, q_cut);
  ffi_held_place(d, pieces, q_cut, NULL, gap);
  assert_true(ffi_size(HELD, gap + ROPE) > 1e-4);
  ff_cut_gather(cut, q_cut, NULL, q, q2, NULL);
  double *change = numbers(s.nv);
  ff_model_difference(model, q, q2, change);
  assert_true(ffi_size(s.nv, change) > 1e-5 && ffi_size(s.nv, change) < 0.02); // arms of a few metres
  ff_cut_spread(cut, q2, NULL, q_cut, NULL);
  ffi_held_place(d, pieces, q_cut, NULL, gap);
  ffi_check_near("gap after gather and spread", ffi_size(HELD, gap + ROPE), 0, 1e-13);
  ff_dynamics_destroy(d);
  double *arrays[] = {q, q2, q_cut, dv, gap, change};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
    free(arrays[i]);
  ff_cut_destroy(cut);
  ff_model_destroy(model);
}

// What was cut can be cut again, and means the same.
static void a_cut_model_can_be_cut(void **state)
{
  (void)state;
  ff_model *model = load("starleth.urdf");
  ff_cut *legs = ffi_held_cut(model, FF_CUT_EXTENDED),
         *all = ffi_held_cut(ff_cut_model(legs), FF_CUT_MAXIMAL);
  assert_int_equal(ff_model_get_size(ff_cut_model(all)).nv, 78);
  assert_int_equal(ffi_held_count(ff_cut_model(all)), 60);
  double q[64], middle[128], q_cut[128];
  ffi_random random = ffi_random_seed(1);
  ffi_random_q(&random, model, q);
  ff_cut_spread(legs, q, NULL, middle, NULL);
  ff_cut_spread(all, middle, NULL, q_cut, NULL);
  ff_dynamics *d = dynamics_of(ff_cut_model(all));
  double gap[60];
  ffi_held_place(d, ff_cut_model(all), q_cut, NULL, gap);
  ffi_check_near("gaps", ffi_size(60, gap), 0, 1e-13);
  ff_dynamics_destroy(d);
  ff_cut_destroy(all);
  ff_cut_destroy(legs);
  ff_model_destroy(model);
}

// ---- Refusals -------------------------------------------------------------------------------------------------------

static void expect_refusal(const ff_model *model, const ff_cut_def *def, ff_status want, const char *words)
{
  ff_error error = {0};
  ff_cut *cut = (ff_cut *)&error;
  const ff_status status = ff_cut_create(model, def, &cut, &error);
  if (status != want || cut || !strstr(error.message, words))
    fail_msg("status %d, '%s'; wanted %d, '%s'", (int)status, error.message, (int)want, words);
  assert_int_equal(ff_cut_create(model, def, &cut, NULL), want);
}

static void bad_lists_are_refused(void **state)
{
  (void)state;
  ff_model *model = workshop();
  const char *names[2] = {"pin", "pin"};
  ff_cut_def def = ff_cut_def_default();
  static const struct {
    const char *name;
    ff_status status;
    const char *words;
  } cases[] = {
      {"knee", FF_ERROR_ARGUMENT, "joint 'knee': the model has no joint of this name"},
      {"", FF_ERROR_ARGUMENT, "the model has no joint of this name"},
      {"glue", FF_ERROR_ARGUMENT, "joint 'glue': it is fixed, so there is nothing to cut"},
      {"hook_free", FF_ERROR_ARGUMENT, "joint 'hook_free': it is free, so what it carries floats already"},
      {"pin", FF_ERROR_ARGUMENT, "joint 'pin': it is listed twice"},
      {NULL, FF_ERROR_ARGUMENT, "joints[1] is NULL"},
  };
  def.set = FF_CUT_LISTED;
  def.joints = names;
  def.joint_count = 2;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    names[1] = cases[i].name;
    expect_refusal(model, &def, cases[i].status, cases[i].words);
  }
  def.joint_count = 0;
  expect_refusal(model, &def, FF_ERROR_MODEL, "the list of joints is empty");
  def.joint_count = -1;
  expect_refusal(model, &def, FF_ERROR_ARGUMENT, "joint_count is -1");
  def.joint_count = 1;
  def.joints = NULL;
  expect_refusal(model, &def, FF_ERROR_ARGUMENT, "joints is NULL");
  def.set = (ff_cut_set)9;
  expect_refusal(model, &def, FF_ERROR_ARGUMENT, "there is no set 9");
  def.set = FF_CUT_MAXIMAL;
  expect_refusal(NULL, &def, FF_ERROR_ARGUMENT, "an argument is NULL");
  assert_int_equal(ff_cut_create(model, NULL, NULL, NULL), FF_ERROR_ARGUMENT);
  ff_model_destroy(model);
  model = load("ball.urdf");
  expect_refusal(model, &def, FF_ERROR_MODEL, "no joint can be cut");
  def.set = FF_CUT_EXTENDED;
  expect_refusal(model, &def, FF_ERROR_MODEL, "no joint hangs on a root body");
  ff_model_destroy(model);
}

typedef enum loss { ARMATURE, LIMITS, DAMPING, FRICTION, SPRING, SERVO, PD, STOP, LOSSES } loss;

// A pendulum whose joint has one of these.
static ff_model *lossy(loss what)
{
  ff_builder *b = ffi_must_begin("pendulum");
  ff_link_def link = ff_link_def_default();
  ff_error error;
  link.name = "rod";
  link.joint.name = "hinge";
  link.joint.type = FF_JOINT_REVOLUTE;
  link.joint.axis[1] = 1;
  link.inertia = (ff_inertia){.mass = 1, .matrix = {1, 0, 0, 1, 0, 1}};
  link.joint.armature = what == ARMATURE;
  link.joint.has_limits = what == LIMITS;
  link.joint.upper = 1;
  link.joint.damping = what == DAMPING;
  link.joint.friction = what == FRICTION;
  link.joint.stiffness = what == SPRING;
  link.joint.effort = link.joint.velocity = 3; // of motors, which are no loss
  ffi_must_add_link(b, &link);
  ff_actuator_def motor = ff_actuator_def_default();
  motor.link = 0;
  ffi_must(ff_builder_add_actuator(b, &motor, &error), &error);
  motor.type = FF_ACTUATOR_VELOCITY;
  motor.kv = 1;
  if (what == SERVO)
    ffi_must(ff_builder_add_actuator(b, &motor, &error), &error);
  ff_element_def element = ff_element_def_default();
  element.type = what == STOP ? FF_ELEMENT_JOINT_LIMIT : FF_ELEMENT_JOINT_PD;
  element.lower = -1;
  if (what == STOP || what == PD)
    ffi_must(ff_builder_add_element(b, &element, "hinge", NULL, &error), &error);
  return ffi_must_finish(b);
}

static void what_would_be_lost_is_refused_unless_it_may_be(void **state)
{
  static const char *const words[LOSSES] = {"its armature", "its limits", "its damping", "its dry friction",
                                            "its spring",   "its servo",  "its servo",   "its limits"};
  (void)state;
  for (loss what = ARMATURE; what < LOSSES; ++what) {
    ff_model *model = lossy(what);
    ff_cut_def def = ff_cut_def_default();
    ff_error error;
    ff_cut *cut;
    char text[64];
    def.set = FF_CUT_MAXIMAL;
    // Allowed: everything else.
    def.drop_armature = what != ARMATURE;
    def.drop_limits = what != LIMITS && what != STOP;
    def.drop_damping = what != DAMPING;
    def.drop_friction = what != FRICTION;
    def.drop_springs = what != SPRING;
    def.drop_servos = what != SERVO && what != PD;
    snprintf(text, sizeof text, "joint 'hinge': cut, it would lose %s;", words[what]);
    expect_refusal(model, &def, FF_ERROR_UNSUPPORTED, text);
    def.drop_armature = def.drop_limits = def.drop_damping = def.drop_friction = def.drop_springs =
        def.drop_servos = 1;
    ffi_must(ff_cut_create(model, &def, &cut, &error), &error);
    assert_int_equal(ff_model_get_size(ff_cut_model(cut)).actuators, 0);
    assert_int_equal(ff_model_get_size(ff_cut_model(cut)).elements, 1);
    ff_cut_destroy(cut);
    ff_model_destroy(model);
  }
}

// A link without mass is fine on a joint whose child is heavy, but not afloat.
static void a_piece_needs_inertia(void **state)
{
  (void)state;
  ff_builder *b = ffi_must_begin("cardan");
  ff_link_def link = ff_link_def_default();
  link.name = "cross";
  link.joint.type = FF_JOINT_REVOLUTE;
  link.joint.axis[0] = 1;
  const int cross = ffi_must_add_link(b, &link);
  link.name = "rod";
  link.parent = cross;
  link.joint.axis[1] = 1;
  link.inertia = (ff_inertia){.mass = 1, .matrix = {1, 0, 0, 1, 0, 1}};
  ffi_must_add_link(b, &link);
  ff_model *model = ffi_must_finish(b);
  ff_cut_def def = ff_cut_def_default();
  def.set = FF_CUT_MAXIMAL;
  expect_refusal(model, &def, FF_ERROR_MODEL, "cross");
  ff_model_destroy(model);
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

static void no_memory_is_survived(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  ff_model *model = workshop();
  static const char *const joints[] = {"turn", "sling"};
  ff_cut_def def = {.set = FF_CUT_LISTED, .joints = joints, .joint_count = 2};
  long tried = 0;
  for (;;) {
    ff_cut *cut;
    ff_error error;
    ffi_test_alloc_fail_at(++tried);
    const ff_status status = ff_cut_create(model, &def, &cut, &error);
    const int has_failed = ffi_test_alloc_failed();
    ffi_test_alloc_fail_at(0);
    assert_true(status == FF_OK ? cut != NULL : cut == NULL && status == FF_ERROR_MEMORY);
    ff_cut_destroy(cut);
    if (!has_failed) {
      assert_int_equal(status, FF_OK);
      break;
    }
  }
  assert_true(tried > 10);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starleth_has_the_sizes_of_the_paper),
      cmocka_unit_test(the_mass_matrix_of_the_maximal_set_is_constant),
      cmocka_unit_test(a_cut_model_keeps_everything),
      cmocka_unit_test(postures_and_the_neutral_place_are_the_same),
      cmocka_unit_test(robots_come_back_from_their_pieces),
      cmocka_unit_test(forests_come_back_from_their_pieces),
      cmocka_unit_test(gathering_leaves_drift_out),
      cmocka_unit_test(a_cut_model_can_be_cut),
      cmocka_unit_test(bad_lists_are_refused),
      cmocka_unit_test(what_would_be_lost_is_refused_unless_it_may_be),
      cmocka_unit_test(a_piece_needs_inertia),
      cmocka_unit_test(names_of_sets),
      cmocka_unit_test(no_memory_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
