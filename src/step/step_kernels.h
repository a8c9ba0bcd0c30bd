/// step_kernels.h: the inner loops of contact steps, compiled once per instruction set for one robot.
///
/// Complex numbers come in fours, one for each pair of poles (math/poles.h): eight doubles, four real parts, then four
/// imaginary ones.
///
/// Some kernels take more than six arguments. Their stores go through vector types that may alias anything, so fields
/// of a struct would be read again after each store.
#ifndef FFI_STEP_STEP_KERNELS_H
#define FFI_STEP_STEP_KERNELS_H

#include "contact/hard/hard.h"
#include "dynamics/kernels.h"
#include "step/newton_kernels.h"
#include "step/pattern.h"

#include <footfall/dynamics.h>

/// Acceleration of a point fixed to a body at vdot = 0 (Jdot v), and the body's angular velocity and acceleration;
/// world axes.
typedef struct ffi_step_kernels_motion {
  double acceleration[3], omega[3], alpha[3];
} ffi_step_kernels_motion;

enum { FFI_POLES = 4, FFI_COMPLEX = 2 * FFI_POLES };

/// A block's springs over a subinterval of length h that begins at t.
typedef struct ffi_step_kernels_interval {
  double t, h, K, B;
  double *x, *u;            ///< [4] at its start; after the call at its end
  const double *c, *c1;     ///< [4] at the start of the interval
  double *sum, *double_sum; ///< [4] integrals of the force so far, updated
} ffi_step_kernels_interval;

/// Four samples of a subinterval: tau [s] of each, the weights that turn J alpha into the integrals of J xi'' up to
/// there, spring and damper. start [12]: x, u, c, c1 of the block at the subinterval's start.
typedef struct ffi_step_kernels_samples {
  double tau[4];
  const double *position_weight, *velocity_weight; ///< [4][8]
  double h;                                        ///< the subinterval's length, a factor of the position
  double K, B;
} ffi_step_kernels_samples;

/// One or two trees, by their ranges of velocities, in increasing order.
typedef struct ffi_step_kernels_trees {
  int count;
  int first[2], last[2]; ///< one past the last
} ffi_step_kernels_trees;

/// A block of impulse rows and Z = L^-T W of it.
typedef struct ffi_step_kernels_half {
  int row, rows;   ///< in G; 6 at most
  int count;       ///< of velocities
  const int *path; ///< [count] velocities of its rows and of all their ancestors, increasing
  int is_path;     ///< it is one path, from a root on
  int tree[2];     ///< first velocities of the tree or the two trees that it is in
  double *Z;       ///< [rows / 4, rounded up][count][4]
} ffi_step_kernels_half;

