// The Expo paper's numbers.
#include "papers/expo/expo_paper_published.h"

#include <footfall/sim.h>

const bench_expo_paper_published_test bench_expo_paper_published_tests[4] = {
    {"solo-squat", "solo-squat.yaml", "Solo squats", 0.04, 0.04, 0.04 / 512, 0.04 / 2},
    {"solo-jump", "solo-jump.yaml", "Solo jumps", 0.01, 0.01, 0.01 / 64, 0.01 / 2},
    {"solo-trot", "solo-trot.yaml", "Solo trots", 0.002, 0.002, 0.002 / 16, 0.002},
    {"romeo-walk", "romeo-walk.yaml", "Romeo walks", 0.04, 0.04 / 8, 0.04 / 32, 0.04 / 4},
};

const bench_expo_paper_published_time bench_expo_paper_published_times[4] = {
    {"whole step", -1, 39, 94},
    {"computeIntegrals", FF_PHASE_INTEGRAL, 13, 67},
    {"prepareExpLDS", FF_PHASE_PREPARE, 13, 13},
    {"computeContactForces", FF_PHASE_CONTACT, 8, 8},
};
const double bench_expo_paper_published_euler_us = 9;

const double bench_expo_paper_published_implicit_share[4] = {0.29, 0.51, 0.12,
                                                             0.08}; // the last is the remainder
const double bench_expo_paper_published_implicit_iterations = 8;
const double bench_expo_paper_published_implicit_us = 920, bench_expo_paper_published_aba_derivatives_us = 28,
             bench_expo_paper_published_expo_is_faster = 10;
