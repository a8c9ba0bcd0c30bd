/// xml_guard.h: a quick check of a text before it goes to the XML parser.
///
/// Files that are no XML at all (empty, binary, another encoding, JSON) get a better message than the parser's. Tags
/// with thousands of attributes, which cost the parser quadratic time, are refused.
#ifndef FFI_IO_XML_GUARD_H
#define FFI_IO_XML_GUARD_H

#include <footfall/status.h>

#include <stddef.h>

/// Far above what any format needs (the richest MJCF element has about 60), and longer than any sensible
/// vertex list.
enum { FFI_XML_MAX_ATTRIBUTES = 256, FFI_XML_MAX_TAG = 8 << 20 };

ff_status ffi_xml_guard(const char *file, const char *text, size_t length, ff_error *error);

#endif
