"""Asks an engine whether patterns occur in texts.

Usage: patterns.py java | patterns.py postgresql CONNECTION

Reads one JSON object per line, {"pattern": P, "texts": [T, ...]}, from standard input and writes one line for each,
in their order: {"answers": [true, false, ...]}, or {"error": "..."} when the engine refuses the pattern.
"""

import json
import sys


def ask_java(questions):
    """Asks the regular expressions of the JVM that Spark starts, through the function that rlike compiles to."""
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local[2]")
        .appName("patterns")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.log.level", "OFF")
        .getOrCreate()
    )
    try:
        rows = [(number, question["pattern"], question["texts"]) for number, question in enumerate(questions)]
        frame = spark.createDataFrame(rows, "question int, pattern string, texts array<string>").repartition(2)
        # A pattern that the engine refuses fails the whole query, so that none is taken for "no".
        answers = frame.selectExpr("question", "transform(texts, t -> rlike(t, pattern)) AS answers").collect()
        return [{"answers": row.answers} for row in sorted(answers, key=lambda row: row.question)]
    finally:
        spark.stop()


def ask_postgresql(questions, connection):
    import psycopg

    answers = []
    with psycopg.connect(connection, autocommit=True) as database:
        for question in questions:
            try:
                rows = database.execute(
                    'SELECT t COLLATE "C" ~ %s FROM unnest(%s::text[]) WITH ORDINALITY AS u(t, n) ORDER BY n',
                    (question["pattern"], question["texts"]),
                ).fetchall()
                answers.append({"answers": [row[0] for row in rows]})
            except psycopg.Error as error:
                answers.append({"error": str(error)})
    return answers


def main():
    questions = [json.loads(line) for line in sys.stdin.buffer]
    if sys.argv[1] == "java":
        answers = ask_java(questions)
    else:
        answers = ask_postgresql(questions, sys.argv[2])
    for answer in answers:
        print(json.dumps(answer))


if __name__ == "__main__":
    main()
