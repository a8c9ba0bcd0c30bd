// Parameters: a robot with its own numbers moves as one whose model, ground and elements were built with them.
#include "sim/toys.h"
#include "support/robots.h"

#include <footfall/parameters.h>

#include <math.h>

enum { STEPPERS = FF_STEPPER_COUNT };
enum { STEPS = 120, MOST = 64 };

// ---- A model and a def that are built with given numbers -------------------------------------------------------

// A cube with an arm and a lid that is fixed to it, on a floor; a motor and a stop at the arm.
typedef struct numbers {
  double gravity[3];
  ff_inertia cube, arm, lid;
  ff_material shell, floor;
  int gives_pair;
  ff_pose floor_pose;
  double floor_velocity[6];
  double motor[3], stop[2]; ///< stiffness, damping, effort
} numbers;

static ff_inertia inertia_of(double mass, double x, double moment)
{
  return (ff_inertia){
      .mass = mass, .com = {x, 0.01, -0.02}, .matrix = {moment, 1e-4, 0, moment, 2e-4, 1.2 * moment}};
}

static numbers as_usual(void)
{
  return (numbers){.gravity = {0, 0, -9.81},
                   .cube = inertia_of(2, 0, 0.02),
                   .arm = inertia_of(0.5, 0.1, 0.005),
                   .lid = inertia_of(0.3, -0.03, 0.002),
                   .shell = {.stiffness = 2e4, .damping = 50, .friction = 0.6},
                   .floor = {.stiffness = 8e4, .damping = 200, .friction = 0.5},
                   .floor_pose = ff_pose_identity(),
                   .motor = {20, 0.5, 3},
                   .stop = {500, 2}};
}

static int add_link(ff_builder *b, const char *name, int parent, ff_joint_type type,
                    const ff_inertia *inertia)
{
  ff_link_def link = ff_link_def_default();
  link.name = name;
  link.parent = parent;
  link.joint.type = type;
  link.joint.axis[1] = type == FF_JOINT_REVOLUTE;
  link.joint.pose.position[0] = parent >= 0 ? 0.12 : 0;
  link.inertia = *inertia;
  return ffi_must_add_link(b, &link);
}

static ff_model *model_of(const numbers *n)
{
  ff_builder *b = ffi_must_begin("cube and arm");
  ff_error error;
  ff_shape_def shape = ff_shape_def_default();
  const int cube = add_link(b, "cube", FF_WORLD, FF_JOINT_FREE, &n->cube);
  const int arm = add_link(b, "arm", cube, FF_JOINT_REVOLUTE, &n->arm);
  add_link(b, "lid", cube, FF_JOINT_FIXED, &n->lid);
  shape.type = FF_SHAPE_BOX;
  shape.size[0] = shape.size[1] = shape.size[2] = 0.2;
  shape.material = n->shell;
  ffi_must_add_shape(b, cube, &shape);
  shape.type = FF_SHAPE_SPHERE;
  shape.size[0] = 0.03;
  shape.pose.position[0] = 0.3;
  shape.material = (ff_material){.stiffness = 3e4, .damping = 40, .friction = 0.9};
  ffi_must_add_shape(b, arm, &shape);
  ffi_must(ff_builder_set_gravity(b, n->gravity, &error), &error);
  return ffi_must_finish(b);
}

static ff_world *world_of(const ff_model *model, const numbers *n, int stepper)
{
  ff_ground_def floor = ff_ground_def_default();
  floor.shape.material = n->floor;
  floor.gives_pair = n->gives_pair;
  floor.shape.pose = n->floor_pose;
  memcpy(floor.velocity, n->floor_velocity, sizeof floor.velocity);
  ff_element_def elements[2] = {ff_element_def_default(), ff_element_def_default()};
  elements[0].type = FF_ELEMENT_JOINT_PD;
  elements[1].type = FF_ELEMENT_JOINT_LIMIT;
  for (int i = 0; i < 2; ++i)
    elements[i].joint = 1;
  elements[0].reference = 0.4;
  elements[0].stiffness = n->motor[0];
  elements[0].damping = n->motor[1];
  elements[0].effort = n->motor[2];
  elements[1].lower = -0.1;
  elements[1].upper = 0.05;
  elements[1].stiffness = n->stop[0];
  elements[1].damping = n->stop[1];
  ff_sim_def def = ff_sim_def_default();
  def.stepper = (ff_stepper)stepper;
  def.dt = 5e-4;
  def.ground = &floor;
  def.ground_count = 1;
  def.elements = elements;
  def.element_count = 2;
  ff_world *world;
  ff_error error;
  ffi_must(ff_world_create(model, &def, &world, &error), &error);
  return world;
}

