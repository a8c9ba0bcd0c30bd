// States become frames, which are drawn, and rows, which are plotted. Frames come a hundred times a second at most, rows with every state; where there are more
// than a page should carry, every second one is dropped and from then on half as many are taken, so that no run is too long and nobody needs to know how
// long it will be.
#define _POSIX_C_SOURCE 200809L
#include "complain.h"
#include "view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double frame_spacing = 0.01; // [s]
static const int least_frames = 50;       // that a short run has, if it has as many states

enum { CONTACT_FLOATS = 12, POSE_FLOATS = 7 };

// Items of one kind, each at a time and with its own number of bytes.
typedef struct track {
  ffi_bytes bytes;
  double *times;  // [count]
  size_t *begins; // [count + 1]
  size_t count, room;
  long long every; // states between two items
} track;

struct ffi_view_recorder {
  ffi_view_about about;
  ff_dynamics *dynamics;
  ffi_view_links links;
  char *title, *file, *stepper; // owned
  double *values;               // [signals]
  int signals;
  long long states; // so far
  double last;      // time of the last state [s]
  track poses, contacts, rows;
};

// ---- Tracks -----------------------------------------------------------------------------------------------

static void track_begin(track *t, double time)
{
  if (t->count + 2 > t->room) {
    t->room = 2 * t->room + 256;
    t->times = ffi_need_memory(t->times, t->room * sizeof *t->times);
    t->begins = ffi_need_memory(t->begins, t->room * sizeof *t->begins);
  }
  t->times[t->count] = time;
  t->begins[t->count] = t->bytes.count;
}

static void track_end(track *t)
{
  t->begins[++t->count] = t->bytes.count;
}

// Keep every second item, the first among them.
static void track_thin(track *t)
{
  size_t kept = 0, used = 0;
  for (size_t i = 0; i < t->count; i += 2) {
    const size_t begin = t->begins[i], bytes = t->begins[i + 1] - begin;
    memmove(t->bytes.at + used, t->bytes.at + begin, bytes);
    t->times[kept] = t->times[i];
    t->begins[kept++] = used;
    used += bytes;
  }
  t->count = kept;
  t->begins[kept] = t->bytes.count = used;
  t->every *= 2;
}

static void track_free(track *t)
{
  ffi_bytes_free(&t->bytes);
  free(t->times);
  free(t->begins);
}

static int is_due(const track *t, long long state)
{
  return state % t->every == 0;
}

// ---- States -----------------------------------------------------------------------------------------------

static void put_poses(ffi_view_recorder *r, ffi_bytes *out)
{
  for (int i = 0; i < r->links.count; ++i) {
    ff_link_info link;
    double position[3], R[9], quaternion[4];
    ff_model_link(r->about.model, r->links.list[i], &link);
    ff_dynamics_frame_pose(r->dynamics, link.frame, position, R);
    ffi_view_quaternion(R, quaternion);
    for (int k = 0; k < 3; ++k)
      ffi_bytes_add_float(out, position[k]);
    for (int k = 0; k < 4; ++k)
      ffi_bytes_add_float(out, quaternion[k]);
  }
}

static void put_contacts(const ffi_view_recorder *r, const ffi_view_state *state, ffi_bytes *bytes)
{
  for (int i = 0; i < state->contact_count; ++i) {
    const ff_contact *c = &state->contacts[i];
    ffi_bytes_add_float(bytes, c->link_a >= 0 ? r->links.index[c->link_a] : -1);
    ffi_bytes_add_float(bytes, c->mode);
    for (int k = 0; k < 3; ++k)
      ffi_bytes_add_float(bytes, c->point[k]);
    for (int k = 0; k < 3; ++k)
      ffi_bytes_add_float(bytes, c->normal[k]);
    for (int k = 0; k < 3; ++k)
      ffi_bytes_add_float(bytes, c->force[k]);
    ffi_bytes_add_float(bytes, ffi_view_friction(&r->about, c));
  }
}

