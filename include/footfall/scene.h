/// scene.h: a complete experiment: robot, ground, start, controller, stepper.
///
/// ff_scene_create() makes a scene from a model and plain data, an ff_scene_def (scene_def.h):
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
///     ff_scene_get_result(scene, &result);          // errors, steps, is the task met?
///     ff_scene_destroy(scene);
///
/// ff_scene_load() (scene_load.h, in the library footfall_io) reads a scene from a YAML file.
///
/// **Control** is a function of time and state only; torques are constant over the controller's period, see
/// control/controller.h. So a comparison of steppers can reset states: it calls ff_scene_control() for torques and
/// steps a sim of its own:
///
///     ff_sim_def def = ff_scene_sim_def(scene);     // with ground and motors; change stepper, dt, material
///     def.stepper = FF_STEPPER_RK4;
///     ff_sim *other;
///     ff_scene_create_sim(scene, &def, &other, &error);    // at the scene's start
///
/// Use a scene from one thread at a time. Destroy the sims that it created before the scene.
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

/// Create a scene and put its sim at the start. The scene copies the def with everything that it points to; the model
/// must outlive the scene. On failure nothing is created, and the error's `thing` is the field as files write it, such
/// as "ground[0].size". Errors of ff_sim_create() and ff_sim_reset(), about options, shapes, elements and the state at
/// the start, keep the `thing` that those give.
ff_status ff_scene_create(const ff_model *model, const ff_scene_def *def, ff_scene **out, ff_error *error);
void ff_scene_destroy(ff_scene *scene); ///< NULL is fine

/// A warning about the scene's file, one sentence, for example about an obsolete key. NULL after the last.
const char *ff_scene_warning(const ff_scene *scene, int index);
int ff_scene_warning_count(const ff_scene *scene); ///< number of warnings

/// All fields, with defaults and overrides applied. Belongs to the scene.
const ff_scene_def *ff_scene_get_def(const ff_scene *scene);
const char *ff_scene_file(const ff_scene *scene); ///< path given to ff_scene_load(), NULL: none
/// Path of the model's file; def.model if the scene has no file.
const char *ff_scene_model_file(const ff_scene *scene);
/// Path of the feedback trajectory, NULL: none.
const char *ff_scene_trajectory_file(const ff_scene *scene);
/// The robot; belongs to the scene if read from a file
const ff_model *ff_scene_model(const ff_scene *scene);
const double *ff_scene_q(const ff_scene *scene); ///< [nq] at the start
const double *ff_scene_v(const ff_scene *scene); ///< [nv] at the start
/// Of the start; NULL: neutral; "trajectory": start of the trajectory
const char *ff_scene_posture(const ff_scene *scene);
ff_sim *ff_scene_sim(ff_scene *scene); ///< the scene's sim, in the scene's coordinates

/// Present configuration [nq] of the scene's sim, in the model's coordinates; valid until the next step.
const double *ff_scene_now_q(const ff_scene *scene);
const double *ff_scene_now_v(const ff_scene *scene); ///< present velocity [nv], likewise

/// Contacts of the scene's sim as of ff_sim_contacts(), with links of the scene's model.
const ff_contact *ff_scene_contacts(ff_scene *scene, int *count);

const ff_cut *ff_scene_cut(const ff_scene *scene); ///< NULL: minimal coordinates

double ff_scene_period(const ff_scene *scene);   ///< control period [s]
long long ff_scene_steps(const ff_scene *scene); ///< number of steps of the whole run

/// Get the definition of the scene's sim; watch_passing, which the scene's sim has, is off. Ground and elements
/// belong to the scene. Initialise `out` by ff_sim_def_default().
void ff_scene_get_sim_def(const ff_scene *scene, ff_sim_def *out);

/// The definition of the scene's sim as a value.
static inline ff_sim_def ff_scene_sim_def(const ff_scene *scene)
{
  ff_sim_def def = ff_sim_def_default();
  ff_scene_get_sim_def(scene, &def);
  return def;
}

/// Create a sim at the scene's start, in the scene's coordinates. The caller destroys it.
ff_status ff_scene_create_sim(const ff_scene *scene, const ff_sim_def *def, ff_sim **out, ff_error *error);

/// Set a sim that ff_scene_create_sim() made back to the scene's start, with the references of its motors.
ff_status ff_scene_reset_sim(const ff_scene *scene, ff_sim *sim, ff_error *error);

/// Compute tau [nv] of controller, pushes and controls for the period that begins at `time` in the state q, v of the
/// model. The result depends on the arguments only.
ff_status ff_scene_control(ff_scene *scene, double time, const double *q, const double *v, double *tau,
                           ff_error *error);

