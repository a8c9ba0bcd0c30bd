/// xml_guard.h: a quick look at a text before it is given to the XML parser.
///
/// Tells files that are no XML text at all (empty, binary, another encoding, JSON) with a better message than
/// a parser would, and stops what would cost the parser quadratic time: tags with thousands of attributes.
#ifndef FFI_IO_XML_GUARD_H
#define FFI_IO_XML_GUARD_H

#include <footfall/status.h>

#include <stddef.h>

/// Far above what any format needs (the richest MJCF element has about 60), and longer than any sensible
/// vertex list.
enum { FFI_XML_MAX_ATTRIBUTES = 256, FFI_XML_MAX_TAG = 8 << 20 };

ff_status ffi_xml_guard(const char *file, const char *text, size_t length, ff_error *error);

#endif
