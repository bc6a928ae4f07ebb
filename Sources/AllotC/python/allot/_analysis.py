"""Sample ratios, the distribution of buckets, and power."""

from __future__ import annotations

import decimal
import io
import math
import os
import pathlib
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Union

from ._errors import ArgumentError, DataError, FileError
from ._library import text_of, thread_count
from ._plan import Plan, plan_of
from ._reports import DistributionReport, PowerReport, SampleRatioReport
from ._tables import class_names, needed_pyarrow, pandas_table, polars_source, uuid_texts
from ._values import Instant, encoded, from_numpy, instant

Shares = Union[str, Mapping[str, float]]
"""Shares by variant: ``{"control": 50, "green": 50}``, or text: ``"control=50%,green=50%"``."""
Number = Union[float, str]
"""A number, or text such as ``"10%"``."""


def srm(
    data: Any, plan: Plan | str | os.PathLike[str] | None = None, *, shares: Shares | None = None,
    shares_of: Mapping[str, Shares] | None = None, experiment: str | Sequence[str] | None = None,
    salt: str | Sequence[str] | None = None, at: Instant | None = None, threshold: Number | None = None,
    by: str | Sequence[str] | None = None, ignore_variant: str | Sequence[str] | None = None, time_order: bool = False,
    rows_are_units: bool = False, wrong_share: Number | None = None, several_share: Number | None = None,
    unit_column: str | None = None, variant_column: str | None = None, count_column: str | None = None,
    experiment_column: str | None = None, time_column: str | None = None, attributes_column: str | None = None,
) -> SampleRatioReport:
    """Tests whether units are in the ratio that they should have, as ``allot srm`` does.

    >>> import allot
    >>> report = allot.srm({"control": 10000, "green": 9500}, shares="control=50%,green=50%")
    >>> report["alarm"], round(report["comparisons"][0]["test"]["p_value"], 6)
    (True, 0.000343)

    Args:
        data: the number of units of each variant, ``{variant: number}`` or what ``value_counts`` of pandas gives; or
            rows of units, of counts or of exposures, as a table, or as the path of a CSV file. The values of a table
            are those that :meth:`allot.Plan.assign` reads, but dates in the column of times are days. Columns of lists
            and of other types that CSV does not have are left out.
        plan: the plan whose shares are expected, unless ``shares`` are given, or its folder of definitions.
        shares: the expected shares.
        shares_of: the shares of other revisions, by these.
        experiment: the key of the experiment, or of those to test.
        salt: the randomisations to test, rather than the present ones.
        at: the instant for which the plan says what is expected.
        threshold: the p-value below which a mismatch is detected (default: 0.001).
        by: the attributes in which to look for the source.
        ignore_variant: variants whose rows are left out.
        time_order: whether the rows are in the order of time, although no column says so.
        rows_are_units: whether each row is another unit, so that no column has unit IDs.
        wrong_share: the share of units with wrong variants that is tolerated (default: 0.005).
        several_share: the share of units in several variants of one revision that is tolerated (default: 0.01).
        unit_column, variant_column, count_column, experiment_column, time_column, attributes_column: the columns
            that have other names than ``unit``, ``variant``, ``count``, ``experiment``, ``at``, ``attributes``.

    Returns:
        What ``allot srm --json`` prints. Notebooks show it as HTML.

    Raises:
        DataError: the table cannot be tested, such as one whose unit IDs are floating-point numbers.
    """
    loaded = None if plan is None else plan_of(plan)
    chosen = dict(
        shares=_shares(shares, "shares"), shares_of=_shares_of(shares_of), experiment=experiment, salt=salt,
        at=instant(at), threshold=threshold, by=by, ignore_variant=ignore_variant, time_order=time_order or None,
        rows_are_units=rows_are_units or None, wrong_share=wrong_share, several_share=several_share,
        unit_column=unit_column, variant_column=variant_column, count_column=count_column,
        experiment_column=experiment_column, time_column=time_column, attributes_column=attributes_column)
    rows = None
    if isinstance(data, Mapping) or ("pandas", "Series") in class_names(data):
        chosen["counts"] = _counts(data)
    else:
        named = [value for name, value in chosen.items() if name.endswith("_column")]
        asked = [*_USUAL_COLUMNS, *named, *_listed(by)]
        rows = _csv(
            data, {name for name in asked if isinstance(name, str)}, lambda names: _unit_columns(names, chosen, loaded),
            keeps=True, time=time_column or "at")
    return SampleRatioReport.of(
        text_of("allot_srm", loaded and loaded._handle, rows, len(rows or b""), _options(chosen, format="all")))


