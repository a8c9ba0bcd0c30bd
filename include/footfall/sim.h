/// sim.h: a robot in motion.
///
/// An ff_sim is one robot, or one heap of things, in motion: a world (model, ground, elements, stepper; world.h), a
/// state, and scratch for one thread. It owns all its memory from
/// creation on: a step allocates nothing.
///
///     ff_sim_def def = ff_sim_def_default();
///     def.dt = 0.002;
///     ff_sim *sim;
///     if (ff_sim_create(model, &def, &sim, &error) != FF_OK) ...
///     ff_sim_set_posture(sim, "standing", &error);
///     for (int k = 0; k < 500; ++k)
///       if (ff_sim_step(sim, tau, &error) != FF_OK)   // tau [nv], held over the step; NULL: none
///         break;                                      // the sim still has the last good state
///     const double *q = ff_sim_q(sim);
///     ff_sim_destroy(sim);
///
/// **Time.** ff_sim_step() advances by ff_sim_def.dt. Contacts begin where shapes meet and end where they part; nothing is to
/// be declared beforehand.
///
/// **State.** Everything that the next step depends on is in one vector of ff_sim_state_size() doubles. A step taken
/// after ff_sim_set_state() gives the same bits as the step taken in the original run, for every stepper.
///
/// **Failure.** A step that would give a state that is not finite, or runs away, returns FF_ERROR_NUMERIC with the time, the
/// body, the contact and what to try; the state is then the one before the step.
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

/// A simulation. For one thread; the caller destroys it, before its model.
typedef struct ff_sim ff_sim;

/// What many sims may share, see world.h.
typedef struct ff_world ff_world;

/// How a step is taken. All see the same shapes, elements and dynamics. docs/theory has a page for each.
typedef enum ff_stepper {
  FF_STEPPER_EXPO,       ///< "expo": exponential, second order, contact events inside the step (default)
  FF_STEPPER_EXPO_PAPER, ///< "expo-paper": the published exponential scheme
  FF_STEPPER_EULER,      ///< "euler": explicit, v+ = v + dt a, q+ = q (+) (dt v + dt^2/2 a)
  FF_STEPPER_SYMPLECTIC, ///< "symplectic": v+ = v + dt a, q+ = q (+) dt v+
  FF_STEPPER_RK4,        ///< "rk4": Runge-Kutta-Munthe-Kaas of order 4
  FF_STEPPER_IMPLICIT,   ///< "implicit": backward Euler, Newton with analytic derivatives
  FF_STEPPER_ESS,    ///< "ess": error-controlled order 5 between events, the events themselves by projection
  FF_STEPPER_MOREAU, ///< "moreau": time-stepping with hard contact: impulses, no stiffness; see hard.h
  FF_STEPPER_CA, ///< "ca": hard contact, Euler steps that end where things touch: nothing is missed; see c2a.h
  FF_STEPPER_C2A, ///< "c2a": the same with control of the error in kinetic energy, second order between contacts
} ff_stepper;

enum { FF_STEPPER_COUNT = FF_STEPPER_C2A + 1 };      ///< how many steppers there are
enum { FF_STEPPER_SOFT_COUNT = FF_STEPPER_ESS + 1 }; ///< those before it see springs where shapes touch

const char *ff_stepper_name(ff_stepper stepper);            ///< never NULL
int ff_stepper_find(const char *name, ff_stepper *stepper); ///< 1 if there is one of that name
const char *ff_stepper_summary(ff_stepper stepper);         ///< one sentence for a list, never NULL
int ff_stepper_is_hard(ff_stepper stepper);                 ///< 1 if its contacts, stops and welds are rigid

/// How the exponential of the frozen contact system is computed.
typedef enum ff_exponential {
  FF_EXPONENTIAL_AUTO,    ///< the fast path, with as many subintervals as `force_tolerance` needs (default)
  FF_EXPONENTIAL_EXACT,   ///< the augmented matrix, scaling and squaring: slow, exact; the reference
  FF_EXPONENTIAL_ORDER_1, ///< the augmented matrix, Pade order 1, no scaling: the paper's 0 multiplications
  FF_EXPONENTIAL_ORDER_2, ///< 1 multiplication
  FF_EXPONENTIAL_ORDER_3, ///< 2
  FF_EXPONENTIAL_ORDER_5, ///< 3
  FF_EXPONENTIAL_ORDER_7, ///< 4
} ff_exponential;

