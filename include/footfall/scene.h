/// scene.h: a whole experiment from a file: robot, ground, start, controller, stepper. In the library footfall_io.
///
/// A scene is a YAML file; docs/guide/scenes.md lists all its fields. Loading it checks everything: an error names file, line and field,
/// "squat.yaml:12: ground[0].friction: must not be below 0". What was loaded is plain data, an ff_scene_def, and ready to run:
///
///     ff_scene *scene;
///     if (ff_scene_load("scenes/solo-squat.yaml", NULL, 0, &scene, &error) != FF_OK) ...
///     for (long long k = 0; k < ff_scene_steps(scene); ++k)
///       if (ff_scene_step(scene, &error) != FF_OK)
///         break;
///       else
///         ff_scene_watch(scene);
///     ff_scene_result result;
///     ff_scene_get_result(scene, &result);          // how far off, how many steps, is the task met?
///     ff_scene_destroy(scene);
///
/// **Control** is a pure function of time and state, held over the controller's period; see controller.h. So whoever resets states, as a
/// comparison of steppers does, asks ff_scene_control() for torques and steps a sim of their own:
///
///     ff_sim_def def = ff_scene_sim_def(scene);     // ground, motors and all; change stepper, dt, material
///     def.stepper = FF_STEPPER_RK4;
///     ff_sim *other;
///     ff_scene_create_sim(scene, &def, &other, &error);    // at the scene's start
///
/// A scene is for one thread. Sims that it created must be destroyed before it.
#ifndef FOOTFALL_SCENE_H
#define FOOTFALL_SCENE_H

#include <footfall/controller.h>
#include <footfall/cut.h>
#include <footfall/load.h>
#include <footfall/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- What a file says -----------------------------------------------------------------------------------------------

// What was not given has its default, numbers without one are NAN, texts NULL, lists empty. To add a field: here, its
// key,
// unit and range in scene_schema.c, its default in scene_default.c, a line in docs/guide/scenes.md. Fields of `stepper`
// are
// the options of option.h.

/// A material of which some numbers may be left to the robot.
typedef struct ff_scene_material {
  double stiffness;              ///< K [N/m], > 0, default NAN: the robot's
  double damping;                ///< B [N s/m], >= 0, default NAN: the robot's
  double friction;               ///< mu [-], >= 0, default NAN: the robot's
  double restitution;            ///< e [-], 0..1, hard steppers alone, default NAN: the robot's
  double tangential_restitution; ///< e_T [-], 0..1, hard steppers alone, default NAN: the robot's
} ff_scene_material;

/// A piece of ground, `ground` or one of `ground: [...]`.
typedef struct ff_scene_ground {
  ff_shape_type type;         ///< plane (default), box or height field
  double position[3];         ///< of its frame [m], within 1e7, default 0
  double rpy[3];              ///< roll, pitch, yaw [rad], default 0
  double slope;               ///< pitch beside it: x is downhill [rad], within 89 degrees, default 0
  double size[3];             ///< box, height field: as in ff_shape_def [m], > 0, default NAN: not given
  double *heights;            ///< [rows x columns] of a height field [m], within 1e7
  int heights_count;          ///< rows x columns
  int rows;                   ///< of a height field, along y, 2..FF_MAX_FIELD, default 0
  int columns;                ///< of a height field, along x, 2..FF_MAX_FIELD, default 0
  double velocity[6];         ///< linear [m/s], then angular [rad/s], world axes, default 0
  ff_scene_material material; ///< of the pair; what is NAN is as in ff_scene_def.material
} ff_scene_ground;

/// Where one joint starts, of `start.joints`.
typedef struct ff_scene_joint {
  char *name;      ///< of a joint with one coordinate
  double position; ///< [rad or m], default NAN: as the posture says
  double velocity; ///< [rad/s or m/s], default NAN: 0
} ff_scene_joint;