# The columns that rows have for `srm`, unless others are named.
_USUAL_COLUMNS = ("unit", "user_id", "variant", "count", "experiment", "at", "attributes")


def _unit_columns(names: Collection[str], chosen: Mapping[str, Any], plan: Plan | None) -> list[Any]:
    """The columns of a table that `srm` takes unit IDs from, as `SampleRatioColumns.swift` finds them."""
    if chosen["rows_are_units"]:
        return []
    unit = chosen["unit_column"] or next((name for name in ("unit", "user_id") if name in names), None)
    if chosen["count_column"] is not None or (unit is None and "count" in names):
        return []
    has_variants = chosen["variant_column"] is not None or "variant" in names
    if plan is None or chosen["shares"] is not None or (unit is not None and has_variants):
        return [unit]
    # Experiments have columns of their own, or no column is that of all units.
    tested = _listed(chosen["experiment"] or [one["key"] for one in plan._experiments])
    return [unit, *(one["unit"] for one in plan._experiments if one["key"] in tested and one["unit"] != "user_id")]


def _listed(value: Any) -> list[Any]:
    """One value, or several, as a list."""
    return list(value) if isinstance(value, (list, tuple)) else [value]


def distribution(
    plan: Plan | str | os.PathLike[str], units: Any = None, *, experiment: str | Sequence[str] | None = None,
    number: int | None = None, shape: str | None = None, hash: str | None = None, salts: int | None = None,
    salt_units: int | None = None, alarm: Number | None = None, seed: int | None = None,
    unit_column: str | None = None, threads: int | None = None,
) -> DistributionReport:
    """Tests how well the buckets of a plan are spread, as ``allot distribution`` does.

    >>> import allot
    >>> plan = allot.load("Experiments")
    >>> report = allot.distribution(plan, number=10000, salts=10, experiment="buy-button")
    >>> report["alarm"]
    False

    Args:
        plan: the definitions, or their folder.
        units: real unit IDs: a table, or the path of a CSV file; without it, generated ones.
        experiment: the experiments to test; without it, all.
        number: how many unit IDs are generated (default: 1000000).
        shape: how they look: ``"sequential"``, ``"uuid"``, …, ``"all"``.
        hash: the scheme of the hash that is tested.
        salts: over how many salts the shares are compared (default: 1000).
        salt_units: how many units each of these salts splits (default: 10000).
        alarm: the p-value below which a test counts as failed (default: 0.001).
        seed: of the generated unit IDs (default: 1).
        unit_column: the column of the unit IDs (default: ``user_id``).
        threads: how many threads work; without it, one for each core.

    Returns:
        What ``allot distribution --json`` prints. Notebooks show it as a page with plots.
    """
    chosen = dict(
        experiment=experiment, units=number, shape=shape, hash=hash, salts=salts, salt_units=salt_units, alarm=alarm,
        seed=seed, unit_column=unit_column, threads=thread_count(threads))
    needed = {unit_column or "user_id"}
    rows = None if units is None else _csv(units, needed, lambda _: needed)
    loaded = plan_of(plan)
    return DistributionReport.of(
        text_of("allot_distribution", loaded._handle, rows, len(rows or b""), _options(chosen, format="all")))


