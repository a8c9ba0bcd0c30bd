// Counts results and prints them.
#include "campaign/table.h"

#include <math.h>
#include <stdio.h>

void ffi_table_add(const ffi_judge_result *result, ffi_table *table)
{
  ffi_table_row *row = &table->rows[result->stepper][result->is_wild];
  row->scenes += 1;
  row->steps += result->steps;
  row->refused += result->is_refused;
  row->failed += result->is_failed;
  row->ended += result->is_ended;
  row->impacts += result->impacts > 0;
  row->flagged += result->flagged > 0;
  row->ok += !result->faults && !result->is_refused && !result->is_failed && !result->is_ended;
  row->worst_gain = fmax(row->worst_gain, result->gain);
  row->slowest = fmax(row->slowest, result->slowest);
  for (int fault = 0; fault < FFI_JUDGE_FAULTS; ++fault) {
    if (!(result->faults >> fault & 1))
      continue;
    row->faults[fault] += 1;
    int *kept = &table->kept[result->stepper][fault];
    if (*kept < FFI_TABLE_KEPT)
      table->broken[result->stepper][fault][(*kept)++] = *result;
  }
}

void ffi_table_print(const ffi_table *table)
{
  printf("\n%-11s %-5s %7s %8s %7s %7s %7s %7s %7s %7s", "stepper", "class", "scenes", "steps", "impacts",
         "ok", "refused", "failed", "ended", "flagged");
  for (int fault = 0; fault < FFI_JUDGE_FAULTS; ++fault)
    printf(" %7s", ffi_judge_fault_name((ffi_judge_fault)fault));
  printf(" %11s\n", "slowest [s]");
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper)
    for (int is_wild = 0; is_wild < 2; ++is_wild) {
      const ffi_table_row *row = &table->rows[stepper][is_wild];
      if (row->scenes == 0)
        continue;
      printf("%-11s %-5s %7lld %8lld %7lld %7lld %7lld %7lld %7lld %7lld",
             ff_stepper_name((ff_stepper)stepper), is_wild ? "wild" : "mild", row->scenes, row->steps,
             row->impacts, row->ok, row->refused, row->failed, row->ended, row->flagged);
      for (int fault = 0; fault < FFI_JUDGE_FAULTS; ++fault)
        printf(" %7lld", row->faults[fault]);
      printf(" %11.3g\n", row->slowest);
    }
}

int ffi_table_write_json(const ffi_table *table, const char *path)
{
  FILE *file = fopen(path, "w");
  const char *between = "";
  if (!file)
    return 0;
  fprintf(file, "[");
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper)
    for (int is_wild = 0; is_wild < 2; ++is_wild) {
      const ffi_table_row *row = &table->rows[stepper][is_wild];
      fprintf(
          file,
          "%s\n  {\"stepper\": \"%s\", \"class\": \"%s\", \"scenes\": %lld, \"steps\": %lld, \"impacts\": %lld, "
          "\"ok\": %lld, \"refused\": %lld, \"failed\": %lld, \"ended\": %lld, \"flagged\": %lld",
          between, ff_stepper_name((ff_stepper)stepper), is_wild ? "wild" : "mild", row->scenes, row->steps,
          row->impacts, row->ok, row->refused, row->failed, row->ended, row->flagged);
      for (int fault = 0; fault < FFI_JUDGE_FAULTS; ++fault)
        fprintf(file, ", \"%s\": %lld", ffi_judge_fault_name((ffi_judge_fault)fault), row->faults[fault]);
      fprintf(file, ", \"worst_gain\": %.6g, \"slowest\": %.6g}",
              isfinite(row->worst_gain) ? row->worst_gain : -1, row->slowest);
      between = ",";
    }
  fprintf(file, "\n]\n");
  return fclose(file) == 0;
}

int ffi_table_is_promised(ff_stepper stepper, ffi_judge_fault fault, int is_strict)
{
  const int is_judged = stepper == FF_STEPPER_EXPO || stepper == FF_STEPPER_IMPLICIT ||
                        stepper == FF_STEPPER_MOREAU || stepper == FF_STEPPER_C2A;
  if (fault == FFI_JUDGE_GAIN)
    return is_judged;
  return fault != FFI_JUDGE_SLOW || (is_judged && is_strict);
}

long long ffi_table_broken(const ffi_table *table, int is_strict)
{
  long long sum = 0;
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper)
    for (int fault = 0; fault < FFI_JUDGE_FAULTS; ++fault)
      if (ffi_table_is_promised((ff_stepper)stepper, (ffi_judge_fault)fault, is_strict))
        sum += table->rows[stepper][0].faults[fault] + table->rows[stepper][1].faults[fault];
  return sum;
}
