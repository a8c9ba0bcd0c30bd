// What things are called, and what was done.
#include "sim/sim.h"

#include <string.h>

// In the order of ff_stepper.
static const struct {
  const char *name, *summary;
} steppers[FF_STEPPER_COUNT] = {
    {"expo", "exponential, second order, with contact events inside the step; stable in stiff contact"},
    {"expo-paper", "the published exponential scheme, first order; stable in stiff contact"},
    {"euler", "explicit Euler, first order; needs steps far shorter than the contacts' time constants"},
    {"symplectic", "semi-implicit Euler, first order; keeps energy well, needs short steps in stiff contact"},
    {"rk4",
     "Runge-Kutta of order four on the joints' groups; accurate in smooth motion, needs short steps in "
     "stiff contact"},
    {"implicit", "backward Euler by Newton's method, first order; stable, damps fast motion"},
    {"moreau", "time-stepping with hard contact: impulses instead of springs, no stiffness; long steps"},
};

// In the order of ff_exponential.
static const char *const exponentials[FF_EXPONENTIAL_COUNT] = {"auto",    "exact",   "order-1", "order-2",
                                                               "order-3", "order-5", "order-7"};

static const char *const phases[FF_PHASE_COUNT] = {"contact", "prepare", "integral", "update"};

const char *ff_stepper_name(ff_stepper stepper)
{
  return (unsigned)stepper < FF_STEPPER_COUNT ? steppers[stepper].name : "unknown";
}

const char *ff_stepper_summary(ff_stepper stepper)
{
  return (unsigned)stepper < FF_STEPPER_COUNT ? steppers[stepper].summary : "unknown";
}

int ff_stepper_find(const char *name, ff_stepper *stepper)
{
  for (int i = 0; name && i < FF_STEPPER_COUNT; ++i)
    if (strcmp(name, steppers[i].name) == 0) {
      *stepper = (ff_stepper)i;
      return 1;
    }
  return 0;
}

int ff_stepper_is_hard(ff_stepper stepper)
{
  return stepper == FF_STEPPER_MOREAU;
}

const char *ff_exponential_name(ff_exponential e)
{
  return (unsigned)e < FF_EXPONENTIAL_COUNT ? exponentials[e] : "unknown";
}

int ff_exponential_find(const char *name, ff_exponential *e)
{
  for (int i = 0; name && i < FF_EXPONENTIAL_COUNT; ++i)
    if (strcmp(name, exponentials[i]) == 0) {
      *e = (ff_exponential)i;
      return 1;
    }
  return 0;
}

const char *ff_phase_name(ff_phase phase)
{
  return (unsigned)phase < FF_PHASE_COUNT ? phases[phase] : "unknown";
}

const ff_step_info *ff_sim_info(const ff_sim *sim)
{
  return &sim->info;
}

ff_sim_totals ff_sim_get_totals(const ff_sim *sim)
{
  return sim->totals;
}
