"""Tables of any kind in, and the same kind out."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._arrow import (
    ArrowArrayExportable,
    ArrowStream,
    ArrowStreamExportable,
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
from ._values import encoded

if TYPE_CHECKING:
    from ._plan import Plan

# Between two batches signals are handled, such as the one of Ctrl-C.
_BATCH_ROWS = 1 << 20


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
    for base in type(table).__mro__:
        if known := _KINDS.get((base.__module__.partition(".")[0], base.__name__)):
            return known
    return None


def assigned_schema(plan: Plan, schema: object, options: dict[str, Any], *, warns: bool = True) -> object:
    """The schema of the output in a capsule, after all that can be said of the input's columns without data."""
    # In the wide layout the columns of the input come first, also where the caller joins them.
    checked = options | {"input": True} if options["layout"] == "wide" else options
    capsule = _assigned_schema(plan, schema_address(schema), checked)
    missing = json.loads(metadata(capsule).get("allot.missing_columns", "[]"))
    if missing and warns:
        names = ", ".join(f'"{name}"' for name in missing)
        warn(
            f"the table has no column {names}, so that {'it is' if len(missing) == 1 else 'they are'} missing for "
            "all rows; if the column has another name, give columns={attribute: column}", MissingColumnsWarning)
    zoneless = options.get("time_column")
    # A timestamp's format ends with its zone.
    if zoneless is not None and re.fullmatch("ts[smun]:", column_formats(schema).get(zoneless, "")):
        raise DataError(
            f'the timestamps of the column "{zoneless}" have no time zone, so they are other instants in each place; give '
            f'them theirs, such as frame["{zoneless}"].dt.tz_localize("UTC")')
    return capsule


def _assigned_schema(plan: Plan, schema: int, options: dict[str, Any]) -> object:
    capsule, address = new_schema()
    call("allot_assign_schema", plan._handle, encoded(options), schema, address)
    return capsule


def assigned_stream(
    plan: Plan, source: ArrowStreamExportable, options: dict[str, Any], *, joins: bool, warns: bool = True
) -> ArrowStream:
    """The answer batch by batch.

    Args:
        joins: whether the columns of the input come first.
    """
    capsule = source.__arrow_c_stream__()
    assigned_schema(plan, stream_schema(capsule), options, warns=warns)
    output, address = new_stream()
    if joins:
        options = options | {"input": True}
    call("allot_assign_stream", plan._handle, encoded(options), stream_address(capsule), address)
    return ArrowStream(output)


def assigned_formats(plan: Plan, options: dict[str, Any]) -> dict[str, str]:
    """The columns that are added to any table that has all columns that are needed, with their formats."""
    # Texts can be anything but lists, and an instant.
    needed = dict.fromkeys([*plan.attributes, "user_id"])
    for attribute, column in (options.get("columns") or {}).items():
        needed[column] = needed.pop(attribute, None)
    if "time_column" in options:
        needed[options["time_column"]] = None
    table = TextSchema(list(needed))
    return column_formats(_assigned_schema(plan, table.address, options))


def needed_columns(plan: Plan, options: dict[str, Any]) -> set[str]:
    """The names of the columns that values are read of."""
    needed = {*plan.attributes, "user_id", *(options.get("columns") or {}).values()}
    return needed | {options["time_column"]} if "time_column" in options else needed


def struct_of(plan: Plan, table: Any, options: dict[str, Any], *, warns: bool) -> Any:
    """The columns that are added to a `pyarrow.Table`, as a struct of plain columns."""
    import pyarrow

    stream = assigned_stream(plan, table, options | {"texts": True}, joins=False, warns=warns)
    schema, batches = _batches(stream)
    return pyarrow.chunked_array([batch.to_struct_array() for batch in batches], pyarrow.struct(list(schema)))


