"""Assignment in Spark jobs, by the engine itself in each Python worker.

.. code-block:: python

    import allot.spark

    users = spark.read.parquet("/data/users")
    assigned = allot.spark.assign(users, "Experiments", at="2026-11-21T12:00:00Z")
    assigned.write.parquet("/data/assigned")

The definitions are read on the driver and travel with the job. The package has to be where the workers are: installed,
or shipped by ``allot.spark.ship(spark)`` before the job, or as ``spark-submit --py-files`` of :func:`archive`.
"""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _library
from ._arrow import INT64, column_formats, metadata
from ._errors import ArgumentError, DataError, FileError
from ._plan import Layout, Plan, _loaded, assign_options, plan_of
from ._tables import SPARK_ZONE, assigned_schema, assigned_stream, needed_columns
from ._values import Instant

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["archive", "assign", "ship"]


def assign(
    frame: DataFrame, definitions: Plan | str | os.PathLike[str], *, at: Instant | None = None, layout: Layout = "wide",
    experiments: Sequence[str] | None = None, columns: Mapping[str, str] | None = None, reason: bool = False,
    bucket: bool = False, all: bool = False, time_column: str | None = None, null: Sequence[str] | None = None,
) -> DataFrame:
    """Assigns every row of a data frame of Spark.

    The rows go through ``mapInArrow``, with the definitions as they are now. All tasks, and those that Spark repeats,
    decide at the same instant: that of this call, if ``at`` is not given. Select the columns that you need before: in
    the wide layout all columns of the frame go through Python.

    Args:
        frame: the units.
        definitions: a plan, or a folder of definitions on the driver.
        at, layout, experiments, columns, reason, bucket, all, time_column, null: as in :meth:`allot.Plan.assign`. The
            long layout has no column ``row``, because rows have no numbers in Spark.

    Raises:
        DataError: the columns cannot be assigned. Values that cannot be, fail their task.
        ArgumentError: an argument cannot be used, or Spark is older than 3.4.
        DefinitionsError: the definitions have errors.
    """
    import pyspark.sql.functions
    import pyspark.sql.types

    if not hasattr(frame, "mapInArrow"):
        raise ArgumentError(
            f"{type(frame).__name__} is not a data frame of Spark; assign other tables with allot.load(folder).assign")
    if not hasattr(pyspark.sql.functions, "get"):
        raise ArgumentError(f"this is Spark {pyspark.__version__}, and the package needs 3.4 or later")
    plan = plan_of(definitions)
    options = assign_options(at, layout, experiments, columns, reason, bucket, all, time_column, 1, null)
    if layout == "long":
        needed = needed_columns(plan, options)
        names = [name for name in frame.columns if name in needed]
        frame = frame.select(*(frame[_quoted(name)] for name in names)) if names != frame.columns else frame
    names = frame.columns
    arrow = _arrow_schema(frame.schema)
    # Spark cannot say columns with points in their names to Python, and columns of one name not apart.
    rows = frame
    if any("." in name or "`" in name for name in names) or len({name.lower() for name in names}) < len(names):
        rows = frame.toDF(*(f"column{index}" for index in range(len(names))))
    text, whole = pyspark.sql.types.StringType(), pyspark.sql.types.LongType()
    field = pyspark.sql.types.StructField
    if layout == "long":
        options["texts"] = True  # Spark reads no dictionaries.
        formats = column_formats(assigned_schema(plan, arrow.__arrow_c_schema__(), options, zone=SPARK_ZONE))
        fields = [field(name, whole if kind == INT64 else text) for name, kind in formats.items() if name != "row"]
        worker = _Worker(plan._definitions(), names, options)
        return rows.mapInArrow(worker, pyspark.sql.types.StructType(fields))

    options["codes"] = True
    schema = assigned_schema(plan, arrow.__arrow_c_schema__(), options, zone=SPARK_ZONE)
    answer = _answer(schema)
    if frame.sparkSession.conf.get("spark.sql.caseSensitive", "false") != "true":
        _check_case(names, [column.name for column in answer])
    types = [whole if kind == INT64 else text for kind in column_formats(schema).values()]
    # Numbered, so that no column has the name of another.
    fields = [field(f"column{index}", one.dataType, one.nullable, one.metadata) for index, one in enumerate(frame.schema)]
    # Spark does not test columns for null that are declared never to be.
    numbers = {place.position for place in answer if place.slot is not None}
    fields += [
        field(f"column{len(names) + index}", kind, index not in numbers) for index, kind in enumerate(types)]
    worker = _Worker(plan._definitions(), names, options, answer)
    return _translated(rows.mapInArrow(worker, pyspark.sql.types.StructType(fields)), names, answer)