/// A push as applied: that of the def, varied if there is a seed.
typedef struct ff_scene_force {
  int link;        ///< of the model
  double at[3];    ///< in the link's frame [m]
  double force[3]; ///< world axes [N]
  double from;     ///< start time [s]
  double duration; ///< [s]
} ff_scene_force;

/// Number of pushes.
int ff_scene_push_count(const ff_scene *scene);

/// One push, 0 <= push < count.
ff_scene_force ff_scene_push_force(const ff_scene *scene, int push);

/// Take one step of the scene's sim. The controller computes torques at the start of each period.
ff_status ff_scene_step(ff_scene *scene, ff_error *error);

/// Torques [nv] of controller and pushes in the last step, in the model's coordinates; zero before the first step.
const double *ff_scene_tau(const ff_scene *scene);

long long ff_scene_step_count(const ff_scene *scene); ///< steps taken since the start

/// Resume a run of the same scene after `step` steps, from the sim's full state, ff_scene_now_q() [nq] and
/// ff_scene_tau() [nv] of that time. The steps that follow have the same bits as in the original run.
/// ff_scene_watch() starts anew, unless ff_scene_set_memory() is called next. A refused state changes nothing.
ff_status ff_scene_resume(ff_scene *scene, long long step, const double *state, const double *q,
                          const double *tau, ff_error *error);

/// Computation time of the controller since creation [s]
double ff_scene_control_seconds(const ff_scene *scene);

// ---- How it went ----------------------------------------------------------------------------------------------------

/// Observations of ff_scene_watch() since the start. NAN: not applicable.
typedef struct ff_scene_result {
  double com_error; ///< largest distance of the centre of mass from its reference [m]
  /// Steps of feet: lift-offs for at least FF_SCENE_STEP_TIME with a landing at least FF_SCENE_STEP_LENGTH away
  int steps;
  double flight;      ///< longest time without contact to anything but itself, after a first contact [s]
  double advance;     ///< displacement of the base along x [m]
  double speed;       ///< advance / time [m/s]
  double final_speed; ///< speed of the centre of mass at the end [m/s]
  double tilt_most;   ///< largest angle of the base's z axis from the vertical [rad]
  /// Height of the base above the robot's lowest point, relative to its value at the start; in flight, above that
  /// point at the last contact
  double height;
  int is_upright;     ///< 1: never tilted by more than 45 degrees, and above half its height at the end
  double penetration; ///< deepest of contacts older than FF_SCENE_GRACE [m]
  double drift;       ///< largest drift of the constraints of joints and loops, moreau [m]
  double unconverged; ///< fraction of steps that did not converge
  int contacts;       ///< number of contacts at the end
  int fallen;         ///< floating bodies whose z axis turned by more than 45 degrees
  double moved;       ///< largest distance of a floating body from its start [m]
  double rise;        ///< displacement of the base along z [m]
  long long passed;   ///< how often shapes tunnelled through each other within a step
  char passing[FF_PASSING_TEXT]; ///< the first tunnelling: "ball passed through wall at t = 2.25 ms"
  int expected;                  ///< number of expectations
  int missed;                    ///< number of missed expectations; all, if no step was taken
  char misses[256];              ///< description of the missed expectations
} ff_scene_result;

#define FF_SCENE_STEP_TIME 0.05   ///< shortest time in the air of a step [s]
#define FF_SCENE_STEP_LENGTH 0.01 ///< shortest length of a step along the ground [m]
/// Time after touch-down during which penetration is not counted [s]. Touch-down: the gap goes from above zero to
/// zero or below.
#define FF_SCENE_GRACE 0.05

/// Observe the last step. Call it after each step.
void ff_scene_watch(ff_scene *scene);

/// Get the observations so far, and the expectations that the present state misses.
void ff_scene_get_result(const ff_scene *scene, ff_scene_result *out);

/// Number of doubles that ff_scene_get_memory() writes.
int ff_scene_memory_size(const ff_scene *scene);

/// Copy the internal state of ff_scene_watch() to memory [ff_scene_memory_size()].
void ff_scene_get_memory(const ff_scene *scene, double *memory);

/// Restore the internal state of ff_scene_watch() after ff_scene_resume(), so that the result covers the whole run.
/// FF_ERROR_ARGUMENT if the numbers are not from this scene; nothing changes then.
ff_status ff_scene_set_memory(ff_scene *scene, const double *memory, int size, ff_error *error);

#ifdef __cplusplus
}
#endif

#endif
