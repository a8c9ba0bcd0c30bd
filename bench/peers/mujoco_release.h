/// mujoco_release.h: which MuJoCo a run measures, for its reports: every table, page and list of rows says it.
#ifndef BENCH_MUJOCO_RELEASE_H
#define BENCH_MUJOCO_RELEASE_H

#include "common/json_rows.h"

#include <footfall/sim.h>

#include <stdio.h>

typedef struct bench_mujoco_release {
  char version[32]; ///< "4.0.1", "" if there is none
  char name[128];   ///< "MuJoCo 4.0.1 (PyPI, AVX without FMA)", "MuJoCo" if there is none
} bench_mujoco_release;

/// The release that bench_mujoco_peer_find() finds.
bench_mujoco_release bench_mujoco_release_found(void);

/// The head of a page that compares with MuJoCo: title, what a quick run leaves out (NULL: this is a full one), and
/// what ran where and when.
void bench_mujoco_release_page(FILE *file, const char *title, const char *quick, ff_isa isa);

/// The row of the case "run": metric `mujoco`, its name. None without MuJoCo.
void bench_mujoco_release_row(bench_json_rows *rows);

#endif
