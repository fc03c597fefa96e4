"""The Python package gives what the program prints, to the last bit."""

import functools
import ast
import concurrent.futures
import contextlib
import copy
import ctypes.util
import gc
import importlib.util
import json
import math
import os
import pickle
import pydoc
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback
import typing
import unittest
import unittest.mock
import weakref
import xml.etree.ElementTree
from pathlib import Path

import weir

ROOT = Path(os.environ["WEIR_SOURCE_DIR"])
PROGRAM = os.environ["WEIR"]
QUICKSTART = ROOT / "examples" / "quickstart.yaml"
NOISY = ROOT / "examples" / "noisy.yaml"


def printed(*arguments):
    """The JSON that the program prints."""
    done = subprocess.run([PROGRAM, *map(str, arguments), "--json"], capture_output=True, check=True)
    return json.loads(done.stdout)


def same(value, number):
    return number is None if math.isnan(value) else value == number


class Simulate(unittest.TestCase):
    def expect_runs(self, rows, runs):
        self.assertEqual(len(rows), len(runs))
        for row, run in zip(rows, runs):
            self.assertEqual(row["policy"], run["policy"])
            for name, number in run["metrics"].items():
                self.assertTrue(same(row[name], number), f"{name}: {row[name]!r}, {number!r}")

    def test_measures_are_those_of_the_program(self):
        for window in ("none", "auto"):
            runs = printed("simulate", QUICKSTART, "--policy", "all", "--window", window)["runs"]
            names = [run["policy"] for run in runs]
            self.expect_runs(weir.simulate(QUICKSTART, names, window=window), runs)

    def test_applications_are_those_of_the_program(self):
        run = printed("simulate", QUICKSTART, "--policy", "fcfs")["runs"][0]
        rows = weir.simulate(QUICKSTART, "fcfs", per_app=True)
        for row, app in zip(rows, run["applications"]):
            for name, value in app.items():
                self.assertTrue(row[name] == value or same(row[name], value), name)

    def test_a_mapping_is_the_file(self):
        scenario = {"platform": {"bandwidth": "1 GB/s"},
                    "applications": [{"name": "ä\"b", "nodes": 1, "work": "10 s", "io": "5 GB",
                                      "iterations": 3}]}
        row = weir.simulate(scenario, "fcfs")[0]
        self.assertEqual(row["makespan"], 45)
        self.assertEqual(weir.simulate(scenario, "fcfs", per_app=True)[0]["name"], "ä\"b")

    def test_seeds_are_the_programs(self):
        noisy = ROOT / "examples" / "noisy.yaml"
        rows = weir.simulate(noisy, "surplus", seeds=[3, 4])
        self.assertEqual([row["seed"] for row in rows], [3, 4])
        self.assertNotEqual(rows[0]["makespan"], rows[1]["makespan"])
        for row in rows:
            runs = printed("simulate", noisy, "--policy", "surplus", "--seed", row["seed"])["runs"]
            self.expect_runs([row], runs)

    def test_a_number_of_seeds_counts_them(self):
        rows = weir.simulate(QUICKSTART, "fcfs", seeds=3)
        self.assertEqual([row["seed"] for row in rows], [1, 2, 3])

    def test_a_plain_function_is_a_strategy(self):
        def first(view, level=1.0):
            self.assertEqual(len(view.active) + len(view.working) <= 4, True)
            return view.greedy(lambda app: (app.posted, app.finished, app.done_volume))
        mine, = weir.simulate(QUICKSTART, first)
        given, = weir.simulate(QUICKSTART, functools.partial(first, level=0.5))
        theirs, = weir.simulate(QUICKSTART, "fcfs")
        self.assertEqual(given["policy"], "first:level=0.5")
        self.assertEqual(mine["max_stretch"], theirs["max_stretch"])

    def test_a_strategy_can_ask_to_be_woken(self):
        calls = []

        def often(view):
            calls.append(view.now)
            view.wake = view.now + 1
            return view.greedy(lambda app: app.posted)
        weir.simulate(QUICKSTART, often)
        few = len(calls)
        calls.clear()
        weir.simulate(QUICKSTART, lambda view: calls.append(view.now) or view.greedy(lambda a: a.posted))
        self.assertGreater(few, 2 * len(calls))

    def test_the_version_is_that_of_the_library(self):
        self.assertRegex(weir.__version__, r"^[0-9]+[.][0-9]+[.][0-9]+$")

    def test_a_scenario_that_is_passed_stays_as_it_is(self):
        scenario = weir.Scenario.load(QUICKSTART)
        before = weir.simulate(scenario, "fcfs")
        weir.simulate(scenario, "fcfs", window="auto", seeds=[7])
        after = weir.simulate(scenario, "fcfs")
        self.assertEqual(before[0]["makespan"], after[0]["makespan"])

    def test_the_default_strategies_are_the_programs(self):
        self.expect_runs(weir.simulate(QUICKSTART), printed("simulate", QUICKSTART)["runs"])
        everything = printed("simulate", QUICKSTART, "--policy", "all")["runs"]
        self.expect_runs(weir.simulate(QUICKSTART, "all"), everything)

    def test_windows_are_read_as_the_program_reads_them(self):
        for window in ("10min:20min", "0:600", "auto", "none"):
            runs = printed("simulate", QUICKSTART, "--policy", "fcfs", "--window", window)["runs"]
            self.expect_runs(weir.simulate(QUICKSTART, "fcfs", window=window), runs)
        for window in ((600, 1200), [600.0, 1200.0]):
            self.assertEqual(weir.simulate(QUICKSTART, "fcfs", window=window)[0]["min_yield"],
                             weir.simulate(QUICKSTART, "fcfs", window="10min:20min")[0]["min_yield"])

    def test_strategies_know_what_the_program_lets_them_know(self):
        scenario = ROOT / "examples" / "noisy.yaml"
        exact = weir.simulate(scenario, "greedy-com")[0]
        self.assertEqual((exact["knowledge"], exact["progress_age"]), ("exact", 0))
        for knowledge, age in (("30%", 0), ("mean", 0), ("exact", 60), ("mean", 5.5)):
            runs = printed("simulate", scenario, "--policy", "greedy-com", "--policy", "surplus",
                           "--knowledge", knowledge,
                           *(["--progress-age", age] if age else []))["runs"]
            rows = weir.simulate(scenario, ["greedy-com", "surplus"], knowledge=knowledge,
                                 progress_age=age)
            self.expect_runs(rows, runs)
            self.assertEqual((rows[0]["knowledge"], rows[0]["progress_age"]), (knowledge, age))
        self.assertNotEqual(weir.simulate(scenario, "greedy-com", knowledge="mean")[0]["mean_stretch"],
                            exact["mean_stretch"])

    def test_mistakes_are_the_messages_of_the_program(self):
        for call, text in (
            (lambda: weir.simulate("/no/such/file.yaml"), "/no/such/file.yaml"),
            (lambda: weir.simulate(QUICKSTART, "fcsf"), "did you mean 'fcfs'?"),
            (lambda: weir.simulate({"platform": {}}), "text"),
            (lambda: weir.simulate(QUICKSTART, window="soon"), "invalid window 'soon'"),
            (lambda: weir.simulate(QUICKSTART, window="5"), "expected auto, none, START:END or FROM/TO"),
            (lambda: weir.simulate(QUICKSTART, window=(5, 2)), "window"),
            (lambda: weir.simulate(QUICKSTART, window=(0, math.nan)), "window"),
            (lambda: weir.simulate(QUICKSTART, knowledge="130%"), "knowledge: '130%'"),
            (lambda: weir.simulate(QUICKSTART, progress_age=-1), "expected seconds from 0 on"),
            (lambda: weir.generate("jupitre"), "did you mean 'jupiter'?"),
            (lambda: weir.generate("jupiter", set=11), "set"),
            (lambda: weir.import_logs("swf", "x"), "missing --io-ratio R"),
            (lambda: weir.import_logs("csv", "x", gap=3), "--gap has no effect on 'csv'"),
            (lambda: weir.import_logs("sacct", "x", io_ratio=1, release="now"), "start or submit"),
            (lambda: weir.import_logs("csv", []), "no file to import"),
            (lambda: weir.bound(QUICKSTART, min_yield=0.5), "needs a window"),
            (lambda: weir.bound(QUICKSTART, window="auto", min_yield=2), "expected 0 to 1"),
        ):
            with self.subTest(text), self.assertRaisesRegex(weir.Error, re.escape(text)):
                call()

    def test_arguments_of_the_wrong_kind_are_pythons_errors(self):
        class Odd:
            pass

        for kind, call, text in (
            (ValueError, lambda: weir.simulate(QUICKSTART, seeds=-1), "seeds -1: expected 0 to"),
            (ValueError, lambda: weir.simulate(QUICKSTART, seeds=[1, 2**64]), "seed 184467440737"),
            (TypeError, lambda: weir.simulate(QUICKSTART, seeds="12"), "seeds '12': expected a whole"),
            (TypeError, lambda: weir.simulate(QUICKSTART, seeds=1.5), "seeds 1.5"),
            (TypeError, lambda: weir.simulate(QUICKSTART, seeds=[True]), "seed True"),
            (TypeError, lambda: weir.simulate(QUICKSTART, seeds=Odd()), "whole number, not Odd"),
            (TypeError, lambda: weir.simulate(QUICKSTART, window=5), "window 5: expected 'auto'"),
            (ValueError, lambda: weir.simulate(QUICKSTART, window=(1, 2, 3)), "(start, end)"),
            (TypeError, lambda: weir.simulate(QUICKSTART, window=("0", 1)), "start of the window"),
            (TypeError, lambda: weir.simulate(QUICKSTART, knowledge=30), "knowledge 30"),
            (TypeError, lambda: weir.simulate(QUICKSTART, progress_age="1 s"), "progress_age '1 s'"),
            (TypeError, lambda: weir.simulate(QUICKSTART, [3]), "expected a name or a function"),
            (TypeError, lambda: weir.simulate(5), "int"),
            (ValueError, lambda: weir.simulate("a\0b"), "0 byte"),
            (ValueError, lambda: weir.simulate(QUICKSTART, "fcfs\0"), "0 byte"),
            (ValueError, lambda: weir.generate("jupiter", seed=-1), "seed -1"),
            (TypeError, lambda: weir.import_logs("csv", "x", bandwidth="1GB/s"), "bandwidth '1GB/s'"),
            (ValueError, lambda: weir.import_logs("csv", "x", iterations=0), "above 0"),
            (TypeError, lambda: weir.import_logs("csv", "x", color=1), "color"),
            (TypeError, lambda: weir.bound(QUICKSTART, min_yield="1"), "min_yield '1'"),
        ):
            with self.subTest(text), self.assertRaisesRegex(kind, re.escape(text)):
                call()

    def test_a_call_costs_little_also_with_a_window_and_seeds(self):
        # What a call adds, in a scenario with next to no work, against a window of 60 applications.
        # The shortest of many times, of which another process on the machine makes few longer.
        tiny = weir.Scenario.parse({"platform": {"bandwidth": 1},
                                    "applications": [{"nodes": 1, "work": 1, "iterations": 1}]})
        window = weir.generate("synthetic", seed=1)

        def shortest(times, scenario, **options):
            spent = []
            for _ in range(times):
                start = time.process_time()
                weir.simulate(scenario, "fcfs", **options)
                spent.append(time.process_time() - start)
            return min(spent)

        for options in ({}, {"window": "auto"}, {"seeds": [7]}, {"knowledge": "exact"}):
            with self.subTest(options):
                self.assertLess(shortest(300, tiny, **options), 0.05 * shortest(5, window, **options))

    def test_no_option_writes_or_reads_yaml(self):
        scenario = weir.generate("synthetic", seed=1)
        lib = scenario._library
        calls = []
        with unittest.mock.patch.object(
                lib, "call", side_effect=lambda name, *rest: calls.append(name) or
                type(lib).call(lib, name, *rest)):
            weir.simulate(scenario, "fcfs", window="auto", seeds=[1, 2], knowledge="mean")
        self.assertEqual(calls.count("weir_scenario_copy"), 1)
        self.assertFalse({"weir_scenario_text", "weir_scenario_parse"} & set(calls))


