// footfall COMMAND [ARGUMENTS]: the first argument names the command, the rest belongs to it.
#include "cli/args.h"
#include "cli/json.h"
#include "command.h"
#include "help_command.h"

#include <footfall/version.h>

#include <stdio.h>
#include <string.h>

// --help anywhere prints help, of a benchmark if one is named.
static int run_command(const ffi_command *chosen, int argc, char **argv)
{
  if (!ffi_args_has_help(argc, argv))
    return chosen->run(argc, argv);
  const int is_bench = chosen->run == ffi_bench_command && argc > 0 && argv[0][0] != '-';
  return ffi_help_command_run(1 + is_bench, (char *[]){(char *)chosen->name, is_bench ? argv[0] : NULL});
}

// With --json there is one document on stdout, whatever happens. A command that failed before it wrote one gets its
// error message as a document. In footfall-bench --json takes a file, which is written completely or not at all.
static void print_failure(const ffi_command *chosen, int argc, char **argv, int status)
{
  ffi_json json;
  int count;
  const ffi_option *options = chosen->options ? chosen->options(&count) : NULL;
  for (int i = 0; options && i < count; ++i)
    if (strcmp(options[i].name, "--json") == 0 && options[i].value)
      return;
  if (status == FFI_EXIT_OK || !options || !ffi_args_has(argc, argv, "--json") || ffi_json_is_on_stdout())
    return;
  ffi_json_begin(&json, stdout);
  ffi_json_open(&json, '{', 0);
  ffi_json_put_text(&json, "error", ffi_error_message_last());
  ffi_json_put_integer(&json, "status", status);
  ffi_json_close(&json, '}');
  ffi_json_end(&json);
}

int main(int argc, char **argv)
{
  ffi_program_begin();
  if (argc < 2) {
    ffi_help_command_print_overview(stderr);
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
      return ffi_help_command_unknown(word);
    status = run_command(chosen, argc - 2, argv + 2);
    print_failure(chosen, argc - 2, argv + 2, status);
  }
  return ffi_program_end(status);
}
