/// machine.h: where and when a benchmark ran, for reports that outlive the run.
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stddef.h>

/// The processor's name, or that of its architecture.
void bench_machine_name(char *name, size_t size);

/// Today, "2030-01-31".
void bench_machine_date(char *date, size_t size);

#endif
