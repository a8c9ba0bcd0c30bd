/// control.h: everything for control: whole-body torques, reference motions, controllers, planning.
///
///     whole_body.h   torques by a quadratic program over tasks, contacts and limits
///     reference.h    motions of the centre of mass and the feet: a squat, a walk
///     gait.h         a trot and a jump of four-legged robots
///     feedback.h     linear feedback along a stored trajectory
///     controller.h   all of these as one function of time and state
///     plan.h         trajectories with feedback gains, computed from a model
#ifndef FOOTFALL_CONTROL_H
#define FOOTFALL_CONTROL_H

#include <footfall/control/controller.h>
#include <footfall/control/feedback.h>
#include <footfall/control/gait.h>
#include <footfall/control/plan.h>
#include <footfall/control/reference.h>
#include <footfall/control/whole_body.h>

#endif
