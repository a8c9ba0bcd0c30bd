// Refuses joints without inertia of their own along one of their directions: a force would accelerate them without
// bound, and the mass matrix would be singular.
//
// It is not enough that a joint carries something heavy. A massless base under a hinge, or two hinges about
// one axis with a massless link between them, carry a whole robot, and yet one of their motions can be undone by
// the next joint without moving any mass. So the bodies are eliminated from the leaves to the roots as in the
// articulated-body algorithm (Featherstone, Rigid Body Dynamics Algorithms, chapter 7): the articulated inertia of
// a body is what a force on it feels while all joints behind it are free, and the mass matrix is positive
// definite exactly if every joint's block of it, plus armature, is.
//
// One configuration decides. The determinant of the mass matrix is an analytic function of q, so it is zero
// everywhere or almost nowhere; the joints are put at fixed, arbitrary numbers, where accidents such as a straight
// arm under a roll joint do not occur. The neutral configuration may be such an accident, of a robot that is fine
// elsewhere (a neck whose first and last axes coincide): that is a warning.
#include "model/compile.h"

#include "base/fail.h"
#include "math/dense.h"
#include "math/quaternion.h"
#include "math/spatial.h"
#include "model/check.h"
#include "model/inertia.h"

#include <stdint.h>
#include <stdio.h>

// A pivot counts as zero if it is no more than this part of the masses it was made from. Elimination leaves a few
// roundings, up to 2e-15, where nothing should be left; this is far above. And it is below what robots have, even
// long ones: in a rope of 10,000 thin rods that can twist, the least is between 1e-12 and 1e-11.
static const double negligible = 1e-13;

// In the neutral configuration a pivot this much smaller than elsewhere is a warning: axes that are parallel but for
// the rounding of "1.5708" leave (4e-6)^2, and accelerations of 1e8 times the usual ones are of no use.
static const double much_smaller = 1e-8;

typedef struct carried {
  ffi_inertia_moments all; // of the subtree, as if its joints were locked
  double lever;            // bound of what moving it here joint by joint added and subtracted again [kg m^2]
  double articulated[36];  // row-major, (linear, angular)
  double pivot;            // the least of its joint's, as a part of the masses it was made from
} carried;

// ---- A generic configuration
// --------------------------------------------------------------------------------------------

// The k-th number of a body's joint, in -1 .. 1: a hash of both.
static double arbitrary(int body, int k)
{
  uint32_t x = (uint32_t)body * 8u + (uint32_t)k + 1u;
  x *= 0x9E3779B9u;
  x ^= x >> 16;
  x *= 0x85EBCA6Bu;
  x ^= x >> 13;
  x *= 0xC2B2AE35u;
  x ^= x >> 16;
  return (double)x / 2147483648.0 - 1;
}

static void turn_about(int axis, double angle, double R[9])
{
  double q[4] = {0, 0, 0, cos(angle / 2)};
  q[axis] = sin(angle / 2);
  ffi_quat_matrix(q, R);
}

// The pose of the body in its parent: p [3], R [9]. Angles within half a turn, shifts within half a metre.
static void put_anywhere(const ffi_body *body, int i, double p[3], double R[9])
{
  double turn[9], shift[3] = {0}, moved[3], q[4];
  const double first = arbitrary(i, 0), half_turn = 3.14159;
  ffi_m3_identity(turn);
  switch (body->kind) {
  case FFI_KIND_REVOLUTE_X: turn_about(0, half_turn * first, turn); break;
  case FFI_KIND_REVOLUTE_Y: turn_about(1, half_turn * first, turn); break;
  case FFI_KIND_REVOLUTE_Z:
  case FFI_KIND_REVOLUTE_G: turn_about(2, half_turn * first, turn); break;
  case FFI_KIND_PRISMATIC_X: shift[0] = first / 2; break;
  case FFI_KIND_PRISMATIC_Y: shift[1] = first / 2; break;
  case FFI_KIND_PRISMATIC_Z:
  case FFI_KIND_PRISMATIC_G: shift[2] = first / 2; break;
  case FFI_KIND_PLANAR:
    shift[0] = first / 2;
    shift[1] = arbitrary(i, 1) / 2;
    turn_about(2, half_turn * arbitrary(i, 2), turn);
    break;
  case FFI_KIND_SPHERICAL:
    for (int k = 0; k < 4; ++k)
      q[k] = arbitrary(i, k);
    ffi_quat_normalize(q, q);
    ffi_quat_matrix(q, turn);
    break;
  default: break; // a free body's place in the world changes nothing
  }
  ffi_m3_mul(body->R0, turn, R);
  ffi_m3_mulv(body->R0, shift, moved);
  ffi_v3_add(body->p, moved, p);
}

