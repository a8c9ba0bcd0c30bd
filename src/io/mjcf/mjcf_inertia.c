// Inertias of MJCF: <inertial>, those that follow from geoms, and the compiler's corrections.
#include "io/mjcf/mjcf.h"
#include "io/mjcf/mjcf_attach.h"

#include "math/mat3.h"

#include <math.h>
#include <string.h>

static const ffi_mjcf_word inertial_words[] = {
    {"pos", FFI_MJCF_READ, NULL},         {"quat", FFI_MJCF_READ, NULL},
    {"axisangle", FFI_MJCF_READ, NULL},   {"xyaxes", FFI_MJCF_READ, NULL},
    {"zaxis", FFI_MJCF_READ, NULL},       {"euler", FFI_MJCF_READ, NULL},
    {"mass", FFI_MJCF_READ, NULL},        {"diaginertia", FFI_MJCF_READ, NULL},
    {"fullinertia", FFI_MJCF_READ, NULL}, {NULL, FFI_MJCF_READ, NULL},
};

// ---- <inertial> ---------------------------------------------------------------------------------------------

// The diagonal is in the inertial frame's axes, the full matrix in the body's.
static void read_matrix(ffi_mjcf *m, const xmlNode *node, const double quaternion[4], double matrix[6])
{
  double diagonal[3], full[6], R[9];
  const int has_diagonal = ffi_mjcf_value_numbers(m, node, "diaginertia", 3, 3, diagonal);
  const int has_full = ffi_mjcf_value_numbers(m, node, "fullinertia", 6, 6, full); // xx yy zz xy xz yz
  if (has_diagonal && has_full) {
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "both 'diaginertia' and 'fullinertia' are given: keep one");
  } else if (has_diagonal) {
    const ff_pose turned = {{0, 0, 0}, {quaternion[0], quaternion[1], quaternion[2], quaternion[3]}};
    const double own[6] = {diagonal[0], 0, 0, diagonal[1], 0, diagonal[2]};
    if (diagonal[0] < 0 || diagonal[1] < 0 || diagonal[2] < 0)
      ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "attribute 'diaginertia' is negative");
    ff_pose_rotation(&turned, R);
    ffi_sym3_rotate(R, own, matrix);
  } else if (has_full) {
    const double own[6] = {full[0], full[3], full[4], full[1], full[5], full[2]};
    memcpy(matrix, own, sizeof own);
  }
}

void ffi_mjcf_inertia_read(ffi_mjcf *m, const xmlNode *node, int body)
{
  ff_inertia *inertia = &m->bodies[body].inertia;
  double quaternion[4] = {0, 0, 0, 1};
  ffi_mjcf_ignored_check(m, node, inertial_words);
  if (m->bodies[body].has_inertial)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "the body has another one already");
  ffi_xml_require(ffi_mjcf_at(m, node), node, "pos");
  ffi_xml_require(ffi_mjcf_at(m, node), node, "mass");
  ffi_mjcf_value_numbers(m, node, "pos", 3, 3, inertia->com);
  ffi_mjcf_value_nonnegative(m, node, "mass", &inertia->mass);
  if (ffi_mjcf_value_orientation(m, node, quaternion) && ffi_xml_get(node, "fullinertia"))
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node,
                  "'fullinertia' is in the axes of the body and takes no orientation");
  read_matrix(m, node, quaternion, inertia->matrix);
  m->bodies[body].has_inertial = 1;
}

// ---- Principal axes -----------------------------------------------------------------------------------------

// One Jacobi rotation that makes A[p][q] zero; V collects the rotations.
static void rotate(double A[9], double V[9], int p, int q)
{
  const double off = A[3 * p + q];
  if (off == 0)
    return;
  const double theta = (A[4 * q] - A[4 * p]) / (2 * off);
  const double t = (theta < 0 ? -1.0 : 1.0) / (fabs(theta) + hypot(theta, 1));
  const double c = 1 / hypot(t, 1), s = t * c;
  for (int k = 0; k < 3; ++k) { // A := A G
    const double a = A[3 * k + p], b = A[3 * k + q], v = V[3 * k + p], w = V[3 * k + q];
    A[3 * k + p] = c * a - s * b;
    A[3 * k + q] = s * a + c * b;
    V[3 * k + p] = c * v - s * w;
    V[3 * k + q] = s * v + c * w;
  }
  for (int k = 0; k < 3; ++k) { // A := G' A
    const double a = A[3 * p + k], b = A[3 * q + k];
    A[3 * p + k] = c * a - s * b;
    A[3 * q + k] = s * a + c * b;
  }
  A[3 * p + q] = A[3 * q + p] = 0;
}