enum { FF_EXPONENTIAL_COUNT = FF_EXPONENTIAL_ORDER_7 + 1 };   ///< how many there are
const char *ff_exponential_name(ff_exponential e);            ///< "auto", "exact", "order-1", ... never NULL
int ff_exponential_find(const char *name, ff_exponential *e); ///< 1 if there is one of that name

/// A piece of ground: a shape (plane, box or height field) that robots touch, fixed or moved by the user.
typedef struct ff_ground_def {
  ff_shape_def shape; ///< FF_SHAPE_PLANE, FF_SHAPE_BOX or FF_SHAPE_HEIGHTFIELD; its pose is in the world
  double velocity[6]; ///< constant (linear at the shape's origin, angular), world axes, default 0
  int gives_pair; ///< 1: the shape's material is that of the pair; 0 (default): it is combined with the robot's
} ff_ground_def;

/// The plane z = 0, rigid: infinite stiffness, damping and friction, so that a pair has the robot's material.
ff_ground_def ff_ground_def_default(void);

/// Options of `expo` and `expo-paper`.
typedef struct ff_expo_def {
  ff_exponential exponential; ///< default FF_EXPONENTIAL_AUTO
  /// Of the fast path, 1e-12..1e-1, default 1e-4. While a step's mass, rows and other forces are held constant no contact or element is wrong by more
  /// than this part: in the velocity change at its rows, of the largest velocity change or velocity at a row, or of what gravity (of at least 1 m/s^2)
  /// alone would do; in its mean force, of the largest force, or of 1 mN; down to rounding. Proved without sliding contacts.
  double force_tolerance;
  /// Most subintervals of a solve by the fast path, 1..64, default 8. Their number is doubled from 1 until it meets the
  /// tolerance; ff_step_info.capped reports where it did not.
  int max_substeps;
  int order;        ///< `expo`: 2 (default) or 1: without the corrector
  int events; ///< `expo`: 1 (default): touch-down, lift-off, stick and slip inside the step; 0: at its ends only, as always
      ///< with an exponential other than auto
  int max_pieces;  ///< `expo`: events cut a step into at most this many substeps, 1..1000, default 32
  int double_mean; ///< `expo-paper`: positions by eq. 26 (1, default) or by eq. 24 alone (0)
} ff_expo_def;

/// Options of `implicit`.
typedef struct ff_implicit_def {
  double tolerance;   ///< of the residual's norm, > 0, at most 1, default 1e-6 (the paper's)
  int max_iterations; ///< 1..1000, default 50
} ff_implicit_def;

/// Options of `ess`. docs/theory/ess-robots.md
typedef struct ff_ess_step_def {
  double epsilon; ///< events this near are met in a straight line [m], [rad], > 0, at most 0.01, default 1e-5
  /// Of an integrator's step, in parts of 1 m, rad, m/s or rad/s, 0..0.1, default 1e-6
  double relative_tolerance;
  double absolute_tolerance; ///< on top of it [m], [rad], [m/s], [rad/s], > 0, at most 1, default 1e-9
  int max_steps; ///< of the integrator, rejected ones too, in one step of the sim, 1..100000000, default 10000
} ff_ess_step_def;

/// Where a contact's normal spring is at rest.
typedef enum ff_normal_anchor {
  FF_ANCHOR_SURFACE,     ///< at the surface: rest penetration is weight / K (default)
  FF_ANCHOR_FIRST_TOUCH, ///< where the point was when the contact was first seen, as in the paper's code
} ff_normal_anchor;

/// How friction of compliant contacts goes from sticking to slipping and back.
typedef enum ff_contact_law {
  FF_LAW_ANCHOR, ///< "anchor": a spring whose other end dry friction holds; continuous, any soft stepper (default), docs/theory/contact.md
  FF_LAW_SLIP_FLAG, ///< "slip-flag": Algorithm 1 of the Moreau paper, a spring that is let go; any soft stepper, and always
                    ///< compliant contacts of `moreau`. docs/theory/contact.md, section 9
} ff_contact_law;
enum { FF_LAW_COUNT = FF_LAW_SLIP_FLAG + 1 };                   ///< how many laws there are
const char *ff_contact_law_name(ff_contact_law law);            ///< never NULL
int ff_contact_law_find(const char *name, ff_contact_law *law); ///< 1 if there is one of that name

