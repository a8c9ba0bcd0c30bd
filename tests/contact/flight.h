/// flight.h: a robot, its ground and conservative advancement, ready to be asked; and the path looked at moment by moment, without it.
#ifndef FFI_TESTS_CONTACT_FLIGHT_H
#define FFI_TESTS_CONTACT_FLIGHT_H

#include "contact/advance/advance.h"
#include "contact/collider_cases.h"
#include "geometry/distance.h"

typedef struct flight {
  const ff_model *model;
  ffi_colliders scene;
  const ffi_kernels *k;
  ffi_work *work;
  ffi_advance *advance;
  scene_room room;              ///< with the ground where it starts
  double (*ground_velocity)[6]; ///< [ground_count] and goes on: as defined at first
  void *memory;
} flight;

/// Of a model and ground; they must outlive it.
void flight_begin(const ff_model *model, const ff_sim_def *def, flight *out);
void flight_end(flight *f);

/// Where all parties are after t: [parties].
void flight_places(const flight *f, const double *q, const double *v, double t, ffi_pose *out);

/// Distance of a pair after t, measured from scratch; INFINITY if it has none.
double flight_distance(const flight *f, const double *q, const double *v, double t, int pair,
                       ffi_distance *out);

/// A path for T; error NULL: velocities are exact.
ffi_advance_path flight_path(const flight *f, const double *q, const double *v, const double *error,
                             double T);

/// ffi_advance_free() with exact velocities.
double flight_free(flight *f, const double *q, const double *v, double T, double shortest, double slack,
                   ffi_advance_report *out);

/// A box, ball, ... that floats; one body, q = (p, quaternion).
ff_model *flight_thing(ff_shape_type type, double s0, double s1, double s2);

#endif
