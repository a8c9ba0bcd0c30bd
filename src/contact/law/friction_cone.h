/// cone.h: forces that a contact can give.
#ifndef FFI_CONTACT_CONE_H
#define FFI_CONTACT_CONE_H

/// Bring a force into the friction cone about n: what pulls becomes zero, what exceeds mu times the normal part is shortened along the surface, its
/// direction kept. Expo paper eqs 21-24 (its authors' projection, which keeps the normal part). Returns 1 if the force changed.
int ffi_friction_cone_project(double mu, const double n[3], double force[3]);

#endif
