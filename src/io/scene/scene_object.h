/// scene_object.h: a scene ready to run.
///
///     scene.c         loading, sims, control, stepping
///     scene_model.c   its model: where the file is, how it is loaded
///     scene_ground.c  its ground and materials
///     scene_start.c   its state at the start, and the motors that hold it
///     scene_walk.c    the ground that a walk is planned on
///     scene_cut.c     the coordinates it steps in
///     scene_push.c    pushes
///     scene_settle.c  how contacts settle, what becomes of loose bodies
///     scene_height.c  how high a robot stands
///     scene_result.c  what happens on the way, and whether that is what was asked for
///     scene_memory.c  the former as numbers, for a run that goes on later
#ifndef FFI_IO_SCENE_OBJECT_H
#define FFI_IO_SCENE_OBJECT_H

#include "io/scene/scene_schema.h"

#include <footfall/trajectory.h>

/// A link that may step.
typedef struct ffi_scene_foot {
  int tree;            ///< its root joint, -1: fixed to the world
  double air;          ///< how long it is off the ground by now [s]
  double left_from[3]; ///< where it touched last, or was at the start [m]
} ffi_scene_foot;

/// Since when a contact is there.
typedef struct ffi_scene_age {
  int id;
  double since; ///< [s]
} ffi_scene_age;

/// A push as it will be.
typedef struct ffi_scene_force {
  ff_point point;
  int link;              ///< of the model
  double force[3];       ///< [N]
  double from, duration; ///< [s]
} ffi_scene_force;

/// What a sim counted before it was made anew and its run went on.
typedef struct ffi_scene_past {
  double passed, drift, unconverged, steps; ///< shapes; farthest [m]; steps; all steps
} ffi_scene_past;

/// What is observed from step to step.
typedef struct ffi_scene_watch {
  ff_dynamics *dynamics;
  ffi_scene_foot *feet; ///< [links]
  int base, base_q;     ///< the only floating joint and its first coordinate, -1: none
  double in_flight;     ///< since something touched last [s]; below 0: nothing has
  double
      floor; ///< lowest point of what moves, when something touched last or at the start [m]; NAN: not known
  double stood;          ///< base above that at the start [m]
  int *shape_link;       ///< [shapes]
  ff_contact *contacts;  ///< [most_contacts] with the model's links; NULL: the sim's own have them
  ffi_scene_age *age[2]; ///< [most_contacts] in the order of ids; age[turn] is the last
  int most_contacts, age_count, turn;
  ffi_scene_past past; ///< zero, unless the run was resumed
  ff_scene_result result;
} ffi_scene_watch;

struct ff_scene {
  ffi_scene_source source;
  ff_scene_def *def;
  char *model_file, *trajectory_file; ///< the latter NULL without a feedback
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
  ff_cut *cut;                     ///< NULL: minimal coordinates; then what follows is NULL too
  double *now_q, *now_v;           ///< the present state in the model's coordinates
  double *cut_q, *cut_v, *cut_tau; ///< start and torques in the sim's
  ffi_scene_force *pushes;         ///< [def->pushes.list_count]
  ff_dynamics *push_dynamics;
  double *push_J;         ///< [3][nv]
  long long step;         ///< taken
  double control_seconds; ///< spent in the controller
  ffi_scene_watch watch;
};

ff_status ffi_scene_no_memory(const ff_scene *scene, ff_error *error);

ff_status ffi_scene_model_load(ff_scene *scene, ff_error *error);

/// Path of a file that the scene names, relative to the scene's folder; malloc'ed, NULL: no memory.
char *ffi_scene_model_path(const ff_scene *scene, const char *name);
ff_status ffi_scene_ground_make(ff_scene *scene, ff_error *error);
ff_status ffi_scene_start_make(ff_scene *scene, ff_error *error);
ff_status ffi_scene_motors_make(ff_scene *scene, ff_error *error);
void ffi_scene_motors_aim(const ff_scene *scene, ff_sim *sim); ///< after a reset

/// After the start: height of the level ground under both feet of a walk [m]. FF_ERROR_UNSUPPORTED where it is not level, or moves.
ff_status ffi_scene_walk_ground(const ff_scene *scene, double *height, ff_error *error);

ff_status ffi_scene_cut_make(ff_scene *scene, ff_error *error); ///< after the start
void ffi_scene_cut_free(ff_scene *scene);
void ffi_scene_cut_gather(ff_scene *scene); ///< after a step: the state in the model's coordinates
const double *ffi_scene_cut_spread_tau(ff_scene *scene); ///< scene->tau in the sim's coordinates

ff_status ffi_scene_push_make(ff_scene *scene, ff_error *error);
void ffi_scene_push_free(ff_scene *scene);
/// Add what pushes give over the period that begins at `time`.
void ffi_scene_push_add(ff_scene *scene, double time, const double *q, double *tau);

ff_status ffi_scene_settle_begin(ff_scene *scene, ff_error *error);
void ffi_scene_settle_end(ff_scene *scene);
void ffi_scene_settle(ff_scene *scene); ///< after a step
void ffi_scene_settle_bodies(const ff_scene *scene, ff_scene_result *out);
void ffi_scene_settle_steps(const ff_scene *scene, ff_scene_result *out);
ffi_scene_past ffi_scene_settle_past(const ff_scene *scene); ///< since the run's start

/// After kinematics of the watch: height of the lowest point of what hangs on the base and can be touched [m]; NAN: there is none.
double ffi_scene_height_lowest(const ff_scene *scene);

ff_status ffi_scene_watch_begin(ff_scene *scene, ff_error *error);
void ffi_scene_watch_end(ff_scene *scene);

#endif
