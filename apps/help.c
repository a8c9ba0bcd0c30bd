#include "help.h"

#include "terminal.h"

#include <footfall/quantity.h>

#include <string.h>

enum { NAME_WIDTH = 21 }; // columns of an option and its value

static const char *const exit_statuses[] = {
    "0    done",
    "1    it failed: a file that is not there or describes no robot, a full disk",
    "2    wrong usage: an unknown command or option, a value that is none",
    "3    a simulation ran away",
    "4    a scene ran to its end, but its task was not met",
    "130  ended by Ctrl-C, in order: what was done until then is kept (128 + n: signal n)",
};

void ffi_help_usage(const char *usage, FILE *out)
{
  fputs(usage, out);
}

void ffi_help_text(const char *text, FILE *out)
{
  fputc('\n', out);
  ffi_text_wrap_at(text, 0, 0, FFI_HELP_WIDTH, out);
}

static void print_option(const ffi_option *o, FILE *out)
{
  const int width = fprintf(out, "  %s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
  if (width + 1 > NAME_WIDTH)
    fprintf(out, "\n%*s", NAME_WIDTH, "");
  else
    fprintf(out, "%*s", NAME_WIDTH - width, "");
  ffi_text_wrap_at(o->help, NAME_WIDTH, NAME_WIDTH, FFI_HELP_WIDTH, out);
}

void ffi_help_options(const ffi_option *options, int count, FILE *out)
{
  if (count > 0)
    fputc('\n', out);
  for (int i = 0; i < count; ++i)
    if (options[i].help)
      print_option(&options[i], out);
}

void ffi_help_examples(const char *lines, FILE *out)
{
  fputs("\nExamples:\n", out);
  fputs(lines, out);
}

void ffi_help_exit_statuses(FILE *out)
{
  fputs("\nExit status:\n", out);
  for (size_t i = 0; i < sizeof exit_statuses / sizeof exit_statuses[0]; ++i) {
    fputs("  ", out);
    fwrite(exit_statuses[i], 1, 5, out);
    ffi_text_wrap_at(exit_statuses[i] + 5, 7, 7, FFI_HELP_WIDTH, out);
  }
}

void ffi_help_bench(const ffi_bench *bench, FILE *out)
{
  ffi_option options[FFI_BENCH_OPTIONS];
  int which[FFI_BENCH_OPTIONS];
  fprintf(out, "footfall bench %s [options]\n", bench->name);
  ffi_help_text(bench->about, out);
  ffi_help_options(options, ffi_bench_options(bench, options, which), out);
}

void ffi_help_compare(FILE *out)
{
  int count;
  const ffi_option *options = ffi_options_of_compare(&count);
  ffi_help_usage(ffi_compare_usage, out);
  ffi_help_text(ffi_compare_about, out);
  ffi_help_options(options, count, out);
  ffi_help_examples(ffi_compare_examples, out);
}

void ffi_help_units(FILE *out)
{
  fputs("Numbers with units\n", out);
  ffi_help_text(
      "Numbers on the command line and in scenes may have a unit, with or without a space before it; "
      "without one they are SI. Angles of options need one. Products may be written Ns/m, N s/m or "
      "N*s/m.",
      out);
  fputc('\n', out);
  for (int q = 0; q < FF_QUANTITY_COUNT; ++q) {
    char units[256] = "";
    size_t used = 0;
    const char *name = ff_quantity_name((ff_quantity)q);
    for (int i = 0; ff_quantity_unit((ff_quantity)q, i) && used < sizeof units; ++i)
      used += (size_t)snprintf(units + used, sizeof units - used, "%s%s", i > 0 ? ", " : "",
                               ff_quantity_unit((ff_quantity)q, i));
    fprintf(out, "  %s%*s", name, NAME_WIDTH - 2 - (int)strlen(name), "");
    ffi_text_wrap_at(units[0] ? units : "none", NAME_WIDTH, NAME_WIDTH, FFI_HELP_WIDTH, out);
  }
}
