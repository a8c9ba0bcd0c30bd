/// scene_trial.h: a trial (compare.h) made from a scene file.
#ifndef BENCH_SCENE_TRIAL_H
#define BENCH_SCENE_TRIAL_H

#include <footfall/scene_trial.h>

typedef struct bench_scene_trial {
  ff_trial trial;  ///< a copy of `made` that may be changed
  ff_trial *made;  ///< owned
  ff_scene *scene; ///< owned
} bench_scene_trial;

/// The scene's start, ground, elements and controller, with as many control periods as its duration has.
ff_status bench_scene_trial_load(const char *path, const ff_scene_override *overrides, int override_count,
                                 bench_scene_trial *out, ff_error *error);
void bench_scene_trial_free(bench_scene_trial *trial);

#endif
