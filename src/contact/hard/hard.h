/// hard.h: hard contact: the set-valued laws of one step as a problem in impulses.  docs/theory/hard-solvers.md
///
///     xi = W' u(Lambda) + b + R Lambda = G Lambda + R Lambda + c,     u = u_free + M^-1 W Lambda
///
/// (Moreau paper eqs 12-19), and for each block a law between its rows of xi and Lambda:
///
///     contact     rows t1, t2, n:  0 <= xi_n  _|_  Lambda_n >= 0,  |Lambda_t| <= mu Lambda_n,
///                 xi_t opposes Lambda_t where that is at the rim                                eqs 2, 3, 9
///                 with six rows, three moments over their radii of resistance behind them:
///                 |Lambda_m| <= turning Lambda_n about the normal and, together, about t1 and t2,
///                 opposed by xi_m where they are at the rim                    turning-friction.md eq. 4
///     stop        one row:  0 <= xi  _|_  Lambda >= 0
///     dry         one row:  |Lambda| <= bound, xi opposes Lambda at the bound
///                 (dry friction of a joint, a motor that saturates)
///     bilateral   xi = 0                                                                        eq. 10
///     cone        rows t1, t2, n:  K contains Lambda, orthogonal to xi in K* = {xi_n >= mu |xi_t|},
///                 K = {|Lambda_t| <= mu Lambda_n}                                               impact.h
///                 with six rows, the moments within K as above (then K is round)
///
/// The solvers know nothing of robots: blocks bring their rows W' (sparse) and M^-1 W (over the velocities of the trees
/// that they touch). A stepper fills an ffi_hard, calls ffi_hard_solve(), and reads impulse, u and the result. No call
/// allocates; ffi_hard_layout() places the working memory.
///
/// One residual serves all solvers: ffi_hard_residual_evaluate() measures how far (xi, Lambda) is from the laws.
#ifndef FFI_CONTACT_HARD_H
#define FFI_CONTACT_HARD_H

#include "base/block.h"
#include "base/early_stop.h"
#include "contact/law/turning_cone.h"

#include <footfall/hard.h>

typedef enum ffi_hard_law {
  FFI_HARD_LAW_CONTACT,
  FFI_HARD_LAW_STOP,
  FFI_HARD_LAW_DRY,
  FFI_HARD_LAW_BILATERAL,
  FFI_HARD_LAW_CONE,
} ffi_hard_law;

enum { FFI_HARD_MAX_ROWS = 6 }; ///< of a block

typedef struct ffi_hard_block {
  ffi_hard_law law;
  int row, rows;  ///< its rows are row .. row + rows - 1 of c and impulse
  double mu;      ///< contact, cone
  double turning; ///< contact, cone of six rows: 1; 0: their moments are zero
  int faces; ///< cone: 0: round; else sides of a regular pyramid about it, a multiple of 4, the first across t1
  double bound; ///< dry [N s]
  int columns;
  const int *dof;  ///< [columns] velocities that the rows depend on, increasing
  const double *W; ///< [rows][columns]: W'
  int reach;
  const int
      *reached;    ///< [reach] velocities that its impulses change, increasing: those of the trees of `dof`
  const double *Y; ///< [rows][reach]: (M^-1 W)'
} ffi_hard_block;

/// Two blocks that share velocities, a >= b, or a block with itself, and their part of G.
typedef struct ffi_hard_link {
  int a, b;
  double G[FFI_HARD_MAX_ROWS * FFI_HARD_MAX_ROWS]; ///< [rows of a][6], zero beyond the rows of b
} ffi_hard_link;

typedef struct ffi_hard {
  int nv, rows, block_count;
  ffi_hard_block *block;  ///< [block_count]; their rows cover 0 .. rows - 1, each once, in any order
  const double *u_free;   ///< [nv] end velocity without impulses
  const double *b;        ///< [rows] xi - W'u: restitution times approach velocity, motion of the ground
  const double *softness; ///< [rows] R >= 0; NULL: none
  /// [rows] velocity by which a row may violate its law [m/s], [rad/s]: T_abs of a row is at most give / (G_ll + R_l),
  /// whatever the mass; NULL: T_abs alone
  const double *give;
  /// G = W' M^-1 W, [rows][G_stride], in the order of the rows; NULL: formed here from W and Y when it is needed. A
  /// caller who gives G need not fill Y: then the form is "impulse" whatever the def says, and u is not computed
  /// (u_free + M^-1 (W Lambda), one solve, is up to the caller).
  const double *G;
  int G_stride;
  /// Or G as a list of its blocks in any order: each diagonal block, the others once, or not at all if zero. NULL: see
  /// G.
  const ffi_hard_link *link;
  int link_count;
  double *impulse; ///< [rows] in: initial guess; out: Lambda
  double *u;       ///< [nv] out: u_free + M^-1 W Lambda
  double *xi;      ///< [rows] out
  /// Solvers ask it in every iteration and leave, with anything as result. NULL: nobody interrupts
  ffi_early_stop *interrupt;
} ffi_hard;

