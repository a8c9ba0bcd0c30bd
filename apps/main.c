// footfall COMMAND [ARGUMENTS]: the first argument says what to do, the rest belongs to it.
#include "cli/help.h"
#include "cli/json.h"
#include "command.h"
#include "commands.h"

#include <footfall/version.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_COMMANDS = 32 };

static int unknown_command(const char *name)
{
  const char *names[MOST_COMMANDS] = {"--help", "--version"};
  int count = 2;
  for (int i = 0; ffi_words_of_help(i); ++i)
    names[count++] = ffi_words_of_help(i);
  const char *meant = ffi_suggest(name, names, count);
  const char *what = name[0] == '-' ? "option" : "command";
  if (!meant && access(name, F_OK) == 0) // a file, and what to do with it was left out
    ffi_complain("unknown command '%s'; if the file is meant: 'footfall run %s' or 'footfall view %s'", name,
                 name, name);
  else if (meant && (strcmp(meant, "units") == 0 || strcmp(meant, "options") == 0))
    ffi_complain("unknown %s '%s'; did you mean 'footfall help %s'?", what, name, meant);
  else if (meant)
    ffi_complain("unknown %s '%s'; did you mean 'footfall %s'?", what, name, meant);
  else
    ffi_complain("unknown %s '%s'; 'footfall help' lists what there is", what, name);
  return FFI_EXIT_USAGE;
}

static void print_overview(FILE *out)
{
  fprintf(out, "Footfall %s simulates articulated robots in stiff frictional contact.\n\n", ff_version());
  fprintf(out, "footfall COMMAND [arguments]\n\n");
  for (int i = 0; i < ffi_command_count; ++i)
    fprintf(out, "  %-10s %s\n", ffi_commands[i].name, ffi_commands[i].summary);
  fprintf(out, "\n'footfall help COMMAND' says more, 'footfall help units' which units numbers\n"
               "may have, 'footfall help options' which options steppers have, 'footfall\n"
               "--version' which version this is.\n");
  ffi_help_exit_statuses(out);
}

static int help_bench(const char *name)
{
  int index;
  const ffi_bench *bench = ffi_bench_find(name);
  if (strcmp(name, "compare") == 0) // it is of the same program
    return ffi_command_help(1, (char *[]){(char *)name});
  if (!bench) {
    ffi_words_read("bench", name, ffi_words_of_bench, &index); // complains
    return FFI_EXIT_USAGE;
  }
  ffi_help_bench(bench, stdout);
  return FFI_EXIT_OK;
}

int ffi_command_help(int argc, char **argv)
{
  const ffi_command *about = argc > 0 ? ffi_command_find(argv[0]) : NULL;
  const int is_bench = about && about->run == ffi_command_bench;
  if (argc > 1 + is_bench) {
    ffi_complain("'help' takes one command, '%s' is too much", argv[1 + is_bench]);
    return FFI_EXIT_USAGE;
  }
  if (argc == 0)
    print_overview(stdout);
  else if (strcmp(argv[0], "units") == 0)
    ffi_help_units(stdout);
  else if (strcmp(argv[0], "options") == 0)
    ffi_help_sim_options(stdout);
  else if (argc == 2)
    return help_bench(argv[1]);
  else if (about)
    ffi_help_command(about, 1, stdout);
  else
    return unknown_command(argv[0]);
  return FFI_EXIT_OK;
}

// --help anywhere is help, of a benchmark if one is named.
static int run_command(const ffi_command *chosen, int argc, char **argv)
{
  if (!ffi_args_ask_help(argc, argv))
    return chosen->run(argc, argv);
  const int is_bench = chosen->run == ffi_command_bench && argc > 0 && argv[0][0] != '-';
  return ffi_command_help(1 + is_bench, (char *[]){(char *)chosen->name, is_bench ? argv[0] : NULL});
}

// With --json there is one document on stdout, whatever happens: where a command has none to write, what it complained about. Those of footfall-bench take
// a file for it, which is written whole or not at all.
static void tell_failure(const ffi_command *chosen, int argc, char **argv, int status)
{
  ffi_json json;
  int count;
  const ffi_option *options = chosen->options ? chosen->options(&count) : NULL;
  for (int i = 0; options && i < count; ++i)
    if (strcmp(options[i].name, "--json") == 0 && options[i].value)
      return;
  if (status == FFI_EXIT_OK || !options || !ffi_args_ask(argc, argv, "--json") || ffi_json_is_on_stdout())
    return;
  ffi_json_begin(&json, stdout);
  ffi_json_open(&json, '{', 0);
  ffi_json_put_text(&json, "error", ffi_complained());
  ffi_json_put_integer(&json, "status", status);
  ffi_json_close(&json, '}');
  ffi_json_end(&json);
}

int main(int argc, char **argv)
{
  ffi_begin();
  if (argc < 2) {
    print_overview(stderr);
    return FFI_EXIT_USAGE;
  }
  const char *word = argv[1];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
    word = "help";
  int status = FFI_EXIT_OK;
  if (strcmp(word, "--version") == 0) {
    printf("footfall %s\n", ff_version());
  } else {
    const ffi_command *chosen = ffi_command_find(word);
    if (!chosen)
      return unknown_command(word);
    status = run_command(chosen, argc - 2, argv + 2);
    tell_failure(chosen, argc - 2, argv + 2, status);
  }
  return ffi_finish(status);
}
