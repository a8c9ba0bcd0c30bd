// What a comparison consists of, and how much work that is.
#include "study/study.h"

#include <math.h>

// Microseconds of a step of Solo, in the order of ff_stepper: guesses for a progress bar.
static const double typical_us[FF_STEPPER_COUNT] = {6, 4, 2, 2, 8, 20, 50, 5, 8, 30};

// ---- Schemes and steps ----------------------------------------------------------------------------------------------

// The soft steppers but ess: they solve one equation, hard contact is another; the error of ess is its
// tolerance, whatever the step.
static ff_stepper soft_stepper(int s)
{
  return (ff_stepper)(s < FF_STEPPER_ESS ? s : s + 1);
}

int ffi_comparison_work_scheme_count(const ff_comparison_def *def)
{
  return def->schemes ? def->scheme_count : FF_STEPPER_SOFT_COUNT - 1;
}

ff_scheme ffi_comparison_work_scheme(const ff_comparison_def *def, int s)
{
  return def->schemes ? def->schemes[s] : ff_scheme_of(soft_stepper(s));
}

int ffi_comparison_work_lengths(const ff_trial *trial, const ff_comparison_def *def, const ff_scheme *scheme)
{
  const int is_first_order = scheme->stepper == FF_STEPPER_EULER || scheme->stepper == FF_STEPPER_SYMPLECTIC;
  const int most = ff_trial_substeps(trial, def->finest * (is_first_order ? 1 : 8));
  int count = 0;
  if (def->substeps)
    return def->substeps_count;
  while (count < FFI_STUDY_SUBSTEPS_MOST && ffi_comparison_work_length(def, count) <= most)
    ++count;
  return count;
}

int ffi_comparison_work_length(const ff_comparison_def *def, int i)
{
  return def->substeps ? def->substeps[i] : 1 << i;
}

// The augmented matrix takes ten times as long as the fast path.
enum { SLOW = 10 };

int ffi_comparison_work_is_slow(const ff_scheme *s)
{
  return s->stepper == FF_STEPPER_EXPO_PAPER && s->expo.exponential != FF_EXPONENTIAL_AUTO;
}

static int uses(const ff_comparison_def *def, int stepper)
{
  for (int s = 0; s < ffi_comparison_work_scheme_count(def); ++s)
    if ((int)ffi_comparison_work_scheme(def, s).stepper == stepper)
      return 1;
  return 0;
}

int ffi_comparison_work_needs_own(const ff_comparison_def *def, int stepper)
{
  return def->has_own && uses(def, stepper) && !(def->has_common && stepper == FF_STEPPER_EXPO);
}

// ---- Work -----------------------------------------------------------------------------------------------------------

static double judged_periods(const ff_trial *t)
{
  return ceil((double)t->periods / ff_trial_next(t, 0));
}

double ffi_comparison_work_solution(const ff_trial *trial, const ff_comparison_def *def, ff_stepper stepper)
{
  return typical_us[stepper] * trial->periods * ff_solution_substeps(trial, stepper, def->finest);
}

double ffi_comparison_work_check(const ff_trial *trial, const ff_comparison_def *def)
{
  return typical_us[FF_STEPPER_RK4] * judged_periods(trial) * def->check_finer *
         ff_solution_substeps(trial, FF_STEPPER_RK4, def->finest);
}

double ffi_comparison_work_rounds(const ff_trial *trial, const ff_comparison_def *def, int rounds)
{
  double work = 0;
  for (int s = 0; s < ffi_comparison_work_scheme_count(def); ++s) {
    const ff_scheme scheme = ffi_comparison_work_scheme(def, s);
    const int n = ffi_comparison_work_lengths(trial, def, &scheme);
    for (int i = 0; i < n; ++i)
      work += typical_us[scheme.stepper] * judged_periods(trial) * ffi_comparison_work_length(def, i) *
              (ffi_comparison_work_is_slow(&scheme) ? SLOW : rounds);
  }
  return work;
}

double ffi_comparison_work_all(const ff_trial *trial, const ff_comparison_def *def)
{
  double work = 0;
  for (int s = 0; s < FF_STEPPER_COUNT; ++s)
    work +=
        ffi_comparison_work_needs_own(def, s) ? ffi_comparison_work_solution(trial, def, (ff_stepper)s) : 0;
  if (def->has_common)
    work += ffi_comparison_work_solution(trial, def, FF_STEPPER_EXPO) +
            ffi_comparison_work_check(trial, def) + ffi_comparison_work_rounds(trial, def, def->rounds) +
            (def->has_own ? ffi_comparison_work_rounds(trial, def, 1) : 0);
  else
    work += ffi_comparison_work_rounds(trial, def, def->rounds);
  return work;
}