def power(
    *, baseline: Number | None = None, standard_deviation: Number | None = None, mean: Number | None = None,
    effect: Number | None = None, relative_effect: Number | None = None, units: int | None = None,
    units_per_variant: int | None = None, days: Number | None = None, power: Number | None = None,
    alpha: Number | None = None, variants: int | None = None, allocation: Shares | None = None,
    correction: str | None = None, one_sided: bool = False, units_per_day: Number | None = None,
    traffic: Number | None = None, ramp: str | Sequence[str] | None = None, every: str | None = None,
) -> PowerReport:
    """Says how many units an experiment needs, or what it can find, as ``allot power`` does.

    Give two of an effect, a number of units and the power; the third follows. The power is 80 % unless it is given or
    follows.

    >>> import allot
    >>> allot.power(baseline="10%", effect="1%")["units"]
    29502

    Args:
        baseline: the rate that is compared, such as that of a conversion.
        standard_deviation, mean: those of the mean that is compared instead, such as revenue for each user.
        effect, relative_effect: the difference to find: absolute, or as a part of the baseline or mean.
        units, units_per_variant, days: how many units there are.
        power: the probability of finding the effect (default: 80 %).
        alpha: the probability of finding one that does not exist (default: 5 %).
        variants: how many there are (default: 2).
        allocation: the shares of the variants.
        correction: for several comparisons: ``"bonferroni"`` or ``"none"``.
        one_sided: whether only an effect of one sign is looked for.
        units_per_day, traffic, ramp, every: how many units come, what share of them is enrolled, and how it rises.

    Returns:
        What ``allot power --json`` prints.
    """
    chosen = dict(
        baseline=baseline, standard_deviation=standard_deviation, mean=mean, effect=effect,
        relative_effect=relative_effect, units=units, units_per_variant=units_per_variant, days=days, power=power,
        alpha=alpha, variants=variants, allocation=_allocation(allocation), correction=correction,
        one_sided=one_sided or None, units_per_day=units_per_day, traffic=traffic, ramp=ramp, every=every)
    return PowerReport.of(text_of("allot_power", _options(chosen, format="all")))


def _options(chosen: Mapping[str, Any], **more: Any) -> bytes:
    members = {**chosen, **more}
    return encoded({name: _plain(value, name) for name, value in members.items() if value is not None})


def _plain(value: Any, name: str) -> Any:
    """The value of an option as JSON has it."""
    value = from_numpy(value)
    if isinstance(value, Mapping):
        return {_name(key, name): _plain(member, name) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(element, name) for element in value]
    return value if value is None or isinstance(value, (bool, str)) else _number(value, name)


def _name(value: object, name: str) -> str:
    """A variant or a revision."""
    if not isinstance(value, str):
        raise ArgumentError(f"{name}: the key {value!r} is not a text; give texts")
    return value


def _number(value: Any, name: str) -> int | float:
    """A number of Python, of NumPy, or a decimal one, as JSON has it."""
    plain = from_numpy(value)
    if isinstance(plain, bool) or not isinstance(plain, (int, float, decimal.Decimal)):
        raise ArgumentError(f"{name}: {value!r} is not a number; give one")
    if not math.isfinite(plain):
        raise ArgumentError(f"{name}: {plain} is not a finite number; give one that is")
    return float(plain) if isinstance(plain, decimal.Decimal) else plain


def _counts(data: Any) -> dict[str, int]:
    """The number of units of each variant, of a mapping or a `pandas.Series`."""
    counts: dict[str, int] = {}
    for variant, value in data.items():
        number = _number(value, "the counts")
        if number < 0 or number != int(number):
            raise ArgumentError(f"the counts: {value!r}, of {variant!r}, is not a whole number from 0; give one")
        if variant in counts:
            raise ArgumentError(f"the counts: {variant!r} is there twice; add them up")
        counts[_name(variant, "the counts")] = int(number)
    return counts


def _shares(shares: Shares | None, name: str) -> str | dict[str, int | float] | None:
    """Shares as they are written, or the number of each variant."""
    if shares is None or isinstance(shares, str):
        return shares
    if not isinstance(shares, Mapping):
        raise ArgumentError(
            f'{name}: give a dictionary {{variant: number}}, or a text such as "control=50%,green=50%", not '
            f"{type(shares).__name__}")
    return {_name(variant, name): _number(share, name) for variant, share in shares.items()}


def _shares_of(given: Mapping[str, Shares] | None) -> dict[str, Any] | None:
    """The shares of each revision."""
    if given is not None and not isinstance(given, Mapping):
        raise ArgumentError(f"shares_of: give a dictionary {{revision: shares}}, not {type(given).__name__}")
    return None if given is None else {
        _name(revision, "shares_of"): _shares(shares, "shares_of") for revision, shares in given.items()}


