// Runs at several step lengths and the slope of their errors.
#include "properties/order/order.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

const ffi_order_method ffi_order_expo = {"expo", FF_STEPPER_EXPO, 2, 1},
                       ffi_order_first = {"order 1", FF_STEPPER_EXPO, 1, 1},
                       ffi_order_no_events = {"events off", FF_STEPPER_EXPO, 2, 0},
                       ffi_order_paper = {"expo-paper", FF_STEPPER_EXPO_PAPER, 2, 1},
                       ffi_order_rk4 = {"rk4", FF_STEPPER_RK4, 2, 1};

void ffi_order_run_counted(const ffi_order_scene *scene, const ffi_order_method *method, int steps,
                           double *end, ff_sim_totals *totals)
{
  ff_sim_def def = scene->def;
  ff_sim *sim;
  ff_error error;
  const ff_model_size size = ff_model_get_size(scene->model);
  def.stepper = method->stepper;
  def.dt = scene->duration / steps;
  def.expo.order = method->order;
  def.expo.events = method->events;
  if (ff_sim_create(scene->model, &def, &sim, &error) != FF_OK ||
      ff_sim_reset(sim, scene->q, scene->v, &error) != FF_OK)
    fail_msg("%s", error.message);
  for (int k = 0; k < steps; ++k)
    if (ff_sim_step(sim, NULL, &error) != FF_OK)
      fail_msg("%s", error.message);
  memcpy(end, ff_sim_q(sim), (size_t)size.nq * sizeof *end);
  memcpy(end + size.nq, ff_sim_v(sim), (size_t)size.nv * sizeof *end);
  *totals = ff_sim_get_totals(sim);
  ff_sim_destroy(sim);
}

void ffi_order_run(const ffi_order_scene *scene, const ffi_order_method *method, int steps, double *end)
{
  ff_sim_totals totals;
  ffi_order_run_counted(scene, method, steps, end, &totals);
}

double ffi_order_distance(const ffi_order_scene *scene, const double *a, const double *b)
{
  const ff_model_size size = ff_model_get_size(scene->model);
  double change[FFI_ORDER_MOST], most = 0;
  ff_model_difference(scene->model, a, b, change);
  for (int i = 0; i < size.nv; ++i)
    most = fmax(most, fmax(fabs(change[i]), fabs(a[size.nq + i] - b[size.nq + i])));
  return most;
}

double ffi_order_tail(int count, const double *error)
{
  return log2(error[count - 3] / error[count - 1]) / 2;
}

double ffi_order_measure(const ffi_order_scene *scene, const ffi_order_method *method, const double *truth,
                         int first, int count, double *error)
{
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  print_message("  %-10s", method->name);
  for (int k = 0; k < count; ++k) {
    double end[2 * FFI_ORDER_MOST];
    ffi_order_run(scene, method, first << k, end);
    error[k] = ffi_order_distance(scene, end, truth);
    print_message("  %.2f ms: %.1e", 1e3 * scene->duration / (first << k), error[k]);
    const double x = -k, y = log2(error[k]);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  const double slope = (count * sxy - sx * sy) / (count * sxx - sx * sx);
  print_message("  order %.2f\n", slope);
  return slope;
}
