/// sim.h: one simulation: a model, its state, and a step function.
///
/// An ff_sim simulates one robot, or one set of robots and loose bodies. It holds a world (model, ground, elements,
/// stepper; see world.h), a state, and scratch memory for one thread. ff_sim_create() allocates all memory of the
/// sim; a step allocates nothing.
///
///     ff_sim_def def = ff_sim_def_default();
///     def.dt = 0.002;
///     ff_sim *sim;
///     if (ff_sim_create(model, &def, &sim, &error) != FF_OK) ...
///     ff_sim_set_posture(sim, "standing", &error);
///     for (int k = 0; k < 500; ++k)
///       if (ff_sim_step(sim, tau, &error) != FF_OK)   // tau [nv], constant over the step; NULL: zero
///         break;                                      // the sim keeps the last good state
///     const double *q = ff_sim_q(sim);
///     ff_sim_destroy(sim);
///
/// **Time.** ff_sim_step() advances the sim by ff_sim_def.dt. Contacts begin where shapes meet and end where they
/// separate. The caller declares no contacts.
///
/// **State.** One vector of ff_sim_state_size() doubles holds everything that the next step depends on. A step after
/// ff_sim_set_state() gives the same bits as the same step of the original run, for every stepper.
///
/// **Failure.** A step whose result is not finite or exceeds max_speed returns FF_ERROR_NUMERIC. The message names
/// the time, the body, the contact and a remedy. The sim keeps the state from before the step. ff_sim_interrupt() and
/// ff_sim_def.time_limit end a step that takes too long in the same way.
#ifndef FOOTFALL_SIM_H
#define FOOTFALL_SIM_H

#include <footfall/c2a.h>
#include <footfall/dynamics.h>
#include <footfall/element.h>
#include <footfall/hard.h>
#include <footfall/model.h>
#include <footfall/shape.h>
#include <footfall/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A simulation. Use it from one thread at a time. The caller destroys it before its model.
typedef struct ff_sim ff_sim;

/// The constant data that many sims share, see world.h.
typedef struct ff_world ff_world;

/// The time integrator of a sim. All steppers use the same shapes, elements and dynamics. docs/theory has a page for
/// each.
typedef enum ff_stepper {
  FF_STEPPER_EXPO, ///< "expo": exponential, second order, locates contact events inside the step (default)
  FF_STEPPER_EXPO_PAPER, ///< "expo-paper": the exponential scheme as published
  FF_STEPPER_EULER,      ///< "euler": explicit Euler, v+ = v + dt a, q+ = q (+) (dt v + dt^2/2 a)
  FF_STEPPER_SYMPLECTIC, ///< "symplectic": symplectic Euler, v+ = v + dt a, q+ = q (+) dt v+
  FF_STEPPER_RK4,        ///< "rk4": Runge-Kutta-Munthe-Kaas of order 4
  FF_STEPPER_IMPLICIT,   ///< "implicit": backward Euler, Newton with analytic derivatives
  FF_STEPPER_ESS,        ///< "ess": error-controlled, order 5 between events; projects onto events
  FF_STEPPER_MOREAU,     ///< "moreau": time stepping with hard contact: impulses, no stiffness; see hard.h
  /// "ca": hard contact, conservative advancement: Euler steps that end where shapes touch, no tunnelling; see c2a.h
  FF_STEPPER_CA,
  FF_STEPPER_C2A, ///< "c2a": `ca` with control of the kinetic energy error, second order between contacts
} ff_stepper;

/// Most velocities of a robot that can be simulated; matrices of nv x nv numbers, dozens of them, are what it takes.
enum { FF_SIM_MOST_VELOCITIES = 10000 };

enum { FF_STEPPER_COUNT = FF_STEPPER_C2A + 1 };      ///< number of steppers
enum { FF_STEPPER_SOFT_COUNT = FF_STEPPER_ESS + 1 }; ///< steppers below this value have compliant contacts

