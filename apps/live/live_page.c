// What a live scene sends: the page, frames, settings, words. viewer/FORMAT.md has their layout.
#define _POSIX_C_SOURCE 200809L
#include "cli/complain.h"
#include "live/live.h"

#include <stdlib.h>
#include <string.h>

void ffi_live_send_page(ffi_live *live, ffi_http_connection *to)
{
  const ffi_view_about about = ffi_live_about(&live->sim);
  const ff_record_state state = ffi_live_state(&live->sim);
  ffi_view_recorder *recorder = ffi_view_record_begin(&about);
  ffi_view_data data = {0};
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (recorder) {
    ffi_view_record_state(recorder, &state, 1);
    ffi_view_record_end(recorder, &(ffi_view_outcome){0}, &data);
  }
  if (out && recorder)
    ffi_view_write_text(out, &data, 1, 1);
  if (out)
    fclose(out);
  ffi_http_reply(to, "200 OK", "text/html; charset=utf-8", text, text ? size : 0);
  free(text);
  ffi_view_data_free(&data);
}

// An event's data must be one line of text: base64.
void ffi_live_send_frame(ffi_live *live)
{
  const ff_record_state state = ffi_live_state(&live->sim);
  ffi_bytes bytes = {0};
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return;
  ffi_bytes_add_float(&bytes, live->rate);
  ffi_bytes_add_float(&bytes, live->is_playing);
  ffi_view_record_snapshot(live->sim.recorder, &state, &bytes);
  ffi_bytes_base64(&bytes, out);
  fclose(out);
  ffi_http_event(&live->server, NULL, NULL, text);
  free(text);
  ffi_bytes_free(&bytes);
  live->is_stale = 0;
}

// JSON on one line.
static void send_json(ffi_live *live, ffi_http_connection *to, const char *name,
                      void (*write)(const ffi_live *live, const void *what, ffi_json *json), const void *what)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  ffi_json json;
  if (!out)
    return;
  ffi_json_begin(&json, out);
  ffi_json_open(&json, '{', 1);
  write(live, what, &json);
  ffi_json_close(&json, '}');
  fclose(out);
  ffi_http_event(&live->server, to, name, text);
  free(text);
}

static void write_settings(const ffi_live *live, const void *what, ffi_json *json)
{
  const ffi_view_about about = ffi_live_about(&live->sim);
  const ff_material material = ffi_live_material(&live->sim);
  (void)what;
  ffi_json_put_text(json, "stepper", about.stepper);
  ffi_json_put_number(json, "dt", about.dt);
  ffi_json_put_number(json, "stiffness", material.stiffness);
  ffi_json_put_number(json, "damping", material.damping);
  ffi_json_put_number(json, "friction", material.friction);
  ffi_json_put_number(json, "speed", live->speed);
  ffi_json_put_boolean(json, "playing", live->is_playing);
  ffi_json_key(json, "steppers");
  ffi_json_open(json, '[', 1);
  for (int i = 0; i < FF_STEPPER_COUNT; ++i)
    ffi_json_text(json, ff_stepper_name((ff_stepper)i));
  ffi_json_close(json, ']');
}

void ffi_live_send_settings(ffi_live *live, ffi_http_connection *to)
{
  send_json(live, to, "settings", write_settings, NULL);
}

static void write_words(const ffi_live *live, const void *what, ffi_json *json)
{
  (void)live;
  ffi_json_put_text(json, "text", what);
}

void ffi_live_send_words(ffi_live *live, const char *words)
{
  send_json(live, NULL, "words", write_words, words);
}
