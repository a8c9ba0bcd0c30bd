// The workspace in one block of memory, and the lists that the kernels follow.
#include "dynamics/joint.h"
#include "dynamics/kernels.h"

#include "variant.h"

// A cursor over the block; with a NULL block it only counts.
typedef struct cursor {
  char *block;
  size_t used;
} cursor;

static void *take(cursor *c, size_t count, size_t size)
{
  const size_t line = 64;
  void *at = c->block ? c->block + c->used : NULL;
  c->used += (count * size + line - 1) / line * line;
  return at;
}
// w->array gets room for `count` elements of its type. (The cast is for the flop counter, which compiles this as C++.)
#define TAKE(array, count) (w->array = (__typeof__(w->array))take(c, count, sizeof *w->array))

static void place_arrays(cursor *c, const ff_model *m, int max_points, ffi_work *w)
{
  const size_t nb = (size_t)m->body_count, nv = (size_t)m->size.nv, nq = (size_t)m->size.nq;
  const size_t levels = (size_t)m->max_level + 2, entries = (size_t)m->dof_row[nv];
  const size_t rows =
      (size_t)(max_points > 0 ? max_points : 1) * 3 * (size_t)m->max_depth; // point_jacobian uses one
  TAKE(sn, nq);
  TAKE(cs, nq);
  TAKE(E, 9 * nb);
  TAKE(shift, 3 * nb);
  TAKE(pose, nb);
  TAKE(motion, FFI_LANES == 1 ? nb : levels + nb);
  TAKE(force, levels);
  TAKE(body_force, nb);
  TAKE(h, nv);
  TAKE(articulated, levels);
  TAKE(rise, levels);
  TAKE(G, 6 * nv);
  TAKE(e, nv);
  TAKE(mass, nb);
  TAKE(subtree_mass, nb);
  TAKE(rigid, nb);
  TAKE(Sigma, 6 * nb);
  TAKE(composite, levels);
  TAKE(F, 6 * nv);
  TAKE(M, entries);
  TAKE(diagonal, nv);
  TAKE(J, rows);
  TAKE(Z, rows);
  TAKE(front, (size_t)max_points * 18);
  TAKE(vel, nb);
  TAKE(bias, nb);
  TAKE(acc, nb);
  TAKE(v, nv);
  TAKE(zero, nv);
  TAKE(subtree, nb);
  TAKE(column, nv);
  TAKE(vdot, nv);
  TAKE(unused, nv);
  TAKE(W, entries);
  TAKE(panel, FFI_PANEL * nv);
  TAKE(tail, FFI_PANEL * nv);
  TAKE(pivot, nv);
  TAKE(taken, nv);
  TAKE(dof_end, nv);
  TAKE(path, entries);
  TAKE(point_body, (size_t)max_points);
  TAKE(prepared, nb);
  TAKE(root_of, nb);
  TAKE(component, nb);
  TAKE(spans, 2 * nb);
  TAKE(loaded, nv);
  TAKE(roots, nb);
  TAKE(slot, nb);
}

static void list_paths(const ff_model *m, ffi_work *w)
{
  for (int i = 0; i < m->size.nv; ++i)
    w->dof_end[i] = m->bodies[m->dof_body[i]].v_end;
  for (int i = 0; i < m->size.nv; ++i)
    for (int j = i, k = m->dof_row[i + 1] - 1; j >= 0; j = m->dof_parent[j], --k)
      w->path[k] = j;
}

// Adjacent angles in q, so that their sines are computed in one go.
static void list_spans(const ff_model *m, ffi_work *w)
{
  int end = -1;
  for (int i = 1; i < m->body_count; ++i) {
    const ffi_body *b = &m->bodies[i];
    if (!is_revolute(b->kind) && b->kind != FFI_KIND_PLANAR)
      continue;
    const int at = b->kind == FFI_KIND_PLANAR ? b->q + 2 : b->q;
    if (at != end)
      w->spans[2 * w->span_count++] = at;
    end = at + 1;
    w->spans[2 * w->span_count - 1] = end;
  }
}

