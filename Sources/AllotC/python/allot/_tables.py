"""Tables of any kind in, and the same kind out."""

from __future__ import annotations

import concurrent.futures
import copy
import datetime
import itertools
import json
import numbers
import re
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ._arrow import (
    ArrowArrayExportable,
    ArrowStream,
    ArrowStreamExportable,
    SlicedStream,
    TextSchema,
    column_formats,
    metadata,
    new_schema,
    new_stream,
    schema_address,
    stream_address,
    stream_schema,
)
from ._errors import ArgumentError, DataError, MissingColumnsWarning, warn
from ._library import call
from ._values import encoded, is_missing

if TYPE_CHECKING:
    from ._plan import Plan

# Between two batches signals are handled, such as the one of Ctrl-C.
_BATCH_ROWS = 1 << 20

# How the timestamps of a column, by its name, get their time zone, in each kind of table.
_ARROW_ZONE = 'pyarrow.compute.assume_timezone(table["{}"], "UTC")'.format
POLARS_ZONE = 'polars.col("{}").dt.replace_time_zone("UTC")'.format
DUCKDB_ZONE = '"{}" AT TIME ZONE \'UTC\''.format
_PYTHON_ZONE = "value.replace(tzinfo=datetime.timezone.utc)"
SPARK_ZONE = 'frame["{}"].cast("timestamp"), which takes them as of the session\'s zone'.format


def assign(plan: Plan, table: Any, options: dict[str, Any]) -> Any:
    """Assigns a table, and gives the answer as the kind of table that it is."""
    known = _kind(table)
    if known is not None:
        return known(plan, table, options)
    if isinstance(table, ArrowStreamExportable):
        return assigned_stream(plan, table, options, joins=options["layout"] == "wide")
    if isinstance(table, ArrowArrayExportable):
        return assigned_stream(plan, _batch_stream(table), options, joins=options["layout"] == "wide")
    raise ArgumentError(
        f"{type(table).__name__} is not a table that is known here; give a pyarrow Table, a pandas or Polars DataFrame, "
        "or anything else that has __arrow_c_stream__")


def _kind(table: Any) -> Callable[[Plan, Any, dict[str, Any]], Any] | None:
    """How a table is assigned, by its class, without importing the package of another one."""
    for name in class_names(table):
        if known := _KINDS.get(name):
            return known
    return None


def class_names(value: Any) -> Iterator[tuple[str, str]]:
    """The package and the name of the class of a value, and of each that this one inherits from."""
    for base in type(value).__mro__:
        yield base.__module__.partition(".")[0], base.__name__


def assigned_schema(
    plan: Plan, schema: object, options: dict[str, Any], *, warns: bool = True, zone: Callable[[str], str] = _ARROW_ZONE
) -> object:
    """The schema of the output in a capsule, after all that can be said of the input's columns without data.

    Args:
        zone: how the timestamps of a column get their time zone, by its name.
    """
    # In the wide layout the columns of the input come first, also where the caller joins them.
    checked = options | {"input": True} if options["layout"] == "wide" else options
    capsule = _assigned_schema(plan, schema_address(schema), checked)
    missing = json.loads(metadata(capsule).get("allot.missing_columns", "[]"))
    if missing and warns:
        names = ", ".join(f'"{name}"' for name in missing)
        structs = (
            ". Members of a struct are not columns: flatten it first, as with pyarrow's table.flatten()"
            if any("." in name for name in missing) else "")
        warn(
            f"the table has no column {names}, so that {'it is' if len(missing) == 1 else 'they are'} missing for "
            f"all rows; if the column has another name, give columns={{attribute: column}}{structs}", MissingColumnsWarning)
    column = options.get("time_column")
    # A timestamp's format ends with its zone.
    if column is not None and re.fullmatch("ts[smun]:", column_formats(schema).get(column, "")):
        raise DataError(
            f'the timestamps of the column "{column}" have no time zone, so they are other instants in each place; '
            f"give them theirs, such as {zone(column)}")
    return capsule


