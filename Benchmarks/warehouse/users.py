"""The users of the benchmark: the same rows on every machine, because every choice comes from MD5 of seed and number."""

from dataclasses import dataclass
from pathlib import Path

import duckdb

COLUMNS = ["user_id", "country", "platform", "app_version", "age", "premium"]
PARTS = 16  # files, so that Spark has partitions
SLICE = 100_000  # rows for the check of the long layout, row by row

# Value: weight. An empty value is missing.
COUNTRIES = {
    "US": 24, "DE": 15, "GB": 11, "FR": 10, "ES": 7, "IT": 7, "NL": 6, "BR": 5, "SE": 4, "PL": 4, "NO": 3, "JP": 3,
    "": 1,
}
PLATFORMS = {"ios": 35, "android": 40, "web": 25}
VERSIONS = {
    "1.8.0": 2, "1.9.3": 3, "1.12.0": 2, "2.0.0": 4, "2.1.0": 5, "2.1.4": 5, "2.2.0": 6, "2.2.9": 4, "2.3.0": 8,
    "2.3.0-beta.2": 2, "2.4.0": 9, "2.6.2": 10, "v2.9": 5, "2.10.0": 10, "2.11.3": 8, "3.0.0": 10, "3.1.2+45": 3,
    "unknown": 2, "": 2,
}


@dataclass(frozen=True)
class Users:
    """Where the rows are."""

    folder: Path
    rows: int
    seed: int

    @property
    def parquet(self) -> str:
        return f"{self.folder}/users/part-*.parquet"

    @property
    def slice(self) -> str:
        return f"{self.folder}/slice.parquet"

    def csv(self, rows: int) -> Path:
        """The first `rows` rows as CSV."""
        path = self.folder / f"users-{rows}.csv"
        if not path.exists():
            copy(f"SELECT * FROM read_parquet('{self.parquet}') LIMIT {rows}", path, "FORMAT csv, HEADER true")
        return path


def copy(query: str, path: Path, options: str) -> None:
    """Writes a query's rows to a file that appears under its name only when it is complete."""
    unfinished = path.with_name(path.name + ".unfinished")
    duckdb.connect().execute(f"COPY ({query}) TO '{unfinished}' ({options})")
    unfinished.rename(path)


def choice(weights: dict[str, int], position: int) -> str:
    """A weighted choice by 32 bits of the column `choices`."""
    values = [value for value, weight in weights.items() for _ in range(weight)]
    index = f"('0x' || substr(choices, {position}, 8))::BIGINT % {len(values)} + 1"
    return f"NULLIF({values!r}[{index}], '')"


def rows_query(seed: int, first: int, end: int) -> str:
    """The users from number `first` on."""
    return f"""
        SELECT concat_ws('-', substr(id, 1, 8), substr(id, 9, 4), '4' || substr(id, 14, 3), 'a' || substr(id, 18, 3),
                         substr(id, 21)) AS user_id,
               {choice(COUNTRIES, 1)} AS country,
               {choice(PLATFORMS, 9)} AS platform,
               {choice(VERSIONS, 17)} AS app_version,
               (18 + ('0x' || substr(choices, 25, 4))::INTEGER % 70)::VARCHAR AS age,
               CASE WHEN ('0x' || substr(choices, 29, 4))::INTEGER % 8 = 0 THEN 'true' ELSE 'false' END AS premium
        FROM (
            SELECT md5('{seed}:' || range) AS id, md5('{seed}:' || range || ':choices') AS choices
            FROM range({first}, {end})
        )
    """


def make_users(folder: Path, rows: int, seed: int) -> Users:
    """Writes the Parquet files, unless they are there."""
    users = Users(folder / f"users-{rows}-{seed}", rows, seed)
    (users.folder / "users").mkdir(parents=True, exist_ok=True)
    for part in range(PARTS):
        path = users.folder / "users" / f"part-{part:02}.parquet"
        if not path.exists():
            copy(rows_query(seed, rows * part // PARTS, rows * (part + 1) // PARTS), path, "FORMAT parquet")
    if not Path(users.slice).exists():
        copy(f"SELECT * FROM read_parquet('{users.parquet}') LIMIT {SLICE}", Path(users.slice), "FORMAT parquet")
    return users