// What does not depend on masses.
static void list_bodies(const ff_model *m, ffi_work *w)
{
  for (int i = 0; i < m->body_count; ++i)
    w->slot[i] = FFI_LANES == 1 ? i : m->bodies[i].level;
  for (int i = 1; i < m->body_count; ++i) {
    const int kind = m->bodies[i].kind;
    w->root_of[i] = kind == FFI_KIND_FREE ? i : w->root_of[m->bodies[i].parent];
    w->component[i] = freedom(kind) > 1 ? -1 : is_revolute(kind) ? 3 + axis_of(kind) : axis_of(kind);
    if (has_matrix(kind) || has_shift(kind))
      w->prepared[w->prepared_count++] = i;
    if (m->bodies[i].parent == 0)
      w->roots[w->root_count++] = i;
  }
  for (int d = 0; d < m->size.nv; ++d)
    if (m->dof_armature[d] != 0.0 || m->dof_damping[d] != 0.0)
      w->loaded[w->loaded_count++] = d;
}

FFI_ALWAYS void put_lane(real *x, int lane, double value)
{
  memcpy((char *)x + sizeof value * (size_t)lane, &value, sizeof value);
}

void FFI_KERNEL(refit_lane)(ffi_work *w, const double gravity[3], const double *body, int lane)
{
  for (int i = 0; i < w->model->body_count; ++i, body += 10) {
    put_lane(&w->mass[i], lane, body[0]);
    for (int k = 0; k < 3; ++k)
      put_lane(&w->rigid[i].mc[k], lane, body[1 + k]);
    for (int k = 0; k < 6; ++k)
      put_lane(&w->rigid[i].I[k], lane, body[4 + k]);
  }
  for (int k = 0; k < 3; ++k)
    put_lane(&w->motion[0].a[k], lane, -gravity[k]);
}

void FFI_KERNEL(refit_end)(ffi_work *w)
{
  for (int i = 0; i < w->model->body_count; ++i) {
    real subtree = splat(0);
    for (int k = i > 0 ? i : 1; k < w->model->bodies[i].subtree_end; ++k)
      subtree = subtree + w->mass[k];
    w->subtree_mass[i] = subtree;
    const real *I = w->rigid[i].I, half_trace = 0.5 * (I[0] + I[3] + I[5]);
    for (int k = 0; k < 6; ++k)
      w->Sigma[6 * i + k] = (k == 0 || k == 3 || k == 5 ? half_trace : splat(0)) - I[k];
  }
}

void FFI_KERNEL(refit)(ffi_work *w, const ff_model *m)
{
  w->model = m;
  w->has_mass = 0;
  for (int i = 1; i < m->body_count; ++i)
    w->has_mass |= m->bodies[i].mass > 0;
  for (int i = 0; i < m->body_count; ++i) {
    const ffi_body *b = &m->bodies[i];
    w->mass[i] = splat(b->mass);
    for (int k = 0; k < 3; ++k)
      w->rigid[i].mc[k] = splat(b->mc[k]);
    for (int k = 0; k < 6; ++k)
      w->rigid[i].I[k] = splat(b->I[k]);
  }
  for (int k = 0; k < 3; ++k)
    w->motion[0].a[k] = splat(-m->gravity[k]);
  FFI_KERNEL(refit_end)(w);
}

size_t FFI_KERNEL(layout)(const ff_model *model, int max_points, void *block, ffi_work *work)
{
  ffi_work counted;
  ffi_work *w = block ? work : &counted;
  memset(w, 0, sizeof *w);
  cursor c = {(char *)block, 0};
  w->model = model;
  w->max_points = max_points;
  place_arrays(&c, model, max_points, w);
  if (!block)
    return c.used;
  memset(block, 0, c.used);
  list_paths(model, w);
  list_spans(model, w);
  list_bodies(model, w);
  for (int k = 0; k < 9; k += 4)
    w->pose[0].R[k] = splat(1.0);
  FFI_KERNEL(refit)(w, model);
  return c.used;
}
