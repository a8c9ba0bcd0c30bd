/// mjcf_draft.h: settings of MJCF that depend on the masses that they move: springs, servos and contacts.
///
/// The bodies are built twice, see mjcf_draft.c. Only mjcf_stand.c keeps a draft open for longer than a call.
#ifndef FFI_IO_MJCF_DRAFT_H
#define FFI_IO_MJCF_DRAFT_H

#include "io/mjcf/mjcf.h"

#include <footfall/dynamics.h>

// ---- mjcf_draft.c ---------------------------------------------------------------------------------------------

/// Bodies and joints as a model, see mjcf_draft.c.
typedef struct ffi_mjcf_draft {
  ff_model *model;
  ff_dynamics *dynamics; ///< after kinematics and crba in the pose of the file
  double *qpos, *q;      ///< coordinates of MuJoCo [nq], and the model's
} ffi_mjcf_draft;

/// 0: there is none, because of faults that reading will find, or because it would be too large. Close it anyway.
int ffi_mjcf_draft_open(ffi_mjcf *m, ffi_mjcf_draft *draft);
void ffi_mjcf_draft_close(ffi_mjcf_draft *draft);
/// M is factored. 0: it is singular.
int ffi_mjcf_draft_factor(ffi_mjcf_draft *draft);
/// Kinematics at draft->qpos.
void ffi_mjcf_draft_place(const ffi_mjcf *m, ffi_mjcf_draft *draft);
int ffi_mjcf_draft_frame(const ffi_mjcf *m, const ffi_mjcf_draft *draft, int body); ///< -1: none

/// Stiffness and damping of joints with springdamper.
void ffi_mjcf_draft_springs(ffi_mjcf *m);
/// The inertias of all joints, once.
void ffi_mjcf_draft_inertias(ffi_mjcf *m);

// ---- mjcf_friction.c -------------------------------------------------------------------------------------------

/// Friction of all geoms, torsional and rolling too, such that a sim's rule for pairs gives MuJoCo's where it can.
/// ground: beside those of the file, or NULL.
void ffi_mjcf_friction_finish(ffi_mjcf *m, const ffi_mjcf_geom *ground);

// ---- mjcf_softness.c, mjcf_stand.c -----------------------------------------------------------------------------

void ffi_mjcf_softness_attributes(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_geom *geom);

/// Stiffness and damping of all geoms that are to have MuJoCo's, when all bodies are known to the builder.
void ffi_mjcf_softness_finish(ffi_mjcf *m);

/// What a geom's contacts carry and move, see mjcf_stand.c. Its fields are set for geoms that are asked for only.
typedef struct ffi_mjcf_stand {
  double inverse_mass; ///< [1/kg] of its body at the file's pose, mean over the directions; 0: not known
  double load;         ///< [N] of one contact point, > 0
} ffi_mjcf_stand;

/// For the geoms with is_asked [geom_count]. Returns 0 if there is no answer: then the model has other faults, or its
/// mass matrix is singular.
int ffi_mjcf_stand_find(ffi_mjcf *m, const char *is_asked, ffi_mjcf_stand *stand);

#endif
