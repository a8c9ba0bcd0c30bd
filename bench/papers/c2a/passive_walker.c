// Equations of motion and impacts of the two passive walkers.
#include "papers/c2a/passive_walker.h"

#include "math/dense.h"
#include "math/mat3.h"

#include <math.h>
#include <string.h>

// ---- The stick walker -----------------------------------------------------------------------------------

void bench_passive_walker_stick_rate(double slope, const double *x, double *rate)
{
  const double theta = x[0], spin = x[1], phi = x[2];
  rate[0] = spin;
  rate[1] = sin(theta - slope);
  rate[2] = x[3];
  rate[3] = rate[1] + spin * spin * sin(phi) - cos(theta - slope) * sin(phi);
}

double bench_passive_walker_stick_gap(const double *x)
{
  return x[2] - 2 * x[0];
}

void bench_passive_walker_stick_strike(const double *x, double *out)
{
  const double c = cos(2 * x[0]), theta = x[0], spin = x[1];
  out[0] = -theta;
  out[1] = c * spin;
  out[2] = -2 * theta;
  out[3] = c * (1 - c) * spin;
}

// ---- The toy walker: its parts --------------------------------------------------------------------------

static const double slope = 0.0702, radius = 0.1236, width = 0.3624, hip_above = 1 - 0.1236;
static const double mass_at[3] = {
    0, 0.6969, 0.1901}; // left leg's, from the disk's centre; the right leg's is its mirror image
static const double inertia[9] = {0.1982, 0.0071, -0.0023, 0.0071, 0.0186, 0.0573, -0.0023, 0.0573, 0.1802};

// All vectors are in the axes of Rz(heading) Rx(lean), where the hip axis and the disks' axes are y and the contact is
// one radius below the disk's centre.
typedef struct leg {
  double mass[3];      // from the stance disk's centre
  double I[9];         // about the mass
  double turn[4][3];   // angular velocity by each rate
  double move[4][3];   // velocity of the mass by each rate
  double bias_turn[3]; // accelerations at constant rates
  double bias_move[3];
} leg;

typedef struct walker {
  double s, c;       // of lean
  double centre[3];  // velocity of the stance disk's centre
  double foot[3];    // swing disk's centre from the stance disk's
  double hip[3];     // a point on the hip axis
  double spin[2][3]; // angular velocities
  leg leg[2];        // stance, swing
} walker;

static void turn_y(double angle, const double x[3], double out[3])
{
  const double c = cos(angle), s = sin(angle), z = c * x[2] - s * x[0];
  ffi_v3_set(c * x[0] + s * x[2], x[1], z, out);
}

// The centre of mass of a leg at this pitch, from its disk, and its inertia. side -1: a right leg.
static void place_leg(double pitch, double side, double mass[3], double I[9])
{
  const double own[3] = {mass_at[0], side * mass_at[1], mass_at[2]};
  turn_y(pitch, own, mass);
  const double c = cos(pitch), s = sin(pitch);
  const double R[9] = {c, 0, s, 0, 1, 0, -s, 0, c};
  double mirrored[9], RI[9], Rt[9];
  for (int i = 0; i < 9; ++i)
    mirrored[i] = (i / 3 == 1) != (i % 3 == 1) ? side * inertia[i] : inertia[i];
  ffi_m3_mul(R, mirrored, RI);
  ffi_m3_transpose(R, Rt);
  ffi_m3_mul(RI, Rt, I);
}

// out += w x (w x r) + turn x r
static void add_acceleration(const double turn[3], const double w[3], const double r[3], double out[3])
{
  double wr[3], wwr[3], tr[3];
  ffi_v3_cross(w, r, wr);
  ffi_v3_cross(w, wr, wwr);
  ffi_v3_cross(turn, r, tr);
  ffi_v3_add(out, wwr, out);
  ffi_v3_add(out, tr, out);
}

