/// scene_batch.h: many runs of one scene, each with its own start and parameters, on all processors.
///
///     const char *vary[] = {"material.friction=0.3..1.0", "start.joints=2deg"};
///     ff_scene_batch_def def = ff_scene_batch_def_default();
///     def.runs = 1000, def.seed = 1, def.vary = vary, def.vary_count = 2;
///     ff_scene_batch *batch;
///     if (ff_scene_batch_create(scene, &def, &batch, &error) != FF_OK) ...
///     while (!ff_scene_batch_is_done(batch))
///       if (ff_scene_batch_advance(batch, 20, &error) != FF_OK) ...
///     for (int i = 0; i < 1000; ++i)
///       if (ff_scene_batch_run(batch, i)->outcome != FF_SCENE_FINISHED) ...
///     ff_scene_batch_destroy(batch);
///
/// **What varies** is said as FIELD=RANGE: `LO..HI` is uniform between two bounds, `a,b,c` one of a list, and a single
/// number W is up to W to both sides of what the scene says, as in `vary` of pushes in scenes. ff_scene_variable_at()
/// lists the fields. Fields that the scene varies itself (ff_scene_def.vary) do so too, unless the def has them. Pushes
/// that have `vary` in the scene vary in every run.
///
/// **Draws.** A number depends on the seed, the number of the run, the field, and on nothing else: a batch of one with
/// `first` = 17 is the run 17 of any batch with this seed, to the bit, whatever the number of runs and threads and
/// whatever else varies. The numbers are the same in every version.
///
/// **Runs** step through an ff_batch (batch.h) with the scene's controller, so they differ from ff_scene_step() by
/// rounding where steps are taken in lanes. Each is observed after every step, as by ff_scene_watch(). Tunnelling is
/// watched only if the scene expects `passed`: such steps are not taken in lanes.
#ifndef FOOTFALL_SCENE_SCENE_BATCH_H
#define FOOTFALL_SCENE_SCENE_BATCH_H

#include <footfall/batch.h>
#include <footfall/quantity.h>
#include <footfall/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- What can vary --------------------------------------------------------------------------------------------------

/// What becomes of a number that is drawn.
typedef enum ff_scene_vary_how {
  FF_SCENE_VARY_SETS,   ///< it replaces what the scene says
  FF_SCENE_VARY_SCALES, ///< it is a factor
  FF_SCENE_VARY_ADDS,   ///< it is added
} ff_scene_vary_how;

/// A field that can vary.
typedef struct ff_scene_variable {
  const char *name;     ///< "material.friction"
  ff_quantity quantity; ///< units that its numbers can have
  const char *unit;     ///< of its numbers in tables, "": none
  ff_scene_vary_how how;
  int is_several;      ///< 1: several numbers, drawn on their own, such as one for each joint
  const char *meaning; ///< a few words
} ff_scene_variable;

enum { FF_SCENE_VARY_VALUES = 64 }; ///< most values of a list

/// List the fields that can vary, by index; 0 after the last.
int ff_scene_variable_at(int index, ff_scene_variable *out);

// ---- A batch --------------------------------------------------------------------------------------------------------

/// Many runs of a scene.
typedef struct ff_scene_batch ff_scene_batch;

/// Which runs. Start from ff_scene_batch_def_default().
typedef struct ff_scene_batch_def {
  size_t size;             ///< of this struct as the program was compiled; ff_scene_batch_def_init() sets it
  int runs;                ///< 1..FF_BATCH_MOST_ROBOTS, default 1
  int first;               ///< number of the first run, >= 0, default 0
  long long seed;          ///< >= 0, default 1
  int threads;             ///< as in ff_batch_def, default 0
  int vary_count;          ///< default 0
  const char *const *vary; ///< [vary_count] FIELD=RANGE, each field once
} ff_scene_batch_def;

