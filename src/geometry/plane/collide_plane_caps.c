// Cylinders and disks on planes.  docs/theory/detection.md, section 1
//
// Features and gaps as for other surfaces (collide_caps.c): each cap has a witness that rolls, and four that carry
// where it stands. A gap here is a function of the plane's normal n as the cap sees it, above the middle of the cap:
//
//     0        -r f(s), s the sine of the tilt: f = s for s >= s0, below s x (2 - x), x = s / s0
//     1 .. 4   +-r nx nz^2 and +-r ny nz^2: nothing where the cap lies
//
// The point of contact is where the gradient of the gap is, so the springs are those of a potential. That is not the
// place whose height the gap is: with growing tilt the rolling one goes past the rim, by a third of the radius, and
// back to it at s0.
#include "geometry/cap.h"
#include "geometry/narrow_phase.h"

typedef struct cap {
  double up[3];     // the plane's normal in A's frame, z along the axis
  double middle[3]; // of the cap, world
  double height;    // its height
  double radius, tilt;
} cap;

// A witness whose gap is `gap` above the cap's middle, with the gap's gradient and second derivatives along the plane,
// in A's frame. Heights go with the length of the normal: hence the gap on the diagonal.
static void put(const cap *c, ffi_narrow_phase *query, int feature, double gap, const double gradient[3],
                const double bend[6])
{
  ffi_touch touch = {.feature = feature, .roll = FFI_ROLL_BENT, .gap = c->height + gap};
  if (!ffi_is_near(touch.gap, query->margin))
    return;
  double at[3];
  ffi_v3_copy(gradient, at);
  ffi_v3_add_scaled(gap, c->up, at);
  ffi_to_world(c->middle, query->Ra, at, touch.point);
  ffi_v3_copy(touch.point, touch.centre);
  ffi_axis(query->Rb, 2, touch.normal);
  ffi_sym3_rotate(query->Ra, bend, touch.bend);
  query->out[query->count++] = touch;
}

// Along the plane: a (1 - n n') + b e e'
static void tangent(const double n[3], double a, double b, const double e[3], double out[6])
{
  for (int j = 0, k = 0; j < 3; ++j)
    for (int m = j; m < 3; ++m, ++k)
      out[k] = a * ((j == m) - n[j] * n[m]) + b * e[j] * e[m];
}

static void put_rolling(const cap *c, ffi_narrow_phase *query, int feature)
{
  const double s = c->tilt, a = c->up[2], x = s / FFI_CAP_FLAT;
  const double f = s * ffi_cap_drawn(s);
  const double first = x < 1 ? x * (4 - 3 * x) : 1, second = x < 1 ? (4 - 6 * x) / FFI_CAP_FLAT : 0;
  const double per = x < 1 ? (4 - 3 * x) / FFI_CAP_FLAT : 1 / s; // first / s
  // the direction of growing tilt; any where there is none, as derivatives are alike then
  const double e[3] = {s > 0 ? a * c->up[0] / s : 1, s > 0 ? a * c->up[1] / s : 0, -s};
  double gradient[3], bend[6];
  ffi_v3_scale(-c->radius * first * a, e, gradient);
  const double along = -second * a * a + first * s - f, across = -per * a * a - f;
  tangent(c->up, c->radius * across, c->radius * (along - across), e, bend);
  put(c, query, feature, -c->radius * f, gradient, bend);
}

// F = n[axis] nz^2, of third degree; F / |n|^2 is what turns with the normal.
static void put_standing(const cap *c, ffi_narrow_phase *query, int feature, int axis, double r)
{
  const double *n = c->up, F = n[axis] * n[2] * n[2];
  double gradient[3] = {0}, raw[3][3] = {{0}}, along[3], bend[6];
  gradient[axis] = n[2] * n[2];
  gradient[2] = 2 * n[axis] * n[2];
  raw[axis][2] = raw[2][axis] = 2 * n[2];
  raw[2][2] = 2 * n[axis];
  for (int j = 0; j < 3; ++j)
    along[j] = ffi_v3_dot(raw[j], n);
  const double whole = ffi_v3_dot(along, n);
  for (int j = 0, k = 0; j < 3; ++j)
    for (int m = j; m < 3; ++m, ++k)
      bend[k] = r * (raw[j][m] - along[j] * n[m] - n[j] * along[m] + whole * n[j] * n[m] -
                     2 * F * ((j == m) - n[j] * n[m]));
  ffi_v3_add_scaled(-3 * F, n, gradient);
  ffi_v3_scale(r, gradient, gradient);
  put(c, query, feature, r * F, gradient, bend);
}

void ffi_collide_plane_caps(ffi_narrow_phase *query)
{
  const ffi_solid *a = query->a;
  const int is_disk = a->type == FF_SHAPE_DISK;
  double normal[3], apart[3];
  cap c = {.radius = a->size[0]};
  ffi_axis(query->Rb, 2, normal);
  ffi_m3_tmulv(query->Ra, normal, c.up);
  c.tilt = ffi_smaller(hypot(c.up[0], c.up[1]), 1);
  for (int i = 0; i < (is_disk ? 1 : 2); ++i) {
    const double z[3] = {0, 0, is_disk ? 0 : (i ? -0.5 : 0.5) * a->size[1]};
    ffi_to_world(query->pa, query->Ra, z, c.middle);
    ffi_v3_sub(c.middle, query->pb, apart);
    c.height = ffi_v3_dot(normal, apart);
    put_rolling(&c, query, 5 * i);
    for (int k = 0; k < 4; ++k)
      put_standing(&c, query, 5 * i + 1 + k, k / 2, k % 2 ? -c.radius : c.radius);
  }
}
