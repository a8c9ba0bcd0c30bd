/// cut.h: what a cut keeps: two models, and what became of each joint.
///
///     cut_choose.c   which joints, and what each would lose
///     cut_build.c    the cut model, through the builder
///     cut_state.c    spread, gather, tau
///     cut.c          life and questions
#ifndef FFI_MODEL_CUT_H
#define FFI_MODEL_CUT_H

#include "model/model.h"

#include <footfall/cut.h>

struct ff_cut {
  const ff_model *source;
  ff_model *model;
  int count;            ///< joints that are cut
  ff_cut_joint *joints; ///< [source's joints]
  double (*centre)
      [3]; ///< [source's joints] of those that are cut: origin of the piece, its body's centre of mass, in the link's frame
};

/// Sets is_cut of every joint and count, or refuses.
ff_status ffi_cut_choose(ff_cut *cut, const ff_cut_def *def, ff_error *error);

/// Makes the model, and fills joint and element of every joint.
ff_status ffi_cut_build(ff_cut *cut, const ff_cut_def *def, ff_error *error);

#endif
