"""Loading, checking, one unit, errors and warnings."""

import datetime
import decimal
import json
import math
import os
import subprocess
import warnings

import allot
import numpy
import pandas
import polars
import pyarrow
import pytest
from conftest import AT, ROOT

BUTTON = b"status: running\nvariants: [{ key: control }, { key: green }]\n"


def test_check_and_errors():
    files = {"button.yaml": b"status: runing\nvariants: []\n", "other.yaml": b"{"}
    report = allot.check(files=files)
    assert (report["valid"], report["errors"]) == (False, len(report["problems"]))
    with pytest.raises(allot.DefinitionsError) as raised:
        allot.load(files=files)
    assert raised.value.problems == report["problems"]
    assert str(raised.value) == "\n".join(str(report).split("\n")[:-1])
    assert {problem["file"] for problem in report["problems"]} == set(files)
    assert "<table>" in report._repr_html_()


def test_check_is_the_program(tmp_path):
    program = os.environ.get("ALLOT_PROGRAM") or pytest.skip("ALLOT_PROGRAM names no allot program to compare with")
    (tmp_path / "button.yaml").write_bytes(b"status: running\nvariants: [{ key: a, weight: 0 }, { key: b }]\nx: 1\n")
    printed = subprocess.run(
        [program, "check", "--format", "json", "--definitions", tmp_path], capture_output=True, check=False).stdout
    assert allot.check(tmp_path) == json.loads(printed)


def test_text_of_problems_is_safe_as_html():
    report = allot.check(files={"a.yaml": b"'<script>': 1\n"})
    assert "<script>" in str(report) and "<script>" not in report._repr_html_()


def test_explanation(shop):
    explanation = shop.explain("user-011", country="DE", at=AT, experiments=["short-checkout"])
    assert explanation["experiments"][0]["variant"] == "one-step"
    assert str(explanation).startswith("user-011 gets one-step in short-checkout")
    assert explanation._repr_html_().startswith('<div class="allot-explanation">')
    assert shop.explain("<b>", at=AT)._repr_html_().count("<b>") == 0


def test_explanation_is_the_program(shop):
    program = os.environ.get("ALLOT_PROGRAM") or pytest.skip("ALLOT_PROGRAM names no allot program to compare with")
    command = [program, "explain", "user-011", "country=DE", "--at", AT, "--definitions", ROOT / "Experiments"]
    text, content = (
        subprocess.run([*command, *more], capture_output=True, check=True).stdout.decode() for more in ([], ["--json"]))
    explanation = shop.explain("user-011", country="DE", at=AT)
    assert str(explanation) == text.rstrip()
    assert explanation == json.loads(content)


def test_config(shop):
    configuration = shop.config("x", {"country": "DE"}, at=AT)
    assert configuration["meta"]["configuration_revision"] == shop.revision


@pytest.mark.parametrize("value, same", [
    (numpy.float32(30), 30), (numpy.int64(30), 30), (decimal.Decimal("30"), 30), (math.nan, None), (pandas.NA, None),
    (numpy.longdouble(30), 30), (numpy.array([30], "longdouble"), [30]),
    (numpy.bool_(True), True), (numpy.array([1, 2]), [1, 2]), ((1, 2), [1, 2]), (pandas.NaT, None),
])
def test_attributes(plan, value, same):
    assert plan.decide("a", age=value, at=AT) == plan.decide("a", age=same, at=AT)


def test_whole_numbers_are_unit_ids(plan):
    for number in (7, 2**63 - 1, numpy.int64(2**60), numpy.uint64(2**64 - 1)):
        assert plan.decide(number, at=AT) == plan.decide(str(number), at=AT)
    for number, digits in (("5", "5"), ("5E1", "50"), ("-7", "-7")):
        assert plan.decide(decimal.Decimal(number), at=AT) == plan.decide(digits, at=AT)
    for nothing in (None, math.nan, pandas.NA, pandas.NaT, numpy.datetime64("NaT")):
        assert plan.decide(nothing, at=AT)[0]["reason"] == "no-unit"


