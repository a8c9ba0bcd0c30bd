// The table of options: everything about each, once. To add one: its field in the def, a row here, the stepper that
// reads it; then update docs/guide/options.md, which a test compares with `footfall help options`.
#include "sim/sim_options.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- Whose --------------------------------------------------------------------------------------------------

#define OF(stepper) (1u << FF_STEPPER_##stepper)
#define ALL ((1u << FF_STEPPER_COUNT) - 1)
#define SOFT ((1u << FF_STEPPER_SOFT_COUNT) - 1)
#define EXPOS (OF(EXPO) | OF(EXPO_PAPER))
#define ADVANCING (OF(CA) | OF(C2A))

// ---- Words --------------------------------------------------------------------------------------------------

#define WORDS(name, type, count)                                                                             \
  static const char *name##_word(int index)                                                                  \
  {                                                                                                          \
    return index >= 0 && index < (count) ? ff_##name##_name((type)index) : NULL;                             \
  }
WORDS(stepper, ff_stepper, FF_STEPPER_COUNT)
WORDS(isa, ff_isa, FF_ISA_AVX512 + 1)
WORDS(contact_law, ff_contact_law, FF_LAW_COUNT)
WORDS(exponential, ff_exponential, FF_EXPONENTIAL_COUNT)
WORDS(hard_contact, ff_hard_contact, FF_HARD_CONTACT_COUNT)
WORDS(hard_solver, ff_hard_solver, FF_HARD_SOLVER_COUNT)
WORDS(hard_form, ff_hard_form, FF_HARD_FORM_COUNT)
WORDS(hard_bilateral, ff_hard_bilateral, FF_HARD_BILATERAL_COUNT)
WORDS(c2a_scheme, ff_c2a_scheme, FF_C2A_SCHEME_COUNT)
WORDS(impact_law, ff_impact_law, FF_IMPACT_LAW_COUNT)
WORDS(impact_cone, ff_impact_cone, FF_IMPACT_CONE_COUNT)
WORDS(impact_bounce, ff_impact_bounce, FF_IMPACT_BOUNCE_COUNT)

static const char *normal_anchor_word(int index)
{
  static const char *const words[] = {"surface", "first-touch"}; // in the order of ff_normal_anchor
  return index >= 0 && index <= FF_ANCHOR_FIRST_TOUCH ? words[index] : NULL;
}

static const char *hull_contact_word(int index)
{
  static const char *const words[] = {"corner", "patch"}; // in the order of ff_hull_contact
  return index >= 0 && index <= FF_HULL_CONTACT_PATCH ? words[index] : NULL;
}

// ---- Rows ---------------------------------------------------------------------------------------------------

// Ranges of numbers: {is_open, or_zero, least, most}.
#define ABOVE(least, most) 1, 0, least, most
#define FROM(least, most) 0, 0, least, most
#define ZERO_OR(least, most) 0, 1, least, most

#define ROW(key_, scene_, field, whose, standard_, unit_, about_)                                            \
  .key = (key_), .scene = (scene_), .steppers = (whose), .standard = (standard_), .unit = (unit_),           \
  .offset = offsetof(ff_sim_def, field), .about = (about_)
