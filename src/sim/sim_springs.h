/// sim_springs.h: springs of dry friction and of rigid couplings, whose stiffness the user leaves to the sim.
#ifndef FFI_SIM_SPRINGS_H
#define FFI_SIM_SPRINGS_H

#include "step/system/parameters.h"

/// Stiffness and damping of dry friction and couplings that are zero, from the inertia at the neutral configuration: in
/// the world and in its nominal parameters. Couplings without either become rigid.
ff_status ffi_sim_springs_choose(ff_world *world, ff_error *error);

#endif
