/// scene_object.h: a scene ready to run.
///
///     scene.c         loading, sims, control, stepping
///     scene_model.c   its model: where the file is, how it is loaded
///     scene_ground.c  its ground and materials
///     scene_start.c   its state at the start, and the motors that hold it
///     scene_walk.c    the ground that a walk is planned on
///     scene_result.c  what happens on the way, and whether that is what was asked for
#ifndef FFI_IO_SCENE_OBJECT_H
#define FFI_IO_SCENE_OBJECT_H

#include "io/scene_schema.h"

#include <footfall/trajectory.h>

/// A link that may step.
typedef struct ffi_scene_foot {
  int tree;            ///< its root joint, -1: fixed to the world
  double air;          ///< how long it is off the ground by now [s]
  double left_from[3]; ///< where it touched last, or was at the start [m]
} ffi_scene_foot;

/// What is observed from step to step.
typedef struct ffi_scene_watch {
  ff_dynamics *dynamics;
  ffi_scene_foot *feet; ///< [links]
  int base, base_q;     ///< the only floating joint and its first coordinate, -1: none
  double in_flight;     ///< since something touched last [s]; below 0: nothing has
  ff_scene_result result;
} ffi_scene_watch;

struct ff_scene {
  ffi_scene_source source;
  ff_scene_def *def;
  char *model_file;
  ff_model *model;
  int nq, nv;
  double *q, *v; ///< at the start
  const char *posture;
  ff_ground_def *ground;
  int ground_count; ///< as in ff_sim_def
  ff_element_def *elements;
  int element_count;
  ff_trajectory *trajectory; ///< of a feedback, else NULL
  ff_controller *controller;
  double period;
  int substeps; ///< of a period
  ff_sim *sim;
  double *tau;
  long long step;         ///< taken
  double control_seconds; ///< spent in the controller
  ffi_scene_watch watch;
};

ff_status ffi_scene_no_memory(const ff_scene *scene, ff_error *error);

ff_status ffi_scene_load_model(ff_scene *scene, ff_error *error);

/// Path of a file that the scene names, relative to the scene's folder; malloc'ed, NULL: no memory.
char *ffi_scene_path(const ff_scene *scene, const char *name);
ff_status ffi_scene_make_ground(ff_scene *scene, ff_error *error);
ff_status ffi_scene_make_start(ff_scene *scene, ff_error *error);
ff_status ffi_scene_make_motors(ff_scene *scene, ff_error *error);

/// After the start: height of the level ground under both feet of a walk [m]. FF_ERROR_UNSUPPORTED where it is not level, or moves.
ff_status ffi_scene_walk_ground(const ff_scene *scene, double *height, ff_error *error);

ff_status ffi_scene_watch_begin(ff_scene *scene, ff_error *error);
void ffi_scene_watch_end(ff_scene *scene);

#endif