const char *ff_stepper_name(ff_stepper stepper);            ///< never NULL
int ff_stepper_find(const char *name, ff_stepper *stepper); ///< 1 if a stepper has that name
const char *ff_stepper_summary(ff_stepper stepper);         ///< one sentence for a list, never NULL
int ff_stepper_is_hard(ff_stepper stepper);                 ///< 1 if its contacts, stops and welds are rigid

/// Method that computes the exponential of the frozen contact system.
typedef enum ff_exponential {
  FF_EXPONENTIAL_AUTO,  ///< the fast path, with as many subintervals as `force_tolerance` requires (default)
  FF_EXPONENTIAL_EXACT, ///< augmented matrix with scaling and squaring: exact to rounding, slow
  FF_EXPONENTIAL_ORDER_1, ///< augmented matrix, Pade order 1 without scaling: the paper's 0 multiplications
  FF_EXPONENTIAL_ORDER_2, ///< Pade order 2: 1 multiplication
  FF_EXPONENTIAL_ORDER_3, ///< Pade order 3: 2 multiplications
  FF_EXPONENTIAL_ORDER_5, ///< Pade order 5: 3 multiplications
  FF_EXPONENTIAL_ORDER_7, ///< Pade order 7: 4 multiplications
} ff_exponential;

enum { FF_EXPONENTIAL_COUNT = FF_EXPONENTIAL_ORDER_7 + 1 };   ///< number of methods
const char *ff_exponential_name(ff_exponential e);            ///< "auto", "exact", "order-1", ... never NULL
int ff_exponential_find(const char *name, ff_exponential *e); ///< 1 if a method has that name

/// A ground shape (plane, box or height field) that robots touch. It is fixed, or moves as the user says.
typedef struct ff_ground_def {
  ff_shape_def shape; ///< FF_SHAPE_PLANE, FF_SHAPE_BOX or FF_SHAPE_HEIGHTFIELD; its pose is in the world
  /// Constant: linear at the shape's origin [m/s], angular [rad/s]; world axes, default 0
  double velocity[6];
  int gives_pair; ///< 1: the pair takes this shape's material; 0 (default): it is combined with the robot's
} ff_ground_def;

/// The plane z = 0. Its stiffness, damping and friction are infinite, so a pair has the robot's material.
ff_ground_def ff_ground_def_default(void);

/// Options of `expo` and `expo-paper`.
typedef struct ff_expo_def {
  ff_exponential exponential; ///< default FF_EXPONENTIAL_AUTO
  /// Relative error tolerance of the fast path, 1e-12..1e-1, default 1e-4. The step's mass matrix, Jacobian rows and
  /// other forces are taken as constant. For every contact and element the tolerance then bounds, down to rounding:
  /// - the error of the velocity change at its rows, relative to the largest of the velocity changes and velocities
  ///   at all rows and the velocity change by gravity alone (of at least 1 m/s^2);
  /// - the error of its mean force, relative to the largest force, or to 1 mN if that is more.
  ///
  /// The bound is proved for steps without sliding contacts.
  double force_tolerance;
  /// Most subintervals of the exponential in the fast path, 1..64, default 8. The number is doubled from 1 until the
  /// tolerance is met. ff_step_info.capped reports that it was not met.
  int max_substeps;
  int order; ///< `expo`: 2 (default), or 1: without the corrector
  /// `expo`: 1 (default): locate touch-down, lift-off, stick and slip inside the step; 0: change contact modes at the
  /// ends of a step only. An exponential other than FF_EXPONENTIAL_AUTO implies 0.
  int events;
  int max_pieces;  ///< `expo`: most substeps between two contact events in one step, 1..1000, default 32
  int double_mean; ///< `expo-paper`: positions by eq. 26 (1, default) or by eq. 24 alone (0)
} ff_expo_def;

/// Options of `implicit`.
typedef struct ff_implicit_def {
  double tolerance;   ///< of the residual's norm, > 0, at most 1, default 1e-6 (the paper's)
  int max_iterations; ///< of Newton's method, 1..1000, default 50
} ff_implicit_def;

