// Adds the place of the signed distance as a touch where the listed touches miss it.
#include "geometry/collide.h"

#include "geometry/distance.h"
#include "geometry/narrow_phase.h"

#include <string.h>

int ffi_collide_nearest(const ffi_solid_at *a, const ffi_solid_at *b, double margin, double slack,
                        ffi_touch *list, int count)
{
  ffi_distance d;
  if (ffi_collide_most(a->solid, b->solid) == 0 || !ffi_distance_measure(a, b, NULL, &d) ||
      !ffi_is_near(d.value, margin))
    return count;
  for (int i = 0; i < count; ++i)
    if (list[i].gap <= d.value + slack)
      return count;
  ffi_touch touch = {.gap = d.value, .roll = FFI_ROLL_NONE};
  ffi_v3_copy(d.normal, touch.normal);
  ffi_v3_copy(d.on_a, touch.point);
  ffi_v3_copy(d.on_a, touch.centre);
  if (count == 0 || list[0].feature != 0) {
    memmove(list + 1, list, (size_t)count * sizeof *list);
    ++count;
  }
  list[0] = touch;
  return count;
}
