/// hard_memory.h: the working memory that the solvers of hard contact share, and their common operations.
///
/// ffi_hard_solve() puts the blocks into the solvers' order: the iterated ones first (parts 0 .. iterated - 1, rows
/// 0 .. n - 1), then the bilateral ones that are solved for directly. A solver sees Lambda, xi, r and
///
///     impulse form    G [n][stride], c: xi = G Lambda + c; bilateral blocks are already eliminated from both
///     velocity form   u, kept equal to u_free + M^-1 W Lambda; xi of a block is W'u + b + R Lambda
///
/// and leaves Lambda. hard.c does everything else, including the final verification.
#ifndef FFI_CONTACT_HARD_MEMORY_H
#define FFI_CONTACT_HARD_MEMORY_H

#include "contact/hard/hard_prox.h"
#include "contact/hard/hard_sparse.h"

/// Elimination of bilateral rows, hard_direct.c. It numbers parts by place: the last part has place 0.
typedef struct ffi_hard_pivots {
  int size;            ///< number of parts in it, the last ones
  int count;           ///< of pivots
  int *pivot;          ///< [max_blocks] their places, in the order of elimination
  int *first;          ///< [max_blocks + 1] a pivot's neighbours in `neighbour`
  int *neighbour;      ///< [links]
  double *block;       ///< [pairs of parts][36] G, then what elimination makes of it
  double *inverse;     ///< [max_blocks][6] 1/D of each pivot
  double *column;      ///< [max_blocks][36] scratch for a pivot's row of blocks
  unsigned char *link; ///< [size][size] which places G couples
  int *degree;         ///< [max_blocks] number of neighbours that are left; -1: eliminated
} ffi_hard_pivots;

/// Scratch of hard_newton.c and hard_exact.c.
typedef struct ffi_hard_newton {
  double *F, *trial, *trial_F, *trial_xi, *step, *right, *solution, *centre, *kept_c, *kept_G; ///< [rows]
  double *derivative;                                                                          ///< [rows][3]
  double *wide;        ///< [rows][6] the same of contacts with moments
  int *active, *pivot; ///< [rows]
  double rho;          ///< velocity form: xi gets rho D (Lambda - centre)
} ffi_hard_newton;

/// Groups of bodies that no block connects: hard_islands.c.
typedef struct ffi_hard_islands {
  int count;
  int *root;             ///< [max_nv] union-find over velocities
  int *number;           ///< [max_nv] island of a root; -1: none
  int *of;               ///< [max_blocks] island of a block
  int *first;            ///< [max_blocks + 1] where an island's blocks begin
  ffi_hard_block *block; ///< [max_blocks] island by island, otherwise in the problem's order
} ffi_hard_islands;

/// Finds Lambda of a problem whose parts are ordered: one of the solvers below, or one of impact.c.
typedef void ffi_hard_method(ffi_hard_memory *m, ffi_hard_result *result);

struct ffi_hard_memory {
  void *context; ///< of the method
  int max_nv, max_rows, max_blocks, dense_rows, dense_parts;
  const ff_moreau_def *def;
  const ffi_hard *problem;
  int form; ///< FF_HARD_FORM_IMPULSE or _VELOCITY
  int iterated, part_count;
  int n;               ///< rows that are iterated
  int direct;          ///< rows after them that are solved for directly
  ffi_hard_part *part; ///< [max_blocks]
  int *part_of;        ///< [max_blocks] the part of each block
  int *source;         ///< [max_rows] the problem's row of each of ours
  int is_in_order;     ///< source[i] = i
  int *place;          ///< [max_nv] where a velocity is in a block's `reached`; -1: nowhere
  int stride;          ///< of G: the rows of G in use, made a multiple of 4
  double *G;           ///< [dense_rows][stride]
  double *factor;      ///< [dense_rows][dense_rows] of exact
  ffi_hard_pivots pivots;
  ffi_hard_newton newton;
  ffi_hard_sparse sparse;
  ffi_hard_islands islands;
  double *own; ///< [max_blocks][36] each block's own part of G, where there is no G
  double *c, *inverse, *r, *Lambda, *xi, *next,
      *kept;        ///< [max_rows + 3]; inverse: 1 / diagonal, r: alpha times that
  double *rest;     ///< [max_rows] c before bilateral rows were eliminated; impulse form
  double *diagonal; ///< [max_rows] G_ll + R_l in the problem's order
  double *weight;   ///< [max_rows] G_ll + R_l in ours
  double *absolute; ///< [max_rows] T_abs of each of our iterated rows, at most what its `give` allows
  double *u;        ///< [max_nv]
  double *island_u; ///< [max_nv] u of one island
  double *scratch;  ///< [SCRATCH * max_rows]
  double
      work; ///< iterations over all rows since ffi_hard_take_work(): sweeps, steps of Newton, of the interior
  double most_work; ///< that it may be, 0: any
};
enum { FFI_HARD_SCRATCH = 2 };

/// Of one iteration; without G it takes each row alone.
static inline double ffi_hard_memory_iteration_work(const ffi_hard_memory *m)
{
  return m->form == FF_HARD_FORM_VELOCITY ? 1 + m->n / 48.0 : ffi_hard_work_of(m->n);
}

