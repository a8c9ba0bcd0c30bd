// The tree of links, one line each: link, joint, type, mass, limits, effort, collision and visual shapes.
#include "cli/memory.h"
#include "cli/text/table.h"
#include "cli/text/terminal.h"
#include "cli/text/text.h"
#include "command.h"
#include "info/info.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINK, JOINT, TYPE, MASS, LIMITS, EFFORT, SPRING, CONTACT, DRAWN, COLUMN_COUNT };

static const ffi_table_column columns[COLUMN_COUNT] = {
    [LINK] = {"link", 0, 1, FFI_TERMINAL_STRONG},    [JOINT] = {"joint", 0, 1, FFI_TERMINAL_NAME},
    [TYPE] = {"type", 0, 0, FFI_TERMINAL_PLAIN},     [MASS] = {"mass", 1, 0, FFI_TERMINAL_PLAIN},
    [LIMITS] = {"limits", 1, 0, FFI_TERMINAL_PLAIN}, [EFFORT] = {"effort", 1, 0, FFI_TERMINAL_PLAIN},
    [SPRING] = {"spring", 1, 0, FFI_TERMINAL_PLAIN}, [CONTACT] = {"touches", 0, 1, FFI_TERMINAL_PLAIN},
    [DRAWN] = {"drawn", 1, 0, FFI_TERMINAL_PLAIN},
};

enum { SHAPE_TYPES = FF_SHAPE_ELLIPSOID + 1 };

enum {
  DRAWN_LEVELS = 14,
  BRANCH_SIZE = 4
}; // deeper levels are not indented further; bytes of one branch, at most

// What the drawing needs beside the model. Index 0 is the world, index i + 1 is link i.
typedef struct tree {
  const ff_model *model;
  const ffi_terminal *terminal;
  int link_count;
  int has_world;             // is the world drawn, as the root of all?
  int has_short_types;       // "rev" for "revolute"
  int *last_child;           // [link_count + 1] link, -1: none
  int *drawn;                // [link_count + 1] shapes to look at
  int *touching;             // [link_count + 1] shapes that collide
  int (*kinds)[SHAPE_TYPES]; // [link_count + 1] the same by type
} tree;

// ---- Gathering --------------------------------------------------------------------------------------------

static void gather_shapes(tree *t)
{
  const int count = ff_model_get_size(t->model).shapes;
  for (int i = 0; i < count; ++i) {
    ff_shape_info shape;
    ff_model_shape(t->model, i, &shape);
    const int at = shape.link + 1;
    t->drawn[at] += (shape.def.purpose & FF_SHAPE_VISUAL) != 0;
    if (shape.def.purpose & FF_SHAPE_COLLISION) {
      ++t->touching[at];
      ++t->kinds[at][shape.def.type];
    }
  }
}

static void gather(tree *t, const ff_model *model, const ffi_terminal *terminal)
{
  *t = (tree){.model = model, .terminal = terminal, .link_count = ff_model_get_size(model).links};
  const size_t n = (size_t)t->link_count + 1;
  t->last_child = ffi_memory_need(NULL, n * sizeof *t->last_child);
  t->drawn = ffi_memory_need(NULL, n * sizeof *t->drawn);
  t->touching = ffi_memory_need(NULL, n * sizeof *t->touching);
  t->kinds = ffi_memory_need(NULL, n * sizeof *t->kinds);
  memset(t->drawn, 0, n * sizeof *t->drawn);
  memset(t->touching, 0, n * sizeof *t->touching);
  memset(t->kinds, 0, n * sizeof *t->kinds);
  for (size_t i = 0; i < n; ++i)
    t->last_child[i] = -1;
  int roots = 0, floating = 0;
  for (int i = 0; i < t->link_count; ++i) {
    ff_link_info link;
    ff_model_link(model, i, &link);
    t->last_child[link.parent + 1] = i;
    roots += link.parent < 0;
    floating += link.parent < 0 && link.joint_type == FF_JOINT_FREE;
  }
  gather_shapes(t);
  t->has_world = roots != 1 || floating != 1 || t->drawn[0] > 0 || t->touching[0] > 0;
}

static void release(tree *t)
{
  free(t->last_child);
  free(t->drawn);
  free(t->touching);
  free(t->kinds);
}

// ---- Cells ------------------------------------------------------------------------------------------------

// The branches before a link's name, from its ancestors' down to its own.
static void draw_branches(const tree *t, int link, char *out, size_t size)
{
  static const char *const unicode[4] = {"\u251c\u2574", "\u2514\u2574", "\u2502 ", "  "};
  static const char *const ascii[4] = {"|-", "`-", "| ", "  "};
  const char *const *pieces = t->terminal->unicode ? unicode : ascii;
  const char *branches[DRAWN_LEVELS];
  int count = 0, is_cut = 0, is_own = 1;
  for (int at = link; at >= 0;) {
    ff_link_info info;
    ff_model_link(t->model, at, &info);
    if (info.parent < 0 && !t->has_world)
      break;
    if (count == DRAWN_LEVELS) {
      is_cut = 1;
      break;
    }
    const int is_last = t->last_child[info.parent + 1] == at;
    branches[count++] = pieces[(is_own ? 0 : 2) + is_last];
    is_own = 0;
    at = info.parent;
  }
  size_t used = (size_t)snprintf(out, size, "%s", is_cut ? (t->terminal->unicode ? "\u2026" : "~") : "");
  while (count > 0 && used < size)
    used += (size_t)snprintf(out + used, size - used, "%s", branches[--count]);
}

