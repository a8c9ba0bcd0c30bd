// Sets of points for hulls. Sizes are about 0.1 m, as of robots' parts.
#include "math/hull_points.h"

#include "math/near.h"

// Points so far, and room for `most`; more are left out.
typedef struct cloud {
  double *x;
  int n, most;
  rng r;
} cloud;

static cloud begin_cloud(uint64_t seed, int most, double *points)
{
  return (cloud){.x = points, .most = most, .r = {seed}};
}

static void put(cloud *c, double x, double y, double z)
{
  if (c->n >= c->most)
    return;
  double *p = c->x + 3 * c->n++;
  p[0] = x, p[1] = y, p[2] = z;
}

static double noise(cloud *c, double size)
{
  return random_in(&c->r, -size, size);
}

void ffi_hull_points_turn(uint64_t seed, int n, double *points)
{
  rng r = {seed ^ 0x517cc1b727220a95u};
  double q[4], o[3];
  random_unit(&r, 4, q);
  random_vector(&r, 3, 0.3, o);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  for (int i = 0; i < n; ++i) {
    double *p = points + 3 * i;
    const double v[3] = {p[0], p[1], p[2]};
    for (int k = 0; k < 3; ++k)
      p[k] = R[3 * k] * v[0] + R[3 * k + 1] * v[1] + R[3 * k + 2] * v[2] + o[k];
  }
}

static int turned(uint64_t seed, cloud *c)
{
  ffi_hull_points_turn(seed, c->n, c->x);
  return c->n;
}

static int side_of(int n, double power)
{
  const int m = (int)floor(pow(n, power) + 1e-9);
  return m < 2 ? 2 : m;
}

// ---- Lattices ---------------------------------------------------------------------------------------------

static int lattice(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  const int m = side_of(n, 1 / 3.0);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j)
      for (int k = 0; k < m; ++k)
        put(&c, 0.1 * i / m, 0.1 * j / m, 0.1 * k / m);
  return c.n;
}

static int turned_lattice(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, lattice(seed, n, points), points);
  c.n = c.most;
  return turned(seed, &c);
}

// Corners of a lattice in a ball: many faces with many points on their edges.
static int lattice_ball(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  const int m = side_of(n, 1 / 3.0) / 2 + 1, R = (int)(0.6 * 2 * m);
  for (int i = -R; i <= R; ++i)
    for (int j = -R; j <= R; ++j)
      for (int k = -R; k <= R; ++k)
        if (i * i + j * j + k * k <= R * R)
          put(&c, i, j, k);
  return c.n;
}

// (i, j, i^2 + j^2): all are extreme, and each four of a cell are coplanar.
static int lattice_bowl(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  const int m = side_of(n, 0.5), half = m / 2;
  for (int i = -half; i < m - half; ++i)
    for (int j = -half; j < m - half; ++j)
      put(&c, i, j, i * i + j * j);
  return c.n;
}

// Whole numbers with x^2 + y^2 + z^2 = N, each in 8 or more places; then the same again.
static int whole_sphere(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  const int R = 3 * 5 * 7 * 11 * 13; // a radius with many of them
  while (c.n < n) {
    const int before = c.n;
    for (int i = -R; i <= R && c.n < n; i += 7)
      for (int j = 0; j * j <= R * R - i * i && c.n<n; j += n> 20000 ? 1 : 5) {
        const int rest = R * R - i * i - j * j, k = (int)lround(sqrt(rest));
        if (k * k == rest)
          for (int s = 0; s < 8; ++s)
            put(&c, s & 1 ? i : -i, s & 2 ? j : -j, s & 4 ? k : -k);
      }
    if (c.n == before)
      break;
  }
  return c.n;
}

// ---- Round ------------------------------------------------------------------------------------------------

static int sphere(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  for (int i = 0; i < n; ++i) {
    double u[3];
    random_unit(&c.r, 3, u);
    put(&c, 0.1 * u[0], 0.1 * u[1], 0.1 * u[2]);
  }
  return c.n;
}

// Parallels and meridians, as programs make balls: poles again and again, four points of each cell in a plane.
static int globe(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  const int m = side_of(n, 0.5);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      const double a = PI * i / (m - 1), b = 2 * PI * j / m;
      put(&c, 0.1 * sin(a) * cos(b), 0.1 * sin(a) * sin(b), 0.1 * cos(a));
    }
  return turned(seed, &c);
}

