"""What the article shows runs as it stands."""

import os
import re

import allot
import duckdb
import pandas
import polars
import pytest
from conftest import AT, ROOT

pytestmark = pytest.mark.filterwarnings("ignore::allot.AllotWarning")


def blocks(document):
    return re.findall(r"^```python\n(.*?)^```", (ROOT / document).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.fixture()
def folder(tmp_path, monkeypatch):
    """A folder with what the examples read."""
    (tmp_path / "Experiments").symlink_to(ROOT / "Experiments")
    monkeypatch.chdir(tmp_path)
    ids = [f"user-{index:03}" for index in range(200)]
    pandas.DataFrame({"unit": ids, "variant": ["control", "large-green"] * 100, "at": pandas.Timestamp(AT)}).to_parquet(
        "exposures.parquet")
    with duckdb.connect("shop.duckdb") as connection:
        connection.execute("CREATE TABLE users AS SELECT 'user-001' AS user_id, 'DE' AS country")
        connection.execute("CREATE TABLE customers AS SELECT 'user-001' AS id, 'DE' AS land")
    return tmp_path


def test_article(folder, capsys):
    shown = [block for block in blocks("Sources/AllotC/AllotC.docc/InPython.md") if "allot.spark" not in block]
    assert len(shown) == 5
    names = {"users": polars.DataFrame({"user_id": ["user-001"], "country": ["DE"]})}
    for block in shown:
        frame = names["users"]
        exec(block, names)
        if "read_csv" in block:
            names["users"] = frame
    assert "large-green" in capsys.readouterr().out
    rows = names["connection"].sql("SELECT assign({user_id: id, country: land})['buy-button'] FROM customers").fetchall()
    assert rows == [("large-green",)]
    assert isinstance(names["plan"], allot.Plan)
    names["connection"].close()
    assert os.getcwd() == str(folder)


def test_spark_example_is_python():
    for block in blocks("Sources/AllotC/AllotC.docc/InPython.md"):
        compile(block, "InPython.md", "exec")