// Velocities per rate (heading, lean, pitch, swing), and the accelerations at constant rates.
static void move_legs(walker *w, const double *u)
{
  const double s = w->s, c = w->c;
  const double frame[3] = {u[1], u[0] * s, u[0] * c}; // angular velocity of the axes
  const double rolls[4][3] = {{radius * s, 0, 0}, {0, -radius, 0}, {radius, 0, 0}, {0, 0, 0}};
  double at_hip[3], hip_bias[3];
  for (int l = 0; l < 2; ++l) {
    leg *g = &w->leg[l];
    const double turns[4][3] = {{0, s, c}, {1, 0, 0}, {0, 1, 0}, {0, l, 0}};
    memcpy(g->turn, turns, sizeof turns);
    double *spin = w->spin[l], swept[3];
    ffi_v3_set(0, 0, 0, spin);
    for (int i = 0; i < 4; ++i)
      ffi_v3_add_scaled(u[i], turns[i], spin);
    ffi_v3_cross(frame, spin, swept);
    ffi_v3_set(0, u[0] * u[1] * c, -u[0] * u[1] * s, g->bias_turn);
    ffi_v3_add(g->bias_turn, swept, g->bias_turn);
  }
  ffi_v3_set(0, 0, 0, w->centre);
  for (int i = 0; i < 4; ++i)
    ffi_v3_add_scaled(u[i], rolls[i], w->centre);
  ffi_v3_cross(frame, w->centre, hip_bias);
  hip_bias[0] += radius * u[0] * u[1] * c;
  for (int l = 0; l < 2; ++l) {
    leg *g = &w->leg[l];
    double arm[3];
    ffi_v3_sub(g->mass, w->hip, arm);
    for (int i = 0; i < 4; ++i) { // the centre's, the hip's about it, the mass's about the hip
      double swing[3];
      ffi_v3_cross(w->leg[0].turn[i], w->hip, at_hip);
      ffi_v3_cross(g->turn[i], arm, swing);
      ffi_v3_add(rolls[i], at_hip, g->move[i]);
      ffi_v3_add(g->move[i], swing, g->move[i]);
    }
    ffi_v3_copy(hip_bias, g->bias_move);
    add_acceleration(w->leg[0].bias_turn, w->spin[0], w->hip, g->bias_move);
    add_acceleration(g->bias_turn, w->spin[l], arm, g->bias_move);
  }
}

static walker walker_at(const double *x)
{
  walker w = {.s = sin(x[1]), .c = cos(x[1])};
  const double up[3] = {0, 0, hip_above};
  double swing_up[3];
  const double swing_pitch = x[2] + x[3] - acos(-1);
  turn_y(x[2], up, w.hip);
  turn_y(swing_pitch, up, swing_up);
  ffi_v3_sub(w.hip, swing_up, w.foot);
  w.foot[1] -= width;
  place_leg(x[2], 1, w.leg[0].mass, w.leg[0].I);
  place_leg(swing_pitch, -1, w.leg[1].mass, w.leg[1].I);
  ffi_v3_add(w.leg[1].mass, w.foot, w.leg[1].mass);
  move_legs(&w, x + 4);
  return w;
}

static void gravity(const double *x, const walker *w, double out[3])
{
  const double along = sin(slope) * cos(x[0]), across = -sin(slope) * sin(x[0]), down = -cos(slope);
  ffi_v3_set(along, w->c * across + w->s * down, -w->s * across + w->c * down, out);
}

// ---- Its motion -----------------------------------------------------------------------------------------

// Jourdain's principle: for each rate, sum over legs of move . (acceleration - g) + turn . (I turn' + spin x I spin) =
// 0.
int bench_passive_walker_toy_rate(const double *x, double *rate)
{
  const walker w = walker_at(x);
  double M[16] = {0}, force[4] = {0}, g[3];
  gravity(x, &w, g);
  for (int l = 0; l < 2; ++l) {
    const leg *b = &w.leg[l];
    double Iw[3], gyro[3], moment[3], pull[3];
    ffi_m3_mulv(b->I, w.spin[l], Iw);
    ffi_v3_cross(w.spin[l], Iw, gyro);
    ffi_m3_mulv(b->I, b->bias_turn, moment);
    ffi_v3_add(moment, gyro, moment);
    ffi_v3_sub(g, b->bias_move, pull);
    for (int i = 0; i < 4; ++i) {
      force[i] += ffi_v3_dot(b->move[i], pull) - ffi_v3_dot(b->turn[i], moment);
      double It[3];
      ffi_m3_mulv(b->I, b->turn[i], It);
      for (int j = 0; j < 4; ++j)
        M[4 * i + j] += ffi_v3_dot(b->move[i], b->move[j]) + ffi_v3_dot(It, b->turn[j]);
    }
  }
  memcpy(rate, x + 4, 4 * sizeof *rate);
  memcpy(rate + 4, force, sizeof force);
  if (ffi_dense_cholesky(4, 4, M) != FFI_FACTORED)
    return 1;
  ffi_dense_cholesky_solve(4, 4, M, rate + 4);
  return 0;
}

