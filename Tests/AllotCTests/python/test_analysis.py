"""Sample ratios, distributions and power."""

import contextlib
import copy
import datetime
import decimal
import json
import math
import os
import pickle
import subprocess
import sys
import uuid

import allot
import allot._analysis
import numpy
import pandas
import polars
import pyarrow
import pyarrow.compute
import pytest
from conftest import AT, ROOT

EXPERIMENTS = ROOT / "Experiments"


def printed(*arguments):
    """What the program prints."""
    program = os.environ.get("ALLOT_PROGRAM") or pytest.skip("ALLOT_PROGRAM names no allot program to compare with")
    return subprocess.run([program, *map(str, arguments)], capture_output=True, check=False).stdout.decode()


def test_counts():
    report = allot.srm({"control": numpy.int64(10000), "green": 9500}, shares={"control": 1, "green": 1})
    assert report["alarm"] and str(report).startswith("SAMPLE RATIO MISMATCH")
    assert report._repr_html_().startswith('<div class="allot-srm">')
    assert not allot.srm({"control": 10000, "green": 9990}, shares="control=50%,green=50%")["alarm"]
    copy = pickle.loads(pickle.dumps(report))
    assert (copy, str(copy), copy._repr_html_()) == (report, str(report), report._repr_html_())


def test_counts_of_pandas():
    """What `value_counts` gives."""
    variants = pandas.Series(["control"] * 10000 + ["green"] * 9500)
    wanted = allot.srm({"control": 10000, "green": 9500}, shares="control=1,green=1")
    for series in (variants, variants.astype("category")):
        assert allot.srm(series.value_counts(), shares="control=1,green=1") == wanted
    for count in (9500.0, decimal.Decimal(9500), numpy.float32(9500), numpy.longdouble(9500)):
        assert allot.srm({"control": 10000, "green": count}, shares="control=1,green=1") == wanted


@pytest.mark.parametrize("count", [9499.5, None, "x", math.nan, math.inf, True, -1, numpy.float64(0.5), [1]])
def test_counts_are_whole_numbers(count):
    with pytest.raises(allot.ArgumentError, match="the counts"):
        allot.srm({"control": 10000, "green": count}, shares="control=1,green=1")


ROWS = {"unit": [f"user-{index}" for index in range(400)], "variant": ["control", "green"] * 200}
IDS = [uuid.UUID(int=number * 2**100 + number) for number in range(400)]


@pytest.mark.parametrize("table", [
    pyarrow.table({**ROWS, "unit": pyarrow.array([one.bytes for one in IDS], pyarrow.uuid())}),
    pandas.DataFrame({**ROWS, "unit": IDS}), pandas.DataFrame({**ROWS, "unit": IDS}).set_index("unit"),
    polars.DataFrame({**ROWS, "unit": polars.Series(IDS, dtype=polars.Object)}),
])
def test_rows_of_uuids(table):
    """They are units by their text."""
    wanted = allot.srm(pyarrow.table({**ROWS, "unit": list(map(str, IDS))}), shares="control=1,green=1")
    assert allot.srm(table, shares="control=1,green=1") == wanted


@pytest.mark.parametrize("more", [
    [["new"]] * 400, [{"a": 1}] * 400, [b"\xff"] * 400, [["new"], 1] * 200, [object()] * 400,
])
def test_columns_that_csv_does_not_have(more):
    """They are left out unless something asks for them."""
    wanted = allot.srm(pyarrow.table(ROWS), shares="control=1,green=1")
    frame = pandas.DataFrame({**ROWS, "more": pandas.Series(more, dtype=object)})
    tables = [frame]
    if more[0] == more[1]:
        with contextlib.suppress(pyarrow.ArrowInvalid):  # It has no type for every object.
            tables.append(pyarrow.table({**ROWS, "more": more}))
    for table in tables:
        assert allot.srm(table, shares="control=1,green=1") == wanted
        for asked in (dict(by="more"), dict(by=["more"]), dict(unit_column="more")):
            with pytest.raises(allot.DataError, match='"more"'):
                allot.srm(table, shares="control=1,green=1", **asked)


