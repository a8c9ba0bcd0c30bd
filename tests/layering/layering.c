// The allow-list of includes, and the check of every #include line against it.
#include "layering.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The rooms, lowest first, and the folders whose headers each may include; its own is always among them. A word
// stands for a folder and all within it ("contact"), or with "/." for the files of the folder itself ("step/.").
#define UP_TO_MODEL "base math model"
#define UP_TO_GEOMETRY UP_TO_MODEL " dynamics geometry"
#define UP_TO_CONTACT UP_TO_GEOMETRY " contact ode"
static const struct {
  const char *room;
  const char *sees;
} rooms[] = {
    {"base", ""},
    {"math", "base"},
    {"model", "base math"},
    {"dynamics", UP_TO_MODEL},
    {"geometry", UP_TO_MODEL " dynamics"},
    {"contact", UP_TO_GEOMETRY},
    {"ode", "base math"}, // knows nothing of robots
    {"step", UP_TO_CONTACT},
    {"sim", UP_TO_CONTACT " step"},
    {"batch", UP_TO_CONTACT " step sim"},
    {"control", UP_TO_CONTACT " step sim"},
    {"scene", "base model/shape"}, // sims, batches and controllers through the public headers, as users do
    {"study", "base model/shape"}, // the same
    {"io",
     "base math model/shape scene"}, // makes scenes; builds models through the public headers, as users do
    {"propose", "base"},             // reads models and runs scenes through the public headers, as users do
    {"cli", ""},                     // what the command and the benchmarks share
    {"apps", "cli"},
    {"bench", "cli"},
};

// Rooms within rooms, and what else of their room each may include. A folder that is missing here is a violation.
static const struct {
  const char *folder;
  const char *sees;
} inside[] = {
    {"model/shape", "model/."}, // functions of a shape alone, which io and study may call
    {"dynamics/kernels", "dynamics/."},
    {"geometry", "geometry/ellipsoid geometry/plane"}, // support points, for the searches; patches of hulls
    {"geometry/ellipsoid", "geometry/."},
    {"geometry/plane", "geometry/."},
    {"contact/detect", ""},
    {"contact/law", "contact/detect"},
    {"contact/element", ""},
    {"contact/hard", "contact/law"},
    {"contact/impact", "contact/hard contact/law"},
    {"contact/advance", "contact/detect"},
    {"step/kernels", "step/."},
    {"step/system", "step/. step/eval"},
    {"step/eval", "step/. step/system"},
    {"step/frozen", "step/. step/system step/eval"},
    {"step/expo", "step/. step/system step/eval step/frozen"},
    {"step/explicit", "step/. step/system step/eval"},
    {"step/lanes", "step/. step/system step/eval step/frozen step/expo"},
    {"step/lanes/kernels", "step/. step/system step/eval step/frozen step/lanes"},
    {"step/implicit", "step/. step/system step/eval"},
    {"step/ess", "step/. step/system step/eval step/explicit"},
    {"step/hard", "step/. step/system step/eval"},
    {"io", "io"}, // load.c calls the readers
    {"io/file", ""},
    {"io/points", ""},
    {"io/xml", "io/file"},
    {"io/yaml", ""},
    {"io/mesh", "io/file io/xml"},
    {"io/urdf", "io/file io/points io/xml io/mesh"},
    {"io/mjcf", "io/file io/points io/xml io/mesh"},
    {"io/save", ""},
    {"io/trajectory", "io/file"},
    {"io/scene", "io/file io/yaml io/trajectory"},
    {"io/log", "io/."},            // load.h: how a model is read again
    {"cli", "cli/text cli/files"}, // messages are sanitized, and name files
    {"cli/text", "cli/."},
    {"cli/files", "cli/."},
    {"cli/options", "cli/. cli/text cli/files"},
    {"apps", "apps"}, // main.c knows the commands
    {"apps/svg", "apps/."},
    {"apps/run", "apps/. apps/view"},
    {"apps/view", "apps/. apps/run apps/live"},
    {"apps/live", "apps/. apps/run apps/view"},
    {"apps/info", "apps/. apps/run apps/svg apps/view"},
    {"bench", "bench"}, // main.c knows the benchmarks
    {"bench/common", "bench/."},
    {"bench/motion", "bench/. bench/common"},
    {"bench/peers", "bench/. bench/common"},
    {"bench/peers/mujoco_module", "bench/peers"}, // compiled for each release of MuJoCo, with nothing of ours
    {"bench/micro", "bench/. bench/common bench/motion bench/peers"},
    {"bench/batch", "bench/. bench/common bench/motion bench/peers bench/micro"},
    {"bench/robots", "bench/. bench/common bench/motion bench/peers"},
    {"bench/compare", "bench/. bench/common"},
    {"bench/papers", "bench/. bench/common bench/peers"},
    {"bench/papers/expo", "bench/. bench/common bench/peers bench/papers/. bench/compare"},
    {"bench/papers/moreau", "bench/. bench/common bench/peers bench/papers/."},
    {"bench/papers/ess", "bench/. bench/common bench/peers bench/papers/."},
    {"bench/papers/c2a", "bench/. bench/common bench/peers bench/papers/."},
};

