#include "dynamics/kernel_outputs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
  POSITION,
  ROTATION,
  VELOCITY,
  ACCELERATION,
  BIAS_ACCELERATION,
  JACOBIAN_WORLD,
  JACOBIAN_LOCAL,
  JACOBIAN_ALIGNED,
  COM,
  COM_JACOBIAN,
  MOMENTUM,
  KINETIC,
  POTENTIAL,
  RNEA,
  BIAS,
  GRAVITY,
  ABA,
  MASS_MATRIX,
  SOLVE,
  POINT_JACOBIAN,
  MINV_JT,
  DELASSUS,
  ABA_AGAIN,
  COUNT
};
_Static_assert((int)COUNT == (int)FFI_OUTPUTS, "as many as the header says");

// Arrays start one double after a good alignment: the kernels promise to need no more than that of double.
static double *room(int count)
{
  double *out = calloc((size_t)count + 1, sizeof *out);
  assert_non_null(out);
  return out + 1;
}

static void release(double *array)
{
  free(array - 1);
}

ffi_outputs ffi_outputs_make(const ff_model *model, int lanes)
{
  const ff_model_size size = ff_model_get_size(model);
  const int nv = size.nv, frames = size.frames, rows = 3 * FFI_OUTPUT_POINTS;
  ffi_outputs out = {
      .lanes = lanes,
      .all =
          {
              [POSITION] = {"position", FFI_OUTPUT_PLAIN, 3 * frames, NULL},
              [ROTATION] = {"rotation", FFI_OUTPUT_PLAIN, 9 * frames, NULL},
              [VELOCITY] = {"velocity", FFI_OUTPUT_PLAIN, 18 * frames, NULL},
              [ACCELERATION] = {"acceleration", FFI_OUTPUT_PLAIN, 18 * frames, NULL},
              [BIAS_ACCELERATION] = {"bias acceleration", FFI_OUTPUT_PLAIN, 18 * frames, NULL},
              [JACOBIAN_WORLD] = {"Jacobian, world", FFI_OUTPUT_PLAIN, 6 * nv * frames, NULL},
              [JACOBIAN_LOCAL] = {"Jacobian, local", FFI_OUTPUT_PLAIN, 6 * nv * frames, NULL},
              [JACOBIAN_ALIGNED] = {"Jacobian, aligned", FFI_OUTPUT_PLAIN, 6 * nv * frames, NULL},
              [COM] = {"com", FFI_OUTPUT_PLAIN, 3, NULL},
              [COM_JACOBIAN] = {"com Jacobian", FFI_OUTPUT_PLAIN, 3 * nv, NULL},
              [MOMENTUM] = {"momentum", FFI_OUTPUT_PLAIN, 6, NULL},
              [KINETIC] = {"kinetic energy", FFI_OUTPUT_PLAIN, 1, NULL},
              [POTENTIAL] = {"potential energy", FFI_OUTPUT_PLAIN, 1, NULL},
              [RNEA] = {"rnea", FFI_OUTPUT_PLAIN, nv, NULL},
              [BIAS] = {"bias", FFI_OUTPUT_PLAIN, nv, NULL},
              [GRAVITY] = {"gravity", FFI_OUTPUT_PLAIN, nv, NULL},
              [ABA] = {"aba", FFI_OUTPUT_SOLVED, nv, NULL},
              [MASS_MATRIX] = {"mass matrix", FFI_OUTPUT_PLAIN, nv * nv, NULL},
              [SOLVE] = {"solve", FFI_OUTPUT_SOLVED, nv, NULL},
              [POINT_JACOBIAN] = {"point Jacobian", FFI_OUTPUT_PLAIN, rows * nv, NULL},
              [MINV_JT] = {"minv_jt", FFI_OUTPUT_SOLVED, rows * nv, NULL},
              [DELASSUS] = {"delassus", FFI_OUTPUT_SOLVED, rows * rows, NULL},
              [ABA_AGAIN] = {"aba after all others", FFI_OUTPUT_SOLVED, nv, NULL},
          },
  };
  for (int k = 0; k < FFI_OUTPUTS; ++k)
    out.all[k].data = room(out.all[k].count * lanes);
  return out;
}

void ffi_outputs_free(ffi_outputs *outputs)
{
  for (int k = 0; k < FFI_OUTPUTS; ++k)
    release(outputs->all[k].data);
}

