// The tangent of backward Euler against central differences of its equations, on robots and loose bodies, in every
// mode of contact.
//
// The function is g(v+) = ID(q+, v+, (v+ - v)/dt) - forces, with q+ = q (+) dt v+, computed here from inverse
// dynamics and the forces of the evaluation. It is smooth where no contact changes its mode within the differences,
// which is nearly certain for random states.

#include "model/model.h"
#include "step/implicit/implicit.h"
#include "step/loose.h"
#include "step/rig.h"
#include "support/near.h"
#include "support/random_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 64 };

// Central differences with steps of 1e-6 in numbers of size 1 lose ten digits to rounding and six to the third
// derivative, which contact geometry (turning over lengths of 0.1 m) has of size 1 to 100.
static const double tolerance = 1e-7;

typedef struct tally {
  int modes[3];
  ffi_margin margin;
} tally;

static void equations(ffi_system *s, ffi_implicit *m, const double *v, double *g)
{
  const int nv = s->model->size.nv;
  ff_error error;
  double a[MOST], tau[MOST];
  memcpy(m->x->v, v, (size_t)nv * sizeof *v);
  assert_int_equal(ffi_implicit_trial_evaluate(s, m, &error), FF_OK);
  for (int k = 0; k < nv; ++k)
    a[k] = (v[k] - m->from->v[k]) / m->dt;
  s->k->rnea(m->at->at.work, v, a, tau);
  for (int k = 0; k < nv; ++k)
    g[k] = tau[k] - m->at->h[k] - m->at->force[k];
}

// The largest error of the tangent at the trial v, in units of its largest entry.
static double error_at(ffi_rig *r, const double *v, double dt, tally *t)
{
  ffi_system *s = &r->system;
  ffi_implicit *m = s->memory;
  ff_error error;
  const int nv = s->model->size.nv;
  double plus[MOST], minus[MOST], probe[MOST], *A = malloc((size_t)(nv * nv) * sizeof *A), worst = 0;
  assert_true(nv <= MOST && A);
  m->at = s->present;
  m->from = r->now;
  m->dt = dt;
  assert_int_equal(ffi_implicit_trial_begin(s, m, &error), FF_OK);
  memcpy(m->x->v, v, (size_t)nv * sizeof *v);
  assert_int_equal(ffi_implicit_trial_evaluate(s, m, &error), FF_OK);
  assert_int_equal(ffi_implicit_trial_take_overlaps(s, m, &error), FF_OK);
  for (int i = 0; i < m->at->count; ++i) {
    t->modes[m->at->contact[i].law.mode] += 1;
    memcpy(m->contact[i].linearised_at, m->at->contact[i].law.force, sizeof m->contact[i].linearised_at);
  }
  ffi_implicit_jacobian(s, m);
  memset(m->step, 0, (size_t)nv * sizeof *m->step);
  ffi_implicit_model_matrix(s, m);
  for (int i = 0; i < nv; ++i)
    memcpy(A + i * nv, m->LU + i * m->stride, (size_t)nv * sizeof *A);
  for (int k = 0; k < nv; ++k) {
    const double h = 1e-6;
    memcpy(probe, v, (size_t)nv * sizeof *v);
    probe[k] = v[k] + h;
    equations(s, m, probe, plus);
    probe[k] = v[k] - h;
    equations(s, m, probe, minus);
    for (int i = 0; i < nv; ++i)
      worst = fmax(worst, fabs(A[i * nv + k] - (plus[i] - minus[i]) / (2 * h)));
  }
  worst /= ffi_size(nv * nv, A);
  free(A);
  return worst;
}

static void check(tally *t, int stick, int slip)
{
  print_message("%s: released %d, stick %d, slip %d\n", t->margin.what, t->modes[0], t->modes[1],
                t->modes[2]);
  assert_true(!stick || t->modes[FF_CONTACT_STICK] > 0);
  assert_true(!slip || t->modes[FF_CONTACT_SLIP] > 0);
  ffi_margin_check(&t->margin);
}

