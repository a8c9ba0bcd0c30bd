// footfall completion bash|zsh|man: what shells need to complete, and the manual page.
//
// The scripts know nothing themselves: they ask `footfall completion words ...` at every key, which answers by the tables of options (complete.c).
#define _POSIX_C_SOURCE 200809L
#include "cli/help.h"
#include "commands.h"
#include "complete.h"

#include <footfall/version.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Shells -------------------------------------------------------------------------------------------------------

// bash cuts words at '=' and ':', which options and their values contain: they are put together again, and of what is found that part is taken away which
// is before the cut.
static const char bash[] =
    "_footfall() {\n"
    "  local words=() word glued='' cur before line path ending i program=${COMP_WORDS[0]/#\\~/$HOME}\n"
    "  for ((i = 1; i <= COMP_CWORD; ++i)); do\n"
    "    word=${COMP_WORDS[i]}\n"
    "    if [[ $word =~ ^[=:]+$ && ${#words[@]} -gt 0 ]]; then\n"
    "      words[-1]+=$word glued=1\n"
    "    elif [[ $glued ]]; then\n"
    "      words[-1]+=$word glued=''\n"
    "    else\n"
    "      words+=(\"$word\")\n"
    "    fi\n"
    "  done\n"
    "  cur=${COMP_WORDS[COMP_CWORD]}\n"
    "  [[ $glued ]] && cur=''\n"
    "  before=${words[-1]%\"$cur\"}\n"
    "  COMPREPLY=()\n"
    "  while IFS= read -r line; do\n"
    "    case $line in\n"
    "      :folders)\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        while IFS= read -r path; do COMPREPLY+=(\"$path\"); done < <(compgen -d -- \"$cur\") ;;\n"
    "      :files*)\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        while IFS= read -r path; do\n"
    "          if [[ -d ${path/#\\~/$HOME} || $line == :files ]]; then\n"
    "            COMPREPLY+=(\"$path\")\n"
    "          else\n"
    "            for ending in ${line#:files}; do\n"
    "              [[ $path == *\"$ending\" ]] && COMPREPLY+=(\"$path\")\n"
    "            done\n"
    "          fi\n"
    "        done < <(compgen -f -- \"$cur\") ;;\n"
    "      *)\n"
    "        line=${line%%$'\\t'*}\n"
    "        [[ $line == *= ]] && compopt -o nospace 2>/dev/null\n"
    "        COMPREPLY+=(\"${line#\"$before\"}\") ;;\n"
    "    esac\n"
    "  done < <(\"$program\" completion words \"${words[@]}\" 2>/dev/null)\n"
    "}\n"
    "complete -F _footfall footfall\n";

static const char zsh[] =
    "_footfall() {\n"
    "  local line endings program=${words[1]/#\\~/$HOME}\n"
    "  local -a plain begun told past\n"
    "  (( CURRENT > 2 )) && past=(\"${(@Q)words[2,CURRENT-1]}\")\n"
    "  for line in ${(f)\"$($program completion words \"${past[@]}\" \"$PREFIX\" 2>/dev/null)\"}; do\n"
    "    case $line in\n"
    "      (:folders) compset -P '--*='; _files -/ ;;\n"
    "      (:files) compset -P '--*='; _files ;;\n"
    "      (:files*)\n"
    "        endings=${${line#:files }//./}\n"
    "        compset -P '--*='; _files -g \"*.(${endings// /|})(-.)\" ;;\n"
    "      (*$'\\t'*) told+=(\"${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}\") ;;\n"
    "      (*=) begun+=(\"$line\") ;;\n"
    "      (*) plain+=(\"$line\") ;;\n"
    "    esac\n"
    "  done\n"
    "  (( $#told )) && _describe 'footfall' told\n"
    "  (( $#begun )) && compadd -S '' -- $begun\n"
    "  (( $#plain )) && compadd -- $plain\n"
    "  return 0\n"
    "}\n"
    "if [ \"$funcstack[1]\" = _footfall ]; then _footfall \"$@\"; else compdef _footfall footfall; fi\n";

static void print_bash(void)
{
  printf("# footfall %s: completion for bash. Use it with: eval \"$(footfall completion bash)\"\n%s",
         ff_version(), bash);
}

