/// new.h: footfall new: a scene to begin with, for a robot that nobody has seen before.
///
///     new.c        the whole: what was asked for, the search, what is said
///     new_model.c  the model is read; mimic joints are fixed and contact points are made where it has nothing to touch with
///     new_start.c  postures that it may start in
///     new_try.c    a scene is written, loaded and run: does it stay where it is?
///     new_text.c   the scene as YAML, with comments
///
/// A start is tried by running the very file that will be written, for its whole duration. The first that stays where it is is taken: the model's
/// own postures, then joints at zero or in the middle of their limits, on its feet first, then on its belly, then on every side. If none does, the
/// robot is dropped and the place where it comes to rest is taken.
#ifndef FFI_APPS_NEW_H
#define FFI_APPS_NEW_H

#include "run.h"

#include <footfall/load.h>

/// The first starts, of robots without postures, are the way up that the model is described in.
enum { FFI_NEW_UPRIGHT_STARTS = 3 };

/// How a start turned out.
typedef enum ffi_new_state {
  FFI_NEW_STANDS, ///< on its feet: its base is upright, and stays so
  FFI_NEW_LIES,   ///< at rest, but not upright
  FFI_NEW_HELD,   ///< fixed to the world
  FFI_NEW_MOVES,  ///< it falls, rolls or swings: nobody holds it, or not well enough
  FFI_NEW_MANY,   ///< several things float, as the model puts them
} ffi_new_state;

typedef struct ffi_new {
  // What was asked for.
  const char *path;    ///< of the model
  const char *out;     ///< of the scene
  char *own_out;       ///< what `out` is if nobody said, owned
  const char *posture; ///< NULL: not said
  int is_forced, as_json, is_quiet;
  ffi_load_request load;

  // The model.
  ff_model *model;       ///< owned
  int has_mimic;         ///< joints are fixed that should follow others
  ff_load_point *points; ///< [point_count] contact points of our own, owned; names are the model's
  int point_count;
  int floating; ///< how many things float
  int base;     ///< the joint that floats, -1: none or several

  // The scene.
  char *model_name; ///< as the scene names it, owned
  char *log;        ///< where its log goes, owned
  double *q;        ///< [nq] the start, owned
  int from_posture; ///< that the start begins with, -1: none
  int is_placed;    ///< the base is not where the posture or the neutral configuration has it
  ffi_run_motors motors;
  ff_stepper stepper;
  double dt, duration;
  int crowd; ///< 0: few things; 1: several, with hard contact; 2: very many
  int expects_upright;

  // The tries.
  ffi_progress progress;
  int tries;

  // What came of it.
  int is_stable; ///< it stays where it is
  double stray;  ///< so far it may move and still be said to [m]
  int has_run_away;
  ffi_new_state state;
  int feet[8]; ///< links that touch something in the end
  int foot_count;
} ffi_new;

/// Read the model. 0 after a complaint.
int ffi_new_load(ffi_new *n);

/// Starts to be tried are counted from 0; -1 after the last, 0 if that one is none, else 1.
int ffi_new_start(ffi_new *n, ff_dynamics *dynamics, int which);

/// Start where a run ended: what a scene can say of it.
void ffi_new_start_from(ffi_new *n, const double *q);

/// Gains for the present start.
void ffi_new_hold(ffi_new *n, ff_dynamics *dynamics);

/// Write it beside its place and run that: is it stable, what are its feet, and its last configuration in `q` [nq]. 0 after a complaint.
int ffi_new_try(ffi_new *n, double *q);

/// The scene as text, a string on the heap.
char *ffi_new_text(const ffi_new *n, size_t *length);

/// A word in quotes as YAML reads it.
void ffi_new_quote(FILE *out, const char *text);

#endif
