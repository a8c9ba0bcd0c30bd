"""The meeting of Python and C: errors become exceptions, pointers become objects, memory becomes arrays.

- `call(function, *args)` calls a C function whose last argument is an ff_error, and raises what it reports.
- `owned(pointer, destroy, *keep)` is a pointer that destroys its object when nobody holds it, and keeps what C says
  must outlive it until then.
- `Native` is the base of all that owns such a pointer: close(), `with`, a turn for each thread.
- `view(address, shape, owner)` is a live, read-only array of C memory, which keeps its owner alive.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from footfall import errors
from footfall._c import ffi, lib
from footfall._hot import Memory, Turn

Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int32]
ArrayLike = npt.ArrayLike
StrPath = str | os.PathLike[str]

NULL = ffi.NULL
FORKED = "this {} was made before the process forked, which its threads did not survive: make one here"
FLOAT = np.dtype(np.float64)


# ---- Errors ---------------------------------------------------------------------------------------------------------


def text(pointer: Any) -> str:
    """A C string; "" for NULL."""
    return "" if pointer == NULL else str(ffi.string(pointer).decode("utf-8", "replace"))


def name_or_none(pointer: Any) -> str | None:
    return None if pointer == NULL else text(pointer)


def failure(error: Any) -> errors.Error:
    """An ff_error as an exception."""
    status = int(error.status)
    kind = errors.OF_STATUS[status] if 0 < status < len(errors.OF_STATUS) else errors.Error
    return kind(text(error.message), file=text(error.file), line=int(error.line), thing=text(error.thing))


def call(function: Any, *args: Any) -> None:
    """Call a C function that returns an ff_status and fills an ff_error."""
    error = ffi.new("ff_error *")
    if function(*args, error) != 0:
        raise failure(error)


def create(function: Any, kind: str, *args: Any) -> Any:
    """Call a C function that creates an object: `function(*args, &out, error)`. The pointer, not owned yet."""
    out = ffi.new(f"{kind} **")
    call(function, *args, out)
    return out[0]


def encoded(path: StrPath) -> bytes:
    """A path or name for C."""
    data = os.fsencode(path)
    if b"\0" in data:
        raise errors.ArgumentError(f"{os.fspath(path)!r}: a name cannot contain a zero byte")
    return data


# ---- Pointers -------------------------------------------------------------------------------------------------------


def owned(pointer: Any, destroy: Any, *keep: object) -> Any:
    """A pointer that destroys its object when nobody holds it. `keep` lives until after that."""
    return ffi.gc(pointer, lambda p, _keep=keep: destroy(p))


class Native:
    """An object of the C library: `_c` is its pointer, `_turn` is for one thread at a time.

    close() forgets the pointer; the object is destroyed when no array shows its memory any more.
    """

    _c: Any
    _turn: Turn

    def close(self) -> None:
        """Give back the memory, once no array shows it any more. Everything but close() then raises ClosedError."""
        turn = self.__dict__.get("_turn")
        if turn is None:
            return
        with turn:
            self._closing()
            self.__dict__.clear()

    def _closing(self) -> None:
        """What a subclass does before its pointer goes."""

    @property
    def closed(self) -> bool:
        """True after close()."""
        return "_c" not in self.__dict__

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __copy__(self) -> Self:
        raise TypeError(f"a {type(self).__name__} cannot be copied")

    def __deepcopy__(self, memo: object) -> Self:
        raise TypeError(f"a {type(self).__name__} cannot be copied")

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be pickled")

    def __getattr__(self, name: str) -> Any:
        # Only for what is not there: after close(), all attributes.
        if "_c" not in self.__dict__ and not name.startswith("__"):
            if self.__dict__.get("_forked"):
                raise errors.ClosedError(FORKED.format(type(self).__name__))
            raise errors.ClosedError(f"this {type(self).__name__} is closed")
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


# ---- Arrays ---------------------------------------------------------------------------------------------------------


def view(pointer: Any, shape: tuple[int, ...], owner: object, dtype: npt.DTypeLike = FLOAT) -> npt.NDArray[Any]:
    """A live, read-only array of C memory that keeps `owner` alive."""
    kind = np.dtype(dtype)
    count = int(np.prod(shape, dtype=np.int64))
    if count == 0:
        empty = np.zeros(shape, kind)
        empty.flags.writeable = False
        return empty
    memory = Memory(int(ffi.cast("uintptr_t", pointer)), count * kind.itemsize, owner)
    found: npt.NDArray[Any] = np.frombuffer(memory, kind, count)  # type: ignore[call-overload,unused-ignore]
    return found.reshape(shape)


def array(given: ArrayLike, shape: tuple[int, ...], what: str) -> Array:
    """Numbers that somebody gave, as doubles in C order: the same array if it is such already.

    Raises ArgumentError for another shape and for what are no real numbers.
    """
    found = numbers(given, what)
    if found.shape != shape:
        raise errors.ArgumentError(f"{what}: its shape is {found.shape}, {shape} is expected", thing=what)
    return found


def numbers(given: ArrayLike, what: str) -> Array:
    """As array(), of any shape."""
    try:
        found = np.asarray(given)
    except (ValueError, TypeError) as error:
        raise errors.ArgumentError(f"{what}: it is no array of numbers: {error}", thing=what) from None
    if found.dtype.kind not in "fiu":
        raise errors.ArgumentError(f"{what}: numbers are expected, not {found.dtype}", thing=what)
    return np.ascontiguousarray(found, FLOAT).reshape(found.shape)


def pointer(values: npt.NDArray[Any] | None, kind: str = "double") -> Any:
    """The address of an array for a call; it must outlive the call. NULL for None."""
    return NULL if values is None else ffi.from_buffer(f"{kind}[]", values)


def writable(out: npt.NDArray[Any] | None, shape: tuple[int, ...], what: str = "out") -> Array:
    """An array to write to: the one given, which must be exactly right, or a new one."""
    if out is None:
        return np.empty(shape)
    right = isinstance(out, np.ndarray) and out.dtype == FLOAT and out.shape == shape
    if not (right and out.flags.c_contiguous and out.flags.writeable):
        raise errors.ArgumentError(
            f"{what}: a writable array of float64 in C order of shape {shape} is needed", thing=what
        )
    return out


def mask(given: npt.ArrayLike | None, count: int) -> npt.NDArray[np.uint8] | None:
    """A mask of robots for C: booleans [count], or indices. None: all."""
    if given is None:
        return None
    found = np.asarray(given)
    if found.dtype == np.bool_:
        if found.shape != (count,):
            raise errors.ArgumentError(f"mask: its shape is {found.shape}, ({count},) is expected", thing="mask")
        return np.ascontiguousarray(found).view(np.uint8)
    if found.size and found.dtype.kind not in "iu":
        raise errors.ArgumentError(f"mask: booleans or indices are expected, not {found.dtype}", thing="mask")
    if found.size and (found.min() < -count or found.max() >= count):
        raise errors.ArgumentError(f"mask: an index is not within 0..{count - 1}", thing="mask")
    chosen = np.zeros(count, np.uint8)
    chosen[found.astype(np.int64)] = 1
    return chosen


def position(index: int, count: int, what: str) -> int:
    """An index of a list, negative ones from its end."""
    at = int(index)
    at = at + count if at < 0 else at
    if not 0 <= at < count:
        raise errors.ArgumentError(f"there is no {what} {index}: there are {count}", thing=what)
    return at


def portions(steps: int, size: int) -> Iterator[int]:
    """Steps in calls of at most `size`: between two of them Python hears of Ctrl-C."""
    yield min(steps, size)
    for begin in range(size, steps, size):
        yield min(size, steps - begin)


def unknown(what: str, name: object, known: list[str]) -> errors.UnknownName:
    """There is no such thing: the nearest name, or all of them."""
    import difflib

    near = difflib.get_close_matches(str(name), known, 1)
    hint = f"did you mean '{near[0]}'?" if near else "there are: " + (", ".join(known[:40]) or "none")
    return errors.UnknownName(f"there is no {what} '{name}'; {hint}", thing=what)


__all__ = ["Array", "ArrayLike", "NULL", "Native", "StrPath", "Turn", "ffi", "lib"]
