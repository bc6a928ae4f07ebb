"""Parses SQL for tests: a JSON request on each line of standard input, a JSON answer on each of standard output.

    grammar.py

    {"dialect": NAME, "sql": TEXT} -> {"statements": N, "kind": NAME of the first statement's class}

What cannot be parsed is answered as {"error": TEXT} and ends nothing; the end of the input ends the process.
"""

import json
import logging
import sys

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel

# The names that sqlglot has for dialects, where they are others.
NAMES = {"postgresql": "postgres"}


class Passed(logging.Handler):
    """Notes what the parser gave up on: it logs that, and passes the text on as a command."""

    def __init__(self):
        super().__init__()
        self.messages = []

    def emit(self, record):
        self.messages.append(record.getMessage())


def parsed(sql, dialect, passed):
    passed.messages.clear()
    statements = sqlglot.parse(sql, read=NAMES.get(dialect, dialect), error_level=ErrorLevel.RAISE)
    statements = [statement for statement in statements if statement is not None]
    if passed.messages:
        raise ValueError(passed.messages[0])
    for statement in statements:
        if isinstance(statement, exp.Command):
            raise ValueError(f"not parsed: {statement.sql()[:200]}")
    return {"statements": len(statements), "kind": type(statements[0]).__name__ if statements else ""}


def main():
    passed = Passed()
    logging.getLogger("sqlglot").addHandler(passed)
    # Statements with many conditions are deep.
    sys.setrecursionlimit(20000)
    for line in sys.stdin:
        try:
            request = json.loads(line)
            answer = parsed(request["sql"], request["dialect"], passed)
        except Exception as error:  # whatever the parser raises is an answer
            answer = {"error": str(error)[:2000] or type(error).__name__}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
