"""Assigns Parquet and Arrow files.

    python -m allot assign users.parquet -o assigned.parquet --definitions Experiments --at 2026-11-21T12:00:00Z
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from typing import Any

from . import AllotError, __version__, load
from ._errors import ArgumentError, DataError, FileError
from ._plan import Plan

_ARROW = (".arrow", ".feather", ".ipc", ".arrows")
_ENDINGS = (".parquet", *_ARROW)


def main(arguments: list[str] | None = None) -> int:
    """Runs the command and returns its exit status."""
    options = _parser().parse_args(arguments)
    warnings.showwarning = _show_warning  # type: ignore[assignment]
    # As a program that is ended does; a file that is half written is removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        count, seconds = _assign(options)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except AllotError as error:
        print(f"allot: {error}" if not hasattr(error, "problems") else error, file=sys.stderr)
        return 1
    print(f"{count:,} rows in {seconds:.2f} s", file=sys.stderr)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m allot", description="Deterministic assignment of A/B experiments.")
    parser.add_argument("--version", action="version", version=f"allot {__version__}")
    commands = parser.add_subparsers(required=True, metavar="assign")
    assign = commands.add_parser(
        "assign", help="assign every row of a Parquet or Arrow file", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    assign.add_argument("input", help="the file: .parquet, .arrow, .feather, .ipc, or .arrows for a stream; - is a stream "
                        "on standard input")
    assign.add_argument("-o", "--output", required=True, help="where to write, with one of these endings; - is a stream on "
                        "standard output")
    assign.add_argument("--definitions", default="Experiments", help="the folder of definitions (default: %(default)s)")
    assign.add_argument("--at", help="the instant of evaluation (default: now)")
    assign.add_argument("--layout", choices=("wide", "long"), default="wide", help="(default: %(default)s)")
    assign.add_argument("--all", action="store_true", help="in the long layout, also rows without a variant")
    assign.add_argument("--experiment", action="append", metavar="KEY", help="assign only this one (repeatable)")
    assign.add_argument("--unit-column", metavar="COLUMN", help="the column of user_id, if it has another name")
    assign.add_argument("--time-column", metavar="COLUMN", help="the column of each row's own instant, instead of --at")
    assign.add_argument("--reason", action="store_true", help="in the wide layout, also columns KEY.reason")
    assign.add_argument("--bucket", action="store_true", help="in the wide layout, also columns KEY.bucket")
    assign.add_argument("--threads", type=int, help="(default: one for each core)")
    assign.add_argument("--compression", default="snappy", help="of Parquet (default: %(default)s)")
    return parser


def _assign(options: argparse.Namespace) -> tuple[int, float]:
    """Assigns the file and returns the number of rows and the seconds that it took."""
    try:
        import pyarrow
    except ImportError:
        raise ArgumentError("Parquet and Arrow files are read by pyarrow; install it: pip install pyarrow") from None
    plan = load(options.definitions)
    start = time.monotonic()
    count = 0
    try:
        reader = plan.assign(
            _reader(options.input), at=options.at, layout=options.layout, experiments=options.experiment,
            columns={"user_id": options.unit_column} if options.unit_column else None, reason=options.reason,
            bucket=options.bucket, all=options.all, time_column=options.time_column, threads=options.threads)
        with _Output(options.output, options.input) as output:
            for batch in output.written(reader, options.compression):
                count += batch.num_rows
    except pyarrow.ArrowException as error:
        raise DataError(f"{options.input}: {error}") from None
    except OSError as error:
        if isinstance(error, AllotError):
            raise
        raise FileError(f"{error.filename or options.input}: {error.strerror or error}") from None
    return count, time.monotonic() - start


def _ending(path: str) -> str:
    ending = os.path.splitext(path)[1].lower()
    if ending not in _ENDINGS:
        raise ArgumentError(
            f"{path}: the ending says the format; it is one of {', '.join(_ENDINGS)}. CSV is read by the program "
            "allot: allot assign users.csv")
    return ending


def _reader(path: str) -> Any:
    """The batches of a file, read when they are needed."""
    import pyarrow.ipc
    import pyarrow.parquet

    if path == "-":
        return pyarrow.ipc.open_stream(sys.stdin.buffer)
    ending = _ending(path)
    if ending == ".parquet":
        file = pyarrow.parquet.ParquetFile(path)
        return pyarrow.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches(1 << 16))
    source = pyarrow.memory_map(path)
    if ending == ".arrows":
        return pyarrow.ipc.open_stream(source)
    batches = pyarrow.ipc.open_file(source)
    return pyarrow.RecordBatchReader.from_batches(
        batches.schema, (batches.get_batch(index) for index in range(batches.num_record_batches)))


class _Output:
    """A file that appears under its name when it is complete."""

    def __init__(self, path: str, source: str) -> None:
        self._path = path
        self._unfinished: str | None = None
        if path == "-":
            return
        self._ending = _ending(path)
        if source != "-" and os.path.exists(path) and os.path.samefile(path, source):
            raise ArgumentError(f"{path} is the input as well; name another output")

    def __enter__(self) -> _Output:
        if self._path != "-":
            folder, name = os.path.split(os.path.realpath(self._path))
            file, self._unfinished = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
            umask = os.umask(0)
            os.umask(umask)
            os.fchmod(file, 0o666 & ~umask)
            os.close(file)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._unfinished is None:
            return
        if kind is None:
            os.replace(self._unfinished, os.path.realpath(self._path))
        else:
            os.unlink(self._unfinished)

    def written(self, reader: Any, compression: str) -> Iterator[Any]:
        """Writes batches, and yields each afterwards."""
        import pyarrow.ipc
        import pyarrow.parquet

        if self._unfinished is None:
            writer = pyarrow.ipc.new_stream(sys.stdout.buffer, reader.schema)
        elif self._ending == ".parquet":
            writer = pyarrow.parquet.ParquetWriter(self._unfinished, reader.schema, compression=compression)
        elif self._ending == ".arrows":
            writer = pyarrow.ipc.new_stream(self._unfinished, reader.schema)
        else:
            writer = pyarrow.ipc.new_file(self._unfinished, reader.schema)
        with writer:
            for batch in reader:
                writer.write_batch(batch)
                yield batch


def _show_warning(message: Warning | str, *_: object) -> None:
    print(f"allot: warning: {message}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
