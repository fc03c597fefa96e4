"""Strategies written in Python.

Each decision crosses from C to Python and back, which takes some microseconds per active application;
a built-in strategy takes well below one. So this is for experiments: an idea that proves good becomes
a plug-in in C (examples/plugin), which also runs live.
"""

from __future__ import annotations

import ctypes
import functools
import math
import operator
from ctypes import CFUNCTYPE, POINTER, Structure, c_double, c_float, c_uint32, c_uint64, c_void_p
from typing import Any, Callable, Dict, Mapping

from ._interruption import Keeper
from ._library import POLICY_ABI, Error, PolicyOps, encode


_WORKING = 1  # enum weir_state


class _App(Structure):
    """struct weir_app."""

    _fields_ = [
        ("nodes", c_double), ("bmax", c_double), ("release", c_double), ("progress", c_double),
        ("weight", c_double), ("period", c_double), ("total_work", c_double),
        ("total_io", c_double), ("iterations", c_uint32), ("share", c_float),
    ]


class _Run(Structure):
    """struct weir_run."""

    _fields_ = [
        ("app", POINTER(_App)), ("posted", c_double), ("volume", c_double), ("work", c_double),
        ("done_work", c_double), ("done_ideal", c_double), ("since", c_double),
        ("remaining", c_double), ("lost", c_double), ("rate", c_double),
        ("finished", c_uint32), ("state", c_uint32, 2), ("shared", c_uint32, 1),
        ("guessed", c_uint32, 1), ("exceeded", c_uint32, 1), ("position", c_uint32, 27),
    ]


class _View(Structure):
    """struct weir_view."""

    _fields_ = [
        ("now", c_double), ("bandwidth", c_double), ("horizon", c_double),
        ("active_bmax", c_double), ("scale", c_double), ("level", c_double),
        ("since_level", POINTER(c_double)), ("beyond", POINTER(c_double)), ("runs", POINTER(_Run)),
        ("active", POINTER(c_uint32)), ("count", c_uint32), ("active_count", c_uint32),
        ("corrections", c_uint64),
    ]


class _Grant(Structure):
    _fields_ = [("rate", c_double), ("app", c_uint32), ("shared", c_uint32)]


class _Grants(Structure):
    _fields_ = [
        ("list", POINTER(_Grant)), ("count", c_uint32), ("capacity", c_uint32),
        ("scale", c_double), ("wake", c_double),
    ]


_Decide = CFUNCTYPE(None, c_void_p, POINTER(_View), POINTER(_Grants))


class Active:
    """An application with an I/O that is not complete, now."""

    __slots__ = {
        "id": "what decisions name it by",
        "nodes": "or its bmax where nodes are unknown",
        "bmax": "bytes/s that it can use alone",
        "weight": "importance, 1 unless given",
        "posted": "when the I/O was posted",
        "volume": "its bytes, as far as they are known",
        "remaining": "those of them still to move",
        "lost": "seconds lost since release",
        "age": "seconds since release",
        "release": "when it started",
        "period": "known length of an iteration in seconds, 0 = unknown",
        "finished": "iterations that it has finished",
        "done_work": "seconds of work in these",
        "done_volume": "their bytes",
    }

    def __init__(self, id: int, run: _Run, now: float) -> None:
        app = run.app.contents
        passed = now - run.since
        self.id = id
        self.nodes = app.nodes
        self.bmax = app.bmax
        self.weight = app.weight
        self.posted = run.posted
        self.volume = run.volume
        self.remaining = max(0.0, run.remaining - run.rate * passed)
        self.lost = run.lost + passed * (1 - run.rate / app.bmax)
        self.age = now - app.release
        self.release = app.release
        self.period = app.period
        self.finished = run.finished
        self.done_work = run.done_work
        self.done_volume = max(0.0, run.done_ideal - run.done_work) * app.bmax

    @property
    def progress(self) -> float:
        """Seconds of work and of I/O alone that it has done."""
        return self.age - self.lost

    @property
    def yield_(self) -> float:
        """Progress / age; 0 at the release itself."""
        return 1 - self.lost / self.age if self.age > 0 else 0.0


class Working:
    """An application that computes, now."""

    __slots__ = {
        "id": "what decisions name it by", "nodes": "or its bmax where nodes are unknown",
        "bmax": "bytes/s that it can use alone", "weight": "importance, 1 unless given",
        "release": "when it started", "age": "seconds since release",
        "lost": "seconds lost since release",
        "period": "known length of an iteration in seconds, 0 = unknown",
        "finished": "iterations that it has finished", "done_work": "seconds of work in these",
        "done_volume": "their bytes",
    }

    def __init__(self, id: int, run: _Run, now: float) -> None:
        app = run.app.contents
        self.id, self.nodes, self.bmax, self.weight = id, app.nodes, app.bmax, app.weight
        self.release, self.age, self.lost = app.release, now - app.release, run.lost
        self.period, self.finished, self.done_work = app.period, run.finished, run.done_work
        self.done_volume = max(0.0, run.done_ideal - run.done_work) * app.bmax


