/// mjcf_pair.h: one robot loaded by Footfall and by MuJoCo, for mjcf_compare.c.
#ifndef FFI_TESTS_MJCF_PAIR_H
#define FFI_TESTS_MJCF_PAIR_H

#include <footfall/footfall.h>

#include <mujoco/mujoco.h>

typedef struct ffi_mjcf_pair {
  const char *what; // file, for messages
  mjModel *mj;
  mjData *data;
  ff_model *ff;
  ff_dynamics *dynamics;
  ff_model_size size;
  double precision;
  double *q; // our configuration
} ffi_mjcf_pair;

typedef struct ffi_mjcf_pair_value {
  double got, want; ///< ours, MuJoCo's
  double scale;     ///< of the tolerance, at least 1
} ffi_mjcf_pair_value;

/// Fail unless both values agree to the pair's precision.
void ffi_mjcf_pair_expect(const ffi_mjcf_pair *p, const char *what, const char *name, int index,
                          ffi_mjcf_pair_value v);
void ffi_mjcf_pair_expect_all(const ffi_mjcf_pair *p, const char *what, const char *name, int count,
                              const double *got, const double *want);

/// The name that the reader gives: MuJoCo's, or the kind and MuJoCo's id.
const char *ffi_mjcf_pair_name(const ffi_mjcf_pair *p, int kind, const char *prefix, int id, char buffer[64]);

/// Our joint with this id of MuJoCo's.
ff_joint_info ffi_mjcf_pair_joint(const ffi_mjcf_pair *p, int id);

#endif