// ---- Elimination ------------------------------------------------------------------------------------------

// Add a body's 6 x 6 matrix, (linear, angular):  [ m 1, -mc x; mc x, I ]
static void add_body(const ffi_body *body, double A[36])
{
  double h[9], I[9];
  ffi_m3_skew(body->mc, h);
  ffi_m3_from_sym(body->I, I);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      A[6 * i + j] += i == j ? body->mass : 0;
      A[6 * i + j + 3] -= h[3 * i + j];
      A[6 * (i + 3) + j] += h[3 * i + j];
      A[6 * (i + 3) + j + 3] += I[3 * i + j];
    }
}

// out += X A X', A being symmetric: its columns are forces, and so are the rows of what becomes of them.
static void add_moved(const double p[3], const double R[9], const double A[36], double out[36])
{
  double half[36], row[6];
  for (int i = 0; i < 6; ++i)
    ffi_spatial_force_to_parent(p, R, A + 6 * i, half + 6 * i); // (X A)', by rows
  for (int i = 0; i < 6; ++i) {
    double column[6];
    for (int k = 0; k < 6; ++k)
      column[k] = half[6 * k + i];
    ffi_spatial_force_to_parent(p, R, column, row);
    for (int k = 0; k < 6; ++k)
      out[6 * i + k] += row[k];
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

// Frees the joint: the articulated inertia that the parent sees is A - U D^-1 U', U = A S, D = S' A S + armature
// (docs/theory/dynamics.md eq. 9). Returns the first direction of the joint without inertia, as a row of the spatial
// matrix; -1 if there is none.
static int eliminate(int kind, double armature, carried *c)
{
  double *A = c->articulated, D[36], U[36];
  int rows[6];
  const int n = motions(kind, rows);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      D[6 * i + j] = A[6 * rows[i] + rows[j]] + (i == j ? armature : 0);
  const int failed = ffi_dense_ldl(n, 6, D);
  const double *I = c->all.I, turning = fabs(I[0]) + fabs(I[3]) + fabs(I[5]) + c->lever;
  c->pivot = INFINITY;
  for (int k = 0; k < n; ++k) {
    const double scale = rows[k] < 3 ? c->all.mass : turning;
    if (k == failed || !(D[7 * k] > negligible * scale))
      return rows[k];
    c->pivot = fmin(c->pivot, D[7 * k] / scale);
  }

  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < n; ++j)
      U[6 * i + j] = A[6 * i + rows[j]];
  for (int i = 0; i < 6; ++i) {
    double x[6]; // D^-1 U' e_i
    memcpy(x, U + 6 * i, sizeof x[0] * (size_t)n);
    ffi_dense_ldl_solve(n, 6, D, x);
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < n; ++k)
        A[6 * i + j] -= x[k] * U[6 * j + k];
  }
  return -1;
}

// ---- The message ------------------------------------------------------------------------------------------

// The first link of the body or of those behind it whose inertia no rigid body can have; NULL: all are possible.
static const ff_link_def *impossible_link(const ffi_compile_plan *plan, int i, char *text, size_t room)
{
  for (int k = 0; k < plan->size.links; ++k) {
    const int body = plan->links[k].body;
    const ff_link_def *def = &ffi_compile_source(plan, k)->def;
    if (body >= i && body < plan->bodies[i].subtree_end &&
        ffi_inertia_suspicious(&def->inertia, text, room) == FFI_INERTIA_INDEFINITE)
      return def;
  }
  return NULL;
}

