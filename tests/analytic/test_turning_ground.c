// Torsional and rolling friction on ground that turns, against closed forms: it takes what lies on it along with a
// moment of rho N, with any number of contact points and with or without friction, and then both turn together.
#include "analytic/scene.h"

static const double mass = 2, stiffness = 1e5, damping = 30; // [kg], [N/m], [N s/m]
static const double settle = 0.08; // until the springs, wound up to rho N, have come to rest [s]

static const ff_stepper steppers[] = {
    FF_STEPPER_EXPO, FF_STEPPER_EXPO_PAPER, FF_STEPPER_SYMPLECTIC, FF_STEPPER_EULER, FF_STEPPER_IMPLICIT,
    FF_STEPPER_RK4,  FF_STEPPER_ESS,        FF_STEPPER_MOREAU,     FF_STEPPER_CA,    FF_STEPPER_C2A};
enum { STEPPERS = sizeof steppers / sizeof *steppers };

// A body on a plane through the origin that turns about `axis`, with the moment that takes it along.
typedef struct ride {
  const char *name;
  int is_ball;            // radius 0.1; else a block of 0.2 on four points
  double friction;        // [-]
  double radius;          // of the resistance, torsional or rolling [m]
  int axis;               // 2: torsional; 0: rolling
  double arm;             // of friction about the axis [m]
  double inertia, centre; // about the axis [kg m^2]; height of the centre of mass [m]
  double away;            // from the axis [m]
  double speed;           // of the ground [rad/s]
} ride;

static ff_model *make_body(const ride *r)
{
  ff_material material = ff_material_default();
  material.stiffness = stiffness;
  material.damping = damping;
  material.friction = r->friction;
  if (r->axis == 2)
    material.torsional_friction = r->radius;
  else
    material.rolling_friction = r->radius;
  if (!r->is_ball)
    return scene_block(mass, r->centre, &material);
  ff_builder *b = ffi_must_begin("ball");
  ff_link_def link = ff_link_def_default();
  ff_shape_def shape = ff_shape_def_default();
  link.name = "ball";
  link.joint.type = FF_JOINT_FREE;
  link.inertia.mass = mass;
  link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = r->inertia;
  shape.size[0] = r->centre;
  shape.material = material;
  ffi_must_add_shape(b, ffi_must_add_link(b, &link), &shape);
  return ffi_must_finish(b);
}

// Runs it until half the time in which it is taken along, and then until it has been. Returns the error of its angular
// velocity then, relative to that of the ground.
static double error_of(const ride *r, ff_stepper stepper, double dt)
{
  const double gain = (r->radius + r->friction * r->arm) * mass * scene_gravity / r->inertia;
  const int half = (int)lround(0.5 * r->speed / gain / dt);
  ff_model *model = make_body(r);
  ff_ground_def ground = ff_ground_def_default();
  ff_sim_def def = ff_sim_def_default();
  const double depth =
      ff_stepper_is_hard(stepper) ? 0 : mass * scene_gravity / ((r->is_ball ? 1 : 4) * stiffness);
  ground.velocity[3 + r->axis] = r->speed;
  def.stepper = stepper;
  def.dt = dt;
  def.ground = &ground;
  def.ground_count = 1;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_must_reset(sim, (const double[7]){r->away, 0, r->centre - depth, 0, 0, 0, 1}, NULL);
  ffi_must_run(sim, half, NULL);
  const double early = ff_sim_v(sim)[3 + r->axis] - gain * dt * half;
  ffi_must_run(sim, half + (int)lround(settle / dt), NULL);
  const double late = ff_sim_v(sim)[3 + r->axis] - r->speed;
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return fmax(fabs(early), fabs(late)) / r->speed;
}

// To 0.2 % in steps of 1 ms. Friction of expo-paper is of first order.
static void expect(const ride *r)
{
  for (int k = 0; k < STEPPERS; ++k) {
    const double coarse = error_of(r, steppers[k], 1e-3);
    const int is_rough = steppers[k] == FF_STEPPER_EXPO_PAPER && r->friction > 0;
    if (coarse <= 2e-3)
      continue;
    const double fine = error_of(r, steppers[k], 1e-4);
    if (!(is_rough && fine <= 5e-3 && fine <= 0.2 * coarse))
      fail_msg("%s, %s: wrong by %g in steps of 1 ms, by %g in steps of 0.1 ms", ff_stepper_name(steppers[k]),
               r->name, coarse, fine);
  }
}

static const double block_inertia = 2 * 0.04 / 6, ball_inertia = 0.4 * 2 * 0.01,
                    corner = 0.1 * 1.4142135623730951;

static void a_turntable_takes_a_block_along(void **state)
{
  (void)state;
  const ride all[] = {
      {"without friction", 0, 0, 0.01, 2, 0, block_inertia, 0.1, 0, 2},
      {"without friction, off the axis", 0, 0, 0.01, 2, 0, block_inertia, 0.1, 0.5, 2},
      {"with little friction", 0, 0.01, 0.01, 2, corner, block_inertia, 0.1, 0, 2},
  };
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
    expect(&all[k]);
}

static void a_turntable_takes_a_ball_along(void **state)
{
  (void)state;
  const ride all[] = {
      {"ball without friction", 1, 0, 0.004, 2, 0, ball_inertia, 0.1, 0, 2},
      {"ball with friction", 1, 0.5, 0.004, 2, 0, ball_inertia, 0.1, 0, 2},
  };
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
    expect(&all[k]);
}

// For some hundredths of a second, and slowly: the normal force falls by m omega^2 times the height of the centre.
static void a_tilting_plane_takes_a_ball_along(void **state)
{
  (void)state;
  const ride r = {"ball on a tilting plane", 1, 0, 0.008, 0, 0, ball_inertia, 0.1, 0, 0.2};
  expect(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_turntable_takes_a_block_along),
      cmocka_unit_test(a_turntable_takes_a_ball_along),
      cmocka_unit_test(a_tilting_plane_takes_a_ball_along),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
