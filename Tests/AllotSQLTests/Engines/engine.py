"""Runs SQL on one engine for tests: a JSON request on each line of standard input, a JSON answer on each of standard output.

    engine.py duckdb|clickhouse|spark|postgresql

    {"load": TABLE, "file": PATH, "columns": [NAME, ...]}
                                           makes or replaces a table of text columns from JSON lines -> {"rows": N};
                                           without "columns" they are those of the first line
    {"compare": SQL, "expected": CSV_PATH} compares the rows, in any order, with those of a CSV file; NULL is an empty field
                                           -> {"rows": N, "missing": M, "unexpected": U, "examples": [TEXT, ...]}
    {"run": SQL}                           -> {}
    {"rows": SQL}                          -> {"columns": [NAME, ...], "values": [[TEXT or null, ...], ...]}
    {"reset": true}                        starts the engine anew, with its own settings; DuckDB, ClickHouse and Spark
                                           then have no tables -> {}

What goes wrong is answered as {"error": TEXT} and ends nothing; the end of the input ends the process. Every answer
that took the engine's time has it as "seconds". PostgreSQL is found by the connection string in ALLOT_SQL_POSTGRES.
"""

import csv
import itertools
import json
import logging
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections import Counter

import pyarrow
import pyarrow.parquet


def lines_of(path):
    """The objects of a JSON-lines file. Only "\\n" ends a line: U+2028 and its like stand in texts as they are."""
    with open(path, encoding="utf-8", newline="\n") as file:
        return [json.loads(line) for line in file]


class Table:
    """A table as loaded: names of columns, and the texts of each."""

    def __init__(self, path, names=None):
        rows = lines_of(path)
        if not rows and not names:
            raise ValueError(f"{path} has no line, so that nothing says what the columns are")
        self.names = list(names or rows[0])
        for number, row in enumerate(rows, 1):
            if list(row) != self.names:
                raise ValueError(f"{path}:{number}: the columns are not those of the first line")
        self.rows = [tuple(row.values()) for row in rows]

    def arrow(self):
        lists = zip(*self.rows) if self.rows else [[] for _ in self.names]
        columns = [pyarrow.array(values, type=pyarrow.string()) for values in lists]
        return pyarrow.table(columns, names=self.names)

    def described(self, text):
        """The first row that holds a text, for messages."""
        for row in self.rows:
            if text and text in row:
                return shown({name: value for name, value in zip(self.names, row) if value})
        return None


def texts(column):
    """The values of an Arrow column as Python has them, with bytes read as UTF-8, and other bytes escaped."""
    values = column.to_pylist()
    return [value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value for value in values]


def from_arrow(table):
    return table.column_names, list(zip(*(texts(column) for column in table.columns))) if table.num_columns else []


class DuckDB:
    def __init__(self, folder):
        import duckdb

        # It would rather make its rows by another call, which takes single statements only.
        warnings.filterwarnings("ignore", message="Arrow output")
        self.connection = duckdb.connect(config={"threads": 2, "memory_limit": "2GB", "temp_directory": folder})

    def load(self, name, table):
        self.connection.register("loaded", table.arrow())
        self.connection.execute(f'CREATE OR REPLACE TABLE {quoted(name)} AS SELECT * FROM loaded')
        self.connection.unregister("loaded")

    def run(self, sql):
        self.connection.execute(sql)

    def rows(self, sql):
        return from_arrow(self.connection.execute(sql).to_arrow_table())

    def close(self):
        self.connection.close()


class ClickHouse:
    def __init__(self, folder):
        from chdb import session

        self.folder = folder
        self.session = session.Session(os.path.join(folder, "clickhouse"))
        self.run("SET max_threads = 2")

    def load(self, name, table):
        file = os.path.join(self.folder, "users.parquet")
        pyarrow.parquet.write_table(table.arrow(), file)
        columns = ", ".join(f"{backquoted(column)} Nullable(String)" for column in table.names)
        self.run(f"DROP TABLE IF EXISTS {backquoted(name)}")
        self.run(f"CREATE TABLE {backquoted(name)} ({columns}) ENGINE = MergeTree ORDER BY tuple()")
        self.run(f"INSERT INTO {backquoted(name)} SELECT * FROM file({literal(file)}, Parquet, {literal(columns)})")

    def run(self, sql):
        self.session.query(sql)

    def rows(self, sql):
        return from_arrow(self.session.query(sql, "ArrowTable"))

    def close(self):
        self.session.close()


