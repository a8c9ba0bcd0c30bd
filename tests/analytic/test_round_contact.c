// Friction between two round bodies that both move, where the normal turns: a collision of two spinning balls by the
// equations of impulse, two balls against an integration of their own, pairs of other round shapes by steppers that
// find anchors in different ways, and momentum.
#include "analytic/scene.h"

#include "math/quaternion.h"
#include "math/vec3.h"

#include <string.h>

typedef struct body {
  ff_shape_type type;
  double size[3], mass, inertia;
} body;

// Linear and angular velocities here are those of the world.
typedef struct motion {
  double p[2][3], v[2][3], w[2][3];
} motion;

static ff_model *make_pair(const body pair[2], const ff_material *material)
{
  static const char *const names[] = {"a", "b"};
  ff_builder *b = ffi_must_begin("pair");
  ff_error error;
  for (int k = 0; k < 2; ++k) {
    ff_link_def link = ff_link_def_default();
    ff_shape_def shape = ff_shape_def_default();
    link.name = link.joint.name = names[k];
    link.joint.type = FF_JOINT_FREE;
    link.inertia.mass = pair[k].mass;
    for (int i = 0; i < 6; ++i) // xx xy xz yy yz zz
      link.inertia.matrix[i] = i == 0 || i == 3 || i == 5 ? pair[k].inertia : 0;
    shape.type = pair[k].type;
    memcpy(shape.size, pair[k].size, sizeof shape.size);
    shape.material = *material;
    ffi_must_add_shape(b, ffi_must_add_link(b, &link), &shape);
  }
  ffi_must(ff_builder_set_gravity(b, (const double[]){0, 0, 0}, &error), &error);
  return ffi_must_finish(b);
}

static void rotate(const double quat[4], int back, const double x[3], double out[3])
{
  double R[9];
  ffi_quat_matrix(quat, R);
  for (int i = 0; i < 3; ++i)
    out[i] = back ? R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2] : ffi_v3_dot(R + 3 * i, x);
}

static const double height = 10; // above the ground [m]

static void start(ff_sim *sim, const motion *m, const double (*quat)[4])
{
  static const double upright[4] = {0, 0, 0, 1};
  double q[14], v[12];
  for (int k = 0; k < 2; ++k) {
    memcpy(q + 7 * k, m->p[k], sizeof m->p[k]);
    q[7 * k + 2] += height;
    memcpy(q + 7 * k + 3, quat ? quat[k] : upright, sizeof upright);
    rotate(q + 7 * k + 3, 1, m->v[k], v + 6 * k);
    rotate(q + 7 * k + 3, 1, m->w[k], v + 6 * k + 3);
  }
  ffi_must_reset(sim, q, v);
}

static void read_motion(const ff_sim *sim, motion *m)
{
  for (int k = 0; k < 2; ++k) {
    const double *q = ff_sim_q(sim) + 7 * k, *v = ff_sim_v(sim) + 6 * k;
    memcpy(m->p[k], q, sizeof m->p[k]);
    m->p[k][2] -= height;
    rotate(q + 3, 0, v, m->v[k]);
    rotate(q + 3, 0, v + 3, m->w[k]);
  }
}

// quat: orientations at the start, NULL for none.
typedef struct trial {
  const body *pair;
  const ff_material *material;
  const motion *from;
  const double (*quat)[4];
} trial;

static motion run(const trial *t, ff_stepper stepper, double dt, double time)
{
  ff_model *model = make_pair(t->pair, t->material);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  ff_sim *sim = ffi_must_sim(model, &def);
  motion end;
  start(sim, t->from, t->quat);
  ffi_must_run(sim, (int)lround(time / dt), NULL);
  read_motion(sim, &end);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return end;
}

// ---- Impulse ------------------------------------------------------------------------------------------------

