/// info.h: the two ways to show what is in a model.
#ifndef FFI_APPS_INFO_H
#define FFI_APPS_INFO_H

#include "cli/terminal.h"

#include <footfall/model.h>

#include <stdio.h>

/// For people: a tree, totals, warnings.
void ffi_info_text(const ff_model *model, const char *path, const ffi_terminal *terminal, FILE *out);

/// The table of that: a tree of links, one line each (info_tree.c).
void ffi_info_tree(const ff_model *model, const ffi_terminal *terminal, FILE *out);

/// For programs: everything that the public headers tell. docs/guide/command.md describes the fields.
void ffi_info_json(const ff_model *model, const char *path, FILE *out);

/// The same of a log (info_log.c); the exit status.
int ffi_info_log(const char *path, int as_json, int is_quiet, const ffi_terminal *terminal);

/// The same of a scene (info_scene.c).
int ffi_info_scene(const char *path, int as_json, int is_quiet, const ffi_terminal *terminal);

/// Contact points of a model: collision shapes that are points.
int ffi_info_contact_points(const ff_model *model);

#endif
