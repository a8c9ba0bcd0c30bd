// SOR: one block after the other, each with the new impulses of those before it (Moreau paper, after eqs 16 and 19).
// `split` also gives the tangents of a contact its new normal impulse.  docs/theory/hard-solvers.md, section 2
#include "contact/hard/hard_two.h"
#include "contact/hard/prox_relaxation.h"

#include <math.h>

// xi += G's rows at .. at + rows - 1, times change.
static void add_rows(ffi_hard_memory *m, int at, int rows, const double *change)
{
  const int n = (m->n + 1) / 2; // rows of G are padded
  const size_t twos = (size_t)m->stride / 2;
  const ffi_hard_two *restrict G = (const ffi_hard_two *)(m->G + (size_t)at * (size_t)m->stride);
  ffi_hard_two *restrict xi = (ffi_hard_two *)m->xi;
  if (rows == 3) {
    const ffi_hard_two *restrict G1 = G + twos, *restrict G2 = G1 + twos;
    const ffi_hard_two x = {change[0], change[0]}, y = {change[1], change[1]}, z = {change[2], change[2]};
    for (int k = 0; k < n; ++k)
      xi[k] += G[k] * x + G1[k] * y + G2[k] * z;
    return;
  }
  for (int i = 0; i < rows; ++i, G += twos)
    for (int k = 0; k < n; ++k)
      xi[k] += G[k] * (ffi_hard_two){change[i], change[i]};
}

static void push(ffi_hard_memory *m, const ffi_hard_part *part, const double *change)
{
  int is_zero = 1;
  for (int i = 0; i < part->rows; ++i)
    is_zero &= change[i] == 0;
  if (is_zero)
    return;
  if (m->form == FF_HARD_FORM_IMPULSE)
    add_rows(m, part->row, part->rows, change);
  else
    ffi_hard_block_push(m, part, change);
}

static const double *evaluate_xi(ffi_hard_memory *m, const ffi_hard_part *part)
{
  double *xi = m->xi + part->row;
  if (m->form == FF_HARD_FORM_VELOCITY)
    ffi_hard_block_xi(m, part, m->Lambda + part->row, xi);
  return xi;
}

// The whole block at once.
static void project_block(ffi_hard_memory *m, const ffi_hard_part *part, double *total)
{
  double *Lambda = m->Lambda + part->row, new[FFI_HARD_MAX_ROWS] = {0}, change[FFI_HARD_MAX_ROWS];
  ffi_hard_prox_part(part, m->r + part->row, evaluate_xi(m, part), Lambda, new);
  for (int i = 0; i < part->rows; ++i) {
    change[i] = new[i] - Lambda[i];
    total[i] += change[i];
    Lambda[i] = new[i];
  }
  push(m, part, change);
}

// The moments of a contact, by its present normal impulse.
static void project_moments(ffi_hard_memory *m, const ffi_hard_part *part, double *total)
{
  double *Lambda = m->Lambda + part->row, x[3], to[3], change[FFI_HARD_MAX_ROWS] = {0};
  const double *r = m->r + part->row, *xi = evaluate_xi(m, part);
  for (int i = 0; i < 3; ++i)
    x[i] = Lambda[3 + i] - r[3 + i] * xi[3 + i];
  ffi_hard_prox_moments(part->turning * Lambda[2], x, to);
  for (int i = 0; i < 3; ++i) {
    total[3 + i] = change[3 + i] = to[i] - Lambda[3 + i];
    Lambda[3 + i] = to[i];
  }
  push(m, part, change);
}

