/// hard_step_problem.h: the set-valued laws of an evaluation as a problem in impulses, and its solution.
///
/// ffi_hard_step_contacts_begin() takes the contacts of an evaluation. ffi_hard_step_impulses() makes rows of them,
/// of constraints, stops, motors that may saturate and dry friction, and solves for their impulses. Which contacts
/// and motors take part is found on the way: impulses may drive near features into penetration, and motors may have
/// to give more than they can. Afterwards the problem is that of the impulses found, and its readers (stored
/// contacts, energies, corrections) take it const.
#ifndef FFI_STEP_HARD_HARD_STEP_PROBLEM_H
#define FFI_STEP_HARD_HARD_STEP_PROBLEM_H

#include "contact/hard/hard.h"
#include "contact/impact/impact.h"
#include "step/hard/hard_step_evaluation.h"
#include "step/step_kernels.h"

enum { FFI_HARD_STEP_PROBLEM_FEW_ROWS = 96 }; ///< up to here G is formed without M^-1 W, see choose_matrix()

typedef struct ffi_hard_step_problem {
  const ffi_hard_step_evaluation *evaluation;
  ffi_hard_step_evaluation_role *role; ///< [colliders.max_candidates] of near features, as found so far
  int count;
  ffi_contact *contact; ///< [max_contacts] in increasing order of id; all features whose role is not NEAR
  int *is_anticipated;  ///< [max_contacts] 1: apart, and dropped after the step if it does not push
  double (*axes)[9];    ///< [max_contacts] t1, t2, n of each, rows
  double *carried;      ///< [max_contacts] part of a gap's rate that the motion of the ground gives
  double *push;         ///< [nv] compliant contacts: dt times their generalised forces
  ffi_state_contact *touching; ///< [max_contacts] compliant contacts at the end of the step
  int *is_clipped; ///< [element_count] motors whose effort may not suffice: they have rows of their own
  int bounces;     ///< ca, c2a: something with restitution strikes

  ffi_hard hard;
  /// [blocks] contact, or max_contacts + element; dry friction of joints counts as elements behind those of the user.
  int *owner;
  double *W, *Y; ///< storage of blocks; Y also of halves
  int *dofs, *reached;
  size_t W_used, Y_used, dofs_used, reached_used;
  double *G;                   ///< [rows][rows and padding], up to FFI_HARD_DENSE_ROWS
  ffi_hard_link *link;         ///< [pairs of blocks], up to FFI_HARD_STEP_PROBLEM_FEW_ROWS of these
  ffi_step_kernels_half *half; ///< [blocks]
  double *b, *softness, *give; ///< [rows] as ffi_hard's
  double *u_free;              ///< [nv]
  double *bounce;              ///< [blocks] Poisson's restitution, ca and c2a

  /// Scratch.
  double *J;    ///< [3][stride] rows of one contact or constraint in world axes
  double *room; ///< [nv][4]
  ffi_hard_memory *hard_memory;
  ffi_impact_memory *impact_memory; ///< ca, c2a

  /// Lists that depend on the model alone.
  int *identity;          ///< [nv] 0, 1, 2, ...
  int bilateral_rows;     ///< of all rigid constraints
  int stride, most_reach; ///< of J; most velocities of two trees
} ffi_hard_step_problem;

/// The effort of finding impulses, and their quality.
typedef struct ffi_hard_step_problem_result {
  int iterations, fallbacks; ///< of all solves
  int converged;             ///< the last one
  double residual, alpha;    ///< of the last one, see ffi_hard_result
  int lacks_room;            ///< a penetrating feature had no room among max_contacts
  int gave_up;               ///< of a correction: no displacement was found, and positions are as they were
} ffi_hard_step_problem_result;

/// Add a result to the step's info; all but alpha, which only impulses have.
void ffi_hard_step_impulses_report(const ffi_hard_step_problem_result *result, ff_step_info *info);

/// The contacts of an evaluation.
void ffi_hard_step_contacts_begin(const ffi_system *s, const ffi_hard_step_evaluation *evaluation,
                                  ffi_hard_step_problem *p);
/// Compliant contacts: p->push and p->touching; returns how many slip.
int ffi_hard_step_compliant(const ffi_system *s, const ffi_hard_step_request *request,
                            ffi_hard_step_problem *p);
/// Rows and impulses. `mark`: see phase.h. *result is filled whatever is returned.
ff_status ffi_hard_step_impulses(ffi_system *s, const ffi_hard_step_request *request,
                                 ffi_hard_step_problem *p, double *mark, ffi_hard_step_problem_result *result,
                                 ff_error *error);
