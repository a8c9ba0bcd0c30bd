// Friction of geoms in MJCF. Of two geoms MuJoCo takes the numbers of the one with the higher priority, and the larger
// ones where both have the same; here the smaller mu counts. So a geom's priority is the number of larger mu.
#include "io/save/save.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

void ffi_save_mjcf_friction_begin(ffi_save *s)
{
  ff_shape_info shape;
  int count = 0, has_radii = 0;
  s->frictions = calloc((size_t)s->size.shapes + 1, sizeof *s->frictions);
  s->has_failed |= !s->frictions;
  for (int i = 0; s->frictions && ff_model_shape(s->model, i, &shape) == FF_OK; ++i) {
    if (!(shape.def.purpose & FF_SHAPE_COLLISION))
      continue;
    s->frictions[count++] = shape.def.material.friction;
    has_radii |= shape.def.material.torsional_friction > 0 || shape.def.material.rolling_friction > 0;
  }
  if (!s->frictions)
    return;
  qsort(s->frictions, (size_t)count, sizeof *s->frictions, compare);
  for (int i = 0; i < count; ++i) // each once, the largest first
    if (s->friction_count == 0 || s->frictions[i] < s->frictions[s->friction_count - 1])
      s->frictions[s->friction_count++] = s->frictions[i];
  if (s->friction_count > 1 && has_radii)
    ffi_save_note(
        s, "of two geoms the torsional and rolling friction of the one with less friction counts in MJCF");
}

void ffi_save_mjcf_friction_end(ffi_save *s)
{
  free(s->frictions);
  s->frictions = NULL;
}

void ffi_save_mjcf_friction(ffi_save *s, const ff_material *m)
{
  const double numbers[3] = {m->friction, m->torsional_friction, m->rolling_friction};
  const int condim = numbers[2] > 0   ? 6
                     : numbers[1] > 0 ? 4
                                      : 3; // 4: torsional friction, 6: rolling friction too
  int rank = 0;
  for (int high = s->friction_count; rank < high;) {
    const int middle = (rank + high) / 2;
    if (s->frictions[middle] > m->friction)
      rank = middle + 1;
    else
      high = middle;
  }
  ffi_save_numbers(s, "friction", numbers, condim == 6 ? 3 : condim == 4 ? 2 : 1);
  if (condim > 3)
    fprintf(s->out, " condim=\"%d\"", condim);
  if (rank > 0)
    fprintf(s->out, " priority=\"%d\"", rank);
}
