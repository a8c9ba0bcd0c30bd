// Scenes: what a file says arrives, what it leaves out is the library's default, control is a pure function held over its period, and the verdict is
// right.
#define _GNU_SOURCE // mkstemps

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/scene_schema.h"
#include "support/must.h"

#include <footfall/scene.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MODELS FFI_TEST_SOURCE_DIR "/models/"
#define SCENES FFI_TEST_SOURCE_DIR "/scenes/"

static ff_scene *load_with(const char *file, const ff_scene_override *overrides, int count)
{
  ff_scene *scene = NULL;
  ff_error error = {0};
  ffi_must(ff_scene_load(file, overrides, count, &scene, &error), &error);
  return scene;
}

static ff_scene *load_text(const char *text)
{
  char path[] = "/tmp/footfall_scene_XXXXXX.yaml";
  const int file = mkstemps(path, 5);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), strlen(text));
  close(file);
  ff_scene *scene = load_with(path, NULL, 0);
  remove(path);
  return scene;
}

// ---- Values ---------------------------------------------------------------------------------------------------------

static void near(double value, double want)
{
  if (!(fabs(value - want) <= 4e-16 * fabs(want))) // a unit's factor rounds once, a decimal once
    fail_msg("%.17g, not %.17g", value, want);
}

static void all_near(const double *values, int count, ...)
{
  va_list list;
  va_start(list, count);
  for (int i = 0; i < count; ++i)
    near(values[i], va_arg(list, double));
  va_end(list);
}

static const char full[] =
    "title: All of it\n"
    "model: " MODELS "solo12.urdf\n"
    "load: {fixed_base: no, mimic: free, mesh_paths: [one, /two]}\n"
    "contact_points:\n"
    "  - {link: FL_FOOT, name: tip, at: [1cm, 2mm, -0.003]}\n"
    "  - link: HR_FOOT\n"
    "    at: [0, 0, 0]\n"
    "ground:\n"
    "  - plane\n"
    "  - type: box\n"
    "    position: [1, 2cm, 0.5m]\n"
    "    rpy: [0, 0, 90deg]\n"
    "    slope: 10deg\n"
    "    size: [1, 2, 30cm]\n"
    "    velocity: [0, 0, 5mm/s, 0, 0, 90deg/s]\n"
    "    stiffness: 2 kN/m\n"
    "    damping: 3 N s/m\n"
    "    friction: 0.25\n"
    "  - {type: heightfield, size: [2, 3, 1], rows: 2, columns: 3, heights: [0, 1cm, 0, 0, -1cm, 5mm]}\n"
    "material: {stiffness: 1e6, damping: 40Ns/m, friction: 0.75}\n"
    "start:\n"
    "  posture: squat\n"
    "  position: [0.5, 25cm, 300mm]\n"
    "  rpy: [0, 0, 180deg]\n"
    "  velocity: [1, 2, 3, 4, 5, 6]\n"
    "  joints:\n"
    "    FL_HAA: 30deg\n"
    "    FR_KFE: {position: 1.5, velocity: 0.5}\n"
    "controller:\n"
    "  type: squat\n"
    "  period: 8ms\n"
    "  middle: on\n"
    "  kp: 40Nm/rad\n"
    "  kd: 0.5\n"
    "  tasks:\n"
    "    com: {weight: 2, kp: 3, kd: 4}\n"
    "    posture: {weight: 0.125, strict: yes}\n"
    "    contact: {weight: 5}\n"
    "    foot: {kp: 6}\n"
    "    base: {kd: 7}\n"
    "    force_weight: 1e-5\n"
    "    acceleration_weight: 2e-5\n"
    "    friction: 0.5\n"
    "    min_force: 1N\n"
    "    max_force: 2kN\n"
    "    torque_limits: true\n"
    "  squat:\n"
    "    feet: [HL_FOOT, FR_FOOT]\n"
    "    offset: [1mm, 0, 0]\n"
    "    amplitude: [0, 0, 3cm]\n"
    "    rate: [0, 0, 2rad/s]\n"
    "    rise: 100ms\n"
    "  walk: {right_foot: a, left_foot: b, base: c, sole: [-1, 2, -3, 4], sole_height: 7cm, steps: 9, first_swing: right,\n"
    "         step_time: 0.5, both_time: 0.25, start_time: 2, end_time: 3, step_length: 8cm, step_height: 4cm, margin: 1cm,\n"
    "         interval: 50ms, pressure_weight: 11, speed_weight: 12}\n"
    "stepper:\n"
    "  {type: implicit, exponential: order-5, order: 1, events: off, max_substeps: 3, max_pieces: 4, double_mean: no,\n"
    "   force_tolerance: 1e-6, tolerance: 1e-9, max_iterations: 77, normal_anchor: first-touch, self_collision: true, model_elements: no, limit_stiffness: 2e3Nm/rad, limit_damping: 3,\n"
    "   max_speed: 123}\n"
    "dt: 2ms\n"
    "duration: 1min\n"
    "log: {file: out.csv, every: 7}\n"
    "expect: {com_error: 5mm, steps: 3, flight: 600ms, speed: [0.15m/s, 0.25], advance: 1m, final_speed: 1mm/s, upright: yes}\n";

