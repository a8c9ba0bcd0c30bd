/// flight.h: a robot, its ground and conservative advancement, set up for tests; and an independent evaluation of the
/// path, moment by moment.
#ifndef FFI_TESTS_CONTACT_FLIGHT_H
#define FFI_TESTS_CONTACT_FLIGHT_H

#include "contact/advance/advance.h"
#include "contact/collider_cases.h"
#include "geometry/distance.h"

typedef struct flight {
  const ff_model *model;
  ffi_colliders colliders;
  const ffi_kernels *k;
  ffi_work *work;
  ffi_advance *advance;
  collider_room room;           ///< with the ground where it starts
  double (*ground_velocity)[6]; ///< [ground_count] and goes on: as defined at first
  void *memory;
} flight;

/// Of a model and ground; they must outlive it.
void flight_begin(const ff_model *model, const ff_sim_def *def, flight *out);
/// The same over one piece of ground.
void flight_begin_over(const ff_model *model, const ff_ground_def *ground, flight *out);
void flight_end(flight *f);

/// Where all items are after t: [items].
void flight_places(const flight *f, const double *q, const double *v, double t, ffi_pose *out);

/// Distance of a pair after t, measured from scratch; INFINITY if it has none.
double flight_distance(const flight *f, const double *q, const double *v, double t, int pair,
                       ffi_distance *out);

/// A path for T; error NULL: velocities are exact.
ffi_advance_path flight_path(const flight *f, const double *q, const double *v, const double *error,
                             double T);

/// What ffi_advance_free() is asked.
typedef struct flight_query {
  double T;        ///< of the path [s]
  double shortest; ///< error tolerance of the time found [s]
  double slack;    ///< of pairs that are near or overlap at the start [m]
} flight_query;

/// ffi_advance_free() with exact velocities.
double flight_free(flight *f, const double *q, const double *v, flight_query query, ffi_advance_report *out);

/// A box, ball, ... that floats; one body, q = (p, quaternion).
ff_model *flight_thing(ff_shape_type type, double s0, double s1, double s2);

#endif
