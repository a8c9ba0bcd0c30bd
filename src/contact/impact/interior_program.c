// Scaled cones and lines of the program, its operators, and the way back to impulses.  docs/theory/impact.md section 4
#include "contact/impact/interior_program.h"

#include <string.h>

// What contacts may close, and open beyond kappa, over the velocity that the tolerance allows: without it the set may
// have no inside.
static const double slack = 0.05, least_slack = 1e-13;

static ffi_interior_point_line *add_line(ffi_interior_point *w, ffi_interior_point_kind kind, int at)
{
  ffi_interior_point_line *line = &w->line[w->scaling.lines++];
  *line = (ffi_interior_point_line){.kind = kind, .at = at, .count = 1, .coefficient = {1}};
  return line;
}

static void add_pyramid(ffi_interior_point *w, int at, int faces)
{
  for (int k = 0; k < faces; ++k) {
    const double angle = 2 * 3.14159265358979323846 * k / faces;
    ffi_interior_point_line *line = add_line(w, FFI_INTERIOR_LOCAL, at);
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

static void add_cone(ffi_interior_point *w, int at, int axis)
{
  w->cone[w->scaling.cones++] = (ffi_interior_point_cone){at, axis};
}

// Moments within their limits: a cone of the two across the normal, two lines of the one about it.
static void add_moments(const ffi_hard_memory *m, ffi_interior_point *w, const ffi_hard_part *part)
{
  const int at = part->row, normal = at + 2;
  const double S = part->turning * w->S[normal];
  w->S[at + 3] = w->S[at + 4] = m->inverse[at + 3] > 0 ? S : 0;
  w->S[at + 5] = m->inverse[at + 5] > 0 ? S : 0;
  if (w->S[at + 3] > 0)
    add_cone(w, at + 3, normal);
  for (int sign = -1; sign <= 1 && w->S[at + 5] > 0; sign += 2) {
    ffi_interior_point_line *line = add_line(w, FFI_INTERIOR_LOCAL, normal);
    line->count = 4;
    line->coefficient[3] = sign;
  }
}

static void add_contact(const ffi_hard_memory *m, ffi_interior_point *w, const ffi_hard_part *part)
{
  const int at = part->row, can_rub = part->mu > 0 && m->inverse[at] > 0;
  const double S = w->S[at + 2] = size_of_row(m, at + 2);
  w->S[at] = w->S[at + 1] = can_rub ? part->mu * S : 0;
  const int turns = ffi_hard_turns(part->law, part->rows);
  if (turns)
    add_moments(m, w, part);
  if (!(S > 0))
    return;
  if (!can_rub)
    add_line(w, FFI_INTERIOR_LOCAL, at + 2);
  else if (part->faces > 0 && !turns)
    add_pyramid(w, at, part->faces);
  else
    add_cone(w, at, at + 2);
}

static void add_part(const ffi_hard_memory *m, ffi_interior_point *w, const ffi_hard_part *part)
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
  ffi_interior_point_line *line = add_line(w, FFI_INTERIOR_LOCAL, at);
  if (part->law == FFI_HARD_LAW_DRY) {
    line->a = part->bound / (w->sigma * w->S[at]);
    line = add_line(w, FFI_INTERIOR_LOCAL, at);
    line->coefficient[0] = -1;
    line->a = part->bound / (w->sigma * w->S[at]);
  }
}

static double slack_of(const ffi_hard_memory *m, const ffi_interior_point *w, int row)
{
  return fmax(slack * m->absolute[row] * m->weight[row] * w->S[row] / w->sigma, least_slack);
}

// xi_n >= 0 of contacts and stops; of contacts, kappa >= sum xi_n. These lines are the last.
static void add_bound(const ffi_hard_memory *m, ffi_interior_point *w, const ffi_interior_point_bound *bound)
{
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
    ffi_interior_point_line *line = add_line(w, FFI_INTERIOR_OPENING, row);
    line->a = give;
    line->count = is_contact;
    if (is_contact)
      w->line[w->first_sum + bound->group[p]].a += 2 * give / w->S[row];
  }
}

// The rows' part of each SUM: -sum P_i / S_i, all groups in one vector, since they share no columns.
static void add_sums(const ffi_hard_memory *m, ffi_interior_point *w)
{
  memset(w->carry, 0, (size_t)m->n * sizeof *w->carry);
  for (int k = w->first_sum; k < w->scaling.lines; ++k)
    if (w->line[k].kind == FFI_INTERIOR_OPENING && w->line[k].count)
      w->carry[w->line[k].at] = -1 / w->S[w->line[k].at];
  ffi_interior_program_product(m, w, w->carry, w->sum);
}

