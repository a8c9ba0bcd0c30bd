/// scene.h: a scene ready to run.
///
///     scene.c             creation, sims, steps, access
///     scene_def.c         the defaults of an ff_scene_def, and copies of one
///     scene_check.c       the ranges of its fields
///     scene_ground.c      ground and materials
///     scene_start.c       the state at the start
///     scene_motors.c      motors that hold the start
///     scene_walk.c        the ground that a walk is planned on
///     scene_cut.c         the coordinates that the sim steps in
///     scene_push.c        pushes
///     scene_controls.c    controls that are held
///     scene_controller.c  the controller
///     scene_watch.c       what is observed after each step: feet, flight, tilt, centre of mass
///     scene_settle.c      the same of contacts, floating bodies and the sim's own counts
///     scene_height.c      the lowest point of a robot
///     scene_result.c      the result: what was observed, compared with what was expected
///     scene_memory.c      the observations as numbers, for a run that is resumed
///     scene_trial.c       a scene as a trial, see footfall/scene_trial.h
///     scene_vary.c        what differs from run to run: FIELD=RANGE, and draws
///     scene_vary_apply.c  what is drawn becomes parameters, a start and pushes
///     scene_batch.c       many runs at once, see footfall/scene/scene_batch.h
///     scene_batch_run.c   one of these: its steps, and what becomes of it
///
/// A scene is made of a model and an ff_scene_def. This room knows no files: io/scene reads a scene's file, loads the
/// model and the trajectory that it names, describes the file by an ffi_scene_source, and calls ffi_scene_make().
#ifndef FFI_SCENE_SCENE_H
#define FFI_SCENE_SCENE_H

#include "base/arena.h"

#include <footfall/controls.h>
#include <footfall/scene.h>

/// The file that a scene was read from, for messages with lines. Of a scene without a file all is NULL.
typedef struct ffi_scene_source {
  void *data; ///< the reader's; given to the functions below
  /// Fill the error with file and line of a field, or of what comes nearest to it in the file.
  ff_status (*fail)(const void *data, ff_status status, const char *path, const char *text, ff_error *error);
  int (*is_changed)(const void *data, const char *path); ///< by an override of the caller
  const char *(*warning)(const void *data, int index);   ///< NULL after the last
  void (*destroy)(void *data);
} ffi_scene_source;

#define FFI_SCENE_FALLEN 0.7853981633974483 ///< tilt of a body that has fallen, 45 degrees [rad]

/// A link that may step.
typedef struct ffi_scene_foot {
  int tree;            ///< its root joint, -1: fixed to the world
  double air;          ///< how long it is off the ground by now [s]
  double left_from[3]; ///< where it touched last, or was at the start [m]
} ffi_scene_foot;

/// A contact and the time of its touch-down.
typedef struct ffi_scene_age {
  int id;
  double since; ///< [s]
} ffi_scene_age;

/// A push, varied if there is a seed.
typedef struct ffi_scene_force {
  ff_point point;
  int link;              ///< of the model
  double force[3];       ///< [N]
  double from, duration; ///< [s]
} ffi_scene_force;

/// A control that is a force, found.
typedef struct ffi_scene_input {
  ff_control_info of;
  double value;
} ffi_scene_input;

/// Counts of the sim before the run was resumed.
typedef struct ffi_scene_past {
  double passed, drift, unconverged, steps; ///< shapes; farthest [m]; steps; all steps
} ffi_scene_past;

/// What is observed from step to step.
typedef struct ffi_scene_watch {
  ff_dynamics *dynamics;
  ffi_scene_foot *feet; ///< [links]
  int base, base_q;     ///< the only floating joint and its first coordinate, -1: none
  double in_flight;     ///< since something touched last [s]; below 0: nothing has
  double floor;         ///< lowest point of what moves, at the last touch or at the start [m]; NAN: not known
  double stood;         ///< base above that at the start [m]
  int *shape_link;      ///< [shapes]
  ff_contact *contacts; ///< [most_contacts] with the model's links; NULL: the sim's own have them
  ffi_scene_age *age[2]; ///< [most_contacts] in the order of ids; age[turn] is the last
  int most_contacts, age_count, turn;
  ffi_scene_past past; ///< zero, unless the run was resumed
  ff_scene_result result;
} ffi_scene_watch;

struct ff_scene {
  ffi_scene_source source;
  ffi_arena arena;                    ///< of `def`, where there is no file
  const char *file;                   ///< for messages, NULL: none
  ff_scene_def *def;                  ///< whole
  char *model_file, *trajectory_file; ///< where io found them, owned; NULL: none
  const ff_model *model;
  ff_model *own_model; ///< the same, NULL: the caller's
  int nq, nv;
  double *q, *v; ///< at the start
  const char *posture;
  ff_ground_def *ground;
  int ground_count; ///< as in ff_sim_def
  ff_element_def *elements;
  int element_count;
  ff_controller *controller;
  double period;
  int substeps; ///< of a period
  ff_sim *sim;
  double *tau;
  ff_cut *cut;                     ///< NULL: minimal coordinates; then what follows is NULL too
  double *now_q, *now_v;           ///< the present state in the model's coordinates
  double *cut_q, *cut_v, *cut_tau; ///< start and torques in the sim's
  ffi_scene_force *pushes;         ///< [def->pushes.list_count]
  ffi_scene_input *inputs;         ///< [input_count] controls that are forces
  int input_count;
  ff_dynamics *push_dynamics; ///< of pushes and inputs
  double *push_J;             ///< [6][nv]
  long long step;             ///< taken
  double control_seconds;     ///< spent in the controller
  ffi_scene_watch watch;
};

