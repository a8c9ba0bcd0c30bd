/// trajectory.h: trajectories with feedback gains in files. In the library footfall_io.
///
/// A trajectory for control/feedback.h as readable text. The first line names the format. Lines that begin with # are
/// notes on the origin of the numbers. Counts follow, then the numbers:
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
///     K 1.5 0 ...                     gains, one line for each control: on q, then on v
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

/// Read a trajectory. Errors name file and line. FF_ERROR_MODEL if its robot has another name or other counts than
/// `model`.
ff_status ff_trajectory_load(const char *path, const ff_model *model, ff_trajectory **out, ff_error *error);
void ff_trajectory_destroy(ff_trajectory *trajectory); ///< NULL is fine

/// The input of ff_feedback_create(); its arrays belong to the trajectory.
const ff_feedback_def *ff_trajectory_feedback(const ff_trajectory *trajectory);

/// The notes without #, one line each; "" if there are none.
const char *ff_trajectory_notes(const ff_trajectory *trajectory);

/// Write a trajectory. `notes` (may be NULL) is text of any number of lines. States and controls keep 12 digits,
/// gains 5. Torque limits are not written. If writing fails, no file is left at `path`.
ff_status ff_trajectory_save(const char *path, const ff_model *model, const ff_feedback_def *feedback,
                             const char *notes, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