static const char *type_name(const tree *t, ff_joint_type type)
{
  if (t->has_short_types) {
    switch (type) {
    case FF_JOINT_REVOLUTE: return "rev";
    case FF_JOINT_CONTINUOUS: return "cont";
    case FF_JOINT_PRISMATIC: return "prism";
    case FF_JOINT_SPHERICAL: return "ball";
    default: break;
    }
  }
  return ff_joint_type_name(type);
}

// "z", "-x", or the three components of an axis that is none of these; empty for a joint without one.
static void axis_text(const double axis[3], char *out, size_t size)
{
  for (int i = 0; i < 3; ++i) {
    if (fabs(axis[i]) == 1 && axis[(i + 1) % 3] == 0 && axis[(i + 2) % 3] == 0) {
      snprintf(out, size, " %s%c", axis[i] < 0 ? "-" : "", "xyz"[i]);
      return;
    }
  }
  if (axis[0] != 0 || axis[1] != 0 || axis[2] != 0)
    snprintf(out, size, " %.2g,%.2g,%.2g", axis[0], axis[1], axis[2]);
}

static void set_joint(const tree *t, ffi_table *table, const ff_link_info *link)
{
  ff_joint_info joint;
  char axis[64] = "";
  if (strcmp(link->joint_name, link->name) != 0) // a joint without a name of its own has its link's
    ffi_table_set(table, JOINT, "%s", link->joint_name);
  const int is_moving = link->joint_type != FF_JOINT_FIXED;
  if (is_moving && ff_model_joint(t->model, link->joint, &joint) == FF_OK) {
    axis_text(joint.axis, axis, sizeof axis);
    if (joint.has_limits && joint.lower == -joint.upper)
      ffi_table_set(table, LIMITS, "%s%.3g", t->terminal->unicode ? "\u00b1" : "+-", joint.upper);
    else if (joint.has_limits)
      ffi_table_set(table, LIMITS, "%.3g..%.3g", joint.lower, joint.upper);
    if (isfinite(joint.effort))
      ffi_table_set(table, EFFORT, "%.4g", joint.effort);
    if (joint.stiffness > 0)
      ffi_table_set(table, SPRING, "%.4g", joint.stiffness);
  }
  ffi_table_set(table, TYPE, "%s%s", type_name(t, link->joint_type), axis);
}

// "box", "4 points", "2 spheres, capsule".
static void set_shapes(const tree *t, ffi_table *table, int at)
{
  char text[256] = "";
  size_t used = 0;
  for (int type = 0; type < SHAPE_TYPES; ++type) {
    const int count = t->kinds[at][type];
    const char *name = ff_shape_type_name((ff_shape_type)type);
    const char *plural = strchr("xh", name[strlen(name) - 1]) ? "es" : "s";
    const char *comma = used ? ", " : "";
    if (count == 1 && used < sizeof text)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", comma, name);
    else if (count > 1 && used < sizeof text)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%d %s%s", comma, count, name, plural);
  }
  if (used)
    ffi_table_set(table, CONTACT, "%s", text);
  if (t->drawn[at])
    ffi_table_set(table, DRAWN, "%d", t->drawn[at]);
}

// ---- The whole --------------------------------------------------------------------------------------------

static void fill(const tree *t, ffi_table *table)
{
  char branches[(DRAWN_LEVELS + 1) * 2 * BRANCH_SIZE];
  if (t->has_world) {
    ffi_table_add_row(table);
    ffi_table_set(table, LINK, "world");
    set_shapes(t, table, 0);
  }
  for (int i = 0; i < t->link_count; ++i) {
    ff_link_info link;
    ff_model_link(t->model, i, &link);
    draw_branches(t, i, branches, sizeof branches);
    ffi_table_add_row(table);
    ffi_table_set(table, LINK, "%s%s", branches, link.name);
    ffi_table_set(table, MASS, "%.3g", link.inertia.mass);
    set_joint(t, table, &link);
    set_shapes(t, table, i + 1);
  }
}

static int has_springs(const ff_model *model)
{
  const int count = ff_model_get_size(model).joints;
  for (int i = 0; i < count; ++i) {
    ff_joint_info joint;
    if (ff_model_joint(model, i, &joint) == FF_OK && joint.stiffness > 0)
      return 1;
  }
  return 0;
}

static void print_legend(const tree *t, FILE *out)
{
  ffi_terminal_set_style(t->terminal, FFI_TERMINAL_FAINT, out);
  fprintf(out, "mass in kg; limits in rad or m; effort in N m or N%s",
          has_springs(t->model) ? "; spring in N m/rad or N/m" : "");
  ffi_terminal_set_style(t->terminal, FFI_TERMINAL_PLAIN, out);
  fputs("\n\n", out);
}

void ffi_info_tree(const ff_model *model, const ffi_terminal *terminal, FILE *out)
{
  tree t;
  ffi_table table;
  gather(&t, model, terminal);
  ffi_table_begin(&table, terminal, columns, COLUMN_COUNT);
  fill(&t, &table);
  if (ffi_table_natural_width(&table) > FFI_TEXT_LINE_WIDTH) {
    ffi_table_end(&table);
    ffi_table_begin(&table, terminal, columns, COLUMN_COUNT);
    t.has_short_types = 1;
    fill(&t, &table);
  }
  ffi_table_print(&table, out);
  print_legend(&t, out);
  ffi_table_end(&table);
  release(&t);
}