/// Everything about a sim but its model. All is copied. Start from ff_sim_def_default();
/// option.h sets options by their keys.
typedef struct ff_sim_def {
  size_t size;                 ///< of this struct as the program was compiled; ff_sim_def_init() sets it
  ff_stepper stepper;          ///< default FF_STEPPER_EXPO
  double dt;                   ///< step [s], > 0, at most 1000, default 0.001
  const ff_ground_def *ground; ///< [ground_count]; default NULL
  int ground_count; ///< default -1: the plane z = 0, unless the model has collision shapes in the world
  const ff_element_def *elements; ///< [element_count], beside those of the model; default NULL
  int element_count;              ///< default 0
  int model_elements; ///< take joint limits, springs, actuators and its own elements from the model, default 1
  double limit_stiffness; ///< of joint limits [N m/rad] or [N/m], default 1e3
  /// Default 1 (both for all joints; a limit among `elements` or of the model's own has its own)
  double limit_damping;
  /// Delay of motors (PD elements) that have none of their own, see element.h [s], 0..10, default 0
  double motor_delay;
  int self_collision; ///< shapes of one robot touch each other, parent and child apart; default 0.
                      ///< Separate robots and loose bodies always do
  ff_normal_anchor normal_anchor; ///< default FF_ANCHOR_SURFACE
  ff_contact_law contact_law;     ///< default FF_LAW_ANCHOR
  /// `expo`: error that a step may have, 1e-12..1: the largest of any coordinate and velocity, in m, rad, m/s and rad/s alike, as its corrector tells it. A step of the
  /// sim is then cut into as many as that takes, and dt is the longest. 0 (default): one step of dt. docs/theory/expo.md, section 10
  /// `c2a`: share of the kinetic energy that a step may be wrong by, in place of c2a.relative_error.
  double accuracy;
  int max_contacts; ///< most points in contact at once; 0 (default): as many as there can be, at most 512
  /// A velocity component beyond it [m/s] or [rad/s] is a runaway, and refused as a start, default 1e4
  double max_speed;
  int timing; ///< fill ff_step_info.seconds, default 0: it costs some clock reads a step
  /// After each step, whatever the stepper: did shapes go right through each other, being apart before it and after it on the other side, or pushed past each other's middle? Counted in ff_sim_totals.passed; no step is changed
  /// by it. Default 0. It costs some additions a body, and where something moves by more than half of what two shapes are thick in a step, distances of what is near its way.
  int watch_passing;
  ff_isa isa;               ///< default FF_ISA_AUTO
  ff_expo_def expo;         ///< of `expo` and `expo-paper`
  ff_implicit_def implicit; ///< of `implicit`
  ff_ess_step_def ess;      ///< of `ess`
  ff_moreau_def moreau;     ///< see hard.h
  ff_c2a_def c2a;           ///< of `ca` and `c2a`
} ff_sim_def;

/// The defaults into a def of `size` bytes: the stepper `expo` with steps of 1 ms on the plane z = 0.
void ff_sim_def_init(ff_sim_def *def, size_t size);

/// The same as a value.
static inline ff_sim_def ff_sim_def_default(void)
{
  ff_sim_def def;
  ff_sim_def_init(&def, sizeof def);
  return def;
}

/// `def` may be NULL for the default. The model must outlive the sim. The sim starts in the neutral configuration, at rest,
/// at time 0.
ff_status ff_sim_create(const ff_model *model, const ff_sim_def *def, ff_sim **out, ff_error *error);
void ff_sim_destroy(ff_sim *sim); ///< NULL is fine

const ff_model *ff_sim_model(const ff_sim *sim); ///< that it was created with, and does not own
double ff_sim_dt(const ff_sim *sim);             ///< what a step takes [s]
ff_stepper ff_sim_stepper(const ff_sim *sim);    ///< that it was created with

// ---- State ------------------------------------------------------------------------------------------------

/// Back to time 0 at q [nq], v [nv] (NULL: neutral, at rest): contacts are those of shapes that overlap there, their anchors where
/// they are. References of elements are as defined. FF_ERROR_ARGUMENT if a number is not finite, a quaternion zero or a velocity beyond max_speed.
ff_status ff_sim_reset(ff_sim *sim, const double *q, const double *v, ff_error *error);

