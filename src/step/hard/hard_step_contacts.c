// Which contacts a step has: those that touch at its look, and where positions are stabilised some that are near.
#include "math/vec3.h"
#include "model/model.h"
#include "step/hard/hard_step_problem.h"

#include <math.h>

// How far contacts are looked at where positions are stabilised: as far as this speed goes within the horizon [m/s].
// It is that of a fall of 0.8 m, the size of a legged robot.
static const double watch_speed = 4;

double ffi_hard_step_contacts_reach(const ffi_hard_step_request *request, double speed)
{
  return FFI_HARD_STEP_REQUEST_SKINS * request->skin + request->horizon * fmax(watch_speed, speed);
}

// The contacts of p->role.
static void collect(const ffi_system *s, ffi_hard_step_problem *p)
{
  const ffi_hard_step_evaluation *look = p->look;
  p->count = 0;
  for (int i = 0; i < look->near_count; ++i) {
    if (p->role[i] == FFI_HARD_STEP_EVALUATION_NEAR)
      continue;
    p->is_watched[p->count] = p->role[i] == FFI_HARD_STEP_EVALUATION_ANTICIPATED;
    p->contact[p->count].near = look->near[i];
    p->contact[p->count++].mu = s->materials[look->near[i].pair].friction;
  }
}

void ffi_hard_step_contacts_begin(const ffi_system *s, const ffi_hard_step_evaluation *look,
                                  ffi_hard_step_problem *p)
{
  p->look = look;
  p->dofs_used = 0;
  for (int i = 0; i < look->near_count; ++i)
    p->role[i] = look->role[i];
  collect(s, p);
}

// What is near and does not bounce, and would be driven in by the velocities that were found, becomes a contact: a
// blow elsewhere does that within the step, and the middle of the next is too late. In a last round all of them.
static int reach_out(const ffi_system *s, const ffi_hard_step_request *request, int is_last,
                     ffi_hard_step_problem *p, ffi_hard_step_problem_result *result)
{
  int added = 0;
  for (int i = 0; i < p->look->near_count; ++i) {
    ffi_contact c = {.near = p->look->near[i]};
    if (p->role[i] != FFI_HARD_STEP_EVALUATION_NEAR ||
        (ffi_pair_materials_is_bouncing(&s->materials[c.near.pair]) && !request->advances))
      continue;
    ffi_hard_step_rows_contact(s, p, p->hard.u, &c);
    const int closes = c.near.gap - request->skin + request->horizon * ffi_v3_dot(c.near.normal, c.u) < 0;
    const int is_full = p->count + added == s->max_contacts;
    result->lacks_room |= closes && is_full;
    if (is_full || (!closes && !is_last))
      continue;
    p->role[i] = FFI_HARD_STEP_EVALUATION_ANTICIPATED;
    ++added;
  }
  return added;
}

// Most that impulses of one e give in a step, by what falls: dt^2/8 m g^2 (tests/properties/test_moreau_lift.c
// derives it).
static double usual_gain(const ffi_system *s, double dt)
{
  double mass = 0;
  for (int b = 1; b < s->model->body_count; ++b)
    mass += s->model->bodies[b].mass;
  return dt * dt / 8 * mass * ffi_v3_dot(s->model->gravity, s->model->gravity);
}

// Is something near a contact that is apart, of a pair that bounces?
static int bounces_apart(const ffi_system *s, const ffi_detect_candidate *near)
{
  return near->gap > 0 && ffi_pair_materials_is_bouncing(&s->materials[near->pair]);
}

// What is apart has no restitution, and beside contacts that have it impulses may give energy. If they did, bouncing
// pairs that are apart are contacts no more.
static int let_go(const ffi_system *s, double dt, ffi_hard_step_problem *p)
{
  const ffi_hard_step_evaluation *look = p->look;
  int left = 0;
  for (int i = 0; i < look->near_count; ++i)
    left += p->role[i] != FFI_HARD_STEP_EVALUATION_NEAR && bounces_apart(s, &look->near[i]);
  if (left == 0 || ffi_hard_step_energy_taken(s, p) >= -usual_gain(s, dt))
    return 0;
  for (int i = 0; i < look->near_count; ++i)
    if (bounces_apart(s, &look->near[i]))
      p->role[i] = FFI_HARD_STEP_EVALUATION_NEAR;
  return left;
}

enum { ROUNDS = 4 };

int ffi_hard_step_contacts_choose_again(const ffi_system *s, const ffi_hard_step_request *request, int round,
                                        ffi_hard_step_problem *p, ffi_hard_step_problem_result *result)
{
  if (!ffi_hard_step_request_anticipates(request) || round > ROUNDS)
    return 0;
  const int added = reach_out(s, request, round == ROUNDS, p, result),
            left = request->advances ? 0 : let_go(s, request->dt, p);
  if (added + left == 0)
    return 0;
  collect(s, p);
  return 1;
}
