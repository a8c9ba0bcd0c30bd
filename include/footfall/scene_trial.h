/// scene_trial.h: use a scene as the motion of a comparison of steppers, see compare.h.
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

/// Most control periods of a scene; all their states are kept in memory
enum { FF_TRIAL_PERIODS_MOST = 1000000 };

/// Create a trial with the scene's start, ground, elements and controller. Its periods fill the scene's duration. Its
/// name is that of the file without folder and extension, or "scene" without a file. The caller may change the trial,
/// and replace its `sim` by a changed copy. FF_ERROR_LIMIT if the duration has too many control periods,
/// FF_ERROR_ARGUMENT if it has none.
ff_status ff_scene_trial_create(ff_scene *scene, ff_trial **out, ff_error *error);
void ff_scene_trial_destroy(ff_trial *trial); ///< NULL is fine; the scene stays

#ifdef __cplusplus
}
#endif
#endif