/// Write the defaults into a def of `size` bytes.
void ff_scene_batch_def_init(ff_scene_batch_def *def, size_t size);
/// The defaults as a value.
static inline ff_scene_batch_def ff_scene_batch_def_default(void)
{
  ff_scene_batch_def def;
  ff_scene_batch_def_init(&def, sizeof def);
  return def;
}

/// Create a batch of runs of a scene, which must outlive it and is only read. FF_ERROR_ARGUMENT or FF_ERROR_PARSE where
/// something cannot vary: the error's `thing` is the field. FF_ERROR_UNSUPPORTED for scenes in other than minimal
/// coordinates.
ff_status ff_scene_batch_create(ff_scene *scene, const ff_scene_batch_def *def, ff_scene_batch **out,
                                ff_error *error);
void ff_scene_batch_destroy(ff_scene_batch *batch); ///< NULL is fine

/// Take up to so many steps of the runs that are under way, at most some thousands at a time; then the next ones.
ff_status ff_scene_batch_advance(ff_scene_batch *batch, int steps, ff_error *error);
int ff_scene_batch_is_done(const ff_scene_batch *batch);     ///< 1: all runs have ended
double ff_scene_batch_progress(const ff_scene_batch *batch); ///< 0..1, the part of all steps that is taken
int ff_scene_batch_ended(const ff_scene_batch *batch);       ///< runs that have ended, from the first on

/// How steps were taken so far, as ff_batch_get_counts().
ff_batch_counts ff_scene_batch_get_counts(ff_scene_batch *batch);
int ff_scene_batch_threads(const ff_scene_batch *batch); ///< number of threads in use

/// Number of fields that vary: those of the def, then others of the scene.
int ff_scene_batch_varied_count(const ff_scene_batch *batch);

/// A field that varies, 0 <= index < count, with the least and the largest number that can be drawn.
ff_scene_variable ff_scene_batch_varied(const ff_scene_batch *batch, int index, double *low, double *high);

/// What run i, 0 <= i < runs, draws for that field; of several numbers, the root of their mean square.
double ff_scene_batch_drawn(const ff_scene_batch *batch, int run, int index);

/// How a run ended, the worst last.
typedef enum ff_scene_outcome {
  FF_SCENE_FINISHED, ///< all steps taken, nothing missed
  FF_SCENE_MISSED,   ///< an expectation of the scene was missed
  FF_SCENE_FELL,     ///< the robot fell: its base tilted by more than 45 degrees or sank to half its height
  FF_SCENE_FAILED,   ///< a step or the controller failed
} ff_scene_outcome;
enum { FF_SCENE_OUTCOME_COUNT = FF_SCENE_FAILED + 1 }; ///< number of outcomes
/// "finished", "missed", "fell", "failed"; never NULL
const char *ff_scene_outcome_name(ff_scene_outcome outcome);

/// A run that has ended. NAN: not applicable.
typedef struct ff_scene_run {
  ff_scene_outcome outcome;
  ff_status status;   ///< of a step that failed, else FF_OK
  const char *why;    ///< what failed or was missed; "": nothing. Belongs to the batch
  double time;        ///< of its end [s]
  double position[3]; ///< of the base at the end [m]
  double tilt;        ///< largest angle of the base's z axis from the vertical [rad]
  double speed;       ///< of the base along x, mean [m/s]
  double final_speed; ///< of the centre of mass at the end [m/s]
  double energy;      ///< kinetic, potential and elastic at the end [J]
  double penetration; ///< as in ff_scene_result [m]
} ff_scene_run;

/// How run i went, 0 <= i < runs; NULL: it has not ended, or there is none.
const ff_scene_run *ff_scene_batch_run(const ff_scene_batch *batch, int run);

/// A run that is under way, 0 <= run < runs, as a scene to look at, for functions that change nothing: its sim,
/// contacts, result, pushes. Valid until the next call of a function of the batch. NULL: it is not under way.
ff_scene *ff_scene_batch_scene(ff_scene_batch *batch, int run);

/// The error of a run whose step failed, FF_OK: none.
ff_status ff_scene_batch_error(ff_scene_batch *batch, int run, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
