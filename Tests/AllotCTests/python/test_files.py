"""`python -m allot assign`."""

import os
import signal
import stat
import subprocess
import sys
import threading
import time

import hostile
import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest
from conftest import AT

USERS = pyarrow.table(hostile.rows(300)).drop_columns("premium")


def run(definitions, *arguments, at=AT, **more):
    instant = ["--at", at] if at else []
    command = [sys.executable, "-m", "allot", "assign", *map(str, arguments), "--definitions", definitions, *instant]
    return subprocess.run(command, capture_output=True, check=False, **more)


def write(table, path):
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(table, path, row_group_size=70)
        return
    make = pyarrow.ipc.new_stream if path.suffix == ".arrows" else pyarrow.ipc.new_file
    with make(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=70)


def read(path):
    if path.suffix == ".parquet":
        return pyarrow.parquet.read_table(path)
    return (pyarrow.ipc.open_stream if path.suffix == ".arrows" else pyarrow.ipc.open_file)(path.read_bytes()).read_all()


@pytest.mark.filterwarnings("ignore::allot.MissingColumnsWarning")
@pytest.mark.parametrize("ending", [".parquet", ".arrow", ".arrows"])
@pytest.mark.parametrize("layout", ["wide", "long"])
def test_files(ending, layout, plan, definitions, tmp_path):
    source, target = tmp_path / f"users{ending}", tmp_path / f"assigned{ending}"
    write(USERS, source)
    done = run(definitions, source, "-o", target, "--layout", layout)
    assert (done.returncode, done.stdout) == (0, b""), done.stderr
    assert b'warning: the table has no column "premium", "tags"' in done.stderr and b"rows in" in done.stderr
    wanted = plan.assign(USERS, at=AT, layout=layout)
    assert read(target).to_pydict() == wanted.to_pydict()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([source.name, target.name])
    assert target.stat().st_mode & 0o777 == source.stat().st_mode & 0o777


@pytest.mark.filterwarnings("ignore::allot.MissingColumnsWarning")
def test_options(plan, definitions, tmp_path):
    source, target = tmp_path / "users.parquet", tmp_path / "assigned.parquet"
    write(USERS.rename_columns({"user_id": "id"}), source)
    done = run(definitions, source, "-o", target, "--unit-column", "id", "--experiment", "everyone", "--experiment", "later",
               "--reason", "--bucket", "--threads", "2")
    assert done.returncode == 0, done.stderr
    assert read(target).column_names[-6:] == [
        f"{key}{part}" for key in ("everyone", "later") for part in ("", ".reason", ".bucket")]


def test_null(definitions, tmp_path):
    source, target = tmp_path / "users.parquet", tmp_path / "assigned.parquet"
    write(pyarrow.table({"user_id": ["a", "NULL"]}), source)
    done = run(definitions, source, "-o", target, "--experiment", "everyone", "--null", "NULL", "--null", "nan")
    assert done.returncode == 0, done.stderr
    assert read(target)["everyone"].to_pylist()[1] is None


def test_pipe(plan, definitions):
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, USERS.schema) as writer:
        writer.write_table(USERS)
    done = run(definitions, "-", "-o", "-", "--experiment", "everyone", input=sink.getvalue().to_pybytes())
    found = pyarrow.ipc.open_stream(done.stdout).read_all()
    assert found.equals(plan.assign(USERS, at=AT, experiments=["everyone"]))


def test_a_reader_that_has_had_enough(definitions, tmp_path):
    """As programs end that write to `head`: by the signal, and without an error."""
    source = tmp_path / "users.parquet"
    write(USERS, source)
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "allot", "assign", source, "-o", "-", "--definitions", definitions],
        stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert done.returncode == -signal.SIGPIPE and b"pipe" not in done.stderr, done.stderr


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_the_mode_of_what_is_replaced(mode, definitions, tmp_path):
    source, target = tmp_path / "users.parquet", tmp_path / "assigned.parquet"
    write(USERS, source)
    target.touch()
    target.chmod(mode)
    assert run(definitions, source, "-o", target).returncode == 0
    assert target.stat().st_mode & 0o7777 == mode and read(target).num_rows == 300


