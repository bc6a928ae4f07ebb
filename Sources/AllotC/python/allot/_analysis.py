"""Sample ratios, the distribution of buckets, and power."""

from __future__ import annotations

import decimal
import io
import math
import os
import pathlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Union

from ._errors import ArgumentError, DataError, FileError
from ._library import text_of, thread_count
from ._plan import Plan, plan_of
from ._reports import DistributionReport, PowerReport, SampleRatioReport
from ._tables import class_names, needed_pyarrow, pandas_table, polars_source, uuid_texts
from ._values import Instant, encoded, from_numpy, instant

Shares = Union[str, Mapping[str, Any]]
"""Shares by variant: ``{"control": 50, "green": 50}``, or text: ``"control=50%,green=50%"``."""
Number = Union[float, str]
"""A number, or text such as ``"10%"``."""


def srm(
    data: Any, plan: Plan | str | os.PathLike[str] | None = None, *, shares: Shares | None = None,
    shares_of: Mapping[str, Shares] | None = None, experiment: str | Sequence[str] | None = None,
    salt: str | Sequence[str] | None = None, at: Instant | None = None, threshold: Number | None = None,
    by: str | Sequence[str] | None = None, ignore_variant: str | Sequence[str] | None = None, time_order: bool = False,
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
            rows of units, of counts or of exposures, as a table, or as the path of a CSV file. Columns of lists and of
            other types that CSV does not have are left out.
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
        unit_column, variant_column, count_column, experiment_column, time_column, attributes_column: the columns of
            the rows that have other names than ``unit``, ``variant``, ``count``, ``experiment``, ``at``, ``attributes``.

    Returns:
        What ``allot srm --json`` prints. Notebooks show it as HTML.
    """
    chosen = dict(
        shares=_shares(shares, "shares"), shares_of=_shares_of(shares_of), experiment=experiment, salt=salt,
        at=instant(at), threshold=threshold, by=by, ignore_variant=ignore_variant, time_order=time_order or None,
        unit_column=unit_column, variant_column=variant_column, count_column=count_column,
        experiment_column=experiment_column, time_column=time_column, attributes_column=attributes_column)
    rows = None
    if isinstance(data, Mapping) or ("pandas", "Series") in class_names(data):
        chosen["counts"] = _counts(data)
    else:
        named = [value for name, value in chosen.items() if name.endswith("_column")]
        asked = [*_USUAL_COLUMNS, *named, *(by if isinstance(by, (list, tuple)) else [by])]
        rows = _csv(data, {name for name in asked if isinstance(name, str)}, keeps=True)
    loaded = None if plan is None else plan_of(plan)
    return SampleRatioReport.of(
        lambda form: text_of(
            "allot_srm", loaded and loaded._handle, rows, len(rows or b""), _options(chosen, format=form)))


# The columns that rows have for `srm`, unless others are named.
_USUAL_COLUMNS = ("unit", "user_id", "variant", "count", "experiment", "at", "attributes")


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
    rows = None if units is None else _csv(units, {unit_column or "user_id"})
    loaded = plan_of(plan)
    return DistributionReport.of(
        lambda form: text_of(
            "allot_distribution", loaded._handle, rows, len(rows or b""), _options(chosen, format=form)))


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
    return PowerReport.of(lambda form: text_of("allot_power", _options(chosen, format=form)))


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


def _csv(data: Any, needed: Collection[str], *, keeps: bool = False) -> bytes:
    """A table, or a CSV file, as the bytes of one.

    Args:
        needed: the columns of a table that are read if there are any. Of others there is the name.
        keeps: whether there are also all other columns that CSV can have.
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
        for name, column in zip(table.column_names, table.columns):
            written = _written(column) if keeps or name in needed else pyarrow.nulls(len(table))
            if written is not None:
                names.append(name)
                columns.append(written)
            elif name in needed:
                raise DataError(
                    f'the column "{name}" is of type {column.type}, which CSV does not have; cast it to text')
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


def _written(column: Any) -> Any:
    """A column of a `pyarrow.Table` as CSV has it. None if CSV does not have its type."""
    import pyarrow.compute
    import pyarrow.csv

    kind = column.type
    try:
        if pyarrow.types.is_timestamp(kind):
            column = pyarrow.compute.strftime(column.cast(pyarrow.timestamp("us", "UTC")), "%Y-%m-%dT%H:%M:%SZ")
        elif pyarrow.types.is_dictionary(kind):
            column = pyarrow.chunked_array([
                pyarrow.DictionaryArray.from_arrays(chunk.indices, chunk.dictionary.cast("string")).dictionary_decode()
                for chunk in column.chunks], "string")
        elif kind in (pyarrow.string_view(), pyarrow.binary(), pyarrow.large_binary()):
            column = column.cast("string")
        column = uuid_texts(column)
        pyarrow.csv.write_csv(pyarrow.table([column.slice(0, 0)], ["values"]), io.BytesIO())
    except pyarrow.ArrowException:
        return None
    return column
