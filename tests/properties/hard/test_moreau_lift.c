// slow: under sanitizers. Hard contact, stabilised: whatever is lifted out of the ground is paid for.
//
// Where the mass matrix is constant and bodies have no gyroscopic terms, balls, cubes and slides, a step of `moreau`
// without impulses moves everything along a parabola: it keeps kinetic and potential energy to rounding, and an
// implicit spring with a convex potential V only loses, V(q') - V(q) <= V'(q') (q' - q). Impulses with e = 0 add
//
//     (gamma + gamma')/2 . Lambda <= gamma'.Lambda - (dt a.Lambda + Lambda G Lambda)/2 <= dt^2/8 f M^-1 f <= dt^2/8
//         sum of m g^2  (1)
//
// with gamma' = gamma + dt a + G Lambda, a = W' M^-1 f, f the forces of gravity: laws give gamma'.Lambda <= 0, the rest
// is largest at G Lambda = -dt a/2, and there the energy of what constraints see of f is less than that of all of it.
// (With one e for all it is (1 - e)/(1 + e) of that.) So a step that gains more than (1) was given energy by a
// displacement.
#include "support/hard_scene.h"
#include "support/must.h"
#include "support/near.h"
#include "support/random_state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double g = 9.81;

typedef struct tally {
  ffi_margin gain; ///< in a step, beyond (1), relative to the energies at hand
  double most;     ///< gain of a step, of (1)
  long long steps, unconverged;
  double deepest, settled; ///< [m] at any time, in the last fifth
} tally;

// `mass` is that of all that falls.
static void run(ff_sim *sim, int steps, double mass, int number, tally *t)
{
  const double dt = ff_sim_dt(sim), bound = dt * dt / 8 * mass * g * g;
  ff_energy before = ff_sim_energy(sim);
  for (int k = 0; k < steps; ++k) {
    ffi_must_step(sim, NULL);
    const ff_energy now = ff_sim_energy(sim);
    const ff_step_info *info = ff_sim_info(sim);
    const double gain = now.total - before.total,
                 scale = before.kinetic + now.kinetic + mass * g + before.elastic + now.elastic;
    ffi_margin_add(&t->gain, (gain - bound) / scale, number);
    t->most = fmax(t->most, gain / bound);
    t->deepest = fmax(t->deepest, fmax(info->penetration, info->drift));
    if (k >= steps - steps / 5)
      t->settled = fmax(t->settled, fmax(info->penetration, info->drift));
    t->unconverged += !info->converged;
    before = now;
  }
  t->steps += steps;
}

static void tell(const char *what, const tally *t)
{
  printf(
      "%s: a step gains at most %.3f of dt^2/8 m g^2; %.2e m deep at most, %.2e m in the end, %lld of %lld steps "
      "not converged\n",
      what, t->most, t->deepest, t->settled, t->unconverged, t->steps);
}

// ---- Heaps -------------------------------------------------------------------------------------------------

enum { MOST_BODIES = 10 };

// Balls and cubes thrown into a pit whose floor leans.
static ff_sim *heap(ffi_random *random, double e, int count, ff_model **model, double *mass)
{
  ffi_loose bodies[MOST_BODIES];
  ffi_loose_state at[MOST_BODIES];
  const ff_material material = ffi_hard_material(ffi_random_between(random, 0, 1), e, e);
  *mass = 0;
  for (int i = 0; i < count; ++i) {
    const double size = ffi_random_between(random, 0.04, 0.08);
    bodies[i] = (ffi_loose){.shape = ffi_random_chance(random, 0.5) ? FF_SHAPE_SPHERE : FF_SHAPE_BOX,
                            .size = {size, size, size},
                            .mass = pow(10, ffi_random_between(random, -1, 1)),
                            .material = material};
    at[i] = (ffi_loose_state){
        .position = {0.1 * (i % 2) - 0.05, 0.1 * (i / 2 % 2) - 0.05, 0.15 + 0.17 * (i / 4)}};
    ffi_random_vector(random, 3, 1, at[i].velocity);
    ffi_random_vector(random, 3, 5, at[i].spin);
    ffi_random_quaternion(random, at[i].quaternion);
    *mass += bodies[i].mass;
  }
  ff_ground_def walls[5];
  const double quarter = 1.5707963267948966;
  const double origins[5][3] = {{0, 0, 0}, {-0.2, 0, 0}, {0.2, 0, 0}, {0, -0.2, 0}, {0, 0.2, 0}},
               rpys[5][3] = {
                   {ffi_random_between(random, -0.3, 0.3), ffi_random_between(random, -0.3, 0.3), 0},
                   {0, quarter, 0},
                   {0, -quarter, 0},
                   {-quarter, 0, 0},
                   {quarter, 0, 0}};
  for (int i = 0; i < 5; ++i) {
    walls[i] = ff_ground_def_default();
    walls[i].shape.pose = ff_pose_from_rpy(origins[i], rpys[i]);
    walls[i].shape.material = material;
  }
  *model = ffi_loose_model(count, bodies, g);
  ff_sim_def def = ffi_hard_def(ffi_random_between(random, 1e-3, 5e-3));
  def.ground = walls;
  def.ground_count = 5;
  def.moreau.stabilise = 1;
  ff_sim *sim = ffi_must_sim(*model, &def);
  ffi_loose_reset(sim, count, at);
  return sim;
}