/// Options of `ess`, see docs/theory/ess-robots.md.
typedef struct ff_ess_step_def {
  double epsilon; ///< project onto events nearer than this [m], [rad], > 0, at most 0.01, default 1e-5
  /// Error tolerance of an integrator step, relative to 1 m, rad, m/s or rad/s, 0..0.1, default 1e-6
  double relative_tolerance;
  double absolute_tolerance; ///< added to it [m], [rad], [m/s], [rad/s], > 0, at most 1, default 1e-9
  /// Most integrator steps, rejected ones included, in one step of the sim, 1..100000000, default 10000. A step with
  /// more fails, and one whose ff_step_info.work is above 100 (max_steps + 100)
  int max_steps;
} ff_ess_step_def;

/// Rest position of a contact's normal spring.
typedef enum ff_normal_anchor {
  FF_ANCHOR_SURFACE, ///< at the surface: rest penetration is weight / K (default)
  /// At the point's position when the contact was first detected, as in the paper's code
  FF_ANCHOR_FIRST_TOUCH,
} ff_normal_anchor;

/// Friction law of compliant contacts: how they change between sticking and slipping.
typedef enum ff_contact_law {
  /// "anchor": a tangential spring whose anchor dry friction holds. Continuous; for all soft steppers (default).
  /// docs/theory/contact.md
  FF_LAW_ANCHOR,
  /// "slip-flag": Algorithm 1 of the Moreau paper: a tangential spring that is released when the contact slips. For
  /// all soft steppers; `moreau` always uses it for compliant contacts. docs/theory/contact.md, section 9
  FF_LAW_SLIP_FLAG,
} ff_contact_law;
enum { FF_LAW_COUNT = FF_LAW_SLIP_FLAG + 1 };                   ///< number of laws
const char *ff_contact_law_name(ff_contact_law law);            ///< never NULL
int ff_contact_law_find(const char *name, ff_contact_law *law); ///< 1 if a law has that name

