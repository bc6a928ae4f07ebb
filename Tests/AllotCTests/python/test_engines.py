"""Functions of DuckDB and expressions of Polars."""

import datetime
import warnings

import allot
import allot.duckdb
import allot.polars
import duckdb
import hostile
import polars
import pyarrow
import pytest
from conftest import AT, ROOT
from test_tables import INSTANTS, typed

pytestmark = pytest.mark.filterwarnings("ignore::allot.MissingColumnsWarning")


@pytest.fixture()
def connection():
    with duckdb.connect(config={"threads": 2}) as connection:
        yield connection


@pytest.fixture(scope="module")
def users():
    return pyarrow.table(hostile.rows(5000)).append_column("row", pyarrow.array(range(5000)))


def test_duckdb(connection, plan, users):
    wanted = plan.assign(users, at=AT, reason=True, bucket=True).drop_columns(users.column_names).to_pydict()
    connection.execute("CREATE TABLE users AS SELECT * FROM users")
    allot.duckdb.register(connection, plan, at=AT, reason=True, bucket=True)
    found = connection.sql("SELECT row, unnest(assign(users)) FROM users ORDER BY row").to_arrow_table()
    assert found.drop_columns("row").to_pydict() == wanted
    # One member, and a part of the columns.
    rows = connection.sql("SELECT assign({user_id: user_id}).everyone FROM users ORDER BY row").fetchall()
    assert [row[0] for row in rows] == wanted["everyone"]


def test_types_of_duckdb(connection, plan):
    columns = {**typed(INSTANTS), "tags": [["new", "3"], [], None, ["new"], ["3", None, "new"], ["x"], ["3", "new", "y"]]}
    users = pyarrow.table({name: pyarrow.array(values) for name, values in columns.items()})
    users = users.append_column("row", pyarrow.array(range(len(users))))
    wanted = plan.assign(users, at=AT).drop_columns(users.column_names).to_pydict()
    connection.execute("CREATE TABLE people AS SELECT * FROM users")
    allot.duckdb.register(connection, plan, "variants", at=AT)
    found = connection.sql("SELECT row, unnest(variants(people)) FROM people ORDER BY row").to_arrow_table()
    assert found.drop_columns("row").to_pydict() == wanted
    # Through a stream instead.
    assigned = plan.assign(connection.cursor().sql("SELECT * FROM people ORDER BY row").to_arrow_reader(), at=AT)
    assert connection.sql("SELECT * FROM assigned").to_arrow_table().select(list(wanted)).to_pydict() == wanted


def test_keys_that_look_like_columns(connection):
    """An experiment with the key of a bucket's column has texts."""
    plan = allot.load(files={"x.bucket.yaml": b"status: running\nvariants: [{ key: a }]\n"})
    allot.duckdb.register(connection, plan, at=AT, bucket=True)
    assert connection.sql("SELECT assign({user_id: 'u'})['x.bucket']").fetchall() == [("a",)]
    expression = allot.polars.expression(plan, "user_id", at=AT, bucket=True)
    frame = polars.DataFrame({"user_id": ["u"]}).lazy().select(expression.struct.field("x.bucket"))
    assert frame.collect_schema() == {"x.bucket": polars.String} and frame.collect().rows() == [("a",)]


def test_null(connection, plan):
    chosen = dict(at=AT, experiments=["everyone"], null=["NULL"])
    allot.duckdb.register(connection, plan, **chosen)
    assert connection.sql("SELECT assign({user_id: 'NULL'})['everyone']").fetchall() == [(None,)]
    expression = allot.polars.expression(plan, "user_id", **chosen).struct.field("everyone")
    assert polars.DataFrame({"user_id": ["NULL"]}).select(expression).to_series().to_list() == [None]


def test_a_relation_of_duckdb(connection, plan, users):
    """It is an Arrow stream itself."""
    relation = connection.sql("SELECT user_id FROM users")
    assigned = pyarrow.table(plan.assign(relation, at=AT, experiments=["everyone"]))
    assert assigned.equals(plan.assign(users.select(["user_id"]), at=AT, experiments=["everyone"]))


@pytest.mark.parametrize("statement, message", [
    ("SELECT assign('a')", "takes a row"), ("SELECT assign()", "No function"), ("SELECT assign({user_id: 'a'}, 1)", "takes a row"),
    ("SELECT assign({id: 'a'})", "user_id"),
    ("SELECT assign({user_id: 1.5::DOUBLE})", "convert it"),
])
def test_errors_of_duckdb(statement, message, connection, plan):
    allot.duckdb.register(connection, plan, at=AT)
    with pytest.raises(duckdb.Error, match=message):
        connection.execute(statement).fetchall()


