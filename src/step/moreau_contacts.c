// Which contacts a step has: those that overlap at its middle, and where positions are stabilised some that are near.
#include "math/vec3.h"
#include "model/model.h"
#include "step/moreau.h"
#include "step/sides.h"

#include <math.h>

// How far contacts are looked at where positions are stabilised: as far as this speed goes in half a step [m/s]. It is that of a fall of 0.8 m, the size of a legged robot.
static const double watch_speed = 4;

int ffi_moreau_keeps(const ffi_system *s)
{
  return ffi_system_advances(s) || (s->def->moreau.stabilise && ffi_contacts_are_hard(s->def));
}

// Did a contact that is a little apart touch in the last step, and does it still? It does if it pushed: the curvature of its way opens it by omega^2 r dt^2 / 2, and a foot
// that is let go for one step is driven into the ground by its motors. If it did not push, as long as it is no farther apart than things fall in a step.
static int is_kept(const ffi_state *from, const ffi_near *near, double fall, int *t)
{
  for (; *t < from->touching_count && from->touching[*t].id < near->id; ++*t)
    ;
  return *t < from->touching_count && from->touching[*t].id == near->id &&
         (near->gap <= fall || ffi_v3_dot(from->touching[*t].mean_force, near->normal) > 0);
}

// The contacts of m->role.
static void collect(const ffi_system *s, ffi_moreau *m)
{
  m->count = 0;
  for (int i = 0; i < m->near_count; ++i) {
    if (m->role[i] == FFI_MOREAU_NEAR)
      continue;
    m->is_watched[m->count] = m->role[i] == FFI_MOREAU_WATCHED;
    m->contact[m->count].near = m->near[i];
    m->contact[m->count++].mu = s->scene.pairs[m->near[i].pair].friction;
  }
}

// Contacts with gap <= 0. Where positions are stabilised also those that are a little apart and touched in the last step.
ff_status ffi_moreau_choose(ffi_system *s, const ffi_state *from, double dt, ffi_moreau *m, ff_error *error)
{
  const double fall = ffi_v3_norm(s->model->gravity) * dt * dt,
               reach = ffi_moreau_keeps(s)
                           ? FFI_MOREAU_SKINS * m->skin + m->horizon * fmax(watch_speed, m->speed)
                           : 0;
  int t = 0, count = 0;
  m->near_count = ffi_system_advances(s) ? ffi_scene_detect_nearest(&s->scene, ffi_system_poses(s), reach,
                                                                    0.5 * m->skin, m->near)
                                         : ffi_scene_detect(&s->scene, ffi_system_poses(s), reach, m->near);
  for (int i = 0; i < m->near_count; ++i) {
    const int touches = m->near[i].gap <= FFI_MOREAU_SKINS * m->skin || is_kept(from, &m->near[i], fall, &t);
    m->role[i] = touches ? FFI_MOREAU_TOUCHES : FFI_MOREAU_NEAR;
    s->info->penetration = fmax(s->info->penetration, -m->near[i].gap);
    count += touches;
  }
  if (count > s->max_contacts)
    return ffi_too_many_contacts(s, error);
  collect(s, m);
  return FF_OK;
}

// What is near and does not bounce, and would be driven in by the velocities that were found, becomes a contact: a blow elsewhere does that within the step, and the middle of the next
// is too late. In a last round all of them.
static int reach_out(const ffi_system *s, int is_last, ffi_moreau *m)
{
  int added = 0;
  for (int i = 0; i < m->near_count; ++i) {
    ffi_contact c = {.near = m->near[i]};
    if (m->role[i] != FFI_MOREAU_NEAR ||
        (ffi_pair_bounces(&s->scene.pairs[c.near.pair]) && !ffi_system_advances(s)))
      continue;
    ffi_contact_rows(s, &c, m->problem.u, m->J, m->dofs + m->dofs_used, m->stride);
    const int closes = c.near.gap - m->skin + m->horizon * ffi_v3_dot(c.near.normal, c.u) < 0;
    const int is_full = m->count + added == s->max_contacts;
    m->lacks_room |= closes && is_full;
    if (is_full || (!closes && !is_last))
      continue;
    m->role[i] = FFI_MOREAU_WATCHED;
    ++added;
  }
  return added;
}

// Most that impulses of one e give in a step, by what falls: dt^2/8 m g^2 (tests/properties/test_moreau_lift.c derives it).
static double usual_gain(const ffi_system *s, double dt)
{
  double mass = 0;
  for (int b = 1; b < s->model->body_count; ++b)
    mass += s->model->bodies[b].mass;
  return dt * dt / 8 * mass * ffi_v3_dot(s->model->gravity, s->model->gravity);
}

// What is apart has no restitution, and beside contacts that have it impulses may give energy. If they did, bouncing pairs that are apart are contacts no more.
static int let_go(const ffi_system *s, double dt, ffi_moreau *m)
{
  int left = 0;
  for (int i = 0; i < m->near_count; ++i)
    left += m->role[i] != FFI_MOREAU_NEAR && m->near[i].gap > 0 &&
            ffi_pair_bounces(&s->scene.pairs[m->near[i].pair]);
  if (left == 0 || ffi_moreau_taken(s, m) >= -usual_gain(s, dt))
    return 0;
  for (int i = 0; i < m->near_count; ++i)
    if (m->near[i].gap > 0 && ffi_pair_bounces(&s->scene.pairs[m->near[i].pair]))
      m->role[i] = FFI_MOREAU_NEAR;
  return left;
}

enum { ROUNDS = 4 };

int ffi_moreau_choose_again(const ffi_system *s, double dt, int round, ffi_moreau *m)
{
  if (!ffi_moreau_keeps(s) || round > ROUNDS)
    return 0;
  const int added = reach_out(s, round == ROUNDS, m), left = ffi_system_advances(s) ? 0 : let_go(s, dt, m);
  if (added + left == 0)
    return 0;
  collect(s, m);
  return 1;
}
