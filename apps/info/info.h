/// info.h: footfall info: what is in a model, a scene or a log, as text or JSON.
#ifndef FFI_APPS_INFO_H
#define FFI_APPS_INFO_H

#include "cli/text/json.h"
#include "cli/text/terminal.h"

#include <footfall/model.h>

#include <stdio.h>

/// For people: a tree, totals, warnings.
void ffi_info_text(const ff_model *model, const char *path, int is_verbose, const ffi_terminal *terminal,
                   FILE *out);

/// The table of that: a tree of links, one line each (info_tree.c).
void ffi_info_tree(const ff_model *model, const ffi_terminal *terminal, FILE *out);

/// For programs: everything that the public headers have. docs/guide/command.md describes the fields.
void ffi_info_json(const ff_model *model, const char *path, FILE *out);

/// The same of a log (info_log.c). Both return the exit status.
int ffi_info_log(const char *path, int as_json, int is_quiet, const ffi_terminal *terminal);

/// The same of a scene (info_scene.c).
int ffi_info_scene(const char *path, int as_json, int is_quiet, const ffi_terminal *terminal);

/// Who collides: one sentence (0: there is nothing to say), and a member of the object that is open.
int ffi_info_collisions_text(const ff_model *model, char *text, size_t room);
void ffi_info_collisions_json(ffi_json *json, const ff_model *model);

/// Contact points of a model: collision shapes that are points.
int ffi_info_text_contact_points(const ff_model *model);

#endif