static void put_row(ffi_view_recorder *r, const ffi_view_state *state, ffi_bytes *out)
{
  ffi_view_signal_values(r->about.model, &r->links, r->dynamics, state, r->values);
  for (int i = 0; i < r->signals; ++i)
    ffi_bytes_add_float(out, r->values[i]);
}

static void add_frame(ffi_view_recorder *r, const ffi_view_state *state)
{
  track_begin(&r->poses, state->time);
  put_poses(r, &r->poses.bytes);
  track_end(&r->poses);
  track_begin(&r->contacts, state->time);
  put_contacts(r, state, &r->contacts.bytes);
  track_end(&r->contacts);
}

static void add_row(ffi_view_recorder *r, const ffi_view_state *state)
{
  track_begin(&r->rows, state->time);
  put_row(r, state, &r->rows.bytes);
  track_end(&r->rows);
}

void ffi_view_record_snapshot(ffi_view_recorder *r, const ffi_view_state *state, ffi_bytes *out)
{
  ff_dynamics_kinematics(r->dynamics, state->q, state->v, NULL);
  ffi_bytes_add_float(out, state->time);
  ffi_bytes_add_float(out, state->contact_count);
  put_poses(r, out);
  put_row(r, state, out);
  put_contacts(r, state, out);
}

int ffi_view_record_wants(const ffi_view_recorder *r)
{
  return is_due(&r->poses, r->states) || is_due(&r->rows, r->states);
}

void ffi_view_record_skip(ffi_view_recorder *r)
{
  ++r->states;
}

void ffi_view_record_state(ffi_view_recorder *r, const ffi_view_state *state, int is_last)
{
  ff_dynamics_kinematics(r->dynamics, state->q, state->v, NULL);
  if (is_due(&r->poses, r->states) || is_last)
    add_frame(r, state);
  if (is_due(&r->rows, r->states) || is_last)
    add_row(r, state);
  if (r->poses.bytes.count + r->contacts.bytes.count > r->about.most && r->poses.count > 1 && !is_last) {
    track_thin(&r->poses);
    track_thin(&r->contacts);
  }
  if (r->rows.bytes.count > r->about.most && r->rows.count > 1 && !is_last)
    track_thin(&r->rows);
  r->last = state->time;
  ++r->states;
}

// ---- Begin and end ----------------------------------------------------------------------------------------

static char *copy_text(const char *text)
{
  const size_t size = strlen(text) + 1;
  return memcpy(ffi_need_memory(NULL, size), text, size);
}

ffi_view_recorder *ffi_view_record_begin(const ffi_view_about *about)
{
  ffi_view_recorder *r = ffi_need_memory(NULL, sizeof *r);
  ff_error error;
  *r = (ffi_view_recorder){.about = *about};
  if (ff_dynamics_create(about->model, NULL, &r->dynamics, &error) != FF_OK) {
    ffi_complain("%s: %s", about->file, error.message);
    free(r);
    return NULL;
  }
  ffi_view_links_find(about->model, &r->links);
  r->title = copy_text(about->title ? about->title : ff_model_name(about->model));
  r->file = copy_text(about->file);
  r->stepper = copy_text(about->stepper);
  r->signals = ffi_view_signal_count(about->model, &r->links);
  r->values = ffi_need_memory(NULL, ((size_t)r->signals + 1) * sizeof *r->values);
  const double fine =
      about->duration > 0 ? fmin(frame_spacing, about->duration / least_frames) : frame_spacing;
  const double apart = about->spacing > 0 ? round(fine / about->spacing) : 1;
  r->poses.every = r->contacts.every = apart > 1 ? (long long)apart : 1;
  r->rows.every = 1;
  return r;
}

