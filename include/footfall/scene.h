/// scene.h: a whole experiment: robot, ground, start, controller, stepper.
///
/// A scene is made of a model and plain data, an ff_scene_def (scene_def.h):
///
///     ff_scene_def def = ff_scene_def_default();
///     def.controller.type = FF_CONTROLLER_POSTURE_PD, def.controller.kp = 50, def.controller.kd = 1;
///     ff_scene *scene;
///     if (ff_scene_create(model, &def, &scene, &error) != FF_OK) ...
///     for (long long k = 0; k < ff_scene_steps(scene); ++k)
///       if (ff_scene_step(scene, &error) != FF_OK)
///         break;
///       else
///         ff_scene_watch(scene);
///     ff_scene_result result;
///     ff_scene_get_result(scene, &result);          // how far off, how many steps, is the task met?
///     ff_scene_destroy(scene);
///
/// or read from a YAML file by ff_scene_load(), scene_load.h, which is in the library footfall_io.
///
/// **Control** is a pure function of time and state, held over the controller's period; see controller.h. So a comparison
/// of steppers, which resets states, asks ff_scene_control() for torques and steps a sim of its own:
///
///     ff_sim_def def = ff_scene_sim_def(scene);     // ground, motors and all; change stepper, dt, material
///     def.stepper = FF_STEPPER_RK4;
///     ff_sim *other;
///     ff_scene_create_sim(scene, &def, &other, &error);    // at the scene's start
///
/// A scene is for one thread. Sims that it created must be destroyed before it.
#ifndef FOOTFALL_SCENE_H
#define FOOTFALL_SCENE_H

#include <footfall/scene_def.h>
#include <footfall/scene_load.h>
#include <footfall/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- A scene --------------------------------------------------------------------------------------------------------

/// A scene with its controller and sim. The caller destroys it.
typedef struct ff_scene ff_scene;

/// Make a scene of a model and a def, and put its sim at the start. The def is copied with all that it points to; the model
/// must outlive the scene. On failure nothing is left behind, and the error's `thing` is the field, such as
/// "ground[0].size".
ff_status ff_scene_create(const ff_model *model, const ff_scene_def *def, ff_scene **out, ff_error *error);
void ff_scene_destroy(ff_scene *scene); ///< NULL is fine

/// Warnings of the file that was read: sentences, such as that a key is an old one. NULL after the last.
const char *ff_scene_warning(const ff_scene *scene, int index);
int ff_scene_warning_count(const ff_scene *scene); ///< how many there are

/// All fields, with defaults and overrides in place. Belongs to the scene.
const ff_scene_def *ff_scene_get_def(const ff_scene *scene);
const char *ff_scene_file(const ff_scene *scene); ///< the path given to ff_scene_load(), NULL: none
const char *
ff_scene_model_file(const ff_scene *scene); ///< where the model was found; def.model without a file
/// Where a feedback's trajectory was found, NULL: there is none
const char *ff_scene_trajectory_file(const ff_scene *scene);
const ff_model *ff_scene_model(const ff_scene *scene); ///< the robot; of a file it belongs to the scene
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

/// tau [nv] for the period that begins at `time` in the state q, v of the model: the controller's, and pushes. Pure:
/// nothing is kept from call to call.
ff_status ff_scene_control(ff_scene *scene, double time, const double *q, const double *v, double *tau,
                           ff_error *error);

/// A push as it will be: as the def says it, varied if there is a seed.
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

/// Go on where the same scene was after `step` steps: its sim's full state, ff_scene_now_q() [nq] and ff_scene_tau() [nv]
/// as they were then. The steps that follow have the same bits as those of the original. ff_scene_watch() begins anew,
/// unless ff_scene_set_memory() is called next. A refused state changes nothing.
ff_status ff_scene_resume(ff_scene *scene, long long step, const double *state, const double *q,
                          const double *tau, ff_error *error);

double ff_scene_control_seconds(const ff_scene *scene); ///< spent in the controller since creation [s]

// ---- How it went ----------------------------------------------------------------------------------------------------

/// Observed by ff_scene_watch() since the start. NAN: there is nothing to observe.
typedef struct ff_scene_result {
  double com_error; ///< largest distance of the centre of mass from its reference [m]
  /// Feet that left the ground for at least FF_SCENE_STEP_TIME and came down at least FF_SCENE_STEP_LENGTH away
  int steps;
  double flight;      ///< longest time in which the robot touched nothing but itself, after it had [s]
  double advance;     ///< of the base along x [m]
  double speed;       ///< advance / time [m/s]
  double final_speed; ///< of the centre of mass at the end [m/s]
  double tilt_most;   ///< of the base's z axis from the vertical [rad]
  /// Of the base above the robot's lowest point, over its value at the start; in flight, above where that point was at
  /// the last touch
  double height;
  int is_upright;     ///< never tilted by more than 45 degrees, and at more than half its height in the end
  double penetration; ///< deepest, of contacts older than FF_SCENE_GRACE [m]
  double drift;       ///< of joints and loops that moreau holds by constraints, largest [m]
  double unconverged; ///< part of all steps
  int contacts;       ///< at the end
  int fallen;         ///< floating bodies whose z axis is more than 45 degrees from where it was
  double moved;       ///< farthest that a floating body is from its start [m]
  double rise;        ///< of the base along z [m]
  long long passed;   ///< how often shapes tunnelled through each other within a step
  char passing[FF_PASSING_TEXT]; ///< the first time, in words: "ball passed through wall at t = 2.25 ms"
  int expected;                  ///< how many things were expected
  int missed;                    ///< of them; all, if no step was taken
  char misses[256];              ///< which, in words
} ff_scene_result;

#define FF_SCENE_STEP_TIME 0.05   ///< [s]
#define FF_SCENE_STEP_LENGTH 0.01 ///< along the ground [m]
#define FF_SCENE_GRACE                                                                                       \
  0.05 ///< after a touch-down, when a contact's gap goes from above zero to zero or below [s]

/// After a step: observe it.
void ff_scene_watch(ff_scene *scene);

/// What was observed, and which expectations are missed at the present state.
void ff_scene_get_result(const ff_scene *scene, ff_scene_result *out);

/// How many numbers ff_scene_get_memory() writes.
int ff_scene_memory_size(const ff_scene *scene);

/// All that ff_scene_watch() has observed, [ff_scene_memory_size()] numbers.
void ff_scene_get_memory(const ff_scene *scene, double *memory);

/// After ff_scene_resume(): what had been observed by then, so that the result is that of the whole run. FF_ERROR_ARGUMENT,
/// and nothing is changed, if the numbers are not of this scene.
ff_status ff_scene_set_memory(ff_scene *scene, const double *memory, int size, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