static ff_status refuse(const ffi_compile_plan *plan, int i, int row, const carried *c, ff_error *error)
{
  const ffi_build_link *link = ffi_compile_source(plan, plan->body_link[i]);
  const ffi_check_label thing = ffi_check_make_label("joint", link->def.joint.name);
  const char *kind = row < 3 ? "mass" : "inertia";
  char text[200];
  if (!ffi_all_finite(&c->all.mass, 1) || !ffi_all_finite(c->all.I, 6) || !isfinite(c->lever))
    return ffi_fail(
        error, FF_ERROR_MODEL, link->source.file, link->source.line, thing.text,
        "the masses, sizes or positions of what it carries are so large that their sums overflow");
  const ff_link_def *culprit = impossible_link(plan, i, text, sizeof text);
  if (culprit)
    return ffi_fail(error, FF_ERROR_MODEL, link->source.file, link->source.line, thing.text,
                    "it moves no %s along one of its directions, so its acceleration would be undefined; "
                    "see link '%.200s': %s",
                    kind, culprit->name, text);
  return ffi_fail(
      error, FF_ERROR_MODEL, link->source.file, link->source.line, thing.text,
      "it moves no %s along one of its directions (its links weigh %g kg together, but inertia that "
      "later joints leave free does not count), so its acceleration would be undefined; "
      "give link '%.200s' %s",
      kind, c->all.mass, link->def.name,
      plan->bodies[i].kind == FFI_KIND_FREE ? "mass and inertia, set armature, or load with a fixed base"
                                            : "mass and inertia, or set the joint's armature");
}

// What a link gets that moves no mass.
static const double least_mass = 1e-3, least_inertia = 1e-6; // [kg], [kg m^2]: a ball of 5 cm

// At the body's origin, which is the joint's.
static void add_least(carried *c)
{
  const double moments[6] = {least_inertia, 0, 0, least_inertia, 0, least_inertia};
  c->all.mass += least_mass;
  for (int k = 0; k < 6; ++k)
    c->all.I[k] += moments[k];
  for (int k = 0; k < 3; ++k) {
    c->articulated[7 * k] += least_mass;
    c->articulated[7 * (k + 3)] += least_inertia;
  }
}

// ---- Both configurations ------------------------------------------------------------------------------------

// From the leaves to the roots. Returns the first body whose joint has a direction `*row` without inertia, or, where
// `usual` is given, a pivot much smaller than there; 0 if there is none.
// filled: NULL, or [body_count]: a body without inertia gets the least, and its number is 1 then.
static int eliminate_all(const ffi_compile_plan *plan, const carried *usual, carried *all, int *filled,
                         int *row)
{
  for (int i = plan->body_count - 1; i > 0; --i) {
    const ffi_body *body = &plan->bodies[i];
    carried *own = &all[i], *up = &all[body->parent];
    ffi_inertia_moments moments = {.mass = body->mass};
    memcpy(moments.mc, body->mc, sizeof moments.mc);
    memcpy(moments.I, body->I, sizeof moments.I);
    ffi_inertia_moments_add(&moments, &own->all);
    add_body(body, own->articulated);

    const double armature = ffi_compile_source(plan, plan->body_link[i])->def.joint.armature;
    *row = eliminate(body->kind, armature, own);
    if (*row >= 0 && filled) {
      add_least(own);
      filled[i] = 1;
      *row = eliminate(body->kind, armature, own);
    }
    if (*row >= 0 || (usual && own->pivot < much_smaller * usual[i].pivot))
      return i;
    if (body->parent == 0)
      continue;
    double p[3], R[9];
    if (usual) {
      ffi_v3_copy(body->p, p);
      memcpy(R, body->R0, sizeof R);
    } else {
      put_anywhere(body, i, p, R);
    }
    moments = ffi_inertia_moments_move(p, R, &own->all);
    ffi_inertia_moments_add(&moments, &up->all);
    up->lever += own->lever + own->all.mass * ffi_v3_dot(p, p);
    add_moved(p, R, own->articulated, up->articulated);
  }
  return 0;
}

