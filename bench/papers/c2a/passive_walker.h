/// passive_walker.h: two machines that walk down a slope without motors: hybrid systems with impacts, in coordinates of their own. Benchmarks integrate them, tests too.
///
/// **The stick walker** is the simplest walking model (Garcia, Chatterjee, Ruina and Coleman 1998): two massless legs of length 1, a heavy hip, feet without weight.
/// x = (theta, theta', phi, phi'): stance leg from the slope's normal, and swing leg from the stance leg. The swing foot may pass below the slope in mid stride.
///
/// **The toy walker** walks in three dimensions and cannot stand (Coleman, Garcia, Mombaur and Ruina, PRE 64, 022901): two legs with disks for feet, joined by a hip axis.
/// x = (heading, lean, pitch of the stance leg, angle of the swing leg, and their rates); the stance leg is the left one, R = Rz(heading) Rx(lean) Ry(pitch)
/// against the slope's axes (forward, left, normal), the swing leg's is R Ry(swing - pi). A sharp disk rolls without slipping. As a foot strikes the legs change
/// roles and the picture is mirrored, so that every step is one of the left leg.
///
/// Masses, lengths and gravity are 1.
#ifndef BENCH_PASSIVE_WALKER_H
#define BENCH_PASSIVE_WALKER_H

enum { BENCH_STICK_SIZE = 4, BENCH_TOY_SIZE = 8 };

void bench_stick_rate(double slope, const double *x, double *rate);
double bench_stick_gap(
    const double *x); ///< phi - 2 theta: zero where the foot is at the slope, rising as it strikes
void bench_stick_strike(const double *x, double *out); ///< the state after the strike, legs renamed

int bench_toy_rate(const double *x, double *rate); ///< 0; 1: the mass matrix is singular
double bench_toy_height(const double *x);          ///< of the swing foot's lowest point
int bench_toy_strike(const double *x,
                     double *out); ///< after a plastic strike without slip; 0, or 1: singular
double bench_toy_kinetic_energy(const double *x);
double bench_toy_potential_energy(const double *x); ///< zero at the stance contact
double bench_toy_power(const double *x);            ///< of gravity
double bench_toy_descent(
    const double *x); ///< potential energy that the stance contact gives up as it rolls on, a rate

#endif
