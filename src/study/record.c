// States become frames, which are drawn, and rows, which are plotted.
#include "study/record.h"

#include "base/def.h"
#include "base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ff_record_def defaults = {
    .size = sizeof defaults, .least_frames = 50, .frame_spacing = 0.01, .most_bytes = 1600000};
static const ffi_def_kind kind = {"ff_record_def", sizeof defaults, &defaults};

void ff_record_def_init(ff_record_def *def, size_t size)
{
  ffi_def_init(def, size, &kind);
}

static ff_status no_memory(ff_error *error)
{
  return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_record", "there is not enough memory");
}

// ---- Begin and end --------------------------------------------------------------------------------------------------

static ff_status take_def(ff_record *r, const ff_record_def *def, ff_error *error)
{
  const ff_status status = ffi_def_take(def, &kind, &r->def, error);
  if (status != FF_OK)
    return status;
  const ff_record_def *d = &r->def;
  if (!d->model || d->ground_count < 0 || (d->ground_count > 0 && !d->ground))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, kind.name,
                    "model is NULL, or ground does not match ground_count");
  if (d->least_frames < 1 || !(d->frame_spacing > 0) || !(d->spacing >= 0) || !(d->duration >= 0))
    return ffi_fail(
        error, FF_ERROR_ARGUMENT, NULL, 0, kind.name,
        "least_frames %d, frame_spacing %g, spacing %g, duration %g: the first two must be above 0, "
        "the others must not be below 0",
        d->least_frames, d->frame_spacing, d->spacing, d->duration);
  return FF_OK;
}

// Fewer frames than there are states, unless the run is short.
static void space_out(ff_record *r)
{
  const ff_record_def *d = &r->def;
  const double fine =
      d->duration > 0 ? fmin(d->frame_spacing, d->duration / d->least_frames) : d->frame_spacing;
  const double apart = d->spacing > 0 ? round(fine / d->spacing) : 1;
  r->poses.every = r->contacts.every = apart > 1 ? (long long)fmin(apart, 1e15) : 1;
  r->rows.every = 1;
}

static ff_status prepare(ff_record *r, ff_error *error)
{
  const size_t grounds = (size_t)r->def.ground_count;
  r->ground = ffi_arena_take(&r->arena, grounds + 1, sizeof *r->ground);
  if (!r->ground)
    return no_memory(error);
  for (size_t i = 0; i < grounds; ++i)
    r->ground[i] = (ffi_record_ground){r->def.ground[i].shape.material.friction, r->def.ground[i].gives_pair};
  r->def.ground = NULL; // the user's
  const ff_status status = ff_dynamics_create(r->def.model, NULL, &r->dynamics, error);
  if (status != FF_OK)
    return status;
  if (!ffi_record_links_find(r) || !ffi_record_signals_name(r))
    return no_memory(error);
  space_out(r);
  return FF_OK;
}

