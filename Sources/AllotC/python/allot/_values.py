"""What callers give, as JSON for the library."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import numbers
import uuid
from collections.abc import Collection, Mapping
from typing import Any, Union

from ._errors import ArgumentError

Instant = Union[str, datetime.datetime]
"""An instant: RFC 3339 text such as ``"2026-11-21T12:00:00Z"``, or a datetime with a time zone."""


def instant(value: Instant | None, name: str = "at") -> str | None:
    """An instant as RFC 3339 text."""
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, datetime.datetime):
        raise ArgumentError(f"{name} is RFC 3339 text or a datetime with a time zone, not {type(value).__name__}")
    if type(value).__name__ == "NaTType":  # pandas.NaT
        raise ArgumentError(f"{name} is NaT, which is not an instant; give one")
    if value.utcoffset() is None:
        raise ArgumentError(
            f"{name}: the datetime {value} has no time zone, so it is another instant in each place; add one, such as "
            "datetime(2026, 11, 21, 12, tzinfo=timezone.utc)")
    return _instant_text(value, name)


def now() -> str:
    """The instant of the system's clock."""
    return _instant_text(datetime.datetime.now(datetime.timezone.utc), "now")


def _instant_text(value: datetime.datetime, name: str) -> str:
    """An instant as a table's is written: in UTC, with the decimals that it has. One without a time zone is UTC."""
    try:
        utc = value if value.utcoffset() is None else value.astimezone(datetime.timezone.utc)
    except (OverflowError, ValueError):  # Those of pandas have limits of their own.
        raise ArgumentError(
            f"{name}: {value} is before the year 1 or after the year 9999 in UTC; give another") from None
    return _utc(utc.replace(tzinfo=None).isoformat())


def _utc(text: str) -> str:
    """An instant of UTC as RFC 3339, without zeros at the end of the decimals."""
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}Z"


def options(**members: Any) -> bytes:
    """Options as the library reads them. What is not given is left out."""
    return encoded({name: value for name, value in members.items() if value is not None})


def attributes(
    unit: object, given: Mapping[str, Any] | None, more: Mapping[str, Any], *, units: Collection[str]
) -> bytes:
    """The attributes of a unit as JSON.

    Args:
        units: the attributes that are unit IDs.
    """
    if given is not None and not isinstance(given, Mapping):
        raise ArgumentError(f"attributes are a dictionary {{name: value}}, not {type(given).__name__}")
    members: dict[str, Any] = {} if unit is None else {"user_id": unit}
    for source in (given or {}, more):
        for name, value in source.items():
            if not isinstance(name, str):
                raise ArgumentError(f"the name {name!r} of an attribute is not a text; give one")
            if name in members:
                raise ArgumentError(f"the attribute {name!r} is given twice; give it once")
            members[name] = value
    return encoded({
        name: _member(_unit(value, name) if name in units else value, name) for name, value in members.items()})


# From here on, numbers of JSON are not exact everywhere, and the library takes none for a unit ID.
_EXACT_NUMBERS = 2**53


def _unit(value: Any, name: str) -> Any:
    """A unit ID. A whole number is one by its digits, in a table as well as here; a large one is given as text."""
    given = value
    if _numpy_kind(value) != "m":  # Of durations, it makes whole numbers.
        value = from_numpy(value)
    if is_missing(value) or isinstance(value, (str, uuid.UUID)):
        return value
    if isinstance(value, decimal.Decimal):
        exponent = value.as_tuple().exponent
        if isinstance(exponent, int) and exponent >= 0:
            return format(value, "f")  # As in a table, where 5.00 is not a unit ID.
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or _numpy_kind(value) == "m":
        fix = "give attributes of other names as the second argument" if isinstance(value, Mapping) else "convert it to one"
        raise ArgumentError(
            f"the attribute {name!r} is a unit ID and of type {type(given).__name__}; unit IDs are texts, UUIDs or whole "
            f"numbers: {fix}")
    number = int(value)
    if abs(number) < _EXACT_NUMBERS:
        return number
    try:
        return str(number)
    except ValueError:  # Python refuses to write thousands of digits.
        raise ArgumentError(f"the attribute {name!r} has too many digits; give a smaller number") from None