def _allocation(given: Shares | None) -> str | None:
    """Shares as the text that the planning of experiments reads."""
    shares = _shares(given, "allocation")
    if shares is None or isinstance(shares, str):
        return shares
    for variant in shares:
        if "," in variant or "=" in variant:
            raise ArgumentError(f"allocation: the name {variant!r} has a comma or =; give the variant another one here")
    return ",".join(f"{variant}={decimal.Decimal(repr(share)):f}" for variant, share in shares.items())


def _csv(
    data: Any, needed: Collection[str], units: Callable[[Collection[str]], Collection[Any]], *,
    keeps: bool = False, time: str | None = None,
) -> bytes:
    """A table, or a CSV file, as the bytes of one.

    Args:
        needed: the columns of a table that are read if there are any. Of others there is the name.
        units: the columns that unit IDs are taken from, of all columns of a table.
        keeps: whether there are also all other columns that CSV can have.
        time: the column of the times of rows.
    """
    if isinstance(data, (str, os.PathLike)):
        try:
            return pathlib.Path(data).read_bytes()
        except OSError as error:
            raise FileError(f"{os.fspath(data)} cannot be read: {error}") from None
    if isinstance(data, bytes):
        return data
    if not hasattr(data, "__arrow_c_stream__"):
        raise ArgumentError(
            f"{type(data).__name__} is not a table that is known here; give a pyarrow Table, a pandas or Polars "
            "DataFrame, the path of a CSV file, or numbers by variant")
    needed_pyarrow("tables are read by pyarrow here")
    import pyarrow.csv

    names, columns = [], []
    try:
        table = _arrow_table(data, needed, keeps)
        unit_columns = units(table.column_names)
        for field, column in zip(table.schema, table.columns):
            is_unit = field.name in unit_columns
            if field.name == time and pyarrow.types.is_date(field.type):
                column = column.cast("string")  # At the midnight of its first day, an experiment may not have started.
            is_read = keeps or field.name in needed
            try:
                written = _written(column, field, is_unit) if is_read else pyarrow.nulls(len(table))
            except (DataError, pyarrow.ArrowException):
                if is_unit or field.name in needed:
                    raise
                continue
            names.append(field.name)
            columns.append(written)
        output = io.BytesIO()
        pyarrow.csv.write_csv(pyarrow.table(columns, names), output)
    except pyarrow.ArrowException as error:
        raise DataError(f"the table cannot be written as CSV: {error}") from None
    return output.getvalue()


def _arrow_table(data: Any, needed: Collection[str], keeps: bool) -> Any:
    """A `pyarrow.Table` of a table of any kind."""
    import pyarrow

    kinds = set(class_names(data))
    if ("pandas", "DataFrame") in kinds:
        return pandas_table(data, needed, keeps=keeps)
    try:
        reader = pyarrow.RecordBatchReader.from_stream(
            polars_source(data, needed) if ("polars", "DataFrame") in kinds else data)
    except pyarrow.ArrowInvalid as error:
        raise DataError(f"a column is given, and no table: {error}") from None
    return reader.read_all()


def _written(column: Any, field: Any, is_unit: bool) -> Any:
    """A column of a `pyarrow.Table` as CSV has it: the values as the texts that `Plan.assign` reads them as.

    These are the texts of `ScalarArray.value` in `ScalarArray+Reading.swift`. Floating-point numbers are numbers there,
    which CSV does not have: they have their shortest digits.

    Args:
        field: the name and the metadata of the column.
        is_unit: whether the values are unit IDs.

    Raises:
        DataError: the values are of a type that attributes, or unit IDs, cannot have, or one is not an instant.
    """
    import pyarrow.compute

    # The extension types that pyarrow does not know are in the metadata.
    column, extension = _decoded(column, (field.metadata or {}).get(b"ARROW:extension:name", b"").decode())
    kind = column.type
    values = _values(kind, extension)
    shown = f"{kind}, for values of {extension}" if extension else str(kind)
    if is_unit and not (values in ("text", "integer", "null") or values == "decimal" and kind.scale <= 0):
        fix = ("convert it to whole numbers, such as int64, or Int64 in pandas; as text, 1.0 is a different unit from 1"
               if values in ("floating", "decimal") else "cast it to text or int64")
        raise DataError(
            f'the column "{field.name}" holds unit IDs and is of type {shown}; unit IDs are text, UUIDs or whole '
            f"numbers: {fix}")
    if values is None:
        raise DataError(f'the column "{field.name}" is of type {shown}, which CSV does not have; cast it to text')
    if values == "floating":
        if kind == pyarrow.float16():
            column = _shortest(column)
        return pyarrow.compute.if_else(pyarrow.compute.is_nan(column), None, column)
    if values == "instant":
        return _instants(column, field.name)
    if values == "decimal":
        return _decimals(column)
    if values == "boolean":
        return column.cast("bool")
    return column.cast("large_string") if kind == pyarrow.string_view() else column