static ff_sim *robot_in(ff_world *world)
{
  ff_sim *sim;
  ff_error error;
  ffi_must(ff_sim_create_in(world, &sim, &error), &error);
  return sim;
}

// Tilted, a little above the floor, sliding.
static void put(ff_sim *sim)
{
  const double q[8] = {0, 0, 0.125, 0.02, 0.1, 0.03, 0.994, 0.02}, v[7] = {0.5, 0.1, -0.2, 0.3, 0, 0.2, 1};
  ffi_must_reset(sim, q, v);
}

// ---- Every setter ----------------------------------------------------------------------------------------------

// The robot of a world as usual gets these numbers by setters.
static void set_numbers(ff_parameters *p, const numbers *n)
{
  ff_error error;
  const ff_inertia *inertia[3] = {&n->cube, &n->arm, &n->lid};
  ffi_must(ff_parameters_set_gravity(p, n->gravity, &error), &error);
  for (int i = 0; i < 3; ++i) {
    ff_inertia got;
    ffi_must(ff_parameters_set_inertia(p, i, inertia[i], &error), &error);
    assert_int_equal(ff_parameters_inertia(p, i, &got), FF_OK);
    assert_memory_equal(&got, inertia[i], sizeof got);
  }
  ffi_must(ff_parameters_set_material(p, 0, &n->shell, &error), &error);
  ffi_must(ff_parameters_set_ground_material(p, 0, &n->floor, &error), &error);
  ffi_must(ff_parameters_set_ground(p, 0, &n->floor_pose, n->floor_velocity, &error), &error);
  ffi_must(ff_parameters_set_gains(p, 0, n->motor[0], n->motor[1], n->motor[2], &error), &error);
  ffi_must(ff_parameters_set_gains(p, 1, n->stop[0], n->stop[1], 0, &error), &error);
  double gravity[3], K, B, effort;
  ff_material shell, floor;
  ff_parameters_gravity(p, gravity);
  assert_memory_equal(gravity, n->gravity, sizeof gravity);
  assert_int_equal(ff_parameters_material(p, 0, &shell), FF_OK);
  assert_int_equal(ff_parameters_ground_material(p, 0, &floor), FF_OK);
  assert_memory_equal(&shell, &n->shell, sizeof shell);
  assert_memory_equal(&floor, &n->floor, sizeof floor);
  assert_int_equal(ff_parameters_gains(p, 0, &K, &B, &effort), FF_OK);
  assert_true(K == n->motor[0] && B == n->motor[1] && effort == n->motor[2]);
  assert_int_equal(ff_parameters_gains(p, 1, &K, &B, NULL), FF_OK);
  assert_true(K == n->stop[0] && B == n->stop[1]);
}

// The largest difference of q and v on the way, and how far the usual robot is from it.
typedef struct gap {
  double worst, usual;
  int touching;
} gap;

static void widen(double *most, const ff_sim *a, const ff_sim *b)
{
  const ff_model_size size = ff_model_get_size(ff_sim_model(a));
  for (int i = 0; i < size.nq; ++i)
    *most = fmax(*most, fabs(ff_sim_q(a)[i] - ff_sim_q(b)[i]));
  for (int i = 0; i < size.nv; ++i)
    *most = fmax(*most, fabs(ff_sim_v(a)[i] - ff_sim_v(b)[i]));
}

// Two sims of one world in the same state: contacts, their forces and all.
static void same_states(const ff_sim *a, const ff_sim *b)
{
  const size_t bytes = (size_t)ff_sim_state_size(a) * sizeof(double);
  double *x = malloc(bytes), *y = malloc(bytes);
  assert_true(x && y);
  ff_sim_get_state(a, x);
  ff_sim_get_state(b, y);
  assert_memory_equal(x, y, bytes);
  free(x);
  free(y);
}

