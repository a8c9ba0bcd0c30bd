/// mjcf_compare.h: is a model of Footfall the same robot as a model of MuJoCo?
///
/// Compared are poses of all bodies and sites, masses and inertias, the mass matrix and the force of gravity at random
/// configurations, joints, shapes, actuators by the force they make, and keyframes. The test fails with the numbers
/// where they differ.
#ifndef FFI_TESTS_MJCF_COMPARE_H
#define FFI_TESTS_MJCF_COMPARE_H

#include <footfall/model.h>

#include <mujoco/mujoco.h>

/// Both were made of the same file, `what`. MuJoCo's inertias are replaced by ours once they are compared, which makes
/// the comparison of what follows sharper. Takes and deletes both models.
void ffi_mjcf_compare(const char *what, mjModel *mj, ff_model *ff);

/// A number between two others; the same sequence in every run.
double ffi_mjcf_compare_uniform(double low, double high);

#endif
