/// mujoco_peer.h: MuJoCo for the benchmarks, in the release that is found when they run.
///
/// The layouts of mjModel and mjData differ between releases. So no file of a benchmark includes MuJoCo's headers but
/// those in mujoco_module/, which become one shared object for each release: build/peers/pypi/footfall-mujoco.so for
/// the wheel that `./dev bench` fetches (requirements.txt), build/peers/debian/footfall-mujoco.so for Debian's package.
/// bench_mujoco_peer_find() loads the first of these that is there. Everything else goes through this table of
/// functions, and through pointers to the arrays of a model and its data, which stay where they are.
///
/// FOOTFALL_MUJOCO in the environment chooses: pypi, debian or none.
#ifndef BENCH_MUJOCO_PEER_H
#define BENCH_MUJOCO_PEER_H

#include <stddef.h>

/// A compiled model.
typedef struct bench_mujoco_model {
  void *handle; ///< mjModel
  int nq, nv, nu, nbody, njoint, npair;
  double *joint_solref, *pair_solref;                        ///< [.][2]
  double *joint_solimp, *pair_solimp;                        ///< [.][5]
  const double *velocity_inverse_weight;                     ///< [nv] dof_invweight0
  const double *body_inverse_weight;                         ///< [nbody][2] body_invweight0
  const double *start;                                       ///< [nq] qpos0
  const int *joint_type, *joint_coordinate, *joint_velocity; ///< [njoint] as mjtJoint; in qpos; in qvel
} bench_mujoco_model;

/// What MuJoCo computes with: a state and its results.
typedef struct bench_mujoco_data {
  void *handle;                                          ///< mjData
  double *time, *qpos, *qvel, *warm, *applied, *control; ///< warm: qacc_warmstart; applied: qfrc_applied [nv]
} bench_mujoco_data;

typedef enum bench_mujoco_integrator {
  BENCH_MUJOCO_EULER,
  BENCH_MUJOCO_RK4,
  BENCH_MUJOCO_IMPLICIT, ///< slower than the next, and older
  BENCH_MUJOCO_IMPLICITFAST,
} bench_mujoco_integrator;

typedef enum bench_mujoco_solver { BENCH_MUJOCO_NEWTON, BENCH_MUJOCO_CG } bench_mujoco_solver;

/// Settings of a step.
typedef struct bench_mujoco_options {
  double dt; ///< [s]
  bench_mujoco_integrator integrator;
  bench_mujoco_solver solver;
  int is_pyramidal; ///< friction cones have four sides instead of being round
  int is_whole;     ///< the contacts are solved as one problem, without a search for independent islands
  size_t arena;     ///< bytes of scratch in data made from now on; 0: as the model says, which is megabytes
} bench_mujoco_options;

/// Adds to the passive forces [nv] of a state. Called in each evaluation.
typedef void (*bench_mujoco_force)(const void *user, const double *qpos, double *passive);

/// Many simulations on MuJoCo's own threads: arrays of simulation i begin i * stride numbers further.
typedef struct bench_mujoco_batch {
  void *handle; ///< mjBatch
  int stride;
  double *qpos, *qvel, *warm, *applied;
} bench_mujoco_batch;

typedef struct bench_mujoco_peer {
  int table;           ///< BENCH_MUJOCO_PEER_TABLE of the header it was compiled with
  const char *version; ///< "4.0.1"
  const char *source;  ///< "PyPI", "Debian"
  const char *sets;    ///< instruction sets of its library: "AVX without FMA"

  /// From MJCF text, or if that is NULL from a file. 0: refused; `why` says so.
  int (*compile)(const char *text, const char *file, bench_mujoco_model *out, char *why, size_t size);
  void (*free_model)(bench_mujoco_model *m); ///< a model of zeros is fine
  /// 0: this release lacks one of them.
  int (*set_options)(bench_mujoco_model *m, const bench_mujoco_options *options);

  int (*make_data)(const bench_mujoco_model *m, bench_mujoco_data *out); ///< 0: no memory
  void (*free_data)(bench_mujoco_data *d);                               ///< data of zeros are fine
  void (*reset)(const bench_mujoco_model *m, bench_mujoco_data *d);
  int (*reset_to_key)(const bench_mujoco_model *m, bench_mujoco_data *d,
                      const char *name); ///< 0: no such keyframe
  void (*step)(const bench_mujoco_model *m, bench_mujoco_data *d);
  int (*contacts)(const bench_mujoco_data *d);
  int (*iterations)(const bench_mujoco_data *d);                 ///< of the solver in the last step
  int (*has_warned)(const bench_mujoco_data *d);                 ///< a state was bad, and was reset
  size_t (*bytes)(const bench_mujoco_data *d);                   ///< memory of the data
  void (*set_force)(bench_mujoco_force force, const void *user); ///< of all models; NULL: none

  // Parts of a step, for the bench of dynamics. rne includes the velocities of bodies.
  void (*kinematics)(const bench_mujoco_model *m, bench_mujoco_data *d);
  void (*rne)(const bench_mujoco_model *m, bench_mujoco_data *d, double *result);
  void (*crb)(const bench_mujoco_model *m, bench_mujoco_data *d);
  void (*factor)(const bench_mujoco_model *m, bench_mujoco_data *d);
  void (*solve)(const bench_mujoco_model *m, bench_mujoco_data *d, double *x, const double *y);
  void (*multiply)(const bench_mujoco_model *m, bench_mujoco_data *d, double *y, const double *x);

  /// NULL where the release has no batches. 0: refused; `why` says so.
  int (*make_batch)(const bench_mujoco_model *m, int robots, int threads, bench_mujoco_batch *out, char *why,
                    size_t size);
  void (*free_batch)(bench_mujoco_batch *b);
  void (*step_batch)(bench_mujoco_batch *b, int steps);
} bench_mujoco_peer;

enum { BENCH_MUJOCO_PEER_TABLE = 3 }; ///< grows with each change of this header

/// The one function that a shared object exports, `bench_mujoco_module`.
typedef const bench_mujoco_peer *(*bench_mujoco_peer_entry)(void);

/// NULL if there is none; `why` then says so.
const bench_mujoco_peer *bench_mujoco_peer_find(char *why, size_t size);

#endif
