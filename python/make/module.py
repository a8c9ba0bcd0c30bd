"""The extension module footfall._c: all public C functions for Python, by cffi.

Its declarations are those of the headers, so they are right by construction; interface.txt holds what Python was
written against (interface.py). glue.h adds what Python needs beside them.
"""

from __future__ import annotations

from pathlib import Path

from cffi import FFI

from make import headers
from make.library import PACKAGE, ROOT


def declarations() -> str:
    glue = headers.split(headers.strip((PACKAGE / "glue/glue.h").read_text(encoding="utf-8")))
    callbacks = [line.replace("static ", "", 1) for line in glue if line.startswith("static ")]
    ours = [line for line in glue if not line.startswith("static ")]
    return "\n".join(
        [*headers.declarations(ROOT / "include"), *ours, 'extern "Python" {', *callbacks, "}", "void free(void *);"]
    )


def write(path: Path) -> None:
    """Write the module's C source."""
    ffi = FFI()
    ffi.cdef(declarations())
    sources = sorted((PACKAGE / "glue").glob("*.c"))
    includes = "\n".join(f'#include "{source.name}"' for source in sources if source.name != "hot.c")
    ffi.set_source("footfall._c", f'#include <stdlib.h>\n#include "glue.h"\n{includes}\n')
    path.parent.mkdir(parents=True, exist_ok=True)
    ffi.emit_c_code(str(path))
