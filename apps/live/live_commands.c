// Requests of a live page: one line of words, separated by spaces. Numbers have SI units.
#include "live/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int fail(char *why, const char *words)
{
  snprintf(why, FFI_LIVE_WHY_SIZE, "%s", words);
  return 0;
}

static int pass(ff_status status, const ff_error *error, char *why)
{
  return status == FF_OK ? 1 : fail(why, error->message);
}

// "push LINK x y z X Y Z K": a spring of K N/m pulls the point x y z of a link to X Y Z in the world. LINK is an index
// among the links that are drawn.
static int do_push(ffi_live *live, const char *words, char *why)
{
  const ff_model *model = ff_scene_model(live->sim.scene);
  ffi_live_sim_push push;
  const ff_record_data *data = ff_record_get(ffi_view_record_of(live->sim.recorder));
  ff_link_info link;
  int number = -1;
  const int got = sscanf(words, "%d %lf %lf %lf %lf %lf %lf %lf", &number, &push.point[0], &push.point[1],
                         &push.point[2], &push.target[0], &push.target[1], &push.target[2], &push.stiffness);
  for (int k = 0; k < 3 && got == 8; ++k)
    if (!(fabs(push.point[k]) < 1e4) || !(fabs(push.target[k]) < 1e4))
      return fail(why, "push: the point or its target is too far away");
  const int is_there =
      got == 8 && push.stiffness >= 0 && push.stiffness <= 1e9 && number >= 0 && number < data->link_count;
  if (is_there) {
    ff_model_link(model, data->links[number].link, &link);
    push.frame = link.frame;
    live->sim.push = push;
  }
  return is_there ? 1 : fail(why, "push: needs a link and seven numbers");
}

// "set FIELD VALUE": only fields that the page has controls for; a page must not choose files.
static int do_set(ffi_live *live, const char *words, char *why)
{
  static const char *const fields[] = {"stepper.type", "dt", "material.stiffness", "material.damping",
                                       "material.friction"};
  char field[64], value[FFI_LIVE_VALUE_SIZE];
  ff_error error = {0};
  if (sscanf(words, "%63s %63s", field, value) != 2)
    return fail(why, "set: needs a field and a value");
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; ++i) {
    if (strcmp(field, fields[i]) != 0)
      continue;
    const int is_set = pass(ffi_live_sim_set(&live->sim, field, value, &error), &error, why);
    ffi_live_send_settings(live, NULL);
    return is_set;
  }
  return fail(why, "set: this field cannot be changed while the scene runs");
}

static int do_speed(ffi_live *live, const char *words, char *why)
{
  const double speed = strtod(words, NULL);
  if (!(speed >= 0.001 && speed <= 100))
    return fail(why, "speed: must be between 0.001 and 100");
  live->speed = speed;
  ffi_live_send_settings(live, NULL); // other pages may show this scene too
  return 1;
}

static int do_step(ffi_live *live, char *why)
{
  ff_error error = {0};
  live->is_playing = 0;
  return pass(ffi_live_sim_step(&live->sim, &error), &error, why);
}

static int do_reset(ffi_live *live, char *why)
{
  ff_error error = {0};
  return pass(ffi_live_sim_reset(&live->sim, &error), &error, why);
}

int ffi_live_commands_do(ffi_live *live, const char *line, char why[FFI_LIVE_WHY_SIZE])
{
  char word[16] = "";
  int length = 0;
  sscanf(line, "%15s%n", word, &length);
  live->is_stale = 1;
  if (strcmp(word, "play") == 0 || strcmp(word, "pause") == 0) {
    live->is_playing = strcmp(word, "play") == 0;
    return 1;
  }
  if (strcmp(word, "release") == 0) {
    live->sim.push.frame = -1;
    return 1;
  }
  if (strcmp(word, "step") == 0)
    return do_step(live, why);
  if (strcmp(word, "reset") == 0)
    return do_reset(live, why);
  if (strcmp(word, "speed") == 0)
    return do_speed(live, line + length, why);
  if (strcmp(word, "set") == 0)
    return do_set(live, line + length, why);
  if (strcmp(word, "push") == 0)
    return do_push(live, line + length, why);
  return fail(why, "unknown request; known are play, pause, step, reset, speed, set, push, release");
}

void ffi_live_commands_answer(ffi_live_http_connection *connection, const ffi_live_http_request *request,
                              void *user)
{
  static const char text[] = "text/plain; charset=utf-8", nothing[] = "there is nothing here\n";
  ffi_live *live = user;
  char why[FFI_LIVE_WHY_SIZE] = "", line[FFI_LIVE_LINE_SIZE];
  if (!request->is_post && strcmp(request->path, "/") == 0) {
    ffi_live_send_page(live, connection);
  } else if (!request->is_post && strcmp(request->path, "/events") == 0) {
    ffi_live_http_stream(connection);
    ffi_live_send_settings(live, connection);
    live->is_stale = 1;
  } else if (request->is_post && strcmp(request->path, "/do") == 0) {
    const int is_short = request->body_size < sizeof line;
    snprintf(line, sizeof line, "%.*s", (int)(is_short ? request->body_size : 0), request->body);
    const int is_done =
        is_short ? ffi_live_commands_do(live, line, why) : fail(why, "the request is too long");
    ffi_live_http_reply(connection, is_done ? "200 OK" : "409 Conflict", text, why, strlen(why));
  } else {
    ffi_live_http_reply(connection, "404 Not Found", text, nothing, strlen(nothing));
  }
}
