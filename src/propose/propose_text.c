// A proposed scene as text: what was found out about the robot, and comments that say what each part is for.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // uselocale, open_memstream
#endif

#include "propose/propose.h"

#include <footfall/version.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_escaped(FILE *out, const char *text)
{
  for (const unsigned char *c = (const unsigned char *)text; *c; ++c) {
    if (*c == '"' || *c == '\\')
      fprintf(out, "\\%c", *c);
    else if (*c < 0x20 || *c == 0x7f)
      fprintf(out, "\\x%02x", *c);
    else
      fputc(*c, out);
  }
}

// A word in quotes as YAML reads it.
static void put_quoted(FILE *out, const char *text)
{
  fputc('"', out);
  put_escaped(out, text);
  fputc('"', out);
}

// In a comment, where a line must stay one.
static void put_plain(FILE *out, const char *text)
{
  for (; *text; ++text)
    fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, out);
}

// What the robot does, as a sentence that a reader can check.
static const char *outcome(const ffi_propose *p)
{
  const ff_proposal *r = &p->result;
  if (r->has_unused_rotors)
    return r->is_stable ? "unpowered, rests on the ground" : "is unpowered and falls";
  switch (r->state) {
  case FF_PROPOSAL_STANDS: return "stands";
  case FF_PROPOSAL_LIES: return "lies where it came to rest";
  case FF_PROPOSAL_HELD: return r->is_settled ? "held where it came to rest" : "holds its posture";
  case FF_PROPOSAL_MANY: return "everything starts where the model puts it";
  default: return p->is_fixed ? "does not keep its posture" : "does not stay where it starts";
  }
}

static void put_head(const ffi_propose *p, FILE *out)
{
  fprintf(out,
          "# A scene to begin with, made by footfall %s. Change what you like; 'footfall help run' and "
          "docs/guide/scenes.md say more.\n",
          ff_version());
  fprintf(out, "# Numbers are SI or carry a unit: 2ms, 30deg, 5cm, 1e5 N/m.\ntitle: \"");
  put_escaped(out, *ff_model_name(p->model) ? ff_model_name(p->model) : "robot");
  fprintf(out, ": %s", outcome(p));
  if (p->result.moved > FFI_PROPOSE_NOTABLE_MOVE)
    fprintf(out, ", gives way by %.2g cm", 100 * p->result.moved);
  fprintf(out, "\"\nmodel: ");
  put_quoted(out, p->model_name);
  fprintf(out, " # URDF or MJCF, from this file's folder\n");
}

static void put_load(const ffi_propose *p, FILE *out)
{
  const ff_load_def *def = &p->load;
  if (!def->fixed_base && def->mimic == FF_MIMIC_COUPLE && p->mesh_path_count == 0 &&
      def->contact_parameters == FF_CONTACT_PARAMETERS_STATED && def->massless == FF_MASSLESS_LEAST &&
      !p->srdf_name)
    return;
  fprintf(out, "load:\n");
  if (def->fixed_base)
    fprintf(out, "  fixed_base: true # it is fixed to the world%s%s%s\n", p->result.fixes_base ? ": " : "",
            p->result.fixes_base ? p->result.fixed_because : "",
            p->result.fixes_base ? "; without this line it floats" : "");
  if (def->mimic != FF_MIMIC_COUPLE)
    fprintf(
        out,
        "  mimic: %s # joints that should follow others: fix them where they are, or let them move freely\n",
        def->mimic == FF_MIMIC_FIX ? "fix" : "free");
  if (def->contact_parameters != FF_CONTACT_PARAMETERS_STATED)
    fprintf(out, "  contact_parameters: %s # softness of contacts: as in MuJoCo everywhere, or nowhere\n",
            def->contact_parameters == FF_CONTACT_PARAMETERS_MUJOCO ? "mujoco" : "footfall");
  if (def->massless != FF_MASSLESS_LEAST)
    fprintf(out, "  massless: %s # links that move but neither have nor carry mass\n",
            def->massless == FF_MASSLESS_FIX ? "fix" : "refuse");
  if (p->srdf_name) {
    fprintf(out, "  srdf: ");
    put_quoted(out, p->srdf_name);
    fprintf(out, "\n");
  }
  for (int i = 0; i < p->mesh_path_count; ++i) {
    fprintf(out, i == 0 ? "  mesh_paths:\n    - " : "    - ");
    put_quoted(out, p->mesh_names[i]);
    fprintf(out, "\n");
  }
}