/// W_a' M^-1 W_b of two blocks, Moreau paper eq. 15; needs `place` of b. Returns 0, and sets nothing, if they share no
/// velocity. hard_delassus.c
///   out  [rows of a][stride]
int ffi_hard_delassus_pair(const ffi_hard_block *a, const ffi_hard_block *b, const int *place, double *out,
                           int stride);
void ffi_hard_delassus_place(const ffi_hard_block *block, int *place);   ///< place[reached[k]] = k
void ffi_hard_delassus_unplace(const ffi_hard_block *block, int *place); ///< back to -1

/// G of the parts from `from` on, and `diagonal` and `weight` of these: as a matrix or, if bilateral rows are to be
/// eliminated, as the blocks of hard_direct.c.
void ffi_hard_delassus(ffi_hard_memory *m, int from);
void ffi_hard_delassus_diagonal(ffi_hard_memory *m); ///< only `diagonal` and `weight`, of all parts
void ffi_hard_delassus_rest(ffi_hard_memory *m);     ///< c = W' u_free + b of all parts

/// Before elimination, for the parts from `from` on. begin(): nothing is coupled. block(): the block of parts i >= k,
/// [rows of i][6]. link(): the block has been written, with zeros beyond the rows of k. Diagonal blocks are always
/// there.
void ffi_hard_direct_begin(ffi_hard_memory *m, int from);
double *ffi_hard_direct_block(const ffi_hard_memory *m, int i, int k);
void ffi_hard_direct_link(ffi_hard_memory *m, int i, int k);

/// Direct bilateral impulses, Moreau paper eq. 20. Impulse form: eliminate the parts after the iterated ones from G and
/// c, and find their Lambda at the end.
void ffi_hard_direct_eliminate(ffi_hard_memory *m);
void ffi_hard_direct_recover(ffi_hard_memory *m);
/// Velocity form: factor G_BB once, then bring u and Lambda_B to xi_B = 0 for the Lambda_U that u has.
void ffi_hard_direct_factor(ffi_hard_memory *m);
void ffi_hard_direct_correct(ffi_hard_memory *m);

/// xi of all iterated rows in the impulse form: out = G x + c.
void ffi_hard_product(const ffi_hard_memory *m, const double *x, double *out);

/// One block in the velocity form, Moreau paper eqs 17-19: its xi from u; and u after its impulse changed.
void ffi_hard_block_xi(const ffi_hard_memory *m, const ffi_hard_part *part, const double *Lambda, double *xi);
void ffi_hard_block_push(ffi_hard_memory *m, const ffi_hard_part *part, const double *change);
void ffi_hard_velocity(ffi_hard_memory *m); ///< u = u_free + M^-1 W Lambda, from scratch

void ffi_hard_verify_evaluate(
    ffi_hard_memory *m); ///< the problem's xi, and m->u where there is one, at Lambda
/// Writes Lambda, xi and u into the problem, after solving for the direct bilateral impulses.
void ffi_hard_verify_write(ffi_hard_memory *m);
/// The same, and the residual; 1 if within the tolerances.
int ffi_hard_verify(ffi_hard_memory *m, ffi_hard_result *result);
static inline int ffi_hard_is_given(const ffi_hard *problem) ///< has the caller given G?
{
  return problem->G || problem->link;
}

/// Orders the parts of a problem and runs a method on it: island by island where possible, or as one.
void ffi_hard_run(const ff_moreau_def *def, const ffi_hard *problem, ffi_hard_memory *memory,
                  ffi_hard_method *method, ffi_hard_result *result);
void ffi_hard_run_whole(const ff_moreau_def *def, const ffi_hard *problem, ffi_hard_memory *memory,
                        ffi_hard_method *method, ffi_hard_result *result);

/// The solvers. Each starts from Lambda, ends verified or out of iterations, and fills the result.
void ffi_prox_jor(ffi_hard_memory *m, ffi_hard_result *result);
void ffi_prox_sor(ffi_hard_memory *m, ffi_hard_result *result);
void ffi_prox_sor_split(ffi_hard_memory *m, ffi_hard_result *result);
void ffi_hard_exact(ffi_hard_memory *m, ffi_hard_result *result);
int ffi_hard_exact_to_dense(
    ffi_hard_memory *m); ///< to the impulse form, if that is allowed and there is room
int ffi_hard_large(ffi_hard_memory *m,
                   ffi_hard_result *result); ///< exact in the velocity form; 1 if converged

/// Gauss-Seidel with exact blocks, hard_sweep.c. In the velocity form call ffi_hard_sweep_begin() first.
void ffi_hard_sweep_begin(ffi_hard_memory *m);
int ffi_hard_sweep(ffi_hard_memory *m); ///< 1 if the stopping test of the Moreau paper holds
int ffi_hard_sweep_repeat(ffi_hard_memory *m, int count,
                          ffi_hard_result *result); ///< at most `count`; 1 if converged

void ffi_hard_islands_layout(ffi_hard_islands *s, int max_nv, int max_blocks, ffi_block *block);
int ffi_hard_islands_find(ffi_hard_islands *s, const ffi_hard *problem); ///< returns their number
void ffi_hard_islands_sort(ffi_hard_islands *s, const ffi_hard *problem);
ffi_hard ffi_hard_islands_problem(const ffi_hard_islands *s, const ffi_hard *whole, int island);

#endif
