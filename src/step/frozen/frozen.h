/// frozen.h: the motion of a robot on springs and dampers over one interval, with all but the springs' state frozen.
///
/// With M, J and the other forces frozen at the start of an interval, velocities and contact forces obey a linear
/// equation (Expo paper eqs 10-12; docs/theory/exponential.md, eq. 6):
///
///     M xi'' = f + f1 t + sum J' lambda,    lambda = -K x - B x',    x' = u + J (xi' - v) + c t + c1 t^2/2
///
/// with xi the displacement in velocity coordinates. Its Laplace transform at a pole s is one linear system in joint
/// space (there, eq. 7),
///
///     (M + sum (K + s B)/s^2 J'J) alpha(s) = f/s + f1/s^2 - sum J' [K x/s + (K + s B)/s^2 (u + c/s + c1/s^2)]
///
/// with the tree sparsity of M, non-singular for every J. Four poles (math/poles.h) give all integrals that a step
/// needs (eq. 9). Springs on joints cost nothing: they are on the diagonal. Where four poles are not accurate enough,
/// the interval is divided into equal subintervals.
///
/// Order of calls: begin; add blocks and joints; prepare; solve, as often as needed (other lengths, other ramps).
/// Results are in the blocks and joints, in delta_v and in delta_x. Nothing is kept from one `begin` to the next.
#ifndef FFI_STEP_FROZEN_H
#define FFI_STEP_FROZEN_H

#include "step/eval/evaluation.h"
#include "step/step_kernels.h"

/// (K, B) pairs whose J'J are summed before they are multiplied; more are added row by row.
enum { FFI_FROZEN_CLASSES = 4 };

/// Three rows of one stiffness and damping, world axes: what ffi_frozen_add() takes.
typedef struct ffi_frozen_spring {
  const ffi_rows3 *rows;
  double K, B;             ///< [N/m], [N s/m]
  const double *x, *u, *c; ///< [3] elongation, velocity, acceleration at vdot = 0, all at the start
} ffi_frozen_spring;

/// A spring in the frozen system; or a sliding contact, whose tangential force follows its normal force.
typedef struct ffi_frozen_block {
  const ffi_rows3 *rows;
  double K, B;
  double x[3], u[3]; ///< at the start, world axes
  double c[4];       ///< [3] at the start; arrays of four are read as one register, the last is zero
  double c1[4];      ///< slope of c

  // A sliding contact: force = lambda_n (n + mu d) + F_t t, lambda_n by K and B along n; along t the linearised slip
  // law with rho = mu lambda_n / |trial|: docs/theory/exponential.md, eq. 10.
  int slides;
  double n[3], d[3], t[3], mu, rho;
  double bend[3]; ///< tangential force at the end beyond the linear law's [N], set by a corrector
  double
      stiffening[3]; ///< force at the end beyond that of the stiffness at the start [N], set by a corrector
  int has_flag;      ///< by the law with a slip flag: no spring along the surface, only dampers
  double damper[2];  ///< with a flag: along d, 0 while it slides, and along t [N s/m]

  int was_projected;         ///< its mean force was projected on its cone
  double mean[3];            ///< out: mean force [N]
  double double_mean[3];     ///< out, if asked for: 2/h^2 times the double integral [N]
  double x_end[3], u_end[3]; ///< out; x_end of a sliding contact is right along n only
  double force_end[3];       ///< out

  double mobility[3];               ///< J M^-1 J' of each row, if found
  int class_index;                  ///< -1: row by row
  double now_x[4], now_u[4], now_e; ///< during subintervals; now_e: elongation along t
  double sum[4], double_sum[4];
  double J_alpha[3 * FFI_COMPLEX]; ///< J alpha of the last subinterval, if observed or sliding
  double kn[FFI_COMPLEX];         ///< sliding: (K + s B)/s^2 for the length of subintervals last factored for
  double kt[FFI_COMPLEX];         ///< sliding: impedance along t, force per rate s U
  double kd[FFI_COMPLEX];         ///< the same along d, with a flag
  double relaxation[FFI_COMPLEX]; ///< sliding: elongation along t of a unit at the start
  double push[FFI_COMPLEX];       ///< sliding: normal force of the state at the subinterval's start alone
  double *axis_rows;              ///< sliding: [3][stride] rows along n, d, t
} ffi_frozen_block;

typedef struct ffi_frozen_joint {
  int v;                ///< velocity it acts on; -1: those of `line`
  const ffi_line *line; ///< of a tendon
  double K, B, x, u;
  double mean, double_mean, x_end, u_end, force_end; ///< out
  double now_x, now_u, sum, double_sum, mobility;
} ffi_frozen_joint;

/// The sum over a joint's velocities of column k of x [n][width].
static inline double ffi_frozen_joint_sum(const ffi_frozen_joint *j, const double *x, int width, int k)
{
  if (j->v >= 0)
    return x[width * j->v + k];
  double sum = 0;
  for (int i = 0; i < j->line->count; ++i)
    sum += j->line->weight[i] * x[width * j->line->v[i] + k];
  return sum;
}

