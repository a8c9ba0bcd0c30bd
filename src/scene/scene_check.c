// Ranges of the fields of a scene: what io/scene/scene_schema.c refuses in a file is refused in memory too. Fields that
// depend on the model or on each other are checked where they are used.
#include "base/value.h"
#include "scene/scene.h"
#include "scene/scene_vary.h"

#include <footfall/option.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- Rows -----------------------------------------------------------------------------------------------------------

// A number of a struct, or several in a row.
typedef struct row {
  const char *key; // NULL: the end of the list
  size_t offset;
  int count;       // 0: one number, without an index in the path
  int is_optional; // NAN in the first one: not given
  const char *unit;
  ff_value_rule rule;
} row;

// Ranges: is_open, or_zero, least, most.
#define ANY 0, 0, -DBL_MAX, DBL_MAX
#define ABOVE_0 1, 0, 0, DBL_MAX
#define FROM_0 0, 0, 0, DBL_MAX
#define WITHIN(least, most) 0, 0, least, most
#define ABOVE_0_TO(most) 1, 0, 0, most

#define NUMBERS(key, type, member, count, optional, unit, ...)                                               \
  {                                                                                                          \
    key, offsetof(type, member), count, optional, unit,                                                      \
    {                                                                                                        \
      FF_VALUE_NUMBER, FF_QUANTITY_NUMBER, __VA_ARGS__, NULL                                                 \
    }                                                                                                        \
  }
#define NUMBER(key, type, member, optional, unit, ...)                                                       \
  NUMBERS(key, type, member, 0, optional, unit, __VA_ARGS__)
#define COUNT(key, type, member, or_zero, least, most)                                                       \
  {                                                                                                          \
    key, offsetof(type, member), 0, 0, "",                                                                   \
    {                                                                                                        \
      FF_VALUE_WHOLE, FF_QUANTITY_NUMBER, 0, or_zero, least, most, NULL                                      \
    }                                                                                                        \
  }
#define WHOLE(key, type, member, least, most) COUNT(key, type, member, 0, least, most)
#define WHOLE_OR_0(key, type, member, least, most) COUNT(key, type, member, 1, least, most)
#define END                                                                                                  \
  {                                                                                                          \
    .key = NULL                                                                                              \
  }

enum { NEEDED, OPTIONAL };

#define MATERIAL(before, type, where)                                                                        \
  NUMBER(before "stiffness", type, where stiffness, OPTIONAL, " N/m", ABOVE_0),                              \
      NUMBER(before "damping", type, where damping, OPTIONAL, " N s/m", FROM_0),                             \
      NUMBER(before "friction", type, where friction, OPTIONAL, "", FROM_0),                                 \
      NUMBER(before "restitution", type, where restitution, OPTIONAL, "", WITHIN(0, 1)),                     \
      NUMBER(before "tangential_restitution", type, where tangential_restitution, OPTIONAL, "",              \
             WITHIN(0, 1)),                                                                                  \
      NUMBER(before "torsional_friction", type, where torsional_friction, OPTIONAL, " m", FROM_0),           \
      NUMBER(before "rolling_friction", type, where rolling_friction, OPTIONAL, " m", FROM_0)

static const row ground_rows[] = {
    NUMBERS("position", ff_scene_ground, position, 3, NEEDED, " m", WITHIN(-1e7, 1e7)),
    NUMBERS("rpy", ff_scene_ground, rpy, 3, NEEDED, " rad", ANY),
    NUMBER("slope", ff_scene_ground, slope, NEEDED, " rad",
           WITHIN(-1.5533430342749532, 1.5533430342749532)), // 89 degrees
    NUMBERS("velocity", ff_scene_ground, velocity, 6, NEEDED, "", ANY),
    MATERIAL("", ff_scene_ground, material.),
    END,
};

static const row joint_rows[] = {
    NUMBER("position", ff_scene_joint, position, OPTIONAL, "", ANY),
    NUMBER("velocity", ff_scene_joint, velocity, OPTIONAL, "", ANY),
    END,
};

static const row gain_rows[] = {
    NUMBER("kp", ff_scene_gain, kp, OPTIONAL, "", FROM_0),
    NUMBER("kd", ff_scene_gain, kd, OPTIONAL, "", FROM_0),
    END,
};

static const row value_rows[] = {
    NUMBER("value", ff_scene_value, value, NEEDED, "", WITHIN(-1e12, 1e12)),
    END,
};