static void heaps_are_lifted_for_what_they_lost(void **state)
{
  (void)state;
  static const struct {
    double e;
    int scenes;
  } runs[] = {{0, 40}, {0.3, 10}, {0.8, 10}, {1, 5}};
  for (int i = 0; i < 4; ++i) {
    tally t = {.gain = {.what = "gain of a heap's step", .tolerance = 1e-12}}; // 10 bodies, rounding
    char what[32];
    for (int k = 0; k < runs[i].scenes; ++k) {
      ffi_random random = ffi_random_seed((uint64_t)(1000 * i + k));
      ff_model *model;
      double mass;
      ff_sim *sim = heap(&random, runs[i].e, 1 + ffi_random_below(&random, MOST_BODIES), &model, &mass);
      run(sim, 300, mass, k, &t);
      ff_sim_destroy(sim);
      ff_model_destroy(model);
    }
    snprintf(what, sizeof what, "heaps, e %g", runs[i].e);
    tell(what, &t);
    ffi_margin_check(&t.gain);
  }
}

// ---- Slides ------------------------------------------------------------------------------------------------

enum { MOST_SLIDES = 12, MOST_ELEMENTS = 3 * MOST_SLIDES };

// Slides on slides, from several roots, in all directions; each with a point.
static ff_model *slides(ffi_random *random, int count, double *mass)
{
  ff_builder *b = ffi_must_begin("slides");
  int links[MOST_SLIDES];
  char name[MOST_SLIDES][8];
  *mass = 0;
  for (int i = 0; i < count; ++i) {
    ff_link_def link = ff_link_def_default();
    snprintf(name[i], sizeof name[i], "s%02d", i);
    link.name = link.joint.name = name[i];
    link.parent = i % 4 ? links[i - 1 - ffi_random_below(random, i % 4)] : FF_WORLD;
    link.joint.type = FF_JOINT_PRISMATIC;
    do
      ffi_random_direction(random, link.joint.axis);
    while (fabs(link.joint.axis[2]) < 0.3); // what is in the ground can come out
    ffi_random_vector(random, 3, 0.1, link.joint.pose.position);
    link.joint.pose.position[2] += link.parent == FF_WORLD ? 0.6 : 0;
    link.inertia = (ff_inertia){.mass = pow(10, ffi_random_between(random, -1, 1)),
                                .matrix = {0.01, 0, 0, 0.01, 0, 0.01}};
    *mass += link.inertia.mass;
    ff_shape_def point = ff_shape_def_default();
    point.type = FF_SHAPE_POINT;
    point.material = ffi_hard_material(ffi_random_between(random, 0, 1), 0, 0);
    links[i] = ffi_must_add_link(b, &link);
    ffi_must_add_shape(b, links[i], &point);
  }
  return ffi_must_finish(b);
}

// A spring at each slide, some of them weak and some with a damper; stops at some.
static int elements_of(ffi_random *random, int count, ff_element_def *out)
{
  int n = 0;
  for (int i = 0; i < count; ++i) {
    out[n] = ff_element_def_default();
    out[n].joint = i;
    out[n].stiffness = pow(10, ffi_random_between(random, 0, 2));
    out[n].damping = ffi_random_chance(random, 0.5) ? ffi_random_between(random, 0, 10) : 0;
    if (ffi_random_chance(random, 0.3))
      out[n].effort = ffi_random_between(random, 1, 30);
    ++n;
    if (!ffi_random_chance(random, 0.3))
      continue;
    out[n] = ff_element_def_default();
    out[n].type = FF_ELEMENT_JOINT_LIMIT;
    out[n].joint = i;
    out[n].stiffness = 1e4;
    out[n].lower = ffi_random_between(random, -0.9, -0.1);
    out[n++].upper = ffi_random_between(random, 0.1, 0.9);
  }
  return n;
}

// The deepest contact of what has come to rest, of g dt^2, which is what stabilisation leaves; NAN if something moves.
static double depth_at_rest(ff_sim *sim, double mass)
{
  const double dt = ff_sim_dt(sim);
  double depth = 0;
  int count;
  const ff_contact *contacts = ff_sim_contacts(sim, &count);
  for (int i = 0; i < count; ++i)
    depth = fmax(depth, contacts[i].penetration / (g * dt * dt));
  return ff_sim_energy(sim).kinetic < 1e-12 * mass ? depth : (double)NAN;
}