// S = V diag(values) V'. Six sweeps are more than Jacobi's method needs at this size: it converges quadratically.
void ffi_mjcf_inertia_principal(const double S[6], double values[3], double V[9])
{
  double A[9];
  ffi_m3_from_sym(S, A);
  ffi_m3_identity(V);
  for (int sweep = 0; sweep < 6; ++sweep) {
    rotate(A, V, 0, 1);
    rotate(A, V, 0, 2);
    rotate(A, V, 1, 2);
  }
  ffi_v3_set(A[0], A[4], A[8], values);
}

// ---- From geoms ---------------------------------------------------------------------------------------------

// At density 1, as all below.
static ff_inertia ellipsoid(const ffi_mjcf_geom *geom)
{
  const double *s = geom->size;
  const double mass = 4.0 / 3.0 * 3.14159265358979323846 * s[0] * s[1] * s[2];
  ff_inertia own = ff_inertia_zero();
  own.mass = mass;
  own.matrix[0] = mass * (s[1] * s[1] + s[2] * s[2]) / 5;
  own.matrix[3] = mass * (s[0] * s[0] + s[2] * s[2]) / 5;
  own.matrix[5] = mass * (s[0] * s[0] + s[1] * s[1]) / 5;
  return ff_inertia_transform(&geom->place.pose, &own);
}

static void scale(ff_inertia *inertia, double factor)
{
  inertia->mass *= factor;
  for (int i = 0; i < 6; ++i)
    inertia->matrix[i] *= factor;
}

static int is_in_groups(const ffi_mjcf *m, const ffi_mjcf_geom *geom)
{
  const ffi_mjcf_compiler *c = ffi_mjcf_attach_compiler(m, geom->node);
  return geom->group >= c->inertia_groups[0] && geom->group <= c->inertia_groups[1];
}

static int has_mass(const ffi_mjcf_geom *geom)
{
  return geom->type != FFI_MJCF_PLANE && geom->type != FFI_MJCF_HFIELD &&
         (geom->has_mass ? geom->mass : geom->density) > 0;
}

// Mass on the surface, 1 kg/m^2. Half a spherical shell of mass m has its centre at r/2, and 2/3 m r^2 about the
// sphere's.
static ff_inertia of_shell(ffi_mjcf *m, const ffi_mjcf_geom *geom)
{
  const double pi = 3.14159265358979323846, *s = geom->size, r = s[0], h = s[1];
  const double side = 4 * pi * r * h,
               ends = geom->type == FFI_MJCF_CYLINDER ? 2 * pi * r * r : 4 * pi * r * r;
  ff_inertia own = ff_inertia_zero();
  double *I = own.matrix;
  switch (geom->type) {
  case FFI_MJCF_SPHERE:
    own.mass = ends;
    I[0] = I[3] = I[5] = 2.0 / 3 * ends * r * r;
    break;
  case FFI_MJCF_CYLINDER:
    own.mass = side + ends;
    I[5] = side * r * r + ends * r * r / 2;
    I[0] = I[3] = side * (r * r / 2 + h * h / 3) + ends * (r * r / 4 + h * h);
    break;
  case FFI_MJCF_CAPSULE:
    own.mass = side + ends;
    I[5] = side * r * r + 2.0 / 3 * ends * r * r;
    I[0] = I[3] = side * (r * r / 2 + h * h / 3) + ends * (2.0 / 3 * r * r + h * h + h * r);
    break;
  case FFI_MJCF_BOX:
    for (int k = 0; k < 3; ++k) { // the two faces across k
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      const double area = 8 * s[a] * s[b], x[3] = {s[k] * s[k], s[a] * s[a] / 3, s[b] * s[b] / 3};
      const int at[3] = {0, 3, 5};
      own.mass += area;
      I[at[k]] += area * (x[1] + x[2]);
      I[at[a]] += area * (x[0] + x[2]);
      I[at[b]] += area * (x[0] + x[1]);
    }
    break;
  default:
    ffi_mjcf_fail(
        m, FF_ERROR_UNSUPPORTED, geom->node,
        "shellinertia of an ellipsoid is not supported: give the body an <inertial>, or leave it out");
  }
  return ff_inertia_transform(&geom->place.pose, &own);
}

static ff_inertia of_volume(ffi_mjcf *m, const ffi_mjcf_geom *geom)
{
  ff_inertia inertia = ff_inertia_zero();
  ff_shape_def shape;
  if (geom->type == FFI_MJCF_MESH)
    return ffi_mjcf_mesh_inertia(m, geom);
  if (geom->is_shell)
    return of_shell(m, geom);
  ffi_mjcf_geom_shape(m, geom, &shape);
  if (geom->type == FFI_MJCF_ELLIPSOID)
    return ellipsoid(geom);
  const ff_status status = ff_inertia_from_shape(&shape, 1, &inertia, NULL);
  if (status != FF_OK)
    ffi_mjcf_fail(m, status, geom->node, "its inertia cannot be computed");
  return inertia;
}