static const motion spinning = {
    .p = {{0, 0, 0}, {0.05, 0, 0.194}}, .v = {{0, 0, 0}, {0.3, 0.2, -1}}, .w = {{0, 5, 3}, {1, 2, 3}}};

static const double radius = 0.1;

// A ball that slides throughout has the friction mu Lambda against the velocity of its material points over the
// other's, which keeps its direction: the inverse mass across the normal is the same in all directions. So each ball's
// spin changes by radius n x (mu Lambda d) / inertia, and the Lambda that it came with is that of the end. The contact
// takes 2e-5 s, in which the normal turns by less than 1e-4 rad.
static void two_spinning_balls_collide_by_the_equations_of_impulse(void **state)
{
  (void)state;
  static const struct {
    ff_stepper stepper;
    double dt;
  } cases[] = {{FF_STEPPER_EXPO, 2e-6},       {FF_STEPPER_EXPO_PAPER, 2e-8}, {FF_STEPPER_EULER, 2e-8},
               {FF_STEPPER_SYMPLECTIC, 1e-7}, {FF_STEPPER_RK4, 1e-7},        {FF_STEPPER_IMPLICIT, 1e-7},
               {FF_STEPPER_ESS, 2e-6},        {FF_STEPPER_MOREAU, 2e-5}};
  const ff_material material = {.stiffness = 2e10, .damping = 1000, .friction = 0.02};
  const body pair[2] = {{FF_SHAPE_SPHERE, {0.1}, 1, 0.004}, {FF_SHAPE_SPHERE, {0.1}, 1, 0.004}};
  motion from = spinning;
  double n[3];
  ffi_v3_sub(from.p[0], from.p[1], n);
  ffi_v3_scale(1 / ffi_v3_norm(n), n, n);
  for (int k = 0; k < 3; ++k) // they touch 10 um farther on
    from.p[1][k] = -n[k] * 2 * radius - from.v[1][k] * 1e-5;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
    const motion end = run(&(trial){pair, &material, &from, NULL}, cases[c].stepper, cases[c].dt, 1e-4);
    double u[3], arm[3], spin[3], part[3], change[3];
    ffi_v3_sub(from.v[0], from.v[1], u);
    ffi_v3_add(from.w[0], from.w[1], spin);
    ffi_v3_scale(-radius, n, arm); // from a to the contact; from b it is opposite
    ffi_v3_cross(spin, arm, part);
    ffi_v3_add(u, part, u);
    ffi_v3_add_scaled(-ffi_v3_dot(u, n), n, u);
    ffi_v3_sub(end.v[0], from.v[0], change);
    const double pushed = ffi_v3_dot(change, n) * pair[0].mass;
    assert_true(pushed > 0.4);
    ffi_v3_scale(-material.friction * pushed / ffi_v3_norm(u) / pair[0].inertia, u, u);
    ffi_v3_cross(arm, u, spin); // what it should be
    for (int b = 0; b < 2; ++b) {
      ffi_v3_sub(end.w[b], from.w[b], change);
      for (int k = 0; k < 3; ++k)
        ffi_check_near(ff_stepper_name(cases[c].stepper), change[k], spin[k], 2e-3 * ffi_v3_norm(spin));
    }
  }
}

// ---- Two balls by themselves ------------------------------------------------------------------------------------

// State of the oracle: both balls, and the elongation e of the friction spring in axes that turn with the normal and
// with b: edot = w - u_t + (omega_b + n x ndot) x e, ndot seen from b. contact.md, eqs 2 and 3.
enum { ORACLE = 21 };

typedef struct oracle {
  double mass[2], inertia[2], radius[2], K, B, mu;
} oracle;

