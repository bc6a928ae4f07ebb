#!/usr/bin/env python3
"""Measures Allot's batch assignment against the same job in two analytical databases, CSV file to CSV file.

    pip install chdb duckdb numpy
    python3 generate_users.py /tmp/users.csv
    ../../.github/packaging/programs /tmp/programs
    python3 compare.py /tmp/users.csv --allot /tmp/programs/portable/allot [--everyone]

The job is the experiment of definitions/checkout-button.yaml: one output row per unit that is assigned a variant, with the
columns unit,experiment,variant,reason,bucket,revision. With --everyone it is that of definitions-everyone, which has
neither an audience nor a traffic below 100%, so that every unit is hashed and written. ClickHouse (chdb) and DuckDB run
inside a Python process; `cp` of the input is the floor that no system can beat. Every run is a child process of its
own, and all of them are pinned to the same processors. The runs of the systems alternate, so that a slow minute of the
machine hits all.

Seconds: for the databases the queries alone, without the start of Python and the loading of the library, which is in
their favour; for allot and cp the whole process. `process` is the whole process for all.

Afterwards every output is compared as a set of (unit, variant, bucket), and with a plain Python version of the
decision on rows spread over the input. Exit status 1 if any output differs. Runs on Linux and macOS; pinning and the
detection of other programs' load are for Linux.
"""

import argparse
import csv
import hashlib
import importlib.metadata
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
INSTANT = "2026-11-21T12:00:00Z"
HEADER = ["unit", "experiment", "variant", "reason", "bucket", "revision"]

# definitions/checkout-button.yaml, once more; definitions-everyone has its variants alone.
EXPERIMENT = "checkout-button"
COUNTRIES = ["DE", "FR", "NL", "NO", "SE", "US", "GB"]
MINIMUM_VERSION = (2, 3, 0)
TRAFFIC = 800_000  # of 1,000,000 buckets
CONTROL = 500_000  # second buckets below are control, the others green
REVISION = "0123456789abcdef"  # stands for the revision that only allot computes

