"""Definitions that look at every type of attribute, and rows that are hard to read."""

import random

FILES = {
    "base.yaml": b"config_sections: { Page: { settings: { Color: { value: red } } } }\n",
    "layers.yaml": b"lane: {}\nteam: { unit: org_id }\n",
    "holdouts.yaml": b"global: { share: 5% }\n",
    "segments.yaml": b'staff: [007, "q\\"x", user-1]\n',
    "everyone.yaml": b"""status: running
variants: [{ key: control }, { key: green, overrides: { Page: { Color: green } } }]
forced: { "line\\nfeed": green }
""",
    "numbers.yaml": b"""status: running
audience: { age: { $gte: 18, $lt: 65.5 } }
variants: [{ key: a, weight: 1 }, { key: a-variant-with-a-long-name-of-its-own, weight: 3 }]
""",
    "large.yaml": b"""status: running
audience: { count: { $gt: 9007199254740991 } }
variants: [{ key: a }, { key: b }]
""",
    "versions.yaml": b"""status: running
audience: { version: { $vgte: 2.3, $vlt: 10.0.0 } }
variants: [{ key: old }, { key: new }]
""",
    "booleans.yaml": b"""status: running
audience: { premium: true }
variants: [{ key: a }, { key: b }]
""",
    "instants.yaml": b"""status: running
audience: { since: { $after: "2024-02-29T12:00:00Z" } }
variants: [{ key: a }, { key: b }]
""",
    "texts.yaml": b"""status: running
audience: { $or: [{ note: { $contains: "\\u00e9" } }, { note: { $regex: "^[a-z]+$" } }, { user_id: { $inGroup: staff } }] }
traffic: 80%
variants: [{ key: a }, { key: b }]
""",
    "missing.yaml": b"""status: running
audience: { note: { $exists: false } }
variants: [{ key: a }, { key: b }]
""",
    "first-lane.yaml": b"status: running\nlayer: lane\nslots: [0%..<50%]\nvariants: [{ key: a }, { key: b }]\n",
    "second-lane.yaml": b"status: running\nlayer: lane\nslots: [50%..<75%]\nvariants: [{ key: a }, { key: b }]\n",
    "teams.yaml": b"""status: running
unit: org_id
layer: team
slots: [0%..<100%]
variants: [{ key: a }, { key: b }]
""",
    "after.yaml": b"""status: running
requires: { everyone: [green] }
variants: [{ key: a }, { key: b }]
""",
    "later.yaml": b"""status: running
starts: 2026-11-21T12:00:00Z
ends: 2999-01-01T00:00:00Z
variants: [{ key: a }, { key: b }]
""",
    "draft.yaml": b"status: draft\nvariants: [{ key: a }]\n",
    "winner.yaml": b"status: concluded\nwinner: b\nvariants: [{ key: a }, { key: b }]\n",
    "listed.yaml": b"""status: running
audience: { tags: { $all: [new, "3"] } }
variants: [{ key: a }, { key: b }]
""",
}

TEXTS = [
    None, "", " ", "0", "007", "7", "7 ", "user-1", "\u00e9", "e\u0301", "\U0001f600", "x" * 1023 + "\u00e9", "x" * 1024,
    "x" * 1025, "a,b", 'q"x', "line\nfeed", "\u2028", "\ufeffx", "\x01", "\x7f", "NULL", "nan", "true", "TRUE", "1e5",
    "-0", "+1", "18", "18.0", "64.99999999999999", "65.5", "1e400", "9007199254740993", "9007199254740992", "2.3",
    "v2.10.0", "2.3.0-beta.2", "10.0", "01.2", "2024-02-29T12:00:00Z", "2024-02-29T12:00:00.000000001Z", "2024-03-01",
    "2024-03-01T00:00:00+23:59", "9999-12-31T23:59:59Z", "\u0130\u0131", "\u05d0\u05d1\u05d2", "\ud7ff", "\ue000", "'", "\\",
    "abc", "Abc", "[1, 2]", "null", "\t", "\u3042" * 50,
]
COLUMNS = ["user_id", "age", "count", "version", "premium", "since", "note", "org_id"]


def rows(count: int, seed: int = 20261121) -> dict[str, list[str | None]]:
    """Columns of texts."""
    choose = random.Random(seed)
    columns = {name: [choose.choice(TEXTS) for _ in range(count)] for name in COLUMNS}
    columns["user_id"] = [
        value if index < 3 * len(TEXTS) else f"user-{choose.randrange(10**6)}"
        for index, value in enumerate(columns["user_id"])]
    return columns
