// A scene that is run and logged, for tests of logs.
#define _GNU_SOURCE
#include "logged_scene.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

const char *ffi_logged_path(const char *name)
{
  static char paths[8][256];
  static int turn;
  if (!folder[0]) {
    strcpy(folder, "/tmp/footfall-log-XXXXXX");
    assert_non_null(mkdtemp(folder));
  }
  char *path = paths[turn++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

void ffi_logged_clean(void)
{
  DIR *dir = folder[0] ? opendir(folder) : NULL;
  for (struct dirent *entry; dir && (entry = readdir(dir));)
    if (entry->d_name[0] != '.')
      unlink(ffi_logged_path(entry->d_name));
  if (dir)
    closedir(dir);
  if (folder[0])
    rmdir(folder);
  folder[0] = '\0';
}

int ffi_logged_tear_down(void **state)
{
  (void)state;
  ffi_logged_clean();
  return 0;
}

ff_log *ffi_logged_open(const char *path)
{
  ff_log *log;
  ff_error error = {0};
  if (ff_log_open(path, &log, &error) != FF_OK)
    fail_msg("%s", error.message);
  return log;
}

void ffi_logged_begin(ffi_logged_scene *run, const char *scene, const char *const *changes, const char *log)
{
  ff_scene_override overrides[16];
  char fields[16][64];
  int count = 0;
  ff_error error = {0};
  for (; changes && changes[count]; ++count) {
    const char *equals = strchr(changes[count], '=');
    snprintf(fields[count], sizeof fields[0], "%.*s", (int)(equals - changes[count]), changes[count]);
    overrides[count] = (ff_scene_override){.path = fields[count], .value = equals + 1};
  }
  *run = (ffi_logged_scene){.files = ff_files_create()};
  assert_non_null(run->files);
  if (ff_scene_load_files(scene, overrides, count, run->files, NULL, &run->scene, &error) != FF_OK)
    fail_msg("%s", error.message);
  const ff_sim_def sim = ff_scene_sim_def(run->scene);
  ff_log_def def = ff_log_def_default();
  def.model = ff_scene_model(run->scene);
  def.sim = ff_scene_sim(run->scene);
  def.file = scene;
  def.files = run->files;
  def.ground = sim.ground;
  def.ground_count = sim.ground_count > 0 ? sim.ground_count : 0;
  if (ff_log_create(log, &def, &run->writer, &error) != FF_OK)
    fail_msg("%s", error.message);
  const ff_log_row row = ffi_logged_row(run);
  if (ff_log_write(run->writer, &row, &error) != FF_OK)
    fail_msg("%s", error.message);
}

ff_log_row ffi_logged_row(const ffi_logged_scene *run)
{
  ff_sim *sim = ff_scene_sim(run->scene);
  ff_log_row row = {.time = ff_sim_time(sim),
                    .step = ff_scene_step_count(run->scene),
                    .q = ff_scene_now_q(run->scene),
                    .v = ff_scene_now_v(run->scene),
                    .tau = ff_scene_tau(run->scene),
                    .energy = ff_sim_energy(sim),
                    .info = *ff_sim_info(sim)};
  row.contacts = ff_scene_contacts(run->scene, &row.contact_count);
  return row;
}

void ffi_logged_steps(ffi_logged_scene *run, int count)
{
  ff_error error = {0};
  for (int k = 0; k < count; ++k) {
    if (ff_scene_step(run->scene, &error) != FF_OK)
      fail_msg("%s", error.message);
    const ff_log_row row = ffi_logged_row(run);
    if (run->writer && ff_log_write(run->writer, &row, &error) != FF_OK)
      fail_msg("%s", error.message);
  }
}

void ffi_logged_end(ffi_logged_scene *run)
{
  ff_error error = {0};
  if (ff_log_finish(run->writer, &error) != FF_OK)
    fail_msg("%s", error.message);
  ff_scene_destroy(run->scene);
  ff_files_destroy(run->files);
  *run = (ffi_logged_scene){0};
}

ff_scene *ffi_logged_resume(ff_log *log, long long index)
{
  const ff_file *file = ff_files_find(ff_log_files(log), FF_FILE_SCENE, NULL);
  ff_scene *scene = NULL;
  ff_log_state state;
  ff_error error = {0};
  assert_non_null(file);
  if (ff_scene_load_files(file->path, NULL, 0, NULL, ff_log_files(log), &scene, &error) != FF_OK ||
      ff_log_read_state(log, index < 0 ? ff_log_get_info(log)->states - 1 : index, &state, &error) != FF_OK ||
      ff_scene_resume(scene, state.step, state.state, state.q, state.tau, &error) != FF_OK)
    fail_msg("%s", error.message);
  return scene;
}
