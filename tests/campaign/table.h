/// table.h: what a campaign came to: counts by stepper and class, and the scenes that broke a promise.
#ifndef FFI_TESTS_TABLE_H
#define FFI_TESTS_TABLE_H

#include "campaign/judge.h"

enum { FFI_TABLE_KEPT = 64 }; ///< scenes remembered for each stepper and fault

typedef struct ffi_table_row {
  long long scenes, steps, impacts, ok, refused, failed, ended, flagged; ///< impacts: scenes with one
  long long faults[FFI_JUDGE_FAULTS];
  double worst_gain, slowest;
} ffi_table_row;

typedef struct ffi_table {
  ffi_table_row rows[FF_STEPPER_COUNT][2]; ///< mild, wild
  int kept[FF_STEPPER_COUNT][FFI_JUDGE_FAULTS];
  ffi_judge_result broken[FF_STEPPER_COUNT][FFI_JUDGE_FAULTS][FFI_TABLE_KEPT];
} ffi_table;

void ffi_table_add(const ffi_judge_result *result, ffi_table *table);

/// Print the table, for people.
void ffi_table_print(const ffi_table *table);

/// Write all counts as JSON. 0: the file cannot be written.
int ffi_table_write_json(const ffi_table *table, const char *path);

/// Is this fault of this stepper a broken promise? Energy and time are promised for expo, implicit, moreau and c2a, the
/// rest for every stepper. is_strict 0: energy and time are not counted.
int ffi_table_is_promised(ff_stepper stepper, ffi_judge_fault fault, int is_strict);

/// Number of broken promises.
long long ffi_table_broken(const ffi_table *table, int is_strict);

#endif
