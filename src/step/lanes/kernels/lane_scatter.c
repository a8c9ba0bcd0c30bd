// The end of a step in lanes: what every step is checked for, and lanes back into states.
#include "step/lanes/kernels/lane_variant.h"

#include "math/vec3.h"
#include "model/model.h"
#include "step/eval/anchor.h"
#include "step/system/parameters.h"

#include <math.h>

// ---- Checks, as ffi_state_settle() and the sim make them --------------------------------------------------------

// Numbers below 1e-100 become 0.                                docs/decisions/0022-nothing-below-1e-100.md
FFI_ALWAYS real without_tiny(real x)
{
  return select_bits(is_less(size_of(x), splat(1e-100)), splat(0), x);
}

static real_bits settle(real *x, int count, double most)
{
  real_bits sound = ~(real_bits){0};
  for (int k = 0; k < count; ++k) {
    sound &= is_within(size_of(x[k]), splat(most)); // NaN is not
    x[k] = without_tiny(x[k]);
  }
  return sound;
}

// Lanes in which no number of q moved farther than `most`.
static real_bits settle_places(const real *from, real *x, int count, double most)
{
  real_bits near = ~(real_bits){0};
  for (int k = 0; k < count; ++k) {
    near &= is_within(size_of(x[k] - from[k]), splat(most));
    x[k] = without_tiny(x[k]);
  }
  return near;
}

static real motor_force(const ffi_lane_spring *s, real x, real u)
{
  const real force = -s->K * x - s->B * u;
  return larger(smaller_of(force, s->effort), -s->effort);
}

// The work of moving references: force times velocity of the reference, the mean of both ends and at most its error.
static real work_of_references(const ffi_lane_work *w, double dt)
{
  real power = splat(0);
  for (int i = 0; i < w->plan->motor_count; ++i) {
    const ffi_lane_spring *s = &w->spring[i];
    const real reference = s->reference + dt * s->rate;
    const real before = motor_force(s, s->x, s->u);
    const real after = motor_force(s, w->q_end[s->q] - reference, w->v_end[s->v] - s->rate);
    power = power + 0.5 * (before + after) * s->rate + 0.5 * size_of((after - before) * s->rate);
  }
  return power * dt;
}

void FFI_KERNEL(lane_finish)(ffi_lane_work *w, double dt)
{
  const ff_sim_def *def = &w->plan->world->def;
  const int nv = w->model->size.nv;
  const double largest = 1e60, speed = fmin(def->max_speed, largest); // as FFI_SIM_LARGEST
  lane_demand(w, FFI_LANE_FAST, settle(w->v_end, nv, speed));
  lane_demand(w, FFI_LANE_FAST,
              settle_places(w->q, w->q_end, w->model->size.nq, fmin(2 * speed * dt, 1e-9 * largest)));
  w->control_work = splat(0);
  for (int k = 0; k < nv; ++k)
    w->control_work = w->control_work + w->tau[k] * w->xi[k];
  lane_demand(w, FFI_LANE_FAST, is_within(size_of(w->control_work), splat(largest)));
  w->reference_work = work_of_references(w, dt);
  for (int i = 0; i < w->contact_count; ++i) {
    ffi_lane_contact *c = &w->contact[i];
    const real_bits sound = settle(c->shift, 3, largest) & settle(c->force, 3, largest) &
                            is_within(c->stretch, splat(__builtin_inf()));
    lane_demand(w, FFI_LANE_FAST, sound | ~c->stays);
  }
}

// ---- Back into states -------------------------------------------------------------------------------------------

static void scatter_numbers(const real *from, int count, int lane, double *to)
{
  for (int k = 0; k < count; ++k)
    to[k] = lane_of(from[k], lane);
}

// An anchor moves by `shift` in its frame. Where nothing moves its bits stay.
static void move_anchor(const ffi_pose *frame, const double shift[3], double anchor[3])
{
  double local[3];
  if (shift[0] == 0 && shift[1] == 0 && shift[2] == 0)
    return;
  if (frame)
    ffi_anchor_to_frame(frame, shift, local);
  else
    ffi_v3_copy(shift, local);
  ffi_v3_add(anchor, local, anchor);
  for (int k = 0; k < 3; ++k)
    anchor[k] = fabs(anchor[k]) < 1e-100 ? 0 : anchor[k];
}