def _batch_stream(batch: ArrowArrayExportable) -> ArrowStreamExportable:
    """The stream of one batch."""
    try:
        import pyarrow
    except ImportError:
        raise ArgumentError(
            f"{type(batch).__name__} has __arrow_c_array__ and no __arrow_c_stream__, which needs pyarrow; install it: "
            "pip install pyarrow") from None

    try:
        found = pyarrow.record_batch(batch)
    except pyarrow.ArrowInvalid as error:
        raise DataError(f"a column is given, and no table: {error}") from None
    stream: ArrowStreamExportable = pyarrow.RecordBatchReader.from_batches(found.schema, [found])
    return stream


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

    source = table.to_reader(max_chunksize=_BATCH_ROWS)
    stream = assigned_stream(plan, source, options, joins=options["layout"] == "wide")
    schema, batches = _batches(stream)
    return pyarrow.Table.from_batches(batches, schema)


def _record_batch(plan: Plan, batch: Any, options: dict[str, Any]) -> Any:
    """A `pyarrow.RecordBatch`."""
    stream = assigned_stream(plan, _batch_stream(batch), options, joins=options["layout"] == "wide")
    return _batches(stream)[1][0]


def _reader(plan: Plan, reader: Any, options: dict[str, Any]) -> Any:
    """A `pyarrow.RecordBatchReader`, whose batches are assigned when they are read."""
    import pyarrow

    return pyarrow.RecordBatchReader.from_stream(
        assigned_stream(plan, reader, options, joins=options["layout"] == "wide"))


def _pandas(plan: Plan, frame: Any, options: dict[str, Any]) -> Any:
    """A `pandas.DataFrame`, whose index the answer has."""
    import pandas

    try:
        import pyarrow
    except ImportError:
        raise ArgumentError("pandas gives its columns through pyarrow; install it: pip install pyarrow") from None

    source = pyarrow.table(*_pandas_columns(plan, frame, options)).to_reader(max_chunksize=_BATCH_ROWS)
    schema, batches = _batches(assigned_stream(plan, source, options, joins=False))
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


def _pandas_columns(plan: Plan, frame: Any, options: dict[str, Any]) -> tuple[list[Any], list[str]]:
    """The columns of a data frame: those that are needed, and of others the name alone."""
    import pandas
    import pyarrow

    needed = needed_columns(plan, options)
    if frame.columns.nlevels > 1:
        raise DataError(
            f"the labels of the columns have {frame.columns.nlevels} levels, such as {frame.columns[0]}; give them one of "
            "texts: frame.columns = [...]")
    series: list[tuple[Any, Any]] = [(name, frame.iloc[:, position]) for position, name in enumerate(frame.columns)]
    names = set(frame.columns)
    for position, name in enumerate(frame.index.names):
        if name in needed and name not in names:
            series.append((name, frame.index.get_level_values(position)))
    arrays, labels = [], []
    for name, values in series:
        labels.append(str(name))
        if name not in needed:
            arrays.append(pyarrow.nulls(len(frame)))
            continue
        try:
            if isinstance(values.dtype, pandas.SparseDtype):
                values = values.astype(values.dtype.subtype)
            array = pyarrow.array(values, from_pandas=True)
            # A column without values is of any type, in pandas often of floating-point numbers.
            arrays.append(pyarrow.nulls(len(frame)) if array.null_count == len(frame) else array)
        except (pyarrow.ArrowException, TypeError, ValueError, OverflowError, UnicodeError) as error:
            place = f'frame["{name}"]' if name in names else f'frame.index.get_level_values("{name}")'
            raise DataError(
                f'the column "{name}" has values that are not of one type: {error}; give it one, such as '
                f'{place}.astype("string")') from None
    if not arrays:
        return [pyarrow.nulls(len(frame))], [""]
    return arrays, labels


def _polars(plan: Plan, frame: Any, options: dict[str, Any], *, warns: bool = True) -> Any:
    """A `polars.DataFrame`."""
    import polars

    # Python objects cannot be given to others; their names can.
    source = frame.with_columns(
        polars.lit(None).alias(name) for name, kind in frame.schema.items() if kind == polars.Object)
    stream = assigned_stream(plan, source, options, joins=False, warns=warns)
    try:
        assigned = polars.DataFrame(stream)
    except polars.exceptions.PolarsError as error:
        raise DataError(str(error)) from None
    if options["layout"] == "long":
        return assigned
    return frame.hstack(assigned.get_columns()) if assigned.width else frame.clone()


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
