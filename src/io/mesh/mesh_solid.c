// Integrals over a triangle mesh: sums over the tetrahedra between its triangles and one point.
#include "io/mesh/mesh_solid.h"

#include "math/vec3.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double *corner_of(const ffi_mesh_solid_triangles *mesh, int triangle, int k)
{
  const size_t at = 3 * (size_t)triangle + (size_t)k;
  return mesh->points + 3 * (mesh->corner ? (size_t)mesh->corner[at] : at);
}

// The corners of a triangle, seen from a point.
static void corners_from(const ffi_mesh_solid_triangles *mesh, int triangle, const double from[3],
                         double x[3][3])
{
  for (int k = 0; k < 3; ++k)
    ffi_v3_sub(corner_of(mesh, triangle, k), from, x[k]);
}

// Its size: the volume between it and the origin, or its area.
static double size_of(double x[3][3], ffi_mesh_solid_rule rule)
{
  double a[3], b[3], normal[3]; // normal: of twice the area's length
  ffi_v3_sub(x[1], x[0], a);
  ffi_v3_sub(x[2], x[0], b);
  ffi_v3_cross(a, b, normal);
  if (rule == FFI_MESH_SOLID_SHELL)
    return ffi_v3_norm(normal) / 2;
  const double volume = ffi_v3_dot(normal, x[0]) / 6;
  return rule == FFI_MESH_SOLID_LEGACY ? fabs(volume) : volume;
}

// Total size and centre. A tetrahedron's centre is 1/4 of the sum of its corners, one of which is the origin; a
// triangle's 1/3.
static double centre_of(const ffi_mesh_solid_triangles *mesh, ffi_mesh_solid_rule rule, const double from[3],
                        double centre[3])
{
  const double share = rule == FFI_MESH_SOLID_SHELL ? 1.0 / 3 : 0.25;
  double total = 0, sum[3] = {0, 0, 0};
  for (int i = 0; i < mesh->count; ++i) {
    double x[3][3];
    corners_from(mesh, i, from, x);
    const double size = size_of(x, rule);
    total += size;
    for (int k = 0; k < 3; ++k)
      ffi_v3_add_scaled(share * size, x[k], sum);
  }
  for (int c = 0; c < 3; ++c)
    centre[c] = total != 0 ? from[c] + sum[c] / total : from[c];
  return total;
}

// Integral of r r' over a tetrahedron from the origin: V/20 (sum of x x' + s s'), s the sum of x; over a triangle A/12.
static void moments_of(const ffi_mesh_solid_triangles *mesh, ffi_mesh_solid_rule rule,
                       ffi_hull_integrals *out)
{
  static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
  const double share = rule == FFI_MESH_SOLID_SHELL ? 1.0 / 12 : 0.05;
  out->volume = 0;
  for (int i = 0; i < mesh->count; ++i) {
    double x[3][3];
    corners_from(mesh, i, out->centre, x);
    const double size = size_of(x, rule);
    const double s[3] = {x[0][0] + x[1][0] + x[2][0], x[0][1] + x[1][1] + x[2][1],
                         x[0][2] + x[1][2] + x[2][2]};
    out->volume += size;
    for (int m = 0; m < 6; ++m) {
      double sum = s[row[m]] * s[column[m]];
      for (int k = 0; k < 3; ++k)
        sum += x[k][row[m]] * x[k][column[m]];
      out->moments[m] += share * size * sum;
    }
  }
}

ffi_hull_integrals ffi_mesh_solid(const ffi_mesh_solid_triangles *mesh, ffi_mesh_solid_rule rule)
{
  ffi_hull_integrals out = {0};
  if (mesh->count < 1)
    return out;
  // From the centre of the surface: near all triangles, so that little cancels, and what MuJoCo's older rule means.
  double middle[3];
  centre_of(mesh, FFI_MESH_SOLID_SHELL, corner_of(mesh, 0, 0), middle);
  const double size = centre_of(mesh, rule, middle, out.centre);
  if (size != 0)
    moments_of(mesh, rule, &out);
  if (out.volume < 0) { // inside out
    out.volume = -out.volume;
    for (int m = 0; m < 6; ++m)
      out.moments[m] = -out.moments[m];
  }
  return out;
}

// ---- Is it closed? ----------------------------------------------------------------------------------------------

// A point's coordinates as one number: multiplied and mixed, so that one bit changes half of the bits of the result.
static uint64_t mix(uint64_t x)
{
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  x = (x ^ (x >> 29)) * 0x9fb21c651e98df25u;
  return x ^ (x >> 32);
}

static uint64_t key_of(const double *point)
{
  uint64_t key = 0x243f6a8885a308d3u;
  for (int c = 0; c < 3; ++c) {
    const double x = point[c] + 0.0; // -0 is 0
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    key = mix(key + bits);
  }
  return key;
}

// An edge counts positive in one direction and negative in the other, so that all of them add up to zero.
static uint64_t edge(uint64_t from, uint64_t to)
{
  if (from == to)
    return 0;
  const uint64_t low = from < to ? from : to, high = from < to ? to : from, key = mix(low + mix(high));
  return from < to ? key : 0 - key;
}

int ffi_mesh_solid_is_closed(const ffi_mesh_solid_triangles *mesh)
{
  uint64_t sum = 0;
  for (int i = 0; i < mesh->count; ++i) {
    const uint64_t a = key_of(corner_of(mesh, i, 0)), b = key_of(corner_of(mesh, i, 1)),
                   c = key_of(corner_of(mesh, i, 2));
    sum += edge(a, b) + edge(b, c) + edge(c, a);
  }
  return mesh->count > 0 && sum == 0;
}
