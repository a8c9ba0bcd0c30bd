// Draws options by the library's own table: each one of any stepper, within its range.
#include "campaign/draw.h"

#include <footfall/option.h>

#include <math.h>
#include <string.h>

// Options whose range the campaign narrows. What asks for work is drawn as a person would ask for it, else a slow step
// is what was ordered: h_min = 1 fs, 1e8 integrator steps. What ends a run by itself is drawn wide.
typedef struct bound {
  const char *key;
  double least, most;
} bound;

static const bound bounds[] = {
    {"accuracy", 1e-7, 1e-1},
    {"max_speed", 1e2, 1e9},
    {"max_contacts", 1, 300},
    {"limit_stiffness", 1, 1e8},
    {"limit_damping", 0.01, 1e4},
    {"time_limit", 1, 10},
    {"motor_delay", 1e-4, 0.1},
    {"ess.relative_tolerance", 1e-9, 1e-1},
    {"ess.absolute_tolerance", 1e-11, 1e-1},
    {"ess.epsilon", 1e-8, 1e-2},
    {"ess.max_steps", 1, 1e4},
    {"implicit.tolerance", 1e-12, 1},
    {"implicit.max_iterations", 1, 200},
    {"moreau.max_iterations", 1, 2000},
    {"moreau.relative_tolerance", 1e-12, 0.1},
    {"moreau.absolute_tolerance", 1e-12, 1},
    {"c2a.h_min", 1e-5, 1e-2},
    {"c2a.skin", 1e-6, 1e-2},
    {"c2a.rayleigh", 1e-2, 1e3},
    {"c2a.absolute_error", 1e-9, 1e-1},
    {"c2a.relative_error", 1e-4, 1},
    {"c2a.relative_tolerance", 1e-12, 0.1},
    {"c2a.absolute_tolerance", 1e-12, 1},
    {"c2a.max_iterations", 1, 2000},
    {"c2a.max_work", 100, 2e5}, // up to its default
};

// What makes another method of `expo`, one that is not meant to keep energy: wild scenes only.
static int is_lesser_method(const char *key)
{
  static const char *const keys[] = {"expo.exponential", "expo.events", "expo.order", "expo.max_pieces",
                                     "expo.max_substeps"};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i)
    if (strcmp(keys[i], key) == 0)
      return 1;
  return 0;
}

static const bound *bound_of(const char *key)
{
  for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; ++i)
    if (strcmp(bounds[i].key, key) == 0)
      return &bounds[i];
  return NULL;
}

static int word_count(const ff_value_rule *rule)
{
  int count = 0;
  while (rule->word(count))
    ++count;
  return count;
}

static double draw_value(ffi_random *random, const ff_option *option)
{
  const ff_value_rule *rule = &option->value;
  const bound *narrow = bound_of(option->key);
  double least = narrow ? narrow->least : rule->least, most = narrow ? narrow->most : rule->most;
  if (rule->type == FF_VALUE_FLAG)
    return ffi_random_below(random, 2);
  if (rule->type == FF_VALUE_WORD)
    return ffi_random_below(random, word_count(rule));
  if (rule->type == FF_VALUE_NUMBER && rule->least == 0 && !rule->is_open && ffi_random_chance(random, 0.1))
    return 0;
  least = fmax(least, rule->type == FF_VALUE_WHOLE ? 1 : 1e-12);
  most = fmin(most, 1e9);
  const double value = fmin(fmax(ffi_draw_log(random, least, most), least), most);
  return rule->type == FF_VALUE_WHOLE ? floor(value) : value;
}

// Half of the scenes have the defaults; in the others every option is another with a probability of 1 in 6.
void ffi_draw_options(ffi_random *random, ffi_recipe *r)
{
  const double share = ffi_random_chance(random, 0.5) ? 0 : 1.0 / 6;
  for (int i = 0; i < ff_option_count(); ++i) {
    const ff_option *option = ff_option_at(i);
    const double value = draw_value(random, option);
    const int is_drawn = ffi_random_chance(random, share);
    if (!is_drawn || strcmp(option->key, "stepper") == 0 || strcmp(option->key, "dt") == 0 ||
        r->option_count == FFI_RECIPE_OPTIONS)
      continue;
    // An even number, and no instruction set: a machine may lack it, and the others are run by ./dev check.
    if (strcmp(option->key, "isa") == 0 || (!r->is_wild && is_lesser_method(option->key)))
      continue;
    const double even = strcmp(option->key, "c2a.edges") == 0 ? fmax(4, 2 * floor(value / 2)) : value;
    ffi_recipe_option *drawn = &r->options[r->option_count++];
    drawn->index = i;
    drawn->value = even;
  }
}
