"""Columns of texts as numbers, as Spark gets them."""

import allot
import pyarrow
from allot._codes import packed, places


def definitions(variants):
    """A plan with an experiment for each number of variants. Every seventh one is everybody's, others have an audience."""
    return allot.load(files={
        f"e{index:03}.yaml": (
            "status: running\n" + ("" if index % 7 == 0 else f"audience: {{ age: {{ $lt: {index % 100} }} }}\n")
            + "variants:\n" + "".join(f"  - {{ key: v{variant} }}\n" for variant in range(count))).encode()
        for index, count in enumerate(variants)})


def users(count):
    return pyarrow.record_batch({"user_id": [f"user-{row}" for row in range(count)], "age": [row % 100 for row in range(count)]})


def decoded(batch, first):
    """The columns after `first`, from the numbers that hold them."""
    columns = packed(batch, first)
    assert columns[:first] == batch.columns[:first]
    for name, position, bit, texts in places(batch.select(range(first, batch.num_columns))):
        values = columns[first + position].to_pylist()
        yield name, values if texts is None else [[*texts, None][number >> bit & 255] for number in values]


def test_codes_are_the_texts():
    plan = definitions([2, 1, 255, 256, 3, 2, 2, 300, 2, 2, 2, 9])
    batch = plan.assign(users(1000), at="2026-11-21T12:00:00Z", reason=True, bucket=True)
    found = dict(decoded(batch, 2))
    assert found == {name: batch.column(name).to_pylist() for name in batch.schema.names[2:]}
    assert None in found["e003"] and len(set(found["e007"])) > 200
    # Buckets and two columns of too many texts are plain; the other 22 columns are in three numbers.
    assert len(packed(batch, 2)) == 2 + 12 + 2 + 3


def test_no_rows_and_no_columns():
    plan = definitions([2, 300])
    none = plan.assign(users(0), at="2026-11-21T12:00:00Z")
    assert list(decoded(none, 2)) == [("e000", []), ("e001", [])]
    assert packed(users(3), 2) == users(3).columns and list(places(users(3).select([]))) == []


def test_places_are_in_the_order_of_the_columns():
    batch = definitions([2, 300, 2]).assign(users(5), at="2026-11-21T12:00:00Z")
    assert [(name, position, bit) for name, position, bit, _ in places(batch.select([2, 3, 4]))] == [
        ("e000", 1, 0), ("e001", 0, 0), ("e002", 1, 8)]
