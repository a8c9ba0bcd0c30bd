// The springs of torsional and rolling friction while they stick, against damped oscillations in closed form: a body
// swings at 500 rad/s with a damping ratio of 0.7, whatever its inertia and however many points it stands on, and steps
// of 1 ms of explicit methods are no more than half of the longest stable ones. docs/theory/turning-friction.md,
// section 1.
#include "analytic/scene.h"

static const double frequency = 500, zeta = 0.7; // of the springs [rad/s], [-]
static const double spin = 1e-3;                 // small: nothing slides [rad/s]
static const double swing = 0.46 * 1e-3 / 500;   // the largest angle: 0.46 spin / frequency [rad]

enum { BALL, BLOCK, ARM, PAIR };

// A body at rest on a plane, on springs of 100 rad/s, without friction except for the kind that is tested.
typedef struct body {
  const char *name;
  int kind;
  double mass; // [kg]
  int axis;    // 2: torsional; 0: rolling
} body;

static ff_link_def link_of(ff_joint_type joint, double mass, double moment)
{
  ff_link_def link = ff_link_def_default();
  link.name = "link";
  link.joint.type = joint;
  link.inertia.mass = mass;
  link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = moment;
  return link;
}

static ff_material material_of(const body *of)
{
  const int points = of->kind == BLOCK ? 4 : 1;
  ff_material material = ff_material_default();
  material.stiffness = of->mass * 1e4 / points;
  material.damping = of->mass * 200 / points;
  material.friction = 0;
  if (of->axis == 2)
    material.torsional_friction = 0.1;
  else
    material.rolling_friction = 0.1;
  return material;
}

// A ball with a radius of 0.1 m on a hinge about the axis z, 0.5 mm deep in the plane z = 0 from above or below.
static void add_hinged(ff_builder *b, double mass, double away, double side, const ff_material *material)
{
  ff_link_def link = link_of(FF_JOINT_REVOLUTE, mass, 0.004 * mass);
  ff_shape_def shape = ff_shape_def_default();
  link.name = side > 0 ? "link" : "other";
  link.joint.axis[2] = 1;
  link.inertia.com[0] = shape.pose.position[0] = away;
  link.inertia.com[2] = shape.pose.position[2] = side * (0.1 - 0.5e-3);
  shape.size[0] = 0.1;
  shape.material = *material;
  ffi_must_add_shape(b, ffi_must_add_link(b, &link), &shape);
}

// A ball, a block on four points, a ball at the end of an arm of 0.5 m, or two balls on one axis that touch each other.
static ff_model *make(const body *of)
{
  const ff_material material = material_of(of);
  if (of->kind == BLOCK)
    return scene_block(of->mass, 0.1, &material);
  ff_builder *b = ffi_must_begin("body");
  if (of->kind == BALL) {
    const ff_link_def link = link_of(FF_JOINT_FREE, of->mass, 0.004 * of->mass);
    ff_shape_def shape = ff_shape_def_default();
    shape.size[0] = 0.1;
    shape.material = material;
    ffi_must_add_shape(b, ffi_must_add_link(b, &link), &shape);
  } else {
    add_hinged(b, of->mass, of->kind == ARM ? 0.5 : 0, 1, &material);
    if (of->kind == PAIR)
      add_hinged(b, 3 * of->mass, 0, -1, &material);
  }
  return ffi_must_finish(b);
}

static int is_hinged(const body *of)
{
  return of->kind == ARM || of->kind == PAIR;
}

static ff_sim *begin(const body *of, ff_stepper stepper, double dt, ff_model **model)
{
  ff_sim_def def = ff_sim_def_default();
  const double q[7] = {0, 0, 0.1 - scene_gravity / 1e4, 0, 0, 0, 1};
  double v[6] = {0};
  *model = make(of);
  def.stepper = stepper;
  def.dt = dt;
  def.ess.relative_tolerance = def.ess.absolute_tolerance = 1e-12; // angles are some 1e-6 rad
  def.ground_count = of->kind == PAIR ? 0 : -1;
  v[is_hinged(of) ? 0 : 3 + of->axis] = spin;
  ff_sim *sim = ffi_must_sim(*model, &def);
  ffi_must_reset(sim, is_hinged(of) ? NULL : q, v);
  return sim;
}

// Relative to what it touches. Of a free body q = (p, x, y, z, w).
static double angle_of(const body *of, const ff_sim *sim)
{
  const double *q = ff_sim_q(sim);
  return of->kind == PAIR ? q[0] - q[1] : of->kind == ARM ? q[0] : 2 * atan2(q[3 + of->axis], q[6]);
}

static const body all[] = {
    {"ball, spinning", BALL, 2, 2},
    {"ball, rolling", BALL, 2, 0},
    {"light ball, spinning", BALL, 1e-4, 2},
    {"heavy ball, spinning", BALL, 1e4, 2},
    {"block, spinning", BLOCK, 2, 2},
    {"arm", ARM, 2, 2},
    {"pair", PAIR, 2, 2},
};
enum { BODIES = sizeof all / sizeof *all };

static void what_sticks_swings(void **state)
{
  (void)state;
  const double ringing = frequency * sqrt(1 - zeta * zeta), dt = 1e-4;
  for (int i = 0; i < BODIES; ++i) {
    ff_model *model;
    ff_sim *sim = begin(&all[i], FF_STEPPER_ESS, dt, &model);
    for (int k = 1; k <= 120; ++k) {
      const double t = k * dt, want = spin / ringing * exp(-zeta * frequency * t) * sin(ringing * t);
      ffi_must_step(sim, NULL);
      ffi_check_near(all[i].name, angle_of(&all[i], sim), want, 1e-4 * swing);
    }
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
}

// The largest change of the angle in a step, of the last 100 of 1000 steps, over the largest angle of the swing.
static double kept(const body *of, ff_stepper stepper, double dt)
{
  ff_model *model;
  ff_sim *sim = begin(of, stepper, dt, &model);
  double largest = 0;
  ffi_must_run(sim, 900, NULL);
  for (int k = 0; k < 100; ++k) {
    const double before = angle_of(of, sim);
    ffi_must_step(sim, NULL);
    largest = fmax(largest, fabs(angle_of(of, sim) - before));
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return largest / swing;
}

// steppers.md, section 2: 2 (sqrt(zeta^2 + 1) - zeta) / w for symplectic, min(4 zeta, 1 / zeta) / w for euler.
static void explicit_steps_are_stable_to_twice_1_ms(void **state)
{
  (void)state;
  const struct {
    ff_stepper stepper;
    double longest;
  } bounds[] = {{FF_STEPPER_SYMPLECTIC, 2.0827e-3}, {FF_STEPPER_EULER, 2.8571e-3}};
  for (int i = 0; i < BODIES; ++i)
    for (int k = 0; k < 2; ++k) {
      const double longest = bounds[k].longest, below = kept(&all[i], bounds[k].stepper, 0.98 * longest),
                   above = kept(&all[i], bounds[k].stepper, 1.02 * longest);
      if (!(below < 1e-3 && above > 1))
        fail_msg("%s, %s: %g of the swing is left below the longest stable step, %g above", all[i].name,
                 ff_stepper_name(bounds[k].stepper), below, above);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_sticks_swings),
      cmocka_unit_test(explicit_steps_are_stable_to_twice_1_ms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
