// Writes MJCF and adds ground and motors to it.
#include "robots/robots_text.h"

#include <footfall/save.h>
#include <footfall/world.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_escaped(FILE *f, const char *text)
{
  for (const char *c = text; *c; ++c)
    switch (*c) {
    case '&': fputs("&amp;", f); break;
    case '<': fputs("&lt;", f); break;
    case '"': fputs("&quot;", f); break;
    default: fputc(*c, f);
    }
}

// A motor of the sim: neither the spring of a joint, which the model's text has, nor another element.
static int is_motor(const ff_element_def *e)
{
  const char *end = e->name ? strrchr(e->name, '_') : NULL;
  return e->type == FF_ELEMENT_JOINT_PD && !(end && strcmp(end, "_spring") == 0);
}

// What the motor acts on, as an attribute. A motor on a tendon is of an actuator of the model: a spring of the tendon,
// which the model's text has, is not. Returns 0 if it is no motor.
static int write_driven(FILE *f, const ff_model *model, const ff_element_def *e)
{
  ff_joint_info joint;
  ff_tendon_info tendon;
  ff_actuator_info actuator;
  if (e->joint >= 0 && ff_model_joint(model, e->joint, &joint) == FF_OK) {
    fputs("<general joint=\"", f);
    write_escaped(f, joint.name);
    return 1;
  }
  for (int i = 0; ff_model_actuator(model, i, &actuator) == FF_OK; ++i)
    if (e->tendon >= 0 && actuator.tendon == e->tendon &&
        ff_model_tendon(model, e->tendon, &tendon) == FF_OK) {
      fputs("<general tendon=\"", f);
      write_escaped(f, tendon.name ? tendon.name : "");
      return 1;
    }
  return 0;
}

// Returns 0 if there is no memory.
static int write_motors(FILE *f, const ff_scene *scene, const ff_sim *sim, double **references)
{
  const int elements = ff_sim_element_count(sim);
  int count = 0;
  *references = calloc((size_t)elements + 1, sizeof **references);
  fputs("<compiler balanceinertia=\"true\"/>\n<actuator>\n", f); // published inertias may be of no rigid body
  for (int i = 0; i < elements && *references; ++i) {
    ff_element_def e;
    if (ff_sim_element(sim, i, &e) != FF_OK || !is_motor(&e) || !write_driven(f, ff_scene_model(scene), &e))
      continue;
    fprintf(f, "\" gainprm=\"%.17g\" biastype=\"affine\" biasprm=\"0 %.17g %.17g\"", e.stiffness,
            -e.stiffness, -e.damping);
    if (isfinite(e.effort))
      fprintf(f, " forcelimited=\"true\" forcerange=\"%.17g %.17g\"", -e.effort, e.effort);
    fputs("/>\n", f);
    (*references)[count++] = e.reference;
  }
  fputs("</actuator>\n", f);
  return *references != NULL;
}

static void write_pose(FILE *f, const ff_pose *p)
{
  fprintf(f, " pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\"", p->position[0], p->position[1],
          p->position[2], p->quaternion[3], p->quaternion[0], p->quaternion[1], p->quaternion[2]);
}

// MuJoCo takes the larger friction of a pair, so the ground has none of its own. 0: such ground is not written.
static int write_ground(FILE *f, const ff_scene *scene, const ff_sim *sim)
{
  const ff_sim_def def = ff_scene_sim_def(scene);
  const int count = ff_world_def(ff_sim_world(sim))->ground_count;
  const ff_ground_def plane = ff_ground_def_default();
  fputs("<worldbody>\n", f);
  for (int i = 0; i < count; ++i) {
    const ff_shape_def *s = &(def.ground_count > 0 ? &def.ground[i] : &plane)->shape;
    if (s->type == FF_SHAPE_PLANE)
      fputs("<geom type=\"plane\" size=\"0 0 1\"", f);
    else if (s->type == FF_SHAPE_BOX)
      fprintf(f, "<geom type=\"box\" size=\"%.17g %.17g %.17g\"", s->size[0] / 2, s->size[1] / 2,
              s->size[2] / 2);
    else
      return 0;
    write_pose(f, &s->pose);
    fputs(" friction=\"0 0 0\"/>\n", f);
  }
  fputs("</worldbody>\n", f);
  return 1;
}

// The model's text without its actuators and keyframes, which count them, without the largest forces of joints, which
// the motors have and old releases do not know, and without its end.
static void write_model(FILE *f, const char *text)
{
  static const char *const left_out[][2] = {
      {"<actuator>", "</actuator>"}, {"<keyframe>", "</keyframe>"}, {" actuatorfrcrange=\"", "\""}};
  const char *end = strstr(text, "</mujoco>");
  for (const char *at = text; at < end;) {
    const char *next = end, *after = end;
    for (int k = 0; k < 3; ++k) {
      const char *from = strstr(at, left_out[k][0]),
                 *to = from ? strstr(from + strlen(left_out[k][0]), left_out[k][1]) : NULL;
      if (to && from < next) {
        next = from;
        after = to + strlen(left_out[k][1]);
      }
    }
    fwrite(at, 1, (size_t)(next - at), f);
    at = after;
  }
}

char *bench_robots_text(const ff_scene *scene, const ff_sim *sim, const char *path, double **references,
                        char *why, size_t size)
{
  char *text = NULL;
  size_t length = 0;
  ff_saved saved = {0};
  ff_error error = {0};
  *references = NULL;
  if (ff_model_save_text(ff_scene_model(scene), FF_MODEL_MJCF, path, &saved, &error) != FF_OK) {
    snprintf(why, size, "%.180s", error.message);
    return NULL;
  }
  FILE *f = open_memstream(&text, &length);
  int is_written = f != NULL;
  snprintf(why, size, f ? "its ground is neither planes nor boxes" : "no memory");
  if (f) {
    write_model(f, saved.text);
    is_written = write_ground(f, scene, sim) && write_motors(f, scene, sim, references);
    fputs("</mujoco>\n", f);
    is_written &= fclose(f) == 0;
  }
  ff_saved_free(&saved);
  if (is_written)
    return text;
  free(text);
  free(*references);
  *references = NULL;
  return NULL;
}