def test_the_mode_of_a_new_file(definitions, tmp_path):
    """What the umask allows."""
    source, target = tmp_path / "users.parquet", tmp_path / "assigned.parquet"
    write(USERS, source)
    assert run(definitions, source, "-o", target, umask=0o027).returncode == 0
    assert target.stat().st_mode & 0o7777 == 0o640


@pytest.mark.parametrize("exists", [False, True])
def test_a_link_stays(exists, definitions, tmp_path):
    source, target, link = tmp_path / "users.parquet", tmp_path / "there/assigned.parquet", tmp_path / "link.parquet"
    write(USERS, source)
    target.parent.mkdir()
    if exists:
        target.touch()
    link.symlink_to("there/assigned.parquet")
    assert run(definitions, source, "-o", link).returncode == 0
    assert link.is_symlink() and read(target).num_rows == 300
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize("name", ["pipe.arrows", "pipe.parquet", "pipe"])
def test_a_named_pipe(name, plan, definitions, tmp_path):
    """It is written to, and stays."""
    source, pipe = tmp_path / "users.parquet", tmp_path / name
    write(USERS, source)
    os.mkfifo(pipe)
    received = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    done = run(definitions, source, "-o", pipe, "--experiment", "everyone")
    reader.join(30)
    assert done.returncode == 0 and pipe.is_fifo(), done.stderr
    content = tmp_path / f"received{pipe.suffix or '.arrows'}"
    content.write_bytes(received[0])
    assert read(content).to_pydict() == plan.assign(USERS, at=AT, experiments=["everyone"]).to_pydict()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([source.name, name, content.name])


@pytest.mark.parametrize("name", ["null", "full"])
def test_devices(name, definitions, tmp_path):
    """They are written to; what cannot be written names the output."""
    source = tmp_path / "users.parquet"
    write(USERS, source)
    done = run(definitions, source, "-o", f"/dev/{name}")
    assert stat.S_ISCHR(os.stat(f"/dev/{name}").st_mode)
    assert done.returncode == (1 if name == "full" else 0), done.stderr
    if name == "full":
        assert done.stderr.endswith(b"allot: /dev/full: No space left on device\n")


