// A model in place of a scene: footfall new writes one for it, in a folder of its own, which is gone afterwards.
#define _XOPEN_SOURCE 700
#include "command.h"
#include "live/live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Is the word, "--mimic=fix", one of these, which end with NULL?
static int is_among(const char *word, const char *const *names)
{
  const size_t length = strcspn(word, "=");
  for (; *names; ++names)
    if (strlen(*names) == length && strncmp(word, *names, length) == 0)
      return 1;
  return 0;
}

// Does it say how the model is read or placed? The rest is for the scene.
static int is_for_new(const char *word)
{
  static const char *const names[] = {"--posture", "--fixed-base", "--mimic", "--mesh-path", NULL};
  return is_among(word, names);
}

// Where the model stands and what holds it is found by `new`. 0 after a complaint.
static int check_words(char **words, int count)
{
  static const char *const names[] = {"--drop", "--on-ground", "--slope", "--pd", "--no-pd", NULL};
  for (int i = 0; i < count; ++i)
    if (is_among(words[i], names)) {
      ffi_complain(
          "'--live' puts a model where 'footfall new' does, and '%.*s' cannot change that; write a scene with 'new' and change it there",
          (int)strcspn(words[i], "="), words[i]);
      return 0;
    }
  return 1;
}

int ffi_live_model_words(char **words, int count)
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
  ffi_complain("%s: cannot be made: %s", m->folder, strerror(errno));
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
  char **all = ffi_need_memory(NULL, ((size_t)count + 5) * sizeof *all);
  for (int i = 0; i < count; ++i)
    if (is_for_new(words[i]))
      all[n++] = words[i];
  all[n++] = "--quiet";
  all[n++] = "--out";
  all[n++] = m->scene;
  all[n++] = "--";
  all[n++] = (char *)model;
  const int status = ffi_command_new(n, all);
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