// Rings of radius r at height h, in turn; flat to 1e-16 m.
static void put_rings(cloud *c, int n, int rings, const double (*rh)[2], double flatness)
{
  const int m = n / rings;
  for (int i = 0; i < m; ++i)
    for (int k = 0; k < rings; ++k)
      put(c, rh[k][0] * cos(2 * PI * i / m), rh[k][0] * sin(2 * PI * i / m), rh[k][1] + noise(c, flatness));
}

static int chamfered_disc(uint64_t seed, int n, double *points)
{
  static const double rh[4][2] = {{0.045, -0.01}, {0.05, -0.005}, {0.05, 0.005}, {0.045, 0.01}};
  cloud c = begin_cloud(seed, n, points);
  put_rings(&c, n, 4, rh, 1e-16);
  return turned(seed, &c);
}

// A shaft with steps, a groove and a bore.
static int lathe(uint64_t seed, int n, double *points)
{
  static const double rh[10][2] = {{0.01, 0},    {0.03, 0},     {0.03, 0.02},  {0.025, 0.02}, {0.025, 0.05},
                                   {0.03, 0.05}, {0.03, 0.055}, {0.02, 0.055}, {0.02, 0.09},  {0.01, 0.09}};
  cloud c = begin_cloud(seed, n, points);
  put_rings(&c, n, 10, rh, 0);
  return turned(seed, &c);
}

static int rounded_lathe(uint64_t seed, int n,
                         double *points) // as in STL: floats in mm, each corner six times
{
  const int m = lathe(seed, n / 6, points);
  for (int i = 0; i < 3 * m; ++i)
    points[i] = 0.001 * (double)(float)(1000 * points[i]);
  for (int k = 1; k < 6; ++k)
    memcpy(points + 3 * m * k, points, 3 * (size_t)m * sizeof *points);
  return 6 * m;
}

// Caps full of points, in a plane but for rounding.
static int full_caps(uint64_t seed, int n, double *points)
{
  static const double rh[2][2] = {{0.05, 0}, {0.05, 0.02}};
  cloud c = begin_cloud(seed, n, points);
  put_rings(&c, n / 2, 2, rh, 0);
  while (c.n < n) {
    const double r = 0.05 * sqrt(random_in(&c.r, 0, 0.999)), a = random_in(&c.r, 0, 2 * PI);
    put(&c, r * cos(a), r * sin(a), c.n % 2 ? 0 : 0.02);
  }
  return turned(seed, &c);
}

static int gear(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  const int m = n / 4;
  for (int i = 0; i < m; ++i)
    for (int k = 0; k < 4; ++k) {
      const double r = i / 4 % 2 ? 0.05 : 0.045, a = 2 * PI * i / m;
      put(&c, r * cos(a), r * sin(a), k % 2 ? 0 : 0.01);
    }
  return turned(seed, &c);
}

static int screw(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  for (int i = 0; i < n; ++i) {
    const double a = 2 * PI * i / 64;
    put(&c, (i % 2 ? 0.01 : 0.009) * cos(a), (i % 2 ? 0.01 : 0.009) * sin(a), 0.08 * i / n);
  }
  return turned(seed, &c);
}

// Two tops and a ring between them.
static int spindle(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  for (int i = 0; i < n - 2; ++i)
    put(&c, 0.05 * cos(2 * PI * i / (n - 2)), 0.05 * sin(2 * PI * i / (n - 2)), 0);
  put(&c, 0, 0, 0.1);
  put(&c, 0, 0, -0.1);
  return turned(seed, &c);
}

// ---- Flat and thin ----------------------------------------------------------------------------------------

// Both sides of a plate, a grid each, with noise.
static void put_plate(cloud *c, int n, double thickness, double size)
{
  const int m = side_of(n / 2, 0.5);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j)
      for (int k = 0; k < 2; ++k)
        put(c, 0.1 * i / m + noise(c, size), 0.1 * j / m + noise(c, size), k * thickness + noise(c, size));
}

static int flat_grid(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  put_plate(&c, n, 0.01, 1e-16);
  return turned(seed, &c);
}

