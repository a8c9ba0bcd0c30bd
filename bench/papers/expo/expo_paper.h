/// paper.h: `footfall bench expo-paper`: section 6 of the exponential paper, done again.
///
/// Four tests, each a scene: Solo squats, jumps and trots, Romeo walks. Each study is a file:
///
///     paper_errors.c     Fig. 2 and 3: local errors against speed and against the step
///     paper_stiffness.c  Fig. 4: local errors over stiffness and damping
///     paper_stability.c  Table 2: the longest steps that stay bounded; paper_runaway.c: why longer ones do not
///     paper_forces.c     Fig. 5: forces predicted and true;  Fig. 6: forces while trotting and walking
///     paper_times.c      Table 3: where the time goes; the appendix's on the implicit method
///     paper_claims.c     what the paper claims, judged by these data; paper_speed.c: those on error and time
///     paper_html.c       the report
///     paper_stated.c     the paper's own numbers
///
/// A study says how much work it is, measures, and keeps its data in bench_paper, where the claims and the report find them.
#ifndef BENCH_PAPER_H
#define BENCH_PAPER_H

#include "common/claim.h"
#include "common/progress.h"
#include "common/rows.h"
#include "common/scene_trial.h"
#include "common/sheet.h"

typedef enum bench_test { BENCH_SQUAT, BENCH_JUMP, BENCH_TROT, BENCH_WALK } bench_test;
enum { BENCH_TESTS = BENCH_WALK + 1 };

// ---- Fig. 4 -----------------------------------------------------------------------------------------------

enum { BENCH_STIFFNESSES = 11, BENCH_RATIOS = 5, BENCH_SETTINGS = BENCH_STIFFNESSES + BENCH_RATIOS };
enum { BENCH_SOFT_SCHEMES = 5 };

/// One stiffness and damping: the mean local error of each scheme, NAN where it failed.
typedef struct bench_setting {
  double stiffness, ratio;          ///< K [N/m]; B / (2 sqrt(K)), for 1 kg
  double error[BENCH_SOFT_SCHEMES]; ///< mean over periods, against the truth of expo at 1/64 ms
  double own[BENCH_SOFT_SCHEMES];   ///< against the stepper's own truth
  int failures[BENCH_SOFT_SCHEMES];
  int is_measured;
} bench_setting;

// ---- Table 2 ----------------------------------------------------------------------------------------------

enum { BENCH_STABLE_SCHEMES = 6, BENCH_STABLE_STEPS = 10 };

/// How a run went that did not stay bounded. Of the steps that made half as much energy again as there was, work of the controller apart, the one after which a
/// contact was seen that was not there before, the deepest of all.
typedef struct bench_runaway {
  int is_one;
  double time;            ///< when it ended [s]
  double at;              ///< the end of that step [s]; 0: there is none
  double depth;           ///< [m]
  double energy, brought; ///< before and after it [J]
} bench_runaway;

typedef struct bench_stability {
  int substeps[BENCH_STABLE_SCHEMES]; ///< fewest per period that stay bounded, all finer ones too; 0: none
  double speed[BENCH_STABLE_SCHEMES]
              [BENCH_STABLE_STEPS];            ///< largest |v| with 2^i steps per period; INFINITY: it failed
  double limit;                                ///< |v| beyond it is not bounded
  bench_runaway runaway[BENCH_STABLE_SCHEMES]; ///< with the paper's longest step of its scheme
} bench_stability;

// ---- Fig. 5 and 6 -----------------------------------------------------------------------------------------

enum { BENCH_STARTS = 4, BENCH_FORCE_TIMES = 81, BENCH_FEET = 4, BENCH_TRACE_MOST = 6000 };

/// Normal forces of Solo's feet over 20 ms.
typedef struct bench_prediction {
  char name[64]; ///< how it starts
  int feet;
  double time[BENCH_FORCE_TIMES];                                                        ///< [ms]
  double predicted[BENCH_FEET][BENCH_FORCE_TIMES], truth[BENCH_FEET][BENCH_FORCE_TIMES]; ///< [N]
  double error; ///< mean |predicted - truth| over the mean of truth
} bench_prediction;

