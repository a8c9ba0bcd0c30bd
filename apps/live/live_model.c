// Makes a scene for a model with footfall new, in a temporary folder.
#define _XOPEN_SOURCE 700
#include "cli/memory.h"
#include "command.h"
#include "live/live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Is the option of the word, "--mimic=fix", in the list, which ends with NULL?
static int is_among(const char *word, const char *const *names)
{
  const size_t length = strcspn(word, "=");
  for (; *names; ++names)
    if (strlen(*names) == length && strncmp(word, *names, length) == 0)
      return 1;
  return 0;
}

// Is it an option of footfall new, about how the model is read or placed? The rest is for the scene.
static int is_for_new(const char *word)
{
  static const char *const names[] = {
      "--posture", "--fixed-base", "--mimic", "--mesh-path", "--contact-parameters", "--srdf", NULL};
  return is_among(word, names);
}

// Refuses options about placing and holding the model, which `new` decides. 0 after an error message.
static int check_words(char **words, int count)
{
  static const char *const names[] = {"--drop", "--on-ground", "--slope", "--pd", "--no-pd", NULL};
  for (int i = 0; i < count; ++i)
    if (is_among(words[i], names)) {
      ffi_error_message(
          "'%.*s' does not apply to '--live' with a model; write a scene with 'footfall new' and edit that",
          (int)strcspn(words[i], "="), words[i]);
      return 0;
    }
  return 1;
}

int ffi_live_model_drop_options(char **words, int count)
{
  int kept = 0;
  for (int i = 0; i < count; ++i)
    if (!is_for_new(words[i]))
      words[kept++] = words[i];
  return kept;
}

static int make_folder(ffi_live_model *m)
{
  const char *place = getenv("TMPDIR");
  const int used =
      snprintf(m->folder, sizeof m->folder, "%s/footfall-live.XXXXXX", place && *place ? place : "/tmp");
  if (used > 0 && (size_t)used < sizeof m->folder && mkdtemp(m->folder))
    return 1;
  ffi_error_message("%s: this folder cannot be made: %s", m->folder, strerror(errno));
  m->folder[0] = '\0';
  return 0;
}

int ffi_live_model_write(ffi_live_model *m, const char *model, char **words, int count)
{
  int n = 0;
  *m = (ffi_live_model){0};
  if (!check_words(words, count))
    return FFI_EXIT_USAGE;
  if (!make_folder(m))
    return FFI_EXIT_FAILED;
  snprintf(m->scene, sizeof m->scene, "%s/scene.yaml", m->folder);
  char **all = ffi_memory_need(NULL, ((size_t)count + 5) * sizeof *all);
  for (int i = 0; i < count; ++i)
    if (is_for_new(words[i]))
      all[n++] = words[i];
  all[n++] = "--quiet";
  all[n++] = "--out";
  all[n++] = m->scene;
  all[n++] = "--";
  all[n++] = (char *)model;
  const int status = ffi_new_command(n, all);
  free(all);
  return status;
}

void ffi_live_model_remove(ffi_live_model *m)
{
  if (m->scene[0])
    remove(m->scene);
  if (m->folder[0])
    rmdir(m->folder);
  *m = (ffi_live_model){0};
}