// And nothing is left in the ground for want of energy: their depth is found exactly, in one step.
static void slides_are_lifted_for_what_they_lost(void **state)
{
  (void)state;
  ffi_margin rest = {.what = "depth at rest, of g dt^2, - 1", .tolerance = 0.01}; // 1e-7 m of g dt^2 at 1 ms
  tally t = {.gain = {.what = "gain of a step of slides", .tolerance = 1e-12}};
  for (int k = 0; k < 150; ++k) {
    ffi_random random = ffi_random_seed((uint64_t)(7000 + k));
    const int count = 1 + ffi_random_below(&random, MOST_SLIDES);
    double mass, q[MOST_SLIDES], v[MOST_SLIDES];
    ff_model *model = slides(&random, count, &mass);
    ff_element_def elements[MOST_ELEMENTS];
    ff_sim_def def = ffi_hard_def(ffi_random_between(&random, 1e-3, 5e-3));
    def.element_count = elements_of(&random, count, elements);
    def.elements = elements;
    def.ground_count = -1;
    def.moreau.stabilise = 1;
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_random_vector(&random, count, 0.1, q);
    ffi_random_vector(&random, count, 2, v);
    ffi_must_reset(sim, q, v);
    run(sim, 400, mass, k, &t);
    const double depth = depth_at_rest(sim, mass);
    if (!isnan(depth))
      ffi_margin_add(&rest, depth - 1, k);
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
  tell("slides", &t);
  assert_true(rest.count >= 20);
  ffi_margin_check(&rest);
  ffi_margin_check(&t.gain);
}

// ---- Motion pays ---------------------------------------------------------------------------------------------

// A cart on a rail along x carries a slide along z whose point is in the ground: nothing has to be stopped, so impulses
// take nothing, and what the lift costs, in height and in a spring, less the work of a force on the slide, is what the
// cart's motion loses. All of it within 1 % of that; else as much as this buys, at rest nothing.
typedef struct ride {
  double speed, depth, stiffness, force;
} ride;

static ff_model *cart(void)
{
  ff_builder *b = ffi_must_begin("cart");
  ff_link_def link = ff_link_def_default();
  link.name = link.joint.name = "cart";
  link.parent = FF_WORLD;
  link.joint.type = FF_JOINT_PRISMATIC;
  link.joint.axis[0] = 1;
  link.joint.axis[1] = link.joint.axis[2] = 0;
  link.inertia = (ff_inertia){.mass = 3, .matrix = {0.01, 0, 0, 0.01, 0, 0.01}};
  const int on = ffi_must_add_link(b, &link);
  link.name = link.joint.name = "slide";
  link.parent = on;
  link.joint.axis[0] = 0;
  link.joint.axis[2] = 1;
  link.inertia.mass = 1;
  ff_shape_def point = ff_shape_def_default();
  point.type = FF_SHAPE_POINT;
  point.material = ffi_hard_material(0, 0, 0);
  ffi_must_add_shape(b, ffi_must_add_link(b, &link), &point);
  return ffi_must_finish(b);
}

// Height gained and energy of motion lost in a step; checks the account.
static void ride_once(const ff_model *model, const ride *r, double *lift, double *paid)
{
  ff_element_def spring = ff_element_def_default();
  spring.joint = 1;
  spring.stiffness = r->stiffness;
  spring.damping = 0;
  ff_sim_def def = ffi_hard_def(2e-3);
  def.elements = &spring;
  def.element_count = r->stiffness > 0;
  def.ground_count = -1;
  def.moreau.stabilise = 1;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q[2] = {0, -r->depth}, v[2] = {r->speed, 0}, tau[2] = {0, r->force};
  ffi_must_reset(sim, q, v);
  const ff_energy before = ff_sim_energy(sim);
  ffi_must_step(sim, tau);
  const ff_energy now = ff_sim_energy(sim);
  *lift = ff_sim_q(sim)[1] + r->depth;
  *paid = before.kinetic - now.kinetic;
  ffi_check_near("energy less the force's work", now.total - r->force * *lift, before.total,
                 1e-13 * (before.kinetic + 1));
  ff_sim_destroy(sim);
}

static void what_moves_pays_for_its_lift(void **state)
{
  (void)state;
  static const ride rides[] = {
      {1, 5e-4, 0, 0},   {1, 5e-4, 0, 6}, {1, 5e-4, 0, -6},
      {1, 5e-4, 1e4, 0}, {1, 5e-3, 0, 0}, {1, 5e-3, 0, -20},
  };
  ff_model *model = cart();
  for (int i = 0; i < 6; ++i) {
    const ride *r = &rides[i];
    const double most = 0.01 * 0.5 * 4 * r->speed * r->speed, left = g * 2e-3 * 2e-3;
    double lift, paid;
    ride_once(model, r, &lift, &paid);
    if (i < 4)
      ffi_check_near("lift", lift, r->depth - left, 2e-7); // to 1e-7 m
    else
      ffi_check_near("paid", paid, most, 0.01 * most);
  }
  double lift, paid;
  ride_once(model, &(ride){.depth = 1e-3}, &lift, &paid);
  ffi_check_near("lift at rest", lift, 0, 1e-13);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heaps_are_lifted_for_what_they_lost),
      cmocka_unit_test(slides_are_lifted_for_what_they_lost),
      cmocka_unit_test(what_moves_pays_for_its_lift),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
