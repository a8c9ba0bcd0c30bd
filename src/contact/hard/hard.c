// One problem of hard contact: memory, order of the parts, form, solver, islands.
#include "contact/hard/hard_memory.h"
#include "contact/hard/hard_two.h"

#include "base/names.h"

#include <string.h>

static const char *const solver_names[FF_HARD_SOLVER_COUNT] = {"jor", "sor", "sor-split", "exact"};

const char *ff_hard_solver_name(ff_hard_solver solver)
{
  return (unsigned)solver < FF_HARD_SOLVER_COUNT ? solver_names[solver] : "unknown";
}

int ff_hard_solver_find(const char *name, ff_hard_solver *solver)
{
  const int found = ffi_names_index(name, solver_names, FF_HARD_SOLVER_COUNT);
  if (found >= 0)
    *solver = (ff_hard_solver)found;
  return found >= 0;
}

// ---- Memory -----------------------------------------------------------------------------------------------

static void place_pivots(ffi_hard_pivots *e, int blocks, ffi_block *block)
{
  const size_t parts = (size_t)blocks, pairs = parts * (parts + 1) / 2;
  enum { BLOCK = FFI_HARD_MAX_ROWS * FFI_HARD_MAX_ROWS };
  e->pivot = ffi_block_take(block, parts, sizeof *e->pivot);
  e->first = ffi_block_take(block, parts + 1, sizeof *e->first);
  e->degree = ffi_block_take(block, parts, sizeof *e->degree);
  e->neighbour = ffi_block_take(block, pairs, sizeof *e->neighbour);
  e->block = ffi_block_take(block, pairs * BLOCK, sizeof *e->block);
  e->inverse = ffi_block_take(block, parts * FFI_HARD_MAX_ROWS, sizeof *e->inverse);
  e->column = ffi_block_take(block, parts * BLOCK, sizeof *e->column);
  e->link = ffi_block_take(block, parts * parts, sizeof *e->link);
}

static void place_rows(ffi_hard_memory *m, ffi_block *block)
{
  const size_t rows = (size_t)m->max_rows + 7; // whole rounds of the product
  m->source = ffi_block_take(block, rows, sizeof *m->source);
  m->c = ffi_block_take(block, rows, sizeof *m->c);
  m->rest = ffi_block_take(block, rows, sizeof *m->rest);
  m->inverse = ffi_block_take(block, rows, sizeof *m->inverse);
  m->r = ffi_block_take(block, rows, sizeof *m->r);
  m->Lambda = ffi_block_take(block, rows, sizeof *m->Lambda);
  m->xi = ffi_block_take(block, rows, sizeof *m->xi);
  m->next = ffi_block_take(block, rows, sizeof *m->next);
  m->kept = ffi_block_take(block, rows, sizeof *m->kept);
  m->diagonal = ffi_block_take(block, rows, sizeof *m->diagonal);
  m->weight = ffi_block_take(block, rows, sizeof *m->weight);
  m->absolute = ffi_block_take(block, rows, sizeof *m->absolute);
  m->scratch = ffi_block_take(block, FFI_HARD_SCRATCH * rows, sizeof *m->scratch);
}

static void place_newton(ffi_hard_newton *w, int max_rows, ffi_block *block)
{
  const size_t rows = (size_t)max_rows + 7;
  double **const all[] = {&w->F,     &w->trial,    &w->trial_F, &w->trial_xi, &w->step,
                          &w->right, &w->solution, &w->centre,  &w->kept_c,   &w->kept_G};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    *all[i] = ffi_block_take(block, rows, sizeof **all[i]);
  w->derivative = ffi_block_take(block, 3 * rows, sizeof *w->derivative);
  w->wide = ffi_block_take(block, FFI_TURNING_CONE_ROWS * rows, sizeof *w->wide);
  w->active = ffi_block_take(block, rows, sizeof *w->active);
  w->pivot = ffi_block_take(block, rows, sizeof *w->pivot);
}

