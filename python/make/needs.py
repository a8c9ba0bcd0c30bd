"""What Python itself needs for a build: its headers, setuptools, cffi; and the line that installs what is missing."""

from __future__ import annotations

import importlib.util
import sys
import sysconfig
from pathlib import Path

# A module, its package in Debian, and what it is for.
MODULES = (("setuptools", "python3-setuptools", "builds the package"),
           ("cffi", "python3-cffi", "makes its module of the C headers"))  # fmt: skip


def is_debians() -> bool:
    """Is this Debian's own Python, or an environment made of it?"""
    return sys.base_prefix == "/usr"


def missing() -> list[tuple[str, str]]:
    """Debian's packages that are not there, with what they are for."""
    found = [(package, why) for name, package, why in MODULES if importlib.util.find_spec(name) is None]
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        found.append(("python3-dev", f"headers of {sys.executable}, Python.h"))
    return found


def told(lacking: list[tuple[str, str]]) -> str:
    """What to install: with apt-get for Debian's Python, with pip else."""
    lines = ["Footfall's Python package cannot be built, since these are missing:", ""]
    lines += [f"  {package:18} {why}" for package, why in lacking]
    lines += ["", "On Debian and Ubuntu:", "", "  apt-get install " + " ".join(package for package, _ in lacking)]
    if not is_debians():
        modules = [name for name, package, _ in MODULES if package in dict(lacking)]
        lines += ["", f"That is for /usr/bin/python3; this is {sys.executable}."]
        if modules:
            lines.append(f"It takes: {sys.executable} -m pip install {' '.join(modules)}")
        if "python3-dev" in dict(lacking):
            lines.append("Its headers come from where it came from.")
    return "\n".join(lines)


def check() -> None:
    """Stop the build, and say what to install, if something is missing."""
    lacking = missing()
    if lacking:
        raise SystemExit(told(lacking))
