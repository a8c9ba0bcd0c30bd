#include "model/element_flaw.h"

#include "math/vec3.h"

#include <math.h>
#include <stdio.h>

#define TELL(flaw, ...) ((void)snprintf((flaw)->text, sizeof(flaw)->text, __VA_ARGS__))

static void look_at_motor(const ff_element_def *def, ffi_element_flaw *flaw)
{
  if (!isfinite(def->reference) || !isfinite(def->reference_velocity))
    TELL(flaw, "its reference %g or its reference_velocity %g is not finite", def->reference,
         def->reference_velocity);
  else if (!(def->effort > 0))
    TELL(flaw, "its effort is %g; it must be > 0, and may be infinite", def->effort);
  else if (!(def->delay >= 0 && def->delay <= FFI_MAX_DELAY))
    TELL(flaw, "its delay is %g s; it must be within 0..%g s", def->delay, FFI_MAX_DELAY);
}

static void look_at_limit(const ff_element_def *def, ffi_element_flaw *flaw)
{
  if (!(def->lower <= def->upper) || (isinf(def->lower) && isinf(def->upper)))
    TELL(flaw, "its limits %g to %g are no range, or limit nothing", def->lower, def->upper);
}

// Farther from its frame [m] than anything on Earth; there rounding is still below 1e-8 m, beyond it springs would be lost in it.
static const double farthest = 1e7;

static void look_at_ends(const ff_element_def *def, ffi_element_flaw *flaw)
{
  const double *offsets[2] = {def->a.offset, def->b.offset};
  for (int i = 0; i < 2 && !flaw->text[0]; ++i)
    for (int k = 0; k < 3; ++k)
      if (!(fabs(offsets[i][k]) <= farthest))
        TELL(flaw, "the offset of its end %c is %g m along %c: not finite, or farther away than 1e7 m",
             "ab"[i], offsets[i][k], "xyz"[k]);
}

static void look_at_axis(const ff_element_def *def, ffi_element_flaw *flaw)
{
  const double *axis = def->axis;
  if (flaw->text[0])
    return;
  if (!ffi_all_finite(axis, 3))
    TELL(flaw, "its axis %g %g %g is not finite", axis[0], axis[1], axis[2]);
  else if (ffi_v3_norm(axis) == 0)
    TELL(flaw, "its axis is zero, so it has no direction");
}

static void look_at_gains(const ff_element_def *def, ffi_element_flaw *flaw)
{
  const struct {
    const char *name;
    double value;
  } gains[] = {
      {"stiffness", def->stiffness},
      {"damping", def->damping},
      {"angular_stiffness", def->angular_stiffness},
      {"angular_damping", def->angular_damping},
  };
  for (size_t i = 0; i < sizeof gains / sizeof gains[0] && !flaw->text[0]; ++i)
    if (!isfinite(gains[i].value) || !(gains[i].value >= 0))
      TELL(flaw, "its %s is %g; it must be finite and >= 0", gains[i].name, gains[i].value);
}

ffi_element_flaw ffi_element_flaw_find(const ff_element_def *def)
{
  ffi_element_flaw flaw = {""};
  switch (def->type) {
  case FF_ELEMENT_JOINT_PD: look_at_motor(def, &flaw); break;
  case FF_ELEMENT_JOINT_LIMIT: look_at_limit(def, &flaw); break;
  case FF_ELEMENT_POINT:
  case FF_ELEMENT_WELD: look_at_ends(def, &flaw); break;
  case FF_ELEMENT_HINGE:
  case FF_ELEMENT_SLIDER:
  case FF_ELEMENT_PLANAR:
    look_at_ends(def, &flaw);
    look_at_axis(def, &flaw);
    break;
  default: TELL(&flaw, "there is no element type %d", (int)def->type);
  }
  look_at_gains(def, &flaw);
  return flaw;
}
