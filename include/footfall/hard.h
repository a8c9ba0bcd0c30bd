/// hard.h: contact without stiffness: the options of the stepper `moreau`.
///
/// Each step solves one problem in impulses: contacts do not go into each other, friction stays in its disc and opposes sliding, stops push and
/// never pull, welds hold. docs/theory/moreau.md has the equations. Start from ff_sim_def_default().moreau.
#ifndef FOOTFALL_HARD_H
#define FOOTFALL_HARD_H

#ifdef __cplusplus
extern "C" {
#endif

/// How the impulses are found.
typedef enum ff_hard_solver {
  FF_HARD_JOR,       ///< "jor": all contacts at once from the last iterate, Moreau paper eq. 16
  FF_HARD_SOR,       ///< "sor": one contact after the other
  FF_HARD_SOR_SPLIT, ///< "sor-split": one after the other, normal and tangential directions apart
  FF_HARD_EXACT, ///< "exact": converges where those stall; docs/theory/hard-solvers.md says how (default). Always solves bilateral rows directly
} ff_hard_solver;
enum { FF_HARD_SOLVER_COUNT = FF_HARD_EXACT + 1 };                 ///< how many there are
const char *ff_hard_solver_name(ff_hard_solver solver);            ///< never NULL
int ff_hard_solver_find(const char *name, ff_hard_solver *solver); ///< 1 if there is one of that name

/// What the iteration works on.
typedef enum ff_hard_form {
  FF_HARD_FORM_AUTO,     ///< "auto": the cheaper one (default)
  FF_HARD_FORM_IMPULSE,  ///< "impulse": the Delassus matrix G = W' M^-1 W is formed, eq. 12
  FF_HARD_FORM_VELOCITY, ///< "velocity": without G, on the end velocity, eqs 17-19
} ff_hard_form;
enum { FF_HARD_FORM_COUNT = FF_HARD_FORM_VELOCITY + 1 };     ///< how many there are
const char *ff_hard_form_name(ff_hard_form form);            ///< never NULL
int ff_hard_form_find(const char *name, ff_hard_form *form); ///< 1 if there is one of that name

/// How welds, points and cut joints get their impulses.
typedef enum ff_hard_bilateral {
  FF_HARD_DIRECT, ///< "direct": from a factorisation, eq. 20 (default)
  FF_HARD_PROX,   ///< "prox": iterated like contacts, eq. 19; "exact" takes no notice of it
} ff_hard_bilateral;
enum { FF_HARD_BILATERAL_COUNT = FF_HARD_PROX + 1 };             ///< how many there are
const char *ff_hard_bilateral_name(ff_hard_bilateral bilateral); ///< never NULL
/// 1 if there is one of that name
int ff_hard_bilateral_find(const char *name, ff_hard_bilateral *bilateral);

/// What contacts are to `moreau`.
typedef enum ff_hard_contact {
  FF_HARD_CONTACT_HARD,      ///< "hard" (default)
  FF_HARD_CONTACT_COMPLIANT, ///< "compliant": springs of the law of Algorithm 1, at (q^M, u^S)
} ff_hard_contact;
enum { FF_HARD_CONTACT_COUNT = FF_HARD_CONTACT_COMPLIANT + 1 };       ///< how many there are
const char *ff_hard_contact_name(ff_hard_contact contact);            ///< never NULL
int ff_hard_contact_find(const char *name, ff_hard_contact *contact); ///< 1 if there is one of that name

/// Options of `moreau`.
typedef struct ff_moreau_def {
  ff_hard_contact contact;     ///< default FF_HARD_CONTACT_HARD
  ff_hard_solver solver;       ///< default FF_HARD_EXACT
  ff_hard_form form;           ///< default FF_HARD_FORM_AUTO
  ff_hard_bilateral bilateral; ///< default FF_HARD_DIRECT
  /// Relaxation of jor and sor, r = alpha / G_ll: 0..2; 0 (default): chosen, and halved when the iteration diverges or cycles
  double alpha;
  double relative_tolerance; ///< T_rel of the impulses' change, 0..0.1, default 1e-6
  /// T_abs [N s], > 0, at most 1, default 1e-6. For contacts, stops and dry joints that weigh less than 10 g (10 g m^2) it stands for the velocity that it gives to 10 g.
  double absolute_tolerance;
  int max_iterations; ///< of jor and sor, and of each stage of exact: 1..100000, default 1000
  int warm_start;     ///< 1 (default): start from the impulses of the last step
  int stabilise; ///< 1: after a step, by "exact" to 1e-7 m, shapes that overlap are moved apart, welds and cut joints together, as far as impulses and motion pay for it; default 0
} ff_moreau_def;

#ifdef __cplusplus
}
#endif
#endif