/// Everything about a sim except its model. The sim copies all of it. Start from ff_sim_def_default(); option.h sets
/// options by their keys.
typedef struct ff_sim_def {
  size_t size;                 ///< of this struct as the program was compiled; ff_sim_def_init() sets it
  ff_stepper stepper;          ///< default FF_STEPPER_EXPO
  double dt;                   ///< time step [s], > 0, at most 1000, default 0.001
  const ff_ground_def *ground; ///< [ground_count]; default NULL
  int ground_count; ///< default -1: the plane z = 0, or none if the model has collision shapes in the world
  const ff_element_def *elements; ///< [element_count], added to those of the model; default NULL
  int element_count;              ///< default 0
  int model_elements;     ///< 1 (default): use the model's joint limits, springs, actuators and elements
  double limit_stiffness; ///< of joint limits [N m/rad] or [N/m], >= 0, default 1e3
  /// Of joint limits [N m s/rad] or [N s/m], >= 0, default 1. Stiffness and damping hold for the limits of all
  /// joints; a limit in `elements`, or among the model's elements, has its own.
  double limit_damping;
  /// Delay of motors (PD elements) that have none of their own, see element.h [s], 0..10, default 0
  double motor_delay;
  /// 1: shapes of one robot touch each other, except those of parent and child. Default 0. Shapes of separate robots
  /// and loose bodies always touch.
  int self_collision;
  ff_normal_anchor normal_anchor; ///< default FF_ANCHOR_SURFACE
  ff_contact_law contact_law;     ///< default FF_LAW_ANCHOR
  /// Error tolerance of a step, 0 or 1e-12..1. 0 (default): fixed steps of dt.
  /// - `expo`: largest error of any coordinate and velocity in [m], [rad], [m/s], [rad/s], as the corrector estimates
  ///   it. The sim divides its step into as many integrator steps as needed; dt is the longest. docs/theory/expo.md,
  ///   section 10
  /// - `c2a`: largest relative error of the kinetic energy in a step; replaces c2a.relative_error.
  double accuracy;
  int max_contacts; ///< most simultaneous contact points; 0 (default): as many as can occur, at most 512
  /// Largest velocity component [m/s] or [rad/s], > 0, may be infinite, default 1e4. A step that exceeds it fails; a
  /// start that exceeds it is refused.
  double max_speed;
  int timing; ///< 1: fill ff_step_info.seconds, at the cost of some clock reads per step; default 0
  /// 1: report tunnelling after each step, for every stepper; default 0. Two shapes tunnelled if they were separate
  /// before the step and afterwards are separate on the other side, or if one was pushed past the other's middle.
  /// ff_sim_totals.passed counts them; no step changes. Cost: some additions per body, and distances to nearby shapes
  /// where a shape moves by more than half the thickness of the pair in a step.
  int watch_passing;
  ff_isa isa;               ///< default FF_ISA_AUTO
  ff_expo_def expo;         ///< options of `expo` and `expo-paper`
  ff_implicit_def implicit; ///< options of `implicit`
  ff_ess_step_def ess;      ///< options of `ess`
  ff_moreau_def moreau;     ///< options of `moreau`, see hard.h
  ff_c2a_def c2a;           ///< options of `ca` and `c2a`, see c2a.h
  /// Longest duration of one step by the clock [s], 0..1e9; 0 (default): no limit. A step that takes longer fails with
  /// FF_ERROR_INTERRUPTED. See ff_sim_interrupt() for where steps can end. The limit changes no result.
  double time_limit;
  /// `ca`, `c2a` (key c2a.max_work): maximum work in a step, 100..1e9, default 200000; see ff_step_info.work. A
  /// step that needs more fails, and the state before it stays. It is checked before each impact map and within it
  double c2a_max_work;
  /// 1 (default): joints have the dry friction of the model; 0: none. Friction among the elements stays
  int joint_friction;
  /// 1 (default): contacts resist turning and rolling as materials say; 0: not; moreau with compliant contact needs 0
  int turning_friction;
  ff_hull_contact hull_contact; ///< compliant contact only, default FF_HULL_CONTACT_PATCH
} ff_sim_def;

/// Write the defaults into a def of `size` bytes: the stepper `expo` with steps of 1 ms on the plane z = 0.
void ff_sim_def_init(ff_sim_def *def, size_t size);

/// The defaults as a value.
static inline ff_sim_def ff_sim_def_default(void)
{
  ff_sim_def def;
  ff_sim_def_init(&def, sizeof def);
  return def;
}

/// Create a sim in the neutral configuration, at rest, at time 0. `def` may be NULL for the default. The model must
/// outlive the sim.
ff_status ff_sim_create(const ff_model *model, const ff_sim_def *def, ff_sim **out, ff_error *error);
void ff_sim_destroy(ff_sim *sim); ///< NULL is fine

const ff_model *ff_sim_model(const ff_sim *sim); ///< the model given at creation; the sim does not own it
double ff_sim_dt(const ff_sim *sim);             ///< duration of a step [s]
ff_stepper ff_sim_stepper(const ff_sim *sim);    ///< the stepper given at creation

// ---- State ------------------------------------------------------------------------------------------------

/// Reset to time 0 at q [nq], v [nv] (NULL: neutral, at rest). Shapes that overlap there are in contact, with their
/// anchors at the contact points. Element references return to their definitions. FF_ERROR_ARGUMENT if a number is
/// not finite, a quaternion is zero or a velocity exceeds max_speed.
ff_status ff_sim_reset(ff_sim *sim, const double *q, const double *v, ff_error *error);

/// Reset to a posture of the model, at rest. An unknown name is FF_ERROR_ARGUMENT; the message lists the known ones.
ff_status ff_sim_set_posture(ff_sim *sim, const char *posture, ff_error *error);