def _shortest(column: Any) -> Any:
    """Floating-point numbers of 16 bits as the doubles of their shortest digits."""
    import numpy
    import pyarrow

    return pyarrow.array(
        [None if value is None else from_numpy(numpy.float16(value)) for value in column.to_pylist()], "float64")


def _decoded(column: Any, extension: str) -> tuple[Any, str]:
    """A column without dictionaries and extension types, with the name of the extension; empty for a plain type."""
    import pyarrow

    kind = column.type
    if getattr(kind, "extension_name", None) == "arrow.uuid":
        return uuid_texts(column), ""
    if isinstance(kind, pyarrow.BaseExtensionType):
        return _decoded(column.cast(kind.storage_type), kind.extension_name)
    if pyarrow.types.is_dictionary(kind):
        if kind.value_type == pyarrow.string_view():  # Arrow does not decode these.
            column = column.cast(pyarrow.dictionary(kind.index_type, "large_string"))
        return _decoded(column.cast(column.type.value_type), extension)
    return column, extension


# Extensions whose numbers are plain ones, as in `ArrowType.swift`. Those of others stand for something else.
_PLAIN_EXTENSIONS = ("", "awkward", "arrow.r.vctrs")


def _values(kind: Any, extension: str) -> str | None:
    """What the values of an Arrow type are, as `ArrowType.swift` has it. None for those that attributes cannot have."""
    import pyarrow

    types = pyarrow.types
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return "text"
    if types.is_boolean(kind) or (extension == "arrow.bool8" and kind == pyarrow.int8()):
        return "boolean"
    if types.is_date(kind) or types.is_timestamp(kind):
        return "instant"
    if types.is_decimal(kind):
        return "decimal"
    if types.is_null(kind):
        return "null"
    if extension not in _PLAIN_EXTENSIONS:
        return None
    return "integer" if types.is_integer(kind) else "floating" if types.is_floating(kind) else None


def _decimals(column: Any) -> Any:
    """Decimals with all their digits. Those of other scales have exponents in Arrow's texts."""
    import pyarrow

    if 0 <= column.type.scale <= 6:
        return column
    return pyarrow.array([None if value is None else f"{value:f}" for value in column.to_pylist()], "string")


# The first and the last second of the years 0 to 9999, since 1970.
_FIRST_SECOND, _LAST_SECOND = -62_167_219_200, 253_402_300_799


def _instants(column: Any, name: str) -> Any:
    """Dates and timestamps as RFC 3339 in UTC, without zeros at the end of the decimals.

    Raises:
        DataError: one is not within the years that are written so.
    """
    import pyarrow.compute

    if pyarrow.types.is_date(column.type):
        column = column.cast(pyarrow.timestamp("s"), safe=False)
    column = column.cast(pyarrow.timestamp(column.type.unit, "UTC"))
    seconds = column.cast(pyarrow.timestamp("s", "UTC"), safe=False).cast("int64")
    found = pyarrow.compute.min_max(seconds).as_py()
    if found["min"] is not None and not _FIRST_SECOND <= found["min"] <= found["max"] <= _LAST_SECOND:
        raise DataError(f'the column "{name}" has an instant that is not within the years 0 to 9999; make it null')
    texts = pyarrow.compute.strftime(column, "%Y-%m-%dT%H:%M:%S")
    if column.type.unit != "s":
        texts = pyarrow.compute.ascii_rtrim(pyarrow.compute.ascii_rtrim(texts, "0"), ".")
    return pyarrow.compute.binary_join_element_wise(texts, "Z", "")
