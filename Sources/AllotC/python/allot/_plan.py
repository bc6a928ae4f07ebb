"""Definitions, loaded and checked."""

from __future__ import annotations

import copy
import json
import os
import weakref
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, TypeVar, overload

from . import _library, _tables
from ._arrow import ArrowArrayExportable, ArrowStream, ArrowStreamExportable
from ._errors import (
    AllotError,
    ArgumentError,
    DefinitionsError,
    DefinitionsWarning,
    FileError,
    UnreadAttributesWarning,
    problem_text,
    warn,
)
from ._reports import CheckReport, Explanation, experiments_html
from ._values import Instant, attributes, from_numpy, instant, now, options

Layout = Literal["wide", "long"]
# The sets of attributes whose notes are kept.
_MOST_NOTES = 100

if TYPE_CHECKING:
    import pandas
    import polars
    from typing_extensions import Unpack

    class _ArrowTable(Protocol):
        """A `pyarrow.Table` or `pyarrow.RecordBatch`; pyarrow says nothing of its types."""

        def replace_schema_metadata(self, metadata: Any = None) -> Any: ...

    class _ArrowReader(Protocol):
        """A `pyarrow.RecordBatchReader`."""

        def read_next_batch(self) -> Any: ...

    Frame = TypeVar("Frame", pandas.DataFrame, polars.DataFrame, polars.LazyFrame)
    Arrow = TypeVar("Arrow", bound=_ArrowTable)
    Reader = TypeVar("Reader", bound=_ArrowReader)

    class _Options(TypedDict, total=False):
        """The arguments of `Plan.assign`."""

        at: Instant | None
        layout: Layout
        experiments: Sequence[str] | None
        columns: Mapping[str, str] | None
        reason: bool
        bucket: bool
        all: bool
        time_column: str | None
        threads: int | None
        null: Sequence[str] | None


class Assignment(TypedDict):
    """The decision of one experiment for one unit."""

    experiment: str
    variant: str | None
    reason: str
    bucket: int | None
    revision: str


class Experiment(TypedDict):
    """An experiment of a plan."""

    key: str
    revision: str
    unit: str | None
    status: str
    variants: list[str]


def load(
    folder: str | os.PathLike[str] | None = None, *, files: Mapping[str, bytes] | None = None,
    allow_empty: bool = False, max_settings: int | None = None, max_value_bytes: int | None = None,
) -> Plan:
    """Loads definitions: a folder, or files that are in memory.

    >>> import allot
    >>> allot.load(files={"button.yaml": b"status: running\\nvariants: [{ key: control }, { key: green }]"})
    <allot.Plan: 1 experiment, revision b6897ff5fedeec3d>

    Args:
        folder: the folder of definitions.
        files: the files by their names, which end in .yaml, .yml or .json, instead of a folder.
        allow_empty: whether a folder may define no setting and no experiment, and whether there may be no files.
        max_settings: how many settings there may be (default: 100).
        max_value_bytes: how large their values may be together, also with the overrides of a variant (default: 131072).

    Raises:
        DefinitionsError: with every problem of every file.
        FileError: the folder cannot be read.
        ArgumentError: there are no files, or one that is not of definitions.

    Warnings about definitions are Python warnings (:class:`DefinitionsWarning`).
    """
    source = _Source.of(folder, files, allow_empty, max_settings, max_value_bytes)
    plan = Plan._load(source)
    for problem in plan.check()["problems"]:
        warn(problem_text(problem), DefinitionsWarning)
    return plan


def check(
    folder: str | os.PathLike[str] | None = None, *, files: Mapping[str, bytes] | None = None,
    allow_empty: bool = False, max_settings: int | None = None, max_value_bytes: int | None = None,
) -> CheckReport:
    """Checks definitions as ``allot check`` does. Definitions with errors are an answer, and raise nothing.

    >>> import allot
    >>> report = allot.check(files={"button.yaml": b"status: runing\\nvariants: [{ key: control }]"})
    >>> report["valid"], report["errors"]
    (False, 1)
    >>> print(report)
    button.yaml:1:9: error: unknown status "runing"; did you mean "running"? (status)
    1 error, 0 warnings

    Raises:
        FileError: the folder cannot be read.
    """
    return _Source.of(folder, files, allow_empty, max_settings, max_value_bytes).check()