static void check_surroundings(const ff_scene_def *d)
{
  assert_string_equal(d->title, "All of it");
  assert_string_equal(d->model, MODELS "solo12.urdf");
  assert_int_equal(d->load.fixed_base, 0);
  assert_int_equal(d->load.mimic, FF_MIMIC_FREE);
  assert_int_equal(d->load.mesh_paths_count, 2);
  assert_string_equal(d->load.mesh_paths[1], "/two");
  assert_int_equal(d->contact_points_count, 2);
  assert_string_equal(d->contact_points[0].name, "tip");
  all_near(d->contact_points[0].at, 3, 0.01, 0.002, -0.003);
  assert_null(d->contact_points[1].name);
  assert_int_equal(d->ground_count, 3);
  const ff_scene_ground *g = d->ground;
  assert_int_equal(g[0].type, FF_SHAPE_PLANE);
  assert_true(isnan(g[0].material.stiffness) && isnan(g[0].size[0]));
  assert_int_equal(g[1].type, FF_SHAPE_BOX);
  all_near(g[1].position, 3, 1.0, 0.02, 0.5);
  all_near(g[1].rpy, 3, 0.0, 0.0, acos(-1.0) / 2);
  near(g[1].slope, acos(-1.0) / 18);
  all_near(g[1].size, 3, 1.0, 2.0, 0.3);
  all_near(g[1].velocity, 6, 0.0, 0.0, 0.005, 0.0, 0.0, acos(-1.0) / 2);
  all_near(&g[1].material.stiffness, 3, 2000.0, 3.0, 0.25);
  assert_int_equal(g[2].type, FF_SHAPE_HEIGHTFIELD);
  assert_int_equal(g[2].heights_count, 6);
  all_near(g[2].heights, 6, 0.0, 0.01, 0.0, 0.0, -0.01, 0.005);
  all_near(&d->material.stiffness, 3, 1e6, 40.0, 0.75);
  assert_string_equal(d->start.posture, "squat");
  all_near(d->start.position, 3, 0.5, 0.25, 0.3);
  all_near(d->start.velocity, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
  assert_int_equal(d->start.joints_count, 2);
  assert_string_equal(d->start.joints[0].name, "FL_HAA");
  near(d->start.joints[0].position, acos(-1.0) / 6);
  assert_true(isnan(d->start.joints[0].velocity));
  near(d->start.joints[1].velocity, 0.5);
}

static void check_controller(const ff_scene_controller *c)
{
  const ff_walk_task_def *w = &c->walk;
  assert_int_equal(c->type, FF_CONTROLLER_SQUAT);
  near(c->period, 0.008);
  assert_int_equal(c->middle, 1);
  near(c->kp, 40), near(c->kd, 0.5);
  near(c->tasks.com.weight, 2), near(c->tasks.com.kp, 3), near(c->tasks.com.kd, 4);
  near(c->tasks.posture.weight, 0.125), near(c->tasks.posture.kp, 10), near(c->tasks.posture.kd, -1);
  assert_int_equal(c->tasks.posture.is_strict, 1);
  near(c->tasks.contact.weight, 5);
  assert_int_equal(c->tasks.contact.is_strict, 0);
  near(c->tasks.foot.kp, 6), near(c->tasks.foot.weight, 1);
  near(c->tasks.base.kd, 7), near(c->tasks.base.weight, 0.01);
  near(c->tasks.force_weight, 1e-5), near(c->tasks.acceleration_weight, 2e-5);
  near(c->tasks.friction, 0.5), near(c->tasks.min_force, 1), near(c->tasks.max_force, 2000);
  assert_int_equal(c->tasks.torque_limits, 1);
  assert_int_equal(c->squat.feet_count, 2);
  assert_string_equal(c->squat.feet[1], "FR_FOOT");
  all_near(c->squat.offset, 3, 0.001, 0.0, 0.0);
  all_near(c->squat.amplitude, 3, 0.0, 0.0, 0.03);
  all_near(c->squat.rate, 3, 0.0, 0.0, 2.0);
  near(c->squat.rise, 0.1);
  assert_string_equal(w->right_foot, "a");
  assert_string_equal(w->left_foot, "b");
  assert_string_equal(w->base, "c");
  all_near(w->sole, 4, -1.0, 2.0, -3.0, 4.0);
  assert_int_equal(w->steps, 9);
  assert_int_equal(w->first_swing, FF_SIDE_RIGHT);
  near(w->sole_height, 0.07), near(w->step_time, 0.5), near(w->both_time, 0.25), near(w->start_time, 2);
  near(w->end_time, 3), near(w->step_length, 0.08), near(w->step_height, 0.04), near(w->margin, 0.01);
  near(w->interval, 0.05), near(w->pressure_weight, 11), near(w->speed_weight, 12);
}

static void check_run(const ff_scene_def *d)
{
  const ff_scene_stepper *s = &d->stepper;
  assert_int_equal(s->type, FF_STEPPER_IMPLICIT);
  assert_int_equal(s->exponential, FF_EXPONENTIAL_ORDER_5);
  assert_int_equal(s->order, 1);
  assert_int_equal(s->events, 0);
  assert_int_equal(s->max_substeps, 3);
  assert_int_equal(s->max_pieces, 4);
  assert_int_equal(s->double_mean, 0);
  near(s->force_tolerance, 1e-6), near(s->tolerance, 1e-9), near(s->max_speed, 123);
  assert_int_equal(s->max_iterations, 77);
  assert_int_equal(s->normal_anchor, FF_ANCHOR_FIRST_TOUCH);
  assert_int_equal(s->self_collision, 1);
  assert_int_equal(s->model_elements, 0);
  near(s->limit_stiffness, 2000), near(s->limit_damping, 3);
  near(d->dt, 0.002), near(d->duration, 60);
  assert_string_equal(d->log.file, "out.csv");
  assert_int_equal(d->log.every, 7);
  near(d->expect.com_error, 0.005), near(d->expect.steps, 3), near(d->expect.flight, 0.6);
  all_near(d->expect.speed, 2, 0.15, 0.25);
  near(d->expect.advance, 1), near(d->expect.final_speed, 0.001);
  assert_int_equal(d->expect.upright, 1);
}

static void every_field_arrives(void **state)
{
  (void)state;
  ff_scene *scene = load_text(full);
  check_surroundings(ff_scene_get_def(scene));
  check_controller(&ff_scene_get_def(scene)->controller);
  check_run(ff_scene_get_def(scene));
  ff_scene_destroy(scene);
}

// What the sim is made of, and where it starts.
static void the_sim_is_what_the_file_says(void **state)
{
  (void)state;
  ff_scene *scene = load_text(full);
  const ff_model *model = ff_scene_model(scene);
  const ff_sim_def def = ff_scene_sim_def(scene);
  ff_joint_info joint;
  ff_shape_info shape;
  double R[9];
  int tips = 0;
  assert_int_equal(def.stepper, FF_STEPPER_IMPLICIT);
  near(def.implicit.tolerance, 1e-9);
  assert_int_equal(def.ground_count, 3);
  for (int i = 0; i < 3; ++i)
    assert_int_equal(def.ground[i].gives_pair, 1);
  near(def.ground[0].shape.material.stiffness, 1e6);
  near(def.ground[1].shape.material.stiffness, 2000);
  ff_pose_rotation(&def.ground[1].shape.pose, R); // turned by 90 degrees, then x tipped down by 10
  assert_true(fabs(R[0 * 3 + 1] + cos(acos(-1.0) / 18)) < 1e-15 &&
              fabs(R[2 * 3 + 1] - sin(acos(-1.0) / 18)) < 1e-15);
  for (int i = 0; ff_model_shape(model, i, &shape) == FF_OK; ++i)
    tips += shape.def.name && strcmp(shape.def.name, "tip") == 0 && shape.def.type == FF_SHAPE_POINT;
  assert_int_equal(tips, 1);
  const double *q = ff_sim_q(ff_scene_sim(scene)), *v = ff_sim_v(ff_scene_sim(scene));
  all_near(q, 3, 0.5, 0.25, 0.3);
  assert_true(fabs(fabs(q[5]) - 1) < 1e-15 && fabs(q[6]) < 1e-15); // half a turn about z
  all_near(v, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
  ff_model_joint(model, ff_model_find_joint(model, "FL_HAA"), &joint);
  near(q[joint.q], acos(-1.0) / 6);
  ff_model_joint(model, ff_model_find_joint(model, "FR_KFE"), &joint);
  near(q[joint.q], 1.5), near(v[joint.v], 0.5);
  ff_model_joint(model, ff_model_find_joint(model, "FR_HFE"), &joint);
  near(q[joint.q], -0.799755961); // the posture's
  near(ff_scene_period(scene), 0.008);
  assert_true(ff_scene_steps(scene) == 30000);
  ff_scene_destroy(scene);
}

// ---- Defaults -------------------------------------------------------------------------------------------------------

static void what_is_left_out_is_the_default(void **state)
{
  (void)state;
  ff_scene *scene = load_text("model: " MODELS "solo12.urdf\n");
  const ff_scene_def *d = ff_scene_get_def(scene);
  const ff_sim_def want = ff_sim_def_default(), got = ff_scene_sim_def(scene);
  const ff_controller_def c = ff_controller_def_default();
  assert_int_equal(got.stepper, want.stepper);
  assert_int_equal(got.self_collision, want.self_collision);
  assert_int_equal(got.normal_anchor, want.normal_anchor);
  near(got.dt, want.dt), near(got.max_speed, want.max_speed);
  assert_int_equal(got.model_elements, want.model_elements);
  near(got.limit_stiffness, want.limit_stiffness), near(got.limit_damping, want.limit_damping);
  assert_int_equal(got.expo.exponential, want.expo.exponential);
  near(got.expo.force_tolerance, want.expo.force_tolerance);
  assert_int_equal(got.expo.max_substeps, want.expo.max_substeps);
  assert_int_equal(got.expo.order, want.expo.order);
  assert_int_equal(got.expo.events, want.expo.events);
  assert_int_equal(got.expo.max_pieces, want.expo.max_pieces);
  assert_int_equal(got.expo.double_mean, want.expo.double_mean);
  near(got.implicit.tolerance, want.implicit.tolerance);
  assert_int_equal(got.implicit.max_iterations, want.implicit.max_iterations);
  assert_int_equal(got.ground_count, 1);
  assert_int_equal(got.ground[0].gives_pair, 0);
  assert_int_equal(d->controller.type, c.type);
  assert_int_equal(d->controller.middle, c.middle);
  const ff_task *tasks[][2] = {{&d->controller.tasks.com, &c.tasks.com},
                               {&d->controller.tasks.posture, &c.tasks.posture},
                               {&d->controller.tasks.foot, &c.tasks.foot},
                               {&d->controller.tasks.base, &c.tasks.base}};
  for (int i = 0; i < 4; ++i) {
    near(tasks[i][0]->weight, tasks[i][1]->weight);
    near(tasks[i][0]->kp, tasks[i][1]->kp);
    near(tasks[i][0]->kd, tasks[i][1]->kd);
    assert_int_equal(tasks[i][0]->is_strict, tasks[i][1]->is_strict);
  }
  assert_true(d->controller.tasks.contact.weight < 0); // not given: strict
  assert_int_equal(c.tasks.contact.is_strict, 1);
  near(d->controller.tasks.contact.kp, c.tasks.contact.kp);
  near(d->controller.tasks.force_weight, c.tasks.force_weight);
  near(d->controller.tasks.acceleration_weight, c.tasks.acceleration_weight);
  near(d->controller.tasks.friction, c.tasks.friction);
  near(d->controller.tasks.min_force, c.tasks.min_force);
  assert_true(d->controller.tasks.max_force == c.tasks.max_force);
  const ff_walk_task_def *w = &d->controller.walk, *ww = &c.walk;
  for (int k = 0; k < 4; ++k)
    near(w->sole[k], ww->sole[k]);
  assert_int_equal(w->steps, ww->steps);
  assert_int_equal(w->first_swing, ww->first_swing);
  near(w->sole_height, ww->sole_height), near(w->step_time, ww->step_time), near(w->both_time, ww->both_time);
  near(w->start_time, ww->start_time), near(w->end_time, ww->end_time), near(w->step_length, ww->step_length);
  near(w->step_height, ww->step_height), near(w->margin, ww->margin), near(w->interval, ww->interval);
  near(w->pressure_weight, ww->pressure_weight), near(w->speed_weight, ww->speed_weight);
  near(d->duration, 10), near(ff_scene_period(scene), want.dt);
  assert_string_equal(ff_scene_posture(scene), "standing");
  assert_null(d->log.file);
  ff_scene_destroy(scene);
}

// ---- Overrides ------------------------------------------------------------------------------------------------------

static void overrides_replace_and_add(void **state)
{
  (void)state;
  const ff_scene_override changes[] = {
      {"dt", "10ms", NULL},
      {"stepper.order", "1", NULL}, // of "stepper: expo"
      {"ground[0].friction", "0.5", NULL},
      {"ground.1", "{type: box, size: [1, 1, 1]}", NULL},
      {"material.stiffness", "3e4", NULL}, // counts more than what a piece says
      {"controller.tasks.com.kp", "9", NULL},
      {"controller.squat.amplitude[2]", "1cm", NULL},
      {"start.joints", "{FL_HAA: 0.1}", NULL},
      {"expect", "{steps: 2}", NULL},
  };
  ff_scene_override first = {"ground", "[{type: plane, stiffness: 5}]", NULL};
  ff_scene_override all[1 + sizeof changes / sizeof changes[0]];
  all[0] = first;
  memcpy(all + 1, changes, sizeof changes);
  ff_scene *scene = load_with(SCENES "solo-squat.yaml", all, (int)(sizeof all / sizeof all[0]));
  const ff_scene_def *d = ff_scene_get_def(scene);
  const ff_sim_def def = ff_scene_sim_def(scene);
  near(d->dt, 0.01);
  assert_int_equal(d->stepper.type, FF_STEPPER_EXPO);
  assert_int_equal(d->stepper.order, 1);
  assert_int_equal(d->ground_count, 2);
  near(d->ground[0].material.friction, 0.5);
  near(def.ground[0].shape.material.stiffness, 3e4);
  near(def.ground[0].shape.material.friction, 0.5);
  near(d->controller.tasks.com.kp, 9), near(d->controller.tasks.com.weight, 1);
  near(d->controller.squat.amplitude[2], 0.01);
  near(d->start.joints[0].position, 0.1);
  near(d->expect.steps, 2);
  assert_true(isnan(d->expect.com_error));
  near(ff_scene_period(scene), 0.04); // the file's
  ff_scene_destroy(scene);
}

// "ground: plane", a map, and no ground at all are lists with an entry 0; what is no list is none.
static void an_index_makes_a_list_of_one(void **state)
{
  (void)state;
  static const char *const before[] = {"plane", "{type: plane, friction: 0.3}", "[plane]", "[]", "{}"};
  for (size_t i = 0; i < sizeof before / sizeof before[0]; ++i) {
    const ff_scene_override changes[] = {
        {"ground", before[i], NULL}, {"ground[0].slope", "5deg", NULL}, {"ground[1]", "plane", NULL}};
    ff_scene *scene = load_with(SCENES "solo-squat.yaml", changes, 3);
    const ff_scene_def *d = ff_scene_get_def(scene);
    assert_int_equal(d->ground_count, 2);
    assert_int_equal(d->ground[0].type, FF_SHAPE_PLANE);
    near(d->ground[0].slope, 0.087266462599716474);
    assert_true(i == 1 ? d->ground[0].material.friction == 0.3 : isnan(d->ground[0].material.friction));
    near(d->ground[1].slope, 0);
    ff_scene_destroy(scene);
  }
  const ff_scene_override wrong = {"stepper[0].order", "1", NULL};
  ff_scene *scene;
  ff_error error;
  assert_int_equal(ff_scene_load(SCENES "solo-squat.yaml", &wrong, 1, &scene, &error), FF_ERROR_PARSE);
  assert_string_equal(error.message, "stepper[0].order=1: stepper: must be a map of fields, not a list");
}

// ---- Control --------------------------------------------------------------------------------------------------------

enum { MOST_NV = 40, SAMPLES = 40 };

// Asked in order, then in another order, with other questions in between: the same bits.
static void check_pure(const char *file)
{
  ff_scene *scene = load_with(file, NULL, 0);
  const ff_model_size size = ff_model_get_size(ff_scene_model(scene));
  static double q[SAMPLES][MOST_NV + 1], v[SAMPLES][MOST_NV], tau[SAMPLES][MOST_NV];
  const double period = ff_scene_period(scene);
  ff_error error;
  double again[MOST_NV];
  assert_true(size.nv <= MOST_NV);
  for (int k = 0; k < SAMPLES; ++k) {
    memcpy(q[k], ff_sim_q(ff_scene_sim(scene)), (size_t)size.nq * sizeof(double));
    memcpy(v[k], ff_sim_v(ff_scene_sim(scene)), (size_t)size.nv * sizeof(double));
    ffi_must(ff_scene_control(scene, k * period, q[k], v[k], tau[k], &error), &error);
    ffi_must(ff_scene_step(scene, &error), &error);
  }
  for (int i = 0; i < 3 * SAMPLES; ++i) {
    const int k = i * 17 % SAMPLES;
    ffi_must(ff_scene_control(scene, k * period, q[k], v[k], again, &error), &error);
    assert_memory_equal(again, tau[k], (size_t)size.nv * sizeof(double));
  }
  ff_scene_destroy(scene);
}

static void control_is_a_pure_function(void **state)
{
  (void)state;
  check_pure(SCENES "solo-squat.yaml");
  check_pure(SCENES "romeo-walk.yaml");
  check_pure(SCENES "solo-jump.yaml");
  check_pure(SCENES "solo-trot.yaml");
}

// ff_scene_step() is what a loop of one's own is: torques at the beginning of each period, held over its steps.
static void torques_are_held_over_the_period(void **state)
{
  (void)state;
  const ff_scene_override finer = {"dt", "10ms", NULL};
  ff_scene *scene = load_with(SCENES "solo-squat.yaml", &finer, 1);
  const ff_sim_def def = ff_scene_sim_def(scene);
  const ff_model_size size = ff_model_get_size(ff_scene_model(scene));
  double tau[MOST_NV] = {0};
  ff_sim *own;
  ff_error error;
  ffi_must(ff_scene_create_sim(scene, &def, &own, &error), &error);
  for (int k = 0; k < 80; ++k) {
    if (k % 4 == 0)
      ffi_must(ff_scene_control(scene, k / 4 * 0.04, ff_sim_q(own), ff_sim_v(own), tau, &error), &error);
    ffi_must(ff_sim_step(own, tau, &error), &error);
    ffi_must(ff_scene_step(scene, &error), &error);
  }
  assert_memory_equal(ff_sim_q(own), ff_sim_q(ff_scene_sim(scene)), (size_t)size.nq * sizeof(double));
  assert_memory_equal(ff_sim_v(own), ff_sim_v(ff_scene_sim(scene)), (size_t)size.nv * sizeof(double));
  ff_sim_destroy(own);
  ff_scene_destroy(scene);
}

// Motors are inside the step; the robot stands and comes to rest.
static void motors_hold_the_start(void **state)
{
  (void)state;
  ff_scene *scene = load_text("model: " MODELS "solo12.urdf\ncontroller: {type: posture-pd, kp: 50, kd: 1}\n"
                              "dt: 2ms\nduration: 1\nexpect: {upright: true, final_speed: 1mm/s}\n");
  ff_error error;
  ff_scene_result result;
  assert_int_equal(ff_scene_sim_def(scene).element_count, 12);
  for (long long k = 0; k < ff_scene_steps(scene); ++k) {
    ffi_must(ff_scene_step(scene, &error), &error);
    ff_scene_watch(scene);
  }
  ff_scene_get_result(scene, &result);
  assert_int_equal(result.expected, 2);
  assert_int_equal(result.missed, 0);
  assert_true(isnan(result.com_error));
  ff_scene_destroy(scene);
}

// Along a trajectory: tau = u + K (reference - state), from where the trajectory begins.
static void feedback_follows_its_file(void **state)
{
  (void)state;
  static const char way[] = "footfall-trajectory 1\nrobot pendulum\ncoordinates 1\nvelocities 1\ncontrols 1\n"
                            "interval 0.5\nstates 3\nx 0.25 1\nu 2\nK 10 3\nx 0.75 1\nu -1\nK 20 4\nx 1 0\n";
  char file[] = "/tmp/footfall_way_XXXXXX.txt", text[400];
  const int id = mkstemps(file, 4);
  assert_true(id >= 0 && write(id, way, sizeof way - 1) == (long)sizeof way - 1);
  close(id);
  snprintf(text, sizeof text,
           "model: " MODELS "pendulum.urdf\ncontroller: {type: feedback, trajectory: %s}\n", file + 5);
  ff_scene *scene = load_text(text);
  remove(file);
  ff_error error;
  double tau, q = 0.5, v = 0.25;
  assert_string_equal(ff_scene_posture(scene), "trajectory");
  near(ff_sim_q(ff_scene_sim(scene))[0], 0.25), near(ff_sim_v(ff_scene_sim(scene))[0], 1);
  ffi_must(ff_scene_control(scene, 0, &q, &v, &tau, &error), &error);
  near(tau, 2 + 10 * (0.25 - 0.5) + 3 * (1 - 0.25));
  ffi_must(ff_scene_control(scene, 0.75, &q, &v, &tau, &error),
           &error); // half way from the second to the third
  near(tau, -1 + 20 * (0.875 - 0.5) + 4 * (0.5 - 0.25));
  ff_scene_destroy(scene);
}

// ---- The verdict ----------------------------------------------------------------------------------------------------

static ff_scene_result run_all(ff_scene *scene)
{
  ff_error error;
  ff_scene_result result;
  for (long long k = 0; k < ff_scene_steps(scene); ++k) {
    ffi_must(ff_scene_step(scene, &error), &error);
    ff_scene_watch(scene);
  }
  ff_scene_get_result(scene, &result);
  return result;
}

// A ball thrown from the ground: up for v/g, down for v/g, ahead by vx times that.
static void flight_and_speed_are_those_of_a_throw(void **state)
{
  (void)state;
  ff_scene *scene = load_text(
      "model: " MODELS "ball.urdf\nstart: {position: [0, 0, 0.0999], velocity: [2, 0, 3, 0, 0, 0]}\n"
      "dt: 1ms\nduration: 600ms\n"
      "expect: {flight: 0.59s, speed: [1.9, 2.1], advance: 1.19m, steps: 1, upright: true}\n");
  const ff_scene_result r = run_all(scene);
  print_message("  flight %g s, speed %g m/s\n", r.flight, r.speed);
  assert_true(fabs(r.flight - 0.6) < 0.002); // lands after 0.6116 s
  assert_true(fabs(r.speed - 2) < 0.02 && fabs(r.advance - 1.2) < 0.012);
  assert_int_equal(r.expected, 5);
  assert_int_equal(r.missed, 1); // it never comes down
  assert_string_equal(r.misses, "0 steps, not at least 1");
  ff_scene_destroy(scene);
}

// ---- The page -------------------------------------------------------------------------------------------------------

static char *read_page(void)
{
  FILE *file = fopen(FFI_TEST_SOURCE_DIR "/docs/guide/scenes.md", "rb");
  char *text = calloc(1, 1 << 20);
  assert_true(file && text && fread(text, 1, (1 << 20) - 1, file) > 1000);
  fclose(file);
  return text;
}

static void look_up(const char *page, const cyaml_schema_value_t *schema, int *count)
{
  if (schema->type == CYAML_SEQUENCE || schema->type == CYAML_SEQUENCE_FIXED)
    look_up(page, schema->sequence.entry, count);
  if (schema->type == CYAML_ENUM)
    for (uint32_t i = 0; i < schema->enumeration.count; ++i)
      if (!strstr(page, schema->enumeration.strings[i].str) &&
          strncmp(schema->enumeration.strings[i].str, "order-", 6) != 0 &&
          strcmp(schema->enumeration.strings[i].str, "exact") !=
              0) // those are where the exponential is explained
        fail_msg("scenes.md does not mention the word '%s'", schema->enumeration.strings[i].str);
  if (schema->type != CYAML_MAPPING)
    return;
  for (const cyaml_schema_field_t *field = schema->mapping.fields; field->key; ++field, ++*count) {
    if (!strstr(page, field->key))
      fail_msg("scenes.md does not mention '%s'", field->key);
    look_up(page, &field->value, count);
  }
}

static void every_field_is_in_the_guide(void **state)
{
  (void)state;
  char *page = read_page();
  int count = 0;
  look_up(page, &ffi_scene_schema, &count);
  assert_true(count > 80);
  free(page);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_field_arrives),
      cmocka_unit_test(the_sim_is_what_the_file_says),
      cmocka_unit_test(what_is_left_out_is_the_default),
      cmocka_unit_test(overrides_replace_and_add),
      cmocka_unit_test(an_index_makes_a_list_of_one),
      cmocka_unit_test(control_is_a_pure_function),
      cmocka_unit_test(torques_are_held_over_the_period),
      cmocka_unit_test(motors_hold_the_start),
      cmocka_unit_test(feedback_follows_its_file),
      cmocka_unit_test(flight_and_speed_are_those_of_a_throw),
      cmocka_unit_test(every_field_is_in_the_guide),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
