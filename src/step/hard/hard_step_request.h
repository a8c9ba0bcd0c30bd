/// moreau_request.h: what a stepper with hard contact asks for: where in the step it looks, and how impulses are
/// found there.
///
/// A stepper fills a request once for each look, and passes it const to everything that follows: the look
/// (moreau_look.h), the problem (moreau_problem.h), and what is kept of them. Nothing of it is stored where another
/// evaluation could find it.
#ifndef FFI_STEP_MOREAU_REQUEST_H
#define FFI_STEP_MOREAU_REQUEST_H

#include "step/system/stepper.h"

typedef enum ffi_hard_step_request_method {
  FFI_HARD_STEP_REQUEST_LAWS,   ///< contact/hard.h: Signorini's and Coulomb's laws, by the solver of `hard`
  FFI_HARD_STEP_REQUEST_IMPACT, ///< contact/impact.h: the impact map, by the law of `impact`
} ffi_hard_step_request_method;

/// What finds impulses, and to which tolerances.
typedef struct ffi_hard_step_request_solver {
  ffi_hard_step_request_method method;
  /// How G is formed, where impulses start, T_abs of rows; with FFI_HARD_STEP_REQUEST_LAWS the solver, too.
  const ff_moreau_def *hard;
  const ff_impact_def *impact; ///< with FFI_HARD_STEP_REQUEST_IMPACT, else NULL
} ffi_hard_step_request_solver;

typedef struct ffi_hard_step_request {
  const ffi_state *from; ///< where the step begins: what touched and pushed until then
  int advances;          ///< 1: the look is where a piece of ca or c2a ends; 0: at the middle of a step
  double dt;             ///< impulses are those of this time [s]; 0: of a blow, in which only the laws act
  double span;           ///< length of the step or piece [s]; mean forces are over it
  double ahead;          ///< from the look to the moment whose forces motors give [s]
  double after;          ///< from the look to the end of the step [s]
  double horizon;        ///< what is near may not close a gap within this time [s]
  double reach;          ///< what is no farther apart is listed [m]; 0: only what overlaps
  double skin;           ///< distance that contacts keep [m]
  int holds;             ///< 1: what pushed keeps its distance, in a piece that is to be extrapolated
  double restitution;    ///< share of the pairs' restitution, 0..1
  const double *rate;    ///< [nv] velocity change in place of that by bias forces and tau; NULL: none
  ffi_hard_step_request_solver solver;
} ffi_hard_step_request;

/// What is within so many skins has a row: to lift one end of a rod by a skin may lower the other by as much, and not
/// into the ground.
enum { FFI_HARD_STEP_REQUEST_SKINS = 3 };

/// How far to look where the fastest points have this speed [m/s]: as far as they go within the horizon, beyond what
/// has a row anyway.
double ffi_hard_step_contacts_reach(const ffi_hard_step_request *request, double speed);

/// Does a step look at what is near, too? Where positions are stabilised and contacts are hard.
static inline int ffi_hard_step_request_anticipates(const ffi_hard_step_request *request)
{
  return request->reach > 0;
}

#endif
