/// batch.h: many robots of one world, stepped together on all processors.
///
/// A batch holds n robots of one world (world.h): a state and parameters each, and for each thread one workspace.
///
///     ff_batch_def def = ff_batch_def_default();
///     def.robots = 4096;
///     ff_batch *batch;
///     if (ff_batch_create(world, &def, &batch, &error) != FF_OK) ...
///     const double *q = ff_batch_q(batch);                 // [n][nq], in the same place from step to step
///     for (int k = 0; k < 1000; ++k) {
///       policy(q, ff_batch_v(batch), u);                   // u [n][nu], see controls.h
///       ff_batch_set_controls(batch, u, &error);
///       ff_batch_step(batch, NULL, &error);
///     }
///     ff_batch_destroy(batch);
///
/// **One robot.** ff_batch_sim() shows a robot as an ff_sim, for all functions of sim.h, controls.h and parameters.h:
/// its contacts, energy, full state, references, pushes, parameters.
///
/// **Lanes.** Steps are taken for several robots at once, one in each lane of the processor's vectors: of `expo` those
/// without events (all contacts stick, no motor saturates, nothing new touches), of `expo-paper`, `euler` and
/// `symplectic` nearly all. All other steps, and all of other steppers, are taken one by one, as by ff_sim_step().
/// ff_batch_get_counts() says how many were taken which way, why the others were not, and why a world has none in
/// lanes.
///
/// **Same bits.** A robot goes on to the same bits whatever its index, its neighbours and the number of threads, also
/// alone in a batch of one. Its full state (ff_sim_get_state()) can be moved between batches and sims. A sim of its own
/// gives the same bits for steps taken one by one, and differs by rounding for those in lanes.
///
/// **Energy.** A step in lanes is judged by its energy with the robot's next step, which looks at its end: `gain` and
/// `gained` of a report (ff_step_info) are then those of the step before. It is not judged if the robot's state,
/// references or parameters are changed between the two.
///
/// **Failure.** A robot whose step fails keeps its last good state and takes no further steps until it is reset or
/// given another state; the others go on. ff_batch_status() tells which, ff_batch_error() why.
///
/// **Threads.** A batch has threads of its own. Its functions are called from one thread at a time; two batches may
/// work side by side. After ff_batch_begin() the caller may do other things until ff_batch_wait(), but leaves the batch
/// alone.
#ifndef FOOTFALL_BATCH_H
#define FOOTFALL_BATCH_H

#include <footfall/controls.h>
#include <footfall/parameters.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Many robots of one world.
typedef struct ff_batch ff_batch;

/// How a batch is made. Start from ff_batch_def_default().
typedef struct ff_batch_def {
  size_t size; ///< of this struct as the program was compiled; ff_batch_def_init() sets it
  int robots;  ///< number of robots, 1..FF_BATCH_MOST_ROBOTS, default 1
  int threads; ///< number of threads, 1..FF_BATCH_MOST_THREADS; 0 (default): one for each processor
  int pinned;  ///< 1: each thread but the caller's stays on one processor, if the system allows it; default 0
} ff_batch_def;

enum { FF_BATCH_MOST_ROBOTS = 100000000 }; ///< most robots of a batch
enum { FF_BATCH_MOST_THREADS = 1024 };     ///< most threads of a batch

/// Write the defaults into a def of `size` bytes.
void ff_batch_def_init(ff_batch_def *def, size_t size);
/// The defaults as a value.
static inline ff_batch_def ff_batch_def_default(void)
{
  ff_batch_def def;
  ff_batch_def_init(&def, sizeof def);
  return def;
}

/// Create a batch whose robots are all in the neutral configuration, at rest, at time 0, with the world's parameters.
/// `def` may be NULL for one robot. The batch keeps the world alive. FF_ERROR_MEMORY if memory or threads are missing.
ff_status ff_batch_create(ff_world *world, const ff_batch_def *def, ff_batch **out, ff_error *error);
/// Free a batch. Waits for a step under way. NULL is fine.
void ff_batch_destroy(ff_batch *batch);

ff_world *ff_batch_world(const ff_batch *batch); ///< the world given at creation
int ff_batch_count(const ff_batch *batch);       ///< number of robots, n
int ff_batch_threads(const ff_batch *batch);     ///< number of threads in use

/// Memory of a batch in bytes.
typedef struct ff_batch_memory {
  size_t robot;  ///< per robot: state, inputs, reports
  size_t thread; ///< per thread: workspace and evaluation
  size_t total;  ///< of the whole batch, without parameters that robots have of their own
} ff_batch_memory;
ff_batch_memory ff_batch_get_memory(const ff_batch *batch); ///< memory sizes of this batch

