"""What tests of the Python package share. `Sources/AllotC/python/test` runs them on the installed wheel."""

import csv
import io
import os
import pathlib
import signal
import subprocess
import warnings

import allot
import hostile
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
AT = "2026-11-21T12:00:00Z"


@pytest.fixture(scope="session", autouse=True)
def interruptible():
    """Jobs that a shell starts in the background ignore SIGINT, and so do the processes that they start."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def shop() -> allot.Plan:
    """The plan of the sample definitions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", allot.DefinitionsWarning)
        return allot.load(ROOT / "Experiments")


@pytest.fixture(scope="session")
def plan() -> allot.Plan:
    """The plan of definitions that look at every type of attribute."""
    return allot.load(files=hostile.FILES)


@pytest.fixture(scope="session")
def definitions(tmp_path_factory) -> pathlib.Path:
    """A folder with the definitions of `plan`."""
    folder = tmp_path_factory.mktemp("definitions")
    for name, content in hostile.FILES.items():
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture(scope="session")
def program(definitions, tmp_path_factory):
    """What `allot assign` answers for columns of texts, where None is an empty field: {column: [text or None]}."""
    path = os.environ.get("ALLOT_PROGRAM")
    if not path:
        pytest.skip("ALLOT_PROGRAM names no allot program to compare with")
    folder = tmp_path_factory.mktemp("program")

    def assign(columns, *options, at=AT):
        source = folder / "users.csv"
        with open(source, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(zip(*([value or "" for value in values] for values in columns.values())))
        instant = ["--at", at] if at else []
        command = [path, "assign", source, "--definitions", definitions, *instant, *options]
        done = subprocess.run(command, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        header, *rows = csv.reader(io.StringIO(done.stdout.decode(), newline=""), strict=True)
        return {name: [row[index] or None for row in rows] for index, name in enumerate(header)}

    return assign