class Answers(unittest.TestCase):
    def expect_same(self, name, source, words, **options):
        """A function returns what its command prints, for a path and for a scenario in memory."""
        function, expected = getattr(weir, name), printed(name, source, *words)
        self.assertEqual(function(source, **options), expected)
        self.assertEqual(function(weir.Scenario(source), **options), expected)

    def test_capacity_is_that_of_the_program(self):
        self.expect_same("capacity", QUICKSTART,
                         ["--application", "analysis", "--max-stretch", "1.5", "--policy", "fcfs",
                          "--policy", "surplus"],
                         application="analysis", max_stretch=1.5, policy=["fcfs", "surplus"])

    def test_compare_is_that_of_the_program(self):
        self.expect_same("compare", QUICKSTART,
                         ["--ensemble", "2", "--policy", "fcfs", "--policy", "surplus",
                          "--sweep", "bandwidth=1x,2x"],
                         ensemble=2, policy=["fcfs", "surplus"], sweep="bandwidth=1x,2x")

    def test_compare_keeps_the_order_of_its_sources(self):
        answer = weir.compare(QUICKSTART, weir.Scenario(NOISY), "synthetic", seeds=1, ensemble=1,
                              policy="fcfs")
        self.assertEqual([case["scenario"] for case in answer["cases"]],
                         ["quickstart", "noisy", "synthetic"])

    def test_blame_is_that_of_the_program(self):
        self.expect_same("blame", QUICKSTART, ["--policy", "fcfs", "--top", "1"],
                         policy="fcfs", top=1)
        self.expect_same("blame", QUICKSTART, ["--window", "0:1000"], window=(0, 1000))

    def test_checkpoint_is_that_of_the_program(self):
        self.expect_same("checkpoint", QUICKSTART,
                         ["--application", "climate", "--mtbf", "2h", "--interval", "20min",
                          "--interval", "30min"],
                         application="climate", mtbf=7200, interval=[1200, "30min"])
        self.expect_same("checkpoint", QUICKSTART, ["--all", "--node-mtbf", "30d"],
                         all=True, node_mtbf="30d")

    def test_describe_is_that_of_the_program(self):
        self.expect_same("describe", ROOT / "examples" / "traced.yaml", [])

    def test_map_is_that_of_the_program(self):
        self.expect_same("map", ROOT / "examples" / "jobs.yaml",
                         ["--method", "list", "--backfill", "--io-nodes", "2"],
                         method="list", backfill=True, io_nodes=2)

    def test_partition_is_that_of_the_program(self):
        self.expect_same("partition", QUICKSTART, [])

    def test_recommend_is_that_of_the_program(self):
        self.expect_same("recommend", QUICKSTART, ["--seeds", "3", "--objective", "fairness"],
                         seeds=3, objective="fairness")
        words = ["synthetic:pressure=0.9", "--seeds", "2", "--policy", "surplus"]
        self.assertEqual(weir.recommend("synthetic:pressure=0.9", seeds=2, policy="surplus"),
                         printed("recommend", *words))

    def test_recommend_reads_a_database(self):
        with tempfile.TemporaryDirectory() as folder:
            database = Path(folder) / "results.sqlite"
            subprocess.run([PROGRAM, "campaign", ROOT / "examples/campaign/bandwidth.yaml", "--db",
                            database], capture_output=True, check=True)
            self.assertEqual(weir.recommend(database), printed("recommend", database))

    def test_mistakes_raise_the_message_of_the_program(self):
        with self.assertRaisesRegex(weir.Error, "^capacity: --most: expected 1 to "):
            weir.capacity(QUICKSTART, application="analysis", max_stretch=2, most=0)
        with self.assertRaisesRegex(weir.Error, "^capacity: unknown option '--mots'"):
            weir.capacity(QUICKSTART, mots=3)


