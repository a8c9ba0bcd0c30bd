/// robots_text.h: the robot of a scene as MJCF, with what the scene adds: ground and motors.
///
/// The model is written by ff_model_save_text(), with its limits, dry friction, closed loops and shapes. Its actuators
/// are replaced by the motors of the scene's sim, those of the model and those of the controller: stiffness, damping,
/// largest force and reference are the same. Contacts get MuJoCo's own softness.
#ifndef BENCH_ROBOTS_TEXT_H
#define BENCH_ROBOTS_TEXT_H

#include <footfall/scene.h>

#include <stddef.h>

/// The text, to be freed, and the references of its motors [*motors], as controls of MuJoCo, to be freed. `path`: where
/// meshes are named from. NULL if it cannot be written; `why` says so.
char *bench_robots_text(const ff_scene *scene, const ff_sim *sim, const char *path, double **references,
                        char *why, size_t size);

#endif
