// Walks over a command line by a table of options.
#include "cli/options/args.h"

#include "cli/error_message.h"
#include "cli/options/suggest.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 64 }; // of an option: longer words get no suggestion

// The shortest long option for one letter, such as --out for -o.
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
  char name[LONGEST_NAME + 1];
  int count = 0;
  for (; count < args->option_count && count < MOST_NAMES; ++count)
    names[count] = args->options[count].name;
  snprintf(name, sizeof name, "%.*s", length, word);
  const char *meant = length <= LONGEST_NAME ? ffi_suggest(name, names, count) : NULL;
  if (!meant && length <= LONGEST_NAME)
    meant = spell_out(name, names, count);
  if (meant)
    ffi_error_message("unknown option '%.*s'; did you mean '%s'?", length, word, meant);
  else
    ffi_error_message("unknown option '%.*s'; 'footfall %s --help' lists the options", length, word,
                      args->command);
  return FFI_ARGS_WRONG;
}

int ffi_args_has(int argc, char **argv, const char *option)
{
  for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; ++i) {
    if (strcmp(argv[i], option) == 0)
      return 1;
  }
  return 0;
}

int ffi_args_has_help(int argc, char **argv)
{
  return ffi_args_has(argc, argv, "--help") || ffi_args_has(argc, argv, "-h");
}

// Returns 0 after an error message.
static int has_value_next(const ffi_args *args, const char *option)
{
  const char *next = args->at < args->argc ? args->argv[args->at] : NULL;
  if (!next)
    ffi_error_message("option '%s' needs a value", option);
  else if (strncmp(next, "--", 2) == 0)
    ffi_error_message("option '%s' needs a value; if its value is '%s', write '%s=%s'", option, next, option,
                      next);
  else
    return 1;
  return 0;
}

int ffi_args_next(ffi_args *args)
{
  args->value = NULL;
  if (args->at >= args->argc)
    return FFI_ARGS_END;
  char *word = args->argv[args->at++];
  if (!args->ended && strcmp(word, "--") == 0) {
    args->ended = 1;
    return ffi_args_next(args);
  }
  if (args->ended || word[0] != '-' || word[1] == '\0') {
    args->value = word;
    return FFI_ARGS_OPERAND;
  }
  const char *equals = strchr(word, '=');
  const int length = equals ? (int)(equals - word) : (int)strlen(word);
  for (int i = 0; i < args->option_count; ++i) {
    const ffi_option *option = &args->options[i];
    if ((int)strlen(option->name) != length || strncmp(option->name, word, (size_t)length) != 0)
      continue;
    if (equals && !option->value) {
      ffi_error_message("option '%s' takes no value", option->name);
      return FFI_ARGS_WRONG;
    }
    if (option->value && !equals && !has_value_next(args, option->name))
      return FFI_ARGS_WRONG;
    if (option->value)
      args->value = equals ? equals + 1 : args->argv[args->at++];
    return i;
  }
  return unknown_option(args, word, length);
}

int ffi_args_read(ffi_args *args, ffi_args_operand *operand, ffi_args_option *option, void *user)
{
  int which;
  while ((which = ffi_args_next(args)) != FFI_ARGS_END) {
    if (which == FFI_ARGS_WRONG)
      return 0;
    if (which == FFI_ARGS_OPERAND ? !operand(args->value, user) : !option(which, args->value, user))
      return 0;
  }
  return 1;
}
