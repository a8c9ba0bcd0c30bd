/// expo_paper.h: `footfall bench expo-paper`: section 6 of the Expo paper, reproduced.
///
/// Four tests, each a scene: Solo squats, jumps and trots, Romeo walks. Each study is a file:
///
///     expo_paper_errors.c     Fig. 2 and 3: local errors over speed and over step length
///     expo_paper_stiffness.c  Fig. 4: local errors over stiffness and damping
///     expo_paper_stability.c  Table 2: the longest steps that stay bounded; expo_paper_runaway.c: why not longer ones
///     expo_paper_forces.c     Fig. 5: predicted and true forces;  Fig. 6: forces while trotting and walking
///     expo_paper_times.c      Table 3: times of the phases; the appendix on the implicit method
///     expo_paper_claims.c     the paper's claims, rules and verdicts; expo_paper_speed.c: those on error and time
///     expo_paper_html.c       the report
///     expo_paper_published.c  the paper's own numbers
///
/// Studies keep their data in bench_expo_paper, where the claims and the report read them. A "truth" is a reference
/// solution.
#ifndef BENCH_EXPO_PAPER_H
#define BENCH_EXPO_PAPER_H

#include "common/scene_trial.h"
#include "papers/paper.h"

typedef enum bench_expo_paper_test {
  BENCH_EXPO_SQUAT,
  BENCH_EXPO_JUMP,
  BENCH_EXPO_TROT,
  BENCH_EXPO_WALK
} bench_expo_paper_test;
enum { BENCH_EXPO_TESTS = BENCH_EXPO_WALK + 1 };

// ---- Fig. 4 ---------------------------------------------------------------------------------------------

enum {
  BENCH_EXPO_STIFFNESSES = 11,
  BENCH_EXPO_RATIOS = 5,
  BENCH_EXPO_SETTINGS = BENCH_EXPO_STIFFNESSES + BENCH_EXPO_RATIOS
};
enum { BENCH_EXPO_STIFFNESS_SCHEMES = 5 };

/// One stiffness and damping: the mean local error of each scheme, NAN where it failed.
typedef struct bench_expo_paper_setting {
  double stiffness, ratio;                    ///< K [N/m]; B / (2 sqrt(K)), for 1 kg
  double error[BENCH_EXPO_STIFFNESS_SCHEMES]; ///< mean over periods, against the truth of expo at 1/64 ms
  /// Against the same truth, over the same periods: the median, and the share of their sum that the worst one has.
  double median[BENCH_EXPO_STIFFNESS_SCHEMES], worst[BENCH_EXPO_STIFFNESS_SCHEMES];
  int periods;                              ///< measured
  double own[BENCH_EXPO_STIFFNESS_SCHEMES]; ///< against the stepper's own truth
  int failures[BENCH_EXPO_STIFFNESS_SCHEMES];
  int is_measured;
} bench_expo_paper_setting;

// ---- Table 2 --------------------------------------------------------------------------------------------

enum { BENCH_EXPO_STABILITY_SCHEMES = 6, BENCH_EXPO_STABILITY_STEPS = 10 };

/// How an unbounded run ended. Among the steps that increased the energy by half or more, not counting the
/// controller's work, the one whose new contact was the deepest.
typedef struct bench_expo_paper_runaway {
  int is_one;
  double time;            ///< end of the run [s]
  double at;              ///< end of that step [s]; 0: there is none
  double depth;           ///< [m]
  double energy, brought; ///< before and after it [J]
} bench_expo_paper_runaway;

typedef struct bench_expo_paper_stability {
  /// Fewest per period that stay bounded, as do all larger numbers; 0: none.
  int substeps[BENCH_EXPO_STABILITY_SCHEMES];
  /// Largest |v| with 2^i steps per period; INFINITY: it failed.
  double speed[BENCH_EXPO_STABILITY_SCHEMES][BENCH_EXPO_STABILITY_STEPS];
  double limit; ///< |v| above it counts as unbounded
  /// With the paper's longest step of its scheme.
  bench_expo_paper_runaway runaway[BENCH_EXPO_STABILITY_SCHEMES];
} bench_expo_paper_stability;

// ---- Fig. 5 and 6 ---------------------------------------------------------------------------------------

enum {
  BENCH_EXPO_STARTS = 4,
  BENCH_EXPO_FORCE_TIMES = 81,
  BENCH_EXPO_FEET = 4,
  BENCH_EXPO_TRACE_MOST = 6000
};

/// Normal forces of Solo's feet over 20 ms.
typedef struct bench_expo_paper_prediction {
  char name[64]; ///< initial motion
  int feet;
  double time[BENCH_EXPO_FORCE_TIMES]; ///< [ms]
  /// [N].
  double predicted[BENCH_EXPO_FEET][BENCH_EXPO_FORCE_TIMES], truth[BENCH_EXPO_FEET][BENCH_EXPO_FORCE_TIMES];
  double error; ///< mean |predicted - truth| over the mean of truth
} bench_expo_paper_prediction;

