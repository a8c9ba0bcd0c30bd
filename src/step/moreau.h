/// moreau.h: what the files of the stepper `moreau` share.
///
/// Everything of a step is evaluated at its middle, (q^M, u^S). Velocities there are those of the model, with one turn: the linear part of a joint that
/// both moves and turns (free, planar) is in the axes that the body has at the middle of the step. So M, h and rows come from the kernels as they
/// are, and the linear velocity is that in fixed axes, Moreau paper eq. 21: where no force acts it does not change (docs/theory/moreau.md).
#ifndef FFI_STEP_MOREAU_H
#define FFI_STEP_MOREAU_H

#include "contact/element_rows.h"
#include "contact/hard.h"
#include "contact/impact.h"
#include "step/instant.h"
#include "step/kernels.h"

enum { FFI_MOREAU_FEW_ROWS = 96 }; ///< up to here G is formed without M^-1 W, see choose_matrix()

/// What is within so many skins has a row: to lift one end of a rod by a skin may lower the other by as much, and not into the ground.
enum { FFI_MOREAU_SKINS = 3 };

/// What something near is to a step.
typedef enum ffi_moreau_role {
  FFI_MOREAU_NEAR,    ///< no contact
  FFI_MOREAU_TOUCHES, ///< it overlaps at the middle, or touched in the last step
  FFI_MOREAU_WATCHED, ///< it would be driven in within the step; forgotten after it if it does not push
} ffi_moreau_role;

typedef struct ffi_moreau {
  double ahead;   ///< from the look to the moment whose forces motors give [s]
  double after;   ///< from the look to the end of the step [s]
  double horizon; ///< what is near may not close a gap within this time [s]
  double span;    ///< length of the piece, ca and c2a [s]
  int holds;      ///< c2a, a step that is to be extrapolated: what pushed keeps its distance
  double skin;    ///< distance that contacts keep [m]
  double fall;    ///< speed below which nothing bounces: what falls within the step gains as much [m/s]
  double speed;   ///< of the fastest points [m/s], at least as high as where contacts are looked for
  double lively;  ///< ca, c2a: share of restitution that is left, see ffi_moreau_gives()
  int bounces;    ///< ca, c2a: something strikes that has restitution
  int has_rate;   ///< `rate` [nv] takes the place of what bias forces and tau give at the look
  double *rate;   ///< [nv] velocity change
  ffi_state
      mid; ///< q^M; z^S, the velocity of the start in the middle's axes, as v; references at the end of the step, ground at the middle
  double *h;    ///< [nv]
  double *rush; ///< [nv] rate of the velocities of a motion without forces, as rnea takes it
  double *push; ///< [nv] compliant contacts: dt times their generalised forces
  double *end;  ///< [nv] u^E
  double *way;  ///< [nv] displacement of half a step

  int lacks_room; ///< something that is driven in had no room among max_contacts
  int near_count;
  ffi_near *near;        ///< [scene.most_near]
  ffi_moreau_role *role; ///< [scene.most_near]
  int count;
  ffi_contact *
      contact; ///< [max_contacts] in increasing order of id; those with gap <= 0, and where positions are stabilised what is near
  int *is_watched;           ///< [max_contacts] 1: apart, and forgotten after the step if it does not push
  double (*axes)[9];         ///< [max_contacts] t1, t2, n of each, rows
  double *carried;           ///< [max_contacts] part of a gap's rate that the motion of the ground gives
  ffi_touching *touching;    ///< [max_contacts] compliant contacts at the end of the step
  ffi_element_rows *element; ///< [element_count] those that are held exactly

  int *is_clipped; ///< [element_count] motors whose effort may not suffice: blocks of their own
  int *held_at;    ///< [element_count] where an element's forces are in state.held
  int *dry;        ///< [dry_count] velocities with dry friction
  int dry_count;
  int bilateral_rows;     ///< of all elements that are held exactly
  int stride, most_reach; ///< of J; most velocities of two trees

  ffi_hard problem;
  int *
      owner; ///< [blocks] contact, or max_contacts + element, or max_contacts + element_count + number of a dry velocity
  double *J;     ///< [3][stride] rows of one thing in world axes
  double *room;  ///< [nv][4]
  double *W, *Y; ///< storage of blocks; Y also of halves
  int *dofs, *reached;
  int *identity; ///< [nv] 0, 1, 2, ...
  size_t W_used, Y_used, dofs_used, reached_used;
  double *G;                   ///< [rows][rows and padding], up to FFI_HARD_DENSE_ROWS
  ffi_hard_link *link;         ///< [pairs of blocks], up to FFI_MOREAU_FEW_ROWS of these
  ffi_half *half;              ///< [blocks]
  double *b, *softness, *give; ///< [rows] as ffi_hard's
  double *u_free;              ///< [nv]
  ffi_hard_memory *solver;
  double *bounce;            ///< [blocks] Poisson's restitution, ca and c2a
  ffi_impact_memory *impact; ///< ca, c2a
} ffi_moreau;

