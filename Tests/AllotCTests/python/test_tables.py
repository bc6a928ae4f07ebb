"""Tables of every kind get what `allot assign` answers for the same texts."""

import datetime
import decimal
import io
import json
import math
import random
import uuid
import warnings

import allot
import allot._tables
import allot.polars
import duckdb
import hostile
import numpy
import pandas
import polars
import pyarrow
import pytest
from conftest import AT


def arrow(kind):
    return lambda columns: pyarrow.table({name: pyarrow.array(values, kind) for name, values in columns.items()})


def encoded(columns):
    return pyarrow.table({name: pyarrow.array(values, "string").dictionary_encode() for name, values in columns.items()})


def chunked(columns):
    """In chunks of other lengths in each column, some of them empty, and slices of longer arrays."""
    table = {}
    for number, (name, values) in enumerate(columns.items(), 2):
        whole = pyarrow.array(["before", *values, "after"], "string")
        cuts = sorted({1, len(whole) - 1, *(1 + len(values) * part // number for part in range(number))})
        table[name] = pyarrow.chunked_array(
            [whole.slice(0, 0), *(whole.slice(start, end - start) for start, end in zip(cuts, cuts[1:]))], "string")
    return pyarrow.table(table)


def batch(columns):
    """A batch that is a slice."""
    whole = pyarrow.record_batch({name: pyarrow.array(["before", *values]) for name, values in columns.items()})
    return whole.slice(1)


def reader(columns):
    return arrow("string")(columns).to_reader(max_chunksize=100)


KINDS = {
    "strings": arrow("string"), "large strings": arrow("large_string"), "string views": arrow("string_view"),
    "dictionaries": encoded, "chunks": chunked, "a batch": batch, "a reader": reader,
    "pandas": pandas.DataFrame, "pandas, objects": lambda columns: pandas.DataFrame(columns, dtype="object"),
    "pandas, categories": lambda columns: pandas.DataFrame(columns, dtype="category"),
    "Polars": polars.DataFrame, "Polars, lazy": polars.LazyFrame,
    "Polars, categories": lambda columns: polars.DataFrame(columns, schema=dict.fromkeys(columns, polars.Categorical)),
    "a stream": lambda columns: Foreign(arrow("string")(columns)),
}


class Foreign:
    """A table of a package that is not known."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def lists(table):
    """{column: values}, with None for what is missing."""
    if isinstance(table, pandas.DataFrame):
        return {
            name: [None if pandas.isna(value) else value for value in table[name].tolist()] for name in table.columns}
    if isinstance(table, polars.LazyFrame):
        table = table.collect()
    if isinstance(table, polars.DataFrame):
        return table.to_dict(as_series=False)
    if isinstance(table, allot.ArrowStream):
        table = pyarrow.table(table)
    if isinstance(table, pyarrow.RecordBatchReader):
        table = table.read_all()
    return table.to_pydict()


def same(values):
    """Values as the fields of a CSV file."""
    return [None if value is None or value == "" else str(value) for value in values]


@pytest.fixture(scope="module")
def columns():
    return hostile.rows(600)


pytestmark = pytest.mark.filterwarnings("ignore::allot.MissingColumnsWarning")


@pytest.mark.parametrize("kind", KINDS)
def test_wide(kind, plan, program, columns):
    wanted = program(columns)
    table = KINDS[kind](columns)
    found = lists(plan.assign(table, at=AT))
    assert list(found) == list(wanted)
    for name, values in wanted.items():
        if name not in columns:
            assert same(found[name]) == values, name
        else:
            assert found[name] == columns[name]


@pytest.mark.parametrize("kind", KINDS)
def test_long(kind, plan, program, columns):
    wanted = program(columns, "--layout", "long", "--all")
    table = KINDS[kind](columns)
    found = lists(plan.assign(table, at=AT, layout="long", all=True))
    assert list(found) == ["row", "unit", "experiment", "variant", "reason", "bucket", "revision"]
    for name, values in wanted.items():
        if name != "unit":
            assert same(found[name]) == values, name
    # The program gives units that are too long, too, which an array does not have.
    assert [unit for unit in same(found["unit"]) if unit] == [
        unit for unit, wanted_unit in zip(wanted["unit"], found["unit"]) if unit and wanted_unit]
    experiments = len(found["row"]) // 600
    assert found["row"] == [row for row in range(600) for _ in range(experiments)]


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads(threads, plan, columns):
    table = arrow("string")(columns)
    for layout in ("wide", "long"):
        assert plan.assign(table, at=AT, layout=layout, threads=threads).equals(
            plan.assign(table, at=AT, layout=layout, threads=1))


TYPED = {
    "user_id": [2**63 - 1, -(2**63), 0, None, 2**53 + 1, 7, 123456789],
    "age": [18, 17, 65, 66, None, 0, -1],
    "count": [2**53, 2**53 + 2, 2**63 - 1, None, 0, -1, 2**60],
    "premium": [True, False, None, True, True, False, True],
    "org_id": [None, "", "org-1", "org-2", "\u00e9", "7", "x"],
    "note": ["abc", "\u00e9", None, "Abc", "e\u0301", "", "x1"],
    "version": ["2.3.0", "9.9", "10.0", "2.2.9", None, "v3", "x"],
}
DATES = [datetime.date(2024, 2, 29), datetime.date(2024, 3, 1), None, datetime.date(1969, 12, 31), datetime.date(1, 1, 1),
         datetime.date(9999, 12, 31), datetime.date(2023, 1, 1)]
INSTANTS = [
    datetime.datetime(2024, 2, 29, 12, tzinfo=datetime.timezone.utc),
    datetime.datetime(2024, 2, 29, 13, 0, 0, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=1))), None,
    datetime.datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=datetime.timezone.utc),
    datetime.datetime(2200, 1, 1, tzinfo=datetime.timezone.utc), datetime.datetime(2024, 3, 1, tzinfo=datetime.timezone.utc),
    datetime.datetime(1990, 1, 1, tzinfo=datetime.timezone.utc)]


def field(value):
    """A typed value as the text of a CSV file."""
    if value is None or isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).isoformat()
    if isinstance(value, datetime.date):
        return f"{value.isoformat()}T00:00:00Z"
    return str(value)


def typed(since):
    return {**TYPED, "since": since}


TYPED_KINDS = {
    "timestamps": (INSTANTS, pyarrow.timestamp("us", "UTC")), "of a zone": (INSTANTS, pyarrow.timestamp("us", "Asia/Tokyo")),
    "nanoseconds": (INSTANTS, pyarrow.timestamp("ns", "UTC")), "date32": (DATES, pyarrow.date32()),
    "date64": (DATES, pyarrow.date64()),
}


@pytest.mark.parametrize("kind", TYPED_KINDS)
def test_types(kind, plan, program):
    since, type_of_since = TYPED_KINDS[kind]
    columns = typed(since)
    wanted = program({name: [field(value) for value in values] for name, values in columns.items()})
    table = pyarrow.table(
        {name: pyarrow.array(values, type_of_since if name == "since" else None) for name, values in columns.items()})
    frame = table.to_pandas(types_mapper={pyarrow.int64(): pandas.Int64Dtype()}.get)
    for kind_of_table in (table, frame, polars.from_arrow(table)):
        found = lists(plan.assign(kind_of_table, at=AT))
        for name in set(wanted) - set(columns):
            assert same(found[name]) == wanted[name], name


@pytest.mark.parametrize("type_of_age", ["int8", "int16", "int32", "float32", "float64", "decimal128(10, 2)", "decimal256(40, 3)"])
def test_numbers(type_of_age, plan, program):
    ages = [17, 18, 65, 66, None, -1, 0]
    kind = pyarrow.type_for_alias(type_of_age) if "(" not in type_of_age else eval(f"pyarrow.{type_of_age}")
    values = [None if age is None else decimal.Decimal(age) for age in ages] if "(" in type_of_age else ages
    users = [f"user-{index}" for index in range(7)]
    wanted = program({"user_id": users, "age": [field(age) for age in ages]})["numbers"]
    table = pyarrow.table({"user_id": users, "age": pyarrow.array(values, kind)})
    assert plan.assign(table, at=AT)["numbers"].to_pylist() == wanted


def test_missing_numbers_of_pandas(plan):
    """NaN is missing, as it is for pandas."""
    frame = pandas.DataFrame({"user_id": ["a", "b"], "age": [float("nan"), 30.0], "note": [None, float("nan")]})
    assigned = plan.assign(frame, at=AT, experiments=["numbers", "missing"], reason=True)
    assert assigned["numbers.reason"].tolist() == ["audience", "split"]
    assert assigned["missing.reason"].tolist() == ["split", "split"]


def test_lists(plan):
    tags = [["new", "3"], ["new"], [], None, ["3", None, "new"], ["NEW", "3"]]
    users = [f"user-{index}" for index in range(len(tags))]
    wanted = [
        plan.decide(user, {"tags": tag} if tag is not None else {}, at=AT, experiments=["listed"])[0]["reason"]
        for user, tag in zip(users, tags)]
    assert set(wanted) == {"split", "audience"}
    for kind in (pyarrow.list_(pyarrow.string()), pyarrow.large_list(pyarrow.large_string()),
                 pyarrow.list_(pyarrow.dictionary(pyarrow.int8(), pyarrow.string()))):
        table = pyarrow.table({"user_id": users, "tags": pyarrow.array(tags, kind)})
        assert plan.assign(table, at=AT, experiments=["listed"], reason=True)["listed.reason"].to_pylist() == wanted
    frame = polars.DataFrame({"user_id": users, "tags": tags})
    assert plan.assign(frame, at=AT, experiments=["listed"], reason=True)["listed.reason"].to_list() == wanted
    frame = pandas.DataFrame({"user_id": users, "tags": tags})
    assert plan.assign(frame, at=AT, experiments=["listed"], reason=True)["listed.reason"].tolist() == wanted


def test_time_column(plan, program):
    instants = ["2026-11-21T11:59:59Z", "2026-11-21T12:00:00Z", "2998-12-31T23:59:59.5Z", "2999-01-01T00:00:00Z"]
    users = [f"user-{index}" for index in range(4)]
    wanted = program({"user_id": users, "at": instants}, "--at-column", "at", at=None)["later"]
    assert [bool(variant) for variant in wanted] == [False, True, True, False]
    table = pyarrow.table({"user_id": users, "at": instants})
    stamps = table.set_column(1, "at", pyarrow.array(instants).cast(pyarrow.timestamp("ms", "UTC")))
    for given in (table, stamps, stamps.to_pandas(), polars.from_arrow(stamps)):
        assert same(lists(plan.assign(given, time_column="at"))["later"]) == wanted


def test_decide_is_assign(plan):
    """One unit at a time, as JSON."""
    columns = typed(INSTANTS)
    table = pyarrow.table({name: pyarrow.array(values) for name, values in columns.items()})
    found = plan.assign(table, at=AT, layout="long", all=True).to_pylist()
    wanted = []
    for row in table.to_pylist():
        wanted += plan.decide(row.pop("user_id"), row, at=AT)
    wanted = [decision for decision in wanted if decision["experiment"] in {row["experiment"] for row in found}]
    assert [{name: row[name] for name in ("experiment", "variant", "reason", "bucket", "revision")} for row in found] == wanted


def test_uuids(plan):
    """Those of Python, pandas, pyarrow and DuckDB are unit IDs by their text."""
    ids = [uuid.UUID(int=number * 2**100 + number) for number in range(1, 30)]
    wanted = plan.assign(pyarrow.table({"user_id": [str(one) for one in ids]}), at=AT).column("everyone").to_pylist()
    assert len(set(wanted)) > 1
    assert [plan.decide(one, at=AT, experiments=["everyone"])[0]["variant"] for one in ids] == wanted
    arrow_ids = pyarrow.table({"user_id": pyarrow.array([one.bytes for one in ids], pyarrow.uuid())})
    connection = duckdb.connect()
    connection.execute("SET arrow_lossless_conversion = true")
    connection.register("ids", pandas.DataFrame({"text": [str(one) for one in ids]}))
    exported = connection.sql("SELECT text::UUID AS user_id FROM ids").to_arrow_table()
    assert "uuid" in str(exported.schema.field("user_id").type)
    for table in (arrow_ids, exported, pyarrow.table(pandas.DataFrame({"user_id": ids}))):
        assert plan.assign(table, at=AT).column("everyone").to_pylist() == wanted
    assert list(plan.assign(pandas.DataFrame({"user_id": ids}), at=AT)["everyone"].fillna("")) == [
        variant or "" for variant in wanted]


OBJECTS = {
    "UUIDs": [uuid.UUID(int=number * 2**100 + number) for number in range(1, 30)], "texts": ["a", None, "user-1", ""],
    "numbers": [7, None, 2**60],
}


@pytest.mark.parametrize("kind", OBJECTS)
def test_objects_of_polars(kind, plan):
    """Python objects that are needed are read, as in pandas."""
    ids = OBJECTS[kind]
    texts = pyarrow.table({"user_id": pyarrow.array([None if one is None else str(one) for one in ids], "string")})
    wanted = plan.assign(texts, at=AT, experiments=["everyone"], reason=True)
    frame = polars.DataFrame({"user_id": polars.Series(ids, dtype=polars.Object), "other": polars.Series(
        [object()] * len(ids), dtype=polars.Object)})
    for given in (frame, frame.lazy(), pandas.DataFrame({"user_id": pandas.Series(ids, dtype=object)})):
        found = lists(plan.assign(given, at=AT, experiments=["everyone"], reason=True))
        for name in ("everyone", "everyone.reason"):
            assert found[name] == wanted[name].to_pylist()
    assigned = plan.assign(frame, at=AT, experiments=["everyone"])
    assert assigned.schema["user_id"] == polars.Object and assigned["user_id"].to_list() == ids


def test_labels_that_are_numbers(plan):
    """The name of a column is the text of its label."""
    text = "user-011,30\nuser-020,70\n"
    frame = pandas.read_csv(io.StringIO(text), header=None)
    chosen = dict(at=AT, columns={"user_id": "0", "age": "1"}, experiments=["numbers"], reason=True)
    found = plan.assign(frame, **chosen)
    wanted = plan.assign(frame.set_axis(["0", "1"], axis=1), **chosen)
    assert found["numbers.reason"].tolist() == wanted["numbers.reason"].tolist() == ["holdout", "audience"]
    assert list(found.columns) == [0, 1, "numbers", "numbers.reason"]
    indexed = plan.assign(frame.set_index(0), **chosen)
    assert indexed["numbers"].tolist() == found["numbers"].tolist()
    years = allot.load(files={"a.yaml": b"status: running\naudience: { 2026: { $gt: 1 } }\nvariants: [{ key: a }]\n"})
    assert years.assign(pandas.DataFrame({"user_id": ["a"], 2026: [5]}), at=AT)["a"].tolist() == ["a"]


def test_a_frame_without_columns():
    plan = allot.load(files={"a.yaml": b"unit: org_id\nstatus: running\nvariants: [{ key: a }]\n"})
    assert plan.assign(pandas.DataFrame(index=[3, 4]), at=AT)["a"].isna().tolist() == [True, True]


@pytest.mark.parametrize("layout", ["wide", "long"])
def test_slices_of_polars(layout, plan, columns, monkeypatch):
    """A large frame is assigned in slices, as if it was one."""
    frame = polars.DataFrame(columns, schema_overrides={"note": polars.Categorical})
    wanted = plan.assign(frame, at=AT, layout=layout)
    monkeypatch.setattr(allot._tables, "_BATCH_ROWS", 70)
    assert plan.assign(frame, at=AT, layout=layout).equals(wanted)
    late = polars.DataFrame({"user_id": ["a"] * 300, "when": [AT] * 299 + ["never"]})
    with pytest.raises(allot.DataError, match="row 299"):
        plan.assign(late, time_column="when")


EMPTY = {name: [] for name in hostile.COLUMNS}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("chunks", "a batch")])
def test_empty(kind, plan):
    table = KINDS[kind](EMPTY)
    found = lists(plan.assign(table, at=AT, reason=True, bucket=True))
    assert set(map(len, found.values())) == {0}
    assert {"user_id", "everyone", "everyone.reason", "everyone.bucket"} <= set(found)
    assert set(lists(plan.assign(KINDS[kind](EMPTY), at=AT, layout="long"))) >= {"unit", "variant"}


@pytest.mark.parametrize("kind", KINDS)
def test_null(kind, plan):
    options = dict(at=AT, experiments=["everyone"])
    found = lists(plan.assign(
        KINDS[kind]({"user_id": ["a", "NULL", "null"]}), layout="long", all=True, null=["NULL"], **options))
    assert found["unit"] == ["a", None, "null"] and found["reason"][1] == "no-unit"
    wide = lists(plan.assign(KINDS[kind]({"user_id": ["a", "NULL", "null"]}), null=["NULL"], **options))
    assert wide["user_id"] == ["a", "NULL", "null"] and wide["everyone"][1] is None


def test_no_experiment(plan):
    for table in (pyarrow.table({"a": [1]}), pandas.DataFrame({"a": [1]}), polars.DataFrame({"a": [1]})):
        assert lists(plan.assign(table, at=AT, experiments=[])) == {"a": [1]}


def test_index_of_pandas(plan):
    columns = hostile.rows(50)
    frame = pandas.DataFrame(columns, index=pandas.Index([9] * 50, name="number"))
    assigned = plan.assign(frame, at=AT)
    assert assigned.index.equals(frame.index) and assigned.index.name == "number"
    assert isinstance(assigned["everyone"].dtype, pandas.CategoricalDtype)
    pandas.testing.assert_frame_equal(assigned[list(columns)], frame)
    # The unit IDs may be the index.
    indexed = plan.assign(frame.set_index("user_id"), at=AT)
    assert lists(indexed)["everyone"] == lists(assigned)["everyone"]


def test_an_index_without_a_name(plan):
    """It is not a column, whatever is in it."""
    frame = pandas.DataFrame({"user_id": ["a", "b"]}, index=[1, "x"])
    assigned = plan.assign(frame, at=AT, experiments=["everyone"])
    assert assigned.index.equals(frame.index) and list(assigned.columns) == ["user_id", "everyone"]
    none = allot.load(files={"a.yaml": b"status: running\naudience: { None: { $exists: true } }\nvariants: [{ key: a }]\n"})
    assert none.assign(frame, at=AT, reason=True)["a.reason"].tolist() == ["audience", "audience"]


def test_facts_of_pandas(plan):
    """What a frame says of itself stays."""
    frame = pandas.DataFrame({"user_id": ["a"]})
    frame.attrs = {"source": ["shop"]}
    frame.columns.name = "facts"
    for experiments in (["everyone"], []):
        assigned = plan.assign(frame, at=AT, experiments=experiments)
        assert assigned.attrs == frame.attrs and assigned.attrs["source"] is not frame.attrs["source"]
        assert assigned.columns.name == "facts"


def test_sparse_columns_of_pandas(plan):
    ages = [30.0, float("nan"), 30.0]
    frame = pandas.DataFrame({"user_id": ["a", "b", "c"], "age": ages})
    sparse = frame.assign(age=pandas.arrays.SparseArray(ages))
    assert plan.assign(sparse, at=AT)["numbers"].tolist() == plan.assign(frame, at=AT)["numbers"].tolist()


def test_columns_that_are_not_needed(plan):
    frame = pandas.DataFrame({"user_id": ["a"], 7: [object()], "mixed": [[1, "x"]]})
    assert plan.assign(frame, at=AT)[7].tolist() == frame[7].tolist()
    frame = polars.DataFrame({"user_id": ["a"], "object": [object()]})
    assert plan.assign(frame, at=AT)["object"].to_list() == frame["object"].to_list()


def test_columns(plan):
    table = pyarrow.table({"customer": ["a", "b", "c"]})
    renamed = plan.assign(table, at=AT, columns={"user_id": "customer"}, experiments=["everyone"])
    wanted = plan.assign(table.rename_columns(["user_id"]), at=AT, experiments=["everyone"])
    assert renamed["everyone"].equals(wanted["everyone"])
    frame = plan.assign(table.to_pandas(), at=AT, columns={"user_id": "customer"}, experiments=["everyone"])
    assert frame["everyone"].tolist() == wanted["everyone"].to_pylist()


def test_metadata_stays(plan):
    schema = pyarrow.schema([pyarrow.field("user_id", "string", metadata={"a": "b"})], metadata={"c": "d"})
    table = pyarrow.table({"user_id": ["a"]}, schema=schema)
    assigned = plan.assign(table, at=AT)
    assert assigned.schema.field("user_id").equals(schema.field("user_id"), check_metadata=True)
    assert assigned.schema.metadata == schema.metadata


def test_lazy_schema(plan):
    frame = polars.LazyFrame(hostile.rows(20))
    lazy = plan.assign(frame, at=AT, experiments=["everyone"], bucket=True)
    assert lazy.collect_schema() == lazy.collect().schema
    whole = plan.assign(frame.collect(), at=AT, experiments=["everyone"], bucket=True)
    assert lazy.filter(polars.col("everyone") == "green").select("everyone.bucket").collect().equals(
        whole.filter(polars.col("everyone") == "green").select("everyone.bucket"))


def test_lazy_warning(plan):
    """What is missing is said when the frame is assigned, and not by each batch."""
    with pytest.warns(allot.MissingColumnsWarning) as found:
        lazy = plan.assign(polars.LazyFrame({"user_id": ["a"]}), at=AT)
    assert [warning.filename for warning in found] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lazy.collect()


def test_instants_are_equal(plan):
    """Whatever kind of instant is given."""
    table = pyarrow.table({"user_id": [f"user-{index}" for index in range(20)]})
    zone = datetime.timezone(datetime.timedelta(hours=5, minutes=30))
    before = datetime.datetime(2026, 11, 21, 17, 29, 59, 999999, tzinfo=zone)
    for at, is_live in ((AT, True), (before, False), (before + datetime.timedelta(microseconds=1), True),
                        (pandas.Timestamp(AT), True), ("2026-11-21T17:30:00+05:30", True)):
        assert ("later" in plan.assign(table, at=at).column_names) is is_live, at


def instants_plan(texts):
    """A plan whose experiments compare the attribute `since` with instants as texts, and as instants."""
    conditions = {
        "equal": texts[0], "listed": {"$in": texts[::2]}, "ends": {"$endsWith": "Z"}, "later": {"$gte": texts[1]},
        "whole": {"$regex": "^[^.]*Z$"}, "all": {"$all": texts[:1]}}
    return allot.load(files={
        f"{key}.json": json.dumps({
            "status": "running", "audience": {"since": condition}, "variants": [{"key": "a"}, {"key": "b"}]}).encode()
        for key, condition in conditions.items()})


def written(value, unit):
    """The text of a number of units since 1970."""
    per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    seconds, rest = divmod(value, per_second)
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    decimals = str(rest * (10**9 // per_second)).zfill(9).rstrip("0")
    return f"{moment.isoformat()}{'.' if decimals else ''}{decimals}Z"


@pytest.mark.parametrize("unit, seconds", [("s", 10**10), ("ms", 10**10), ("us", 10**10), ("ns", 9 * 10**9)])
def test_instants_of_one_unit_are_those_of_tables(unit, seconds):
    """As texts too: `decide` writes them as a table's are written, however they are given."""
    choose = random.Random(f"instants {unit}")
    per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    values = [choose.randrange(-seconds, seconds) * per_second + choose.choice([0, 0, per_second // 2, choose.randrange(
        per_second)]) for _ in range(60)] + [0, -1]
    values = [value for value in values if -62 * 10**9 < value // per_second]
    plan = instants_plan([written(value, unit) for value in values])
    users = [f"user-{index}" for index in range(len(values))]
    given = {"numpy": [numpy.datetime64(value, unit) for value in values]}
    if unit != "ns":
        moments = [datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=value * 10**6 // per_second)
                   for value in values]
        zone = datetime.timezone(datetime.timedelta(hours=5, minutes=30))
        given["naive"] = moments
        given["of a zone"] = [moment.replace(tzinfo=datetime.timezone.utc).astimezone(zone) for moment in moments]
    given["pandas"] = [pandas.Timestamp(value, tz="UTC").tz_convert("Asia/Tokyo") for value in given["numpy"]]
    given["pandas, naive"] = [pandas.Timestamp(value) for value in given["numpy"]]
    for zone_of_table in (None, "UTC"):
        column = pyarrow.array(values, pyarrow.int64()).cast(pyarrow.timestamp(unit, zone_of_table))
        one_each = pyarrow.ListArray.from_arrays(range(len(values) + 1), column)
        for array, wrapped in ((column, lambda value: value), (one_each, lambda value: [value])):
            table = pyarrow.table({"user_id": users, "since": array})
            wanted = plan.assign(table, at=AT, layout="long", all=True)["reason"].to_pylist()
            assert set(wanted) == {"audience", "split"}
            for kind, since in given.items():
                found = [decision["reason"] for user, value in zip(users, since)
                         for decision in plan.decide(user, since=wrapped(value), at=AT)]
                assert found == wanted, (kind, zone_of_table)
    arrays = [decision["reason"] for user, value in zip(users, given["numpy"])
              for decision in plan.decide(user, since=numpy.array([value]), at=AT)]
    assert arrays == wanted


@pytest.mark.parametrize("value", [
    numpy.datetime64("2026-01-02"), numpy.datetime64("2026-01-02T00", "h"), numpy.datetime64(20455 * 24, "h"),
    numpy.datetime64(20455, "D").astype("datetime64[25s]"), datetime.date(2026, 1, 2), datetime.datetime(2026, 1, 2),
    datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc), pandas.Timestamp("2026-01-02T02:00:00+02:00"),
])
def test_the_text_of_an_instant(value):
    plan = instants_plan(["2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z"])
    for call in (plan.decide, lambda *given, **more: plan.explain(*given, **more)["experiments"]):
        reasons = {decision["experiment"]: decision["reason"] for decision in call("a", since=value, at=AT)}
        # A text is not a list.
        assert {key for key, reason in reasons.items() if reason != "split"} == {"all"}
    configuration = plan.config("a", since=value, at=AT)
    assert configuration == plan.config("a", since="2026-01-02T00:00:00Z", at=AT)


def test_instants_that_no_table_has():
    """They are rounded down to the nanosecond, or refused as in a table."""
    plan = instants_plan(["1970-01-01T00:00:00.000000001Z", "1970-01-01T00:00:00Z"])
    assert plan.decide("a", since=numpy.datetime64(1999, "ps"), at=AT, experiments=["equal"])[0]["reason"] == "split"
    for value in (10**18, -10**12):
        with pytest.raises(allot.DataError, match="not within the years 0 to 9999"):
            plan.assign(pyarrow.table({
                "user_id": ["a"], "since": pyarrow.array([value]).cast(pyarrow.timestamp("s"))}), at=AT)
        with pytest.raises(allot.ArgumentError, match="'since'.*not within the years 0 to 9999"):
            plan.decide("a", since=numpy.datetime64(value, "s"), at=AT)


def test_two_columns_of_one_name():
    """A key may look like the column of another experiment; both cannot be in one answer."""
    files = {f"{key}.yaml": b"status: running\nvariants: [{ key: a }]\n" for key in ("x", "x.bucket")}
    plan, users = allot.load(files=files), pyarrow.table({"user_id": ["u"]})
    assert plan.assign(users, at=AT).column_names == ["user_id", "x", "x.bucket"]
    with pytest.raises(allot.DataError, match='two columns "x.bucket"'):
        plan.assign(users, at=AT, bucket=True)
    assert plan.assign(users, at=AT, bucket=True, experiments=["x"])["x.bucket"].to_pylist() != ["a"]


NOON = datetime.datetime(2026, 11, 21, 12, tzinfo=datetime.timezone.utc)


@pytest.mark.parametrize("values, kinds", [
    ([NOON.date(), NOON], "date and datetime"), ([NOON, NOON.date(), None], "date and datetime"),
    ([NOON.date(), 20605], "date and number"), ([NOON, 20605], "datetime and number"),
    ([7.5, True], "boolean and number"), ([numpy.True_, 1], "boolean and number"), ([True, math.nan, 1.5], "boolean and number"),
    ([uuid.UUID(int=1), b"0123456789abcdef"], "UUID and bytes"), ([[NOON.date()], [NOON]], "date and datetime"),
    ([[1], None, [True]], "boolean and number"),
])
@pytest.mark.parametrize("frame", [
    lambda values: pandas.DataFrame({"user_id": ["a"] * len(values), "age": pandas.Series(values, dtype=object)}),
    lambda values: polars.DataFrame({"user_id": ["a"] * len(values), "age": polars.Series(values, dtype=polars.Object)}),
])
def test_values_of_different_types(frame, values, kinds, plan):
    """Arrow takes some of them for one type, in which they are other values."""
    with pytest.raises(allot.DataError, match="age"):
        plan.assign(frame(values), at=AT)
    with pytest.raises(allot.DataError, match=f'"age" has values of different types, such as {kinds};|values .* cannot be read'):
        plan.assign(frame(values), at=AT)


@pytest.mark.parametrize("values", [
    [True, math.nan, None], ["x", math.nan, decimal.Decimal("NaN")], [1, 2.5, math.nan], [NOON, pandas.NaT, None],
    [[1, 2.5], None, math.nan],
])
def test_missing_values_have_no_type(values, plan):
    frame = pandas.DataFrame({"user_id": ["a", "b", "c"], "age": pandas.Series(values, dtype=object)})
    assert plan.assign(frame, at=AT)["everyone"].notna().all()


@pytest.mark.parametrize("times, message", [
    ([NOON, 1790000000], '"when" has values of different types'), ([NOON.date(), NOON.replace(tzinfo=None)], "date and datetime"),
    ([NOON.replace(tzinfo=None)] * 2, r'pandas.to_datetime\(frame\["when"\], utc=True\)'),
    (pandas.DatetimeIndex([NOON.replace(tzinfo=None)] * 2), r'frame\["when"\].dt.tz_localize'),
])
def test_times_of_pandas(times, message, plan):
    kind = object if isinstance(times, list) else None
    frame = pandas.DataFrame({"user_id": ["a", "b"], "when": pandas.Series(times, dtype=kind)})
    with pytest.raises(allot.DataError, match=message):
        plan.assign(frame, time_column="when")


def test_times_in_an_index(plan):
    """The error says what gives them a time zone there."""
    times = pandas.DatetimeIndex([NOON.replace(tzinfo=None)], name="when")
    with pytest.raises(allot.DataError, match=r'pandas.to_datetime\(frame.index.get_level_values\("when"\), utc=True\)'):
        plan.assign(pandas.DataFrame({"user_id": ["a"]}, index=times), time_column="when")
    # Names are no templates.
    frame = pandas.DataFrame({"user_id": ["a"], "t{x}{}": times})
    for table, message in ((frame, r'frame\["t\{x\}\{\}"\]'), (pyarrow.Table.from_pandas(frame), r'table\["t\{x\}\{\}"\]')):
        with pytest.raises(allot.DataError, match=message):
            plan.assign(table, time_column="t{x}{}")


def test_categories_of_an_empty_frame(plan):
    """A partition without rows has the categories of the others."""
    frame = pandas.DataFrame({"user_id": ["a", "b"]})
    for layout, name in (("wide", "everyone"), ("long", "variant"), ("long", "reason")):
        whole, empty = (plan.assign(part, at=AT, layout=layout)[name] for part in (frame, frame.iloc[:0]))
        assert list(empty.cat.categories) == list(whole.cat.categories) and len(whole.cat.categories)
        assert pandas.concat([whole, empty]).dtype == whole.dtype


def test_structs_that_are_a_table(plan):
    """A slice of them, and one that is null, which is a row without values."""
    structs = pyarrow.array([{"user_id": "before"}, {"user_id": "a"}, None])
    found = pyarrow.table(plan.assign(structs.slice(1), at=AT, experiments=["everyone"]))
    wanted = plan.assign(pyarrow.table({"user_id": ["a", None]}), at=AT, experiments=["everyone"])
    assert found.to_pydict() == wanted.to_pydict()
    with pytest.raises(allot.DataError, match="a column is given"):
        plan.assign(pyarrow.array(["a"]), at=AT)
    # What an extension type says of a number stays with it.
    ordinal = pyarrow.field("age", "int64", metadata={"ARROW:extension:name": "shop.ordinal"})
    ages = pyarrow.StructArray.from_arrays(
        [pyarrow.array(["a", "b"]), pyarrow.array([7, 8])], fields=[pyarrow.field("user_id", "string"), ordinal])
    for structs in (ages, ages.slice(1)):
        with pytest.raises(allot.DataError, match="shop.ordinal"):
            plan.assign(structs, at=AT)


@pytest.mark.parametrize("table", [pyarrow.table, pyarrow.record_batch, pandas.DataFrame, polars.DataFrame])
def test_names_that_arrow_would_cut(table, plan):
    with pytest.raises(allot.DataError, match="zero byte"):
        plan.assign(table({"user_id\0z": ["a"], "user_id": ["b"]}), at=AT)


@pytest.mark.parametrize("value", [{"x\0": 1}, [{"x\0": 1}], {"y": {"x\0": 1}}])
def test_names_that_end_polars(value, plan):
    """Of members of structs too, with which Polars would end the process."""
    frame = polars.DataFrame({"user_id": ["a"], "s": [value]})
    with pytest.raises(allot.DataError, match="zero byte"):
        plan.assign(frame, at=AT)
    with pytest.raises(Exception, match="zero byte"):
        frame.select(allot.polars.expression(plan, polars.all(), at=AT))


@pytest.mark.parametrize("kind", [
    pyarrow.dictionary("int8", pyarrow.duration("s")), pyarrow.sparse_union([pyarrow.field("a", "int8")]),
    pyarrow.run_end_encoded("int32", "string"), pyarrow.fixed_shape_tensor(pyarrow.int32(), [2]), pyarrow.uuid(),
])
def test_empty_columns_of_any_type(kind, plan):
    empty = pyarrow.table([pyarrow.nulls(0, "string"), pyarrow.nulls(0, kind)], ["user_id", "other"])
    assigned = plan.assign(empty, at=AT, experiments=["everyone"])
    assert assigned.num_rows == 0 and assigned.schema.field("other").type == kind


@pytest.mark.parametrize("ids, message", [
    (pyarrow.array([b"a"]), 'type binary, which the unit ID "user_id" cannot have; cast it to text or int64$'),
    (pyarrow.array([{"a": 1}]), "type struct, .* cast it to text or int64$"),
    (pyarrow.array([True]), "cast it to text or int64$"), (pyarrow.array([1.0]), "such as int64, or Int64 in pandas;"),
])
def test_columns_that_are_no_unit_ids(ids, message, plan):
    with pytest.raises(allot.DataError, match=message):
        plan.assign(pyarrow.table({"user_id": ids}), at=AT)


def test_members_of_structs_are_no_columns():
    plan = allot.load(files={"a.yaml": b"status: running\naudience: { profile.age: { $gte: 18 } }\nvariants: [{ key: a }]\n"})
    table = pyarrow.table({"user_id": ["u"], "profile": [{"age": 20}]})
    with pytest.warns(allot.MissingColumnsWarning, match=r"table.flatten\(\)"):
        assert plan.assign(table, at=AT)["a"].to_pylist() == [None]
    assert plan.assign(table.flatten(), at=AT)["a"].to_pylist() == ["a"]


def test_short_numbers_are_their_digits():
    """In a table as well as by themselves."""
    plan = allot.load(files={"a.yaml": b"status: running\naudience: { x: 0.1 }\nvariants: [{ key: a }]\n"})
    for kind in ("float16", "float32", "float64"):
        value = numpy.array([0.1], kind)
        assert plan.assign(pyarrow.table({"user_id": ["u"], "x": pyarrow.array(value)}), at=AT)["a"].to_pylist() == ["a"]
        assert plan.decide("u", x=value[0], at=AT)[0]["variant"] == "a"
        assert plan.decide("u", x=value[0].item() if kind == "float64" else float(str(value[0])), at=AT)[0]["variant"] == "a"
