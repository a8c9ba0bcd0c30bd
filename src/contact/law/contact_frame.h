/// contact_frame.h: the two tangents that complete a contact normal to a frame.
#ifndef FFI_CONTACT_CONTACT_FRAME_H
#define FFI_CONTACT_CONTACT_FRAME_H

/// Unit vectors t1, t2 such that (t1, t2, n) is right-handed; n is a unit vector. t1 is as near to the x axis as
/// possible, or to the y axis where |n_x| >= 0.9.
void ffi_contact_frame_tangents(const double n[3], double t1[3], double t2[3]);

#endif