ff_status ff_record_create(const ff_record_def *def, ff_record **out, ff_error *error)
{
  if (!out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_record_create", "an argument is NULL");
  *out = NULL;
  ff_record *r = calloc(1, sizeof *r);
  if (!r)
    return no_memory(error);
  ff_status status = take_def(r, def, error);
  if (status == FF_OK)
    status = prepare(r, error);
  if (status != FF_OK) {
    ff_record_destroy(r);
    return status;
  }
  *out = r;
  return FF_OK;
}

void ff_record_destroy(ff_record *r)
{
  if (!r)
    return;
  ffi_record_track_free(&r->poses);
  ffi_record_track_free(&r->contacts);
  ffi_record_track_free(&r->rows);
  ff_dynamics_destroy(r->dynamics);
  ffi_arena_free(&r->arena);
  free(r->starts);
  free(r);
}

// ---- A state as numbers ---------------------------------------------------------------------------------------------

static void put_poses(const ff_record *r, float *out)
{
  for (int i = 0; i < r->data.link_count; ++i, out += FF_RECORD_POSE) {
    ff_link_info link;
    double position[3], R[9];
    ff_model_link(r->def.model, r->data.links[i].link, &link);
    ff_dynamics_frame_pose(r->dynamics, link.frame, position, R);
    const ff_pose pose = ff_pose_from_rotation(position, R);
    for (int k = 0; k < 3; ++k)
      out[k] = (float)pose.position[k];
    for (int k = 0; k < 4; ++k)
      out[3 + k] = (float)pose.quaternion[k];
  }
}

// The friction of a contact's pair.
static double friction_of(const ff_record *r, const ff_contact *contact)
{
  ff_shape_info a, b;
  ff_model_shape(r->def.model, contact->shape_a, &a);
  if (contact->ground >= 0 && contact->ground < r->def.ground_count) {
    const ffi_record_ground *ground = &r->ground[contact->ground];
    return ground->gives_pair ? ground->friction : fmin(a.def.material.friction, ground->friction);
  }
  if (ff_model_shape(r->def.model, contact->shape_b, &b) != FF_OK)
    return a.def.material.friction;
  return fmin(a.def.material.friction, b.def.material.friction);
}

static void put_contacts(const ff_record *r, const ff_record_state *state, float *out)
{
  for (int i = 0; i < state->contact_count; ++i, out += FF_RECORD_CONTACT) {
    const ff_contact *c = &state->contacts[i];
    out[0] = (float)(c->link_a >= 0 ? r->index[c->link_a] : -1);
    out[1] = (float)c->mode;
    for (int k = 0; k < 3; ++k) {
      out[2 + k] = (float)c->point[k];
      out[5 + k] = (float)c->normal[k];
      out[8 + k] = (float)c->force[k];
    }
    out[11] = (float)friction_of(r, c);
  }
}

static void put_row(ff_record *r, const ff_record_state *state, float *out)
{
  ffi_record_signals_values(r, state, r->values);
  for (int i = 0; i < r->data.signal_count; ++i)
    out[i] = (float)r->values[i];
}

void ff_record_snapshot(ff_record *r, const ff_record_state *state, float *poses, float *row, float *contacts)
{
  ff_dynamics_kinematics(r->dynamics, state->q, state->v, NULL);
  put_poses(r, poses);
  put_row(r, state, row);
  put_contacts(r, state, contacts);
}

// ---- States that come -----------------------------------------------------------------------------------------------

static int is_due(const ffi_record_track *t, long long state)
{
  return state % t->every == 0;
}

int ff_record_wants(const ff_record *r)
{
  return is_due(&r->poses, r->data.states) || is_due(&r->rows, r->data.states);
}

void ff_record_skip(ff_record *r)
{
  ++r->data.states;
}

// contact_starts has one more than there are frames.
static int reserve_starts(ff_record *r)
{
  const size_t needed = r->contacts.count + 2;
  if (needed <= r->starts_room)
    return 1;
  size_t *more = realloc(r->starts, (2 * needed + 256) * sizeof *more);
  if (!more)
    return 0;
  if (!r->starts)
    more[0] = 0;
  r->starts = more;
  r->starts_room = 2 * needed + 256;
  return 1;
}

// The data as the user sees it.
static void show(ff_record *r)
{
  ff_record_data *d = &r->data;
  d->frame_count = r->poses.count;
  d->frame_times = r->poses.times;
  d->poses = r->poses.data;
  d->contact_starts = r->starts;
  d->contacts = r->contacts.data;
  d->row_count = r->rows.count;
  d->row_times = r->rows.times;
  d->rows = r->rows.data;
}

static int reserve(ff_record *r, const ff_record_state *state, int is_frame, int is_row)
{
  const size_t poses = (size_t)r->data.link_count * FF_RECORD_POSE;
  const size_t contacts = (size_t)state->contact_count * FF_RECORD_CONTACT;
  if (is_frame &&
      (!ffi_record_track_reserve(&r->poses, poses) || !ffi_record_track_reserve(&r->contacts, contacts)))
    return 0;
  return reserve_starts(r) && (!is_row || ffi_record_track_reserve(&r->rows, (size_t)r->data.signal_count));
}

static void thin(ff_record *r)
{
  const size_t most = r->def.most_bytes;
  if (ffi_record_track_bytes(&r->poses) + ffi_record_track_bytes(&r->contacts) > most && r->poses.count > 1) {
    ffi_record_track_thin(&r->poses);
    ffi_record_track_thin(&r->contacts);
    for (size_t i = 0; i <= r->contacts.count; ++i)
      r->starts[i] = r->contacts.begins[i] / FF_RECORD_CONTACT;
  }
  if (ffi_record_track_bytes(&r->rows) > most && r->rows.count > 1)
    ffi_record_track_thin(&r->rows);
}

ff_status ff_record_add(ff_record *r, const ff_record_state *state, int is_last, ff_error *error)
{
  if (!r || !state || !state->q || !state->v || state->contact_count < 0 ||
      (state->contact_count > 0 && !state->contacts))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_record_add", "an argument is NULL");
  const int is_frame = is_due(&r->poses, r->data.states) || is_last;
  const int is_row = is_due(&r->rows, r->data.states) || is_last;
  if (!reserve(r, state, is_frame, is_row)) {
    show(r); // some arrays have moved
    return no_memory(error);
  }
  ff_dynamics_kinematics(r->dynamics, state->q, state->v, NULL);
  if (is_frame) {
    const size_t contacts = (size_t)state->contact_count * FF_RECORD_CONTACT;
    put_poses(r, ffi_record_track_add(&r->poses, state->time, (size_t)r->data.link_count * FF_RECORD_POSE));
    put_contacts(r, state, ffi_record_track_add(&r->contacts, state->time, contacts));
    r->starts[r->contacts.count] = r->contacts.begins[r->contacts.count] / FF_RECORD_CONTACT;
  }
  if (is_row)
    put_row(r, state, ffi_record_track_add(&r->rows, state->time, (size_t)r->data.signal_count));
  if (!is_last)
    thin(r);
  show(r);
  r->data.last = state->time;
  ++r->data.states;
  return FF_OK;
}

const ff_record_data *ff_record_get(const ff_record *r)
{
  return &r->data;
}