/// Why a step was taken alone: what was found first.
typedef enum ff_batch_alone {
  FF_BATCH_ALONE_WORLD, ///< "world": the world has no steps in lanes, see `why`
  /// "state": the first step after a reset; ground that moves; a contact that no step in lanes leaves; springs that a
  /// jump of the geometry has stretched; masses of its own with gravity compensation
  FF_BATCH_ALONE_STATE,
  FF_BATCH_ALONE_TOUCH, ///< "touch": something new touches, or comes near
  FF_BATCH_ALONE_SLIP,  ///< "slip": a contact slides or parts
  FF_BATCH_ALONE_JOINT, ///< "joint": a motor saturates, a joint comes near a stop
  FF_BATCH_ALONE_ERROR, ///< "error": `expo.force_tolerance` needs more than two subintervals
  FF_BATCH_ALONE_FAST,  ///< "fast": speeds, turns or the correction are too large
  FF_BATCH_ALONE_COUNT, ///< number of values
} ff_batch_alone;
const char *ff_batch_alone_name(ff_batch_alone reason); ///< its name, as "touch"; NULL: no such reason

/// How steps were taken since the batch was created.
typedef struct ff_batch_counts {
  long long steps;                       ///< steps of all robots
  long long in_lanes;                    ///< of these, those in lanes
  long long lanes;                       ///< lanes of all passes through the vectors, with a robot or without
  long long useful;                      ///< of these lanes, those whose result was kept
  long long alone[FF_BATCH_ALONE_COUNT]; ///< the others, by the reason (ff_batch_alone)
  const char *why; ///< why this world has no steps in lanes, in words; NULL: it has some. Never freed
} ff_batch_counts;
ff_batch_counts ff_batch_get_counts(ff_batch *batch); ///< counts so far

// ---- States -----------------------------------------------------------------------------------------------

/// Configurations [n][nq], velocities [n][nv] and times [n] of all robots. The addresses stay the same for the life of
/// the batch; while a step is under way the numbers are undefined. What is changed through ff_batch_sim() is seen there
/// after the next call of a function of the batch.
const double *ff_batch_q(ff_batch *batch);
const double *ff_batch_v(ff_batch *batch);    ///< velocities [n][nv]
const double *ff_batch_time(ff_batch *batch); ///< times since their last reset [n]

/// Reset robots as ff_sim_reset() does: those with mask[i] not 0, all if mask is NULL. q [n][nq], v [n][nv]; NULL:
/// neutral, at rest. Robots that failed go on. At the first robot whose numbers are refused the call ends; robots
/// before it have been reset, and the message names it.
ff_status ff_batch_reset(ff_batch *batch, const unsigned char *mask, const double *q, const double *v,
                         ff_error *error);

/// Numbers in the full state of one robot: ff_sim_state_size().
int ff_batch_state_size(const ff_batch *batch);
/// Full states of all robots, states [n][state size], as of ff_sim_get_state().
ff_status ff_batch_get_states(ff_batch *batch, double *states, ff_error *error);
/// Set full states, as ff_sim_set_state(): of robots with mask[i] not 0, all if mask is NULL. Robots that failed go on.
ff_status ff_batch_set_states(ff_batch *batch, const unsigned char *mask, const double *states,
                              ff_error *error);

/// Set the parameters of robot i (parameters.h), which the batch copies; its state stays. A robot that failed goes on.
ff_status ff_batch_set_parameters(ff_batch *batch, int robot, const ff_parameters *parameters,
                                  ff_error *error);

/// A robot as a sim, for the functions of sim.h, controls.h and parameters.h, ff_sim_step() included. It belongs to
/// the batch and is valid until the next call of a function of the batch. NULL: no such robot. A failed robot whose
/// state, references or parameters are changed goes on. ff_sim_interrupt() ends steps by ff_sim_step() only.
ff_sim *ff_batch_sim(ff_batch *batch, int robot);

// ---- Steps ------------------------------------------------------------------------------------------------

/// Set the controls u [n][nu] of all robots, as ff_sim_set_controls(). A robot whose controls are refused fails.
ff_status ff_batch_set_controls(ff_batch *batch, const double *u, ff_error *error);

/// Take one step with every robot that has not failed. tau [n][nv], NULL: zero. FF_OK also when robots fail.
ff_status ff_batch_step(ff_batch *batch, const double *tau, ff_error *error);

/// Neighbouring robots of a batch, for a controller: `first`, `first + 1`, ... `first + count - 1`. Arrays begin with
/// the first of them.
typedef struct ff_batch_group {
  int first, count;
  const double *q;         ///< [count][nq]
  const double *v;         ///< [count][nv]
  const double *time;      ///< [count]
  const ff_status *status; ///< [count] those that are not FF_OK take no step
  double *tau;             ///< [count][nv] for the controller to write, zero before
  double *u;    ///< [count][nu] the same; used if the controller returns FF_BATCH_U or FF_BATCH_TAU_AND_U
  void *inside; ///< for ff_batch_group_sim()
} ff_batch_group;

/// Within a controller: a robot of the group, 0 <= index < count, as a sim to look at: contacts, energy, reports. It is
/// valid until the next call for this group, or until the controller returns. Do not change it.
ff_sim *ff_batch_group_sim(const ff_batch_group *group, int index);