class _Source:
    """Where definitions come from, and how large they may be."""

    def __init__(self, folder: str | None, files: Mapping[str, bytes] | None, limits: Mapping[str, Any]) -> None:
        self.folder = folder
        self.files = files
        self.limits = limits

    @classmethod
    def of(
        cls, folder: str | os.PathLike[str] | None, files: Mapping[str, bytes] | None, allow_empty: bool,
        max_settings: int | None, max_value_bytes: int | None,
    ) -> _Source:
        if (folder is None) == (files is None):
            raise ArgumentError("name a folder of definitions, or give their files: files={name: bytes}")
        if folder is not None and not isinstance(folder, (str, os.PathLike)):
            raise ArgumentError(f"the folder is a path, not {type(folder).__name__}")
        if files is not None and not isinstance(files, Mapping):
            raise ArgumentError(f"files are a dictionary {{name: bytes}}, not {type(files).__name__}")
        path = None if folder is None else os.fspath(folder)
        return cls(path, files, {
            "allow_empty": allow_empty, "max_settings": max_settings, "max_value_bytes": max_value_bytes})

    def check(self) -> CheckReport:
        if self.folder is not None:
            folder = _library.text(self.folder, "the folder")
            # A folder that cannot be read says nothing of its definitions.
            try:
                os.scandir(folder).close()
            except OSError as error:
                reason = error.strerror
                raise FileError(
                    f"cannot read the definitions folder {self.folder}: {reason}; name another folder") from None
            report = _library.text_of("allot_check_folder", folder, options(**self.limits))
        else:
            report = _library.text_of("allot_check_files", *_library.files(self.files or {}), options(**self.limits))
        return CheckReport.of(report)

    def load(self) -> Any:
        if self.folder is not None:
            return _library.load_folder(self.folder, options(**self.limits))
        return _library.load_files(self.files or {}, options(**self.limits))


