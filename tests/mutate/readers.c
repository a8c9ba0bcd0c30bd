// What the process of a case does: it reads the file with the library, uses what came of it a little, and frees it.
#include "judge.h"

#include <footfall/dynamics.h>
#include <footfall/load.h>
#include <footfall/log.h>
#include <footfall/scene.h>
#include <footfall/scene_load.h>
#include <footfall/sim.h>
#include <footfall/trajectory.h>

#include <stdio.h>
#include <string.h>

static struct {
  ff_model *model;
  ff_scene *scene;
  ff_trajectory *trajectory;
  ff_log *log;
} loaded;

static ff_status load_model(const char *path, ff_error *error)
{
  static const char *const folders[] = {FFI_TEST_SOURCE_DIR "/tests/new_user/robots",
                                        FFI_TEST_SOURCE_DIR "/tests/oracle/mjcf", NULL};
  ff_load_def def = ff_load_def_default();
  def.mesh_paths = folders;
  return ff_model_load(path, &def, &loaded.model, error);
}

// Beside the robot that it belongs to.
static ff_status load_srdf(const char *path, ff_error *error)
{
  ff_load_def def = ff_load_def_default();
  def.srdf = path;
  return ff_model_load(FFI_TEST_SOURCE_DIR "/tests/io/srdf/arm.urdf", &def, &loaded.model, error);
}

static ff_status load_mesh(const char *path, ff_error *error)
{
  char text[5000];
  const int length = snprintf(
      text, sizeof text,
      "<robot name=\"m\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" "
      "izz=\"1\"/></inertial><collision><geometry><mesh filename=\"%s\"/></geometry></collision></link>"
      "</robot>",
      path);
  return ff_model_load_memory(text, (size_t)length, "robot-with-mesh", NULL, &loaded.model, error);
}

static ff_status load_trajectory(const char *path, ff_error *error)
{
  ff_status status = ff_model_load(FFI_TEST_SOURCE_DIR "/models/solo12.urdf", NULL, &loaded.model, error);
  if (status == FF_OK)
    status = ff_trajectory_load(path, loaded.model, &loaded.trajectory, error);
  return status;
}

void readers_load(mutate_format format, const char *path, readers_result *out)
{
  ff_error error = {0};
  ff_status status = FF_OK;
  switch (format) {
  case MUTATE_URDF:
  case MUTATE_MJCF: status = load_model(path, &error); break;
  case MUTATE_SCENE: status = ff_scene_load(path, NULL, 0, &loaded.scene, &error); break;
  case MUTATE_TRAJECTORY: status = load_trajectory(path, &error); break;
  case MUTATE_STL:
  case MUTATE_OBJ:
  case MUTATE_DAE: status = load_mesh(path, &error); break;
  case MUTATE_LOG: status = ff_log_open(path, &loaded.log, &error); break;
  case MUTATE_SRDF: status = load_srdf(path, &error); break;
  case MUTATE_FORMATS: break;
  }
  out->is_loaded = status == FF_OK;
  out->status = (int)status;
  out->line = error.line;
  memcpy(out->file, error.file, sizeof error.file);
  memcpy(out->message, error.message, sizeof error.message);
  if (status != FF_OK && error.status != status)
    snprintf(out->message, sizeof out->message, "status %d, but the error has %d", (int)status,
             (int)error.status);
}

// ---- Use ------------------------------------------------------------------------------------------------------------

enum { MOST_VELOCITIES = 60, MOST_ROWS = 200, STEPS = 3 };

static void use_model(void)
{
  ff_sim_def def = ff_sim_def_default();
  ff_sim *sim = NULL;
  ff_error error = {0};
  if (ff_model_get_size(loaded.model).nv > MOST_VELOCITIES)
    return;
  if (ff_sim_create(loaded.model, &def, &sim, &error) == FF_OK)
    for (int i = 0; i < STEPS && ff_sim_step(sim, NULL, &error) == FF_OK; ++i) {}
  ff_sim_destroy(sim);
}

static void use_scene(void)
{
  ff_error error = {0};
  if (ff_model_get_size(ff_scene_model(loaded.scene)).nv > MOST_VELOCITIES)
    return;
  for (int i = 0; i < STEPS && ff_scene_step(loaded.scene, &error) == FF_OK; ++i) {}
}

static void use_trajectory(void)
{
  ff_feedback *feedback = NULL;
  ff_error error = {0};
  ff_feedback_create(loaded.model, ff_trajectory_feedback(loaded.trajectory), &feedback, &error);
  ff_feedback_destroy(feedback);
}

static void use_log(void)
{
  const ff_log_info *info = ff_log_get_info(loaded.log);
  const ff_model *model;
  ff_log_row row;
  ff_log_state state;
  ff_error error = {0};
  ff_log_model(loaded.log, &model, &error);
  for (long long k = 0; k < info->rows && k < MOST_ROWS; ++k)
    ff_log_read(loaded.log, k, &row, &error);
  for (long long k = 0; k < info->states && k < MOST_ROWS; ++k)
    ff_log_read_state(loaded.log, k, &state, &error);
}

void readers_use(void)
{
  if (loaded.trajectory)
    use_trajectory();
  else if (loaded.model)
    use_model();
  else if (loaded.scene)
    use_scene();
  else if (loaded.log)
    use_log();
}

void readers_free(void)
{
  ff_log_close(loaded.log);
  ff_trajectory_destroy(loaded.trajectory);
  ff_scene_destroy(loaded.scene);
  ff_model_destroy(loaded.model);
  memset(&loaded, 0, sizeof loaded);
}
