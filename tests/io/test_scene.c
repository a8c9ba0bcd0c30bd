// Scenes from files: every field arrives, and fields that are left out have the library's default.
#include "scene_text.h"

static const char full[] =
    "title: All of it\n"
    "model: " MODELS "solo12.urdf\n"
    "load: {fixed_base: no, mimic: free, contact_parameters: mujoco, massless: fix, mesh_paths: [one, /two]}\n"
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
    "    restitution: 0.125\n"
    "    tangential_restitution: 0.0625\n"
    "  - {type: heightfield, size: [2, 3, 1], rows: 2, columns: 3, heights: [0, 1cm, 0, 0, -1cm, 5mm]}\n"
    "material: {stiffness: 1e6, damping: 40Ns/m, friction: 0.75, restitution: 0.5, tangential_restitution: 0.375}\n"
    "coordinates: {type: minimal}\n"
    "pushes:\n"
    "  seed: 5\n"
    "  list:\n"
    "    - {link: base_link, at: [1cm, 0, 2mm], force: [1N, 2N, 3kN], from: 100ms, duration: 20ms,\n"
    "       vary: {magnitude: 0.5, angle: 90deg, tilt: 45deg, place: 3cm, time: 1s}}\n"
    "    - {link: FL_FOOT, impulse: [0, 4Ns, 0]}\n"
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
    "  walk: {right_foot: a, left_foot: b, base: c, sole: [-1, 2, -3, 4], sole_height: 7cm, steps: 9, "
    "first_swing: right,\n"
    "         step_time: 0.5, both_time: 0.25, start_time: 2, end_time: 3, step_length: 8cm, "
    "step_height: 4cm, margin: 1cm,\n"
    "         interval: 50ms, pressure_weight: 11, speed_weight: 12}\n"
    "  trot: {base: d, feet: [e, f, g, h], frequency: 1.25Hz, duty: 0.75, speed: 30cm/s, step_height: "
    "6cm, height: 40cm,\n"
    "         start_time: 0.7, ramp_time: 0.8, placement: 90ms}\n"
    "stepper:\n"
    "  type: implicit\n"
    "  expo: {exponential: order-5, order: 1, events: off, max_substeps: 3, max_pieces: 4, double_mean: no,\n"
    "         force_tolerance: 1e-6}\n"
    "  implicit: {tolerance: 1e-9, max_iterations: 77}\n"
    "  ess: {epsilon: 3um, relative_tolerance: 2e-7, absolute_tolerance: 3e-8, max_steps: 55}\n"
    "  moreau: {contact: compliant, solver: sor-split, form: velocity, bilateral: prox, alpha: 0.5,\n"
    "           relative_tolerance: 1e-7, absolute_tolerance: 2mNs, max_iterations: 78, warm_start: no,"
    " stabilise: yes}\n"
    "  c2a: {h_min: 20us, skin: 0.2mm, advancement: no, error_control: no, absolute_error: 1e-5, "
    "relative_error: 0.01,\n"
    "        scheme: explicit, dissipation: 0.1, rayleigh: 3, impact: bounded, cone: polygon, edges: 8,"
    " bounce: poisson,\n"
    "        relative_tolerance: 4e-7, absolute_tolerance: 5mNs, max_iterations: 79}\n"
    "  normal_anchor: first-touch\n"
    "  self_collision: true\n"
    "  model_elements: no\n"
    "  limit_stiffness: 2e3Nm/rad\n"
    "  limit_damping: 3\n"
    "  max_speed: 123\n"
    "  max_contacts: 99\n"
    "  contact_law: slip-flag\n"
    "dt: 2ms\n"
    "duration: 1min\n"
    "log: {file: out.csv, every: 7}\n"
    "expect: {com_error: 5mm, steps: 3, flight: 600ms, speed: [0.15m/s, 0.25], advance: 1m, "
    "final_speed: 1mm/s, upright: yes,\n"
    "         penetration: 1mm, drift: 2um, unconverged: 0.25, contacts: 4, fallen: [1, 2], moved: 3cm,"
    " rise: 12cm, passed: 2}\n";