def test_warnings_are_at_the_line_of_the_caller(tmp_path):
    (tmp_path / "button.yaml").write_bytes(b"status: running\nvariants: [{ key: a, weight: 0 }, { key: b }]\n")
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        plan = allot.load(tmp_path)
        plan.assign(pyarrow.table({"user_id": ["a"]}), at=AT)
    assert [(warning.category, warning.filename) for warning in found] == [(allot.DefinitionsWarning, __file__)]
    assert "weight" in str(found[0].message)
    assert plan.check()["warnings"] == 1
    with pytest.warns(allot.MissingColumnsWarning, match='no column "country"') as found:
        plan = allot.load(files={"a.yaml": b"status: running\naudience: { country: DE }\nvariants: [{ key: a }]\n"})
        plan.assign(pyarrow.table({"user_id": ["a"]}), at=AT)
    assert found[0].filename == __file__


def test_attributes_that_nothing_reads_are_warnings():
    plan = allot.load(files={"a.yaml": b"status: running\naudience: { platform: web, d.os: x }\nvariants: [{ key: a }]\n"})
    for call in (plan.decide, plan.config, plan.explain):
        for _ in range(2):
            with pytest.warns(allot.UnreadAttributesWarning) as found:
                call("user-7", plattform="web", at=AT)
            assert [str(warning.message) for warning in found] == [
                'no experiment looks at "plattform"; did you mean "platform"?']
            assert found[0].filename == __file__
    with pytest.warns(allot.UnreadAttributesWarning, match=r'^no experiment looks at "x\\u202E"$'):
        plan.decide("user-7", {"x\u202e": 1, "platform": "web"}, at=AT)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plan.decide("user-7", {"platform": "web", "d": {"os": "x"}}, at=AT)


def test_explanations_name_what_they_rest_on(shop):
    (decision,) = shop.explain("user-000431", at=AT, experiments=["free-shipping-bar"])["experiments"]
    assert (decision["variant"], decision["depends_on"]) == (None, ["app_version", "country", "platform"])
    (decision,) = shop.explain("user-000431", country="US", at=AT, experiments=["free-shipping-bar"])["experiments"]
    assert decision["variant"] is None and "depends_on" not in decision


def test_whole_numbers_of_every_unit():
    """All attributes that are units are unit IDs by their digits, however they are given and in tables too."""
    plan = allot.load(files={"users.yaml": BUTTON, "teams.yaml": b"unit: org\n" + BUTTON})
    for number in (7, 2**60, numpy.int64(2**60), 2**64 - 1):
        wanted = plan.decide(str(number), org=str(number), at=AT)
        assert {decision["reason"] for decision in wanted} == {"split"}
        assert plan.decide(number, org=number, at=AT) == wanted
        assert plan.decide(attributes={"user_id": number, "org": number}, at=AT) == wanted
        assert plan.explain(number, org=number, at=AT)["experiments"] == plan.explain(
            str(number), org=str(number), at=AT)["experiments"]
        column = pyarrow.array([int(number)], "uint64")
        found = plan.assign(pyarrow.table({"user_id": column, "org": column}), at=AT)
        assert {key: found[key][0].as_py() for key in ("teams", "users")} == {
            decision["experiment"]: decision["variant"] for decision in wanted}
    for unit in (
            True, 5.0, numpy.float64(5), decimal.Decimal("5.00"), decimal.Decimal("Infinity"), numpy.array([1, 2]), [1], {"user_id": "a"},
            numpy.timedelta64(5), datetime.date(2026, 1, 1), datetime.datetime(2026, 1, 1)):
        for given in ((unit, "a"), ("a", unit)):
            with pytest.raises(allot.ArgumentError, match="is a unit ID and of type"):
                plan.decide(given[0], org=given[1], at=AT)
    with pytest.raises(allot.ArgumentError, match="as the second argument"):
        plan.decide({"user_id": "a"}, at=AT)


@pytest.mark.parametrize("call, message", [
    (lambda plan: plan.decide("a", {(1, 2): 1}), "the name"), (lambda plan: plan.decide("a", {"y": {b"a": 1}}), "the key b'a'"),
    (lambda plan: plan.decide("a", {"y": [{math.nan: 1}]}), "the key nan"),
    (lambda plan: plan.decide("a", at="2026-11-21\ud800"), "surrogate"),
])
def test_texts_that_json_does_not_have(call, message, plan):
    with pytest.raises(allot.ArgumentError, match=message):
        call(plan)


