#include "contact/impact_interior_program.h"

#include <footfall/impact.h>

#include <string.h>

enum { MOST_FACES = 2 * FF_IMPACT_MAX_EDGES - 4 };

// What contacts may close, and open beyond kappa, over the velocity that the tolerance allows: without it the set may have no inside.
static const double slack = 0.05, least_slack = 1e-13;

void ffi_interior_layout(ffi_interior *w, int max_rows, int max_blocks, ffi_block *block)
{
  const int dense = max_rows < FFI_HARD_DENSE_ROWS ? max_rows : FFI_HARD_DENSE_ROWS;
  const int blocks = max_blocks < dense ? max_blocks : dense;
  const size_t rows = (size_t)dense + 7; // whole rounds of the product
  w->max_lines = dense / 3 * MOST_FACES + 4 * dense + 4;
  const size_t lines = (size_t)w->max_lines, size = rows + lines;
  double **const by_row[] = {&w->S,        &w->x,    &w->dx,  &w->gradient, &w->product,
                             &w->residual, &w->room, &w->sum, &w->carry,    &w->pressure};
  double **const by_size[] = {&w->w, &w->y, &w->dw, &w->dy, &w->off, &w->l, &w->want};
  for (size_t i = 0; i < sizeof by_row / sizeof *by_row; ++i)
    *by_row[i] = ffi_block_take(block, rows, sizeof(double));
  for (size_t i = 0; i < sizeof by_size / sizeof *by_size; ++i)
    *by_size[i] = ffi_block_take(block, size, sizeof(double));
  w->cone = ffi_block_take(block, (size_t)blocks, sizeof *w->cone);
  w->line = ffi_block_take(block, lines, sizeof *w->line);
  w->group = ffi_block_take(block, rows, sizeof *w->group);
  w->scaling.cone = ffi_block_take(block, (size_t)blocks, sizeof *w->scaling.cone);
  w->scaling.line = ffi_block_take(block, lines, sizeof *w->scaling.line);
}

// ---- The program ------------------------------------------------------------------------------------------

static ffi_interior_line *add_line(ffi_interior *w, ffi_interior_kind kind, int at)
{
  ffi_interior_line *line = &w->line[w->scaling.lines++];
  *line = (ffi_interior_line){.kind = kind, .at = at, .count = 1, .coefficient = {1, 0, 0}};
  return line;
}

static void add_pyramid(ffi_interior *w, int at, int faces)
{
  for (int k = 0; k < faces; ++k) {
    const double angle = 2 * 3.14159265358979323846 * k / faces;
    ffi_interior_line *line = add_line(w, FFI_INTERIOR_LOCAL, at);
    line->count = 3;
    line->coefficient[0] = -cos(angle);
    line->coefficient[1] = -sin(angle);
    line->coefficient[2] = 1;
  }
}

static double size_of_row(const ffi_hard_memory *m, int row)
{
  return m->inverse[row] > 0 ? 1 / sqrt(m->weight[row]) : 0; // 0: nothing moves it
}

static void add_contact(const ffi_hard_memory *m, ffi_interior *w, const ffi_hard_part *part)
{
  const int at = part->row, can_rub = part->mu > 0 && m->inverse[at] > 0;
  const double S = w->S[at + 2] = size_of_row(m, at + 2);
  w->S[at] = w->S[at + 1] = can_rub ? part->mu * S : 0;
  if (!(S > 0))
    return;
  if (!can_rub)
    add_line(w, FFI_INTERIOR_LOCAL, at + 2);
  else if (part->faces > 0)
    add_pyramid(w, at, part->faces);
  else
    w->cone[w->scaling.cones++] = at;
}

static void add_part(const ffi_hard_memory *m, ffi_interior *w, const ffi_hard_part *part)
{
  if (ffi_hard_is_contact(part->law)) {
    add_contact(m, w, part);
    return;
  }
  for (int i = part->row; i < part->row + part->rows; ++i)
    w->S[i] = size_of_row(m, i);
  const int at = part->row;
  if (part->law == FFI_HARD_LAW_DRY && !(part->bound > 0))
    w->S[at] = 0;
  if (!(w->S[at] > 0) || part->law == FFI_HARD_LAW_BILATERAL)
    return;
  ffi_interior_line *line = add_line(w, FFI_INTERIOR_LOCAL, at);
  if (part->law == FFI_HARD_LAW_DRY) {
    line->a = part->bound / (w->sigma * w->S[at]);
    line = add_line(w, FFI_INTERIOR_LOCAL, at);
    line->coefficient[0] = -1;
    line->a = part->bound / (w->sigma * w->S[at]);
  }
}