#define NUMBER(quantity, unit, range, key, field, whose, standard, about)                                    \
  {                                                                                                          \
    .value = {FF_VALUE_NUMBER, FF_QUANTITY_##quantity, range, NULL},                                         \
    ROW(key, "stepper." key, field, whose, standard, unit, about)                                            \
  }
#define FLAG_IN(scene, key, field, whose, standard, about)                                                   \
  {                                                                                                          \
    .value = {.type = FF_VALUE_FLAG}, ROW(key, scene, field, whose, standard, "", about)                     \
  }
#define WORD_IN(scene, word_, key, field, whose, standard, about)                                            \
  {                                                                                                          \
    .value = {.type = FF_VALUE_WORD, .word = word_##_word},                                                  \
    ROW(key, scene, field, whose, standard, "", about)                                                       \
  }
#define FLAG(key, ...) FLAG_IN("stepper." key, key, __VA_ARGS__)
#define WORD(word, key, ...) WORD_IN("stepper." key, word, key, __VA_ARGS__)
#define WHOLE(least, most, key, field, whose, standard, about)                                               \
  {                                                                                                          \
    .value = {FF_VALUE_WHOLE, FF_QUANTITY_NUMBER, 0, 0, least, most, NULL},                                  \
    ROW(key, "stepper." key, field, whose, standard, "", about)                                              \
  }

// Longest step [s]: a fall for longer exceeds the default of max_speed, and squares of all times stay far from
// overflow.
#define LONGEST 1000

enum { MOST_CONTACTS = 10000 }; // far above any scene, far below the range of an int

static const ff_option options[] = {
    WORD_IN("stepper.type", stepper, "stepper", stepper, ALL, FF_STEPPER_EXPO, "how a step is taken"),
    {.value = {FF_VALUE_NUMBER, FF_QUANTITY_TIME, ABOVE(0, LONGEST), NULL},
     ROW("dt", "dt", dt, ALL, 1e-3, "s", "length of a step")},
    NUMBER(
        NUMBER, "", ZERO_OR(1e-12, 1), "accuracy", accuracy, OF(EXPO) | OF(C2A), 0,
        "error tolerance of a step; dt is then the longest step. 0: all steps have the length dt. expo: "
        "in m, rad, m/s and rad/s alike; c2a: relative to the kinetic energy, instead of c2a.relative_error"),
    WORD(contact_law, "contact_law", contact_law, SOFT, FF_LAW_ANCHOR,
         "how friction of compliant contacts changes between sticking and slipping"),
    WORD(normal_anchor, "normal_anchor", normal_anchor, ALL, FF_ANCHOR_SURFACE,
         "where a contact's normal spring is at rest; first-touch is as in the Expo paper's code"),
    WORD(
        hull_contact, "hull_contact", hull_contact, SOFT, FF_HULL_CONTACT_PATCH,
        "stiffness of hulls on planes, boxes and height fields: as four corners for each face (patch), or each corner "
        "alone (corner)"),
    FLAG("self_collision", self_collision, ALL, 0,
         "let shapes of one robot touch each other, except those of a parent and its child"),
    FLAG("model_elements", model_elements, ALL, 1,
         "take joint stops, springs, servos and elements from the model"),
    NUMBER(KP, "N m/rad or N/m", FROM(0, DBL_MAX), "limit_stiffness", limit_stiffness, ALL, 1e3,
           "stiffness of joint stops"),
    NUMBER(KD, "N m s/rad or N s/m", FROM(0, DBL_MAX), "limit_damping", limit_damping, ALL, 1,
           "damping of joint stops"),
    FLAG("turning_friction", turning_friction, ALL, 1,
         "contacts resist turning and rolling as their materials say"),
    FLAG("joint_friction", joint_friction, ALL, 1, "joints have the dry friction of the model"),
    NUMBER(TIME, "s", FROM(0, 10), "motor_delay", motor_delay, ALL, 0,
           "delay of motor references, rounded up to whole steps"),
    NUMBER(NUMBER, "m/s and rad/s", ABOVE(0, (double)INFINITY), "max_speed", max_speed, ALL, 1e4,
           "a step that makes a velocity larger than this fails; inf: only one that makes it non-finite"),
    WHOLE(0, MOST_CONTACTS, "max_contacts", max_contacts, ALL, 0,
          "maximum number of points in contact at once; 0: as many as can touch, at most 512"),
    FLAG_IN(NULL, "timing", timing, ALL, 0, "measure the time of the phases of a step"),
    FLAG_IN(NULL, "watch_passing", watch_passing, ALL, 0,
            "after each step check for tunnelling: shapes that passed through each other"),
    NUMBER(
        TIME, "s", FROM(0, 1e9), "time_limit", time_limit, ALL, 0,
        "a step that takes longer than this by the clock fails, and the state before it stays; 0: no limit"),
    WORD_IN(NULL, isa, "isa", isa, ALL, FF_ISA_AUTO,
            "instructions to use; auto: the best that the machine has"),

    WORD(exponential, "expo.exponential", expo.exponential, EXPOS, FF_EXPONENTIAL_AUTO,
         "how the exponential is computed; auto: to the tolerance expo.force_tolerance"),
    NUMBER(NUMBER, "", FROM(1e-12, 1e-1), "expo.force_tolerance", expo.force_tolerance, EXPOS, 1e-4,
           "error tolerance of the exponential, in velocities and forces, relative to the largest"),
    WHOLE(1, 64, "expo.max_substeps", expo.max_substeps, EXPOS, 8,
          "maximum number of equal subintervals of the exponential"),
    WHOLE(1, 2, "expo.order", expo.order, OF(EXPO), 2, "without (1) or with (2) its corrector"),
    FLAG(
        "expo.events", expo.events, OF(EXPO), 1,
        "find contact events inside the step; if off, or with an exponential other than auto, only at its ends"),
    WHOLE(1, 1000, "expo.max_pieces", expo.max_pieces, OF(EXPO), 32,
          "maximum number of substeps, between contact events, in a step"),
    FLAG("expo.double_mean", expo.double_mean, OF(EXPO_PAPER), 1,
         "compute positions by eq. 26 of the Expo paper; if off, by eq. 24 alone"),

    NUMBER(NUMBER, "", ABOVE(0, 1), "implicit.tolerance", implicit.tolerance, OF(IMPLICIT), 1e-6,
           "tolerance of the norm of the Newton residual"),
    WHOLE(1, 1000, "implicit.max_iterations", implicit.max_iterations, OF(IMPLICIT), 50,
          "maximum number of Newton iterations in a step"),

    NUMBER(LENGTH, "m", ABOVE(0, 0.01), "ess.epsilon", ess.epsilon, OF(ESS), 1e-5,
           "distance to an event below which the motion goes to it in a straight line"),
    NUMBER(NUMBER, "", FROM(0, 0.1), "ess.relative_tolerance", ess.relative_tolerance, OF(ESS), 1e-6,
           "error tolerance of an integrator step, as a fraction of 1 m, rad, m/s or rad/s"),
    NUMBER(NUMBER, "", ABOVE(0, 1), "ess.absolute_tolerance", ess.absolute_tolerance, OF(ESS), 1e-9,
           "absolute part of that tolerance, added to it, in m, rad, m/s and rad/s"),
    WHOLE(1, 100000000, "ess.max_steps", ess.max_steps, OF(ESS), 10000,
          "maximum number of integrator steps in one step; evaluations with many contacts count as more"),

    WORD(hard_contact, "moreau.contact", moreau.contact, OF(MOREAU), FF_HARD_CONTACT_HARD,
         "the contact model: hard, or compliant (springs and dampers)"),
    WORD(hard_solver, "moreau.solver", moreau.solver, OF(MOREAU), FF_HARD_EXACT,
         "the solver of the impulses"),
    WORD(hard_form, "moreau.form", moreau.form, OF(MOREAU), FF_HARD_FORM_AUTO,
         "what jor and sor iterate on; auto: the cheaper one"),
    WORD(
        hard_bilateral, "moreau.bilateral", moreau.bilateral, OF(MOREAU), FF_HARD_DIRECT,
        "how welds, points and cut joints get their impulses: from a factorisation, or iterated like contacts"),
    NUMBER(NUMBER, "", FROM(0, 2), "moreau.alpha", moreau.alpha, OF(MOREAU), 0,
           "relaxation of jor and sor; 0 lets the solver choose"),
    NUMBER(NUMBER, "", FROM(0, 0.1), "moreau.relative_tolerance", moreau.relative_tolerance, OF(MOREAU), 1e-6,
           "tolerance of the change of impulses, relative to them"),
    NUMBER(IMPULSE, "N s", ABOVE(0, 1), "moreau.absolute_tolerance", moreau.absolute_tolerance, OF(MOREAU),
           1e-6, "absolute part of that tolerance"),
    WHOLE(1, 100000, "moreau.max_iterations", moreau.max_iterations, OF(MOREAU), 1000,
          "maximum number of iterations of jor and sor, and of each stage of exact"),
    FLAG("moreau.warm_start", moreau.warm_start, OF(MOREAU) | ADVANCING, 1,
         "start from the impulses of the last step"),
    FLAG("moreau.stabilise", moreau.stabilise, OF(MOREAU), 0,
         "after each step, move overlapping shapes apart and the ends of constraints together"),

    NUMBER(TIME, "s", ABOVE(0, LONGEST), "c2a.h_min", c2a.h_min, ADVANCING, 1e-5, "shortest substep"),
    NUMBER(LENGTH, "m", ABOVE(0, 0.1), "c2a.skin", c2a.skin, ADVANCING, 1e-4,
           "distance at which shapes count as touching, and that contacts keep"),
    FLAG(
        "c2a.advancement", c2a.advancement, ADVANCING, 1,
        "end a substep where something would touch, and keep contacts a skin apart; if off, penetration stays"),
    FLAG("c2a.error_control", c2a.error_control, OF(C2A), 1,
         "shorten substeps until the error of the kinetic energy is within the tolerances"),
    NUMBER(NUMBER, "J", FROM(0, DBL_MAX), "c2a.absolute_error", c2a.absolute_error, OF(C2A), 1e-6,
           "absolute tolerance of the kinetic energy after a substep"),
    NUMBER(NUMBER, "", FROM(0, 1), "c2a.relative_error", c2a.relative_error, OF(C2A), 0.0025,
           "relative tolerance of the kinetic energy after a substep"),
    NUMBER(NUMBER, "", FROM(100, 1e9), "c2a.max_work", c2a_max_work, ADVANCING, 200000,
           "maximum work in a step: evaluations and solver iterations; a step that needs more fails"),
    WORD(c2a_scheme, "c2a.scheme", c2a.scheme, ADVANCING, FF_C2A_SEMI_IMPLICIT,
         "forces at the new positions (semi-implicit) or at the old ones (explicit)"),
    NUMBER(NUMBER, "", FROM(0, 1), "c2a.dissipation", c2a.dissipation, ADVANCING, 0,
           "fraction of the velocity that each substep removes"),
    NUMBER(NUMBER, "1/s", FROM(0, DBL_MAX), "c2a.rayleigh", c2a.rayleigh, ADVANCING, 0,
           "decay rate of the velocities"),
    WORD(impact_law, "c2a.impact", c2a.impact.law, ADVANCING,
         FF_IMPACT_COULOMB, // the convex laws lift sliding contacts
         "the impact law"),
    WORD(impact_cone, "c2a.cone", c2a.impact.cone, ADVANCING, FF_IMPACT_CONE,
         "friction cone of the laws dissipation and bounded: round, or a polygon"),
    WHOLE(4, FF_IMPACT_MAX_EDGES, "c2a.edges", c2a.impact.edges, ADVANCING, 4,
          "number of edges of that polygon, even"),
    WORD(impact_bounce, "c2a.bounce", c2a.impact.bounce, ADVANCING, FF_IMPACT_NEWTON,
         "restitution of velocities (newton) or of impulses (poisson)"),
    NUMBER(NUMBER, "", FROM(0, 0.1), "c2a.relative_tolerance", c2a.impact.relative_tolerance, ADVANCING, 1e-6,
           "tolerance of the impulses of an impact, relative to them"),
    NUMBER(IMPULSE, "N s", ABOVE(0, 1), "c2a.absolute_tolerance", c2a.impact.absolute_tolerance, ADVANCING,
           1e-6, "absolute part of that tolerance"),
    WHOLE(1, 100000, "c2a.max_iterations", c2a.impact.max_iterations, ADVANCING, 1000,
          "maximum number of iterations of each stage of the impact solver"),
};

int ff_option_count(void)
{
  return (int)(sizeof options / sizeof options[0]);
}

const ff_option *ff_option_at(int index)
{
  return index >= 0 && index < ff_option_count() ? &options[index] : NULL;
}
