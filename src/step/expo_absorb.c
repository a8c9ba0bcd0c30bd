#include "step/expo_absorb.h"

#include "dynamics/one_robot.h"
#include "math/vec3.h"
#include "step/anchors.h"

#include <math.h>

// A motor's spring, and beyond its effort the way against it.
static double in_joint(const ff_element_def *def, const ffi_joint_row *row)
{
  const double x = fabs(row->x), K = def->stiffness;
  if (def->type != FF_ELEMENT_JOINT_PD)
    return 0.5 * row->K * x * x;
  return K * x <= def->effort ? 0.5 * K * x * x : def->effort * (x - 0.5 * def->effort / K);
}

static double in_elements(const ffi_system *s, const ffi_instant *at)
{
  double sum = 0;
  for (int i = 0; i < at->hold_count; ++i)
    sum += 0.5 * at->hold[i].K * ffi_v3_dot(at->hold[i].x, at->hold[i].x);
  for (int r = 0; r < at->joint_row_count; ++r)
    sum += in_joint(&s->elements[at->joint_row_element[r]].def, &at->joint_row[r]);
  return sum;
}

// Along the normal: what overlaps, in contact or not yet. moved [nv]: how far the robot is from where `at` was taken; NULL: it is there.
static double in_overlaps(const ffi_system *s, const ffi_instant *at, const double *moved)
{
  double sum = 0;
  const int is_from_first_touch = s->def->normal_anchor == FF_ANCHOR_FIRST_TOUCH;
  for (int n = 0, i = 0; n < at->near_count; ++n) {
    const ffi_near *near = &at->near[n];
    while (i < at->count && at->contact[i].near.id < near->id)
      ++i;
    const int is_contact = i < at->count && at->contact[i].near.id == near->id;
    double shift[3] = {0, 0, 0};
    if (is_contact && moved)
      ffi_rows_times(&at->contact[i].rows, at->stride, moved, shift);
    const double rest = is_contact ? at->contact[i].rest : is_from_first_touch ? near->gap : 0;
    const double x = near->gap + ffi_v3_dot(shift, near->normal) - rest;
    if (x < 0)
      sum += 0.5 * s->scene.pairs[near->pair].stiffness * x * x;
  }
  return sum;
}

// Along the surface, at the start, and of those that stick at the end too.
static double in_friction(const ffi_expo *e, int at_end)
{
  double sum = 0, along[3];
  for (int i = 0; i < e->start.count; ++i) {
    const ffi_contact *c = &e->start.contact[i];
    if (e->contact_block[i] < 0 || (at_end && e->mode[i] != FF_CONTACT_STICK))
      continue;
    ffi_tangential(c->near.normal, at_end ? e->frozen.block[e->contact_block[i]].x_end : c->x, along);
    sum += 0.5 * c->K * ffi_v3_dot(along, along);
  }
  return sum;
}

static double of_motion(ffi_system *s, const double *q, const double *v, double *height)
{
  double kinetic;
  s->k->transforms(s->work, q);
  s->k->kinematics(s->work, v, NULL);
  s->k->kinetic_energy(s->work, &kinetic);
  s->k->potential_energy(s->work, height);
  return kinetic;
}

// By tau along the displacement, by references that move, by ground that moves.
static double put_in(const ffi_system *s, const ffi_expo *e, double h)
{
  const ffi_frozen *z = &e->frozen;
  double sum = 0;
  for (int k = 0; k < z->n; ++k)
    sum += s->tau[k] * (h * e->now.v[k] + z->delta_x[k]);
  for (int r = 0; r < e->start.joint_row_count; ++r) {
    const int element = e->start.joint_row_element[r];
    if (s->elements[element].def.type == FF_ELEMENT_JOINT_PD)
      sum += fabs(e->start.joint_row[r].force * e->now.reference_velocity[element]) * h;
  }
  for (int i = 0; i < e->start.count; ++i) {
    const ffi_contact *c = &e->start.contact[i];
    double point[3];
    if (e->contact_block[i] < 0)
      continue;
    ffi_rows_times(&c->rows, e->start.stride, e->now.v, point);
    ffi_v3_sub(point, c->u, point); // the ground's own velocity
    sum += h * ffi_v3_dot(point, z->block[e->contact_block[i]].mean);
  }
  return sum;
}

double ffi_absorb_gain(ffi_system *s, ffi_expo *e, double h)
{
  const ffi_frozen *z = &e->frozen;
  double high[2];
  ffi_move(s, e->now.q, e->now.v, h, z->delta_v, z->delta_x, e->scratch, e->there.q, e->there.v);
  const double motion_after = of_motion(s, e->there.q, e->there.v, &high[1]);
  const double motion = of_motion(s, e->now.q, e->now.v, &high[0]);
  for (int k = 0; k < z->n; ++k)
    e->scratch[k] = z->delta_x[k] - e->predicted[k];
  const double springs = in_elements(s, &e->start) + in_overlaps(s, &e->start, NULL) + in_friction(e, 0);
  const double springs_after =
      in_elements(s, &e->end) + in_overlaps(s, &e->end, e->scratch) + in_friction(e, 1);
  ffi_move(s, e->now.q, e->now.v, h, z->delta_v, e->predicted, e->scratch, e->there.q, e->there.v);
  s->k->transforms(s->work, e->there.q); // as e->end was taken
  s->k->kinematics(s->work, NULL, NULL);
  const double gain = motion_after + springs_after + high[1] - motion - springs - high[0] - put_in(s, e, h);
  return gain / (motion + springs);
}

void ffi_absorb_freeze(ffi_system *s, ffi_expo *e)
{
  ffi_frozen *z = &e->frozen;
  const int factorisations = z->factorisations;
  ffi_frozen_begin(z);
  z->factorisations = factorisations;
  for (int i = 0; i < e->start.count; ++i) {
    const ffi_contact *c = &e->start.contact[i];
    const double *n = c->near.normal;
    e->contact_block[i] = -1;
    if (c->near.pair < 0)
      continue;
    // one that leaves too fast for its damper stays free, like one that leaves from above and is not met again
    const int is_above = c->near.gap > 0, is_met = e->mode[i] != FF_CONTACT_RELEASED;
    const int acts = is_met || ffi_v3_dot(c->u, n) < 0 || (!is_above && c->law.push > 0);
    double x[3] = {0, 0, 0};
    if (!is_above)
      ffi_v3_copy(c->x, x);
    e->mode[i] = !acts                                                       ? FF_CONTACT_RELEASED
                 : !is_above && c->law.mode == FF_CONTACT_STICK && c->mu > 0 ? FF_CONTACT_STICK
                                                                             : FF_CONTACT_SLIP;
    e->contact_block[i] = z->block_count;
    ffi_frozen_block *b = ffi_frozen_add(z, &c->rows, acts ? c->K : 0, acts ? c->B : 0, x, c->u, c->c);
    if (e->mode[i] == FF_CONTACT_SLIP)
      ffi_frozen_slide(z, b, n, &c->law, 0);
  }
  ffi_springs_add_elements(s, &e->start, z, e->f);
  ffi_frozen_prepare(z);
}
