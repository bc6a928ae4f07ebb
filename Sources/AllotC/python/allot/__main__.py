"""Assigns Parquet and Arrow files.

    python -m allot assign users.parquet -o assigned.parquet --definitions Experiments --at 2026-11-21T12:00:00Z
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from typing import IO, Any

from . import AllotError, __version__, load
from ._errors import ArgumentError, DataError, DefinitionsError, FileError, reworded
from ._tables import needed_pyarrow

_ARROW = (".arrow", ".feather", ".ipc", ".arrows")
_ENDINGS = (".parquet", *_ARROW)

# Where messages name arguments, the options of this command.
_OPTIONS = {
    "if the column has another name, give columns={attribute: column}":
        "if the column has another name, rename it; that of user_id is named with --unit-column",
    'with columns={"user_id": …}': "with --unit-column",
    'use layout="long"': "use --layout long",
    'columns: the table has no column': '--unit-column: the table has no column',
    "time_column gives": "--at-column gives", "leave out at": "leave out --at", "time_column:": "--at-column:",
    "the option at,": "--at,", "the option all needs the layout long": "--all needs --layout long",
    "leave out these options": "leave out --reason and --bucket",
    "leave out the option reason or bucket": "leave out --reason or --bucket",
    "threads is a whole number from 1 to 1024, or None": "--threads is a whole number from 1 to 1024; leave it out",
    "name another folder, or give allow_empty=True if that is intended": "or name another folder with --definitions",
    "name another folder": "name another with --definitions",
}


def main(arguments: list[str] | None = None) -> int:
    """Runs the command and returns its exit status."""
    options = _parser().parse_args(arguments)
    warnings.showwarning = _show_warning  # type: ignore[assignment]
    ended: list[int] = []

    def end(number: int, _: object) -> None:
        ended.append(number)
        # As a program that is ended does; a file that is half written is removed.
        sys.exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)
    try:
        count, seconds = _assign(options)
    except BrokenPipeError:
        # A reader that has had enough, such as head, ends a program without a word.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGPIPE)
        return 128 + signal.SIGPIPE
    except AllotError as error:
        if ended:  # While pyarrow reads from this process, it makes an error of its own of the end.
            return 128 + ended[0]
        message = reworded(str(error), _OPTIONS)
        print(message if isinstance(error, DefinitionsError) else f"allot: {message}", file=sys.stderr)
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
    assign.add_argument("--at-column", metavar="COLUMN", help="the column of each row's own instant, instead of --at")
    assign.add_argument("--null", action="append", metavar="TEXT", help="take this text as missing, such as NULL "
                        "(repeatable)")
    assign.add_argument("--reason", action="store_true", help="in the wide layout, also columns KEY.reason")
    assign.add_argument("--bucket", action="store_true", help="in the wide layout, also columns KEY.bucket")
    assign.add_argument("--threads", type=int, help="(default: one for each core)")
    assign.add_argument("--compression", default="snappy", help="of Parquet (default: %(default)s)")
    return parser


def _assign(options: argparse.Namespace) -> tuple[int, float]:
    """Assigns the file and returns the number of rows and the seconds that it took."""
    needed_pyarrow("Parquet and Arrow files are read by pyarrow")
    output = _Output(options.output, options.input)
    plan = load(options.definitions)
    start = time.monotonic()
    count = 0
    name = "standard input" if options.input == "-" else options.input
    with _about(name):
        reader = plan.assign(
            _reader(options.input), at=options.at, layout=options.layout, experiments=options.experiment,
            columns={"user_id": options.unit_column} if options.unit_column else None, reason=options.reason,
            bucket=options.bucket, all=options.all, time_column=options.at_column, threads=options.threads,
            null=options.null)
    with output.writer(reader.schema, options.compression) as write:
        for batch in _batches(reader, name):
            write(batch)
            count += batch.num_rows
    return count, time.monotonic() - start


def _batches(reader: Any, name: str) -> Iterator[Any]:
    """The batches of the file of that name, whose errors name it."""
    while True:
        with _about(name):
            batch = next(reader, None)
        if batch is None:
            return
        yield batch


@contextlib.contextmanager
def _about(name: str) -> Iterator[None]:
    """Says which file an error of pyarrow or of the system is about."""
    import pyarrow

    try:
        yield
    except (DataError, pyarrow.ArrowException) as error:
        raise DataError(f"{name}: {error}") from None
    except (AllotError, BrokenPipeError):
        raise
    except OSError as error:
        # pyarrow's texts have the name once more.
        raise FileError(f"{name}: {os.strerror(error.errno) if error.errno else error}") from None


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
    """Where the answer goes: a file that appears under its name when it is complete, or what is written to directly."""

    def __init__(self, path: str, source: str) -> None:
        self._path = path
        self._name = "standard output" if path == "-" else path
        self._replaced: os.stat_result | None = None
        with _about(self._name), contextlib.suppress(FileNotFoundError):
            self._replaced = None if path == "-" else os.stat(path)
        kind = stat.S_IFMT(self._replaced.st_mode) if self._replaced else stat.S_IFREG
        if kind == stat.S_IFDIR:
            raise FileError(f"{path} is a folder; name a file with -o")
        # What is not a file may have a name without an ending, such as /dev/null.
        self._is_direct = path == "-" or kind != stat.S_IFREG
        self._ending = ".arrows" if self._is_direct and not path.endswith(_ENDINGS) else _ending(path)
        if self._replaced and source != "-" and os.path.exists(source) and os.path.samefile(path, source):
            raise ArgumentError(f"{path} is the input as well; name another output")

    @contextlib.contextmanager
    def writer(self, schema: Any, compression: str) -> Iterator[Callable[[Any], None]]:
        """A function that writes a batch. What it wrote is complete at the end; after an error there is no new file."""
        import pyarrow

        with self._file() as file:
            with _about(self._name):
                writer = self._format(file, schema, compression)

            def write(batch: Any) -> None:
                with _about(self._name):
                    try:
                        writer.write_batch(batch)
                    except pyarrow.ArrowInvalid as error:
                        if self._ending not in (".parquet", ".arrows") and "ictionary" in str(error):
                            raise DataError(
                                "a column of the input has several dictionaries, and a file of this format holds one "
                                "for each; write .parquet or .arrows") from None
                        raise

            try:
                yield write
                with _about(self._name):
                    writer.close()
                    file.flush()
            except BaseException:
                # pyarrow still writes an end, also after an error of writing; that goes nowhere.
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, file.fileno())
                os.close(nowhere)
                writer.close()
                raise

    def _format(self, file: Any, schema: Any, compression: str) -> Any:
        import pyarrow.ipc
        import pyarrow.parquet

        if self._ending == ".parquet":
            return pyarrow.parquet.ParquetWriter(file, schema, compression=compression)
        return (pyarrow.ipc.new_stream if self._ending == ".arrows" else pyarrow.ipc.new_file)(file, schema)

    @contextlib.contextmanager
    def _file(self) -> Iterator[IO[bytes]]:
        """The file to write to. A file appears with the mode of the one that it replaces; a symbolic link stays."""
        if self._path == "-":
            yield sys.stdout.buffer
            return
        if self._is_direct:
            with _about(self._name):
                file = open(self._path, "wb")
            with file:
                yield file
            return
        target = os.path.realpath(self._path)
        folder, name = os.path.split(target)
        if not os.path.isdir(folder):
            raise FileError(
                f"{self._path} cannot be written: there is no folder {folder}; create it or write elsewhere with -o")
        with _about(self._name):
            number, unfinished = tempfile.mkstemp(prefix=f".{name[:50]}.", dir=folder)
        try:
            with os.fdopen(number, "wb") as file:
                with _about(self._name):
                    self._set_mode(number)
                yield file
            with _about(self._name):
                os.replace(unfinished, target)
        except BaseException:
            os.unlink(unfinished)
            raise

    def _set_mode(self, number: int) -> None:
        """Gives a new file the mode that the umask allows, and others the owner and the mode of what they replace."""
        if self._replaced is None:
            umask = os.umask(0)
            os.umask(umask)
            os.fchmod(number, 0o666 & ~umask)
            return
        with contextlib.suppress(PermissionError):  # Only root can give files away.
            os.fchown(number, self._replaced.st_uid, self._replaced.st_gid)
        os.fchmod(number, stat.S_IMODE(self._replaced.st_mode))


def _show_warning(message: Warning | str, *_: object) -> None:
    print(f"allot: warning: {reworded(str(message), _OPTIONS)}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
