#include "cli/words.h"

#include "cli/units.h"

#include <footfall/plan.h>
#include <footfall/sim.h>

#include <stddef.h>

enum { MOST_WORDS = 32 };

const ff_isa ffi_isas[FFI_ISA_COUNT] = {FF_ISA_BASE, FF_ISA_AVX2, FF_ISA_AVX512, FF_ISA_AUTO};

// A function for a list of strings, which says where it ends.
#define FFI_LIST(name, ...)                                                                                  \
  const char *name(int index)                                                                                \
  {                                                                                                          \
    static const char *const list[] = {__VA_ARGS__};                                                         \
    const int count = (int)(sizeof list / sizeof list[0]);                                                   \
    return index >= 0 && index < count ? list[index] : NULL;                                                 \
  }

FFI_LIST(ffi_words_of_mimic, "refuse", "free", "fix")
FFI_LIST(ffi_words_of_switch, "off", "on")
FFI_LIST(ffi_words_of_order, "1", "2")
FFI_LIST(ffi_words_of_format, "urdf", "mjcf")
FFI_LIST(ffi_words_of_truth, "common", "own", "both")
FFI_LIST(ffi_words_of_shell, "bash", "zsh", "man")
FFI_LIST(ffi_words_of_scheme, "expo", "expo:order-1", "expo-paper", "expo-paper:exact", "expo-paper:order-1",
         "expo-paper:order-2", "expo-paper:order-3", "expo-paper:order-5", "expo-paper:order-7", "euler",
         "symplectic", "rk4", "implicit", "ess")

FFI_LIST(ffi_endings_of_model, ".urdf", ".xml", ".mjcf")
FFI_LIST(ffi_endings_of_info, ".urdf", ".xml", ".mjcf", ".yaml", ".yml", ".h5")
FFI_LIST(ffi_endings_of_scene, ".yaml", ".yml")
FFI_LIST(ffi_endings_of_model_or_scene, ".yaml", ".yml", ".urdf", ".xml", ".mjcf")
FFI_LIST(ffi_endings_of_log, ".h5")
FFI_LIST(ffi_endings_of_new_log, ".h5", ".csv", ".mcap")
FFI_LIST(ffi_endings_of_view, ".h5", ".yaml", ".yml", ".urdf", ".xml", ".mjcf")
FFI_LIST(ffi_endings_of_page, ".html")
FFI_LIST(ffi_endings_of_svg, ".svg")
FFI_LIST(ffi_endings_of_json, ".json")
FFI_LIST(ffi_endings_of_trajectory, ".txt")

const char *ffi_words_of_stepper(int index)
{
  return index < FF_STEPPER_COUNT ? ff_stepper_name((ff_stepper)index) : NULL;
}

const char *ffi_words_of_motion(int index)
{
  return index < FF_PLAN_MOTION_COUNT ? ff_plan_motion_name((ff_plan_motion)index) : NULL;
}

const char *ffi_words_of_isa(int index)
{
  return index < FFI_ISA_COUNT ? ff_isa_name(ffi_isas[index]) : NULL;
}

int ffi_words_count(ffi_words *words)
{
  int count = 0;
  while (words(count))
    ++count;
  return count;
}

int ffi_words_read(const char *option, const char *text, ffi_words *words, int *index)
{
  const char *list[MOST_WORDS];
  int count = 0;
  for (; count < MOST_WORDS && words(count); ++count)
    list[count] = words(count);
  return ffi_read_word(option, text, list, count, index);
}