// Row after row; of a contact first the normal, then the two tangents together, whose set is a disc.
static void project_directions(ffi_hard_memory *m, const ffi_hard_part *part, double *total)
{
  double *Lambda = m->Lambda + part->row;
  const double *r = m->r + part->row;
  if (part->law == FFI_HARD_LAW_CONTACT) {
    const double *xi = evaluate_xi(m, part);
    const double normal = Lambda[2] - r[2] * xi[2];
    double change[FFI_HARD_MAX_ROWS] = {0, 0, (normal < 0 ? 0 : normal) - Lambda[2]};
    Lambda[2] += change[2];
    total[2] = change[2];
    push(m, part, change);
    xi = evaluate_xi(m, part);
    double x = Lambda[0] - r[0] * xi[0], y = Lambda[1] - r[1] * xi[1];
    ffi_friction_cone_disc(part->mu * Lambda[2], &x, &y);
    const double tangents[FFI_HARD_MAX_ROWS] = {x - Lambda[0], y - Lambda[1], 0};
    total[0] = tangents[0];
    total[1] = tangents[1];
    Lambda[0] = x;
    Lambda[1] = y;
    push(m, part, tangents);
    if (ffi_hard_turns(part->law, part->rows))
      project_moments(m, part, total);
    return;
  }
  if (part->law != FFI_HARD_LAW_BILATERAL || part->rows == 1) {
    project_block(m, part, total);
    return;
  }
  for (int i = 0; i < part->rows; ++i) { // bilateral
    double change[FFI_HARD_MAX_ROWS] = {0};
    change[i] = -r[i] * evaluate_xi(m, part)[i];
    Lambda[i] += change[i];
    total[i] = change[i];
    push(m, part, change);
  }
}

// All blocks once. Returns whether the paper's test holds.
static int sweep(ffi_hard_memory *m, int is_split, double *energy)
{
  const double relative = m->def->relative_tolerance;
  int is_small = 1;
  *energy = 0;
  for (int p = 0; p < m->iterated; ++p) {
    const ffi_hard_part *part = &m->part[p];
    double change[FFI_HARD_MAX_ROWS] = {0};
    if (is_split)
      project_directions(m, part, change);
    else
      project_block(m, part, change);
    for (int i = 0; i < part->rows; ++i) {
      const double before = m->Lambda[part->row + i] - change[i];
      is_small &= fabs(change[i]) <= fabs(before) * relative + m->absolute[part->row + i];
      *energy += m->weight[part->row + i] * change[i] * change[i];
    }
  }
  if (m->form == FF_HARD_FORM_VELOCITY && m->direct > 0)
    ffi_hard_direct_correct(m);
  return is_small;
}

static void refresh(ffi_hard_memory *m)
{
  if (m->form == FF_HARD_FORM_IMPULSE)
    ffi_hard_product(m, m->Lambda, m->xi);
  else
    ffi_hard_velocity(m);
}

static void run(ffi_hard_memory *m, int is_split, ffi_hard_result *result)
{
  enum { REFRESH = 64 }; // sweeps after which xi, a running sum, is recomputed
  ffi_prox_relaxation relaxation = ffi_prox_relaxation_begin(m, 1);
  int pause = 0, wait = 1, goes_on = 1;
  result->iterations = 0;
  refresh(m);
  while (goes_on && result->iterations < m->def->max_iterations &&
         !ffi_early_stop_found(m->problem->interrupt)) {
    double change;
    int is_moved;
    const int is_small = sweep(m, is_split, &change);
    ++result->iterations;
    m->work += ffi_hard_memory_iteration_work(m);
    if (is_small && --pause < 0) {
      if (ffi_hard_verify(m, result))
        break;
      pause = wait;
      wait = wait < 16 ? 2 * wait : wait;
    }
    goes_on = ffi_prox_relaxation_update(&relaxation, m, change, &is_moved);
    if (is_moved || result->iterations % REFRESH == 0)
      refresh(m);
  }
  if (!result->converged)
    ffi_hard_verify(m, result);
  result->alpha = relaxation.alpha;
  result->fallbacks += relaxation.halvings;
}

void ffi_prox_sor(ffi_hard_memory *m, ffi_hard_result *result)
{
  run(m, 0, result);
}

void ffi_prox_sor_split(ffi_hard_memory *m, ffi_hard_result *result)
{
  run(m, 1, result);
}
