"""Columns of few texts as numbers, for engines that take a number in a fraction of the time of a text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

# A code is a byte: the place of the text among the values, or their number if there is no text.
_CODES_IN_NUMBER = 8
_MOST_VALUES = 255


# The name of a column, the position of the column that it is or is in, the bit that its codes begin at, and the texts that
# they stand for, or None for a plain column.
Place = tuple[str, int, int, "list[str] | None"]


def packed(batch: Any, first: int) -> list[Any]:
    """The columns of a `pyarrow.RecordBatch`: those before ``first`` as they are; of the others those that stay plain; and
    then numbers, each with the codes of eight of the rest."""
    import numpy
    import pyarrow

    columns: list[Any] = batch.columns[:first]
    coded = []
    for column in batch.columns[first:]:
        if _values(column) is not None:
            coded.append(column)
        else:
            columns.append(column.cast("string") if pyarrow.types.is_dictionary(column.type) else column)
    for start in range(0, len(coded), _CODES_IN_NUMBER):
        codes = numpy.zeros((len(batch), _CODES_IN_NUMBER), "uint8")
        for place, column in enumerate(coded[start:start + _CODES_IN_NUMBER]):
            codes[:, place] = column.indices.fill_null(len(column.dictionary)).to_numpy()
        columns.append(pyarrow.array(codes.view("<i8")[:, 0]))
    return columns


def places(batch: Any) -> Iterator[Place]:
    """Where the columns of a batch are after :func:`packed`."""
    values = [_values(column) for column in batch.columns]
    plain, code = 0, _CODES_IN_NUMBER * values.count(None)
    for name, texts in zip(batch.schema.names, values):
        if texts is None:
            yield name, plain, 0, None
            plain += 1
        else:
            yield name, code // _CODES_IN_NUMBER, 8 * (code % _CODES_IN_NUMBER), texts
            code += 1


def _values(column: Any) -> list[str] | None:
    """The texts that are in a column, if there are few enough to be coded."""
    import pyarrow

    if not pyarrow.types.is_dictionary(column.type) or len(column.dictionary) > _MOST_VALUES:
        return None
    values: list[str] = column.dictionary.to_pylist()
    return values