static void robots_on_the_floor(void **state)
{
  (void)state;
  static const char *const files[] = {"solo12.urdf", "starleth.urdf", "simple_biped.urdf", "romeo.urdf"};
  tally t = {.margin = {.what = "robots", .tolerance = tolerance}};
  for (int f = 0; f < 4; ++f) {
    ff_model *model = ffi_rig_load(files[f]);
    ffi_random random = ffi_random_seed((uint64_t)f);
    const double *q0 = ff_model_posture(model, 0);
    assert_non_null(q0);
    for (int k = 0; k < 12; ++k) {
      double q[MOST], v[MOST], trial[MOST];
      ffi_rig_def def = {.stepper = FF_STEPPER_IMPLICIT,
                         .K = 1e5,
                         .B = 300,
                         .mu = k % 3 == 0 ? 10 : 0.3,
                         .contact_law = k < 6 ? FF_LAW_ANCHOR : FF_LAW_SLIP_FLAG};
      if (k % 2)
        ffi_random_vector(&random, 6, 0.3, def.ground_velocity);
      ffi_rig *r = ffi_rig_create(model, &def);
      memcpy(q, q0, (size_t)model->size.nq * sizeof *q);
      q[2] -= 0.004;
      ffi_random_vector(&random, model->size.nv, 0.2, v);
      ffi_random_vector(&random, model->size.nv, 0.2, trial);
      ffi_rig_reset(r, q, v);
      ffi_margin_add(&t.margin, error_at(r, trial, k % 6 < 3 ? 1e-3 : 1e-2, &t), 100 * f + k);
      ffi_rig_destroy(r);
    }
    ff_model_destroy(model);
  }
  check(&t, 1, 1);
}

// One body on the floor: round ones roll, and their anchors with them.
static void round_bodies(void **state)
{
  (void)state;
  static const ffi_loose bodies[] = {
      {.shape = FF_SHAPE_SPHERE, .size = {0.1}, .mass = 0.5},
      {.shape = FF_SHAPE_CAPSULE, .size = {0.1, 0.3}, .mass = 1},
      {.shape = FF_SHAPE_CYLINDER, .size = {0.1, 0.2}, .mass = 1},
      {.shape = FF_SHAPE_BOX, .size = {0.2, 0.3, 0.25}, .mass = 1, .offset = 0.05},
      {.shape = FF_SHAPE_ELLIPSOID, .size = {0.1, 0.15, 0.12}, .mass = 1},
  };
  // The four contact points of a cylinder's cap move inwards as it tilts; the tangent takes them for material points.
  // It is wrong by the tilt times the share of their forces. Newton then gains three digits each time, and does not
  // converge quadratically.
  tally t = {.margin = {.what = "round bodies", .tolerance = tolerance}};
  tally tilted = {.margin = {.what = "cylinders", .tolerance = 1e-2}};
  for (int b = 0; b < 5; ++b)
    for (int k = 0; k < 48; ++k) {
      ffi_random random = ffi_random_seed((uint64_t)(100 * b + k));
      ff_model *model = ffi_loose_create(1, &bodies[b], 1e4, 30, k % 2 ? 0.1 : 10);
      ffi_rig_def def = {.stepper = FF_STEPPER_IMPLICIT,
                         .K = 1e4,
                         .B = 30,
                         .mu = k % 2 ? 0.1 : 10,
                         .slope = 0.1,
                         .contact_law = k < 24 ? FF_LAW_ANCHOR : FF_LAW_SLIP_FLAG};
      if (k % 3 == 0)
        ffi_random_vector(&random, 6, 0.5, def.ground_velocity);
      ffi_rig *r = ffi_rig_create(model, &def);
      double q[7] = {0}, v[6], trial[6];
      ffi_random_quaternion(&random, q + 3);
      q[2] = ffi_random_between(&random, 0.08, 0.15);
      ffi_random_vector(&random, 6, 0.5, v);
      ffi_random_vector(&random, 6, 0.5, trial);
      ffi_rig_reset(r, q, v);
      if (k % 4 > 1)
        ffi_rig_step(r, 1e-4); // contacts that are known
      tally *own = bodies[b].shape == FF_SHAPE_CYLINDER ? &tilted : &t;
      ffi_margin_add(&own->margin, error_at(r, trial, 1e-3, own), 100 * b + k);
      ffi_rig_destroy(r);
      ff_model_destroy(model);
    }
  check(&t, 1, 1);
  check(&tilted, 1, 1);
}

