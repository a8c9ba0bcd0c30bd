/// cut.h: a cut inside: two models, and how the joints of one map to the other.
///
///     cut_choose.c   which joints are cut, and what each would lose
///     cut_build.c    makes the cut model, through the builder
///     cut_state.c    converts states and forces: spread, gather, tau
///     cut.c          creation and queries
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
      [3]; ///< [source's joints] that are cut: origin of the piece (its centre of mass) in the link's frame
};

/// Sets is_cut of every joint and count; an error if a joint cannot be cut.
ff_status ffi_cut_choose(ff_cut *cut, const ff_cut_def *def, ff_error *error);

/// Makes the model, and fills joint and element of every joint.
ff_status ffi_cut_build(ff_cut *cut, const ff_cut_def *def, ff_error *error);

#endif
