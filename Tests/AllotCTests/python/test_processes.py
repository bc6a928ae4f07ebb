"""Pickles, forks, signals, threads and memory."""

import concurrent.futures
import ctypes
import gc
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import zipfile

import allot
import allot._tables
import allot.spark
import hostile
import polars
import pyarrow
import pytest
from allot._arrow import SlicedStream
from conftest import AT

USERS = pyarrow.table({"user_id": [f"user-{index}" for index in range(3000)]})
pytestmark = pytest.mark.filterwarnings("ignore::allot.MissingColumnsWarning")


def test_pickle(plan, definitions):
    for original in (plan, allot.load(definitions)):
        copy = pickle.loads(pickle.dumps(original))
        assert copy.revision == original.revision
        assert copy.assign(USERS, at=AT).equals(plan.assign(USERS, at=AT))


def test_pickled_errors():
    error = allot.DefinitionsError(allot.check(files={"a.yaml": b"status: x\n"})["problems"])
    for original in (error, allot.DataError("no"), allot.FileError("no")):
        copy = pickle.loads(pickle.dumps(original))
        assert (type(copy), str(copy)) == (type(original), str(original))
    assert pickle.loads(pickle.dumps(error)).problems == error.problems


def test_a_folder_that_changed(tmp_path):
    """A plan's report and its pickle are of the files as they were when it was loaded."""
    for name, content in hostile.FILES.items():
        (tmp_path / name).write_bytes(content)
    plan = allot.load(tmp_path)
    report = allot.check(tmp_path)
    (tmp_path / "everyone.yaml").write_bytes(b"nonsense")
    assert plan.check() == report
    assert pickle.loads(pickle.dumps(plan)).revision == plan.revision


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes(method, plan):
    """Other processes decide the same, after threads were at work in this one."""
    wanted = plan.assign(USERS, at=AT, threads=4)
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        found = list(pool.map(assigned, [plan] * 4, timeout=60))
    assert all(table.equals(wanted) for table in found)


def assigned(plan):
    return plan.assign(USERS, at=AT, threads=4)