static gap compare(const numbers *n, int stepper)
{
  const numbers usual = as_usual();
  ff_model *plain = model_of(&usual), *built = model_of(n);
  ff_world *world = world_of(plain, &usual, stepper), *other = world_of(built, n, stepper);
  ff_sim *set = robot_in(world), *want = robot_in(other), *left = robot_in(world);
  ff_parameters *p;
  ff_error error;
  gap g = {0};
  ffi_must(ff_parameters_create(world, &p, &error), &error);
  set_numbers(p, n);
  ff_sim_step(set, NULL, &error); // it has moved before, with the usual numbers
  ffi_must(ff_sim_set_parameters(set, p, &error), &error);
  ff_parameters_destroy(p);
  put(set);
  put(want);
  put(left);
  for (int k = 0; k < STEPS; ++k) {
    ffi_must_step(set, NULL);
    ffi_must_step(want, NULL);
    ffi_must_step(left, NULL);
    widen(&g.worst, set, want);
    widen(&g.usual, set, left);
    g.touching += ff_sim_info(set)->contacts > 0;
    const double e = ff_sim_energy(set).total, f = ff_sim_energy(want).total;
    assert_true(fabs(e - f) <= 1e-9 * (1 + fabs(f)));
  }
  ff_sim_destroy(set);
  ff_sim_destroy(want);
  ff_sim_destroy(left);
  ff_world_destroy(world);
  ff_world_destroy(other);
  ff_model_destroy(plain);
  ff_model_destroy(built);
  return g;
}

// What is set alone, and all of it at once.
typedef enum change {
  GRAVITY,
  CUBE,
  ARM,
  LID,
  SHELL,
  FLOOR,
  SLOPE,
  CONVEYOR,
  MOTOR,
  STOP,
  ALL,
  CHANGES
} change;
static const char *const names[CHANGES] = {"gravity", "cube",     "arm",   "lid",  "shell", "floor",
                                           "slope",   "conveyor", "motor", "stop", "all"};

static numbers changed(change what)
{
  numbers n = as_usual();
  const int all = what == ALL;
  if (all || what == GRAVITY)
    n.gravity[0] = 1, n.gravity[2] = -3;
  if (all || what == CUBE)
    n.cube = inertia_of(3, 0.02, 0.03);
  if (all || what == ARM)
    n.arm = inertia_of(0.8, 0.15, 0.004);
  if (all || what == LID)
    n.lid = inertia_of(0.6, 0.05, 0.001);
  if (all || what == SHELL)
    n.shell = (ff_material){.stiffness = 1e4, .damping = 20, .friction = 0.2, .restitution = 0.3};
  if (all || what == FLOOR)
    n.floor = (ff_material){.stiffness = 3e4, .damping = 90, .friction = 0.1};
  if (all || what == SLOPE) {
    n.floor_pose.quaternion[1] = sin(0.05);
    n.floor_pose.quaternion[3] = cos(0.05);
    n.floor_pose.position[2] = -0.003;
  }
  if (all || what == CONVEYOR)
    n.floor_velocity[0] = 0.4, n.floor_velocity[5] = 0.3;
  if (all || what == MOTOR)
    n.motor[0] = 35, n.motor[1] = 0.8, n.motor[2] = 1.5;
  if (all || what == STOP)
    n.stop[0] = 900, n.stop[1] = 5;
  return n;
}

// Numbers are those of the other model to the last bit, but a body that two links are parts of may be summed in
// another order: some roundings, which contacts and 120 steps make larger.
static const double tolerance = 1e-9;

static void a_setter_does_what_building_does(void **state)
{
  (void)state;
  for (change what = 0; what < CHANGES; ++what) {
    const numbers n = changed(what);
    double worst = 0, usual = (double)INFINITY;
    int touching = 0;
    for (int stepper = 0; stepper < STEPPERS; ++stepper) {
      const gap g = compare(&n, stepper);
      if (!(g.worst <= tolerance))
        fail_msg("%s, %s: %g from the robot that was built so", names[what],
                 ff_stepper_name((ff_stepper)stepper), g.worst);
      worst = fmax(worst, g.worst);
      if (what != STOP || !ff_stepper_is_hard((ff_stepper)stepper)) // to which stops are rigid
        usual = fmin(usual, g.usual);
      touching += g.touching;
    }
    print_message("%-9s %.1e from the one built so, %.1e from the usual one\n", names[what], worst, usual);
    assert_true(usual > 1e-6 && touching > STEPS / 2);
  }
}

// ---- What is refused --------------------------------------------------------------------------------------------

static void refused(ff_status status, const ff_error *error)
{
  assert_int_equal(status, FF_ERROR_ARGUMENT);
  assert_true(error->message[0] != '\0');
}

