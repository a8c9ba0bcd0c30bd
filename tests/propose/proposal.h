/// proposal.h: a proposal that must succeed, for tests of it.
#ifndef FFI_TESTS_PROPOSAL_H
#define FFI_TESTS_PROPOSAL_H

#include <footfall/propose.h>

#define MODELS FFI_TEST_SOURCE_DIR "/models/"
#define ROBOTS FFI_TEST_SOURCE_DIR "/tests/new_user/robots/"

/// A failed test if there is none. `def` may be NULL.
ff_proposal *ffi_proposal_must(const char *model, const ff_proposal_def *def);

#endif
