"""On Spark, with executors that are processes of their own."""

import os
import pathlib
import signal
import sys
import threading
import time

import allot
import allot.spark
import hostile
import numpy
import pyarrow
import pyarrow.compute
import pyarrow.parquet
import pytest
from conftest import AT
from test_codes import definitions, users
from test_tables import INSTANTS, same, typed

pytestmark = [
    pytest.mark.skipif(os.environ.get("ALLOT_SQL_SPARK") != "1", reason="ALLOT_SQL_SPARK is not 1"),
    # What pyspark says of itself and of pandas.
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning:pyspark"),
]
ROWS = int(os.environ.get("ALLOT_SPARK_ROWS", "0"))


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    pyspark = pytest.importorskip("pyspark")
    from pyspark.sql import SparkSession

    # Executors of a local cluster look here for the classes, and write next to them.
    home = tmp_path_factory.mktemp("spark")
    for part in ("bin", "jars"):
        (home / part).symlink_to(pathlib.Path(pyspark.__file__).parent / part)
    (home / "log4j2.properties").write_text("rootLogger.level = off\n")
    os.environ |= {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    logging = f"-Dlog4j2.configurationFile=file:{home}/log4j2.properties"
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("allot")
    for key, value in {
        "spark.executor.memory": "1g", "spark.driver.memory": "1g", "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.local.dir": str(home / "local"),
        "spark.driver.extraJavaOptions": logging, "spark.executor.extraJavaOptions": logging,
        "spark.sql.shuffle.partitions": "2", "spark.sql.session.timeZone": "Asia/Tokyo",
        "spark.sql.warehouse.dir": str(home / "warehouse"),
    }.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    allot.spark.ship(session)
    yield session
    session.stop()


def read(spark, table, tmp_path):
    """A table, with its rows numbered, in several partitions."""
    path = str(tmp_path / "users.parquet")
    pyarrow.parquet.write_table(table.append_column("index", pyarrow.array(range(len(table)))), path)
    return spark.read.parquet(path).repartition(3)


def collected(frame):
    """{column: values} in the order of the rows before they were read."""
    return frame.orderBy("index").toArrow().drop_columns("index").to_pydict()


def test_wide(spark, plan, program, tmp_path):
    columns = hostile.rows(600)
    wanted = program(columns)
    frame = read(spark, pyarrow.table(columns), tmp_path)
    with pytest.warns(allot.MissingColumnsWarning) as found:
        assigned = allot.spark.assign(frame, plan, at=AT)
    assert found[0].filename == __file__
    answer = collected(assigned)
    assert list(answer) == list(wanted)
    for name, values in wanted.items():
        assert (answer[name] if name in columns else same(answer[name])) == columns.get(name, values), name
    # A part of the columns is right as well.
    assert collected(assigned.select("index", "everyone"))["everyone"] == answer["everyone"]


@pytest.mark.filterwarnings("ignore::allot.MissingColumnsWarning")
def test_long(spark, plan, tmp_path):
    table = pyarrow.table(hostile.rows(600))
    names = ["unit", "experiment", "variant", "reason", "bucket", "revision"]
    wanted = plan.assign(table, at=AT, layout="long", all=True).select(names).to_pylist()
    found = allot.spark.assign(read(spark, table, tmp_path), plan, at=AT, layout="long", all=True)
    assert found.columns == names
    key = lambda row: tuple((value is not None, value) for value in row.values())
    assert sorted(found.toArrow().to_pylist(), key=key) == sorted(wanted, key=key)


@pytest.mark.filterwarnings("ignore::allot.MissingColumnsWarning")
def test_types(spark, plan, tmp_path):
    columns = {**typed(INSTANTS), "tags": [["new", "3"], [], None, ["new"], ["3", None, "new"], ["x"], ["3", "new", "y"]]}
    table = pyarrow.table({name: pyarrow.array(values) for name, values in columns.items()})
    frame = read(spark, table, tmp_path)
    for options in ({}, {"reason": True, "bucket": True}):
        wanted = plan.assign(table, at=AT, **options).drop_columns(list(columns)).to_pydict()
        answer = collected(allot.spark.assign(frame, plan, at=AT, **options))
        assert {name: answer[name] for name in wanted} == wanted
    stamps = pyarrow.table({"user_id": ["a", "b", "c"], "at": pyarrow.array(
        ["2026-11-21T11:59:59Z", "2026-11-21T12:00:00Z", "2999-01-01T00:00:00Z"]).cast(pyarrow.timestamp("us", "UTC"))})
    answer = collected(allot.spark.assign(read(spark, stamps, tmp_path), plan, time_column="at", experiments=["later"]))
    assert [bool(variant) for variant in answer["later"]] == [False, True, False]


def test_names(spark, plan, tmp_path):
    table = pyarrow.table({"user.id": ["a", "b"], "x`y": [1, 2], "user_id": ["c", "d"], "${env:HOME}": [3, 4]})
    answer = collected(allot.spark.assign(
        read(spark, table, tmp_path), plan, at=AT, experiments=["everyone"], columns={"user_id": "user.id"}))
    wanted = plan.assign(table, at=AT, experiments=["everyone"], columns={"user_id": "user.id"})
    assert answer == wanted.to_pydict()


@pytest.mark.parametrize("layout", ["wide", "long"])
def test_repeated_names(spark, layout):
    """Columns of one name that nothing reads, as joins leave them."""
    plan = allot.load(files={"x.yaml": b"status: running\nvariants: [{ key: a }]\n"})
    frame = spark.createDataFrame([("u", 1, 2)], "user_id string, n int, m int").toDF("user_id", "n", "N")
    assigned = allot.spark.assign(frame, plan, at=AT, layout=layout)
    assert assigned.collect()[0][3 if layout == "wide" else 2] == "a"
    if layout == "wide":
        assert assigned.columns == ["user_id", "n", "N", "x"]


def test_keys_that_look_like_columns(spark):
    """An experiment with the key of a bucket's column has texts."""
    plan = allot.load(files={"x.bucket.yaml": b"status: running\nvariants: [{ key: a }]\n"})
    assigned = allot.spark.assign(spark.createDataFrame([("u",)], "user_id string"), plan, at=AT, bucket=True)
    assert assigned.select("`x.bucket`").collect()[0][0] == "a"


def test_many_columns(spark, tmp_path):
    """Of columns that are more than Spark compiles into one method, and of one with too many texts for codes."""
    plan = definitions([2] * 7 + [255] + [2] * 61 + [300])
    table = pyarrow.Table.from_batches([users(500)])
    for options in ({"reason": True, "bucket": True}, {}):
        wanted = plan.assign(table, at=AT, **options).to_pydict()
        assigned = allot.spark.assign(read(spark, table, tmp_path), plan, at=AT, **options)
        assert assigned.columns == [*table.column_names, "index", *list(wanted)[2:]]
        assert collected(assigned) == wanted
    some = collected(assigned.select("e007", "e069", "index"))
    assert some == {"e007": wanted["e007"], "e069": wanted["e069"]}


@pytest.mark.filterwarnings("ignore::allot.DefinitionsWarning")  # 254 weights are 0
def test_a_row_that_takes_the_rare_path(spark, tmp_path):
    """The number whose condition makes Spark divide a select: its first column has code 254, and the others none."""
    files = {f"e{index:03}.yaml": b"status: paused\nvariants: [{ key: a }, { key: b }]\n" for index in range(32)}
    variants = ", ".join(f"{{ key: v{index}, weight: {index // 254} }}" for index in range(255))
    files["e024.yaml"] = f"status: running\nvariants: [{variants}]\n".encode()
    files["e031.yaml"] = b"status: running\naudience: { country: FR }\nvariants: [{ key: a }, { key: b }]\n"
    table = pyarrow.table({"user_id": ["u", "v", "w"], "country": ["DE", "FR", "DE"]})
    plan = allot.load(files=files)
    assigned = collected(allot.spark.assign(read(spark, table, tmp_path), plan, at=AT).select("e024", "e031", "index"))
    assert assigned["e024"] == ["v254"] * 3
    assert assigned["e031"] == [None, plan.assign(table, at=AT)["e031"].to_pylist()[1], None]
    assert assigned["e031"][1] in ("a", "b")


def test_a_worker_of_another_version():
    """A worker whose columns are not where the driver looks for them gives none."""
    other = definitions([2, 3])
    batch = users(3)
    options = {"layout": "wide", "at": AT, "codes": True}
    schema = allot._tables.assigned_schema(other, batch.schema.__arrow_c_schema__(), options)
    answer = [column._replace(slot=7) for column in allot.spark._answer(schema)]
    worker = allot.spark._Worker(other._definitions(), batch.schema.names, options, answer)
    with pytest.raises(allot.DataError, match="another version"):
        list(worker(iter([batch])))


def test_columns_of_the_input_stay_what_they_are(spark):
    from pyspark.sql.types import LongType, StringType, StructField, StructType

    schema = StructType([
        StructField("user_id", StringType(), False, {"owner": "web"}), StructField("column0", LongType(), True)])
    assigned = allot.spark.assign(spark.createDataFrame([("a", 1)], schema), definitions([1]), at=AT)
    assert assigned.schema.fields[:2] == schema.fields and assigned.schema["user_id"].metadata == {"owner": "web"}
    assert [tuple(row) for row in assigned.collect()] == [("a", 1, "v0")]


def test_workers_have_the_package_that_was_shipped(spark):
    def where(batches):
        import allot

        for _ in batches:
            yield pyarrow.record_batch({"file": [allot.__file__]})

    where.__module__ = "__main__"
    files = {row.file for row in spark.range(2).mapInArrow(where, "file string").collect()}
    assert all(f"allot-{allot.__version__}.zip/allot/" in file for file in files)


@pytest.mark.filterwarnings("ignore::allot.MissingColumnsWarning")
def test_empty(spark, plan):
    frame = spark.createDataFrame([], "user_id string")
    assert allot.spark.assign(frame, plan, at=AT).count() == 0
    assert allot.spark.assign(frame, plan, at=AT, layout="long").count() == 0


@pytest.mark.filterwarnings("ignore::allot.MissingColumnsWarning")
def test_the_instant_is_fixed(spark, plan):
    """Without an instant, all tasks have that of the call, whenever they run."""
    seen = []
    original = allot.spark._Worker
    try:
        allot.spark._Worker = lambda *arguments: seen.append(arguments) or original(*arguments)
        allot.spark.assign(spark.createDataFrame([("a",)], "user_id string"), plan)
    finally:
        allot.spark._Worker = original
    options = seen[0][2]
    assert options["at"].startswith("20") and options["threads"] == 1


@pytest.mark.parametrize("columns, arguments, kind, message", [
    ("id string", {}, allot.DataError, 'no column "user_id"'),
    ("user_id double", {}, allot.DataError, "convert it to whole numbers"),
    ("user_id string, everyone string", {}, allot.DataError, 'layout="long"'),
    ("user_id string, Everyone string", {}, allot.DataError, "without case"),
    ("user_id string, when timestamp_ntz", dict(at=None, time_column="when"), allot.DataError, "cast.*session.s zone"),
    ("user_id string", dict(at=""), allot.ArgumentError, '""'),
    ("user_id string", dict(at="yesterday"), allot.ArgumentError, "yesterday"),
    ("user_id string", dict(experiments=["every-one"]), allot.ArgumentError, "everyone"),
])
@pytest.mark.filterwarnings("ignore::allot.MissingColumnsWarning")
def test_errors_are_of_the_driver(columns, arguments, kind, message, spark, plan):
    with pytest.raises(kind, match=message):
        allot.spark.assign(spark.createDataFrame([], columns), plan, **{"at": AT, **arguments})


def test_definitions_warn_on_the_driver_alone(spark, tmp_path, capfd):
    (tmp_path / "button.yaml").write_bytes(b"status: running\nvariants: [{ key: a, weight: 0 }, { key: b }]\n")
    with pytest.warns(allot.DefinitionsWarning, match="weight") as found:
        frame = allot.spark.assign(spark.createDataFrame([("a",)], "user_id string"), tmp_path, at=AT)
    assert found[0].filename == __file__
    assert frame.collect()[0].button == "b"
    assert "weight" not in capfd.readouterr().err


# Many rows

USERS = "SELECT concat('user-', id) AS user_id, id, CAST(id % 100 AS INT) AS age, CAST(id % 3 = 0 AS BOOLEAN) AS premium"


def counted(frame, experiments):
    """By the variants of all experiments the number of units and the sum of their numbers."""
    from pyspark.sql import functions

    rows = frame.groupBy(*(f"`{key}`" for key in experiments)).agg(functions.count("id"), functions.sum("id"))
    return {tuple(row)[:-2]: tuple(row)[-2:] for row in rows.collect()}


def expected(plan, count, experiments):
    """The same, by this process alone."""
    found = {}
    for start in range(0, count, 1 << 20):
        numbers = pyarrow.array(numpy.arange(start, min(start + (1 << 20), count)))
        users = pyarrow.table({
            "user_id": pyarrow.compute.binary_join_element_wise("user", numbers.cast("string"), "-"), "id": numbers,
            "age": (numbers.to_numpy() % 100).astype("int32"), "premium": numbers.to_numpy() % 3 == 0})
        assigned = plan.assign(users, at=AT, experiments=experiments)
        for row in assigned.group_by(experiments).aggregate([("id", "count"), ("id", "sum")]).to_pylist():
            variants = tuple(row[key] for key in experiments)
            units, total = found.get(variants, (0, 0))
            found[variants] = (units + row["id_count"], total + row["id_sum"])
    return found


def is_executor(process):
    """Whether a process is an executor of this module's cluster."""
    try:
        command = (process / "cmdline").read_bytes()
        return b"CoarseGrainedExecutorBackend" in command and b"\0--app-id\0" in command and os.readlink(
            process / "cwd").startswith(os.environ["SPARK_HOME"])
    except OSError:
        return False


MANY = ["everyone", "numbers", "booleans", "first-lane", "later"]


@pytest.mark.skipif(not ROWS, reason="ALLOT_SPARK_ROWS is not set")
def test_many_rows_and_a_killed_executor(spark, plan):
    spark.range(0, ROWS, 1, 64).createOrReplaceTempView("numbers")
    frame = allot.spark.assign(spark.sql(f"{USERS} FROM numbers"), plan, at=AT, experiments=MANY)
    start = time.monotonic()
    whole = counted(frame, MANY)
    seconds = time.monotonic() - start
    print(f"{ROWS} rows: {seconds:.0f} s", file=sys.stderr)
    assert whole == expected(plan, ROWS, MANY)

    killed = []

    def kill():
        time.sleep(seconds / 3)
        executors = [
            int(path.name) for path in pathlib.Path("/proc").iterdir()
            if path.name.isdigit() and is_executor(path)]
        killed.append(executors[0])
        os.kill(executors[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    again = counted(frame, MANY)
    killer.join()
    assert killed and again == whole