class _Column(NamedTuple):
    """Where a column of the wide layout is in what workers give."""

    name: str
    position: int
    """Of the column that it is, or is in, after those of the input."""
    slot: int | None = None
    """Which byte of the numbers has its codes, 0 for the lowest; None for a plain column."""
    texts: list[str] | None = None
    """What its codes stand for."""


def _answer(schema: object) -> list[_Column]:
    """The columns of an answer with codes, from its schema in a capsule."""
    return [_Column(**column) for column in json.loads(metadata(schema)["allot.codes"])]


# How many columns of texts are translated in one method: each takes about 150 bytes of it.
_MOST_COMPILED = 30


def _translated(frame: DataFrame, names: list[str], answer: list[_Column]) -> DataFrame:
    """The columns of the input, and those of the answer from the numbers that hold them."""
    expressions = [f"column{index}" for index in range(len(names))]
    coded = []
    for place in answer:
        column = f"column{len(names) + place.position}"
        if place.slot is None or place.texts is None:
            expressions.append(column)
        else:
            # Keys and reasons have no character that literals of SQL would have to escape.
            texts = ", ".join(f"'{text}'" for text in place.texts)
            code = f"(shiftright({column}, {8 * place.slot}) & 255)"
            coded.append((len(expressions), texts, column, code))
            # The code of no text is beyond the array.
            expressions.append(f"get(array({texts}), {code})")
    # Spark compiles the columns of a select into one method of Java, which interprets methods of more than 8,000 bytes.
    # A function that it cannot compile, as array_sort with a comparison, makes it divide them among many small methods.
    # Here it is behind a condition that almost no row meets, and adds nothing to those that do.
    if len(coded) > _MOST_COMPILED:
        index, texts, column, code = coded[-1]
        nothing = f"size(array_sort(array({column}), (one, other) -> 0)) - 1"
        expressions[index] = f"get(array({texts}), {code} + CASE WHEN {column} = -2 THEN {nothing} ELSE 0 END)"
    # Names are not written in SQL, where Spark would replace variables in them.
    return frame.selectExpr(*expressions).toDF(*names, *(place.name for place in answer))


def _arrow_schema(schema: Any) -> Any:
    """The schema of the batches that workers get."""
    from pyspark.sql.pandas.types import to_arrow_schema

    try:
        return to_arrow_schema(schema, timezone="UTC")
    except TypeError:  # Spark 3 takes UTC by itself.
        return to_arrow_schema(schema)


def _check_case(columns: Sequence[str], added: Sequence[str]) -> None:
    """Refuses columns that are one for Spark, which could not be selected later."""
    taken = {name.lower(): name for name in columns}
    for name in added:
        if (other := taken.setdefault(name.lower(), name)) != name:
            raise DataError(
                f'the answer has a column "{name}", which is "{other}" for Spark, as it compares names without case; rename '
                'the column, leave it out, name other experiments, use layout="long", or set spark.sql.caseSensitive')


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


