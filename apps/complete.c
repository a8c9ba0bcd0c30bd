// What may come next on a command line: by the tables that it will be read by.
#include "complete.h"

#include "cli/bench_options.h"
#include "commands.h"

#include <footfall/load.h>
#include <footfall/scene.h>

#include <stdlib.h>
#include <string.h>

// The line as far as it is understood.
typedef struct line {
  const ffi_command *command;
  const ffi_option *options;
  int option_count;
  int count;
  char **words; // after the command
  const char *begun;
  FILE *out;
} line;

static void offer(const line *l, const char *before, const char *word, const char *what)
{
  const size_t length = strlen(before);
  if (strncmp(l->begun, before, length) == 0 &&
      strncmp(word, l->begun + length, strlen(l->begun + length)) == 0)
    fprintf(l->out, "%s%s%s%s\n", before, word, what ? "\t" : "", what ? what : "");
}

static void offer_words(const line *l, const char *before, ffi_words *words)
{
  for (int i = 0; words && words(i); ++i)
    offer(l, before, words(i), NULL);
}

// "a,b,c": the last one is begun, those before it are not offered again.
static void offer_list(const line *l, const char *before, ffi_words *words)
{
  const char *comma = strrchr(l->begun, ',');
  const size_t length = comma ? (size_t)(comma - l->begun) + 1 : strlen(before);
  char *until = ffi_need_memory(NULL, length + 1);
  memcpy(until, l->begun, length);
  until[length] = '\0';
  for (int i = 0; words(i); ++i) {
    char again[128];
    snprintf(again, sizeof again, "%s,", words(i));
    const char *there = strstr(until, again);
    if (!there || (there != until && !strchr(",=", there[-1])))
      offer(l, until, words(i), NULL);
  }
  free(until);
}

static void offer_files(const line *l, ffi_words *endings)
{
  fputs(":files", l->out);
  for (int i = 0; endings && endings(i); ++i)
    fprintf(l->out, " %s", endings(i));
  fputc('\n', l->out);
}

// ---- What a file knows --------------------------------------------------------------------------------------------

static void offer_of_model(const line *l, const char *before, const ff_model *model)
{
  for (int i = 0; i < ff_model_get_size(model).postures; ++i)
    offer(l, before, ff_model_posture_name(model, i), NULL);
}

// Of whatever among the words is a model or a scene.
static void offer_postures(const line *l, const char *before)
{
  for (int i = 0; i + 1 < l->count; ++i) {
    const char *dot = strrchr(l->words[i], '.');
    ff_model *model = NULL;
    ff_scene *scene = NULL;
    ff_load_def def = ff_load_def_default();
    ff_error error;
    def.mimic = FF_MIMIC_FREE;
    if (!dot || l->words[i][0] == '-')
      continue;
    if (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0) {
      if (ff_scene_load(l->words[i], NULL, 0, &scene, &error) == FF_OK)
        offer_of_model(l, before, ff_scene_model(scene));
    } else if (ff_model_load(l->words[i], &def, &model, &error) == FF_OK) {
      offer_of_model(l, before, model);
    }
    ff_scene_destroy(scene);
    ff_model_destroy(model);
  }
}

// FIELD= first, then what it may be.
static void offer_fields(const line *l, const char *before)
{
  char path[FF_SCENE_FIELD_SIZE], whole[FF_SCENE_FIELD_SIZE + 16];
  const char *value = l->begun + strlen(before), *equals = strchr(value, '=');
  if (!equals) {
    for (int i = 0; ff_scene_field(i, path); ++i) {
      snprintf(whole, sizeof whole, "%s=", path);
      offer(l, before, whole, NULL);
    }
    return;
  }
  snprintf(path, sizeof path, "%.*s", (int)(equals - value), value);
  char *until = ffi_need_memory(NULL, strlen(before) + strlen(path) + 2);
  sprintf(until, "%s%s=", before, path);
  for (int i = 0; ff_scene_field_word(path, i); ++i)
    offer(l, until, ff_scene_field_word(path, i), NULL);
  free(until);
}

// ---- The whole ----------------------------------------------------------------------------------------------------

