// The laws of hard contact and impact, stated from the mass matrix on.
#include "support/hard_laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// G_ll + R_l.
static double row_give(const ffi_hard_case *c, int row)
{
  const int nv = c->problem.nv;
  double *y = ffi_hard_room((size_t)nv, sizeof *y), sum = c->problem.softness[row];
  memcpy(y, c->W + row * nv, (size_t)nv * sizeof *y);
  ffi_hard_solve_mass(c, y);
  for (int v = 0; v < nv; ++v)
    sum += c->W[row * nv + v] * y[v];
  free(y);
  return sum;
}

static double max2(double a, double b)
{
  return a > b ? a : b;
}

static double signorini(double Lambda, double xi, double give, double t)
{
  const double scaled = xi / give;
  const double worst = max2(-Lambda, -scaled), product = Lambda < scaled ? fabs(Lambda) : fabs(scaled);
  return max2(worst, product) / t;
}

static double coulomb(const double *Lambda, const double *xi, double radius, double give, double t)
{
  const double outside = hypot(Lambda[0], Lambda[1]) - radius, speed = hypot(xi[0], xi[1]);
  const double gap = radius * speed + Lambda[0] * xi[0] + Lambda[1] * xi[1];
  const double allowed = t * (speed + 2 * radius * give);
  return max2(outside / t, gap > 0 && allowed > 0 ? gap / allowed : gap > 0 ? HUGE_VAL : 0);
}

// A direction of a pyramid's base: corners (is_corner) or middles of its sides; the first side is across t1.
static void direction(int faces, int k, int is_corner, double out[2])
{
  const double half = 3.14159265358979323846 / faces, angle = (2 * k + is_corner) * half;
  const double length = is_corner ? 1 / cos(half) : 1;
  out[0] = length * cos(angle);
  out[1] = length * sin(angle);
}

// The largest of x along any of them; of a round cone, |x|.
static double farthest(int faces, int is_corner, const double *x)
{
  double most = faces ? -HUGE_VAL : hypot(x[0], x[1]);
  for (int k = 0; k < faces; ++k) {
    double d[2];
    direction(faces, k, is_corner, d);
    most = max2(most, d[0] * x[0] + d[1] * x[1]);
  }
  return most;
}

// Lambda in K, xi in K*, and orthogonal: each off by no more than Lambda off by t would make it.
static double in_cone(const ffi_hard_block *block, const double *Lambda, const double *xi, const double *give,
                      double t)
{
  const double mu = block->mu, stiff = max2(give[0], give[1]);
  const double corner = block->faces ? mu / cos(3.14159265358979323846 / block->faces) : mu;
  const double outside = farthest(block->faces, 0, Lambda) - mu * Lambda[2];
  const double turned[2] = {-xi[0], -xi[1]}, inside = mu * farthest(block->faces, 1, turned) - xi[2];
  const double gap = fabs(Lambda[0] * xi[0] + Lambda[1] * xi[1] + Lambda[2] * xi[2]);
  const double allowed =
      t * (hypot(xi[0], xi[1]) + fabs(xi[2]) + stiff * (hypot(Lambda[0], Lambda[1]) + 2 * t) +
           give[2] * (fabs(Lambda[2]) + 2 * t));
  return max2(outside / (t * (1 + mu)), max2(inside / (t * (give[2] + corner * stiff)), gap / allowed));
}

// The moments of a contact with six rows.
static double resists(const double *Lambda, const double *xi, const double *give, double t)
{
  const double radius = max2(Lambda[2], 0);
  return max2(coulomb(Lambda + 3, xi + 3, radius, max2(give[3], give[4]), t),
              coulomb((double[2]){Lambda[5], 0}, (double[2]){xi[5], 0}, radius, give[5], t));
}

// in_cone() with moments.
static double in_turning_cone(const ffi_hard_block *block, const double *Lambda, const double *xi,
                              const double *give, double t)
{
  const double size[3] = {hypot(Lambda[0], Lambda[1]), hypot(Lambda[3], Lambda[4]), fabs(Lambda[5])},
               speed[3] = {hypot(xi[0], xi[1]), hypot(xi[3], xi[4]), fabs(xi[5])},
               stiff[3] = {max2(give[0], give[1]), max2(give[3], give[4]), give[5]},
               limit[3] = {block->mu, 1, 1};
  double outside = -HUGE_VAL, inside = -xi[2], give_all = give[2], product = 0,
         allowed = fabs(xi[2]) + give[2] * (fabs(Lambda[2]) + 2 * t);
  for (int i = 0; i < block->rows; ++i)
    product += Lambda[i] * xi[i];
  for (int g = 0; g < 3; ++g) {
    outside = max2(outside, (size[g] - limit[g] * Lambda[2]) / (1 + limit[g]));
    inside += limit[g] * speed[g];
    give_all += limit[g] * stiff[g];
    allowed += speed[g] + stiff[g] * (size[g] + 2 * t);
  }
  return max2(outside / t, max2(inside / (t * give_all), fabs(product) / (t * allowed)));
}

double ffi_hard_violation(const ffi_hard_case *c, double relative, double absolute)
{
  const ffi_hard *p = &c->problem;
  double *u = ffi_hard_room((size_t)p->nv, sizeof *u), *xi = ffi_hard_room((size_t)p->rows + 1, sizeof *xi),
         worst = 0;
  ffi_hard_velocities(c, u, xi);
  for (int b = 0; b < p->block_count; ++b) {
    const ffi_hard_block *block = &p->block[b];
    const double *Lambda = p->impulse + block->row, *x = xi + block->row;
    double size = 0, give[FFI_HARD_MAX_ROWS] = {0};
    for (int i = 0; i < block->rows; ++i) {
      size = max2(size, fabs(Lambda[i]));
      give[i] = row_give(c, block->row + i);
    }
    const double t = absolute + relative * size;
    double part = 0;
    if (block->law == FFI_HARD_LAW_CONTACT)
      part = max2(signorini(Lambda[2], x[2], give[2], t),
                  coulomb(Lambda, x, block->mu * max2(Lambda[2], 0), max2(give[0], give[1]), t));
    else if (block->law == FFI_HARD_LAW_CONE && block->rows == 6)
      part = in_turning_cone(block, Lambda, x, give, t);
    else if (block->law == FFI_HARD_LAW_CONE)
      part = in_cone(block, Lambda, x, give, t);
    else if (block->law == FFI_HARD_LAW_STOP)
      part = signorini(Lambda[0], x[0], give[0], t);
    else if (block->law == FFI_HARD_LAW_DRY)
      part = coulomb((double[2]){Lambda[0], 0}, (double[2]){x[0], 0}, block->bound, give[0], t);
    else
      for (int i = 0; i < block->rows; ++i)
        part = max2(part, fabs(x[i]) / give[i] / t);
    if (block->law == FFI_HARD_LAW_CONTACT && block->rows == 6)
      part = max2(part, resists(Lambda, x, give, t));
    worst = part <= worst ? worst : part; // what is not a number counts
  }
  free(u);
  free(xi);
  return worst;
}
