/// batch.h: the inside of a batch: robots without threads, and threads that take them in one after another.
///
/// Each thread, a *worker*, owns a range of the robots and a sim, its *host*. A robot is always taken in by the host of
/// the same worker, so the evaluation that a host holds belongs to the robot whose stamp it has. What a robot does
/// depends on its own state, parameters and inputs alone, so it does not matter which worker it has.
#ifndef FFI_BATCH_BATCH_H
#define FFI_BATCH_BATCH_H

#include "batch/batch_crew.h"
#include "sim/sim_robot.h"
#include "step/lanes/lane_plan.h"

#include <footfall/batch.h>

typedef struct ffi_batch_lanes ffi_batch_lanes;

enum { FFI_BATCH_BLOCK = 64 };    ///< robots that are stepped together, so that lanes can be filled again
enum { FFI_BATCH_MESSAGE = 384 }; ///< room for what is said of a failure; all but the longest messages fit

typedef struct ffi_batch_worker {
  ff_batch *batch;
  int first, last; ///< its robots, one past the last
  ff_sim *host;
  ffi_sim_robot own;      ///< what the host was made with
  int guest;              ///< robot that the host is for a user, see ff_batch_sim(); -1: none
  uint64_t guest_stamp;   ///< of its state when it came
  int seen;               ///< robot that the host is for a controller, see ff_batch_group_sim(); -1: none
  double *tau, *u;        ///< [FFI_BATCH_BLOCK][nv], [FF_BATCH_GROUP][nu] for controllers
  ffi_batch_lanes *lanes; ///< NULL: no step is taken in lanes
  long long lane_steps;   ///< taken so far in lanes
  long long alone[FF_BATCH_ALONE_COUNT]; ///< taken so far one by one
  long long lanes_passed;                ///< lanes of all passes
} ffi_batch_worker;

struct ff_batch {
  ff_world *world;
  ff_batch_def def;
  ffi_lane_plan plan;
  ffi_batch_crew *crew;
  ffi_batch_worker *workers;          ///< [def.threads]
  ffi_sim_robot *robots;              ///< [def.robots]
  ff_status *status;                  ///< [def.robots]
  char (*message)[FFI_BATCH_MESSAGE]; ///< [def.robots] of those that failed
  double *q, *v, *time;               ///< [def.robots][nq], [nv], []: copies of what is in the states
  int is_under_way;                   ///< after ff_batch_begin()
  struct {
    int steps;
    ff_batch_inputs inputs;
  } request; ///< the steps under way
  void *memory;
  size_t bytes;       ///< of memory
  size_t robot_bytes; ///< of it, for one robot
};

/// Before any use of the robots: steps under way are taken, and no host is a guest.
void ffi_batch_settle(ff_batch *batch);

/// The worker of a robot.
ffi_batch_worker *ffi_batch_worker_of(const ff_batch *batch, int robot);

/// Take a robot into its worker's host; and out again, with its q, v and time to the batch's arrays.
ff_sim *ffi_batch_enter(ffi_batch_worker *w, int robot);
void ffi_batch_leave(ffi_batch_worker *w, int robot);

/// Copy a robot's q, v and time from its state to the batch's arrays.
void ffi_batch_show(ff_batch *batch, int robot);

/// Run `work` for each worker of the batch by its own thread. user: what `work` gets.
void ffi_batch_run(ff_batch *batch, ffi_batch_crew_work work, void *user);

/// One step of a robot that has not failed, by its sim, and the reason. tau [nv] or NULL.
void ffi_batch_step_robot(ffi_batch_worker *w, int robot, const double *tau, ff_batch_alone reason);

/// Give controls u [nu] to a robot that has not failed; where they are refused it fails.
void ffi_batch_step_control(ffi_batch_worker *w, int robot, const double *u);

#endif
