"""Sample ratios, distributions and power."""

import contextlib
import decimal
import json
import math
import os
import pickle
import subprocess
import uuid

import allot
import numpy
import pandas
import polars
import pyarrow
import pytest
from conftest import AT, ROOT


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
        "distribution", "--units", 2000, "--salts", 5, "--salt-units", 200, "--experiment", "buy-button", "--json",
        "--definitions", ROOT / "Experiments"))
    assert "<iframe" in report._repr_html_() and "Nothing is wrong" in str(report)
    units = pandas.DataFrame({"id": [f"user-{index}" for index in range(2000)]})
    assert not allot.distribution(shop, units, unit_column="id", salts=5, salt_units=200)["alarm"]


def test_power():
    report = allot.power(baseline=0.1, effect="1%")
    assert report == json.loads(printed("power", "--baseline", "0.1", "--effect", "1%", "--json"))
    assert report["units"] == 29502 and str(report).startswith("Units needed: 29502")
    assert report._repr_html_().startswith("<pre>")


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
    (lambda: allot.power(baseline="10%"), allot.ArgumentError, "effect"),
    (lambda: allot.power(baseline="ten"), allot.ArgumentError, "ten"),
])
def test_errors(call, kind, message):
    with pytest.raises(kind, match=message):
        call()
