"""Answers as dictionaries that notebooks show as pages."""

from __future__ import annotations

import html
from typing import Any

from ._errors import problem_text


class Report(dict[str, Any]):
    """An answer as a dictionary. Its text is for people, and notebooks show it as HTML."""

    _text: str
    _html: str

    def __init__(self, content: dict[str, Any], text: str, html_text: str) -> None:
        super().__init__(content)
        self._text = text
        self._html = html_text

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return self._html

    def __reduce__(self) -> Any:
        return type(self), (dict(self), self._text, self._html)


class CheckReport(Report):
    """What :func:`allot.check` found: ``valid``, ``errors``, ``warnings``, ``problems``, ``revision``."""

    def __init__(self, content: dict[str, Any], *_: str) -> None:
        problems = content["problems"]
        counts = f"{_count(content['errors'], 'error')}, {_count(content['warnings'], 'warning')}"
        rows = "".join(
            f"<tr><td>{problem['severity']}</td><td>{_cell(problem['file'])}:{problem.get('line') or ''}</td>"
            f"<td style='text-align: left'>{_cell(problem['message'])}</td></tr>"
            for problem in problems)
        super().__init__(
            content, "\n".join([*map(problem_text, problems), counts]),
            f"<div class='allot-check'><p>{counts}</p><table>{rows}</table></div>")


class Explanation(Report):
    """Why a unit gets what it gets, from :meth:`allot.Plan.explain`."""


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
