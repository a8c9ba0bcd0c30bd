/// ess_robot.h: the hopper and the plate as models, stepped by one of the steppers of sim.h, as simulators
/// (ess_simulator.h).
///
/// The hopper slides vertically with a contact point at the end of its leg; the plate slides in its plane and turns,
/// with its feet (ess_plate.h) as contact points. The bed of springs cannot be modelled: contacts of our steppers act
/// normal to a surface. Neither can a preload, since a contact's force starts at zero; instead it is applied as a force
/// from the first step that starts in contact, as a user would do.
#ifndef BENCH_ESS_ROBOT_H
#define BENCH_ESS_ROBOT_H

#include "papers/ess/ess_hopper.h"
#include "papers/ess/ess_plate.h"

#include <footfall/sim.h>

ff_status bench_ess_robot_hopper(const bench_ess_hopper *hopper, ff_stepper stepper, double dt,
                                 bench_ess_simulator *out, ff_error *error);
ff_status bench_ess_robot_plate(const bench_ess_plate *plate, ff_stepper stepper, double dt,
                                bench_ess_simulator *out, ff_error *error);

#endif
