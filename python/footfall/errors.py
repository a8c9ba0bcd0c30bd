"""Exceptions. Each carries the C library's message as it is, and says where and what: file, line, thing."""

from __future__ import annotations


class Error(Exception):
    """A call that failed. str() is the whole message: where, what is wrong, what to do.

    status: the C library's word for the kind of failure, such as "bad argument"
    file, line: where in a file, "" and 0 if nowhere
    thing: the subject, such as "joint 'FL_HAA'", "" if there is none
    """

    status = "error"

    def __init__(self, message: str, *, file: str = "", line: int = 0, thing: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.thing = thing

    def __str__(self) -> str:  # OSError and KeyError write other things
        return self.message

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.message, self.file, self.line, self.thing)


def _again(kind: type[Error], message: str, file: str, line: int, thing: str) -> Error:
    return kind(message, file=file, line=line, thing=thing)


class ArgumentError(Error, ValueError):
    """An argument is invalid: an index out of range, a shape, a number that is not finite."""

    status = "bad argument"


class UnknownName(ArgumentError, KeyError):
    """There is nothing of that name. The message lists what there is."""


class ClosedError(ArgumentError):
    """The object has been closed."""


class OutOfMemory(Error, MemoryError):
    """There is not enough memory."""

    status = "out of memory"


class FileError(Error, OSError):
    """A file cannot be opened, read or written."""

    status = "file error"


class ParseError(Error, ValueError):
    """A file is not well formed."""

    status = "parse error"


class ModelError(Error, ValueError):
    """A file is well formed but does not describe a valid robot."""

    status = "bad model"


class UnsupportedError(Error, NotImplementedError):
    """Valid, but this version does not support it."""

    status = "not supported"


class LimitError(Error, ValueError):
    """Larger than a stated limit."""

    status = "over a limit"


class NumericError(Error, ArithmeticError):
    """A numerical failure: a step that diverges, a singular matrix."""

    status = "numerical failure"


class StoppedError(Error):
    """A callback asked to stop."""

    status = "stopped"


class InterruptedStep(Error):
    """A step was ended by interrupt() or by its time limit."""

    status = "interrupted"


# By ff_status.
OF_STATUS: tuple[type[Error], ...] = (
    Error,
    ArgumentError,
    OutOfMemory,
    FileError,
    ParseError,
    ModelError,
    UnsupportedError,
    LimitError,
    NumericError,
    StoppedError,
    InterruptedStep,
)
