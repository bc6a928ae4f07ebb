"""The warehouses: how each runs a statement and throws the result away, keeps it, and tells its plan.

`HAND_WRITTEN` is the experiment of definitions/half.yaml once more, as one would write it who knows the engine: the row, and
one column; one SHA-256; the buckets by the engine's own functions. It trusts the unit IDs to be 1 to 1024 bytes.
"""

import json
import os
import re
import sys
from pathlib import Path

from users import COLUMNS, Users

# The database that is made, and dropped at the end, on the server that ALLOT_SQL_POSTGRES names.
POSTGRESQL_DATABASE = "allot_warehouse"
POSTGRESQL_ROWS = 1_000_000


class DuckDB:
    """Over its own table. EXPLAIN ANALYZE runs the statement and throws the rows away."""

    title, dialect = "DuckDB, own table", "duckdb"
    HAND_WRITTEN = """
        SELECT user_id, country, platform, app_version, age, premium,
               CASE WHEN (('0x' || substr(digest, 1, 10))::BIGINT * 1000000) >> 40 < 500000
                    THEN CASE WHEN (('0x' || substr(digest, 11, 10))::BIGINT * 1000000) >> 40 < 500000
                              THEN 'control' ELSE 'green' END END AS half
        FROM (SELECT *, sha256('half:' || user_id) AS digest FROM users)
    """

    def __init__(self, users: Users, threads: int) -> None:
        import duckdb

        self.rows = users.rows
        self.version = duckdb.__version__
        self.connection = duckdb.connect()
        self.connection.execute(f"SET threads = {threads}")
        self.connection.execute(self.creation("users", users.parquet))
        self.connection.execute(self.creation("slice", users.slice))
        self.serializable = duckdb.connect()
        self.serializable.execute(f"CREATE TABLE users AS SELECT * FROM read_parquet('{users.slice}')")

    def creation(self, table: str, source: str) -> str:
        return f"CREATE TABLE {table} AS SELECT * FROM read_parquet('{source}')"

    def run(self, statement: str) -> None:
        self.connection.execute(f"EXPLAIN ANALYZE {statement}").fetchall()

    def counts(self, query: str) -> list[tuple]:
        return self.connection.execute(query).fetchall()

    def save(self, statement: str, folder: Path) -> str:
        path = folder / "rows.parquet"
        self.connection.execute(f"COPY ({statement}) TO '{path}' (FORMAT parquet)")
        return f"read_parquet('{path}')"

    def plan(self, statement: str) -> tuple[int, int, str]:
        """Returns how often the plan scans a table and computes a SHA-256, and the plan."""
        # EXPLAIN shows the names of columns and not how they are computed; the optimised plan as JSON has it all. It cannot
        # hold a read of Parquet, so that this counts over a table of the same columns.
        query = "SELECT json_serialize_plan(?, optimize := true)"
        text = self.serializable.execute(query, [statement]).fetchall()[0][0]
        explained = self.connection.execute(f"EXPLAIN (FORMAT json) {statement}").fetchall()[0][1]
        scans = re.findall(r'"name": "(SEQ_SCAN|TABLE_SCAN|READ_PARQUET) *"', explained)
        return len(scans), text.count('"sha256"]'), f"{explained}\n{text}"

    def close(self) -> None:
        self.connection.close()


class DuckDBParquet(DuckDB):
    """Over the Parquet files."""

    title = "DuckDB, Parquet"

    def creation(self, table: str, source: str) -> str:
        return f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{source}')"


