/// propose.h: the search for a scene in which a robot stays where it starts.
///
///     propose.c        the whole: def, names, result
///     propose_search.c which starts, steppers and steps are tried, in which order
///     propose_model.c  the model is read; mimic joints are fixed, and contact points made where it has no shapes to
///                      touch with
///     propose_start.c  postures that it may start in, and motors that hold them
///     propose_try.c    a scene is loaded and run in memory: does the robot stay where it is?
///     propose_text.c   the scene as YAML, with comments
#ifndef FFI_PROPOSE_PROPOSE_H
#define FFI_PROPOSE_PROPOSE_H

#include <footfall/dynamics.h>
#include <footfall/files.h>
#include <footfall/propose.h>

/// The first starts, of robots without postures, are the way up that the model is described in.
enum { FFI_PROPOSE_UPRIGHT_STARTS = 3, FFI_PROPOSE_FEET_MOST = 8 };

typedef struct ffi_propose {
  ff_proposal result; ///< first: the user's pointer is this one's

  // What was asked for.
  char *path;            ///< of the model, owned
  ff_proposal_def def;   ///< `posture` is looked up, and not kept
  ff_load_def load;      ///< `mimic` may change
  int mesh_path_count;   ///< of `load`
  int asked_posture;     ///< of the model, -1: none was asked for
  ff_dynamics *dynamics; ///< owned
  ff_files *files;       ///< what the model was read from, owned

  // Owned, what the result points to.
  ff_model *model;
  char *text, *scene, *model_name, *log;
  char *srdf_name;   ///< as the scene names it; NULL: the load's is not given
  char **mesh_names; ///< [mesh_path_count] folders of meshes as the scene names them
  ff_load_point *points;
  ff_element_def *motors; ///< [joints]
  double *q, *end;        ///< [nq] the start; where the last try ended
  int feet[FFI_PROPOSE_FEET_MOST];

  double stray; ///< so far it may move and still be said to stay [m]
  int crowd;    ///< 0: few things; 1: several, with hard contact; 2: very many
} ffi_propose;

ff_status ffi_propose_no_memory(const ffi_propose *p, ff_error *error);

/// Read the model.
ff_status ffi_propose_model_load(ffi_propose *p, ff_error *error);

/// Find the start, stepper and step.
ff_status ffi_propose_search(ffi_propose *p, ff_error *error);

/// Set the start number `which`, from 0. Returns -1 after the last, 0 if the robot has no such start, else 1.
int ffi_propose_start(ffi_propose *p, int which);

/// Start where the last try ended, as far as a scene can express it.
void ffi_propose_start_from_end(ffi_propose *p);

/// Load the scene as it is and run it: is it stable, what are its feet, and its last configuration in `end`.
ff_status ffi_propose_try(ffi_propose *p, ff_error *error);

/// The scene as text, into `text`.
ff_status ffi_propose_text(ffi_propose *p, ff_error *error);

#endif
