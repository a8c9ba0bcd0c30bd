// Springs of torsional and rolling friction at the stages and at the end.
#include "step/explicit/rk4_turning.h"

#include "math/vec3.h"

static const ffi_constraint *block_of(const ffi_evaluation *now, int i)
{
  return &now->constraint[ffi_turning_index(now, 0, 0) + i];
}

static int is_stiff(const ffi_constraint *c, double dt)
{
  return c->slides && dt * c->own_K > c->own_B;
}

void ffi_rk4_turning_begin(const ffi_system *s, const ffi_evaluation *now, ffi_rk4_turning *turning)
{
  for (int i = 0; s->turning && i < 2 * now->count; ++i) {
    const ffi_constraint *c = block_of(now, i);
    turning[i] = (ffi_rk4_turning){.start = {0}};
    ffi_v3_scale(-c->own_K, c->x, turning[i].start);
  }
}

void ffi_rk4_turning_stage(const ffi_system *s, const ffi_evaluation *now, double weight, double dt,
                           ffi_rk4_turning *turning)
{
  for (int i = 0; s->turning && i < 2 * now->count; ++i) {
    const ffi_constraint *c = block_of(now, i);
    double *rate = turning[i].rate;
    ffi_v3_scale(-c->own_K, c->u, rate);
    if (c->slides)
      for (int k = 0; k < 3; ++k)
        rate[k] = is_stiff(c, dt) ? 0 : c->own_K * (c->force[k] + c->own_K * c->x[k]) / c->own_B;
    ffi_v3_add_scaled(weight, rate, turning[i].rate_sum);
  }
}

void ffi_rk4_turning_at(const ffi_system *s, const ffi_evaluation *now, const ffi_rk4_turning *turning,
                        double h, double (*moment)[3], ffi_state *x)
{
  if (!s->turning)
    return;
  for (int i = 0; i < 2 * now->count; ++i) {
    ffi_v3_copy(turning[i].start, moment[i]);
    ffi_v3_add_scaled(h, turning[i].rate, moment[i]);
  }
  ffi_turning_store(s, now, NULL, (const double(*)[3])moment, x);
}

void ffi_rk4_turning_end(const ffi_system *s, const ffi_evaluation *now, const ffi_rk4_turning *turning,
                         double dt, double (*moment)[3], ffi_state *to)
{
  static const double still[3] = {0, 0, 0};
  if (!s->turning)
    return;
  for (int i = 0; i < 2 * now->count; ++i) {
    ffi_constraint c = *block_of(now, i);
    ffi_v3_copy(turning[i].start, moment[i]);
    ffi_v3_add_scaled(dt, turning[i].rate_sum, moment[i]);
    if (!is_stiff(&c, dt))
      continue;
    ffi_v3_scale(-1 / c.own_K, moment[i], c.x);
    ffi_turning_spring(&c, still, dt, moment[i]);
  }
  ffi_turning_store(s, now, NULL, (const double(*)[3])moment, to);
}