// Single files that may do what their place may not, and why.
static const struct {
  const char *path, *header, *why;
} exceptions[] = {
    {"bench/micro/flops.cpp", "dynamics/", "runs the kernels over a number that counts its operations"},
    {"src/dynamics/lanes.h", "micro/counted.h", "that number, seen from the kernels; bench compiles them so"},
    {"bench/papers/c2a/passive_walker.c", "math/",
     "equations of motion that a test shares, in small matrices"},
};

// The public headers and the room that implements each: a room may include it if it sees that room; io, apps and
// bench, which are users, may include all. `also`: lower rooms that may include it for its types.
static const struct {
  const char *header;
  const char *room;
  const char *also;
} publics[] = {
    {"status.h", "base", ""},
    {"version.h", "base", ""},
    {"quantity.h", "base", ""},
    {"value.h", "base", ""},
    {"pose.h", "math", ""},
    {"contact.h", "model", ""},
    {"shape.h", "model", ""},
    {"model.h", "model", ""},
    {"builder.h", "model", ""},
    {"cut.h", "model", ""},
    {"collision.h", "contact", "model"}, // the rules: said once, and decided in model/collision.c
    {"dynamics.h", "dynamics", ""},
    {"element.h", "model", ""},
    {"hard.h", "contact", "sim"},
    {"c2a.h", "sim", "step"},
    {"impact.h", "contact", "sim"},
    {"sim.h", "sim",
     "contact step"},           // options, modes and step info: said once, and what these rooms work with
    {"world.h", "sim", "step"}, // ff_world: steppers read one
    {"parameters.h", "sim", "step"}, // ff_parameters: and what a robot has of its own
    {"controls.h", "sim", "step"},
    {"option.h", "sim", ""},
    {"batch.h", "batch", ""},
    {"ode.h", "ode", ""},
    {"ess.h", "ode", ""},
    {"control.h", "control", ""},
    {"control/whole_body.h", "control", ""},
    {"control/feedback.h", "control", ""},
    {"control/gait.h", "control", ""},
    {"control/reference.h", "control", ""},
    {"control/controller.h", "control", ""},
    {"files.h", "io", ""},
    {"load.h", "io", ""},
    {"mesh.h", "io", ""},
    {"log.h", "io", ""},
    {"save.h", "io", ""},
    {"scene.h", "scene", ""},
    {"scene/scene_batch.h", "scene", ""},
    {"scene_def.h", "scene", ""},
    {"scene_load.h", "io", "scene"}, // scene.h includes it
    {"scene_trial.h", "scene", ""},
    {"trajectory.h", "io", ""},
    {"control/plan.h", "control", ""},
    {"compare.h", "study", ""},
    {"place.h", "study", ""},
    {"record.h", "study", ""},
    {"propose.h", "propose", ""},
};

// Headers of C17, for everybody.
static const char standard[] =
    " assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h limits.h locale.h math.h "
    "setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h "
    "stdlib.h stdnoreturn.h string.h tgmath.h time.h wchar.h ";

