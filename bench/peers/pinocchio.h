/// pinocchio.h: times of Pinocchio 3.7, for comparison only.
///
/// They were measured once, elsewhere, on a machine of the same kind as ours (Intel Xeon 2.80 GHz, Ice Lake, one
/// thread, compiled -O3 for that machine, minimum of many repeats), *not* in the run that prints them. A ratio to them
/// includes the difference between the two machines: some tens of per cent.
#ifndef BENCH_PINOCCHIO_H
#define BENCH_PINOCCHIO_H

/// ns per call of the function closest to `metric` on a robot; 0 where no figure is known.
double bench_pinocchio_published(const char *robot, const char *metric);

#endif