static ff_status warn_of_neutral(ffi_compile_plan *plan, int body, ff_error *error)
{
  const ffi_build_link *link = ffi_compile_source(plan, plan->body_link[body]);
  const ffi_check_label thing = ffi_check_make_label("joint", link->def.joint.name);
  ff_error line; // composes the sentence as it does for errors
  ffi_fail(&line, FF_OK, link->source.file, link->source.line, thing.text,
           "with all joints at zero it and later joints can move without moving any mass: the mass matrix is "
           "singular there, so start from another posture");
  plan->neutral_warning = ffi_arena_string(&plan->arena, line.message);
  if (!plan->neutral_warning)
    return ffi_compile_no_memory(error);
  ++plan->size.warnings;
  return FF_OK;
}

ff_status ffi_compile_massless(ffi_compile_plan *plan, ff_error *error)
{
  ffi_arena scratch = {0};
  ff_status status = FF_OK;
  int row;
  carried *all = ffi_arena_take(&scratch, 2 * (size_t)plan->body_count, sizeof *all);
  if (!all) {
    status = ffi_compile_no_memory(error);
    goto done;
  }
  const int refused = eliminate_all(plan, NULL, all, NULL, &row);
  if (refused) {
    status = refuse(plan, refused, row, &all[refused], error);
    goto done;
  }
  const int singular = eliminate_all(plan, all, all + plan->body_count, NULL, &row);
  if (singular)
    status = warn_of_neutral(plan, singular, error);
done:
  ffi_arena_free(&scratch);
  return status;
}

// ---- Filling --------------------------------------------------------------------------------------------------------

// In the builder, with one warning at the line of the first.
static ff_status fill_links(const ffi_compile_plan *plan, ff_builder *builder, const int *filled, int *count,
                            ff_error *error)
{
  const ff_inertia least = {.mass = least_mass,
                            .matrix = {least_inertia, 0, 0, least_inertia, 0, least_inertia}};
  const ffi_source source = builder->source;
  char text[800], names[400] = "";
  int has_root = 0;
  for (int i = 1; i < plan->body_count; ++i) {
    if (!filled[i])
      continue;
    ffi_build_link *link = &builder->links[plan->links[plan->body_link[i]].id];
    const size_t used = strlen(names);
    link->def.inertia = ff_inertia_add(&link->def.inertia, &least);
    has_root |= link->def.joint.type == FF_JOINT_FREE;
    if ((*count)++ == 0)
      builder->source = link->source;
    if (used + strlen(link->def.joint.name) + 8 < sizeof names)
      snprintf(names + used, sizeof names - used, "%s'%s'", used ? ", " : "", link->def.joint.name);
  }
  snprintf(
      text, sizeof text,
      "joints that move no mass: %d, whose links have 1 g and 1e-6 kg m^2 each now: %s; give them mass and inertia, "
      "or make the joints fixed%s",
      *count, names, has_root ? ", a root by '--fixed-base'" : "");
  const ff_status status = *count > 0 ? ff_builder_add_warning(builder, text, error) : FF_OK;
  builder->source = source;
  return status;
}

ff_status ffi_compile_massless_fill(ffi_compile_plan *plan, ff_builder *builder, int *count, ff_error *error)
{
  int row;
  carried *all = ffi_arena_take(&plan->arena, (size_t)plan->body_count, sizeof *all);
  int *filled = ffi_arena_take(&plan->arena, (size_t)plan->body_count, sizeof *filled);
  *count = 0;
  if (!all || !filled)
    return ffi_compile_no_memory(error);
  if (!(plan->mass > 0)) // a robot without any mass is a mistake
    return FF_OK;
  if (eliminate_all(plan, NULL, all, filled, &row))
    return FF_OK; // there is another reason, which ff_builder_finish() names
  return fill_links(plan, builder, filled, count, error);
}
