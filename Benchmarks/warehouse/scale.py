#!/usr/bin/env python3
"""Measures how the time of one statement of `allot sql` grows with the experiments in it.

    pip install -r requirements.txt
    swift build -c release --product allot
    export ALLOT_SQL_POSTGRES="host=/run/postgresql user=postgres dbname=postgres"
    python3 Benchmarks/warehouse/scale.py --allot .build/release/allot

For each engine, layout and number of experiments: the CPU time (user and system) of the engine's process, the least of
three runs, because other programs may be at work meanwhile. Next to it is the engine's own SHA-256 of as many texts and
nothing else. Slopes are what one more experiment costs a row. The definitions are written to --data: each experiment has
a traffic of 50% and two variants; every second one has an audience by country, every tenth one by version too.

The table is written to scale.md.
"""

import argparse
import os
import resource
import subprocess
import sys
from pathlib import Path

from engines import ENGINES, unavailable
from users import make_users
from warehouse import INSTANT, table_text

FOLDER = Path(__file__).resolve().parent
NAMES = ["duckdb", "clickhouse", "postgresql", "spark"]

# The SHA-256 of a salt, ":" and the unit ID, as each engine computes it.
BARE = {
    "duckdb": "sha256('{salt}:' || user_id)",
    "clickhouse": "SHA256(concat('{salt}:', user_id))",
    "postgresql": "sha256(convert_to('{salt}:' || user_id, 'UTF8'))",
    "spark": "sha2(concat('{salt}:', user_id), 256)",
}


def write_definitions(folder: Path, count: int) -> Path:
    """Writes a folder of experiments, whose variants override nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        audience = []
        if number % 2 == 1:
            audience.append("country: { $in: [DE, FR, US] }")
        if number % 10 == 9:
            audience.append("app_version: { $vgte: 2.3.0 }")
        text = "status: running\ntraffic: 50%\n"
        if audience:
            text += f"audience: {{ {', '.join(audience)} }}\n"
        text += "variants:\n  - key: control\n  - key: treatment\n"
        (folder / f"experiment-{number:03}.yaml").write_text(text, encoding="utf-8")
    base = "meta:\n  creation_time: 2026-11-01T08:00Z\nconfig_sections:\n  Bench:\n    settings:\n      Size: { value: 0 }\n"
    (folder / "base.yaml").write_text(base, encoding="utf-8")
    return folder


def process_of(engine) -> int | None:
    """The process that computes, or nothing if it is this one."""
    if engine.dialect == "postgresql":
        return engine.connection.execute("SELECT pg_backend_pid()").fetchone()[0]
    if engine.dialect == "spark":
        return engine.session._jvm.java.lang.ProcessHandle.current().pid()
    return None


def cpu(process: int | None) -> float:
    """The seconds of CPU time, user and system, that a process has taken."""
    if process is None:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return usage.ru_utime + usage.ru_stime
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def least(engine, process: int | None, statement: str, repetitions: int) -> float:
    """The CPU time of the fastest of some runs."""
    times = []
    for _ in range(repetitions):
        start = cpu(process)
        engine.run(statement)
        times.append(cpu(process) - start)
    return min(times)


def measure(name: str, users, arguments) -> list[list[str]]:
    """The rows of the table for one engine."""
    engine = ENGINES[name](users, 1 if name == "postgresql" else arguments.threads)
    process = process_of(engine)
    # The headers of long statements name these settings.
    if name == "clickhouse":
        engine.connection.query("SET max_query_size = 10000000")
    if name == "postgresql":
        engine.connection.execute("SET jit = off")
    rows = []
    try:
        times: dict[str, dict[int, float]] = {}
        for count in arguments.counts:
            bare = ", ".join(BARE[name].format(salt=f"experiment-{number:03}") for number in range(count))
            statements = {"SHA-256 alone": f"SELECT {bare} FROM users"}
            folder = write_definitions(arguments.data / f"definitions-{count}", count)
            for layout in ("wide", "long"):
                statements[layout] = subprocess.run(
                    [arguments.allot, "sql", "--dialect", name, "--definitions", folder, "--layout", layout, "--at",
                     INSTANT], capture_output=True, text=True, check=True).stdout
            for kind, statement in statements.items():
                if kind == "long" and count > arguments.long:
                    continue
                seconds = least(engine, process, statement, arguments.repetitions)
                times.setdefault(kind, {})[count] = seconds
                print(f"{name}: {count} {kind}: {seconds:.2f} s", file=sys.stderr, flush=True)
        slopes = {kind: slope(by_count) / engine.rows * 1e9 for kind, by_count in times.items()}
        for kind, by_count in times.items():
            cells = [f"{by_count[count]:.2f}" if count in by_count else "" for count in arguments.counts]
            bare_slope = slopes["SHA-256 alone"]
            ratio = f"{slopes[kind] / bare_slope:.1f}" if kind != "SHA-256 alone" and bare_slope > 0 else ""
            rows.append(
                [f"{engine.title} {engine.version}", f"{engine.rows:,}", kind, *cells, f"{slopes[kind]:.0f}", ratio])
    finally:
        engine.close()
    return rows


def slope(by_count: dict[int, float]) -> float:
    """The seconds that one more experiment takes, from the least number of them to the greatest."""
    first, last = min(by_count), max(by_count)
    return (by_count[last] - by_count[first]) / max(1, last - first)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--allot", type=Path, required=True, help="the allot program, built for release")
    parser.add_argument("--engines", default=",".join(NAMES), help="which ones; default: %(default)s")
    parser.add_argument("--rows", type=int, default=100_000, help="users; default: %(default)s")
    parser.add_argument("--counts", default="1,20,100,300", help="numbers of experiments; default: %(default)s")
    parser.add_argument("--long", type=int, default=300, help="the most experiments in the long layout; default: %(default)s")
    parser.add_argument("--repetitions", type=int, default=3, help="runs of each statement; default: %(default)s")
    parser.add_argument("--threads", type=int, default=2, help="threads; PostgreSQL has one; default: %(default)s")
    parser.add_argument("--data", type=Path, default=Path("/tmp/warehouse-scale"), help="default: %(default)s")
    arguments = parser.parse_args()
    arguments.counts = [int(count) for count in arguments.counts.split(",")]
    arguments.data = arguments.data.resolve()
    # In the one process whose time is measured.
    os.environ.setdefault("ALLOT_SPARK_MASTER", f"local[{arguments.threads}]")
    users = make_users(arguments.data, arguments.rows, 20261121)
    headings = ["engine", "rows", "CPU seconds of", *map(str, arguments.counts), "slope ns", "of SHA-256"]
    rows = []
    for name in arguments.engines.split(","):
        if reason := unavailable(name):
            print(f"{name} is left out: {reason}", file=sys.stderr)
            continue
        rows += measure(name, users, arguments)
        text = table_text([headings, *rows])
        (FOLDER / "scale.md").write_text(text + "\n", encoding="utf-8")
    print(table_text([headings, *rows]))


if __name__ == "__main__":
    main()