static ff_inertia of_geom(ffi_mjcf *m, const ffi_mjcf_geom *geom)
{
  ff_inertia inertia = of_volume(m, geom);
  const double factor = geom->has_mass ? geom->mass / inertia.mass : geom->density;
  if (isfinite(factor))
    scale(&inertia, factor);
  else
    ffi_mjcf_fail(m, FF_ERROR_MODEL, geom->node, "is too small to have a mass");
  return inertia;
}

static void infer(ffi_mjcf *m, ffi_mjcf_body *body)
{
  const int is_needed = body->moves || m->compiler.total_mass > 0;
  ff_inertia sum = ff_inertia_zero();
  for (int i = 0; i < body->geom_count && !ffi_mjcf_failed(m); ++i) {
    const ffi_mjcf_geom *geom = &m->geoms[body->first_geom + i];
    if (!is_in_groups(m, geom) || !has_mass(geom))
      continue;
    if (!is_needed && geom->type == FFI_MJCF_MESH)
      continue; // its file need not be read
    const ff_inertia one = of_geom(m, geom);
    sum = ff_inertia_add(&sum, &one);
  }
  body->inertia = sum;
}

// ---- Corrections --------------------------------------------------------------------------------------------

static void rebuild(const double values[3], const double V[9], double matrix[6])
{
  const double diagonal[6] = {values[0], 0, 0, values[1], 0, values[2]};
  ffi_sym3_rotate(V, diagonal, matrix);
}

// boundmass, boundinertia, balanceinertia, in MuJoCo's order. The inertia is left alone to the bit if none applies.
static void correct(ffi_mjcf *m, ffi_mjcf_body *body)
{
  const ffi_mjcf_compiler *c = ffi_mjcf_attach_compiler(m, body->node);
  double v[3], V[9];
  if (!ffi_all_finite(body->inertia.matrix, 6))
    return; // the builder reports it
  ffi_mjcf_inertia_principal(body->inertia.matrix, v, V);
  const double largest = fmax(v[0], fmax(v[1], v[2])), least = fmin(v[0], fmin(v[1], v[2]));
  if (least < -1e-12 * largest || largest < 0) {
    ffi_mjcf_fail(m, FF_ERROR_MODEL, body->node, "its inertia is not positive: principal values %g %g %g",
                  v[0], v[1], v[2]);
    return;
  }
  body->inertia.mass = fmax(body->inertia.mass, c->bound_mass);
  if (least < c->bound_inertia) {
    for (int i = 0; i < 3; ++i)
      v[i] = fmax(v[i], c->bound_inertia);
    rebuild(v, V, body->inertia.matrix);
  }
  if (c->balance_inertia && (v[0] + v[1] < v[2] || v[0] + v[2] < v[1] || v[1] + v[2] < v[0])) {
    const double mean = (v[0] + v[1] + v[2]) / 3;
    const double round[6] = {mean, 0, 0, mean, 0, mean};
    memcpy(body->inertia.matrix, round, sizeof round);
  }
}

static void set_total_mass(ffi_mjcf *m)
{
  double sum = 0;
  for (int i = 1; i < m->body_count; ++i)
    sum += m->bodies[i].inertia.mass;
  if (!(sum > 0)) {
    if (m->body_count > 1)
      ffi_mjcf_fail(m, FF_ERROR_MODEL, m->bodies[1].node, "settotalmass: no body has a mass to scale");
    return;
  }
  for (int i = 1; i < m->body_count; ++i)
    scale(&m->bodies[i].inertia, m->compiler.total_mass / sum);
}

// "true" replaces an <inertial> only where there are geoms to replace it by.
static int is_inferred(const ffi_mjcf *m, const ffi_mjcf_body *body)
{
  int counting = 0;
  for (int i = 0; i < body->geom_count; ++i)
    counting += is_in_groups(m, &m->geoms[body->first_geom + i]);
  switch (ffi_mjcf_attach_compiler(m, body->node)->inertia_from_geom) {
  case FFI_MJCF_TRUE: return counting || !body->has_inertial;
  case FFI_MJCF_AUTO: return !body->has_inertial;
  default: return 0;
  }
}

void ffi_mjcf_inertia_finish(ffi_mjcf *m)
{
  for (int i = 1; i < m->body_count && !ffi_mjcf_failed(m); ++i) {
    ffi_mjcf_body *body = &m->bodies[i];
    if (is_inferred(m, body))
      infer(m, body);
    correct(m, body);
  }
  if (m->compiler.total_mass > 0 && !ffi_mjcf_failed(m))
    set_total_mass(m);
}