/// Gains of one motor.
typedef struct ff_scene_gain {
  char *name; ///< of the joint
  double kp;  ///< [N m/rad or N/m], >= 0, default NAN: that of all
  double kd;  ///< [N m s/rad or N s/m], >= 0, default NAN: that of all
} ff_scene_gain;

/// Where the robot is at time 0. Later ones count more: posture, base, joints.
typedef struct ff_scene_start {
  /// Default NULL: where the trajectory begins, if there is one; else "standing", the first, or neutral
  char *posture;
  double position[3];     ///< of the base [m], within 1e7, default NAN: as the posture says
  double quaternion[4];   ///< of the base, x y z w, any length but 0, default NAN: as the posture says
  double rpy[3];          ///< instead of the quaternion [rad], default NAN
  double velocity[6];     ///< of the base in its frame, linear [m/s], then angular [rad/s], default 0
  ff_scene_joint *joints; ///< [joints_count]
  int joints_count;       ///< default 0
} ff_scene_start;

/// How the model's file is read, see ff_load_def.
typedef struct ff_scene_load_options {
  int fixed_base;        ///< 1: an URDF's root is fixed to the world; default 0
  ff_mimic_policy mimic; ///< default FF_MIMIC_REFUSE
  char **mesh_paths;     ///< [mesh_paths_count] folders, from the scene's
  int mesh_paths_count;  ///< default 0
} ff_scene_load_options;

/// A contact point that the model does not have, of `contact_points`.
typedef struct ff_scene_point {
  char *link;   ///< that carries it
  char *name;   ///< default NULL
  double at[3]; ///< in the link's frame [m], within 1e7
} ff_scene_point;

/// In which coordinates the sim steps, see cut.h. All else (controller, log, result) has those of the model.
typedef struct ff_scene_coordinates {
  ff_cut_set type;    ///< default FF_CUT_MINIMAL
  ff_cut_place place; ///< default FF_CUT_AT_JOINTS
  char **joints;      ///< [joints_count] FF_CUT_LISTED: which are cut
  int joints_count;   ///< default 0
} ff_scene_coordinates;

/// What a seed changes of a push: each number by a random part of this, evenly spread.
typedef struct ff_scene_vary {
  double magnitude; ///< times 1 +- this, 0..1, default 0
  double angle;     ///< turned about the vertical by +- this [rad], >= 0, default 0
  double tilt;      ///< and up or down by +- this [rad], >= 0, default 0
  double place;     ///< `at` moved by +- this along each axis [m], >= 0, default 0
  double time;      ///< `from` later by up to this [s], >= 0, default 0
} ff_scene_vary;

/// A force in world axes that acts on a point of a link for a while.
typedef struct ff_scene_push {
  char *link;         ///< that is pushed
  double at[3];       ///< in the link's frame [m], within 1e7, default 0
  double force[3];    ///< [N], default NAN: not given
  double impulse[3];  ///< in place of a force, that of the whole duration [N s], default NAN: not given
  double from;        ///< [s], >= 0, default 0
  double duration;    ///< [s], > 0, default 0.1
  ff_scene_vary vary; ///< what a seed changes
} ff_scene_push;

/// All pushes, and the seed that varies them.
typedef struct ff_scene_pushes {
  int seed;            ///< 0..2e9, default 0: as written; else varied
  ff_scene_push *list; ///< [list_count]
  int list_count;      ///< 0..1000, default 0
} ff_scene_pushes;

/// Where the command writes a log, and how densely.
typedef struct ff_scene_log {
  char *file; ///< default NULL: not said
  int every;  ///< steps, 1..1e9, default 1
} ff_scene_log;

