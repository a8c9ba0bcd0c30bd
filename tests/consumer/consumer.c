// A user's C program: loads the robot it is given and weighs it two ways. Prints "MASS NV".
#include <footfall/footfall.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
  ff_model *model = NULL;
  ff_dynamics *dynamics = NULL;
  ff_error error;
  if (argc != 2 || ff_model_load(argv[1], NULL, &model, &error) != FF_OK ||
      ff_dynamics_create(model, NULL, &dynamics, &error) != FF_OK) {
    fprintf(stderr, "%s\n", argc == 2 ? error.message : "usage: consumer MODEL");
    return 1;
  }

  // A floating robot pushed along x without turning weighs its whole mass: M[0][0].
  const int nq = ff_model_get_size(model).nq, nv = ff_model_get_size(model).nv;
  double *q = calloc((size_t)nq, sizeof *q), *M = calloc((size_t)nv * (size_t)nv, sizeof *M);
  ff_model_neutral(model, q);
  ff_dynamics_crba(dynamics, q);
  ff_dynamics_mass_matrix(dynamics, M);
  const double mass = ff_model_mass(model);
  const int agree = fabs(M[0] - mass) < 1e-12 * mass;
  printf("%.6f %d\n", mass, nv);

  free(q);
  free(M);
  ff_dynamics_destroy(dynamics);
  ff_model_destroy(model);
  return agree ? 0 : 2;
}
