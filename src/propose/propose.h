/// propose.h: the search for a scene in which a robot stays where it starts.
///
///     propose.c        the whole: def, names, result
///     propose_search.c which starts, steppers and steps are tried, in which order
///     propose_model.c  the model is read; mimic joints are fixed, and contact points made where it has no shapes to
///                      touch with
///     propose_base.c   does the root of a URDF float?
///     propose_feet.c   what it would stand on
///     propose_bend.c   bent knees
///     propose_start.c  postures that it may start in, and motors that hold them
///     propose_try.c    a scene is loaded and run in memory: does the robot stay where it is?
///     propose_text.c   the scene as YAML, with comments
#ifndef FFI_PROPOSE_PROPOSE_H
#define FFI_PROPOSE_PROPOSE_H

#include <footfall/dynamics.h>
#include <footfall/files.h>
#include <footfall/propose.h>

/// The first starts, of robots without postures, are the way up that the model is described in.
enum { FFI_PROPOSE_UPRIGHT_STARTS = 4, FFI_PROPOSE_FEET_MOST = 8, FFI_PROPOSE_STAND_MOST = 64 };

/// What is said to stay stays within this, or the title says how far it gives way [m].
#define FFI_PROPOSE_NOTABLE_MOVE 5e-3

/// What a robot would stand on at a configuration.
typedef struct ffi_propose_support {
  int links[FFI_PROPOSE_STAND_MOST];        ///< that reach down to the ground, in the order of links
  double middle[FFI_PROPOSE_STAND_MOST][3]; ///< the middle of the points of each that touch, in the world
  int count;
  int has_root;  ///< the base's own link is among them
  double off;    ///< distance of the centre of mass from the points' hull, along the ground [m]
  double height; ///< of the centre of mass above the ground [m]
} ffi_propose_support;

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
  int stands_on[FFI_PROPOSE_STAND_MOST];

  int is_fixed;  ///< the robot does not float: nothing does, or only loose things beside it
  double stray;  ///< so far it may move and still be said to stay [m]
  int is_short;  ///< there was no memory to find feet or to bend knees
  int is_landed; ///< the present start was put onto its ground
  int crowd;     ///< 0: few things; 1: several, with hard contact; 2: very many
} ffi_propose;

ff_status ffi_propose_no_memory(const ffi_propose *p, ff_error *error);

/// Read the model.
ff_status ffi_propose_model_load(ffi_propose *p, ff_error *error);

/// Once the model is read: fix its root if the rules say so, which reads it again.
ff_status ffi_propose_base_decide(ffi_propose *p, ff_error *error);

/// What the robot would stand on at p->q, if it were on the ground there. 0: nothing, or it is not known.
int ffi_propose_feet_find(ffi_propose *p, ffi_propose_support *out);

/// A robot on two legs at p->q, upright and with straight legs: bend its knees, with flat feet below its centre of
/// mass. 0: it has no such legs, and p->q is as before.
int ffi_propose_bend(ffi_propose *p);

/// All joints at the share of the way from zero to the middle of their limits, on the ground. 0: none is moved by it.
int ffi_propose_start_share(ffi_propose *p, double share);

/// Find the start, stepper and step.
ff_status ffi_propose_search(ffi_propose *p, ff_error *error);

/// Set the start number `which`, from 0. Returns -1 after the last, 0 if the robot has no such start, else 1.
int ffi_propose_start(ffi_propose *p, int which);

/// Start where the last try ended, as far as a scene can express it.
void ffi_propose_start_from_end(ffi_propose *p);

/// After a trial of the present start: the same, as its weight has pressed it together and into the ground.
void ffi_propose_start_pressed(ffi_propose *p);

/// Load the scene as it is and run it: is it stable, what are its feet, and its last configuration in `end`.
ff_status ffi_propose_try(ffi_propose *p, ff_error *error);

/// Run the scene exactly as it will be written; it no longer expects what that run does not meet.
ff_status ffi_propose_try_expectations(ffi_propose *p, ff_error *error);

/// The scene as text, into `text`.
ff_status ffi_propose_text(ffi_propose *p, ff_error *error);

#endif