/// What "the task is met" means; NAN (default), and 0 for `upright`: not asked for.
typedef struct ff_scene_expect {
  double com_error;   ///< most [m], >= 0
  double steps;       ///< least, >= 0
  double flight;      ///< least [s], >= 0
  double speed[2];    ///< from, to [m/s]
  double advance;     ///< least [m]
  double final_speed; ///< most [m/s], >= 0
  int upright;        ///< 1: never fell; default 0
  double penetration; ///< most, of contacts older than FF_SCENE_GRACE [m], >= 0
  double drift;       ///< most, of what moreau holds together [m], >= 0
  double unconverged; ///< most, part of all steps, 0..1
  double contacts;    ///< least, at the end, >= 0
  double fallen[2];   ///< from, to: floating bodies that have fallen over, >= 0
  double moved;       ///< most, of a floating body from its start [m], >= 0
  double rise;        ///< least, of the base from its start [m]
  double passed;      ///< most, how often shapes went right through each other, >= 0
} ff_scene_expect;

/// Which controller and its options, see ff_controller_def.
typedef struct ff_scene_controller {
  ff_controller_type type; ///< default FF_CONTROLLER_NONE
  double period;           ///< a whole number of steps [s], > 0, at most 1000, default NAN: the stepper's dt
  int middle;              ///< as in ff_controller_def, default 0
  ff_tasks_def tasks;      ///< defaults of ff_controller_def_default(); a contact weight below 0: strict
  double kp;               ///< posture-pd, posture [N m/rad or N/m], >= 0, default NAN: not given
  double kd;               ///< posture-pd, posture [N m s/rad or N s/m], >= 0, default NAN: not given
  ff_scene_gain *joints;   ///< [joints_count] posture-pd: what single motors have instead
  int joints_count;        ///< default 0
  ff_squat_def squat;      ///< defaults of ff_controller_def_default()
  ff_walk_task_def walk;   ///< the same; `ground` is found from the scene's
  ff_trot_task_def trot;   ///< the same
  char *trajectory;        ///< feedback: file, from the scene's folder; default NULL
} ff_scene_controller;

/// A scene as its file says it, checked, in SI units. Belongs to the scene.
typedef struct ff_scene_def {
  char *title;                    ///< for people, default NULL
  char *model;                    ///< as it stands in the file, from the scene's folder; never NULL
  ff_scene_load_options load;     ///< how the model is read
  ff_scene_point *contact_points; ///< [contact_points_count] added to those of the model
  int contact_points_count;       ///< 0..10000, default 0
  ff_scene_ground *ground;    ///< [ground_count]; none in the file: the plane z = 0 or what the model brings
  int ground_count;           ///< 0..10000, default 0
  ff_scene_material material; ///< of contacts with all pieces of ground that do not say it themselves
  ff_scene_coordinates coordinates; ///< in which the sim steps
  ff_scene_start start;             ///< posture, place and velocities
  ff_scene_pushes pushes;           ///< forces from outside
  ff_scene_controller controller;   ///< who moves the joints
  double duration;                  ///< [s], >= 0, at most 1e15 steps, default 10
  ff_scene_log log;                 ///< what is written down
  ff_scene_expect expect;           ///< what the run should achieve
  ff_sim_def sim; ///< `stepper` and `dt`; ground and elements are not in it. The last field: it may grow
} ff_scene_def;

/// One field, changed by the caller before anything is checked.
typedef struct ff_scene_override {
  const char *path;  ///< "stepper.type", "ground[0].friction"
  const char *value; ///< YAML: rk4, 2ms, [0, 0, 1]
  const char *said;  ///< for messages, in place of file and line: "--dt 2ms"; NULL: made from path and value
} ff_scene_override;

enum { FF_SCENE_FIELD_SIZE = 128 }; ///< bytes of the longest path

/// The fields that there are, in turn: the path of the one with this number to `path`; 0 after the last. What lists contain is left out.
int ff_scene_field(int index, char path[FF_SCENE_FIELD_SIZE]);

/// The words that a field may be, in turn; NULL after the last, and for fields that are no words.
const char *ff_scene_field_word(const char *path, int index);

// ---- A scene --------------------------------------------------------------------------------------------------------