static void scatter_contact(const ffi_lane_work *w, const ffi_lane_contact *c, int lane,
                            const ffi_state *from, const ffi_state_contact *known, ffi_state_contact *to)
{
  const ffi_lane_feature *f = &w->plan->feature[c->index];
  const ffi_lane_plane *plane = &w->plan->plane[f->plane];
  const ffi_pose *frame = plane->ground >= 0 ? FFI_KERNEL(lane_plane_pose)(plane, from) : NULL;
  double shift[3], anchor[3];
  for (int k = 0; k < 3; ++k) {
    shift[k] = lane_of(c->shift[k], lane);
    anchor[k] = known ? known->anchor[k] : lane_of(c->anchor[k], lane);
  }
  if (!known && frame)
    ffi_anchor_at(frame, anchor, anchor);
  *to = (ffi_state_contact){.id = f->id, .rest = lane_of(c->rest, lane), .stored = lane_of(c->stretch, lane)};
  move_anchor(frame, shift, anchor);
  ffi_v3_copy(anchor, to->anchor);
  for (int k = 0; k < 3; ++k)
    to->mean_force[k] = lane_of(c->force[k], lane);
}

// The contacts of a lane, in increasing order of id, and the largest of their forces.
static int scatter_contacts(const ffi_lane_work *w, int lane, const ffi_state *from, ffi_lane_report *report)
{
  int count = 0, t = 0;
  double most = -1;
  report->push_id = -1;
  for (int i = 0; i < w->contact_count; ++i) {
    const ffi_lane_contact *c = &w->contact[i];
    const int id = w->plan->feature[c->index].id;
    while (t < from->touching_count && from->touching[t].id < id)
      ++t;
    if (!lane_has(c->stays, lane))
      continue;
    const ffi_state_contact *known =
        t < from->touching_count && from->touching[t].id == id ? &from->touching[t] : NULL;
    ffi_state_contact *to = &w->kept[count++];
    scatter_contact(w, c, lane, from, known, to);
    const double square = ffi_v3_dot(to->mean_force, to->mean_force);
    if (square > most) {
      most = square;
      report->push_id = id;
    }
  }
  report->push = most > 0 ? sqrt(most) : 0;
  return count;
}

static ffi_lane_outcome outcome_of(const ffi_lane_work *w, int lane)
{
  return lane_has(w->ok, lane) ? FFI_LANE_DONE : lane_has(w->finer, lane) ? FFI_LANE_FINER : FFI_LANE_ALONE;
}

static ffi_lane_reason reason_of(const ffi_lane_work *w, int lane)
{
  int reason = FFI_LANE_ERROR;
  for (int k = 0; k < FFI_LANE_REASONS && !lane_has(w->finer, lane); ++k)
    if (lane_has(w->refused[k], lane))
      reason = k;
  return (ffi_lane_reason)reason;
}

static void scatter_lane(const ffi_lane_work *w, int l, ffi_lane_pass *pass)
{
  const ffi_lane_robot *r = &pass->lane[l];
  ffi_lane_report *report = &pass->report[l];
  pass->outcome[l] = outcome_of(w, l);
  report->energy[0] = lane_of(w->kinetic + w->potential + w->elastic, l);
  report->energy[1] = lane_of(w->kinetic + w->elastic, l);
  pass->reason[l] = reason_of(w, l);
  if (pass->outcome[l] != FFI_LANE_DONE)
    return;
  const int count = scatter_contacts(w, l, r->from, report);
  if (count > w->plan->world->max_contacts) {
    pass->outcome[l] = FFI_LANE_ALONE; // which says so
    pass->reason[l] = FFI_LANE_TOUCH;
    return;
  }
  report->slipping = (int)lane_of(w->slipping, l);
  report->penetration = lane_of(w->deepest, l);
  report->force_error = lane_of(w->error, l);
  report->control_work = lane_of(w->control_work, l);
  report->reference_work = lane_of(w->reference_work, l);
  scatter_numbers(w->q_end, w->model->size.nq, l, r->to->q);
  scatter_numbers(w->v_end, w->model->size.nv, l, r->to->v);
  memcpy(r->to->touching, w->kept, (size_t)count * sizeof *w->kept);
  r->to->touching_count = count;
}

void FFI_KERNEL(lane_scatter)(const ffi_lane_work *w, ffi_lane_pass *pass)
{
  for (int l = 0; l < pass->lanes; ++l)
    scatter_lane(w, l, pass);
}