static void put_array(ffi_json *json, const char *key, const ffi_bytes *bytes, size_t width,
                      ffi_bytes *arrays)
{
  const double piece[2] = {(double)arrays->count, (double)bytes->count};
  ffi_bytes_add_columns(arrays, bytes, width);
  ffi_json_put_numbers(json, key, piece, 2);
}

static void put_times(ffi_json *json, const char *key, const track *t, ffi_bytes *arrays)
{
  ffi_bytes times = {0};
  for (size_t i = 0; i < t->count; ++i)
    ffi_bytes_add_float(&times, t->times[i]);
  put_array(json, key, &times, 1, arrays);
  ffi_bytes_free(&times);
}

// How many contacts come before each frame's, and how many there are in all.
static void put_starts(ffi_json *json, const track *t, ffi_bytes *arrays)
{
  ffi_bytes starts = {0};
  for (size_t i = 0; i <= t->count; ++i) {
    const size_t before = t->count ? t->begins[i] / (4 * CONTACT_FLOATS) : 0;
    ffi_bytes_add_float(&starts, (double)before);
  }
  put_array(json, "contact_starts", &starts, 1, arrays);
  ffi_bytes_free(&starts);
}

static void put_arrays(ffi_json *json, ffi_view_recorder *r, ffi_bytes *arrays, ffi_bytes *rows)
{
  ffi_json_put_open(json, "arrays", '{');
  put_times(json, "frame_times", &r->poses, arrays);
  put_array(json, "poses", &r->poses.bytes, (size_t)r->links.count * POSE_FLOATS, arrays);
  put_starts(json, &r->contacts, arrays);
  put_array(json, "contacts", &r->contacts.bytes, CONTACT_FLOATS, arrays);
  put_times(json, "row_times", &r->rows, rows);
  put_array(json, "rows", &r->rows.bytes, (size_t)r->signals, rows);
  ffi_json_close(json, '}');
}

static void put_run(ffi_json *json, const ffi_view_recorder *r, const ffi_view_outcome *outcome)
{
  ffi_json_put_integer(json, "format", 2);
  ffi_json_put_text(json, "title", r->title);
  ffi_json_put_text(json, "file", r->file);
  ffi_json_put_text(json, "stepper", r->stepper);
  ffi_json_put_number(json, "dt", r->about.dt);
  ffi_json_put_number(json, "end", r->last);
  ffi_json_put_text(json, "failure", outcome->failure);
  ffi_json_put_text(json, "warning", outcome->warning);
}

void ffi_view_record_drop(ffi_view_recorder *r)
{
  track_free(&r->poses);
  track_free(&r->contacts);
  track_free(&r->rows);
  ffi_view_links_free(&r->links);
  ff_dynamics_destroy(r->dynamics);
  free(r->values);
  free(r->title);
  free(r->file);
  free(r->stepper);
  free(r);
}

static char *name_links(const ffi_view_recorder *r)
{
  ffi_bytes names = {0};
  for (int i = 0; i < r->links.count; ++i) {
    ff_link_info link;
    ff_model_link(r->about.model, r->links.list[i], &link);
    ffi_bytes_add(&names, link.name, strlen(link.name));
    ffi_bytes_add(&names, "\n", 1);
  }
  ffi_bytes_add(&names, "", 1);
  return (char *)names.at;
}

void ffi_view_record_end(ffi_view_recorder *r, const ffi_view_outcome *outcome, ffi_view_data *out)
{
  size_t size;
  ffi_json json;
  *out = (ffi_view_data){.robot = name_links(r)};
  FILE *text = open_memstream(&out->header, &size);
  if (text) {
    ffi_json_begin(&json, text);
    ffi_json_open(&json, '{', 0);
    put_run(&json, r, outcome);
    ffi_view_write_model(&json, &r->about, &r->links, r->dynamics, &out->arrays);
    ffi_view_write_signals(&json, r->about.model, &r->links);
    put_arrays(&json, r, &out->arrays, &out->rows);
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