class Others(unittest.TestCase):
    def test_generate_writes_what_the_program_writes(self):
        done = subprocess.run([PROGRAM, "generate", "jupiter", "--set", "3"], capture_output=True,
                              check=True)
        self.assertEqual(weir.generate("jupiter", set=3).yaml(), done.stdout.decode())

    def test_import_builds_what_the_program_builds(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "jobs.csv"
            log.write_text("name,nodes,work,io\na,4,10,5e9\nb,2,3,1e9\n")
            done = subprocess.run([PROGRAM, "import", "csv", log, "--bandwidth", "1GB/s"],
                                  capture_output=True, check=True)
            scenario = weir.import_logs("csv", [log], bandwidth=1e9)
            self.assertEqual(scenario.yaml(), done.stdout.decode())

    def expect_import(self, format, log, options, **keywords):
        done = subprocess.run([PROGRAM, "import", format, log, *options], capture_output=True,
                              check=True)
        theirs = [line for line in done.stdout.decode().splitlines() if not line.startswith("#")]
        for paths in (log, str(log), [log]):
            self.assertEqual(weir.import_logs(format, paths, **keywords).yaml().splitlines(), theirs)
        return "\n".join(theirs)

    def test_import_warns_of_what_was_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "jobs.csv"
            log.write_text("name,nodes,work,io\na,4,10,5e9\nb,none,3,1e9\nc,1,1,1e9\n")
            scenario = weir.import_logs("csv", [log], bandwidth=1e9, lenient=True)
            self.assertIn("skipped 1 line", scenario.warning)
            self.assertNotIn("\n", scenario.warning)

    def test_import_has_the_options_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "jobs.swf"
            log.write_text("1 0 50 900 4 -1 -1 4 900 -1 1 1 1 1 1 -1 -1 -1\n"
                           "2 9 70 300 8 -1 -1 8 300 -1 1 1 1 1 1 -1 -1 -1\n")
            options = ["--bandwidth", "1GB/s", "--io-ratio", "0.1", "--procs-per-node", "2",
                       "--iterations", "3"]
            keywords = {"bandwidth": 1e9, "io_ratio": 0.1, "procs_per_node": 2, "iterations": 3}
            start = self.expect_import("swf", log, options, **keywords)
            submit = self.expect_import("swf", log, [*options, "--release", "submit"], **keywords,
                                        release="submit")
            self.assertNotEqual(start, submit)

    def test_periods_of_traces_are_found_as_by_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "phases.csv"
            log.write_text("name,nodes,work,io\n" + "a,4,10,5e9\n" * 12)
            options, keywords = ["--bandwidth", "1GB/s"], {"bandwidth": 1e9}
            self.assertIn("period: ", self.expect_import("csv", log, options, **keywords))
            folded = self.expect_import("csv", log, [*options, "--periodic"], **keywords,
                                        periodic=True)
            self.assertIn("iterations: ", folded)

    def test_efficiency_is_bounded_given_a_min_yield(self):
        given = printed("bound", QUICKSTART, "--window", "auto", "--min-yield", "0.6")["given"]
        found = weir.bound(QUICKSTART, window="auto", min_yield=0.6)
        self.assertEqual(found["given_min_yield"], 0.6)
        self.assertEqual(found["given_efficiency"], given["efficiency"])
        self.assertTrue(math.isnan(
            weir.bound(QUICKSTART, window="auto", min_yield=1)["given_efficiency"]))

    def test_a_scenario_without_io_has_no_bounds(self):
        idle = {"name": "idle", "platform": {"bandwidth": 1},
                "applications": [{"nodes": 1, "work": 1, "iterations": 1}]}
        for options in ({}, {"window": "auto", "min_yield": 0.5}):
            with self.assertRaisesRegex(weir.Error, "idle: no application has I/O"):
                weir.bound(idle, **options)

    def test_bounds_are_those_of_the_program(self):
        for window in ("none", "auto"):
            bounds = printed("bound", QUICKSTART, "--window", window)["bound"]
            found = weir.bound(QUICKSTART, window=window)
            for name, number in bounds.items():
                self.assertEqual(found[name], number)

    def test_a_plan_is_that_of_the_program(self):
        plan = weir.plan(ROOT / "examples" / "jupiter1.yaml")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "plan.json"
            subprocess.run([PROGRAM, "plan", ROOT / "examples" / "jupiter1.yaml", "-o", path],
                           capture_output=True, check=True)
            theirs = json.loads(path.read_text())
        for key in ("period", "sys_efficiency", "dilation", "applications"):
            self.assertEqual(plan[key], theirs[key])

    def test_policies_are_all_there(self):
        listed = printed("policies")["policies"]
        self.assertEqual(list(weir.policies()), [policy["name"] for policy in listed])


class Databases(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = Path(self.place.name)

    def make(self, name):
        path = self.folder / name
        with contextlib.closing(sqlite3.connect(os.fsencode(path))) as connection:
            connection.execute("CREATE TABLE run (policy TEXT, min_yield REAL)")
            connection.execute("INSERT INTO run VALUES ('fcfs', 0.5)")
            connection.commit()
        return path

    def test_a_database_is_read_only(self):
        path = self.make("x.sqlite")
        with self.assertRaisesRegex(weir.Error, "readonly"):
            weir.query(path, "DELETE FROM run")
        self.assertEqual(len(weir.query(path)), 1)

    def test_any_name_opens_that_file_and_makes_no_other(self):
        names = ["a b.sqlite", "a?b.sqlite", "a#b.sqlite", "a%41.sqlite", "ä.sqlite", "x?mode=rwc",
                 os.fsdecode(b"\xff.sqlite")]
        paths = [self.make(name) for name in names]
        for path in paths:
            with self.subTest(path):
                self.assertEqual(len(weir.query(path)), 1)
                self.assertEqual(len(weir.query(str(path))), 1)
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(names))
        with self.assertRaisesRegex(weir.Error, "no such file"):
            weir.query(self.folder / "other?.sqlite")
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(names))

    def test_what_cannot_be_read_is_an_error(self):
        path = self.make("x.sqlite")
        text = self.folder / "text"
        text.write_text("platform: {bandwidth: 1}\n" * 50)
        for call, message in (
            (lambda: weir.query("/no/such.sqlite"), "cannot open /no/such.sqlite: no such file"),
            (lambda: weir.query(text), "not a database"),
            (lambda: weir.query(self.folder), "not a file"),
            (lambda: weir.query(path, ""), "'' has no result, expected a SELECT"),
            (lambda: weir.query(path, " -- nothing"), "has no result"),
            (lambda: weir.query(path, "SELECT * FROM runs"), "no such table: runs"),
            (lambda: weir.query(path, "SELEC 1"), "syntax error"),
            (lambda: weir.query(path, "SELECT 1; SELECT 2"), "one statement"),
        ):
            with self.subTest(message), self.assertRaisesRegex(weir.Error, message):
                call()

    def campaign(self):
        study = self.folder / "study.yaml"
        study.write_text(f"scenarios: [{NOISY}]\nstrategies: [fcfs, surplus]\nseeds: 3\n")
        path = self.folder / "study.sqlite"
        subprocess.run([PROGRAM, "campaign", study, "--db", path], capture_output=True, check=True)
        return path

    def test_a_campaign_has_the_measures_of_simulate(self):
        rows = weir.query(self.campaign(),
                          "SELECT strategy, dilation FROM run ORDER BY seed, strategy")
        rows = rows.to_dict("records") if hasattr(rows, "to_dict") else rows
        mine = weir.simulate(NOISY, ["fcfs", "surplus"], seeds=[1, 2, 3])
        self.assertEqual([(row["strategy"], row["dilation"]) for row in rows],
                         [(row["policy"], row["dilation"]) for row in mine])

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is missing")
    def test_pandas_takes_runs_and_campaigns(self):
        import pandas

        path = self.campaign()
        frame = weir.query(path)
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual(len(frame), 6)
        self.assertEqual(frame.dilation.dtype, float)
        mine = pandas.DataFrame(weir.simulate(NOISY, ["fcfs", "surplus"], seeds=range(1, 4)))
        self.assertTrue(frame.groupby("strategy").dilation.max().equals(
            mine.groupby("policy").dilation.max()))
        empty = weir.query(path, "SELECT seed, makespan FROM run WHERE 0")
        self.assertEqual((list(empty.columns), len(empty)), (["seed", "makespan"], 0))
        twice = weir.query(path, "SELECT seed, seed FROM run")
        self.assertEqual(list(twice.columns), ["seed", "seed"])
        apps = pandas.DataFrame(weir.simulate(QUICKSTART, "fcfs", per_app=True))
        self.assertEqual(apps.stretch.dtype, float)
        numpy_seeds = weir.simulate(QUICKSTART, "fcfs", seeds=mine.seed.to_numpy())
        self.assertEqual([row["seed"] for row in numpy_seeds], list(mine.seed))


