# glue/hot.c.
from types import TracebackType
from typing import Any

import numpy.typing as npt

class Turn:
    def __enter__(self) -> Turn: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

class Memory:
    def __new__(cls, address: int, bytes: int, owner: object) -> Memory: ...
    def __buffer__(self, flags: int) -> memoryview: ...

class Steps:
    def step(self, u: npt.ArrayLike | None = None, *, tau: npt.ArrayLike | None = None) -> None:
        """Advance by one step of dt."""
    def _ready(
        self,
        turn: Turn,
        object: int,
        set_controls: int,
        step: int,
        error: int,
        robots: int,
        nu: int,
        nv: int,
    ) -> None: ...
    def _forget(self) -> None: ...
    def _convert(self, name: str, given: Any, width: int) -> npt.NDArray[Any]: ...
    def _refuse(self) -> None: ...
    def _fail(self) -> None: ...
