// A user's program that reads no files and needs neither footfall_io nor libxml2: a pendulum built in C.
#include <footfall/builder.h>
#include <footfall/dynamics.h>
#include <footfall/version.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
  ff_builder *builder = NULL;
  ff_model *model = NULL;
  ff_dynamics *dynamics = NULL;
  ff_error error;
  ff_link_def rod = ff_link_def_default();
  rod.name = "rod";
  rod.joint.type = FF_JOINT_REVOLUTE;
  rod.joint.axis[1] = 1;
  rod.inertia.mass = 2;
  rod.inertia.com[2] = -0.5;
  int id;
  if (ff_builder_create("pendulum", &builder, &error) != FF_OK ||
      ff_builder_add_link(builder, &rod, &id, &error) != FF_OK ||
      ff_builder_finish(builder, &model, &error) != FF_OK ||
      ff_dynamics_create(model, NULL, &dynamics, &error) != FF_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }

  // Held level, a point mass m at distance l falls with g / l about the axis.
  const double q = 1.5707963267948966, v = 0, tau = 0;
  double vdot = 0;
  ff_dynamics_aba(dynamics, &q, &v, &tau, &vdot);
  printf("%.6f %s\n", fabs(vdot), ff_version());

  ff_dynamics_destroy(dynamics);
  ff_model_destroy(model);
  ff_builder_destroy(builder);
  return fabs(fabs(vdot) - 9.81 / 0.5) < 1e-12 * 20 && strcmp(ff_version(), FF_VERSION) == 0 ? 0 : 2;
}