ffi_hard_memory *ffi_hard_layout(int max_nv, int max_rows, int max_blocks, ffi_block *block)
{
  ffi_hard_memory *self = ffi_block_keep(block, 1, sizeof *self);
  ffi_hard_memory m = {.max_nv = max_nv, .max_rows = max_rows, .max_blocks = max_blocks};
  m.dense_rows = max_rows < FFI_HARD_DENSE_ROWS ? max_rows : FFI_HARD_DENSE_ROWS;
  m.dense_parts = max_blocks < FFI_HARD_DENSE_BLOCKS ? max_blocks : FFI_HARD_DENSE_BLOCKS;
  const size_t dense = (size_t)m.dense_rows + 3;
  m.part = ffi_block_take(block, (size_t)max_blocks, sizeof *m.part);
  m.part_of = ffi_block_take(block, (size_t)max_blocks, sizeof *m.part_of);
  m.place = ffi_block_keep(block, (size_t)max_nv, sizeof *m.place);
  m.u = ffi_block_take(block, (size_t)max_nv, sizeof *m.u);
  m.island_u = ffi_block_take(block, (size_t)max_nv, sizeof *m.island_u);
  m.G = ffi_block_take(block, dense * dense, sizeof *m.G);
  m.factor = ffi_block_take(block, dense * dense, sizeof *m.factor);
  place_rows(&m, block);
  place_pivots(&m.pivots, m.dense_parts, block);
  place_newton(&m.newton, max_rows, block);
  ffi_hard_sparse_layout(&m.sparse, max_nv, max_blocks, block);
  ffi_hard_islands_layout(&m.islands, max_nv, max_blocks, block);
  const size_t own = FFI_HARD_MAX_ROWS * FFI_HARD_MAX_ROWS;
  m.own = ffi_block_take(block, own * (size_t)max_blocks, sizeof *m.own);
  if (!block->base)
    return NULL;
  for (int i = 0; i < max_nv; ++i)
    m.place[i] = -1;
  *self = m;
  return self;
}

// ---- Impulses to velocities -------------------------------------------------------------------------------

void ffi_hard_block_xi(const ffi_hard_memory *m, const ffi_hard_part *part, const double *Lambda, double *xi)
{
  const ffi_hard_block *block = &m->problem->block[part->block];
  const double *restrict u = m->u, *b = m->problem->b + block->row;
  for (int i = 0; i < block->rows; ++i) {
    const double *restrict W = block->W + i * block->columns;
    double sum = b[i] + (m->problem->softness ? m->problem->softness[block->row + i] * Lambda[i] : 0);
    for (int k = 0; k < block->columns; ++k)
      sum += W[k] * u[block->dof[k]];
    xi[i] = sum;
  }
}

void ffi_hard_block_push(ffi_hard_memory *m, const ffi_hard_part *part, const double *change)
{
  const ffi_hard_block *block = &m->problem->block[part->block];
  const int reach = block->reach;
  const double *restrict Y = block->Y;
  double *restrict u = m->u;
  if (block->rows == 3) {
    for (int k = 0; k < reach; ++k)
      u[block->reached[k]] += Y[k] * change[0] + Y[reach + k] * change[1] + Y[2 * reach + k] * change[2];
    return;
  }
  for (int i = 0; i < block->rows; ++i)
    for (int k = 0; k < reach; ++k)
      u[block->reached[k]] += Y[i * reach + k] * change[i];
}

void ffi_hard_velocity(ffi_hard_memory *m)
{
  memcpy(m->u, m->problem->u_free, (size_t)m->problem->nv * sizeof *m->u);
  for (int p = 0; p < m->part_count; ++p)
    ffi_hard_block_push(m, &m->part[p], m->Lambda + m->part[p].row);
}

// xi = G x + c, Moreau paper eq. 12. G is symmetric, so its rows are its columns: four or eight components of xi at a
// time, in two sums each (even and odd columns) so that additions do not wait for each other.
void ffi_hard_product(const ffi_hard_memory *m, const double *x, double *out)
{
  const size_t twos = (size_t)m->stride / 2;
  const int n = m->n;
  int i = 0;
  for (; i + 4 < n; i += 8) { // the last of them may be padding, which is not read
    const ffi_hard_two *restrict G = (const ffi_hard_two *)(m->G + i), *c = (const ffi_hard_two *)(m->c + i);
    ffi_hard_two a = c[0], b = c[1], d = c[2], e = c[3], a1 = {0}, b1 = {0}, d1 = {0}, e1 = {0};
    int j = 0;
    for (; j + 1 < n; j += 2, G += 2 * twos) {
      const ffi_hard_two y = {x[j], x[j]}, z = {x[j + 1], x[j + 1]};
      a += G[0] * y, a1 += G[twos] * z;
      b += G[1] * y, b1 += G[twos + 1] * z;
      d += G[2] * y, d1 += G[twos + 2] * z;
      e += G[3] * y, e1 += G[twos + 3] * z;
    }
    if (j < n) {
      const ffi_hard_two y = {x[j], x[j]};
      a += G[0] * y, b += G[1] * y, d += G[2] * y, e += G[3] * y;
    }
    ffi_hard_two *to = (ffi_hard_two *)(out + i);
    to[0] = a + a1, to[1] = b + b1, to[2] = d + d1, to[3] = e + e1;
  }
  for (; i < n; i += 4) {
    const ffi_hard_two *restrict G = (const ffi_hard_two *)(m->G + i), *c = (const ffi_hard_two *)(m->c + i);
    ffi_hard_two a = c[0], b = c[1], a1 = {0}, b1 = {0};
    int j = 0;
    for (; j + 1 < n; j += 2, G += 2 * twos) {
      const ffi_hard_two y = {x[j], x[j]}, z = {x[j + 1], x[j + 1]};
      a += G[0] * y, a1 += G[twos] * z;
      b += G[1] * y, b1 += G[twos + 1] * z;
    }
    if (j < n) {
      const ffi_hard_two y = {x[j], x[j]};
      a += G[0] * y, b += G[1] * y;
    }
    ffi_hard_two *to = (ffi_hard_two *)(out + i);
    to[0] = a + a1, to[1] = b + b1;
  }
}

