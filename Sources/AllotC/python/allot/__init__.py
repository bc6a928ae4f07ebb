"""Allot: deterministic assignment of A/B experiments to tables of any kind.

>>> import allot, pyarrow
>>> plan = allot.load("Experiments")
>>> users = pyarrow.table({"user_id": ["user-001", "user-011"], "country": ["GR", "DE"]})
>>> assigned = plan.assign(users, at="2026-11-21T12:00:00Z", experiments=["buy-button", "short-checkout"])
>>> assigned.column_names
['user_id', 'country', 'buy-button', 'short-checkout']
>>> assigned["short-checkout"].to_pylist()
[None, 'one-step']

``allot.spark``, ``allot.duckdb`` and ``allot.polars`` are for the engines of these names. ``python -m allot assign``
assigns Parquet and Arrow files.
"""

from ._analysis import distribution, power, srm
from ._arrow import ArrowStream
from ._errors import (
    AllotError,
    AllotWarning,
    ArgumentError,
    DataError,
    DefinitionsError,
    DefinitionsWarning,
    FileError,
    LibraryError,
    MissingColumnsWarning,
    UnreadAttributesWarning,
)
from ._library import VERSION as __version__
from ._plan import Assignment, Experiment, Plan, check, load
from ._reports import CheckReport, DistributionReport, Explanation, PowerReport, Report, SampleRatioReport

__all__ = [
    "AllotError", "AllotWarning", "ArgumentError", "ArrowStream", "Assignment", "CheckReport", "DataError",
    "DefinitionsError", "DefinitionsWarning", "DistributionReport", "Experiment", "Explanation", "FileError",
    "LibraryError", "MissingColumnsWarning", "Plan", "PowerReport", "Report", "SampleRatioReport",
    "UnreadAttributesWarning", "__version__", "check", "distribution", "load", "power", "srm",
]
