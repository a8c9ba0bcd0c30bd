/// bad_scene.h: a scene's file that tests write over and over.
#ifndef FFI_TESTS_BAD_SCENE_H
#define FFI_TESTS_BAD_SCENE_H

#include <stddef.h>

#define MODELS FFI_TEST_SOURCE_DIR "/models/"
#define SOLO "model: " MODELS "solo12.urdf\n"
#define BALL "model: " MODELS "ball.urdf\n"

extern char ffi_bad_scene_path[64]; ///< of the file, the same for all tests of a program

/// Set-up and tear-down of a group of tests.
int ffi_bad_scene_make(void **state);
int ffi_bad_scene_remove(void **state);

void ffi_bad_scene_write(const char *text, size_t length);

#endif