class Knowledge(unittest.TestCase):
    def test_a_scenario_keeps_what_its_strategies_know(self):
        scenario = weir.Scenario(QUICKSTART)
        scenario.set_knowledge("mean", 5)
        own = scenario.run("surplus")[0]
        self.assertEqual(weir.simulate(scenario, "surplus")[0], own)
        self.assertEqual(weir.simulate(scenario, "surplus", progress_age=0)[0]["knowledge"], "mean")
        self.assertNotEqual(weir.simulate(scenario, "surplus", knowledge="exact")[0], own)


class Strategies(unittest.TestCase):
    def test_a_mapping_that_repeats_itself_is_refused(self):
        class Repeats(dict):
            def items(self):
                return [(next(iter(self)), 1.0)] * 100000

        @weir.strategy
        def repeats(view):
            return Repeats({app.id: 1.0 for app in view.active})

        with self.assertRaisesRegex(weir.Error, "twice"):
            weir.simulate(QUICKSTART, repeats)

    def test_a_function_is_the_built_in_strategy(self):
        @weir.strategy
        def shortest(view):
            return view.greedy(lambda app: app.remaining / app.bmax)

        @weir.strategy
        def delayed(view):
            return view.greedy(lambda app: app.yield_)

        for own, built_in in ((shortest, "greedy-com"), (delayed, "greedy-yield")):
            mine, theirs = weir.simulate(QUICKSTART, [own, built_in], window="auto")
            self.assertEqual(mine["policy"], own.name)
            self.assertAlmostEqual(mine["min_yield"], theirs["min_yield"], 9)
            self.assertAlmostEqual(mine["efficiency"], theirs["efficiency"], 9)

    def test_an_exception_in_a_strategy_is_raised_with_its_lines(self):
        @weir.strategy
        def broken(view):
            return {0: 1 / 0}

        for window in (None, "auto"):
            try:
                weir.simulate(QUICKSTART, broken, window=window)
                lines = ""
            except ZeroDivisionError:
                lines = traceback.format_exc()
            self.assertIn("return {0: 1 / 0}", lines)
            self.assertNotIn("weir.Error", lines)

    def test_a_strategy_that_breaks_the_rules_is_refused(self):
        for rates, text in (
            (lambda view: {app.id: 2 * view.bandwidth for app in view.active}, "can take"),
            (lambda view: {app.id: app.bmax for app in view.active}, "the file system has"),
            (lambda view: {view.active[0].id: -1.0}, "expected a number from 0 on"),
            (lambda view: {view.active[0].id: math.nan}, "expected a number from 0 on"),
            (lambda view: {99: 1.0}, "application 99 of 4"),
            (lambda view: {-1: 1.0}, "application -1 of 4"),
            (lambda view: {}, "greedy: "),
        ):
            greedy = weir.Strategy(rates, "greedy")
            with self.subTest(text), self.assertRaisesRegex(weir.Error, text) as caught:
                weir.simulate(QUICKSTART, greedy)
            self.assertIn("greedy: ", str(caught.exception))

    def test_a_decision_of_another_kind_is_refused(self):
        for rates, text in ((None, "returned None, expected bytes/s"), ({"a": 1}, "'str'"),
                            ({0: "fast"}, "str")):
            with self.subTest(text), self.assertRaisesRegex(TypeError, text):
                weir.simulate(QUICKSTART, weir.Strategy(lambda view: rates, "odd"))

    def test_an_interruption_ends_the_run_wherever_it_arrives(self):
        scenario = weir.generate("synthetic", seed=1, applications=6, small=2,
                                 horizon=20000)
        strategy = weir.Strategy(lambda view: view.greedy(lambda app: app.posted), "served")

        def interrupt(number, frame):
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        for microseconds in range(500, 5500, 100):
            with self.assertRaises(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, microseconds / 1e6)
                end = time.monotonic() + 60
                while time.monotonic() < end:
                    scenario.run(strategy)  # Python ignores interruptions of __del__: nothing is freed
        self.assertIs(sys.unraisablehook, sys.__unraisablehook__)

    def test_an_interruption_ends_a_run_under_a_built_in_strategy(self):
        # Millions of decisions of the slowest strategy: the run would take most of an hour.
        scenario = weir.Scenario({
            "platform": {"bandwidth": 10, "node_bandwidth": 10},
            "applications": [{"nodes": 1, "count": 200, "work": 1, "io": 10, "iterations": 10**4}]})

        def interrupt(number, frame):
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        with self.assertRaises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            scenario.run("best-next-event")
        self.assertIs(sys.unraisablehook, sys.__unraisablehook__)

    def test_what_a_run_raises_leaves_no_garbage(self):
        def broken(view):
            raise LookupError

        gc.disable()
        self.addCleanup(gc.enable)
        for policy in (weir.Strategy(broken, "broken"), "none"):
            scenario = weir.Scenario(QUICKSTART)
            kept = weakref.ref(scenario)
            try:
                scenario.run(policy)
            except (LookupError, weir.Error):  # assertRaises would clear what the exception holds
                del scenario
            self.assertIsNone(kept())


