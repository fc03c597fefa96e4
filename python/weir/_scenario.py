"""Scenarios: what is simulated."""

from __future__ import annotations

import ctypes
import json
import math
import operator
import os
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, SupportsFloat, Union

from ._interruption import run
from ._library import Logs, encode, encode_path, library
from ._strategy import Strategy

Path = Union[str, "os.PathLike[str]"]
#: "auto", "none", "10min:40min", or start and end in seconds; None keeps the scenario's own.
Window = Union[str, Sequence[float], None]

LARGEST_SEED = 2**64 - 1
_EVERYTHING = {"knowledge": "exact", "progress_age": 0.0}


def whole(value: Any, what: str, largest: int = LARGEST_SEED) -> int:
    """A whole number, also one of numpy's."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} {value!r}: expected a whole number, "
                        f"not {type(value).__name__}") from None
    if not 0 <= number <= largest:
        raise ValueError(f"{what} {number}: expected 0 to {largest}")
    return number


def real(value: Any, what: str) -> float:
    """A number, also one of numpy's, but no text."""
    if isinstance(value, (str, bytes, bool)) or not isinstance(value, SupportsFloat):
        raise TypeError(f"{what} {value!r}: expected a number, not {type(value).__name__}")
    return float(value)


class Scenario:
    """A platform and its applications, with a window and a seed.

    weir.Scenario(source) takes a path, a mapping as the YAML file would have it, or another Scenario,
    of which it is a copy. Threads may run one at the same time as long as none changes it.
    """

    def __init__(self, source: Union[Path, Mapping[str, Any], "Scenario"]) -> None:
        self._library, self._known = library(), _EVERYTHING
        if isinstance(source, Scenario):
            self._known = source._known
            self._handle = self._library.call("weir_scenario_copy", source._handle)
        elif isinstance(source, Mapping):
            text = encode(json.dumps(source, ensure_ascii=False), "scenario")
            self._handle = self._library.call("weir_scenario_parse", text, None)
        else:
            self._handle = self._library.call("weir_scenario_load", encode_path(source), None)

    # --- where it comes from ---------------------------------------------------------------

    @classmethod
    def _of(cls, handle: int) -> "Scenario":
        """Takes over a handle of the library."""
        scenario = cls.__new__(cls)
        scenario._library, scenario._known, scenario._handle = library(), _EVERYTHING, handle
        return scenario

    @classmethod
    def load(cls, path: Path) -> "Scenario":
        """Read a YAML file."""
        return cls._of(library().call("weir_scenario_load", encode_path(path), None))

    @classmethod
    def parse(cls, source: Union[str, Mapping[str, Any]]) -> "Scenario":
        """Read YAML text, or a mapping as the file would have it."""
        if isinstance(source, Mapping):
            return cls(source)
        return cls._of(library().call("weir_scenario_parse", encode(source, "scenario"), None))

    @classmethod
    def generate(cls, family: str, *, seed: int = 1, **params: Any) -> "Scenario":
        """Draw one of a published family, see weir.generate."""
        text = encode(",".join(f"{key}={value}" for key, value in params.items()), "parameters")
        return cls._of(library().call(
            "weir_scenario_generate", encode(family, "family"), text, whole(seed, "seed")))

    @classmethod
    def import_logs(cls, format: str, paths: Union[Path, Iterable[Path]], **logs: Any) -> "Scenario":
        """Build one from logs, see weir.import_logs; None stands for what is not given."""
        files = [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)
        encoded = [encode_path(path) for path in files]
        given = Logs()
        for name, kind in Logs._fields_:
            value = logs.get(name)
            if value is not None:
                setattr(given, name, _log_option(name, kind, value))
        array = (ctypes.c_char_p * (len(encoded) + 1))(*encoded, None)
        return cls._of(library().call(
            "weir_scenario_import", encode(format, "format"), array, ctypes.byref(given)))

    def copy(self) -> "Scenario":
        """A copy to be changed; it shares the applications, so it costs next to nothing."""
        return type(self)(self)

    # --- what it is -------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The file's base name, or a family's name for it."""
        return self._library.lib.weir_scenario_name(self._handle).decode(errors="replace")

    @property
    def seed(self) -> int:
        """The seed of all random draws."""
        return self._library.lib.weir_scenario_seed(self._handle)

    @property
    def warning(self) -> Optional[str]:
        """What the program would warn of, such as more nodes in use than there are."""
        text = self._library.lib.weir_scenario_warning(self._handle)
        return None if text is None else text.decode(errors="replace")

    def yaml(self) -> str:
        """The scenario as the file that reads back to the same numbers."""
        return self._library.take_text(self._library.call("weir_scenario_text", self._handle))

    def set_seed(self, seed: int) -> None:
        """Replace the seed of all random draws."""
        self._library.lib.weir_scenario_set_seed(self._handle, whole(seed, "seed"))

    def set_window(self, window: Window) -> None:
        """Replace the window in which runs are measured: "auto", "none", "10min:40min", or start and
        end in seconds; None changes nothing."""
        if window is None:
            return
        if isinstance(window, str):
            text = encode(window, "window")
            self._library.call("weir_scenario_parse_window", self._handle, text)
            return
        try:
            start, end = window
        except (TypeError, ValueError) as error:
            raise type(error)(f"window {window!r}: expected 'auto', 'none', 'START:END' "
                              "or (start, end)") from None
        self._library.call("weir_scenario_set_window", self._handle,
                           real(start, "start of the window"), real(end, "end of the window"))

    def set_knowledge(self, volumes: Optional[str] = None,
                      progress_age: Optional[float] = None) -> None:
        """Replace what strategies know in runs: of the volume of an I/O "exact", "30%" or "mean"; and
        how many seconds late they may see progress. None leaves it as it is."""
        volumes = self._known["knowledge"] if volumes is None else volumes
        progress_age = self._known["progress_age"] if progress_age is None else progress_age
        self._library.call("weir_scenario_set_knowledge", self._handle,
                           encode(volumes, "knowledge"), real(progress_age, "progress_age"))
        self._known = {"knowledge": volumes, "progress_age": float(progress_age)}

    # --- what comes out ---------------------------------------------------------------------

    def run(self, policy: Union[str, Strategy], *, per_app: bool = False) -> List[Dict[str, Any]]:
        """Simulate once: a list of one row, or of one per application."""
        if isinstance(policy, Strategy):
            result = policy.run(self._library, self._handle)
        else:
            result = run(self._library, self._handle, encode(policy, "strategy"))
        first = {"scenario": self.name, "seed": self.seed, "policy": str(policy),
                 **self._known}
        try:
            return self._applications(result, first) if per_app else [self._measures(result, first)]
        finally:
            self._library.lib.weir_result_free(result)

    def _measures(self, result: int, first: Dict[str, Any]) -> Dict[str, Any]:
        metrics = self._library.lib.weir_result_metrics(result).contents
        return {**first, **{name: getattr(metrics, name) for name, _ in metrics._fields_}}

    def _applications(self, result: int, first: Dict[str, Any]) -> List[Dict[str, Any]]:
        rows = []
        for index in range(self._library.lib.weir_result_count(result)):
            app = self._library.lib.weir_result_app(result, index).contents
            row = {name: getattr(app, name) for name, _ in app._fields_}
            row["name"] = row["name"].decode(errors="replace")
            rows.append({**first, **row})
        return rows

    def bound(self, min_yield: Optional[float] = None) -> Dict[str, float]:
        """What no schedule can pass, see weir.bound."""
        metrics = self._library.metrics()
        self._library.call("weir_scenario_bound", self._handle, ctypes.byref(metrics))
        found = {name: getattr(metrics, name) for name, _ in metrics._fields_}
        found = {name: value for name, value in found.items() if not math.isnan(value)}
        if min_yield is not None:
            least, efficiency = real(min_yield, "min_yield"), ctypes.c_double()
            self._library.call(
                "weir_scenario_bound_given", self._handle, least, ctypes.byref(efficiency))
            found.update(given_min_yield=least, given_efficiency=efficiency.value)
        return found

    def plan(self, objective: str = "sys-efficiency") -> str:
        """The JSON of a plan file, see weir.plan."""
        text = encode(objective, "objective")
        return self._library.take_text(self._library.call("weir_scenario_plan", self._handle, text))

    # --- how long it lives ------------------------------------------------------------------

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.lib.weir_scenario_free(self._handle)
            self._handle = 0

    def __copy__(self) -> "Scenario":
        return self.copy()

    def __deepcopy__(self, memo: Any) -> "Scenario":
        return self.copy()

    def __reduce__(self) -> Any:
        raise TypeError("a weir.Scenario cannot be pickled; pickle its yaml(), which "
                        "weir.Scenario.parse reads")

    def __repr__(self) -> str:
        return f"<weir.Scenario {self.name!r}>"


def _log_option(name: str, kind: Any, value: Any) -> Any:
    """What the library takes for an option of import_logs."""
    if name == "io_csv":
        return encode_path(value)
    if kind is ctypes.c_char_p:
        return encode(value, name)
    if kind is ctypes.c_int:
        return bool(value)
    number = whole(value, name, 2**32 - 1) if kind is ctypes.c_uint32 else real(value, name)
    if not number > 0:
        raise ValueError(f"{name} {value!r}: expected a number above 0")
    return number