static void bad_numbers_change_nothing(void **state)
{
  (void)state;
  const double inf = (double)INFINITY, nan = (double)NAN;
  const numbers n = as_usual();
  ff_model *model = model_of(&n);
  ff_world *world = world_of(model, &n, FF_STEPPER_EXPO);
  ff_sim *a = robot_in(world), *b = robot_in(world);
  ff_parameters *p;
  ff_error error;
  ffi_must(ff_parameters_create(world, &p, &error), &error);
  for (int bad = 0; bad < 2; ++bad) {
    const double x = bad ? nan : -inf;
    refused(ff_parameters_set_gravity(p, (const double[3]){0, x, 0}, &error), &error);
    for (int k = 0; k < 3; ++k) {
      ff_inertia inertia = n.arm;
      *(k == 0 ? &inertia.mass : k == 1 ? &inertia.com[1] : &inertia.matrix[5]) = x;
      refused(ff_parameters_set_inertia(p, 1, &inertia, &error), &error);
    }
    for (int k = 0; k < 5; ++k) {
      ff_material m[2] = {n.shell, n.floor};
      for (int i = 0; i < 2; ++i)
        *(k == 0   ? &m[i].stiffness
          : k == 1 ? &m[i].damping
          : k == 2 ? &m[i].friction
          : k == 3 ? &m[i].restitution
                   : &m[i].tangential_restitution) = x;
      refused(ff_parameters_set_material(p, 0, &m[0], &error), &error);
      refused(ff_parameters_set_ground_material(p, 0, &m[1], &error), &error);
    }
    ff_pose pose = n.floor_pose;
    pose.position[1] = x;
    refused(ff_parameters_set_ground(p, 0, &pose, NULL, &error), &error);
    refused(ff_parameters_set_ground(p, 0, NULL, (const double[6]){0, 0, 0, 0, 0, x}, &error), &error);
    refused(ff_parameters_set_gains(p, 0, x, 1, 1, &error), &error);
    refused(ff_parameters_set_gains(p, 0, 1, x, 1, &error), &error);
    refused(ff_parameters_set_gains(p, 0, 1, 1, x, &error), &error);
  }
  ff_inertia heavy = n.arm;
  heavy.mass = -1;
  refused(ff_parameters_set_inertia(p, 1, &heavy, &error), &error);
  heavy = n.arm;
  heavy.matrix[0] = -5; // what no body has
  refused(ff_parameters_set_inertia(p, 1, &heavy, &error), &error);
  refused(ff_parameters_set_gravity(p, (const double[3]){0, 0, -1e200}, &error), &error);
  ff_material odd = n.shell;
  odd.stiffness = -1e6; // in series with the floor's this would be positive again
  refused(ff_parameters_set_material(p, 0, &odd, &error), &error);
  odd.stiffness = 0;
  refused(ff_parameters_set_material(p, 0, &odd, &error), &error);
  odd = n.floor;
  odd.damping = -1e6;
  refused(ff_parameters_set_ground_material(p, 0, &odd, &error), &error);
  odd = n.floor;
  odd.restitution = 1.5;
  refused(ff_parameters_set_ground_material(p, 0, &odd, &error), &error);
  const ff_pose none = {.quaternion = {0, 0, 0, 0}};
  refused(ff_parameters_set_ground(p, 0, &none, NULL, &error), &error);
  refused(ff_parameters_set_gains(p, 0, 1, 1, 0, &error), &error);
  refused(ff_parameters_set_gains(p, 0, -1, 1, 1, &error), &error);
  // What there is not.
  for (int i = -1; i <= 9; i += 10) {
    refused(ff_parameters_set_inertia(p, i, &n.arm, &error), &error);
    refused(ff_parameters_set_material(p, i, &n.shell, &error), &error);
    refused(ff_parameters_set_ground_material(p, i, &n.floor, &error), &error);
    refused(ff_parameters_set_ground(p, i, &n.floor_pose, NULL, &error), &error);
    refused(ff_parameters_set_gains(p, i, 1, 1, 1, &error), &error);
  }
  ffi_must(ff_sim_set_parameters(a, p, &error), &error); // they still are the usual ones
  put(a);
  put(b);
  for (int k = 0; k < STEPS; ++k) {
    ffi_must_step(a, NULL);
    ffi_must_step(b, NULL);
  }
  double worst = 0;
  widen(&worst, a, b);
  assert_true(worst == 0);
  ff_parameters_destroy(p);
  ff_sim_destroy(a);
  ff_sim_destroy(b);
  ff_world_destroy(world);
  ff_model_destroy(model);
}

