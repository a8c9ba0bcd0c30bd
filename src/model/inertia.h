/// inertia.h: mass distributions about a frame's origin, and whether an inertia is physically possible.
#ifndef FFI_MODEL_INERTIA_H
#define FFI_MODEL_INERTIA_H

#include <footfall/shape.h>

#include <stddef.h>

/// Mass, first moment and rotational inertia, all about the origin of a frame: sums of bodies are sums of
/// these.
typedef struct ffi_inertia_moments {
  double mass;  ///< [kg]
  double mc[3]; ///< mass times centre of mass [kg m]
  double I[6];  ///< about the origin, xx xy xz yy yz zz [kg m^2]
} ffi_inertia_moments;

/// From an inertia about the centre of mass, in a frame in which the inertia's frame is at (p, R).
ffi_inertia_moments ffi_inertia_moments_place(const double p[3], const double R[9],
                                              const ff_inertia *inertia);

/// The same moments about the origin of a frame in which their frame is at (p, R).
ffi_inertia_moments ffi_inertia_moments_move(const double p[3], const double R[9],
                                             const ffi_inertia_moments *a);

void ffi_inertia_moments_add(const ffi_inertia_moments *a, ffi_inertia_moments *sum);

/// Add a share of the mass and of its first moment to `lift` [4]; arguments as of ffi_inertia_moments_place().
void ffi_inertia_moments_lift(const double p[3], const double R[9], const ff_inertia *inertia, double share,
                              double lift[4]);

/// What is suspicious about an inertia.
typedef enum ffi_inertia_suspicion {
  FFI_INERTIA_POSSIBLE = 0, ///< nothing: a body of positive density could have it
  FFI_INERTIA_INDEFINITE,   ///< a principal moment is negative
  FFI_INERTIA_TRIANGLE,     ///< a principal moment is larger than the others together
} ffi_inertia_suspicion;

/// If there is something, writes "its inertia ..." with the principal moments into `text`.
ffi_inertia_suspicion ffi_inertia_suspicious(const ff_inertia *inertia, char *text, size_t room);

#endif
