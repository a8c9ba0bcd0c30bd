// Finds the shared objects of MuJoCo's releases beside this program and loads the first that works.
#include "peers/mujoco_peer.h"

#include "common/shipped_file.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char missing[] = "it is not there: ./dev bench fetches it, or install Debian's libmujoco-dev";

// NULL: not there, or it does not fit; `why` then says what is wrong with one that is there.
static const bench_mujoco_peer *load(const char *source, char *why, size_t size)
{
  char file[64], path[4096];
  bench_mujoco_peer_entry entry = NULL;
  snprintf(file, sizeof file, "%s/footfall-mujoco.so", source);
  if (!bench_shipped_file_peer(file, path, sizeof path))
    return NULL;
  // Never closed: benchmarks ask again, and get the same. Local, so that two releases do not mix.
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *symbol = object ? dlsym(object, "bench_mujoco_module") : NULL;
  if (!symbol) {
    snprintf(why, size, "%.200s", dlerror());
    return NULL;
  }
  memcpy(&entry, &symbol, sizeof entry); // ISO C has no cast from an object's address to a function's
  const bench_mujoco_peer *peer = entry();
  if (peer->table == BENCH_MUJOCO_PEER_TABLE)
    return peer;
  snprintf(why, size, "%.150s is of another build: remove it, or build again", path);
  return NULL;
}

const bench_mujoco_peer *bench_mujoco_peer_find(char *why, size_t size)
{
  static const char *const sources[] = {"pypi", "debian"};
  const char *wanted = getenv("FOOTFALL_MUJOCO");
  const bench_mujoco_peer *peer = NULL;
  snprintf(why, size, "%s", missing);
  for (int k = 0; k < 2 && !peer; ++k)
    if (!wanted || !*wanted || strcmp(wanted, sources[k]) == 0)
      peer = load(sources[k], why, size);
  if (!peer && wanted && strcmp(wanted, "none") == 0)
    snprintf(why, size, "FOOTFALL_MUJOCO=none");
  return peer;
}