static void oracle_rate(const oracle *o, const double y[ORACLE], double rate[ORACLE])
{
  const double *pa = y, *pb = y + 3, *va = y + 6, *vb = y + 9, *wa = y + 12, *wb = y + 15, *e = y + 18;
  double n[3], ra[3], rb[3], u[3], x[3], ndot[3], force[3], slide[3] = {0, 0, 0};
  memset(rate, 0, ORACLE * sizeof *rate);
  memcpy(rate, y + 6, 6 * sizeof *rate);
  ffi_v3_sub(pa, pb, n);
  const double far = ffi_v3_norm(n), gap = far - o->radius[0] - o->radius[1];
  ffi_v3_scale(1 / far, n, n);
  ffi_v3_scale(-o->radius[0], n, ra); // the witness is a's lowest point
  ffi_v3_scale(far - o->radius[0], n, rb);
  ffi_v3_sub(va, vb, u);
  ffi_v3_copy(u, ndot); // of the world
  ffi_v3_add_scaled(-ffi_v3_dot(u, n), n, ndot);
  ffi_v3_scale(1 / far, ndot, ndot);
  ffi_v3_cross(wa, ra, x);
  ffi_v3_add(u, x, u);
  ffi_v3_cross(wb, rb, x);
  ffi_v3_sub(u, x, u);
  const double closing = ffi_v3_dot(u, n), push = fmax(-o->K * gap - o->B * closing, 0);
  for (int k = 0; k < 3; ++k)
    force[k] = o->K * e[k] - o->B * (u[k] - closing * n[k]);
  const double pull = ffi_v3_norm(force), most = o->mu * push;
  if (pull > most)
    for (int k = 0; k < 3; ++k) {
      slide[k] = (most / pull - 1) * force[k] / o->B;
      force[k] *= most / pull;
    }
  ffi_v3_cross(n, ndot, x); // the turn of axes that follow the normal, and that of b about it
  ffi_v3_add_scaled(ffi_v3_dot(wb, n), n, x);
  ffi_v3_cross(x, e, rate + 18);
  for (int k = 0; k < 3; ++k) {
    rate[18 + k] += slide[k] - (u[k] - closing * n[k]);
    force[k] += push * n[k];
    rate[6 + k] = force[k] / o->mass[0];
    rate[9 + k] = -force[k] / o->mass[1];
  }
  ffi_v3_cross(ra, force, rate + 12);
  ffi_v3_scale(1 / o->inertia[0], rate + 12, rate + 12);
  ffi_v3_cross(rb, force, rate + 15);
  ffi_v3_scale(-1 / o->inertia[1], rate + 15, rate + 15);
}

static void oracle_step(const oracle *o, double dt, double y[ORACLE])
{
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double k[ORACLE] = {0}, x[ORACLE], sum[ORACLE] = {0};
  for (int stage = 0; stage < 4; ++stage) {
    for (int i = 0; i < ORACLE; ++i)
      x[i] = y[i] + at[stage] * dt * k[i];
    oracle_rate(o, x, k);
    for (int i = 0; i < ORACLE; ++i)
      sum[i] += dt * weight[stage] * k[i];
  }
  for (int i = 0; i < ORACLE; ++i)
    y[i] += sum[i];
}

// The balls overlap from the start, so that nothing jumps, and stay in contact to the end.
static const body balls[2] = {{FF_SHAPE_SPHERE, {0.1}, 1, 0.004}, {FF_SHAPE_SPHERE, {0.15}, 2, 0.02}};
static const motion pressed = {.p = {{0.12, 0.04, 0.2146}, {0, 0, 0}},
                               .v = {{-0.5, 0.3, -0.9}, {0.1, 0.2, 0.3}},
                               .w = {{2, -6, 3}, {1, 4, -5}}};
static const double time_pressed = 0.008;

