// What differs from run to run: the fields, how a text says it, and draws. See scene_vary.h.
#include "scene/scene_vary.h"

#include "base/fail.h"
#include "base/philox.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- Fields ---------------------------------------------------------------------------------------------------------

#define SETS FF_SCENE_VARY_SETS
#define SCALES FF_SCENE_VARY_SCALES
#define ADDS FF_SCENE_VARY_ADDS
#define ANY 0, 0, 0, 0
#define FROM_0 1, 0, 0, INFINITY
#define ABOVE_0 1, 1, 0, INFINITY

// name, quantity, unit, how, several numbers?, meaning; kind, which, range
static const ffi_scene_vary_field fields[] = {
    {{"material.stiffness", FF_QUANTITY_STIFFNESS, "N/m", SETS, 0, "stiffness of contacts with the ground"},
     FFI_SCENE_VARY_MATERIAL,
     0,
     ABOVE_0},
    {{"material.damping", FF_QUANTITY_DAMPING, "N s/m", SETS, 0, "damping of contacts with the ground"},
     FFI_SCENE_VARY_MATERIAL,
     1,
     FROM_0},
    {{"material.friction", FF_QUANTITY_NUMBER, "", SETS, 0, "friction of contacts with the ground"},
     FFI_SCENE_VARY_MATERIAL,
     2,
     FROM_0},
    {{"material.restitution", FF_QUANTITY_NUMBER, "", SETS, 0,
      "restitution of rigid contacts with the ground"},
     FFI_SCENE_VARY_MATERIAL,
     3,
     1,
     0,
     0,
     1},
    {{"mass", FF_QUANTITY_NUMBER, "", SCALES, 0, "masses and inertias of all links"},
     FFI_SCENE_VARY_MASS,
     0,
     ABOVE_0},
    {{"gravity", FF_QUANTITY_NUMBER, "m/s^2", SETS, 0, "strength of gravity"},
     FFI_SCENE_VARY_GRAVITY,
     0,
     1,
     0,
     0,
     1e6},
    {{"motors.kp", FF_QUANTITY_NUMBER, "", SCALES, 0, "position gains of all motors"},
     FFI_SCENE_VARY_MOTORS,
     0,
     FROM_0},
    {{"motors.kd", FF_QUANTITY_NUMBER, "", SCALES, 0, "velocity gains of all motors"},
     FFI_SCENE_VARY_MOTORS,
     1,
     FROM_0},
    {{"motors.effort", FF_QUANTITY_NUMBER, "", SCALES, 0, "largest efforts of all motors"},
     FFI_SCENE_VARY_MOTORS,
     2,
     ABOVE_0},
    {{"ground.height", FF_QUANTITY_LENGTH, "m", ADDS, 0, "height of all ground"},
     FFI_SCENE_VARY_GROUND,
     0,
     ANY},
    {{"ground.slope", FF_QUANTITY_ANGLE, "rad", ADDS, 0,
      "pitch of all ground about the origin; x is downhill"},
     FFI_SCENE_VARY_GROUND,
     1,
     1,
     0,
     -1.5533430342749532,
     1.5533430342749532},
    {{"start.x", FF_QUANTITY_LENGTH, "m", ADDS, 0, "position of the base"}, FFI_SCENE_VARY_POSITION, 0, ANY},
    {{"start.y", FF_QUANTITY_LENGTH, "m", ADDS, 0, "position of the base"}, FFI_SCENE_VARY_POSITION, 1, ANY},
    {{"start.z", FF_QUANTITY_LENGTH, "m", ADDS, 0, "height of the base"}, FFI_SCENE_VARY_POSITION, 2, ANY},
    {{"start.roll", FF_QUANTITY_ANGLE, "rad", ADDS, 0, "turn of the base about the world's x"},
     FFI_SCENE_VARY_TURN,
     0,
     ANY},
    {{"start.pitch", FF_QUANTITY_ANGLE, "rad", ADDS, 0, "turn of the base about the world's y"},
     FFI_SCENE_VARY_TURN,
     1,
     ANY},
    {{"start.yaw", FF_QUANTITY_ANGLE, "rad", ADDS, 0, "turn of the base about the world's z"},
     FFI_SCENE_VARY_TURN,
     2,
     ANY},
    {{"start.vx", FF_QUANTITY_SPEED, "m/s", ADDS, 0, "velocity of the base in its frame"},
     FFI_SCENE_VARY_VELOCITY,
     0,
     ANY},
    {{"start.vy", FF_QUANTITY_SPEED, "m/s", ADDS, 0, "velocity of the base in its frame"},
     FFI_SCENE_VARY_VELOCITY,
     1,
     ANY},
    {{"start.vz", FF_QUANTITY_SPEED, "m/s", ADDS, 0, "velocity of the base in its frame"},
     FFI_SCENE_VARY_VELOCITY,
     2,
     ANY},
    {{"start.wx", FF_QUANTITY_RATE, "rad/s", ADDS, 0, "angular velocity of the base in its frame"},
     FFI_SCENE_VARY_VELOCITY,
     3,
     ANY},
    {{"start.wy", FF_QUANTITY_RATE, "rad/s", ADDS, 0, "angular velocity of the base in its frame"},
     FFI_SCENE_VARY_VELOCITY,
     4,
     ANY},
    {{"start.wz", FF_QUANTITY_RATE, "rad/s", ADDS, 0, "angular velocity of the base in its frame"},
     FFI_SCENE_VARY_VELOCITY,
     5,
     ANY},
    {{"start.joints", FF_QUANTITY_COORDINATE, "rad or m", ADDS, 1, "position of each joint, on its own"},
     FFI_SCENE_VARY_JOINTS,
     0,
     ANY},
    {{"start.joint_speeds", FF_QUANTITY_RATE, "rad/s or m/s", ADDS, 1, "velocity of each joint, on its own"},
     FFI_SCENE_VARY_SPEEDS,
     0,
     ANY},
    {{"pushes.magnitude", FF_QUANTITY_NUMBER, "", SCALES, 1, "force of each push"},
     FFI_SCENE_VARY_PUSHES,
     0,
     FROM_0},
    {{"pushes.angle", FF_QUANTITY_ANGLE, "rad", ADDS, 1, "direction of each push, about the vertical"},
     FFI_SCENE_VARY_PUSHES,
     1,
     ANY},
    {{"pushes.tilt", FF_QUANTITY_ANGLE, "rad", ADDS, 1, "direction of each push, up or down"},
     FFI_SCENE_VARY_PUSHES,
     2,
     ANY},
    {{"pushes.place", FF_QUANTITY_LENGTH, "m", ADDS, 1, "point of each push, along each axis"},
     FFI_SCENE_VARY_PUSHES,
     3,
     ANY},
    {{"pushes.time", FF_QUANTITY_TIME, "s", ADDS, 1, "start of each push"}, FFI_SCENE_VARY_PUSHES, 4, FROM_0},
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

int ff_scene_variable_at(int index, ff_scene_variable *out)
{
  if (index < 0 || index >= FIELDS)
    return 0;
  *out = fields[index].about;
  return 1;
}

enum { LONGEST_NAME = 64, LONGEST_RANGE = 1024 };

// ---- Reading --------------------------------------------------------------------------------------------------------

static ff_status unknown_field(const char *name, ff_error *error)
{
  char all[900] = "";
  ff_nearest nearest = {.word = name};
  for (int i = 0; i < FIELDS; ++i) {
    const size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", fields[i].about.name);
    ff_nearest_try(&nearest, fields[i].about.name);
  }
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, name, "cannot vary%s%s%s: %s",
                  nearest.meant ? "; did you mean '" : "", nearest.meant ? nearest.meant : "",
                  nearest.meant ? "'? These fields can" : "; these fields can", all);
}