def test_times_without_a_zone(connection, plan):
    """The error says what gives them one in the engine."""
    allot.duckdb.register(connection, plan, time_column="when")
    with pytest.raises(duckdb.Error, match='"when" AT TIME ZONE'):
        connection.execute("SELECT assign({user_id: 'a', \"when\": TIMESTAMP '2026-11-21'})").fetchall()
    frame = polars.DataFrame({"user_id": ["a"], "when": [datetime.datetime(2026, 11, 21)]})
    with pytest.raises(Exception, match="replace_time_zone"):
        frame.select(allot.polars.expression(plan, "user_id", "when", time_column="when"))


def test_each_set_of_columns_is_warned_of(connection):
    """A row without a column that is needed may come after one that has it."""
    plan = allot.load(files={"a.yaml": b"status: running\naudience: { x: 7 }\nvariants: [{ key: a }]\n"})
    allot.duckdb.register(connection, plan, at=AT)
    variants = allot.polars.expression(plan, polars.all(), at=AT)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert connection.sql("SELECT assign({user_id: 'a', x: 7})").fetchall() == [({"a": "a"},)]
        polars.DataFrame({"user_id": ["a"], "x": [7]}).select(variants)
    for is_repeated in (False, True):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            connection.sql("SELECT assign({user_id: 'a', x2: 7})").fetchall()
            polars.DataFrame({"user_id": ["a"], "x2": [7]}).select(variants)
        said = [str(warning.message) for warning in found if warning.category is allot.MissingColumnsWarning]
        assert len(said) == (0 if is_repeated else 2) and all('no column "x"' in text for text in said)


@pytest.mark.filterwarnings("ignore::allot.DefinitionsWarning")
def test_folders(connection):
    """Definitions may be a folder, as for Spark."""
    folder = ROOT / "Experiments"
    allot.duckdb.register(connection, folder, at=AT, experiments=["buy-button"])
    assert connection.sql("SELECT assign({user_id: 'user-001'})").fetchall() == [({"buy-button": "large-green"},)]
    variants = allot.polars.expression(folder, "user_id", at=AT, experiments=["buy-button"], name="x")
    assert polars.DataFrame({"user_id": ["user-001"]}).select(variants).rows() == [({"buy-button": "large-green"},)]
    for call in (lambda: allot.duckdb.register(connection, 5), lambda: allot.polars.expression(5, "user_id")):
        with pytest.raises(allot.ArgumentError, match="not int"):
            call()


def test_nothing_of_duckdb(connection, plan):
    with pytest.raises(allot.ArgumentError, match="no experiment"):
        allot.duckdb.register(connection, plan, at=AT, experiments=[])
    allot.duckdb.register(connection, plan, at=AT, experiments=["everyone"])
    assert connection.sql("SELECT assign(t) FROM (SELECT 'a' AS user_id WHERE false) t").fetchall() == []
    assert connection.sql("SELECT assign({user_id: NULL})").fetchall() == [({"everyone": None},)]


def test_polars(plan, users):
    wanted = plan.assign(users, at=AT, reason=True, bucket=True).drop_columns(users.column_names).to_pydict()
    frame = polars.from_arrow(users)
    variants = allot.polars.expression(plan, *hostile.COLUMNS, at=AT, reason=True, bucket=True)
    for found in (frame.select(variants), frame.lazy().select(variants).collect(), frame.lazy().select(variants).collect(engine="streaming")):
        assert found.unnest("assignment").to_dict(as_series=False) == wanted
    assert frame.lazy().select(variants).collect_schema() == frame.select(variants).schema
    renamed = allot.polars.expression(plan, polars.col("user_id").alias("id"), at=AT, columns={"user_id": "id"}, name="x")
    assert frame.select(renamed.struct.field("everyone")).to_series().to_list() == wanted["everyone"]


def test_errors_of_polars(plan, users):
    with pytest.raises(allot.ArgumentError, match="name columns"):
        allot.polars.expression(plan, at=AT)
    with pytest.raises(Exception, match="user_id"):
        polars.DataFrame({"id": ["a"]}).select(allot.polars.expression(plan, "id", at=AT))
