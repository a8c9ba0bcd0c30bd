// Rollouts: controls that are given beforehand, and what is recorded of each robot after each frame.
#include "batch/batch_lanes.h"

#include "base/def.h"
#include "base/fail.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

static const ff_batch_rollout_def defaults = {.hold = 1};
static const ffi_def_kind kind = {"ff_batch_rollout_def", sizeof(ff_batch_rollout_def), &defaults};

void ff_batch_rollout_def_init(ff_batch_rollout_def *def, size_t size)
{
  ffi_def_init(def, size, &kind);
}

// ---- Signals ------------------------------------------------------------------------------------------------

const char *ff_batch_signal_name(ff_batch_signal signal)
{
  static const char *const names[FF_BATCH_SIGNAL_COUNT] = {
      "q", "v", "time", "status", "energy", "contacts", "contact_force", "slip", "penetration"};
  return (int)signal >= 0 && (int)signal < FF_BATCH_SIGNAL_COUNT ? names[signal] : "unknown";
}

int ff_batch_signal_width(const ff_world *world, ff_batch_signal signal)
{
  const ff_model_size *size = &world->model->size;
  switch (signal) {
  case FF_BATCH_Q: return size->nq;
  case FF_BATCH_V: return size->nv;
  case FF_BATCH_ENERGY: return 3;
  case FF_BATCH_CONTACT_FORCE: return 3 * size->links;
  case FF_BATCH_TIME:
  case FF_BATCH_STATUS:
  case FF_BATCH_CONTACTS:
  case FF_BATCH_SLIP:
  case FF_BATCH_PENETRATION: return 1;
  default: return 0;
  }
}

static void add_force(double sign, const double *force, int link, double *out)
{
  for (int k = 0; link >= 0 && k < 3; ++k)
    out[3 * link + k] += sign * force[k];
}

// The sum of the mean forces on each link.
static void sum_contact_forces(ff_sim *sim, int links, double *out)
{
  int count;
  const ff_contact *contact = ff_sim_contacts(sim, &count);
  memset(out, 0, 3 * (size_t)links * sizeof *out);
  for (int i = 0; i < count; ++i) {
    add_force(1, contact[i].mean_force, contact[i].link_a, out);
    add_force(-1, contact[i].mean_force, contact[i].link_b, out);
  }
}

static double largest_slip(ff_sim *sim)
{
  int count;
  const ff_contact *contact = ff_sim_contacts(sim, &count);
  double most = 0;
  for (int i = 0; i < count; ++i)
    most = fmax(most, hypot(contact[i].slip[0], contact[i].slip[1]));
  return most;
}

static void record(ff_sim *sim, ff_status status, ff_batch_signal signal, double *out)
{
  const ff_model_size *size = &sim->world->model->size;
  switch (signal) {
  case FF_BATCH_Q: memcpy(out, sim->state->q, (size_t)size->nq * sizeof *out); break;
  case FF_BATCH_V: memcpy(out, sim->state->v, (size_t)size->nv * sizeof *out); break;
  case FF_BATCH_TIME: *out = sim->state->time; break;
  case FF_BATCH_STATUS: *out = (double)status; break;
  case FF_BATCH_ENERGY: {
    const ff_energy energy = ff_sim_energy(sim);
    out[0] = energy.kinetic;
    out[1] = energy.potential;
    out[2] = energy.elastic;
    break;
  }
  case FF_BATCH_CONTACTS: *out = sim->info.contacts; break;
  case FF_BATCH_CONTACT_FORCE: sum_contact_forces(sim, size->links, out); break;
  case FF_BATCH_SLIP: *out = largest_slip(sim); break;
  case FF_BATCH_PENETRATION: *out = sim->info.penetration; break;
  default: break;
  }
}

// ---- Rollouts -----------------------------------------------------------------------------------------------

typedef struct rollout {
  ff_batch *batch;
  ff_batch_rollout_def def;
} rollout;