// Other headers, by the place that may use them; a name that ends in / allows the folder.
static const struct {
  const char *place;
  const char *header;
} outside[] = {
    {"io", "yaml.h"},         {"io", "libxml/"},
    {"io", "pthread.h"},      {"io", "sys/stat.h"},
    {"io", "unistd.h"},       {"io", "sys/file.h"},
    {"io", "fcntl.h"},        {"io", "hdf5.h"},
    {"io", "zlib.h"},         {"apps", "fcntl.h"},
    {"apps", "unistd.h"},     {"apps", "arpa/inet.h"},
    {"apps", "netinet/in.h"}, {"apps", "poll.h"},
    {"apps", "sys/socket.h"}, {"apps", "strings.h"},
    {"apps", "sys/wait.h"},   {"apps", "dirent.h"},
    {"apps", "sys/ioctl.h"},  {"apps", "sys/stat.h"},
    {"apps", "zlib.h"},       {"cli", "dirent.h"},
    {"cli", "fcntl.h"},       {"cli", "sys/ioctl.h"},
    {"cli", "sys/stat.h"},    {"cli", "sys/wait.h"},
    {"cli", "strings.h"},     {"cli", "unistd.h"},
    {"bench", "mujoco/"},     {"bench", "unistd.h"},
    {"bench", "sched.h"},     {"bench", "linux/perf_event.h"},
    {"bench", "sys/ioctl.h"}, {"bench", "sys/syscall.h"},
    {"bench", "dirent.h"},    {"bench", "fcntl.h"},
    {"bench", "sys/wait.h"},  {"bench", "sys/stat.h"},
    {"bench", "dlfcn.h"},     {"bench", "pthread.h"},
    {"batch", "pthread.h"},   {"batch", "sched.h"},
    {"batch", "unistd.h"},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// Is `word` one of the words in `list`, which are separated by spaces?
static int has_word(const char *list, const char *word)
{
  const size_t length = strlen(word);
  for (const char *at = list; length > 0 && (at = strstr(at, word)) != NULL; at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
      return 1;
  return 0;
}

static const char *rooms_seen_by(const char *room)
{
  for (size_t i = 0; i < COUNT(rooms); ++i)
    if (strcmp(rooms[i].room, room) == 0)
      return rooms[i].sees;
  return NULL;
}

static const char *folders_seen_by(const char *folder)
{
  for (size_t i = 0; i < COUNT(inside); ++i)
    if (strcmp(inside[i].folder, folder) == 0)
      return inside[i].sees;
  return NULL;
}

// Does one of the words of `list` stand for `folder`? "contact" stands for contact/hard too, "step/." for step alone.
static int stands_for(const char *list, const char *folder)
{
  for (const char *at = list; *at; at += strspn(at, " ")) {
    const size_t length = strcspn(at, " ");
    const int is_alone = length > 2 && strncmp(at + length - 2, "/.", 2) == 0;
    const size_t name = is_alone ? length - 2 : length;
    if (strncmp(at, folder, name) == 0 && (folder[name] == '\0' || (folder[name] == '/' && !is_alone)))
      return 1;
    at += length;
  }
  return 0;
}

static int is_for_types(const char *header, const char *room)
{
  for (size_t i = 0; i < COUNT(publics); ++i)
    if (strcmp(publics[i].header, header) == 0)
      return has_word(publics[i].also, room);
  return 0;
}

static const char *room_of_public(const char *header)
{
  for (size_t i = 0; i < COUNT(publics); ++i)
    if (strcmp(publics[i].header, header) == 0)
      return publics[i].room;
  return NULL;
}

// Is `header` the one allowed, or inside the folder allowed?
static int is_match(const char *allowed, const char *header)
{
  const size_t length = strlen(allowed);
  return allowed[length - 1] == '/' ? strncmp(allowed, header, length) == 0 : strcmp(allowed, header) == 0;
}

static int is_outside_allowed(const char *place, const char *header)
{
  for (size_t i = 0; i < COUNT(outside); ++i)
    if (strcmp(outside[i].place, place) == 0 && is_match(outside[i].header, header))
      return 1;
  return 0;
}

static int is_exception(const char *path, const char *header)
{
  for (size_t i = 0; i < COUNT(exceptions); ++i)
    if (strcmp(exceptions[i].path, path) == 0 && is_match(exceptions[i].header, header))
      return 1;
  return 0;
}

// Copy the path's component number `index` (0 is the first); "" if there is none.
static void component(const char *path, int index, char *out, size_t size)
{
  for (; index > 0 && path; --index) {
    path = strchr(path, '/');
    path = path ? path + 1 : NULL;
  }
  const size_t length = path && strchr(path, '/') ? (size_t)(strchr(path, '/') - path) : 0;
  snprintf(out, size, "%.*s", (int)length, path ? path : "");
}

// The folder that a path is in: "step/expo" of "src/step/expo/expo.c", "apps/run" of "apps/run/run.c".
static void folder_of(const char *path, char *folder, size_t size)
{
  const char *start = strncmp(path, "src/", 4) == 0 ? path + 4 : path, *end = strrchr(start, '/');
  snprintf(folder, size, "%.*s", (int)(end ? end - start : 0), start);
}

// Where a file lives: a room of src/, or "include", "cli", "apps", "bench".
static void place_of(const char *path, char *place, size_t size)
{
  component(path, 0, place, size);
  if (strcmp(place, "src") == 0)
    component(path, 1, place, size);
}

static int is_of_command(const char *place)
{
  return has_word("apps bench", place);
}

// Rooms that work with public headers, as users do: those of footfall_io with all, those of footfall with its own.
static int is_user(const char *place, const char *room)
{
  const int is_of_io = strcmp(room, "io") == 0 || strcmp(room, "propose") == 0;
  return has_word("io propose", place) || (has_word("scene study", place) && !is_of_io);
}

// #include <...>
static int is_angle_allowed(const char *place, const char *header, char *why, size_t size)
{
  if (strncmp(header, "footfall/", 9) == 0) {
    const char *room = room_of_public(header + 9), *sees = rooms_seen_by(place);
    const int is_anyone = !sees || is_of_command(place) || strcmp(place, "cli") == 0;
    if (strcmp(header, "footfall/footfall.h") == 0 && is_anyone)
      return 1; // for users; a room says what it needs
    if (!room)
      return snprintf(why, size, "<%s> is no public header for a room", header), 0;
    if (is_anyone || strcmp(place, room) == 0 || is_user(place, room) || has_word(sees, room) ||
        is_for_types(header + 9, place))
      return 1;
    return snprintf(why, size, "%s may not include <%s>, which belongs to %s", place, header, room), 0;
  }
  if (has_word(standard, header) || is_outside_allowed(place, header))
    return 1;
  return snprintf(why, size, "%s may not include <%s>", place, header), 0;
}

// The folder of a header that is included as "folder/file.h": from src/, or in apps and bench from there, but for cli.
static void folder_of_header(const char *place, const char *header, char *folder, size_t size)
{
  const int length = (int)(strrchr(header, '/') - header);
  const int is_below = is_of_command(place) && strncmp(header, "cli/", 4) != 0;
  snprintf(folder, size, "%s%s%.*s", is_below ? place : "", is_below ? "/" : "", length, header);
}

// #include "..."
static int is_quote_allowed(const char *path, const char *header, char *why, size_t size)
{
  char place[128], folder[256], other[256];
  place_of(path, place, sizeof place);
  folder_of(path, folder, sizeof folder);
  if (strstr(header, ".."))
    return snprintf(why, size, "\"%s\": write \"room/file.h\"", header), 0;
  if (strcmp(place, "include") == 0)
    return snprintf(why, size, "public headers include <footfall/...> only, not \"%s\"", header), 0;
  const char *sees = rooms_seen_by(place), *within = folders_seen_by(folder);
  if (!strchr(header, '/'))
    return 1; // beside the file itself: read_file() looks that it is there
  folder_of_header(place, header, other, sizeof other);
  if (strcmp(other, folder) == 0 || stands_for(sees, other) || (within && stands_for(within, other)))
    return 1;
  return snprintf(why, size, "%s may not include \"%s\"", folder, header), 0;
}

// What a line includes: '<' or '"' and the name in `header`; 0 if it is no #include, '?' if it names no file.
static int parse_include(const char *line, char header[256])
{
  const char *at = line + strspn(line, " \t");
  if (*at != '#')
    return 0;
  at += 1 + strspn(at + 1, " \t");
  if (strncmp(at, "include", 7) != 0)
    return 0;
  at += 7 + strspn(at + 7, " \t");
  if (sscanf(at, "<%255[^>]>", header) == 1 || sscanf(at, "\"%255[^\"]\"", header) == 1)
    return *at;
  return '?';
}

int ffi_layering_line(const char *path, const char *line, char *why, size_t size)
{
  char place[128], folder[256], header[256];
  const int kind = parse_include(line, header);
  if (kind == 0)
    return 1;
  place_of(path, place, sizeof place);
  folder_of(path, folder, sizeof folder);
  if (strcmp(place, "include") != 0 &&
      (!rooms_seen_by(place) || (strcmp(place, folder) != 0 && !folders_seen_by(folder))))
    return snprintf(why, size, "%s is no room of layering.c", folder), 0;
  if (kind == '?')
    return snprintf(why, size, "an #include that names no file"), 0;
  if (kind == '<')
    return is_angle_allowed(place, header, why, size);
  return is_exception(path, header) || is_quote_allowed(path, header, why, size);
}

// "file.h" without a folder means the file beside this one, or in apps and bench one at their root; found elsewhere it
// would be an edge nobody sees.
static int is_beside(const char *root, const char *path, const char *line, char *why, size_t size)
{
  char header[256], full[1024], place[128];
  if (parse_include(line, header) != '"' || strchr(header, '/') || is_exception(path, header))
    return 1;
  const int folder = (int)(strrchr(path, '/') - path);
  snprintf(full, sizeof full, "%.400s/%.*s/%s", root, folder, path, header);
  if (access(full, R_OK) == 0)
    return 1;
  place_of(path, place, sizeof place);
  snprintf(full, sizeof full, "%.400s/%s/%s", root, place, header);
  if (is_of_command(place) && access(full, R_OK) == 0)
    return 1;
  return snprintf(why, size, "there is no \"%s\" beside it", header), 0;
}

static void read_file(const char *root, const char *path, ffi_layering_report *report)
{
  char full[1024], line[1024], why[300];
  snprintf(full, sizeof full, "%s/%s", root, path);
  FILE *file = fopen(full, "r");
  ++report->files;
  for (int number = 1; file && fgets(line, sizeof line, file); ++number) {
    report->includes += strstr(line, "#include") != NULL;
    if (ffi_layering_line(path, line, why, sizeof why) && is_beside(root, path, line, why, sizeof why))
      continue;
    if (report->violations < (int)COUNT(report->first))
      snprintf(report->first[report->violations], sizeof report->first[0], "%.100s:%d: %s", path, number,
               why);
    ++report->violations;
  }
  if (file)
    fclose(file);
}

int ffi_layering_folder(const char *root, const char *folder, ffi_layering_report *report)
{
  char full[1024], path[768];
  struct stat status;
  snprintf(full, sizeof full, "%s/%s", root, folder);
  DIR *dir = opendir(full);
  if (!dir)
    return -1;
  for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
    const char *ending = strrchr(entry->d_name, '.');
    if (entry->d_name[0] == '.')
      continue;
    snprintf(path, sizeof path, "%.500s/%.255s", folder, entry->d_name);
    snprintf(full, sizeof full, "%.255s/%s", root, path);
    if (stat(full, &status) == 0 && S_ISDIR(status.st_mode))
      ffi_layering_folder(root, path, report);
    else if (ending && has_word(".c .h .cc .cpp .hpp .inc", ending))
      read_file(root, path, report);
  }
  closedir(dir);
  return 0;
}