def _assigned_schema(plan: Plan, schema: int, options: dict[str, Any]) -> object:
    capsule, address = new_schema()
    call("allot_assign_schema", plan._handle, encoded(options), schema, address)
    return capsule


def assigned_stream(
    plan: Plan, source: ArrowStreamExportable, options: dict[str, Any], *, joins: bool, warns: bool = True,
    zone: Callable[[str], str] = _ARROW_ZONE,
) -> ArrowStream:
    """The answer batch by batch.

    Args:
        joins: whether the columns of the input come first.
        zone: as in :func:`assigned_schema`.
    """
    capsule = source.__arrow_c_stream__()
    assigned_schema(plan, stream_schema(capsule), options, warns=warns, zone=zone)
    output, address = new_stream()
    if joins:
        options = options | {"input": True}
    call("allot_assign_stream", plan._handle, encoded(options), stream_address(capsule), address)
    return ArrowStream(output)


def assigned_formats(plan: Plan, options: dict[str, Any]) -> dict[str, str]:
    """The columns that are added to any table that has all columns that are needed, with their formats."""
    # Texts can be anything but lists, and an instant.
    table = TextSchema(list(needed_columns(plan, options)))
    return column_formats(_assigned_schema(plan, table.address, options))


class FirstOfColumns:
    """Whether tables have columns that no table before had: one warning is enough for each set of them."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, ...]] = set()

    def __call__(self, names: Sequence[str]) -> bool:
        count = len(self._seen)
        self._seen.add(tuple(names))
        return len(self._seen) > count


def needed_columns(plan: Plan, options: dict[str, Any]) -> set[str]:
    """The names of the columns that values are read of."""
    columns = options.get("columns") or {}
    needed = {columns.get(attribute, attribute) for attribute in (*plan.attributes, "user_id")}
    # A column of an attribute that no experiment looks at is an error of the library's.
    needed.update(columns.values())
    return needed | {options["time_column"]} if "time_column" in options else needed


def struct_of(plan: Plan, table: Any, options: dict[str, Any], *, warns: bool) -> Any:
    """The columns that are added to a `pyarrow.Table`, as a struct of plain columns."""
    import pyarrow

    stream = assigned_stream(plan, table, options | {"texts": True}, joins=False, warns=warns, zone=DUCKDB_ZONE)
    schema, batches = _batches(stream)
    return pyarrow.chunked_array([batch.to_struct_array() for batch in batches], pyarrow.struct(list(schema)))


def needed_pyarrow(reason: str) -> Any:
    """The package pyarrow.

    Raises:
        ArgumentError: it is not installed, with the reason why it is needed.
    """
    try:
        import pyarrow
    except ImportError:
        raise ArgumentError(f"{reason}; install it: pip install pyarrow") from None
    return pyarrow


def _batch_stream(batch: ArrowArrayExportable) -> ArrowStreamExportable:
    """The stream of one batch."""
    pyarrow = needed_pyarrow(
        f"{type(batch).__name__} has __arrow_c_array__ and no __arrow_c_stream__, which needs pyarrow")
    try:
        found = pyarrow.record_batch(batch)
    except pyarrow.ArrowInvalid as error:
        array = pyarrow.array(batch)
        if not pyarrow.types.is_struct(array.type):
            raise DataError(f"a column is given, and no table: {error}") from None
        # Structs can be a slice of others, and null.
        found = pyarrow.RecordBatch.from_arrays(array.flatten(), schema=pyarrow.schema(list(array.type)))
    stream: ArrowStreamExportable = pyarrow.RecordBatchReader.from_batches(found.schema, [found])
    return stream


def _slices(table: Any) -> Any:
    """A `pyarrow.Table` as batches, of which there is always one: it has the dictionaries of the answer."""
    import pyarrow

    schema = table.schema
    batches = table.to_batches(max_chunksize=_BATCH_ROWS) or [
        pyarrow.RecordBatch.from_arrays([pyarrow.nulls(0, field.type) for field in schema], schema=schema)]
    return pyarrow.RecordBatchReader.from_batches(schema, batches)


def _check_names(names: Collection[str]) -> None:
    """Refuses names that Arrow's interface would cut."""
    for name in names:
        if "\0" in name:
            raise DataError(f"the name {name!r} of a column has a zero byte, with which names end in Arrow; rename it")


