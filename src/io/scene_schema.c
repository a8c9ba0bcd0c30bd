// The fields of a scene. In a map that may be written as one word the word's field is the first ("stepper: expo"); in a list that may be written as
// a map, the key's field is the first and the value's the second ("joints: {knee: 0.5}").
#include "io/scene_schema.h"

#define OPTIONAL CYAML_FLAG_OPTIONAL
#define POINTER (CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NUMBER(key, type, member) CYAML_FIELD_FLOAT(key, OPTIONAL, type, member)
#define WHOLE(key, type, member) CYAML_FIELD_INT(key, OPTIONAL, type, member)
#define SWITCH(key, type, member) CYAML_FIELD_BOOL(key, OPTIONAL, type, member)
#define WORD(key, type, member, words) CYAML_FIELD_ENUM(key, OPTIONAL, type, member, words, COUNT(words))
#define TEXT(key, flags, type, member)                                                                       \
  CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), type, member, 1, 4096)
#define NUMBERS(key, flags, type, member, count)                                                             \
  CYAML_FIELD_SEQUENCE_FIXED(key, flags, type, member, &number, count)
#define PART(key, type, member, fields) CYAML_FIELD_MAPPING(key, OPTIONAL, type, member, fields)

static const cyaml_schema_value_t number = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};
static const cyaml_schema_value_t text = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, 4096)};

// ---- Words ----------------------------------------------------------------------------------------------------------

static const cyaml_strval_t mimics[] = {
    {"refuse", FF_MIMIC_REFUSE}, {"free", FF_MIMIC_FREE}, {"fix", FF_MIMIC_FIX}};
static const cyaml_strval_t grounds[] = {
    {"plane", FF_SHAPE_PLANE}, {"box", FF_SHAPE_BOX}, {"heightfield", FF_SHAPE_HEIGHTFIELD}};
static const cyaml_strval_t controllers[] = {
    {"none", FF_CONTROLLER_NONE},         {"posture-pd", FF_CONTROLLER_POSTURE_PD},
    {"squat", FF_CONTROLLER_SQUAT},       {"walk", FF_CONTROLLER_WALK},
    {"feedback", FF_CONTROLLER_FEEDBACK}, {"trot", FF_CONTROLLER_TROT},
    {"posture", FF_CONTROLLER_POSTURE}};
static const cyaml_strval_t steppers[] = {
    {"expo", FF_STEPPER_EXPO},   {"expo-paper", FF_STEPPER_EXPO_PAPER},
    {"euler", FF_STEPPER_EULER}, {"symplectic", FF_STEPPER_SYMPLECTIC},
    {"rk4", FF_STEPPER_RK4},     {"implicit", FF_STEPPER_IMPLICIT},
    {"ess", FF_STEPPER_ESS},     {"moreau", FF_STEPPER_MOREAU},
    {"ca", FF_STEPPER_CA},       {"c2a", FF_STEPPER_C2A},
};
static const cyaml_strval_t hard_contacts[] = {{"hard", FF_HARD_CONTACT_HARD},
                                               {"compliant", FF_HARD_CONTACT_COMPLIANT}};
static const cyaml_strval_t solvers[] = {
    {"jor", FF_HARD_JOR}, {"sor", FF_HARD_SOR}, {"sor-split", FF_HARD_SOR_SPLIT}, {"exact", FF_HARD_EXACT}};
static const cyaml_strval_t forms[] = {
    {"auto", FF_HARD_FORM_AUTO}, {"impulse", FF_HARD_FORM_IMPULSE}, {"velocity", FF_HARD_FORM_VELOCITY}};
static const cyaml_strval_t bilaterals[] = {{"direct", FF_HARD_DIRECT}, {"prox", FF_HARD_PROX}};
static const cyaml_strval_t cuts[] = {{"minimal", FF_CUT_MINIMAL},
                                      {"extended", FF_CUT_EXTENDED},
                                      {"maximal", FF_CUT_MAXIMAL},
                                      {"listed", FF_CUT_LISTED}};