typedef struct bench_expo_paper_force_trace {
  char name[96]; ///< of the contact
  int count;
  double time[BENCH_EXPO_TRACE_MOST], force[BENCH_EXPO_TRACE_MOST]; ///< [s], [N]
  double jump; ///< largest change between two samples at a touch-down [N]
} bench_expo_paper_force_trace;

// ---- Table 3 --------------------------------------------------------------------------------------------

enum { BENCH_EXPO_TIMED_SCHEMES = 6 };

typedef struct bench_expo_paper_timed {
  char name[32];
  double us;                    ///< of a step, mean; NAN: it failed
  double phase[FF_PHASE_COUNT]; ///< [us]
  double iterations;            ///< implicit: mean
} bench_expo_paper_timed;

typedef struct bench_expo_paper_times {
  bench_expo_paper_timed trot[BENCH_EXPO_TIMED_SCHEMES];
  bench_expo_paper_timed implicit;               ///< Solo squats, 10 ms
  bench_expo_paper_timed expo;                   ///< the same
  double aba_derivatives_us, lie_derivatives_us; ///< of one call for Solo
} bench_expo_paper_times;

// ---- All of it ------------------------------------------------------------------------------------------

typedef struct bench_expo_paper {
  bench_paper_run run; ///< first, see paper.h

  int has_test[BENCH_EXPO_TESTS];
  char path[BENCH_EXPO_TESTS][4096];
  bench_scene_trial tests[BENCH_EXPO_TESTS];
  ff_comparison *errors[BENCH_EXPO_TESTS];
  ff_sim_def first_touch[BENCH_EXPO_TESTS]; ///< with springs at rest where a contact is first detected
  ff_comparison *touched[BENCH_EXPO_TESTS]; ///< with these; full run only
  bench_expo_paper_setting settings[BENCH_EXPO_SETTINGS];
  bench_expo_paper_stability stability[BENCH_EXPO_TESTS];
  bench_expo_paper_prediction predictions[BENCH_EXPO_STARTS];
  bench_expo_paper_force_trace traces[2]; ///< trot, walk
  bench_expo_paper_times times;
} bench_expo_paper;

/// Estimates [us].
double bench_expo_paper_errors_work(const void *paper);
double bench_expo_paper_stiffness_work(const void *paper);
double bench_expo_paper_stability_work(const void *paper);
double bench_expo_paper_forces_work(const void *paper);
double bench_expo_paper_times_work(const void *paper);

/// Measure, print tables, add rows. A test that was not loaded is skipped.
ff_status bench_expo_paper_errors_run(void *paper, ff_error *error);
ff_status bench_expo_paper_stiffness_run(void *paper, ff_error *error);
ff_status bench_expo_paper_stability_run(void *paper, ff_error *error);
ff_status bench_expo_paper_forces_run(void *paper, ff_error *error);
ff_status bench_expo_paper_times_run(void *paper, ff_error *error);

/// Repeat an unbounded run with this number of steps per period and find the step that gains energy.
ff_status bench_expo_paper_runaway_find(const ff_trial *trial, const ff_scheme *scheme, int substeps,
                                        bench_expo_paper_runaway *out, ff_error *error);

/// Judge the claims by the measured data.
void bench_expo_paper_claims_judge(void *paper);

/// The claims and their rules.
enum { BENCH_EXPO_CLAIMS = 13 };
extern const bench_claim_rule bench_expo_paper_rules[BENCH_EXPO_CLAIMS];

/// Parts of it: the claim ID, or ID:SCHEME unless the scheme is expo.
bench_claim *bench_expo_paper_claims_begin(bench_expo_paper *paper, const char *id, const char *scheme);
void bench_expo_paper_speed_judge(bench_expo_paper *paper, ff_stepper stepper);      ///< C1
void bench_expo_paper_speed_judge_cost(bench_expo_paper *paper, ff_stepper stepper); ///< C4
void bench_expo_paper_speed_judge_orders(bench_expo_paper *paper);                   ///< C6
void bench_expo_paper_speed_judge_second(bench_expo_paper *paper);                   ///< C7

/// The report. 0 if there is no memory.
int bench_expo_paper_html(const void *paper, FILE *file);

/// The schemes of Fig. 4 and Table 2.
extern const char *const bench_expo_paper_stiffness_schemes[BENCH_EXPO_STIFFNESS_SCHEMES];
extern const char *const bench_expo_paper_stability_schemes[BENCH_EXPO_STABILITY_SCHEMES];

/// Names of the phases of `implicit`.
extern const char *const bench_expo_paper_times_implicit_parts[FF_PHASE_COUNT];

#endif
