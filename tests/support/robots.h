/// robots.h: shipped robots and the controller of the squat, set up as in the exponential paper's experiments.
#ifndef FFI_TESTS_SUPPORT_ROBOTS_H
#define FFI_TESTS_SUPPORT_ROBOTS_H

#include <footfall/control.h>

/// "solo12.urdf", "romeo.urdf", of models/. Destroy it.
ff_model *ffi_robot(const char *file);

/// q of a posture; it belongs to the model.
const double *ffi_robot_posture(const ff_model *model, const char *posture);

int ffi_robot_frame(const ff_model *model, const char *name); ///< one that is there

/// The controller of the squat: four point feet as weighted contacts, the centre of mass, the posture. References as at
/// `squat`.
ff_whole_body_def ffi_squat_def(const ff_model *model, ff_contact_task feet[4]);

/// A controller; what does not succeed fails the test.
ff_whole_body *ffi_must_whole_body(const ff_model *model, const ff_whole_body_def *def);

#endif