/// Contacts and mean forces over the request's span, for the start of the next step; returns how many slip.
int ffi_hard_step_impulses_store(const ffi_system *s, const ffi_hard_step_request *request,
                                 const ffi_hard_step_problem *p, ffi_state *to);

/// After the solve: 1 if the set of contacts has changed and the step has to be solved again. round: how often it was
/// asked before.
int ffi_hard_step_contacts_choose_again(const ffi_system *s, const ffi_hard_step_request *request, int round,
                                        ffi_hard_step_problem *p, ffi_hard_step_problem_result *result);

/// Which motors have rows of their own from the start: those that were saturated in the last step. None in an impact,
/// dt = 0.
void ffi_hard_step_motors_begin(const ffi_system *s, const ffi_hard_step_request *request,
                                ffi_hard_step_problem *p);
/// Motors beyond their effort get rows of their own, in a second round all that could saturate; 1 if there were any.
int ffi_hard_step_motors_clip(const ffi_system *s, const ffi_hard_step_request *request, int round,
                              ffi_hard_step_problem *p);
/// Force of a motor or spring at the end of a step with the velocity u.
double ffi_hard_step_motors_force(const ffi_system *s, const ffi_hard_step_request *request,
                                  const ffi_hard_step_evaluation *evaluation, int element, double u);

/// Mass matrix, implicit terms on its diagonal, its factors, and p->u_free. FF_ERROR_NUMERIC if it is singular.
ff_status ffi_hard_step_motors_free_velocity(ffi_system *s, const ffi_hard_step_request *request,
                                             ffi_hard_step_problem *p, ff_error *error);

/// ca, c2a: u_free [nv] of bodies that float alone, with their gyroscopic moment at the end of dt in place of that at
/// its start, velocities v. After ffi_hard_step_motors_free_velocity(). c2a.md, section 1
void ffi_hard_step_gyro(const ffi_system *s, double dt, const double *v, double *u_free);
/// The time in which the momentum of such a body turns by a radian in its axes, at the velocities v; of the fastest,
/// infinite if none turns.
double ffi_hard_step_gyro_time(const ffi_system *s, const double *v);

/// Blocks of the contacts, elements and dry friction of the step; the mass matrix is factored.
void ffi_hard_step_rows(const ffi_system *s, const ffi_hard_step_request *request, ffi_hard_step_problem *p);
/// c->rows and c->u of a contact with the velocities v [nv]; in p->J, and p->dofs from p->dofs_used on.
void ffi_hard_step_rows_contact(const ffi_system *s, const ffi_hard_step_problem *p, const double *v,
                                ffi_contact *c);

/// Torsional and rolling friction, hard_step_turning.c: how many rows the block of a contact has, 3 or 6; W of the
/// last three; their part of b, and where they start from; and their moments, for the start of the next step.
int ffi_hard_step_turning_rows(const ffi_system *s, const ffi_contact *c);
void ffi_hard_step_turning_fill(const ffi_system *s, const ffi_hard_step_problem *p, int i,
                                const ffi_hard_block *block, double *W);
void ffi_hard_step_turning_begin(const ffi_system *s, const ffi_hard_step_request *request,
                                 const ffi_hard_step_problem *p, int i, const ffi_hard_block *block);
void ffi_hard_step_turning_store(const ffi_system *s, double span, const ffi_hard_step_problem *p,
                                 ffi_state *to);

/// Velocity of row r of a block for the velocities u [nv].
double ffi_hard_step_rows_velocity(const ffi_hard_block *block, int r, const double *u);

/// Impulses, xi and u of `hard`, which has the rows of the problem: its own laws, or those of a correction.
void ffi_hard_step_solve(const ffi_system *s, const ffi_hard_step_request_solver *solver,
                         const ffi_hard_step_problem *p, const ffi_hard *hard, ffi_hard_result *result);

/// Energy that the impulses of the step's rigid laws dissipated [J]: contacts, stops, welds, dry friction. After the
/// solve.
double ffi_hard_step_energy_taken(const ffi_system *s, const ffi_hard_step_problem *p);
/// Do impulses add energy? Restitution can: a body that bounces back between two others drives them apart. After the
/// solve.
int ffi_hard_step_energy_is_gained(const ffi_system *s, const ffi_hard_step_problem *p);

#endif
