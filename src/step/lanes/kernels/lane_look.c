// The state at the start of a step in lanes: poses, contacts with their rows and springs, mass matrix, energies. As
// step/eval/evaluation.c, for points and balls on planes.
#include "step/lanes/kernels/lane_rows.h"
#include "step/lanes/kernels/lane_variant.h"

#include "dynamics/joint.h"
#include "model/model.h"
#include "step/eval/evaluation.h"

// ---- Features -----------------------------------------------------------------------------------------------

void FFI_KERNEL(lane_find_gaps)(const ffi_lane_work *w, vec3 *place, real *gap)
{
  const ffi_body_pose *pose = w->dynamics->pose;
  for (int i = 0; i < w->plan->feature_count; ++i) {
    const ffi_lane_feature *f = &w->plan->feature[i];
    place[i] = add(load3(pose[f->body].p), mul3(pose[f->body].R, splat3(f->centre)));
    gap[i] = dot(w->normal[f->plane], place[i]) - w->height[f->plane] - f->radius;
  }
}

real_bits FFI_KERNEL(lane_are_apart)(const ffi_lane_work *w)
{
  const ffi_body_pose *pose = w->dynamics->pose;
  real_bits apart = ~(real_bits){0};
  for (int i = 0; i < w->plan->apart_count; ++i) {
    const ffi_lane_apart *p = &w->plan->apart[i];
    const vec3 a = add(load3(pose[p->body_a].p), mul3(pose[p->body_a].R, splat3(p->a)));
    const double reach = p->reach + FFI_EVALUATION_NEAR_MARGIN;
    if (p->body_b < 0) {
      apart &= is_less(splat(reach), dot(w->normal[p->plane], a) - w->height[p->plane]);
      continue;
    }
    const vec3 b = add(load3(pose[p->body_b].p), mul3(pose[p->body_b].R, splat3(p->b)));
    apart &= is_less(splat(reach * reach), dot(sub(a, b), sub(a, b)));
  }
  return apart;
}

// ---- Contacts -------------------------------------------------------------------------------------------------

static void begin_contact(ffi_lane_work *w, int index, real_bits active)
{
  const ffi_lane_spot *spot = &w->spot[index];
  const vec3 n = w->normal[spot->feature->plane];
  ffi_lane_contact *c = &w->contact[w->contact_count++];
  c->index = index;
  c->columns = spot->columns;
  c->dof = spot->dof;
  c->active = active;
  c->is_new = active & ~spot->known;
  c->K = spot->K;
  c->B = spot->B;
  c->mu = spot->mu;
  c->point = lane_contact_point(spot->feature, n, w->place[index]);
  const real point[3] = {c->point.x, c->point.y, c->point.z};
  for (int k = 0; k < 3; ++k)
    c->anchor[k] = select_bits(spot->known, spot->anchor[k], point[k]);
  c->limit = select_bits(spot->known, spot->stored, splat(0));
  c->rest = select_bits(spot->known, spot->rest, splat(0));
}

// Features that some lane has as a contact, in increasing order. With new ones, all that overlap; without, lanes in
// which another feature overlaps are not ok.
static void choose_contacts(ffi_lane_work *w, int with_new)
{
  w->contact_count = 0;
  w->deepest = splat(0);
  for (int i = 0; i < w->plan->feature_count; ++i) {
    const real gap = w->gap[i];
    const real_bits known = w->spot[i].known, overlaps = is_within(gap, splat(0));
    const real_bits active = with_new ? known | overlaps : known;
    w->deepest = larger(-gap, w->deepest);
    if (!with_new)
      lane_demand(w, FFI_LANE_TOUCH, known | ~overlaps);
    // a contact farther away than this is one that the state no longer knows
    lane_demand(w, FFI_LANE_SLIP, ~known | is_within(gap, splat(FFI_EVALUATION_NEAR_MARGIN)));
    if (any_lane(active))
      begin_contact(w, i, active);
  }
}

