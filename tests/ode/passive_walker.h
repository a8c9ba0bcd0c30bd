/// passive_walker.h: two machines that walk down a slope without motors, for tests of hybrid systems with impacts.
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
#ifndef FFI_TESTS_ODE_PASSIVE_WALKER_H
#define FFI_TESTS_ODE_PASSIVE_WALKER_H

enum { FFI_STICK_SIZE = 4, FFI_TOY_SIZE = 8 };

void ffi_stick_rate(double slope, const double *x, double *rate);
double
ffi_stick_gap(const double *x); ///< phi - 2 theta: zero where the foot is at the slope, rising as it strikes
void ffi_stick_strike(const double *x, double *out); ///< the state after the strike, legs renamed

int ffi_toy_rate(const double *x, double *rate);  ///< 0; 1: the mass matrix is singular
double ffi_toy_height(const double *x);           ///< of the swing foot's lowest point
int ffi_toy_strike(const double *x, double *out); ///< after a plastic strike without slip; 0, or 1: singular
double ffi_toy_kinetic_energy(const double *x);
double ffi_toy_potential_energy(const double *x); ///< zero at the stance contact
double ffi_toy_power(const double *x);            ///< of gravity

#endif