/// A loaded scene with its model, controller and sim. The caller destroys it.
typedef struct ff_scene ff_scene;

/// Read a scene, the model and the trajectory that it names, check all, and put the sim at the start. overrides [override_count] (may be NULL, 0) change fields
/// first. On failure nothing is left behind, and the error has file, line and field.
ff_status ff_scene_load(const char *path, const ff_scene_override *overrides, int override_count,
                        ff_scene **out, ff_error *error);
void ff_scene_destroy(ff_scene *scene); ///< NULL is fine

/// The same with what it reads kept: `keep` (may be NULL) takes the scene, with all changes made in it, the model and whatever these name. With `from` (may be NULL) these are
/// read, and nothing else; `path` is then for messages.
ff_status ff_scene_load_files(const char *path, const ff_scene_override *overrides, int override_count,
                              ff_files *keep, const ff_files *from, ff_scene **out, ff_error *error);

/// What the user should know: sentences, such as that a key is an old one. NULL after the last.
const char *ff_scene_warning(const ff_scene *scene, int index);
int ff_scene_warning_count(const ff_scene *scene); ///< how many there are

/// All fields, with defaults and overrides in place.
const ff_scene_def *ff_scene_get_def(const ff_scene *scene);
const char *ff_scene_file(const ff_scene *scene);       ///< the path given to ff_scene_load()
const char *ff_scene_model_file(const ff_scene *scene); ///< where the model was found
/// Where a feedback's trajectory was found, NULL: there is none
const char *ff_scene_trajectory_file(const ff_scene *scene);
const ff_model *ff_scene_model(const ff_scene *scene); ///< the robot; belongs to the scene
const double *ff_scene_q(const ff_scene *scene);       ///< [nq] at the start
const double *ff_scene_v(const ff_scene *scene);       ///< [nv] at the start
const char *ff_scene_posture(const ff_scene *scene);   ///< NULL: neutral; "trajectory": where that begins
ff_sim *ff_scene_sim(ff_scene *scene);                 ///< in the scene's coordinates

/// [nq] where the scene's sim is, in the model's coordinates; valid until the next step
const double *ff_scene_now_q(const ff_scene *scene);
const double *ff_scene_now_v(const ff_scene *scene); ///< [nv] and how it moves; the same

/// ff_sim_contacts() of the scene's sim, with links of the scene's model.
const ff_contact *ff_scene_contacts(ff_scene *scene, int *count);

const ff_cut *ff_scene_cut(const ff_scene *scene); ///< NULL: the coordinates are minimal

double ff_scene_period(const ff_scene *scene);   ///< of the controller [s]
long long ff_scene_steps(const ff_scene *scene); ///< that the duration takes

/// The definition of the scene's sim, but for watch_passing, which that has. Ground and elements belong to the scene.
void ff_scene_get_sim_def(const ff_scene *scene, ff_sim_def *out); ///< `out` was made by ff_sim_def_default()

/// The same as a value.
static inline ff_sim_def ff_scene_sim_def(const ff_scene *scene)
{
  ff_sim_def def = ff_sim_def_default();
  ff_scene_get_sim_def(scene, &def);
  return def;
}

/// A sim at the scene's start, in the scene's coordinates. The caller destroys it.
ff_status ff_scene_create_sim(const ff_scene *scene, const ff_sim_def *def, ff_sim **out, ff_error *error);

/// tau [nv] for the period that begins at `time` in the state q, v of the model: the controller's, and pushes. Pure: nothing is kept from call to call.
ff_status ff_scene_control(ff_scene *scene, double time, const double *q, const double *v, double *tau,
                           ff_error *error);

/// A push as it will be: as the file says it, varied if there is a seed.
typedef struct ff_scene_force {
  int link;        ///< of the model
  double at[3];    ///< in the link's frame [m]
  double force[3]; ///< in world axes [N]
  double from;     ///< when it begins [s]
  double duration; ///< [s]
} ff_scene_force;

