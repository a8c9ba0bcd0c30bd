// footfall bench dynamics: how long each kernel takes, on the robots solo12 and romeo.
#include "bench.h"
#include "find_model.h"
#include "robot.h"
#include "rows.h"
#include "timer.h"

#include <footfall/load.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROBOTS = 2, MAX_TASKS = 256 };
static const char *const names[ROBOTS] = {"solo12", "romeo"};

int bench_dynamics(int argc, char **argv)
{
  double seconds = 30;
  ff_isa isa = FF_ISA_AUTO;
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "--quick")) seconds = 3;
    if (!strcmp(argv[i], "--isa") && i + 1 < argc) {
      for (int k = 1; k < 4; ++k)
        if (!strcmp(argv[i + 1], ff_isa_name((ff_isa)k))) isa = (ff_isa)k;
    }
  }
  static bench_task tasks[MAX_TASKS];
  static bench_robot robots[ROBOTS][2];
  int n = 0;
  for (int r = 0; r < ROBOTS; ++r) {
    char path[1024], file[64];
    ff_error error = {0};
    ff_model *model;
    snprintf(file, sizeof file, "%s.urdf", names[r]);
    if (!bench_find_model(NULL, file, path, sizeof path)) return fprintf(stderr, "no %s\n", path), 1;
    if (ff_model_load(path, NULL, &model, &error)) return fprintf(stderr, "%s\n", error.message), 1;
    for (int w = 0; w < 2; ++w) {
      ff_dynamics_def def = ff_dynamics_def_default();
      def.lanes = w ? FF_LANES_WIDE : 1;
      def.isa = isa;
      if (bench_robot_create(model, &def, &robots[r][w], &error)) return fprintf(stderr, "%s\n", error.message), 1;
    }
  }
  int at[ROBOTS][2][64];
  for (int w = 0; w < 2; ++w)
    for (int r = 0; r < ROBOTS; ++r)
      for (int k = 0; k < bench_kernel_count; ++k) {
        if (w && !bench_kernels[k].has_lanes) continue;
        at[r][w][k] = n;
        tasks[n++] = (bench_task){bench_kernels[k].prepare, bench_kernels[k].sweep, &robots[r][w], w, BENCH_STATES, 0, 0, 0, 0};
      }
  bench_run(tasks, n, seconds, 3);
  for (int r = 0; r < ROBOTS; ++r) {
    printf("%s\n", names[r]);
    for (int k = 0; k < bench_kernel_count; ++k) {
      double t[2] = {0, 0};
      for (int w = 0; w < 2; ++w) {
        if (w && !bench_kernels[k].has_lanes) continue;
        t[w] = tasks[at[r][w][k]].least;
        if (bench_kernels[k].minus) t[w] -= tasks[at[r][w][bench_kernel_find(bench_kernels[k].minus)]].least;
      }
      printf("  %-12s %8.1f ns  x%d %8.1f  ratio %.3f\n", bench_kernels[k].name, t[0], robots[r][1].states.lanes, t[1], t[1] / t[0]);
    }
  }
  return 0;
}