double ff_sim_time(const ff_sim *sim); ///< since the last reset [s]
/// Configuration [nq] at that time. The address stays the same for the life of the sim, so a stored pointer always
/// shows the present state.
const double *ff_sim_q(const ff_sim *sim);
const double *ff_sim_v(const ff_sim *sim); ///< velocity [nv] at that time; the address stays the same too

/// Size of the full state in doubles, constant for a sim. The full state holds time, q, v, element references, ground
/// poses, contacts with their anchors, the work done so far, and the next integrator step of an error-controlled run.
/// It does not hold the counts of ff_sim_totals.
int ff_sim_state_size(const ff_sim *sim);
void ff_sim_get_state(const ff_sim *sim, double *state); ///< copies it to state [ff_sim_state_size()]
/// Restore a full state from ff_sim_get_state() of a sim with the same model, ground, elements and max_contacts.
/// Stepper, dt, masses, materials and gains may differ. FF_ERROR_ARGUMENT, and the sim is unchanged, for any other
/// vector and for values that no step produces: a number that is not finite, a velocity above this sim's max_speed, a
/// ground orientation that is not a rotation.
ff_status ff_sim_set_state(ff_sim *sim, const double *state, ff_error *error);

// ---- Stepping ---------------------------------------------------------------------------------------------

/// Advance by one step of dt. tau [nv]: generalised forces, constant over the step and added to those of elements;
/// NULL: zero.
ff_status ff_sim_step(ff_sim *sim, const double *tau, ff_error *error);

/// A control callback. It fills tau [nv] (zero at entry) for the step that begins now; it returns 0 to stop before
/// that step.
typedef int (*ff_control)(ff_sim *sim, double *tau, void *user);

/// Apply a force [N] and a torque [N m] to a link during the next step, world axes, [3] each; NULL: zero. The force
/// acts at the point `at` [3] of the link's frame (NULL: its origin). Both become joint forces that stay constant
/// over the step, like tau. Pushes add up until a step is taken; a reset removes them. They are not part of the
/// state. FF_ERROR_ARGUMENT if the link does not exist or a number is not finite.
ff_status ff_sim_push(ff_sim *sim, int link, const double at[3], const double force[3],
                      const double torque[3], ff_error *error);

/// Take `steps` steps, >= 0; call `control` (may be NULL) before each. The run ends at the first failure, or when
/// `control` returns 0, which is not a failure. `done` (may be NULL) returns the number of steps taken.
ff_status ff_sim_run(ff_sim *sim, int steps, ff_control control, void *user, int *done, ff_error *error);

/// Ask the sim to end the step under way, which then fails with FF_ERROR_INTERRUPTED; so does ff_sim_run(). If no step
/// is under way, the next one fails at once. The sim keeps the state from before the step and can go on from it; each
/// request ends one step. Any thread may call it, and a signal handler too, as long as the sim exists. Steps end
/// between substeps, integrator steps and iterations: after some microseconds to milliseconds, depending on the model.
/// `euler`, `symplectic`, `rk4` and `expo-paper` have none of these; they end before they begin. NULL is fine.
void ff_sim_interrupt(ff_sim *sim);

/// Number of elements: the model's first, then those of ff_sim_def.elements.
int ff_sim_element_count(const ff_sim *sim);
/// An element in its present state; its name belongs to the sim. FF_ERROR_ARGUMENT if out of range.
ff_status ff_sim_element(const ff_sim *sim, int element, ff_element_def *out);
int ff_sim_find_element(const ff_sim *sim, const char *name); ///< -1 if no element has that name
/// The motor of a joint: the first PD element on it, -1 if it has none.
int ff_sim_find_motor(const ff_sim *sim, int joint);
/// Set the reference of a PD element and the velocity of this reference, from now on. An element with a delay
/// (element.h) takes them that much later. FF_ERROR_LIMIT if more references than FF_REFERENCE_RATE per second would
/// wait for the delay.
ff_status ff_sim_set_reference(ff_sim *sim, int element, double reference, double velocity);
/// Force of an element at the present state, on `a`, world axes: [1] for joint elements, [3] for points, [6] (force,
/// moment) for all others. Under hard steppers, stops, points, welds, hinges, sliders and planar elements are exact
/// constraints: their force is the mean over the last step, zero after a reset.
ff_status ff_sim_element_force(ff_sim *sim, int element, double *force);

