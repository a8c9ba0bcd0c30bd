#include "cli/options.h"

#include "cli/complain.h"
#include "cli/words.h"

#include <footfall/option.h>

#include <stdio.h>
#include <string.h>

enum { LONGEST_WORD = 64 }; // of an option: longer ones get no suggestion

// ---- Options of the sim -------------------------------------------------------------------------------------------

typedef struct help_text {
  char *text;
  size_t used;
} help_text;

static void add(help_text *h, const char *before, const char *word)
{
  const int length = snprintf(h->text + h->used, FFI_OPTION_HELP - h->used, "%s%s", before, word);
  h->used += length > 0 ? (size_t)length : 0;
  h->used = h->used < FFI_OPTION_HELP ? h->used : FFI_OPTION_HELP - 1;
}

// "expo, expo-paper: how the exponential is computed: auto (default), exact, ..."
const char *ffi_option_help(const ffi_option *option, char text[FFI_OPTION_HELP])
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

ffi_takes ffi_option_takes(const ffi_option *option, ffi_words **words)
{
  const ff_option *of = option->key ? ff_option_find(option->key) : NULL;
  *words = option->words;
  if (of && of->value.type == FF_VALUE_WORD)
    *words = of->value.word;
  else if (of && of->value.type == FF_VALUE_FLAG)
    *words = ffi_words_of_switch;
  return of && *words ? FFI_TAKES_WORD : option->takes;
}

// ---- Arguments ----------------------------------------------------------------------------------------------------

const char *ffi_suggest(const char *word, const char *const *known, int count)
{
  ff_nearest nearest = {.word = word};
  for (int i = 0; i < count; ++i)
    ff_nearest_try(&nearest, known[i]);
  return nearest.meant;
}

// Of one letter, such as -o: the shortest that begins with it.
static const char *spell_out(const char *word, const char *const *known, int count)
{
  const char *shortest = NULL;
  for (int i = 0; i < count && strlen(word) == 2; ++i)
    if (strncmp(known[i], "--", 2) == 0 && known[i][2] == word[1] &&
        (!shortest || strlen(known[i]) < strlen(shortest)))
      shortest = known[i];
  return shortest;
}

static int unknown_option(const ffi_args *args, const char *word, int length)
{
  enum { MOST_NAMES = 64 };
  const char *names[MOST_NAMES];
  char name[LONGEST_WORD + 1];
  int count = 0;
  for (; count < args->option_count && count < MOST_NAMES; ++count)
    names[count] = args->options[count].name;
  snprintf(name, sizeof name, "%.*s", length, word);
  const char *meant = length <= LONGEST_WORD ? ffi_suggest(name, names, count) : NULL;
  if (!meant && length <= LONGEST_WORD)
    meant = spell_out(name, names, count);
  if (meant)
    ffi_complain("unknown option '%.*s'; did you mean '%s'?", length, word, meant);
  else
    ffi_complain("unknown option '%.*s'; 'footfall %s --help' lists them", length, word, args->command);
  return FFI_ARG_WRONG;
}

int ffi_args_ask(int argc, char **argv, const char *option)
{
  for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; ++i) {
    if (strcmp(argv[i], option) == 0)
      return 1;
  }
  return 0;
}

int ffi_args_ask_help(int argc, char **argv)
{
  return ffi_args_ask(argc, argv, "--help") || ffi_args_ask(argc, argv, "-h");
}

// Returns 0 after a complaint.
static int has_value_next(const ffi_args *args, const char *option)
{
  const char *next = args->at < args->argc ? args->argv[args->at] : NULL;
  if (!next)
    ffi_complain("option '%s' needs a value", option);
  else if (strncmp(next, "--", 2) == 0)
    ffi_complain("option '%s' needs a value; if '%s' is meant, write '%s=%s'", option, next, option, next);
  else
    return 1;
  return 0;
}

int ffi_args_next(ffi_args *args)
{
  args->value = NULL;
  if (args->at >= args->argc)
    return FFI_ARG_END;
  char *word = args->argv[args->at++];
  if (!args->ended && strcmp(word, "--") == 0) {
    args->ended = 1;
    return ffi_args_next(args);
  }
  if (args->ended || word[0] != '-' || word[1] == '\0') {
    args->value = word;
    return FFI_ARG_OPERAND;
  }
  const char *equals = strchr(word, '=');
  const int length = equals ? (int)(equals - word) : (int)strlen(word);
  for (int i = 0; i < args->option_count; ++i) {
    const ffi_option *option = &args->options[i];
    if ((int)strlen(option->name) != length || strncmp(option->name, word, (size_t)length) != 0)
      continue;
    if (equals && !option->value) {
      ffi_complain("option '%s' takes no value", option->name);
      return FFI_ARG_WRONG;
    }
    if (option->value && !equals && !has_value_next(args, option->name))
      return FFI_ARG_WRONG;
    if (option->value)
      args->value = equals ? equals + 1 : args->argv[args->at++];
    return i;
  }
  return unknown_option(args, word, length);
}

int ffi_args_read(ffi_args *args, ffi_operand_taker *operand, ffi_option_taker *option, void *user)
{
  int which;
  while ((which = ffi_args_next(args)) != FFI_ARG_END) {
    if (which == FFI_ARG_WRONG)
      return 0;
    if (which == FFI_ARG_OPERAND ? !operand(args->value, user) : !option(which, args->value, user))
      return 0;
  }
  return 1;
}
