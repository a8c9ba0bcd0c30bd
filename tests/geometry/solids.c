// Random solids, and distances and overlaps by methods independent of the library.
#include "geometry/solids.h"

void turn(const double w[3], double R[9])
{
  const double angle = ffi_v3_norm(w), half = 0.5 * angle, s = angle > 0 ? sin(half) / angle : 0.5;
  const double x = s * w[0], y = s * w[1], z = s * w[2], q = cos(half);
  const double out[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * q),     2 * (x * z + y * q),
                         2 * (x * y + z * q),     1 - 2 * (x * x + z * z), 2 * (y * z - x * q),
                         2 * (x * z - y * q),     2 * (y * z + x * q),     1 - 2 * (x * x + y * y)};
  memcpy(R, out, sizeof out);
}

void random_rotation(rng *r, double R[9])
{
  double w[3];
  random_unit(r, 3, w);
  ffi_v3_scale(random_in(r, 0, PI), w, w);
  turn(w, R);
}

void make_body(ff_shape_type type, double x, double y, double z, body *out)
{
  memset(out, 0, sizeof *out);
  ffi_m3_identity(out->R);
  out->solid.type = (int)type;
  ffi_v3_set(x, y, z, out->solid.size);
  out->solid.radius = ffi_solid_radius(&out->solid);
}

void random_body(rng *r, ff_shape_type type, body *out)
{
  ff_shape_def def = ff_shape_def_default();
  memset(out, 0, sizeof *out);
  ffi_m3_identity(out->R);
  def.type = type;
  for (int k = 0; k < 3; ++k)
    def.size[k] = random_in(r, 0.1, 1);
  if (type == FF_SHAPE_HULL) {
    for (int i = 0; i < HULL_VERTICES; ++i) {
      random_unit(r, 3, out->vertices + 3 * i);
      for (int k = 0; k < 3; ++k)
        out->vertices[3 * i + k] = 0.1 + 0.4 * out->vertices[3 * i + k]; // off the origin
    }
    def.vertices = out->vertices;
    def.vertex_count = HULL_VERTICES;
  }
  if (type == FF_SHAPE_HEIGHTFIELD) {
    random_vector(r, FIELD_LINES * FIELD_LINES, 0.2, out->heights);
    def.heights = out->heights;
    def.rows = FIELD_LINES;
    def.columns = FIELD_LINES - 2;
    def.size[0] = def.size[1] = 3;
  }
  ffi_solid_set(&def, &out->field, &out->solid);
}

void to_world(const body *b, const double x[3], double out[3])
{
  ffi_m3_mulv(b->R, x, out);
  ffi_v3_add(out, b->p, out);
}

// ---- What any list of touches must be ---------------------------------------------------------------------

static void check_one(const body *a, const body *b, const ffi_touch *t)
{
  const double scale = 10 + ffi_v3_norm(a->p) + ffi_v3_norm(b->p);
  double r[3];
  assert_true(ffi_all_finite(t->point, 3) && ffi_all_finite(t->centre, 3) && ffi_all_finite(t->axis, 3));
  assert_true(isfinite(t->gap) && (t->owner == 0 || t->owner == 1));
  assert_near(ffi_v3_norm(t->normal), 1, 20 * EPS);
  ffi_v3_sub(t->point, t->centre, r);
  const double arm = ffi_v3_norm(r), along = ffi_v3_dot(r, t->axis), length = ffi_v3_norm(t->axis);
  switch (t->roll) {
  case FFI_ROLL_NONE: assert_true(arm == 0 && length == 0); break;
  case FFI_ROLL_SPHERE: // straight towards the other
    assert_near(length, 0, 0);
    assert_near(ffi_v3_dot(r, t->normal), t->owner ? arm : -arm, 100 * EPS * scale);
    break;
  case FFI_ROLL_AXIS: // across the axis
    assert_near(length, 1, 20 * EPS);
    assert_near(along, 0, 100 * EPS * scale);
    break;
  case FFI_ROLL_SURFACE: // the centre is that of the owner
    assert_near(length, 0, 0);
    for (int k = 0; k < 3; ++k)
      assert_true(t->centre[k] == (t->owner ? b : a)->p[k]);
    break;
  case FFI_ROLL_LINE:
    assert_near(length, 1, 20 * EPS);
    assert_near(ffi_v3_dot(r, t->normal), t->owner ? arm : -arm, 100 * EPS * scale);
    break;
  case FFI_ROLL_BENT: { // along the surface
    double bent[3];
    ffi_sym3_times(t->bend, t->normal, bent);
    assert_true(arm == 0 && length == 0 && ffi_all_finite(t->bend, 6));
    assert_near(ffi_v3_norm(bent), 0, 1e-10 * (1 + fabs(t->bend[0]) + fabs(t->bend[3]) + fabs(t->bend[5])));
    break;
  }
  default: fail_msg("no roll %d", t->roll);
  }
}

