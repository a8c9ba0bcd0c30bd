// A proposal that must succeed.
#include "propose/proposal.h"

#include "support/must.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

ff_proposal *ffi_proposal_must(const char *model, const ff_proposal_def *def)
{
  ff_proposal *proposal;
  ff_error error;
  ffi_must(ff_scene_propose(model, def, &proposal, &error), &error);
  assert_int_equal(proposal->text_size, strlen(proposal->text));
  return proposal;
}