/// Sizes of the springs and bounds of the error, see frozen_error.h.
typedef struct ffi_frozen_bounds {
  double time[2];   ///< least and largest B/K [s]
  double K[2];      ///< least and largest K [N/m]; least 0: a damper without spring; infinite: no springs
  double force;     ///< largest at the start [N]
  int has_diagonal; ///< all springs are in classes or on joints
  int has_mobility; ///< mobilities were needed and are known
  double once, end,
      rate; ///< of the error's norm: its integral over the interval, at the end, and its rate there
} ffi_frozen_bounds;

typedef struct ffi_frozen ffi_frozen;

/// Called after each subinterval [t, t + h] of a solve. `alpha` and J_alpha of all blocks are set; now_* are still
/// those of the subinterval's start.
typedef void (*ffi_frozen_observer)(ffi_frozen *z, double t, double h, void *user);

struct ffi_frozen {
  const ffi_step_kernels *kernels;
  ffi_state_kinematics *at; ///< of the evaluation that it was frozen at, since prepare
  int n, stride;            ///< velocities; of J
  int max_blocks;
  int max_rank; ///< of the friction part: the most contacts that can slide, or velocities if these are fewer
  double tolerance;
  double gravity; ///< its magnitude [m/s^2]
  int max_subintervals;
  ffi_pattern tree, full;
  const ffi_pattern *pattern; ///< the one in use: full if some block joins two branches

  int block_count, joint_count, class_count;
  int slides;          ///< blocks that slide
  int is_self_excited; ///< friction has a growing mode that is too fast for the subintervals, see frozen_friction.h
  ffi_frozen_block *block; ///< [max_blocks]
  ffi_frozen_joint *joint;
  double class_K[FFI_FROZEN_CLASSES], class_B[FFI_FROZEN_CLASSES];

  const double *f;              ///< [n] forces that are not springs
  const double *f1;             ///< [n] their slope, NULL: none
  int wants_double_mean;        ///< double means too
  ffi_frozen_observer observer; ///< NULL: none
  void *observer_user;

  double *delta_v;  ///< [n] out: velocity change over the interval
  double *delta_x;  ///< [n] out: displacement beyond v h
  int subintervals; ///< out: of the last solve
  /// Out: max_subintervals did not meet the tolerance, or sliding contacts ran away (frozen_runaway.h).
  int capped;
  double error;       ///< out: bound of the relative error, see frozen_error.h and frozen_runaway.h
  int factorisations; ///< counted; the caller clears it
  int was_projected;  ///< a mean force was projected on its bounds; cleared by solve
  int was_limited; ///< the motion ran away and was scaled back: frozen_runaway.h; set by solve and solve_again

  // Constants of the poles: powers of 1/z, the weights -2 c z^-j that turn transforms into integrals
  // (docs/theory/exponential.md, eq. 9), and those of the indicators of unresolved motion. Weights are conjugated, so
  // that a plain dot product over eight numbers takes the real part.
  double inverse[5][FFI_COMPLEX], weight[5][FFI_COMPLEX], unresolved[4][FFI_COMPLEX];

  ffi_frozen_bounds bounds;
  double *M;        ///< [entries of the pattern]
  double *G;        ///< [classes][entries] J'J
  double *S;        ///< [entries][8] the matrix of eq. 7, then its factors
  double *alpha;    ///< [n][8]
  double *vector;   ///< [1 + classes][n][4]
  double *A;        ///< [n][4] integrals of xi''
  double *E;        ///< [n][4] indicators of unresolved motion
  double *L;        ///< [entries] factor of M, if mobilities were found
  double *scratch4; ///< [n][4] zero between uses
  double *diagonal; ///< [n][2] n times those of M and of the stiffness
  double *column;   ///< [max_rank][n][8]
  double *
      low_rank; ///< [4][max_rank][max_rank] complex: friction's part, factored; then [4][max_rank] right-hand sides
  int *pivot;        ///< [4][max_rank] its rows as they were exchanged
  double *axis_rows; ///< [max_blocks][3][stride]
  int *sliding;      ///< [slides] blocks
};

void ffi_frozen_layout(const ffi_system *s, ffi_block *block, ffi_frozen *z);

void ffi_frozen_begin(ffi_frozen *z);
ffi_frozen_block *ffi_frozen_add(ffi_frozen *z, const ffi_frozen_spring *spring);
void ffi_frozen_add_joint(ffi_frozen *z, const ffi_joint_law_row *row);

/// Takes M of the evaluation whose rows were added, and sums J'J.
void ffi_frozen_prepare(const ffi_system *s, ffi_frozen *z, ffi_state_kinematics *at);

/// S factored for subintervals of length h.
void ffi_frozen_factor(ffi_frozen *z, double h);

/// (K + s B)/s^j at the poles, j 2..4.
void ffi_frozen_impedance(const ffi_frozen *z, double K, double B, int j, double h, double out[FFI_COMPLEX]);

/// Motion over an interval of length h. The number of subintervals is chosen to meet the tolerance.
void ffi_frozen_solve(ffi_frozen *z, double h);

/// The same interval again with the present f1 and c1: same factors, same subintervals.
void ffi_frozen_solve_again(ffi_frozen *z, double h);

#endif
