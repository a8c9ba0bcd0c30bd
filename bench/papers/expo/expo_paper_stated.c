#include "papers/expo/expo_paper_stated.h"

#include <footfall/sim.h>

const bench_stated_test bench_stated_tests[4] = {
    {"solo-squat", "solo-squat.yaml", "Solo squats", 0.04, 0.04, 0.04 / 512, 0.04 / 2},
    {"solo-jump", "solo-jump.yaml", "Solo jumps", 0.01, 0.01, 0.01 / 64, 0.01 / 2},
    {"solo-trot", "solo-trot.yaml", "Solo trots", 0.002, 0.002, 0.002 / 16, 0.002},
    {"romeo-walk", "romeo-walk.yaml", "Romeo walks", 0.04, 0.04 / 8, 0.04 / 32, 0.04 / 4},
};

const bench_stated_time bench_stated_times[4] = {
    {"whole step", -1, 39, 94},
    {"computeIntegrals", FF_PHASE_INTEGRAL, 13, 67},
    {"prepareExpLDS", FF_PHASE_PREPARE, 13, 13},
    {"computeContactForces", FF_PHASE_CONTACT, 8, 8},
};
const double bench_stated_euler_us = 9;

const double bench_stated_implicit_share[4] = {0.29, 0.51, 0.12, 0.08}; // the last is what is left
const double bench_stated_implicit_iterations = 8;
const double bench_stated_implicit_us = 920, bench_stated_aba_derivatives_us = 28,
             bench_stated_expo_is_faster = 10;