static const cyaml_strval_t places[] = {{"joints", FF_CUT_AT_JOINTS}, {"centres", FF_CUT_AT_CENTRES}};
static const cyaml_strval_t exponentials[] = {
    {"auto", FF_EXPONENTIAL_AUTO},       {"exact", FF_EXPONENTIAL_EXACT},
    {"order-1", FF_EXPONENTIAL_ORDER_1}, {"order-2", FF_EXPONENTIAL_ORDER_2},
    {"order-3", FF_EXPONENTIAL_ORDER_3}, {"order-5", FF_EXPONENTIAL_ORDER_5},
    {"order-7", FF_EXPONENTIAL_ORDER_7},
};
static const cyaml_strval_t anchors[] = {{"surface", FF_ANCHOR_SURFACE},
                                         {"first-touch", FF_ANCHOR_FIRST_TOUCH}};
static const cyaml_strval_t laws[] = {{"anchor", FF_LAW_ANCHOR}, {"slip-flag", FF_LAW_SLIP_FLAG}};
static const cyaml_strval_t schemes[] = {{"semi-implicit", FF_C2A_SEMI_IMPLICIT},
                                         {"explicit", FF_C2A_EXPLICIT}};
static const cyaml_strval_t impacts[] = {
    {"dissipation", FF_IMPACT_DISSIPATION}, {"bounded", FF_IMPACT_BOUNDED}, {"coulomb", FF_IMPACT_COULOMB}};
static const cyaml_strval_t cones[] = {{"cone", FF_IMPACT_CONE}, {"polygon", FF_IMPACT_POLYGON}};
static const cyaml_strval_t bounces[] = {{"newton", FF_IMPACT_NEWTON}, {"poisson", FF_IMPACT_POISSON}};
static const cyaml_strval_t sides[] = {{"right", FF_SIDE_RIGHT}, {"left", FF_SIDE_LEFT}};

// ---- The robot and its surroundings ---------------------------------------------------------------------------------

static const cyaml_schema_field_t load[] = {
    SWITCH("fixed_base", ff_scene_load_options, fixed_base),
    WORD("mimic", ff_scene_load_options, mimic, mimics),
    CYAML_FIELD_SEQUENCE("mesh_paths", POINTER, ff_scene_load_options, mesh_paths, &text, 0, 100),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t point_fields[] = {
    TEXT("link", 0, ff_scene_point, link),
    TEXT("name", OPTIONAL, ff_scene_point, name),
    NUMBERS("at", 0, ff_scene_point, at, 3),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t point = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, ff_scene_point, point_fields)};

static const cyaml_schema_field_t material[] = {
    NUMBER("stiffness", ff_scene_material, stiffness),
    NUMBER("damping", ff_scene_material, damping),
    NUMBER("friction", ff_scene_material, friction),
    NUMBER("restitution", ff_scene_material, restitution),
    NUMBER("tangential_restitution", ff_scene_material, tangential_restitution),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t piece_fields[] = {
    WORD("type", ff_scene_ground, type, grounds),
    NUMBERS("position", OPTIONAL, ff_scene_ground, position, 3),
    NUMBERS("rpy", OPTIONAL, ff_scene_ground, rpy, 3),
    NUMBER("slope", ff_scene_ground, slope),
    NUMBERS("size", OPTIONAL, ff_scene_ground, size, 3),
    CYAML_FIELD_SEQUENCE("heights", POINTER, ff_scene_ground, heights, &number, 0, FFI_YAML_NODES),
    WHOLE("rows", ff_scene_ground, rows),
    WHOLE("columns", ff_scene_ground, columns),
    NUMBERS("velocity", OPTIONAL, ff_scene_ground, velocity, 6),
    NUMBER("stiffness", ff_scene_ground, material.stiffness),
    NUMBER("damping", ff_scene_ground, material.damping),
    NUMBER("friction", ff_scene_ground, material.friction),
    NUMBER("restitution", ff_scene_ground, material.restitution),
    NUMBER("tangential_restitution", ff_scene_ground, material.tangential_restitution),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t piece = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, ff_scene_ground, piece_fields)};

