// Calls every kernel and stores its results.
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
  MOMENTUM_BIAS,
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
  RNEA_DQ,
  RNEA_DV,
  ABA_DQ,
  ABA_DV,
  ABA_DTAU,
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
              [POSITION] = {"position", FFI_OUTPUT_PLAIN, 3 * frames, NULL, 0},
              [ROTATION] = {"rotation", FFI_OUTPUT_PLAIN, 9 * frames, NULL, 0},
              [VELOCITY] = {"velocity", FFI_OUTPUT_PLAIN, 18 * frames, NULL, 0},
              [ACCELERATION] = {"acceleration", FFI_OUTPUT_PLAIN, 18 * frames, NULL, 0},
              [BIAS_ACCELERATION] = {"bias acceleration", FFI_OUTPUT_PLAIN, 18 * frames, NULL, 0},
              [JACOBIAN_WORLD] = {"Jacobian, world", FFI_OUTPUT_PLAIN, 6 * nv * frames, NULL, 0},
              [JACOBIAN_LOCAL] = {"Jacobian, local", FFI_OUTPUT_PLAIN, 6 * nv * frames, NULL, 0},
              [JACOBIAN_ALIGNED] = {"Jacobian, aligned", FFI_OUTPUT_PLAIN, 6 * nv * frames, NULL, 0},
              [COM] = {"com", FFI_OUTPUT_PLAIN, 3, NULL, 0},
              [COM_JACOBIAN] = {"com Jacobian", FFI_OUTPUT_PLAIN, 3 * nv, NULL, 0},
              [MOMENTUM] = {"momentum", FFI_OUTPUT_PLAIN, 6, NULL, 0},
              [MOMENTUM_BIAS] = {"momentum bias", FFI_OUTPUT_PLAIN, 6, NULL, 1},
              [KINETIC] = {"kinetic energy", FFI_OUTPUT_PLAIN, 1, NULL, 0},
              [POTENTIAL] = {"potential energy", FFI_OUTPUT_PLAIN, 1, NULL, 0},
              [RNEA] = {"rnea", FFI_OUTPUT_PLAIN, nv, NULL, 0},
              [BIAS] = {"bias", FFI_OUTPUT_PLAIN, nv, NULL, 0},
              [GRAVITY] = {"gravity", FFI_OUTPUT_PLAIN, nv, NULL, 0},
              [ABA] = {"aba", FFI_OUTPUT_SOLVED, nv, NULL, 0},
              [MASS_MATRIX] = {"mass matrix", FFI_OUTPUT_PLAIN, nv * nv, NULL, 0},
              [SOLVE] = {"solve", FFI_OUTPUT_SOLVED, nv, NULL, 0},
              [POINT_JACOBIAN] = {"point Jacobian", FFI_OUTPUT_PLAIN, rows * nv, NULL, 0},
              [MINV_JT] = {"minv_jt", FFI_OUTPUT_SOLVED, rows * nv, NULL, 0},
              [DELASSUS] = {"delassus", FFI_OUTPUT_SOLVED, rows * rows, NULL, 0},
              [RNEA_DQ] = {"d rnea / d q", FFI_OUTPUT_PLAIN, nv * nv, NULL, 1},
              [RNEA_DV] = {"d rnea / d v", FFI_OUTPUT_PLAIN, nv * nv, NULL, 1},
              [ABA_DQ] = {"d aba / d q", FFI_OUTPUT_SOLVED, nv * nv, NULL, 1},
              [ABA_DV] = {"d aba / d v", FFI_OUTPUT_SOLVED, nv * nv, NULL, 1},
              [ABA_DTAU] = {"d aba / d tau", FFI_OUTPUT_SOLVED, nv * nv, NULL, 0},
              [ABA_AGAIN] = {"aba after all others", FFI_OUTPUT_SOLVED, nv, NULL, 0},
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

// Forces at the points: any numbers will do, but each robot its own.
static void compute_derivatives(ff_dynamics *d, const double *q, const ffi_lane_state *s, int nv,
                                const ff_point *points, ffi_output *all)
{
  enum { MOST_LANES = 8 };
  ff_point_force forces[FFI_OUTPUT_POINTS * MOST_LANES];
  assert_true(s->lanes <= MOST_LANES);
  for (int i = 0; i < FFI_OUTPUT_POINTS * s->lanes; ++i) {
    forces[i].point = points[i / s->lanes];
    for (int k = 0; k < 3; ++k)
      forces[i].force[k] = s->tau[(3 * (i / s->lanes) + k) % nv * s->lanes + i % s->lanes];
  }
  ff_dynamics_rnea_derivatives(d, q, s->v, s->vdot, forces, FFI_OUTPUT_POINTS, all[RNEA_DQ].data,
                               all[RNEA_DV].data);
  ff_dynamics_aba_derivatives(d, q, s->v, s->tau, forces, FFI_OUTPUT_POINTS, all[ABA_DQ].data,
                              all[ABA_DV].data, all[ABA_DTAU].data);
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
  ff_dynamics_momentum_bias(d, all[MOMENTUM_BIAS].data);
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
  compute_derivatives(d, q, s, size.nv, points, all);
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
