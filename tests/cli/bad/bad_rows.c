// bad_rows.c: makes the scratch folder, runs the rows and compares exit status, message and files.
#define _GNU_SOURCE
#include "cli/bad/bad_rows.h"
#include "cli/run_command.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/capability.h>
#include <sys/prctl.h>
#endif

#include <cmocka.h>

// ---- Files ----------------------------------------------------------------------------------------------------------

static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1";
static const char rubbish[] = "\x93\x01\0\xff\xfe garbage \x7f\x80\0\n\0<robot>\xc3";
static const char typed_urdf[] =
    "<robot name='r'>\n<link name='a'><inertial>\n<mass value='heavy'/><inertia ixx='1' iyy='1' izz='1'/>"
    "</inertial></link></robot>\n";
static const char mesh_urdf[] =
    "<robot name='lost'>\n<link name='trunk'>\n<inertial><mass value='1'/><inertia ixx='1' iyy='1' "
    "izz='1'/></inertial>\n"
    "<collision><geometry><mesh filename='nowhere.stl'/></geometry></collision></link></robot>\n";
static const char mesh_xml[] =
    "<mujoco><asset><mesh name='m' file='nowhere.stl'/></asset>\n<worldbody><body name='b'><freejoint/>"
    "<inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>\n";

static void write_text(const char *name, const char *text)
{
  ffi_write_file(name, text, (int)strlen(text));
}

static void write_files(void)
{
  static const char *const endings[] = {"yaml", "urdf", "xml", "h5"};
  static const char *const outputs[] = {"h5",   "csv",  "mcap", "html", "svg",
                                        "json", "yaml", "urdf", "xml",  "txt"};
  char name[64];
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i) {
    snprintf(name, sizeof name, "empty.%s", endings[i]);
    write_text(name, "");
    snprintf(name, sizeof name, "rubbish.%s", endings[i]);
    ffi_write_file(name, rubbish, sizeof rubbish - 1);
    snprintf(name, sizeof name, "picture.%s", endings[i]);
    ffi_write_file(name, png, sizeof png - 1);
  }
  for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; ++i) {
    snprintf(name, sizeof name, "keep.%s", outputs[i]);
    write_text(name, "kept\n");
  }
  write_text("typed.urdf", typed_urdf);
  write_text("typed.yaml", "model: ball.urdf\ndt: fast\n");
  write_text("unit.yaml", "model: ball.urdf\n\ndt: 2kg\n");
  write_text("lost.yaml", "model: none.urdf\n");
  write_text("mesh.urdf", mesh_urdf);
  write_text("mesh.xml", mesh_xml);
  write_text("ball.yaml", "model: ball.urdf\nduration: 10ms\n");
  write_text("mesh.yaml", "model: mesh.urdf\nduration: 10ms\n");
  write_text("robot.yaml", mesh_urdf);
  write_text("scene.urdf", "model: ball.urdf\n");
  write_text("file", "kept\n");
}

static const char *path_of(const char *name)
{
  static char path[512];
  snprintf(path, sizeof path, "%s/%s", ffi_scratch_folder(), name);
  return path;
}

// What a shell is asked to do must succeed.
static void shell(const char *line)
{
  if (system(line) != 0)
    fail_msg("%s", line);
}

int ffi_bad_files(void **state)
{
  (void)state;
  setenv("T", ffi_scratch_folder(), 1);
  setenv("M", FFI_TEST_SOURCE_DIR "/models", 1);
  setenv("S", FFI_TEST_SOURCE_DIR "/scenes", 1);
  setenv("F", ffi_command_path(), 1);
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  write_files();
  shell("cp \"$M/ball.urdf\" \"$T\" && mkdir \"$T/folder\" \"$T/folder.h5\" \"$T/folder.yaml\" \"$T/closed\" "
        "&& chmod 555 \"$T/closed\"");
  shell("\"$F\" run \"$T/ball.urdf\" --duration 20ms --quiet --out \"$T/log.h5\"");
  shell(
      "cp \"$T/log.h5\" \"$T/log.yaml\"; cp \"$T/log.h5\" \"$T/log.urdf\"; head -c 3000 \"$T/log.h5\" >\"$T/cut.h5\"");
  shell("cp \"$T/log.h5\" \"$T/torn.h5\"; printf rubbishrubbish | dd of=\"$T/torn.h5\" bs=1 seek=600 "
        "conv=notrunc 2>/dev/null");
  shell("for e in yaml urdf h5; do cp \"$T/ball.urdf\" \"$T/secret.$e\"; chmod 000 \"$T/secret.$e\"; done");
  return 0;
}

int ffi_bad_clean_up(void **state)
{
  shell("chmod 755 \"$T/closed\"; rm -r \"$T/folder\" \"$T/folder.h5\" \"$T/folder.yaml\" \"$T/closed\"");
  return ffi_tear_down(state);
}

int ffi_bad_obey_modes(void)
{
  if (geteuid() != 0)
    return 1;
#ifdef __linux__
  return prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) == 0 &&
         prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH, 0, 0, 0) == 0 &&
         prctl(PR_CAPBSET_DROP, CAP_NET_BIND_SERVICE, 0, 0, 0) == 0;
#else
  return 0;
#endif
}

// ---- Nothing lost, nothing left -------------------------------------------------------------------------------------

