/// trajectory.h: what a file with a trajectory has become.
///
///     trajectory.c       memory, and what users ask for
///     trajectory_read.c  from text
///     trajectory_write.c to text
#ifndef FFI_IO_TRAJECTORY_H
#define FFI_IO_TRAJECTORY_H

#include <footfall/files.h>
#include <footfall/trajectory.h>

#include <stddef.h>

struct ff_trajectory {
  ff_feedback_def def;
  int nq, nv, nu;
  double *q, *v, *control, *gain; ///< what def points to
  char *notes;
  size_t notes_length;
};

/// The first line of a file.
#define FFI_TRAJECTORY_FORMAT "footfall-trajectory 1"

/// How many velocities of a model have a motor: all but those of free joints.
int ffi_trajectory_controls(const ff_model *model);

/// Room for def.states states, all zero. FF_ERROR_MEMORY without a file; destroy it all the same.
ff_status ffi_trajectory_allocate(ff_trajectory *t);

/// As ff_trajectory_load(); where the file is from, see io/files.h.
ff_status ffi_trajectory_load(ff_files *keep, const ff_files *from, const char *name, const char *path,
                              const ff_model *model, ff_trajectory **out, ff_error *error);

/// From text with a zero at its end, which is overwritten. `name` stands for the file in messages.
ff_status ffi_trajectory_read(char *text, const char *name, const ff_model *model, ff_trajectory *out,
                              ff_error *error);

#endif
