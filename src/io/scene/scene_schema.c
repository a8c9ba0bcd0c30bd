// The fields of a scene: keys, kinds, units, ranges, and where they go. Defaults are in
// scene/scene_def.c; those of list entries are here.
#include "io/scene/scene_schema.h"

#include "io/yaml/yaml.h"

#include <float.h>
#include <math.h>

// ---- Rows -----------------------------------------------------------------------------------------------------------

// Ranges: is_open, or_zero, least, most.
#define ANY 0, 0, -DBL_MAX, DBL_MAX
#define ABOVE_0 1, 0, 0, DBL_MAX
#define FROM_0 0, 0, 0, DBL_MAX
#define WITHIN(least, most) 0, 0, least, most
#define ABOVE_0_TO(most) 1, 0, 0, most

#define MEASURE(quantity, ...)                                                                               \
  {                                                                                                          \
    FF_VALUE_NUMBER, FF_QUANTITY_##quantity, __VA_ARGS__, NULL                                               \
  }
#define COUNT(from, to)                                                                                      \
  {                                                                                                          \
    FF_VALUE_WHOLE, FF_QUANTITY_NUMBER, 0, 0, from, to, NULL                                                 \
  }
#define NUMBER(key, type, member, quantity, ...)                                                             \
  {                                                                                                          \
    key, FFI_SCENE_VALUE, .offset = offsetof(type, member), .value = MEASURE(quantity, __VA_ARGS__)          \
  }
#define NUMBERS(key, type, member, entries, quantity, ...)                                                   \
  {                                                                                                          \
    key, FFI_SCENE_VALUES, .offset = offsetof(type, member), .least = entries, .most = entries,              \
                           .value = MEASURE(quantity, __VA_ARGS__)                                           \
  }
#define WHOLE(key, type, member, from, to)                                                                   \
  {                                                                                                          \
    key, FFI_SCENE_VALUE, .offset = offsetof(type, member), .value = COUNT(from, to)                         \
  }
#define FLAG(key, of, member)                                                                                \
  {                                                                                                          \
    key, FFI_SCENE_VALUE, .offset = offsetof(of, member), .value = {.type = FF_VALUE_FLAG }                  \
  }
#define WORD(key, of, member, list)                                                                          \
  {                                                                                                          \
    key, FFI_SCENE_VALUE, .offset = offsetof(of, member), .value = {.type = FF_VALUE_WORD, .word = (list) }  \
  }
#define WORD_AS(key, of, member, list, stored)                                                               \
  {                                                                                                          \
    key, FFI_SCENE_VALUE, .offset = offsetof(of, member), .value = {.type = FF_VALUE_WORD, .word = (list)},  \
                          .numbers = (stored)                                                                \
  }
#define TEXT(key, needed, type, member)                                                                      \
  {                                                                                                          \
    key, FFI_SCENE_TEXT, needed, .offset = offsetof(type, member)                                            \
  }