// FNV-1a of names and contents, in any order.
static uint64_t fingerprint(void)
{
  uint64_t sum = 0;
  DIR *folder = opendir(ffi_scratch_folder());
  assert_non_null(folder);
  for (struct dirent *entry; (entry = readdir(folder));) {
    uint64_t hash = 0xcbf29ce484222325u;
    if (strcmp(entry->d_name, "stderr") == 0)
      continue;
    for (const char *c = entry->d_name; *c; ++c)
      hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    FILE *file = fopen(path_of(entry->d_name), "rb");
    for (int byte; file && (byte = getc(file)) != EOF;)
      hash = (hash ^ (uint64_t)byte) * 0x100000001b3u;
    if (file)
      fclose(file);
    sum += hash;
  }
  closedir(folder);
  return sum;
}

// ---- Rows -----------------------------------------------------------------------------------------------------------

// Prints what is wrong with a row, so that one run shows all of them. Returns 0.
static int wrong(const ffi_bad_row *row, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int wrong(const ffi_bad_row *row, const char *format, ...)
{
  char text[2048];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  print_error("%s: footfall %s %s: %s\n", row->kind, row->command, row->arguments, text);
  return 0;
}

static int has_words(const ffi_bad_row *row, const char *said)
{
  char words[512];
  snprintf(words, sizeof words, "%s", row->words);
  for (char *rest = NULL, *word = strtok_r(words, "|", &rest); word; word = strtok_r(NULL, "|", &rest))
    if (!strstr(said, word))
      return wrong(row, "'%s' is not in: %s", word, said);
  return 1;
}

// One line that starts as all do; the overview of no command at all is longer.
static int has_line(const ffi_bad_row *row, const ffi_output *output)
{
  const char *end = strchr(output->err, '\n');
  if (!row->may_write && *output->out)
    return wrong(row, "printed %s", output->out);
  if (row->status == 0 || !*row->command)
    return 1;
  if (strncmp(output->err, "footfall: ", 10) != 0 || !end || end[1])
    return wrong(row, "not one line of ours: %s", output->err);
  return 1;
}

static int is_right(const ffi_bad_row *row, const ffi_output *output)
{
  if (strstr(output->err, "built without its viewer"))
    return 1;
  if (output->status != row->status)
    return wrong(row, "exit status %d, not %d: %s", output->status, row->status, output->err);
  return has_line(row, output) &&
         has_words(row, row->status == 0 && *output->out ? output->out : output->err);
}

static int check_row(const ffi_bad_row *row)
{
  char prefix[256];
  const uint64_t before = fingerprint();
  const char *said = row->prefix ? row->prefix : "";
  const int is_inner = strncmp(said, "env ", 4) == 0; // a PATH of which timeout knows nothing
  snprintf(prefix, sizeof prefix, "%s timeout 100 %s", is_inner ? "" : said, is_inner ? said : "");
  ffi_output output = ffi_run(prefix, "%s %s", row->command, row->arguments);
  if (strstr(prefix, "2>&1")) { // what it said came out of the pipe
    char *piped = output.out;
    output.out = output.err;
    output.err = piped;
  }
  const int is_good = is_right(row, &output);
  ffi_output_free(&output);
  if (!row->may_write && fingerprint() != before)
    return wrong(row, "a file was changed, lost or left");
  return is_good;
}

void ffi_bad_check(const ffi_bad_row *rows, size_t count)
{
  int bad = 0;
  for (size_t i = 0; i < count; ++i)
    bad += !check_row(&rows[i]);
  assert_int_equal(bad, 0);
}

// ---- Every subcommand -----------------------------------------------------------------------------------------------

static int has_row(const ffi_bad_row *rows, size_t count, const char *kind, const char *command)
{
  for (size_t i = 0; i < count; ++i)
    if (strcmp(rows[i].kind, kind) == 0 && strcmp(rows[i].command, command) == 0)
      return 1;
  return 0;
}

static int is_exempt(const ffi_bad_exemption *list, size_t count, const char *kind, const char *command)
{
  char word[1100];
  snprintf(word, sizeof word, ",%s,", *command ? command : "(none)");
  for (size_t i = 0; i < count; ++i)
    if (strcmp(list[i].kind, kind) == 0 && strstr(list[i].commands, word))
      return 1;
  return 0;
}

// The overview has a line for each, "  name   what it does"; and three ways of calling that differ much. At most 31 and
// an empty one.
static int list_commands(char names[32][32])
{
  int count = 0;
  ffi_output output = ffi_run("", "help");
  for (const char *line = output.out; line && *line;
       line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
    if (strncmp(line, "  ", 2) == 0 && line[2] >= 'a' && line[2] <= 'z' && count < 28)
      snprintf(names[count++], 32, "%.*s", (int)strcspn(line + 2, " \n"), line + 2);
  ffi_output_free(&output);
  assert_true(count >= 10);
  strcpy(names[count++], "view --live");
  strcpy(names[count++], "bench all");
  names[count++][0] = '\0';
  return count;
}

void ffi_bad_cover(const ffi_bad_row *rows, size_t count, const ffi_bad_exemption *exemptions,
                   size_t exemption_count)
{
  char names[32][32];
  const int commands = list_commands(names);
  for (size_t i = 0; i < count; ++i)
    for (int c = 0; c < commands; ++c) {
      const int has = has_row(rows, count, rows[i].kind, names[c]);
      const int is_spared = is_exempt(exemptions, exemption_count, rows[i].kind, names[c]);
      if (has == is_spared)
        fail_msg("'footfall %s' has %s row for '%s'", names[c], has ? "no need to be exempt, but a" : "no",
                 rows[i].kind);
    }
}
