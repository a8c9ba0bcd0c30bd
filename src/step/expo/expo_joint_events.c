// Events of joint limits, motors and dry friction in the frozen motion. See expo_joint_events.h.
#include "step/expo/expo_joint_events.h"

#include "math/poles.h"
#include "step/expo/expo_dense_output.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// The velocity inside a subinterval is a weighted sum of alpha; the largest weight of each pole bounds it.
static void fill_swing(const ffi_frozen *z, double swing[FFI_COMPLEX])
{
  enum { PLACES = 64 };
  for (int k = 0; k < FFI_COMPLEX; ++k)
    swing[k] = 0;
  for (int place = 0; place <= PLACES; ++place) {
    double c[FFI_COMPLEX];
    ffi_poles_inside((double)place / PLACES, c);
    for (int k = 0; k < FFI_POLES; ++k) {
      const double size = 2 * hypot(c[k], c[4 + k]) * hypot(z->inverse[1][k], z->inverse[1][4 + k]);
      swing[k] = swing[4 + k] =
          fmax(swing[k], 1.1 * size); // between two places it is larger by less than that
    }
  }
}

void ffi_expo_joint_events_layout(const ffi_system *s, ffi_block *block, const ffi_frozen *z,
                                  ffi_expo_joint_events *out)
{
  const size_t elements = (size_t)s->law_count + 1;
  fill_swing(z, out->swing);
  out->when = ffi_block_take(block, elements, sizeof *out->when);
  out->next = ffi_block_take(block, elements, sizeof *out->next);
  out->limit = ffi_block_keep(block, elements, sizeof *out->limit);
  out->limit_count = 0;
  for (int e = 0; e < s->element_count; ++e)
    if (s->elements[e].def.type == FF_ELEMENT_JOINT_LIMIT && out->limit)
      out->limit[out->limit_count++] = e;
}

void ffi_expo_joint_events_begin(ffi_expo_joint_events *w, const ffi_system *s, const ffi_evaluation *at,
                                 const ffi_state *from)
{
  w->system = s;
  w->at = at;
  w->from = from;
  w->time = INFINITY;
}

int ffi_expo_joint_events_changes(const ffi_expo_joint_events *w, int e, double time)
{
  return w->when[e] <= time * (1 + 1e-9);
}

// One element over a subinterval that begins at t, checked for a change from its regime to `next`: a motor's linear
// range has two ends, and a joint two limits.
typedef struct joint_motion {
  const ffi_expo_joint_events *w;
  const ffi_frozen *z;
  const ffi_element *element;
  const ffi_joint_law_row *row; // &no_row: a joint limit that was far away at the start
  int e, next;
  double t, h;
  double alpha[FFI_COMPLEX]; // of its line
} joint_motion;

static void find_alpha(joint_motion *p)
{
  const ffi_line *line = &p->element->line;
  if (line->single_v >= 0) {
    memcpy(p->alpha, p->z->alpha + FFI_COMPLEX * (ptrdiff_t)line->single_v, sizeof p->alpha);
    return;
  }
  for (int k = 0; k < FFI_COMPLEX; ++k)
    p->alpha[k] = 0;
  for (int i = 0; i < line->count; ++i)
    for (int k = 0; k < FFI_COMPLEX; ++k)
      p->alpha[k] += line->weight[i] * p->z->alpha[FFI_COMPLEX * line->v[i] + k];
}

// A joint that slides goes on while its spring and damper would need more than the friction there is; the elongation
// relaxes.                                                                      joint-friction.md, eqs 2 and 3
static double friction_margin(const joint_motion *p, double time, double u, double dx)
{
  const ff_element_def *def = &p->element->def;
  const int regime = p->row->regime;
  const double travel = time * p->row->u + dx;
  const double e = ffi_joint_law_elongation(def, regime, -p->row->x, travel, time);
  const double force = def->stiffness * e - def->damping * u;
  return regime == 0 ? def->effort - p->next * force : regime * force - def->effort;
}

static double motor_margin(const joint_motion *p, double x, double u)
{
  const ff_element_def *def = &p->element->def;
  const double force = -def->stiffness * x - def->damping * u;
  const int regime = p->row->regime;
  return regime == 0 ? def->effort - p->next * force : regime * force - def->effort;
}

// A joint limit that pushes keeps its regime while it pushes; a free one while the joint is within its limits, or
// leaves so fast that the limit would pull.
static double limit_margin(const joint_motion *p, double q, double v)
{
  const ff_element_def *def = &p->element->def;
  const int side = p->next != 0 ? p->next : p->row->regime;
  const double depth = side * (q - (side < 0 ? def->lower : def->upper));
  const double push = def->stiffness * depth + def->damping * side * v;
  if (p->next == 0)
    return push;
  const double in = (def->stiffness > 0 ? def->stiffness : 1) * depth;
  return -(in < push ? in : push);
}