class Spark:
    def __init__(self, folder):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        from pyspark.sql import SparkSession

        # What a statement is refused for is answered; it need not be logged as well.
        logging.disable(logging.CRITICAL)
        self.folder = folder
        self.numbers = itertools.count()
        self.file = None
        settings_of_logs = os.path.join(folder, "log4j2.properties")
        with open(settings_of_logs, "w", encoding="utf-8") as file:
            file.write("rootLogger.level = off\n")
        settings = {
            "spark.driver.memory": "2g",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile=file:{settings_of_logs}",
            "spark.local.dir": folder,
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.warehouse.dir": os.path.join(folder, "warehouse"),
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
        }
        builder = SparkSession.builder.master("local[2]").appName("allot")
        for key, value in settings.items():
            builder = builder.config(key, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")

    def load(self, name, table):
        # A file that is scanned and not values in the plan: those would be computed by the optimiser, which is not
        # what computes the rows of a warehouse.
        file = os.path.join(self.folder, f"users-{next(self.numbers)}.parquet")
        pyarrow.parquet.write_table(table.arrow(), file)
        self.session.sql(f"DROP TABLE IF EXISTS {backquoted(name)}")
        self.session.catalog.createTable(name, file, "parquet")
        if self.file:
            os.remove(self.file)
        self.file = file

    def run(self, sql):
        self.session.sql(sql).collect()

    def rows(self, sql):
        return from_arrow(self.session.sql(sql).toArrow())

    def close(self):
        self.session.stop()


class PostgreSQL:
    def __init__(self, _):
        import psycopg

        self.psycopg = psycopg
        self.connection = None
        self.connect()

    def connect(self):
        if self.connection is None or self.connection.closed:
            address = os.environ.get("ALLOT_SQL_POSTGRES")
            if not address:
                raise ValueError("ALLOT_SQL_POSTGRES is not set; set it to the connection string of a PostgreSQL server")
            self.connection = self.psycopg.connect(
                # Tables change between the same statements.
                address, autocommit=True, prepare_threshold=None
            )
        return self.connection

    def load(self, name, table):
        columns = ", ".join(f"{quoted(column)} text" for column in table.names)
        with self.connect().cursor() as cursor:
            cursor.execute(f"DROP TABLE IF EXISTS {quoted(name)} CASCADE")
            cursor.execute(f"CREATE TABLE {quoted(name)} ({columns})")
            with cursor.copy(f"COPY {quoted(name)} FROM STDIN") as copy:
                for row in table.rows:
                    copy.write_row(row)
            cursor.execute(f"ANALYZE {quoted(name)}")

    def run(self, sql):
        self.connect().execute(sql)

    def rows(self, sql):
        with self.connect().cursor() as cursor:
            cursor.execute(sql)
            return [column.name for column in cursor.description], cursor.fetchall()

    def close(self):
        self.connection.close()


ENGINES = {"duckdb": DuckDB, "clickhouse": ClickHouse, "spark": Spark, "postgresql": PostgreSQL}


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def backquoted(name):
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


def literal(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def field(value):
    """A value as the field of a CSV file."""
    if value is None:
        return ""
    return value if isinstance(value, str) else str(value)


def shown(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 600 else text[:600] + "…"


def difference(header, row, others, table):
    """A row that is missing, beside the most similar of those that came instead, in words."""
    nearest = max(others, key=lambda other: sum(a == b for a, b in zip(row, other)), default=None)
    if nearest is None or sum(a == b for a, b in zip(row, nearest)) * 3 < len(row):
        text = "missing: " + shown(dict(zip(header, row)))
    else:
        triples = [(name, a, b) for name, a, b in zip(header, row, nearest) if a != b]
        same = {name: a for name, a, b in zip(header, row, nearest) if a == b}
        text = "; ".join(f"{name} is {shown(b)} instead of {shown(a)}" for name, a, b in triples)
        text += " in " + shown(same)
    source = table and table.described(row[0])
    return text + (f" of the row {source}" if source else "")


def compare(engine, sql, path, table):
    names, values = engine.rows(sql)
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.reader(file, strict=True)
        header = next(reader)
        expected = Counter(map(tuple, reader))
    if list(names) != header:
        return {"error": f"the columns are {shown(list(names))} instead of {shown(header)}"}
    # One column after the other: most are text already.
    columns = [list(map(field, column)) for column in zip(*values)]
    found = Counter(zip(*columns))
    missing, unexpected = expected - found, found - expected
    others = list(itertools.islice(unexpected, 2000))
    examples = [difference(header, row, others, table) for row in itertools.islice(missing, 5)]
    if not missing:
        examples = ["unexpected: " + shown(dict(zip(header, row))) for row in others[:5]]
    counts = {"missing": sum(missing.values()), "unexpected": sum(unexpected.values())}
    return {"rows": len(values), **counts, "examples": examples}


class Service:
    def __init__(self, name, folder):
        self.name, self.folder = name, folder
        self.engine = self.engine_folder = None
        self.table = None

    def answer(self, request):
        start = time.monotonic()
        answer = self.answered(request)
        return answer | {"seconds": round(time.monotonic() - start, 3)}

    def reset(self):
        engine, self.engine, self.table = self.engine, None, None
        if engine:
            engine.close()
            shutil.rmtree(self.engine_folder, ignore_errors=True)

    def answered(self, request):
        if request == {"reset": True}:
            self.reset()
            return {}
        # Only now, so that an engine that does not start is answered like any other fault.
        if not self.engine:
            self.engine_folder = tempfile.mkdtemp(dir=self.folder)
            self.engine = ENGINES[self.name](self.engine_folder)
        match request:
            case {"load": str(name), "file": str(path), **others}:
                self.table = Table(path, others.get("columns"))
                self.engine.load(name, self.table)
                return {"rows": len(self.table.rows)}
            case {"compare": str(sql), "expected": str(path)}:
                return compare(self.engine, sql, path, self.table)
            case {"run": str(sql)}:
                self.engine.run(sql)
                return {}
            case {"rows": str(sql)}:
                names, values = self.engine.rows(sql)
                rows = [[None if value is None else field(value) for value in row] for row in values]
                return {"columns": list(names), "values": rows}
            case _:
                raise ValueError(f"unknown request {shown(request)}")


def first_lines(error):
    text = str(error).strip() or type(error).__name__
    return "\n".join(text.splitlines()[:8])[:2000]


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in ENGINES:
        sys.exit(f"usage: engine.py {'|'.join(ENGINES)}")
    # Engines may print what they like: it goes to standard error, and answers alone to standard output.
    output = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="surrogatepass", newline="\n")
    os.dup2(2, 1)
    csv.field_size_limit(1 << 30)
    folder = tempfile.mkdtemp(prefix="allot-engine-")
    service = Service(sys.argv[1], folder)
    try:
        for line in sys.stdin.buffer:
            try:
                answer = service.answer(json.loads(line))
            except Exception as error:  # whatever an engine raises is an answer
                answer = {"error": first_lines(error)}
            print(json.dumps(answer), file=output, flush=True)
        service.reset()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