int touches(const body *a, const body *b, double margin, ffi_touch out[MOST])
{
  const int most = ffi_collide_most(&a->solid, &b->solid);
  assert_true(most <= MOST);
  const int count = ffi_collide(&(ffi_solid_at){&a->solid, a->p, a->R},
                                &(ffi_solid_at){&b->solid, b->p, b->R}, margin, out);
  assert_true(count >= 0 && count <= most);
  for (int i = 0; i < count; ++i) {
    check_one(a, b, &out[i]);
    assert_true(out[i].gap <= margin);
    assert_true(out[i].feature < most && out[i].feature > (i ? out[i - 1].feature : -1));
  }
  return count;
}

const ffi_touch *find(const ffi_touch *list, int count, int feature)
{
  for (int i = 0; i < count; ++i)
    if (list[i].feature == feature)
      return &list[i];
  return NULL;
}

double least_gap(const ffi_touch *list, int count)
{
  double least = (double)INFINITY;
  for (int i = 0; i < count; ++i)
    least = fmin(least, list[i].gap);
  return least;
}

// ---- The distance of two products of intervals ------------------------------------------------------------

double rounding(const body *b)
{
  return b->solid.type == FF_SHAPE_SPHERE || b->solid.type == FF_SHAPE_CAPSULE ? b->solid.size[0] : 0;
}

// The directions in which a solid is extended, times half its extent. Returns how many.
static int extents(const body *b, double out[3][3])
{
  const double *s = b->solid.size;
  const int first = b->solid.type == FF_SHAPE_BOX ? 0 : b->solid.type == FF_SHAPE_CAPSULE ? 2 : 3;
  int n = 0;
  for (int k = first; k < 3; ++k, ++n)
    for (int i = 0; i < 3; ++i)
      out[n][i] = 0.5 * (b->solid.type == FF_SHAPE_CAPSULE ? s[1] : s[k]) * b->R[3 * i + k];
  return n;
}

// The least |r + sum u_k c_k|^2 over the `n` free u; 0 if they have no single solution. n <= 3.
static int least_squares(int n, double c[3][3], const double r[3], double u[3])
{
  double A[3][4];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      A[i][j] = ffi_v3_dot(c[i], c[j]);
    A[i][n] = -ffi_v3_dot(c[i], r);
  }
  for (int i = 0; i < n; ++i) { // positive definite: no pivoting
    if (!(A[i][i] > 1e-13))
      return 0;
    for (int j = i + 1; j < n; ++j) {
      const double f = A[j][i] / A[i][i];
      for (int k = i; k <= n; ++k)
        A[j][k] -= f * A[i][k];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    u[i] = A[i][n];
    for (int j = i + 1; j < n; ++j)
      u[i] -= A[i][j] * u[j];
    u[i] /= A[i][i];
  }
  return 1;
}

// One choice: digit k of `sides` says whether u_k is at -1, at 1, or free.
static double try_sides(int n, double c[6][3], const double middle[3], int sides)
{
  double r[3], free[3][3], u[3] = {0};
  int count = 0;
  ffi_v3_copy(middle, r);
  for (int k = 0; k < n; ++k, sides /= 3) {
    if (sides % 3 < 2)
      ffi_v3_add_scaled(sides % 3 ? 1 : -1, c[k], r);
    else if (count == 3)
      return (double)INFINITY; // directions in space: three are enough
    else
      ffi_v3_copy(c[k], free[count++]);
  }
  if (!least_squares(count, free, r, u))
    return (double)INFINITY;
  for (int i = 0; i < count; ++i) {
    if (!(fabs(u[i]) <= 1))
      return (double)INFINITY;
    ffi_v3_add_scaled(u[i], free[i], r);
  }
  return ffi_v3_norm(r);
}

