"""How models are read from files, and the files of a model for a log; load.h, files.h."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from footfall import errors
from footfall._native import NULL, StrPath, call, create, encoded, ffi, lib, owned
from footfall._structs import fill

if TYPE_CHECKING:
    from footfall.model import Model

# A contact point to add to a model: link, place in its frame [m], name or None.
ContactPoint = tuple[str, Sequence[float]] | tuple[str, Sequence[float], str | None]


def load_def(
    options: dict[str, Any], mesh_paths: Sequence[StrPath], points: Sequence[ContactPoint], keep: list[Any]
) -> Any:
    """An ff_load_def."""
    made = ffi.new("ff_load_def *")
    lib.ff_load_def_init(made, ffi.sizeof("ff_load_def"))
    fill(made, options, "", keep)
    if mesh_paths:
        folders = [ffi.new("char[]", encoded(folder)) for folder in mesh_paths]
        listed = ffi.new("char *[]", [*folders, NULL])
        made.mesh_paths = ffi.cast("const char *const *", listed)
        keep += [folders, listed]
    if points:
        listed = ffi.new("ff_load_point[]", len(points))
        for i, (link, at, *name) in enumerate(points):
            fill(ffi.addressof(listed, i), {"link": link, "at": at, "name": name[0] if name else None},
                 f"contact_points[{i}]", keep)  # fmt: skip
        made.contact_points, made.contact_point_count = listed, len(points)
        keep.append(listed)
    return made


def files_of(model: Model, keep: list[Any]) -> tuple[Any, Any, str]:
    """The files of a model for a log: its own as long as they still say the same, else the model written as URDF.

    ff_files, ff_load_def, and the name of the model's file. `keep` holds what is returned.
    """
    files = owned(lib.ff_files_create(), lib.ff_files_destroy)
    keep.append(files)
    if model._source is not None:
        path, options, mesh_paths, points = model._source
        definition = load_def(options, mesh_paths, points, keep)
        definition.keep = files
        try:
            same = type(model)._of(create(lib.ff_model_load, "ff_model", encoded(path), definition))
        except errors.Error:
            same = None
        definition.keep = NULL
        if same is not None and same._bytes() == model._bytes():
            keep.append(definition)
            return files, definition, path
        files = owned(lib.ff_files_create(), lib.ff_files_destroy)
        keep.append(files)
    content, _, meshes = model._saved("urdf", "model.urdf")
    for kind, name, data in [(lib.FF_FILE_MODEL, "model.urdf", content.encode()),
                             *((lib.FF_FILE_MESH, name, data) for name, data in meshes)]:  # fmt: skip
        given = ffi.new("char[]", data)
        label = ffi.new("char[]", encoded(name))
        file = ffi.new("ff_file *", {"kind": kind, "name": label, "path": label, "data": given, "size": len(data)})
        call(lib.ff_files_add, files, file)
    return files, NULL, "model.urdf"
