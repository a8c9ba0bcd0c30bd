/// step_report.h: the results of `footfall bench step` as tables and as rows.
#ifndef BENCH_STEP_REPORT_H
#define BENCH_STEP_REPORT_H

#include "common/json_rows.h"
#include "micro/step_run.h"

/// Tables on stdout: one per robot, its phases, and one for the boxes.
void bench_step_report_print(const bench_step_run *run);

/// The same as Markdown, as in docs/performance.md.
void bench_step_report_markdown(const bench_step_run *run);

/// Rows: `step:VARIANT` [us]; where counted, `step:VARIANT_instructions` and `instructions:SOURCE:ISA` (perf or
/// callgrind) [bits of its vectors]; on robots `phase:VARIANT:PHASE` [us]; `mujoco:step` and `mujoco:step:SETTING`
/// [us]; and for each case `contacts`, `isa:NAME` [bits of its vectors] and `noise`.
void bench_step_report_rows(const bench_step_run *run, bench_json_rows *rows);

#endif
