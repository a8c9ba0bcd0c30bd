// Steps of Solo by every stepper, in C: its states are printed as hexadecimal numbers, for test_bits.py.
#include <footfall/footfall.h>

#include <math.h>
#include <stdio.h>

static void print(const char *name, const double *numbers, int count)
{
  printf("%s", name);
  for (int i = 0; i < count; ++i)
    printf(" %a", numbers[i]);
  printf("\n");
}

static int simulate(const ff_model *model, ff_stepper stepper, int steps)
{
  ff_sim_def def = ff_sim_def_default();
  ff_error error;
  ff_sim *sim;
  double u[12], tau[18] = {0};
  def.dt = stepper == FF_STEPPER_EULER || stepper == FF_STEPPER_SYMPLECTIC || stepper == FF_STEPPER_RK4 ? 1e-4 : 1e-3;
  def.stepper = stepper;
  def.model_elements = 0;
  if (ff_sim_create(model, &def, &sim, &error) != FF_OK || ff_sim_set_posture(sim, "standing", &error) != FF_OK)
    return fprintf(stderr, "%s\n", error.message), 1;
  for (int k = 0; k < steps; ++k) {
    for (int i = 0; i < 12; ++i)
      u[i] = 0.5 * sin(0.1 * k + i); // the same in test_bits.py
    tau[2] = 0.25 * k;
    if (ff_sim_set_controls(sim, u, &error) != FF_OK || ff_sim_step(sim, tau, &error) != FF_OK)
      return fprintf(stderr, "%s\n", error.message), 1;
  }
  print(ff_stepper_name(stepper), ff_sim_q(sim), 19);
  print(ff_stepper_name(stepper), ff_sim_v(sim), 18);
  ff_sim_destroy(sim);
  return 0;
}

int main(int argc, char **argv)
{
  ff_model *model;
  ff_error error;
  if (argc < 2 || ff_model_load(argv[1], NULL, &model, &error) != FF_OK)
    return fprintf(stderr, "%s\n", argc < 2 ? "bits MODEL" : error.message), 1;
  for (int s = 0; s < FF_STEPPER_COUNT; ++s)
    if (simulate(model, (ff_stepper)s, 40) != 0)
      return 1;
  ff_model_destroy(model);
}
