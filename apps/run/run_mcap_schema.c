// JSON schemas of the channels of MCAP; those of /tf and /scene are Foxglove's FrameTransforms and SceneUpdate.
#define _POSIX_C_SOURCE 200809L
#include "cli/text/json.h"
#include "run/run_mcap.h"

#include <stdio.h>

#define OBJECT(properties) "{\"type\":\"object\",\"properties\":{" properties "}}"
#define LIST(items) "{\"type\":\"array\",\"items\":" items "}"
#define KEY(name) "\"" name "\":"
#define NUMBER "{\"type\":\"number\"}"
#define INTEGER "{\"type\":\"integer\"}"
#define TEXT "{\"type\":\"string\"}"
#define ANY "{\"type\":\"object\"}"

// clang-format off
#define VECTOR OBJECT(KEY("x") NUMBER "," KEY("y") NUMBER "," KEY("z") NUMBER)
#define QUATERNION OBJECT(KEY("x") NUMBER "," KEY("y") NUMBER "," KEY("z") NUMBER "," KEY("w") NUMBER)
#define TIME OBJECT(KEY("sec") INTEGER "," KEY("nsec") INTEGER)
#define POSE OBJECT(KEY("position") VECTOR "," KEY("orientation") QUATERNION)
#define COLOR OBJECT(KEY("r") NUMBER "," KEY("g") NUMBER "," KEY("b") NUMBER "," KEY("a") NUMBER)
#define SOLID OBJECT(KEY("pose") POSE "," KEY("size") VECTOR "," KEY("color") COLOR)
#define CYLINDER OBJECT( \
  KEY("pose") POSE "," KEY("size") VECTOR "," KEY("bottom_scale") NUMBER "," KEY("top_scale") NUMBER "," \
  KEY("color") COLOR)
#define ARROW OBJECT( \
  KEY("pose") POSE "," KEY("shaft_length") NUMBER "," KEY("shaft_diameter") NUMBER "," \
  KEY("head_length") NUMBER "," KEY("head_diameter") NUMBER "," KEY("color") COLOR)

const char ffi_run_mcap_schema_energy[] = OBJECT(
  KEY("kinetic") NUMBER "," KEY("potential") NUMBER "," KEY("elastic") NUMBER "," KEY("total") NUMBER ","
  KEY("control_power") NUMBER "," KEY("control_work") NUMBER);

const char ffi_run_mcap_schema_contacts[] = OBJECT(
  KEY("count") INTEGER "," KEY("slipping") INTEGER "," KEY("penetration") NUMBER "," KEY("normal_force") NUMBER ","
  KEY("forces") "{\"type\":\"object\",\"additionalProperties\":" VECTOR "},"
  KEY("contacts") LIST(OBJECT(
    KEY("id") INTEGER "," KEY("link") TEXT "," KEY("on") TEXT "," KEY("mode") TEXT "," KEY("point") VECTOR ","
    KEY("normal") VECTOR "," KEY("force") VECTOR "," KEY("slip") NUMBER "," KEY("penetration") NUMBER)));

const char ffi_run_mcap_schema_transforms[] = OBJECT(KEY("transforms") LIST(OBJECT(
  KEY("timestamp") TIME "," KEY("parent_frame_id") TEXT "," KEY("child_frame_id") TEXT ","
  KEY("translation") VECTOR "," KEY("rotation") QUATERNION)));

const char ffi_run_mcap_schema_scene[] = OBJECT(
  KEY("deletions") LIST(OBJECT(KEY("timestamp") TIME "," KEY("type") INTEGER "," KEY("id") TEXT)) ","
  KEY("entities") LIST(OBJECT(
    KEY("timestamp") TIME "," KEY("frame_id") TEXT "," KEY("id") TEXT "," KEY("lifetime") TIME ","
    KEY("frame_locked") "{\"type\":\"boolean\"}," KEY("metadata") LIST(ANY) "," KEY("arrows") LIST(ARROW) ","
    KEY("cubes") LIST(SOLID) "," KEY("spheres") LIST(SOLID) "," KEY("cylinders") LIST(CYLINDER) ","
    KEY("lines") LIST(ANY) "," KEY("triangles") LIST(ANY) "," KEY("texts") LIST(ANY) "," KEY("models") LIST(ANY))));
// clang-format on

char *ffi_run_mcap_schema_state(const ff_model *model)
{
  const ff_model_size size = ff_model_get_size(model);
  static const char *const parts[] = {"q", "v", "tau", "motor"};
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  fputs("{\"type\":\"object\",\"properties\":{\"step\":" INTEGER, out);
  for (int p = 0; p < 4; ++p) {
    const int count = p == 0 ? size.nq : size.nv;
    fprintf(out, ",\"%s\":{\"type\":\"object\",\"properties\":{", parts[p]);
    for (int i = 0; i < count; ++i) {
      char name[1100];
      const char *unit;
      ff_log_column(model, p > 0, i, name, sizeof name, &unit);
      fputs(i > 0 ? "," : "", out);
      ffi_json_quote(name, out);
      fputs(":" NUMBER, out);
    }
    fputs("}}", out);
  }
  fputs("}}", out);
  return fclose(out) == 0 ? text : NULL;
}
