/// pair_separation.h: the separation of one pair along a direction, and bounds of it ahead.
///
///     sep(n) = min over x of n . x  -  max over y of n . y  <=  distance           docs/theory/advancement.md eq. 1
///
/// From one end (eqs 8, 9): poses and velocities now, and bounds of accelerations. From two ends (eq. 10): poses at
/// both ends of an interval.
#ifndef FFI_CONTACT_PAIR_SEPARATION_H
#define FFI_CONTACT_PAIR_SEPARATION_H

#include "contact/advance/advance_moment.h"
#include "geometry/distance.h"

typedef enum ffi_pair_separation_kind {
  FFI_PAIR_SEPARATION_CONVEX, ///< both have cores
  FFI_PAIR_SEPARATION_PLANE,  ///< y is a plane: directions are fixed in it
  FFI_PAIR_SEPARATION_FIELD,  ///< y is a height field
} ffi_pair_separation_kind;

/// A pair that may touch on the path.
typedef struct ffi_pair_separation {
  int pair, kind;
  int x, y;     ///< colliders; x is convex
  double floor; ///< separation that must be kept [m]
  double
      accel; ///< bound of the second derivative of separations, from the moment `at` to the end of the path
  double error_rate; ///< bound of the error of separations, per time since the start of the path
  double free_time;  ///< for how long after `at` the bound from one end says that the pair is free
  ffi_distance at;   ///< at the beginning of the interval in question; the normal is from y to x
  ffi_distance_memory memory;
} ffi_pair_separation;

/// Sets w->at, w->accel and w->error_rate at a->now. 0: the pair has no distance.
int ffi_pair_separation_begin(const ffi_advance *a, const ffi_colliders *colliders, double T,
                              ffi_pair_separation *w);

/// The distance of a pair at some moment, normal from y to x. 0: it has none.
int ffi_pair_separation_measure(const ffi_advance *a, const ffi_colliders *colliders, ffi_pair_separation *w,
                                const ffi_advance_moment *m, ffi_distance *out);

/// Adds so many distances between the solids of a pair, or one and prisms of the other, to the work of a search.
void ffi_pair_separation_count(const ffi_advance *a, const ffi_colliders *colliders,
                               const ffi_pair_separation *w, int distances);

/// How long after a->now a pair is free by the bound from one end, at most h. Eq. 9
double ffi_pair_separation_free_time(const ffi_advance *a, const ffi_colliders *colliders,
                                     const ffi_pair_separation *w, double h);

/// When a pair reaches its floor if the points that are nearest now keep their velocities; an estimate, INFINITY if
/// they do not approach.
double ffi_pair_separation_guess(const ffi_advance *a, const ffi_pair_separation *w);

/// How long the pair is free by the closed form of the C2A paper, which is looser. Eq. 8
double ffi_pair_separation_bound(const ffi_advance *a, const ffi_colliders *colliders,
                                 const ffi_pair_separation *w, double h);

/// Is a pair free between a->now and a->next by the bound from two ends, eq. 10? If not, *shorter is a time after
/// a->now that is worth a trial.
int ffi_pair_separation_between(const ffi_advance *a, const ffi_colliders *colliders, ffi_pair_separation *w,
                                double shortest, double *shorter);

/// The same against a height field, prism by prism: pair_separation_field.c
int ffi_pair_separation_field_between(const ffi_advance *a, const ffi_colliders *colliders,
                                      const ffi_pair_separation *w);

/// How deep x is in the deepest of the prisms of a field that it overlaps now, as a negative distance: each prism by
/// its own shortest way out, unlike ffi_distance_measure().
double ffi_pair_separation_field_depth(const ffi_advance *a, const ffi_colliders *colliders,
                                       const ffi_pair_separation *w);

/// The least value between the ends of a time h of a coordinate with the values a and b there and a second derivative
/// up to `accel`. Eq. 10
double ffi_pair_separation_least_between(double a, double b, double accel, double h);

/// The least of n . x over a core: its lowest point along n.
double ffi_pair_separation_core_low(const ffi_solid *solid, const ffi_pose *pose, const double n[3]);

#endif
