// Does every joint carry inertia along each of its directions? Otherwise a force would accelerate it without
// bound.
//
// The composite inertia of a joint's subtree, frozen at q = 0, restricted to the joint's motions, plus
// armature, must be positive definite. This is the diagonal block of the mass matrix.
#include "model/compile.h"

#include "base/error.h"
#include "math/mat3.h"
#include "model/checks.h"
#include "model/inertia.h"

// The composite's 6 x 6 matrix, (linear, angular):  [ m 1, -mc x; mc x, I ]
static void spatial_matrix(const ffi_moments *a, double A[36])
{
  double h[9], I[9];
  ffi_m3_skew(a->mc, h);
  ffi_m3_from_sym(a->I, I);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      A[6 * i + j] = i == j ? a->mass : 0;
      A[6 * i + j + 3] = -h[3 * i + j];
      A[6 * (i + 3) + j] = h[3 * i + j];
      A[6 * (i + 3) + j + 3] = I[3 * i + j];
    }
}

// Which rows of the spatial matrix a joint moves along, in its internal frame. Returns how many.
static int motions(int kind, int rows[6])
{
  static const int planar[3] = {0, 1, 5};
  switch (kind) {
  case FFI_KIND_REVOLUTE_X: rows[0] = 3; return 1;
  case FFI_KIND_REVOLUTE_Y: rows[0] = 4; return 1;
  case FFI_KIND_REVOLUTE_Z:
  case FFI_KIND_REVOLUTE_G: rows[0] = 5; return 1;
  case FFI_KIND_PRISMATIC_X: rows[0] = 0; return 1;
  case FFI_KIND_PRISMATIC_Y: rows[0] = 1; return 1;
  case FFI_KIND_PRISMATIC_Z:
  case FFI_KIND_PRISMATIC_G: rows[0] = 2; return 1;
  case FFI_KIND_PLANAR:
    for (int i = 0; i < 3; ++i)
      rows[i] = planar[i];
    return 3;
  case FFI_KIND_SPHERICAL:
    for (int i = 0; i < 3; ++i)
      rows[i] = 3 + i;
    return 3;
  case FFI_KIND_FREE:
    for (int i = 0; i < 6; ++i)
      rows[i] = i;
    return 6;
  default: return 0;
  }
}

// The first direction of the joint in which it carries nothing, as a row of the spatial matrix; -1 if there
// is none. Elimination without square roots; a pivot counts as zero when it is no more than the rounding of
// what it was made of.
static int empty_direction(int kind, double armature, const ffi_moments *a)
{
  double A[36], D[36];
  int rows[6];
  const int n = motions(kind, rows);
  spatial_matrix(a, A);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      D[6 * i + j] = A[6 * rows[i] + rows[j]] + (i == j ? armature : 0);
  const double turning = fabs(a->I[0]) + fabs(a->I[3]) + fabs(a->I[5]);
  for (int k = 0; k < n; ++k) {
    const double rounding = rows[k] < 3 ? 0 : 64 * DBL_EPSILON * turning; // masses are sums of what is >= 0
    if (!(D[7 * k] > rounding))
      return rows[k];
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j < n; ++j)
        D[6 * i + j] -= D[6 * i + k] * D[6 * k + j] / D[7 * k];
  }
  return -1;
}

ff_status ffi_plan_carried(const ffi_plan *plan, ff_error *error)
{
  ffi_arena scratch = {0};
  ff_status status = FF_OK;
  ffi_moments *sum = ffi_arena_take(&scratch, (size_t)plan->body_count, sizeof *sum);
  if (!sum) {
    status = ffi_plan_no_memory(error);
    goto done;
  }
  for (int i = plan->body_count - 1; i > 0; --i) {
    const ffi_body *body = &plan->bodies[i];
    ffi_moments own = {.mass = body->mass};
    memcpy(own.mc, body->mc, sizeof own.mc);
    memcpy(own.I, body->I, sizeof own.I);
    ffi_moments_add(&own, &sum[i]);

    const ffi_build_link *link = ffi_plan_source(plan, plan->body_link[i]);
    int row = empty_direction(body->kind, link->def.joint.armature, &sum[i]);
    if (row >= 0) {
      ffi_thing thing = ffi_thing_named("joint", link->def.joint.name);
      status = ffi_fail(
          error, FF_ERROR_MODEL, link->source.file, link->source.line, thing.text,
          "it carries no %s along one of its directions (its links weigh %g kg together), so its "
          "acceleration would be undefined; give link '%.200s' or what it carries an inertia, or the joint "
          "an armature",
          row < 3 ? "mass" : "inertia", sum[i].mass, link->def.name);
      goto done;
    }
    ffi_moments moved = ffi_moments_move(body->p, body->R0, &sum[i]);
    ffi_moments_add(&moved, &sum[body->parent]);
  }
done:
  ffi_arena_free(&scratch);
  return status;
}