static const row push_rows[] = {
    NUMBERS("at", ff_scene_push, at, 3, NEEDED, " m", WITHIN(-1e7, 1e7)),
    NUMBERS("force", ff_scene_push, force, 3, OPTIONAL, " N", ANY),
    NUMBERS("impulse", ff_scene_push, impulse, 3, OPTIONAL, " N s", ANY),
    NUMBER("from", ff_scene_push, from, NEEDED, " s", FROM_0),
    NUMBER("duration", ff_scene_push, duration, NEEDED, " s", ABOVE_0),
    NUMBER("vary.magnitude", ff_scene_push, vary.magnitude, NEEDED, "", WITHIN(0, 1)),
    NUMBER("vary.angle", ff_scene_push, vary.angle, NEEDED, " rad", FROM_0),
    NUMBER("vary.tilt", ff_scene_push, vary.tilt, NEEDED, " rad", FROM_0),
    NUMBER("vary.place", ff_scene_push, vary.place, NEEDED, " m", FROM_0),
    NUMBER("vary.time", ff_scene_push, vary.time, NEEDED, " s", FROM_0),
    END,
};

static const row scene_rows[] = {
    NUMBER("duration", ff_scene_def, duration, NEEDED, " s", FROM_0),
    MATERIAL("material.", ff_scene_def, material.),
    NUMBERS("start.position", ff_scene_def, start.position, 3, OPTIONAL, " m", WITHIN(-1e7, 1e7)),
    NUMBERS("start.quaternion", ff_scene_def, start.quaternion, 4, OPTIONAL, "", ANY),
    NUMBERS("start.rpy", ff_scene_def, start.rpy, 3, OPTIONAL, " rad", ANY),
    NUMBERS("start.velocity", ff_scene_def, start.velocity, 6, NEEDED, "", ANY),
    WHOLE("pushes.seed", ff_scene_def, pushes.seed, 0, 2e9),
    NUMBER("controller.period", ff_scene_def, controller.period, OPTIONAL, " s", ABOVE_0_TO(1000)),
    NUMBER("controller.kp", ff_scene_def, controller.kp, OPTIONAL, "", FROM_0),
    NUMBER("controller.kd", ff_scene_def, controller.kd, OPTIONAL, "", FROM_0),
    WHOLE("log.every", ff_scene_def, log.every, 1, 1e9),
    NUMBER("expect.com_error", ff_scene_def, expect.com_error, OPTIONAL, " m", FROM_0),
    NUMBER("expect.steps", ff_scene_def, expect.steps, OPTIONAL, "", FROM_0),
    NUMBER("expect.flight", ff_scene_def, expect.flight, OPTIONAL, " s", FROM_0),
    NUMBERS("expect.speed", ff_scene_def, expect.speed, 2, OPTIONAL, " m/s", ANY),
    NUMBER("expect.advance", ff_scene_def, expect.advance, OPTIONAL, " m", ANY),
    NUMBER("expect.final_speed", ff_scene_def, expect.final_speed, OPTIONAL, " m/s", FROM_0),
    NUMBER("expect.penetration", ff_scene_def, expect.penetration, OPTIONAL, " m", FROM_0),
    NUMBER("expect.drift", ff_scene_def, expect.drift, OPTIONAL, " m", FROM_0),
    NUMBER("expect.unconverged", ff_scene_def, expect.unconverged, OPTIONAL, "", WITHIN(0, 1)),
    NUMBER("expect.contacts", ff_scene_def, expect.contacts, OPTIONAL, "", FROM_0),
    NUMBERS("expect.fallen", ff_scene_def, expect.fallen, 2, OPTIONAL, "", FROM_0),
    NUMBER("expect.moved", ff_scene_def, expect.moved, OPTIONAL, " m", FROM_0),
    NUMBER("expect.rise", ff_scene_def, expect.rise, OPTIONAL, " m", ANY),
    NUMBER("expect.passed", ff_scene_def, expect.passed, OPTIONAL, "", FROM_0),
    END,
};

// ---- Numbers --------------------------------------------------------------------------------------------------------

enum { PATH = 128, WORDS = 120 }; // bytes of a field's path, and of what it must be

static ff_status check_number(const ff_scene *scene, const char *path, const row *r, double value,
                              ff_error *error)
{
  char must[WORDS] = "finite";
  if (ffi_value_is_good(&r->rule, value))
    return FF_OK;
  if (r->rule.least > -DBL_MAX)
    ffi_value_describe(&r->rule, must, sizeof must);
  return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, path, error, "%.10g%s must be %s", value, r->unit, must);
}