// Slower than 1 mm/s at the end of the step, and faster at its start: friction in proportion to the velocity.
static void bodies_that_stop(void **state)
{
  (void)state;
  tally t = {.margin = {.what = "bodies that stop", .tolerance = tolerance}};
  const ffi_loose body = {.shape = FF_SHAPE_BOX, .size = {0.2, 0.3, 0.25}, .mass = 1};
  ff_model *model = ffi_loose_create(1, &body, 1e4, 30, 0.5);
  for (int k = 0; k < 12; ++k) {
    ffi_random random = ffi_random_seed((uint64_t)(5000 + k));
    ffi_rig *r = ffi_rig_create(
        model,
        &(ffi_rig_def){
            .stepper = FF_STEPPER_IMPLICIT, .K = 1e4, .B = 30, .mu = 0.5, .contact_law = FF_LAW_SLIP_FLAG});
    double q[7] = {0, 0, 0.123, 0, 0, 0, 1}, v[6] = {2, 1, 0, 0, 0, 0}, trial[6];
    ffi_random_vector(&random, 6, 4e-4, trial);
    ffi_rig_reset(r, q, v);
    ffi_rig_step(r, 1e-4);
    ffi_margin_add(&t.margin, error_at(r, trial, 1e-3, &t), k);
    ffi_rig_destroy(r);
  }
  ff_model_destroy(model);
  check(&t, 0, 1);
}

// The second body's corners in the first one's upper face, which moves and turns.
static void body_on_body(void **state)
{
  (void)state;
  static const ffi_loose stacks[3][2] = {
      {{.shape = FF_SHAPE_BOX, .size = {1, 1, 0.2}, .mass = 3},
       {.shape = FF_SHAPE_BOX, .size = {0.2, 0.3, 0.25}, .mass = 1}},
      {{.shape = FF_SHAPE_BOX, .size = {1, 1, 0.2}, .mass = 3},
       {.shape = FF_SHAPE_SPHERE, .size = {0.12}, .mass = 1}},
      {{.joint = FF_JOINT_PLANAR, .shape = FF_SHAPE_BOX, .size = {1, 1, 0.2}, .mass = 3},
       {.shape = FF_SHAPE_CAPSULE, .size = {0.12, 0.2}, .mass = 1}},
  };
  tally t = {.margin = {.what = "body on body", .tolerance = tolerance}};
  for (int b = 0; b < 3; ++b)
    for (int k = 0; k < 24; ++k) {
      ffi_random random = ffi_random_seed((uint64_t)(1000 + 100 * b + k));
      ff_model *model = ffi_loose_create(2, stacks[b], 1e4, 30, k % 2 ? 0.1 : 10);
      ffi_rig *r =
          ffi_rig_create(model, &(ffi_rig_def){.stepper = FF_STEPPER_IMPLICIT,
                                               .contact_law = k < 12 ? FF_LAW_ANCHOR : FF_LAW_SLIP_FLAG});
      const int at = model->bodies[2].q, nv = model->size.nv;
      double q[14], v[12], trial[12];
      ff_model_neutral(model, q);
      q[at] = ffi_random_between(&random, -0.1, 0.1);
      q[at + 1] = ffi_random_between(&random, -0.1, 0.1);
      q[at + 2] = 0.1 + 0.119;
      for (int i = 3; i < 6; ++i)
        q[at + i] = ffi_random_between(&random, -0.03, 0.03);
      ff_model_normalize(model, q);
      ffi_random_vector(&random, nv, 0.5, v);
      ffi_random_vector(&random, nv, 0.5, trial);
      ffi_rig_reset(r, q, v);
      if (k % 4 > 1)
        ffi_rig_step(r, 1e-4);
      ffi_margin_add(&t.margin, error_at(r, trial, 1e-3, &t), 100 * b + k);
      ffi_rig_destroy(r);
      ff_model_destroy(model);
    }
  check(&t, 1, 1);
}

