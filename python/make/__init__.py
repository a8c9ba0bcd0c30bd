"""How the package is built: declarations from the public headers, the C library by CMake, two extension modules."""