// The numbers of a row; `path` is the field's.
static ff_status check_row(const ff_scene *scene, const char *path, const row *r, const char *at,
                           ff_error *error)
{
  ff_status status = FF_OK;
  if (r->rule.type == FF_VALUE_WHOLE) {
    int whole;
    memcpy(&whole, at, sizeof whole);
    return check_number(scene, path, r, whole, error);
  }
  for (int k = 0; status == FF_OK && (k < r->count || k == 0); ++k) {
    char entry[PATH];
    double value;
    memcpy(&value, at + (size_t)k * sizeof value, sizeof value);
    if (k == 0 && r->is_optional && isnan(value))
      return FF_OK;
    snprintf(entry, sizeof entry, r->count > 0 ? "%s[%d]" : "%s", path, k);
    status = check_number(scene, entry, r, value, error);
  }
  return status;
}

// All rows of one struct; `before` is its path with the dot, "pushes.list[0].".
static ff_status check_rows(const ff_scene *scene, const char *before, const row *rows, const void *base,
                            ff_error *error)
{
  ff_status status = FF_OK;
  for (const row *r = rows; r->key && status == FF_OK; ++r) {
    char path[PATH];
    snprintf(path, sizeof path, "%s%s", before, r->key);
    status = check_row(scene, path, r, (const char *)base + r->offset, error);
  }
  return status;
}

// A list of structs of `size` bytes.
typedef struct list {
  const char *path;
  const void *entries;
  int count, most; // most: 0: any number
  size_t size;
  const row *rows;
} list;

static ff_status check_list(const ff_scene *scene, const list *l, ff_error *error)
{
  ff_status status = FF_OK;
  if (l->most > 0 && l->count > l->most)
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, l->path, error, "has %d entries; at most %d are allowed",
                          l->count, l->most);
  for (int i = 0; i < l->count && status == FF_OK; ++i) {
    char before[PATH];
    snprintf(before, sizeof before, "%s[%d].", l->path, i);
    status = check_rows(scene, before, l->rows, (const char *)l->entries + (size_t)i * l->size, error);
  }
  return status;
}

// The numbers of a long list.
static ff_status check_numbers(const ff_scene *scene, const char *path, const row *r, const double *x,
                               int count, ff_error *error)
{
  char entry[PATH];
  int bad = 0;
  while (x && bad < count && ffi_value_is_good(&r->rule, x[bad]))
    ++bad;
  if (!x || bad == count)
    return FF_OK;
  snprintf(entry, sizeof entry, "%s[%d]", path, bad);
  return check_number(scene, entry, r, x[bad], error);
}

// ---- Types ----------------------------------------------------------------------------------------------------------

static ff_status check_type(const ff_scene *scene, const char *path, int type, int count, ff_error *error)
{
  if (type >= 0 && type < count)
    return FF_OK;
  return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, path, error, "%d is not one of the values 0..%d", type,
                        count - 1);
}

static ff_status check_types(const ff_scene *scene, ff_error *error)
{
  const ff_scene_def *def = scene->def;
  const struct {
    const char *path;
    int type, count;
  } types[] = {
      {"load.mimic", (int)def->load.mimic, FF_MIMIC_COUPLE + 1},
      {"load.contact_parameters", (int)def->load.contact_parameters, FF_CONTACT_PARAMETERS_FOOTFALL + 1},
      {"load.massless", (int)def->load.massless, FF_MASSLESS_REFUSE + 1},
      {"coordinates.type", (int)def->coordinates.type, FF_CUT_LISTED + 1},
      {"coordinates.place", (int)def->coordinates.place, FF_CUT_AT_CENTRES + 1},
      {"controller.type", (int)def->controller.type, FF_CONTROLLER_COUNT},
      {"controller.walk.first_swing", (int)def->controller.walk.first_swing, FF_SIDE_LEFT + 1},
  };
  ff_status status = FF_OK;
  for (size_t i = 0; i < sizeof types / sizeof types[0] && status == FF_OK; ++i)
    status = check_type(scene, types[i].path, types[i].type, types[i].count, error);
  return status;
}

// ---- Ground and trajectory ------------------------------------------------------------------------------------------

static ff_status check_ground_type(const ff_scene *scene, int index, int type, ff_error *error)
{
  char path[PATH];
  if (type == FF_SHAPE_PLANE || type == FF_SHAPE_BOX || type == FF_SHAPE_HEIGHTFIELD)
    return FF_OK;
  snprintf(path, sizeof path, "ground[%d].type", index);
  return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, path, error,
                        "%d is not FF_SHAPE_PLANE, FF_SHAPE_BOX or FF_SHAPE_HEIGHTFIELD", type);
}

