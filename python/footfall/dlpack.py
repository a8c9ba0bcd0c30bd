"""Arrays of C memory for other libraries by DLPack, without a copy.

What is exported is the state of robots, which nobody else may write to. Version 1 of DLPack can say so: who knows it
gets the live memory, read-only. Who does not gets a copy, unless the tensor was made to be shared.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall._native import ffi


class _Array(ctypes.Structure):
    """DLTensor, as dlpack.h lays it out."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int), ("device_id", ctypes.c_int),
        ("ndim", ctypes.c_int), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


class _Legacy(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [("array", _Array), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("array", _Array),
    ]  # fmt: skip


# Exports that somebody still holds: the tensor, its shape, and the array whose memory it is.
_HELD: dict[int, tuple[Any, ...]] = {}

_CPU, _FLOAT = 1, 2
_READ_ONLY, _COPIED = 1, 2
_NAMES = (b"dltensor", b"dltensor_versioned")
_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.restype, _is_valid.argtypes = ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p]
_get = ctypes.pythonapi.PyCapsule_GetPointer
_get.restype, _get.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]


def _end_tensor(tensor: int) -> None:
    """Called by whoever took the tensor, when it needs it no more."""
    _HELD.pop(tensor, None)


def _end_capsule(capsule: int) -> None:
    """Called when a capsule ends; a tensor that nobody took ends with it."""
    for name in _NAMES:
        if _is_valid(capsule, name):
            _HELD.pop(_get(capsule, name), None)


_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_release, _drop = _CALLBACK(_end_tensor), _CALLBACK(_end_capsule)


class Tensor:
    """A live array of doubles for torch.from_dlpack(), jax.dlpack.from_dlpack(), ...: read-only.

    share: libraries that know no version 1 of DLPack, and could write to it, share the memory too; else they get a copy
    """

    def __init__(self, array: npt.NDArray[np.float64], *, share: bool = False) -> None:
        self.array = array
        self.share = share

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return self.array if dtype is None and not copy else np.array(self.array, dtype)

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CPU, 0

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: Any = None,
        copy: bool | None = None,
    ) -> Any:
        if dl_device not in (None, (_CPU, 0)):
            raise BufferError("it is in the memory of the processor")
        knows_read_only = max_version is not None and max_version[0] >= 1
        must_copy = not knows_read_only and not self.share
        if must_copy and copy is False:
            raise BufferError("without a copy it needs version 1 of DLPack, which knows read-only tensors")
        is_copy = bool(copy) or must_copy
        array = self.array.copy() if is_copy else self.array
        shape = (ctypes.c_int64 * max(array.ndim, 1))(*array.shape)
        data = int(ffi.cast("uintptr_t", ffi.from_buffer(array)))
        told = _Array(data, _CPU, 0, array.ndim, _FLOAT, 64, 1, ctypes.addressof(shape), None, 0)
        end = ctypes.cast(_release, ctypes.c_void_p)
        flags = _COPIED if is_copy else _READ_ONLY
        made = _Versioned(1, 0, None, end, flags, told) if knows_read_only else _Legacy(told, None, end)
        place = ctypes.addressof(made)
        _HELD[place] = (made, shape, array)
        return _new(place, _NAMES[knows_read_only], _drop)
