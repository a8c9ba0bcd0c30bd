/// frozen.h: the motion of a robot on springs and dampers over one interval, everything but the springs' state held constant.
///
/// With M, J and the other forces frozen at the start of an interval, velocities and contact forces obey a linear equation:
///
///     M xi'' = f + f1 t + sum J' lambda,    lambda = -K x - B x',    x' = u + J (xi' - v) + c t + c1 t^2/2     Expo paper eqs 10-12
///
/// with xi the displacement in velocity coordinates. Its Laplace transform at a pole s is one linear system in joint space,
///
///     (M + sum (K + s B)/s^2 J'J) alpha(s) = f/s + f1/s^2 - sum J' [K x/s + (K + s B)/s^2 (u + c/s + c1/s^2)]
///
/// with the tree sparsity of M, non-singular whatever J is. Four poles (math/poles.h) give all integrals that a step needs. Springs
/// on joints cost nothing: they are on the diagonal. docs/theory/exponential.md derives it and what sliding contacts add.
///
/// Order of calls: begin; add blocks and joints; prepare; solve, as often as needed (other lengths, other ramps). Results are in the blocks and
/// in `motion`. Nothing is kept from one `begin` to the next.
#ifndef FFI_STEP_FROZEN_H
#define FFI_STEP_FROZEN_H

#include "step/eval/evaluation.h"
#include "step/step_kernels.h"

enum {
  FFI_FROZEN_CLASSES = 4
}; ///< (K, B) pairs whose J'J are summed before they are multiplied; more are added row by row

/// Three rows of one stiffness and damping; or a sliding contact, whose tangential force follows its normal force.
typedef struct ffi_frozen_block {
  const ffi_rows3 *rows;
  double K, B;
  double x[3], u[3]; ///< at the start, world axes
  double c[4];       ///< [3] at the start; arrays of four are read as one register, the last is zero
  double c1[4];      ///< slope of c

  // A sliding contact: force = lambda_n (n + mu d) + F_t t, lambda_n by K and B along n; along t the slip law made linear, with
  // rho = mu lambda_n / |trial|, see docs/theory/contact.md.
  int slides;
  double n[3], d[3], t[3], mu, rho;
  double bend[3];   ///< tangential force at the end beside the linear law's [N], set by who corrects
  int is_plain;     ///< of the law with a flag: no spring along the surface, only dampers
  double damper[2]; ///< along d, 0 while it slides, and along t [N s/m]

  int was_projected;         ///< its mean force was brought into its cone
  double mean[3];            ///< out: mean force
  double double_mean[3];     ///< out, if asked for: 2/h^2 times the double integral
  double x_end[3], u_end[3]; ///< out; of a sliding contact x_end is right along n only
  double force_end[3];       ///< out

  double mobility[3];               ///< J M^-1 J' of each row, if found
  int class_index;                  ///< -1: row by row
  double now_x[4], now_u[4], now_e; ///< during sub-steps; now_e: elongation along t
  double sum[4], double_sum[4];
  double J_alpha[3 * FFI_COMPLEX]; ///< J alpha of the last sub-step, if watched or sliding
  double kn[FFI_COMPLEX];          ///< sliding: (K + s B)/s^2, for sub-steps of the length last factored for
  double kt[FFI_COMPLEX];          ///< sliding: force along t that a rate s U costs
  double kd[FFI_COMPLEX];          ///< the same along d, of a plain one
  double hold[FFI_COMPLEX];        ///< sliding: elongation along t of a unit at the start
  double push[FFI_COMPLEX];        ///< sliding: normal force of the state at the sub-step's start, alone
  double *turned;                  ///< sliding: [3][stride] rows along n, d, t
} ffi_frozen_block;

typedef struct ffi_frozen_joint {
  int v;
  double K, B, x, u;
  double mean, double_mean, x_end, u_end, force_end; ///< out
  double now_x, now_u, sum, double_sum, mobility;
} ffi_frozen_joint;

/// What is known about the springs and the error, see frozen_error.h.
typedef struct ffi_frozen_bounds {
  double time[2];   ///< least and largest B/K [s]
  double K[2];      ///< least and largest K [N/m]; least 0: a damper without spring; infinite: no springs
  double force;     ///< largest at the start [N]
  int has_diagonal; ///< all springs are in classes or on joints
  int has_mobility; ///< mobilities were needed and are known
  double once, end,
      rate; ///< bounds of the error's norm: its integral over the interval, at the end, and its rate there
} ffi_frozen_bounds;

typedef struct ffi_frozen ffi_frozen;

/// Called after each sub-step [t, t + h] of a solve, when `alpha` and J_alpha of all blocks are there and now_* are those of its start.
typedef void (*ffi_frozen_observer)(ffi_frozen *z, double t, double h, void *user);