def test_flags_of_numpy(plan):
    table = pyarrow.table({"user_id": ["a"]})
    answers = [plan.assign(table, at=AT, experiments=["everyone"], reason=flag) for flag in (numpy.True_, True)]
    assert answers[0].equals(answers[1])


def test_limits_are_named_as_arguments():
    """In every form of a report."""
    files = {"base.yaml": b"config_sections: { A: { settings: { x: { value: 1 }, y: { value: 2 } } } }\n"}
    report = allot.check(files=files, max_settings=1)
    for text in (str(report), report._repr_html_(), report["problems"][0]["message"]):
        assert "limits.settings of the base)" in text and "--" not in text
    with pytest.raises(allot.DefinitionsError) as found:
        allot.load(files=files, max_settings=1)
    assert "--" not in found.value.problems[0]["message"]


@pytest.mark.parametrize("files, reason", [
    ({"layers.yaml": b"l: { unit: team }\n", "button.yaml": b"layer: l\nslots: [0%..<100%]\n" + BUTTON}, "split"),
    ({"holdouts.yaml": b"h: { unit: team, share: 100%, experiments: [button] }\n", "button.yaml": BUTTON}, "holdout"),
])
def test_whole_numbers_of_layers_and_holdouts(files, reason):
    """The units of layers and holdouts are unit IDs too."""
    plan = allot.load(files=files)
    for number in (7, 2**60, numpy.int64(2**60)):
        wanted = plan.decide("a", team=str(number), at=AT)
        assert wanted[0]["reason"] == reason
        assert plan.decide("a", team=number, at=AT) == wanted


@pytest.mark.parametrize("number", [7, -7, numpy.int64(7), 2**53 - 1])
def test_small_numbers_of_units_stay_numbers(number):
    """Conditions on an attribute that is a unit see the number that was given."""
    plan = allot.load(files={
        "orgs.yaml": b"unit: org\naudience: { org: { $type: number, $lte: 9007199254740991 } }\n" + BUTTON})
    decision = plan.decide("a", org=number, at=AT)[0]
    assert decision["reason"] == "split"
    texts = allot.load(files={"orgs.yaml": b"unit: org\n" + BUTTON})
    assert texts.decide("a", org=str(number), at=AT)[0]["bucket"] == decision["bucket"]


SINCE = b"audience: { since: { $after: \"2024-02-29T12:00:00Z\" } }\n"


@pytest.mark.parametrize("unit", ["ns", "us", "ms", "s", "m", "h", "D", "W", "M", "Y"])
def test_instants_of_numpy(unit):
    """They are instants in UTC, as they are in a table."""
    plan = allot.load(files={"new.yaml": SINCE + BUTTON})
    for text, reason in (("2025-01-01", "split"), ("2023-01-01", "audience"), ("NaT", "audience")):
        value = numpy.datetime64(text, unit)
        assert plan.decide("a", since=value, at=AT)[0]["reason"] == reason
        assert plan.decide("a", since=numpy.array([value])[0], at=AT)[0]["reason"] == reason
        frame = pandas.DataFrame({"user_id": ["a"], "since": pandas.to_datetime([str(value)])})
        assert plan.assign(frame, at=AT, reason=True)["new.reason"].tolist() == [reason]
    for value in (numpy.timedelta64(1, unit), numpy.array([numpy.timedelta64(1, unit)])):
        with pytest.raises(allot.ArgumentError, match="attribute 'since' is of type"):
            plan.decide("a", since=value, at=AT)


@pytest.mark.parametrize("call", [
    lambda plan: plan.assign(TABLE, at=""), lambda plan: plan.decide("a", at=""), lambda plan: plan.config("a", at=""),
    lambda plan: plan.explain("a", at=""),
])
def test_an_empty_instant_is_not_now(call):
    with pytest.raises(allot.ArgumentError, match='""'):
        call(allot.load(files={"button.yaml": BUTTON}))


