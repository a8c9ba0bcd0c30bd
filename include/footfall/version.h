/// version.h: which Footfall this is.
#ifndef FOOTFALL_VERSION_H
#define FOOTFALL_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

#define FF_VERSION_MAJOR                                                                                     \
  0 ///< before 1.0 the interface may change with the minor version, from then on with this one
#define FF_VERSION_MINOR 1 ///< grows with every release that adds something
#define FF_VERSION_PATCH 0 ///< grows with releases that only mend
#define FF_VERSION "0.1.0" ///< of these headers; ff_version() is that of the library

/// The version of the library that was linked, "major.minor.patch"; compare it with FF_VERSION where the two could come from different places.
const char *ff_version(void);

#ifdef __cplusplus
}
#endif
#endif
