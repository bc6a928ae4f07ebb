#!/usr/bin/env python3
"""Measures the Python package on Spark, DuckDB, Polars, pandas and pyarrow: assignment by 1, 20 and 100 experiments.

    pip install -r requirements.txt
    pip install dist/allot-*.whl    # Sources/AllotC/python/build dist
    python3 Benchmarks/warehouse/package.py

What is compared with: on Spark, `mapInArrow` with a function that gives back what it gets (the rows go to Python and come
back, and nothing is done); elsewhere, reading the same Parquet files. The experiments are the 20 of
../comparison/definitions-20, over and over with other salts. All take turns in one run; the least of each counts.
"""

import argparse
import collections
import os
import re
import sys
import tempfile
import time
import warnings
from pathlib import Path

import allot
import allot.duckdb
import allot.spark
import pyarrow.parquet

from users import make_users

TWENTY = Path(__file__).resolve().parent.parent / "comparison" / "definitions-20"
INSTANT = "2026-11-21T12:00:00Z"


def definitions(count: int) -> allot.Plan:
    """That many experiments, each of a setting and a salt of its own; every second one has an audience."""
    settings = "\n".join(f"      Setting{number:03}: {{ value: 0, type: integer }}" for number in range(count))
    files = {"base.yaml": f"config_sections:\n  Bench:\n    settings:\n{settings}\n".encode()}
    for number in range(count):
        text = (TWENTY / f"experiment-{number % 20 + 1:02}.yaml").read_text(encoding="utf-8")
        files[f"experiment-{number:03}.yaml"] = re.sub(r"Setting\d+", f"Setting{number:03}", text).encode()
    return allot.load(files=files)


def spark(users, plans, threads):
    """The jobs on Spark."""
    from pyspark.sql import SparkSession

    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    session = (
        SparkSession.builder.master(f"local[{threads}]").config("spark.driver.memory", "3g")
        .config("spark.ui.enabled", "false").config("spark.log.level", "ERROR").getOrCreate())
    frame = session.read.parquet(str(users.folder / "users"))

    def identity(batches):
        yield from batches

    def run(job):
        return lambda: job().write.format("noop").mode("overwrite").save()

    yield "identity", run(lambda: frame.mapInArrow(identity, frame.schema))
    for count, plan in plans.items():
        yield count, run(lambda plan=plan: allot.spark.assign(frame, plan, at=INSTANT))


def duckdb(users, plans, threads):
    """The jobs on DuckDB, over the Parquet files."""
    import duckdb

    connection = duckdb.connect()
    connection.execute(f"SET threads = {threads}")
    connection.execute(f"CREATE VIEW users AS SELECT * FROM read_parquet('{users.parquet}')")
    yield "reading", lambda: connection.execute("EXPLAIN ANALYZE SELECT * FROM users").fetchall()
    for count, plan in plans.items():
        name = f"assign_{count}"
        allot.duckdb.register(connection, plan, name, at=INSTANT)
        statement = f"EXPLAIN ANALYZE SELECT users.*, unnest({name}(users)) FROM users"
        yield f"{count} by a function", lambda statement=statement: connection.execute(statement).fetchall()

        def stream(plan=plan):
            assigned = plan.assign(connection.cursor().sql("FROM users").to_arrow_reader(), at=INSTANT)  # noqa: F841
            connection.execute("EXPLAIN ANALYZE SELECT * FROM assigned").fetchall()

        yield count, stream


def polars(users, plans, threads):
    """The jobs on Polars, over the Parquet files."""
    import polars

    frame = polars.scan_parquet(users.parquet)
    yield "reading", lambda: frame.collect()
    for count, plan in plans.items():
        yield count, lambda plan=plan: plan.assign(frame, at=INSTANT).collect()


def pandas(users, plans, threads):
    """The jobs on pandas, over a data frame in memory."""
    frame = pyarrow.parquet.read_table(users.folder / "users").to_pandas()
    yield "reading", lambda: pyarrow.parquet.read_table(users.folder / "users").to_pandas()
    for count, plan in plans.items():
        yield count, lambda plan=plan: plan.assign(frame, at=INSTANT)


def arrow(users, plans, threads):
    """The jobs on pyarrow, over a table in memory."""
    table = pyarrow.parquet.read_table(users.folder / "users")
    yield "reading", lambda: pyarrow.parquet.read_table(users.folder / "users")
    for count, plan in plans.items():
        yield count, lambda plan=plan: plan.assign(table, at=INSTANT)
        yield f"{count}, one thread", lambda plan=plan: plan.assign(table, at=INSTANT, threads=1)


ENGINES = {"spark": spark, "duckdb": duckdb, "polars": polars, "pandas": pandas, "arrow": arrow}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", default=",".join(ENGINES), help="default: %(default)s")
    parser.add_argument("--experiments", default="1,20,100", help="default: %(default)s")
    parser.add_argument("--rows", type=int, default=2_000_000, help="users; default: 2000000")
    parser.add_argument("--repetitions", type=int, default=5, help="runs of each; default: 5")
    parser.add_argument("--threads", type=int, default=2, help="of Spark and DuckDB; default: 2")
    parser.add_argument("--data", type=Path, default=Path(tempfile.gettempdir()) / "warehouse", help="default: %(default)s")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    plans = {count: definitions(count) for count in map(int, arguments.experiments.split(","))}
    users = make_users(arguments.data.resolve(), arguments.rows, 20261121)
    print("| | | seconds | ratio |\n|---|---|--:|--:|")
    for engine in arguments.engines.split(","):
        jobs = dict(ENGINES[engine](users, plans, arguments.threads))
        seconds = collections.defaultdict(list)
        for number in range(-1, arguments.repetitions):  # the first time is not counted
            for name, job in jobs.items():
                start = time.perf_counter()
                job()
                if number >= 0:
                    seconds[name].append(time.perf_counter() - start)
        base = min(next(iter(seconds.values())))
        for name, found in seconds.items():
            title = f"{name} experiment{'' if name == 1 else 's'}" if isinstance(name, int) else name
            print(f"| {engine} | {title} | {min(found):.2f} | {min(found) / base:.2f} |", flush=True)
            print(f"{engine} {title}: {', '.join(f'{second:.2f}' for second in sorted(found))}", file=sys.stderr)


if __name__ == "__main__":
    main()
