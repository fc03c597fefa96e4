"""Exceptions, Ctrl-C above all, that arrive while C runs."""

from __future__ import annotations

import contextlib
import ctypes
import sys
import threading
from typing import Any, Iterator, Optional

from ._library import Error

_Stop = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


class Keeper:
    """A run that calls Python. An exception cannot pass through C: it is kept, and raised after the
    run."""

    def __init__(self) -> None:
        self.exception: Optional[BaseException] = None

    def free(self, library: Any, result: Optional[int]) -> None:
        """Free what came out of a run that was interrupted as it ended."""
        library.lib.weir_result_free(result)

    def run(self, library: Any, name: str, *arguments: Any) -> int:
        """Call a function that simulates; the handle of its result."""
        result, error = None, None
        with self._catching():
            try:
                result = library.call(name, *arguments)
            except Error as fault:
                error = fault
        kept, self.exception = self.exception, None
        try:
            if kept is not None:
                self.free(library, result)
                raise kept
            if error is not None:
                raise error
        finally:
            kept = error = None  # it holds this frame: the two would wait for the garbage collector
        return result

    @contextlib.contextmanager
    def _catching(self) -> Iterator[None]:
        """Keep what ctypes would print and forget: an interruption between C and the first line that
        it calls. Only the main thread is interrupted."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = sys.unraisablehook

        def keep(lost: Any) -> None:
            if "ctypes callback" in (lost.err_msg or ""):
                self.exception = self.exception or lost.exc_value
            else:
                before(lost)

        sys.unraisablehook = keep
        try:
            yield
        finally:
            sys.unraisablehook = before


class _Asker(Keeper):
    """A run under a strategy of the library, which asks from time to time whether to stop: then
    Python looks for signals."""

    def __init__(self) -> None:
        super().__init__()
        self.callback = _Stop(self.call)  # ctypes needs it to stay alive

    def call(self, context: Any) -> int:
        return int(self.exception is not None)


class _Questioner(_Asker):
    """The same of a question."""

    def free(self, library: Any, result: Optional[int]) -> None:
        library.lib.weir_answer_free(result)


def run(library: Any, scenario: int, policy: bytes) -> int:
    """Simulate a scenario's handle under a strategy of the library; the handle of the result."""
    if threading.current_thread() is not threading.main_thread():
        return library.call("weir_scenario_run", scenario, policy)
    asker = _Asker()
    return asker.run(library, "weir_scenario_run_until", scenario, policy, asker.callback, None)


def ask(library: Any, question: Any) -> int:
    """Ask the library a question; the handle of the answer."""
    asker = _Questioner()
    if threading.current_thread() is threading.main_thread():
        question.stop = ctypes.cast(asker.callback, ctypes.c_void_p)
    return asker.run(library, "weir_ask", ctypes.byref(question))
