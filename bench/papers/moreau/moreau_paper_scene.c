// Scenes of StarlETH with the paper's ground.
#include "papers/moreau/moreau_paper.h"

#include "common/find_model.h"

#include <stdio.h>

ff_status bench_moreau_scene(const bench_moreau *m, const char *file, ff_cut_set set, double damping,
                             int seed, ff_scene **out, ff_error *error)
{
  char path[4096], number[32], chance[32];
  if (!bench_find_scene(m->scenes, file, path, sizeof path)) {
    snprintf(error->message, sizeof error->message,
             "%.200s: cannot be read; --scenes DIR says where the scenes are", path);
    return error->status = FF_ERROR_FILE;
  }
  snprintf(number, sizeof number, "%.17g", damping);
  snprintf(chance, sizeof chance, "%d", seed);
  const ff_scene_override overrides[] = {
      {"stepper.type", "moreau", NULL},      {"coordinates.type", ff_cut_set_name(set), NULL},
      {"material.stiffness", "30000", NULL}, {"material.damping", number, NULL},
      {"material.friction", "0.8", NULL},    {"coordinates.place", "centres", NULL}, // as in the paper
      {"pushes.seed", chance, NULL}};
  return ff_scene_load(path, overrides, seed > 0 ? 7 : 6, out, error);
}