class Objects(unittest.TestCase):
    def test_threads_run_the_same_scenario_and_strategy(self):
        scenario = weir.Scenario(QUICKSTART)
        own = weir.Strategy(lambda view: view.greedy(lambda app: app.posted), "own")
        expected = weir.simulate(scenario, ["surplus", own])

        def broken(view):
            raise LookupError

        def work(index):
            if index % 4 == 3:
                with self.assertRaises(LookupError):
                    weir.simulate(scenario, weir.Strategy(broken, "broken"))
            rows = weir.simulate(scenario, ["surplus", own], seeds=range(index, index + 5))
            return [row["makespan"] for row in rows[:2]]

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for makespans in pool.map(work, range(32)):
                self.assertEqual(makespans, [row["makespan"] for row in expected])

    def test_a_copy_outlives_its_scenario(self):
        scenario = weir.Scenario(ROOT / "examples" / "noisy.yaml")
        before = weir.simulate(scenario, "fcfs")
        copies = [scenario.copy(), copy.copy(scenario), copy.deepcopy(scenario)]
        copies[0].set_seed(99)
        del scenario
        gc.collect()
        self.assertEqual(copies[0].seed, 99)
        self.assertNotEqual(weir.simulate(copies[0], "fcfs"), before)
        for other in copies[1:]:
            self.assertEqual(repr(weir.simulate(other, "fcfs")), repr(before))

    def test_what_a_strategy_keeps_of_a_view_outlives_the_run(self):
        kept = []

        def greedy(view):
            kept.append(view)
            return view.greedy(lambda app: app.posted)

        weir.simulate(QUICKSTART, weir.Strategy(greedy, "keeper"))
        gc.collect()
        self.assertGreater(kept[0].active[0].bmax, 0)

    def test_a_scenario_that_cannot_be_made_is_freed_as_well(self):
        for source in ("/no/such/file", 5, {"platform": {}}):
            with self.assertRaises((weir.Error, TypeError)):
                weir.Scenario(source)
        gc.collect()

    def test_pickling_is_refused(self):
        for thing in (weir.Scenario(QUICKSTART), weir.strategy(lambda view: {})):
            with self.assertRaisesRegex(TypeError, "cannot be pickled"):
                pickle.dumps(thing)
        self.assertEqual(str(pickle.loads(pickle.dumps(weir.Error("x")))), "x")

    def test_a_warning_can_be_read(self):
        app = {"nodes": 4, "work": 1, "iterations": 1, "count": 2}
        platform = {"bandwidth": 1, "nodes": 4}
        self.assertIn("nodes", weir.Scenario({"platform": platform, "applications": [app]}).warning)
        self.assertIsNone(weir.Scenario(QUICKSTART).warning)


