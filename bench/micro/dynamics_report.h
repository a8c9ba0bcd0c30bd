/// dynamics_report.h: what `footfall bench dynamics` found, for people and for machines.
#ifndef BENCH_DYNAMICS_REPORT_H
#define BENCH_DYNAMICS_REPORT_H

#include "common/rows.h"
#include "micro/dynamics_run.h"

/// A table per robot on stdout.
void bench_dynamics_print(const bench_dynamics_run *run);

/// The same as Markdown, as it stands in docs/performance.md.
void bench_dynamics_markdown(const bench_dynamics_run *run);

/// Rows. Beside the times in ns (`rnea`, `rnea_x8`, `mujoco:rne`) each kernel has `_flops`, `_peak`, `_x8_peak` (fractions of
/// the core's rate) and, where the machine counts them, `_instructions` and `_x8_instructions`. `lanes_x8` says how many
/// lanes the _x8 rows had and `isa:NAME` which instruction set, with the width of its vectors. `mujoco:energy_error` is how
/// far MuJoCo's kinetic energy is from ours: rounding, unless it repaired inertias.
void bench_dynamics_rows(const bench_dynamics_run *run, bench_rows *rows);

#endif