typedef struct ffi_hard_result {
  int iterations;  ///< of the last solver that ran
  int converged;   ///< every row's part of the residual <= T_abs + T_rel * (largest |Lambda| of its block)
  double excess;   ///< the largest of part / (T_abs + T_rel |Lambda|): <= 1 when converged
  double residual; ///< at the end; with T_abs = T_rel = T converged means residual <= T
  double alpha;    ///< relaxation factor at the end; 0 for a solver without one
  int fallbacks;   ///< how often alpha was lowered, or another solver took over
} ffi_hard_result;

/// Problems of up to FFI_HARD_DENSE_ROWS rows may use G (which takes rows^2 numbers). Beyond that the form is
/// "velocity" whatever the def says, bilateral rows are eliminated only if there are not more of them than that, and
/// "exact" uses islands and sparse factors, or, where these are too large or bilateral rows are left, sweeps alone.
/// Bilateral rows of a problem of more than FFI_HARD_DENSE_BLOCKS blocks are iterated.
enum { FFI_HARD_DENSE_ROWS = 600, FFI_HARD_DENSE_BLOCKS = 256 };

/// Working memory for problems of at most this size, placed in `block`; NULL while the block only counts.
typedef struct ffi_hard_memory ffi_hard_memory;
ffi_hard_memory *ffi_hard_layout(int max_nv, int max_rows, int max_blocks, ffi_block *block);

void ffi_hard_solve(const ff_moreau_def *def, const ffi_hard *problem, ffi_hard_memory *memory,
                    ffi_hard_result *result);

/// Iterations since the last call, of all solves and whatever solver took over: sweeps, Newton steps, steps of the
/// interior point method. One over a part of the rows counts as that part.
double ffi_hard_take_work(ffi_hard_memory *memory);

/// The most work until the next ffi_hard_take_work(), 0: any. The interior point and Newton methods end where they have
/// done more, and the work is infinite then.
void ffi_hard_limit_work(ffi_hard_memory *memory, double most);

/// The work of one iteration over n rows with their matrix G: 1 for a robot on its feet, and by the square of n for
/// hundreds of rows. Without G, 1 + n / 48.
static inline double ffi_hard_work_of(int n)
{
  return 1 + (double)n * n / (48.0 * 48.0);
}

/// And of a dense factorisation of n rows, in the same unit of 2.5 us.
static inline double ffi_hard_factor_work_of(int n)
{
  return (double)n * n * n / (25.0 * 25.0 * 25.0);
}

/// How far (xi, Lambda) is from the laws: sets residual, excess and converged. docs/theory/hard-solvers.md, section 3.
/// A block's part is the largest component of its natural map, an impulse [N s]:
///
///     stop, normal    min(Lambda, r xi)                                                        Signorini
///     tangential      |Lambda_t - P(Lambda_t - r xi_t)|, P onto the disc mu max(Lambda_n, 0)   Coulomb
///     moments         as the tangential part, P onto the disc and the interval turning max(Lambda_n, 0)
///     cone            Lambda - P(Lambda - r xi), P onto K, nearest in the metric 1/r; normal and tangential parts, and
///                     those of moments
///     dry             |Lambda - P(Lambda - r xi)|, P onto +-bound
///     bilateral       |r xi|
///
/// with r = 1 / diagonal, of a contact's tangents the smaller one: the impulse that would stop the row by itself. The
/// residual is the largest of part / (1 N s + largest |Lambda| of the block). Rows whose diagonal is 0 cannot be moved
/// and do not count.
///   diagonal  [rows]  G_ll + R_l
void ffi_hard_residual_evaluate(const ffi_hard *problem, const double *diagonal, double relative,
                                double absolute, ffi_hard_result *result);

#endif
