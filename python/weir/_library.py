"""libweir through ctypes: its functions, structures and errors."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import POINTER, Structure, c_char, c_char_p, c_double, c_int, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Dict, List, Optional

#: Of include/weir/simulate.h and include/weir/policy.h, which say what changes them.
SIMULATE_ABI = 2
POLICY_ABI = 6


class Error(Exception):
    """What the program would print."""


class ErrorText(Structure):
    _fields_ = [("text", c_char * 512)]


class Logs(Structure):
    """struct weir_logs."""

    _fields_ = [
        ("nodes", c_double), ("node_bandwidth", c_double), ("bandwidth", c_double),
        ("gap", c_double), ("io_ratio", c_double), ("io_csv", c_char_p),
        ("procs_per_node", c_double), ("iterations", c_uint32), ("lenient", c_int),
        ("periodic", c_int), ("release", c_char_p), ("store", c_char_p),
    ]


class Question(Structure):
    """struct weir_question."""

    _fields_ = [
        ("name", c_char_p), ("scenarios", POINTER(c_void_p)), ("words", POINTER(c_char_p)),
        ("stop", c_void_p), ("context", c_void_p),
    ]


class PolicyOps(Structure):
    """struct weir_policy_ops; functions are addresses, so that each can be absent."""

    _fields_ = [
        ("abi", c_uint32), ("flags", c_uint32), ("name", c_char_p), ("summary", c_char_p),
        ("paper", c_char_p), ("params", c_void_p), ("state_size", ctypes.c_size_t),
        ("app_size", ctypes.c_size_t), ("init", c_void_p), ("joined", c_void_p),
        ("posted", c_void_p), ("completed", c_void_p), ("left", c_void_p), ("decide", c_void_p),
    ]


def _find() -> str:
    """The library: WEIR_LIBRARY, the one installed beside this package, or the system's."""
    chosen = os.environ.get("WEIR_LIBRARY")
    if chosen:
        return chosen
    name = f"libweir.so.{SIMULATE_ABI}"
    for folder in Path(__file__).resolve().parents:
        for place in [folder, *sorted(folder.glob("*-linux-gnu*"))]:
            if (place / name).exists():
                return str(place / name)
        if folder.name.startswith("lib"):
            break
    return ctypes.util.find_library("weir") or name