typedef struct bench_trace {
  char name[96]; ///< of the contact
  int count;
  double time[BENCH_TRACE_MOST], force[BENCH_TRACE_MOST]; ///< [s], [N]
  double jump; ///< largest change from one sample to the next at a touch-down [N]
} bench_trace;

// ---- Table 3 ----------------------------------------------------------------------------------------------

enum { BENCH_TIMED_SCHEMES = 6 };

typedef struct bench_timed {
  char name[32];
  double us;                    ///< of a step, mean; NAN: it failed
  double phase[FF_PHASE_COUNT]; ///< [us]
  double iterations;            ///< implicit: mean
} bench_timed;

typedef struct bench_times {
  bench_timed trot[BENCH_TIMED_SCHEMES];
  bench_timed implicit;                          ///< Solo squats, 10 ms
  bench_timed expo;                              ///< the same
  double aba_derivatives_us, lie_derivatives_us; ///< of one call for Solo
} bench_times;

// ---- Claims -----------------------------------------------------------------------------------------------

enum { BENCH_CLAIMS_MOST = 16 };

// ---- All of it --------------------------------------------------------------------------------------------

typedef struct bench_paper {
  bench_sheet sheet;
  bench_rows *rows; ///< NULL: not wanted
  const char *scenes;
  int is_quick;
  bench_progress progress;

  int has_test[BENCH_TESTS];
  char path[BENCH_TESTS][4096];
  bench_scene_trial tests[BENCH_TESTS];
  ff_comparison *errors[BENCH_TESTS];
  bench_setting settings[BENCH_SETTINGS];
  bench_stability stability[BENCH_TESTS];
  bench_prediction predictions[BENCH_STARTS];
  bench_trace traces[2]; ///< trot, walk
  bench_times times;
  bench_claim claims[BENCH_CLAIMS_MOST];
  int claim_count;
} bench_paper;

/// Roughly, in microseconds.
double bench_paper_errors_work(const bench_paper *paper);
double bench_paper_stiffness_work(const bench_paper *paper);
double bench_paper_stability_work(const bench_paper *paper);
double bench_paper_forces_work(const bench_paper *paper);
double bench_paper_times_work(const bench_paper *paper);

/// Measure, print tables, add rows. A test that is not there is left out.
ff_status bench_paper_errors(bench_paper *paper, ff_error *error);
ff_status bench_paper_stiffness(bench_paper *paper, ff_error *error);
ff_status bench_paper_stability(bench_paper *paper, ff_error *error);
ff_status bench_paper_forces(bench_paper *paper, ff_error *error);
ff_status bench_paper_times(bench_paper *paper, ff_error *error);

/// Run once more with so many steps per period, and see why it runs away.
ff_status bench_paper_runaway(const ff_trial *trial, const ff_scheme *scheme, int substeps,
                              bench_runaway *out, ff_error *error);

/// Judge by what was measured; print and add rows.
void bench_paper_claims(bench_paper *paper);

/// Parts of it: a claim on `scheme` begins.
bench_claim *bench_claim_begin(bench_paper *paper, const char *id, const char *scheme, const char *claim,
                               const char *unit);
void bench_paper_judge_speed(bench_paper *paper, ff_stepper stepper); ///< C1
void bench_paper_judge_cost(bench_paper *paper, ff_stepper stepper);  ///< C4

/// The report. 0 if there is no memory.
int bench_paper_html(const bench_paper *paper, FILE *file);

/// Which schemes Fig. 4 and Table 2 have.
extern const char *const bench_soft_schemes[BENCH_SOFT_SCHEMES];
extern const char *const bench_stable_schemes[BENCH_STABLE_SCHEMES];

/// What the phases of `implicit` are.
extern const char *const bench_implicit_parts[FF_PHASE_COUNT];

#endif