/// vdot [nv] of a body that goes on with velocities v, linear ones constant in fixed axes.
void ffi_moreau_rush(const ff_model *model, const double *v, double *vdot);

/// Memory of the stepper, see stepper.h.
void *ffi_moreau_layout(const ffi_system *s, ffi_block *block);

/// Poses, contacts, elements that are held, and h at (q^M, u^S).
ff_status ffi_moreau_look(ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m, ff_error *error);
/// After the look: rows, and the impulses of dt; with dt = 0 those of a blow, in which only the laws act. `mark`: see phase.h.
ff_status ffi_moreau_impulses(ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m, double *mark,
                              ff_error *error);
/// Contacts and mean forces of a step of dt, where the next one starts from.
void ffi_moreau_keep(const ffi_system *s, const ffi_moreau *m, double dt, ffi_state *to);

/// Does a step look at what is near? Where positions are stabilised and contacts are hard.
int ffi_moreau_keeps(const ffi_system *s);
/// m->near and the contacts among it, at the poses of s->work. FF_ERROR_LIMIT if there are more than max_contacts.
ff_status ffi_moreau_choose(ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m, ff_error *error);
/// After the solve: 1 if there are other contacts now, and the step is to be solved once more. round: how often it was asked before.
int ffi_moreau_choose_again(const ffi_system *s, double dt, int round, ffi_moreau *m);

/// Compliant contacts: m->push and m->touching.
void ffi_moreau_springs(ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m);

/// Which motors are blocks of their own from the start: those that gave all they have in the last step. None in a blow, dt = 0.
void ffi_moreau_begin_motors(const ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m);
/// Motors that gave more than they can become blocks, in a second round all that could; 1 if there were any.
int ffi_moreau_clip_motors(const ffi_system *s, double dt, int round, ffi_moreau *m);
/// Force of a motor or spring at the end of a step with the velocity u.
double ffi_moreau_motor_force(const ffi_system *s, const ffi_moreau *m, int element, double u);

/// Mass matrix, what is implicit on its diagonal, its factors, and m->u_free. FF_ERROR_NUMERIC if it is singular.
ff_status ffi_moreau_free(ffi_system *s, double dt, ffi_moreau *m, ff_error *error);

/// ca, c2a: m->u_free of bodies that float alone, with their gyroscopic moment at the end of dt in place of that at its start. After ffi_moreau_free().
void ffi_moreau_spin(const ffi_system *s, double dt, ffi_moreau *m);
/// How long the momentum of such a body takes to turn by a radian in its axes, at the velocities v; of the quickest, infinite if none does.
double ffi_moreau_spin_time(const ffi_system *s, const double *v);

/// Impulses, xi and u of the problem, with these options.
void ffi_moreau_solve(const ffi_system *s, const ff_moreau_def *def, ffi_moreau *m, ffi_hard_result *result);

/// Energy that the impulses of the step's rigid laws took [J]: contacts, stops, welds, dry friction. After the solve.
double ffi_moreau_taken(const ffi_system *s, const ffi_moreau *m);
/// Do impulses bring in energy? Restitution can: what goes back between two things that it touches drives them apart. After the solve.
int ffi_moreau_gives(const ffi_system *s, const ffi_moreau *m);
/// Of motion, of height and in motors with these references [J], and that of motion alone. Overwrites the poses of s->work.
double ffi_moreau_energy(ffi_system *s, const double *q, const double *v, const double *reference,
                         double *kinetic);

/// After the step: positions of `to` are corrected, velocities turned with them, and made smaller where motion has to pay. Overwrites the problem, m->mid, m->rush and m->way.
void ffi_moreau_stabilise(ffi_system *s, double dt, ffi_moreau *m, ffi_state *to);

/// Blocks of the contacts, elements and dry friction of the step; the mass matrix is factored.
void ffi_moreau_rows(ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m);

#endif
