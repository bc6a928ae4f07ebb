"""Sample ratios, distributions and power."""

import json
import os
import pickle
import subprocess

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


@pytest.mark.parametrize("call, kind, message", [
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
