// Prints help texts.
#include "cli/options/help.h"

#include "cli/options/benchmark.h"
#include "cli/options/compare_options.h"
#include "cli/text/text.h"

#include <footfall/option.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { NAME_WIDTH = 21 }; // columns of an option and its value

static const char *const exit_statuses[] = {
    "0    done",
    "1    failed: a missing or malformed file, a full disk",
    "2    wrong usage: an unknown command or option, a malformed value",
    "3    the simulation diverged",
    "4    the scene ran to its end, but missed its task",
    "130  interrupted by Ctrl-C; results up to then are kept (128 + n: signal n)",
};

void ffi_help_usage(const char *usage, FILE *out)
{
  fputs(usage, out);
}

// A wrapped paragraph; an empty line before it.
static void paragraph(const char *text, FILE *out)
{
  fputc('\n', out);
  ffi_text_wrap_at(text, 0, 0, FFI_HELP_WIDTH, out);
}

static void print_option(const ffi_option *o, FILE *out)
{
  char text[FFI_OPTION_HELP_SIZE];
  const int width = fprintf(out, "  %s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
  if (width + 1 > NAME_WIDTH)
    fprintf(out, "\n%*s", NAME_WIDTH, "");
  else
    fprintf(out, "%*s", NAME_WIDTH - width, "");
  ffi_text_wrap_at(ffi_option_help(o, text), NAME_WIDTH, NAME_WIDTH, FFI_HELP_WIDTH, out);
}

void ffi_help_options(const ffi_option *options, int count, FILE *out)
{
  if (count > 0)
    fputc('\n', out);
  for (int i = 0; i < count; ++i)
    if (options[i].help || options[i].key)
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

void ffi_help_bench(const ffi_benchmark *bench, FILE *out)
{
  ffi_option options[FFI_BENCHMARK_OPTIONS];
  int which[FFI_BENCHMARK_OPTIONS];
  fprintf(out, "footfall bench %s [options]\n", bench->name);
  paragraph(bench->about, out);
  ffi_help_options(options, ffi_benchmark_options(bench, options, which), out);
}

void ffi_help_compare(FILE *out)
{
  int count;
  const ffi_option *options = ffi_compare_options(&count);
  ffi_help_usage(ffi_compare_options_usage, out);
  paragraph(ffi_compare_options_about, out);
  ffi_help_options(options, count, out);
  ffi_help_examples(ffi_compare_options_examples, out);
}

void ffi_help_units(FILE *out)
{
  fputs("Numbers with units\n", out);
  paragraph(
      "Numbers on the command line and in scenes may have a unit, with or without a space before it. "
      "Numbers without a unit are in SI units; angles on the command line need a unit. Products are written "
      "Ns/m, N s/m or N*s/m.",
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

// ---- Options of the sim -------------------------------------------------------------------------------------------

// The range of a number: "above 0, at most 1000 s".
static void describe_range(const ff_option *o, char *text, size_t size)
{
  const ff_value_rule *r = &o->value;
  char least[32], most[32];
  snprintf(least, sizeof least, r->is_open ? "above %g" : "%g", r->least);
  snprintf(most, sizeof most, "%g", r->most);
  if (r->type == FF_VALUE_FLAG)
    snprintf(text, size, "true or false");
  else if (r->most >= DBL_MAX)
    snprintf(text, size, "%s%s%s%s", least, r->is_open ? "" : " or more", *o->unit ? " " : "", o->unit);
  else
    snprintf(text, size, "%s%s%s%s%s%s", r->or_zero ? "0, or " : "", least,
             r->is_open ? ", at most " : " to ", most, *o->unit ? " " : "", o->unit);
}

static void describe_words(const ff_option *o, char *text, size_t size)
{
  const char *word;
  size_t used = 0;
  for (int i = 0; (word = o->value.word(i)) != NULL && used < size; ++i)
    used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", word);
}

// Name, range, default and steppers of an option; then what it does.
static void print_sim_option(const ff_option *o, const ff_sim_def *def, FILE *out)
{
  enum { WIDTH = 29 };
  char range[256], standard[64], text[1000], owners[FF_OPTION_TEXT];
  if (o->value.type == FF_VALUE_WORD)
    describe_words(o, range, sizeof range);
  else
    describe_range(o, range, sizeof range);
  ff_sim_def_get(def, o->key, standard, sizeof standard, NULL);
  ff_option_owners(o, owners);
  snprintf(text, sizeof text, "%s; default %s; %s", range, standard, owners);
  fprintf(out, "  %-*s", WIDTH - 2, o->key);
  ffi_text_wrap_at(text, WIDTH, WIDTH, FFI_HELP_WIDTH, out);
  fprintf(out, "%*s", WIDTH, "");
  ffi_text_wrap_at(o->about, WIDTH, WIDTH, FFI_HELP_WIDTH, out);
}

void ffi_help_sim_options(FILE *out)
{
  const ff_sim_def def = ff_sim_def_default();
  const ff_option *option;
  fputs("Options of steppers\n", out);
  paragraph(
      "In C: ff_sim_def_set(&def, \"expo.order\", \"1\", &error). In scenes: under 'stepper', as "
      "stepper.expo.order; only the keys 'stepper' and 'dt' differ: they are stepper.type and dt. With 'footfall "
      "run': --set stepper.expo.order=1. An option that the chosen stepper does not have is an error. Scenes do "
      "not have timing, watch_passing and isa.",
      out);
  fputc('\n', out);
  for (int i = 0; (option = ff_option_at(i)) != NULL; ++i)
    print_sim_option(option, &def, out);
}
