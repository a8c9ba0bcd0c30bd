// The options of footfall run for many runs of a scene.
#include "run/run_batch_options.h"

#include "cli/error_message.h"
#include "cli/memory.h"
#include "cli/options/option_value.h"

#include <footfall/scene/scene_batch.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ffi_option options[] = {FFI_RUN_BATCH_OPTIONS};

const char *ffi_run_batch_options_fields(int index)
{
  static char word[64];
  ff_scene_variable variable;
  if (!ff_scene_variable_at(index, &variable))
    return NULL;
  snprintf(word, sizeof word, "%s=", variable.name);
  return word;
}

int ffi_run_batch_options_take(ffi_run_many *m, int which, const char *value)
{
  const char *name = options[which].name;
  switch (which) {
  case FFI_RUN_BATCH_OPTIONS_BATCH:
    return ffi_option_value_whole(name, value, 1, FF_BATCH_MOST_ROBOTS, &m->runs);
  case FFI_RUN_BATCH_OPTIONS_SEED: return ffi_option_value_whole(name, value, 0, 1000000000000000, &m->seed);
  case FFI_RUN_BATCH_OPTIONS_ONLY:
    return ffi_option_value_whole(name, value, 0, FF_BATCH_MOST_ROBOTS - 1, &m->only);
  case FFI_RUN_BATCH_OPTIONS_THREADS:
    return ffi_option_value_whole(name, value, 1, FF_BATCH_MOST_THREADS, &m->threads);
  case FFI_RUN_BATCH_OPTIONS_CSV: m->csv = value; return 1;
  case FFI_RUN_BATCH_OPTIONS_HTML: m->html = value; return 1;
  default:
    m->vary = ffi_memory_need(m->vary, ((size_t)m->vary_count + 1) * sizeof *m->vary);
    m->vary[m->vary_count++] = value;
    return 1;
  }
}

// ---- The command that repeats a run ---------------------------------------------------------------------------------

static char *append(char *text, const char *more)
{
  const size_t used = text ? strlen(text) : 0;
  char *longer = ffi_memory_need(text, used + strlen(more) + 1);
  strcpy(longer + used, more);
  return longer;
}

char *ffi_run_batch_options_quote(char *text, const char *word)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,/:@%";
  text = append(text, text ? " " : "");
  if (*word && word[strspn(word, plain)] == '\0')
    return append(text, word);
  text = append(text, "'");
  for (; *word; ++word) {
    const char letter[2] = {*word, '\0'};
    text = append(text, *word == '\'' ? "'\\''" : letter);
  }
  return append(text, "'");
}

void ffi_run_batch_options_keep(ffi_run_many *m, const char *option, const char *value)
{
  m->command = ffi_run_batch_options_quote(m->command, option);
  if (value)
    m->command = ffi_run_batch_options_quote(m->command, value);
}

void ffi_run_batch_options_free(ffi_run_many *m)
{
  free(m->vary);
  free(m->command);
}
