#!/usr/bin/env python3
"""Measures and proves the statements of `allot sql` on Spark, DuckDB, ClickHouse and PostgreSQL.

    pip install -r requirements.txt
    swift build -c release --product allot
    export ALLOT_SQL_POSTGRES="host=/run/postgresql user=postgres dbname=postgres"
    python3 Benchmarks/warehouse/warehouse.py --allot .build/release/allot --table Benchmarks/warehouse/table.md

For each engine, over the same users:

* one 50/50 experiment of 50% of the units, written by hand and by `allot sql`, in turns;
* the 20 experiments of ../comparison/definitions-20 in one statement, in both layouts;
* that the plan of each statement scans the table once, and computes each SHA-256 once;
* that all rows of the wide layout, and 100,000 users of the long one, are those of `allot assign`, and that the long layout
  of all users has the same counts by experiment and variant.

The engines throw the rows away when they are measured, so that what is measured is the assignment. Exit status 1 if a plan is
not as it should be, or if one row differs. --engines runs some of them; the results of the others are kept beside the
data, and a table of all that are there is written with --table.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import duckdb

from engines import ENGINES, unavailable
from users import Users, make_users

FOLDER = Path(__file__).resolve().parent
ONE = FOLDER / "definitions"
TWENTY = FOLDER.parent / "comparison" / "definitions-20"
INSTANT = "2026-11-21T12:00:00Z"
TARGET = 1.3  # times the statement that is written by hand

HEADINGS = [
    "engine", "rows", "by hand s", "`allot sql` s", "ratio", "20 wide s", "of one", "20 long s", "of one", "scans",
    "SHA-256", "rows equal",
]


class Allot:
    """The program, and what it assigns."""

    def __init__(self, program: Path, writer: Path, users: Users) -> None:
        self.program = program
        self.writer = writer
        self.users = users

    def statement(self, dialect: str, definitions: Path, layout: str, table: str = "users") -> str:
        """The statement."""
        return subprocess.run(
            [self.writer, "sql", "--dialect", dialect, "--definitions", definitions, "--layout", layout, "--table", table,
             "--at", INSTANT], capture_output=True, text=True, check=True).stdout

    def assign(self, definitions: Path, layout: str, rows: int, output: Path, *more: str) -> float:
        """Assigns the first users of the CSV file and returns the seconds."""
        start = time.perf_counter()
        with open(output, "wb") as file:
            subprocess.run(
                [self.program, "assign", self.users.csv(rows), "--definitions", definitions, "--layout", layout, "--at",
                 INSTANT, *more], stdout=file, stderr=subprocess.DEVNULL, check=True)
        return time.perf_counter() - start

    def rows(self, definitions: Path, layout: str, rows: int) -> dict:
        """What `allot assign` answers: a fingerprint of all rows, and in the wide layout the counts by experiment."""
        name = f"allot-{definitions.name}-{layout}-{rows}"
        known = self.users.folder / f"{name}.json"
        if not known.exists():
            path = self.users.folder / f"{name}.csv"
            self.assign(definitions, layout, rows, path, *(["--all"] if layout == "long" else []))
            source = f"read_csv('{path}', all_varchar = true, header = true, delim = ',', quote = '\"')"
            answer = {"fingerprint": fingerprint(source), "counts": counts(source) if layout == "wide" else []}
            known.write_text(json.dumps(answer), encoding="utf-8")
            path.unlink()
        return json.loads(known.read_text(encoding="utf-8"))


def columns(source: str) -> list[str]:
    return [row[0] for row in duckdb.sql(f"DESCRIBE SELECT * FROM {source}").fetchall()]


def fingerprint(source: str) -> list:
    """The number of rows, and a sum over the rows that does not depend on their order; a missing value is empty text."""
    texts = ", ".join(f"COALESCE(\"{name}\"::VARCHAR, '')" for name in columns(source))
    query = f"SELECT count(*), sum(hash(concat_ws(chr(31), {texts}))::HUGEINT)::VARCHAR FROM {source}"
    return [columns(source), *duckdb.sql(query).fetchall()[0]]


def counts(source: str) -> list:
    """The number of units by experiment and variant."""
    rows = []
    for name in columns(source):
        if name == "half" or name.startswith("experiment-"):
            query = f"SELECT COALESCE(\"{name}\", ''), count(*) FROM {source} GROUP BY 1"
            rows += [[name, variant, count] for variant, count in duckdb.sql(query).fetchall()]
    return sorted(rows)


def measure(engine, statements: dict[str, str], repetitions: int) -> dict[str, list[float]]:
    """Runs the statements in turns; those of 20 experiments every third time."""
    seconds = {name: [] for name in statements}
    for number in range(-1, repetitions):  # the first time is not counted
        for name, statement in statements.items():
            if name.startswith("20") and number % 3 != 0:
                continue
            start = time.perf_counter()
            engine.run(statement)
            if number >= 0:
                seconds[name].append(time.perf_counter() - start)
                print(f"    {name}: {seconds[name][-1]:.2f} s", file=sys.stderr, flush=True)
    return seconds


def check_plans(engine, statements: dict[str, str], folder: Path) -> tuple[dict, list[str]]:
    """Returns scans and hashes by statement, and what is wrong with them."""
    found, problems = {}, []
    for name, statement in statements.items():
        scans, hashes, text = engine.plan(statement)
        (folder / f"plan {name}.txt").write_text(text, encoding="utf-8")
        found[name] = [scans, hashes]
        wanted = [1, 20 if name.startswith("20") else 1]
        if found[name] != wanted:
            problems.append(f"{name}: {scans} scans and {hashes} hashes instead of {wanted[0]} and {wanted[1]}")
    return found, problems


def check_rows(engine, allot: Allot, statements: dict[str, str], folder: Path) -> list[str]:
    """Returns which statements give other rows than `allot assign`."""
    problems = []
    long = allot.statement(engine.dialect, TWENTY, "long", table="slice")
    for name, statement, definitions, layout, rows in (
        ("by hand", statements["by hand"], ONE, "wide", engine.rows),
        ("generated", statements["generated"], ONE, "wide", engine.rows),
        ("20 wide", statements["20 wide"], TWENTY, "wide", engine.rows),
        ("20 long", long, TWENTY, "long", min(engine.rows, 100_000)),
    ):
        wanted = allot.rows(definitions, layout, rows)["fingerprint"]
        found = json.loads(json.dumps(fingerprint(engine.save(statement, folder))))
        print(f"    {name}: {found[1]:,} rows, fingerprint {found[2]}", file=sys.stderr, flush=True)
        if found != wanted:
            problems.append(f"{name}: rows {found}, allot assign {wanted}")
    query = f"SELECT experiment, variant, count(*) AS units FROM (\n{statements['20 long']}\n) AS decided GROUP BY 1, 2"
    found = sorted([experiment, variant or "", count] for experiment, variant, count in engine.counts(query))
    if found != allot.rows(TWENTY, "wide", engine.rows)["counts"]:
        problems.append("20 long: other counts by experiment and variant than allot assign")
    return problems


def run_engine(name: str, allot: Allot, repetitions: int, threads: int, steps: list[str]) -> None:
    """Measures and checks one engine, and keeps what each step found."""
    folder = allot.users.folder / name
    folder.mkdir(exist_ok=True)
    engine = ENGINES[name](allot.users, threads)
    try:
        keep(allot.users, name, {"title": engine.title, "version": engine.version, "rows": engine.rows})
        print(f"{engine.title} {engine.version}, {engine.rows:,} rows", file=sys.stderr, flush=True)
        statements = {
            "by hand": engine.HAND_WRITTEN,
            "generated": allot.statement(engine.dialect, ONE, "wide"),
            "20 wide": allot.statement(engine.dialect, TWENTY, "wide"),
            "20 long": allot.statement(engine.dialect, TWENTY, "long"),
        }
        if "plans" in steps:
            plans, problems = check_plans(engine, statements, folder)
            keep(allot.users, name, {"plans": plans, "problems of plans": problems})
        if "time" in steps:
            keep(allot.users, name, {"seconds": measure(engine, statements, repetitions)})
        if "rows" in steps:
            problems = check_rows(engine, allot, statements, folder)
            keep(allot.users, name, {"equal": not problems, "problems of rows": problems})
    finally:
        engine.close()


def result_file(users: Users, name: str) -> Path:
    return users.folder / f"result-{name}.json"


def keep(users: Users, name: str, found: dict) -> None:
    """Adds to what is known of an engine."""
    file = result_file(users, name)
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    file.write_text(json.dumps(known | found, indent=2), encoding="utf-8")


def run_allot(allot: Allot, repetitions: int) -> None:
    """Measures `allot assign` over the CSV file, its output thrown away."""
    seconds = {"generated": [], "20 wide": [], "20 long": []}
    for _ in range(repetitions):
        for name, definitions, layout in (
            ("generated", ONE, "wide"), ("20 wide", TWENTY, "wide"), ("20 long", TWENTY, "long")
        ):
            seconds[name].append(allot.assign(definitions, layout, allot.users.rows, Path("/dev/null")))
    found = {"title": "`allot assign`, CSV", "version": "", "rows": allot.users.rows, "seconds": seconds}
    keep(allot.users, "allot", found)


def table_row(result: dict) -> list[str]:
    """The cells of one engine."""
    cells = [f"{result['title']} {result['version']}".strip(), f"{result['rows']:,}"]
    median = {name: statistics.median(runs) for name, runs in result.get("seconds", {}).items()}
    hand, one = median.get("by hand"), median.get("generated")
    cells += [f"{hand:.2f}" if hand else "", f"{one:.2f}" if one else "", f"{one / hand:.2f}" if hand else ""]
    for name in ("20 wide", "20 long"):
        cells += [f"{median[name]:.1f}", f"{median[name] / one:.1f}"] if one else ["", ""]
    plans = result.get("plans", {})
    for index in (0, 1):
        cells.append("/".join(str(plans[name][index]) for name in ("generated", "20 wide", "20 long")) if plans else "")
    cells.append({True: "yes", False: "**no**", None: ""}[result.get("equal")])
    return cells


def table(results: list[dict]) -> str:
    """All engines as Markdown."""
    return table_text([HEADINGS, *map(table_row, results)])


def table_text(rows: list[list[str]]) -> str:
    """Rows, the first of them the headings, as Markdown whose columns stand below one another."""
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    lines = [
        "| " + " | ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width) for index, (cell, width) in enumerate(zip(row, widths))
        ) + " |" for row in rows
    ]
    rule = "|" + "|".join("-" * (width + 2) if not index else "-" * (width + 1) + ":" for index, width in enumerate(widths)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def main() -> None:
    names = [*ENGINES, "allot"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--allot", type=Path, required=True, help="the allot program, built for release")
    parser.add_argument("--writer", type=Path, help="another allot program that writes the statements")
    parser.add_argument("--engines", default=",".join(names), help="which ones; default: %(default)s")
    parser.add_argument("--rows", type=int, default=10_000_000, help="users; at most 1,000,000 in PostgreSQL; default: 10000000")
    parser.add_argument("--repetitions", type=int, default=5, help="runs of each statement; default: 5")
    parser.add_argument("--threads", type=int, default=2, help="threads, or executors; default: 2")
    parser.add_argument("--steps", default="plans,time,rows", help="what to do; default: %(default)s")
    parser.add_argument("--seed", type=int, default=20261121, help="of the users; default: 20261121")
    parser.add_argument("--data", type=Path, default=Path("/tmp/warehouse"), help="kept for the next run; default: %(default)s")
    parser.add_argument("--table", type=Path, help="write the table to this file, such as table.md beside this program")
    parser.add_argument("--delete", action="store_true", help="delete the data at the end")
    arguments = parser.parse_args()
    engines = arguments.engines.split(",")
    if unknown := set(engines) - set(names):
        parser.error(f"unknown engines: {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    for program in (arguments.allot, arguments.writer):
        if program and not program.is_file():
            parser.error(f"{program} is not a file; build it with: swift build -c release --product allot")
    if min(arguments.rows, arguments.repetitions, arguments.threads) < 1:
        parser.error("--rows, --repetitions and --threads are 1 or more")

    users = make_users(arguments.data.resolve(), arguments.rows, arguments.seed)
    allot = Allot(arguments.allot.resolve(), (arguments.writer or arguments.allot).resolve(), users)
    for name in engines:
        if reason := unavailable(name):
            print(f"{name} is left out: {reason}", file=sys.stderr)
            continue
        if name == "allot":
            run_allot(allot, arguments.repetitions)
        else:
            run_engine(name, allot, arguments.repetitions, arguments.threads, arguments.steps.split(","))

    files = {name: result_file(users, name) for name in names}
    results = {name: json.loads(file.read_text(encoding="utf-8")) for name, file in files.items() if file.exists()}
    text = table(list(results.values()))
    if arguments.table:
        arguments.table.write_text(text + "\n", encoding="utf-8")
    print(text)
    problems = [
        f"{name}: error: {problem}" for name, result in results.items() for step in ("plans", "rows")
        for problem in result.get(f"problems of {step}", [])
    ]
    print("\n".join(problems))
    if arguments.delete:
        shutil.rmtree(users.folder)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
