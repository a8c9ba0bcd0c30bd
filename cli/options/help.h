/// help.h: help texts of options and benchmarks, in lines of less than 80 columns, made from the tables of options.
#ifndef FFI_CLI_HELP_H
#define FFI_CLI_HELP_H

#include "cli/options/benchmark.h"

#include <stdio.h>

enum { FFI_HELP_WIDTH = 79 }; ///< columns

/// The synopsis: one form per line.
void ffi_help_usage(const char *usage, FILE *out);

/// Options and what each does; an empty line before them.
void ffi_help_options(const ffi_option *options, int count, FILE *out);

/// Example commands, one per line. Each works in the folder of Footfall's sources.
void ffi_help_examples(const char *lines, FILE *out);

void ffi_help_exit_statuses(FILE *out);

/// The help of one benchmark, and of footfall compare.
void ffi_help_bench(const ffi_benchmark *bench, FILE *out);
void ffi_help_compare(FILE *out);

/// The table of units.
void ffi_help_units(FILE *out);

/// The fields that can differ from run to run of a batch.
void ffi_help_vary(FILE *out);

/// The table of the sim's options.
void ffi_help_sim_options(FILE *out);

#endif