ZONE = pyarrow.timestamp("us", "Asia/Tokyo")
DAYS = [datetime.date(2026, 11, 21), datetime.date(1969, 12, 31), None]
DAY_TEXTS = ["2026-11-21T00:00:00Z", "1969-12-31T00:00:00Z", None]
MOMENTS = [1795262400250001, -1, 0, None]
MOMENT_TEXTS = ["2026-11-21T12:00:00.250001Z", "1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00Z", None]
NUMBERS = [0.5, -7.0, 1e16, math.nan, None]
NUMBER_TEXTS = ["0.5", "-7", "1e+16", None, None]


def decimals(kind, *texts):
    return pyarrow.array([decimal.Decimal(text) for text in texts], kind), list(texts)


# Values, and the texts that stand for them in a CSV file.
VALUES = {
    "date32": (pyarrow.array(DAYS, pyarrow.date32()), DAY_TEXTS),
    "date64": (pyarrow.array(DAYS, pyarrow.date64()), DAY_TEXTS),
    "dates, dictionary": (pyarrow.array(DAYS, pyarrow.date32()).dictionary_encode(), DAY_TEXTS),
    "seconds": (pyarrow.array([1795262400, -10, None], pyarrow.timestamp("s")),
                ["2026-11-21T12:00:00Z", "1969-12-31T23:59:50Z", None]),
    "milliseconds": (pyarrow.array([1795262400250, -1000, None], pyarrow.timestamp("ms", "UTC")),
                     ["2026-11-21T12:00:00.25Z", "1969-12-31T23:59:59Z", None]),
    "microseconds": (pyarrow.array(MOMENTS, pyarrow.timestamp("us")), MOMENT_TEXTS),
    "of a zone": (pyarrow.array(MOMENTS, ZONE), MOMENT_TEXTS),
    "timestamps, dictionary": (pyarrow.array(MOMENTS, ZONE).dictionary_encode(), MOMENT_TEXTS),
    "nanoseconds": (pyarrow.array([1795262400250000001, 100, -1, None], pyarrow.timestamp("ns", "UTC")),
                    ["2026-11-21T12:00:00.250000001Z", "1970-01-01T00:00:00.0000001Z",
                     "1969-12-31T23:59:59.999999999Z", None]),
    "booleans": (pyarrow.array([True, False, None]), ["true", "false", None]),
    "booleans, dictionary": (pyarrow.DictionaryArray.from_arrays(
        pyarrow.array([0, 1, None]), pyarrow.array([True, False])), ["true", "false", None]),
    "bool8": (pyarrow.ExtensionArray.from_storage(pyarrow.bool8(), pyarrow.array([1, 0, None], "int8")),
              ["true", "false", None]),
    "uint64": (pyarrow.array([2**64 - 1, 0, None], "uint64"), ["18446744073709551615", "0", None]),
    "integers, dictionary": (pyarrow.array([7, -7, None]).dictionary_encode(), ["7", "-7", None]),
    "decimal": decimals(pyarrow.decimal128(10, 2), "1.10", "-0.05", "0.00"),
    "decimal, small": decimals(pyarrow.decimal256(50, 20), "0.00000000000000000001", "-1.50000000000000000000"),
    "decimal, large": (pyarrow.array([decimal.Decimal("1E+3"), decimal.Decimal(0)], pyarrow.decimal128(10, -3)),
                       ["1000", "0"]),
    "large texts": (pyarrow.array(["a,b", 'q"x', None], "large_string"), ["a,b", 'q"x', None]),
    "views": (pyarrow.array(["a", "a text of more than 12 bytes", None], "string_view"),
              ["a", "a text of more than 12 bytes", None]),
    "views, dictionary": (pyarrow.DictionaryArray.from_arrays(
        pyarrow.array([0, 1, None]), pyarrow.array(["a", "b"], "string_view")), ["a", "b", None]),
    "uuid": (pyarrow.array([IDS[1].bytes, IDS[2].bytes, None], pyarrow.uuid()), [str(IDS[1]), str(IDS[2]), None]),
    "texts of an extension": (pyarrow.array(["{}", "7", None], pyarrow.json_()), ["{}", "7", None]),
    "float64": (pyarrow.array(NUMBERS), NUMBER_TEXTS),
    "float64, dictionary": (pyarrow.array(NUMBERS).dictionary_encode(), NUMBER_TEXTS),
    "float32": (pyarrow.array([0.1, 16777216.0, math.nan, None], "float32"),
                ["0.1", "16777216", None, None]),
    "float16": (pyarrow.array([0.1, 2.0, math.nan, None], "float16"), ["0.1", "2", None, None]),
}