// A robot that has failed repeats what was recorded last.
static void record_all(ffi_batch_worker *w, const ff_batch_rollout_def *def, int robot, int frame)
{
  ff_batch *b = w->batch;
  ff_sim *sim = ffi_batch_enter(w, robot);
  for (int r = 0; r < def->recording_count; ++r) {
    const ff_batch_recording *to = &def->recordings[r];
    const size_t width = (size_t)ff_batch_signal_width(b->world, to->signal);
    double *out = to->out + ((size_t)robot * (size_t)def->frames + (size_t)frame) * width;
    if (b->status[robot] != FF_OK && frame > 0 && to->signal != FF_BATCH_STATUS)
      memcpy(out, out - width, width * sizeof *out);
    else
      record(sim, b->status[robot], to->signal, out);
  }
  ffi_batch_leave(w, robot);
}

// A frame of the robots first .. last - 1.
static void take_frame(ffi_batch_worker *w, const ff_batch_rollout_def *def, int first, int last, int frame)
{
  const size_t nv = (size_t)w->batch->world->model->size.nv, nu = (size_t)w->batch->world->control_count;
  const size_t frames = (size_t)def->frames;
  for (int i = first; def->tau && nv > 0 && i < last; ++i)
    memcpy(w->tau + (size_t)(i - first) * nv, def->tau + ((size_t)i * frames + (size_t)frame) * nv,
           nv * sizeof *w->tau);
  for (int k = 0; k < def->hold; ++k) {
    for (int i = first; def->u && i < last; ++i)
      ffi_batch_step_control(w, i, def->u + ((size_t)i * frames + (size_t)frame) * nu);
    ffi_batch_lanes_step(w, first, last, def->tau ? w->tau : NULL);
  }
}

static void roll_out(void *user, int member)
{
  const rollout *r = user;
  ffi_batch_worker *w = &r->batch->workers[member];
  for (int first = w->first; first < w->last; first += FFI_BATCH_BLOCK) {
    const int last = first + FFI_BATCH_BLOCK < w->last ? first + FFI_BATCH_BLOCK : w->last;
    for (int frame = 0; frame < r->def.frames; ++frame) {
      take_frame(w, &r->def, first, last, frame);
      for (int i = first; r->def.recording_count > 0 && i < last; ++i)
        record_all(w, &r->def, i, frame);
    }
  }
}

static ff_status check(const ff_batch *batch, const ff_batch_rollout_def *def, ff_error *error)
{
  if (def->frames < 0 || def->hold < 1 || def->recording_count < 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_batch_rollout",
                    "frames is %d, hold %d and recording_count %d; they must be at least 0, 1 and 0",
                    def->frames, def->hold, def->recording_count);
  if (def->recording_count > 0 && !def->recordings)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_batch_rollout", "recordings is NULL");
  for (int r = 0; r < def->recording_count; ++r) {
    if (ff_batch_signal_width(batch->world, def->recordings[r].signal) == 0 &&
        ((int)def->recordings[r].signal < 0 || (int)def->recordings[r].signal >= FF_BATCH_SIGNAL_COUNT))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_batch_rollout",
                      "recording %d: there is no signal %d", r, (int)def->recordings[r].signal);
    if (!def->recordings[r].out)
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_batch_rollout", "recording %d: `out` is NULL",
                      r);
  }
  return FF_OK;
}

ff_status ff_batch_rollout(ff_batch *batch, const ff_batch_rollout_def *def, ff_error *error)
{
  rollout r = {.batch = batch};
  if (!batch || !def)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_batch_rollout", "%s is NULL",
                    batch ? "the def" : "the batch");
  ff_status status = ffi_def_take(def, &kind, &r.def, error);
  if (status == FF_OK)
    status = check(batch, &r.def, error);
  if (status == FF_OK)
    ffi_batch_run(batch, roll_out, &r);
  return status;
}
