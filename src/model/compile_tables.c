// Masses of bodies, and the tables that the kernels walk: subtrees, levels, slices of q and v.
#include "model/compile.h"

#include "base/fail.h"
#include "math/mat3.h"
#include "model/check.h"
#include "model/inertia.h"

#include <limits.h>

// Sum the links of each body about the body's origin.
static void sum_masses(ffi_compile_plan *plan)
{
  for (int k = 0; k < plan->size.links; ++k) {
    const ffi_compile_link *link = &plan->links[k];
    const ffi_inertia_moments m =
        ffi_inertia_moments_place(link->p, link->R, &ffi_compile_source(plan, k)->def.inertia);
    ffi_body *body = &plan->bodies[link->body];
    body->mass += m.mass;
    ffi_v3_add(body->mc, m.mc, body->mc);
    for (int i = 0; i < 6; ++i)
      body->I[i] += m.I[i];
  }
  for (int i = 0; i < plan->body_count; ++i) {
    ffi_body *body = &plan->bodies[i];
    double half_trace = (body->I[0] + body->I[3] + body->I[5]) / 2;
    for (int j = 0; j < 6; ++j)
      body->Sigma[j] = (j == 0 || j == 3 || j == 5 ? half_trace : 0) - body->I[j];
    if (i > 0)
      plan->mass += body->mass;
  }
}

static ff_status check_finite(const ffi_compile_plan *plan, ff_error *error)
{
  for (int i = 0; i < plan->body_count; ++i) {
    const ffi_body *body = &plan->bodies[i];
    if (ffi_all_finite(body->p, 3) && ffi_all_finite(&body->mass, 1) && ffi_all_finite(body->mc, 3) &&
        ffi_all_finite(body->I, 6) && ffi_all_finite(body->Sigma, 6))
      continue;
    const ffi_build_link *at =
        i > 0 ? ffi_compile_source(plan, plan->body_link[i]) : &plan->builder->links[0];
    ffi_check_label thing = ffi_check_make_label(i > 0 ? "link" : "world", i > 0 ? at->def.name : NULL);
    return ffi_fail(error, FF_ERROR_MODEL, at->source.file, at->source.line, thing.text,
                    "its masses, sizes or positions are so large that their sums overflow");
  }
  return FF_OK;
}

ff_status ffi_compile_tables(ffi_compile_plan *plan, ff_error *error)
{
  long long entries = 0; // of the sparse mass matrix
  ff_model_size *size = &plan->size;
  size->joints = plan->body_count - 1;
  plan->bodies[0].subtree_end = plan->body_count;
  for (int i = 1; i < plan->body_count; ++i) {
    ffi_body *body = &plan->bodies[i];
    const ffi_body *parent = &plan->bodies[body->parent];
    const ff_joint_type type = ffi_compile_source(plan, plan->body_link[i])->def.joint.type;
    body->level = parent->level + 1;
    body->subtree_end = i + 1;
    body->q = size->nq;
    body->v = size->nv;
    body->nq = ffi_joint_type_nq(type);
    body->nv = ffi_joint_type_nv(type);
    body->depth = parent->depth + body->nv;
    size->nq += body->nq;
    size->nv += body->nv;
    size->roots += body->parent == 0;
    size->actuated += type != FF_JOINT_FREE;
    plan->max_level = body->level > plan->max_level ? body->level : plan->max_level;
    plan->max_depth = body->depth > plan->max_depth ? body->depth : plan->max_depth;
    entries += (long long)body->nv * body->depth;
  }
  for (int i = plan->body_count - 1; i > 0; --i) {
    int *end = &plan->bodies[plan->bodies[i].parent].subtree_end;
    if (*end < plan->bodies[i].subtree_end)
      *end = plan->bodies[i].subtree_end;
  }
  for (int i = 0; i < plan->body_count; ++i) {
    const int end = plan->bodies[i].subtree_end;
    plan->bodies[i].v_end = end < plan->body_count ? plan->bodies[end].v : size->nv;
  }
  if (entries > INT_MAX)
    return ffi_fail(error, FF_ERROR_LIMIT, NULL, 0, "model",
                    "its mass matrix would have %lld entries, the limit is %d", entries, INT_MAX);
  sum_masses(plan);
  return check_finite(plan, error);
}
