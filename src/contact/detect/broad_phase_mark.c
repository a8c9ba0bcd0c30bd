// Marks the pairs that are worth a visit, by a tree of their bounding balls.
#include "contact/detect/broad_phase.h"

// Beyond this, squares might overflow; then all pairs are visited.
static const double FAR = 1e100;

// Covers the rounding of centres and sums, which the probe's own test computes in another order, many times over.
static const double ROUNDING = 1e-13;

static int is_usual(const ffi_broad_phase *phase, const double *grow, double margin)
{
  if (!(fabs(margin) < FAR && phase->widest < FAR))
    return 0;
  for (int i = 0; grow && i < phase->ball_count; ++i)
    if (!(fabs(grow[phase->balls[i].id]) < FAR))
      return 0;
  return 1;
}

// Balls at their present centres. Those with a centre that is not finite are near nothing: they go to the end. Returns
// the number of the others.
static int place_balls(const ffi_broad_phase *phase, const double *grow, double margin,
                       ffi_detect_memory *memory)
{
  ffi_ball *balls = memory->tree.balls;
  int count = phase->ball_count;
  for (int i = 0; i < count;) {
    ffi_ball *ball = &balls[i];
    const double *centre = memory->centre[ball->id];
    const double size = fmax(fabs(centre[0]), fmax(fabs(centre[1]), fabs(centre[2])));
    if (!ffi_all_finite(centre, 3)) {
      const ffi_ball kept = *ball;
      *ball = balls[--count];
      balls[count] = kept;
      continue;
    }
    const double reach = phase->radius[ball->id] + (grow ? grow[ball->id] : 0) + margin / 2;
    ffi_v3_copy(centre, ball->centre);
    ball->reach = (reach > 0 ? reach : 0) + ROUNDING * (fabs(reach) + size);
    ++i;
  }
  return count;
}

// The pair of two colliders in this order, or -1. A collider's partners mostly are consecutive, so that place is tried
// first.
static int find_pair(const ffi_broad_phase *phase, int a, int b)
{
  int low = phase->row[a][0], high = phase->row[a][1] - 1;
  if (low > high)
    return -1;
  const int guess = low + b - phase->partner[low];
  if (guess >= low && guess <= high && phase->partner[guess] == b)
    return guess;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (phase->partner[middle] < b)
      low = middle + 1;
    else
      high = middle;
  }
  return phase->partner[low] == b ? low : -1;
}

typedef struct marking {
  const ffi_broad_phase *phase;
  uint64_t *marks;
} marking;

static void mark(void *to, int collider, int other)
{
  const marking *m = to;
  const ffi_broad_phase *phase = m->phase;
  int pair = find_pair(phase, collider < other ? collider : other, collider < other ? other : collider);
  if (pair < 0)
    pair = find_pair(phase, collider < other ? other : collider, collider < other ? collider : other);
  if (pair >= 0)
    m->marks[pair / 64] |= (uint64_t)1 << (pair % 64);
}

const uint64_t *ffi_broad_phase_mark(const ffi_broad_phase *phase, const double *grow, double margin,
                                     ffi_detect_memory *memory)
{
  if (phase->ball_pairs < phase->tree_from || !is_usual(phase, grow, margin))
    return NULL;
  const size_t words = (size_t)phase->pair_count / 64 + 1;
  memcpy(memory->marks, phase->always, words * sizeof *memory->marks);
  ffi_ball_tree_build(&memory->tree, place_balls(phase, grow, margin, memory));
  ffi_ball_tree_visit(&memory->tree, mark, &(marking){phase, memory->marks});
  return memory->marks;
}