class ClickHouse:
    """Over a MergeTree table. The format Null throws the rows away."""

    title, dialect = "ClickHouse, MergeTree", "clickhouse"
    HAND_WRITTEN = """
        SELECT user_id, country, platform, app_version, age, premium,
               multiIf(first >= 500000, NULL, second < 500000, 'control', 'green') AS half
        FROM (
            SELECT *,
                   bitShiftRight(bitShiftRight(byteSwap(reinterpretAsUInt64(digest)), 24) * 1000000, 40) AS first,
                   bitShiftRight(bitShiftRight(byteSwap(reinterpretAsUInt64(substring(digest, 6, 8))), 24) * 1000000, 40)
                       AS second
            FROM (SELECT *, SHA256(concat('half:', user_id)) AS digest FROM users)
        )
    """

    def __init__(self, users: Users, threads: int) -> None:
        import chdb

        self.rows = users.rows
        self.connection = chdb.connect(str(users.folder / "clickhouse"))
        self.version = str(self.connection.query("SELECT version()", "TSV")).strip()
        self.connection.query(f"SET max_threads = {threads}")
        columns = ", ".join(f"{name} {'String' if name == 'user_id' else 'Nullable(String)'}" for name in COLUMNS)
        for table, source in (("users", users.parquet), ("slice", users.slice)):
            self.connection.query(f"DROP TABLE IF EXISTS {table}")
            self.connection.query(f"CREATE TABLE {table} ({columns}) ENGINE = MergeTree ORDER BY tuple()")
            self.connection.query(f"INSERT INTO {table} SELECT {', '.join(COLUMNS)} FROM file('{source}', 'Parquet')")
        self.connection.query("OPTIMIZE TABLE users FINAL")

    def run(self, statement: str) -> None:
        self.connection.query(statement, "Null")

    def counts(self, query: str) -> list[tuple]:
        lines = str(self.connection.query(query, "JSONCompactEachRow")).splitlines()
        return [(experiment, variant, int(count)) for experiment, variant, count in map(json.loads, lines)]

    def save(self, statement: str, folder: Path) -> str:
        path = folder / "rows.parquet"
        path.unlink(missing_ok=True)
        self.connection.query(f"INSERT INTO FUNCTION file('{path}', 'Parquet') {statement}")
        return f"read_parquet('{path}')"

    def plan(self, statement: str) -> tuple[int, int, str]:
        text = str(self.connection.query(f"EXPLAIN PLAN actions = 1, pretty = 0, compact = 0 {statement}", "TSVRaw"))
        return len(re.findall(r"ReadFrom\w+", text)), len(re.findall(r"FUNCTION SHA256\(", text)), text

    def close(self) -> None:
        self.connection.query("DROP TABLE users")
        self.connection.query("DROP TABLE slice")
        self.connection.close()


class PostgreSQL:
    """Over an ordinary table. EXPLAIN ANALYZE without timing runs the statement and throws the rows away."""

    title, dialect = "PostgreSQL", "postgresql"
    # OFFSET 0 keeps PostgreSQL from computing the digest twice.
    HAND_WRITTEN = """
        SELECT user_id, country, platform, app_version, age, premium,
               CASE WHEN (('x' || substr(digest, 1, 10))::bit(40)::bigint * 1000000) >> 40 < 500000
                    THEN CASE WHEN (('x' || substr(digest, 11, 10))::bit(40)::bigint * 1000000) >> 40 < 500000
                              THEN 'control' ELSE 'green' END END AS half
        FROM (
            SELECT *, encode(sha256(convert_to('half:' || user_id, 'UTF8')), 'hex') AS digest
            FROM users OFFSET 0
        ) AS hashed
    """

    def __init__(self, users: Users, threads: int) -> None:
        import psycopg

        self.rows = min(users.rows, POSTGRESQL_ROWS)
        self.server = os.environ["ALLOT_SQL_POSTGRES"]
        with psycopg.connect(self.server, autocommit=True) as server:
            server.execute(f"DROP DATABASE IF EXISTS {POSTGRESQL_DATABASE}")
            server.execute(f"CREATE DATABASE {POSTGRESQL_DATABASE} ENCODING 'UTF8' TEMPLATE template0")
        self.connection = psycopg.connect(self.server, dbname=POSTGRESQL_DATABASE, autocommit=True)
        self.version = self.connection.execute("SHOW server_version").fetchone()[0].split()[0]
        self.connection.execute(f"SET max_parallel_workers_per_gather = {threads - 1}")
        for table, rows in (("users", self.rows), ("slice", min(self.rows, 100_000))):
            self.connection.execute(f"CREATE TABLE {table} ({', '.join(f'{name} text' for name in COLUMNS)})")
            statement = f"COPY {table} FROM STDIN (FORMAT csv, HEADER true)"
            with open(users.csv(rows), "rb") as file, self.connection.cursor().copy(statement) as copy:
                while data := file.read(1 << 20):
                    copy.write(data)
            self.connection.execute(f"VACUUM ANALYZE {table}")

    def run(self, statement: str) -> None:
        self.connection.execute(f"EXPLAIN (ANALYZE, TIMING OFF) {statement}").fetchall()

    def counts(self, query: str) -> list[tuple]:
        return self.connection.execute(query).fetchall()

    def save(self, statement: str, folder: Path) -> str:
        path = folder / "rows.csv"
        copying = f"COPY ({statement}) TO STDOUT (FORMAT csv, HEADER true)"
        with open(path, "wb") as file, self.connection.cursor().copy(copying) as copy:
            for data in copy:
                file.write(data)
        return f"read_csv('{path}', all_varchar = true, header = true, delim = ',', quote = '\"')"

    def plan(self, statement: str) -> tuple[int, int, str]:
        rows = self.connection.execute(f"EXPLAIN (VERBOSE, COSTS OFF) {statement}").fetchall()
        text = "\n".join(row[0] for row in rows)
        return text.count("Scan on public."), text.count("sha256("), text

    def close(self) -> None:
        import psycopg

        self.connection.close()
        with psycopg.connect(self.server, autocommit=True) as server:
            server.execute(f"DROP DATABASE {POSTGRESQL_DATABASE}")