class View:
    """What a decision may depend on."""

    __slots__ = {
        "wake": "set it to a time to be asked again then at the latest; inf unless set",
        "working": "the applications that compute, a list of Working by id",
        "now": "seconds",
        "bandwidth": "bytes/s of the file system",
        "horizon": "end of the window, inf if there is none",
        "active": "the applications that want bandwidth, a list of Active by id",
    }

    def __init__(self, view: _View) -> None:
        self.now = view.now
        self.bandwidth = view.bandwidth
        self.horizon = view.horizon
        self.wake = math.inf
        self.working = [Working(id, view.runs[id], view.now) for id in range(view.count)
                        if view.runs[id].state == _WORKING]
        self.active = [Active(id, view.runs[id], view.now)
                       for id in sorted(view.active[i] for i in range(view.active_count))]

    def greedy(self, key: Callable[[Active], Any]) -> Dict[int, float]:
        """Grant each in the order of a key as much as it can use of what is left; ties by id."""
        left, rates = self.bandwidth, {}
        for app in sorted(self.active, key=lambda app: (key(app), app.id)):
            rates[app.id] = min(app.bmax, left)
            left -= rates[app.id]
        return rates


Decision = Callable[[View], Mapping[int, float]]


class _Decider(Keeper):
    """A run under a strategy: what C calls, and the exception that ended it."""

    def __init__(self, strategy: "Strategy") -> None:
        super().__init__()
        self.strategy = strategy
        self.callback = _Decide(self.call)  # ctypes needs it to stay alive
        self.ops = PolicyOps(
            abi=POLICY_ABI, name=encode(strategy.name, "name"), summary=b"a Python function",
            decide=ctypes.cast(self.callback, c_void_p).value)

    def call(self, state: Any, view: Any, grants: Any) -> None:
        if self.exception is not None:
            return  # without grants, the run soon ends
        try:
            self.decide(view.contents, grants.contents)
        except BaseException as exception:  # it cannot pass through C: raised after the run
            self.exception = exception
            grants.contents.count = 0

    def decide(self, view: _View, into: _Grants) -> None:
        seen = View(view)
        rates = self.strategy.decide(seen)
        if not isinstance(rates, Mapping):
            raise TypeError(f"strategy '{self.strategy.name}' returned {rates!r}, expected bytes/s by "
                            "application id")
        if seen.wake < math.inf:
            into.wake = float(seen.wake)
        for id, rate in rates.items():
            id = operator.index(id)  # numpy's too
            if isinstance(rate, (str, bytes)):
                raise TypeError(f"strategy '{self.strategy.name}' granted {rate!r}, a "
                                f"{type(rate).__name__}, expected bytes/s")
            rate = float(rate)
            if not 0 <= id < view.count:
                raise Error(f"{self.strategy.name}: granted bandwidth to application {id} of "
                            f"{view.count}")
            if into.count == into.capacity:
                raise Error(f"{self.strategy.name}: granted bandwidth to an application twice in one "
                            "decision")
            into.list[into.count] = _Grant(rate, id, 0)
            into.count += 1


class Strategy:
    """A strategy whose decisions a Python function makes; made by weir.strategy."""

    def __init__(self, decide: Decision, name: str) -> None:
        self.decide, self.name = decide, name

    def run(self, library: Any, scenario: int) -> int:
        """Simulate a scenario's handle; the handle of the result. Threads may do so at once."""
        decider = _Decider(self)
        return decider.run(library, "weir_scenario_run_ops", scenario, ctypes.byref(decider.ops), None)

    def __call__(self, view: View) -> Mapping[int, float]:
        """Decide, as the function itself."""
        return self.decide(view)

    def __reduce__(self) -> Any:
        raise TypeError(f"the strategy '{self.name}' cannot be pickled; make it where it runs")

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<weir.Strategy {self.name!r}>"


def strategy(decide: Decision) -> Strategy:
    """Make a strategy of a function from a View to bytes/s by application id.

        @weir.strategy
        def shortest_first(view):
            return view.greedy(lambda app: app.remaining / app.bmax)

        weir.simulate("mine.yaml", ["greedy-com", shortest_first])

    simulate takes the function as it is, too. functools.partial(function, level=0.9) gives it a
    parameter, which its name shows. What is not granted gets nothing. Granting an application more than its bmax, or all together more
    than view.bandwidth, ends the run with weir.Error. An exception of the function ends it too.
    """
    function = decide.func if isinstance(decide, functools.partial) else decide
    name = getattr(function, "__name__", type(function).__name__)
    if isinstance(decide, functools.partial) and decide.keywords:
        name += ":" + ",".join(f"{key}={value}" for key, value in decide.keywords.items())
    return Strategy(decide, name)
