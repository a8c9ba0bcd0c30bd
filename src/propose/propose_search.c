// Which starts are tried, in which order, with which stepper and step.
#include "propose/propose.h"

#include <math.h>

// Does it rest on its base, and not on its limbs?
static int is_on_belly(const ffi_propose *p)
{
  int is_on = 0;
  for (int i = 0; i < p->result.foot_count; ++i) {
    ff_link_info link;
    is_on |= ff_model_link(p->model, p->feet[i], &link) == FF_OK && link.joint == p->result.base;
  }
  return p->result.base >= 0 && !p->is_fixed && is_on;
}

static ff_proposal_state state_of(const ffi_propose *p, int which)
{
  if (!p->result.is_stable)
    return FF_PROPOSAL_MOVES;
  if (p->is_fixed)
    return FF_PROPOSAL_HELD;
  const int is_upright = which < FFI_PROPOSE_UPRIGHT_STARTS || p->result.posture >= 0;
  return is_upright ? FF_PROPOSAL_STANDS : FF_PROPOSAL_LIES;
}

static ff_status try_start(ffi_propose *p, int which, ff_error *error)
{
  ffi_propose_start(p, which);
  const ff_status status = ffi_propose_try(p, error);
  p->result.state = state_of(p, which);
  return status;
}

// How far the base is from its start in the end.
static double moved_in_the_end(const ffi_propose *p)
{
  ff_joint_info base;
  ff_model_joint(p->model, p->result.base, &base);
  const double *a = p->q + base.q, *b = p->end + base.q;
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

// The weight of what stands presses soft ground, feet, servos and loops in: start from there, if it then moves less.
static ff_status sink(ffi_propose *p, int which, ff_error *error)
{
  static const double notable = 1e-3; // [m]
  if (!p->result.is_stable || p->result.base < 0 || !p->is_landed)
    return FF_OK;
  const double moved = moved_in_the_end(p);
  if (moved < notable)
    return FF_OK;
  ffi_propose_start_pressed(p);
  const ff_status status = ffi_propose_try(p, error);
  if (status == FF_OK && !(p->result.is_stable && moved_in_the_end(p) < 0.5 * moved))
    return try_start(p, which, error);
  p->result.state = state_of(p, which);
  return status;
}

// The first start that the robot has: its first posture, bent knees, or joints at zero.
static int first_start(ffi_propose *p)
{
  int which = 0;
  while (ffi_propose_start(p, which) == 0)
    ++which;
  return which;
}

// One start after the other until one is stable; else the first. A robot that lies on its belly may be more stable with
// bent legs.
static ff_status try_starts(ffi_propose *p, ff_error *error)
{
  int is_start, on_belly = -1;
  ff_status status;
  for (int which = 0; (is_start = ffi_propose_start(p, which)) >= 0; ++which) {
    if (which == FFI_PROPOSE_UPRIGHT_STARTS && on_belly >= 0)
      break;
    if (!is_start)
      continue;
    if ((status = ffi_propose_try(p, error)) != FF_OK)
      return status;
    p->result.state = state_of(p, which);
    const int may_do_better = which < FFI_PROPOSE_UPRIGHT_STARTS && p->result.posture < 0 && is_on_belly(p);
    if (p->result.is_stable && !may_do_better)
      return sink(p, which, error);
    if (p->result.is_stable && on_belly < 0)
      on_belly = which;
    if (p->result.has_run_away && on_belly < 0)
      return FF_OK; // shorter steps will be tried
  }
  const int which = on_belly >= 0 ? on_belly : first_start(p);
  status = try_start(p, which, error);
  return status == FF_OK ? sink(p, which, error) : status;
}

// Let it fall, and start from where it comes to rest, if it does.
static ff_status settle(ffi_propose *p, ff_error *error)
{
  for (int again = 0; again < 3 && !p->result.is_stable && !p->result.has_run_away; ++again) {
    ffi_propose_start_from_end(p);
    const ff_status status = ffi_propose_try(p, error);
    if (status != FF_OK)
      return status;
  }
  if (p->result.is_stable) {
    p->result.state = p->is_fixed ? FF_PROPOSAL_HELD : FF_PROPOSAL_LIES;
    p->result.is_settled = 1;
    return FF_OK;
  }
  ffi_propose_start(p, first_start(p));
  return ffi_propose_try(p, error); // whose state was found before
}

// Many bodies: hard contact, and everything where the model puts it.
static ff_status try_crowd(ffi_propose *p, ff_error *error)
{
  p->crowd = p->result.floating < 50 ? 1 : 2;
  p->result.duration = p->crowd == 1 ? 5 : 2;
  p->result.stepper = FF_STEPPER_MOREAU;
  p->result.dt = 2.5e-3;
  p->result.state = FF_PROPOSAL_MANY;
  ffi_propose_start(p, first_start(p));
  return ffi_propose_try(p, error);
}

ff_status ffi_propose_search(ffi_propose *p, ff_error *error)
{
  static const struct {
    ff_stepper stepper;
    double dt;
  } ways[] = {{FF_STEPPER_EXPO, 1e-3}, {FF_STEPPER_EXPO, 1e-4}, {FF_STEPPER_MOREAU, 1e-3}};
  ff_proposal *r = &p->result;
  r->duration = 10;
  if (r->floating > 1)
    return try_crowd(p, error);
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
    r->stepper = ways[i].stepper;
    r->dt = ways[i].dt;
    ff_status status = try_starts(p, error);
    const int can_settle = r->state == FF_PROPOSAL_MOVES &&
                           (r->base >= 0 ? r->posture < 0 : r->floating == 0 && p->asked_posture < 0);
    if (status == FF_OK && can_settle && !r->has_run_away)
      status = settle(p, error);
    if (status != FF_OK || !r->has_run_away)
      return status;
  }
  r->state = FF_PROPOSAL_MOVES;
  return FF_OK;
}