#define LIST(key, list_kind, type, member, from, to)                                                         \
  key, list_kind, .offset = offsetof(type, member), .count_offset = offsetof(type, member##_count),          \
                  .least = (from), .most = (to)
#define MAP(key, type, member, fields)                                                                       \
  {                                                                                                          \
    key, FFI_SCENE_MAP, .offset = offsetof(type, member), .map = &(fields)                                   \
  }
#define MAP_OF(fields, type, start)                                                                          \
  {                                                                                                          \
    fields, sizeof(type), start                                                                              \
  }
#define END                                                                                                  \
  {                                                                                                          \
    .key = NULL                                                                                              \
  }

enum { OPTIONAL, NEEDED };

// ---- Words ----------------------------------------------------------------------------------------------------------

#define WORDS(name, ...)                                                                                     \
  static const char *name(int index)                                                                         \
  {                                                                                                          \
    static const char *const list[] = {__VA_ARGS__};                                                         \
    return index >= 0 && index < (int)(sizeof list / sizeof list[0]) ? list[index] : NULL;                   \
  }
WORDS(mimics, "refuse", "free", "fix", "couple")           // in the order of ff_mimic_policy
WORDS(softness, "stated", "mujoco", "footfall")            // in the order of ff_contact_parameters
WORDS(massless_policies, "least-inertia", "fix", "refuse") // in the order of ff_massless_policy
WORDS(grounds, "plane", "box", "heightfield")
WORDS(controllers, "none", "posture-pd", "squat", "walk", "feedback", "trot", "posture")
WORDS(places, "joints", "centres") // of ff_cut_place
WORDS(sides, "right", "left")      // of ff_side

static const int ground_types[] = {FF_SHAPE_PLANE, FF_SHAPE_BOX, FF_SHAPE_HEIGHTFIELD};
static const int controller_types[] = {FF_CONTROLLER_NONE,   FF_CONTROLLER_POSTURE_PD, FF_CONTROLLER_SQUAT,
                                       FF_CONTROLLER_WALK,   FF_CONTROLLER_FEEDBACK,   FF_CONTROLLER_TROT,
                                       FF_CONTROLLER_POSTURE};

static const char *cuts(int index)
{
  return index >= 0 && index <= FF_CUT_LISTED ? ff_cut_set_name((ff_cut_set)index) : NULL;
}

// ---- The robot and its surroundings ---------------------------------------------------------------------------------

static const ffi_scene_schema_field load_fields[] = {
    FLAG("fixed_base", ff_scene_load_options, fixed_base),
    WORD("mimic", ff_scene_load_options, mimic, mimics),
    {.key = "srdf",
     .kind = FFI_SCENE_TEXT,
     .is_needed = OPTIONAL,
     .offset = offsetof(ff_scene_load_options, srdf),
     .can_be_empty = 1},
    WORD("contact_parameters", ff_scene_load_options, contact_parameters, softness),
    WORD("massless", ff_scene_load_options, massless, massless_policies),
    {LIST("mesh_paths", FFI_SCENE_TEXTS, ff_scene_load_options, mesh_paths, 0, 100)},
    END,
};
static const ffi_scene_schema_map load = MAP_OF(load_fields, ff_scene_load_options, NULL);

static const ffi_scene_schema_field point_fields[] = {
    TEXT("link", NEEDED, ff_scene_point, link),
    TEXT("name", OPTIONAL, ff_scene_point, name),
    {"at", FFI_SCENE_VALUES, NEEDED, .offset = offsetof(ff_scene_point, at), .least = 3, .most = 3,
     .value = MEASURE(LENGTH, WITHIN(-1e7, 1e7))},
    END,
};
static const ffi_scene_schema_map point = MAP_OF(point_fields, ff_scene_point, NULL);

#define MATERIAL(type, where)                                                                                \
  NUMBER("stiffness", type, where stiffness, STIFFNESS, ABOVE_0),                                            \
      NUMBER("damping", type, where damping, DAMPING, FROM_0),                                               \
      NUMBER("friction", type, where friction, NUMBER, FROM_0),                                              \
      NUMBER("restitution", type, where restitution, NUMBER, WITHIN(0, 1)),                                  \
      NUMBER("tangential_restitution", type, where tangential_restitution, NUMBER, WITHIN(0, 1)),            \
      NUMBER("torsional_friction", type, where torsional_friction, LENGTH, FROM_0),                          \
      NUMBER("rolling_friction", type, where rolling_friction, LENGTH, FROM_0)

static const ffi_scene_schema_field material_fields[] = {MATERIAL(ff_scene_material, ), END};
static const ffi_scene_schema_map material = MAP_OF(material_fields, ff_scene_material, NULL);

static const ffi_scene_schema_field piece_fields[] = {
    WORD_AS("type", ff_scene_ground, type, grounds, ground_types),
    NUMBERS("position", ff_scene_ground, position, 3, LENGTH, WITHIN(-1e7, 1e7)),
    NUMBERS("rpy", ff_scene_ground, rpy, 3, ANGLE, ANY),
    NUMBER("slope", ff_scene_ground, slope, ANGLE,
           WITHIN(-1.5533430342749532, 1.5533430342749532)), // 89 degrees
    NUMBERS("size", ff_scene_ground, size, 3, LENGTH, ABOVE_0),
    {LIST("heights", FFI_SCENE_NUMBERS, ff_scene_ground, heights, 0, FFI_YAML_NODES),
     .value = MEASURE(LENGTH, WITHIN(-1e7, 1e7))},
    WHOLE("rows", ff_scene_ground, rows, 2, FF_MAX_FIELD),
    WHOLE("columns", ff_scene_ground, columns, 2, FF_MAX_FIELD),
    NUMBERS("velocity", ff_scene_ground, velocity, 6, RATE, ANY),
    MATERIAL(ff_scene_ground, material.),
    END,
};
static const ff_scene_ground plain_ground = {
    .type = FF_SHAPE_PLANE, .size = {NAN, NAN, NAN}, .material = {NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
static const ffi_scene_schema_map piece = MAP_OF(piece_fields, ff_scene_ground, &plain_ground);

static const ffi_scene_schema_field coordinates_fields[] = {
    WORD("type", ff_scene_coordinates, type, cuts),
    WORD("place", ff_scene_coordinates, place, places),
    {LIST("joints", FFI_SCENE_TEXTS, ff_scene_coordinates, joints, 1, FFI_YAML_KEYS)},
    END,
};
static const ffi_scene_schema_map coordinates = MAP_OF(coordinates_fields, ff_scene_coordinates, NULL);

static const ffi_scene_schema_field joint_fields[] = {
    TEXT("name", NEEDED, ff_scene_joint, name),
    NUMBER("position", ff_scene_joint, position, COORDINATE, ANY),
    NUMBER("velocity", ff_scene_joint, velocity, RATE, ANY),
    END,
};
static const ff_scene_joint plain_joint = {NULL, NAN, NAN};
static const ffi_scene_schema_map joint = MAP_OF(joint_fields, ff_scene_joint, &plain_joint);

static const ffi_scene_schema_field start_fields[] = {
    TEXT("posture", OPTIONAL, ff_scene_start, posture),
    NUMBERS("position", ff_scene_start, position, 3, LENGTH, WITHIN(-1e7, 1e7)),
    NUMBERS("quaternion", ff_scene_start, quaternion, 4, NUMBER, ANY),
    NUMBERS("rpy", ff_scene_start, rpy, 3, ANGLE, ANY),
    NUMBERS("velocity", ff_scene_start, velocity, 6, RATE, ANY),
    FLAG("on_ground", ff_scene_start, on_ground),
    {LIST("joints", FFI_SCENE_MAPS, ff_scene_start, joints, 0, FFI_YAML_KEYS), .map = &joint},
    END,
};
static const ffi_scene_schema_map start = MAP_OF(start_fields, ff_scene_start, NULL);

// ---- Pushes ---------------------------------------------------------------------------------------------------------

static const ffi_scene_schema_field vary_fields[] = {
    NUMBER("magnitude", ff_scene_vary, magnitude, NUMBER, WITHIN(0, 1)),
    NUMBER("angle", ff_scene_vary, angle, ANGLE, FROM_0),
    NUMBER("tilt", ff_scene_vary, tilt, ANGLE, FROM_0),
    NUMBER("place", ff_scene_vary, place, LENGTH, FROM_0),
    NUMBER("time", ff_scene_vary, time, TIME, FROM_0),
    END,
};
static const ffi_scene_schema_map vary = MAP_OF(vary_fields, ff_scene_vary, NULL);

static const ffi_scene_schema_field push_fields[] = {
    TEXT("link", NEEDED, ff_scene_push, link),
    NUMBERS("at", ff_scene_push, at, 3, LENGTH, WITHIN(-1e7, 1e7)),
    NUMBERS("force", ff_scene_push, force, 3, FORCE, ANY),
    NUMBERS("impulse", ff_scene_push, impulse, 3, IMPULSE, ANY),
    NUMBER("from", ff_scene_push, from, TIME, FROM_0),
    NUMBER("duration", ff_scene_push, duration, TIME, ABOVE_0),
    MAP("vary", ff_scene_push, vary, vary),
    END,
};
static const ff_scene_push plain_push = {
    .force = {NAN, NAN, NAN}, .impulse = {NAN, NAN, NAN}, .duration = 0.1};
static const ffi_scene_schema_map push = MAP_OF(push_fields, ff_scene_push, &plain_push);

static const ffi_scene_schema_field pushes_fields[] = {
    WHOLE("seed", ff_scene_pushes, seed, 0, 2e9),
    {LIST("list", FFI_SCENE_MAPS, ff_scene_pushes, list, 0, 1000), .map = &push},
    END,
};
static const ffi_scene_schema_map pushes = MAP_OF(pushes_fields, ff_scene_pushes, NULL);

// ---- The controller -------------------------------------------------------------------------------------------------

static const ffi_scene_schema_field task_fields[] = {
    NUMBER("weight", ff_task, weight, NUMBER, FROM_0),
    FLAG("strict", ff_task, is_strict),
    NUMBER("kp", ff_task, kp, NUMBER, FROM_0),
    NUMBER("kd", ff_task, kd, NUMBER, FROM_0),
    END,
};
static const ffi_scene_schema_map task = MAP_OF(task_fields, ff_task, NULL);

static const ffi_scene_schema_field tasks_fields[] = {
    MAP("com", ff_tasks_def, com, task),
    MAP("posture", ff_tasks_def, posture, task),
    MAP("contact", ff_tasks_def, contact, task),
    MAP("foot", ff_tasks_def, foot, task),
    MAP("base", ff_tasks_def, base, task),
    NUMBER("force_weight", ff_tasks_def, force_weight, NUMBER, ABOVE_0),
    NUMBER("acceleration_weight", ff_tasks_def, acceleration_weight, NUMBER, ABOVE_0),
    NUMBER("friction", ff_tasks_def, friction, NUMBER, ABOVE_0),
    NUMBER("min_force", ff_tasks_def, min_force, FORCE, FROM_0),
    NUMBER("max_force", ff_tasks_def, max_force, FORCE, ABOVE_0),
    FLAG("torque_limits", ff_tasks_def, torque_limits),
    END,
};
static const ffi_scene_schema_map tasks = MAP_OF(tasks_fields, ff_tasks_def, NULL);

static const ffi_scene_schema_field squat_fields[] = {
    {LIST("feet", FFI_SCENE_TEXTS, ff_squat_def, feet, 1, 64)},
    NUMBERS("offset", ff_squat_def, offset, 3, LENGTH, ANY),
    NUMBERS("amplitude", ff_squat_def, amplitude, 3, LENGTH, ANY),
    NUMBERS("rate", ff_squat_def, rate, 3, RATE, ANY),
    NUMBER("rise", ff_squat_def, rise, TIME, FROM_0),
    END,
};
static const ffi_scene_schema_map squat = MAP_OF(squat_fields, ff_squat_def, NULL);

static const ffi_scene_schema_field walk_fields[] = {
    TEXT("right_foot", OPTIONAL, ff_walk_task_def, right_foot),
    TEXT("left_foot", OPTIONAL, ff_walk_task_def, left_foot),
    TEXT("base", OPTIONAL, ff_walk_task_def, base),
    NUMBERS("sole", ff_walk_task_def, sole, 4, LENGTH, ANY),
    NUMBER("sole_height", ff_walk_task_def, sole_height, LENGTH, ANY),
    WHOLE("steps", ff_walk_task_def, steps, 1, 1000),
    WORD("first_swing", ff_walk_task_def, first_swing, sides),
    NUMBER("step_time", ff_walk_task_def, step_time, TIME, ABOVE_0),
    NUMBER("both_time", ff_walk_task_def, both_time, TIME, FROM_0),
    NUMBER("start_time", ff_walk_task_def, start_time, TIME, FROM_0),
    NUMBER("end_time", ff_walk_task_def, end_time, TIME, FROM_0),
    NUMBER("step_length", ff_walk_task_def, step_length, LENGTH, ANY),
    NUMBER("step_height", ff_walk_task_def, step_height, LENGTH, FROM_0),
    NUMBER("margin", ff_walk_task_def, margin, LENGTH, FROM_0),
    NUMBER("interval", ff_walk_task_def, interval, TIME, ABOVE_0),
    NUMBER("pressure_weight", ff_walk_task_def, pressure_weight, NUMBER, ABOVE_0),
    NUMBER("speed_weight", ff_walk_task_def, speed_weight, NUMBER, FROM_0),
    END,
};
static const ffi_scene_schema_map walk = MAP_OF(walk_fields, ff_walk_task_def, NULL);

static const ffi_scene_schema_field trot_fields[] = {
    TEXT("base", OPTIONAL, ff_trot_task_def, base),
    {LIST("feet", FFI_SCENE_TEXTS, ff_trot_task_def, feet, 4, 4)},
    NUMBER("frequency", ff_trot_task_def, frequency, FREQUENCY, ABOVE_0),
    NUMBER("duty", ff_trot_task_def, duty, NUMBER, WITHIN(0.5, 0.95)),
    NUMBER("speed", ff_trot_task_def, speed, SPEED, ANY),
    NUMBER("step_height", ff_trot_task_def, step_height, LENGTH, FROM_0),
    NUMBER("height", ff_trot_task_def, height, LENGTH, ABOVE_0),
    NUMBER("start_time", ff_trot_task_def, start_time, TIME, FROM_0),
    NUMBER("ramp_time", ff_trot_task_def, ramp_time, TIME, ABOVE_0),
    NUMBER("placement", ff_trot_task_def, placement, TIME, ANY),
    END,
};
static const ffi_scene_schema_map trot = MAP_OF(trot_fields, ff_trot_task_def, NULL);

static const ffi_scene_schema_field gain_fields[] = {
    TEXT("name", NEEDED, ff_scene_gain, name),
    NUMBER("kp", ff_scene_gain, kp, KP, FROM_0),
    NUMBER("kd", ff_scene_gain, kd, KD, FROM_0),
    END,
};
static const ff_scene_gain plain_gain = {NULL, NAN, NAN};
static const ffi_scene_schema_map gain = MAP_OF(gain_fields, ff_scene_gain, &plain_gain);

static const ffi_scene_schema_field value_fields[] = {
    TEXT("name", NEEDED, ff_scene_value, name),
    NUMBER("value", ff_scene_value, value, CONTROL, WITHIN(-1e12, 1e12)),
    END,
};
static const ff_scene_value plain_value = {NULL, 0};
static const ffi_scene_schema_map value = MAP_OF(value_fields, ff_scene_value, &plain_value);

static const ffi_scene_schema_field controller_fields[] = {
    WORD_AS("type", ff_scene_controller, type, controllers, controller_types),
    NUMBER("period", ff_scene_controller, period, TIME, ABOVE_0_TO(1000)),
    FLAG("middle", ff_scene_controller, middle),
    MAP("tasks", ff_scene_controller, tasks, tasks),
    NUMBER("kp", ff_scene_controller, kp, KP, FROM_0),
    NUMBER("kd", ff_scene_controller, kd, KD, FROM_0),
    {LIST("joints", FFI_SCENE_MAPS, ff_scene_controller, joints, 0, FFI_YAML_KEYS), .map = &gain},
    FLAG("gravity", ff_scene_controller, gravity),
    {LIST("feet", FFI_SCENE_TEXTS, ff_scene_controller, feet, 0, 64)},
    MAP("squat", ff_scene_controller, squat, squat),
    MAP("walk", ff_scene_controller, walk, walk),
    MAP("trot", ff_scene_controller, trot, trot),
    TEXT("trajectory", OPTIONAL, ff_scene_controller, trajectory),
    END,
};
static const ffi_scene_schema_map controller = MAP_OF(controller_fields, ff_scene_controller, NULL);

static const ffi_scene_schema_field varied_fields[] = {
    TEXT("name", NEEDED, ff_scene_varied, name),
    TEXT("range", NEEDED, ff_scene_varied, range),
    END,
};
static const ffi_scene_schema_map varied = MAP_OF(varied_fields, ff_scene_varied, NULL);

// ---- Running --------------------------------------------------------------------------------------------------------

static const ffi_scene_schema_field log_fields[] = {
    TEXT("file", OPTIONAL, ff_scene_log, file),
    WHOLE("every", ff_scene_log, every, 1, 1e9),
    END,
};
static const ffi_scene_schema_map log_map = MAP_OF(log_fields, ff_scene_log, NULL);

static const ffi_scene_schema_field expect_fields[] = {
    NUMBER("com_error", ff_scene_expect, com_error, LENGTH, FROM_0),
    NUMBER("steps", ff_scene_expect, steps, NUMBER, FROM_0),
    NUMBER("flight", ff_scene_expect, flight, TIME, FROM_0),
    NUMBERS("speed", ff_scene_expect, speed, 2, SPEED, ANY),
    NUMBER("advance", ff_scene_expect, advance, LENGTH, ANY),
    NUMBER("final_speed", ff_scene_expect, final_speed, SPEED, FROM_0),
    FLAG("upright", ff_scene_expect, upright),
    NUMBER("penetration", ff_scene_expect, penetration, LENGTH, FROM_0),
    NUMBER("drift", ff_scene_expect, drift, LENGTH, FROM_0),
    NUMBER("unconverged", ff_scene_expect, unconverged, NUMBER, WITHIN(0, 1)),
    NUMBER("contacts", ff_scene_expect, contacts, NUMBER, FROM_0),
    NUMBERS("fallen", ff_scene_expect, fallen, 2, NUMBER, FROM_0),
    NUMBER("moved", ff_scene_expect, moved, LENGTH, FROM_0),
    NUMBER("rise", ff_scene_expect, rise, LENGTH, ANY),
    NUMBER("passed", ff_scene_expect, passed, NUMBER, FROM_0),
    END,
};
static const ffi_scene_schema_map expect = MAP_OF(expect_fields, ff_scene_expect, NULL);

static const ffi_scene_schema_field scene_fields[] = {
    TEXT("title", OPTIONAL, ff_scene_def, title),
    TEXT("model", NEEDED, ff_scene_def, model),
    MAP("load", ff_scene_def, load, load),
    {LIST("contact_points", FFI_SCENE_MAPS, ff_scene_def, contact_points, 0, 10000), .map = &point},
    {LIST("ground", FFI_SCENE_MAPS, ff_scene_def, ground, 0, 10000), .map = &piece},
    MAP("material", ff_scene_def, material, material),
    MAP("coordinates", ff_scene_def, coordinates, coordinates),
    MAP("start", ff_scene_def, start, start),
    MAP("pushes", ff_scene_def, pushes, pushes),
    MAP("controller", ff_scene_def, controller, controller),
    {LIST("controls", FFI_SCENE_MAPS, ff_scene_def, controls, 0, FFI_YAML_KEYS), .map = &value},
    {LIST("vary", FFI_SCENE_MAPS, ff_scene_def, vary, 0, FFI_YAML_KEYS), .map = &varied},
    {.key = "stepper", .kind = FFI_SCENE_OPTIONS},
    {.key = "dt", .kind = FFI_SCENE_OPTION},
    NUMBER("duration", ff_scene_def, duration, TIME, FROM_0),
    MAP("log", ff_scene_def, log, log_map),
    MAP("expect", ff_scene_def, expect, expect),
    END,
};

const ffi_scene_schema_map ffi_scene_schema = MAP_OF(scene_fields, ff_scene_def, NULL);
