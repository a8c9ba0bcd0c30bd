/// hard.h: contact without stiffness: the options of the stepper `moreau`.
///
/// Each step solves one problem in impulses: contacts do not penetrate, friction stays in its disc and opposes
/// sliding, joint stops push and never pull, welds are exact constraints. docs/theory/moreau.md has the equations.
/// Start from ff_sim_def_default().moreau.
#ifndef FOOTFALL_HARD_H
#define FOOTFALL_HARD_H

#ifdef __cplusplus
extern "C" {
#endif

/// Solver for the impulses.
typedef enum ff_hard_solver {
  FF_HARD_JOR,       ///< "jor": Jacobi: all contacts at once from the last iterate, Moreau paper eq. 16
  FF_HARD_SOR,       ///< "sor": Gauss-Seidel: one contact after the other
  FF_HARD_SOR_SPLIT, ///< "sor-split": Gauss-Seidel, normal and tangential directions separately
  /// "exact": converges where the others stall, see docs/theory/hard-solvers.md (default). Always solves bilateral
  /// rows directly
  FF_HARD_EXACT,
} ff_hard_solver;
enum { FF_HARD_SOLVER_COUNT = FF_HARD_EXACT + 1 };                 ///< number of solvers
const char *ff_hard_solver_name(ff_hard_solver solver);            ///< never NULL
int ff_hard_solver_find(const char *name, ff_hard_solver *solver); ///< 1 if a solver has that name

/// Unknowns of the iteration.
typedef enum ff_hard_form {
  FF_HARD_FORM_AUTO,     ///< "auto": the cheaper form (default)
  FF_HARD_FORM_IMPULSE,  ///< "impulse": forms the Delassus matrix G = W' M^-1 W, eq. 12
  FF_HARD_FORM_VELOCITY, ///< "velocity": iterates on the end velocity without G, eqs 17-19
} ff_hard_form;
enum { FF_HARD_FORM_COUNT = FF_HARD_FORM_VELOCITY + 1 };     ///< number of forms
const char *ff_hard_form_name(ff_hard_form form);            ///< never NULL
int ff_hard_form_find(const char *name, ff_hard_form *form); ///< 1 if a form has that name

/// Method for the impulses of welds, points and cut joints.
typedef enum ff_hard_bilateral {
  FF_HARD_DIRECT, ///< "direct": by a factorisation, eq. 20 (default)
  FF_HARD_PROX,   ///< "prox": iterated like contacts, eq. 19; the solver "exact" ignores it
} ff_hard_bilateral;
enum { FF_HARD_BILATERAL_COUNT = FF_HARD_PROX + 1 };             ///< number of methods
const char *ff_hard_bilateral_name(ff_hard_bilateral bilateral); ///< never NULL
/// 1 if a method has that name
int ff_hard_bilateral_find(const char *name, ff_hard_bilateral *bilateral);

/// Contact model of `moreau`.
typedef enum ff_hard_contact {
  FF_HARD_CONTACT_HARD,      ///< "hard" (default)
  FF_HARD_CONTACT_COMPLIANT, ///< "compliant": springs with the law of Algorithm 1, evaluated at (q^M, u^S)
} ff_hard_contact;
enum { FF_HARD_CONTACT_COUNT = FF_HARD_CONTACT_COMPLIANT + 1 }; ///< number of contact models
const char *ff_hard_contact_name(ff_hard_contact contact);      ///< never NULL
/// 1 if a contact model has that name
int ff_hard_contact_find(const char *name, ff_hard_contact *contact);

/// Options of `moreau`.
typedef struct ff_moreau_def {
  ff_hard_contact contact;     ///< default FF_HARD_CONTACT_HARD
  ff_hard_solver solver;       ///< default FF_HARD_EXACT
  ff_hard_form form;           ///< default FF_HARD_FORM_AUTO
  ff_hard_bilateral bilateral; ///< default FF_HARD_DIRECT
  /// Relaxation factor of jor and sor, r = alpha / G_ll, 0..2. 0 (default): chosen automatically, and halved when the
  /// iteration diverges or cycles
  double alpha;
  double relative_tolerance; ///< T_rel of the impulses' change, 0..0.1, default 1e-6
  /// T_abs of the impulses' change [N s], > 0, at most 1, default 1e-6. Contacts, stops and joints with dry friction
  /// whose effective mass is below 10 g (10 g m^2) use the velocity that T_abs gives to 10 g.
  double absolute_tolerance;
  int max_iterations; ///< of jor and sor, and of each stage of exact, 1..100000, default 1000
  int warm_start;     ///< 1 (default): start from the impulses of the last step
  /// 1: correct positions after each step, with the solver "exact" to 1e-7 m: move overlapping shapes apart, and
  /// welds and cut joints together, as far as the energy that impulses dissipate, and a little of the motion's,
  /// covers it; default 0
  int stabilise;
} ff_moreau_def;

#ifdef __cplusplus
}
#endif
#endif