/// Dry friction at one velocity of the model.
typedef struct ff_joint_friction {
  double limit;     ///< largest force [N m] or [N]
  double stiffness; ///< of the spring by which it sticks, soft steppers [N m/rad] or [N/m]
  double damping;   ///< of its damper [N m s/rad] or [N s/m]
  double spring;    ///< force in the spring; hard steppers: mean force over the last step [N m] or [N]
} ff_joint_friction;

/// Dry friction of a joint at velocity v (0..nv-1) in the present state; all zero if the joint has none.
/// FF_ERROR_ARGUMENT if there is no such velocity.
ff_status ff_sim_joint_friction(const ff_sim *sim, int v, ff_joint_friction *out);

/// Set the pose and the velocity (within max_speed) of a ground shape. Contact anchors on it move along. NULL leaves
/// the pose or the velocity unchanged.
ff_status ff_sim_move_ground(ff_sim *sim, int ground, const ff_pose *pose, const double velocity[6]);

// ---- What happened ----------------------------------------------------------------------------------------

/// Mode of a contact.
typedef enum ff_contact_mode {
  FF_CONTACT_RELEASED, ///< shapes overlap, but separate so fast that there is no force
  FF_CONTACT_STICK,    ///< friction holds the contact
  FF_CONTACT_SLIP,     ///< the contact slides: friction is mu times the normal force
} ff_contact_mode;

/// One contact point, in world axes. Forces are those on `a`.
typedef struct ff_contact {
  int id;               ///< the same from step to step for the same pair of features
  int shape_a;          ///< of the model
  int shape_b;          ///< of the model, or -1: ground
  int ground;           ///< index of the ground, -1: shape_b
  int link_a;           ///< link of the model that carries shape_a
  int link_b;           ///< link of the model that carries shape_b, -1: the world
  double point[3];      ///< [m]
  double normal[3];     ///< unit vector from b to a
  double anchor[3];     ///< other end of the tangential spring, on the surface that the point touches [m]
  double force[3];      ///< at the present state [N]; of hard contacts, the mean over the last step
  double mean_force[3]; ///< over the last step [N]; zero after a reset
  double penetration;   ///< > 0 when shapes overlap [m]
  double slip[2];       ///< sliding velocity of a over b along the two tangents, that of the anchor [m/s]
  double tangent[2][3]; ///< t1, t2: a right-handed frame with the normal
  ff_contact_mode mode; ///< at the present state
} ff_contact;

/// Contacts at the present state, ordered by id. They are valid until the next call that changes the sim.
const ff_contact *ff_sim_contacts(ff_sim *sim, int *count);

/// Phases of a step that are timed separately, after the paper's table 3. For `implicit` they are, in this order:
/// residuals, the line search included; derivatives; linear systems; the rest. For `ess` and the hard steppers the
/// third is the integration, or the solve of the impulses.
typedef enum ff_phase {
  FF_PHASE_CONTACT,  ///< kinematics, contact detection, contact forces          (computeContactForces)
  FF_PHASE_PREPARE,  ///< bias forces, mass matrix, its factors, J               (prepareExpLDS)
  FF_PHASE_INTEGRAL, ///< the exponential and its integrals                      (computeIntegrals)
  FF_PHASE_UPDATE,   ///< new state, checks, anchors
} ff_phase;
enum { FF_PHASE_COUNT = FF_PHASE_UPDATE + 1 }; ///< number of phases
const char *ff_phase_name(ff_phase phase);     ///< "contact", "prepare", ... never NULL