class _Worker:
    """What runs in the workers. It is pickled, with the definitions."""

    def __init__(
        self, definitions: tuple[dict[str, bytes], dict[str, Any], str], names: list[str], options: dict[str, Any],
        answer: list[_Column] | None = None,
    ) -> None:
        """
        Args:
            answer: where the driver looks for the columns of the wide layout.
        """
        self.version = _library.VERSION
        self.definitions = definitions
        self.answer = answer
        self.names = names
        self.options = options

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        first = next(batches, None)
        if first is None:
            return
        self._check(self.version == _library.VERSION)
        schema = first.rename_columns(self.names).schema
        reader = pyarrow.RecordBatchReader.from_batches(schema, self._named(first, batches))
        plan = self._plan()
        if self.answer is not None:
            answer = _answer(assigned_schema(plan, schema.__arrow_c_schema__(), self.options, warns=False))
            self._check(answer == self.answer)
        stream = assigned_stream(plan, reader, self.options, joins=self.answer is not None, warns=False)
        for batch in pyarrow.RecordBatchReader.from_stream(stream):
            columns = batch.columns
            if self.answer is not None:
                yield pyarrow.RecordBatch.from_arrays(columns, [f"column{index}" for index in range(len(columns))])
            else:
                columns[1] = columns[1].cast("string")
                yield pyarrow.RecordBatch.from_arrays(columns[1:], batch.schema.names[1:])

    def _check(self, is_same: bool) -> None:
        """Raises an error if the driver's package is another one, which may look for columns elsewhere."""
        if not is_same:
            raise DataError(
                f"the worker has another version of the package allot, {_library.VERSION}, than the driver, "
                f"{self.version}; install the driver's, or send it with allot.spark.ship")

    def _named(self, first: Any, batches: Iterator[Any]) -> Iterator[Any]:
        yield first.rename_columns(self.names)
        for batch in batches:
            yield batch.rename_columns(self.names)

    def _plan(self) -> Plan:
        """The plan that this process has of these definitions."""
        revision = self.definitions[2]
        if revision not in _plans:
            # One job after another with new definitions would fill the memory; jobs that take turns compile once.
            while len(_plans) >= _PLANS:
                _plans.pop(next(iter(_plans)), None)
            _plans[revision] = _loaded(*self.definitions)
        return _plans[revision]


_PLANS = 4
_plans: dict[str, Plan] = {}


def archive(folder: str | os.PathLike[str] | None = None) -> str:
    """Writes this package as an archive for ``spark-submit --py-files`` or ``SparkContext.addPyFile``.

    A wheel cannot be shipped so: Spark puts archives that end in ``.zip`` on the path of its workers, and no others.
    The system does not load a library out of an archive; a worker that imports the package copies it once into the
    folder of temporary files.

    >>> import allot.spark, tempfile, zipfile
    >>> path = allot.spark.archive(tempfile.mkdtemp())
    >>> "allot/spark.py" in zipfile.ZipFile(path).namelist()
    True

    Args:
        folder: where; without it, a folder of this user alone among the temporary files.

    Returns:
        The path of the archive.
    """
    package = pathlib.Path(__file__).parent
    if not package.is_dir():  # The package is in such an archive already.
        return str(package.parent)
    place = _library.own_folder("archive") if folder is None else pathlib.Path(folder)
    path = place / f"allot-{_library.VERSION}.zip"
    try:
        file, unfinished = tempfile.mkstemp(dir=place)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}; name a folder that is there") from None
    os.close(file)
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as output:
            for source in sorted(package.iterdir()):
                if source.is_file():
                    output.write(source, f"allot/{source.name}")
        os.chmod(unfinished, 0o644)
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise
    return str(path)


def ship(session: SparkSession) -> None:
    """Sends this package to the workers of a session, where it is not installed.

    .. code-block:: python

        allot.spark.ship(spark)
        allot.spark.assign(users, "Experiments")
    """
    path = archive()
    # A session of Spark Connect has no context.
    if hasattr(session, "addArtifacts") and type(session).__module__.startswith("pyspark.sql.connect"):
        session.addArtifacts(path, pyfile=True)
    elif hasattr(session, "sparkContext"):
        session.sparkContext.addPyFile(path)
    else:
        raise ArgumentError(f"{type(session).__name__} is not a session of Spark")