typedef struct ffi_step_kernels {
  /// Jacobian rows (linear, angular; NULL to skip) of the point x of a body, times sign, [3][stride] by position on its
  /// path: J of docs/theory/contact.md, eq. 6.
  void (*path_rows)(const ffi_work *w, int body, const double x[3], double sign, double *linear,
                    double *angular, int stride);
  /// Jdot v of a point, c of docs/theory/contact.md, eq. 6. Needs the bias kernel before.
  void (*point_bias)(const ffi_work *w, int body, const double x[3], ffi_step_kernels_motion *out);

  /// path_rows, the point's velocity u = J v, and c of point_bias, together.
  void (*point_contact)(const ffi_work *w, int body, const double x[3], const double *v, double *J,
                        int stride, double u[3], double c[3]);
  /// Forces of a spring-damper block at four samples of a subinterval, force [3][4]; start: see
  /// ffi_step_kernels_samples.
  void (*sample_sticking)(const ffi_step_kernels_samples *k, const double *J_alpha, const double *start,
                          double *force);

  // Matrix and right-hand side of the frozen system at four poles: docs/theory/exponential.md, eq. 7.

  /// G += J' J of three rows, in a pattern.
  void (*gram)(int columns, const int *dof, const double *J, int stride, int is_path, const ffi_pattern *p,
               double *G);
  /// S = M + sum over classes of kappa_c G_c. kappa [classes][8], G [classes][entries], S [entries][8].
  void (*spread)(int entries, const double *M, int classes, const double *G, const double *kappa, double *S);
  /// S += z j j' of one row.
  void (*add_row)(int columns, const int *dof, const double *j, const double z[FFI_COMPLEX],
                  const ffi_pattern *p, double *S);
  /// S = L' D L, complex symmetric, no pivoting; 1/D on the diagonal.
  void (*factor)(const ffi_pattern *p, double *S);
  /// x := S^-1 x [n][8].
  void (*solve)(const ffi_pattern *p, const double *S, double *x);
  /// x [n][8] = sum over groups and their terms (at most 4) of coefficient [groups][4][8] times vector [groups][n][4].
  void (*mix)(int n, int groups, const int *terms, const double *coefficient, const double *vector,
              double *x);
  /// V [.][4] += J' X, X [3][4]: four vectors at once.
  void (*rows_transposed4)(int columns, const int *dof, const double *J, int stride, const double *X,
                           double *V);
  /// out [n][4]: out[i][w] = sum over lanes of weight[w][8] x[i][8]. With the weights of docs/theory/exponential.md,
  /// eq. 9, the integrals of xi''.
  void (*combine)(int n, const double *x, const double *weight, double *out);
  /// out[w] = v'Mv of four vectors v [n][4], M by a pattern. The norm of docs/theory/exponential.md, section
  /// "Subintervals and the error".
  void (*energies)(const ffi_pattern *p, const double *M, const double *v, double out[4]);
  /// out[r] = j M^-1 j' of three rows, M = L'DL by a pattern, 1/D on the diagonal. y [n][4] is workspace, zero before
  /// and after.
  void (*mobilities)(const ffi_pattern *p, const double *L, int columns, const int *dof, const double *J,
                     int stride, int is_path, double *y, double out[3]);
  /// out [3][4] += J A, A [.][4] by velocity.
  void (*rows_times4)(int columns, const int *dof, const double *J, int stride, const double *A, double *out);
  /// A block's impulses and state over a subinterval from the integrals A [.][4] of xi'': once, twice, three and four
  /// times. docs/theory/exponential.md, eqs 6 and 9.
  void (*advance)(int columns, const int *dof, const double *J, int stride, const double *A,
                  const ffi_step_kernels_interval *over);
  /// out [3][8] += J A, A [.][8] by velocity.
  void (*rows_times8)(int columns, const int *dof, const double *J, int stride, const double *A, double *out);
  /// out [8] = j A of one row.
  void (*row_times8)(int columns, const int *dof, const double *j, const double *A, double *out);
  /// x [n][8] += z y, y [n][8].
  void (*add_product8)(int n, const double z[FFI_COMPLEX], const double *y, double *x);

  // Impulses of hard contact: docs/theory/hard-solvers.md, eq. 1.

  /// W [rows][columns] = axes [rows][3] times three rows J in world axes.
  void (*turn_rows)(int rows, const double *axes, int columns, const double *J, int stride, double *W);
  /// Y [rows][velocities of the trees] = (M^-1 W')', W [rows][columns] over dof, M factored in the workspace. path
  /// [count]: the velocities dof and all their ancestors, increasing. room [nv][4].
  void (*impulse_rows)(const ffi_work *w, int rows, int columns, const int *dof, const double *W, int count,
                       const int *path, const ffi_step_kernels_trees *trees, double *room, double *Y);

  /// h->Z of rows W [rows][columns] over dof, M factored in the workspace. room [nv][4].
  void (*half_rows)(const ffi_work *w, const double *W, int columns, const int *dof,
                    const ffi_step_kernels_half *h, double *room);
  /// G [.][stride] = W' M^-1 W of all blocks, in the order of their rows; stride >= rows + 3.
  void (*couple_rows)(const ffi_work *w, int blocks, const ffi_step_kernels_half *half, double *G,
                      int stride);
  /// The same by blocks, those alone whose paths meet; returns how many. link [blocks (blocks + 1) / 2].
  int (*couple_blocks)(const ffi_work *w, int blocks, const ffi_step_kernels_half *half, ffi_hard_link *link);

  // The judgement of a step: docs/theory/energy.md, section 2.

  /// Kinetic and potential energy: out [2]. M is formed in the workspace, and poses are those of its state. above
  /// [nv] is scratch.
  void (*energy)(const ffi_work *w, const double *v, double *above, double out[2]);
  /// The same where M has been factored.
  void (*energy_factored)(const ffi_work *w, const double *v, double *above, double out[2]);
  int (*is_zero)(const double *x, int count);
  /// Numbers of size below `least` become 0. 1 if all are within `most`; NaN is not.
  int (*settle)(double *x, int count, double least, double most);
  /// The same; 1 if all moved by at most `most` from those of `from`.
  int (*settle_moved)(double *x, const double *from, int count, double least, double most);
  /// The same as settle for records of eight numbers, `stride` numbers apart, each with its own `least`.
  int (*settle_records)(double *x, int records, int stride, const double least[8], double most);

  const ffi_newton_kernels *newton;
} ffi_step_kernels;

/// Of an instruction set that ffi_isa_kernels() has, as the kernels found there name it; never NULL.
const ffi_step_kernels *ffi_step_kernels_find(ff_isa isa);

#endif
