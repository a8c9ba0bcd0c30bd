/// ess_order_system.h: the order test of the event-selection paper (Table 4.1), with its solution in closed form.
///
/// Three guards h = (x, y, -z). From (-0.4, -0.15, 0.3) the motion crosses h2, h3, h1 within half a second. In the
/// plane it turns about (-1, 1), then about (1, -1) the other way round, then grows; z decays towards -1, then grows
/// away from 1/3.
#ifndef FFI_TESTS_ESS_ORDER_SYSTEM_H
#define FFI_TESTS_ESS_ORDER_SYSTEM_H

#include <footfall/ess.h>

extern const double ffi_order_start[3], ffi_order_end[3], ffi_order_duration;
extern const double ffi_order_times[3]; ///< of guards 1, 2, 0 in this order
extern const int ffi_order_sequence[3];

ff_ess_system ffi_order_system(void);

/// The state at time t in [0, duration].
void ffi_order_exact(double t, double x[3]);

#endif
