// rk4 with steps halved around events.
#include "properties/order/landing_reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RUNGS = 20, KINK_RUNGS = 5, MOST_CONTACTS = 64 };

// One sim for each length of step, each half that of the one before.
typedef struct ladder {
  ff_sim *sim[RUNGS];
  double *before[RUNGS]; // a state of each, where its step began
} ladder;

typedef struct touching {
  int count, id[MOST_CONTACTS];
  ff_contact_mode mode[MOST_CONTACTS];
} touching;

static ff_sim *sim_with(const ffi_order_scene *scene, double dt)
{
  ff_sim_def def = scene->def;
  ff_sim *sim;
  ff_error error;
  def.stepper = FF_STEPPER_RK4;
  def.dt = dt;
  if (ff_sim_create(scene->model, &def, &sim, &error) != FF_OK ||
      ff_sim_reset(sim, scene->q, scene->v, &error) != FF_OK)
    fail_msg("%s", error.message);
  return sim;
}

static void list_contacts(ff_sim *sim, touching *out)
{
  const ff_contact *contact = ff_sim_contacts(sim, &out->count);
  assert_in_range(out->count, 0, MOST_CONTACTS);
  for (int i = 0; i < out->count; ++i) {
    out->id[i] = contact[i].id;
    out->mode[i] = contact[i].mode;
  }
}

static int has_new(const touching *now, const touching *before)
{
  for (int i = 0; i < now->count; ++i) {
    int k = 0;
    while (k < before->count && before->id[k] != now->id[i])
      ++k;
    if (k == before->count)
      return 1;
  }
  return 0;
}

static int has_changed(const touching *now, const touching *before)
{
  return now->count != before->count ||
         memcmp(now->id, before->id, (size_t)now->count * sizeof *now->id) != 0 ||
         memcmp(now->mode, before->mode, (size_t)now->count * sizeof *now->mode) != 0;
}

static void put(ff_sim *sim, const double *state)
{
  ff_error error;
  if (ff_sim_set_state(sim, state, &error) != FF_OK)
    fail_msg("%s", error.message);
}

// One step of a rung, or two of the next.
static void climb(ladder *l, int rung) // NOLINT(misc-no-recursion): as deep as there are rungs
{
  ff_sim *sim = l->sim[rung];
  touching before, now;
  ff_error error;
  ff_sim_get_state(sim, l->before[rung]);
  list_contacts(sim, &before);
  if (ff_sim_step(sim, NULL, &error) != FF_OK)
    fail_msg("%s", error.message);
  list_contacts(sim, &now);
  const int last = has_new(&now, &before) ? RUNGS - 1 : has_changed(&now, &before) ? KINK_RUNGS - 1 : 0;
  if (rung >= last)
    return;
  put(l->sim[rung + 1], l->before[rung]);
  climb(l, rung + 1);
  climb(l, rung + 1);
  ff_sim_get_state(l->sim[rung + 1], l->before[rung]);
  put(sim, l->before[rung]);
}

void ffi_landing_reference_run(const ffi_order_scene *scene, int steps, double *end)
{
  ladder l;
  const ff_model_size size = ff_model_get_size(scene->model);
  for (int k = 0; k < RUNGS; ++k) {
    l.sim[k] = sim_with(scene, scene->duration / steps / (1 << k));
    l.before[k] = malloc((size_t)ff_sim_state_size(l.sim[k]) * sizeof *l.before[k]);
    assert_non_null(l.before[k]);
  }
  for (int k = 0; k < steps; ++k)
    climb(&l, 0);
  memcpy(end, ff_sim_q(l.sim[0]), (size_t)size.nq * sizeof *end);
  memcpy(end + size.nq, ff_sim_v(l.sim[0]), (size_t)size.nv * sizeof *end);
  for (int k = 0; k < RUNGS; ++k) {
    ff_sim_destroy(l.sim[k]);
    free(l.before[k]);
  }
}