static void check_surroundings(const ff_scene_def *d)
{
  assert_string_equal(d->title, "All of it");
  assert_string_equal(d->model, MODELS "solo12.urdf");
  assert_int_equal(d->load.fixed_base, 0);
  assert_int_equal(d->load.mimic, FF_MIMIC_FREE);
  assert_int_equal(d->load.contact_parameters, FF_CONTACT_PARAMETERS_MUJOCO);
  assert_int_equal(d->load.massless, FF_MASSLESS_FIX);
  assert_int_equal(d->load.mesh_paths_count, 2);
  assert_string_equal(d->load.mesh_paths[1], "/two");
  assert_int_equal(d->contact_points_count, 2);
  assert_string_equal(d->contact_points[0].name, "tip");
  ffi_all_equal(d->contact_points[0].at, 3, 0.01, 0.002, -0.003);
  assert_null(d->contact_points[1].name);
  assert_int_equal(d->ground_count, 3);
  const ff_scene_ground *g = d->ground;
  assert_int_equal(g[0].type, FF_SHAPE_PLANE);
  assert_true(isnan(g[0].material.stiffness) && isnan(g[0].size[0]));
  assert_int_equal(g[1].type, FF_SHAPE_BOX);
  ffi_all_equal(g[1].position, 3, 1.0, 0.02, 0.5);
  ffi_all_equal(g[1].rpy, 3, 0.0, 0.0, acos(-1.0) / 2);
  ffi_equal(g[1].slope, acos(-1.0) / 18);
  ffi_all_equal(g[1].size, 3, 1.0, 2.0, 0.3);
  ffi_all_equal(g[1].velocity, 6, 0.0, 0.0, 0.005, 0.0, 0.0, acos(-1.0) / 2);
  ffi_all_equal(&g[1].material.stiffness, 5, 2000.0, 3.0, 0.25, 0.125, 0.0625);
  assert_int_equal(g[2].type, FF_SHAPE_HEIGHTFIELD);
  assert_int_equal(g[2].heights_count, 6);
  ffi_all_equal(g[2].heights, 6, 0.0, 0.01, 0.0, 0.0, -0.01, 0.005);
  ffi_all_equal(&d->material.stiffness, 5, 1e6, 40.0, 0.75, 0.5, 0.375);
  assert_string_equal(d->start.posture, "squat");
  ffi_all_equal(d->start.position, 3, 0.5, 0.25, 0.3);
  ffi_all_equal(d->start.velocity, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
  assert_int_equal(d->start.joints_count, 2);
  assert_string_equal(d->start.joints[0].name, "FL_HAA");
  ffi_equal(d->start.joints[0].position, acos(-1.0) / 6);
  assert_true(isnan(d->start.joints[0].velocity));
  ffi_equal(d->start.joints[1].velocity, 0.5);
}

static void check_pushes(const ff_scene_def *d)
{
  const ff_scene_push *p = d->pushes.list;
  assert_int_equal(d->coordinates.type, FF_CUT_MINIMAL);
  assert_int_equal(d->coordinates.joints_count, 0);
  assert_int_equal(d->pushes.seed, 5);
  assert_int_equal(d->pushes.list_count, 2);
  assert_string_equal(p[0].link, "base_link");
  ffi_all_equal(p[0].at, 3, 0.01, 0.0, 0.002);
  ffi_all_equal(p[0].force, 3, 1.0, 2.0, 3000.0);
  assert_true(isnan(p[0].impulse[0]) && isnan(p[1].force[0]));
  ffi_equal(p[0].from, 0.1), ffi_equal(p[0].duration, 0.02);
  ffi_all_equal(&p[0].vary.magnitude, 5, 0.5, acos(-1.0) / 2, acos(-1.0) / 4, 0.03, 1.0);
  ffi_all_equal(p[1].impulse, 3, 0.0, 4.0, 0.0);
  ffi_all_equal(p[1].at, 3, 0.0, 0.0, 0.0);
  ffi_equal(p[1].from, 0), ffi_equal(p[1].duration, 0.1);
  ffi_all_equal(&p[1].vary.magnitude, 5, 0.0, 0.0, 0.0, 0.0, 0.0);
}

static void check_trot(const ff_trot_task_def *t)
{
  assert_string_equal(t->base, "d");
  assert_int_equal(t->feet_count, 4);
  assert_string_equal(t->feet[3], "h");
  ffi_all_equal(&t->frequency, 8, 1.25, 0.75, 0.3, 0.06, 0.4, 0.7, 0.8, 0.09);
}

static void check_controller(const ff_scene_controller *c)
{
  const ff_walk_task_def *w = &c->walk;
  assert_int_equal(c->type, FF_CONTROLLER_SQUAT);
  ffi_equal(c->period, 0.008);
  assert_int_equal(c->middle, 1);
  ffi_equal(c->kp, 40), ffi_equal(c->kd, 0.5);
  ffi_equal(c->tasks.com.weight, 2), ffi_equal(c->tasks.com.kp, 3), ffi_equal(c->tasks.com.kd, 4);
  ffi_equal(c->tasks.posture.weight, 0.125), ffi_equal(c->tasks.posture.kp, 10),
      ffi_equal(c->tasks.posture.kd, -1);
  assert_int_equal(c->tasks.posture.is_strict, 1);
  ffi_equal(c->tasks.contact.weight, 5);
  assert_int_equal(c->tasks.contact.is_strict, 0);
  ffi_equal(c->tasks.foot.kp, 6), ffi_equal(c->tasks.foot.weight, 1);
  ffi_equal(c->tasks.base.kd, 7), ffi_equal(c->tasks.base.weight, 0.01);
  ffi_equal(c->tasks.force_weight, 1e-5), ffi_equal(c->tasks.acceleration_weight, 2e-5);
  ffi_equal(c->tasks.friction, 0.5), ffi_equal(c->tasks.min_force, 1), ffi_equal(c->tasks.max_force, 2000);
  assert_int_equal(c->tasks.torque_limits, 1);
  assert_int_equal(c->squat.feet_count, 2);
  assert_string_equal(c->squat.feet[1], "FR_FOOT");
  ffi_all_equal(c->squat.offset, 3, 0.001, 0.0, 0.0);
  ffi_all_equal(c->squat.amplitude, 3, 0.0, 0.0, 0.03);
  ffi_all_equal(c->squat.rate, 3, 0.0, 0.0, 2.0);
  ffi_equal(c->squat.rise, 0.1);
  assert_string_equal(w->right_foot, "a");
  assert_string_equal(w->left_foot, "b");
  assert_string_equal(w->base, "c");
  ffi_all_equal(w->sole, 4, -1.0, 2.0, -3.0, 4.0);
  assert_int_equal(w->steps, 9);
  assert_int_equal(w->first_swing, FF_SIDE_RIGHT);
  ffi_equal(w->sole_height, 0.07), ffi_equal(w->step_time, 0.5), ffi_equal(w->both_time, 0.25),
      ffi_equal(w->start_time, 2);
  ffi_equal(w->end_time, 3), ffi_equal(w->step_length, 0.08), ffi_equal(w->step_height, 0.04),
      ffi_equal(w->margin, 0.01);
  ffi_equal(w->interval, 0.05), ffi_equal(w->pressure_weight, 11), ffi_equal(w->speed_weight, 12);
}

static void check_run(const ff_scene_def *d)
{
  const ff_sim_def *s = &d->sim;
  const ff_moreau_def *m = &s->moreau;
  const ff_c2a_def *c = &s->c2a;
  assert_int_equal(s->stepper, FF_STEPPER_IMPLICIT);
  assert_int_equal(s->expo.exponential, FF_EXPONENTIAL_ORDER_5);
  assert_true(s->expo.order == 1 && !s->expo.events && s->expo.max_substeps == 3 && s->expo.max_pieces == 4);
  assert_int_equal(s->expo.double_mean, 0);
  ffi_equal(s->expo.force_tolerance, 1e-6), ffi_equal(s->implicit.tolerance, 1e-9),
      ffi_equal(s->max_speed, 123);
  assert_int_equal(s->implicit.max_iterations, 77);
  ffi_all_equal(&s->ess.epsilon, 3, 3e-6, 2e-7, 3e-8);
  assert_int_equal(s->ess.max_steps, 55);
  assert_true(m->contact == FF_HARD_CONTACT_COMPLIANT && m->solver == FF_HARD_SOR_SPLIT &&
              m->form == FF_HARD_FORM_VELOCITY && m->bilateral == FF_HARD_PROX);
  ffi_all_equal(&m->alpha, 3, 0.5, 1e-7, 0.002);
  assert_true(m->max_iterations == 78 && !m->warm_start && m->stabilise == 1);
  ffi_equal(c->h_min, 2e-5), ffi_equal(c->skin, 2e-4), ffi_equal(c->absolute_error, 1e-5);
  ffi_equal(c->relative_error, 0.01), ffi_equal(c->dissipation, 0.1), ffi_equal(c->rayleigh, 3);
  assert_true(!c->advancement && !c->error_control && c->scheme == FF_C2A_EXPLICIT);
  assert_true(c->impact.law == FF_IMPACT_BOUNDED && c->impact.cone == FF_IMPACT_POLYGON &&
              c->impact.edges == 8 && c->impact.bounce == FF_IMPACT_POISSON &&
              c->impact.max_iterations == 79);
  ffi_equal(c->impact.relative_tolerance, 4e-7), ffi_equal(c->impact.absolute_tolerance, 0.005);
  assert_int_equal(s->max_contacts, 99);
  assert_int_equal(s->contact_law, FF_LAW_SLIP_FLAG);
  assert_int_equal(s->normal_anchor, FF_ANCHOR_FIRST_TOUCH);
  assert_int_equal(s->self_collision, 1);
  assert_int_equal(s->model_elements, 0);
  ffi_equal(s->limit_stiffness, 2000), ffi_equal(s->limit_damping, 3);
  ffi_equal(s->dt, 0.002), ffi_equal(d->duration, 60);
  assert_string_equal(d->log.file, "out.csv");
  assert_int_equal(d->log.every, 7);
  ffi_equal(d->expect.com_error, 0.005), ffi_equal(d->expect.steps, 3), ffi_equal(d->expect.flight, 0.6);
  ffi_all_equal(d->expect.speed, 2, 0.15, 0.25);
  ffi_equal(d->expect.advance, 1), ffi_equal(d->expect.final_speed, 0.001);
  assert_int_equal(d->expect.upright, 1);
  ffi_all_equal(&d->expect.penetration, 4, 0.001, 2e-6, 0.25, 4.0);
  ffi_all_equal(d->expect.fallen, 2, 1.0, 2.0);
  ffi_equal(d->expect.moved, 0.03), ffi_equal(d->expect.rise, 0.12), ffi_equal(d->expect.passed, 2);
}

static void every_field_arrives(void **state)
{
  (void)state;
  ff_scene *scene = ffi_scene_of_text(full);
  check_surroundings(ff_scene_get_def(scene));
  check_pushes(ff_scene_get_def(scene));
  check_controller(&ff_scene_get_def(scene)->controller);
  check_trot(&ff_scene_get_def(scene)->controller.trot);
  check_run(ff_scene_get_def(scene));
  ff_scene_destroy(scene);
}

// What the sim is made of, and where it starts.
static void the_sim_is_what_the_file_says(void **state)
{
  (void)state;
  ff_scene *scene = ffi_scene_of_text(full);
  const ff_model *model = ff_scene_model(scene);
  const ff_sim_def def = ff_scene_sim_def(scene);
  ff_joint_info joint;
  ff_shape_info shape;
  double R[9];
  int tips = 0;
  assert_int_equal(def.stepper, FF_STEPPER_IMPLICIT);
  ffi_equal(def.implicit.tolerance, 1e-9);
  assert_int_equal(def.implicit.max_iterations, 77);
  assert_int_equal(def.moreau.max_iterations, 78);
  assert_int_equal(def.moreau.solver, FF_HARD_SOR_SPLIT);
  ffi_equal(def.ground[0].shape.material.restitution, 0.5);
  ffi_equal(def.ground[1].shape.material.tangential_restitution, 0.0625);
  assert_int_equal(def.ground_count, 3);
  for (int i = 0; i < 3; ++i)
    assert_int_equal(def.ground[i].gives_pair, 1);
  ffi_equal(def.ground[0].shape.material.stiffness, 1e6);
  ffi_equal(def.ground[1].shape.material.stiffness, 2000);
  ff_pose_rotation(&def.ground[1].shape.pose, R); // turned by 90 degrees, then x tipped down by 10
  assert_true(fabs(R[0 * 3 + 1] + cos(acos(-1.0) / 18)) < 1e-15 &&
              fabs(R[2 * 3 + 1] - sin(acos(-1.0) / 18)) < 1e-15);
  for (int i = 0; ff_model_shape(model, i, &shape) == FF_OK; ++i)
    tips += shape.def.name && strcmp(shape.def.name, "tip") == 0 && shape.def.type == FF_SHAPE_POINT;
  assert_int_equal(tips, 1);
  const double *q = ff_sim_q(ff_scene_sim(scene)), *v = ff_sim_v(ff_scene_sim(scene));
  ffi_all_equal(q, 3, 0.5, 0.25, 0.3);
  assert_true(fabs(fabs(q[5]) - 1) < 1e-15 && fabs(q[6]) < 1e-15); // half a turn about z
  ffi_all_equal(v, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
  ff_model_joint(model, ff_model_find_joint(model, "FL_HAA"), &joint);
  ffi_equal(q[joint.q], acos(-1.0) / 6);
  ff_model_joint(model, ff_model_find_joint(model, "FR_KFE"), &joint);
  ffi_equal(q[joint.q], 1.5), ffi_equal(v[joint.v], 0.5);
  ff_model_joint(model, ff_model_find_joint(model, "FR_HFE"), &joint);
  ffi_equal(q[joint.q], -0.799755961); // the posture's
  ffi_equal(ff_scene_period(scene), 0.008);
  assert_true(ff_scene_steps(scene) == 30000);
  ff_scene_destroy(scene);
}

// ---- Defaults -------------------------------------------------------------------------------------------------------

static void what_is_left_out_is_the_default(void **state)
{
  (void)state;
  ff_scene *scene = ffi_scene_of_text("model: " MODELS "solo12.urdf\n");
  const ff_scene_def *d = ff_scene_get_def(scene);
  const ff_sim_def want = ff_sim_def_default(), got = ff_scene_sim_def(scene);
  const ff_controller_def c = ff_controller_def_default();
  assert_int_equal(got.stepper, want.stepper);
  assert_int_equal(got.self_collision, want.self_collision);
  assert_int_equal(got.normal_anchor, want.normal_anchor);
  ffi_equal(got.dt, want.dt), ffi_equal(got.max_speed, want.max_speed);
  ffi_equal(got.accuracy, want.accuracy);
  assert_int_equal(got.model_elements, want.model_elements);
  ffi_equal(got.limit_stiffness, want.limit_stiffness), ffi_equal(got.limit_damping, want.limit_damping);
  assert_int_equal(got.expo.exponential, want.expo.exponential);
  ffi_equal(got.expo.force_tolerance, want.expo.force_tolerance);
  assert_int_equal(got.expo.max_substeps, want.expo.max_substeps);
  assert_int_equal(got.expo.order, want.expo.order);
  assert_int_equal(got.expo.events, want.expo.events);
  assert_int_equal(got.expo.max_pieces, want.expo.max_pieces);
  assert_int_equal(got.expo.double_mean, want.expo.double_mean);
  ffi_equal(got.implicit.tolerance, want.implicit.tolerance);
  assert_int_equal(got.implicit.max_iterations, want.implicit.max_iterations);
  ffi_equal(got.ess.epsilon, want.ess.epsilon);
  ffi_equal(got.ess.relative_tolerance, want.ess.relative_tolerance);
  ffi_equal(got.ess.absolute_tolerance, want.ess.absolute_tolerance);
  assert_int_equal(got.ess.max_steps, want.ess.max_steps);
  const ff_moreau_def *m = &got.moreau, *mm = &want.moreau;
  assert_true(m->contact == mm->contact && m->solver == mm->solver && m->form == mm->form &&
              m->bilateral == mm->bilateral);
  ffi_equal(m->alpha, mm->alpha), ffi_equal(m->relative_tolerance, mm->relative_tolerance),
      ffi_equal(m->absolute_tolerance, mm->absolute_tolerance);
  assert_int_equal(m->max_iterations, mm->max_iterations);
  assert_true(m->warm_start == mm->warm_start && m->stabilise == mm->stabilise);
  const ff_c2a_def *c2a = &got.c2a, *cc = &want.c2a;
  ffi_equal(c2a->h_min, cc->h_min), ffi_equal(c2a->skin, cc->skin);
  ffi_equal(c2a->absolute_error, cc->absolute_error), ffi_equal(c2a->relative_error, cc->relative_error);
  ffi_equal(c2a->dissipation, cc->dissipation), ffi_equal(c2a->rayleigh, cc->rayleigh);
  assert_true(c2a->advancement == cc->advancement && c2a->error_control == cc->error_control &&
              c2a->scheme == cc->scheme);
  const ff_impact_def *impact = &c2a->impact,
                      *ii = &cc->impact; // field by field: what is between them is nobody's
  assert_true(impact->law == ii->law && impact->cone == ii->cone && impact->edges == ii->edges);
  assert_true(impact->bounce == ii->bounce && impact->max_iterations == ii->max_iterations);
  ffi_equal(impact->relative_tolerance, ii->relative_tolerance);
  ffi_equal(impact->absolute_tolerance, ii->absolute_tolerance);
  assert_int_equal(got.max_contacts, want.max_contacts);
  assert_int_equal(got.contact_law, want.contact_law);
  const ff_trot_task_def *t = &d->controller.trot, *tt = &c.trot;
  ffi_all_equal(&t->frequency, 4, tt->frequency, tt->duty, tt->speed, tt->step_height);
  assert_true(isnan(t->height) && isnan(tt->height));
  ffi_all_equal(&t->start_time, 3, tt->start_time, tt->ramp_time, tt->placement);
  assert_true(d->pushes.seed == 0 && d->pushes.list_count == 0);
  assert_int_equal(d->coordinates.type, FF_CUT_MINIMAL);
  assert_int_equal(got.ground_count, 1);
  assert_int_equal(got.ground[0].gives_pair, 0);
  assert_int_equal(d->controller.type, c.type);
  assert_int_equal(d->controller.middle, c.middle);
  const ff_task *tasks[][2] = {{&d->controller.tasks.com, &c.tasks.com},
                               {&d->controller.tasks.posture, &c.tasks.posture},
                               {&d->controller.tasks.foot, &c.tasks.foot},
                               {&d->controller.tasks.base, &c.tasks.base}};
  for (int i = 0; i < 4; ++i) {
    ffi_equal(tasks[i][0]->weight, tasks[i][1]->weight);
    ffi_equal(tasks[i][0]->kp, tasks[i][1]->kp);
    ffi_equal(tasks[i][0]->kd, tasks[i][1]->kd);
    assert_int_equal(tasks[i][0]->is_strict, tasks[i][1]->is_strict);
  }
  assert_true(d->controller.tasks.contact.weight < 0); // not given: strict
  assert_int_equal(c.tasks.contact.is_strict, 1);
  ffi_equal(d->controller.tasks.contact.kp, c.tasks.contact.kp);
  ffi_equal(d->controller.tasks.force_weight, c.tasks.force_weight);
  ffi_equal(d->controller.tasks.acceleration_weight, c.tasks.acceleration_weight);
  ffi_equal(d->controller.tasks.friction, c.tasks.friction);
  ffi_equal(d->controller.tasks.min_force, c.tasks.min_force);
  assert_true(d->controller.tasks.max_force == c.tasks.max_force);
  const ff_walk_task_def *w = &d->controller.walk, *ww = &c.walk;
  for (int k = 0; k < 4; ++k)
    ffi_equal(w->sole[k], ww->sole[k]);
  assert_int_equal(w->steps, ww->steps);
  assert_int_equal(w->first_swing, ww->first_swing);
  ffi_equal(w->sole_height, ww->sole_height), ffi_equal(w->step_time, ww->step_time),
      ffi_equal(w->both_time, ww->both_time);
  ffi_equal(w->start_time, ww->start_time), ffi_equal(w->end_time, ww->end_time),
      ffi_equal(w->step_length, ww->step_length);
  ffi_equal(w->step_height, ww->step_height), ffi_equal(w->margin, ww->margin),
      ffi_equal(w->interval, ww->interval);
  ffi_equal(w->pressure_weight, ww->pressure_weight), ffi_equal(w->speed_weight, ww->speed_weight);
  ffi_equal(d->duration, 10), ffi_equal(ff_scene_period(scene), want.dt);
  assert_string_equal(ff_scene_posture(scene), "standing");
  assert_null(d->log.file);
  ff_scene_destroy(scene);
}

// Gains of all motors, and of single ones, in part or whole; elements are in the model's order of joints.
static void motors_may_have_gains_of_their_own(void **state)
{
  (void)state;
  ff_scene *scene =
      ffi_scene_of_text("model: " MODELS "solo12.urdf\n"
                        "controller:\n  type: posture-pd\n  kp: 10\n  kd: 0.5\n"
                        "  joints: {FL_HFE: {kp: 20 Nm/rad}, HR_KFE: {kp: 7, kd: 0.25 Nms/rad}}\n");
  const ff_sim_def def = ff_scene_sim_def(scene);
  assert_int_equal(def.element_count, 12);
  for (int i = 0; i < 12; ++i) {
    const ff_element_def *e = &def.elements[i];
    const int is_hip = strcmp(e->name, "FL_HFE") == 0, is_knee = strcmp(e->name, "HR_KFE") == 0;
    ffi_equal(e->stiffness, is_hip ? 20 : is_knee ? 7 : 10);
    ffi_equal(e->damping, is_knee ? 0.25 : 0.5);
  }
  ff_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motors_may_have_gains_of_their_own),
      cmocka_unit_test(every_field_arrives),
      cmocka_unit_test(the_sim_is_what_the_file_says),
      cmocka_unit_test(what_is_left_out_is_the_default),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