class Package(unittest.TestCase):
    def imports(self, library):
        done = subprocess.run([sys.executable, "-c", "import weir"], capture_output=True, text=True,
                              env={**os.environ, "WEIR_LIBRARY": str(library)})
        return done.stderr.splitlines()[-1]

    def test_a_missing_library_is_an_import_error(self):
        self.assertRegex(self.imports("/no/libweir.so"),
                         "^ImportError: cannot load libweir: /no/libweir.so.*set WEIR_LIBRARY")

    def test_a_library_of_another_version_is_an_import_error(self):
        self.assertRegex(self.imports(ctypes.util.find_library("m")),
                         "^ImportError: libm.*version before 2 of the interface, this package needs")
        compiler = shutil.which("cc")
        if not compiler:
            self.skipTest("cc is missing")
        with tempfile.TemporaryDirectory() as folder:
            source, other = Path(folder) / "other.c", Path(folder) / "other.so"
            source.write_text("unsigned weir_simulate_abi(void) { return 99; }\n")
            subprocess.run([compiler, "-shared", "-fPIC", source, "-o", other], check=True)
            self.assertIn("version 99 of the interface", self.imports(other))

    def test_versions_are_those_of_the_headers(self):
        for header, name, number in (("simulate.h", "WEIR_SIMULATE_ABI", weir._library.SIMULATE_ABI),
                                     ("policy.h", "WEIR_POLICY_ABI", weir._library.POLICY_ABI)):
            self.assertTrue(re.search(
                rf"#define {name} {number}u?\n", (ROOT / "include" / "weir" / header).read_text()), name)

    def test_the_oldest_python_can_read_it(self):
        files = sorted((ROOT / "python" / "weir").glob("*.py"))
        files += (ROOT / "examples" / "python").glob("*.py")
        for path in files:
            tree = ast.parse(path.read_text(), feature_version=(3, 9))
            for node in ast.walk(tree):
                for hint in (getattr(node, "annotation", None), getattr(node, "returns", None)):
                    unions = [part for part in ast.walk(hint) if isinstance(part, ast.BitOr)] \
                        if hint else []
                    self.assertFalse(unions, f"{path}: X | Y is of Python 3.10")

    def test_everything_public_has_hints_and_a_text(self):
        self.assertTrue((ROOT / "python" / "weir" / "py.typed").exists())
        for name in weir.__all__:
            thing = getattr(weir, name)
            self.assertTrue(thing.__doc__, name)
            if callable(thing) and not isinstance(thing, type):
                self.assertIn("return", typing.get_type_hints(thing), name)
            for member, value in vars(thing).items() if isinstance(thing, type) else ():
                if not member.startswith("_") and callable(value):
                    self.assertTrue(value.__doc__, f"{name}.{member}")
                    typing.get_type_hints(value)
        self.assertIn("seeds: how many", pydoc.render_doc(weir))
        self.assertIn("seconds lost since release", pydoc.render_doc(weir.Active))

    def test_the_example_draws_without_matplotlib(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "matplotlib.py").write_text("raise ImportError\n")
            figure = Path(folder) / "x.svg"
            path = os.pathsep.join([folder, os.environ["PYTHONPATH"]])
            done = subprocess.run(
                [sys.executable, ROOT / "examples" / "python" / "tradeoff.py", figure],
                capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": path})
            self.assertRegex(done.stdout, r"critical-yield +0\.\d+")
            texts = {node.text for node in xml.etree.ElementTree.parse(figure).iter() if node.text}
            self.assertLessEqual({"surplus", "bound", "MinYield", "Efficiency"}, texts)


if __name__ == "__main__":
    unittest.main()