class Library:
    """The functions, typed; each that can fail raises Error."""

    def __init__(self) -> None:
        path = _find()
        try:
            self.lib = ctypes.CDLL(path)
        except OSError as error:
            raise ImportError(
                f"cannot load libweir: {error}; install Weir, or set WEIR_LIBRARY to its path"
            ) from None
        self._check_version(path)
        error = POINTER(ErrorText)
        scenario, result, text = c_void_p, c_void_p, c_void_p
        self._type("weir_scenario_load", scenario, c_char_p, c_void_p, error)
        self._type("weir_scenario_parse", scenario, c_char_p, c_void_p, error)
        self._type("weir_scenario_generate", scenario, c_char_p, c_char_p, c_uint64, error)
        self._type("weir_scenario_import", scenario, c_char_p, POINTER(c_char_p), POINTER(Logs), error)
        self._type("weir_scenario_copy", scenario, scenario, error)
        self._type("weir_scenario_free", None, scenario)
        self._type("weir_scenario_name", c_char_p, scenario)
        self._type("weir_scenario_warning", c_char_p, scenario)
        self._type("weir_scenario_text", text, scenario, error)
        self._type("weir_scenario_seed", c_uint64, scenario)
        self._type("weir_scenario_set_seed", None, scenario, c_uint64)
        self._type("weir_scenario_set_window", c_int, scenario, c_double, c_double, error)
        self._type("weir_scenario_parse_window", c_int, scenario, c_char_p, error)
        self._type("weir_scenario_set_knowledge", c_int, scenario, c_char_p, c_double, error)
        self._type("weir_scenario_run", result, scenario, c_char_p, error)
        self._type("weir_scenario_run_until", result, scenario, c_char_p, c_void_p, c_void_p, error)
        self._type("weir_scenario_run_ops", result, scenario, POINTER(PolicyOps), c_char_p, error)
        self._type("weir_scenario_plan", text, scenario, c_char_p, error)
        self._type("weir_ask", c_void_p, POINTER(Question), error)
        self._type("weir_answer_json", text, c_void_p, error)
        self._type("weir_answer_free", None, c_void_p)
        self._type("weir_text_free", None, text)
        self._type("weir_result_free", None, result)
        self._type("weir_result_count", c_uint32, result)
        self.metrics = self._structure("weir_metric_names", [])
        self.app_metrics = self._structure(
            "weir_app_metric_names", [("name", c_char_p), ("nodes", c_double)])
        self._type("weir_scenario_bound", c_int, scenario, POINTER(self.metrics), error)
        self._type("weir_scenario_bound_given", c_int, scenario, c_double, POINTER(c_double), error)
        self._type("weir_result_metrics", POINTER(self.metrics), result)
        self._type("weir_result_app", POINTER(self.app_metrics), result, c_uint32)

    def _check_version(self, path: str) -> None:
        """Refuse a library of which this package does not know the structures."""
        found = getattr(self.lib, "weir_simulate_abi", lambda: None)()
        if found != SIMULATE_ABI:
            raise ImportError(f"{path}: a library of version {found or 'before 2'} of the interface, "
                              f"this package needs {SIMULATE_ABI}")
        self._type("weir_policy_list", POINTER(POINTER(PolicyOps)))
        strategies = self.lib.weir_policy_list()[0].contents.abi
        if strategies != POLICY_ABI:
            raise ImportError(f"{path}: a library of version {strategies} of the strategy interface, "
                              f"this package needs {POLICY_ABI}")

    def _type(self, name: str, result: Any, *arguments: Any) -> None:
        function = getattr(self.lib, name)
        function.restype, function.argtypes = result, arguments

    def version(self) -> str:
        """Of the library."""
        self._type("weir_version", c_char_p)
        return self.lib.weir_version().decode()

    def names(self, function_name: str) -> List[str]:
        """The texts of a list that ends with NULL."""
        function = getattr(self.lib, function_name)
        function.restype = POINTER(c_char_p)
        texts, found = function(), []
        while texts[len(found)]:
            found.append(texts[len(found)].decode())
        return found

    def _structure(self, list_name: str, first: list) -> type:
        """A structure of doubles whose names the library tells, after some fixed members."""
        members = [(name, c_double) for name in self.names(list_name)]
        return type("Metrics", (Structure,), {"_fields_": first + members})

    def call(self, name: str, *arguments: Any) -> Any:
        """Calls a function whose last argument is an error; raises that if it fails."""
        error = ErrorText()
        result = getattr(self.lib, name)(*arguments, ctypes.byref(error))
        if result is None or result == -1:
            raise Error(error.text.decode(errors="replace"))
        return result

    def take_text(self, address: int) -> str:
        """A text that the library allocated, which is freed."""
        text = ctypes.string_at(address).decode()
        self.lib.weir_text_free(address)
        return text

    def policies(self) -> Dict[str, str]:
        """The built-in strategies with their summaries."""
        found: Dict[str, str] = {}
        entries = self.lib.weir_policy_list()
        while entries[len(found)]:
            ops = entries[len(found)].contents
            found[ops.name.decode()] = ops.summary.decode()
        return found


def encode(text: Any, what: str) -> bytes:
    """A text for the library, which takes a 0 byte for its end."""
    if not isinstance(text, str):
        raise TypeError(f"{what} {text!r}: expected a text, not {type(text).__name__}")
    return _whole(text.encode(), text, what)


def encode_path(path: Any) -> bytes:
    """The same for a path."""
    return _whole(os.fsencode(path), path, "path")


def _whole(encoded: bytes, given: Any, what: str) -> bytes:
    if b"\0" in encoded:
        raise ValueError(f"{what} {given!r}: there is a 0 byte in it")
    return encoded


_loaded: Optional[Library] = None


def library() -> Library:
    """The library, loaded once."""
    global _loaded
    if _loaded is None:
        _loaded = Library()
    return _loaded