static motion solve_pressed(const ff_material *material)
{
  const oracle o = {.mass = {balls[0].mass, balls[1].mass},
                    .inertia = {balls[0].inertia, balls[1].inertia},
                    .radius = {balls[0].size[0], balls[1].size[0]},
                    .K = material->stiffness / 2, // two springs in series
                    .B = material->damping / 2,
                    .mu = material->friction};
  double y[ORACLE] = {0};
  motion end = pressed;
  memcpy(y, end.p, sizeof end.p);
  memcpy(y + 6, end.v, sizeof end.v);
  memcpy(y + 12, end.w, sizeof end.w);
  const int steps = 20000;
  for (int k = 0; k < steps; ++k)
    oracle_step(&o, time_pressed / steps, y);
  memcpy(end.p, y, sizeof end.p);
  memcpy(end.v, y + 6, sizeof end.v);
  memcpy(end.w, y + 12, sizeof end.w);
  return end;
}

static double largest_gap(const motion *a, const motion *b)
{
  return fmax(10 * ffi_gap(6, a->p[0], b->p[0]),
              fmax(ffi_gap(6, a->v[0], b->v[0]), 0.1 * ffi_gap(6, a->w[0], b->w[0])));
}

typedef struct accuracy {
  ff_stepper stepper;
  double dt, error; // [m/s], rad/s and m by the radii
  double order;     // by half the step, at least
} accuracy;

static void check_pressed(const ff_material *material, const accuracy *list, int count)
{
  const motion want = solve_pressed(material);
  const trial t = {balls, material, &pressed, NULL};
  for (int c = 0; c < count; ++c) {
    const accuracy *a = &list[c];
    const char *name = ff_stepper_name(a->stepper);
    const motion coarse = run(&t, a->stepper, a->dt, time_pressed);
    const motion fine = run(&t, a->stepper, a->dt / 2, time_pressed);
    const double first = largest_gap(&coarse, &want), second = largest_gap(&fine, &want);
    ffi_check_near(name, second, 0, a->error);
    if (second > 1e-10 && !(log2(first / second) > a->order))
      fail_msg("%s: %g in steps of %g s, %g in half of them", name, first, a->dt, second);
  }
}

static void two_balls_that_slide_move_as_their_own_equations_say(void **state)
{
  (void)state;
  static const accuracy list[] = {
      {FF_STEPPER_EXPO, 2e-4, 2e-5, 1.5},       {FF_STEPPER_ESS, 2e-4, 1e-8, -1},
      {FF_STEPPER_RK4, 2e-5, 1e-6, 0.7},        {FF_STEPPER_IMPLICIT, 2e-5, 5e-3, 0.7},
      {FF_STEPPER_SYMPLECTIC, 2e-5, 5e-3, 0.7}, {FF_STEPPER_EULER, 2e-5, 5e-3, 0.7}};
  const ff_material material = {.stiffness = 1e5, .damping = 300, .friction = 0.2};
  check_pressed(&material, list, (int)(sizeof list / sizeof *list));
}

// expo-paper has the law of the others as long as nothing slides.
static void two_balls_that_stick_move_as_their_own_equations_say(void **state)
{
  (void)state;
  static const accuracy list[] = {
      {FF_STEPPER_EXPO, 2e-4, 2e-5, 1.5},       {FF_STEPPER_ESS, 2e-4, 1e-8, -1},
      {FF_STEPPER_RK4, 2e-4, 2e-8, 3.5},        {FF_STEPPER_IMPLICIT, 2e-5, 5e-3, 0.7},
      {FF_STEPPER_SYMPLECTIC, 2e-5, 5e-3, 0.7}, {FF_STEPPER_EULER, 2e-5, 5e-3, 0.7},
      {FF_STEPPER_EXPO_PAPER, 2e-5, 5e-3, 0.7}};
  const ff_material material = {.stiffness = 1e5, .damping = 300, .friction = 100};
  check_pressed(&material, list, (int)(sizeof list / sizeof *list));
}

// ---- Other shapes -----------------------------------------------------------------------------------------------

// expo puts the anchor of a rolling contact where its elongation ends; ess and rk4 integrate the velocity of the
// anchor, so an error of the witness's way parts them.
typedef struct shapes {
  const char *name;
  body pair[2];
  double p[3], quat[2][4];
} shapes;

