"""Build the package: the C library, two extension modules for all CPython from 3.11 on, and the shared models."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from make import interface, library, needs  # noqa: E402

if {"build", "build_ext", "bdist_wheel", "install", "develop", "editable_wheel"} & set(sys.argv):
    needs.check()

from setuptools import Extension, setup  # noqa: E402
from setuptools.command.build_ext import build_ext  # noqa: E402
from setuptools.command.build_py import build_py  # noqa: E402
from setuptools.command.sdist import sdist  # noqa: E402

ABI = ("Py_LIMITED_API", "0x030b0000")
GUARDS = ["-fvisibility=hidden", "-g0", "-Werror=incompatible-pointer-types", "-Werror=int-conversion"]


def version() -> str:
    text = (library.ROOT / "include/footfall/version.h").read_text(encoding="utf-8")
    return re.search(r'#define FF_VERSION "([^"]+)"', text)[1]  # type: ignore[index]


class BuildExtensions(build_ext):
    """First the C library, then the modules that contain it."""

    def run(self) -> None:
        from make import module  # needs cffi, which sdist does not

        interface.check(library.ROOT / "include")
        temporary = Path(self.build_temp).resolve()
        made = library.build(temporary / "c")
        source = temporary / "_c.c"
        module.write(source)
        for extension in self.extensions:
            if extension.name == "footfall._c":
                extension.sources = [str(source)]
                extension.extra_objects = library.libraries(made)
                extension.depends = [*extension.extra_objects, *(str(f) for f in sorted((HERE / "glue").iterdir()))]
        super().run()


class BuildPython(build_py):
    """The Python files, and beside them models, scenes and the page of the viewer."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        share = Path(self.build_lib) / "footfall/share"
        for folder in ("models", "scenes"):
            shutil.copytree(library.ROOT / folder, share / folder, dirs_exist_ok=True)
        page = library.viewer()
        if page is not None:
            shutil.copy(page, share / "viewer.html")


class SourceDistribution(sdist):
    """With the C library's sources in c/, so that it builds alone."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        for name in ("CMakeLists.txt", "LICENSE", "include", "src", "cmake", "models", "scenes", "tools/packages.txt"):
            source, target = library.ROOT / name, Path(base_dir) / "c" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
        page = library.viewer()
        if page is not None:
            (Path(base_dir) / "c/viewer").mkdir()
            shutil.copy(page, Path(base_dir) / "c/viewer/viewer.html")


def extension(name: str, source: str, optimise: str) -> Extension:
    return Extension(
        f"footfall.{name}",
        [source],
        include_dirs=[str(library.ROOT / "include"), "glue"],
        define_macros=[ABI],
        extra_compile_args=[optimise, *GUARDS],
        extra_link_args=["-Wl,--exclude-libs,ALL", "-Wl,--strip-debug"],
        libraries=["m", "pthread"],
        py_limited_api=True,
    )


setup(
    version=version(),
    packages=["footfall", "footfall.gym", "footfall.pictures"],
    package_data={"footfall": ["py.typed", "*.pyi"]},
    ext_modules=[extension("_c", "", "-O1"), extension("_hot", "glue/hot.c", "-O2")],
    cmdclass={"build_ext": BuildExtensions, "build_py": BuildPython, "sdist": SourceDistribution},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
