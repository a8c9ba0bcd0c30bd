"""The C library, made by the project's own CMake, and what links with it.

FOOTFALL_BUILD names a folder in which it has been built already, such as build/; otherwise it is built in a folder of
the package's own.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent

# Where CMakeLists.txt is: a clone has it above this folder, a source distribution within.
ROOT = PACKAGE / "c" if (PACKAGE / "c").is_dir() else PACKAGE.parent

OPTIONS = ["-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O2 -g1 -DNDEBUG", "-DFF_COMMAND=OFF",
           "-DFF_BENCH=OFF", "-DFF_TESTS=OFF", "-DBUILD_SHARED_LIBS=OFF"]  # fmt: skip


def is_there(probe: str, package: str) -> bool:
    """What tools/packages.sh asks: a header, or a command."""
    if probe == "-":
        return True
    if probe.endswith(".h"):
        return any((Path(folder) / probe).exists() for folder in ("/usr/include", "/usr/local/include"))
    return shutil.which(probe) is not None or package == "ninja-build"  # make does as well


def missing() -> list[tuple[str, str]]:
    """Debian's packages that a build needs and that are not there, with what they are for."""
    found = []
    for line in (ROOT / "tools/packages.txt").read_text(encoding="utf-8").splitlines():
        words = line.split(None, 3)
        if len(words) == 4 and words[0] == "build" and not is_there(words[2], words[1]):
            found.append((words[1], words[3]))
    return found


def explain(failure: str) -> str:
    """Why the library could not be built, and what to install."""
    lacking = missing()
    if not lacking:
        return failure
    lines = [f"  {package:14} {why}" for package, why in lacking]
    return "\n".join(
        [
            "Footfall's C library cannot be built, since these are missing:",
            "",
            *lines,
            "",
            "On Debian and Ubuntu:",
            "",
            "  apt-get install " + " ".join(package for package, _ in lacking),
            "",
            f"({failure})",
        ]  # fmt: skip
    )


def run(*command: str) -> None:
    try:
        subprocess.run(command, check=True)
    except FileNotFoundError:
        raise SystemExit(explain(f"there is no {command[0]}")) from None
    except subprocess.CalledProcessError as failure:
        raise SystemExit(explain(f"'{' '.join(command)}' failed with status {failure.returncode}")) from None


def build(folder: Path) -> Path:
    """The folder with the built libraries: FOOTFALL_BUILD, or `folder`."""
    given = os.environ.get("FOOTFALL_BUILD")
    if given:
        made = Path(given).resolve()
        if not (made / "src/libfootfall_io.a").exists():
            raise SystemExit(f"FOOTFALL_BUILD: {made} has no src/libfootfall_io.a: build the C library there first")
        return made
    generator = ["-GNinja"] if shutil.which("ninja") and not (folder / "CMakeCache.txt").exists() else []
    run("cmake", "-S", str(ROOT), "-B", str(folder), *generator, *OPTIONS)
    run("cmake", "--build", str(folder), "--parallel", str(os.cpu_count() or 1), "--target", "footfall_io")
    return folder


def libraries(made: Path) -> list[str]:
    """What to link with, in the linker's order: ours, then those of others that CMake found."""
    cache = (made / "CMakeCache.txt").read_text(encoding="utf-8")
    others = []
    for name in ("LIBXML2_LIBRARY", "LIBYAML_LIBRARY", "LIBHDF5_LIBRARY", "LIBHDF5_ZLIB_LIBRARY"):
        found = re.search(rf"^{name}:[A-Z]+=(.+)$", cache, re.M)
        if not found:
            raise SystemExit(f"{made}/CMakeCache.txt does not say where {name} is")
        others.append(found[1])
    return [str(made / "src/libfootfall_io.a"), str(made / "src/libfootfall.a"), *others]


def viewer() -> Path | None:
    """The viewer's page, viewer.html: of FOOTFALL_BUILD, of the source distribution, or made by Node.js here.

    None, and a warning, if there is none: then ff.view() is an error that says so.
    """
    given = os.environ.get("FOOTFALL_BUILD")
    folder = ROOT / "viewer"
    for made in ([Path(given) / "viewer/viewer.html"] if given else []) + [folder / "viewer.html"]:
        if made.exists():
            return made.resolve()
    if shutil.which("node") and (folder / "build.mjs").exists():
        out = PACKAGE / "build/viewer"
        try:
            if not (folder / "node_modules").is_dir():
                subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=folder, check=True)
            subprocess.run(["node", "build.mjs", str(out)], cwd=folder, check=True)
            return out / "viewer.html"
        except (OSError, subprocess.CalledProcessError) as failure:
            print(f"warning: the viewer's page could not be made: {failure}", file=sys.stderr)
    print("warning: without Node.js and npm the package has no viewer: ff.view() will not work", file=sys.stderr)
    return None