def valued(array, texts):
    """Rows with a column `value`, once of an array and once of its texts, and shares that are right for all of them."""
    count = len(texts) * 100
    rows = {"unit": [f"user-{index}" for index in range(count)],
            "variant": ["green" if index % len(texts) else "control" for index in range(count)]}
    shares = {"control": 1, "green": len(texts) - 1}
    return (pyarrow.table({**rows, "value": pyarrow.chunked_array([array] * 100)}),
            pyarrow.table({**rows, "value": pyarrow.array(texts * 100, "string")}), dict(shares=shares, by="value"))


@pytest.mark.parametrize("kind", VALUES)
def test_values_are_those_of_assign(kind):
    """A column of any type is that of the texts which `assign` reads it as."""
    array, texts = VALUES[kind]
    table, wanted_table, options = valued(array, texts)
    wanted = allot.srm(wanted_table, **options)
    assert all(text in {value["value"] for value in wanted["comparisons"][0]["localisation"]["values"]}
               for text in texts if text)
    assert allot.srm(table, **options) == wanted
    if kind.startswith("float"):  # They are numbers there, without a text.
        number = float(texts[0])
        conditions = {"equal": number, "above": {"$gt": number}, "below": {"$lt": number}, "none": {"$exists": False}}
    else:
        conditions = {"listed": {"$in": texts[:1]}, "others": {"$in": texts[1:2]}, "none": {"$exists": False}}
    plan = allot.load(files={
        f"{key}.json": json.dumps({
            "status": "running", "audience": {"value": condition}, "variants": [{"key": "a"}, {"key": "b"}]}).encode()
        for key, condition in conditions.items()})
    reasons = [
        plan.assign(given, at=AT, columns={"user_id": "unit"}, layout="long", all=True)["reason"].to_pylist()
        for given in (table, wanted_table)]
    assert reasons[0] == reasons[1] and set(reasons[0]) == {"audience", "split"}


def test_values_of_other_tables():
    """Polars has NaN, pandas categories of timestamps."""
    table, wanted, options = valued(*VALUES["float64"])
    assert allot.srm(polars.from_arrow(table), **options) == allot.srm(wanted, **options)
    table, wanted, options = valued(*VALUES["of a zone"])
    frame = table.to_pandas().astype({"value": "category"})
    for given in (frame, frame.assign(value=frame["value"].astype(object)), polars.from_arrow(table)):
        assert allot.srm(given, **options) == allot.srm(wanted, **options)
    table, wanted, options = valued(*VALUES["views"])
    for kind in (polars.Categorical, polars.Enum(VALUES["views"][1][:2])):
        given = polars.from_arrow(wanted).with_columns(polars.col("value").cast(kind))
        assert allot.srm(given, **options) == allot.srm(wanted, **options)


@pytest.mark.parametrize("kind", ["date32", "timestamps, dictionary", "nanoseconds"])
def test_assigned_units_are_right(kind):
    """What `assign` assigned by a date is what `srm` computes again."""
    array, _ = VALUES[kind]
    plan = allot.load(files={
        "late.yaml": b"status: running\naudience: { value: { $gte: \"2026-11-21T00:00:00Z\" } }\n"
        b"variants: [{ key: control }, { key: green }]\n"})
    count = len(array) * 100
    assigned = plan.assign(pyarrow.table({
        "user_id": [f"user-{index}" for index in range(count)], "value": pyarrow.chunked_array([array] * 100)}), at=AT)
    for table in (assigned, assigned.filter(pyarrow.compute.is_valid(assigned["late"]))):
        cause = allot.srm(table, plan, at=AT)["comparisons"][0]["cause"]
        assert (cause["finding"], cause["ineligible"], cause["reassigned_units"]) == ("agreement", {}, 0)
        assert cause["basis"] == {"recomputed": "decision"}


