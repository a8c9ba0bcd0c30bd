// A user's C++ program: the same as consumer.c, with owners that clean up by themselves.
#include <footfall/footfall.h>

#include <cstdio>
#include <memory>
#include <vector>

int main(int argc, char **argv)
{
  ff_error error;
  ff_model *raw_model = nullptr;
  ff_dynamics *raw_dynamics = nullptr;
  if (argc != 2 || ff_model_load(argv[1], nullptr, &raw_model, &error) != FF_OK)
    return 1;
  std::unique_ptr<ff_model, void (*)(ff_model *)> model(raw_model, ff_model_destroy);
  if (ff_dynamics_create(model.get(), nullptr, &raw_dynamics, &error) != FF_OK)
    return 1;
  std::unique_ptr<ff_dynamics, void (*)(ff_dynamics *)> dynamics(raw_dynamics, ff_dynamics_destroy);

  const ff_model_size size = ff_model_get_size(model.get());
  std::vector<double> q(size.nq), g(size.nv);
  ff_model_neutral(model.get(), q.data());
  ff_dynamics_gravity(dynamics.get(), q.data(), g.data());
  std::printf("%.6f %d\n", g[2] / 9.81, size.nv); // a level floating base carries its weight along z
  return 0;
}
