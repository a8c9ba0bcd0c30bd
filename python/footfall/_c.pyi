# The extension module made by cffi: names are those of C, types are checked when it is built and called.
from typing import Any

ffi: Any
lib: Any
