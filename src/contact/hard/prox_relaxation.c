#include "contact/hard/prox_relaxation.h"

#include <string.h>

enum {
  FIRST_WINDOW = 16, // sweeps: enough for a cycle of a few contacts to close
  STRIKES = 1,       // windows without progress that pass: friction has no energy that must go down
  MOST_HALVINGS = 8, // alpha falls to 1/256 of where it began
};
static const double better = 0.8; // of the least change of the window before
static const double fair_share =
    0.05; // of the work of a window; one sweep of Gauss-Seidel gains half of its work
static const double out_of_bounds = 1e12; // times the least change so far: a million times its velocities

// r = alpha / G_ll; the tangents of a contact share the smaller one.
static void set_alpha(ffi_hard_memory *m, double alpha)
{
  for (int i = 0; i < m->n; ++i)
    m->r[i] = alpha * m->inverse[i];
}

// Lambda'(G Lambda / 2 + c): the kinetic energy of u, less that of u_free, when restitution is none.
static double energy(ffi_hard_memory *m)
{
  double *xi = m->scratch, sum = 0;
  const int is_impulse = m->form == FF_HARD_FORM_IMPULSE, rows = is_impulse ? m->n : m->n + m->direct;
  if (is_impulse) {
    ffi_hard_product(m, m->Lambda, xi);
  } else {
    ffi_hard_delassus_rest(m);
    for (int p = 0; p < m->part_count; ++p)
      ffi_hard_block_xi(m, &m->part[p], m->Lambda + m->part[p].row, xi + m->part[p].row);
  }
  for (int i = 0; i < rows; ++i)
    sum += m->Lambda[i] * (xi[i] + m->c[i]);
  return sum / 2;
}

static void begin_window(ffi_prox_relaxation *watch, int length)
{
  watch->left = watch->length = length;
  watch->low = (double)INFINITY;
  watch->work = 0;
}

ffi_prox_relaxation ffi_prox_relaxation_begin(ffi_hard_memory *m, double alpha_if_automatic)
{
  ffi_prox_relaxation watch = {.is_automatic = m->def->alpha == 0, .previous = (double)INFINITY};
  watch.alpha = watch.is_automatic ? alpha_if_automatic : m->def->alpha;
  set_alpha(m, watch.alpha);
  begin_window(&watch, FIRST_WINDOW);
  memcpy(m->kept, m->Lambda, (size_t)m->n * sizeof *m->kept);
  return watch;
}

static int lower(ffi_prox_relaxation *watch, ffi_hard_memory *m)
{
  if (!watch->is_automatic || watch->halvings >= MOST_HALVINGS)
    return 0;
  ++watch->halvings;
  watch->strikes = 0;
  watch->alpha /= 2;
  watch->previous = (double)INFINITY;
  set_alpha(m, watch->alpha);
  begin_window(watch, FIRST_WINDOW);
  return 1;
}

static void end_window(ffi_prox_relaxation *watch, ffi_hard_memory *m)
{
  const double before = watch->energy;
  const int is_first = isinf(watch->previous);
  watch->energy = energy(m);
  const int is_better = watch->low < better * watch->previous;
  const int is_gain = !is_first && before - watch->energy > fair_share * watch->work;
  if (is_better)
    memcpy(m->kept, m->Lambda, (size_t)m->n * sizeof *m->kept);
  watch->strikes = is_better || is_gain ? 0 : watch->strikes + 1;
  if (watch->strikes > STRIKES && lower(watch, m))
    return;
  watch->previous = watch->low < watch->previous ? watch->low : watch->previous;
  begin_window(watch, 2 * watch->length);
}

int ffi_prox_relaxation_update(ffi_prox_relaxation *watch, ffi_hard_memory *m, double change, int *is_moved)
{
  *is_moved = 0;
  watch->work += change;
  watch->low = change < watch->low ? change : watch->low;
  const double best = watch->low < watch->previous ? watch->low : watch->previous;
  if (!(change <= out_of_bounds * best)) {
    memcpy(m->Lambda, m->kept, (size_t)m->n * sizeof *m->kept);
    *is_moved = 1;
    return lower(watch, m);
  }
  if (--watch->left == 0)
    end_window(watch, m);
  return 1;
}