class Plan:
    """Definitions after they were checked. A plan never changes; threads may share it, and it can be pickled.

    >>> import allot
    >>> plan = allot.load("Experiments")
    >>> plan.decide("user-011", country="DE", at="2026-11-21T12:00:00Z", experiments=["short-checkout"])
    [{'bucket': 611928, 'experiment': 'short-checkout', 'reason': 'split', 'revision': '733dbe7900a84938', \
'variant': 'one-step'}]
    """

    def __init__(self) -> None:
        raise TypeError('a plan is loaded: allot.load("Experiments")')

    @classmethod
    def _load(cls, source: _Source) -> Plan:
        plan: Plan = object.__new__(cls)
        plan._start(source)
        return plan

    def _start(self, source: _Source) -> None:
        self._limits = source.limits
        self._handle = source.load()
        # At the end of the process, the system releases it.
        weakref.finalize(self, _library.library.allot_plan_release, self._handle).atexit = False
        description = json.loads(_library.text_of("allot_plan_describe", self._handle))
        self._revision: str = description["revision"]
        self._experiments: list[Experiment] = description["experiments"]
        self._attributes: list[str] = description["attributes"]
        self._files: dict[str, bytes] | None = None
        self._units = {"user_id", *description["units"]}
        self._notes: dict[frozenset[str], list[str]] = {}

    @property
    def revision(self) -> str:
        """The revision of the definitions. It changes with whatever can change a decision or a configuration."""
        return self._revision

    @property
    def experiments(self) -> list[Experiment]:
        """The experiments in the order of their keys."""
        return copy.deepcopy(self._experiments)

    @property
    def attributes(self) -> list[str]:
        """The attributes that experiments look at, and so the columns that a table should have."""
        return list(self._attributes)

    def check(self) -> CheckReport:
        """The report of :func:`allot.check` on these definitions when they were loaded, with their warnings."""
        return CheckReport.of(_library.text_of("allot_plan_report", self._handle))

    @overload
    def assign(self, table: Frame, **options: Unpack[_Options]) -> Frame: ...  # type: ignore[overload-overlap]

    @overload
    def assign(self, table: Arrow, **options: Unpack[_Options]) -> Arrow: ...

    @overload
    def assign(self, table: Reader, **options: Unpack[_Options]) -> Reader: ...

    @overload
    def assign(
        self, table: ArrowStreamExportable | ArrowArrayExportable, **options: Unpack[_Options]) -> ArrowStream: ...

    def assign(
        self, table: Any, *, at: Instant | None = None, layout: Layout = "wide",
        experiments: Sequence[str] | None = None, columns: Mapping[str, str] | None = None, reason: bool = False,
        bucket: bool = False, all: bool = False, time_column: str | None = None, threads: int | None = None,
        null: Sequence[str] | None = None,
    ) -> Any:
        """Assigns every row of a table, and gives the answer as the kind of table that it is.

        >>> import allot, pyarrow
        >>> plan = allot.load("Experiments")
        >>> users = pyarrow.table({"user_id": ["user-001", "user-002"]})
        >>> plan.assign(users, at="2026-11-21T12:00:00Z", experiments=["buy-button"]).to_pylist()
        [{'user_id': 'user-001', 'buy-button': 'large-green'}, {'user_id': 'user-002', 'buy-button': None}]

        Args:
            table: a pyarrow ``Table``, ``RecordBatch`` or ``RecordBatchReader``, a pandas or Polars ``DataFrame``, a
                Polars ``LazyFrame``; or anything else with ``__arrow_c_stream__``, for an object that has it too.
            at: the instant of evaluation; without it, now.
            layout: ``"wide"`` for the columns of the table and one for each experiment, or ``"long"`` for a row for
                each assigned variant: row, unit, experiment, variant, reason, bucket, revision.
            experiments: the keys of those to decide; without it, all.
            columns: the columns of attributes that have another name: ``{attribute: column}``.
            reason: in the wide layout, whether there is also a column ``KEY.reason`` for each experiment.
            bucket: in the wide layout, whether there is also a column ``KEY.bucket`` for each experiment.
            all: in the long layout, whether there is also a row for each experiment without a variant.
            time_column: the column of each row's own instant, instead of ``at``: texts, timestamps with a time zone, or
                dates.
            threads: over how many threads a batch is split; without it, one for each core, and one in a process that was
                forked.
            null: the texts that stand for a missing value in every column, such as ``["NULL", "nan"]``.

        Timestamps without a time zone are UTC as attributes, and an error in ``time_column``. Localise them before if
        they are of another zone: ``frame["since"].dt.tz_localize("Europe/Athens")``.

        Raises:
            DataError: a column has a type or a value that it cannot have, or is missing. Of a value in a reader or a
                stream, the reader of the answer raises its own error with that text, such as
                ``pyarrow.ArrowInvalid``, or ``OSError`` where the data cannot be read.
            ArgumentError: an argument cannot be used.
        """
        return _tables.assign(
            self, table,
            assign_options(at, layout, experiments, columns, reason, bucket, all, time_column, threads, null))

    def decide(
        self, user_id: object = None, attributes: Mapping[str, Any] | None = None, *, at: Instant | None = None,
        experiments: Sequence[str] | None = None, **more: Any,
    ) -> list[Assignment]:
        """Decides the experiments for one unit.

        >>> import allot
        >>> plan = allot.load("Experiments")
        >>> [decision["variant"] for decision in plan.decide(
        ...     "user-001", country="GR", at="2026-11-21T12:00:00Z", experiments=["buy-button"])]
        ['large-green']

        Args:
            user_id: the unit ID of the user.
            attributes: the attributes of the unit, such as other unit IDs. Whole numbers are unit IDs by their digits.
            at: the instant of evaluation; without it, now.
            experiments: the keys of those to decide; without it, all.
            more: attributes once more, as keywords.

        Attributes that no experiment looks at are a warning (:class:`UnreadAttributesWarning`).
        """
        decisions: list[Assignment] = json.loads(_library.text_of(
            "allot_decide", self._handle, self._subject(user_id, attributes, more),
            options(at=instant(at), experiments=_keys(experiments))))
        return decisions

    def config(
        self, user_id: object = None, attributes: Mapping[str, Any] | None = None, *, at: Instant | None = None,
        **more: Any,
    ) -> dict[str, Any]:
        """The configuration of one unit: its settings, and in ``meta`` what was decided.

        >>> import allot
        >>> plan = allot.load("Experiments")
        >>> configuration = plan.config("user-001", country="GR", at="2026-11-21T12:00:00Z")
        >>> configuration["config_sections"]["Checkout"]["settings"]["ButtonText"]
        {'value': 'Buy now and relax'}
        """
        configuration: dict[str, Any] = json.loads(_library.text_of(
            "allot_config", self._handle, self._subject(user_id, attributes, more), options(at=instant(at))))
        return configuration

    def explain(
        self, user_id: object = None, attributes: Mapping[str, Any] | None = None, *, at: Instant | None = None,
        experiments: Sequence[str] | None = None, **more: Any,
    ) -> Explanation:
        """Explains the decisions for one unit. Notebooks show it as HTML.

        >>> import allot
        >>> plan = allot.load("Experiments")
        >>> print(plan.explain("user-001", at="2026-11-21T12:00:00Z", experiments=["buy-button"]))
        user-001 gets large-green in buy-button, because the definition forces it (a tester, not randomised).
            unit        user_id is user-001
            status      running
            forced      the definition gives this unit large-green
            owner       payments@example.com
            revision    8fcb4a9a491db3ba
        """
        unit = self._subject(user_id, attributes, more)
        chosen = {"at": now() if at is None else instant(at), "experiments": _keys(experiments)}
        return Explanation.of(
            _library.text_of("allot_explain", self._handle, unit, options(**chosen, format="all")))

    def _subject(self, user_id: object, given: Mapping[str, Any] | None, more: Mapping[str, Any]) -> bytes:
        """The attributes of a unit as JSON, with a warning of those that are probably not meant."""
        subject = attributes(user_id, given, more, units=self._units)
        # Callers have attributes of the same names for one unit after another.
        names = frozenset([*(given or ()), *more, *(() if user_id is None else ("user_id",))])
        notes = self._notes.get(names)
        if notes is None:
            notes = json.loads(_library.text_of("allot_notes", self._handle, subject))
            if len(self._notes) >= _MOST_NOTES:
                self._notes.clear()
            self._notes[names] = notes
        for note in notes:
            warn(note, UnreadAttributesWarning)
        return subject

    def __repr__(self) -> str:
        count = len(self._experiments)
        return f"<allot.Plan: {count} experiment{'' if count == 1 else 's'}, revision {self._revision}>"

    def _repr_html_(self) -> str:
        return experiments_html([dict(experiment) for experiment in self._experiments], self._revision)

    def _definitions(self) -> tuple[dict[str, bytes], dict[str, Any], str]:
        """What another process loads the same plan from: files, limits and the revision that they must have."""
        if self._files is None:
            files = json.loads(_library.text_of("allot_plan_files", self._handle))
            self._files = {name: text.encode() for name, text in files.items()}
        return self._files, dict(self._limits), self._revision

    def __reduce__(self) -> Any:
        return _loaded, self._definitions()


