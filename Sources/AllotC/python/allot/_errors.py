"""What goes wrong, and what is worth a warning."""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections.abc import Mapping
from typing import Any


class AllotError(Exception):
    """An error of Allot. Its text says where, what, and how to fix it."""


class ArgumentError(AllotError, ValueError):
    """An argument that cannot be used: an unknown experiment, an instant without a time zone, an unknown option."""


class DataError(AllotError, ValueError):
    """A table that cannot be assigned: its columns, their types, or a value."""


class FileError(AllotError, OSError):
    """A folder or a file that cannot be read or written."""


class LibraryError(AllotError, ImportError):
    """The library of this package cannot be loaded."""


class DefinitionsError(AllotError, ValueError):
    """Definitions with errors.

    Attributes:
        problems: each error and warning as a dictionary with ``severity``, ``file``, ``line``, ``column``, ``message``
            and ``path``, as :func:`allot.check` reports them.
    """

    problems: list[dict[str, Any]]

    def __init__(self, problems: list[dict[str, Any]]) -> None:
        super().__init__(problems)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(map(problem_text, self.problems))

    @classmethod
    def from_report(cls, report: str) -> DefinitionsError:
        """The error of a report of :func:`allot.check` as JSON."""
        return cls(problems_in_python(json.loads(report)["problems"]))


class AllotWarning(UserWarning):
    """Something that is probably not as it was meant, and no error."""


class DefinitionsWarning(AllotWarning):
    """A warning about definitions, such as a winner that should move into the base."""


class UnreadAttributesWarning(AllotWarning):
    """Attributes of a unit that no experiment looks at, of which one may be misspelt."""


class MissingColumnsWarning(AllotWarning):
    """A table without columns that experiments look at: for its rows these attributes are missing."""


# Where the library names options of the program, the arguments of this package.
_ARGUMENTS = {
    "add allow_empty": "give allow_empty=True",
    'with the option columns: {"user_id": …}': 'with columns={"user_id": …}',
    "the option units is": "number is", "not for those of csv": "not for given ones",
    "units and shape are for": "number and shape are for", "unit_column goes with csv":
        "unit_column is for given units; give units, or leave it out",
}


def in_python(message: str) -> str:
    """A message of the library in the words of this package."""
    return reworded(message, _ARGUMENTS)


def problems_in_python(problems: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Problems of definitions whose messages are in the words of this package."""
    return [{**problem, "message": in_python(problem["message"])} for problem in problems]


def reworded(message: str, words: Mapping[str, str]) -> str:
    """A message with other words, of which the longest that is there counts."""
    pattern = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.sub(pattern, lambda found: words[found[0]], message)


def problem_place(problem: dict[str, Any]) -> str:
    """Where a problem is: file, line and column, as far as they are known."""
    return ":".join(str(problem[part]) for part in ("file", "line", "column") if problem.get(part) is not None)


def problem_text(problem: dict[str, Any]) -> str:
    """A problem on one line, as compilers write it."""
    path = f" ({problem['path']})" if problem.get("path") else ""
    return f"{problem_place(problem)}: {problem['severity']}: {problem['message']}{path}"


# This package, and those that call back into it.
_PACKAGES = ("allot", "duckdb", "polars")


def warn(message: str, category: type[AllotWarning]) -> None:
    """Warns about the line of the caller that called into this package."""
    level = 1
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _PACKAGES:
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)