// One number. `unit`: what follows a number that has no unit of its own.
static ff_status read_number(const ffi_scene_vary_field *f, const char *text, const char *unit, double *out,
                             ff_error *error)
{
  char whole[160];
  ff_error why;
  const size_t length = strlen(text);
  const int is_bare = length > 0 && strchr("0123456789.", text[length - 1]) != NULL;
  snprintf(whole, sizeof whole, "%s%s", text, is_bare ? unit : "");
  if (ff_quantity_read(whole, f->about.quantity, f->about.quantity == FF_QUANTITY_ANGLE, out, &why) != FF_OK)
    return ffi_fail(error, FF_ERROR_PARSE, NULL, 0, f->about.name, "'%s': %s", text, why.message);
  const int is_low = f->has_range && (*out < f->least || (f->is_open && *out == f->least));
  if (is_low || (f->has_range && *out > f->most))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, f->about.name, "'%s' must be %s %g", text,
                    !is_low      ? "at most"
                    : f->is_open ? "above"
                                 : "at least",
                    is_low ? f->least : f->most);
  return FF_OK;
}

// The unit at the end of a number; "": none.
static const char *unit_of(const char *text)
{
  size_t number = strspn(text, " +-0123456789.");
  if ((text[number] == 'e' || text[number] == 'E') && text[number + 1] &&
      strchr("+-0123456789", text[number + 1]))
    number += 1 + strspn(text + number + 1, "+-0123456789");
  return text + number;
}

