// Which contacts a step has: those that touch, and where positions are stabilised some that are near. moreau.md,
// section on stabilisation
#include "contact/law/pair_materials.h"
#include "math/vec3.h"
#include "model/model.h"
#include "step/hard/hard_step_problem.h"

#include <math.h>

// Where positions are stabilised, features are listed as far as this speed goes within the horizon [m/s]. It is that
// of a fall of 0.8 m, the size of a legged robot.
static const double anticipated_speed = 4;

double ffi_hard_step_contacts_reach(const ffi_hard_step_request *request, double speed)
{
  return FFI_HARD_STEP_REQUEST_SKINS * request->skin + request->horizon * fmax(anticipated_speed, speed);
}

// The contacts of p->role.
static void collect(const ffi_system *s, ffi_hard_step_problem *p)
{
  const ffi_hard_step_evaluation *evaluation = p->evaluation;
  p->count = 0;
  for (int i = 0; i < evaluation->near_count; ++i) {
    if (p->role[i] == FFI_HARD_STEP_EVALUATION_NEAR)
      continue;
    p->is_anticipated[p->count] = p->role[i] == FFI_HARD_STEP_EVALUATION_ANTICIPATED;
    p->contact[p->count].near = evaluation->near[i];
    p->contact[p->count++].mu = s->materials[evaluation->near[i].pair].friction;
  }
}

void ffi_hard_step_contacts_begin(const ffi_system *s, const ffi_hard_step_evaluation *evaluation,
                                  ffi_hard_step_problem *p)
{
  p->evaluation = evaluation;
  p->dofs_used = 0;
  for (int i = 0; i < evaluation->near_count; ++i)
    p->role[i] = evaluation->role[i];
  collect(s, p);
}

// Near features that do not bounce, and that the velocities found would drive into penetration, become contacts. An
// impact elsewhere does that within the step, and the middle of the next is too late. In the last round all of them
// do.
static int add_closing(const ffi_system *s, const ffi_hard_step_request *request, int is_last,
                       ffi_hard_step_problem *p, ffi_hard_step_problem_result *result)
{
  int added = 0;
  for (int i = 0; i < p->evaluation->near_count; ++i) {
    ffi_contact c = {.near = p->evaluation->near[i]};
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

// Upper bound on the energy that impulses with one e add in a step, by free fall: dt^2/8 m g^2
// (tests/properties/test_moreau_lift.c derives it).
static double usual_gain(const ffi_system *s, double dt)
{
  double mass = 0;
  for (int b = 1; b < s->model->body_count; ++b)
    mass += s->model->bodies[b].mass;
  return dt * dt / 8 * mass * ffi_v3_dot(s->model->gravity, s->model->gravity);
}

// Is a near feature one of a bouncing pair, and apart?
static int bounces_apart(const ffi_system *s, const ffi_detect_candidate *near)
{
  return near->gap > 0 && ffi_pair_materials_is_bouncing(&s->materials[near->pair]);
}

// Contacts that are apart have no restitution. Beside contacts that have it, their impulses may add energy. If they
// did, bouncing pairs that are apart are no contacts any more.
static int drop_apart(const ffi_system *s, double dt, ffi_hard_step_problem *p)
{
  const ffi_hard_step_evaluation *evaluation = p->evaluation;
  int left = 0;
  for (int i = 0; i < evaluation->near_count; ++i)
    left += p->role[i] != FFI_HARD_STEP_EVALUATION_NEAR && bounces_apart(s, &evaluation->near[i]);
  if (left == 0 || ffi_hard_step_energy_taken(s, p) >= -usual_gain(s, dt))
    return 0;
  for (int i = 0; i < evaluation->near_count; ++i)
    if (bounces_apart(s, &evaluation->near[i]))
      p->role[i] = FFI_HARD_STEP_EVALUATION_NEAR;
  return left;
}

enum { ROUNDS = 4 };

int ffi_hard_step_contacts_choose_again(const ffi_system *s, const ffi_hard_step_request *request, int round,
                                        ffi_hard_step_problem *p, ffi_hard_step_problem_result *result)
{
  if (!ffi_hard_step_request_anticipates(request) || round > ROUNDS)
    return 0;
  const int added = add_closing(s, request, round == ROUNDS, p, result),
            left = request->advances ? 0 : drop_apart(s, request->dt, p);
  if (added + left == 0)
    return 0;
  collect(s, p);
  return 1;
}
