// Lists of words that options take.
#include "cli/options/choices.h"

#include <footfall/control/plan.h>
#include <footfall/sim.h>

#include <stddef.h>

const ff_isa ffi_choices_isas[FFI_CHOICES_ISA_COUNT] = {FF_ISA_BASE, FF_ISA_AVX2, FF_ISA_AVX512, FF_ISA_AUTO};

FFI_CHOICES_LIST(ffi_choices_mimic, "refuse", "free", "fix", "couple")
FFI_CHOICES_LIST(ffi_choices_softness, "stated", "mujoco", "footfall")
FFI_CHOICES_LIST(ffi_choices_massless, "least-inertia", "fix", "refuse")
FFI_CHOICES_LIST(ffi_choices_switch, "off", "on")
FFI_CHOICES_LIST(ffi_choices_order, "1", "2")
FFI_CHOICES_LIST(ffi_choices_format, "urdf", "mjcf")
FFI_CHOICES_LIST(ffi_choices_truth, "common", "own", "both")
FFI_CHOICES_LIST(ffi_choices_shell, "bash", "zsh", "man")
FFI_CHOICES_LIST(ffi_choices_scheme, "expo", "expo:order-1", "expo-paper", "expo-paper:exact",
                 "expo-paper:order-1", "expo-paper:order-2", "expo-paper:order-3", "expo-paper:order-5",
                 "expo-paper:order-7", "euler", "symplectic", "rk4", "implicit", "ess")

const char *ffi_choices_stepper(int index)
{
  return index < FF_STEPPER_COUNT ? ff_stepper_name((ff_stepper)index) : NULL;
}

const char *ffi_choices_motion(int index)
{
  return index < FF_PLAN_MOTION_COUNT ? ff_plan_motion_name((ff_plan_motion)index) : NULL;
}

const char *ffi_choices_isa(int index)
{
  return index < FFI_CHOICES_ISA_COUNT ? ff_isa_name(ffi_choices_isas[index]) : NULL;
}