double apart(const body *a, const body *b)
{
  double c[6][3], middle[3], best = (double)INFINITY;
  const int na = extents(a, c), n = na + extents(b, c + na);
  int choices = 1;
  ffi_v3_sub(a->p, b->p, middle);
  for (int i = 0; i < n; ++i)
    choices *= 3;
  for (int i = 0; i < choices; ++i)
    best = fmin(best, try_sides(n, c, middle, i));
  return best;
}

double lowest(const body *a, const double p[3], const double n[3])
{
  double up[3], r[3]; // the normal in a's frame
  const double *s = a->solid.size;
  ffi_m3_tmulv(a->R, n, up);
  ffi_v3_sub(a->p, p, r);
  const double h = ffi_v3_dot(r, n), across = hypot(up[0], up[1]);
  switch ((ff_shape_type)a->solid.type) {
  case FF_SHAPE_POINT: return h;
  case FF_SHAPE_SPHERE: return h - s[0];
  case FF_SHAPE_CAPSULE: return h - s[0] - 0.5 * s[1] * fabs(up[2]);
  case FF_SHAPE_BOX: return h - 0.5 * (s[0] * fabs(up[0]) + s[1] * fabs(up[1]) + s[2] * fabs(up[2]));
  case FF_SHAPE_CYLINDER: return h - s[0] * across - 0.5 * s[1] * fabs(up[2]);
  case FF_SHAPE_DISK: return h - s[0] * across;
  case FF_SHAPE_ELLIPSOID: return h - hypot(hypot(s[0] * up[0], s[1] * up[1]), s[2] * up[2]);
  case FF_SHAPE_HULL: {
    double least = (double)INFINITY;
    for (int i = 0; i < a->solid.vertex_count; ++i)
      least = fmin(least, ffi_v3_dot(up, a->solid.vertices + 3 * i));
    return h + least;
  }
  default: fail_msg("no lowest point of a %s", ff_shape_type_name((ff_shape_type)a->solid.type)); return 0;
  }
}

// ---- How far two solids overlap ---------------------------------------------------------------------------

static double overlap_along(const body *a, const body *b, const double n[3])
{
  static const double origin[3] = {0};
  const double back[3] = {-n[0], -n[1], -n[2]};
  return -lowest(b, origin, back) - lowest(a, origin, n);
}

static void try_direction(const body *a, const body *b, const double n[3], double *best, double out[3])
{
  const double here = overlap_along(a, b, n);
  if (here < *best) {
    *best = here;
    ffi_v3_copy(n, out);
  }
}

double overlap(const body *a, const body *b, double out[3])
{
  enum { SPREAD = 400 };
  double best = (double)INFINITY, n[3], d[3];
  rng r = {7};
  for (int i = 0; i < SPREAD; ++i) { // a spiral from pole to pole
    const double z = 1 - (2 * i + 1.0) / SPREAD, s = sqrt(1 - z * z), turned = i * PI * (3 - sqrt(5));
    ffi_v3_set(s * cos(turned), s * sin(turned), z, n);
    try_direction(a, b, n, &best, out);
  }
  for (int i = 0; i < 12; ++i) { // flat faces
    const double *R = i % 2 ? a->R : b->R, sign = i % 4 < 2 ? 1 : -1;
    ffi_v3_set(sign * R[i / 4], sign * R[3 + i / 4], sign * R[6 + i / 4], n);
    try_direction(a, b, n, &best, out);
  }
  for (double step = 0.2; step > 1e-7; step *= 0.8)
    for (int i = 0; i < 12; ++i) {
      random_unit(&r, 3, d);
      ffi_v3_copy(out, n);
      ffi_v3_add_scaled(step, d, n);
      ffi_v3_scale(1 / ffi_v3_norm(n), n, n);
      try_direction(a, b, n, &best, out);
    }
  return best;
}
