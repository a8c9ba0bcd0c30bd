/// parameters.h: what may differ between robots of one world.
///
/// A world (world.h) says what there is: which shapes can touch, which motors there are, how a step is taken.
/// Parameters say how heavy, how stiff and how slippery it is. Every sim has
/// its own; they begin as model, ground and elements were defined, and two sims of one world may have others without a
/// second world:
///
///     ff_parameters *p;
///     ff_parameters_create(world, &p, &error);
///     ff_parameters_set_gravity(p, (const double[3]){0, 0, -1.62}, &error);
///     ff_sim_set_parameters(sim, p, &error);                      // copies them
///     ff_parameters_destroy(p);
///
/// They are no part of a state: whoever sets a state back keeps the sim's parameters. Functions that are given a model,
/// such as those of dynamics.h, know nothing of them.
#ifndef FOOTFALL_PARAMETERS_H
#define FOOTFALL_PARAMETERS_H

#include <footfall/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A robot's parameters. The caller destroys them; before their world or after it does not matter.
typedef struct ff_parameters ff_parameters;

/// As model, ground and elements of the world were defined.
ff_status ff_parameters_create(ff_world *world, ff_parameters **out, ff_error *error);
void ff_parameters_destroy(ff_parameters *parameters); ///< NULL is fine

/// All of `from` to `to`, of the same world; FF_ERROR_ARGUMENT for two worlds.
ff_status ff_parameters_copy(const ff_parameters *from, ff_parameters *to, ff_error *error);

/// Acceleration of gravity, world axes [m/s^2], finite.
ff_status ff_parameters_set_gravity(ff_parameters *parameters, const double gravity[3], ff_error *error);
void ff_parameters_gravity(const ff_parameters *parameters, double gravity[3]); ///< as set

/// Mass, centre and inertia of a link, in its own frame, mass >= 0 and all finite. A joint that is left without inertia
/// is
/// found by the next step, which names it.
ff_status ff_parameters_set_inertia(ff_parameters *parameters, int link, const ff_inertia *inertia,
                                    ff_error *error);
ff_status ff_parameters_inertia(const ff_parameters *parameters, int link, ff_inertia *out); ///< as set

/// Material of a collision shape of the model; pairs follow by the rule of contact.h. FF_ERROR_ARGUMENT if a pair would
/// have no finite stiffness, damping or friction.
ff_status ff_parameters_set_material(ff_parameters *parameters, int shape, const ff_material *material,
                                     ff_error *error);
ff_status ff_parameters_material(const ff_parameters *parameters, int shape, ff_material *out); ///< as set

/// The same of a piece of ground.
ff_status ff_parameters_set_ground_material(ff_parameters *parameters, int ground,
                                            const ff_material *material, ff_error *error);
ff_status ff_parameters_ground_material(const ff_parameters *parameters, int ground,
                                        ff_material *out); ///< as set

/// Where a reset puts a piece of ground, and how it moves from there on.
ff_status ff_parameters_set_ground(ff_parameters *parameters, int ground, const ff_pose *pose,
                                   const double velocity[6], ff_error *error);
/// As set; either may be NULL. FF_ERROR_ARGUMENT if there is no such ground.
ff_status ff_parameters_ground(const ff_parameters *parameters, int ground, ff_pose *pose,
                               double velocity[6]);

/// Stiffness, damping (>= 0) and largest effort (> 0, may be infinite) of a joint element, a motor for example; of
/// others effort is not looked at.
ff_status ff_parameters_set_gains(ff_parameters *parameters, int element, double stiffness, double damping,
                                  double effort, ff_error *error);
ff_status ff_parameters_gains(const ff_parameters *parameters, int element, double *stiffness,
                              double *damping,
                              double *effort); ///< as set; any may be NULL

/// The sim goes on with these, which it copies; its state stays. FF_ERROR_ARGUMENT if they are of another world.
ff_status ff_sim_set_parameters(ff_sim *sim, const ff_parameters *parameters, ff_error *error);
/// Those that it has now, to `out` of the same world.
ff_status ff_sim_get_parameters(const ff_sim *sim, ff_parameters *out, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
