// A new scene as text: what was found out about the robot, and comments that say what each part is for.
#define _POSIX_C_SOURCE 200809L
#include "complain.h"
#include "new.h"

#include <footfall/version.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ffi_new_quote(FILE *out, const char *text)
{
  fputc('"', out);
  for (const unsigned char *c = (const unsigned char *)text; *c; ++c) {
    if (*c == '"' || *c == '\\')
      fprintf(out, "\\%c", *c);
    else if (*c < 0x20 || *c == 0x7f)
      fprintf(out, "\\x%02x", *c);
    else
      fputc(*c, out);
  }
  fputc('"', out);
}

// In a comment, where a line must stay one.
static void put_plain(FILE *out, const char *text)
{
  for (; *text; ++text)
    fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, out);
}

static void put_head(const ffi_new *n, FILE *out)
{
  fprintf(
      out,
      "# A scene to begin with, made by footfall %s. Change what you like; 'footfall help run' and docs/guide/scenes.md say more.\n",
      ff_version());
  fprintf(out, "# Numbers are SI or carry a unit: 2ms, 30deg, 5cm, 1e5 N/m.\ntitle: ");
  ffi_new_quote(out, *ff_model_name(n->model) ? ff_model_name(n->model) : "robot");
  fprintf(out, "\nmodel: ");
  ffi_new_quote(out, n->model_name);
  fprintf(out, " # URDF or MJCF, from this file's folder\n");
}

static void put_load(const ffi_new *n, FILE *out)
{
  const ff_load_def *def = &n->load.def;
  if (!def->fixed_base && def->mimic == FF_MIMIC_REFUSE && n->load.mesh_path_count == 0)
    return;
  fprintf(out, "load:\n");
  if (def->fixed_base)
    fprintf(out, "  fixed_base: true # the root is fixed to the world\n");
  if (def->mimic != FF_MIMIC_REFUSE)
    fprintf(out,
            "  mimic: %s # joints that should follow others: fix them where they are, or let them go free\n",
            def->mimic == FF_MIMIC_FIX ? "fix" : "free");
  for (int i = 0; i < n->load.mesh_path_count; ++i) {
    char *folder = ff_path_between(n->out, n->load.mesh_paths[i]);
    fprintf(out, i == 0 ? "  mesh_paths:\n    - " : "    - ");
    ffi_new_quote(out, folder ? folder : n->load.mesh_paths[i]);
    fprintf(out, "\n");
    free(folder);
  }
}

static void put_points(const ffi_new *n, FILE *out)
{
  if (n->point_count == 0)
    return;
  fprintf(
      out,
      "\n# The model has no collision shapes, so nothing would hold it up. These are the lowest points of what is drawn;\n"
      "# put them where its feet are, each in the frame of its link.\ncontact_points:\n");
  for (int i = 0; i < n->point_count; ++i) {
    const ff_load_point *p = &n->points[i];
    fprintf(out, "  - {link: ");
    ffi_new_quote(out, p->link);
    fprintf(out, ", at: [%.6g, %.6g, %.6g]}\n", p->at[0] + 0.0, p->at[1] + 0.0, p->at[2] + 0.0);
  }
}

// ---- Start --------------------------------------------------------------------------------------------------------

static void put_base(const ffi_new *n, FILE *out)
{
  ff_joint_info base;
  if (n->base < 0 || !n->is_placed)
    return;
  ff_model_joint(n->model, n->base, &base);
  const double *q = n->q + base.q;
  fprintf(out, "  position: [%.9g, %.9g, %.9g] # of the base [m]%s\n", q[0] + 0.0, q[1] + 0.0, q[2] + 0.0,
          ff_model_has_ground(n->model) ? "" : ": its lowest point touches z = 0");
  fprintf(out, "  quaternion: [%.9g, %.9g, %.9g, %.9g] # of the base, x y z w; or rpy: [0, 0, 90deg]\n",
          q[3] + 0.0, q[4] + 0.0, q[5] + 0.0, q[6] + 0.0);
}

static void put_joints(const ffi_new *n, FILE *out)
{
  ff_joint_info joint;
  int count = 0;
  for (int j = 0; n->from_posture < 0 && ff_model_joint(n->model, j, &joint) == FF_OK; ++j) {
    if (joint.nq != 1)
      continue;
    if (count++ == 0)
      fprintf(out, "  joints: # rad or m, or with a unit\n");
    fprintf(out, "    ");
    ffi_new_quote(out, joint.name);
    fprintf(out, ": %.9g", n->q[joint.q] + 0.0);
    if (joint.has_limits)
      fprintf(out, " # %.4g to %.4g", joint.lower, joint.upper);
    fprintf(out, "\n");
  }
}

static int has_single_joint(const ff_model *model)
{
  ff_joint_info joint;
  for (int j = 0; ff_model_joint(model, j, &joint) == FF_OK; ++j)
    if (joint.nq == 1)
      return 1;
  return 0;
}