@pytest.mark.parametrize("kind", [pyarrow.date32(), pyarrow.date64()])
def test_dates_of_rows_are_days(kind):
    """At their midnights, an experiment that started on that day had not started."""
    plan = allot.load(files={
        "x.yaml": b"status: running\nstarts: 2026-11-21T06:00:00Z\nvariants: [{ key: control }, { key: green }]\n"})
    assigned = plan.assign(pyarrow.table({"user_id": ROWS["unit"]}), at=AT)
    day = pyarrow.array([datetime.date(2026, 11, 21)] * len(assigned), kind)
    wanted = allot.srm(assigned.append_column("at", day.cast("string")), plan)
    assert wanted["comparisons"][0]["cause"]["ineligible"] == {}
    assert allot.srm(assigned.append_column("at", day), plan) == wanted
    assert allot.srm(assigned.append_column("day", day), plan, time_column="day") == wanted


@pytest.mark.parametrize("more", [
    pyarrow.array([10**13] * 400, pyarrow.timestamp("s")),
    pyarrow.array([2**31 - 1] * 400, "int32").cast(pyarrow.date32()), pyarrow.array([1] * 400, pyarrow.time32("s")),
    pyarrow.array([1] * 400, pyarrow.duration("s")), pyarrow.array([b"a"] * 400),
    pyarrow.array([b"aa"] * 400, pyarrow.binary(2)),
    pyarrow.array(pandas.Series(pandas.period_range("2020-01", periods=400, freq="M"))),
])
def test_columns_that_attributes_do_not_have(more):
    """They are left out unless something asks for them, as those that CSV does not have."""
    wanted = allot.srm(pyarrow.table(ROWS), shares="control=1,green=1")
    table = pyarrow.table({**ROWS, "more": more})
    assert allot.srm(table, shares="control=1,green=1") == wanted
    for asked in (dict(by="more"), dict(unit_column="more")):
        with pytest.raises(allot.DataError, match='"more"'):
            allot.srm(table, shares="control=1,green=1", **asked)


LONG_IDS = [10**18 + index for index in range(400)]
FLOATS = [float(index) for index in range(400)]


@pytest.mark.parametrize("ids", [
    pyarrow.array(LONG_IDS), pyarrow.array(LONG_IDS, "uint64"), pyarrow.array(map(decimal.Decimal, LONG_IDS)),
    pyarrow.array(LONG_IDS).dictionary_encode(),
])
def test_whole_numbers_are_units(ids, shop):
    wanted = pyarrow.table({**ROWS, "unit": list(map(str, LONG_IDS))})
    assert allot.srm(pyarrow.table({**ROWS, "unit": ids}), shares="control=1,green=1") == allot.srm(
        wanted, shares="control=1,green=1")
    few = dict(salts=5, salt_units=200, experiment="buy-button", unit_column="unit")
    assert allot.distribution(shop, pyarrow.table({"unit": ids}), **few) == allot.distribution(shop, wanted, **few)


@pytest.mark.parametrize("table", [
    *(pyarrow.table({**ROWS, "unit": pyarrow.array(FLOATS).cast(kind)})
      for kind in ("float32", "float64", pyarrow.decimal128(10, 1))),
    pyarrow.table({**ROWS, "unit": pyarrow.array(FLOATS).dictionary_encode()}),
    pyarrow.table({**ROWS, "unit": [True, False] * 200}), pyarrow.table({**ROWS, "unit": DAYS[:2] * 200}),
    pandas.DataFrame({**ROWS, "unit": [*range(399), None]}), polars.DataFrame({**ROWS, "unit": FLOATS}),
])
def test_other_numbers_are_not_units(table, shop):
    """As in `assign`: `1.0` is refused rather than guessed, and numbers of 19 digits would be other ones."""
    message = '"unit" holds unit IDs.*text, UUIDs or whole numbers'
    for call in (lambda: allot.srm(table, shares="control=1,green=1"),
                 lambda: allot.srm(table, shop, experiment="buy-button"),
                 lambda: allot.srm(table, shares="control=1,green=1", unit_column="unit"),
                 lambda: allot.distribution(shop, table, unit_column="unit", salts=5, salt_units=200)):
        with pytest.raises(allot.DataError, match=message):
            call()


