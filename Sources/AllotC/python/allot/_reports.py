"""Answers as dictionaries that notebooks show as pages."""

from __future__ import annotations

import html
import json
from typing import Any, TypeVar

from ._errors import problem_place, problem_text, problems_in_python

_Report = TypeVar("_Report", bound="Report")


class Report(dict[str, Any]):
    """An answer as a dictionary. Its text (``str``, ``print``) is for people, and notebooks show it as HTML."""

    _forms: dict[str, str]

    @classmethod
    def of(cls: type[_Report], answer: str) -> _Report:
        """The report in all its forms, as the library gives it."""
        forms = json.loads(answer)
        return _restored(cls, forms.pop("json"), forms)

    def __str__(self) -> str:
        return self._forms["text"].rstrip()

    def _repr_html_(self) -> str:
        return self._forms["html"]

    def __reduce__(self) -> Any:
        return _restored, (type(self), dict(self), self._forms)


def _restored(kind: type[_Report], content: dict[str, Any], forms: dict[str, str]) -> _Report:
    """A report with its other forms."""
    report = kind(content)
    report._forms = forms
    return report


class CheckReport(Report):
    """What :func:`allot.check` found: ``valid``, ``errors``, ``warnings``, ``problems``, ``revision``."""

    _forms = {}

    @classmethod
    def of(cls, answer: str) -> CheckReport:
        """The report, with its problems in the words of this package."""
        report = json.loads(answer)
        return cls({**report, "problems": problems_in_python(report["problems"])})

    def __str__(self) -> str:
        return "\n".join([*map(problem_text, self["problems"]), self._counts()])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{problem['severity']}</td><td>{_cell(problem_place(problem))}</td>"
            f"<td>{_cell(problem.get('path') or '')}</td>"
            f"<td style='text-align: left'>{_cell(problem['message'])}</td></tr>"
            for problem in self["problems"])
        return f"<div class='allot-check'><p>{self._counts()}</p><table>{rows}</table></div>"

    def _counts(self) -> str:
        return f"{_count(self['errors'], 'error')}, {_count(self['warnings'], 'warning')}"


class Explanation(Report):
    """Why a unit gets what it gets, from :meth:`allot.Plan.explain`."""


class SampleRatioReport(Report):
    """Whether the units are in the ratio that they should have, from :func:`allot.srm`."""


class DistributionReport(Report):
    """How well buckets are spread, from :func:`allot.distribution`."""

    def _repr_html_(self) -> str:
        # It is a page of its own.
        page = html.escape(self._forms["html"])
        return f"<iframe srcdoc='{page}' style='width: 100%; height: 40em; border: 0'></iframe>"


class PowerReport(Report):
    """How many units an experiment needs, or what it can find, from :func:`allot.power`."""


def _cell(text: str) -> str:
    return html.escape(str(text))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def experiments_html(experiments: list[dict[str, Any]], revision: str) -> str:
    """A plan as a table."""
    rows = "".join(
        f"<tr><td>{_cell(experiment['key'])}</td><td>{experiment['status']}</td>"
        f"<td>{_cell(experiment['unit'] or '')}</td><td>{_cell(', '.join(experiment['variants']))}</td></tr>"
        for experiment in experiments)
    return (
        f"<div class='allot-plan'><p>{_count(len(experiments), 'experiment')}, revision {revision}</p><table>"
        f"<tr><th>experiment</th><th>status</th><th>unit</th><th>variants</th></tr>{rows}</table></div>")
