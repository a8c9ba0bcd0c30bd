/// ess_tangent.h: tangent vectors that are carried along a motion.
///
/// The motion and its tangent vectors are integrated together, as one event-selected system of its own: its state is (x, delta_1 .. delta_count), its field that of the system and the
/// variational equation, its guards and its arming list are the system's, and guards are located. In between
///
///     delta' = Df delta + d/ds (pull(x, s delta, f) - pull(x, s f, delta)) at s = 0,
///
/// where the second part, which is there on manifolds only, says how the place that delta is attached to turns underneath it.
///
/// At a crossing the vectors stay what they are, and what they were is noted with the guard; ffi_ode_ess_corner_pass() takes them across all guards that were crossed together.
#ifndef FFI_ODE_ESS_TANGENT_H
#define FFI_ODE_ESS_TANGENT_H

#include "ode/ode_ess.h"

typedef struct ffi_ode_ess_tangent {
  ff_ess *base;  ///< whose system it is
  ff_ess *joint; ///< the motion with its vectors
  int count;
  double
      *scale; ///< [count] length of the vectors when they were given; they are carried as vectors of length 1

  // What was crossed together, in the order of the motion.
  int *crossed, crossed_count;
  double t;          ///< of the first of them
  double *x;         ///< [size] before it
  signed char *side; ///< [guards] before it
  double *delta;     ///< [count][tangent] before it

  int section;               ///< a guard that is not crossed together with others but noted apart; -1: none
  double *section_x;         ///< [size] before it
  signed char *section_side; ///< [guards] before it

  // Work.
  double *f, *f_minus, *f_plus, *d; ///< [tangent] each
  double *x_minus, *x_plus, *x_at;  ///< [size] each
  double *corner_x, *corner_jump;   ///< [size]
  double *corner_f;                 ///< [tangent]
  double *matrix;                   ///< [tangent][tangent], where slopes are given
  double *rate_of_y, *rate_of_f;    ///< [guards]
  signed char *side_at;             ///< [guards]
  unsigned char *is_left;           ///< [guards]
  ff_ess_rearm *rearm;
} ffi_ode_ess_tangent;

/// Begin at (t, x, side; NULL: by signs) with `count` vectors, direction [count][tangent]. ffi_ode_ess_tangent_end() in any case.
ff_status ffi_ode_ess_tangent_begin(ffi_ode_ess_tangent *c, ff_ess *base, double t, const double *x,
                                    const signed char *side, int section, int count, const double *direction,
                                    ff_error *error);
void ffi_ode_ess_tangent_end(ffi_ode_ess_tangent *c);

/// On to t_end, or through the next crossing of the section: is_there is then 1, and the vectors are those before it. Guards that are crossed within `together` are passed together.
ff_status ffi_ode_ess_tangent_advance(ffi_ode_ess_tangent *c, double t_end, double together, int *is_there,
                                      ff_error *error);

/// The base goes where the motion has gone.
ff_status ffi_ode_ess_tangent_hand_over(const ffi_ode_ess_tangent *c, ff_error *error);

double *ffi_ode_ess_tangent_vector(const ffi_ode_ess_tangent *c,
                                   int number); ///< [tangent], of length 1 at the beginning

/// The vectors across the guards that were crossed together.
ff_status ffi_ode_ess_corner_pass(ffi_ode_ess_tangent *c, ff_error *error);

/// out := DR y + time dR/dt: how the state after the jump at guard moves as that before moves by y and the jump comes `time` later. x is before the jump. y may be out.
ff_status ffi_ode_ess_corner_jump(ffi_ode_ess_tangent *c, int guard, double t, const double *x,
                                  const signed char *side, const double *y, double time, double *out,
                                  ff_error *error);

/// Length of the differences that are taken at x along a vector v: rounding and truncation are alike for numbers of size 1.
double ffi_ode_ess_tangent_difference(int size, const double *x, int tangent, const double *v);

#endif
