// Robots of a pass into lanes: state, inputs and parameters.
#include "step/lanes/kernels/lane_variant.h"

#include "math/poles.h"
#include "math/vec3.h"
#include "model/model.h"
#include "step/eval/anchor.h"
#include "step/system/parameters.h"

#include <math.h>

static void gather_numbers(const double *from, int count, int lane, real *to)
{
  for (int k = 0; k < count; ++k)
    set_lane(&to[k], lane, from[k]);
}

FFI_ALWAYS void set_mask(real_bits *mask, int lane, int is_set)
{
  const uint64_t bits = is_set ? ~(uint64_t)0 : 0;
  memcpy((char *)mask + sizeof bits * (size_t)lane, &bits, sizeof bits);
}

// ---- State ----------------------------------------------------------------------------------------------------

const ffi_pose *FFI_KERNEL(lane_plane_pose)(const ffi_lane_plane *plane, const ffi_state *x)
{
  return plane->ground >= 0 ? &x->ground[plane->ground] : &plane->at;
}

static void gather_planes(ffi_lane_work *w, const ffi_state *x, int lane)
{
  for (int i = 0; i < w->plan->plane_count; ++i) {
    const ffi_lane_plane *plane = &w->plan->plane[i];
    const ffi_pose *at = FFI_KERNEL(lane_plane_pose)(plane, x);
    const double n[3] = {at->R[2], at->R[5], at->R[8]};
    set_lane(&w->normal[i].x, lane, n[0]);
    set_lane(&w->normal[i].y, lane, n[1]);
    set_lane(&w->normal[i].z, lane, n[2]);
    set_lane(&w->height[i], lane, ffi_v3_dot(n, at->p) + plane->offset);
  }
}

// Anchors of ground lie in its frame, those of shapes fixed in the world in the world's.
static void gather_contacts(ffi_lane_work *w, const ffi_state *x, int lane)
{
  for (int t = 0; t < x->touching_count; ++t) {
    const ffi_state_contact *known = &x->touching[t];
    ffi_lane_spot *spot = &w->spot[w->plan->feature_of_id[known->id]];
    const ffi_lane_plane *plane = &w->plan->plane[spot->feature->plane];
    double anchor[3];
    ffi_v3_copy(known->anchor, anchor);
    if (plane->ground >= 0)
      ffi_anchor_to_world(FFI_KERNEL(lane_plane_pose)(plane, x), known->anchor, anchor);
    set_mask(&spot->known, lane, 1);
    for (int k = 0; k < 3; ++k)
      set_lane(&spot->anchor[k], lane, anchor[k]);
    set_lane(&spot->stored, lane, fabs(known->stored));
    if (known->slips)
      set_mask(&w->slid, lane, 1);
    set_lane(&spot->rest, lane, known->rest);
    if (known->stored < 0 || (known->rest != 0 && w->plan->world->def.stepper != FF_STEPPER_EXPO))
      set_mask(&w->unusual, lane, 1);
  }
}

static void gather_motors(ffi_lane_work *w, const ffi_state *x, int lane)
{
  for (int i = 0; i < w->plan->motor_count; ++i) {
    const int e = w->plan->motor[i].element;
    set_lane(&w->spring[i].reference, lane, x->reference[e]);
    set_lane(&w->spring[i].rate, lane, x->reference_velocity[e]);
  }
}

// ---- Parameters -----------------------------------------------------------------------------------------------

// From the packed numbers of a robot's parameters.
static void fit_materials(ffi_lane_work *w, const double *pairs, int lane)
{
  for (int i = 0; i < w->plan->feature_count; ++i) {
    ffi_lane_spot *spot = &w->spot[i];
    const double *m = pairs + FFI_PARAMETERS_OF_PAIR * spot->feature->pair;
    set_lane(&spot->K, lane, m[0]);
    set_lane(&spot->B, lane, m[1]);
    set_lane(&spot->mu, lane, m[2]);
  }
}

static void fit_elements(ffi_lane_work *w, const double *elements, int lane)
{
  for (int i = 0; i < w->plan->motor_count; ++i) {
    const double *own = elements + FFI_PARAMETERS_OF_ELEMENT * w->plan->motor[i].element;
    set_lane(&w->spring[i].K, lane, own[0]);
    set_lane(&w->spring[i].B, lane, own[1]);
    set_lane(&w->spring[i].effort, lane, own[2]);
  }
  for (int i = 0; i < w->plan->stop_count; ++i) {
    const double *own = elements + FFI_PARAMETERS_OF_ELEMENT * w->plan->stop[i].element;
    set_lane(&w->stop[i].K, lane, own[0]);
    set_lane(&w->stop[i].B, lane, own[1]);
  }
}

// The world's own parameters never change, so a lane that has them keeps them. Returns 1 if it took others.
static int fit(ffi_lane_work *w, const ff_parameters *p, int lane)
{
  const ff_world *world = w->plan->world;
  if (w->fitted[lane] == world->nominal && p == world->nominal)
    return 0;
  const double *numbers = p->packed;
  fit_materials(w, numbers + ffi_parameters_pairs_at(world), lane);
  fit_elements(w, numbers + ffi_parameters_elements_at(world), lane);
  FFI_KERNEL(refit_lane)
  (w->dynamics, numbers + FFI_PARAMETERS_GRAVITY, numbers + FFI_PARAMETERS_BODIES, lane);
  set_lane(&w->gravity, lane, numbers[FFI_PARAMETERS_GRAVITY + 3]);
  w->fitted[lane] = p;
  return 1;
}

// ---- A pass -----------------------------------------------------------------------------------------------------

void FFI_KERNEL(lane_gather)(ffi_lane_work *w, const ffi_lane_pass *pass)
{
  const ff_model_size *size = &w->model->size;
  int has_others = 0;
  memset(&w->ok, 0xff, sizeof w->ok);
  memset(&w->finer, 0, sizeof w->finer);
  memset(&w->slid, 0, sizeof w->slid);
  memset(&w->unusual, 0, sizeof w->unusual);
  memset(w->refused, 0, sizeof w->refused);
  for (int i = 0; i < w->plan->feature_count; ++i)
    memset(&w->spot[i].known, 0, sizeof w->spot[i].known);
  for (int lane = 0; lane < FFI_LANES; ++lane) {
    const ffi_lane_robot *r =
        &pass->lane[lane < pass->lanes ? lane : 0]; // lanes without a robot have the first one
    const ffi_state *x = r->from;
    has_others |= fit(w, r->parameters, lane);
    gather_numbers(x->q, size->nq, lane, w->q);
    gather_numbers(x->v, size->nv, lane, w->v);
    gather_numbers(r->tau, size->nv, lane, w->tau);
    gather_planes(w, x, lane);
    gather_contacts(w, x, lane);
    gather_motors(w, x, lane);
    if (lane >= pass->lanes)
      set_mask(&w->ok, lane, 0);
  }
  lane_demand(w, FFI_LANE_SLIP, ~w->slid);
  lane_demand(w, FFI_LANE_STATE, ~w->unusual);
  if (has_others)
    FFI_KERNEL(refit_end)(w->dynamics);
}