def _batches(stream: ArrowStream) -> tuple[Any, list[Any]]:
    """The schema and the batches of a stream, for pyarrow."""
    import pyarrow

    reader = pyarrow.RecordBatchReader.from_stream(stream)
    batches = []
    try:
        for batch in reader:
            batches.append(batch)
    except pyarrow.ArrowInvalid as error:
        raise DataError(str(error)) from None
    return reader.schema, batches


def _table(plan: Plan, table: Any, options: dict[str, Any]) -> Any:
    """A `pyarrow.Table`."""
    import pyarrow

    _check_names(table.column_names)
    stream = assigned_stream(plan, _slices(table), options, joins=options["layout"] == "wide")
    schema, batches = _batches(stream)
    return pyarrow.Table.from_batches(batches, schema)


def _record_batch(plan: Plan, batch: Any, options: dict[str, Any]) -> Any:
    """A `pyarrow.RecordBatch`."""
    _check_names(batch.schema.names)
    stream = assigned_stream(plan, _batch_stream(batch), options, joins=options["layout"] == "wide")
    return _batches(stream)[1][0]


def _reader(plan: Plan, reader: Any, options: dict[str, Any]) -> Any:
    """A `pyarrow.RecordBatchReader`, whose batches are assigned when they are read."""
    import pyarrow

    _check_names(reader.schema.names)
    return pyarrow.RecordBatchReader.from_stream(
        assigned_stream(plan, reader, options, joins=options["layout"] == "wide"))


def _pandas(plan: Plan, frame: Any, options: dict[str, Any]) -> Any:
    """A `pandas.DataFrame`, whose index the answer has."""
    import pandas

    pyarrow = needed_pyarrow("pandas gives its columns through pyarrow")
    time = options.get("time_column")
    table = pandas_table(frame, needed_columns(plan, options), time)
    stream = assigned_stream(
        plan, _slices(table), options, joins=False, zone=lambda name: _pandas_zone(frame, name))
    schema, batches = _batches(stream)
    nullable = {pyarrow.int64(): pandas.Int64Dtype()}
    assigned = pyarrow.Table.from_batches(batches, schema).to_pandas(types_mapper=nullable.get)
    if options["layout"] == "long":
        return assigned.astype({"row": "int64"})
    if not len(assigned.columns):
        return frame.copy()
    assigned.index = frame.index
    joined = pandas.concat([frame, assigned], axis=1)
    # These do not survive concat.
    joined.attrs = copy.deepcopy(frame.attrs)
    joined.columns.name = frame.columns.name
    return joined


def _pandas_zone(frame: Any, name: str) -> str:
    """How the timestamps of a column, or of a level of the index, get their time zone."""
    for label, kind in zip(frame.columns, frame.dtypes):
        if str(label) == name:
            place = f"frame[{_shown(label)}]"
            return f"pandas.to_datetime({place}, utc=True)" if kind == object else f'{place}.dt.tz_localize("UTC")'
    return f"pandas.to_datetime(frame.index.get_level_values({_shown(name)}), utc=True)"


def pandas_table(frame: Any, needed: Collection[str], time_column: str | None = None, *, keeps: bool = False) -> Any:
    """A `pyarrow.Table` of a data frame: the columns that are needed, and of others the name alone.

    Labels are names by their text. A level of the index is a column too, where no column has its name.

    Args:
        time_column: the column of instants, whose timestamps have time zones.
        keeps: whether there are also all others that Arrow has a type for.
    """
    import pandas
    import pyarrow

    if frame.columns.nlevels > 1:
        raise DataError(
            f"the labels of the columns have {frame.columns.nlevels} levels, such as {frame.columns[0]}; give them one of "
            "texts: frame.columns = [...]")
    arrays: list[Any] = []
    names: list[str] = []

    def add(values: Any, label: object, place: str) -> None:
        name = str(label)
        _check_names([name])
        try:
            is_read = keeps or name in needed
            array = _pandas_array(values, name, place, name == time_column) if is_read else pyarrow.nulls(len(frame))
        except DataError:
            if name in needed:
                raise
            array = pyarrow.nulls(len(frame))
        arrays.append(array)
        names.append(name)

    for position, label in enumerate(frame.columns):
        add(frame.iloc[:, position], label, f"frame[{_shown(label)}]")
    columns = set(names)
    for position, label in enumerate(frame.index.names):
        if label is not None and str(label) not in columns and (keeps or str(label) in needed):
            level = pandas.Series(frame.index.get_level_values(position))
            add(level, label, f"frame.index.get_level_values({_shown(label)})")
    if not arrays:  # A table without columns has rows, which a list of none cannot say.
        return pyarrow.table([pyarrow.nulls(len(frame))], [""]).select([])
    return pyarrow.table(arrays, names)