def test_units_are_those_that_are_used():
    """Floating-point numbers that are not used as unit IDs are attributes."""
    variants = b"variants: [{ key: control }, { key: green }]\n"
    plan = allot.load(files={"users.yaml": b"status: running\n" + variants,
                             "teams.yaml": b"unit: org_id\nstatus: running\n" + variants})
    texts = pyarrow.array(map(str, FLOATS))
    exposures, floats = pyarrow.table(ROWS), pyarrow.array(FLOATS)
    own = pyarrow.table({"user_id": ROWS["unit"], "teams": ROWS["variant"], "users": ROWS["variant"]})
    counts = pyarrow.table({"variant": ["control", "green"], "count": [10000, 9990], "org_id": [0.5, 1.5]})
    shares = "control=1,green=1"
    for table, name, options in (
            (exposures, "user_id", dict(shares=shares)), (exposures, "org_id", dict(plan=plan, experiment="teams")),
            (exposures.rename_columns(["id", "variant"]), "user_id", dict(shares=shares, unit_column="id")),
            (own, "org_id", dict(plan=plan, experiment=["users"]))):
        assert allot.srm(table.append_column(name, floats), **options) == allot.srm(
            table.append_column(name, texts), **options)
    assert not allot.srm(counts, plan, experiment="teams")["alarm"]
    for table, options in ((own, {}), (own, dict(experiment="teams")),
                           (exposures.drop_columns("unit"), dict(experiment=["teams"]))):
        with pytest.raises(allot.DataError, match='"org_id" holds unit IDs.*int64'):
            allot.srm(table.append_column("org_id", floats), plan, **options)


def counted(monkeypatch):
    """The names of the functions of the library that are called from now on."""
    calls, text_of = [], allot._analysis.text_of
    monkeypatch.setattr(allot._analysis, "text_of", lambda name, *given: calls.append(name) or text_of(name, *given))
    return calls


def shown(report):
    """All forms of a report."""
    return dict(report), str(report), report._repr_html_()


def test_reports_are_made_once(monkeypatch, shop):
    """With all their forms, without the rows, and so that no form is that of a later instant."""
    calls = counted(monkeypatch)
    rows = b"user_id,unit,variant\n" + b"".join(b"%d,user-%d,%c\n" % (index, index, b"ab"[index % 2]) for index in range(200))
    references = sys.getrefcount(rows)
    for report, kind in (
        (allot.srm(rows, shares="a=1,b=1", unit_column="unit"), allot.SampleRatioReport),
        (allot.distribution(shop, rows, salts=5, salt_units=200, experiment="buy-button"), allot.DistributionReport),
    ):
        for same in (report, pickle.loads(pickle.dumps(report)), copy.deepcopy(report)):
            assert shown(same) == shown(report) and type(same) is kind
    assert calls == ["allot_srm", "allot_distribution"]
    assert sys.getrefcount(rows) == references


def test_copies_of_other_reports(shop):
    for report in (allot.power(baseline=0.1, effect="1%"), shop.explain("user-1", at=AT), shop.check()):
        for same in (pickle.loads(pickle.dumps(report)), copy.deepcopy(report)):
            assert shown(same) == shown(report) and type(same) is type(report)


def test_distribution_of_uuids(shop):
    few = dict(salts=5, salt_units=200, experiment="buy-button")
    wanted = allot.distribution(shop, pyarrow.table({"user_id": list(map(str, IDS))}), **few)
    arrow_ids = pyarrow.array([one.bytes for one in IDS], pyarrow.uuid())
    for units in (pyarrow.table({"tags": [["new"]] * 400, "user_id": arrow_ids}),
                  pandas.DataFrame({"mixed": [["new"], 1] * 200, "user_id": IDS})):
        assert allot.distribution(shop, units, **few) == wanted
    with pytest.raises(allot.DataError, match='it has "tags"'):
        allot.distribution(shop, pyarrow.table({"tags": [["new"]] * 400}), **few)


