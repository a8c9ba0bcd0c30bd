/// option.h: every option of a sim by its key.
///
/// One table has them all: key, kind, unit, range, default, the steppers it belongs to, one sentence. Made of it are
/// ff_sim_def_default(), what ff_sim_create() refuses, the fields of scenes below `stepper`, the options of the
/// command, what shells complete, the manual page and docs/guide/options.md.
///
///     ff_sim_def def = ff_sim_def_default();
///     if (ff_sim_def_set(&def, "expo.force_tolerance", "1e-5", &error) != FF_OK) ...
///     ff_sim_def_set(&def, "dt", "2ms", &error);       // with units, as in scenes
///
/// **Keys** are the same everywhere. An option that several kinds of steppers have is one word: `max_speed`,
/// `accuracy`. An option of one kind has the kind's name before it: `expo.` (`expo`, `expo-paper`), `implicit.`,
/// `ess.`, `moreau.`, `c2a.` (`ca`, `c2a`). A scene has them below `stepper`: `stepper.expo.order`. Two differ:
/// `stepper` is a scene's `stepper.type`, and `dt` its `dt`.
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
  const char *scene;   ///< where scenes have it: "stepper.expo.force_tolerance"; NULL: nowhere
  ff_value_rule value; ///< what it may be
  double standard;     ///< the default; of a word its number
  const char *unit;    ///< that it is stored in: "s", "N s"; "": none
  unsigned steppers;   ///< bit 1u << s is set if it belongs to the stepper s
  size_t offset;       ///< of its field in ff_sim_def
  const char *about;   ///< one sentence, without its end
} ff_option;

int ff_option_count(void);                        ///< how many there are
const ff_option *ff_option_at(int index);         ///< in the order of the table; NULL out of range
const ff_option *ff_option_find(const char *key); ///< NULL if there is none

/// The last part of its key: "order" of "expo.order".
const char *ff_option_name(const ff_option *option);

int ff_option_is_of(const ff_option *option, ff_stepper stepper); ///< 1 if it belongs to that stepper

/// The option of a stepper by its key, or by the last part of it: "order" is "expo.order" for `expo`. NULL: that
/// stepper has none of that name.
const ff_option *ff_option_of_stepper(ff_stepper stepper, const char *name);

enum { FF_OPTION_TEXT = 200 }; ///< bytes of the texts below
/// Whose it is, in words: "the steppers ca and c2a", "the stepper expo", "all steppers".
void ff_option_owners(const ff_option *option, char text[FF_OPTION_TEXT]);

/// Set an option by its key to a value as scenes write it: 1e-5, 2ms, on, coulomb. FF_ERROR_ARGUMENT for an unknown
/// key and for a value that is malformed or out of range; nothing is changed then. The option need not belong to
/// def->stepper: a def may be made ready for several steppers.
ff_status ff_sim_def_set(ff_sim_def *def, const char *key, const char *value, ff_error *error);

/// The value of an option as a text, which ff_sim_def_set() reads back to the same bits; SI, without unit.
/// FF_ERROR_ARGUMENT for an unknown key, FF_ERROR_LIMIT where the text does not fit.
ff_status ff_sim_def_get(const ff_sim_def *def, const char *key, char *text, size_t size, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
