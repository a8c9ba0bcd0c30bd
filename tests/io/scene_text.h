/// scene_text.h: scenes from a file or from a text, which must load, and numbers as they stand in one.
#ifndef FFI_TESTS_IO_SCENE_TEXT_H
#define FFI_TESTS_IO_SCENE_TEXT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/must.h"

#include <footfall/scene.h>

#define MODELS FFI_TEST_SOURCE_DIR "/models/"
#define SCENES FFI_TEST_SOURCE_DIR "/scenes/"

ff_scene *ffi_scene_of_file(const char *file, const ff_scene_override *overrides, int count);
ff_scene *ffi_scene_of_text(const char *text);

/// As written: a unit's factor rounds once, a decimal once.
void ffi_equal(double value, double want);
void ffi_all_equal(const double *values, int count, ...); ///< doubles

#endif