/// Reset to a posture of the model, at rest. An unknown name is FF_ERROR_ARGUMENT and lists those there are.
ff_status ff_sim_set_posture(ff_sim *sim, const char *posture, ff_error *error);

double ff_sim_time(const ff_sim *sim); ///< since the last reset [s]
/// [nq] at that time. The address is the same for the whole life of the sim: a view that is kept always shows the
/// present state.
const double *ff_sim_q(const ff_sim *sim);
const double *ff_sim_v(const ff_sim *sim); ///< [nv] the same

/// The full state: time, q, v, element references, ground, contacts with their anchors, work done so far, how long the next step of an accuracy is. Not counts
/// (ff_sim_totals).
int ff_sim_state_size(const ff_sim *sim);                ///< in doubles; constant for a sim
void ff_sim_get_state(const ff_sim *sim, double *state); ///< copies it out, [ff_sim_state_size()]
/// Takes a vector that ff_sim_get_state() of a sim with the same model, ground, elements and max_contacts gave; anything else is
/// FF_ERROR_ARGUMENT and changes nothing, as are numbers that no step leaves behind: what is not finite, velocities beyond this sim's max_speed, a
/// ground whose orientation is no rotation. Stepper, dt, masses, materials and gains may differ.
ff_status ff_sim_set_state(ff_sim *sim, const double *state, ff_error *error);

// ---- Stepping ---------------------------------------------------------------------------------------------

/// One step of dt. tau [nv]: generalised forces, held over the step, beside those of elements; NULL: none.
ff_status ff_sim_step(ff_sim *sim, const double *tau, ff_error *error);

/// Fill tau [nv] (zero at entry) for the step that begins now; return 0 to stop before it.
typedef int (*ff_control)(ff_sim *sim, double *tau, void *user);

/// A force and a torque [3] on a link, world axes, for the next step: [N] at the point `at` [3] of the link's frame
/// (NULL: its origin), and [N m]; NULL: none. Held over the step as tau is, in the
/// joints' own axes. Pushes add up until a step is taken; a reset takes them back. They are no part of the state.
/// FF_ERROR_ARGUMENT if there is no such link, or a number is not finite.
ff_status ff_sim_push(ff_sim *sim, int link, const double at[3], const double force[3],
                      const double torque[3], ff_error *error);

/// `steps` steps, >= 0, `control` (may be NULL) asked before each. Stops at the first failure, or when control says so, which is
/// no failure. `done` (may be NULL) is how many were taken.
ff_status ff_sim_run(ff_sim *sim, int steps, ff_control control, void *user, int *done, ff_error *error);

int ff_sim_element_count(const ff_sim *sim); ///< the model's first, then those of ff_sim_def.elements
/// As it is now; name and numbers belong to the sim. FF_ERROR_ARGUMENT if out of range.
ff_status ff_sim_element(const ff_sim *sim, int element, ff_element_def *out);
int ff_sim_find_element(const ff_sim *sim, const char *name); ///< -1 if there is none
/// The motor of a joint: the first PD element on it, -1 if there is none.
int ff_sim_find_motor(const ff_sim *sim, int joint);
/// Where a PD element pulls to from now on, and how fast that moves; of one with a delay, that much later (element.h).
/// FF_ERROR_LIMIT if more than FF_REFERENCE_RATE a second would wait then.
ff_status ff_sim_set_reference(ff_sim *sim, int element, double reference, double velocity);
/// Force of an element at the present state: [1] of joint elements, [3] of points, force and moment [6] of all others, on `a`, world axes. Hard steppers
/// hold stops, points, welds, hinges, sliders and planar ones exactly: of these it is the mean over the last step, zero after a reset.
ff_status ff_sim_element_force(ff_sim *sim, int element, double *force);

/// Place a piece of ground anew and give it a velocity, within max_speed; anchors on it go along. A NULL leaves that as it is.
ff_status ff_sim_move_ground(ff_sim *sim, int ground, const ff_pose *pose, const double velocity[6]);

// ---- What happened ----------------------------------------------------------------------------------------

/// What a contact does.
typedef enum ff_contact_mode {
  FF_CONTACT_RELEASED, ///< shapes overlap, but part so fast that they do not push
  FF_CONTACT_STICK,    ///< friction holds it
  FF_CONTACT_SLIP,     ///< it slides: friction is mu times the normal force
} ff_contact_mode;

