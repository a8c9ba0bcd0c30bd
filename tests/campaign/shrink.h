/// shrink.h: a small scene with the same fault, by trying cuts one after the other.
#ifndef FFI_TESTS_SHRINK_H
#define FFI_TESTS_SHRINK_H

#include "campaign/cut.h"
#include "campaign/judge.h"

/// Cut the recipe as far as it keeps the fault, within so many seconds. `cuts` lists what was cut, `result` is of what
/// is left. 0: the fault did not come back at all.
int ffi_shrink(ffi_recipe *recipe, ffi_judge_fault fault, double seconds, ffi_cut_list *cuts,
               ffi_judge_result *result);

/// Write the scene as DIR/NAME.yaml and DIR/NAME.urdf for `footfall run`, with what the formats cannot say, the fault
/// and `repeat`, a command, as comments. 0: a file could not be written.
int ffi_shrink_write(const ffi_recipe *recipe, const char *dir, const char *name, const char *about);

#endif