// Both disks have the same lean, so their lowest points differ in height as their centres do.
double bench_passive_walker_toy_height(const double *x)
{
  const walker w = walker_at(x);
  return w.s * w.foot[1] + w.c * w.foot[2];
}

// Angular momentum about `point` of leg b, which moves with v and rotates with spin.
static void add_momentum(const leg *b, const double point[3], const double v[3], const double spin[3],
                         double out[3])
{
  double arm[3], moment[3], Iw[3];
  ffi_v3_sub(b->mass, point, arm);
  ffi_v3_cross(arm, v, moment);
  ffi_m3_mulv(b->I, spin, Iw);
  ffi_v3_add(out, moment, out);
  ffi_v3_add(out, Iw, out);
}

static void velocity_of(const leg *b, const double *u, double out[3])
{
  ffi_v3_set(0, 0, 0, out);
  for (int i = 0; i < 4; ++i)
    ffi_v3_add_scaled(u[i], b->move[i], out);
}

// Angular momenta that the impact conserves: of the whole walker about the new contact (3), and of the new swing leg
// about the hip axis, in the mirrored axes.
static void momentum_before(const walker *w, const double *u, double out[4])
{
  double contact[3], all[3] = {0}, one[3] = {0};
  ffi_v3_copy(w->foot, contact);
  contact[2] -= radius;
  for (int l = 0; l < 2; ++l) {
    double v[3];
    velocity_of(&w->leg[l], u, v);
    add_momentum(&w->leg[l], contact, v, w->spin[l], all);
    if (l == 0)
      add_momentum(&w->leg[l], w->hip, v, w->spin[l], one);
  }
  ffi_v3_set(-all[0], all[1], -all[2], out);
  out[3] = one[1];
}

int bench_passive_walker_toy_strike(const double *x, double *out)
{
  const double pi = acos(-1);
  const walker before = walker_at(x);
  double after[8] = {-x[0], -x[1], x[2] + x[3] - pi, 2 * pi - x[3]}, momentum[4], A[16];
  momentum_before(&before, x + 4, momentum);
  const walker w = walker_at(after); // the velocities of its legs are linear in the rates
  const double contact[3] = {0, 0, -radius};
  for (int i = 0; i < 4; ++i) {
    double all[3] = {0}, one[3] = {0};
    for (int l = 0; l < 2; ++l)
      add_momentum(&w.leg[l], contact, w.leg[l].move[i], w.leg[l].turn[i], all);
    add_momentum(&w.leg[1], w.hip, w.leg[1].move[i], w.leg[1].turn[i], one);
    for (int j = 0; j < 3; ++j)
      A[4 * j + i] = all[j];
    A[12 + i] = one[1];
  }
  int row[4];
  memcpy(out, after, 4 * sizeof *out);
  if (ffi_dense_lu(4, 4, A, row) != FFI_FACTORED)
    return 1;
  ffi_dense_lu_solve(4, 4, A, row, momentum, out + 4);
  return 0;
}

// ---- Its energy -----------------------------------------------------------------------------------------

double bench_passive_walker_toy_kinetic_energy(const double *x)
{
  const walker w = walker_at(x);
  double twice = 0;
  for (int l = 0; l < 2; ++l) {
    double v[3], Iw[3];
    velocity_of(&w.leg[l], x + 4, v);
    ffi_m3_mulv(w.leg[l].I, w.spin[l], Iw);
    twice += ffi_v3_dot(v, v) + ffi_v3_dot(Iw, w.spin[l]);
  }
  return 0.5 * twice;
}

double bench_passive_walker_toy_potential_energy(const double *x)
{
  const walker w = walker_at(x);
  double g[3], energy = 0;
  gravity(x, &w, g);
  for (int l = 0; l < 2; ++l)
    energy -= ffi_v3_dot(g, w.leg[l].mass) + g[2] * radius;
  return energy;
}

double bench_passive_walker_toy_power(const double *x)
{
  const walker w = walker_at(x);
  double g[3], power = 0;
  gravity(x, &w, g);
  for (int l = 0; l < 2; ++l) {
    double v[3];
    velocity_of(&w.leg[l], x + 4, v);
    power += ffi_v3_dot(g, v);
  }
  return power;
}

// The contact moves by radius x pitch' along the heading, and carries two legs of weight 1.
double bench_passive_walker_toy_descent(const double *x)
{
  return 2 * sin(slope) * radius * x[6] * cos(x[0]);
}
