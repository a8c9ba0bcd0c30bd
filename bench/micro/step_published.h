/// step_published.h: times per step that others measured. For comparison only: not measured in the run that prints
/// them.
///
/// consim is the code of the Expo paper's authors, measured once, elsewhere (Intel Xeon 2.80 GHz, Ice Lake, one thread,
/// compiled -O3 for that machine, minimum of many repeats). The paper's own times come from its authors' machine of
/// 2022.
#ifndef BENCH_STEP_PUBLISHED_H
#define BENCH_STEP_PUBLISHED_H

/// us per step of a variant on a case; 0 where no figure is known.
double bench_step_published_consim(const char *which, const char *variant);

/// The Expo paper's table 3 for the published scheme with the fast (0) or the standard (1) exponential: us of the whole
/// step (phase -1) or of a phase (ff_phase); 0 where it has none.
double bench_step_published_expo_paper(int phase, int is_standard);

#endif
