// Endings of file names.
#include "cli/file_endings.h"

FFI_CHOICES_LIST(ffi_file_endings_model, ".urdf", ".xml", ".mjcf")
FFI_CHOICES_LIST(ffi_file_endings_info, ".urdf", ".xml", ".mjcf", ".yaml", ".yml", ".h5")
FFI_CHOICES_LIST(ffi_file_endings_scene, ".yaml", ".yml")
FFI_CHOICES_LIST(ffi_file_endings_model_or_scene, ".yaml", ".yml", ".urdf", ".xml", ".mjcf")
FFI_CHOICES_LIST(ffi_file_endings_log, ".h5")
FFI_CHOICES_LIST(ffi_file_endings_new_log, ".h5", ".csv", ".mcap")
FFI_CHOICES_LIST(ffi_file_endings_view, ".h5", ".yaml", ".yml", ".urdf", ".xml", ".mjcf")
FFI_CHOICES_LIST(ffi_file_endings_page, ".html")
FFI_CHOICES_LIST(ffi_file_endings_svg, ".svg")
FFI_CHOICES_LIST(ffi_file_endings_json, ".json")
FFI_CHOICES_LIST(ffi_file_endings_trajectory, ".txt")
