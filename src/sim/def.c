// Where every definition of a sim starts, and which ones make sense.
#include "base/error.h"
#include "sim/sim.h"

#include <float.h>
#include <math.h>

ff_sim_def ff_sim_def_default(void)
{
  ff_impact_def impact = ff_impact_def_default();
  impact.law = FF_IMPACT_COULOMB; // the convex laws lift what slides
  return (ff_sim_def){
      .stepper = FF_STEPPER_EXPO,
      .dt = 0.001,
      .ground_count = -1,
      .model_elements = 1,
      .limit_stiffness = 1e3,
      .limit_damping = 1,
      .normal_anchor = FF_ANCHOR_SURFACE,
      .max_speed = 1e4,
      .isa = FF_ISA_AUTO,
      .expo = {.exponential = FF_EXPONENTIAL_AUTO,
               .force_tolerance = 1e-4,
               .max_substeps = 8,
               .order = 2,
               .events = 1,
               .max_pieces = 32,
               .double_mean = 1},
      .implicit = {.tolerance = 1e-6, .max_iterations = 50},
      .ess = {.epsilon = 1e-5, .relative_tolerance = 1e-6, .absolute_tolerance = 1e-9, .max_steps = 10000},
      .moreau = {.contact = FF_HARD_CONTACT_HARD,
                 .solver = FF_HARD_EXACT,
                 .form = FF_HARD_FORM_AUTO,
                 .bilateral = FF_HARD_DIRECT,
                 .relative_tolerance = 1e-6,
                 .absolute_tolerance = 1e-6,
                 .max_iterations = 1000,
                 .warm_start = 1},
      .c2a = {.h_min = 1e-5,
              .skin = 1e-4,
              .advancement = 1,
              .error_control = 1,
              .absolute_error = 1e-6,
              .relative_error = 0.0025,
              .scheme = FF_C2A_SEMI_IMPLICIT,
              .impact = impact},
  };
}

// Longest step [s]. What falls for longer is faster than max_speed's default at the end, and the squares of all times stay far from overflow.
static const double longest_dt = 1000;

// A number in a def, and where it must lie. NaN lies nowhere.
typedef struct number {
  const char *name;
  double value, least, most;
  int is_open; // least itself is refused
  const char *must;
} number;

typedef struct count {
  const char *name;
  int value, least, most;
} count;

static ff_status refuse(ff_error *error, const char *format, const char *name, double value, const char *must)
{
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def", format, name, value, must);
}

static ff_status check_numbers(const ff_sim_def *d, ff_error *error)
{
  const double inf = (double)INFINITY, huge = DBL_MAX;
  const number numbers[] = {
      {"dt", d->dt, 0, longest_dt, 1, "> 0 and at most 1000, in seconds"},
      {"accuracy", d->accuracy, 0, 1, 0, "within 1e-12..1, or 0 for steps of dt"},
      {"limit_stiffness", d->limit_stiffness, 0, huge, 0, "finite and >= 0"},
      {"limit_damping", d->limit_damping, 0, huge, 0, "finite and >= 0"},
      {"max_speed", d->max_speed, 0, inf, 1, "> 0; infinite means that only non-finite states are failures"},
      {"expo.force_tolerance", d->expo.force_tolerance, 1e-12, 1e-1, 0, "within 1e-12..1e-1"},
      {"implicit.tolerance", d->implicit.tolerance, 0, 1, 1, "> 0 and at most 1"},
      {"ess.epsilon", d->ess.epsilon, 0, 0.01, 1, "> 0 and at most 0.01, in metres"},
      {"ess.relative_tolerance", d->ess.relative_tolerance, 0, 0.1, 0, "within 0..0.1"},
      {"ess.absolute_tolerance", d->ess.absolute_tolerance, 0, 1, 1, "> 0 and at most 1"},
      {"moreau.alpha", d->moreau.alpha, 0, 2, 0, "within 0..2; 0 lets the solver choose"},
      {"moreau.relative_tolerance", d->moreau.relative_tolerance, 0, 0.1, 0, "within 0..0.1"},
      {"moreau.absolute_tolerance", d->moreau.absolute_tolerance, 0, 1, 1, "> 0 and at most 1, in N s"},
      {"c2a.h_min", d->c2a.h_min, 0, longest_dt, 1, "> 0 and at most 1000, in seconds"},
      {"c2a.skin", d->c2a.skin, 0, 0.1, 1, "> 0 and at most 0.1, in metres"},
      {"c2a.absolute_error", d->c2a.absolute_error, 0, huge, 0, "finite and >= 0, in joules"},
      {"c2a.relative_error", d->c2a.relative_error, 0, 1, 0, "within 0..1"},
      {"c2a.dissipation", d->c2a.dissipation, 0, 1, 0, "within 0..1"},
      {"c2a.rayleigh", d->c2a.rayleigh, 0, huge, 0, "finite and >= 0, in 1/s"},
      {"c2a.impact.relative_tolerance", d->c2a.impact.relative_tolerance, 0, 0.1, 0, "within 0..0.1"},
      {"c2a.impact.absolute_tolerance", d->c2a.impact.absolute_tolerance, 0, 1, 1,
       "> 0 and at most 1, in N s"},
  };
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
    const number *n = &numbers[i];
    if (!(n->value >= n->least && n->value <= n->most) || (n->is_open && n->value == n->least))
      return refuse(error, "%s is %g; it must be %s", n->name, n->value, n->must);
  }
  return FF_OK;
}