/// Report of the last step. A field that the stepper does not use is zero. "Error-controlled expo" is `expo` with
/// ff_sim_def.accuracy > 0.
typedef struct ff_step_info {
  int contacts;       ///< contacts at the end of the step
  int slipping;       ///< how many of these slip
  int passed;         ///< with watch_passing: pairs of shapes that tunnelled
  double penetration; ///< deepest overlap at the last evaluation in the step [m]
  int pieces;         ///< expo: substeps between two contact events, 1 without an event
  int touchdowns;     ///< expo, ess, ca, c2a: contacts that began inside the step
  int liftoffs;       ///< expo, ess: contacts that ended
  int slips;          ///< expo, ess: contacts that began to slide
  int sticks;         ///< expo, ess: contacts that stopped sliding
  int events_capped;  ///< expo: 1: max_pieces was reached; the rest of the step ran as with `events` = 0
  int factorisations; ///< expo: factorisations of the frozen system
  int substeps;       ///< expo: most subintervals of the exponential in one solve
  int capped;         ///< expo: 1: max_substeps reached, or sliding contacts diverged; may miss the tolerance
  /// expo: bound of the relative error that force_tolerance limits, largest in the step
  double force_error;
  int integrator_steps; ///< ess, ca, c2a, error-controlled expo: integrator steps taken in the step
  int rejected;         ///< the same steppers: integrator steps rejected as too long
  double shortest;      ///< ca, c2a, error-controlled expo: shortest integrator step taken [s]
  double longest;       ///< the same steppers: longest integrator step taken [s]
  int inaccurate;       ///< error-controlled expo: steps that missed the tolerance and could not be shorter
  int projections;      ///< ess: events reached by projection
  int located;          ///< ess: events located as roots
  int iterations;       ///< implicit: Newton iterations; moreau: solver iterations
  int converged;        ///< implicit, moreau: 1 if the solution met the tolerances; all others 1
  /// implicit: norm of the residual at the end; moreau: violation of the contact laws by the impulses, [N s] over 1 +
  /// the largest impulse
  double residual;
  double alpha;  ///< moreau: relaxation factor at the end
  int fallbacks; ///< moreau: how often the solver lowered alpha or switched to another method
  /// moreau, ca, c2a: largest separation of a point, weld or cut joint where the step evaluates them [m]
  double drift;
  double drift_angle;             ///< the same for orientations [rad]
  int tries[FF_C2A_REASON_COUNT]; ///< ca, c2a: attempted integrator steps, by outcome
  double energy_error;            ///< c2a: largest difference of kinetic energies among the steps taken [J]
  /// c2a: largest of these relative to the kinetic energy, or to absolute_error / relative_error if that is more
  double energy_share;
  int looks;                      ///< ca, c2a: evaluations of poses by conservative advancement
  double seconds[FF_PHASE_COUNT]; ///< with ff_sim_def.timing: duration of each phase [s]
  double judging;                 ///< with timing: of FF_PHASE_UPDATE, the judgement of the step's energy [s]
  /// All steppers: 1: kinetic, potential and elastic energy have grown by more than 1 % of the largest kinetic and
  /// elastic energy so far, beyond the work put in, since their lowest value or the last report. Never on moving
  /// ground, whose work is not known. docs/theory/energy.md
  int gained;
  /// All steppers: energy that the step added beyond the work put in, 0 if it took energy away [J]
  double gain;
  /// ca, c2a: `looks` and their distances, Euler steps with their detection and impact maps, iterations and
  /// factorisations of the contact solver (docs/theory/c2a.md). ess, error-controlled expo: evaluations and solves
  int work;
} ff_step_info;

/// Report of the last step. It belongs to the sim; the next step overwrites it. After a reset all is zero except
/// `converged`.
const ff_step_info *ff_sim_info(const ff_sim *sim);

/// `ca`, `c2a`: the first attempted integrator steps of the last step, in order, at most FF_C2A_HISTORY; other
/// steppers have none. They belong to the sim; the next step overwrites them.
const ff_c2a_try *ff_sim_history(const ff_sim *sim, int *count);

