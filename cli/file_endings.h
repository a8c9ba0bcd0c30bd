/// file_endings.h: how the names of files end, by what is in them: lists for completion in shells.
#ifndef FFI_CLI_FILE_ENDINGS_H
#define FFI_CLI_FILE_ENDINGS_H

#include "cli/choices.h"

ffi_choices ffi_file_endings_model, ffi_file_endings_scene, ffi_file_endings_model_or_scene;
ffi_choices ffi_file_endings_info, ffi_file_endings_view; ///< what these commands take
ffi_choices ffi_file_endings_log;                         ///< that can be read
ffi_choices ffi_file_endings_new_log;                     ///< that can be written
ffi_choices ffi_file_endings_page, ffi_file_endings_svg, ffi_file_endings_json, ffi_file_endings_trajectory;

#endif