static void put_start(const ffi_new *n, FILE *out)
{
  const int count = ff_model_get_size(n->model).postures;
  if (n->from_posture < 0 && !(n->base >= 0 && n->is_placed) && !has_single_joint(n->model))
    return;
  fprintf(out, "\nstart:\n");
  if (n->from_posture >= 0) {
    fprintf(out, "  posture: ");
    ffi_new_quote(out, ff_model_posture_name(n->model, n->from_posture));
    fprintf(out, " # the model has");
    for (int i = 0; i < count && i < 8; ++i) {
      fprintf(out, i > 0 ? ", " : " ");
      put_plain(out, ff_model_posture_name(n->model, i));
    }
    fprintf(out, count > 8 ? ", ...\n" : "\n");
  }
  put_base(n, out);
  put_joints(n, out);
}

// ---- Ground and motors --------------------------------------------------------------------------------------------

// Ground that no file describes is as stiff as the robot is heavy: it gives way by no more than 1 cm, with the same time constant.
static void stiffen(const ff_model *model, ff_material *m)
{
  const ff_material usual = ff_material_default();
  double g[3];
  ff_model_gravity(model, g);
  const double weight = ff_model_mass(model) * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  const double times = ceil(weight / (0.01 * usual.stiffness));
  if (m->stiffness != usual.stiffness || m->damping != usual.damping || !(times > 1))
    return;
  m->stiffness *= times;
  m->damping *= times;
}

static void put_ground(const ffi_new *n, FILE *out)
{
  ff_material m;
  if (ff_model_has_ground(n->model)) {
    fprintf(out, "\n# The ground is the model's own.\n");
    return;
  }
  fprintf(out, "\nground: plane # z = 0; or {type: plane, slope: 5deg}, or a list of planes and boxes\n");
  if (!ff_model_common_material(n->model, &m))
    return; // each shape has its own
  stiffen(n->model, &m);
  fprintf(
      out,
      "material: # of all contacts with the ground\n  stiffness: %g N/m\n  damping: %g Ns/m\n  friction: %g\n",
      m.stiffness, m.damping, m.friction);
}

static void put_gains(const ffi_new *n, FILE *out)
{
  fprintf(
      out,
      "  # Each joint alone swings at 4 Hz, damped by half: kp = I (2 pi f)^2, kd = sqrt(kp I), I the inertia about its axis of\n"
      "  # what it moves, from the mass matrix. More kp is stiffer; effort limits of the model hold.\n  joints:\n");
  for (int i = 0; i < n->motors.count; ++i) {
    const ff_element_def *e = &n->motors.elements[i];
    ff_joint_info joint;
    ff_model_joint(n->model, e->joint, &joint);
    const int slides = joint.type == FF_JOINT_PRISMATIC;
    fprintf(out, "    ");
    ffi_new_quote(out, joint.name);
    fprintf(out, ": {kp: %.4g %s, kd: %.4g %s}\n", e->stiffness, slides ? "N/m" : "Nm/rad", e->damping,
            slides ? "Ns/m" : "Nms/rad");
  }
}

static void put_controller(const ffi_new *n, FILE *out)
{
  if (n->motors.count == 0 && n->motors.model_count == 0) {
    fprintf(out, "\ncontroller: none # there is no joint that a motor could hold\n");
    return;
  }
  fprintf(out, "\ncontroller:\n  type: posture-pd # motors inside the step hold the start\n");
  if (n->motors.count > 0)
    put_gains(n, out);
  else
    fprintf(out, "  kp: 0 # the model's own servos do\n  kd: 0\n");
}

// ---- Time ---------------------------------------------------------------------------------------------------------

static void put_time(const ffi_new *n, FILE *out)
{
  if (n->stepper == FF_STEPPER_MOREAU) {
    fprintf(
        out,
        "\nstepper:\n  type: moreau # hard contact: many things that touch each other\n  moreau:\n    stabilise: true\n");
    if (n->crowd == 2)
      fprintf(
          out,
          "  solver: sor # quicker than exact where there are hundreds of contacts\n  relative_tolerance: 1e-4\n"
          "  absolute_tolerance: 1e-5 Ns\n  max_contacts: %d\n",
          10 * n->floating);
  } else {
    fprintf(out,
            "\nstepper: %s # exact for stiff springs; 'footfall compare' shows how others do on this scene\n",
            ff_stepper_name(n->stepper));
  }
  fprintf(out, "dt: %gms\nduration: %gs\n", 1e3 * n->dt, n->duration);
}

static void put_end(const ffi_new *n, FILE *out)
{
  fprintf(out, "\nlog:\n  file: ");
  const char *slash = strrchr(n->log, '/');
  ffi_new_quote(out, slash ? slash + 1 : n->log);
  fprintf(out, " # beside this file; look at it with: footfall view FILE\n");
  if (n->is_stable && n->base >= 0)
    fprintf(out,
            "\nexpect: # 'footfall run' ends with status 4 if this does not come true\n%s"
            "  moved: %.2g m # at most\n",
            n->expects_upright ? "  upright: true\n" : "", n->stray);
}

char *ffi_new_text(const ffi_new *n, size_t *length)
{
  char *text = NULL;
  FILE *out = open_memstream(&text, length);
  if (!out)
    ffi_need_memory(NULL, (size_t)-1); // ends the program
  put_head(n, out);
  put_load(n, out);
  put_points(n, out);
  put_start(n, out);
  put_ground(n, out);
  put_controller(n, out);
  put_time(n, out);
  put_end(n, out);
  if (ferror(out) | (fclose(out) != 0))
    ffi_need_memory(NULL, (size_t)-1);
  return text;
}