static void other_worlds_are_refused(void **state)
{
  (void)state;
  const numbers n = as_usual();
  ff_model *model = model_of(&n);
  ff_world *world = world_of(model, &n, FF_STEPPER_EXPO), *other = world_of(model, &n, FF_STEPPER_EXPO);
  ff_sim *sim = robot_in(world);
  ff_parameters *own, *its, *none = (ff_parameters *)(uintptr_t)1;
  ff_error error;
  ffi_must(ff_parameters_create(world, &own, &error), &error);
  ffi_must(ff_parameters_create(other, &its, &error), &error);
  refused(ff_sim_set_parameters(sim, its, &error), &error);
  refused(ff_sim_get_parameters(sim, its, &error), &error);
  refused(ff_parameters_copy(own, its, &error), &error);
  refused(ff_sim_set_parameters(sim, NULL, &error), &error);
  refused(ff_sim_set_parameters(NULL, own, &error), &error);
  refused(ff_parameters_create(NULL, &none, &error), &error);
  refused(ff_parameters_create(world, NULL, &error), &error);
  ffi_must(ff_sim_get_parameters(sim, own, &error), &error);
  ff_sim_destroy(sim);
  ff_world_destroy(world); // before its parameters
  ff_world_destroy(other);
  double gravity[3];
  ff_parameters_gravity(own, gravity);
  assert_true(gravity[2] == -9.81);
  ff_parameters_destroy(own);
  ff_parameters_destroy(its);
  ff_parameters_destroy(NULL);
  ff_model_destroy(model);
}

// ---- Where they go ----------------------------------------------------------------------------------------------

// To a clone, through get and set, and not along with a state; a reset keeps them.
static void they_belong_to_a_robot(void **state)
{
  (void)state;
  const numbers n = as_usual(), m = changed(ALL);
  ff_model *model = model_of(&n);
  for (int stepper = 0; stepper < STEPPERS; ++stepper) {
    ff_world *world = world_of(model, &n, stepper);
    ff_sim *a = robot_in(world), *b = robot_in(world), *usual = robot_in(world), *clone;
    ff_parameters *p, *copy;
    ff_error error;
    ffi_must(ff_parameters_create(world, &p, &error), &error);
    ffi_must(ff_parameters_create(world, &copy, &error), &error);
    set_numbers(p, &m);
    ffi_must(ff_parameters_copy(p, copy, &error), &error);
    ffi_must(ff_sim_set_parameters(a, copy, &error), &error);
    ffi_must(ff_parameters_set_gravity(copy, (const double[3]){0, 0, 5}, &error),
             &error); // the sim has its own
    put(a);
    put(usual);
    ffi_must_run(a, 20, NULL);
    ffi_must(ff_sim_clone(a, &clone, &error), &error);
    ffi_must(ff_sim_get_parameters(a, copy, &error), &error);
    ffi_must(ff_sim_set_parameters(b, copy, &error), &error);
    double moved[512];
    assert_true(ff_sim_state_size(a) <= 512);
    ff_sim_get_state(a, moved);
    ffi_must(ff_sim_set_state(b, moved, &error), &error);
    ffi_must(ff_sim_set_state(usual, moved, &error), &error);
    double other = 0;
    for (int k = 0; k < 40; ++k) {
      ffi_must_step(a, NULL);
      ffi_must_step(b, NULL);
      ffi_must_step(clone, NULL);
      ffi_must_step(usual, NULL);
      same_states(a, b);
      same_states(a, clone);
      widen(&other, a, usual);
    }
    assert_true(other > 1e-3);
    put(clone);
    put(b);
    ffi_must_step(clone, NULL);
    ffi_must_step(b, NULL);
    same_states(clone, b);
    ff_parameters_destroy(p);
    ff_parameters_destroy(copy);
    ff_sim_destroy(a);
    ff_sim_destroy(b);
    ff_sim_destroy(usual);
    ff_sim_destroy(clone);
    ff_world_destroy(world);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_setter_does_what_building_does),
      cmocka_unit_test(bad_numbers_change_nothing),
      cmocka_unit_test(other_worlds_are_refused),
      cmocka_unit_test(they_belong_to_a_robot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