static void put_points(const ffi_propose *p, FILE *out)
{
  if (p->result.point_count == 0)
    return;
  fprintf(out,
          "\n# The model has no collision shapes, so nothing would hold it up. These are the lowest points "
          "of what is drawn;\n"
          "# put them where its feet are, each in the frame of its link.\ncontact_points:\n");
  for (int i = 0; i < p->result.point_count; ++i) {
    const ff_load_point *point = &p->points[i];
    fprintf(out, "  - {link: ");
    put_quoted(out, point->link);
    fprintf(out, ", at: [%.6g, %.6g, %.6g]}\n", point->at[0] + 0.0, point->at[1] + 0.0, point->at[2] + 0.0);
  }
}

// ---- Start --------------------------------------------------------------------------------------------------------

// The loose thing beside a robot that is fixed is called by its name.
static void put_floating(const ffi_propose *p, const ff_joint_info *base, FILE *out)
{
  ff_link_info link;
  if (!p->is_fixed || ff_model_link(p->model, base->link, &link) != FF_OK) {
    fprintf(out, "the base");
    return;
  }
  fputc('\'', out);
  put_plain(out, link.name);
  fputc('\'', out);
}

static void put_base(const ffi_propose *p, FILE *out)
{
  ff_joint_info base;
  if (p->result.base < 0 || !p->result.is_placed)
    return;
  ff_model_joint(p->model, p->result.base, &base);
  const double *q = p->q + base.q;
  fprintf(out, "  position: [%.9g, %.9g, %.9g] # of ", q[0] + 0.0, q[1] + 0.0, q[2] + 0.0);
  put_floating(p, &base, out);
  fprintf(out, " [m]%s\n",
          p->result.is_sunk               ? ": where its weight presses it to"
          : ff_model_has_ground(p->model) ? ""
                                          : ": its lowest point touches z = 0");
  fprintf(out, "  quaternion: [%.9g, %.9g, %.9g, %.9g] # of ", q[3] + 0.0, q[4] + 0.0, q[5] + 0.0,
          q[6] + 0.0);
  put_floating(p, &base, out);
  fprintf(out, ", x y z w; or rpy: [0, 0, 90deg]\n");
}

