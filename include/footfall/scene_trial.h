/// scene_trial.h: a scene as a motion that steppers are judged by, see compare.h.
///
///     ff_trial *trial;
///     if (ff_scene_trial_create(scene, &trial, &error) != FF_OK) ...
///     ff_comparison_run(trial, NULL, &comparison, &error);
///     ff_comparison_destroy(comparison);
///     ff_scene_trial_destroy(trial);                 // before the scene
#ifndef FOOTFALL_SCENE_TRIAL_H
#define FOOTFALL_SCENE_TRIAL_H

#include <footfall/compare.h>
#include <footfall/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FF_TRIAL_PERIODS_MOST = 1000000 }; ///< of a scene: all their states are kept, gigabytes

/// The scene's start, ground, elements and controller; periods fill its duration, and its name is that of the
/// file, without folder and ending; "scene" without a file. It may be changed; its `sim` may be copied, and another put in its place.
/// FF_ERROR_LIMIT or FF_ERROR_ARGUMENT if the duration has too many control periods or not even one.
ff_status ff_scene_trial_create(ff_scene *scene, ff_trial **out, ff_error *error);
void ff_scene_trial_destroy(ff_trial *trial); ///< NULL is fine; the scene stays

#ifdef __cplusplus
}
#endif
#endif