// Numbers that only some shapes have. Those that are not given are reported where the shape is made.
static ff_status check_shape(const ff_scene *scene, int index, const ff_scene_ground *ground, ff_error *error)
{
  static const row box_rows[] = {NUMBERS("size", ff_scene_ground, size, 3, OPTIONAL, " m", ABOVE_0), END};
  static const row field_rows[] = {
      NUMBERS("size", ff_scene_ground, size, 2, OPTIONAL, " m", ABOVE_0), // the third is not used
      WHOLE_OR_0("rows", ff_scene_ground, rows, 2, FF_MAX_FIELD),
      WHOLE_OR_0("columns", ff_scene_ground, columns, 2, FF_MAX_FIELD), END};
  static const row height = {.unit = " m",
                             .rule = {FF_VALUE_NUMBER, FF_QUANTITY_NUMBER, WITHIN(-1e7, 1e7), NULL}};
  const int is_field = ground->type == FF_SHAPE_HEIGHTFIELD;
  char path[PATH];
  ff_status status = check_ground_type(scene, index, (int)ground->type, error);
  if (status != FF_OK || ground->type == FF_SHAPE_PLANE)
    return status;
  snprintf(path, sizeof path, "ground[%d].", index);
  status = check_rows(scene, path, is_field ? field_rows : box_rows, ground, error);
  snprintf(path, sizeof path, "ground[%d].heights", index);
  return status == FF_OK ? check_numbers(scene, path, &height, ground->heights, ground->heights_count, error)
                         : status;
}

// The scene starts at its first state, before the controller checks the rest.
static ff_status check_trajectory(const ff_scene *scene, ff_error *error)
{
  const ff_feedback_def *f = scene->def->controller.feedback;
  if (scene->def->controller.type != FF_CONTROLLER_FEEDBACK || !f || (f->q && f->v && f->states >= 2))
    return FF_OK;
  return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, "controller.feedback", error,
                        "needs q and v of at least two states");
}

// ---- The whole ------------------------------------------------------------------------------------------------------

static ff_status check_dt(const ff_scene *scene, ff_error *error)
{
  const row dt = {.unit = " s", .rule = ff_option_find("dt")->value};
  return check_number(scene, "dt", &dt, scene->def->sim.dt, error);
}

static ff_status check_lists(const ff_scene *scene, ff_error *error)
{
  const ff_scene_def *def = scene->def;
  const list lists[] = {
      {"ground", def->ground, def->ground_count, 10000, sizeof *def->ground, ground_rows},
      {"start.joints", def->start.joints, def->start.joints_count, 0, sizeof *def->start.joints, joint_rows},
      {"pushes.list", def->pushes.list, def->pushes.list_count, 1000, sizeof *def->pushes.list, push_rows},
      {"controller.joints", def->controller.joints, def->controller.joints_count, 0,
       sizeof *def->controller.joints, gain_rows},
      {"controls", def->controls, def->controls_count, 0, sizeof *def->controls, value_rows},
  };
  ff_status status = FF_OK;
  for (size_t i = 0; i < sizeof lists / sizeof lists[0] && status == FF_OK; ++i)
    status = check_list(scene, &lists[i], error);
  for (int i = 0; i < def->ground_count && status == FF_OK; ++i)
    status = check_shape(scene, i, &def->ground[i], error);
  return status;
}

static ff_status check_vary(const ff_scene *scene, ff_error *error)
{
  ff_status status = FF_OK;
  for (int i = 0; i < scene->def->vary_count && status == FF_OK; ++i) {
    const ff_scene_varied *v = &scene->def->vary[i];
    ffi_scene_varied read;
    ff_error why;
    char path[PATH];
    snprintf(path, sizeof path, "vary[%d]", i);
    status = ffi_scene_vary_read_field(v->name, v->range, &read, &why);
    if (status != FF_OK)
      status = ffi_scene_fail(scene, status, path, error, "%s", why.message);
  }
  return status;
}

ff_status ffi_scene_check_def(const ff_scene *scene, ff_error *error)
{
  static const row any = {.unit = "", .rule = {FF_VALUE_NUMBER, FF_QUANTITY_NUMBER, ANY, NULL}};
  const ff_scene_start *start = &scene->def->start;
  ff_status status = check_dt(scene, error);
  if (status == FF_OK)
    status = check_types(scene, error);
  if (status == FF_OK)
    status = check_rows(scene, "", scene_rows, scene->def, error);
  if (status == FF_OK)
    status = check_lists(scene, error);
  if (status == FF_OK)
    status = check_vary(scene, error);
  if (status == FF_OK)
    status = check_numbers(scene, "start.q", &any, start->q, scene->nq, error);
  if (status == FF_OK)
    status = check_numbers(scene, "start.v", &any, start->v, scene->nv, error);
  return status == FF_OK ? check_trajectory(scene, error) : status;
}