def test_a_fork_uses_the_plan_that_it_has(plan):
    wanted = plan.assign(USERS, at=AT, threads=4)
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        os._exit(0 if plan.assign(USERS, at=AT, threads=4).equals(wanted) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_fork_tests_the_bucketing(plan):
    """The threads that were at work in the parent are not there in the child."""
    def report():
        return allot.distribution(plan, number=1000, salts=10, salt_units=1000)

    wanted = report()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if report() == wanted else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_threads_share_a_plan(plan):
    wanted = plan.assign(USERS, at=AT)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(table.equals(wanted) for table in pool.map(lambda _: plan.assign(USERS, at=AT), range(6)))


def test_other_threads_run_meanwhile(plan):
    """The interpreter is not locked while a batch is decided: the stream's own thread gets its turn."""
    switched = threading.Event()

    def batches():
        yield USERS.to_batches()[0]
        assert switched.wait(30)
        yield USERS.to_batches()[0]

    reader = plan.assign(pyarrow.RecordBatchReader.from_batches(USERS.schema, batches()), at=AT)
    reading = threading.Thread(target=reader.read_all)
    reading.start()
    switched.set()
    reading.join(30)
    assert not reading.is_alive()


def test_signals(plan):
    """A signal between two batches is handled there."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])

    def batches():
        yield USERS.to_batches()[0]
        signal.raise_signal(signal.SIGINT)
        yield USERS.to_batches()[0]

    reader = plan.assign(pyarrow.RecordBatchReader.from_batches(USERS.schema, batches()), at=AT)
    with pytest.raises((KeyboardInterrupt, Exception)) as raised:
        for _ in reader:
            pass
    assert isinstance(raised.value, KeyboardInterrupt) or "KeyboardInterrupt" in str(raised.value)
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_signals_of_polars(plan, monkeypatch):
    """A frame is assigned in slices, and a signal ends it after one of them."""
    monkeypatch.setattr(allot._tables, "_BATCH_ROWS", 3000)
    read = []
    read_next = SlicedStream._get_next
    monkeypatch.setattr(SlicedStream, "_get_next", lambda *given: read.append(1) or read_next(*given))
    frame = polars.concat([polars.from_arrow(USERS)] * 1000)
    killer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    killer.start()
    with pytest.raises(KeyboardInterrupt):
        plan.assign(frame, at=AT, threads=1)
    killer.join()
    assert 0 < len(read) < 1000 and not SlicedStream._lent


class Stream:
    """A table of a package that is not known."""

    def __arrow_c_stream__(self, requested_schema=None):
        return FEW.slice(10).__arrow_c_stream__()


FEW = USERS.slice(0, 50)
OPERATIONS = {
    "wide": lambda plan: plan.assign(FEW, at=AT),
    "long": lambda plan: plan.assign(FEW, at=AT, layout="long"),
    "a stream": lambda plan: pyarrow.table(plan.assign(Stream(), at=AT)),
    "a stream that is not read": lambda plan: plan.assign(Stream(), at=AT),
    "a reader that is not read": lambda plan: plan.assign(FEW.to_reader(), at=AT),
    "slices": lambda plan: pyarrow.table(SlicedStream([FEW, FEW.slice(0, 0), FEW])),
    "slices that are not read": lambda plan: SlicedStream([FEW, FEW]).__arrow_c_stream__(),
    "an error": lambda plan: pytest.raises(allot.DataError, plan.assign, pyarrow.table({"a": [1]}), at=AT),
    "an explanation": lambda plan: plan.explain("a", at=AT),
    "a plan": lambda plan: allot.load(files={"a.yaml": hostile.FILES["everyone.yaml"], "base.yaml": hostile.FILES["base.yaml"]}),
    "definitions with errors": lambda plan: pytest.raises(allot.DefinitionsError, allot.load, files={"a.yaml": b"x: 1"}),
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_memory(operation, plan):
    """All memory is given back: that of Arrow exactly, and of the process all but a few bytes for each call."""
    work = OPERATIONS[operation]
    for _ in range(20):
        work(plan)
    gc.collect()
    before, used = pyarrow.total_allocated_bytes(), allocated()
    for _ in range(100):
        work(plan)
    gc.collect()
    assert pyarrow.total_allocated_bytes() == before
    # The smallest answer above, a schema or a report, takes more than a kilobyte.
    assert allocated() - used < 100 * 500


class Allocations(ctypes.Structure):
    """``struct mallinfo2``"""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


def allocated() -> int:
    """The bytes that this process has from malloc."""
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = Allocations
    found = mallinfo()
    return found.uordblks + found.hblkhd


def test_an_answer_outlives_its_plan():
    plan = allot.load(files=hostile.FILES)
    reader = plan.assign(USERS.to_reader(max_chunksize=100), at=AT)
    del plan
    gc.collect()
    assert reader.read_all().num_rows == 3000


def test_the_end_of_a_process():
    """Whatever is left is released without a word."""
    code = (
        "import allot, pyarrow; plan = allot.load(files={'a.yaml': b'status: running\\nvariants: [{ key: a }]'});"
        "users = pyarrow.table({'user_id': ['a']}); stream = plan.assign(users.to_reader());"
        "other = plan.assign(users); kept = [stream, other, plan]; kept.append(kept)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_archive(tmp_path):
    """The package runs from a zip, several processes at once, and copies its library once."""
    package = pathlib.Path(allot.__file__).parent
    archive = tmp_path / "allot.zip"
    with zipfile.ZipFile(archive, "w") as output:
        for path in package.glob("*"):
            if path.is_file():
                output.write(path, f"allot/{path.name}")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    code = "import allot; print(allot.__file__, allot.load(files={'a.yaml': b'status: draft\\nvariants: [{ key: a }]'}))"
    environment = {**os.environ, "PYTHONPATH": str(archive), "TMPDIR": str(temporary)}
    command = [sys.executable, "-c", code]
    running = [subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=subprocess.PIPE) for _ in range(4)]
    for process in running:
        printed, _ = process.communicate(timeout=60)
        assert process.returncode == 0 and str(archive).encode() in printed
    assert [path.name for path in temporary.glob("allot-*/*")] == ["liballot.so.1"]


def test_an_archive_is_of_its_user(tmp_path, monkeypatch):
    """No other user can replace it, or is in the way of it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    path = pathlib.Path(allot.spark.archive())
    assert path.name == f"allot-{allot.__version__}.zip" and str(os.getuid()) in path.parent.name
    assert path.parent.stat().st_mode & 0o777 == 0o700 and path.stat().st_mode & 0o777 == 0o644
    assert allot.spark.archive() == str(path)
    path.parent.chmod(0o777)
    with pytest.raises(allot.LibraryError, match="of this user alone"):
        allot.spark.archive()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(allot.LibraryError, match="TMPDIR"):
        allot.spark.archive()


def test_jobs_that_take_turns_compile_once(monkeypatch):
    monkeypatch.setattr(allot.spark, "_plans", {})
    plans = [allot.load(files={f"{name}.yaml": b"status: running\nvariants: [{ key: a }]\n"}) for name in "abcdef"]
    workers = [allot.spark._Worker(plan._definitions(), [], {}) for plan in plans]
    first, second = (worker._plan() for worker in workers[:2])
    assert (workers[0]._plan(), workers[1]._plan()) == (first, second)
    assert [worker._plan().revision for worker in workers] == [plan.revision for plan in plans]
    assert len(allot.spark._plans) == 4