static const double half_turn = 0.70710678118654752;

static double part(const shapes *c, ff_stepper stepper, double dt, motion *end)
{
  const ff_material material = {.stiffness = 1e5, .damping = 300, .friction = 0.3};
  motion from = {.v = {{0.1, 0.05, -0.3}, {0.3, 0.2, 0.3}}, .w = {{0.3, 2, 1}, {1, 1.2, 1.5}}};
  memcpy(from.p[0], c->p, sizeof c->p);
  *end = run(&(trial){c->pair, &material, &from, c->quat}, stepper, dt, 0.02);
  return ffi_gap(6, end->w[0], from.w[0]);
}

static void pairs_of_round_shapes_have_one_motion(void **state)
{
  (void)state;
  const double r = half_turn;
#define SHAPE(type, ...)                                                                                     \
  {                                                                                                          \
    FF_SHAPE_##type, {__VA_ARGS__}, 1, 0.004                                                                 \
  }
  const shapes cases[] = {
      {"ball, capsule",
       {SHAPE(SPHERE, .1), SHAPE(CAPSULE, .05, .6)},
       {-.02, -.03, .1485},
       {{0, 0, 0, 1}, {0, r, 0, r}}},
      {"capsule, ball",
       {SHAPE(CAPSULE, .05, .2), SHAPE(SPHERE, .15)},
       {.02, -.01, .301},
       {{0, 0, 0, 1}, {0, 0, 0, 1}}},
      {"crossed capsules",
       {SHAPE(CAPSULE, .05, .6), SHAPE(CAPSULE, .07, .6)},
       {.02, -.01, .1201},
       {{0, r, 0, r}, {r, 0, 0, r}}},
      {"oblique capsules",
       {SHAPE(CAPSULE, .05, .6), SHAPE(CAPSULE, .07, .6)},
       {.02, -.01, .1201},
       {{0, r, 0, r}, {.5, .5, 0, r}}},
      {"ball, side",
       {SHAPE(SPHERE, .1), SHAPE(CYLINDER, .08, .6)},
       {-.02, -.03, .178},
       {{0, 0, 0, 1}, {0, r, 0, r}}},
      {"ball, rim",
       {SHAPE(SPHERE, .1), SHAPE(CYLINDER, .08, .2)},
       {.14, 0, .1801},
       {{0, 0, 0, 1}, {0, 0, 0, 1}}},
      {"ball, edge",
       {SHAPE(SPHERE, .1), SHAPE(BOX, .2, .2, .2)},
       {.15, .03, .1865},
       {{0, 0, 0, 1}, {0, 0, 0, 1}}},
      {"ball, corner",
       {SHAPE(SPHERE, .1), SHAPE(BOX, .2, .2, .2)},
       {.14, .15, .1768},
       {{0, 0, 0, 1}, {0, 0, 0, 1}}},
      {"ball, face",
       {SHAPE(SPHERE, .1), SHAPE(BOX, .4, .4, .2)},
       {.05, .03, .2001},
       {{0, 0, 0, 1}, {0, 0, 0, 1}}},
      {"ellipsoid, ball",
       {SHAPE(ELLIPSOID, .1, .15, .12), SHAPE(SPHERE, .15)},
       {.02, .03, .2665},
       {{0, 0, 0, 1}, {0, 0, 0, 1}}},
  };
#undef SHAPE
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
    motion expo, ess, rk4;
    assert_true(part(&cases[c], FF_STEPPER_EXPO, 1e-4, &expo) > 0.5); // friction has acted
    part(&cases[c], FF_STEPPER_ESS, 1e-4, &ess);
    part(&cases[c], FF_STEPPER_RK4, 1e-5, &rk4);
    ffi_check_near(cases[c].name, largest_gap(&expo, &ess), 0, 1e-4);
    ffi_check_near(cases[c].name, largest_gap(&expo, &rk4), 0, 1e-3);
  }
}

