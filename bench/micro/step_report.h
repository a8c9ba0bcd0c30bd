/// step_report.h: what `footfall bench step` found, for people and for machines.
#ifndef BENCH_STEP_REPORT_H
#define BENCH_STEP_REPORT_H

#include "common/rows.h"
#include "micro/step_run.h"

/// Tables on stdout: one per robot, its phases, and one for the boxes.
void bench_step_print(const bench_step_run *run);

/// The same as Markdown, as it stands in docs/performance.md.
void bench_step_markdown(const bench_step_run *run);

/// Rows: `step:WAY` [us], where counted `step:WAY_instructions` and `instructions:SOURCE:ISA` (perf or callgrind) [bits of its vectors], on robots `phase:WAY:PHASE` [us], `mujoco:step` [us], and for each case
/// `contacts`, `isa:NAME` [bits of its vectors] and `noise`.
void bench_step_rows(const bench_step_run *run, bench_rows *rows);

#endif
