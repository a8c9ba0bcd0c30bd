// Help texts and value types of options; those of the sim's options come from the library's table.
#include "cli/option.h"

#include "cli/choices.h"

#include <footfall/option.h>

#include <stdio.h>
#include <string.h>

typedef struct help_text {
  char *text;
  size_t used;
} help_text;

static void add(help_text *h, const char *before, const char *word)
{
  const int length = snprintf(h->text + h->used, FFI_OPTION_HELP_SIZE - h->used, "%s%s", before, word);
  h->used += length > 0 ? (size_t)length : 0;
  h->used = h->used < FFI_OPTION_HELP_SIZE ? h->used : FFI_OPTION_HELP_SIZE - 1;
}

// "expo, expo-paper: how the exponential is computed: auto (default), exact, ..."
const char *ffi_option_help(const ffi_option *option, char text[FFI_OPTION_HELP_SIZE])
{
  const ff_option *of = option->key ? ff_option_find(option->key) : NULL;
  help_text h = {.text = text};
  const char *word;
  char standard[64];
  if (!of)
    return option->help;
  const ff_sim_def def = ff_sim_def_default();
  ff_sim_def_get(&def, of->key, standard, sizeof standard, NULL);
  for (int s = 0; s < FF_STEPPER_COUNT && of->steppers != (1u << FF_STEPPER_COUNT) - 1; ++s)
    if (ff_option_is_of(of, (ff_stepper)s))
      add(&h, h.used > 0 ? ", " : "", ff_stepper_name((ff_stepper)s));
  add(&h, h.used > 0 ? ": " : "", of->about);
  if (of->value.type != FF_VALUE_WORD) {
    add(&h, "; default ", of->value.type != FF_VALUE_FLAG ? standard : *standard == 't' ? "on" : "off");
    add(&h, *of->unit ? " " : "", of->unit);
    return text;
  }
  for (int i = 0; (word = of->value.word(i)) != NULL; ++i) {
    add(&h, i == 0 ? ": " : ", ", word);
    add(&h, "", strcmp(word, standard) == 0 ? " (default)" : "");
  }
  return text;
}

ffi_option_type ffi_option_type_of(const ffi_option *option, ffi_choices **words)
{
  const ff_option *of = option->key ? ff_option_find(option->key) : NULL;
  *words = option->words;
  if (of && of->value.type == FF_VALUE_WORD)
    *words = of->value.word;
  else if (of && of->value.type == FF_VALUE_FLAG)
    *words = ffi_choices_switch;
  return of && *words ? FFI_OPTION_WORD : option->takes;
}
