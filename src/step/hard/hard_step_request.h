/// hard_step_request.h: what a stepper with hard contact asks for: where in the step it evaluates, and how impulses
/// are found.
///
/// A stepper fills a request once for each evaluation, and passes it const to everything that follows: the evaluation
/// (hard_step_evaluation.h), the problem (hard_step_problem.h), and what is stored of them. Nothing of it is stored
/// where another evaluation could find it.
#ifndef FFI_STEP_HARD_HARD_STEP_REQUEST_H
#define FFI_STEP_HARD_HARD_STEP_REQUEST_H

#include "step/system/stepper.h"

typedef enum ffi_hard_step_request_method {
  FFI_HARD_STEP_REQUEST_LAWS, ///< contact/hard/hard.h: Signorini's and Coulomb's laws, by the solver of `hard`
  FFI_HARD_STEP_REQUEST_IMPACT, ///< contact/impact/impact.h: the impact map, by the law of `impact`
} ffi_hard_step_request_method;

/// The solver of impulses, and its tolerances.
typedef struct ffi_hard_step_request_solver {
  ffi_hard_step_request_method method;
  /// How G is formed, where impulses start, T_abs of rows; with FFI_HARD_STEP_REQUEST_LAWS the solver, too.
  const ff_moreau_def *hard;
  const ff_impact_def *impact; ///< with FFI_HARD_STEP_REQUEST_IMPACT, else NULL
} ffi_hard_step_request_solver;

typedef struct ffi_hard_step_request {
  const ffi_state *from; ///< where the step begins, with the contacts and forces until then
  int advances;       ///< 1: the evaluation is where a substep of ca or c2a ends; 0: at the middle of a step
  double dt;          ///< impulses are those of this time [s]; 0: of an impact, in which only the laws act
  double span;        ///< length of the step or substep [s]; mean forces are over it
  double ahead;       ///< from the evaluation to the moment whose forces motors give [s]
  double after;       ///< from the evaluation to the end of the step [s]
  double horizon;     ///< near features may not close a gap within this time [s]
  double reach;       ///< features no farther apart are listed [m]; 0: only overlaps
  double skin;        ///< distance that contacts keep [m]
  int keeps_distance; ///< 1: contacts that pushed keep their distance, in a substep that is to be extrapolated
  double restitution;            ///< share of the restitution of pairs, 0..1
  const double *velocity_change; ///< [nv] in place of that by bias forces and tau; NULL: compute it from them
  ffi_hard_step_request_solver solver;
} ffi_hard_step_request;

/// Features within this many skins have a row: to lift one end of a rod by a skin may lower the other by as much, and
/// not into the ground.
enum { FFI_HARD_STEP_REQUEST_SKINS = 3 };

/// How far to list features where the fastest points have this speed [m/s]: as far as they go within the horizon,
/// beyond those that have a row anyway.
double ffi_hard_step_contacts_reach(const ffi_hard_step_request *request, double speed);

/// Does a step also consider near features? Where positions are stabilised and contacts are hard.
static inline int ffi_hard_step_request_anticipates(const ffi_hard_step_request *request)
{
  return request->reach > 0;
}

#endif
