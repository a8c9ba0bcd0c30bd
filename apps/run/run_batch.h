/// run_batch.h: footfall run --batch: many runs of one scene.
///
///     run_batch_options.c   its options
///     run_batch.c           the loop: make the batch, step, report; and one run of it, --only
///     run_batch_figures.c   figures of runs and their distributions
///     run_batch_summary.c   the summary as text; run_batch_json.c as JSON; run_batch_csv.c a table of all runs
///     run_batch_page.c      a page with pictures; run_batch_plot.c draws them
#ifndef FFI_APPS_RUN_BATCH_H
#define FFI_APPS_RUN_BATCH_H

#include "run/run.h"

#include <footfall/scene/scene_batch.h>

/// A scene with its runs.
typedef struct ffi_run_batch {
  const ffi_run_request *request;
  const ffi_run_scene *scene;
  ff_scene_batch *batch;
  int ended;                          ///< runs that have ended: all, unless it was interrupted
  int is_interrupted;                 ///< by a signal
  double wall;                        ///< [s]
  int counts[FF_SCENE_OUTCOME_COUNT]; ///< of runs by outcome
} ffi_run_batch;

/// Run all and report. Returns the exit status.
int ffi_run_batch_perform(ffi_run_request *request);

// ---- Figures --------------------------------------------------------------------------------------------------------

enum { FFI_RUN_BATCH_FIGURES = 8 };

/// A figure of a run.
typedef struct ffi_run_batch_figure {
  const char *key;   ///< in JSON and CSV, in SI units
  const char *title; ///< for people, with `unit`
  const char *unit;
  double scale; ///< from SI units to `unit`
} ffi_run_batch_figure;

extern const ffi_run_batch_figure ffi_run_batch_figure_list[FFI_RUN_BATCH_FIGURES];

double ffi_run_batch_figure_of(const ff_scene_run *run, int figure); ///< NAN: it has none

/// Of runs that did not fail. Quantiles are linear between the two nearest values.
typedef struct ffi_run_batch_distribution {
  int count;                             ///< of runs that have this figure; 0: all else is NAN
  double least, low, median, high, most; ///< low and high: 5 % and 95 %
} ffi_run_batch_distribution;

ffi_run_batch_distribution ffi_run_batch_figures_spread(const ffi_run_batch *b, int figure);

// ---- Reports --------------------------------------------------------------------------------------------------------

/// The command that repeats a run, without the run's number at its end; the caller frees it.
char *ffi_run_batch_repeat(const ffi_run_batch *b);

/// Parameters that a run drew, as text: "material.friction 0.31, mass 1.02".
void ffi_run_batch_drawn(const ffi_run_batch *b, int run, char *text, size_t size);

void ffi_run_batch_summary(const ffi_run_batch *b, FILE *out);
void ffi_run_batch_json(const ffi_run_batch *b, FILE *out);
void ffi_run_batch_csv(const ffi_run_batch *b, FILE *out);
void ffi_run_batch_page(const ffi_run_batch *b, FILE *out);

/// Number in `unit` of a parameter that varies, for people: angles are degrees.
double ffi_run_batch_shown(const ff_scene_variable *variable, double value, const char **unit);

// ---- Plots of the page ----------------------------------------------------------------------------------------------

/// Values with the outcomes of their runs.
typedef struct ffi_run_batch_plot {
  const char *title, *unit;
  const double *values; ///< [count]
  const char *outcomes; ///< [count] an ff_scene_outcome each
  int count;
  double low, high; ///< of the axis
  int is_share;     ///< 1: of each bin the share of outcomes, 0: how many
} ffi_run_batch_plot;

void ffi_run_batch_plot_draw(const ffi_run_batch_plot *plot, FILE *out);

#endif