// ---- Momentum ---------------------------------------------------------------------------------------------------

static void momentum(const motion *m, const body pair[2], double out[6])
{
  double spin[3];
  memset(out, 0, 6 * sizeof *out);
  for (int k = 0; k < 2; ++k) {
    ffi_v3_cross(m->p[k], m->v[k], spin);
    ffi_v3_add_scaled(pair[k].mass, m->v[k], out);
    ffi_v3_add_scaled(pair[k].mass, spin, out + 3);
    ffi_v3_add_scaled(pair[k].inertia, m->w[k], out + 3);
  }
}

static double momentum_error(ff_stepper stepper, double dt, double mu)
{
  const ff_material material = {.stiffness = 1e5, .damping = 300, .friction = mu};
  const motion end = run(&(trial){balls, &material, &pressed, NULL}, stepper, dt, time_pressed);
  double before[6], after[6];
  momentum(&pressed, balls, before);
  momentum(&end, balls, after);
  return ffi_gap(6, before, after);
}

// The force acts on both bodies at one point, so what errors there are come from the integration of body-frame
// velocities, which also a single ball in flight has: of the stepper's order.
static void momentum_is_kept(void **state)
{
  (void)state;
  ffi_check_near("moreau", momentum_error(FF_STEPPER_MOREAU, 1e-4, 0.3), 0, 1e-13);
  ffi_check_near("ess", momentum_error(FF_STEPPER_ESS, 1e-4, 0.3), 0, 1e-9);
  ffi_check_near("rk4", momentum_error(FF_STEPPER_RK4, 1e-5, 0.3), 0, 1e-11);
  static const struct {
    ff_stepper stepper;
    double order;
  } cases[] = {{FF_STEPPER_EXPO, 1.7},
               {FF_STEPPER_IMPLICIT, 0.9},
               {FF_STEPPER_SYMPLECTIC, 0.9},
               {FF_STEPPER_EULER, 0.9},
               {FF_STEPPER_EXPO_PAPER, 0.9}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
    const double coarse = momentum_error(cases[c].stepper, 4e-5, 0.3),
                 fine = momentum_error(cases[c].stepper, 2e-5, 0.3);
    if (!(log2(coarse / fine) > cases[c].order))
      fail_msg("%s: %g, in half the step %g", ff_stepper_name(cases[c].stepper), coarse, fine);
  }
}

// Balls without friction are not turned: the arm is along the normal. expo's substep ends with the force along the
// normal there, so what is left is of second order.
static void balls_without_friction_are_not_turned(void **state)
{
  (void)state;
  static const ff_stepper steppers[] = {FF_STEPPER_EXPO,       FF_STEPPER_EXPO_PAPER, FF_STEPPER_RK4,
                                        FF_STEPPER_SYMPLECTIC, FF_STEPPER_IMPLICIT,   FF_STEPPER_ESS,
                                        FF_STEPPER_MOREAU};
  const ff_material material = {.stiffness = 1e5, .damping = 300, .friction = 0};
  for (size_t c = 0; c < sizeof steppers / sizeof *steppers; ++c) {
    const motion end = run(&(trial){balls, &material, &pressed, NULL}, steppers[c], 1e-4, time_pressed);
    ffi_check_near(ff_stepper_name(steppers[c]), ffi_gap(6, end.w[0], pressed.w[0]), 0, 1e-6);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_spinning_balls_collide_by_the_equations_of_impulse),
      cmocka_unit_test(two_balls_that_slide_move_as_their_own_equations_say),
      cmocka_unit_test(two_balls_that_stick_move_as_their_own_equations_say),
      cmocka_unit_test(pairs_of_round_shapes_have_one_motion),
      cmocka_unit_test(momentum_is_kept),
      cmocka_unit_test(balls_without_friction_are_not_turned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