struct ffi_frozen {
  const ffi_step_kernels *kernels;
  ffi_state_kinematics *at; ///< of the instant that it was frozen at, since prepare
  int n, stride;            ///< velocities; of J
  int max_blocks;
  int max_rank; ///< of what sliding contacts add: as many as can slide, or as there are velocities
  double tolerance;
  double gravity; ///< its magnitude [m/s^2]
  int max_substeps;
  ffi_pattern tree, full;
  const ffi_pattern *pattern; ///< the one in use: full if some block joins two branches

  int block_count, joint_count, class_count;
  int slides; ///< blocks that slide
  int feeds;  ///< friction feeds on itself faster than the sub-steps resolve, see frozen_friction.h
  ffi_frozen_block *block; ///< [max_blocks]
  ffi_frozen_joint *joint;
  double class_K[FFI_FROZEN_CLASSES], class_B[FFI_FROZEN_CLASSES];

  const double *f;           ///< [n] forces that are not springs
  const double *f1;          ///< [n] their slope, NULL: none
  int want_double;           ///< double means too
  ffi_frozen_observer watch; ///< NULL: none
  void *watch_user;

  double *delta_v; ///< [n] out: velocity change over the interval
  double *delta_x; ///< [n] out: displacement beyond v h
  int substeps;    ///< out: of the last solve
  int capped; ///< out: max_substeps did not meet the tolerance, or sliding contacts ran away (frozen_runaway.h)
  double error;       ///< out: bound of the error, relative: see frozen_error.h and frozen_runaway.h
  int factorisations; ///< counted; cleared by who wants to know
  int was_projected;  ///< a mean force was brought into its bounds; cleared by solve
  int was_held;       ///< the motion ran away and was held back: frozen_runaway.h; set by solve and again

  // Constants of the poles: powers of 1/z, the weights -2 c z^-j that turn transforms into integrals, those that show what is not resolved.
  // Weights are conjugated, so that a plain dot product over eight numbers takes the real part.
  double inverse[5][FFI_COMPLEX], weight[5][FFI_COMPLEX], unresolved[4][FFI_COMPLEX];

  ffi_frozen_bounds sight;
  double *M;        ///< [entries of the pattern]
  double *G;        ///< [classes][entries]
  double *S;        ///< [entries][8]
  double *alpha;    ///< [n][8]
  double *vector;   ///< [1 + classes][n][4]
  double *A;        ///< [n][4]
  double *E;        ///< [n][4]
  double *L;        ///< [entries] factor of M, if mobilities were found
  double *climb;    ///< [n][4] zero but for who uses it
  double *diagonal; ///< [n][2] n times those of M and of the stiffness
  double *column;   ///< [max_rank][n][8]
  double *
      small; ///< [4][max_rank][max_rank] complex numbers: what friction adds, factored; then [4][max_rank] right-hand sides
  int *pivot;     ///< [4][max_rank] its rows as they were exchanged
  double *turned; ///< [max_blocks][3][stride]
  int *sliding;   ///< [slides] blocks
};

void ffi_frozen_layout(const ffi_system *s, ffi_block *block, ffi_frozen *z);

void ffi_frozen_begin(ffi_frozen *z);
ffi_frozen_block *ffi_frozen_add(ffi_frozen *z, const ffi_rows3 *rows, double K, double B, const double x[3],
                                 const double u[3], const double c[3]);
void ffi_frozen_add_joint(ffi_frozen *z, const ffi_joint_law_row *row);
/// Make a block a sliding contact: trial force direction d, normal n; K e - B u = trial.
void ffi_frozen_slide(ffi_frozen *z, ffi_frozen_block *b, const double n[3],
                      const ffi_contact_law_result *law, double mu);
/// The same by the law with a flag: force = lambda_n (n + mu d) - (damper[0] u.d) d - (damper[1] u.t) t, d a unit tangent. What x has along the surface counts for nothing.
void ffi_frozen_slide_plain(ffi_frozen *z, ffi_frozen_block *b, const double n[3], const double d[3],
                            double mu, const double damper[2]);

/// Takes M of the instant whose rows were added, and sums J'J.
void ffi_frozen_prepare(const ffi_system *s, ffi_frozen *z, ffi_state_kinematics *at);

/// S factored for sub-steps of length h.
void ffi_frozen_factor(ffi_frozen *z, double h);

/// sign (K + s B)/s^j at the poles, j 2..4.
void ffi_frozen_impedance(const ffi_frozen *z, double K, double B, int j, double h, double sign,
                          double out[FFI_COMPLEX]);

/// Motion over an interval of length h. The number of sub-steps is chosen to meet the tolerance.
void ffi_frozen_solve(ffi_frozen *z, double h);

/// The same interval again with the present f1 and c1: same factors, same sub-steps.
void ffi_frozen_solve_again(ffi_frozen *z, double h);

#endif