/// Two shapes that tunnelled through each other within a step.
typedef struct ff_passing {
  /// When they met on the straight path between the states before and after the step; the end of the step if one was
  /// pushed through the other [s]
  double time;
  int shape_a; ///< of the model
  int shape_b; ///< of the model, or -1: ground
  int ground;  ///< index of the ground, -1: shape_b
  int link_a;  ///< link that carries shape_a, -1: the world
  int link_b;  ///< link that carries shape_b, -1: the world
} ff_passing;

/// Totals since creation or the last reset. Fields have the meaning of those in ff_step_info.
typedef struct ff_sim_totals {
  long long steps;                      ///< steps of dt
  long long pieces;                     ///< expo: substeps between two contact events
  long long touchdowns;                 ///< expo, ess, ca, c2a: contacts that began
  long long liftoffs;                   ///< expo, ess: contacts that ended
  long long slips;                      ///< expo, ess: contacts that began to slide
  long long sticks;                     ///< expo, ess: contacts that stopped sliding
  long long integrator_steps;           ///< ess, ca, c2a, error-controlled expo: integrator steps taken
  long long rejected;                   ///< the same steppers: integrator steps rejected
  long long projections;                ///< ess: events reached by projection
  long long located;                    ///< ess: events located as roots
  double shortest;                      ///< ca, c2a, error-controlled expo: shortest integrator step [s]
  double longest;                       ///< the same steppers: longest integrator step [s]
  long long tries[FF_C2A_REASON_COUNT]; ///< ca, c2a: attempted integrator steps, by outcome
  double energy_error;                  ///< c2a: largest [J]
  double energy_share;                  ///< c2a: largest
  long long inaccurate;                 ///< error-controlled expo: integrator steps that missed the tolerance
  long long unconverged;                ///< implicit, moreau, ca, c2a: steps that did not meet the tolerance
  long long capped;                     ///< expo: steps that reached max_substeps or max_pieces
  double worst_penetration;             ///< deepest overlap [m]
  double worst_drift;                   ///< moreau, ca, c2a: largest drift [m]
  long long passed;                     ///< with watch_passing: pairs of shapes that tunnelled
  ff_passing first_passing;             ///< the first of these; empty if none tunnelled
  long long gained;                     ///< steps that reported a gain of energy
} ff_sim_totals;
/// A copy of the totals so far.
ff_sim_totals ff_sim_get_totals(const ff_sim *sim);

enum { FF_PASSING_TEXT = 256 }; ///< bytes of a description of tunnelling
/// Describe the first tunnelling: "ball passed through wall at t = 2.25 ms". The text names shapes, or their links
/// where shapes have no name. It is empty if nothing tunnelled.
void ff_sim_describe_passing(const ff_sim *sim, char text[FF_PASSING_TEXT]);

/// Energy [J] and power [W] at the present state, and work [J] since the last reset.
typedef struct ff_energy {
  double kinetic;       ///< 1/2 v' M v, armature included
  double potential;     ///< of gravity, zero at the world's origin
  double elastic;       ///< in contact springs and elements
  double total;         ///< kinetic + potential + elastic
  double control_power; ///< tau v of the last tau; zero after a reset or ff_sim_set_state()
  /// Work of tau, pushes and torque controls: sum over steps of their force times each joint's displacement. The work
  /// of motors (PD elements) is not included.
  double control_work;
} ff_energy;
/// Compute the energy at the present state, which does not change.
ff_energy ff_sim_energy(ff_sim *sim);

/// Predict the force of each present contact over `duration` from the frozen system, Expo paper eq. 12, without
/// friction cones. force[k][contact][3] holds world axes at `count` equally spaced times from 0 to duration.
/// `contacts` (may be NULL) returns the number of contacts; force NULL only counts them. tau as in ff_sim_step().
/// FF_ERROR_UNSUPPORTED for hard contacts, which have no springs.
ff_status ff_sim_predict_forces(ff_sim *sim, const double *tau, double duration, int count, double *force,
                                int *contacts, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
