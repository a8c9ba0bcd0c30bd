// Pits of balls and stacks of boxes: bodies, contact points and frames.
#include "support/hard_world.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static void add_touch(ffi_hard_world *w, int over, int under, const double arm[3], const double other[3],
                      const double n[3])
{
  assert(w->count < FFI_HARD_WORLD_MOST);
  ffi_hard_touch *t = &w->touch[w->count++];
  *t = (ffi_hard_touch){.over = over, .under = under};
  memcpy(t->arm, arm, sizeof t->arm);
  memcpy(t->other, other, sizeof t->other);
  memcpy(t->n, n, sizeof t->n);
}

// Rows of one contact: two tangents and the normal, velocity of `over` less that of `under`.
static void put_rows(ffi_hard_case *c, const ffi_hard_touch *t, int row)
{
  const int nv = c->problem.nv;
  double axes[3][3] = {{0}};
  const double *n = t->n;
  const int k = fabs(n[0]) < 0.6 ? 0 : 1;
  double length = 0;
  for (int i = 0; i < 3; ++i) {
    axes[0][i] = (i == k) - n[k] * n[i];
    length += axes[0][i] * axes[0][i];
  }
  for (int i = 0; i < 3; ++i) {
    axes[0][i] /= sqrt(length);
    axes[2][i] = n[i];
  }
  for (int i = 0; i < 3; ++i)
    axes[1][i] = n[(i + 1) % 3] * axes[0][(i + 2) % 3] - n[(i + 2) % 3] * axes[0][(i + 1) % 3];
  for (int r = 0; r < 3; ++r)
    for (int side = 0; side < 2; ++side) {
      const int body = side ? t->under : t->over;
      const double *arm = side ? t->other : t->arm, sign = side ? -1 : 1, *a = axes[r];
      for (int i = 0; body >= 0 && i < 3; ++i) {
        double *W = c->W + (row + r) * nv + 6 * body;
        W[i] += sign * a[i];
        W[3 + i] += sign * (arm[(i + 1) % 3] * a[(i + 2) % 3] - arm[(i + 2) % 3] * a[(i + 1) % 3]);
      }
    }
}

ffi_hard_case *ffi_hard_world_case(const ffi_hard_world *w, double mu, ffi_random *random)
{
  static int rows[FFI_HARD_WORLD_MOST];
  for (int i = 0; i < w->count; ++i)
    rows[i] = 3;
  ffi_hard_case *c = ffi_hard_case_begin(6 * w->bodies, w->count, rows);
  const int nv = c->problem.nv;
  double *u_free = (double *)(uintptr_t)c->problem.u_free;
  for (int i = 0; i < nv; ++i) {
    c->M[i * nv + i] = i % 6 < 3 ? w->mass : w->inertia;
    u_free[i] = ffi_random_between(random, -0.02, 0.02) - (i % 6 == 2 ? 0.05 : 0); // gravity, 5 ms
  }
  for (int i = 0; i < w->count; ++i) {
    c->problem.block[i].law = FFI_HARD_LAW_CONTACT;
    c->problem.block[i].mu = mu;
    put_rows(c, &w->touch[i], 3 * i);
  }
  ffi_hard_case_finish(c);
  return c;
}

void ffi_hard_world_pit(ffi_hard_world *w, int side, int layers, ffi_random *random)
{
  const double R = 0.05;
  *w = (ffi_hard_world){.bodies = side * side * layers, .mass = 0.1, .inertia = 0.4 * 0.1 * R * R};
  for (int i = 0; i < w->bodies; ++i) {
    const int at[3] = {i % side, i / side % side, i / side / side}, step[3] = {1, side, side * side};
    for (int k = 0; k < 3; ++k) {
      double n[3], arm[3], other[3], length = 0;
      for (int j = 0; j < 3; ++j) {
        n[j] = at[k] > 0 ? (j == k) + ffi_random_between(random, -0.3, 0.3) : j == k;
        length += n[j] * n[j];
      }
      for (int j = 0; j < 3; ++j) {
        n[j] /= sqrt(length);
        arm[j] = -R * n[j];
        other[j] = R * n[j];
      }
      add_touch(w, i, at[k] > 0 ? i - step[k] : -1, arm, other, n);
      if (k < 2 && at[k] == side - 1) {
        const double back[3] = {-(k == 0), -(k == 1), 0}, far[3] = {R * (k == 0), R * (k == 1), 0};
        add_touch(w, i, -1, far, far, back);
      }
    }
  }
}

void ffi_hard_world_pile(ffi_hard_world *w, int first, int boxes)
{
  const double up[3] = {0, 0, 1};
  for (int i = 0; i < boxes; ++i)
    for (int k = 0; k < 4; ++k) {
      const double x = k & 1 ? 0.5 : -0.5, y = k & 2 ? 0.5 : -0.5;
      const double low[3] = {x, y, -0.5}, high[3] = {x, y, 0.5};
      add_touch(w, first + i, i == 0 ? -1 : first + i - 1, low, high, up);
    }
}