static void put_joints(const ffi_propose *p, FILE *out)
{
  ff_joint_info joint;
  int count = 0;
  const int is_all = p->result.posture < 0;
  for (int j = 0; (is_all || p->result.has_joints) && ff_model_joint(p->model, j, &joint) == FF_OK; ++j) {
    if (joint.nq != 1)
      continue;
    if (count++ == 0)
      fprintf(out, "  joints: # rad or m, or with a unit\n");
    fprintf(out, "    ");
    put_quoted(out, joint.name);
    fprintf(out, ": %.9g", p->q[joint.q] + 0.0);
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

static void put_start(const ffi_propose *p, FILE *out)
{
  const int count = ff_model_get_size(p->model).postures;
  if (p->result.posture < 0 && !(p->result.base >= 0 && p->result.is_placed) && !has_single_joint(p->model))
    return;
  fprintf(out, "\nstart:\n");
  if (p->result.posture >= 0) {
    fprintf(out, "  posture: ");
    put_quoted(out, ff_model_posture_name(p->model, p->result.posture));
    fprintf(out, " # the model has");
    for (int i = 0; i < count && i < 8; ++i) {
      fprintf(out, i > 0 ? ", " : " ");
      put_plain(out, ff_model_posture_name(p->model, i));
    }
    fprintf(out, count > 8 ? ", ...\n" : "\n");
  }
  put_base(p, out);
  if (p->result.is_bent)
    fprintf(out, "  # Bent knees, flat feet below the centre of mass.\n");
  put_joints(p, out);
}

// ---- Ground and motors --------------------------------------------------------------------------------------------

static void put_ground(const ffi_propose *p, FILE *out)
{
  const ff_material *m = &p->result.material;
  if (p->result.has_no_ground) {
    fprintf(out, "\nground: [] # none: it is fixed to the world, and reaches below z = 0\n");
    return;
  }
  if (ff_model_has_ground(p->model) && p->result.floating == 0) {
    fprintf(out, "\n# No ground but what the model has fixed to the world.\n");
    return;
  }
  if (ff_model_has_ground(p->model)) {
    fprintf(out, "\n# The ground is the model's own.\n");
    return;
  }
  fprintf(out, "\nground: plane # z = 0; or {type: plane, slope: 5deg}, or a list of planes and boxes\n");
  if (p->result.has_material) // else each shape has its own
    fprintf(
        out,
        "material: # of all contacts with the ground\n  stiffness: %g N/m\n  damping: %g Ns/m\n  friction: %g\n",
        m->stiffness, m->damping, m->friction);
}

static void put_gains(const ffi_propose *p, FILE *out)
{
  fprintf(
      out,
      "  # Each joint swings at 4 Hz at most, kp = I (2 pi f)^2, I the inertia about its axis of what it moves; and "
      "uses its whole effort\n"
      "  # at 0.2 rad or 2 cm from here, if the model has a limit: kp = effort / 0.2 rad. kd = kp / (2 pi f), half "
      "critical at 4 Hz.\n  joints:\n");
  for (int i = 0; i < p->result.motor_count; ++i) {
    const ff_element_def *e = &p->motors[i];
    ff_joint_info joint;
    ff_model_joint(p->model, e->joint, &joint);
    const int slides = joint.type == FF_JOINT_PRISMATIC;
    fprintf(out, "    ");
    put_quoted(out, joint.name);
    fprintf(out, ": {kp: %.4g %s, kd: %.4g %s}\n", e->stiffness, slides ? "N/m" : "Nm/rad", e->damping,
            slides ? "Ns/m" : "Nms/rad");
  }
}

static void put_gravity(const ffi_propose *p, FILE *out)
{
  if (!p->result.has_gravity)
    return;
  if (p->is_fixed) {
    fprintf(out,
            "  gravity: true # torques carry the weight, so that the motors need not give way to pull\n");
    return;
  }
  fprintf(
      out,
      "  gravity: true # torques carry the weight, and keep the centre of mass over these links\n  feet: [");
  for (int i = 0; i < p->result.stands_on_count; ++i) {
    ff_link_info link;
    ff_model_link(p->model, p->stands_on[i], &link);
    fprintf(out, i > 0 ? ", " : "");
    put_quoted(out, link.name);
  }
  fprintf(out, "]\n");
}

static void put_controller(const ffi_propose *p, FILE *out)
{
  if (p->result.motor_count == 0 && p->result.servo_count == 0) {
    fprintf(out, "\ncontroller: none # there is no joint that a motor could hold\n");
    return;
  }
  fprintf(out, "\ncontroller:\n  type: posture-pd # motors inside the step hold the start\n");
  put_gravity(p, out);
  if (p->result.motor_count > 0)
    put_gains(p, out);
  else
    fprintf(out, "  kp: 0 # the model's own servos do\n  kd: 0\n");
}

// ---- Time ---------------------------------------------------------------------------------------------------------

static void put_time(const ffi_propose *p, FILE *out)
{
  if (p->result.stepper == FF_STEPPER_MOREAU) {
    fprintf(out,
            "\nstepper:\n  type: moreau # hard contact: many things that touch each other\n  moreau:\n    "
            "stabilise: true\n");
    if (p->crowd == 2)
      fprintf(
          out,
          "    solver: sor # quicker than exact where there are hundreds of contacts\n    relative_tolerance: 1e-4\n"
          "    absolute_tolerance: 1e-5 Ns\n  max_contacts: %d\n",
          10 * p->result.floating);
  } else {
    fprintf(
        out,
        "\nstepper: %s # exact for stiff springs; 'footfall compare FILE' compares it with others on this scene\n",
        ff_stepper_name(p->result.stepper));
  }
  fprintf(out, "dt: %gms\nduration: %gs\n", 1e3 * p->result.dt, p->result.duration);
}

static void put_end(const ffi_propose *p, FILE *out)
{
  ff_joint_info base;
  fprintf(out, "\nlog:\n  file: ");
  const char *slash = strrchr(p->log, '/');
  put_quoted(out, slash ? slash + 1 : p->log);
  fprintf(out, " # beside this file; look at it with: footfall view FILE\n");
  if (p->result.is_stable && ff_model_joint(p->model, p->result.base, &base) == FF_OK) {
    fprintf(out,
            "\nexpect: # 'footfall run' ends with status 4 if this does not hold\n%s"
            "  moved: %.3g m # at most, of ",
            p->result.expects_upright ? "  upright: true\n" : "", p->stray);
    put_floating(p, &base, out);
    fprintf(out, "\n");
  } else if (!p->result.is_stable && p->crowd == 0)
    fprintf(out, "\n# Nothing is expected: the robot %s.\n", outcome(p));
}

static int put_all(const ffi_propose *p, FILE *out)
{
  put_head(p, out);
  put_load(p, out);
  put_points(p, out);
  put_start(p, out);
  put_ground(p, out);
  put_controller(p, out);
  put_time(p, out);
  put_end(p, out);
  return !ferror(out);
}

ff_status ffi_propose_text(ffi_propose *p, ff_error *error)
{
  const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0); // numbers have points
  char *text = NULL;
  size_t size = 0;
  FILE *out = c ? open_memstream(&text, &size) : NULL;
  int is_whole = 0;
  if (out) {
    const locale_t old = uselocale(c);
    is_whole = put_all(p, out);
    uselocale(old);
    is_whole &= fclose(out) == 0;
  }
  if (c)
    freelocale(c);
  if (!is_whole) {
    free(text);
    return ffi_propose_no_memory(p, error);
  }
  free(p->text);
  p->text = text;
  p->result.text_size = size;
  return FF_OK;
}
