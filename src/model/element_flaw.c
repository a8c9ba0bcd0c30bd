// Checks of gains, references, limits, offsets and axes.
#include "model/element_flaw.h"

#include "math/vec3.h"

#include <math.h>
#include <stdio.h>

#define FLAW(flaw, ...) ((void)snprintf((flaw)->text, sizeof(flaw)->text, __VA_ARGS__))

static void check_motor(const ff_element_def *def, ffi_element_flaw *flaw)
{
  if (!isfinite(def->reference) || !isfinite(def->reference_velocity))
    FLAW(flaw, "its reference %g or its reference_velocity %g is not finite", def->reference,
         def->reference_velocity);
  else if (!(def->effort > 0))
    FLAW(flaw, "its effort is %g; it must be > 0, and may be infinite", def->effort);
  else if (!(def->delay >= 0 && def->delay <= FFI_MAX_DELAY))
    FLAW(flaw, "its delay is %g s; it must be within 0..%g s", def->delay, FFI_MAX_DELAY);
}

static void check_friction(const ff_element_def *def, ffi_element_flaw *flaw)
{
  if (!(def->effort > 0) || isinf(def->effort))
    FLAW(flaw, "its effort, the friction, is %g; it must be > 0 and finite", def->effort);
}

static void check_coupling(const ff_element_def *def, ffi_element_flaw *flaw)
{
  if (!ffi_all_finite(def->polynomial, 5))
    FLAW(flaw, "its polynomial %g %g %g %g %g is not finite", def->polynomial[0], def->polynomial[1],
         def->polynomial[2], def->polynomial[3], def->polynomial[4]);
}

static void check_limit(const ff_element_def *def, ffi_element_flaw *flaw)
{
  if (!(def->lower <= def->upper) || (isinf(def->lower) && isinf(def->upper)))
    FLAW(flaw,
         "its limits %g to %g are not a range: the lower must not be above the upper, and one must be finite",
         def->lower, def->upper);
}

// Farthest offset from a frame [m]: larger than anything on Earth. There rounding is still below 1e-8 m.
static const double farthest = 1e7;

static void check_ends(const ff_element_def *def, ffi_element_flaw *flaw)
{
  const double *offsets[2] = {def->a.offset, def->b.offset};
  for (int i = 0; i < 2 && !flaw->text[0]; ++i)
    for (int k = 0; k < 3; ++k)
      if (!(fabs(offsets[i][k]) <= farthest))
        FLAW(flaw, "the offset of its end %c is %g m along %c: not finite, or farther away than 1e7 m",
             "ab"[i], offsets[i][k], "xyz"[k]);
}

static void check_axis(const ff_element_def *def, ffi_element_flaw *flaw)
{
  const double *axis = def->axis;
  if (flaw->text[0])
    return;
  if (!ffi_all_finite(axis, 3))
    FLAW(flaw, "its axis %g %g %g is not finite", axis[0], axis[1], axis[2]);
  else if (ffi_v3_norm(axis) == 0)
    FLAW(flaw, "its axis is zero, so it has no direction");
}

static void check_gains(const ff_element_def *def, ffi_element_flaw *flaw)
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
      FLAW(flaw, "its %s is %g; it must be finite and >= 0", gains[i].name, gains[i].value);
}

ffi_element_flaw ffi_element_flaw_find(const ff_element_def *def)
{
  ffi_element_flaw flaw = {""};
  switch (def->type) {
  case FF_ELEMENT_JOINT_PD: check_motor(def, &flaw); break;
  case FF_ELEMENT_JOINT_LIMIT: check_limit(def, &flaw); break;
  case FF_ELEMENT_JOINT_FRICTION: check_friction(def, &flaw); break;
  case FF_ELEMENT_COUPLING: check_coupling(def, &flaw); break;
  case FF_ELEMENT_POINT:
  case FF_ELEMENT_WELD: check_ends(def, &flaw); break;
  case FF_ELEMENT_HINGE:
  case FF_ELEMENT_SLIDER:
  case FF_ELEMENT_PLANAR:
    check_ends(def, &flaw);
    check_axis(def, &flaw);
    break;
  default: FLAW(&flaw, "there is no element type %d", (int)def->type);
  }
  check_gains(def, &flaw);
  return flaw;
}
