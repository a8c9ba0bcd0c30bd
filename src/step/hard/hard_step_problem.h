/// moreau_problem.h: the set-valued laws of a look as a problem in impulses, and its solution.
///
/// ffi_hard_step_contacts_begin() takes the contacts of a look; ffi_hard_step_impulses() makes rows of them, of held elements,
/// stops, motors that may saturate and dry friction, and solves for their impulses. Which contacts and motors count
/// is found on the way: impulses may drive in what was only near, and motors may have to give more than they can.
/// Afterwards the problem is that of the impulses found, and those who read it (what is kept, energies, corrections)
/// take it const.
#ifndef FFI_STEP_MOREAU_PROBLEM_H
#define FFI_STEP_MOREAU_PROBLEM_H

#include "contact/hard/hard.h"
#include "contact/impact/impact.h"
#include "step/hard/hard_step_evaluation.h"
#include "step/step_kernels.h"

enum { FFI_HARD_STEP_PROBLEM_FEW_ROWS = 96 }; ///< up to here G is formed without M^-1 W, see choose_matrix()

typedef struct ffi_hard_step_problem {
  const ffi_hard_step_evaluation *look;
  ffi_hard_step_evaluation_role *role; ///< [scene.most_near] of what is near at the look, as found so far
  int count;
  ffi_contact *contact; ///< [max_contacts] in increasing order of id; all of `role` that are not merely near
  int *is_watched;      ///< [max_contacts] 1: apart, and forgotten after the step if it does not push
  double (*axes)[9];    ///< [max_contacts] t1, t2, n of each, rows
  double *carried;      ///< [max_contacts] part of a gap's rate that the motion of the ground gives
  double *push;         ///< [nv] compliant contacts: dt times their generalised forces
  ffi_state_contact *touching; ///< [max_contacts] compliant contacts at the end of the step
  int *is_clipped;             ///< [element_count] motors whose effort may not suffice: blocks of their own
  int bounces;                 ///< ca, c2a: something strikes that has restitution

  ffi_hard hard;
  /// [blocks] contact, or max_contacts + element, or max_contacts + element_count + number of a dry velocity.
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

  /// Room to work in.
  double *J;    ///< [3][stride] rows of one thing in world axes
  double *room; ///< [nv][4]
  ffi_hard_memory *hard_memory;
  ffi_impact_memory *impact_memory; ///< ca, c2a

  /// Lists that depend on the model alone.
  int *held_at; ///< [element_count] where an element's forces are in state.held
  int *dry;     ///< [dry_count] velocities with dry friction
  int dry_count;
  int *identity;          ///< [nv] 0, 1, 2, ...
  int bilateral_rows;     ///< of all elements that are held exactly
  int stride, most_reach; ///< of J; most velocities of two trees
} ffi_hard_step_problem;

/// What finding impulses took, and how well they were found.
typedef struct ffi_hard_step_problem_result {
  int iterations, fallbacks; ///< of all solves
  int converged;             ///< the last one
  double residual, alpha;    ///< of the last one, see ffi_hard_result
  int lacks_room;            ///< something that is driven in had no room among max_contacts
} ffi_hard_step_problem_result;

/// Add a result to the step's info; all but alpha, which only impulses have.
void ffi_hard_step_impulses_report(const ffi_hard_step_problem_result *result, ff_step_info *info);

void ffi_hard_step_memory_layout_problem(const ffi_system *s, ffi_block *block, ffi_hard_step_problem *out);
void ffi_hard_step_memory_list(const ffi_system *s,
                               ffi_hard_step_problem *p); ///< once it is placed: the lists of the model

/// The contacts of a look.
void ffi_hard_step_contacts_begin(const ffi_system *s, const ffi_hard_step_evaluation *look,
                                  ffi_hard_step_problem *p);
/// Compliant contacts: p->push and p->touching; returns how many slip.
int ffi_hard_step_compliant(const ffi_system *s, const ffi_hard_step_request *request,
                            ffi_hard_step_problem *p);
/// Rows and impulses. `mark`: see phase.h. *result says how it went, whatever is returned.
ff_status ffi_hard_step_impulses(ffi_system *s, const ffi_hard_step_request *request,
                                 ffi_hard_step_problem *p, double *mark, ffi_hard_step_problem_result *result,
                                 ff_error *error);
/// Contacts and mean forces over the request's span, where the next step starts from; returns how many slip.
int ffi_hard_step_impulses_store(const ffi_system *s, const ffi_hard_step_request *request,
                                 const ffi_hard_step_problem *p, ffi_state *to);

/// After the solve: 1 if there are other contacts now, and the step is to be solved once more. round: how often it
/// was asked before.
int ffi_hard_step_contacts_choose_again(const ffi_system *s, const ffi_hard_step_request *request, int round,
                                        ffi_hard_step_problem *p, ffi_hard_step_problem_result *result);

/// Which motors are blocks of their own from the start: those that gave all they have in the last step. None in a
/// blow, dt = 0.
void ffi_hard_step_motors_begin(const ffi_system *s, const ffi_hard_step_request *request,
                                ffi_hard_step_problem *p);
/// Motors that gave more than they can become blocks, in a second round all that could; 1 if there were any.
int ffi_hard_step_motors_clip(const ffi_system *s, const ffi_hard_step_request *request, int round,
                              ffi_hard_step_problem *p);
/// Force of a motor or spring at the end of a step with the velocity u.
double ffi_hard_step_motors_force(const ffi_system *s, const ffi_hard_step_request *request,
                                  const ffi_hard_step_evaluation *look, int element, double u);

/// Mass matrix, what is implicit on its diagonal, its factors, and p->u_free. FF_ERROR_NUMERIC if it is singular.
ff_status ffi_hard_step_motors_free_velocity(ffi_system *s, const ffi_hard_step_request *request,
                                             ffi_hard_step_problem *p, ff_error *error);

/// ca, c2a: u_free [nv] of bodies that float alone, with their gyroscopic moment at the end of dt in place of that at
/// its start, velocities v. After ffi_hard_step_motors_free_velocity().
void ffi_hard_step_gyro(const ffi_system *s, double dt, const double *v, double *u_free);
/// How long the momentum of such a body takes to turn by a radian in its axes, at the velocities v; of the quickest,
/// infinite if none does.
double ffi_hard_step_gyro_time(const ffi_system *s, const double *v);

/// Blocks of the contacts, elements and dry friction of the step; the mass matrix is factored.
void ffi_hard_step_rows(const ffi_system *s, const ffi_hard_step_request *request, ffi_hard_step_problem *p);
/// c->rows and c->u of a contact at the look with the velocities v [nv]; in p->J, and p->dofs from p->dofs_used on.
void ffi_hard_step_rows_contact(const ffi_system *s, const ffi_hard_step_problem *p, const double *v,
                                ffi_contact *c);

/// Impulses, xi and u of `hard`, which has the rows of the problem: its own laws, or those of a correction.
void ffi_hard_step_solve(const ffi_system *s, const ffi_hard_step_request_solver *solver,
                         const ffi_hard_step_problem *p, const ffi_hard *hard, ffi_hard_result *result);

/// Energy that the impulses of the step's rigid laws took [J]: contacts, stops, welds, dry friction. After the solve.
double ffi_hard_step_energy_taken(const ffi_system *s, const ffi_hard_step_problem *p);
/// Do impulses bring in energy? Restitution can: what goes back between two things that it touches drives them apart.
/// After the solve.
int ffi_hard_step_energy_is_gained(const ffi_system *s, const ffi_hard_step_problem *p);

#endif
