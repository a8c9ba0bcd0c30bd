// A recording (record.h) as the page reads it: a header in JSON and the arrays that it points into.
#define _POSIX_C_SOURCE 200809L
#include "cli/complain.h"
#include "view/view.h"

#include <stdlib.h>
#include <string.h>

struct ffi_view_recorder {
  ffi_view_about about;
  ff_record *record;
  char *title, *file, *stepper; // owned
};

// ---- Begin and states -------------------------------------------------------------------------------------

static char *copy_text(const char *text)
{
  const size_t size = strlen(text) + 1;
  return memcpy(ffi_need_memory(NULL, size), text, size);
}

ffi_view_recorder *ffi_view_record_begin(const ffi_view_about *about)
{
  ffi_view_recorder *r = ffi_need_memory(NULL, sizeof *r);
  ff_record_def def = ff_record_def_default();
  ff_error error;
  def.model = about->model;
  def.ground = about->ground;
  def.ground_count = about->ground_count;
  def.spacing = about->spacing;
  def.duration = about->duration;
  def.most_bytes = about->most;
  *r = (ffi_view_recorder){.about = *about};
  if (ff_record_create(&def, &r->record, &error) != FF_OK) {
    ffi_complain("%s: %s", about->file, error.message);
    free(r);
    return NULL;
  }
  r->title = copy_text(about->title ? about->title : ff_model_name(about->model));
  r->file = copy_text(about->file);
  r->stepper = copy_text(about->stepper);
  return r;
}

ff_record *ffi_view_record_of(ffi_view_recorder *r)
{
  return r->record;
}

void ffi_view_record_state(ffi_view_recorder *r, const ff_record_state *state, int is_last)
{
  if (ff_record_add(r->record, state, is_last, NULL) != FF_OK)
    ffi_need_memory(NULL, (size_t)-1); // ends the program
}

static void add_floats(ffi_bytes *out, const float *values, size_t count)
{
  for (size_t i = 0; i < count; ++i)
    ffi_bytes_add_float(out, values[i]);
}

void ffi_view_record_snapshot(ffi_view_recorder *r, const ff_record_state *state, ffi_bytes *out)
{
  const ff_record_data *data = ff_record_get(r->record);
  const size_t poses = (size_t)data->link_count * FF_RECORD_POSE, row = (size_t)data->signal_count,
               contacts = (size_t)state->contact_count * FF_RECORD_CONTACT;
  float *room = ffi_need_memory(NULL, (poses + row + contacts) * sizeof *room);
  ff_record_snapshot(r->record, state, room, room + poses, room + poses + row);
  ffi_bytes_add_float(out, state->time);
  ffi_bytes_add_float(out, state->contact_count);
  add_floats(out, room, poses + row + contacts);
  free(room);
}

// ---- The page's data --------------------------------------------------------------------------------------

static void put_signals(ffi_json *json, const ff_record_data *data)
{
  ffi_json_put_open(json, "signals", '[');
  for (int i = 0; i < data->signal_count; ++i) {
    const ff_record_signal *signal = &data->signals[i];
    ffi_json_open(json, '{', 1);
    ffi_json_put_text(json, "group", signal->group);
    ffi_json_put_text(json, "name", signal->name);
    ffi_json_put_text(json, "unit", signal->unit);
    ffi_json_put_integer(json, "link", signal->link);
    ffi_json_close(json, '}');
  }
  ffi_json_close(json, ']');
}

static void put_array(ffi_json *json, const char *key, const float *values, size_t rows, size_t width,
                      ffi_bytes *arrays)
{
  ffi_bytes bytes = {0};
  add_floats(&bytes, values, rows * width);
  const double piece[2] = {(double)arrays->count, (double)bytes.count};
  ffi_bytes_add_columns(arrays, &bytes, width);
  ffi_json_put_numbers(json, key, piece, 2);
  ffi_bytes_free(&bytes);
}

