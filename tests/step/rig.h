/// rig.h: a stepper on a model, without the public sim around it, so that a test can read everything.
///
///     ffi_rig *r = ffi_rig_create(model, &(ffi_rig_def){.stepper = FF_STEPPER_RK4, .K = 1e4, .B = 100, .mu = 1});
///     ffi_rig_reset(r, q, v);
///     ffi_rig_run(r, 0.001, 100);
///     ... r->now->q ...
///     ffi_rig_destroy(r);
#ifndef FFI_TESTS_STEP_RIG_H
#define FFI_TESTS_STEP_RIG_H

#include "sim/sim_workspace.h"

#include <footfall/builder.h>

typedef struct ffi_rig_def {
  ff_stepper stepper;
  double K, B, mu;             ///< of all contacts with the floor, the plane z = 0; K = 0: no floor
  double slope;                ///< of the floor, turned about y: it falls towards +x [rad]
  double ground_velocity[6];   ///< of the floor
  ff_element_def elements[16]; ///< beside those of the model
  int element_count;
  int model_elements;
  ff_normal_anchor normal_anchor;
  ff_contact_law contact_law;
  double tolerance;     ///< of `implicit`, 0: the default
  int stabilise;        ///< of `moreau`
  ff_impact_law impact; ///< of `ca` and `c2a`
} ffi_rig_def;

typedef struct ffi_rig {
  const ff_model *model;
  ff_world *world;
  ffi_sim_workspace *workspace;
  ff_sim_def def;    ///< the world's, for a test to change
  ffi_system system; ///< the workspace's, with this def
  ffi_evaluation present;
  ffi_state *states[2];
  ffi_state *now, *next;
  ff_step_info info;
  ffi_system_history history;
  double *tau; ///< [nv], zero at first
  void *memory;
} ffi_rig;

/// Never NULL.
ffi_rig *ffi_rig_create(const ff_model *model, const ffi_rig_def *def);
void ffi_rig_destroy(ffi_rig *rig);

/// Time 0, no contacts yet; q, v NULL: neutral, at rest.
void ffi_rig_reset(ffi_rig *rig, const double *q, const double *v);

/// Steps that must succeed.
void ffi_rig_step(ffi_rig *rig, double dt);
void ffi_rig_run(ffi_rig *rig, double dt, int steps);

/// Zeroed memory for a layout that `measure` has measured; free() *memory.
ffi_block ffi_rig_memory(const ffi_block *measure, void **memory);

/// A model of models/, by its file name; destroy it.
ff_model *ffi_rig_load(const char *file);

/// How far two states are apart: the largest component of q1 (-) q0, of their anchors and, times `seconds`, of v1 -
/// v0; infinite if they have not the same number of contacts.
double ffi_rig_distance(const ffi_rig *rig, const ffi_state *a, const ffi_state *b, double seconds);

/// A motion from (q, v), with steps of duration / (first 2^k), k = 0 .. count - 1.
typedef struct ffi_rig_course {
  const double *q, *v; ///< as for ffi_rig_reset()
  double duration;     ///< [s]
  int first, count;
} ffi_rig_course;

/// Orders of convergence at the end of a course: each of its step lengths compared with `reference`; prints the table.
/// error [count]. Returns the order between the last two.
double ffi_rig_order(ffi_rig *rig, const ffi_rig_course *course, const ffi_state *reference, double *error);

/// A state of the sizes of the rig's, with copies of its numbers; free() it.
ffi_state *ffi_rig_keep(const ffi_rig *rig, const ffi_state *x);

#endif