// ---- One problem ------------------------------------------------------------------------------------------

static void add_part(ffi_hard_memory *m, int block, int *row)
{
  const ffi_hard_block *from = &m->problem->block[block];
  m->part_of[block] = m->part_count;
  ffi_hard_part *part = &m->part[m->part_count++];
  *part = (ffi_hard_part){.law = from->law,
                          .row = *row,
                          .rows = from->rows,
                          .block = block,
                          .mu = from->mu,
                          .turning = from->turning,
                          .faces = from->faces,
                          .bound = from->bound};
  for (int i = 0; i < from->rows; ++i)
    m->source[*row + i] = from->row + i;
  m->is_in_order &= *row == from->row;
  *row += from->rows;
}

static void order_parts(ffi_hard_memory *m, int is_direct)
{
  int row = 0;
  m->part_count = 0;
  m->is_in_order = 1;
  for (int i = 0; i < m->problem->block_count; ++i)
    if (!is_direct || m->problem->block[i].law != FFI_HARD_LAW_BILATERAL)
      add_part(m, i, &row);
  m->iterated = m->part_count;
  m->n = row;
  for (int i = 0; is_direct && i < m->problem->block_count; ++i)
    if (m->problem->block[i].law == FFI_HARD_LAW_BILATERAL)
      add_part(m, i, &row);
  m->direct = row - m->n;
}

// The bilateral blocks to solve for directly: their number and rows; 0 if they are iterated like the others.
static int direct_blocks(const ffi_hard_memory *m, int *rows)
{
  int blocks = 0;
  *rows = 0;
  if (m->def->bilateral != FF_HARD_DIRECT && m->def->solver != FF_HARD_EXACT)
    return 0;
  for (int i = 0; i < m->problem->block_count; ++i)
    if (m->problem->block[i].law == FFI_HARD_LAW_BILATERAL) {
      *rows += m->problem->block[i].rows;
      ++blocks;
    }
  return blocks;
}

// Is G formed? Above the limits it costs more than it saves: a sweep over G is rows^2, over u it is rows * reach.
static int is_dense(const ffi_hard_memory *m, int direct)
{
  enum { CHEAP_ROWS = 120, EXACT_ROWS = 48 }; // above, sparse factors cost less
  const ffi_hard *problem = m->problem;
  if (ffi_hard_is_given(problem))
    return 1;
  if (problem->rows > m->dense_rows || m->def->form == FF_HARD_FORM_VELOCITY)
    return 0;
  if (m->def->form == FF_HARD_FORM_IMPULSE)
    return 1;
  return problem->rows <= (m->def->solver == FF_HARD_EXACT ? EXACT_ROWS : CHEAP_ROWS) || direct > 0;
}

// 1/diagonal; rows that nothing moves (or only rounding, after elimination) get 0 and keep their impulse. The tangents
// of a contact share the smaller one, and so do the moments about them.
static void share_smaller(double *inverse)
{
  const double least =
      inverse[0] > 0 && (inverse[1] == 0 || inverse[0] < inverse[1]) ? inverse[0] : inverse[1];
  inverse[0] = inverse[1] = least;
}

static void invert_diagonal(ffi_hard_memory *m)
{
  const double rounding = 1e-13; // times the row's own diagonal before elimination
  for (int i = 0; i < m->n; ++i) {
    const double whole = m->diagonal[m->source[i]];
    m->inverse[i] = m->weight[i] > rounding * whole ? 1 / m->weight[i] : 0;
  }
  for (int p = 0; p < m->iterated; ++p)
    if (ffi_hard_is_contact(m->part[p].law)) {
      share_smaller(m->inverse + m->part[p].row);
      if (ffi_hard_turns(m->part[p].law, m->part[p].rows))
        share_smaller(m->inverse + m->part[p].row + 3);
    }
}