static double slack_of(const ffi_hard_memory *m, const ffi_interior *w, int row)
{
  return fmax(slack * m->absolute[row] * m->weight[row] * w->S[row] / w->sigma, least_slack);
}

// xi_n >= 0 of contacts and stops; of contacts, kappa >= sum xi_n.
static void add_bound(const ffi_hard_memory *m, ffi_interior *w, const ffi_interior_bound *bound)
{
  w->first_sum = w->scaling.lines;
  for (int g = 0; g < bound->groups; ++g)
    add_line(w, FFI_INTERIOR_SUM, g)->a = bound->kappa[g] / w->sigma;
  for (int p = 0; p < m->iterated; ++p) {
    const ffi_hard_part *part = &m->part[p];
    const int is_contact = ffi_hard_is_contact(part->law), row = part->row + (is_contact ? 2 : 0);
    for (int i = 0; i < part->rows; ++i)
      w->group[part->row + i] = bound->group[p];
    if (!(w->S[row] > 0) || !(is_contact || part->law == FFI_HARD_LAW_STOP))
      continue;
    const double give = slack_of(m, w, row);
    ffi_interior_line *line = add_line(w, FFI_INTERIOR_OPENING, row);
    line->a = give;
    line->count = is_contact;
    if (is_contact)
      w->line[w->first_sum + bound->group[p]].a += 2 * give / w->S[row];
  }
}

// The rows' part of each SUM: -sum P_i / S_i, all groups in one vector, since they share no columns.
static void add_sums(const ffi_hard_memory *m, ffi_interior *w)
{
  memset(w->carry, 0, (size_t)m->n * sizeof *w->carry);
  for (int k = w->first_sum; k < w->scaling.lines; ++k)
    if (w->line[k].kind == FFI_INTERIOR_OPENING && w->line[k].count)
      w->carry[w->line[k].at] = -1 / w->S[w->line[k].at];
  ffi_interior_product(m, w, w->carry, w->sum);
}

void ffi_interior_program(ffi_hard_memory *m, ffi_interior *w, const ffi_interior_bound *bound)
{
  w->scaling.cones = w->scaling.lines = 0;
  w->sigma = 0;
  for (int i = 0; i < m->n; ++i) {
    w->sigma = fmax(w->sigma, fabs(m->c[i]) * size_of_row(m, i));
    w->pressure[i] = 0;
  }
  if (!(w->sigma > 0) || !isfinite(w->sigma))
    return;
  for (int p = 0; p < m->iterated; ++p)
    add_part(m, w, &m->part[p]);
  w->is_bound = bound != NULL;
  if (bound) {
    add_bound(m, w, bound);
    add_sums(m, w);
  }
}

// ---- Operators --------------------------------------------------------------------------------------------

void ffi_interior_gradient(ffi_hard_memory *m, ffi_interior *w)
{
  for (int i = 0; i < m->n; ++i)
    m->next[i] = w->sigma * w->S[i] * w->x[i];
  ffi_hard_product(m, m->next, w->product);
  for (int i = 0; i < m->n; ++i)
    w->gradient[i] = w->S[i] * w->product[i] / w->sigma;
}

void ffi_interior_product(const ffi_hard_memory *m, const ffi_interior *w, const double *x, double *out)
{
  memset(out, 0, (size_t)m->n * sizeof *out);
  for (int j = 0; j < m->n; ++j) {
    const double *restrict G = m->G + (size_t)j * (size_t)m->stride, z = w->S[j] * x[j];
    for (int i = 0; z != 0 && i < m->n; ++i)
      out[i] += G[i] * z;
  }
  for (int i = 0; i < m->n; ++i)
    out[i] *= w->S[i];
}

void ffi_interior_lines(const ffi_interior *w, const double *x, const double *Px, int has_a, double *out)
{
  for (int k = 0; k < w->scaling.cones; ++k, out += 3)
    memcpy(out, x + w->cone[k], 3 * sizeof *out);
  for (int k = 0; k < w->scaling.lines; ++k) {
    const ffi_interior_line *line = &w->line[k];
    double sum = has_a ? line->a : 0;
    for (int i = 0; line->kind == FFI_INTERIOR_LOCAL && i < line->count; ++i)
      sum += line->coefficient[i] * x[line->at + i];
    out[k] = line->kind == FFI_INTERIOR_OPENING ? sum + Px[line->at] : sum;
  }
  for (int k = w->first_sum; w->is_bound && k < w->scaling.lines; ++k) {
    const ffi_interior_line *line = &w->line[k];
    if (line->kind == FFI_INTERIOR_OPENING && line->count)
      out[w->first_sum + w->group[line->at]] -= Px[line->at] / w->S[line->at];
  }
}

