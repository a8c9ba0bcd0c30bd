// What a robot would stand on: a sim of it is put a little deep into the ground, and says what touches.
#include "propose/propose.h"

#include <math.h>
#include <string.h>

// Feet are not made so exactly that all of them touch at once [m], and of the height of the centre of mass.
static const double deep = 1e-3, deep_share = 0.01;

typedef struct ground_points {
  double (*at)[2];
  int count;
} ground_points;

// Distance of c from the convex hull of points in the plane, by Gilbert's algorithm: x walks to the nearest point of
// the hull along chords to the farthest corner ahead. Its steps shrink fast enough for a millimetre.
static double distance_from(const ground_points *points, const double c[2])
{
  double x[2] = {points->at[0][0], points->at[0][1]};
  for (int round = 0; round < 1000; ++round) {
    const double d[2] = {c[0] - x[0], c[1] - x[1]};
    int best = 0;
    double most = -INFINITY;
    for (int i = 0; i < points->count; ++i) {
      const double ahead = d[0] * points->at[i][0] + d[1] * points->at[i][1];
      if (ahead > most)
        most = ahead, best = i;
    }
    const double e[2] = {points->at[best][0] - x[0], points->at[best][1] - x[1]};
    const double gain = d[0] * e[0] + d[1] * e[1], length = e[0] * e[0] + e[1] * e[1];
    if (!(gain > 1e-12) || !(length > 0))
      break;
    const double step = fmin(1, gain / length);
    x[0] += step * e[0];
    x[1] += step * e[1];
  }
  return hypot(c[0] - x[0], c[1] - x[1]);
}

static void add_contact(ffi_propose_support *out, int *touches, const ff_contact *contact)
{
  int at = 0;
  while (at < out->count && out->links[at] != contact->link_a)
    ++at;
  if (at == FFI_PROPOSE_STAND_MOST)
    return;
  if (at == out->count) {
    out->links[out->count++] = contact->link_a;
    memset(out->middle[at], 0, sizeof out->middle[at]);
    touches[at] = 0;
  }
  for (int k = 0; k < 3; ++k)
    out->middle[at][k] += (contact->point[k] - out->middle[at][k]) / (touches[at] + 1);
  ++touches[at];
}

// The sim's contacts with the world.
static int collect(ffi_propose *p, ff_sim *sim, ffi_propose_support *out)
{
  enum { POINTS = 512 };
  double at[POINTS][2];
  int touches[FFI_PROPOSE_STAND_MOST] = {0}, count;
  ground_points points = {at, 0};
  double com[3], floor = INFINITY;
  ff_link_info link;
  const ff_contact *contacts = ff_sim_contacts(sim, &count);
  for (int i = 0; i < count; ++i) {
    if (contacts[i].link_b >= 0 || points.count == POINTS)
      continue;
    add_contact(out, touches, &contacts[i]);
    memcpy(at[points.count++], contacts[i].point, sizeof at[0]);
    floor = fmin(floor, contacts[i].point[2]);
  }
  if (points.count == 0)
    return 0;
  ff_dynamics_kinematics(p->dynamics, p->q, NULL, NULL);
  ff_dynamics_com(p->dynamics, com);
  out->off = distance_from(&points, com);
  out->height = com[2] - floor;
  for (int i = 0; i < out->count; ++i)
    out->has_root |= ff_model_link(p->model, out->links[i], &link) == FF_OK && link.joint == p->result.base;
  return 1;
}

int ffi_propose_feet_find(ffi_propose *p, ffi_propose_support *out)
{
  ff_sim_def def = ff_sim_def_default();
  ff_sim *sim = NULL;
  ff_joint_info base;
  double com[3];
  *out = (ffi_propose_support){0};
  if (ff_model_joint(p->model, p->result.base, &base) != FF_OK)
    return 0;
  ff_status status = ff_sim_create(p->model, &def, &sim, NULL);
  p->is_short |= status == FF_ERROR_MEMORY;
  if (status != FF_OK)
    return 0;
  ff_dynamics_kinematics(p->dynamics, p->q, NULL, NULL);
  ff_dynamics_com(p->dynamics, com);
  const double down = deep + deep_share * fabs(com[2]);
  p->q[base.q + 2] -= down;
  status = ff_sim_reset(sim, p->q, NULL, NULL);
  p->is_short |= status == FF_ERROR_MEMORY;
  const int is_known = status == FF_OK && collect(p, sim, out);
  p->q[base.q + 2] += down;
  for (int i = 0; i < out->count; ++i)
    out->middle[i][2] += down;
  ff_sim_destroy(sim);
  return is_known;
}
