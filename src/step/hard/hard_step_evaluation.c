// One look of a step with hard contact: poses, what is near and what of it touches, elements that are held, bias
// forces.
#include "step/hard/hard_step_evaluation.h"

#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"

#include <math.h>

void ffi_hard_step_evaluation_layout(const ffi_system *s, ffi_block *block, ffi_hard_step_evaluation *out)
{
  const size_t nv = (size_t)s->model->size.nv, near = (size_t)s->scene->most_near + 1;
  ffi_hard_step_evaluation p = {.state = ffi_state_layout(s, block)};
  ffi_state_kinematics_layout(s, block, &p.at);
  p.coast = ffi_block_take(block, nv, sizeof *p.coast);
  p.h = ffi_block_take(block, nv, sizeof *p.h);
  p.near = ffi_block_take(block, near, sizeof *p.near);
  p.role = ffi_block_take(block, near, sizeof *p.role);
  p.element = ffi_block_take(block, (size_t)s->element_count, sizeof *p.element);
  *out = p;
}

const ffi_pose *ffi_hard_step_evaluation_poses(const ffi_hard_step_evaluation *look)
{
  return ffi_state_kinematics_places(&look->at).body;
}

const ffi_pose *ffi_hard_step_evaluation_frame(const ffi_system *s, const ffi_hard_step_evaluation *look,
                                               const ffi_detect_candidate *near)
{
  return ffi_anchor_frame(s, &look->at, near);
}

static void raise_to(double value, double *most)
{
  if (value > *most)
    *most = value;
}

void ffi_hard_step_evaluation_add_errors(const ffi_hard_step_evaluation_errors *seen,
                                         ffi_hard_step_evaluation_errors *sum)
{
  raise_to(seen->penetration, &sum->penetration);
  raise_to(seen->drift, &sum->drift);
  raise_to(seen->drift_angle, &sum->drift_angle);
}

void ffi_hard_step_evaluation_report_errors(const ffi_hard_step_evaluation_errors *seen, ff_step_info *info)
{
  raise_to(seen->penetration, &info->penetration);
  raise_to(seen->drift, &info->drift);
  raise_to(seen->drift_angle, &info->drift_angle);
}

// Did a contact that is a little apart touch in the last step, and does it still? It does if it pushed: the curvature
// of its way opens it by omega^2 r dt^2 / 2, and a foot that is let go for one step is driven into the ground by its
// motors. If it did not push, as long as it is no farther apart than things fall in a step.
static int is_kept(const ffi_state *from, const ffi_detect_candidate *near, double fall, int *t)
{
  for (; *t < from->touching_count && from->touching[*t].id < near->id; ++*t)
    ;
  return *t < from->touching_count && from->touching[*t].id == near->id &&
         (near->gap <= fall || ffi_v3_dot(from->touching[*t].mean_force, near->normal) > 0);
}

// What is near, and which of it touches: what overlaps, and where positions are stabilised what is a little apart and
// touched in the last step. Returns how many.
static int find_near(const ffi_system *s, const ffi_hard_step_request *request, ffi_hard_step_evaluation *out)
{
  const double fall = ffi_v3_norm(s->model->gravity) * request->dt * request->dt; // [m]
  const ffi_poses at = ffi_state_kinematics_places(&out->at);
  int t = 0, count = 0;
  out->near_count = request->advances ? ffi_detect_nearest(s->scene, s->detection, &at, request->reach,
                                                           0.5 * request->skin, out->near)
                                      : ffi_detect(s->scene, s->detection, &at, request->reach, out->near);
  for (int i = 0; i < out->near_count; ++i) {
    const ffi_detect_candidate *near = &out->near[i];
    const int touches =
        near->gap <= FFI_HARD_STEP_REQUEST_SKINS * request->skin || is_kept(request->from, near, fall, &t);
    out->role[i] = touches ? FFI_HARD_STEP_EVALUATION_TOUCHES : FFI_HARD_STEP_EVALUATION_NEAR;
    raise_to(-near->gap, &out->seen.penetration);
    count += touches;
  }
  return count;
}

static void place_elements(const ffi_system *s, ffi_hard_step_evaluation *out)
{
  for (int e = 0; e < s->element_count; ++e) {
    if (ffi_element_rows_count(s->elements[e].def.type) == 0)
      continue;
    ffi_element_rows *rows = &out->element[e];
    ffi_element_rows_set(s->model, &s->elements[e].def, ffi_hard_step_evaluation_poses(out), rows);
    raise_to(ffi_element_rows_drift(rows), &out->seen.drift);
    for (int r = rows->linear; r < rows->count; ++r)
      raise_to(fabs(rows->gap[r]), &out->seen.drift_angle);
  }
}

ff_status ffi_hard_step_evaluation_at(ffi_system *s, const ffi_hard_step_request *request,
                                      ffi_hard_step_evaluation *look, ff_error *error)
{
  const ffi_state *at = look->state;
  look->seen = (ffi_hard_step_evaluation_errors){0};
  ffi_state_kinematics_at(s, at, &look->at);
  if (find_near(s, request, look) > s->max_contacts)
    return ffi_evaluation_too_many_contacts(s, error);
  place_elements(s, look);
  ffi_hard_step_coast(s->model, at->v, look->coast);
  s->k->rnea(look->at.work, at->v, look->coast, look->h);
  return FF_OK;
}
