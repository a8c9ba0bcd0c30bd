// hopper.c: a mass on a springy leg hops, as an event-selected system. One page, nothing but <footfall/ess.h>.
//
//     cc hopper.c $(pkg-config --cflags --libs footfall) -lm -o hopper && ./hopper
//
// In flight the mass falls. From touch-down, where it comes down through the leg's length, to lift-off, where it goes
// up through it, the leg pushes with its spring and with a preload, at once: the force jumps, and no step of an
// ordinary integrator that passes touch-down is more than roughly right. Here both instants are *guards*, functions
// that rise through zero as they are passed, and each arms the other: the leg cannot lift off before it has touched
// down.
//
// Nothing is lost, so that all of it is known in closed form: the program hops for a hundred bounces, compares, and
// fails if it is wrong.
#include <footfall/ess.h>

#include <math.h>
#include <stdio.h>

static const double gravity = 9.81, mass = 1, stiffness = 400, length = 1, preload = 20, start = 2;

enum { TOUCH_DOWN, LIFT_OFF, GUARDS };

// dx = (z', z'') at x = (z, z'). side[TOUCH_DOWN] is +1 from touch-down on, and -1 again from lift-off on, which arms
// it.
static int field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  (void)t, (void)user;
  dx[0] = x[1];
  dx[1] = -gravity;
  if (side[TOUCH_DOWN] > 0)
    dx[1] += (preload + stiffness * (length - x[0])) / mass;
  return 0;
}

static void guards(const double *x, double *h, void *user)
{
  (void)user;
  h[TOUCH_DOWN] = length - x[0];
  h[LIFT_OFF] = x[0] - length;
}

// How long the leg is on the ground: half an oscillation about where it is at rest, and what lies beyond.
static double stance(void)
{
  const double w = sqrt(stiffness / mass), speed = sqrt(2 * gravity * (start - length)),
               above = mass * gravity / stiffness - preload / stiffness; // the leg's length above its rest
  return (2 * acos(-1.0) + 2 * atan2(-speed / w, above)) / w;
}

// Hops until the given lift-off. Returns when that was, or NAN.
static double hop(double epsilon, int bounces, double *top)
{
  static const ff_ess_rearm rearm[] = {{TOUCH_DOWN, LIFT_OFF}, {LIFT_OFF, TOUCH_DOWN}};
  const double x0[2] = {start, 0};
  ff_error error;
  ff_ess *ess;
  ff_ess_def def = ff_ess_def_default();
  def.system = (ff_ess_system){.size = 2, .guards = GUARDS, .field = field, .guard = guards};
  def.rearm = rearm;
  def.rearm_count = 2;
  def.epsilon = epsilon; // from this far before a guard it goes there in a straight line [m]
  def.relative_tolerance = 1e-11,
  def.absolute_tolerance = 1e-12; // between guards: what is wrong are projections
  if (ff_ess_create(&def, &ess, &error) != FF_OK) {
    fprintf(stderr, "%s\n", error.message);
    return NAN;
  }
  ff_status status = ff_ess_start(ess, 0, x0, NULL, &error);
  for (int lifted = 0, guard = 0; lifted < bounces && status == FF_OK && guard >= 0;) {
    status = ff_ess_next(ess, 1e3, &guard, &error);
    lifted += guard == LIFT_OFF;
  }
  if (status != FF_OK)
    fprintf(stderr, "%s\n", error.message);
  const double *x = ff_ess_state(ess), at = status == FF_OK ? ff_ess_time(ess) : NAN;
  *top = x[0] + x[1] * x[1] / (2 * gravity); // how high it will rise
  ff_ess_destroy(ess);
  return at;
}

int main(void)
{
  const int bounces = 100;
  const double fall = sqrt(2 * (start - length) / gravity);
  const double exact = fall + (bounces - 1) * 2 * fall + bounces * stance();
  double last = NAN;
  int is_fine = 1;
  printf("lift-off %d is at %.9f s\n%10s %16s %12s %8s\n", bounces, exact, "epsilon", "found [s]", "wrong by",
         "order");
  for (int i = 0; i < 4; ++i) {
    const double epsilon = 1e-2 / pow(4, i);
    double top = NAN;
    const double found = hop(epsilon, bounces, &top), error = fabs(found - exact),
                 order = log(last / error) / log(4);
    printf("%10.2e %16.9f %12.2e %8.2f   next top at %.6f m\n", epsilon, found, error, order, top);
    if (!isnan(last)) // half of epsilon, a quarter of the error
      is_fine = is_fine && order > 1.8 && order < 2.2;
    last = error;
  }
  is_fine = is_fine && last < 2e-3; // in 104 s
  printf("%s\n", is_fine ? "second order, as it should be" : "this is wrong");
  return is_fine ? 0 : 1;
}
