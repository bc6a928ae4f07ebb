"""Columns of texts as numbers, as Spark gets them."""

import json

import allot
import pyarrow
from allot._arrow import metadata
from allot._tables import assigned_schema, assigned_stream
from conftest import AT


def definitions(variants):
    """A plan with an experiment for each number of variants. Every fifth one is for all units, others have an audience."""
    return allot.load(files={
        f"e{index:03}.yaml": (
            "status: running\n" + ("" if index % 5 == 0 else f"audience: {{ age: {{ $lt: {index % 100} }} }}\n")
            + "variants:\n" + "".join(f"  - {{ key: v{variant} }}\n" for variant in range(count))).encode()
        for index, count in enumerate(variants)})


def users(count):
    return pyarrow.record_batch({"user_id": [f"user-{row}" for row in range(count)], "age": [row % 100 for row in range(count)]})


def assigned(plan, count, **options):
    """The answer alone."""
    batch = plan.assign(users(count), at=AT, **options)
    return batch.select(range(2, batch.num_columns))


def coded(plan, count, **options):
    """The answer with codes, and where the columns are in it."""
    options = {"at": AT, "layout": "wide", "codes": True, **options}
    source = pyarrow.Table.from_batches([users(count)])
    places = json.loads(metadata(assigned_schema(plan, source.schema.__arrow_c_schema__(), options))["allot.codes"])
    stream = assigned_stream(plan, source, options, joins=False)
    return pyarrow.RecordBatchReader.from_stream(stream).read_all(), places


def decoded(plan, count, **options):
    """The columns of an answer, from the numbers that hold them."""
    table, places = coded(plan, count, **options)
    columns = [column.to_pylist() for column in table.columns]

    def text(place, number):
        code = number >> 8 * place["slot"] & 255
        return None if code == 255 else place["texts"][code]

    return {
        place["name"]: columns[place["position"]] if "slot" not in place else
        [text(place, number) for number in columns[place["position"]]]
        for place in places}


def test_codes_are_the_texts():
    # The eighth column, whose codes decide the sign of a number, has the most codes, and rows without a variant.
    plan = definitions([1, 3, 2, 2, 2, 2, 2, 255, 256, 2, 300, 2, 2, 2, 9])
    assert min(coded(plan, 1000)[0][2].to_pylist()) < 0
    for options in ({}, {"reason": True, "bucket": True}, {"reason": True, "bucket": True, "threads": 2}):
        count = 20_000 if "threads" in options else 1000
        answer = assigned(plan, count, **options)
        found = decoded(plan, count, **options)
        assert found == {name: answer.column(name).to_pylist() for name in answer.schema.names}
        assert None in found["e007"] and max(map(str, found["e007"])) > "v2"
        assert None in found["e008"] and len(set(found["e010"])) > 200
    # 15 columns of buckets and two of too many texts are plain; the other 28 columns are in four numbers.
    table, _ = coded(plan, 10, **options)
    assert table.schema.types == [
        *(pyarrow.int64() if name.endswith("bucket") else pyarrow.string() for name in table.schema.names[:17]),
        *[pyarrow.int64()] * 4]


def test_no_rows_and_no_columns():
    plan = definitions([2, 300])
    assert decoded(plan, 0) == {"e000": [], "e001": []}
    assert decoded(plan, 3, experiments=[]) == {}


def test_places_are_in_the_order_of_the_columns():
    _, places = coded(definitions([2, 300, 2]), 5)
    assert [(place["name"], place["position"], place.get("slot")) for place in places] == [
        ("e000", 1, 0), ("e001", 0, None), ("e002", 1, 1)]