static const cyaml_schema_field_t coordinates[] = {
    WORD("type", ff_scene_coordinates, type, cuts),
    WORD("place", ff_scene_coordinates, place, places),
    CYAML_FIELD_SEQUENCE("joints", POINTER, ff_scene_coordinates, joints, &text, 1, FFI_YAML_KEYS),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t joint_fields[] = {
    TEXT("name", 0, ff_scene_joint, name),
    NUMBER("position", ff_scene_joint, position),
    NUMBER("velocity", ff_scene_joint, velocity),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t joint = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, ff_scene_joint, joint_fields)};

static const cyaml_schema_field_t start[] = {
    TEXT("posture", OPTIONAL, ff_scene_start, posture),
    NUMBERS("position", OPTIONAL, ff_scene_start, position, 3),
    NUMBERS("quaternion", OPTIONAL, ff_scene_start, quaternion, 4),
    NUMBERS("rpy", OPTIONAL, ff_scene_start, rpy, 3),
    NUMBERS("velocity", OPTIONAL, ff_scene_start, velocity, 6),
    CYAML_FIELD_SEQUENCE("joints", POINTER, ff_scene_start, joints, &joint, 0, FFI_YAML_KEYS),
    CYAML_FIELD_END,
};

// ---- Pushes ---------------------------------------------------------------------------------------------------------

static const cyaml_schema_field_t vary[] = {
    NUMBER("magnitude", ff_scene_vary, magnitude), NUMBER("angle", ff_scene_vary, angle),
    NUMBER("tilt", ff_scene_vary, tilt),           NUMBER("place", ff_scene_vary, place),
    NUMBER("time", ff_scene_vary, time),           CYAML_FIELD_END,
};

static const cyaml_schema_field_t push_fields[] = {
    TEXT("link", 0, ff_scene_push, link),
    NUMBERS("at", OPTIONAL, ff_scene_push, at, 3),
    NUMBERS("force", OPTIONAL, ff_scene_push, force, 3),
    NUMBERS("impulse", OPTIONAL, ff_scene_push, impulse, 3),
    NUMBER("from", ff_scene_push, from),
    NUMBER("duration", ff_scene_push, duration),
    PART("vary", ff_scene_push, vary, vary),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t push = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, ff_scene_push, push_fields)};

static const cyaml_schema_field_t pushes[] = {
    WHOLE("seed", ff_scene_pushes, seed),
    CYAML_FIELD_SEQUENCE("list", POINTER, ff_scene_pushes, list, &push, 0, 1000),
    CYAML_FIELD_END,
};

// ---- The controller -------------------------------------------------------------------------------------------------