// Multipliers of OPENING and SUM lines, as an impulse at the rows: A'y of these is P times that.
static void carry_of(const ffi_hard_memory *m, ffi_interior *w, const double *y)
{
  memset(w->carry, 0, (size_t)m->n * sizeof *w->carry);
  for (int k = w->first_sum; k < w->scaling.lines; ++k) {
    const ffi_interior_line *line = &w->line[k];
    if (line->kind != FFI_INTERIOR_OPENING)
      continue;
    w->carry[line->at] = y[k];
    if (line->count)
      w->carry[line->at] -= y[w->first_sum + w->group[line->at]] / w->S[line->at];
  }
}

void ffi_interior_transposed(const ffi_hard_memory *m, ffi_interior *w, const double *y, double *out)
{
  const double *lines = y + 3 * w->scaling.cones;
  memset(out, 0, (size_t)m->n * sizeof *out);
  if (w->is_bound) {
    carry_of(m, w, lines);
    ffi_interior_product(m, w, w->carry, out);
  }
  for (int k = 0; k < w->scaling.cones; ++k, y += 3)
    for (int i = 0; i < 3; ++i)
      out[w->cone[k] + i] += y[i];
  for (int k = 0; k < w->scaling.lines; ++k) {
    const ffi_interior_line *line = &w->line[k];
    for (int i = 0; line->kind == FFI_INTERIOR_LOCAL && i < line->count; ++i)
      out[line->at + i] += line->coefficient[i] * lines[k];
  }
}

// ---- The matrix -------------------------------------------------------------------------------------------

// T += theta a a'.
static void add_dense(int n, double theta, const double *a, double *T)
{
  for (int i = 0; i < n; ++i) {
    const double f = theta * a[i];
    for (int j = 0; f != 0 && j <= i; ++j)
      T[(size_t)i * (size_t)n + (size_t)j] += f * a[j];
  }
}

// Row of A of an OPENING or a SUM.
static void row_of(const ffi_hard_memory *m, const ffi_interior *w, const ffi_interior_line *line, double *a)
{
  const double *G = m->G + (size_t)line->at * (size_t)m->stride; // of an OPENING
  for (int j = 0; j < m->n; ++j)
    a[j] = line->kind == FFI_INTERIOR_OPENING ? w->S[line->at] * w->S[j] * G[j]
                                              : (w->group[j] == line->at ? w->sum[j] : 0);
}

static void add_lines(const ffi_hard_memory *m, const ffi_interior *w, int is_first, double *T)
{
  const size_t n = (size_t)m->n;
  for (int k = 0; k < w->scaling.lines; ++k) {
    const ffi_interior_line *line = &w->line[k];
    const double theta = is_first ? 1 : 1 / (w->scaling.line[k] * w->scaling.line[k]);
    if (line->kind != FFI_INTERIOR_LOCAL) {
      row_of(m, w, line, w->room);
      add_dense(m->n, theta, w->room, T);
      continue;
    }
    for (int i = 0; i < line->count; ++i)
      for (int j = 0; j <= i; ++j)
        T[(size_t)(line->at + i) * n + (size_t)(line->at + j)] +=
            theta * line->coefficient[i] * line->coefficient[j];
  }
}

void ffi_interior_matrix(ffi_hard_memory *m, const ffi_interior *w, int is_first, double add)
{
  const size_t n = (size_t)m->n, stride = (size_t)m->stride;
  double *T = m->factor;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j)
      T[i * n + j] = w->S[i] * w->S[j] * m->G[i * stride + j];
    T[i * n + i] = T[i * n + i] > 0 ? (1 + add) * T[i * n + i] : 1;
  }
  for (int k = 0; k < w->scaling.cones; ++k) {
    double theta[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (!is_first)
      ffi_scaling_square(&w->scaling.cone[k], theta);
    for (size_t i = 0; i < 3; ++i)
      for (size_t j = 0; j <= i; ++j)
        T[((size_t)w->cone[k] + i) * n + (size_t)w->cone[k] + j] += theta[3 * i + j];
  }
  add_lines(m, w, is_first, T);
}

void ffi_interior_finish(ffi_hard_memory *m, ffi_interior *w)
{
  const double none[FFI_HARD_MAX_ROWS] = {0};
  if (w->is_bound)
    carry_of(m, w, w->y + 3 * w->scaling.cones);
  for (int i = 0; i < m->n; ++i) {
    m->next[i] = w->sigma * w->S[i] * w->x[i];
    w->pressure[i] = w->is_bound ? w->sigma * w->S[i] * w->carry[i] : 0;
  }
  for (int p = 0; p < m->iterated; ++p) {
    const int at = m->part[p].row;
    ffi_prox_part(&m->part[p], m->inverse + at, none, m->next + at, m->Lambda + at);
  }
}