TABLE = pyarrow.table({"user_id": ["a"]})
ZONED = [datetime.datetime(2026, 11, 21), datetime.datetime(2026, 11, 21, tzinfo=datetime.timezone.utc)]


def pandas_objects(times):
    return pandas.DataFrame({"user_id": ["a", "b"], "when": pandas.Series(times, dtype="object")})


def polars_objects(times):
    return polars.DataFrame({"user_id": ["a", "b"], "when": polars.Series(times, dtype=polars.Object)})


@pytest.mark.parametrize("arguments, message", [
    (dict(at=datetime.datetime(2026, 11, 21)), "no time zone"),
    (dict(at="yesterday"), "yesterday"),
    (dict(at=5), "not int"),
    (dict(layout="tall"), 'one of "wide", "long"'),
    (dict(experiments=["buton"]), 'did you mean "button"'),
    (dict(experiments="button"), r"\['button'\]"),
    (dict(columns={"country": "user_id"}), "no experiment looks at"),
    (dict(at=pandas.NaT), "NaT"),
    (dict(at=datetime.datetime.min.replace(tzinfo=datetime.timezone(datetime.timedelta(hours=5)))), "year"),
    (dict(experiments=[b"x"]), "not bytes"), (dict(columns={"a": object()}), "not object"),
    (dict(columns={1: "a"}), "not int"), (dict(columns=["a"]), "not list"), (dict(time_column=1), "not int"),
    (dict(layout=None), "layout is a text, not NoneType"),
    (dict(experiments=5), "experiments is a list of keys, not int"),
    (dict(threads=0), "threads"), (dict(threads=True), "threads"), (dict(threads=1025), "threads"),
    (dict(at=AT, time_column="user_id"), "leave out at"),
    (dict(all=True), "the layout long"),
    (dict(layout="long", bucket=True), "leave out"),
    (dict(experiments=["a\udc80"]), "surrogate"),
    (dict(null="NULL"), r"null is a list of texts: \['NULL'\]"),
    (dict(null=[None]), "a text of null is a text, not NoneType"),
])
def test_arguments(arguments, message):
    plan = allot.load(files={"button.yaml": BUTTON})
    with pytest.raises(allot.ArgumentError, match=message):
        plan.assign(TABLE, **arguments)


@pytest.mark.parametrize("table, arguments, message", [
    (pyarrow.table({"id": ["a"]}), {}, 'no column "user_id"'),
    (pyarrow.table({"user_id": [1.5]}), {}, "convert it to whole numbers"),
    (pyarrow.table({"user_id": ["a"], "button": [1]}), {}, 'already.*layout="long"'),
    (pyarrow.table({"user_id": ["a"], "button.bucket": [1]}), dict(bucket=True), "rename it"),
    (pandas.DataFrame({"user_id": ["a"], "button": [1]}), {}, 'already.*layout="long"'),
    (pyarrow.table([["a"], ["b"]], names=["user_id", "user_id"]), {}, "2 columns"),
    (pandas.DataFrame({"user_id": ["a", 1]}), {}, "astype"),
    (pandas.DataFrame({"user_id": ["a", "\udc80"]}, dtype="object"), {}, "half a surrogate pair.*decode"),
    (pandas.DataFrame({"user_id": [2**64, 7]}, dtype="object"), {}, r'cannot be read: .*frame\["user_id"\].astype'),
    (pandas.DataFrame({"user_id": [1j, 2j]}), {}, "cannot be read: .*astype"),
    (pandas.DataFrame({7: ["a", 1]}), dict(columns={"user_id": "7"}), r"frame\[7\].astype"),
    (pandas.DataFrame([["a", "b"]], columns=[0, "0"]), dict(columns={"user_id": "0"}), '2 columns named "0"'),
    (pandas.DataFrame(index=[1]), {}, "the table has no columns"),
    *((polars.DataFrame({"user_id": polars.Series(values, dtype=polars.Object)}), {}, message) for values, message in (
        (["a", 1], r'cannot be read: .*frame\["user_id"\].map_elements'),
        ([object()], "cannot be read: .*map_elements"),
        (["a", "\udc80"], "half a surrogate pair.*decode"))),
    (pandas.DataFrame({"user_id": [1.0, math.nan]}), {}, "int64"),
    (TABLE, dict(columns={"user_id": "id"}), 'no column "id"'),
    (TABLE, dict(time_column="user_id"), "row 0"),
    *((table, dict(time_column="when"), f'the column "when" have no time zone.*{fix}') for table, fix in (
        (pyarrow.table({"user_id": ["a"], "when": pyarrow.array([1], pyarrow.timestamp("us"))}), "assume_timezone"),
        (pandas.DataFrame({"user_id": ["a"], "when": pandas.to_datetime(["2026-11-21"])}), "tz_localize"),
        (polars.DataFrame({"user_id": ["a"], "when": [datetime.datetime(2026, 11, 21)]}), "replace_time_zone"),
        (polars.LazyFrame({"user_id": ["a"], "when": [datetime.datetime(2026, 11, 21)]}), "replace_time_zone"))),
    *((make(times), dict(time_column="when"), message) for make in (pandas_objects, polars_objects)
      for times, message in (
          (ZONED[::-1], 'the column "when" has timestamps with a time zone and without one'),
          (ZONED, 'the column "when" has timestamps with a time zone and without one'),
          (ZONED[:1] * 2, 'the column "when" have no time zone'))),
    (pandas.DataFrame({("user_id", ""): ["a"], ("x", "y"): ["b"]}), {}, "levels"),
    (pandas.DataFrame({"x": ["a", "b"]}, index=pandas.Index(["a", 1], name="user_id")), {}, "get_level_values"),
    (pyarrow.table({"user_id": pyarrow.array([b"\xff"]).view("string")}), {}, "UTF-8"),
])
def test_data(table, arguments, message):
    plan = allot.load(files={"button.yaml": BUTTON})
    with pytest.raises(allot.DataError, match=message):
        plan.assign(table, **arguments)