def _shown(label: object) -> str:
    """A label as it is written in Python."""
    return f'"{label}"' if isinstance(label, str) else repr(label)


def _pandas_array(values: Any, name: str, place: str, is_time: bool) -> Any:
    """An Arrow array of a `pandas.Series`."""
    import pandas

    if isinstance(values.dtype, pandas.SparseDtype):
        values = values.astype(values.dtype.subtype)
    return _array(values, name, f'{place}.astype("string")', is_time and values.dtype == object)


def _array(values: Any, name: str, fix: str, is_time: bool) -> Any:
    """An Arrow array of values, of which each may have a type of its own.

    Args:
        fix: how they get one type.
        is_time: whether they are Python's instants, which have time zones.
    """
    import pyarrow

    try:
        array = pyarrow.array(values, from_pandas=True)
    except UnicodeError:
        raise DataError(
            f'the column "{name}" has half a surrogate pair, which is not text; decode it correctly') from None
    except (pyarrow.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise DataError(
            f'the values of the column "{name}" cannot be read: {error}; give them one type, such as {fix}') from None
    # A column without values is of any type, in pandas often of floating-point numbers.
    if array.null_count == len(array):
        return pyarrow.nulls(len(array))
    if isinstance(values, list) or values.dtype == object:
        _check_kinds(values, name)
    if is_time and pyarrow.types.is_timestamp(array.type):
        given = [value for value, is_valid in zip(values, array.is_valid().to_pylist()) if is_valid]
        if len({getattr(value, "tzinfo", None) is None for value in given}) > 1:
            raise DataError(
                f'the column "{name}" has timestamps with a time zone and without one, which are other instants in '
                f"each place; give these theirs, such as {_PYTHON_ZONE}")
    return array


def _check_kinds(values: Any, name: str) -> None:
    """Refuses values of different kinds, as well as such elements of lists.

    Arrow takes some of them for one type: a datetime after a date for a date, a boolean among numbers for one of them.
    """
    while True:
        kinds: dict[str, set[type]] = {}
        for kind in set(map(type, values)):
            kinds.setdefault(_kind_of(kind), set()).add(kind)
        kinds.pop("nothing", None)
        # What is not a number is a missing value among all others.
        if len(kinds) > 1 and all(is_missing(value) for value in values if type(value) in kinds.get("number", ())):
            kinds.pop("number", None)
        if len(kinds) > 1:
            one, other = sorted(kinds)[:2]
            raise DataError(
                f'the column "{name}" has values of different types, such as {one} and {other}; give them one type')
        if "list" not in kinds:
            return
        values = list(itertools.chain.from_iterable(value for value in values if type(value) in kinds["list"]))


def _kind_of(kind: type) -> str:
    """What the values of a class of Python are."""
    if kind.__name__ in ("NoneType", "NAType", "NaTType"):
        return "nothing"
    if issubclass(kind, bool) or kind.__name__ in ("bool", "bool_"):
        return "boolean"
    if issubclass(kind, numbers.Number) and kind.__name__ != "timedelta64":
        return "number"
    if issubclass(kind, datetime.date):
        return "datetime" if issubclass(kind, datetime.datetime) else "date"
    if issubclass(kind, (list, tuple, set, frozenset)) or kind.__name__ == "ndarray":
        return "list"
    return "text" if issubclass(kind, str) else kind.__name__


def uuid_texts(array: Any) -> Any:
    """The texts of UUIDs in an Arrow array; other arrays as they are."""
    import pyarrow

    if getattr(array.type, "extension_name", None) != "arrow.uuid":
        return array
    return pyarrow.array([None if value is None else str(value) for value in array.to_pylist()], "string")


def check_polars_names(schema: Any) -> None:
    """Refuses names of columns, and of members of structs, that end Polars when it gives a frame to others."""
    import polars

    _check_names(schema)
    kinds = list(schema.values())
    while kinds:
        kind = kinds.pop()
        if isinstance(kind, polars.Struct):
            check_polars_names({field.name: field.dtype for field in kind.fields})
        elif isinstance(kind, (polars.List, polars.Array)):
            kinds.append(kind.inner)


def polars_source(frame: Any, needed: Collection[str], time_column: str | None = None) -> Any:
    """A `polars.DataFrame` without Python objects: values of those that are needed, and of others the name alone."""
    import polars

    check_polars_names(frame.schema)

    def column(name: str) -> Any:
        if name not in needed:
            return polars.lit(None).alias(name)
        needed_pyarrow("Polars gives columns of Python objects through pyarrow")
        fix = f'frame["{name}"].map_elements(str, return_dtype=polars.String)'
        return polars.Series(name, uuid_texts(_array(frame[name].to_list(), name, fix, name == time_column)))

    return frame.with_columns(column(name) for name, kind in frame.schema.items() if kind == polars.Object)


def _polars(plan: Plan, frame: Any, options: dict[str, Any], *, warns: bool = True) -> Any:
    """A `polars.DataFrame`."""
    import polars

    source = polars_source(frame, needed_columns(plan, options), options.get("time_column"))
    # Signals are of the main thread, and Polars gives a frame as one batch.
    is_main = threading.current_thread() is threading.main_thread()
    slices = SlicedStream(list(source.iter_slices(_BATCH_ROWS))) if is_main and source.height > _BATCH_ROWS else None
    stream = assigned_stream(plan, slices or source, options, joins=False, warns=warns, zone=POLARS_ZONE)
    try:
        assigned = _polars_answer(stream, slices) if slices else polars.DataFrame(stream)
    except polars.exceptions.PolarsError as error:
        raise DataError(str(error).removeprefix("got external error: ")) from None
    if options["layout"] == "long":
        return assigned
    return frame.hstack(assigned.get_columns()) if assigned.width else frame.clone()


def _polars_answer(stream: ArrowStream, slices: SlicedStream) -> Any:
    """The answer to slices as a `polars.DataFrame`. A signal ends it after a slice."""
    import polars

    with concurrent.futures.ThreadPoolExecutor(1) as reader:
        try:
            answer = reader.submit(polars.DataFrame, stream)
            # Signals do not end a wait where Polars has its own handlers.
            while not concurrent.futures.wait([answer], 0.1).done:
                pass
            return answer.result()
        finally:
            slices.stop()


def _polars_lazy(plan: Plan, frame: Any, options: dict[str, Any]) -> Any:
    """A `polars.LazyFrame`, which is assigned when it is collected."""
    import polars

    schema = _polars(plan, polars.DataFrame(schema=frame.collect_schema()), options).schema
    is_wide = options["layout"] == "wide"
    return frame.map_batches(
        lambda batch: _polars(plan, batch, options, warns=False), schema=schema, streamable=is_wide,
        predicate_pushdown=False, projection_pushdown=False, slice_pushdown=is_wide)


_KINDS: dict[tuple[str, str], Callable[[Plan, Any, dict[str, Any]], Any]] = {
    ("pyarrow", "Table"): _table,
    ("pyarrow", "RecordBatch"): _record_batch,
    ("pyarrow", "RecordBatchReader"): _reader,
    ("pandas", "DataFrame"): _pandas,
    ("polars", "DataFrame"): _polars,
    ("polars", "LazyFrame"): _polars_lazy,
}
