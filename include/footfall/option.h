/// option.h: every option of a sim by its key.
///
/// One table lists all options: key, type, unit, range, default, steppers that use it, one sentence. From it follow
/// ff_sim_def_default(), the checks of ff_sim_create(), the fields of scenes below `stepper`, the options of the
/// command, shell completion, the manual page and docs/guide/options.md.
///
///     ff_sim_def def = ff_sim_def_default();
///     if (ff_sim_def_set(&def, "expo.force_tolerance", "1e-5", &error) != FF_OK) ...
///     ff_sim_def_set(&def, "dt", "2ms", &error);       // with units, as in scenes
///
/// **Keys** are the same everywhere.
/// - An option of several families of steppers is one word: `max_speed`, `accuracy`.
/// - An option of one family starts with its name: `expo.` (`expo`, `expo-paper`), `implicit.`, `ess.`, `moreau.`,
///   `c2a.` (`ca`, `c2a`).
/// - Scenes have them below `stepper`: `stepper.expo.order`. Two keys differ: `stepper` is `stepper.type` in a scene,
///   and `dt` is `dt`.
#ifndef FOOTFALL_OPTION_H
#define FOOTFALL_OPTION_H

#include <footfall/sim.h>
#include <footfall/value.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One row of the table.
typedef struct ff_option {
  const char *key;     ///< "expo.force_tolerance"
  const char *scene;   ///< its field in scenes: "stepper.expo.force_tolerance"; NULL: none
  ff_value_rule value; ///< type and range
  double standard;     ///< default; for a word, its index
  const char *unit;    ///< unit of the stored value: "s", "N s"; "": none
  unsigned steppers;   ///< bit 1u << s is set if the stepper s uses it
  size_t offset;       ///< of its field in ff_sim_def
  const char *about;   ///< one sentence, without a full stop
} ff_option;

int ff_option_count(void);                        ///< number of options
const ff_option *ff_option_at(int index);         ///< in the order of the table; NULL out of range
const ff_option *ff_option_find(const char *key); ///< NULL if there is none

/// The last part of its key: "order" of "expo.order".
const char *ff_option_name(const ff_option *option);

int ff_option_is_of(const ff_option *option, ff_stepper stepper); ///< 1 if that stepper uses it

/// Find an option of a stepper by its key or by the last part of the key: "order" is "expo.order" for `expo`. NULL if
/// the stepper has no such option.
const ff_option *ff_option_of_stepper(ff_stepper stepper, const char *name);

enum { FF_OPTION_TEXT = 200 }; ///< bytes of the text of ff_option_owners()
/// Name the steppers that use an option: "the steppers ca and c2a", "the stepper expo", "all steppers".
void ff_option_owners(const ff_option *option, char text[FF_OPTION_TEXT]);

/// Set an option by its key to a value as written in scenes: 1e-5, 2ms, on, coulomb. FF_ERROR_ARGUMENT for an unknown
/// key and for a value that is malformed or out of range; `def` is then unchanged. The option need not belong to
/// def->stepper, so a def can be prepared for several steppers.
ff_status ff_sim_def_set(ff_sim_def *def, const char *key, const char *value, ff_error *error);

/// Get the value of an option as text, in SI units without the unit. ff_sim_def_set() reads it back to the same bits.
/// FF_ERROR_ARGUMENT for an unknown key, FF_ERROR_LIMIT if the text does not fit.
ff_status ff_sim_def_get(const ff_sim_def *def, const char *key, char *text, size_t size, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
