"""What mypy says about a program that uses the package. It is not run."""

import datetime
import pathlib

import allot
import pandas
import polars
import pyarrow
from typing_extensions import assert_type

plan = allot.load(pathlib.Path("Experiments"))
assert_type(plan, allot.Plan)
assert_type(allot.check("Experiments"), allot.CheckReport)
at = datetime.datetime(2026, 11, 21, 12, tzinfo=datetime.timezone.utc)

frame = pandas.DataFrame({"user_id": ["a"]})
assert_type(plan.assign(frame, at=at), pandas.DataFrame)
assert_type(plan.assign(polars.DataFrame({"user_id": ["a"]}), layout="long", null=["NULL"]), polars.DataFrame)
assert_type(plan.assign(polars.LazyFrame({"user_id": ["a"]}), at="2026-11-21T12:00:00Z"), polars.LazyFrame)
table: pyarrow.Table = plan.assign(pyarrow.table({"user_id": ["a"]}), columns={"user_id": "id"}, threads=2)

assert_type(plan.decide("a", country="DE")[0]["variant"], str | None)
assert_type(plan.explain("a", {"country": "DE"}, experiments=["button"]), allot.Explanation)
assert_type(plan.experiments[0]["variants"], list[str])
assert_type(plan.revision, str)
try:
    allot.load(files={"a.yaml": b""})
except allot.DefinitionsError as error:
    print(error.problems[0]["message"])

assert_type(allot.srm(pandas.Series(["a", "b"]).value_counts(), "Experiments"), allot.SampleRatioReport)
assert_type(allot.distribution(pathlib.Path("Experiments"), shape="uuid"), allot.DistributionReport)
assert_type(allot.power(baseline="10%", effect="1%", allocation={"control": 80, "blue": 20}), allot.PowerReport)
allot.distribution(plan, shape=["uuid"])  # type: ignore[arg-type]
plan.assign(frame, layout="tall")  # type: ignore[call-overload]
plan.assign(frame, at=5)  # type: ignore[call-overload]
plan.assign("users.csv")  # type: ignore[call-overload]
allot.load(5)  # type: ignore[arg-type]


class Foreign:
    """A table of a package that is not known."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return None


assert_type(plan.assign(Foreign()), allot.ArrowStream)