# u40 * 1,000,000 >> 40 is below TRAFFIC exactly when u40 is below this.
TRAFFIC_BOUND = -(-TRAFFIC * 2**40 // 1_000_000)


# The queries
#
# Each is the fastest form found, with all columns read as text, as allot does. In parentheses: median seconds of the
# undisturbed ones of 8 or 9 runs, in fresh processes, 5,000,000 rows, two threads (chdb 4.4.0, DuckDB 2.0.0). The same
# query varies by a tenth from run to run, so smaller differences mean nothing.


def quoted(text: str) -> str:
    """Returns a string literal of standard SQL."""
    return "'" + text.replace("'", "''") + "'"


def clickhouse_queries(source: str, target: str, threads: int, everyone: bool) -> list[str]:
    """Returns the job for ClickHouse. Its rows come in any order; strings are always quoted in its CSV.

    This form: 0.91 (lowest 0.77). Better than parallel parsing: 1.13 (1.03), and that with reverse() instead of
    byteSwap() and the traffic as a bucket: 1.23 (1.17). All with one parsing thread, and within the noise of this form:
    the version as a tuple 1.00 (0.82), reverse() 1.02 (0.81), the traffic as a bucket 0.87 (0.77) or as bytes of the
    digest 1.03 (0.78), one formatting thread 0.94 (0.77), INSERT INTO FUNCTION file() 0.90 (0.79). CustomSeparated with
    the rule Raw is not faster, 0.96 (0.93), and writes no quotes, which is wrong for some unit IDs. LowCardinality
    columns: 2.34 (2.30). Less thoroughly, and without a gain: mmap, other chunk and block sizes.
    """
    source, target = (path.replace("\\", "\\\\") for path in (source, target))
    columns = "user_id String, country String, platform String, app_version String"
    countries = ", ".join(map(quoted, COUNTRIES))
    second = "bitShiftRight(byteSwap(reinterpretAsUInt64(substring(digest, 6, 8))), 24)"
    audience = f"""WHERE country IN ({countries})
                  AND arrayMap(x -> toUInt32OrZero(x), splitByChar('.', app_version)) >= {list(MINIMUM_VERSION)}"""
    traffic = f"WHERE bitShiftRight(byteSwap(reinterpretAsUInt64(digest)), 24) < {TRAFFIC_BOUND}"
    if everyone:
        audience = traffic = ""
    select = f"""
        SELECT user_id AS unit, '{EXPERIMENT}' AS experiment, if(bucket < {CONTROL}, 'control', 'green') AS variant,
               'split' AS reason, bucket, '{REVISION}' AS revision
        FROM (
            SELECT user_id, bitShiftRight({second} * 1000000, 40) AS bucket
            FROM (
                SELECT user_id, SHA256(concat('{EXPERIMENT}:', user_id)) AS digest
                FROM file({quoted(source)}, 'CSVWithNames', '{columns}')
                {audience}
            )
            {traffic}
        )
        INTO OUTFILE {quoted(target)} FORMAT CSVWithNames
    """
    parallel = int(threads > 2)
    return [f"SET max_threads = {threads}", f"SET input_format_parallel_parsing = {parallel}", select]


def duckdb_queries(source: str, target: str, threads: int, everyone: bool) -> list[str]:
    """Returns the job for DuckDB. Its rows may come in any order.

    This form: 1.58 (lowest 1.46). The default read buffer: 1.69 (1.54). The traffic as a bucket: 1.58 (1.53).
    An earlier round on a busier machine gives only the lowest of 4 runs. The default buffer took 1.47 there; the
    version by split_part, as a tuple or in cases, 1.72; the integer by a cast of BLOB to BIT 1.52; the traffic as the
    digest's hexadecimal text 1.79, as the filter then moves below the projection and the digest is computed twice; OR
    instead of IN 1.48; rows in order 1.51; FORCE_QUOTE 1.55, no quoting at all 1.48, one column of finished text 1.49.
    """
    columns = "{'user_id': 'VARCHAR', 'country': 'VARCHAR', 'platform': 'VARCHAR', 'app_version': 'VARCHAR'}"
    countries = ", ".join(map(quoted, COUNTRIES))
    audience = f"""WHERE country IN ({countries})
                      AND string_split(app_version, '.')::INTEGER[] >= {list(MINIMUM_VERSION)}"""
    traffic = f"WHERE ('0x' || substr(digest, 1, 10))::BIGINT < {TRAFFIC_BOUND}"
    if everyone:
        audience = traffic = ""
    copy = f"""
        COPY (
            SELECT user_id AS unit, '{EXPERIMENT}' AS experiment,
                   CASE WHEN bucket < {CONTROL} THEN 'control' ELSE 'green' END AS variant,
                   'split' AS reason, bucket, '{REVISION}' AS revision
            FROM (
                SELECT user_id, (('0x' || substr(digest, 11, 10))::BIGINT * 1000000) >> 40 AS bucket
                FROM (
                    SELECT user_id, sha256('{EXPERIMENT}:' || user_id) AS digest
                    FROM read_csv({quoted(source)}, header = true, auto_detect = false, delim = ',', quote = '"',
                                  escape = '"', buffer_size = 8388608, columns = {columns})
                    {audience}
                )
                {traffic}
            )
        ) TO {quoted(target)} (FORMAT csv, HEADER true)
    """
    return [f"SET threads = {threads}", "SET preserve_insertion_order = false", copy]


def run_query(system: str, source: str, target: str, threads: int, everyone: bool) -> float:
    """Runs the job in a database inside this process and returns the seconds from connection to the closed file."""
    if system == "clickhouse":
        import chdb

        start = time.perf_counter()
        connection = chdb.connect(":memory:")
        for query in clickhouse_queries(source, target, threads, everyone):
            connection.query(query)
    else:
        import duckdb

        start = time.perf_counter()
        connection = duckdb.connect(":memory:")
        for query in duckdb_queries(source, target, threads, everyone):
            connection.execute(query)
    connection.close()
    return time.perf_counter() - start


# Measuring


@dataclass
class Run:
    """One run: seconds, processor seconds (user and system), bytes of peak memory, others' share of the processors."""

    seconds: float
    process: float
    cpu: float
    memory: int
    disturbance: float


def busy_seconds() -> float | None:
    """Returns the seconds that all processors together have worked since the start, or None where this is unknown."""
    try:
        with open("/proc/stat", encoding="ascii") as file:
            ticks = [int(field) for field in file.readline().split()[1:9]]
    except OSError:
        return None
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def load_of_others(seconds: float) -> float:
    """Returns the share of the processors in use over the next seconds, while this process sleeps."""
    before = busy_seconds()
    time.sleep(seconds)
    after = busy_seconds()
    return 0.0 if before is None else (after - before) / (seconds * os.cpu_count())


def wait_for_quiet(limit: float) -> None:
    """Returns when other programs use less than 5% of the processors, or after `limit` seconds."""
    os.sync()
    deadline = time.monotonic() + limit
    while load_of_others(0.5) > 0.05 and time.monotonic() < deadline:
        time.sleep(1)


def peak_memory(process: int, end: threading.Event, peaks: list[int]) -> None:
    """Appends the highest resident memory of a running process, in bytes, until the event."""
    while not end.wait(0.02):
        try:
            with open(f"/proc/{process}/status", encoding="utf-8", errors="replace") as file:
                peaks += [int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:")]
        except OSError:
            return


def measure(command: list[str]) -> Run:
    """Runs a command to its end. A number as its whole output is the seconds that it measured itself.

    Peak memory is ru_maxrss. On Linux that is never less than what this process used when it started the child; for
    a child that stays below, it is the last high-water mark seen in /proc.
    """
    before = busy_seconds()
    start = time.perf_counter()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(command, stdout=output, stderr=errors)
        end, peaks = threading.Event(), []
        watcher = threading.Thread(target=peak_memory, args=(child.pid, end, peaks))
        watcher.start()
        _, status, usage = os.wait4(child.pid, 0)
        process = time.perf_counter() - start
        after = busy_seconds()
        end.set()
        watcher.join()
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if child.returncode != 0:
            raise SystemExit(f"{' '.join(command)}\nfailed with status {child.returncode}:\n{errors.read().decode()}")
        printed = output.read().strip()
    cpu = usage.ru_utime + usage.ru_stime
    others = 0.0 if before is None else max(0.0, after - before - cpu) / (process * os.cpu_count())
    unit = 1 if sys.platform == "darwin" else 1024
    memory = usage.ru_maxrss * unit
    if peaks and memory <= resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit:
        memory = max(peaks)
    return Run(float(printed) if printed else process, process, cpu, memory, others)


def measure_undisturbed(command: list[str], output: Path, quiet: float, attempts: int) -> Run:
    """Returns the first run in which other programs used less than 5% of the processors, else the least disturbed."""
    best = None
    for _ in range(attempts):
        output.unlink(missing_ok=True)
        wait_for_quiet(quiet)
        run = measure(command)
        if best is None or run.disturbance < best.disturbance:
            best = run
        if best.disturbance < 0.05:
            break
    return best


# Checking


def decide(user: dict[str, str], everyone: bool) -> tuple[str, str] | None:
    """Returns variant and second bucket of a user, or None: the decision in the plainest form."""
    if not everyone and user["country"] not in COUNTRIES:
        return None
    if not everyone and tuple(int(part) for part in user["app_version"].split(".")) < MINIMUM_VERSION:
        return None
    digest = hashlib.sha256(f"{EXPERIMENT}:{user['user_id']}".encode()).digest()
    first = int.from_bytes(digest[0:5], "big") * 1_000_000 >> 40
    second = int.from_bytes(digest[5:10], "big") * 1_000_000 >> 40
    if not everyone and first >= TRAFFIC:
        return None
    return ("control" if second < CONTROL else "green", str(second))


def count_rows(source: Path) -> int:
    with open(source, newline="", encoding="utf-8-sig") as file:
        return sum(1 for _ in csv.reader(file)) - 1


def sample_decisions(source: Path, rows: int, wanted: int, everyone: bool) -> dict[str, tuple[str, str] | None]:
    """Returns the plain decisions for at least `wanted` units, spread evenly over the input."""
    step = max(1, rows // max(1, wanted))
    with open(source, newline="", encoding="utf-8-sig") as file:
        users = (user for row, user in enumerate(csv.DictReader(file)) if row % step == 0)
        return {user["user_id"]: decide(user, everyone) for user in users}


def check_output(path: Path, sample: dict[str, tuple[str, str] | None]) -> tuple[int, int, list[str]]:
    """Returns an output's number of rows, a fingerprint that does not depend on their order, and all problems.

    The fingerprint is the sum of the 128-bit hashes of (unit, variant, bucket): equal for equal multisets.
    """
    problems = []
    rows = fingerprint = constants = wrong = 0
    seen = set()
    with open(path, newline="", encoding="utf-8") as file:
        lines = csv.reader(file)
        header = next(lines, [])
        if header != HEADER:
            return 0, 0, [f"the header is {header}"]
        for line in lines:
            if len(line) != len(HEADER):
                return rows, 0, [f"line {lines.line_num} has {len(line)} fields"]
            unit, experiment, variant, reason, bucket, _ = line
            rows += 1
            digest = hashlib.blake2b("\0".join((unit, variant, bucket)).encode(), digest_size=16).digest()
            fingerprint += int.from_bytes(digest, "big")
            constants += experiment != EXPERIMENT or reason != "split"
            if unit in sample:
                seen.add(unit)
                wrong += sample[unit] != (variant, bucket)
    missing = sum(decision is not None and unit not in seen for unit, decision in sample.items())
    if constants:
        problems.append(f"{constants} rows have another experiment or reason")
    if wrong:
        problems.append(f"{wrong} of {len(sample)} sample units have another decision than in plain Python")
    if missing:
        problems.append(f"{missing} of {len(sample)} sample units are missing")
    return rows, fingerprint % 2**128, problems


# Reporting


def processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def report(results: dict[str, list[Run]], rows: int) -> str:
    """Returns a Markdown table of medians."""

    def median(system: str, field: str) -> float:
        return statistics.median(getattr(run, field) for run in results[system])

    lines = [
        "| system | median s | lowest s | rows/s | time / allot | CPU s | process s | peak MB | others' load |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for system, runs in results.items():
        seconds = median(system, "seconds")
        ratio = f"{seconds / median('allot', 'seconds'):.2f}" if "allot" in results else "–"
        lines.append(
            f"| {system} | {seconds:.2f} | {min(run.seconds for run in runs):.2f} | {rows / seconds:,.0f} | {ratio} "
            f"| {median(system, 'cpu'):.2f} | {median(system, 'process'):.2f} "
            f"| {max(run.memory for run in runs) / 1e6:.0f} | {max(run.disturbance for run in runs):.0%} |"
        )
    return "\n".join(lines)


def main() -> None:
    if sys.argv[1:2] == ["--query"]:  # a child: --query SYSTEM SOURCE TARGET THREADS EVERYONE
        system, source, target, threads, everyone = sys.argv[2:]
        print(run_query(system, source, target, int(threads), everyone == "True"))
        return

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", type=Path, help="the CSV file that generate_users.py wrote")
    parser.add_argument("--allot", type=Path, help="the allot program; without it allot is left out")
    parser.add_argument("--everyone", action="store_true", help="every unit is assigned a variant")
    parser.add_argument("--systems", default="cp,allot,clickhouse,duckdb", help="which ones; default: %(default)s")
    parser.add_argument("--runs", type=int, default=3, help="undisturbed runs of each system; default: 3")
    parser.add_argument("--threads", type=int, default=2, help="threads, and processors to be pinned to; default: 2")
    parser.add_argument("--check-rows", type=int, default=1000, help="rows to check in plain Python; default: 1000")
    parser.add_argument("--output", type=Path, help="keep the outputs here; default: deleted, beside the input")
    parser.add_argument("--quiet", type=float, default=60, help="how many seconds to wait for an idle machine; default: 60")
    parser.add_argument("--attempts", type=int, default=4, help="repeat a disturbed run up to this often; default: 4")
    parser.add_argument("--json", type=Path, help="write all runs to this file")
    arguments = parser.parse_args()
    if not arguments.input.is_file():
        parser.error(f"{arguments.input} is not a file; write it with generate_users.py")
    if min(arguments.runs, arguments.threads, arguments.attempts) < 1:
        parser.error("--runs, --threads and --attempts are 1 or more")
    if arguments.allot and not arguments.allot.is_file():
        parser.error(f"{arguments.allot} is not a file; the beginning of {Path(__file__).name} tells how to build it")
    systems = [name for name in arguments.systems.split(",") if name != "allot" or arguments.allot]
    if unknown := set(systems) - {"cp", "allot", "clickhouse", "duckdb"}:
        parser.error(f"unknown systems: {', '.join(sorted(unknown))}")

    if hasattr(os, "sched_setaffinity"):  # the children inherit it
        available = sorted(os.sched_getaffinity(0))
        if len(available) < arguments.threads:
            parser.error(f"only {len(available)} processors for --threads {arguments.threads}")
        os.sched_setaffinity(0, available[: arguments.threads])

    with tempfile.TemporaryDirectory(dir=arguments.input.resolve().parent, prefix="compare-") as temporary:
        folder = arguments.output or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        sys.exit(compare(systems, arguments, folder.resolve()))


def compare(systems: list[str], arguments: argparse.Namespace, folder: Path) -> int:
    """Runs, reports and checks; returns the exit status."""
    source = str(arguments.input.resolve())
    outputs = {system: folder / f"{system}.csv" for system in systems}
    definitions = FOLDER / ("definitions-everyone" if arguments.everyone else "definitions")

    def command(system: str) -> list[str]:
        target = str(outputs[system])
        if system == "cp":
            return ["cp", source, target]
        if system == "allot":
            return [
                str(arguments.allot.resolve()), "assign", source, "--definitions", str(definitions),
                "--layout", "long", "--at", INSTANT, "-o", target,
            ]
        script = str(Path(__file__).resolve())
        return [sys.executable, script, "--query", system, source, target, str(arguments.threads),
                str(arguments.everyone)]

    with open(source, "rb") as file:  # so that the first run too reads from the page cache
        while file.read(1 << 20):
            pass
    results = {system: [] for system in systems}
    for number in range(arguments.runs):
        for system in systems:
            run = measure_undisturbed(command(system), outputs[system], arguments.quiet, arguments.attempts)
            results[system].append(run)
            print(f"run {number + 1} {system}: {run.seconds:.2f} s", file=sys.stderr)

    rows = count_rows(arguments.input)
    packages = {"clickhouse": ["chdb", "chdb-core"], "duckdb": ["duckdb"]}
    versions = {
        package: importlib.metadata.version(package) for system in systems for package in packages.get(system, [])
    }
    print(f"{rows:,} rows, {arguments.input.stat().st_size / 1e6:.0f} MB, {arguments.threads} threads, {processor()}")
    print(", ".join(f"{package} {version}" for package, version in versions.items()))
    print()
    print(report(results, rows))
    print()

    sample = sample_decisions(arguments.input, rows, arguments.check_rows, arguments.everyone)
    checks = {system: check_output(outputs[system], sample) for system in systems if system != "cp"}
    different = len({(count, fingerprint) for count, fingerprint, _ in checks.values()}) > 1
    for system, (count, fingerprint, problems) in checks.items():
        print(f"{system}: {count:,} rows, fingerprint {fingerprint:032x}")
        for problem in problems:
            print(f"{system}: error: {problem}")
    failed = different or any(problems for _, _, problems in checks.values())
    held = sum(decision is not None for decision in sample.values())
    if different:
        print("error: the outputs differ")
    if not failed:
        print(f"all outputs agree, and agree with plain Python on {len(sample):,} units, {held:,} of them held")
    if any(run.disturbance >= 0.05 for runs in results.values() for run in runs):
        print("warning: other programs were at work during some runs (see others' load)")
    if arguments.json:
        details = {"rows": rows, "threads": arguments.threads, "processor": processor(), "versions": versions}
        details["runs"] = {system: [asdict(run) for run in runs] for system, runs in results.items()}
        details["agree"] = not failed
        arguments.json.write_text(json.dumps(details, indent=2) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    main()