static const cyaml_schema_field_t task[] = {
    NUMBER("weight", ff_task, weight),
    SWITCH("strict", ff_task, is_strict),
    NUMBER("kp", ff_task, kp),
    NUMBER("kd", ff_task, kd),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t tasks[] = {
    PART("com", ff_tasks_def, com, task),
    PART("posture", ff_tasks_def, posture, task),
    PART("contact", ff_tasks_def, contact, task),
    PART("foot", ff_tasks_def, foot, task),
    PART("base", ff_tasks_def, base, task),
    NUMBER("force_weight", ff_tasks_def, force_weight),
    NUMBER("acceleration_weight", ff_tasks_def, acceleration_weight),
    NUMBER("friction", ff_tasks_def, friction),
    NUMBER("min_force", ff_tasks_def, min_force),
    NUMBER("max_force", ff_tasks_def, max_force),
    SWITCH("torque_limits", ff_tasks_def, torque_limits),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t squat[] = {
    CYAML_FIELD_SEQUENCE("feet", POINTER, ff_squat_def, feet, &text, 1, 64),
    NUMBERS("offset", OPTIONAL, ff_squat_def, offset, 3),
    NUMBERS("amplitude", OPTIONAL, ff_squat_def, amplitude, 3),
    NUMBERS("rate", OPTIONAL, ff_squat_def, rate, 3),
    NUMBER("rise", ff_squat_def, rise),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t walk[] = {
    TEXT("right_foot", OPTIONAL, ff_walk_task_def, right_foot),
    TEXT("left_foot", OPTIONAL, ff_walk_task_def, left_foot),
    TEXT("base", OPTIONAL, ff_walk_task_def, base),
    NUMBERS("sole", OPTIONAL, ff_walk_task_def, sole, 4),
    NUMBER("sole_height", ff_walk_task_def, sole_height),
    WHOLE("steps", ff_walk_task_def, steps),
    WORD("first_swing", ff_walk_task_def, first_swing, sides),
    NUMBER("step_time", ff_walk_task_def, step_time),
    NUMBER("both_time", ff_walk_task_def, both_time),
    NUMBER("start_time", ff_walk_task_def, start_time),
    NUMBER("end_time", ff_walk_task_def, end_time),
    NUMBER("step_length", ff_walk_task_def, step_length),
    NUMBER("step_height", ff_walk_task_def, step_height),
    NUMBER("margin", ff_walk_task_def, margin),
    NUMBER("interval", ff_walk_task_def, interval),
    NUMBER("pressure_weight", ff_walk_task_def, pressure_weight),
    NUMBER("speed_weight", ff_walk_task_def, speed_weight),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t trot[] = {
    TEXT("base", OPTIONAL, ff_trot_task_def, base),
    CYAML_FIELD_SEQUENCE("feet", POINTER, ff_trot_task_def, feet, &text, 4, 4),
    NUMBER("frequency", ff_trot_task_def, frequency),
    NUMBER("duty", ff_trot_task_def, duty),
    NUMBER("speed", ff_trot_task_def, speed),
    NUMBER("step_height", ff_trot_task_def, step_height),
    NUMBER("height", ff_trot_task_def, height),
    NUMBER("start_time", ff_trot_task_def, start_time),
    NUMBER("ramp_time", ff_trot_task_def, ramp_time),
    NUMBER("placement", ff_trot_task_def, placement),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t gain_fields[] = {
    TEXT("name", 0, ff_scene_gain, name),
    NUMBER("kp", ff_scene_gain, kp),
    NUMBER("kd", ff_scene_gain, kd),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t gain = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, ff_scene_gain, gain_fields)};

static const cyaml_schema_field_t controller[] = {
    WORD("type", ff_scene_controller, type, controllers),
    NUMBER("period", ff_scene_controller, period),
    SWITCH("middle", ff_scene_controller, middle),
    PART("tasks", ff_scene_controller, tasks, tasks),
    NUMBER("kp", ff_scene_controller, kp),
    NUMBER("kd", ff_scene_controller, kd),
    CYAML_FIELD_SEQUENCE("joints", POINTER, ff_scene_controller, joints, &gain, 0, FFI_YAML_KEYS),
    PART("squat", ff_scene_controller, squat, squat),
    PART("walk", ff_scene_controller, walk, walk),
    PART("trot", ff_scene_controller, trot, trot),
    TEXT("trajectory", OPTIONAL, ff_scene_controller, trajectory),
    CYAML_FIELD_END,
};

// ---- Running --------------------------------------------------------------------------------------------------------

static const cyaml_schema_field_t stepper[] = {
    WORD("type", ff_scene_stepper, type, steppers),
    WORD("exponential", ff_scene_stepper, exponential, exponentials),
    WHOLE("order", ff_scene_stepper, order),
    SWITCH("events", ff_scene_stepper, events),
    WHOLE("max_substeps", ff_scene_stepper, max_substeps),
    WHOLE("max_pieces", ff_scene_stepper, max_pieces),
    SWITCH("double_mean", ff_scene_stepper, double_mean),
    NUMBER("force_tolerance", ff_scene_stepper, force_tolerance),
    NUMBER("accuracy", ff_scene_stepper, accuracy),
    NUMBER("tolerance", ff_scene_stepper, tolerance),
    WHOLE("max_iterations", ff_scene_stepper, max_iterations),
    WORD("contact", ff_scene_stepper, contact, hard_contacts),
    WORD("solver", ff_scene_stepper, solver, solvers),
    WORD("form", ff_scene_stepper, form, forms),
    WORD("bilateral", ff_scene_stepper, bilateral, bilaterals),
    NUMBER("alpha", ff_scene_stepper, alpha),
    NUMBER("relative_tolerance", ff_scene_stepper, relative_tolerance),
    NUMBER("absolute_tolerance", ff_scene_stepper, absolute_tolerance),
    SWITCH("warm_start", ff_scene_stepper, warm_start),
    SWITCH("stabilise", ff_scene_stepper, stabilise),
    NUMBER("epsilon", ff_scene_stepper, epsilon),
    WHOLE("max_steps", ff_scene_stepper, max_steps),
    NUMBER("h_min", ff_scene_stepper, h_min),
    NUMBER("skin", ff_scene_stepper, skin),
    SWITCH("advancement", ff_scene_stepper, advancement),
    SWITCH("error_control", ff_scene_stepper, error_control),
    NUMBER("absolute_error", ff_scene_stepper, absolute_error),
    NUMBER("relative_error", ff_scene_stepper, relative_error),
    WORD("scheme", ff_scene_stepper, scheme, schemes),
    NUMBER("dissipation", ff_scene_stepper, dissipation),
    NUMBER("rayleigh", ff_scene_stepper, rayleigh),
    WORD("impact", ff_scene_stepper, impact, impacts),
    WORD("cone", ff_scene_stepper, cone, cones),
    WHOLE("edges", ff_scene_stepper, edges),
    WORD("bounce", ff_scene_stepper, bounce, bounces),
    WORD("normal_anchor", ff_scene_stepper, normal_anchor, anchors),
    WORD("contact_law", ff_scene_stepper, contact_law, laws),
    SWITCH("self_collision", ff_scene_stepper, self_collision),
    SWITCH("model_elements", ff_scene_stepper, model_elements),
    NUMBER("limit_stiffness", ff_scene_stepper, limit_stiffness),
    NUMBER("limit_damping", ff_scene_stepper, limit_damping),
    NUMBER("max_speed", ff_scene_stepper, max_speed),
    WHOLE("max_contacts", ff_scene_stepper, max_contacts),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t log_fields[] = {
    TEXT("file", OPTIONAL, ff_scene_log, file),
    WHOLE("every", ff_scene_log, every),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t expect[] = {
    NUMBER("com_error", ff_scene_expect, com_error), NUMBER("steps", ff_scene_expect, steps),
    NUMBER("flight", ff_scene_expect, flight),       NUMBERS("speed", OPTIONAL, ff_scene_expect, speed, 2),
    NUMBER("advance", ff_scene_expect, advance),     NUMBER("final_speed", ff_scene_expect, final_speed),
    SWITCH("upright", ff_scene_expect, upright),     NUMBER("penetration", ff_scene_expect, penetration),
    NUMBER("drift", ff_scene_expect, drift),         NUMBER("unconverged", ff_scene_expect, unconverged),
    NUMBER("contacts", ff_scene_expect, contacts),   NUMBERS("fallen", OPTIONAL, ff_scene_expect, fallen, 2),
    NUMBER("moved", ff_scene_expect, moved),         NUMBER("rise", ff_scene_expect, rise),
    NUMBER("passed", ff_scene_expect, passed),       CYAML_FIELD_END,
};

static const cyaml_schema_field_t scene[] = {
    TEXT("title", OPTIONAL, ff_scene_def, title),
    TEXT("model", 0, ff_scene_def, model),
    PART("load", ff_scene_def, load, load),
    CYAML_FIELD_SEQUENCE("contact_points", POINTER, ff_scene_def, contact_points, &point, 0, 10000),
    CYAML_FIELD_SEQUENCE("ground", POINTER, ff_scene_def, ground, &piece, 0, 10000),
    PART("material", ff_scene_def, material, material),
    PART("coordinates", ff_scene_def, coordinates, coordinates),
    PART("start", ff_scene_def, start, start),
    PART("pushes", ff_scene_def, pushes, pushes),
    PART("controller", ff_scene_def, controller, controller),
    PART("stepper", ff_scene_def, stepper, stepper),
    NUMBER("dt", ff_scene_def, dt),
    NUMBER("duration", ff_scene_def, duration),
    PART("log", ff_scene_def, log, log_fields),
    PART("expect", ff_scene_def, expect, expect),
    CYAML_FIELD_END,
};

const cyaml_schema_value_t ffi_scene_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, ff_scene_def, scene)};
