// Frames by the golden ratio, which spreads any number of robots evenly.
#include "batch/batch_block.h"

#include <math.h>

int bench_batch_block_frame(int runs, int steps, int robot)
{
  const int room = steps - BENCH_BATCH_STEPS - 1, nth = robot / runs;
  const double share = fmod(0.5 + 0.6180339887498949 * nth, 1);
  return robot % runs * steps + (int)(share * room);
}