/// One point in contact, in world axes; forces are those on `a`.
typedef struct ff_contact {
  int id;               ///< the same from step to step for the same pair of features
  int shape_a;          ///< of the model
  int shape_b;          ///< of the model, or -1: ground
  int ground;           ///< index of the ground, -1: shape_b
  int link_a;           ///< of the model, that carries shape_a
  int link_b;           ///< the same of shape_b, -1: the world
  double point[3];      ///< [m]
  double normal[3];     ///< unit, from b to a
  double anchor[3];     ///< other end of the tangential spring, on the surface that the point touches [m]
  double force[3];      ///< at the present state [N]; of hard contacts the mean over the last step
  double mean_force[3]; ///< over the last step [N]; zero after a reset
  double penetration;   ///< > 0 when shapes overlap [m]
  double slip[2];       ///< sliding velocity of a over b along the two tangents: of the anchor [m/s]
  double tangent[2][3]; ///< t1, t2: with the normal a right-handed frame
  ff_contact_mode mode; ///< at the present state
} ff_contact;

/// Contacts at the present state, in the order of their ids; valid until the sim is touched again.
const ff_contact *ff_sim_contacts(ff_sim *sim, int *count);

/// Parts of a step whose time is told apart, after the paper's table 3. Of `implicit` they are, in this order: residuals, for the line search too; derivatives;
/// linear systems; the rest.
typedef enum ff_phase {
  FF_PHASE_CONTACT,  ///< kinematics, contact detection, contact forces          (computeContactForces)
  FF_PHASE_PREPARE,  ///< bias forces, mass matrix, its factors, J               (prepareExpLDS)
  FF_PHASE_INTEGRAL, ///< the exponential and its integrals                      (computeIntegrals)
  FF_PHASE_UPDATE,   ///< new state, checks, anchors
} ff_phase;
enum { FF_PHASE_COUNT = FF_PHASE_UPDATE + 1 }; ///< how many phases there are
const char *ff_phase_name(ff_phase phase);     ///< "contact", "prepare", ... never NULL

/// What the last step did. Fields that a stepper has no use for are zero.
typedef struct ff_step_info {
  int contacts;       ///< at its end
  int slipping;       ///< of them
  int passed;         ///< with watch_passing: pairs of shapes that went right through each other
  double penetration; ///< deepest overlap at the last moment that the step looked at [m]
  int pieces;         ///< expo: substeps between events, 1 without an event
  int touchdowns;     ///< expo, ess, ca, c2a: contacts that began inside the step
  int liftoffs;       ///< expo, ess: contacts that ended
  int slips;          ///< expo, ess: contacts that began to slide
  int sticks;         ///< expo, ess: contacts that ceased to slide
  int events_capped;  ///< expo: max_pieces was reached; the rest was taken as with `events: 0`
  int factorisations; ///< expo: of the frozen system
  int substeps;       ///< expo: most subintervals of an exponential solve
  int capped; ///< expo: max_substeps was reached, or contacts that slide ran away: the tolerance may not be met
  double force_error;   ///< expo: bound of the relative error that force_tolerance means, the worst of a step
  int integrator_steps; ///< ess, ca, c2a, and expo with an accuracy: steps inside the step that were taken
  int rejected;         ///< the same: those that were too long
  double shortest;      ///< ca, c2a, expo with an accuracy: of those that were taken [s]
  double longest;       ///< the same [s]
  int inaccurate;       ///< expo with an accuracy: those that missed it and could not be shorter
  int projections;      ///< ess: events that were met in a straight line
  int located;          ///< ess: events that were met as roots
  int iterations;       ///< implicit: Newton's; moreau: of the solver
  int converged;        ///< implicit, moreau: 1 if the solution met the tolerances; all others 1
  /// `implicit`: at the end; `moreau`: how far the impulses are from the laws, [N s] over 1 + the largest
  double residual;
  double alpha;  ///< moreau: relaxation at the end
  int fallbacks; ///< moreau: how often it was lowered, or another solver took over
  /// `moreau`, `ca`, `c2a`: farthest that a point, weld or cut joint is apart where the step looks [m]
  double drift;
  double drift_angle;             ///< the same of orientations [rad]
  int tries[FF_C2A_REASON_COUNT]; ///< ca, c2a: how often steps inside the step ended so
  double energy_error; ///< c2a: the largest difference of kinetic energies of a step that was taken [J]
  /// `c2a`: the largest of them over the kinetic energy there, or over absolute_error / relative_error where that is more
  double energy_share;
  int looks;                      ///< ca, c2a: poses that advancement looked at
  double seconds[FF_PHASE_COUNT]; ///< with ff_sim_def.timing
} ff_step_info;

