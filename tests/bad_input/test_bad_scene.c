// Malformed scenes: each is refused with its line and field.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bad_scene.h"

#include <footfall/scene.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- What is said ---------------------------------------------------------------------------------------------------

// The whole message; @ is the file. In `line` what ff_error.line must be.
typedef struct mistake {
  const char *text, *message;
  ff_status status;
  int line;
} mistake;

static const mistake mistakes[] = {
    {SOLO "controller:\n  type: posture-pd\n  joints:\n    elbow: {kp: 1}\n",
     "@:5: controller.joints[0]: the model has no joint 'elbow'", FF_ERROR_ARGUMENT, 5},
    {SOLO "controller:\n  type: posture-pd\n  joints: {FL_HAA: {kp: 1, kd: 1}}\n",
     "@:2: controller.kp: is missing, and controller.joints does not set it for the joint 'FL_HFE'",
     FF_ERROR_PARSE, 2},
    {SOLO "controller:\n  type: posture\n  kp: 1\n  kd: 1\n  joints: {FL_HAA: {kp: 1}}\n",
     "@:6: controller.joints: only 'posture-pd' has gains of single joints; 'posture' has controller.kp "
     "and controller.kd",
     FF_ERROR_ARGUMENT, 6},
    {SOLO "controller:\n  type: posture-pd\n  kp: 1\n  kd: 1\n  joints: {FL_HAA: {kp: -1}}\n",
     "@:6: controller.joints[0].kp: '-1' must not be below 0", FF_ERROR_PARSE, 6},
    {SOLO "load: {fixed_base: true}\nstart: {on_ground: true}\n",
     "@:3: start.on_ground: the base is fixed to the world by load.fixed_base; remove one of the two",
     FF_ERROR_ARGUMENT, 3},
    {SOLO "material: {rolling_friction: 1mm}\nstepper: {type: moreau, contact: compliant}\n",
     "@:3: stepper: moreau with compliant contact has no torsional and rolling friction, which the material of shape "
     "37 'HL' or of what it touches has: choose hard contact or another stepper, or leave it out with "
     "turning_friction: false",
     FF_ERROR_UNSUPPORTED, 3},
    {SOLO "controls: {FL_HAA: 1, FL_HA: 2}\n",
     "@:2: controls[1]: nothing with a control is called 'FL_HA'; did you mean 'FL_HAA'?", FF_ERROR_ARGUMENT,
     2},
    {SOLO "controls: {FL_HAA: 1kg}\n",
     "@:2: controls[0].value: '1kg': the unit 'kg' is not known here; expected a control, such as 2.5, 3Nm or 30deg",
     FF_ERROR_PARSE, 2},
    {SOLO "vary:\n  material.friction: 1..0.3\n",
     "@:3: vary[0]: material.friction: the range 1..0.3 is empty: its first number must be below the second",
     FF_ERROR_ARGUMENT, 3},
    {SOLO "vary: {mass: -1}\n", "@:2: vary[0]: mass: '-1' must be above 0", FF_ERROR_ARGUMENT, 2},
    {SOLO "vary: {mass: [0.9, 1]}\n", "@:2: vary[0].range: must be one value, not a list", FF_ERROR_PARSE, 2},
    {SOLO "stepper: moreau\ncoordinates: maximal\ncontrols: {FL_HAA: 1}\n",
     "@:4: controls: need minimal coordinates", FF_ERROR_ARGUMENT, 4},
    // No YAML
    {"", "@: not a scene: it must be a map of fields, such as 'model: robot.urdf'", FF_ERROR_PARSE, 0},
    {"# nothing\n", "@: not a scene: it must be a map of fields, such as 'model: robot.urdf'", FF_ERROR_PARSE,
     0},
    {"- model\n", "@:1: not a scene: it must be a map of fields, such as 'model: robot.urdf'", FF_ERROR_PARSE,
     1},
    {"model: [a\n", "@:2: not valid YAML: did not find expected ',' or ']'", FF_ERROR_PARSE, 2},
    {SOLO "start:\n\tposture: x\n", "@:3: not valid YAML: found character that cannot start any token",
     FF_ERROR_PARSE, 3},
    {SOLO "title: 'no end\n", "@:3: not valid YAML: found unexpected end of stream", FF_ERROR_PARSE, 3},
    {SOLO "---\n" SOLO, "@:2: there is a second document", FF_ERROR_PARSE, 2},
    {SOLO "dt: &a 1\nduration: *a\n", "@:3: duration: aliases (*name) are not supported; write it out",
     FF_ERROR_UNSUPPORTED, 3},
    {SOLO "[a]: 1\n", "@:2: a key must be a word", FF_ERROR_PARSE, 2},
    {SOLO "dt: \"a\\0b\"\n", "@:2: a text has a zero byte", FF_ERROR_PARSE, 2},

    // Fields
    {"dt: 1ms\n", "@:1: model: is missing", FF_ERROR_PARSE, 1},
    {SOLO "dtt: 1ms\n",
     "@:2: there is no field 'dtt'; known are title, model, load, contact_points, ground, material, "
     "coordinates, start, pushes, controller, controls, vary, stepper, dt, duration, log, expect",
     FF_ERROR_PARSE, 2},
    {SOLO "max_contacts: 9\n",
     "@:2: there is no field 'max_contacts'; did you mean 'stepper.max_contacts'? Known here are title, model, load, "
     "contact_points, ground, material, coordinates, start, pushes, controller, controls, vary, stepper, dt, duration, "
     "log, expect",
     FF_ERROR_PARSE, 2},
    {SOLO "material:\n  stifness: 3\n",
     "@:3: material: there is no field 'stifness'; did you mean 'stiffness'? Known are stiffness, "
     "damping, friction, restitution, "
     "tangential_restitution, torsional_friction, rolling_friction",
     FF_ERROR_PARSE, 3},
    {SOLO "dt: 1ms\nduration: 1\ndt: 2ms\n", "@:4: dt: is given twice, first in line 2", FF_ERROR_PARSE, 4},
    {SOLO "material: {friction: 1, friction: 2}\n", "@:2: friction: is given twice, first in line 2",
     FF_ERROR_PARSE, 2},
    {SOLO "contact_points:\n  - at: [0, 0, 0]\n", "@:3: contact_points[0].link: is missing", FF_ERROR_PARSE,
     3},

    // Kinds of values
    {SOLO "material: soft\n", "@:2: material: must be a map of fields, not one value", FF_ERROR_PARSE, 2},
    {SOLO "material: [1, 2]\n", "@:2: material: must be a map of fields, not a list", FF_ERROR_PARSE, 2},
    {SOLO "start:\n", "@:2: start: must be a map of fields, not nothing", FF_ERROR_PARSE, 2},
    {SOLO "dt: [1ms]\n", "@:2: dt: must be one value, not a list", FF_ERROR_PARSE, 2},
    {SOLO "dt: {a: 1}\n", "@:2: dt: must be one value, not a map", FF_ERROR_PARSE, 2},
    {SOLO "contact_points: 3\n", "@:2: contact_points: must be a list", FF_ERROR_PARSE, 2},
    {SOLO "start:\n  position: [0, 0]\n", "@:3: start.position: must be a list of 3, not of 2",
     FF_ERROR_PARSE, 3},
    {SOLO "stepper:\n  events: maybe\n", "@:3: stepper.events: 'maybe' must be true or false", FF_ERROR_PARSE,
     3},
    {SOLO "stepper:\n  order: 1.5\n", "@:3: stepper.order: '1.5' must be a whole number", FF_ERROR_PARSE, 3},
    {SOLO "title:\n", "@:2: title: must be a text of 1 to 4096 bytes", FF_ERROR_PARSE, 2},

    // Numbers
    {SOLO "dt: fast\n", "@:2: dt: 'fast': not a number; expected a time, such as 2ms, 500us or 1.5s",
     FF_ERROR_PARSE, 2},
    {SOLO "dt: 2kg\n",
     "@:2: dt: '2kg': the unit 'kg' is not known here; expected a time, such as 2ms, 500us or 1.5s",
     FF_ERROR_PARSE, 2},
    {SOLO "dt: nan\n", "@:2: dt: 'nan': not a number; expected a time, such as 2ms, 500us or 1.5s",
     FF_ERROR_PARSE, 2},
    {SOLO "dt: 1e999\n", "@:2: dt: '1e999': that number is too large", FF_ERROR_PARSE, 2},
    {SOLO "dt: 1e-310\n", "@:2: dt: '1e-310': that number is too small", FF_ERROR_PARSE, 2},
    {SOLO "dt: 0\n", "@:2: dt: '0' must be above 0", FF_ERROR_PARSE, 2},
    {SOLO "dt: 2000 s\n", "@:2: dt: '2000 s' must not be above 1000", FF_ERROR_PARSE, 2},
    {SOLO "duration: -1s\n", "@:2: duration: '-1s' must not be below 0", FF_ERROR_PARSE, 2},
    {SOLO "\n\nground:\n  type: plane\n  friction: -0.1\n",
     "@:6: ground.friction: '-0.1' must not be below 0", FF_ERROR_PARSE, 6},
    {SOLO "ground:\n  - plane\n  - type: box\n    size: [1, 0cm, 1]\n",
     "@:5: ground[1].size[1]: '0cm' must be above 0", FF_ERROR_PARSE, 5},
    {SOLO "stepper:\n  type: expo\n  order: 3\n", "@:4: stepper.order: '3' must not be above 2",
     FF_ERROR_PARSE, 4},
    {SOLO "ground: {slope: 90deg}\n", "@:2: ground.slope: '90deg' must not be above 1.55334", FF_ERROR_PARSE,
     2},

    // Words and names
    {SOLO "stepper: magic\n",
     "@:2: stepper.type: 'magic' is not known; known are expo, expo-paper, euler, symplectic, rk4, implicit, ess, "
     "moreau, ca, c2a",
     FF_ERROR_PARSE, 2},
    {SOLO "controller:\n  type: dance\n",
     "@:3: controller.type: 'dance' is not known; known are none, posture-pd, squat, walk, feedback, trot, "
     "posture",
     FF_ERROR_PARSE, 3},
    {SOLO "start:\n  posture: handstand\n",
     "@:3: start.posture: the model has no posture 'handstand'; it has standing, straight_standing, squat",
     FF_ERROR_ARGUMENT, 3},
    {SOLO "start:\n  joints:\n    FL_HAA: 0.1\n    XX_HAA: 0.2\n",
     "@:5: start.joints[1]: the model has no joint 'XX_HAA'; did you mean 'FL_HAA'?", FF_ERROR_ARGUMENT, 5},
    {SOLO "start:\n  joints: {root_joint: 1}\n",
     "@:3: start.joints[0]: the joint 'root_joint' has 7 coordinates, not one", FF_ERROR_ARGUMENT, 3},
    {SOLO "contact_points:\n  - {link: FL_FOOT, at: [0, 0, 0]}\n  - {link: nose, at: [0, 0, 0]}\n",
     "@:4: contact_points[1].link: there is no link 'nose'", FF_ERROR_MODEL, 4},
    {SOLO "controller:\n  type: squat\n  squat:\n    feet:\n      - FL_FOOT\n      - PAW\n",
     "@:7: controller.squat.feet[1]: 'solo' has no frame 'PAW'", FF_ERROR_ARGUMENT, 7},
    {SOLO "controller:\n  type: squat\n  squat: {feet: [FL_FOOT, FR_FOOT, FL_FOOT]}\n",
     "@:4: controller.squat.feet[2]: 'FL_FOOT' is a foot already", FF_ERROR_ARGUMENT, 4},
    {SOLO
     "controller:\n  type: trot\n  trot: {base: base_link, feet: [FL_FOOT, FR_FOOT, FR_FOOT, HR_FOOT]}\n",
     "@:4: controller.trot.feet[2]: 'FR_FOOT' is a foot already", FF_ERROR_ARGUMENT, 4},
    {"model: " MODELS
     "romeo.urdf\ncontroller:\n  type: walk\n  walk: {right_foot: r_ankle, left_foot: r_ankle, base: torso}\n",
     "@:4: controller.walk.left_foot: 'r_ankle' is already the right foot", FF_ERROR_ARGUMENT, 4},
    {SOLO "controller:\n  type: squat\n", "@:2: controller.squat.feet: needs 1 to 64 feet, not 0",
     FF_ERROR_ARGUMENT, 2},
    {"model: " MODELS "romeo.urdf\ncontroller:\n  type: walk\n  walk:\n    right_foot: r_ankle\n",
     "@:4: controller.walk.left_foot: a frame must be named", FF_ERROR_ARGUMENT, 4},
    {SOLO "controller:\n  type: trot\n", "@:2: controller.trot.feet: needs 4 feet, not 0", FF_ERROR_ARGUMENT,
     2},
    {SOLO
     "controller:\n  type: trot\n  trot:\n    base: base_link\n    feet: [FL_FOOT, FR_FOOT, HL_FOOT, TAIL]\n",
     "@:6: controller.trot.feet[3]: 'solo' has no frame 'TAIL'", FF_ERROR_ARGUMENT, 6},
    {SOLO "controller:\n  type: trot\n  trot:\n    feet: [FL_FOOT, FR_FOOT]\n",
     "@:5: controller.trot.feet: must be a list of 4, not of 2", FF_ERROR_PARSE, 5},
    {SOLO "controller:\n  trot: {duty: 0.4}\n", "@:3: controller.trot.duty: '0.4' must not be below 0.5",
     FF_ERROR_PARSE, 3},
    {SOLO "controller:\n  trot: {frequency: 2rpm}\n",
     "@:3: controller.trot.frequency: '2rpm': the unit 'rpm' is not known here; expected a frequency, such as "
     "1.25Hz",
     FF_ERROR_PARSE, 3},
    {SOLO "controller:\n  type: posture\n  kp: 3\n", "@:2: controller.kd: is missing; posture needs it",
     FF_ERROR_PARSE, 2},

    // Hard contact
    {SOLO "material: {restitution: 1.5}\n", "@:2: material.restitution: '1.5' must not be above 1",
     FF_ERROR_PARSE, 2},
    {SOLO "stepper: {type: moreau, solver: magic}\n",
     "@:2: stepper.solver: 'magic' is not known; known are jor, sor, sor-split, exact", FF_ERROR_PARSE, 2},
    {SOLO "stepper: {type: moreau, alpha: 3}\n", "@:2: stepper.alpha: '3' must not be above 2",
     FF_ERROR_PARSE, 2},
    {SOLO "stepper: {type: moreau, absolute_tolerance: 0Ns}\n",
     "@:2: stepper.absolute_tolerance: '0Ns' must be above 0", FF_ERROR_PARSE, 2},
    {SOLO "stepper: {type: moreau, absolute_tolerance: 1e10}\n",
     "@:2: stepper.absolute_tolerance: '1e10' must not be above 1", FF_ERROR_PARSE, 2},
    {SOLO "stepper:\n  type: moreau\n  relative_tolerance: 1e10\n",
     "@:4: stepper.relative_tolerance: '1e10' must not be above 0.1", FF_ERROR_PARSE, 4},
    {SOLO "stepper:\n  type: implicit\n  tolerance: 2\n", "@:4: stepper.tolerance: '2' must not be above 1",
     FF_ERROR_PARSE, 4},
    {SOLO "stepper:\n  type: expo\n  contact_law: flags\n",
     "@:4: stepper.contact_law: 'flags' is not known; known are anchor, slip-flag", FF_ERROR_PARSE, 4},
    {SOLO "stepper: {type: ess, epsilon: 0}\n", "@:2: stepper.epsilon: '0' must be above 0", FF_ERROR_PARSE,
     2},
    {SOLO "stepper: {type: ess, epsilon: 2cm}\n", "@:2: stepper.epsilon: '2cm' must not be above 0.01",
     FF_ERROR_PARSE, 2},
    {SOLO "stepper: {type: ess, epsilon: wide}\n",
     "@:2: stepper.epsilon: 'wide': not a number; expected a length, such as 20cm, 5mm or 0.2m",
     FF_ERROR_PARSE, 2},
    {SOLO "stepper: {type: ess, relative_tolerance: -1}\n",
     "@:2: stepper.relative_tolerance: '-1' must not be below 0", FF_ERROR_PARSE, 2},
    {"model: " MODELS "piles/ball_pit.xml\nstepper: {type: expo, exponential: exact, max_contacts: 10000, "
     "self_collision: yes}\n",
     "@:2: stepper: a simulation of 1200 velocities with max_contacts = 10000 takes 254 GB, more than 8 GB; "
     "reduce max_contacts, or "
     "take the exponential 'auto', which needs less",
     FF_ERROR_LIMIT, 2},
    {SOLO "stepper: {type: ess, max_steps: 0}\n", "@:2: stepper.max_steps: '0' must not be below 1",
     FF_ERROR_PARSE, 2},
    {SOLO "stepper:\n  type: implicit\n  max_iterations: 5000\n",
     "@:4: stepper.max_iterations: '5000' must not be above 1000", FF_ERROR_PARSE, 4},
    {SOLO "coordinates: polar\n",
     "@:2: coordinates.type: 'polar' is not known; known are minimal, extended, maximal, listed",
     FF_ERROR_PARSE, 2},
    {SOLO "coordinates: listed\n", "@:2: coordinates.joints: is missing; 'listed' needs it",
     FF_ERROR_ARGUMENT, 2},
    {SOLO "coordinates:\n  type: maximal\n  joints: [FL_HAA]\n",
     "@:4: coordinates.joints: only 'listed' coordinates name joints", FF_ERROR_ARGUMENT, 4},
    {SOLO "coordinates: maximal\ncontroller: {type: posture-pd, kp: 1, kd: 1}\n",
     "@:3: controller.type: motors inside the step need coordinates of their own; 'posture' holds joints that "
     "are cut",
     FF_ERROR_ARGUMENT, 3},
    {SOLO "pushes:\n  list:\n    - {link: tail, force: [1, 0, 0]}\n",
     "@:4: pushes.list[0].link: the model has no link 'tail'", FF_ERROR_ARGUMENT, 4},
    {SOLO "pushes:\n  list:\n    - {link: base_link}\n", "@:4: pushes.list[0]: needs a 'force' or 'impulse'",
     FF_ERROR_ARGUMENT, 4},
    {SOLO "pushes:\n  list:\n    - {link: base_link, force: [1, 0, 0], impulse: [1, 0, 0]}\n",
     "@:4: pushes.list[0]: needs either 'force' or 'impulse', not both", FF_ERROR_ARGUMENT, 4},
    {SOLO "pushes: {seed: -1}\n", "@:2: pushes.seed: '-1' must not be below 0", FF_ERROR_PARSE, 2},
    {SOLO "pushes: {list: [{link: base_link, force: [1, 0, 0], duration: 0}]}\n",
     "@:2: pushes.list[0].duration: '0' must be above 0", FF_ERROR_PARSE, 2},
    {SOLO "load: {fixed_base: true}\npushes: {list: [{link: base_link, impulse: [1, 0, 0]}]}\n",
     "@:3: pushes.list[0].link: the link 'base_link' does not move", FF_ERROR_ARGUMENT, 3},
    {SOLO "expect: {fallen: [2, 1]}\n",
     "@:2: expect.fallen: goes from 2 to 1: the first must not be above the second", FF_ERROR_ARGUMENT, 2},
    {"model: " MODELS "pendulum.urdf\nexpect: {moved: 1mm}\n",
     "@:2: expect.moved: nothing floats in this model", FF_ERROR_ARGUMENT, 2},

    {SOLO "controller: {type: feedback}\n", "@:2: controller.trajectory: is missing; feedback needs it",
     FF_ERROR_PARSE, 2},
    {SOLO "controller: posture-pd\n", "@:2: controller.kp: is missing; posture-pd needs it", FF_ERROR_PARSE,
     2},

    // Files
    {"model: nowhere.urdf\n", "@:1: model: /tmp/nowhere.urdf: cannot be opened: No such file or directory",
     FF_ERROR_FILE, 1},
    {SOLO "controller:\n  type: feedback\n  trajectory: nowhere.txt\n",
     "@:4: controller.trajectory: /tmp/nowhere.txt: cannot be opened: No such file or directory",
     FF_ERROR_FILE, 4},

    // What does not go together
    {SOLO "dt: 3ms\ncontroller: {type: squat, period: 10ms, squat: {feet: [FL_FOOT]}}\n",
     "@:3: controller.period: 0.01 s is not a multiple of dt, 0.003 s", FF_ERROR_ARGUMENT, 3},
    {SOLO "dt: 20ms\ncontroller: {type: squat, period: 10ms, squat: {feet: [FL_FOOT]}}\n",
     "@:3: controller.period: 0.01 s is not a multiple of dt, 0.02 s", FF_ERROR_ARGUMENT, 3},
    {SOLO "start:\n  quaternion: [0, 0, 0, 1]\n  rpy: [0, 0, 0]\n",
     "@:4: start.rpy: start.quaternion also sets the orientation; keep one of them", FF_ERROR_ARGUMENT, 4},
    {SOLO "start:\n  quaternion: [0, 0, 0, 0]\n",
     "@:3: start.quaternion: its length must be within 1e-6..1e6, not 0", FF_ERROR_ARGUMENT, 3},
    {"model: " MODELS "four_bar.xml\nstart:\n  position: [0, 0, 1]\n",
     "@:3: start.position: nothing floats in this model", FF_ERROR_ARGUMENT, 3},
    {SOLO "ground: box\n", "@:2: ground[0].size: is missing; a box needs it", FF_ERROR_PARSE, 2},
    {SOLO "ground:\n  type: heightfield\n  size: [1, 1, 1]\n  rows: 2\n  columns: 2\n  heights: [0, 0, 0]\n",
     "@:7: ground[0].heights: 3 heights for 2 rows of 2 columns", FF_ERROR_PARSE, 7},
    {BALL "contact_points: [{link: ball, at: [0, 0, 0]}]\nground:\n  type: plane\n  friction: 0.5\n",
     "@:3: ground[0]: the robot's shapes differ in material, so stiffness, damping and friction must be given together",
     FF_ERROR_ARGUMENT, 3},
    {SOLO "expect:\n  com_error: 5mm\n",
     "@:3: expect.com_error: the controller 'none' does not say where the centre of mass should be",
     FF_ERROR_ARGUMENT, 3},
    {SOLO "expect:\n  upright: yes\n  speed: [0.3, 20cm/s]\n",
     "@:4: expect.speed: goes from 0.3 to 0.2 m/s: the first must not be above the second", FF_ERROR_ARGUMENT,
     4},
    {"model: " MODELS "four_bar.xml\nexpect: {advance: 1}\n",
     "@:2: expect.advance: the model does not have exactly one floating base", FF_ERROR_ARGUMENT, 2},
    {"model: " MODELS "four_bar.xml\nexpect: {rise: 1mm}\n",
     "@:2: expect.rise: the model does not have exactly one floating base", FF_ERROR_ARGUMENT, 2},
    {SOLO "expect: {passed: -1}\n", "@:2: expect.passed: '-1' must not be below 0", FF_ERROR_PARSE, 2},
    {SOLO "expect: {rise: high}\n",
     "@:2: expect.rise: 'high': not a number; expected a length, such as 20cm, 5mm or 0.2m", FF_ERROR_PARSE,
     2},
    {SOLO "stepper: {type: c2a, h_min: 0}\n", "@:2: stepper.h_min: '0' must be above 0", FF_ERROR_PARSE, 2},
    {SOLO "stepper: {type: c2a, skin: 1m}\n", "@:2: stepper.skin: '1m' must not be above 0.1", FF_ERROR_PARSE,
     2},
    {SOLO "stepper: {type: c2a, edges: 3}\n", "@:2: stepper.edges: '3' must not be below 4", FF_ERROR_PARSE,
     2},
    {SOLO "stepper: {type: c2a, impact: soft}\n",
     "@:2: stepper.impact: 'soft' is not known; known are dissipation, bounded, coulomb", FF_ERROR_PARSE, 2},
    {SOLO "duration: 1e20\n", "@:2: duration: 1e+20 s in steps of 0.001 s are more than 1e15 steps",
     FF_ERROR_ARGUMENT, 2},

    // Options of other steppers, and old keys
    {SOLO "stepper:\n  type: expo\n  impact: coulomb\n",
     "@:4: stepper.impact: is an option of the steppers ca and c2a, not of expo; to keep it for others, write "
     "stepper.c2a.impact",
     FF_ERROR_ARGUMENT, 4},
    {SOLO "stepper:\n  stabilise: true\n  type: ca\n",
     "@:3: stepper.stabilise: is an option of the stepper moreau, not of ca; to keep it for others, write "
     "stepper.moreau.stabilise",
     FF_ERROR_ARGUMENT, 3},
    {SOLO "stepper: {double_mean: no}\n",
     "@:2: stepper.double_mean: is an option of the stepper expo-paper, not of expo; to keep it for others, write "
     "stepper.expo.double_mean",
     FF_ERROR_ARGUMENT, 2},
    {SOLO "stepper: {type: rk4, relative_tolerance: 1e-3}\n",
     "@:2: stepper.relative_tolerance: is an option of the steppers ess, moreau, ca and c2a, not of rk4",
     FF_ERROR_ARGUMENT, 2},
    {SOLO "stepper: {type: moreau, contact_law: slip-flag}\n",
     "@:2: stepper.contact_law: is an option of the steppers expo, expo-paper, euler, symplectic, rk4, implicit and "
     "ess, not of moreau",
     FF_ERROR_ARGUMENT, 2},
    {SOLO "stepper:\n  type: expo\n  order: 1\n  expo: {order: 2}\n",
     "@:4: stepper.order: stepper.expo.order is set too; keep one of them", FF_ERROR_PARSE, 4},
    {SOLO "stepper:\n  type: ca\n  moreau:\n    solver: magic\n",
     "@:5: stepper.moreau.solver: 'magic' is not known; known are jor, sor, sor-split, exact", FF_ERROR_PARSE,
     5},
    {SOLO "stepper:\n  implicit:\n    max_iteration: 3\n",
     "@:4: stepper.implicit: there is no field 'max_iteration'; did you mean 'max_iterations'? Known are tolerance, "
     "max_iterations",
     FF_ERROR_PARSE, 4},
    {SOLO "stepper: {expo: 2}\n", "@:2: stepper.expo: must be a map of fields, not one value", FF_ERROR_PARSE,
     2},
    {SOLO "stepper: {expo: 2, order: 1}\n", "@:2: stepper.expo: must be a map of fields, not one value",
     FF_ERROR_PARSE, 2},
    {SOLO "stepper: {type: exop, order: 1}\n",
     "@:2: stepper.type: 'exop' is not known; did you mean 'expo'? Known are expo, expo-paper, euler, symplectic, rk4, "
     "implicit, ess, moreau, ca, c2a",
     FF_ERROR_PARSE, 2},
    {SOLO "stepper: {typ: expo}\n",
     "@:2: stepper: there is no field 'typ'; did you mean 'type'? Known are type, accuracy, contact_law, "
     "normal_anchor, hull_contact, self_collision, model_elements, limit_stiffness, limit_damping, turning_friction, "
     "joint_friction, "
     "motor_delay, "
     "max_speed, max_contacts, time_limit, expo, "
     "implicit, ess, moreau, c2a",
     FF_ERROR_PARSE, 2},
    {SOLO "stepper: {moreua: {solver: sor}}\n",
     "@:2: stepper: there is no field 'moreua'; did you mean 'moreau'? Known are type, accuracy, contact_law, "
     "normal_anchor, hull_contact, self_collision, model_elements, limit_stiffness, limit_damping, turning_friction, "
     "joint_friction, "
     "motor_delay, "
     "max_speed, max_contacts, time_limit, expo, "
     "implicit, ess, moreau, c2a",
     FF_ERROR_PARSE, 2},
    {SOLO "stepper: {timing: on}\n",
     "@:2: stepper: there is no field 'timing'; known are type, accuracy, contact_law, normal_anchor, hull_contact, "
     "self_collision, "
     "model_elements, limit_stiffness, limit_damping, turning_friction, joint_friction, motor_delay, max_speed, "
     "max_contacts, "
     "time_limit, expo, "
     "implicit, ess, moreau, c2a",
     FF_ERROR_PARSE, 2},
    {SOLO "stepper: {stepper: rk4}\n",
     "@:2: stepper: there is no field 'stepper'; known are type, accuracy, contact_law, normal_anchor, "
     "hull_contact, self_collision, model_elements, limit_stiffness, limit_damping, turning_friction, joint_friction, "
     "motor_delay, "
     "max_speed, "
     "max_contacts, time_limit, expo, implicit, ess, "
     "moreau, c2a",
     FF_ERROR_PARSE, 2},
    {SOLO "stepper: {expo.order: 1}\n",
     "@:2: stepper: there is no field 'expo.order'; known are type, accuracy, contact_law, normal_anchor, "
     "hull_contact, self_collision, model_elements, limit_stiffness, limit_damping, turning_friction, joint_friction, "
     "motor_delay, "
     "max_speed, "
     "max_contacts, time_limit, expo, implicit, ess, "
     "moreau, c2a",
     FF_ERROR_PARSE, 2},
};