def plan_of(definitions: Plan | str | os.PathLike[str]) -> Plan:
    """A plan, or that of a folder of definitions."""
    return definitions if isinstance(definitions, Plan) else load(definitions)


def _loaded(files: dict[str, bytes], limits: dict[str, Any], revision: str) -> Plan:
    """The plan of another process."""
    plan = Plan._load(_Source(None, files, {**limits, "allow_empty": True}))
    if plan.revision != revision:
        raise AllotError(
            f"the definitions have the revision {plan.revision} here and {revision} where they were loaded: another "
            "version of allot is installed here; install the same one")
    return plan


def assign_options(
    at: Instant | None, layout: str, experiments: Sequence[str] | None, columns: Mapping[str, str] | None,
    reason: bool, bucket: bool, all: bool, time_column: str | None, threads: int | None, null: Sequence[str] | None,
) -> dict[str, Any]:
    """The options of an assignment, with the instant of the call if there is none."""
    _text(layout, "layout")
    if time_column is not None:
        _text(time_column, "time_column")
    if columns is not None and not isinstance(columns, Mapping):
        raise ArgumentError(f"columns are a dictionary {{attribute: column}}, not {type(columns).__name__}")
    for attribute, column in (columns or {}).items():
        _text(attribute, "an attribute of columns")
        _text(column, f"columns[{attribute!r}]")
    if time_column is not None and at is not None:
        raise ArgumentError("time_column gives each row its own instant; leave out at")
    chosen: dict[str, Any] = {
        "at": now() if at is None and time_column is None else instant(at), "layout": layout,
        "experiments": _keys(experiments), "columns": None if columns is None else dict(columns),
        "reason": from_numpy(reason), "bucket": from_numpy(bucket), "all": from_numpy(all), "time_column": time_column,
        "threads": _library.thread_count(threads), "null": _texts(null, "null", "text")}
    return {name: value for name, value in chosen.items() if value is not None}


def _keys(experiments: Sequence[str] | None) -> list[str] | None:
    return _texts(experiments, "experiments", "key")


def _texts(values: Sequence[str] | None, name: str, noun: str) -> list[str] | None:
    if isinstance(values, str):
        raise ArgumentError(f"{name} is a list of {noun}s: [{values!r}]")
    if values is not None and not isinstance(values, Iterable):
        raise ArgumentError(f"{name} is a list of {noun}s, not {type(values).__name__}")
    texts = None if values is None else list(values)
    for text in texts or []:
        _text(text, f"a {noun} of {name}")
    return texts


def _text(value: object, name: str) -> None:
    if not isinstance(value, str):
        raise ArgumentError(f"{name} is a text, not {type(value).__name__}")
