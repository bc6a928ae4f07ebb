"""Columns of texts as numbers, as Spark gets them."""

import allot
import pyarrow
from allot._codes import locations, packed


def definitions(variants):
    """A plan with an experiment for each number of variants. Every fifth one is everybody's, others have an audience."""
    return allot.load(files={
        f"e{index:03}.yaml": (
            "status: running\n" + ("" if index % 5 == 0 else f"audience: {{ age: {{ $lt: {index % 100} }} }}\n")
            + "variants:\n" + "".join(f"  - {{ key: v{variant} }}\n" for variant in range(count))).encode()
        for index, count in enumerate(variants)})


def users(count):
    return pyarrow.record_batch({"user_id": [f"user-{row}" for row in range(count)], "age": [row % 100 for row in range(count)]})


def decoded(batch):
    """The columns of an answer, from the numbers that hold them."""
    places = locations(batch)
    columns = [column.to_pylist() for column in packed(batch, places)]
    return {
        name: columns[position] if texts is None else
        [[*texts, None][number >> 8 * slot & 255] for number in columns[position]]
        for name, position, slot, texts in places}


def assigned(plan, count, **options):
    """The answer alone."""
    batch = plan.assign(users(count), at="2026-11-21T12:00:00Z", **options)
    return batch.select(range(2, batch.num_columns))


def test_codes_are_the_texts():
    # The eighth column, whose codes decide the sign of a number, has the most codes, and rows without a variant.
    plan = definitions([1, 3, 2, 2, 2, 2, 2, 255, 256, 2, 300, 2, 2, 2, 9])
    assert min(packed(assigned(plan, 1000), locations(assigned(plan, 0)))[2].to_pylist()) < 0
    for options in ({}, {"reason": True, "bucket": True}):
        answer = assigned(plan, 1000, **options)
        found = decoded(answer)
        assert found == {name: answer.column(name).to_pylist() for name in answer.schema.names}
        assert None in found["e007"] and max(map(str, found["e007"])) > "v2"
        assert None in found["e008"] and len(set(found["e010"])) > 200
    # 15 columns of buckets and two of too many texts are plain; the other 28 columns are in four numbers.
    assert len(packed(answer, locations(answer))) == 15 + 2 + 4


def test_no_rows_and_no_columns():
    plan = definitions([2, 300])
    assert decoded(assigned(plan, 0)) == {"e000": [], "e001": []}
    assert decoded(assigned(plan, 3, experiments=[])) == {}


def test_locations_are_in_the_order_of_the_columns():
    places = locations(assigned(definitions([2, 300, 2]), 5))
    assert [place[:3] for place in places] == [("e000", 1, 0), ("e001", 0, 0), ("e002", 1, 1)]
