// The impact map: names of its options, memory, and the choice of method.
#include "contact/impact/impact_memory.h"

#include "base/names.h"

static const char *const law_names[FF_IMPACT_LAW_COUNT] = {"dissipation", "bounded", "coulomb"};
static const char *const cone_names[FF_IMPACT_CONE_COUNT] = {"cone", "polygon"};
static const char *const bounce_names[FF_IMPACT_BOUNCE_COUNT] = {"newton", "poisson"};

const char *ff_impact_law_name(ff_impact_law law)
{
  return (unsigned)law < FF_IMPACT_LAW_COUNT ? law_names[law] : "unknown";
}

int ff_impact_law_find(const char *name, ff_impact_law *law)
{
  const int found = ffi_names_index(name, law_names, FF_IMPACT_LAW_COUNT);
  if (found >= 0)
    *law = (ff_impact_law)found;
  return found >= 0;
}

const char *ff_impact_cone_name(ff_impact_cone cone)
{
  return (unsigned)cone < FF_IMPACT_CONE_COUNT ? cone_names[cone] : "unknown";
}

int ff_impact_cone_find(const char *name, ff_impact_cone *cone)
{
  const int found = ffi_names_index(name, cone_names, FF_IMPACT_CONE_COUNT);
  if (found >= 0)
    *cone = (ff_impact_cone)found;
  return found >= 0;
}

const char *ff_impact_bounce_name(ff_impact_bounce bounce)
{
  return (unsigned)bounce < FF_IMPACT_BOUNCE_COUNT ? bounce_names[bounce] : "unknown";
}

int ff_impact_bounce_find(const char *name, ff_impact_bounce *bounce)
{
  const int found = ffi_names_index(name, bounce_names, FF_IMPACT_BOUNCE_COUNT);
  if (found >= 0)
    *bounce = (ff_impact_bounce)found;
  return found >= 0;
}

ff_impact_def ff_impact_def_default(void)
{
  return (ff_impact_def){
      .edges = 4, .relative_tolerance = 1e-6, .absolute_tolerance = 1e-6, .max_iterations = 1000};
}

ffi_impact_memory *ffi_impact_layout(int max_nv, int max_rows, int max_blocks, ffi_block *block)
{
  ffi_impact_memory *self = ffi_block_keep(block, 1, sizeof *self);
  ffi_impact_memory m = {0};
  const size_t rows = (size_t)max_rows, blocks = (size_t)max_blocks, nv = (size_t)max_nv;
  m.hard = ffi_hard_layout(max_nv, max_rows, max_blocks, block);
  ffi_interior_point_layout(&m.interior, max_rows, max_blocks, block);
  m.block = ffi_block_take(block, blocks, sizeof *m.block);
  m.group = ffi_block_take(block, blocks, sizeof *m.group);
  m.number = ffi_block_take(block, blocks, sizeof *m.number);
  m.kappa = ffi_block_take(block, blocks, sizeof *m.kappa);
  m.mu = ffi_block_take(block, blocks, sizeof *m.mu);
  double **const by_row[] = {&m.bounce, &m.first, &m.first_xi, &m.shift, &m.impulse,
                             &m.xi,     &m.b,     &m.start,    &m.judged};
  for (size_t i = 0; i < sizeof by_row / sizeof *by_row; ++i)
    *by_row[i] = ffi_block_take(block, rows, sizeof(double));
  m.u_free = ffi_block_take(block, nv, sizeof *m.u_free);
  m.u = ffi_block_take(block, nv, sizeof *m.u);
  if (!block->base)
    return NULL;
  *self = m;
  return self;
}

double ffi_impact_take_work(ffi_impact_memory *memory)
{
  return ffi_hard_take_work(memory->hard);
}

void ffi_impact_limit_work(ffi_impact_memory *memory, double most)
{
  ffi_hard_limit_work(memory->hard, most);
}

static ff_moreau_def hard_def(const ff_impact_def *def)
{
  const int needs_G = def->law == FF_IMPACT_BOUNDED;
  return (ff_moreau_def){.solver = FF_HARD_EXACT,
                         .form = needs_G ? FF_HARD_FORM_IMPULSE : FF_HARD_FORM_AUTO,
                         .relative_tolerance = def->relative_tolerance,
                         .absolute_tolerance = def->absolute_tolerance,
                         .max_iterations = def->max_iterations,
                         .warm_start = 1};
}

// Copies the blocks, with cones for contacts, and their restitution.
static void copy_blocks(const ffi_hard *problem, const double *bounce, ffi_impact_memory *s)
{
  const ff_impact_def *def = s->def;
  s->has_bounce = 0;
  for (int i = 0; i < problem->block_count; ++i) {
    ffi_hard_block *block = &s->block[i];
    const double epsilon = bounce && def->bounce == FF_IMPACT_POISSON ? bounce[i] : 0;
    *block = problem->block[i];
    s->bounce[block->row] = epsilon;
    s->has_bounce |= epsilon > 0;
    if (block->law != FFI_HARD_LAW_CONTACT || def->law == FF_IMPACT_COULOMB)
      continue;
    block->law = FFI_HARD_LAW_CONE;
    block->faces = def->cone == FF_IMPACT_POLYGON ? 2 * def->edges - 4 : 0;
  }
}

static void run(ffi_hard_memory *m, ffi_hard_result *result)
{
  static ffi_hard_method *const methods[FF_IMPACT_LAW_COUNT] = {ffi_impact_convex, ffi_impact_bounded,
                                                                ffi_hard_exact};
  ffi_impact_memory *s = ffi_impact_of(m);
  s->method = methods[s->def->law];
  s->method(m, result);
  if (s->has_bounce)
    ffi_impact_poisson(m, result);
}

void ffi_impact_solve(const ff_impact_def *def, const ffi_hard *problem, const double *bounce,
                      ffi_impact_memory *memory, ffi_hard_result *result)
{
  ffi_hard own = *problem;
  own.block = memory->block;
  memory->def = def;
  memory->hard_def = hard_def(def);
  memory->hard->context = memory;
  copy_blocks(problem, bounce, memory);
  ffi_hard_run(&memory->hard_def, &own, memory->hard, run, result);
}