@pytest.mark.filterwarnings("ignore::allot.DefinitionsWarning")
def test_plans_by_their_folders(shop):
    counts = {"control": 10000, "large-green": 9990}
    folder = ROOT / "Experiments"
    for definitions in (folder, str(folder)):
        assert allot.srm(counts, definitions, experiment="buy-button", at=AT) == allot.srm(
            counts, shop, experiment="buy-button", at=AT)
        few = dict(number=1000, salts=5, salt_units=200, experiment="buy-button")
        assert allot.distribution(definitions, **few) == allot.distribution(shop, **few)


def test_rows(shop, tmp_path):
    """Rows of each kind of table are those of a CSV file to the program."""
    users = pyarrow.table({"user_id": [f"user-{index}" for index in range(3000)]})
    rows = shop.assign(users, at=AT, layout="long", experiments=["buy-button"])
    frame = rows.to_pandas()
    path = tmp_path / "rows.csv"
    frame.to_csv(path, index=False)
    wanted = json.loads(printed(
        "srm", path, "--experiment", "buy-button", "--definitions", ROOT / "Experiments", "--at", AT, "--json"))
    for data in (rows, frame, polars.from_arrow(rows), path, str(path), path.read_bytes()):
        assert allot.srm(data, shop, experiment="buy-button", at=AT) == wanted


def test_times_are_instants(shop):
    """Exposures have the time of each, and are tested in its order."""
    times = pandas.date_range("2026-11-20", periods=400, freq="min", tz="Europe/Berlin")
    frame = pandas.DataFrame({
        "unit": [f"user-{index}" for index in range(400)], "variant": ["control", "green"] * 200, "at": times})
    report = allot.srm(frame, shares={"control": 1, "green": 1})
    assert report["comparisons"][0]["sequential"]["status"] != "order-unknown"


def test_distribution(shop, tmp_path):
    report = allot.distribution(shop, number=2000, salts=5, salt_units=200, experiment="buy-button", threads=1)
    assert report == json.loads(printed(
        "distribution", "--generate", 2000, "--salts", 5, "--salt-units", 200, "--experiment", "buy-button", "--json",
        "--definitions", ROOT / "Experiments"))
    assert "<iframe" in report._repr_html_() and "No fault found" in str(report)
    units = pandas.DataFrame({"id": [f"user-{index}" for index in range(2000)]})
    assert not allot.distribution(shop, units, unit_column="id", salts=5, salt_units=200)["alarm"]


def test_power():
    report = allot.power(baseline=0.1, effect="1%")
    assert report == json.loads(printed("power", "--baseline", "0.1", "--effect", "1%", "--json"))
    assert report["units"] == 29502 and str(report).startswith("Units needed: 29502")
    page = report._repr_html_()
    assert page.startswith('<div class="allot-power">') and "<td>14751</td>" in page and "<style" not in page


@pytest.mark.parametrize("allocation", [
    {"control": 80, "blue": 20}, {"control": 0.8, "blue": decimal.Decimal("0.2")},
    {"control": numpy.int64(4), "blue": 1},
])
def test_allocation(allocation):
    """The shares of planned variants, as numbers too."""
    report = allot.power(baseline=0.1, effect="1%", allocation=allocation)
    wanted = allot.power(baseline=0.1, effect="1%", allocation="control=80,blue=20")
    assert report["units"] == wanted["units"] and str(report) == str(wanted)


def test_decimals_are_numbers():
    number = decimal.Decimal("0.1")
    assert allot.power(baseline=number, effect="1%") == allot.power(baseline=0.1, effect="1%")
    assert allot.power(baseline=numpy.longdouble(0.5), effect="1%") == allot.power(baseline=0.5, effect="1%")
    assert allot.srm({"control": 10, "green": 9}, shares={"control": number, "green": number}) == allot.srm(
        {"control": 10, "green": 9}, shares="control=1,green=1")