/// Belongs to the sim; the next step overwrites it. After a reset all zero but `converged`.
const ff_step_info *ff_sim_info(const ff_sim *sim);

/// `ca`, `c2a`: the first tries of the last step, in order, at most FF_C2A_HISTORY; none of other steppers. They belong
/// to the sim, and the next step overwrites them.
const ff_c2a_try *ff_sim_history(const ff_sim *sim, int *count);

/// Two shapes that went right through each other within a step.
typedef struct ff_passing {
  /// When they met on the straight way from the state before to the state after; when the step ended, if they were pushed [s]
  double time;
  int shape_a; ///< of the model
  int shape_b; ///< of the model, or -1: ground
  int ground;  ///< index of the ground, -1: shape_b
  int link_a;  ///< that carries shape_a, -1: the world
  int link_b;  ///< that carries shape_b, -1: the world
} ff_passing;

/// Counts since creation or reset.
typedef struct ff_sim_totals {
  long long steps;                      ///< of dt
  long long pieces;                     ///< expo: as in ff_step_info
  long long touchdowns;                 ///< expo, ess, ca, c2a: as in ff_step_info
  long long liftoffs;                   ///< expo, ess: as in ff_step_info
  long long slips;                      ///< expo, ess: as in ff_step_info
  long long sticks;                     ///< expo, ess: as in ff_step_info
  long long integrator_steps;           ///< ess, ca, c2a, expo with an accuracy: as in ff_step_info
  long long rejected;                   ///< the same
  long long projections;                ///< ess: as in ff_step_info
  long long located;                    ///< ess: as in ff_step_info
  double shortest;                      ///< ca, c2a, expo with an accuracy: of all steps inside steps [s]
  double longest;                       ///< the same [s]
  long long tries[FF_C2A_REASON_COUNT]; ///< ca, c2a: as in ff_step_info
  double energy_error;                  ///< c2a: the largest [J]
  double energy_share;                  ///< c2a: the largest
  long long inaccurate;                 ///< expo with an accuracy: of them, those that missed it
  long long unconverged;                ///< implicit, moreau, ca, c2a: steps that did not meet the tolerance
  long long capped;                     ///< expo: steps whose subintervals or substeps were capped
  double worst_penetration;             ///< [m]
  double worst_drift;                   ///< moreau, ca, c2a [m]
  long long passed;                     ///< with watch_passing: as in ff_step_info
  ff_passing first_passing;             ///< the first of them; nothing if there was none
} ff_sim_totals;
/// A copy of the counts so far.
ff_sim_totals ff_sim_get_totals(const ff_sim *sim);

enum { FF_PASSING_TEXT = 256 }; ///< bytes of such a text
/// The first passing in words, "ball passed through wall at t = 2.25 ms", by names of shapes or, where these have none, of links; empty if there was none.
void ff_sim_describe_passing(const ff_sim *sim, char text[FF_PASSING_TEXT]);

/// Energy [J] and power [W] at the present state, and work [J] since the last reset.
typedef struct ff_energy {
  double kinetic;       ///< 1/2 v' M v, armature included
  double potential;     ///< of gravity, zero at the world's origin
  double elastic;       ///< in contact springs and elements
  double total;         ///< of the three
  double control_power; ///< tau v of the last tau; zero after a reset or ff_sim_set_state()
  /// By tau, pushes and controls that are torques: the sum over steps of their force times the way each joint went.
  /// That of motors is not in it
  double control_work;
} ff_energy;
/// Computed at the call; the state does not change.
ff_energy ff_sim_energy(ff_sim *sim);

/// The force that the frozen system predicts for each contact of the present state over `duration`, Expo paper eq. 12: at `count`
/// equally spaced times from 0 to duration, force[k][contact][3] in world axes, without cones. `contacts` (may be NULL) is how
/// many contacts there are; with force NULL only they are counted. tau as in ff_sim_step(). FF_ERROR_UNSUPPORTED for hard contacts, which have no springs.
ff_status ff_sim_predict_forces(ff_sim *sim, const double *tau, double duration, int count, double *force,
                                int *contacts, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
