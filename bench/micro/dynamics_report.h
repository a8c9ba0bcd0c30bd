/// dynamics_report.h: the results of `footfall bench dynamics` as tables and as rows.
#ifndef BENCH_DYNAMICS_REPORT_H
#define BENCH_DYNAMICS_REPORT_H

#include "common/json_rows.h"
#include "micro/dynamics_run.h"

/// A table per robot on stdout.
void bench_dynamics_report_print(const bench_dynamics_run *run);

/// The same as Markdown, as in docs/performance.md.
void bench_dynamics_report_markdown(const bench_dynamics_run *run);

/// Rows. Beside the times in ns (`rnea`, `rnea_x8`, `mujoco:rne`) each kernel has `_flops`, `_peak`, `_x8_peak`
/// (fractions of the core's peak rate) and, where the machine counts them, `_instructions` and `_x8_instructions`.
/// `lanes_x8` is the number of lanes of the _x8 rows; `isa:NAME` is the instruction set, with the width of its vectors.
/// `mujoco:energy_error` is the relative difference of MuJoCo's kinetic energy from ours: rounding, unless MuJoCo
/// repaired inertias.
void bench_dynamics_report_rows(const bench_dynamics_run *run, bench_json_rows *rows);

#endif
