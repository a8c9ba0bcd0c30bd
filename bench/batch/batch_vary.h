/// batch_vary.h: parameters that differ from robot to robot in all that may differ: domain randomisation.
///
/// Stiffness, damping and friction of every shape and ground, gains of every element: times 0.8 to 1.2; masses and
/// inertias of every link: times 0.9 to 1.1; gravity: within 1 %, tilted by up to half a degree.
#ifndef BENCH_BATCH_VARY_H
#define BENCH_BATCH_VARY_H

#include <footfall/parameters.h>

/// `count` parameters of a world into out; those of the same number are the same each time. On failure everything is
/// released.
ff_status bench_batch_vary(ff_world *world, int count, ff_parameters **out, ff_error *error);
void bench_batch_vary_free(int count, ff_parameters **parameters);

#endif