// Points and welds between links of random forests, with every kind of joint.
static void points_and_welds(void **state)
{
  (void)state;
  tally t = {.margin = {.what = "points and welds", .tolerance = tolerance}};
  for (int k = 0; k < 30; ++k) {
    ffi_forest *forest = malloc(sizeof *forest);
    assert_non_null(forest);
    const ffi_forest_def shape = {.seed = (uint64_t)(77 + k), .links = 3 + k % 6};
    ffi_forest_make(&shape, forest);
    ff_model *model = forest->model;
    ffi_random random = ffi_random_seed((uint64_t)k);
    ffi_rig_def def = {.stepper = FF_STEPPER_IMPLICIT, .element_count = 2};
    for (int e = 0; e < 2; ++e) {
      ff_element_def *hold = &def.elements[e];
      *hold = ff_element_def_default();
      hold->type = e ? FF_ELEMENT_WELD : FF_ELEMENT_POINT;
      hold->stiffness = 200;
      hold->damping = 5;
      hold->angular_stiffness = 50;
      hold->angular_damping = 2;
      do { // of two bodies
        hold->a.frame = ffi_random_below(&random, model->size.frames);
        hold->b.frame = ffi_random_below(&random, model->size.frames);
      } while (model->frames[hold->a.frame].body == model->frames[hold->b.frame].body);
      ffi_random_vector(&random, 3, 0.3, hold->a.offset);
      ffi_random_vector(&random, 3, 0.3, hold->b.offset);
    }
    ffi_rig *r = ffi_rig_create(model, &def);
    double *q = malloc(((size_t)model->size.nq + 1) * sizeof *q), v[MOST], trial[MOST];
    assert_true(q && model->size.nv <= MOST);
    ffi_random_q(&random, model, q);
    ffi_random_vector(&random, model->size.nv, 1, v);
    ffi_random_vector(&random, model->size.nv, 1, trial);
    ffi_rig_reset(r, q, v);
    ffi_margin_add(&t.margin, error_at(r, trial, 1e-2, &t), k);
    free(q);
    ffi_rig_destroy(r);
    ffi_forest_free(forest);
    free(forest);
  }
  check(&t, 0, 0);
}

// Motors below and beyond their effort, stops that are armed.
static void motors_and_stops(void **state)
{
  (void)state;
  ff_model *model = ffi_rig_load("solo12.urdf");
  ffi_random random = ffi_random_seed(5);
  tally t = {.margin = {.what = "motors and stops", .tolerance = tolerance}};
  ffi_rig_def def = {.stepper = FF_STEPPER_IMPLICIT, .element_count = 12};
  for (int e = 0; e < 12; ++e) {
    ff_element_def *element = &def.elements[e];
    *element = ff_element_def_default();
    element->type = e % 2 ? FF_ELEMENT_JOINT_LIMIT : FF_ELEMENT_JOINT_PD;
    element->joint = 1 + e;
    element->stiffness = 50;
    element->damping = 1;
    element->effort = e % 4 ? 1.0 : INFINITY;
    element->lower = -0.2;
    element->upper = 0.2;
  }
  ffi_rig *r = ffi_rig_create(model, &def);
  for (int k = 0; k < 10; ++k) {
    double q[19], v[18], trial[18];
    ffi_random_q(&random, model, q);
    ffi_random_vector(&random, 12, 0.5, q + 7);
    ffi_random_vector(&random, 18, 1, v);
    ffi_random_vector(&random, 18, 1, trial);
    ffi_rig_reset(r, q, v);
    ffi_margin_add(&t.margin, error_at(r, trial, 5e-3, &t), k);
  }
  ffi_rig_destroy(r);
  ff_model_destroy(model);
  check(&t, 0, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robots_on_the_floor), cmocka_unit_test(round_bodies),
      cmocka_unit_test(bodies_that_stop),    cmocka_unit_test(body_on_body),
      cmocka_unit_test(points_and_welds),    cmocka_unit_test(motors_and_stops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