static void put_times(ffi_json *json, const char *key, const double *times, size_t count, ffi_bytes *arrays)
{
  float *singles = ffi_need_memory(NULL, count * sizeof *singles);
  for (size_t i = 0; i < count; ++i)
    singles[i] = (float)times[i];
  put_array(json, key, singles, count, 1, arrays);
  free(singles);
}

// How many contacts come before each frame's, and how many there are in all.
static void put_starts(ffi_json *json, const ff_record_data *data, ffi_bytes *arrays)
{
  float *starts = ffi_need_memory(NULL, (data->frame_count + 1) * sizeof *starts);
  for (size_t i = 0; i <= data->frame_count; ++i)
    starts[i] = data->contact_starts ? (float)data->contact_starts[i] : 0;
  put_array(json, "contact_starts", starts, data->frame_count + 1, 1, arrays);
  free(starts);
}

static void put_arrays(ffi_json *json, const ff_record_data *data, ffi_bytes *arrays, ffi_bytes *rows)
{
  const size_t contacts = data->contact_starts ? data->contact_starts[data->frame_count] : 0;
  ffi_json_put_open(json, "arrays", '{');
  put_times(json, "frame_times", data->frame_times, data->frame_count, arrays);
  put_array(json, "poses", data->poses, data->frame_count, (size_t)data->link_count * FF_RECORD_POSE, arrays);
  put_starts(json, data, arrays);
  put_array(json, "contacts", data->contacts, contacts, FF_RECORD_CONTACT, arrays);
  put_times(json, "row_times", data->row_times, data->row_count, rows);
  put_array(json, "rows", data->rows, data->row_count, (size_t)data->signal_count, rows);
  ffi_json_close(json, '}');
}

static void put_run(ffi_json *json, const ffi_view_recorder *r, const ffi_view_outcome *outcome)
{
  ffi_json_put_integer(json, "format", 2);
  ffi_json_put_text(json, "title", r->title);
  ffi_json_put_text(json, "file", r->file);
  ffi_json_put_text(json, "stepper", r->stepper);
  ffi_json_put_number(json, "dt", r->about.dt);
  ffi_json_put_number(json, "end", ff_record_get(r->record)->last);
  ffi_json_put_text(json, "failure", outcome->failure);
  ffi_json_put_text(json, "warning", outcome->warning);
}

// ---- End --------------------------------------------------------------------------------------------------

void ffi_view_record_drop(ffi_view_recorder *r)
{
  ff_record_destroy(r->record);
  free(r->title);
  free(r->file);
  free(r->stepper);
  free(r);
}

static char *name_links(const ffi_view_recorder *r)
{
  const ff_record_data *data = ff_record_get(r->record);
  ffi_bytes names = {0};
  for (int i = 0; i < data->link_count; ++i) {
    ff_link_info link;
    ff_model_link(r->about.model, data->links[i].link, &link);
    ffi_bytes_add(&names, link.name, strlen(link.name));
    ffi_bytes_add(&names, "\n", 1);
  }
  ffi_bytes_add(&names, "", 1);
  return (char *)names.at;
}

void ffi_view_record_end(ffi_view_recorder *r, const ffi_view_outcome *outcome, ffi_view_data *out)
{
  const ff_record_data *data = ff_record_get(r->record);
  size_t size;
  ffi_json json;
  *out = (ffi_view_data){.robot = name_links(r)};
  FILE *text = open_memstream(&out->header, &size);
  if (text) {
    ffi_json_begin(&json, text);
    ffi_json_open(&json, '{', 0);
    put_run(&json, r, outcome);
    ffi_view_write_model(&json, &r->about, data, &out->arrays);
    put_signals(&json, data);
    put_arrays(&json, data, &out->arrays, &out->rows);
    ffi_json_close(&json, '}');
    ffi_json_end(&json);
    fclose(text);
  }
  ffi_view_record_drop(r);
}

void ffi_view_data_free(ffi_view_data *data)
{
  free(data->header);
  free(data->robot);
  ffi_bytes_free(&data->arrays);
  ffi_bytes_free(&data->rows);
  *data = (ffi_view_data){0};
}