def test_duplicate_columns_that_are_not_needed():
    plan = allot.load(files={"button.yaml": BUTTON})
    frame = pandas.DataFrame([["a", 1, 2]], columns=["user_id", "x", "x"])
    assert list(plan.assign(frame, at=AT).columns) == ["user_id", "x", "x", "button"]


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


def cyclic():
    value = []
    value.append(value)
    return value


@pytest.mark.parametrize("call, kind, message", [
    (lambda: allot.load("/nowhere"), allot.FileError, "/nowhere"),
    (lambda: allot.check("/nowhere"), allot.FileError, "/nowhere.*name another folder"),
    (lambda: allot.check("/etc/passwd"), allot.FileError, "/etc/passwd: Not a directory"),
    (lambda: allot.load(5), allot.ArgumentError, "the folder is a path, not int"),
    (lambda: allot.load(files=["a.yaml"]), allot.ArgumentError, "files are a dictionary {name: bytes}, not list"),
    (lambda: allot.load(), allot.ArgumentError, "files="),
    (lambda: allot.load("a", files={}), allot.ArgumentError, "files="),
    (lambda: allot.load(files={"a.yaml": "text"}), allot.ArgumentError, "bytes, not str"),
    (lambda: allot.load(files={}), allot.ArgumentError, "allow_empty=True"),
    (lambda: allot.check(files={}), allot.ArgumentError, "allow_empty=True"),
    (lambda: allot.load(files={"README.md": BUTTON}), allot.ArgumentError, '"README.md" is not .*leave it out'),
    (lambda: allot.load("a\0b"), allot.ArgumentError, "zero byte"),
    (lambda: allot.Plan(), TypeError, "allot.load"),
    (lambda: allot.load(files={"a.yaml": BUTTON}).decide("a", {"user_id": "b"}), allot.ArgumentError, "twice"),
    (lambda: allot.load(files={"a.yaml": BUTTON}).decide("a", "x"), allot.ArgumentError, "not str"),
    (lambda: allot.load(files={"a.yaml": BUTTON}).decide(10**5000), allot.ArgumentError, "too many digits"),
    (lambda: allot.load(files={"a.yaml": BUTTON}).decide("a", x=10**5000), allot.ArgumentError, "too many digits"),
    *((lambda value=value: allot.load(files={"a.yaml": BUTTON}).decide("a", x=value), allot.ArgumentError, message)
      for value, message in (
          (nested(500), "'x' is nested"), (cyclic(), "'x' is nested"), (nested(150), "flatten it"),
          (numpy.clongdouble(1), "clongdouble"))),
    (lambda: allot.load(files={"a.yaml": BUTTON}).decide("a", x=object()), allot.ArgumentError, "object"),
    (lambda: allot.load(files={"a.yaml": BUTTON}).decide("\udc80"), allot.ArgumentError, "surrogate"),
    (lambda: allot.load(files={"a.yaml": BUTTON}).decide("a", x=math.inf), allot.ArgumentError, "infinite"),
    (lambda: allot.load(files={"a.yaml": BUTTON}).assign([1]), allot.ArgumentError, "__arrow_c_stream__"),
    (lambda: allot.load(files={"a.yaml": BUTTON}).assign(pyarrow.array([1])), allot.DataError, "a column is given"),
])
def test_other_errors(call, kind, message):
    with pytest.raises(kind, match=message) as raised:
        call()
    assert issubclass(kind, (allot.AllotError, TypeError))


