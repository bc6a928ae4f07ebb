"""Assignment in DuckDB, as a function of SQL.

>>> import allot.duckdb, duckdb
>>> plan = allot.load("Experiments")
>>> connection = duckdb.connect()
>>> _ = connection.execute("CREATE TABLE users AS SELECT 'user-001' AS user_id, 'GR' AS country")
>>> allot.duckdb.register(connection, plan, at="2026-11-21T12:00:00Z", experiments=["buy-button", "short-checkout"])
>>> connection.sql("SELECT user_id, unnest(assign(users)) FROM users").fetchall()
[('user-001', 'large-green', None)]
>>> connection.sql("SELECT assign({user_id: 'user-011'})['short-checkout']").fetchall()
[('one-step',)]

Without a function of SQL, a query's rows go through the engine as a stream, which is faster where it is possible (the
cursor, because a connection reads one result at a time):

>>> users = connection.cursor().sql("SELECT * FROM users").to_arrow_reader()
>>> assigned = plan.assign(users, at="2026-11-21T12:00:00Z", experiments=["buy-button"])
>>> connection.sql('SELECT "buy-button", count(*) FROM assigned GROUP BY 1').fetchall()
[('large-green', 1)]
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._arrow import INT64
from ._errors import ArgumentError, DataError
from ._plan import Plan, assign_options, plan_of
from ._tables import FirstOfColumns, assigned_formats, needed_pyarrow, struct_of
from ._values import Instant

if TYPE_CHECKING:
    import duckdb

__all__ = ["register"]


def register(
    connection: duckdb.DuckDBPyConnection, definitions: Plan | str | os.PathLike[str], name: str = "assign", *,
    at: Instant | None = None, experiments: Sequence[str] | None = None, columns: Mapping[str, str] | None = None,
    reason: bool = False, bucket: bool = False, time_column: str | None = None, null: Sequence[str] | None = None,
) -> None:
    """Makes assignment a function of SQL on a connection.

    The function takes a row: ``assign(users)`` that of a table ``users``, or ``assign({user_id: id, country: land})``
    the attributes that are given. It returns a struct with a member for each experiment, of which ``unnest`` makes
    columns. All that the connection decides is decided at the same instant: that of this call, if ``at`` is not given.

    Args:
        connection: where the function will be.
        definitions: a plan, or a folder of definitions.
        name: the name of the function.
        at, experiments, columns, reason, bucket, time_column, null: as in :meth:`allot.Plan.assign`, for the wide
            layout.

    Raises:
        ArgumentError: no experiment can assign, or an argument cannot be used.
    """
    import duckdb

    needed_pyarrow("DuckDB gives rows to functions through pyarrow")
    plan = plan_of(definitions)
    options = assign_options(at, "wide", experiments, columns, reason, bucket, False, time_column, 1, null)
    formats = assigned_formats(plan, options)
    if not formats:
        raise ArgumentError("no experiment can assign at that instant; look at plan.experiments")
    is_first = FirstOfColumns()

    def function(*arguments: Any) -> Any:
        import pyarrow

        rows: Any = arguments[0] if arguments else None
        if len(arguments) != 1 or not pyarrow.types.is_struct(rows.type):
            raise DataError(f"{name} takes a row: {name}(users) of a table users, or {name}({{user_id: id}})")
        table = pyarrow.Table.from_batches(
            [pyarrow.RecordBatch.from_struct_array(chunk) for chunk in rows.chunks],
            pyarrow.schema(list(rows.type)))
        return struct_of(plan, table, options, warns=is_first(table.column_names))

    kinds = {name: "BIGINT" if kind == INT64 else "VARCHAR" for name, kind in formats.items()}
    # Its types do not have the names of types and of the handling of NULL.
    create_function: Any = connection.create_function
    create_function(name, function, None, duckdb.struct_type(kinds), type="arrow", null_handling="special")
