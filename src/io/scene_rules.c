// What the numbers of a scene mean, and what holds where nothing is said. Defaults are those of ff_sim_def, ff_controller_def and ff_walk_def;
// a test compares them. "nan" is for what is only known later or may be absent.
#include "io/scene_schema.h"

#include <math.h>
#include <string.h>

#define ANY 0, -INFINITY, INFINITY
#define ABOVE_0 1, 0, INFINITY
#define FROM_0 0, 0, INFINITY

static const ffi_scene_rule rules[] = {
    {"", FF_QUANTITY_NUMBER, ANY, NULL},

    {"fixed_base", FF_QUANTITY_NUMBER, ANY, "false"},
    {"mimic", FF_QUANTITY_NUMBER, ANY, "refuse"},
    {"contact_points.at", FF_QUANTITY_LENGTH, 0, -1e7, 1e7, NULL},

    {"stiffness", FF_QUANTITY_STIFFNESS, ABOVE_0, "nan"},
    {"damping", FF_QUANTITY_DAMPING, FROM_0, "nan"},
    {"friction", FF_QUANTITY_NUMBER, FROM_0, "nan"},
    {"restitution", FF_QUANTITY_NUMBER, 0, 0, 1, "nan"},
    {"tangential_restitution", FF_QUANTITY_NUMBER, 0, 0, 1, "nan"},

    {"ground.type", FF_QUANTITY_NUMBER, ANY, "plane"},
    {"ground.position", FF_QUANTITY_LENGTH, 0, -1e7, 1e7, "0"},
    {"ground.rpy", FF_QUANTITY_ANGLE, ANY, "0"},
    {"ground.slope", FF_QUANTITY_ANGLE, 0, -1.5533430342749532, 1.5533430342749532, "0"}, // 89 degrees
    {"ground.size", FF_QUANTITY_LENGTH, ABOVE_0, "nan"},
    {"ground.heights", FF_QUANTITY_LENGTH, 0, -1e7, 1e7, NULL},
    {"ground.rows", FF_QUANTITY_NUMBER, 0, 2, FF_MAX_FIELD, "0"},
    {"ground.columns", FF_QUANTITY_NUMBER, 0, 2, FF_MAX_FIELD, "0"},
    {"ground.velocity", FF_QUANTITY_RATE, ANY, "0"},

    {"coordinates.type", FF_QUANTITY_NUMBER, ANY, "minimal"},
    {"coordinates.place", FF_QUANTITY_NUMBER, ANY, "joints"},

    {"start.position", FF_QUANTITY_LENGTH, 0, -1e7, 1e7, "nan"},
    {"start.quaternion", FF_QUANTITY_NUMBER, ANY, "nan"},
    {"start.rpy", FF_QUANTITY_ANGLE, ANY, "nan"},
    {"start.velocity", FF_QUANTITY_RATE, ANY, "0"},
    {"joints.position", FF_QUANTITY_COORDINATE, ANY, "nan"},
    {"joints.velocity", FF_QUANTITY_RATE, ANY, "nan"},

    {"pushes.seed", FF_QUANTITY_NUMBER, 0, 0, 2e9, "0"},
    {"list.at", FF_QUANTITY_LENGTH, 0, -1e7, 1e7, "0"},
    {"list.force", FF_QUANTITY_FORCE, ANY, "nan"},
    {"list.impulse", FF_QUANTITY_IMPULSE, ANY, "nan"},
    {"list.from", FF_QUANTITY_TIME, FROM_0, "0"},
    {"list.duration", FF_QUANTITY_TIME, ABOVE_0, "0.1"},
    {"vary.magnitude", FF_QUANTITY_NUMBER, 0, 0, 1, "0"},
    {"vary.angle", FF_QUANTITY_ANGLE, FROM_0, "0"},
    {"vary.tilt", FF_QUANTITY_ANGLE, FROM_0, "0"},
    {"vary.place", FF_QUANTITY_LENGTH, FROM_0, "0"},
    {"vary.time", FF_QUANTITY_TIME, FROM_0, "0"},

    {"controller.type", FF_QUANTITY_NUMBER, ANY, "none"},
    {"controller.period", FF_QUANTITY_TIME, 1, 0, 1000, "nan"},
    {"controller.middle", FF_QUANTITY_NUMBER, ANY, "false"},
    {"controller.kp", FF_QUANTITY_KP, FROM_0, "nan"},
    {"controller.kd", FF_QUANTITY_KD, FROM_0, "nan"},
    {"joints.kp", FF_QUANTITY_KP, FROM_0, "nan"},
    {"joints.kd", FF_QUANTITY_KD, FROM_0, "nan"},
    {"weight", FF_QUANTITY_NUMBER, FROM_0, "1"},
    {"posture.weight", FF_QUANTITY_NUMBER, FROM_0, "1e-3"},
    {"contact.weight", FF_QUANTITY_NUMBER, FROM_0, "-1"}, // not given: strict
    {"base.weight", FF_QUANTITY_NUMBER, FROM_0, "1e-2"},
    {"strict", FF_QUANTITY_NUMBER, ANY, "false"},
    {"kp", FF_QUANTITY_NUMBER, FROM_0, "10"},
    {"kd", FF_QUANTITY_NUMBER, FROM_0, "-1"}, // not given: critical
    {"force_weight", FF_QUANTITY_NUMBER, ABOVE_0, "1e-7"},
    {"acceleration_weight", FF_QUANTITY_NUMBER, ABOVE_0, "1e-8"},
    {"tasks.friction", FF_QUANTITY_NUMBER, ABOVE_0, "1"},
    {"min_force", FF_QUANTITY_FORCE, FROM_0, "0"},
    {"max_force", FF_QUANTITY_FORCE, ABOVE_0, "inf"},
    {"torque_limits", FF_QUANTITY_NUMBER, ANY, "false"},

    {"squat.offset", FF_QUANTITY_LENGTH, ANY, "0"},
    {"squat.amplitude", FF_QUANTITY_LENGTH, ANY, "0"},
    {"squat.rate", FF_QUANTITY_RATE, ANY, "0"},
    {"squat.rise", FF_QUANTITY_TIME, FROM_0, "0"},

    {"walk.sole", FF_QUANTITY_LENGTH, ANY, "-0.05 0.1 -0.05 0.05"},
    {"walk.sole_height", FF_QUANTITY_LENGTH, ANY, "0"},
    {"walk.steps", FF_QUANTITY_NUMBER, 0, 1, 1000, "4"},
    {"walk.first_swing", FF_QUANTITY_NUMBER, ANY, "left"},
    {"walk.step_time", FF_QUANTITY_TIME, ABOVE_0, "1"},
    {"walk.both_time", FF_QUANTITY_TIME, FROM_0, "0.2"},
    {"walk.start_time", FF_QUANTITY_TIME, FROM_0, "1"},
    {"walk.end_time", FF_QUANTITY_TIME, FROM_0, "1.5"},
    {"walk.step_length", FF_QUANTITY_LENGTH, ANY, "0.05"},
    {"walk.step_height", FF_QUANTITY_LENGTH, FROM_0, "0.05"},
    {"walk.margin", FF_QUANTITY_LENGTH, FROM_0, "0.02"},
    {"walk.interval", FF_QUANTITY_TIME, ABOVE_0, "0.1"},
    {"walk.pressure_weight", FF_QUANTITY_NUMBER, ABOVE_0, "100"},
    {"walk.speed_weight", FF_QUANTITY_NUMBER, FROM_0, "0.1"},

    {"trot.frequency", FF_QUANTITY_FREQUENCY, ABOVE_0, "2"},
    {"trot.duty", FF_QUANTITY_NUMBER, 0, 0.5, 0.95, "0.6"},
    {"trot.speed", FF_QUANTITY_SPEED, ANY, "0.2"},
    {"trot.step_height", FF_QUANTITY_LENGTH, FROM_0, "0.05"},
    {"trot.height", FF_QUANTITY_LENGTH, ABOVE_0, "nan"},
    {"trot.start_time", FF_QUANTITY_TIME, FROM_0, "0.3"},
    {"trot.ramp_time", FF_QUANTITY_TIME, ABOVE_0, "0.5"},
    {"trot.placement", FF_QUANTITY_TIME, ANY, "0.05"},

    {"stepper.type", FF_QUANTITY_NUMBER, ANY, "expo"},
    {"stepper.exponential", FF_QUANTITY_NUMBER, ANY, "auto"},
    {"stepper.order", FF_QUANTITY_NUMBER, 0, 1, 2, "2"},
    {"stepper.events", FF_QUANTITY_NUMBER, ANY, "true"},
    {"stepper.max_substeps", FF_QUANTITY_NUMBER, 0, 1, 64, "8"},
    {"stepper.max_pieces", FF_QUANTITY_NUMBER, 0, 1, 1000, "32"},
    {"stepper.double_mean", FF_QUANTITY_NUMBER, ANY, "true"},
    {"stepper.force_tolerance", FF_QUANTITY_NUMBER, 0, 1e-12, 1e-1, "1e-4"},
    {"stepper.accuracy", FF_QUANTITY_NUMBER, 0, 0, 1, "0"},
    {"stepper.tolerance", FF_QUANTITY_NUMBER, 1, 0, 1, "1e-6"},
    {"stepper.max_iterations", FF_QUANTITY_NUMBER, 0, 1, 100000, "0"}, // not given: the stepper's
    {"stepper.contact", FF_QUANTITY_NUMBER, ANY, "hard"},
    {"stepper.solver", FF_QUANTITY_NUMBER, ANY, "exact"},
    {"stepper.form", FF_QUANTITY_NUMBER, ANY, "auto"},
    {"stepper.bilateral", FF_QUANTITY_NUMBER, ANY, "direct"},
    {"stepper.alpha", FF_QUANTITY_NUMBER, 0, 0, 2, "0"},
    {"stepper.relative_tolerance", FF_QUANTITY_NUMBER, 0, 0, 0.1, "nan"}, // not given: the stepper's
    {"stepper.absolute_tolerance", FF_QUANTITY_IMPULSE, 1, 0, 1, "nan"},
    {"stepper.warm_start", FF_QUANTITY_NUMBER, ANY, "true"},
    {"stepper.stabilise", FF_QUANTITY_NUMBER, ANY, "false"},
    {"stepper.epsilon", FF_QUANTITY_LENGTH, 1, 0, 0.01, "1e-5"},
    {"stepper.max_steps", FF_QUANTITY_NUMBER, 0, 1, 100000000, "10000"},
    {"stepper.h_min", FF_QUANTITY_TIME, 1, 0, 1000, "1e-5"},
    {"stepper.skin", FF_QUANTITY_LENGTH, 1, 0, 0.1, "1e-4"},
    {"stepper.advancement", FF_QUANTITY_NUMBER, ANY, "true"},
    {"stepper.error_control", FF_QUANTITY_NUMBER, ANY, "true"},
    {"stepper.absolute_error", FF_QUANTITY_NUMBER, FROM_0, "1e-6"},
    {"stepper.relative_error", FF_QUANTITY_NUMBER, 0, 0, 1, "0.0025"},
    {"stepper.scheme", FF_QUANTITY_NUMBER, ANY, "semi-implicit"},
    {"stepper.dissipation", FF_QUANTITY_NUMBER, 0, 0, 1, "0"},
    {"stepper.rayleigh", FF_QUANTITY_NUMBER, FROM_0, "0"},
    {"stepper.impact", FF_QUANTITY_NUMBER, ANY, "coulomb"},
    {"stepper.cone", FF_QUANTITY_NUMBER, ANY, "cone"},
    {"stepper.edges", FF_QUANTITY_NUMBER, 0, 4, 64, "4"},
    {"stepper.bounce", FF_QUANTITY_NUMBER, ANY, "newton"},
    {"stepper.normal_anchor", FF_QUANTITY_NUMBER, ANY, "surface"},
    {"stepper.contact_law", FF_QUANTITY_NUMBER, ANY, "anchor"},
    {"stepper.self_collision", FF_QUANTITY_NUMBER, ANY, "false"},
    {"stepper.model_elements", FF_QUANTITY_NUMBER, ANY, "true"},
    {"stepper.limit_stiffness", FF_QUANTITY_KP, FROM_0, "1e3"},
    {"stepper.limit_damping", FF_QUANTITY_KD, FROM_0, "1"},
    {"stepper.max_speed", FF_QUANTITY_NUMBER, ABOVE_0, "1e4"},
    {"stepper.max_contacts", FF_QUANTITY_NUMBER, 0, 0, 10000, "0"},
    {"dt", FF_QUANTITY_TIME, 1, 0, 1000, "0.001"},
    {"duration", FF_QUANTITY_TIME, FROM_0, "10"},
    {"log.every", FF_QUANTITY_NUMBER, 0, 1, 1e9, "1"},

    {"expect.com_error", FF_QUANTITY_LENGTH, FROM_0, "nan"},
    {"expect.steps", FF_QUANTITY_NUMBER, FROM_0, "nan"},
    {"expect.flight", FF_QUANTITY_TIME, FROM_0, "nan"},
    {"expect.speed", FF_QUANTITY_SPEED, ANY, "nan"},
    {"expect.advance", FF_QUANTITY_LENGTH, ANY, "nan"},
    {"expect.final_speed", FF_QUANTITY_SPEED, FROM_0, "nan"},
    {"expect.upright", FF_QUANTITY_NUMBER, ANY, "false"},
    {"expect.penetration", FF_QUANTITY_LENGTH, FROM_0, "nan"},
    {"expect.drift", FF_QUANTITY_LENGTH, FROM_0, "nan"},
    {"expect.unconverged", FF_QUANTITY_NUMBER, 0, 0, 1, "nan"},
    {"expect.contacts", FF_QUANTITY_NUMBER, FROM_0, "nan"},
    {"expect.fallen", FF_QUANTITY_NUMBER, FROM_0, "nan"},
    {"expect.moved", FF_QUANTITY_LENGTH, FROM_0, "nan"},
    {"expect.rise", FF_QUANTITY_LENGTH, ANY, "nan"},
    {"expect.passed", FF_QUANTITY_NUMBER, FROM_0, "nan"},
};

// Is `end` the path or the last parts of it?
static int is_end(const char *path, const char *end)
{
  const size_t length = strlen(path), tail = strlen(end);
  return length >= tail && strcmp(path + length - tail, end) == 0 &&
         (tail == 0 || length == tail || path[length - tail - 1] == '.');
}

const ffi_scene_rule *ffi_scene_rule_of(const char *path)
{
  const ffi_scene_rule *best = &rules[0];
  for (size_t i = 1; i < sizeof rules / sizeof rules[0]; ++i)
    if (is_end(path, rules[i].path) && strlen(rules[i].path) > strlen(best->path))
      best = &rules[i];
  return best;
}