/// How many pushes the scene has.
int ff_scene_push_count(const ff_scene *scene);

/// One of them, 0 <= push < count.
ff_scene_force ff_scene_push_force(const ff_scene *scene, int push);

/// One step of the scene's own sim, its controller asked when a period begins.
ff_status ff_scene_step(ff_scene *scene, ff_error *error);

/// [nv] that the last step had, of controller and pushes, in the model's coordinates; zero before the first.
const double *ff_scene_tau(const ff_scene *scene);

long long ff_scene_step_count(const ff_scene *scene); ///< steps taken since the start

/// Go on where a scene of the same files was after `step` steps: its sim's full state, ff_scene_now_q() [nq] and ff_scene_tau() [nv] as they were then. The steps that follow have the same
/// bits as those of the original. What ff_scene_watch() observes begins anew, unless ff_scene_set_memory() is called next. A refused state changes nothing.
ff_status ff_scene_resume(ff_scene *scene, long long step, const double *state, const double *q,
                          const double *tau, ff_error *error);

double ff_scene_control_seconds(const ff_scene *scene); ///< spent in the controller since loading [s]

// ---- How it went ----------------------------------------------------------------------------------------------------

/// Observed by ff_scene_watch() since loading. NAN: there is nothing to observe.
typedef struct ff_scene_result {
  double com_error; ///< largest distance of the centre of mass from its reference [m]
  int steps; ///< feet that left the ground for at least FF_SCENE_STEP_TIME and came down again, FF_SCENE_STEP_LENGTH away or more
  double flight;      ///< longest time in which the robot touched nothing but itself, after it had [s]
  double advance;     ///< of the base along x [m]
  double speed;       ///< advance / time [m/s]
  double final_speed; ///< of the centre of mass at the end [m/s]
  double tilt_most;   ///< of the base's z axis from the vertical [rad]
  /// Of the base above the robot's lowest point, over what it was at the start; in the air, above where that was when something touched last
  double height;
  int is_upright;     ///< never tilted by more than 45 degrees, and at more than half its height in the end
  double penetration; ///< deepest, of contacts older than FF_SCENE_GRACE [m]
  double drift;       ///< of what moreau holds together, farthest [m]
  double unconverged; ///< part of all steps
  int contacts;       ///< at the end
  int fallen;         ///< floating bodies whose z axis is more than 45 degrees from where it was
  double moved;       ///< farthest that a floating body is from its start [m]
  double rise;        ///< of the base along z [m]
  long long passed;   ///< how often shapes went right through each other within a step
  char passing[FF_PASSING_TEXT]; ///< the first time, in words: "ball passed through wall at t = 2.25 ms"
  int expected;                  ///< how many things were asked for
  int missed;                    ///< of them; all, if no step was taken
  char misses[256];              ///< which, in words
} ff_scene_result;

#define FF_SCENE_STEP_TIME 0.05   ///< [s]
#define FF_SCENE_STEP_LENGTH 0.01 ///< along the ground [m]
#define FF_SCENE_GRACE                                                                                       \
  0.05 ///< after a contact touched down, its gap going from above zero to zero or below [s]

/// After a step: look at what it did.
void ff_scene_watch(ff_scene *scene);

/// What was observed, judged at the present state.
void ff_scene_get_result(const ff_scene *scene, ff_scene_result *out);

/// How many numbers ff_scene_get_memory() writes.
int ff_scene_memory_size(const ff_scene *scene);

/// All that ff_scene_watch() has observed, [ff_scene_memory_size()] numbers.
void ff_scene_get_memory(const ff_scene *scene, double *memory);

/// After ff_scene_resume(): what had been observed by then, so that the run is judged as a whole. FF_ERROR_ARGUMENT, and nothing is changed, if the numbers are not of this scene.
ff_status ff_scene_set_memory(ff_scene *scene, const double *memory, int size, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