def encoded(value: Any) -> bytes:
    """JSON without what UTF-8 does not have."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        raise ArgumentError("a text has half a surrogate pair, which is not text; decode it correctly") from None
    except ValueError:  # Python refuses to write thousands of digits.
        raise ArgumentError("a number has too many digits; give a smaller number") from None


def _instant64(value: Any, name: str) -> str:
    """A `numpy.datetime64` as a table has it: in UTC, whatever its unit."""
    import numpy

    unit = numpy.datetime_data(value.dtype)[0]
    if unit in ("ps", "fs", "as"):  # No table has these.
        value, unit = value.astype("datetime64[ns]"), "ns"
    if not 0 <= 1970 + int(value.astype("datetime64[Y]").astype("int64")) <= 9999:
        raise ArgumentError(f"the attribute {name!r}: the instant is not within the years 0 to 9999; leave it out")
    # The texts of coarser units have no seconds.
    return _utc(str(value.astype(f"datetime64[{unit if unit in ('s', 'ms', 'us', 'ns') else 's'}]")))


def _numpy_kind(value: Any) -> str | None:
    """The letter of a NumPy type."""
    kind: str | None = getattr(getattr(value, "dtype", None), "kind", None)
    return kind


def from_numpy(value: Any) -> Any:
    """A scalar or an array of NumPy as Python has it. Other values stay as they are."""
    kind = _numpy_kind(value)
    if kind == "f" and value.ndim == 0:
        # `tolist` leaves long doubles as they are. Shorter numbers are those of their shortest digits, as in a table.
        return float(value) if value.dtype.itemsize >= 8 else float(str(value))
    if kind == "f":
        return [from_numpy(element) for element in value]
    # It makes numbers of instants and of durations.
    return value.tolist() if hasattr(value, "tolist") and kind not in ("M", "m", "c") else value


def is_missing(value: Any) -> bool:
    """Whether a value stands for none: None, those of pandas, and what is not a number."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):  # pandas.NA and pandas.NaT
        return True
    if isinstance(value, decimal.Decimal):
        return value.is_nan()
    return (isinstance(value, float) or _numpy_kind(value) in ("f", "M") and value.ndim == 0) and bool(value != value)


def _member(value: Any, name: str) -> Any:
    """The value of an attribute as JSON has it."""
    try:
        return _json(value, name)
    except RecursionError:
        raise ArgumentError(f"the attribute {name!r} is nested too deeply, or contains itself; flatten it") from None


def _json(value: Any, name: str) -> Any:
    """A value as JSON has it: NaN is missing, dates and times are instants as in a table."""
    if isinstance(value, (bool, int, str)):
        return value
    if is_missing(value):
        return None
    if isinstance(value, float):
        if math.isinf(value):
            raise ArgumentError(f"the attribute {name!r} is infinite, which JSON does not have; leave it out")
        return value
    if isinstance(value, datetime.datetime):
        return _instant_text(value, f"the attribute {name!r}")
    if isinstance(value, datetime.date):
        return f"{value.isoformat()}T00:00:00Z"
    if isinstance(value, decimal.Decimal):
        return format(value, "f") if value.is_finite() else None
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise ArgumentError(f"the attribute {name!r} has the key {key!r}, which is not a text; give texts")
        return {key: _json(member, name) for key, member in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_json(element, name) for element in value]
    if _numpy_kind(value) == "M":
        return _instant64(value, name) if value.ndim == 0 else [_json(element, name) for element in value]
    if (plain := from_numpy(value)) is not value:
        return _json(plain, name)
    raise ArgumentError(
        f"the attribute {name!r} is of type {type(value).__name__}; give a text, a number, a boolean, a date, a "
        "datetime, a UUID, or a list or dictionary of these")
