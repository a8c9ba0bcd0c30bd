#include "options.h"

#include "complain.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_WORD = 40 }; // longer words get no suggestion

static int least(int a, int b, int c)
{
  const int ab = a < b ? a : b;
  return ab < c ? ab : c;
}

// How many letters must be put in, left out, changed or swapped with their neighbour to get from a to b.
static int edit_distance(const char *a, const char *b)
{
  const int n = (int)strlen(a), m = (int)strlen(b);
  int d[3][LONGEST_WORD + 1]; // the rows i - 2, i - 1 and i of the table, at i mod 3
  for (int j = 0; j <= m; ++j)
    d[0][j] = j;
  for (int i = 1; i <= n; ++i) {
    int *row = d[i % 3];
    const int *above = d[(i - 1) % 3], *two_above = d[(i + 1) % 3];
    row[0] = i;
    for (int j = 1; j <= m; ++j) {
      row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], row[j], two_above[j - 2] + 1);
    }
  }
  return d[n % 3][m];
}

// A word is near if at most a third of it is wrong, or if it was only begun.
const char *ffi_suggest(const char *word, const char *const *known, int count)
{
  const size_t length = strlen(word);
  const char *nearest = NULL;
  int shortest = LONGEST_WORD;
  if (length < 2 || length > LONGEST_WORD)
    return NULL;
  for (int i = 0; i < count; ++i) {
    if (strlen(known[i]) > LONGEST_WORD)
      continue;
    const int begun = strspn(word, "-") < length && strncmp(word, known[i], length) == 0;
    const int distance = begun ? 0 : edit_distance(word, known[i]);
    if (distance < shortest && 3 * distance <= (int)strlen(known[i])) {
      shortest = distance;
      nearest = known[i];
    }
  }
  return nearest;
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
