/// step_stated.h: what others measured, per step. For reference only: not measured in the run that prints them.
///
/// consim is the code of the authors of the Expo paper, MuJoCo 3.12 with Newton's method and elliptic cones and its Euler integrator; both were
/// measured once, elsewhere, on a machine of the same kind as ours (Intel Xeon 2.80 GHz, Ice Lake, one thread, compiled -O3
/// for that machine, least of many repeats). The paper's own times are of its authors' machine of 2022.
#ifndef BENCH_STEP_STATED_H
#define BENCH_STEP_STATED_H

/// us per step of a way on a case; 0 where no figure is known.
double bench_step_consim(const char *which, const char *way);
double bench_step_mujoco_stated(const char *which);

/// The paper's table 3 for the published scheme with the fast (0) or the standard (1) exponential: us of the whole step (phase -1) or of
/// a phase (ff_phase); 0 where it has none.
double bench_step_paper(int phase, int is_standard);

#endif
