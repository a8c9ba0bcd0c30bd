/// passive_walker.h: two passive walkers on a slope: hybrid systems with impacts, in minimal coordinates, for
/// benchmarks and tests.
///
/// **The stick walker** is the simplest walking model (Garcia, Chatterjee, Ruina and Coleman 1998): two massless legs
/// of length 1, a heavy hip, feet without weight. x = (theta, theta', phi, phi'): angle of the stance leg from the
/// slope's normal, and of the swing leg from the stance leg. The swing foot may pass below the slope in mid-stride.
///
/// **The toy walker** walks in three dimensions and cannot stand (Coleman, Garcia, Mombaur and Ruina, PRE 64, 022901):
/// two legs with disks for feet, joined by a hip axis. x = (heading, lean, pitch of the stance leg, angle of the swing
/// leg, and their rates); the stance leg is the left one, R = Rz(heading) Rx(lean) Ry(pitch) against the slope's axes
/// (forward, left, normal), the swing leg's is R Ry(swing - pi). A sharp-edged disk rolls without slip. At a strike the
/// legs swap roles and the coordinates are mirrored, so that every step is one of the left leg.
///
/// Masses, lengths and gravity are 1.
#ifndef BENCH_PASSIVE_WALKER_H
#define BENCH_PASSIVE_WALKER_H

enum { BENCH_PASSIVE_WALKER_STICK_SIZE = 4, BENCH_PASSIVE_WALKER_TOY_SIZE = 8 };

void bench_passive_walker_stick_rate(double slope, const double *x, double *rate);
/// Phi - 2 theta: zero where the foot is at the slope, rising as it strikes.
double bench_passive_walker_stick_gap(const double *x);
/// The state after the strike, legs swapped.
void bench_passive_walker_stick_strike(const double *x, double *out);

int bench_passive_walker_toy_rate(const double *x, double *rate); ///< 0; 1: the mass matrix is singular
double bench_passive_walker_toy_height(const double *x);          ///< of the swing foot's lowest point
/// After a plastic strike without slip; 0, or 1: singular.
int bench_passive_walker_toy_strike(const double *x, double *out);
double bench_passive_walker_toy_kinetic_energy(const double *x);
double bench_passive_walker_toy_potential_energy(const double *x); ///< zero at the stance contact
double bench_passive_walker_toy_power(const double *x);            ///< of gravity
/// Rate at which the rolling stance contact loses potential energy.
double bench_passive_walker_toy_descent(const double *x);

#endif
