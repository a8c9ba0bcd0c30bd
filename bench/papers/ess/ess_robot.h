/// ess_robot.h: the hopper and the plate as models of robots, moved by one of the steppers of sim.h, as movers (ess_trace.h).
///
/// The hopper slides upright with a point at the end of its leg; the plate slides in its plane and turns, with its feet (ess_plate.h) as points. The bed of springs cannot be said: contacts
/// of our steppers press square to a surface that does not give way sideways. A preload cannot either, a contact's force begins at zero; what a user can do is to
/// push with it from the first step on that begins in contact, as here.
#ifndef BENCH_ESS_ROBOT_H
#define BENCH_ESS_ROBOT_H

#include "papers/ess/ess_hopper.h"
#include "papers/ess/ess_plate.h"

#include <footfall/sim.h>

ff_status bench_hopper_robot(const bench_hopper *hopper, ff_stepper stepper, double dt, bench_mover *out,
                             ff_error *error);
ff_status bench_plate_robot(const bench_plate *plate, ff_stepper stepper, double dt, bench_mover *out,
                            ff_error *error);

#endif
