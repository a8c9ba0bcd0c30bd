/// sim_workspace.h: the scratch of a thread that steps robots of a world. Nothing in it outlives a call.
///
/// One workspace serves any number of robots, one after another: ffi_sim_workspace_bind() selects the robot for the
/// calls that follow. It has two parts, see base/block.h: scratch that is written before it is read, and tables and
/// pointers that are as they were placed whenever no call is under way.
#ifndef FFI_SIM_SIM_WORKSPACE_H
#define FFI_SIM_SIM_WORKSPACE_H

#include "contact/advance/advance.h"
#include "contact/advance/tunnelling_check.h"
#include "step/eval/evaluation.h"
#include "step/system/parameters.h"

typedef struct ffi_sim_workspace {
  ffi_system system;
  ffi_state *next;                       ///< what a step writes, before it has been checked
  double *tau;                           ///< [nv] that a callback fills
  double *change;                        ///< [nv]
  double *other;                         ///< [nv]
  double *rows;                          ///< [3][stride] of one point
  int *dofs;                             ///< [stride]
  ffi_tunnelling_check tunnelling_check; ///< with def.watch_passing; else empty
  ffi_advance *advance;
  char *kept, *scratch; ///< its two parts
  size_t kept_bytes, scratch_bytes;
  void *memory; ///< the one allocation, this struct included
} ffi_sim_workspace;

/// NULL if there is no memory for its bytes.
ffi_sim_workspace *ffi_sim_workspace_create(const ff_world *world);
void ffi_sim_workspace_free(ffi_sim_workspace *w);

/// Bytes that one takes.
size_t ffi_sim_workspace_bytes(const ff_world *world);

/// What a workspace needs of a robot.
typedef struct ffi_sim_workspace_robot {
  const ff_parameters *parameters;
  const double *tau;           ///< [nv]
  ff_step_info *info;          ///< of its last step
  ffi_system_history *history; ///< the same
  ffi_early_stop *interrupt;   ///< of its steps
  ffi_evaluation *present;     ///< evaluation of its present state
} ffi_sim_workspace_robot;

/// Calls that follow are about this robot. Bind it again after a change of its parameters.
void ffi_sim_workspace_bind(ffi_sim_workspace *w, const ffi_sim_workspace_robot *robot);

#endif