/// What a controller has written.
typedef enum ff_batch_written {
  FF_BATCH_STOP = -1, ///< nothing: these robots take no further steps in this call
  FF_BATCH_NOTHING,   ///< neither
  FF_BATCH_TAU,       ///< tau
  FF_BATCH_U,         ///< u
  FF_BATCH_TAU_AND_U, ///< both
} ff_batch_written;

/// A controller: called before each step for each group of a batch, by the thread that steps these robots, several at
/// once. The same robots are in a group whatever the number of threads, FF_BATCH_GROUP of them, fewer in the last one.
/// It leaves the batch alone: all that it needs is in the group, and in what ff_batch_group_sim() shows.
typedef ff_batch_written (*ff_batch_control)(const ff_batch_group *group, void *user);
enum { FF_BATCH_GROUP = 16 }; ///< robots in a group

/// Inputs of several steps. Start from {0}.
typedef struct ff_batch_inputs {
  const double *tau;        ///< [n][nv], the same in each step; NULL: zero
  const double *u;          ///< [n][nu], given before each step; NULL: none
  ff_batch_control control; ///< called before each step in place of tau and u; NULL: none
  void *user;               ///< for the controller
} ff_batch_inputs;

/// Take `steps` steps, >= 0. inputs NULL: none.
ff_status ff_batch_step_many(ff_batch *batch, int steps, const ff_batch_inputs *inputs, ff_error *error);

/// Begin ff_batch_step_many() and return at once. The inputs are copied, the arrays that they point to stay in use
/// until ff_batch_wait(), which every other function of the batch calls first, but for those that tell sizes.
ff_status ff_batch_begin(ff_batch *batch, int steps, const ff_batch_inputs *inputs, ff_error *error);
void ff_batch_wait(ff_batch *batch); ///< until the steps begun are taken; at once if none are under way

// ---- What happened ----------------------------------------------------------------------------------------

/// Status of each robot [n]: FF_OK, or that of the step or control that failed.
const ff_status *ff_batch_status(ff_batch *batch);
int ff_batch_failed(ff_batch *batch); ///< how many robots have failed
/// The failure of a robot with its message, which names the robot; FF_OK if it has not failed.
ff_status ff_batch_error(ff_batch *batch, int robot, ff_error *error);

/// Report of the last step and totals of a robot, as ff_sim_info() and ff_sim_get_totals(); the report belongs to the
/// batch. NULL: no such robot.
const ff_step_info *ff_batch_info(ff_batch *batch, int robot);
ff_sim_totals ff_batch_get_totals(ff_batch *batch,
                                  int robot); ///< a copy; all zero if there is no such robot

// ---- Rollouts ---------------------------------------------------------------------------------------------

/// What a rollout can record of each robot.
typedef enum ff_batch_signal {
  FF_BATCH_Q,             ///< configuration [nq]
  FF_BATCH_V,             ///< velocity [nv]
  FF_BATCH_TIME,          ///< [1] [s]
  FF_BATCH_STATUS,        ///< [1] an ff_status
  FF_BATCH_ENERGY,        ///< [3] kinetic, potential, elastic [J]
  FF_BATCH_CONTACTS,      ///< [1] number of contacts
  FF_BATCH_CONTACT_FORCE, ///< [links][3] sum of the mean forces on each link over the last step, world axes [N]
  FF_BATCH_SLIP,          ///< [1] largest sliding speed of a contact [m/s]
  FF_BATCH_PENETRATION,   ///< [1] deepest overlap at the last evaluation in the step [m]
} ff_batch_signal;
enum { FF_BATCH_SIGNAL_COUNT = FF_BATCH_PENETRATION + 1 }; ///< number of signals
const char *ff_batch_signal_name(ff_batch_signal signal);  ///< "q", "contact_force", ...; never NULL
/// How many numbers a signal has in a world; 0 if there is no such signal.
int ff_batch_signal_width(const ff_world *world, ff_batch_signal signal);

/// A recording of a rollout.
typedef struct ff_batch_recording {
  ff_batch_signal signal;
  double *out; ///< [n][frames][width], frames after the one at the start
} ff_batch_recording;

/// Rollouts: from the present states, controls that are given beforehand.
typedef struct ff_batch_rollout_def {
  size_t size;       ///< of this struct as the program was compiled; ff_batch_rollout_def_init() sets it
  int frames;        ///< number of controls and of recorded frames, >= 0
  int hold;          ///< steps in each frame, during which its control is given anew, > 0, default 1
  const double *tau; ///< [n][frames][nv]; NULL: zero
  const double *u;   ///< [n][frames][nu]; NULL: none
  const ff_batch_recording *recordings;
  int recording_count;
} ff_batch_rollout_def;

/// Write the defaults into a def of `size` bytes.
void ff_batch_rollout_def_init(ff_batch_rollout_def *def, size_t size);
/// The defaults as a value.
static inline ff_batch_rollout_def ff_batch_rollout_def_default(void)
{
  ff_batch_rollout_def def;
  ff_batch_rollout_def_init(&def, sizeof def);
  return def;
}

/// Run rollouts and record. A robot that fails repeats its last frame, with its status.
ff_status ff_batch_rollout(ff_batch *batch, const ff_batch_rollout_def *def, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
