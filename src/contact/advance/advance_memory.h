/// advance_parts.h: what the files of conservative advancement share.
#ifndef FFI_CONTACT_ADVANCE_PARTS_H
#define FFI_CONTACT_ADVANCE_PARTS_H

#include "contact/advance/advance.h"
#include "contact/advance/motion_bounds.h"
#include "geometry/distance.h"

/// Sizes of a party, of its core (geometry/convex.h).
typedef struct ffi_advance_extent {
  double core; ///< greatest distance of the core from the shape's origin [m]
  double far;  ///< and from the body's origin
  double arm;  ///< of the shape's origin from the body's
} ffi_advance_extent;

/// Where a party is at one moment and how it goes on. Points are those of a frame that carries the shape but does not spin with it: a sphere is as
/// good as one that does not turn, a wheel as one that does not roll.
typedef struct ffi_advance_course {
  ffi_pose place;
  double v[3], w[3];      ///< of its origin; angular, of the frame that does not spin
  double bend, pace;      ///< of any point of the core: acceleration and speed at most
  double doubt;           ///< of any point of the core
  ffi_motion_bound frame; ///< of the shape's own frame, spin included
} ffi_advance_course;

/// All of the scene at one time of the path.
typedef struct ffi_advance_moment {
  double time;
  ffi_pose *pose;             ///< [bodies + grounds]
  double (*velocity)[6];      ///< [bodies + grounds] of origins, angular; world
  ffi_motion_bound *bound;    ///< [bodies + grounds]
  ffi_advance_course *course; ///< [parties]; of a moment only looked ahead at `place` alone
} ffi_advance_moment;

typedef enum ffi_pair_separation_kind {
  FFI_PAIR_SEPARATION_CONVEX, ///< both have cores
  FFI_PAIR_SEPARATION_PLANE,  ///< y is a plane: directions are fixed in it
  FFI_PAIR_SEPARATION_FIELD,  ///< y is a height field
} ffi_pair_separation_kind;

/// A pair that may meet within the time asked for.
typedef struct ffi_pair_separation {
  int pair, kind;
  int x, y;        ///< parties; x is convex
  double floor;    ///< separation that must stay
  double bend;     ///< of separations, from the moment `at` to the end of the path
  double doubt;    ///< of separations, per time since the start of the path
  double hold;     ///< for how long after `at` the first bound says that it is free
  ffi_distance at; ///< at the beginning of the piece in question; the normal is from y to x
  ffi_distance_memory memory;
} ffi_pair_separation;

struct ffi_advance {
  ffi_advance_moment now, next;
  double *q, *v, *way;        ///< scratch
  ffi_advance_extent *extent; ///< [parties]
  ffi_pair_separation *vigil; ///< [pairs]
  int vigil_count;
  double *grow; ///< [parties] scratch
  int *close;   ///< [pairs] scratch
};

/// Separations below this are contact: what the searches for nearest points can be wrong by [m].
static const double ffi_advance_guard = 1e-11;

/// Everything at time t: poses, velocities, places of parties.
void ffi_advance_moment_evaluate(ffi_advance *a, const ffi_advance_path *path, double t,
                                 ffi_advance_moment *out);
/// And how it goes on until T.
void ffi_advance_moment_bound(const ffi_advance *a, const ffi_advance_path *path, ffi_advance_moment *m);

/// The pairs that may meet on a path, as a->vigil; the broad phase. a->now is its start.
void ffi_advance_gather(ffi_advance *a, const ffi_advance_path *path);

/// w->at, w->bend and w->doubt at a->now. 0: there is no distance.
int ffi_pair_separation_begin(const ffi_advance *a, const ffi_colliders *scene, double T,
                              ffi_pair_separation *w);
/// The distance of a pair at some moment, seen from x. 0: there is none.
int ffi_pair_separation_measure(const ffi_colliders *scene, ffi_pair_separation *w,
                                const ffi_advance_moment *m, ffi_distance *out);

/// How long after a->now a pair is free by the first bound, at most h.
double ffi_pair_separation_hold(const ffi_advance *a, const ffi_colliders *scene,
                                const ffi_pair_separation *w, double h);
/// When a pair meets its floor if the points that are nearest now go on as they do; a guess, INFINITY if they do not close.
double ffi_pair_separation_guess(const ffi_advance *a, const ffi_pair_separation *w);
/// How long it is free as the paper has it, in closed form and looser.
double ffi_pair_separation_bound(const ffi_advance *a, const ffi_colliders *scene,
                                 const ffi_pair_separation *w, double h);

/// Is a pair free between a->now and a->next by the second bound? If not, *shorter is a time after a->now that is worth a try.
int ffi_pair_separation_between(const ffi_advance *a, const ffi_colliders *scene, ffi_pair_separation *w,
                                double shortest, double *shorter);
int ffi_pair_separation_field_between(const ffi_advance *a, const ffi_colliders *scene,
                                      const ffi_pair_separation *w);

/// How deep x is in the deepest of the prisms of a field that it overlaps with now, as a negative distance: each prism by its own shortest way out, unlike ffi_distance_measure().
double ffi_pair_separation_field_depth(const ffi_advance *a, const ffi_colliders *scene,
                                       const ffi_pair_separation *w);

/// The least that a coordinate can be which is `a` and `b` at the ends of a time h, with accelerations up to `bend`.
double ffi_pair_separation_least_between(double a, double b, double bend, double h);

/// The least of n . x over a core.
double ffi_pair_separation_core_low(const ffi_solid *solid, const ffi_pose *place, const double n[3]);

/// The fastest that a point of x's core can move in the frame of y within a time h, and how far it can get from y's origin.
double ffi_pair_separation_pace(const ffi_advance *a, const ffi_pair_separation *w, double h, double *away);

#endif