static void compute_frames(ff_dynamics *d, int frames, int nv, int lanes, ffi_output *all)
{
  for (int f = 0; f < frames; ++f) {
    ff_dynamics_frame_pose(d, f, all[POSITION].data + 3 * f * lanes, all[ROTATION].data + 9 * f * lanes);
    for (int axes = 0; axes < 3; ++axes) {
      const int at = (18 * f + 6 * axes) * lanes;
      ff_dynamics_frame_velocity(d, f, (ff_axes)axes, all[VELOCITY].data + at);
      ff_dynamics_frame_acceleration(d, f, (ff_axes)axes, all[ACCELERATION].data + at);
      ff_dynamics_frame_bias(d, f, (ff_axes)axes, all[BIAS_ACCELERATION].data + at);
      ff_dynamics_frame_jacobian(d, f, (ff_axes)axes, all[JACOBIAN_WORLD + axes].data + 6 * nv * f * lanes);
    }
  }
}

void ffi_outputs_compute(ff_dynamics *d, const ff_model *model, const ffi_lane_state *s, int is_reusing,
                         ffi_outputs *out)
{
  const ff_model_size size = ff_model_get_size(model);
  const double *q = is_reusing ? NULL : s->q;
  ffi_output *all = out->all;
  const ff_point points[FFI_OUTPUT_POINTS] = {
      {size.frames - 1, {0.1, 0.2, 0.3}}, {size.frames / 2, {-0.2, 0.1, 0}}, {size.frames - 1, {0, 0, 0.1}}};
  ff_dynamics_kinematics(d, s->q, s->v, s->vdot);
  compute_frames(d, size.frames, size.nv, s->lanes, all);
  ff_dynamics_com(d, all[COM].data);
  ff_dynamics_com_jacobian(d, all[COM_JACOBIAN].data);
  ff_dynamics_momentum(d, all[MOMENTUM].data);
  ff_dynamics_kinetic_energy(d, all[KINETIC].data);
  ff_dynamics_potential_energy(d, all[POTENTIAL].data);
  ff_dynamics_rnea(d, q, s->v, s->vdot, all[RNEA].data);
  ff_dynamics_bias(d, q, s->v, all[BIAS].data);
  ff_dynamics_gravity(d, q, all[GRAVITY].data);
  ff_dynamics_aba(d, q, s->v, s->tau, all[ABA].data);
  ff_dynamics_crba(d, q);
  ff_dynamics_mass_matrix(d, all[MASS_MATRIX].data);
  out->factored = ff_dynamics_factor(d, NULL);
  memcpy(all[SOLVE].data, s->tau, (size_t)(size.nv * s->lanes) * sizeof *s->tau);
  ff_dynamics_solve(d, all[SOLVE].data);
  ff_dynamics_point_jacobian(d, FFI_OUTPUT_POINTS, points, all[POINT_JACOBIAN].data);
  ff_dynamics_minv_jt(d, FFI_OUTPUT_POINTS, points, all[MINV_JT].data);
  ff_dynamics_delassus(d, FFI_OUTPUT_POINTS, points, all[DELASSUS].data);
  ff_dynamics_aba(d, q, s->v, s->tau, all[ABA_AGAIN].data);
}

static ffi_lane_state empty_state(const ff_model *model, int lanes)
{
  const ff_model_size size = ff_model_get_size(model);
  return (ffi_lane_state){.lanes = lanes,
                          .q = room(size.nq * lanes),
                          .v = room(size.nv * lanes),
                          .vdot = room(size.nv * lanes),
                          .tau = room(size.nv * lanes)};
}

ffi_lane_state ffi_lane_state_make(const ff_model *model, int lanes, ffi_random *random)
{
  const ff_model_size size = ff_model_get_size(model);
  ffi_lane_state s = empty_state(model, lanes);
  double *q = room(size.nq);
  for (int r = 0; r < lanes; ++r) {
    ffi_random_q(random, model, q);
    ffi_random_to_lane(size.nq, q, lanes, r, s.q);
  }
  ffi_random_vector(random, size.nv * lanes, 2, s.v);
  ffi_random_vector(random, size.nv * lanes, 5, s.vdot);
  ffi_random_vector(random, size.nv * lanes, 10, s.tau);
  release(q);
  return s;
}

void ffi_lane_state_free(ffi_lane_state *state)
{
  release(state->q);
  release(state->v);
  release(state->vdot);
  release(state->tau);
}

void ffi_lane_state_copy(const ff_model *model, const ffi_lane_state *from, int lane, ffi_lane_state *to)
{
  const ff_model_size size = ff_model_get_size(model);
  for (int r = 0; r < to->lanes; ++r) {
    for (int k = 0; k < size.nq; ++k)
      to->q[k * to->lanes + r] = from->q[k * from->lanes + lane];
    for (int k = 0; k < size.nv; ++k) {
      to->v[k * to->lanes + r] = from->v[k * from->lanes + lane];
      to->vdot[k * to->lanes + r] = from->vdot[k * from->lanes + lane];
      to->tau[k * to->lanes + r] = from->tau[k * from->lanes + lane];
    }
  }
}