static int noisy_grid(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  put_plate(&c, n, 0.01, 1e-12);
  return turned(seed, &c);
}

static int foil(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  put_plate(&c, n, 1e-12, 1e-15);
  return turned(seed, &c);
}

static int needle(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  for (int i = 0; i < n; ++i)
    put(&c, 0.1 * i / n, noise(&c, 1e-7), noise(&c, 1e-11));
  return turned(seed, &c);
}

// Ever smaller steps around a corner: faces of all sizes.
static int shrinking_spiral(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  for (int i = 0; i < n; ++i) {
    const double a = PI * exp(-30.0 * i / n), b = 40.0 * i / n;
    put(&c, 0.1 * sin(a) * cos(b), 0.1 * sin(a) * sin(b), -0.1 * cos(a));
  }
  return c.n;
}

// (t, t^2, t^3)
static int moment_curve(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  for (int i = 0; i < n; ++i) {
    const double t = (i + 0.5) / n;
    put(&c, t, t * t, t * t * t);
  }
  return c.n;
}

// ---- Scans and shells -------------------------------------------------------------------------------------

// A box, scanned: noise of 0.1 mm.
static int scan(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  for (int i = 0; i < n; ++i) {
    double p[3] = {random_in(&c.r, 0, 0.1), random_in(&c.r, 0, 0.06), random_in(&c.r, 0, 0.03)};
    const int k = i % 3;
    p[k] = i % 2 ? 0 : k == 0 ? 0.1 : k == 1 ? 0.06 : 0.03;
    put(&c, p[0] + noise(&c, 1e-4), p[1] + noise(&c, 1e-4), p[2] + noise(&c, 1e-4));
  }
  return turned(seed, &c);
}

// The same points again and again, moved by `size`.
static int shells(uint64_t seed, int n, double size, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  c.n = sphere(seed, n / 20 + 4, points);
  const int m = c.n;
  for (int i = 0; c.n < n; i = i + 1 < m ? i + 1 : 0)
    put(&c, points[3 * i] + noise(&c, size), points[3 * i + 1] + noise(&c, size),
        points[3 * i + 2] + noise(&c, size));
  return c.n;
}

static int same_shells(uint64_t seed, int n, double *points)
{
  return shells(seed, n, 0, points);
}

static int near_shells(uint64_t seed, int n, double *points)
{
  return shells(seed, n, 1e-17, points);
}

// A small box far from the origin: few digits are left, and points fall together.
static int far_box(uint64_t seed, int n, double *points)
{
  const int m = turned_lattice(seed, n, points);
  for (int i = 0; i < 3 * m; ++i)
    points[i] += 1e9;
  return m;
}

// Parts of all sizes, down to those that a number close to zero allows.
static int many_scales(uint64_t seed, int n, double *points)
{
  cloud c = begin_cloud(seed, n, points);
  for (int i = 0; i < n; ++i) {
    double u[3];
    const double size = pow(10, random_in(&c.r, -60, 0));
    random_unit(&c.r, 3, u);
    put(&c, fabs(u[0]) * size, fabs(u[1]) * size, fabs(u[2]) * size);
  }
  return c.n;
}

const ffi_hull_points ffi_hull_points_all[] = {
    {"lattice", lattice},
    {"turned lattice", turned_lattice},
    {"lattice ball", lattice_ball},
    {"lattice bowl", lattice_bowl},
    {"whole sphere", whole_sphere},
    {"sphere", sphere},
    {"globe", globe},
    {"chamfered disc", chamfered_disc},
    {"lathe", lathe},
    {"rounded lathe", rounded_lathe},
    {"full caps", full_caps},
    {"gear", gear},
    {"screw", screw},
    {"spindle", spindle},
    {"flat grid", flat_grid},
    {"noisy grid", noisy_grid},
    {"foil", foil},
    {"needle", needle},
    {"shrinking spiral", shrinking_spiral},
    {"moment curve", moment_curve},
    {"scan", scan},
    {"same shells", same_shells},
    {"near shells", near_shells},
    {"far box", far_box},
    {"many scales", many_scales},
};
const int ffi_hull_points_count = sizeof ffi_hull_points_all / sizeof ffi_hull_points_all[0];