def test_no_files_at_all():
    assert allot.load(files={}, allow_empty=True).experiments == []


def test_messages_name_arguments(tmp_path):
    """And not the options of the program."""
    (tmp_path / "base.yaml").write_bytes(
        b"config_sections: { Page: { settings: { Color: { value: red }, Size: { value: 1 } } } }\n")
    (tmp_path / "empty").mkdir()
    for call, wanted in (
        (lambda: allot.load(tmp_path / "nowhere"), "name another folder"),
        (lambda: allot.load(tmp_path / "empty"), "allow_empty=True"),
        (lambda: allot.load(tmp_path, max_settings=1), "limits.settings"),
        (lambda: allot.load(tmp_path, max_value_bytes=1), "limits.value_bytes"),
    ):
        with pytest.raises(allot.AllotError) as raised:
            call()
        assert wanted in str(raised.value) and "--" not in str(raised.value)
    assert "allow_empty=True" in str(allot.check(tmp_path / "empty"))


def test_errors_are_allots_and_pythons():
    assert issubclass(allot.DataError, ValueError) and issubclass(allot.FileError, OSError)
    assert issubclass(allot.ArgumentError, ValueError) and issubclass(allot.DefinitionsError, ValueError)
    for name in allot.__all__:
        assert getattr(allot, name).__doc__, name


def test_a_stream_is_read_once(plan):
    class Foreign:
        def __arrow_c_stream__(self, requested_schema=None):
            return TABLE.__arrow_c_stream__()

    stream = plan.assign(Foreign(), at=AT, experiments=["everyone"])
    assert pyarrow.table(stream).column_names == ["user_id", "everyone"]
    with pytest.raises(ValueError, match="assign again"):
        pyarrow.table(stream)
    reader = TABLE.to_reader()
    plan.assign(reader, at=AT, experiments=["everyone"]).read_all()


def test_errors_of_the_input(plan):
    """An error of the producer of a stream comes out of the reader of the answer."""
    def batches():
        yield TABLE.to_batches()[0]
        raise ValueError("the disk burns")

    reader = plan.assign(pyarrow.RecordBatchReader.from_batches(TABLE.schema, batches()), at=AT, experiments=["everyone"])
    assert reader.read_next_batch().num_rows == 1
    with pytest.raises(Exception, match="the disk burns"):
        reader.read_next_batch()


def test_a_plan_shows_itself(shop):
    assert repr(shop) == f"<allot.Plan: 10 experiments, revision {shop.revision}>"
    assert "buy-button" in shop._repr_html_()
    assert [experiment["key"] for experiment in shop.experiments] == sorted(e["key"] for e in shop.experiments)
    assert "country" in shop.attributes


def test_a_plan_never_changes():
    plan = allot.load(files={"button.yaml": BUTTON})
    plan.experiments[0]["variants"].append("blue")
    plan.attributes.append("country")
    assert plan.experiments[0]["variants"] == ["control", "green"] and plan.attributes == ["user_id"]
    assert "blue" not in plan._repr_html_()
