"""Arrays of C memory for other libraries by DLPack, without a copy.

numpy's own arrays refuse it where they cannot be written to, unless both sides know version 1 of DLPack. Tensor offers
it to all. What is exported must not be written to: it is the state of robots.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall._native import ffi


class _Tensor(ctypes.Structure):
    """DLTensor and DLManagedTensor, as dlpack.h lays them out."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int), ("device_id", ctypes.c_int),
        ("ndim", ctypes.c_int), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
    ]  # fmt: skip


# Exports that somebody still holds: the tensor, its shape, and the array whose memory it is.
_HELD: dict[int, tuple[Any, ...]] = {}

_CPU, _FLOAT = 1, 2
_NAME = b"dltensor"
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
    if _is_valid(capsule, _NAME):
        _HELD.pop(_get(capsule, _NAME), None)


_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_release, _drop = _CALLBACK(_end_tensor), _CALLBACK(_end_capsule)


class Tensor:
    """A live array of doubles for torch.from_dlpack(), jax.dlpack.from_dlpack(), ... Do not write to it."""

    def __init__(self, array: npt.NDArray[np.float64]) -> None:
        self.array = array

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
        max_version: Any = None,
        dl_device: Any = None,
        copy: bool | None = None,
    ) -> Any:
        if dl_device not in (None, (_CPU, 0)):
            raise BufferError("it is in the memory of the processor")
        array = self.array.copy() if copy else self.array
        shape = (ctypes.c_int64 * max(array.ndim, 1))(*array.shape)
        data = int(ffi.cast("uintptr_t", ffi.from_buffer(array)))
        made = _Tensor(data, _CPU, 0, array.ndim, _FLOAT, 64, 1, ctypes.addressof(shape), None, 0, None,
                       ctypes.cast(_release, ctypes.c_void_p))  # fmt: skip
        place = ctypes.addressof(made)
        _HELD[place] = (made, shape, array)
        return _new(place, _NAME, _drop)