// How far the element is from that change [N] or [N m], `tau` into the subinterval: positive before it. once, twice:
// the integrals of xi'' from the subinterval's start.
static double margin_at(const joint_motion *p, double tau, double once, double twice)
{
  const ffi_line *line = &p->element->line;
  const double changed = ffi_line_rate(line, p->z->delta_v);
  const double time = p->t + tau, dv = changed + once,
               dx = ffi_line_rate(line, p->z->delta_x) + tau * changed + twice;
  if (p->element->def.type == FF_ELEMENT_JOINT_PD)
    return motor_margin(p, p->row->x + time * p->row->u + dx, p->row->u + dv);
  if (p->element->def.type == FF_ELEMENT_JOINT_FRICTION)
    return friction_margin(p, time, p->row->u + dv, dx);
  const double speed = ffi_line_rate(line, p->w->from->v);
  return limit_margin(p, ffi_line_position(line, p->w->from->q) + time * speed + dx, speed + dv);
}

static double margin_inside(const void *user, double tau)
{
  const joint_motion *p = user;
  ffi_expo_dense_output_integrals i;
  ffi_expo_dense_output(p->z, p->h, tau, 1, p->alpha, &i);
  return margin_at(p, tau, i.once[0], i.twice[0]);
}

// Bound of the velocity's change since the subinterval's start: that of a constant acceleration, and the bound of the
// rest.
static double largest_change(const joint_motion *p, double even)
{
  const double *alpha = p->alpha, *swing = p->w->swing, *one = p->z->inverse[1];
  double rest = fabs(even);
  for (int k = 0; k < FFI_POLES; ++k)
    rest += swing[k] * (fabs(alpha[k] - even * one[k]) + fabs(alpha[4 + k] - even * one[4 + k]));
  return rest;
}

// The mean acceleration of the line over the subinterval times its length: its change of velocity.
static double even_change(const joint_motion *p)
{
  const ffi_line *line = &p->element->line;
  double sum = 0;
  if (line->single_v >= 0)
    return p->z->A[4 * line->single_v];
  for (int i = 0; i < line->count; ++i)
    sum += line->weight[i] * p->z->A[4 * line->v[i]];
  return sum;
}

// Is a joint that slides sure to go on over the subinterval? Its elongation only comes nearer to its limit.
static int keeps_sliding(const joint_motion *p)
{
  const ff_element_def *def = &p->element->def;
  const int regime = p->row->regime;
  const double u = p->row->u + ffi_line_rate(&p->element->line, p->z->delta_v);
  const double e = ffi_joint_law_elongation(def, regime, -p->row->x, 0, p->t);
  const double lack = fmax(0, def->effort - regime * def->stiffness * e);
  const double room = -regime * def->damping * u - lack;
  return def->damping * largest_change(p, 0) < room ||
         def->damping * largest_change(p, even_change(p)) < room;
}

// Is the motor or friction sure to keep its regime over the subinterval? Nearly always it is. At rest the bounds alone
// show it; in motion, with the constant acceleration taken out.
static int keeps_regime(const joint_motion *p)
{
  const ff_element_def *def = &p->element->def;
  if (def->type == FF_ELEMENT_JOINT_FRICTION && p->row->regime != 0)
    return keeps_sliding(p);
  const ffi_line *line = &p->element->line;
  const double K = def->stiffness * p->h, u = p->row->u + ffi_line_rate(line, p->z->delta_v);
  const double force = -def->stiffness * (p->row->x + p->t * p->row->u + ffi_line_rate(line, p->z->delta_x)) -
                       def->damping * u;
  const double margin =
      p->row->regime == 0 ? def->effort - fabs(force) : p->row->regime * force - def->effort;
  const double room = margin - K * fabs(u);
  return (K + def->damping) * largest_change(p, 0) < room ||
         (K + def->damping) * largest_change(p, even_change(p)) < room;
}

static void search_element(ffi_expo_joint_events *w, const joint_motion *p, const double *position_weight,
                           const double *velocity_weight)
{
  double once[FFI_EXPO_SAMPLES], twice[FFI_EXPO_SAMPLES];
  // a regime that rounding puts beyond its bound counts as just within
  double before = fmax(0, margin_at(p, 0, 0, 0));
  const double part = p->h / FFI_EXPO_SAMPLES;
  p->z->kernels->combine(1, p->alpha, position_weight, twice);
  p->z->kernels->combine(1, p->alpha, velocity_weight, once);
  for (int k = 0; k < FFI_EXPO_SAMPLES; ++k) {
    const double tau = (k + 1) * part;
    const double after = margin_at(p, tau, once[k], p->h * twice[k]);
    const double slack = 1e-9 * before; // rounding of forces that cancel
    if (after < -slack) {
      const double when = p->t + ffi_expo_dense_output_root(margin_inside, p, tau - part, tau, before, after);
      if (when < w->when[p->e]) {
        w->when[p->e] = when;
        w->next[p->e] = p->next;
        w->time = fmin(w->time, when);
      }
      return;
    }
    before = fmax(0, after);
  }
}

