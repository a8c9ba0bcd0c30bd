/// trajectory.h: trajectories with feedback gains in files. In the library footfall_io.
///
/// What control/feedback.h follows, as text that a person can read. The first line names the format; lines that begin with # are notes that say
/// where the numbers come from; then counts, then the numbers:
///
///     footfall-trajectory 1
///     # made by: footfall plan jump
///     robot solo
///     coordinates 19
///     velocities 18
///     controls 12
///     interval 0.01
///     states 301
///     repeat-from 120                 only if it repeats
///     x 0 0 0.24 ...                  a state: q, then v
///     u 0.1 ...                       the control until the next state
///     K 1.5 0 ...                     its gains, one line for each control: on q, then on v
///     ...
///     x ...                           the last state has neither u nor K
///
///     ff_trajectory *trajectory;
///     if (ff_trajectory_load("scenes/data/solo-jump.txt", model, &trajectory, &error) != FF_OK) ...
///     ff_feedback_create(model, ff_trajectory_feedback(trajectory), &feedback, &error);
///     ff_trajectory_destroy(trajectory);
#ifndef FOOTFALL_TRAJECTORY_H
#define FOOTFALL_TRAJECTORY_H

#include <footfall/control/feedback.h>
#include <footfall/model.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A trajectory in memory. The caller destroys it.
typedef struct ff_trajectory ff_trajectory;

/// Errors say file and line. A trajectory for a robot of another name or other counts than `model` is FF_ERROR_MODEL.
ff_status ff_trajectory_load(const char *path, const ff_model *model, ff_trajectory **out, ff_error *error);
void ff_trajectory_destroy(ff_trajectory *trajectory); ///< NULL is fine

/// What ff_feedback_create() takes; its arrays belong to the trajectory.
const ff_feedback_def *ff_trajectory_feedback(const ff_trajectory *trajectory);

/// The lines with #, without it, each with a newline at its end; "" if there are none.
const char *ff_trajectory_notes(const ff_trajectory *trajectory);

/// Write one. `notes` (may be NULL) is text of any number of lines. States and controls keep 12 digits, gains 5. Torque limits are not
/// written. When writing fails, nothing is left at `path`.
ff_status ff_trajectory_save(const char *path, const ff_model *model, const ff_feedback_def *feedback,
                             const char *notes, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