class Spark:
    """Over the Parquet files, on a local cluster of one driver and an executor process for each thread."""

    title, dialect = "Spark, Parquet", "spark"
    HAND_WRITTEN = """
        SELECT user_id, country, platform, app_version, age, premium,
               CASE WHEN shiftright(CAST(conv(substr(digest, 1, 10), 16, 10) AS BIGINT) * 1000000, 40) < 500000
                    THEN CASE WHEN shiftright(CAST(conv(substr(digest, 11, 10), 16, 10) AS BIGINT) * 1000000, 40) < 500000
                              THEN 'control' ELSE 'green' END END AS half
        FROM (SELECT *, sha2(concat('half:', user_id), 256) AS digest FROM users)
    """

    def __init__(self, users: Users, threads: int) -> None:
        import pyspark
        from pyspark.sql import SparkSession

        self.rows = users.rows
        # The workers of a local cluster look here for the classes, and write here beside them: not into the package.
        home = users.folder / "spark-home"
        home.mkdir(exist_ok=True)
        for part in ("bin", "jars"):
            if not (home / part).exists():
                (home / part).symlink_to(Path(pyspark.__file__).parent / part)
        os.environ.setdefault("SPARK_HOME", str(home))
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        master = os.environ.get("ALLOT_SPARK_MASTER", f"local-cluster[{threads},1,2048]")
        self.session = (
            SparkSession.builder.master(master).appName("allot-warehouse")
            .config("spark.executor.memory", "2g").config("spark.driver.memory", "2g")
            .config("spark.ui.enabled", "false").config("spark.log.level", "ERROR")
            .config("spark.local.dir", str(users.folder / "spark"))
            .config("spark.sql.debug.maxToStringFields", "100000")
            .config("spark.sql.maxMetadataStringLength", "1000000")
            .getOrCreate()
        )
        self.version = self.session.version
        self.title += f", {master}"
        self.session.read.parquet(str(users.folder / "users")).createOrReplaceTempView("users")
        self.session.read.parquet(users.slice).createOrReplaceTempView("slice")

    def run(self, statement: str) -> None:
        self.session.sql(statement).write.format("noop").mode("overwrite").save()

    def counts(self, query: str) -> list[tuple]:
        return [tuple(row) for row in self.session.sql(query).collect()]

    def save(self, statement: str, folder: Path) -> str:
        path = folder / "rows"
        self.session.sql(statement).write.mode("overwrite").parquet(str(path))
        return f"read_parquet('{path}/*.parquet')"

    def plan(self, statement: str) -> tuple[int, int, str]:
        execution = self.session.sql(statement)._jdf.queryExecution()
        optimized, physical = execution.optimizedPlan().toString(), execution.executedPlan().toString()
        return physical.count("FileScan "), optimized.count("sha2("), f"{optimized}\n{physical}"

    def close(self) -> None:
        self.session.stop()


ENGINES = {
    "spark": Spark, "duckdb-parquet": DuckDBParquet, "duckdb": DuckDB, "clickhouse": ClickHouse, "postgresql": PostgreSQL,
}


def unavailable(name: str) -> str | None:
    """Returns why an engine cannot run here, or nothing."""
    if name == "postgresql" and not os.environ.get("ALLOT_SQL_POSTGRES"):
        return 'ALLOT_SQL_POSTGRES names no server, such as "host=/run/postgresql user=postgres dbname=postgres"'
    return None
