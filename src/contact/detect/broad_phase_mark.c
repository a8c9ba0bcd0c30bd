// Which pairs are worth a visit, by a tree of their balls.
#include "contact/detect/broad_phase.h"

// Beyond this squares might overflow; then all pairs are visited.
static const double FAR = 1e100;

// Rounding of centres and sums, which the probe's own test has in another order, many times over.
static const double ROUNDING = 1e-13;

static int is_usual(const ffi_broad_phase *sweep, const double *grow, double margin)
{
  if (!(fabs(margin) < FAR && sweep->widest < FAR))
    return 0;
  for (int i = 0; grow && i < sweep->ball_count; ++i)
    if (!(fabs(grow[sweep->balls[i].id]) < FAR))
      return 0;
  return 1;
}

// Balls where they are now; those whose place is no number go to the end, for they are near to nothing. Returns how many are before them.
static int place_balls(const ffi_broad_phase *sweep, const double *grow, double margin,
                       ffi_detect_memory *room)
{
  ffi_ball *balls = room->tree.balls;
  int count = sweep->ball_count;
  for (int i = 0; i < count;) {
    ffi_ball *ball = &balls[i];
    const double *centre = room->centre[ball->id];
    const double size = fmax(fabs(centre[0]), fmax(fabs(centre[1]), fabs(centre[2])));
    if (!ffi_all_finite(centre, 3)) {
      const ffi_ball kept = *ball;
      *ball = balls[--count];
      balls[count] = kept;
      continue;
    }
    const double reach = sweep->radius[ball->id] + (grow ? grow[ball->id] : 0) + margin / 2;
    ffi_v3_copy(centre, ball->centre);
    ball->reach = (reach > 0 ? reach : 0) + ROUNDING * (fabs(reach) + size);
    ++i;
  }
  return count;
}

// The pair of two parties in this order, or -1. Most often a party's partners are one after another, so where it would be then is tried first.
static int find_pair(const ffi_broad_phase *sweep, int a, int b)
{
  int low = sweep->row[a][0], high = sweep->row[a][1] - 1;
  if (low > high)
    return -1;
  const int guess = low + b - sweep->partner[low];
  if (guess >= low && guess <= high && sweep->partner[guess] == b)
    return guess;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (sweep->partner[middle] < b)
      low = middle + 1;
    else
      high = middle;
  }
  return sweep->partner[low] == b ? low : -1;
}

typedef struct marking {
  const ffi_broad_phase *sweep;
  uint64_t *marks;
} marking;

static void mark(void *to, int party, int other)
{
  const marking *m = to;
  const ffi_broad_phase *sweep = m->sweep;
  int pair = find_pair(sweep, party < other ? party : other, party < other ? other : party);
  if (pair < 0)
    pair = find_pair(sweep, party < other ? other : party, party < other ? party : other);
  if (pair >= 0)
    m->marks[pair / 64] |= (uint64_t)1 << (pair % 64);
}

const uint64_t *ffi_broad_phase_mark(const ffi_broad_phase *sweep, const double *grow, double margin,
                                     ffi_detect_memory *room)
{
  if (sweep->ball_pairs < sweep->tree_from || !is_usual(sweep, grow, margin))
    return NULL;
  const size_t words = (size_t)sweep->pair_count / 64 + 1;
  memcpy(room->marks, sweep->always, words * sizeof *room->marks);
  ffi_ball_tree_build(&room->tree, place_balls(sweep, grow, margin, room));
  ffi_ball_tree_visit(&room->tree, mark, &(marking){sweep, room->marks});
  return room->marks;
}
