"""Weir from Python: simulate I/O bandwidth scheduling, and read what comes out as plain data.

    import weir
    rows = weir.simulate("examples/quickstart.yaml", ["fair-share", "surplus"], seeds=range(10))
    pandas.DataFrame(rows).groupby("policy").max_stretch.mean()

The functions call libweir, so their numbers are those of the program `weir`, to the last bit. Nothing
is printed. Mistakes raise weir.Error with the message that the program would print; arguments of the
wrong kind raise TypeError or ValueError. Without libweir the import raises ImportError.

Quantities are seconds, bytes and bytes per second. NaN stands for what has no meaning in a run.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import sqlite3
from typing import Any, Dict, Iterable, List, Optional, Union

from ._answer import Source, answer
from ._library import Error, library
from ._scenario import Path, Scenario, Window, whole
from ._strategy import Active, Strategy, View, strategy

__all__ = [
    "Active", "Error", "Scenario", "Strategy", "View", "blame", "bound", "campaign", "capacity",
    "checkpoint", "compare", "describe",
    "generate", "import_logs", "map", "partition", "plan", "policies", "query", "recommend", "simulate", "strategy",
]

library()  # ImportError unless it is there
for _public in (Active, Error, Scenario, Strategy, View):
    _public.__module__ = __name__  # the name that users know

#: A strategy: its name with parameters, "./plugin.so", or one made by weir.strategy.
Policy = Union[str, Strategy]
Row = Dict[str, Any]


def simulate(
    scenario: Source,
    policies: Union[Policy, Iterable[Policy], None] = None,
    *,
    window: Window = None,
    seeds: Union[Iterable[int], int, None] = None,
    knowledge: Optional[str] = None,
    progress_age: Optional[float] = None,
    per_app: bool = False,
) -> List[Row]:
    """Run a scenario under strategies, and return one dictionary per run.

    Each has the scenario's name, the seed, the policy, what it knows, and every measure of `weir
    simulate`. With `per_app` there is one dictionary per application of each run instead, with its measures. Either
    list is what pandas.DataFrame takes.

    policies: as the program names them, also "all"; default the few that the program runs.
    window: "auto", "none", "10min:40min", or start and end in seconds; default the scenario's own.
    seeds: one or several; default the scenario's own.
    knowledge: what strategies know of the volume of an I/O: "exact", up to a percentage more or less
        such as "30%", or the "mean" of earlier ones; default the scenario's own, which is "exact"
        unless set_knowledge changed it.
    progress_age: how many seconds late strategies may see progress; default the scenario's own.
    """
    opened = Scenario(scenario)
    opened.set_window(window)
    opened.set_knowledge(knowledge, progress_age)
    chosen = _policies(policies)
    rows: List[Row] = []
    for seed in _seeds(seeds, opened.seed):
        opened.set_seed(seed)
        for policy in chosen:
            rows += opened.run(policy, per_app=per_app)
    return rows


def _policies(given: Union[Policy, Iterable[Policy], None]) -> List[Policy]:
    if given is None:
        return list(library().names("weir_policy_usual"))
    chosen: List[Policy] = []
    for policy in [given] if isinstance(given, (str, Strategy)) else given:
        if not isinstance(policy, (str, Strategy)):
            raise TypeError(f"strategy {policy!r}: expected a name or a function made a strategy by "
                            "@weir.strategy")
        chosen += library().names("weir_policy_all") if policy == "all" else [policy]
    return chosen


def _seeds(given: Union[Iterable[int], int, None], own: int) -> List[int]:
    if given is None:
        return [own]
    several = hasattr(given, "__iter__") and not isinstance(given, (str, bytes))
    return [whole(seed, "seed") for seed in (given if several else [given])]


def generate(family: str, *, seed: int = 1, **params: Any) -> Scenario:
    """Return a scenario of a published family, as `weir generate FAMILY --param KEY=VALUE` writes it."""
    return Scenario.generate(family, seed=seed, **params)


def import_logs(
    format: str,
    paths: Union[Path, Iterable[Path]],
    *,
    bandwidth: Optional[float] = None,
    node_bandwidth: Optional[float] = None,
    nodes: Optional[float] = None,
    procs_per_node: Optional[float] = None,
    gap: Optional[float] = None,
    io_ratio: Optional[float] = None,
    io_csv: Optional[Path] = None,
    iterations: Optional[int] = None,
    release: Optional[str] = None,
    store: Optional[str] = None,
    periodic: bool = False,
    lenient: bool = False,
) -> Scenario:
    """Return a scenario built from one log or several, as `weir import FORMAT FILE...` builds it.

    The keywords are the program's options (`weir import --help`) and say what the logs do not, in
    seconds, bytes and bytes per second. `release` is "start" or "submit".
    """
    return Scenario.import_logs(
        format, paths, bandwidth=bandwidth, node_bandwidth=node_bandwidth, nodes=nodes,
        procs_per_node=procs_per_node, gap=gap, io_ratio=io_ratio, io_csv=io_csv,
        iterations=iterations, release=release, store=store, periodic=periodic, lenient=lenient)


def bound(
    scenario: Source, *, window: Window = None, min_yield: Optional[float] = None
) -> Dict[str, float]:
    """Return limits that no schedule can beat: each measure that has a bound, see `weir bound`.

    With a least `min_yield`, 0 to 1, there is also `given_efficiency`: the Efficiency of any schedule
    whose MinYield is at least `given_min_yield`; NaN if there is no such schedule.
    """
    opened = Scenario(scenario)
    opened.set_window(window)
    return opened.bound(min_yield)


def plan(scenario: Source, objective: str = "sys-efficiency") -> Dict[str, Any]:
    """Return a plan for the scenario as the content of a plan file, see `weir plan`."""
    return json.loads(Scenario(scenario).plan(objective))


def capacity(scenario: Source, **options: Any) -> Row:
    """Return how many copies of an application can run together, as `weir capacity --json` has it.

    The keywords of this function, and of the others that answer like a command, are its options
    (`weir capacity --help`), with _ for -, in seconds, bytes and bytes per second; a list where an
    option may be repeated. None stands for what has no meaning.
    """
    return answer("capacity", [scenario], **options)


def blame(scenario: Source, **options: Any) -> Row:
    """Return who makes others wait, as `weir blame --json` has it."""
    return answer("blame", [scenario], **options)


def checkpoint(scenario: Source, **options: Any) -> Row:
    """Return how often applications should write checkpoints, as `weir checkpoint --json` has it."""
    return answer("checkpoint", [scenario], **options)


def compare(*sources: Source, **options: Any) -> Row:
    """Return means, intervals and paired differences of strategies, as `weir compare --json` has them.

    sources: scenarios, and families such as "synthetic:pressure=0.9".
    """
    return answer("compare", sources, **options)


def describe(scenario: Source, **options: Any) -> Row:
    """Return what is in a scenario, and how congested it will be, as `weir describe --json` has it."""
    return answer("describe", [scenario], **options)


def map(workload: Source, **options: Any) -> Row:
    """Return where and when jobs run by several methods of mapping, as `weir map --json` has it."""
    return answer("map", [workload], **options)


def partition(scenario: Source, **options: Any) -> Row:
    """Return groups of applications and their shares, as `weir partition --json` has them."""
    return answer("partition", [scenario], **options)


def campaign(file: Path, db: Optional[Path] = None, **options: Any) -> Row:
    """Run what a database lacks of a campaign, and return what was done, as `weir campaign --json`.

    Ctrl-C stops it; what was stored stays, and the same call continues it.
    """
    return answer("campaign", [file], db=None if db is None else os.fspath(db), **options)


def recommend(source: Source, **options: Any) -> Row:
    """Return which strategy to use, and what that gains and costs, as `weir recommend --json` has it.

    source: a scenario, a family such as "synthetic:pressure=0.9", or a campaign's database.
    """
    return answer("recommend", [source], **options)


def policies() -> Dict[str, str]:
    """Return the name of every built-in strategy, with what it does."""
    return library().policies()


def query(database: Path, sql: str = "SELECT * FROM run") -> Any:
    """Read a campaign's database: a pandas.DataFrame where pandas is installed, else dictionaries.

    The file is opened for reading only. What cannot be read raises weir.Error.
    """
    path = pathlib.Path(database)
    if not path.exists():
        raise Error(f"cannot open {path}: no such file")
    if not path.is_file():
        raise Error(f"{path}: not a file, expected a campaign's database")
    try:
        address = path.resolve().as_uri() + "?mode=ro"
        with contextlib.closing(sqlite3.connect(address, uri=True)) as connection:
            cursor = connection.execute(sql)
            if cursor.description is None:
                raise Error(f"{path}: {sql!r} has no result, expected a SELECT")
            names = [column[0] for column in cursor.description]
            rows = cursor.fetchall()
    except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
        raise Error(f"{path}: {error}") from None
    try:
        import pandas
    except ImportError:
        return [dict(zip(names, row)) for row in rows]
    return pandas.DataFrame(rows, columns=names)