// `before` is "--option=" where a value is joined to it.
static void offer_value(const line *l, const char *before, ffi_takes takes, ffi_words *words)
{
  switch (takes) {
  case FFI_TAKES_WORD: offer_words(l, before, words); break;
  case FFI_TAKES_LIST: offer_list(l, before, words); break;
  case FFI_TAKES_FILE: offer_files(l, words); break;
  case FFI_TAKES_FOLDER: fputs(":folders\n", l->out); break;
  case FFI_TAKES_POSTURE: offer_postures(l, before); break;
  case FFI_TAKES_FIELD: offer_fields(l, before); break;
  case FFI_TAKES_ANYTHING: break;
  }
}

static void offer_value_of(const line *l, const char *before, const ffi_option *option)
{
  ffi_words *words;
  const ffi_takes takes = ffi_option_takes(option, &words);
  offer_value(l, before, takes, words);
}

// The option that a word names, up to its "=" if it has one.
static const ffi_option *find_option(const line *l, const char *word)
{
  const size_t length = strcspn(word, "=");
  for (int i = 0; i < l->option_count; ++i)
    if (strlen(l->options[i].name) == length && strncmp(l->options[i].name, word, length) == 0)
      return &l->options[i];
  return NULL;
}

static void offer_options(const line *l)
{
  char text[FFI_OPTION_HELP];
  for (int i = 0; i < l->option_count; ++i)
    offer(l, "", l->options[i].name, ffi_option_help(&l->options[i], text));
  offer(l, "", "--help", "say what it does");
}

// Operands: how many there are before the one that is begun.
static int operands_before(const line *l)
{
  int count = 0;
  for (int i = 0; i + 1 < l->count; ++i) {
    const ffi_option *option = l->words[i][0] == '-' ? find_option(l, l->words[i]) : NULL;
    if (option && option->value && !strchr(l->words[i], '='))
      ++i;
    else if (l->words[i][0] != '-')
      ++count;
  }
  return count;
}

static void offer_operand(const line *l)
{
  const int is_first = operands_before(l) == 0;
  if (l->command->takes != FFI_TAKES_WORD || is_first)
    offer_value(l, "", l->command->takes, l->command->words);
  else if (l->command->run == ffi_command_plan)
    offer_files(l, ffi_endings_of_model);
  else if (l->command->run == ffi_command_help && l->count == 2 && strcmp(l->words[0], "bench") == 0)
    offer_words(l, "", ffi_words_of_bench);
}

static void complete_command(const line *l)
{
  const ffi_option *before = l->count > 1 ? find_option(l, l->words[l->count - 2]) : NULL;
  const ffi_option *joined = strchr(l->begun, '=') ? find_option(l, l->begun) : NULL;
  if (before && before->value && !strchr(l->words[l->count - 2], '=')) {
    offer_value_of(l, "", before);
  } else if (joined && joined->value) {
    char name[64];
    snprintf(name, sizeof name, "%s=", joined->name);
    offer_value_of(l, name, joined);
  } else if (l->begun[0] == '-') {
    offer_options(l);
  } else {
    offer_operand(l);
  }
}

void ffi_complete(int count, char **words, FILE *out)
{
  ffi_option own[FFI_BENCH_OPTIONS];
  int which[FFI_BENCH_OPTIONS];
  line l = {.begun = count > 0 ? words[count - 1] : "", .out = out};
  if (count <= 1) {
    for (int i = 0; i < ffi_command_count; ++i)
      offer(&l, "", ffi_commands[i].name, ffi_commands[i].summary);
    if (l.begun[0] == '-') {
      offer(&l, "", "--help", "say what there is");
      offer(&l, "", "--version", "say which version this is");
    }
    return;
  }
  l.command = ffi_command_find(words[0]);
  l.words = words + 1;
  l.count = count - 1;
  if (!l.command)
    return;
  if (l.command->options)
    l.options = l.command->options(&l.option_count);
  const ffi_bench *bench =
      l.command->run == ffi_command_bench && l.count > 1 ? ffi_bench_find(l.words[0]) : NULL;
  if (bench) {
    l.options = own;
    l.option_count = ffi_bench_options(bench, own, which);
  }
  complete_command(&l);
}
