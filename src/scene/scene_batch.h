/// scene_batch.h: the inside of many runs of a scene.
///
/// Runs are taken in *waves*: each has a batch of robots, one for each of its runs. For each thread there is a *view*,
/// a scene that shares all with the original but what a thread writes to. It becomes one run after another: it gets the
/// run's start, pushes, torques, observations and sim, so that all functions of a scene work for it.
#ifndef FFI_SCENE_SCENE_BATCH_H
#define FFI_SCENE_SCENE_BATCH_H

#include "scene/scene.h"
#include "scene/scene_vary.h"

#include <footfall/scene/scene_batch.h>

#include <stdatomic.h>

/// A run that is under way.
typedef struct ffi_scene_racer {
  double *q, *v, *tau;     ///< start [nq], [nv]; torques of the period [nv]
  ffi_scene_force *pushes; ///< of this run
  ffi_scene_watch watch;   ///< without `dynamics`
  long long step;          ///< taken; -1: not observed yet
  int has_ended;
} ffi_scene_racer;

/// A scene for one thread.
typedef struct ffi_scene_view {
  ff_scene scene;
  atomic_int is_taken;
} ffi_scene_view;

struct ff_scene_batch {
  ff_scene *scene;
  ff_scene_batch_def def;   ///< without `vary`
  ffi_scene_varied *varied; ///< [varied_count] of the def, then of the scene
  int varied_count;
  ff_world *world;
  ff_parameters *nominal, *own;
  ffi_scene_force *written; ///< pushes as the scene has them
  ff_batch *batch;          ///< of the present wave, NULL: none
  int wave, wave_size;      ///< first run of it, and how many
  int wave_most;            ///< of all waves
  long long wave_steps;     ///< taken of it
  ffi_scene_racer *racers;  ///< [wave_most]
  double *numbers;          ///< of all racers
  ffi_scene_force *pushes;  ///< the same
  ffi_scene_view *views;    ///< [view_count]
  int view_count;
  ff_scene_run *runs;     ///< [def.runs]
  char **why;             ///< [def.runs] owned, NULL: nothing
  int ended;              ///< runs of waves that are done
  ff_batch_counts counts; ///< of waves that are done
};

/// The controller of a batch: observes the last step of each robot, computes torques, notes what becomes of runs. user:
/// the ff_scene_batch.
ff_batch_written ffi_scene_batch_run_control(const ff_batch_group *group, void *user);

/// A view becomes a run of the wave whose robot is `sim`; and keeps in the run what changed.
void ffi_scene_batch_run_enter(ff_scene_batch *b, ffi_scene_view *view, int racer, ff_sim *sim);
void ffi_scene_batch_run_leave(ff_scene_batch *b, ffi_scene_view *view, int racer);

/// Note what became of a run that the view is. status, why: of a step or a controller that failed.
void ffi_scene_batch_run_end(ff_scene_batch *b, const ffi_scene_view *view, int racer, ff_status status,
                             const char *why);

#endif
