/// plan_jump.h: a jump to be recorded: what a whole-body program is asked for at each moment.
///
///     stand, crouch   the centre of mass goes down to `low`
///     push            and up to `high`, where it has the speed of a flight of `flight_time`, and feet carry nothing
///     flight          feet go along with the centre of mass: drawn up, then stretched out towards the ground
///     meet            drawn in as fast as the robot falls, so that feet are at rest on the ground when the centre of mass is at `touch`
///     land            the centre of mass is brought to rest at `rest`, by nearly the same force all the way
///     rise            and back to where it began
///
/// Unlike ff_jump, which answers to any state, this one follows one course of feet and centre of mass, from rest to rest. The moment of landing is kept; all
/// else is a function of time and state.
#ifndef FFI_CONTROL_PLAN_JUMP_H
#define FFI_CONTROL_PLAN_JUMP_H

#include "control/plan_jump_course.h"

#include <footfall/control.h>

enum { FFI_PLAN_JUMP_FEET = 4 };

typedef struct ffi_plan_jump_def {
  int base, feet[FFI_PLAN_JUMP_FEET]; ///< frames
  ffi_plan_jump_course course;        ///< gravity and stand are found from the model
} ffi_plan_jump_def;

ffi_plan_jump_def ffi_plan_jump_def_default(void);

typedef struct ffi_plan_jump ffi_plan_jump;

/// The robot stands at q [nq]. The model must outlive the result.
ff_status ffi_plan_jump_create(const ff_model *model, const ffi_plan_jump_def *def, const double *q,
                               ffi_plan_jump **out, ff_error *error);
void ffi_plan_jump_destroy(ffi_plan_jump *jump); ///< NULL is fine

/// tau [nv] at a time and a state.
ff_status ffi_plan_jump_tau(ffi_plan_jump *jump, double time, const double *q, const double *v, double *tau,
                            ff_error *error);

#endif