static void set_tolerances(ffi_hard_memory *m)
{
  const double absolute = m->def->absolute_tolerance, *give = m->problem->give;
  for (int i = 0; i < m->n; ++i)
    m->absolute[i] =
        give && m->inverse[i] > 0 ? fmin(absolute, give[m->source[i]] * m->inverse[i]) : absolute;
}

static void prepare(ffi_hard_memory *m)
{
  int rows;
  const int blocks = direct_blocks(m, &rows);
  m->form = is_dense(m, rows) ? FF_HARD_FORM_IMPULSE : FF_HARD_FORM_VELOCITY;
  const int parts = m->form == FF_HARD_FORM_IMPULSE ? m->problem->block_count : blocks;
  order_parts(m, rows > 0 && rows <= m->dense_rows && parts <= m->dense_parts);
  if (m->form == FF_HARD_FORM_IMPULSE) {
    ffi_hard_delassus_rest(m);
    ffi_hard_delassus(m, 0);
    if (m->direct > 0)
      ffi_hard_direct_eliminate(m);
  } else {
    ffi_hard_delassus_diagonal(m);
    if (m->direct > 0) {
      ffi_hard_delassus(m, m->iterated);
      ffi_hard_direct_factor(m);
    }
  }
  invert_diagonal(m);
  set_tolerances(m);
  for (int i = 0; i < m->n + m->direct; ++i)
    m->Lambda[i] = m->problem->impulse[m->source[i]];
  for (int i = 0; i < FFI_HARD_MAX_ROWS; ++i) // blocks are read whole
    m->Lambda[m->n + m->direct + i] = 0;
  if (m->form == FF_HARD_FORM_VELOCITY) {
    ffi_hard_velocity(m);
    if (m->direct > 0)
      ffi_hard_direct_correct(m);
  }
}

void ffi_hard_run_whole(const ff_moreau_def *def, const ffi_hard *problem, ffi_hard_memory *m,
                        ffi_hard_method *method, ffi_hard_result *result)
{
  *result = (ffi_hard_result){0};
  m->def = def;
  m->problem = problem;
  prepare(m);
  method(m, result);
}

// One island after the other; u of each is copied before the next overwrites it.
static void run_islands(const ff_moreau_def *def, const ffi_hard *whole, ffi_hard_memory *m,
                        ffi_hard_method *method, ffi_hard_result *result)
{
  ffi_hard_islands *s = &m->islands;
  ffi_hard_islands_sort(s, whole);
  *result = (ffi_hard_result){.converged = 1};
  memcpy(whole->u, whole->u_free, (size_t)whole->nv * sizeof *whole->u);
  for (int k = 0; k < s->count; ++k) {
    ffi_hard island = ffi_hard_islands_problem(s, whole, k);
    ffi_hard_result one;
    const double before = m->work;
    island.u = m->island_u;
    ffi_hard_run_whole(def, &island, m, method, &one);
    m->work = before + (m->work - before) * island.rows / whole->rows;
    for (int i = 0; i < island.block_count; ++i)
      for (int j = 0; j < island.block[i].reach; ++j)
        whole->u[island.block[i].reached[j]] = island.u[island.block[i].reached[j]];
    result->iterations = one.iterations > result->iterations ? one.iterations : result->iterations;
    result->converged &= one.converged;
    result->residual = fmax(one.residual, result->residual);
    result->excess = fmax(one.excess, result->excess);
    result->fallbacks += one.fallbacks;
  }
}

void ffi_hard_run(const ff_moreau_def *def, const ffi_hard *problem, ffi_hard_memory *memory,
                  ffi_hard_method *method, ffi_hard_result *result)
{
  const int may_split = def->solver == FF_HARD_EXACT && !ffi_hard_is_given(problem);
  if (may_split && ffi_hard_islands_find(&memory->islands, problem) > 1)
    run_islands(def, problem, memory, method, result);
  else
    ffi_hard_run_whole(def, problem, memory, method, result);
}

double ffi_hard_take_work(ffi_hard_memory *memory)
{
  const double work = memory->work;
  memory->work = 0;
  return work;
}

void ffi_hard_limit_work(ffi_hard_memory *memory, double most)
{
  memory->most_work = most;
}

void ffi_hard_solve(const ff_moreau_def *def, const ffi_hard *problem, ffi_hard_memory *memory,
                    ffi_hard_result *result)
{
  static ffi_hard_method *const methods[FF_HARD_SOLVER_COUNT] = {ffi_prox_jor, ffi_prox_sor,
                                                                 ffi_prox_sor_split, ffi_hard_exact};
  ffi_hard_run(def, problem, memory, methods[def->solver], result);
}
