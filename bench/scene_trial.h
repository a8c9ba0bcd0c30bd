/// scene_trial.h: a trial (trial.h) from a scene's file.
#ifndef BENCH_SCENE_TRIAL_H
#define BENCH_SCENE_TRIAL_H

#include "trial.h"

#include <footfall/scene.h>

typedef struct bench_scene_trial {
  bench_trial trial;
  ff_scene *scene;
  char name[64]; ///< of the file, without folder and ending
} bench_scene_trial;

enum { BENCH_PERIODS_MOST = 1000000 }; ///< all their states are kept: gigabytes

/// The scene's start, ground, elements and controller; periods fill its duration. Not to be moved: the trial points into it.
ff_status bench_scene_trial_load(const char *path, const ff_scene_override *overrides, int override_count,
                                 bench_scene_trial *out, ff_error *error);
void bench_scene_trial_free(bench_scene_trial *trial);

#endif
