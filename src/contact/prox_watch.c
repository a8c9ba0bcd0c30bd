#include "contact/prox_watch.h"

#include <string.h>

enum {
  WINDOW = 16,       // sweeps: enough for a cycle of a few contacts to close
  MOST_HALVINGS = 8, // alpha falls to 1/256 of where it began
};
static const double no_better =
    0.999; // of the window before: a rate of 0.99997 a sweep, which would not end in 10^4
static const double out_of_bounds = 1e12; // times the least change so far: a million times its velocities

// r = alpha / G_ll; the tangents of a contact share the smaller one.
static void set_alpha(ffi_hard_memory *m, double alpha)
{
  for (int i = 0; i < m->n; ++i)
    m->r[i] = alpha * m->inverse[i];
}

static void begin_window(ffi_prox_watch *watch)
{
  watch->left = WINDOW;
  watch->low = (double)INFINITY;
}

ffi_prox_watch ffi_prox_watch_begin(ffi_hard_memory *m, double alpha_if_automatic)
{
  ffi_prox_watch watch = {.is_automatic = m->def->alpha == 0, .previous = (double)INFINITY};
  watch.alpha = watch.is_automatic ? alpha_if_automatic : m->def->alpha;
  set_alpha(m, watch.alpha);
  begin_window(&watch);
  memcpy(m->kept, m->Lambda, (size_t)m->n * sizeof *m->kept);
  return watch;
}

static int lower(ffi_prox_watch *watch, ffi_hard_memory *m)
{
  if (!watch->is_automatic || watch->halvings >= MOST_HALVINGS)
    return 0;
  ++watch->halvings;
  watch->alpha /= 2;
  watch->previous = (double)INFINITY;
  set_alpha(m, watch->alpha);
  begin_window(watch);
  return 1;
}

int ffi_prox_watch_see(ffi_prox_watch *watch, ffi_hard_memory *m, double change, int *is_moved)
{
  *is_moved = 0;
  if (change < watch->low)
    watch->low = change;
  const double best = watch->low < watch->previous ? watch->low : watch->previous;
  if (!(change <= out_of_bounds * best)) {
    memcpy(m->Lambda, m->kept, (size_t)m->n * sizeof *m->kept);
    *is_moved = 1;
    return lower(watch, m);
  }
  if (--watch->left > 0)
    return 1;
  if (watch->low < no_better * watch->previous) {
    memcpy(m->kept, m->Lambda, (size_t)m->n * sizeof *m->kept);
    watch->previous = watch->low;
    begin_window(watch);
  } else if (!lower(watch, m)) {
    begin_window(watch);
  }
  return 1;
}