static ff_status read_range(ffi_scene_varied *v, char *text, char *dots, ff_error *error)
{
  const char *name = v->field->about.name, *high = dots + 2;
  *dots = '\0';
  ff_status status = read_number(v->field, high, "", &v->high, error);
  if (status == FF_OK)
    status = read_number(v->field, text, unit_of(high), &v->low, error);
  if (status == FF_OK && !(v->low < v->high))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, name,
                    "the range %s..%s is empty: its first number must be below the second", text, high);
  return status;
}

static ff_status read_list(ffi_scene_varied *v, char *text, ff_error *error)
{
  const char *last = strrchr(text, ','), *unit = unit_of(last + 1);
  v->low = INFINITY, v->high = -INFINITY;
  for (char *at = text, *next; at; at = next) {
    next = strchr(at, ',');
    if (next)
      *next++ = '\0';
    if (v->count == FF_SCENE_VARY_VALUES)
      return ffi_fail(error, FF_ERROR_LIMIT, NULL, 0, v->field->about.name, "more than %d values",
                      (int)FF_SCENE_VARY_VALUES);
    const ff_status status = read_number(v->field, at, unit, &v->list[v->count], error);
    if (status != FF_OK)
      return status;
    v->low = fmin(v->low, v->list[v->count]);
    v->high = fmax(v->high, v->list[v->count++]);
  }
  return FF_OK;
}

// Up to so much to both sides of what the scene says; of a push's time, later by up to so much.
static ff_status read_width(ffi_scene_varied *v, const char *text, ff_error *error)
{
  const ffi_scene_vary_field *f = v->field;
  const double middle = f->about.how == FF_SCENE_VARY_SCALES ? 1 : 0;
  ffi_scene_vary_field any = *f;
  double width;
  any.has_range = 0;
  if (f->about.how == FF_SCENE_VARY_SETS)
    return ffi_fail(error, FF_ERROR_PARSE, NULL, 0, f->about.name,
                    "'%s' must be a range such as 0.3..1.0, or a list such as 0.3,0.5,1.0", text);
  const ff_status status = read_number(&any, text, "", &width, error);
  if (status != FF_OK)
    return status;
  v->low = f->has_range && f->about.how == FF_SCENE_VARY_ADDS ? fmax(f->least, -width) : middle - width;
  v->high = middle + width;
  if (width > 0 && !(f->has_range && v->low < f->least))
    return FF_OK;
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, f->about.name, "'%s' must be above 0%s", text,
                  width > 0 ? " and at most 1" : "");
}

ff_status ffi_scene_vary_read_field(const char *name, const char *range, ffi_scene_varied *out,
                                    ff_error *error)
{
  char value[LONGEST_RANGE];
  *out = (ffi_scene_varied){0};
  for (int i = 0; i < FIELDS && !out->field; ++i)
    if (strcmp(fields[i].about.name, name) == 0)
      out->field = &fields[i];
  if (!out->field)
    return unknown_field(name, error);
  if (strlen(range) >= sizeof value)
    return ffi_fail(error, FF_ERROR_LIMIT, NULL, 0, name, "more than %d letters", LONGEST_RANGE - 1);
  strcpy(value, range);
  out->stream = ffi_philox_stream(name);
  char *dots = strstr(value, "..");
  if (dots)
    return read_range(out, value, dots, error);
  return strchr(value, ',') ? read_list(out, value, error) : read_width(out, value, error);
}

ff_status ffi_scene_vary_read(const char *text, ffi_scene_varied *out, ff_error *error)
{
  char name[LONGEST_NAME];
  const char *equals = text ? strchr(text, '=') : NULL;
  const size_t length = equals ? (size_t)(equals - text) : 0;
  if (!equals || length == 0 || length >= sizeof name)
    return ffi_fail(error, FF_ERROR_PARSE, NULL, 0, NULL,
                    "'%.80s' must be FIELD=RANGE, such as material.friction=0.3..1.0", text ? text : "");
  memcpy(name, text, length);
  name[length] = '\0';
  return ffi_scene_vary_read_field(name, equals + 1, out, error);
}

// ---- Drawing --------------------------------------------------------------------------------------------------------

double ffi_scene_vary_draw(const ffi_scene_varied *v, uint64_t seed, uint64_t run, uint32_t index)
{
  const double u = ffi_philox_uniform(seed, run, v->stream, index);
  if (v->count > 0)
    return v->list[(int)(u * v->count)];
  const double x = v->low + u * (v->high - v->low);
  return x < v->high ? x : v->low; // rounding may reach the end
}