static ff_status check_counts(const ff_sim_def *d, ff_error *error)
{
  enum { MOST = 10000 }; // ground, elements, contacts: far above any scene, far below what would leave an int
  const count counts[] = {
      {"stepper", (int)d->stepper, 0, FF_STEPPER_COUNT - 1},
      {"ground_count", d->ground_count, -1, MOST},
      {"element_count", d->element_count, 0, MOST},
      {"normal_anchor", (int)d->normal_anchor, 0, FF_ANCHOR_FIRST_TOUCH},
      {"contact_law", (int)d->contact_law, 0, FF_LAW_COUNT - 1},
      {"max_contacts", d->max_contacts, 0, MOST},
      {"expo.exponential", (int)d->expo.exponential, 0, FF_EXPONENTIAL_COUNT - 1},
      {"expo.max_substeps", d->expo.max_substeps, 1, 64},
      {"expo.order", d->expo.order, 1, 2},
      {"expo.max_pieces", d->expo.max_pieces, 1, 1000},
      {"implicit.max_iterations", d->implicit.max_iterations, 1, 1000},
      {"ess.max_steps", d->ess.max_steps, 1, 100000000},
      {"moreau.contact", (int)d->moreau.contact, 0, FF_HARD_CONTACT_COUNT - 1},
      {"moreau.solver", (int)d->moreau.solver, 0, FF_HARD_SOLVER_COUNT - 1},
      {"moreau.form", (int)d->moreau.form, 0, FF_HARD_FORM_COUNT - 1},
      {"moreau.bilateral", (int)d->moreau.bilateral, 0, FF_HARD_BILATERAL_COUNT - 1},
      {"moreau.max_iterations", d->moreau.max_iterations, 1, 100000},
      {"moreau.warm_start", d->moreau.warm_start, 0, 1},
      {"moreau.stabilise", d->moreau.stabilise, 0, 1},
      {"c2a.advancement", d->c2a.advancement, 0, 1},
      {"c2a.error_control", d->c2a.error_control, 0, 1},
      {"c2a.scheme", (int)d->c2a.scheme, 0, FF_C2A_SCHEME_COUNT - 1},
      {"c2a.impact.law", (int)d->c2a.impact.law, 0, FF_IMPACT_LAW_COUNT - 1},
      {"c2a.impact.cone", (int)d->c2a.impact.cone, 0, FF_IMPACT_CONE_COUNT - 1},
      {"c2a.impact.edges", d->c2a.impact.edges, 4, FF_IMPACT_MAX_EDGES},
      {"c2a.impact.bounce", (int)d->c2a.impact.bounce, 0, FF_IMPACT_BOUNCE_COUNT - 1},
      {"c2a.impact.max_iterations", d->c2a.impact.max_iterations, 1, 100000},
  };
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
    if (counts[i].value < counts[i].least || counts[i].value > counts[i].most)
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def", "%s is %d; it must be within %d..%d",
                      counts[i].name, counts[i].value, counts[i].least, counts[i].most);
  return FF_OK;
}

// `expo` with its corrector and `c2a` know how wrong a step was.
static ff_status check_accuracy(const ff_sim_def *d, ff_error *error)
{
  if (d->accuracy == 0)
    return FF_OK;
  if (d->accuracy < 1e-12)
    return refuse(error, "%s is %g; it must be %s", "accuracy", d->accuracy,
                  "within 1e-12..1, or 0 for steps of dt");
  if (d->stepper != FF_STEPPER_EXPO && d->stepper != FF_STEPPER_C2A)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def",
                    "accuracy is %g, but the stepper is '%s'; only 'expo' and 'c2a' have an accuracy",
                    d->accuracy, ff_stepper_name(d->stepper));
  if (d->stepper == FF_STEPPER_EXPO && d->expo.order != 2)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def",
                    "accuracy is %g, but expo.order is %d; the corrector, order 2, tells the error",
                    d->accuracy, d->expo.order);
  return FF_OK;
}

static ff_status check_ground_speed(const ff_sim_def *d, ff_error *error)
{
  for (int g = 0; g < d->ground_count; ++g)
    if (!ffi_sim_is_slow(d, d->ground[g].velocity, 6))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def",
                      "the velocity of ground %d is not finite, or beyond max_speed, %g", g, d->max_speed);
  return FF_OK;
}

int ffi_sim_is_slow(const ff_sim_def *def, const double *velocity, int size)
{
  int is_slow = 1;
  for (int i = 0; i < size; ++i)
    is_slow &= fabs(velocity[i]) <= def->max_speed && isfinite(velocity[i]); // NaN is not <=
  return is_slow;
}

ff_status ffi_sim_check(const ff_model *model, const ff_sim_def *def, ff_error *error)
{
  if (!model)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_create", "the model is NULL");
  ff_status status = check_counts(def, error);
  if (status == FF_OK)
    status = check_numbers(def, error);
  if (status == FF_OK)
    status = check_accuracy(def, error);
  if (status != FF_OK)
    return status;
  if (def->ground_count > 0 && !def->ground)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def",
                    "ground is NULL, but ground_count is %d; -1 asks for the plane z = 0", def->ground_count);
  if ((status = check_ground_speed(def, error)) != FF_OK)
    return status;
  if (def->element_count > 0 && !def->elements)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def",
                    "elements is NULL, but element_count is %d", def->element_count);
  return FF_OK;
}