static void every_mistake_is_named_with_its_line(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i) {
    const mistake *m = &mistakes[i];
    char want[1000];
    ff_error error = {0};
    ff_scene *scene = NULL;
    ffi_bad_scene_write(m->text, strlen(m->text));
    const ff_status status = ff_scene_load(ffi_bad_scene_path, NULL, 0, &scene, &error);
    snprintf(want, sizeof want, "%s%s", m->message[0] == '@' ? ffi_bad_scene_path : "",
             m->message + (m->message[0] == '@'));
    if (status != m->status || error.status != m->status || error.line != m->line ||
        strcmp(error.message, want) != 0 || scene)
      fail_msg("%s\ngave %d, line %d: %s\nnot  %d, line %d: %s", m->text, (int)status, error.line,
               error.message, (int)m->status, m->line, want);
    assert_int_equal(ff_scene_load(ffi_bad_scene_path, NULL, 0, &scene, NULL), m->status); // nobody listens
  }
}

static void files_that_cannot_be_read_are_named(void **state)
{
  (void)state;
  ff_scene *scene;
  ff_error error;
  assert_int_equal(ff_scene_load("/nowhere/a.yaml", NULL, 0, &scene, &error), FF_ERROR_FILE);
  assert_string_equal(error.message, "/nowhere/a.yaml: cannot be opened: No such file or directory");
  assert_int_equal(ff_scene_load(NULL, NULL, 0, &scene, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_scene_load("a", NULL, 1, &scene, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_scene_load("a", NULL, 0, NULL, &error), FF_ERROR_ARGUMENT);
}

// What is wrong in the model is said with the model's line.
static void models_speak_for_themselves(void **state)
{
  (void)state;
  static const char text[] =
      "model: " FFI_TEST_SOURCE_DIR "/tests/bad_input/urdf/actuator_unknown_joint.urdf\n";
  ff_scene *scene;
  ff_error error;
  ffi_bad_scene_write(text, sizeof text - 1);
  assert_int_equal(ff_scene_load(ffi_bad_scene_path, NULL, 0, &scene, &error), FF_ERROR_MODEL);
  assert_non_null(strstr(error.message, "actuator_unknown_joint.urdf:"));
  assert_true(error.line > 0);
}

// ---- Overrides ------------------------------------------------------------------------------------------------------

static void overrides_are_named_as_they_were_said(void **state)
{
  (void)state;
  static const struct {
    ff_scene_override override;
    const char *message;
  } cases[] = {
      {{"dt", "-1", NULL}, "dt=-1: dt: '-1' must be above 0"},
      {{"dt", "-1", "--dt -1"}, "--dt -1: dt: '-1' must be above 0"},
      {{"ground[3].friction", "1", NULL},
       "ground[3].friction=1: '3' is not an entry of this list, whose length is 1"},
      {{"ground.x", "1", NULL}, "ground.x=1: 'x' is not an entry of this list, whose length is 1"},
      {{"a..b", "1", NULL},
       "a..b=1: there is no field 'a'; known are title, model, load, contact_points, ground, material, "
       "coordinates, start, pushes, controller, controls, vary, stepper, dt, duration, log, expect"},
      {{"", "1", NULL}, "=1: names no field"},
      {{".", "1", NULL}, ".=1: '.' is not a path, such as ground[0].friction"},
      {{"dt", "", NULL}, "dt=: there is no value"},
      {{"dt", "[1", NULL}, "dt=[1: not valid YAML: did not find expected ',' or ']'"},
      {{"start.joints", "{nose: 1}", NULL},
       "start.joints={nose: 1}: start.joints[0]: the model has no joint 'nose'"},
      {{"controller.walk.steps", "0", "--set x"}, "--set x: controller.walk.steps: '0' must not be below 1"},
  };
  static const char text[] = SOLO "ground: [plane]\n";
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ff_scene *scene;
    ff_error error = {0};
    ffi_bad_scene_write(text, sizeof text - 1);
    assert_int_not_equal(ff_scene_load(ffi_bad_scene_path, &cases[i].override, 1, &scene, &error), FF_OK);
    assert_string_equal(error.message, cases[i].message);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_mistake_is_named_with_its_line),
      cmocka_unit_test(files_that_cannot_be_read_are_named),
      cmocka_unit_test(models_speak_for_themselves),
      cmocka_unit_test(overrides_are_named_as_they_were_said),
  };
  return cmocka_run_group_tests(tests, ffi_bad_scene_make, ffi_bad_scene_remove);
}
