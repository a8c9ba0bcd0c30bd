/// pinocchio.h: times of Pinocchio 3.7, for reference only.
///
/// They were measured once, elsewhere, on a machine of the same kind as ours (Intel Xeon 2.80 GHz, Ice Lake,
/// one thread, compiled -O3 for that machine, least of many repeats). They are *not* measured in the run that prints them,
/// so a ratio to them carries the difference of the two machines on their days: a few ten per cent.
#ifndef BENCH_PINOCCHIO_H
#define BENCH_PINOCCHIO_H

/// ns per call of what comes nearest to `metric` on a robot; 0 where no figure is known.
double bench_pinocchio_stated(const char *robot, const char *metric);

#endif