void ffi_interior_program(ffi_hard_memory *m, ffi_interior_point *w, const ffi_interior_point_bound *bound)
{
  w->scaling.cones = w->scaling.lines = 0;
  w->sigma = 0;
  for (int i = 0; i < m->n; ++i) {
    w->sigma = fmax(w->sigma, fabs(m->c[i]) * size_of_row(m, i));
    w->pressure[i] = 0;
  }
  w->is_bound = bound != NULL;
  if (!(w->sigma > 0) || !isfinite(w->sigma))
    return;
  for (int p = 0; p < m->iterated; ++p)
    add_part(m, w, &m->part[p]);
  w->first_sum = w->scaling.lines;
  if (bound) {
    add_bound(m, w, bound);
    add_sums(m, w);
  }
}

// ---- Operators --------------------------------------------------------------------------------------------

void ffi_interior_program_gradient(ffi_hard_memory *m, ffi_interior_point *w)
{
  for (int i = 0; i < m->n; ++i)
    m->next[i] = w->sigma * w->S[i] * w->x[i];
  ffi_hard_product(m, m->next, w->product);
  for (int i = 0; i < m->n; ++i)
    w->gradient[i] = w->S[i] * w->product[i] / w->sigma;
}

void ffi_interior_program_product(const ffi_hard_memory *m, const ffi_interior_point *w, const double *x,
                                  double *out)
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

void ffi_interior_program_lines(const ffi_interior_point *w, const double *x, const double *Px, int has_a,
                                double *out)
{
  for (int k = 0; k < w->scaling.cones; ++k, out += 3) {
    const ffi_interior_point_cone *cone = &w->cone[k];
    out[0] = x[cone->at];
    out[1] = x[cone->at + 1];
    out[2] = x[cone->axis];
  }
  for (int k = 0; k < w->scaling.lines; ++k) {
    const ffi_interior_point_line *line = &w->line[k];
    double sum = has_a ? line->a : 0;
    for (int i = 0; line->kind == FFI_INTERIOR_LOCAL && i < line->count; ++i)
      sum += line->coefficient[i] * x[line->at + i];
    out[k] = line->kind == FFI_INTERIOR_OPENING ? sum + Px[line->at] : sum;
  }
  for (int k = w->first_sum; w->is_bound && k < w->scaling.lines; ++k) {
    const ffi_interior_point_line *line = &w->line[k];
    if (line->kind == FFI_INTERIOR_OPENING && line->count)
      out[w->first_sum + w->group[line->at]] -= Px[line->at] / w->S[line->at];
  }
}

// Multipliers of OPENING and SUM lines as impulses at the rows: A'y of these lines is P times that.
static void carry_of(const ffi_hard_memory *m, ffi_interior_point *w, const double *y)
{
  memset(w->carry, 0, (size_t)m->n * sizeof *w->carry);
  for (int k = w->first_sum; k < w->scaling.lines; ++k) {
    const ffi_interior_point_line *line = &w->line[k];
    if (line->kind != FFI_INTERIOR_OPENING)
      continue;
    w->carry[line->at] = y[k];
    if (line->count)
      w->carry[line->at] -= y[w->first_sum + w->group[line->at]] / w->S[line->at];
  }
}

void ffi_interior_program_transposed(const ffi_hard_memory *m, ffi_interior_point *w, const double *y,
                                     double *out)
{
  const double *lines = y + 3 * w->scaling.cones;
  memset(out, 0, (size_t)m->n * sizeof *out);
  if (w->is_bound) {
    carry_of(m, w, lines);
    ffi_interior_program_product(m, w, w->carry, out);
  }
  ffi_interior_program_transposed_local(w, y, out);
}

void ffi_interior_program_transposed_local(const ffi_interior_point *w, const double *y, double *out)
{
  const double *lines = y + 3 * w->scaling.cones;
  for (int k = 0; k < w->scaling.cones; ++k, y += 3) {
    out[w->cone[k].at] += y[0];
    out[w->cone[k].at + 1] += y[1];
    out[w->cone[k].axis] += y[2];
  }
  for (int k = 0; k < w->scaling.lines; ++k) {
    const ffi_interior_point_line *line = &w->line[k];
    for (int i = 0; line->kind == FFI_INTERIOR_LOCAL && i < line->count; ++i)
      out[line->at + i] += line->coefficient[i] * lines[k];
  }
}

// ---- The result -------------------------------------------------------------------------------------------

void ffi_interior_program_finish(ffi_hard_memory *m, ffi_interior_point *w)
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
    ffi_hard_prox_part(&m->part[p], m->inverse + at, none, m->next + at, m->Lambda + at);
  }
}