@pytest.mark.parametrize("call, kind, message", [
    (lambda: allot.power(baseline=math.nan), allot.ArgumentError, "baseline: nan is not a finite number"),
    (lambda: allot.power(baseline=object()), allot.ArgumentError, "baseline: .*is not a number"),
    *((lambda value=value: allot.power(baseline="10%", effect="1%", allocation=value), allot.ArgumentError, message)
      for value, message in (
          ({"a,b": 1, "c": 1}, "allocation: .*comma"), ({"a=b": 1, "c": 1}, "allocation: .*comma"),
          ({"a": math.nan, "b": 1}, "allocation: nan"), ({"a": "x", "b": 1}, "allocation: 'x'"),
          ({1: 1, "b": 1}, "allocation: the key 1"), ([50, 50], "allocation: .*dictionary.*not list"))),
    *((lambda value=value: allot.srm({"a": 1, "b": 1}, shares=value), allot.ArgumentError, message)
      for value, message in (
          ({"a": decimal.Decimal("NaN"), "b": 1}, "shares: NaN"), ({"a": "1", "b": 1}, "shares: '1'"),
          ([("a", 1)], "shares: .*dictionary.*not list"))),
    (lambda: allot.srm({"a": 1}, shares="a=1,b=1", shares_of=[1]), allot.ArgumentError, "shares_of: .*not list"),
    (lambda: allot.srm({1: 1}, shares="a=1,b=1"), allot.ArgumentError, "the counts: the key 1"),
    (lambda: allot.srm(pandas.Series([1, 2], index=["a", "a"]), shares="a=1,b=1"), allot.ArgumentError, "'a' .* twice"),
    (lambda: allot.srm(polars.Series(["a", "b"]), shares="a=1,b=1"), allot.DataError, "a column is given, and no"),
    (lambda: allot.srm({"a": 1}, "/nowhere", experiment="x"), allot.FileError, "/nowhere"),
    (lambda: allot.srm({"a": 1}, 5, experiment="x"), allot.ArgumentError, "not int"),
    (lambda: allot.distribution(5), allot.ArgumentError, "not int"),
    (lambda: allot.srm({"control": 1}), allot.ArgumentError, "shares"),
    (lambda: allot.srm([1, 2], shares="a=1"), allot.ArgumentError, "list is not a table"),
    (lambda: allot.srm("/nowhere.csv", shares="a=1"), allot.FileError, "/nowhere.csv"),
    (lambda: allot.srm(pyarrow.table({"variant": ["a"]}), shares="a=1,b=1"), allot.AllotError, "column"),
    (lambda: allot.power(baseline="10%"), allot.ArgumentError, "give the effect for the units .* the units for the effect"),
    (lambda: allot.power(), allot.ArgumentError, "baseline such as 10% for a rate, or a standard deviation such as 12.5"),
    (lambda: allot.srm({"control": 5, "b": 6}, EXPERIMENTS), allot.ArgumentError, "name one .* column of experiments"),
    (lambda: allot.srm(pyarrow.table({"unit": ["a"]}), shares="a=1,b=1"), allot.AllotError, "name the column of the variants"),
    (lambda: allot.distribution(EXPERIMENTS, number=-1), allot.ArgumentError, "^number is a whole number from 100"),
    (lambda: allot.distribution(EXPERIMENTS, pyarrow.table({"user_id": ["a"]}), number=500), allot.ArgumentError, "^number and shape"),
    (lambda: allot.power(baseline="ten"), allot.ArgumentError, "ten"),
])
@pytest.mark.filterwarnings("ignore::allot.DefinitionsWarning")
def test_errors(call, kind, message):
    with pytest.raises(kind, match=message) as found:
        call()
    assert "--" not in str(found.value)


def test_reports_name_no_options():
    """Reports name things, as the library does."""
    report = allot.srm({"control": 10000, "green": 9900}, shares={"control": 1, "green": 1})
    assert "the times of counts" in str(report) and "the times of counts" in report._repr_html_()
    assert "--" not in str(report) and "--" not in report._repr_html_()
