// Names of steppers and options, and what the last steps did.
#include "base/names.h"
#include "math/larger.h"
#include "sim/sim.h"

#include <math.h>
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
    {"ess",
     "error-controlled order five between touch-downs, lift-offs, slips and stops, which are met one by one; "
     "accurate, slow in stiff contact"},
    {"moreau", "time-stepping with hard contact: impulses instead of springs, no stiffness; long steps"},
    {"ca", "Euler steps with hard contact that end where things touch: no tunnelling"},
    {"c2a",
     "steps with hard contact that end where things touch and whose energy is accurate; second order between "
     "contacts"},
};

// In the orders of their enums in hard.h.
static const char *const hard_forms[FF_HARD_FORM_COUNT] = {"auto", "impulse", "velocity"};
static const char *const hard_bilaterals[FF_HARD_BILATERAL_COUNT] = {"direct", "prox"};
static const char *const c2a_schemes[FF_C2A_SCHEME_COUNT] = {"semi-implicit", "explicit"};
static const char *const c2a_reasons[FF_C2A_REASON_COUNT] = {"taken",   "forced", "energy",
                                                             "halfway", "doubt",  "path"};
static const char *const contact_laws[FF_LAW_COUNT] = {"anchor", "slip-flag"};
static const char *const hard_contacts[FF_HARD_CONTACT_COUNT] = {"hard", "compliant"};

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

const char *ff_exponential_name(ff_exponential e)
{
  return (unsigned)e < FF_EXPONENTIAL_COUNT ? exponentials[e] : "unknown";
}

int ff_exponential_find(const char *name, ff_exponential *e)
{
  const int found = ffi_names_index(name, exponentials, FF_EXPONENTIAL_COUNT);
  if (found >= 0)
    *e = (ff_exponential)found;
  return found >= 0;
}

const char *ff_c2a_scheme_name(ff_c2a_scheme scheme)
{
  return (unsigned)scheme < FF_C2A_SCHEME_COUNT ? c2a_schemes[scheme] : "unknown";
}

int ff_c2a_scheme_find(const char *name, ff_c2a_scheme *scheme)
{
  const int found = ffi_names_index(name, c2a_schemes, FF_C2A_SCHEME_COUNT);
  if (found >= 0)
    *scheme = (ff_c2a_scheme)found;
  return found >= 0;
}

const char *ff_c2a_reason_name(ff_c2a_reason reason)
{
  return (unsigned)reason < FF_C2A_REASON_COUNT ? c2a_reasons[reason] : "unknown";
}

const char *ff_contact_law_name(ff_contact_law law)
{
  return (unsigned)law < FF_LAW_COUNT ? contact_laws[law] : "unknown";
}

int ff_contact_law_find(const char *name, ff_contact_law *law)
{
  const int found = ffi_names_index(name, contact_laws, FF_LAW_COUNT);
  if (found >= 0)
    *law = (ff_contact_law)found;
  return found >= 0;
}

const char *ff_hard_form_name(ff_hard_form form)
{
  return (unsigned)form < FF_HARD_FORM_COUNT ? hard_forms[form] : "unknown";
}

int ff_hard_form_find(const char *name, ff_hard_form *form)
{
  const int found = ffi_names_index(name, hard_forms, FF_HARD_FORM_COUNT);
  if (found >= 0)
    *form = (ff_hard_form)found;
  return found >= 0;
}

const char *ff_hard_bilateral_name(ff_hard_bilateral bilateral)
{
  return (unsigned)bilateral < FF_HARD_BILATERAL_COUNT ? hard_bilaterals[bilateral] : "unknown";
}

int ff_hard_bilateral_find(const char *name, ff_hard_bilateral *bilateral)
{
  const int found = ffi_names_index(name, hard_bilaterals, FF_HARD_BILATERAL_COUNT);
  if (found >= 0)
    *bilateral = (ff_hard_bilateral)found;
  return found >= 0;
}

const char *ff_hard_contact_name(ff_hard_contact contact)
{
  return (unsigned)contact < FF_HARD_CONTACT_COUNT ? hard_contacts[contact] : "unknown";
}

int ff_hard_contact_find(const char *name, ff_hard_contact *contact)
{
  const int found = ffi_names_index(name, hard_contacts, FF_HARD_CONTACT_COUNT);
  if (found >= 0)
    *contact = (ff_hard_contact)found;
  return found >= 0;
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

const ff_c2a_try *ff_sim_history(const ff_sim *sim, int *count)
{
  if (count)
    *count = sim->history.count;
  return sim->history.tries;
}

void ffi_sim_info_add(const ff_step_info *info, ff_sim_totals *totals)
{
  totals->steps += 1;
  totals->pieces += info->pieces;
  totals->touchdowns += info->touchdowns;
  totals->liftoffs += info->liftoffs;
  totals->slips += info->slips;
  totals->sticks += info->sticks;
  totals->integrator_steps += info->integrator_steps;
  totals->rejected += info->rejected;
  totals->shortest = totals->longest > 0 ? fmin(totals->shortest, info->shortest) : info->shortest;
  totals->longest = ffi_larger(info->longest, totals->longest);
  for (int i = 0; i < FF_C2A_REASON_COUNT; ++i)
    totals->tries[i] += info->tries[i];
  totals->energy_error = ffi_larger(info->energy_error, totals->energy_error);
  totals->energy_share = ffi_larger(info->energy_share, totals->energy_share);
  totals->inaccurate += info->inaccurate;
  totals->projections += info->projections;
  totals->located += info->located;
  totals->unconverged += !info->converged;
  totals->capped += info->capped || info->events_capped;
  totals->gained += info->gained;
  totals->worst_penetration = ffi_larger(info->penetration, totals->worst_penetration);
  totals->worst_drift = ffi_larger(info->drift, totals->worst_drift);
}
