// Whatever the bytes are, the reader of trajectories returns one or an error. The robot is a pendulum; the seed is what tests/io/test_trajectory.c
// begins with, and the dictionary is tests/fuzz/trajectory.dict:
//
//     fuzz_trajectory -dict=tests/fuzz/trajectory.dict -max_len=4096 CORPUS
#include "io/trajectory/trajectory.h"

#include <footfall/load.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char robot[] =
    "<robot name='pendulum'><link name='world'/><link name='rod'><inertial><mass value='1'/>"
    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='hinge' type='continuous'><parent link='world'/><child link='rod'/><axis xyz='0 1 0'/></joint></robot>";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static ff_model *model; // for all inputs; never freed, still reachable
  ff_error error = {0};
  if (!model && ff_model_load_memory(robot, sizeof robot - 1, "robot", NULL, &model, &error) != FF_OK)
    abort();
  char *text = malloc(size + 1);
  ff_trajectory *t = calloc(1, sizeof *t);
  if (!text || !t)
    abort();
  memcpy(text, data, size);
  text[size] = 0;
  const ff_status status = ffi_trajectory_read(text, "fuzz", model, t, &error);
  if (status != FF_OK && (error.status != status || !error.message[0]))
    abort();
  if (status == FF_OK) {
    ff_feedback *feedback = NULL;
    if (ff_feedback_create(model, ff_trajectory_feedback(t), &feedback, &error) == FF_OK) {
      double q, v, tau;
      ff_feedback_reference(feedback, 1e3, &q, &v);
      ff_feedback_tau(feedback, 0.3, &q, &v, &tau);
    }
    ff_feedback_destroy(feedback);
  }
  ff_trajectory_destroy(t);
  free(text);
  return 0;
}
