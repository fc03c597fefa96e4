"""Questions: what the commands of the program find out, as plain data."""

from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Dict, Iterable, List, Mapping, Sequence, Union

from ._interruption import ask
from ._library import Question, encode, library
from ._scenario import Path, Scenario

#: A scenario: a path, a mapping as the YAML file would have it, or a Scenario.
Source = Union[Path, Mapping[str, Any], Scenario]


def answer(name: str, sources: Iterable[Source], **options: Any) -> Dict[str, Any]:
    """Ask the library. Options are those of the command, with _ for -; None and False stand for what
    is not given, and a list for an option that is given several times."""
    operands = list(sources)
    if any(isinstance(source, (Mapping, Scenario)) for source in operands):
        operands = [_opened(source) for source in operands]
    scenarios = [source for source in operands if isinstance(source, Scenario)]
    words = [os.fsdecode(source) for source in operands if not isinstance(source, Scenario)]
    for key, value in options.items():
        words += _words(key.replace("_", "-"), value)
    encoded = [encode(word, name) for word in words]
    question = Question(
        encode(name, "question"),
        (ctypes.c_void_p * (len(scenarios) + 1))(*[one._handle for one in scenarios], None),
        (ctypes.c_char_p * (len(encoded) + 1))(*encoded, None))
    handle = ask(library(), question)
    try:
        return json.loads(library().take_text(library().call("weir_answer_json", handle)))
    finally:
        library().lib.weir_answer_free(handle)


def _opened(source: Source) -> Union[Path, Scenario]:
    """Scenarios come before other operands: a file beside one is read, to keep their order."""
    if isinstance(source, (Mapping, Scenario)) or os.path.exists(source):
        return Scenario(source)
    return source


def _words(option: str, value: Any) -> List[str]:
    if value is None or value is False:
        return []
    if value is True:
        return [f"--{option}"]
    if option == "window" and not isinstance(value, str):
        start, end = value
        return [f"--window={start}:{end}"]
    several: Sequence[Any] = [value] if isinstance(value, (str, bytes)) or not hasattr(
        value, "__iter__") else list(value)
    return [f"--{option}={one}" for one in several]
