// Fuzz target: the requests that a live page sends, one per line, to a scene that runs. A request is done, or refused
// with a reason; the scene can be stepped afterwards.
#define _POSIX_C_SOURCE 200809L
#include "live/live.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_LINES = 6 };

static const char robot[] =
    "<robot name=\"ball\"><link name=\"ball\"><inertial><mass value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.1\" "
    "izz=\"0.1\"/></inertial><collision><geometry><sphere radius=\"0.1\"/></geometry></collision></link></robot>";
static const char scene[] = "model: robot.urdf\nmaterial: {stiffness: 1e4, damping: 10, friction: 0.5}\n"
                            "start: {position: [0, 0, 0.1]}\ndt: 1ms\nduration: 1s\n";

static char folder[] = "/tmp/footfall-live-XXXXXX", path[64], robot_path[64];
static const ffi_overrides nothing;

static void write_file(const char *at, const char *text)
{
  FILE *file = fopen(at, "wb");
  if (!file || fputs(text, file) < 0 || fclose(file) != 0)
    abort();
}

static void end(void);

static void remove_files(void)
{
  end();
  unlink(path);
  unlink(robot_path);
  rmdir(folder);
}

static void make_files(void)
{
  if (path[0])
    return;
  if (!mkdtemp(folder))
    abort();
  snprintf(path, sizeof path, "%s/scene.yaml", folder);
  snprintf(robot_path, sizeof robot_path, "%s/robot.urdf", folder);
  write_file(path, scene);
  write_file(robot_path, robot);
  atexit(remove_files);
}

static ffi_live live;

static void end(void)
{
  ffi_live_sim_close(&live.sim);
}

// A scene as it is at first. It is loaded again only after a change of its fields.
static void open_scene(void)
{
  ff_error error = {0};
  if (live.sim.scene && live.sim.field_count == 0 && ffi_live_sim_reset(&live.sim, &error) == FF_OK) {
    live.sim.push.frame = -1;
    live.is_playing = 1;
    live.speed = 1;
    return;
  }
  if (live.sim.scene)
    ffi_live_sim_close(&live.sim);
  live = (ffi_live){.is_playing = 1, .speed = 1, .server = {.socket = -1}};
  for (int i = 0; i < FFI_LIVE_HTTP_CONNECTIONS; ++i)
    live.server.connections[i].socket = -1;
  if (!ffi_live_sim_open(&live.sim, path, &nothing, &error))
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char why[FFI_LIVE_WHY_SIZE], line[FFI_LIVE_LINE_SIZE];
  ff_error error = {0};
  make_files();
  open_scene();
  for (int i = 0; i < MOST_LINES && size > 0; ++i) {
    const uint8_t *end = memchr(data, '\n', size);
    const size_t length = end ? (size_t)(end - data) : size,
                 kept = length < sizeof line ? length : sizeof line - 1;
    memcpy(line, data, kept);
    line[kept] = 0;
    why[0] = 0;
    if (!ffi_live_commands_do(&live, line, why) && !why[0])
      abort();
    ffi_live_sim_step(&live.sim, &error);
    data += length + (end != NULL);
    size -= length + (end != NULL);
  }
  return 0;
}
