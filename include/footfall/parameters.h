/// parameters.h: quantities that may differ between robots of one world.
///
/// A world (world.h) fixes which shapes can touch, which motors exist and how a step is taken. Parameters are masses,
/// materials, gains, gravity and ground poses. Every sim has its own; they start with the values of model, ground and
/// elements. Two sims of one world can have different parameters:
///
///     ff_parameters *p;
///     ff_parameters_create(world, &p, &error);
///     ff_parameters_set_gravity(p, (const double[3]){0, 0, -1.62}, &error);
///     ff_sim_set_parameters(sim, p, &error);                      // copies them
///     ff_parameters_destroy(p);
///
/// Parameters are not part of the state: ff_sim_set_state() leaves them unchanged. Functions that take a model, such
/// as those of dynamics.h, use the model's values.
#ifndef FOOTFALL_PARAMETERS_H
#define FOOTFALL_PARAMETERS_H

#include <footfall/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Parameters of a robot. The caller destroys them, before or after their world.
typedef struct ff_parameters ff_parameters;

/// Create parameters with the values of the world's model, ground and elements.
ff_status ff_parameters_create(ff_world *world, ff_parameters **out, ff_error *error);
void ff_parameters_destroy(ff_parameters *parameters); ///< NULL is fine

/// Copy all values of `from` to `to`. FF_ERROR_ARGUMENT if they belong to different worlds.
ff_status ff_parameters_copy(const ff_parameters *from, ff_parameters *to, ff_error *error);

/// Set the acceleration of gravity, world axes [m/s^2], finite.
ff_status ff_parameters_set_gravity(ff_parameters *parameters, const double gravity[3], ff_error *error);
void ff_parameters_gravity(const ff_parameters *parameters, double gravity[3]); ///< as set

/// Set mass, centre of mass and inertia of a link, in its own frame; mass >= 0, all finite. If a joint then moves no
/// inertia, the next step fails and names it.
ff_status ff_parameters_set_inertia(ff_parameters *parameters, int link, const ff_inertia *inertia,
                                    ff_error *error);
ff_status ff_parameters_inertia(const ff_parameters *parameters, int link, ff_inertia *out); ///< as set

/// Set the material of a collision shape of the model. contact.h states how pairs combine it. FF_ERROR_ARGUMENT if
/// the stiffness, damping or friction of a pair would not be finite.
ff_status ff_parameters_set_material(ff_parameters *parameters, int shape, const ff_material *material,
                                     ff_error *error);
ff_status ff_parameters_material(const ff_parameters *parameters, int shape, ff_material *out); ///< as set

/// Set the material of a ground shape; as ff_parameters_set_material().
ff_status ff_parameters_set_ground_material(ff_parameters *parameters, int ground,
                                            const ff_material *material, ff_error *error);
/// Material of a ground shape, as set.
ff_status ff_parameters_ground_material(const ff_parameters *parameters, int ground, ff_material *out);

/// Set the pose that a reset gives to a ground shape, and its velocity from there on.
ff_status ff_parameters_set_ground(ff_parameters *parameters, int ground, const ff_pose *pose,
                                   const double velocity[6], ff_error *error);
/// Pose and velocity of a ground shape, as set; either may be NULL. FF_ERROR_ARGUMENT if the ground does not exist.
ff_status ff_parameters_ground(const ff_parameters *parameters, int ground, ff_pose *pose,
                               double velocity[6]);

/// Set stiffness (>= 0), damping (>= 0) and largest effort (> 0, may be infinite) of a joint element, such as a
/// motor or friction. For other elements the effort is ignored.
ff_status ff_parameters_set_gains(ff_parameters *parameters, int element, double stiffness, double damping,
                                  double effort, ff_error *error);
/// Gains of an element, as set; any output may be NULL.
ff_status ff_parameters_gains(const ff_parameters *parameters, int element, double *stiffness,
                              double *damping, double *effort);

/// Set the dry friction of a joint at velocity v [N m] or [N], > 0. The joint has some in the model. Its spring stays.
ff_status ff_parameters_set_joint_friction(ff_parameters *parameters, int v, double limit, ff_error *error);

/// Give a sim new parameters, which it copies; its state stays. FF_ERROR_ARGUMENT if they belong to another world.
ff_status ff_sim_set_parameters(ff_sim *sim, const ff_parameters *parameters, ff_error *error);
/// Copy the present parameters of a sim to `out`, which belongs to the same world.
ff_status ff_sim_get_parameters(const ff_sim *sim, ff_parameters *out, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
