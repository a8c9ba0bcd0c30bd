// Windows of sweeps: detects cycles and divergence, and halves alpha.
#include "contact/hard/prox_relaxation.h"

#include <string.h>

enum {
  FIRST_WINDOW = 16, // sweeps: enough for a cycle of a few contacts to close
  STRIKES = 1,       // windows without progress that are tolerated: with friction no energy must decrease
  MOST_HALVINGS = 8, // alpha falls to 1/256 of its first value
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

// Lambda'(G Lambda / 2 + c): the kinetic energy of u less that of u_free, without restitution.
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

static void begin_window(ffi_prox_relaxation *w, int length)
{
  w->left = w->length = length;
  w->low = (double)INFINITY;
  w->work = 0;
}

ffi_prox_relaxation ffi_prox_relaxation_begin(ffi_hard_memory *m, double alpha_if_automatic)
{
  ffi_prox_relaxation w = {.is_automatic = m->def->alpha == 0, .previous = (double)INFINITY};
  w.alpha = w.is_automatic ? alpha_if_automatic : m->def->alpha;
  set_alpha(m, w.alpha);
  begin_window(&w, FIRST_WINDOW);
  memcpy(m->kept, m->Lambda, (size_t)m->n * sizeof *m->kept);
  return w;
}

static int lower(ffi_prox_relaxation *w, ffi_hard_memory *m)
{
  if (!w->is_automatic || w->halvings >= MOST_HALVINGS)
    return 0;
  ++w->halvings;
  w->strikes = 0;
  w->alpha /= 2;
  w->previous = (double)INFINITY;
  set_alpha(m, w->alpha);
  begin_window(w, FIRST_WINDOW);
  return 1;
}

static void end_window(ffi_prox_relaxation *w, ffi_hard_memory *m)
{
  const double before = w->energy;
  const int is_first = isinf(w->previous);
  w->energy = energy(m);
  const int is_better = w->low < better * w->previous;
  const int is_gain = !is_first && before - w->energy > fair_share * w->work;
  if (is_better)
    memcpy(m->kept, m->Lambda, (size_t)m->n * sizeof *m->kept);
  w->strikes = is_better || is_gain ? 0 : w->strikes + 1;
  if (w->strikes > STRIKES && lower(w, m))
    return;
  w->previous = w->low < w->previous ? w->low : w->previous;
  begin_window(w, 2 * w->length);
}

int ffi_prox_relaxation_update(ffi_prox_relaxation *w, ffi_hard_memory *m, double change, int *is_moved)
{
  *is_moved = 0;
  w->work += change;
  w->low = change < w->low ? change : w->low;
  const double best = w->low < w->previous ? w->low : w->previous;
  if (!(change <= out_of_bounds * best)) {
    memcpy(m->Lambda, m->kept, (size_t)m->n * sizeof *m->kept);
    *is_moved = 1;
    return lower(w, m);
  }
  if (--w->left == 0)
    end_window(w, m);
  return 1;
}
