// Scenes of StarlETH with the paper's ground.
#include "papers/moreau/moreau_paper.h"

#include "common/shipped_file.h"

#include <stdio.h>

ff_status bench_moreau_paper_scene(const bench_moreau_paper *m, const bench_moreau_paper_scene_def *def,
                                   ff_scene **out, ff_error *error)
{
  char path[4096], number[32], chance[32];
  if (!bench_shipped_file_scene(m->run.scenes, def->file, path, sizeof path)) {
    snprintf(error->message, sizeof error->message,
             "%.200s: cannot be read; --scenes DIR says where the scenes are", path);
    return error->status = FF_ERROR_FILE;
  }
  snprintf(number, sizeof number, "%.17g", def->damping);
  snprintf(chance, sizeof chance, "%d", def->seed);
  // The paper puts pieces at their centres of mass in maximal coordinates only.
  const char *place = def->set == FF_CUT_MAXIMAL ? "centres" : "joints";
  const ff_scene_override overrides[] = {
      {"stepper.type", "moreau", NULL},      {"coordinates.type", ff_cut_set_name(def->set), NULL},
      {"material.stiffness", "30000", NULL}, {"material.damping", number, NULL},
      {"material.friction", "0.8", NULL},    {"coordinates.place", place, NULL},
      {"pushes.seed", chance, NULL}};
  return ff_scene_load(path, overrides, def->seed > 0 ? 7 : 6, out, error);
}