/// Make all of a scene from `def`, `model` and `source`, which are set. Destroy it after a failure too.
ff_status ffi_scene_make(ff_scene *scene, ff_error *error);

/// Fail at a field, "ground[0].friction", with the line of the file if there is one.
ff_status ffi_scene_fail(const ff_scene *scene, ff_status status, const char *path, ff_error *error,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));
ff_status ffi_scene_no_memory(const ff_scene *scene, ff_error *error);

int ffi_scene_is_changed(const ff_scene *scene, const char *path); ///< by an override of the caller

/// A copy with all that it points to, in the arena, but for controller.feedback. FF_ERROR_MEMORY;
/// FF_ERROR_ARGUMENT where a list is NULL or has a count below 0; FF_ERROR_UNSUPPORTED where its `sim` is of a newer
/// version.
ff_status ffi_scene_def_copy(ffi_arena *arena, const ff_model *model, const ff_scene_def *def,
                             ff_scene_def **out, ff_error *error);

/// Check the ranges of all fields of scene->def. Set the model, nq and nv before.
ff_status ffi_scene_check_def(const ff_scene *scene, ff_error *error);

ff_status ffi_scene_ground_make(ff_scene *scene, ff_error *error);
ff_status ffi_scene_start_make(ff_scene *scene, ff_error *error);

/// Fail for a joint that the model does not have; the message proposes the nearest one.
ff_status ffi_scene_start_unknown_joint(const ff_scene *scene, const char *path, const char *name,
                                        ff_error *error);

ff_status ffi_scene_motors_make(ff_scene *scene, ff_error *error);
void ffi_scene_motors_aim(const ff_scene *scene, ff_sim *sim); ///< after a reset

/// After the start: height of the level ground under both feet of a walk [m]. FF_ERROR_UNSUPPORTED where it is not
/// level, or moves.
ff_status ffi_scene_walk_ground(const ff_scene *scene, double *height, ff_error *error);

ff_status ffi_scene_controller_make(ff_scene *scene, ff_error *error); ///< after the start
/// Once it is made: another one of the same kind, for another thread.
ff_status ffi_scene_controller_again(const ff_scene *scene, ff_controller **out, ff_error *error);

ff_status ffi_scene_cut_make(ff_scene *scene, ff_error *error); ///< after the start
void ffi_scene_cut_free(ff_scene *scene);
void ffi_scene_cut_gather(ff_scene *scene); ///< after a step: the state in the model's coordinates
const double *ffi_scene_cut_spread_tau(ff_scene *scene); ///< scene->tau in the sim's coordinates

ff_status ffi_scene_push_make(ff_scene *scene, ff_error *error);
/// A push as the def has it, whatever the seed.
ff_status ffi_scene_push_written(const ff_scene *scene, int index, ffi_scene_force *out, ff_error *error);

/// By how much a push differs from what is written.
typedef struct ffi_scene_change {
  double scale;       ///< factor of the force
  double angle, tilt; ///< of its direction: about the vertical, up [rad]
  double place[3];    ///< of the point [m]
  double time;        ///< later by [s]
} ffi_scene_change;
void ffi_scene_push_change(ffi_scene_force *push, const ffi_scene_change *by);
/// Make push_dynamics and push_J, unless they are there.
ff_status ffi_scene_push_prepare(ff_scene *scene, ff_error *error);
void ffi_scene_push_free(ff_scene *scene);
/// Add the generalised forces of pushes over the period that starts at `time`.
void ffi_scene_push_add(ff_scene *scene, double time, const double *q, double *tau);

/// After the sim: find the controls that are held.
ff_status ffi_scene_controls_make(ff_scene *scene, ff_error *error);
void ffi_scene_controls_free(ff_scene *scene);
void ffi_scene_controls_aim(const ff_scene *scene, ff_sim *sim); ///< after a reset: references
/// Add the generalised forces of controls at q.
void ffi_scene_controls_add(ff_scene *scene, const double *q, double *tau);

ff_status ffi_scene_settle_make(ff_scene *scene, ff_error *error);
void ffi_scene_settle_end(ff_scene *scene);
void ffi_scene_settle(ff_scene *scene); ///< after a step
void ffi_scene_settle_bodies(const ff_scene *scene, ff_scene_result *out);
void ffi_scene_settle_steps(const ff_scene *scene, ff_scene_result *out);
ffi_scene_past ffi_scene_settle_past(const ff_scene *scene); ///< since the run's start

/// After kinematics of the watch: height of the lowest point of what hangs on the base and can be touched [m]; NAN:
/// there is none.
double ffi_scene_height_lowest(const ff_scene *scene);

ff_status ffi_scene_watch_begin(ff_scene *scene, ff_error *error);
void ffi_scene_watch_end(ff_scene *scene);

/// Watches of robots in a batch: each with memory of its own but for `dynamics`, which is the thread's, and for what
/// depends on the model alone. most_contacts: of the batch's world.
int ffi_scene_watch_share(const ff_scene *scene, int most_contacts, ffi_scene_watch *out); ///< 0: no memory
void ffi_scene_watch_unshare(ffi_scene_watch *watch);
/// Begin to observe at scene->q, with the sim there.
void ffi_scene_watch_start(ff_scene *scene);

/// Are torques computed: by a controller, pushes or controls that are forces?
int ffi_scene_has_forces(const ff_scene *scene);

#endif
