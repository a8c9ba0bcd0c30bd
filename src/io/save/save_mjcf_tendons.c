// Tendons and couplings of joints in an MJCF: <tendon>, and <joint> and <tendon> in <equality>.
#include "io/save/save.h"

#include <math.h>
#include <stdio.h>

// What a <fixed> says of its elements, each once.
typedef struct fixed {
  const ff_element_def *spring, *limit, *friction;
} fixed;

// The elements of a tendon as attributes; what has no attribute is listed.
static void put_attributes(ffi_save *s, const fixed *f)
{
  if (f->spring) {
    ffi_save_unless(s, "stiffness", f->spring->stiffness, 0);
    ffi_save_unless(s, "damping", f->spring->damping, 0);
    if (f->spring->stiffness > 0)
      ffi_save_number(s, "springlength", f->spring->reference);
  }
  if (f->limit) {
    const double range[2] = {fmax(f->limit->lower, -1e10), fmin(f->limit->upper, 1e10)};
    ffi_save_text(s, "limited", "true");
    ffi_save_numbers(s, "range", range, 2);
  }
  if (f->friction)
    ffi_save_number(s, "frictionloss", f->friction->effort);
}

static void note_left_out(ffi_save *s, const ff_element_def *e)
{
  ffi_save_note(s, "element '%s' of type %s is left out; MJCF cannot express it", e->name ? e->name : "",
                ff_element_type_name(e->type));
}

// The place of an element in its tendon's attributes; NULL: there is none, or it is taken.
static const ff_element_def **place_of(fixed *f, const ff_element_def *e)
{
  const ff_element_def **at = e->type == FF_ELEMENT_JOINT_PD         ? &f->spring
                              : e->type == FF_ELEMENT_JOINT_LIMIT    ? &f->limit
                              : e->type == FF_ELEMENT_JOINT_FRICTION ? &f->friction
                                                                     : NULL;
  const int has_effort = e->type == FF_ELEMENT_JOINT_PD && isfinite(e->effort);
  return at && !*at && !has_effort ? at : NULL;
}

static void put_tendon(ffi_save *s, int tendon)
{
  ff_tendon_info t;
  ff_joint_info joint;
  ff_element_def e[3];
  fixed f = {0};
  int used = 0;
  ff_model_tendon(s->model, tendon, &t);
  for (int i = 0; used < 3 && ff_model_element(s->model, i, &e[used]) == FF_OK; ++i) {
    const int is_here = e[used].tendon == tendon && ff_element_type_is_joint(e[used].type);
    const ff_element_def **at = is_here ? place_of(&f, &e[used]) : NULL;
    if (at)
      *at = &e[used++];
    else if (is_here)
      note_left_out(s, &e[used]);
  }
  fputs("    <fixed", s->out);
  ffi_save_text(s, "name", t.name);
  put_attributes(s, &f);
  fputs(">", s->out);
  for (int k = 0; k < t.count; ++k) {
    ff_model_joint(s->model, t.joints[k], &joint);
    fputs("<joint", s->out);
    ffi_save_text(s, "joint", joint.name);
    ffi_save_number(s, "coef", t.coefficients[k]);
    fputs("/>", s->out);
  }
  fputs("</fixed>\n", s->out);
}

void ffi_save_mjcf_tendons(ffi_save *s)
{
  if (s->size.tendons == 0)
    return;
  fputs("  <tendon>\n", s->out);
  for (int i = 0; i < s->size.tendons; ++i)
    put_tendon(s, i);
  fputs("  </tendon>\n", s->out);
}

// MuJoCo's polynomials are about the positions as written, which are zero in files that are saved.
void ffi_save_mjcf_tendons_coupling(ffi_save *s, const ff_element_def *e)
{
  const int is_tendon = e->tendon >= 0;
  if (is_tendon != (e->leader_tendon >= 0) && (e->leader >= 0 || e->leader_tendon >= 0)) {
    note_left_out(s, e); // a joint and a tendon
    return;
  }
  fprintf(s->out, "    <%s", is_tendon ? "tendon" : "joint");
  ffi_save_text(s, "name", e->name && *e->name ? e->name : NULL);
  const int ids[2] = {is_tendon ? e->tendon : e->joint, is_tendon ? e->leader_tendon : e->leader};
  for (int k = 0; k < 2; ++k) {
    ff_tendon_info t;
    ff_joint_info j;
    if (is_tendon && ff_model_tendon(s->model, ids[k], &t) == FF_OK)
      ffi_save_text(s, k == 0 ? "tendon1" : "tendon2", t.name);
    else if (!is_tendon && ff_model_joint(s->model, ids[k], &j) == FF_OK)
      ffi_save_text(s, k == 0 ? "joint1" : "joint2", j.name);
  }
  ffi_save_numbers(s, "polycoef", e->polynomial, 5);
  fputs("/>\n", s->out);
}