// Search an element that has a row if it can change; a motor without an effort limit cannot.
static void search_row(ffi_expo_joint_events *w, joint_motion *p, const double *position_weight,
                       const double *velocity_weight)
{
  const int saturates = ffi_joint_law_saturates(&p->element->def);
  if (saturates && !(p->element->def.effort < INFINITY))
    return;
  find_alpha(p);
  if (saturates && keeps_regime(p))
    return;
  const int regime = p->row->regime;
  for (p->next = regime == 0 ? -1 : 0; p->next < (regime == 0 ? 2 : 1); p->next += 2)
    search_element(w, p, position_weight, velocity_weight);
}

static int has_row(const ffi_evaluation *at, int element)
{
  for (int r = 0; r < at->joint_row_count; ++r)
    if (at->joint_row_element[r] == element)
      return 1;
  return 0;
}

static const ffi_joint_law_row no_row = {0}; // does not push

// Position of an element's line at the end of the subinterval, `until` after the start.
static double position_at_end(const ffi_element *el, const ffi_frozen *z, const ffi_state *from, double until,
                              double h)
{
  const ffi_line *line = &el->line;
  const int v = line->single_v;
  if (v >= 0)
    return from->q[line->single_q] + until * from->v[v] + z->delta_x[v] + h * z->delta_v[v] + z->A[4 * v + 1];
  double sum = 0;
  for (int i = 0; i < line->count; ++i) {
    const int k = line->v[i];
    sum += line->weight[i] *
           (from->q[line->q[i]] + until * from->v[k] + z->delta_x[k] + h * z->delta_v[k] + z->A[4 * k + 1]);
  }
  return sum;
}

// A joint limit that was too far away to have a row is checked at the subinterval's end: something may have thrown the
// joint at it.
static void search_far_limits(ffi_expo_joint_events *w, joint_motion *p, const double *position_weight,
                              const double *velocity_weight)
{
  const ffi_frozen *z = p->z;
  const double until = p->t + p->h;
  for (int i = 0; i < w->limit_count; ++i) {
    const ffi_element *el = &w->system->elements[w->limit[i]];
    const double there = position_at_end(el, z, w->from, until, p->h);
    if ((there >= el->def.lower && there <= el->def.upper) || has_row(w->at, w->limit[i]))
      continue;
    p->e = w->limit[i];
    p->element = el;
    p->row = &no_row;
    search_row(w, p, position_weight, velocity_weight);
  }
}

void ffi_expo_joint_events_search(ffi_expo_joint_events *w, const ffi_frozen *z,
                                  const double *position_weight, const double *velocity_weight, double t,
                                  double h)
{
  const ffi_system *s = w->system;
  joint_motion p = {.w = w, .z = z, .t = t, .h = h};
  if (t == 0) {
    w->time = INFINITY;
    for (int e = 0; e < s->law_count; ++e)
      w->when[e] = INFINITY;
  }
  for (int r = 0; r < w->at->joint_row_count; ++r) {
    p.row = &w->at->joint_row[r];
    p.e = w->at->joint_row_element[r];
    p.element = &s->elements[p.e];
    search_row(w, &p, position_weight, velocity_weight);
  }
  search_far_limits(w, &p, position_weight, velocity_weight);
}

void ffi_expo_joint_events_set_regime(const ffi_system *s, const ffi_state *x, ffi_evaluation *at, int index,
                                      int regime)
{
  const ffi_element *el = &s->elements[at->joint_row_element[index]];
  const ff_element_def *def = &el->def;
  ffi_joint_law_row *row = &at->joint_row[index];
  const int saturates = ffi_joint_law_saturates(def), acts = saturates ? regime == 0 : regime != 0;
  if (!saturates && regime != 0) { // a limit that is not reached yet begins unloaded: it does not pull
    const double q = ffi_line_position(&el->line, x->q);
    const double beyond = regime < 0 ? def->lower - q : q - def->upper;
    row->x = regime * fmax(0, beyond);
  }
  row->regime = regime;
  row->K = acts ? def->stiffness : 0;
  row->B = acts ? def->damping : 0;
  row->force = acts ? -row->K * row->x - row->B * row->u : saturates ? regime * def->effort : 0;
}