lane_law FFI_KERNEL(lane_find_law)(const ffi_lane_work *w, const ffi_lane_contact *c, vec3 point, real gap,
                                   vec3 u)
{
  const vec3 n = w->normal[w->plan->feature[c->index].plane], e = sub(load3(c->anchor), point);
  const vec3 x = sub(scale(dot(e, n) + gap - c->rest, n), e);
  const real zero = splat(0);
  lane_law out;
  out.x = vec(select_bits(c->active, x.x, zero), select_bits(c->active, x.y, zero),
              select_bits(c->active, x.z, zero));
  const vec3 force =
      vec(-c->K * out.x.x - c->B * u.x, -c->K * out.x.y - c->B * u.y, -c->K * out.x.z - c->B * u.z);
  out.push = dot(force, n);
  out.across = sub(force, scale(out.push, n));
  out.trial = length3(out.across);
  return out;
}

static void start_contact(ffi_lane_work *w, ffi_lane_contact *c)
{
  const vec3 u = FFI_KERNEL(lane_find_rows)(w, c, c->point, w->v, c->J);
  const lane_law now = FFI_KERNEL(lane_find_law)(w, c, c->point, w->gap[c->index], u);
  store3(c->x, now.x);
  store3(c->u, u);
  c->push = now.push;
  c->trial = now.trial;
  FFI_KERNEL(lane_find_bias)(w, c, c->c);
}

// ---- Energies -------------------------------------------------------------------------------------------------

// ffi_joint_law_motor_energy(): beyond the effort, work against it.
static real energy_of_motor(const ffi_lane_spring *s)
{
  const real stretch = size_of(s->x);
  return select_bits(is_within(s->K * stretch, s->effort), 0.5 * s->K * stretch * stretch,
                     s->effort * (stretch - 0.5 * s->effort / s->K));
}

static real kinetic_energy(const ffi_lane_work *w)
{
  real sum = splat(0);
  for (int i = 0; i < w->model->size.nv; ++i) {
    const int at = w->model->dof_row[i], depth = w->model->dof_depth[i];
    real row = 0.5 * w->M[at + depth] * w->v[i];
    for (int k = 0; k < depth; ++k)
      row = row + w->M[at + k] * w->v[w->dynamics->path[at + k]];
    sum = sum + row * w->v[i];
  }
  return sum;
}

// ---- All of it ------------------------------------------------------------------------------------------------

void FFI_KERNEL(lane_look)(ffi_lane_work *w, int with_new)
{
  ffi_work *d = w->dynamics;
  FFI_KERNEL(transforms)(d, (const double *)w->q);
  FFI_KERNEL(kinematics)(d, NULL, NULL);
  FFI_KERNEL(lane_find_gaps)(w, w->place, w->gap);
  lane_demand(w, FFI_LANE_TOUCH, FFI_KERNEL(lane_are_apart)(w));
  choose_contacts(w, with_new);
  FFI_KERNEL(bias)(d, (const double *)w->v, (double *)w->h);
  w->elastic = w->error = w->slipping = splat(0);
  for (int i = 0; i < w->contact_count; ++i)
    start_contact(w, &w->contact[i]);
  for (int i = 0; i < w->plan->motor_count; ++i) {
    ffi_lane_spring *s = &w->spring[i];
    s->x = w->q[s->q] - s->reference;
    s->u = w->v[s->v] - s->rate;
    w->elastic = w->elastic + energy_of_motor(s);
  }
  FFI_KERNEL(crba)(d);
  memcpy(w->M, d->M, (size_t)w->entries * sizeof *w->M);
  w->kinetic = kinetic_energy(w);
  FFI_KERNEL(potential_energy)(d, (double *)&w->potential);
  for (int k = 0; k < w->model->size.nv; ++k) // the forces that are no springs
    w->f[k] = w->tau[k] - w->h[k];
}
