// Whatever the bytes of an SRDF beside a URDF are, the reader returns a model or an error. Seeds are
// tests/bad_input/srdf and tests/io/srdf, the dictionary is tests/fuzz/srdf.dict.
#include <footfall/files.h>
#include <footfall/load.h>

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char robot[] =
    "<robot name='r'><link name='base'/><link name='upper'><inertial><mass value='1'/>"
    "<inertia ixx='1' iyy='1' izz='1'/></inertial></link><joint name='shoulder' type='continuous'>"
    "<parent link='base'/><child link='upper'/><axis xyz='0 1 0'/></joint></robot>";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ff_files *files = ff_files_create();
  const ff_file parts[2] = {
      {.kind = FF_FILE_MODEL, .name = "r.urdf", .path = "r.urdf", .data = robot, .size = sizeof robot - 1},
      {.kind = FF_FILE_INCLUDE,
       .name = "r.srdf",
       .path = "r.srdf",
       .data = (const char *)data,
       .size = size}};
  ff_load_def def = ff_load_def_default();
  ff_error error;
  ff_model *model = NULL;
  def.from = files;
  def.fixed_base = 1;
  if (ff_files_add(files, &parts[0], &error) != FF_OK || ff_files_add(files, &parts[1], &error) != FF_OK)
    abort();
  const ff_status status = ff_model_load("r.urdf", &def, &model, &error);
  const int is_consistent =
      status == FF_OK ? model != NULL : model == NULL && error.status == status && error.message[0];
  if (!is_consistent)
    abort();
  ff_model_destroy(model);
  ff_files_destroy(files);
  return 0;
}
