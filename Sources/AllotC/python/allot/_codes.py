"""Columns of few texts as numbers, for engines that take a number in a fraction of the time of a text."""

from __future__ import annotations

from typing import Any, NamedTuple

# A code is a byte: the index of the text among the values, or their number if there is no text.
_CODES_IN_NUMBER = 8
_MOST_VALUES = 255


class Location(NamedTuple):
    """Where a column is after :func:`packed`."""

    name: str
    position: int
    """Of the column that it is, or is in, among those that are packed."""
    slot: int
    """Which byte of the numbers has its codes, 0 for the lowest."""
    values: list[str] | None
    """The texts that its codes stand for, or None for a plain column."""


def locations(batch: Any) -> list[Location]:
    """Where the columns of a `pyarrow.RecordBatch` will be: plain ones first, then numbers with the codes of eight each."""
    values = [_values(column) for column in batch.columns]
    found, plain, code = [], 0, _CODES_IN_NUMBER * values.count(None)
    for name, texts in zip(batch.schema.names, values):
        if texts is None:
            found.append(Location(name, plain, 0, None))
            plain += 1
        else:
            found.append(Location(name, *divmod(code, _CODES_IN_NUMBER), texts))
            code += 1
    return found


def packed(batch: Any, places: list[Location]) -> list[Any]:
    """The columns of a `pyarrow.RecordBatch` at their locations."""
    import numpy
    import pyarrow

    columns: list[Any] = [None] * (1 + max((place.position for place in places), default=-1))
    for column, (_, position, slot, values) in zip(batch.columns, places):
        if values is None:
            columns[position] = column.cast("string") if pyarrow.types.is_dictionary(column.type) else column
            continue
        if columns[position] is None:
            columns[position] = numpy.zeros((len(batch), _CODES_IN_NUMBER), "uint8")
        columns[position][:, slot] = column.indices.fill_null(len(values)).to_numpy()
    return [
        pyarrow.array(column.view("<i8")[:, 0]) if isinstance(column, numpy.ndarray) else column for column in columns]


def _values(column: Any) -> list[str] | None:
    """The texts that are in a column, if there are few enough to be coded."""
    import pyarrow

    if not pyarrow.types.is_dictionary(column.type) or len(column.dictionary) > _MOST_VALUES:
        return None
    values: list[str] = column.dictionary.to_pylist()
    return values
