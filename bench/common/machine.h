/// machine.h: where and when a benchmark ran, and of which sources, for reports that outlive the run.
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stddef.h>

/// The processor's name, or that of its architecture.
void bench_machine_name(char *name, size_t size);

/// Today, "2030-01-31".
void bench_machine_date(char *date, size_t size);

/// The commit that this program was built from, "" if that is not known.
const char *bench_machine_commit(void);

#endif
