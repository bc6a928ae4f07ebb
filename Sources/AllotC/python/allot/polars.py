"""Assignment in Polars, as an expression.

A data frame, lazy or not, is assigned by :meth:`allot.Plan.assign`. An expression is for a place where there is none, such
as in a group or next to other expressions:

>>> import allot.polars, polars
>>> plan = allot.load("Experiments")
>>> users = polars.DataFrame({"id": ["user-001", "user-011"]})
>>> variants = allot.polars.expression(
...     plan, polars.col("id").alias("user_id"), at="2026-11-21T12:00:00Z", experiments=["buy-button"])
>>> users.with_columns(variants.struct.field("buy-button")).rows()
[('user-001', 'large-green'), ('user-011', None)]
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._arrow import INT64
from ._errors import ArgumentError
from ._plan import Plan, assign_options, plan_of
from ._tables import POLARS_ZONE, FirstOfColumns, assigned_formats, assigned_stream, check_polars_names
from ._values import Instant

if TYPE_CHECKING:
    import polars

__all__ = ["expression"]


def expression(
    definitions: Plan | str | os.PathLike[str], *attributes: str | polars.Expr, at: Instant | None = None,
    experiments: Sequence[str] | None = None, columns: Mapping[str, str] | None = None, reason: bool = False,
    bucket: bool = False, time_column: str | None = None, null: Sequence[str] | None = None, name: str = "assignment",
) -> polars.Expr:
    """The variants as an expression: a struct with a member for each experiment.

    All rows are decided at the same instant: that of this call, if ``at`` is not given.

    Args:
        definitions: a plan, or a folder of definitions.
        attributes: the columns of the attributes, or expressions with their names.
        at, experiments, columns, reason, bucket, time_column, null: as in :meth:`allot.Plan.assign`, for the wide
            layout.
        name: the name of the column.

    Raises:
        ArgumentError: no experiment can assign, or an argument cannot be used.
    """
    import polars

    plan = plan_of(definitions)
    options = assign_options(at, "wide", experiments, columns, reason, bucket, False, time_column, 1, null)
    formats = assigned_formats(plan, options)
    if not formats or not attributes:
        raise ArgumentError("no experiment can assign at that instant" if attributes else "name columns of attributes")
    members = [
        polars.Field(column, polars.Int64 if kind == INT64 else polars.String) for column, kind in formats.items()]
    is_first = FirstOfColumns()

    def function(rows: polars.Series) -> Any:
        frame = rows.struct.unnest()
        check_polars_names(frame.schema)
        assigned = polars.DataFrame(assigned_stream(
            plan, frame, options | {"texts": True}, joins=False, warns=is_first(frame.columns), zone=POLARS_ZONE))
        return assigned.to_struct(rows.name)

    return polars.struct(*attributes).map_batches(
        function, return_dtype=polars.Struct(members), is_elementwise=True).alias(name)