def test_an_error_in_the_middle_names_the_input(definitions, tmp_path):
    source = tmp_path / "users.arrows"
    write(USERS, source)
    source.write_bytes(source.read_bytes()[:-3000])
    done = run(definitions, source, "-o", tmp_path / "assigned.parquet")
    assert done.returncode == 1 and f"allot: {source}: " in done.stderr.decode()
    assert b"Traceback" not in done.stderr and b"Exception ignored" not in done.stderr
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize("arguments, message", [
    (["users.csv", "-o", "a.parquet"], "allot assign users.csv"),
    (["users.parquet", "-o", "a.csv"], "the ending"),
    (["users.parquet", "-o", "users.parquet"], "is the input as well"),
    (["nothing.parquet", "-o", "a.parquet"], "allot: nothing.parquet: No such file or directory"),
    (["users.parquet", "-o", "nowhere/a.parquet"], "nowhere/a.parquet cannot be written: there is no folder"),
    (["users.parquet", "-o", "."], ". is a folder; name a file with -o"),
    (["users.parquet", "-o", "folder.parquet"], "folder.parquet is a folder"),
    (["users.parquet", "-o", "loop.parquet"], "loop.parquet: Too many levels of symbolic links"),
    (["users.parquet", "-o", "a.parquet", "--compression", "x"], "a.parquet: Unsupported compression"),
    (["numbers.parquet", "-o", "a.parquet"], "with --unit-column (it has"),
    (["users.parquet", "-o", "a.parquet", "--all"], "--all needs --layout long"),
    (["users.parquet", "-o", "a.parquet", "--threads", "0"], "--threads is a whole number"),
    (["users.parquet", "-o", "a.parquet", "--at-column", "age", "--at", AT], "leave out --at"),
    (["broken.parquet", "-o", "a.parquet"], "broken.parquet"),
    (["broken.arrow", "-o", "a.parquet"], "broken.arrow"),
    (["users.parquet", "-o", "a.parquet", "--experiment", "x"], "x"),
    (["numbers.parquet", "-o", "a.parquet"], 'allot: numbers.parquet: the table has no column "user_id"'),
    (["users.parquet", "-o", "a.parquet", "--unit-column", "zz"], "users.parquet: --unit-column: the table has no column"),
    (["dictionaries.arrows", "-o", "a.arrow"], "allot: a.arrow: a column of the input has several dictionaries"),
    (["users.parquet", "-o", "a.parquet", "--unit-column", "age", "--at-column", "note"], "allot: users.parquet: column"),
])
def test_errors(arguments, message, definitions, tmp_path):
    write(USERS, tmp_path / "users.parquet")
    write(pyarrow.table({"number": [1]}), tmp_path / "numbers.parquet")
    parts = [pyarrow.array(texts).dictionary_encode() for texts in (["a", "b"], ["c"])]
    write(pyarrow.table({"user_id": pyarrow.chunked_array(parts)}), tmp_path / "dictionaries.arrows")
    (tmp_path / "folder.parquet").mkdir()
    (tmp_path / "loop.parquet").symlink_to("loop.parquet")
    (tmp_path / "users.csv").write_text("user_id\na\n")
    (tmp_path / "broken.parquet").write_bytes((tmp_path / "users.parquet").read_bytes()[:1000])
    (tmp_path / "broken.arrow").write_bytes(b"ARROW1\0\0")
    before = sorted(tmp_path.iterdir())
    done = run(definitions, *arguments, cwd=tmp_path, at=None if "--at-column" in arguments else AT)
    assert done.returncode == 1 and message in done.stderr.decode(), done.stderr.decode()
    assert b"Traceback" not in done.stderr and b"columns=" not in done.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_a_folder_without_definitions(tmp_path):
    done = run(tmp_path, "users.parquet", "-o", "assigned.parquet")
    assert "put its files back, or name another folder with --definitions" in done.stderr.decode()


def test_definitions_with_errors(tmp_path):
    (tmp_path / "a.yaml").write_text("x: 1\n")
    done = run(tmp_path, "users.parquet", "-o", "assigned.parquet")
    assert done.returncode == 1 and done.stderr.decode().startswith(f"{tmp_path}/a.yaml:1:1: error: ")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_nothing(number, definitions, tmp_path):
    """The input is a pipe that does not end."""
    command = [sys.executable, "-m", "allot", "assign", "-", "-o", "a.parquet", "--definitions", definitions]
    running = subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    with pyarrow.ipc.new_stream(running.stdin, USERS.schema) as writer:
        writer.write_table(USERS)
        running.stdin.flush()
        for _ in range(1000):
            if any(tmp_path.iterdir()):
                break
            time.sleep(0.01)
        # It waits for the next batch.
        time.sleep(0.5)
        running.send_signal(number)
        assert running.wait(30) == 128 + number
    assert b"Traceback" not in (said := running.stderr.read()) and b"allot: standard input" not in said, said
    assert list(tmp_path.iterdir()) == []


def test_help():
    shown = subprocess.run([sys.executable, "-m", "allot", "assign", "--help"], capture_output=True, check=True)
    assert b"--at-column" in shown.stdout
    # What the program allot says of a Parquet file.
    program = os.environ.get("ALLOT_PROGRAM") or pytest.skip("ALLOT_PROGRAM names no allot program")
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(USERS, sink)
    done = subprocess.run([program, "assign", "-", "--definitions", "Experiments"], input=sink.getvalue().to_pybytes(),
                          capture_output=True, check=False)
    assert done.returncode != 0 and b"python -m allot assign users.parquet -o assigned.parquet" in done.stderr