static void print_zsh(void)
{
  printf(
      "#compdef footfall\n# footfall %s: completion for zsh. Use it with: eval \"$(footfall completion zsh)\"\n%s",
      ff_version(), zsh);
}

// ---- Manual page --------------------------------------------------------------------------------------------------

// Text that roff prints as it stands.
static void print_roff(const char *text)
{
  int is_first = 1;
  for (; *text; ++text) {
    if (is_first && (*text == '.' || *text == '\''))
      fputs("\\&", stdout);
    if (*text == '\\')
      fputs("\\e", stdout);
    else if (*text == '-')
      fputs("\\-", stdout);
    else
      putchar(*text);
    is_first = *text == '\n';
  }
}

// What `print` prints, as roff. Without memory for it nothing.
static void print_as_roff(void (*print)(const void *about, FILE *out), const void *about)
{
  char *text = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&text, &size);
  if (!memory)
    return;
  print(about, memory);
  fclose(memory);
  printf(".nf\n");
  print_roff(text);
  printf(".fi\n");
  free(text);
}

static void about_command(const void *command, FILE *out)
{
  ffi_help_command(command, 0, out);
}

static void about_bench(const void *bench, FILE *out)
{
  ffi_help_bench(bench, out);
}

static void about_units(const void *nothing, FILE *out)
{
  (void)nothing;
  ffi_help_units(out);
}

static void about_sim_options(const void *nothing, FILE *out)
{
  (void)nothing;
  ffi_help_sim_options(out);
}

static void about_statuses(const void *nothing, FILE *out)
{
  (void)nothing;
  ffi_help_exit_statuses(out);
}

static void print_man(void)
{
  printf(
      ".TH FOOTFALL 1 \"\" \"Footfall %s\" \"Footfall\"\n.SH NAME\nfootfall \\- simulate articulated robots in stiff frictional contact\n"
      ".SH SYNOPSIS\n.B footfall\n.I COMMAND\n[arguments]\n.SH COMMANDS\n",
      ff_version());
  for (int i = 0; i < ffi_command_count; ++i) {
    printf(".SS %s: ", ffi_commands[i].name);
    print_roff(ffi_commands[i].summary);
    printf("\n");
    print_as_roff(about_command, &ffi_commands[i]);
  }
  printf(".SH BENCHMARKS\n");
  for (int i = 0; i < ffi_bench_count; ++i) {
    printf(".SS %s\n", ffi_benches[i].name);
    print_as_roff(about_bench, &ffi_benches[i]);
  }
  printf(".SH STEPPERS\n");
  print_as_roff(about_sim_options, NULL);
  printf(".SH UNITS\n");
  print_as_roff(about_units, NULL);
  printf(".SH EXIT STATUS\n");
  print_as_roff(about_statuses, NULL);
  printf(
      ".SH ENVIRONMENT\n.TP\n.B FOOTFALL_OUT\nFolder for logs and pages, in place of out; empty: write no log unless asked for.\n"
      ".TP\n.B NO_COLOR\nUse no colours, even on a terminal.\n.TP\n.B ROS_PACKAGE_PATH\nWhere meshes of packages are looked for.\n");
}

// ---- The command --------------------------------------------------------------------------------------------------

int ffi_command_completion(int argc, char **argv)
{
  static void (*const print[])(void) = {print_bash, print_zsh, print_man};
  const char *const names[] = {ffi_words_of_shell(0), ffi_words_of_shell(1), ffi_words_of_shell(2)};
  if (argc > 0 && strcmp(argv[0], "words") == 0) { // the scripts ask
    ffi_complete(argc - 1, argv + 1, stdout);
    return FFI_EXIT_OK;
  }
  if (argc != 1) {
    ffi_complain("'completion' takes one word: bash, zsh or man");
    return FFI_EXIT_USAGE;
  }
  for (int i = 0; i < 3; ++i) {
    if (strcmp(argv[0], names[i]) == 0) {
      print[i]();
      return FFI_EXIT_OK;
    }
  }
  const char *meant = ffi_suggest(argv[0], names, 3);
  if (meant)
    ffi_complain("unknown shell '%s'; did you mean '%s'?", argv[0], meant);
  else
    ffi_complain("unknown shell '%s'; there are bash, zsh and man, the manual page", argv[0]);
  return FFI_EXIT_USAGE;
}
