/// help.h: what is said about commands and options: lines of less than 80 columns, made of the tables that options are read by.
#ifndef FFI_APPS_HELP_H
#define FFI_APPS_HELP_H

#include "cli/bench_options.h"

#include <stdio.h>

enum { FFI_HELP_WIDTH = 79 }; ///< columns

/// How it is called, one way per line.
void ffi_help_usage(const char *usage, FILE *out);

/// A paragraph, in lines that fit; an empty line before it.
void ffi_help_text(const char *text, FILE *out);

/// Options with what they do; an empty line before them.
void ffi_help_options(const ffi_option *options, int count, FILE *out);

/// Lines of examples, each a command that works where the models and scenes of Footfall are.
void ffi_help_examples(const char *lines, FILE *out);

void ffi_help_exit_statuses(FILE *out);

/// All about one benchmark; about footfall compare.
void ffi_help_bench(const ffi_bench *bench, FILE *out);
void ffi_help_compare(FILE *out);

/// Tables of the units that numbers may have.
void ffi_help_units(FILE *out);

/// The table of the sim's options.
void ffi_help_sim_options(FILE *out);

#endif
